"""Hidden Markov models: probabilities by listing all paths, recursions and updates from the library and hmmlearn."""

import itertools
import warnings

import hmmlearn.hmm
import numpy as np
from scipy.stats import geom, multivariate_normal

from notes_lib.sequences.hmm import (
    CategoricalHMM,
    GaussianHMM,
    backward,
    backward_step,
    e_step,
    expected_transitions,
    forward,
    forward_step,
    joint_log_probability,
    second_eigenvalue,
    stationary_distribution,
    viterbi,
    viterbi_step,
)
from tests.formulas.values import At, Instance

K, M, T = 3, 4, 5
OLD, NEW = r"\boldsymbol{\theta}^{\mathrm{old}}", r"\boldsymbol{\theta}^{\mathrm{new}}"


class Listed:
    """A model, a sequence, and the joint probability of each path, of any length."""

    def __init__(self, pi, A, B, x):
        self.pi, self.A, self.B, self.x = pi, A, B, x
        self.listed = {}  # the paths of each length, by the symbols

    def paths(self, n, x=None):
        """All paths of n states, and the probability of each together with the first symbols, as many as there are."""
        x = self.x if x is None else x
        key = n, tuple(x[:n])
        if key not in self.listed:
            self.listed[key] = self.all_paths(n, x)
        return self.listed[key]

    def all_paths(self, n, x):
        """The list itself."""
        if n > T + 1:  # only a wrong index asks for it
            raise IndexError("more steps than there are")
        emission = np.zeros((n, K))
        emission[: len(x[:n])] = np.log(self.B[:, x[:n]].T)
        found = list(itertools.product(range(K), repeat=n))
        return np.array(found), np.exp([joint_log_probability(self.pi, self.A, emission, z) for z in found])

    def through(self, n, x=None, **states):
        """Summed over the paths of n states that pass certain ones: ``z2=0`` is state 0 at step 2."""
        if n == 0:
            return 1.0
        z, p = self.paths(n, x)
        keep = np.ones(len(z), dtype=bool)
        for name, k in states.items():
            keep &= z[:, int(name[1:]) - 1] == k
        return p[keep].sum()

    def known(self, t, k, s):
        """p(z_t = k | x_1..s), by the paths."""
        n = max(s, t)
        return self.through(n, self.x[:s], **{f"z{t}": k - 1}) / self.through(n, self.x[:s])

    def rest(self, t, k):
        """p(x_t..T | z_{t-1} = k), from all paths of a model that starts where k leads."""
        if t > T:
            return 1.0
        return Listed(self.A[k - 1], self.A, self.B, self.x[t - 1 :]).through(T - t + 1)


def draw(rng, x=None):
    """A model with a sequence."""
    pi, A, B = rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(K), K), rng.dirichlet(np.ones(M), K)
    return Listed(pi, A, B, rng.integers(0, M, T) if x is None else x)


def recursions(model):
    """Tables of the library's steps."""
    pi, A, E = model.pi, model.A, model.B[:, model.x].T
    alpha, delta, psi, beta = [pi * E[0]], [pi * E[0]], [np.zeros(K, dtype=int)], [np.ones(K)]
    for e in E[1:]:
        alpha.append(forward_step(alpha[-1], A, e))
        best, came = viterbi_step(delta[-1], A, e)
        delta.append(best)
        psi.append(came)
    for e in E[:0:-1]:
        beta.insert(0, backward_step(beta[0], A, e))
    ahead, back, step = forward(pi, A, np.log(E)), backward(A, np.log(E)), e_step(pi, A, np.log(E))
    unseen = []  # the filtered state of a step whose symbol is missing
    for t in range(T):
        gap = np.log(E)
        gap[t] = 0
        unseen.append(forward(pi, A, gap).filtered[t])
    return {
        r"\alpha_#(#)": np.array(alpha), r"\beta_#(#)": np.array(beta), r"\delta_#(#)": np.array(delta),
        r"\psi_#(#)": np.array(psi) + 1, r"\gamma_#(#)": step.posterior, r"u_#(#)": np.array(unseen),
        r"\xi_#(#,#)": expected_transitions(A, np.log(E), ahead.filtered, back.messages),
        r"\hat\alpha_#(#)": ahead.filtered, "c_#": np.exp(ahead.log_scale),
        r"z_#^\star": viterbi(pi, A, np.log(E)).path + 1,
    }  # fmt: skip


