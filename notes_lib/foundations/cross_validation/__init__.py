"""Cross-validation: judging a model, and choosing its hyper-parameters, on data that it has not seen.

Names, parameters and results are those of scikit-learn, and without shuffling the splits are the same. Nothing prints;
a long search reports to a callable ``progress(done, total)``. Left out: sample weights, groups, and several scores at
once.

Source: Stone (1974), J. R. Stat. Soc. B 36, 111-147; Hastie, Tibshirani and Friedman (2009), section 7.10; Breiman,
Friedman, Olshen and Stone (1984), section 3.4 (the one-standard-error rule).
"""

from notes_lib.foundations.cross_validation.checks import Split
from notes_lib.foundations.cross_validation.curves import (
    LearningCurve,
    ValidationCurve,
    learning_curve,
    validation_curve,
)
from notes_lib.foundations.cross_validation.model import GridSearchCV, parameter_candidates
from notes_lib.foundations.cross_validation.scoring import cross_val_score, cross_validate
from notes_lib.foundations.cross_validation.splits import KFold, LeaveOneOut, StratifiedKFold, train_test_split
from notes_lib.foundations.cross_validation.summary import (
    FoldSummary,
    fold_summary,
    leave_one_out_residuals,
    number_of_fits,
    one_standard_error_index,
)

__all__ = [
    "FoldSummary",
    "GridSearchCV",
    "KFold",
    "LearningCurve",
    "LeaveOneOut",
    "Split",
    "StratifiedKFold",
    "ValidationCurve",
    "cross_val_score",
    "cross_validate",
    "fold_summary",
    "learning_curve",
    "leave_one_out_residuals",
    "number_of_fits",
    "one_standard_error_index",
    "parameter_candidates",
    "train_test_split",
    "validation_curve",
]
