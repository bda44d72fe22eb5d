"""The reader of displayed formulas: a table of formulas that are true, false and unread."""

import numpy as np
import pytest

from tests.formulas.execute import FALSE, TRUE, UNREAD, VACUOUS, execute
from tests.formulas.values import At, Instance

X = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]])
W = np.array([0.5, -2.0])
VALUES = {
    "n": range(1, 4), "m": range(1, 4), "k": range(1, 4), "i": range(1, 4), "j": range(1, 4), "N": 3,
    r"\mathbf{x}_#": X, r"\mathbf{X}": X, r"\mathbf{w}": W, "w_#": W, "x_{##}": X, "y_#": np.array([1, -1, 1]),
    r"\mathbf{A}": np.array([[2.0, 1.0], [0.0, 4.0]]), "a": 0.3, "b": -1.5, r"\mathcal{M}": frozenset({1, 3}),
    "f": At(lambda x: float(x @ x)), "J": At(lambda w: float(w @ w), r"\mathbf{w}"), r"\sigma": At(np.tanh),
    "g_#": [At(lambda x, k=k: k * x) for k in range(1, 4)], "z_#": At(lambda w: X @ w, r"\mathbf{w}"),
    r"p(#\mid\mathbf{x})": np.array([0.2, 0.3, 0.5]), "w_#^{(#)}": lambda n, t: 10 * n + t,
    r"\mathbf{w}\leftarrow": W - 1, r"\text{even}": At(lambda n: n % 2 == 0, "n"), r"\mathbf{0}": np.zeros(2),
    r"\mathbf{I}": np.eye(2),
}  # fmt: skip

