"""Drill on support vector regression: a line and its tube, read off optimal coefficients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket
from notes_lib.kernels.svr import dual_objective, epsilon_insensitive, kkt_case, primal_objective, tube_bias

_PLACES = ["below", "lower edge", "inside", "upper edge", "above"]  # of the KKT cases from -2 to 2
_PARAMETERS = "svr-do-not-confuse-parameters"
_HEADER = ["$n$", "$x_n$", "$y_n$", "$\\beta_n$", "$f(x_n)$", "$r_n$", "place", "slack"]


class _Line(NamedTuple):
    """Rows, prices and optimal coefficients of one exercise, and a new point with its target."""

    x: np.ndarray
    y: np.ndarray
    beta: np.ndarray
    C: float
    epsilon: float
    query: float
    target: float


@drill("svr-tube", marks=12, minutes=15, title="Support vector regression: the tube")
def tube(rng: np.random.Generator) -> Parts:
    """Line, residuals, places, slack and both objectives from given coefficients, and the loss of a new point."""
    g = _draw(rng)
    n, K = len(g.x), np.outer(g.x, g.x)
    w, b = float(g.beta @ g.x), tube_bias(g.beta, K, g.y, g.C, g.epsilon)
    f = w * g.x + b
    slack = epsilon_insensitive(g.y - f, g.epsilon)
    places = [_PLACES[case + 2] for case in kkt_case(g.beta, g.C)]
    score = w * g.query + b
    answer = {
        "w": w,
        "b": b,
        "residuals": (g.y - f).tolist(),
        "places": places,
        "slack": slack.tolist(),
        "primal": primal_objective(g.beta, b, K, g.y, g.C, g.epsilon),
        "dual": dual_objective(g.beta, K, g.y, g.epsilon),
        "prediction": score,
        "loss": float(epsilon_insensitive(g.target - score, g.epsilon)),
    }
    numbers = range(1, n + 1)
    free = int(np.flatnonzero((g.beta != 0) & (np.abs(g.beta) < g.C))[0])
    edge = g.y[free] - np.sign(g.beta[free]) * g.epsilon
    fields = [
        ask.number("w", "$w$", 1),
        ask.number(
            "b",
            "$b$",
            1,
            2,
            follows=f"{edge} - w*{g.x[free]}",
            slips=[
                ask.slip(
                    g.y[free] - w * g.x[free],
                    "That takes a free row as if it lay on the curve; it lies on an edge of the tube.",
                    card="svr-lost-marks-bias",
                )
            ],
        ),
        ask.vector(
            "residuals",
            "every residual $r_n$",
            2,
            2,
            titles=numbers,
            follows=[f"{v} - (w*{u} + b)" for u, v in zip(g.x, g.y, strict=True)],
            slips=[ask.slip(f - g.y, "The sign is turned round: $r_n = y_n - f(x_n)$.", card="svr-convention-width")],
        ),
        ask.sequence("places", "place of every row", 3, 2, options=_PLACES, titles=numbers),
        ask.vector(
            "slack",
            "every slack",
            4,
            titles=numbers,
            follows=[f"max(0, abs(residuals[{k}]) - {g.epsilon})" for k in range(n)],
            slips=[
                ask.slip(
                    np.abs(g.y - f),
                    "Slack is counted from the edge of the tube, not from the curve.",
                    card="svr-lost-marks-slack",
                )
            ],
        ),
        ask.number(
            "primal",
            "the value of the primal",
            4,
            follows=f"w^2/2 + {g.C}*sum(slack)",
            slips=[
                ask.slip(answer["primal"] + w * w / 2, "The half before $w^2$ is missing.", card=_PARAMETERS),
                ask.slip(w * w / 2 + slack.sum(), "The slack is not multiplied by its price $C$.", card=_PARAMETERS),
            ],
        ),
        ask.number(
            "dual",
            "the value of the dual",
            4,
            follows=f"{g.y @ g.beta} - {g.epsilon * np.abs(g.beta).sum()} - w^2/2",
        ),
        ask.number("prediction", "$f(x)$", 5, follows=f"w*{g.query} + b"),
        ask.number(
            "loss",
            "the loss of the new point",
            5,
            follows=f"max(0, abs({g.target} - prediction) - {g.epsilon})",
            slips=[
                ask.slip(
                    abs(g.target - score),
                    "The first $\\varepsilon$ of an error costs nothing.",
                    card="svr-lost-marks-slack",
                )
            ],
        ),
    ]
    given = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in g._asdict().items()}
    return Parts(_statement(g), given, "\n".join(_lines(g, answer)), answer, fields)


def _draw(rng: np.random.Generator) -> _Line:
    """Coefficients first: rows are then put where the KKT conditions say that they lie."""
    while True:
        n, C, epsilon = int(rng.integers(5, 7)), float(rng.choice([0.5, 1.0, 2.0])), float(rng.choice([0.5, 1.0]))
        x = np.sort(rng.choice(10, n, replace=False)).astype(float)
        beta = C * rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], n)
        w, b = float(beta @ x), float(rng.integers(-4, 7)) / 2
        if beta.sum() or not 0 < abs(w) <= 3 or (2 * w) % 1:
            continue
        case = kkt_case(beta, C)
        if {0, 1, 2} - set(np.abs(case).tolist()):
            continue
        beyond = np.where(np.abs(case) == 2, rng.integers(1, 4, n) / 2, 0.0)
        inside = epsilon * rng.integers(-1, 2, n) / 2
        y = w * x + b + np.where(case == 0, inside, np.sign(case) * (epsilon + beyond))
        query = float(rng.choice(np.setdiff1d(np.arange(11), x)))
        target = w * query + b + float(rng.choice([-1, 1])) * float(rng.choice([0.25, epsilon + 0.5, epsilon + 1.5]))
        value = w * w / 2 + C * beyond.sum()
        if all(float(sig(v)) == v for v in [value, target, *y]):  # four digits write it in full
            return _Line(x, y, beta, C, epsilon, query, target)


def _statement(g: _Line) -> str:
    rows = [
        [k + 1, *(f"${sig(v)}$" for v in row), "", "", "", ""]
        for k, row in enumerate(zip(g.x, g.y, g.beta, strict=True))
    ]
    return "\n".join(
        [
            f"Support vector regression with the linear kernel, $C = {sig(g.C)}$ and $\\varepsilon = {sig(g.epsilon)}$ "
            "has these optimal coefficients $\\beta_n = \\alpha_n - \\alpha_n^*$. Find",
            "",
            "1. $w$ (1 mark) and $b$ (2 marks),",
            "2. every residual $r_n = y_n - f(x_n)$ (2 marks),",
            "3. the place of every row: above the tube, on its upper edge, inside, on its lower edge, or below "
            "(2 marks),",
            "4. every slack (1 mark), and the values of the primal (1 mark) and of the dual (1 mark),",
            f"5. $f(x)$ at the new $x = {sig(g.query)}$ (1 mark), and the loss if its target is $y = {sig(g.target)}$ "
            "(1 mark).",
            "",
            table(rows, _HEADER).markdown,
        ]
    )


def _lines(g: _Line, answer: dict) -> list[str]:
    w, b = answer["w"], answer["b"]
    f, support = w * g.x + b, np.flatnonzero(g.beta)
    free = int(np.flatnonzero((g.beta != 0) & (np.abs(g.beta) < g.C))[0])
    upper = g.beta[free] > 0
    side, sign = ("upper", "-") if upper else ("lower", "+")
    products = " + ".join(f"{bracket(g.beta[k])} \\cdot {sig(g.x[k])}" for k in support)
    rows = [
        [
            k + 1,
            *(f"${sig(v)}$" for v in (g.x[k], g.y[k], g.beta[k], f[k], answer["residuals"][k])),
            place,
            f"${sig(s)}$",
        ]
        for k, (place, s) in enumerate(zip(answer["places"], answer["slack"], strict=True))
    ]
    total, size, gain = sum(answer["slack"]), np.abs(g.beta).sum(), g.y @ g.beta
    miss = g.target - answer["prediction"]
    s = free + 1
    beyond = f"so the loss is ${sig(abs(miss))} - {sig(g.epsilon)} = {sig(answer['loss'])}$"
    verdict = beyond if answer["loss"] else "less than $\\varepsilon$, so the loss is 0"
    return [
        f"**Weight** (1 mark): rows with $\\beta_n = 0$ drop out, $w = \\sum_n \\beta_n x_n = {products} = {sig(w)}$.",
        "",
        f"**Bias** (1 mark for a free row, 1 for the value): $\\beta_{s}$ lies strictly between $-C$ and $C$ and is "
        f"not 0, so row {s} lies exactly on the {side} edge and $b = y_{s} {sign} \\varepsilon - w x_{s} = "
        f"{sig(g.y[free])} {sign} {sig(g.epsilon)} - {bracket(w)} \\cdot {sig(g.x[free])} = {sig(b)}$. A row with "
        "$\\beta_n = \\pm C$ may have slack and must not be used.",
        "",
        "**Residuals, places and slack** (2 marks, 2 marks, 1 mark). The sign of $\\beta_n$ says on which side a row "
        "lies, its size whether it may have left the tube; the slack is what $r_n$ has beyond $\\varepsilon$:",
        "",
        table(rows, _HEADER).markdown,
        "",
        f"**Primal** (1 mark): half of $w^2$ and $C$ times all slack, $\\tfrac12 \\cdot {sig(w * w)} + {sig(g.C)} "
        f"\\cdot {sig(total)} = {sig(answer['primal'])}$.",
        "",
        "**Dual** (1 mark): the sum of $y_n \\beta_n$, less $\\varepsilon$ times the sum of the sizes of $\\beta_n$, "
        f"less half of $w^2$: ${sig(gain)} - {sig(g.epsilon)} \\cdot {sig(size)} - \\tfrac12 \\cdot {sig(w * w)} = "
        f"{sig(answer['dual'])}$. Both values are equal, so the given coefficients are optimal indeed.",
        "",
        f"**New point** (1 mark for the value, 1 for the loss): $f(x) = {bracket(w)} \\cdot {sig(g.query)} "
        f"{'-' if b < 0 else '+'} {sig(abs(b))} = {sig(answer['prediction'])}$. It misses the target by "
        f"${sig(abs(miss))}$, {verdict}.",
    ]
