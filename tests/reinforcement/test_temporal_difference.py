"""Temporal-difference learning against published values, plain transcriptions, planning, its laws, and bad input."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from notes_lib.foundations.descent import numerical_gradient
from notes_lib.reinforcement.mdp import (
    MDP,
    action_values,
    discounted_returns,
    expectation_backup,
    grid_mdp,
    policy_evaluation,
    policy_iteration,
    value_iteration,
)
from notes_lib.reinforcement.temporal_difference import (
    CliffWalking,
    GridWorld,
    double_q_learning,
    epsilon_greedy,
    expected_sarsa,
    expected_sarsa_target,
    explore_by_chance,
    explore_by_softmax,
    explore_by_ucb,
    lambda_returns,
    moved,
    n_step_returns,
    play_bandit,
    q_learning,
    q_learning_target,
    reinforce,
    sarsa,
    sarsa_target,
    softmax_policy,
    softmax_score,
    td_errors,
    td_system,
    td_zero,
    ucb_index,
)

CONTROL = [q_learning, sarsa, expected_sarsa, double_q_learning]


class Told:
    """An environment from a table of (reward, state, terminated, truncated), with nothing but Gymnasium's methods."""

    def __init__(self, told, n_actions=1, start=0):
        self.told, self.start = told, start
        self.n_states, self.n_actions = len(told), n_actions

    def reset(self):
        self.state = self.start
        return self.state, {}

    def step(self, action):
        reward, self.state, terminated, truncated = self.told[self.state][action]
        return self.state, reward, terminated, truncated, {}


class Unread(GridWorld):
    """A grid whose table is not looked into: the plain way through step."""


def ledge(**kw):
    """Sutton and Barto's random walk: A to E between two ends, of which the right one pays 1."""
    return GridWorld((1, 7), (0, 3), {(0, 0): 0.0, (0, 6): 1.0}, **kw)


LEFT_OR_RIGHT = np.tile([0, 0.5, 0, 0.5], (7, 1))


def room(**kw):
    return GridWorld((4, 5), (3, 0), {(0, 4): 1.0, (1, 4): -1.0}, [(1, 1), (2, 3)], -0.04, **kw)


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("temporal-difference-td")
def test_random_walk_of_sutton_and_barto():
    """Example 6.2: the values are 1/6 to 5/6; after the first episode only one state has changed."""
    exact = np.arange(1, 6) / 6
    assert_allclose(policy_evaluation(ledge().mdp(1.0), LEFT_OR_RIGHT)[1:6], exact, atol=1e-9)
    runs = np.array([td_zero(ledge(), LEFT_OR_RIGHT, 1500, 0.02, 1.0, seed).V[1:6] for seed in range(30)])
    error = runs.std(axis=0, ddof=1) / np.sqrt(30)
    assert (np.abs(runs.mean(axis=0) - exact) < 4 * error + 0.01).all()
    assert error.max() < 0.02
    first = td_zero(ledge(), LEFT_OR_RIGHT, 1, 0.1, 1.0, 0)
    assert np.count_nonzero(first.V) == (first.returns[0] == 1)


@pytest.mark.equation("temporal-difference-q", "temporal-difference-sarsa")
def test_cliff_of_sutton_and_barto():
    """Example 6.6: the best way takes 13 steps; Q-learning finds it, SARSA keeps away from the edge and earns more."""
    assert policy_iteration(CliffWalking().mdp(1.0)).V[36] == -13
    greedy, safe = (learn(CliffWalking(), 500, 0.5, 1.0, 0.1, 1) for learn in (q_learning, sarsa))
    assert greedy.Q[36].max() == pytest.approx(-13)
    assert greedy.Q[24:35].argmax(axis=1).tolist() == [1] * 11  # along the edge
    assert walk_greedily(CliffWalking(), greedy.Q) == -13
    assert walk_greedily(CliffWalking(), safe.Q) < -13
    online = [
        np.array([learn(CliffWalking(), 500, 0.5, 1.0, 0.1, seed).returns[100:].mean() for seed in range(8)])
        for learn in (q_learning, sarsa)
    ]
    gap = online[1] - online[0]
    assert gap.mean() > 4 * gap.std(ddof=1) / np.sqrt(8)


def walk_greedily(env, Q):
    """Sum of rewards of the greedy policy."""
    state, total, over, steps = env.reset()[0], 0.0, False, 0
    while not over and steps < 100:
        state, reward, terminated, truncated, _ = env.step(int(Q[state].argmax()))
        total, over, steps = total + reward, terminated or truncated, steps + 1
    return total


