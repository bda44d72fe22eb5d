"""Exercises on hidden Markov models: sums over all paths, recursions of the library, powers and eigenvalues."""

import warnings
from itertools import product

import numpy as np
from scipy.stats import binom

from notes_lib.sequences.hmm import (
    CategoricalHMM,
    e_step,
    forward,
    joint_log_probability,
    period,
    second_eigenvalue,
    stationary_distribution,
    viterbi,
)
from tests.formulas.chapters import Chapter
from tests.formulas.instances.sequences.hmm import Listed, draw
from tests.formulas.values import At
from tests.solutions.ledger import Worked

VALUES = Chapter.of("hmm").instances[0].values  # a model of three states, four symbols and five steps
MODEL = draw(np.random.default_rng(0))  # the same one, by its paths
K, M, T = 3, 4, 5
LATER, EARLIER = {"t": range(2, T + 1)}, {"t": range(1, T)}
LOG_EMISSION = np.log(MODEL.B[:, MODEL.x].T)
WHOLE = MODEL.through(T)
ORDER = {"O": At(lambda size: size)}


def _alpha(t):
    """The forward row of a step, by the paths."""
    return [MODEL.through(t, **{f"z{t}": k}) for k in range(K)]


def _paths(pi, A, E):
    """All paths of a model, and their probabilities together with the observations."""
    found = [*product(range(len(pi)), repeat=len(E))]
    return np.array(found), np.exp([joint_log_probability(pi, A, np.log(E), z) for z in found])


def ex_forward():
    def both(n, seen, **states):
        return MODEL.through(n, MODEL.x[:seen], **states)

    def pair(n, u, j, t, k):
        return both(n, n, **{f"z{u}": j - 1, f"z{t}": k - 1})

    def state(t, k, u, j, n):
        return both(t, n, **{f"z{u}": j - 1, f"z{t}": k - 1}) / both(t, n, **{f"z{u}": j - 1})

    def symbol(t, s, k, u, j, n):
        states = {f"z{u}": j - 1, f"z{s}": k - 1}
        return both(t, t, **states) / both(t, n, **states)

    rows = [_alpha(t) for t in range(1, T + 1)]
    return Worked(
        {**VALUES, **LATER, **ORDER, "p(x_{1:#},z_#=#,z_#=#)": pair, r"p(z_#=#\mid z_#=#,x_{1:#})": state,
         r"p(x_#\mid z_#=#,z_#=#,x_{1:#})": symbol},
        numbers=[rows[1:], rows[:-1], len(rows[1:]), np.ones((K, K, T)).size],
    )  # fmt: skip


def ex_boxes():
    pi, A, red = [0.2, 0.4, 0.4], np.array([[0.5, 0.2, 0.3], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]]), [0.5, 0.4, 0.7]
    B = np.column_stack([red, 1 - np.array(red)])
    boxes = Listed(np.array(pi), A, B, np.array([0, 1, 0]))
    ends = [boxes.paths(t) for t in (1, 2, 3)]
    alpha = [[p[z[:, -1] == k].sum() for k in range(3)] for z, p in ends]
    delta = np.array([[p[z[:, -1] == k].max() for k in range(3)] for z, p in ends])
    z, p = ends[-1]
    best = z[p.argmax()] + 1
    return Worked(
        {r"\boldsymbol{\pi}": pi, r"\mathbf{A}": A, r"\alpha_#(#)": np.array(alpha), r"\alpha_#": alpha,
         r"\delta_#(#)": delta, r"\delta_#": delta, "p": p.sum()},
        numbers=[10.2, 10.3, red, 1, 2, 3, best[::-1], best, p.max()],
        known=[delta[0] * A[:, 0]],
    )  # fmt: skip


