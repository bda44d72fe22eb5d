// A formula that is wider than its column scrolls sideways: let the keyboard reach it, but only then.
const reachWideMath = () =>
  document.querySelectorAll(".katex-display").forEach((formula) => {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  });
addEventListener("load", reachWideMath);
addEventListener("resize", reachWideMath);