def test_windy_grid_of_sutton_and_barto():
    """Example 6.5 as somebody else's environment: 15 steps against the wind."""
    wind = [0, 0, 0, 1, 1, 1, 2, 2, 1, 0]

    def go(s, a):
        row, column = divmod(s, 10)
        i, j = np.add((row - wind[column], column), [(-1, 0), (0, 1), (1, 0), (0, -1)][a])
        t = int(np.clip(i, 0, 6) * 10 + np.clip(j, 0, 9))
        return -1.0, t, t == 37, False

    windy = Told([[go(s, a) for a in range(4)] for s in range(70)], 4, start=30)
    Q = q_learning(windy, 800, 0.5, 1.0, 0.1, 0).Q
    assert Q[30].max() == pytest.approx(-15)
    assert walk_greedily(windy, Q) == -15


@pytest.mark.equation("temporal-difference-mean-linear")
def test_star_of_baird_diverges_off_policy_and_not_on_it():
    """Sutton and Barto, section 11.2: seven states, eight weights; updated evenly, the steps grow without bound."""
    X = np.zeros((7, 8))
    X[:6, :6], X[:6, 7], X[6, 6:] = 2 * np.eye(6), 1, (1, 2)
    P = np.zeros((7, 7))
    P[:, 6] = 1  # the policy to evaluate always goes to the last state
    A, b = td_system(X, P, np.zeros(7), np.full(7, 1 / 7), 0.99)
    assert np.linalg.eigvals(A).real.min() < -0.01
    w, sizes = np.array([1.0, 1, 1, 1, 1, 1, 10, 1]), []
    for _ in range(2000):
        w = w + 0.05 * (b - A @ w)
        sizes.append(np.abs(w).max())
    assert sizes[-1] > 1e3
    A, _ = td_system(X, P, np.zeros(7), np.eye(7)[6], 0.99)  # where the policy itself stays
    assert np.linalg.eigvals(A).real.min() > -1e-12


# ---------------------------------------------------------------- worlds


def test_a_grid_is_the_process_of_the_planner():
    walls, pays = [(1, 1)], {(0, 3): 1.0, (1, 3): -1.0}
    for slip in (0.0, 0.2):
        env = GridWorld((3, 4), (2, 0), pays, walls, -0.04, slip)
        planned = grid_mdp((3, 4), pays, walls, -0.04, slip, 0.9)
        mdp = env.mdp(0.9)
        free = [s for s in range(12) if s != 5]
        assert_allclose(mdp.transitions[free], planned.transitions[free], atol=1e-15)
        assert_allclose(mdp.expected_rewards[free], planned.expected_rewards[free], atol=1e-15)
        assert (env.n_states, env.n_actions, env.shape) == (12, 4, (3, 4))


def test_a_step_on_the_grid():
    env = GridWorld((2, 3), (0, 0), {(0, 2): 5.0}, [(1, 1)], step_reward=-1)
    assert env.reset() == (0, {})
    assert env.step(0) == (0, -1.0, False, False, {})  # against the edge
    assert env.step(np.int64(1)) == (1, -1.0, False, False, {})
    assert env.step(2) == (1, -1.0, False, False, {})  # against the wall
    assert env.step(1) == (2, 4.0, True, False, {})
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(1)
    assert GridWorld((1, 2), (0, 0), [(0, 1)]).mdp(1.0).expected_rewards.max() == 0  # cells alone pay nothing


def test_the_cliff_by_hand():
    env = CliffWalking()
    assert env.reset(seed=3) == (36, {})
    assert env.step(1) == (36, -100.0, False, False, {})
    assert env.step(0) == (24, -1.0, False, False, {})
    for column in range(1, 12):
        assert env.step(1) == (24 + column, -1.0, False, False, {})
    assert env.step(2) == (47, -1.0, True, False, {})
    falls = CliffWalking().mdp(1.0)
    assert (falls.expected_rewards[:37] == -100).sum() == 10 + 1  # down from row 2, and right from the start


@pytest.mark.parametrize("world", [room, CliffWalking])
def test_chances_of_a_slippery_world(world):
    env = world(slip=0.4)
    mdp = env.mdp(1.0)
    env.reset(seed=0)
    for action in range(4):
        seen = np.zeros(env.n_states)
        for _ in range(4000):
            state, *_ = env.reset()
            seen[env.step(action)[0]] += 1
        assert np.abs(seen / 4000 - mdp.transitions[state, action]).max() < 4 * 0.5 / np.sqrt(4000)
    env.reset(seed=7)
    one = [env.step(0)[0] for _ in range(3)]
    env.reset(seed=7)
    assert one == [env.step(0)[0] for _ in range(3)]


def test_the_time_is_over():
    env = GridWorld((1, 3), (0, 0), {(0, 2): 1.0}, max_steps=2)
    env.reset()
    assert env.step(3)[2:4] == (False, False)
    assert env.step(3)[2:4] == (False, True)
    env.reset()
    env.step(1)
    assert env.step(1)[2:4] == (True, False)  # the end comes first
    assert GridWorld((1, 2), (0, 0), {}, max_steps=1).n_states == 2  # no end is needed then


