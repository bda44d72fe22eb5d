"""Exercises on estimation: posteriors by SciPy and the library, moments and evidence by quadrature and enumeration."""

from itertools import combinations_with_replacement

import numpy as np
from scipy import special, stats
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.foundations.estimation import NormalNormal
from tests.formulas.values import At
from tests.solutions.derivatives import slopes
from tests.solutions.ledger import Worked

THETA, LAM, MU, SIGMA, TAU = r"\theta", r"\lambda", r"\mu", r"\sigma", r"\tau"
S = r"\boldsymbol{\Sigma}"
ABOVE = {r"\mathcal{N}": At(lambda mean, variance: mean + np.sqrt(variance))}  # one deviation above the mean
BETA = {r"\mathrm{Beta}": At(lambda a, b: np.array([a, b])), "B": At(special.beta)}


def _moment(f, law, low=-np.inf, high=np.inf):
    """An expectation by quadrature."""
    return quad(lambda t: f(t) * law.pdf(t), low, high, epsabs=1e-13)[0]


def _mode(a, b):
    """Where a Beta density with an inner maximum is flat."""
    return brentq(lambda t: slopes(lambda u: (a - 1) * np.log(u) + (b - 1) * np.log(1 - u), t), 1e-9, 1 - 1e-9)


def _evidence(ones, zeros):
    """The mean likelihood of a sequence under the uniform prior."""
    return quad(lambda t: t**ones * (1 - t) ** zeros, 0, 1, epsabs=1e-14)[0]


def ex_gaussian():
    x, mean, sd = np.array([0.3, 1.9, -0.4, 1.2]), 0.5, 0.8
    N, fit = len(x), stats.norm.fit(x)
    density = lambda m, s: sum(-0.5 * ((v - m) / s) ** 2 - np.log(s * np.sqrt(2 * np.pi)) for v in x)
    expected = sd**2 * stats.chi2(N - 1).mean() / N
    by_mean, by_sd = r"\partial\ell/\partial\mu", r"\partial\ell/\partial\sigma"
    top = {MU: fit[0], SIGMA: fit[1], "x_#": x, "n": range(1, N + 1), "N": N}
    return Worked(
        {"x_#": x, "n": range(1, N + 1), "N": N, MU: mean, SIGMA: sd, r"\hat\mu": fit[0], r"\hat\sigma": fit[1],
         r"\bar x": fit[0], r"\ell": stats.norm(mean, sd).logpdf(x).sum(), r"\mathbb{E}\hat\sigma^2": expected},
        own={by_mean + r" = \frac{1}{\sigma^2} \sum_n (x_n - \mu) = 0":
             {**top, by_mean: slopes(lambda m: density(m, fit[1]), fit[0])},
             by_sd + r" = -\frac N\sigma + \frac{1}{\sigma^3} \sum_n (x_n - \mu)^2 = 0":
             {**top, by_sd: slopes(lambda s: density(fit[0], s), fit[1])}},
        numbers=[x.var(), expected, sd * sd * sd],
    )  # fmt: skip


def ex_poisson():
    x, a, b, lam = np.array([3, 0, 2, 4, 1, 2]), 3, 2, 1.3
    N, total = len(x), x.sum()
    score = lambda t: sum(v / t - 1 for v in x)
    posterior = stats.gamma(a + total, scale=1 / (b + N))
    best = brentq(score, 0.1, 9)
    mode = brentq(lambda t: score(t) + slopes(lambda u: (a - 1) * np.log(u) - b * u, t), 0.1, 9)
    data = {"x_#": x, "n": range(1, N + 1), "N": N, "a": a, "b": b}
    prior = r"p(\lambda) \propto \lambda^{a-1} e^{-b\lambda}"
    second = r"\ell'' = -\sum_n x_n/\lambda^2 < 0"
    return Worked(
        {**data, "x": 4, LAM: lam, r"p(x\mid\lambda)": stats.poisson(lam).pmf(4), "a'": a + total, "b'": b + N},
        own={
            "x = 0": {"x": 0},
            prior: {**data, LAM: range(1, 6), r"p(\lambda)": At(stats.gamma(a, scale=1 / b).pdf, LAM)},
            r"\ell' = \sum_n x_n/\lambda - N = 0": {**data, LAM: best, r"\ell'": score(best)},
            second: {**data, LAM: lam, r"\ell''": slopes(score, lam)},
            r"\lambda = 0 = \bar x": {LAM: 0, r"\bar x": np.zeros(N).mean()},
            "(a' - 1)/\\lambda = b'": {"a'": a + total, "b'": b + N, LAM: mode},
        },
        numbers=[1, 2, x, 0, 0, 0, 0],
        known=[mode, _moment(lambda t: t, posterior, 0)],
    )  # fmt: skip


