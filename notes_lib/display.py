"""What notebooks print: rounded numbers, tables, checked identities, source listings, figure fingerprints.

``%load_ext notes_lib.display`` gives a notebook the magic ``%%closed``, for what a solution prints.

Stored outputs are compared with fresh ones on every test run, on other machines and other Python versions. So
everything that a chapter prints goes through this module, which rounds to a fixed number of significant digits and
never prints a rounding error itself.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.listing import cut_docstrings, without_checks

ZERO = 1e-12  # magnitudes below this print as 0: their digits are rounding noise and differ between machines
EXACT = 12  # digits beyond these are rounding noise, too: they do not decide how a number half-way is rounded
BAR = re.compile(r"(?<!\\)\|")  # in Markdown it ends a cell


def sig(x: ArrayLike, digits: int = 4) -> str:
    """Format a number or an array to a fixed number of significant digits.

    Parameters
    ----------
    x : number or array
        Magnitudes below 1e-12 print as 0; "-0" never appears. What is half-way in its first 12 digits is rounded
        away from 0, as on paper, whatever the digits after them.
    digits : int
        Significant digits, at least 1.

    Returns
    -------
    str
        Arrays as nested brackets, on one line.

    Raises
    ------
    ValueError
        If ``digits`` is less than 1.

    Examples
    --------
    >>> sig(np.pi)
    '3.142'
    >>> sig([1.0, -1e-17, 12345.678])
    '[1, 0, 1.235e+04]'
    """
    if digits < 1:
        raise ValueError(f"digits must be at least 1, got {digits}.")
    a = np.asarray(x)
    if a.ndim:
        return "[" + ", ".join(sig(v, digits) for v in a) + "]"
    if a.dtype.kind in "biuUSO":  # integers, booleans and text are exact
        return str(a.item())
    value = 0.0 if abs(a) < ZERO else float(a)
    if not np.isfinite(value):
        return str(value)
    nearly = Decimal(f"{value:.{max(digits, EXACT)}g}")
    return f"{float(Context(prec=int(digits), rounding=ROUND_HALF_UP).plus(nearly)):.{digits}g}"


class Table:
    """A small table that a notebook shows as Markdown and a terminal as aligned text; made by :func:`table`."""

    def __init__(self, header: list[str], cells: list[list[str]]) -> None:
        self.header = header
        self.cells = cells

    @property
    def markdown(self) -> str:
        """The table in Markdown; numbers are aligned to the right, text to the left."""

        def right(column: int) -> bool:
            return all(_is_number(row[column]) for row in self.cells)

        rule = ["---:" if right(j) else ":---" for j in range(len(self.header))]
        rows = [[BAR.sub(r"\|", text) for text in row] for row in (self.header, rule, *self.cells)]
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)

    def __str__(self) -> str:
        rows = [self.header, *self.cells]
        widths = [max(len(row[j]) for row in rows) for j in range(len(self.header))]
        return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return self.markdown


def plus_minus(values: ArrayLike, digits: int = 3) -> str:
    """Mean of repetitions and its standard error, as text; the error has one digit.

    Parameters
    ----------
    values : (n,) array
        Independent repetitions, at least two.
    digits : int
        Significant digits of the mean.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there are fewer than two values.

    Examples
    --------
    >>> plus_minus([1.0, 2.0, 4.0])
    '2.33 ± 0.9'
    """
    v = np.asarray(values, dtype=float)
    if v.size < 2:
        raise ValueError(f"values must hold at least two repetitions, got {v.size}: one has no standard error.")
    return f"{sig(v.mean(), digits)} ± {sig(v.std(ddof=1) / np.sqrt(v.size), 1)}"


def _is_number(text: str) -> bool:
    try:
        float(text.strip("$"))
    except ValueError:
        return text in ("", "-")
    return True


def table(rows: Sequence[Sequence[Any]], header: Sequence[str], digits: int = 4) -> Table:
    """Lay out rows of numbers and text as a table.

    Parameters
    ----------
    rows : sequence of sequences
        Strings stand as they are (they may hold ``$...$``); everything else goes through :func:`sig`.
    header : sequence of str
        One title for each column.
    digits : int
        Significant digits of the numbers.

    Returns
    -------
    Table
        Shown as Markdown in a notebook; ``.markdown`` is its text.

    Raises
    ------
    ValueError
        If a row does not have as many cells as the header.

    Examples
    --------
    >>> table([["a", 1.23456], ["b", 2]], ["name", "value"])
    name  value
       a  1.235
       b      2
    """
    cells = [[c if isinstance(c, str) else sig(c, digits) for c in row] for row in rows]
    for row in cells:
        if len(row) != len(header):
            raise ValueError(f"each row needs {len(header)} cells as the header has, got {len(row)}: {row}.")
    return Table(list(header), cells)


def check(claim: str, lhs: ArrayLike, rhs: ArrayLike, tol: float = 1e-10, digits: int = 4) -> None:
    """Print that two sides of an equation agree, or fail.

    Parameters
    ----------
    claim : str
        What is claimed, in a few words.
    lhs, rhs : numbers or arrays of one shape
        The two sides, computed independently. Arrays with more than six entries are not printed; an entry that is 0
        on one side prints as 0 on the other, too.
    tol : float
        Largest accepted difference, relative to ``max(1, max|rhs|)``.
    digits : int
        Significant digits printed.

    Raises
    ------
    AssertionError
        If the shapes differ or the difference exceeds ``tol`` (a NaN always does).

    Examples
    --------
    >>> check("(a + b)^2 = a^2 + 2ab + b^2", (2 + 3) ** 2, 2**2 + 2 * 2 * 3 + 3**2)
    (a + b)^2 = a^2 + 2ab + b^2: 25 = 25 (equal to 1e-10)
    """
    left, right = np.asarray(lhs, dtype=float), np.asarray(rhs, dtype=float)
    if left.shape != right.shape:
        raise AssertionError(f"{claim}: the sides have shapes {left.shape} and {right.shape}.")
    scale = max(1.0, float(np.max(np.abs(right), initial=0.0)))
    gap = float(np.max(np.abs(left - right), initial=0.0))
    if not (np.isfinite(gap) and gap <= tol * scale):
        raise AssertionError(f"{claim}: the sides differ by {gap:.3g}, more than {tol:g} x {scale:.3g}.")
    if left.size <= 6:
        # what is 0 on one side is rounding noise on the other
        left, right = np.where(np.abs(right) < ZERO, 0.0, left), np.where(np.abs(left) < ZERO, 0.0, right)
        sides = f"{sig(left, digits)} = {sig(right, digits)}"
    else:
        sides = f"{' x '.join(map(str, left.shape))} numbers agree"
    print(f"{claim}: {sides} (equal to {tol:g})")


class Source:
    """Source code that a notebook shows highlighted; made by :func:`show_source`."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def show_source(obj: Callable[..., Any] | type, docstring: bool = False) -> Source:
    """Source of a function or class from the library's own file, without the lines that only check or warn.

    Parameters
    ----------
    obj : function, method or class
    docstring : bool
        Show everything, full docstrings and checks; by default each docstring is cut to its first line.

    Returns
    -------
    Source
        Shown as highlighted code in a notebook.

    Examples
    --------
    >>> print(show_source(_is_number).code.splitlines()[0])
    def _is_number(text: str) -> bool:
    """
    code = textwrap.dedent(inspect.getsource(obj)).rstrip()
    return Source(code if docstring else without_checks(cut_docstrings(code)))


