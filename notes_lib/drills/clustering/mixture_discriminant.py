"""Drill on classes that are mixtures: from components to classes, and back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.clustering.gmm import MStep
from notes_lib.clustering.mixture_discriminant import class_log_densities, class_posterior, component_posterior
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction

WEIGHTS = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(1, 4), Fraction(3, 4)]
PRIORS = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(2, 5), Fraction(3, 5)]
CLASSES = ["A", "B"]
_WEIGHTS = "mixture-discriminant-lost-marks-weights"


def _mixture(rng: np.random.Generator, n_components: int, sd: int) -> tuple[list[Fraction], list[int]]:
    """Weights and means of a class, the means at different whole numbers of standard deviations."""
    first = WEIGHTS[rng.integers(len(WEIGHTS))]
    weights = [first, 1 - first] if n_components == 2 else [Fraction(1)]
    means = sd * np.sort(rng.choice(np.arange(-3, 4), size=n_components, replace=False))
    return weights, means.tolist()


@drill("mixture-posterior", marks=12, minutes=15, title="Posterior of classes that are mixtures")
def mixture_posterior(rng: np.random.Generator) -> Parts:
    """Two classes on a line, one or two components each: posterior of classes and components, and a turning prior."""
    trap = bool(rng.integers(2))  # whether the most probable component belongs to the class that loses
    while True:
        sd, prior = int(rng.integers(1, 3)), PRIORS[rng.integers(len(PRIORS))]
        classes = [_mixture(rng, 2, sd), _mixture(rng, int(rng.integers(1, 3)), sd)]
        names = [f"{c}{j + 1}" for c, (_, means) in zip(CLASSES, classes, strict=True) for j in range(len(means))]
        means = np.array([m for _, of_class in classes for m in of_class])
        x = sd * int(rng.integers(-2, 3))
        u = (x - means) / sd
        priors = [float(prior), float(1 - prior)]
        thetas = [MStep(np.array(w, float), np.array(m, float)[:, None], np.full(len(m), sd**2)) for w, m in classes]
        parts = np.concatenate([p[0] for p in component_posterior([[x]], thetas, priors, "spherical")])
        posterior = class_posterior([[x]], thetas, priors, "spherical")[0]
        winner, strongest = CLASSES[posterior.argmax()], names[parts.argmax()]
        clear = abs(posterior[0] - 0.5) > 0.03 and np.diff(np.sort(parts))[-1] > 0.02
        if clear and len(set(means)) == len(means) and np.abs(u).max() <= 3 and (strongest[0] != winner) == trap:
            break
    factor = sd * np.sqrt(2 * np.pi)  # common to all components
    sums = factor * np.exp(class_log_densities([[x]], thetas, "spherical")[0])
    weights = [w for of_class, _ in classes for w in of_class]
    terms = np.array(weights, float) * np.exp(-u * u / 2)
    turning, whole = float(sums[1] / sums.sum()), f"{priors[0]}*sums[0] + {priors[1]}*sums[1]"
    given = {
        "sd": sd, "prior": [prior.numerator, prior.denominator], "x": x, "components": names,
        "weights": [[w.numerator, w.denominator] for w in weights], "means": means.tolist(),
    }  # fmt: skip
    answer: dict[str, Any] = {
        "terms": terms.tolist(), "sums": sums.tolist(), "posterior": float(posterior[0]), "winner": winner,
        "parts": parts.tolist(), "strongest": strongest, "turning": turning,
    }  # fmt: skip
    fields = [
        ask.vector(
            "terms",
            "$\\pi e^{-u^2/2}$",
            1,
            2,
            titles=names,
            **ask.DERIVED,
            slips=[ask.slip(np.exp(-u * u / 2), "The weights of the components are missing.", card=_WEIGHTS)],
        ),
        ask.vector(
            "sums",
            "sums of the classes",
            2,
            2,
            titles=["$S_A$", "$S_B$"],
            **ask.DERIVED,
            follows=[" + ".join(f"terms[{j}]" for j, name in enumerate(names) if name[0] == c) for c in CLASSES],
        ),
        ask.number(
            "posterior",
            "$P(A \\mid x)$",
            3,
            2,
            percent=True,
            **ask.DERIVED,
            follows=f"{priors[0]}*sums[0] / ({whole})",
            slips=[
                ask.slip(
                    float(posterior[1]),
                    "That is the probability of class B.",
                    card="mixture-discriminant-do-not-confuse-models",
                ),
            ],
        ),
        ask.choice("winner", "predicted class", 3, 1, options=CLASSES, follows="posterior < 0.5"),
        ask.vector(
            "parts",
            "posterior of each component",
            4,
            2,
            titles=names,
            **ask.DERIVED,
            follows=[f"{priors[CLASSES.index(name[0])]}*terms[{j}] / ({whole})" for j, name in enumerate(names)],
            slips=[
                ask.slip(
                    np.array([t / sums[CLASSES.index(name[0])] for t, name in zip(terms, names, strict=True)]),
                    "That is within the class, given that it is known; here all components together sum to 1.",
                    card=_WEIGHTS,
                )
            ],
        ),
        ask.choice("strongest", "most probable component", 4, 1, options=names, follows="argmax(parts)"),
        ask.number(
            "turning",
            "prior $P(A)$ at which the answer turns",
            5,
            2,
            percent=True,
            **ask.DERIVED,
            follows="sums[1] / (sums[0] + sums[1])",
            slips=[ask.slip(1 - turning, "That is $P(B)$ at the turning point.", card=_WEIGHTS)],
        ),
    ]
    return Parts(
        _statement(given, weights, prior, u), given, _solution(given, weights, prior, u, answer), answer, fields
    )


def _statement(given: dict[str, Any], weights: list[Fraction], prior: Fraction, u: np.ndarray) -> str:
    sizes = sorted({float(v) for v in np.abs(u) if v})
    powers = ", ".join(f"$e^{{-{sig(v * v / 2)}}} = {np.exp(-v * v / 2):.5f}$" for v in sizes)
    rows = [
        [name, f"${fraction(w)}$", f"${m}$"]
        for name, w, m in zip(given["components"], weights, given["means"], strict=True)
    ]
    return "\n".join(
        [
            f"Each class is a mixture of Gaussians on the line, all of standard deviation $\\sigma = {given['sd']}$. "
            f"The priors are $P(A) = {fraction(prior)}$ and $P(B) = {fraction(1 - prior)}$. The letter of a component "
            "is its class:",
            "",
            table(rows, ["component", "weight in its class", "mean"]).markdown,
            "",
            f"An instance has $x = {given['x']}$. The factor $1/(\\sigma\\sqrt{{2\\pi}})$ is common to all components "
            "and cancels, so leave it out. With $u = (x - \\mu)/\\sigma$,",
            "",
            "1. compute $\\pi\\, e^{-u^2/2}$ of each component (2 marks),",
            "2. add up the components of each class, to $S_A$ and $S_B$ (2 marks),",
            "3. compute $P(A \\mid x)$, and predict the class (3 marks),",
            "4. compute the posterior probability of each component, and name the most probable one (3 marks),",
            "5. give the value of $P(A)$ at which the prediction turns (2 marks).",
            "",
            f"You may use {powers}. Carry four digits and give three digits.",
        ]
    )


def _solution(
    given: dict[str, Any], weights: list[Fraction], prior: Fraction, u: np.ndarray, answer: dict[str, Any]
) -> str:
    """Full-marks answer."""
    names, priors = given["components"], {"A": prior, "B": 1 - prior}
    sums = dict(zip(CLASSES, answer["sums"], strict=True))
    rows = [
        [name, f"${sig(v)}$", f"${sig(np.exp(-v * v / 2))}$", f"${fraction(w)}$", f"${sig(t)}$"]
        for name, v, w, t in zip(names, u, weights, answer["terms"], strict=True)
    ]
    lines = [
        "**Components:**",
        table(rows, ["component", "$u$", "$e^{-u^2/2}$", "$\\pi$", "$\\pi\\, e^{-u^2/2}$"]).markdown,
        "**Classes:** the components of a class add up.",
    ]
    for c in CLASSES:
        terms = [sig(t) for name, t in zip(names, answer["terms"], strict=True) if name[0] == c]
        lines.append(f"$S_{c} = {' + '.join(terms)}{f' = {sig(sums[c])}' if len(terms) > 1 else ''}$")
    products = " + ".join(f"{fraction(priors[c])} \\cdot {sig(sums[c])}" for c in CLASSES)
    whole = sum(float(priors[c]) * sums[c] for c in CLASSES)
    lines += [
        f"**Posterior:** $p = {products} = {sig(whole)}$, so $P(A \\mid x) = \\frac{{{fraction(prior)} \\cdot "
        f"{sig(sums['A'])}}}{{{sig(whole)}}} = {sig(answer['posterior'])}$. Predict {answer['winner']}.",
        "**Components again:** prior times $\\pi\\, e^{-u^2/2}$, divided by the same $p$.",
    ]
    for name, t, q in zip(names, answer["terms"], answer["parts"], strict=True):
        lines.append(f"- {name}: $\\frac{{{fraction(priors[name[0]])} \\cdot {sig(t)}}}{{{sig(whole)}}} = {sig(q)}$")
    own = answer["strongest"][0] == answer["winner"]
    told = (
        "It belongs to the predicted class here, which need not be so."
        if own
        else "It belongs to the other class: the components of a class add up, so the most probable component does "
        "not decide."
    )
    lines += [
        f"The most probable component is {answer['strongest']}. {told}",
        "**Turning prior:** with $P$ for $P(A)$, the two products are equal where $P\\, S_A = (1 - P)\\, S_B$, so "
        f"$P = \\frac{{{sig(sums['B'])}}}{{{sig(sums['A'])} + {sig(sums['B'])}}} = {sig(answer['turning'])}$.",
        "Marks: 2 for the components, 2 for the sums, 2 for the posterior, 1 for the class, 2 for the components' "
        "posteriors, 1 for the most probable one, 2 for the turning prior.",
    ]
    return "\n\n".join(lines)
