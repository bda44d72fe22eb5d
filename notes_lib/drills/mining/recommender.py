"""Drills on recommenders: neighbours' votes, a turn of alternating least squares, one step, the worth of a list."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, fraction, matrix, products, rational, row, short
from notes_lib.mining.recommender import (
    als_step,
    dcg_at_k,
    ndcg_at_k,
    neighborhood_rating,
    precision_at_k,
    recall_at_k,
    sgd_step,
    similarities,
)

USERS = "abc"
_ZEROS, _OLD, _GAINS = "recommender-lost-marks-zeros", "recommender-lost-marks-old", "recommender-convention-gains"


@drill("neighbourhood-rating", marks=12, minutes=13, title="A rating from two neighbours")
def neighbourhood_rating(rng: np.random.Generator) -> Parts:
    """Means, correlations over common items, shrinkage, and the predicted rating."""
    kappa = int(rng.choice([1, 2, 4]))
    while True:
        own = [a for a in _whole_means(4) if sum(a[:3]) % 3 == 0 and len(set(a[:3])) > 1]
        a = own[int(rng.integers(len(own)))]
        like = [[b for b in _whole_means(n) if _is_fraction(a[:n], b)] for n in (4, 3)]
        b, c = (choices[int(rng.integers(len(choices)))] for choices in like)
        last = rng.integers(1, 6, size=2).tolist()
        R = np.array([[*a, 0], [*b, last[0]], [*c, 0, last[1]]])
        if last[0] * 5 == R[1].sum() or last[1] * 4 == R[2].sum():
            continue  # a neighbour without an opinion
        ratings = R.astype(float)
        ratings[0, 4] = ratings[2, 3] = np.nan  # a is to be predicted for item 5, c has not rated item 4
        mean = np.nanmean(ratings, axis=1)
        rough, shrunk = (similarities(ratings, shrinkage=k)[0, 1:] for k in (0, kappa))
        prediction = neighborhood_rating(mean[0], ratings[1:, 4] - mean[1:], shrunk)
        if 1 <= prediction <= 5 and abs(abs(rough[0]) - abs(rough[1])) > 1e-9:
            break
    cells = [
        [name, *("" if np.isnan(v) else f"{v:.0f}" for v in line)] for name, line in zip(USERS, ratings, strict=True)
    ]
    statement = "\n\n".join(
        [
            "Three users have rated five items:",
            table(cells, ["user", *(f"item {k}" for k in range(1, 6))]).markdown,
            "1. Compute the mean rating of each user (3 marks).",
            "2. Compute the correlation of $a$ with $b$ and of $a$ with $c$, each over the items that both have rated, "
            "with the means over these items (4 marks).",
            f"3. Shrink them with $\\tfrac{{n}}{{n+\\kappa}}$ for $n$ common items and $\\kappa={kappa}$ (2 marks).",
            "4. Predict the rating of $a$ for item 5 from both neighbours (3 marks).",
        ]
    )
    answer = {
        "means": mean.tolist(), "correlations": rough.tolist(), "shrunk": shrunk.tolist(), "prediction": prediction,
    }  # fmt: skip
    given = {"ratings": [[None if np.isnan(v) else int(v) for v in line] for line in ratings], "shrinkage": kappa}
    pairs = ["$a$ and $b$", "$a$ and $c$"]
    fields = [
        ask.vector(
            "means",
            "mean of",
            1,
            3,
            titles=[f"${u}$" for u in USERS],
            slips=[
                ask.slip(
                    R.mean(axis=1), "That counts the gaps as zeros; divide by the ratings that are there.", card=_ZEROS
                )
            ],
        ),
        ask.vector(
            "correlations",
            "correlation",
            2,
            4,
            titles=pairs,
            slips=[
                ask.slip(
                    [
                        float(R[0, :n] @ other[:n])
                        / math.sqrt(float(R[0, :n] @ R[0, :n]) * float(other[:n] @ other[:n]))
                        for n, other in zip((4, 3), R[1:], strict=True)
                    ],
                    "That is the cosine of the ratings; a correlation takes off the means first.",
                    card="recommender-convention-mean",
                )
            ],
        ),
        ask.vector(
            "shrunk",
            "shrunk",
            3,
            2,
            titles=pairs,
            digits=3,
            carried=1,
            follows=[f"{n}/{n + kappa}*correlations[{j}]" for j, n in enumerate((4, 3))],
            slips=[
                ask.slip(
                    [kappa / (n + kappa) * float(s) for n, s in zip((4, 3), rough, strict=True)],
                    "The factor is that of the prior; the number of common items stands above.",
                    card="recommender-convention-penalty",
                )
            ],
        ),
        ask.number(
            "prediction",
            "rating of $a$ for item 5",
            4,
            3,
            digits=3,
            carried=1,
            follows="means[0] + ("
            + " + ".join(f"shrunk[{j}]*({R[j + 1, 4]} - means[{j + 1}])" for j in range(2))
            + ") / (abs(shrunk[0]) + abs(shrunk[1]))",
            slips=[
                ask.slip(
                    float(shrunk @ R[1:, 4] / np.abs(shrunk).sum()),
                    "That weighs the ratings themselves; weigh the deviations, and add the own mean.",
                    card="recommender-lost-marks-mean",
                )
            ],
        ),
    ]
    lines = [
        "**Means:** " + ", ".join(f"${_mean(line)}$ for ${u}$" for u, line in zip(USERS, ratings, strict=True)) + "."
    ]
    for u, other, n, s in zip("bc", R[1:], (4, 3), rough, strict=True):
        x, y = _deviations(R[0, :n]), _deviations(other[:n])
        lines.append(
            f"**Correlation of $a$ and ${u}$:** over items 1 to {n} the means are ${R[0, :n].sum() // n}$ and "
            f"${other[:n].sum() // n}$ and the deviations ${row(x)}$ and ${row(y)}$, so the correlation is "
            f"$\\frac{{{products(x, y)}}}{{\\sqrt{{({_squares(x)})({_squares(y)})}}}}="
            f"\\frac{{{_dot(x, y)}}}{{\\sqrt{{{_dot(x, x)} \\cdot {_dot(y, y)}}}}}={fraction(rational(s))}$."
        )
    weights = [rational(w) for w in shrunk]
    lines.append(
        "**Shrunk:** "
        + " and ".join(
            f"$\\tfrac{{{n}}}{{{n}+{kappa}}} \\cdot {_factor(rational(s))}={fraction(w)}$"
            for n, s, w in zip((4, 3), rough, weights, strict=True)
        )
        + "."
    )
    votes = " + ".join(
        f"{_factor(w)} \\cdot ({v} - {short(m)})" for w, v, m in zip(weights, R[1:, 4], mean[1:], strict=True)
    )
    sizes = " + ".join(fraction(abs(w)) for w in weights)
    lines.append(
        "**Rating:** the mean of $a$, plus the deviations of the neighbours in item 5, weighted: "
        f"${short(mean[0])} + \\frac{{{votes}}}{{{sizes}}}\\approx{sig(prediction)}$."
    )
    lines.append("Marks: 3 for the means, 4 for the correlations, 2 for the shrunk ones, 3 for the rating.")
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@cache
def _whole_means(n: int) -> list[tuple[int, ...]]:
    """All n ratings from 1 to 5 whose mean is a whole number, and which are not all equal."""
    return [v for v in product(range(1, 6), repeat=n) if sum(v) % n == 0 and len(set(v)) > 1]


def _is_fraction(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether a correlation is a fraction, and not 0."""
    x, y = _deviations(a), _deviations(b)
    root = _dot(x, x) * _dot(y, y)
    return _dot(x, y) != 0 and math.isqrt(root) ** 2 == root


