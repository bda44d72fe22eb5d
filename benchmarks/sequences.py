"""Workloads of the chapters on sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.sequences.hmm import CategoricalHMM
from notes_lib.sequences.kalman_filter import KalmanFilter

K, M = 8, 20  # states and symbols


def _parameters(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A sticky chain: it stays where it is with probability 0.7 and something."""
    rng = np.random.default_rng(seed)
    A = 0.3 * rng.dirichlet(np.full(K, 0.5), size=K) + 0.7 * np.eye(K)
    B = 0.98 * rng.dirichlet(np.full(M, 0.4), size=K) + 0.02 / M
    return np.full(K, 1 / K), A, B


def _set(model: Any, seed: int) -> Any:
    model.startprob_, model.transmat_, model.emissionprob_ = _parameters(seed)
    return model


def _models(n_iter: int = 1) -> tuple[Callable[[int], CategoricalHMM], Callable[[int], Any]]:
    import hmmlearn.hmm

    def ours(seed: int) -> CategoricalHMM:
        return _set(CategoricalHMM(K, n_features=M, init_params="", n_iter=n_iter, tol=0.0), seed)

    def peer(seed: int) -> Any:
        same = {"n_features": M, "init_params": "", "n_iter": n_iter, "tol": -np.inf}
        return _set(hmmlearn.hmm.CategoricalHMM(K, implementation="scaling", **same), seed)

    return ours, peer


def _workload(task: str, goal: float, technique: str, many: bool, floor: float | None = None) -> Workload:
    ours, peer = _models(n_iter=5)
    X = ours(0).sample(100_000, random_state=1)[0]
    lengths = [100] * 1000 if many else None
    run, difference, tolerance = TASKS[task]
    return Workload(
        name=f"HMM, {task}",
        size=("1000 sequences of 100" if many else "one sequence of 100,000") + f", {K} states",
        peer_name="hmmlearn (scaling)",
        ours=lambda: run(ours, X, lengths),
        peer=lambda: run(peer, X, lengths),
        difference=difference,
        tolerance=tolerance,
        goal=goal,
        floor=floor,
        technique=technique,
    )


def _posterior_gap(a: tuple[float, np.ndarray], b: tuple[float, np.ndarray]) -> float:
    return max(abs(a[0] / b[0] - 1), float(np.abs(a[1] - b[1]).max()))


def _path_gap(a: tuple[float, np.ndarray], b: tuple[float, np.ndarray]) -> float:
    return max(abs(a[0] / b[0] - 1), float(np.mean(a[1] != b[1])))


TASKS: dict[str, tuple[Callable[..., Any], Callable[[Any, Any], float], float]] = {
    "forward-backward": (lambda make, X, n: make(0).score_samples(X, n), _posterior_gap, 1e-9),
    "Viterbi": (lambda make, X, n: make(0).decode(X, n), _path_gap, 1e-9),
    "Baum-Welch, 5 updates": (
        lambda make, X, n: make(5).fit(X, n).transmat_,
        lambda a, b: float(np.abs(a - b).max()),
        1e-9,
    ),
}
LANES = (
    "the sequence is cut into lanes that take each step together; a short run guesses where each starts, checked after"
)
BATCH = "all sequences take each step together, one matrix product for all"


def hmm_forward_backward_long() -> Workload:
    """Posteriors and log-likelihood of one long sequence."""
    return _workload("forward-backward", 0.6, LANES, many=False)


def hmm_forward_backward_many() -> Workload:
    """Posteriors and log-likelihood of many sequences."""
    return _workload("forward-backward", 1.8, BATCH, many=True)


def hmm_viterbi_long() -> Workload:
    """Most likely path of one long sequence."""
    return _workload("Viterbi", 0.4, LANES + "; no back-pointers, the way back looks them up", many=False, floor=0.25)


def hmm_viterbi_many() -> Workload:
    """Most likely paths of many sequences."""
    return _workload("Viterbi", 0.45, BATCH + "; no back-pointers, the way back looks them up", many=True)


