"""What a fitted tree says: as rules, as text, as a graph to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted


class Rule(NamedTuple):
    """IF all conditions hold THEN the label; how much weight in training fulfils it, and its share of the label."""

    conditions: tuple[str, ...]
    label: Any
    weight: float
    purity: float

    def __str__(self) -> str:
        return f"IF {' AND '.join(self.conditions) or 'anything'} THEN {self.label}"


def _names(model: Any, feature_names: Sequence[str] | None) -> list[str]:
    check_is_fitted(model)
    if not hasattr(model, "nodes_"):
        raise TypeError(f"model must be an ID3Classifier or C45Classifier, got {type(model).__name__}.")
    d = model.n_features_in_
    if feature_names is None:
        return list(getattr(model, "feature_names_in_", [f"x_{j}" for j in range(d)]))
    if len(feature_names) != d:
        raise ValueError(f"feature_names must be {d} names, one for each column of X, got {len(feature_names)}.")
    return list(feature_names)


def _conditions(model: Any, here: int, names: list[str]) -> dict[int, tuple[str, str]]:
    """Feature and answer, as text, of each child of a node."""
    node = model.nodes_[here]
    categories = model.columns_[node.split.feature].categories
    if categories is None:
        answers = [f"<= {node.split.threshold:.4g}", f"> {node.split.threshold:.4g}"]
    else:
        answers = [f"= {value}" for value in categories.tolist()]
    return {child: (names[node.split.feature], answers[a]) for a, child in node.children.items()}


def rules(model: Any, feature_names: Sequence[str] | None = None) -> list[Rule]:
    """One rule for each leaf, in the order of the tree; :eq:`decision-tree-rules`.

    Parameters
    ----------
    model : ID3Classifier or C45Classifier
        Fitted.
    feature_names : sequence of str or None
        The columns of a data frame, or ``x_0``, ``x_1``, ..., if None.

    Returns
    -------
    list of Rule

    Raises
    ------
    TypeError, ValueError
        If the model is of another kind, or there are more or fewer names than columns.

    Examples
    --------
    >>> from notes_lib.trees.decision_tree import ID3Classifier
    >>> model = ID3Classifier().fit([["sun"], ["rain"]], ["no", "yes"])
    >>> [str(rule) for rule in rules(model, ["sky"])]
    ['IF sky = rain THEN yes', 'IF sky = sun THEN no']
    """
    names = _names(model, feature_names)
    way: dict[int, tuple[str, ...]] = {0: ()}
    found = []
    for here, node in enumerate(model.nodes_):  # parents come before their children
        if node.split is not None:
            for child, condition in _conditions(model, here, names).items():
                way[child] = (*way[here], " ".join(condition))
            continue
        best = int(np.argmax(node.counts))
        share = float(node.probabilities[best])
        found.append(Rule(way[here], model.classes_[best].item(), float(node.counts.sum()), share))
    return found


def export_text(model: Any, feature_names: Sequence[str] | None = None) -> str:
    """The tree as indented text, one line for each branch.

    Parameters
    ----------
    model, feature_names
        As in :func:`rules`.

    Raises
    ------
    TypeError, ValueError
        If the model is of another kind, or there are more or fewer names than columns.

    Examples
    --------
    >>> from notes_lib.trees.decision_tree import ID3Classifier
    >>> model = ID3Classifier().fit([["sun"], ["rain"]], ["no", "yes"])
    >>> print(export_text(model, ["sky"]))
    sky = rain: yes (1)
    sky = sun: no (1)
    """
    names = _names(model, feature_names)
    depth, asked, lines = {0: 0}, {0: ""}, []
    for here, node in enumerate(model.nodes_):
        if node.split is not None:
            for child, condition in _conditions(model, here, names).items():
                depth[child], asked[child] = depth[here] + 1, " ".join(condition)
        label = "" if node.split is not None else f"{model.classes_[int(np.argmax(node.counts))]} ({_counts(node)})"
        if here or label:
            lines.append(f"{'|   ' * (depth[here] - 1)}{asked[here]}{': ' if label and here else ''}{label}")
    return "\n".join(lines)


def tree_graph(model: Any, feature_names: Sequence[str] | None = None) -> tuple[list[str], list[tuple[int, int, str]]]:
    r"""Texts of the nodes, and edges (parent, child, answer), as ``plotting.draw_tree`` takes them.

    Parameters
    ----------
    model, feature_names
        As in :func:`rules`.

    Raises
    ------
    TypeError, ValueError
        If the model is of another kind, or there are more or fewer names than columns.

    Examples
    --------
    >>> from notes_lib.trees.decision_tree import ID3Classifier
    >>> tree_graph(ID3Classifier().fit([["sun"], ["rain"]], ["no", "yes"]), ["sky"])
    (['sky', 'yes\n1', 'no\n1'], [(0, 1, '= rain'), (0, 2, '= sun')])
    """
    names = _names(model, feature_names)
    texts, edges = [], []
    for here, node in enumerate(model.nodes_):
        if node.split is None:
            texts.append(f"{model.classes_[int(np.argmax(node.counts))]}\n{_counts(node)}")
            continue
        texts.append(names[node.split.feature])
        edges += [(here, child, answer) for child, (_, answer) in _conditions(model, here, names).items()]
    return texts, edges


def _counts(node: Any) -> str:
    """Weights of the classes that occur."""
    return ", ".join(f"{c:.4g}" for c in node.counts[node.counts > 0])
