"""Steps of the chapter *Temporal-difference learning*, in the order of its derivation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_indices,
    check_integer,
    check_matrix,
    check_number,
    check_positive,
    check_real,
    check_shape,
    check_vector,
)
from notes_lib.reinforcement.mdp.checks import check_gamma
from notes_lib.reinforcement.temporal_difference.checks import check_alpha, check_epsilon, check_path, check_row

# ---------------------------------------------------------------- values from experience


def moved(old: float, target: float, alpha: float) -> float:
    """An estimate after a step towards a target; :eq:`temporal-difference-step`.

    Raises
    ------
    ValueError
        If ``alpha`` does not lie in (0, 1], or a number is not finite.
    TypeError
        If one of them is no number.

    Examples
    --------
    >>> moved(2.0, 4.0, 0.25)
    2.5
    """
    old = check_number(old, "old")
    return old + check_alpha(alpha) * (check_number(target, "target") - old)


def td_errors(rewards: ArrayLike, values: ArrayLike, gamma: float) -> FloatArray:
    """Temporal-difference error (T,) of each step of a path; :eq:`temporal-difference-error`.

    Parameters
    ----------
    rewards : (T,) array
    values : (T + 1,) array
        What the states of the path are held to be worth, from the first to the last; an end has 0.
    gamma : float

    Raises
    ------
    ValueError
        If the lengths do not fit, a number is not finite, or ``gamma`` does not lie in [0, 1].

    Examples
    --------
    >>> td_errors([1, 2], [0, 4, 0], 0.5)
    array([ 3., -2.])
    """
    R, V = check_path(rewards, values)
    return R + check_gamma(gamma) * V[1:] - V[:-1]


def n_step_returns(rewards: ArrayLike, values: ArrayLike, gamma: float, n: int) -> FloatArray:
    """Return (T,) of n rewards and the value after them; where the path ends earlier, of all rewards.

    :eq:`temporal-difference-n-step`; arguments and errors as for :func:`td_errors`.

    Raises
    ------
    ValueError
        If ``n`` is less than 1.
    TypeError
        If ``n`` is no integer.

    Examples
    --------
    >>> n_step_returns([1, 2, 3], [9, 8, 6, 0], 0.5, 2)
    array([3.5, 3.5, 3. ])
    """
    R, V = check_path(rewards, values)
    gamma, n, T = check_gamma(gamma), check_integer(n, "n"), len(R)
    last = np.minimum(np.arange(T) + n, T)
    G = gamma ** (last - np.arange(T)) * V[last]
    for k in range(min(n, T)):
        G[: T - k] += gamma**k * R[k:]  # temporal-difference-n-step
    return G


def lambda_returns(rewards: ArrayLike, values: ArrayLike, gamma: float, lam: float) -> FloatArray:
    """Mean (T,) of the n-step returns with weights that fall like ``lam`` to the n; :eq:`temporal-difference-lambda`.

    Arguments and errors as for :func:`td_errors`.

    Raises
    ------
    ValueError
        If ``lam`` does not lie in [0, 1].

    Examples
    --------
    >>> lambda_returns([1, 2, 3], [9, 8, 6, 0], 0.5, 0.0)  # one step
    array([5., 5., 3.])
    """
    R, V = check_path(rewards, values)
    gamma, lam = check_gamma(gamma), check_real(lam, "lam")
    if lam > 1:
        raise ValueError(f"lam must lie in [0, 1], got {lam:g}: it is the weight of the longer returns.")
    G = np.empty(len(R))
    later = V[-1]
    for t in range(len(R) - 1, -1, -1):
        later = G[t] = R[t] + gamma * ((1 - lam) * V[t + 1] + lam * later)  # temporal-difference-lambda
    return G


# ---------------------------------------------------------------- targets for actions


def sarsa_target(reward: float, later: ArrayLike, action: int, gamma: float) -> float:
    """What SARSA aims at: the value of the action that is taken next; :eq:`temporal-difference-sarsa`.

    Parameters
    ----------
    reward : float
    later : (A,) array
        Action values of the next state; zeros at an end.
    action : int
        The action that is taken there.
    gamma : float

    Raises
    ------
    ValueError
        If a number is not finite, ``action`` is no action, or ``gamma`` does not lie in [0, 1].

    Examples
    --------
    >>> sarsa_target(-1, [2, 6], 0, 0.5)
    0.0
    """
    Q = check_vector(later, "later")
    a = int(check_indices([action], "action", len(Q))[0])
    return check_number(reward, "reward") + check_gamma(gamma) * float(Q[a])


def q_learning_target(reward: float, later: ArrayLike, gamma: float) -> float:
    """What Q-learning aims at: the value of the best action that could be taken next; :eq:`temporal-difference-q`.

    Arguments and errors as for :func:`sarsa_target`.

    Examples
    --------
    >>> q_learning_target(-1, [2, 6], 0.5)
    2.0
    """
    return check_number(reward, "reward") + check_gamma(gamma) * float(check_vector(later, "later").max())


def expected_sarsa_target(reward: float, later: ArrayLike, probabilities: ArrayLike, gamma: float) -> float:
    """What expected SARSA aims at: the mean over the actions that may come next; :eq:`temporal-difference-expected`.

    Arguments and errors as for :func:`sarsa_target`; ``probabilities`` (A,) are those of the policy.

    Examples
    --------
    >>> expected_sarsa_target(-1, [2, 6], [0.25, 0.75], 0.5)
    1.5
    """
    Q = check_vector(later, "later")
    return check_number(reward, "reward") + check_gamma(gamma) * float(
        check_shape(probabilities, "probabilities", Q.shape) @ Q
    )


# ---------------------------------------------------------------- exploration


def epsilon_greedy(values: ArrayLike, epsilon: float) -> FloatArray:
    """Probabilities (..., A): the best action, or with probability epsilon any; :eq:`temporal-difference-epsilon`.

    Parameters
    ----------
    values : (..., A) array
        Of equally good actions the first counts as the best one.
    epsilon : float
        Probability of exploring, which draws from all actions alike.

    Raises
    ------
    ValueError
        If ``values`` has no action or a number that is not finite, or ``epsilon`` does not lie in [0, 1].

    Examples
    --------
    >>> epsilon_greedy([1.0, 3.0], 0.2)
    array([0.1, 0.9])
    """
    Q, epsilon = check_row(values, "values"), check_epsilon(epsilon)
    best = np.arange(Q.shape[-1]) == Q.argmax(axis=-1)[..., None]
    return epsilon / Q.shape[-1] + (1 - epsilon) * best


def softmax_policy(values: ArrayLike, temperature: float = 1.0) -> FloatArray:
    """Probabilities (..., A) that grow with the value; :eq:`temporal-difference-softmax`.

    Raises
    ------
    ValueError
        If ``values`` has no action or a number that is not finite, or ``temperature`` is not positive.

    Examples
    --------
    >>> softmax_policy([0.0, 1.0], 1 / np.log(3)).round(10)
    array([0.25, 0.75])
    """
    Q = check_row(values, "values") / check_positive(temperature, "temperature")
    p = np.exp(Q - Q.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True)


def ucb_index(means: ArrayLike, counts: ArrayLike, t: int, c: float = 2.0) -> FloatArray:
    """Upper confidence bound (..., A) of each arm; :eq:`temporal-difference-ucb`.

    Parameters
    ----------
    means : (..., A) array
        Mean reward of each arm so far, rewards between 0 and 1.
    counts : (..., A) array
        How often it has been pulled; an arm that was never pulled has the bound infinity.
    t : int
        Number of pulls so far.
    c : float
        2 for UCB1.

    Raises
    ------
    ValueError
        If a shape does not fit, a count is negative, or ``t`` or ``c`` is not positive.

    Examples
    --------
    >>> ucb_index([0.5, 0.5], [1, 4], 5).round(3)
    array([2.294, 1.397])
    """
    m = check_row(means, "means")
    N = check_shape(counts, "counts", m.shape)
    if (N < 0).any():
        raise ValueError(f"counts must not be negative, got {N.min():g}.")
    reach = check_positive(c, "c") * np.log(check_integer(t, "t"))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(N > 0, m + np.sqrt(reach / N), np.inf)


# ---------------------------------------------------------------- functions in place of tables


def td_system(
    features: ArrayLike, transitions: ArrayLike, rewards: ArrayLike, weights: ArrayLike, gamma: float
) -> tuple[FloatArray, FloatArray]:
    """The matrix A (d, d) and the vector b (d,) of the mean step b - A w of TD with linear values.

    :eq:`temporal-difference-mean-linear`.

    Parameters
    ----------
    features : (S, d) array
    transitions : (S, S) array
        Of the policy whose values are wanted.
    rewards : (S,) array
        Its expected rewards.
    weights : (S,) array
        How often each state is updated; under the policy itself its stationary distribution.
    gamma : float

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, or ``gamma`` does not lie in [0, 1].

    Notes
    -----
    O(S^2 d) time. If all eigenvalues of A have a positive real part, the mean steps converge for small step sizes.
    Source: Sutton and Barto (2018), section 9.4.

    Examples
    --------
    >>> td_system([[1], [2]], [[0, 1], [0, 1]], [0, 0], [1, 0], 0.9)  # w and 2 w, only the first state updated
    (array([[-0.8]]), array([0.]))
    """
    X = check_matrix(features, "features")
    P = check_shape(transitions, "transitions", (len(X), len(X)))
    d = check_vector(weights, "weights", len(X))
    XD = (X * d[:, None]).T
    return XD @ (X - check_gamma(gamma) * P @ X), XD @ check_vector(rewards, "rewards", len(X))


def softmax_score(preferences: ArrayLike, action: int) -> FloatArray:
    """Gradient (A,) of the log-probability of an action under softmax; :eq:`temporal-difference-score`.

    Raises
    ------
    ValueError
        If ``preferences`` is no vector of finite numbers, or ``action`` is no action.

    Examples
    --------
    >>> softmax_score([0.0, np.log(3)], 1)
    array([-0.25,  0.25])
    """
    p = softmax_policy(check_vector(preferences, "preferences"))
    a = int(check_indices([action], "action", len(p))[0])
    return (np.arange(len(p)) == a) - p
