"""The quiz of the chapter *Density estimation*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm, uniform

from notes_lib.bayes.density_estimation import (
    HistogramDensity,
    KernelDensity,
    KNeighborsDensity,
    amise_bandwidth,
    gaussian_curvature,
    kernel_log_density,
    smoothing_kernel,
)
from tests.claims.deciding import decided

X = np.random.default_rng(0).normal(size=(12, 1))
SMALL = 1e-9


def _moments(x, h, n):
    """Mean and variance of a kernel estimate of a standard normal density at x, in closed form."""
    mean = norm(0, np.hypot(1, h)).pdf(x)
    second = norm(0, np.sqrt(1 + h**2 / 2)).pdf(x) / (2 * h * np.sqrt(np.pi))
    return mean, (second - mean**2) / n


def quiz_double():
    """You double $N$ and keep $h$. Then, to leading order,"""
    h, x = 0.3, 0.5
    (mean, spread), (mean2, spread2) = _moments(x, h, 500), _moments(x, h, 1000)
    bias = np.isclose((mean2 - norm.pdf(x)) / (mean - norm.pdf(x)), 0.5)
    variance = np.isclose(spread2 / spread, 0.5)
    same_bias, same_variance = np.isclose(mean, mean2), np.isclose(spread, spread2)
    return {
        "both halve": bias and variance,
        "the variance halves and the bias stays": variance and same_bias,
        "the bias halves and the variance stays": bias and same_variance,
        "neither changes": same_bias and same_variance,
    }


def quiz_peak():
    """At a peak of $p$ a kernel estimate is on average"""
    lower = [_moments(0.0, h, 100)[0] < norm.pdf(0) - SMALL for h in (0.05, 0.3, 1, 3)]
    higher = [_moments(0.0, h, 100)[0] > norm.pdf(0) + SMALL for h in (0.05, 0.3, 1, 3)]
    return {
        "too high": all(higher),
        "right": not any(lower) and not any(higher),
        "too low": all(lower),
        "too low only if $h$ is chosen by cross-validation": any(lower) and not all(lower),
    }


def quiz_integral():
    """Which of these integrate to 1?"""
    at = np.linspace(-8, 8, 160_001)
    area = lambda model: np.exp(model.score_samples(at[:, None])).sum() * (at[1] - at[0])
    epanechnikov = KernelDensity(bandwidth=0.7, kernel="epanechnikov").fit(X)
    neighbours = KNeighborsDensity(n_neighbors=3).fit(X)
    far = np.geomspace(1, 10, 2001)
    tails = [
        np.trapezoid(np.exp(neighbours.score_samples(far[:, None] * scale)), far * scale)
        for scale in (10.0**2, 10.0**4)
    ]
    mercer = lambda t: float(np.mean((t * X[:, 0] + 1) ** 2))
    areas = [quad(mercer, -b, b)[0] for b in (10, 100)]
    return {
        "A kernel estimate with Epanechnikov's kernel": np.isclose(area(epanechnikov), 1, atol=1e-3),
        "A nearest-neighbour estimate": tails[1] < tails[0] / 10,  # a tail that adds up
        "A histogram estimate": np.isclose(area(HistogramDensity(bandwidth=0.5).fit(X)), 1, atol=1e-3),
        "The average of the Mercer kernel $(x x_n + 1)^2$ over the instances": np.isclose(areas[0], areas[1]),
    }  # fmt: skip


def quiz_change():
    """Which change the kernel density estimate at a given point?"""
    at = np.array([[0.4]])
    before = kernel_log_density(at, X, 0.5)
    changed = lambda after: not np.allclose(before, after)
    return {
        "One more instance under the window": changed(kernel_log_density(at, np.r_[X, [[0.5]]], 0.5)),
        "Another origin of the axis, for data and point alike": changed(kernel_log_density(at + 7, X + 7, 0.5)),
        "Every instance repeated twice": changed(kernel_log_density(at, np.r_[X, X], 0.5)),
        "Half the bandwidth": changed(kernel_log_density(at, X, 0.25)),
    }


def tf_larger():
    """A density can be larger than 1."""
    return uniform(0, 0.01).pdf(0.005) > 1


def tf_rate():
    """The best bandwidth of a kernel estimate is proportional to $N^{-1/2}$."""
    best = [amise_bandwidth(n, gaussian_curvature(1.0)) for n in (100, 10_000)]
    assert np.isclose(np.log(best[0] / best[1]) / np.log(100), 1 / 5)
    return np.isclose(best[0] / best[1], 10)


def tf_volume():
    """With one common ball, the nearest-neighbour posterior $K_j/K$ does not depend on the volume of the ball."""
    counts, sizes = np.array([3, 2]), np.array([20, 30])
    posteriors = [(counts / (sizes * V) * sizes / 50) / (counts.sum() / (50 * V)) for V in (0.01, 1.0, 700.0)]
    return all(np.allclose(p, counts / counts.sum()) for p in posteriors)


def tf_mercer():
    """Every smoothing kernel is a Mercer kernel."""
    t = np.linspace(-1, 1, 15)
    lowest = {}
    for kernel in ("gaussian", "tophat", "epanechnikov"):
        gram = smoothing_kernel(((t[:, None] - t) / 0.3).reshape(-1, 1), kernel).reshape(15, 15)
        lowest[kernel] = np.linalg.eigvalsh(gram)[0]
    assert lowest["gaussian"] > -SMALL
    return min(lowest.values()) > -SMALL


test_claim = decided("bayes/density_estimation", globals())
