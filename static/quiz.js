// The quizzes: explanations are read out to screen readers, answers and score are kept, and a question that is answered is
// scheduled to come back. What is seen is up to the style sheet alone, so a question also works without this script.
document.addEventListener("DOMContentLoaded", () => {
  const KEY = "book-quiz";
  const items = [...document.querySelectorAll(".quiz")].filter((item) => item.querySelector(".quiz-input"));
  if (!items.length) return;
  const inputs = (item) => [...item.querySelectorAll(".quiz-input")];

  // What is kept: for each question the boxes that are checked, whether the first answer was right, and the time.
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {};
    }
  };
  // Another tab may have written meanwhile: read again, and change nothing but what was asked for. What the storage does
  // not take lasts as long as the page; null stands for an answer that is taken back.
  let waiting = {};
  const merged = () => Object.fromEntries(Object.entries({ ...read(), ...waiting }).filter(([, answer]) => answer));
  const change = (answers) => {
    Object.assign(waiting, answers);
    kept = merged();
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
      waiting = {};
    } catch { /* it waits */ }
  };
  let kept = read();

  const isRight = (input) =>
    input.matches(".quiz-true-false .quiz-input")
      ? input.classList.contains("right")
      : Boolean(input.parentElement.querySelector(".quiz-feedback.right"));
  const answered = (item) => inputs(item).every((input) => input.checked === isRight(input));

  // How an answer went, once it is one: of several boxes a right one alone says nothing yet.
  const verdict = (item, checked) => {
    const chosen = inputs(item).filter((input) => checked.includes(input.id));
    if (!chosen.length) return null;
    if (chosen.some((input) => !isRight(input))) return 0;
    return inputs(item).every((input) => isRight(input) === chosen.includes(input)) ? 1 : null;
  };
  const schedule = (item, before, checked, now) => {
    if (!globalThis.bookMemory || verdict(item, before) !== null) return;
    const share = verdict(item, checked), kind = item.matches(".quiz-true-false") ? "statement" : "question";
    if (share !== null) bookMemory.record(bookMemory.browser, `${kind}:${item.id}`, { share }, now);
  };

  const live = document.createElement("div");
  live.className = "quiz-live";
  live.setAttribute("aria-live", "polite");
  document.body.append(live);

  const bar = document.createElement("p");
  bar.className = "quiz-score";
  const text = document.createElement("span");
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Start again" });
  bar.append(text, " ", again);
  (document.querySelector(".statement-list") || items[0]).before(bar);

  const score = () => {
    const shown = items.filter((item) => !item.closest("[hidden]"));
    const done = shown.filter((item) => kept[item.id]);
    const right = done.filter((item) => kept[item.id].right).length;
    text.textContent = `${done.length} of ${shown.length} answered, ${right} right at the first try.`;
    again.hidden = !done.length;
  };

  const show = () => {
    items.forEach((item) => inputs(item).forEach((input) => {
      input.checked = Boolean(kept[item.id]?.checked.includes(input.id));
    }));
    score();
  };

  items.forEach((item) => {
    inputs(item).forEach((input) => {
      input.addEventListener("change", () => {
        const checked = inputs(item).filter((one) => one.checked).map((one) => one.id);
        const several = item.classList.contains("quiz-multiple"); // its first answer takes more than one click
        const right = several || !kept[item.id] ? answered(item) : kept[item.id].right;
        const before = kept[item.id]?.checked || [], at = Date.now();
        schedule(item, before, checked, at); // first: another tab takes an answer alone for one of an earlier version
        change({ [item.id]: { checked, right, at } });
        const feedback = input.parentElement.querySelector(".quiz-feedback");
        live.textContent = input.checked && feedback ? feedback.innerText : "";
        score();
      });
    });
  });
  again.addEventListener("click", () => {
    change(Object.fromEntries(items.filter((item) => !item.closest("[hidden]")).map((item) => [item.id, null])));
    show();
    inputs(items.find((item) => !item.closest("[hidden]")))[0].focus();
  });
  document.addEventListener("book-statements", score);
  addEventListener("storage", ({ key }) => {
    if (key !== KEY && key !== null) return;
    kept = merged();
    show();
  });
  show();
});
