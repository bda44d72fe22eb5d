"""Make the icons from ``static/favicon.svg``, drawn by Chromium.

``favicon.ico`` has 16, 32 and 48 pixels. ``icon-192.png`` and ``icon-512.png`` are for the book among the programs of a
device: on paper, and with a margin, so that a system may cut them to a circle (maskable).

.venv/bin/python -m tools.favicon
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tools.site_check.browser import browser, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STATIC = Path(__file__).resolve().parent.parent / "static"
SIZES = (16, 32, 48)
LARGE = (192, 512)
INSIDE = 0.68  # of the width of a large icon; a system shows at least the middle 0.8


def main() -> None:
    """Draw each size by itself; the small ones go into one file."""
    svg = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    with browser(find_chromium()) as chromium:
        small = [draw(chromium, svg, size) for size in SIZES]
        for size in LARGE:
            large = draw(chromium, svg, size, inside=INSIDE, paper="#fff").convert("RGB").quantize(64)
            large.save(STATIC / f"icon-{size}.png", optimize=True)
    small[-1].save(STATIC / "favicon.ico", sizes=[(size, size) for size in SIZES], append_images=small[:-1])


def draw(chromium: Browser, svg: str, size: int, inside: float = 1, paper: str = "transparent") -> Image.Image:
    """One size; ``inside``: the share of it that the mark takes."""
    page = chromium.new_page(viewport={"width": size, "height": size})
    middle = f"margin: 0; background: {paper}; display: grid; height: 100vh; place-items: center"
    page.set_content(f"<style>body {{ {middle} }} svg {{ display: block; width: {size * inside}px }}</style>{svg}")
    return Image.open(io.BytesIO(page.screenshot(omit_background=True)))


if __name__ == "__main__":
    main()
