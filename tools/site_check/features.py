"""What a reader does on a page: answers a quiz, plays an animation, learns a card, downloads the notebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .browser import PageError
from .on_paper import check_plan, check_worksheet
from .pages import Site
from .problems import Problem
from .quiz import check_quiz

Check = Callable[[Any, str, Site], list[Problem]]


@dataclass(frozen=True)
class Feature:
    """Something a page may have, and how it must behave there.

    Attributes
    ----------
    name : str
        In the report; a site without a single such element fails.
    selector : str
        Where it is on a page.
    run : callable
        ``run(page, name, site)`` gives the problems.
    """

    name: str
    selector: str
    run: Check


def features_of(page: Any) -> list[Feature]:
    """The features that the open page has."""
    return [feature for feature in FEATURES if page.query_selector(feature.selector)]


def check_features(page: Any, name: str, site: Site) -> list[Problem]:
    """Try every feature that the open page has."""
    problems: list[Problem] = []
    for feature in features_of(page):
        try:
            problems += feature.run(page, name, site)
        except PageError as error:  # an element that cannot be clicked or found in time
            problems.append(Problem(name, feature.name, error.message.splitlines()[0]))
    return problems


# --- folded content --------------------------------------------------------------------------------------------------


OPEN = """(boxes, child) => boxes.filter((box) => {
  const inside = box.querySelector(child);
  return inside?.checkVisibility({visibilityProperty: true}) && inside.getBoundingClientRect().height > 0;
}).map((box) => box.id)"""


def check_solutions(page: Any, name: str, site: Site) -> list[Problem]:
    """Folded solutions are closed at load; the first one opens by mouse and closes by keyboard."""
    solutions = page.locator(".solution.dropdown")
    first_child = ":scope > .admonition-title ~ *"
    problems = [
        Problem(name, "solution", f"{box} is open at load") for box in solutions.evaluate_all(OPEN, first_child)
    ]
    button, body = solutions.first.locator(".toggle-button").first, solutions.first.locator(first_child).first
    if not problems and not (_reacts(button.click, body, "visible") and _reacts(_enter(button), body, "hidden")):
        problems.append(Problem(name, "solution", f"{solutions.first.get_attribute('id')} does not open and close"))
    return problems


def check_details(page: Any, name: str, site: Site) -> list[Problem]:
    """The first folded block of each kind opens by mouse and closes by keyboard."""
    problems = []
    kinds = page.locator("main details:not([open])").evaluate_all("all => [...new Set(all.map(d => d.className))]")
    for kind in kinds:
        block = page.locator(f"main details[class='{kind}']:not([open])" if kind else "main details:not([class])").first
        if not block.locator(":scope > summary").is_visible():
            continue  # inside another folded block
        handle = block.element_handle()  # the locator looks for closed blocks only
        summary = handle.query_selector(":scope > summary")
        summary.click()
        opened = handle.evaluate("d => d.open")
        summary.press("Enter")
        if not opened or handle.evaluate("d => d.open"):
            problems.append(Problem(name, "folded block", f"details.{kind} does not open and close"))
    return problems


def _enter(element: Any) -> Callable[[], None]:
    return lambda: element.press("Enter")


def _reacts(act: Callable[[], None], element: Any, state: str) -> bool:
    act()
    try:
        element.wait_for(state=state, timeout=3000)
    except PageError:
        return False
    return True


# --- animations and downloads ----------------------------------------------------------------------------------------


def check_player(page: Any, name: str, site: Site) -> list[Problem]:
    """The first animation shows one frame; next, previous, slider and play change it."""
    box = page.locator(".anim-player").first
    problems, label = [], box.get_attribute("id")

    def frames() -> list[str]:
        return box.evaluate("b => [...b.querySelectorAll('img')].filter(i => i.checkVisibility()).map(i => i.src)")

    steps: dict[str, Callable[[], None]] = {
        "next": box.locator("[data-step='1']").click,
        "previous": box.locator("[data-step='-1']").click,
        "the slider": lambda: box.locator("input[type=range]").press("ArrowRight"),
        "play": box.locator("[data-play]").click,
    }
    for step, act in steps.items():
        before = frames()
        act()
        for _ in range(40 if step == "play" else 4):
            if frames() != before:
                break
            page.wait_for_timeout(50)
        else:
            problems.append(Problem(name, "player", f"{label}: {step} does not change the picture"))
    steps["play"]()  # stop it again
    if len(frames()) != 1:
        problems.append(Problem(name, "player", f"{label}: shows {len(frames())} frames at once"))
    return problems


def check_explorer(page: Any, name: str, site: Site) -> list[Problem]:
    """Each slider of the first explorer changes the one picture that is shown, and its sentence."""
    box, problems = page.locator(".explorer").first, []

    def state() -> tuple[list[str], str]:
        shown = "b => [...b.querySelectorAll('img')].filter(i => i.checkVisibility()).map(i => i.src)"
        return box.evaluate(shown), box.locator(".explorer-text").inner_text()

    for slider in box.locator("input[type=range]").all():
        before = state()
        if slider.is_visible():
            slider.press("ArrowRight")
        after = state()
        if len(after[0]) != 1 or before[0] == after[0] or before[1] == after[1]:
            label = slider.get_attribute("id")
            problems.append(Problem(name, "explorer", f"{label} does not change the picture and its sentence"))
    return problems


def check_live(page: Any, name: str, site: Site) -> list[Problem]:
    """A mark of the first live figure follows an arrow key, the sentence tells it, and *Reset* takes it back."""
    box = page.locator(".live").first
    label, mark = box.get_attribute("id"), box.locator(".live-handle").first
    if not mark.count() or box.locator(".live-still").is_visible():
        return [Problem(name, "live figure", f"{label} stays a picture")]

    def state() -> tuple[str | None, str | None]:  # what is far from the screen has text content, and no inner text
        return mark.get_attribute("aria-valuetext"), box.locator(".live-says").text_content()

    first = state()
    for _ in range(5):  # not every step changes a count
        mark.press("Shift+ArrowRight")
    moved = state()
    box.get_by_role("button", name="Reset").click()
    problems = [] if first[0] != moved[0] else [Problem(name, "live figure", f"{label}: a mark follows no arrow key")]
    return problems if state() == first else [*problems, Problem(name, "live figure", f"{label} is not reset")]


def check_today(page: Any, name: str, site: Site) -> list[Problem]:
    """By the keyboard a new card shows its answer, is known, and counts; all that was kept is forgotten."""
    forget = "() => globalThis.bookFile?.clear(bookProgress.browser)"
    ready = page.locator(".today[data-ready]")
    ready.wait_for(state="attached", timeout=5000)
    page.evaluate(forget)  # what was answered on other pages may be all that a day asks for
    page.reload()
    ready.wait_for(state="attached", timeout=5000)
    learn = page.locator(".today button:visible", has_text="Learn")
    if not learn.count():
        return [Problem(name, "today", "no new card is offered")]
    learn.press("Enter")
    answer, progress = page.locator(".today-answer"), page.locator(".today-progress")
    answer.wait_for(state="attached", timeout=5000)
    problems = [Problem(name, "today", "the answer of a card is open")] if answer.is_visible() else []
    if not _reacts(lambda: page.keyboard.press("Space"), answer, "visible"):
        return [*problems, Problem(name, "today", "space does not show the answer of a card")]
    if not _reacts(lambda: page.keyboard.press("3"), progress.filter(has_text="1 of"), "visible"):
        problems.append(Problem(name, "today", "a card that is answered does not count"))
    page.get_by_role("button", name="Stop here").click()
    page.evaluate(forget)
    return problems


def check_download(page: Any, name: str, site: Site) -> list[Problem]:
    """A page made from a notebook has a button that offers this notebook, and the file is one."""
    source = f"_sources/{name.removesuffix('.html')}.ipynb"
    link = page.locator(".dropdown-download-buttons a[href$='.ipynb']").first
    if not link.count():
        return [Problem(name, "download", "no link to the notebook below the download button")]
    if not link.evaluate("a => new URL(a.href).pathname").endswith("/" + source):
        return [Problem(name, "download", f"the button leads to {link.get_attribute('href')} instead of {source}")]
    page.locator(".dropdown-download-buttons > button").click()
    problems = [] if link.is_visible() else [Problem(name, "download", "the menu of the button does not open")]
    page.keyboard.press("Escape")
    try:
        cells = json.loads((site.folder / source).read_text(encoding="utf8"))["cells"]
    except (OSError, ValueError, KeyError):
        cells = []
    return problems if cells else [*problems, Problem(name, "download", f"{source} is no notebook")]


FEATURES = (
    Feature("quiz", ".quiz", check_quiz),
    Feature("solution", ".solution.dropdown", check_solutions),
    Feature("folded block", "main details", check_details),
    Feature("player", ".anim-player", check_player),
    Feature("explorer", ".explorer", check_explorer),
    Feature("live figure", ".live", check_live),
    Feature("today", ".today", check_today),
    Feature("plan", ".exam-plan", check_plan),
    Feature("worksheet", ".worksheet-page", check_worksheet),
)
DOWNLOAD = Feature("download", "main", check_download)
