"""Drills on learning from experience: updates of TD and Monte Carlo, of SARSA and Q-learning, a bandit's next pull."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, short
from notes_lib.reinforcement.mdp import discounted_returns
from notes_lib.reinforcement.temporal_difference import (
    epsilon_greedy,
    expected_sarsa_target,
    moved,
    n_step_returns,
    q_learning_target,
    sarsa_target,
    td_errors,
    ucb_index,
)

STATES, ACTIONS = ("A", "B", "C"), ("a", "b")
_STEPS, _TARGET = "temporal-difference-lost-marks-steps", "temporal-difference-lost-marks-target"
_WHOLE_STEP = "That makes the whole step to the target; only the share $\\alpha$ of the error is added."


@drill("td-update", marks=13, minutes=15, title="TD and Monte Carlo on one episode")
def td_update(rng: np.random.Generator) -> Parts:
    """Errors and values by TD(0), returns and values by Monte Carlo, and a return of two steps in between."""
    alpha, gamma = float(rng.choice([0.5, 0.25])), float(rng.choice([0.5, 0.8, 1.0]))
    while True:
        V = [float(v) for v in rng.integers(-4, 11, 3)]
        R = [int(r) for r in rng.integers(-3, 9, 3)]
        delta = td_errors(R, [*V, 0.0], gamma)
        G = discounted_returns(R, gamma)
        if np.abs(delta).min() > 0.1 and np.abs(G - V).min() > 0.1 and len(set(V)) == 3:
            break
    by_td = [moved(v, v + d, alpha) for v, d in zip(V, delta, strict=True)]
    by_mc = [moved(v, g, alpha) for v, g in zip(V, G, strict=True)]
    again = float(td_errors([R[0]], by_td[:2], gamma)[0])
    second = moved(by_td[0], by_td[0] + again, alpha)
    two = float(n_step_returns(R, [*V, 0.0], gamma, 2)[0])
    g, step = short(gamma), short(alpha)
    statement = "\n\n".join(
        [
            f"An agent visits the states A, B and C, in this order, and then the end. The rewards on the way are "
            f"$R_1={R[0]}$, $R_2={R[1]}$ and $R_3={R[2]}$. Before the episode it holds $V(A)={short(V[0])}$, "
            f"$V(B)={short(V[1])}$ and $V(C)={short(V[2])}$; the end is worth 0. The discount factor is "
            f"$\\gamma={g}$, the step size $\\alpha={step}$.",
            "1. TD(0) updates after each step. Give the three errors (3 marks) and the new values (3 marks).",
            "2. Monte Carlo waits for the end. Give the returns from A, B and C (2 marks) and the new values "
            "(2 marks).",
            "3. What is the return of two steps from A, with the values before the episode? (1 mark)",
            "4. After the updates of TD(0) the agent goes from A to B again, with the same reward. Give the new value "
            "of A (2 marks).",
        ]
    )
    given = {"alpha": alpha, "gamma": gamma, "values": V, "rewards": R}
    answer: dict[str, Any] = {
        "errors": [_exact(d) for d in delta], "td": [_exact(v) for v in by_td], "returns": [_exact(v) for v in G],
        "monte_carlo": [_exact(v) for v in by_mc], "two_steps": _exact(two), "again": _exact(second),
    }  # fmt: skip
    titles = [f"$V({s})$" for s in STATES]
    fields = [
        ask.vector(
            "errors", "errors", 1, 3, titles=STATES,
            slips=[
                ask.slip(
                    -delta,
                    "The sign is turned round: the error is the target minus the old value.",
                    card="temporal-difference-do-not-confuse-targets",
                )
            ],
        ),
        ask.vector(
            "td", "values after TD(0)", 1, 3, titles=titles,
            follows=[f"{v} + {alpha}*errors[{k}]" for k, v in enumerate(V)],
            slips=[ask.slip([v + float(d) for v, d in zip(V, delta, strict=True)], _WHOLE_STEP, card=_STEPS)],
        ),
        ask.vector(
            "returns", "returns", 2, 2, titles=STATES,
            slips=[
                ask.slip(
                    [v + float(d) for v, d in zip(V, delta, strict=True)],
                    "These are the targets of TD(0); a return has all rewards to the end and no value.",
                    card="temporal-difference-do-not-confuse-targets",
                )
            ],
        ),
        ask.vector(
            "monte_carlo", "values after Monte Carlo", 2, 2, titles=titles,
            follows=[f"{v} + {alpha}*(returns[{k}] - {bracket(v)})" for k, v in enumerate(V)],
            slips=[ask.slip(G, _WHOLE_STEP, card=_STEPS)],
        ),
        ask.number(
            "two_steps", "return of two steps", 3,
            slips=[
                ask.slip(
                    R[0] + gamma * R[1],
                    "The value of the state after two steps is missing; it is discounted twice.",
                    card="temporal-difference-do-not-confuse-ends",
                )
            ],
        ),
        ask.number(
            "again", "$V(A)$", 4, 2, follows=f"td[0] + {alpha}*({R[0]} + {gamma}*td[1] - td[0])",
            slips=[
                ask.slip(
                    by_td[0] + alpha * float(delta[0]),
                    "That repeats the old error; B and A have new values by now.",
                    card="temporal-difference-do-not-confuse-targets",
                )
            ],
        ),
    ]  # fmt: skip
    later = [*V[1:], 0.0]
    errors = [
        f"from {s} ${R[k]} + {g} \\cdot {bracket(later[k], short)} - {bracket(V[k], short)}={short(delta[k])}$"
        for k, s in enumerate(STATES)
    ]
    lines = [
        f"**Errors:** {', '.join(errors)}.",
        "**Values:** "
        + ", ".join(
            f"{s} ${short(V[k])} + {step} \\cdot {bracket(_exact(delta[k]), short)}={short(by_td[k])}$"
            for k, s in enumerate(STATES)
        )
        + ".",
        f"**Returns**, from behind: C ${R[2]}$, B ${R[1]} + {g} \\cdot {bracket(R[2])}={short(G[1])}$, "
        f"A ${R[0]} + {g} \\cdot {bracket(_exact(G[1]), short)}={short(G[0])}$.",
        "**Values:** "
        + ", ".join(
            f"{s} ${short(V[k])} + {step} \\cdot ({short(G[k])} - {bracket(V[k], short)})={short(by_mc[k])}$"
            for k, s in enumerate(STATES)
        )
        + ".",
        f"**Two steps:** two rewards, then the value of C: ${R[0]} + {g} \\cdot {bracket(R[1])} + {g}^2 \\cdot "
        f"{bracket(V[2], short)}={short(two)}$.",
        f"**Again:** with the new values the error is ${R[0]} + {g} \\cdot {bracket(_exact(by_td[1]), short)} - "
        f"{bracket(_exact(by_td[0]), short)}={short(again)}$, and the value of A becomes ${short(by_td[0])} + {step} "
        f"\\cdot {bracket(_exact(again), short)}={short(second)}$.",
        "Marks: 3 for the errors, 3 for the values of TD(0), 2 for the returns, 2 for the values of Monte Carlo, 1 for "
        "the return of two steps, 1 for the new error, 1 for the new value.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("sarsa-and-q-learning", marks=12, minutes=14, title="SARSA, Q-learning, expected SARSA")
def sarsa_and_q_learning(rng: np.random.Generator) -> Parts:
    """One step that an exploring agent took, learned from in three ways, and the step after it."""
    alpha, gamma, epsilon = 0.5, float(rng.choice([0.5, 0.8, 1.0])), float(rng.choice([0.2, 0.4]))
    while True:
        Q = rng.integers(-4, 11, (2, 2)).astype(float)
        R, last = int(rng.integers(-3, 7)), int(rng.integers(-3, 9))
        a, b = (int(k) for k in rng.integers(0, 2, 2))
        if Q[0, 0] != Q[0, 1] and Q[1, 0] != Q[1, 1] and b != Q[1].argmax() and last != Q[1, b]:
            break
    p = epsilon_greedy(Q[1], epsilon)
    targets = {
        "sarsa": sarsa_target(R, Q[1], b, gamma),
        "q": q_learning_target(R, Q[1], gamma),
        "expected": expected_sarsa_target(R, Q[1], p, gamma),
    }
    old = float(Q[0, a])
    new = {name: moved(old, target, alpha) for name, target in targets.items()}
    final = moved(float(Q[1, b]), sarsa_target(last, [0.0], 0, gamma), alpha)
    g, e = short(gamma), short(epsilon)
    statement = "\n\n".join(
        [
            f"In the states 1 and 2 there are the actions a and b. An agent acts $\\varepsilon$-greedily with "
            f"$\\varepsilon={e}$; exploring draws from both actions alike. $\\gamma={g}$, $\\alpha=0.5$. Its table:",
            table(
                [[str(i + 1), *(short(v) for v in Q[i])] for i in (0, 1)], ["state", "$Q(\\cdot, a)$", "$Q(\\cdot, b)$"]
            ).markdown,
            f"In state 1 it takes {ACTIONS[a]} and is paid {R}. It comes to state 2, takes {ACTIONS[b]} there, is paid "
            f"{last}, and the episode ends.",
            "1. With which probabilities does it take a and b in state 2? (2 marks)",
            f"2. Give the new $Q(1, {ACTIONS[a]})$ by SARSA (2 marks), by Q-learning (2 marks) and by expected SARSA "
            "(3 marks), each time from the table above.",
            f"3. Give the new $Q(2, {ACTIONS[b]})$ after the last step (2 marks).",
            "4. Which of the three learns the value of a policy that it does not follow? (1 mark)",
        ]
    )
    given = {
        "alpha": alpha, "gamma": gamma, "epsilon": epsilon, "Q": Q.tolist(), "actions": [ACTIONS[a], ACTIONS[b]],
        "rewards": [R, last],
    }  # fmt: skip
    answer: dict[str, Any] = {
        "probabilities": [_exact(v) for v in p], **{name: _exact(v) for name, v in new.items()}, "last": _exact(final),
        "off_policy": "Q-learning",
    }  # fmt: skip
    names = {"sarsa": "SARSA", "q": "Q-learning", "expected": "expected SARSA"}
    fields = [
        ask.vector(
            "probabilities", "probabilities", 1, 2, titles=ACTIONS,
            slips=[
                ask.slip(
                    np.where(np.arange(2) == Q[1].argmax(), 1 - epsilon, epsilon),
                    "That lets exploring draw from the other action only; here it draws from both.",
                    card="temporal-difference-convention-epsilon",
                )
            ],
        ),
        ask.number(
            "sarsa", "SARSA", 2, 2,
            slips=[
                ask.slip(
                    new["q"], "That takes the best action; SARSA takes the one that was chosen.", card=_TARGET
                )
            ],
        ),
        ask.number(
            "q", "Q-learning", 2, 2,
            slips=[
                ask.slip(
                    new["sarsa"], "That takes the action that was chosen; Q-learning takes the best one.", card=_TARGET
                )
            ],
        ),
        ask.number(
            "expected", "expected SARSA", 2, 3,
            follows=f"{old} + {alpha}*({R} + {gamma}*(probabilities[0]*{bracket(Q[1, 0])} "
            f"+ probabilities[1]*{bracket(Q[1, 1])}) - {bracket(old)})",
            slips=[
                ask.slip(
                    moved(old, R + gamma * float(Q[1].mean()), alpha),
                    "That is the plain mean of both actions; each counts with its probability.",
                    card="temporal-difference-do-not-confuse-targets",
                )
            ],
        ),
        ask.number(
            "last", f"$Q(2, {ACTIONS[b]})$", 3, 2,
            slips=[
                ask.slip(
                    moved(float(Q[1, b]), last + gamma * float(Q[1].max()), alpha),
                    "That gives the end a value; nothing comes after it, so the target is the reward.",
                    card="temporal-difference-lost-marks-end",
                )
            ],
        ),
        ask.choice(
            "off_policy", "off policy", 4, options=names.values(),
            slips=[
                ask.slip(
                    names["sarsa"],
                    "SARSA learns the value of the policy that it follows, exploring included.",
                    card="temporal-difference-do-not-confuse-targets",
                )
            ],
        ),
    ]  # fmt: skip
    best = int(Q[1].argmax())
    after = {
        "sarsa": bracket(Q[1, b], short),
        "q": bracket(Q[1, best], short),
        "expected": f"({short(p[0])} \\cdot {bracket(Q[1, 0], short)} + {short(p[1])} \\cdot "
        f"{bracket(Q[1, 1], short)})",
    }
    reasons = {
        "sarsa": f"the action that was taken, {ACTIONS[b]}",
        "q": f"the best action, {ACTIONS[best]}",
        "expected": "the mean over both actions",
    }
    lines = [
        f"**Probabilities:** the best action in state 2 is {ACTIONS[best]}, with $1 - {e} + {e} / 2="
        f"{short(p[best])}$; the other one has ${e} / 2={short(p[1 - best])}$.",
        *(
            f"**{names[k][0].upper() + names[k][1:]}** looks at {reasons[k]}: the target is ${R} + {g} \\cdot "
            f"{after[k]}={short(targets[k])}$, the new value ${short(old)} + 0.5 \\cdot ({short(targets[k])} - "
            f"{bracket(old, short)})={short(new[k])}$."
            for k in names
        ),
        f"**Last step:** nothing comes after an end, in all three: ${short(Q[1, b])} + 0.5 \\cdot ({last} - "
        f"{bracket(Q[1, b], short)})={short(final)}$.",
        "**Off policy:** Q-learning. Its target belongs to the greedy policy, while the agent explores.",
        "Marks: 2 for the probabilities, 2 for SARSA, 2 for Q-learning, 3 for expected SARSA, 2 for the last step, 1 "
        "for the choice.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("bandit-ucb", marks=12, minutes=14, title="Which arm next?")
def bandit_ucb(rng: np.random.Generator) -> Parts:
    """Means and upper bounds of three arms, the next pull of two rules, a running mean, and the regret."""
    while True:
        N = [int(n) for n in rng.choice([2, 4, 5, 8, 10, 20, 25], 3, replace=False)]
        wins = [int(rng.integers(0, n + 1)) for n in N]
        means = [w / n for w, n in zip(wins, N, strict=True)]
        t, epsilon = sum(N), float(rng.choice([0.3, 0.6, 0.15]))
        bounds = ucb_index(means, N, t)
        top = np.sort(bounds)
        true = [float(q) / 10 for q in rng.choice(range(1, 10), 3, replace=False)]
        log = sig(math.log(t), 5)
        rounded = [m + math.sqrt(2 * float(log) / n) for m, n in zip(means, N, strict=True)]
        same = all(sig(float(u)) == sig(v) for u, v in zip(bounds, rounded, strict=True))
        if len(set(means)) == 3 and top[2] - top[1] > 0.05 and same:
            break
    chosen, greedy = int(bounds.argmax()), int(np.argmax(means))
    pays = int(rng.integers(0, 2)) if 0 < means[chosen] < 1 else int(means[chosen] == 0)
    p = epsilon_greedy(means, epsilon)
    new = means[chosen] + (pays - means[chosen]) / (N[chosen] + 1)
    gaps = [round(max(true) - q, 9) for q in true]
    regret = sum(gap * n for gap, n in zip(gaps, N, strict=True))
    statement = "\n\n".join(
        [
            f"Three arms have been pulled {t} times in all; a pull pays 1 or 0.",
            table([[str(k + 1), str(N[k]), str(wins[k])] for k in range(3)], ["arm", "pulls", "wins"]).markdown,
            "1. Give the mean of each arm (1 mark), and its upper confidence bound "
            f"$m_a+\\sqrt{{2\\ln t/n_a}}$, with $\\ln {t}\\approx{log}$ (3 marks).",
            "2. Which arm does UCB pull next? (1 mark) With which probabilities does an $\\varepsilon$-greedy rule "
            f"with $\\varepsilon={short(epsilon)}$ pull the arms 1, 2 and 3? (2 marks)",
            f"3. The arm that UCB chose pays {pays}. Give its new mean, from the old one and the number of pulls "
            "(2 marks).",
            f"4. In truth the arms pay with the probabilities ${short(true[0])}$, ${short(true[1])}$ and "
            f"${short(true[2])}$. Give the regret of the {t} pulls above (3 marks).",
        ]
    )
    given = {"pulls": N, "wins": wins, "epsilon": epsilon, "pays": pays, "true": true}
    answer: dict[str, Any] = {
        "means": [_exact(m) for m in means], "bounds": [_exact(u) for u in bounds], "ucb": str(chosen + 1),
        "probabilities": [_exact(v) for v in p], "new_mean": _exact(new), "regret": _exact(regret),
    }  # fmt: skip
    arms = ("1", "2", "3")
    titles = [f"arm {k}" for k in arms]
    fields = [
        ask.vector("means", "means", 1, titles=titles),
        ask.vector(
            "bounds", "upper bounds", 1, 3, titles=titles, **ask.DERIVED,
            follows=[f"means[{k}] + sqrt(2*{log}/{n})" for k, n in enumerate(N)],
            slips=[
                ask.slip(
                    [m + math.sqrt(math.log(t) / n) for m, n in zip(means, N, strict=True)],
                    "The 2 under the root is missing.",
                    card="temporal-difference-convention-index",
                )
            ],
        ),
        ask.choice("ucb", "next arm of UCB", 2, options=arms, follows="argmax(bounds)"),
        ask.vector(
            "probabilities", "probabilities", 2, 2, titles=titles,
            follows=[f"{epsilon}/3 + {1 - epsilon}*(argmax(means) == {k})" for k in range(3)],
            slips=[
                ask.slip(
                    np.where(np.arange(3) == greedy, 1 - epsilon, epsilon / 2),
                    "That lets exploring draw from the other arms only; here it draws from all of them.",
                    card="temporal-difference-convention-epsilon",
                )
            ],
        ),
        ask.number(
            "new_mean", "new mean", 3, 2, **ask.DERIVED,
            follows=" + ".join(f"(ucb == {k})*(means[{k}] + ({pays} - means[{k}])/{n + 1})" for k, n in enumerate(N)),
            slips=[
                ask.slip(
                    means[chosen] + (pays - means[chosen]) / N[chosen],
                    "That divides by the old number of pulls; the new pull counts, too.",
                    card="temporal-difference-lost-marks-steps",
                )
            ],
        ),
        ask.number(
            "regret", "regret", 4, 3,
            slips=[
                ask.slip(
                    t * max(true) - sum(wins),
                    "That compares with what was won, which is chance; the regret uses the true probabilities.",
                    card="temporal-difference-lost-marks-online",
                ),
                ask.slip(
                    sum(gaps),
                    "That adds the gaps once; each counts with the pulls of its arm.",
                    card="temporal-difference-lost-marks-online",
                ),
            ],
        ),
    ]  # fmt: skip
    e = short(epsilon)
    lines = [
        "**Means:** " + ", ".join(f"arm {k + 1} ${wins[k]} / {N[k]}={short(means[k])}$" for k in range(3)) + ".",
        "**Bounds:** "
        + ", ".join(
            f"arm {k + 1} ${short(means[k])} + \\sqrt{{2 \\cdot {log} / {N[k]}}}\\approx{sig(float(bounds[k]))}$"
            for k in range(3)
        )
        + ".",
        f"**UCB** pulls arm {chosen + 1}, which has the largest bound.",
        f"**$\\varepsilon$-greedy:** each arm has ${e} / 3={short(epsilon / 3)}$ from exploring, and arm {greedy + 1}, "
        f"the one with the largest mean, $1 - {e}={short(1 - epsilon)}$ more: ${e} / 3 + 1 - {e}={short(p[greedy])}$.",
        f"**New mean:** one pull of {N[chosen] + 1}, so $1 / {N[chosen] + 1}$ of the error: ${short(means[chosen])} + "
        f"({pays} - {short(means[chosen])}) / {N[chosen] + 1}={fraction(_of(new))}$.",
        f"**Regret:** the best arm pays ${short(max(true))}$. The gaps are "
        + ", ".join(f"${short(max(true))} - {short(q)}={short(gap)}$" for q, gap in zip(true, gaps, strict=True))
        + ", and each pull costs the gap of its arm: $"
        + " + ".join(f"{n} \\cdot {short(gap)}" for n, gap in zip(N, gaps, strict=True))
        + f"={short(regret)}$.",
        "Marks: 1 for the means, 3 for the bounds, 1 for the arm, 2 for the probabilities, 2 for the new mean, 1 for "
        "the gaps, 2 for their sum.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _of(value: float) -> Fraction:
    return Fraction(value).limit_denominator(10_000)


def _exact(value: Any) -> float:
    """A number without the noise of its last digits."""
    return round(float(value), 9)
