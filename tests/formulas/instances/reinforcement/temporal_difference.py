"""Temporal-difference learning: one path, one small process, one bandit, and all walks of a world that soon ends."""

from itertools import product

import numpy as np
from scipy.stats import binom

from notes_lib.reinforcement.mdp import MDP, discounted_returns, expectation_backup
from notes_lib.reinforcement.temporal_difference import (
    GridWorld,
    epsilon_greedy,
    expected_sarsa_target,
    explore_by_ucb,
    lambda_returns,
    moved,
    n_step_returns,
    play_bandit,
    q_learning_target,
    reinforce,
    sarsa_target,
    softmax_policy,
    softmax_score,
    td_errors,
    td_system,
    ucb_index,
)
from tests.formulas.values import At, Instance

S, A, T = 4, 3, 6  # states, actions, steps of the path
LEAST = 100, 100


def walks(P, r, pi, gamma):
    """All walks of two steps from state 0: states, actions, probability, and rewards (action by action)."""
    found = []
    for a, j, b, k in product(range(A), range(S), range(A), range(S)):
        p = pi[0, a] * P[0, a, j] * pi[j, b] * P[j, b, k]
        found.append(([0, j], [a, b], p, discounted_returns([r[0, a], r[j, b]], gamma)))
    return found


def slopes(f, theta, h=1e-5):
    """Difference quotients by all entries, as a vector."""
    found = []
    for place in np.ndindex(*theta.shape):
        step = np.zeros(theta.shape)
        step[place] = h
        found.append((f(theta + step) - f(theta - step)) / (2 * h))
    return np.array(found)


def score(theta, i, a):
    """Gradient of ln pi(a | i) by all preferences, as a vector."""
    found = np.zeros(theta.shape)
    found[i] = softmax_score(theta[i], a)
    return found.ravel()


def step_of_reinforce(gamma, alpha):
    """Preferences before and after the second of two walks of one step, what it paid, and the value that it met."""
    env = GridWorld((1, 3), (0, 1), {(0, 0): 3.0, (0, 2): 1.0})
    seed = next(s for s in range(999) if (reinforce(env, 2, alpha, gamma, s).lengths == 1).all())
    run = reinforce(env, 2, alpha, gamma, seed)
    first, second = run.returns
    return reinforce(env, 1, alpha, gamma, seed).theta, run.theta, 3 if second == 3 else 1, second, 0.1 * first


