"""Build a trial book of many chapters, to see how the build grows.

    python tools/trial_book.py FOLDER [--chapters N ...]

The chapters of this book are copied under new names until there are N of them (64 unless said otherwise); FOLDER must
be empty or absent and keeps one book for each N. Each is built, and a table says what that took: processor seconds,
peak memory (Linux counts it in kB, macOS in bytes), pages. For Linux and macOS.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("_config.yml", "_ext", "static", "references.bib", "chapters", "notes_lib", "tests", "benchmarks")
LABEL = re.compile(r'\(([\w-]+)\)=|\$\$ \(([\w-]+)\)|:(?:label|name): ([\w-]+)|"name": "([\w-]+)"')
HUBS = "chapters/revision/hub"  # the page that lists the hubs, and the folder of the hubs
ONE_WORD = re.compile(r'"\((\w+)\)=\\n')
BUILD = ("-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n", "--keep-going", "-q")
UNITS_IN_MB = 2**20 if sys.platform == "darwin" else 2**10


class Cost(NamedTuple):
    """What a build took."""

    status: int
    seconds: float
    megabytes: float
    pages: int


def is_chapter(entry: dict) -> bool:
    """Whether an entry of the table of contents is a notebook."""
    return (ROOT / f"{entry['file']}.ipynb").exists()


def copies(chapters: list[str], number: int) -> Iterator[tuple[str, str]]:
    """Each chapter with the name of its copy, all chapters in turn, until there are ``number`` with the originals.

    Examples
    --------
    >>> list(copies(["a/b", "a/c"], 5))
    [('a/b', 'a/b_2'), ('a/c', 'a/c_2'), ('a/b', 'a/b_3')]
    """
    endless = ((chapter, f"{chapter}_{n}") for n in count(2) for chapter in chapters)
    return islice(endless, max(0, number - len(chapters)))


def renamed(notebook: str, suffix: str) -> str:
    r"""Give a notebook labels of its own: each label that it defines ends in ``suffix``, wherever it stands.

    Examples
    --------
    >>> renamed(r"$$ a $$ (svm-dual)\n, {eq}`svm-dual` is not {eq}`svm-dual-two`", "-2")
    '$$ a $$ (svm-dual-2)\\n, {eq}`svm-dual-2` is not {eq}`svm-dual-two`'
    """
    labels = {label for found in LABEL.findall(notebook) for label in found if "-" in label}
    words = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(labels)))})(?![\w-])")
    notebook = words.sub(rf"\g<1>{suffix}", notebook) if labels else notebook
    return ONE_WORD.sub(rf'"(\g<1>{suffix})=\\n', notebook)  # elsewhere the word may be anything


def make(folder: Path, number: int) -> None:
    """Make a book of ``number`` chapters in an empty folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty: name a new folder")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
        else:
            shutil.copy(source, folder)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [entry["file"] for part in toc["parts"] for entry in part["chapters"] if is_chapter(entry)]
    for chapter, copy in copies(chapters, number):
        add(folder, toc, chapter, copy)
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc, sort_keys=False), encoding="utf-8")


def add(folder: Path, toc: dict, chapter: str, copy: str) -> None:
    """Put the copy of a chapter into the book, its outline and its table of contents."""
    notebook = (ROOT / f"{chapter}.ipynb").read_text(encoding="utf-8")
    suffix = "-copy-" + copy.rsplit("_", 1)[-1]  # no label of a chapter ends so
    (folder / f"{copy}.ipynb").write_text(renamed(notebook, suffix), encoding="utf-8")
    part = next(part for part in toc["parts"] if {"file": chapter} in part["chapters"])
    part["chapters"].append({"file": copy})
    plan = folder / "chapters" / "outline.yml"
    outline = yaml.safe_load(plan.read_text(encoding="utf-8"))
    _, of_part, stem = copy.split("/")
    planned = next(part for part in outline if part["part"] == of_part)
    planned["chapters"].append({"stem": stem, "title": stem.replace("_", " "), "task": "foundations"})
    plan.write_text(yaml.safe_dump(outline, sort_keys=False), encoding="utf-8")
    (folder / "tests" / of_part / f"test_{stem}.py").touch()  # the chapter's box names it
    add_hub(folder, toc, chapter.rsplit("/", 1)[-1], stem)


def add_hub(folder: Path, toc: dict, stem: str, copy: str) -> None:
    """Give the copy of a chapter a hub of its own, beside those that are there."""
    hub = (ROOT / HUBS / f"{stem}.md").read_text(encoding="utf-8")
    hub = hub.replace(f"{{chapter-hub}} {stem}\n", f"{{chapter-hub}} {copy}\n")
    (folder / HUBS / f"{copy}.md").write_text(hub.replace(f"`{stem}`", f"`{copy}`"), encoding="utf-8")
    listing = next(entry for part in toc["parts"] for entry in part["chapters"] if entry["file"] == HUBS)
    listing["sections"].append({"file": f"{HUBS}/{copy}"})


def build(folder: Path) -> Cost:
    """Build a book and measure it."""
    process = subprocess.Popen([sys.executable, *BUILD], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen knows that it has ended
    pages = len(list((folder / "_build" / "html" / "chapters").rglob("*.html")))
    return Cost(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / UNITS_IN_MB, pages)


def main(arguments: list[str]) -> int:
    """Make and build a trial book of each size, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chapters", type=int, nargs="+", default=[64], metavar="N")
    options = parser.parse_args(arguments)
    print("chapters  pages  processor s  s a chapter  peak MB", flush=True)
    failed = False
    for number in options.chapters:
        make(options.folder / str(number), number)
        cost = build(options.folder / str(number))
        print(
            f"{number:8}  {cost.pages:5}  {cost.seconds:11.0f}  {cost.seconds / number:11.1f}  {cost.megabytes:7.0f}",
            flush=True,
        )
        failed = failed or cost.status != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
