"""Drills on the Kalman filter: worked again in fractions, by conditioning and by running a filter for long."""

import json
import math
from fractions import Fraction

import pytest

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def condition(mean, covariance, y):
    """Mean and variance of the first of two numbers, given the second, by the precision matrix."""
    (a, b), (_, d) = covariance
    det = a * d - b * b
    own, cross = d / det, -b / det  # of the inverse
    return mean[0] - cross / own * (y - mean[1]), 1 / own


def step(g):
    """Predicted, innovation, updated, all in fractions."""
    a, c, m, P, q, r, y = (exact(g[k]) for k in ("a", "c", "mean", "variance", "q", "r", "y"))
    ahead = (a * m, a * a * P + q)
    S = c * c * ahead[1] + r
    joint = ((ahead[1], c * ahead[1]), (c * ahead[1], S))
    mean, variance = condition((ahead[0], c * ahead[0]), joint, y)
    return ahead, y - c * ahead[0], S, mean, variance


@pytest.mark.equation("kalman-filter-gain", "kalman-filter-update-mean", "kalman-filter-predict-covariance")
@each_seed()
def test_step_answer(seed):
    _, g, answer = load("kalman-step", seed)
    ahead, e, S, mean, variance = step(g)
    names = ["predicted_mean", "predicted_variance", "innovation", "innovation_variance", "mean", "variance"]
    for name, value in zip(names, [*ahead, e, S, mean, variance], strict=True):
        assert near(answer[name], value)
    assert near(answer["gain"], (mean - ahead[0]) / e)
    assert near(answer["lost"], exact(g["a"]) ** 2 * ahead[1] + g["q"])
    low, high = answer["interval"]
    assert (low + high) / 2 == pytest.approx(g["c"] * float(ahead[0]))
    assert ((high - low) / 3.92) ** 2 == pytest.approx(float(S))
    assert e != 0


def settled(q, r):
    """Predicted variance of a local level after very many steps."""
    p = 1.0
    for _ in range(2000):
        p = p * r / (p + r) + q
    return p


@pytest.mark.equation("kalman-filter-local-level", "kalman-filter-riccati", "kalman-filter-forecast")
@each_seed()
def test_steady_answer(seed):
    _, g, answer = load("kalman-steady-state", seed)
    q, r, h = g["q"], g["r"], g["h"]
    p = settled(q, r)
    K = p / (p + r)
    assert answer["predicted"] == pytest.approx(p, rel=1e-8)
    assert answer["gain"] == pytest.approx(K, rel=1e-8)
    assert answer["filtered"] == pytest.approx(1 / (1 / p + 1 / r), rel=1e-8)
    level = [0.0, 0.0, 0.0]  # what a filter makes of a one at each place
    for place in range(3):
        for t in range(3):
            level[place] += K * ((t == 2 - place) - level[place])
    assert answer["weights"] == pytest.approx(level, rel=1e-7)
    variance = answer["filtered"]
    for _ in range(h):
        variance += q
    assert answer["forecast"] == pytest.approx(variance + r)
    left, steps = 1.0, 0
    while left > g["share"] / 100:
        left, steps = left * (1 - K), steps + 1
    assert answer["steps"] == steps


def smoothed(g):
    """Mean and variance of the state by the law of total variance over the next one."""
    a, q, m, P, m_next, P_next = (exact(g[k]) for k in ("a", "q", "mean", "variance", "next_mean", "next_variance"))
    ahead = a * a * P + q
    joint = ((P, a * P), (a * P, ahead))
    at_next, left = condition((m, a * m), joint, m_next)
    slope = condition((m, a * m), joint, m_next + 1)[0] - at_next
    return a * m, ahead, slope, at_next, left + slope**2 * P_next, slope * P_next, left


@pytest.mark.equation("kalman-filter-smoother-gain", "kalman-filter-smooth-mean", "kalman-filter-smooth-covariance")
@each_seed()
def test_smoother_answer(seed):
    _, g, answer = load("smoother-step", seed)
    names = ["predicted_mean", "predicted_variance", "gain", "mean", "variance", "covariance", "left"]
    for name, value in zip(names, smoothed(g), strict=True):
        assert near(answer[name], value)
    assert g["next_variance"] < answer["predicted_variance"]
    assert 0 < answer["left"] < answer["variance"] < g["variance"]


def test_draws_differ():
    drills = [drawn("kalman-step", s).given for s in range(30)]
    assert {g["a"] for g in drills} == {0.5, 1.0, 1.5}
    assert {g["c"] for g in drills} == {1, 2}
    assert len({drawn("kalman-steady-state", s).answer["gain"] for s in range(30)}) > 4
    assert len({drawn("smoother-step", s).answer["gain"] for s in range(30)}) > 4


def moves(g):
    return f"{g['a']:g} " if g["a"] != 1 else ""


