// Reads the explanation of a chosen answer out to screen readers; what is seen is up to the style sheet alone.
document.addEventListener("DOMContentLoaded", () => {
  const live = document.createElement("div");
  live.className = "quiz-live";
  live.setAttribute("aria-live", "polite");
  document.body.append(live);
  document.querySelectorAll(".quiz-input").forEach((input) =>
    input.addEventListener("change", () => {
      const feedback = input.parentElement.querySelector(".quiz-feedback");
      live.textContent = input.checked && feedback ? feedback.innerText : "";
    })
  );
});
