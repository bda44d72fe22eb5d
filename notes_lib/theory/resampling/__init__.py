"""Resampling: how sure an estimate is, found by drawing again from the data at hand.

The functions follow the chapter *Resampling*: the bootstrap with its standard errors, biases and intervals, the
jackknife, the .632 rules for the error of a classifier, permutation tests, and tests that compare two learners over
repeated splits. McNemar's test on one test set stands in :mod:`notes_lib.foundations.inference`.

Source: Efron and Tibshirani (1993), *An Introduction to the Bootstrap*.
"""

from notes_lib.theory.resampling.comparison import corrected_resampled_ttest, five_by_two_test
from notes_lib.theory.resampling.draws import bootstrap_counts, out_of_bag_probability
from notes_lib.theory.resampling.errors import Error632, bootstrap_632, combine_632
from notes_lib.theory.resampling.intervals import (
    BCaConstants,
    basic_interval,
    bca_constants,
    bca_interval,
    bootstrap_interval,
    percentile_interval,
)
from notes_lib.theory.resampling.permutation import permutation_test
from notes_lib.theory.resampling.replicates import Bootstrap, Jackknife, bootstrap, jackknife

__all__ = [
    "BCaConstants",
    "Bootstrap",
    "Error632",
    "Jackknife",
    "basic_interval",
    "bca_constants",
    "bca_interval",
    "bootstrap",
    "bootstrap_632",
    "bootstrap_counts",
    "bootstrap_interval",
    "combine_632",
    "corrected_resampled_ttest",
    "five_by_two_test",
    "jackknife",
    "out_of_bag_probability",
    "percentile_interval",
    "permutation_test",
]
