// Papers without a page: what is earned, and how much time is left.
(() => {
  "use strict";
  const MINUTE = 60 * 1000;

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

  Object.assign(Trainer, { MINUTE, ticked, remaining, clockText, sheet });
})();
