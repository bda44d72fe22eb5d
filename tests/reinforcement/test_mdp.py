"""Decision processes against published values, enumeration, a linear programme, their own laws, and bad input."""

import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from notes_lib.reinforcement.mdp import (
    ACTIONS,
    MDP,
    action_values,
    discounted_returns,
    error_bound,
    expectation_backup,
    finite_horizon,
    greedy_policy,
    grid_mdp,
    improved_policy,
    modified_policy_iteration,
    optimality_backup,
    policy_chain,
    policy_evaluation,
    policy_iteration,
    value_iteration,
)


def drawn(seed, S=5, A=3, gamma=0.9, by_transition=False):
    """A process without structure."""
    rng = np.random.default_rng(seed)
    R = rng.normal(size=(S, A, S) if by_transition else (S, A))
    return MDP(rng.dirichlet(np.full(S, 0.4), size=(S, A)), R, gamma)


def moved(states, actions, step, reward, gamma):
    """A process without chance: ``step(s, a)`` is the next state, ``reward(s, a)`` what is paid."""
    P, R = np.zeros((states, actions, states)), np.zeros((states, actions))
    for s, a in np.ndindex(states, actions):
        P[s, a, step(s, a)], R[s, a] = 1, reward(s, a)
    return MDP(P, R, gamma)


def series(P, r, gamma, n=3000):
    """What a chain collects in n steps, step by step."""
    V, weights = np.zeros(len(r)), np.eye(len(r))
    for _ in range(n):
        V, weights = V + weights @ r, gamma * (weights @ P)
    return V


def enumerated(mdp):
    """The best of all policies in each state, each one valued by its series."""
    s = np.arange(mdp.n_states)
    policies = [np.array(p) for p in product(range(mdp.n_actions), repeat=mdp.n_states)]
    values = [series(mdp.transitions[s, p], mdp.expected_rewards[s, p], mdp.gamma, 400) for p in policies]
    return np.max(values, axis=0), policies[int(np.argmax(np.sum(values, axis=1)))]


def equiprobable(mdp):
    return np.full((mdp.n_states, mdp.n_actions), 1 / mdp.n_actions)


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("mdp-bellman", "mdp-linear-system", "mdp-expectation-backup")
def test_gridworld_of_sutton_and_barto_with_and_without_the_end():
    """Example 4.1: a 4 x 4 grid, -1 a step, two corners end; the book prints -1.7 for the exact -1.75."""
    mdp = grid_mdp((4, 4), {(0, 0): 0, (3, 3): 0}, step_reward=-1, gamma=1)
    by_chance = equiprobable(mdp)
    V = [[0, -14, -20, -22], [-14, -18, -20, -20], [-20, -20, -18, -14], [-22, -20, -14, 0]]
    assert_allclose(policy_evaluation(mdp, by_chance).reshape(4, 4), V, atol=1e-9)
    sweeps = {
        1: [[0, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, -1, 0]],
        2: [[0, -1.75, -2, -2], [-1.75, -2, -2, -2], [-2, -2, -2, -1.75], [-2, -2, -1.75, 0]],
        3: [[0, -2.4, -2.9, -3.0], [-2.4, -2.9, -3.0, -2.9], [-2.9, -3.0, -2.9, -2.4], [-3.0, -2.9, -2.4, 0]],
        10: [[0, -6.1, -8.4, -9.0], [-6.1, -7.7, -8.4, -8.4], [-8.4, -8.4, -7.7, -6.1], [-9.0, -8.4, -6.1, 0]],
    }
    V = np.zeros(16)
    for k in range(1, 11):
        V = expectation_backup(mdp, by_chance, V)
        if k in sweeps:
            assert_allclose(V.reshape(4, 4), sweeps[k], atol=0.0502)


