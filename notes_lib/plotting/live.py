"""Live figures: a picture of the first state that a script of the site takes over, so that the reader can drag it."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from notes_lib.plotting.frames import check_name, check_weight, digest, images, picture

# What the state of each idea must hold, what it may hold, and what the reader can do.
_IDEAS = {
    "leverage": (("x", "y", "moved"), ("xlabel", "ylabel"), "drag one point and watch the line"),
    "street": (("X", "y"), ("C", "xlabel", "ylabel"), "drag the points and watch the street"),
    "centres": (("X", "centers"), (), "drag the centres and let the algorithm take single steps"),
    "threshold": (("scores", "y", "threshold"), ("xlabel", "classes"), "drag the threshold"),
}


class Live:
    """A picture of the first state, its sentence and its numbers, as self-contained HTML; made by :func:`live`.

    Its text, which notebooks are compared by, tells of a change in the picture, the sentence or any number.
    """

    def __init__(self, idea: str, markup: str, said: str, drawn: list[str]) -> None:
        self.idea = idea
        self.markup = markup
        self.said = said  # the sentence of the first state
        self.drawn = drawn  # the fingerprint of the picture, and the state

    def __repr__(self) -> str:
        return f'<live figure "{self.idea}", fingerprint {digest(self.drawn)}>\n{self.said}'

    def _repr_html_(self) -> str:
        return self.markup


def live(
    idea: str,
    draw: Callable[[Figure, dict[str, Any]], str],
    state: Mapping[str, Any],
    name: str,
    alt: str,
    width: float = 4.8,
    height: float = 3.3,
    max_kilobytes: int = 80,
) -> Live:
    r"""Draw the first state of a figure that the reader can drag on the page of the book.

    There ``static/live/<idea>.js`` takes the place of the picture, with formulas of its own, which
    ``tests/site/test_live.py`` compares with the library's. Where no script of the site runs, in JupyterLab or on
    paper, the picture stands.

    Parameters
    ----------
    idea : {"leverage", "street", "centres", "threshold"}
        * ``"leverage"``: the line of least squares through points ``x``, ``y`` of which the one with the index
          ``moved`` can be dragged; leverage, residual and Cook's distance of this point.
        * ``"street"``: the widest street between the points ``X`` (at most 20, two columns) with labels ``y`` (-1 and
          1), which can all be dragged. ``C`` is the price of a slack, one number; without it the margin is hard, and
          the figure says when no line separates the classes.
        * ``"centres"``: points ``X`` in two columns, and ``centers`` that can be dragged; assignment and sum of
          squares. A button takes one step of Lloyd's algorithm.
        * ``"threshold"``: histograms of ``scores`` with labels ``y`` (0 and 1) and a ``threshold`` that can be
          dragged; table of confusion, rates, point on the ROC curve. An instance is called positive if its score is at
          least the threshold. ``classes`` are the names of the two classes.

        ``xlabel`` and ``ylabel``, plain text, name the axes of ``leverage``, ``street`` and (``xlabel``) ``threshold``.
    draw : callable
        ``draw(fig, state)`` draws the state on an empty figure and returns a sentence that says what is seen there.
        Numbers and arrays of the state have been rounded to six significant digits, as the script gets them.
    state : mapping
    name : str
        Identifier of the figure, unique on its page: letters, digits and hyphens.
    alt : str
        What the figure shows, for readers who do not see it.
    width, height : float
        Size in inches.
    max_kilobytes : int
        The markup must not be larger.

    Returns
    -------
    Live

    Raises
    ------
    ValueError
        If ``idea`` is none of these, an entry of ``state`` is missing, unknown, not finite or of another length than
        its neighbour, ``name`` is not an identifier, ``draw`` returns no sentence, or the markup is too large.

    Examples
    --------
    >>> def cloud(fig, state):
    ...     fig.subplots().plot(state["x"], state["y"], "o")
    ...     return f"{len(state['x'])} points."
    >>> state = {"x": [0, 1, 2], "y": [0, 1, 3], "moved": 2}
    >>> figure = live("leverage", cloud, state, name="a-line", alt="A line through points")
    >>> print(repr(figure).partition("\n")[2])
    3 points.
    """
    check_name(name)
    if idea not in _IDEAS:
        raise ValueError(f"idea must be one of {', '.join(_IDEAS)}, got {idea!r}.")
    needed, allowed, doing = _IDEAS[idea]
    for key in needed:
        if key not in state:
            raise ValueError(f"state needs {', '.join(needed)} for {idea!r}, got no {key!r}.")
    for key in state:
        if key not in (*needed, *allowed):
            raise ValueError(f"state may hold {', '.join((*needed, *allowed))} for {idea!r}, got {key!r}.")
    rounded = {key: _rounded(key, value) for key, value in state.items()}
    lengths = {key: len(rounded[key]) for key in needed if key not in ("centers", "moved", "threshold")}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"state must hold as many labels or targets as points, got {lengths}.")
    still = picture(draw, ({k: np.array(v) if isinstance(v, list) else v for k, v in rounded.items()},), width, height)
    if not isinstance(still.said, str) or not still.said:
        raise ValueError(f"draw must return a sentence, got {still.said!r}.")
    data = json.dumps(rounded, ensure_ascii=True).replace("<", "\\u003c")
    markup = _LIVE.format(
        idea=idea, name=name, alt=html.escape(alt), text=html.escape(still.said), doing=doing, state=data,
        images=images("live", [still], [f"{alt}. {still.said}"], width, height).replace("live-frame", "live-still"),
    )  # fmt: skip
    check_weight(markup, max_kilobytes, "the live figure", "points or pictures")
    return Live(idea, markup, still.said, [still.drawn, data])


def _rounded(key: str, value: Any) -> Any:
    """Text as it is; numbers and arrays as lists of finite numbers with six significant digits."""
    if isinstance(value, str) or key == "classes":
        return value if isinstance(value, str) else [str(entry) for entry in value]
    numbers = np.asarray(value)
    if numbers.dtype.kind not in "biuf" or not np.isfinite(numbers).all():
        raise ValueError(f"state[{key!r}] must hold finite numbers, got {value!r}.")
    if numbers.dtype.kind != "f":
        return numbers.astype(int).tolist()
    return np.array([float(f"{entry:.6g}") for entry in numbers.ravel()]).reshape(numbers.shape).tolist()


_LIVE = """<div class="live" id="live-{name}" data-live="{idea}" role="group" aria-label="Live figure: {alt}">
{images}
<p class="live-text">{text}</p>
<p class="live-note">This is the first state. On the page of the book you can <span>{doing}</span>.</p>
<script type="application/json">{state}</script>
</div>"""
