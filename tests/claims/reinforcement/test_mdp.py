"""What the quiz of the chapter *Markov decision processes* says, computed."""

from itertools import product

import numpy as np

from notes_lib.reinforcement.mdp import (
    MDP,
    discounted_returns,
    error_bound,
    greedy_policy,
    improved_policy,
    optimality_backup,
    policy_evaluation,
    policy_iteration,
    value_iteration,
)
from tests.claims.deciding import Numbers, decided

SEEDS = range(20)


def _drawn(seed, gamma=0.9, S=4, A=3):
    """A process without structure."""
    rng = np.random.default_rng(seed)
    return MDP(rng.dirichlet(np.full(S, 0.5), size=(S, A)), rng.normal(size=(S, A)), gamma)


def _of_one_state(rewards, gamma):
    """A state that every action keeps."""
    return MDP(np.ones((1, len(rewards), 1)), [rewards], gamma)


def quiz_return(rewards, more, last, gamma):
    """Rewards <rewards>, <more> and <last> at the next three steps, nothing after that, $\\gamma=<gamma>$. The return
    is"""
    R = [rewards, more, last]
    right = discounted_returns(R, gamma)[0]
    return Numbers(right, [sum(R), gamma * right, discounted_returns(R[::-1], gamma)[0]])


def quiz_stopping(gamma, change):
    """$\\gamma=<gamma>$, and the last sweep of value iteration changed no value by more than <change>. How far can the
    values be from the best ones?"""
    mdp, V = _of_one_state([1.0], gamma), 1 / (1 - gamma)
    before = V - change / (1 - gamma)  # a sweep from here changes the value by that much
    after = optimality_backup(mdp, [before])[0]
    assert np.isclose(after - before, change)
    assert np.isclose(error_bound(change, gamma), V - after)
    return Numbers(V - after, [change, gamma * change, V - before])


def quiz_single(first, second, gamma):
    """A single state, two actions that pay <first> and <second> and stay, $\\gamma=<gamma>$. What is $V_*$?"""
    mdp = _of_one_state([first, second], gamma)
    kept = [policy_evaluation(mdp, policy)[0] for policy in ([0], [1], [[0.5, 0.5]])]
    return Numbers(max(kept[:2]), [kept[2], value_iteration(mdp.set_params(gamma=0)).V[0], min(kept[:2])])


def quiz_true(bound):
    """Which of these are true for $\\gamma<<bound>$? (Mark all.)"""
    mdp = _drawn(0)
    best = policy_iteration(mdp)
    starts = np.random.default_rng(0).normal(scale=100, size=(20, mdp.n_states))
    ends, falls = starts.copy(), []
    for k in range(20):
        for _ in range(400):
            new = optimality_backup(mdp, ends[k])
            falls.append((new < ends[k] - 1e-9).any())
            ends[k] = new
    rounds = [policy_iteration(_drawn(seed)).n_iter for seed in SEEDS]
    of_one_action = np.max([policy_evaluation(mdp, p) for p in product(range(3), repeat=4)], axis=0)
    return {
        "value iteration converges from any start": np.allclose(ends, best.V),
        "policy iteration ends after finitely many rounds": max(rounds) <= mdp.n_actions**mdp.n_states * bound,
        "each sweep of value iteration raises every value": not any(falls),
        "the best value needs a policy that draws its actions": (best.V - of_one_action > 1e-9).any(),
    }


def tf_same():
    """If two policies have the same value in every state, they take the same actions."""
    twins = _of_one_state([2.0, 2.0], 0.5)
    policies = ([0], [1])
    values = [policy_evaluation(twins, policy) for policy in policies]
    assert values[0] == values[1]
    return policies[0] == policies[1]


def tf_greedy():
    """A policy that is greedy for its own value is a best one."""
    settled = []
    for seed in SEEDS:
        mdp = _drawn(seed)
        best = policy_iteration(mdp).V
        for policy in product(range(mdp.n_actions), repeat=mdp.n_states):
            V = policy_evaluation(mdp, policy)
            if np.array_equal(improved_policy(mdp, policy, V), policy):
                settled.append(np.allclose(V, best))
    return len(settled) >= len(SEEDS) and all(settled)


def tf_larger():
    """With a larger discount factor every best value is larger."""
    costs = _of_one_state([-1.0], 0.5)
    small, large = (policy_iteration(costs.set_params(gamma=gamma)).V for gamma in (0.5, 0.9))
    gains = _of_one_state([1.0], 0.5)
    up, down = (policy_iteration(gains.set_params(gamma=gamma)).V for gamma in (0.9, 0.5))
    assert up > down
    return bool((large > small).all())


def tf_deterministic():
    """One action in each state is enough for a best policy."""
    enough = []
    for seed in SEEDS:
        mdp, rng = _drawn(seed), np.random.default_rng(seed)
        by_one = policy_evaluation(mdp, greedy_policy(mdp, policy_iteration(mdp).V))
        drawn = [policy_evaluation(mdp, rng.dirichlet(np.ones(3), size=4)) for _ in range(50)]
        enough.append((by_one >= np.max(drawn, axis=0) - 1e-9).all())
    return all(enough)


test_claim = decided("reinforcement/mdp", globals())
