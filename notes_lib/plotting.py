"""Figures of the book: one style, the few drawings that many chapters share, and a self-contained animation player.

The only module that uses matplotlib; no algorithm imports it. Figures are drawn on white; in dark mode the site inverts
their lightness and keeps their hue, so pick colours from ``COLORS``, which stay apart either way and for
colour-blind readers.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
from collections.abc import Callable
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.display import fingerprint

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
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # pragma: no cover - outside a notebook there is nothing to set
        return
    if get_ipython() is not None:  # pragma: no cover - runs in every notebook, not in the tests
        set_matplotlib_formats("retina")


def subplots(nrows: int = 1, ncols: int = 1, width: float = 6.4, height: float = 3.6, **kw: Any) -> tuple[Figure, Any]:
    """Make a figure of a given size in inches; otherwise ``matplotlib.pyplot.subplots``.

    Examples
    --------
    >>> fig, ax = subplots(width=4, height=3)
    >>> fig.get_size_inches()
    array([4., 3.])
    >>> plt.close(fig)
    """
    return plt.subplots(nrows, ncols, figsize=(width, height), **kw)


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


class Player:
    """An animation as self-contained HTML; made by :func:`player`.

    Its text, which notebooks are compared by, tells of a change in what any frame draws.
    """

    def __init__(self, markup: str, drawn: list[str]) -> None:
        self.markup = markup
        self.drawn = drawn  # the fingerprint of each frame

    def __repr__(self) -> str:
        total = hashlib.blake2b("\n".join(self.drawn).encode(), digest_size=4).hexdigest()
        return f"<animation of {len(self.drawn)} frames, fingerprint {total}>"

    def _repr_html_(self) -> str:
        return self.markup


def player(
    draw: Callable[[Figure, int], None],
    n_frames: int,
    name: str,
    alt: str,
    width: float = 6.0,
    height: float = 3.6,
    fps: float = 2.0,
    max_kilobytes: int = 400,
) -> Player:
    """Draw frames and return a player that needs neither network nor libraries.

    All frames stand in the markup as images. Without a script the first one is seen; on paper all of them are.

    Parameters
    ----------
    draw : callable
        ``draw(fig, i)`` draws frame ``i`` (0, ..., n_frames - 1) on an empty figure.
    n_frames : int
    name : str
        Identifier of the player, unique on its page: letters, digits and hyphens.
    alt : str
        What the animation shows, for readers who do not see it.
    width, height : float
        Size in inches.
    fps : float
        Frames a second while playing.
    max_kilobytes : int
        The markup must not be larger.

    Returns
    -------
    Player

    Raises
    ------
    ValueError
        If ``n_frames`` is less than 1, ``name`` is not an identifier, or the frames are too large together (use fewer
        or smaller ones).
    """
    if n_frames < 1:
        raise ValueError(f"n_frames must be at least 1, got {n_frames}.")
    if not name or not all(c.isascii() and (c.isalnum() or c == "-") for c in name):
        raise ValueError(f"name must consist of letters, digits and hyphens, got {name!r}.")
    frames = [_frame(draw, i, width, height) for i in range(n_frames)]
    images = "\n".join(
        f'<img class="anim-frame"{" hidden" if i else ""} src="data:image/png;base64,{frame.png}"'
        f' alt="{html.escape(alt)} (frame {i + 1} of {n_frames})"'
        f' width="{round(96 * width)}" height="{round(96 * height)}">'
        for i, frame in enumerate(frames)
    )
    markup = _PLAYER.format(name=name, alt=html.escape(alt), images=images, n=n_frames, delay=round(1000 / fps))
    if len(markup) > 1024 * max_kilobytes:
        raise ValueError(
            f"the animation takes {len(markup) // 1024} kB, more than max_kilobytes={max_kilobytes}: "
            "draw fewer or smaller frames."
        )
    return Player(markup, [frame.drawn for frame in frames])


class _Frame(NamedTuple):
    """A picture as a base64 PNG, and the fingerprint of what it shows."""

    png: str
    drawn: str


def _frame(draw: Callable[[Figure, int], None], i: int, width: float, height: float) -> _Frame:
    """Frame ``i``, with a palette of 64 colours: a third of the size of full colour.

    The pixels come from the canvas: ``savefig`` would draw twice and pack a PNG that is unpacked at once.
    """
    from PIL import Image

    fig = plt.figure(figsize=(width, height))
    draw(fig, i)
    fig.set_dpi(120)
    canvas, small = FigureCanvasAgg(fig), io.BytesIO()
    canvas.draw()
    plt.close(fig)
    Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").quantize(64).save(small, "png", optimize=True)
    return _Frame(base64.b64encode(small.getvalue()).decode("ascii"), fingerprint(fig))


_PLAYER = """<div class="anim-player" id="anim-{name}" role="group" aria-label="Animation: {alt}">
{images}
<div class="anim-controls">
<button type="button" data-step="-1" aria-label="Previous frame">&#8592;</button>
<button type="button" data-play aria-label="Play">Play</button>
<button type="button" data-step="1" aria-label="Next frame">&#8594;</button>
<input type="range" min="1" max="{n}" value="1" aria-label="Frame">
<output>1 / {n}</output>
</div>
<script>
(function () {{
  var box = document.getElementById("anim-{name}");
  var frames = box.querySelectorAll(".anim-frame"), slider = box.querySelector("input");
  var count = box.querySelector("output"), play = box.querySelector("[data-play]"), timer = null, now = 0;
  function show(i) {{
    now = (i + frames.length) % frames.length;
    frames.forEach(function (f, j) {{ f.hidden = j !== now; }});
    slider.value = now + 1;
    count.textContent = (now + 1) + " / " + frames.length;
  }}
  function stop() {{
    clearInterval(timer); timer = null;
    play.textContent = "Play"; play.setAttribute("aria-label", "Play");
  }}
  box.querySelectorAll("[data-step]").forEach(function (b) {{
    b.addEventListener("click", function () {{ stop(); show(now + Number(b.dataset.step)); }});
  }});
  slider.addEventListener("input", function () {{ stop(); show(slider.value - 1); }});
  play.addEventListener("click", function () {{
    if (timer) {{ stop(); return; }}
    play.textContent = "Pause"; play.setAttribute("aria-label", "Pause");
    timer = setInterval(function () {{ show(now + 1); }}, {delay});
  }});
}})();
</script>
</div>"""
