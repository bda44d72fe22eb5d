"""A page on paper: the answers are there, the controls are not, nothing is cut at the margin."""

from __future__ import annotations

from typing import Any

from .problems import Problem, shorten
from .rules import collect


def check_print(page: Any, name: str) -> list[Problem]:
    """On paper the solutions and answers are shown, the controls are not, and nothing is cut at the margin.

    Expects the page to be as wide as the paper.
    """
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    facts = collect(page, "paper")
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    what = {
        "controls": "is printed",
        "folded": "stays folded on paper",
        "cut": "is cut at the margin of the paper",
        "answers": "is printed on a paper without answers (body.hide-answers)",
    }
    return [Problem(name, "print", f"{shorten(element, 80)} {what[kind]}") for kind in what for element in facts[kind]]


def check_pdf(page: Any, name: str) -> list[Problem]:
    """Chromium makes a PDF of the page."""
    data = page.pdf(format="A4")
    return [] if data.startswith(b"%PDF") and len(data) > 10_000 else [Problem(name, "pdf", f"{len(data)} bytes")]
