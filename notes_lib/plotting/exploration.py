"""Explorers: a grid of states, each drawn once, that the reader walks through with one slider for each parameter."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from notes_lib.display import sig
from notes_lib.plotting.frames import check_name, check_weight, digest, images, picture


class Explorer:
    """A picture and a sentence for each state, as self-contained HTML; made by :func:`explorer`.

    Its text, which notebooks are compared by, lists the sentences and tells of a change in what any picture draws.
    """

    def __init__(self, markup: str, texts: list[str], drawn: list[str]) -> None:
        self.markup = markup
        self.texts = texts  # the sentence of each state
        self.drawn = drawn  # the fingerprint of each picture

    def __repr__(self) -> str:
        title = f"<explorer of {len(self.drawn)} states, fingerprint {digest(self.drawn)}>"
        return "\n".join([title, *self.texts])

    def _repr_html_(self) -> str:
        return self.markup


def explorer(
    draw: Callable[..., str],
    grid: Mapping[str, Sequence[Any]],
    name: str,
    alt: str,
    width: float = 4.6,
    height: float = 2.8,
    max_kilobytes: int = 300,
) -> Explorer:
    r"""Draw every combination of the parameters' values; the reader chooses one with a slider for each parameter.

    Where no script runs, on paper and in JupyterLab before the cell is run, the first state is shown, with a sentence
    that says so.

    Parameters
    ----------
    draw : callable
        ``draw(fig, a, b, ...)`` draws the state with these values, in the order of ``grid``, on an empty figure and
        returns a sentence that says what is seen there.
    grid : mapping
        Name of each parameter, as the reader sees it, to its values: at least two each.
    name : str
        Identifier of the explorer, unique on its page: letters, digits and hyphens.
    alt : str
        What all pictures show, for readers who do not see them.
    width, height : float
        Size in inches.
    max_kilobytes : int
        The markup must not be larger.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        If ``grid`` is empty or a parameter has fewer than two values, ``name`` is not an identifier, a state has no
        sentence, or the pictures are too large together (use fewer or smaller ones).

    Examples
    --------
    >>> def parabola(fig, a):
    ...     fig.subplots().plot([-1, 0, 1], [a, 0, a])
    ...     return f"It is {'flat' if a == 0 else 'bent'}."
    >>> states = explorer(parabola, {"a": [0, 1]}, "parabola", "A parabola")
    >>> print(repr(states).partition("\n")[2])
    a = 0: It is flat.
    a = 1: It is bent.
    """
    check_name(name)
    if not grid:
        raise ValueError("grid must name at least one parameter, got none.")
    for parameter, values in grid.items():
        if len(values) < 2:
            raise ValueError(f"grid[{parameter!r}] must hold at least two values, got {len(values)}.")
    states = list(product(*grid.values()))
    pictures = [picture(draw, values, width, height, fixed=True) for values in states]
    texts = [_sentence(grid, values, drawn.said) for values, drawn in zip(states, pictures, strict=True)]
    markup = _EXPLORER.format(
        name=name,
        alt=html.escape(alt),
        images=images("explorer", pictures, texts, width, height),
        sliders=_sliders(grid, name),
        n=len(states),
        names=html.escape(" and ".join(grid)),
        text=html.escape(texts[0]),
    )
    check_weight(markup, max_kilobytes, "the explorer", "states")
    return Explorer(markup, texts, [drawn.drawn for drawn in pictures])


def _sentence(grid: Mapping[str, Sequence[Any]], values: tuple[Any, ...], said: Any) -> str:
    """The values of a state and what is seen there."""
    where = ", ".join(f"{parameter} = {_shown(value)}" for parameter, value in zip(grid, values, strict=True))
    if not isinstance(said, str) or not said:
        raise ValueError(f"draw must return a sentence for every state, got {said!r} for {where}.")
    return f"{where}: {said}"


def _shown(value: Any) -> str:
    """A value as the reader sees it: numbers with six significant digits at most."""
    return value if isinstance(value, str) else sig(value, 6)


def _sliders(grid: Mapping[str, Sequence[Any]], name: str) -> str:
    """One labelled slider for each parameter with its value beside the label; its steps are the values."""
    rows = []
    for i, (parameter, values) in enumerate(grid.items()):
        shown = [_shown(value) for value in values]
        rows.append(
            f'<div class="explorer-control"><label for="explorer-{name}-{i}">{html.escape(parameter)}</label> '
            f'<output class="explorer-value" aria-hidden="true">{html.escape(shown[0])}</output>'
            f'<input type="range" id="explorer-{name}-{i}" min="0" max="{len(values) - 1}" value="0"'
            f' aria-valuetext="{html.escape(shown[0])}" data-values="{html.escape(json.dumps(shown))}"></div>'
        )
    return "\n".join(rows)


# The pictures stand in the order of the grid: the last parameter changes fastest. A browser may keep the sliders where
# they were when the page is loaded again, hence the last call.
_EXPLORER = """<div class="explorer" id="explorer-{name}" role="group" aria-label="Explorer: {alt}">
{images}
<p class="explorer-note">The first of {n} states. Sliders for {names} work where scripts run: on the page of the book, and
in JupyterLab once the cell is run.</p>
<div class="explorer-controls" hidden="hidden">
{sliders}
</div>
<p class="explorer-text" aria-live="polite">{text}</p>
<script>
(function () {{
  var box = document.getElementById("explorer-{name}"), text = box.querySelector(".explorer-text");
  var frames = box.querySelectorAll(".explorer-frame"), sliders = Array.from(box.querySelectorAll("input"));
  function show() {{
    var now = sliders.reduce(function (i, s) {{ return i * (Number(s.max) + 1) + Number(s.value); }}, 0);
    frames.forEach(function (f, i) {{ f.hidden = i !== now; }});
    text.textContent = frames[now].alt;
    sliders.forEach(function (s) {{
      var value = JSON.parse(s.dataset.values)[s.value];
      s.setAttribute("aria-valuetext", value);
      s.previousElementSibling.textContent = value;
    }});
  }}
  sliders.forEach(function (s) {{ s.addEventListener("input", show); }});
  box.querySelector(".explorer-note").hidden = true;
  box.querySelector(".explorer-controls").hidden = false;
  show();
}})();
</script>
</div>"""  # noqa: E501
