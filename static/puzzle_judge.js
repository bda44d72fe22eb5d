// The judge of the puzzles. Of a puzzle it knows {after, wrong, gaps} (see _ext/puzzles.py); its pieces are numbers: the
// right lines 0, 1, ... as the chapter has them, then the wrong ones.
globalThis.puzzleJudge = (() => {
  "use strict";

  // What is to be said of pieces in an order: the first that is wrong and why, or what is missing, or that it is right.
  const order = ({ after, wrong }, placed) => {
    const above = new Set();
    for (const [place, piece] of placed.entries()) {
      if (piece >= after.length) return { verdict: "wrong", place, piece, reason: wrong[piece - after.length][2] };
      const needs = after[piece].filter((line) => !above.has(line));
      if (needs.length) return { verdict: "early", place, piece, needs };
      above.add(piece);
    }
    const missing = [...after.keys()].filter((line) => !above.has(line));
    return missing.length ? { verdict: "missing", missing } : { verdict: "right" };
  };

  // All pieces in an order that follows from a seed, and that does not already stand as the derivation does.
  const shuffled = (puzzle, seed, { generator, shuffled: mix }) => {
    const right = puzzle.after.length, below = generator(seed);
    let pieces = [...Array(right + puzzle.wrong.length).keys()];
    for (let tries = 0; tries < 100; tries += 1) { // lines of which none uses another are in order whatever one does
      pieces = mix(pieces, below);
      if (order(puzzle, pieces.filter((piece) => piece < right)).verdict !== "right") break;
    }
    return pieces;
  };

  // What is to be said of each gap; an answer is the number of a choice, or null.
  const gaps = (puzzle, answers) => puzzle.gaps.map(([, , choices], gap) => {
    const answer = answers[gap];
    if (answer === null) return { verdict: "open" };
    const reason = choices[answer][1];
    return reason ? { verdict: "wrong", reason } : { verdict: "right" };
  });

  return { order, shuffled, gaps };
})();
