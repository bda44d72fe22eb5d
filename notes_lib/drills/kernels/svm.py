"""Drills on support vector machines: a hard-margin dual, a soft margin read off its multipliers, a kernel and XOR."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, row
from notes_lib.kernels.kernel_methods import polynomial_kernel
from notes_lib.kernels.svm import SVC, bias_candidates, bias_from_candidates, dual_objective, geometric_margin


@drill("svm-dual", marks=12, minutes=18, title="Hard-margin support vector machine")
def hard_margin(rng: np.random.Generator) -> Parts:
    """Dual, multipliers, weights, bias and margin of two to four points in the plane."""
    while True:
        n = int(rng.integers(2, 5))
        X, y = rng.integers(-3, 5, size=(n, 2)).astype(float), np.array([1, -1, 1, rng.choice([-1, 1])])[:n]
        d = X - X[1]
        if len(np.unique(X, axis=0)) < n or not _separable(X, y):
            continue
        alpha, w, b = _fit(X, y, np.inf)
        score = y * (X @ w + b)
        beyond = (alpha > 0) | (score > 1.05)  # a point is either a support vector or clearly is not
        core = alpha[:3] if n == 4 and alpha[3] == 0 else alpha
        flat = n > 2 and abs(d[0, 0] * d[2, 1] - d[0, 1] * d[2, 0]) < 0.5
        if len(core) <= 3 and beyond.all() and not flat and _short([*alpha, *w, b], 60):
            break
    K = X @ X.T
    w_sq = float(w @ w)
    margin = geometric_margin(w, b, X, y)
    pairs = [(i, j) for i in range(n) for j in range(i, n) if K[i, j]]
    terms = [_term(y[i] * y[j] * K[i, j] * (0.5 if i == j else 1), i, j) for i, j in pairs]
    balance = " ".join(f"{'+' if v > 0 else '-'} \\alpha_{k + 1}" for k, v in enumerate(y)).removeprefix("+ ")
    chunks = [" ".join(terms[k : k + 3]) for k in range(0, len(terms), 3)]  # three terms fit on a phone
    lines_of_terms = " \\\\ & \\quad ".join(chunks).removeprefix("+ ")
    total = " + ".join(f"\\alpha_{k + 1}" for k in range(n))
    statement = "\n".join(
        [
            f"The points {_points(X, y)} are given, as (point; label). Find the hard-margin support vector machine:",
            "",
            "1. the Gram matrix and the dual with these numbers (3 marks),",
            "2. all multipliers (4 marks),",
            "3. $\\mathbf{w}$ and $b$ (3 marks),",
            "4. the margin, from the hyperplane to the nearest point, and the value of the dual (2 marks).",
            "",
            "Fill in:",
            "",
            table(
                [[k + 1, f"${row(x)}$", f"{t:+d}", "", ""] for k, (x, t) in enumerate(zip(X, y, strict=True))],
                _HEADER,
            ).markdown,
        ]
    )
    rows = [[k + 1, f"${row(X[k])}$", f"{y[k]:+d}", f"${_frac(alpha[k])}$", f"${_frac(score[k])}$"] for k in range(n)]
    lines = [
        f"**Dual** (1 mark for the Gram matrix, 2 for the dual): $\\mathbf{{K}} = {matrix(K)}$, so maximise",
        "",
        "$$",
        "\\begin{aligned}",
        f"& {total} \\\\",
        f"& - \\big( {lines_of_terms} \\big)",
        "\\end{aligned}",
        "$$",
        "",
        f"under $\\alpha_n \\geq 0$ and ${balance} = 0$.",
        "",
        *_multiplier_lines(X, y, alpha, score),
        "",
        f"**Weights and bias** (2 marks for ${_W}$, 1 for $b$): ${_W} = \\sum_n \\alpha_n y_n \\mathbf{{x}}_n = "
        f"({_frac(w[0])}, {_frac(w[1])})^\\top$. From the support vector $\\mathbf{{x}}_2$: "
        f"$b = y_2 - {_W}^\\top \\mathbf{{x}}_2 = {_frac(b)}$.",
        "",
        f"**Margin** (1 mark): ${_NORM}^2 = {_frac(w_sq)}$, so the margin is $1 / {_NORM} = {sig(margin)}$ on each "
        f"side. **Value** (1 mark): at the optimum $\\sum_n \\alpha_n = {_NORM}^2$, so the dual is "
        f"$\\tfrac12 {_NORM}^2 = {_frac(dual_objective(alpha, K, y))}$.",
        "",
        table(rows, _HEADER).markdown,
    ]
    answer = {
        "alpha": _clean(alpha),
        "w": _clean(w),
        "b": _clean([b])[0],
        "margin": round(margin, 9),
        "dual": _clean([dual_objective(alpha, K, y)])[0],
        "support": [int(k) + 1 for k in np.flatnonzero(alpha)],
        "gram": K.astype(int).tolist(),
    }
    numbers = range(1, n + 1)
    fields = [
        ask.matrix(
            "gram",
            "the Gram matrix of all points",
            1,
            1,
            rows=numbers,
            columns=numbers,
            whole=True,
            slips=[ask.slip(np.outer(y, y) * K, _LABELLED, card="svm-do-not-confuse-dual")],
        ),
        ask.own("dual_problem", "the dual with these numbers", 1, 2),
        ask.vector(
            "alpha",
            "the multipliers",
            2,
            4,
            titles=[f"$\\alpha_{k}$" for k in numbers],
            after=["gram"],
            slips=[ask.slip(alpha * y, _SIGNED, card=_SIGNS)],
        ),
        ask.vector(
            "w",
            f"${_W}$",
            3,
            2,
            **ask.DERIVED,
            follows=[" + ".join(f"alpha[{n}]*({y[n] * X[n, i]})" for n in range(n)) for i in range(2)],
            slips=[ask.slip(alpha @ X, _NO_LABELS, card=_SIGNS)],
        ),
        ask.number("b", "$b$", 3, **ask.DERIVED, follows=f"{y[1]} - {_times_w(X[1])}", slips=[_minus(b)]),
        ask.number("margin", "the margin", 4, **ask.DERIVED, follows=f"1 / sqrt({_W_SQ})", slips=[_street(margin)]),
        ask.number(
            "dual",
            "the value of the dual",
            4,
            **ask.DERIVED,
            follows=f"{_W_SQ} / 2",
            slips=[
                ask.slip(
                    w_sq,
                    f"That is ${_NORM}^2$; the dual at the optimum is half of it.",
                    card="svm-convention-c",
                )
            ],
        ),
    ]
    given = {"X": X.astype(int).tolist(), "y": y.tolist()}
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("svm-support-vectors", marks=12, minutes=15, title="Soft-margin machine from its multipliers")
def soft_margin(rng: np.random.Generator) -> Parts:
    """Read weights, bias, margin, the three kinds of vectors, slack and a decision off given multipliers."""
    while True:
        n = int(rng.integers(5, 7))
        C = float(rng.choice([0.25, 0.5, 1.0, 2.0]))
        X, y = rng.integers(0, 6, size=(n, 2)).astype(float), np.repeat([1, -1], [n // 2, n - n // 2])
        if len(np.unique(X, axis=0)) < n:
            continue
        alpha, w, b = _fit(X, y, C)
        score = y * (X @ w + b)
        free = (alpha > 0) & (alpha < C)
        kinds = free.any() and (alpha == 0).any() and (alpha == C).any() and (score[alpha == C] < 0.99).all()
        query = rng.integers(0, 6, size=2).astype(float)
        f = float(query @ w + b)
        if (
            kinds
            and not (query == X).all(axis=1).any()
            and (score[alpha == 0] > 1.05).all()
            and abs(f) > 0.2
            and np.abs(score).min() > 0.01
            and _short([*alpha, *w, b], 40)
            and w.any()
        ):
            break
    slack = np.where(alpha == C, 1 - score, 0.0)
    bound = int(np.flatnonzero(alpha == C)[0])
    from_bound = float(y[bound] - X[bound] @ w)
    kind = np.where(alpha == 0, "none", np.where(free, "on the margin", "at the bound"))
    s = int(np.flatnonzero(free)[0])
    head = ["$n$", "$\\mathbf{x}_n$", "$y_n$", "$\\alpha_n$", "$f(\\mathbf{x}_n)$", "$\\xi_n$", "support vector?"]
    given = [[k + 1, f"${row(X[k])}$", f"{y[k]:+d}", f"${_frac(alpha[k])}$"] for k in range(n)]
    statement = "\n".join(
        [
            f"A linear soft-margin machine with $C = {_frac(C)}$ has these optimal multipliers. Find",
            "",
            "1. $\\mathbf{w}$ (2 marks) and $b$ (2 marks),",
            f"2. the margin $1 / {_NORM}$ (1 mark),",
            "3. the kind of every vector: none, on the margin, or at the bound (2 marks),",
            "4. every slack $\\xi_n$, and which points are misclassified (3 marks),",
            f"5. score and class of $\\mathbf{{x}} = {row(query)}^\\top$ (2 marks).",
            "",
            table([[*row, "", "", ""] for row in given], head).markdown,
        ]
    )
    wrong = [k + 1 for k in range(n) if score[k] < -1e-9]
    rows = [[*given[k], f"${_frac(y[k] * score[k])}$", f"${_frac(slack[k])}$", str(kind[k])] for k in range(n)]
    weights = " ".join(
        f"{'+' if y[k] > 0 else '-'} {_frac(alpha[k])} \\, {row(X[k])}^\\top" for k in np.flatnonzero(alpha)
    )
    norm = float(np.linalg.norm(w))
    lines = [
        f"**Weights** (1 mark for the formula, 1 for the value): only positive multipliers count, ${_W} = "
        f"{weights.removeprefix('+ ')} = ({_frac(w[0])}, {_frac(w[1])})^\\top$.",
        "",
        f"**Bias** (1 mark for choosing a free vector, 1 for the value): $0 < \\alpha_{s + 1} < C$, so "
        f"$y_{s + 1} f(\\mathbf{{x}}_{s + 1}) = 1$ and "
        f"$b = y_{s + 1} - {_W}^\\top \\mathbf{{x}}_{s + 1} = {_frac(b)}$. "
        "A vector with $\\alpha_n = C$ may have slack and must not be used.",
        "",
        f"**Margin** (1 mark): ${_NORM} = {sig(norm)}$, so $1 / {_NORM} = {sig(1 / norm)}$.",
        "",
        "**Kinds, scores and slack** (2 marks for the kinds, 2 for $\\xi_n = \\max(0, 1 - y_n f(\\mathbf{x}_n))$):",
        "",
        table(rows, head).markdown,
        "",
        f"Misclassified (1 mark): {', '.join(map(str, wrong)) or 'none'}; exactly the points with $\\xi_n > 1$.",
        "",
        f"**New point** (1 mark for the score, 1 for the class): $f(\\mathbf{{x}}) = {_frac(f)}$, so the class is "
        f"${'+1' if f > 0 else '-1'}$.",
    ]
    answer = {
        "w": _clean(w),
        "b": _clean([b])[0],
        "margin": round(1 / norm, 9),
        "kinds": [str(v) for v in kind],
        "slack": _clean(slack),
        "misclassified": wrong,
        "score": _clean([f])[0],
        "label": 1 if f > 0 else -1,
    }
    data = {"X": X.astype(int).tolist(), "y": y.tolist(), "alpha": _clean(alpha), "C": C, "query": query.tolist()}
    numbers = range(1, n + 1)
    fields = [
        ask.vector("w", f"${_W}$", 1, 2, **ask.DERIVED, slips=[ask.slip(alpha @ X, _NO_LABELS, card=_SIGNS)]),
        ask.number(
            "b",
            "$b$",
            1,
            2,
            **ask.DERIVED,
            follows=f"{y[s]} - {_times_w(X[s])}",
            slips=[ask.slip(from_bound, _BOUND_BIAS, card="svm-lost-marks-bias"), _minus(b)],
        ),
        ask.number("margin", "the margin", 2, **ask.DERIVED, follows=f"1 / sqrt({_W_SQ})", slips=[_street(1 / norm)]),
        ask.sequence(
            "kinds",
            "kind of every vector",
            3,
            2,
            options=_KINDS,
            titles=numbers,
            slips=[ask.slip(np.where(free, "none", kind), _HINGE_ONLY, card="svm-lost-marks-support")],
        ),
        ask.vector(
            "slack",
            "every slack $\\xi_n$",
            4,
            2,
            titles=numbers,
            **ask.DERIVED,
            follows=[f"max(0, 1 - ({y[k]})*({_times_w(X[k])} + b))" for k in range(n)],
            slips=[ask.slip(1 - score, _NEGATIVE_SLACK, card="svm-lost-marks-slack")],
        ),
        ask.sequence(
            "misclassified",
            "misclassified points, or *none*",
            4,
            options=numbers,
            kind="set",
            follows=[f"slack[{k}] > 1" for k in range(n)],
            slips=[
                ask.slip(
                    [k + 1 for k in range(n) if alpha[k] == C],
                    "These have slack; misclassified are those with $\\xi_n > 1$.",
                    card="svm-lost-marks-canonical",
                )
            ],
        ),
        *_new_point(query, f - 2 * b, f"{_times_w(query)} + b"),
    ]
    return Parts(statement, data, "\n".join(lines), answer, fields)


@drill("svm-kernel-xor", marks=12, minutes=15, title="Exclusive or with a quadratic kernel")
def exclusive_or(rng: np.random.Generator) -> Parts:
    """The hard-margin machine with a quadratic kernel on the corners of a rectangle, labelled crosswise."""
    side, c = rng.integers(1, 4, size=2), int(rng.integers(1, 4))
    X = rng.permutation([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]) * side
    y = np.where(X.prod(axis=1) > 0, 1, -1) * int(rng.choice([1, -1]))
    query = rng.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0], size=2)
    K = polynomial_kernel(X, degree=2, gamma=1.0, coef0=float(c))
    alpha = _cleared(SVC(C=np.inf, kernel="precomputed", tol=1e-12).fit(K, y), 4)
    b = bias_from_candidates(bias_candidates(alpha, K, y), alpha, y, np.inf)
    scores = polynomial_kernel(np.vstack([query, [1.0, 1.0]]), X, degree=2, gamma=1.0, coef0=float(c)) @ (alpha * y) + b
    f, slope = (float(v) for v in scores)  # the score is slope * x_1 x_2, so at (1, 1) it is the slope
    w_sq = 2 * dual_objective(alpha, K, y)
    given = {"X": X.astype(int).tolist(), "y": y.tolist(), "c": c, "query": query.tolist()}
    answer = {
        "gram": K.round().astype(int).tolist(),
        "alpha": _clean(alpha),
        "b": _clean([b])[0],
        "slope": _clean([slope])[0],
        "margin": round(1 / w_sq**0.5, 9),
        "score": _clean([f])[0],
        "label": 1 if f > 0 else -1,
    }
    lines = _crosswise_lines(X, y, c, K, alpha, slope)
    lines.append(
        f"**New point** (1 mark for the score, 1 for the class): $f(\\mathbf{{x}}) = {bracket(slope, _frac)} \\cdot "
        f"{bracket(query[0])} \\cdot {bracket(query[1])} = {_frac(f)}$, so the class is ${answer['label']:+d}$."
    )
    return Parts(
        _crosswise_statement(X, y, c, query), given, "\n".join(lines), answer, _crosswise_fields(X, y, K, alpha, query)
    )


def _crosswise_statement(X: np.ndarray, y: np.ndarray, c: int, query: np.ndarray) -> str:
    return "\n".join(
        [
            f"The points {_points(X, y)} are given, as (point; label). No line separates them. Find the hard-margin "
            f"machine with the kernel $k(\\mathbf{{x}}, \\mathbf{{z}}) = (\\mathbf{{x}}^\\top \\mathbf{{z}} + {c})^2$:",
            "",
            "1. the kernel matrix (2 marks),",
            "2. the conditions for a maximum of the dual (1 mark) and all multipliers (3 marks),",
            "3. $b$ (1 mark), and $f(\\mathbf{x})$ as a polynomial in $x_1$ and $x_2$: it is a multiple of $x_1 x_2$ "
            "(2 marks),",
            "4. the margin in the feature space (1 mark),",
            f"5. score and class of $\\mathbf{{x}} = {row(query)}^\\top$ (2 marks).",
        ]
    )


def _crosswise_lines(X: np.ndarray, y: np.ndarray, c: int, K: np.ndarray, alpha: np.ndarray, slope: float) -> list[str]:
    """The solution up to the new point; all multipliers are equal by symmetry."""
    a, signed = _frac(alpha[0]), K[0] * y[0] * y
    order = np.argsort(-signed, kind="stable")
    total = " ".join(f"{'+' if signed[k] > 0 else '-'} {sig(K[0, k])}" for k in order).removeprefix("+ ")
    cross = y[0] * X[0].prod()
    w_sq = float(alpha.sum())
    return [
        f"**Kernel matrix** (2 marks): $\\mathbf{{K}} = {matrix(K)}$.",
        "",
        "**Conditions** (1 mark): the derivative of the dual by $\\alpha_n$ is "
        "$1 - y_n \\sum_m \\alpha_m y_m K_{nm}$. Where $\\alpha_n > 0$ it equals $y_n b$, with $b$ as the multiplier "
        "of the constraint $\\sum_n \\alpha_n y_n = 0$.",
        "",
        "**Multipliers** (3 marks): each row of the numbers $y_n y_m K_{nm}$ holds the same four numbers, so try "
        f"$\\alpha_n = a$ for all $n$, and $b = 0$: $a\\, ({total}) = {_frac(signed.sum())}\\, a = 1$, that is "
        f"$a = {a}$. It is positive, and the labels add up to 0, so $\\sum_n \\alpha_n y_n = 0$: the KKT conditions "
        "hold, and they are sufficient.",
        "",
        f"**Bias** (1 mark): $b = y_1 - \\sum_m \\alpha_m y_m K_{{1m}} = {y[0]} - {bracket(y[0])} \\cdot {a} \\cdot "
        f"{_frac(signed.sum())} = 0$.",
        "",
        f"**Score** (1 mark for the sum, 1 for the result): $f(\\mathbf{{x}}) = {a} \\sum_m y_m (\\mathbf{{x}}_m^\\top "
        f"\\mathbf{{x}} + {c})^2$. Squares and constants cancel, because each occurs twice with each label; linear "
        "terms cancel, because the two points of a label are opposite. Every point has "
        f"$y_m x_{{m1}} x_{{m2}} = {sig(cross)}$, so the mixed terms add up to "
        f"${a} \\cdot 4 \\cdot 2 \\cdot {bracket(cross)}\\, x_1 x_2$: $f(\\mathbf{{x}}) = {_times(slope)} x_1 x_2$.",
        "",
        f"**Margin** (1 mark): at the optimum the squared norm is the sum of the multipliers, $4 \\cdot {a} = "
        f"{_frac(w_sq)}$. So the margin $1 / {_NORM}$ is $1 / \\sqrt{{{_frac(w_sq)}}} = {sig(w_sq**-0.5)}$.",
        "",
    ]


def _crosswise_fields(
    X: np.ndarray, y: np.ndarray, K: np.ndarray, alpha: np.ndarray, query: np.ndarray
) -> list[ask.Field]:
    numbers, points = range(1, 5), range(4)
    signed = [" + ".join(f"({y[k] * y[m]})*gram[{k},{m}]" for m in points) for k in points]
    cross, total = X.prod(axis=1), float(alpha.sum())
    return [
        ask.matrix(
            "gram",
            "the kernel matrix",
            1,
            2,
            rows=numbers,
            columns=numbers,
            whole=True,
            slips=[ask.slip(np.outer(y, y) * K, _LABELLED, card="svm-do-not-confuse-dual")],
        ),
        ask.own("conditions", "the conditions for a maximum of the dual", 2),
        ask.vector(
            "alpha",
            "the multipliers",
            2,
            3,
            titles=[f"$\\alpha_{k}$" for k in numbers],
            follows=[f"1 / ({row_of})" for row_of in signed],
            slips=[ask.slip(alpha * y, _SIGNED, card=_SIGNS)],
        ),
        ask.number(
            "b",
            "$b$",
            3,
            **ask.DERIVED,
            follows=f"{y[0]} - (" + " + ".join(f"({y[m]})*alpha[{m}]*gram[0,{m}]" for m in points) + ")",
        ),
        ask.number(
            "slope",
            "the factor of $x_1 x_2$ in $f(\\mathbf{x})$",
            3,
            2,
            **ask.DERIVED,
            follows=" + ".join(f"alpha[{m}]*({2 * y[m] * cross[m]})" for m in points),
        ),
        ask.number(
            "margin", "the margin", 4, **ask.DERIVED, follows="1 / sqrt(sum(alpha))", slips=[_street(total**-0.5)]
        ),
        ask.number("score", "score of the new point", 5, **ask.DERIVED, follows=f"slope*({query[0]})*({query[1]}) + b"),
        ask.choice("label", "class of the new point", 5, options=["+1", "-1"], keys=[1, -1], follows="score < 0"),
    ]


def _new_point(query: np.ndarray, otherwise: float, told: str) -> list[ask.Field]:
    """Score and class; ``otherwise`` is the score with the bias subtracted."""
    subtracted = ask.slip(otherwise, "That subtracts $b$; here the score adds it.", card=_SIGNS)
    return [
        ask.number("score", "score of the new point", 5, **ask.DERIVED, follows=told, slips=[subtracted]),
        ask.choice("label", "class of the new point", 5, options=["+1", "-1"], keys=[1, -1], follows="score < 0"),
    ]


def _times_w(x: np.ndarray) -> str:
    """The inner product with the weights, as an expression."""
    return f"(w[0]*({x[0]}) + w[1]*({x[1]}))"


def _street(margin: float) -> ask.Slip:
    return ask.slip(
        2 * margin,
        f"That is the width $2 / {_NORM}$ of the street; here the margin reaches from the hyperplane to the nearest "
        "point.",
        card="svm-convention-margin",
    )


def _minus(b: float) -> ask.Slip:
    return ask.slip(-b, "That is $-b$; here the hyperplane is $\\mathbf{w}^\\top\\mathbf{x} + b = 0$.", card=_SIGNS)


_SIGNS = "svm-convention-ties"
_W_SQ = "(w[0]^2 + w[1]^2)"
_LABELLED = "That has the labels in it, $y_n y_m K_{nm}$; the Gram matrix has only inner products."
_SIGNED = "These are the products $\\alpha_n y_n$; the multipliers themselves are not negative."
_NO_LABELS = "That leaves the labels out: $\\mathbf{w} = \\sum_n \\alpha_n y_n \\mathbf{x}_n$."
_BOUND_BIAS = (
    "That reads $b$ off a vector with $\\alpha_n = C$, which may have slack. Take one with $0 < \\alpha_n < C$."
)
_HINGE_ONLY = "That counts only points with slack; a free support vector on the margin has none."
_NEGATIVE_SLACK = "A slack is never negative: $\\xi_n = \\max(0, 1 - y_n f(\\mathbf{x}_n))$."
_KINDS = ["none", "on the margin", "at the bound"]
_W = "\\mathbf{w}"
_NORM = "\\lVert \\mathbf{w} \\rVert"
_HEADER = ["$n$", "$\\mathbf{x}_n$", "$y_n$", "$\\alpha_n$", "$y_n f(\\mathbf{x}_n)$"]


def _multiplier_lines(X: np.ndarray, y: np.ndarray, alpha: np.ndarray, score: np.ndarray) -> list[str]:
    """How the multipliers are found: a pair, or a 2 x 2 system for two points against one; the rest is checked."""
    lines = ["**Multipliers** (4 marks).", ""]
    if len(X) == 4:
        lines = [
            "**Multipliers** (4 marks). Leave $\\mathbf{x}_4$ out first; below $y_4 f(\\mathbf{x}_4) = "
            f"{_frac(score[3])} > 1$, so $\\alpha_4 = 0$ satisfies the KKT conditions, which are sufficient.",
            "",
        ]
    if len(X) == 2:
        gap = X[0] - X[1]
        return [
            *lines,
            "The constraint says $\\alpha_1 = \\alpha_2 = a$, and the dual is $2a - \\tfrac12 a^2 \\lVert "
            f"\\mathbf{{x}}_1 - \\mathbf{{x}}_2 \\rVert^2 = 2a - \\tfrac12 \\cdot {sig(gap @ gap)}\\, a^2$. Its "
            f"derivative is 0 at $a = 2 / {sig(gap @ gap)} = {_frac(alpha[0])}$.",
        ]
    u, v = X[0] - X[1], X[2] - X[1]
    uu, uv, vv = u @ u, u @ v, v @ v
    determinant = uu * vv - uv * uv
    a, c = 2 * (vv - uv) / determinant, 2 * (uu - uv) / determinant
    equation = lambda p, q: f"{p}\\, \\alpha_1 + {q}\\, \\alpha_3 = 2"
    system = f"{equation(sig(uu), bracket(uv))}, \\qquad {equation(bracket(uv), sig(vv))}"
    lines += [
        "The constraint says $\\alpha_2 = \\alpha_1 + \\alpha_3$. With $\\mathbf{u} = \\mathbf{x}_1 - \\mathbf{x}_2 = "
        f"{row(u)}^\\top$ and $\\mathbf{{v}} = \\mathbf{{x}}_3 - \\mathbf{{x}}_2 = {row(v)}^\\top$ the weights are "
        "$\\mathbf{w} = \\alpha_1 \\mathbf{u} + \\alpha_3 \\mathbf{v}$ and the dual is $2 \\alpha_1 + 2 \\alpha_3 - "
        "\\tfrac12 \\lVert \\alpha_1 \\mathbf{u} + \\alpha_3 \\mathbf{v} \\rVert^2$. Both derivatives are 0 if",
        "",
        "$$",
        f"{system},",
        "$$",
        "",
        f"that is $\\alpha_1 = {_frac(a)}$, $\\alpha_3 = {_frac(c)}$.",
    ]
    if min(a, c) <= 0:
        out, kept, size = (1, 3, vv) if a <= 0 else (3, 1, uu)
        lines.append(
            f"One is not positive, so $\\alpha_{out} = 0$, and the other two are a pair: $\\alpha_{kept} = \\alpha_2 = "
            f"2 / {sig(size)} = {_frac(alpha[kept - 1])}$. Below, $y_{out} f(\\mathbf{{x}}_{out}) = "
            f"{_frac(score[out - 1])} > 1$: the KKT conditions hold."
        )
    else:
        lines.append(f"Both are positive, so all three are support vectors and $\\alpha_2 = {_frac(alpha[1])}$.")
    return lines


def _fit(X: np.ndarray, y: np.ndarray, C: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Multipliers, weights and bias of a linear machine."""
    alpha = _cleared(SVC(C=C, kernel="linear", tol=1e-9).fit(X, y), len(X))
    F = bias_candidates(alpha, X @ X.T, y)
    return alpha, (alpha * y) @ X, bias_from_candidates(F, alpha, y, C)


