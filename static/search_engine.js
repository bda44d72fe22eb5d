// The search itself: how MiniSearch makes the index, at build time, and how it is asked, in a page.
const BookSearch = (() => {
  const FIELDS = { names: 6, title: 4, terms: 3, heads: 1.5, text: 1 };
  const settings = { fields: Object.keys(FIELDS), tokenize: BookTerms.tokenize, processTerm: (term) => term };
  // What a section is: part of a chapter, of its exam corner, of a page of the revision, of the reference.
  const STANDING = [1, 0.7, 0.3, 0.15];
  const TOP = 1.05; // the top of a page beside its sections
  const GENERAL = new Set(["Algorithm", "From equation to code", "Summary"]); // which every chapter has
  const PAGE = 0.7; // what a word of the title of its page counts for a section that lacks it

  // MiniSearch's own form of an index repeats a key for each place of a word. Here a word is a line, "word 0:3,1.2,5":
  // in field 0 it stands in sections 3, 4 (twice) and 9, each told by its distance from the one before.
  const packed = (places) => {
    let last = 0;
    return Object.entries(places).map(([id, times]) => {
      const step = (id - last).toString(36);
      last = +id;
      return times > 1 ? `${step}.${times.toString(36)}` : step;
    });
  };
  const unpacked = (places) => {
    let id = 0;
    return Object.fromEntries(
      places.split(",").map((place) => {
        const [step, times = "1"] = place.split(".");
        id += parseInt(step, 36);
        return [id, parseInt(times, 36)];
      })
    );
  };
  const pack = ([word, fields]) =>
    `${word} ${Object.entries(fields).map(([field, places]) => `${field}:${packed(places)}`).join(";")}`;
  const unpack = (line) => {
    const [word, fields] = line.split(" ");
    return [word, Object.fromEntries(fields.split(";").map((field) => [field[0], unpacked(field.slice(2))]))];
  };

  // Which part of the index has a word of texts and their boxes: a query needs few of them. A prefix of two letters and most
  // slips of typing stay in their part.
  const partOf = (word) => (/^[a-z]{1,2}/.exec(word) || ["other"])[0];
  const partsOf = (query) => [...new Set(BookTerms.asked(query).filter((word) => word[0] !== "=").map(partOf))];
  const inParts = (field) => ["heads", "text"].includes(settings.fields[field]);

  // What names a section as a whole follows from its title: the index holds the other names alone.
  const NAMES = String(settings.fields.indexOf("names"));
  const withoutTitles = (word, fields, units) => {
    for (const id of Object.keys(fields[NAMES])) {
      fields[NAMES][id] -= BookTerms.keys(units[id].title).filter((name) => name === word).length;
      if (!fields[NAMES][id]) delete fields[NAMES][id];
    }
    if (!Object.keys(fields[NAMES]).length) delete fields[NAMES];
  };
  const withTitles = (words, titles) => {
    const index = new Map(words);
    titles.forEach((title, id) => BookTerms.keys(title).forEach((name) => {
      if (!index.has(name)) index.set(name, {});
      const own = (index.get(name)[NAMES] ||= {});
      own[id] = (own[id] || 0) + 1;
    }));
    return [...index];
  };

  // The index of all units, as text: what stands in names and titles, and, in parts, what stands below them.
  const make = (units) => {
    const engine = new MiniSearch(settings);
    engine.addAll(units.map((unit, id) => ({ id, ...unit })));
    const { index, fieldLength, averageFieldLength } = engine.toJSON();
    const lengths = units.map((_, id) => settings.fields.map((_, field) => (fieldLength[id][field] || 0).toString(36)).join(","));
    const words = [], parts = {};
    for (const [word, fields] of index) {
      if (word[0] === "=") withoutTitles(word, fields, units);
      const [named, below] = [false, true].map((part) => Object.entries(fields).filter(([field]) => inParts(field) === part));
      if (named.length) words.push(pack([word, Object.fromEntries(named)]));
      if (below.length) (parts[partOf(word)] ||= []).push(pack([word, Object.fromEntries(below)]));
    }
    const sorted = (list) => list.sort().join("\n");
    const texts = Object.fromEntries(Object.entries(parts).map(([part, list]) => [part, sorted(list)]));
    return JSON.stringify({ words: sorted(words), parts: texts, lengths: lengths.join(";"), averageFieldLength });
  };

  const lines = (text) => text.split("\n").filter(Boolean).map(unpack);

  // An engine that knows these words.
  const engineOf = ({ fieldLength, averageFieldLength }, index) =>
    MiniSearch.loadJS(
      {
        documentCount: fieldLength.length,
        nextId: fieldLength.length,
        documentIds: Object.fromEntries(fieldLength.map((_, id) => [id, id])),
        fieldIds: Object.fromEntries(settings.fields.map((field, id) => [field, id])),
        fieldLength: Object.fromEntries(fieldLength.map((numbers, id) => [id, numbers])),
        averageFieldLength,
        storedFields: {},
        dirtCount: 0,
        index,
        serializationVersion: 2,
      },
      settings
    );

  const load = ({ words, lengths, averageFieldLength, units }) => {
    const fieldLength = lengths.split(";").map((numbers) => numbers.split(",").map((number) => parseInt(number, 36)));
    const measures = { fieldLength, averageFieldLength };
    return { measures, names: engineOf(measures, withTitles(lines(words), units.map((unit) => unit[3]))) };
  };

  // What each unit has to do with a query, from engines each of which has fields of its own: what they find adds up.
  const gathered = (results) => {
    const found = new Map();
    for (const { id, score, terms, queryTerms } of results) {
      const one = found.get(id) || { score: 0, terms: [], met: [] };
      const both = (a, b) => [...new Set([...a, ...b])];
      found.set(id, { score: one.score + score / queryTerms.length, terms: both(one.terms, terms), met: both(one.met, queryTerms) });
    }
    return found;
  };

  // The units that answer a query, best first, each with the words of the book that the query met; units: the page of
  // each is its first entry, its standing the fifth; parts: the texts of the parts of the index that the query needs.
  const ask = ({ measures, names }, units, query, parts) => {
    const typing = /\S$/.test(query);
    const options = {
      boost: FIELDS,
      tokenize: BookTerms.asked,
      prefix: (term) => BookTerms.isHan(term) || (term[0] !== "=" && term.length > (typing ? 1 : 3)),
      fuzzy: (term) => !BookTerms.isHan(term) && term[0] !== "=" && term.length > 4 && (term.length < 8 ? 1 : 2),
      maxFuzzy: 2,
      weights: { prefix: 0.3, fuzzy: 0.12 },
      boostDocument: (id) => STANDING[units[id][4]] * (units[id][1] ? (GENERAL.has(units[id][3]) ? 0.6 : 1) : TOP),
    };
    const running = engineOf(measures, parts.flatMap(lines));
    const named = names.search(query, options);
    const found = gathered([...named, ...running.search(query, options)]);
    // A section also speaks of what its page is called: the dual of a page on support vector machines is theirs.
    const pages = new Map(named.filter(({ id }) => !units[id][1]).map(({ id, queryTerms }) => [units[id][0], queryTerms]));
    // A section with all the words of a query comes before one that has one of them often.
    const asked = BookTerms.asked(query).length;
    const share = (id, met) => {
      const page = units[id][1] ? (pages.get(units[id][0]) || []).filter((term) => !met.includes(term)).length : 0;
      return (met.length + PAGE * page) ** 2 / asked;
    };
    return [...found]
      .map(([id, { score, terms, met }]) => ({ id, score: score * share(id, met), terms }))
      .sort((one, other) => other.score - one.score);
  };

  return { make, load, ask, partsOf };
})();
