// What all live figures share: an SVG with axes in the place of the picture, marks that are dragged by mouse, finger or
// arrow keys, buttons, and a sentence that is read out. The idea's own script brings the formulas and draws:
// liveFigure.begin("leverage", (figure) => ...) is called for each figure of this idea.
var liveFigure = (function () {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 24; // px: what a finger hits
  const MARKS = {
    circle: "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z",
    square: "M-5.5-5.5H5.5V5.5H-5.5Z",
    triangle: "M0-7L6.5 5H-6.5Z",
    diamond: "M0-7.5L6 0L0 7.5L-6 0Z",
  };

  function element(name, attributes, parent, text) {
    const made = name === "svg" || parent instanceof SVGElement ? document.createElementNS(SVG, name) : document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  }

  // A number for a reader: so many significant digits, no exponent where it can be helped, a true minus sign.
  function shown(value, digits = 3) {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "undefined";
    if (value === 0) return "0";
    const size = Math.floor(Math.log10(Math.abs(value)));
    const text = size < -4 || size > 6 ? value.toExponential(digits - 1) : value.toFixed(Math.max(0, digits - 1 - size));
    return text.replace(/-/g, "−");
  }

  function ticks([low, high], about) {
    const rough = (high - low) / about, power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(k * step);
    return found.map((value) => [value, value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace("-", "−")]);
  }

  // The range of numbers with some room at both ends.
  function range(values, room = 0.08) {
    const low = Math.min(...values), high = Math.max(...values), gap = (high - low || 1) * room;
    return [low - gap, high + gap];
  }

  // A rectangle with axes. Its place {left, top, width, height} is in px; equal: a unit is as long on both axes.
  function Panel(figure, options) {
    Object.assign(this, { figure, xlabel: "", ylabel: "", xticks: 5, yticks: 4 }, options);
  }

  Panel.prototype = {
    put(place) {
      Object.assign(this, place);
      this.xs = this.x.slice();
      this.ys = this.y.slice();
      if (!this.equal) return;
      const unit = Math.max((this.x[1] - this.x[0]) / this.width, (this.y[1] - this.y[0]) / this.height);
      [["xs", "width"], ["ys", "height"]].forEach(([axis, size]) => {
        const middle = (this[axis][0] + this[axis][1]) / 2;
        this[axis] = [middle - (unit * this[size]) / 2, middle + (unit * this[size]) / 2];
      });
    },
    px(x) { return this.left + ((x - this.xs[0]) / (this.xs[1] - this.xs[0])) * this.width; },
    py(y) { return this.top + ((this.ys[1] - y) / (this.ys[1] - this.ys[0])) * this.height; },
    at(px, py) {
      return [
        this.xs[0] + ((px - this.left) / this.width) * (this.xs[1] - this.xs[0]),
        this.ys[1] - ((py - this.top) / this.height) * (this.ys[1] - this.ys[0]),
      ];
    },
    inside([x, y]) {
      const held = (value, [low, high]) => Math.min(high, Math.max(low, value));
      return [held(x, this.xs), held(y, this.ys)];
    },
    axes() {
      const add = (name, attributes, text) => element(name, attributes, this.figure.back, text);
      const bottom = this.top + this.height;
      add("path", { class: "live-axis", d: `M${this.left} ${this.top}V${bottom}H${this.left + this.width}` });
      ticks(this.xs, this.xticks).forEach(([value, text]) => {
        add("path", { class: "live-axis", d: `M${this.px(value)} ${bottom}v4` });
        add("text", { x: this.px(value), y: bottom + 17, "text-anchor": "middle" }, text);
      });
      ticks(this.ys, this.yticks).forEach(([value, text]) => {
        add("path", { class: "live-axis", d: `M${this.left} ${this.py(value)}h-4` });
        add("text", { x: this.left - 8, y: this.py(value) + 4, "text-anchor": "end" }, text);
      });
      add("text", { x: this.left + this.width / 2, y: bottom + 34, "text-anchor": "middle" }, this.xlabel);
      add("text", { transform: `translate(${this.left - 38} ${this.top + this.height / 2}) rotate(-90)`, "text-anchor": "middle" }, this.ylabel);
    },
    line(points, look) {
      const d = points.map(([x, y], i) => `${i ? "L" : "M"}${this.px(x).toFixed(2)} ${this.py(y).toFixed(2)}`).join("");
      return element("path", { class: `live-line ${look}`, d, "clip-path": `url(#${this.clip})` }, this.figure.back);
    },
    area(points, look) {
      const made = this.line(points, look);
      made.setAttribute("class", `live-area ${look}`);
    },
    mark([x, y], shape, look, scale = 0.6) {
      const transform = `translate(${this.px(x).toFixed(2)} ${this.py(y).toFixed(2)}) scale(${scale})`;
      element("path", { class: `live-mark ${look}`, d: MARKS[shape], transform }, this.figure.back);
    },
    ring([x, y], radius = 11) {
      element("circle", { class: "live-ring", cx: this.px(x), cy: this.py(y), r: radius }, this.figure.back);
    },
  };

  function Figure(box) {
    this.box = box;
    this.first = box.querySelector('script[type="application/json"]').textContent;
    this.state = JSON.parse(this.first);
    this.still = box.querySelector(".live-still");
    this.panels = [];
    this.handles = [];
    this.stage = element("div", { class: "live-stage" }, null);
    box.insertBefore(this.stage, this.still);
    this.svg = element("svg", { class: "live-plot", role: "group", "aria-label": box.getAttribute("aria-label") }, this.stage);
    this.clips = element("defs", {}, this.svg);
    this.back = element("g", { "aria-hidden": "true" }, this.svg);
    this.front = element("g", {}, this.svg);
    this.controls = element("div", { class: "live-buttons" }, this.stage);
    this.sentence = element("p", { class: "live-says", "aria-live": "polite" }, this.stage);
    this.drag();
  }

  Figure.prototype = {
    panel(options) {
      const made = new Panel(this, options);
      made.clip = `${this.box.id}-clip-${this.panels.length}`;
      this.panels.push(made);
      return made;
    },

    button(label, act) {
      element("button", { type: "button" }, this.controls, label).addEventListener("click", () => { act(); this.redraw(); });
    },

    says(text) {
      if (this.sentence.textContent !== text) this.sentence.textContent = text;
    },

    // A mark that the reader moves. get() gives its place, set(place) moves it, text() tells it; axis "x": to the sides only.
    handle({ panel, label, shape = "circle", look, get, set, text, axis }) {
      const group = element("g", { class: "live-handle", tabindex: 0, role: "slider", "aria-label": label }, this.front);
      element("circle", { class: "live-hit", r: 22 }, group);
      const mark = element("path", { class: `live-mark ${look}`, d: MARKS[shape] }, group);
      const handle = { group, mark, panel, get, set, text, axis };
      ["blur", "keydown"].forEach((kind) => group.addEventListener(kind, () => group.classList.remove("live-held")));
      group.addEventListener("keydown", (event) => {
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const size = (event.shiftKey ? 5 : 1) / 50, [x, y] = get();
        const sideways = axis === "x" ? way[0] || way[1] : way[0];
        this.move(handle, [x + sideways * size * (panel.xs[1] - panel.xs[0]), y + way[1] * size * (panel.ys[1] - panel.ys[0])]);
      });
      this.handles.push(handle);
      return handle;
    },

    move(handle, place) {
      const [x, y] = handle.panel.inside(place);
      handle.set(handle.axis === "x" ? [x, handle.get()[1]] : [x, y]);
      this.redraw();
    },

    // The nearest mark is taken, wherever within reach the pointer comes down; it keeps its distance to the pointer.
    drag() {
      let held = null;
      const where = (event) => {
        const frame = this.svg.getBoundingClientRect();
        return [((event.clientX - frame.left) * this.width) / frame.width, ((event.clientY - frame.top) * this.height) / frame.height];
      };
      const away = (handle, [px, py]) => {
        const [x, y] = handle.get();
        return Math.hypot(handle.panel.px(x) - px, handle.panel.py(y) - py);
      };
      this.svg.addEventListener("pointerdown", (event) => {
        const at = where(event);
        const handle = this.handles.slice().sort((a, b) => away(a, at) - away(b, at))[0];
        if (event.button !== 0 || !handle || away(handle, at) > NEAR) return;
        event.preventDefault();
        handle.group.classList.add("live-held"); // no frame about what the pointer holds; a key brings it back
        handle.group.focus({ preventScroll: true });
        this.svg.setPointerCapture(event.pointerId);
        const [x, y] = handle.get();
        held = { handle, dx: handle.panel.px(x) - at[0], dy: handle.panel.py(y) - at[1] };
        this.sentence.setAttribute("aria-busy", "true");
      });
      this.svg.addEventListener("pointermove", (event) => {
        if (!held) return;
        const [px, py] = where(event);
        this.move(held.handle, held.handle.panel.at(px + held.dx, py + held.dy));
      });
      ["pointerup", "pointercancel"].forEach((kind) => this.svg.addEventListener(kind, () => {
        held = null;
        this.sentence.removeAttribute("aria-busy");
      }));
    },

    // Called when everything is declared: layout(width) puts the panels and returns the height, draw() draws between them.
    start(layout, draw) {
      this.layout = layout;
      this.paint = draw;
      this.button("Reset", () => { this.state = JSON.parse(this.first); });
      const doing = this.box.querySelector(".live-note span").textContent;
      element("span", { class: "live-hint" }, this.controls, `You can ${doing}; with the keyboard: Tab and arrow keys.`);
      this.box.classList.add("live-on");
      this.resize();
      new ResizeObserver(() => this.resize()).observe(this.box);
    },

    resize() {
      const width = Math.round(Math.min(this.box.clientWidth, Number(this.still.getAttribute("width"))));
      if (!width || width === this.width) return;
      this.width = width;
      this.height = this.layout(width, Number(this.still.getAttribute("height")));
      this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      this.svg.style.maxWidth = `${this.width}px`;
      this.clips.replaceChildren();
      this.panels.forEach((p) => {
        const clip = element("clipPath", { id: p.clip }, this.clips);
        element("rect", { x: p.left, y: p.top, width: p.width, height: p.height }, clip);
      });
      this.redraw();
    },

    redraw() {
      this.back.replaceChildren();
      this.panels.forEach((panel) => panel.axes());
      this.paint();
      this.handles.forEach(({ group, panel, get, text }) => {
        const [x, y] = get();
        group.setAttribute("transform", `translate(${panel.px(x).toFixed(2)} ${panel.py(y).toFixed(2)})`);
        group.setAttribute("aria-valuenow", Number(x.toPrecision(4)));
        group.setAttribute("aria-valuetext", text());
      });
    },
  };

  // One panel that fills the figure, with room for its labels.
  function alone(panel) {
    return (width, height) => {
      const tall = Math.max(height * (width < 400 ? 0.9 : 1), 240);
      panel.put({ left: 52, top: 10, width: width - 64, height: tall - 54 });
      return tall;
    };
  }

  function begin(idea, build) {
    document.querySelectorAll(`.live[data-live="${idea}"]`).forEach((box) => build(new Figure(box)));
  }

  return { begin, alone, element, range, shown, ticks };
})();
