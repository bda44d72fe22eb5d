"""Drills on independent components: what whitening leaves open, and the kurtosis of a mixture."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, row, short, vector
from notes_lib.reduction.ica import excess_kurtosis, fixed_point_step

TURNS = np.array([[3, 4], [4, 3], [3, -4], [4, -3]])  # cosine and sine, times 5
SCALES = [(10, 5), (15, 5), (15, 10), (20, 5), (20, 10), (20, 15)]
_WHITE, _KURTOSIS = "ica-do-not-confuse-white", "ica-convention-kurtosis"
WEIGHTS = [2, 4, 8, 10, 12, 16, 20]  # one over the probability of each of the values -a and a


def _turn(rng: np.random.Generator) -> np.ndarray:
    """A rotation with entries 0.6 and 0.8 in size."""
    c, s = TURNS[int(rng.integers(0, len(TURNS)))]
    return np.array([[c, -s], [s, c]]) / 5


@drill("whitening-rotation", marks=13, minutes=16, title="Whitening leaves a rotation")
def whitening_rotation(rng: np.random.Generator) -> Parts:
    """Covariance of a mixture, its whitening matrix, the rotation that is left, one row unmixed, and the counts."""
    U, turn = _turn(rng), _turn(rng)
    U = U * np.where(U[0] < 0, -1, 1)  # the first entry of each eigenvector is positive
    scales = np.array(SCALES[int(rng.integers(0, len(SCALES)))])
    if rng.random() < 0.5:
        turn = turn * [1, -1]
    A = np.round(U * scales @ turn, 9)  # (2, 2)
    Sigma = np.round(A @ A.T, 9)
    V = np.round(U.T / scales[:, None], 9)
    s = rng.choice([-2, -1, 1, 2], 2)
    x, z, D = np.round(A @ s, 9), np.round(turn @ s, 9), int(rng.integers(3, 9))
    big, small = (int(v) ** 2 for v in scales)
    known, left = D * (D + 1) // 2, D * (D - 1) // 2
    show = lambda M: matrix(M, short)
    statement = "\n\n".join(
        [
            "Two independent sources of mean 0 and variance 1 are mixed by "
            f"$\\mathbf{{x}} = \\mathbf{{A}}\\mathbf{{s}}$ with $\\mathbf{{A}} = {show(A)}$.",
            "1. Give the covariance matrix of $\\mathbf{x}$ (2 marks).",
            f"2. Its eigenvectors are ${vector(5 * U[:, 0], short)}$ and ${vector(5 * U[:, 1], short)}$, not scaled. "
            "Give their eigenvalues (2 marks).",
            "3. Give the whitening matrix $\\mathbf{V}$, the eigenvector of the larger eigenvalue in the first row, "
            "the first entry of each row positive (3 marks).",
            "4. Give $\\mathbf{Q} = \\mathbf{V}\\mathbf{A}$ (2 marks).",
            f"5. Whiten $\\mathbf{{x}} = {vector(x, short)}$ to $\\mathbf{{z}}$, and find its sources (2 marks).",
            f"6. There are {D} sources now. How many different numbers does a covariance matrix hold, and how many "
            "entries of $\\mathbf{A}$ more than that are there? (2 marks)",
        ]
    )
    given = {"A": A.tolist(), "directions": (5 * U.T).round(9).tolist(), "x": x.tolist(), "sources": D}
    answer: dict[str, Any] = {
        "covariance": Sigma.tolist(), "eigenvalues": [big, small], "V": V.tolist(), "Q": turn.tolist(),
        "z": z.tolist(), "s": [int(v) for v in s], "known": known, "left": left,
    }  # fmt: skip
    both = ["first row", "second row"]
    columns = ["first column", "second column"]
    fields = [
        ask.matrix("covariance", "covariance", 1, 2, rows=both, columns=columns),
        ask.vector(
            "eigenvalues",
            "eigenvalues, in the order of the vectors",
            2,
            2,
            titles=["first", "second"],
            follows=[f"covariance[0,0] + covariance[0,1]*({U[1, k] / U[0, k]})" for k in (0, 1)],
            slips=[
                ask.slip(
                    scales,
                    "These are the roots of the eigenvalues, the standard deviations.",
                    card="ica-convention-whitening",
                )
            ],
        ),
        ask.matrix(
            "V",
            "$\\mathbf{V}$",
            3,
            3,
            rows=both,
            columns=columns,
            follows=[[f"({U[j, k]})/sqrt(eigenvalues[{k}])" for j in (0, 1)] for k in (0, 1)],
            slips=[
                ask.slip(
                    U.T / scales[:, None] ** 2,
                    "That divides by the eigenvalues; divide by their roots.",
                    card="ica-convention-whitening",
                ),
                ask.slip(
                    U.T * scales[:, None],
                    "That multiplies by the roots of the eigenvalues; divide by them.",
                    card="ica-convention-whitening",
                ),
            ],
        ),
        ask.matrix(
            "Q",
            "$\\mathbf{Q}$",
            4,
            2,
            rows=both,
            columns=columns,
            follows=[[f"V[{i},0]*({A[0, j]}) + V[{i},1]*({A[1, j]})" for j in (0, 1)] for i in (0, 1)],
        ),
        ask.vector(
            "z",
            "$\\mathbf{z}$",
            5,
            titles=["$z_1$", "$z_2$"],
            follows=[f"V[{i},0]*({x[0]}) + V[{i},1]*({x[1]})" for i in (0, 1)],
        ),
        ask.vector(
            "s",
            "sources",
            5,
            titles=["$s_1$", "$s_2$"],
            whole=True,
            follows=[f"Q[0,{j}]*z[0] + Q[1,{j}]*z[1]" for j in (0, 1)],
        ),
        ask.number(
            "known",
            "numbers of a covariance matrix",
            6,
            whole=True,
            slips=[
                ask.slip(D * D, "The matrix is symmetric: the entries beside the diagonal count once.", card=_WHITE)
            ],
        ),
        ask.number(
            "left",
            "entries more",
            6,
            whole=True,
            follows=f"{D * D} - known",
            slips=[ask.slip(known, "That is what the covariance matrix holds; asked is what is left.", card=_WHITE)],
        ),
    ]
    first, second = (_image(Sigma, 5 * U[:, k]) for k in (0, 1))
    lines = [
        f"**Covariance:** $\\mathbf{{A}}\\mathbf{{A}}^\\top = {show(A)} {show(A.T)} = {show(Sigma)}$.",
        f"**Eigenvalues:** ${show(Sigma)} {matrix(5 * U[:, :1], short)} = {matrix(first, short)} = "
        f"{big} {matrix(5 * U[:, :1], short)}$ and ${show(Sigma)} {matrix(5 * U[:, 1:], short)} = "
        f"{matrix(second, short)} = {small} {matrix(5 * U[:, 1:], short)}$.",
        f"**Whitening:** each eigenvector divided by its length 5 and by the root of its eigenvalue, "
        f"${int(scales[0])}$ and ${int(scales[1])}$: $\\mathbf{{V}} = {show(V)}$.",
        f"**Rotation:** $\\mathbf{{Q}} = \\mathbf{{V}}\\mathbf{{A}} = {show(V)} {show(A)} = {show(turn)}$. Its columns "
        "have length 1 and are orthogonal.",
        f"**One row:** $\\mathbf{{z}} = \\mathbf{{V}}\\mathbf{{x}} = {show(V)} {matrix(x[:, None], short)} = "
        f"{matrix(z[:, None], short)}$, and the transpose of $\\mathbf{{Q}}$ undoes the rotation: "
        f"${show(turn.T)} {matrix(z[:, None], short)} = {matrix(s[:, None], short)}$.",
        f"**Counts:** a symmetric matrix holds $\\tfrac{{{D} \\cdot {D + 1}}}{{2}} = {known}$ numbers; $\\mathbf{{A}}$ "
        f"has ${D}^2 - {known} = {left}$ more, as many as a rotation has angles.",
        "Marks: 2 for the covariance, 2 for the eigenvalues, 3 for the whitening matrix, 2 for the rotation, 1 for the "
        "white row, 1 for its sources, 2 for the counts.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _image(Sigma: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The product with a vector, as a column."""
    return np.round(Sigma @ v, 9)[:, None]