def test_a_world_without_chance_may_be_read_and_no_other():
    assert room().table() is not None
    assert CliffWalking().table() is not None
    changed = room()
    changed.step = lambda action: (19, 0.0, True, False, {})
    for env in (room(slip=0.1), room(max_steps=9), changed, Unread((1, 2), (0, 0), {(0, 1): 1.0})):
        assert env.table() is None
    assert_array_equal(q_learning(changed, 3, 0.5, 1.0, 0.1, 0).lengths, 1)


def test_large_grids_need_no_matrix():
    env = GridWorld((300, 300), (0, 0), {(0, 3): 1.0}, step_reward=-1)
    assert q_learning(env, 2, 0.5, 1.0, 0.1, 0).Q.shape == (90_000, 4)


# ---------------------------------------------------------------- other routes


def plain(rule, env, n_episodes, alpha, gamma, epsilon, seed):
    """All learners, written down number by number on arrays, with the library's random numbers."""
    rng = np.random.default_rng(seed)
    env.reset(seed=int(rng.integers(2**31)))
    chance = iter(rng.random(4096 * 60).tolist())
    S, A = env.n_states, env.n_actions
    Q, pair = np.zeros((S, A)), np.zeros((2, S, A))

    def act(i):
        u = next(chance)
        return int(u / epsilon * A) if u < epsilon else int(np.argmax(Q[i]))

    for episode in range(n_episodes):
        i = env.start if not episode else env.reset()[0]
        a, over = None, False
        while not over:
            a = act(i) if a is None else a
            j, reward, end, late, _ = env.step(a)
            over, after = end or late, None
            if rule == "double":
                k = 0 if next(chance) < 0.5 else 1
                later = 0 if end else pair[1 - k, j, np.argmax(pair[k, j])]
                pair[k, i, a] += alpha * (reward + gamma * later - pair[k, i, a])
                Q[i, a] = pair[:, i, a].mean()
            else:
                if rule == "sarsa" and not end:
                    after = act(j)
                later = 0 if end else {
                    "q": lambda j=j: Q[j].max(), "sarsa": lambda j=j, b=after: Q[j, b],
                    "expected": lambda j=j: epsilon_greedy(Q[j], epsilon) @ Q[j],
                }[rule]()  # fmt: skip
                Q[i, a] += alpha * (reward + gamma * later - Q[i, a])
            i, a = j, after
    return Q


@pytest.mark.equation(
    "temporal-difference-q", "temporal-difference-sarsa", "temporal-difference-expected", "temporal-difference-double"
)
@pytest.mark.parametrize("world", [room, CliffWalking])
@pytest.mark.parametrize("settings", [{}, {"slip": 0.3}, {"max_steps": 25}])
def test_learners_are_their_plain_transcriptions(world, settings):
    for rule, learn in zip(["q", "sarsa", "expected", "double"], CONTROL, strict=True):
        for seed in (0, 1):
            found = learn(world(**settings), 25, 0.3, 0.95, 0.2, seed)
            expected = plain(rule, world(**settings), 25, 0.3, 0.95, 0.2, seed)
            assert_allclose(found.Q, expected, atol=1e-10)


def test_looking_up_is_the_same_to_the_last_bit():
    for seed, epsilon, alpha in ((0, 0.0, 0.3), (1, 0.1, 0.3), (2, 1.0, 0.3), (3, 0.3, 1.0), (4, 0.3, 1.0)):
        arguments = ((6, 6), (5, 0), {(0, 5): 1.0, (2, 2): -1.0}, [(4, 1)], -0.01)
        read, walked = (q_learning(world(*arguments), 200, alpha, 0.9, epsilon, seed) for world in (GridWorld, Unread))
        for one, other in zip(read, walked, strict=True):
            assert_array_equal(one, other)
        assert read.Q.dtype == read.returns.dtype == np.float64
        assert read.lengths.dtype.kind == "i"


def test_a_generator_goes_on_and_a_seed_begins_anew():
    for learn in CONTROL:
        rng = np.random.default_rng(5)
        one, two = (learn(room(slip=0.2), 4, 0.5, 0.9, 0.3, rng).Q for _ in range(2))
        assert not np.array_equal(one, two)
        assert_array_equal(one, learn(room(slip=0.2), 4, 0.5, 0.9, 0.3, 5).Q)


def test_q_learning_reaches_the_plan():
    env, mdp = room(), room().mdp(0.9)
    best = value_iteration(mdp, tol=1e-12)
    Q = q_learning(env, 6000, 0.5, 0.9, 1.0, 0).Q
    seen = Q.any(axis=1)
    assert_allclose(Q[seen], action_values(mdp, best.V)[seen], atol=1e-6)


