"""Drills on Gaussian processes, worked again in fractions without the library."""

from fractions import Fraction
from math import log, pi

import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.exact import dot, load, near, solve
from tests.drills.page import pages
from tests.drills.seeds import each_seed

# ------------------------------------------------------------------------------------------------------ gp-posterior


def conditioned(given):
    """One observation after the other: mean and covariance of the function at both points, z and far away."""
    points = [*given["x"], given["new"], given["far"]]
    cov = lambda a, b: Fraction(max(0, given["v"] - abs(a - b)))
    m, C = [Fraction(0)] * 4, [[cov(a, b) for b in points] for a in points]
    for i, target in enumerate(given["y"]):
        total = C[i][i] + given["noise"]
        error, side = target - m[i], [row[i] for row in C]
        m = [m[j] + side[j] * error / total for j in range(4)]
        C = [[C[j][k] - side[j] * side[k] / total for k in range(4)] for j in range(4)]
    return m, C


def system(given):
    v, x = given["v"], given["x"]
    K = [[v - abs(a - b) for b in x] for a in x]
    return K, [v - abs(given["new"] - a) for a in x]


@pytest.mark.equation("gaussian-process-mean", "gaussian-process-target-variance")
@each_seed()
def test_posterior(seed):
    _, given, answer = load("gp-posterior", seed)
    m, C = conditioned(given)
    assert near(answer["mean"], m[2])
    assert near(answer["variance"], C[2][2])
    assert near(answer["target"], C[2][2] + given["noise"])
    assert answer["far"] == [m[3], C[3][3] + given["noise"]]
    K, k = system(given)
    assert answer["K"] == K
    assert answer["k"] == k
    assert min(K[0][1], *k) > 0  # all points speak
    noisy = [[K[i][j] + given["noise"] * (i == j) for j in range(2)] for i in range(2)]
    assert all(near(a, b) for a, b in zip(answer["alpha"], solve(noisy, given["y"]), strict=True))


@each_seed()
def test_every_number_of_the_posterior(seed):
    drill, given, _ = load("gp-posterior", seed)
    K, k = system(given)
    x, y, v, s, new, far = (given[key] for key in ("x", "y", "v", "noise", "new", "far"))
    m, C = conditioned(given)
    Ky = [[K[0][0] + s, K[0][1]], [K[1][0], K[1][1] + s]]
    det = Ky[0][0] ** 2 - Ky[0][1] ** 2
    adjugate = [[Ky[1][1], -Ky[0][1]], [-Ky[1][0], Ky[0][0]]]
    top = [float(dot(row, y)) for row in adjugate]
    alpha = [[float(a)] for a in solve(Ky, y)]
    ask, tell = pages(drill)
    ask.says("a Gaussian process with mean 0 and")
    ask.says(r"$k(x,x')=\max(0,\,#-|x-x'|)$", v)
    ask.says(r"variance $\sigma^2=#$, as $(x, y)$: $#$, $#$.", s, [[x[0], y[0]]], [[x[1], y[1]]])
    ask.says("the function at $z=#$ (1", new)
    ask.says(r"$\boldsymbol{\alpha}=(\mathbf{K}+\sigma^2\mathbf{I})^{-1}\mathbf{y}$")
    ask.says("new target at $x=#$ (1", far)
    ask.done()
    tell.says(r"two points is $#$, so $\mathbf{K}=#$;", x[1] - x[0], K)
    tell.says(r"distances $#$ and $#$, so $\mathbf{k}=#$.", abs(new - x[0]), abs(new - x[1]), [[a] for a in k])
    tell.says(r"$\mathbf{K}+\sigma^2\mathbf{I}=#$ has the determinant $#=#$, so", Ky, det, det)
    tell.says(r"$\boldsymbol{\alpha}=#\,#\,#=#\,#\approx#$.", 1 / det, adjugate, [[a] for a in y], 1 / det,
              [[a] for a in top], alpha)  # fmt: skip
    tell.says(r"$\mathbf{k}^\top\boldsymbol{\alpha}=#=#\approx#$.", *[float(m[2])] * 3)
    gain = float(v - C[2][2])
    tell.says(r"$\mathbf{k}^\top(\mathbf{K}+\sigma^2\mathbf{I})^{-1}\mathbf{k}=#=#$ of the prior variance $#$, so "
              r"$#=#\approx#$ is left", gain, gain, v, *[float(C[2][2])] * 3)  # fmt: skip
    tell.says(r"is added, $#=#\approx#$.", *[float(C[2][2] + s)] * 3)
    tell.says(r"**Far away:** $x=#$ is at least $#$ away", far, v)
    tell.says("all covariances are 0, and the prior comes back: mean 0, variance $#=#$.", v + s, v + s)
    tell.done()


# ----------------------------------------------------------------------------------------------------- gp-likelihood


