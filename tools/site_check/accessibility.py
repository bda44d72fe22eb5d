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
# the backgrounds it stands on; that the same texts overlap nothing was seen on the wide page. Before, the rest of the
# page is emptied: those texts keep all that they stand on and all neighbours, for the style sheets, but these have
# nothing inside and are not painted. Where axe-core cannot tell because a text stands out of the box that it stands in,
# it is asked again with all neighbours as they are; where emptying changes a kind, or a text still meets another box,
# on the whole page.
KINDS = """
  const kindOf = (element) => {
    const style = getComputedStyle(element);
    const kind = [style.color, style.fontSize, style.fontWeight, element.closest("a") !== null];
    for (let e = element; e; e = e.parentElement) {
      const {backgroundColor, backgroundImage, opacity, position} = getComputedStyle(e);
      const behind = [backgroundColor, backgroundImage, opacity, position === "fixed"].join();
      if (behind !== "rgba(0, 0, 0, 0),none,1,false") kind.push(behind);
    }
    return kind.join();
  };
  const oneOfEachKind = () => {
    const kinds = new Map(), asked = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (asked.has(element) || !node.data.trim()) continue;
      asked.add(element);
      if (!element.checkVisibility({visibilityProperty: true})) continue;
      const kind = kindOf(element);
      if (!kinds.has(kind)) kinds.set(kind, element);
    }
    return kinds;
  };
  const emptyAllBut = (elements, whole) => {
    const needed = new Set(), taken = [], left = new Set(whole);
    for (const element of elements.flatMap((e) => [e, e.closest("label")?.control]))
      for (let e = element; e; e = e.parentElement) needed.add(e);
    const empty = (box) => left.has(box) || [...box.children].forEach((e) => {
      if (needed.has(e)) return empty(e);
      if (e.matches("style, script") || !e.hasChildNodes()) return;
      taken.push({element: e, children: [...e.childNodes], style: e.getAttribute("style")});
      e.replaceChildren();
      e.style.visibility = "hidden";
    });
    empty(document.body);
    return taken;
  };
  const OVERLAP = ["bgOverlap", "elmPartiallyObscured", "elmPartiallyObscuring", "outsideViewport"];
  const at = ({target}) => document.querySelector(target.flat().join(" "));
  const unclear = (rules) => rules.flatMap((rule) => rule.nodes).filter((node) =>
    node.any.some((check) => OVERLAP.includes(check.data?.messageKey)));
  const byAnother = (node) => node.any.some((check) =>
    check.relatedNodes.some((other) => !at(other)?.contains(at(node))));
  const colours = async (options) => {
    const kinds = oneOfEachKind(), found = [];
    const ask = async (elements) => found.push(...(await axe.run({include: elements}, options)).violations);
    const askEmptied = async (elements, whole) => {
      const taken = emptyAllBut(elements, whole);
      try {
        if ([...kinds].some(([kind, e]) => elements.includes(e) && kindOf(e) !== kind)) return elements;
        const {violations, incomplete} = await axe.run({include: elements}, options), nodes = unclear(incomplete);
        found.push(...violations);
        return (whole.length ? nodes.filter(byAnother) : nodes).map(at);
      } finally { putBack(taken); }
    };
    let open = await askEmptied([...kinds.values()], []);
    if (open.length) open = await askEmptied(open, open.map((e) => e.parentElement));
    if (open.length) await ask(open);
    return found;
  };
"""

# The sidebar is the same on every page, but for the entry of the page itself. An entry is judged once in each mode:
# it is left out where another page had one with the same text and classes, in the same place of the list.
SIDEBAR = """
  const entries = [...document.querySelectorAll(".bd-sidebar-primary nav li")].filter((e) => !e.querySelector("li"));
  const entry = (e) => {
    const copy = e.cloneNode(true), above = [];
    for (const link of copy.querySelectorAll("[href]")) link.setAttribute("href", link.getAttribute("href") && "x");
    for (let a = e.parentElement; a && a !== document.body; a = a.parentElement)
      above.push(a.tagName, a.className, a.open);
    return copy.outerHTML + above.join(" ");
  };
  const keyed = entries.map((e) => [entry(e), e]);
  const listed = new Set(judged), fresh = keyed.map(([key]) => key).filter((key) => !listed.has(key));
  const boxes = new Set(keyed.filter(([key]) => listed.has(key)).map(([, e]) => e.parentElement));
  for (const box of boxes) {
    taken.push({element: box, children: [...box.childNodes]});
    for (const [key, e] of keyed) if (e.parentElement === box && listed.has(key)) e.remove();
  }
"""

# A chapter is some 50 000 elements, and most repeat each other. While axe-core runs, each formula is a letter at the
# end of a room of its size (KaTeX's glyphs take their colour from the text), and of the coloured words of code only the
# first of each colour in each kind of box stays marked up. That is many times as fast and finds the same, except that
# a formula in the heading of a table counts as text: axe-core does not read MathML, screen readers do.
RUN = """async ({runs, judged}) => {
  const taken = [...document.querySelectorAll(".katex-html, .katex-mathml, .highlight pre")]
    .map((element) => ({element, children: [...element.childNodes]}));
  const putBack = (taken) => taken.reverse().forEach(({element, children, style}) => {
    element.replaceChildren(...children);
    if (style === null) element.removeAttribute("style");
    else if (style !== undefined) element.setAttribute("style", style);
  });
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
  const seen = new Set();
  document.querySelectorAll(".highlight pre").forEach((pre) => {
    const box = pre.closest(".cell_input, .cell_output, .admonition, .exam-card, main, body").className;
    const code = pre.cloneNode(true);
    code.querySelectorAll("span[class]").forEach((word) => {
      const colour = [box, word.className, word.closest("a") !== null].join();
      if (seen.has(colour)) word.replaceWith(...word.childNodes);
      seen.add(colour);
    });
    code.normalize();
    pre.replaceChildren(...code.childNodes);
  });
  SIDEBAR
  KINDS
  try {
    const found = [];
    for (const {runOnly, rules, sampled} of runs) {
      const options = {preload: false, resultTypes: ["violations", "incomplete"], runOnly, rules};
      found.push(...(sampled ? await colours(options) : (await axe.run(document, options)).violations));
    }
    return {fresh, found: found.flatMap((v) => v.nodes.map((node) => (
      {rule: v.id, help: v.help, target: node.target.flat().join(" "), html: node.html})))};
  } finally {
    putBack(taken);
  }
}""".replace("SIDEBAR", SIDEBAR).replace("KINDS", KINDS)

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


def check_axe(name: str, page: Any, mode: str, allowed: AllowList, judged: set[str] | None = None) -> list[Problem]:
    """Run axe-core in the open page.

    Parameters
    ----------
    name : str
    page : playwright Page
    mode : str
        "light", "dark" or "phone", for the report.
    allowed : AllowList
    judged : set of str, optional
        Entries of the sidebar that were judged on other pages in this mode; those of this page are added.
    """
    judged = set() if judged is None else judged
    page.evaluate(axe_source())
    result = page.evaluate(RUN, {"runs": RUNS[mode], "judged": sorted(judged)})
    judged.update(result["fresh"])
    return [_problem(name, mode, v) for v in result["found"] if not allowed.allows(v)]


def _problem(name: str, mode: str, violation: dict[str, str]) -> Problem:
    html = re.sub(r"""\s(?:href|src)="[^"]*\"""", "", violation["html"])  # differs from page to page
    return Problem(
        name, f"axe {mode}", f"{violation['rule']}: {violation['help']} @ {violation['target']} {shorten(html)}"
    )
