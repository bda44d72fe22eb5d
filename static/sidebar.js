// The sidebar shows where one is: the theme scrolls it to where it was on the page before. An observer tells whether the
// entry of this page is in view, so that nothing has to be laid out for that.
(() => {
  const entry = [...document.querySelectorAll(".bd-sidebar-primary nav.bd-links a.current")].at(-1);
  if (!entry) return;
  const reveal = (box, seen, frame) => { box.scrollTop += seen.top - frame.top - frame.height / 3; };
  const look = () => {
    const box = entry.closest("dialog, .bd-sidebar-primary"), seen = entry.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (seen.height && (seen.top < frame.top + 100 || seen.bottom > frame.bottom)) reveal(box, seen, frame);
  };
  addEventListener("load", () => {
    const observer = new IntersectionObserver(([{ isIntersecting, boundingClientRect: seen }]) => {
      observer.disconnect();
      if (!isIntersecting && seen.height) look();
    }, { rootMargin: "-100px 0px 0px" }); // not below the search box
    observer.observe(entry);
  });
  document.querySelector(".primary-toggle")?.addEventListener("click", () => requestAnimationFrame(look)); // in the drawer
})();
