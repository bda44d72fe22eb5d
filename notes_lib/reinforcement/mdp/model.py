"""The process itself: where an action leads, what it pays, and what a later reward is worth."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from notes_lib.checks import FloatArray
from notes_lib.reinforcement.mdp import checks

SPARSE = 0.2  # share of transitions that are possible, below which products leave out the others


class MDP:
    """A Markov decision process with finitely many states and actions, :eq:`mdp-transition`.

    Parameters
    ----------
    transitions : (S, A, S) array
        ``transitions[s, a, t]`` is the probability that action ``a`` in state ``s`` leads to state ``t``.
    rewards : (S, A) or (S, A, S) array
        What an action pays in a state, or what a transition pays.
    gamma : float
        What a reward is worth a step later, between 0 and 1. With 1, a value exists only where an end is reached: an
        absorbing state without reward. The functions that solve the process look after that, and say so.

    Attributes
    ----------
    transitions, rewards, gamma
        As given, checked and copied.
    expected_rewards : (S, A) array
        What an action pays on average, :eq:`mdp-expected-reward`.
    n_states, n_actions : int

    Raises
    ------
    ValueError
        If a shape does not fit, ``transitions[s, a]`` is no distribution, a reward is not finite, or ``gamma`` does not
        lie in [0, 1].
    TypeError
        If an array holds text or complex numbers, or ``gamma`` is no number.

    Notes
    -----
    Memory O(S^2 A). All solvers see the rewards through their expectations only. Source: Puterman (1994), chapter 2.

    Examples
    --------
    >>> stay_or_go = [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]  # state 1 keeps what comes
    >>> mdp = MDP(stay_or_go, [[1, 3], [0, 0]], gamma=0.9)
    >>> mdp.n_states, mdp.n_actions
    (2, 2)
    """

    def __init__(self, transitions: ArrayLike, rewards: ArrayLike, gamma: float) -> None:
        self.transitions: FloatArray = checks.check_transitions(transitions)
        self.n_states, self.n_actions = self.transitions.shape[:2]
        self.rewards: FloatArray = checks.check_rewards(rewards, self.n_states, self.n_actions)
        self.gamma: float = checks.check_gamma(gamma)
        for array in (self.transitions, self.rewards):
            array.flags.writeable = False  # what is derived from them would not follow

    @cached_property
    def expected_rewards(self) -> FloatArray:
        """What an action pays on average (S, A)."""
        if self.rewards.ndim == 2:
            return self.rewards
        return np.einsum("sat,sat->sa", self.transitions, self.rewards)  # mdp-expected-reward

    @cached_property
    def successors(self) -> Any:
        """The transitions as a matrix (A S, S), actions outside: sparse where few transitions are possible."""
        P = self.transitions.swapaxes(0, 1).reshape(-1, self.n_states)
        return csr_array(P) if np.count_nonzero(P) < SPARSE * P.size else P

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Arguments of the constructor."""
        return {name: getattr(self, name) for name in ("transitions", "rewards", "gamma")}

    def set_params(self, **params: Any) -> MDP:
        """Change arguments of the constructor and check them all again.

        Raises
        ------
        ValueError
            If there is no argument of that name, or the constructor would refuse it.

        Examples
        --------
        >>> MDP([[[1.0]]], [[1.0]], 0.9).set_params(gamma=0.5).gamma
        0.5
        """
        known = self.get_params()
        if unknown := set(params) - set(known):
            raise ValueError(f"params must be some of {sorted(known)}, got {sorted(unknown)}.")
        new = MDP(**(known | params))
        vars(self).clear()
        vars(self).update(vars(new))
        return self

    def __sklearn_clone__(self) -> MDP:
        return MDP(**self.get_params())

    def __repr__(self) -> str:
        return f"MDP({self.n_states} states, {self.n_actions} actions, gamma={self.gamma:g})"
