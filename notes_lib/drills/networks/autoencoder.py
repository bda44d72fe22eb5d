"""Drills on autoencoders: a linear one with a code of one number, and the bound of a variational one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, fraction, matrix, products, row
from notes_lib.networks.autoencoder import (
    best_decoder,
    evidence_bound,
    kl_to_prior,
    linear_error,
    log_noise_density,
    reparametrise,
)
from notes_lib.reduction.pca import principal_axes

DIRECTIONS = [(1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2)]
ENCODERS = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2)]
AXES = ["1", "2"]
_METHODS, _AXES, _LOSS = (
    f"autoencoder-{name}" for name in ("do-not-confuse-methods", "lost-marks-axes", "convention-loss")
)
_LOG, _KL, _NOISE = (f"autoencoder-{name}" for name in ("lost-marks-log", "lost-marks-sign", "do-not-confuse-noise"))
SPREADS = [Fraction(1, 2), Fraction(1), Fraction(2)]


@drill("linear-autoencoder", marks=12, minutes=15, title="A linear autoencoder by hand")
def linear_autoencoder(rng: np.random.Generator) -> Parts:
    """A code and a reconstruction, the mean error of a pair, the best decoder, the least error and who reaches it."""
    while True:
        u = np.array(DIRECTIONS[int(rng.integers(len(DIRECTIONS)))])
        v = np.array([-u[1], u[0]])
        large, small = sorted((int(k) for k in rng.choice([1, 2, 3, 4, 5], 2, replace=False)), reverse=True)
        S = large * np.outer(u, u) + small * np.outer(v, v)
        a = np.array(ENCODERS[int(rng.integers(len(ENCODERS)))])
        b = rng.integers(-1, 3, size=2)
        m, away = rng.integers(0, 6, size=2), rng.integers(-3, 4, size=2)
        code = int(a @ away)
        if abs(int(a @ u)) not in (0, int(np.sqrt((u @ u) * (a @ a)))) and a @ v != 0 and b.any() and code != 0:
            break
    length = int(u @ u)
    x, rebuilt = m + away, m + code * b
    Sa, of_code = S @ a, int(a @ S @ a)
    trace, cross, size = int(np.trace(S)), int(Sa @ b), int(b @ b)
    error = trace - 2 * cross + size * of_code
    best = [Fraction(int(k), of_code) for k in Sa]
    reached = trace - Fraction(int(Sa @ Sa), of_code)
    encoder = [Fraction(int(k), length) for k in u]
    statement = "\n\n".join(
        [
            f"Data in the plane have the mean ${row(m)}$ and, with the divisor $N$, the covariance matrix "
            f"$\\mathbf{{S}}={matrix(S)}$. A linear autoencoder makes of $\\mathbf{{x}}$ the code "
            "$z=\\mathbf{a}^\\top(\\mathbf{x}-\\bar{\\mathbf{x}})$ and of the code the reconstruction "
            "$\\hat{\\mathbf{x}}=\\bar{\\mathbf{x}}+z\\,\\mathbf{b}$. At present "
            f"$\\mathbf{{a}}={row(a)}$ and $\\mathbf{{b}}={row(b)}$.",
            f"1. Give code, reconstruction and squared error of the point ${row(x)}$ (3 marks).",
            "2. Give the mean squared error of this pair over all data (3 marks).",
            "3. Keep $\\mathbf{a}$. Give the decoder of least error, and that error (3 marks).",
            "4. Now both may change. What is the least error, and along which direction does the decoder then point, "
            "in any length? (2 marks)",
            f"5. A colleague fixes the decoder $\\mathbf{{b}}={row(u)}$. Which encoder reaches the least error with "
            "it? (1 mark)",
        ]
    )
    answer: dict[str, Any] = {
        "code": code, "rebuilt": rebuilt.tolist(), "apart": int(((x - rebuilt) ** 2).sum()),
        "error": linear_error(S, a[None], b[:, None]), "decoder": best_decoder(S, a[None])[:, 0].tolist(),
        "reached": linear_error(S, a[None], best_decoder(S, a[None])),
        "least": float(principal_axes(S).eigenvalues[1]), "direction": u.tolist(),
        "encoder": [float(k) for k in encoder],
    }  # fmt: skip
    given = {"S": S.tolist(), "mean": m.tolist(), "a": a.tolist(), "b": b.tolist(), "x": x.tolist(), "u": u.tolist()}
    fields = [
        ask.number(
            "code", "code", 1, whole=True, slips=[ask.slip(int(a @ x), "The mean is not subtracted.", card=_METHODS)]
        ),
        ask.vector(
            "rebuilt",
            "reconstruction",
            1,
            titles=AXES,
            whole=True,
            follows=[f"{m[j]} + code*{bracket(b[j])}" for j in range(2)],
            slips=[ask.slip(code * b, "The mean is missing: it is added again.", card=_METHODS)],
        ),
        ask.number(
            "apart",
            "squared error",
            1,
            whole=True,
            follows=" + ".join(f"({x[j]} - rebuilt[{j}])^2" for j in range(2)),
        ),
        ask.number(
            "error",
            "mean squared error",
            2,
            3,
            slips=[
                ask.slip(
                    trace - cross, "That drops the last term and a factor 2: multiply the square out.", card=_LOSS
                ),
                ask.slip(
                    error / 2, "That is divided by the number of coordinates; here the whole square counts.", card=_LOSS
                ),
            ],
        ),
        ask.vector(
            "decoder",
            "best decoder",
            3,
            2,
            titles=AXES,
            slips=[
                ask.slip(Sa, "That is not divided by the variance of the code.", card=_LOSS),
            ],
        ),
        ask.number(
            "reached",
            "its error",
            3,
            **ask.DERIVED,
            follows=f"{trace} - 2*(decoder[0]*{bracket(Sa[0])} + decoder[1]*{bracket(Sa[1])}) "
            f"+ (decoder[0]^2 + decoder[1]^2)*{of_code}",
        ),
        ask.number(
            "least",
            "least error of all pairs",
            4,
            slips=[
                ask.slip(large * length, "That is the variance that is kept; the error is what is lost.", card=_METHODS)
            ],
        ),
        ask.vector(
            "direction",
            "direction of the decoder",
            4,
            titles=AXES,
            up_to="scale",
            slips=[
                ask.slip(
                    v,
                    "That is the direction that is lost; the decoder points along the larger eigenvalue.",
                    card=_METHODS,
                )
            ],
        ),
        ask.vector(
            "encoder",
            "encoder",
            5,
            titles=AXES,
            slips=[
                ask.slip(
                    u, "That gives codes that are too large: divide by the squared length of the decoder.", card=_AXES
                )
            ],
        ),
    ]
    gap = x - rebuilt
    lines = [
        f"**Point:** its deviation from the mean is ${row(away)}$, so $z={products(a, away)}={code}$. The "
        f"reconstruction is ${row(rebuilt)}$, and the squared error "
        f"$({gap[0]})^2 + ({gap[1]})^2={answer['apart']}$.",
        f"**Mean error:** multiply out $\\lVert\\mathbf{{x}}-z\\,\\mathbf{{b}}\\rVert^2$ for centred data and take the "
        f"mean: $\\operatorname{{tr}}\\mathbf{{S}}-2\\,\\mathbf{{b}}^\\top\\mathbf{{S}}\\mathbf{{a}}+"
        f"\\lVert\\mathbf{{b}}\\rVert^2\\,\\mathbf{{a}}^\\top\\mathbf{{S}}\\mathbf{{a}}$. Here "
        f"$\\mathbf{{S}}\\mathbf{{a}}={matrix(S)}{column(a)}={column(Sa)}$, so "
        f"$\\mathbf{{b}}^\\top\\mathbf{{S}}\\mathbf{{a}}={products(b, Sa)}={cross}$ and the variance of the code is "
        f"$\\mathbf{{a}}^\\top\\mathbf{{S}}\\mathbf{{a}}={products(a, Sa)}={of_code}$. The error is "
        f"${trace}-2 \\cdot {bracket(cross)}+{size} \\cdot {of_code}={error}$.",
        f"**Best decoder:** the derivative by $\\mathbf{{b}}$ is zero for "
        f"$\\mathbf{{b}}=\\mathbf{{S}}\\mathbf{{a}}/(\\mathbf{{a}}^\\top\\mathbf{{S}}\\mathbf{{a}})="
        f"{row(best, fraction)}$. Its error is "
        f"${trace}-{int(Sa @ Sa)} / {of_code}={fraction(reached)}{_decimal(reached)}$.",
        f"**Least error:** $\\mathbf{{S}}\\mathbf{{u}}={column(S @ u)}={large * length}{column(u)}$ for "
        f"$\\mathbf{{u}}={row(u)}$, and the other eigenvalue is ${trace}-{large * length}={small * length}$. The "
        "larger one belongs to $\\mathbf{u}$, the direction of the decoder, and the smaller one, "
        f"${small * length}$, is the least error.",
        "**Encoder:** a point along the axis must come back unchanged, so the encoder lies along "
        f"${row(u)}$ and has the inner product 1 with it. The squared length of ${row(u)}$ is ${length}$, so the "
        f"encoder is ${row(encoder, fraction)}$.",
        "Marks: 1 for the code, 1 for the reconstruction, 1 for the squared error, 3 for the mean error, 2 for the "
        "best decoder, 1 for its error, 1 for the least error, 1 for the direction, 1 for the encoder.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _decimal(value: Fraction) -> str:
    """Four digits of a fraction that is no whole number."""
    return "" if value.denominator == 1 else f"\\approx{sig(float(value))}"


@drill("variational-bound", marks=10, minutes=13, title="The bound of a variational autoencoder")
def variational_bound(rng: np.random.Generator) -> Parts:
    """A divergence, a code from a standard normal number, the bound with one sample, and its derivatives."""
    while True:
        mu, eps = Fraction(int(rng.integers(-2, 3))), Fraction(int(rng.integers(-4, 5)), 2)
        s, v = (SPREADS[int(k)] for k in rng.integers(3, size=2))
        z = mu + s * eps
        made = (z, z * z)
        x = rng.integers(-3, 6, size=2)
        gap = [int(k) - g for k, g in zip(x, made, strict=True)]
        if eps and mu and z and z.denominator == 1 and abs(z) <= 2 and 0 < max(map(abs, gap)) <= 3:
            break
    square = gap[0] ** 2 + gap[1] ** 2
    number = np.array([[float(mu)]]), np.array([[2 * np.log(float(s))]])
    X, M = x[None].astype(float), np.array([[float(g) for g in made]])
    slope = (gap[0] + 2 * z * gap[1]) / v
    by_mu, by_s = slope - mu, slope * eps - s + 1 / s
    answer: dict[str, Any] = {
        "divergence": float(kl_to_prior(*number)[0]),
        "code": float(reparametrise(*number, np.array([[float(eps)]]))[0, 0]),
        "rebuilt": [float(g) for g in made],
        "density": float(log_noise_density(X, M, float(v))[0]),
        "bound": float(evidence_bound(X, M, float(v), *number)[0]),
        "by_mu": float(by_mu),
        "by_s": float(by_s),
    }
    statement = "\n\n".join(
        [
            "A variational autoencoder has a code of one number, $z\\sim\\mathcal{N}(0,1)$, and the decoder "
            f"$g(z)=(z, z^2)$; a row is $g(z)$ plus Gaussian noise of variance ${fraction(v)}$ in both directions. For "
            f"$\\mathbf{{x}}={row(x)}$ the encoder says $\\mu={fraction(mu)}$ and $s={fraction(s)}$, and the standard "
            f"normal number $\\varepsilon={fraction(eps)}$ is drawn.",
            "1. Give the divergence of the encoder's Gaussian from the prior, in nats (2 marks).",
            "2. Give the code that is drawn, and what the decoder makes of it (2 marks).",
            "3. Give the log density of $\\mathbf{x}$ around it, with 6.2832 for 2 pi (2 marks), and the estimate of "
            "the bound (1 mark).",
            "4. Give the derivatives of this estimate by $\\mu$ (2 marks) and by $s$ (1 mark).",
        ]
    )
    given = {"mu": float(mu), "s": float(s), "variance": float(v), "eps": float(eps), "x": x.tolist()}
    fields = [
        ask.number(
            "divergence",
            "divergence",
            1,
            2,
            slips=[
                ask.slip(2 * answer["divergence"], "The half before the bracket is missing.", card=_LOG),
                ask.slip(
                    answer["divergence"] + float(np.log(float(s))) / 2,
                    "That takes $\\ln s$; the logarithm belongs to the variance, $\\ln s^2$.",
                    card=_LOG,
                ),
            ],
        ),
        ask.number(
            "code",
            "code",
            2,
            slips=[
                ask.slip(
                    float(mu * s + eps), "That multiplies the mean; the spread belongs to $\\varepsilon$.", card=_NOISE
                )
            ],
        ),
        ask.vector("rebuilt", "what the decoder makes of it", 2, titles=AXES, follows=["code", "code^2"]),
        ask.number(
            "density",
            "log density",
            3,
            2,
            follows=f"-ln(6.2832*{float(v)}) - (({x[0]} - rebuilt[0])^2 + ({x[1]} - rebuilt[1])^2) / {float(2 * v)}",
            slips=[
                ask.slip(
                    -float(square / v) / 2,
                    "The normalising factor is missing: subtract $\\ln(2\\pi\\sigma^2)$.",
                    card=_NOISE,
                )
            ],
        ),
        ask.number(
            "bound",
            "bound",
            3,
            **ask.DERIVED,
            follows="density - divergence",
            slips=[
                ask.slip(
                    answer["density"] + answer["divergence"], "The divergence is subtracted in the bound.", card=_KL
                )
            ],
        ),
        ask.number(
            "by_mu",
            "derivative by the mean",
            4,
            2,
            follows=f"(({x[0]} - rebuilt[0]) + 2*code*({x[1]} - rebuilt[1])) / {float(v)} - {bracket(float(mu))}",
            slips=[ask.slip(float(slope), "The divergence is missing: it has the derivative $\\mu$.", card=_KL)],
        ),
        ask.number(
            "by_s",
            "derivative by the spread",
            4,
            follows=f"(by_mu + {bracket(float(mu))})*{bracket(float(eps))} + {float(1 / s - s)}",
        ),
    ]
    F = fraction
    lines = [
        f"**Divergence:** $\\tfrac12(\\mu^2+s^2-1-\\ln s^2)=\\tfrac12 \\cdot \\big({F(mu * mu)}+{F(s * s)}-1-"
        f"\\ln {_of_log(s * s)}\\big)\\approx{sig(answer['divergence'])}$.",
        f"**Code:** $z=\\mu+s\\,\\varepsilon={F(mu)}+{F(s)} \\cdot {_bracketed(eps)}={F(z)}$, and "
        f"$g(z)=({F(made[0])}, {F(made[1])})$.",
        f"**Log density:** the squared distance is $\\big({F(gap[0])}\\big)^2+\\big({F(gap[1])}\\big)^2={F(square)}$. "
        f"In two dimensions the density is $-\\ln\\big(6.2832 \\cdot {F(v)}\\big)-\\tfrac{{1}}{{2}} \\cdot "
        f"{F(square)} / {_bracketed(v, always=v.denominator > 1)}\\approx{sig(answer['density'])}$.",
        f"**Bound:** the log density minus the divergence, $\\approx{sig(answer['bound'])}$.",
        f"**Derivatives:** by the code, the log density grows with $\\big({F(gap[0])} \\cdot 1+"
        f"{_bracketed(gap[1])} \\cdot 2 \\cdot {_bracketed(z)}\\big) / "
        f"{_bracketed(v, always=v.denominator > 1)}={F(slope)}$, the differences times the slopes of $g$. By $\\mu$ "
        f"the code grows with 1 and the divergence with $\\mu$: ${F(slope)}-{_bracketed(mu)}={F(by_mu)}$. By $s$ the "
        f"code grows with $\\varepsilon$ and the divergence with $s-1/s$: ${F(slope)} \\cdot {_bracketed(eps)}-"
        f"\\big({F(s)}-{F(1 / s)}\\big)={F(by_s)}$.",
        "Marks: 2 for the divergence, 1 for the code, 1 for what the decoder makes of it, 2 for the log density, 1 for "
        "the bound, 2 for the derivative by the mean, 1 for the one by the spread.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _bracketed(value: Fraction, always: bool = False) -> str:
    """A fraction as a factor."""
    return f"\\big({fraction(value)}\\big)" if value < 0 or always else fraction(value)


def _of_log(value: Fraction) -> str:
    return fraction(value) if value.denominator == 1 else f"\\big({fraction(value)}\\big)"
