"""Gaussian processes: blocks of one large Gaussian, densities by SciPy, derivatives by differences."""

from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.linalg import sqrtm
from scipy.optimize import root
from scipy.special import expit
from sklearn.gaussian_process.kernels import Matern
from sklearn.kernel_ridge import KernelRidge

from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian, conditional_gain
from notes_lib.kernels.gaussian_process import RBF, DotProduct, ExpSineSquared, WhiteKernel
from notes_lib.linear.bayesian_regression import weight_posterior
from tests.formulas.values import At, Instance, Law

N, M = 5, 3
LEAST = 100, 100
UNREAD: dict[str, str] = {}
CONDITIONS: set[str] = set()
X, Z, THETA = r"\mathbf{x}", r"\mathbf{x}'", r"\boldsymbol\theta"
NAME, CARD = "gaussian-process-", "gaussian-process-must-know-"


@dataclass(frozen=True)
class Same(Law):
    """A Gaussian by its mean and covariance, and those that it should have."""

    def fits(self) -> bool:
        pairs = zip(self.distribution, self.draws, strict=True)
        return all(np.allclose(np.squeeze(a), np.squeeze(b)) for a, b in pairs)


def is_law(mean, covariance):
    r"""A meaning of ``\mathcal{N}``: what it is given should be this mean and this covariance."""
    return {r"\mathcal{N}": lambda m, S: Same((m, S), (mean, covariance))}


def of(kernel):
    """A covariance function of the library, of two points."""
    return At(lambda a, b: float(kernel(np.reshape(a, (1, -1)), np.reshape(b, (1, -1)))[0, 0]))


def by_step(function, x, h=1e-3):
    """Derivative by differences, exact for polynomials of degree four; of a number or of a matrix."""
    near, far = (function(x + u) - function(x - u) for u in (h, 2 * h))
    return (8 * near - far) / (12 * h)


def of_features(rng):
    """A straight line with its two features, for two points: both identity matrices have one name."""
    points, star, a, sigma2 = rng.normal(size=(2, 1)), rng.normal(size=1), rng.uniform(0.5, 2), rng.uniform(0.1, 1)
    y, bias = rng.normal(size=2), rng.uniform(0.5, 2)
    phi = lambda v: np.r_[bias, np.ravel(v)]
    Phi, kernel = np.array([phi(row) for row in points]), 1 / a * DotProduct(bias)
    mean = weight_posterior(Phi, y, a, 1 / sigma2).mean
    line = {
        X: points[0], Z: star, "k": of(kernel), "a": a, r"\boldsymbol\phi": At(phi), r"\boldsymbol\Phi": Phi,
        r"\sigma^2": sigma2, r"\mathbf{k}_*": kernel(points, star[None])[:, 0], r"\mathbf{y}": y,
        r"\mathbf{K}_y": kernel(points) + sigma2 * np.eye(2), r"\boldsymbol\phi_*": phi(star), r"\lambda": sigma2,
    }  # fmt: skip
    line |= {r"\mathbf{K}": kernel(points), r"\mathbf{I}": np.eye(2)}
    return line, float(phi(star) @ mean)


def of_the_likelihood(rng, points, y):
    """The marginal likelihood by SciPy, and its derivatives by the logarithms of v, the length-scale and the noise."""
    kernel = rng.uniform(0.5, 2) * RBF(rng.uniform(0.7, 1.5)) + WhiteKernel(rng.uniform(0.1, 0.5))
    theta, j = kernel.theta, range(1, 4)
    moved = lambda i, t: kernel.with_theta(np.where(np.arange(3) == i - 1, t, theta))(points)
    density = lambda K: stats.multivariate_normal(np.zeros(N), K).logpdf(y)
    by = lambda function: lambda i: by_step(lambda t: function(moved(i, t)), theta[i - 1])
    K = kernel(points)
    return {
        "j": j, r"\mathbf{K}_y": K, r"\mathbf{y}": y, r"\boldsymbol\alpha": np.linalg.inv(K) @ y, "N": N,
        rf"p(\mathbf{{y}}\mid{THETA})": float(np.exp(density(K))),
        r"\frac{\partial\ln p}{\partial\theta_#}": by(density),
        r"\frac{\partial\mathbf{K}_y}{\partial\theta_#}": lambda i: kernel.gradients(points)[1][i - 1],
        r"\frac{\partial\mathbf{K}_y^{-1}}{\partial\theta_#}": by(np.linalg.inv),
        r"\frac{\partial\ln\det\mathbf{K}_y}{\partial\theta_#}": by(lambda A: np.linalg.slogdet(A)[1]),
    }  # fmt: skip


