"""Worlds to act in: a grid with ends and walls, and a walk along a cliff. Methods and results are Gymnasium's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csgraph

from notes_lib.checks import check_indices, check_integer, check_number, check_real
from notes_lib.numerics import check_rng
from notes_lib.reinforcement.mdp import ACTIONS, MDP
from notes_lib.reinforcement.mdp.grid import MOVES

Cell = tuple[int, int]
A = len(ACTIONS)


class World:
    """Acting on a grid of which the agent sees the number of its cell and the reward, nothing else.

    A subclass fills ``successors`` and ``rewards`` (S, A) and says which states are ``ends`` (S,).
    """

    def __init__(
        self,
        successors: np.ndarray,
        rewards: np.ndarray,
        ends: np.ndarray,
        start: int,
        slip: float,
        max_steps: int | None,
    ) -> None:
        if check_real(slip, "slip") > 1:
            raise ValueError(f"slip must lie in [0, 1], got {slip:g}.")
        self.n_states, self.n_actions = len(successors), A
        self.slip, self.max_steps = float(slip), None if max_steps is None else check_integer(max_steps, "max_steps")
        self.start = start
        self._after, self._paid, self._ends = successors.tolist(), rewards.tolist(), ends.tolist()
        self._rng = np.random.default_rng(0)
        self._state, self._steps = -1, 0  # no episode runs yet
        if ends[start]:
            raise ValueError("start must not be one of the terminals: an episode would be over before it begins.")
        if self.max_steps is None and not _always_ends(successors, ends, start):
            raise ValueError(
                "terminals must hold a cell that can be reached from wherever start leads, else an episode never ends: "
                "open a way to one, or give max_steps."
            )

    def reset(self, seed: int | None = None) -> tuple[int, dict[str, Any]]:
        """Begin an episode; a seed lets the chances of the world begin anew, too.

        Returns
        -------
        (int, dict)
            The first state; nothing further.
        """
        if seed is not None:
            self._rng = check_rng(seed)
        self._state, self._steps = self.start, 0
        return self._state, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Take an action.

        Returns
        -------
        (int, float, bool, bool, dict)
            The new state, the reward, whether an end is reached, whether the time is over, nothing further.

        Raises
        ------
        ValueError
            If ``action`` is not the number of an action.
        RuntimeError
            If no episode runs.
        """
        i = self._state
        if i < 0:
            raise RuntimeError("step needs an episode that runs: call reset first.")
        if type(action) is not int or not 0 <= action < A:
            action = int(check_indices([action], "action", A)[0])
        if self.slip:
            u = self._rng.random()
            if u < self.slip:
                action = (action + (1 if 2 * u < self.slip else -1)) % A
        j = self._after[i][action]
        self._steps += 1
        terminated = self._ends[j]
        truncated = not terminated and self._steps == self.max_steps
        self._state = -1 if terminated or truncated else j
        return j, self._paid[i][action], terminated, truncated, {}

    def table(self) -> tuple[list[list[int]], list[list[float]], list[bool]] | None:
        """Successors and rewards of each state and action, and the ends; None if chance or a clock plays a part."""
        changed = type(self) not in (GridWorld, CliffWalking) or not {"step", "reset"}.isdisjoint(vars(self))
        if changed or self.slip or self.max_steps is not None:
            return None
        return self._after, self._paid, self._ends

    def mdp(self, gamma: float) -> MDP:
        """The process behind the world, for a planner; ends keep what comes and pay nothing.

        Notes
        -----
        Memory O(S^2 A), unlike the world itself.

        Examples
        --------
        >>> CliffWalking().mdp(1.0)
        MDP(48 states, 4 actions, gamma=1)
        """
        S, s = self.n_states, np.arange(self.n_states)
        P, R = np.zeros((S, A, S)), np.zeros((S, A))
        after, paid = np.array(self._after), np.array(self._paid)
        for turn, p in ((0, 1 - self.slip), (1, self.slip / 2), (-1, self.slip / 2)):
            for a in range(A):
                P[s, a, after[:, (a + turn) % A]] += p
                R[:, a] += p * paid[:, (a + turn) % A]
        return MDP(P, R, gamma)


