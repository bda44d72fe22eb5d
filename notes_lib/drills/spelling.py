r"""One spelling for what a student types: of keyboards, phones, Chinese input, TeX, Python and copied text.

=================================  ===================================================================================
``½``, ``1½``, ``10⁻³``            fractions and powers with signs of their own; ``1½`` is one number, ``1 ½`` is two
``０．５``, ``B、C``                full-width signs
``\frac{1}{2}``, ``$0.5$``         TeX: fractions, roots, brackets, names; a matrix between ``\begin`` and ``\end``
``<1, 2>``                         brackets of a vector
``np.array([1, 2])``               Python's and its powers, ``2**3``
``0.083.``                         the full stop of a sentence
=================================  ===================================================================================

What has more than one meaning, such as ``2\frac{1}{2}``, is refused with a sentence. ``static/judge.js`` folds alike.
"""

from __future__ import annotations

import re

__all__ = ["Unreadable", "fold"]

LONGEST = 400  # characters
# one spelling for what keyboards, phones and copied text have several of
FOLDED = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "﹣": "-",
    "·": "*", "⋅": "*", "∙": "*", "×": "*", "•": "*", "÷": "/", "∕": "/", "⁄": "/",
    "\t": " ", "\xa0": " ", "\u2002": " ", "\u2003": " ", "\u2005": " ", "\u2006": " ", "\u2007": " ", "\u2008": " ",
    "\u2009": " ", "\u200a": " ", "\u202f": " ", "\u3000": " ", "\u200b": "", "\r": "",
    "[": "(", "{": "(", "]": ")", "}": ")", "⟨": "(", "⟩": ")", "〈": "(", "〉": ")",
    "、": ", ", "。": ".", "&": ", ", "$": "",
    "√": "sqrt", "π": "pi", "₂": "_2 ",
    "≈": "=", "⊤": "T", "ᵀ": "^T", "∞": "infinity", "∅": "none",
    "→": ">", "⟶": ">", "⇒": ">", "➔": ">", "➝": ">",
}  # fmt: skip
FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
TEX = {
    "cdot": "*", "times": "*", "div": "/", "pi": "pi", "ln": "ln", "log": "log", "exp": "exp", "sqrt": "sqrt",
    "left": "", "right": "", "top": "T", "to": ">", "rightarrow": ">", "infty": "infinity", "emptyset": "none",
    "varnothing": "none", "approx": "=", "quad": " ", "qquad": " ",
}  # fmt: skip


class Unreadable(ValueError):
    """What was typed has no meaning; the message says why, in one sentence."""


def fold(text: str) -> str:
    r"""Text in one spelling: signs, blanks, brackets, arrows, fractions, TeX.

    Examples
    --------
    >>> fold("−½ · [√2, π]"), fold(r"$\frac{1}{2}$"), fold("np.array([1，２])")
    ('-(1/2) * (sqrt2, pi)', '((1)/(2))', '((1,2))')
    """
    if len(text) > LONGEST:
        raise Unreadable(f"This is longer than {LONGEST} characters.")
    if not text.isascii():
        text = raised(narrow(text.replace("₁₀", "_10 ")))
    text = without_python(from_tex(text))
    folded = "".join(FOLDED.get(character, character) for character in fractions(text))
    while "  " in folded:
        folded = folded.replace("  ", " ")
    return closed(folded.strip(" \n"))


def narrow(text: str) -> str:
    """Full-width signs as the usual ones."""
    return "".join(chr(ord(sign) - 0xFEE0) if "！" <= sign <= "～" else sign for sign in text)


def raised(text: str) -> str:
    """Raised digits as powers: 10⁻³ is 10^-3."""
    found, power = "", False
    for sign in text:
        place = RAISED.find(sign)
        found += ("^" if place >= 0 and not power else "") + ("0123456789-+"[place] if place >= 0 else sign)
        power = place >= 0
    return found


