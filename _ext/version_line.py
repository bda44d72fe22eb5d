"""The version of the book at the foot of every page: the commit it was built from, and its date.

The line stands in one style sheet, ``version.css``, that each build writes and every page loads. So a new commit
changes one file and no page: pages that are not built again tell the right version, and the browser checks see that
they are as they were. It needs no script; a script that wants the version reads the property ``--book-version``.

Where the book is no checkout of its own (unpacked from an archive), the line says the version of ``pyproject.toml``.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "version.css"
SHEET = """:root {{ --book-version: "{version}"; }}
.bd-footer-content .extra_footer::after {{ content: var(--book-version); display: block; }}
"""


def git(root: Path, *words: str) -> str:
    """What git says about a folder; nothing where it is missing or fails."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def version(root: Path) -> str:
    """Commit and date of a checkout, and whether it was changed since; elsewhere the version of the project."""
    top = git(root, "rev-parse", "--show-toplevel")
    if top and Path(top).resolve() == root.resolve():  # not a checkout of something else that the book lies in
        commit = git(root, "log", "-1", "--format=%h of %cs")
        changed = git(root, "status", "--porcelain", "--untracked-files=no")
        if commit:
            return f"Version {commit}{', with changes' if changed else ''}"
    return f"Version {importlib.metadata.version('notes_lib')}"  # that of pyproject.toml, installed with the library


def name_sheet(app, pagename, templatename, context, doctree) -> None:
    """Let the page load the style sheet."""
    address = context["pathto"](NAME, resource=True)
    context["metatags"] = context.get("metatags", "") + f'<link rel="stylesheet" href="{address}"/>\n'


def write_sheet(app, exception) -> None:
    """Write the style sheet, also when no page was built anew."""
    if not exception and app.builder.format == "html":
        (Path(app.outdir) / NAME).write_text(SHEET.format(version=version(ROOT)), encoding="utf-8")


def setup(app):
    """Connect the two steps."""
    app.connect("html-page-context", name_sheet)
    app.connect("build-finished", write_sheet)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
