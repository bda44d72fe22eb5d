"""Drills on the perceptron: a trace with its counts of mistakes, Novikoff's bound, and two steps of Widrow and Hoff."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, products, row
from notes_lib.linear.perceptron import lms_step, normalised_samples, novikoff_bound, online_pass

NAMES = "ABCD"
_FOUR = "perceptron-do-not-confuse-four"


class Visit(NamedTuple):
    """One sample as it comes: its index, its score ``w @ z``, and the weights after it (3,)."""

    n: int
    score: int
    w: np.ndarray


@drill("perceptron-trace", marks=11, minutes=15, title="A trace of the perceptron")
def trace(rng: np.random.Generator) -> Parts:
    """Four points in the plane, passes in their order until one makes no mistake, and the counts of mistakes."""
    while True:
        X = rng.integers(-3, 5, size=(4, 2)).astype(float)
        y = rng.permutation([1, 1, -1, -1] if rng.random() < 0.7 else [1, -1, -1, -1])
        Z = normalised_samples(X, y)
        passes = _passes(Z, most=5)
        query = rng.integers(-4, 6, size=2).astype(float)
        w = passes[-1][-1].w
        if _is_fair(X, passes) and abs(w @ [*query, 1]) >= 1 and not (query == X).all(axis=1).any():
            break
    alpha = [sum(v.score <= 0 for visits in passes for v in visits if v.n == n) for n in range(4)]
    points = ", ".join(f"${a}={row(x)}$" for a, x in zip(NAMES, X, strict=True))
    positive, negative = (
        " and ".join(f"${a}$" for a, s in zip(NAMES, y, strict=True) if s == sign) for sign in (1, -1)
    )
    score, last = int(w @ [*query, 1]), len(passes) - 1
    statement = "\n\n".join(
        [
            f"Train a perceptron on {points}. Label $+1$: {positive}; label $-1$: {negative}. Start from "
            "$\\mathbf{w}=(0, 0)$, $b=0$, use step size 1, take the points in alphabetical order, and count a score "
            "of 0 as a mistake.",
            "1. Go on until a whole pass makes no mistake; give the weights and the bias after each point (6 marks).",
            "2. How often was each point a mistake? Show that these counts give the final weights and bias (3 marks).",
            f"3. Which class does the point $Q={row(query)}$ get? (2 marks)",
            "Fill in, one line for each point that comes:",
            table([[a, "", "", ""] for a in NAMES], _HEADER).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "weights": [visits[-1].w.astype(int).tolist() for visits in passes],
        "alpha": alpha,
        "label": "+1" if score > 0 else "-1",
        "score": score,
    }
    fields = [
        ask.matrix(
            "weights",
            "weights after each pass: one row for each",
            1,
            6,
            columns=["$w_1$", "$w_2$", "$b$"],
            whole=True,
            slips=[
                ask.slip(
                    _without_labels(Z, y, len(passes)),
                    "That adds the points of both classes as they are; a mistake adds $y\\mathbf{x}$ and $y$.",
                    card="perceptron-lost-marks-raw",
                )
            ],
        ),
        ask.vector(
            "alpha",
            "mistakes of each point",
            2,
            3,
            titles=NAMES,
            whole=True,
            after=["weights"],
            slips=[
                ask.slip(
                    [len(passes) - k for k in alpha],
                    "That counts the visits that were no mistake.",
                    card="perceptron-convention-zero",
                )
            ],
        ),
        ask.number(
            "score",
            "score of $Q$",
            3,
            whole=True,
            follows=" + ".join(f"weights[{last},{j}]*{bracket(v)}" for j, v in enumerate([*query, 1])),
            slips=[ask.slip(score - int(w[2]), "The bias is missing.", card="perceptron-convention-bias")],
        ),
        ask.choice("label", "class of $Q$", 3, options=["+1", "-1"], follows="score <= 0"),
    ]
    given = {"points": X.astype(int).tolist(), "labels": y.tolist(), "query": query.astype(int).tolist()}
    lines = ["A point is a mistake where $y(\\mathbf{w}^\\top\\mathbf{x}+b)\\le0$; then $\\mathbf{w}$ gains "
             "$y\\mathbf{x}$ and $b$ gains $y$."]  # fmt: skip
    for t, visits in enumerate(passes, start=1):
        rows = [
            [f"${NAMES[v.n]}={row(X[v.n])}$", f"${v.score}$", "yes" if v.score <= 0 else "no", f"${row(v.w)}$"]
            for v in visits
        ]
        lines += [f"**Pass {t}:**", table(rows, _HEADER).markdown]
    terms = "+".join(f"{a}\\,{row(z)}" for a, z in zip(alpha, Z, strict=True))
    counts = ", ".join(f"{a} {k}" for a, k in zip(NAMES, alpha, strict=True))
    lines += [
        "The last pass made no mistake: stop.",
        f"**Counts:** {counts}. Each mistake added $y\\,(x_1, x_2, 1)$ once, so $(w_1, w_2, b)={terms}={row(w)}$.",
        f"**Query:** ${products([*w[:2], w[2]], [*query, 1])}={score}$, so $Q$ gets the class ${answer['label']}$.",
        "Marks: 6 for the passes, 1 for the counts, 2 for their sum, 1 for the score of the query, 1 for its class.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_HEADER = ["point", "$y(\\mathbf{w}^\\top\\mathbf{x}+b)$", "mistake", "$(w_1, w_2, b)$ after it"]


def _passes(Z: np.ndarray, most: int) -> list[list[Visit]]:
    """Passes up to the first without a mistake, or ``most`` of them."""
    w = np.zeros(3)
    passes: list[list[Visit]] = []
    while len(passes) < most:
        visits = []
        for n in range(len(Z)):
            score = round(Z[n] @ w)
            w = online_pass(Z[n : n + 1], w).w
            visits.append(Visit(n, score, w))
        passes.append(visits)
        if all(v.score > 0 for v in visits):
            break
    return passes


def _without_labels(Z: np.ndarray, y: np.ndarray, passes: int) -> list[list[int]]:
    """The weights after each pass if a mistake adds the augmented point without its label."""
    w, found = np.zeros(3), []
    for _ in range(passes):
        for z, sign in zip(Z, y, strict=True):
            w = w + sign * z if z @ w <= 0 else w
        found.append(w.astype(int).tolist())
    return found


def _is_fair(X: np.ndarray, passes: list[list[Visit]]) -> bool:
    """Whether three or four passes end without a mistake, with different points and small numbers."""
    done = all(v.score > 0 for v in passes[-1])
    small = max(np.abs(v.w).max() for visits in passes for v in visits) <= 12
    return bool(done and len(passes) in (3, 4) and small and len(np.unique(X, axis=0)) == len(X))


@drill("novikoff", marks=7, minutes=9, title="The bound on the mistakes of a perceptron")
def novikoff(rng: np.random.Generator) -> Parts:
    """Radius, margin of given weights, and the bound, with the bias as a component of both."""
    lengths = [((2, 1, -2), 3), ((1, 2, 2), 3), ((2, -2, 1), 3), ((1, -2, -2), 3), ((3, 4, 0), 5), ((4, 0, -3), 5)]
    while True:
        w, length = lengths[int(rng.integers(len(lengths)))]
        X = rng.integers(-3, 5, size=(3, 2)).astype(float)
        y = rng.choice([-1, 1], size=3)
        if len(set(y)) == 2 and len(np.unique(X, axis=0)) == 3:
            Z = normalised_samples(X, y)
            if (Z @ w).min() > 0 and novikoff_bound(Z, w) < 300:
                break
    scores, squares = (Z @ w).astype(int), (Z**2).sum(axis=1).astype(int)
    gamma = Fraction(int(scores.min()), length)
    bound = Fraction(int(squares.max())) / gamma**2
    points = ", ".join(
        f"$\\mathbf{{x}}_{n}={row(x)}$ with $y_{n}={s}$" for n, (x, s) in enumerate(zip(X, y, strict=True), start=1)
    )
    statement = "\n\n".join(
        [
            f"Three points: {points}. The weights $w_1={w[0]}$, $w_2={w[1]}$ and the bias $b={w[2]}$ classify all of "
            "them right. The bias counts as the weight of a third component 1.",
            "1. Give the squared lengths of the three augmented points, and $R^2$ (2 marks).",
            "2. Give the margin $\\gamma$ of these weights (3 marks).",
            "3. How many mistakes can a perceptron that starts from zero make at most on these points, in any order "
            "and any number of passes, by this margin? (2 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "squares": squares.tolist(), "R2": int(squares.max()), "gamma": float(gamma), "bound": float(bound),
        "most": int(bound),
    }  # fmt: skip
    fields = [
        ask.vector(
            "squares",
            "squared lengths",
            1,
            1,
            titles=["$1$", "$2$", "$3$"],
            whole=True,
            slips=[
                ask.slip(
                    squares - 1,
                    "The third component is missing: the bias counts as the weight of a 1.",
                    card="perceptron-convention-bias",
                )
            ],
        ),
        ask.number("R2", "$R^2$", 1, whole=True, follows="max(squares)"),
        ask.number(
            "gamma",
            "$\\gamma$",
            2,
            3,
            slips=[
                ask.slip(
                    int(scores.min()),
                    "That is the smallest score; divide it by the length of the weights.",
                    card="perceptron-lost-marks-margin",
                ),
                ask.slip(
                    float(scores.min() / np.hypot(*w[:2])),
                    "That divides by the length without the bias, which counts here.",
                    card="perceptron-convention-bias",
                ),
            ],
        ),
        ask.number(
            "bound",
            "$R^2/\\gamma^2$",
            3,
            1,
            **ask.DERIVED,
            follows="R2 / gamma^2",
            slips=[
                ask.slip(
                    float(squares.max() / gamma),
                    "The margin enters squared into the bound.",
                    card="perceptron-lost-marks-margin",
                )
            ],
        ),
        ask.number("most", "largest number of mistakes", 3, 1, whole=True, after=["bound"]),
    ]
    given = {"points": X.astype(int).tolist(), "labels": y.tolist(), "w": list(w)}
    lengths_of = "; ".join(
        f"$\\lVert(\\mathbf{{x}}_{n}, 1)\\rVert^2={bracket(x[0])}^2+{bracket(x[1])}^2+1={s}$"
        for n, (x, s) in enumerate(zip(X, squares, strict=True), start=1)
    )
    rows = [
        [f"$\\mathbf{{x}}_{n}$", f"${s}\\,({products([*w[:2], w[2]], [*x, 1])})={v}$"]
        for n, (x, s, v) in enumerate(zip(X, y, scores, strict=True), start=1)
    ]
    norm = "+".join(f"{bracket(v)}^2" for v in w)
    about = "" if bound.denominator == 1 else f"\\approx{sig(float(bound))}"
    lines = [
        f"**Radius:** {lengths_of}. The largest is $R^2={squares.max()}$.",
        "**Margin:** the scores times the labels are",
        table(rows, ["point", "$y(\\mathbf{w}^\\top\\mathbf{x}+b)$"]).markdown,
        f"The length of the weights with the bias is $\\sqrt{{{norm}}}=\\sqrt{{{length**2}}}={length}$, so "
        f"$\\gamma=\\tfrac{{{scores.min()}}}{{{length}}}={sig(float(gamma))}$.",
        f"**Bound:** $\\frac{{R^2}}{{\\gamma^2}}=\\frac{{{squares.max()}\\cdot{length**2}}}{{{scores.min()}^2}}"
        f"={fraction(bound)}{about}$. Mistakes are whole, so there are at most {int(bound)}.",
        "Marks: 1 for the lengths, 1 for the largest, 1 for the scores, 1 for the length of the weights, 1 for the "
        "margin, 1 for the quotient, 1 for the whole number.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("lms-step", marks=8, minutes=10, title="Two steps of the Widrow-Hoff rule")
def lms(rng: np.random.Generator) -> Parts:
    """Two steps of least mean squares with targets 1 on normalised samples, and what a perceptron would have done."""
    while True:
        X = rng.integers(-2, 4, size=(2, 2)).astype(float)
        y = np.array([1, -1]) if rng.random() < 0.5 else np.array([-1, 1])
        w = rng.integers(-2, 3, size=3).astype(float)
        eta = float(rng.choice([0.1, 0.2, 0.5]))
        Z = normalised_samples(X, y)
        w1 = lms_step(w, Z[0], 1.0, eta)
        w2 = lms_step(w1, Z[1], 1.0, eta)
        errors = [1 - Z[0] @ w, 1 - Z[1] @ w1]
        scores = [Z[0] @ w, Z[1] @ w1]
        if (
            min(map(abs, [*errors, *scores])) > 0.05
            and max(map(abs, [*w1, *w2])) < 10
            and (scores[0] > 0) != (scores[1] > 0)
        ):
            break
    statement = "\n\n".join(
        [
            f"Two normalised samples are $\\mathbf{{z}}_1=y_1(\\mathbf{{x}}_1, 1)={row(Z[0])}$ and "
            f"$\\mathbf{{z}}_2={row(Z[1])}$; both have the target 1. Start from $\\mathbf{{w}}={row(w)}$, whose last "
            f"component is the bias, with step size $\\eta={eta}$.",
            "1. Make one step of the Widrow-Hoff rule (LMS) with $\\mathbf{z}_1$: score, error, new weights (3 marks).",
            "2. The same with $\\mathbf{z}_2$ (3 marks).",
            "3. At which of the two samples would a perceptron have changed the weights that stood there, and why is "
            "that not the same? (2 marks)",
        ]
    )
    changed = [n for n in (1, 2) if scores[n - 1] <= 0]
    answer: dict[str, Any] = {
        "scores": [float(s) for s in scores], "errors": [float(e) for e in errors], "w1": w1.tolist(),
        "w2": w2.tolist(), "perceptron": f"z_{changed[0]}",
    }  # fmt: skip
    titles = ["$w_1$", "$w_2$", "$b$"]
    fields = [
        ask.number(
            "errors.0",
            "error at $\\mathbf{z}_1$",
            1,
            1,
            slips=[
                ask.slip(scores[0], "That is the score; the error is the target 1 minus the score.", card=_FOUR),
                ask.slip(-errors[0], "The sign is turned round: the error is 1 minus the score.", card=_FOUR),
            ],
        ),
        ask.vector(
            "w1",
            "weights after it",
            1,
            2,
            titles=titles,
            follows=[f"{v} + {eta}*errors.0*{bracket(z)}" for v, z in zip(w, Z[0], strict=True)],
            slips=[
                ask.slip(
                    w + eta * Z[0],
                    "That is the step of a perceptron; Widrow and Hoff multiply it by the error.",
                    card=_FOUR,
                )
            ],
        ),
        ask.number(
            "errors.1",
            "error at $\\mathbf{z}_2$",
            2,
            1,
            follows="1 - (" + " + ".join(f"w1[{i}]*{bracket(z)}" for i, z in enumerate(Z[1])) + ")",
            slips=[
                ask.slip(
                    1 - Z[1] @ w, "That uses the weights of the start; the first step has changed them.", card=_FOUR
                )
            ],
        ),
        ask.vector(
            "w2",
            "weights after it",
            2,
            2,
            titles=titles,
            follows=[f"w1[{i}] + {eta}*errors.1*{bracket(z)}" for i, z in enumerate(Z[1])],
        ),
        ask.choice(
            "perceptron",
            "a perceptron would have changed the weights at",
            3,
            options=["z_1", "z_2"],
            follows="errors.0 < 1",
        ),
        ask.own("why", "why that is not the same", 3),
    ]
    lines = ["The rule is $\\mathbf{w}\\leftarrow\\mathbf{w}+\\eta\\,(1-\\mathbf{w}^\\top\\mathbf{z})\\,\\mathbf{z}$."]
    for n, (old, new, z) in enumerate([(w, w1, Z[0]), (w1, w2, Z[1])], start=1):
        factor = eta * errors[n - 1]
        lines += [
            f"**Sample {n}:** the score is ${products(old, z)}={sig(scores[n - 1])}$, the error "
            f"$1-{bracket(scores[n - 1], sig)}={sig(errors[n - 1])}$, and "
            f"$\\mathbf{{w}}={row(old)}+{sig(eta)}\\cdot{bracket(errors[n - 1], sig)}\\,{row(z)}"
            f"={row(old)}+{bracket(factor, sig)}\\,{row(z)}={row(new)}$."
        ]
    right = 3 - changed[0]
    lines += [
        f"**Perceptron:** it changes the weights only where the score is not positive, here at "
        f"$\\mathbf{{z}}_{changed[0]}$ (score ${sig(scores[changed[0] - 1])}$). LMS also moved at "
        f"$\\mathbf{{z}}_{right}$, which was classified right with score ${sig(scores[right - 1])}$: it asks for the "
        "score 1, not for the right sign.",
        "Marks: 1 for the first error, 2 for the weights, 1 for the second error, 2 for the weights, 1 for the sample, "
        "1 for the reason.",
    ]
    given = {"Z": Z.astype(int).tolist(), "w": w.astype(int).tolist(), "eta": eta}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
