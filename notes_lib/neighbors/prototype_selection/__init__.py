"""Prototype selection: which training instances a nearest-neighbour classifier needs to keep.

The pure functions follow the derivation of the chapter *Prototype selection*: the neighbours and their vote, Wilson's
editing and what it does to the posterior, multi-edit, Hart's condensing and the test of consistency. The three classes
have the contract of imbalanced-learn's samplers, ``fit_resample`` and ``sample_indices_``.

Sources: P. E. Hart (1968), *The condensed nearest neighbor rule*, IEEE Transactions on Information Theory 14, 515-516;
D. L. Wilson (1972), *Asymptotic properties of nearest neighbor rules using edited data*, IEEE Transactions on Systems,
Man, and Cybernetics 2, 408-421; P. A. Devijver and J. Kittler (1982), *Pattern Recognition: A Statistical Approach*,
chapter 3.
"""

from notes_lib.neighbors.prototype_selection.model import CondensedNearestNeighbour, EditedNearestNeighbours, MultiEdit
from notes_lib.neighbors.prototype_selection.steps import (
    Condensed,
    Edited,
    edited_posterior,
    edited_risk,
    hart_condense,
    inconsistent,
    multi_edit,
    vote,
    wilson_edit,
)

__all__ = [
    "Condensed",
    "CondensedNearestNeighbour",
    "Edited",
    "EditedNearestNeighbours",
    "MultiEdit",
    "edited_posterior",
    "edited_risk",
    "hart_condense",
    "inconsistent",
    "multi_edit",
    "vote",
    "wilson_edit",
]
