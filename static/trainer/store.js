// What the trainer keeps in the browser, beside how each topic went (bookProgress): what is typed into exercises, and the
// paper under way. Each is an entry of its own, so that another tab takes nothing away.
(() => {
  "use strict";
  const { OURS, GOOD, dayOf, object, parsed, get, put, under } = bookProgress;
  const PAPER = `${OURS}paper`, ANSWER = `${PAPER}.`, DRAFT = `${OURS}draft.`;
  const MOST_DRAFTS = 20, SECONDS = 60;

  // A paper that two tabs have open: of each question the answer that was typed last.
  const unitePapers = (plan, other) => {
    if (!other || other.end !== plan.end || other.seed !== plan.seed) return plan;
    const times = [...(plan.times || [])], values = [...plan.values];
    (other.times || []).forEach((time, n) => {
      if (!((times[n] || 0) >= time)) [times[n], values[n]] = [time, other.values[n]];
    });
    return { ...plan, times, values, handedIn: plan.handedIn || other.handedIn };
  };

  class Store {
    // ask: gives the browser's storage (reading it may already be forbidden); say: shows a sentence that stays.
    constructor(ask, now, say) {
      Object.assign(this, { ask, now, told: false });
      this.say = (sentence) => {
        if (!this.told) say(sentence);
        this.told = true;
      };
      if (!bookProgress.works(ask)) this.say("This browser keeps nothing for this page: your progress lasts until you close it. You can save it as a file.");
      bookProgress.read(ask);
      if (bookProgress.unread(ask)) this.say("Some of the progress that this browser holds cannot be read; it is set aside, and you begin anew there. “Clear” removes it.");
    }

    // Whether it was stored.
    done(stored) {
      if (!stored) this.say("This browser cannot store your progress (its storage is full or blocked). Nothing on this page is lost while it stays open; save it as a file to keep it.");
      return stored;
    }

    get topics() {
      return bookProgress.read(this.ask).topics;
    }

    // An exercise is over. A page that is left open does not make it last longer than twice its minutes.
    record(topic, share, { began = this.now(), minutes = 0 } = {}) {
      const seconds = Math.min((this.now() - began) / 1000, 2 * SECONDS * minutes);
      return this.done(bookMemory.record(this.ask, `drill:${topic}`, { share, seconds }, this.now()));
    }

    // Topics that come back today, the weakest first.
    due() {
      const today = dayOf(this.now()), topics = Object.entries(this.topics).filter(([, entry]) => entry.due <= today);
      return topics.sort((a, b) => a[1].share - b[1].share || a[1].due - b[1].due).map(([topic]) => topic);
    }

    // What is typed into an exercise: a phone may drop the page while one looks something up. values null: nothing.
    keepDraft(topic, seed, values) {
      const text = values && JSON.stringify({ at: this.now(), values });
      const stored = put(this.ask, `${DRAFT}${topic}.${seed}`, text);
      const all = under(this.ask, DRAFT).map((name) => [parsed(get(this.ask, DRAFT + name)).at || 0, name]).sort((a, b) => b[0] - a[0]);
      all.slice(MOST_DRAFTS).forEach(([, name]) => put(this.ask, DRAFT + name, null));
      return this.done(stored);
    }

    draft(topic, seed) {
      const { values } = parsed(get(this.ask, `${DRAFT}${topic}.${seed}`));
      return Array.isArray(values) ? values : null;
    }

    // The paper under way, with its answers, which are entries of their own.
    get paper() {
      const { plan } = parsed(get(this.ask, PAPER));
      if (!plan || !Array.isArray(plan.items)) return null;
      const times = [...(plan.times || [])], values = [...(plan.values || [])];
      plan.items.forEach((_, n) => {
        const { end, seed, at, value } = parsed(get(this.ask, ANSWER + n));
        if (end === plan.end && seed === plan.seed && Array.isArray(value)) [times[n], values[n]] = [at, value];
      });
      return { ...plan, times, values };
    }

    // Keep of a paper what another tab has not stored already; null: it is over. Returns it with the answers of both.
    keepPaper(plan) {
      if (!plan) {
        [PAPER, ...under(this.ask, ANSWER).map((n) => ANSWER + n)].forEach((key) => this.done(put(this.ask, key, null)));
        return null;
      }
      const both = unitePapers(plan, this.paper), { end, seed, values, times } = both;
      const keep = (key, text) => { if (get(this.ask, key) !== text) this.done(put(this.ask, key, text)); };
      keep(PAPER, JSON.stringify({ plan: { ...both, values: undefined, times: undefined } }));
      values.forEach((value, n) => keep(ANSWER + n, JSON.stringify({ end, seed, at: (times || [])[n] || 0, value })));
      return both;
    }

    // Forget all that was done; a paper under way stays, since its answers stand on the page.
    clear() {
      bookFile.clear(this.ask);
    }

    exported() {
      return bookFile.exported(this.ask, this.now());
    }

    // Add the progress of a file. Returns what to say.
    imported(text) {
      const { told, stored } = bookFile.imported(this.ask, text);
      this.done(stored);
      return told;
    }
  }

  Object.assign(Trainer, { Store, GOOD, PAPER, dayOf, object });
})();