def fingerprint(fig: Any, digits: int = 3) -> str:
    """Summarise as text what a figure draws: stored images are not compared, this text is.

    Parameters
    ----------
    fig : matplotlib.figure.Figure
    digits : int
        Significant digits of the summary.

    Returns
    -------
    str
        One line for each line, point cloud, contour set, filled area, set of bars of error, set of patches and image:
        count, then minimum, mean and maximum of its vertical data. For an image, those of all values, then the mean of
        each quarter as it is seen (above left and right, below left and right), so that a picture turned upside down
        has another fingerprint.
    """
    rows = []
    for number, ax in enumerate(fig.axes):
        for kind, values in _drawn(ax):
            rows.append(f"axes {number} {kind} {_summary(_finite(values), digits)}")
            if kind == "image":
                # a digit less: in a quarter, one pixel weighs four times as much
                rows[-1] += f" quarters={sig(_quarters(values), max(digits - 1, 1))}"
    return "\n".join(rows) or "an empty figure"


def _finite(values: ArrayLike) -> FloatArray:
    v = np.asarray(values, dtype=float).ravel()
    return v[np.isfinite(v)]


def _summary(v: FloatArray, digits: int) -> str:
    if not v.size:
        return "empty"
    return f"n={v.size} min={sig(v.min(), digits)} mean={sig(v.mean(), digits)} max={sig(v.max(), digits)}"


