"""The drills on autoencoders: worked again in fractions and by integration, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.exact import dot, exact
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def times(S, v):
    return [dot(row, v) for row in S]


def mean_error(S, a, b):
    """Mean squared distance, entry by entry of (I - b a') S (I - b a')'."""
    M = [[(i == j) - b[i] * a[j] for j in range(2)] for i in range(2)]
    return sum(M[i][j] * S[j][k] * M[i][k] for i in range(2) for j in range(2) for k in range(2))


def work_linear(g):
    S, m, a, b, x, u = (exact(g[key]) for key in ("S", "mean", "a", "b", "x", "u"))
    z = dot(a, [p - q for p, q in zip(x, m, strict=True)])
    rebuilt = [q + z * k for q, k in zip(m, b, strict=True)]
    Sa = times(S, a)
    best = [k / dot(a, Sa) for k in Sa]
    large = times(S, u)[0] / u[0]
    return S, m, a, b, x, u, z, rebuilt, Sa, best, large


@pytest.mark.equation("autoencoder-linear-error", "autoencoder-best-decoder", "autoencoder-linear-solutions")
@each_seed()
def test_linear_autoencoder_answer(seed):
    answer = drawn("linear-autoencoder", seed).answer
    S, _, a, b, x, u, z, rebuilt, _, best, large = work_linear(drawn("linear-autoencoder", seed).given)
    assert answer["code"] == z
    assert answer["rebuilt"] == rebuilt
    assert answer["apart"] == sum((p - q) ** 2 for p, q in zip(x, rebuilt, strict=True))
    assert answer["error"] == pytest.approx(float(mean_error(S, a, b)))
    assert answer["decoder"] == pytest.approx([float(k) for k in best])
    assert answer["reached"] == pytest.approx(float(mean_error(S, a, best)))
    for step in (Fraction(1, 100), Fraction(-1, 100)):  # no other decoder does better
        assert mean_error(S, a, [best[0] + step, best[1]]) > mean_error(S, a, best)
        assert mean_error(S, a, [best[0], best[1] + step]) > mean_error(S, a, best)
    assert times(S, u) == [large * k for k in u]
    least = S[0][0] + S[1][1] - large
    assert 0 < least < large
    assert answer["least"] == pytest.approx(float(least))
    assert answer["direction"] == u
    encoder = exact([Fraction(k).limit_denominator(100) for k in answer["encoder"]])
    assert mean_error(S, encoder, u) == least
    assert least < mean_error(S, a, best) <= mean_error(S, a, b)


@each_seed()
def test_every_number_of_linear_autoencoder(seed):
    drill = drawn("linear-autoencoder", seed)
    S, m, a, b, x, u, z, rebuilt, Sa, best, large = work_linear(drill.given)
    ask, tell = pages(drill)
    column = lambda v: [[k] for k in v]
    ask.says(r"have the mean $#$ and, with the divisor $N$, the covariance matrix $\mathbf{S}=#$.", m, S)
    ask.says(r"$z=\mathbf{a}^\top(\mathbf{x}-\bar{\mathbf{x}})$")
    ask.says(r"$\hat{\mathbf{x}}=\bar{\mathbf{x}}+z\,\mathbf{b}$")
    ask.says(r"$\mathbf{a}=#$ and $\mathbf{b}=#$.", a, b)
    ask.says("of the point $#$", x)
    ask.says(r"fixes the decoder $\mathbf{b}=#$.", u)
    ask.done()
    away = [p - q for p, q in zip(x, m, strict=True)]
    apart = sum((p - q) ** 2 for p, q in zip(x, rebuilt, strict=True))
    tell.says("deviation from the mean is $#$, so $z=#$. The reconstruction is $#$, and the squared error $#$.", away,
              z, rebuilt, apart)  # fmt: skip
    tell.says(r"multiply out $\lVert\mathbf{x}-z\,\mathbf{b}\rVert^2$")
    tell.says(r"$\operatorname{tr}\mathbf{S}-2\,\mathbf{b}^\top\mathbf{S}\mathbf{a}+\lVert\mathbf{b}\rVert^2\,"
              r"\mathbf{a}^\top\mathbf{S}\mathbf{a}$")  # fmt: skip
    tell.says(r"Here $\mathbf{S}\mathbf{a}=#$, so $\mathbf{b}^\top\mathbf{S}\mathbf{a}=#$ and the variance of the code "
              r"is $\mathbf{a}^\top\mathbf{S}\mathbf{a}=#$. The error is $#$.", column(Sa), dot(b, Sa), dot(a, Sa),
              mean_error(S, a, b))  # fmt: skip
    tell.says(r"$\mathbf{b}=\mathbf{S}\mathbf{a}/(\mathbf{a}^\top\mathbf{S}\mathbf{a})=#$. Its error is $#$.", best,
              mean_error(S, a, best))  # fmt: skip
    least = S[0][0] + S[1][1] - large
    tell.says(r"$\mathbf{S}\mathbf{u}=#$ for $\mathbf{u}=#$, and the other eigenvalue is $#$. The larger one belongs "
              r"to $\mathbf{u}$, the direction of the decoder, and the smaller one, $#$, is the least error.",
              column([large * k for k in u]), u, least, least)  # fmt: skip
    tell.says("so the encoder lies along $#$ and has the inner product 1 with it. The squared length of $#$ is $#$, so "
              "the encoder is $#$.", u, u, dot(u, u), [k / dot(u, u) for k in u])  # fmt: skip
    tell.done()


