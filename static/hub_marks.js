// The hub of a chapter: a button beside each card, exercise and mistake says that it is known or done. Each is kept as an
// entry of its own, so that another tab takes nothing away. A card that is known, or is not after all, comes back.
(() => {
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const { browser } = bookProgress;
  let kept = bookProgress.read(browser);
  const shows = []; // what to call when something has changed

  const button = (place, name) => {
    const label = place.dataset.mark, title = place.querySelector("summary, a") || place;
    title.id ||= `title-${label}`;
    const made = element("button", { type: "button", className: "hub-mark", textContent: name, id: `mark-${label}` });
    made.setAttribute("aria-labelledby", `${made.id} ${title.id}`);
    made.addEventListener("click", () => {
      const on = !kept.marks.has(label), now = Date.now();
      if (place.matches(".must-know")) bookMemory.record(browser, `card:${label}`, { rating: on ? bookProgress.RIGHT : bookProgress.AGAIN }, now);
      bookProgress.mark(browser, label, on, now); // last: another tab takes a mark alone for one of an earlier version
      kept = bookProgress.read(browser);
      show();
    });
    shows.push(() => made.setAttribute("aria-pressed", String(kept.marks.has(label))));
    return made;
  };

  const show = () => shows.forEach((each) => each());

  document.querySelectorAll(".chapter-hub-group").forEach((group) => {
    const places = [...group.querySelectorAll("[data-mark]")];
    if (!places.length) return;
    const name = places[0].matches(".hub-exercise") ? "Done" : "Known";
    places.forEach((place) => {
      if (place.matches("details")) {
        const item = element("div", { className: "hub-item" });
        place.before(item);
        item.append(place, button(place, name));
      } else place.after(" ", button(place, name));
    });
    const told = element("p", { className: "hub-count" });
    group.firstElementChild.after(told);
    const labels = places.map((place) => place.dataset.mark);
    shows.push(() => { told.textContent = `${bookProgress.marked(kept, labels)} of ${labels.length} ${name.toLowerCase()}`; });
  });

  bookProgress.follow(() => {
    kept = bookProgress.read(browser);
    show();
  });
})();
