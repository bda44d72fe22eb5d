r"""A formula as a line of plain text, for places that show no mathematics: ``\frac{a}{\sigma^2}`` is ``a/σ²``.

KaTeX writes MathML beside its markup; the text is read off that, so whatever KaTeX can read has one.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

MATHML = re.compile(r"<math.*?</math>", re.DOTALL)
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
RAISED = str.maketrans("0123456789+-−=()nT⊤", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿᵀᵀ")
LOWERED = str.maketrans("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
BRACES = ("⏟", "⏞")
SPACES = re.compile(r"[\s\u2061-\u2064\u200b]+")


def readable(markup: str) -> str:
    """The text of the formula that KaTeX has rendered to ``markup``."""
    found = MATHML.search(markup)
    return SPACES.sub(" ", text_of(ElementTree.fromstring(found[0]))).strip() if found else ""


def text_of(node: ElementTree.Element) -> str:
    """The text of an element of MathML."""
    tag, parts = node.tag.removeprefix(NAMESPACE), [text_of(child) for child in node]
    if tag == "annotation" or tag == "mspace":
        return " " * (tag == "mspace")
    if tag == "mfrac":
        return f"{grouped(parts[0])}/{divisor(node[1], parts[1])}"
    if tag in ("msup", "msub", "msubsup", "munder", "mover", "munderover"):
        return scripted(tag, parts)
    if tag in ("msqrt", "mroot"):
        return f"√{grouped(''.join(parts[:1] if tag == 'mroot' else parts))}"
    if tag in ("mtd", "mtr"):
        return "".join(parts) + " "
    return operator(node.text or "") if tag == "mo" else (node.text or "") + "".join(parts)


def operator(sign: str) -> str:
    """A relation, a sum or a comma stands apart; a bracket does not."""
    return f" {sign} " if sign in "=≠≈≤≥<>∈∼∝⇒⇔→←+−±⋅×∣:∧∨" and sign else sign + " " * (sign in (",", ";"))


def scripted(tag: str, parts: list[str]) -> str:
    """A base with what stands above and below it; an accent or a brace is left out."""
    base, *scripts = parts[0].strip(), *parts[1:]
    if tag == "mover" or scripts[0].strip() in BRACES:
        return base
    low = lowered(scripts[0]) if tag != "msup" else ""
    high = raised(scripts[-1]) if tag in ("msup", "msubsup", "munderover") else ""
    return base + low + high


def raised(text: str) -> str:
    """An exponent."""
    text = text.strip()
    return text if text in ("′", "″", "*", "∗", "+") else shifted(text.replace(" ", ""), RAISED, "^")


def lowered(text: str) -> str:
    """An index."""
    return shifted(text.replace(" ", ""), LOWERED, "_")


def shifted(text: str, table: dict[int, int], mark: str) -> str:
    """A script in letters of its own where Unicode has them all, after a mark otherwise."""
    if all(ord(letter) in table for letter in text):
        return text.translate(table)
    return mark + (text if len(text) == 1 or text[0] + text[-1] == "()" else f"({text})")


def divisor(node: ElementTree.Element, text: str) -> str:
    """What stands below a bar, in brackets if it is a product: ``1/2N`` might be half of N."""
    product = node.tag == f"{NAMESPACE}mrow" and len(node) > 1
    return f"({text.strip()})" if product and grouped(text)[:1] != "(" else grouped(text)


def grouped(text: str) -> str:
    """Text in brackets unless it is one thing."""
    text = text.strip()
    return text if len(text) == 1 or text.replace(".", "").isalnum() else f"({text})"
