"""Exercises on learning from walks: fixed points by replaying, returns from rewards, chances by enumeration."""

from collections import deque
from itertools import count, product

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from tests.solutions.ledger import Worked


def _cliff():
    """The steps of the shortest way along a cliff: four rows of twelve cells, from one lower corner to the other."""
    height, width = 4, 12
    start, goal = (0, 0), (width - 1, 0)
    cliff = {(x, 0) for x in range(1, width - 1)}
    free = {*product(range(width), range(height))} - cliff
    steps, queue = {start: 0}, deque([start])
    while queue:
        x, y = queue.popleft()
        for cell in ({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & free) - steps.keys():
            steps[cell] = steps[x, y] + 1
            queue.append(cell)
    return steps[goal]


def _chance(rule_of_best, actions=4):
    """How often the first of all actions, the best one, is taken, drawing by drawing; a list of pairs."""
    return sum(share for share, action in rule_of_best(actions) if action == 0)


def _exploring(eps):
    """Exploring draws from all actions."""
    return lambda A: [(1 - eps, 0), *((eps / A, action) for action in range(A))]


def _others(eps):
    """Exploring draws from the other actions."""
    return lambda A: [(1 - eps, 0), *((eps / (A - 1), action) for action in range(1, A))]


def ex_gradient():
    policy = softmax([0.3, -1, 2])
    return Worked({r"p(s_{t+1}\mid s_t,a_t)": policy[0]}, numbers=[policy[0], policy.sum()])


def ex_compare():
    return Worked({r"\varepsilon": 0.1}, own={r"\varepsilon\to0": {r"\varepsilon": 0}}, numbers=[0, _cliff()])


def ex_batch():
    walk, win, loss = [("A", 0), ("B", 0)], [("B", 1)], [("B", 0)]
    walks = [walk, *[win] * 6, loss]
    returns = {s: np.mean([sum(pay for _, pay in w[k:]) for w in walks for k, (t, _) in enumerate(w) if t == s])
               for s in "AB"}  # fmt: skip
    V = {"A": 0.0, "B": 0.0}
    for _ in range(3000):
        error = dict.fromkeys(V, 0.0)
        for w in walks:
            for (s, pay), after in zip(w, [*(V[t] for t, _ in w[1:]), 0], strict=True):
                error[s] += pay + after - V[s]
        V = {s: V[s] + 0.05 * error[s] for s in V}
    assert np.isclose(V["B"], returns["B"])
    return Worked(
        {"V(B)": V["B"]}, worlds=[{"V(A)": returns["A"]}, {"V(A)": V["A"]}],
        numbers=[[pay for _, pay in walk], win[0][1], loss[0][1], 0, round(max(error.values()), 9), V["A"]],
    )  # fmt: skip


def ex_sum():
    gamma, lam, errors, v = 0.5, 0.5, np.array([2, -1, 4]), np.array([1.0, 3, -2, 0])
    R = errors + v[:-1] - gamma * v[1:]  # rewards that give these errors
    T = len(R)
    G = [sum(gamma**k * R[t + k] for k in range(T - t)) for t in range(T + 1)]
    steps = [sum(gamma**k * R[k] for k in range(n)) + gamma**n * v[n] for n in range(1, T + 1)]
    weights = [(1 - lam) * lam**k for k in range(T - 1)] + [lam ** (T - 1)]
    assert np.allclose([G[0] - v[0], np.dot(weights, steps) - v[0]], [2.5, 2])
    names = {f"{name}_{{t+1}}": values[k] for name, values, k in (("G", G, 1), ("v", v, 1), ("R", R, 0))}
    return Worked(
        {**names, "G_t": G[0], "v_t": v[0], r"\delta_t": errors[0], r"\gamma": gamma, r"\lambda": lam,
         "G_0": G[0], "v_0": v[0], "G_T": G[T], "v_T": v[T]},
        numbers=[np.abs(errors), G[0] - v[0], gamma * v[1]],
    )  # fmt: skip


def ex_regret():
    arms, eps, pulls, width = [0.5, 0.7], 0.1, 1000, 0.1
    worse = 1 - _chance(_exploring(eps), actions=2)
    regret = worse * (max(arms) - min(arms))
    half = lambda n: np.sqrt(2 * np.log(pulls) / n)
    n = next(n for n in count(1) if half(n) < width)
    assert np.isclose(pulls * regret, 10)
    assert n > pulls
    return Worked(
        {r"\varepsilon": eps, "t": pulls, "n": n},
        numbers=[arms, pulls, 0.5, half(n), width, 1 / pulls, half(1) ** 2 / width**2, n],
        known=[np.log(pulls)],
    )


def ex_code():
    return Worked(numbers=[100], known=[100])


def _corridor(p):
    """The mean number of steps through three cells in fog, if right is chosen so often: the middle one exchanges."""
    chain = np.array([[1 - p, p, 0], [p, 0, 1 - p], [0, 1 - p, 0]])
    return float(np.linalg.solve(np.eye(3) - chain, np.ones(3))[0])


def cards():
    n, t, S, A = 7, 20, 6, 4
    free = sum(len(range(1, S)) for _ in product(range(S), range(A)))  # a row of probabilities sums to 1
    coin = minimize_scalar(_corridor, bounds=(0.1, 0.9)).x
    all_actions, other_actions = _chance(_exploring(0.1)), _chance(_others(0.1))
    gamma, alpha, here, pay, after = 0.5, 0.5, 2, 1, 6
    moved = lambda target, alpha: np.average([here, target], weights=[1 - alpha, alpha])
    target = np.polyval([after, pay], gamma)
    row = np.array([4, 8])
    aims = [gamma * row[0], gamma * row.max()]
    often = _chance(_exploring(0.2))
    return {
        "lost-marks-steps": Worked({r"\alpha_n": 1 / 1e9, "n": n}, numbers=[1 / (n * n)]),
        "do-not-confuse-targets": Worked(numbers=[0]),
        "what-if-one": Worked({r"\alpha": 1}, numbers=[_cliff()]),
        "what-if-epsilon": Worked({r"\varepsilon": 0}),
        "what-if-gamma": Worked({r"\gamma": 0}),
        "what-if-double": Worked(numbers=[2, 2]),
        "counterexample-fog": Worked(numbers=[coin]),
        "counting-table": Worked({"S": S, "A": A}, numbers=[free]),
        "convention-epsilon": Worked(
            {r"\varepsilon": 0.1, "A": 4}, numbers=[all_actions, other_actions, all_actions, other_actions]
        ),
        "convention-index": Worked({"R_{t+1}": 1.5, "t": t}, numbers=[1.5, np.log(t * t)]),
        "quiz-td": Worked(
            {"V(i)": here, "V(j)": after, r"\gamma": gamma, r"\alpha": alpha},
            own={r"\alpha = 1": {r"\alpha": 1}},
            numbers=[pay, 0, moved(target, alpha), moved(target, 1), moved(pay + after, alpha),
                     moved(target, alpha) - here],
        ),
        "quiz-targets": Worked(
            {r"Q(j,\cdot)": row[:, None], "R": 0, r"\gamma": gamma},
            numbers=[aims[1], aims[1], aims, aims, aims[::-1], aims[0], aims[0]],
        ),
        "quiz-epsilon": Worked(
            {r"\varepsilon": 0.2},
            numbers=[_chance(_others(0.2)), often, often, 1 - 0.2 / A, 1 - (often - 0.8), 0.2],
        ),
        "quiz-true": Worked({r"\lambda": 1}, numbers=[0]),
        "tf-greedy": Worked({r"\varepsilon": 0}),
        "tf-constant": Worked(numbers=[0]),
    }  # fmt: skip
