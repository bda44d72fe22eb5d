"""Exercises on nearest neighbours: distances of SciPy, votes of the library, risks by quadrature and enumeration."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.spatial.distance import cdist, mahalanobis
from scipy.stats import binom
from sklearn.preprocessing import MinMaxScaler

from notes_lib.neighbors.nearest_neighbors import (
    KNeighborsClassifier,
    asymptotic_risk,
    cover_hart_bound,
    neighbor_weights,
    vote_shares,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

STAR, RISK = r"r^\star", r"R^\star"
HERE, NEAR = [0.7, 0.3], [0.6, 0.4]  # posteriors at a query and at its neighbour
PLACES = {r"\mathbf{x}": 0.0, r"\mathbf{x}_\nu": 1.0, r"\eta": At(lambda place: (HERE, NEAR)[round(place)][1])}


def _population():
    """Risks over places that are equally probable, with two classes."""
    two = np.array([HERE, NEAR, [0.1, 0.9], [0.95, 0.05]])
    few = two.min(axis=1)
    return {
        "R": asymptotic_risk(two).mean(), RISK: few.mean(), r"R^{\star2}": few.mean() ** 2, STAR: few[0],
        r"\mathbb{E}[r^{\star2}]": np.mean(few**2), r"\operatorname{Var}r^\star": few.var(),
        r"\mathbb{E}[2r^\star(1-r^\star)]": 2 * np.mean(two.prod(axis=1)),
    }  # fmt: skip


def ex_cover_hart():
    N, inside = 300, 0.2
    of_all = _population()
    return Worked(
        {**PLACES, **of_all, "N": N, r"P(B_\varepsilon)": inside,
         r"P(\lVert\mathbf{x}_\nu-\mathbf{x}\rVert>\varepsilon)": binom(N, inside).pmf(0)},
        own={r"2\eta(1-\eta)=2r^\star(1-r^\star)": {r"\eta": HERE[0], STAR: min(HERE)}},
        numbers=[1, 1 - np.dot(HERE, NEAR), cover_hart_bound(of_all[RISK]), max(HERE), 1 / 2, 0, 1 / 2],
    )  # fmt: skip


def ex_scales():
    X, x, S = np.array([[1, 50], [3, 10], [5, 22]]), np.array([2, 20]), np.array([[2, 1], [1, 2]])
    scale = MinMaxScaler().fit(X)
    Z, z = scale.transform(X), scale.transform([x])
    plain, scaled = cdist([x], X, "sqeuclidean")[0], cdist(z, Z, "sqeuclidean")[0]
    assert (plain.argmin() + 1, scaled.argmin() + 1) == (3, 2)
    ways = [[1, 1], [1, -1]]
    return Worked(
        {r"\mathbf{x}_#": X, r"\mathbf{x}": x, r"\mathbf{S}": S},
        numbers=[ways, X[2], [mahalanobis(way, [0, 0], np.linalg.inv(S)) for way in ways], ways[0]],
        known=[plain, scaled, (np.ptp(X[:, 1]) / (X[2, 1] - x[1])) ** 2],
    )


def ex_triangles():
    x = 0.3
    few = lambda x: min(x, 1 - x)
    mean = lambda f: quad(f, 0, 1, points=[0.5])[0]
    best, limit = mean(few), mean(lambda x: float(asymptotic_risk([x, 1 - x])))
    density = [2 * x, np.diff([2 * x, 2])[0]]
    return Worked(
        {"x": x, RISK: best, "R": limit, r"\operatorname{Var}r^\star": mean(lambda x: (few(x) - best) ** 2),
         r"\int_0^{1/2}xdx": best / 2, r"\int_0^12x(1-x)dx": limit,
         r"\int_0^{1/2}x^2dx": mean(lambda x: few(x) ** 2) / 2},
        numbers=[1 / 2, density, [0, 1], 1],
        known=[cover_hart_bound(best)],
    )  # fmt: skip


def ex_majority():
    N = 10
    labels = np.repeat([0, 1], N // 2)
    X = np.random.default_rng(0).normal(size=(N, 2))
    left_out = KNeighborsClassifier(N - 1).fit(X, labels).score(None, labels)
    new = KNeighborsClassifier(N).fit(X, labels).score(X + 1, labels)
    votes = np.bincount(labels[1:])
    return Worked({"N": N, "k": votes.sum()}, numbers=[1 / 2, votes, left_out, new, abs(new - left_out)])


def ex_border():
    red, blue, third = np.array([0, 0]), np.array([[4, 2], [0, 6]]), np.array([6, 6])
    corner = np.linalg.solve(blue, (blue**2).sum(axis=1) / 2)  # equally far from all three
    offset = (blue[0] ** 2).sum() / 2 / 2  # of the first bisector, after division by 2
    most = -linprog([-1, -1], A_ub=[[2, 1], [0, 1]], b_ub=[offset, corner[1]], bounds=(None, None)).fun
    inside = np.array([0.5, 1.0])
    assert most < third @ third / 12  # the corner of the red cell is on this side of the new bisector
    votes = vote_shares(np.array([[0, 1, 1]]), np.ones((1, 3)), 2)[0]
    assert votes.argmax() == 1
    first, second, new = ({"x_#": place} for place in ([1.5, 2.0], [0.5, 3.0], [2.5, 3.5]))
    return Worked(
        {"x_#": inside}, worlds=[first, second, new],
        numbers=[red, blue, 1, 1 / 3, third, 3, red, blue[0], red, blue[1], inside @ [2, 1], offset, inside[1],
                 corner[1], inside[1], corner[1], inside[0], corner[0], corner, red, inside.sum(), most, third],
    )  # fmt: skip


def ex_classes():
    M, eta = 4, np.array([0.1, 0.5, 0.15, 0.25])
    rest = np.sort(eta)[:-1]
    missed = rest.sum()
    even = np.full(M - 1, missed / (M - 1))
    bound = float(cover_hart_bound(missed, M))
    assert np.isclose(asymptotic_risk([1 - missed, *even]), bound)
    return Worked(
        {"m": range(1, M + 1), "M": M, r"\eta_#": eta, "r": float(asymptotic_risk(eta)), STAR: missed,
         r"r^{\star2}": missed**2, r"\sum\eta_m^2": rest @ rest},
        own={r"\eta_m=1-r^\star": {r"\eta_m": eta.max(), STAR: missed}},
        numbers=[bound, missed**2, len(rest) * (rest @ rest), even[0]],
    )  # fmt: skip


def ex_three():
    eta = 0.3
    wrong = [eta * binom.cdf(1, 3, eta), (1 - eta) * binom.sf(1, 3, eta)]
    s = lambda x: x * (1 - x)
    return Worked(
        {
            r"\eta": eta,
            "s": s(eta),
            "k": 3,
            r"\int s": quad(s, 0, 1)[0],
            r"\int s^2": quad(lambda x: s(x) ** 2, 0, 1)[0],
        },
        numbers=[sum(wrong), 1, 1, 1, wrong, sum(wrong), quad(lambda x: 2 * s(x), 0, 1)[0]],
    )


def _more_data(N):
    """The risk of 1-NN with N instances at two places, over how many of them lie at the second one."""
    small, noise = 0.1, 0.4
    second = noise * (1 - noise) * 2 * binom.sf(0, N, small) + noise * binom.pmf(0, N, small)
    return small * second + (1 - small) * noise * binom.pmf(N, N, small)


def cards():
    N, D, k, h = 12, 3, 5, 2
    both = NEAR[1] * HERE[0]
    of_all = _population()
    said = {r"P(\hat y=1\mid y=0)": both, **PLACES}
    bound = float(cover_hart_bound(of_all[RISK]))
    best = int(np.argmin([_more_data(n) for n in range(1, 60)])) + 1
    copy = np.linalg.norm([1, 1])  # a difference of 1, in a feature and its copy
    X = np.random.default_rng(1).normal(size=(N, D))
    on_data = KNeighborsClassifier(1).fit(X, np.arange(N) % 2).score(X, np.arange(N) % 2)
    weights = neighbor_weights([[0.0, 1, 2]], "distance")[0]
    tiny = float(cover_hart_bound(0.1))
    return {
        "lost-marks-duplicates": Worked(numbers=[on_data, 1, on_data, 2]),
        "lost-marks-rules": Worked({"N": 64, "k": 4}, numbers=[1 / 2, 1 / 2]),
        "lost-marks-bound": Worked(
            {RISK: 0.3, r"R(\text{NNC})": 0.36, r"\lim_{N\to\infty}R_N": 0.36, "M": 3},
            numbers=[1, 2, cover_hart_bound(0.3), 1 - 0.3, cover_hart_bound(0.3, 3)],
        ),
        "lost-marks-proof": Worked(
            {**PLACES, **of_all, r"P(\hat y=1\mid y=0)": NEAR[1], r"P(\hat y=1,y=0)": both},
            own={
                r"P(\hat y=1\mid y=0)=\eta(\mathbf{x}_\nu)(1-\eta(\mathbf{x}))": said,
                r"R=2R^\star-[2R^{\star2}+\operatorname{Var}r^\star]": {
                    **of_all, "R": bound - of_all[r"\operatorname{Var}r^\star"]},
            },
            numbers=[both, 0, 0],
        ),
        "what-if-rows": Worked({"k": k}, numbers=[1, len(np.repeat(range(k), 2))]),
        "what-if-feature": Worked(numbers=[8, copy]),
        "counterexample-more": Worked(
            {r"\eta": 0, "R_N": _more_data(best), "N": best}, worlds=[{r"\eta": 0.4}],
            numbers=[1, 0, 0.4, 1, _more_data(10**4)],
            known=[asymptotic_risk([0.4, 0.6])],
        ),
        "counting": Worked(
            {"N": N, "D": D, "h": h, "k": k},
            numbers=[np.column_stack([X, np.ones(N)]).size, D + 1, np.triu_indices(N, 1)[0].size, 2**h,
                     sum(2**level for level in range(h + 1)), len({sum(v) for v in np.tri(k + 1, k, -1)})],
        ),
        "convention-deviation": Worked({"N": N}, numbers=[N - 1, [-1, 1], [0, 1]]),
        "quiz-bound": Worked({RISK: 0.1}, numbers=[1, 0.1, tiny, tiny, 2 * 0.1, 1 - 0.1, 1 / 2]),
        "quiz-unit": Worked(numbers=[1000]),
        "quiz-zero": Worked(numbers=[[0, 1, 2], 0, 1, 0, int(np.flatnonzero(weights)[0])]),
        "tf-training": Worked(numbers=[1, 1 - on_data]),
        "tf-limit": Worked({"N": 2}),
        "tf-zero": Worked({STAR: 0}, numbers=[1, asymptotic_risk([0, 1])]),
    }  # fmt: skip
