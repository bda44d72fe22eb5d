// The page of the trainer: choose a topic or a paper, and your progress.
(() => {
  "use strict";
  const { element, worth, button, labelled, watchWide } = Trainer;

  class Page {
    constructor(host, index) {
      Object.assign(this, { host, index, exercise: null, paper: null });
      this.notice = element("p", { class: "trainer-notice", role: "status" });
      this.lasting = element("p", { class: "trainer-lasting", role: "status" });
      this.store = new Trainer.Store(bookProgress.browser, Date.now, (sentence) => { this.lasting.textContent = sentence; });
      this.place = element("div", { class: "trainer-place" });
      this.head = element("p", { class: "trainer-title", tabindex: "-1" });
      this.more = element("div", { class: "trainer-buttons" },
        button("Another one", () => this.another()), button("The same again", () => this.again()));
      this.single = element("div", {}, this.chooser(), this.head, this.place, this.more);
      this.paperPlace = element("div");
      this.parts = [this.lasting, this.notice, this.single, this.paperPlace, this.paperForm(),
        Trainer.progress(this.store, (sentence) => this.say(sentence), () => this.listDue())];
      this.listTopics();
    }

    // Everything at once, with its exercise: nothing that one has begun to read moves.
    show() {
      this.host.replaceChildren(...this.parts);
      watchWide(this.host);
    }

    // --- one exercise ---

    chooser() {
      this.filter = element("input", { type: "search", id: "trainer-filter", autocomplete: "off" });
      this.topics = element("select", { id: "trainer-topic" });
      this.seedBox = element("input", { type: "number", id: "trainer-seed", min: 0, max: this.index.seeds - 1, step: 1, inputmode: "numeric" });
      this.filter.addEventListener("input", () => this.listTopics());
      this.filter.addEventListener("keydown", ({ key }) => { if (key === "Enter" && this.found.length) this.go(this.found[0], 0); });
      this.topics.addEventListener("change", () => this.topics.value && this.go(this.topics.value, 0));
      this.seedBox.addEventListener("change", () => this.go(this.topic, Number(this.seedBox.value)));
      this.dueLine = element("p", { class: "trainer-due" });
      return element("div", {}, element("div", { class: "trainer-cells trainer-chooser" }, labelled("Find a topic", this.filter), labelled("Topic", this.topics), labelled("Seed", this.seedBox)), this.dueLine);
    }

    listTopics() {
      const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const groups = this.index.chapters.map((chapter) => {
        const fitting = chapter.topics.filter(({ topic, title }) => words.every((word) => `${topic} ${title} ${chapter.title} ${chapter.part}`.toLowerCase().includes(word)));
        const group = element("optgroup", { label: `${chapter.part}: ${chapter.title}` });
        group.append(...fitting.map(({ topic, title, minutes }) => element("option", { value: topic }, `${title} (${minutes} min)`)));
        return group;
      }).filter((group) => group.children.length);
      this.found = groups.flatMap((group) => [...group.children].map((option) => option.value));
      const own = this.found.includes(this.topic), number = Trainer.count(this.found.length, "topic");
      const told = { 0: "no such topic", 1: "1 topic: Enter opens it" }[this.found.length] || `${number}: choose one, or Enter for the first`;
      this.topics.replaceChildren(...(own ? [] : [element("option", { value: "" }, told)]), ...groups);
      this.topics.value = own ? this.topic : "";
    }

    listDue() {
      const due = this.store.due().filter((topic) => this.find(topic));
      this.dueLine.replaceChildren(due.length ? "Back today: " : "");
      due.slice(0, 6).forEach((topic, k) => this.dueLine.append(k ? ", " : "", element("a", { href: `#topic=${topic}` }, this.find(topic).title)));
    }

    get all() {
      return this.index.chapters.flatMap((chapter) => chapter.topics);
    }

    find(topic) {
      return this.all.find((one) => one.topic === topic);
    }

    // The address names the exercise, so that it can be kept and sent.
    go(topic, seed) {
      const hash = Trainer.hashOf(topic, seed);
      if (location.hash === hash) this.fromAddress();
      else location.hash = hash;
    }

    // Whatever it asks for, the address ends up naming the exercise that the page shows.
    fromAddress(move = true) {
      const asked = new URLSearchParams(location.hash.slice(1)), name = asked.get("topic");
      if (!name) return this.topic ? undefined : this.open(this.all[0].topic, 0, false);
      const place = Trainer.placeOf(name, asked.get("seed"), this.all, this.index.seeds);
      if (!place.missing) return this.open(place.topic, place.seed, move);
      if (!this.topic) return this.open(place.topic, place.seed, move, `${place.missing} This is the nearest.`);
      this.nameShown();
      this.say(`${place.missing} The nearest: `, element("a", { href: Trainer.hashOf(place.topic, place.seed) }, `${this.find(place.topic).title}, seed ${place.seed}`));
    }

    nameShown() {
      this.seedBox.value = this.seed;
      this.listTopics();
      if (new URLSearchParams(location.hash.slice(1)).has("topic")) history.replaceState(null, "", Trainer.hashOf(this.topic, this.seed));
    }

    async open(topic, seed, move = true, said = "") {
      const turn = this.turn = (this.turn || 0) + 1;
      let data;
      try {
        data = await Trainer.load(topic, this.find(topic).version);
      } catch (error) {
        if (turn !== this.turn) return;
        if (this.topic) this.nameShown();
        return this.say(error.message);
      }
      if (turn !== this.turn) return; // another one was asked for meanwhile
      if (this.exercise) this.exercise.leave();
      Object.assign(this, { topic, seed });
      this.tellPaper(said);
      const drill = Trainer.drill(data, seed);
      const began = Date.now();
      this.exercise = new Trainer.Exercise(drill, "drill", { over: (share) => this.record(drill, share, began) });
      this.exercise.form.addEventListener("input", () => this.store.keepDraft(topic, seed, this.exercise.values));
      this.exercise.values = this.store.draft(topic, seed) || [];
      this.place.replaceChildren(this.exercise.element);
      this.head.textContent = `${drill.title}, seed ${seed}: ${worth(drill.marks)}, ${drill.minutes} minutes`;
      this.nameShown();
      this.listDue();
      watchWide(this.host);
      if (move) this.head.focus();
    }

    record({ topic, seed, minutes }, share, began) {
      this.store.keepDraft(topic, seed, null);
      this.store.record(topic, share, { began, minutes });
      this.listDue();
    }

    // Whoever follows a link to a topic sees why it is not there.
    tellPaper(otherwise = "") {
      const asked = this.paper && new URLSearchParams(location.hash.slice(1)).has("topic");
      this.say(asked ? "A paper is under way: leave it, at its end, to practise a topic." : otherwise);
    }

    // What could not be loaded at first is asked for anew.
    another() {
      if (!this.topic) return this.fromAddress();
      this.go(this.topic, (this.seed + 1 + Math.floor(Math.random() * (this.index.seeds - 1))) % this.index.seeds);
    }

    again() {
      if (!this.topic) return this.fromAddress();
      this.store.keepDraft(this.topic, this.seed, null);
      this.open(this.topic, this.seed);
    }

    say(...sentence) {
      this.notice.replaceChildren(...sentence);
    }

    // --- a paper ---

    paperForm() {
      const number = (id, value, extra) => element("input", { type: "number", id, value, inputmode: "numeric", required: true, ...extra });
      this.minutes = number("paper-minutes", 60, { min: 10, max: 300, step: 1 });
      this.paperSeed = number("paper-seed", 1, { min: 0, max: 999999, step: 1 });
      this.format = element("select", { id: "paper-format" }, ...Object.entries(Trainer.FORMATS).map(([value, text]) => element("option", { value }, text)));
      this.topicChoice = new Trainer.TopicChoice(this.index.chapters);
      this.form = element("form", { class: "trainer-paper-form" },
        element("div", { class: "trainer-cells" }, labelled("Minutes", this.minutes), labelled("Format", this.format), labelled("Seed of the paper", this.paperSeed)),
        element("div", { class: "trainer-buttons trainer-begin" }, element("button", { type: "submit", class: "trainer-main" }, "Begin the paper"), ...this.topicChoice.buttons),
        this.topicChoice.element);
      this.form.addEventListener("submit", (event) => { event.preventDefault(); this.begin(); });
      this.paperDetails = element("details", { class: "trainer-fold", id: "paper" }, element("summary", {}, "A paper against the clock"), this.form);
      return this.paperDetails;
    }

    async begin() {
      const open = this.store.paper;
      if (open && !open.handedIn) {
        await this.goOn(open);
        return this.say("This paper is under way in another tab, too: it goes on here.");
      }
      const topics = this.topicChoice.topics, chapters = this.topicChoice.chapters;
      try {
        const data = await Promise.all(chapters.map((chapter) => chapter.questions ? Trainer.load(`questions-${chapter.stem}`, chapter.version) : { items: [] }));
        const pool = chapters.flatMap((chapter, k) => Trainer.poolOf(chapter, data[k]));
        const minutes = Number(this.minutes.value), seed = Number(this.paperSeed.value), format = this.format.value;
        const items = Trainer.compose({ format, topics, pool, minutes, seed, seeds: this.index.seeds });
        if (!items.length) return this.topicChoice.say("There is no question that fits: choose more topics or more minutes.");
        const plan = { rules: Trainer.RULES, items, minutes, seed, format, end: Date.now() + minutes * Trainer.MINUTE, values: [], handedIn: 0 };
        this.store.keepPaper(plan);
        history.replaceState(null, "", "#paper");
        await this.openPaper(plan);
        this.paper.title.focus();
      } catch (error) {
        this.topicChoice.say(error.message);
      }
    }

    // A paper under way when the page was left.
    async goOn(plan) {
      if (plan.rules === Trainer.RULES) return this.openPaper(plan).catch((error) => this.say(error.message));
      this.store.keepPaper(null);
      this.say("The paper that was under way was set by an earlier version of this page, which chose questions in another way. It is closed.");
    }

    async openPaper(plan) {
      const paper = new Trainer.Paper(plan, this.index, this.store, { onEnd: () => this.closePaper() });
      await paper.open();
      this.paper = paper;
      this.paperPlace.replaceChildren(paper.element);
      this.tellPaper();
      this.single.hidden = true;
      this.paperDetails.hidden = true;
      watchWide(this.host);
    }

    // Another tab has stored something.
    hear(key) {
      if (key === null || !key.startsWith(Trainer.PAPER)) return;
      const plan = this.store.paper;
      if (this.paper) this.paper.hear(plan);
      else if (plan && !plan.handedIn) this.say("A paper is under way in another tab.");
    }

    closePaper() {
      if (!this.paper.plan.handedIn && !confirm("Leave this paper without handing it in? Its answers are lost.")) return;
      this.paper.stop();
      this.paper = null;
      this.tellPaper();
      this.store.keepPaper(null);
      this.paperPlace.replaceChildren();
      this.single.hidden = false;
      this.paperDetails.hidden = false;
      this.listDue();
      this.head.focus();
    }
  }

  const start = async () => {
    const host = document.querySelector(".trainer");
    if (!host) return;
    let index;
    try {
      index = await Trainer.load("index");
    } catch {
      return; // the exercise that stands on the page stays
    }
    const page = new Page(host, index);
    addEventListener("hashchange", () => page.fromAddress());
    addEventListener("storage", ({ key }) => page.hear(key));
    bookProgress.follow(() => page.listDue());
    await page.fromAddress(false);
    if (page.store.paper) await page.goOn(page.store.paper);
    page.show();
    if (location.hash === "#paper") page.paperDetails.open = true;
    host.dataset.ready = "";
  };

  Trainer.start = start;
  if (typeof document !== "undefined") start();
})();