def bound(g, mu, s):
    """The estimate of the bound at other values of the encoder, the drawn number fixed."""
    z, v = mu + s * g["eps"], g["variance"]
    gaps = (g["x"][0] - z, g["x"][1] - z * z)
    density = sum(-0.5 * math.log(2 * math.pi * v) - gap**2 / (2 * v) for gap in gaps)
    t = mu + s * np.linspace(-12, 12, 4001)  # the divergence by a sum over a fine grid
    log_q, log_prior = -0.5 * ((t - mu) / s) ** 2 - math.log(s), -0.5 * t**2
    divergence = float((np.exp(log_q) * (log_q - log_prior)).sum() * (t[1] - t[0]) / math.sqrt(2 * math.pi))
    return density - divergence, density, divergence


@pytest.mark.equation("autoencoder-kl", "autoencoder-sample", "autoencoder-elbo")
@pytest.mark.equation("autoencoder-gradient-mu", "autoencoder-gradient-s")
@each_seed()
def test_variational_bound_answer(seed):
    g, answer = drawn("variational-bound", seed).given, drawn("variational-bound", seed).answer
    z = g["mu"] + g["s"] * g["eps"]
    assert answer["code"] == z
    assert answer["rebuilt"] == [z, z * z]
    whole, density, divergence = bound(g, g["mu"], g["s"])
    assert answer["divergence"] == pytest.approx(divergence, abs=1e-8)
    assert answer["density"] == pytest.approx(density)
    assert answer["bound"] == pytest.approx(whole, abs=1e-8)
    h = 1e-3
    by_mu = (bound(g, g["mu"] + h, g["s"])[0] - bound(g, g["mu"] - h, g["s"])[0]) / (2 * h)
    by_s = (bound(g, g["mu"], g["s"] + h)[0] - bound(g, g["mu"], g["s"] - h)[0]) / (2 * h)
    assert answer["by_mu"] == pytest.approx(by_mu, abs=1e-2)
    assert answer["by_s"] == pytest.approx(by_s, abs=1e-2)


@each_seed()
def test_every_number_of_variational_bound(seed):
    drill = drawn("variational-bound", seed)
    g = drill.given
    mu, s, v, eps = (Fraction(g[k]).limit_denominator(10) for k in ("mu", "s", "variance", "eps"))
    z = mu + s * eps
    gap = [g["x"][0] - z, g["x"][1] - z * z]
    square = gap[0] ** 2 + gap[1] ** 2
    divergence = bound(g, g["mu"], g["s"])[2]
    density = -math.log(6.2832 * v) - float(square / (2 * v))
    ask, tell = pages(drill)
    ask.says(r"$z\sim\mathcal{N}(0,1)$, and the decoder $g(z)=(z, z^2)$")
    ask.says("Gaussian noise of variance $#$ in both directions", v)
    ask.says(r"For $\mathbf{x}=#$ the encoder says $\mu=#$ and $s=#$, and the standard normal number $\varepsilon=#$",
             g["x"], mu, s, eps)  # fmt: skip
    ask.says("with 6.2832 for 2 pi")
    ask.done()
    tell.says(r"$\tfrac12(\mu^2+s^2-1-\ln s^2)=#$.", divergence)
    tell.says(r"$z=\mu+s\,\varepsilon=#$, and $g(z)=#$.", z, [z, z * z])
    tell.says("the squared distance is $#$. In two dimensions the density is $#$.", square, density)
    tell.says(r"the log density minus the divergence, $\approx#$.", density - divergence)
    slope = (gap[0] + 2 * z * gap[1]) / v
    tell.says("the log density grows with $#$, the differences", slope)
    tell.says(r"By $\mu$ the code grows with 1 and the divergence with $\mu$: $#$.", slope - mu)
    tell.says(
        r"By $s$ the code grows with $\varepsilon$ and the divergence with $s-1/s$: $#$.", slope * eps - s + 1 / s
    )
    tell.done()
