// What the address of the page asks for; of what is not there, the nearest.
(() => {
  "use strict";

  // How many letters have to be changed, put in or left out to make one word of another.
  const distance = (one, other) => {
    let row = [...Array(other.length + 1).keys()];
    [...one].forEach((letter, i) => {
      const next = [i + 1];
      [...other].forEach((own, k) => next.push(Math.min(row[k + 1] + 1, next[k] + 1, row[k] + (letter === own ? 0 : 1))));
      row = next;
    });
    return row[other.length];
  };

  // The topic whose name is nearest: one that holds all that was asked for, or else the one with the fewest changes.
  const nearest = (asked, topics) => {
    const word = asked.toLowerCase().slice(0, 60), holds = (topic) => (word && topic.includes(word) ? 0 : 1);
    const far = ({ topic }) => [holds(topic), distance(word, topic)];
    const scored = topics.map((topic) => ({ topic, far: far(topic) }));
    return scored.reduce((best, one) => (one.far[0] - best.far[0] || one.far[1] - best.far[1]) < 0 ? one : best).topic;
  };

  // {topic, seed, missing}: an exercise that is there; missing: a sentence, if it is not the one that was asked for.
  // Without a seed (null) one is drawn.
  const placeOf = (name, text, topics, seeds, random = Math.random) => {
    const known = topics.find(({ topic }) => topic === name), { topic } = known || nearest(name, topics);
    const wanted = text === null ? Math.floor(random() * seeds) : Number(text || NaN);
    const seed = Number.isFinite(wanted) ? Math.min(Math.max(Math.round(wanted), 0), seeds - 1) : 0;
    const missing = [known ? "" : `There is no topic “${name}”.`, seed === wanted ? "" :
      `This page has the seeds 0 to ${seeds - 1}; in a terminal, python -m notes_lib.drills ${topic} --seed N draws any other.`];
    return { topic, seed, missing: missing.filter(Boolean).join(" ") };
  };

  const hashOf = (topic, seed) => `#topic=${topic}&seed=${seed}`;

  Object.assign(Trainer, { nearest, placeOf, hashOf });
})();
