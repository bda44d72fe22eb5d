"""Formulas as plain text."""

import pytest
from katex_math import Katex
from readable_math import readable


@pytest.fixture(scope="module")
def katex():
    engine = Katex()
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{1}{2}\lVert\mathbf{w}\rVert^2 + C\sum_n \xi_n", "1/2∥w∥² + C∑ₙξₙ"),
        (r"\mathbf{w}^\top\mathbf{x} \leq \alpha_{nk}", "wᵀx ≤ αₙₖ"),
        (r"\frac{a + b}{\sigma^2}", "(a + b)/σ²"),
        (r"\frac{1}{2N}\lVert\mathbf{y}\rVert^2", "1/(2N)∥y∥²"),
        (r"\frac{2N}{3}, \frac{\mathrm{TP}}{\mathrm{TP}+\mathrm{FN}}, \tfrac{1}{26}", "2N/3, TP/(TP + FN), 1/26"),
        (r"\frac{1}{N} + \frac{a}{\sigma_k^2} + \frac{a}{f(x)}", "1/N + a/σₖ² + a/(f(x))"),
        (r"x^{(t+1)} = x_{\text{new}}^*", "x^(t+1) = x_(new)∗"),
        (r"\log\det\boldsymbol{\Sigma}^{-1}", "log det Σ⁻¹"),
        (r"\hat\mu, \bar x", "μ, x"),
        (r"\sqrt{a+b}\quad\sqrt[3]{8}", "√(a + b) √8"),
        (r"\underbrace{a}_{\text{risk}}", "aᵣᵢₛₖ"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "(1 2 3 4 )"),
    ],
)
def test_what_a_reader_would_type(katex, tex, text):
    assert readable(katex.render(tex, False)[0]) == text


def test_each_formula_is_read_once(katex):
    assert readable(katex.render(r"p(x)", True)[0]) == "p(x)"


def test_markup_without_mathematics_has_no_text():
    assert readable("<code>x</code>") == ""