def ex_uniform():
    theta, x, t = 2.5, np.array([0.7, 2.1, 1.6, 0.2]), 1.9
    N = len(x)
    density = lambda t: stats.beta(N, 1).pdf(t / theta) / theta  # of the largest
    mean = quad(lambda t: t * density(t), 0, theta)[0]
    return Worked(
        {"x_#": x, "n": range(1, N + 1), THETA: theta, "N": N, "t": t, r"\mathbb{E}\hat\theta_{\mathrm{ML}}": mean,
         r"\int_0^\theta N t^N/\theta^N\, dt": mean},
        numbers=[x[0], [0, theta], 0, 0, slopes(lambda s: np.prod([1 / s for _ in x]), theta), 0, density(t),
                 x.max() * theta / mean],
    )  # fmt: skip


def ex_disease():
    ill = 0.01
    rates = np.array([0.9, 0.05])
    once = np.array([ill, 1 - ill]) * rates
    twice = once / once.sum() * rates
    return Worked(
        numbers=[100 * ill, 100 * rates, ill, rates],
        known=[once.sum(), once[0] / once.sum(), 13 * twice.sum(), twice[0] / twice.sum()],
    )


def ex_words():
    counts = np.array([2, 4, 4, 0, 1, 1, 0, 1, 0, 4])
    posterior = stats.dirichlet(counts + np.ones(10))
    total = 1 / posterior.mean()[3]  # the fourth word keeps the one of the prior
    flat = counts / counts.sum()
    alpha = 1.7
    return Worked(
        {r"\alpha_k": 1, r"\alpha": alpha},
        worlds=[{r"\alpha_k": round(posterior.mean()[3] * total) + 1}],
        numbers=[counts.sum(), counts, 1, posterior.mean() * total, total, total, flat[3], 0.7],
    )


def ex_midge():
    x = np.array([1.64, 1.70, 1.72, 1.74, 1.82, 1.82, 1.82, 1.90, 2.08])
    N, mean, guess, spread, sd, chi = len(x), x.mean(), 1.9, 0.01, 0.3, 1.5
    after = NormalNormal(guess, sd**2, sd**2).update(x)
    about = np.sum((x - after.mean) ** 2)
    gamma = (spread + about + (after.mean - guess) ** 2) / (1 + N)
    squares = x.var() * N
    return Worked(
        {r"\bar x": mean, "s": x.std(ddof=1), "N": N, r"\kappa_0": 1, r"\nu_0": 1, r"\kappa_N": 1 + N, r"\nu_N": 1 + N,
         r"\gamma_0": spread, r"\gamma_N": gamma, r"\mu_0": guess, r"\mu_N": after.mean, SIGMA: sd, r"\sigma_0": sd,
         r"\sigma_N": np.sqrt(after.var), r"\chi": chi},
        numbers=[
            x, guess, spread, np.var(x, ddof=1), sd**2, sd**2, chi**2, squares,
            after.mean / after.var, sd**2, spread, squares,
        ],
        known=[x.sum(), after.mean, gamma, gamma * (1 + N)],
    )  # fmt: skip


