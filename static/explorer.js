// Explorers: each slider chooses a value of its parameter; the picture of that state is shown and its sentence read out.
document.querySelectorAll(".explorer").forEach((box) => {
  const frames = box.querySelectorAll(".explorer-frame");
  const sliders = [...box.querySelectorAll("input")];
  const text = box.querySelector(".explorer-text");
  const show = () => {
    // the pictures stand in the order of the grid: the last parameter changes fastest
    const now = sliders.reduce((index, slider) => index * (Number(slider.max) + 1) + Number(slider.value), 0);
    frames.forEach((frame, index) => { frame.hidden = index !== now; });
    text.textContent = frames[now].alt;
    sliders.forEach((slider) => {
      const value = JSON.parse(slider.dataset.values)[slider.value];
      slider.setAttribute("aria-valuetext", value);
      slider.nextElementSibling.textContent = value;
    });
  };
  sliders.forEach((slider) => slider.addEventListener("input", show));
  box.querySelector(".explorer-controls").hidden = false;
  show(); // a browser may keep the sliders where they were when the page is loaded again
});