def test_sarsa_and_expected_sarsa_value_the_policy_that_explores():
    """Both settle near the best of the policies that explore, not at the best of all."""
    env = GridWorld((1, 5), (0, 2), {(0, 0): -5.0, (0, 4): 1.0})
    epsilon = 0.4
    right = epsilon_greedy(np.tile([0, 1, 0, 0], (5, 1)), epsilon)
    V = policy_evaluation(env.mdp(0.9), right)
    exact = action_values(env.mdp(0.9), V)[1:4, 1]
    for learn in (sarsa, expected_sarsa):
        runs = np.array([learn(env, 3000, 0.02, 0.9, epsilon, seed).Q[1:4, 1] for seed in range(8)])
        assert np.abs(runs.mean(axis=0) - exact).max() < 0.03
    off = q_learning(env, 3000, 0.5, 0.9, epsilon, 0).Q[1:4, 1]
    assert_allclose(off, [0.81, 0.9, 1.0], atol=1e-6)
    assert np.abs(exact - off).max() > 0.15


@pytest.mark.equation("temporal-difference-td")
def test_td_is_its_plain_transcription():
    rng = np.random.default_rng(4)
    policy = rng.dirichlet(np.ones(4), size=20)
    found = td_zero(room(), policy, 15, 0.2, 0.9, 4)
    rng = np.random.default_rng(4)
    rng.integers(2**31)
    chance, env, V = iter(rng.random(4096 * 9)), room(), np.zeros(20)
    for n in range(15):
        i, over, total, steps = env.reset()[0], False, 0.0, 0
        while not over:
            a = int((policy[i].cumsum()[:-1] <= next(chance)).sum())
            j, reward, over, _, _ = env.step(a)
            V[i] += 0.2 * (reward + 0.9 * V[j] * (not over) - V[i])
            i, total, steps = j, total + reward, steps + 1
        assert found.returns[n] == pytest.approx(total)
        assert found.lengths[n] == steps
    assert_allclose(found.V, V, atol=1e-12)


def test_td_by_numbers_of_actions():
    always_right = np.full(7, 1)
    V = td_zero(ledge(), always_right, 3, 0.5, 1.0).V
    assert_allclose(V, [0, 0, 0, 0.125, 0.5, 0.875, 0])
    assert_allclose(td_zero(ledge(), np.eye(4)[always_right], 3, 0.5, 1.0).V, V)


@pytest.mark.parametrize("learn", CONTROL)
def test_the_end_of_time_bootstraps_and_an_end_does_not(learn):
    late = Told([[(1.0, 0, False, True)]])
    end = Told([[(1.0, 0, True, False)]])
    both = Told([[(1.0, 0, True, True)]])
    settled = 2000 if learn is double_q_learning else 400
    assert learn(late, settled, 0.5, 0.5, 0.0, 0)[0][0, 0] == pytest.approx(2)
    for env in (end, both):
        assert learn(env, settled, 0.5, 0.5, 0.0, 0)[0][0, 0] == pytest.approx(1)


def test_td_bootstraps_at_the_end_of_time_too():
    assert td_zero(Told([[(1.0, 0, False, True)]]), [0], 400, 0.5, 0.5, 0)[0] == pytest.approx([2])
    assert td_zero(Told([[(1.0, 0, True, True)]]), [0], 400, 0.5, 0.5, 0)[0] == pytest.approx([1])


def test_exploration_takes_any_action():
    """With epsilon 1 all actions are drawn alike, the greedy one included."""
    env = Told([[(float(a), 0, True, False) for a in range(4)]], 4)
    mean = q_learning(env, 20_000, 1.0, 1.0, 1.0, 0).returns.mean()
    assert abs(mean - 1.5) < 4 * np.sqrt(1.25 / 20_000)
    some = q_learning(env, 20_000, 1.0, 1.0, 0.4, 0).returns[100:]
    assert abs((some == 3).mean() - 0.7) < 4 * np.sqrt(0.21 / 19_900)


@pytest.mark.equation("temporal-difference-error", "temporal-difference-n-step", "temporal-difference-lambda")
@pytest.mark.parametrize("gamma", [0.0, 0.7, 1.0])
def test_returns_between_one_step_and_all(gamma):
    rng = np.random.default_rng(2)
    R, V = rng.normal(size=6), np.append(rng.normal(size=6), 0.0)
    for n in range(1, 9):
        direct = [
            sum(gamma**k * R[t + k] for k in range(min(n, 6 - t))) + gamma ** min(n, 6 - t) * V[min(t + n, 6)]
            for t in range(6)
        ]
        assert_allclose(n_step_returns(R, V, gamma, n), direct)
    assert_allclose(n_step_returns(R, V, gamma, 6), discounted_returns(R, gamma))
    delta = td_errors(R, V, gamma)
    assert_allclose(delta, [R[t] + gamma * V[t + 1] - V[t] for t in range(6)])
    assert_allclose(lambda_returns(R, V, gamma, 0.0), V[:-1] + delta)
    assert_allclose(lambda_returns(R, V, gamma, 1.0), discounted_returns(R, gamma))
    lam = 0.6
    for t in range(6):
        weights = [(1 - lam) * lam ** (n - 1) for n in range(1, 6 - t)]
        mixed = sum(w * n_step_returns(R, V, gamma, n)[t] for n, w in enumerate(weights, 1))
        mixed += lam ** (5 - t) * discounted_returns(R, gamma)[t]
        assert lambda_returns(R, V, gamma, lam)[t] == pytest.approx(mixed)
        errors = sum((gamma * lam) ** k * delta[t + k] for k in range(6 - t))
        assert lambda_returns(R, V, gamma, lam)[t] - V[t] == pytest.approx(errors)