def ex_euro():
    N, heads = 250, 140
    fair, unknown = 0.5**N, special.beta(heads + 1, N - heads + 1)
    ratio = lambda k: special.beta(k + 1, N - k + 1) * 2.0**N
    first = next(k for k in range(N // 2, N) if ratio(k) > 10)
    assert ratio(N - first) > 10
    return Worked(
        {"B": At(special.beta)},
        numbers=[
            N, heads, N, 0.5, 10, 1, ratio(heads), 1, first, first / N, first - 1, round(ratio(first - 1)), N - first,
            1,
        ],
        known=[heads + 1, N - heads + 1, fair * 1e76, unknown * 1e76],
    )  # fmt: skip


def ex_average():
    fair, unknown = [0.5**k for k in (1, 2, 3)], [_evidence(k, 0) for k in (1, 2, 3)]
    return Worked(
        {**BETA, "k": 2},
        numbers=[
            0.5,
            3,
            fair,
            unknown,
            unknown[0] / (unknown[0] + fair[0]),
            0.5,
            _evidence(3, 0) / _evidence(2, 0),
            0.5,
            _evidence(4, 0) / _evidence(3, 0),
        ],
    )


def ex_ridge():
    x, y, sd, tau, w, s = np.array([0.3, -1.2, 0.8]), np.array([0.5, -0.7, 1.1]), 0.6, 0.9, 0.4, 0.2
    N = len(x)
    joint = lambda w: stats.norm(w * x, sd).logpdf(y).sum() + stats.norm(0, tau).logpdf(w)
    best = np.linalg.lstsq(np.append(x / sd, 1 / tau)[:, None], np.append(y / sd, 0))[0][0]
    data = {"x_#": x, "y_#": y, "n": range(1, N + 1), "N": N, SIGMA: sd, TAU: tau}
    constant = -stats.norm(0, sd).logpdf(0) * N - stats.norm(0, tau).logpdf(0)
    mean_loss = lambda w: sum((b - w * a) ** 2 for a, b in zip(x, y, strict=True)) / N
    same = -slopes(mean_loss, best) / (2 * best)
    return Worked(
        {**data, **ABOVE, "w": w, "s": s, r"\hat w": best},
        own={
            r"\varepsilon_n \sim \mathcal{N}(0, \sigma^2)": {**ABOVE, SIGMA: sd, r"\varepsilon_n": sd},
            r"w \sim \mathcal{N}(0, \tau^2)": {**ABOVE, TAU: tau, "w": tau},
            r"-\frac{1}{\sigma^2} \sum_n x_n (y_n - w x_n) + \frac{w}{\tau^2} = 0": {**data, "w": best},
            r"s = \frac{\sigma^2}{N\tau^2}": {**data, "s": same},
        },
        numbers=[sd, tau, np.mean((y - w * x) ** 2) + s * w * w, -joint(w) - constant,
                 (mean_loss(w) + same * w**2) / (-joint(w) - constant), 2],
    )  # fmt: skip


def _coin_on_a_grid(x):
    """Tosses with a Beta prior, with a parameter in sixths as an index."""
    chance = lambda t: stats.bernoulli(t / 6).pmf(x)
    prior = lambda t: stats.beta(2, 3).pdf(t / 6)
    loss = lambda t: -np.log(chance(t)).mean()
    points = np.arange(1, 6)
    losses = np.array([loss(t) for t in points])
    symbols = {
        THETA: range(1, 6), "n": range(1, len(x) + 1), "N": len(x), r"p(x_#\mid\theta)": At(chance, THETA),
        r"p(x_#,y_#\mid\theta)": At(lambda t: np.diag(chance(t)), THETA), r"p(\theta)": At(prior, THETA),
        LAM: 1 / len(x),
    }  # fmt: skip
    whole = losses - np.log(prior(points)) / len(x)
    # the minimum is that of the sum only, as it is written
    return symbols, [losses - np.log(prior(points)), losses.min() - np.log(prior(points)), whole.min()]


def cards():
    grid, losses = _coin_on_a_grid([1, 1, 0, 1])
    data = np.array([[0.3, 1.2], [-0.8, 0.4], [1.1, -0.5]])
    N, D = data.shape
    mu = np.array([0.2, 0.1])
    cov = np.array([[1.5, 0.3], [0.3, 0.7]])
    wrong = np.eye(D) / np.sqrt(2 * np.pi)  # where the wrong line happens to be right
    of = lambda M: stats.multivariate_normal(mu, M)
    vectors = {"N": N, "D": D, "n": range(1, N + 1), r"\mathbf{x}_#": data, r"\boldsymbol{\mu}": mu, S: cov,
               r"\ldots": np.sum((data - mu) * np.linalg.solve(cov, (data - mu).T).T) / 2}  # fmt: skip
    wrong_line = (
        r"\log p(\mathbf{X} \mid \boldsymbol{\mu}, \boldsymbol{\Sigma}) = \frac N2 \log |\boldsymbol{\Sigma}| "
        r"- \frac12 \sum_n (\mathbf{x}_n - \boldsymbol{\mu})^\top \boldsymbol{\Sigma}^{-1} "
        r"(\mathbf{x}_n - \boldsymbol{\mu})"
    )
    tosses, ones, a, b = 5, 3, 2, 4
    after = stats.beta(a + ones, b + tosses - ones)
    ratio = _evidence(ones + 1, tosses - ones) / _evidence(ones, tosses - ones)  # the predictive probability
    sd, before = 0.8, 0.5
    normal = NormalNormal(0, before, sd**2).update(np.zeros(N))
    theta, logit = 0.3, special.logit(0.3)
    spread = stats.chi2(N - 1)
    error = lambda divisor: spread.var() / divisor**2 + (spread.mean() / divisor - 1) ** 2
    w = np.array([0.6, -1.1])
    six = NormalNormal(0, 1, 4).update(np.full(4, 6.0)).mean
    one = NormalNormal(0, 1, 4).update(np.full(1, 6.0)).mean
    three = stats.beta(4, 1)
    last = max(np.linspace(0, 1, 101), key=three.pdf)
    coin = {"N": tosses, "N_1": ones, "a": a, "b": b}
    return {
        "lost-marks-likelihood": Worked(
            {**BETA, THETA: 3 / (3 + 1)}, numbers=[3 / 4, 1, [5, 5], _mode(5 + 3, 5 + 1)]
        ),
        "lost-marks-n": Worked(grid, numbers=losses),
        "lost-marks-sample": Worked(
            {**vectors, r"\hat{\boldsymbol{\mu}}": data.mean(axis=0)},
            numbers=[np.cov(data.T, bias=True), 1 / 3, 2, 1 / 3, np.var(data[:, 0]) / np.var(data[:, 0], ddof=1), 1 / 3,
                     1 / 2],
        ),
        "lost-marks-joint": Worked(
            {**ABOVE, r"y\mid\mathbf{x}": 0.4 + sd, "f": At(lambda x: 0.4), r"\mathbf{x}": w, SIGMA: sd},
            numbers=[1, 0.4 + sd],
        ),
        "lost-marks-logdet": Worked(
            vectors,
            own={wrong_line: {**vectors, S: wrong, r"p(\mathbf{X}\mid\boldsymbol{\mu},\boldsymbol{\Sigma})":
                              of(wrong).pdf(data).prod()}},
            numbers=[N * np.linalg.slogdet(cov)[1] / 2, np.prod(np.sqrt(np.linalg.eigvalsh(cov))),
                     of(cov).logpdf(data).sum()],
        ),
        "do-not-confuse-map": Worked(
            {**coin, r"\alpha_k": 1},
            numbers=[np.repeat([1, 0], [ones, tosses - ones]).mean(), _mode(a + ones, b + tosses - ones), after.mean(),
                     ratio, 0, 0],
        ),
        "do-not-confuse-terms": Worked(numbers=[1]),
        "do-not-confuse-variances": Worked(
            {"N": N, SIGMA: sd, r"\sigma_N": np.sqrt(normal.var)},
            numbers=[stats.norm(0, sd).var(), stats.norm(0, sd).var() / N, 0, normal.var, 0, normal.var + sd * sd],
        ),
        "what-if-twice": Worked(numbers=[len([*data, *data]) / N]),
        "what-if-unit": Worked(
            {r"\hat\sigma": data.std()},
            numbers=[np.mean(1000 * data) / np.mean(data), data.var(), np.var(1000 * data) / np.var(data),
                     stats.norm(0, 1).logpdf(0) - stats.norm(0, 1000).logpdf(0)],
        ),
        "counterexample-map": Worked(
            {THETA: theta, r"\phi": logit, r"d\theta/d\phi": slopes(lambda v: 1 / (1 + np.exp(-v)), logit)},
        ),
        "counterexample-unbiased": Worked(
            {"N": N, SIGMA: sd}, numbers=[2, N + 1, error(N), error(N + 1), stats.norm(0, sd).var() ** 2, error(N - 1)]
        ),
        "counting-parameters": Worked(
            {"K": 4, "D": D},
            numbers=[1, 4 - 1, 2, D + len([*combinations_with_replacement(range(D), 2)]), 64, 17, sum([17 - 1] * 64),
                     float(17**64 - 1)],
        ),
        "convention-divisor": Worked(
            {**ABOVE, "N": N, MU: 0.4, SIGMA: sd}, numbers=[N - 1, 0.4 + sd, 1 / stats.norm(0, sd).var()]
        ),
        "convention-pseudocounts": Worked({r"\alpha_k": 1}, worlds=[{r"\alpha_k": 2}], numbers=[0]),
        "convention-binomial": Worked(coin, numbers=[stats.binom(tosses, 0.5).pmf(ones) * 2**tosses]),
        "quiz-three-heads": Worked(
            BETA,
            numbers=[3, 3, 1, three.mean(), 1, 1, 1, last, three.mean(), [4, 1], last, three.mean(), 1, 0.75,
                     three.mean()],
        ),
        "quiz-n": Worked(
            {"s": 0.7, LAM: 0.7 * N, r"\mathbf{w}": w, "N": N}, numbers=[0.7 * w @ w, 1 / N, N / (10 * N)]
        ),
        "quiz-evidence": Worked(numbers=[1]),
        "quiz-normal": Worked(
            {r"\mathcal{N}": At(lambda mean, variance: np.array([mean, variance]))},
            numbers=[0, 1, 4, 6, 6, six, 1, 0.5, 0, 6, np.average([6, 0], weights=[4, 1]), 4, one, 4,
                     (1 / 4) / (1 / 1)],
        ),
        "tf-bias": Worked({"N": N}, numbers=[np.var(data[:, 0]) / np.var(data[:, 0], ddof=1)]),
        "tf-likelihood": Worked({"B": At(special.beta)}, numbers=[1, 1, _evidence(7, 3), 1]),
        "tf-precision": Worked(
            BETA, numbers=[[1, 9], stats.beta(1, 9).var(), [1 + 1, 9], stats.beta(1 + 1, 9).var()],
            known=[(1 + 9) ** 2 * (1 + 9 + 1), (2 + 9) ** 2 * (2 + 9 + 1)],
        ),
        "tf-uniform": Worked(coin, numbers=[ratio, ones / tosses, 1 / 2]),
        "tf-below-one": Worked(numbers=[1]),
    }  # fmt: skip
