// On paper nothing scrolls: what is wider than the text is made smaller until it fits.
() => {
  const article = document.querySelector("article");
  const right = article.getBoundingClientRect().right + 0.5;
  const reach = (box) => Math.max(...[box, ...box.querySelectorAll(".base, .tag, table, pre, img, svg:not(.katex svg)")].map((e) => e.getBoundingClientRect().right));
  const shrunk = [];
  for (const box of document.querySelectorAll("article :is(div.math, .pst-scrollable-table-container, table, pre, .cell_output, p, li, dd)")) {
    if (box.parentElement.closest("table, pre") || box.querySelector(":scope > :is(p, ul, ol, div, section)")) continue;
    for (let tries = 0; tries < 4 && box.offsetWidth && reach(box) > right; tries++) {
      const { left } = box.getBoundingClientRect();
      const now = Number(box.style.zoom) || 1;
      box.style.zoom = Math.max(0.4, now * Math.min(0.97, (right - left) / (reach(box) - left)));
      if (!tries) shrunk.push(box.textContent.trim().slice(0, 60));
    }
  }
  return shrunk;
}
