"""Dendrograms: the tree of a hierarchical clustering, with the height of each merge on the vertical axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from notes_lib.plotting.drawing import COLORS


def draw_dendrogram(
    ax: Axes, Z: ArrayLike, names: Sequence[str] | None = None, labels: ArrayLike | None = None
) -> list[int]:
    """Draw the merges of a linkage matrix as brackets at their heights, the leaves side by side.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    Z : (n - 1, 4) array
        A linkage matrix; the cluster in its first column stands on the left.
    names : sequence of str, optional
        Names of the n observations, written below the leaves.
    labels : (n,) array of int, optional
        Flat clusters: a bracket within cluster k has its colour, the others are grey.

    Returns
    -------
    list of int
        The observations from left to right.

    Raises
    ------
    ValueError
        If ``names`` or ``labels`` are not one for each observation.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> draw_dendrogram(ax, [[1, 2, 1.0, 2], [0, 3, 2.0, 3]], "abc")
    [0, 1, 2]
    """
    Z = np.asarray(Z, dtype=float)
    n = len(Z) + 1
    cluster = np.full(n, -1) if labels is None else np.asarray(labels)
    for what, size in (("names", n if names is None else len(names)), ("labels", len(cluster))):
        if size != n:
            raise ValueError(f"{what} must be one for each of the {n} observations, got {size}.")
    leaves = [[i] for i in range(n)]
    for a, b in Z[:, :2].astype(int):
        leaves.append(leaves[a] + leaves[b])
    order = leaves[-1]
    across = dict(zip(order, map(float, range(n)), strict=True))
    heights = np.concatenate([np.zeros(n), Z[:, 2]])
    for t, (a, b) in enumerate(Z[:, :2].astype(int).tolist(), start=n):
        x, u = across[a], across[b]
        found = set(cluster[leaves[t]].tolist())
        color = COLORS[max(found) % len(COLORS)] if len(found) == 1 and labels is not None else "0.5"
        ax.plot([x, x, u, u], [heights[a], heights[t], heights[t], heights[b]], color=color, lw=1.4)
        across[t] = (x + u) / 2
    ax.set(xlim=(-0.5, n - 0.5), ylim=(0, 1.05 * heights.max() or 1.0), ylabel="height")
    ax.set_xticks(range(n) if names is not None else [], [names[i] for i in order] if names is not None else [])
    ax.tick_params(axis="x", length=0)
    ax.spines["bottom"].set_visible(False)
    return order