@pytest.mark.equation("mdp-linear-system")
def test_gridworld_of_sutton_and_barto_with_two_special_cells():
    """Example 3.5: every action in A pays 10 and leads to A', in B 5; off the grid -1."""
    target = {1: (21, 10), 3: (13, 5)}

    def go(s, a):
        row, column = divmod(s, 5)
        i, j = np.add((row, column), [(-1, 0), (0, 1), (1, 0), (0, -1)][a])
        return (i * 5 + j, 0) if 0 <= i < 5 and 0 <= j < 5 else (s, -1)

    mdp = moved(25, 4, lambda s, a: target.get(s, go(s, a))[0], lambda s, a: target.get(s, go(s, a))[1], 0.9)
    V = [
        [3.3, 8.8, 4.4, 5.3, 1.5], [1.5, 3.0, 2.3, 1.9, 0.5], [0.1, 0.7, 0.7, 0.4, -0.4],
        [-1.0, -0.4, -0.4, -0.6, -1.2], [-1.9, -1.3, -1.2, -1.4, -2.0],
    ]  # fmt: skip
    assert_allclose(policy_evaluation(mdp, equiprobable(mdp)).reshape(5, 5), V, atol=0.051)
    best = value_iteration(mdp).V.reshape(5, 5)  # figure 3.5
    assert_allclose(best[:2], [[22.0, 24.4, 22.0, 19.4, 17.5], [19.8, 22.0, 19.8, 17.8, 16.0]], atol=0.051)


@pytest.mark.equation("mdp-optimality")
@pytest.mark.parametrize("solve", [policy_iteration, value_iteration, modified_policy_iteration])
def test_grid_of_russell_and_norvig(solve):
    """Artificial Intelligence, 3rd edition, figure 17.3: -0.04 a step, slips of 0.1 to each side, ends of 1 and -1."""
    mdp = grid_mdp((3, 4), {(0, 3): 1, (1, 3): -1}, [(1, 1)], step_reward=-0.04, slip=0.2, gamma=1)
    plan = solve(mdp)
    V = [[0.812, 0.868, 0.918, 0], [0.762, 0, 0.660, 0], [0.705, 0.655, 0.611, 0.388]]
    assert_allclose(plan.V.reshape(3, 4), V, atol=5.1e-4)
    assert [[ACTIONS[a] for a in row] for row in plan.policy.reshape(3, 4)[[0, 2]]] == [
        ["right", "right", "right", "up"], ["up", "left", "left", "left"],
    ]  # fmt: skip
    assert plan.policy.reshape(3, 4)[1, [0, 2]].tolist() == [0, 0]


def test_cliff_and_windy_grid_of_sutton_and_barto():
    """Examples 6.5 and 6.6: the best way along the cliff costs 13 steps, the one against the wind 15."""

    def walk(s, a, shape, wind=None):
        row, column = divmod(s, shape[1])
        up = wind[column] if wind else 0
        i, j = np.add((row, column), [(-1 - up, 0), (-up, 1), (1 - up, 0), (-up, -1)][a])
        return int(np.clip(i, 0, shape[0] - 1) * shape[1] + np.clip(j, 0, shape[1] - 1))

    def cliff(s, a):
        if s == 47:
            return s, 0
        t = walk(s, a, (4, 12))
        return (36, -100) if 37 <= t <= 46 else (t, -1)

    mdp = moved(48, 4, lambda s, a: cliff(s, a)[0], lambda s, a: cliff(s, a)[1], 1.0)
    assert value_iteration(mdp).V[36] == policy_iteration(mdp).V[36] == -13
    wind = [0, 0, 0, 1, 1, 1, 2, 2, 1, 0]
    windy = moved(
        70, 4, lambda s, a: s if s == 37 else walk(s, a, (7, 10), wind), lambda s, a: 0.0 if s == 37 else -1.0, 1.0
    )
    assert value_iteration(windy).V[30] == -15


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("mdp-return", "mdp-return-recursion")
@pytest.mark.parametrize("gamma", [0, 0.3, 1])
def test_returns_are_sums(gamma):
    R = np.random.default_rng(1).normal(size=7)
    by_sum = [sum(gamma**k * R[t + k] for k in range(7 - t)) for t in range(7)]
    assert_allclose(discounted_returns(R, gamma), by_sum)
    assert_array_equal(R, np.random.default_rng(1).normal(size=7))  # left alone


@pytest.mark.equation("mdp-policy-chain", "mdp-expected-reward")
@pytest.mark.parametrize("by_transition", [False, True])
def test_policy_is_a_chain(by_transition):
    mdp = drawn(2, by_transition=by_transition)
    policy = np.random.default_rng(3).dirichlet(np.ones(3), size=5)
    P, r = policy_chain(mdp, policy)
    for s in range(5):
        for t in range(5):
            assert P[s, t] == pytest.approx(sum(policy[s, a] * mdp.transitions[s, a, t] for a in range(3)))
        paid = (
            sum(mdp.transitions[s, a, t] * mdp.rewards[s, a, t] for t in range(5)) if by_transition
            else mdp.rewards[s, a] for a in range(3)
        )  # fmt: skip
        assert r[s] == pytest.approx(sum(policy[s, a] * x for a, x in enumerate(paid)))
    numbers = np.array([0, 2, 1, 1, 0])
    for one, other in zip(policy_chain(mdp, numbers), policy_chain(mdp, np.eye(3)[numbers]), strict=True):
        assert_allclose(one, other)


