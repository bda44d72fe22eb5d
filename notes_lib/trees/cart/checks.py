"""What the settings of a tree may be: how many features a node draws, and what a row of each class counts."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_positive, check_real

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


def class_weights(
    class_weight: Any, classes: NDArray[Any], codes: IntArray, weight: FloatArray | IntArray | None = None
) -> FloatArray:
    """What a row of each class counts: a number from a dict, or the same in all for each class.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        A class that the dict does not name counts 1. "balanced" gives every class the same weight in all, which is
        that of the rows divided by their number of classes.
    classes : (K,) array
    codes : (n,) array of int
        Class of each row.
    weight : (n,) array, optional
        What each row counts for "balanced"; 1 by default. A class without weight does not count as one.

    Returns
    -------
    (K,) array

    Raises
    ------
    TypeError, ValueError
        If it is none of these, a number is not positive, or a name stands for no class while a class has no name.

    Examples
    --------
    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 0, 1])).round(3)
    array([0.667, 2.   ])
    >>> class_weights({"b": 5}, np.array(["a", "b"]), np.array([0, 0, 0, 1]))
    array([1., 5.])
    """
    if isinstance(class_weight, dict):
        names = classes.tolist()
        unknown, unnamed = [c for c in class_weight if c not in names], [c for c in names if c not in class_weight]
        if unknown and unnamed:
            raise ValueError(f"class_weight names {unknown}, which are not among the classes {names}: correct them.")
        remedy = "leave out rows instead"
        return np.array([check_positive(class_weight.get(c, 1.0), f"class_weight[{c!r}]", remedy) for c in names])
    if class_weight is None:
        return np.ones(len(classes))
    check_choice(class_weight, "class_weight", ("balanced", None))
    mass: Any = np.bincount(codes, weight, len(classes))
    present = mass > 0
    return np.divide(mass.sum(), present.sum() * mass, out=np.zeros(len(mass)), where=present)
