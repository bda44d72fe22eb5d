"""Inference: how sure one can be of an estimate, an interval or a difference.

The functions follow the derivation of the chapter *Inference*: score and information, the bound of Cramer and Rao and
standard errors, then intervals, then tests. Results of tests are pairs of a statistic and a p-value.

Source: Casella and Berger (2002), chapters 7 to 10; Agresti (2013), chapters 1 to 3 and 11.
"""

from notes_lib.foundations.inference.hypotheses import (
    SignificanceResult,
    likelihood_ratio_test,
    mcnemar_table,
    mcnemar_test,
    score_test,
    two_proportion_test,
    wald_test,
)
from notes_lib.foundations.inference.intervals import (
    ConfidenceInterval,
    binomial_coverage,
    clopper_pearson_interval,
    credible_interval,
    student_interval,
    wald_interval,
    wilson_interval,
)
from notes_lib.foundations.inference.steps import (
    cramer_rao_bound,
    delta_method,
    fisher_information,
    observed_information,
    score,
    standard_errors,
)

__all__ = [
    "ConfidenceInterval",
    "SignificanceResult",
    "binomial_coverage",
    "clopper_pearson_interval",
    "cramer_rao_bound",
    "credible_interval",
    "delta_method",
    "fisher_information",
    "likelihood_ratio_test",
    "mcnemar_table",
    "mcnemar_test",
    "observed_information",
    "score",
    "score_test",
    "standard_errors",
    "student_interval",
    "two_proportion_test",
    "wald_interval",
    "wald_test",
    "wilson_interval",
]
