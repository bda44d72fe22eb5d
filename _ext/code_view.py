"""Folded code: a cell tagged ``hide-input`` shows what it prints or draws, and its code on demand.

myst-nb makes the fold, a ``<details>`` that needs no script. Here its summary is named by the text that is seen, one
word for code; and pages with such folds load ``code_view.js``, which puts the switch *Code: folded / open* into the
header and remembers it. On paper stands what is open on the screen (``code_view.css``).
"""

from __future__ import annotations

import re
from html import escape

from myst_nb.sphinx_ import HideCodeCellNode

CODE = "Code"


def is_code(fold: HideCodeCellNode) -> bool:
    """Whether a fold holds the code of a cell and not what it shows."""
    return [child.get("nb_element") for child in fold.children] == ["cell_code_source"]


def visit(writer, fold: HideCodeCellNode) -> None:
    """Open the element, with a summary that has no other name than its text."""
    classes = " ".join([*fold["classes"], *(["code-fold"] if is_code(fold) else [])])
    writer.body.append(f'<details class="admonition hide {classes}">\n<summary>')
    if is_code(fold):
        writer.body.append(fold.get("summary", CODE))
    else:
        for state, prompt in (("collapsed", "prompt_show"), ("expanded", "prompt_hide")):
            writer.body.append(f'<p class="{state} admonition-title">{escape(fold[prompt])}</p>')
    writer.body.append("</summary>\n")


def depart(writer, fold: HideCodeCellNode) -> None:
    """Close the element."""
    writer.body.append("</details>\n")


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the switch on pages with folded code."""
    if re.search('code-fold"|with-code"', context.get("body") or ""):
        app.add_js_file("code_view.js")  # in the head, and not deferred: the first paint knows the choice


def setup(app):
    """Take the place of myst-nb's visitors."""
    app.add_node(HideCodeCellNode, override=True, html=(visit, depart))
    app.add_css_file("code_view.css")
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
