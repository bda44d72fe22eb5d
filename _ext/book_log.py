"""How the book's own extensions warn: with a place, and with a type (``book.<subject>``) that Sphinx prints."""

from __future__ import annotations

from sphinx.util import logging

log = logging.getLogger(__name__)


def warn(subject: str, message: str, where) -> None:
    """Warn about a mistake in a source; ``where`` is a node, a page, (page, line) or a "file:line"."""
    log.warning(message, location=where, type="book", subtype=subject)
