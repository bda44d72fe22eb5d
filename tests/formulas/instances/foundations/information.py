"""Information: two distributions, a joint table, codes, columns of a sample, and the losses of a prediction."""

import math

import numpy as np
from scipy import stats
from scipy.special import expit, rel_entr

from notes_lib.foundations.evaluation import log_loss
from notes_lib.foundations.information import (
    conditional_entropy,
    cross_entropy,
    entropy,
    expected_length,
    huffman_lengths,
    information_content,
    information_gain,
    joint_distribution,
    kl_divergence,
    kraft_sum,
    mutual_information,
    shannon_lengths,
)
from tests.formulas.values import At, Instance

LEAST = 100, 94
UNREAD = {
    "information-must-know-entropy:3": "a convention",
}
CONDITIONS = {
    "information-must-know-kl:3",  # where the divergence is 0
    "information-must-know-kl:5",  # what to put into the inequality of the proof
    "information-must-know-kl:6",  # where it is infinite
}
COPIED = {"information-units": "a unit in terms of another"}


def of_a_table(rng):
    """Two dependent variables with values 1 to 3 and 1 to 4, and Z, which Y passes on with errors."""
    joint = rng.dirichlet(np.ones(12)).reshape(3, 4)
    of_x, of_y = joint.sum(axis=1), joint.sum(axis=0)
    passed_on = joint @ rng.dirichlet(np.ones(4), 4)
    rows = joint / of_x[:, None]
    return {
        "x": range(1, 4), "y": range(1, 5), "p(x)": At(lambda x: of_x[x - 1], "x"),
        "p(y)": At(lambda y: of_y[y - 1], "y"),
        "p(x, y)": At(lambda x, y: joint[x - 1, y - 1], "x", "y"),
        r"p(y \mid x)": At(lambda x, y: rows[x - 1, y - 1], "x", "y"), "H(X)": entropy(of_x), "H(Y)": entropy(of_y),
        "H(X, Y)": entropy(joint.ravel()), r"H(Y \mid X)": conditional_entropy(joint),
        r"H(X \mid Y)": conditional_entropy(joint.T), r"H(Y \mid X = x)": At(lambda x: entropy(rows[x - 1]), "x"),
        "I(X; Y)": mutual_information(joint), "I(X; Z)": mutual_information(passed_on),
        r"\mathrm{KL}(p(x, y) \Vert p(x) p(y))": rel_entr(joint, np.outer(of_x, of_y)).sum(),
        "i(x)": At(lambda x: information_content(of_x)[x - 1], "x"),
    }  # fmt: skip


def of_a_sample(rng, K, q):
    """Columns of 20 rows: a feature with three values and a class, and the library's frequencies and gain."""
    N = 20
    x, y = rng.integers(1, 4, N), rng.integers(1, K + 1, N)
    x[:3], y[:K] = [1, 2, 3], range(1, K + 1)
    frequencies = joint_distribution(x, y)
    classes = np.bincount(y)[1:]
    return {
        "n": range(1, N + 1), "v": range(1, 4), "c": range(1, K + 1), "k": range(1, K + 1), "N": N, "x_#": x, "y_#": y,
        r"\hat p(v, c)": At(lambda v, c: frequencies[v - 1, c - 1], "v", "c"), "G(x)": information_gain(x, y),
        r"H(\hat Y)": stats.entropy(classes), "N_#": classes, r"\hat p": classes / N, "q": q, "q_#": q,
        r"H(\hat Y \mid x = v)": At(lambda v: stats.entropy(np.bincount(y[x == v])), "v"),
    }, {"N_#": np.bincount(x)[1:]}  # fmt: skip


def of_a_prediction(rng, K):
    """Probabilities of K classes at each of six points, and the library's loss of each."""
    P, y = rng.dirichlet(np.ones(K), 6), rng.integers(1, K + 1, 6)
    at = lambda x: P[round(x)]
    return {
        "n": range(1, 7), "y_#": y, r"\mathbf{x}_#": np.arange(6), r"\mathbf{e}_#": np.eye(K), "q": At(at),
        "q_#": [At(lambda x, k=k: at(x)[k]) for k in range(K)],
        r"\ell_#": np.array([log_loss([c], [p], labels=range(1, K + 1)) for c, p in zip(y, P, strict=True)]),
    }  # fmt: skip


