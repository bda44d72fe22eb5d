"""Exercises on naive Bayes: posteriors of the library on the data of the tasks, densities and tables of SciPy."""

import numpy as np
from scipy.special import expit, gammaln
from scipy.stats import beta, dirichlet, norm

from notes_lib.bayes.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    gaussian_log_odds,
    parameter_count,
    smoothed,
)
from tests.solutions.ledger import Worked

PAIR = {"x_#": [0.3, 0.7]}  # where only the name of a pair stands


def ex_lagrange():
    counts = np.array([[[3, 1, 2], [2, 2, 2]], [[1, 4, 4], [3, 5, 1]]])  # by class, feature, value
    N_k = counts[:, 0].sum(axis=1)
    theta, pi = smoothed(counts, 0.0), smoothed(N_k, 0.0)
    slope = np.imag(counts * np.log(theta + 1e-30j)) / 1e-30 - N_k[:, None, None]  # of the Lagrangian
    return Worked(
        {"k": range(1, 3), "j": range(1, 3), "s": range(1, 4), r"\pi_#": pi, r"\theta_{###}": theta,
         r"\partial\mathcal{L}/\partial\theta_{###}": slope, "N_{###}": counts, "N_#": N_k, "N": N_k.sum(),
         r"\lambda_{##}": np.stack([N_k, N_k], axis=1), r"\lambda_#": {0: N_k.sum()}},
    )  # fmt: skip


def ex_table():
    colours, large = [[3, 1, 0], [1, 3, 2]], [2, 5]
    sizes = [4, 6]
    X = np.array([[c, 0] for row in colours for c, count in enumerate(row) for _ in range(count)])
    y = np.repeat([0, 1], sizes)
    for k in (0, 1):
        X[np.flatnonzero(y == k)[: large[k]], 1] = 1
    green = [2, 1]
    plain, model = CategoricalNB(alpha=0.0).fit(X, y), CategoricalNB(alpha=1.0).fit(X, y)
    colour = CategoricalNB(alpha=1.0).fit(X[:, :1], y)
    joint = lambda *tables: np.prod([smoothed(np.array(t), 1.0)[:, -1] for t in tables], axis=0) * sizes / 10
    small = [[size - of, of] for size, of in zip(sizes, large, strict=True)]
    both, one = joint(colours, small), joint(colours)
    return Worked(
        {r"\alpha": 1, r"p(\text{green}\mid A)": smoothed(np.array(colours), 0.0)[0, 2]},
        numbers=[sizes[0], colours[0][:2], large[0], sizes[1], colours[1], large[1], plain.predict_proba([green])[0, 0],
                 both.sum(), model.predict_proba([green])[0, 0], colour.predict_proba([green[:1]])[0, 0]],
        known=[both, one],
    )  # fmt: skip


def ex_logistic():
    means, spread, other = np.array([[0.2, 1.0], [1.1, -0.4]]), np.array([0.7, 1.3]), np.array([[0.7, 1.3], [1.2, 0.9]])
    prior, x = np.array([0.6, 0.4]), np.array([0.8, 0.3])
    density = norm(means, spread).pdf(x)
    joint = prior * density.prod(axis=1)
    odds = gaussian_log_odds(means, [spread**2] * 2, prior)
    bent = gaussian_log_odds(means, other**2, prior)
    unequal = {r"\sigma_{##}": other, "a_#": bent.quadratic, "j": range(1, 3), "x_#": x}
    return Worked(
        {"k": range(1, 3), "j": range(1, 3), r"\sigma_{##}": [spread, spread], r"\sigma_#": spread, r"\mu_{##}": means,
         "x_#": x, r"\pi_#": prior, r"p(#\mid\mathbf{x})": joint / joint.sum(), r"\delta_#": np.log(joint),
         r"p(x_#\mid #)": density.T, "w_#": odds.linear, "b": odds.constant},
        own={"a_jx_j^2": unequal, r"a_j=1/(2\sigma_{1j}^2)-1/(2\sigma_{2j}^2)": unequal},
        numbers=[expit(odds.linear @ x + odds.constant), x**2, bent.quadratic * x**2],
    )  # fmt: skip


