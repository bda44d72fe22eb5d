"""Decision trees: a tree on categories, splits into three branches, thresholds of a number, rows with gaps."""

from itertools import pairwise

import numpy as np

from notes_lib.trees.decision_tree import (
    C45Classifier,
    ID3Classifier,
    boundary_thresholds,
    gain_ratio,
    gini,
    impurity_after,
    impurity_decrease,
    intrinsic_value,
    misclassification,
)
from tests.formulas.values import At, Instance

CONDITIONS = {"decision-tree-must-know-gain:2"}
UNREAD = {"decision-tree-must-know-many:1": "an approximation; the section measures it"}
LEAST = (100, 90)


def bits(counts):
    """Entropy of counts."""
    p = np.array(counts, dtype=float)[np.array(counts) > 0] / np.sum(counts)
    return float(-p @ np.log2(p))


def left(table, measure=bits):
    """Mean impurity of the branches."""
    return float(sum(sum(row) * measure(row) for row in table) / np.sum(table))


def of_tree(rng):
    """A tree on two attributes with three values each; an instance is known by the number of its cell."""
    cells = np.array([[a, b] for a in range(3) for b in range(3)])
    rows = np.r_[np.arange(9), rng.integers(0, 9, 21)]
    y = rng.integers(0, 3, 30)
    y[:3] = 0, 1, 2
    model = ID3Classifier().fit(cells[rows], y)
    shares, index = np.unique(model.predict_proba(cells), axis=0, return_inverse=True)
    regions = [frozenset(np.flatnonzero(index == leaf) + 1.0) for leaf in range(len(shares))]  # leaves of equal shares
    counts = np.array([np.bincount(y[np.isin(rows + 1, list(region))], minlength=3) for region in regions])
    says, L = model.predict(cells) + 1.0, len(regions)
    return {
        r"\mathbf{x}": float(rng.integers(1, 10)), r"\ell": range(1, L + 1), "L": L,
        "R_#": regions, "c_#": [says[int(min(region)) - 1] for region in regions],
        "f": At(lambda x: float(says[int(x) - 1])), "m": range(1, L + 1), "k": range(1, 4), "p_{##}": shares,
        "N_{##}": counts, "N_#": counts.sum(axis=1),
    }  # fmt: skip


def of_split(rng):
    """Three classes in three branches, under Gini; and in bits."""
    table = rng.integers(1, 12, (3, 3))
    total, sizes = table.sum(axis=0), table.sum(axis=1)
    p = total / total.sum()
    shared = {
        "j": range(1, 4), "r": 3, "N_#": sizes, "N_m": total.sum(), r"\mathbf{p}_#": table / sizes[:, None],
        r"\mathbf{p}_m": p, "k": range(1, 4), "K": 3, "p_#": p, r"\mathbf{p}": p,
        r"\mathrm{IV}": intrinsic_value(sizes),
        r"I_{\text{Gini}}": At(lambda q: float(gini(np.ravel(q)))),
        r"I_{\text{mis}}": At(lambda q: float(misclassification(np.ravel(q)))),
        r"\mathrm{GR}": gain_ratio(table),
    }  # fmt: skip
    by_gini = {**shared, "I": At(lambda q: float(gini(np.ravel(q)))), "I'": impurity_after(table, "gini"),
               "G": impurity_decrease(table, "gini")}  # fmt: skip
    in_bits = {**shared, "G": impurity_decrease(table)}
    return by_gini, in_bits


def of_choice(rng):
    """The question that C4.5 asks first among four with two to five answers."""
    X = np.column_stack([rng.integers(0, values, 40) for values in (2, 3, 4, 5)])
    y = (X.sum(axis=1) + rng.integers(0, 4, 40) > 6).astype(int)
    tables = [[np.bincount(y[x == v], minlength=2) for v in np.unique(x)] for x in X.T]
    gains = [bits(np.bincount(y)) - left(table) for table in tables]
    root = C45Classifier(categorical_features=range(4)).fit(X, y).nodes_[0]
    chosen = frozenset(a + 1.0 for a in range(4) if gains[a] >= np.mean(gains))
    return {
        "a": range(1, 5), "b": range(1, 5), "A": 4, r"\mathcal{A}": chosen, "G_#": gains,
        r"\mathrm{GR}_#": [gain / bits(np.sum(table, axis=1)) for gain, table in zip(gains, tables, strict=True)],
        r"a^\star": root.split.feature + 1,
    }  # fmt: skip


