// One exercise on the page: statement, fields, verdicts, and the solution line by line.
(() => {
  "use strict";
  const { element, worth } = Trainer;

  // The marks so far: each field counts once, with its last verdict.
  const marksOf = (fields, verdicts) =>
    fields.reduce((sum, field, k) => sum + (verdicts[k] ? drillJudge.earned(field, verdicts[k]) : 0), 0);

  // What an exercise asks and what it is worth: all of a drill, or one of its fields, as fill-ins are in papers.
  const FILL_IN = 2;
  const askedOf = (drill, only) => only === null
    ? { fields: drill.fields, marks: drill.marks }
    : { fields: [{ ...drill.fields[only], marks: FILL_IN }], marks: FILL_IN };

  // The lines of a solution: its blocks, and of a list its items.
  const linesOf = (solution) =>
    [...solution.children].flatMap((block) => (block.matches("ul, ol") ? [...block.children] : [block]));

  // Tables that are laid out for paper and hold nothing yet: the fields below ask for the same.
  const foldBlank = (statement) => {
    for (const table of statement.querySelectorAll("table")) {
      const cells = [...table.querySelectorAll("tbody td:not(:first-child)")];
      if (!cells.length || cells.some((cell) => cell.textContent.trim())) continue;
      const box = table.closest(".pst-scrollable-table-container, .trainer-wide") ?? table;
      const fold = element("details", { class: "trainer-blank" }, element("summary", {}, "A table for your paper"));
      box.replaceWith(fold);
      fold.append(box);
    }
  };

  class Exercise {
    // over: called once, with the share of the marks, when nothing is left to do.
    constructor(drill, id, { over = () => {}, paper = false, only = null } = {}) {
      Object.assign(this, { drill, id, over, paper, shown: 0, ended: false }, askedOf(drill, only));
      this.verdicts = this.fields.map(() => null);
      this.boxes = this.fields.map((field, k) => new Trainer.FieldBox(field, `${id}-${k}`));
      this.status = element("p", { class: "trainer-status", role: "status" });
      this.solution = element("div", { class: "trainer-solution", hidden: true, html: drill.solution });
      this.lines = linesOf(this.solution);
      this.lines.forEach((line) => { line.hidden = true; });
      this.form = element("form", { class: "trainer-form" }, ...this.parts());
      const statement = element("div", { class: "trainer-statement", html: drill.statement });
      foldBlank(statement);
      this.element = element("div", { class: "trainer-exercise", "data-topic": drill.topic, "data-seed": drill.seed }, statement, this.form, this.solution);
      if (!paper) this.addButtons();
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!paper) this.check();
      });
    }

    parts() {
      const numbers = [...new Set(this.fields.map((field) => field.part))];
      return numbers.map((number) => {
        const inside = this.boxes.filter((box) => box.field.part === number).flatMap((box) => [box.element, ...this.onPaper(box)]);
        const title = element("p", { class: "trainer-part", id: `${this.id}-part-${number}` }, `Part ${number}`);
        return element("div", { role: "group", "aria-labelledby": title.id }, title, ...inside);
      });
    }

    // What stands for a reason or a derivation until the solution is there to compare it with.
    onPaper(box) {
      if (box.field.kind !== "own") return [];
      box.note = element("p", { html: `On paper: ${box.field.label} (${worth(box.field.marks)})` });
      box.element.hidden = true;
      return [box.note];
    }

    showOwn() {
      this.ownBoxes().forEach((box) => { box.element.hidden = false; box.note.hidden = true; });
    }

    ownBoxes() {
      return this.boxes.filter((box) => box.field.kind === "own");
    }

    addButtons() {
      this.checkButton = element("button", { type: "submit", class: "trainer-main" }, "Check");
      this.nextButton = element("button", { type: "button" }, "Show the solution");
      this.allButton = element("button", { type: "button", hidden: true }, "Show all of it");
      this.nextButton.addEventListener("click", () => this.reveal(1));
      this.allButton.addEventListener("click", () => this.reveal(this.lines.length));
      this.form.append(element("div", { class: "trainer-buttons" }, this.checkButton), this.status);
      this.element.append(element("div", { class: "trainer-buttons" }, this.nextButton, this.allButton));
      this.ownBoxes().forEach((box) => box.element.addEventListener("change", () => this.own()));
    }

    get earned() {
      return marksOf(this.fields, this.verdicts);
    }

    // Judge what was typed; over: nothing can be changed any more.
    judge(over) {
      const earlier = [];
      this.boxes.forEach((box, k) => {
        if (box.field.kind === "own") return;
        this.verdicts[k] = box.judge(over, earlier);
        earlier.push([box.field, this.verdicts[k]]);
        box.show(this.verdicts[k], over);
      });
    }

    check() {
      if (!this.shown) this.judge(false);
      const open = this.boxes.filter((box, k) => box.field.kind !== "own" && !this.verdicts[k].right);
      const typed = this.boxes.length - this.ownBoxes().length, follow = this.verdicts.filter((one) => one && one.follows).length;
      const also = follow ? ` ${follow} more ${follow === 1 ? "follows" : "follow"} from an earlier one.` : "";
      this.tell(`${typed - open.length} of ${typed} answers are right.${also}`);
      if (!open.length && !this.ownBoxes().length) this.end();
    }

    tell(sentence) {
      const rest = this.ownBoxes().length && this.shown < this.lines.length ? " The rest you judge with the solution." : "";
      this.status.textContent = `${sentence} ${this.earned} of ${worth(this.marks)}.${rest}`;
    }

    // The next lines of the solution; what was typed counts from here on.
    reveal(count) {
      if (!this.shown) {
        this.judge(true);
        this.boxes.forEach((box) => { if (box.field.kind !== "own") box.close(); });
        this.checkButton.hidden = true;
        this.solution.hidden = false;
      }
      const first = this.lines[this.shown];
      this.shown = Math.min(this.lines.length, this.shown + count);
      this.lines.forEach((line, k) => { line.hidden = k >= this.shown; });
      const left = this.lines.length - this.shown;
      this.nextButton.textContent = `Next line (${left} left)`;
      this.nextButton.hidden = !left;
      this.allButton.hidden = !left;
      if (!left) this.showOwn();
      this.tell(left ? "What you typed counts." : "This is the whole solution.");
      if (!left && first) Object.assign(first, { tabIndex: -1 }).focus({ preventScroll: true }); // the button is gone
      if (!left && !this.ownBoxes().length) this.end();
    }

    own() {
      this.boxes.forEach((box, k) => {
        if (box.field.kind !== "own" || !box.values[0]) return;
        this.verdicts[k] = box.judge();
        box.show(this.verdicts[k]);
      });
      this.tell("");
      if (this.verdicts.every(Boolean)) this.end();
    }

    // Also called when one goes on to another exercise: it counts if the solution was looked at.
    end() {
      if (this.ended) return;
      this.ended = true;
      this.over(this.earned / this.marks);
    }

    leave() {
      if (this.shown) this.end();
    }

    get values() {
      return this.boxes.map((box) => box.values);
    }

    set values(values) {
      this.boxes.forEach((box, k) => { box.values = values[k] || []; });
    }

    // In a paper: all is over, the solution stands open, what nobody but the student can judge is asked.
    handIn(changed) {
      this.judge(true);
      this.shown = this.lines.length;
      this.lines.forEach((line) => { line.hidden = false; });
      this.boxes.forEach((box) => { if (box.field.kind !== "own") box.close(); });
      this.solution.hidden = false;
      this.showOwn();
      this.ownBoxes().forEach((box) => {
        box.element.addEventListener("change", () => { this.own(); changed(); });
      });
    }
  }

  Object.assign(Trainer, { Exercise, askedOf, marksOf });
})();