def of_kernels(rng, points):
    """Sums, products, waves and their derivatives, and what holds each frequency."""
    v, ell, p = rng.uniform(0.5, 2), rng.uniform(0.6, 1.4), rng.uniform(1.5, 3)
    smooth, rough = RBF(ell), lambda A, B: Matern(ell, nu=1.5)(A, B)
    wave = lambda period: ExpSineSquared(ell, period)
    x, z = rng.normal(size=2)
    product = RBF(ell) * ExpSineSquared(0.8, p)
    d = rng.uniform(0.2, 1)
    line = points[:, :1]
    return {
        "rbf": {"k": of(v * smooth), "v": v, r"\ell": ell},
        "rbf-gradient": {
            r"\ell": ell, "K_{##}": RBF(ell)(points),
            r"\frac{\partial K_{##}}{\partial\ln\ell}": by_step(lambda t: RBF(np.exp(t))(points), np.log(ell))},
        "sum": {"k": of(lambda a, b: v * smooth(a, b) + rough(a, b)), "k_#": [of(v * smooth), of(rough)]},
        "product": {"k": of(v * smooth * RBF(2.0)), "k_#": [of(v * smooth), of(RBF(2.0))]},
        "product-gradient": {
            "j": range(1, 2), "k_#": [of(RBF(ell)), of(ExpSineSquared(0.8, p))],
            r"\frac{\partial K_{##}}{\partial\theta_#}": lambda n, m, _: product.gradients(line)[1][0][n - 1, m - 1],
            r"\frac{\partial k_1(\mathbf{x}_#,\mathbf{x}_#)}{\partial\theta_#}":
                lambda n, m, _: by_step(lambda t: RBF(np.exp(t))(line), np.log(ell))[n - 1, m - 1],
            r"\mathbf{x}_#": line},
        "periodic": {"k": of(lambda a, b: RBF(ell)(*(
            np.column_stack([np.cos(2 * np.pi * u / p), np.sin(2 * np.pi * u / p)]) for u in (a, b)))),
            r"\ell": ell, "p": p, "x": x, "x'": z},
        "periodic-gradient": {
            "k": float(wave(p)([[x]], [[z]])[0, 0]), r"\ell": ell, "p": p, "d": abs(x - z),
            r"\frac{\partial k}{\partial\ln p}": by_step(lambda t: wave(np.exp(t))([[x]], [[z]])[0, 0], np.log(p))},
        "bumps": {"s": ell, "x": x, "x'": z, "c": 0.0},
        "spectral": {"k": At(lambda u: float(v * RBF(ell)([[0.0]], [[u]])[0, 0])), "d": d,
                     r"\omega": 0.0, "S": At(lambda w: v * np.sqrt(2 * np.pi) * ell * np.exp(-((ell * w) ** 2) / 2))},
        "spectral-rbf": {"v": v, r"\ell": ell, r"\omega": d,
                         "S": At(lambda w: fourier(lambda u: v * RBF(ell)([[0.0]], u[:, None])[0], w))},
    }  # fmt: skip


