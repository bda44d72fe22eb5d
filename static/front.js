// The gallery of chapters: what the reader has done, as far as the browser has kept it.
(() => {
  const words = (text) => text.split(" ").filter(Boolean);
  const chapters = [...document.querySelectorAll(".front-chapter")].map((chapter) => {
    const done = Object.assign(document.createElement("span"), { className: "front-done" });
    const facts = chapter.querySelector(".front-facts"), between = facts.textContent ? " · " : "";
    facts.append(done);
    return { done, between, drills: words(chapter.dataset.drills), quiz: words(chapter.dataset.quiz) };
  });
  bookProgress.follow(() => {
    const kept = bookProgress.read(bookProgress.browser);
    chapters.forEach(({ done, between, drills, quiz }) => {
      const line = bookProgress.line(kept, drills, quiz);
      done.textContent = line && between + line;
    });
  });
})();
