// What a paper is about: topics by chapter and part.
(() => {
  "use strict";
  const { element, button, count } = Trainer;

  class TopicChoice {
    constructor(chapters) {
      this.rows = chapters.filter((chapter) => chapter.topics.length).map((chapter) => this.row(chapter));
      const parts = [...new Set(this.rows.map((row) => row.chapter.part))];
      this.element = element("div", { class: "trainer-groups" }, ...parts.map((part) => this.group(part)));
      this.told = element("span", { role: "status" });
      this.buttons = [button("All topics", () => this.only(() => true)), button("None", () => this.only(() => false)), this.told];
      this.element.addEventListener("change", () => this.tell());
      this.tell();
    }

    // Choose the rows that fit, and no other.
    only(fits) {
      this.rows.forEach((row) => row.set(fits(row)));
      this.tell();
    }

    tell() {
      const all = this.rows.reduce((sum, row) => sum + row.chapter.topics.length, 0);
      this.say(`Topics chosen: ${this.topics.length} of ${all}`);
    }

    say(sentence) {
      this.told.textContent = sentence;
    }

    // A chapter's box stands for those of its topics, which are folded below it.
    row(chapter) {
      const box = (id) => element("input", { type: "checkbox", id: `paper-${id}`, checked: true });
      const line = (input, text) => element("div", { class: "trainer-option" }, input, element("label", { for: input.id }, text));
      const head = box(chapter.stem), topics = chapter.topics.map((topic) => [box(`topic-${topic.topic}`), topic]);
      const fold = element("details", {}, element("summary", {}, count(topics.length, "topic")),
        ...topics.map(([input, topic]) => line(input, topic.title)));
      fold.firstElementChild.setAttribute("aria-label", `${fold.firstElementChild.textContent} of ${chapter.title}`);
      const set = (checked) => { head.checked = checked; head.indeterminate = false; topics.forEach(([input]) => { input.checked = checked; }); };
      head.addEventListener("change", () => set(head.checked));
      fold.addEventListener("change", () => {
        head.checked = topics.some(([input]) => input.checked);
        head.indeterminate = head.checked && !topics.every(([input]) => input.checked);
      });
      const chosen = () => topics.filter(([input]) => input.checked).map(([, topic]) => topic);
      const alone = button("only", () => this.only((row) => row.chapter === chapter), "trainer-small");
      alone.setAttribute("aria-label", `only ${chapter.title}`);
      const first = line(head, chapter.title);
      first.append(alone);
      return { chapter, set, chosen, element: element("div", { class: "trainer-chapter" }, first, fold) };
    }

    group(part) {
      const own = this.rows.filter((row) => row.chapter.part === part);
      const all = button("All or none", () => {
        const none = own.every((row) => row.chosen().length === row.chapter.topics.length);
        own.forEach((row) => row.set(!none));
        this.tell();
      }, "trainer-small");
      all.setAttribute("aria-label", `All or none of ${part}`);
      return element("fieldset", { class: "trainer-field" }, element("legend", {}, part), all, ...own.map((row) => row.element));
    }

    get topics() {
      return this.rows.flatMap((row) => row.chosen());
    }

    get chapters() {
      return this.rows.filter((row) => row.chosen().length).map((row) => row.chapter);
    }
  }

  Object.assign(Trainer, { TopicChoice });
})();
