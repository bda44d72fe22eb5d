"""Drills on kernels: valid or not, two steps of gradient descent, the kernel perceptron, kernels of two words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import matrix, row, vector
from notes_lib.kernels.kernel_methods import (
    gradient_step,
    is_positive_semidefinite,
    kernel_matrix,
    perceptron_pass,
    polynomial_kernel,
    spectrum_kernel,
    subsequence_table,
)


class _Formula(NamedTuple):
    """A candidate ``k(x, z)`` on numbers: how it reads, its values, and a proof, or points and weights against it."""

    text: str
    value: Callable[[float, float], float]
    proof: str
    points: tuple[int, ...] = ()
    weights: tuple[int, ...] = ()


def _formulas(a: int) -> dict[str, _Formula]:
    """Candidates with one whole number ``a`` of at least 2."""
    return {
        "sum": _Formula(f"{a}\\, x z + (x z)^2", lambda x, z: a * x * z + (x * z) ** 2,
                        f"$xz$ is a kernel, $(xz)^2$ is one (product), ${a}\\, xz$ is one ({a} is not negative), and "
                        "so is their sum"),
        "polynomial": _Formula(f"(x z + {a})^3", lambda x, z: (x * z + a) ** 3,
                               f"a polynomial in the kernel $xz$; multiplied out, all coefficients are positive since "
                               f"${a} > 0$"),
        "exponential": _Formula(f"e^{{{a} x z}}", lambda x, z: float(np.exp(a * x * z)),
                                f"${a}\\, xz$ is a kernel, and the exponential series has positive coefficients (limit "
                                "of polynomials)"),
        "feature": _Formula(f"(x^2 - {a})(z^2 - {a})", lambda x, z: (x * x - a) * (z * z - a),
                            f"it is $f(x) f(z)$ with the single feature $f(x) = x^2 - {a}$; its sign does not matter"),
        "rescaled": _Formula(f"(1 + x z)\\, e^{{-{a} (x - z)^2}}",
                             lambda x, z: (1 + x * z) * float(np.exp(-a * (x - z) ** 2)),
                             "a product of the kernel $1 + xz$ and an RBF kernel"),
        "cosine": _Formula(f"\\cos({a}(x - z))", lambda x, z: float(np.cos(a * (x - z))),
                           f"$\\cos({a}x)\\cos({a}z) + \\sin({a}x)\\sin({a}z)$ is an inner product of two features"),
        "squared distance": _Formula(f"{a}(x - z)^2", lambda x, z: a * (x - z) ** 2,
                                     "the diagonal is 0 and other entries are not", (0, 1), (1, -1)),
        "distance": _Formula(f"{a} |x - z|", lambda x, z: a * abs(x - z),
                             "the diagonal is 0 and other entries are not", (0, 1), (1, -1)),
        "negative constant": _Formula(f"x z - {a}", lambda x, z: x * z - a,
                                      "the kernel of a point with itself is a squared length", (0,), (1,)),
        "negative coefficient": _Formula(f"(x z)^2 - {a}\\, x z", lambda x, z: (x * z) ** 2 - a * x * z,
                                         f"$k(1, 1) = {1 - a}$ should be a squared length", (1,), (1,)),
        "plain sum": _Formula(f"{a}(x + z)", lambda x, z: a * (x + z),
                              "the matrix of 0 and 1 has a negative determinant", (0, 1), (-2, 1)),
        "larger one": _Formula(f"\\max(x, z) + {a - 1}", lambda x, z: max(x, z) + a - 1,
                               "the matrix of 0 and 1 has a negative determinant", (0, 1), (a, 1 - a)),
    }  # fmt: skip


@drill("kernel-validity", marks=8, minutes=12, title="Validity of kernels")
def validity(rng: np.random.Generator) -> Parts:
    """A 3 x 3 matrix and a formula: kernels or not, with a proof or with weights that give a negative number."""
    wanted = bool(rng.integers(2))
    while True:
        if wanted:  # an inner product of whole-number features, two or three of them
            features = rng.integers(-2, 3, size=(3, int(rng.integers(2, 4))))
            K = features @ features.T
        else:
            upper = np.triu(rng.integers(-4, 5, size=(3, 3)))
            K = upper + upper.T
            K[np.diag_indices(3)] = rng.integers(1, 6, size=3)
        if np.abs(K).max() > 9 or not K.diagonal().all() or not K[np.triu_indices(3, 1)].any():
            continue
        if is_positive_semidefinite(K) == wanted and (wanted or _negative(K) is not None):
            break
    minors = {rows: round(float(np.linalg.det(K[np.ix_(rows, rows)]))) for q in (1, 2, 3) for rows in _subsets(q)}
    weights = None if wanted else _negative(K)
    a = int(rng.integers(2, 5))
    formulas = _formulas(a)
    name = str(rng.choice(sorted(formulas)))
    f = formulas[name]
    points = np.array(f.points, dtype=float)[:, None]
    values = lambda A, B: np.array([[f.value(x, z) for z in B[:, 0]] for x in A[:, 0]])
    G = kernel_matrix(points, kernel=values) if f.points else None
    statement = "\n".join(
        [
            "Valid kernel or not? Give a proof, or points and weights $c_n$ with $\\sum_{nm} c_n c_m K_{nm} < 0$.",
            "",
            f"1. Is $\\mathbf{{K}} = {_matrix(K)}$ the kernel matrix of three points? Fill in all principal minors "
            "(the determinants of the submatrices with the same rows and columns). (5 marks)",
            f"2. Is $k(x, z) = {f.text}$ a kernel on $\\mathbb{{R}}$? (3 marks)",
            "",
            table([[",".join(str(i + 1) for i in rows), ""] for rows in minors], ["rows", "minor"]).markdown,
        ]
    )
    found = table([[",".join(str(i + 1) for i in rows), v] for rows, v in minors.items()], ["rows", "minor"]).markdown
    lines = ["**Matrix** (3 marks for the minors). It is symmetric, so count principal minors:", "", found, ""]
    if weights is None:
        lines += [
            "None is negative, so $\\mathbf{K}$ is positive semi-definite and **a valid kernel matrix** (2 marks)."
        ]
    else:
        c = np.array(weights)
        lines += [
            "A negative one is enough: **not a kernel matrix** (1 mark). Weights that show it (1 mark): "
            f"$\\mathbf{{c}} = {_vector(c)}$, $\\mathbf{{K}}\\mathbf{{c}} = {_vector(K @ c)}$, "
            f"$\\mathbf{{c}}^\\top \\mathbf{{K}} \\mathbf{{c}} = {c @ K @ c} < 0$."
        ]
    lines += [""]
    answer: dict[str, Any] = {"matrix_valid": wanted, "minors": list(minors.values())}
    answer |= {"weights": weights, "formula_valid": G is None, "points": None, "formula_weights": None, "value": None}
    if G is None:
        lines += [f"**Formula** (3 marks): **a kernel**. Reason: {f.proof}."]
    else:
        c = np.array(f.weights)
        value = round(float(c @ G @ c))
        answer |= {"points": list(f.points), "formula_weights": list(f.weights), "value": value}
        where = " and ".join(map(str, f.points))
        lines += [
            f"**Formula**: **not a kernel**: {f.proof} (1 mark). On the point{'s' * (len(c) > 1)} {where} its matrix "
            f"is ${_matrix(G)}$ (1 mark), and $\\mathbf{{c}} = {_vector(c)}$ gives "
            f"$\\mathbf{{c}}^\\top \\mathbf{{K}} \\mathbf{{c}} = {value} < 0$ (1 mark)."
        ]
    titles = [",".join(str(i + 1) for i in rows) for rows in minors]
    fields = [
        ask.vector(
            "minors",
            "the principal minors",
            1,
            3,
            titles=titles,
            whole=True,
            slips=[
                ask.slip(
                    [v + 2 * int(K[rows] ** 2) if len(rows) == 2 else v for rows, v in minors.items()],
                    "The minors of two rows add the product of the other diagonal; it is subtracted.",
                    card="kernel-methods-do-not-confuse-positive",
                )
            ],
        ),
        ask.choice(
            "matrix_valid",
            "a kernel matrix?",
            1,
            options=["yes", "no"],
            keys=[True, False],
            after=["minors"],
            slips=[ask.slip(not wanted, _SYMMETRIC, card="kernel-methods-lost-marks-symmetric")],
        ),
        ask.own("matrix_reason", "the reason, or weights with a negative sum", 1),
        ask.choice(
            "formula_valid",
            "a kernel?",
            2,
            options=["yes", "no"],
            keys=[True, False],
            slips=[
                ask.slip(
                    G is not None,
                    "Build it from known kernels by sums, products and limits, or look for points that refute it.",
                    card="kernel-methods-lost-marks-every",
                )
            ],
        ),
        ask.own("formula_reason", "the proof, or points and weights with a negative sum", 2, 2),
    ]
    given = {"K": K.tolist(), "formula": name, "a": a}
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("kernel-gradient-step", marks=10, minutes=14, title="Gradient descent with a kernel")
def gradient(rng: np.random.Generator) -> Parts:
    """Two steps of gradient descent on the coefficients of three points, and a prediction."""
    while True:
        x = np.sort(rng.choice(np.arange(-3, 4), size=3, replace=False)).astype(float)
        y = rng.integers(-3, 6, size=3).astype(float)
        degree = int(rng.integers(1, 3))
        K = polynomial_kernel(x[:, None], degree=degree, gamma=1.0, coef0=1.0)
        eta = float(rng.choice([0.1, 0.05, 0.02]))
        query = float(rng.integers(-3, 4))
        fast = eta * np.linalg.eigvalsh(K)[-1]
        if K.max() <= 26 and 0.5 < fast < 1.6 and np.count_nonzero(y) >= 2 and query not in x and (K @ y).any():
            break
    steps = [gradient_step(K, y, np.zeros(3), eta)]
    for _ in range(2):
        steps.append(gradient_step(K, y, steps[-1].beta, eta))
    k_x = polynomial_kernel(np.array([[query]]), x[:, None], degree=degree, gamma=1.0, coef0=1.0)[0]
    beta = steps[1].beta
    prediction = float(k_x @ beta)
    formula = f"(x z + 1)^{{{degree}}}" if degree > 1 else "x z + 1"
    statement = "\n".join(
        [
            f"Fit $y$ on $x$ by gradient descent with the kernel $k(x, z) = {formula}$, step ${_n(eta)}$, starting "
            "from $\\boldsymbol{\\beta} = \\mathbf{0}$:",
            "",
            table([["$x_n$", *map(_n, x)], ["$y_n$", *map(_n, y)]], ["$n$", "1", "2", "3"]).markdown,
            "",
            "1. the kernel matrix (3 marks),",
            "2. $\\boldsymbol{\\beta}$ after one and after two steps (4 marks),",
            "3. the loss $\\tfrac12 \\lVert \\mathbf{y} - \\mathbf{K}\\boldsymbol{\\beta} \\rVert^2$ before the first "
            "step and after the second (1 mark),",
            f"4. the prediction at $x = {_n(query)}$ after two steps (2 marks).",
            "",
            "Fill in:",
            "",
            table([[t, *[""] * 4] for t in (0, 1, 2)], _STEPS).markdown,
        ]
    )
    rows = [
        [t, f"${row(step_beta, _n)}$", f"${row(K @ step_beta, _n)}$", f"${row(step.residual, _n)}$", _loss(step.loss)]
        for t, (step, step_beta) in enumerate(zip(steps, [np.zeros(3), steps[0].beta, beta], strict=True))
    ]
    lines = [
        f"**Matrix** (3 marks): $\\mathbf{{K}} = {_matrix(K)}$.",
        "",
        "**Steps** (1 mark for the rule, 1 for the first step, 2 for the second): "
        "$\\boldsymbol{\\beta} \\leftarrow \\boldsymbol{\\beta} + \\eta\\, "
        "(\\mathbf{y} - \\mathbf{K}\\boldsymbol{\\beta})$. The loss is rounded to four digits.",
        "",
        table(rows, _STEPS).markdown,
        "",
        f"**Loss** (1 mark): from {_loss(steps[0].loss)} to {_loss(steps[2].loss)}.",
        "",
        f"**Prediction** (1 mark for the kernel values, 1 for the sum): $\\mathbf{{k}}_x = {_vector(k_x)}$, so "
        f"$f({_n(query)}) = \\mathbf{{k}}_x^\\top \\boldsymbol{{\\beta}} = {_n(prediction)}$.",
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "degree": degree, "eta": eta, "query": query}
    answer = {
        "K": K.tolist(),
        "betas": [s.beta.round(12).tolist() for s in steps[:2]],
        "losses": [steps[0].loss, round(steps[2].loss, 12)],
        "prediction": round(prediction, 12),
    }
    fields = [
        ask.matrix(
            "K",
            "the kernel matrix",
            1,
            3,
            rows=_POINTS[:3],
            columns=_POINTS[:3],
            whole=True,
            slips=[ask.slip(np.outer(x, x) ** degree, "The 1 in the kernel is missing.", card=_ALGORITHMS)],
        ),
        ask.vector(
            "betas.0",
            "$\\boldsymbol{\\beta}$ after one step",
            2,
            2,
            slips=[
                ask.slip(
                    eta * K @ y,
                    "That is the step in the values $\\mathbf{K}\\boldsymbol{\\beta}$; the coefficients gain "
                    "$\\eta$ times the residuals.",
                    card=_ALGORITHMS,
                )
            ],
        ),
        ask.vector(
            "betas.1",
            "$\\boldsymbol{\\beta}$ after two steps",
            2,
            2,
            follows=[f"betas.0[{n}] + {eta}*({y[n]} - ({_fitted(n, 'betas.0')}))" for n in range(3)],
            slips=[
                ask.slip(
                    2 * steps[0].beta, "That repeats the first step; the residuals have changed.", card=_ALGORITHMS
                )
            ],
        ),
        ask.vector(
            "losses",
            "the loss",
            3,
            titles=["before the first step", "after the second"],
            **ask.DERIVED,
            follows=[None, "(" + " + ".join(f"({y[n]} - ({_fitted(n, 'betas.1')}))^2" for n in range(3)) + ") / 2"],
            slips=[
                ask.slip(
                    [2 * steps[0].loss, 2 * steps[2].loss],
                    "The half before the squares is missing.",
                    card="kernel-methods-convention-loss",
                )
            ],
        ),
        ask.number(
            "prediction",
            "the prediction",
            4,
            2,
            places=2,
            carried=1,
            follows=" + ".join(f"{k}*betas.1[{n}]" for n, k in enumerate(k_x)),
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("kernel-perceptron", marks=10, minutes=15, title="Kernel perceptron")
def perceptron(rng: np.random.Generator) -> Parts:
    """The dual perceptron on four points until a pass makes no mistake, and one decision."""
    while True:
        X = rng.integers(-1, 3, size=(4, 2)).astype(float)
        y = rng.permutation([1.0, 1.0, -1.0, -1.0])
        K = polynomial_kernel(X, degree=2, gamma=1.0, coef0=1.0)
        query = rng.integers(-1, 3, size=2).astype(float)
        if len(np.unique(X, axis=0)) < 4 or K.max() > 36 or (query == X).all(axis=1).any():
            continue
        passes, alpha = [], np.zeros(4)
        for _ in range(4):
            alpha, mistakes = perceptron_pass(K, y, alpha)
            passes.append(mistakes.tolist())
            if not mistakes.size:
                break
        k_x = polynomial_kernel(query[None], X, degree=2, gamma=1.0, coef0=1.0)[0]
        score = float(k_x @ (alpha * y))
        if not passes[-1] and 2 <= len(passes) <= 4 and 3 <= alpha.sum() <= 6 and score != 0:
            break
    rows, counts = [], np.zeros(4)
    for number, mistakes in enumerate(passes, start=1):
        for n in range(4):
            s = float(K[n] @ (counts * y))
            wrong = n in mistakes
            counts[n] += wrong
            rows.append([number, n + 1, s, y[n] * s, "yes" if wrong else "no", f"$({', '.join(map(_n, counts))})$"])
    label = 1 if score > 0 else -1
    statement = "\n".join(
        [
            "Run the kernel perceptron with $k(\\mathbf{x}, \\mathbf{z}) = (\\mathbf{x}^\\top\\mathbf{z} + 1)^2$ on "
            "the points in their order until a pass makes no mistake. A score of 0 is a mistake; start with "
            "$\\boldsymbol{\\alpha} = \\mathbf{0}$.",
            "",
            table([[n + 1, f"$({_n(X[n, 0])}, {_n(X[n, 1])})$", y[n]] for n in range(4)],
                  ["$n$", "$\\mathbf{x}_n$", "$y_n$"]).markdown,
            "",
            "1. the kernel matrix (3 marks),",
            "2. the trace (5 marks),",
            f"3. the label of $({_n(query[0])}, {_n(query[1])})^\\top$ (2 marks).",
            "",
            "Fill in:",
            "",
            table([["1", n + 1, *[""] * 4] for n in range(4)], _TRACE).markdown,
        ]
    )  # fmt: skip
    terms = " ".join(
        f"{'+' if y[n] > 0 else '-'} {_n(alpha[n])} \\cdot {_n(k_x[n])}" for n in range(4) if alpha[n]
    ).removeprefix("+ ")
    lines = [
        f"**Matrix** (3 marks): $\\mathbf{{K}} = {_matrix(K)}$.",
        "",
        "**Trace** (5 marks): the score of point $n$ is $\\sum_m \\alpha_m y_m K_{mn}$; if $y_n$ times it is not "
        "positive, $\\alpha_n$ grows by 1.",
        "",
        table(rows, _TRACE).markdown,
        "",
        f"Pass {len(passes)} makes no mistake: $\\boldsymbol{{\\alpha}} = {_vector(alpha)}$.",
        "",
        f"**Label** (1 mark for the score, 1 for the label): $\\mathbf{{k}}_x = {_vector(k_x)}$, score "
        f"${terms} = {_n(score)}$, so the label is ${label}$.",
    ]
    given = {"X": X.tolist(), "y": y.tolist(), "query": query.tolist()}
    answer = {"K": K.tolist(), "alpha": alpha.tolist(), "mistakes": passes, "score": score, "label": label}
    answer["scores"] = np.reshape([r[2] for r in rows], (-1, 4)).tolist()
    fields = [
        ask.matrix(
            "K",
            "the kernel matrix",
            1,
            3,
            rows=_POINTS,
            columns=_POINTS,
            whole=True,
            slips=[
                ask.slip((X @ X.T) ** 2, "The 1 in the kernel is missing.", card=_ALGORITHMS),
                ask.slip(X @ X.T + 1, "The square is missing.", card=_ALGORITHMS),
            ],
        ),
        ask.matrix(
            "scores",
            "the scores before each update: one row for each pass",
            2,
            3,
            columns=_POINTS,
            whole=True,
            after=["K"],
        ),
        ask.vector(
            "alpha",
            "$\\boldsymbol{\\alpha}$ at the end",
            2,
            2,
            titles=_POINTS,
            whole=True,
            after=["scores"],
            slips=[
                ask.slip(
                    alpha * y,
                    "That has the labels in it; $\\alpha_n$ counts the mistakes and is not negative.",
                    card="kernel-methods-convention-perceptron",
                )
            ],
        ),
        ask.number(
            "score",
            "the score",
            3,
            whole=True,
            follows=" + ".join(f"{y[n] * k_x[n]}*alpha[{n}]" for n in range(4)),
            slips=[ask.slip(float(k_x @ alpha), "The labels are missing in the sum.", card=_ALGORITHMS)],
        ),
        ask.choice("label", "the label", 3, options=["+1", "-1"], keys=[1, -1], follows="score <= 0"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("string-kernel", marks=8, minutes=10, title="Kernels of two words")
def strings(rng: np.random.Generator) -> Parts:
    """Common subsequences of two short words by dynamic programming; common pairs of letters, distance, cosine."""
    while True:
        s, t = ("".join(rng.choice(list("abc"), size=size)) for size in (4, 3))
        table_of = subsequence_table(s, t)
        both = spectrum_kernel([s, t], length=2)
        if both[0, 1] and len(set(s)) > 1 and len(set(t)) > 1 and s[:3] != t and s[1:] != t:
            break
    begin_s, begin_t = ([f"`{word[:i]}`" if i else "(empty)" for i in range(len(word) + 1)] for word in (s, t))
    kst, kss, ktt = int(both[0, 1]), int(both[0, 0]), int(both[1, 1])
    distance, cosine = kss - 2 * kst + ktt, kst / np.sqrt(kss * ktt)
    statement = "\n".join(
        [
            f"How alike are the words $s = {_word(s)}$ and $s' = {_word(t)}$?",
            "",
            "1. Count the pairs of equal subsequences, one of each word, gaps allowed and the empty one included: for "
            "all beginnings of both words, by dynamic programming. The last entry is $k(s, s')$. (4 marks)",
            "2. Another kernel counts the pairs of equal substrings of two letters. Give $k_2(s, s')$, $k_2(s, s)$ and "
            "$k_2(s', s')$. (2 marks)",
            "3. For $k_2$: the squared distance of the two words in feature space, and the kernel with the lengths "
            "divided out. (2 marks)",
            "",
            "Fill in:",
            "",
            table([[name, *[""] * len(begin_t)] for name in begin_s], ["", *begin_t]).markdown,
        ]
    )
    pieces = sorted({word[i : i + 2] for word in (s, t) for i in range(len(word) - 1)})
    counts = {piece: [sum(word[i : i + 2] == piece for i in range(len(word))) for word in (s, t)] for piece in pieces}
    products = lambda i, j: " + ".join(f"{counts[p][i]} \\cdot {counts[p][j]}" for p in pieces)
    lines = [
        "**Table** (1 mark for the rule, 1 for the borders, 2 for the entries). The empty subsequence alone gives 1 in "
        "the first row and column. Where the last letters differ, $T_{ij} = T_{i-1,j} + T_{i,j-1} - T_{i-1,j-1}$; "
        "where they are equal, $T_{ij} = T_{i-1,j} + T_{i,j-1}$.",
        "",
        table([[name, *map(int, line)] for name, line in zip(begin_s, table_of, strict=True)], ["", *begin_t]).markdown,
        "",
        f"So $k(s, s') = {_n(table_of[-1, -1])}$.",
        "",
        "**Pairs of letters** (1 mark for the counts, 1 for the sums):",
        "",
        table([[f"`{piece}`", *counts[piece]] for piece in pieces], ["substring", "in $s$", "in $s'$"]).markdown,
        "",
        f"$k_2(s, s') = {products(0, 1)} = {kst}$, $k_2(s, s) = {products(0, 0)} = {kss}$, "
        f"$k_2(s', s') = {products(1, 1)} = {ktt}$.",
        "",
        f"**Distance** (1 mark): ${kss} - 2 \\cdot {kst} + {ktt} = {distance}$. **Normalised** (1 mark): "
        f"$\\frac{{{kst}}}{{\\sqrt{{{kss} \\cdot {ktt}}}}} = {sig(cosine)}$.",
    ]
    answer = {"table": table_of.astype(int).tolist(), "pairs": [kst, kss, ktt], "distance": distance}
    fields = [
        ask.matrix(
            "table",
            "the table",
            1,
            4,
            rows=begin_s,
            columns=begin_t,
            whole=True,
            slips=[
                ask.slip(
                    table_of.astype(int) - 1,
                    "The empty subsequence is missing: it is common to all words.",
                    card=_NAMES,
                )
            ],
        ),
        ask.vector(
            "pairs",
            "pairs of equal substrings of two letters",
            2,
            2,
            titles=["$k_2(s, s')$", "$k_2(s, s)$", "$k_2(s', s')$"],
            whole=True,
        ),
        ask.number(
            "distance",
            "the squared distance",
            3,
            whole=True,
            follows="pairs[1] - 2*pairs[0] + pairs[2]",
            slips=[
                ask.slip(
                    kss - kst + ktt,
                    "The factor 2 is missing before $k(s, s')$.",
                    card="kernel-methods-lost-marks-distance",
                )
            ],
        ),
        ask.number(
            "cosine",
            "the kernel with the lengths divided out",
            3,
            follows="pairs[0] / sqrt(pairs[1]*pairs[2])",
            slips=[ask.slip(kst / (kss * ktt), "The root is missing below the line.", card=_NAMES)],
        ),
    ]
    given = {"s": s, "t": t}
    return Parts(statement, given, "\n".join(lines), answer | {"cosine": float(cosine)}, fields)


_ALGORITHMS, _NAMES = "kernel-methods-do-not-confuse-algorithms", "kernel-methods-do-not-confuse-names"
_SYMMETRIC = "Symmetry is not enough: a kernel matrix has no negative principal minor, and any such matrix is one."
_POINTS = ["1", "2", "3", "4"]
_STEPS = ["step", "$\\boldsymbol{\\beta}$", "$\\mathbf{K}\\boldsymbol{\\beta}$",
          "$\\mathbf{y} - \\mathbf{K}\\boldsymbol{\\beta}$", "loss"]  # fmt: skip
_TRACE = ["pass", "$n$", "score", "$y_n \\cdot$ score", "mistake", "$\\boldsymbol{\\alpha}$"]


def _fitted(n: int, name: str) -> str:
    """The value at a point by the kernel matrix and coefficients, as an expression."""
    return " + ".join(f"K[{n},{m}]*{name}[{m}]" for m in range(3))


def _word(letters: str) -> str:
    return f"\\texttt{{{letters}}}"


def _subsets(size: int) -> list[tuple[int, ...]]:
    return list(combinations(range(3), size))


def _negative(K: np.ndarray) -> list[int] | None:
    """The shortest weights among -2, ..., 2 that give a negative number; None if there are none."""
    tried = sorted(product(range(-2, 3), repeat=3), key=lambda c: (sum(map(abs, c)), [-a for a in c]))
    return next((list(c) for c in tried if np.array(c) @ K @ np.array(c) < 0), None)


def _n(value: float) -> str:
    """A number with a few decimals, exactly as it comes out on paper."""
    return f"{round(float(value), 8) + 0.0:.10g}"


def _loss(value: float) -> str:
    return sig(round(value, 9))  # so that the last digit does not hang on a rounding error


_vector, _matrix = partial(vector, show=_n), partial(matrix, show=_n)