@pytest.mark.equation("mdp-value", "mdp-linear-system")
@pytest.mark.parametrize("seed", range(4))
def test_value_is_the_series_of_what_the_chain_collects(seed):
    mdp = drawn(seed, gamma=0.95)
    policy = np.random.default_rng(seed).dirichlet(np.ones(3), size=5)
    chain = policy_chain(mdp, policy)
    V = policy_evaluation(mdp, policy)
    assert_allclose(V, series(*chain, 0.95))
    assert_allclose(expectation_backup(mdp, policy, V), V)
    assert not np.allclose(V, series(*chain, 0.94))


def test_value_is_the_mean_of_simulated_returns():
    mdp, policy, rng = drawn(7, gamma=0.6), np.array([0, 1, 2, 0, 1]), np.random.default_rng(0)
    state, weight, G = np.full(20_000, 3), 1.0, np.zeros(20_000)
    for _ in range(40):
        a = policy[state]
        G, weight = G + weight * mdp.rewards[state, a], weight * 0.6
        state = (rng.random(20_000)[:, None] > mdp.transitions[state, a].cumsum(axis=1)).sum(axis=1)
    error = G.std() / np.sqrt(20_000)
    assert abs(G.mean() - policy_evaluation(mdp, policy)[3]) < 4 * error < 0.05


@pytest.mark.equation("mdp-optimality", "mdp-optimality-backup", "mdp-modified")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by_transition", [False, True])
def test_best_value_is_that_of_the_best_of_all_policies(seed, by_transition):
    mdp = drawn(seed, S=4, A=3, gamma=0.8, by_transition=by_transition)
    V, policy = enumerated(mdp)
    for plan in (
        value_iteration(mdp, tol=1e-12), policy_iteration(mdp), modified_policy_iteration(mdp, 4, tol=1e-12),
    ):  # fmt: skip
        assert_allclose(plan.V, V, atol=1e-10)
        assert_array_equal(plan.policy, policy)
        assert plan.n_iter == len(plan.residuals)


@pytest.mark.parametrize("gamma", [0.5, 0.99])
def test_best_value_solves_the_linear_programme(gamma):
    mdp = drawn(11, S=12, A=4, gamma=gamma)
    rows = np.repeat(np.eye(12), 4, axis=0) - gamma * mdp.transitions.reshape(48, 12)
    found = linprog(np.ones(12), A_ub=-rows, b_ub=-mdp.rewards.ravel(), bounds=(None, None), method="highs")
    assert_allclose(value_iteration(mdp).V, found.x, atol=1e-6)
    assert_allclose(policy_iteration(mdp).V, found.x, atol=1e-6)


def plain_value_iteration(mdp, n):
    """Bellman's sweeps, number by number."""
    V = [0.0] * mdp.n_states
    for _ in range(n):
        V = [
            max(
                mdp.expected_rewards[s, a] + mdp.gamma * sum(mdp.transitions[s, a, t] * V[t] for t in range(len(V)))
                for a in range(mdp.n_actions)
            )
            for s in range(mdp.n_states)
        ]
    return V


@pytest.mark.parametrize("mdp", [drawn(5), grid_mdp((3, 5), {(0, 4): 1, (1, 4): -2}, [(1, 1)], -0.1, 0.3, 0.95)])
@pytest.mark.parametrize("n", [1, 2, 9])
def test_sweeps_start_at_zero_and_are_synchronous(mdp, n):
    """The sparse and the dense form, and the plain loop, are the same sweeps."""
    with pytest.warns(ConvergenceWarning, match="raise max_iter or tol"):
        plan = value_iteration(mdp, tol=0, max_iter=n)
    assert_allclose(plan.V, plain_value_iteration(mdp, n), atol=1e-12)
    assert_allclose(finite_horizon(mdp, n).V[0], plan.V, atol=1e-12)
    assert plan.n_iter == n


