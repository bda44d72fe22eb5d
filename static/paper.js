// A sample paper: below its title a button that prints it.
(() => {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Print, or save as PDF" });
  button.addEventListener("click", () => window.print());
  const place = Object.assign(document.createElement("p"), { className: "paper-print" });
  place.append(button);
  document.querySelector(":is(article, .body) h1").after(place);
})();
