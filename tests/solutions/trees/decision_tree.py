"""Exercises on decision trees: entropies by SciPy, gains of the library, trees grown on the tables of the tasks."""

from itertools import product

import numpy as np
from scipy.stats import entropy
from sklearn.datasets import load_iris

from notes_lib.trees.decision_tree import (
    C45Classifier,
    ID3Classifier,
    best_threshold,
    gain_ratio,
    gini,
    impurity_decrease,
    intrinsic_value,
    misclassification,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

LOANS = """
young no no fair no; young no no good no; young yes no good yes; young yes yes fair yes; young no no fair no;
middle no no fair no; middle no no good no; middle yes yes good yes; middle no yes excellent yes;
middle no yes excellent yes; old no yes excellent yes; old no yes good yes; old yes no good yes;
old yes no excellent yes; old no no fair no"""


def _bits(*counts):
    return float(entropy(counts, base=2))


def _xor(d):
    """All rows of d attributes of two values, and whether an odd number of them is 1."""
    X = np.array([*product((0, 1), repeat=d)])
    return X, X.sum(axis=1) % 2


def ex_concave():
    node, sides = np.array([6, 2]), np.array([[4, 0], [2, 2]])
    assert np.array_equal(sides.sum(axis=0), node)
    gains = [impurity_decrease(sides, criterion) for criterion in ("misclassification", "gini")]
    return Worked(
        {"G": gains[1]}, numbers=[0, gains[0], np.sum(sides.sum(axis=1) / node.sum()), node, sides], known=[gains[1]]
    )


def ex_weather():
    outlook, humidity = np.array([[2, 3], [4, 0], [3, 2]]), np.array([[3, 4], [6, 1]])
    before = _bits(9, 5)
    left = [before - impurity_decrease(table) for table in (outlook, humidity)]
    gains = [round(before, 3) - round(after, 3) for after in left]  # as a calculator shows it
    single = np.log2(14)
    return Worked(
        {"h": At(_bits)},
        numbers=[outlook, humidity, gain_ratio(humidity), before, single, before / single],
        known=[before, _bits(2, 3), _bits(3, 4), _bits(6, 1), left, gains, intrinsic_value(outlook.sum(axis=1)),
               gain_ratio(outlook)],
    )  # fmt: skip


def ex_boundary():
    return Worked({r"\lambda": 0.3}, numbers=[0])


def ex_missing():
    x, y = np.array([0, 0, 0, 1, np.nan])[:, None], np.array([0, 0, 0, 1, 1])
    machine = C45Classifier(categorical_features=[0]).fit(x, y)
    root, first, second = machine.nodes_
    shares = machine.predict_proba([[0], [1], [np.nan]])
    weights = np.array([first.counts.sum(), second.counts.sum()]) / len(y)
    return Worked(
        {"h": At(_bits), "G": root.split.gain, r"\mathrm{IV}": root.split.intrinsic},
        numbers=[y[:4], y[4], _bits(3), first.counts[1], second.counts[1] - 1, first.counts, second.counts, shares[:2],
                 weights[1], shares[2]],
        known=[_bits(3, 1), root.split.gain, root.split.intrinsic, first.counts.sum(), weights],
    )  # fmt: skip


def ex_greedy():
    d = 3
    (X, y), (pair, odd) = _xor(d), _xor(2)
    tables = [[np.bincount(odd[column == v], minlength=2) for v in (0, 1)] for column in pair.T]
    leaves = ID3Classifier().fit(X, y).get_n_leaves()
    return Worked(
        {"x_1": 1, "d": d, "G": impurity_decrease(tables[0])},
        numbers=[impurity_decrease(tables[1]), 1, _bits(*tables[0][0]), leaves, leaves],
    )


def ex_four():
    counts = np.array([8, 4, 2, 2])
    shares = counts / counts.sum()
    measures = [_bits(*counts), gini(shares), misclassification(shares)]
    even = np.full(4, 0.25)
    return Worked(numbers=[counts, shares], known=[measures, gini(even), misclassification(even)])


def cards():
    first, second, third = [0, 0, 1], [1, 1, 1, 1], [0, 1]
    rows = np.array([*first, *second, *third])
    D = frozenset(range(1, 10))
    parts = {"D_1": frozenset([1, 2, 3]), "D_2": frozenset([4, 5, 6, 7]), "D": D}
    H = At(lambda rows_of: _bits(*np.bincount([rows[int(n) - 1] for n in rows_of])))
    left = len(first) / 9 * _bits(2, 1) + len(second) / 9 * _bits(4)
    loans = np.array([row.split() for row in LOANS.replace("\n", " ").split(";")])
    leaves = lambda table: ID3Classifier().fit(table[:, :4], table[:, 4]).get_n_leaves()
    assert leaves(np.vstack([loans, loans])) == leaves(loans)
    d, V = 3, 5
    functions = {tuple(values) for values in product((0, 1), repeat=2**d)}
    gain = impurity_decrease([[2, 3], [4, 0], [3, 2]])
    iris = load_iris()
    length = iris.data[:, 2]
    cut = best_threshold(length, iris.target)[0]
    pure, p = [[8, 0], [0, 8]], 0.3
    return {
        "lost-marks-two": Worked({**parts, "H": H}, numbers=[left]),
        "lost-marks-ratio": Worked({r"\mathrm{IV}": 0.3}, numbers=[intrinsic_value([9]), 0]),
        "lost-marks-misclassification": Worked(
            {"p": p}, numbers=[misclassification([p, 1 - p]), impurity_decrease([[4, 0], [2, 2]], "misclassification")]
        ),
        "lost-marks-stop": Worked({r"\theta_I": 0}, numbers=[_bits(5)]),
        "what-if-twice": Worked(
            numbers=[2, 2, 2, 2, leaves(np.vstack([loans, loans[2:3]])), leaves(loans)]
        ),
        "what-if-monotone": Worked(numbers=[1000]),
        "what-if-theta": Worked(numbers=[_bits(5), _bits(5, 5)]),
        "counterexample-small": Worked(numbers=[np.mean(_xor(2)[1])]),
        "counting": Worked({"d": d, "V": V}, numbers=[len(_xor(d)[0]), len(np.diff(range(V))), len(functions)]),
        "convention-base": Worked(numbers=[gain, gain * np.log(2)]),
        "convention-gini": Worked({"p": p}, numbers=[gini([p, 1 - p]), 2]),
        "convention-threshold": Worked(numbers=[length[length < cut].max(), cut]),
        "quiz-pure": Worked(
            numbers=[np.sum(pure, axis=0), pure, impurity_decrease(pure, "gini"), gini([0.5, 0.5]),
                     impurity_decrease(pure), _bits(8, 8), _bits(8), 16 * impurity_decrease(pure), 0],
        ),
        "tf-rise": Worked({"G": gain}, numbers=[0]),
        "tf-xor": Worked(numbers=[0]),
    }  # fmt: skip
