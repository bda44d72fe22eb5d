// Parts of the page: buttons, labelled inputs, what scrolls, and the progress with its file.
(() => {
  "use strict";
  const { element } = Trainer;

  const button = (text, act, name = "") => {
    const made = element("button", { type: "button", class: name }, text);
    made.addEventListener("click", act);
    return made;
  };
  const labelled = (text, input) => element("div", { class: "trainer-cell" }, element("label", { for: input.id }, text), input);

  // Formulas and tables that are wider than the screen scroll: let the keyboard reach them. What they hold is watched
  // as well, since letters of another font have other widths.
  const WIDE = ".katex-display, .trainer-wide";
  const watchWide = (host) => {
    const reach = new ResizeObserver((entries) => entries.forEach(({ target }) => {
      const wide = target.closest(WIDE);
      if (wide && wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
      else if (wide) wide.removeAttribute("tabindex");
    }));
    host.querySelectorAll(WIDE).forEach((one) => [one, ...one.children].forEach((part) => reach.observe(part)));
  };

  // Save, read and clear the progress; say: shows a sentence, changed: what is shown of it is old.
  const progress = (store, say, changed) => {
    const file = element("input", { type: "file", id: "trainer-file", accept: ".json,application/json" });
    file.addEventListener("change", async () => {
      if (file.files.length) say(store.imported(await file.files[0].text()));
      file.value = "";
      changed();
    });
    const save = button("Save as a file", () => {
      const link = element("a", { download: "progress.json", href: URL.createObjectURL(new Blob([store.exported()], { type: "application/json" })) });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    const clear = button("Clear", () => {
      const stays = store.paper ? " The paper that is open stays, with its answers, until you leave it." : "";
      if (!confirm(`Forget all that was done: drills, cards, quizzes, marks and plan?${stays}`)) return;
      store.clear();
      say(`Your progress is cleared.${stays}`);
      changed();
    });
    return element("details", { class: "trainer-fold" }, element("summary", {}, "Your progress"),
      element("p", {}, "What you have done, here and on the other pages of the book, stays in this browser and is sent nowhere. FSRS, a model of forgetting, says when something comes back; a drill counts as “again” below half of its marks, as “hard” below four fifths and as “good” from there. The file holds all of it; a file that you read is united with what is here."),
      element("div", { class: "trainer-buttons" }, save, clear), labelled("Read a saved file", file));
  };

  Object.assign(Trainer, { button, labelled, watchWide, progress });
})();