def instance(seed):
    """Numbers without structure; the arms of the bandit have a clear order."""
    rng = np.random.default_rng(seed)
    gamma, alpha, lam = (float(x) for x in rng.uniform(0.3, 0.9, 3))
    epsilon, tau, R = float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.5, 2)), float(rng.normal())
    V, Q, Q2 = rng.normal(size=S), rng.normal(size=(S, A)), rng.normal(size=(S, A))
    policy = rng.dirichlet(np.ones(A), size=S)
    mdp = MDP(rng.dirichlet(np.ones(S), size=(S, A)), rng.normal(size=(S, A)), gamma)
    backup = expectation_backup(mdp, policy, V)
    rewards, v = rng.normal(size=T), np.append(rng.normal(size=T), 0.0)
    delta = td_errors(rewards, v, gamma)
    G = [*discounted_returns(rewards, gamma), 0.0]
    G_lam = [*lambda_returns(rewards, v, gamma, lam), 0.0]
    mean_error = [
        sum(
            policy[i, a] * mdp.transitions[i, a, k] * td_errors([mdp.rewards[i, a]], [V[i], V[k]], gamma)[0]
            for a in range(A) for k in range(S)
        )
        for i in range(S)
    ]  # fmt: skip
    j, b = int(rng.integers(S)), int(rng.integers(A))
    c = int(Q[j].argmax())
    update = lambda table, target: lambda i, a: moved(table[i - 1, a - 1], target, alpha)
    to = lambda k: td_errors([R], [V[k - 1], V[j]], gamma)[0]

    # a bandit: pulls in a known order
    q = np.sort(rng.uniform(0.1, 0.5, A))
    q[-1] += 0.3
    arms = [*range(A), *rng.integers(0, A, 9)]
    plan = lambda means, counts, t: np.tile(np.eye(A)[arms[t]], (len(means), 1))
    L = float(play_bandit(q, plan, len(arms), 1, 0)[0, -1])
    n, m, t = np.bincount(arms, minlength=A), rng.uniform(0, 1, A), len(arms)
    gaps = q.max() - q
    pulls, u = 400, 0.15
    ucb = float(play_bandit(q, explore_by_ucb(), pulls, 20, 1)[:, -1].mean())
    twelve = binom.cdf(np.floor(12 * (0.6 - u)), 12, 0.6)  # of a mean of 12 pulls of an arm worth 0.6

    # linear values
    X, P, r, d = (
        rng.normal(size=(S, 2)),
        rng.dirichlet(np.ones(S), size=S),
        rng.normal(size=S),
        rng.dirichlet(np.ones(S)),
    )
    w = rng.normal(size=2)
    matrix, vector = td_system(X, P, r, d, gamma)
    mean_step = sum(
        d[i] * P[i, k] * td_errors([r[i]], [X[i] @ w, X[k] @ w], gamma)[0] * X[i] for i in range(S) for k in range(S)
    )

    # the policy gradient, over all walks of two steps
    theta = rng.normal(size=(S, A))
    of = lambda theta: walks(mdp.transitions, mdp.rewards, softmax_policy(theta), gamma)
    all_walks, pi = of(theta), softmax_policy(theta)
    J = lambda theta: sum(p * G[0] for _, _, p, G in of(theta))
    many = range(len(all_walks))
    chosen = [k for k in many if all_walks[k][2] > 1e-3][int(rng.integers(3))]
    probability = lambda h: lambda theta: of(theta)[h][2]
    states, actions, _, _ = all_walks[chosen]
    mean_gradient = sum(p * sum(gamma**k * G[k] * score(theta, s[k], a[k]) for k in (0, 1)) for s, a, p, G in all_walks)
    old, after, taken, paid, met = step_of_reinforce(gamma, alpha)

    values = {
        "i": range(1, S + 1), "a": range(1, A + 1), "b": range(1, A + 1), "t": range(T), "T": T, "A": A, "S": S,
        r"\gamma": gamma, r"\alpha": alpha, r"\lambda": lam, r"\varepsilon": epsilon, r"\tau": tau, "R": R,
        "V(#)": V, "v_#": lambda t: v[t], r"\delta_#": lambda t: delta[t], "R_#": rewards, "G_#": lambda t: G[t],
        r"G_#^\lambda": lambda t: G_lam[t], "G_#^{(#)}": lambda t, n: n_step_returns(rewards, v, gamma, n)[t],
        "Q(#,#)": Q, "j": j + 1, r"\mathbf{1}": 1.0,
    }  # fmt: skip
    bandit = {
        "T": len(arms), "t": range(1, len(arms) + 1), "L_T": L, "q_*": float(q.max()), "q_#": q,
        "a_#": [a + 1 for a in arms], r"\Delta_#": gaps, "n_#": n, "m_#": m,
    }  # fmt: skip
    bound = {**bandit, "t": t, "U_#": ucb_index(m, n, t)}
    error = {r"\delta": At(to, "i")}
    gradient = {
        "h": many, "J": J(theta), "p(#)": lambda h: all_walks[h][2], "G(#)": lambda h: all_walks[h][3][0],
        r"\nabla J": slopes(J, theta), "t": range(2), "T": 2, r"\boldsymbol{\theta}": theta.ravel(),
        r"\operatorname{E}\Big[\sum_{t=0}^{T-1}\gamma^tG_t\,\nabla\ln\pi(a_t\mid s_t)\Big]": mean_gradient,
    }  # fmt: skip
    walk = {
        "h": chosen, "T": 2, "p(h)": all_walks[chosen][2], r"\nabla p(h)": slopes(probability(chosen), theta),
        r"\nabla\ln p(h)": slopes(lambda x: float(np.log(probability(chosen)(x))), theta),
        r"\nabla\ln\pi(a_#\mid s_#)": lambda t, _: score(theta, states[t], actions[t]),
    }  # fmt: skip
    log_slope = lambda a, i, _, k: slopes(lambda x: float(np.log(softmax_policy(x)[a - 1])), theta[i - 1])[k - 1]
    own = {
        "temporal-difference-step": {"G": G[0], r"V(#)\leftarrow": lambda i: moved(V[i - 1], G[0], alpha)},
        "temporal-difference-error": error,
        "temporal-difference-td": {**error, r"V(#)\leftarrow": lambda i: moved(V[i - 1], R + gamma * V[j], alpha)},
        "temporal-difference-mean-step": {r"\operatorname{E}[\delta\mid #]": mean_error, r"(T_\pi V)(#)": backup},
        "temporal-difference-n-step": {"t": range(3), "n": range(1, 4)},
        "temporal-difference-weights": {"t": range(T - 1)},
        "temporal-difference-sarsa": {
            "b": b + 1, r"Q(#,#)\leftarrow": update(Q, sarsa_target(R, Q[j], b, gamma)),
        },
        "temporal-difference-q": {r"Q(#,#)\leftarrow": update(Q, q_learning_target(R, Q[j], gamma))},
        "temporal-difference-expected": {
            r"\pi(#\mid #)": policy.T,
            r"Q(#,#)\leftarrow": update(Q, expected_sarsa_target(R, Q[j], policy[j], gamma)),
        },
        "temporal-difference-double": {
            "Q_1(#,#)": Q, "Q_2(#,#)": Q2, "c": c + 1,
            r"Q_1(#,#)\leftarrow": update(Q, sarsa_target(R, Q2[j], c, gamma)),
        },
        "temporal-difference-epsilon": {
            r"\pi(#\mid #)": epsilon_greedy(Q, epsilon).T, "a_*": At(lambda i: int(Q[i - 1].argmax()) + 1, "i"),
        },
        "temporal-difference-softmax": {r"\pi(#\mid #)": softmax_policy(Q, tau).T},
        "temporal-difference-regret": bandit,
        "temporal-difference-gaps": bandit,
        "temporal-difference-hoeffding": {"a": 1, "n_#": [12], "u": u, r"P(q_#\ge m_#+u)": lambda a, _: float(twelve)},
        "temporal-difference-ucb": bound,
        "temporal-difference-ucb-regret": {r"\operatorname{E}L_T": ucb, "T": pulls, r"\Delta_#": gaps},
        "temporal-difference-maximum-bias": {
            r"\operatorname{E}\max_ax_a": float(np.maximum(rng.normal(size=4000) + q[0], q[1]).mean()),
            r"\operatorname{E}x_#": q[:2], "a": range(1, 3),
        },
        "temporal-difference-semi-gradient": {
            r"\mathbf{w}": w, r"\mathbf{x}_#": lambda i: X[i - 1], r"\delta": At(lambda i: to(i), "i"),
            r"\mathbf{w}\leftarrow": At(
                lambda i: [moved(0, to(i) * x, alpha) + y for x, y in zip(X[i - 1], w, strict=True)], "i"
            ),
        },
        "temporal-difference-mean-linear": {
            r"\operatorname{E}[\delta\,\mathbf{x}]": mean_step, r"\mathbf{b}": vector, r"\mathbf{A}": matrix,
            r"\mathbf{w}": w, r"\mathbf{X}": X, r"\mathbf{D}": np.diag(d), r"\mathbf{I}": np.eye(S), r"\mathbf{P}": P,
            r"\mathbf{r}": r,
        },
        "temporal-difference-objective": gradient, "temporal-difference-policy-gradient": gradient,
        "temporal-difference-must-know-gradient": gradient,
        "temporal-difference-log-trick": walk, "temporal-difference-walk": walk,
        "temporal-difference-score": {
            r"\pi(#\mid #)": pi.T, r"\frac{\partial\ln\pi(#\mid #)}{\partial\theta(#,#)}": log_slope,
        },
        "temporal-difference-baseline": {
            r"\pi(#\mid #)": pi.T, r"\nabla\ln\pi(#\mid #)": lambda a, i: score(theta, i - 1, a - 1),
            r"\mathbf{0}": np.zeros(S * A),
        },
        "temporal-difference-reinforce": {
            r"\boldsymbol{\theta}": old.ravel(), r"\boldsymbol{\theta}\leftarrow": after.ravel(), "t": 0,
            "G_#": lambda t: paid,
            "B(s_#)": lambda t: met, r"\nabla\ln\pi(a_#\mid s_#)": lambda t, _: score(old, 1, taken),
        },
        "temporal-difference-must-know-error": {
            **error, "G": G[0], r"V(#)\leftarrow": lambda i: moved(V[i - 1], R + gamma * V[j], alpha),
        },
        "temporal-difference-must-know-ucb": bandit, "temporal-difference-must-know-ucb:2": bound,
        "temporal-difference-must-know-control:1": {"b": b + 1},
    }  # fmt: skip
    worth = {
        "temporal-difference-must-know-error:3": float(to(1) + V[0]),
        "temporal-difference-must-know-control:1": sarsa_target(R, Q[j], b, gamma),
        "temporal-difference-must-know-control:2": q_learning_target(R, Q[j], gamma),
        "temporal-difference-hoeffding": {1: float(np.exp(-2 * 12 * u * u))},
        "temporal-difference-ucb-regret": {1: float((8 * np.log(pulls) / gaps[:-1] + 5 * gaps[:-1]).sum())},
    }
    return Instance(values, own, worth=worth)
