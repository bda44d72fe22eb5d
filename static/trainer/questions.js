// Quiz items and statements of the chapters as questions of a paper.
(() => {
  "use strict";
  const { element, expand, root } = Trainer;

  // The markup of a quiz item, with links that hold on this page.
  const markupOf = (data, page, number) => {
    const holder = element("div", { html: expand(data.items[number][1], data.table) });
    holder.querySelectorAll("a[href]").forEach((link) => {
      link.href = new URL(link.getAttribute("href"), new URL(`${root()}${page}.html`, document.baseURI)).href;
    });
    return holder.firstElementChild;
  };

  const poolOf = (chapter, data) => data.items.map(([kind], number) => ({ stem: chapter.stem, number, kind }));

  // One item with its own options, one of which is right (item.kind "one") or any number ("all").
  class Choice {
    constructor(item, data, page) {
      this.element = markupOf(data, page, item.numbers[0]);
      this.inputs = [...this.element.querySelectorAll(".quiz-input")];
      if (item.kind === "all") this.inputs.forEach((input) => { input.type = "checkbox"; });
      this.element.classList.add("trainer-open");
    }

    rightOf(input) {
      const option = input.closest(".quiz-option");
      return option ? Boolean(option.querySelector(".quiz-feedback.right")) : input.classList.contains("right");
    }

    // After the end each option says why it is right or wrong.
    handIn() {
      this.element.classList.replace("trainer-open", "trainer-closed");
    }
  }

  // Three statements: which are true?
  class Statements {
    constructor(item, data, page, id) {
      const title = element("p", { class: "quiz-question", id: `${id}-title` }, "Which of these statements are true? Tick all of them.");
      this.element = element("div", { class: "quiz trainer-open", role: "group", "aria-labelledby": title.id }, title);
      this.items = item.numbers.map((number) => markupOf(data, page, number));
      this.inputs = this.items.map((one, k) => element("input", { type: "checkbox", class: "quiz-input", id: `${id}-${k}` }));
      this.items.forEach((one, k) => {
        const label = element("label", { class: "quiz-label", for: `${id}-${k}` });
        label.append(...one.querySelector(".quiz-question").firstElementChild.childNodes);
        const reason = element("div", { class: `quiz-feedback ${this.isTrue(k) ? "right" : "wrong"}` });
        reason.append(element("p", {}, element("strong", {}, this.isTrue(k) ? "True." : "False.")), ...[...one.querySelector(".quiz-feedback").children].slice(1));
        this.element.append(element("div", { class: "quiz-option" }, this.inputs[k], label, reason));
      });
    }

    isTrue(k) {
      return this.items[k].querySelector(".quiz-input.right").id.endsWith("-true");
    }

    rightOf(input) {
      return this.isTrue(this.inputs.indexOf(input));
    }

    handIn() {
      this.element.classList.replace("trainer-open", "trainer-closed");
    }
  }

  // A question of a paper: what is ticked, and what it earns.
  class Question {
    constructor(item, data, page, id) {
      this.item = item;
      this.marks = item.marks;
      this.view = item.kind === "statements" ? new Statements(item, data, page, id) : new Choice(item, data, page);
      this.element = this.view.element;
      this.status = element("p", { class: "trainer-status" });
      this.closed = false;
    }

    get chosen() {
      return this.view.inputs.flatMap((input, k) => (input.checked ? [k] : []));
    }

    get values() {
      return this.chosen;
    }

    set values(values) {
      this.view.inputs.forEach((input, k) => { input.checked = values.includes(k); });
    }

    get earned() {
      const right = this.view.inputs.flatMap((input, k) => (this.view.rightOf(input) ? [k] : []));
      return Trainer.ticked(this.item, right, this.chosen);
    }

    handIn() {
      this.view.inputs.forEach((input) => { input.disabled = true; });
      this.view.handIn();
      this.element.append(this.status);
      const letter = (input) => { const tag = input.parentElement.querySelector(".quiz-letter"); return tag ? tag.textContent : ""; };
      const right = this.view.inputs.filter((input) => this.view.rightOf(input)).map(letter).filter(Boolean);
      this.status.textContent = `${this.earned} of ${Trainer.worth(this.marks)}.${right.length ? ` Right: ${right.join(", ")}.` : ""}`;
    }
  }

  Object.assign(Trainer, { Question, poolOf });
})();
