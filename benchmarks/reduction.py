"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import sklearn.decomposition
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import Workload
from notes_lib.reduction.nmf import NMF


def nmf_parts() -> Workload:
    """Fifty iterations by rows from one start; scikit-learn's other solver has a larger error after as many."""
    rng = np.random.default_rng(0)
    n, d, k = 2000, 500, 20
    X = rng.random((n, k)) @ rng.random((k, d)) + 0.1 * rng.random((n, d))
    W, H = rng.random((n, k)), rng.random((k, d))
    limits: dict[str, Any] = {"init": "custom", "solver": "cd", "max_iter": 50, "tol": 1e-12}

    def error(model: Any) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit_transform(X, W=W.copy(), H=H.copy())
        return float(model.reconstruction_err_)

    return Workload(
        name="NMF by rows",
        size="2000 instances, 500 features, 20 parts, 50 iterations",
        peer_name="scikit-learn NMF, cd",
        ours=lambda: error(NMF(k, **limits)),
        peer=lambda: error(sklearn.decomposition.NMF(k, **limits)),
        difference=lambda a, b: abs(a - b) / b,
        tolerance=1e-8,
        goal=0.95,
        technique="products of the data first, then one product of a vector and a matrix for each part",
    )


WORKLOADS = [nmf_parts]
