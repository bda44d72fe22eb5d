"""Markov decision processes: a small process without structure, its policies enumerated, its chain followed."""

from itertools import product

import numpy as np

from notes_lib.reinforcement.mdp import (
    MDP,
    action_values,
    discounted_returns,
    expectation_backup,
    finite_horizon,
    greedy_policy,
    improved_policy,
    optimality_backup,
    policy_chain,
    policy_evaluation,
)
from tests.formulas.values import Instance

S, A, T, K, M = 4, 3, 6, 5, 3  # states, actions, steps, sweeps, sweeps with one policy


def followed(mdp, policy, n=4000):
    """What a walk collects on average, step by step."""
    P, r = policy_chain(mdp, policy)
    total, weight = np.zeros(S), np.eye(S)
    for _ in range(n):
        total, weight = total + weight @ r, mdp.gamma * (weight @ P)
    return total


def best_of_all(mdp):
    """The best value of all policies, in each state."""
    return np.max([policy_evaluation(mdp, p) for p in product(range(A), repeat=S)], axis=0)


def swept(backup, V, n):
    """A backup n times."""
    for _ in range(n):
        V = backup(V)
    return V


def size(V):
    """The largest absolute value."""
    return float(np.abs(V).max())


def instance(seed):
    """Values that differ by a constant show how large the bounds of a contraction are: they are reached."""
    rng = np.random.default_rng(seed)
    gamma, c = float(rng.uniform(0.5, 0.95)), float(rng.uniform(1, 3))
    mdp = MDP(rng.dirichlet(np.ones(S), size=(S, A)), rng.normal(size=(S, A, S)), gamma)
    policy = rng.dirichlet(np.ones(A), size=S)
    chain, best, value = policy_chain(mdp, policy), best_of_all(mdp), followed(mdp, policy)
    back = lambda V: optimality_backup(mdp, V)
    V, R = rng.normal(size=S), rng.normal(size=T)
    W, above = V + c, best + c
    G = [*discounted_returns(R, gamma), 0.0]
    clock = finite_horizon(mdp, T)
    first = rng.integers(A, size=S)
    one = policy_evaluation(mdp, first)
    better = policy_evaluation(mdp, improved_policy(mdp, first, one))
    f = rng.normal(size=A)
    greedy = greedy_policy(mdp, V)
    values = {
        "i": range(1, S + 1), "j": range(1, S + 1), "a": range(1, A + 1), "t": range(T), "T": T, "k": K, "S": S, "A": A,
        r"\gamma": gamma, r"p(#\mid #,#)": mdp.transitions.transpose(2, 0, 1), "r(#,#,#)": mdp.rewards,
        "r(#,#)": mdp.expected_rewards, "R_#": R, "G_#": lambda t: G[t], r"r_{\max}": size(R),
        r"\pi(#\mid #)": policy.T, r"p_\pi(#\mid #)": chain.transitions.T, r"r_\pi(#)": chain.rewards,
        r"V_\pi(#)": value, r"\operatorname{E}_\pi[G_0\mid s_0=#]": value, r"\mathbf{I}": np.eye(S),
        r"\mathbf{P}_\pi": chain.transitions, r"\mathbf{r}_\pi": chain.rewards,
        r"\mathbf{V}_\pi": policy_evaluation(mdp, policy), r"Q_\pi(#,#)": action_values(mdp, value), "V_*(#)": best,
        "V(#)": V, "W(#)": W, r"(T_\pi V)(#)": expectation_backup(mdp, policy, V), "(TV)(#)": back(V),
        "f(#)": f, "g(#)": f + c, r"\pi_V(#)": greedy + 1, r"V_{\pi'}(#)": better,
        r"\lVert V-W\rVert": size(V - W), r"\lVert TV-TW\rVert": size(back(V) - back(W)), "V_#(#)": clock.V,
    }  # fmt: skip
    sweeps = {r"\lVert V_k-V_*\rVert": size(swept(back, above, K) - best), r"\lVert V_0-V_*\rVert": c,
              r"\lVert V_1-V_0\rVert": size(back(above) - above)}  # fmt: skip
    stop = {r"\lVert TV-V_*\rVert": size(back(above) - best), r"\lVert TV-V\rVert": size(back(above) - above)}
    error = size(V - best)
    loss = {r"\lVert V_{\pi_V}-V_*\rVert": size(policy_evaluation(mdp, greedy) - best),
            r"\lVert V-V_*\rVert": error}  # fmt: skip
    fixed = lambda U: expectation_backup(mdp, greedy, U)
    P, r = policy_chain(mdp, greedy)
    many = sum(np.linalg.matrix_power(gamma * P, n) @ r for n in range(M)) + np.linalg.matrix_power(gamma * P, M) @ V
    own = {
        "mdp-rate": sweeps, "mdp-sweeps": sweeps, "mdp-stopping": stop, "mdp-must-know-stopping": stop,
        "mdp-greedy-loss": loss, "mdp-improvement": {r"V_\pi(#)": one},
        "mdp-modified": {"V_{k+1}": swept(fixed, V, M), r"T_{\pi_k}^{m}V_k": many},
        "mdp-finite": {"V_#(#)": lambda t, i: clock.V[t, i - 1]}, "mdp-series": {"n": 3, "k": range(9)},
        "mdp-return": {"k": range(T)},
    }  # fmt: skip
    bound = size(R) / (1 - gamma)
    return Instance(
        values,
        own,
        worth={
            "mdp-return-bound": {1: bound},
            "mdp-must-know-return:2": {1: bound},
            "mdp-greedy-loss": {1: gamma * error / (0.5 - 0.5 * gamma)},
        },
    )
