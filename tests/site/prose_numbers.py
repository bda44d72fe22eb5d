"""The numbers in the sentences of a chapter, and where each of them comes from.

A number is a decimal, a percentage, or a count above ten, before the exam corner and in the summary. It is found where
a cell of its section prints a number that rounds to it, on the page or not, or asserts something with it; a count may
also stand in the code of the section, as the size of an experiment does. Where any other number comes from stands in
``prose_numbers.yml``.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

REFERENCE = re.compile(r"(?:[Ss]ections?|[Cc]hapters?|[Tt]ables?|steps?) [\d.]+(?:(?:, | and | to )[\d.]+)*")
IN_PROSE = re.compile(r"(?<![\w.\\^_{-])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:\s?(?:\\,)?\\?%)?")
PRINTED = re.compile(r"(?<![\w.])[-−+]?\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")
DISPLAYED = re.compile(r"\$\$.*?\$\$(?: *\([\w-]+\))?", re.DOTALL)
NO_SENTENCE = re.compile(r"\{[\w:]+\}`[^`]*`|`[^`]*`|^:\w+:.*$", re.MULTILINE)
LABEL = re.compile(r"\(([\w-]+)\)=")
HEADING = re.compile(r"#{1,3} (.*)")
PICTURE = re.compile(r"data:image[^\"')]*")
TAG = re.compile(r"<[^>]+>")
FINGERPRINT = re.compile(r"^(?:axes|figure) \d.*$", re.MULTILINE)  # of a figure: no number that a sentence would take
SMALL = 10  # counts up to here are words of the language
AROUND = 40  # characters before and after a number in a message


@dataclass
class Number:
    """A number in a sentence: as it stands, its value, half a unit of its last digit, and the words around it."""

    text: str
    around: str

    @property
    def percent(self) -> bool:
        """Whether it is a share in hundredths."""
        return "%" in self.text

    @property
    def digits(self) -> str:
        """The number alone."""
        return re.sub(r"[^\d.]", "", self.text.replace(r"\,", ""))

    @property
    def whole(self) -> bool:
        """Whether it may be a count."""
        return not self.percent and "." not in self.digits

    @property
    def counts(self) -> bool:
        """Whether it has to come from somewhere."""
        return not (self.whole and int(self.digits) <= SMALL)

    @property
    def half(self) -> float:
        """Half a unit of its last digit, or of the last that is not 0 where zeros only say how large it is."""
        zeros = re.search("0*$", self.digits)[0] if self.whole else ""
        vague = len(zeros) > 2 or re.search(rf"\babout \$?{re.escape(self.text)}", self.around)
        return 0.5001 * 10.0 ** (len(zeros) if vague else -len(self.digits.partition(".")[2]))

    def is_near(self, value: float) -> bool:
        """Whether ``value``, or its hundredfold for a percentage, rounds to it; what is below 0 is said in words."""
        units = (1, 100) if self.percent else (1,)
        return any(abs(abs(value) * unit - float(self.digits)) <= self.half for unit in units)


@dataclass
class Section:
    """What stands below a heading: its label or title, the numbers of its sentences, of its output and of its code."""

    label: str
    numbers: list[Number] = field(default_factory=list)
    printed: set[float] = field(default_factory=set)
    code: set[float] = field(default_factory=set)

    def gives(self, number: Number) -> bool:
        """Whether a cell prints the number, or it is a count of their code."""
        counts = {value for value in self.code if value == int(value)} if number.whole else set()
        return any(map(number.is_near, self.printed | counts))


@dataclass
class Chapter:
    """The sections before the exam corner, and the summary."""

    sections: list[Section]

    def unfound(self) -> Iterator[tuple[Section, Number]]:
        """The numbers that their section does not give."""
        for section in self.sections:
            yield from ((section, number) for number in section.numbers if not section.gives(number))

    def given(self, label: str) -> set[float]:
        """What the cells of a section print, and the numbers of their code."""
        section = next(section for section in self.sections if section.label == label)
        return section.printed | section.code


def read(path: Path) -> Chapter:
    """The numbers of a notebook."""
    sections, label = [Section("")], ""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            sections[-1].code |= set(values(source))
            sections[-1].printed |= set(values(outputs(cell) + asserted(source)))
            continue
        for line in sentences(source).split("\n"):
            if found := LABEL.fullmatch(line):
                label = found[1]
            elif found := HEADING.fullmatch(line):
                sections.append(Section(label or found[1]))
                label = ""
            sections[-1].numbers += numbers(line)
    return Chapter(without_corner(sections))


def without_corner(sections: list[Section]) -> list[Section]:
    """The sections up to the exam corner, and the summary."""
    labels = [section.label for section in sections]
    start = next(k for k, label in enumerate(labels) if label.endswith("-exam"))
    return sections[:start] + [section for section in sections if section.label.endswith("-summary")]


def sentences(markdown: str) -> str:
    """Markdown without displayed formulas, code, roles and the options of directives."""
    return REFERENCE.sub("", NO_SENTENCE.sub("", DISPLAYED.sub("", markdown)))


def numbers(line: str) -> list[Number]:
    """The numbers of a line that have to come from somewhere."""
    found = [
        Number(match[0], line[max(0, match.start() - AROUND) : match.end() + AROUND])
        for match in IN_PROSE.finditer(line)
    ]
    return [number for number in found if number.counts]


def asserted(code: str) -> str:
    """The assertions of a cell, as text."""
    plain = re.sub(r"^%[%a-z].*$", "", code, flags=re.MULTILINE)
    return "\n".join("\n" + ast.unparse(node) for node in ast.walk(ast.parse(plain)) if isinstance(node, ast.Assert))


def values(text: str) -> Iterator[float]:
    """All numbers of a text."""
    for match in PRINTED.finditer(text):
        yield float(re.sub("[,_]", "", match[0]).replace("−", "-"))


def outputs(cell: dict[str, Any]) -> str:
    """What a cell has printed, as text."""
    found = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        found += [
            "".join(output.get("text", "")),
            "".join(data.get("text/plain", "")),
            "".join(data.get("text/markdown", "")),
        ]
        found.append(unescape(TAG.sub(" ", PICTURE.sub("", "".join(data.get("text/html", ""))))))
    return FINGERPRINT.sub("", "\n".join(found))
