// The switch "Code: folded / open" in the header: it folds or opens the code of all cells, and is remembered.
// Each cell's own fold works without it. Storage may be refused (private windows, file://): then nothing is remembered.
(() => {
  const KEY = "book-code";
  const read = () => { try { return localStorage.getItem(KEY) === "open"; } catch { return false; } };
  const write = (open) => { try { localStorage.setItem(KEY, open ? "open" : "folded"); } catch { /* not remembered */ } };

  document.addEventListener("DOMContentLoaded", () => {
    const folds = document.querySelectorAll("details.code-fold");
    const header = document.querySelector(".article-header-buttons");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "code-switch" });
    const show = (open) => {
      folds.forEach((fold) => { fold.open = open; });
      button.textContent = open ? "Code: open" : "Code: folded";
      button.setAttribute("aria-expanded", open);
      button.title = open ? "Fold the code of all cells" : "Open the code of all cells";
    };
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      write(open);
      const anchor = [...document.querySelectorAll("main :is(h2, h3, p, div.cell)")].find((e) => e.getBoundingClientRect().bottom > 80);
      const before = anchor?.getBoundingClientRect().top;
      show(open);
      if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" }); // what is read stays in place
    });
    show(read());
    header?.prepend(button);
  });
})();
