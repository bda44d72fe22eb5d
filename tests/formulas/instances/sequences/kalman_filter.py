"""The Kalman filter: every state, reading and gain from one big Gaussian over all states and all readings."""

import numpy as np
from scipy.linalg import block_diag, solve_discrete_are
from scipy.stats import norm

from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian
from notes_lib.linear.bayesian_regression import BayesianLinearRegression
from notes_lib.sequences.kalman_filter import KalmanFilter, joseph
from tests.formulas.values import At, Instance, Law

T = 4


def covariance(rng, k):
    B = rng.normal(size=(k, k))
    return B @ B.T + 0.2 * np.eye(k)


class Whole:
    """A model, one draw of its noises, and the joint Gaussian of all states and all readings."""

    def __init__(self, rng, A, C, Q, R, mean, P):
        self.A, self.C, self.d, self.m = A, C, len(A), len(C)
        d, m = self.d, self.m
        powers = [np.linalg.matrix_power(A, k) for k in range(T)]
        paths = np.block([[powers[t - s] if s <= t else np.zeros((d, d)) for s in range(T)] for t in range(T)])
        push = block_diag(P, *[Q] * (T - 1))
        self.w = rng.multivariate_normal(np.zeros(T * d), push).reshape(T, d)
        self.v = rng.multivariate_normal(np.zeros(T * m), np.kron(np.eye(T), R)).reshape(T, m)
        centre = paths[:, :d] @ mean
        self.z = (centre + paths @ self.w.ravel()).reshape(T, d)
        read = np.hstack([np.kron(np.eye(T), C), np.eye(T * m)])
        self.y = (read @ np.concatenate([self.z.ravel(), self.v.ravel()])).reshape(T, m)
        both = np.vstack([np.eye(T * (d + m))[: T * d], read])
        spread = block_diag(paths @ push @ paths.T, np.kron(np.eye(T), R))
        self.joint = MultivariateGaussian(both[:, : T * d] @ centre, both @ spread @ both.T)
        self.model = KalmanFilter(A, C, Q, R, mean, P)

    def after(self, *seen):
        """The joint Gaussian given the readings of some steps, and where its states and its readings stand."""
        d, m = self.d, self.m
        taken = [T * d + (t - 1) * m + k for t in seen for k in range(m)]
        rest = [i for i in range(T * (d + m)) if i not in taken]
        found = self.joint.condition(taken, np.concatenate([self.y[t - 1] for t in seen])) if seen else self.joint
        at = {i: k for k, i in enumerate(rest)}
        z = lambda t: [at[(t - 1) * d + k] for k in range(d)]
        y = lambda t: [at[T * d + (t - 1) * m + k] for k in range(m)]
        return found, z, y

    def values(self, skipped=()):
        """What the symbols are worth; some readings may be missing."""
        found = {
            name: [] for name in (r"\bar{\mathbf{m}}_#", r"\bar{\mathbf{P}}_#", r"\mathbf{m}_#", r"\mathbf{P}_#",
                                  r"\hat{\mathbf{m}}_#", r"\hat{\mathbf{P}}_#", r"\mathbf{e}_#", r"\mathbf{S}_#",
                                  r"\mathbf{K}_#", r"\mathbf{G}_#", r"\mathbf{L}_#", r"\mathbf{V}_#")
        }  # fmt: skip
        joints = []
        seen = [t for t in range(1, T + 1) if t not in skipped]
        for t in range(1, T + 1):
            for mark, given in [
                (r"\bar", [s for s in seen if s < t]),
                ("", [s for s in seen if s <= t]),
                (r"\hat", seen),
            ]:
                g, z, y = self.after(*given)
                name = f"{mark}{{\\mathbf{{%s}}}}_#" if mark else "\\mathbf{%s}_#"
                found[name % "m"].append(g.mean[z(t)])
                found[name % "P"].append(g.covariance[np.ix_(z(t), z(t))])
                if mark == r"\bar":
                    found[r"\mathbf{e}_#"].append(self.y[t - 1] - g.mean[y(t)])
                    S = g.covariance[np.ix_(y(t), y(t))]
                    found[r"\mathbf{S}_#"].append(S)
                    found[r"\mathbf{K}_#"].append(np.linalg.solve(S, g.covariance[np.ix_(y(t), z(t))]).T)
                    joints.append(g.covariance[np.ix_(z(t) + y(t), z(t) + y(t))])
                if not mark and t < T:
                    cross, own = (g.covariance[np.ix_(z(t + 1), z(s))] for s in (t, t + 1))
                    found[r"\mathbf{G}_#"].append(np.linalg.solve(own, cross).T)
                if mark == r"\hat":
                    pair = z(t) + z(max(t - 1, 1))
                    move = np.hstack([np.eye(self.d), -self.A])
                    found[r"\mathbf{L}_#"].append(g.covariance[np.ix_(z(t), z(max(t - 1, 1)))])
                    found[r"\mathbf{V}_#"].append(move @ g.covariance[np.ix_(pair, pair)] @ move.T)
        found = {name: np.array(value) for name, value in found.items()}
        hat = found[r"\hat{\mathbf{m}}_#"]
        ahead = np.array([self.A @ hat[max(t - 1, 0)] for t in range(T)])
        return found | {
            r"\operatorname{Cov}\begin{pmatrix}\mathbf{z}_#\\ \mathbf{y}_#\end{pmatrix}": lambda t, _: joints[t - 1],
            r"\mathbf{u}_#": hat - ahead,
            r"\mathbf{r}_#": self.y - np.einsum("ij,tj->ti", self.C, hat),
        }


