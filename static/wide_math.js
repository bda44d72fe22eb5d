// A formula that is wider than its column scrolls sideways: let the keyboard reach it, but only then. An observer asks
// for the sizes of those formulas only that are laid out; measuring all would lay out the whole page.
const reachWideMath = new ResizeObserver((entries) =>
  entries.forEach(({ target: formula }) => {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  })
);
const watchFormulas = () =>
  document.querySelectorAll(".katex-display").forEach((formula) => {
    reachWideMath.unobserve(formula); // observing anew makes it look again
    reachWideMath.observe(formula);
  });
watchFormulas();
document.fonts.addEventListener("loadingdone", watchFormulas); // letters of another font have other widths
