"""What all detectors share: the threshold, and the signs that follow from it."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin

from notes_lib.checks import FloatArray, IntArray, check_real


class Detector(OutlierMixin, BaseEstimator):
    """Base of the detectors with a ``contamination``."""

    contamination: float | str
    offset_: float

    def _contamination(self) -> float | None:
        """The share of alarms among the fitted rows, or None for "auto"."""
        if isinstance(self.contamination, str) and self.contamination == "auto":
            return None
        remedy = "give the share of odd rows you expect, or 'auto'"
        try:
            share = check_real(self.contamination, "contamination")
        except (TypeError, ValueError):
            share = 0.0
        if not 0 < share <= 0.5:
            raise ValueError(f"contamination must be above 0 and at most 0.5, got {self.contamination!r}: {remedy}.")
        return share

    def _place_threshold(self, scores: FloatArray, automatic: float) -> None:
        """Set ``offset_``: the quantile of the fitted rows' scores that the contamination asks for, or the default."""
        share = self._contamination()
        self.offset_ = automatic if share is None else float(np.percentile(scores, 100 * share))


def signs(decision: FloatArray) -> IntArray:
    """1 where the decision is at least 0, else -1."""
    return np.where(decision >= 0, 1, -1)