def ex_umbrella():
    stays, rain, dry = 0.7, 0.9, 0.2
    A, prior = np.array([[stays, 1 - stays], [1 - stays, stays]]), np.array([0.5, 0.5])
    seen = np.array([1, 1, 0, 1, 1])
    E = np.where(seen[:, None], [rain, dry], [1 - rain, 1 - dry])
    rows = [_paths(prior @ A, A, E[:t]) for t in range(1, 6)]
    last = [np.array([p[z[:, -1] == k].sum() for k in (0, 1)]) for z, p in rows]
    filtered = [row / row.sum() for row in last]
    predicted = [row @ A for row in filtered]
    best = [[p[z[:, -1] == k].max() for k in (0, 1)] for z, p in rows]
    of_day = lambda n, t: rows[n][1][rows[n][0][:, t] == 0].sum() / rows[n][1].sum()
    z, p = rows[4]
    assert z[p.argmax()].tolist() == [0, 0, 1, 0, 0]
    first, third = of_day(4, 0), of_day(4, 2)
    return Worked(
        numbers=[stays, rain, dry, 0, prior, 1, 2, 1, first, 3, 3, third, prior @ A, 1, 2, 2, 2, 1, 1, of_day(1, 0),
                 best, 3, third, 1 / 2],
        known=[filtered, predicted, last[0].sum()],
    )  # fmt: skip


def ex_poisson():
    counts, rates, gamma = np.array([2, 0, 4, 1, 3]), np.array([0.5, 2, 3]), VALUES[r"\gamma_#(#)"]
    Q = lambda k, v: np.sum(gamma[:, k] * (-v + counts * np.log(v)))
    slope = lambda k, v: np.imag(Q(k, v + 1e-30j)) / 1e-30
    best = np.average(counts, weights=gamma[:, 0])
    every = frozenset(map(float, range(20)))
    return Worked(
        {"t": range(1, T + 1), "k": range(1, K + 1), r"\gamma_#(#)": gamma, "x_#": counts, "r_#": rates, "x": 3,
         r"\{0,1,2,\ldots\}": every},
        numbers=[sorted(every), [slope(k, v) for k, v in enumerate(rates)], round(slope(0, best), 9), 1],
    )  # fmt: skip


def ex_eisner():
    diary = [int(c) for c in "233232322313311121113121112332322"]
    cold, hot, stays, changes, stop = [0.7, 0.2, 0.1], [0.1, 0.2, 0.7], 0.8, 0.1, 0.1
    A = np.array([[stays, changes, stop], [changes, stays, stop], [0, 0, 1]])
    model = CategoricalHMM(3, init_params="", n_iter=1, n_features=4)
    model.startprob_, model.transmat_ = np.array([0.5, 0.5, 0]), A
    model.emissionprob_ = np.array([[*cold, 0], [*hot, 0], [0, 0, 0, 1]])
    x = np.array([*diary, 4]) - 1
    with np.errstate(divide="ignore"):
        counts = e_step(model.startprob_, A, np.log(model.emissionprob_[:, x].T)).transitions
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one update does not converge
        model.fit(x)
    return Worked(
        numbers=[1, 2, 3, len(diary), cold, 1, 2, 3, hot, stays, changes, stop, 0.5, diary, counts[2, 0],
                 model.emissionprob_[:2, :3], model.transmat_[:2, 2], A, counts[2, 0], counts[2, 1], 2],
    )  # fmt: skip


def ex_machine():
    breaks, repair = 0.1, 0.4
    A = np.array([[1 - breaks, breaks], [repair, 1 - repair]])
    share = stationary_distribution(A)[0]
    far = lambda h: abs(np.linalg.matrix_power(A, h)[1, 0] - share)
    hours = next(h for h in range(99) if far(h) < 0.01)
    swap = np.array([[0, 1], [1, 0]])
    return Worked(
        {r"s_\text{runs}": share, r"\lambda_2": np.linalg.eigvals(A).min(), "h": hours - 1, "a_{##}": swap},
        worlds=[{"h": hours}],
        numbers=[breaks, repair, 0.01, 2, far(hours), far(hours - 1), far(hours), hours, period(swap)],
        known=[1 / breaks + 1 / repair],
    )


def ex_anywhere():
    scale, filtered, posterior = VALUES["c_#"], VALUES[r"\hat\alpha_#(#)"], VALUES[r"\gamma_#(#)"]
    return Worked(
        {**VALUES, r"\alpha_#(#)": np.array([_alpha(t) for t in range(1, T + 1)]),
         r"\hat\beta_#(#)": posterior / filtered, r"c_1\cdots c_#": lambda t: scale[:t].prod(),
         r"c_#\cdots c_T": lambda t: scale[t - 1 :].prod()},
    )  # fmt: skip