def parameters(model):
    """What the letters of a model are worth."""
    return {
        r"\pi_#": model.pi, "a_{##}": model.A,
        "b_#(x_#)": lambda k, t: model.B[k - 1, model.x[t - 1]],
    }  # fmt: skip


def updated(model):
    """The parameters after one update of the library, and the log-likelihood then."""
    fit = CategoricalHMM(K, init_params="", n_iter=1, n_features=M)
    fit.startprob_, fit.transmat_, fit.emissionprob_ = model.pi, model.A, model.B
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit.fit(model.x)
    return fit, Listed(fit.startprob_, fit.transmat_, fit.emissionprob_, model.x)


def smoothed_counts(rng, model):
    """A row of emissions after an update of hmmlearn with a prior."""
    eta = rng.uniform(1, 3, M)
    peer = hmmlearn.hmm.CategoricalHMM(K, emissionprob_prior=eta, init_params="", n_iter=1, n_features=M)
    peer.startprob_, peer.transmat_, peer.emissionprob_ = model.pi, model.A, model.B
    peer.fit(model.x[:, None])
    gamma = e_step(model.pi, model.A, np.log(model.B[:, model.x].T)).posterior
    n = np.array([gamma[model.x == m, 0].sum() for m in range(M)])
    symbols = range(1, M + 1)
    return {"n_#": n, r"\eta_#": eta, r"\hat p_#": peer.emissionprob_[0], "i": symbols, "j": symbols}


