"""Workloads of the chapters on neural networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier as TheirMLPClassifier
from sklearn.neural_network import MLPRegressor

from benchmarks.harness import Workload
from notes_lib.networks.autoencoder import Autoencoder
from notes_lib.networks.backpropagation import MLPClassifier


def mlp_digits() -> Workload:
    """A network with one hidden layer on the digits, fifty epochs of Adam, the same start and the same batches."""
    X, y = load_digits(return_X_y=True)
    X = X / 16
    settings: dict[str, Any] = {"hidden_layer_sizes": (64,), "max_iter": 50, "random_state": 0}
    return Workload(
        name="Multilayer perceptron",
        size="1797 x 64, 64 hidden units, 10 classes, 50 epochs",
        peer_name="scikit-learn",
        ours=lambda: MLPClassifier(**settings).fit(X, y),
        peer=lambda: TheirMLPClassifier(**settings).fit(X, y),
        difference=lambda a, b: float(np.abs(np.subtract(a.loss_curve_, b.loss_curve_)).max()),
        tolerance=1e-9,
        goal=1.9,
        floor=1.2,
        technique="all weights stand in one vector, so that Adam is a dozen operations in place; rows are put in their "
        "order once an epoch, and batches are views",
    )


def autoencoder_digits() -> Workload:
    """An autoencoder of the digits against a network that is fitted to its own input, with the same start."""
    X = load_digits().data / 16
    layers = (48, 8, 48)
    settings: dict[str, Any] = {"learning_rate_init": 0.005, "max_iter": 40, "tol": 1e-9, "random_state": 0}
    peer = MLPRegressor(hidden_layer_sizes=layers, activation="tanh", alpha=0, **settings)
    ours = Autoencoder(layers, "tanh", code_activation="tanh", **settings)
    return Workload(
        name="Autoencoder",
        size="1797 x 64, layers 48-8-48, 40 epochs",
        peer_name="scikit-learn's network",
        ours=lambda: _rebuilt(ours, X),
        peer=lambda: _rebuilt(peer, X),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-9,
        goal=1.3,
        floor=1.0,
        technique="all weights stand in one vector, so that Adam is a dozen operations in place",
    )


def _rebuilt(model: Any, X: np.ndarray) -> np.ndarray:
    """Fit, and rebuild the rows."""
    model.fit(X, X)
    return model.predict(X) if hasattr(model, "predict") else model.inverse_transform(model.transform(X))


WORKLOADS: list[Callable[[], Workload]] = [
    mlp_digits,
    autoencoder_digits,
]
