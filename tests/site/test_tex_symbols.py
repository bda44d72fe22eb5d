r"""Where a symbol stands in a formula: signs are compared, not letters of LaTeX."""

import pytest
from tex_symbols import head, one_of, read, spelt, stands_in

WRITTEN_OUT = [
    (r"\mathbf{x}_n", r"y_n f(\mathbf{x}_n)"),
    (r"\mathbf{x}_n", r"\mathbf x_{n}^\top \mathbf{w}"),
    (r"\sigma^2", r"\frac{\sigma^{2}}{N}"),
    (r"\hat{\mathbf{w}}", r"\lVert \hat{\mathbf w} \rVert"),
    ("w", r"\sqrt[3]{w}"),
    ("w", r"\begin{cases} w^2 & w > 0 \\ 0 & w = 0 \end{cases}"),
    ("b", r"\begin{aligned} a &= 1 \\[2pt] &\quad + \underbrace{b}_{c} \end{aligned}"),
    ("2", r"\tfrac12x"),
    (r"\mathbf{w}", r"\mathbf{Xw}"),
    (r"\mathrm{KL}(p \,\Vert\, q)", r"-\mathrm{KL}\left(p\|q\right)"),
    (r"H(Y \mid X)", "H(Y|X) = 0"),
    (r"I_{\mathrm{up}}", r"i \in I_{\mathrm{up}}"),
    (r"v_{nb}", r"\sum_b v_{n b}"),
    (r"t_n^*", r"t_n^{\ast} > 2"),
    ("T'", "|T'|"),
    (r"\mathbf{X}", r"\mathbf{X}^\top"),
]
ELSEWHERE = [
    ("w", r"\mathbf{w}"),
    ("w", r"\hat{w} + \bar w"),
    ("x", r"\exp x_n"),
    ("e", r"\exp 1"),
    ("x_n", "x_i"),
    (r"\mathbf{x}_n", r"\mathbf{x}"),
    (r"\sigma^2", r"\sigma"),
    ("t_n", "t_n^*"),
    ("P", r"P^\star"),
    ("T", "T'"),
    ("K", r"\mathrm{KL}"),
    ("n", r"\text{n}"),
    ("H(X)", "H(X, Y)"),
    ("2", "12"),
    ("r", r"\begin{array}{rcl} 1 & 2 \end{array}"),
]


@pytest.mark.parametrize(("symbol", "formula"), WRITTEN_OUT)
def test_a_symbol_is_found(symbol, formula):
    assert stands_in(read(symbol), formula)


@pytest.mark.parametrize(("symbol", "formula"), ELSEWHERE)
def test_another_symbol_is_not_taken_for_it(symbol, formula):
    assert not stands_in(read(symbol), formula)


def test_what_stands_in_an_index_is_found_on_demand():
    for formula in (r"\sum_{n=1}^N x_n", "x^N", r"\mathbf{x}_N"):
        assert not stands_in(read("N"), formula)
        assert stands_in(read("N"), formula, script=True)


def test_another_index_letter_is_found_on_demand():
    assert stands_in(read("x_n"), "x_i + 1", loose=True)
    assert stands_in(read("S_{xy}"), "S_{ab}", loose=True)
    assert not stands_in(read("x_n"), "x_{ij}", loose=True)
    assert not stands_in(read("x_n"), "x", loose=True)
    assert not stands_in(read(r"I_{\mathrm{up}}"), r"I_{\mathrm{low}}", loose=True)
    assert not stands_in(read("x_n"), "y_n", loose=True)


def test_another_argument_is_found_on_demand():
    assert not stands_in(read("G(x)"), "G(z_1)")
    assert stands_in(read("G(x)"), "G(z_1)", loose=True)
    assert not stands_in(read("H(p)"), "H(p, q)", loose=True)
    assert not stands_in(read("H(p)"), "G(p)", loose=True)


def test_the_symbol_before_a_relation_and_the_first_of_several():
    assert spelt(head(read(r"z_t \in \{1, \ldots, K\}"))) == "z_{t}"
    assert spelt(head(read("x"))) == "x"
    assert spelt(one_of(read("a_n, b_n"))) == "a_{n}"
    assert one_of(read("p(x, y)")) == read("p(x, y)")


def test_a_formula_that_ends_too_early_is_read_to_its_end():
    assert spelt(read(r"\frac{a}")) == "{a}{}"
    assert spelt(read("a_")) == "a"
    assert not stands_in(read(""), "a")
