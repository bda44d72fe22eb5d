"""Make ``static/favicon.ico`` from ``static/favicon.svg``: 16, 32 and 48 pixels, drawn by Chromium.

.venv/bin/python -m tools.favicon
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from tools.site_check.browser import browser, find_chromium

STATIC = Path(__file__).resolve().parent.parent / "static"
SIZES = (16, 32, 48)


def main() -> None:
    """Draw each size by itself and write them into one file."""
    svg = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    drawn = []
    with browser(find_chromium()) as chromium:
        for size in SIZES:
            page = chromium.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<style>html, body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{svg}"
            )
            drawn.append(Image.open(io.BytesIO(page.screenshot(omit_background=True))))
    drawn[-1].save(STATIC / "favicon.ico", sizes=[(size, size) for size in SIZES], append_images=drawn[:-1])


if __name__ == "__main__":
    main()
