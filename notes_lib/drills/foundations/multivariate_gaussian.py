"""Drill on the multivariate Gaussian: one variable given the others, and the Mahalanobis distance split in two."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, matrix, products, row, vector
from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian, conditional_gain, mahalanobis


@drill("gaussian-conditional", marks=8, minutes=10, title="Conditional of a Gaussian")
def gaussian_conditional(rng: np.random.Generator) -> Parts:
    """Mean and variance of one of two or three variables given the others; squared Mahalanobis distance of a point."""
    g, a, x = _draw(rng)
    d = len(x)
    b = [i for i in range(d) if i != a]
    Sigma, mu = g.covariance, g.mean
    given = g.marginal(b)
    conditional = g.condition(b, x[b])
    G = conditional_gain(Sigma, b)[0].round(9)
    m, s = float(conditional.mean[0].round(9)), float(conditional.covariance[0, 0].round(9))
    deviation = x[b] - mu[b]
    of_given = float(mahalanobis(x[b], given.mean, given.covariance) ** 2)
    square = float(mahalanobis(x, mu, Sigma) ** 2)
    others = " and ".join(f"$x_{i + 1} = {sig(x[i])}$" for i in b)
    statement = "\n".join(
        [
            f"$\\mathbf{{x}} \\sim \\mathcal{{N}}(\\boldsymbol{{\\mu}}, \\boldsymbol{{\\Sigma}})$ with "
            f"$\\boldsymbol{{\\mu}} = {vector(mu)}$ and",
            "",
            f"$$\n\\boldsymbol{{\\Sigma}} = {matrix(Sigma)} .\n$$",
            "",
            f"1. Find the gain, the regression coefficient{'s' * (d > 2)} of $x_{a + 1}$ on the other "
            f"variable{'s' * (d > 2)}. (3 marks)",
            f"2. Find mean and variance of $x_{a + 1}$ given {others}. (2 marks)",
            f"3. Find the Mahalanobis distance of $\\mathbf{{x}} = {vector(x)}$ from $\\boldsymbol{{\\mu}}$, by "
            "adding the part of what is given and the part of what is left. (3 marks)",
            "",
            "Fill in:",
            "",
            table([[name, ""] for name in _ROWS], _HEADER).markdown,
        ]
    )
    names = ", ".join(f"x_{i + 1}" for i in b)
    sum_of_terms = products(G, deviation)
    variance_terms = products(G, Sigma[a, b])
    lines = [
        f"**Gain.** Given: ${names}$, with $\\boldsymbol{{\\Sigma}}_{{bb}} = {_block(given.covariance)}$ and "
        f"$\\boldsymbol{{\\Sigma}}_{{ab}} = {_row(Sigma[a, b])}$ (1 mark).",
        "",
        *_gain_lines(given.covariance, Sigma[a, b], G),
        "",
        f"**Conditional mean** (1 mark): ${sig(mu[a])} + {sum_of_terms} = {sig(m)}$.",
        "",
        f"**Conditional variance** (1 mark): ${sig(Sigma[a, a])} - ({variance_terms}) = {sig(s)}$. It does not "
        "depend on the values that are given.",
        "",
        f"**Distance.** What is given (1 mark): {_form(given.covariance, deviation, of_given)}. What is left (1 mark): "
        f"$({sig(x[a])} - {bracket(m)})^2 / {sig(s)} = {sig((x[a] - m) ** 2 / s)}$. Together (1 mark): "
        f"$\\Delta^2 = {sig(square)}$, so $\\Delta = {sig(np.sqrt(square))}$ standard deviations.",
        "",
        table(
            [*zip(_ROWS, [_row(G, math=True), m, s, of_given, float((x[a] - m) ** 2 / s)], strict=True)],
            _HEADER,
        ).markdown,
    ]
    answer = {
        "gain": G.tolist(),
        "mean": m,
        "variance": s,
        "given_square": round(of_given, 9),
        "square": round(square, 9),
        "distance": round(float(np.sqrt(square)), 9),
    }
    data = {"mean": mu.tolist(), "covariance": Sigma.tolist(), "unknown": a, "x": x.tolist()}
    blocks = "multivariate-gaussian-lost-marks-blocks"
    marginal, lengths = "multivariate-gaussian-do-not-confuse-marginal", "multivariate-gaussian-do-not-confuse-distance"
    squared_card = "multivariate-gaussian-convention-distance"
    across, own, left = Sigma[a, b], float(Sigma[a, a]), float((x[a] - m) ** 2)
    gain_slips = [
        ask.slip(
            across,
            "These are the covariances; multiply by the inverse of $\\boldsymbol{\\Sigma}_{bb}$, of what is given.",
            card=blocks,
        ),
        ask.slip(
            across / own,
            "That divides by the variance of the unknown variable; invert the block of what is given.",
            card=squared_card,
        ),
    ]
    mean_slips = [
        ask.slip(
            mu[a],
            "That is the marginal mean; what is given moves it by the gain times its deviations.",
            card=marginal,
        ),
        ask.slip(
            mu[a] + G @ x[b],
            "The gain multiplies the deviations of what is given from its mean, not the values themselves.",
            card=marginal,
        ),
    ]
    variance_slips = [
        ask.slip(own, "That is the marginal variance; what is given lowers it.", card=marginal),
        ask.slip(
            own + G @ across,
            "What is given explains a part of the variance: subtract it, do not add it.",
            card=marginal,
        ),
    ]
    given_slips = [
        ask.slip(
            float(deviation @ deviation),
            "That is the Euclidean distance squared; the inverse of $\\boldsymbol{\\Sigma}_{bb}$ belongs in between.",
            card=lengths,
        ),
        ask.slip(
            of_given**0.5, "That is the root; the parts that add up are the squared distances.", card=squared_card
        ),
    ]
    square_slips = [
        ask.slip(left / s, "That is what is left; add the part of what is given.", card=lengths),
        ask.slip(
            of_given + left / own,
            "The rest is divided by the conditional variance, not by the marginal one.",
            card=marginal,
        ),
    ]
    distance_slip = ask.slip(square, "That is $\\Delta^2$; the distance is its root.", card=squared_card)
    deviations = " + ".join(f"gain[{j}]*{v}" for j, v in enumerate(deviation))
    explained = " + ".join(f"gain[{j}]*{v}" for j, v in enumerate(across))
    fields = [
        ask.vector("gain", "the gain", 1, 3, titles=[f"of $x_{i + 1}$" for i in b], slips=gain_slips),
        ask.number("mean", "conditional mean", 2, follows=f"{mu[a]} + {deviations}", slips=mean_slips),
        ask.number("variance", "conditional variance", 2, follows=f"{own} - ({explained})", slips=variance_slips),
        ask.number("given_square", "squared distance, part of the given", 3, slips=given_slips),
        ask.number(
            "square",
            "the whole squared distance $\\Delta^2$",
            3,
            **ask.DERIVED,
            follows=f"given_square + ({x[a]} - mean)^2/variance",
            slips=square_slips,
        ),
        ask.number(
            "distance", "the distance $\\Delta$", 3, **ask.DERIVED, follows="sqrt(square)", slips=[distance_slip]
        ),
    ]
    return Parts(statement, data, "\n".join(lines), answer, fields)


_HEADER = ["quantity", "value"]
_ROWS = ["gain", "conditional mean", "conditional variance", "squared distance, part of the given", "part of the rest"]


def _draw(rng: np.random.Generator) -> tuple[MultivariateGaussian, int, FloatArray]:
    """A Gaussian with whole entries and an easy gain, the unknown variable, and a point."""
    d = 3 if rng.integers(4) else 2  # drawn once: three variables pass the conditions below less often
    while True:
        F = rng.integers(-2, 3, size=(d - 1, d - 1))
        block = F @ F.T + np.diag(rng.integers(1, 3, size=d - 1))  # whole and positive definite
        gain = rng.choice([-2, -1, -0.5, 0.5, 1, 2], size=d - 1)
        a, left = int(rng.integers(d)), int(rng.integers(1, 5))
        across, own = gain @ block, gain @ block @ gain + left
        if max(own, block.max()) > 12 or own != round(own) or (across != across.round()).any():
            continue
        if round(np.linalg.det(block)) > 8:
            continue
        b = [i for i in range(d) if i != a]
        Sigma = np.empty((d, d))
        Sigma[np.ix_(b, b)], Sigma[a, a], Sigma[a, b], Sigma[b, a] = block, own, across, across
        mu, x = rng.integers(-3, 6, size=d).astype(float), np.empty(d)
        x[b] = mu[b] + rng.choice([-2, -1, 1, 2], size=d - 1)
        x[a] = np.floor(mu[a] + gain @ (x[b] - mu[b])) + rng.choice([-2, -1, 1, 2])
        if across.all() and np.abs(x).max() <= 12:
            return MultivariateGaussian(mu, Sigma), a, x


def _gain_lines(block: FloatArray, across: FloatArray, G: FloatArray) -> list[str]:
    """The division, or the inverse of a 2 x 2 block and the product."""
    if len(block) == 1:
        return [f"So the gain is ${sig(across[0])} / {sig(block[0, 0])} = {sig(G[0])}$ (2 marks)."]
    (p, q), (_, r) = block
    det = round(p * r - q * q)
    return [
        f"Its determinant is ${sig(p)} \\cdot {sig(r)} - {bracket(q)}^2 = {det}$ (1 mark), so",
        "",
        f"$$\n\\boldsymbol{{\\Sigma}}_{{bb}}^{{-1}} = \\frac{{1}}{{{det}}} {matrix([[r, -q], [-q, p]])}, \\qquad "
        f"\\mathbf{{G}} = \\boldsymbol{{\\Sigma}}_{{ab}} \\boldsymbol{{\\Sigma}}_{{bb}}^{{-1}} = {_row(G)}\n$$",
        "",
        "(1 mark).",
    ]


def _form(block: FloatArray, v: FloatArray, value: float) -> str:
    """The quadratic form of the given variables, written out."""
    if len(v) == 1:
        return f"${bracket(v[0])}^2 / {sig(block[0, 0])} = {sig(value)}$"
    (p, q), (_, r) = block
    det = p * r - q * q
    u = np.array([r * v[0] - q * v[1], p * v[1] - q * v[0]])  # the adjugate times v
    dot = products(v, u)
    return (
        f"with $\\boldsymbol{{\\Sigma}}_{{bb}}^{{-1}} {column(v)} = \\frac{{1}}{{{sig(det)}}} {column(u)}$ it is "
        f"$({dot}) / {sig(det)} = {sig(value)}$"
    )


def _block(block: FloatArray) -> str:
    return sig(block[0, 0]) if len(block) == 1 else matrix(block)


def _row(v: FloatArray, math: bool = False) -> str:
    text = sig(v[0]) if len(v) == 1 else row(v, between=",\\ ")
    return f"${text}$" if math else text
