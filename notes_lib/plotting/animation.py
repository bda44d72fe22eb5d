"""Animations: frames with a player that needs neither network nor libraries."""

from __future__ import annotations

import html
from collections.abc import Callable

from matplotlib.figure import Figure

from notes_lib.plotting.frames import check_name, check_weight, digest, images, picture


class Player:
    """An animation as self-contained HTML; made by :func:`player`.

    Its text, which notebooks are compared by, tells of a change in what any frame draws.
    """

    def __init__(self, markup: str, drawn: list[str]) -> None:
        self.markup = markup
        self.drawn = drawn  # the fingerprint of each frame

    def __repr__(self) -> str:
        return f"<animation of {len(self.drawn)} frames, fingerprint {digest(self.drawn)}>"

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

    All frames stand in the markup as images. Without a script, and in JupyterLab before the cell is run, the first one
    is seen, with a sentence that says so; on paper all of them are.

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
    check_name(name)
    frames = [picture(draw, (i,), width, height) for i in range(n_frames)]
    texts = [f"{alt} (frame {i + 1} of {n_frames})" for i in range(n_frames)]
    shown = images("anim", frames, texts, width, height)
    markup = _PLAYER.format(name=name, alt=html.escape(alt), images=shown, n=n_frames, delay=round(1000 / fps))
    check_weight(markup, max_kilobytes, "the animation", "frames")
    return Player(markup, [frame.drawn for frame in frames])


_PLAYER = """<div class="anim-player" id="anim-{name}" role="group" aria-label="Animation: {alt}">
{images}
<p class="anim-note">The first of {n} frames. They play where scripts run: on the page of the book, and in JupyterLab once
the cell is run.</p>
<div class="anim-controls" hidden="hidden">
<button type="button" data-step="-1" aria-label="Previous frame">&#8592;</button>
<button type="button" data-play aria-label="Play">Play</button>
<button type="button" data-step="1" aria-label="Next frame">&#8594;</button>
<input type="range" min="1" max="{n}" value="1" aria-label="Frame">
<output>1 / {n}</output>
<label>Speed <select><option value="2">&#189;&#215;</option><option value="1" selected>1&#215;</option>
<option value="0.5">2&#215;</option><option value="0.25">4&#215;</option></select></label>
</div>
<script>
(function () {{
  var box = document.getElementById("anim-{name}");
  var frames = box.querySelectorAll(".anim-frame"), slider = box.querySelector("input");
  var count = box.querySelector("output"), play = box.querySelector("[data-play]"), timer = null, now = 0;
  var speed = box.querySelector("select");
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
  function start() {{
    clearInterval(timer);
    timer = setInterval(function () {{ show(now + 1); }}, {delay} * speed.value);
    play.textContent = "Pause"; play.setAttribute("aria-label", "Pause");
  }}
  box.querySelectorAll("[data-step]").forEach(function (b) {{
    b.addEventListener("click", function () {{ stop(); show(now + Number(b.dataset.step)); }});
  }});
  slider.addEventListener("input", function () {{ stop(); show(slider.value - 1); }});
  play.addEventListener("click", function () {{ if (timer) stop(); else start(); }});
  speed.addEventListener("change", function () {{ if (timer) start(); }});
  box.querySelector(".anim-note").hidden = true;
  box.querySelector(".anim-controls").hidden = false;
}})();
</script>
</div>"""  # noqa: E501