@each_seed()
def test_every_number_of_the_step(seed):
    drill = drawn("kalman-step", seed)
    g, answer = drill.given, drill.answer
    ahead, e, S, mean, variance = (v if isinstance(v, tuple) else float(v) for v in step(g))
    ask, tell = pages(drill)
    ask.says(f"by $z_t = {moves(g)}z_{{t-1}} + w_t$ and is seen as $y_t = {'2 ' if g['c'] == 2 else ''}z_t + v_t$; the")
    ask.says(
        r"$\operatorname{Var} w_t = #$ and $\operatorname{Var} v_t = #$. After the observation of step $t - 1$ the "
        "state has the mean # and the variance #. Then $y_t = #$ is",
        *(str(g[k]) for k in ("q", "r", "mean", "variance", "y")),
    )
    ask.says("with which $z_{t+1}$ is predicted")
    ask.says("with probability 95 %? Use 1.96 (2")
    ask.done()
    m, P = float(ahead[0]), float(ahead[1])
    tell.says("**Predict:** mean $#=#$, variance $#=#$.", m, m, P, P)
    tell.says("**Innovation:** $#=#$; its variance is $#=#$. The gain is $#=#$.", e, e, S, S, *[answer["gain"]] * 2)
    tell.says("**Update:** mean $#=#$, variance $#=#$.", mean, mean, variance, variance)
    tell.says(r"**Interval:** $# \pm 1.96 \cdot \sqrt{#}$: from $#$ to $#$.", g["c"] * m, S, *answer["interval"])
    tell.says("predict once more: $#=#$.", *[g["a"] ** 2 * P + g["q"]] * 2)
    tell.done()


@each_seed()
def test_every_number_of_the_steady_state(seed):
    drill = drawn("kalman-steady-state", seed)
    g, answer = drill.given, drill.answer
    q, r, h, p = g["q"], g["r"], g["h"], settled(g["q"], g["r"])
    K = p / (p + r)
    ask, tell = pages(drill)
    ask.says(r"A level walks, $z_t = z_{t-1} + w_t$ with $\operatorname{Var} w_t = #$, and is seen", str(q))
    ask.says(r"$y_t = z_t + v_t$ with $\operatorname{Var} v_t = #$. The filter", str(r))
    ask.says("with which $y_{t+#}$ is forecast from $y_1,", str(h))
    ask.says("fallen to # % or", str(g["share"]))
    ask.done()
    tell.says(
        r"$p=p - \tfrac{p^2}{p + #} + #$, so that $p^2 - # p - #=0$ and $p=#=#$.", str(r), str(q), str(q), q * r, p, p
    )
    tell.says("**Gain:** $#=#$; variance $#=#$.", K, K, *[answer["filtered"]] * 2)
    tell.says(r"by $#=#$: $#\approx#$, $#\approx#$ and $#\approx#$.", 1 - K, 1 - K,
              *[K * (1 - K) ** j for j in (0, 0, 1, 1, 2, 2)])  # fmt: skip
    tell.says(
        "next level, # more moves, and the noise of the observation: $#=#$.", str(h - 1), *[answer["forecast"]] * 2
    )
    exactly = math.log(g["share"] / 100) / math.log(1 - K)
    tell.says(r"$\big(#\big)^n\le#$ from $n=#\approx#$ on: $#$ steps.", 1 - K, g["share"] / 100, exactly, exactly,
              answer["steps"])  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_the_smoother(seed):
    drill = drawn("smoother-step", seed)
    g = drill.given
    m, P, G, mean, variance, covariance, left = map(float, smoothed(g))
    ask, tell = pages(drill)
    ask.says(f"moves by $z_{{t+1}} = {moves(g)}z_t + w_{{t+1}}$ with")
    ask.says(
        r"$\operatorname{Var} w_{t+1} = #$. Given the observations up to step $t$ the state $z_t$ has the mean # and "
        "the variance #. Given *all* observations the next state $z_{t+1}$ has the mean # and the variance #.",
        *(f"{g[k]:g}" for k in ("q", "mean", "variance", "next_mean", "next_variance")),
    )
    ask.says("with which $z_{t+1}$ was predicted")
    ask.says("covariance of $z_t$ and $z_{t+1}$, given")
    ask.says("if $z_{t+1}$ were known")
    ask.done()
    tell.says("**Predicted:** mean $#=#$, variance $#=#$.", m, m, P, P)
    tell.says("**Gain:** $#=#$.", G, G)
    tell.says("**Mean:** $#=#$.", mean, mean)
    tell.says("**Variance:** $#=#$.", variance, variance)
    tell.says(
        "**Covariance:** $#=#$; with $z_{t+1}$ known, the bracket is $#$: $#=#$.",
        covariance,
        covariance,
        -P,
        left,
        left,
    )
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("kalman-step", "kalman-steady-state", "smoother-step"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])


def test_gains_are_short_fractions():
    for seed in SEEDS:
        assert Fraction(drawn("kalman-step", seed).answer["gain"]).limit_denominator(25).denominator <= 25
