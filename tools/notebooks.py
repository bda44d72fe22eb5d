"""Execute, normalise and lint the notebooks of the book.

    python tools/notebooks.py run [-j N] [notebook ...]        execute and write the canonical form
    python tools/notebooks.py normalise [notebook ...]        canonical form only, stored outputs kept
    python tools/notebooks.py lint [notebook ...]             report everything that is not as it must be

Without names all notebooks below ``chapters/`` are taken. Canonical form: nbformat 4.5, one kernelspec, no version or
timing metadata, cell ids that follow from the position, execution counts 1, 2, 3, ..., figures with a palette of 256
colours, code laid out at 78 columns (``tools.cells.layout``) and folded unless it is a listing (``tools.cells.folds``).
Two runs give identical bytes.

A notebook should take at most 8 s of processor time (``[tool.notebooks]`` in pyproject.toml): of one that takes more
the slowest cells are named. It is stored all the same, since a busy machine takes longer for the same work. A cell that
is worth more says why in a comment, ``# 5 s: each of two workers imports the library``, and these seconds are granted.
"""

from __future__ import annotations

import argparse
import ast
import base64
import copy
import io
import math
import re
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image, ImageChops, ImageStat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for a call by the path of this file
from tools.cells.folds import fold, listing_problems  # noqa: E402
from tools.cells.layout import WIDTH, lay_out  # noqa: E402
from tools.kernels import processor_time, share_imports  # noqa: E402

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
NOTEBOOK_KEYS = {"book", "mystnb"}
CELL_KEYS = {"tags", "mystnb", "equivalent"}
LAB_DIRECTIVES = {"admonition", "dropdown", "exercise", "exercise-start", "exercise-end"}
LAB_DIRECTIVES |= {"solution", "solution-start", "solution-end", "prf:algorithm", "prf:corollary", "prf:definition"}
LAB_DIRECTIVES |= {"prf:lemma", "prf:proof", "prf:proposition", "prf:remark", "prf:theorem", "prf:example"}
SHOWN = {"table", "player", "explorer", "live", "show_source", "Markdown", "draw"}
COLOURS = 256
LEAST_PSNR = 40.0  # dB; below it the eye sees a difference, and the picture keeps its full colour
INLINE_PNG = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=]+")
SECONDS: float = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["notebooks"]["seconds"]
GRANTED = re.compile(r"^ *# (\d+) s: (?=\w+ \w+)", re.MULTILINE)  # seconds that a cell asks for, with its reason
LINK_IN_TITLE = re.compile(r"^:{3,}\{dropdown\} .*(\{(cite|eq|ref|numref|doc|chapter)\b|\]\()", re.MULTILINE)
LOCAL_TEXT = re.compile(r"0x[0-9a-f]{8,}|/ipykernel_\d+/|/tmp/|/home/|/root/|[A-Z]:\\\\Users")


def all_notebooks() -> list[Path]:
    """Every notebook of the book, sorted."""
    return sorted(p for p in (ROOT / "chapters").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def normalise(nb: NotebookNode, stem: str) -> NotebookNode:
    """Bring ``nb`` into canonical form, in place; stored outputs stay."""
    kept = {k: v for k, v in nb.metadata.items() if k in NOTEBOOK_KEYS}
    nb.metadata = nbformat.from_dict({**KERNEL, **kept})
    nb.nbformat, nb.nbformat_minor = 4, 5
    lay_out([cell for cell in nb.cells if cell.cell_type == "code"])
    for position, cell in enumerate(nb.cells):
        cell["id"] = f"{stem.replace('_', '-')}-{position:03d}"
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL_KEYS and v})
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        if not cell.get("attachments"):
            cell.pop("attachments", None)
        if cell.cell_type == "code":
            fold(cell)
            cell.outputs = _join_streams(cell.outputs)
        for output in cell.get("outputs", []):
            if "metadata" in output:  # only the size of a figure for dense screens
                output["metadata"] = {k: v for k, v in output["metadata"].items() if k.startswith("image/")}
            if "execution_count" in output:
                output["execution_count"] = cell.execution_count
            _shrink_pictures(output.get("data", {}))
    return nb


