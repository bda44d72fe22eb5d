// Drag the points of two classes; the widest street between them. The twin of notes_lib.kernels.svm.SVC with a linear
// kernel: hard(X, y) for C = infinity, soft(X, y, C) for one price.
var liveStreet = (function () {
  "use strict";

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const less = (a, b) => [a[0] - b[0], a[1] - b[1]];

  // The widest street that keeps all points out, or null. In the plane it rests on two points, one of each class, or on
  // two of one class and one of the other: try them all.
  function hard(X, y) {
    let best = null;
    const offer = (normal, a, ya, c) => { // w a + b = ya and w c + b = -ya, w along the normal
      const across = dot(normal, less(a, c));
      if (Math.abs(across) < 1e-12) return;
      const w = normal.map((v) => (2 * ya * v) / across), b = ya - dot(w, a), length = Math.sqrt(dot(w, w));
      if ((best && length >= best.length) || X.some((x, n) => y[n] * (dot(w, x) + b) < 1 - 1e-9)) return;
      best = { w, b, length };
    };
    X.forEach((a, i) => X.forEach((c, j) => {
      if (y[i] === y[j]) return;
      if (i < j) offer(less(a, c), a, y[i], c);
      X.forEach((e, k) => { if (k > i && y[k] === y[i]) offer([a[1] - e[1], e[0] - a[0]], a, y[i], c); });
    }));
    if (!best) return null;
    const { w, b } = best, on = X.map((x, n) => y[n] * (dot(w, x) + b) < 1 + 1e-7);
    return { w, b, width: 2 / best.length, support: on, slacks: X.map(() => 0) };
  }

  // The street at a price C of slack, by SMO: the pair that violates the conditions most moves to its best place. F is
  // y - w x, the bias that would put a point on its edge; at the end those of free points agree, and without any the
  // bias is the middle of what is allowed.
  function soft(X, y, C, tol = 1e-11, most = 200000) {
    const alpha = y.map(() => 0), w = [0, 0];
    const up = (n) => (y[n] > 0 ? alpha[n] < C : alpha[n] > 0), low = (n) => (y[n] > 0 ? alpha[n] > 0 : alpha[n] < C);
    const F = (n) => y[n] - dot(w, X[n]);
    let top = -Infinity, bottom = Infinity;
    for (let step = 0; step < most; step += 1) {
      let i = -1, j = -1;
      top = -Infinity;
      bottom = Infinity;
      X.forEach((_, n) => {
        const f = F(n);
        if (up(n) && f > top) { top = f; i = n; }
        if (low(n) && f < bottom) { bottom = f; j = n; }
      });
      if (i < 0 || j < 0 || top - bottom <= tol) break;
      const gap = less(X[i], X[j]), curvature = Math.max(dot(gap, gap), 1e-12);
      const room = Math.min(y[i] > 0 ? C - alpha[i] : alpha[i], y[j] > 0 ? alpha[j] : C - alpha[j]);
      const move = Math.min((top - bottom) / curvature, room);
      [[i, move], [j, -move]].forEach(([n, t]) => {
        alpha[n] += y[n] * t;
        if (alpha[n] < 1e-13 * C) alpha[n] = 0;
        if (alpha[n] > C * (1 - 1e-13)) alpha[n] = C;
      });
      [0, 1].forEach((d) => { w[d] = alpha.reduce((total, a, n) => total + a * y[n] * X[n][d], 0); });
    }
    const b = (top + bottom) / 2;
    const slacks = X.map((x, n) => Math.max(0, 1 - y[n] * (dot(w, x) + b)));
    return { w, b, width: 2 / Math.sqrt(dot(w, w)), support: alpha.map((a) => a > 0), slacks, alpha };
  }

  function build(figure) {
    const { shown, range } = liveFigure, { X, y, C, xlabel, ylabel } = JSON.parse(figure.first);
    const panel = figure.panel({
      x: range(X.map((p) => p[0]), 0.2), y: range(X.map((p) => p[1]), 0.2), equal: true,
      xlabel: xlabel || "", ylabel: ylabel || "",
    });
    X.forEach((_, n) => figure.handle({
      panel, label: `Point ${n + 1}, class ${y[n] > 0 ? "+1" : "−1"}`,
      shape: y[n] > 0 ? "circle" : "square", look: y[n] > 0 ? "s0" : "s1",
      get: () => figure.state.X[n],
      set: (place) => { figure.state.X[n] = place; },
      text: () => figure.state.X[n].map((v) => shown(v)).join(", "),
    }));
    // Where w x + b = level, long enough to cross the panel.
    const edge = ({ w, b }, level) => {
      const size = dot(w, w), foot = w.map((v) => (v * (level - b)) / size), along = [-w[1], w[0]].map((v) => v / Math.sqrt(size));
      const middle = [(panel.xs[0] + panel.xs[1]) / 2, (panel.ys[0] + panel.ys[1]) / 2];
      const t = dot(less(middle, foot), along), far = 2 * (panel.xs[1] - panel.xs[0] + panel.ys[1] - panel.ys[0]);
      return [t - far, t + far].map((s) => [foot[0] + s * along[0], foot[1] + s * along[1]]);
    };
    figure.start(liveFigure.alone(panel), () => {
      const points = figure.state.X, found = C === undefined ? hard(points, y) : soft(points, y, C);
      if (!found) {
        figure.says("No line separates the two classes: with a hard margin there is no street.");
        return;
      }
      if (!(dot(found.w, found.w) > 1e-18)) {
        figure.says("The best weights are 0: the classes lie through each other, and the score is the same everywhere.");
        return;
      }
      panel.area([...edge(found, 1), ...edge(found, -1).reverse()], "s6 pale");
      [-1, 1].forEach((level) => panel.line(edge(found, level), "s6 dashed"));
      panel.line(edge(found, 0), "s7 wide");
      points.forEach((point, n) => { if (found.support[n]) panel.ring(point); });
      const paid = found.slacks.reduce((total, s) => total + s, 0);
      figure.says(
        `The street is ${shown(found.width)} wide and rests on ${found.support.filter((s) => s).length} of ${y.length} points (ringed).` +
        (C === undefined ? "" : ` The slacks add up to ${shown(paid < 1e-9 ? 0 : paid)}; a unit of slack costs ${C}.`)
      );
    });
  }

  return { hard, soft, build };
})();
if (typeof document !== "undefined") liveFigure.begin("street", liveStreet.build);