def hmm_baum_welch_long() -> Workload:
    """Five updates on one long sequence."""
    return _workload("Baum-Welch, 5 updates", 0.9, LANES + "; expected counts by matrix products", many=False)


def hmm_baum_welch_many() -> Workload:
    """Five updates on many sequences."""
    return _workload("Baum-Welch, 5 updates", 3.0, BATCH + "; expected counts by matrix products", many=True)


def _tracker() -> KalmanFilter:
    """A position and a speed, of which the position is read with noise."""
    Q = 0.01 * np.array([[0.25, 0.5], [0.5, 1.0]])
    return KalmanFilter([[1.0, 1.0], [0.0, 1.0]], [[1.0, 0.0]], Q, [[1.0]], [0.0, 0.0], 10.0 * np.eye(2))


def _plain_kalman(model: KalmanFilter, Y: np.ndarray, smooth: bool) -> tuple[np.ndarray, np.ndarray]:
    """Filter and smoother as they stand in books, one step after another, with an inverse."""
    A, C, Q, R, m, P = (np.asarray(v, dtype=float) for v in model.get_params().values())
    predicted, filtered = [], []
    for t, y in enumerate(Y):
        if t:
            m, P = A @ m, A @ P @ A.T + Q
        predicted.append((m, P))
        G = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        J = np.eye(len(m)) - G @ C
        m, P = m + G @ (y - C @ m), J @ P @ J.T + G @ R @ G.T
        filtered.append((m, P))
    found = filtered[::-1]
    for t in range(1, len(Y) if smooth else 0):
        (m, P), (m_ahead, P_ahead), (m_next, P_next) = filtered[-1 - t], predicted[-t], found[t - 1]
        G = P @ A.T @ np.linalg.inv(P_ahead)
        found[t] = m + G @ (m_next - m_ahead), P + G @ (P_next - P_ahead) @ G.T
    return np.array([m for m, _ in found[::-1]]), np.array([P for _, P in found[::-1]])


def _kalman(smooth: bool, many: bool) -> Workload:
    model = _tracker()
    Y = np.array([model.sample(100, k)[1] for k in range(1000)]) if many else model.sample(10_000, 0)[1]

    def ours() -> Any:
        return (model.smooth if smooth else model.filter)(Y)

    def peer() -> Any:
        if not many:
            return _plain_kalman(model, Y, smooth)
        found = [_plain_kalman(model, y, smooth) for y in Y]
        return np.array([m for m, _ in found]), np.array([P for _, P in found])

    return Workload(
        name="Kalman smoother" if smooth else "Kalman filter",
        size=("1000 series of 100" if many else "one series of 10,000") + ", 2 numbers a state",
        peer_name="NumPy (step by step)",
        ours=ours,
        peer=peer,
        difference=lambda a, b: max(float(np.abs(x - y).max() / np.abs(y).max()) for x, y in zip(a, b, strict=True)),
        tolerance=1e-10,
        goal=10.0 if many else 5.0,
        technique=(
            "covariances once for all series, twice as many steps at each doubling, until they settle; means "
            + ("of all series together" if many else "in lanes that take each step together")
        ),
    )


def kalman_filter_long() -> Workload:
    """Filtered states of one long series."""
    return _kalman(smooth=False, many=False)


def kalman_filter_many() -> Workload:
    """Filtered states of many series."""
    return _kalman(smooth=False, many=True)


def kalman_smoother_long() -> Workload:
    """Smoothed states of one long series."""
    return _kalman(smooth=True, many=False)


def kalman_smoother_many() -> Workload:
    """Smoothed states of many series."""
    return _kalman(smooth=True, many=True)


WORKLOADS = [
    hmm_forward_backward_long,
    hmm_forward_backward_many,
    hmm_viterbi_long,
    hmm_viterbi_many,
    hmm_baum_welch_long,
    hmm_baum_welch_many,
    kalman_filter_long,
    kalman_filter_many,
    kalman_smoother_long,
    kalman_smoother_many,
]
