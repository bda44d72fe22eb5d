// A paper on the page: its questions, the clock, the mark sheet, and what is printed.
(() => {
  "use strict";
  const { element, count, worth, signed, remaining, clockText } = Trainer;

  // Which field a fill-in asks for, as Drill.fill_in of the library: a short one of part 1, or the first that is typed.
  const firstTyped = (drill) => {
    const first = drill.fields.findIndex(({ part, kind }) => part === 1 && ["number", "vector", "choice", "sequence"].includes(kind));
    return first >= 0 ? first : drill.fields.findIndex((field) => field.kind !== "own");
  };

  const isDrill = (item) => item.kind === "drill" || item.kind === "short";

  // What a marker may meet: the slips of the fields, with their values to four digits.
  const shown = (value) => Array.isArray(value)
    ? `(${value.map(shown).join(Array.isArray(value[0]) ? "; " : ", ")})` : typeof value === "number" ? String(Number(value.toPrecision(4))) : value;
  const wrongAnswers = (fields) => {
    const items = fields.flatMap((field) => (field.slips ?? []).map((slip) => element("li", {},
      element("span", { html: field.label }), `: ${shown(slip.value)}. `, element("span", { html: slip.says }))));
    return items.length ? [element("p", {}, element("strong", {}, "Common wrong answers")), element("ul", {}, ...items)] : [];
  };

  class Paper {
    // plan: {items, end, minutes, seed, format, values, handedIn}; index: all topics and chapters.
    constructor(plan, index, store, { onEnd, now = Date.now }) {
      Object.assign(this, { plan, index, store, onEnd, now, questions: [] });
      this.clock = element("span", { class: "trainer-clock" });
      this.hide = element("button", { type: "button", "aria-pressed": "false" }, "Hide the clock");
      this.alarm = element("p", { class: "trainer-status", role: "status" });
      this.sheet = element("div", { class: "trainer-sheet", tabindex: "-1" });
      this.list = element("div");
      this.title = element("h2", { tabindex: "-1" }, `Paper ${plan.seed}`);
      this.element = element("div", { class: "trainer-paper" }, this.title, this.facts(), this.bar(), this.sheet, this.list, this.footer());
      this.hide.addEventListener("click", () => {
        this.clock.hidden = !this.clock.hidden;
        this.hide.setAttribute("aria-pressed", String(this.clock.hidden));
        this.hide.textContent = this.clock.hidden ? "Show the clock" : "Hide the clock";
      });
    }

    facts() {
      const { items, minutes, format } = this.plan, marks = items.reduce((sum, item) => sum + item.marks, 0);
      const needed = items.reduce((sum, item) => sum + item.minutes, 0);
      const short = needed < 0.7 * minutes ? ` What you chose has questions for about ${Math.round(needed)} minutes only.` : "";
      const cost = items.some((item) => item.penalty) ? " A wrong answer costs 1 mark, an empty one nothing." : "";
      return element("p", {}, `${minutes} minutes, ${worth(marks)}, ${count(items.length, "question")}; ${Trainer.FORMATS[format]}.${cost}${short}`);
    }

    // Always in sight: that the time is up is told wherever one is, also when the clock is hidden.
    bar() {
      return element("div", { class: "trainer-bar" }, element("span", { class: "trainer-sr" }, "Time left: "), this.clock, " ", this.hide, this.alarm);
    }

    footer() {
      const button = (text, act, name = "") => {
        const made = element("button", { type: "button", class: name }, text);
        made.addEventListener("click", act);
        return made;
      };
      this.handInButton = button("Hand in", () => this.handIn(), "trainer-main");
      return element("div", { class: "trainer-buttons" }, this.handInButton,
        button("Print the paper", () => window.print()), button("Print the mark scheme", () => this.printScheme()),
        button("Leave this paper", () => this.onEnd()));
    }

    async open() {
      const chapters = new Map(this.index.chapters.map((chapter) => [chapter.stem, chapter]));
      const versions = new Map(this.index.chapters.flatMap((chapter) => chapter.topics.map((topic) => [topic.topic, topic.version])));
      for (const [n, item] of this.plan.items.entries()) {
        const id = `paper-${n}`;
        let part;
        if (isDrill(item)) {
          const drill = Trainer.drill(await Trainer.load(item.name, versions.get(item.name)), item.numbers[0]);
          part = new Trainer.Exercise(drill, id, { paper: true, only: item.kind === "short" ? firstTyped(drill) : null });
          if (item.kind === "short") part.form.prepend(element("p", {}, "Give only what is asked here:"));
        } else {
          const chapter = chapters.get(item.name);
          part = new Trainer.Question(item, await Trainer.load(`questions-${item.name}`, chapter.version), chapter.page, id);
        }
        part.name = isDrill(item) ? part.drill.title : chapters.get(item.name).title;
        this.questions.push(part);
        this.list.append(element("div", { class: "trainer-question" }, element("h3", {}, this.heading(n)), part.element));
      }
      this.questions.forEach((part, n) => { if (this.plan.values[n]) part.values = this.plan.values[n]; });
      this.plan.values = this.questions.map((part) => part.values); // what is empty now was not typed later
      this.list.addEventListener("input", () => this.keep());
      this.list.addEventListener("change", () => this.keep());
      if (this.plan.handedIn) this.showMarks(false);
      else this.tick();
      return this;
    }

    keep() {
      const values = this.questions.map((part) => part.values), old = this.plan.values, times = [...(this.plan.times || [])];
      values.forEach((value, n) => { if (JSON.stringify(value) !== JSON.stringify(old[n])) times[n] = this.now(); });
      this.follow(this.store.keepPaper({ ...this.plan, values, times }), values);
    }

    // Show what was typed elsewhere, where it is not what stands here.
    follow(plan, values = this.plan.values) {
      const shown = JSON.stringify;
      this.questions.forEach((part, n) => { if (plan.values[n] && shown(plan.values[n]) !== shown(values[n])) part.values = plan.values[n]; });
      this.plan = plan;
    }

    // The paper as another tab has stored it; null: it was left there, and goes on here.
    hear(plan) {
      if (!plan || plan.end !== this.plan.end || plan.seed !== this.plan.seed || this.plan.handedIn) return;
      this.follow(plan);
      if (plan.handedIn) this.showMarks(false);
    }

    tick() {
      if (this.plan.handedIn || this.stopped) return;
      const left = remaining(this.plan.end, this.now());
      this.clock.textContent = clockText(left);
      if (!left) this.alarm.textContent = "The time is up. Finish the line you are writing and hand in.";
      else setTimeout(() => this.tick(), Math.min(1000, left));
    }

    handIn() {
      this.plan.handedIn = this.now();
      this.keep();
      this.showMarks(true);
      this.sheet.focus();
    }

    showMarks(fresh) {
      this.handInButton.hidden = true;
      this.hide.hidden = true;
      this.clock.hidden = true;
      this.alarm.textContent = "";
      this.questions.forEach((part) => part.handIn(() => this.markSheet()));
      if (!fresh) this.questions.forEach((part) => part.own && part.own());
      else this.questions.forEach((part, n) => {
        const item = this.plan.items[n];
        if (item.kind === "drill") this.store.record(item.name, part.earned / part.marks);
      });
      this.markSheet();
    }

    markSheet() {
      const results = this.questions.map((part) => ({ name: part.name, earned: part.earned, marks: part.marks }));
      const { earned, marks, repeat } = Trainer.sheet(results);
      const row = (cells, tag = "td") => element("tr", {}, ...cells.map((cell) => element(tag, tag === "th" ? { scope: "col" } : {}, String(cell))));
      const table = element("table", { class: "table" }, element("thead", {}, row(["question", "topic", "marks", "of"], "th")),
        element("tbody", {}, ...results.map((one, n) => row([n + 1, one.name, signed(one.earned), one.marks])), row(["", "together", signed(earned), marks])));
      const own = this.questions.some((part) => part.ownBoxes && part.ownBoxes().length)
        ? " Reasons and derivations count when you have compared them with the solutions and said so." : "";
      const late = Math.floor((this.plan.handedIn - this.plan.end) / Trainer.MINUTE);
      this.sheet.replaceChildren(element("h3", {}, "Mark sheet"), element("p", {}, `${signed(earned)} of ${worth(marks)}.${late > 0 ? ` Handed in ${count(late, "minute")} late.` : ""}${own}`), table,
        element("p", {}, repeat.length ? `To repeat, the weakest first: ${repeat.join(", ")}.` : "Nothing to repeat."));
    }

    // The scheme is printed alone, and never on the screen, where it would tell the answers.
    printScheme() {
      const scheme = element("div", { class: "trainer-scheme" }, element("h2", {}, `Paper ${this.plan.seed}: mark scheme`), this.facts());
      this.questions.forEach((part, n) => scheme.append(element("h3", {}, this.heading(n)), ...this.schemeOf(part)));
      this.element.append(scheme);
      addEventListener("afterprint", () => scheme.remove(), { once: true });
      window.print();
    }

    schemeOf(part) {
      const holder = element("div", { html: part.drill ? part.drill.solution : "" });
      if (!part.drill) {
        const copy = part.element.cloneNode(true);
        copy.classList.replace("trainer-open", "trainer-closed");
        copy.querySelectorAll("input, .trainer-status").forEach((one) => one.remove());
        holder.append(copy);
      } else if (part.fields.length < part.drill.fields.length) {
        holder.prepend(element("p", { html: `${worth(part.marks)} for ${part.fields[0].label}; the other lines are not asked here.` }));
      }
      if (part.drill) holder.append(...Trainer.wrongAnswers(part.fields));
      holder.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
      return holder.childNodes;
    }

    heading(n) {
      return `${n + 1}. ${this.questions[n].name} (${worth(this.plan.items[n].marks)})`;
    }

    stop() {
      this.stopped = true;
    }
  }

  Object.assign(Trainer, { Paper, firstTyped, wrongAnswers });
})();
