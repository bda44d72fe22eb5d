// Chance that follows from a seed: the same in every browser, and in a terminal (notes_lib/drills/drawing.py).
globalThis.bookChance = (() => {
  "use strict";

  // mulberry32: each call with n gives the next number of 0, ..., n - 1
  const generator = (seed) => (n) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * n);
  };

  const shuffled = (things, below) => {
    const found = [...things];
    for (let k = found.length - 1; k > 0; k -= 1) {
      const other = below(k + 1);
      [found[k], found[other]] = [found[other], found[k]];
    }
    return found;
  };

  return { generator, shuffled };
})();
