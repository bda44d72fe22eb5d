"""Write an exam paper and its mark scheme: ``python -m tools.paper --minutes 90 --topics svm-dual,viterbi --seed 3``.

Four formats: long questions; calculations with boxes to fill in and marks for each; multiple choice, where a wrong
answer costs marks; multiple answer, where any number of options may be right. Questions to calculate come from
``notes_lib.drills``, questions to choose from the quizzes and the true or false statements of the chapters.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from notes_lib.drills import Drill, chapter, exam, topics
from notes_lib.drills.webpage import webpage

ROOT = Path(__file__).resolve().parent.parent
ADMONITION = re.compile(
    r"^:::\{admonition\} (?P<title>[^\n]+)\n:class: (?P<kind>[\w-]+)\n(?P<body>.*?)^:::$", re.M | re.S
)
ROLE = re.compile(r"\{[\w:]+\}(`[^`]*`)")  # a link within the book: its label stays
OPTION = re.compile(r"^- \[([x ])\] ", re.M)
RIGHT, WRONG = 3, 1  # multiple choice: marks for a right answer, and what a wrong one costs
PACE = 3  # minutes for a question with options
BLANK = "&emsp;" * 12  # entities, since Markdown strips the spaces at the end of a cell
GROUP = 4  # statements in one question


class Question(NamedTuple):
    """One question, with its entry in the mark scheme, both in Markdown."""

    title: str
    text: str
    scheme: str
    marks: float


class Option(NamedTuple):
    """One option, and why it is right or wrong."""

    text: str
    right: bool
    reason: str


def admonitions(stem: str, kinds: set[str]) -> Iterator[tuple[str, str, str]]:
    """Kind, title and body of the boxes of some kinds in a chapter, such as ``kernels/svm``."""
    cells = json.loads((ROOT / "chapters" / f"{stem}.ipynb").read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            text = ROLE.sub(r"\1", "".join(cell["source"]) + "\n")
            for match in ADMONITION.finditer(text):
                if match["kind"] in kinds:
                    yield match["kind"], match["title"].strip(), re.sub(r"^:\w+:.*\n", "", match["body"], flags=re.M)


def quizzes(stem: str, kind: str) -> Iterator[tuple[str, list[Option]]]:
    """The quizzes of a chapter of one kind: question and options."""
    for _, title, body in admonitions(stem, {kind}):
        _, *parts = OPTION.split(body)
        options = []
        for mark, text in zip(parts[::2], parts[1::2], strict=True):
            said, _, reason = text.strip().partition("\n\n")
            options.append(Option(" ".join(said.split()), mark == "x", " ".join(reason.split())))
        yield title, options


def statements(stem: str) -> list[Option]:
    """The true and the false statements of a chapter."""
    found = admonitions(stem, {"statement-true", "statement-false"})
    return [Option(title, kind == "statement-true", " ".join(body.split())) for kind, title, body in found]


def long_question(drill: Drill) -> Question:
    """A drill as it is."""
    return Question(drill.topic, drill.statement, drill.solution, drill.marks)


def calculation(drill: Drill) -> Question:
    """A drill with a box for each result."""
    rows = [f"| {f.part} | {f.label}{f' *({f.asks})*' if f.asks else ''} |  | {f.marks:g} |" for f in drill.fields]
    boxes = "\n".join([f"| part | result | your answer{BLANK} | marks |", "| ---: | :--- | :--- | ---: |", *rows])
    return Question(drill.topic, f"{drill.statement}\n\n{boxes}", drill.solution, drill.marks)


def with_options(stem: str, title: str, options: list[Option], rng: np.random.Generator, marks: float) -> Question:
    """A question whose options stand in a new order."""
    mixed = [options[k] for k in rng.permutation(len(options))]
    letters = "ABCDEFGH"
    text = "\n".join([title, "", *(f"- **{a}** ☐ {o.text}" for a, o in zip(letters, mixed, strict=False))])
    right = ", ".join(a for a, o in zip(letters, mixed, strict=False) if o.right) or "none"
    reasons = [f"- **{a}** {'right' if o.right else 'wrong'}: {o.reason}" for a, o in zip(letters, mixed, strict=False)]
    return Question(stem.split("/")[1], text, "\n".join([f"Right: **{right}**", "", *reasons]), marks)


def choices(stems: list[str], rng: np.random.Generator) -> list[Question]:
    """Questions with one right option."""
    found = [(stem, quiz) for stem in stems for quiz in quizzes(stem, "quiz")]
    return [with_options(stem, *quiz, rng, RIGHT) for stem, quiz in found]


def answers(stems: list[str], rng: np.random.Generator) -> list[Question]:
    """Questions with any number of right options: the quizzes of that kind, and statements in groups."""
    found = [(stem, quiz) for stem in stems for quiz in quizzes(stem, "quiz-multiple")]
    for stem in stems:
        said = statements(stem)
        mixed = [said[k] for k in rng.permutation(len(said))]
        groups = [mixed[k : k + GROUP] for k in range(0, len(mixed) - GROUP + 1, GROUP)]
        found += [(stem, ("Which of these statements are true?", group)) for group in groups]
    return [with_options(stem, *quiz, rng, len(quiz[1])) for stem, quiz in found]


RULES = {
    "long": "Write down every step: marks are given for steps.",
    "calculations": "Fill in the results; the steps earn marks where a result is wrong.",
    "choice": f"One option is right. A right answer earns {RIGHT} marks, a wrong one costs {WRONG}, none earns 0.",
    "answers": "Any number of options may be right, or none. Each one that is ticked or left as it should be earns 1, "
    "each other one costs 1; no question earns less than 0.",
}


def questions(form: str, minutes: int, seed: int, chosen: list[str]) -> list[Question]:
    """The questions of a paper."""
    if form in ("long", "calculations"):
        return [(long_question if form == "long" else calculation)(drill) for drill in exam(minutes, seed, chosen)]
    rng = np.random.default_rng(seed)
    pool = (choices if form == "choice" else answers)(sorted({chapter(topic) for topic in chosen}), rng)
    if minutes < PACE or not pool:
        raise ValueError(f"minutes must be at least {PACE} and topics must name at least one topic.")
    return [pool[k] for k in rng.permutation(len(pool))[: minutes // PACE]]


def paper(form: str, minutes: int, seed: int, chosen: list[str]) -> tuple[str, str]:
    """A paper and its mark scheme, in Markdown."""
    asked = questions(form, minutes, seed, chosen)
    marks = sum(question.marks for question in asked)
    head = f"{minutes} minutes, {marks:g} marks. {RULES[form]}"
    titles = [f"## {n}. {q.title} ({q.marks:g} marks)" for n, q in enumerate(asked, 1)]
    text = [f"{title}\n\n{question.text}" for title, question in zip(titles, asked, strict=True)]
    scheme = [f"{title}\n\n{question.scheme}" for title, question in zip(titles, asked, strict=True)]
    return ("\n\n".join([f"# Paper {seed}", head, *text]), "\n\n".join([f"# Paper {seed}: mark scheme", head, *scheme]))


def write(out: Path, name: str, markdown: str) -> Path:
    """Write one page."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.html"
    path.write_text(webpage(markdown, markdown.split("\n")[0].lstrip("# ")), encoding="utf-8")
    return path


def printed(pages: list[Path]) -> list[Path]:
    """Print pages to PDF with Chromium."""
    from tools.print_page import new_page

    with new_page() as page:
        for path in pages:
            page.goto(path.as_uri())
            page.pdf(path=str(path.with_suffix(".pdf")), format="A4", prefer_css_page_size=True)
    return [path.with_suffix(".pdf") for path in pages]


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 run.py paper", description=__doc__)
    parser.add_argument("--minutes", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0, help="which paper to draw (default 0)")
    parser.add_argument("--topics", help="of the drills, with commas; choices are of their chapters (default: all)")
    parser.add_argument("--format", choices=RULES, default="long")
    parser.add_argument("--no-pdf", action="store_true", help="write HTML only, which needs no browser")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "papers")
    args: Any = parser.parse_args(argv)
    try:
        chosen = topics() if args.topics is None else [slug for slug in args.topics.split(",") if slug]
        texts = paper(args.format, args.minutes, args.seed, chosen)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    name = f"paper-{args.format}-{args.seed}"
    pages = [write(args.out, name + end, text) for end, text in zip(("", "-marks"), texts, strict=True)]
    for path in pages if args.no_pdf else pages + printed(pages):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
