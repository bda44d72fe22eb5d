// Drag the centres of k-means. The twin of notes_lib.clustering.kmeans.steps: assign, inertia, update, reseed and step.
var liveCentres = (function () {
  "use strict";

  const squared = (a, b) => (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);

  // The nearest centre of each point; of several equally near ones the first.
  function assign(X, centers) {
    return X.map((point) => {
      let best = 0;
      centers.forEach((center, k) => { if (squared(point, center) < squared(point, centers[best])) best = k; });
      return best;
    });
  }

  function inertia(X, labels, centers) {
    return X.reduce((total, point, n) => total + squared(point, centers[labels[n]]), 0);
  }

  // The mean of the points of each cluster; none may be empty.
  function update(X, labels, k) {
    const sums = Array.from({ length: k }, () => [0, 0, 0]);
    X.forEach(([a, b], n) => { const s = sums[labels[n]]; s[0] += a; s[1] += b; s[2] += 1; });
    return sums.map(([a, b, count]) => [a / count, b / count]);
  }

  // Every empty cluster gets the point farthest from its own centre whose cluster keeps another one.
  function reseed(X, labels, centers) {
    const filled = labels.slice(), counts = centers.map((_, k) => labels.filter((c) => c === k).length);
    const far = X.map((point, n) => squared(point, centers[labels[n]]));
    centers.forEach((_, empty) => {
      if (labels.includes(empty)) return;
      let donor = -1;
      X.forEach((_, n) => { if (counts[filled[n]] > 1 && (donor < 0 || far[n] > far[donor])) donor = n; });
      counts[filled[donor]] -= 1;
      counts[empty] += 1;
      filled[donor] = empty;
    });
    return filled;
  }

  // One iteration of Lloyd: assign, fill what is empty, move to the means.
  function step(X, centers) {
    return update(X, reseed(X, assign(X, centers), centers), centers.length);
  }

  function build(figure) {
    const { shown, range } = liveFigure, shapes = ["circle", "square", "triangle", "diamond"];
    const first = JSON.parse(figure.first), K = first.centers.length;
    const look = (k) => `s${k % 6}`, shape = (k) => shapes[k % 4];
    const panel = figure.panel({ x: range(first.X.map((p) => p[0])), y: range(first.X.map((p) => p[1])), equal: true });
    let told = "";
    first.centers.forEach((_, k) => figure.handle({
      panel, label: `Centre ${k + 1}`, shape: shape(k), look: `${look(k)} big`,
      get: () => figure.state.centers[k],
      set: (place) => { figure.state.centers[k] = place; told = ""; },
      text: () => figure.state.centers[k].map((v) => shown(v)).join(", "),
    }));
    figure.button("Step", () => {
      const { X, centers } = figure.state, moved = step(X, centers);
      told = moved.some((m, k) => squared(m, centers[k]) > 1e-9) ? "After one step: " : "Nothing moves any more: ";
      figure.state.centers = moved;
    });
    figure.start(liveFigure.alone(panel), () => {
      const { X, centers } = figure.state, labels = assign(X, centers);
      X.forEach((point, n) => panel.mark(point, shape(labels[n]), `${look(labels[n])} faint`, 0.45));
      const sizes = centers.map((_, k) => labels.filter((c) => c === k).length);
      const same = JSON.stringify(figure.state) === JSON.stringify(first);
      figure.says(
        `${same ? "" : told}J = ${shown(inertia(X, labels, centers), 4)}; ` +
        `${sizes.slice(0, K - 1).join(", ")} and ${sizes[K - 1]} points.`
      );
    });
  }

  return { assign, inertia, update, reseed, step, build };
})();
if (typeof document !== "undefined") liveFigure.begin("centres", liveCentres.build);
