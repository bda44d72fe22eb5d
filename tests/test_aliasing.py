"""What a model has learned is its own: nothing that ``fit`` sets shares memory with what it or the model was given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from tests.test_defaults import estimators

CODES = np.repeat([0.0, 1.0], 6)
X = np.column_stack([np.arange(12.0), np.arange(12) * 5.0 % 12])  # counts, no row twice, no column constant
TARGET = X.sum(axis=1) + CODES
ARRAYS: dict[str, dict[str, Any]] = {  # what a constructor may be given as an array, or needs
    "CCA": {"n_components": 1},  # the target is one column
    "KMeans": {"n_clusters": 2, "init": X[[0, 11]].copy(), "n_init": 1},
    "GaussianMixture": {"means_init": X[:1].copy()},
    "GridSearchCV": {"estimator": DummyClassifier(), "param_grid": {"strategy": ["prior", "uniform"]}, "cv": 2},
    "PolynomialFeatures": {"degree": 2},
    "MultiEdit": {"random_state": 0},
    "GaussianRandomProjection": {"n_components": 1},  # more than two columns are needed for 'auto'
    "TSNE": {"perplexity": 3.0},  # for twelve rows
    "SparseRandomProjection": {"n_components": 1, "compute_inverse_components": True},
}
ROWS = {"MinHashLSH": np.column_stack([CODES, 1 - CODES]), "RandomHyperplaneLSH": X + 1}  # where others are refused
PRIORS = {"priors": np.array([0.25, 0.75]), "class_prior": np.array([0.25, 0.75])}


def arrays(value: Any, depth: int = 3) -> Iterator[np.ndarray]:
    """All arrays that a value holds: itself, in containers, in attributes of the library's own objects."""
    if isinstance(value, np.ndarray):
        yield value
    elif depth and isinstance(value, dict):
        for inner in value.values():
            yield from arrays(inner, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for inner in value:
            yield from arrays(inner, depth - 1)
    elif depth and type(value).__module__.startswith("notes_lib") and hasattr(value, "__dict__"):
        yield from arrays(vars(value), depth - 1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", estimators(), ids=lambda kind: kind.__name__)
def test_what_is_learned_shares_no_memory_with_what_was_given(kind):
    known = kind._get_param_names()
    settings = ARRAYS.get(kind.__name__, {}) | {name: value for name, value in PRIORS.items() if name in known}
    model, rows = kind(**settings), ROWS.get(kind.__name__, X).copy()
    y = CODES.copy() if hasattr(model, "predict_proba") or "Classifier" in str(kind.__mro__) else TARGET.copy()
    fit = model.fit if hasattr(model, "fit") else model.fit_resample
    fit(rows, y)
    given = [rows, y, *arrays(settings)]
    fitted = {name: value for name, value in vars(model).items() if name not in known}
    shared = {
        name for name, value in fitted.items() for own in arrays(value) for one in given if np.shares_memory(own, one)
    }
    assert fitted
    assert not shared
