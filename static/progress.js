// What a reader has done, as the browser keeps it: every page reads and writes it here.
//
// Each thing is an entry of the browser's storage of its own, with the time (ms) at which it changed. A tab writes only
// what it has changed, united with what another tab has written meanwhile, and hears of the rest by `follow`.
//
//   machine-learning-derived.item.<id>    something that comes back: {at, due, memory, answers}
//     id        <kind>:<name>: card:<label>, statement:<label>, question:<label>, drill:<topic>, puzzle:<name>. A label is
//               the one that its box has in the chapter: it stays when the words change.
//     at        when the entry changed last
//     due       the day on which it comes back: a number as dayOf gives it
//     memory    {stability (days), difficulty (1 to 10)} of FSRS; null as long as nothing has computed it
//     answers   [[time, rating, seconds, share], ...], the oldest first; rating: 1 again, 2 hard, 3 good, 4 easy; seconds:
//               time spent, 0 if it is not known; share: of the marks of a drill or puzzle, else null
//   machine-learning-derived.mark.<label>  a card that is known, an exercise or mistake that is done: the time
//   machine-learning-derived.note.<name>   what a page wants kept, as its settings or a plan: {at, value}
//   book-quiz                              the boxes ticked in quizzes: {<label>: {checked, right, at}}
//
// ask: gives the browser's storage, `browser` on a page; already asking may be forbidden. What the storage does not take
// lasts as long as the page. Functions for other pages:
//
//   items(ask)                     {id: entry} of all that has been answered
//   due(items, today)              ids of what is back by that day, the longest overdue first
//   weak(entry)                    whether it went badly last time, or is hard to remember
//   spent(entry)                   seconds spent on it
//   bookMemory.record(ask, id, {rating or share, seconds}, now)   keep an answer and schedule the item (static/memory.js)
//   rating(share)                  the rating that a share of the marks stands for
//   note(ask, name), keepNote(ask, name, value, now)   what a page wants kept; it goes into the progress file as well
//   dayOf(time), follow(show), read(ask), mark(ask, label, on, now), kept in step with all tabs
globalThis.bookProgress = (() => {
  "use strict";
  const OURS = "machine-learning-derived.", QUIZ = "book-quiz";
  const ITEM = `${OURS}item.`, MARK = `${OURS}mark.`, NOTE = `${OURS}note.`, ASIDE = ".unreadable";
  const ID = /^(card|statement|question|drill|puzzle):[a-z0-9]+(-[a-z0-9]+)*$/;
  const GOOD = 0.8; // share of the marks from which a drill is right, as in the trainer
  const DAY = 24 * 60 * 60 * 1000;
  const AGAIN = 1, HARD = 2, RIGHT = 3;
  const DIFFICULT = 7; // of 1 to 10

  const object = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
  const readable = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  };
  const parsed = (text) => object(readable(text));

  // The number of a day, by the clock of the reader.
  const dayOf = (time) => Math.floor((time - new Date(time).getTimezoneOffset() * 60000) / DAY);

  // --- the storage, and what it does not take -----------------------------------------------------------------------------

  const browser = () => localStorage;
  const waiting = new WeakMap(); // for each ask: texts by key, null for what is removed
  const waits = (ask) => waiting.get(ask) || waiting.set(ask, new Map()).get(ask);

  const get = (ask, key) => {
    if (waits(ask).has(key)) return waits(ask).get(key);
    try {
      return ask().getItem(key);
    } catch {
      return null;
    }
  };
  // Whether it is stored; text null: remove.
  const put = (ask, key, text) => {
    try {
      if (text === null) ask().removeItem(key);
      else ask().setItem(key, text);
      waits(ask).delete(key);
      return true;
    } catch {
      waits(ask).set(key, text);
      return false;
    }
  };
  const keys = (ask) => {
    const found = new Set();
    try {
      const storage = ask();
      for (let k = 0; k < storage.length; k += 1) found.add(storage.key(k));
    } catch { /* there is what waits */ }
    waits(ask).forEach((text, key) => (text === null ? found.delete(key) : found.add(key)));
    return [...found];
  };
  const under = (ask, start) => keys(ask).filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));

  // --- what comes back ---------------------------------------------------------------------------------------------------

  const whole = (value) => Number.isSafeInteger(value) && value >= 0;
  const between = (value, least, most) => typeof value === "number" && value >= least && value <= most;
  const soundAnswer = (answer) => Array.isArray(answer) && answer.length === 4 && whole(answer[0]) &&
    whole(answer[1]) && between(answer[1], 1, 4) && between(answer[2], 0, Infinity) &&
    (answer[3] === null || between(answer[3], 0, 1));
  const soundMemory = (memory) => memory === null ||
    (between(object(memory).stability, 0, 1e6) && between(memory.difficulty, 0, 10));
  const soundItem = (id, entry) => ID.test(id) && whole(object(entry).at) && whole(entry.due) && soundMemory(entry.memory) &&
    Array.isArray(entry.answers) && entry.answers.length > 0 && entry.answers.every(soundAnswer);

  const asItem = (id, text) => {
    const entry = readable(text);
    return soundItem(id, entry) ? entry : null;
  };
  const item = (ask, id) => asItem(id, get(ask, ITEM + id));
  const items = (ask) => Object.fromEntries(under(ask, ITEM).map((id) => [id, item(ask, id)]).filter(([, entry]) => entry));

  const texts = (answers) => answers.map((answer) => JSON.stringify(answer));
  // Two records of an item: the state of the later one, and the answers of both.
  const unite = (one, other) => {
    if (!one || !other) return one || other;
    const later = one.at > other.at || (one.at === other.at && JSON.stringify(one) > JSON.stringify(other)) ? one : other;
    const answers = [...new Set([...texts(one.answers), ...texts(other.answers)])].map((text) => JSON.parse(text));
    answers.sort((a, b) => a[0] - b[0] || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return { at: later.at, due: later.due, memory: later.memory, answers };
  };

  // Keep an item beside what another tab has written; what cannot be read is set aside. Whether it was stored.
  const keepItem = (ask, id, entry) => {
    const text = get(ask, ITEM + id), old = asItem(id, text);
    if (text !== null && !old) put(ask, ITEM + id + ASIDE, text);
    return put(ask, ITEM + id, JSON.stringify(unite(old, entry)));
  };

  // The same answers, scheduled anew.
  const setItem = (ask, id, entry) => put(ask, ITEM + id, JSON.stringify(entry));

  const last = (entry) => entry.answers[entry.answers.length - 1];
  const spent = (entry) => entry.answers.reduce((sum, answer) => sum + answer[2], 0);
  const weak = (entry) => last(entry)[1] <= HARD || (entry.memory !== null && entry.memory.difficulty >= DIFFICULT);
  const due = (all, today) => Object.keys(all).filter((id) => all[id].due <= today)
    .sort((a, b) => all[a].due - all[b].due || (a < b ? -1 : 1));

  // Right or wrong is a share, too. Marks say no more than good: easy is for those who judge themselves.
  const rating = (share) => (share < 0.5 ? AGAIN : share < GOOD ? HARD : RIGHT);

  // --- what a page wants kept -----------------------------------------------------------------------------------------------

  const soundNote = (entry) => whole(object(entry).at) && "value" in entry;
  const note = (ask, name) => {
    const entry = readable(get(ask, NOTE + name));
    return soundNote(entry) ? entry.value : null;
  };
  const keepNote = (ask, name, value, now) => put(ask, NOTE + name, JSON.stringify({ at: now, value }));

  // --- what earlier versions of these pages kept ------------------------------------------------------------------------------

  const TRAINER = `${OURS}trainer`; // {version: 1, topics: {<topic>: {box, due, done, share}}, paper, draft}
  const INTERVALS = [1, 3, 7, 21]; // days after which a topic came back, by box
  const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
  const soundTopic = (entry) => whole(object(entry).box) && entry.box < INTERVALS.length && whole(entry.due) &&
    whole(entry.done) && between(entry.share, 0, 1);
  const soundTopics = (topics) => object(topics) === topics &&
    Object.entries(topics).every(([topic, entry]) => SLUG.test(topic) && soundTopic(entry));

  // A topic that has reached a box has been through those below it, in time.
  const fromTopic = ({ box, due: day, share: part }) => {
    const noon = (one) => Math.max(0, one) * DAY + DAY / 2 + new Date(one * DAY).getTimezoneOffset() * 60000;
    let then = day;
    const answers = INTERVALS.slice(0, box + 1).reverse().map((days, k) => {
      then -= days;
      return [noon(then), k ? RIGHT : rating(part), 0, k ? null : part];
    }).reverse();
    return { at: answers[box][0], due: day, memory: null, answers };
  };
  const fromTopics = (topics) => Object.fromEntries(Object.entries(topics).map(([topic, entry]) => [`drill:${topic}`, fromTopic(entry)]));

  const adoptTrainer = (ask, now) => {
    const text = get(ask, TRAINER), old = text && parsed(text);
    if (text === null) return;
    let stored = true;
    const keep = (key, value) => { if (get(ask, key) === null) stored = put(ask, key, value) && stored; };
    if (old.version !== 1 || !soundTopics(old.topics)) keep(TRAINER + ASIDE, text);
    else {
      for (const [id, entry] of Object.entries(fromTopics(old.topics))) stored = keepItem(ask, id, entry) && stored;
      if (old.paper) keep(`${OURS}paper`, JSON.stringify({ at: now, plan: old.paper }));
      if (old.draft) keep(`${OURS}draft.${old.draft.topic}.${old.draft.seed}`, JSON.stringify({ at: now, values: old.draft.values }));
    }
    if (stored) put(ask, TRAINER, null);
  };

  // Answers and marks that were there before they were scheduled come back over a week.
  const adoptAnswers = (ask, now) => {
    const old = ([, answer]) => typeof object(answer).right === "boolean" && answer.at === undefined;
    const kinds = Object.entries(parsed(get(ask, QUIZ))).filter(old)
      .map(([label, { right }]) => [`${label.includes("-tf-") ? "statement" : "question"}:${label}`, right ? RIGHT : AGAIN, now]);
    const cards = under(ask, MARK).filter((label) => label.includes("-must-know-"))
      .map((label) => [`card:${label}`, RIGHT, Number(get(ask, MARK + label))]);
    const fresh = [...kinds, ...cards].filter(([id]) => ID.test(id) && get(ask, ITEM + id) === null);
    fresh.forEach(([id, rated, at], k) => {
      const then = whole(at) ? at : now;
      keepItem(ask, id, { at: then, due: dayOf(now) + (rated === AGAIN ? 1 : 1 + (k % 7)), memory: null, answers: [[then, rated, 0, null]] });
    });
  };

  const adopt = (ask, now = Date.now()) => {
    adoptTrainer(ask, now);
    adoptAnswers(ask, now);
  };

  // --- all that is kept, for the pages that show it ----------------------------------------------------------------------------

  // topics: of each drill the share of its marks and the day on which it comes back.
  const read = (ask) => {
    adopt(ask);
    const found = items(ask), topics = {};
    for (const [id, entry] of Object.entries(found)) {
      if (id.startsWith("drill:")) topics[id.slice("drill:".length)] = { share: last(entry)[3], due: entry.due };
    }
    return { items: found, topics, quiz: parsed(get(ask, QUIZ)), marks: new Set(under(ask, MARK)) };
  };

  // Whether the mark was stored; its value is the time at which it was.
  const mark = (ask, label, on, now) => put(ask, MARK + label, on ? String(now) : null);

  // Whether a change in another tab, by its key, concerns what is shown here; no key: all was cleared.
  const concerns = (key) => key === null || key === QUIZ || [ITEM, MARK, NOTE].some((start) => key.startsWith(start) && !key.endsWith(ASIDE));

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

  // What of a chapter is due.
  const dueOf = (chapter, kept, today) => {
    const ids = [...chapter.cards.map((label) => `card:${label}`), ...chapter.drills.map(([topic]) => `drill:${topic}`),
      ...chapter.quiz.flatMap((label) => [`statement:${label}`, `question:${label}`])];
    return ids.filter((id) => kept.items[id] && kept.items[id].due <= today).length;
  };

  // How a chapter stands; sure: the share of its route, by minutes, that went well.
  const state = (chapter, kept, today, trainer) => {
    const all = entries(chapter, kept), sum = (value) => all.reduce((total, entry) => total + value(entry), 0);
    const whole = sum((entry) => entry.minutes), begun = all.some((entry) => entry.begun);
    const left = Math.ceil(sum((entry) => (entry.done ? 0 : entry.minutes)) - 1e-9);
    const worked = drills(kept, chapter.drills.map(([topic]) => topic)), asked = quiz(kept, chapter.quiz);
    const part = (labels, name) => (labels.length ? `${marked(kept, labels)} of ${count(labels.length, name)}` : "");
    const back = dueOf(chapter, kept, today);
    const facts = [
      back ? `${back} due` : "", part(chapter.cards, "card"), worked.total ? drilled(worked) : "", part(chapter.exercises.map(([label]) => label), "exercise"),
      asked.done ? score(asked) : "", left ? `${left} min left` : "nothing left",
    ].filter(Boolean);
    return { begun: begun || back > 0, whole, left, sure: whole ? sum((entry) => entry.minutes * entry.worth) / whole : 0, facts, next: next(chapter, kept, today, trainer) };
  };

  // How much is due on the page Today, which has no puzzles: they have pages of their own.
  const dueToday = (kept, now) => {
    const number = due(kept.items, dayOf(now)).filter((id) => !id.startsWith("puzzle:")).length;
    return number ? `Today: ${count(number, "thing")} due` : "Today: nothing due";
  };

  // The places of the chapters when the weakest come first: those that are begun, then the others, as they stand.
  const weakest = (states) => states.map((_, place) => place).sort((a, b) =>
    Number(states[b].begun) - Number(states[a].begun) || (states[a].begun ? states[a].sure - states[b].sure : 0) || a - b);

  // Show again what may have changed: in another tab, or while the page was left.
  const follow = (show) => {
    addEventListener("storage", ({ key }) => { if (concerns(key)) show(); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) show(); });
    show();
  };

  // Whether the browser keeps anything, and whether some of it could not be read.
  const works = (ask) => {
    try {
      ask().getItem(TRAINER);
      return true;
    } catch {
      return false;
    }
  };
  const unread = (ask) => keys(ask).some((key) => key.startsWith(OURS) && key.endsWith(ASIDE));

  return {
    browser, works, unread, items, item, keepItem, setItem, unite, due, weak, last, spent, rating, note, keepNote, read, mark, concerns,
    marked, count, line, state, dueToday, weakest, dayOf, follow, get, put, keys, under, object, parsed, soundItem, soundNote, soundTopics,
    fromTopics, GOOD, AGAIN, RIGHT, OURS, ITEM, MARK, NOTE, QUIZ,
  };
})();