def test_the_mean_step_of_td_is_the_backup():
    """Over all actions and successors, the target of TD is the expectation backup of the values."""
    rng = np.random.default_rng(3)
    mdp = MDP(rng.dirichlet(np.ones(4), size=(4, 3)), rng.normal(size=(4, 3)), 0.8)
    policy, V = rng.dirichlet(np.ones(3), size=4), rng.normal(size=4)
    means = [
        sum(
            policy[i, a] * mdp.transitions[i, a, j] * (V[i] + td_errors([mdp.rewards[i, a]], [V[i], V[j]], 0.8)[0])
            for a in range(3) for j in range(4)
        )
        for i in range(4)
    ]  # fmt: skip
    assert_allclose(means, expectation_backup(mdp, policy, V))


@pytest.mark.equation("temporal-difference-mean-linear")
def test_linear_values_with_one_feature_a_state_are_the_table():
    rng = np.random.default_rng(6)
    P, r, d = rng.dirichlet(np.ones(5), size=5), rng.normal(size=5), rng.dirichlet(np.ones(5))
    A, b = td_system(np.eye(5), P, r, d, 0.9)
    assert_allclose(np.linalg.solve(A, b), np.linalg.solve(np.eye(5) - 0.9 * P, r))
    X = rng.normal(size=(5, 2))
    A, b = td_system(X, P, r, d, 0.9)
    w = rng.normal(size=2)
    step = sum(d[i] * P[i, j] * (r[i] + 0.9 * X[j] @ w - X[i] @ w) * X[i] for i in range(5) for j in range(5))
    assert_allclose(b - A @ w, step)


@pytest.mark.equation("temporal-difference-score")
def test_score_is_the_gradient_of_the_log_probability():
    theta = np.array([0.3, -1.0, 2.0])
    for a in range(3):
        slope = numerical_gradient(lambda x, a=a: float(np.log(softmax_policy(x)[a])), theta)
        assert_allclose(softmax_score(theta, a), slope, atol=1e-7)


@pytest.mark.equation("temporal-difference-policy-gradient", "temporal-difference-reinforce")
def test_the_step_of_reinforce_is_the_gradient_on_average():
    """One episode from preferences 0, over many seeds, against differences of the exact value."""
    env, gamma, alpha = GridWorld((1, 4), (0, 1), {(0, 0): -1.0, (0, 3): 2.0}, (), -0.1), 0.9, 1.0

    def J(theta):
        return float(policy_evaluation(env.mdp(gamma), softmax_policy(theta.reshape(4, 4)))[1])

    steps = np.array([reinforce(env, 1, alpha, gamma, seed).theta[1:3].ravel() for seed in range(3000)])
    exact = numerical_gradient(J, np.zeros(16))[4:12]
    error = steps.std(axis=0, ddof=1) / np.sqrt(3000)
    assert (np.abs(steps.mean(axis=0) - exact) < 4.5 * error).all()
    assert error.max() < 0.1 * np.abs(exact).max()


def test_reinforce_learns_with_and_without_a_baseline():
    env = GridWorld((1, 5), (0, 2), {(0, 0): 0.0, (0, 4): 1.0}, max_steps=30)
    for baseline in (True, False):
        found = reinforce(env, 600, 0.5, 0.95, 0, baseline=baseline)
        assert found.lengths[-100:].mean() < 0.5 * found.lengths[:20].mean()
        assert (found.theta[2:4].argmax(axis=1) == 1).all()
        assert_allclose(found.theta.sum(axis=1), 0, atol=1e-9)
    late = reinforce(Told([[(1.0, 0, False, True)]]), 2, 0.5, 0.5, 0)
    assert_array_equal(late.lengths, 1)