def from_tex(text: str) -> str:
    """TeX in the spelling without it; text that has no command stays as it is."""
    if "\\" not in text:
        return text
    text = re.sub(r"\\(?:begin|end) ?\{[a-zA-Z]*matrix\*?\}", "", text)
    text = re.sub(r" *\\\\ *\n?", "\n", text).replace("&", ";")
    text = re.sub(r"\\[,;:! ]", " ", text)
    text = re.sub(r"\\[()\[\]]", "", text).replace("{,}", ",")
    text = re.sub(r"\\([%{}$])", r"\1", text)
    text = re.sub(r"\\(?:text|mathrm|mathbf|boldsymbol|operatorname) ?\{([^{}]*)\}", r"\1", text)
    text = divided(re.sub(r"\\[dtc]frac", r"\\frac", text))
    if re.search(r"\\sqrt ?\[", text):
        raise Unreadable("Write a root that is not the square root as a power, such as 8^(1/3).")
    text = re.sub(r"_ ?\{([0-9]+)\}", r"_\1 ", text)
    return re.sub(r"\\([a-zA-Z]+)", named, text).replace("^{T}", "^T")


def named(match: re.Match[str]) -> str:
    """What a command of TeX stands for."""
    if match[1] not in TEX:
        raise Unreadable(f"“{match[0]}” is not known here: write such as 1/2, sqrt(2), 3*10^-2 or (1, 2).")
    return TEX[match[1]]


def divided(text: str) -> str:
    """Fractions of TeX, the last one first: what stands in one has none any more."""
    at = text.rfind("\\frac")
    while at >= 0:
        above, rest = group(text[at + 5 :])
        below, rest = group(rest)
        apart = re.search(r"[0-9.] +\Z", text[:at]) and re.match(r"[0-9.]+\Z", above)
        if re.search(r"[0-9.] *\Z", text[:at]) and not apart:
            raise Unreadable("Between a number and a fraction write + or *, so that it is clear what is meant.")
        text = text[:at] + (f"{above}/({below})" if apart else f"(({above})/({below}))") + rest
        at = text.rfind("\\frac")
    return text


def group(text: str) -> tuple[str, str]:
    """The digit or the brackets at the beginning of a text, and what follows."""
    text, depth = text.lstrip(" "), 0
    if re.match("[0-9]", text):
        return text[0], text[1:]
    for at, sign in enumerate(text if text.startswith("{") else ""):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return text[1:at], text[at + 1 :]
    raise Unreadable("A fraction is written \\frac{1}{2}, or 1/2.")


def without_python(text: str) -> str:
    """The names that Python wants around numbers, and its sign of a power."""
    if "." in text:
        text = re.sub(r"(^|[^a-zA-Z0-9_.])(?:np|numpy|math)\.([a-zA-Z])", r"\1\2", text)
    if "(" in text:
        text = re.sub(r"(^|[^a-zA-Z0-9_.])(?:array|float64) ?\(", r"\1(", text)
    return re.sub(r"([0-9)\]] ?)\*\*( ?[-+0-9(])", r"\1^\2", text) if "**" in text else text


def fractions(text: str) -> str:
    """Fractions that are one sign: behind digits they are added to these, behind digits and a blank they are not."""
    found = ""
    for sign in text:
        value = FRACTIONS.get(sign)
        if value is None:  # nearly always
            found += sign
            continue
        whole = re.search(r"[0-9]+\Z", found)
        if whole is None:
            found += value if re.search(r"[0-9] +\Z", found) else f"({value})"
        elif re.search(r"[.,][0-9]+\Z", found):
            raise Unreadable(f"Write “{whole[0]}{sign}” as one fraction, such as 5/2.")
        else:
            found = f"{found[: whole.start()]}({whole[0]}+{value})"
    return found


def closed(text: str) -> str:
    """Text without the full stop of a sentence behind a digit, and with round brackets instead of pointed ones."""
    if re.search(r"[0-9%)]\.\Z", text):
        text = text[:-1]
    pointed = text.startswith("<") and text.endswith(">") and text.count("<") + text.count(">") == 2
    return f"({text[1:-1]})" if pointed else text
