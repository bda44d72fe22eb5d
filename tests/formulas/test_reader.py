"""The reader of displayed formulas: a table of formulas that are true, false and unread, and what an instance says."""

import numpy as np
import pytest
from scipy import stats

from tests.formulas.execute import FALSE, TRUE, UNREAD, VACUOUS, execute, on_all
from tests.formulas.page import labelled, of_cards
from tests.formulas.tokens import statements, tokens
from tests.formulas.values import At, Instance, Law

X = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]])
W = np.array([0.5, -2.0])
VALUES = {
    **{letter: range(1, 4) for letter in "nmkij"}, "N": 3, r"\mathbf{x}_#": X, r"\mathbf{X}": X, r"\mathbf{w}": W,
    "w_#": W, "x_{##}": X, "y_#": np.array([1, -1, 1]), r"\mathbf{A}": np.array([[2.0, 1.0], [0.0, 4.0]]), "a": 0.3,
    "b": -1.5, r"\mathcal{M}": frozenset({1, 3}), "f": At(lambda x: float(x @ x)), "p_e": 7.0, "p_#": [1.0, 2.0, 3.0],
    "J": At(lambda w: float(w @ w), r"\mathbf{w}"), r"\sigma": At(np.tanh), "V": At(lambda t, s: t / s),
    "g_#": [At(lambda x, k=k: k * x) for k in range(1, 4)], "z_#": At(lambda w: X @ w, r"\mathbf{w}"),
    r"p(#\mid\mathbf{x})": np.array([0.2, 0.3, 0.5]), "w_#^{(#)}": lambda n, t: 10 * n + t, "c_#": {0: 5.0, 1: 6.0},
    r"\mathbf{w}\leftarrow": W - 1, r"\text{even}": At(lambda n: n % 2 == 0, "n"), r"\mathbf{0}": np.zeros(2),
    r"\mathbf{I}": np.eye(2), "T": 8.0, "q": At(lambda T: 2 + 1 / T, "T"),
    r"\mathcal{U}": Law(stats.uniform(), np.linspace(0.01, 0.99, 50)), r"\mathcal{E}": Law(stats.expon(), np.ones(50)),
    r"\mathbf{u}": np.linspace(0.01, 0.99, 50),
}  # fmt: skip

