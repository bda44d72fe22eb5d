"""Tests of notes_lib.numerics."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal

from notes_lib.checks import (
    all_finite,
    check_choice,
    check_codes,
    check_counts,
    check_distribution,
    check_finite,
    check_integer,
    check_matrix,
    check_numbers,
    check_positive,
    check_real,
    check_shape,
    check_symmetric,
    check_vector,
    class_codes,
)
from notes_lib.numerics import (
    NotPositiveDefiniteError,
    central_difference,
    check_rng,
    cholesky_factor,
    leading_signs,
    log_gaussian,
    squared_distances,
)

SEEDS = range(5)


# oracles


@pytest.mark.parametrize("seed", SEEDS)
def test_squared_distances_equal_scipy(seed):
    rng = np.random.default_rng(seed)
    X, C = rng.normal(size=(40, 3)), rng.normal(size=(7, 3))
    np.testing.assert_allclose(squared_distances(X, C), cdist(X, C, "sqeuclidean"), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_log_gaussian_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    A, mu, X = rng.normal(size=(4, 4)), rng.normal(size=4), rng.normal(size=(5000, 4))
    Sigma = A @ A.T + 0.1 * np.eye(4)
    expected = multivariate_normal(mu, Sigma).logpdf(X)
    np.testing.assert_allclose(log_gaussian(X, mu, cholesky_factor(Sigma)), expected, rtol=1e-11)


def test_central_difference_of_a_cubic():
    x = np.array([[1.0, -2.0], [0.5, 3.0]])
    np.testing.assert_allclose(central_difference(lambda v: float((v**3).sum()), x), 3 * x**2, rtol=1e-7)


def test_central_difference_of_many_values_has_the_coordinate_first():
    A = np.arange(6.0).reshape(2, 3) ** 2
    x = np.array([[1.0, -2.0, 0.5]])
    found = central_difference(lambda v: A @ v[0] ** 2, x)
    assert found.shape == (1, 3, 2)
    np.testing.assert_allclose(found[0], (2 * A * x[0]).T, rtol=1e-7, atol=1e-9)


def test_central_difference_of_many_values_by_one_number():
    found = central_difference(lambda v: np.array([v[0] ** 2, 3 * v[0]]), [2.0])
    np.testing.assert_allclose(found, [[4.0, 3.0]], rtol=1e-8)


# laws


@given(st.integers(0, 10**6), st.floats(-1e6, 1e6))
def test_squared_distances_ignore_a_common_shift(seed, shift):
    rng = np.random.default_rng(seed)
    X, C = rng.normal(size=(5, 2)), rng.normal(size=(3, 2))
    np.testing.assert_allclose(squared_distances(X + shift, C + shift), squared_distances(X, C), atol=1e-7)


def test_squared_distances_are_never_negative():
    X = np.full((50, 3), 1e8) + np.random.default_rng(0).normal(size=(50, 3)) * 1e-4
    assert squared_distances(X, X).min() >= 0


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e6])
def test_distances_that_rounding_makes_negative_are_zero(scale):
    """The distance of a point to itself is a sum that cancels: without the cut some would be below 0."""
    X = scale * np.random.default_rng(0).normal(size=(200, 3))
    D = X @ (-2.0 * X.T) + (X**2).sum(axis=1)[:, None] + (X**2).sum(axis=1)
    assert D.min() < 0
    assert squared_distances(X, X).min() == 0
    np.testing.assert_allclose(squared_distances(X, X), cdist(X, X, "sqeuclidean"), atol=1e-13 * scale**2)


def test_symmetry_is_relative():
    """An asymmetry of 1e-8 of the entries is rounding; ten times as much is not."""
    for size in (1e-6, 1.0, 1e9):
        A = size * np.array([[2.0, 1.0], [1.0, 2.0]])
        A[0, 1] += 1.9e-8 * size
        assert cholesky_factor(A)[0, 0] == pytest.approx(np.sqrt(A[0, 0]))
        A[0, 1] += 2e-7 * size
        with pytest.raises(ValueError, match="must be symmetric"):
            cholesky_factor(A)


def test_central_difference_far_from_the_origin():
    """The step grows with the coordinate: a fixed one would drown in rounding."""
    x = np.array([1e6, -1e6])
    np.testing.assert_allclose(central_difference(lambda v: float((v**2).sum()), x), 2 * x, rtol=1e-8)


def test_cholesky_factor_multiplies_back():
    Sigma = np.array([[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]])
    L = cholesky_factor(Sigma)
    np.testing.assert_allclose(L @ L.T, Sigma, rtol=1e-14)
    assert np.array_equal(L, np.tril(L))


def test_check_rng_accepts_every_kind():
    generator = np.random.default_rng(1)
    assert check_rng(generator) is generator
    assert check_rng(3).random() == check_rng(np.int64(3)).random()
    assert check_rng(None).random() != check_rng(None).random()
    legacy, twin = np.random.RandomState(5), np.random.RandomState(5)
    assert check_rng(legacy).random() == twin.random_sample()  # one bit generator, not a seed drawn from it
    assert check_rng(legacy).random() != check_rng(legacy).random()  # the stream goes on


# errors


@pytest.mark.parametrize(("bad", "error"), [(-1, ValueError), (1.5, TypeError), ("0", TypeError), (True, TypeError)])
def test_check_rng_refuses(bad, error):
    with pytest.raises(error, match="random_state must be"):
        check_rng(bad)


def test_checked_numbers_come_back_as_python_numbers():
    assert type(check_integer(np.int32(4), "k")) is int
    assert type(check_real(np.float32(0.5), "tol")) is float
    assert type(check_positive(np.int64(2), "gamma")) is float
    assert check_integer(0, "k", minimum=0) == 0


@pytest.mark.parametrize(
    ("bad", "error", "what"),
    [
        (2.0, TypeError, "k must be an integer, got 2.0 of type float"),
        (True, TypeError, "k must be an integer, got True of type bool"),
        ("2", TypeError, "k must be an integer, got '2' of type str"),
        (2, ValueError, "k must be at least 3, got 2"),
    ],
)
def test_check_integer_refuses(bad, error, what):
    with pytest.raises(error, match=what):
        check_integer(bad, "k", minimum=3)


@pytest.mark.parametrize(
    ("bad", "error", "what"),
    [
        ("1", TypeError, "tol must be a number, got '1' of type str"),
        (True, TypeError, "tol must be a number"),
        (None, TypeError, "tol must be a number"),
        (-0.5, ValueError, "tol must be finite and at least 0, got -0.5"),
        (np.nan, ValueError, "tol must be finite and at least 0, got nan"),
        (np.inf, ValueError, "tol must be finite and at least 0, got inf"),
    ],
)
def test_check_real_refuses(bad, error, what):
    with pytest.raises(error, match=what):
        check_real(bad, "tol")


@pytest.mark.parametrize(
    ("bad", "error", "what"),
    [
        (0, ValueError, "^gamma must be positive, got 0: use None.$"),
        (-0.0, ValueError, "^gamma must be positive, got -0.0: use None.$"),
        (-1, ValueError, "gamma must be finite and at least 0, got -1"),
        (np.inf, ValueError, "gamma must be finite"),
        ("1", TypeError, "gamma must be a number"),
    ],
)
def test_check_positive_refuses(bad, error, what):
    with pytest.raises(error, match=what):
        check_positive(bad, "gamma", "use None")
    with pytest.raises(ValueError, match=r"^tol must be positive, got 0\.$"):
        check_positive(0, "tol")


@pytest.mark.parametrize(
    ("values", "answer"),
    [([1e308] * 3, True), ([], True), ([np.inf, -np.inf], False), ([[1.0, np.nan]], False), ([np.inf, 1.0], False)],
)
def test_sums_that_overflow_do_not_make_numbers_infinite(values, answer):
    assert all_finite(np.array(values, dtype=float)) is answer


def test_check_finite_returns_what_it_got():
    x = np.array([1e308, 1e308])
    assert check_finite(x, "x") is x
    with pytest.raises(ValueError, match="x must be finite, it holds NaN or inf: remove or impute"):
        check_finite(np.array([1.0, np.inf]), "x")


def test_text_is_refused_where_numbers_belong():
    for check in (check_numbers, check_distribution):
        with pytest.raises(TypeError, match="p must hold numbers, got dtype <U3"):
            check(["0.5", "0.5"], "p")
    assert check_numbers([[1, 2]], "p").dtype == float


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([1.0, 2.0], r"m must have shape \(2, d\), got \(2,\)"),
        (np.ones((3, 2)), r"m must have shape \(2, d\), got \(3, 2\)"),
        ([[1.0], [np.nan]], "m must be finite, got NaN or infinity"),
    ],
)
def test_check_shape_refuses(values, what):
    with pytest.raises(ValueError, match=what):
        check_shape(values, "m", (2, None))


def test_check_choice_refuses():
    check_choice("full", "kind", ("full", "diag"))
    with pytest.raises(ValueError, match=r"kind must be one of \('full', 'diag'\), got 'tied'"):
        check_choice("tied", "kind", ("full", "diag"))


@pytest.mark.parametrize("K", [2, 3, 10, 1000])
def test_check_distribution_takes_single_precision(K):
    p = np.random.default_rng(K).random((20, K), dtype=np.float32)
    p /= p.sum(axis=1, keepdims=True)  # rows that sum to 1 to single precision only
    assert p.dtype == np.float32
    np.testing.assert_array_equal(check_distribution(p, "p"), p)
    with pytest.raises(ValueError, match="must be non-negative and sum to 1"):
        check_distribution(p * np.float32(1 + 1e-3), "p")
    with pytest.raises(ValueError, match="must be non-negative and sum to 1"):
        check_distribution(p.astype(float) + 1e-6 / K, "p")


@pytest.mark.parametrize(
    ("bad", "shape", "positive", "what"),
    [
        ([0.5, 0.4], None, False, r"p must be non-negative and sum to 1, got \[0.5, 0.4\]: divide counts by their sum"),
        ([1.5, -0.5], None, False, "p must be non-negative"),
        ([1.0, 0.0], None, True, "p must be positive and sum to 1"),
        ([np.nan, 1.0], None, False, "p must be non-negative"),
        ([np.inf, 0.0], None, False, "p must be non-negative"),
        ([[0.5, 0.5], [0.7, 0.2]], None, False, r"row 1 of p must be non-negative and sum to 1, got \[0.7, 0.2\]"),
        ([0.5, 0.5], (3,), False, r"p must have shape \(3,\), got \(2,\)"),
        (1.0, None, False, r"p must have shape \(K,\) or \(n, K\), got \(\)"),
        ([], None, False, r"p must have shape .*, got \(0,\)"),
    ],
)
def test_check_distribution_refuses(bad, shape, positive, what):
    with pytest.raises(ValueError, match=what):
        check_distribution(bad, "p", shape, positive=positive)


@pytest.mark.parametrize(("X", "C"), [(np.zeros(3), np.zeros((2, 3))), (np.zeros((4, 3)), np.zeros((2, 2)))])
def test_squared_distances_refuse_shapes(X, C):
    with pytest.raises(ValueError, match="same number of columns"):
        squared_distances(X, C)


def test_central_difference_refuses_step():
    with pytest.raises(ValueError, match="h must be positive"):
        central_difference(lambda v: 0.0, [1.0], h=0.0)


@pytest.mark.parametrize(
    ("Sigma", "what"),
    [
        (np.ones((2, 3)), "square"),
        ([[1.0, 2.0], [0.0, 1.0]], "symmetric"),
        ([[1.0, 1.0], [1.0, 1.0]], "not positive definite"),
        ([[1.0, 2.0], [2.0, 1.0]], "not positive definite"),
        ([[np.nan]], "S_w must be finite"),
    ],
)
def test_cholesky_factor_names_the_matrix(Sigma, what):
    with pytest.raises(ValueError, match=what) as caught:
        cholesky_factor(Sigma, name="S_w")
    assert str(caught.value).startswith("S_w")


@pytest.mark.parametrize("j", range(3))
def test_cholesky_factor_says_where_it_stops(j):
    Sigma = np.diag([4.0, 3.0, 2.0])
    Sigma[j, j] = -1.0
    with pytest.raises(NotPositiveDefiniteError) as caught:
        cholesky_factor(Sigma)
    assert caught.value.index == j


def test_log_gaussian_refuses_shapes():
    with pytest.raises(ValueError, match="with one d"):
        log_gaussian(np.zeros((2, 3)), np.zeros(2), np.eye(3))


@pytest.mark.parametrize("broken", range(3))
def test_log_gaussian_refuses_what_is_not_finite(broken):
    arguments = [np.zeros((2, 2)), np.zeros(2), np.eye(2)]
    arguments[broken][..., 0] = [np.nan, np.inf, np.nan][broken]
    with pytest.raises(ValueError, match="X, mu and L must be finite"):
        log_gaussian(*arguments)


def test_log_gaussian_refuses_a_singular_factor():
    with pytest.raises(ValueError, match="L must have a positive diagonal"):
        log_gaussian(np.zeros((1, 2)), np.zeros(2), [[1.0, 0.0], [1.0, 0.0]])


def test_log_gaussian_of_a_point_whose_square_overflows():
    with np.errstate(over="ignore"):
        assert log_gaussian([[1e200], [0.0]], [0.0], [[1.0]])[0] == -np.inf


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: check_counts([0, 2.5, 3], "k"), "k must hold counts, whole numbers from 0 upwards, got 2.5"),
        (lambda: check_counts([0, 9, 3], "k", upper=5), "k must hold counts, whole numbers from 0 to 5, got 9"),
        (lambda: check_codes([1, 3], "labels", 2, 3), r"labels must lie in 0\.\.2, got 1\.\.3"),
        (lambda: check_codes([-1, 2], "labels", 2, 3), r"labels must lie in 0\.\.2, got -1\.\.2"),
    ],
)
def test_counts_and_codes_name_what_is_wrong(check, message):
    with pytest.raises(ValueError, match=message):
        check()


def test_class_codes_number_the_sorted_labels():
    classes, codes = class_codes(np.array(["cat", "ant", "cat", "bee"]))
    assert classes.tolist() == ["ant", "bee", "cat"]
    assert codes.tolist() == [2, 0, 2, 1]


def test_sums_may_be_off_by_a_rounding_and_no_more():
    check_distribution([0.5, 0.5 + 0.9e-8], "p")
    with pytest.raises(ValueError, match="sum to 1"):
        check_distribution([0.5, 0.5 + 1.1e-8], "p")


def test_class_codes_warn_of_targets_of_a_regression():
    with pytest.warns(UserWarning, match="unique classes is greater than 50%"):
        assert len(class_codes(np.arange(30))[0]) == 30


def test_class_codes_warn_from_more_than_half_as_many_classes_as_labels(recwarn):
    class_codes(np.arange(30) % 15)
    assert not recwarn
    with pytest.warns(UserWarning, match="unique classes is greater than 50%"):
        class_codes(np.arange(30) % 16)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1], "at least two classes, got 1 class"),
        ([0.5, 1.5], "Unknown label"),
        (np.repeat([0.5, 1.5], 4), "Unknown label"),
    ],
)
def test_class_codes_refuse(y, message):
    with pytest.raises(ValueError, match=message):
        class_codes(y)


@pytest.mark.parametrize("units", [[1.0, 1.0, 1.0], [1e3, 1.0, 1.0], [1.0, 1e-3, 1e-3], [1e-150, 1e150, 1e150]])
def test_symmetry_is_judged_in_the_units_of_each_variable(units):
    u = np.array(units)
    A = np.array([[2.0, 1.0, -1.0], [1.0, 1.0, 0.5], [-1.0, 0.5, 0.0]])
    for change, fits in [(0.0, True), (1e-9, True), (1e-6, False)]:
        B = A.copy()
        B[1, 2] += change
        B *= np.outer(u, u)
        if fits:
            assert check_symmetric(B, "A") is B
        else:
            with pytest.raises(ValueError, match="A must be symmetric: average it with its transpose"):
                check_symmetric(B, "A")


def test_rounding_errors_of_the_largest_entry_are_no_asymmetry():
    """As in a centred kernel, where a point near the mean has entries that are only what rounding left over."""
    A = np.array([[1.0, 3e-16], [-2e-16, 1e-17]])
    assert check_symmetric(A, "A") is A
    with pytest.raises(ValueError, match="A must be symmetric"):
        check_symmetric(A + np.array([[0, 1e-13], [0, 0]]), "A")


@pytest.mark.parametrize(
    "check",
    [
        lambda values: check_shape(values, "X", (2, 2)),
        lambda values: check_vector(values[0], "X"),
        lambda values: check_matrix(values, "X"),
        lambda values: check_symmetric(values, "X"),
    ],
)
@pytest.mark.parametrize("values", [[[1 + 1j, 0], [0, 1]], [["1", "0"], ["0", "1"]]])
def test_complex_numbers_and_text_are_refused_by_name(check, values):
    with pytest.raises(TypeError, match="X must hold real numbers, got dtype"):
        check(values)
    assert check(np.array([[Fraction(1, 2), 0], [0, 1]], dtype=object)).dtype == float


def test_a_matrix_without_a_factor_is_an_error_of_linear_algebra():
    with pytest.raises(np.linalg.LinAlgError):
        cholesky_factor([[1.0, 2.0], [2.0, 1.0]])


def test_the_largest_entry_becomes_positive():
    V = np.random.default_rng(0).normal(size=(20, 5))
    turned = V * leading_signs(V)[:, None]
    assert (turned.max(axis=1) == np.abs(V).max(axis=1)).all()
    assert (leading_signs(turned) == 1).all()


def test_of_a_tie_up_to_rounding_the_first_decides():
    V = np.array([[-1.0, 1.0 + 1e-12], [1.0, -1.0 - 1e-12]])
    assert leading_signs(V).tolist() == [1, -1]
    assert leading_signs(V, tie=1e-9).tolist() == [-1, 1]
