"""A grid of cells with their values and the actions of a policy."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import ArrayLike

from notes_lib.plotting.drawing import COLORS

# by the number of the action, as (across, down)
UP, RIGHT, DOWN, LEFT = (0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)
_TINTS = LinearSegmentedColormap.from_list("grid", ["#F0A878", "#FFFFFF", "#7DB7DE"])


def draw_grid(
    ax: Axes,
    values: ArrayLike,
    policy: ArrayLike | None = None,
    walls: Collection[tuple[int, int]] = (),
    marks: Mapping[tuple[int, int], str] | None = None,
    scale: float | None = None,
    form: str = "{:.1f}",
) -> None:
    """Draw a grid: each cell tinted by its value, which stands in it, with an arrow for the action taken there.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Its axes are hidden; row 0 is on top.
    values : (rows, columns) array
        Positive ones are tinted blue, negative ones orange.
    policy : (rows, columns) array of int, optional
        0 up, 1 right, 2 down, 3 left, and -1 for no arrow.
    walls : collection of (row, column)
        Grey cells without value and arrow.
    marks : mapping from (row, column) to str, optional
        Text in place of a value and an arrow, for example of an end; the tint is that of the value.
    scale : float, optional
        Size of the value with the full tint; the largest one by default.
    form : str
        How a value is written; the empty string leaves it out.

    Examples
    --------
    >>> from notes_lib.plotting.drawing import plt, subplots
    >>> fig, ax = subplots(width=2, height=1)
    >>> draw_grid(ax, [[1.5, 0.0]], [[1, -1]], marks={(0, 1): "end"})
    >>> [text.get_text() for text in ax.texts]
    ['1.5', 'end']
    >>> plt.close(fig)
    """
    V, marks = np.asarray(values, dtype=float), marks or {}
    top = scale or float(np.abs(V).max()) or 1.0
    walls = set(walls)
    ax.imshow(V, cmap=_TINTS, vmin=-top, vmax=top)
    for i, j in np.ndindex(*V.shape):
        if (i, j) in walls:
            ax.fill([j - 0.5, j + 0.5, j + 0.5, j - 0.5], [i - 0.5, i - 0.5, i + 0.5, i + 0.5], color="0.55")
        elif (i, j) in marks:
            ax.text(j, i, marks[i, j], ha="center", va="center", fontsize=9, weight="bold")
        else:
            action = -1 if policy is None else int(np.asarray(policy)[i, j])
            if form:
                ax.text(
                    j, i + 0.25 * (action >= 0), _written(form, float(V[i, j])), ha="center", va="center", fontsize=8
                )
            if action >= 0:
                _arrow(ax, j, i - (0.14 if form else 0), (UP, RIGHT, DOWN, LEFT)[action])
    rows, columns = V.shape
    ax.hlines(np.arange(rows + 1) - 0.5, -0.5, columns - 0.5, color="0.7", lw=0.7)
    ax.vlines(np.arange(columns + 1) - 0.5, -0.5, rows - 0.5, color="0.7", lw=0.7)
    ax.set(xlim=(-0.55, columns - 0.45), ylim=(rows - 0.45, -0.55), aspect="equal")
    ax.set_axis_off()


def _written(form: str, value: float) -> str:
    """A value as text; what is rounded to 0 has no sign."""
    text = form.format(value)
    return text.lstrip("-") if set(text) <= set("-0.") else text


def _arrow(ax: Axes, x: float, y: float, step: tuple[float, float]) -> None:
    """An arrow whose middle is at a point, as an outline that begins at its tip."""
    along, aside = np.array(step), np.array([-step[1], step[0]])
    half = [0.2 * along, 0.07 * along + 0.08 * aside, 0.07 * along + 0.015 * aside, -0.2 * along + 0.015 * aside]
    other = [-0.2 * along - 0.015 * aside, 0.07 * along - 0.015 * aside, 0.07 * along - 0.08 * aside]
    ax.fill(*np.add([*half, *other], [x, y]).T, color=COLORS[7], lw=0)