TRUE_ONES = [
    # numbers and signs
    "1 + 2 = 3", r"\frac12 = 0.5", r"\tfrac{1}{10}=0.1", "2 a = 0.6", "a b = b a < 0", "a^2 = 0.09", r"2^{-1} = 1/2",
    r"-\log a b^2 > 0", r"\log a\log a=(\log a)^2", r"\log e^2 = 2", r"\log_2 8 = 3", r"\sqrt{4} = 2", r"\binom N2 = 3",
    r"N!\,2^N = 48", "n! = n (n - 1)!",
    r"\lceil a \rceil = 1 = \lvert -1 \rvert", r"|a - 1||b| = 1.05", r"\sin^2 a + \cos^2 a = 1", r"\pi \approx 3.14",
    # matrices and their entries
    "x_{12} = 2", r"x_{n1} = \mathbf{x}_n^\top (1, 0)", r"\lVert \mathbf{w} \rVert^2 = \mathbf{w}^\top \mathbf{w}",
    r"\lVert \mathbf{w} \rVert_1 = \lvert w_1 \rvert + \lvert w_2 \rvert",
    r"\lVert \mathbf{w} \rVert_2^2 = \lVert \mathbf{w} \rVert^2",
    r"\mathbf{A} \mathbf{w} = (2 w_1 + w_2, 4 w_2)^\top",
    r"\mathbf{w}^\top \otimes \mathbf{A} \mathbf{w} = \mathbf{A} \mathbf{w} \mathbf{w}^\top",
    r"\mathbf{A}^{-1} \mathbf{A} = \mathbf{I}", r"[\mathbf{A}^2]_{12} = 6", r"\mathbf{I} \succeq 0",
    r"\begin{pmatrix} \mathbf{w} \\ 1 \end{pmatrix} = (0.5, -2, 1)", r"\mathbf{w} \ne \mathbf{0}",
    # sums, products, extremes
    r"\sum_{n=1}^N y_n = 1", r"\sum_n y_n^2 = N", r"\sum_{n:\, y_n = 1} n = 4", r"\sum_{n \in \mathcal{M}} n = 4",
    r"\sum_{j \ne i} j = 6 - i", r"\sum_{i<j} 1 = 3", r"k - 1 = \sum_{i<k} 1", r"\sum_{ij} y_i y_j = 1",
    r"\sum_{i, j} i j = 36", r"\prod_n n = 6", r"\sum_n n - 1 = 5", r"\sum_{n} -n = -6", r"\sum_{n:\, n > 3} n = 0",
    r"\max_n n = 3", r"\max(0, b) = 0", r"\max(\mathbf{0}, \mathbf{w}) = (0.5, 0)^\top",
    r"\min_{n \in \mathcal{M},\, n > 1} n = 3", r"\arg\min_k (k - 2)^2 = 2", r"\operatorname*{arg\,max}_n (-y_n) = 2",
    # conditions, sets, intervals
    r"\mathbf{1}[b < a] = 1", r"2^{[a < b]} = 1", r"\mathcal{M} = \{n : y_n > 0\}", r"|\mathcal{M}| = 2",
    r"\mathcal{M} = \{ n: y_n > 0, n < 2 \} \cup \{ n : n = 3 \}", r"|\mathcal{M} \cap \{ n : n < 2 \}| = 1",
    r"a \in (0, 1)", r"a \in [0.3, 1)",
    r"y_n \in \{-1, 1\}", r"y_n > 0 \iff n \in \mathcal{M}", r"n^2 \propto 3 n^2", r"k n \propto 2 k n",
    r"\mathbf{w} \propto -3 \mathbf{w}",
    # functions, and their derivatives
    r"f(\mathbf{x}_n) = \lVert \mathbf{x}_n \rVert^2", r"J = J(\mathbf{w}) = 4.25", r"g_k(a) = k a", "V(1, 2) = 0.5",
    r"\sigma(-a) = -\sigma(a)", r"\nabla J(\mathbf{w}) = 2 \mathbf{w}", r"\nabla J = 2 \mathbf{w}", r"\sigma'(0) = 1",
    r"\nabla^2 J = 2 \mathbf{I}", r"\frac{\partial J}{\partial \mathbf{w}} = 2 \mathbf{w}",
    r"\frac{\partial z_n}{\partial \mathbf{w}} = \mathbf{x}_n", r"\frac{\partial w_1^3}{\partial w_1} = 0.75",
    r"\int e^{-a^2}\, \mathrm{d}a = \sqrt{\pi}", r"\int_0^2 a^2 \, \mathrm{d}a = \frac{8}{3}",
    r"\int_{-\infty}^{0} e^{a}\, \mathrm{d}a = 1",
    # names
    "p_e = 7", "p_n = n", r"p(k \mid \mathbf{x}) \ge 0.2", r"w_n^{(k+1)} = w_n^{(k)} + 1", "c_0 = 5",
    # statements
    r"\mathbf{w} \leftarrow \mathbf{w} - (1, 1)", r"a = 0.3 \ \Rightarrow\ 2 a = 0.6", r"n = 3 \text{ if } n > 2",
    r"\text{if } n > 2: \quad n = 3 \text{ for all } n",
    r"\begin{aligned} a &= 0.3 \\ &= 0.1 + 0.2, \\ b &= -1.5 . \end{aligned}",
    r"k = \begin{cases} 2 & \text{if } k = 2, \\ k & \text{otherwise} . \end{cases}",
    r"y_n = \begin{cases} -1 & \text{even} \\ 1 & n \ne 2 . \end{cases}", r"a > 0, \quad \text{that is} \\ -a < 0",
    r"a = \underbrace{0.1}_{\text{one}} + \underbrace{0.2}_{\text{two}}", r"y_n = \pm 1", r"a \sim \mathcal{U}",
    r"q \to 2 \quad \text{for } T \to \infty", r"\mathbf{u} \to \mathcal{U}",
    r"\begin{aligned} q &= 2 + 1/T \\ &\longrightarrow 2 \quad (T \to \infty) \end{aligned}",
]  # fmt: skip
FALSE_ONES = [
    "1 + 2 = 4", "y_n = 1", r"a \ge 0.3001", "a < a", r"\sum_{n:\, y_n = 1} n = 3", r"\mathcal{M} = \{n : y_n \ge -1\}",
    r"\nabla J(\mathbf{w}) = \mathbf{w}", r"\mathbf{w} \leftarrow \mathbf{w} + (1, 1)", r"n^2 \propto n",
    r"\mathbf{w} \propto (1, 1)",
    "0.3000001 = a",
    r"a \in (0.3, 1)", r"a \in [0, 0.3)", r"y_n > 0 \iff n = 1", r"\mathbf{w} \ne \mathbf{w}",
    r"a = 0.3, \quad b = 1.5",
    r"y_n = \begin{cases} 1 & n = 2 \\ -1 & n \ne 2 \end{cases}", r"\pi \approx 3.15", r"y_n = \pm 2",
    r"y_n \in \{0, 1\}",
    r"a \sim \mathcal{E}", r"\mathbf{u} \to \mathcal{E}",
    r"q \to 3 \quad \text{for } T \to \infty", r"q = 3 \to 2 \quad (T \to \infty)",
    r"-\mathbf{I} \succeq 0", r"\mathcal{M} \ne \mathcal{M}", r"p_e = 8", r"\nabla^2 J = \mathbf{I}",
]  # fmt: skip
UNREAD_ONES = [
    "r = 1", "a", r"a + \mathbf{w} = 1", r"\mathbf{X}\mathbf{A}\mathbf{X} = 1", r"\mathbf{w} = 1", r"a = 1 +", "(a = 1",
    r"\sum y_n = 1", r"\sum_{y_n = 1} n = 4", r"\log b = 1", r"\frac{1}{0} = 1", r"b^{0.5} = 1", "x_{44} = 1",
    "x_{01} = 1",
    r"a \to 1", r"\mathbf{w}^{0.5} = 1", r"\mathbf{X}^2 = 1", r"a / \mathbf{w} = 1", r"\lVert \mathbf{w} = 1", "f = 1",
    r"\mathcal{M} + 1 = 2", r"\mathcal{M} > 1", r"\frac{\partial J}{\partial r} = 0", r"\nabla r = 1", r"a \in a",
    r"a = \begin{cases} 1 & a = 1 \\ 2 & a = 2 \end{cases}", r"\begin{array} a \end{array} = 1",
    r"\sum_{n = 1, m}^N 1 = 1",
    r"\sum_{n < 1}^N 1 = 1", r"\max_{\mathbf{w}} J \quad \text{subject to} \quad a = a", r"\text{if } r: \quad a = a",
    r"a \approx b", r"\int e^{-a^2}", r"n = 1 \text{ if } n > 3", "",
]  # fmt: skip


