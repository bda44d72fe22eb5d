"""Drills on estimation: a Gaussian fit, a maximum of a posterior, and a Dirichlet posterior, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.foundations.estimation import (
    BetaBernoulli,
    DirichletCategorical,
    NormalNormal,
    bernoulli_mle,
    categorical_mle,
    category_counts,
    gaussian_mle,
    laplace_mle,
)


@drill("gaussian-mle", marks=8, minutes=10, title="Maximum likelihood: Gaussian and Laplace")
def gaussian(rng: np.random.Generator) -> Parts:
    """Mean, both variances and the Laplace fit of four to six whole numbers with a whole mean."""
    while True:
        x = rng.integers(0, 13, size=int(rng.integers(4, 7)))
        if x.sum() % len(x) == 0 and len(set(x.tolist())) >= 3:
            break
    n, (mu, var), (m, b) = len(x), gaussian_mle(x), laplace_mle(x)
    d, S, A = x - mu, var * n, b * n
    statement = "\n".join(
        [
            f"{n} measurements: ${', '.join(map(str, x))}$.",
            "",
            "1. Give the maximum-likelihood estimates $\\hat\\mu$ and $\\hat\\sigma^2$ of a Gaussian (3 marks).",
            "2. Give the unbiased estimate of the variance (1 mark).",
            "3. What is $\\partial \\ell / \\partial \\mu$ of the log-likelihood at $\\mu = 0$, "
            "$\\sigma^2 = \\hat\\sigma^2$? (1 mark)",
            "4. Give the maximum-likelihood estimates $\\hat m$ and $\\hat b$ of a Laplace distribution; of two middle "
            "numbers take the mean (3 marks).",
            "",
            "Fill in:",
            "",
            table([[int(v), "", "", ""] for v in x], _GAUSSIAN).markdown,
        ]
    )
    ordered = np.sort(x)
    low, high = ordered[(n - 1) // 2], ordered[n // 2]
    if low == high:
        middle = "the middle number" if n % 2 else "both middle numbers"
    else:
        middle = (
            f"half-way between the two middle numbers {low} and {high} (any point from one to the other is as good)"
        )
    score = n * mu / var
    lines = [
        f"**Gaussian** (1 mark for the mean, 1 for the squares, 1 for the division by $N$): $\\hat\\mu = "
        f"\\frac{{{x.sum()}}}{{{n}}} = {sig(mu)}$.",
        "",
        table([[int(v), a, a**2, abs(v - m)] for v, a in zip(x, d, strict=True)], _GAUSSIAN).markdown,
        "",
        f"The squares add up to ${sig(S)}$, so $\\hat\\sigma^2 = \\frac{{{sig(S)}}}{{{n}}} = {sig(var)}$.",
        "",
        f"**Unbiased** (1 mark): divide by $N - 1$: $\\frac{{{sig(S)}}}{{{n - 1}}} = {sig(S / (n - 1))}$.",
        "",
        f"**Score** (1 mark): $\\frac{{1}}{{\\hat\\sigma^2}} \\sum_n (x_n - 0) = "
        f"\\frac{{{n}}}{{{sig(S)}}} \\cdot {x.sum()} = {sig(score)}$. One over the variance, not over $\\sigma$.",
        "",
        f"**Laplace** (1 mark for the sorted numbers, 1 for the median, 1 for the scale): sorted "
        f"${', '.join(map(str, ordered))}$; $\\hat m = {sig(m)}$ is {middle}. The distances from it add up to "
        f"${sig(A)}$, so $\\hat b = \\frac{{{sig(A)}}}{{{n}}} = {sig(b)}$.",
    ]
    answer = {"mu": mu, "var": var, "unbiased": S / (n - 1), "score": score, "median": m, "b": b}
    squares, distances = (" + ".join(form.format(v) for v in x) for form in ("({} - mu)^2", "abs({} - median)"))
    divisor = "estimation-convention-divisor"
    var_slips = [
        ask.slip(S / (n - 1), "That divides by $N - 1$; maximum likelihood divides by $N$.", card=divisor),
        ask.slip(float(var**0.5), "That is the standard deviation; $\\hat\\sigma^2$ is the variance.", card=divisor),
    ]
    unbiased_slip = ask.slip(
        var,
        "That divides by $N$, as maximum likelihood does; unbiased is the divisor $N - 1$.",
        card="estimation-lost-marks-sample",
    )
    score_slip = ask.slip(
        float(n * mu / var**0.5), "That divides by $\\hat\\sigma$; the variance $\\hat\\sigma^2$ divides.", card=divisor
    )
    b_slip = ask.slip(A / (n - 1), "That divides by $N - 1$; maximum likelihood divides by $N$.", card=divisor)
    fields = [
        ask.number("mu", "$\\hat\\mu$", 1),
        ask.number("var", "$\\hat\\sigma^2$", 1, 2, follows=f"({squares}) / {n}", slips=var_slips),
        ask.number(
            "unbiased",
            "unbiased estimate of the variance",
            2,
            follows=f"var * {n} / {n - 1}",
            slips=[unbiased_slip],
        ),
        ask.number("score", "the derivative", 3, follows=f"{x.sum()} / var", slips=[score_slip]),
        ask.number("median", "$\\hat m$; of two middle numbers their mean", 4, 2),
        ask.number("b", "$\\hat b$", 4, follows=f"({distances}) / {n}", slips=[b_slip]),
    ]
    return Parts(statement, {"x": x.tolist()}, "\n".join(lines), answer, fields)


@drill("map-estimate", marks=8, minutes=10, title="MAP estimate of a coin")
def map_estimate(rng: np.random.Generator) -> Parts:
    """Either a coin with a Beta prior, or a mean with a normal prior; posterior, MLE, MAP, posterior mean."""
    return _coin(rng) if rng.integers(2) else _mean(rng)


def _coin(rng: np.random.Generator) -> Parts:
    while True:
        n, a, b = int(rng.integers(3, 11)), int(rng.integers(2, 6)), int(rng.integers(2, 6))
        N_1 = int(rng.integers(0, n + 1))
        if N_1 * (a + b - 2) != (a - 1) * n:  # else data and prior agree, and MLE and MAP are equal
            break
    x = np.repeat([1, 0], [N_1, n - N_1])
    prior = BetaBernoulli(a, b)
    posterior = prior.update(x)
    A, B = int(posterior.a), int(posterior.b)
    twice = float(np.exp(posterior.log_evidence([1, 1])))
    statement = "\n".join(
        [
            f"In {n} tosses of a coin, {N_1} are heads. Prior: $\\theta \\sim \\mathrm{{Beta}}({a}, {b})$.",
            "",
            "1. Derive the posterior (2 marks).",
            "2. Give the maximum-likelihood estimate, the MAP estimate and the posterior mean (3 marks).",
            "3. Which penalty, as a function of $\\theta$, makes "
            "$\\frac{1}{N} \\big( -\\log p(\\mathcal{D} \\mid \\theta) + \\Omega(\\theta) \\big)$ minimal at the MAP "
            "estimate? (1 mark)",
            "4. How probable are two heads in the next two tosses? (2 marks)",
        ]
    )
    lines = [
        f"**Posterior** (1 mark for the product, 1 for the result): "
        f"$\\theta^{{{N_1}}} (1 - \\theta)^{{{n - N_1}}} \\cdot \\theta^{{{a} - 1}} (1 - \\theta)^{{{b} - 1}} = "
        f"\\theta^{{{A - 1}}} (1 - \\theta)^{{{B - 1}}}$, so "
        f"$\\theta \\mid \\mathcal{{D}} \\sim \\mathrm{{Beta}}({A}, {B})$.",
        "",
        f"**Estimates** (1 mark each): MLE $\\frac{{{N_1}}}{{{n}}} = {sig(bernoulli_mle(x))}$; MAP "
        f"$\\frac{{{A} - 1}}{{{A} + {B} - 2}} = {_fraction(A - 1, A + B - 2)} = {sig(posterior.mode)}$; mean "
        f"$\\frac{{{A}}}{{{A} + {B}}} = {_fraction(A, A + B)} = {sig(posterior.mean)}$.",
        "",
        f"**Penalty** (1 mark): the negative log-prior, $\\Omega(\\theta) = -{_times(a - 1)}\\log \\theta - "
        f"{_times(b - 1)}\\log(1 - \\theta)$. It stands inside the bracket, so it is divided by $N = {n}$ too.",
        "",
        f"**Two heads** (1 mark for updating in between, 1 for the number): "
        f"${_fraction(A, A + B)} \\cdot {_fraction(A + 1, A + B + 1)} = {sig(twice)}$. The square of the mean, "
        f"{sig(posterior.mean**2)}, forgets that the first head is news about the coin.",
    ]
    given = {"kind": "coin", "heads": N_1, "tosses": n, "a": a, "b": b}
    answer = {
        "posterior": [A, B],
        "mle": bernoulli_mle(x),
        "map": posterior.mode,
        "mean": posterior.mean,
        "two": twice,
    }
    exponents = ask.slip(
        [A - 1, B - 1], _EXPONENTS.format(dist="Beta distribution"), card="estimation-convention-pseudocounts"
    )
    plug_in = ask.slip(
        posterior.mean**2,
        "That is the square of the posterior mean; the first head is news, so the second is more probable.",
        card="estimation-do-not-confuse-terms",
    )
    card, total = "estimation-do-not-confuse-map", "sum(posterior)"
    fields = [
        ask.vector("posterior", "parameters of the posterior Beta", 1, 2, whole=True, slips=[exponents]),
        ask.number(
            "mle", "maximum-likelihood estimate", 2, percent=True, slips=[ask.slip(posterior.mode, _IS_MODE, card=card)]
        ),
        ask.number(
            "map",
            "MAP estimate",
            2,
            percent=True,
            follows=f"(posterior[0] - 1) / ({total} - 2)",
            slips=[ask.slip(posterior.mean, _IS_MEAN, card=card)],
        ),
        ask.number(
            "mean",
            "posterior mean",
            2,
            percent=True,
            follows=f"posterior[0] / {total}",
            slips=[ask.slip(posterior.mode, _NOT_MODE, card=card)],
        ),
        ask.own("penalty", "the penalty $\\Omega(\\theta)$", 3),
        ask.number(
            "two",
            "probability of two heads",
            4,
            2,
            **ask.DERIVED,
            follows=f"mean * (posterior[0] + 1) / ({total} + 1)",
            slips=[plug_in],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _mean(rng: np.random.Generator) -> Parts:
    while True:
        x = rng.integers(1, 13, size=int(rng.integers(2, 6)))
        m_0, s2 = int(rng.integers(0, 11)), int(rng.choice([1, 2, 4, 6, 8, 9, 12]))
        v = Fraction(s2, int(rng.choice([1, 2, 3, 4])))
        if x.sum() % len(x) == 0 and x.mean() != m_0 and v.denominator == 1:
            break
    n, xbar = len(x), int(x.mean())
    posterior = NormalNormal(m_0, float(v), s2).update(x)
    lam = s2 / v  # prior worth this many measurements
    precision = 1 / v + Fraction(n, s2)
    d = lcm(int(v), s2)
    common = "" if v == s2 else f"\\frac{{{d // int(v)}}}{{{d}}} + \\frac{{{n * d // s2}}}{{{d}}} = "
    worth = "1 measurement" if lam == 1 else f"${_show(lam)}$ measurements"
    statement = "\n".join(
        [
            f"{n} measurements ${', '.join(map(str, x))}$ of a quantity $\\mu$ have independent Gaussian noise of "
            f"variance $\\sigma^2 = {s2}$. Prior: $\\mu \\sim \\mathcal{{N}}({m_0}, {v})$.",
            "",
            "1. Give the maximum-likelihood estimate (1 mark).",
            "2. Give precision and variance of the posterior (2 marks).",
            "3. Give its mean, which is the MAP estimate (2 marks).",
            f"4. The same estimate minimises $\\frac{{1}}{{N}} \\sum_n (x_n - \\mu)^2 + s\\, (\\mu - {m_0})^2$. "
            "Find $s$ (2 marks), and say what it tends to as $N$ grows (1 mark).",
        ]
    )
    lines = [
        f"**MLE** (1 mark): $\\bar x = \\frac{{{x.sum()}}}{{{n}}} = {xbar}$.",
        "",
        f"**Precisions add** (1 mark), the variance is the reciprocal (1 mark): "
        f"$\\frac{{1}}{{{v}}} + \\frac{{{n}}}{{{s2}}} = "
        f"{common}{_show(precision)}$, so "
        f"$\\sigma_N^2 = {_decimal(1 / precision)}$.",
        "",
        f"**Mean** (1 mark for the weights, 1 for the value): $\\mu_N = \\sigma_N^2 \\big( \\frac{{{m_0}}}{{{v}}} + "
        f"\\frac{{{x.sum()}}}{{{s2}}} \\big) = "
        f"\\frac{{{_show(lam)} \\cdot {m_0} + {n} \\cdot {xbar}}}{{{_show(lam)} + {n}}} = "
        f"{_decimal(Fraction(lam * m_0 + n * xbar) / (lam + n))}$. The prior counts as "
        f"$\\sigma^2 / \\sigma_0^2 = {_show(lam)}$: {worth} of {m_0}.",
        "",
        f"**Penalty** (1 mark for $\\sigma^2/\\sigma_0^2$, 1 for the $N$): multiply the negative log-posterior by "
        f"$2 \\sigma^2 / N$: $s = \\frac{{\\sigma^2}}{{N \\sigma_0^2}} = \\frac{{{_show(lam)}}}{{{n}}} = "
        f"{sig(float(lam / n))}$. It tends to 0 as $N$ grows: the data take over (1 mark).",
    ]
    given = {"kind": "mean", "x": x.tolist(), "noise_var": s2, "prior_mean": m_0, "prior_var": int(v)}
    answer = {
        "mle": float(xbar),
        "precision": 1 / posterior.var,
        "var": posterior.var,
        "map": posterior.mode,
        "strength": float(lam / n),
        "limit": 0.0,
    }
    variances = "estimation-do-not-confuse-variances"
    precision_slip = ask.slip(
        float(1 / v + Fraction(1, s2)), "That counts one measurement; all $N$ add their precision.", card=variances
    )
    var_slip = ask.slip(
        s2 / n,
        "That is the variance of the mean over data sets; the posterior has the precision of the prior, too.",
        card=variances,
    )
    map_slip = ask.slip(
        float(xbar),
        "That is the maximum-likelihood estimate; the MAP estimate is drawn to the mean of the prior.",
        card="estimation-do-not-confuse-map",
    )
    strength_slip = ask.slip(
        float(lam),
        "That leaves out the $N$: where the loss is a mean, the penalty is divided by $N$ as well.",
        card="estimation-lost-marks-n",
    )
    fields = [
        ask.number("mle", "maximum-likelihood estimate", 1),
        ask.number("precision", "precision of the posterior", 2, slips=[precision_slip]),
        ask.number("var", "variance of the posterior", 2, follows="1 / precision", slips=[var_slip]),
        ask.number("map", "MAP estimate", 3, 2, follows=f"var * ({m_0} / {v} + {n} * mle / {s2})", slips=[map_slip]),
        ask.number("strength", "$s$", 4, 2, slips=[strength_slip]),
        ask.number("limit", "its limit", 4),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("dirichlet-posterior", marks=8, minutes=10, title="Dirichlet posterior of a categorical variable")
def dirichlet(rng: np.random.Generator) -> Parts:
    """Counts of three or four categories, one perhaps never seen: posterior, MLE, MAP, predictive, two draws."""
    while True:
        K = int(rng.integers(3, 5))
        counts = rng.integers(0, 6, size=K)
        counts[int(rng.integers(K))] += 1  # at least one draw
        alpha = np.full(K, int(rng.integers(2, 4))) if rng.integers(2) else rng.integers(1, 4, size=K)
        alpha[0] = max(alpha[0], 2)  # the mode is defined
        if (counts * (alpha - 1).sum() != (alpha - 1) * counts.sum()).any():  # else MLE and MAP are equal
            break
    i, j = (int(v) for v in rng.integers(0, K, size=2))
    x = np.repeat(np.arange(K), counts)
    posterior = DirichletCategorical(alpha).update(x)
    new = posterior.alpha.astype(int)
    total, mle = int(new.sum()), categorical_mle(x, K)
    pair = float(np.exp(posterior.log_evidence([i, j])))
    names = "ABCD"[:K]
    statement = "\n".join(
        [
            f"A categorical variable with values {', '.join(names)} was seen "
            f"{', '.join(str(c) for c in category_counts(x, K))} times. Prior: $\\boldsymbol{{\\theta}} \\sim "
            f"\\mathrm{{Dirichlet}}({', '.join(map(str, alpha))})$.",
            "",
            "1. Give the posterior (1 mark).",
            "2. Give the maximum-likelihood estimate, the MAP estimate and the posterior mean (3 marks).",
            f"3. How probable is it that the next value is {names[i]}, and the one after it {names[j]}? (3 marks)",
            "4. Which of the three estimates cannot be 0 for a value that was never seen, whatever the prior? (1 mark)",
            "",
            "Fill in:",
            "",
            table([[c, "", "", "", ""] for c in names], _DIRICHLET).markdown,
        ]
    )
    mode = [Fraction(int(v) - 1, total - K) for v in new]
    mean = [Fraction(int(v), total) for v in new]
    second = Fraction(int(posterior.update(i).alpha[j]), total + 1)
    rows = [
        [names[k], int(new[k]), f"${_show(Fraction(int(counts[k]), len(x)))}$", f"${_show(mode[k])}$",
         f"${_show(mean[k])}$"]
        for k in range(K)
    ]  # fmt: skip
    lines = [
        f"**Posterior** (1 mark): add the counts, $\\mathrm{{Dirichlet}}({', '.join(map(str, new))})$.",
        "",
        f"**Estimates** (1 mark each): $N = {len(x)}$, the new parameters add up to ${total}$, and less $K = {K}$ to "
        f"${total - K}$.",
        "",
        table(rows, _DIRICHLET).markdown,
        "",
        "**Two values** (1 mark for the first, 1 for updating, 1 for the product): "
        f"$P({names[i]}) = {_show(mean[i])}$. "
        f"Then {names[i]} has one count more, and the sum is {total + 1}: $P({names[j]} \\mid {names[i]}) = "
        f"{_show(second)}$. Together ${_show(mean[i])} \\cdot {_show(second)} = {sig(pair)}$.",
        "",
        "**Never seen** (1 mark): the posterior mean, because $\\alpha_k > 0$. The MLE is 0, and the MAP estimate is 0 "
        "if $\\alpha_k = 1$.",
    ]
    given = {"counts": counts.tolist(), "alpha": alpha.tolist(), "first": i, "second": j}
    answer = {
        "posterior": new.tolist(),
        "mle": mle.tolist(),
        "map": posterior.mode.tolist(),
        "mean": posterior.mean.tolist(),
        "pair": pair,
        "never_zero": "posterior mean",
    }
    exponents = ask.slip(
        new - 1, _EXPONENTS.format(dist="Dirichlet distribution"), card="estimation-convention-pseudocounts"
    )
    plug_in = ask.slip(
        float(mean[i] * mean[j]),
        "That multiplies two posterior means; the first value is news and updates the posterior before the second.",
        card="estimation-do-not-confuse-terms",
    )
    options, card = ["MLE", "MAP estimate", "posterior mean"], "estimation-do-not-confuse-map"
    zero = ask.slip(options[1], "The MAP estimate is 0 for an unseen value if $\\alpha_k = 1$.", card=card)
    fields = [
        ask.vector("posterior", "parameters of the posterior", 1, titles=names, whole=True, slips=[exponents]),
        ask.vector(
            "mle",
            "maximum-likelihood estimate",
            2,
            percent=True,
            titles=names,
            slips=[ask.slip(posterior.mode, _IS_MODE, card=card)],
        ),
        ask.vector(
            "map",
            "MAP estimate",
            2,
            percent=True,
            titles=names,
            follows=[f"(posterior[{k}] - 1) / (sum(posterior) - {K})" for k in range(K)],
            slips=[ask.slip(posterior.mean, _IS_MEAN, card=card)],
        ),
        ask.vector(
            "mean",
            "posterior mean",
            2,
            percent=True,
            titles=names,
            follows=[f"posterior[{k}] / sum(posterior)" for k in range(K)],
            slips=[ask.slip(posterior.mode, _NOT_MODE, card=card)],
        ),
        ask.number(
            "pair",
            "probability of the two values in this order",
            3,
            3,
            **ask.DERIVED,
            follows=f"mean[{i}] * (posterior[{j}] + {int(i == j)}) / (sum(posterior) + 1)",
            slips=[plug_in],
        ),
        ask.choice("never_zero", "it cannot be 0", 4, options=options, slips=[zero]),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_EXPONENTS = "These are the exponents of the density; the parameters of a {dist} are larger by 1."
_IS_MODE = "That is the MAP estimate; maximum likelihood leaves the prior out."
_IS_MEAN = "That is the posterior mean; the MAP estimate is the mode, with 1 less from each parameter."
_NOT_MODE = "That is the mode, which is the MAP estimate; the mean takes the parameters as they are."
_GAUSSIAN = ["$x_n$", "$x_n - \\hat\\mu$", "$(x_n - \\hat\\mu)^2$", "$\\lvert x_n - \\hat m \\rvert$"]
_DIRICHLET = ["value", "new $\\alpha_k$", "MLE", "MAP", "mean"]


def _show(value: Fraction) -> str:
    return fraction(value, "frac")


def _decimal(value: Fraction) -> str:
    """A fraction and its decimals; a whole number is said once."""
    return _show(value) if value.denominator == 1 else f"{_show(value)} = {sig(float(value))}"


def _fraction(numerator: int, denominator: int) -> str:
    return f"\\frac{{{numerator}}}{{{denominator}}}"


def _times(factor: int) -> str:
    """A whole factor before a logarithm; 1 is not written."""
    return "" if factor == 1 else f"{factor} "
