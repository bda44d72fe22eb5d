// What the rules want to know of an open page. Evaluated as ({source}).content() and so on.
({
  // Images are loaded and sections laid out only when they come near: ask for all of them, then wait.
  async settle() {
    document.head.insertAdjacentHTML("beforeend", "<style>section { content-visibility: visible !important; }</style>");
    const images = [...document.images];
    images.forEach((i) => { i.loading = "eager"; });
    const loaded = Promise.allSettled(images.map((i) => i.decode()));
    await Promise.race([Promise.all([loaded, document.fonts.ready]), new Promise((r) => setTimeout(r, 3000))]);
  },

  content() {
    const all = (selector) => [...document.querySelectorAll(selector)];
    // Decoration: hidden from screen readers, or an empty text beside the words of the same link.
    const decoration = (i) => i.closest("[aria-hidden=true], [role=presentation], [role=none]") !== null ||
      (i.getAttribute("alt") === "" && i.closest("a, button")?.textContent.trim().length > 0);
    const links = ["href", "src", "poster", "data"].flatMap((name) =>
      all(`[${name}]`).map((e) => ({ raw: e.getAttribute(name), url: new URL(e.getAttribute(name), document.baseURI).href })));
    const images = all("img").map((i) => ({
      file: i.src.startsWith("data:") ? "an embedded image" : i.src.split("/").pop(),
      alt: i.getAttribute("alt"), decorative: decoration(i), loaded: i.naturalWidth > 0,
      figure: i.closest(".cell_output, figure, .anim-player, .explorer, .live") !== null,
    }));
    return {
      ids: all("[id]").map((e) => e.id), links, images, text: this.readable(),
      mathErrors: all(".katex-error, mjx-merror, .katex [style*='#cc0000'], .problematic, .system-message")
        .map((e) => e.getAttribute("title") || e.textContent),
      math: document.querySelectorAll(".katex").length,
    };
  },

  // Text that a reader sees, outside code and formulas, one entry for each text node that could hold raw markup.
  readable() {
    const skip = "script, style, noscript, pre, code, kbd, samp, textarea, template, .katex, .highlight";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/[\\$?{:]/.test(node.data) && !node.parentElement.closest(skip)) found.push(node.data);
    return found;
  },

  // What does not fit at the present width.
  layout() {
    const width = document.documentElement.clientWidth;
    const style = (e) => getComputedStyle(e);
    const upTo = (e, test) => { for (let p = e; p && p !== document.documentElement; p = p.parentElement) if (test(p)) return p; return null; };
    const scroller = (e) => upTo(e, (p) => /auto|scroll/.test(style(p).overflowX));
    const clipper = (e) => upTo(e, (p) => /hidden|clip/.test(style(p).overflowX));
    const name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + [...e.classList].slice(0, 2).map((c) => "." + c).join("");
    const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const tiny = (e) => upTo(e, (p) => p.clientWidth <= 2 && style(p).position === "absolute") !== null; // for screen readers only
    const tex = (e) => (e.querySelector("annotation") || e).textContent;
    const main = document.querySelector("main") || document.body;
    const candidates = [...main.querySelectorAll("*")].filter((e) => !e.closest(".katex, svg") && visible(e) && !tiny(e));

    const outside = candidates.filter((e) => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.right > width + 1 || r.left < -1) && !scroller(e); });
    const outermost = outside.filter((e) => !outside.includes(e.parentElement));
    const clipped = candidates.filter((e) => /hidden|clip/.test(style(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 2);

    // A formula is a row of boxes (.base); in a box that scrolls, only what lies inside that box is seen.
    const boxes = (formula) => [...formula.querySelectorAll(".katex-html > .base")].map((base) => base.getBoundingClientRect());
    const seen = (formula) => {
      const s = scroller(formula.querySelector(".katex-html")), clip = s ? s.getBoundingClientRect() : { left: -Infinity, right: Infinity };
      return boxes(formula).map((b) => ({ top: b.top, bottom: b.bottom, left: Math.max(b.left, clip.left), right: Math.min(b.right, clip.right) }));
    };
    const formulas = [...main.querySelectorAll(".math")].filter((e) => visible(e) && e.querySelector(".katex-html"));
    const edge = (e) => upTo(e, (p) => !style(p).display.startsWith("inline")).getBoundingClientRect().right;
    const wide = formulas.filter((e) => seen(e).some((b) => b.right > edge(e) + 1));
    const covered = formulas.filter((e) => {
      const number = e.querySelector(".eqno");
      const n = number && number.getBoundingClientRect();
      return n && seen(e).some((b) => b.right > n.left + 1 && b.left < n.right - 1 && b.bottom > n.top + 1 && b.top < n.bottom - 1);
    });
    // Lines wrap, so no listing is wider than its box; and of a page with folds, how much is code all the same.
    const cutCode = [...main.querySelectorAll("pre")].filter((e) => visible(e) && e.scrollWidth > e.clientWidth + 1);
    const heights = (selector) => [...main.querySelectorAll(selector)].filter(visible).reduce((sum, e) => sum + e.getBoundingClientRect().height, 0);
    const code = main.querySelector("details.code-fold") ? heights(".cell_input, .cell_output .highlight-python") / main.getBoundingClientRect().height : 0;
    return {
      code, cutCode: cutCode.map((e) => e.textContent.trim()),
      overflow: document.documentElement.scrollWidth - width,
      outside: outermost.map((e) => name(e) + " " + e.textContent.trim().slice(0, 40)),
      clipped: clipped.map((e) => name(e) + " " + e.textContent.trim().slice(0, 40)),
      wide: wide.map(tex),
      covered: covered.map(tex),
    };
  },

  // Drawings that nothing adapts to the dark page: no filter, no light background, and not a photograph.
  darkFigures() {
    const plain = (c) => c === "transparent" || /rgba\(.*, 0\)$/.test(c);
    return [...document.querySelectorAll(".cell_output img, figure img, .anim-player img, .explorer img, .live img")].filter((img) => {
      if (img.closest(".keep-colors")) return false;
      for (let e = img; e && !e.matches("article, main, body"); e = e.parentElement) {
        const s = getComputedStyle(e);
        if (s.filter !== "none") return false;
        if (!plain(s.backgroundColor) && s.backgroundColor !== getComputedStyle(document.body).backgroundColor) return false;
      }
      return true;
    }).map((img) => img.alt || img.src.slice(0, 60));
  },

  // Leave of each section only the blocks with a kind of element that none before them has: a formula is one kind and a
  // listing too. What repeats itself is then judged once. Blocks stay whole, so that quizzes and players work, and
  // headings stay, for their order.
  thin() {
    const seen = new Set();
    const inside = (block) => [block, ...block.querySelectorAll("*")].filter((e) => !e.parentElement.closest(".katex, pre"));
    const kinds = (block) => inside(block).flatMap((e) => [e.tagName, ...[...e.classList].map((c) => e.tagName + "." + c)]);
    const section = (e) => e.querySelector("section, h1, h2, h3, h4, h5, h6") !== null;
    const thinned = (box) => [...box.children].forEach((e) => {
      if (section(e)) return thinned(e);
      if (e.matches("h1, h2, h3, h4, h5, h6")) return;
      const found = kinds(e);
      if (found.every((kind) => seen.has(kind))) e.remove();
      found.forEach((kind) => seen.add(kind));
    });
    thinned(document.querySelector("main") || document.body);
  },

  // Called while the page is as on paper, where nothing scrolls or unfolds.
  paper() {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().height > 0;
    const controls = ".bd-sidebar-primary, .bd-sidebar-secondary, .bd-header, .bd-header-article, .header-article, " +
      ".prev-next-footer, .prev-next-area, .theme-switch-button, .search-button, .copybtn, .headerlink, .toggle-button, .anim-controls, .explorer-controls, .live-stage, .pst-scroll-pixel-helper + button";
    const folded = [...all(".solution > .admonition-title ~ *"), ...all(".quiz-choice .quiz-feedback, .quiz-true-false .quiz-feedback"),
      // code is printed as it stands on the screen, of checks the chip; a fold may be left out with its heading
      ...all("main details:not(.code-fold, .check-chip) > :not(summary)").filter((e) => visible(e.parentElement))];
    const name = (e) => { const box = e.closest("[id]"); return (box ? "#" + box.id + " " : "") + e.tagName.toLowerCase() + [...e.classList].map((c) => "." + c).join(""); };
    const right = (e) => Math.max(...[e, ...e.querySelectorAll(".katex-html > .base")].map((b) => b.getBoundingClientRect().right));
    const clipped = (e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && style(e).overflowX !== "visible";
    const style = (e) => getComputedStyle(e);
    const facts = {
      controls: [...new Set(all(controls).filter(visible).map((e) => e.tagName.toLowerCase() + "." + [...e.classList].slice(0, 2).join(".")))],
      folded: folded.filter((e) => !visible(e) && e.textContent.trim()).map(name),
      cut: all("main div.math, main .katex-display, main pre, main table, main img, main svg").filter((e) => visible(e) && !e.closest(".katex"))
        .filter((e) => clipped(e) || right(e) > document.documentElement.clientWidth + 1)
        .map((e) => e.tagName.toLowerCase() + " " + (e.querySelector("annotation") || e).textContent.trim().slice(0, 60)),
    };
    document.body.classList.add("hide-answers"); // a paper to work on
    facts.answers = all(".solution, .quiz-feedback").filter(visible).map(name);
    document.body.classList.remove("hide-answers");
    return facts;
  },

  // Bytes of the page and what it loads, images apart.
  weight() {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return entries.filter((e) => e.initiatorType !== "img").reduce((sum, e) => sum + e.decodedBodySize, 0);
  },
})