@drill("kurtosis-contrast", marks=12, minutes=15, title="Kurtosis of a mixture and the fixed point")
def kurtosis_contrast(rng: np.random.Generator) -> Parts:
    """Kurtosis of two sources and of a mixture, two steps of the fixed point, and where they lead."""
    while True:
        p, q = (Fraction(1, int(n)) for n in rng.choice(WEIGHTS, 2, replace=False))
        a, b = (int(v) for v in rng.integers(1, 5, 2))
        c, s = (Fraction(int(v), 5) for v in TURNS[int(rng.integers(0, len(TURNS)))])
        k, m = _excess(p), _excess(q)
        gain = m / k
        start = s / c
        one = gain * start**3
        two = gain * one**3
        if abs(abs(gain) * start**2 - 1) > Fraction(1, 10) and Fraction(1, 10**4) < abs(two) < 10**4:
            break
    mixture = c**4 * k + s**4 * m
    leads = "first" if abs(two) < abs(start) else "second"
    strongest = "first" if abs(k) > abs(m) else "second"
    step = [k * c**3, m * s**3]
    statement = "\n\n".join(
        [
            "Two independent sources take three values each: the first one "
            f"$-{a}$, 0 and ${a}$ with the probabilities ${_laws(p)}$, the second one $-{b}$, 0 and ${b}$ with the "
            f"probabilities ${_laws(q)}$.",
            "1. Give the variance and the excess kurtosis of both (3 marks).",
            "2. Both are scaled to variance 1. Give the excess kurtosis of their sum with the weights "
            f"${short(float(c))}$ and ${short(float(s))}$ (2 marks).",
            "3. The white data are the sources themselves, scaled. Take one step of the fixed point for the cube from "
            f"$\\mathbf{{w}} = {vector([float(c), float(s)], short)}$, without scaling it to length 1 (3 marks).",
            "4. Give the ratio $w_2/w_1$ at the start, after one step and after two (2 marks).",
            "5. Which source do the steps lead to, and along which one is the absolute kurtosis of unit vectors "
            "largest? (2 marks)",
        ]
    )
    given = {
        "values": [a, b], "probabilities": [[p.numerator, p.denominator], [q.numerator, q.denominator]],
        "w": [float(c), float(s)],
    }  # fmt: skip
    # the same numbers by the library, from all pairs of equally likely cases
    S = np.array([[u, v] for u in _cases(p) for v in _cases(q)])
    unit = fixed_point_step([float(c), float(s)], S, "cube")
    length = np.hypot(float(step[0]), float(step[1]))
    answer: dict[str, Any] = {
        "variances": [float(2 * p * a * a), float(2 * q * b * b)],
        "kurtosis": [round(excess_kurtosis(a * _cases(p)), 9), round(excess_kurtosis(b * _cases(q)), 9)],
        "mixture": round(excess_kurtosis(S @ [float(c), float(s)]), 9),
        "step": (unit * length).round(9).tolist(),
        "ratios": [float(start), float(one), float(two)],
        "leads": leads,
        "strongest": strongest,
    }
    which = ["first source", "second source"]
    fields = [
        ask.vector("variances", "variance", 1, titles=which),
        ask.vector(
            "kurtosis",
            "excess kurtosis",
            1,
            2,
            titles=which,
            slips=[
                ask.slip(
                    [float(k + 3), float(m + 3)],
                    "That is the fourth moment; the excess kurtosis is 3 less.",
                    card=_KURTOSIS,
                )
            ],
        ),
        ask.number(
            "mixture",
            "excess kurtosis of the mixture",
            2,
            2,
            follows=f"{float(c**4)}*kurtosis[0] + {float(s**4)}*kurtosis[1]",
            slips=[
                ask.slip(
                    float(c**2 * k + s**2 * m),
                    "The weights enter with their fourth powers, not with their squares.",
                    card=_KURTOSIS,
                )
            ],
        ),
        ask.vector(
            "step",
            "$\\mathbf{w}^+$",
            3,
            3,
            titles=["$w_1$", "$w_2$"],
            follows=[f"({float(c**3)})*kurtosis[0]", f"({float(s**3)})*kurtosis[1]"],
            slips=[
                ask.slip(
                    [float(c**3 * (k + 3)), float(s**3 * (m + 3))],
                    "That is the first term of the step; three times $\\mathbf{w}$ is subtracted.",
                    card=_KURTOSIS,
                )
            ],
        ),
        ask.vector(
            "ratios",
            "ratio",
            4,
            2,
            titles=["start", "one step", "two steps"],
            **ask.DERIVED,
            follows=[None, "step[1]/step[0]", "kurtosis[1]/kurtosis[0]*(step[1]/step[0])^3"],
            slips=[
                ask.slip(
                    [float(1 / v) for v in (start, one, two)],
                    "These are upside down: $w_2$ stands above.",
                    card=_KURTOSIS,
                )
            ],
        ),
        ask.choice(
            "leads",
            "source that the steps lead to",
            5,
            options=["first", "second"],
            follows="abs(ratios[2]) >= abs(ratios[0])",
        ),
        ask.choice(
            "strongest",
            "source with the largest absolute kurtosis",
            5,
            options=["first", "second"],
            follows="abs(kurtosis[0]) <= abs(kurtosis[1])",
            slips=[
                ask.slip(
                    "second" if strongest == "first" else "first",
                    "The sign does not count: take absolute values.",
                    card="ica-lost-marks-sign",
                )
            ],
        ),
    ]
    K, M = short(float(k)), short(float(m))
    C, S_ = short(float(c)), bracket(float(s), short)
    less = "smaller" if leads == "first" else "larger"
    lines = [
        f"**Variance:** $2 \\cdot {fraction(p)} \\cdot {a}^2 = {short(float(2 * p * a * a))}$ and "
        f"$2 \\cdot {fraction(q)} \\cdot {b}^2 = {short(float(2 * q * b * b))}$.",
        "**Kurtosis:** fourth moment over squared variance, minus 3. With $2p$ for the probability of a value that is "
        f"not 0, this is $\\tfrac{{1}}{{2p}} - 3$: ${fraction(1 / (2 * p))} - 3 = {K}$ and "
        f"${fraction(1 / (2 * q))} - 3 = {M}$, whatever the values are.",
        f"**Mixture:** fourth powers of the weights, since the sources are independent: "
        f"${C}^4 \\cdot {bracket(float(k), short)} + {S_}^4 \\cdot {bracket(float(m), short)} = "
        f"{short(float(mixture))}$.",
        f"**Step:** each coordinate is cubed and multiplied by the kurtosis of its source: "
        f"${C}^3 \\cdot {bracket(float(k), short)} = {short(float(step[0]))}$ and "
        f"${S_}^3 \\cdot {bracket(float(m), short)} = {short(float(step[1]))}$.",
        f"**Ratio:** ${S_} / {C} = {fraction(start)}$. A step cubes the ratio and multiplies it by "
        f"${M} / {bracket(float(k), short)} = {fraction(gain)}$: it becomes "
        f"${fraction(gain)} \\cdot {_cube(start)} = {fraction(one)}$ and then "
        f"${fraction(gain)} \\cdot {_cube(one)} \\approx {sig(float(two))}$.",
        f"**Where to:** the ratio becomes {less} in size with each step, so the steps lead to the {leads} source. The "
        f"absolute kurtosis is largest along the {strongest} source: ${short(float(max(abs(k), abs(m))))}$ against "
        f"${short(float(min(abs(k), abs(m))))}$.",
        "Marks: 1 for the variances, 2 for the kurtosis, 2 for the mixture, 3 for the step, 2 for the ratios, 1 for "
        "the goal, 1 for the largest kurtosis.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _excess(p: Fraction) -> Fraction:
    """Excess kurtosis of a number that is -a or a with probability p each, else 0."""
    return 1 / (2 * p) - 3


def _cases(p: Fraction) -> np.ndarray:
    """Equally likely values of such a number, scaled to variance 1."""
    n = p.denominator
    values = np.zeros(n)
    values[: p.numerator], values[p.numerator : 2 * p.numerator] = -1, 1
    return values / np.sqrt(float(2 * p))


def _laws(p: Fraction) -> str:
    """The three probabilities."""
    return row([p, 1 - 2 * p, p], fraction).strip("()").replace(", ", "$, $")


def _cube(value: Fraction) -> str:
    return f"\\left({fraction(value)}\\right)^3"
