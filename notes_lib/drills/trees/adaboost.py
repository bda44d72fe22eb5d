"""Drills on AdaBoost: three rounds on a line by hand, and what the bound on the training error says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, rational, short
from notes_lib.trees.adaboost import mistake_update, training_bound, vote, weighted_error

SIDES = ["+1", "-1"]
ROUNDS = 3
RATES = [Fraction(k, 20) for k in range(2, 10)]


class _Round(NamedTuple):
    """Weights before a round, the errors of all cuts with +1 and with -1 on the left, the best of them, its answers."""

    weights: list[Fraction]
    errors: list[tuple[Fraction, Fraction]]
    cut: float
    side: int
    epsilon: Fraction
    alpha: float
    answers: np.ndarray


def _round(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> _Round | None:
    """One round of stumps on a line; None if two are equally good or the best is useless or perfect."""
    changes = np.flatnonzero(y[1:] != y[:-1])
    cuts = (x[changes] + x[changes + 1]) / 2
    answers = {(k, s): np.where(x < cuts[k], s, -s) for k in range(len(cuts)) for s in (1, -1)}
    errors = {key: rational(weighted_error(w, h != y)) for key, h in answers.items()}
    (key, best), (_, second) = sorted(errors.items(), key=lambda item: item[1])[:2]
    if best == second or not 0 < best < Fraction(2, 5):
        return None
    pairs = [(errors[k, 1], errors[k, -1]) for k in range(len(cuts))]
    weights = [rational(v) for v in w]
    return _Round(weights, pairs, float(cuts[key[0]]), key[1], best, float(vote(float(best))), answers[key])


def _trace(x: np.ndarray, y: np.ndarray) -> list[_Round]:
    """The rounds, as long as each has one best stump."""
    rounds: list[_Round] = []
    w = np.full(len(x), 1 / len(x))
    while len(rounds) < ROUNDS:
        new = _round(x, y, w)
        if new is None:
            break
        rounds.append(new)
        w = mistake_update(w, new.answers != y, float(new.epsilon))
    return rounds


def _score(rounds: list[_Round]) -> np.ndarray:
    """Weighted votes at the points."""
    return np.sum([r.alpha * r.answers for r in rounds], axis=0)


@cache
def _patterns(n: int) -> list[tuple[int, ...]]:
    """Labels of n points in a row that change 2 to 4 times, have three rounds, and leave no vote near 0."""
    found = []
    for labels in product((-1, 1), repeat=n):
        y = np.array(labels)
        rounds = _trace(np.arange(n), y) if 2 <= (y[1:] != y[:-1]).sum() <= 4 else []
        if len(rounds) == ROUNDS and np.abs(_score(rounds)).min() > 0.02:
            found.append(labels)
    return found


@drill("adaboost-rounds", marks=12, minutes=18, title="Three rounds of AdaBoost")
def adaboost_rounds(rng: np.random.Generator) -> Parts:
    """Points on a line: the best stump, its error and vote, the new weights, three times; then the weighted vote."""
    patterns = _patterns(6) + _patterns(7)
    y = np.array(patterns[rng.integers(len(patterns))])
    n = len(y)
    x = np.cumsum(rng.integers(1, 3, size=n))
    rounds = _trace(x, y)
    score = _score(rounds)
    q = int(rng.integers(n))
    points = ", ".join(f"${v}$ (${s:+d}$)" for v, s in zip(x, y, strict=True))
    mistakes = int((np.sign(score) != y).sum())
    statement = "\n\n".join(
        [
            f"AdaBoost is run on points $x$ with labels $y$ in brackets: {points}. All weights are equal at first. A "
            "weak learner is a stump: one label on the left of a cut, the other one on its right; cuts lie midway "
            "between neighbours of different labels. In each round take the stump with the smallest weighted error. "
            "Fractions, or four digits, for weights, errors and votes.",
            "1. Round 1: give the cut, the label on its left, the weighted error $\\varepsilon_1$ and the vote "
            "$\\alpha_1=\\tfrac{1}{2}\\ln\\tfrac{1-\\varepsilon_1}{\\varepsilon_1}$ (3 marks).",
            "2. Round 2: give the new weights, in the order of the points, then the same as in round 1 (4 marks).",
            "3. Round 3: the same again (3 marks).",
            f"4. Give the weighted vote $F({x[q]})$ to three digits, and the number of training mistakes of the sign "
            "of $F$ (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "cuts": [r.cut for r in rounds], "sides": [f"{r.side:+d}" for r in rounds],
        "errors": [float(r.epsilon) for r in rounds], "alphas": [r.alpha for r in rounds],
        "weights": [[float(v) for v in r.weights] for r in rounds[1:]], "score": float(score[q]), "mistakes": mistakes,
    }  # fmt: skip
    fields = _round_fields(x, y, q, rounds)
    lines = [line for k in range(ROUNDS) for line in _told(k, x, y, rounds)]
    terms = [f"{'-' if r.answers[q] < 0 else '+'} {sig(r.alpha)}" for r in rounds]
    total = " ".join(terms).removeprefix("+ ").replace("- ", "-", 1 if rounds[0].answers[q] < 0 else 0)
    lines += [
        f"**Vote:** $F({x[q]})={total}\\approx{sig(float(score[q]))}$. At the points in their order, $F$ is "
        + ", ".join(f"${sig(float(v))}$" for v in score)
        + f". Wrong signs: {mistakes}.",
        "Marks: 3 for round 1, 4 for round 2, 3 for round 3, 1 for $F$, 1 for the mistakes.",
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "query": int(x[q])}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _round_fields(x: np.ndarray, y: np.ndarray, q: int, rounds: list[_Round]) -> list[ask.Field]:
    """The fields of ``adaboost-rounds``, with what follows from what, and the slips."""
    n, fields = len(x), list[ask.Field]()
    for k, now in enumerate(rounds):
        marks, agrees = (1.0 if k < 2 else 0.5), [_agrees(k, u, v) for u, v in zip(x, y, strict=True)]
        here = [f"weights.{k - 1}[{i}]" if k else f"1/{n}" for i in range(n)]
        source = [f"weights.{k - 1}"] if k else []
        error_slips = []
        if k:
            fields.append(_weights_field(k, x, y, rounds))
            plain = ask.slip(
                float((now.answers != y).mean()),
                "That is the share of the points; $\\varepsilon_t$ adds the weights of the mistakes.",
                card="adaboost-do-not-confuse-errors",
            )
            error_slips = [plain]
        fields += [
            ask.number(f"cuts.{k}", "cut", k + 1, 0.5, after=source),
            ask.choice(f"sides.{k}", "label on the left", k + 1, 0.5, options=SIDES, after=source),
            ask.number(
                f"errors.{k}",
                f"$\\varepsilon_{k + 1}$",
                k + 1,
                marks,
                follows=" + ".join(f"{w}*({a} < 0)" for w, a in zip(here, agrees, strict=True)),
                slips=error_slips,
            ),
            ask.number(
                f"alphas.{k}",
                f"$\\alpha_{k + 1}$",
                k + 1,
                marks,
                follows=f"ln((1 - errors.{k}) / errors.{k}) / 2",
                slips=[ask.slip(2 * now.alpha, _NO_HALF, card="adaboost-convention-half")],
            ),
        ]
    votes = [" + ".join(f"alphas.{k}*({_agrees(k, u, 1)})" for k in range(ROUNDS)) for u in x]
    equal = ask.slip(
        int(sum(r.answers[q] for r in rounds)),
        "That lets every stump count the same; each answer is multiplied by its vote $\\alpha_t$.",
        card="adaboost-do-not-confuse-ensembles",
    )
    return [
        *fields,
        ask.number("score", f"$F({x[q]})$", 4, **ask.DERIVED, follows=votes[q], slips=[equal]),
        ask.number(
            "mistakes",
            "training mistakes",
            4,
            whole=True,
            follows=" + ".join(f"(({v})*({label}) < 0)" for v, label in zip(votes, y, strict=True)),
        ),
    ]


def _weights_field(k: int, x: np.ndarray, y: np.ndarray, rounds: list[_Round]) -> ask.Field:
    """The weights before round ``k``, counted from 0."""
    before = rounds[k - 1]
    w, wrong = np.array([float(v) for v in before.weights]), before.answers != y
    signed = w * np.exp(np.where(wrong, before.alpha, -before.alpha))
    mixed = w * np.exp(np.where(wrong, before.alpha, 0.0))
    agrees, e = [_agrees(k - 1, u, v) for u, v in zip(x, y, strict=True)], f"errors.{k - 1}"
    old = [f"weights.{k - 2}[{i}]" if k > 1 else f"1/{len(x)}" for i in range(len(x))]
    slips = [
        ask.slip(
            signed,
            "These weights are not normalised: divide them by their sum.",
            card="adaboost-lost-marks-normalise",
        ),
        ask.slip(
            mixed / mixed.sum(),
            "That multiplies the mistakes by $e^{\\alpha_t}$ and leaves the others; with the $\\tfrac12$ in the vote "
            "the others are multiplied by $e^{-\\alpha_t}$.",
            card="adaboost-lost-marks-mixed",
        ),
    ]
    return ask.vector(
        f"weights.{k - 1}",
        "new weights",
        k + 1,
        1,
        titles=map(str, x),
        follows=[f"{w} / (1 + ({a})*(1 - 2*{e}))" for w, a in zip(old, agrees, strict=True)],
        slips=slips,
    )


def _agrees(k: int, x: int, y: int) -> str:
    """1 where the stump of round ``k`` (from 0) answers ``y`` at ``x``, else -1, as an expression."""
    return f"({y})*(1 - 2*sides.{k})*(1 - 2*({x} > cuts.{k}))"


_NO_HALF = (
    "That lacks the $\\tfrac12$: the vote asked for here is $\\tfrac12\\ln\\tfrac{1-\\varepsilon}{\\varepsilon}$."
)


def _told(k: int, x: np.ndarray, y: np.ndarray, rounds: list[_Round]) -> list[str]:
    """The lines of one round: weights, errors of all stumps, the best one and its vote."""
    now = rounds[k]
    if k == 0:
        first = f"**Round 1.** Each weight is ${fraction(now.weights[0])}$."
    else:
        e = rounds[k - 1].epsilon
        first = (
            f"**Round {k + 1}.** Right points: weight divided by $2\\cdot{fraction(1 - e)}={fraction(2 * (1 - e))}$; "
            f"mistakes: by $2\\cdot{fraction(e)}={fraction(2 * e)}$:"
        )
    weights = table([[f"${fraction(v)}$" for v in now.weights]], [f"$x={v}$" for v in x]).markdown
    cuts = [(x[j] + x[j + 1]) / 2 for j in np.flatnonzero(y[1:] != y[:-1])]
    rows = [
        [f"${short(c)}$", f"${fraction(a)}$", f"${fraction(b)}$"] for c, (a, b) in zip(cuts, now.errors, strict=True)
    ]
    odds = (1 - now.epsilon) / now.epsilon
    return [
        first,
        *([weights] if k else []),
        table(rows, ["cut", "error with +1 on the left", "error with -1 on the left"]).markdown,
        f"Best: ${now.side:+d}$ on the left of ${short(now.cut)}$, $\\varepsilon_{k + 1}={fraction(now.epsilon)}$, "
        f"$\\alpha_{k + 1}=\\tfrac{{1}}{{2}}\\cdot\\ln({fraction(odds)})\\approx{sig(now.alpha)}$.",
    ]


@drill("adaboost-bound", marks=8, minutes=10, title="The bound on AdaBoost's training error")
def adaboost_bound(rng: np.random.Generator) -> Parts:
    """Four weighted errors: their factors and bound, the weight of a point after them, rounds until no mistake."""
    while True:
        n, errors = int(rng.integers(3, 20)) * 10, [RATES[k] for k in rng.choice(len(RATES), size=4, replace=False)]
        worst, wrong = (
            RATES[rng.integers(2, 6)],
            np.sort(rng.choice(4, size=int(rng.integers(1, 4)), replace=False)),
        )
        bounds = training_bound([float(e) for e in errors])
        bound, factor = float(bounds[-1]), float(training_bound([float(worst)])[0])
        needed = -np.log(n) / np.log(factor)
        if abs(n * bound - round(n * bound)) > 0.1 and abs(needed - round(needed)) > 0.2:
            break
    factors = [float(training_bound([float(e)])[0]) for e in errors]
    parts = [2 * e if k in wrong else 2 * (1 - e) for k, e in enumerate(errors)]
    weight = 1 / (parts[0] * parts[1] * parts[2] * parts[3])
    told = " and ".join(map(str, wrong + 1)) if len(wrong) < 3 else f"{wrong[0] + 1}, {wrong[1] + 1} and {wrong[2] + 1}"
    listed = ", ".join(f"$\\varepsilon_{k}={float(e):g}$" for k, e in enumerate(errors, 1))
    statement = "\n\n".join(
        [
            f"Four rounds of AdaBoost on $N={n}$ points had the weighted errors {listed}, and the usual votes.",
            "1. By which factor does each round change the bound on the training error? Give four digits. What is the "
            "bound after all four, to three digits? (3 marks)",
            "2. How many training mistakes can the vote of the four make at most, by this bound? (1 mark)",
            f"3. One point was wrong in exactly these rounds: {told}. By which factor has its weight changed since the "
            "start, when it was $1/N$? Give a fraction or four digits (2 marks).",
            f"4. Suppose that every weak learner has a weighted error of at most ${float(worst):g}$. After how many "
            "rounds does the bound exclude any training mistake? (2 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "factors": factors, "bound": bound, "mistakes": int(n * bound), "weight": float(weight),
        "rounds": int(np.ceil(needed)),
    }  # fmt: skip
    fields = [
        ask.vector(
            "factors",
            "factors",
            1,
            2,
            titles=[f"round {k}" for k in range(1, 5)],
            slips=[
                ask.slip(
                    [f / 2 for f in factors],
                    "That lacks the 2: the factor is $2\\sqrt{\\varepsilon_t(1-\\varepsilon_t)}$.",
                    card="adaboost-do-not-confuse-errors",
                )
            ],
        ),
        ask.number(
            "bound",
            "bound",
            1,
            **ask.DERIVED,
            follows="factors[0]*factors[1]*factors[2]*factors[3]",
            slips=[
                ask.slip(
                    float(np.prod([float(e) for e in errors])),
                    "That multiplies the weighted errors; the bound is the product of the factors.",
                    card="adaboost-do-not-confuse-errors",
                )
            ],
        ),
        ask.number(
            "mistakes",
            "most mistakes",
            2,
            whole=True,
            after=["bound"],
            slips=[
                ask.slip(
                    int(n * bound) + 1,
                    "That rounds up; a number of mistakes that is at most so large is rounded down.",
                    card="adaboost-do-not-confuse-errors",
                )
            ],
        ),
        ask.number(
            "weight",
            "factor of the weight",
            3,
            2,
            slips=[
                ask.slip(
                    float(1 / weight),
                    "That is the reciprocal: a mistake divides the weight by $2\\varepsilon_t$, a right answer by "
                    "$2(1-\\varepsilon_t)$.",
                    card="adaboost-lost-marks-half",
                )
            ],
        ),
        ask.number(
            "rounds",
            "rounds",
            4,
            2,
            whole=True,
            slips=[
                ask.slip(
                    int(needed),
                    "That rounds down, and the bound still allows a mistake; round up.",
                    card="adaboost-do-not-confuse-errors",
                )
            ],
        ),
    ]
    roots = "; ".join(
        f"$2\\sqrt{{{float(e):g}\\cdot{float(1 - e):g}}}\\approx{sig(f)}$" for e, f in zip(errors, factors, strict=True)
    )
    product = "\\cdot".join(sig(f) for f in factors)
    shares = "\\cdot".join(fraction(p) for p in parts)
    lines = [
        f"**Factors** $2\\sqrt{{\\varepsilon_t(1-\\varepsilon_t)}}$: {roots}. Bound: ${product}\\approx{sig(bound)}$.",
        f"**Mistakes:** at most ${n}\\cdot{sig(bound)}\\approx{sig(n * bound)}$, so at most {int(n * bound)}.",
        "**Weight:** a mistake divides it by $2\\varepsilon_t$, a right answer by $2(1-\\varepsilon_t)$: the factor is "
        f"$1/({shares})={fraction(weight)}\\approx{sig(float(weight))}$.",
        f"**Rounds:** the bound is at most $z^T$ with $z=2\\sqrt{{{float(worst):g}\\cdot{float(1 - worst):g}}}\\approx"
        f"{sig(factor)}$, and a single mistake is a training error of $1/{n}$. So $T$ has to exceed "
        f"$-\\ln({n})/\\ln({sig(factor)})\\approx{sig(needed)}$: {int(np.ceil(needed))} rounds.",
        "Marks: 2 for the factors, 1 for the bound, 1 for the mistakes, 2 for the weight, 2 for the rounds.",
    ]
    given = {"n": n, "errors": [float(e) for e in errors], "wrong": (wrong + 1).tolist(), "worst": float(worst)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
