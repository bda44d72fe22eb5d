// What comes back today and what is new: lists of items, without a page.
globalThis.bookToday = (() => {
  "use strict";
  const MINUTES = { card: 1.5, statement: 0.5, question: 1 }; // as the routes of the exam corners count; a drill has its own
  const NEW = 10; // a day, unless the reader says otherwise
  const { dayOf, due: dueIds, weak: isWeak, count } = bookProgress;

  // All there is, in the order of the book. chapters: of the trainer's index; labels: by chapter, from today.js.
  const catalogue = (chapters, labels) => chapters.flatMap(({ stem, topics }) => {
    const { cards, questions } = labels[stem] || { cards: [], questions: [] };
    const item = (kind, name, more) => ({ id: `${kind}:${name}`, kind, name, stem, minutes: MINUTES[kind], ...more });
    return [
      ...cards.map((label) => item("card", label)),
      ...questions.map(([label, judged], number) => item(judged ? "statement" : "question", label, { number })).filter(({ name }) => name),
      ...topics.map(({ topic, title, minutes }) => item("drill", topic, { title, minutes })),
    ];
  });

  // Of a list, what is back by a day: the longest overdue first.
  const due = (list, kept, today) => {
    const here = new Map(list.map((item) => [item.id, item]));
    return dueIds(kept, today).filter((id) => here.has(id)).map((id) => here.get(id));
  };
  const weak = (list, kept) => list.filter(({ id }) => kept[id] && isWeak(kept[id]));
  const unseen = (list, kept) => list.filter(({ id }) => !kept[id]);
  // How many are still new today, of so many a day.
  const left = (most, kept, today) =>
    Math.max(0, most - Object.values(kept).filter(({ answers }) => dayOf(answers[0][0]) === today).length);

  // Anything due or weak, in an order that mixes the chapters.
  const mixed = (list, kept, today, below) =>
    bookChance.shuffled([...new Set([...due(list, kept, today), ...weak(list, kept)])], below);

  const minutes = (list) => Math.ceil(list.reduce((sum, item) => sum + item.minutes, 0));
  const NAMES = { card: "card", statement: "statement", question: "question", drill: "drill" };
  const kinds = (list) => Object.entries(NAMES).map(([kind, name]) => [list.filter((item) => item.kind === kind).length, name])
    .filter(([number]) => number).map(([number, name]) => count(number, name)).join(", ");
  const told = (list) => `${kinds(list)}, about ${count(minutes(list), "minute")}`;
  const byChapter = (list) => [...new Set(list.map(({ stem }) => stem))].map((stem) => [stem, list.filter((item) => item.stem === stem)]);

  // The items of a session, one after the other: what was not known is asked again at the end, and is not counted twice.
  class Queue {
    constructor(list) {
      Object.assign(this, { waiting: [...list], done: 0, total: list.length, failed: new Set() });
    }

    get item() {
      return this.waiting[0];
    }

    get minutes() {
      return minutes(this.waiting);
    }

    // Whether this answer is the item's first in the session.
    answer(known) {
      const item = this.waiting.shift(), first = !this.failed.has(item);
      if (known || item.kind === "drill") this.done += 1;
      else {
        this.failed.add(item);
        this.waiting.push(item);
      }
      return first;
    }

    skip() {
      this.waiting.shift();
      this.total -= 1;
    }
  }

  return { MINUTES, NEW, catalogue, due, weak, unseen, left, mixed, minutes, told, byChapter, Queue };
})();
