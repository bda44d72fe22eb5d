"""What the settings of a tree may be: how many features a node draws, and what a row of each class counts."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Literal

import numpy as np

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real

MaxFeatures = int | float | Literal["sqrt", "log2"] | None
ClassCriterion = Literal["gini", "entropy", "log_loss"]
ClassWeight = dict[Any, float] | Literal["balanced"] | None


def impurity_named(criterion: Any) -> Literal["gini", "entropy"]:
    """The impurity of classes that a ``criterion`` stands for; "log_loss" is another name of the entropy.

    Examples
    --------
    >>> impurity_named("log_loss")
    'entropy'
    """
    check_choice(criterion, "criterion", ("gini", "entropy", "log_loss"))
    return "gini" if criterion == "gini" else "entropy"


def features_to_draw(max_features: Any, d: int) -> int:
    """Number of features out of ``d`` that ``max_features`` stands for: a number, a share, a rule, or None for all.

    Raises
    ------
    TypeError, ValueError
        If it is none of these, or not between 1 and ``d``, or a share outside (0, 1].

    Examples
    --------
    >>> features_to_draw("sqrt", 20), features_to_draw(0.5, 20)
    (4, 10)
    """
    if max_features is None:
        return d
    if isinstance(max_features, str):
        check_choice(max_features, "max_features", ("sqrt", "log2"))
        return max(1, int(np.sqrt(d) if max_features == "sqrt" else np.log2(d)))
    if isinstance(max_features, Integral):
        if check_integer(max_features, "max_features") > d:
            raise ValueError(f"max_features must be at most the number of features, {d}, got {max_features}.")
        return int(max_features)
    share = check_real(max_features, "max_features")
    if not 0 < share <= 1:
        raise ValueError(f"max_features as a share must lie above 0 and be at most 1, got {max_features}.")
    return max(1, int(share * d))


def least_weight(min_weight_fraction_leaf: Any, weight: FloatArray) -> float:
    """What a leaf has to weigh if it is to hold such a share of all ``weight``.

    Raises
    ------
    TypeError, ValueError
        If the share does not lie between 0 and 1/2.

    Examples
    --------
    >>> least_weight(0.25, np.ones(8))
    2.0
    """
    if check_real(min_weight_fraction_leaf, "min_weight_fraction_leaf") > 0.5:
        raise ValueError(
            f"min_weight_fraction_leaf must be at most 0.5, got {min_weight_fraction_leaf}: a split has two sides."
        )
    return float(min_weight_fraction_leaf * weight.sum())