def ex_copy():
    p = np.array([[0.8, 0.1], [0.4, 0.3]])
    first, copied = p.prod(axis=1), p[:, [0, 1, 0]].prod(axis=1)
    return Worked(
        {r"p(x_#=1\mid A)": p[0], r"p(x_#=1\mid B)": p[1], "x_#": [1, 1]},
        numbers=[[1, 1], 1, 1 / 3, (first / first.sum())[0], copied, (copied / copied.sum())[0]],
    )


def ex_dirichlet():
    counts, alpha, theta = np.array([4, 1, 3]), 1.7, np.array([0.5, 0.2, 0.3])
    law = dirichlet(counts + alpha)
    constant = gammaln(counts + alpha).sum() - gammaln((counts + alpha).sum())
    N, S, share = counts.sum(), 3, counts / counts.sum()
    u = float(np.polyfit(share - 1 / S, law.mean() - 1 / S, 1)[0])  # the slope is the weight of the share
    return Worked(
        {"s": range(1, S + 1), "S": S, "N": N, "N_#": counts, r"\theta_#": theta, r"\alpha": alpha, "u": u},
        own={r"\alpha\to0": {r"\alpha": 1e-9}},
        numbers=[
            alpha * S / (N + alpha * S),
            law.pdf(theta) * np.exp(constant),
            law.mean(),
            law.mean().sum(),
            1,
            alpha + 1,
        ],
    )


def ex_joint():
    A, B = np.array([[1, 1], [1, 1], [0, 0], [0, 0]]), np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    model = BernoulliNB(alpha=0.0).fit(np.vstack([A, B]), np.repeat([0, 1], 4))
    table = lambda x: np.array([np.mean((rows == x).all(axis=1)) / 2 for rows in (A, B)])
    asked = [[1, 1], [0, 1]]
    shares = [table(x)[0] / table(x).sum() for x in asked]
    naive = model.predict_proba(asked)[:, 0]
    assert np.isclose(*naive)
    return Worked(
        PAIR,
        numbers=[PAIR["x_#"], A, B, asked, 200, asked[0], shares[0], asked[1], table(asked[1]), shares[1],
                 A.mean(axis=0)[0], naive[0], 2**12, 200],
        known=[parameter_count(2, [2, 2])],
    )  # fmt: skip


def ex_hidden():
    X = np.array([[1, 1], [1, 1], [1, 0], [0, 0]])
    start = np.array([3 / 4, 1 / 4])
    joint = np.array([np.where(X, p, 1 - p).prod(axis=1) for p in start])  # the priors are equal
    weight = joint / joint.sum(axis=0)
    prior = weight.mean(axis=1)
    phi = np.array([np.average(X, axis=0, weights=w) for w in weight])
    texts = [value for n in (0, 2) for value in (X[n], joint[:, n], weight[0, n])]
    return Worked(
        {**PAIR, "j": range(1, 3), r"\pi_A": prior[0], r"\pi_B": prior[1], r"\phi_{A#}": phi[0], r"\phi_{B#}": phi[1]},
        worlds=[{r"\pi_A": 1 / 2, r"\pi_B": 1 / 2, r"\phi_{A#}": start[[0, 0]], r"\phi_{B#}": start[[1, 1]]}],
        numbers=[PAIR["x_#"], X, phi[0], phi[1, 0], texts, X[3], weight[0, 3], 0, 1],
        known=[weight.sum(axis=1)],
    )


def ex_compare():
    words = 1000
    presence, table = parameter_count(2, [2] * words)
    return Worked(numbers=[2, words, 300, float(table), words + 1], known=[presence, 1 + 2 * (words - 1), words - 1])