@pytest.mark.equation("temporal-difference-regret", "temporal-difference-ucb")
def test_bandits():
    success = [0.2, 0.5, 0.7]
    uniform = play_bandit(success, explore_by_chance(1.0), 60, 2000, 0)
    gaps = 0.7 - np.array(success)
    exact = gaps.sum() + 57 * gaps.mean()
    assert abs(uniform[:, -1].mean() - exact) < 4 * uniform[:, -1].std() / np.sqrt(2000)
    assert_allclose(uniform[:, :3], np.tile(gaps.cumsum(), (2000, 1)))
    by_ucb, by_softmax, by_chance = (
        play_bandit(success, rule, 3000, 40, 1)[:, -1].mean()
        for rule in (explore_by_ucb(), explore_by_softmax(0.1), explore_by_chance(0.5))
    )
    bound = sum(8 * np.log(3000) / g + (1 + np.pi**2 / 3) * g for g in gaps if g)
    assert by_ucb < bound
    assert max(by_ucb, by_softmax) < by_chance
    seen = []

    def notes(means, counts, t):
        seen.append((t, counts.sum(axis=1).tolist(), means.copy()))
        return np.full_like(means, 1 / 3)

    play_bandit([0.0, 1.0, 1.0], notes, 20, 2, 0)
    assert [(t, counts) for t, counts, _ in seen] == [(t, [t, t]) for t in range(3, 20)]
    assert all((means == [0, 1, 1]).all() for _, _, means in seen)
    once = play_bandit(success, explore_by_ucb(), 5, 3, 2)
    assert_array_equal(once, play_bandit(success, explore_by_ucb(), 5, 3, 2))
    assert ucb_index([0.5, 0.1], [4, 0], 4)[1] == np.inf
    assert ucb_index([0.5], [4], 9, 1.0)[0] == pytest.approx(0.5 + np.sqrt(np.log(9) / 4))


# ---------------------------------------------------------------- laws

rows = arrays(float, st.integers(1, 5), elements=st.floats(-50, 50))


@pytest.mark.equation("temporal-difference-epsilon", "temporal-difference-softmax")
@given(rows, st.floats(0, 1), st.floats(0.05, 20))
def test_ways_to_explore_are_distributions(Q, epsilon, temperature):
    for p in (epsilon_greedy(Q, epsilon), softmax_policy(Q, temperature)):
        assert p.sum() == pytest.approx(1)
        assert (p >= 0).all()
    assert_allclose(softmax_policy(Q + 3, temperature), softmax_policy(Q, temperature), atol=1e-9)
    assert epsilon_greedy(Q, epsilon)[Q.argmax()] == pytest.approx(1 - epsilon + epsilon / len(Q))


@pytest.mark.equation("temporal-difference-step")
@given(rows, st.floats(0, 1), st.floats(-9, 9), st.floats(0, 1))
def test_targets(Q, epsilon, reward, gamma):
    p = epsilon_greedy(Q, epsilon)
    expected = expected_sarsa_target(reward, Q, p, gamma)
    each = [sarsa_target(reward, Q, a, gamma) for a in range(len(Q))]
    assert expected == pytest.approx(p @ each, abs=1e-9)
    assert q_learning_target(reward, Q, gamma) == pytest.approx(max(each))
    assert expected <= max(each) + 1e-9
    assert moved(Q[0], each[0], 1.0) == pytest.approx(each[0], abs=1e-9)
    assert moved(0.0, 4.0, 0.25) == 1


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.floats(0.05, 1.0), st.floats(0, 0.95), st.floats(0, 1))
def test_values_stay_between_what_can_be_earned(seed, alpha, gamma, epsilon):
    """Rewards between -1 and 1, so no value exceeds 1 / (1 - gamma)."""
    for learn in CONTROL:
        Q = learn(room(max_steps=40), 5, alpha, gamma, epsilon, seed).Q
        assert np.abs(Q).max() <= 1.04 / (1 - gamma) + 1e-9
    double = [learn(room(), 5, alpha, gamma, max(epsilon, 0.1), seed) for learn in CONTROL]
    for found in double:
        assert_allclose(found.Q[[4, 9, 6, 13]], 0)  # ends and walls


@given(st.integers(0, 10**6))
def test_scaled_rewards_scale_what_is_learned(seed):
    one, two = (
        GridWorld((3, 3), (2, 0), {(0, 2): 1.0 * k}, [(1, 1)], -0.125 * k, slip=0.2, max_steps=30) for k in (1, 4)
    )
    for learn in CONTROL:
        assert_array_equal(4 * learn(one, 6, 0.5, 0.5, 0.3, seed).Q, learn(two, 6, 0.5, 0.5, 0.3, seed).Q)


def test_regret_never_falls():
    regret = play_bandit([0.1, 0.9], explore_by_softmax(0.2), 50, 7, 3)
    assert regret.shape == (7, 50)
    assert all((b >= a).all() for a, b in pairwise(regret.T))


# ---------------------------------------------------------------- bad input

WORLD = room()


