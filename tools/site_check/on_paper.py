"""What a student does before an exam: plans the days to it, and prints a worksheet."""

from __future__ import annotations

import datetime
from typing import Any

from .browser import PageError
from .pages import Site
from .problems import Problem

KEPT = "machine-learning-derived.note.plan"


def check_plan(page: Any, name: str, site: Site) -> list[Problem]:
    """By the keyboard a plan for one chapter is made and its first item ticked; what was kept of it is forgotten."""
    exam = page.evaluate("Date.now()") / 1000 + 10 * 24 * 3600
    page.locator("#plan-exam").fill(datetime.date.fromtimestamp(exam).isoformat())
    page.locator("[id^='plan-chapter-']").first.press("Space")
    page.locator(".exam-plan button[type='submit']").press("Enter")
    boxes, problems = page.locator(".plan-day input[type='checkbox']"), []
    if not _comes(boxes.first):
        return [Problem(name, "plan", "no day has anything to do")]
    boxes.first.press("Space")
    if not _comes(page.locator(".plan > p", has_text="; 1 of")):
        problems.append(Problem(name, "plan", "what is ticked does not count as done"))
    page.evaluate("key => localStorage.removeItem(key)", KEPT)
    return problems


def check_worksheet(page: Any, name: str, site: Site) -> list[Problem]:
    """A sheet has room for the work and answers; another sheet has other ones."""
    found = []
    for sheet in ("1", "0"):  # chosen anew, since of the first sheet a sample keeps one of each kind of element
        page.locator("#worksheet-sheet").select_option(sheet)
        answers = page.locator(".worksheet-answers ~ p").first
        parts = (page.locator(".worksheet h2", has_text=f"Worksheet {sheet}"), page.locator(".worksheet-room").first)
        if not all(map(_comes, (*parts, answers))):
            return [Problem(name, "worksheet", "no room for the work, or no answers")]
        found.append(answers.text_content())
    return [] if found[0] != found[1] else [Problem(name, "worksheet", "another sheet has the same answers")]


def _comes(element: Any) -> bool:
    try:
        element.wait_for(state="visible", timeout=5000)
    except PageError:
        return False
    return True