def of_threshold(rng):
    """A boundary of the library, and the classes at the values on its sides."""
    x, y = rng.integers(0, 6, 20), rng.integers(0, 3, 20)
    t = float(rng.choice(boundary_thresholds(x, y)))
    u, v = next((a, b) for a, b in pairwise(np.unique(x)) if a < t < b)
    at = lambda value: frozenset(y[x == value] + 1.0)
    return {"u": float(u), "t": t, "v": float(v), r"\mathcal{Y}_u": at(u), r"\mathcal{Y}_v": at(v)}


def of_gaps(rng):
    """What C4.5 finds at the root where some rows do not answer."""
    x = np.r_[0.0, 1, 2, np.nan, rng.choice([0.0, 1, 2, np.nan], 26)]
    y = rng.integers(0, 2, 30)
    root = C45Classifier(categorical_features=[0]).fit(x[:, None], y).nodes_[0]
    tables = [np.bincount(y[x == v], minlength=2) for v in range(3)]
    known = np.sum(tables, axis=0)
    return {
        "j": range(1, 5), "r": 3, "N_m": 30, "N_#": [*(t.sum() for t in tables), 30 - known.sum()],
        "F": known.sum() / 30, "I": At(lambda q: bits(np.ravel(q))), r"\mathbf{p}_{\text{known}}": known / known.sum(),
        r"I'_{\text{known}}": left(tables), "G_a": root.split.gain, r"\mathrm{IV}_a": root.split.intrinsic,
    }  # fmt: skip


def of_leaf(rng):
    """The limits at which the library just does not ask any more; a little below them it does."""
    x, y = np.repeat([0, 1], 15), rng.integers(0, 2, 30)
    y[:2] = 0, 1
    before = bits(np.bincount(y))
    gain = before - left([np.bincount(y[x == v], minlength=2) for v in (0, 1)])
    leaves = lambda **limits: ID3Classifier(**limits).fit(x[:, None], y).get_n_leaves()
    high = [low for low in (before - 1e-3, before + 1e-3) if leaves(max_impurity=low) == 1]
    least = [low for low in (gain - 1e-3, gain + 1e-3) if leaves(min_gain=low) == 1]
    return {
        "I": At(lambda q: bits(np.ravel(q))), r"\mathbf{p}_m": np.bincount(y) / 30, r"\theta_I": min(high),
        r"G_{a^\star}": gain, r"G_{\min}": min(least),
    }  # fmt: skip


def instance(seed):
    """All of them."""
    rng = np.random.default_rng(seed)
    by_gini, in_bits = of_split(rng)
    leaf, n = of_leaf(rng), rng.integers(1, 9, 3)
    card = "decision-tree-must-know-"
    own = {
        **{f"decision-tree-{name}": by_gini for name in ("gini", "misclassification", "after", "gain")},
        "decision-tree-intrinsic": in_bits, "decision-tree-ratio": in_bits, f"{card}algorithms": in_bits,
        "decision-tree-average-rule": of_choice(rng), "decision-tree-boundary": of_threshold(rng),
        "decision-tree-missing": of_gaps(rng), "decision-tree-stop": leaf,
        "decision-tree-loan-entropy": {r"\text{bits}": 1.0},
        f"{card}impurities": by_gini, f"{card}gain": by_gini, f"{card}stop": leaf,
        f"{card}thresholds": {"n": n.sum(), r"\mathbf{n}": n, "I": At(lambda q: float(gini(np.ravel(q))))},
    }  # fmt: skip
    p = by_gini[r"\mathbf{p}"]
    worth = {
        f"{card}impurities:1": bits(p), f"{card}impurities:2": gini(p), f"{card}impurities:3": misclassification(p),
        f"{card}thresholds:1": n.sum() - np.sum(n**2) / n.sum(),
    }  # fmt: skip
    return Instance(of_tree(rng), own, worth)
