// The plan as a calendar file: an entry for each day. The library is loaded when the first file is asked for.
(() => {
  "use strict";
  const LIBRARY = "_static/ical-generator/ical-generator-10.2.0.js", DAY = 24 * 60 * 60 * 1000;
  let loading = null;

  const load = () => {
    loading ||= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.onload = () => resolve(globalThis.icalGenerator);
      script.onerror = () => { loading = null; reject(new Error("The calendar could not be made: its script could not be loaded.")); };
      script.src = `${Trainer.root()}${LIBRARY}`;
      document.head.append(script);
    });
    return loading;
  };

  // entries: [{day, title, text}]. An entry keeps its id, so that a later file replaces it.
  const calendar = async (name, entries) => {
    const made = (await load()).default({ name, prodId: "//Machine Learning, Derived//Plan//EN" });
    entries.forEach(({ day, title, text }) => {
      const { 0: year, 1: month, 2: date } = new Date(day * DAY).toISOString().slice(0, 10).split("-").map(Number);
      made.createEvent({ id: `plan-${day}@machine-learning-derived`, start: new Date(year, month - 1, date), allDay: true, summary: title, description: text });
    });
    return made.toString();
  };

  Object.assign(bookPlan, { calendar });
})();
