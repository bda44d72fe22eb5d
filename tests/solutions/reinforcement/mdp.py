"""Exercises on Markov decision processes: values by linear systems, all policies tried, and backward induction."""

from itertools import product

import numpy as np
from scipy.optimize import linprog

from tests.formulas.values import At
from tests.solutions.ledger import Worked

SURE = 0.8  # the discount of processes without an end below


def _value(P, r, gamma, policy):
    """The values of a policy that takes one action in each state; ``P`` is by action, state and next state."""
    states = range(len(policy))
    chain, pay = np.array([P[policy[i]][i] for i in states]), np.array([r[policy[i]][i] for i in states])
    return np.linalg.solve(np.eye(len(policy)) - gamma * chain, pay)


def _best(P, r, gamma):
    """The largest values of all policies; they are attained by one of them."""
    found = [_value(P, r, gamma, policy) for policy in product(range(len(P)), repeat=len(r[0]))]
    best = np.max(found, axis=0)
    assert any(np.allclose(values, best) for values in found)
    return best


def _example():
    """Two actions in three states: transitions and rewards."""
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.ones(3), size=(2, 3)), rng.normal(size=(2, 3))


def ex_contraction():
    P, r = _example()
    V, W = np.array([1.0, -2, 4]), np.array([0.5, 3, 1])
    T = lambda V: (r + SURE * P @ V).max(axis=0)
    assert np.abs(T(V) - T(W)).max() <= SURE * np.abs(V - W).max()
    best = _best(P, r, SURE)
    return Worked({r"\gamma": SURE}, numbers=[np.abs(T(best) - best).max().round(9), 1])


def ex_improvement():
    P, r = _example()
    old = _value(P, r, SURE, (0, 0, 0))
    greedy = (r + SURE * P @ old).argmax(axis=0)
    states = range(len(greedy))
    T = lambda V: np.array([r[greedy[i], i] + SURE * P[greedy[i], i] @ V for i in states])
    new = _value(P, r, SURE, greedy)
    assert (new >= T(T(old)) - 1e-12).all()
    return Worked(
        {r"\gamma": SURE, r"V_\pi": old[:, None], r"T_{\pi'}V_\pi": T(old)[:, None],
         r"T_{\pi'}^2V_\pi": T(T(old))[:, None]},
        numbers=[1, 0, T(T(old))],
    )  # fmt: skip


def ex_machine():
    good, worn, cost, gamma, wear = 6, 2, 3, 0.8, 0.5
    P = np.array([[[1 - wear, wear], [0, 1]], [[1 - wear, wear], [1, 0]]])  # keep, replace; good, worn
    r = np.array([[good, worn], [good, -cost]])
    kept, replaced = _value(P, r, gamma, (0, 0)), _value(P, r, gamma, (0, 1))
    assert np.allclose(_best(P, r, gamma), replaced)
    assert np.isclose(-cost + gamma * kept[0], 31 / 3)
    assert np.isclose(worn + gamma * replaced[1], 74 / 7)
    return Worked(
        {r"\gamma": gamma},
        worlds=[{"V": kept[1]}, {"V": kept[0]}, {"V": replaced[0], "W": replaced[1]}],
        numbers=[good, wear, worn, cost, kept[1], replaced[1]],
        known=[7 * replaced],
    )


def ex_rewards():
    P, r = _example()
    policy = (0, 1, 0)
    old, new = (_value(P, pay, SURE, policy)[0] for pay in (r, 2 * r + 3))
    assert np.allclose(_best(P, 2 * r + 3, SURE), 2 * _best(P, r, SURE) + 3 / (1 - SURE))
    step, added = -1, 2
    return Worked(
        {r"\gamma": SURE, "r": 0.7, r"V_\pi(i)": old},
        own={r"\gamma = 1": {r"\gamma": 1}},
        numbers=[0.7 + 0.7 + 3, 1, -step, added, new, step + added],
    )


def ex_compare():
    S, gamma, A, eps = 200, 0.999, 4, 0.01
    sweep = len(range(S)) * len(range(S)) * A
    sweeps = np.log(1 / eps) * np.sum(gamma ** np.arange(50_000))
    return Worked(
        {"S": S, r"\gamma": gamma, "A": A, r"\varepsilon": eps, "O": At(lambda steps: steps)},
        own={"S = 10^6": {"S": 1_000_000}},
        numbers=[sweep, sweeps, S * S * S + sweep, 1_000_000],
    )


