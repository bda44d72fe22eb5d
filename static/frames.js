// The frames of an animation are files of their own. The browser fetches the one that is seen when it comes near; the
// hidden ones are asked for here at that time, so that they are there when the reader turns to them.
const fetchFrames = new IntersectionObserver(
  (entries) =>
    entries.filter((entry) => entry.isIntersecting).forEach(({ target: box }) => {
      fetchFrames.unobserve(box);
      box.querySelectorAll("img").forEach((frame) => { frame.loading = "eager"; });
    }),
  { rootMargin: "50% 0px" }
);
document.querySelectorAll(".anim-player, .explorer").forEach((box) => fetchFrames.observe(box));