TRUE_ONES = [
    "1 + 2 = 3", r"\frac12 = 0.5", r"\tfrac{1}{10}=0.1", "2 a = 0.6", "a b = b a < 0", r"a^2 = 0.09", r"2^{-1} = 1/2",
    r"x_{12} = 2", r"x_{n1} = \mathbf{x}_n^\top (1, 0)", r"\lVert \mathbf{w} \rVert^2 = \mathbf{w}^\top \mathbf{w}",
    r"\mathbf{X} \mathbf{w} = (\mathbf{w}^\top \mathbf{x}_1, \mathbf{w}^\top \mathbf{x}_2, \mathbf{w}^\top \mathbf{x}_3)^\top",
    r"\mathbf{A}^{-1} \mathbf{A} = \mathbf{I}", r"[\mathbf{A}^2]_{12} = 6",
    r"\begin{pmatrix} \mathbf{w} \\ 1 \end{pmatrix} = (0.5, -2, 1)", r"\mathbf{w} \ne \mathbf{0}",
    r"\sum_{n=1}^N y_n = 1", r"\sum_n y_n^2 = N", r"\sum_{n:\, y_n = 1} n = 4", r"\sum_{n \in \mathcal{M}} n = 4",
    r"\sum_{j \ne i} j = 6 - i", r"\sum_{i<j} 1 = 3", r"k - 1 = \sum_{i<k} 1", r"\sum_{ij} y_i y_j = 1", r"\prod_n n = 6",
    r"\sum_n n - 1 = 5", r"\max_n n = 3", r"\max(0, b) = 0", r"\min_{n \in \mathcal{M}} n = 1",
    r"\operatorname*{arg\,max}_n (-y_n) = 2", r"\arg\min_k (k - 2)^2 = 2", r"\mathbf{1}[b < a] = 1", r"2^{[a < b]} = 1",
    r"\mathcal{M} = \{n : y_n > 0\}", r"\mathcal{M} = \{ n: y_n > 0, n < 2 \} \cup \{ n : n = 3 \}", r"|\mathcal{M}| = 2",
    r"a \in (0, 1)", r"y_n \in \{-1, 1\}", r"y_n > 0 \iff n \in \mathcal{M}", r"\lceil a \rceil = 1 = \lvert -1 \rvert",
    r"\log e^2 = 2", r"\log_2 8 = 3", r"-\log a b^2 > 0", r"\log a\log a=(\log a)^2", r"\sqrt{4} = 2", r"\binom N2 = 3",
    r"f(\mathbf{x}_n) = \lVert \mathbf{x}_n \rVert^2", r"J = J(\mathbf{w}) = 4.25", r"g_k(a) = k a", r"\sigma(-a) = -\sigma(a)",
    r"\nabla J(\mathbf{w}) = 2 \mathbf{w}", r"\nabla J = 2 \mathbf{w}", r"\nabla^2 J = 2 \mathbf{I}",
    r"\frac{\partial J}{\partial \mathbf{w}} = 2 \mathbf{w}", r"\frac{\partial z_n}{\partial w_1} = 0 \text{ for all } n",
    r"\frac{\partial z_n}{\partial \mathbf{w}} = \mathbf{x}_n", r"\sigma'(0) = 1", r"p(k \mid \mathbf{x}) \ge 0.2",
    r"w_n^{(k+1)} = w_n^{(k)} + 1", r"\mathbf{w} \leftarrow \mathbf{w} - (1, 1)", r"n^2 \propto 3 n^2", r"\text{if } n > 2: \quad n = 3 \text{ for all } n",
    r"\begin{aligned} a &= 0.3 \\ &= 0.1 + 0.2, \\ b &= -1.5 . \end{aligned}",
    r"k = \begin{cases} 2 & \text{if } k = 2, \\ k & \text{otherwise} . \end{cases}",
    r"y_n = \begin{cases} -1 & \text{even} \\ 1 & n \ne 2 . \end{cases}", r"a = \underbrace{0.1}_{\text{one}} + \underbrace{0.2}_{\text{two}}",
    r"n = 3 \text{ if } n > 2", r"a = 0.3 \ \Rightarrow\ 2 a = 0.6",
]  # fmt: skip
FALSE_ONES = [
    "1 + 2 = 4", r"y_n = 1", r"a \ge 0.3001", "a < a", r"\sum_{n:\, y_n = 1} n = 3", r"\mathcal{M} = \{n : y_n \ge -1\}",
    r"\nabla J(\mathbf{w}) = \mathbf{w}", r"\mathbf{w} \leftarrow \mathbf{w} + (1, 1)", r"n^2 \propto n", r"a \in (0.3, 1)",
    r"y_n > 0 \iff n = 1", r"\mathbf{w} \ne \mathbf{w}", r"a = 0.3, \quad b = 1.5", r"y_n = \begin{cases} 1 & n = 2 \\ -1 & n \ne 2 \end{cases}",
    "0.3000001 = a",
]  # fmt: skip
UNREAD_ONES = [
    "q = 1", "a", r"a + \mathbf{w} = 1", r"\mathbf{X}\mathbf{A}\mathbf{X} = 1", r"\mathbf{w} = 1", r"a = 1 +", "(a = 1",
    r"\sum y_n = 1", r"\sum_{y_n = 1} n = 4", r"\log b = 1", r"\frac{1}{0} = 1", r"b^{0.5} = 1", "x_{44} = 1", "x_{01} = 1",
    r"a \to 1", r"\mathbf{w}^2 = 1", r"a / \mathbf{w} = 1", r"\lVert \mathbf{w} = 1", r"\mathcal{M} + 1 = 2", "f = 1",
    r"\frac{\partial J}{\partial q} = 0", r"a = \begin{cases} 1 & a = 1 \\ 2 & a = 2 \end{cases}", r"\begin{array} a \end{array} = 1",
    r"\sum_{n = 1, m}^N 1 = 1", r"\max_{\mathbf{w}} J \quad \text{subject to} \quad a = a",
]  # fmt: skip


def status(formula, instance=None):
    """Of the worst statement."""
    found = {result.status for result in execute(formula, instance or Instance(VALUES), "key")}
    return next(kind for kind in (FALSE, UNREAD, VACUOUS, TRUE, "nothing") if kind in found or kind == "nothing")


@pytest.mark.parametrize("formula", TRUE_ONES)
def test_a_formula_that_is_true(formula):
    assert status(formula) == TRUE


@pytest.mark.parametrize("formula", FALSE_ONES)
def test_a_formula_that_is_false(formula):
    assert status(formula) == FALSE


@pytest.mark.parametrize("formula", UNREAD_ONES)
def test_a_formula_that_is_unread(formula):
    assert status(formula) == UNREAD
