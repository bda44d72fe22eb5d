"""A quiz answers at once, to the eye and to the ear, whether it is used with the mouse or the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .pages import Site
from .problems import Problem

OPTIONS = """item => [...item.querySelectorAll(".quiz-input")].map(input => ({
  id: input.id, box: input.type === "checkbox",
  right: input.matches(".right") || input.parentElement.querySelector(".quiz-feedback.right") !== null}))"""

RESET = """item => {
  item.querySelectorAll("input").forEach(input => { input.checked = false; });
  document.querySelectorAll("[aria-live]:not(:has(*), .live-says)").forEach(region => { region.textContent = ""; });
}"""


def check_quiz(page: Any, name: str, site: Site) -> list[Problem]:
    """The first item of each kind says at once whether an option is right, for mouse, keyboard and screen reader."""
    problems = []
    for kind in (".quiz-choice", ".quiz-true-false"):
        item = page.locator(kind).first
        if item.count():
            faults = [fault for by in (_by_mouse, _by_key) for fault in _answer(page, item, by)]
            problems += [Problem(name, "quiz", f"{item.get_attribute('id')}: {fault}") for fault in faults]
    return problems


def _answer(page: Any, item: Any, choose: Callable[[Any, dict[str, Any], bool], None]) -> list[str]:
    """Choose a wrong option, then a right one, and compare what is shown and announced."""
    item.evaluate(RESET)
    options = item.evaluate(OPTIONS)
    wrong = next((o for o in options if not o["right"]), None)
    right = next((o for o in options if o["right"]), None)
    if not wrong or not right:
        return ["has no right option" if wrong else "has no wrong option"]
    faults = ["shows an answer before one is chosen"] if _feedback(item) else []
    # the keyboard walks down the options, so begin with the one that stands first
    order = sorted((wrong, right), key=options.index) if choose is _by_key else [wrong, right]
    for step, option in enumerate(order):
        before = _announced(page)
        choose(item, option, step == 0)
        says, other = ("Right.", "Wrong.") if option["right"] else ("Wrong.", "Right.")
        shown = _feedback(item)
        how = choose.__name__.strip("_").replace("_", " ")
        if says not in shown or (other in shown and not option["box"]):
            faults.append(f"{how}, option {option['id']}: shows {shown[:40]!r} instead of {says!r}")
        if not _announces_anew(page, before):
            faults.append(f"{how}, option {option['id']}: the verdict is not announced in an aria-live region")
    return faults


def _by_mouse(item: Any, option: dict[str, Any], first: bool) -> None:
    item.locator(f"label[for='{option['id']}']").click()


def _by_key(item: Any, option: dict[str, Any], first: bool) -> None:
    """Space on the first option, arrows to the next ones; Space alone where several may be chosen."""
    target = item.locator(f"[id='{option['id']}']")
    if first or option["box"]:
        target.focus()
        item.page.keyboard.press("Space")
        return
    for _ in range(item.locator("input").count()):
        if target.is_checked():
            return
        item.page.keyboard.press("ArrowDown")


def _feedback(item: Any) -> str:
    return " ".join(text for text in item.locator(".quiz-feedback:visible").all_inner_texts())


def _announced(page: Any) -> str:
    return page.evaluate("() => [...document.querySelectorAll('[aria-live]')].map(e => e.textContent.trim()).join(' ')")


def _announces_anew(page: Any, before: str) -> bool:
    """Wait a moment: scripts may fill the region later, so that screen readers notice."""
    for _ in range(10):
        if (now := _announced(page)) and now != before:
            return True
        page.wait_for_timeout(50)
    return False
