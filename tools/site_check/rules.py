"""What must hold on every page: one function for each rule, on the facts that ``facts.js`` collects."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from .problems import Problem, shorten

Facts = dict[str, Any]

# Alternative texts that say nothing: a word for "picture", perhaps numbered, or the name of a file.
EMPTY_WORDS = re.compile(r"(figure|fig|image|img|picture|plot|graph|diagram|png)s?\.?\s*[\d.]*", re.IGNORECASE)
FILE_NAME = re.compile(r"[0-9a-f]{20}|_images/|\.(png|jpe?g|svg|gif|webp)$", re.IGNORECASE)

# Markup that was meant to become something else: display and inline TeX, roles, fences, unresolved references.
RAW_MARKUP = re.compile(
    r"""\$\$ | \\[a-zA-Z]{2,} | \$[^$\s][^$\n]*[\\_^{][^$\n]*\$
      | \{[a-z]+(:[a-z]+)?\}` | ^\s*:{3,} | :[a-z]+:`
      | \(\?+\) | \[\?+\]""",
    re.VERBOSE | re.MULTILINE,
)


@cache
def facts_script() -> str:
    """Return the JavaScript object whose functions collect the facts."""
    return Path(__file__).with_name("facts.js").read_text(encoding="utf8").strip()


def collect(page: Any, function: str) -> Any:
    """Call one function of ``facts.js`` in the open page."""
    return page.evaluate(f"{facts_script()}.{function}()")


def check_alt(name: str, facts: Facts) -> list[Problem]:
    """Each image has an alternative text that says something; only marked decoration goes without."""
    problems = []
    for image in facts["images"]:
        if not image["decorative"] and (fault := _alt_fault(image["alt"], image["figure"])):
            problems.append(Problem(name, "alt text", f"{image['file']}: {fault}"))
    return problems


def _alt_fault(alt: str | None, figure: bool) -> str | None:
    if alt is None:
        return "no alt attribute"
    if not alt.strip():
        return 'empty, and not marked role="presentation"'
    if FILE_NAME.search(alt) or EMPTY_WORDS.fullmatch(alt.strip()):
        return f'says nothing: "{shorten(alt, 60)}"'
    if figure and len(alt.split()) < 3:
        return f'too short to describe a figure: "{alt}"'
    return None


def check_images(name: str, facts: Facts) -> list[Problem]:
    """Each image was loaded and decoded."""
    return [Problem(name, "image", f"{i['file']} has no pixels") for i in facts["images"] if not i["loaded"]]


def check_ids(name: str, facts: Facts) -> list[Problem]:
    """No id occurs twice."""
    counts: Counter[str] = Counter(facts["ids"])
    return [Problem(name, "duplicate id", i or "(empty)") for i, count in counts.items() if count > 1]


def check_math(name: str, facts: Facts) -> list[Problem]:
    """No formula and no directive left an error message in the page."""
    return [Problem(name, "mathematics", shorten(text)) for text in facts["mathErrors"]]


def check_text(name: str, facts: Facts) -> list[Problem]:
    """No raw TeX, role, fence or unresolved reference is left for the reader to see."""
    found = [(text, match) for text in facts["text"] if (match := RAW_MARKUP.search(text))]
    return [Problem(name, "raw text", shorten(text[max(0, m.start() - 30) :], 80)) for text, m in found]


CONTENT_RULES = (check_alt, check_images, check_ids, check_math, check_text)

CODE_LIMIT = 0.1  # of the height of a page on which code is folded


def check_layout(name: str, width: str, facts: Facts) -> list[Problem]:
    """Everything fits: the page does not scroll sideways, and nothing is cut off or covered.

    Parameters
    ----------
    name : str
    width : str
        Which width, for the report, e.g. ``"390 px"``.
    facts : dict
        Of ``layout()`` at that width.
    """
    problems = []
    if facts["overflow"] > 1:
        first = f", first {facts['outside'][0]}" if facts["outside"] else ""
        problems.append(Problem(name, f"width {width}", shorten(f"scrolls sideways by {facts['overflow']} px{first}")))
    else:
        problems += [Problem(name, f"cut off {width}", shorten(e)) for e in facts["outside"]]
    problems += [Problem(name, f"cut off {width}", shorten(e)) for e in facts["clipped"]]
    problems += [Problem(name, f"wide formula {width}", shorten(tex, 80)) for tex in facts["wide"]]
    problems += [Problem(name, f"cut code {width}", shorten(code)) for code in facts["cutCode"]]
    if facts["code"] > CODE_LIMIT:
        problems.append(Problem(name, f"code {width}", f"{facts['code']:.0%} of the page, more than {CODE_LIMIT:.0%}"))
    problems += [Problem(name, f"number over formula {width}", shorten(tex, 80)) for tex in facts["covered"]]
    return problems


def check_dark(name: str, page: Any) -> list[Problem]:
    """In dark mode the page is dark, and drawings are adapted to it by a filter or a light background."""
    if page.evaluate("document.documentElement.dataset.theme") != "dark":
        return [Problem(name, "dark mode", "the page stays light for a reader who prefers dark")]
    return [Problem(name, "dark figure", shorten(alt, 80)) for alt in collect(page, "darkFigures")]
