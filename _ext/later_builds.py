"""A later build gives the pages that a build from nothing gives.

* Sphinx writes a page anew when its own source has changed. When something has changed that other pages show (a
  number, a label, a title, the order of the pages, an entry of the reference), all pages are written anew. They need
  not be read for that.
* myst-nb, sphinx-proof and sphinx-exercise put their style sheets into the site when all pages are written. Pages
  written later would find them there and name them by another address (with a checksum), so they are taken away until
  then.

``run.py book`` builds everything from nothing when the frame of the book has changed: extensions, settings, contents.
"""

from __future__ import annotations

from pathlib import Path

import page_store

LATE_STYLE_SHEETS = ("mystnb.*.css", "proof.css", "exercise.css")


def shown_elsewhere(env) -> tuple:
    """List what pages show of other pages."""
    titles = [(page, env.titles[page].astext()) for page in page_store.reading_order(env)]
    objects = [sorted(map(repr, domain.get_objects())) for _, domain in sorted(env.domains.items())]
    return page_store.numbering(env), titles, objects


def stale_pages(app, env) -> list[str]:
    """Name all pages when something that other pages show is not that of the last build."""
    return sorted(env.found_docs) if page_store.changed(env, "shown elsewhere", shown_elsewhere(env)) else []


def remove_late_style_sheets(app) -> None:
    """Take away what comes into the site after its pages."""
    for name in LATE_STYLE_SHEETS:
        for sheet in Path(app.outdir).glob(f"_static/{name}"):
            sheet.unlink()


def setup(app):
    """Look at the end of reading."""
    app.setup_extension("page_store")
    app.connect("builder-inited", remove_late_style_sheets)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
