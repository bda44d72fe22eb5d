"""A grid of cells as a process: four directions, walls, ends that pay, and a floor that may be slippery."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from notes_lib.checks import check_integer, check_number, check_real
from notes_lib.reinforcement.mdp.model import MDP

ACTIONS = ("up", "right", "down", "left")
MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
Cell = tuple[int, int]


def grid_mdp(
    shape: tuple[int, int],
    terminals: Mapping[Cell, float],
    walls: Iterable[Cell] = (),
    step_reward: float = 0.0,
    slip: float = 0.0,
    gamma: float = 0.9,
) -> MDP:
    """Process of a walk on a grid, with the actions up, right, down and left.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns. State ``row * columns + column`` is a cell, so that ``V.reshape(shape)`` is a map.
    terminals : mapping
        For each cell (row, column) where the walk ends, what it pays to enter it. There, all rewards are 0.
    walls : iterable of cells
        Who walks against them, or against the edge, stays. They are states too, ends that nothing leads to.
    step_reward : float
        Reward of every step, that into an end included.
    slip : float
        Probability of sliding at right angles to the action, half to each side.
    gamma : float

    Returns
    -------
    MDP
        Its rewards belong to transitions (S, A, S).

    Raises
    ------
    ValueError
        If ``shape`` is not two positive integers, a cell lies outside or is both a wall and an end, a number is not
        finite, or ``slip`` or ``gamma`` does not lie in [0, 1].
    TypeError
        If a number is none.

    Examples
    --------
    >>> grid_mdp((1, 3), {(0, 2): 1.0}).transitions[1].argmax(axis=1)  # from the middle: stay, right, stay, left
    array([1, 2, 1, 0])
    """
    rows, columns = (check_integer(n, "shape") for n in _two(shape))
    if check_real(slip, "slip") > 1:
        raise ValueError(f"slip must lie in [0, 1], got {slip:g}.")
    walls = _inside(walls, "walls", rows, columns)
    pay = {cell: check_number(terminals[cell], "terminals") for cell in _inside(terminals, "terminals", rows, columns)}
    if both := walls & set(pay):
        raise ValueError(f"terminals must not be walls, {sorted(both)[0]} is both: leave it out of one of them.")
    S, A = rows * columns, len(ACTIONS)
    P, R = np.zeros((S, A, S)), np.full((S, A, S), float(check_number(step_reward, "step_reward")))
    for cell, value in pay.items():
        R[:, :, cell[0] * columns + cell[1]] += value
    for s in range(S):
        here = divmod(s, columns)
        if here in walls or here in pay:
            P[s, :, s], R[s] = 1, 0
            continue
        for a in range(A):
            for turn, p in ((0, 1 - slip), (1, slip / 2), (-1, slip / 2)):
                i, j = np.add(here, MOVES[(a + turn) % A])
                free = 0 <= i < rows and 0 <= j < columns and (i, j) not in walls
                P[s, a, i * columns + j if free else s] += p
    return MDP(P, R, gamma)


def _two(shape: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(shape, tuple) or len(shape) != 2:
        raise ValueError(f"shape must be (rows, columns), got {shape!r}.")
    return shape


def _inside(cells: Iterable[Cell], name: str, rows: int, columns: int) -> set[Cell]:
    """The cells, if all lie on the grid."""
    found = set(cells)
    for cell in found:
        if len(cell) != 2 or not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
            raise ValueError(f"{name} must hold cells (row, column) of a {rows} x {columns} grid, got {cell}.")
    return found
