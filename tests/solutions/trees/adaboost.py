"""Exercises on AdaBoost: losses and weights summed one by one, optima by search."""

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from notes_lib.trees.adaboost import exponential_update, mistake_update, vote_margins
from tests.formulas.chapters import values_of
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def ex_alpha():
    labels, score, answers = (
        np.array([1, 1, -1, 1, -1]),
        np.array([0.4, -0.3, 0.2, 1.1, -0.7]),
        np.array([1, -1, -1, 1, 1]),
    )
    losses = np.exp(-labels * score)
    w = losses / losses.sum()
    error = w[answers != labels].sum()
    factor = lambda a: np.exp(-labels * (score + a * answers)).sum() / losses.sum()
    best = minimize_scalar(factor, (0, 1), tol=1e-14).x
    best = brentq(lambda a: factor(a + 1e-5) - factor(a - 1e-5), best - 0.1, best + 0.1, xtol=1e-14)
    row = lambda values: At(lambda at: values[round(float(at)) - 1], "n")  # a sample is its number
    names = {"n": range(1, 6), "N": 5, "t": 3, "y_#": labels, "w_#": w, r"\mathbf{x}_#": np.arange(1, 6),
             "F_#": {2: row(score)}, "h": row(answers), r"\varepsilon": error, r"\alpha": 0.4,
             "L": At(lambda f: losses.mean()), "F_{t-1}": row(score)}  # fmt: skip
    mistake = int(np.flatnonzero(answers != labels)[0])
    return Worked(
        names,
        own={
            r"\alpha>0": {r"\alpha": best},
            r"\varepsilon=\tfrac12": {r"\varepsilon": np.mean([0, 1])}, r"\varepsilon>\tfrac12": {r"\varepsilon": 0.6},
            r"y_nh=1": {"n": range(1, 2), "y_#": labels[:1], "h": answers[0]},
            r"\frac1N\sum_ne^{-y_nF_{t-1}}e^{-\alpha y_nh}=L(F_{t-1})\sum_nw_ne^{-\alpha y_nh(\mathbf{x}_n)}": {
                **names, "L(F_{t-1})": losses.mean()},
            r"-(1-\varepsilon)e^{-\alpha}+\varepsilon e^{\alpha}=0": {r"\alpha": best},
            r"\alpha=\frac12\ln\frac{1-\varepsilon}{\varepsilon}": {r"\alpha": best},
        },
        numbers=[score, w.sum(), factor(0.4), 1 / 2, w[answers == labels].sum(), (labels * answers)[mistake], 0, 0],
    )  # fmt: skip


def ex_forms():
    v, t = values_of("adaboost"), 2
    y, h, w = v["y_#"], np.array([v["h_#"][t - 1](x) for x in v[r"\mathbf{x}_#"]]), v["w_#^{(#)}"][:, t - 1]
    after = exponential_update(w, y, h, v[r"\alpha_#"][t - 1])
    wrong = y != h
    odds = (after[wrong][0] / w[wrong][0]) / (after[~wrong][0] / w[~wrong][0])
    equal = mistake_update(np.full(10, 0.1), np.arange(10) < 3, 0.3)
    this = {**v, "t": t, "h_#": {t: At(lambda n: h[n - 1], "n")}, r"\text{mistake}": At(lambda n: wrong[n - 1], "n")}
    rows = {
        "y_#": y,
        "n": v["n"],
        r"\text{mistake}": At(lambda n: wrong[n - 1], "n"),
        "h_t": At(lambda n: h[n - 1], "n"),
    }
    error = w[wrong].sum()
    return Worked(
        {**this, r"\varepsilon_#": {t: error}, r"\alpha_#": {t: v[r"\alpha_#"][t - 1]}},
        own={
            r"y_nh_t=1-2[\text{mistake}]": rows,
            r"\frac1{10}/(2\cdot0.3)=\frac16": {r"\frac1{10}": 0.1, r"\frac16": equal[0]},
            r"\frac1{10}/(2\cdot0.7)=\frac1{14}": {r"\frac1{10}": 0.1, r"\frac1{14}": equal[-1]},
        },
        numbers=[odds, after[wrong].sum(), np.exp(-v[r"\alpha_#"][t - 1] * y * h), w[~wrong].sum()],
    )  # fmt: skip


