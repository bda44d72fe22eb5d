"""Execute, normalise and lint the notebooks of the book.

    python tools/notebooks.py run [-j N] [notebook ...]       execute and write the canonical form
    python tools/notebooks.py normalise [notebook ...]        canonical form only, stored outputs kept
    python tools/notebooks.py lint [notebook ...]             report everything that is not as it must be

Without names all notebooks below ``chapters/`` are taken. Canonical form: nbformat 4.5, one kernelspec, no version or
timing metadata, cell ids that follow from the position, execution counts 1, 2, 3, ... Two runs give identical bytes.
"""

from __future__ import annotations

import argparse
import copy
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
NOTEBOOK_KEYS = {"book", "mystnb"}
CELL_KEYS = {"tags", "mystnb", "equivalent"}
LAB_DIRECTIVES = {"admonition", "dropdown", "exercise", "exercise-start", "exercise-end"}
LAB_DIRECTIVES |= {"solution", "solution-start", "solution-end", "prf:algorithm", "prf:corollary", "prf:definition"}
LAB_DIRECTIVES |= {"prf:lemma", "prf:proof", "prf:proposition", "prf:remark", "prf:theorem", "prf:example"}
LOCAL_TEXT = re.compile(r"0x[0-9a-f]{8,}|/ipykernel_\d+/|/tmp/|/home/|/root/|[A-Z]:\\\\Users")


def all_notebooks() -> list[Path]:
    """Every notebook of the book, sorted."""
    return sorted(p for p in (ROOT / "chapters").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def normalise(nb: NotebookNode, stem: str) -> NotebookNode:
    """Bring ``nb`` into canonical form, in place; stored outputs stay."""
    kept = {k: v for k, v in nb.metadata.items() if k in NOTEBOOK_KEYS}
    nb.metadata = nbformat.from_dict({**KERNEL, **kept})
    nb.nbformat, nb.nbformat_minor = 4, 5
    for position, cell in enumerate(nb.cells):
        cell["id"] = f"{stem.replace('_', '-')}-{position:03d}"
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL_KEYS and v})
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        if not cell.get("attachments"):
            cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs = _join_streams(cell.outputs)
        for output in cell.get("outputs", []):
            if "metadata" in output:  # only the size of a figure for dense screens
                output["metadata"] = {k: v for k, v in output["metadata"].items() if k.startswith("image/")}
            if "execution_count" in output:
                output["execution_count"] = cell.execution_count
    return nb


def _join_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of one stream: where the kernel cuts it is a matter of chance."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def problems(nb: NotebookNode, stem: str) -> Iterator[str]:
    """What is wrong with a stored notebook, one line each."""
    if nbformat.writes(normalise(copy.deepcopy(nb), stem)) != nbformat.writes(nb):
        yield "not in canonical form: run `python3 run.py notebooks`"
    book = nb.metadata.get("book", {})
    for key in ("prerequisites", "task", "minutes"):
        if key not in book:
            yield f"notebook metadata has no book.{key}"
    count = 0
    for position, cell in enumerate(nb.cells):
        for name in re.findall(r"^:{3,}\{([\w:-]+)\}", cell.source, re.MULTILINE):
            if cell.cell_type == "markdown" and name not in LAB_DIRECTIVES:
                yield f"cell {position}: JupyterLab does not know {{{name}}}: write {{admonition}} with a :class:"
        if cell.cell_type == "code":
            count += 1
            yield from (f"cell {position}: {what}" for what in _cell_problems(cell, count))
            following = nb.cells[position + 1] if position + 1 < len(nb.cells) else None
            if _has_figure(cell) and not _prints_fingerprint(following):
                yield f"cell {position}: a figure that no hidden cell with a fingerprint follows"


def _cell_problems(cell: NotebookNode, count: int) -> Iterator[str]:
    tags = cell.metadata.get("tags", [])
    if cell.execution_count != count:
        yield f"execution_count is {cell.execution_count}, expected {count}: a cell that was not run is not compared"
    if cell.source.rstrip().endswith(";"):
        yield "ends with ';', which the comparison does not honour: assign to _ instead"
    ignored = "nbval-ignore-output" in tags or "NBVAL_IGNORE_OUTPUT" in cell.source
    if ignored and "# not compared:" not in cell.source:
        yield "output is not compared and the cell does not say why ('# not compared: ...')"
    if "nbval-skip" in tags or "NBVAL_SKIP" in cell.source:
        yield "is skipped"
    if _has_figure(cell):
        picture = cell.metadata.get("mystnb", {})
        if not picture.get("image", {}).get("alt"):
            yield "figure without alt text (mystnb.image.alt)"
        if not picture.get("figure", {}).get("caption"):
            yield "figure without caption (mystnb.figure.caption)"
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            yield "writes to stderr"
        if output.output_type == "error" and "raises-exception" not in tags:
            yield "stores an error without the tag raises-exception"
        text = _text(output)
        if str(ROOT) in text or LOCAL_TEXT.search(text):
            yield "output holds a local path or a memory address"
        if re.search(r"(src|href)=[\"']https?://", text):
            yield "output loads something from the network"


def _has_figure(cell: NotebookNode) -> bool:
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def _prints_fingerprint(cell: NotebookNode | None) -> bool:
    return cell is not None and "fingerprint(" in cell.source and "remove-cell" in cell.metadata.get("tags", [])


def _text(output: NotebookNode) -> str:
    shown = [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
    text = "".join(map(str, shown)) + output.get("text", "") + "".join(output.get("traceback", []))
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "", text)


def execute(path: Path) -> Path:
    """Run a notebook from its own folder and store it in canonical form."""
    from nbclient import NotebookClient

    nb = nbformat.read(path, 4)
    resources = {"metadata": {"path": str(path.parent)}}
    quiet = ["--log-level=40"]  # a kernel warns on every start that it talks to itself over TCP
    client = NotebookClient(nb, timeout=300, kernel_name="python3", record_timing=False, resources=resources)
    client.extra_arguments = quiet
    client.execute()
    nbformat.write(normalise(nb, path.stem), path)
    return path


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["run", "normalise", "lint"])
    parser.add_argument("-j", type=int, default=2, help="notebooks executed at the same time (default 2)")
    parser.add_argument("notebooks", nargs="*", type=Path)
    args = parser.parse_args()
    paths = [p.resolve() for p in args.notebooks] or all_notebooks()
    if args.verb == "lint":
        found = [f"{p.relative_to(ROOT)}: {what}" for p in paths for what in problems(nbformat.read(p, 4), p.stem)]
        print("\n".join(found) or f"{len(paths)} notebooks in canonical form")
        return 1 if found else 0
    if args.verb == "normalise":
        for path in paths:
            nbformat.write(normalise(nbformat.read(path, 4), path.stem), path)
        return 0
    with ThreadPoolExecutor(args.j) as pool:
        for path in pool.map(execute, paths):
            print("executed", path.relative_to(ROOT), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