def test_modified_policy_iteration_sweeps_as_often_as_it_says():
    mdp, V = drawn(6), np.zeros(5)
    with pytest.warns(ConvergenceWarning):
        plan = modified_policy_iteration(mdp, 3, tol=0, max_iter=2)
    greedy = greedy_policy(mdp, V)
    for _ in range(3):
        V = expectation_backup(mdp, greedy, V)
    assert_allclose(plan.V, optimality_backup(mdp, V))
    assert_allclose(plan.residuals[1], np.abs(plan.V - V).max())


@pytest.mark.equation("mdp-finite")
def test_finite_horizon_by_enumeration():
    mdp = drawn(8, S=3, A=2, gamma=0.7)

    def best(s, left):
        if not left:
            return [1.0, -2.0, 0.5][s]
        after = [best(t, left - 1) for t in range(3)]
        return max(mdp.rewards[s, a] + 0.7 * mdp.transitions[s, a] @ after for a in range(2))

    plan = finite_horizon(mdp, 4, final=[1.0, -2.0, 0.5])
    assert_allclose(plan.V, [[best(s, 4 - t) for s in range(3)] for t in range(5)])
    for t in range(4):
        assert_array_equal(plan.policy[t], action_values(mdp, plan.V[t + 1]).argmax(axis=1))


@pytest.mark.equation("mdp-transition")
def test_the_grid_by_hand():
    mdp = grid_mdp((2, 3), {(0, 2): 5.0}, [(1, 1)], step_reward=-1, slip=0.2, gamma=0.5)
    P, R = mdp.transitions, mdp.rewards
    assert_allclose(P[1, 1], [0, 0.2, 0.8, 0, 0, 0])  # right: up the edge and down the wall, both stay
    assert_allclose(P[0, 2], [0.1, 0.1, 0, 0.8, 0, 0])  # down: right, or left at the edge
    assert_allclose(P[2], np.tile(np.eye(6)[2], (4, 1)))
    assert_allclose(R[1, 1, [1, 2]], [-1, 4])
    assert_array_equal(R[[2, 4]], 0)
    assert mdp.expected_rewards[1, 1] == pytest.approx(-1 + 0.8 * 5)
    assert ACTIONS == ("up", "right", "down", "left")


# ---------------------------------------------------------------- laws

processes = st.builds(
    drawn, seed=st.integers(0, 10**6), S=st.integers(1, 6), A=st.integers(1, 4), gamma=st.floats(0, 0.95),
    by_transition=st.booleans(),
)  # fmt: skip


@pytest.mark.equation("mdp-contraction")
@given(processes, st.integers(0, 10**6))
def test_backups_are_contractions_keep_order_and_shift(mdp, seed):
    rng = np.random.default_rng(seed)
    V, W = rng.normal(scale=10, size=(2, mdp.n_states))
    policy = rng.integers(mdp.n_actions, size=mdp.n_states)
    for backup in (lambda v: optimality_backup(mdp, v), lambda v: expectation_backup(mdp, policy, v)):
        far = np.abs(V - W).max()
        assert np.abs(backup(V) - backup(W)).max() <= mdp.gamma * far + 1e-9
        assert (backup(np.maximum(V, W)) >= backup(V) - 1e-9).all()
        assert_allclose(backup(V + 3), backup(V) + 3 * mdp.gamma, atol=1e-9)


@pytest.mark.equation("mdp-improvement")
@given(processes, st.integers(0, 10**6))
def test_improvement_never_makes_a_state_worse(mdp, seed):
    policy = np.random.default_rng(seed).integers(mdp.n_actions, size=mdp.n_states)
    V = policy_evaluation(mdp, policy)
    new = improved_policy(mdp, policy, V)
    better = policy_evaluation(mdp, new)
    assert (better >= V - 1e-9).all()
    best = policy_iteration(mdp)
    assert (best.V - better >= -1e-9).all()
    assert np.array_equal(new, policy) == (np.abs(optimality_backup(mdp, V) - V).max() <= 1e-9)
    assert best.residuals[-1] <= 1e-9


@pytest.mark.equation("mdp-stopping", "mdp-greedy-loss")
@pytest.mark.filterwarnings("ignore:V is not within tol")
@given(processes, st.integers(1, 15))
def test_bounds_of_an_early_stop_hold(mdp, n):
    plan, best = value_iteration(mdp, tol=0, max_iter=n), policy_iteration(mdp).V
    error = np.abs(plan.V - best).max()
    assert error <= error_bound(plan.residuals[-1], mdp.gamma) + 1e-9
    lost = np.abs(policy_evaluation(mdp, plan.policy) - best).max()
    assert lost <= (2 * mdp.gamma * error / (1 - mdp.gamma)) + 1e-9