def density(given, c):
    """Log density by the chain rule p(y_1) p(y_2 | y_1): neither an inverse nor a determinant."""
    d, (first, second) = given["d"], given["y"]
    rest = d - Fraction(c * c, d)
    error = second - Fraction(c, d) * first
    fit = -(Fraction(first * first, d) + error * error / rest) / 2
    return fit, -(log(d) + log(rest)) / 2


def slope(given):
    """Derivative by the diagonal, of the two eigenvalues d + c and d - c under B."""
    d, c, (a, b) = given["d"], given["c"][1], given["y"]
    parts = [(d + c, Fraction((a + b) ** 2, 2)), (d - c, Fraction((a - b) ** 2, 2))]
    return sum((square / value**2 - Fraction(1, value)) / 2 for value, square in parts)


@pytest.mark.equation("gaussian-process-likelihood", "gaussian-process-likelihood-gradient")
@each_seed()
def test_likelihood(seed):
    _, given, answer = load("gp-likelihood", seed)
    values = []
    for i, c in enumerate(given["c"]):
        fit, complexity = density(given, c)
        assert near(answer["fit"][i], fit)
        assert answer["complexity"][i] == pytest.approx(complexity, rel=1e-12)
        values.append(float(fit) + complexity - log(2 * pi))
        assert answer["value"][i] == pytest.approx(values[i], rel=1e-12)
    assert answer["better"] == ("A" if values[0] > values[1] else "B")
    assert near(answer["slope"], slope(given))
    assert answer["noise"] == ("larger" if slope(given) > 0 else "smaller")
    assert 0 <= given["c"][0] < given["c"][1] < given["d"]


@each_seed()
def test_every_number_of_the_likelihood(seed):
    drill, given, answer = load("gp-likelihood", seed)
    d, y = given["d"], given["y"]
    ask, tell = pages(drill, {r"\pi": pi}, CARRIED)
    shapes = [[[d, c], [c, d]] for c in given["c"]]
    ask.says(r"$\mathbf{y}=#$ were observed", [[a] for a in y])
    ask.says(r"A: $\mathbf{K}_A=#$ (short) and B: $\mathbf{K}_B=#$ (long). All means are 0.", *shapes)
    ask.says(r"$-\tfrac12\mathbf{y}^\top\mathbf{K}^{-1}\mathbf{y}$")
    ask.says(r"$-\tfrac12\ln\det\mathbf{K}$")
    ask.done()
    results = []
    for name, c in zip("AB", given["c"], strict=True):
        det, top = d * d - c * c, [d * y[0] - c * y[1], d * y[1] - c * y[0]]
        fit, complexity = density(given, c)
        results.append((float(fit), complexity, det, [[a] for a in top]))
        tell.says(rf"**Fit of {name}:** $\det\mathbf{{K}}_{name}=#=#$ and "
                  rf"$\mathbf{{K}}_{name}^{{-1}}\mathbf{{y}}=#\,#\,#=#\,#$,",
                  det, det, 1 / det, [[d, -c], [-c, d]], [[a] for a in y], 1 / det, [[a] for a in top])  # fmt: skip
        tell.says(rf"so $\mathbf{{y}}^\top\mathbf{{K}}_{name}^{{-1}}\mathbf{{y}}=#=#$, and the fit is $#\approx#$.",
                  *[float(-2 * fit)] * 2, *[float(fit)] * 2)  # fmt: skip
    for name, (_, complexity, _, _) in zip("AB", results, strict=True):
        tell.says(f"{name} has $#\\approx#$", complexity, complexity)
    tell.says(r"both add $#\approx#$.", -log(2 * pi), -log(2 * pi))
    for name, (fit, complexity, _, _) in zip("AB", results, strict=True):
        tell.says(f"{name}: $#\\approx#$", *[fit + complexity - log(2 * pi)] * 2)
    assert f". {answer['better']} is likelier." in drill.solution
    _, _, det, top = results[1]
    tell.says(r"$\tfrac12(\boldsymbol{\alpha}^\top\boldsymbol{\alpha}-\operatorname{tr}\mathbf{K}_B^{-1})$ with")
    tell.says(r"$\boldsymbol{\alpha}=\mathbf{K}_B^{-1}\mathbf{y}=#\,#$.", 1 / det, top)
    tell.says(r"$\boldsymbol{\alpha}^\top\boldsymbol{\alpha}=#$ and", sum(a * a for (a,) in top) / det**2)
    tell.says(r"$\operatorname{tr}\mathbf{K}_B^{-1}=#$, and", 2 * d / det)
    tell.says(r"derivative is $#=#\approx#$: it is #, so a # noise", *[float(slope(given))] * 3,
              "positive" if slope(given) > 0 else "negative", answer["noise"])  # fmt: skip
    tell.done()
