"""Workloads of the chapters on kernels."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.kernels.gaussian_process import RBF, GaussianProcessRegressor, WhiteKernel
from notes_lib.kernels.kernel_methods import rbf_kernel
from notes_lib.kernels.kernel_ridge import KernelRidge
from notes_lib.kernels.svm import SVC, LinearSVC, squared_hinge
from notes_lib.kernels.svr import SVR, dual_objective


def rbf_matrix() -> Workload:
    """Kernel matrix of all pairs of rows."""
    import sklearn.metrics.pairwise

    X = np.random.default_rng(0).normal(size=(3000, 20))
    return Workload(
        name="RBF kernel matrix",
        size="3,000 x 20",
        peer_name="scikit-learn",
        ours=lambda: rbf_kernel(X, gamma=0.05),
        peer=lambda: sklearn.metrics.pairwise.rbf_kernel(X, gamma=0.05),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-12,
        goal=1.0,
        technique="one matrix product for all squared distances, then scaling and exponential in place",
    )


def kernel_ridge() -> Workload:
    """Fit, and predictions of a thousand new rows."""
    import sklearn.kernel_ridge

    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(3000, 10)), rng.normal(size=(1000, 10))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=3000)
    ours = KernelRidge(0.1, kernel="rbf", gamma=0.1)
    peer = sklearn.kernel_ridge.KernelRidge(alpha=0.1, kernel="rbf", gamma=0.1)
    return Workload(
        name="kernel ridge regression",
        size="3,000 x 10, 1,000 predictions",
        peer_name="scikit-learn",
        ours=lambda: ours.fit(X, y).predict(new),
        peer=lambda: peer.fit(X, y).predict(new),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.4,
        technique="one matrix product for all squared distances; Cholesky factor in place of the kernel matrix, "
        "without an estimate of its condition",
    )


def process_prediction() -> Workload:
    """Fit at fixed parameters, and means with standard deviations at new rows."""
    import sklearn.gaussian_process as peer

    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(2000, 5)), rng.normal(size=(500, 5))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=2000)
    ours = GaussianProcessRegressor(RBF(1.5), alpha=0.01, optimizer=None)
    theirs = peer.GaussianProcessRegressor(peer.kernels.RBF(1.5), alpha=0.01, optimizer=None)
    return Workload(
        name="Gaussian process, fit and predict",
        size="2,000 x 5, 500 new rows with deviations",
        peer_name="scikit-learn",
        ours=lambda: ours.fit(X, y).predict(new, return_std=True),
        peer=lambda: theirs.fit(X, y).predict(new, return_std=True),
        difference=lambda a, b: float(max(np.abs(p - q).max() for p, q in zip(a, b, strict=True))),
        tolerance=1e-9,
        goal=1.5,
        technique="Cholesky factor in the place of the kernel matrix, one triangular system for all deviations",
    )


def process_likelihood() -> Workload:
    """One log marginal likelihood with its gradient by three parameters."""
    import sklearn.gaussian_process as peer

    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=2000)
    kernel = 1.0 * RBF(1.5) + WhiteKernel(0.01)
    same = 1.0 * peer.kernels.RBF(1.5) + peer.kernels.WhiteKernel(0.01)
    ours = GaussianProcessRegressor(kernel, optimizer=None).fit(X, y)
    theirs = peer.GaussianProcessRegressor(same, optimizer=None).fit(X, y)

    def relative(a: tuple[float, np.ndarray], b: tuple[float, np.ndarray]) -> float:
        return float(max(abs(a[0] / b[0] - 1), np.abs(a[1] - b[1]).max() / np.abs(b[1]).max()))

    return Workload(
        name="Gaussian process, likelihood and gradient",
        size="2,000 x 5, three parameters",
        peer_name="scikit-learn",
        ours=lambda: ours.log_marginal_likelihood(kernel.theta, eval_gradient=True),
        peer=lambda: theirs.log_marginal_likelihood(same.theta, eval_gradient=True),
        difference=relative,
        tolerance=1e-9,
        goal=1.2,
        technique="the inverse in one triangle from the Cholesky factor; a trace of a product is a sum over entries",
    )


def _svm_rbf(n: int) -> Workload:
    """Fit of a two-class machine with the Gaussian kernel to the same KKT violation."""
    import sklearn.datasets
    import sklearn.svm

    X, y = sklearn.datasets.make_classification(
        n, 20, n_informative=8, n_redundant=4, class_sep=1.0, flip_y=0.05, random_state=1
    )
    gamma = 1 / (20 * X.var())

    def dual(model: SVC) -> float:
        beta = model.dual_coef_[0]
        return float(np.abs(beta).sum() - 0.5 * beta @ rbf_kernel(model.support_vectors_, gamma=gamma) @ beta)

    return Workload(
        name=f"SVM with RBF kernel, n = {n}",
        size=f"{n:,} x 20, C = 1, tol = 1e-3",
        peer_name="scikit-learn (libsvm)",
        ours=lambda: SVC(gamma=gamma).fit(X, y),
        peer=lambda: sklearn.svm.SVC(gamma=gamma).fit(X, y),
        difference=lambda a, b: abs(dual(a) / dual(b) - 1),  # relative, of the objective that both maximise
        tolerance=1e-6,
        goal=1.3,
        floor=0.7,  # what a NumPy call costs next to a row of 2000 numbers differs between processors
        technique="second-order working sets, candidates in two arrays, half squared distances instead of kernel rows, "
        "each at its first use and on whole cache lines; the last phase runs on the free multipliers alone",
    )


def svm_rbf_2000() -> Workload:
    """Two thousand instances."""
    return _svm_rbf(2000)


def svm_rbf_5000() -> Workload:
    """Five thousand instances."""
    return _svm_rbf(5000)


def linear_svm() -> Workload:
    """Squared hinge with a penalised intercept, both on the primal."""
    import sklearn.svm

    rng = np.random.default_rng(0)
    n, d = 50_000, 50
    X, truth = rng.normal(size=(n, d)), rng.normal(size=d)
    y = np.where(X @ truth + 2 * rng.normal(size=n) > 0, 1.0, -1.0)
    Z = np.column_stack([X, np.ones(n)])

    def objective(w: np.ndarray) -> float:
        return squared_hinge(w, Z, y, 1.0).value

    def weights(model: LinearSVC) -> np.ndarray:
        return np.append(model.coef_[0], model.intercept_)

    return Workload(
        name="linear SVM, squared hinge",
        size="50,000 x 50, C = 1",
        peer_name="scikit-learn (liblinear, primal)",
        ours=lambda: weights(LinearSVC().fit(X, y)),
        peer=lambda: weights(sklearn.svm.LinearSVC(dual=False).fit(X, y)),
        difference=lambda a, b: abs(objective(a) / objective(b) - 1),
        tolerance=1e-6,
        goal=2.5,
        technique="Newton's method; Hessian and right-hand side are corrected by the rows that cross the margin, so a "
        "step costs one pass",
    )


def svr_rbf() -> Workload:
    """Fit of a regression machine with the Gaussian kernel to the same KKT violation."""
    import sklearn.svm

    rng = np.random.default_rng(0)
    n, C, epsilon, gamma = 3000, 1.0, 0.1, 0.05
    X = rng.normal(size=(n, 10))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n)

    def dual(model: SVR) -> float:
        S = model.support_vectors_
        return dual_objective(model.dual_coef_[0], rbf_kernel(S, gamma=gamma), y[model.support_], epsilon)

    return Workload(
        name="support vector regression with RBF kernel",
        size=f"{n:,} x 10, C = 1, epsilon = 0.1, tol = 1e-3",
        peer_name="scikit-learn (libsvm)",
        ours=lambda: SVR(C=C, epsilon=epsilon, gamma=gamma).fit(X, y),
        peer=lambda: sklearn.svm.SVR(C=C, epsilon=epsilon, gamma=gamma).fit(X, y),
        difference=lambda a, b: abs(dual(a) / dual(b) - 1),  # relative, of the objective that both maximise
        tolerance=1e-6,
        goal=1.0,
        floor=0.7,  # as for the classifier
        technique="the solver of the classifier on two copies of each row, whose kernel rows are computed once",
    )


WORKLOADS = [
    rbf_matrix,
    kernel_ridge,
    process_prediction,
    process_likelihood,
    svm_rbf_2000,
    svm_rbf_5000,
    linear_svm,
    svr_rbf,
]
