"""Drills on gradient boosting: two rounds for squared errors, a Newton leaf for log loss, a second-order split."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, rational, row, short
from notes_lib.foundations.risk import margin_logistic
from notes_lib.trees.cart import threshold_losses
from notes_lib.trees.gradient_boosting import leaf_value, second_order_gain, second_order_value


@drill("boosting-squared", marks=11, minutes=14, title="Two rounds of boosting for squared errors")
def boosting_squared(rng: np.random.Generator) -> Parts:
    """Four points: the constant, residuals, all cuts of the first stump, half a step, the second stump."""
    while True:
        x = np.cumsum(rng.integers(1, 4, size=4)) * 2
        y = rng.integers(0, 25, size=4)
        start = Fraction(int(y.sum()), 4)
        residuals = [int(v) - start for v in y]
        first, one = _stump(x, residuals)
        if y.sum() % 4 or min(np.diff(sorted(first))) < 2:
            continue
        fitted = [start + _leaf(one, u) / 2 for u in x]
        after = [int(v) - f for v, f in zip(y, fitted, strict=True)]
        second, two = _stump(x, after)
        if min(np.diff(sorted(second))) >= 2 and len(set(y.tolist())) == 4:
            break
    query = int(rng.choice([int(x[0]) - 1, int(x[-1]) + 1, int(x[1]) + 1]))
    while query in (one[0], two[0]):
        query += 1
    prediction = start + _leaf(one, query) / 2 + _leaf(two, query) / 2
    cuts = [Fraction(int(a + b), 2) for a, b in pairwise(x)]
    points, at = ", ".join(f"${row(p)}$" for p in zip(x, y, strict=True)), [f"x={u}" for u in x]
    place = sum(query > c for c in cuts)  # how many cuts are on its left
    statement = "\n\n".join(
        [
            f"Gradient boosting for squared errors with stumps and the learning rate $\\tfrac12$ is run on the points "
            f"$(x, y)$: {points}.",
            "1. Give the constant with which it begins, and the residuals (2 marks).",
            "2. By how much would each of the three cuts lower the sum of squared residuals? Give the leaf values of "
            "the stump with the largest decrease (4 marks).",
            "3. Give the predictions for the four points after this round, and the new residuals (2 marks).",
            f"4. Give the cut of the second stump, its leaf values, and the prediction at $x={query}$ after two rounds "
            "(3 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "start": float(start), "residuals": [float(r) for r in residuals], "gains": [float(v) for v in first],
        "leaves": [float(v) for v in one[1:]], "fitted": [float(v) for v in fitted], "after": [float(v) for v in after],
        "cut": float(two[0]), "second": [float(v) for v in two[1:]], "prediction": float(prediction),
    }  # fmt: skip
    fields = [
        ask.number("start", "constant", 1, whole=True),
        ask.vector(
            "residuals", "residuals", 1, titles=at, whole=True, follows=[f"{v} - start" for v in y],
            slips=[ask.slip([float(-r) for r in residuals], _SIGN, card="gradient-boosting-lost-marks-sign")],
        ),
        ask.vector(
            "gains", "decrease", 2, 3, titles=[short(float(c)) for c in cuts], digits=3,
            follows=[_decrease("residuals", j) for j in range(3)],
        ),
        ask.vector(
            "leaves", "leaf values", 2, titles=["left", "right"], digits=3,
            follows=[
                " + ".join(f"(argmax(gains) == {j})*{_mean('residuals', j, side)}" for j in range(3))
                for side in range(2)
            ],
        ),
        ask.vector(
            "fitted", "predictions", 3, titles=at, digits=3,
            follows=[f"start + {_half_step(i)}" for i in range(4)],
            slips=[ask.slip([float(start + _leaf(one, u)) for u in x], _FULL, card=_RATE)],
        ),
        ask.vector(
            "after", "new residuals", 3, titles=at, digits=3, follows=[f"{v} - fitted[{i}]" for i, v in enumerate(y)],
            slips=[ask.slip([float(-r) for r in after], _SIGN, card="gradient-boosting-lost-marks-sign")],
        ),
        ask.number(
            "cut", "cut of the second stump", 4,
            follows=" + ".join(f"{float(c)}*(argmax({_decreases_of('after')}) == {j})" for j, c in enumerate(cuts)),
        ),
        ask.vector(
            "second", "leaf values of the second stump", 4, titles=["left", "right"], digits=3,
            follows=[
                " + ".join(f"(cut == {float(c)})*{_mean('after', j, side)}" for j, c in enumerate(cuts))
                for side in range(2)
            ],
        ),
        ask.number(
            "prediction", "prediction", 4, digits=3,
            follows=f"start + {_half_step(place)} + (second[0]*({query} <= cut) + second[1]*({query} > cut))/2",
            slips=[
                ask.slip(float(start + _leaf(one, query) + _leaf(two, query)), _FULL, card=_RATE),
                ask.slip(float(start + _leaf(one, query) / 2), "That is the prediction after one round.", card=_RATE),
            ],
        ),
    ]  # fmt: skip
    lines = [
        f"**Begin** with the mean $\\tfrac{{{' + '.join(map(str, y))}}}{{4}}={fraction(start)}$. Residuals: "
        f"${row(residuals, fraction)}$.",
        "**First stump.** A cut lowers the sum by $\\tfrac{n_Ln_R}{n}(\\bar r_L-\\bar r_R)^2$:",
        _decreases(cuts, residuals, first),
        f"The largest decrease is that of the cut ${short(float(one[0]))}$, with the leaf values ${fraction(one[1])}$ "
        f"and ${fraction(one[2])}$.",
        f"**Half a step:** left ${fraction(start)} + \\tfrac12\\cdot{_bracket(one[1])}={fraction(start + one[1] / 2)}$"
        f", right ${fraction(start)} + \\tfrac12\\cdot{_bracket(one[2])}={fraction(start + one[2] / 2)}$. New residuals"
        f": ${row(after, fraction)}$.",
        "**Second stump:**",
        _decreases(cuts, after, second),
        f"It cuts at ${short(float(two[0]))}$, with the leaf values ${fraction(two[1])}$ and ${fraction(two[2])}$. At "
        f"$x={query}$ the prediction is ${fraction(start)} + \\tfrac12\\cdot{_bracket(_leaf(one, query))} + "
        f"\\tfrac12\\cdot{_bracket(_leaf(two, query))}={_value(prediction)}$.",
        "Marks: 1 for the constant, 1 for the residuals, 3 for the decreases, 1 for the leaves, 1 for the predictions, "
        "1 for the new residuals, 1 for the second cut, 1 for its leaves, 1 for the prediction.",
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist(), "query": query}, "\n\n".join(lines), answer, fields)


_SIGN = "The sign is turned round: a residual is $y$ minus the prediction."
_FULL = "That makes full steps; each leaf value is multiplied by the learning rate $\\tfrac12$."
_RATE = "gradient-boosting-do-not-confuse-rate"


def _mean(name: str, cut: int, side: int) -> str:
    """The mean of the entries on one side (0: left) of a cut, as an expression."""
    inside = range(cut + 1) if side == 0 else range(cut + 1, 4)
    return f"(({' + '.join(f'{name}[{i}]' for i in inside)})/{len(inside)})"


def _half_step(place: int) -> str:
    """Half the first leaf value of a point that has so many cuts on its left, as an expression."""
    return f"(leaves[0]*({place} <= argmax(gains)) + leaves[1]*({place} > argmax(gains)))/2"


def _decrease(name: str, cut: int) -> str:
    """By how much a cut lowers the sum of squares, as an expression."""
    return f"{(cut + 1) * (3 - cut) / 4}*({_mean(name, cut, 0)} - {_mean(name, cut, 1)})^2"


def _decreases_of(name: str) -> str:
    return ", ".join(_decrease(name, j) for j in range(3))


Stump = tuple[Fraction, Fraction, Fraction]


def _stump(x: np.ndarray, residuals: list[Fraction]) -> tuple[list[Fraction], Stump]:
    """The decrease by each cut; the best cut with the means on both sides."""
    r = np.array([float(v) for v in residuals])
    cuts = threshold_losses(x, r)
    total = float(((r - r.mean()) ** 2).sum())
    k = cuts.best
    best = rational(cuts.threshold[k]), rational(cuts.left[k]), rational(cuts.right[k])
    return [rational(total - loss) for loss in cuts.loss], best


def _leaf(stump: Stump, x: int) -> Fraction:
    return stump[1] if x <= stump[0] else stump[2]


def _decreases(cuts: list[Fraction], residuals: list[Fraction], gains: list[Fraction]) -> str:
    """A table of the three cuts."""
    rows = []
    for k, (cut, gain) in enumerate(zip(cuts, gains, strict=True), 1):
        left, right = sum(residuals[:k], Fraction(0)) / k, sum(residuals[k:], Fraction(0)) / (4 - k)
        rows.append(
            [
                f"${short(float(cut))}$", f"${fraction(left)}$", f"${fraction(right)}$",
                f"$\\tfrac{{{k * (4 - k)}}}{{4}}\\,\\big({fraction(left)} - {_bracket(right)}\\big)^2={_value(gain)}$",
            ]
        )  # fmt: skip
    return table(rows, ["cut", "mean on the left", "mean on the right", "decrease"]).markdown


def _bracket(value: Fraction) -> str:
    return f"\\big({fraction(value)}\\big)" if value < 0 else fraction(value)


def _value(value: Fraction) -> str:
    """A fraction and its decimals, exact where four are enough; a whole number alone."""
    if value.denominator == 1:
        return fraction(value)
    return fraction(value) + (f"={short(float(value))}" if 10_000 % value.denominator == 0 else _about(value))


def _about(value: Fraction) -> str:
    return f"\\approx{sig(float(value))}"


SIDES = ["left", "right"]
_SCORE = "gradient-boosting-lost-marks-score"


def _loss_after(ones: np.ndarray, size: np.ndarray) -> str:
    """The sum of the log losses by the new probabilities, as an expression."""
    terms = [(o, f"probabilities[{j}]") for j, o in enumerate(ones)]
    terms += [(s - o, f"(1 - probabilities[{j}])") for j, (o, s) in enumerate(zip(ones, size, strict=True))]
    return " ".join(f"- {count}*ln({q})" for count, q in terms if count)


@drill("boosting-logistic", marks=9, minutes=12, title="One round of boosting for log loss")
def boosting_logistic(rng: np.random.Generator) -> Parts:
    """A stump with given counts: log-odds, residuals, Newton values of both leaves, new probabilities, the loss."""
    while True:
        size = rng.integers(3, 9, size=2)
        ones = np.array([rng.integers(0, s + 1) for s in size])
        n, k = int(size.sum()), int(ones.sum())
        share = [Fraction(int(o), int(s)) for o, s in zip(ones, size, strict=True)]
        if 0 < k < n and abs(share[0] - share[1]) > Fraction(1, 4):
            break
    rate = Fraction(1, int(rng.choice([2, 4, 5])))
    p = Fraction(k, n)
    start = float(np.log(k / (n - k)))
    labels = [np.repeat([1.0, 0.0], [o, s - o]) for o, s in zip(ones, size, strict=True)]
    values = [rational(leaf_value("logistic", y, np.full(len(y), start))) for y in labels]
    scores = [start + float(rate * b) for b in values]
    probs = [1 / (1 + np.exp(-f)) for f in scores]
    loss = [
        sum(float(margin_logistic((2 * y - 1) * f).sum()) for y, f in zip(labels, fs, strict=True))
        for fs in ([start, start], scores)
    ]
    statement = "\n\n".join(
        [
            f"Gradient boosting for log loss on {n} instances, {k} of them of class 1. The first stump sends {size[0]} "
            f"instances to the left, {ones[0]} of class 1, and {size[1]} to the right, {ones[1]} of class 1. The "
            f"learning rate is ${fraction(rate)}$.",
            "1. Give the constant score with which boosting begins, and its probability of class 1 (2 marks).",
            "2. Give the pseudo-residual of an instance of class 1 and of one of class 0, and the values of both "
            "leaves by one Newton step (3 marks).",
            "3. Give the score and the probability of class 1 in both leaves after the round (2 marks).",
            "4. Give the sum of the log losses, in nats, before and after the round (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "start": start, "p": float(p), "residuals": [float(1 - p), float(-p)], "values": [float(v) for v in values],
        "scores": scores, "probabilities": [float(q) for q in probs], "losses": loss,
    }  # fmt: skip
    fields = [
        ask.number(
            "start", "score", 1, places=3,
            slips=[
                ask.slip(float(p), "That is the probability; the score is its log-odds.", card=_SCORE),
                ask.slip(
                    start / 2,
                    "That is half the log-odds, the score for labels $\\pm1$; here the labels are 0 and 1.",
                    card="gradient-boosting-convention-half",
                ),
            ],
        ),
        ask.number("p", "probability", 1, follows="1 / (1 + exp(-start))"),
        ask.vector(
            "residuals", "pseudo-residuals", 2, titles=["class 1", "class 0"], follows=["1 - p", "-p"],
            slips=[
                ask.slip([1 - start, -start], "That is the label minus the score; the residual is $y-p$.", card=_SCORE)
            ],
        ),
        ask.vector(
            "values", "leaf values", 2, 2, titles=SIDES, digits=3,
            follows=[
                f"({o}*residuals[0] + {s - o}*residuals[1]) / ({s}*p*(1 - p))" for o, s in zip(ones, size, strict=True)
            ],
            slips=[
                ask.slip(
                    [float(v - p) for v in share],
                    "These are the means of the residuals; the Newton step divides their sum by $\\sum_n p_n(1-p_n)$.",
                    card=_SCORE,
                )
            ],
        ),
        ask.vector(
            "scores", "scores", 3, titles=SIDES, places=2, carried=0.01,
            follows=[f"start + {float(rate)}*values[{j}]" for j in range(2)],
            slips=[
                ask.slip(
                    [start + float(b) for b in values],
                    "That makes a full step; the leaf value is multiplied by the learning rate.",
                    card=_RATE,
                )
            ],
        ),
        ask.vector(
            "probabilities", "probabilities", 3, titles=SIDES, places=3, carried=0.01,
            follows=[f"1 / (1 + exp(-scores[{j}]))" for j in range(2)],
        ),
        ask.vector(
            "losses", "log losses", 4, 2, titles=["before", "after"], digits=3, carried=1,
            follows=[f"-{k}*ln(p) - {n - k}*ln(1 - p)", _loss_after(ones, size)],
            slips=[
                ask.slip(
                    [v / n for v in loss],
                    "These are means over the instances; the question asks for the sums.",
                    card="gradient-boosting-convention-half",
                )
            ],
        ),
    ]  # fmt: skip
    lines = [
        f"**Begin:** $f_0=\\ln\\tfrac{{{k}}}{{{n - k}}}={sig(start)}$, with the probability "
        f"$p=\\tfrac{{{k}}}{{{n}}}\\approx{sig(float(p))}$.",
        f"**Residuals** $y-p$: class 1 ${fraction(1 - p)}$, class 0 ${fraction(-p)}$. Every curvature is $p(1-p)="
        f"{fraction(p)}\\cdot{fraction(1 - p)}={fraction(p * (1 - p))}$.",
    ]
    for name, o, s, b in zip(SIDES, ones, size, values, strict=True):
        top = f"{o}\\cdot{fraction(1 - p)} - {s - o}\\cdot{fraction(p)}"
        lines.append(f"Leaf value, {name}: $\\dfrac{{{top}}}{{{s}\\cdot{fraction(p * (1 - p))}}}={_value(b)}$.")
    for name, b, f, q in zip(SIDES, values, scores, probs, strict=True):
        lines.append(
            f"**After the round,** {name}: score ${sig(start)} + {fraction(rate)}\\cdot{_bracket(b)}="
            f"{sig(f)}$, probability $\\dfrac1{{1 + e^{{{sig(-float(f))}}}}}={sig(q)}$."
        )
    after = " ".join(
        f"- {c}\\ln {sig(v)}" for o, s, q in zip(ones, size, probs, strict=True)
        for c, v in ((o, q), (s - o, 1 - q)) if c
    )  # fmt: skip
    lines += [
        f"**Log loss** before: $-{k}\\ln\\tfrac{{{k}}}{{{n}}} - {n - k}\\ln\\tfrac{{{n - k}}}{{{n}}}={sig(loss[0])}$; "
        f"after: ${after}={sig(loss[1])}$.",
        "Marks: 1 for the score, 1 for its probability, 1 for the residuals, 2 for the leaves, 1 for the scores, 1 for "
        "the probabilities, 2 for the losses.",
    ]
    given = {"size": size.tolist(), "ones": ones.tolist(), "rate": float(rate)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _total(name: str, y: np.ndarray) -> str:
    """The sum of the derivatives of some instances, as an expression."""
    return f"({int(y.sum())}*{name}[0] + {int(len(y) - y.sum())}*{name}[1])"


def _gain(row: int, y: np.ndarray, cut: int, strength: float) -> str:
    """The gain of a cut by the sums on both sides, as an expression."""
    left, right = (f"sums[{row},{j}]^2/({_total('h', part)} + {strength})" for j, part in enumerate((y[:cut], y[cut:])))
    return f"({left} + {right} - (sums[{row},0] + sums[{row},1])^2/({_total('h', y)} + {strength}))/2"


@drill("xgboost-gain", marks=10, minutes=12, title="A split by the second-order gain")
def xgboost_gain(rng: np.random.Generator) -> Parts:
    """Seven labels at the score 0: derivatives, sums, gains of two cuts, the penalty of a leaf, leaf values."""
    half = Fraction(1, 2)
    while True:
        y = rng.integers(0, 2, size=7)
        cuts = np.sort(rng.choice(np.arange(1, 7), size=2, replace=False))
        penalty = Fraction(int(rng.integers(1, 5)), 2)
        g, G = [half - int(v) for v in y], half * 7 - int(y.sum())
        sides = [(sum(g[:c], Fraction(0)), sum(g[c:], Fraction(0))) for c in cuts]
        bends = [(Fraction(int(c), 4), Fraction(int(7 - c), 4)) for c in cuts]
        scores = [
            rational(second_order_gain(float(L), float(HL), float(R), float(HR), float(penalty)))
            for (L, R), (HL, HR) in zip(sides, bends, strict=True)
        ]
        if 0 < y.sum() < 7 and abs(scores[0] - scores[1]) > Fraction(1, 20) and max(scores) > Fraction(1, 8):
            break
    price = Fraction(int(rng.integers(1, 7)), 10)
    price += Fraction(int(price == max(scores)), 10)  # a gain that equals its price decides nothing
    best = int(scores[1] > scores[0])
    made = scores[best] > price
    values = [
        rational(float(second_order_value(float(a), float(b), float(penalty))))
        for a, b in zip(sides[best], bends[best], strict=True)
    ]
    statement = "\n\n".join(
        [
            f"Seven instances, sorted by a feature, have the labels ${row(y)}$. All scores are $0$. A split is to be "
            "judged by the second-order objective for log loss, with the penalty $\\tfrac{\\lambda}{2}b^2$ for a leaf "
            f"value $b$, $\\lambda={fraction(penalty)}$, and the price $\\gamma={short(float(price))}$ for a leaf.",
            "1. Give the first and the second derivative of the loss for a label 1 and for a label 0 (2 marks).",
            f"2. Give the sum $G$ of the first derivatives on both sides of the cut behind instance {cuts[0]}, and of "
            f"the cut behind instance {cuts[1]} (2 marks).",
            "3. Give the gain of both cuts, without the price of the leaf (4 marks).",
            "4. Is the better of the two cuts made? Give the values that its leaves have or would have (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "g": [-0.5, 0.5], "h": [0.25, 0.25], "sums": [[float(v) for v in pair] for pair in sides],
        "gains": [float(v) for v in scores], "made": bool(made), "values": [float(v) for v in values],
    }  # fmt: skip
    titles, strength = [f"behind {c}" for c in cuts], float(penalty)
    fields = [
        ask.vector(
            "g", "first derivatives", 1, titles=["label 1", "label 0"],
            slips=[
                ask.slip(
                    [-v for v in answer["g"]],
                    "That is $y-p$, the negative derivative; the derivative of the loss is $p-y$.",
                    card="gradient-boosting-lost-marks-sign",
                )
            ],
        ),
        ask.vector(
            "h", "second derivatives", 1, titles=["label 1", "label 0"],
            slips=[
                ask.slip(
                    [2 * v for v in answer["h"]],
                    "That is $2p(1-p)$, which XGBoost uses for several classes; for two it is $p(1-p)$.",
                    card="gradient-boosting-convention-half",
                )
            ],
        ),
        ask.matrix(
            "sums", "sums of first derivatives", 2, 2, rows=titles, columns=SIDES,
            follows=[[_total("g", part) for part in (y[:c], y[c:])] for c in cuts],
        ),
        ask.vector(
            "gains", "gain", 3, 4, titles=titles, digits=3,
            follows=[_gain(r, y, c, strength) for r, c in enumerate(cuts)],
            slips=[
                ask.slip(
                    [
                        sum(float(a * a / (b + penalty)) for a, b in zip(pair, bend, strict=True)) / 2
                        for pair, bend in zip(sides, bends, strict=True)
                    ],
                    "That leaves out the leaf before the split; its $\\tfrac12G^2/(H+\\lambda)$ is subtracted.",
                    card="gradient-boosting-lost-marks-parent",
                ),
                ask.slip(
                    [float(2 * v) for v in scores],
                    "That lacks the $\\tfrac12$ before the bracket.",
                    card="gradient-boosting-convention-half",
                ),
            ],
        ),
        ask.choice(
            "made", "is the cut made", 4, options=["yes", "no"], keys=[True, False],
            follows=f"max(gains) <= {float(price)}",
        ),
        ask.vector(
            "values", "leaf values", 4, titles=SIDES, digits=3,
            follows=[
                " + ".join(f"(argmax(gains) == {r})*(-sums[{r},{j}]/({_total('h', part[j])} + {strength}))"
                           for r, part in enumerate((y[:c], y[c:]) for c in cuts))
                for j in range(2)
            ],
            slips=[
                ask.slip(
                    [float(-v) for v in values],
                    "The sign is turned round: a leaf value is $-G/(H+\\lambda)$.",
                    card="gradient-boosting-lost-marks-sign",
                )
            ],
        ),
    ]  # fmt: skip
    lines = [
        "**Derivatives** with $p=\\tfrac12$: $p-y$ is $-\\tfrac12$ for a label 1 and $\\tfrac12$ for a label 0; $p(1-p)"
        "=\\tfrac12\\cdot\\tfrac12=\\tfrac14$ for both.",
        f"**All seven:** $G={fraction(G)}$, $H=\\tfrac{{7}}{{4}}$.",
    ]
    whole = f"\\dfrac{{\\big({fraction(G)}\\big)^2}}{{\\tfrac{{7}}{{4}} + {fraction(penalty)}}}"
    for c, (L, R), (HL, HR), score in zip(cuts, sides, bends, scores, strict=True):
        parts = [
            f"\\dfrac{{\\big({fraction(a)}\\big)^2}}{{{fraction(b)} + {fraction(penalty)}}}"
            for a, b in ((L, HL), (R, HR))
        ]
        lines.append(
            f"**Behind instance {c}:** $G_L={fraction(L)}$, $G_R={fraction(R)}$, $H_L={fraction(HL)}$, "
            f"$H_R={fraction(HR)}$; the gain is\n\n$$\n\\begin{{aligned}}\n&\\tfrac12\\cdot\\Big({' + '.join(parts)} - "
            f"{whole}\\Big)\\\\\n&\\quad={_value(score)}\n\\end{{aligned}}\n$$"
        )
    relation, told = (">", "it is made") if made else ("<", "it is not made")
    ends = "have" if made else "would have"
    lines += [
        f"The better cut is behind instance {cuts[best]}: ${sig(float(scores[best]))}{relation}{short(float(price))}$, "
        f"so {told}. Its leaves {ends} the values "
        + " and ".join(
            f"$-\\dfrac{{{fraction(a)}}}{{{fraction(b)} + {fraction(penalty)}}}={_value(v)}$"
            for a, b, v in zip(sides[best], bends[best], values, strict=True)
        )
        + ".",
        "Marks: 1 for the first derivatives, 1 for the second, 2 for the sums, 4 for the gains, 1 for the decision, 1 "
        "for the values.",
    ]
    given = {"y": y.tolist(), "cuts": cuts.tolist(), "lambda": float(penalty), "gamma": float(price)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
