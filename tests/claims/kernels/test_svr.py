"""The quiz of the chapter *Support vector regression*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from sklearn.svm import NuSVR

from notes_lib.foundations.risk import residual_huber, residual_huber_gradient
from notes_lib.kernels.svr import SVR, dual_objective, epsilon_insensitive
from tests.claims.deciding import decided

SMALL = 1e-7
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RNG.standard_t(2, size=40)
NEW = RNG.normal(size=(50, 2))
K, C, EPS = X @ X.T, 0.5, 0.2
R = np.linspace(-9, 9, 3601)


def _fitted(X=X, y=Y, C=C, eps=EPS, kernel="rbf"):
    """A machine, its coefficients and its residuals."""
    machine = SVR(C=C, epsilon=eps, kernel=kernel, gamma=1.0, tol=1e-11, max_iter=500_000).fit(X, y)
    beta = np.zeros(len(y))
    beta[machine.support_] = machine.dual_coef_[0]
    return machine, beta, y - machine.predict(X)


def quiz_free():
    r"""A row has $0 < \beta_n < C$. Where does it lie?"""
    _, beta, r = _fitted()
    rows = r[(beta > 0) & (beta < C)]
    assert len(rows) > 1
    return {
        "Strictly inside the tube": (np.abs(rows) < EPS - SMALL).all(),
        "Exactly on the upper edge of the tube": np.allclose(rows, EPS, atol=SMALL),
        "Above the tube": (rows > EPS + SMALL).all(),
        "On the curve": np.allclose(rows, 0),
    }


def quiz_both():
    r"""Why is $\alpha_n \alpha^*_n = 0$ for $\varepsilon > 0$?"""
    rng = np.random.default_rng(1)
    up = rng.uniform(0.1, 0.4, 40)
    down = rng.permutation(up)

    def value(up, down):  # of the dual before the two are joined
        beta = up - down
        return Y @ beta - EPS * (up + down).sum() - 0.5 * beta @ K @ beta

    t = np.minimum(up, down)
    gain = value(up - t, down - t) - value(up, down)
    assert np.isclose(value(up - t, down - t), dual_objective(up - down, K, Y, EPS))
    feasible = np.isclose((up - down).sum(), 0) and (np.r_[up, down] <= C).all()
    return {
        r"Because $\sum_n \beta_n = 0$": not feasible,  # both conditions hold here, and the product is positive
        "Because $C$ is finite": not feasible,
        r"Lowering both by the same amount keeps $\beta_n$ and raises the dual":
            np.isclose(gain, 2 * EPS * t.sum()) and gain > 0,
        "Because the kernel matrix is invertible": np.linalg.matrix_rank(K) == 40,
    }  # fmt: skip


def quiz_move():
    """Some rows are free. Which of these leave the fitted function as it is?"""
    machine, beta, r = _fitted()
    size = np.abs(beta)
    free, bound = np.flatnonzero((size > 0) & (size < C)), np.flatnonzero(size == C)
    inside = np.flatnonzero(np.abs(r) < EPS - 0.01)
    old = machine.predict(NEW)
    same = lambda *given, **options: np.allclose(_fitted(*given, **options)[0].predict(NEW), old, atol=1e-6)

    def moved(n, change):
        y = Y.copy()
        y[n] += change
        return same(X, y)

    return {
        "Moving a bound row further outwards": all(moved(n, 5 * np.sign(beta[n])) for n in bound[:4]),
        "Moving a free row": any(moved(n, change) for n in free[:2] for change in (0.1, -0.1)),
        "Deleting a row strictly inside the tube": all(same(np.delete(X, n, 0), np.delete(Y, n)) for n in inside[:4]),
        r"Doubling $\varepsilon$": same(eps=2 * EPS),
    }


def quiz_robust():
    """Which part of the epsilon-insensitive loss makes it robust to wrong targets?"""
    slope = lambda loss: np.abs(np.gradient(loss, R)).max()
    bounded = lambda loss: slope(loss) < 2
    tube, huber, square = epsilon_insensitive(R, 1.0), residual_huber(R), R**2 / 2
    dead_square = epsilon_insensitive(R, 1.0) ** 2  # flat inside, with a corner nowhere
    cornered = np.abs(R) + square  # a corner, and no bound
    convex = lambda loss: (np.diff(loss, 2) > -SMALL).all()
    assert all(bounded(loss) for loss in (tube, huber))
    return {
        "The flat part": bounded(dead_square),
        r"The corner at $\varepsilon$": bounded(cornered),
        "Its convexity": convex(square) and bounded(square),
        "The slope that never exceeds 1": slope(tube) <= 1 + SMALL and not bounded(square),
    }


def tf_outside():
    """Every row outside the tube is a support vector."""
    found = [_fitted(C=c, eps=e) for c in (0.1, 1.0, 10.0) for e in (0.05, 0.3, 1.0)]
    return all((beta[np.abs(r) > m.epsilon + SMALL] != 0).all() for m, beta, r in found)


def tf_support():
    """Every support vector lies outside the tube."""
    _, beta, r = _fitted()
    assert (np.abs(r[np.abs(beta) == C]) > EPS).all()
    return (np.abs(r[beta != 0]) > EPS + SMALL).all()


def tf_huber():
    """Huber's loss leads to a sparse kernel expansion."""
    nearly = R[np.abs(R) > SMALL]
    assert (epsilon_insensitive(nearly, 1.0) == 0).mean() > 0.1
    return (residual_huber_gradient(nearly) == 0).any()


def tf_nu(nu):
    r"""With $\nu = <nu>$ at most a fifth of the training rows lies outside the tube."""
    shares = []
    for c in (1.0, 3.0, 10.0):
        machine = NuSVR(nu=float(nu), C=c, gamma=1.0, tol=1e-9).fit(X, Y)
        r, size = np.abs(Y - machine.predict(X)), np.abs(machine.dual_coef_[0])
        assert size.sum() <= c * 40 * nu + 1e-6
        width = r[machine.support_][(size > SMALL) & (size < c - SMALL)].mean()  # free rows lie on the edge
        shares.append((r > width + 1e-5).mean())
    return max(shares) <= 1 / 5


def tf_interval():
    """The tube is an interval that holds new targets with a known probability."""
    held = []
    for scale in (0.1, 1.0):  # the same tube, for noise of two sizes
        rng = np.random.default_rng(2)
        machine = _fitted(X, X[:, 0] + scale * rng.normal(size=40), kernel="linear")[0]
        target = NEW[:, 0] + scale * rng.normal(size=50)
        held.append((np.abs(target - machine.predict(NEW)) <= EPS).mean())
    return abs(held[0] - held[1]) < 0.1


test_claim = decided("kernels/svr", globals())
