// What a word is to the search. The build makes the index with these rules and the pages ask it with them.
const BookTerms = (() => {
  const HAN = /^\p{Script=Han}/u;
  const WORD = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;
  const GREEK =
    "α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ theta κ kappa λ lambda μ mu ν nu ξ xi π pi " +
    "ρ rho σ sigma ς sigma τ tau φ phi ϕ phi χ chi ψ psi ω omega ∇ nabla ⊤ transpose";
  const NAMES = new Map(GREEK.match(/\S+ \S+/g).map((pair) => pair.split(" ")));
  const STOP = new Set(
    ("a about after all also an and any are as at be because been both but by can could did do does each for from had has have " +
      "how i if in into two three is it its made many may more most much must no not of on one only or other our own same so some such " +
      "than that the their them then there these they this those to too under up us use used very was we were what when where " +
      "which while who why will with would you your s t happen happens").split(" ")
  );
  const SPELLING = [
    [/([a-z]{3})is(e|ed|er|es|ing|ation|ations|able)$/, "$1iz$2"], // optimise, optimization
    [/^(col|hum|lab|neighb|behavi|fav|hon)our/, "$1or"], // colour
    [/^(cent|met|lit|fib)re(s|d|)$/, (_, stem, end) => `${stem}er${end === "d" ? "ed" : end}`], // centre
    [/^centring$/, "centering"],
    [/ll(ed|ing|er|ers)$/, "l$1"], // labelled
    [/lyse(s|d|)$/, "lyze$1"], // analyse
    [/ogue(s|)$/, "og$1"], // catalogue
    [/^grey/, "gray"],
  ];
  const PLURAL = [
    [/^(ind|matr|vert)ices$/, (_, stem) => (stem === "ind" ? "index" : stem + (stem === "matr" ? "ix" : "ex"))],
    [/(ss|sh|ch|x)es$/, "$1"],
    [/([^aeiou])ies$/, "$1y"],
    [/([^siu])s$/, "$1"],
  ];

  // One spelling for a word: without accents, capitals, plural and the Atlantic between its two forms.
  function fold(word) {
    let plain = word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    plain = [...plain].length === 1 ? NAMES.get(plain) || plain : plain;
    if (plain.length < 4) return plain;
    for (const [pattern, form] of [...SPELLING, ...PLURAL]) plain = plain.replace(pattern, form);
    return plain;
  }

  // Chinese is written without spaces: a run of it counts as a whole and as its pairs of neighbouring characters.
  const pairs = (run) => [run, ...(run.length > 2 ? Array.from(run.slice(1), (_, i) => run.slice(i, i + 2)) : [])];

  // The words of a text with their places in it; k-means and E-step count in one word, too.
  function words(text) {
    const found = [];
    for (const match of text.replace(/['’]s\b/g, "  ").matchAll(WORD)) {
      const [word] = match;
      const before = found[found.length - 1];
      const joined = before && match.index === before.end + 1 && /[-‐‑–]/.test(text[match.index - 1]);
      const forms = HAN.test(word) ? pairs(word) : [fold(word)];
      if (joined && before.end - before.start === 1) forms.push(fold(text[before.start] + word));
      found.push({ start: match.index, end: match.index + word.length, word, forms });
    }
    return found;
  }

  // In running text a single small letter is a symbol that stands everywhere.
  const counts = (word, running) => !(running && word.length === 1 && /[a-z0-9]/.test(word));
  const indexed = (text, running) =>
    words(text).flatMap(({ word, forms }) => (counts(word, running) ? forms.filter((form) => !STOP.has(form)) : forms.slice(1)));

  // A name as a whole: whoever types just that name of a section wants that section.
  const key = (name) => words(name).map(({ forms }) => forms[0]).join("_");
  const keys = (names) => names.split(/ · |[()（）:]|, (?=\p{Script=Han})/u).map(key).filter(Boolean).map((name) => `=${name}`);

  // What students call things by names that stand nowhere in the book, and what they are called there.
  const SAID = [
    [/\b(\w+) (?:vs\.?|versus) /g, (whole, before) => (before === "one" ? whole : `${before} `)],
    [/\b(?:k ?-?nn|k[- ]nearest[- ]neighbou?rs?)\b/g, "nearest neighbours"],
    [/^(?:how (?:to|do i|do you) )?(?:choose|choice of|choosing|best|optimal|pick) (?:the )?k(?: (?:in|for|of) nearest neighbours)?$/, "how many neighbours"],
    [/\bl_?1(?:[- ](?:regulari[sz]\w+|penalty|norm penalty))?(?![\w-])/g, "lasso"],
    [/\bl_?2(?:[- ](?:regulari[sz]\w+|penalty|norm penalty))?(?![\w-])/g, "ridge"],
    [/\bbessel(?:['’]?s)? correction\b|\bn ?[-−–] ?1\b/g, "biased variance"],
    [/\b(?:1|one)[- ]?s\.?e\.?(?![\w-])/g, "one standard error"],
    [/\bzero[- ](?:probabilit\w+|frequenc\w+)/g, "zero counts"],
    [/\b(?:standardi[sz]|normali[sz]|rescal|scal)\w+ (?:of )?(?:the |your )?(?:features?|variables?|inputs?|data)\b/g, "scaling units"],
    [/\bfeature (?:scaling|standardi[sz]ation|normali[sz]ation)\b/g, "scaling units"],
    [/(?:\bsigma|σ) ?\( ?\w ?\)/g, "sigmoid"],
    [/\bp ?\( ?\w ?[|∣] ?\w ?\)/g, "bayes theorem"],
    [/\(? ?x ?(?:\^ ?)?(?:t|⊤|'|\\top) ?x ?\)?(?: ?\^? ?(?:-1|⁻¹|\(-1\)|\{-1\})| inverse)/g, "normal equations"],
    [/\bem algorithm\b/g, "em"],
    [/\bmle (of|for)\b/g, "maximum likelihood $1"],
    [/\bpsd\b/g, "positive semi-definite"],
    [/\bprimal[- ](?:(?:and|to) )?dual\b/g, "dual"],
    [/\beigen (val|vec)/g, "eigen$1"],
    [/\blearning rate\b/g, "step size"],
    [/\btoo big\b/g, "too large"],
  ];
  const said = (query) => SAID.reduce((text, [pattern, put]) => text.replace(pattern, put), query.toLowerCase());

  const tokenize = (text, field) => (field === "names" ? keys(text) : indexed(text, field === "text"));
  const asked = (query) => [...new Set([...indexed(said(query), false), `=${key(said(query))}`])];

  return { words, tokenize, asked, keys, isHan: (word) => HAN.test(word) };
})();
