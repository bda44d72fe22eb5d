// What a reader has done, read from where the browser keeps it: drills (trainer), questions (quiz), and the marks "known"
// and "done" of the hubs, which are set here. Each mark is an entry of its own, so no tab overwrites another's.
globalThis.bookProgress = (() => {
  "use strict";
  const TRAINER = "machine-learning-derived.trainer", QUIZ = "book-quiz", MARK = "machine-learning-derived.mark.";
  const GOOD = 0.8; // share of the marks from which a drill is right, as in the trainer
  const DAY = 24 * 60 * 60 * 1000;

  const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
  const parsed = (text) => {
    try {
      return object(JSON.parse(text));
    } catch {
      return {};
    }
  };
  const names = (storage) => Array.from({ length: storage.length }, (_, k) => storage.key(k));

  // ask: gives the browser's storage; already asking may be forbidden. Without storage nothing has been done.
  const read = (ask) => {
    try {
      const storage = ask();
      const labels = names(storage).filter((key) => key.startsWith(MARK)).map((key) => key.slice(MARK.length));
      return {
        topics: object(parsed(storage.getItem(TRAINER)).topics), quiz: parsed(storage.getItem(QUIZ)), marks: new Set(labels),
      };
    } catch {
      return { topics: {}, quiz: {}, marks: new Set() };
    }
  };

  // Whether the entry was stored; its value is the time at which it was.
  const mark = (ask, label, on, now) => {
    try {
      if (on) ask().setItem(MARK + label, String(now));
      else ask().removeItem(MARK + label);
      return true;
    } catch {
      return false;
    }
  };

  // Whether a change in another tab, by its key, concerns what is shown here; no key: all was cleared.
  const concerns = (key) => key === null || key === TRAINER || key === QUIZ || key.startsWith(MARK);

  const share = (kept, topic) => {
    const entry = object(kept.topics[topic]);
    return typeof entry.share === "number" ? entry.share : null;
  };
  const drills = (kept, topics) => {
    const shares = topics.map((topic) => share(kept, topic)).filter((value) => value !== null);
    return { done: shares.length, right: shares.filter((value) => value >= GOOD).length, total: topics.length };
  };
  const quiz = (kept, ids) => {
    const answers = ids.map((id) => kept.quiz[id]).filter((answer) => typeof object(answer).right === "boolean");
    return { done: answers.length, right: answers.filter((answer) => answer.right).length, total: ids.length };
  };
  const marked = (kept, labels) => labels.filter((label) => kept.marks.has(label)).length;

  const count = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;
  const score = ({ done, right, total }) => `quiz ${Math.round((100 * right) / done)} %${done < total ? " so far" : ""}`;
  const drilled = ({ right, total }) => `${right} of ${count(total, "drill")} right`;

  // One line for a chapter of the gallery; "" when nothing of it has been done.
  const line = (kept, topics, ids) => {
    const worked = drills(kept, topics), asked = quiz(kept, ids);
    return [worked.done ? drilled(worked) : "", asked.done ? score(asked) : ""].filter(Boolean).join(", ");
  };

  // --- the route of a chapter -----------------------------------------------------------------------------------------

  // chapter: {hub, page, cards, mistakes, quiz: labels; drills: [topic, title, minutes]; exercises: [label, minutes];
  // minutes: those of all cards, of the quiz, and of all mistakes}. Every entry with what it takes and how well it went.
  const entries = (chapter, kept) => {
    const [cards, questions, mistakes] = chapter.minutes;
    const box = (labels, whole) => labels.map((label) => {
      const known = kept.marks.has(label);
      return { minutes: whole / labels.length, done: known, begun: known, worth: Number(known) };
    });
    return [
      ...box(chapter.cards, cards),
      ...chapter.drills.map(([topic, , minutes]) => {
        const value = share(kept, topic);
        return { minutes, done: value !== null && value >= GOOD, begun: value !== null, worth: value || 0 };
      }),
      ...chapter.exercises.flatMap(([label, minutes]) => box([label], minutes)),
      ...chapter.quiz.map((id) => {
        const { done, right } = quiz(kept, [id]);
        return { minutes: questions / chapter.quiz.length, done: done > 0, begun: done > 0, worth: right };
      }),
      ...box(chapter.mistakes, mistakes),
    ];
  };

  // What to do next: some words, the words that are a link, and its address.
  const next = (chapter, kept, today, trainer) => {
    const left = (labels) => labels.filter((label) => !kept.marks.has(label));
    const cards = left(chapter.cards), exercises = left(chapter.exercises.map(([label]) => label));
    const mistakes = left(chapter.mistakes), questions = chapter.quiz.filter((id) => !quiz(kept, [id]).done);
    const some = (left, all, name) => count(left.length, left.length < all.length ? `more ${name}` : name);
    const due = chapter.drills.filter(([topic]) => share(kept, topic) !== null && object(kept.topics[topic]).due <= today)
      .sort((a, b) => share(kept, a[0]) - share(kept, b[0]));
    const open = chapter.drills.filter(([topic]) => (share(kept, topic) ?? 0) < GOOD);
    const drill = (words, [topic, title]) => [words, title, `${trainer}#topic=${topic}`];
    if (trainer && due.length) return drill("Repeat", due[0]);
    if (cards.length) return ["Learn", some(cards, chapter.cards, "card"), `${chapter.hub}#hub-formulas`];
    if (trainer && open.length) return drill("Practise", open[0]);
    if (exercises.length) return ["Solve", some(exercises, chapter.exercises, "exercise"), `${chapter.page}#${exercises[0]}`];
    if (questions.length) return ["Answer", some(questions, chapter.quiz, "question"), `${chapter.page}#${questions[0]}`];
    if (mistakes.length) return ["Look through", some(mistakes, chapter.mistakes, "mistake"), `${chapter.hub}#hub-mistakes`];
    return trainer ? ["All done:", "set yourself a paper", `${trainer}#paper`] : ["All done:", "read it again", chapter.page];
  };

  // How a chapter stands; sure: the share of its route, by minutes, that went well.
  const state = (chapter, kept, today, trainer) => {
    const all = entries(chapter, kept), sum = (value) => all.reduce((total, entry) => total + value(entry), 0);
    const whole = sum((entry) => entry.minutes), begun = all.some((entry) => entry.begun);
    const left = Math.ceil(sum((entry) => (entry.done ? 0 : entry.minutes)) - 1e-9);
    const worked = drills(kept, chapter.drills.map(([topic]) => topic)), asked = quiz(kept, chapter.quiz);
    const part = (labels, name) => (labels.length ? `${marked(kept, labels)} of ${count(labels.length, name)}` : "");
    const facts = [
      part(chapter.cards, "card"), worked.total ? drilled(worked) : "", part(chapter.exercises.map(([label]) => label), "exercise"),
      asked.done ? score(asked) : "", left ? `${left} min left` : "nothing left",
    ].filter(Boolean);
    return { begun, whole, left, sure: whole ? sum((entry) => entry.minutes * entry.worth) / whole : 0, facts, next: next(chapter, kept, today, trainer) };
  };

  // The places of the chapters when the weakest come first: those that are begun, then the others, as they stand.
  const weakest = (states) => states.map((_, place) => place).sort((a, b) =>
    Number(states[b].begun) - Number(states[a].begun) || (states[a].begun ? states[a].sure - states[b].sure : 0) || a - b);

  // The number of a day, by the clock of the reader, as in the trainer.
  const dayOf = (time) => Math.floor((time - new Date(time).getTimezoneOffset() * 60000) / DAY);

  // Show again what may have changed: in another tab, or while the page was left.
  const follow = (show) => {
    addEventListener("storage", ({ key }) => { if (concerns(key)) show(); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) show(); });
    show();
  };

  return { read, mark, concerns, marked, count, line, state, weakest, dayOf, follow };
})();