def _deviations(a: Sequence[int] | np.ndarray) -> list[int]:
    return [int(v) - int(sum(a)) // len(a) for v in a]


def _dot(x: list[int], y: list[int]) -> int:
    return sum(a * b for a, b in zip(x, y, strict=True))


def _mean(line: np.ndarray) -> str:
    known = line[~np.isnan(line)]
    return f"\\tfrac{{{known.sum():.0f}}}{{{len(known)}}}={short(known.mean())}"


def _squares(x: list[int]) -> str:
    return " + ".join(f"{bracket(v)}^2" for v in x)


@drill("als-step", marks=10, minutes=11, title="One turn of alternating least squares")
def als_turn(rng: np.random.Generator) -> Parts:
    """Normal equations of one user with two factors, the solution, and a predicted rating."""
    while True:
        Q = rng.integers(-2, 3, size=(3, 2))
        r, reg = rng.integers(-3, 4, size=3), int(rng.choice([1, 2, 3]))
        new, level = rng.integers(-2, 3, size=2), int(rng.integers(2, 5))
        A, b = Q.T @ Q + reg * np.eye(2, dtype=int), Q.T @ r
        if (Q != 0).any(axis=1).all() and b.all() and new.all() and A[0, 1] and np.linalg.matrix_rank(Q) == 2:
            break
    p = als_step(Q, r, reg)
    predicted = float(level + new @ p)
    statement = "\n\n".join(
        [
            "A user has rated three items. Their factors stay. What is left of the ratings after mean and biases are "
            "taken off is:",
            table(
                [[str(k), f"${row(q)}$", str(v)] for k, (q, v) in enumerate(zip(Q, r, strict=True), 1)],
                ["item", "factors", "rest of the rating"],
            ).markdown,
            f"1. Set up $A=\\sum_i q_i q_i^\\top+\\lambda I$ for $\\lambda={reg}$ (3 marks).",
            "2. Set up $b=\\sum_i r_i q_i$ (2 marks).",
            "3. Solve $A p=b$ for the factors $p$ of the user (3 marks).",
            f"4. A fourth item has the factors ${row(new)}$, and the mean with both biases is ${level}$. Which rating "
            "is predicted? (2 marks)",
        ]
    )
    answer = {"A": A.tolist(), "b": b.tolist(), "p": p.tolist(), "rating": predicted}
    given = {"factors": Q.tolist(), "rest": r.tolist(), "reg": reg, "new": new.tolist(), "level": level}
    fields = [
        ask.matrix(
            "A",
            "$A$",
            1,
            3,
            rows=["", " "],
            columns=["1", "2"],
            whole=True,
            slips=[
                ask.slip(Q.T @ Q, "The penalty is missing on the diagonal.", card="recommender-convention-penalty"),
                ask.slip(
                    Q.T @ Q + len(Q) * reg * np.eye(2, dtype=int),
                    "That counts the penalty once for each rating; here it counts once.",
                    card="recommender-convention-penalty",
                ),
            ],
        ),
        ask.vector("b", "$b$", 2, 2, titles=["$b_1$", "$b_2$"], whole=True),
        ask.vector(
            "p",
            "$p$",
            3,
            3,
            titles=["$p_1$", "$p_2$"],
            follows=[
                "(A[1,1]*b[0] - A[0,1]*b[1]) / (A[0,0]*A[1,1] - A[0,1]*A[1,0])",
                "(A[0,0]*b[1] - A[1,0]*b[0]) / (A[0,0]*A[1,1] - A[0,1]*A[1,0])",
            ],
            slips=[
                ask.slip(
                    np.linalg.solve(Q.T @ Q, b),
                    "That is the solution without the penalty.",
                    card="recommender-convention-penalty",
                )
            ],
        ),
        ask.number(
            "rating",
            "rating",
            4,
            2,
            digits=3,
            carried=1,
            follows=f"{level} + {bracket(int(new[0]))}*p[0] + {bracket(int(new[1]))}*p[1]",
            slips=[
                ask.slip(
                    float(new @ p), "The level of the rating is missing: add it.", card="recommender-lost-marks-mean"
                )
            ],
        ),
    ]
    det = int(A[0, 0] * A[1, 1] - A[0, 1] ** 2)
    exact = [Fraction(int(A[1, 1] * b[0] - A[0, 1] * b[1]), det), Fraction(int(A[0, 0] * b[1] - A[0, 1] * b[0]), det)]
    outer = " + ".join(matrix(np.outer(q, q).tolist()) for q in Q)
    turned = [[A[1, 1], -A[0, 1]], [-A[0, 1], A[0, 0]]]
    lines = [
        f"**Left-hand side:** $A={outer} + {matrix([[reg, 0], [0, reg]])}={matrix(A.tolist())}$.",
        "**Right-hand side:** $b="
        + " + ".join(f"{bracket(v)} \\cdot {column(q)}" for v, q in zip(r, Q, strict=True))
        + f"={column(b)}$.",
        f"**Solution:** the determinant is ${A[0, 0]} \\cdot {A[1, 1]} - {bracket(A[0, 1])}^2={det}$, so "
        f"$p=\\tfrac{{1}}{{{det}}} {matrix(turned)} {column(b)}={column(exact, fraction)}$.",
        f"**Rating:** ${level} + {_sum(new, exact)}={fraction(rational(predicted))}\\approx{sig(predicted)}$.",
        "Marks: 3 for the left-hand side, 2 for the right-hand side, 3 for the factors, 2 for the rating.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _sum(new: np.ndarray, p: list[Fraction]) -> str:
    """Products of factors."""
    terms = [f"{bracket(int(a))} \\cdot {_factor(v)}" for a, v in zip(new, p, strict=True)]
    return " + ".join(terms)


def _factor(v: Fraction) -> str:
    return f"({fraction(v)})" if v < 0 else fraction(v)


@drill("sgd-factor-step", marks=10, minutes=10, title="One step after a rating")
def sgd_factor_step(rng: np.random.Generator) -> Parts:
    """Prediction, error, new biases, and new factors from the old ones."""
    rate, reg = (float(rng.choice(values)) for values in ([0.05, 0.1, 0.2], [0.1, 0.2, 0.5]))
    while True:
        mean, rating = float(rng.choice([3.0, 3.5])), int(rng.integers(1, 6))
        b, d = rng.integers(-5, 6, size=2) / 10
        p, q = rng.integers(-10, 11, size=(2, 2)) / 10
        predicted = float(mean + b + d + p @ q)
        error = rating - predicted
        if b and d and p.all() and q.all() and 1 <= predicted <= 5 and abs(error) > 0.3:
            break
    new_p, new_q = sgd_step(p, q, rating - mean - b - d, rate, reg)
    new_b, new_d = b + rate * (error - reg * b), d + rate * (error - reg * d)
    statement = "\n\n".join(
        [
            f"A user rates an item with ${rating}$. The mean is $\\mu={short(mean)}$, the biases are $b={short(b)}$ of "
            f"the user and $d={short(d)}$ of the item, the factors are $p={row(p, short)}$ and $q={row(q, short)}$. "
            f"The step size is $\\eta={short(rate)}$, the penalty's share of each rating $\\lambda={short(reg)}$.",
            "1. Compute the predicted rating and its error (3 marks).",
            "2. Compute both new biases (3 marks).",
            "3. Compute the new factors of both, each from the old ones (4 marks).",
        ]
    )
    answer = {
        "predicted": predicted, "error": error, "biases": [float(new_b), float(new_d)],
        "p": new_p.tolist(), "q": new_q.tolist(),
    }  # fmt: skip
    given = {
        "rating": rating, "mean": mean, "biases": [float(b), float(d)], "p": p.tolist(), "q": q.tolist(),
        "rate": rate, "reg": reg,
    }  # fmt: skip
    fields = [
        ask.number("predicted", "predicted rating", 1, 2),
        ask.number(
            "error",
            "error",
            1,
            1,
            follows=f"{rating} - predicted",
            slips=[
                ask.slip(-error, "The sign is turned round: the error is the rating minus the prediction.", card=_OLD)
            ],
        ),
        ask.vector(
            "biases",
            "new biases",
            2,
            3,
            titles=["user", "item"],
            places=3,
            follows=[f"{v} + {rate}*(error - {reg}*{bracket(float(v))})" for v in (b, d)],
            slips=[
                ask.slip(
                    [b + rate * error, d + rate * error],
                    "The penalty is missing: it pulls each bias towards 0.",
                    card="recommender-convention-penalty",
                )
            ],
        ),
        ask.vector(
            "p",
            "new $p$",
            3,
            2,
            titles=["$p_1$", "$p_2$"],
            places=3,
            follows=[
                f"{u} + {rate}*(error*{bracket(float(v))} - {reg}*{bracket(float(u))})"
                for u, v in zip(p, q, strict=True)
            ],
            slips=[
                ask.slip(
                    p + rate * (error * p - reg * p), "The error is multiplied by the factors of the item.", card=_OLD
                )
            ],
        ),
        ask.vector(
            "q",
            "new $q$",
            3,
            2,
            titles=["$q_1$", "$q_2$"],
            places=3,
            follows=[
                f"{v} + {rate}*(error*{bracket(float(u))} - {reg}*{bracket(float(v))})"
                for u, v in zip(p, q, strict=True)
            ],
            slips=[
                ask.slip(
                    q + rate * (error * q - reg * q), "The error is multiplied by the factors of the user.", card=_OLD
                )
            ],
        ),
    ]
    long = lambda v: sig(v, 6)
    slope = lambda y: f"{bracket(error, long)} \\cdot {bracket(y, short)}"
    move = lambda old, up, new: (
        f"{short(old)} + {short(rate)} \\cdot ({up} - {short(reg)} \\cdot {bracket(old, short)})={long(new)}"
    )
    lines = [
        f"**Prediction:** ${short(mean)} + {bracket(b, short)} + {bracket(d, short)} + "
        f"{products(p, q, short)}={long(predicted)}$, and the error is ${rating} - {long(predicted)}={long(error)}$.",
        f"**Biases:** ${move(b, long(error), new_b)}$ for the user and ${move(d, long(error), new_d)}$ for the item.",
        "**Factors of the user:** "
        + ", ".join(f"${move(x, slope(y), z)}$" for x, y, z in zip(p, q, new_p, strict=True))
        + ".",
        "**Factors of the item,** with the old factors of the user: "
        + ", ".join(f"${move(x, slope(y), z)}$" for x, y, z in zip(q, p, new_q, strict=True))
        + ".",
        "Marks: 2 for the prediction, 1 for the error, 3 for the biases, 4 for the factors.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("ranking-measures", marks=9, minutes=9, title="What a list of recommendations is worth")
def ranking_measures(rng: np.random.Generator) -> Parts:
    """Precision and recall of the first k, discounted gain, and its share of the best possible one."""
    k = int(rng.choice([3, 4]))
    while True:
        gains = rng.integers(0, 4, size=6)
        relevant = {n for n, g in enumerate(gains) if g >= 2}
        if len(relevant) in (2, 3, 4) and gains[:k].any() and sorted(gains, reverse=True)[:k] != gains[:k].tolist():
            break
    ranked = list(range(6))
    best = np.sort(gains)[::-1]
    dcg, ideal = dcg_at_k(gains.astype(float), k), dcg_at_k(best.astype(float), k)
    answer = {
        "precision": precision_at_k(ranked, relevant, k),
        "recall": recall_at_k(ranked, relevant, k),
        "dcg": dcg,
        "ideal": ideal,
        "ndcg": ndcg_at_k(gains.astype(float), k),
    }
    statement = "\n\n".join(
        [
            "A recommender has ranked the six items of a test. What each is worth to the user, its gain, is known:",
            table(
                [["gain", *map(str, gains.tolist())]],
                ["place", *(str(n) for n in range(1, 7))],
            ).markdown,
            "Items with a gain of at least 2 are relevant.",
            f"1. Compute precision and recall of the first ${k}$ places (3 marks).",
            f"2. Compute the discounted gain of the first ${k}$ places: the sum of gains divided by "
            "$\\log_2(1+\\text{place})$ (2 marks).",
            "3. Compute it for the best order of the six items (2 marks).",
            "4. Which share of the best order is reached? (2 marks)",
        ]
    )
    given = {"gains": gains.tolist(), "k": k}
    fields = [
        ask.number(
            "precision",
            f"precision of the first ${k}$",
            1,
            1.5,
            slips=[
                ask.slip(
                    answer["recall"],
                    "That divides by the relevant films; precision divides by the shown ones.",
                    card=_GAINS,
                )
            ],
        ),
        ask.number(
            "recall",
            f"recall of the first ${k}$",
            1,
            1.5,
            slips=[
                ask.slip(
                    answer["precision"],
                    "That divides by the shown films; recall divides by the relevant ones.",
                    card=_GAINS,
                )
            ],
        ),
        ask.number(
            "dcg",
            "discounted gain",
            2,
            2,
            slips=[
                ask.slip(int(gains[:k].sum()), "These are the gains without a discount.", card=_GAINS),
                ask.slip(dcg_at_k(2.0**gains - 1, k), "That takes $2^g-1$ as the gain; here it is $g$.", card=_GAINS),
            ],
        ),
        ask.number(
            "ideal",
            "discounted gain of the best order",
            3,
            2,
            slips=[
                ask.slip(
                    dcg_at_k(np.sort(gains[:k])[::-1].astype(float), k),
                    "That sorts the shown films only; the best order is that of all candidates.",
                    card="recommender-lost-marks-ideal",
                )
            ],
        ),
        ask.number("ndcg", "share", 4, 2, digits=3, carried=1, follows="dcg / ideal"),
    ]
    hits = sum(n in relevant for n in range(k))
    lines = [
        f"**Precision and recall:** ${hits}$ of the first ${k}$ items are relevant, and ${len(relevant)}$ of all six, "
        f"so the precision is ${_share(hits, k)}$ and the recall ${_share(hits, len(relevant))}$.",
        f"**Discounted gain:** ${_discounted(gains[:k])}\\approx{sig(dcg)}$.",
        f"**Best order:** the gains in descending order begin ${row(best[:k])}$, so "
        f"${_discounted(best[:k])}\\approx{sig(ideal)}$.",
        f"**Share:** the first sum divided by the second one, "
        f"$\\frac{{{_discounted(gains[:k])}}}{{{_discounted(best[:k])}}}\\approx{sig(answer['ndcg'])}$.",
        "Marks: 3 for precision and recall, 2 for the sum, 2 for that of the best order, 2 for the share.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _share(a: int, b: int) -> str:
    plain, reduced = f"\\tfrac{{{a}}}{{{b}}}", fraction(Fraction(a, b))
    return plain if plain == reduced else f"{plain}={reduced}"


def _discounted(gains: np.ndarray) -> str:
    return " + ".join(f"\\tfrac{{{g}}}{{\\log_2 {n}}}" for n, g in enumerate(gains, 2))
