"""Pictures inside the HTML of an output: what animations and explorers are made of."""

from __future__ import annotations

import base64
import hashlib
import html
import io
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from notes_lib.display import fingerprint

HIDDEN = ' hidden="hidden"'


class Picture(NamedTuple):
    """A picture as a base64 PNG, the fingerprint of what it shows, and what the function that drew it returned."""

    png: str
    drawn: str
    said: Any


def picture(
    draw: Callable[..., Any], values: tuple[Any, ...], width: float, height: float, fixed: bool = False
) -> Picture:
    """Call ``draw(fig, *values)`` on an empty figure; 64 colours make the PNG a third of its size in full colour.

    With ``fixed`` margins the axes of all pictures stand at one place (and nothing has to be laid out, which takes a
    third of the time).

    The pixels come from the canvas: ``savefig`` would draw twice and pack a PNG that is unpacked at once.
    """
    from PIL import Image

    fig = plt.figure(figsize=(width, height), layout="none" if fixed else None)
    if fixed:  # room for the labels, in inches
        fig.subplots_adjust(left=0.65 / width, right=1 - 0.1 / width, bottom=0.5 / height, top=1 - 0.1 / height)
    said = draw(fig, *values)
    fig.set_dpi(120)
    canvas, small = FigureCanvasAgg(fig), io.BytesIO()
    canvas.draw()
    plt.close(fig)
    frame = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").quantize(64)
    frame.save(small, "png", compress_level=8)  # 9 spares 2 % of the bytes and takes three times as long
    return Picture(base64.b64encode(small.getvalue()).decode("ascii"), fingerprint(fig), said)


def images(kind: str, pictures: Sequence[Picture], texts: Sequence[str], width: float, height: float) -> str:
    """The markup of all pictures, of the class ``<kind>-frame``, each with its text; the first one is seen.

    JupyterLab drops attributes without a value from outputs that it has not run itself, hence ``hidden="hidden"``.
    """
    return "\n".join(
        f'<img class="{kind}-frame"{HIDDEN if i else ""} src="data:image/png;base64,{picture.png}"'
        f' alt="{html.escape(text)}" width="{round(96 * width)}" height="{round(96 * height)}">'
        for i, (picture, text) in enumerate(zip(pictures, texts, strict=True))
    )


def digest(drawn: list[str]) -> str:
    """Eight letters that change when any of the texts does."""
    return hashlib.blake2b("\n".join(drawn).encode(), digest_size=4).hexdigest()


def check_name(name: str) -> None:
    """Refuse what cannot be part of an id."""
    if not name or not all(c.isascii() and (c.isalnum() or c == "-") for c in name):
        raise ValueError(f"name must consist of letters, digits and hyphens, got {name!r}.")


def check_weight(markup: str, max_kilobytes: int, what: str, parts: str) -> None:
    """Refuse markup that is too large."""
    if len(markup) > 1024 * max_kilobytes:
        raise ValueError(
            f"{what} takes {len(markup) // 1024} kB, more than max_kilobytes={max_kilobytes}: "
            f"draw fewer or smaller {parts}."
        )
