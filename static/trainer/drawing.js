// Draw the questions of a paper, as notes_lib/drills/drawing.py specifies it: the same as in a terminal.
(() => {
  "use strict";
  const { generator, shuffled } = bookChance;
  const READING = 0.5, PICKING = 0.5, JUDGING = 0.75;
  const SHORT_MARKS = 2, SHORT_MINUTES = 4, LONG_MARKS = 10, GROUP = 3, ALL = 3, PENALTY = 1;
  const RULES = 2; // changes when the same seed gives another paper
  const ONE = { choice: 3, "true-false": 1 };
  const FORMATS = {
    long: "long questions",
    calculations: "fill in, then calculations marked by steps",
    choice: "multiple choice: wrong answers cost marks",
    answers: "multiple answer: all right options, or no marks",
  };

  const takeDrills = (topics, minutes, below, seeds, used, short = false) => {
    const found = [];
    let left = minutes, more = true;
    while (more) {
      more = false;
      for (const { topic, ...own } of shuffled(topics, below)) {
        const start = below(seeds), cost = short ? SHORT_MINUTES : own.minutes;
        const seed = [...Array(seeds).keys()].map((k) => (start + k) % seeds).find((one) => !used.has(`${topic} ${one}`));
        if (cost > left || seed === undefined) continue;
        used.add(`${topic} ${seed}`);
        found.push({ kind: short ? "short" : "drill", name: topic, numbers: [seed], order: [], marks: short ? SHORT_MARKS : own.marks, minutes: cost, penalty: 0 });
        left -= cost;
        more = true;
      }
    }
    return found;
  };

  const takeQuestions = (items, minutes) => {
    let left = minutes;
    return items.filter((item) => item.minutes <= left && ((left -= item.minutes), true));
  };

  const upTo = (count) => [...Array(count).keys()];
  const one = ({ stem, number, kind, options }) => ({
    kind: "one", name: stem, numbers: [number], order: upTo(options), marks: ONE[kind],
    minutes: READING + (kind === "choice" ? PICKING * options : JUDGING), penalty: PENALTY,
  });
  const all = (kind, pieces, options) => ({
    kind, name: pieces[0].stem, numbers: pieces.map((piece) => piece.number), order: upTo(options), marks: ALL,
    minutes: READING + JUDGING * options, penalty: 0,
  });

  const statements = (pieces, below) => [...new Set(pieces.map((piece) => piece.stem))].flatMap((stem) => {
    const said = shuffled(pieces.filter((piece) => piece.stem === stem && piece.kind === "true-false"), below);
    return upTo(Math.floor(said.length / GROUP)).map((k) => all("statements", said.slice(GROUP * k, GROUP * (k + 1)), GROUP));
  });

  const DRAW = {
    long: ({ topics, minutes, below, seeds }) => takeDrills(topics, minutes, below, seeds, new Set()),
    calculations: ({ topics, minutes, below, seeds }) => {
      const used = new Set();
      const short = takeDrills(topics.filter((topic) => topic.fill), (3 * minutes) / 10, below, seeds, used, true);
      const long = topics.filter((topic) => topic.marks >= LONG_MARKS);
      return [...short, ...takeDrills(long.length ? long : topics, minutes - SHORT_MINUTES * short.length, below, seeds, used)];
    },
    choice: ({ pieces, minutes, below }) =>
      takeQuestions(shuffled(pieces.filter((piece) => piece.kind !== "multiple"), below).map(one), minutes),
    answers: ({ pieces, minutes, below }) => {
      const multiple = pieces.filter((piece) => piece.kind === "multiple").map((piece) => all("all", [piece], piece.options));
      return takeQuestions(shuffled([...multiple, ...statements(pieces, below)], below), minutes);
    },
  };

  const mixedOptions = (item, below) => {
    const fixed = item.kind === "statements" || item.order.length === 2;
    return fixed ? item : { ...item, order: shuffled(item.order, below) };
  };

  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  // The questions of a paper; topics and pieces are those of the index, and of the scripts of the chapters.
  const compose = ({ format, topics, pool, minutes, seed, seeds }) => {
    const below = generator(seed);
    const sorted = [...topics].sort((a, b) => compare(a.topic, b.topic));
    const pieces = [...pool].sort((a, b) => compare(a.stem, b.stem) || a.number - b.number);
    return DRAW[format]({ topics: sorted, pieces, minutes, below, seeds }).map((item) => mixedOptions(item, below));
  };

  Object.assign(Trainer, { FORMATS, RULES, compose });
})();
