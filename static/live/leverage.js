// Drag one point of a line of least squares. The twin of notes_lib.linear.linear_regression.diagnosis: influence.
var liveLeverage = (function () {
  "use strict";

  const sum = (values) => values.reduce((total, value) => total + value, 0);

  // Intercept and slope of the line of least squares.
  function line(x, y) {
    const n = x.length, xm = sum(x) / n, ym = sum(y) / n;
    const slope = sum(x.map((v, i) => (v - xm) * (y[i] - ym))) / sum(x.map((v) => (v - xm) * (v - xm)));
    return { intercept: ym - slope * xm, slope };
  }

  // For each point its residual, its leverage 1/n + (x - mean)^2 / S, and Cook's distance r^2 h / (2 (1 - h)), where r is
  // the residual over its standard deviation.
  function influence(x, y) {
    const n = x.length, xm = sum(x) / n, spread = sum(x.map((v) => (v - xm) * (v - xm)));
    const { intercept, slope } = line(x, y);
    const residuals = x.map((v, i) => y[i] - intercept - slope * v);
    const leverages = x.map((v) => 1 / n + ((v - xm) * (v - xm)) / spread);
    const noise = sum(residuals.map((e) => e * e)) / (n - 2);
    const cooks = residuals.map((e, i) => {
      const h = leverages[i];
      return (((e * e) / (noise * (1 - h))) * h) / (2 * (1 - h));
    });
    return { intercept, slope, residuals, leverages, cooks };
  }

  function build(figure) {
    const { shown, range } = liveFigure;
    const first = JSON.parse(figure.first), k = first.moved;
    const without = (values) => values.filter((_, i) => i !== k);
    const panel = figure.panel({
      x: range(first.x, 0.25), y: range(first.y, 0.35), xlabel: first.xlabel || "x", ylabel: first.ylabel || "y",
    });
    figure.handle({
      panel, label: "The point that you can move", look: "s1", shape: "diamond",
      get: () => [figure.state.x[k], figure.state.y[k]],
      set: ([x, y]) => { figure.state.x[k] = x; figure.state.y[k] = y; },
      text: () => `x ${shown(figure.state.x[k])}, y ${shown(figure.state.y[k])}`,
    });
    figure.start(liveFigure.alone(panel), () => {
      const { x, y } = figure.state, found = influence(x, y), others = line(without(x), without(y));
      const along = ({ intercept, slope }) => panel.xs.map((v) => [v, intercept + slope * v]);
      panel.line(along(others), "s6 dashed");
      panel.line(along(found), "s0 wide");
      panel.line([[x[k], y[k]], [x[k], y[k] - found.residuals[k]]], "s1");
      x.forEach((v, i) => { if (i !== k) panel.mark([v, y[i]], "circle", "s7"); });
      figure.says(
        `Leverage ${shown(found.leverages[k])}, residual ${shown(found.residuals[k])}, Cook’s distance ${shown(found.cooks[k])}. ` +
        `Slope ${shown(found.slope)}; without this point (dashed) ${shown(others.slope)}.`
      );
    });
  }

  return { line, influence, build };
})();
if (typeof document !== "undefined") liveFigure.begin("leverage", liveLeverage.build);
