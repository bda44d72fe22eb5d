// The page of the plan: settings, the days with what to do on each, and changes by hand.
(() => {
  "use strict";
  const { element, button, count, labelled } = Trainer;
  const host = document.querySelector(".exam-plan");
  const { trainer, chapters } = JSON.parse(document.querySelector(".plan-data").textContent);
  const byStem = new Map(chapters.map((chapter) => [chapter.stem, chapter]));
  const DAY = 24 * 60 * 60 * 1000, WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const LONGEST = 400; // days
  const DO = {
    read: "Read", card: "Learn the cards of", derivation: "Derive", exercise: "Solve", drill: "Drill", quiz: "Answer the quiz of",
    mistake: "Look through the mistakes of", paper: "Sit", weak: "Repeat",
  };

  const textOf = (day, more = {}) => new Date(day * DAY).toLocaleDateString("en-GB", { timeZone: "UTC", weekday: "short", day: "numeric", month: "short", ...more });
  const inputOf = (day) => new Date(day * DAY).toISOString().slice(0, 10);
  const dayOf = (text) => Date.parse(text) / DAY; // of an input for dates; NaN if it is empty
  const today = () => bookProgress.dayOf(Date.now());
  const sum = (items) => items.reduce((total, item) => total + item.minutes, 0);
  const hours = (minutes) => (minutes < 120 ? count(minutes, "minute") : `${Math.floor(minutes / 60)} h ${minutes % 60} min`);

  // --- what is kept -------------------------------------------------------------------------------------------------------

  const ask = bookProgress.browser, NAME = "plan";
  const note = () => bookProgress.note(ask, NAME), keepNote = (value) => bookProgress.keepNote(ask, NAME, value, Date.now());

  const object = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const numbers = (list) => Array.isArray(list) && list.every(Number.isInteger);
  const words = (list) => Array.isArray(list) && list.every((word) => typeof word === "string");
  const daysOf = (map) => object(map) && Object.values(map).every(Number.isInteger);
  const sound = (kept) => object(kept) && object(kept.settings) && words(kept.settings.chapters) && numbers([kept.settings.exam, kept.settings.minutes]) &&
    kept.settings.minutes >= bookPlan.LEAST && numbers(kept.settings.off) && numbers(kept.settings.free) &&
    [kept.done, kept.moved, kept.placed].every(daysOf) && [kept.removed, kept.again].every(words) &&
    object(kept.slipped) && Number.isInteger(kept.slipped.day) && words(kept.slipped.ids);

  const begin = (settings) => ({ settings, done: {}, moved: {}, placed: {}, removed: [], again: [], slipped: { day: 0, ids: [] } });

  // --- what the other pages know to be done ---------------------------------------------------------------------------------

  const GOOD = 0.8;
  const whole = (id) => id.replace(/\.\d+$/, ""); // without the part
  const learnt = (entry) => Boolean(entry) && bookProgress.last(entry)[1] >= bookProgress.RIGHT;
  const known = (kept, item) => {
    const chapter = byStem.get(item.stem), name = whole(item.id).slice(item.kind.length + 1);
    const every = (labels) => labels.every((label) => kept.marks.has(label));
    if (item.kind === "drill") return object(kept.topics[name]) && kept.topics[name].share >= GOOD;
    if (item.kind === "exercise") return kept.marks.has(name);
    if (item.kind === "card") return chapter.cards.every((label) => kept.marks.has(label) || learnt(kept.items[`card:${label}`]));
    if (item.kind === "mistake") return every(chapter.mistakes);
    if (item.kind === "quiz") return chapter.quiz.every((label) => object(kept.quiz[label]) && typeof kept.quiz[label].right === "boolean");
    return false;
  };

  // Drills of the chosen chapters that went badly, the weakest first.
  const weak = (kept, stems) => stems.flatMap((stem) => (byStem.has(stem) ? byStem.get(stem).drills : []))
    .map(([topic, title]) => ({ topic, title, share: object(kept.topics[topic]) ? kept.topics[topic].share : null }))
    .filter(({ share }) => typeof share === "number" && share < GOOD).sort((a, b) => a.share - b.share).slice(0, 6);

  // --- the settings ---------------------------------------------------------------------------------------------------------

  class Settings {
    constructor(start) {
      const number = (id, value, extra) => element("input", { type: "number", id, value, inputmode: "numeric", required: true, ...extra });
      this.exam = element("input", { type: "date", id: "plan-exam", required: true });
      this.minutes = number("plan-minutes", 60, { min: bookPlan.LEAST, max: 720, step: 5 });
      this.off = WEEKDAYS.map((name, k) => element("input", { type: "checkbox", id: `plan-off-${k}` }));
      this.free = [];
      this.freeInput = element("input", { type: "date", id: "plan-free" });
      this.freeList = element("span", { class: "plan-free" });
      this.boxes = chapters.map(({ stem }) => element("input", { type: "checkbox", id: `plan-chapter-${stem}` }));
      this.error = element("p", { class: "trainer-notice", role: "alert" });
      const addFree = button("Add", () => {
        const day = dayOf(this.freeInput.value);
        if (Number.isFinite(day)) this.setFree([...this.free, day]);
        this.freeInput.value = "";
      }, "trainer-small");
      addFree.setAttribute("aria-label", "Add the day off");
      const legend = (text, ...parts) => element("fieldset", { class: "trainer-field" }, element("legend", {}, text), ...parts);
      const box = (input, text) => element("span", { class: "plan-box" }, input, element("label", { for: input.id }, text));
      this.form = element("form", { novalidate: true },
        element("div", { class: "trainer-cells" }, labelled("Day of the exam", this.exam), labelled("Minutes a day", this.minutes)),
        legend("Days off, every week", element("div", { class: "plan-boxes" }, ...this.off.map((input, k) => box(input, WEEKDAYS[k])))),
        element("div", { class: "plan-boxes" }, labelled("Another day off", this.freeInput), addFree, this.freeList),
        ...this.parts(legend, box), this.error,
        element("div", { class: "trainer-buttons" }, element("button", { type: "submit", class: "trainer-main" }, "Make the plan")));
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        const chosen = this.read();
        if (chosen) start(chosen);
      });
      this.element = element("details", { class: "trainer-fold plan-settings" }, element("summary", {}, "Settings"), this.form);
    }

    parts(legend, box) {
      return [...new Set(chapters.map(({ part }) => part))].map((part) => {
        const own = chapters.flatMap((chapter, k) => (chapter.part === part ? [[chapter, this.boxes[k]]] : []));
        const all = button("All or none", () => {
          const every = own.every(([, input]) => input.checked);
          own.forEach(([, input]) => { input.checked = !every; });
        }, "trainer-small");
        all.setAttribute("aria-label", `All or none of ${part}`);
        return legend(part, all, element("div", { class: "plan-boxes" }, ...own.map(([chapter, input]) => box(input, chapter.title))));
      });
    }

    setFree(days) {
      this.free = [...new Set(days)].sort((a, b) => a - b);
      this.freeList.replaceChildren(...this.free.map((day) => {
        const made = button(`${textOf(day)} ×`, () => { this.setFree(this.free.filter((one) => one !== day)); this.freeInput.focus(); }, "trainer-small");
        made.setAttribute("aria-label", `${textOf(day)} is no day off`);
        return made;
      }));
    }

    // What was chosen; null, and a sentence, if it cannot be planned.
    read() {
      const exam = dayOf(this.exam.value), minutes = Number(this.minutes.value);
      const stems = chapters.filter((_, k) => this.boxes[k].checked).map(({ stem }) => stem);
      const fault = (sentence, input) => { this.error.textContent = sentence; input.focus(); return null; };
      if (!Number.isFinite(exam) || exam <= today()) return fault("Choose a day of the exam that is still to come.", this.exam);
      if (exam > today() + LONGEST) return fault(`The exam is more than ${LONGEST} days away: choose an earlier day, and plan anew later.`, this.exam);
      if (!Number.isInteger(minutes) || minutes < bookPlan.LEAST || minutes > 720) return fault(`Minutes a day must be a whole number from ${bookPlan.LEAST} to 720.`, this.minutes);
      if (!stems.length) return fault("Choose at least one chapter.", this.boxes[0]);
      const off = WEEKDAYS.map((_, k) => k).filter((k) => this.off[k].checked);
      if (off.length === 7) return fault("Leave at least one day of the week to work on.", this.off[0]);
      this.error.textContent = "";
      return { chapters: stems, exam, minutes, off, free: this.free };
    }

    fill({ chapters: stems, exam, minutes, off, free }) {
      this.exam.value = inputOf(exam);
      this.minutes.value = minutes;
      this.off.forEach((input, k) => { input.checked = off.includes(k); });
      this.boxes.forEach((input, k) => { input.checked = stems.includes(chapters[k].stem); });
      this.setFree(free);
    }
  }

  // --- the page -------------------------------------------------------------------------------------------------------------

  class PlanPage {
    constructor() {
      this.kept = null;
      this.notice = element("p", { class: "trainer-notice", role: "status" });
      this.settings = new Settings((chosen) => this.start(chosen));
      this.place = element("div", { class: "plan" });
      host.replaceChildren(this.settings.element, this.notice, this.place);
    }

    say(sentence) {
      this.notice.textContent = sentence;
    }

    // What is kept in the browser now; another tab may have changed it.
    open() {
      const kept = note();
      if (sound(kept)) this.kept = kept;
      else if (kept !== null) this.say("The plan that this browser holds cannot be read. Make it again.");
      if (this.kept) this.settings.fill(this.kept.settings);
      else this.settings.exam.min = inputOf(today() + 1);
      this.settings.element.open = !this.kept;
      this.update(false);
    }

    start(settings) {
      const old = this.kept || begin(settings);
      this.kept = { ...begin(settings), done: old.done, removed: old.removed, again: old.again };
      const before = bookProgress.read(ask);
      bookPlan.itemsOf(chapters, settings).forEach((item) => {
        if (!(item.id in this.kept.done) && !old.again.includes(item.id) && known(before, item)) this.kept.done[item.id] = 0; // before the plan
      });
      this.settings.element.open = false;
      this.update();
      this.title.focus();
    }

    // Plan, keep and show.
    update(store = true) {
      if (!this.kept) return this.place.replaceChildren();
      const { kept } = this, progress = bookProgress.read(ask), now = today();
      const fresh = bookPlan.itemsOf(chapters, kept.settings).filter((item) => !(item.id in kept.done) && !kept.again.includes(item.id) && known(progress, item));
      fresh.forEach(({ id }) => { kept.done[id] = now; });
      const found = bookPlan.plan(chapters, kept.settings, kept, now);
      if (found.slipped.length) kept.slipped = { day: now, ids: found.slipped.map(({ id }) => id) };
      Object.keys(kept.moved).forEach((id) => { if (kept.moved[id] < now) delete kept.moved[id]; });
      const changed = store || fresh.length > 0 || found.slipped.length > 0;
      kept.placed = found.placed;
      if (changed && !keepNote(kept)) this.say("This browser cannot store the plan (its storage is full or blocked): it lasts until you close the page. Print it, or save it as a calendar file.");
      return this.show(found, progress);
    }

    show(found, progress) {
      const focus = document.activeElement && document.activeElement.id, { settings } = this.kept;
      this.found = found;
      const work = found.all.length - found.removed.length, left = found.days.reduce((total, { day, items }) => total + (day >= today() ? sum(items.filter((item) => !item.done)) : 0), 0);
      this.title = element("h2", { tabindex: "-1" }, `To the exam on ${textOf(settings.exam, { year: "numeric" })}`);
      const facts = settings.exam <= today() ? "The day of the exam is here. For another exam, open the settings."
        : `${count(found.days.length, "day")} of at most ${settings.minutes} minutes; ${found.done.length} of ${count(work, "item")} done, ${hours(left)} to go.`;
      this.place.replaceChildren(this.title, element("p", {}, facts), ...this.slipped(found), ...this.leftOut(found),
        this.buttons(), ...found.days.map((day) => this.day(day, progress)), ...this.removed(found));
      host.dataset.ready = "";
      const again = focus && document.getElementById(focus);
      if (again && this.place.contains(again)) again.focus();
    }

    slipped(found) {
      const { day, ids } = this.kept.slipped, items = found.all.filter(({ id }) => ids.includes(id) && !(id in this.kept.done));
      if (day !== today() || !items.length) return [];
      return [element("p", { class: "plan-slipped" }, element("strong", {}, `Slipped: ${count(items.length, "item")}, ${hours(sum(items))}.`),
        " Planned again from today: ", items.map((item) => this.words(item)).join("; "), ".")];
    }

    leftOut({ leftOut }) {
      if (!leftOut.length) return [];
      const stems = [...new Set(leftOut.map(({ stem }) => stem))].filter(Boolean).sort((a, b) => byStem.get(a).asked - byStem.get(b).asked);
      const rows = stems.map((stem) => {
        const own = leftOut.filter((item) => item.stem === stem), { title, asked } = byStem.get(stem);
        return element("li", {}, element("strong", {}, title), asked ? ` (asked about ${count(asked, "time")} in a hundred papers)` : " (hardly ever asked)",
          `: ${own.map((item) => this.words(item, false)).join("; ")}`);
      });
      if (leftOut.some(({ stem }) => !stem)) rows.push(element("li", {}, "A paper: there are too few days."));
      return [element("details", { class: "trainer-fold plan-left-out" },
        element("summary", {}, `Too little time: ${hours(sum(leftOut))} left out`),
        element("p", {}, "What exams ask least is left out first; reading stays as long as something that builds on it does."), element("ul", {}, ...rows))];
    }

    buttons() {
      return element("div", { class: "trainer-buttons" },
        button("Print, or save as PDF", () => window.print()), button("Save as a calendar file", () => this.save()),
        button("Plan anew from today", () => {
          Object.assign(this.kept, { moved: {}, placed: {} });
          this.update();
          this.say("What is open is planned anew from today; what you had moved may have another day.");
        }),
        button("Forget the plan", () => {
          if (!confirm("Forget this plan, with what you ticked in it? What the trainer and the chapters keep stays.")) return;
          this.kept = null;
          keepNote(null);
          this.place.replaceChildren();
          this.settings.element.open = true;
          this.say("The plan is forgotten.");
          this.settings.exam.focus();
        }));
    }

    // An item in words; named: with what it belongs to.
    words(item, named = true) {
      const part = item.part ? `, part ${item.part[0]} of ${item.part[1]}` : "";
      if (item.kind === "paper") return `${DO.paper} a paper of ${item.minutes} minutes`;
      if (item.kind === "weak") return "Repeat weak topics";
      const own = named || !["read", "card", "quiz", "mistake"].includes(item.kind);
      return own ? `${DO[item.kind]} ${item.name}${part}` : `${{ read: "reading", card: "cards", quiz: "quiz", mistake: "mistakes" }[item.kind]}${part}`;
    }

    // The same with a link.
    linked(item, progress) {
      const link = (text, address) => (address ? element("a", { href: address, class: "reference internal" }, text) : text);
      const part = item.part ? `, part ${item.part[0]} of ${item.part[1]}` : "";
      if (item.kind === "paper") return [`${DO.paper} `, link(`a paper of ${item.minutes} minutes`, trainer && `${trainer}#paper`)];
      if (item.kind === "weak") {
        const found = weak(progress, this.kept.settings.chapters);
        return ["Repeat weak topics", found.length ? ": " : "", ...found.flatMap(({ topic, title }, k) => [k ? ", " : "", link(title, trainer && `${trainer}#topic=${topic}`)])];
      }
      const address = item.kind === "drill" ? trainer && `${trainer}#topic=${whole(item.id).slice(6)}` : item.address;
      return [`${DO[item.kind]} `, link(item.name, address), part];
    }

    day({ day, items, minutes, over }, progress) {
      const told = over ? `${minutes} minutes, ${over} more than you have` : `${minutes} minutes`;
      const head = element("h3", {}, textOf(day), day === today() ? " (today)" : "", element("span", { class: "plan-minutes" }, ` ${told}`));
      const rows = items.map((item) => this.item(item, day, progress));
      return element("div", { class: `plan-day${over ? " plan-over" : ""}` }, head,
        rows.length ? element("ul", {}, ...rows) : element("p", {}, "Nothing planned."));
    }

    item(item, day, progress) {
      const name = `plan-${item.id.replace(/[:.]/g, "-")}`, text = element("span", { id: `${name}-text` }, ...this.linked(item, progress));
      const box = element("input", { type: "checkbox", id: name, "aria-labelledby": text.id });
      box.checked = item.done;
      box.addEventListener("change", () => this.tick(item, box.checked));
      const act = (label, run) => {
        const made = button(label, run, "trainer-small");
        made.id = `${name}-${label}`;
        made.setAttribute("aria-label", `${label}: ${this.words(item)}`);
        return made;
      };
      const row = element("li", { class: "plan-item" }, box, element("span", { class: "plan-text" }, text, element("span", { class: "plan-minutes" }, ` ${item.minutes} min`)));
      if (!item.done) row.append(element("span", { class: "plan-acts" }, act("Move", () => this.askDay(item, day, row)), act("Remove", () => this.remove(item))));
      return row;
    }

    tick({ id, ...item }, on) {
      if (on) this.kept.done[id] = today();
      else {
        delete this.kept.done[id];
        this.kept.again = [...new Set([...this.kept.again, id])]; // what the other pages say counts no longer
        if (!(this.kept.placed[id] >= today())) this.kept.moved[id] = today();
      }
      this.say(on ? `Done: ${this.words({ id, ...item })}.` : "");
      this.update();
    }

    remove(item) {
      this.kept.removed.push(item.id);
      this.update();
      this.say(`Removed: ${this.words(item)}. Below the days you can put it back.`);
      this.title.focus();
    }

    askDay(item, day, row) {
      const input = element("input", { type: "date", value: inputOf(day), min: inputOf(today()), max: inputOf(this.kept.settings.exam - 1), "aria-label": `New day for: ${this.words(item)}` });
      const form = element("form", { class: "plan-acts", novalidate: true }, input, element("button", { type: "submit", class: "trainer-small" }, "Move there"), button("Cancel", () => this.update(false), "trainer-small"));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const to = dayOf(input.value);
        if (!(to >= today() && to < this.kept.settings.exam)) return this.say("Choose a day from today to the day before the exam.");
        this.kept.moved[item.id] = to;
        this.update();
        this.say(`Moved to ${textOf(to)}: ${this.words(item)}.`);
        document.getElementById(`plan-${item.id.replace(/[:.]/g, "-")}`).focus();
      });
      form.addEventListener("keydown", (event) => { if (event.key === "Escape") this.update(false); });
      row.querySelector(".plan-acts").replaceWith(form);
      input.focus();
    }

    removed({ removed }) {
      if (!removed.length) return [];
      return [element("details", { class: "trainer-fold plan-removed" }, element("summary", {}, `Removed by you: ${count(removed.length, "item")}`),
        element("ul", {}, ...removed.map((item) => {
          const back = button("Put back", () => {
            this.kept.removed = this.kept.removed.filter((id) => id !== item.id);
            this.kept.placed = {};
            this.update();
            this.say(`Put back: ${this.words(item)}. What is open is planned anew from today.`);
            this.title.focus();
          }, "trainer-small");
          back.setAttribute("aria-label", `Put back: ${this.words(item)}`);
          return element("li", { class: "plan-item" }, element("span", { class: "plan-text" }, this.words(item)), back);
        })))];
    }

    async save() {
      const { exam } = this.kept.settings, days = this.found.days.filter(({ items }) => items.length);
      const entries = days.map(({ day, items, minutes }) => ({
        day, title: `Study for the exam: ${minutes} minutes`,
        text: items.map((item) => `${item.done ? "✓" : "-"} ${this.words(item)} (${item.minutes} min)`).join("\n"),
      }));
      try {
        const text = await bookPlan.calendar("Plan to the exam", [...entries, { day: exam, title: "Exam", text: "" }]);
        const link = element("a", { download: "plan.ics", href: URL.createObjectURL(new Blob([text], { type: "text/calendar" })) });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        this.say("The calendar file is saved: your calendar can import it. Save it again when the plan has changed.");
      } catch (error) {
        this.say(error.message);
      }
    }
  }

  const page = new PlanPage();
  page.open();
  addEventListener("storage", ({ key }) => {
    if (key === null || key === `${bookProgress.NOTE}${NAME}`) page.open();
    else if (bookProgress.concerns(key)) page.update(false);
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) page.open(); });
})();
