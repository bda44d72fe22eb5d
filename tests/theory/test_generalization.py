"""Tests of notes_lib.theory.generalization: bounds against exact probabilities, labelings against other routes."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, e, log

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from scipy.stats import binom

from notes_lib.theory.generalization import (
    empirical_rademacher,
    growth_function,
    halving,
    hoeffding_bound,
    is_shattered,
    labelings,
    pac_sample_size,
    rademacher_bound,
    radon_partition,
    sauer_bound,
    uniform_deviation,
    vc_bound,
    vc_sample_size,
    winnow,
)

# ---------------------------------------------------------------- published numbers (Learning From Data, Cover 1965)


@pytest.mark.equation("generalization-vc")
def test_learning_from_data():
    assert vc_sample_size(3, 0.1, 0.1, "power") == pytest.approx(29_300, abs=60)
    assert vc_sample_size(10, 0.05, 0.05, "power") == 452_957
    assert vc_bound(100, 1, 0.1) == pytest.approx(0.848, abs=6e-4)
    assert vc_bound(100, 1, 0.1, "power") == pytest.approx(vc_bound(100, 1, 0.1))  # 2 n + 1 both


@pytest.mark.equation("generalization-sauer")
def test_table_of_sauer():
    """B(N, k) of the book is the bound for the VC dimension k - 1."""
    assert [sauer_bound(3, 1), sauer_bound(4, 1), sauer_bound(4, 2), sauer_bound(5, 2)] == [4, 5, 11, 16]


@pytest.mark.equation("generalization-cover")
def test_labelings_of_points_in_the_plane():
    assert [growth_function("half-spaces", n, 2) for n in range(7)] == [1, 2, 4, 8, 14, 22, 32]
    assert growth_function("half-spaces", 4, 3) == 16
    assert growth_function("rays", 5) == 6
    assert growth_function("intervals", 5) == 16


# ---------------------------------------------------------------- one hypothesis, finitely many


@pytest.mark.equation("generalization-hoeffding")
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_hoeffding_bounds_the_exact_binomial_tail(p):
    for n, epsilon in product([5, 20, 100], [0.1, 0.25, 0.4]):
        k = np.arange(n + 1)
        tail = binom.pmf(k, n, p)[np.abs(k / n - p) >= epsilon - 1e-12].sum()
        assert tail <= hoeffding_bound(epsilon, n)
    assert hoeffding_bound(0.6, 10) == pytest.approx(0.00149317161675)


def test_hoeffding_is_sharp_in_its_exponent():
    """For fair coins the tail itself falls at nearly the rate 2 epsilon^2; a larger rate would be violated."""
    epsilon, sizes = 0.05, np.array([4000, 8000])
    tail = 2 * binom.sf(np.ceil((0.5 + epsilon) * sizes) - 1, sizes, 0.5)
    rate = -np.diff(np.log(tail))[0] / np.diff(sizes)[0]
    assert 2 * epsilon**2 < rate < 2.1 * epsilon**2


def test_width_is_a_unit():
    assert_allclose(hoeffding_bound([0.0, 3.0], 50, width=10.0), hoeffding_bound([0.0, 0.3], 50))
    assert hoeffding_bound(0.0, 3) == 2


@pytest.mark.equation("generalization-deviation", "generalization-agnostic", "generalization-realizable")
def test_sample_sizes_are_the_smallest_that_do():
    for size, epsilon, delta in product([1, 7, 2.0**40], [0.03, 0.2], [0.01, 0.3]):
        n = pac_sample_size(size, epsilon, delta)
        assert size * hoeffding_bound(epsilon, n) <= delta < size * hoeffding_bound(epsilon, n - 1)
        assert uniform_deviation(size, n, delta) <= epsilon < uniform_deviation(size, n - 1, delta)
        m = pac_sample_size(size, epsilon, delta, realizable=True)
        assert size * np.exp(-epsilon * m) <= delta * (1 + 1e-12)
        assert size * np.exp(-epsilon * (m - 1)) > delta


@pytest.mark.equation("generalization-realizable")
def test_a_class_where_the_realisable_bound_is_nearly_met():
    """Each of m wrong hypotheses errs on its own epsilon of the instances: exact probability that one survives."""
    m, epsilon, delta = 20, 0.05, 0.1
    n = pac_sample_size(m, epsilon, delta, realizable=True)
    some = sum((-1) ** (j + 1) * comb(m, j) * (1 - j * epsilon) ** n for j in range(1, m + 1))
    assert 0.5 * delta < some <= delta


# ---------------------------------------------------------------- labelings


def by_all_subsets(points, hypotheses):
    """Labelings by every interval or rectangle between coordinates, and by every half-plane through two points."""
    X = np.asarray(points, float)
    found = {(0,) * len(X)}
    if hypotheses in ("rays", "intervals", "rectangles"):
        ends = [np.concatenate([[v.min() - 1], np.sort(v), [v.max() + 1]]) for v in X.T]
        sides = [list(product(v, v[-1:] if hypotheses == "rays" else v)) for v in ends]
        for box in product(*sides):
            found.add(tuple(int(all(a <= x <= b for x, (a, b) in zip(row, box, strict=True))) for row in X))
        return found
    for i, j in combinations(range(len(X)), 2):
        w = np.array([X[j, 1] - X[i, 1], X[i, 0] - X[j, 0]])
        side = (X - X[i]) @ w
        for a, b in product((0, 1), repeat=2):  # turn the line a little about one of the points or the middle
            one = (side > 1e-9).astype(int)
            one[i], one[j] = a, b
            found |= {tuple(one), tuple(1 - one)}
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("hypotheses", "d"), [("rays", 1), ("intervals", 1), ("rectangles", 2), ("half-spaces", 2)])
def test_labelings_by_another_route(seed, hypotheses, d):
    X = np.random.default_rng(seed).normal(size=(5, d))
    found = labelings(X, hypotheses)
    assert {tuple(row) for row in found.tolist()} == by_all_subsets(X, hypotheses)
    assert sorted(found.tolist()) == found.tolist()


@pytest.mark.parametrize("seed", range(12))
def test_half_spaces_by_linear_programs_with_points_on_lines_and_equal_points(seed):
    rng = np.random.default_rng(seed)
    d = 1 + seed % 3
    corners, far = rng.integers(-1, 2, size=(5, d)), 2.0**50
    A = np.column_stack([corners, np.ones(5)])
    found = []
    for row in product((0, 1), repeat=5):
        signed = A * np.where(np.array(row) == 1, -1.0, 1.0)[:, None]
        if linprog(np.zeros(d + 1), A_ub=signed, b_ub=-np.ones(5), bounds=(None, None)).status == 0:
            found.append(list(row))
    assert labelings(far + 1024.0 * corners, "half-spaces").tolist() == found


@pytest.mark.equation("generalization-growth")
@pytest.mark.parametrize("n", range(1, 7))
def test_growth_functions_count_labelings(n):
    rng = np.random.default_rng(n)
    assert growth_function("rays", n) == len(labelings(rng.normal(size=(n, 1)), "rays"))
    assert growth_function("intervals", n) == len(labelings(rng.normal(size=(n, 1)), "intervals"))
    for d in (1, 2, 3):
        assert growth_function("half-spaces", n, d) == len(labelings(rng.normal(size=(n, d)), "half-spaces"))


def test_points_that_half_spaces_take_for_one():
    near, far = [0.0, 0.0], [0.0, 1.0]
    assert is_shattered([near, [1e-9, 0.0], far], "half-spaces")
    assert not is_shattered([near, [1e-11, 0.0], far], "half-spaces")  # less than 1e-10 of the extent
    assert is_shattered([near, [1e-11, 0.0]], "half-spaces")  # which is theirs here
    assert is_shattered([[0.0], [1e-11]], "intervals")


@pytest.mark.equation("generalization-shatter")
def test_both_halves_of_every_vc_dimension():
    rng = np.random.default_rng(0)
    assert is_shattered([[3.0]], "rays")
    assert not is_shattered([[1.0], [3.0]], "rays")
    assert is_shattered([[1.0], [3.0]], "intervals")
    assert not is_shattered([[1.0], [3.0], [7.0]], "intervals")
    diamond = [[0, 1], [1, 0], [0, -1], [-1, 0]]
    assert is_shattered(diamond, "rectangles")
    assert not any(is_shattered(rng.normal(size=(5, 2)), "rectangles") for _ in range(20))
    for d in (1, 2, 3):
        assert is_shattered(np.vstack([np.zeros(d), np.eye(d)]), "half-spaces")
        assert not any(is_shattered(rng.normal(size=(d + 2, d)), "half-spaces") for _ in range(10))
    assert not is_shattered([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], "half-spaces")  # three on a line


@pytest.mark.equation("generalization-sauer")
def test_sauer_by_its_recursion_and_met_by_intervals():
    for n, d in product(range(1, 12), range(6)):
        assert sauer_bound(n, d) == sauer_bound(n - 1, d) + (sauer_bound(n - 1, d - 1) if d else 0)
        assert sauer_bound(n, d) == sum(comb(n, i) for i in range(d + 1))
    assert [sauer_bound(n, 2) for n in range(8)] == [growth_function("intervals", n) for n in range(8)]
    assert [sauer_bound(n, 1) for n in range(8)] == [growth_function("rays", n) for n in range(8)]
    for n in range(1, 7):
        X = np.random.default_rng(n).normal(size=(n, 2))
        assert len(labelings(X, "rectangles")) <= sauer_bound(n, 4)


@pytest.mark.equation("generalization-radon")
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_radon(d):
    X = np.random.default_rng(d).normal(size=(d + 2, d))
    signs, point = radon_partition(X)
    for side in (1, -1):
        hull = X[signs == side]
        A, b = np.vstack([hull.T, np.ones(len(hull))]), np.append(point, 1.0)
        weights = np.linalg.lstsq(A, b, rcond=None)[0]
        assert_allclose(A @ weights, b, atol=1e-10)
        assert (weights > -1e-10).all()
    row = (signs > 0).astype(int).tolist()
    assert row not in labelings(X, "half-spaces").tolist()


def test_radon_leaves_out_what_it_does_not_need():
    signs, point = radon_partition([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [5.0, 7.0]])
    assert signs[3] == 0
    assert_allclose(point, [1.0, 0.0], atol=1e-12)


# ---------------------------------------------------------------- the VC bound


@pytest.mark.equation("generalization-vc", "generalization-sauer-power")
def test_forms_of_the_bound():
    n, d, delta = 1000, 5, 0.05
    direct = np.sqrt(8 / n * log(4 * sum(comb(2 * n, i) for i in range(d + 1)) / delta))
    assert vc_bound(n, d, delta) == pytest.approx(direct, rel=1e-12)
    assert vc_bound(n, d, delta, "exponential") == pytest.approx(
        np.sqrt((8 * d * log(2 * e * n / d) + 8 * log(4 / delta)) / n), rel=1e-12
    )
    assert vc_bound(n, d, delta) < vc_bound(n, d, delta, "exponential") < vc_bound(n, d, delta, "power")
    assert np.isfinite(vc_bound(10**9, 200, delta, "power"))


@pytest.mark.parametrize("growth", ["sauer", "exponential", "power"])
def test_sample_size_is_the_smallest_that_suffices(growth):
    for d, epsilon in [(1, 0.9), (3, 0.1), (40, 0.3)]:
        n = vc_sample_size(d, epsilon, 0.05, growth)
        assert vc_bound(n, d, 0.05, growth) <= epsilon < vc_bound(n - 1, d, 0.05, growth)
        later = [vc_bound(m, d, 0.05, growth) for m in range(d, d + 400)]
        assert later[0] > 1
        assert (np.diff(later) < 0).all()


@pytest.mark.equation("generalization-vc")
def test_the_bound_holds_for_rays():
    """The largest difference of risk and empirical risk over all rays is that of two distribution functions."""
    rng, n = np.random.default_rng(0), 400
    u = np.sort(rng.random((2000, n)), axis=1)
    steps = np.arange(n + 1) / n
    worst = np.maximum(steps[1:] - u, u - steps[:-1]).max(axis=1)  # labels all 0: R(t) = 1 - t
    assert np.quantile(worst, 0.95) < vc_bound(n, 1, 0.05) / 5  # true, and far from tight


# ---------------------------------------------------------------- Rademacher complexity


@pytest.mark.equation("generalization-rademacher")
def test_rademacher_of_simple_classes():
    n = 6
    everything = np.array(list(product((-1, 1), repeat=n)))
    assert empirical_rademacher(everything) == (1.0, 0.0)
    assert empirical_rademacher(everything[:1]).value == pytest.approx(0.0, abs=1e-15)
    pair = np.array([np.ones(n), -np.ones(n)])
    mean = sum(Fraction(comb(n, k) * abs(n - 2 * k), 2**n) for k in range(n + 1)) / n
    assert empirical_rademacher(pair).value == pytest.approx(float(mean))
    assert empirical_rademacher(3 * pair + 1).value == pytest.approx(3 * float(mean))  # a constant does not matter


@pytest.mark.equation("generalization-rademacher")
def test_drawn_signs_agree_with_all_signs():
    F = np.random.default_rng(1).normal(size=(7, 12))
    exact, drawn = empirical_rademacher(F), empirical_rademacher(F, 20_000, random_state=0)
    assert 0 < drawn.standard_error < 0.01
    assert abs(drawn.value - exact.value) < 4 * drawn.standard_error
    assert drawn == empirical_rademacher(F, 20_000, random_state=0)
    finite = np.sqrt(2 * log(7)) * np.linalg.norm(F, axis=1).max() / 12  # Massart
    assert exact.value <= finite


@pytest.mark.equation("generalization-rademacher-bound")
def test_the_bound_holds_for_a_finite_class():
    rng, n, m, delta = np.random.default_rng(2), 60, 30, 0.2
    risk = rng.uniform(0.2, 0.6, m)
    broken = []
    for _ in range(300):
        losses = (rng.random((m, n)) < risk[:, None]).astype(float)
        allowed = rademacher_bound(empirical_rademacher(losses, 200, rng).value, n, delta)
        broken.append((risk - losses.mean(axis=1)).max() > allowed)
    assert np.mean(broken) <= delta
    assert rademacher_bound(0.1, 50, 0.1) == pytest.approx(0.2 + 3 * np.sqrt(log(20) / 100))


# ---------------------------------------------------------------- mistakes


@pytest.mark.equation("generalization-halving")
@pytest.mark.parametrize("seed", range(5))
def test_halving(seed):
    rng = np.random.default_rng(seed)
    H = rng.integers(2, size=(60, 100))
    y = H[:, 17]
    mistakes, left = halving(H, y)
    assert len(mistakes) <= np.log2(100)
    alive = list(range(100))
    for t in range(60):
        wrong = [j for j in alive if H[t, j] != y[t]]
        assert (t in mistakes) == (2 * len(wrong) > len(alive) or (2 * len(wrong) == len(alive) and y[t] == 0))
        alive = [j for j in alive if j not in wrong]
        assert left[t] == len(alive)


@pytest.mark.equation("generalization-winnow")
@pytest.mark.parametrize("seed", range(5))
def test_winnow(seed):
    rng, d, k = np.random.default_rng(seed), 128, 4
    X = (rng.random((1500, d)) < 0.05).astype(int)
    y = X[:, :k].any(axis=1).astype(int)
    weights, mistakes = winnow(X, y)
    assert 0 < len(mistakes) <= 2 + 3 * k * (1 + np.log2(d))
    plain, wrong = [1.0] * d, []
    for t in range(len(X)):
        said = int(sum(w for w, x in zip(plain, X[t], strict=True) if x) >= d)
        if said != y[t]:
            wrong.append(t)
            plain = [w * (2 if y[t] else 0.5) if x else w for w, x in zip(plain, X[t], strict=True)]
    assert_array_equal(mistakes, wrong)
    assert_allclose(weights, plain)
    assert winnow(X, y, 1.5).mistakes.tolist() != mistakes.tolist()


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: hoeffding_bound(-0.1, 5), ValueError, "epsilon must not be negative, got -0.1"),
        (lambda: hoeffding_bound(0.1, 0), ValueError, "n must be at least 1"),
        (lambda: hoeffding_bound(0.1, 5, width=0), ValueError, "width"),
        (lambda: uniform_deviation(0, 5, 0.1), ValueError, "n_hypotheses must be finite and at least 1"),
        (lambda: uniform_deviation(5, 5, 1.0), ValueError, "delta must lie strictly between 0 and 1"),
        (lambda: pac_sample_size(5, 0.0, 0.1), ValueError, "epsilon must lie strictly between 0 and 1"),
        (lambda: pac_sample_size(5, 0.1, 0), ValueError, "delta must lie strictly"),
        (lambda: sauer_bound(-1, 2), ValueError, "n must be at least 0"),
        (lambda: sauer_bound(3, 2.0), TypeError, "d must be an integer"),
        (lambda: vc_bound(10, 0, 0.1), ValueError, "d must be at least 1"),
        (lambda: vc_bound(10, 21, 0.1, "exponential"), ValueError, "needs 2 n >= d, got n=10 and d=21: use 'sauer'"),
        (lambda: vc_bound(10, 2, 0.1, "cubic"), ValueError, "growth must be one of"),
        (lambda: vc_sample_size(3, 1.0, 0.1), ValueError, "epsilon must lie strictly"),
        (lambda: vc_sample_size(3, 1e-12, 0.1), ValueError, "would take more than 2\\^62 instances"),
        (lambda: growth_function("rectangles", 3), ValueError, "hypotheses must be one of"),
        (lambda: labelings([[1.0, 2.0]], "rays"), ValueError, "points must have one column for rays, got 2"),
        (lambda: labelings(np.zeros((17, 1)), "rays"), ValueError, "points must be at most 16"),
        (lambda: labelings([[np.nan]], "rays"), ValueError, "points"),
        (lambda: is_shattered([[1.0]], "circles"), ValueError, "hypotheses must be one of"),
        (lambda: radon_partition(np.eye(3)), ValueError, "points must have d \\+ 2 = 5 rows for d = 3 columns, got 3"),
        (lambda: empirical_rademacher(np.zeros((2, 17))), ValueError, "17 columns, too many to enumerate"),
        (lambda: empirical_rademacher([[1.0]], 1), ValueError, "n_draws must be at least 2"),
        (lambda: rademacher_bound(-0.1, 5, 0.1), ValueError, "complexity must be finite and at least 0"),
        (lambda: halving([[0, 2]], [0]), ValueError, "predictions must hold 0 and 1 only"),
        (lambda: halving([[0, 1]], [0, 1]), ValueError, "y must be 1 integers"),
        (lambda: halving([[0], [1]], [0, 0]), ValueError, "a hypothesis that is right in every round"),
        (lambda: winnow([[0, 0.5]], [0]), ValueError, "X must hold 0 and 1 only"),
        (lambda: winnow([[0, 1]], [0], 1.0), ValueError, "factor must be above 1, got 1"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