def gaussian(rng):
    """Gaussian emissions in two dimensions, before and after an update."""
    X, pi, A = rng.normal(size=(30, 2)), rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(K), K)
    mu = rng.normal(size=(K, 2))
    spread = np.array([F @ F.T + np.eye(2) for F in rng.normal(size=(K, 2, 2))])
    point = rng.normal(size=2)
    density = []
    for k in range(K):
        one = GaussianHMM(K, "full")
        one.startprob_, one.transmat_, one.means_, one.covars_ = np.eye(K)[k], np.eye(K), mu, spread
        density.append(np.exp(one.score(point[None])))
    fit = GaussianHMM(K, "full", init_params="", n_iter=1, min_covar=0.0)
    fit.startprob_, fit.transmat_, fit.means_, fit.covars_ = pi, A, mu, spread
    weights = fit.predict_proba(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit.fit(X)
    return {
        r"b_#(\mathbf{x})": np.array(density), r"\gamma_#(#)": weights, r"\mathbf{x}_#": X, "t": range(1, 31),
        r"\mathcal{N}(\mathbf{x} \mid \boldsymbol{\mu}_#, \boldsymbol{\Sigma}_#)": lambda k, j: multivariate_normal(
            mu[k - 1], spread[j - 1]
        ).pdf(point),
        r"\hat{\boldsymbol{\mu}}_#": fit.means_, r"\hat{\boldsymbol{\Sigma}}_#": fit.covars_,
    }  # fmt: skip


def ending(rng, model):
    """The same model with stop probabilities: an ordinary state more, which emits a symbol of its own."""
    stop = rng.uniform(0.1, 0.5, K)
    A = np.zeros((K + 1, K + 1))
    A[:K, :K], A[:K, K], A[K, K] = model.A * (1 - stop)[:, None], stop, 1
    B = np.zeros((K + 1, M + 1))
    B[:K, :M], B[K, M] = model.B, 1
    x = np.append(model.x, M)
    with np.errstate(divide="ignore"):
        emission = np.log(B[:, x].T)
    start = np.append(model.pi, 0)
    alpha, beta = [start * B[:, x[0]]], B[:, M]
    for symbol in model.x[1:]:
        alpha.append(forward_step(alpha[-1], A, B[:, symbol]))
    return {
        "a_{##}": A, r"a_{#,\mathrm{end}}": stop, r"\alpha_#(#)": np.array(alpha),
        r"\beta_#(#)": lambda t, k: backward_step(np.ones(K + 1), A, beta)[k - 1] if t == T else np.nan,
        r"p(x_{1:T}, \mathrm{end})": np.exp(forward(start, A, emission).log_likelihood),
    }  # fmt: skip


def two_states(rng):
    """A chain of two states that runs without observations."""
    A = rng.dirichlet([1, 1], 2)
    p = [rng.dirichlet([1, 1])]
    for _ in range(5):
        p.append(p[-1] @ A)
    sign = np.sign(np.linalg.det(A))  # of the second eigenvalue, since the first one is 1
    return {
        "a_{##}": A, "s_#": stationary_distribution(A), r"\mathbf{s}": stationary_distribution(A),
        r"\lambda_2": sign * second_eigenvalue(A), r"\mathbf{p}_#": np.array(p), "t": range(1, 7),
    }  # fmt: skip


def instance(seed):
    """Three states, four symbols, five steps."""
    rng = np.random.default_rng(seed)
    model = draw(rng)
    z, x, tables = rng.integers(0, K, T), model.x, recursions(model)
    of = lambda n: np.exp(joint_log_probability(model.pi, model.A, np.log(model.B[:, x[:n]].T), z[:n])) if n else 1.0

    def symbol_given(t, _):
        """p(x_t | everything else)."""
        each = []
        for symbol in range(M):
            other = x.copy()
            other[t - 1] = symbol
            emission = np.log(model.B[:, other].T)
            each.append(np.exp(joint_log_probability(model.pi, model.A, emission, z)))
        return each[x[t - 1]] / sum(each)

    def next_given(t, s, n):
        """p(z_t | z_s, x_1..n)."""
        both = {f"z{t}": z[t - 1], f"z{s}": z[s - 1]}
        return model.through(t, x[:n], **both) / model.through(t, x[:n], **{f"z{s}": z[s - 1]})

    def best_to(*places):
        """The largest probability of a path of t states that ends in k."""
        t, k = places[1], places[4]
        paths, p = model.paths(t)
        return p[paths[:, -1] == k - 1].max()

    whole, log_emission = model.through(T), np.log(model.B[:, x].T)
    fit, after = updated(model)
    other = draw(rng, x)
    p = model.paths(T)[1]
    expected = (p / p.sum()) @ np.log(other.paths(T)[1])
    sigma = rng.permutation(K)
    turned = forward(model.pi[sigma], model.A[np.ix_(sigma, sigma)], log_emission[:, sigma]).log_likelihood
    s = stationary_distribution(model.A)
    chain = forward(model.pi, model.A, np.zeros((T, K)))  # nothing observed
    assert np.allclose(chain.log_likelihood, 0)
    unseen = np.exp(joint_log_probability(model.pi, model.A, np.zeros((T, K)), z))
    smooth = smoothed_counts(rng, model)
    values = parameters(model) | tables | {
        "K": K, "M": M, "T": T, "t": range(1, T + 1), "m": range(1, M + 1), "d": range(1, 9),
        **{letter: range(1, K + 1) for letter in "ijkl"},
        "z_#": z + 1, "x_#": x + 1, "a_{z_# z_#}": lambda t, u: model.A[z[t - 1], z[u - 1]],
        "b_{z_#}(x_#)": lambda t, u: model.B[z[t - 1], x[u - 1]],
        "p(z_{1:T})": unseen, "P(d)": At(lambda d, k: geom.pmf(d, 1 - model.A[k - 1, k - 1]), "d", "k"),
        r"\mathbb{E}[d]": At(lambda k: geom.mean(1 - model.A[k - 1, k - 1]), "k"),
        r"\mathbf{s}": s, "s_#": s, r"\mathbf{A}": model.A,
        r"p(x_# \mid z_{1:T}, x_{-#})": symbol_given,
        r"p(x_# \mid z_#)": lambda t, u: model.B[z[u - 1], x[t - 1]],
        "p(x_{1:#}, z_{1:#})": lambda t, u: of(t) if t == u else np.nan,
        r"p(x_{1:T}, z_{1:T} \mid \boldsymbol{\theta})": of(T),
        "p(x_{1:#}, z_#)": lambda n, t: model.through(n, **{f"z{t}": z[t - 1]}),
        r"p(x_{#:T} \mid z_#)": lambda n, t: model.rest(n, z[t - 1] + 1),
        r"p(x_{#:T} \mid z_# = #)": lambda n, t, k: model.rest(n, k) if n == t + 1 else np.nan,
        r"p(z_# \mid z_#, x_{1:#})": next_given,
        r"\sum_{z_1} \cdots \sum_{z_T} p(x_{1:T}, z_{1:T})": whole,
        "p(x_{1:T})": np.exp(forward(model.pi, model.A, log_emission).log_likelihood),
        "p(x_{1:#}, z_# = #)": lambda n, t, k: model.through(n, **{f"z{t}": k - 1}),
        r"p(z_# = # \mid x_{1:#})": model.known,
        r"p(z_# = #, z_# = # \mid x_{1:T})": lambda t, i, u, j: (
            model.through(T, **{f"z{t}": i - 1, f"z{u}": j - 1}) / whole
        ),
        r"p(x_# \mid x_{1:#})": lambda t, n: model.through(t) / model.through(n),
        r"\max_{z_1, \ldots, z_#} p(x_{1:#}, z_{1:#}, z_# = #)": best_to,
        r"\hat\pi_#": fit.startprob_, r"\hat a_{##}": fit.transmat_, r"\hat b_#(#)": fit.emissionprob_,
        rf"p(x_{{1:T}} \mid {OLD})": whole, rf"p(x_{{1:T}} \mid {NEW})": after.through(T),
        r"p(x_{1:T} \mid \pi_{\sigma(k)}, a_{\sigma(i)\sigma(j)}, b_{\sigma(k)})": np.exp(turned),
        r"p(x_{1:T} \mid \pi_k, a_{ij}, b_k)": whole,
    }  # fmt: skip
    later, before = {"t": range(2, T + 1)}, {"t": range(1, T)}
    own = {
        "hmm-prefix": later, "hmm-next-state": later, "hmm-forward": later, "hmm-predict": later,
        "hmm-log-forward": later, "hmm-viterbi": later, "hmm-log-viterbi": later, "hmm-pointer": later,
        "hmm-backtrack": later, "hmm-delta": later, "hmm-backward": before, "hmm-xi": before,
        "hmm-must-know-forward:3": later, "hmm-must-know-backward:3": before,
        "hmm-must-know-posterior:2": before, "hmm-must-know-posterior:3": before,
        **{f"hmm-must-know-viterbi:{n}": later for n in (2, 3, 5)},
        "hmm-two-states": two_states(rng), "hmm-forgetting": two_states(rng),
        "hmm-q": parameters(other) | {rf"Q(\boldsymbol{{\theta}} \mid {OLD})": expected},
        "hmm-update-map": smooth, "hmm-end": ending(rng, model),
        **dict.fromkeys(["hmm-gaussian", "hmm-update-mean", "hmm-update-covariance"], gaussian(rng)),
        "hmm-must-know-baum-welch:4": smooth,
    }  # fmt: skip
    total = smooth["n_#"].sum() + smooth[r"\eta_#"].sum() - M
    added = smooth[r"\hat p_#"] * total - smooth["n_#"]
    free = CategoricalHMM(K, n_features=M)
    free.startprob_, free.transmat_, free.emissionprob_ = model.pi, model.A, model.B
    worth = {
        "hmm-must-know-posterior:4": len(tables[r"\xi_#(#,#)"]),
        "hmm-must-know-baum-welch:4": At(lambda j: added[j - 1], "j"),
        "hmm-parameters": (free.aic(x) + 2 * free.score(x)) / 2,
    }
    return Instance(values, own, worth)
