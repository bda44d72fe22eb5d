"""Drills on Gaussian mixtures: responsibilities of a point, one step of EM on a line, and AIC and BIC."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.clustering.gmm import EStep, MStep, e_step, log_component_densities, m_step, n_parameters
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket

ROOT = "0.39894"  # 1 / sqrt(2 pi); constants have one digit more than solutions, so that no last digit is off by over 1
ROUNDED = "(Each number is computed from unrounded ones and rounded on its own, so a last digit may differ from yours.)"
WEIGHTS = [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (3, 5)]  # pi_1 as (numerator, denominator)
NAMES = ["A", "B", "C", "D"]
CRITERIA = ["", "covariances", "$K$", "$\\ell$", "$P$", "AIC", "BIC"]
ENTRIES = {  # of the covariances, as one counts them
    "full": "{K} \\cdot {d} \\cdot {s} / 2",
    "tied": "{d} \\cdot {s} / 2",
    "diag": "{K} \\cdot {d}",
    "spherical": "{K}",
}


@drill("gmm-responsibility", marks=6, minutes=8, title="Responsibilities in a Gaussian mixture")
def responsibility(rng: np.random.Generator) -> Parts:
    """Responsibilities of one or two points under two Gaussians on a line."""
    while True:
        top, bottom = WEIGHTS[rng.integers(len(WEIGHTS))]
        weights = np.array([top, bottom - top]) / bottom
        sds = rng.choice([1.0, 2.0], size=2)
        means = rng.integers(-3, 4) + np.array([0.0, float(rng.integers(2, 5))])
        x = np.sort(rng.choice(np.arange(means[0], means[1] + 2), size=rng.integers(1, 3), replace=False))
        step = e_step(x[:, None], weights, means[:, None], sds**2, "spherical")
        if np.abs(step.responsibilities - 0.5).min() > 0.02:  # no tie, so that the last question has one answer
            break
    density = np.exp(log_component_densities(x[:, None], means[:, None], sds**2, "spherical"))
    statement = "\n".join(
        [
            f"A mixture of two Gaussians on the line has $\\pi_1 = {top}/{bottom}$ and "
            f"$\\pi_2 = {bottom - top}/{bottom}$, means $\\mu_1 = {sig(means[0])}$ and "
            f"$\\mu_2 = {sig(means[1])}$, and standard deviations "
            f"$\\sigma_1 = {sig(sds[0])}$ and $\\sigma_2 = {sig(sds[1])}$. "
            f"For {_points(x)} compute",
            "",
            "1. the joint densities $\\pi_k\\,\\mathcal{N}(x \\mid \\mu_k, \\sigma_k^2)$ (2 marks),",
            "2. the mixture density $p(x)$ (1 mark),",
            "3. the responsibilities $\\gamma_1$ and $\\gamma_2$ (2 marks),",
            "4. the component that a hard assignment picks (1 mark).",
            "",
            f"You may use $1/\\sqrt{{2\\pi}} = {ROOT}$ and {_exponentials((x[:, None] - means) / sds)}. Give "
            "the densities to four digits and the responsibilities to three digits.",
        ]
    )
    lines = [
        "The density of component $k$ is "
        f"$\\mathcal{{N}}(x \\mid \\mu_k, \\sigma_k^2) = \\frac{{{ROOT}}}{{\\sigma_k}}\\, e^{{-u_k^2/2}}$ with "
        "$u_k = (x - \\mu_k)/\\sigma_k$. Marks: 2 for the joint densities, 1 for their sum, 2 for the quotients, 1 for "
        f"the hard assignment. {ROUNDED}",
        "",
    ]
    for n, value in enumerate(x):
        joint, gamma = weights * density[n], step.responsibilities[n]
        u, p = (value - means) / sds, joint.sum()
        rows = [[k + 1, u[k], weights[k], density[n, k], joint[k], gamma[k]] for k in range(2)]
        header = ["$k$", "$u_k$", "$\\pi_k$", "$\\mathcal{N}_k$", "$\\pi_k \\mathcal{N}_k$", "$\\gamma_k$"]
        lines += [
            f"**$x = {sig(value)}$**",
            "",
            _table(rows, header),
            "",
            f"$p(x) = {_math(joint[0])} + {_math(joint[1])} = {_math(p)}$, so "
            f"$\\gamma_1 = \\frac{{{_math(joint[0])}}}{{{_math(p)}}} = {_math(gamma[0])}$ and "
            f"$\\gamma_2 = 1 - \\gamma_1 = {_math(gamma[1])}$. "
            f"A hard assignment picks component {1 + int(gamma.argmax())}.",
            "",
        ]
    answer = {
        "joint": (weights * density).tolist(),
        "density": np.exp(step.log_likelihood).tolist(),
        "responsibilities": step.responsibilities.tolist(),
        "assignment": (1 + step.responsibilities.argmax(axis=1)).tolist(),
    }
    given = {"x": x.tolist(), "weights": [top, bottom - top], "means": means.tolist(), "sds": sds.tolist()}
    at = [f"$x = {sig(v)}$" for v in x]
    columns = [f"$\\pi_{k}\\,\\mathcal{{N}}_{k}$" for k in (1, 2)]
    unweighted, places = density / density.sum(axis=1, keepdims=True), range(len(x))
    joint_slip = ask.slip(
        density,
        "These are the densities alone; the joint densities have the weights $\\pi_k$ as factors.",
        card="gmm-do-not-confuse-kmeans",
    )
    density_slip = ask.slip(
        density.sum(axis=1),
        "That adds the densities without their weights; $p(x) = \\sum_k \\pi_k\\,\\mathcal{N}_k$.",
        card="gmm-do-not-confuse-kmeans",
    )
    fields = [
        ask.matrix("joint", "joint densities", 1, 2, rows=at, columns=columns, carried=1, slips=[joint_slip]),
        ask.vector(
            "density",
            "mixture density $p(x)$",
            2,
            titles=at,
            carried=1,
            follows=[f"sum(joint[{n},:])" for n in places],
            slips=[density_slip],
        ),
        ask.matrix(
            "responsibilities",
            "responsibilities",
            3,
            2,
            rows=at,
            columns=_GAMMA,
            **ask.DERIVED,
            follows=[[f"joint[{n},{k}] / density[{n}]" for k in range(2)] for n in places],
            slips=_wrong_responsibilities(step.responsibilities, unweighted),
        ),
        ask.sequence(
            "assignment",
            "component of the hard assignment",
            4,
            options=[1, 2],
            titles=at,
            follows=[f"argmax(responsibilities[{n},:])" for n in places],
        ),
    ]
    return Parts(statement, given, "\n".join(lines).rstrip(), answer, fields)


def _wrong_responsibilities(gamma: np.ndarray, unweighted: np.ndarray) -> list[ask.Slip]:
    """A hard assignment, and quotients without the weights."""
    return [
        ask.slip(
            np.eye(2)[gamma.argmax(axis=1)],
            "That is a hard assignment; a responsibility is the posterior probability of a component.",
            card="gmm-lost-marks-hard",
        ),
        ask.slip(
            unweighted,
            "These are quotients of the densities alone; the joint densities have the weights $\\pi_k$ as factors.",
            card="gmm-do-not-confuse-kmeans",
        ),
    ]


@drill("gmm-em-step", marks=12, minutes=20, title="One EM step of a Gaussian mixture")
def em_step(rng: np.random.Generator) -> Parts:
    """One full EM step for three or four points on a line and two components of one common start variance."""
    while True:
        sd, gap = float(rng.choice([1, 2])), int(rng.integers(2, 4))
        means = rng.integers(-2, 6) + sd * np.array([0.0, gap])
        units = np.sort(rng.choice(np.arange(-1, gap + 2), size=rng.integers(3, 5), replace=False))
        x = means[0] + sd * units
        top, bottom = WEIGHTS[rng.integers(len(WEIGHTS))]
        old = MStep(np.array([top, bottom - top]) / bottom, means[:, None], np.full(2, sd**2))
        before = e_step(x[:, None], *old, "spherical")
        new = m_step(x[:, None], before.responsibilities, "spherical", reg_covar=0.0)
        if new.covariances.min() > 0.1 * sd**2 and new.weights.min() > 0.15:  # no component about to collapse
            break
    after = e_step(x[:, None], *new, "spherical")
    blank = table([[f"${sig(v)}$"] + [""] * 6 for v in x] + [["sum"] + [""] * 6], _HEADER).markdown
    statement = "\n".join(
        [
            f"Fit a mixture of two Gaussians to the points ${', '.join(sig(v) for v in x)}$ by EM. "
            f"The present parameters are $\\pi_1 = {top}/{bottom}$, $\\pi_2 = {bottom - top}/{bottom}$, "
            f"$\\mu_1 = {sig(means[0])}$, $\\mu_2 = {sig(means[1])}$ and "
            f"$\\sigma_1^2 = \\sigma_2^2 = {sig(sd**2)}$. Do one full step:",
            "",
            "1. E-step: the responsibilities $\\gamma_{nk}$ and the log-likelihood before the step (5 marks);",
            "2. M-step: the effective counts $N_k$, the new weights, means and variances (5 marks);",
            "3. the log-likelihood after the step; say why it must not be lower (2 marks).",
            "",
            f"You may use $1/\\sqrt{{2\\pi}} = {ROOT}$ and {_exponentials((x[:, None] - means) / sd)}; the logarithms, "
            "and the exponentials of part 3, come from a calculator. Carry four digits; give the means and the "
            "log-likelihoods to two decimals, all else to three digits. Fill in:",
            "",
            blank,
        ]
    )
    given = {"x": x.tolist(), "weights": [top, bottom - top], "means": means.tolist(), "variance": sd**2}
    answer = {
        "responsibilities": before.responsibilities.tolist(),
        "counts": before.responsibilities.sum(axis=0).tolist(),
        "weights": new.weights.tolist(),
        "means": new.means.ravel().tolist(),
        "variances": new.covariances.tolist(),
        "log_likelihood_before": float(before.log_likelihood.sum()),
        "log_likelihood_after": float(after.log_likelihood.sum()),
    }
    at = [f"$x = {sig(v)}$" for v in x]
    fields = _em_fields(x, old, before, new, after, at)
    return Parts(statement, given, _em_solution(x, old, before, new, after), answer, fields)


def _em_fields(x: np.ndarray, old: MStep, before: EStep, new: MStep, after: EStep, at: list[str]) -> list[ask.Field]:
    """The fields of ``gmm-em-step``, with what follows from what, and the slips."""
    gamma, counts = before.responsibilities, before.responsibilities.sum(axis=0)
    log_density = log_component_densities(x[:, None], *old[1:], "spherical")
    density = np.exp(log_density)
    hard = np.eye(2)[gamma.argmax(axis=1)]
    around_old = (gamma * (x[:, None] - old.means.ravel()) ** 2).sum(axis=0) / counts
    expected_complete = float((gamma * (log_density + np.log(old.weights))).sum())
    with np.errstate(divide="ignore", invalid="ignore"):  # a component without points; N_k - 1 may be 0
        hard_means = (hard * x[:, None]).sum(axis=0) / hard.sum(axis=0)
        unbiased = new.covariances * counts / (counts - 1)
    points = list(enumerate(x))
    weighted = [" + ".join(f"responsibilities[{n},{k}]*{v:g}" for n, v in points) for k in range(2)]
    squares = [" + ".join(f"responsibilities[{n},{k}]*({v:g} - means[{k}])^2" for n, v in points) for k in range(2)]
    component = (
        "weights[{k}] / sqrt(2*3.141592653589793*variances[{k}]) * exp(-({v:g} - means[{k}])^2 / (2*variances[{k}]))"
    )
    mixtures = [" + ".join(component.format(k=k, v=v) for k in range(2)) for v in x]
    per_point = "That is the mean over the points; the log-likelihood is the sum over them."
    likelihood = [
        ask.slip(
            expected_complete,
            "That is $Q$, with the logarithm inside the sum over $k$; $\\ell$ has the logarithm of the sum.",
            card="gmm-do-not-confuse-likelihoods",
        ),
        ask.slip(float(before.log_likelihood.mean()), per_point, card="gmm-convention-likelihood"),
    ]
    means = ask.slip(
        hard_means,
        "These are the means of hard assignments; every point counts with its responsibility.",
        card="gmm-lost-marks-hard",
    )
    variances = [
        ask.slip(
            around_old,
            "That takes the squared deviations from the old means; they are from the new ones.",
            card="gmm-lost-marks-old-mean",
        ),
        ask.slip(
            unbiased, "That divides by $N_k - 1$; maximum likelihood divides by $N_k$.", card="gmm-convention-divisor"
        ),
    ]
    return [
        ask.matrix(
            "responsibilities",
            "responsibilities",
            1,
            4,
            rows=at,
            columns=_GAMMA,
            **ask.DERIVED,
            slips=_wrong_responsibilities(gamma, density / density.sum(axis=1, keepdims=True)),
        ),
        ask.number("log_likelihood_before", "log-likelihood before the step", 1, places=2, carried=1, slips=likelihood),
        ask.vector(
            "counts",
            "effective counts $N_1, N_2$",
            2,
            titles=["$N_1$", "$N_2$"],
            **ask.DERIVED,
            follows=[f"sum(responsibilities[:,{k}])" for k in range(2)],
        ),
        ask.vector(
            "weights",
            "new weights",
            2,
            titles=["$\\pi_1$", "$\\pi_2$"],
            **ask.DERIVED,
            follows=[f"counts[{k}] / {len(x)}" for k in range(2)],
        ),
        ask.vector(
            "means",
            "new means",
            2,
            titles=["$\\mu_1$", "$\\mu_2$"],
            places=2,
            carried=1,
            follows=[f"({weighted[k]}) / counts[{k}]" for k in range(2)],
            slips=[means],
        ),
        ask.vector(
            "variances",
            "new variances",
            2,
            2,
            titles=["$\\sigma_1^2$", "$\\sigma_2^2$"],
            **ask.DERIVED,
            follows=[f"({squares[k]}) / counts[{k}]" for k in range(2)],
            slips=variances,
        ),
        ask.number(
            "log_likelihood_after",
            "log-likelihood after the step",
            3,
            places=2,
            carried=1,
            follows=" + ".join(f"ln({mixture})" for mixture in mixtures),
            slips=[ask.slip(float(after.log_likelihood.mean()), per_point, card="gmm-convention-likelihood")],
        ),
        ask.own("monotone", "why it must not be lower", 3),
    ]


@drill("gmm-criteria", marks=10, minutes=12, title="AIC and BIC of Gaussian mixtures")
def criteria(rng: np.random.Generator) -> Parts:
    """Free parameters, AIC and BIC of four fitted mixtures, and which one each criterion takes."""
    while True:
        N, d = int(rng.choice([60, 80, 120, 200, 300, 500])), int(rng.integers(2, 5))
        fits = [(kind, int(rng.integers(2, 5))) for kind in ENTRIES]
        fits.sort(key=lambda fit: n_parameters(fit[1], d, fit[0]))
        P = np.array([n_parameters(K, d, kind) for kind, K in fits])
        gains = np.diff(P) * np.sort(rng.uniform(0.2, 4.5, size=3))[::-1]  # each further parameter gains less
        ell = np.round(-N * d * rng.uniform(1.2, 1.8) + np.concatenate([[0.0], np.cumsum(gains)]), 1)
        aic, bic = 2 * P - 2 * ell, P * np.log(N) - 2 * ell
        clear = all(np.diff(np.sort(v))[0] > 1 for v in (aic, bic))  # so that rounding cannot change the choice
        if np.diff(P).min() > 0 and clear and bic.argmin() < 3:  # the largest log-likelihood is not the answer
            break
    rows = [[name, kind, K, f"${value:.1f}$"] for name, (kind, K), value in zip(NAMES, fits, ell, strict=True)]
    statement = "\n".join(
        [
            f"Four Gaussian mixtures were fitted to $N = {N}$ points in $D = {d}$ dimensions, with these "
            "log-likelihoods (in nats). A tied mixture has one covariance matrix for all components.",
            "",
            "1. Count the free parameters $P$ of each (4 marks).",
            "2. Compute AIC and BIC of each, to one decimal (4 marks).",
            "3. Which mixture does each criterion take? Why is the largest $\\ell$ no criterion? (2 marks)",
            "",
            f"You may use $\\log N = {np.log(N):.4f}$. Fill in:",
            "",
            table([[*row, "", "", ""] for row in rows], CRITERIA).markdown,
        ]
    )
    answer = {
        "parameters": P.tolist(),
        "aic": aic.tolist(),
        "bic": bic.tolist(),
        "by_aic": NAMES[int(aic.argmin())],
        "by_bic": NAMES[int(bic.argmin())],
    }
    given = {"n": N, "d": d, "fits": list(map(list, fits)), "log_likelihoods": ell.tolist()}
    sign = "That is the value of the other sign; here smaller is better, and $\\ell$ stands with $-2$."
    largest = "That has the largest value; the smallest one counts."
    card = "gmm-convention-bic"
    per_parameter = {"aic": "2", "bic": f"{np.log(N)}"}
    told = {
        name: [f"{cost}*parameters[{k}] - 2*({v})" for k, v in enumerate(ell)] for name, cost in per_parameter.items()
    }
    fields = [
        ask.vector("parameters", "free parameters", 1, 4, titles=NAMES, whole=True),
        ask.vector(
            "aic",
            "AIC",
            2,
            2,
            titles=NAMES,
            places=1,
            carried=1,
            follows=told["aic"],
            slips=[ask.slip(-aic, sign, card=card)],
        ),
        ask.vector(
            "bic",
            "BIC",
            2,
            2,
            titles=NAMES,
            places=1,
            carried=1,
            follows=told["bic"],
            slips=[ask.slip(-bic, sign, card=card)],
        ),
        ask.choice(
            "by_aic",
            "mixture that AIC takes",
            3,
            0.5,
            options=NAMES,
            follows="argmin(aic)",
            slips=[ask.slip(NAMES[int(aic.argmax())], largest, card=card)],
        ),
        ask.choice(
            "by_bic",
            "mixture that BIC takes",
            3,
            0.5,
            options=NAMES,
            follows="argmin(bic)",
            slips=[ask.slip(NAMES[int(bic.argmax())], largest, card=card)],
        ),
        ask.own("why", "why the largest log-likelihood is no criterion", 3),
    ]
    return Parts(statement, given, _criteria_solution(rows, d, answer), answer, fields)


def _criteria_solution(rows: list[list[Any]], d: int, answer: dict[str, Any]) -> str:
    """Full-marks answer of ``gmm-criteria``."""
    counted = [
        f"- {name}: $P = {K - 1} + {K} \\cdot {d} + {ENTRIES[kind].format(K=K, d=d, s=d + 1)} = {count}$"
        for (name, kind, K, _), count in zip(rows, answer["parameters"], strict=True)
    ]
    columns = zip(rows, answer["parameters"], answer["aic"], answer["bic"], strict=True)
    lines = [
        "**Parameters** (4 marks): $K - 1$ weights, because they sum to 1; $K D$ entries of the means; and the "
        "covariances, where a symmetric matrix has $D(D + 1)/2$ free entries.",
        "",
        *counted,
        "",
        "**Criteria** (4 marks): $\\mathrm{AIC} = -2\\ell + 2P$ and $\\mathrm{BIC} = -2\\ell + P \\log N$.",
        "",
        table([[*row, f"${P}$", f"${a:.1f}$", f"${b:.1f}$"] for row, P, a, b in columns], CRITERIA).markdown,
        "",
        f"**Choice** (1 mark): the smallest value counts, so AIC takes {answer['by_aic']} and BIC takes "
        f"{answer['by_bic']}. A mixture that contains another as a special case never has the smaller maximum, "
        "whether the data need its parameters or not, so $\\ell$ alone cannot choose (1 mark).",
    ]
    return "\n".join(lines)


_GAMMA = ["$\\gamma_1$", "$\\gamma_2$"]


_HEADER = [
    "$x_n$",
    "$\\pi_1\\mathcal{N}_1$",
    "$\\pi_2\\mathcal{N}_2$",
    "$p(x_n)$",
    "$\\gamma_{n1}$",
    "$\\gamma_{n2}$",
    "$\\log p(x_n)$",
]


def _em_solution(x: np.ndarray, old: MStep, before: EStep, new: MStep, after: EStep) -> str:
    """Full-marks answer of ``gmm-em-step``."""
    gamma, N = before.responsibilities, before.responsibilities.sum(axis=0)
    joint = np.exp(log_component_densities(x[:, None], *old[1:], "spherical")) * old.weights
    log_p, l_old, l_new = before.log_likelihood, before.log_likelihood.sum(), after.log_likelihood.sum()
    rows = [[v, *joint[n], joint[n].sum(), *gamma[n], log_p[n]] for n, v in enumerate(x)]
    rows.append(["sum", "", "", "", *N, l_old])
    lines = [
        "**E-step** (2 marks for the joint densities, 2 for the responsibilities, 1 for the log-likelihood). Each row: "
        f"joint densities, their sum, quotients, logarithm of the sum. {ROUNDED}",
        "",
        _table(rows, _HEADER),
        "",
        f"The log-likelihood before the step is the last sum, $\\ell = {sig(l_old)}$; the sums of the $\\gamma$ "
        f"columns are the effective counts $N_1 = {sig(N[0])}$ and $N_2 = {sig(N[1])}$.",
        "",
        "**M-step** (1 mark for the counts, 1 for the weights, 1 for the means, 2 for the variances). The squared "
        "deviations are from the *new* means, the divisor is $N_k$.",
        "",
    ]
    for k in range(2):
        mu, var = new.means[k, 0], new.covariances[k]
        terms = " + ".join(f"{_math(g)}\\cdot{bracket(v, _math)}" for g, v in zip(gamma[:, k], x, strict=True))
        squares = " + ".join(f"{_math(g)}\\cdot{_math((v - mu) ** 2)}" for g, v in zip(gamma[:, k], x, strict=True))
        lines += [
            f"- $\\pi_{k + 1} = N_{k + 1}/N = {sig(N[k])}/{len(x)} = {sig(new.weights[k])}$",
            f"- $\\mu_{k + 1} = ({terms})/{sig(N[k])} = {sig(mu)}$",
            f"- $\\sigma_{k + 1}^2 = ({squares})/{sig(N[k])} = {sig(var)}$",
        ]
    joint_new = np.exp(log_component_densities(x[:, None], *new[1:], "spherical")) * new.weights
    rows_new = [[v, *joint_new[n], joint_new[n].sum(), after.log_likelihood[n]] for n, v in enumerate(x)]
    rows_new.append(["sum", "", "", "", l_new])
    lines += [
        "",
        "**After the step**, with the new parameters (1 mark):",
        "",
        _table(rows_new, [*_HEADER[:4], _HEADER[-1]]),
        "",
        f"$\\ell$ rose by {sig(l_new - l_old)} to ${sig(l_new)}$. It must not be lower: the E-step makes the lower "
        "bound equal to $\\ell$ at the old parameters, the M-step raises that bound, and $\\ell$ lies on or above it "
        "everywhere (1 mark).",
    ]
    return "\n".join(lines)


def _table(rows: list[list[Any]], header: list[str]) -> str:
    return table([[v if isinstance(v, str) else f"${_math(v)}$" for v in row] for row in rows], header).markdown


def _math(value: float, digits: int = 4) -> str:
    """A number of significant digits in LaTeX."""
    mantissa, _, exponent = sig(value, digits).partition("e")
    return f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _points(x: np.ndarray) -> str:
    return " and for ".join(f"$x = {sig(v)}$" for v in x)


def _exponentials(u: np.ndarray) -> str:
    """The values of exp(-u^2 / 2) that the exercise needs, as text."""
    sizes = sorted({float(v) for v in np.abs(u).ravel() if v != 0})
    return ", ".join(f"$e^{{-{sig(v * v / 2)}}} = {_math(np.exp(-v * v / 2), 5)}$" for v in sizes)