def ex_forecast():
    m = 2
    z, p = MODEL.paths(T + 1)
    next_symbol = p @ MODEL.B[z[:, -1], m] / WHOLE
    last = np.array(_alpha(T)) / WHOLE
    return Worked(
        {"T": T, "h": 1, r"p(x_{T+h}\mid x_{1:T})": next_symbol, r"p(x_{T+h}=m\mid x_{1:T})": next_symbol,
         r"\hat{\boldsymbol{\alpha}}_T^\top": last[None], r"\mathbf{A}": MODEL.A, r"\mathbf{b}(m)": MODEL.B[:, m]},
        numbers=[last @ MODEL.A @ MODEL.B[:, m], 300, 5, 50, 1],
    )  # fmt: skip


def _parameters(states, symbols):
    """Free parameters: entries of all distributions, one less for each of them."""
    rows = [np.ones(states), *np.ones((states, states)), *np.ones((states, symbols))]
    return sum(len(row) - 1 for row in rows)


def cards():
    ahead, step = forward(MODEL.pi, MODEL.A, LOG_EMISSION), e_step(MODEL.pi, MODEL.A, LOG_EMISSION)
    t = 3
    before, moved = np.array(_alpha(t - 1)), [MODEL.through(t, MODEL.x[: t - 1], **{f"z{t}": k}) for k in range(K)]
    turned = np.array([MODEL.A[k] @ before for k in range(K)])
    wrong = MODEL.B[:, MODEL.x[t - 1]] * turned
    rows = {r"\boldsymbol{\alpha}_{t-1}": before, r"\mathbf{A}": MODEL.A, r"\boldsymbol{\alpha}_t": wrong,
            r"\mathbf{b}(x_t)\odot(\mathbf{A}\boldsymbol{\alpha}_{t-1})": wrong}  # fmt: skip

    def beyond(t, i, u, j):
        """Two states in a row, also behind the last observation."""
        return MODEL.through(max(T, u), **{f"z{t}": i - 1, f"z{u}": j - 1}) / WHOLE

    too_many = VALUES[r"\xi_#(#,#)"].sum(axis=0) + step.posterior[-1][:, None] * MODEL.A
    path, states = viterbi(MODEL.pi, MODEL.A, LOG_EMISSION).path + 1, np.array(VALUES["z_#"]) - 1
    at = np.arange(T)
    beta = VALUES[r"\beta_#(#)"]
    joint = MODEL.paths(T)[1][np.flatnonzero((MODEL.paths(T)[0] == states).all(axis=1))[0]]
    chain = MODEL.pi[states[0]] * MODEL.A[states[:-1], states[1:]].prod()
    stay = np.linspace(0.1, 0.9, 9)
    fits = np.array([forward([0.5, 0.5], [[s, 1 - s], [1 - s, s]], LOG_EMISSION[:, :2]).log_likelihood for s in stay])
    flat = np.exp(fits) / np.exp(fits).sum()
    casino = np.array([[0.95, 0.05], [0.1, 0.9]])
    heads, tails = 4, 1
    odds = binom(5, 0.9).pmf(heads) / binom(5, 0.1).pmf(heads)
    first = {"t=1": {"t": 1}}
    whole = ahead.log_likelihood
    ones = np.ones(K)
    uneven = {**VALUES, "p(x_{1:T})": beta[0].sum()}
    size = np.ones((K, K, T)).size
    return {
        "lost-marks-no-backtracking": Worked({**VALUES, **LATER}, own={"t=2": {"t": 2}}),
        "lost-marks-transpose": Worked(rows, numbers=[turned, moved, moved]),
        "lost-marks-backward-joint": Worked({**VALUES, **EARLIER}, numbers=[MODEL.x[1:] + 1, 2]),
        "lost-marks-transition-count": Worked(
            {**VALUES, r"p(z_#=#,z_#=#\mid x_{1:T})": beyond, "z_{T+1}": 1}, own=first,
            numbers=[too_many, 1, len(MODEL.x[1:]), ones[0], T - 1],
        ),
        "lost-marks-stationary": Worked(
            {r"\mathbf{A}": MODEL.A, r"\mathbf{1}": ones}, numbers=[MODEL.A.sum(axis=1)[0], 1]
        ),
        "lost-marks-posterior-model": Worked(
            {r"\arg\max_{\boldsymbol{\theta}}P(\boldsymbol{\theta}\mid x_{1:T})": stay[flat.argmax()],
             r"p(x_{1:T}\mid\boldsymbol{\theta})": np.exp(fits[3]),
             r"\arg\max_{\boldsymbol{\theta}}p(x_{1:T}\mid\boldsymbol{\theta})": stay[fits.argmax()]},
            numbers=[stay[fits.argmax()], flat[3] * np.exp(fits).sum(), stay[flat.argmax()]],
        ),
        "do-not-confuse-three": Worked(
            {"t": range(1, T + 1), "T": T,
             r"p(z_#\mid x_{1:#})": lambda t, n: MODEL.known(t, states[t - 1] + 1, n),
             r"\arg\max_{z_{1:T}}p(z_{1:T}\mid x_{1:T})": MODEL.paths(T)[0][MODEL.paths(T)[1].argmax()] + 1},
            numbers=[ahead.filtered[at, states], step.posterior[at, states], path],
        ),
        "do-not-confuse-tables": Worked(
            {**VALUES, "p(x_{1:#})": lambda t: MODEL.through(t)},
            numbers=[VALUES[r"\alpha_#(#)"], np.cumprod(VALUES["c_#"]), beta, step.posterior.sum(axis=1)[0]],
        ),
        "do-not-confuse-models": Worked(
            {**VALUES, "p(z)": 0.3, r"p(x_{1:T}\mid z)": 0.02, "p(x_{1:T},z_{1:T})": joint,
             r"p(z_{1:T}\mid x_{1:T})": joint / WHOLE},
            numbers=[chain, 0.006, chain * np.exp(LOG_EMISSION[at, states].sum()),
                     chain * np.exp(LOG_EMISSION[at, states].sum() - whole)],
        ),
        "what-if-missing": Worked(
            {"k": range(1, K + 1), "x": range(1, M + 1), "b_#(#)": MODEL.B}, numbers=[MODEL.B.sum(axis=1)[0], np.log(1)]
        ),
        "what-if-factor": Worked(VALUES, numbers=[WHOLE]),
        "what-if-start": Worked(
            {r"\lambda_2": np.linalg.eigvals(casino).min(), "t": t},
            numbers=[second_eigenvalue(casino), second_eigenvalue(casino @ casino)],
        ),
        "what-if-twice": Worked(numbers=[2, 2, 2]),
        "counterexample-markov": Worked({"h": heads, "t": tails}, numbers=[0.9, 0.1, odds]),
        "counting-parameters": Worked(
            {"K": K, "M": M, "T": T, "D": 2},
            numbers=[_parameters(K, 1) - K * (K - 1), _parameters(K, 1) - (K - 1),
                     _parameters(K, M) - _parameters(K, 1), K * np.tri(2).sum(), size],
        ),
        "convention-rows": Worked(numbers=[MODEL.A.sum(axis=1)[0], 1, 1, 0]),
        "convention-scales": Worked(
            {r"c_{t+1}\cdots c_T": VALUES["c_#"][t:].prod(), "c_t": VALUES["c_#"][t - 1]},
            numbers=[WHOLE / MODEL.through(t), MODEL.through(t - 1) / MODEL.through(t), -np.log(1 / 2), 10, 100],
        ),
        "quiz-count": Worked(
            {"K": 4, "M": 10},
            numbers=[4 + 4 * 4 + 4 * 10, 60, _parameters(4, 10) + 4, 1, _parameters(4, 10) + 4, _parameters(4, 10),
                     _parameters(4, 1) - 4 * 3 + 40, 43],
        ),
        "quiz-viterbi": Worked({**VALUES, **LATER}),
        "quiz-guarantee": Worked(numbers=[0, 0]),
        "quiz-true": Worked(
            {**VALUES, **LATER, **ORDER}, own={r"\sum_k\beta_1(k)=p(x_{1:T})": uneven},
            numbers=[WHOLE, 1, size, ahead.filtered[0].sum(), np.exp(whole)],
        ),
        "tf-period": Worked(numbers=[period([[0, 1], [1, 0]])]),
        "tf-path": Worked(numbers=[0]),
    }  # fmt: skip
