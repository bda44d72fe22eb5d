"""The first picture of a notebook, and a small copy of it: plain functions, no Sphinx."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from frame_files import FRAME
from PIL import Image, ImageChops, ImageOps

HIDDEN = {"remove-cell", "remove-output"}
BOX, MARGIN = (288, 180), 6  # the most that a small copy may measure, and the white around what is drawn, in pixels
QUALITY, METHOD = 30, 6  # of WebP: below 3 kB a picture, for line drawings


class Small(NamedTuple):
    """A small copy."""

    data: bytes
    width: int
    height: int

    @property
    def name(self) -> str:
        """The name of its file, which follows from its content."""
        return hashlib.sha256(self.data).hexdigest()[:24] + ".webp"

    def write(self, folder: Path) -> str:
        """Write the file, and return its name."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / self.name).write_bytes(self.data)
        return self.name


def pictures(notebook: dict[str, Any]) -> Iterator[str]:
    """All pictures that a notebook shows, in its order, as base64 data; of what moves, the frames."""
    for cell in notebook["cells"]:
        if HIDDEN & set(cell["metadata"].get("tags", ())):
            continue
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                yield "".join(data["image/png"])
            yield from (found["png"] for found in FRAME.finditer("".join(data.get("text/html", ""))))


def first_picture(notebook: dict[str, Any]) -> bytes | None:
    """The first picture that a notebook shows, as a PNG: a figure, or how a player or an explorer begins."""
    found = next(pictures(notebook), None)
    return None if found is None else base64.b64decode(found)


def small(picture: bytes) -> Small:
    """Cut the white margins of a picture off and make it small, as WebP."""
    with Image.open(io.BytesIO(picture)) as opened:
        layer = opened.convert("RGBA")
    image = Image.new("RGB", layer.size, "white")
    image.paste(layer, mask=layer)
    drawn = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    if drawn:
        image = ImageOps.expand(image.crop(drawn), MARGIN, "white")
    image.thumbnail(BOX, Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=QUALITY, method=METHOD)
    return Small(file.getvalue(), *image.size)
