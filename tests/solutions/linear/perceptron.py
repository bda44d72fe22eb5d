"""Exercises on the perceptron: runs of the library and sums of rows with NumPy."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from notes_lib.linear.perceptron import learn, margin, normalised_samples, novikoff_bound
from tests.formulas.chapters import Chapter
from tests.solutions.ledger import Worked

W, STAR = r"\mathbf{w}", r"\mathbf{w}^\star"


def _mistakes(Z, start, rate=1.0):
    """The weights after each mistake until there is none, and the samples that were mistaken."""
    path, samples, before = [np.array(start, dtype=float)], [], -1
    while before != len(samples):
        before = len(samples)
        for z in Z:
            if path[-1] @ z <= 0:
                samples.append(z)
                path.append(path[-1] + rate * z)
    return np.array(path), np.array(samples)


def _separable():
    v = Chapter.of("perceptron").instances[0].values
    Z, star = v[r"\mathbf{Z}"], v[STAR] / np.linalg.norm(v[STAR])
    return Z, star, margin(Z, star), np.linalg.norm(Z, axis=1).max()


def ex_novikoff():
    Z, star, gamma, R = _separable()
    path, samples = _mistakes(Z, np.zeros(3))
    k = len(samples)
    numbered = dict(enumerate(path))
    lengths = np.sum(path**2, axis=1)
    bound = novikoff_bound(Z, star)
    return Worked(
        {"n": range(1, len(Z) + 1), r"\mathbf{z}_#": Z, r"\mathbf{w}_#": numbered, r"\mathbf{0}": np.zeros(3), "k": k,
         r"\mathbf{w}^{\star\top}": star[None], r"\gamma": gamma, "R": R, r"\mathbf{z}": samples[k - 1]},
        numbers=[
            np.linalg.norm(star), 0, bound, star @ path[k - 1] + gamma, lengths[k - 1] + R**2,
            path[k - 1] @ samples[k - 1],
            0, lengths[k], np.max(np.linalg.norm(Z, axis=1)) ** 2 * k, bound,
        ],
    )  # fmt: skip


def ex_counts():
    X, y, counts = np.array([[3, 3], [4, 3], [1, 1]]), np.array([1, 1, -1]), np.array([2, 0, 5])
    Z = normalised_samples(X, y)
    w = counts @ Z
    run = learn(Z)
    assert run.alpha.sum() == counts.sum()
    return Worked(
        {
            r"\mathbf{x}_#": X,
            r"\mathbf{v}": w[:2],
            "b": w[2],
            r"\gamma": margin(Z, w),
            "R": np.linalg.norm(Z, axis=1).max(),
        },
        numbers=[1, -1, counts, 2.2, counts.sum()],
        known=[margin(Z, w), novikoff_bound(Z, w)],
    )


def ex_xor():
    v, b = np.array([0.3, -1.2]), 0.4
    positive, negative = np.array([[0, 1], [1, 0]]), np.array([[0, 0], [1, 1]])
    score = lambda points: float(np.sum(points @ v + b))
    lifted = {"x_#": np.array([1, 1])}
    points = np.vstack([positive, negative])
    A = np.column_stack([points, points.prod(axis=1), np.ones(4)])
    solved = np.linalg.solve(A, [0.5, 0.5, -0.5, -0.5])  # the four scores
    generic = np.array([0.7, 1.3])
    value = solved @ [*generic, generic.prod(), 1]
    return Worked(
        {"v_#": v, "b": b, "x_#": generic},
        own={
            r"v_1+v_2+2b>0": {"b": b + 1}, r"b+(v_1+v_2+b)=v_1+v_2+2b<0": {"v_#": v, "b": b - 1},
            r"x_1^2=x_1": lifted,
        },
        numbers=[
            v, positive, negative, generic.prod(), generic[0] ** 2, 1 / 3, score(positive) + 2, 0, 0, generic.prod(),
            value,
            [-0.5, 0.5],
        ],
    )  # fmt: skip


def ex_units():
    """Weights of a unit by a linear system for its corners; and by least squares."""
    corners, ends = np.array(list(product((0, 1), repeat=2))), np.array(list(product((1, -1), repeat=2)))
    score = lambda points, values: np.linalg.lstsq(np.column_stack([points, np.ones(len(points))]), values)[0]
    either = score(corners[:3], [-0.5, 0.5, 0.5])
    both = score(corners[1:], [-0.5, -0.5, 0.5])
    opposite = score(corners[[0, 2]][:, :1], [0.5, -0.5])
    third = score([[0, 0], [1, 0], [1, 1]], [-0.5, 0.5, -1.5])
    x, h, v, b = np.array([0.7, 1.3]), np.array([0.4, 0.9]), np.array([0.2, 1.1]), 0.3
    Z = normalised_samples(ends, [1, -1, -1, -1])
    w = np.linalg.lstsq(Z, np.ones(4))[0]
    margins = sorted(Z @ w)
    assert min(margins) > 0
    assert margins[0] == pytest.approx(margins[2])
    return Worked(
        {"x_#": x, "v_#": v, "b": b, "h_#": h, r"\mathbf{Z}": Z, r"\mathbf{Z}^{+}": np.linalg.pinv(Z), W: w,
         r"\mathbf{1}": np.ones(4), r"\mathbf{I}": np.eye(3)},
        own={"h_1=1": {"h_#": [1, 0]}, "h_2=0": {"h_#": [1, 0]}},
        numbers=[1, v @ x + b, 0, 0, 0, 1, 1, 2, x[0], [-1, 1], either @ [*x, 1], both @ [*x, 1], x[0],
                 opposite @ [x[0], 1], h[0], h[1], third @ [*h, 1], margins[0], margins[3]],
    )  # fmt: skip


def ex_start():
    Z, star, gamma, R = _separable()
    start, rate = np.array([-2.0, 3.0, 0.5]), 0.7
    path, samples = _mistakes(Z, start, rate)
    k = len(samples)
    same, others = _mistakes(Z, start / rate)
    assert np.array_equal(samples, others)
    wrong = Z[Z @ start < 0][0]
    length, limit = np.linalg.norm(start), np.sqrt(start @ start + k * (rate * R) ** 2)
    return Worked(
        {r"\mathbf{w}_#": dict(enumerate(path)), r"\mathbf{0}": np.zeros(3), "k": k, r"\gamma": gamma, "R": R,
         r"\eta": rate,
         r"\mathbf{w}^{\star\top}": star[None], STAR: star, r"\mathbf{z}_#": [wrong], "n": range(1, 2),
         r"\mathbf{z}_n": wrong},
        own={r"\eta\to0": {r"\eta": 1e-9}},
        numbers=[
            start, np.zeros(3), 1, k * rate * gamma - length, limit, same[0], star @ start + k * rate * gamma,
            k * rate * gamma - length,
            path[k] @ path[k], limit**2, 1, same[0], start @ wrong, 0,
        ],
    )  # fmt: skip


def ex_compare():
    m, v = 0.4, np.array([0.6, -1.1])
    return Worked(
        {"m": -m, r"\lambda": 0.7, r"\mathbf{v}": v},
        own={text: {"m": m} for text in (r"(1-m)^2", r"\log(1+e^{-m})", r"\max(0,1-m)")}
        | {"m=1": {"m": 1}, "m>1": {"m": 2}},
        numbers=[m, (m - 1) ** 2, 1, np.logaddexp(0, -m), 1 - m, 0.35 * np.linalg.norm(v) ** 2],
    )


def ex_order():
    N = 5
    Z = np.eye(N)
    run = learn(Z)
    assert list(run.errors) == [N, 0]
    ones = np.ones(N)
    gamma = margin(Z, ones)
    w = np.array([1, 2, 3, 4, 5]) / np.sqrt(55)
    return Worked(
        {"n": range(1, N + 1), "N": N, STAR: ones, r"\mathbf{1}": ones, W: run.w, "R": np.linalg.norm(Z, axis=1).max(),
         r"\gamma": gamma, r"\mathbf{e}_#": Z, r"\mathbf{z}_#": Z},
        own={
            r"n=1": {"n": 1}, r"w_n\ge\gamma>0": {"w_#": w, r"\gamma": w.min()},
            r"1=\sum_nw_n^2\ge N\gamma^2": {"w_#": w, r"\gamma": w.min()},
        },
        numbers=[0, 1, 0, N * w.min() ** 2, 1 / np.linalg.norm(ones)],
    )  # fmt: skip


def ex_pseudo():
    x, y = np.array([-1, 0, 1, 6.0]), np.array([-1, -1, 1, 1])
    Z = normalised_samples(x[:, None], y)
    first = Z.sum(axis=0)
    second = first + Z[Z @ first <= 0].sum(axis=0)
    assert (Z @ second > 0).all()
    best = np.linalg.pinv(Z) @ np.ones(4)
    border = lambda w: -w[1] / w[0]
    scores = Z @ best
    wrong = int(np.flatnonzero(scores < 0)[0])
    return Worked(
        {W: np.zeros(2), r"\mathbf{0}": np.zeros(2), r"\eta": 1, r"\mathbf{Z}": Z, r"\mathbf{Z}^{+}": np.linalg.pinv(Z),
         r"\mathbf{1}": np.ones(4), "x": border(second), "y": 1},
        worlds=[{W: first}, {W: second}, {W: best, "x": border(best)}],
        own={r"y(x,1)": {"x": 6.0, "y": -1}},
        numbers=[
            x[:2], y[0], x[2:], y[3], [-6, -1], Z, np.zeros(2), 0, Z @ first, Z @ second, x[wrong], scores[wrong], x[3],
        ],
        known=[round(np.linalg.det(Z.T @ Z))],
    )  # fmt: skip


def cards():
    Z, star, gamma, R = _separable()
    step, wrong = Z[:3].sum(axis=0), Z[:3]
    before = np.array([0.3, -0.2, 0.5])
    batch = {r"\mathbf{z}_#": wrong, r"\rho": 0.7, r"\mathcal{M}": frozenset([1, 2, 3]), "j": range(1, 4),
             r"\mathbf{w}_k": before}  # fmt: skip
    x, w, z = np.array([[1, 2.0]]), np.array([1, -1, 0.0]), np.array([1, 2, 1.0])
    right, other = w + z, w - z
    order = normalised_samples([[1, 2], [3, 1]], [-1, 1])
    path, updates = _mistakes(order, np.zeros(3))
    ours, third = path[-1], _predicting(order)
    points = np.random.default_rng(0).normal(size=(6, 2))
    return {
        "lost-marks-sign": Worked(
            batch,
            own={
                r"\mathbf{w}_{k+1}=\mathbf{w}_k+\rho\sum_{\mathcal{M}}(-\mathbf{z}_j)": {
                    r"\mathbf{w}_{k+1}": before - 0.7 * step, r"\sum_{\mathcal{M}}(-\mathbf{z}_j)": -step},
                r"\mathbf{w}_{k+1}=\mathbf{w}_k+\rho\sum_{\mathcal{M}}\mathbf{z}_j": {
                    r"\mathbf{w}_{k+1}": before + 0.7 * step, r"\sum_{\mathcal{M}}\mathbf{z}_j": step},
            },
        ),
        "lost-marks-raw": Worked(
            {r"\mathbf{x}": x[0], r"\hat{\mathbf{x}}": [1, 2, 1], r"\hat{\mathbf{x}}_j": -z, r"\mathbf{z}_j": -z,
             "y_j": -1,
             r"\mathbf{x}_j": x[0]},
        ),
        "lost-marks-error": Worked(
            {r"\mathbf{w}": w, r"\mathbf{z}": z}, numbers=[0, 1, max(0, -float(w @ z))]
        ),
        "lost-marks-step": Worked({W: np.zeros(3), r"\mathbf{0}": np.zeros(3), r"\eta": 1}),
        "lost-marks-span": Worked(
            {W: right, r"\mathbf{w}_0": w, r"\mathbf{0}": np.zeros(3)},
            own={r"\mathbf{w}_0=\mathbf{0}": {r"\mathbf{w}_0": np.zeros(3)}},
            numbers=[z],
        ),
        "counting": Worked(
            {"D": 2, "K": 3, "R": R, r"\gamma": gamma, "N": 6},
            numbers=[len(right), 3 * len(right), novikoff_bound(Z, star), _labellings(points)],
        ),
        "quiz-update": Worked(
            {W: w[:2], "b": w[2], r"\eta": 1},
            numbers=[x, 1, right, w @ z, x, 1, other[:2], other[2], -1, w, right[:2], w[2]],
        ),
        "quiz-scale": Worked(
            {"R": R, r"\gamma": gamma}, numbers=[10, novikoff_bound(Z, star), 10**2, R**2, gamma**2, 10**2], known=[100]
        ),
        "quiz-true": Worked({r"\eta": 1}),
        "quiz-lms": Worked(
            {r"\mathbf{w}": [3.0], r"\mathbf{z}": [1.0], r"\beta": 1}, numbers=[1, 1, 1 - 3]
        ),
        "tf-zero": Worked({W: np.zeros(3), r"\mathbf{0}": np.zeros(3)}, numbers=[0, 0]),
        "tf-stopped": Worked(
            {"R": 5, r"\gamma": 0.05},
            numbers=[1000, novikoff_bound([[(5**2 - 0.05**2) ** 0.5, 0.05]], [0, 1])],
            known=[5 / 0.05],
        ),
        "do-not-confuse-four": Worked(
            {"m": 0.4},
            own={r"\max(0,-m)": {"m": -0.4}},
            numbers=[0.4, (0.4 - 1) ** 2, np.logaddexp(0, -0.4), 0.6, 1],
        ),
        "what-if-twice": Worked(numbers=[2]),
        "what-if-bias": Worked(numbers=[1, 3]),
        "convention-zero": Worked(
            {W: ours[:2], "b": ours[2], r"\mathbf{0}": np.zeros(2), r"\operatorname{sign}(0)": -1},
            own={r"\mathbf{w}=\mathbf{0}": {W: np.zeros(2)}},
            numbers=[0, 0, 0, 1 / 3, [1, 2], -1, [3, 1], 1, len(updates), third[1], third[0][:2],
                     third[0][2]],
        ),
        "convention-bias": Worked(
            {r"\mathbf{x}": [0.3, 0.7], "y": 1}, numbers=[1, 0.3, 0.7, 0, 1],
        ),
        "convention-names": Worked({r"\mathbf{x}": [0.3, 0.7], "R": np.linalg.norm(z / np.linalg.norm(z))},
                                   numbers=[0.3, 0.7, 1]),
    }  # fmt: skip


def _predicting(Z):
    """The weights and the number of updates of the rule that predicts first, with the negative class at score 0."""
    w, updates, before = np.zeros(3), 0, -1
    while before != updates:
        before = updates
        for z in Z:
            wrong = w @ z < 0 or (w @ z == 0 and z[2] > 0)
            w, updates = (w + z, updates + 1) if wrong else (w, updates)
    return w, updates


def _labellings(points):
    """How many labellings of points a plane separates, each tried by a linear program."""
    count, size = 0, len(points)
    for labels in product((-1, 1), repeat=size):
        Z = normalised_samples(points, np.array(labels))
        count += linprog(np.zeros(3), A_ub=-Z, b_ub=-np.ones(size), bounds=(None, None)).success
    return count