def _shrink_pictures(data: NotebookNode) -> None:
    """Give a palette to the PNG of an output and to those inside its HTML, such as the frames of a player."""
    if "image/png" in data:
        data["image/png"] = with_palette(data["image/png"])
    if "text/html" in data:
        data["text/html"] = INLINE_PNG.sub(lambda found: with_palette(found[0]), data["text/html"])


def with_palette(png: str) -> str:
    """Store a picture with a palette of 256 colours, which takes a third of the space.

    A picture that has a palette already, that is transparent, that would suffer or not be smaller stays as it is; so a
    second call changes nothing. Of Pillow's ways to choose colours, maximum coverage keeps white white and errs least
    at the worst pixel.

    Parameters
    ----------
    png : str
        A PNG in base64.

    Returns
    -------
    str
        A PNG in base64 with the same size, the same pixels for each inch, and the same line end.
    """
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    if picture.mode == "P" or (picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (255, 255)):
        return png
    full, small = picture.convert("RGB"), io.BytesIO()
    reduced = full.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
    if psnr(full, reduced.convert("RGB")) < LEAST_PSNR:
        return png
    reduced.save(small, format="png", optimize=True, dpi=picture.info.get("dpi"))
    stored = base64.b64encode(small.getvalue()).decode("ascii") + ("\n" if png.endswith("\n") else "")
    return min(png, stored, key=len)


def psnr(a: Image.Image, b: Image.Image) -> float:
    """Peak signal-to-noise ratio of two pictures with channels from 0 to 255, in dB."""
    channels = ImageStat.Stat(ImageChops.difference(a, b)).rms
    mean_square = sum(rms**2 for rms in channels) / len(channels)
    return 10 * math.log10(255**2 / mean_square) if mean_square else math.inf


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


def problems(nb: NotebookNode, stem: str, chapter: bool = True) -> Iterator[str]:
    """What is wrong with a stored notebook, one line each; one that is no chapter collects, and needs no plan."""
    try:
        if nbformat.writes(normalise(copy.deepcopy(nb), stem)) != nbformat.writes(nb):
            yield "not in canonical form: run `python3 run.py notebooks`"
    except ValueError as error:
        yield str(error)
    book = nb.metadata.get("book", {})
    known = LAB_DIRECTIVES if chapter else LAB_DIRECTIVES | {"card-list", "method-comparison"}
    for key in ("prerequisites", "task", "minutes") if chapter else ():
        if key not in book:
            yield f"notebook metadata has no book.{key}"
    count = 0
    for position, cell in enumerate(nb.cells):
        for name in re.findall(r"^:{3,}\{([\w:-]+)\}", cell.source, re.MULTILINE):
            if cell.cell_type == "markdown" and name not in known:
                yield f"cell {position}: JupyterLab does not know {{{name}}}: write {{admonition}} with a :class:"
        if cell.cell_type == "markdown" and LINK_IN_TITLE.search(cell.source):
            yield f"cell {position}: a link in the title of a dropdown, which the keyboard does not reach: put it below"
        if cell.cell_type == "code":
            count += 1
            yield from (f"cell {position}: {what}" for what in _cell_problems(cell, count))
            following = nb.cells[position + 1] if position + 1 < len(nb.cells) else None
            if _has_figure(cell) and not _prints_fingerprint(following):
                yield f"cell {position}: a figure that no hidden cell with a fingerprint follows"


def problems_of(path: Path) -> Iterator[str]:
    """What is wrong with a file; chapters stand in the folders of the parts, and nothing deeper is one."""
    return problems(nbformat.read(path, 4), path.stem, chapter=path.parents[1] == ROOT / "chapters")


def _cell_problems(cell: NotebookNode, count: int) -> Iterator[str]:
    tags = cell.metadata.get("tags", [])
    if cell.execution_count != count:
        yield f"execution_count is {cell.execution_count}, expected {count}: a cell that was not run is not compared"
    yield from listing_problems(cell)
    yield from _shown_by_nobody(cell.source)
    for number, line in enumerate(cell.source.split("\n"), 1):
        if len(line) > WIDTH:
            yield f"line {number} has {len(line)} columns, more than {WIDTH}: break its text or comment"
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


