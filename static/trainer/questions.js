// Quiz items and statements of the chapters as questions of a paper.
(() => {
  "use strict";
  const { element, expand, root } = Trainer;

  // Let the links of something from another page hold on this one.
  const moved = (holder, page) => {
    holder.querySelectorAll("a[href]").forEach((link) => {
      link.href = new URL(link.getAttribute("href"), new URL(`${root()}${page}.html`, document.baseURI)).href;
    });
    return holder;
  };

  // The markup of a quiz item.
  const markupOf = (data, page, number) =>
    moved(element("div", { html: expand(data.items[number][2], data.table) }), page).firstElementChild;

  const poolOf = (chapter, data) => data.items.map(([kind, options], number) => ({ stem: chapter.stem, number, kind, options }));

  // An option with a box to tick; reason: what is said of it after the end.
  const option = (input, label, right, ...reason) => element("div", { class: "quiz-option" }, input,
    element("label", { class: "quiz-label", for: input.id }, element("span", { class: "quiz-letter" }), " ", ...label),
    element("div", { class: `quiz-feedback ${right ? "right" : "wrong"}` }, ...reason));
  const box = (id) => element("input", { type: "checkbox", class: "quiz-input", id });

  // The last option where any number may be right: ticking nothing is no answer.
  const none = (id, others) => {
    const right = !others.some((one) => one.querySelector(".quiz-feedback.right"));
    return option(box(id), ["None of these"], right, element("p", {}, right ? "None of them is right." : "There is one that is right."));
  };

  const letter = (options) => options.forEach((one, k) => one.querySelectorAll(".quiz-letter").forEach((tag) => {
    tag.textContent = `(${String.fromCharCode(97 + k)})`;
  }));

  // One item with its own options in the order of the paper, one of which is right (item.kind "one") or several ("all").
  class Choice {
    constructor(item, data, page, id) {
      this.element = markupOf(data, page, item.numbers[0]);
      const found = [...this.element.querySelectorAll(".quiz-option")];
      if (found.length) {
        const mixed = item.order.map((k) => found[k]);
        if (item.kind === "all") mixed.push(none(`${id}-none`, mixed));
        found[0].parentElement.append(...mixed);
        letter(mixed);
      }
      this.inputs = [...this.element.querySelectorAll(".quiz-input")];
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
      const options = this.items.map((one, k) => option(box(`${id}-${k}`), one.querySelector(".quiz-question").firstElementChild.childNodes,
        this.isTrue(k), element("p", {}, element("strong", {}, this.isTrue(k) ? "True." : "False.")), ...[...one.querySelector(".quiz-feedback").children].slice(1)));
      options.push(none(`${id}-none`, options));
      letter(options);
      this.element.append(...options);
      this.inputs = [...this.element.querySelectorAll(".quiz-input")];
    }

    isTrue(k) {
      return this.items[k].querySelector(".quiz-input.right").id.endsWith("-true");
    }

    rightOf(input) {
      return Boolean(input.parentElement.querySelector(".quiz-feedback.right"));
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
      this.view = item.kind === "statements" ? new Statements(item, data, page, id) : new Choice(item, data, page, id);
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
      const name = (input) => { const tag = input.parentElement.querySelector(".quiz-letter"); return tag ? tag.textContent : ""; };
      const right = this.view.inputs.filter((input) => this.view.rightOf(input)).map(name).filter(Boolean);
      this.status.textContent = `${Trainer.signed(this.earned)} of ${Trainer.worth(this.marks)}.${right.length ? ` Right: ${right.join(", ")}.` : ""}`;
    }
  }

  Object.assign(Trainer, { Question, poolOf, moved });
})();
