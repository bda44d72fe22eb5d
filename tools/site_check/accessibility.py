"""Accessibility of a page by axe-core, minus a short list of violations that cannot be repaired here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from .problems import Problem, shorten

ALLOWED = Path(__file__).with_name("axe_allowlist.yml")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]

COLOURS = ["color-contrast", "link-in-text-block"]  # the rules whose verdict may differ in dark mode

# The rules on colours take most of the time: axe-core asks for each text what lies behind it. On the wide light page
# they see every text. In dark mode and on a phone they see one text of each kind, by its colour, size, weight, link and
# the backgrounds it stands on; that the same texts overlap nothing was seen on the wide page.
ONE_OF_EACH_KIND = """() => {
  const kinds = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const kind = [style.color, style.fontSize, style.fontWeight, element.closest("a") !== null];
    for (let e = element; e; e = e.parentElement) {
      const {backgroundColor, backgroundImage, opacity, position} = getComputedStyle(e);
      const behind = [backgroundColor, backgroundImage, opacity, position === "fixed"].join();
      if (behind !== "rgba(0, 0, 0, 0),none,1,false") kind.push(behind);
    }
    if (!kinds.has(kind.join())) kinds.set(kind.join(), element);
  }
  return [...kinds.values()];
}"""

# A chapter is some 50 000 elements, and most repeat each other. While axe-core runs, each formula is a letter at the
# end of a room of its size (KaTeX's glyphs take their colour from the text), and of the coloured words of code only the
# first of each colour in each kind of box stays marked up. That is many times as fast and finds the same, except that
# a formula in the heading of a table counts as text: axe-core does not read MathML, screen readers do.
RUN = """async (runs) => {
  const taken = [...document.querySelectorAll(".katex-html, .katex-mathml, .highlight pre")]
    .map((element) => ({element, children: [...element.childNodes]}));
  const rooms = [...document.querySelectorAll(".katex-html")].map((element) => {
    const boxes = [...element.querySelectorAll(".base")].map((base) => base.getBoundingClientRect());
    const room = document.createElement("span"), height = element.getBoundingClientRect().height;
    const width = Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left));
    room.style.cssText = "display: inline-block; overflow: hidden; text-align: right";
    Object.assign(room.style, {width: `${width}px`, height: `${height}px`});
    room.textContent = "x";
    return [element, room];
  });
  rooms.forEach(([element, room]) => element.replaceChildren(room));
  document.querySelectorAll(".katex-mathml").forEach((element) => element.replaceChildren("formula"));
  const colours = new Set();
  document.querySelectorAll(".highlight pre").forEach((pre) => {
    const box = pre.closest(".cell_input, .cell_output, .admonition, .exam-card, main, body").className;
    const code = pre.cloneNode(true);
    code.querySelectorAll("span[class]").forEach((word) => {
      const colour = [box, word.className, word.closest("a") !== null].join();
      if (colours.has(colour)) word.replaceWith(...word.childNodes);
      colours.add(colour);
    });
    code.normalize();
    pre.replaceChildren(...code.childNodes);
  });
  try {
    const found = [];
    for (const {runOnly, rules, sampled} of runs) {
      const options = {preload: false, resultTypes: ["violations"], runOnly, rules};
      const context = sampled ? {include: (ONE_OF_EACH_KIND)()} : document;
      found.push(...(await axe.run(context, options)).violations);
    }
    return found.flatMap((v) => v.nodes.map((node) => (
      {rule: v.id, help: v.help, target: node.target.flat().join(" "), html: node.html})));
  } finally {
    for (const {element, children} of taken) element.replaceChildren(...children);
  }
}""".replace("ONE_OF_EACH_KIND", ONE_OF_EACH_KIND)

ALL: dict[str, Any] = {"runOnly": {"type": "tag", "values": TAGS}}
ALL_BUT_COLOURS = {**ALL, "rules": {rule: {"enabled": False} for rule in COLOURS}}
SAMPLED_COLOURS: dict[str, Any] = {"runOnly": {"type": "rule", "values": COLOURS}, "sampled": True}
RUNS = {"light": [ALL], "phone": [ALL_BUT_COLOURS, SAMPLED_COLOURS], "dark": [SAMPLED_COLOURS]}


@cache
def axe_source() -> str:
    """Return axe-core, from the package that carries it."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf8")


@dataclass
class AllowList:
    """Violations that are known and accepted, each with its reason.

    Attributes
    ----------
    entries : list of {"rule", "target", "reason"}
        ``target`` is a regular expression that axe's CSS path of the element must match somewhere.
    used : set of int
        The entries that matched something, by position.
    """

    entries: list[dict[str, str]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, path: Path = ALLOWED) -> AllowList:
        """Read the YAML file; an entry without rule, target and reason is an error."""
        entries = (yaml.safe_load(path.read_text(encoding="utf8")) if path.is_file() else None) or []
        for entry in entries:
            if set(entry) != {"rule", "target", "reason"} or not all(entry.values()):
                raise ValueError(f"{path.name}: each entry needs rule, target and reason, got {entry}.")
        return cls(entries)

    def allows(self, violation: dict[str, str]) -> bool:
        """Whether ``violation`` matches an entry; remembers which."""
        hits = {
            i
            for i, entry in enumerate(self.entries)
            if entry["rule"] == violation["rule"] and re.search(entry["target"], violation["target"])
        }
        self.used |= hits
        return bool(hits)

    def stale(self) -> list[Problem]:
        """Entries that no page needs any more."""
        unused = (entry for i, entry in enumerate(self.entries) if i not in self.used)
        return [
            Problem(ALLOWED.name, "axe", f"{e['rule']} at {e['target']} matches nothing: remove it") for e in unused
        ]


def check_axe(name: str, page: Any, mode: str, allowed: AllowList) -> list[Problem]:
    """Run axe-core in the open page.

    Parameters
    ----------
    name : str
    page : playwright Page
    mode : str
        "light", "dark" or "phone", for the report.
    allowed : AllowList
    """
    page.evaluate(axe_source())
    violations = page.evaluate(RUN, RUNS[mode])
    return [_problem(name, mode, v) for v in violations if not allowed.allows(v)]


def _problem(name: str, mode: str, violation: dict[str, str]) -> Problem:
    html = re.sub(r"""\s(?:href|src)="[^"]*\"""", "", violation["html"])  # differs from page to page
    return Problem(
        name, f"axe {mode}", f"{violation['rule']}: {violation['help']} @ {violation['target']} {shorten(html)}"
    )
