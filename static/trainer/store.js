// What is kept in the browser: how each topic went and when it comes back, and the paper under way.
(() => {
  "use strict";
  const KEY = "machine-learning-derived.trainer", VERSION = 1, FORMAT = "machine-learning-derived trainer";
  const INTERVALS = [1, 3, 7, 21]; // days after which a topic comes back, longer each time it goes well
  const GOOD = 0.8; // share of the marks
  const DAY = 24 * 60 * 60 * 1000;
  const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

  const whole = (value) => Number.isInteger(value) && value >= 0;
  const soundEntry = (entry) =>
    entry !== null && typeof entry === "object" && whole(entry.box) && entry.box < INTERVALS.length && whole(entry.due) &&
    whole(entry.done) && typeof entry.share === "number" && entry.share >= 0 && entry.share <= 1;
  const sound = (topics) =>
    topics !== null && typeof topics === "object" && !Array.isArray(topics) &&
    Object.entries(topics).every(([topic, entry]) => SLUG.test(topic) && soundEntry(entry));

  // The number of a day, by the clock of the student.
  const dayOf = (time) => Math.floor((time - new Date(time).getTimezoneOffset() * 60000) / DAY);

  class Store {
    // storage: gives the browser's storage (reading it may already be forbidden); say: shows a sentence.
    constructor(storage, now, say) {
      Object.assign(this, { storage, now, say, topics: {}, paper: null, draft: null });
      this.read();
    }

    read() {
      let text = null;
      try {
        text = this.storage().getItem(KEY);
      } catch {
        this.say("This browser keeps nothing for this page: your progress lasts until you close it. You can save it as a file.");
        return;
      }
      if (text === null) return;
      try {
        const { version, topics, paper, draft } = JSON.parse(text);
        if (version !== VERSION || !sound(topics)) throw new Error();
        Object.assign(this, { topics, paper: paper || null, draft: draft || null });
      } catch {
        this.say("The progress that this browser holds cannot be read; it is set aside, and you begin anew.");
        this.put(`${KEY}.unreadable`, text);
      }
    }

    put(key, text) {
      try {
        this.storage().setItem(key, text);
        return true;
      } catch {
        this.say("This browser cannot store your progress (its storage is full or blocked). Nothing on this page is lost while it stays open; save it as a file to keep it.");
        return false;
      }
    }

    write() {
      return this.put(KEY, JSON.stringify({ version: VERSION, topics: this.topics, paper: this.paper, draft: this.draft }));
    }

    // An exercise is over. Only a topic that is due moves on: the same one twice on a day proves little.
    record(topic, share) {
      const today = dayOf(this.now()), old = this.topics[topic];
      const entry = { box: 0, due: today + INTERVALS[0], done: (old ? old.done : 0) + 1, share };
      if (share >= GOOD && old) {
        const due = old.due <= today;
        entry.box = due ? Math.min(old.box + 1, INTERVALS.length - 1) : old.box;
        entry.due = due ? today + INTERVALS[entry.box] : old.due;
      }
      this.topics[topic] = entry;
      return this.write();
    }

    // Topics that come back today, the weakest first.
    due() {
      const today = dayOf(this.now());
      const entries = Object.entries(this.topics).filter(([, entry]) => entry.due <= today);
      return entries.sort((a, b) => a[1].share - b[1].share || a[1].due - b[1].due).map(([topic]) => topic);
    }

    // What is typed into an exercise: a phone may drop the page while one looks something up.
    keepDraft(draft) {
      this.draft = draft;
      return this.write();
    }

    keepPaper(paper) {
      this.paper = paper;
      return this.write();
    }

    // Forget how the topics went; a paper under way stays, since its answers stand on the page.
    clear() {
      Object.assign(this, { topics: {}, draft: null });
      try {
        [KEY, `${KEY}.unreadable`].forEach((key) => this.storage().removeItem(key));
      } catch { /* there is nothing to remove */ }
      if (this.paper) this.write();
    }

    exported() {
      return JSON.stringify({ format: FORMAT, version: VERSION, topics: this.topics }, null, 1);
    }

    // Add the progress of a file; of a topic that both have, that with more exercises stays. Returns what to say.
    imported(text) {
      let file;
      try {
        file = JSON.parse(text);
      } catch {
        return "This file is not JSON: nothing was changed.";
      }
      if (file === null || file.format !== FORMAT) return "This file holds no progress of this book: nothing was changed.";
      if (file.version !== VERSION) return "This file is of another version of the trainer: nothing was changed.";
      if (!sound(file.topics)) return "This file is damaged: nothing was changed.";
      for (const [topic, { box, due, done, share }] of Object.entries(file.topics)) {
        const own = this.topics[topic];
        if (!own || own.done < done) this.topics[topic] = { box, due, done, share };
      }
      this.write();
      return `Progress of ${Object.keys(file.topics).length} topics was read.`;
    }
  }

  Object.assign(Trainer, { Store, GOOD, dayOf });
})();
