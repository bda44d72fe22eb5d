"""Where a long identifier may break: after a dot, an underscore or a slash.

``notes_lib.clustering.gmm.log_density`` is wider than a phone. A ``<wbr>`` after each such sign lets the line
break there; it adds nothing that is seen, copied, read out or found by a search.
"""

from __future__ import annotations

import re

WORD = re.compile(r'(?<=<span class="pre">)[^<\s]+(?=</span>)')
LONG = 12  # shorter ones are moved to the next line as they are
SIGN = re.compile(r"(?<=[^\W_])(?:[._/]+(?=[^\W_])|\.$)")


def with_breaks(word: str) -> str:
    """A word of code with its places to break."""
    return SIGN.sub(r"\g<0><wbr>", word) if len(word) >= LONG else word


def let_break(app, pagename, templatename, context, doctree) -> None:
    """Mark the places in the words of code of a page; listings have none."""
    if "body" in context:
        context["body"] = WORD.sub(lambda found: with_breaks(found[0]), context["body"])


def setup(app):
    """Change the pages on their way to the template."""
    app.connect("html-page-context", let_break)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
