"""The notebooks that the site offers are chapters for JupyterLab (``lab_edition``), each to travel alone."""

from __future__ import annotations

import filecmp
from pathlib import Path

import lab_edition
import nbformat


def convert(app, exception) -> None:
    """Replace each copy of a notebook that Sphinx has made by its edition for JupyterLab."""
    folder = Path(app.outdir) / "_sources"
    sources = {
        path: app.env.doc2path(path.relative_to(folder).with_suffix("").as_posix()) for path in folder.rglob("*.ipynb")
    }
    made = [path for path, source in sources.items() if Path(source).is_file() and filecmp.cmp(path, source, False)]
    if exception or not made:
        return
    book = lab_edition.read_book(Path(app.srcdir))
    for path in made:
        page = path.relative_to(folder).with_suffix("").as_posix()
        nbformat.write(lab_edition.edition(nbformat.read(path, 4), page, book, alone=True), path)


def setup(app):
    """Convert when all pages are written."""
    app.connect("build-finished", convert)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
