"""Links in code cells (sphinx-codeautolink), without a detour through every formula.

sphinx-codeautolink reads each written page into a tree, to find the code in it, and writes the tree out again. More
than half of a chapter's page is KaTeX's markup, which holds no code: it waits outside while the links are set. Without
it a page is read and written in less than half the time, and the formulas stay exactly as KaTeX wrote them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError
from sphinx_codeautolink import extension

SPAN = re.compile(r'<span class="katex">|<span\b|</span>')
PLACE = re.compile(r"<!--formula (\d+)-->")
set_links = extension.link_html


def set_aside(page: str) -> tuple[str, list[str]]:
    """Replace each formula of a page by a numbered comment; return the page and the formulas.

    Examples
    --------
    >>> set_aside('a <span class="katex"><span>x</span></span> <span>b</span>')
    ('a <!--formula 0--> <span>b</span>', ['<span class="katex"><span>x</span></span>'])
    """
    parts: list[str] = []
    formulas: list[str] = []
    depth = start = end = 0
    for tag in SPAN.finditer(page):
        if depth == 0 and tag.group() != '<span class="katex">':
            continue
        if depth == 0:
            start = tag.start()
        depth += -1 if tag.group() == "</span>" else 1
        if depth == 0:
            parts += [page[end:start], f"<!--formula {len(formulas)}-->"]
            end = tag.end()
            formulas.append(page[start:end])
    return "".join([*parts, page[end:]]), formulas


def restore(page: str, formulas: list[str]) -> str:
    """Put the formulas back in their places."""
    found = [int(number) for number in PLACE.findall(page)]
    if found != list(range(len(formulas))):
        raise ExtensionError(f"{len(formulas)} formulas were set aside and {len(found)} places are left for them")
    return PLACE.sub(lambda place: formulas[int(place[1])], page)


def link_html(document: str, out_dir: str, *arguments: Any, **options: Any) -> None:
    """Set the links of one page; whatever happens, its formulas come back."""
    path = Path(out_dir) / f"{document}.html"
    page, formulas = set_aside(path.read_text(encoding="utf-8"))
    path.write_text(page, encoding="utf-8")
    try:
        set_links(document, out_dir, *arguments, **options)
    finally:
        path.write_text(restore(path.read_text(encoding="utf-8"), formulas), encoding="utf-8")


def setup(app):
    """Step between sphinx-codeautolink and the pages."""
    extension.link_html = link_html
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
