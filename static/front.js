// The front page: how much is due today, and in the gallery what the reader has done, as far as the browser has kept it.
(() => {
  const element = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const words = (text) => text.split(" ").filter(Boolean);
  const chapters = [...document.querySelectorAll(".front-chapter")].map((chapter) => {
    const done = element("span", { className: "front-done" });
    const facts = chapter.querySelector(".front-facts"), between = facts.textContent ? " · " : "";
    facts.append(done);
    return { done, between, drills: words(chapter.dataset.drills), quiz: words(chapter.dataset.quiz) };
  });
  const gallery = document.querySelector(".front-gallery"), doors = document.querySelector(".front-doors") || gallery;
  const told = element("p", { className: "front-today", hidden: true });
  const link = element("a", { className: "reference internal", href: gallery.dataset.today || "" });
  told.append(link);
  if (gallery.dataset.today) doors.after(told);
  bookProgress.follow(() => {
    const kept = bookProgress.read(bookProgress.browser);
    told.hidden = !Object.keys(kept.items).length;
    link.textContent = bookProgress.dueToday(kept, Date.now());
    chapters.forEach(({ done, between, drills, quiz }) => {
      const line = bookProgress.line(kept, drills, quiz);
      done.textContent = line && between + line;
    });
  });
})();
