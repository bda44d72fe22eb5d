// The table of all methods and that of their dials: one task alone, and the order of any column that has one.
(() => {
  const table = document.querySelector(".method-table");
  if (!table) return;
  const methods = [...table.tBodies];
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const name = (method) => method.querySelector("th").textContent;
  const byNumber = (key) => (one, other) => (one.dataset[key] ?? Infinity) - (other.dataset[key] ?? Infinity);
  const ORDERS = {
    "order of the book": () => 0,
    method: (one, other) => name(one).localeCompare(name(other)),
    "cost to fit": byNumber("fit"),
    "cost to predict": byNumber("predict"),
    memory: byNumber("memory"),
    readable: (one, other) => other.dataset.reads - one.dataset.reads,
  };

  // -- one task ---------------------------------------------------------------------------------------------------------

  const tasks = new Map();
  for (const method of methods) {
    const titles = method.querySelector("td").lastChild.textContent.trim().split(", ");
    method.dataset.tasks.split(" ").forEach((task, k) => tasks.set(task, titles[k]));
  }
  const task = element("select", { id: "method-task" }, element("option", { value: "", textContent: "all tasks" }));
  tasks.forEach((title, value) => task.append(element("option", { value, textContent: title })));
  const status = element("span", { className: "filter-status" });
  status.setAttribute("role", "status");
  task.addEventListener("change", () => {
    methods.forEach((method) => (method.hidden = Boolean(task.value) && !method.dataset.tasks.split(" ").includes(task.value)));
    status.textContent = task.value ? `${methods.filter((method) => !method.hidden).length} methods` : "";
  });

  // -- the order: a list to choose from, and the heads of the columns; twice turns it round ---------------------------------

  const order = element("select", { id: "method-order" });
  const heads = [...table.tHead.rows[0].cells].filter((head) => head.textContent.trim().toLowerCase() in ORDERS);
  const key = (head) => head.textContent.trim().toLowerCase();
  for (const name of ["order of the book", ...heads.map(key)]) order.append(element("option", { value: name, textContent: name }));
  let down = false;
  const sort = () => {
    const sorted = methods.slice().sort(ORDERS[order.value]);
    table.append(...(down ? sorted.reverse() : sorted));
    for (const head of heads) {
      if (key(head) === order.value) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  };
  order.addEventListener("change", () => {
    down = false;
    sort();
  });
  heads.forEach((head) => {
    const button = element("button", { type: "button", textContent: head.textContent.trim() });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      down = order.value === key(head) && !down;
      order.value = key(head);
      sort();
    });
  });
  const label = (text, control) => element("label", { htmlFor: control.id }, text, control);
  table.before(element("p", { className: "method-controls" }, label("Task ", task), " ", label("Order ", order), " ", status));
})();
