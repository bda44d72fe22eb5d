"""The style of the figures, and the few drawings that many chapters share."""

from __future__ import annotations

import base64
import gc
import io
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends import backend_agg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser
from matplotlib.patches import Ellipse
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray

# Okabe and Ito's palette, neighbours as different as can be; grey stands for their yellow, which vanishes on white.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]

_STYLE = {
    "figure.dpi": 96,
    "figure.figsize": (6.4, 3.6),
    "figure.constrained_layout.use": True,
    "axes.prop_cycle": plt.cycler(color=COLORS[:6]),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "regular",
    "axes.labelsize": 10,
    "font.size": 10,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.8,
    "image.cmap": "viridis",
    "mathtext.fontset": "cm",
}


def use_style() -> None:
    """Switch matplotlib to the style of the book; in a notebook, also to sharp figures for dense screens."""
    plt.rcParams.update(_STYLE)
    backend_agg.MathTextParser = cache(MathTextParser)  # all canvases share what one has parsed: 10 ms a formula
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # pragma: no cover - outside a notebook there is nothing to set
        return
    if (shell := get_ipython()) is not None:  # pragma: no cover - runs in every notebook, not in the tests
        set_matplotlib_formats("retina")
        shell.display_formatter.formatters["image/png"].for_type(Figure, retina)
        gc.freeze()  # to go through all modules and each new figure again and again takes 5 % of a notebook's time
        gc.set_threshold(20_000)


def retina(fig: Figure) -> tuple[str, dict[str, int]] | None:
    """What IPython's format of that name makes of a figure, byte for byte, in four fifths of its time.

    To place all artists, IPython lets matplotlib go through the motions of drawing; laying the figure out does that.

    Returns
    -------
    tuple or None
        A PNG in base64 and its width and height on the page; None for an empty figure.
    """
    if not fig.axes and not fig.lines:
        return None
    dpi, engine, png = fig.dpi, fig.get_layout_engine(), io.BytesIO()
    fig.set_dpi(2 * dpi)
    if engine is not None:
        engine.execute(fig)
        with plt.rc_context({"figure.constrained_layout.use": False}):
            fig.set_layout_engine(None)
    edges = fig.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])
    fig.savefig(png, format="png", dpi=2 * dpi, bbox_inches=edges, facecolor="auto", edgecolor="auto")
    fig.set_layout_engine(engine)
    fig.set_dpi(dpi)
    width, height = (int.from_bytes(png.getvalue()[at : at + 4], "big") // 2 for at in (16, 20))
    return base64.b64encode(png.getvalue()).decode("ascii"), {"width": width, "height": height}


def subplots(nrows: int = 1, ncols: int = 1, width: float = 6.4, height: float = 3.6, **kw: Any) -> tuple[Figure, Any]:
    """Make a figure of a given size in inches; otherwise ``matplotlib.pyplot.subplots``.

    Examples
    --------
    >>> fig, ax = subplots(width=4, height=3)
    >>> fig.get_size_inches()
    array([4., 3.])
    >>> plt.close(fig)
    """
    made = plt.subplots(nrows, ncols, figsize=(width, height), **kw)
    plt.uninstall_repl_displayhook()  # IPython would draw every figure twice: after the cell, and to show it
    return made


def scatter_clusters(
    ax: Axes, X: ArrayLike, labels: ArrayLike | None = None, centers: ArrayLike | None = None, size: float = 14
) -> None:
    """Scatter the first two columns of ``X``; each cluster has its own colour and marker.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    X : (n, d) array, d >= 2
    labels : (n,) array of int or None
        Cluster of each point; None draws all points grey.
    centers : (k, d) array or None
        Drawn as large crosses with a white rim.
    size : float
        Area of a point, in squared typographic points.
    """
    X = np.asarray(X, dtype=float)
    if labels is None:
        ax.scatter(X[:, 0], X[:, 1], s=size, color="0.45", linewidths=0)
    else:
        labels = np.asarray(labels)
        for c in np.unique(labels):
            color, marker = COLORS[int(c) % len(COLORS)], MARKERS[int(c) % len(MARKERS)]
            members = X[labels == c]
            ax.scatter(members[:, 0], members[:, 1], s=size, color=color, marker=marker, alpha=0.75, linewidths=0)
    if centers is not None:
        C = np.asarray(centers, dtype=float)
        ax.scatter(C[:, 0], C[:, 1], s=150, color="white", marker="X", zorder=3, linewidths=0)
        ax.scatter(C[:, 0], C[:, 1], s=80, color="black", marker="X", zorder=4, linewidths=0)


def covariance_ellipse(
    ax: Axes, mu: ArrayLike, Sigma: ArrayLike, n_std: float = 2.0, color: str | None = None, **kw: Any
) -> Ellipse:
    """Draw the contour of a 2-D Gaussian at ``n_std`` Mahalanobis units from its mean.

    The half axes are ``n_std * sqrt(eigenvalues)`` of ``Sigma`` along its eigenvectors.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    mu : (2,) array
    Sigma : (2, 2) array, symmetric positive definite
    n_std : float
        2 holds 86.5 % of the probability in two dimensions (not 95 %).
    color : str or None
    **kw
        Passed on to ``matplotlib.patches.Ellipse``.

    Returns
    -------
    matplotlib.patches.Ellipse
        Already added to ``ax``.
    """
    values, vectors = np.linalg.eigh(np.asarray(Sigma, dtype=float))
    angle = float(np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1])))  # of the long axis
    long_axis, short_axis = 2 * n_std * np.sqrt(values[::-1])
    style = {"fill": False, "linewidth": 1.8, "edgecolor": color or "black"} | kw
    ellipse = Ellipse(tuple(np.asarray(mu, dtype=float)), long_axis, short_axis, angle=angle, **style)
    ax.add_patch(ellipse)
    return ellipse


