// Papers without a page: what is asked, what it is worth, and how much time is left.
(() => {
  "use strict";
  const MINUTE = 60 * 1000;
  const FORMATS = {
    mixed: "mixed: short questions and long calculations",
    multiple: "multiple answer: all right options, or no marks",
    penalty: "multiple choice: wrong answers cost marks",
    steps: "fill in, then calculations marked by steps",
  };

  // Random numbers in [0, 1) that follow from a seed (mulberry32).
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const shuffled = (list, next) => {
    const found = [...list];
    for (let k = found.length - 1; k > 0; k -= 1) {
      const other = Math.floor(next() * (k + 1));
      [found[k], found[other]] = [found[other], found[k]];
    }
    return found;
  };

  // Each topic once before any of them again, each time with another seed, while there is time.
  const takeDrills = (topics, minutes, seeds, next, extra = {}) => {
    const taken = [], used = new Set();
    let left = minutes, round;
    do {
      round = 0;
      for (const topic of shuffled(topics, next)) {
        const cost = extra.minutes || topic.minutes, start = Math.floor(next() * seeds);
        if (cost > left) continue;
        const seed = [...Array(seeds).keys()].map((k) => (start + k) % seeds).find((k) => !used.has(`${topic.topic} ${k}`));
        if (seed === undefined) continue;
        used.add(`${topic.topic} ${seed}`);
        taken.push({ kind: "drill", topic: topic.topic, seed, marks: topic.marks, minutes: topic.minutes, penalty: 0, ...extra });
        left -= cost;
        round += 1;
      }
    } while (round && left > 0);
    return taken;
  };

  const takeQuestions = (items, minutes) => {
    let left = minutes;
    return items.filter((item) => item.minutes <= left && ((left -= item.minutes), true));
  };

  const question = (kind, pieces, marks, minutes, penalty = 0) =>
    ({ kind, stem: pieces[0].stem, numbers: pieces.map((piece) => piece.number), marks, minutes, penalty });

  // Statements of a chapter in threes: "which of them are true?"
  const statements = (pool, next) => {
    const by = new Map();
    for (const piece of shuffled(pool.filter((one) => one.kind === "true-false"), next)) by.set(piece.stem, [...(by.get(piece.stem) || []), piece]);
    return [...by.values()].flatMap((list) => {
      const groups = [];
      for (let at = 0; at + 3 <= list.length; at += 3) groups.push(question("statements", list.slice(at, at + 3), 3, 3));
      return groups;
    });
  };

  const single = (pool, next, wanted, marks, penalty) =>
    shuffled(pool.filter((piece) => wanted.includes(piece.kind)), next).map((piece) => {
      const choice = piece.kind === "choice";
      return question("one", [piece], choice ? marks[0] : marks[1], choice ? 2 : 1.5, penalty);
    });

  const COMPOSE = {
    mixed: ({ topics, pool, minutes, seeds, next }) => {
      const short = takeQuestions(single(pool, next, ["choice", "true-false"], [3, 2], 0), minutes / 4);
      return [...short, ...takeDrills(topics, minutes - spent(short), seeds, next)];
    },
    multiple: ({ pool, minutes, next }) => {
      const choices = pool.filter((piece) => piece.kind !== "true-false").map((piece) => question("all", [piece], 3, 3));
      return takeQuestions(shuffled([...choices, ...statements(pool, next)], next), minutes);
    },
    penalty: ({ pool, minutes, next }) =>
      takeQuestions(single(pool, next, ["choice", "true-false"], [3, 1], 1), minutes),
    steps: ({ topics, minutes, seeds, next }) => {
      const short = takeDrills(topics.filter((topic) => topic.fill), minutes * 0.3, seeds, next, { only: true, marks: 2, minutes: 4 });
      const long = topics.filter((topic) => topic.marks >= 10);
      return [...short, ...takeDrills(long.length ? long : topics, minutes - spent(short), seeds, next)];
    },
  };

  const spent = (items) => items.reduce((sum, item) => sum + item.minutes, 0);

  // The questions of a paper; the same choices and the same seed give the same paper. pool: questions of the chapters.
  const compose = ({ format, topics, pool, minutes, seed, seeds }) =>
    COMPOSE[format]({ topics, pool, minutes, seeds, next: random(seed) });

  // Marks for ticked options: all of it or nothing, and a wrong answer may cost.
  const ticked = (item, right, chosen) => {
    if (!chosen.length) return 0;
    const same = right.length === chosen.length && right.every((option) => chosen.includes(option));
    return same ? item.marks : -item.penalty;
  };

  // Time left, from the time of day at which it ends: a page that slept or was loaded again knows as well.
  const remaining = (end, now) => Math.max(0, end - now);
  const clockText = (milliseconds) => {
    const seconds = Math.ceil(milliseconds / 1000), hours = Math.floor(seconds / 3600);
    const pair = (value) => String(value).padStart(2, "0");
    return `${hours ? `${hours}:` : ""}${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`;
  };

  // What the mark sheet says: the sum, and what to repeat. results: {name, earned, marks} for each question.
  const sheet = (results) => {
    const earned = results.reduce((sum, one) => sum + one.earned, 0), marks = results.reduce((sum, one) => sum + one.marks, 0);
    const by = new Map();
    for (const one of results) {
      const old = by.get(one.name) || { name: one.name, earned: 0, marks: 0 };
      by.set(one.name, { ...old, earned: old.earned + one.earned, marks: old.marks + one.marks });
    }
    const weak = [...by.values()].filter((one) => one.earned < Trainer.GOOD * one.marks);
    return { earned, marks, repeat: weak.sort((a, b) => a.earned / a.marks - b.earned / b.marks).map((one) => one.name) };
  };

  Object.assign(Trainer, { FORMATS, MINUTE, compose, ticked, remaining, clockText, sheet });
})();