def ex_bound():
    v, t = values_of("adaboost"), 2
    Z, gamma = v["Z_#"][t - 1], v[r"\gamma_#"][t - 1]
    rounds = brentq(lambda T: np.exp(-2 * 0.1**2 * T) - 1 / 1000, 1, 1000, xtol=1e-9)
    return Worked(
        {"N": 1000, "t": t, "T": 346, r"\varepsilon_#": v[r"\varepsilon_#"], "Z_#": v["Z_#"],
         r"\gamma_#": v[r"\gamma_#"],
         "y": -1, "F": 0.3, "u": 0.4},
        numbers=[0.1, 0, 0, 1, Z, np.exp(-2 * gamma**2), 1 - 0.4, np.exp(-2 * 0.1**2 * 346), 1 / 1000, rounds,
                 np.ceil(rounds)],
    )  # fmt: skip


def ex_margin():
    alpha, labels = np.array([1, 0.6, 0.5]), np.array([1, 1, -1, -1])
    answers = np.array([[1, 1, -1], [-1, 1, 1], [-1, -1, -1], [1, 1, -1]])
    margins = vote_margins(labels, answers.T, alpha)
    assert (margins > 0).tolist() == [True, True, True, False]
    return Worked(
        {r"\alpha": alpha[0], "y": -1, "F": 0.3},
        numbers=[alpha[1:], labels, answers, 2, alpha.sum()],
        known=[margins],
    )


def ex_compare():
    return Worked({"t": 3}, numbers=[2])


def cards():
    equal, wrong = np.full(8, 1 / 8), np.arange(8) < 2
    after = mistake_update(equal, wrong, 0.25)
    factor = lambda a, error: (1 - error) * np.exp(-a) + error * np.exp(a)
    vote = lambda error: minimize_scalar(lambda a: factor(a, error), (-1, 1), tol=1e-13).x
    votes = {error: round(vote(error), 6) for error in (0.2, 0.3, 0.6, 0.7)}
    least, best = factor(votes[0.2], 0.2), np.log(2)
    assert np.isclose(best, votes[0.2], atol=1e-6)
    raised = np.where(wrong, np.sqrt(3), 1) * equal
    error = 0.2
    half = after[wrong].sum()
    guessed = 1 / 10
    accepted = np.round(1 - guessed, 12)
    share = lambda a: 0.6 * np.exp(a) / (0.6 * np.exp(a) + 0.4)  # of the mistakes, after a vote with three classes
    samme = brentq(lambda a: share(a) - 2 / 3, -9, 9, xtol=1e-14)
    named = {r"\alpha_t": best, r"\varepsilon_t": error}
    return {
        "lost-marks-mixed": Worked(named, numbers=[half, 2 * best]),
        "lost-marks-normalise": Worked(numbers=[equal.sum()]),
        "lost-marks-half": Worked({r"\sum_{h_t\ne y_n}w_n^{(t+1)}": half}, numbers=[half] * 3),
        "lost-marks-convergence": Worked(
            {r"\varepsilon_t": 0}, own={r"\varepsilon_t\ge\frac12": {r"\varepsilon_t": 0.6}}, numbers=[0, half]
        ),
        "counterexample-monotone": Worked(named, numbers=[half]),
        "quiz-vote": Worked(
            numbers=[error, 2 * best, least, 2 * best, half, best, least, best, np.sqrt(error * 0.8), 2, -best, least,
                     0.8]
        ),
        "quiz-weight": Worked(
            numbers=[raised[0], half, after[0], after[0], half, after[-1], after[-1]],
        ),
        "quiz-samme": Worked({"K": 10}, numbers=[0.5, guessed, accepted, accepted, accepted]),
        "quiz-after": Worked(numbers=[half, half, equal.sum()]),
        "tf-same": Worked(numbers=[half]),
        "tf-zero": Worked(numbers=[0]),
        "what-if-twice": Worked(numbers=[2, 2, 2]),
        "what-if-rate": Worked(numbers=[1 / 2, half, half]),
        "convention-half": Worked(
            {r"\alpha_t": best, r"\varepsilon_t": error}, numbers=[half, [-1, 1], half, votes[0.2], 2 * votes[0.2]]
        ),
        "convention-stop": Worked(numbers=[half, 0.7, votes[0.7], 0.3, half, 0.6, samme], known=[votes[0.7]]),
    }  # fmt: skip