def status(formula, instance=None, key="key"):
    """The worst of the statements, on this and a second equal instance."""
    found = {result.status for result in on_all(formula, [instance or Instance(VALUES)] * 2, key)}
    return next((kind for kind in (FALSE, UNREAD, TRUE) if kind in found), UNREAD)


@pytest.mark.parametrize("formula", TRUE_ONES)
def test_a_formula_that_is_true(formula):
    assert status(formula) == TRUE


@pytest.mark.parametrize("formula", FALSE_ONES)
def test_a_formula_that_is_false(formula):
    assert status(formula) == FALSE


@pytest.mark.parametrize("formula", UNREAD_ONES)
def test_a_formula_that_is_unread(formula):
    assert status(formula) == UNREAD


def test_what_is_wrong_is_said():
    (result,) = execute("y_n = 1", Instance(VALUES), "key")
    assert result == ("y _ n = 1", FALSE, "-1.0 = 1.0 at {'n': 2}")


@pytest.mark.parametrize(
    ("formula", "told", "expected"),
    [
        # the value of an expression, of a side in words, of one side of a chain
        ("2 a", {"worth": {"key": 0.6}}, TRUE),
        ("2 a", {"worth": {"key": 0.5}}, FALSE),
        ("2 n", {"worth": {"key": At(lambda n: n + n, "n")}}, TRUE),
        (r"= 2 a \le 1", {"worth": {"key": 0.6}}, TRUE),
        (r"a \le 1", {"worth": {"key": {1: 1}}}, TRUE),
        (r"a \le 2", {"worth": {"key": {1: 1}}}, FALSE),
        (r"b \pm a", {"worth": {"key": [-1.8, -1.2]}}, TRUE),
        (r"b \pm a", {"worth": {"key": [-1.8, -1.3]}}, FALSE),
        (r"a = a, \quad 2 a", {"worth": {"key/2": 0.6}}, TRUE),
        # other values, for a formula or a card
        ("a = 1", {"own": {"key": {"a": 1}}}, TRUE),
        ("n = 1", {"own": {"key": {"n": range(1, 2)}}}, TRUE),
        # conditions
        ("n = 3", {"given": {"key": "n > 2"}}, TRUE),
        ("n = 3", {"given": {"key": "n > 1"}}, FALSE),
        ("n > 2", {"truth": {"key": At(lambda n: n == 3, "n")}}, TRUE),
        (r"n \ge 2", {"truth": {"key": At(lambda n: n == 3, "n")}}, FALSE),
        (r"q \to 2", {"given": {"key": r"T \to \infty"}}, TRUE),
    ],
)
def test_what_an_instance_says_of_one_formula(formula, told, expected):
    assert status(formula, Instance(VALUES, **told)) == expected
    if "own" in told:
        assert status(formula, Instance(VALUES, **told), "key:2") == expected
    if expected == TRUE and "worth" not in told:
        assert status(formula, Instance(VALUES, **told), "other") != TRUE


