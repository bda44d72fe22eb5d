"""Drills on the Kalman filter: a step, the steady state, a step of the smoother; one number a state, short decimals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, short
from notes_lib.sequences.kalman_filter import predict_step, smooth_step, smoother_gain, steady_state, update_step

# gain, and the noise of the state and of the observation that lead to it
_FALL, _NAMES = "kalman-filter-lost-marks-fall", "kalman-filter-convention-names"
STEADY = [("1/2", 1, 2), ("2/3", 4, 3), ("1/4", 1, 12), ("3/4", 9, 4), ("1/3", 1, 6), ("2/5", 4, 15), ("3/5", 9, 10)]


@drill("kalman-step", marks=12, minutes=14, title="A step of the Kalman filter")
def kalman_step(rng: np.random.Generator) -> Parts:
    """Predict, weigh, update, and give the interval in which the observation was expected."""
    while True:
        a, c = Fraction(int(rng.choice([1, 2, 3])), 2), int(rng.choice([1, 2]))
        m, P = int(rng.integers(-8, 13)), int(rng.choice([2, 4, 8, 12, 16]))
        q, r = int(rng.integers(1, 9)), int(rng.choice([1, 2, 4, 8, 9, 12, 16]))
        ahead = a * a * P + q
        S = c * c * ahead + r
        K = c * ahead / S
        y = math.floor(c * a * m + int(rng.choice([-1, 1])) * int(rng.integers(2, 9)))
        if K.denominator in (2, 4, 5, 8, 10, 20, 25) and (a * m).denominator == 1 and m:
            break
    first = predict_step([float(m)], [[float(P)]], [[float(a)]], [[float(q)]])
    step = update_step(*first, [float(y)], [[float(c)]], [[float(r)]])
    missed = predict_step(*first, [[float(a)]], [[float(q)]])
    half = 1.96 * math.sqrt(S)
    model = f"z_t = {short(float(a))} z_{{t-1}} + w_t" if a != 1 else "z_t = z_{t-1} + w_t"
    seen = f"y_t = {c} z_t + v_t" if c != 1 else "y_t = z_t + v_t"
    statement = "\n\n".join(
        [
            f"The state moves by ${model}$ and is seen as ${seen}$; the noise has the variances "
            f"$\\operatorname{{Var}} w_t = {q}$ and $\\operatorname{{Var}} v_t = {r}$. After the observation of step "
            f"$t - 1$ the state has the mean {m} and the variance {P}. Then $y_t = {y}$ is observed.",
            "1. Predict: mean and variance of $z_t$ before the observation (3 marks).",
            "2. Give the innovation, its variance and the gain (3 marks).",
            "3. Update: mean and variance of $z_t$ (3 marks).",
            "4. In which interval around its forecast did you expect $y_t$ with probability 95 %? Use 1.96 (2 marks).",
            "5. Suppose that $y_t$ had been lost. Give the variance with which $z_{t+1}$ is predicted then (1 mark).",
        ]
    )
    given = {"a": float(a), "c": c, "mean": m, "variance": P, "q": q, "r": r, "y": y}
    answer: dict[str, Any] = {
        "predicted_mean": _value(first.mean), "predicted_variance": _value(first.covariance),
        "innovation": _value(step.innovation), "innovation_variance": _value(step.innovation_covariance),
        "gain": _value(step.gain), "mean": _value(step.mean), "variance": _value(step.covariance),
        "interval": [round(float(c * a * m) + s * half, 9) for s in (-1, 1)],
        "lost": _value(missed.covariance),
    }  # fmt: skip
    fields = [
        ask.number("predicted_mean", "predicted mean", 1),
        ask.number(
            "predicted_variance", "predicted variance", 1, 2,
            slips=[
                ask.slip(
                    float(a * a * P), "The noise of the move is missing: add $\\operatorname{Var} w_t$.", card=_FALL
                )
            ],
        ),
        ask.number(
            "innovation", "innovation", 2, follows=f"{y} - {c}*predicted_mean",
            slips=[
                ask.slip(
                    float(c * a * m - y),
                    "The sign is turned round: the innovation is the observation minus its forecast.",
                    card=_NAMES,
                ),
                ask.slip(
                    float(y - c * m),
                    "That subtracts the old mean; predict first, then look.",
                    card="kalman-filter-do-not-confuse-questions",
                ),
            ],
        ),
        ask.number(
            "innovation_variance", "its variance", 2, follows=f"{c}^2*predicted_variance + {r}",
            slips=[
                ask.slip(
                    float(c * c * ahead),
                    "The noise of the observation is missing: add $\\operatorname{Var} v_t$.",
                    card="kalman-filter-lost-marks-interval",
                )
            ],
        ),
        ask.number("gain", "gain", 2, follows=f"{c}*predicted_variance / innovation_variance"),
        ask.number("mean", "mean", 3, 2, **ask.DERIVED, follows="predicted_mean + gain*innovation"),
        ask.number(
            "variance", "variance", 3, **ask.DERIVED, follows=f"(1 - gain*{c})*predicted_variance",
            slips=[
                ask.slip(
                    float(K * c * ahead),
                    "That is the part that the observation takes away; the rest is left.",
                    card=_FALL,
                )
            ],
        ),
        ask.vector(
            "interval", "interval", 4, 2, titles=["from", "to"], **ask.DERIVED,
            follows=[f"{c}*predicted_mean {sign} 1.96*sqrt(innovation_variance)" for sign in "-+"],
            slips=[
                ask.slip(
                    [float(c * a * m) + s * 1.96 * c * math.sqrt(ahead) for s in (-1, 1)],
                    "That leaves out the noise of the observation; the variance of the innovation counts.",
                    card="kalman-filter-lost-marks-interval",
                )
            ],
        ),
        ask.number(
            "lost", "predicted variance of $z_{t+1}$", 5, follows=f"{float(a * a)}*predicted_variance + {q}",
            slips=[
                ask.slip(
                    float(a * a * (1 - K * c) * ahead + q),
                    "That predicts from the variance after the observation, which is lost here.",
                    card="kalman-filter-do-not-confuse-questions",
                )
            ],
        ),
    ]  # fmt: skip
    e, A, k = y - c * a * m, short(float(a)), short(float(K))
    forecast = float(c * a * m)
    lines = [
        f"**Predict:** mean ${A} \\cdot {bracket(m)}={short(float(a * m))}$, variance "
        f"${A}^2 \\cdot {P} + {q}={short(float(ahead))}$.",
        f"**Innovation:** ${y} - {bracket(c)} \\cdot {bracket(float(a * m), short)}={short(float(e))}$; its variance "
        f"is ${c}^2 \\cdot {short(float(ahead))} + {r}={short(float(S))}$. The gain is "
        f"${short(float(ahead))} \\cdot {c} / {short(float(S))}={k}$.",
        f"**Update:** mean ${short(float(a * m))} + {k} \\cdot {bracket(float(e), short)}="
        f"{short(float(a * m + K * e))}$, variance "
        f"$(1 - {k} \\cdot {c}) \\cdot {short(float(ahead))}={short(float((1 - K * c) * ahead))}$.",
        f"**Interval:** ${short(forecast)} \\pm 1.96 \\cdot \\sqrt{{{short(float(S))}}}$: from "
        f"${sig(answer['interval'][0])}$ to ${sig(answer['interval'][1])}$. The variance of the innovation counts "
        "here, which holds the noise of the observation.",
        f"**Lost:** nothing is learned, so predict once more: "
        f"${A}^2 \\cdot {short(float(ahead))} + {q}={short(float(a * a * ahead + q))}$.",
        "Marks: 1 for the predicted mean, 2 for the variance, 1 for the innovation, 1 for its variance, 1 for the "
        "gain, 2 for the mean, 1 for the variance, 2 for the interval, 1 for the lost observation.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("kalman-steady-state", marks=11, minutes=13, title="The steady state of a Kalman filter")
def kalman_steady_state(rng: np.random.Generator) -> Parts:
    """Riccati's equation of a local level, the gain, what old observations weigh, a forecast, how fast it forgets."""
    text, q, r = STEADY[int(rng.integers(0, len(STEADY)))]
    factor = int(rng.integers(1, 6))
    K, q, r = Fraction(text), q * factor, r * factor
    h, share = int(rng.integers(3, 8)), int(rng.choice([1, 5, 10]))
    settled = steady_state([[1.0]], [[1.0]], [[float(q)]], [[float(r)]])
    p = K * r / (1 - K)
    weights = [K * (1 - K) ** j for j in range(3)]
    exact = math.log(share / 100) / math.log(float(1 - K))
    steps, forecast = math.ceil(exact), p + (h - 1) * q + r
    statement = "\n\n".join(
        [
            f"A level walks, $z_t = z_{{t-1}} + w_t$ with $\\operatorname{{Var}} w_t = {q}$, and is seen with noise, "
            f"$y_t = z_t + v_t$ with $\\operatorname{{Var}} v_t = {r}$. The filter has run for a long time.",
            "1. Find the variance $p$ with which the level is predicted (3 marks).",
            "2. Give the gain, and the variance of the level after an observation (2 marks).",
            "3. Which weights do the newest observation, the one before and the one before that have in the level? "
            "(2 marks)",
            f"4. Give the variance of the error with which $y_{{t+{h}}}$ is forecast from $y_1, \\ldots, y_t$ "
            "(2 marks).",
            f"5. After how many steps has the influence of a wrong start fallen to {share} % or less? (2 marks)",
        ]
    )
    given = {"q": q, "r": r, "h": h, "share": share}
    answer: dict[str, Any] = {
        "predicted": _value(settled.predicted), "gain": _value(settled.gain), "filtered": _value(settled.filtered),
        "weights": [round(float(w), 9) for w in weights], "forecast": round(float(forecast), 9), "steps": steps,
    }  # fmt: skip
    fields = [
        ask.number(
            "predicted", "$p$", 1, 3,
            slips=[
                ask.slip(
                    float(p - q),
                    "That is the variance after an observation; $p$ is the one before it.",
                    card="kalman-filter-do-not-confuse-questions",
                )
            ],
        ),
        ask.number(
            "gain", "gain", 2, follows=f"predicted / (predicted + {r})",
            slips=[
                ask.slip(
                    float(1 - K), "That is the share of the old level; the gain weighs the observation.", card=_NAMES
                )
            ],
        ),
        ask.number("filtered", "variance after an observation", 2, follows="(1 - gain)*predicted"),
        ask.vector(
            "weights", "weights", 3, 2, titles=["newest", "one before", "two before"], **ask.DERIVED,
            follows=["gain", "gain*(1 - gain)", "gain*(1 - gain)^2"],
            slips=[
                ask.slip(
                    [float(K**j) for j in range(1, 4)],
                    "That takes powers of the gain; what is older is multiplied by one minus the gain in each step.",
                    card=_NAMES,
                )
            ],
        ),
        ask.number(
            "forecast", "variance of the forecast error", 4, 2, follows=f"predicted + {(h - 1) * q + r}",
            slips=[
                ask.slip(
                    float(forecast - r),
                    "That is for the level; an observation has its own noise on top.",
                    card="kalman-filter-lost-marks-interval",
                ),
                ask.slip(
                    float(forecast + q),
                    "That counts one move too many: $p$ has the first one in it.",
                    card="kalman-filter-do-not-confuse-questions",
                ),
            ],
        ),
        ask.number(
            "steps", "steps", 5, 2, whole=True, after=["gain"],
            slips=[ask.slip(int(exact), "That rounds down, and the influence is still larger; round up.", card=_FALL)],
        ),
    ]  # fmt: skip
    k, rest = fraction(K), fraction(1 - K)
    lines = [
        f"**Variance:** in the steady state $p=p - \\tfrac{{p^2}}{{p + {r}}} + {q}$, so that "
        f"$p^2 - {q} p - {q} \\cdot {r}=0$ and "
        f"$p=\\tfrac{{{q} + \\sqrt{{{q}^2 + 4 \\cdot {q} \\cdot {r}}}}}{{2}}={short(float(p))}$. "
        "The other root is negative.",
        f"**Gain:** ${short(float(p))} / ({short(float(p))} + {r})={k}$; variance "
        f"$(1 - {k}) \\cdot {short(float(p))}={short(float((1 - K) * p))}$.",
        f"**Weights:** each step multiplies what is older by $1 - {k}={rest}$: ${k}\\approx{sig(float(weights[0]))}$, "
        f"${k} \\cdot {rest}\\approx{sig(float(weights[1]))}$ and "
        f"${k} \\cdot \\big({rest}\\big)^2\\approx{sig(float(weights[2]))}$.",
        f"**Forecast:** $p$ for the next level, {h - 1} more moves, and the noise of the observation: "
        f"${short(float(p))} + {h - 1} \\cdot {q} + {r}={short(float(forecast))}$.",
        f"**Steps:** $\\big({rest}\\big)^n\\le{short(share / 100)}$ from "
        f"$n=\\ln({short(share / 100)}) / \\ln({rest})\\approx{sig(exact)}$ on: ${steps}$ steps.",
        "Marks: 2 for the equation, 1 for its root, 1 for the gain, 1 for the variance, 2 for the weights, 2 for the "
        "forecast, 2 for the steps.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("smoother-step", marks=10, minutes=12, title="A step of the smoother")
def smoother_step(rng: np.random.Generator) -> Parts:
    """Carry what later observations say about the next state back to the present one."""
    while True:
        a, q = Fraction(int(rng.choice([1, 2, 3])), 2), int(rng.integers(1, 10))
        m, P = int(rng.integers(-8, 13)), int(rng.choice([2, 4, 6, 8, 12, 16]))
        ahead = a * a * P + q
        G = a * P / ahead
        later = int(rng.integers(1, max(2, math.floor(ahead))))
        found = a * m + int(rng.choice([-1, 1])) * int(rng.integers(1, 9))
        if G.denominator in (2, 4, 5, 8, 10) and G != 1 and (a * m).denominator == 1 and later < ahead and m:
            break
    A = float(a)
    predicted = predict_step([float(m)], [[float(P)]], [[A]], [[float(q)]])
    step = smooth_step([float(m)], [[float(P)]], predicted, ([float(found)], [[float(later)]]), [[A]])
    gain = smoother_gain([[float(P)]], [[A]], predicted.covariance)
    model = f"z_{{t+1}} = {short(A)} z_t + w_{{t+1}}" if a != 1 else "z_{t+1} = z_t + w_{t+1}"
    statement = "\n\n".join(
        [
            f"The state moves by ${model}$ with $\\operatorname{{Var}} w_{{t+1}} = {q}$. Given the observations up to "
            f"step $t$ the state $z_t$ has the mean {m} and the variance {P}. Given *all* observations the next state "
            f"$z_{{t+1}}$ has the mean {short(float(found))} and the variance {later}.",
            "1. Give the mean and the variance with which $z_{t+1}$ was predicted at step $t$ (2 marks).",
            "2. Give the gain of the smoother (2 marks).",
            "3. Give the mean of $z_t$, given all observations (2 marks).",
            "4. Give its variance, given all observations (2 marks).",
            "5. Give the covariance of $z_t$ and $z_{t+1}$, given all observations (1 mark), and the variance that "
            "$z_t$ would have left if $z_{t+1}$ were known exactly (1 mark).",
        ]
    )
    given = {"a": A, "q": q, "mean": m, "variance": P, "next_mean": float(found), "next_variance": later}
    left = P - G * G * ahead
    answer: dict[str, Any] = {
        "predicted_mean": _value(predicted.mean), "predicted_variance": _value(predicted.covariance),
        "gain": _value(gain), "mean": _value(step.mean), "variance": _value(step.covariance),
        "covariance": round(float(gain[0, 0]) * later, 9), "left": round(float(left), 9),
    }  # fmt: skip
    fields = [
        ask.number("predicted_mean", "predicted mean", 1),
        ask.number(
            "predicted_variance", "predicted variance", 1,
            slips=[
                ask.slip(
                    float(a * a * P), "The noise of the move is missing: add $\\operatorname{Var} w_{t+1}$.", card=_FALL
                )
            ],
        ),
        ask.number(
            "gain", "gain of the smoother", 2, 2, follows=f"{P * A} / predicted_variance",
            slips=[
                ask.slip(
                    P * A / later,
                    "That divides by the smoothed variance of the next state; the gain divides by the predicted one.",
                    card="kalman-filter-lost-marks-smoother",
                )
            ],
        ),
        ask.number(
            "mean", "smoothed mean", 3, 2, **ask.DERIVED, follows=f"{m} + gain*({float(found)} - predicted_mean)",
            slips=[
                ask.slip(
                    float(m + G * (found - m)),
                    "That compares with the mean of the present state; compare with the predicted one.",
                    card="kalman-filter-lost-marks-smoother",
                )
            ],
        ),
        ask.number(
            "variance", "smoothed variance", 4, 2, **ask.DERIVED,
            follows=f"{P} + gain^2*({later} - predicted_variance)",
            slips=[
                ask.slip(
                    float(P + G * (later - ahead)), "The gain enters squared into a variance.", card=_NAMES
                )
            ],
        ),
        ask.number("covariance", "covariance", 5, **ask.DERIVED, follows=f"gain*{later}"),
        ask.number(
            "left", "variance if $z_{t+1}$ is known", 5, **ask.DERIVED, follows=f"{P} - gain^2*predicted_variance"
        ),
    ]  # fmt: skip
    g, p, s = short(float(G)), short(float(ahead)), short(A)
    new = m + G * (found - a * m)
    lines = [
        f"**Predicted:** mean ${s} \\cdot {bracket(m)}={short(float(a * m))}$, variance ${s}^2 \\cdot {P} + {q}={p}$.",
        f"**Gain:** ${P} \\cdot {s} / {p}={g}$.",
        f"**Mean:** ${m} + {g} \\cdot ({short(float(found))} - {bracket(float(a * m), short)})={short(float(new))}$.",
        f"**Variance:** ${P} + {g}^2 \\cdot ({later} - {p})={sig(float(P + G * G * (later - ahead)), 8)}$.",
        f"**Covariance:** ${g} \\cdot {later}={short(float(G * later))}$; with $z_{{t+1}}$ known, the bracket is "
        f"$0 - {p}$: ${P} - {g}^2 \\cdot {p}={sig(float(left), 8)}$.",
        "Marks: 1 for the mean, 1 for the variance, 2 for the gain, 2 for the smoothed mean, 2 for the smoothed "
        "variance, 1 for the covariance, 1 for the variance that is left.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _value(x: Any) -> float:
    """The one number of an array."""
    return round(float(np.squeeze(x)), 9)
