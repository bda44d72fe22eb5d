"""Drills on Markov decision processes: returns, Bellman's equation, value iteration and policy iteration by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, short
from notes_lib.reinforcement.mdp import (
    MDP,
    action_values,
    discounted_returns,
    error_bound,
    expectation_backup,
    optimality_backup,
    policy_evaluation,
)

GAMMAS = {"0.5": Fraction(1, 2), "0.8": Fraction(4, 5), "0.9": Fraction(9, 10)}
WAITS = [(1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]  # discounts at which two rewards are worth the same
STATES, ACTIONS = ("state 1", "state 2"), ("a", "b")


@drill("discounted-return", marks=9, minutes=10, title="Discounted returns")
def discounted_return(rng: np.random.Generator) -> Parts:
    """Returns of a short path from behind, a reward that goes on for ever, a small one now or a large one later."""
    g = list(GAMMAS)[int(rng.integers(3))]
    gamma = GAMMAS[g]
    R = [int(r) for r in rng.choice([-4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 8, 10], 4)]
    c = int(rng.integers(1, 10))
    while True:
        (p, q), m, k = WAITS[int(rng.integers(len(WAITS)))], int(rng.integers(2, 4)), int(rng.integers(1, 4))
        if Fraction(p, q) != gamma:
            break
    small, large = k * p**m, k * q**m
    G = discounted_returns(R, float(gamma))
    tail = gamma**4 * c / (1 - gamma)
    late = gamma**m * large
    better = "later" if late > small else "now"
    statement = "\n\n".join(
        [
            f"The discount factor is $\\gamma={g}$. A path pays the rewards $R_1={R[0]}$, $R_2={R[1]}$, $R_3={R[2]}$ "
            f"and $R_4={R[3]}$, and nothing after that.",
            "1. Compute the returns $G_3$, $G_2$, $G_1$ and $G_0$ from behind (4 marks).",
            f"2. After the fourth step another path pays ${c}$ in every step, for ever. What does that add to $G_0$? "
            "(2 marks)",
            f"3. You may take a reward of ${small}$ at the next step, or ${large}$ exactly {_words(m)} steps later "
            "than that. From which discount factor on is waiting at least as good? (2 marks) What do you choose here? "
            "(1 mark)",
        ]
    )
    given = {"gamma": float(gamma), "rewards": R, "forever": c, "small": small, "large": large, "wait": m}
    answer = {
        "returns": [_exact(v) for v in G[::-1]],
        "forever": _exact(tail),
        "threshold": _exact(Fraction(p, q)),
        "better": better,
    }
    fields = [
        ask.vector(
            "returns", "returns", 1, 4, titles=[f"$G_{t}$" for t in (3, 2, 1, 0)],
            slips=[
                ask.slip(
                    np.cumsum(R[::-1]),
                    "These are plain sums; what comes later is multiplied by $\\gamma$ at each step.",
                    card="mdp-convention-index",
                )
            ],
        ),
        ask.number(
            "forever", "what it adds", 2, 2,
            slips=[
                ask.slip(
                    float(c / (1 - gamma)),
                    "That is the series alone; it begins after four steps, so $\\gamma^4$ stands before it.",
                    card="mdp-convention-index",
                ),
                ask.slip(
                    float(gamma * tail),
                    "That has one factor $\\gamma$ too many: the fifth reward is weighted with $\\gamma^4$.",
                    card="mdp-convention-index",
                ),
            ],
        ),
        ask.number(
            "threshold", "discount factor", 3, 2,
            slips=[
                ask.slip(
                    small / large,
                    "That is $\\gamma$ to the power of the steps that you wait; take the root.",
                    card="mdp-convention-index",
                )
            ],
        ),
        ask.choice("better", "choice", 3, options=["now", "later"], follows=f"{float(gamma)} >= threshold"),
    ]  # fmt: skip
    steps = [
        f"$G_{t}=R_{t + 1}+\\gamma G_{t + 1}={R[t]} + {g} \\cdot {bracket(_exact(G[t + 1]), short)}={short(G[t])}$"
        for t in (2, 1, 0)
    ]
    lines = [
        f"**Returns:** nothing comes after $R_4$, so $G_3=R_4={R[3]}$; " + ", ".join(steps) + ".",
        f"**For ever:** the rewards ${c}$ from step 5 on are worth a geometric series, weighted with $\\gamma^4$: "
        f"$\\gamma^4 \\cdot \\tfrac{{{c}}}{{1-\\gamma}}={g}^4 \\cdot \\tfrac{{{c}}}{{1 - {g}}}={short(float(tail))}$.",
        f"**Waiting:** ${small}$ now against ${large}\\gamma^{m}$. They are worth the same at "
        f"$\\gamma=\\big(\\tfrac{{{small}}}{{{large}}}\\big)^{{1/{m}}}={fraction(Fraction(p, q))}$, and a larger "
        f"$\\gamma$ speaks for waiting. Here ${g}^{m} \\cdot {large}={short(float(late))}$, so the choice is "
        f"*{better}*.",
        "Marks: 4 for the returns, 1 for the series, 1 for its weight, 1 for the equation, 1 for its solution, 1 "
        "for the choice.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("bellman-equation", marks=10, minutes=12, title="Bellman's equation of a policy")
def bellman_equation(rng: np.random.Generator) -> Parts:
    """Two states, a policy that tosses a coin in the first: chain, linear system, action values, a better action."""
    g = list(GAMMAS)[int(rng.integers(3))]
    gamma = GAMMAS[g]
    while True:
        V = [40 * int(v) for v in rng.choice([-2, -1, 1, 2], 2, replace=False)]
        stay = [Fraction(int(n), 2) for n in rng.integers(0, 3, 2)]  # actions a and b in state 1: to state 1
        last = Fraction(int(rng.integers(1, 4)), 4)  # from state 2 to state 1
        apart = int(rng.choice([-8, -6, -4, -2, 2, 4, 6, 8]))
        mean = V[0] - gamma * ((stay[0] + stay[1]) / 2 * V[0] + (1 - (stay[0] + stay[1]) / 2) * V[1])
        r = [mean + apart, mean - apart, V[1] - gamma * (last * V[0] + (1 - last) * V[1])]
        Q = [r[a] + gamma * (stay[a] * V[0] + (1 - stay[a]) * V[1]) for a in (0, 1)]
        if stay[0] != stay[1] and all(x.denominator == 1 and abs(x) < 60 for x in r) and Q[0] != Q[1]:
            break
    paid = [int(x) for x in r]
    together, rate = (stay[0] + stay[1]) / 2, (r[0] + r[1]) / 2
    mdp = _bellman_process(stay, last, paid, float(gamma))
    policy = [[0.5, 0.5], [1.0, 0.0]]
    found, values = policy_evaluation(mdp, policy), action_values(mdp, V)[0]
    better = ACTIONS[int(values.argmax())]
    statement = "\n\n".join(
        [
            f"A process has two states and the discount factor $\\gamma={g}$. In state 2 there is one action.",
            table(
                [
                    ["1", "a", short(float(stay[0])), short(float(1 - stay[0])), str(paid[0])],
                    ["1", "b", short(float(stay[1])), short(float(1 - stay[1])), str(paid[1])],
                    ["2", "c", short(float(last)), short(float(1 - last)), str(paid[2])],
                ],
                ["state", "action", "to 1", "to 2", "expected reward"],
            ).markdown,
            "The policy $\\pi$ takes a or b in state 1 with probability 0.5 each.",
            "1. Give the transition probabilities from state 1 and the expected reward there under $\\pi$ (2 marks).",
            "2. Write down Bellman's equation for both states, and solve it (4 marks).",
            "3. Give the action values of a and b in state 1 (2 marks).",
            "4. Which action is better? (1 mark) How do you see from the two values that the calculation is right? "
            "(1 mark)",
        ]
    )
    given = {"gamma": float(gamma), "to_1": [float(stay[0]), float(stay[1]), float(last)], "rewards": paid}
    answer = {
        "chain": [_exact(together), _exact(1 - together)],
        "reward": _exact(rate),
        "values": [_exact(v) for v in found],
        "actions": [_exact(v) for v in values],
        "better": better,
    }
    fields = [
        ask.vector("chain", "probabilities", 1, titles=["to 1", "to 2"]),
        ask.number(
            "reward", "expected reward", 1,
            slips=[
                ask.slip(
                    sum(paid[:2]),
                    "That adds both rewards; each counts with the probability $0.5$ of its action.",
                    card="mdp-lost-marks-maximum",
                )
            ],
        ),
        ask.vector(
            "values", "values", 2, 4, titles=["$V_1$", "$V_2$"], follows=_by_cramer(float(gamma), float(last), paid[2]),
            slips=[
                ask.slip(
                    np.max([policy_evaluation(mdp, [action, 0]) for action in (0, 1)], axis=0),
                    "These are the best values; this policy takes both actions, so their mean stands in the equation.",
                    card="mdp-lost-marks-maximum",
                )
            ],
        ),
        ask.vector(
            "actions", "action values", 3, 2, titles=["a", "b"],
            follows=[
                f"{paid[k]} + {float(gamma)}*({float(p)}*values[0] + {float(1 - p)}*values[1])"
                for k, p in enumerate(stay)
            ],
            slips=[
                ask.slip(
                    [float(paid[k] + p * V[0] + (1 - p) * V[1]) for k, p in enumerate(stay)],
                    "The discount is missing: what comes after the reward is multiplied by $\\gamma$.",
                    card="mdp-convention-index",
                )
            ],
        ),
        ask.choice("better", "better action", 4, options=ACTIONS, follows="argmax(actions)"),
        ask.own("check", "what shows that it is right", 4),
    ]  # fmt: skip
    first, second = (short(float(v)) for v in (together, 1 - together))
    row_1 = [1 - gamma * together, -gamma * (1 - together)]
    row_2 = [-gamma * last, 1 - gamma * (1 - last)]
    determinant = row_1[0] * row_2[1] - row_1[1] * row_2[0]
    rights = [rate * row_2[1] - row_1[1] * paid[2], row_1[0] * paid[2] - rate * row_2[0]]
    lines = [
        f"**Chain:** to state 1 with $0.5 \\cdot {short(float(stay[0]))} + 0.5 \\cdot {short(float(stay[1]))}={first}$,"
        f" to state 2 with $1 - {first}={second}$; reward $0.5 \\cdot {bracket(paid[0], short)} + 0.5 \\cdot "
        f"{bracket(paid[1], short)}={short(float(rate))}$.",
        f"**Bellman's equation:** $V_1={short(float(rate))} + {g} \\cdot ({first} V_1 + {second} V_2)$ and "
        f"$V_2={paid[2]} + {g} \\cdot ({short(float(last))} V_1 + {short(float(1 - last))} V_2)$. Sorted:",
        f"$${_terms(row_1)}={short(float(rate))},\\qquad {_terms(row_2)}={paid[2]} .$$",
        f"The determinant is ${_cross(row_1[0], row_2[1], row_1[1], row_2[0])}={short(float(determinant))}$, and by "
        f"Cramer's rule $V_1=\\tfrac{{{short(float(rights[0]))}}}{{{short(float(determinant))}}}={short(found[0])}$ "
        f"and $V_2=\\tfrac{{{short(float(rights[1]))}}}{{{short(float(determinant))}}}={short(found[1])}$.",
        "**Action values:** "
        + " and ".join(
            f"$Q_{name}={paid[a]} + {g} \\cdot ({short(float(stay[a]))} \\cdot {bracket(V[0], short)} + "
            f"{short(float(1 - stay[a]))} \\cdot {bracket(V[1], short)})={short(values[a])}$"
            for a, name in enumerate(ACTIONS)
        )
        + ".",
        f"**Better:** {better}, since its value is larger than $V_1={short(found[0])}$. The mean of the two values "
        f"with the probabilities of the policy must be $V_1$: $0.5 \\cdot {bracket(_exact(values[0]), short)} + 0.5 "
        f"\\cdot {bracket(_exact(values[1]), short)}={short(found[0])}$.",
        "Marks: 1 for the probabilities, 1 for the reward, 2 for the equations, 2 for their solution, 2 for the "
        "action values, 1 for the choice, 1 for the check.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _by_cramer(gamma: float, last: float, reward: int) -> list[str]:
    """Both values by Cramer's rule, as expressions of the chain and the reward in state 1."""
    a, b = f"(1 - {gamma}*chain[0])", f"({-gamma}*chain[1])"
    c, d = -gamma * last, 1 - gamma * (1 - last)
    determinant = f"({a}*{d} - {b}*({c}))"
    return [f"(reward*{d} - {b}*({reward})) / {determinant}", f"({a}*({reward}) - reward*({c})) / {determinant}"]