def _quarters(A: FloatArray) -> list[float]:
    """Means of the four quarters of a picture; a middle row or column belongs to both sides."""
    m, n = A.shape[:2]
    rows, columns = (slice(-(-m // 2)), slice(m // 2, m)), (slice(-(-n // 2)), slice(n // 2, n))
    quarters = [_finite(A[i, j]) for i in rows for j in columns]
    return [float(q.mean()) if q.size else np.nan for q in quarters]


def _as_seen(image: Any) -> FloatArray:
    """Values of an image, first row on top and first column on the left as the reader sees them."""
    A: FloatArray = np.ma.filled(np.ma.asarray(image.get_array(), float), np.nan)
    left, right, bottom, top = image.get_extent()
    top_is_above = (top > bottom) != image.axes.yaxis_inverted()
    left_is_left = (right > left) != image.axes.xaxis_inverted()
    first_row_is_above = (image.origin == "upper") == top_is_above
    return A[:: 1 if first_row_is_above else -1, :: 1 if left_is_left else -1]


def _heights(outlines: Iterable[Any]) -> FloatArray:
    """Vertical data of all vertices of some outlines."""
    return np.concatenate([np.empty(0), *(vertices[:, 1] for vertices in outlines)])


def _drawn(ax: Any) -> list[tuple[str, Any]]:
    """Kind and vertical data of everything drawn on ``ax``."""
    from matplotlib.collections import LineCollection, PathCollection, PolyCollection
    from matplotlib.contour import ContourSet

    found: list[tuple[str, Any]] = [("line", line.get_ydata()) for line in ax.lines]
    for collection in ax.collections:
        if isinstance(collection, ContourSet):
            found.append(("contour", _heights(path.vertices for path in collection.get_paths())))
        elif isinstance(collection, PathCollection):
            offsets: Any = np.ma.masked_array(collection.get_offsets(), dtype=float)
            found.append(("points", offsets[:, 1].filled(np.nan)))
        elif (
            isinstance(collection, LineCollection | PolyCollection) and collection.get_paths()
        ):  # a colour bar has none
            kind = "bars" if isinstance(collection, LineCollection) else "area"
            found.append((kind, _heights(path.vertices for path in collection.get_paths())))
    if ax.patches:
        outlines = [p.get_patch_transform().transform_path(p.get_path()) for p in ax.patches]
        found.append(("patches", _heights(outline.vertices for outline in outlines)))
    found += [("image", _as_seen(image)) for image in ax.images]
    return found


def progress_line(label: str = "fits", width: int = 20, stream: TextIO | None = None) -> Callable[[int, int], None]:
    """Make a callable that shows how far a long search is: a line of dots that grows, then the total.

    The dots depend on the progress only, not on the clock, so that the finished line is the same on every run; nothing
    is rewound, so that it also reads well in a log.

    Parameters
    ----------
    label : str
        Beginning of the line.
    width : int
        Dots of the whole line, at least 1.
    stream : file or None
        Where to write; None: standard output.

    Returns
    -------
    callable
        ``f(done, total)``, such as the ``progress`` of a grid search takes; after ``f(total, total)`` it starts anew.

    Raises
    ------
    ValueError
        If ``width`` is less than 1.

    Examples
    --------
    >>> report = progress_line("search", width=4)
    >>> for done in range(9):
    ...     report(done, 8)
    search .... 8 of 8
    """
    if width < 1:
        raise ValueError(f"width must be at least 1, got {width}.")
    written = ""

    def report(done: int, total: int) -> None:
        nonlocal written
        line = f"{label} " + "." * (width * done // total) + (f" {total} of {total}\n" if done == total else "")
        print(line.removeprefix(written), end="", file=stream, flush=True)
        written = "" if done == total else line

    return report


def closed(line: str, cell: str) -> None:
    """Run a cell and show what it prints below a line that the reader opens: the cell magic ``%%closed``.

    JupyterLab opens all outputs that it makes. In the chapters for JupyterLab the cells of solutions begin with this
    magic, so that *Run All* does not show their results.

    Parameters
    ----------
    line : str
        The title of what is closed; empty for "Result".
    cell : str
        The code. An error that it raises is raised.
    """
    from IPython import get_ipython
    from IPython.display import Markdown, display
    from IPython.utils.capture import capture_output

    with capture_output() as caught:
        ran = get_ipython().run_cell(cell)
    ran.raise_error()
    shown = [f"```text\n{caught.stdout.rstrip()}\n```"] if caught.stdout else []
    shown += [_in_markdown(output.data, output.metadata or {}) for output in caught.outputs]
    if shown:
        title = f"<details><summary>{line or 'Result'}</summary>"
        display(Markdown("\n\n".join([title, *shown, "</details>"])))


def _in_markdown(data: dict[str, str], metadata: dict[str, dict[str, int]]) -> str:
    """An output as part of a text in Markdown; a figure for dense screens has its width in the metadata."""
    if "image/png" in data:
        width = metadata.get("image/png", {}).get("width")
        size = f' width="{width}"' if width else ""
        return f'<img alt="Figure"{size} src="data:image/png;base64,{data["image/png"].strip()}">'
    return data.get("text/markdown") or data.get("text/html") or f"```text\n{data['text/plain']}\n```"


def load_ipython_extension(ipython: Any) -> None:
    """Give a notebook the magic ``%%closed``."""
    ipython.register_magic_function(closed, "cell")