def fourier(k, w):
    """The transform of an even function of an array, by a sum over a fine grid."""
    grid = np.linspace(-12, 12, 4801)
    return float((k(grid) * np.cos(w * grid)).sum() * (grid[1] - grid[0]))


def of_labels(rng, points, star):
    """Classification: the posterior by SciPy, its maximum by another search, and the moments of the approximation."""
    kernel = 2.0 * RBF(0.9)
    K, k_star, t = kernel(points), kernel(points, star[None])[:, 0], rng.permutation([0.0, 0.0, 1.0, 1.0, 1.0])
    prior = stats.multivariate_normal(np.zeros(N), K)

    def psi(f):
        f = np.ravel(f)
        return float(stats.bernoulli(expit(f)).logpmf(t).sum() + prior.logpdf(f) - prior.logpdf(np.zeros(N)))

    f = 0.5 * rng.normal(size=N)
    W = np.diag(expit(f) * expit(-f))
    slope = np.array([by_step(lambda u, e=e: psi(f + u * e), 0.0) for e in np.eye(N)])
    assert np.allclose(slope, t - expit(f) - np.linalg.solve(K, f), atol=1e-6)
    step = K @ np.linalg.solve(np.eye(N) + W @ K, W @ f + t - expit(f))  # the form that inverts no K
    f_hat = root(lambda g: g - K @ (t - expit(g)), f, tol=1e-13).x
    W_hat = np.diag(expit(f_hat) * expit(-f_hat))
    at_holes = np.linalg.inv(np.linalg.inv(K) + W_hat)
    G = k_star @ np.linalg.inv(K)
    here = {"n": range(1, N + 1), "t_#": t, r"\mathbf{t}": t, r"\mathbf{K}": K, r"\mathbf{k}_*": k_star}
    return (
        here | {r"\mathbf{f}": f, "f_#": f, r"\Psi": At(psi), r"\mathbf{s}": expit(f), r"\mathbf{W}": W,
                r"\mathbf{f}\leftarrow": step},
        here | {r"\hat{\mathbf{s}}": expit(f_hat), r"\mathbf{W}": W_hat, "m_*": G @ f_hat,
                r"\mathbf{x}_*": star, "k": of(kernel), "c_*": 2.0 - G @ k_star + G @ at_holes @ G,
                r"\hat{\mathbf{f}}": f_hat, "s": At(lambda u: float(expit(u)), "f"), "f": 0.3},
    )  # fmt: skip


