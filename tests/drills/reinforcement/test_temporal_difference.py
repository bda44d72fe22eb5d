"""Drills on learning from experience: worked again in fractions, step by step and pull by pull."""

from math import log, sqrt

import pytest

from tests.drills.exact import check_short_numbers, exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

# ---------------------------------------------------------------- values of an episode


def episode(g):
    """Values after TD(0), step by step, and after Monte Carlo, from the sums themselves; returns, errors."""
    alpha, gamma, R = exact(g["alpha"]), exact(g["gamma"]), g["rewards"]
    V, errors = [*exact(g["values"]), 0], []
    for k in range(3):
        errors.append(R[k] + gamma * V[k + 1] - V[k])
        V[k] += alpha * errors[-1]
    G = [sum(gamma**j * r for j, r in enumerate(R[k:])) for k in range(3)]
    old = exact(g["values"])
    by_mc = [(1 - alpha) * v + alpha * G[k] for k, v in enumerate(old)]
    two = R[0] + gamma * R[1] + gamma**2 * old[2]
    again = R[0] + gamma * V[1] - V[0]
    return errors, V[:3], G, by_mc, two, again, V[0] + alpha * again


@pytest.mark.equation("temporal-difference-error", "temporal-difference-td", "temporal-difference-n-step")
@each_seed()
def test_td_update(seed):
    drill, g, answer = load("td-update", seed)
    errors, V, G, by_mc, two, _, second = episode(g)
    assert exact(answer["errors"]) == errors
    assert exact(answer["td"]) == V
    assert exact(answer["returns"]) == G
    assert exact(answer["monte_carlo"]) == by_mc
    assert exact(answer["two_steps"]) == two
    assert near(answer["again"], second)
    assert all(errors)
    check_short_numbers(drill)


@each_seed()
def test_every_number_of_td_update(seed):
    drill = drawn("td-update", seed)
    g = drill.given
    errors, V, G, by_mc, two, again, second = episode(g)
    meaning = {r"\gamma": g["gamma"], r"\alpha": g["alpha"]} | {f"R_{k + 1}": r for k, r in enumerate(g["rewards"])}
    meaning |= {f"V({s})": v for s, v in zip("ABC", g["values"], strict=True)}
    ask, tell = pages(drill, meaning)
    ask.says("the end is worth 0.")
    ask.says("TD(0) updates after each step.")
    ask.says("After the updates of TD(0) the agent")
    for k, s in enumerate("ABC"):
        ask.says(f"$V({s})=#$", g["values"][k])
    ask.done()
    tell.says("from A $#=#$, from B $#=#$, from C $#=#$.", *(float(e) for e in errors for _ in (0, 1)))
    tell.says("A $#=#$, B $#=#$, C $#=#$.", *(float(v) for v in V for _ in (0, 1)))
    tell.says("C $#$, B $#=#$, A $#=#$.", float(G[2]), *[float(G[1])] * 2, *[float(G[0])] * 2)
    tell.says("A $#=#$, B $#=#$, C $#=#$.", *(float(v) for v in by_mc for _ in (0, 1)))
    tell.says("then the value of C: $#=#$.", *[float(two)] * 2)
    tell.says("the error is $#=#$, and the value of A becomes $#=#$.", *[float(again)] * 2, *[float(second)] * 2)
    tell.done()


# ---------------------------------------------------------------- values of actions


def learned(g):
    """Probabilities in state 2, the three new values and the last one."""
    gamma, e, Q = exact(g["gamma"]), exact(g["epsilon"]), exact(g["Q"])
    a, b = ("ab".index(x) for x in g["actions"])
    R, last = g["rewards"]
    best = int(Q[1][1] > Q[1][0])
    p = [e / 2, e / 2]
    p[best] += 1 - e
    after = {"sarsa": Q[1][b], "q": max(Q[1]), "expected": p[0] * Q[1][0] + p[1] * Q[1][1]}
    targets = {k: R + gamma * v for k, v in after.items()}
    return p, targets, {k: (Q[0][a] + v) / 2 for k, v in targets.items()}, (Q[1][b] + last) / 2, best


@pytest.mark.equation("temporal-difference-sarsa", "temporal-difference-q", "temporal-difference-expected")
@each_seed()
def test_sarsa_and_q_learning(seed):
    drill, g, answer = load("sarsa-and-q-learning", seed)
    p, _, new, final, best = learned(g)
    assert exact(answer["probabilities"]) == p
    assert {k: exact(answer[k]) for k in new} == new
    assert exact(answer["last"]) == final
    assert answer["off_policy"] == "Q-learning"
    assert g["actions"][1] != "ab"[best]  # the agent explored, so the three differ
    assert len(set(new.values())) == 3
    assert g["alpha"] == 0.5
    check_short_numbers(drill)


