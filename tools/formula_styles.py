"""Write the style sheet of the most frequent styles in the formulas of a built book.

    python -m tools.formula_styles _build/html

Build with an empty ``static/formula_styles.css`` first: styles that it holds are no longer in the pages.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STYLED = re.compile(r'<span(?: class="[\w -]+")? style="([^"]*em;)"')
MOST = 400
HEAD = "/* Styles that KaTeX writes into formulas, by how often they occur; written by tools/formula_styles.py. */\n"


def digits(number: int) -> str:
    """A number in base 36."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz"
    return signs[number] if number < 36 else digits(number // 36) + signs[number % 36]


def sheet(pages: list[str]) -> str:
    """The style sheet for some pages."""
    times = Counter(style for page in pages for style in STYLED.findall(page))
    kept = sorted(times, key=lambda style: (-times[style], style))[:MOST]
    return HEAD + "".join(f".katex .kx{digits(number)} {{ {style} }}\n" for number, style in enumerate(kept))


if __name__ == "__main__":
    paths = sorted(Path(sys.argv[1]).glob("chapters/*/*.html"))
    (ROOT / "static/formula_styles.css").write_text(
        sheet([path.read_text(encoding="utf-8") for path in paths]), encoding="utf-8"
    )
