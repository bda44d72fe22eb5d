"""The lines of a comparison of methods (``method_comparison``), for the site and for JupyterLab."""

from __future__ import annotations

import re

WHOLE = re.compile(r"\$[^$]*\$|`[^`]*`")  # a bar in a formula or in code parts no cells
BAR = "\0"


def split(line: str) -> list[str]:
    """The cells of a line.

    Examples
    --------
    >>> split("Border | $|x|$ | none")
    ['Border', '$|x|$', 'none']
    """
    hidden = WHOLE.sub(lambda found: found[0].replace("|", BAR), line)
    return [text.strip().replace(BAR, "|") for text in hidden.split("|")]


def markdown(methods: str, body: str) -> str:
    """The lines as a table in Markdown; ``methods`` are its heads, or "" if the first line holds them."""
    rows = [split(line) for line in body.splitlines() if line.strip()]
    if methods:
        rows.insert(0, ["", *(name.strip() for name in methods.split(";"))])
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join("| " + " | ".join(WHOLE.sub(barless, cell) for cell in row) + " |" for row in rows)


def barless(found: re.Match[str]) -> str:
    """A formula or a piece of code, as it may stand in a table."""
    if found[0].startswith("`"):
        return found[0].replace("|", r"\|")
    return found[0].replace(r"\|", r"\Vert ").replace("|", r"\vert ")
