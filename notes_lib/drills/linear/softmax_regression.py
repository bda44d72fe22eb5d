"""Drill on softmax regression: one step of gradient descent for three classes, and the probabilities after it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, products, row
from notes_lib.linear.softmax_regression import one_hot, softmax, softmax_gradient, softmax_loss, softmax_step

THIRD = Fraction(1, 3)


@drill("softmax-step", marks=12, minutes=15, title="One gradient step of softmax regression")
def step(rng: np.random.Generator) -> Parts:
    """Three classes, two features, two instances: a step from zero weights, then the new probabilities of one."""
    zero = np.zeros((3, 2))
    while True:
        X = rng.integers(-2, 4, size=(2, 2)).astype(float)
        codes = rng.permutation(3)[:2]
        eta = float(rng.choice([0.3, 0.6]))
        Y = one_hot(codes, 3)
        W = softmax_step(zero, X, Y, eta)
        scores = W @ X[0]
        if _is_fair(X, W, scores, codes[0]):
            break
    G = softmax_gradient(zero, X, Y)
    P = softmax(scores)
    loss = softmax_loss(W, X[:1], Y[:1])
    classes = codes + 1
    statement = "\n\n".join(
        [
            "Softmax regression with three classes, two features and no bias has zero weights. The data are: "
            f"$\\mathbf{{x}}_1={row(X[0])}$ of class {classes[0]} and $\\mathbf{{x}}_2={row(X[1])}$ of class "
            f"{classes[1]}. The loss is the cross-entropy, summed over both.",
            "1. Give the predicted probabilities and the loss (2 marks).",
            "2. Give the gradient, one row for each class (3 marks).",
            f"3. Make one step of gradient descent with step size $\\eta={sig(eta)}$ (2 marks).",
            "4. Give the scores and the probabilities of $\\mathbf{x}_1$ after the step (4 marks).",
            "5. What is its loss now? (1 mark)",
        ]
    )
    answer = {
        "p": [1 / 3] * 3, "loss": 2 * float(np.log(3)), "G": G.tolist(), "W": W.tolist(), "scores": scores.tolist(),
        "P": P.tolist(), "loss_1": loss,
    }  # fmt: skip
    rows, columns = ["class 1", "class 2", "class 3"], ["$x_1$", "$x_2$"]
    fields = [
        ask.vector("p", "probabilities, the same for both instances", 1, titles=rows),
        ask.number(
            "loss",
            "loss",
            1,
            slips=[
                ask.slip(
                    answer["loss"] / 2,
                    "That is the loss of one instance; here it is summed over both.",
                    card="softmax-regression-convention-mean",
                )
            ],
        ),
        ask.matrix(
            "G",
            "gradient",
            2,
            3,
            rows=rows,
            columns=columns,
            follows=[
                [" + ".join(f"(p[{k}] - {Y[n, k]})*{bracket(X[n, j])}" for n in range(2)) for j in range(2)]
                for k in range(3)
            ],
            slips=[
                ask.slip(
                    -G,
                    "The sign is turned round: the gradient of the loss has prediction minus label.",
                    card="softmax-regression-lost-marks-sign",
                ),
                ask.slip(
                    G / 2,
                    "That is the gradient of the mean loss; here it is summed over both.",
                    card="softmax-regression-convention-mean",
                ),
            ],
        ),
        ask.matrix(
            "W",
            "weights after the step",
            3,
            2,
            rows=rows,
            columns=columns,
            follows=[[f"-{eta}*G[{k},{j}]" for j in range(2)] for k in range(3)],
            slips=[
                ask.slip(-W, "That steps uphill; subtract the gradient.", card="softmax-regression-lost-marks-sign")
            ],
        ),
        ask.vector(
            "scores",
            "scores of $\\mathbf{x}_1$",
            4,
            titles=rows,
            follows=[" + ".join(f"W[{k},{j}]*{bracket(X[0, j])}" for j in range(2)) for k in range(3)],
        ),
        ask.vector(
            "P",
            "probabilities of $\\mathbf{x}_1$",
            4,
            3,
            titles=rows,
            carried=1.0,
            follows=[f"exp(scores[{k}]) / (exp(scores[0]) + exp(scores[1]) + exp(scores[2]))" for k in range(3)],
            slips=[
                ask.slip(
                    1 / (1 + np.exp(-scores)),
                    "That is the logistic function of each score; softmax divides by the sum of the exponentials.",
                    card="softmax-regression-do-not-confuse-four",
                )
            ],
        ),
        ask.number("loss_1", "loss of $\\mathbf{x}_1$", 5, carried=1.0, follows=f"-ln(P[{int(codes[0])}])"),
    ]
    given = {"X": X.astype(int).tolist(), "classes": classes.tolist(), "eta": eta}
    return Parts(statement, given, "\n\n".join(_solution(X, Y, W, eta, int(codes[0]))), answer, fields)


def _is_fair(X: np.ndarray, W: np.ndarray, scores: np.ndarray, own: int) -> bool:
    """Whether no row of numbers is trivial, the scores differ and are small, and the step helps the first instance."""
    return bool(
        (X != 0).any(axis=1).all()
        and abs(np.linalg.det(X)) > 0.5
        and (np.abs(W) > 1e-9).all()
        and np.abs(np.diff(np.sort(scores))).min() > 0.05
        and np.abs(scores).min() > 0.05
        and np.abs(scores).max() < 2.55
        and scores.argmax() == own
        and softmax(scores).max() < 0.9
    )


def _solution(X: np.ndarray, Y: np.ndarray, W: np.ndarray, eta: float, own: int) -> list[str]:
    scores = W @ X[0]
    powers = np.exp(scores)
    P, total = powers / powers.sum(), float(powers.sum())
    lines = [
        "**Start:** all scores are 0, so each class has the probability $\\tfrac{1}{3}$ (1 mark). Each instance has "
        f"the loss $-\\ln\\tfrac{{1}}{{3}}$, together $2\\ln 3={sig(2 * np.log(3))}$ (1 mark).",
        "**Gradient** (3 marks): row $k$ is $\\sum_n (p_{nk}-y_{nk})\\,\\mathbf{x}_n$.",
    ]
    for k in range(3):
        factors = [THIRD - int(y) for y in Y[:, k]]
        slope = [sum(f * int(x) for f, x in zip(factors, column, strict=True)) for column in X.T]
        terms = f"{fraction(factors[0])}\\,{row(X[0])}{_signed(factors[1])}\\,{row(X[1])}"
        lines += [f"- class {k + 1}: ${terms}={row(slope, fraction)}$"]
    lines += ["The rows have the sum zero.", f"**Step** (2 marks): subtract ${sig(eta)}$ times the gradient."]
    lines += [f"- $\\mathbf{{w}}_{k + 1}={row(W[k])}$" for k in range(3)]
    lines += ["**Scores** (1 mark) **and their exponentials** (1 mark):"]
    for k in range(3):
        lines += [f"- $a_{k + 1}={products(W[k], X[0])}={sig(scores[k])}$, $e^{{{sig(scores[k])}}}={sig(powers[k])}$"]
    parts = ", ".join(f"$p_{k + 1}=\\frac{{{sig(powers[k])}}}{{{sig(total)}}}={sig(P[k])}$" for k in range(3))
    lines += [
        f"The exponentials have the sum ${'+'.join(sig(v) for v in powers)}={sig(total)}$ (1 mark).",
        f"**Probabilities** (1 mark): {parts}.",
        f"**Loss** (1 mark): $-\\ln {sig(P[own])}={sig(-np.log(P[own]))}$; it was $\\ln 3={sig(np.log(3))}$.",
    ]
    return lines


def _signed(value: Fraction) -> str:
    return ("+" if value > 0 else "") + fraction(value)