def _bellman_process(stay: list[Fraction], last: Fraction, paid: list[int], gamma: float) -> MDP:
    rows = [[[float(p), float(1 - p)] for p in stay], [[float(last), float(1 - last)]] * 2]
    return MDP(rows, [paid[:2], [paid[2]] * 2], gamma)


@drill("value-iteration", marks=12, minutes=14, title="Value iteration")
def value_iteration_sweeps(rng: np.random.Generator) -> Parts:
    """Three sweeps on two states and an end, the greedy policy, the bound, and how many sweeps are enough."""
    while True:
        P, r = _two_states_and_an_end(rng)
        mdp = MDP(P, [*r, [0, 0]], 0.5)
        sweeps: list[FloatArray] = [np.zeros(3)]
        for _ in range(3):
            sweeps.append(optimality_backup(mdp, sweeps[-1]))
        Q = [action_values(mdp, V)[:2] for V in sweeps]
        policies = [q.argmax(axis=1) for q in Q]
        far = min(np.abs(q[:, 0] - q[:, 1]).min() for q in Q) > 0
        if far and (policies[0] != policies[3]).any() and np.abs(sweeps[3] - sweeps[2]).max() > 0.1:
            break
    change, first = float(np.abs(sweeps[3] - sweeps[2]).max()), float(np.abs(sweeps[1]).max())
    bound, goal = error_bound(change, 0.5), float(rng.choice([0.01, 0.001]))
    needed = math.ceil(math.log2(2 * first / goal))
    statement = "\n\n".join(
        [
            "A process has the states 1 and 2 and an end, where nothing is paid; $\\gamma=0.5$.",
            _process_table(P, r),
            "1. Start from $V=0$ and make three sweeps of value iteration, each from the old values only (6 marks).",
            "2. Which actions are greedy for the values after the third sweep? (2 marks)",
            "3. Bound from the last sweep how far these values are from the best ones (2 marks).",
            f"4. After how many sweeps is the distance at most {goal:g} for sure, by $\\lVert V_k-V_*\\rVert\\le"
            "\\tfrac{\\gamma^k}{1-\\gamma}\\lVert V_1-V_0\\rVert$? (2 marks)",
        ]
    )
    given = {"gamma": 0.5, "transitions": P, "rewards": r, "goal": goal}
    answer: dict[str, Any] = {
        "sweeps": [[_exact(v) for v in V[:2]] for V in sweeps[1:]],
        "greedy": [ACTIONS[a] for a in policies[3]],
        "bound": _exact(bound),
        "needed": needed,
    }
    fields = [
        ask.matrix(
            "sweeps", "values", 1, 6, rows=[f"$k={k}$" for k in (1, 2, 3)], columns=STATES, digits=6,
            slips=[
                ask.slip(
                    _other_sweeps(P, r, max, in_place=True),
                    "That uses new values within a sweep; all of $V_{k+1}$ comes from $V_k$.",
                    card="mdp-lost-marks-synchronous",
                ),
                ask.slip(
                    _other_sweeps(P, r, np.mean),
                    "That takes the mean over the actions; value iteration takes the better one.",
                    card="mdp-lost-marks-maximum",
                ),
            ],
        ),
        ask.sequence(
            "greedy", "greedy actions, in states 1 and 2", 2, 2, options=ACTIONS,
            follows=[_greedy(P[s], r[s], ["sweeps[2,0]", "sweeps[2,1]"]) for s in (0, 1)],
        ),
        ask.number(
            "bound", "bound", 3, 2, follows="max(abs(sweeps[2,0] - sweeps[1,0]), abs(sweeps[2,1] - sweeps[1,1]))",
            slips=[
                ask.slip(
                    2 * change,
                    "That divides by $1-\\gamma$ and leaves out the $\\gamma$ above it.",
                    card="mdp-lost-marks-change",
                )
            ],
        ),
        ask.number(
            "needed", "sweeps", 4, 2, whole=True, after=["sweeps"],
            slips=[
                ask.slip(
                    math.ceil(math.log2(first / goal)),
                    "That leaves out the division by $1-\\gamma$.",
                    card="mdp-lost-marks-change",
                )
            ],
        ),
    ]  # fmt: skip
    lines = ["**Sweeps:** each action is worth its reward and half of what comes after it; the larger value stays."]
    for k in (1, 2, 3):
        lines.append(
            f"$k={k}$: "
            + "; ".join(
                f"state {s + 1}: "
                + ", ".join(_backup(P[s][a], r[s][a], sweeps[k - 1], Q[k - 1][s, a], ACTIONS[a]) for a in (0, 1))
                + f", so ${short(sweeps[k][s])}$"
                for s in (0, 1)
            )
            + "."
        )
    final = [", ".join(_backup(P[s][a], r[s][a], sweeps[3], Q[3][s, a], ACTIONS[a]) for a in (0, 1)) for s in (0, 1)]
    lines += [
        table(
            [[str(k), *(f"${short(v)}$" for v in sweeps[k][:2])] for k in range(4)], ["sweep", "$V(1)$", "$V(2)$"]
        ).markdown,
        f"**Greedy:** in state 1 {final[0]}: {answer['greedy'][0]}; in state 2 {final[1]}: {answer['greedy'][1]}.",
        f"**Bound:** the last sweep changed a value by at most ${short(change)}$: "
        f"$\\tfrac{{\\gamma}}{{1-\\gamma}} \\cdot {short(change)}=\\tfrac{{0.5}}{{0.5}} \\cdot {short(change)}="
        f"{short(bound)}$.",
        f"**Enough:** the first sweep changed a value by at most ${short(first)}$: $2 \\cdot 0.5^n \\cdot "
        f"{short(first)}\\le{goal:g}$ for $n\\ge\\log_2({short(2 * first / goal)})$, so ${needed}$ sweeps.",
        "Marks: 6 for the values, 2 for the greedy actions, 2 for the bound, 2 for the number of sweeps.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("policy-iteration", marks=13, minutes=15, title="Policy iteration")
def policy_iteration_rounds(rng: np.random.Generator) -> Parts:
    """Two states and an end: evaluate a policy, improve it, evaluate again, and see whether it is the best one."""
    while True:
        P, r = _two_states_and_an_end(rng)
        mdp = MDP(P, [*r, [0, 0]], 0.5)
        old = [int(a) for a in rng.integers(0, 2, 2)]
        V, Q, new = _round(mdp, old)
        W, U, last = _round(mdp, new)
        apart = min(abs(q[s, 0] - q[s, 1]) for q in (Q, U) for s in (0, 1)) > 1e-9
        if apart and new != old and all(_is_short(v) for v in [*V, *W, *Q[:2].ravel(), *U[:2].ravel()]):
            break
    verdict = "yes" if last == new else "no"
    names, better = [ACTIONS[a] for a in old], [ACTIONS[a] for a in new]
    statement = "\n\n".join(
        [
            "A process has the states 1 and 2 and an end, where nothing is paid; $\\gamma=0.5$.",
            _process_table(P, r),
            f"Start with the policy that takes {names[0]} in state 1 and {names[1]} in state 2.",
            "1. Compute its values from Bellman's equation (4 marks).",
            "2. Give the action values, as a table, and the improved policy (4 marks).",
            "3. Compute the values of the improved policy (3 marks).",
            "4. Is it the best policy? (2 marks, one of them for the reason)",
        ]
    )
    given = {"gamma": 0.5, "transitions": P, "rewards": r, "policy": names}
    answer: dict[str, Any] = {
        "values": [_exact(v) for v in V],
        "actions": [[_exact(v) for v in row] for row in Q],
        "improved": better,
        "new_values": [_exact(v) for v in W],
        "best": verdict,
    }
    fields = [
        ask.vector(
            "values", "values", 1, 4, titles=STATES,
            slips=[
                ask.slip(
                    optimality_backup(mdp, [*V, 0])[:2],
                    "These are values after a maximum; the values of a policy follow its own actions.",
                    card="mdp-lost-marks-maximum",
                )
            ],
        ),
        ask.matrix(
            "actions", "action values", 2, 2, rows=STATES, columns=ACTIONS,
            follows=[[_worth(P[s][a], r[s][a], ["values[0]", "values[1]"]) for a in (0, 1)] for s in (0, 1)],
            slips=[
                ask.slip(
                    [[r[s][a] + float(np.dot(P[s][a][:2], V)) for a in (0, 1)] for s in (0, 1)],
                    "The discount is missing: what comes after the reward is multiplied by $\\gamma$.",
                    card="mdp-convention-index",
                )
            ],
        ),
        ask.sequence(
            "improved", "improved policy, in states 1 and 2", 2, 2, options=ACTIONS,
            follows=[f"argmax(actions[{s},:])" for s in (0, 1)],
            slips=[
                ask.slip(
                    [ACTIONS[k] for k in np.argmax(r, axis=1)],
                    "That takes the larger reward at once; the action value counts what comes after it, too.",
                    card="mdp-do-not-confuse-algorithms",
                )
            ],
        ),
        ask.vector(
            "new_values", "new values", 3, 3, titles=STATES, after=["improved"],
            slips=[
                ask.slip(
                    V, "These are the values of the old policy; the new one has its own equation.",
                    card="mdp-do-not-confuse-algorithms",
                )
            ],
        ),
        ask.choice(
            "best", "best policy", 4, options=["yes", "no"],
            follows="1 - " + "*".join(
                f"({_greedy(P[s], r[s], ['new_values[0]', 'new_values[1]'])} == improved[{s}])" for s in (0, 1)
            ),
        ),
        ask.own("reason", "why", 4),
    ]  # fmt: skip
    after = [
        f"in state {s + 1} " + ", ".join(_backup(P[s][a], r[s][a], [*W, 0], U[s, a], ACTIONS[a]) for a in (0, 1))
        for s in (0, 1)
    ]
    reason = (
        "No action is better than the one that the policy takes, so its values solve Bellman's optimality equation"
        if verdict == "yes"
        else "An action is better than the one that the policy takes, so another improvement raises a value"
    )
    lines = [
        f"**Values:** {_system(P, r, old)}; {_solved(V)}.",
        "**Action values:** "
        + "; ".join(
            f"in state {s + 1} "
            + ", ".join(_backup(P[s][a], r[s][a], [*V, 0], Q[s, a], ACTIONS[a]) for a in (0, 1))
            + f", so {better[s]}"
            for s in (0, 1)
        )
        + ". That of the policy's own action is the value of the state again.",
        f"**New values:** {_system(P, r, new)}; {_solved(W)}. No value has become smaller.",
        f"**Best?** The action values are now {after[0]}; {after[1]}. {reason}: {verdict}.",
        "Marks: 2 for the equations, 2 for their solution, 2 for the action values, 2 for the policy, 1 for the new "
        "equations, 2 for their solution, 1 for the verdict, 1 for the reason.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _two_states_and_an_end(rng: np.random.Generator) -> tuple[list[Any], list[list[int]]]:
    """Transitions in halves from two states with two actions, rewards in whole numbers; the third state is the end."""
    while True:
        halves = [rng.multinomial(2, [0.3, 0.4, 0.3]) if s == 0 else rng.multinomial(2, [0.4, 0.3, 0.3])
                  for s in (0, 1) for _ in ACTIONS]  # fmt: skip
        P = [[(n / 2).tolist() for n in halves[2 * s : 2 * s + 2]] for s in (0, 1)]
        r = rng.integers(-4, 9, (2, 2)).tolist()
        if all(row[0] != row[1] for row in P) and P[0] != P[1] and all(row[0] != row[1] for row in r):
            return [*P, [[0.0, 0.0, 1.0]] * 2], r


def _round(mdp: MDP, policy: list[int]) -> tuple[list[float], Any, list[int]]:
    """Values of a policy in states 1 and 2, the action values, and the policy that is greedy for them."""
    V = policy_evaluation(mdp, [*policy, 0])
    assert np.allclose(expectation_backup(mdp, [*policy, 0], V), V)
    Q = action_values(mdp, V)[:2]
    return [float(v) for v in V[:2]], Q, [int(a) for a in Q.argmax(axis=1)]


def _other_sweeps(P: list[Any], r: list[list[int]], choose: Any, in_place: bool = False) -> list[list[float]]:
    """Three sweeps by a rule that is not value iteration's."""
    V, sweeps = [0.0, 0.0, 0.0], []
    for _ in range(3):
        old = V if in_place else list(V)
        for s in (0, 1):
            V[s] = float(choose([r[s][a] + 0.5 * float(np.dot(P[s][a], old)) for a in (0, 1)]))
        sweeps.append(V[:2])
    return sweeps


def _worth(p: list[float], reward: int, V: list[str]) -> str:
    """What an action is worth by the values of states 1 and 2, as an expression; the end is worth 0."""
    return f"({reward} + 0.5*({p[0]}*{V[0]} + {p[1]}*{V[1]}))"


def _greedy(P: list[list[float]], rewards: list[int], V: list[str]) -> str:
    """The better action by the values of states 1 and 2, as an expression."""
    return f"argmax({', '.join(_worth(P[a], rewards[a], V) for a in (0, 1))})"


def _process_table(P: list[Any], r: list[list[int]]) -> str:
    rows = [[str(s + 1), ACTIONS[a], *(short(p) for p in P[s][a]), str(r[s][a])] for s in (0, 1) for a in (0, 1)]
    return table(rows, ["state", "action", "to 1", "to 2", "to the end", "expected reward"]).markdown


def _backup(p: list[float], reward: int, V: Any, value: float, action: str) -> str:
    """What an action is worth, with its numbers: the end is worth 0 and left out."""
    parts = [f"{short(q)} \\cdot {bracket(_exact(v), _decimal)}" for q, v in zip(p, V, strict=True) if q and v]
    later = f" + 0.5 \\cdot ({' + '.join(parts)})" if parts else ""
    return f"{action} ${reward}{later}={_decimal(value)}$" if later else f"{action} ${_decimal(value)}$"


def _decimal(value: float) -> str:
    """A decimal where it has at most eight places, else a fraction."""
    return f"{value:.10g}" if abs(round(float(value), 8) - value) < 1e-12 else short(value)


def _system(P: list[Any], r: list[list[int]], policy: list[int]) -> str:
    """Bellman's equations of a policy in states 1 and 2."""
    sides = []
    for s in (0, 1):
        p = P[s][policy[s]]
        terms = " + ".join(f"{short(p[t])} V_{t + 1}" for t in (0, 1) if p[t])
        later = f"V_{p.index(1) + 1}" if 1 in p[:2] else f"({terms})"
        sides.append(f"$V_{s + 1}={r[s][policy[s]]}" + (f" + 0.5 \\cdot {later}$" if terms else "$"))
    return " and ".join(sides)


def _solved(V: list[float]) -> str:
    return f"solved by $V_1={short(V[0])}$ and $V_2={short(V[1])}$"


def _terms(row: list[Fraction]) -> str:
    """The left side of an equation in two unknowns."""
    sign = "-" if row[1] < 0 else "+"
    return f"{short(float(row[0]))} V_1 {sign} {short(float(abs(row[1])))} V_2"


def _cross(a: Fraction, d: Fraction, b: Fraction, c: Fraction) -> str:
    """A determinant, as it is worked out."""
    parts = [bracket(float(v), short) for v in (a, d, b, c)]
    return f"{parts[0]} \\cdot {parts[1]} - {parts[2]} \\cdot {parts[3]}"


def _is_short(value: float) -> bool:
    exact = Fraction(value).limit_denominator(10_000)
    return abs(float(exact) - value) < 1e-12 and exact.denominator <= 100


def _exact(value: Any) -> float:
    """A number without the noise of its last digits."""
    return round(float(value), 9)


def _words(n: int) -> str:
    return ("two", "three")[n - 2]