@each_seed()
def test_every_number_of_sarsa_and_q_learning(seed):
    drill = drawn("sarsa-and-q-learning", seed)
    g = drill.given
    p, targets, new, final, best = learned(g)
    ask, tell = pages(drill, {r"\gamma": g["gamma"], r"\alpha": 0.5, r"\varepsilon": g["epsilon"]})
    ask.table(*[[str(i + 1), *g["Q"][i]] for i in (0, 1)])
    (a, b), (R, last) = g["actions"], g["rewards"]
    ask.says("In the states 1 and 2 there are")
    ask.says("In state 1 it takes # and is paid #. It comes to state 2, takes # there, is paid #,", a, str(R), b,
             str(last))  # fmt: skip
    ask.says("take a and b in state 2?")
    ask.says("Give the new $Q(1, #)$ by SARSA", a)
    ask.says("Give the new $Q(2, #)$ after", b)
    ask.done()
    tell.says("action in state 2 is #, with $#=#$; the other one has $#=#$.", "ab"[best], *[float(p[best])] * 2,
              *[float(p[1 - best])] * 2)  # fmt: skip
    for name in ("sarsa", "q", "expected"):
        tell.says("the target is $#=#$, the new value $#=#$.", *[float(targets[name])] * 2, *[float(new[name])] * 2)
    tell.says("in all three: $#=#$.", *[float(final)] * 2)
    tell.done()


# ---------------------------------------------------------------- a bandit


@pytest.mark.equation("temporal-difference-ucb", "temporal-difference-epsilon", "temporal-difference-gaps")
@each_seed()
def test_bandit(seed):
    _, g, answer = load("bandit-ucb", seed)
    N, wins, t = g["pulls"], g["wins"], sum(g["pulls"])
    means = [exact(w / n) for w, n in zip(wins, N, strict=True)]
    assert exact(answer["means"]) == means
    bounds = [w / n + sqrt(2 * log(t) / n) for w, n in zip(wins, N, strict=True)]
    assert answer["bounds"] == pytest.approx(bounds, abs=1e-8)
    chosen = bounds.index(max(bounds))
    assert answer["ucb"] == str(chosen + 1)
    e, best = exact(g["epsilon"]), means.index(max(means))
    assert exact(answer["probabilities"]) == [e / 3 + (1 - e) * (k == best) for k in range(3)]
    assert near(answer["new_mean"], (wins[chosen] + exact(g["pays"])) / (N[chosen] + 1))
    true = exact(g["true"])
    assert exact(answer["regret"]) == t * max(true) - sum(n * q for n, q in zip(N, true, strict=True))
    assert len(set(means)) == len(set(true)) == 3


@each_seed()
def test_every_number_of_the_bandit(seed):
    drill = drawn("bandit-ucb", seed)
    g, answer = drill.given, drill.answer
    N, wins, true = g["pulls"], g["wins"], g["true"]
    t, chosen = sum(N), int(answer["ucb"]) - 1
    best = answer["means"].index(max(answer["means"]))
    ask, tell = pages(drill, {r"\varepsilon": g["epsilon"]})
    ask.table(*[[str(k + 1), N[k], wins[k]] for k in range(3)])
    ask.says("pulled # times in all; a pull pays 1 or 0.", str(t))
    ask.says(r"$m_a+\sqrt{2\ln t/n_a}$, with")
    ask.says("pull the arms 1, 2 and 3?")
    ask.says("chose pays #.", str(g["pays"]))
    ask.says("probabilities $#$, $#$ and $#$.", *true)
    ask.says("Give the regret of the # pulls above", str(t))
    ask.done()
    tell.says("arm 1 $#=#$, arm 2 $#=#$, arm 3 $#=#$.", *(m for m in answer["means"] for _ in (0, 1)))
    for k in range(3):
        tell.says(f"arm {k + 1} $#\\approx", wins[k] / N[k] + sqrt(2 * float(f"{log(t):.5g}") / N[k]))
    tell.says("pulls arm #, which", answer["ucb"])
    e = g["epsilon"]
    tell.says("each arm has $#=#$ from exploring, and arm #, the one with the largest mean, $#=#$ more: $#=#$.",
              *[e / 3] * 2, str(best + 1), *[1 - e] * 2, *[answer["probabilities"][best]] * 2)  # fmt: skip
    tell.says("one pull of #, so $#$ of the error: $#=#$.", str(N[chosen] + 1), 1 / (N[chosen] + 1),
              *[answer["new_mean"]] * 2)  # fmt: skip
    tell.says("the best arm pays $#$.", max(true))
    tell.done()


def test_every_answer_of_a_choice_occurs():
    assert {drawn("bandit-ucb", s).answer["ucb"] for s in SEEDS} == {"1", "2", "3"}
    assert {drawn("sarsa-and-q-learning", s).given["actions"][0] for s in SEEDS} == {"a", "b"}
