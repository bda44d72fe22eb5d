// The fields of an exercise: inputs for one answer, what was typed into them as drillJudge reads it, and its verdict.
(() => {
  "use strict";
  const FAR = "9e99"; // stands for an entry that is missing: no answer is near it
  const HOW = {
    vector: "numbers in a row, such as 1/2, 3",
    matrix: "one row on each line, or ; between rows",
    sequence: "in their order, with commas",
    set: "in any order, with commas; “none” if there is none",
    groups: "with commas, and ; between groups",
    own: "Compare with the solution. Do you have it?",
  };

  // How a field is shown: cells of a table, lists to choose from, buttons, or one line or box of text.
  const shape = ({ kind, rows, columns, options }) => {
    if (kind === "choice" || kind === "own") return "buttons";
    if (kind === "vector" && columns.length) return "row";
    if (kind === "matrix" && rows.length) return "table";
    if (kind === "sequence" && columns.length && options.length < 8) return "lists";
    return kind === "matrix" ? "box" : "line";
  };

  const separator = (options) => (options.some((option) => /[,;|\n>]/.test(option)) ? " " : ", ");

  // An entry as a judge reads it; a missing one, and when all is over an unreadable one, is wrong and costs no other.
  const entry = (text, percent, over) => {
    const bare = text.slice(text.lastIndexOf("=") + 1).trim().replace(/([0-9])\.$/, "$1");
    if (!bare) return FAR;
    if (!over) return bare;
    try {
      drillJudge.readNumber(bare, percent);
      return bare;
    } catch {
      return FAR;
    }
  };

  // The text for drillJudge.judge from what stands in the inputs of a field.
  const typed = (field, values, over = false) => {
    if (values.every((value) => !value.trim())) return "";
    const form = shape(field);
    if (form === "lists") {
      const missing = (k) => (over ? field.options.find((option) => option !== field.value[k]) : "?");
      return values.map((value, k) => value || missing(k)).join(separator(field.options));
    }
    if (form !== "row" && form !== "table") return values[0];
    const cells = values.map((value) => entry(value, field.percent, over));
    const width = form === "row" ? cells.length : field.columns.length;
    const lines = [];
    for (let at = 0; at < cells.length; at += width) lines.push(cells.slice(at, at + width).join("; "));
    return lines.join("\n");
  };

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "html") made.innerHTML = value;
      else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  };

  const SIGNS = { right: "✓ ", follows: "✓ ", wrong: "✗ ", unread: "? " };
  const TEXT = { type: "text", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false" };

  // One field: element, and functions to read and set its values, to show a verdict and to close it.
  class FieldBox {
    constructor(field, id) {
      Object.assign(this, { field, id, inputs: [] });
      const form = shape(field);
      this.verdict = element("p", { class: "trainer-verdict", id: `${id}-verdict` });
      const hint = this.hint(form);
      const marks = element("span", { class: "trainer-worth" }, ` (${worth(field.marks)})`);
      const single = form === "line" || form === "box";
      const label = element(single ? "label" : "legend", { id: `${id}-label`, for: single && `${id}-0` });
      label.append(element("span", { html: field.label }), marks);
      const group = single ? {} : { "aria-labelledby": `${id}-label` };
      this.element = element(single ? "div" : "fieldset", { class: `trainer-field trainer-${form}`, ...group }, label);
      if (hint || field.asks) {
        const how = hint && element("span", { class: "trainer-how" }, field.asks ? `${hint}; ` : hint);
        this.element.append(element("p", { class: "trainer-hint", id: `${id}-hint` }, how, field.asks));
      }
      this.element.append(this[form](), this.verdict);
    }

    hint(form) {
      const how = form === "line" || form === "box" || this.field.kind === "own" ? HOW[this.field.kind] : "";
      const few = form === "line" && this.field.options.length && this.field.options.length < 8;
      return [how, few && `from ${this.field.options.join(", ")}`].filter(Boolean).join("; ");
    }

    // A label names its input by its id: formulas inside a label are dropped from the name otherwise.
    input(tag, attributes) {
      const described = [this.element && this.element.querySelector(".trainer-hint") ? `${this.id}-hint` : "", `${this.id}-verdict`];
      const made = element(tag, { id: `${this.id}-${this.inputs.length}`, "aria-describedby": described.filter(Boolean).join(" "), ...attributes });
      this.inputs.push(made);
      return made;
    }

    // A minus or a fraction bar is missing on many numeric keyboards of phones: the one for text has all.
    line() {
      return this.input("input", { ...TEXT, inputmode: "text", "aria-labelledby": `${this.id}-label` });
    }

    box() {
      const titles = this.field.columns.length ? element("p", { class: "trainer-hint" }, "Columns: ") : element("span");
      this.field.columns.forEach((title, k) => titles.append(k ? ", " : "", element("span", { html: title })));
      const { type, ...text } = TEXT;
      return element("div", {}, titles, this.input("textarea", { ...text, rows: 4, inputmode: "text", "aria-labelledby": `${this.id}-label` }));
    }

    // Inputs side by side, each with its title above it.
    cells(make) {
      const cells = this.field.columns.map((title, k) => {
        const label = element("label", { for: `${this.id}-${k}`, id: `${this.id}-title-${k}`, html: title });
        return element("div", { class: "trainer-cell" }, label, make({ "aria-labelledby": `${this.id}-label ${label.id}` }));
      });
      return element("div", { class: "trainer-cells" }, ...cells);
    }

    row() {
      return this.cells((named) => this.input("input", { ...TEXT, inputmode: "text", ...named }));
    }

    lists() {
      return this.cells((named) => {
        const list = this.input("select", named);
        list.append(...["", ...this.field.options].map((option) => element("option", { value: option }, option || "…")));
        return list;
      });
    }

    table() {
      const head = element("tr", {}, element("td"));
      this.field.columns.forEach((title, k) => head.append(element("th", { scope: "col", id: `${this.id}-column-${k}`, html: title })));
      const rows = this.field.rows.map((title, r) => {
        const line = element("tr", {}, element("th", { scope: "row", id: `${this.id}-row-${r}`, html: title }));
        this.field.columns.forEach((_, k) => {
          const names = `${this.id}-label ${this.id}-row-${r} ${this.id}-column-${k}`;
          line.append(element("td", {}, this.input("input", { ...TEXT, inputmode: "text", "aria-labelledby": names })));
        });
        return line;
      });
      const table = element("table", { class: "trainer-inputs" }, element("thead", {}, head), element("tbody", {}, ...rows));
      return element("div", { class: "trainer-wide" }, table);
    }

    buttons() {
      const options = this.field.kind === "own" ? ["yes", "no"] : this.field.options;
      const made = options.map((option, k) => {
        const button = this.input("input", { type: "radio", name: this.id, value: option });
        return element("div", { class: "trainer-option" }, button, element("label", { for: `${this.id}-${k}` }, option));
      });
      return element("div", { class: "trainer-options" }, ...made);
    }

    get values() {
      if (shape(this.field) !== "buttons") return this.inputs.map((input) => input.value);
      const chosen = this.inputs.find((input) => input.checked);
      return [chosen ? chosen.value : ""];
    }

    set values(values) {
      if (shape(this.field) !== "buttons") this.inputs.forEach((input, k) => { input.value = values[k] || ""; });
      else this.inputs.forEach((input) => { input.checked = input.value === values[0]; });
    }

    // earlier: pairs of the fields before this one and their verdicts.
    judge(over = false, earlier = []) {
      return drillJudge.judge(this.field, typed(this.field, this.values, over), earlier);
    }

    // Show a verdict; an empty field has none while one may still fill it in.
    show(verdict, over = false) {
      const empty = this.values.every((value) => !value.trim());
      const state = verdict.right ? "right" : verdict.follows ? "follows" : verdict.understood || over ? "wrong" : "unread";
      this.element.dataset.state = empty && !over ? "" : state;
      const sentence = empty ? (over ? "Nothing was filled in." : "") : verdict.message;
      this.verdict.replaceChildren(...(sentence ? this.told(SIGNS[state], sentence, empty ? { ...verdict, slip: null } : verdict) : []));
      const single = this.inputs.length === verdict.entries.length;
      this.inputs.forEach((input, k) => {
        const wrong = single ? !verdict.entries[k] : !(verdict.right || verdict.follows);
        if (empty || (!input.value.trim() && !over)) input.removeAttribute("aria-invalid");
        else if (input.type !== "radio") input.setAttribute("aria-invalid", String(wrong));
      });
    }

    // What is said of an answer; the sentence of a slip is markup, with the card that says more.
    told(sign, sentence, verdict) {
      const marks = ` ${earnedText(this.field, verdict)}`;
      if (verdict.slip === null) return [`${sign}${sentence}${marks}`];
      const slip = this.field.slips[verdict.slip];
      const link = slip.card && element("a", { href: Trainer.root() + slip.card }, "Read the card");
      return [sign, element("span", { html: slip.says }), " ", ...(link ? [link, "."] : []), marks];
    }

    close() {
      this.element.dataset.closed = "";
      this.inputs.forEach((input) => {
        if (input.tagName === "SELECT" || input.type === "radio") input.disabled = true;
        else input.readOnly = true;
      });
    }
  }

  const count = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
  const worth = (marks) => count(marks, "mark");
  const signed = (marks) => String(marks).replace("-", "−");
  const earnedText = (field, verdict) => `${drillJudge.earned(field, verdict)} of ${worth(field.marks)}.`;

  Object.assign(Trainer, { FieldBox, typed, shape, element, worth, count, signed });
})();