def test_the_bound_of_an_early_stop_is_reached():
    """One state that pays 1: V is 1 / (1 - gamma), and half of the bound would be wrong."""
    mdp = MDP([[[1.0]]], [[1.0]], 0.9)
    with pytest.warns(ConvergenceWarning):
        plan = value_iteration(mdp, tol=0, max_iter=5)
    assert 10 - plan.V[0] == pytest.approx(error_bound(plan.residuals[-1], 0.9))
    settled = value_iteration(mdp, tol=1e-3)
    assert 9e-4 < 10 - settled.V[0] <= 1e-3
    assert error_bound(0.1, 1) == np.inf


@given(processes, st.integers(0, 10**6))
def test_laws_of_the_best_value(mdp, seed):
    best = policy_iteration(mdp)
    P, r, gamma = mdp.transitions, mdp.expected_rewards, mdp.gamma
    scaled = policy_iteration(MDP(P, 3 * r + 2, gamma))
    assert_allclose(scaled.V, 3 * best.V + 2 / (1 - gamma), rtol=1e-7, atol=1e-8)
    assert_allclose(policy_evaluation(mdp, scaled.policy), best.V, atol=1e-7)
    order = np.random.default_rng(seed).permutation(mdp.n_states)
    turned = policy_iteration(MDP(P[np.ix_(order, range(mdp.n_actions), order)], r[order], gamma))
    assert_allclose(turned.V, best.V[order], atol=1e-8)
    assert_allclose(value_iteration(mdp).V, best.V, atol=1e-7)
    assert_allclose(modified_policy_iteration(mdp, 7).V, best.V, atol=1e-7)


@given(processes)
def test_a_potential_leaves_the_best_actions_as_they_are(mdp):
    """Rewards + gamma F(t) - F(s), which a walk from s to t collects, shift every value by -F (Ng et al., 1999)."""
    F = np.linspace(-2, 3, mdp.n_states)
    shaped = MDP(
        mdp.transitions, mdp.expected_rewards[:, :, None] + mdp.gamma * F - F[:, None, None], mdp.gamma
    )  # fmt: skip
    assert_allclose(policy_iteration(shaped).V, policy_iteration(mdp).V - F, atol=1e-8)


def test_without_a_later_reward_only_the_next_one_counts():
    mdp = drawn(4, gamma=0)
    plan = value_iteration(mdp)
    assert_allclose(plan.V, mdp.rewards.max(axis=1))
    assert_array_equal(plan.policy, mdp.rewards.argmax(axis=1))


def test_equal_actions_the_first_one_is_taken_and_an_old_one_is_kept():
    mdp = MDP(np.ones((1, 3, 1)), [[1.0, 1 + 1e-15, 0.0]], 0.5)
    assert greedy_policy(mdp, [2.0]) == [0]
    assert improved_policy(mdp, [1], [2.0]) == [1]
    assert improved_policy(mdp, [2], [2.0]) == [0]


# ---------------------------------------------------------------- without discount


def corridor(gamma=1.0, step=-1.0, stay=0.0):
    """Four cells: action 0 stays, 1 goes right; the last cell is an end."""
    return moved(4, 2, lambda s, a: min(s + a, 3), lambda s, a: 0.0 if s == 3 else (stay, step)[a], gamma)


def test_an_absorbing_state_without_reward_is_worth_nothing_at_any_discount():
    for gamma in (0.0, 0.5, 1.0):
        mdp = corridor(gamma)
        V = [-(1 - gamma**k) / (1 - gamma) if gamma < 1 else -k for k in (3, 2, 1, 0)]
        assert_allclose(policy_evaluation(mdp, [1, 1, 1, 0]), V)
        assert_allclose(policy_evaluation(mdp, [1, 1, 1, 1]), V)


def test_limit_of_the_discounted_values():
    near_one, one = (grid_mdp((3, 4), {(0, 3): 1, (1, 3): -1}, [(1, 1)], -0.04, 0.2, g) for g in (1 - 1e-9, 1))
    assert_allclose(policy_iteration(near_one).V, policy_iteration(one).V, atol=1e-7)


def test_of_equally_good_actions_the_way_to_the_end_is_taken():
    mdp = moved(3, 2, lambda s, a: min(s + a, 2), lambda s, a: 1.0 if (s, a) == (1, 1) else 0.0, 1.0)
    for solve in (value_iteration, policy_iteration, modified_policy_iteration):
        plan = solve(mdp)
        assert_allclose(plan.V, [1, 1, 0])
        assert_array_equal(plan.policy[:2], [1, 1])  # staying is worth as much, and never earns it


