"""Exercises on density clustering: cuts and spectra of graphs by linear algebra, groups by scikit-learn."""

from itertools import combinations, product

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import DBSCAN

from tests.solutions.ledger import Worked


def _laplacian(weights):
    """Degrees minus weights."""
    return np.diag(weights.sum(axis=1)) - weights


def ex_rectangle():
    heavy, light = 3, 1
    W = np.array([[0, heavy, light, 0], [heavy, 0, 0, light], [light, 0, 0, heavy], [0, light, heavy, 0]])
    L, degrees = _laplacian(W), W.sum(axis=1)
    vectors = np.array([[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])
    of_a = vectors @ L[0]
    spectrum = np.linalg.eigvalsh(L).round(9)
    assert np.allclose(L @ vectors.T, vectors.T * of_a)
    fiedler = np.linalg.eigh(L)[1][:, 1]
    assert np.array_equal(fiedler > 0, [fiedler[0] > 0] * 2 + [fiedler[0] <= 0] * 2)
    normalised = eigh(L, np.diag(degrees), eigvals_only=True).round(9)
    a = vectors[1] > 0
    cut, volume = W[a][:, ~a].sum(), degrees[a].sum()
    assert np.isclose(cut / a.sum() * 2, spectrum[1])
    assert np.isclose(cut / volume * 2, normalised[:2].sum())
    f = np.array([0.3, 1.1, -0.4, 2.0])
    return Worked(
        dict(zip(("f_A", "f_B", "f_C", "f_D"), f, strict=True)),
        numbers=[
            heavy, light, vectors, degrees[0], L[0, 0], L[0, 1], L[0, 2], L[0] @ f, of_a, spectrum, spectrum[1],
            volume, degrees[0], (normalised / np.maximum(spectrum, 1e-9))[1],
        ],
    )  # fmt: skip


def ex_laplacian():
    upper = np.triu(np.array([[0, 2, 5, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 3], [0] * 5]), 1)
    W = upper + upper.T  # two components
    L = _laplacian(W)
    assert np.sum(np.linalg.eigvalsh(L) < 1e-9) == 2
    f = np.array([1.5, 1.5, 1.5, -2, -2])
    assert np.allclose(np.linalg.matrix_power(L, 2) @ f, 0)
    pure = sum(W[n, m] * f[n] ** 2 for n in range(5) for m in range(5)) / 2
    return Worked(
        {"n": range(1, 6), "d_#": W.sum(axis=1), "f_#": f, r"\mathbf{L}": L, r"\mathbf{f}": f[:, None],
         r"\mathbf{W}": W, r"\mathbf{0}": np.zeros((5, 1))},
        numbers=[np.linalg.eigvalsh(L).min().round(9), pure, 0, 0],
    )  # fmt: skip


def ex_ncut():
    W = np.array([[0, 3, 1, 0], [3, 0, 0, 2], [1, 0, 0, 5], [0, 2, 5, 0]])
    D, first = np.diag(W.sum(axis=1)), np.array([True, True, False, False])
    volumes = D[first].sum(), D[~first].sum()
    heights = np.where(first, np.sqrt(volumes[1] / volumes[0]), -np.sqrt(volumes[0] / volumes[1]))
    assert np.isclose((heights[0] - heights[2]) ** 2, D.sum() * sum(1 / np.array(volumes)))
    assert np.allclose([heights @ D.sum(axis=1), heights @ D @ heights], [0, D.sum()])
    ncut = W[first][:, ~first].sum() * sum(1 / np.array(volumes))
    assert np.isclose(heights @ (D - W) @ heights, D.sum() * ncut)
    return Worked({"v_1": volumes[0], "v_2": volumes[1], "V": D.sum(), r"\operatorname{Ncut}": ncut})


def ex_border():
    radius, least = 1, 4
    points = np.array([-0.4, -0.2, 0, 1, 2, 2.2, 2.4])
    near = np.abs(points[:, None] - points) <= radius + 1e-9
    core = near.sum(axis=1) >= least
    middle = 3
    reached = [int(points[n]) for n in np.flatnonzero(core & near[middle])]
    assert (core[middle], near[middle].sum()) == (False, 3)
    labels = [DBSCAN(eps=radius + 1e-9, min_samples=least).fit(line[:, None]) for line in (points, points[::-1])]
    assert all(fit.labels_.max() == 1 and fit.labels_.min() == 0 for fit in labels)
    assert labels[0].labels_[middle] == labels[0].labels_[0]
    assert labels[1].labels_[::-1][middle] == labels[1].labels_[::-1][-1]
    return Worked({r"\varepsilon": radius, "M": least}, numbers=[points, reached, points[middle]])


def ex_compare():
    return Worked({"K": len(("first river", "second river"))})


def ex_code():
    W = np.array([[0, 2, 1], [2, 0, 1], [1, 1, 0]])
    root = np.sqrt(W.sum(axis=1))
    rows = np.linalg.eigh(_laplacian(W) / np.outer(root, root))[1][:, :2]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    without_edge = np.zeros((1, 1))
    return Worked(
        {"n": range(1, 4), "d_#": W.sum(axis=1)},
        own={r"1 / \sqrt{d_n}": {"d_n": W[0].sum()}},
        numbers=[without_edge.sum(), np.linalg.norm(rows[0]), without_edge.sum(), 1 / root[0]],
    )


def _splits(N):
    """The ways to make two groups, none empty: the first node is in the first group."""
    return [rest for rest in product((0, 1), repeat=N - 1) if any(rest)]


def cards():
    W = np.array([[0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 0, 3], [0, 1, 3, 0]])
    D, L = np.diag(W.sum(axis=1)), _laplacian(W)
    inner, cut, volume = W[0, 1], W[:2, 2:].sum(), D[:2].sum()
    groups_ncut = [cut / volume, cut / volume]
    line = np.array([[0.0], [1.0], [2.5], [7.0]])
    noisy = lambda radius, least: DBSCAN(eps=radius, min_samples=least).fit(line).labels_ == -1
    all_noise = next(least for least in (1, 2, 3) if noisy(0.01, least).all())
    no_noise = next(least for least in (3, 2, 1) if not noisy(0.01, least).any())
    assert not noisy(99, len(line)).any()
    assert noisy(99, len(line) + 1).all()
    twice = np.abs(np.repeat(line, 2, axis=0) - line[0]).ravel()
    growth = np.sum(twice < 1.2) / np.sum(np.abs(line - line[0]) < 1.2)
    wide = np.exp(-0.0 * (line - line.T) ** 2)
    N = 6
    parts = np.kron(np.eye(3), np.ones((4, 4)) - np.eye(4))  # 3 components
    spectrum = np.linalg.eigvalsh(_laplacian(parts)).round(9)
    connected = int(np.sum(np.linalg.eigvalsh(L) < 1e-9))
    constant = (L @ np.ones(4)).max()
    root = np.array([[1, 0], [0, 1 / np.sqrt(3)]])  # of two nodes with the degrees 1 and 3
    two = np.array([[0, 1], [1, 2]])
    return {
        "lost-marks-itself": Worked({"M": np.sum(np.abs(np.array([0, 0.1, 0.2, -0.3])) <= 1)}),
        "lost-marks-volume": Worked(numbers=[(volume - cut) / inner, 2]),
        "lost-marks-end": Worked(
            {r"\mathbf{D}^{-1/2}": root, r"\mathbf{W}": two}, numbers=[np.array([[0, 3**-0.5], [3**-0.5, 2 / 3]])]
        ),
        "do-not-confuse-laplacians": Worked(
            {r"\mathbf{D}": D, r"\mathbf{L}": L, r"\mathbf{W}": W},
            numbers=[constant, L / D[0, 0], (np.linalg.inv(D) @ L @ np.ones(4)).max()],
        ),
        "what-if-radius": Worked({"M": all_noise}, numbers=[0, 0, 2]),
        "what-if-one": Worked({"M": no_noise}),
        "what-if-twice": Worked(numbers=[2, growth]),
        "what-if-gamma": Worked({r"\gamma": 0}, numbers=[wide.min()]),
        "counting-cuts": Worked({"N": N}, numbers=[len(_splits(N)), len([*combinations(range(N), 2)])]),
        "convention-half": Worked(numbers=[0.5, 0.5, sum(groups_ncut) / 2 / sum(groups_ncut)]),
        "quiz-zeros": Worked(
            numbers=[len(parts), 3, 0, connected, np.sum(spectrum == 0), np.sum(spectrum > 0), len(parts)]
        ),
        "quiz-radius": Worked(numbers=[2]),
        "tf-one": Worked({"M": no_noise}),
    }  # fmt: skip