def _shown_by_nobody(source: str) -> Iterator[str]:
    """Calls whose result only the last line of a cell shows."""
    try:
        statements = ast.parse(source).body[:-1]
    except SyntaxError:  # which the layout reports
        return
    for statement in statements:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SHOWN:
            yield f"line {statement.lineno}: {call.func.id}(...) shows nothing unless it is the last line"


def _has_figure(cell: NotebookNode) -> bool:
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def _prints_fingerprint(cell: NotebookNode | None) -> bool:
    return cell is not None and "fingerprint(" in cell.source and "remove-cell" in cell.metadata.get("tags", [])


def _text(output: NotebookNode) -> str:
    shown = [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
    text = "".join(map(str, shown)) + output.get("text", "") + "".join(output.get("traceback", []))
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "", text)


def execute(path: Path, seconds: float = SECONDS) -> str:
    """Run a notebook from its own folder and store it in canonical form.

    Parameters
    ----------
    path : Path
    seconds : float
        Its budget of processor time, start of the kernel included, and what it imports beyond the process that kernels
        are forked from (``tools.kernels``). Where the system does not tell (Windows), none.

    Returns
    -------
    str
        Empty, or which cells to make cheaper, because it took more than this and what its cells ask for.
    """
    nb = nbformat.read(path, 4)
    seconds += sum(granted(nb))
    resources = {"metadata": {"path": str(path.parent)}}
    quiet = ["--log-level=40"]  # a kernel warns on every start that it talks to itself over TCP
    client = NotebookClient(nb, timeout=300, kernel_name="python3", record_timing=False, resources=resources)
    client.extra_arguments = quiet
    share_imports()
    slowest, begin = _watch_cells(client), processor_time()
    client.execute()
    spent = processor_time() - begin
    nbformat.write(normalise(nb, path.stem), path)
    if spent <= seconds:
        return ""
    cells = ", ".join(f"{position} ({wall:.1f} s)" for wall, position in sorted(slowest, reverse=True)[:3])
    return f"takes {spent:.1f} s of processor time, more than {seconds:g} s: make these cells cheaper: {cells}"


def granted(nb: NotebookNode) -> list[int]:
    """Seconds above the budget that cells ask for with a reason."""
    return [int(found[1]) for cell in nb.cells if cell.cell_type == "code" for found in GRANTED.finditer(cell.source)]


def _watch_cells(client: NotebookClient) -> list[tuple[float, int]]:
    """A list that will hold the time and the position of each cell."""
    spent: list[tuple[float, int]] = []
    started = 0.0

    def start(cell: NotebookNode, cell_index: int) -> None:
        nonlocal started
        started = time.monotonic()

    client.on_cell_execute = start
    client.on_cell_executed = lambda cell, cell_index, execute_reply: spent.append(
        (time.monotonic() - started, cell_index)
    )
    return spent


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["run", "normalise", "lint"])
    parser.add_argument("-j", type=int, default=2, help="notebooks executed at the same time (default 2)")
    parser.add_argument("notebooks", nargs="*", type=Path)
    args = parser.parse_intermixed_args()  # notebooks may follow an option
    paths = [p.resolve() for p in args.notebooks] or all_notebooks()
    if args.verb == "lint":
        found = [f"{path.relative_to(ROOT)}: {what}" for path in paths for what in problems_of(path)]
        print("\n".join(found) or f"{len(paths)} notebooks in canonical form")
        return 1 if found else 0
    if args.verb == "normalise":
        for path in paths:
            nbformat.write(normalise(nbformat.read(path, 4), path.stem), path)
        return 0
    with ProcessPoolExecutor(args.j) as pool:  # processes: each one knows the time of its own kernel
        for path, slow in zip(paths, pool.map(execute, paths), strict=True):
            print("executed", path.relative_to(ROOT), slow, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
