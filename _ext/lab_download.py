"""The notebooks that the site offers are chapters for JupyterLab (``lab_edition``), each to travel alone."""

from __future__ import annotations

from pathlib import Path

import lab_edition
import nbformat


def convert(app, exception) -> None:
    """Replace each copy of a notebook that this build has made by its edition for JupyterLab."""
    folder = Path(app.outdir) / "_sources"
    copies = [path for path in sorted(folder.rglob("*.ipynb")) if path.stat().st_mtime >= app.began]
    if exception or not copies:
        return
    book = lab_edition.read_book(Path(app.srcdir))
    for path in copies:
        page = path.relative_to(folder).with_suffix("").as_posix()
        source = nbformat.read(
            app.env.doc2path(page), 4
        )  # the copy of a page that was not written is converted already
        nbformat.write(lab_edition.edition(source, page, book, alone=True), path)


def setup(app):
    """Convert when all pages are written."""
    app.setup_extension("written_pages")
    app.connect("build-finished", convert)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