def test_policies_that_never_end_are_refused():
    mdp = corridor(stay=-1.0)
    with pytest.raises(ValueError, match=r"gamma = 1 needs a policy that reaches an end.*state 1 again and again"):
        policy_evaluation(mdp, [1, 0, 1, 0])
    with pytest.raises(ValueError, match="gamma = 1 needs a policy"):
        policy_evaluation(corridor(stay=2.0), [[0.5, 0.5], [1, 0], [0, 1], [1, 0]])
    assert_allclose(policy_evaluation(corridor(), [1, 0, 1, 0]), [-1, 0, -1, 0])  # it stays without reward
    with pytest.raises(ValueError, match="gamma = 1 needs a policy"):
        policy_iteration(mdp, [1, 0, 1, 0])
    assert_allclose(policy_iteration(mdp).V, [-3, -2, -1, 0])


@pytest.mark.parametrize("solve", [policy_iteration, value_iteration, modified_policy_iteration])
def test_processes_without_an_end_are_refused_without_discount(solve):
    endless = moved(4, 2, lambda s, a: 0 if s == 0 else min(s + a, 3), lambda s, a: -(s != 3), 1.0)
    trap = moved(4, 2, lambda s, a: 1 if s < 2 else 3, lambda s, a: -(s < 3), 1.0)
    for mdp, s in ((drawn(1, gamma=1), 0), (trap, 0), (MDP(endless.transitions, endless.rewards - 1.0, 1), 0)):
        with pytest.raises(ValueError, match=rf"gamma = 1 needs an end.*from state {s} none can"):
            solve(mdp)
    assert solve(MDP(trap.transitions, trap.rewards, 0.9)).n_iter > 0


def test_free_and_paid_loops_without_discount():
    with pytest.raises(ValueError, match="gamma = 1, and from state 0 the best is never to reach an end: give each"):
        value_iteration(corridor())
    assert_allclose(policy_iteration(corridor()).V, [-3, -2, -1, 0])  # the best of the policies that end
    with pytest.warns(ConvergenceWarning, match="a loop that pays has no finite value"):
        plan = value_iteration(corridor(stay=0.5), max_iter=50)
    assert plan.V[0] == 25
    with pytest.raises(ValueError, match="gamma = 1 needs a policy"):
        policy_iteration(corridor(stay=0.5))
    assert_allclose(finite_horizon(corridor(stay=0.5), 50).V[0, 0], 25)


# ---------------------------------------------------------------- extremes, and what a model keeps


def test_a_long_corridor_and_a_far_sighted_walker():
    n = 2000
    mdp = moved(n, 2, lambda s, a: min(s + a, n - 1), lambda s, a: 1.0 if (s, a) == (n - 2, 1) else 0.0, 0.999)
    plan = value_iteration(mdp, tol=1e-9)
    assert_allclose(plan.V[:-1], 0.999 ** np.arange(n - 2, -1, -1), atol=1e-9)
    assert (plan.policy[:-1] == 1).all()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_rewards_of_any_size(scale):
    mdp = drawn(3)
    plan = policy_iteration(MDP(mdp.transitions, mdp.rewards * scale, 0.9))
    assert_array_equal(plan.policy, policy_iteration(mdp).policy)
    assert_allclose(plan.V / scale, policy_iteration(mdp).V)


def test_one_state_one_action_and_other_kinds_of_arrays():
    assert value_iteration(MDP([[[1]]], [[2]], 0)).V == [2]
    mdp = drawn(9)
    single = MDP(np.asfortranarray(mdp.transitions.astype(np.float32)), mdp.rewards.astype(np.float32), 0.9)
    assert_allclose(policy_iteration(single).V, policy_iteration(mdp).V, rtol=1e-4)
    sliced = MDP(np.repeat(mdp.transitions, 2, axis=1)[:, ::2], mdp.rewards, np.float64(0.9))
    assert_array_equal(policy_iteration(sliced).V, policy_iteration(mdp).V)


