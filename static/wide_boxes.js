// What is larger than its place scrolls: let the keyboard reach it, but only then. An observer asks for the sizes of
// those boxes only that are laid out; measuring all, as the theme does, would lay out the whole page.
(() => {
  const FORMULA = ".katex-display"; // its height is not cut
  const BOXES = `${FORMULA}, pre, .cell_output > .output, .pst-scrollable-table-container`;
  const scrolls = (box) =>
    box.scrollWidth > box.clientWidth || (!box.matches(FORMULA) && box.scrollHeight > box.clientHeight);

  const reach = new ResizeObserver((entries) => {
    const found = entries.map(({ target }) => [target, scrolls(target)]); // all sizes, then all changes
    for (const [box, reachable] of found) {
      if (reachable) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  const watch = (boxes) =>
    boxes.forEach((box) => {
      reach.unobserve(box); // observing anew makes it look again
      reach.observe(box);
    });
  const watchAll = () => watch(document.querySelectorAll(BOXES));

  watchAll();
  document.fonts.addEventListener("loadingdone", watchAll); // letters of another font have other widths
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.querySelector?.(BOXES) || node.matches?.(BOXES))))
      watchAll();
  }).observe(document.querySelector("main") ?? document.body, { subtree: true, childList: true });
})();