@pytest.mark.parametrize("learn", CONTROL)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_episodes": 0}, "n_episodes must be at least 1, got 0"),
        ({"alpha": 0}, r"alpha must lie in \(0, 1\], got 0"),
        ({"alpha": 1.5}, r"alpha must lie in \(0, 1\], got 1.5"),
        ({"alpha": np.nan}, "alpha must be finite"),
        ({"gamma": 1.01}, r"gamma must lie in \[0, 1\], got 1.01"),
        ({"gamma": -0.1}, r"gamma must lie in \[0, 1\]"),
        ({"epsilon": 1.2}, r"epsilon must lie in \[0, 1\], got 1.2"),
        ({"epsilon": -1}, "epsilon must be finite and at least 0"),
        ({"random_state": -1}, "random_state must be a non-negative integer"),
    ],
)
def test_settings_out_of_range(learn, change, message):
    given = {"n_episodes": 1, "alpha": 0.5, "gamma": 0.9, "epsilon": 0.1, "random_state": 0} | change
    with pytest.raises(ValueError, match=message):
        learn(WORLD, **given)


@pytest.mark.parametrize("learn", CONTROL)
@pytest.mark.parametrize("name", ["n_episodes", "alpha", "gamma", "epsilon", "random_state"])
def test_settings_of_another_type(learn, name):
    given = {"n_episodes": 1, "alpha": 0.5, "gamma": 0.9, "epsilon": 0.1, "random_state": 0} | {name: "1"}
    with pytest.raises(TypeError, match=f"{name} must be"):
        learn(WORLD, **given)
    if name != "random_state":
        with pytest.raises(TypeError, match=f"{name} must be"):
            learn(WORLD, **given | {name: True})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (np.zeros(7, int), r"policy must hold the number of an action for each of the 20 states"),
        (np.full(20, 4), "numbers of actions from 0 to 3, got 4 in state 0"),
        (np.full((20, 4), 0.3), "row 0 of policy must be non-negative and sum to 1"),
        (np.zeros(20), "policy must hold integers"),
    ],
)
def test_policies_that_do_not_fit(policy, message):
    with pytest.raises(ValueError, match=message):
        td_zero(WORLD, policy, 1, 0.5, 0.9)


def test_other_bad_input_of_td_and_reinforce():
    with pytest.raises(ValueError, match="alpha must lie"):
        td_zero(WORLD, np.zeros(20, int), 1, 2, 0.9)
    with pytest.raises(ValueError, match="alpha must lie"):
        reinforce(WORLD, 1, 2, 0.9)
    with pytest.raises(ValueError, match="gamma must lie"):
        reinforce(WORLD, 1, 0.5, 2)
    with pytest.raises(ValueError, match="n_episodes must be at least 1"):
        reinforce(WORLD, 0, 0.5, 0.5)


class Without:
    n_states = n_actions = 2

    def reset(self):
        return 0, {}


def test_no_environment():
    with pytest.raises(TypeError, match=r"env must be an environment with reset.* without step: GridWorld shows"):
        q_learning(Without(), 1, 0.5, 0.9, 0.1)
    world = Told([[(0.0, 0, True, False)]])
    world.n_states = 0
    with pytest.raises(ValueError, match="n_states must be at least 1"):
        q_learning(world, 1, 0.5, 0.9, 0.1)


@pytest.mark.parametrize("learn", CONTROL)
def test_environments_that_say_what_cannot_be(learn):
    for state in (3, -1, 1.0, None):
        with pytest.raises(ValueError, match="env must return states that are integers from 0 to 0, got"):
            learn(Told([[(0.0, state, True, False)]]), 1, 0.5, 0.9, 0.1)
    for reward in (np.nan, np.inf):
        with pytest.raises(ValueError, match="env must pay finite rewards, got NaN or infinity"):
            learn(Told([[(reward, 0, True, False)]]), 1, 0.5, 0.9, 0.1)


