"""Solving a process: evaluation, policy iteration and its modified form, value iteration, finite horizon."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_integer, check_real, check_vector
from notes_lib.reinforcement.mdp import checks, endings
from notes_lib.reinforcement.mdp.model import MDP
from notes_lib.reinforcement.mdp.steps import (
    action_values,
    backed_up,
    best_actions,
    error_bound,
    improved_policy,
    policy_chain,
)


class Plan(NamedTuple):
    """``V`` (S,) and ``policy`` (S,); ``n_iter`` sweeps or rounds; ``residuals`` (n_iter,), how far V was from solving
    :eq:`mdp-optimality` in each: the largest difference between V and its backup.
    """

    V: FloatArray
    policy: IntArray
    n_iter: int
    residuals: FloatArray


class TimedPlan(NamedTuple):
    """``V`` (T + 1, S) and ``policy`` (T, S), by the number of the step; ``V[T]`` is what the last states are worth."""

    V: FloatArray
    policy: IntArray


def policy_evaluation(mdp: MDP, policy: ArrayLike) -> FloatArray:
    """Value (S,) of a policy, from the linear system of Bellman's equation; :eq:`mdp-linear-system`.

    Parameters
    ----------
    mdp : MDP
    policy : (S,) array of int, or (S, A) array
        The number of an action for each state, or a distribution over the actions.

    Returns
    -------
    (S,) array
        The expected return from each state.

    Raises
    ------
    ValueError
        If ``policy`` has another length, a number that no action has, or a row that is no distribution; if ``gamma`` is
        1 and the policy does not reach an end, so that the value does not exist.

    Notes
    -----
    O(S^3) time, O(S^2) memory. With ``gamma`` = 1 the states that the policy stays in without reward have the value 0,
    and the system is solved for the others.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.9)
    >>> policy_evaluation(mdp, [0, 0]).round(10)
    array([10.,  0.])
    """
    chain = policy_chain(mdp, policy)
    on = np.ones(mdp.n_states, dtype=bool) if mdp.gamma < 1 else endings.goes_on(chain)
    V = np.zeros(mdp.n_states)
    P = chain.transitions[np.ix_(on, on)]
    V[on] = np.linalg.solve(np.eye(len(P)) - mdp.gamma * P, chain.rewards[on])  # mdp-linear-system
    return V


def policy_iteration(mdp: MDP, policy: ArrayLike | None = None, max_iter: int = 1000) -> Plan:
    """Best value and policy: evaluate, improve, until nothing changes; :eq:`mdp-linear-system`, :eq:`mdp-greedy`.

    Parameters
    ----------
    mdp : MDP
    policy : (S,) array of int, optional
        Where to start: action 0 everywhere by default, and with ``gamma`` = 1 some policy that reaches an end.
    max_iter : int
        Largest number of rounds.

    Returns
    -------
    Plan
        V is the value of the policy.

    Raises
    ------
    ValueError
        If ``policy`` does not hold the number of an action for each state, or ``max_iter`` is less than 1; if ``gamma``
        is 1 and from some state no end can be reached, or a policy that goes round and round is paid for it.
    TypeError
        If ``max_iter`` is no integer.

    Warns
    -----
    ConvergenceWarning
        If the policy still changes after ``max_iter`` rounds.

    Notes
    -----
    O(S^3 + S^2 A) time a round; it ends after finitely many, in practice a few. Source: Howard (1960).

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.9)
    >>> plan = policy_iteration(mdp, [1, 0])
    >>> plan.policy, plan.V.round(10), plan.n_iter
    (array([0, 0]), array([10.,  0.]), 2)
    """
    check_integer(max_iter, "max_iter")
    to_end = endings.policy_to_end(mdp) if mdp.gamma == 1 else np.zeros(mdp.n_states, dtype=np.intp)
    new = checks.check_actions(to_end if policy is None else policy, mdp.n_states, mdp.n_actions)
    residuals = []
    for _ in range(max_iter):
        old, V = new, policy_evaluation(mdp, new)
        new = improved_policy(mdp, old, V)
        residuals.append(_residual(mdp, V))
        if np.array_equal(new, old):
            break
    else:
        _warn(f"policy_iteration still improves after {max_iter} rounds: raise max_iter.")
    return Plan(V, old, len(residuals), np.array(residuals))


def _residual(mdp: MDP, V: FloatArray) -> float:
    return float(np.abs(backed_up(mdp, V).max(axis=0) - V).max())


def value_iteration(mdp: MDP, tol: float = 1e-8, max_iter: int = 100_000) -> Plan:
    """Best value and policy by sweeps of the optimality backup from 0; :eq:`mdp-optimality-backup`.

    Parameters
    ----------
    mdp : MDP
    tol : float
        V is at most so far from the best value, by :eq:`mdp-stopping`. With ``gamma`` = 1, where no such bound exists,
        the largest change of the last sweep.
    max_iter : int
        Largest number of sweeps.

    Returns
    -------
    Plan
        V after the last sweep, and the policy that is greedy for it.

    Raises
    ------
    ValueError
        If ``tol`` is negative or ``max_iter`` less than 1; if ``gamma`` is 1 and from some state no end can be reached,
        or the best is never to reach one.
    TypeError
        If ``tol`` is no number or ``max_iter`` no integer.

    Warns
    -----
    ConvergenceWarning
        If the sweeps stop before ``tol`` is reached.

    Notes
    -----
    One product a sweep, O(S^2 A) time or O(number of possible transitions). All states are computed from the old V:
    after k sweeps V is the best value with k steps left. Source: Bellman (1957).

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.9)
    >>> plan = value_iteration(mdp)
    >>> plan.V.round(6), plan.policy
    (array([10.,  0.]), array([0, 0]))
    """
    return modified_policy_iteration(mdp, 1, tol, max_iter)


def modified_policy_iteration(mdp: MDP, n_sweeps: int = 10, tol: float = 1e-8, max_iter: int = 100_000) -> Plan:
    """Best value and policy: improve, then evaluate by a few sweeps only, from 0; :eq:`mdp-modified`.

    Parameters
    ----------
    mdp : MDP
    n_sweeps : int
        Sweeps a round, the improvement included: 1 is value iteration, very many are policy iteration.
    tol : float
        V is at most so far from the best value, by :eq:`mdp-stopping`. With ``gamma`` = 1, where no such bound
        exists, the largest change of the last improvement.
    max_iter : int
        Largest number of rounds.

    Returns
    -------
    Plan
        V after the last improvement, and the policy that is greedy for it.

    Raises
    ------
    ValueError
        If ``n_sweeps`` or ``max_iter`` is less than 1, or ``tol`` is negative; if ``gamma`` is 1 and from some state no
        end can be reached, or the best is never to reach one.
    TypeError
        If ``n_sweeps`` or ``max_iter`` is no integer, or ``tol`` no number.

    Warns
    -----
    ConvergenceWarning
        If the rounds stop before ``tol`` is reached.

    Notes
    -----
    A round costs one improvement, O(S^2 A), and n_sweeps - 1 sweeps of O(S^2). Source: Puterman (1994), section 6.5.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.9)
    >>> modified_policy_iteration(mdp, 20).V.round(6)
    array([10.,  0.])
    """
    check_integer(n_sweeps, "n_sweeps")
    check_integer(max_iter, "max_iter")
    check_real(tol, "tol")
    if mdp.gamma == 1:
        endings.policy_to_end(mdp)  # or an error
    V, Q, residuals, settled = np.zeros(mdp.n_states), mdp.expected_rewards.T, [], False
    for k in range(max_iter):
        if k and n_sweeps > 1:
            V = _more_sweeps(mdp, Q.argmax(axis=0), V, n_sweeps - 1)
        Q = backed_up(mdp, V)  # (A, S)
        better = Q.max(axis=0)
        residuals.append(float(np.abs(better - V).max()))
        V = better
        settled = (residuals[-1] if mdp.gamma == 1 else error_bound(residuals[-1], mdp.gamma)) <= tol
        if settled:
            break
    else:
        _warn(f"V is not within tol = {tol:g} after {max_iter} rounds: raise max_iter or tol. {_of_loops(mdp)}")
    Q = action_values(mdp, V)
    if settled and mdp.gamma == 1:
        return Plan(V, endings.best_policy_to_end(mdp, Q), len(residuals), np.array(residuals))
    return Plan(V, best_actions(Q).argmax(axis=1), len(residuals), np.array(residuals))


def _more_sweeps(mdp: MDP, policy: IntArray, V: FloatArray, n: int) -> FloatArray:
    """The expectation backup of a policy, several times."""
    s = np.arange(mdp.n_states)
    P, r = mdp.successors[policy * mdp.n_states + s], mdp.expected_rewards[s, policy]
    for _ in range(n):
        V = r + mdp.gamma * (P @ V)  # mdp-expectation-backup
    return V


def _of_loops(mdp: MDP) -> str:
    return "With gamma = 1 a loop that pays has no finite value: lower gamma below 1." if mdp.gamma == 1 else ""


def _warn(message: str) -> None:
    warnings.warn(message.strip(), ConvergenceWarning, stacklevel=3)


def finite_horizon(mdp: MDP, n_steps: int, final: ArrayLike | None = None) -> TimedPlan:
    """Best values and policy if only so many steps are left, from the last one back; :eq:`mdp-finite`.

    Parameters
    ----------
    mdp : MDP
        Any ``gamma`` from 0 to 1: a finite sum always exists.
    n_steps : int
        Number T of steps.
    final : (S,) array, optional
        What the state after the last step is worth; 0 by default.

    Returns
    -------
    TimedPlan

    Raises
    ------
    ValueError
        If ``n_steps`` is less than 1, or ``final`` is not a vector of S finite numbers.
    TypeError
        If ``n_steps`` is no integer.

    Notes
    -----
    T products, O(T S^2 A) time, O(T S) memory.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 1.0)
    >>> plan = finite_horizon(mdp, 3)
    >>> plan.policy[:, 0], plan.V[:, 0]  # two more rewards of 1, then go and take 3
    (array([0, 0, 1]), array([5., 4., 3., 0.]))
    """
    T = check_integer(n_steps, "n_steps")
    V = np.zeros((T + 1, mdp.n_states))
    policy = np.zeros((T, mdp.n_states), dtype=np.intp)
    if final is not None:
        V[T] = check_vector(final, "final", mdp.n_states)
    for t in range(T - 1, -1, -1):
        Q = action_values(mdp, V[t + 1])
        V[t], policy[t] = Q.max(axis=1), best_actions(Q).argmax(axis=1)  # mdp-finite
    return TimedPlan(V, policy)
