// When something comes back: FSRS (the library ts-fsrs) on the answers that bookProgress keeps. The state of an item
// follows from its answers alone, so that two records of it, once united, agree again after the next answer.
globalThis.bookMemory = (() => {
  "use strict";
  const LIBRARY = "_static/fsrs/ts-fsrs-5.4.2.js";
  const SETTINGS = { enable_short_term: false, enable_fuzz: false, request_retention: 0.9, maximum_interval: 365 }; // days
  const { browser, dayOf, item, keepItem, setItem, rating } = bookProgress;

  // The same thing twice on a day proves little: of each day the worst answer counts.
  const byDay = (answers) => {
    const days = new Map();
    answers.forEach(([time, rated]) => days.set(dayOf(time), Math.min(rated, days.get(dayOf(time)) || rated)));
    return [...days].sort((a, b) => a[0] - b[0]);
  };

  // What FSRS remembers after the answers, and the day on which to ask again.
  const scheduled = (answers) => {
    const scheduler = FSRS.fsrs(SETTINGS);
    let memory = null, before = null;
    for (const [day, rated] of byDay(answers)) {
      memory = scheduler.next_state(memory, before === null ? 0 : day - before, rated);
      before = day;
    }
    const { stability, difficulty } = memory;
    return { memory: { stability, difficulty }, due: before + scheduler.next_interval(stability, 0) };
  };

  // In how many days an item would come back, for each of the four answers.
  const preview = (ask, id, now) => {
    const old = item(ask, id);
    return [1, 2, 3, 4].map((rated) => scheduled([...(old ? old.answers : []), [now, rated, 0, null]]).due - dayOf(now));
  };

  let loading = null;
  const load = () => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { onload: resolve, onerror: reject, src: (document.documentElement.dataset.content_root || "./") + LIBRARY });
    document.head.append(script);
  });
  // The library, on pages that seldom need it, comes with the first answer.
  const ready = () => (globalThis.FSRS ? Promise.resolve() : (loading ||= load()));

  const settle = (ask, id) => {
    const { at, answers } = item(ask, id);
    return setItem(ask, id, { at, answers, ...scheduled(answers) });
  };

  // Keep an answer: {rating} or, of drills and quizzes, {share} of the marks; seconds: time spent. Whether it was stored.
  const record = (ask, id, { share = null, rating: rated = rating(share), seconds = 0 }, now) => {
    const old = item(ask, id), answers = [...(old ? old.answers : []), [now, rated, Math.round(seconds), share]];
    const tomorrow = { memory: old && old.memory, due: dayOf(now) + 1 };
    const stored = keepItem(ask, id, { at: now, answers, ...(globalThis.FSRS ? scheduled(answers) : tomorrow) });
    if (!globalThis.FSRS) ready().then(() => settle(ask, id), () => { /* it comes back tomorrow */ });
    return stored;
  };

  return { scheduled, preview, settle, record, ready, browser };
})();
