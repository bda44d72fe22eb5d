// Drag the threshold over the scores of two classes. The twin of notes_lib.foundations.evaluation: counts, rates, ROC.
var liveThreshold = (function () {
  "use strict";

  // The table of confusion when scores of at least t are called positive.
  function counts(scores, y, t) {
    const found = { tn: 0, fp: 0, fn: 0, tp: 0 };
    scores.forEach((score, n) => { found[score >= t ? (y[n] ? "tp" : "fp") : y[n] ? "fn" : "tn"] += 1; });
    return found;
  }

  function rates({ tn, fp, fn, tp }) {
    return { tpr: tp / (tp + fn), fpr: fp / (fp + tn), precision: tp + fp ? tp / (tp + fp) : NaN };
  }

  // Points of the ROC curve as the threshold falls through the distinct scores, from (0, 0) to (1, 1).
  function roc(scores, y) {
    const positive = y.filter((label) => label).length, negative = y.length - positive;
    const order = scores.map((score, n) => [score, y[n]]).sort((a, b) => b[0] - a[0]);
    const curve = [[0, 0]];
    let tp = 0, fp = 0;
    order.forEach(([score, label], n) => {
      if (label) tp += 1; else fp += 1;
      if (n + 1 === order.length || order[n + 1][0] !== score) curve.push([fp / negative, tp / positive]);
    });
    return curve;
  }

  // How many of the values fall into each bin; the last bin holds its right edge too.
  function histogram(values, edges) {
    const heights = new Array(edges.length - 1).fill(0), last = edges.length - 1;
    values.forEach((value) => {
      if (value < edges[0] || value > edges[last]) return;
      let bin = 0;
      while (bin + 1 < last && value >= edges[bin + 1]) bin += 1;
      heights[bin] += 1;
    });
    return heights;
  }

  function build(figure) {
    const { shown, range, ticks, element } = liveFigure;
    const { scores, y, xlabel, classes = ["0", "1"] } = figure.state;
    const curve = roc(scores, y), [low, high] = range(scores, 0.04), width = (high - low) / 44;
    const edges = Array.from({ length: 45 }, (_, i) => low + i * width);
    const heights = [0, 1].map((k) => histogram(scores.filter((_, n) => y[n] === k), edges));
    const left = figure.panel({ x: [low, high], y: [0, 1.08 * Math.max(...heights.flat())], xlabel: xlabel || "score", ylabel: "instances" });
    const right = figure.panel({ x: [0, 1], y: [0, 1], xlabel: "FPR", ylabel: "TPR", xticks: 3, yticks: 3 });
    const t = () => figure.state.threshold;
    figure.handle({
      panel: left, label: "Threshold", shape: "diamond", look: "s7", axis: "x",
      get: () => [t(), 0.93 * left.ys[1]],
      set: ([x]) => { figure.state.threshold = x; },
      text: () => shown(t()),
    });
    const table = element("table", { class: "live-table" }, null);
    figure.stage.insertBefore(table, figure.controls);
    const head = element("tr", {}, element("thead", {}, table));
    ["", `called ${classes[0]}`, `called ${classes[1]}`].forEach((text) =>
      element(text ? "th" : "td", text ? { scope: "col" } : {}, head, text));
    const body = element("tbody", {}, table);
    const cells = classes.map((name) => {
      const row = element("tr", {}, body);
      element("th", { scope: "row" }, row, name);
      return [element("td", {}, row), element("td", {}, row)];
    });
    figure.start((wide, tall) => {
      if (wide < 480) {
        left.put({ left: 52, top: 10, width: wide - 64, height: 170 });
        right.put({ left: 52, top: 250, width: Math.min(wide - 64, 220), height: 200 });
        return 500;
      }
      left.put({ left: 52, top: 10, width: 0.56 * wide - 52, height: tall - 54 });
      right.put({ left: 0.56 * wide + 66, top: 10, width: 0.44 * wide - 80, height: tall - 54 });
      return tall;
    }, () => {
      heights.forEach((all, k) => {
        const outline = all.flatMap((height, i) => [[edges[i], height], [edges[i + 1], height]]);
        left.area([[edges[0], 0], ...outline, [edges[44], 0]], `s${k}`);
      });
      left.line([[t(), 0], [t(), left.ys[1]]], "s7 dashed");
      right.line([[0, 0], [1, 1]], "s6 dotted");
      right.line(curve, "s6");
      const found = counts(scores, y, t()), { tpr, fpr, precision } = rates(found);
      right.mark([fpr, tpr], "circle", "s7", 0.9);
      [[found.tn, found.fp], [found.fn, found.tp]].forEach((row, i) => row.forEach((count, j) => { cells[i][j].textContent = count; }));
      const share = (value) => (Number.isNaN(value) ? "undefined" : value.toFixed(3));
      figure.says(`Threshold ${shown(t())}: TPR ${share(tpr)}, FPR ${share(fpr)}, precision ${share(precision)}.`);
    });
  }

  return { counts, rates, roc, histogram, build };
})();
if (typeof document !== "undefined") liveFigure.begin("threshold", liveThreshold.build);
