// The page Today: what is due by chapter, what is new, and the session that does it.
(() => {
  "use strict";
  const { element, button, labelled } = Trainer;
  const { browser, dayOf, note, keepNote, mark, count } = bookProgress;
  const { catalogue, due, mixed, unseen, left, told, byChapter, NEW } = bookToday;
  const SETTINGS = "today";
  const KINDS = { card: ["cards", "card"], asked: ["statements and questions", "statement or question"], drill: ["drills", "drill"] };
  const ofKind = (list, kind) => list.filter((item) => (kind === "asked" ? item.number !== undefined : item.kind === kind));

  class Page {
    constructor(host, index, labels) {
      this.host = host;
      this.chapters = new Map(index.chapters.map((chapter) => [chapter.stem, {
        ...chapter, versions: { items: (labels[chapter.stem] || {}).version || "", ...Object.fromEntries(chapter.topics.map(({ topic, version }) => [topic, version])) },
      }]));
      this.all = catalogue(index.chapters, labels);
      this.lasting = element("p", { class: "trainer-lasting", role: "status" });
      this.notice = element("p", { class: "trainer-notice", role: "status" });
      this.store = new Trainer.Store(browser, Date.now, (sentence) => { this.lasting.textContent = sentence; });
      this.read();
      this.overview = this.parts();
      this.place = element("div");
      host.replaceChildren(this.lasting, this.notice, this.overview, this.place);
      bookProgress.follow(() => { if (!this.session) this.show(); });
    }

    // settings: {fresh: new ones a day, kind: of what is new, out: chapters that are left out}
    read() {
      const kept = note(browser, SETTINGS) || {};
      this.settings = {
        fresh: Number.isInteger(kept.fresh) && kept.fresh >= 0 && kept.fresh <= 200 ? kept.fresh : NEW,
        kind: kept.kind in KINDS ? kept.kind : "card", out: Array.isArray(kept.out) ? kept.out : [],
      };
    }

    keep(change) {
      Object.assign(this.settings, change);
      this.store.done(keepNote(browser, SETTINGS, this.settings, Date.now()));
      this.show();
    }

    parts() {
      this.told = element("p", { class: "today-told" });
      this.startButton = button("Start", () => this.start(this.due), "trainer-main");
      this.mixedButton = button("Mixed practice", () => this.start(this.mixed));
      this.freshButton = button("", () => this.start(this.fresh));
      this.list = element("ul", { class: "today-list" });
      this.kind = element("select", { id: "today-kind" }, ...Object.entries(KINDS).map(([value, [name]]) => element("option", { value }, name)));
      this.most = element("input", { type: "number", id: "today-new", min: 0, max: 200, step: 1, inputmode: "numeric" });
      this.kind.addEventListener("change", () => this.keep({ kind: this.kind.value }));
      this.most.addEventListener("change", () => this.keep({ fresh: Math.min(200, Math.max(0, Math.trunc(Number(this.most.value)) || 0)) }));
      this.choice = this.chapterChoice();
      return element("div", { class: "today-overview" }, this.told, this.list,
        element("div", { class: "trainer-buttons" }, this.startButton, this.freshButton, this.mixedButton),
        this.hint = element("p", { class: "today-hint" }, "Mixed practice takes anything that is due or weak: what went badly last time, or is hard to remember."),
        element("div", { class: "trainer-cells" }, labelled("New a day", this.most), labelled("New are", this.kind)),
        this.choice, Trainer.progress(this.store, (sentence) => { this.notice.textContent = sentence; }, () => { this.read(); this.show(); }));
    }

    chapterChoice() {
      const rows = [...this.chapters.values()].filter(({ stem }) => this.all.some((item) => item.stem === stem));
      this.boxes = rows.map(({ stem }) => element("input", { type: "checkbox", id: `today-${stem}`, value: stem }));
      const line = (n) => element("div", { class: "trainer-option" }, this.boxes[n], element("label", { for: this.boxes[n].id }, rows[n].title));
      const parts = [...new Set(rows.map(({ part }) => part))].map((part) => {
        const own = rows.flatMap((row, n) => (row.part === part ? [n] : []));
        const all = button("All or none", () => this.choose(own.map((n) => rows[n].stem), own.some((n) => !this.boxes[n].checked)), "trainer-small");
        all.setAttribute("aria-label", `All or none of ${part}`);
        return element("fieldset", { class: "trainer-field" }, element("legend", {}, part), all, ...own.map(line));
      });
      this.boxes.forEach((box) => box.addEventListener("change", () => this.choose([box.value], box.checked)));
      this.chosen = element("summary");
      const whole = (text, on) => button(text, () => this.choose(rows.map(({ stem }) => stem), on), "trainer-small");
      return element("details", { class: "trainer-fold" }, this.chosen,
        element("div", { class: "trainer-buttons" }, whole("All chapters", true), whole("No chapter", false)), element("div", { class: "trainer-groups" }, ...parts));
    }

    choose(stems, on) {
      this.keep({ out: [...this.settings.out.filter((stem) => !stems.includes(stem)), ...(on ? [] : stems)] });
    }

    // What is due, weak and new, in the chapters that are chosen.
    show() {
      this.read();
      const kept = bookProgress.read(browser).items, today = dayOf(Date.now()), { out, fresh, kind } = this.settings;
      const list = this.all.filter(({ stem }) => !out.includes(stem)), begun = Object.keys(kept).length > 0;
      this.due = due(list, kept, today);
      this.mixed = mixed(list, kept, today, bookChance.generator(today));
      this.fresh = unseen(ofKind(list, kind), kept).slice(0, left(fresh, kept, today));
      this.tell(begun, list.length);
      this.list.replaceChildren(...byChapter(this.due).map(([stem, own]) => element("li", {}, `${this.chapters.get(stem).title}: ${told(own)}`)));
      const [several, one] = KINDS[kind];
      this.freshButton.textContent = `${kind === "drill" ? "Try" : "Learn"} ${count(this.fresh.length, `new ${one}`, `new ${several}`)}`;
      [[this.startButton, this.due], [this.mixedButton, this.mixed], [this.hint, this.mixed], [this.freshButton, this.fresh]].forEach(([one, found]) => { one.hidden = !found.length; });
      this.freshButton.classList.toggle("trainer-main", !this.due.length);
      this.most.value = fresh;
      this.kind.value = kind;
      this.boxes.forEach((box) => { box.checked = !out.includes(box.value); });
      const checked = this.boxes.filter((box) => box.checked).length;
      this.chosen.textContent = `Chapters: ${checked === this.boxes.length ? "all" : `${checked} of ${this.boxes.length}`}`;
    }

    tell(begun, there) {
      if (!there) this.told.textContent = "No chapter is chosen.";
      else if (this.due.length) this.told.textContent = `Due today: ${told(this.due)}.`;
      else if (begun) this.told.textContent = "Nothing is due today.";
      else {
        this.told.textContent = "Nothing is due yet: choose chapters, learn a few cards, and come back tomorrow.";
        if (!this.seen) this.choice.open = true;
      }
      this.seen = true;
    }

    async start(list) {
      this.notice.textContent = "";
      this.session = new bookToday.Session(list, this.chapters, { record: (item, answer) => this.record(item, answer), end: (sum) => this.end(sum) });
      this.overview.hidden = true;
      this.place.replaceChildren(this.session.element);
      await this.session.next();
    }

    // The mark "known" of a hub follows the answer to its card.
    record(item, answer) {
      const now = Date.now();
      this.store.done(bookMemory.record(browser, item.id, answer, now));
      if (item.kind === "card" && answer.rating !== 2) mark(browser, item.name, answer.rating > 2, now);
    }

    end({ done, again, minutes }) {
      this.session = null;
      this.place.replaceChildren();
      this.overview.hidden = false;
      this.show();
      const failed = again ? ` ${again} of them ${again === 1 ? "was" : "were"} not known: back tomorrow.` : "";
      this.notice.textContent = done || again ? `${count(done, "thing")} done in ${count(minutes, "minute")}.${failed}` : "";
      this.told.tabIndex = -1;
      this.told.focus();
    }
  }

  const start = async () => {
    const host = document.querySelector(".today");
    if (!host) return;
    try {
      const [index, labels] = await Promise.all([Trainer.load("index"), Trainer.load("today")]);
      new Page(host, index, labels);
    } catch {
      return; // what stands on the page stays
    }
    host.dataset.ready = "";
  };

  start();
})();
