// The search itself: how MiniSearch makes the index, at build time, and how it is asked, in a page.
const BookSearch = (() => {
  const FIELDS = { names: 6, title: 4, terms: 3, heads: 1.5, text: 1 };
  const settings = { fields: Object.keys(FIELDS), tokenize: BookTerms.tokenize, processTerm: (term) => term };
  // What a section is: part of a chapter, of its exam corner, of a page of the revision, of the reference.
  const STANDING = [1, 0.7, 0.3, 0.15];

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

  // The index of all units, as text.
  const make = (units) => {
    const engine = new MiniSearch(settings);
    engine.addAll(units.map((unit, id) => ({ id, ...unit })));
    const { index, fieldLength, averageFieldLength } = engine.toJSON();
    const lengths = units.map((_, id) => settings.fields.map((_, field) => (fieldLength[id][field] || 0).toString(36)).join(","));
    return JSON.stringify({ words: index.map(pack).sort().join("\n"), lengths: lengths.join(";"), averageFieldLength });
  };

  const load = ({ words, lengths, averageFieldLength }) => {
    const fieldLength = lengths.split(";").map((numbers) => numbers.split(",").map((number) => parseInt(number, 36)));
    return MiniSearch.loadJS(
      {
        documentCount: fieldLength.length,
        nextId: fieldLength.length,
        documentIds: Object.fromEntries(fieldLength.map((_, id) => [id, id])),
        fieldIds: Object.fromEntries(settings.fields.map((field, id) => [field, id])),
        fieldLength: Object.fromEntries(fieldLength.map((numbers, id) => [id, numbers])),
        averageFieldLength,
        storedFields: {},
        dirtCount: 0,
        index: words.split("\n").map(unpack),
        serializationVersion: 2,
      },
      settings
    );
  };

  // The units that answer a query, best first, each with the words of the book that the query met.
  const ask = (engine, standings, query) => {
    const typing = /\S$/.test(query);
    const options = {
      boost: FIELDS,
      tokenize: BookTerms.asked,
      prefix: (term) => BookTerms.isHan(term) || (term[0] !== "=" && term.length > (typing ? 1 : 3)),
      fuzzy: (term) => !BookTerms.isHan(term) && term[0] !== "=" && term.length > 4 && (term.length < 8 ? 1 : 2),
      maxFuzzy: 2,
      weights: { prefix: 0.3, fuzzy: 0.12 },
      boostDocument: (id) => STANDING[standings[id]],
    };
    // A section with all the words of a query comes before one that has one of them often.
    const asked = BookTerms.asked(query).length;
    return engine
      .search(query, options)
      .map(({ id, score, terms, queryTerms }) => ({ id, score: (score * queryTerms.length) / asked, terms }))
      .sort((one, other) => other.score - one.score);
  };

  return { make, load, ask };
})();
