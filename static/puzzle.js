// The derivations as puzzles: lines to put in order (by dragging, buttons or keys), and gaps to fill. The questions with
// their folded lines stay on the page; a puzzle stands in their place while one does it. puzzle_judge.js judges.
(() => {
  "use strict";
  const ask = () => localStorage;
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const button = (text, action, properties = {}) => {
    const made = element("button", { type: "button", textContent: text, ...properties });
    made.addEventListener("click", action);
    return made;
  };
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const seedOf = (text) => [...text].reduce((seed, letter) => (Math.imul(seed, 31) + letter.codePointAt(0)) | 0, 7);

  // --- what is kept: that a puzzle was done; without storage, as long as the page -----------------------------------
  const done = new Set();
  const isDone = (label) => done.has(label) || bookProgress.read(ask).marks.has(label);
  const keep = (label) => {
    done.add(label);
    bookProgress.mark(ask, label, true, Date.now());
  };

  // --- what both puzzles have ---------------------------------------------------------------------------------------
  const live = element("div", { className: "quiz-live" }); // read out, not shown
  live.setAttribute("aria-live", "polite");
  const announce = (text) => { live.textContent = text; };

  const verdictBox = () => {
    const box = element("div", { className: "puzzle-verdict" });
    box.setAttribute("role", "status");
    return box;
  };
  const tell = (box, state, ...content) => {
    box.dataset.state = state;
    box.replaceChildren(...content);
  };
  const markup = (text, tag = "span") => element(tag, { innerHTML: text });
  const question = (item) => {
    const made = markup(item.querySelector("p").innerHTML);
    if (made.firstChild.nodeType === Node.TEXT_NODE) made.firstChild.data = made.firstChild.data.trimStart();
    return made;
  };
  const rightLine = (item) => markup(item.querySelector(".derivation-line > .math").innerHTML, "div"); // boxed as wrong ones

  // --- lines in order -----------------------------------------------------------------------------------------------
  const HELP = "Take the lines that belong to the derivation and put each below the lines that it uses; some lines are wrong. " +
    "Drag them, or use the buttons. On the keyboard: up and down arrow go from line to line, Enter takes a line, " +
    "Shift with an arrow moves it, Delete puts it back.";

  const orderPuzzle = (puzzle, items, name, success) => {
    const right = items.length;
    const formulas = [...items.map(rightLine), ...puzzle.wrong.map(([, tex]) => markup(tex, "div"))];
    const verdict = verdictBox();
    const list = (title, className) => {
      const heading = element("p", { className: "puzzle-title", textContent: title, id: `${name}-${className}` });
      const made = element("ol", { className: `puzzle-list puzzle-${className}` });
      made.setAttribute("aria-labelledby", heading.id);
      return [made, element("div", {}, heading, made)];
    };
    const [pool, poolPart] = list("Lines", "pool");
    const [own, ownPart] = list("Your derivation", "own");
    const placed = () => [...own.children].map((line) => Number(line.dataset.piece));
    const letter = (line) => line.dataset.letter;
    let attempt = 0;

    const changed = () => {
      for (const line of [...own.children, ...pool.children]) delete line.dataset.fault;
      tell(verdict, "open");
      for (const made of [pool, own]) {
        [...made.children].forEach((line, place) => {
          for (const [action, shown] of [
            ["Take", made === pool], ["Up", made === own && place > 0],
            ["Down", made === own && place < made.children.length - 1], ["Remove", made === own],
          ]) line.querySelector(`[data-action="${action}"]`).hidden = !shown;
        });
      }
    };
    const standing = (line) => `Line ${letter(line)} is now number ${[...own.children].indexOf(line) + 1} of ${own.children.length} in your derivation.`;
    const act = {
      Take: (line) => own.append(line),
      Up: (line) => line.previousElementSibling?.before(line),
      Down: (line) => line.nextElementSibling?.after(line),
      Remove: (line) => pool.append(line),
    };
    const SIGNS = { Take: "Take", Up: "↑", Down: "↓", Remove: "✕" };
    const fits = { Take: pool, Up: own, Down: own, Remove: own };
    const run = (action, line, focus) => {
      if (line.parentElement !== fits[action]) return;
      const next = line.nextElementSibling || line.previousElementSibling;
      act[action](line);
      changed();
      announce(action === "Remove" ? `Line ${letter(line)} is back among the lines.` : standing(line));
      const stays = action === "Up" || action === "Down"; // else the hand or the keyboard goes on where it was
      focus(stays ? line : next || line);
    };

    const KEYS = { Enter: "Take", " ": "Take", Delete: "Remove", Backspace: "Remove" };
    const onKey = (event) => {
      const line = event.currentTarget;
      if (event.target !== line) return; // a button of the line, or a formula that scrolls
      const vertical = { ArrowUp: -1, ArrowDown: 1 }[event.key], moves = event.shiftKey || event.altKey;
      if (vertical && moves) run(vertical < 0 ? "Up" : "Down", line, (there) => there.focus());
      else if (vertical) (vertical < 0 ? line.previousElementSibling : line.nextElementSibling)?.focus();
      else if (event.key in KEYS && !event.ctrlKey && !event.metaKey) run(KEYS[event.key], line, (there) => there.focus());
      else return;
      event.preventDefault();
    };

    const line = (piece, place) => {
      const made = element("li", { className: "puzzle-line", tabIndex: 0 });
      Object.assign(made.dataset, { piece, letter: String.fromCharCode(65 + (place % 26)) + (place < 26 ? "" : Math.floor(place / 26)) });
      const mark = element("span", { className: "puzzle-letter", textContent: letter(made) });
      const buttons = Object.keys(act).map((action) => {
        const one = button(SIGNS[action], () => run(action, made, (there) => {
          const same = there.querySelector(`[data-action="${action}"]`);
          (same && !same.hidden ? same : there).focus();
        }), { className: "puzzle-small", title: action });
        one.dataset.action = action;
        one.setAttribute("aria-label", `${action} line ${letter(made)}`);
        return one;
      });
      made.append(mark, element("div", { className: "puzzle-formula" }, formulas[piece]), element("span", { className: "puzzle-actions" }, ...buttons));
      made.addEventListener("keydown", onKey);
      return made;
    };

    const start = () => {
      const pieces = puzzleJudge.shuffled(puzzle, seedOf(name) + attempt, bookChance);
      attempt += 1;
      own.replaceChildren();
      pool.replaceChildren(...pieces.map(line));
      changed();
    };

    const letters = (pieces) => pieces.map((piece) => letter(pool.parentElement.parentElement.querySelector(`[data-piece="${piece}"]`)));
    const check = () => {
      changed();
      const found = puzzleJudge.order(puzzle, placed()), at = own.children[found.place];
      if (at) at.dataset.fault = "";
      if (found.verdict === "right") {
        tell(verdict, "right", `Right: all ${count(right, "line")}, each below those that it uses.`);
        success();
      } else if (found.verdict === "missing") {
        const [first] = found.missing, begun = own.children.length ? "So far it is right." : "Nothing stands here yet.";
        const [are, which] = found.missing.length === 1 ? ["is", "It answers"] : ["are", "One of them answers"];
        tell(verdict, "open", `${begun} ${count(found.missing.length, "line")} ${are} missing. ${which}: “`, question(items[first]), "”");
      } else if (found.verdict === "early") {
        const names = letters(found.needs);
        tell(verdict, "wrong", `Line ${letter(at)} uses ${names.length > 1 ? "lines" : "line"} ${names.join(" and ")}, which ${names.length > 1 ? "do" : "does"} not stand above it.`);
      } else {
        tell(verdict, "wrong", `Line ${letter(at)} is wrong, because `, markup(found.reason));
      }
    };

    for (const made of [pool, own]) {
      Sortable.create(made, {
        group: name, animation: 120, filter: "button", preventOnFilter: false, delay: 150, delayOnTouchOnly: true, touchStartThreshold: 5,
        onEnd: ({ item, from, to, oldIndex, newIndex }) => {
          if (from === to && oldIndex === newIndex) return;
          changed();
          announce(item.parentElement === own ? standing(item) : `Line ${letter(item)} is back among the lines.`);
        },
      });
    }
    start();
    const wrong = puzzle.wrong.length;
    return [
      element("p", { className: "puzzle-help", textContent: `${count(right, "line")} and ${wrong} wrong ${wrong === 1 ? "one" : "ones"}. ${HELP}` }),
      element("div", { className: "puzzle-columns" }, poolPart, ownPart),
      element("p", { className: "puzzle-buttons" }, button("Check", check, { className: "puzzle-main" }), button("Shuffle again", start)),
      verdict,
    ];
  };

  // --- gaps ---------------------------------------------------------------------------------------------------------
  const gapPuzzle = (puzzle, items, name, success) => {
    const answers = puzzle.gaps.map(() => null), told = puzzle.gaps.map(verdictBox), verdict = verdictBox();
    const below = bookChance.generator(seedOf(name));
    const field = (gap) => {
      const [number, , choices] = puzzle.gaps[gap];
      const options = bookChance.shuffled([...choices.keys()], below).map((choice, place) => {
        const input = element("input", { type: "radio", name: `${name}-gap-${gap}`, autocomplete: "off" });
        input.addEventListener("change", () => {
          answers[gap] = choice;
          tell(told[gap], "open");
          tell(verdict, "open");
        });
        return element("label", { className: "puzzle-choice" }, input, `(${String.fromCharCode(97 + place)})`, markup(choices[choice][0]));
      });
      const legend = element("legend", { textContent: puzzle.gaps[gap][1] ? `What stands in the gap of line ${number + 1}?` : `Which is line ${number + 1}?` });
      return element("fieldset", { className: "puzzle-gap" }, legend, ...options);
    };
    const lines = items.map((item, number) => {
      const gap = puzzle.gaps.findIndex(([of]) => of === number);
      const asked = element("p", { className: "puzzle-question" }, question(item));
      if (gap < 0) return element("li", {}, asked, rightLine(item));
      const gapped = puzzle.gaps[gap][1];
      return element("li", {}, asked, ...(gapped ? [markup(gapped, "div")] : []), field(gap), told[gap]);
    });
    const check = () => {
      const found = puzzleJudge.gaps(puzzle, answers);
      found.forEach(({ verdict: state, reason }, gap) => {
        if (state === "open") tell(told[gap], "open", "Not answered.");
        else if (state === "right") tell(told[gap], "right", "Right.");
        else tell(told[gap], "wrong", "Wrong, because ", markup(reason));
      });
      const rights = found.filter(({ verdict: state }) => state === "right").length;
      tell(verdict, rights === found.length ? "right" : "open", `${rights} of ${count(found.length, "gap")} right.`);
      if (rights === found.length) success();
    };
    return [
      element("ol", { className: "puzzle-gaps" }, ...lines),
      element("p", { className: "puzzle-buttons" }, button("Check", check, { className: "puzzle-main" })),
      verdict,
    ];
  };

  // --- the buttons above a derivation -------------------------------------------------------------------------------
  const MODES = [["order", "Put the lines in order", orderPuzzle], ["gaps", "Fill the gaps", gapPuzzle]];

  const opened = (text, table) => Trainer.expand(text, table);
  const puzzleOf = ({ table, puzzles }, name) => ({
    after: puzzles[name].after,
    wrong: puzzles[name].wrong.map(([line, tex, reason]) => [line, opened(tex, table), opened(reason, table)]),
    gaps: puzzles[name].gaps.map(([line, gapped, choices]) => [line, opened(gapped, table), choices.map((texts) => texts.map((text) => opened(text, table)))]),
  });

  const offer = (derivation) => {
    const { puzzle: name, script, version } = derivation.dataset;
    const items = [...derivation.children];
    const place = element("div", { className: "puzzle", hidden: true });
    place.setAttribute("role", "group");
    const said = element("span", { className: "puzzle-done" });
    const buttons = new Map();
    let shown = "";

    const show = () => {
      for (const [mode, one] of buttons) {
        one.setAttribute("aria-pressed", String(shown === mode));
        one.classList.toggle("puzzle-solved", isDone(`${name}-${mode}`));
      }
      const solved = MODES.filter(([mode]) => isDone(`${name}-${mode}`)).map(([mode]) => ({ order: "put in order", gaps: "gaps filled" })[mode]);
      said.textContent = solved.length ? `Done: ${solved.join(", ")}` : "";
      place.hidden = !shown;
      derivation.hidden = Boolean(shown);
    };
    const close = () => {
      shown = "";
      place.replaceChildren();
      show();
    };
    const open = async (mode, title, build) => {
      if (shown === mode) return close();
      try {
        const puzzle = puzzleOf(await Trainer.load(script, version), name);
        const success = () => { keep(`${name}-${mode}`); show(); };
        shown = mode;
        place.setAttribute("aria-label", title);
        place.replaceChildren(...build(puzzle, items, name, success));
      } catch {
        shown = mode;
        place.replaceChildren(element("p", { textContent: "The puzzle could not be loaded; the derivation is here as before when you press the button again." }));
      }
      show();
      return undefined;
    };
    for (const [mode, title, build] of MODES) buttons.set(mode, button(title, () => open(mode, title, build)));
    derivation.before(element("p", { className: "puzzle-modes" }, ...buttons.values(), said), place);
    return show;
  };

  const derivations = [...document.querySelectorAll(".derivation-lines[data-puzzle]")];
  document.body.append(live);
  const shows = derivations.map(offer);
  bookProgress.follow(() => shows.forEach((show) => show()));
})();