def test_a_process_keeps_what_it_was_given():
    P, R = np.array(drawn(1).transitions), np.array(drawn(1, by_transition=True).rewards)
    mdp = MDP(P, R, 0.9)
    before = policy_iteration(mdp).V
    P[:], R[:] = 0, 0
    assert_array_equal(policy_iteration(mdp).V, before)
    with pytest.raises(ValueError, match="read-only"):
        mdp.rewards[0] = 1
    for other in (clone(mdp), pickle.loads(pickle.dumps(mdp)), MDP(**mdp.get_params())):
        assert_array_equal(policy_iteration(other).V, before)
    assert mdp.get_params()["rewards"].shape == (5, 3, 5)
    assert repr(mdp) == "MDP(5 states, 3 actions, gamma=0.9)"
    shorter = mdp.set_params(gamma=0.5)
    assert shorter is mdp
    assert_allclose(policy_iteration(mdp).V, policy_iteration(MDP(mdp.transitions, mdp.rewards, 0.5)).V)
    mdp.set_params(rewards=np.zeros((5, 3)))
    assert_array_equal(value_iteration(mdp).V, 0)


def test_policy_iteration_stops_where_it_is_told():
    mdp = drawn(12, S=8, A=5)
    worst = policy_iteration(MDP(mdp.transitions, -mdp.rewards, 0.9)).policy
    with pytest.warns(ConvergenceWarning, match="policy_iteration still improves after 1 rounds: raise max_iter"):
        plan = policy_iteration(mdp, worst, max_iter=1)
    assert_array_equal(plan.policy, worst)
    assert_allclose(plan.V, policy_evaluation(mdp, worst))
    rounds = policy_iteration(mdp, worst)
    assert rounds.n_iter > 1
    assert rounds.residuals[0] == pytest.approx(plan.residuals[0])


# ---------------------------------------------------------------- bad input

P, R = np.array([[[0.5, 0.5], [1, 0]], [[0, 1], [0.2, 0.8]]]), np.array([[1.0, 0.0], [2.0, -1.0]])


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ((P, R, -0.1), ValueError, r"gamma must lie in \[0, 1\], got -0.1"),
        ((P, R, 1.1), ValueError, r"gamma must lie in \[0, 1\], got 1.1"),
        ((P, R, np.nan), ValueError, "gamma must be finite"),
        ((P, R, "0.9"), TypeError, "gamma must be a number"),
        ((P, R, None), TypeError, "gamma must be a number"),
        ((P * 0.9, R, 0.9), ValueError, "row 0, 0 of transitions must be non-negative and sum to 1"),
        ((np.add(P, [[[0.5, -0.5]]]), R, 0.9), ValueError, "row 0, 1 of transitions must be non-negative"),
        ((np.full((2, 2, 2), np.nan), R, 0.9), ValueError, "row 0, 0 of transitions"),
        ((P[0], R, 0.9), ValueError, r"transitions must have shape \(S, A, S\).*distribution of the next state"),
        ((np.zeros((0, 2, 0)), R, 0.9), ValueError, r"transitions must have shape \(S, A, S\)"),
        ((np.full((3, 2, 2), 0.5), R, 0.9), ValueError, r"np.moveaxis\(transitions, 0, 1\)"),
        ((P.astype(str), R, 0.9), TypeError, "transitions must hold numbers"),
        ((P, [1, 2], 0.9), ValueError, r"rewards must have shape \(2, 2\) or \(2, 2, 2\), got \(2,\).*np.repeat"),
        ((P, R[:1], 0.9), ValueError, r"rewards must have shape .*got \(1, 2\): one for each state and action"),
        ((P, [[np.inf, 0], [1, 2]], 0.9), ValueError, "rewards must be finite, got NaN or infinity: a state that ends"),
        ((P, R.astype(str), 0.9), TypeError, "rewards must hold real numbers"),
    ],
)
def test_bad_processes(arguments, error, match):
    with pytest.raises(error, match=match):
        MDP(*arguments)


@pytest.mark.parametrize("use", [policy_chain, policy_evaluation, policy_iteration,
                                 lambda mdp, p: expectation_backup(mdp, p, [0, 0]),
                                 lambda mdp, p: improved_policy(mdp, p, [0, 0])])  # fmt: skip
@pytest.mark.parametrize(
    ("policy", "match"),
    [
        ([0, 1, 0], r"policy must hold the number of an action for each of the 2 states, shape \(2,\).*got shape \(3,"),
        ([0], r"policy must hold the number.*got shape \(1,\)"),
        ([[0.5, 0.5]], r"probabilities \(2, 2\), got shape \(1, 2\)"),
        ([[0.5, 0.4], [1, 0]], "row 0 of policy must be non-negative and sum to 1"),
        ([0, 2], "policy must hold numbers of actions from 0 to 1, got 2 in state 1"),
        ([-1, 0], "got -1 in state 0"),
        ([0.0, 1.0], "policy must hold integers, numbers of actions, got dtype float64"),
    ],
)
def test_bad_policies(use, policy, match):
    with pytest.raises(ValueError, match=match):
        use(MDP(P, R, 0.9), policy)