def _cleared(model: SVC, n: int) -> np.ndarray:
    """The multipliers of all n rows; they are fractions, so they are cleared of rounding."""
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return np.array([float(Fraction(a).limit_denominator(2000)) for a in alpha])


def _separable(X: np.ndarray, y: np.ndarray) -> bool:
    """Whether a line through the plane separates the labels, by trying the directions between and across points."""
    D = (X[:, None] - X[None]).reshape(-1, 2)
    W = np.vstack([D, D @ [[0, 1], [-1, 0]]])
    W = np.vstack([W, [a + b for a in W for b in W]])
    scores = W @ X.T
    return bool((scores[:, y > 0].min(axis=1) > scores[:, y < 0].max(axis=1) + 1e-9).any())


def _short(values: list[float], largest: int) -> bool:
    """Whether all numbers are fractions with a small denominator."""
    return all(abs(Fraction(v).limit_denominator(largest) - Fraction(v)) < 1e-9 for v in values)


def _clean(values: np.ndarray | list[float]) -> list[float]:
    return [round(float(v), 9) + 0.0 for v in values]


def _frac(value: float) -> str:
    return fraction(Fraction(float(value)).limit_denominator(5000))


def _times(factor: float) -> str:
    """A factor in front of symbols; 1 is left out."""
    return {1.0: "", -1.0: "-"}.get(round(factor, 9), f"{_frac(factor)}\\,")


def _term(coefficient: float, i: int, j: int) -> str:
    size = "" if abs(coefficient) == 1 else f"{_frac(abs(coefficient))}\\, "
    square = f"\\alpha_{i + 1}^2" if i == j else f"\\alpha_{i + 1} \\alpha_{j + 1}"
    return f"{'+' if coefficient > 0 else '-'} {size}{square}"


def _points(X: np.ndarray, y: np.ndarray) -> str:
    return ", ".join(f"$({row(x)}; {t:+d})$" for x, t in zip(X, y, strict=True))
