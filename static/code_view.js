// The switch "Code: folded / open" in the header: it folds or opens the code of all cells, and is remembered.
// Each cell's own fold works without it. Storage may be refused (private windows, file://): then nothing is remembered.
(() => {
  const KEY = "book-code";
  const read = () => { try { return localStorage.getItem(KEY) === "open"; } catch { return false; } };
  const write = (open) => { try { localStorage.setItem(KEY, open ? "open" : "folded"); } catch { /* not remembered */ } };

  document.addEventListener("DOMContentLoaded", () => {
    const folds = document.querySelectorAll("details:is(.code-fold, .check-chip.with-code)");
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
      // What is read stays in place: the first thing that begins on the screen. Sections that come near are measured
      // only then, so it takes some frames; the browser's own way of keeping the place would do the same a second time.
      const anchor = [...document.querySelectorAll("main :is(h2, h3, p, li, figure)")].find((e) => e.getBoundingClientRect().top > 72 && !e.closest("details:not([open]), summary"));
      const root = document.documentElement, before = anchor?.getBoundingClientRect().top;
      root.style.overflowAnchor = "none";
      show(open);
      const keep = (frames) => {
        const moved = anchor ? anchor.getBoundingClientRect().top - before : 0;
        if (Math.abs(moved) > 1) scrollBy({ top: moved, behavior: "instant" });
        if (frames) requestAnimationFrame(() => keep(frames - 1));
        else root.style.overflowAnchor = "";
      };
      keep(12);
    });
    show(read());
    header?.prepend(button);
  });
})();
