// What the trainer loads: scripts below _static/drills, which also load from the file system.
globalThis.Trainer = (() => {
  "use strict";
  const received = new Map();
  const loading = new Map();
  const FIRST = 0xe000; // the reverse of _ext/shared_markup.py

  const expand = (text, table) =>
    text.replace(/[\ue000-\uf8ff]/g, (sign) => expand(table[sign.charCodeAt(0) - FIRST], table));

  const root = () => document.documentElement.dataset.content_root || "./";

  // A promise of what the script of that name hands over.
  const load = (name, version = "") => {
    if (!loading.has(name)) {
      const script = document.createElement("script");
      const done = new Promise((resolve, reject) => {
        script.onload = () => resolve(received.get(name));
        script.onerror = () => reject(new Error(`The exercises of ${name} could not be loaded.`));
      });
      script.src = `${root()}_static/drills/${name}.js${version && `?v=${version}`}`;
      document.head.append(script);
      loading.set(name, done.catch((error) => { loading.delete(name); throw error; }));
    }
    return loading.get(name);
  };

  // One exercise of a topic's data, as Drill.as_json() of the library has it, with markup for its texts.
  const drill = (data, seed) => {
    const [statement, solution, answers] = data.exercises[seed];
    const open = (text) => expand(text, data.table);
    const slip = ([place, value]) => {
      const [says, card] = data.says[place];
      return { value, says: open(says), card: (data.cards ?? {})[card] };
    };
    const fields = answers.map(([frame, value, tolerance, slips = [], follows]) => {
      const field = data.fields[frame];
      const { label, rows, columns } = field;
      const own = { value, tolerance, slips: slips.map(slip), ...(follows === undefined ? {} : { follows }) };
      return { ...field, label: open(label), rows: rows.map(open), columns: columns.map(open), ...own };
    });
    const { topic, title, marks, minutes } = data;
    return { topic, title, seed, marks, minutes, statement: open(statement), solution: open(solution), fields };
  };

  return { receive: (name, value) => received.set(name, value), load, expand, drill, root };
})();