def ex_horizon():
    stay, leave = [1, 0], [0, 4]  # what waiting and going pay in the states 1 and 2
    values = [np.zeros(2)]
    for _ in range(2):
        last = values[-1]
        values.append(np.max([stay + last, leave + last[::-1]], axis=0))
    _, one, two = values
    assert [stay[0] > leave[0], stay[0] + one[0] > leave[0] + one[1]] == [True, False]
    return Worked(
        {r"\gamma": 1, "V_T": values[0][0], "V_{T-1}": one, "V_{T-2}": two},
        numbers=[
            1, 2, stay[0], 1, stay[1], 2, leave[0], 1, leave[1], 2, one, two,
            1, 1, one[0], 2, one[1], 1, 2,
        ],
    )  # fmt: skip


def _corner():
    """The value of the lower left corner of the classic grid, by a linear programme: ends of 1 and -1, no discount."""
    cells = [(x, y) for y in range(3) for x in range(4) if (x, y) != (1, 1)]
    ends, moves = {(3, 2): 1.0, (3, 1): -1.0}, [(1, 0), (0, 1), (-1, 0), (0, -1)]
    to = lambda c, d: (c[0] + d[0], c[1] + d[1]) if (c[0] + d[0], c[1] + d[1]) in cells else c
    rows, bounds = [], []
    for c in (c for c in cells if c not in ends):
        for k in range(4):  # the move, or one to its left or right
            row = -1.0 * (np.arange(len(cells)) == cells.index(c))
            for turn, p in ((0, 0.8), (1, 0.1), (-1, 0.1)):
                row[cells.index(to(c, moves[(k + turn) % 4]))] += p
            rows.append(row)
            bounds.append(0.04)
    fixed = [(ends[c], ends[c]) if c in ends else (None, None) for c in cells]
    return linprog(np.ones(len(cells)), A_ub=rows, b_ub=bounds, bounds=fixed).x[cells.index((0, 0))]


def cards():
    P, r = _example()
    gamma, eps = 0.9, 0.02
    far = eps * gamma * np.sum(gamma ** np.arange(900))
    door = 10
    rewards, half = [4, 2, 8], 0.5
    returns = lambda pays, gamma: float(np.polyval(pays[::-1], gamma))
    single = lambda pay: _value(np.ones((1, 1, 1)), [[pay]], SURE, (0,))[0]
    S, A = 6, 4
    free = sum(len(range(1, S)) for _ in product(range(S), range(A)))  # a row of probabilities sums to 1
    ratio = (_best(P, 2 * r, SURE) / _best(P, r, SURE))[0]
    one = {r"\gamma": SURE}
    return {
        "lost-marks-change": Worked({r"\gamma": gamma, r"\varepsilon": eps}, numbers=[1, far]),
        "lost-marks-synchronous": Worked({"V_{k+1}": r.max(axis=0)}, numbers=[2, 1, r.max(axis=0)]),
        "lost-marks-end": Worked(
            {"r(i,a,j)": door}, worlds=[{"V(j)": 0}, {"V(j)": door}], numbers=[2, door, door]
        ),
        "lost-marks-constant": Worked(one, numbers=[1]),
        "what-if-zero": Worked({r"\gamma": 0}),
        "what-if-twice": Worked(numbers=[2]),
        "what-if-scale": Worked(numbers=[ratio]),
        "counting-policies": Worked({"S": S, "A": A}, numbers=[free]),
        "convention-index": Worked({"R_{t+1}": 1.5}, numbers=[1.5, 0, 1, 1, _corner()], known=[_corner()]),
        "quiz-return": Worked(
            {r"\gamma": half},
            numbers=[rewards, returns(rewards, half), returns(rewards, half), sum(rewards),
                     returns([0, *rewards], half), returns(rewards[::-1], half), 10],
        ),
        "quiz-stopping": Worked(
            {r"\gamma": gamma}, numbers=[eps, eps, gamma * eps, far, far, far + eps, (far + eps) / eps]
        ),
        "quiz-single": Worked(
            {r"\gamma": SURE},
            numbers=[3, 5, single(4), single(4), max(single(3), single(5)), max(single(3), single(5)), 5, single(3)],
        ),
        "quiz-true": Worked(one, numbers=[1, 2]),
        "tf-greedy": Worked(one, numbers=[1]),
    }  # fmt: skip