def local_level(rng, q, r):
    """A level: the same with sizes 1, and the variance of what is read after the last step."""
    one = np.eye(1)
    whole = Whole(rng, one, one, q * one, r * one, rng.normal(size=1), covariance(rng, 1))
    v = whole.values()
    names = {r"\bar m_#": r"\bar{\mathbf{m}}_#", r"\bar p_#": r"\bar{\mathbf{P}}_#", "m_#": r"\mathbf{m}_#",
             "p_#": r"\mathbf{P}_#", "k_#": r"\mathbf{K}_#"}  # fmt: skip
    p_bar = solve_discrete_are(one, one, q * one, r * one)[0, 0]
    long = np.ma.array(np.zeros(400), mask=np.arange(400) > 300)
    settled = whole.model.filter(long)
    level = {name: v[long_name].ravel() for name, long_name in names.items()}
    h = int(rng.integers(1, 5))
    prior = settled.covariances[300 + h, 0, 0]
    # the same model, started where the series has ended
    ahead = KalmanFilter(one, one, q * one, r * one, [0.0], level["p_#"][-1] * one)
    cut = ahead.filter(np.ma.array(np.zeros(h + 2), mask=np.arange(h + 2) <= h)).covariances[h, 0, 0]
    assert prior > 0
    return level | {
        "t": range(1, T + 1), "y_#": whole.y.ravel(), "q": q, "r": r, r"\bar p": p_bar, "T": T, "h": h,
        "k": 1 - settled.covariances[300, 0, 0] / p_bar,
        r"\operatorname{Var}(y_{T+h}\mid\mathbf{y}_{1:T})": cut + r,
    }  # fmt: skip


def rows(rng):
    """The posterior of Bayesian regression after each row."""
    X, y, r = rng.normal(size=(6, 2)), rng.normal(size=6), rng.uniform(0.3, 2)
    fits = [BayesianLinearRegression(alpha=1.0, beta=1 / r, fit_intercept=False).fit(X[:n], y[:n]) for n in range(1, 7)]
    return {
        "t": range(2, 7), r"\mathbf{m}_#": np.array([f.coef_ for f in fits]), "r": r, "y_#": y,
        r"\mathbf{P}_#": np.array([f.sigma_ for f in fits]), r"\mathbf{x}_#": X,
    }  # fmt: skip