def test_episodes_that_do_not_end(monkeypatch):
    import notes_lib.reinforcement.temporal_difference.gradients as gradients
    import notes_lib.reinforcement.temporal_difference.lookup as lookup
    import notes_lib.reinforcement.temporal_difference.walking as walking

    for module in (gradients, lookup, walking):
        monkeypatch.setattr(module, "LONGEST", 5000)
    endless = "an episode has not ended after 5000 steps: let every policy reach an end"
    stuck = GridWorld((1, 3), (0, 0), {(0, 2): 1.0})  # greedy from 0, the first action is up, against the edge
    for learn in CONTROL:
        with pytest.raises(RuntimeError, match=endless):
            learn(stuck, 1, 0.5, 0.9, 0.0, 0)
    with pytest.raises(RuntimeError, match=endless):
        td_zero(stuck, [0, 0, 0], 1, 0.5, 1.0)
    with pytest.raises(RuntimeError, match=endless):
        reinforce(Told([[(0.0, 0, False, False)]]), 1, 0.5, 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shape": (2, 2, 2)}, r"shape must be \(rows, columns\)"),
        ({"shape": (0, 3)}, "shape must be at least 1"),
        ({"start": (2, 0)}, r"start must hold cells \(row, column\) of a 2 x 3 grid, got \(2, 0\)"),
        ({"start": 3}, r"start must hold cells \(row, column\), got 3"),
        ({"start": (-1, 0)}, "start must be at least 0"),
        ({"start": (0, 2)}, "start must not be one of the terminals"),
        ({"start": (1, 1)}, r"start must not be a wall, \(1, 1\) is one"),
        ({"terminals": {(0, 3): 1.0}}, "terminals must hold cells"),
        ({"terminals": {(0, 2): np.nan}}, "terminals must be finite"),
        ({"terminals": {(1, 1): 1.0}}, r"terminals must not be walls, \(1, 1\) is both"),
        ({"terminals": {}}, "terminals must hold a cell that can be reached from wherever start leads"),
        ({"walls": [(0, 1), (1, 1)]}, "an episode never ends: open a way to one, or give max_steps"),
        ({"walls": [(5, 1)]}, "walls must hold cells"),
        ({"step_reward": np.inf}, "step_reward must be finite"),
        ({"slip": 1.1}, r"slip must lie in \[0, 1\], got 1.1"),
        ({"max_steps": 0}, "max_steps must be at least 1"),
    ],
)
def test_grids_that_cannot_be(change, message):
    given = {"shape": (2, 3), "start": (0, 0), "terminals": {(0, 2): 1.0}, "walls": [(1, 1)]} | change
    with pytest.raises(ValueError, match=message):
        GridWorld(**given)


def test_types_of_a_grid():
    with pytest.raises(TypeError, match="shape must be an integer"):
        GridWorld((2.0, 3), (0, 0), {(0, 2): 1.0})
    with pytest.raises(TypeError, match="start must be an integer"):
        GridWorld((2, 3), (0.0, 0), {(0, 2): 1.0})
    with pytest.raises(TypeError, match="step_reward must be"):
        GridWorld((2, 3), (0, 0), {(0, 2): 1.0}, step_reward="1")
    with pytest.raises(ValueError, match=r"slip must lie in \[0, 1\]"):
        CliffWalking(slip=2)


def test_actions_that_are_none():
    env = room()
    env.reset()
    for action in (4, -1, 0.5):
        with pytest.raises((ValueError, TypeError), match="action must"):
            env.step(action)
    with pytest.raises(RuntimeError, match="call reset first"):
        room().step(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: td_errors([1.0], [1.0], 0.5), "values must hold one number more than rewards"),
        (lambda: td_errors([], [1.0], 0.5), "values must hold one number more than rewards"),
        (lambda: td_errors([np.nan], [1.0, 0.0], 0.5), "rewards must be finite"),
        (lambda: n_step_returns([1.0], [1.0, 0.0], 0.5, 0), "n must be at least 1"),
        (lambda: n_step_returns([1.0], [1.0, 0.0], 1.5, 1), "gamma must lie"),
        (lambda: lambda_returns([1.0], [1.0, 0.0], 0.5, 1.5), r"lam must lie in \[0, 1\], got 1.5"),
        (lambda: moved(0.0, 1.0, 0.0), "alpha must lie"),
        (lambda: moved(0.0, np.nan, 0.5), "target must be finite"),
        (lambda: sarsa_target(0.0, [1.0], 1, 0.5), "action must"),
        (lambda: q_learning_target(np.inf, [1.0], 0.5), "reward must be finite"),
        (lambda: expected_sarsa_target(0.0, [1.0, 2.0], [1.0], 0.5), "probabilities must have shape"),
        (lambda: epsilon_greedy(3.0, 0.5), "values must hold a number for each action"),
        (lambda: epsilon_greedy([], 0.5), "values must hold a number for each action"),
        (lambda: epsilon_greedy([1.0], 1.5), "epsilon must lie"),
        (lambda: softmax_policy([1.0], 0.0), "temperature must be"),
        (lambda: softmax_policy([np.nan], 1.0), "values must be finite"),
        (lambda: ucb_index([0.5], [1.0, 2.0], 3), "counts must have shape"),
        (lambda: ucb_index([0.5], [-1.0], 3), "counts must not be negative, got -1"),
        (lambda: ucb_index([0.5], [1.0], 0), "t must be at least 1"),
        (lambda: td_system([[1.0]], [[1.0, 0.0]], [0.0], [1.0], 0.9), "transitions must have shape"),
        (lambda: td_system([[1.0]], [[1.0]], [0.0], [1.0, 2.0], 0.9), "weights must"),
        (lambda: softmax_score([0.0], 2), "action must"),
        (lambda: play_bandit([0.5, 1.5], explore_by_ucb(), 5), "success must hold at least one probability"),
        (lambda: play_bandit([], explore_by_ucb(), 5), "success must hold at least one probability"),
        (lambda: play_bandit([0.5], explore_by_ucb(), 0), "n_steps must be at least 1"),
    ],
)
def test_bad_input_of_the_steps(call, message):
    with pytest.raises(ValueError, match=message):
        call()
