"""The reference of the library at a glance: each entry shows its call and what it does in a sentence.

Parameters, results, notes and examples are folded behind one line; they are printed, and find-in-page opens them. The
methods of a class stay in sight, each with a fold of its own. The fields of a named tuple, which its call lists and its
text explains, have no entries of their own ("Alias for field number 0").
"""

from __future__ import annotations

from typing import Any

import html_nodes
from docutils import nodes
from sphinx import addnodes

ALIAS = "Alias for field number"
MORE = "reference-more"
CALLED = "Parameters, results, examples"


def skip_alias(app, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what Python itself says of a field."""
    return True if (getattr(obj, "__doc__", None) or "").startswith(ALIAS) else None


def fold(app, doctree, docname: str) -> None:
    """Fold what follows the first paragraph of each entry, up to the entries inside it."""
    if app.builder.format != "html":
        return
    for content in list(doctree.findall(addnodes.desc_content)):
        first = next((n for n, child in enumerate(content) if isinstance(child, nodes.paragraph)), None)
        if first is None:
            continue
        rest = [child for child in content[first + 1 :] if not isinstance(child, addnodes.desc | addnodes.index)]
        if not any(isinstance(child, nodes.field_list | nodes.rubric) for child in rest):
            continue
        place = content.index(rest[0])
        for child in rest:
            content.remove(child)
        summary = html_nodes.paragraph("", CALLED, tag="summary")
        content.insert(place, html_nodes.block(MORE, summary, *rest, tag="details"))


def setup(app):
    """Come when references are resolved."""
    app.setup_extension("html_nodes")
    app.add_css_file("reference.css")
    app.connect("autodoc-skip-member", skip_alias)
    app.connect("doctree-resolved", fold)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
