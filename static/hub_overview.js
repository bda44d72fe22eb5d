// The overview of the hubs: how each chapter stands, as far as the browser has kept it, and the weakest first on demand.
(() => {
  const overview = document.querySelector(".hub-overview");
  const { trainer, today: page, chapters } = JSON.parse(overview.querySelector(".hub-data").textContent);
  const rows = [...overview.querySelectorAll(".hub-chapter")];
  const parts = [...overview.querySelectorAll(".hub-part")];
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const untouched = rows.map((row) => [...row.children]);
  const homes = rows.map((row) => row.parentElement);
  const told = element("p", { className: "hub-told" });
  const all = element("ul", { className: "hub-chapters hub-weakest", hidden: true });
  let states = [], weakest = false;

  const choice = (text, value) => {
    const button = element("button", { type: "button", textContent: text });
    button.addEventListener("click", () => { weakest = value; order(); });
    return button;
  };
  const buttons = [choice("Order of the book", false), choice("Weakest first", true)];
  const choices = element("div", { className: "hub-order" }, ...buttons);
  choices.setAttribute("role", "group");
  choices.setAttribute("aria-label", "Order of the chapters");
  overview.prepend(told, choices, all);

  const order = () => {
    if (weakest) all.append(...bookProgress.weakest(states).map((place) => rows[place]));
    else rows.forEach((row, place) => homes[place].append(row));
    parts.forEach((part) => { part.hidden = weakest; });
    all.hidden = !weakest;
    buttons.forEach((button, value) => button.setAttribute("aria-pressed", String(Boolean(value) === weakest)));
  };

  const filled = (row, place, { sure, facts, next: [words, link, address] }) => {
    const [title] = untouched[place], percent = `${Math.round(100 * sure)} %`;
    const bar = element("span", { className: "hub-bar" }, element("span", {}));
    bar.style.setProperty("--sure", percent.replace(" ", ""));
    bar.setAttribute("aria-hidden", "true");
    row.replaceChildren(
      title,
      element("p", { className: "hub-sure" }, bar, element("span", {}, percent)),
      element("p", { className: "hub-facts" }, facts.map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · ")),
      element("p", { className: "hub-next" }, `${words} `, element("a", { className: "reference internal", href: address }, link))
    );
  };

  const hours = (minutes) => (minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`);
  const tell = (kept) => {
    const begun = states.filter((state) => state.begun).length;
    const sum = (name) => Math.round(states.reduce((total, state) => total + state[name], 0));
    const due = page ? [" ", element("a", { className: "reference internal", href: page, textContent: bookProgress.dueToday(kept, Date.now()) }), "."] : [];
    if (!begun) told.textContent = `${bookProgress.count(chapters.length, "chapter")}, ${hours(sum("whole"))} in all. What you do is kept in this browser and shown here.`;
    else told.textContent = `${begun} of ${bookProgress.count(chapters.length, "chapter")} begun, ${hours(sum("left"))} of ${hours(sum("whole"))} left. A bar shows how much of a chapter's route went well.`;
    told.append(...due);
    choices.hidden = !begun;
  };

  bookProgress.follow(() => {
    const kept = bookProgress.read(bookProgress.browser), today = bookProgress.dayOf(Date.now());
    states = chapters.map((chapter) => bookProgress.state(chapter, kept, today, trainer));
    states.forEach((state, place) => {
      if (state.begun) filled(rows[place], place, state);
      else rows[place].replaceChildren(...untouched[place]);
    });
    tell(kept);
    order();
  });
})();