def test_an_update_under_a_condition_leaves_the_rest_alone():
    moved = At(lambda n: W + 1 if n == 3 else W, "n")
    instance = Instance({**VALUES, r"\mathbf{w}\leftarrow": moved})
    rule = r"\text{if } n > 2: \quad \mathbf{w} \leftarrow \mathbf{w} + (1, 1)"
    assert status(rule, instance) == TRUE
    assert status(rule.replace("> 2", "> 3"), instance) == FALSE


PROBLEM = r"""\begin{aligned} & \min_a \tfrac12 a^2 - n_0 \quad \text{subject to} \\
& a \geq 1, \quad a \le y_k + 9 \text{ for all } k . \end{aligned}"""


@pytest.mark.parametrize(
    ("change", "best", "rivals", "expected"),
    [
        (("", ""), 1, (0, 1.1, 1.2, 2), TRUE),
        (("", ""), 1.2, (0, 1.1, 1.2, 2), FALSE),  # 1.1 is better
        (("", ""), 0.5, (1.1, 1.2, 2), FALSE),  # not feasible
        ((r"\min", r"\max"), 1, (1.1, 1.2, 2), FALSE),
        ((r"\geq 1", r"\leq 1"), 1, (0.5, 0.7, 0.9), FALSE),
        (("", ""), 1, (0, 1.1), UNREAD),  # too few
        (("", ""), 1, (), UNREAD),
    ],
)
def test_an_optimisation_problem(change, best, rivals, expected):
    instance = Instance({**VALUES, "a": best, "n_0": 2}, rivals={"key": [{"a": a} for a in rivals]})
    assert status(PROBLEM.replace(*change), instance) == expected


def test_a_statement_must_be_the_same_and_hold_on_all_instances():
    one, two = Instance({"a": 1.0, "k": range(1, 3), "c": 1.0}), Instance({"a": 2.0, "k": range(1, 3), "c": 0.0})
    assert [r.status for r in on_all("a = 1", [one, one], "key")] == [TRUE]
    assert [r.status for r in on_all("a = 1", [one, two], "key")] == [FALSE]
    assert [r.status for r in on_all(r"k = 1 \text{ if } k < 2 c", [one, two], "key")] == [TRUE]  # once is enough
    assert [r.status for r in execute(r"k = 1 \text{ if } k < 2 c", two, "key")] == [VACUOUS]
    assert [r.status for r in on_all(r"k = 1 \text{ if } k < 2 c", [two, two], "key")] == [UNREAD]
    other = Instance({"c": 0.0})  # where the whole condition cannot be read
    assert [r.status for r in on_all(r"\text{if } a = a: \quad a = 1, \quad c = 1", [one, other], "key")] == [UNREAD]


def test_tokens_have_one_spelling():
    assert tokens(r"\mathbf{x}_{n}\,\big( {} \frac{1}{2} \big)") == tokens(r"\mathbf x_n(\frac12)")
    assert tokens("x_{12}") != tokens("x_1 2")
    assert tokens(r"\tfrac{12}{5}") == (r"\tfrac", "{", "12", "}", "5")


def test_statements_of_a_display():
    text = r"""\begin{gathered} a = b, \qquad c \\[0.5em] = d \\
    e = f \quad \text{for all } n ; \\ g \Rightarrow h . \end{gathered}"""
    assert [" ".join(ts) for ts in statements(text)] == ["a = b", "c = d", "e = f", "g", "h"]


PAGE = r"""
$$
a = b
$$ (chapter-label)

$$c$$

:::{admonition} A card
:class: must-know
:name: chapter-must-know-card
Of $x$ in $10$ of $63\,\%$: $a = b$, the value $2 a$, $3\alpha$ or $e^{a}$, for

$$
c - d
$$

$\min_a a^2$

subject to $a > 1$ and $a < 3$. Where $a < 1$: $b = 0$.

$L = 1$

$\quad - 2$
:::
"""


def test_formulas_of_a_page():
    assert labelled(PAGE) == {"chapter-label": "a = b"}
    assert list(of_cards(PAGE).values()) == [
        "a = b", "2 a", r"3\alpha", "e^{a}", "c - d", r"\min_a a^2 \text{subject to} a > 1, a < 3",
        r"\text{if } a < 1: \quad b = 0",
        "L = 1 - 2",
    ]  # fmt: skip
    assert list(of_cards(PAGE))[7] == "chapter-must-know-card:8"
