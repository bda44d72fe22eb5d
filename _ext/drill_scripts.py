"""The drills of a topic, typeset, as a script that a page can load without a server.

A topic's script holds its drills of the seeds 0 to ``SEEDS - 1``; what the drills have in common is stored once
(``shared_markup``). A script is kept in a folder beside the site under a name that follows from everything it depends
on, so that an unchanged topic is not drawn again.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from book_log import warn
from katex_math import KEPT, LONG, PUNCTUATION, SHORT, display_source, katex_script
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from shared_markup import KNOWN, placeholder, share

from notes_lib.drills import Drill, draw
from notes_lib.drills.drawing import SEEDS
from notes_lib.drills.papers import with_marks

OWN_FILES = [Path(__file__), Path(__file__).with_name("shared_markup.py"), Path(__file__).with_name("katex_math.py")]
IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]*\)|.*)", re.MULTILINE)
NAME = re.compile(r"[\w.]+")
SOURCE = re.compile("<annotation.*?</annotation>", re.DOTALL)  # the TeX: nobody is shown it, MathML stays
INLINE = f'<span class="math inline">([{chr(KNOWN)}-\U0010fffd])</span>'
BEFORE_PUNCTUATION = re.compile(f"{INLINE}(?:{PUNCTUATION.pattern})")
EMPTY_HEADERS = ("<th></th>", '<th style="text-align:left"></th>', '<th style="text-align:right"></th>')


class Typesetter:
    """Markdown to HTML with a placeholder for each formula."""

    def __init__(self) -> None:
        self.formulas: dict[tuple[str, bool], int] = {}
        self._markdown = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, renderer=self._formula)

    def _formula(self, tex: str, options: dict[str, Any]) -> str:
        display = bool(options["display_mode"])
        key = (display_source(tex) if display else tex, display)
        return placeholder(self.formulas.setdefault(key, len(self.formulas)))

    def inline(self, text: str) -> str:
        """A label."""
        return self._kept(str(self._markdown.renderInline(text)))

    def block(self, text: str) -> str:
        """Paragraphs, lists and tables."""
        markup = str(self._markdown.render(text)).replace("<table>", '<div class="trainer-wide"><table class="table">')
        for empty in EMPTY_HEADERS:
            markup = markup.replace(empty, "<td></td>")
        return self._kept(markup.replace("</table>", "</table></div>"))

    def _kept(self, markup: str) -> str:
        """Let no line begin with the comma behind a formula, as on the other pages (``katex_math``)."""
        sources = list(self.formulas)

        def kept(match: re.Match[str]) -> str:
            tex, _ = sources[ord(match[1]) - KNOWN]
            name = f"{KEPT} {LONG}" if len(tex) > SHORT else KEPT
            return f'<span class="{name}">{match[0]}</span>'

        return BEFORE_PUNCTUATION.sub(kept, markup)

    def rendered(self, katex, place: str) -> list[str]:
        """All formulas, typeset in one go."""
        katex.render_all(self.formulas)
        answers = [katex.render(*formula) for formula in self.formulas]
        for (tex, _), (_, objection) in zip(self.formulas, answers, strict=True):
            if objection:
                warn("trainer", f"KaTeX cannot read {tex!r} of the drill {place}: {objection}", None)
        return [SOURCE.sub("", markup) for markup, _ in answers]


def topic_data(topic: str, katex) -> dict[str, Any]:
    """Everything that the page needs of a topic; texts are markup."""
    typesetter, drills = Typesetter(), [draw(topic, seed) for seed in range(SEEDS)]
    frames: list[dict[str, Any]] = []
    blocks = [typesetter.block(text) for drill in drills for text in (drill.statement, with_marks(drill))]
    says: list[tuple[str, str]] = []
    answers = [_answers(drill, frames, says) for drill in drills]
    inline = {text: typesetter.inline(text) for frame in frames for text in _titles(frame)}
    inline |= {sentence: typesetter.inline(sentence) for sentence, _ in says}
    texts, table = share([*blocks, *inline.values()], typesetter.rendered(katex, topic))
    typeset = dict(zip(inline, texts[len(blocks) :], strict=True))
    fields = [frame | _typeset(frame, typeset) for frame in frames]
    exercises = [[texts[2 * n], texts[2 * n + 1], answers[n]] for n in range(SEEDS)]
    worth = {"marks": drills[0].marks, "minutes": drills[0].minutes, "fill": bool(drills[0].fill_ins)}
    about = {"topic": topic, "title": drills[0].title, **worth}
    told = {"says": [[typeset[sentence], card] for sentence, card in says]} if says else {}
    return {**about, "table": table, "fields": fields, **told, "exercises": exercises}


def _answers(drill: Drill, frames: list[dict[str, Any]], says: list[tuple[str, str]]) -> list[list[Any]]:
    """The fields of a drill: number of the frame (what is not of this seed alone), value, tolerance.

    Then, if there are any, its slips (number of sentence and card, value), and its expressions.
    """
    found = []
    for field in drill.fields:
        frame = field.as_json()
        own = [frame.pop("value"), frame.pop("tolerance"), frame.pop("slips", []), frame.pop("follows", None)]
        own[2] = [[_place(says, (slip["says"], slip["card"])), slip["value"]] for slip in own[2]]
        own[:3] = map(_short, own[:3])
        kept = 4 if own[3] is not None else 3 if own[2] else 2
        found.append([_place(frames, frame), *own[:kept]])
    return found


def _short(value: Any) -> Any:
    """The same with numbers to 12 digits, far finer than any tolerance: the digits behind them do not compress."""
    if isinstance(value, list):
        return [_short(entry) for entry in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _place(items: list[Any], item: Any) -> int:
    """Where an item stands in a list; it is added if it is new."""
    if item not in items:
        items.append(item)
    return items.index(item)


def _titles(frame: dict[str, Any]) -> list[str]:
    return [frame["label"], *frame["rows"], *frame["columns"]]


def _typeset(frame: dict[str, Any], typeset: dict[str, str]) -> dict[str, Any]:
    lists = {key: [typeset[title] for title in frame[key]] for key in ("rows", "columns")}
    return {"label": typeset[frame["label"]], **lists}


def write_script(path: Path, name: str, value: object) -> str:
    """Write a script that hands a value to the trainer; returns a digest of it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"Trainer.receive({json.dumps(name)},{text});\n", encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def read_script(path: Path) -> Any:
    """The value that ``write_script`` wrote."""
    text = path.read_text(encoding="utf-8")
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


