"""Highlighted code without markup that nobody sees: what has the ink of the text needs no span.

Pygments gives each name, sign and operator a span of its own. The book's style sheet draws them all in the ink of the
text, so their spans, two of three in a listing, would only make the page heavy: 12 kB of a long chapter as it is sent,
and a sixth of its elements.
"""

from __future__ import annotations

import re

LISTING = re.compile(r"(?<=<pre><span></span>).*?(?=</pre>)", re.DOTALL)
PLAIN = ("n", "p", "o", "w", "nb", "nn", "na", "bp", "vm")  # Pygments' classes of names and signs
SPAN = re.compile(rf'<span class="(?:{"|".join(PLAIN)})">([^<]*)</span>')


def lighten(page: str) -> str:
    """Take the spans of plain names and signs out of all highlighted code."""
    return LISTING.sub(lambda found: SPAN.sub(r"\1", found[0]), page)


def lighten_page(app, pagename, templatename, context, doctree) -> None:
    """Change a page on its way to the template."""
    if "body" in context:
        context["body"] = lighten(context["body"])


def setup(app):
    """Come after the links in code, which are set by the spans."""
    app.connect("html-page-context", lighten_page, priority=990)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
