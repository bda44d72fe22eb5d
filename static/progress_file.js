// Progress as a file: all that bookProgress keeps as one JSON, and how a file is read. It is taken whole or not at all.
//
//   {format, version: 2, saved: time, items: {id: entry}, marks: {label: time}, quiz: {label: {checked, right, at}},
//    notes: {name: {at, value}}}
globalThis.bookFile = (() => {
  "use strict";
  const { object, parsed, get, put, under, keys, items, keepItem, soundItem, soundNote, soundTopics, fromTopics } = bookProgress;
  const { OURS, MARK, NOTE, QUIZ } = bookProgress;
  const FORMAT = "machine-learning-derived progress", VERSION = 2;
  const FIRST = "machine-learning-derived trainer"; // version 1 held the topics of the trainer alone
  const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
  const UNCHANGED = ": nothing was changed.";

  const table = (names, value) => Object.fromEntries(names.map((name) => [name, value(name)]));
  const contents = (ask) => ({
    items: items(ask),
    marks: table(under(ask, MARK), (label) => Number(get(ask, MARK + label))),
    quiz: parsed(get(ask, QUIZ)),
    notes: table(under(ask, NOTE), (name) => parsed(get(ask, NOTE + name))),
  });
  const exported = (ask, now) => JSON.stringify({ format: FORMAT, version: VERSION, saved: now, ...contents(ask) }, null, 1);

  const time = (value) => Number.isSafeInteger(value) && value >= 0;
  const soundQuiz = (answer) => typeof object(answer).right === "boolean" && Array.isArray(answer.checked) &&
    answer.checked.every((id) => typeof id === "string") && (answer.at === undefined || time(answer.at));
  const SOUND = {
    items: soundItem,
    marks: (label, value) => NAME.test(label) && time(value),
    quiz: (label, value) => NAME.test(label) && soundQuiz(value),
    notes: (name, value) => NAME.test(name) && soundNote(value),
  };

  // The contents of a file, or a sentence that says why it is refused.
  const read = (text) => {
    let file;
    try {
      file = JSON.parse(text);
    } catch {
      return `This file is not JSON, or not all of it${UNCHANGED}`;
    }
    const { format, version } = object(file);
    if (format === FIRST && version === 1) {
      if (!soundTopics(file.topics)) return `This file is damaged: it holds a topic that cannot be read${UNCHANGED}`;
      return { items: fromTopics(file.topics), marks: {}, quiz: {}, notes: {} };
    }
    if (format !== FORMAT) return `This file holds no progress of this book${UNCHANGED}`;
    if (!(version <= VERSION)) return `This file is of a later version of this book; read it there${UNCHANGED}`;
    if (version !== VERSION || !time(file.saved)) return `This file is damaged: it does not say when it was saved, or its version${UNCHANGED}`;
    for (const [part, sound] of Object.entries(SOUND)) {
      if (object(file[part]) !== file[part]) return `This file is damaged: its part “${part}” is missing${UNCHANGED}`;
      const bad = Object.keys(file[part]).find((name) => !sound(name, file[part][name]));
      if (bad !== undefined) return `This file is damaged: its entry “${bad.slice(0, 80)}” cannot be read${UNCHANGED}`;
    }
    return file;
  };

  // Unite a file with what is kept, entry by entry. Returns {told, stored}: what to say, and whether all was stored.
  const imported = (ask, text) => {
    const file = read(text);
    if (typeof file === "string") return { told: file, stored: true };
    const own = contents(ask), results = [];
    const later = (one, other) => !one || (one.at || 0) < (other.at || 0);
    for (const [id, entry] of Object.entries(file.items)) {
      results.push(keepItem(ask, id, entry));
      if (globalThis.FSRS && own.items[id]) results.push(bookMemory.settle(ask, id));
    }
    for (const [label, at] of Object.entries(file.marks)) {
      if (!(own.marks[label] >= at)) results.push(put(ask, MARK + label, String(at)));
    }
    for (const [name, entry] of Object.entries(file.notes)) {
      if (later(own.notes[name], entry)) results.push(put(ask, NOTE + name, JSON.stringify(entry)));
    }
    const quiz = Object.entries(file.quiz).filter(([label, answer]) => later(own.quiz[label], answer));
    if (quiz.length) results.push(put(ask, QUIZ, JSON.stringify({ ...own.quiz, ...Object.fromEntries(quiz) })));
    const count = Object.keys(file.items).length, fresh = Object.keys(file.items).filter((id) => !own.items[id]).length;
    return { told: `Progress was read: ${bookProgress.count(count, "item")}, ${fresh} of them new here.`, stored: results.every(Boolean) };
  };

  // Forget everything but a paper under way, whose answers stand on the page.
  const clear = (ask) => keys(ask).filter((key) => key === QUIZ || (key.startsWith(OURS) && !/^paper(\.|$)/.test(key.slice(OURS.length))))
    .forEach((key) => put(ask, key, null));

  return { exported, imported, clear, read };
})();