def topic_script(topic: str, module: str, katex, memory: Path) -> Path:
    """The script of a topic, made anew only if something that it depends on has changed."""
    path = memory / f"{topic}-{fingerprint(topic, module)}.js"
    if not path.exists():
        for old in memory.glob(f"{topic}-{'?' * 24}.js"):
            old.unlink()
        write_script(path, topic, topic_data(topic, katex))
    return path


def fingerprint(topic: str, module: str) -> str:
    """A digest of all that a topic's script depends on."""
    digest = hashlib.sha256(f"{topic} {SEEDS}".encode())
    digest.update(_packages().encode())
    for path in [*sorted(sources(module)), *OWN_FILES, katex_script()]:
        digest.update(_content(path))
    return digest.hexdigest()[:24]


@cache
def _packages() -> str:
    return " ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "markdown-it-py", "mdit-py-plugins"))


@cache
def _content(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def sources(module: str) -> set[Path]:
    """The files of a module and of all modules of the library that it imports, directly or not."""
    found: set[Path] = set()
    open_names = [module]
    while open_names:
        path = _file(open_names.pop())
        if path and path not in found:
            found.add(path)
            open_names += _imports(path)
    return found


@cache
def _file(module: str) -> Path | None:
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # the name is one of a function or class
        return None
    return Path(spec.origin) if spec and spec.origin else None


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """The names of the library that a file imports, and the packages above them.

    Statements are found by their shape, in a tenth of the time of parsing: what looks like one in a docstring counts,
    too, and at most makes a topic anew.
    """
    names: set[str] = set()
    for module, imported in IMPORT.findall(path.read_text(encoding="utf-8")):
        found = NAME.findall(imported)
        names |= {module, *(f"{module}.{name}" for name in found)} if module else set(found)
    steps = (name.split(".") for name in names if name.split(".")[0] == "notes_lib")
    return tuple(sorted({".".join(step[:n]) for step in steps for n in range(1, len(step) + 1)}))
