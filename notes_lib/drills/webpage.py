"""The Markdown of a drill or a paper as one web page: formulas set by KaTeX, no script, no other file, printable."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib.util import find_spec
from pathlib import Path

__all__ = ["markup", "title_of", "webpage"]

KATEX = Path(__file__).resolve().parents[2] / "static" / "katex"  # the book's style sheet and fonts
STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, "Liberation Serif", serif; }
h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid; padding: .2rem .6rem; min-width: 2.5rem; height: 1.6rem; }
.katex { font-size: 1.08em; }
.katex-display { overflow-x: auto; overflow-y: hidden; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e6e6e6; } }
@media print {
  body { margin: 0; max-width: none; background: none; color: black; }
  h2, h3 { break-after: avoid; }
  tr { break-inside: avoid; }
}
@page { size: A4; margin: 18mm; }
"""
NEEDED = (
    "html needs the book's folder, mini-racer and sphinxcontrib-katex: clone the book and call python3 run.py book."
)


def webpage(markdown: str, title: str, style: str = "") -> str:
    r"""HTML of a Markdown source with formulas between dollar signs; ``style`` is added to the style sheet.

    Examples
    --------
    >>> page = webpage(r"Find $\tfrac{1}{26}$.", "A drill")
    >>> "<title>A drill</title>" in page, "<mfrac><mn>1</mn><mn>26</mn></mfrac>" in page, page.count("http://www")
    (True, True, 1)
    """
    with _katex() as katex:
        body = markup(markdown, katex)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    css = f"<style>{_katex_style()}{STYLE}{style}</style>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}{css}</head>\n<body>\n{body}</body></html>\n'


def title_of(markdown: str) -> str:
    r"""The title of a Markdown source: its first line without the signs of a heading.

    Examples
    --------
    >>> title_of("## Paper 3\n\nAnswer all questions.")
    'Paper 3'
    """
    return markdown.partition("\n")[0].lstrip("# ")


def _katex_style() -> str:
    """KaTeX's style sheet with its fonts inside."""

    def font(match: re.Match[str]) -> str:
        return f"url(data:font/woff2;base64,{b64encode((KATEX / match[1]).read_bytes()).decode()})"

    return re.sub(r"url\(([^)]*\.woff2)\)", font, (KATEX / "katex.min.css").read_text(encoding="utf-8"))


def markup(markdown: str, katex: Callable[[str, bool], str]) -> str:
    """HTML of a Markdown source alone, with formulas set by ``katex(tex, displayed)``."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    renderer = lambda tex, options: katex(tex.strip(), options["display_mode"])
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").use(dollarmath_plugin, renderer=renderer)
    return str(reader.render(markdown))


@contextmanager
def _katex() -> Iterator[Callable[[str, bool], str]]:
    """KaTeX as a function of TeX, and of whether the formula is displayed."""
    spec = find_spec("sphinxcontrib") and find_spec("sphinxcontrib.katex")
    if not (spec and spec.origin and find_spec("py_mini_racer") and KATEX.is_dir()):
        raise ValueError(NEEDED)
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    try:
        engine.eval(Path(spec.origin).with_name("katex.min.js").read_text(encoding="utf-8"))
        render = "katex.renderToString({}, {})".format
        yield lambda tex, block: str(engine.eval(render(json.dumps(tex), json.dumps({"displayMode": block}))))
    finally:
        engine.close()  # left to the interpreter's exit, V8 hangs there on Python 3.13