def drawn(rng, variance):
    """Normal laws, and what a model has drawn: its moves, and its errors of reading."""
    one = np.eye(1)
    z, y = KalmanFilter(0 * one, one, variance * one, variance * one, [0.0], variance * one).sample(3000, rng)
    return [
        {r"\mathcal{N}": At(lambda mean, S, x=x: Law(norm(mean, np.sqrt(S)), x.ravel())), r"\mathbf{0}": 0.0}
        for x in (z, y - z)
    ]


def instance(seed):
    """Two states, two readings, four steps."""
    rng = np.random.default_rng(seed)
    A, C = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    A *= 0.9 / np.abs(np.linalg.eigvals(A)).max()
    Q, R = covariance(rng, 2), covariance(rng, 2)
    whole = Whole(rng, A, C, Q, R, rng.normal(size=2), covariance(rng, 2))
    values = whole.values() | {
        "t": range(1, T + 1), "T": T, "m": 2, r"\mathbf{A}": A, r"\mathbf{C}": C, r"\mathbf{Q}": Q, r"\mathbf{R}": R,
        r"\mathbf{I}": np.eye(2), r"\mathbf{z}_#": whole.z, r"\mathbf{y}_#": whole.y, r"\mathbf{w}_#": whole.w,
        r"\mathbf{v}_#": whole.v, r"\bar{\mathbf{P}}": solve_discrete_are(A.T, C.T, Q, R),
    }  # fmt: skip
    readings = range(T * 2, T * 4)
    values[r"\ell"] = whole.joint.marginal(list(readings)).logpdf(whole.y.ravel())
    for name, symbol in [("transition_covariance", "Q"), ("observation_covariance", "R")]:
        model = KalmanFilter(**whole.model.get_params())
        values[rf"\mathbf{{{symbol}}}\leftarrow"] = getattr(model.em(whole.y, 1, [name]), name)
    variance = rng.uniform(0.5, 2)
    moves, errors = drawn(rng, variance)
    later, before = {"t": range(2, T + 1)}, {"t": range(1, T)}
    level = local_level(rng, rng.uniform(0.5, 3), rng.uniform(0.5, 3))
    any_gain = whole.values()
    gains = rng.normal(size=(T, 2, 2))
    any_gain[r"\mathbf{K}_#"] = gains
    any_gain[r"\mathbf{P}_#"] = np.array(
        [by_error(P, K, C, R) for P, K in zip(any_gain[r"\bar{\mathbf{P}}_#"], gains, strict=True)]
    )
    own = {
        "kalman-filter-dynamics": later | moves | {r"\mathbf{Q}": variance},
        "kalman-filter-observation": errors | {r"\mathbf{R}": variance},
        "kalman-filter-predict-mean": later, "kalman-filter-predict-covariance": later,
        "kalman-filter-em-q": later, "kalman-filter-must-know-predict": later, "kalman-filter-must-know-model": later,
        "kalman-filter-scalar": level, "kalman-filter-local-level": level, "kalman-filter-must-know-steady": level,
        "kalman-filter-forecast": level,
        "kalman-filter-missing": whole.values(skipped=(3,)) | {"t": range(3, 4)},
        "kalman-filter-smoother-gain": before, "kalman-filter-smooth-mean": before, "kalman-filter-lag-one": before,
        "kalman-filter-smooth-covariance": before, "kalman-filter-closed-loop": before,
        "kalman-filter-must-know-smoother": before,
        "kalman-filter-rls": rows(rng), "kalman-filter-joseph": any_gain,
    }  # fmt: skip
    return Instance(values, own)


def by_error(P, K, C, R):
    """Covariance of the error that any gain leaves, from the joint covariance of state error and reading error."""
    both = block_diag(P, R)
    map_ = np.hstack([np.eye(len(P)) - K @ C, K])
    found = map_ @ both @ map_.T
    assert np.allclose(found, joseph(P, K, C, R))
    return found