class GridWorld(World):
    """A grid of cells, :func:`~notes_lib.reinforcement.mdp.grid_mdp` to act in rather than to know.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns. State ``row * columns + column`` is a cell, so that ``V.reshape(shape)`` is a map.
    start : (int, int)
        The cell (row, column) in which every episode begins.
    terminals : mapping, or iterable of cells
        For each cell where an episode ends, what it pays to enter it; cells alone pay nothing more than a step.
    walls : iterable of cells
        Who walks against them, or against the edge, stays.
    step_reward : float
        Reward of every step, that into an end included.
    slip : float
        Probability of sliding at right angles to the action, half to each side.
    max_steps : int, optional
        After so many steps the time is over: an episode is *truncated*.

    Attributes
    ----------
    n_states, n_actions : int
        The actions are up, right, down and left.

    Raises
    ------
    ValueError
        If ``shape`` is not two positive integers, a cell lies outside or is two things at once, a number is not finite,
        ``slip`` does not lie in [0, 1], or no terminal can be reached and ``max_steps`` is missing.
    TypeError
        If a number is none.

    Notes
    -----
    Memory O(S). Source of the interface: Gymnasium's ``Env``.

    Examples
    --------
    >>> env = GridWorld((1, 3), (0, 1), {(0, 2): 1.0})
    >>> env.reset()
    (1, {})
    >>> env.step(1)
    (2, 1.0, True, False, {})
    """

    def __init__(
        self,
        shape: tuple[int, int],
        start: Cell,
        terminals: Mapping[Cell, float] | Iterable[Cell],
        walls: Iterable[Cell] = (),
        step_reward: float = 0.0,
        slip: float = 0.0,
        max_steps: int | None = None,
    ) -> None:
        rows, columns = self.shape = _shape(shape)
        pays = dict(terminals) if isinstance(terminals, Mapping) else dict.fromkeys(terminals, 0.0)
        numbers = {_inside(cell, "terminals", self.shape): check_number(v, "terminals") for cell, v in pays.items()}
        blocked = {_inside(cell, "walls", self.shape) for cell in walls}
        first = _inside(start, "start", self.shape)
        if both := blocked & set(numbers):
            raise ValueError(f"terminals must not be walls, {divmod(min(both), columns)} is both: leave it out of one.")
        if first in blocked:
            raise ValueError(f"start must not be a wall, {divmod(first, columns)} is one: choose a free cell.")
        pay, ends = np.zeros(rows * columns), np.zeros(rows * columns, dtype=bool)
        for s, value in numbers.items():
            pay[s], ends[s] = value, True
        fixed = ends.copy()
        fixed[list(blocked)] = True
        successors = _successors(self.shape, fixed, blocked)
        rewards = check_number(step_reward, "step_reward") + pay[successors]
        rewards[fixed] = 0
        super().__init__(successors, rewards, ends, first, slip, max_steps)


class CliffWalking(World):
    """The cliff of Sutton and Barto: 4 rows, 12 columns, and below the way from start to goal a drop.

    Each step costs 1. A step over the cliff, row 3, columns 1 to 10, costs 100 and leads back to the start in the lower
    left corner; the episode goes on. It ends in the lower right corner. The best way takes 13 steps.

    Parameters
    ----------
    slip : float
        Probability of sliding at right angles to the action, half to each side.
    max_steps : int, optional
        After so many steps the time is over: an episode is *truncated*.

    Attributes
    ----------
    n_states, n_actions : int
        48 and 4: up, right, down, left.

    Raises
    ------
    ValueError
        If ``slip`` does not lie in [0, 1], or ``max_steps`` is less than 1.
    TypeError
        If one of them is no number.

    Notes
    -----
    Source: Sutton and Barto (2018), example 6.6; Gymnasium's ``CliffWalking-v0``.

    Examples
    --------
    >>> env = CliffWalking()
    >>> env.reset()
    (36, {})
    >>> env.step(1)  # right, over the cliff
    (36, -100.0, False, False, {})
    """

    shape = (4, 12)

    def __init__(self, slip: float = 0.0, max_steps: int | None = None) -> None:
        start, goal = 36, 47
        ends = np.arange(48) == goal
        successors = _successors(self.shape, ends, set())
        rewards = np.full((48, A), -1.0)
        falls = (successors > start) & (successors < goal)
        rewards[falls], successors[falls] = -100, start
        successors[goal], rewards[goal] = goal, 0
        super().__init__(successors, rewards, ends, start, slip, max_steps)


def _shape(shape: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(shape, tuple | list) or len(shape) != 2:
        raise ValueError(f"shape must be (rows, columns), got {shape!r}.")
    return check_integer(shape[0], "shape"), check_integer(shape[1], "shape")


def _inside(cell: Any, name: str, shape: tuple[int, int]) -> int:
    """The state of a cell that lies on the grid."""
    rows, columns = shape
    if not isinstance(cell, tuple | list) or len(cell) != 2:
        raise ValueError(f"{name} must hold cells (row, column), got {cell!r}.")
    i, j = check_integer(cell[0], name, minimum=0), check_integer(cell[1], name, minimum=0)
    if i >= rows or j >= columns:
        raise ValueError(f"{name} must hold cells (row, column) of a {rows} x {columns} grid, got {(i, j)}.")
    return i * columns + j


def _successors(shape: tuple[int, int], fixed: np.ndarray, blocked: set[int]) -> np.ndarray:
    """Where each action leads (S, A); nowhere from fixed states, never into blocked ones or over the edge."""
    s = np.arange(shape[0] * shape[1])
    at = np.stack(np.divmod(s, shape[1]), axis=1)[:, None] + np.array(MOVES)  # (S, A, 2)
    free = ((at >= 0) & (at < shape)).all(axis=2) & ~fixed[:, None]
    to = np.where(free, at[:, :, 0] * shape[1] + at[:, :, 1], s[:, None])
    return np.where(np.isin(to, list(blocked)), s[:, None], to)


def _always_ends(successors: np.ndarray, ends: np.ndarray, start: int) -> bool:
    """Whether an end can be reached from each state that the start can lead to."""
    S, here = len(successors), np.repeat(np.arange(len(successors)), A)
    forward = coo_array((np.ones(S * A), (here, successors.ravel())), shape=(S, S)).tocsr()
    ahead = csgraph.breadth_first_order(forward, start, return_predecessors=False)
    last = np.flatnonzero(ends)  # one more state, S, leads to all ends; from there on all steps are walked backwards
    pairs = (np.append(successors.ravel(), np.full(len(last), S)), np.append(here, last))
    backward = coo_array((np.ones(len(pairs[0])), pairs), shape=(S + 1, S + 1)).tocsr()
    reaching = csgraph.breadth_first_order(backward, S, return_predecessors=False)
    return bool(np.isin(ahead, reaching).all())
