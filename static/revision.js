// The pages that collect from the chapters: a field that filters, and statements shuffled by a seed.
(() => {
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // -- a filter above a list of cards, statements, methods, phrases or entries of the glossary ---------------------------------

  const GROUP = "h2, h3, h4";
  const entries = (list) => {
    if (!list.matches("dl")) return [...list.querySelectorAll(".exam-card, .quiz, .method, .wording")].map((card) => [card]);
    return [...list.querySelectorAll("dt")].map((term) => {
      const parts = [term];
      for (let next = term.nextElementSibling; next?.tagName === "DD"; next = next.nextElementSibling) parts.push(next);
      return parts;
    });
  };
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const hasLeft = (heading) => {
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches(GROUP) && next.tagName <= heading.tagName) return false;
      if (next.matches(".exam-card, .quiz, .wording") && !next.classList.contains("filtered")) return true;
    }
    return false;
  };

  document.querySelectorAll(".card-list, .statement-list, .method-table, .wording-list, dl.glossary").forEach((list, number) => {
    const found = entries(list).map((parts) => [parts, plain(parts.map((part) => part.textContent).join(" "))]);
    if (found.length < 2) return;
    const field = element("input", { type: "search", id: `filter-${number}`, autocomplete: "off" });
    const status = element("span", { className: "filter-status" });
    status.setAttribute("role", "status");
    const label = element("label", { htmlFor: field.id, textContent: "Filter " });
    const print = element("button", { type: "button", className: "print-button", textContent: "Print, or save as PDF" });
    print.addEventListener("click", () => window.print());  // what the filter leaves
    list.before(element("p", { className: "filter" }, label, field, " ", status, " ", print));
    field.addEventListener("input", () => {
      const words = plain(field.value).split(/\s+/).filter(Boolean);
      let left = 0;
      for (const [parts, text] of found) {
        const stays = words.every((word) => text.includes(word));
        left += stays;
        parts.forEach((part) => part.classList.toggle("filtered", !stays));
      }
      list.querySelectorAll(GROUP).forEach((heading) => heading.classList.toggle("filtered", !hasLeft(heading)));
      status.textContent = words.length ? `${left} of ${found.length}` : "";
    });
  });

  // -- statements in an order that a seed fixes -------------------------------------------------------------------------

  const list = document.querySelector(".statement-list");
  if (!list) return;
  const groups = [...list.querySelectorAll(".statement-list-group")];
  const members = new Map(groups.map((group) => [group, [...group.querySelectorAll(".quiz")]]));
  const option = (text, value) => element("option", { textContent: text, value });
  const seed = element("input", { type: "number", id: "statement-seed", min: 0, step: 1, value: 1 });
  const from = element(
    "select",
    { id: "statement-chapter" },
    option("all chapters", ""),
    ...groups.map((group) => option(group.firstElementChild.textContent, group.firstElementChild.id))
  );
  const most = element("select", { id: "statement-count" }, option("all", ""), ...[10, 20, 40].map((count) => option(count, count)));
  const label = (text, control) => element("label", { htmlFor: control.id }, text, control);
  const told = element("p", { className: "statement-told" });
  told.setAttribute("role", "status");
  const mixed = element("div", { className: "statement-shuffled" });
  const byBook = element("button", { type: "button", textContent: "Order of the book", hidden: true });
  const form = element(
    "form",
    { className: "statement-controls" },
    label("Statements ", most),
    label("from ", from),
    label("seed ", seed),
    element("button", { type: "submit", textContent: "Shuffle" }),
    element("button", { type: "button", textContent: "Another seed", onclick: () => another() }),
    byBook
  );
  list.before(form, told);
  list.append(mixed);

  const restore = () => {
    contents.hidden = false;
    members.forEach((items, group) => {
      group.append(...items);
      items.forEach((item) => (item.hidden = false));
      group.hidden = false;
    });
  };
  const contents = list.querySelector(".card-list-contents");
  const changed = () => document.dispatchEvent(new Event("book-statements"));
  const shuffle = () => {
    restore();
    const number = Math.abs(Math.trunc(Number(seed.value))) || 0;
    seed.value = number;
    const all = groups.filter((group) => !from.value || group.firstElementChild.id === from.value).flatMap((group) => members.get(group));
    const drawn = bookChance.shuffled(all, bookChance.generator(number)).slice(0, most.value || all.length);
    members.forEach((items, group) => {
      items.forEach((item) => (item.hidden = !drawn.includes(item)));
      group.hidden = true;
    });
    mixed.append(...drawn);
    contents.hidden = true; // its chapters are
    const chapter = from.selectedOptions[0].textContent;
    told.textContent = `${drawn.length} statements from ${chapter}, seed ${number}.`;
    byBook.hidden = false;
    const asked = new URLSearchParams({ seed: number, ...(from.value && { from: from.value }), ...(most.value && { most: most.value }) });
    history.replaceState(null, "", `?${asked}`);
    changed();
  };
  const another = () => {
    seed.value = Math.floor(Math.random() * 10000);
    shuffle();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    shuffle();
  });
  byBook.addEventListener("click", () => {
    restore();
    told.textContent = "";
    byBook.hidden = true;
    history.replaceState(null, "", location.pathname);
    changed();
  });

  const asked = new URLSearchParams(location.search);
  if (asked.has("seed")) {
    seed.value = asked.get("seed");
    from.value = asked.get("from") || "";
    most.value = asked.get("most") || "";
    shuffle();
  }
})();
