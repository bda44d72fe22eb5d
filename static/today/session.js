// One thing after the other: a card with four answers, a statement, a question, a drill.
(() => {
  "use strict";
  const { element, button } = Trainer;
  const { browser, count, rating: ratingOf } = bookProgress;
  const ANSWERS = ["Again", "Hard", "Good", "Easy"];
  const SLOWEST = 3; // times its minutes: who takes longer has left the page open

  // A card: its title, and behind it the rest.
  class Card {
    constructor(item, chapter, data, said) {
      const [, second, title, body] = data.cards.find(([label]) => label === item.name);
      const inside = (html) => Trainer.moved(element("div", { html: Trainer.expand(html, data.table) }), chapter.page);
      this.item = item;
      this.said = said;
      this.answer = element("div", { class: "today-answer", tabindex: "-1", hidden: true }, inside(body));
      this.grades = element("div", { class: "trainer-buttons today-grades", role: "group", "aria-label": "How well did you know it?", hidden: true });
      this.element = element("div", { class: "today-card" },
        element("p", { class: "today-kind" }, second ? "Do you recognise it?" : "Can you write it down?"),
        Object.assign(inside(title), { className: "today-title" }), this.answer, this.grades);
      this.main = "Show";
    }

    press() {
      const days = bookMemory.preview(browser, this.item.id, Date.now());
      this.answer.hidden = this.grades.hidden = false;
      this.grades.append(...ANSWERS.map((name, k) => {
        const made = button(`${k + 1} ${name}`, () => this.over({ rating: k + 1 }));
        made.append(element("span", { class: "today-when" }, days[k] > 1 ? `in ${count(days[k], "day")}` : "tomorrow"));
        return made;
      }));
      this.main = "";
      this.said("Compare, then say how well you knew it: 1 to 4.");
      this.answer.focus();
    }
  }

  // A statement or a question of a chapter: a choice closes it, of several boxes the button does.
  class Asked {
    constructor(item, chapter, data, said) {
      const [kind, options] = data.items[item.number], several = kind === "multiple";
      const order = [...Array(options).keys()];
      this.said = said;
      this.view = new Trainer.Question({ kind: several ? "all" : "one", numbers: [item.number], order, marks: 1, penalty: 0 }, data, chapter.page, "today");
      this.element = this.view.element;
      this.inputs = this.view.view.inputs;
      this.main = several ? "Check" : "";
      if (!several) this.inputs.forEach((input) => input.addEventListener("change", () => this.press()));
    }

    press() {
      if (this.closed) return;
      if (!this.view.chosen.length) {
        this.said("Tick at least one box.");
        return;
      }
      this.closed = true;
      this.view.handIn();
      const right = this.view.earned > 0;
      this.view.status.textContent = "";
      this.main = "Next";
      this.said(right ? "Right." : `Not right. ${this.why()}`.trim());
      this.over({ share: Number(right), stay: true });
    }

    why() {
      const right = this.inputs.filter((input) => this.view.view.rightOf(input)).map((input) => input.parentElement.querySelector(".quiz-letter"));
      return right.every(Boolean) ? `Right: ${right.map((letter) => letter.textContent).join(", ")}.` : "";
    }
  }

  // A drill of new numbers, as in the trainer.
  class Drill {
    constructor(item, chapter, data) {
      const drill = Trainer.drill(data, Math.floor(Math.random() * data.exercises.length));
      this.exercise = new Trainer.Exercise(drill, "drill", { over: (share) => { this.main = "Next"; this.over({ share, stay: true }); } });
      this.element = element("div", {}, element("p", { class: "today-kind" }, `${drill.title}: ${Trainer.worth(drill.marks)}, ${drill.minutes} minutes`), this.exercise.element);
      this.main = "";
    }

    leave() {
      this.exercise.leave();
    }
  }

  const VIEWS = { card: Card, statement: Asked, question: Asked, drill: Drill };
  const scriptOf = ({ kind, name, stem }) => (kind === "drill" ? name : `${kind === "card" ? "cards" : "questions"}-${stem}`);

  class Session {
    // chapters: by stem, with what the address of a script ends with; record: keeps an answer; end: called when all is done.
    constructor(list, chapters, { record, end }) {
      Object.assign(this, { queue: new bookToday.Queue(list), chapters, record, end, again: 0, began: Date.now() });
      this.progress = element("p", { class: "today-progress", role: "status" });
      this.title = element("h2", { class: "today-heading", tabindex: "-1" });
      this.told = element("p", { class: "trainer-status", role: "status" });
      this.place = element("div", { class: "today-place" });
      this.mainButton = button("", () => this.press(), "trainer-main");
      this.skipButton = button("Skip", () => this.leave(true));
      this.element = element("div", { class: "today-session" }, this.progress, this.title, this.place, this.told,
        element("div", { class: "trainer-buttons" }, this.mainButton, this.skipButton, button("Stop here", () => this.stop())),
        element("p", { class: "today-keys" }, "Keys: space goes on, 1 to 4 answer."));
      this.onKey = (event) => this.key(event);
      document.addEventListener("keydown", this.onKey);
    }

    said(sentence) {
      this.told.textContent = sentence;
    }

    async next() {
      const { item } = this.queue;
      if (!item) return this.stop();
      const chapter = this.chapters.get(item.stem);
      try {
        const data = await Trainer.load(scriptOf(item), chapter.versions[item.kind === "drill" ? item.name : "items"]);
        this.view = new VIEWS[item.kind](item, chapter, data, (sentence) => this.said(sentence));
      } catch (error) {
        this.said(error.message);
        this.queue.skip();
        return this.next();
      }
      this.answered = false;
      this.start = Date.now();
      this.view.over = (answer) => this.over(answer);
      this.said("");
      this.title.textContent = chapter.title;
      this.place.replaceChildren(this.view.element);
      Trainer.watchWide(this.place);
      this.tell();
      this.buttons();
      this.title.focus();
    }

    tell() {
      const { done, total, minutes } = this.queue;
      this.progress.textContent = `${done} of ${total} done, about ${count(minutes, "minute")} left.`;
    }

    buttons() {
      this.mainButton.textContent = this.view.main;
      this.mainButton.hidden = !this.view.main;
      this.skipButton.hidden = this.answered;
    }

    press() {
      if (this.answered) return this.leave(false);
      this.view.press();
      this.buttons();
    }

    // An answer; stay: the page shows first how it went.
    over({ stay = false, ...answer }) {
      if (this.answered) return;
      this.answered = true;
      const { item } = this.queue, seconds = Math.min((Date.now() - this.start) / 1000, 60 * SLOWEST * item.minutes);
      const known = (answer.rating || ratingOf(answer.share)) > bookProgress.AGAIN;
      if (this.queue.answer(known)) {
        this.again += Number(!known);
        this.record(item, { ...answer, seconds });
      }
      if (!stay) return this.next();
      this.buttons();
      this.tell();
      if (document.activeElement === document.body || this.place.contains(document.activeElement)) this.mainButton.focus();
    }

    // A drill whose solution was looked at counts, as in the trainer.
    leave(skipped) {
      if (skipped && this.view.leave) this.view.leave();
      if (skipped && !this.answered) this.queue.skip();
      this.next();
    }

    stop() {
      document.removeEventListener("keydown", this.onKey);
      this.end({ done: this.queue.done, again: this.again, minutes: Math.max(1, Math.round((Date.now() - this.began) / 60000)) });
    }

    // Space goes on, a digit answers; both only where they do not mean anything else.
    key(event) {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
      if (key === " " && !target.closest("button, summary, a, input") && !this.mainButton.hidden) {
        event.preventDefault();
        this.press();
      } else if (/^[1-9]$/.test(key) && !this.answered) {
        const grades = this.view.grades ? [...this.view.grades.children] : this.view.inputs || [];
        const chosen = grades[key - 1];
        if (!chosen) return;
        event.preventDefault();
        chosen.click();
      }
    }
  }

  Object.assign(bookToday, { Session });
})();
