// Worksheets for paper, as notes_lib/drills/worksheets.py makes them: the same exercises and answers.
(() => {
  "use strict";
  const { element, button, count, worth, labelled, watchWide } = Trainer;
  const TO_DO = 3, LEAST = 40, MINUTE = 6, MOST = 150;

  const sheetSeeds = (sheet) => Array.from({ length: TO_DO + 1 }, (_, k) => sheet * (TO_DO + 1) + k);
  const room = (minutes) => Math.min(MOST, Math.max(LEAST, MINUTE * minutes));

  // A number to the digit that its tolerance leaves; half a digit goes away from 0, as toFixed does for what is not negative.
  const number = (value, off) => {
    const places = Math.max(0, -Math.floor(Math.log10(2 * off) + 1e-6));
    const fixed = Math.abs(value).toFixed(places), text = places ? fixed.replace(/\.?0+$/, "") : fixed;
    return value < 0 && text !== "0" ? `−${text}` : text;
  };
  const row = (values, off) => values.map((value, k) => number(value, off[k])).join(", ");
  const words = (list) => list.join(", ") || "none";
  const SHOWN = {
    own: () => "compare with the solution",
    number,
    vector: (value, off) => `(${row(value, off)})`,
    matrix: (value, off) => `(${value.map((each, k) => row(each, off[k])).join("; ")})`,
    groups: (value) => value.map(words).join("; "),
  };
  const shown = ({ kind, value, tolerance }) =>
    kind in SHOWN ? SHOWN[kind](value, tolerance) : Array.isArray(value) ? words(value) : String(value);

  Object.assign(Trainer, { sheetSeeds, room, shown });
  if (typeof document === "undefined") return;

  // --- the sheet ------------------------------------------------------------------------------------------------------

  // A heading of the sheet, on the level below that of the page's title.
  const heading = (level, text, attributes) => element(`h${level}`, attributes, text);

  const example = (drill) => [
    heading(4, "Worked example"), element("div", { html: drill.statement }),
    element("p", { class: "worksheet-solution" }, element("strong", {}, "Solution")), element("div", { html: drill.solution }),
  ];
  const exercise = (drill, k) => [
    heading(4, `Exercise ${k + 1}`), element("div", { html: drill.statement }),
    element("div", { class: "worksheet-room", style: `height: ${room(drill.minutes)}mm` }),
  ];
  const answers = (drill, k, trainer) => {
    const seed = `seed ${drill.seed}`, address = `${trainer}#topic=${drill.topic}&seed=${drill.seed}`;
    const line = element("p", {}, element("strong", {}, String(k + 1)), " (", trainer ? element("a", { href: address }, seed) : seed, "): ");
    drill.fields.forEach((field, n) => line.append(n ? "; " : "", element("span", { html: field.label }), `: ${shown(field)}`));
    line.append(".");
    return line;
  };

  const sheetOf = (chapter, sheet, drills, trainer) => {
    const minutes = drills.reduce((sum, [worked]) => sum + TO_DO * worked.minutes, 0);
    const parts = drills.flatMap(([worked, ...toDo]) => [
      heading(3, `${worked.title} (${worth(worked.marks)}, ${worked.minutes} minutes)`),
      ...example(worked), ...toDo.flatMap(exercise),
    ]);
    const ends = drills.flatMap(([, ...toDo]) => [heading(4, toDo[0].title), ...toDo.map((drill, k) => answers(drill, k, trainer))]);
    return [
      heading(2, `Worksheet ${sheet}: ${chapter.title}`, { tabindex: "-1" }),
      element("p", {}, `Of each of ${count(drills.length, "drill")} a worked example and ${TO_DO} exercises, about ${minutes} minutes in all. The answers stand on the last page, the full solutions in the trainer, under the topic and the seed.`),
      ...parts, heading(3, "Answers", { class: "worksheet-answers" }), ...ends,
    ];
  };

  // --- the page -------------------------------------------------------------------------------------------------------

  class WorksheetPage {
    constructor(host, index) {
      Object.assign(this, { host, index, trainer: host.dataset.trainer || "" });
      this.chapters = index.chapters.filter((chapter) => chapter.topics.length);
      this.sheets = Math.floor(index.seeds / (TO_DO + 1));
      this.notice = element("p", { class: "trainer-notice", role: "status" });
      this.chapter = element("select", { id: "worksheet-chapter" }, ...this.groups());
      this.sheet = element("select", { id: "worksheet-sheet" },
        ...Array.from({ length: this.sheets }, (_, k) => element("option", { value: k }, String(k))));
      [this.chapter, this.sheet].forEach((input) => input.addEventListener("change", () => {
        location.hash = `#chapter=${this.chapter.value}&seed=${this.sheet.value}`;
      }));
      this.place = element("div", { class: "worksheet" });
      host.replaceChildren(
        element("div", { class: "worksheet-form" },
          element("div", { class: "trainer-cells" }, labelled("Chapter", this.chapter), labelled("Sheet", this.sheet)),
          element("div", { class: "trainer-buttons" }, button("Print, or save as PDF", () => window.print(), "trainer-main")), this.notice),
        this.place);
    }

    groups() {
      return [...new Set(this.chapters.map((chapter) => chapter.part))].map((part) => {
        const group = element("optgroup", { label: part });
        const own = this.chapters.filter((chapter) => chapter.part === part);
        group.append(...own.map(({ stem, title }) => element("option", { value: stem }, title)));
        return group;
      });
    }

    async fromAddress() {
      const asked = new URLSearchParams(location.hash.slice(1)), stem = asked.get("chapter"), sheet = Number(asked.get("seed") ?? 0);
      const chapter = stem ? this.chapters.find((one) => one.stem === stem) : this.chapters[0];
      if (!chapter) return this.say(`No chapter with drills is called “${stem}”.`);
      if (!Number.isInteger(sheet) || sheet < 0 || sheet >= this.sheets) {
        return this.say(`This page has the sheets 0 to ${this.sheets - 1}; in a terminal, python3 run.py worksheet ${chapter.stem} --seed N writes any other.`);
      }
      return this.show(chapter, sheet);
    }

    async show(chapter, sheet) {
      const turn = (this.turn = {}); // who chooses again before all is loaded sees the later sheet
      try {
        const data = await Promise.all(chapter.topics.map(({ topic, version }) => Trainer.load(topic, version)));
        if (turn !== this.turn) return;
        const drills = data.map((each) => sheetSeeds(sheet).map((seed) => Trainer.drill(each, seed)));
        this.say("");
        this.place.replaceChildren(...sheetOf(chapter, sheet, drills, this.trainer));
        Object.assign(this.chapter, { value: chapter.stem });
        Object.assign(this.sheet, { value: String(sheet) });
        watchWide(this.host);
        this.host.dataset.ready = `${chapter.stem} ${sheet}`;
      } catch (error) {
        this.say(error.message);
      }
    }

    say(sentence) {
      this.notice.textContent = sentence;
    }
  }

  const start = async () => {
    const host = document.querySelector(".worksheet-page");
    let index;
    try {
      index = await Trainer.load("index");
    } catch {
      return; // what stands on the page stays
    }
    const page = new WorksheetPage(host, index);
    addEventListener("hashchange", () => page.fromAddress());
    await page.fromAddress();
  };
  start();
})();
