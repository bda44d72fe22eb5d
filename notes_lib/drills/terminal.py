r"""The Markdown of a drill as text that a terminal can show: Unicode mathematics, aligned tables, wrapped lines.

The mathematics is read by pylatexenc; what it leaves out is told to it here: the bar of a fraction (``\tfrac{1}{26}``
would become 126), raised and lowered signs, and the space around operators.
"""

from __future__ import annotations

import re
import textwrap
from functools import cache
from typing import Any

from notes_lib.display import Table
from notes_lib.drills.webpage import title_of

__all__ = ["readable"]

WIDTH = 96
RAISED = dict(zip("0123456789+-=()nTij", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵀⁱʲ", strict=True))
LOWERED = dict(zip("0123456789+-=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.S)
ITEM = re.compile(r"(?:\d+\.|-) ")
MARK = re.compile(r"(\*\*|\*)(?=\S)(.+?)(?<=\S)\1", re.S)  # bold, slanted
SPACED = re.compile(r" *([=≈≤≥≠<>±∝∼←∈·×]|(?<=[^\s(,=·/^+-])[+-](?= )) *")
SIMPLE = re.compile(r"[\w.∞\u0300-\u0304]+|[\w.]*\([^()]*\)|‖[^‖]*‖")  # needs no brackets as a numerator
PRODUCT = re.compile(r"[\d.]+[^\W\d]")  # such as 2π


def readable(markdown: str, width: int = WIDTH) -> str:
    r"""Text of a Markdown source with formulas.

    Examples
    --------
    >>> print(readable(r"1. **Find** $\tfrac{1}{26}\,\lVert\mathbf{x}_1\rVert^2 \leq \sqrt{2}$ *now*."))
    1. Find 1/26 ‖𝐱₁‖² ≤ √2 now.
    """
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", markdown) if block.strip()]
    return "\n\n".join(_block(block, width) for block in blocks)


@cache
def formula(tex: str) -> str:
    """One formula on one line."""
    text = _reader().latex_to_text(_scripts(tex.strip()))
    text = re.sub(r"\s+", " ", text.replace("⊤", "ᵀ"))
    text = re.sub(r"\blog(?=[0-9A-Za-zα-ω])", "log ", text)
    text = text.replace("ln (", "ln(")
    text = SPACED.sub(r" \1 ", re.sub(r"(?<=[_^]\w) (?=[^\w\s(])", "", text))
    return re.sub(r" ([,;.)\]])", r"\1", re.sub(r"([(\[]) ", r"\1", re.sub(" +", " ", text))).strip()


def _scripts(tex: str) -> str:
    """Lowered and raised signs in Unicode, or in brackets where Unicode lacks one of them."""
    tex = re.sub(r"\s+(\\r[vV]ert)", r"\1", tex)
    tex = re.sub(r"\\[td]frac", r"\\frac", re.sub(r"\^\\top\b", "^T", tex))
    tex = re.sub(r"(\\(?:ln|log)(?:_2)?) ?(\\frac\{[^{}]*\}\{[^{}]*\})", r"\1(\2)", tex)  # ln 2/3 could be (ln 2)/3
    tex = re.sub(r"/ ?(\\frac\{[^{}]*\}\{[^{}]*\})", r"/ (\1)", tex)  # 7/7/3 would be (7/7)/3
    pattern = re.compile(r"([_^])(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\[a-zA-Z]+|[^\\{]))")
    return pattern.sub(lambda m: _script(m[1], m[2] if m[2] is not None else m[3]), tex)


def _script(mark: str, tex: str) -> str:
    signs = RAISED if mark == "^" else LOWERED
    if all(sign in signs for sign in tex):
        return "{}" + "".join(signs[sign] for sign in tex)  # a raised letter must not run into the name before it
    text = formula(tex)
    if text.isalpha() and (len(text) == 1 or mark == "_"):
        return f"{{}}{mark}{text} "
    return f"{{}}{mark}{text}" if text.startswith("(") and text.endswith(")") else f"{{}}{mark}({text})"


@cache
def _reader() -> Any:
    from pylatexenc.latex2text import EnvironmentTextSpec, LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    def argument(node: Any, reader: Any, place: int) -> str:
        return " ".join(str(reader.nodelist_to_text([node.nodeargd.argnlist[place]])).split())

    def quotient(node: Any, l2tobj: Any) -> str:
        above, below = (argument(node, l2tobj, place) for place in (0, 1))
        above = above if SIMPLE.fullmatch(above) else f"({above})"
        return f"{above}/{below if SIMPLE.fullmatch(below) and not PRODUCT.match(below) else f'({below})'}"

    def root(node: Any, l2tobj: Any) -> str:
        inner = argument(node, l2tobj, 1)
        return f"√{inner}" if SIMPLE.fullmatch(inner) and not PRODUCT.match(inner) else f"√({inner})"

    context = get_default_latex_context_db()
    context.add_context_category(
        "drills",
        macros=[MacroTextSpec("frac", simplify_repl=quotient), MacroTextSpec("sqrt", simplify_repl=root)]
        + [MacroTextSpec(name, sign) for name, sign in _SIGNS.items()],
        environments=[EnvironmentTextSpec("aligned", simplify_repl="%(body)s")],
        prepend=True,
    )
    return LatexNodes2Text(latex_context=context, math_mode="text", strict_latex_spaces=False)


_SIGNS = {
    "cdot": " · ", "lVert": "‖", "rVert": "‖", "Vert": " ‖ ", "lvert": "|", "rvert": "|", "mid": " | ", "big": "",
    "ln": "ln ", "log": "log", "exp": "exp", "max": "max", "min": "min", "ell": "ℓ",
    ",": " ", ";": " ", "quad": "  ", "qquad": "  ",
}  # fmt: skip


def _block(block: str, width: int) -> str:
    """A table, a formula, or a paragraph whose items hang."""
    lines = block.split("\n")
    if lines[0].startswith("|"):
        header, _, *rows = ([_inline(cell.strip()) for cell in line.split("|")[1:-1]] for line in lines)
        return str(Table(header, rows))
    if "$$" in block:
        return _inline(block)
    if block.startswith("#"):
        title = _inline(title_of(block))
        return f"{title}\n{'-' * len(title)}"
    starts = [k for k, line in enumerate(lines) if k == 0 or ITEM.match(line)]
    items = [" ".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return "\n".join(_wrapped(_inline(item), width) for item in items)


def _inline(text: str) -> str:
    """Text with its formulas read and its marks left out."""
    return MARK.sub(r"\2", FORMULA.sub(lambda m: f"    {formula(m[1])}" if m[1] else formula(m[2]), text))


def _wrapped(item: str, width: int) -> str:
    hang = ITEM.match(item)
    indent = " " * len(hang[0]) if hang else ""
    return textwrap.fill(item, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
