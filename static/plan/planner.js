// The plan to the day of an exam: what to do on which day, as a function of the chapters, the settings and what is done.
//
//   chapters  [{stem, title, page, hub, needs: stems, asked, read, cards, mistakes, quiz: labels; minutes: those of all cards,
//             of the quiz and of all mistakes; drills: [topic, title, minutes]; exercises: [label, minutes, title];
//             derivations: [title, minutes, address]}] in the order of the book; asked: in how many papers
//   settings  {chapters: stems, exam: day, minutes: of a day, off: weekdays (0 is Monday), free: days}
//   state     {done: {id: day}, moved: {id: day}, removed: [id], placed: {id: day} of the last plan}
//
// A day is a number, as bookProgress.dayOf gives it. No day gets more than its minutes unless something was moved there by
// hand. Prerequisites are read first, and a chapter is read before its exercises. The last day is kept for a paper and weak
// topics. What does not fit is left out, least asked first. A plan stays as it is until something slips.
globalThis.bookPlan = (() => {
  "use strict";
  const LEAST = 30; // minutes of a day
  const SESSION = 30; // what takes longer is done in parts, so that it fits on any day
  const AHEAD = 12; // how many items may wait for a day with more room while later ones go first
  const PAPER = { least: 20, most: 90, rest: 15, days: 4 }; // minutes; the first paper needs so many days
  // What an item is worth to what exams ask of its chapter; where they ask nothing, the order in which to leave out.
  const WORTH = { mistake: 0.3, quiz: 0.4, derivation: 0.5, drill: 0.7, card: 0.8, exercise: 0.9, read: 1 };

  const whole = ({ id }) => id.replace(/\.\d+$/, ""); // of which it may be a part
  const sum = (items) => items.reduce((total, item) => total + item.minutes, 0);
  const weekday = (day) => (day + 3) % 7; // day 0 was a Thursday

  const studyDays = ({ exam, off, free }, from) => Array.from({ length: Math.max(0, exam - from) }, (_, k) => from + k)
    .filter((day) => !off.includes(weekday(day)) && !free.includes(day));

  // --- what there is to do ------------------------------------------------------------------------------------------------

  // An item, or its parts, which are about equally long.
  const parts = (item) => {
    const count = Math.ceil(item.minutes / SESSION);
    if (count < 2) return [item];
    return Array.from({ length: count }, (_, k) => ({
      ...item, id: `${item.id}.${k + 1}`, part: [k + 1, count],
      minutes: Math.floor(item.minutes / count) + Number(k < item.minutes % count),
    }));
  };

  // The chosen chapters that come before a chapter, also by way of chapters that are not chosen.
  const before = (chapter, byStem, chosen, seen = new Set()) => chapter.needs.flatMap((stem) => {
    if (seen.has(stem) || !byStem.has(stem)) return [];
    seen.add(stem);
    return chosen.has(stem) ? [stem] : before(byStem.get(stem), byStem, chosen, seen);
  });

  const itemsOfChapter = (chapter) => {
    const { stem, minutes: [cards, quiz, mistakes] } = chapter;
    const item = (kind, minutes, name, address, id = stem) => ({ id: `${kind}:${id}`, kind, stem, minutes, name, address, part: null, needs: [] });
    const whole = [
      item("read", chapter.read, chapter.title, chapter.page),
      ...(chapter.cards.length ? [item("card", cards, chapter.title, `${chapter.hub}#hub-formulas`)] : []),
      ...chapter.derivations.map(([name, minutes, address]) => item("derivation", minutes, name, address, address.split("#")[1])),
      ...chapter.exercises.map(([label, minutes, name]) => item("exercise", minutes, name, `${chapter.page}#${label}`, label)),
      ...chapter.drills.map(([topic, name, minutes]) => item("drill", minutes, name, "", topic)),
      ...(chapter.quiz.length ? [item("quiz", quiz, chapter.title, `${chapter.page}#${chapter.quiz[0]}`)] : []),
      ...(chapter.mistakes.length ? [item("mistake", mistakes, chapter.title, `${chapter.hub}#hub-mistakes`)] : []),
    ];
    return whole.filter(({ minutes }) => minutes > 0).flatMap(parts);
  };

  // All items in their order, with those that must come before them.
  const itemsOf = (chapters, { chapters: stems }) => {
    const byStem = new Map(chapters.map((chapter) => [chapter.stem, chapter])), chosen = new Set(stems);
    const found = chapters.filter(({ stem }) => chosen.has(stem)).map((chapter) => [chapter, itemsOfChapter(chapter)]);
    const lastRead = new Map(found.map(([{ stem }, items]) => [stem, items.filter(({ kind }) => kind === "read").map(({ id }) => id).pop()]));
    const known = (ids) => ids.filter(Boolean);
    const ids = new Set(); // a derivation of two chapters is done once
    return found.flatMap(([chapter, items]) => items.map((item, k) => {
      const first = item.kind !== "read" ? known([lastRead.get(chapter.stem)])
        : item.part && item.part[0] > 1 ? [items[k - 1].id]
          : known(before(chapter, byStem, chosen).map((stem) => lastRead.get(stem)));
      return { ...item, needs: first };
    })).filter(({ id }) => !ids.has(id) && ids.add(id));
  };

  // Two papers, and weak topics in what the last day has left. The first paper needs some days, or has been planned already.
  const ends = (minutes, days, planned) => {
    const length = Math.min(PAPER.most, Math.max(PAPER.least, minutes - PAPER.rest));
    const item = (id, kind, long) => ({ id, kind, stem: "", minutes: long, name: "", address: "", part: null, needs: [] });
    const [last, secondLast] = [...days].reverse();
    return [
      ...(days.length >= PAPER.days || planned ? [[item("paper:1", "paper", length), secondLast]] : []),
      ...(days.length ? [[item("paper:2", "paper", length), last], [item("weak:all", "weak", minutes - length), last]] : []),
    ];
  };

  // --- which day ----------------------------------------------------------------------------------------------------------

  // Fill the days in their order, each with at most so many minutes; used: minutes of what is there already.
  const fill = (items, days, most, used) => {
    const placed = new Map(), here = new Set(items.map(({ id }) => id)), waiting = [...items];
    for (const day of days) {
      let left = most - (used.get(day) || 0);
      for (let k = 0; k < waiting.length && k <= AHEAD;) {
        const { id, minutes, needs } = waiting[k];
        if (minutes <= left && needs.every((need) => !here.has(need) || placed.has(need))) {
          placed.set(id, day);
          left -= minutes;
          waiting.splice(k, 1);
        } else k += 1;
      }
    }
    return placed;
  };

  // The order in which to leave out: what exams ask least first; reading counts as much as the chapters that build on it.
  const leaveOut = (items, chapters) => {
    const asked = new Map(chapters.map((chapter) => [chapter.stem, chapter.asked])), weight = new Map();
    const place = new Map(items.map((item, k) => [item.id, k]));
    for (const item of [...items].reverse()) {
      const own = Math.max(asked.get(item.stem), weight.get(item.id) || 0);
      weight.set(item.id, own);
      if (item.kind === "read") item.needs.forEach((need) => weight.set(need, Math.max(own, weight.get(need) || 0)));
    }
    const worth = ({ id, kind }) => weight.get(id) * WORTH[kind];
    return [...items].sort((a, b) => worth(a) - worth(b) || WORTH[a.kind] - WORTH[b.kind] || place.get(b.id) - place.get(a.id));
  };

  // What fits, evenly spread, and what is left out.
  const spread = (items, chapters, days, minutes, used) => {
    const room = days.reduce((total, day) => total + Math.max(0, minutes - (used.get(day) || 0)), 0);
    const order = leaveOut(items, chapters), gone = new Set(), left = [];
    let kept = items, placed;
    const drop = (enough) => {
      let dropped = 0;
      while (dropped < enough && order.length) {
        const name = whole(order[0]), parts = order.filter((item) => whole(item) === name); // half of it helps little
        parts.forEach(({ id }) => { gone.add(id); order.splice(order.findIndex((item) => item.id === id), 1); });
        dropped += sum(parts);
        left.push(parts);
      }
      kept = items.filter(({ id }) => !gone.has(id));
    };
    drop(sum(items) - room);
    while ((placed = fill(kept, days, minutes, used)).size < kept.length) drop(sum(kept.filter(({ id }) => !placed.has(id))));
    // Whole items are dropped, and leave gaps: what exams ask most of it, and fits there, goes back.
    for (const parts of left.reverse()) {
      const own = new Set(parts.map(({ id }) => id));
      if (sum(kept) + sum(parts) > room || parts.some(({ needs }) => needs.some((id) => gone.has(id) && !own.has(id)))) continue;
      const more = items.filter(({ id }) => !gone.has(id) || own.has(id)), found = fill(more, days, minutes, used);
      if (found.size < more.length) continue;
      own.forEach((id) => gone.delete(id));
      [kept, placed] = [more, found];
    }
    let [low, high] = [0, minutes];
    while (high - low > 1) { // the shortest days that are enough
      const most = Math.floor((low + high) / 2), found = fill(kept, days, most, used);
      if (found.size === kept.length) [high, placed] = [most, found];
      else low = most;
    }
    return placed;
  };

  // Days with their items, what is left out, what has slipped and what was taken out by hand; placed is for the next plan.
  const plan = (chapters, settings, state, today) => {
    const days = studyDays(settings, today), removed = new Set(state.removed), { done, moved } = state;
    const planned = "paper:1" in state.placed || "paper:1" in done;
    const fixed = ends(settings.minutes, days, planned).filter(([{ minutes }]) => minutes > 0);
    const all = [...itemsOf(chapters, settings), ...fixed.map(([item]) => item)];
    const open = all.filter(({ id }) => !(id in done) && !removed.has(id));
    const then = { ...state.placed, ...moved };
    const slipped = open.filter(({ id }) => then[id] < today);
    const byHand = open.filter(({ id }) => moved[id] >= today && moved[id] < settings.exam);
    const where = new Map(byHand.map(({ id }) => [id, moved[id]]));
    const stays = !slipped.length && Object.keys(state.placed).length > 0;
    const rest = open.filter(({ id }) => !where.has(id));
    if (stays) rest.forEach(({ id }) => { if (days.includes(state.placed[id])) where.set(id, state.placed[id]); });
    else {
      fixed.forEach(([{ id }, day]) => { if (day !== undefined && rest.some((item) => item.id === id)) where.set(id, day); });
      const used = new Map();
      const use = (day, minutes) => used.set(day, (used.get(day) || 0) + minutes);
      open.forEach(({ id, minutes }) => { if (where.has(id)) use(where.get(id), minutes); });
      all.forEach(({ id, minutes }) => { if (done[id] === today && !removed.has(id)) use(today, minutes); });
      const free = rest.filter(({ id }) => !where.has(id));
      spread(free, chapters, days.slice(0, -1), settings.minutes, used).forEach((day, id) => where.set(id, day));
    }
    // What is done stays where it was planned, or stands on the day on which it was done.
    const dayOf = ({ id }) => (id in done ? (stays && state.placed[id] >= today ? state.placed[id] : done[id]) : where.get(id));
    const listed = all.filter(({ id }) => !removed.has(id));
    const shown = [...new Set([...days, ...listed.map(dayOf).filter((day) => day >= today)])].sort((a, b) => a - b).map((day) => {
      const items = listed.filter((item) => dayOf(item) === day).map((item) => ({ ...item, done: item.id in done }));
      const over = items.every((item) => item.done) ? 0 : Math.max(0, sum(items) - settings.minutes);
      return { day, items, minutes: sum(items), over };
    });
    return {
      days: shown, slipped, leftOut: open.filter(({ id }) => !where.has(id)), removed: all.filter(({ id }) => removed.has(id)),
      done: listed.filter(({ id }) => id in done), all,
      placed: { ...(stays ? state.placed : {}), ...Object.fromEntries(listed.map((item) => [item.id, dayOf(item)]).filter(([, day]) => day !== undefined)) },
    };
  };

  return { LEAST, plan, itemsOf, studyDays, weekday };
})();
