"""Drills on Gaussian classes: a linear border in the plane, a quadratic one on a line, posteriors of three classes."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, products, vector
from notes_lib.linear.gaussian_discriminant import lda_coefficients, logistic_parameters, qda_scores

ROUNDED = "(Each number is computed from unrounded ones and rounded on its own, so a last digit may differ from yours.)"
_SIGN, _DENSITY = "gaussian-discriminant-lost-marks-sign", "gaussian-discriminant-lost-marks-density"
_FOUR = "gaussian-discriminant-do-not-confuse-four"
_NO_PRIORS = "The priors are missing: they add a logarithm."
_OTHER_CLASS = "That belongs to the log-odds of class 1; class 2 is asked for."
_ROOT = "sqrt(b^2 - 4*a*c)"
SHARES = [(1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1)]  # pi_1 : pi_2


@drill("lda-boundary", marks=9, minutes=12, title="Linear border of two Gaussian classes")
def boundary(rng: np.random.Generator) -> Parts:
    """Weights, bias and decision for two classes in the plane with one covariance and unequal priors."""
    while True:
        q = float(rng.choice([-1, 1]))
        Sigma = np.array([[rng.integers(1, 6), q], [q, rng.integers(1, 6)]], dtype=float)
        det = round(Sigma[0, 0] * Sigma[1, 1] - q * q)
        share = SHARES[rng.integers(len(SHARES))]
        mu = rng.integers(-3, 5, size=(2, 2)).astype(float)
        x = rng.integers(-3, 6, size=2).astype(float)
        if det not in (1, 2, 4, 5, 8) or np.abs(mu[1] - mu[0]).min() == 0:
            continue
        w, b = logistic_parameters(mu, Sigma, np.array(share) / sum(share))
        w = w.round(9)
        score = float(w @ x + b)
        if 0.3 < abs(score) < 8 and np.abs(w).min() > 0 and abs(b) > 0.05 and np.abs(w).max() < 9:
            break
    n_1, n_2 = share
    inverse = np.array([[Sigma[1, 1], -q], [-q, Sigma[0, 0]]]) / det
    total, delta = mu.sum(axis=0), mu[1] - mu[0]
    along = float(w @ total)
    label = 2 if score > 0 else 1
    product = f"\\frac{{1}}{{{det}}} {vector(det * w)} = " if det > 1 else ""
    statement = "\n".join(
        [
            f"Two classes are Gaussian with means $\\boldsymbol{{\\mu}}_1 = {vector(mu[0])}$ and "
            f"$\\boldsymbol{{\\mu}}_2 = {vector(mu[1])}$, the common covariance "
            f"$\\boldsymbol{{\\Sigma}} = {matrix(Sigma)}$ and priors $\\pi_1 = {n_1}/{n_1 + n_2}$, "
            f"$\\pi_2 = {n_2}/{n_1 + n_2}$. The log-odds of class 2 are $\\mathbf{{w}}^\\top\\mathbf{{x}} + b$. Find",
            "",
            "1. $\\boldsymbol{\\Sigma}^{-1}$ (2 marks),",
            "2. the weights $\\mathbf{w}$ (2 marks),",
            "3. the bias $b$ (3 marks),",
            f"4. the log-odds at $\\mathbf{{x}} = {vector(x)}$, and its class (2 marks).",
            "",
            "Logarithms come from a calculator. Carry four digits and give three digits.",
        ]
    )
    lines = [
        f"**Inverse** (1 mark for the determinant, 1 for the matrix): $|\\boldsymbol{{\\Sigma}}| = {sig(Sigma[0, 0])} "
        f"\\cdot {sig(Sigma[1, 1])} - {bracket(q)}^2 = {det}$, so $\\boldsymbol{{\\Sigma}}^{{-1}} = "
        f"\\frac{{1}}{{{det}}} {matrix([[Sigma[1, 1], -q], [-q, Sigma[0, 0]]])}$.",
        "",
        "**Weights** (1 mark for the formula, 1 for the values): $\\boldsymbol{\\mu}_2 - \\boldsymbol{\\mu}_1 = "
        f"{vector(delta)}$, so $\\mathbf{{w}} = \\boldsymbol{{\\Sigma}}^{{-1}}(\\boldsymbol{{\\mu}}_2 - "
        f"\\boldsymbol{{\\mu}}_1) = {product}{vector(w)}$.",
        "",
        "**Bias** (1 mark for the means, 1 for the priors, 1 for the sum): $\\boldsymbol{\\mu}_1 + "
        f"\\boldsymbol{{\\mu}}_2 = {vector(total)}$, so $\\mathbf{{w}}^\\top(\\boldsymbol{{\\mu}}_1 + "
        f"\\boldsymbol{{\\mu}}_2) = "
        f"{products(w, total)} = {sig(along)}$. The priors add $\\ln (\\pi_2/\\pi_1) = \\ln \\frac{{{n_2}}}{{{n_1}}} "
        f"= {sig(np.log(n_2 / n_1))}$, positive if class 2 is the more frequent one. Together "
        f"$b = -\\frac{{1}}{{2}} \\cdot {bracket(along)} + \\ln \\frac{{{n_2}}}{{{n_1}}} = {sig(b)}$.",
        "",
        f"**Decision** (1 mark for the log-odds, 1 for the class): $\\mathbf{{w}}^\\top\\mathbf{{x}} + b = "
        f"{products(w, x)} + {bracket(b)} = {sig(score)} {'>' if label == 2 else '<'} 0$, so $\\mathbf{{x}}$ belongs "
        f"to class {label}. {ROUNDED}",
    ]
    given = {"means": mu.tolist(), "covariance": Sigma.tolist(), "shares": list(share), "query": x.tolist()}
    answer = {
        "inverse": inverse.tolist(),
        "weights": w.tolist(),
        "bias": round(b, 9),
        "score": round(score, 9),
        "label": label,
    }
    fields = [
        ask.matrix(
            "inverse",
            "$\\boldsymbol{\\Sigma}^{-1}$",
            1,
            2,
            rows=["1", "2"],
            columns=["1", "2"],
            **ask.DERIVED,
            slips=[
                ask.slip(
                    np.abs(inverse) * np.where(np.eye(2), 1, np.sign(q)),
                    "The entries beside the diagonal change their sign in the inverse.",
                    card=_FOUR,
                )
            ],
        ),
        ask.vector(
            "weights",
            "the weights $\\mathbf{w}$",
            2,
            2,
            titles=["$w_1$", "$w_2$"],
            **ask.DERIVED,
            follows=[f"inverse[{i},0]*{bracket(delta[0])} + inverse[{i},1]*{bracket(delta[1])}" for i in range(2)],
            slips=[
                ask.slip(
                    -w,
                    "These are the weights for class 1: take $\\boldsymbol{\\mu}_2 - \\boldsymbol{\\mu}_1$.",
                    card="gaussian-discriminant-lost-marks-sign",
                ),
                ask.slip(
                    delta,
                    "That is the difference of the means; multiply it by $\\boldsymbol{\\Sigma}^{-1}$.",
                    card=_FOUR,
                ),
            ],
        ),
        ask.number(
            "bias",
            "the bias $b$",
            3,
            3,
            **ask.DERIVED,
            follows=f"-(weights[0]*{bracket(total[0])} + weights[1]*{bracket(total[1])}) / 2 + {np.log(n_2 / n_1)}",
            slips=[
                ask.slip(
                    b - 2 * np.log(n_2 / n_1),
                    "The priors have the wrong sign: a more frequent class 2 raises the bias.",
                    card="gaussian-discriminant-lost-marks-sign",
                ),
                ask.slip(b - np.log(n_2 / n_1), _NO_PRIORS, card=_DENSITY),
            ],
        ),
        ask.number(
            "score",
            "the log-odds",
            4,
            **ask.DERIVED,
            follows=f"weights[0]*{bracket(x[0])} + weights[1]*{bracket(x[1])} + bias",
        ),
        ask.choice("label", "the class", 4, options=[1, 2], follows="score > 0"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("qda-boundary-1d", marks=9, minutes=13, title="Two borders of Gaussian classes on a line")
def quadratic_boundary(rng: np.random.Generator) -> Parts:
    """Coefficients and roots of the quadratic log-odds of two classes on a line, the regions, and one decision."""
    while True:
        mu = rng.integers(-3, 5, size=2).astype(float)
        v = rng.choice([1.0, 2.0, 4.0, 5.0], size=2, replace=False)
        share = SHARES[rng.integers(len(SHARES))]
        x = float(rng.integers(-5, 8))
        a = 0.5 / v[0] - 0.5 / v[1]
        b = mu[1] / v[1] - mu[0] / v[0]
        ratio = share[1] / share[0]
        fixed = 0.5 * (mu[0] ** 2 / v[0] - mu[1] ** 2 / v[1])
        c = fixed + 0.5 * np.log(v[0] / v[1]) + np.log(ratio)
        D = b * b - 4 * a * c
        if mu[0] == mu[1] or b == 0 or abs(a) < 0.2 or abs(c) < 0.05 or not 0.5 < D < 30:
            continue
        roots = np.sort((-b + np.array([-1, 1]) * np.sqrt(D)) / (2 * a))
        if np.abs(roots - x).min() > 0.25 and np.abs(roots).max() < 10 and np.abs(roots).min() > 0.3:
            break
    priors = np.array(share) / sum(share)
    scores = qda_scores([[x]], mu[:, None], v[:, None, None], priors)[0]
    label = 1 + int(scores.argmax())
    inside = 1 + int(v.argmin())
    statement = "\n".join(
        [
            f"On a line class 1 is $\\mathcal{{N}}({sig(mu[0])}, {sig(v[0])})$ and class 2 is "
            f"$\\mathcal{{N}}({sig(mu[1])}, {sig(v[1])})$ (mean, variance), with priors $\\pi_1 = "
            f"{share[0]}/{sum(share)}$ and $\\pi_2 = {share[1]}/{sum(share)}$. The log-odds of class 2 are "
            "$a x^2 + b x + c$.",
            "",
            "1. Find $a$ and $b$. (2 marks)",
            "2. Find $c$. (2 marks)",
            "3. Find the two borders. (3 marks)",
            "4. Which class lies between them? (1 mark)",
            f"5. To which class does $x = {sig(x)}$ belong? (1 mark)",
            "",
            "Logarithms come from a calculator. Carry four digits and give three digits.",
        ]
    )
    m_1, m_2, v_1, v_2 = bracket(mu[0]), bracket(mu[1]), sig(v[0]), sig(v[1])
    n_1, n_2 = share
    first, second = (
        f"\\frac{{-b {s} \\sqrt{{D}}}}{{2 a}} = \\frac{{{sig(-b)} {s} {sig(np.sqrt(D))}}}{{{sig(2 * a)}}} = {sig(x_i)}"
        for s, x_i in zip("-+" if a > 0 else "+-", roots, strict=True)
    )
    lines = [
        f"**Quadratic part** (1 mark for $a$, 1 for $b$): $a = \\frac{{1}}{{2 \\cdot {v_1}}} - "
        f"\\frac{{1}}{{2 \\cdot {v_2}}} = {sig(a)}$ and "
        f"$b = \\frac{{{sig(mu[1])}}}{{{v_2}}} - \\frac{{{sig(mu[0])}}}{{{v_1}}} = {sig(b)}$.",
        "",
        "**Constant** (1 mark for the means, 1 for the logarithms): $c = \\frac{1}{2} \\big( "
        f"\\frac{{{m_1}^2}}{{{v_1}}} - \\frac{{{m_2}^2}}{{{v_2}}} \\big) + \\frac{{1}}{{2}} \\ln "
        f"\\frac{{{v_1}}}{{{v_2}}} + \\ln \\frac{{{n_2}}}{{{n_1}}} = {sig(c)}$.",
        "",
        f"**Borders** (1 mark for the formula, 2 for the roots): $D = b^2 - 4 a c = {bracket(b)}^2 - 4 \\cdot "
        f"{bracket(a)} \\cdot {bracket(c)} = {sig(D)}$ and $\\sqrt{{D}} = {sig(np.sqrt(D))}$; the roots are "
        f"$x_1 = {first}$ and $x_2 = {second}$.",
        "",
        f"**Regions** (1 mark): $a {'>' if a > 0 else '<'} 0$, so between the borders the log-odds are "
        f"{'negative' if a > 0 else 'positive'}: class {inside}, the one with the smaller variance.",
        "",
        f"**Decision** (1 mark): $x = {sig(x)}$ lies {'between' if roots[0] < x < roots[1] else 'outside'} the "
        f"borders: class {label}. {ROUNDED}",
    ]
    given = {"means": mu.tolist(), "variances": v.tolist(), "shares": list(share), "query": x}
    answer = {
        "a": round(float(a), 9),
        "b": round(float(b), 9),
        "c": round(float(c), 9),
        "borders": roots.round(9).tolist(),
        "inside": inside,
        "label": label,
    }
    fields = [
        ask.number("a", "$a$", 1, **ask.DERIVED, slips=[ask.slip(-a, _OTHER_CLASS, card=_SIGN)]),
        ask.number("b", "$b$", 1, **ask.DERIVED, slips=[ask.slip(-b, _OTHER_CLASS, card=_SIGN)]),
        ask.number(
            "c",
            "$c$",
            2,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(c - np.log(ratio), _NO_PRIORS, card=_DENSITY),
                ask.slip(
                    fixed + np.log(ratio),
                    "The normalising factors are missing: the variances differ, so $\\tfrac12\\ln(v_1/v_2)$ stays.",
                    card=_FOUR,
                ),
            ],
        ),
        ask.vector(
            "borders",
            "the borders",
            3,
            3,
            titles=["left", "right"],
            **ask.DERIVED,
            follows=[f"{side}((-b - {_ROOT}) / (2*a), (-b + {_ROOT}) / (2*a))" for side in ("min", "max")],
        ),
        ask.choice(
            "inside",
            "the class between them",
            4,
            options=[1, 2],
            follows="a < 0",
            slips=[
                ask.slip(
                    3 - inside,
                    "Between the borders lies the class with the smaller variance.",
                    card=_FOUR,
                )
            ],
        ),
        ask.choice(
            "label",
            "the class of the point",
            5,
            options=[1, 2],
            follows=f"a*{bracket(x)}^2 + b*{bracket(x)} + c > 0",
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("lda-posterior", marks=9, minutes=12, title="Posterior of three Gaussian classes")
def posterior(rng: np.random.Generator) -> Parts:
    """Linear scores and posterior probabilities of three classes with one diagonal covariance."""
    while True:
        mu = rng.integers(-2, 4, size=(3, 2)).astype(float)
        v = rng.choice([1.0, 2.0, 4.0], size=2)
        shares = rng.permutation([1, 1, 2]).astype(float)
        x = rng.integers(-2, 4, size=2).astype(float)
        coef, constant = lda_coefficients(mu, np.diag(v), shares / 4)
        scores = coef @ x + constant
        p = np.exp(scores - scores.max())
        p /= p.sum()
        top = np.sort(p)
        if len(np.unique(mu, axis=0)) == 3 and np.abs(scores).max() < 9 and top[0] > 0.01 and top[2] - top[1] > 0.05:
            break
    label, powers = 1 + int(p.argmax()), np.exp(scores)
    listed = ", ".join(f"$\\boldsymbol{{\\mu}}_{k} = {vector(m)}$" for k, m in enumerate(mu, 1))
    priors = ", ".join(f"$\\pi_{k} = {sig(s)}/4$" for k, s in enumerate(shares, 1))
    statement = "\n".join(
        [
            f"Three classes are Gaussian with the common covariance $\\boldsymbol{{\\Sigma}} = {matrix(np.diag(v))}$, "
            f"means {listed} and priors {priors}. Use the linear scores $\\delta_k(\\mathbf{{x}}) = "
            "\\mathbf{w}_k^\\top\\mathbf{x} + w_{k,0}$. Find",
            "",
            "1. the weights $\\mathbf{w}_k$ (2 marks),",
            "2. the constants $w_{k,0}$, with the priors (3 marks),",
            f"3. the scores at $\\mathbf{{x}} = {vector(x)}$ (1 mark),",
            "4. the posterior probabilities (2 marks),",
            "5. the class (1 mark).",
            "",
            "Logarithms and exponentials come from a calculator. Carry four digits and give three digits. Fill in:",
            "",
            table([[k, "", "", "", ""] for k in (1, 2, 3)], _HEADER).markdown,
        ]
    )
    lines = [
        "**Weights** (1 mark for the formula, 1 for the values): $\\mathbf{w}_k = \\boldsymbol{\\Sigma}^{-1}"
        "\\boldsymbol{\\mu}_k$ divides each coordinate of the mean by its variance.",
        "",
        "**Constants** (3 marks): minus half of $\\mathbf{w}_k^\\top\\boldsymbol{\\mu}_k$, plus $\\ln \\pi_k$:",
        "",
        *(_constant(k, coef[k], mu[k], int(shares[k]), float(constant[k])) for k in range(3)),
        "",
        "**Scores** (1 mark) and **posterior** (1 mark for the formula, 1 for the values): $p(k \\mid \\mathbf{x}) = "
        "e^{\\delta_k} / \\sum_j e^{\\delta_j}$.",
        "",
        table([[k + 1, f"${vector(coef[k])}$", constant[k], scores[k], p[k]] for k in range(3)], _HEADER).markdown,
        "",
        f"The exponentials of the scores are ${sig(powers[0])}$, ${sig(powers[1])}$ and ${sig(powers[2])}$, their sum "
        f"is ${sig(powers.sum())}$.",
        "",
        f"**Decision** (1 mark): class {label} has the largest score. {ROUNDED}",
    ]
    given = {"means": mu.tolist(), "variances": v.tolist(), "shares": shares.tolist(), "query": x.tolist()}
    answer = {
        "weights": coef.tolist(),
        "constants": constant.round(9).tolist(),
        "scores": scores.round(9).tolist(),
        "posterior": p.round(9).tolist(),
        "label": label,
    }
    classes = [f"class {k}" for k in (1, 2, 3)]
    fields = [
        ask.matrix("weights", "the weights", 1, 2, rows=classes, columns=["$w_1$", "$w_2$"], **ask.DERIVED),
        ask.vector(
            "constants",
            "the constants",
            2,
            3,
            titles=classes,
            **ask.DERIVED,
            follows=[
                f"-(weights[{k},0]*{bracket(mu[k, 0])} + weights[{k},1]*{bracket(mu[k, 1])}) / 2 + {np.log(share / 4)}"
                for k, share in enumerate(shares)
            ],
            slips=[
                ask.slip(constant - np.log(shares / 4), _NO_PRIORS, card=_DENSITY),
                ask.slip(
                    2 * constant - np.log(shares / 4),
                    "The half is missing before $\\mathbf{w}_k^\\top\\boldsymbol{\\mu}_k$.",
                    card=_SIGN,
                ),
            ],
        ),
        ask.vector(
            "scores",
            "the scores",
            3,
            titles=classes,
            **ask.DERIVED,
            follows=[
                f"weights[{k},0]*{bracket(x[0])} + weights[{k},1]*{bracket(x[1])} + constants[{k}]" for k in range(3)
            ],
        ),
        ask.vector(
            "posterior",
            "the posterior probabilities",
            4,
            2,
            titles=classes,
            **ask.DERIVED,
            follows=[f"exp(scores[{k}]) / (exp(scores[0]) + exp(scores[1]) + exp(scores[2]))" for k in range(3)],
            slips=[
                ask.slip(
                    powers / shares / (powers / shares).sum(),
                    "That normalises the densities alone; the posterior has the priors in it.",
                    card=_DENSITY,
                )
            ],
        ),
        ask.choice("label", "the class", 5, options=[1, 2, 3], follows="argmax(posterior)"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_HEADER = ["$k$", "$\\mathbf{w}_k$", "$w_{k,0}$", "$\\delta_k$", "posterior"]


def _constant(k: int, w: FloatArray, mu: FloatArray, share: int, value: float) -> str:
    return f"- $w_{{{k + 1},0}} = -\\frac{{1}}{{2}} ({products(w, mu)}) + \\ln \\frac{{{share}}}{{4}} = {sig(value)}$"