def decision_regions(
    ax: Axes,
    predict: Callable[[FloatArray], ArrayLike],
    limits: tuple[float, float, float, float],
    resolution: int = 200,
) -> None:
    """Tint the plane by the class that ``predict`` gives each point.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    predict : callable
        (m, 2) array to (m,) array of int.
    limits : (x_min, x_max, y_min, y_max)
    resolution : int
        Grid points along each axis.
    """
    x_min, x_max, y_min, y_max = limits
    x, y = np.meshgrid(np.linspace(x_min, x_max, resolution), np.linspace(y_min, y_max, resolution))
    Z = np.asarray(predict(np.column_stack([x.ravel(), y.ravel()]))).reshape(x.shape).astype(int)
    k = int(Z.max()) + 1
    colors = ListedColormap([COLORS[c % len(COLORS)] for c in range(k)])
    extent = (x_min, x_max, y_min, y_max)
    ax.imshow(Z, origin="lower", extent=extent, cmap=colors, vmin=-0.5, vmax=k - 0.5, alpha=0.18, aspect="auto")
    ax.set(xlim=(x_min, x_max), ylim=(y_min, y_max))


def draw_graph(
    ax: Axes,
    parents: Mapping[str, Sequence[str]],
    places: Mapping[str, tuple[float, float]],
    observed: Collection[str] = (),
    size: float = 28.0,
) -> None:
    """Draw a directed graph: a circle for each node, grey if it is observed, and an arrow from each parent.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw; its axes are hidden.
    parents : mapping
        For each node the names of its parents.
    places : mapping
        Coordinates of each node.
    observed : collection of str
        Nodes with a grey ground.
    size : float
        Diameter of a circle, in typographic points.

    Examples
    --------
    >>> fig, ax = subplots(width=3, height=2)
    >>> draw_graph(ax, {"a": [], "b": ["a"]}, {"a": (0, 0), "b": (1, 0)})
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['a', 'b']
    >>> plt.close(fig)
    """
    arrow = {"arrowstyle": "-|>", "color": "black", "shrinkA": size / 2 + 1, "shrinkB": size / 2 + 1}
    for node, (x, y) in places.items():
        ax.plot(x, y, "o", ms=size, mfc="0.8" if node in observed else "white", mec="black")
        ax.text(x, y, node, ha="center", va="center", fontsize=11)
        for parent in parents[node]:
            ax.annotate("", (x, y), places[parent], arrowprops=arrow)
    ax.margins(0.25, 0.4)
    ax.set_axis_off()


def draw_tree(ax: Axes, texts: Sequence[str], edges: Sequence[tuple[int, int, str]]) -> None:
    """Draw a tree with its root on top, its leaves side by side, and an answer on each edge.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    texts : sequence of str
        What stands in each node; node 0 is the root, each parent comes before its children, and leaves stand from left
        to right in the order of their numbers.
    edges : sequence of (int, int, str)
        Parent, child, text on the edge.

    Raises
    ------
    ValueError
        If a node other than the root has no parent or two, or comes before its parent.
    """
    below: dict[int, list[int]] = {node: [] for node in range(len(texts))}
    for parent, child, _ in edges:
        below[parent].append(child)
    if sorted(child for _, child, _ in edges) != list(range(1, len(texts))) or any(a >= b for a, b, _ in edges):
        raise ValueError("edges must name each node but the root once as a child, after its parent: number them so.")
    across, down = _places(below)
    for parent, child, answer in edges:
        (x, y), (u, v) = (across[parent], -down[parent]), (across[child], -down[child])
        ax.plot([x, u], [y, v], color="0.5", lw=1, zorder=1)
        ax.text(x + 0.6 * (u - x), y + 0.6 * (v - y), answer, ha="center", va="center", fontsize=8,
                bbox={"fc": "white", "ec": "none", "pad": 0.5})  # fmt: skip
    for node, text in enumerate(texts):
        look = {"boxstyle": "round" if below[node] else "square", "fc": "white",
                "ec": COLORS[0] if below[node] else COLORS[1]}  # fmt: skip
        ax.text(across[node], -down[node], text, ha="center", va="center", fontsize=9, zorder=3, bbox=look)
    ax.set(xlim=(-0.6, sum(not b for b in below.values()) - 0.4), ylim=(-max(down.values()) - 0.35, 0.35))
    ax.axis("off")


def _places(below: dict[int, list[int]]) -> tuple[dict[int, float], dict[int, int]]:
    """Where each node stands: leaves one beside the other, a parent above the middle of its children; its depth."""
    leaves = [node for node in below if not below[node]]
    across = {node: float(place) for place, node in enumerate(leaves)}
    for node in reversed(below):
        if below[node]:
            across[node] = sum(across[child] for child in below[node]) / len(below[node])
    down = {0: 0}
    for node, children in below.items():
        down |= dict.fromkeys(children, down[node] + 1)
    return across, down