def instance(seed):
    """Five training points in the plane, three new ones, and one Gaussian over all targets and values."""
    rng = np.random.default_rng(seed)
    points, new, sigma2 = rng.normal(size=(N, 2)), rng.normal(size=(M, 2)), rng.uniform(0.1, 0.5)
    kernel = rng.uniform(0.5, 2) * RBF(rng.uniform(0.7, 1.5))
    K, across, K_new = kernel(points), kernel(new, points), kernel(new)
    K_y = K + sigma2 * np.eye(N)
    joint = np.block([[K_y, across.T], [across, K_new]])
    big = MultivariateGaussian(np.zeros(N + M), joint)
    y = rng.normal(size=N)
    after = big.condition(np.arange(N), y)
    noisy = MultivariateGaussian(np.zeros(N + M), joint + np.diag(np.r_[np.zeros(N), np.full(M, sigma2)]))
    L = np.linalg.cholesky(K_y)
    left_out = [MultivariateGaussian(np.zeros(N), K_y).condition(np.delete(np.arange(N), n), np.delete(y, n))
                for n in range(N)]  # fmt: skip
    A, u = np.real(sqrtm(K)), rng.normal(size=N)
    f, f_new, G = rng.normal(size=N), rng.normal(size=M), rng.normal(size=(M, N))
    left = np.hstack([-G, np.eye(M)])
    error = y - f
    ridge = KernelRidge(alpha=sigma2, kernel="precomputed").fit(K, y)
    values = {
        "n": range(1, N + 1), "m": range(1, N + 1), "N": N, X: points[0], Z: new[0], r"\mathbf{x}_#": points,
        r"\mathbf{x}_*": new[1], "k": of(kernel), r"\mathbf{K}": K, "K_{##}": K, r"\mathbf{K}_*": across,
        r"\mathbf{K}_{**}": K_new, r"\mathbf{K}_y": K_y, r"\sigma^2": sigma2, r"\mathbf{I}": np.eye(N),
        r"\mathbf{y}": y, r"\mathbf{0}": np.zeros(N), r"\mathbf{f}": f, r"\mathbf{m}_*": after.mean,
        r"\mathbf{C}_*": after.covariance, r"\mathbf{k}_*": across[1],
        r"\operatorname{Var}[y_*\mid\mathbf{y}]": noisy.condition(np.arange(N), y).covariance[1, 1],
        r"\lambda": sigma2, r"\boldsymbol\alpha": np.linalg.inv(K_y) @ y, r"\alpha_#": np.linalg.inv(K_y) @ y,
        r"\boldsymbol\Lambda": np.linalg.inv(K_y), r"\Lambda_{##}": np.linalg.inv(K_y),
        r"\operatorname{E}[y_#\mid\mathbf{y}_{-#}]": lambda n, _: left_out[n - 1].mean[0],
        r"\operatorname{Var}[y_#\mid\mathbf{y}_{-#}]": lambda n, _: left_out[n - 1].covariance[0, 0],
        r"\mathbf{L}": L, r"\mathbf{L}^{-\top}": np.linalg.inv(L).T, "L_{##}": L,
        r"\mathbf{z}": np.linalg.inv(L) @ y, r"\mathbf{V}": np.linalg.inv(L) @ across.T,
        r"\mathbf{f}_*": f_new, r"\mathbf{G}": conditional_gain(joint, np.arange(N)), "y_#": y,
        r"\varepsilon_#": error, "f": At(lambda x: float(f[np.argmin(np.abs(points - np.ravel(x)).sum(axis=1))])),
    }  # fmt: skip
    features, at_star = of_features(rng)
    likelihood = of_the_likelihood(rng, points, y)
    labels, latent = of_labels(rng, points, new[2])
    by_problem = [
        (features, f"{NAME}weights {NAME}push-through {NAME}mean-weights {CARD}views"),
        (is_law(np.zeros(N), K), f"{NAME}prior {CARD}definition"),
        ({r"\mathbf{A}": A, r"\mathbf{u}": u, r"\mathbf{f}": A @ u, **is_law(np.zeros(N), A @ A.T)}, f"{NAME}sample"),
        (is_law(0.0, sigma2), f"{NAME}noise"),
        ({r"\mathbf{0}": np.zeros(N + M), **is_law(big.mean, big.covariance)}, f"{NAME}joint"),
        ({r"\mathbf{G}": G, r"\mathbf{r}": left @ np.r_[y, f_new],
          r"\operatorname{Cov}[\mathbf{r},\mathbf{y}]": (left @ joint)[:, :N]}, f"{NAME}split"),
        ({r"\boldsymbol\alpha": ridge.dual_coef_}, f"{NAME}kernel-ridge"),
        (likelihood, f"{NAME}likelihood {NAME}likelihood-gradient {NAME}inverse-derivative"),
        (likelihood, f"{NAME}determinant-derivative {CARD}likelihood"),
        (labels, f"{NAME}laplace-posterior {NAME}laplace-newton"), (latent, f"{NAME}laplace-latent"),
    ]  # fmt: skip
    own = {key: problem for problem, keys in by_problem for key in keys.split()}
    own |= {NAME + key: problem for key, problem in of_kernels(rng, points).items()}
    own[f"{CARD}kernels"] = own[f"{NAME}rbf"]
    worth = {f"{NAME}mean-weights": {1: at_star}}
    return Instance(values, own, worth)
