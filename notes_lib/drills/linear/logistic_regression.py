"""Drills on logistic regression: odds and probabilities, one gradient step, one Newton step as least squares."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, row, vector
from notes_lib.linear.logistic_regression import logistic_gradient, newton_step, working_response

LN2 = "$\\ln 2 = 0.6931$"
_RATIO, _TIES = "logistic-regression-lost-marks-ratio", "logistic-regression-convention-ties"
_SIGN, _GRADIENT_SIGN = "logistic-regression-convention-sign", "logistic-regression-lost-marks-gradient"
_DETERMINANT = "hessian[0,0]*hessian[1,1] - hessian[0,1]*hessian[1,0]"
_LOGS = {-2: "-2 \\ln 2", -1: "-\\ln 2", 0: "0", 1: "\\ln 2", 2: "2 \\ln 2"}


def _log2(k: int) -> str:
    """The logarithm of 2 to a whole power."""
    return _LOGS.get(k, f"{k} \\ln 2")


def _power(k: int) -> Fraction:
    return Fraction(2) ** k


def _probability(k: int) -> Fraction:
    """Probability whose odds are 2 to the power k."""
    return _power(k) / (1 + _power(k))


@drill("odds", marks=8, minutes=10, title="Odds, log-odds and probabilities")
def odds(rng: np.random.Generator) -> Parts:
    """Log-odds, odds, probability, odds ratio and two boundaries of a logistic regression with one feature."""
    slope = int(rng.choice([-2, -1, 1, 2]))  # in units of ln 2
    x, more = int(rng.integers(1, 5)), int(rng.integers(2, 4))
    at_x = int(rng.choice([k for k in range(-3, 4) if k]))
    start = at_x - slope * x
    after = at_x + slope * more
    cut = int(rng.choice([k for k in (-3, -2, 2, 3) if k != at_x]))
    half, other = Fraction(-start, slope), Fraction(cut - start, slope)
    statement = "\n".join(
        [
            "A logistic regression has the log-odds $z = w_0 + w_1 x$ of class 1, with "
            f"$w_0 = {_log2(start)}$ and $w_1 = {_log2(slope)}$.",
            "",
            f"1. Compute the log-odds at $x = {x}$ as a multiple of $\\ln 2$, and the odds (2 marks).",
            f"2. Compute the probability of class 1 at $x = {x}$ (1 mark).",
            f"3. By which factor do the odds change when $x$ grows by {more}? What is the probability then (2 marks)?",
            "4. At which $x$ is the decision boundary of the threshold $\\frac12$ (1 mark)?",
            f"5. At which $x$ is the decision boundary of the threshold ${fraction(_probability(cut))}$ (2 marks)?",
        ]
    )
    lines = [
        f"**Odds** (1 mark for the log-odds, 1 for the odds): $z = {_log2(start)} + {bracket(x)} \\cdot "
        f"({_log2(slope)}) = {_log2(at_x)}$, so the odds are $e^z = 2^{{{at_x}}} = {fraction(_power(at_x))}$.",
        "",
        f"**Probability** (1 mark): $p = \\frac{{e^z}}{{1 + e^z}} = {fraction(_probability(at_x))}$.",
        "",
        f"**Odds ratio** (1 mark for the factor, 1 for the probability): $e^{{{more} w_1}} = 2^{{{slope * more}}} = "
        f"{fraction(_power(slope * more))}$, whatever $x$ is. The odds become ${fraction(_power(at_x))} \\cdot "
        f"{fraction(_power(slope * more))} = {fraction(_power(after))}$, the probability "
        f"${fraction(_probability(after))}$: its change does depend on $x$.",
        "",
        "**Threshold one half** (1 mark): the odds are 1, so $z = 0$ and "
        f"$x = -\\frac{{w_0}}{{w_1}} = {fraction(half)}$.",
        "",
        f"**The other threshold** (1 mark for its odds, 1 for $x$): the odds are ${fraction(_power(cut))}$, so "
        f"$z = {_log2(cut)}$ and $x = \\frac{{z - w_0}}{{w_1}} = {fraction(other)}$.",
    ]
    given = {"w": [start, slope], "x": x, "more": more, "threshold": str(_probability(cut))}
    answer = {
        "log_odds": at_x,
        "odds": float(_power(at_x)),
        "probability": float(_probability(at_x)),
        "ratio": float(_power(slope * more)),
        "after": float(_probability(after)),
        "half": float(half),
        "other": float(other),
    }
    fields = [
        ask.number("log_odds", "the log-odds, as a multiple of $\\ln 2$", 1, whole=True),
        ask.number(
            "odds",
            "the odds",
            1,
            follows="2^log_odds",
            slips=[ask.slip(float(_probability(at_x)), "That is the probability; the odds are $e^z$.", card=_RATIO)],
        ),
        ask.number(
            "probability",
            "the probability",
            2,
            follows="odds / (1 + odds)",
            slips=[
                ask.slip(float(1 - _probability(at_x)), "That is the probability of class 0.", card=_RATIO),
            ],
        ),
        ask.number(
            "ratio",
            "the factor",
            3,
            slips=[
                ask.slip(
                    float(_power(slope)),
                    f"That is the factor for a growth by 1; for {more} it is taken to that power.",
                    card=_RATIO,
                )
            ],
        ),
        ask.number(
            "after",
            "the probability then",
            3,
            follows="odds*ratio / (1 + odds*ratio)",
            slips=[
                ask.slip(
                    float(_probability(at_x) * _power(slope * more)),
                    "That multiplies the probability; the factor belongs to the odds.",
                    card=_RATIO,
                )
            ],
        ),
        ask.number(
            "half",
            "$x$ at the threshold one half",
            4,
            slips=[ask.slip(float(-half), "The sign is turned round: $x = -w_0/w_1$.", card=_TIES)],
        ),
        ask.number(
            "other",
            "$x$ at the other threshold",
            5,
            2,
            slips=[
                ask.slip(float(half), "That is the boundary of the threshold one half.", card=_TIES),
                ask.slip(
                    float(Fraction(-cut - start, slope)),
                    "That belongs to the same threshold for class 0: the log-odds have the other sign.",
                    card=_TIES,
                ),
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_GRADIENT = ["$n$", "$x_n$", "$y_n$", "$z_n$", "$p_n$", "$p_n - y_n$"]


@drill("logistic-gradient-step", marks=9, minutes=12, title="Gradient step of logistic regression")
def gradient_step(rng: np.random.Generator) -> Parts:
    """One gradient step with a penalty on the slope, from weights at which all probabilities are short fractions."""
    while True:
        slope, rate = int(rng.choice([-1, 1])), Fraction(1, int(rng.choice([2, 4])))
        penalty = int(rng.integers(1, 3))
        x = [int(v) for v in rng.integers(-2, 3, size=int(rng.integers(3, 5)))]
        y = [int(v) for v in rng.integers(0, 2, size=len(x))]
        p = [_probability(slope * v) for v in x]
        r = [a - b for a, b in zip(p, y, strict=True)]
        data = [sum(r, Fraction(0)), sum((v * a for v, a in zip(x, r, strict=True)), Fraction(0))]
        pull = penalty * slope * log(2)
        new = [-float(rate * data[0]), slope * log(2) - float(rate) * (float(data[1]) + pull)]
        query = int(rng.integers(-3, 4))
        score = new[0] + new[1] * query
        short = max(v.denominator for v in data) <= 60
        if len(set(x)) > 1 and 0 < sum(y) < len(y) and 0 not in data and short and query and abs(score) > 0.05:
            break
    X, w = np.column_stack([np.ones(len(x)), x]), np.array([0.0, slope * log(2)])
    gradient = logistic_gradient(w, X, y, [0.0, float(penalty)])
    moved = w - float(rate) * gradient
    score = float(moved @ [1, query])
    label = int(score > 0)
    start = f"(0, {_LOGS[slope]})^\\top"
    objective = "J(\\mathbf{w}) = \\sum_n \\big[\\log(1 + e^{z_n}) - y_n z_n\\big]"
    asked = [[n, a, b, "", "", ""] for n, (a, b) in enumerate(zip(x, y, strict=True), 1)]
    statement = "\n".join(
        [
            f"A logistic regression with $z_n = w_0 + w_1 x_n$ is fitted by gradient descent on ${objective} + "
            f"\\frac{{\\lambda}}{{2}} w_1^2$ with $\\lambda = {penalty}$ and step size $\\eta = "
            f"{fraction(rate)}$, from $\\mathbf{{w}} = {start}$. Given: {LN2}.",
            "",
            "1. Fill in the table (3 marks).",
            "2. Compute the gradient at $\\mathbf{w}$ (3 marks).",
            "3. Compute the new $\\mathbf{w}$ (1 mark).",
            f"4. Which class does it give $x = {query}$ at the threshold one half (2 marks)?",
            "",
            table(asked, _GRADIENT).markdown,
        ]
    )
    rows = [
        [n, a, b, f"${_log2(slope * a)}$", f"${fraction(q)}$", f"${fraction(e)}$"]
        for n, (a, b, q, e) in enumerate(zip(x, y, p, r, strict=True), 1)
    ]
    first = " + ".join(bracket(e, fraction) for e in r)
    second = " + ".join(f"{bracket(v)} \\cdot {bracket(e, fraction)}" for v, e in zip(x, r, strict=True))
    lines = [
        "**Table** (1 mark for the scores, 2 for the probabilities and what they miss): odds are powers of 2.",
        "",
        table(rows, _GRADIENT).markdown,
        "",
        f"**Gradient** (1 mark for each sum, 1 for the penalty): $\\sum_n (p_n - y_n) = {first} = {fraction(data[0])}$ "
        f"and $\\sum_n x_n (p_n - y_n) = {second} = {fraction(data[1])}$. The penalty adds $\\lambda w_1 = "
        f"{penalty} \\cdot {bracket(slope * log(2))} = {sig(pull)}$ to the second entry and nothing to the first, so "
        f"$\\nabla J = {vector(gradient)}$.",
        "",
        f"**Step** (1 mark): $\\mathbf{{w}} - \\eta \\nabla J = {start} - {fraction(rate)} \\cdot {vector(gradient)} = "
        f"{vector(moved)}$.",
        "",
        f"**Class** (1 mark for the score, 1 for the class): $z = {sig(moved[0])} + {bracket(moved[1])} \\cdot "
        f"{bracket(query)} = {sig(score)} {'>' if label else '<'} 0$, so class {label}.",
    ]
    given = {"x": x, "y": y, "slope": slope, "lambda": penalty, "eta": str(rate), "query": query}
    answer = {
        "p": [float(v) for v in p],
        "residuals": [float(v) for v in r],
        "gradient": gradient.round(9).tolist(),
        "new": moved.round(9).tolist(),
        "score": round(score, 9),
        "label": label,
    }
    titles, axes = range(1, len(x) + 1), ["0", "1"]
    fields = [
        ask.vector(
            "p",
            "$p_n$",
            1,
            2,
            percent=True,
            titles=titles,
            slips=[
                ask.slip([float(1 - v) for v in p], "These are the probabilities of class 0.", card=_SIGN),
            ],
        ),
        ask.vector(
            "residuals",
            "$p_n - y_n$",
            1,
            titles=titles,
            follows=[f"p[{i}] - {b}" for i, b in enumerate(y)],
            slips=[ask.slip([float(-v) for v in r], "The sign is turned round: asked for is $p_n - y_n$.", card=_SIGN)],
        ),
        ask.vector(
            "gradient",
            "the gradient",
            2,
            3,
            titles=axes,
            follows=[
                "sum(residuals)",
                " + ".join(f"{bracket(v)}*residuals[{i}]" for i, v in enumerate(x)) + f" + {pull}",
            ],
            slips=[
                ask.slip(
                    [float(v) for v in data],
                    "The penalty is missing: it adds $\\lambda w_1$ to the second entry.",
                    card="logistic-regression-convention-sum",
                ),
                ask.slip(
                    -gradient,
                    "The sign is turned round: that is the direction of descent.",
                    card="logistic-regression-lost-marks-gradient",
                ),
            ],
        ),
        ask.vector(
            "new",
            "the new $\\mathbf{w}$",
            3,
            titles=axes,
            **ask.DERIVED,
            follows=[f"{v} - {float(rate)}*gradient[{j}]" for j, v in enumerate(w)],
            slips=[ask.slip(w + float(rate) * gradient, "That steps uphill; subtract the gradient.", card=_SIGN)],
        ),
        ask.number("score", "the score $z$", 4, **ask.DERIVED, follows=f"new[0] + {bracket(query)}*new[1]"),
        ask.choice("label", "the class", 4, options=[0, 1], follows="score > 0"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_NEWTON = ["$n$", "$\\mathbf{x}_n$", "$y_n$", "$p_n$", "$W_n$", "$t_n$"]


@drill("newton-logistic", marks=11, minutes=15, title="Newton step of logistic regression")
def newton(rng: np.random.Generator) -> Parts:
    """The first Newton step from zero, with a penalty, and the least-squares problem that it solves."""
    while True:
        n = int(rng.integers(3, 5))
        P = rng.integers(-3, 4, size=(n, 2))
        y = [int(v) for v in rng.integers(0, 2, size=n)]
        penalty = Fraction(1, int(rng.choice([1, 2])))
        r = [Fraction(1, 2) - b for b in y]
        g = [sum((int(v) * e for v, e in zip(P[:, j], r, strict=True)), Fraction(0)) for j in range(2)]
        S = [[Fraction(int(P[:, i] @ P[:, j]), 4) + (penalty if i == j else 0) for j in range(2)] for i in range(2)]
        det = S[0][0] * S[1][1] - S[0][1] ** 2
        step = [-(S[1][1] * g[0] - S[0][1] * g[1]) / det, -(S[0][0] * g[1] - S[0][1] * g[0]) / det]
        query = [int(v) for v in rng.integers(-2, 3, size=2)]
        score = step[0] * query[0] + step[1] * query[1]
        distinct = len({tuple(p) for p in P.tolist()}) == n and (P != 0).any(axis=1).all()
        short = max(v.denominator for v in [det, *step, score]) <= 400
        if 0 not in [*g, *step, S[0][1], score] and 0 < sum(y) < n and distinct and short and all(query):
            break
    X = P.astype(float)
    weights, response = working_response(np.zeros(2), X, y)
    new = newton_step(np.zeros(2), X, y, float(penalty))
    label = int(score > 0)
    asked = [[k, f"${row(p)}$", b, "", "", ""] for k, (p, b) in enumerate(zip(P.tolist(), y, strict=True), 1)]
    statement = "\n".join(
        [
            "A logistic regression with $z_n = \\mathbf{w}^\\top \\mathbf{x}_n$, without intercept, is fitted by "
            "Newton's method to $J(\\mathbf{w}) = \\sum_n \\big[\\log(1 + e^{z_n}) - y_n z_n\\big] + "
            f"\\frac{{\\lambda}}{{2}} \\lVert \\mathbf{{w}} \\rVert^2$ with $\\lambda = {fraction(penalty)}$, from "
            "$\\mathbf{w} = \\mathbf{0}$.",
            "",
            "1. Fill in the table; $t_n$ is the working response of the least-squares problem that the step solves "
            "(3 marks).",
            "2. Compute the gradient (2 marks).",
            "3. Compute the Hessian (2 marks).",
            "4. Compute the new $\\mathbf{w}$ (3 marks).",
            f"5. Which class does it give $\\mathbf{{x}} = {vector(query)}$ (1 mark)?",
            "",
            table(asked, _NEWTON).markdown,
        ]
    )
    rows = [
        [k, f"${row(p)}$", b, "$\\tfrac{1}{2}$", "$\\tfrac{1}{4}$", 4 * b - 2]
        for k, (p, b) in enumerate(zip(P.tolist(), y, strict=True), 1)
    ]
    sums = [
        " + ".join(f"{bracket(int(v))} \\cdot {bracket(e, fraction)}" for v, e in zip(P[:, j], r, strict=True))
        for j in range(2)
    ]
    gram = [[int(P[:, i] @ P[:, j]) for j in range(2)] for i in range(2)]
    adjoint = [[S[1][1], -S[0][1]], [-S[0][1], S[0][0]]]
    lines = [
        "**Table** (1 mark for each column): $p_n = \\sigma(0)$, $W_n = p_n (1 - p_n)$ and $t_n = z_n + "
        "\\frac{y_n - p_n}{W_n}$, which is 2 or $-2$.",
        "",
        table(rows, _NEWTON).markdown,
        "",
        f"**Gradient** (1 mark for each entry): $\\sum_n x_{{n1}} (p_n - y_n) = {sums[0]} = {fraction(g[0])}$ and "
        f"$\\sum_n x_{{n2}} (p_n - y_n) = {sums[1]} = {fraction(g[1])}$; the penalty adds nothing, because "
        "$\\mathbf{w} = \\mathbf{0}$.",
        "",
        f"**Hessian** (1 mark for the sum, 1 for the penalty): $\\mathbf{{H}} = \\tfrac{{1}}{{4}} {matrix(gram)} + "
        f"{fraction(penalty)} {matrix([[1, 0], [0, 1]])} = {matrix(S, fraction)}$.",
        "",
        f"**Step** (1 mark for the determinant, 2 for the weights): with the determinant "
        f"$\\det = {fraction(det)}$ of $\\mathbf{{H}}$, "
        f"$\\mathbf{{w}} = -\\mathbf{{H}}^{{-1}} \\nabla J = -\\frac{{1}}{{\\det}} "
        f"{matrix(adjoint, fraction)} {matrix([[v] for v in g], fraction)} = {vector(step, fraction)}$.",
        "",
        f"**Class** (1 mark): $\\mathbf{{w}}^\\top \\mathbf{{x}} = {fraction(score)} {'>' if label else '<'} 0$, "
        f"so class {label}.",
    ]
    given = {"X": P.tolist(), "y": y, "lambda": str(penalty), "query": query}
    answer = {
        "response": response.round(9).tolist(),
        "weights": weights.round(12).tolist(),
        "gradient": [float(v) for v in g],
        "hessian": [[float(v) for v in line] for line in S],
        "new": new.round(9).tolist(),
        "label": label,
    }
    titles, axes = range(1, n + 1), ["1", "2"]
    fields = [
        ask.vector(
            "weights",
            "$W_n$",
            1,
            titles=titles,
            slips=[
                ask.slip(np.sqrt(weights), "That is $p_n$; the weight is $p_n (1 - p_n)$.", card=_GRADIENT_SIGN),
            ],
        ),
        ask.vector(
            "response",
            "$t_n$",
            1,
            2,
            titles=titles,
            follows=[f"{b - 0.5} / weights[{i}]" for i, b in enumerate(y)],
            slips=[
                ask.slip(
                    [float(-v) for v in r],
                    "That is $y_n - p_n$; the working response divides it by $W_n$.",
                    card="logistic-regression-do-not-confuse-linear",
                )
            ],
        ),
        ask.vector(
            "gradient",
            "the gradient",
            2,
            2,
            titles=axes,
            slips=[
                ask.slip(
                    [float(-v) for v in g], "The sign is turned round: it is a sum of $p_n - y_n$.", card=_GRADIENT_SIGN
                )
            ],
        ),
        ask.matrix(
            "hessian",
            "the Hessian",
            3,
            2,
            rows=axes,
            columns=axes,
            follows=[[_second(P, i, j, float(penalty)) for j in range(2)] for i in range(2)],
            slips=[
                ask.slip(
                    X.T @ X / 4,
                    "The penalty is missing: it adds $\\lambda$ on the diagonal.",
                    card="logistic-regression-convention-sum",
                ),
                ask.slip(X.T @ X + float(penalty) * np.eye(2), "The weights $W_n$ are missing.", card=_GRADIENT_SIGN),
            ],
        ),
        ask.vector(
            "new",
            "the new $\\mathbf{w}$",
            4,
            3,
            titles=axes,
            follows=[
                f"-(hessian[1,1]*gradient[0] - hessian[0,1]*gradient[1]) / ({_DETERMINANT})",
                f"-(hessian[0,0]*gradient[1] - hessian[1,0]*gradient[0]) / ({_DETERMINANT})",
            ],
            slips=[ask.slip(-new, "That steps uphill: the step is $-\\mathbf{H}^{-1}\\nabla J$.", card=_SIGN)],
        ),
        ask.choice(
            "label",
            "the class",
            5,
            options=[0, 1],
            follows=f"new[0]*{bracket(query[0])} + new[1]*{bracket(query[1])} > 0",
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _second(P: np.ndarray, i: int, j: int, penalty: float) -> str:
    """An entry of the Hessian by the weights of the instances, as an expression."""
    terms = [f"{bracket(int(u))}*weights[{n}]" for n, u in enumerate(P[:, i] * P[:, j])]
    return " + ".join([*terms, f"{penalty * (i == j)}"])
