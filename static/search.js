// The search of the book, in the dialog and on the page search.html: results while one types.
(() => {
  const root = document.documentElement.dataset.content_root || "./";
  const SCRIPTS = ["minisearch/minisearch-7.2.0.js", "search_terms.js", "search_engine.js", "search/index.js"];
  const AT_ONCE = 10;
  const EXCERPT = 190; // characters

  const received = new Map();
  window.bookSearchData = (name, value) => received.set(name, value);

  // Scripts, not requests for data: they also load from the file system.
  const loading = new Map();
  const load = (address) => {
    if (!loading.has(address)) {
      const script = Object.assign(document.createElement("script"), { src: `${root}_static/${address}`, async: false });
      const done = new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
      document.head.append(script);
      loading.set(address, done.catch((error) => { loading.delete(address); throw error; }));
    }
    return loading.get(address);
  };

  let engine;
  const ready = () =>
    (engine ||= Promise.all(SCRIPTS.map(load)).then(() => {
      const data = received.get("index");
      const search = BookSearch.load(data);
      const partsOf = (query) => Promise.all(BookSearch.partsOf(query).filter((part) => data.parts[part]).map((part) => loaded(`words-${part}`, data.parts[part])));
      return { ...data, ask: async (query) => BookSearch.ask(search, data.units, query, await partsOf(query)) };
    }));

  // What a script of the index hands over, once it is there.
  const loaded = (name, version) => load(`search/${name}.js?v=${version}`).then(() => received.get(name));

  const element = (tag, name, ...children) => {
    const made = Object.assign(document.createElement(tag), { className: name });
    made.append(...children);
    return made;
  };

  // A text with the words that were found in mark elements.
  const marked = (text, found, from = 0, to = text.length) => {
    const parts = [];
    let at = from;
    for (const { start, end, forms } of BookTerms.words(text)) {
      if (start < at || end > to || !forms.some((form) => found.has(form))) continue;
      parts.push(text.slice(at, start), element("mark", "", text.slice(start, end)));
      at = end;
    }
    return [...parts, text.slice(at, to)];
  };

  // Where to begin an excerpt: the stretch of the text with the most different words that were found.
  const excerptStart = (text, found) => {
    const hits = BookTerms.words(text).filter(({ forms }) => forms.some((form) => found.has(form)));
    const variety = (hit) =>
      new Set(hits.filter(({ start }) => start >= hit.start && start < hit.start + EXCERPT - 40).map(({ forms }) => forms[0])).size;
    const best = hits.slice(0, 60).reduce((one, hit) => (!one || variety(hit) > variety(one) ? hit : one), null);
    if (!best || best.start < 60) return 0;
    return text.indexOf(" ", best.start - 50) + 1;
  };
  const excerpt = (text, found) => {
    const from = excerptStart(text, found);
    const to = text.length <= from + EXCERPT ? text.length : Math.max(text.lastIndexOf(" ", from + EXCERPT), from + 60);
    return [from ? "… " : "", ...marked(text, found, from, to), to < text.length ? " …" : ""];
  };

  // One result: where it is, its title, and, when the text of its page has come, an excerpt.
  const result = (data, { id, terms }) => {
    const [pageNumber, anchor, above, title] = data.units[id];
    const [page, pageTitle, version, first] = data.pages[pageNumber];
    const found = new Set(terms);
    const path = anchor ? [pageTitle, above].filter(Boolean).join(" › ") : "";
    const quote = element("span", "book-search-excerpt");
    const link = element(
      "a",
      "book-search-result",
      ...(path ? [element("span", "book-search-path", path)] : []),
      element("span", "book-search-title", ...marked(title, found)),
      quote
    );
    link.href = `${root}${page}.html${anchor ? `#${anchor}` : ""}`;
    const texts = () => load(`search/${page.replaceAll("/", "-")}.js?v=${version}`).then(
      () => {
        const [text, names] = received.get(page)[id - first];
        const named = names.split(" · ").filter((name) => BookTerms.words(name).some(({ forms }) => forms.some((form) => found.has(form))));
        if (named.length) quote.append(element("span", "book-search-names", ...marked(named.slice(0, 4).join(" · "), found)), " ");
        quote.append(...excerpt(text, found));
      },
      () => {}
    );
    near(link, texts);
    return element("li", "", link);
  };

  // Do something once an element comes near the screen: what nobody looks at is not fetched.
  const near = (place, act) => {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      act();
    });
    watch.observe(place);
  };

  const told = (count) => (count === 0 ? "Nothing found" : count === 1 ? "1 section" : `${count} sections`);

  // Connects a field with a list of results below it.
  const connect = (field, place) => {
    const status = element("p", "book-search-status");
    status.setAttribute("role", "status");
    const list = element("ol", "book-search-results");
    const more = element("button", "book-search-more", "More results");
    more.type = "button";
    more.hidden = true;
    place.append(status, list, more);

    let asked = "";
    const show = async () => {
      const query = field.value.trim();
      if (query === asked) return;
      asked = query;
      if (!query) return clear();
      let data, results;
      try {
        data = await ready();
        results = await data.ask(field.value);
      } catch {
        engine = null;
        asked = "";
        status.textContent = "The search index could not be loaded.";
        return;
      }
      if (query !== asked) return;
      status.textContent = told(results.length);
      list.replaceChildren();
      const add = () => {
        const from = list.children.length;
        list.append(...results.slice(from, from + AT_ONCE).map((one) => result(data, one)));
        more.hidden = list.children.length >= results.length;
        return list.children[from];
      };
      add();
      list.dataset.query = query; // so one can wait for it
      // the theme closes the dialog on a click that it finds outside: Enter clicks nowhere, and the button may be gone
      more.onclick = (event) => {
        event.stopPropagation();
        add().querySelector("a").focus();
      };
    };
    const clear = () => {
      list.replaceChildren();
      status.textContent = "";
      more.hidden = true;
    };

    // Arrow keys walk through the field and the results.
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") place.close?.(); // the theme does so in the field alone
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [field, ...list.querySelectorAll("a")];
      const at = stops.indexOf(document.activeElement);
      const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (at < 0 || !next) return;
      event.preventDefault();
      next.focus();
    });
    field.addEventListener("input", show);
    list.addEventListener("click", () => place.close?.());
    return show;
  };

  const dialog = document.getElementById("pst-search-dialog");
  const own = document.querySelector(".book-search-form");
  const inDialog = dialog?.querySelector("input");
  if (inDialog) {
    inDialog.form.action = `${root}search.html`;
    connect(inDialog, dialog);
    // whoever opens the dialog will type: a slow phone reads the index meanwhile
    inDialog.addEventListener("focus", () => ready().catch(() => { engine = null; }), { once: true });
  }
  if (own) {
    const field = own.elements.q;
    const show = connect(field, own.parentElement);
    const address = () => history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname);
    own.addEventListener("submit", (event) => event.preventDefault());
    field.addEventListener("input", address);
    field.value = new URLSearchParams(location.search).get("q") || "";
    show();
    field.focus();
  }
})();