def test_other_bad_arguments():
    mdp = MDP(P, R, 0.9)
    with pytest.raises(ValueError, match="policy must hold the number of an action for each state: start with one"):
        policy_iteration(mdp, np.full((2, 2), 0.5))
    for use in (action_values, greedy_policy, optimality_backup):
        with pytest.raises(ValueError, match=r"V must be a vector of shape \(2,\)"):
            use(mdp, [1, 2, 3])
    for use in (value_iteration, policy_iteration, modified_policy_iteration):
        with pytest.raises(ValueError, match="max_iter must be at least 1"):
            use(mdp, max_iter=0)
        with pytest.raises(TypeError, match="max_iter must be an integer"):
            use(mdp, max_iter=2.5)
    for use in (value_iteration, modified_policy_iteration):
        with pytest.raises(ValueError, match="tol must be finite and at least 0"):
            use(mdp, tol=-1)
        with pytest.raises(TypeError, match="tol must be a number"):
            use(mdp, tol="small")
    with pytest.raises(ValueError, match="n_sweeps must be at least 1"):
        modified_policy_iteration(mdp, 0)
    with pytest.raises(TypeError, match="n_sweeps must be an integer"):
        modified_policy_iteration(mdp, 1.0)
    with pytest.raises(ValueError, match="n_steps must be at least 1"):
        finite_horizon(mdp, 0)
    with pytest.raises(TypeError, match="n_steps must be an integer"):
        finite_horizon(mdp, 1.5)
    with pytest.raises(ValueError, match=r"final must be a vector of shape \(2,\)"):
        finite_horizon(mdp, 1, [0, 0, 0])
    with pytest.raises(ValueError, match="change must be finite and at least 0"):
        error_bound(-1, 0.9)
    with pytest.raises(TypeError, match="change must be a number"):
        error_bound("1", 0.9)
    with pytest.raises(ValueError, match=r"gamma must lie in \[0, 1\]"):
        error_bound(1, 2)
    with pytest.raises(ValueError, match="rewards must be a vector"):
        discounted_returns([], 0.9)
    with pytest.raises(ValueError, match=r"gamma must lie in \[0, 1\]"):
        discounted_returns([1], 2)
    with pytest.raises(TypeError, match="rewards must hold real numbers"):
        discounted_returns(["a"], 0.9)
    with pytest.raises(ValueError, match=r"params must be some of .*got \['discount'\]"):
        mdp.set_params(discount=0.5)
    with pytest.raises(ValueError, match="gamma"):
        mdp.set_params(gamma=2)
    assert mdp.gamma == 0.9


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        (((2,), {}), ValueError, r"shape must be \(rows, columns\), got \(2,\)"),
        ((3, {}), ValueError, r"shape must be \(rows, columns\), got 3"),
        (((0, 2), {}), ValueError, "shape must be at least 1"),
        (((2.0, 2), {}), TypeError, "shape must be an integer"),
        (((2, 2), {(2, 0): 1}), ValueError, r"terminals must hold cells .* of a 2 x 2 grid, got \(2, 0\)"),
        (((2, 2), {}, [(0, -1)]), ValueError, r"walls must hold cells .* got \(0, -1\)"),
        (((2, 2), {(0, 0): 1}, [(0, 0)]), ValueError, r"terminals must not be walls, \(0, 0\) is both"),
        (((2, 2), {(0, 0): np.nan}), ValueError, "terminals must be finite"),
        (((2, 2), {(0, 0): "1"}), TypeError, "terminals must be a number"),
        (((2, 2), {}, (), np.inf), ValueError, "step_reward must be finite"),
        (((2, 2), {}, (), 0, 1.5), ValueError, r"slip must lie in \[0, 1\], got 1.5"),
        (((2, 2), {}, (), 0, -0.5), ValueError, "slip must be finite and at least 0"),
        (((2, 2), {}, (), 0, 0, 3), ValueError, r"gamma must lie in \[0, 1\]"),
    ],
)
def test_bad_grids(arguments, error, match):
    with pytest.raises(error, match=match):
        grid_mdp(*arguments)