def instance(seed):
    """The first distribution of the first instance is uniform, so that the bounds are reached."""
    rng = np.random.default_rng(seed)
    K = 4
    p, q = rng.dirichlet(np.ones(K), 2)
    p = p if seed else np.full(K, 1 / K)
    t = rng.uniform(0.2, 0.8)
    table, (sample, by_feature), prediction = of_a_table(rng), of_a_sample(rng, K, q), of_a_prediction(rng, K)
    lengths, shannon = huffman_lengths(q), shannon_lengths(q)
    pairs = np.outer(q, q).ravel()
    sigma, y, f = rng.uniform(0.5, 2), seed % 2, rng.normal()
    other = stats.laplace(scale=sigma / math.sqrt(2)) if seed else stats.norm(scale=sigma)
    loss = lambda f: -stats.bernoulli.logpmf(y, expit(f))
    values = {
        **table, "k": range(1, K + 1), "K": K, "p": p, "q": q, "p_#": p, "q_#": q, "t": t,
        r"\bar p": t * p + (1 - t) * q,
        "H": At(lambda p, q=None: entropy(p) if q is None else cross_entropy(p, q)), r"\mathrm{KL}": At(kl_divergence),
        "h_2": At(lambda t: entropy([t, 1 - t])),
        r"\text{ bit}": math.log(2), r"\text{ nats}": 1.0, r"H_{\text{bits}}": entropy(p, base=2),
        r"H_{\text{nats}}": entropy(p), "h(p)": float(other.entropy()), r"\sigma^2": sigma**2,
        r"h(\mathcal{N}(\mu, \sigma^2))": float(stats.norm(scale=sigma).entropy()),
    }  # fmt: skip
    coded = {"p_#": q, "b_#": lengths, "L": expected_length(q, lengths), "H": entropy(q, base=2)}
    blocks = {"m": 2, "L_m": expected_length(pairs, huffman_lengths(pairs)), "H": entropy(q, base=2)}
    binary = {r"\sigma": At(expit), "f": f, "y": y, r"\tilde y": 2 * y - 1, r"\ell": At(loss, "f")}
    student = stats.t(df=5, scale=sigma)
    density = {"x": 0.0, "p(x)": At(lambda x: float(student.pdf(x)), "x"), "h(p)": float(student.entropy())}
    card = "information-must-know-"
    by_problem = [
        (coded, f"information-length information-source-coding {card}codes:2"),
        (coded | {"b_#": shannon}, f"information-kraft information-shannon-lengths {card}codes:1 {card}codes:3"),
        (blocks, "information-blocks"),
        (sample, "information-joint-frequencies information-likelihood"),
        (sample | by_feature, f"information-gain {card}mutual:3"), (prediction, "information-log-loss"),
        (binary, "information-log-loss-binary information-log-loss-signs information-log-loss-slope"),
        (binary, f"{card}log-loss"), (density, "information-differential"),
        ({"H(X)": entropy(p), r"\mathbb{E}i(X)": float(p @ information_content(p))}, "information-entropy"),
    ]  # fmt: skip
    own = {key: problem for problem, keys in by_problem for key in keys.split()}
    worth = {
        "information-kraft": {0: kraft_sum(shannon)}, f"{card}codes:1": {0: kraft_sum(shannon)},
        "information-gaussian": {0: float(other.entropy())},
        f"{card}mutual:2": table["I(X; Y)"], f"{card}log-loss:1": loss(f), f"{card}log-loss:2": loss(f),
        f"{card}log-loss:3": (loss(f + 1e-6) - loss(f - 1e-6)) / 2e-6,
    }  # fmt: skip
    return Instance(values, own, worth)
