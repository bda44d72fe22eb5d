"""What the quiz of the chapter *Temporal-difference learning* says, computed."""

import numpy as np

from notes_lib.reinforcement.mdp import discounted_returns
from notes_lib.reinforcement.temporal_difference import (
    GridWorld,
    epsilon_greedy,
    lambda_returns,
    moved,
    q_learning,
    q_learning_target,
    sarsa_target,
    softmax_policy,
    softmax_score,
    td_errors,
    td_zero,
    ucb_index,
)
from tests.claims.deciding import Numbers, decided


class _Coin:
    """One state, left at once, that pays 1 or 0 at random; nothing else is said about it."""

    n_states, n_actions = 1, 2

    def reset(self, seed=None):
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        return 0, {}

    def step(self, action):
        return 0, float(self.rng.integers(2)) + action, True, False, {}


def quiz_td(V, paid, later, gamma, alpha):
    """$V(i)=<V>$, the step to $j$ pays <paid>, $V(j)=<later>$, $\\gamma=<gamma>$, $\\alpha=<alpha>$. TD(0) changes
    $V(i)$ to"""
    error = td_errors([paid], [V, later], gamma)[0]
    undiscounted = td_errors([paid], [V, later], 1)[0]
    return Numbers(V + alpha * error, [V + error, V + alpha * undiscounted, alpha * error])


def quiz_targets(first, second, R, gamma):
    """$Q(j,\\cdot)=(<first>, <second>)$, the robot explores and takes the first action in $j$, $R=<R>$,
    $\\gamma=<gamma>$. What do SARSA and Q-learning aim at?"""
    on, off = sarsa_target(R, [first, second], 0, gamma), q_learning_target(R, [first, second], gamma)
    return Numbers([on, off], [[off, off], [off, on], [on, on]])


def quiz_epsilon(n, epsilon):
    """<n> actions, $\\varepsilon=<epsilon>$. How often does an $\\varepsilon$-greedy robot take the best one?"""
    p = epsilon_greedy(np.arange(int(n)), epsilon)
    return Numbers(p.max(), [1 - epsilon, 1 - p.min(), epsilon])


def quiz_true():
    """Which of these are true? (Mark all.)"""
    rng = np.random.default_rng(0)
    R, one, other = rng.normal(size=5), rng.normal(size=6), rng.normal(size=6)
    one[-1] = other[-1] = 0
    under_way = GridWorld((1, 4), (0, 0), {(0, 3): 1.0}, (), -1.0, max_steps=1)  # no walk ever reaches the end
    whole = lambda_returns(R, one, 0.9, 1)
    learned = q_learning(_Coin(), 200, 0.5, 0.9, 0.3, 0).Q  # of a world that tells nothing but states and rewards
    return {
        "TD(0) can learn before a walk is over": bool(td_zero(under_way, [1, 1, 1, 1], 1, 0.5, 0.9).V.any()),
        "the $\\lambda$-return with $\\lambda=<lam>$ is the whole return": lambda lam: bool(
            np.allclose(lambda_returns(R, one, 0.9, lam), discounted_returns(R, 0.9))
        ),
        "Monte Carlo bootstraps": not np.allclose(whole, lambda_returns(R, other, 0.9, 1)),
        "Q-learning needs the transition probabilities": not learned[0, 1] > learned[0, 0],
    }


def tf_greedy(epsilon):
    """With $\\varepsilon=<epsilon>$, SARSA and Q-learning aim at the same number."""
    rng, same = np.random.default_rng(0), []
    for _ in range(50):
        Q = rng.normal(size=3)
        p = epsilon_greedy(Q, epsilon)
        on = {sarsa_target(1.0, Q, a, 0.9) for a in np.flatnonzero(p)}
        same.append(on == {q_learning_target(1.0, Q, 0.9)})
    return all(same)


def tf_baseline():
    """A baseline that depends on the state biases the policy gradient."""
    rng, off = np.random.default_rng(0), []
    for i in range(4):
        theta = rng.normal(size=3)
        p = softmax_policy(theta)
        scores = np.array([softmax_score(theta, a) for a in range(3)])
        off.append(np.abs(p @ (scores * (i + 1.0))).max())
        assert np.abs(p @ (scores * np.arange(3)[:, None])).max() > 1e-3  # one that depends on the action does
    return max(off) > 1e-12


def tf_ucb():
    """An arm with the largest mean so far also has the largest upper confidence bound."""
    means, counts = [0.6, 0.5], [100, 2]
    bounds = ucb_index(means, counts, 102)
    assert ucb_index(means, [51, 51], 102).argmax() == 0
    return bool(bounds.argmax() == np.argmax(means))


def tf_constant():
    """With a constant step size, TD(0) keeps fluctuating if rewards are random."""
    tails = [td_zero(_Coin(), [0], n, 0.2, 0.9, 1).V[0] for n in range(3000, 3100)]
    rng, V = np.random.default_rng(1), 0.0
    settled = []
    for n in range(1, 3101):
        V = moved(V, float(rng.integers(2)), 1 / n)
        settled.append(V)
    assert np.std(settled[-100:]) < 0.002
    return bool(np.std(tails) > 0.05)


test_claim = decided("reinforcement/temporal_difference", globals())
