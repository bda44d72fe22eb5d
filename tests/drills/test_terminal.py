"""What a terminal shows of a drill: the same numbers as the Markdown source, and expressions of the same value."""

import math
import re

import pytest

from notes_lib.drills import topics
from notes_lib.drills.expressions import Unreadable, read_number
from notes_lib.drills.terminal import formula, readable
from tests.drills.arithmetic import Reader, chains, formulas
from tests.drills.seeds import SEEDS, drawn

SOME = SEEDS[::4]  # all topics; ten seeds unless more are asked for
RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
PLAIN = "0123456789+-=()"
BOLD = {chr(0x1D7CE + k): str(k) for k in range(10)}


def typed(text):
    """Text of a terminal with raised and lowered digits as they are typed."""
    for signs, mark in ((RAISED, "^"), (LOWERED, "_")):
        text = re.sub(f"[{signs}]+", lambda m, s=signs, k=mark: k + "".join(PLAIN[s.index(c)] for c in m[0]), text)
    return "".join(BOLD.get(sign, sign) for sign in text)


def numbers(text):
    return re.findall(r"\d+(?:\.\d+)?", text)


def source_numbers(markdown):
    """The numbers of a source; short forms such as ``\\tfrac12`` and ``x_12`` hold one for each digit."""
    markdown = re.sub(r"(\\[td]?frac)(\d)(\d)", r"\1{\2}{\3}", re.sub(r"\{[rlc]+\}", "", markdown))
    return numbers(re.sub(r"\^(\d)(?=\d)", r"^{\1} ", re.sub(r"_(\d)(?=\d)", r"_{\1} ", markdown)))


@pytest.mark.parametrize("topic", topics())
def test_the_numbers_are_those_of_the_source_and_no_tex_is_left(topic):
    for seed in SOME:
        drill = drawn(topic, seed)
        for markdown in (drill.statement, drill.solution, *(field.label for field in drill.fields)):
            text = readable(markdown)
            assert "\\" not in text
            assert "$" not in text
            assert numbers(typed(text)) == source_numbers(markdown), f"seed {seed}: {text}"


@pytest.mark.parametrize("topic", topics())
def test_an_expression_keeps_its_value(topic):
    known = set()
    for seed in SOME:
        drill = drawn(topic, seed)
        for tex in formulas(f"{drill.statement}\n{drill.solution}"):
            for side in (side for chain in chains(tex) for _, side in chain):
                if side in known:
                    continue
                known.add(side)
                number = Reader().evaluate(side)
                if number is None or not isinstance(number.value, float | int):
                    continue
                text = typed(formula(side))
                assert math.isclose(value(text), number.value, rel_tol=1e-12, abs_tol=1e-12), f"{side!r} is {text!r}"


def value(text):
    """Value of a text, read by the grammar for typed answers; between bars stands an absolute value."""
    text = text.removesuffix("ᵀ")  # of a vector with one entry
    text = re.sub(r"\|([^|]*)\|", lambda m: f"sqrt(({m[1]})^2)", text)
    text = re.sub(r"([\d)]/\d+) (?=[(\d\[√|ls])", r"\1 * ", text)  # a fraction before a factor
    try:
        return read_number(text)
    except Unreadable as error:
        raise AssertionError(f"{text!r}: {error}") from None


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\tfrac{1}{26}", "1/26"),
        (r"\tfrac12", "1/2"),
        (r"7 / \tfrac{7}{3}", "7 / (7/3)"),
        (r"-\frac{3}{4}\,(2 + 1)", "-3/4 (2 + 1)"),
        (r"\frac{1 + 2}{3 \cdot 4}", "(1 + 2)/(3 · 4)"),
        (r"\frac{0.39894}{\sigma_k}", "0.39894/σₖ"),
        (r"\frac{1}{2\pi}", "1/(2π)"),
        (r"1/\sqrt{2\pi}", "1/√(2π)"),
        (r"\sqrt{36} + \sqrt{9 - 5}", "√36 + √(9 - 5)"),
        (r"e^{-0.5}", "e^(-0.5)"),
        (r"1.122 \cdot 10^{-8}", "1.122 · 10⁻⁸"),
        (r"x_1^2 + x_{12}", "x₁² + x₁₂"),
        (r"\alpha_t(k) = \beta_{t+1}(j)", "αₜ(k) = βₜ₊₁(j)"),
        (r"\mathbf{x}^\top\mathbf{w}", "𝐱ᵀ𝐰"),
        (r"(1, -2)^\top", "(1, -2)ᵀ"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & -4 \end{pmatrix}", "[1 2; 3 -4]"),
        (r"\lVert x-\mu_1\rVert^2", "‖x-μ₁‖²"),
        (r"\lvert x_n - \hat m \rvert", "|xₙ - m̂|"),
        (r"p(x \mid z)", "p(x | z)"),
        (r"\log_2 3 \leq \ln 5", "log₂ 3 ≤ ln 5"),
        (r"0 \log 0", "0 log 0"),
        (r"-\ln \tfrac{2}{3}", "-ln(2/3)"),
        (r"\tfrac{3}{8} \log_2 \tfrac{6}{5}", "3/8 log₂(6/5)"),
        (r"\lambda_{\max}", "λ_max"),
        (r"\mathbf{x}^{(t+1)}", "𝐱^(t+1)"),
        (r"\mathcal{N}(0, 1)", "𝒩(0, 1)"),
        (r"6 \pm 1", "6 ± 1"),
        (r"\Omega(\theta) = -2 \log \theta", "Ω(θ) = -2 log θ"),
    ],
)
def test_a_formula(tex, text):
    assert formula(tex) == text


def test_tables_are_aligned_lists_hang_and_lines_are_wrapped():
    source = (
        "Some *words* of **weight**.\n\n| $x_n$ | p(a \\| b) |\n| :--- | ---: |\n| A | $\\tfrac{1}{26}$ |\n| B |  |\n\n"
        "1. first " + "word " * 12 + "\n2. second\n\n$$\na = 1\n$$"
    ).replace("(a \\| b)", "(a)")
    assert readable(source, 40).split("\n") == [
        "Some words of weight.",
        "",
        "xₙ  p(a)",
        " A  1/26",
        " B      ",
        "",
        "1. first word word word word word word",
        "   word word word word word word",
        "2. second",
        "",
        "    a = 1",
    ]
