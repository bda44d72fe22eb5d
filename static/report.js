// "Report a mistake" says where the reader is: the section on the screen, and the version of the book. Without this
// script the link names the chapter only.
(() => {
  const link = document.querySelector(".btn-source-issues-button");
  if (!link) return;
  const empty = link.href; // with its two lines left open

  // the last heading that is above the middle of the screen
  const section = () => {
    const seen = [...document.querySelectorAll("main section > :is(h2, h3, h4)")].filter(
      (heading) => heading.checkVisibility?.() !== false && heading.getBoundingClientRect().top < innerHeight / 2,
    );
    const heading = seen.at(-1)?.cloneNode(true);
    heading?.querySelectorAll(".headerlink").forEach((mark) => mark.remove());
    heading?.querySelectorAll(".katex").forEach((formula) => formula.replaceWith(`$${formula.querySelector("annotation").textContent}$`));
    return heading ? heading.textContent.trim().replace(/\s+/g, " ") : "at the top";
  };
  const version = () =>
    getComputedStyle(document.documentElement).getPropertyValue("--book-version").trim().replace(/^"(?:Version )?|"$/g, "");

  const fill = () => {
    const url = new URL(empty);
    for (const [name, text] of [...url.searchParams]) {
      const filled = text.replace("Section: ", () => `Section: ${section()}`).replace("Version: ", () => `Version: ${version()}`);
      url.searchParams.set(name, filled);
    }
    link.href = url.href;
  };
  // each way to follow or to copy a link begins with one of these
  for (const kind of ["pointerdown", "click", "auxclick", "contextmenu", "focus"]) link.addEventListener(kind, fill);
})();
