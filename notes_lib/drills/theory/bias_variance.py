"""Drill on bias and variance: two learners at one point, over all their training sets, and a mean of several fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket

LEARNERS = ["A", "B"]
_SIGN = "bias-variance-convention-sign"


@drill("bias-variance", marks=11, minutes=14, title="Bias, variance and noise at one point")
def bias_variance(rng: np.random.Generator) -> Parts:
    """Four training sets, two learners: averaged predictions, squared bias, variance, risk, and the mean of fits."""
    while True:
        h = int(rng.integers(4, 15))
        centre = h + np.array([rng.choice([-4, -3, -2, 2, 3, 4]), rng.choice([-1, 0, 1])])
        away = np.array([rng.integers(-1, 2, size=4), rng.integers(-6, 7, size=4)])
        average, variance = centre + away.mean(axis=1), away.var(axis=1)
        noise = int(rng.integers(1, 7)) / 2
        risk = noise + (average - h) ** 2 + variance
        fair = not away.sum(axis=1).any() and not (2 * variance % 1).any() and variance[0] > 0
        if fair and len(set(away[1].tolist())) > 2 and 1 < variance[1] < 16 and abs(risk[0] - risk[1]) >= 0.5:
            break
    predictions = centre[:, None] + away
    m, better = int(rng.choice([2, 5])), int(risk[1] < risk[0])
    ensemble = float(noise + (average[1] - h) ** 2 + variance[1] / m)
    statement = "\n\n".join(
        [
            "Four training sets are all there are, and they are equally likely. Trained on them, the learners A and B "
            "predict at one point:",
            table([[name, *row] for name, row in zip(LEARNERS, predictions.tolist(), strict=True)],
                  ["learner", "set 1", "set 2", "set 3", "set 4"]).markdown,
            f"At this point the averaged target is $h={h}$, and a new target has the variance $\\sigma^2={sig(noise)}$ "
            "around it, independent of the training set.",
            "1. Give the averaged prediction and the squared bias of both learners (4 marks).",
            "2. Give the variance of both (2 marks).",
            "3. Give the averaged risk of both for the squared loss. Which learner is better? (3 marks)",
            f"4. Now average the predictions of {m} fits of B, on training sets drawn independently of each other. "
            "What is the averaged risk of this mean? (2 marks)",
        ]
    )  # fmt: skip
    answer: dict[str, Any] = {
        "average": average.tolist(), "squared_bias": ((average - h) ** 2).tolist(), "variance": variance.tolist(),
        "risk": risk.tolist(), "better": LEARNERS[better], "ensemble": ensemble,
    }  # fmt: skip
    fields = [
        ask.vector("average", "averaged prediction", 1, 2, titles=LEARNERS, whole=True),
        ask.vector(
            "squared_bias",
            "squared bias",
            1,
            2,
            titles=LEARNERS,
            whole=True,
            follows=[f"(average[{k}] - {h})^2" for k in range(2)],
            slips=[ask.slip(average - h, "These are the biases; their squares are asked for.", card=_SIGN)],
        ),
        ask.vector(
            "variance",
            "variance",
            2,
            2,
            titles=LEARNERS,
            follows=["(" + " + ".join(f"({v} - average[{k}])^2" for v in predictions[k]) + ") / 4" for k in range(2)],
            slips=[
                ask.slip(
                    variance + (average - h) ** 2,
                    "That is measured from the averaged target; the variance is measured from the averaged prediction.",
                    card="bias-variance-lost-marks-spread",
                ),
                ask.slip(
                    variance * 4 / 3, "That divides by 3; all training sets are given, so divide by 4.", card=_SIGN
                ),
            ],
        ),
        ask.vector(
            "risk",
            "averaged risk",
            3,
            2,
            titles=LEARNERS,
            follows=[f"{noise} + squared_bias[{k}] + variance[{k}]" for k in range(2)],
            slips=[
                ask.slip(
                    risk - noise,
                    "The noise is missing: a new target has a variance of its own.",
                    card="bias-variance-lost-marks-noise",
                )
            ],
        ),
        ask.choice(
            "better",
            "better learner",
            3,
            options=LEARNERS,
            follows="argmin(risk)",
            slips=[
                ask.slip(
                    LEARNERS[1 - better],
                    "That learner has the larger risk; bias and variance count together.",
                    card="bias-variance-lost-marks-complex",
                )
            ],
        ),
        ask.number(
            "ensemble",
            "averaged risk of the mean",
            4,
            2,
            **ask.DERIVED,
            follows=f"{noise} + squared_bias[1] + variance[1] / {m}",
            slips=[
                ask.slip(
                    float(risk[1]) / m,
                    "That divides everything; averaging divides the variance alone.",
                    card="bias-variance-lost-marks-complex",
                )
            ],
        ),
    ]
    lines = []
    for k, name in enumerate(LEARNERS):
        mean, bias = int(average[k]), int(average[k] - h)
        total = " + ".join(map(bracket, predictions[k].tolist()))
        squares = " + ".join(f"{bracket(int(d))}^2" for d in away[k])
        lines += [
            f"**Learner {name}.** Averaged prediction $\\tfrac14\\,({total})={mean}$; bias ${mean}-{h}={bias}$, "
            f"squared ${bias**2}$. Variance, around the averaged prediction and not around $h$: "
            f"$\\tfrac14\\,\\big({squares}\\big)={sig(variance[k])}$. "
            f"Averaged risk $\\sigma^2+\\text{{bias}}^2+\\text{{variance}}={sig(noise)} + {bias**2} + "
            f"{sig(variance[k])}={sig(risk[k])}$."
        ]
    lines += [
        f"Learner {LEARNERS[better]} has the smaller risk.",
        f"**Mean of {m} fits:** the bias stays, and the variance of a mean of independent fits is divided by "
        f"their number: ${sig(noise)} + {int(average[1] - h) ** 2} + {sig(variance[1])}/{m}={sig(ensemble)}$.",
        "Marks: 2 for the averaged predictions, 2 for the squared biases, 2 for the variances, 2 for the risks, 1 for "
        "the better learner, 2 for the mean of fits.",
    ]
    given = {"predictions": predictions.tolist(), "h": h, "noise": noise, "fits": m}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