def ex_mixed():
    A, B = np.array([10.0, 10, 14, 14]), np.array([14.0, 14, 22, 22])
    wind = smoothed(np.array([[1, 3], [3, 1]]), 1.0)[:, 1]
    at = 16

    def terms(ddof):
        """What wind, width and place add to the log-odds of B."""
        parts = [[np.log(w), -np.log(x.std(ddof=ddof)), -((at - x.mean()) ** 2) / (2 * x.var(ddof=ddof))]
                 for w, x in zip(wind, (A, B), strict=True)]  # fmt: skip
        return np.diff(parts, axis=0)[0]

    model = GaussianNB(var_smoothing=0.0).fit(np.r_[A, B][:, None], np.repeat([0, 1], 4))
    odds = np.diff(np.log(model.predict_proba([[at]])[0] * wind))[0]
    assert np.isclose(odds, terms(0).sum())
    places = [-((at - x.mean()) ** 2) / (2 * x.var(ddof=1)) for x in (B, A)]
    return Worked(
        {r"\alpha": 1, "N_k": 4, r"\delta_B": odds, r"\delta_A": 0.0},
        numbers=[A, B, at, 3, A.mean(), B.mean(), np.exp(np.log(2) + np.log(np.pi)), A.var(ddof=1), B.var(ddof=1),
                 places[0] - places[1], terms(1).sum(), expit(terms(1).sum())],
        known=[terms(0), places, odds, expit(odds), -((at - B.mean()) ** 2) / (2 * B.var())],
    )  # fmt: skip


def cards():
    K, D, S = 3, 4, [2, 3, 4, 2]
    sizes = {"K": K, "D": D, "S_#": S, "j": range(1, D + 1)}
    naive, full = parameter_count(K, S)
    present, phi = beta(2, 5).mean(), {r"\phi_{kj}": 2 / 7}
    quiz, table = parameter_count(3, [4] * 5)
    counts = np.array([3, 1, 0])
    rates = gaussian_log_odds([[0.0], [1.0]], [[1.0], [4.0]], [0.5, 0.5]).quadratic
    flat = dirichlet([1, 1, 1])
    unseen = [0, smoothed(counts, 0.0)[2]]
    return {
        "lost-marks-prior": Worked(numbers=[2, 0.1]),
        "lost-marks-denominator": Worked(
            {"N_{kjs}": counts[0], "N_k": counts.sum()},
            numbers=[(counts[0] + 1) / (counts.sum() + 1), smoothed(counts, 1.0).sum(), counts.sum() + 1 + 1],
        ),
        "lost-marks-evidence": Worked(numbers=[1]),
        "lost-marks-absent": Worked(phi, numbers=[1 - present]),
        "lost-marks-sure": Worked(numbers=[0.999]),
        "do-not-confuse-words": Worked(
            {**sizes, **phi}, numbers=[1 - present, 1, _of_words(K, D), parameter_count(K, [2] * D)[0]]
        ),
        "what-if-rows": Worked({r"\alpha": 0}, own={r"\alpha>0": {r"\alpha": 1}}, numbers=[2, 0, 2]),
        "what-if-units": Worked({r"\varepsilon": 0}),
        "counterexample-optimal": Worked({"x_#": [1, 1]}, numbers=[1, 1, np.log(0.8 * 0.8) / np.log(0.8)]),
        "counting-parameters": Worked(
            sizes, numbers=[K - 1, naive - (K - 1), np.zeros((K, D, 2)).size, full]
        ),
        "convention-smoothing": Worked(
            {r"\alpha": 1, "N_k": counts.sum()}, worlds=[{r"\alpha": 0}], numbers=[counts.sum() - 1]
        ),
        "quiz-count": Worked(
            numbers=[quiz + 3 * 5, quiz + 3 * 5, smoothed(counts, 1.0).sum(), quiz, quiz, table, quiz - 2]
        ),
        "quiz-zero": Worked({r"\alpha": 0}, numbers=[unseen, unseen, 1]),
        "quiz-gaussian": Worked({"a_j": rates[0], "x_j": 1.3}, numbers=[0, 1.3**2]),
        "tf-uniform": Worked(
            {r"\mathrm{Dirichlet}(1,\ldots,1)": flat.pdf([0.2, 0.3, 0.5])}, numbers=[flat.pdf([0.6, 0.3, 0.1])]
        ),
        "tf-missing": Worked(numbers=[smoothed(counts, 1.0).sum()]),
    }  # fmt: skip


def _of_words(K, D):
    """Free parameters of the multinomial model: one feature that is a word."""
    return parameter_count(K, [D])[0]
