"""Exercises on information: SciPy's entropies, tables counted one by one, and merges by another way."""

import heapq
from collections import Counter
from itertools import product

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, softmax

from tests.formulas.chapters import values_of
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _entropy(counts):
    """In bits, of shares or counts."""
    return float(stats.entropy(np.ravel(counts), base=2))


def ex_table():
    joint = np.array([[1 / 2, 1 / 4], [0, 1 / 4]])
    x, y = joint.sum(axis=1), joint.sum(axis=0)
    both, of_x, of_y = _entropy(joint), _entropy(x), _entropy(y)
    names = [rf"p(\text{{{a}}}, \text{{{b}}})" for a, b in product(("dry", "wet"), repeat=2)]
    return Worked(
        {**dict(zip(names, joint.ravel(), strict=True)), "p(x)": x, "p(y)": y, "H(X)": of_x, "H(Y)": of_y,
         "H(X, Y)": both, r"H(Y \mid X)": both - of_x, r"H(X \mid Y)": both - of_y, "I": of_x + of_y - both,
         "h_2": At(lambda p: _entropy([p, 1 - p]))},
        numbers=[of_x + of_y - both],
        known=[np.log2(3), _entropy([1, 2])],
    )  # fmt: skip


def ex_bounds():
    v = values_of("information")
    joint = np.diag([0.2, 0.3, 0.5])  # each variable is a function of the other
    shares = joint.sum(axis=0)
    left = _entropy(joint) - _entropy(shares)
    return Worked(
        {**v, r"H(X \mid X)": left},
        own={r"H(Y \mid X) = 0": {r"H(Y \mid X)": left},
             r"0 \leq I(X; Y) \leq \min\{H(X), H(Y)\}": {**v, r"\min\{H(X), H(Y)\}": min(v["H(X)"], v["H(Y)"])}},
        numbers=[0, 0, 0],
    )  # fmt: skip


def ex_gaussians():
    means, deviations, x = np.array([0.3, 1.1]), np.array([0.8, 1.7]), 0.6
    p, q = (stats.norm(m, s) for m, s in zip(means, deviations, strict=True))
    mean_of = lambda f, law: quad(lambda x: f(x) * law.pdf(x), -np.inf, np.inf, epsabs=1e-11)[0]
    divergence = lambda a, b: mean_of(lambda x: a.logpdf(x) - b.logpdf(x), a)
    narrow, wide = stats.norm(0, deviations[0]), stats.norm(0, deviations[1])
    r = deviations[1] / deviations[0]
    one, other = divergence(narrow, wide), divergence(wide, narrow)
    gap = lambda r: divergence(stats.norm(0, r), stats.norm(0, 1)) - divergence(stats.norm(0, 1), stats.norm(0, r))
    slope = (gap(r + 1e-4) - gap(r - 1e-4)) / 2e-4
    squares = [mean_of(lambda x, m=m: (x - m) ** 2, p) for m in means]
    return Worked(
        {r"\mu_#": means, r"\sigma_#": deviations, "x": x, "r": r, r"\mathcal{N}": At(lambda m, v: (m, np.sqrt(v))),
         "p": np.array([means[0], deviations[0]]), "q": np.array([means[1], deviations[1]]),
         r"\log \frac{p}{q}": p.logpdf(x) - q.logpdf(x), r"\mathrm{KL}(p \Vert q)": divergence(p, q),
         r"\mathbb{E}(x - \mu_1)^2": squares[0], r"\mathbb{E}(x - \mu_2)^2": squares[1]},
        worlds=[{"r": 1}],
        own={r"\sigma_1 < \sigma_2": {r"\sigma_1": deviations[0], r"\sigma_2": deviations[1]}},
        numbers=[*deviations, 1, one, other, gap(r), 0, 0],
        known=[slope],
    )  # fmt: skip


def ex_tree():
    days = [("mild", "normal", "strong", 1), ("cool", "normal", "weak", 1), ("hot", "high", "weak", 0),
            ("hot", "high", "strong", 0), ("mild", "high", "weak", 0)]  # fmt: skip
    labels = [label for *_, label in days]
    whole = _entropy(list(Counter(labels).values()))

    def table(k, *values):
        """Yes and no for each value of an attribute."""
        return [[sum(d[k] == v and d[3] == label for d in days) for label in (1, 0)] for v in values]

    left = lambda counts: sum(sum(row) / 5 * _entropy(row) for row in counts)
    temperature, humidity, wind = (
        table(0, "hot", "mild", "cool"),
        table(1, "high", "normal"),
        table(2, "weak", "strong"),
    )
    return Worked(
        {"H": whole, "h_2": At(lambda p: _entropy([p, 1 - p]))},
        numbers=[
            sum(labels), 5 - sum(labels), temperature, whole - left(temperature), humidity, left(humidity),
            whole - left(humidity), wind, whole - left(wind),
        ],
        known=[_entropy(wind[0]), left(wind)],
    )  # fmt: skip


def _lengths(shares, late):
    """Sorted lengths of a Huffman code; of nodes with equal shares, merged ones come late or early."""
    heap = [(round(p, 9), 0, k, (k,)) for k, p in enumerate(shares)]
    lengths, made = [0] * len(shares), 0
    heapq.heapify(heap)
    while len(heap) > 1:
        (p, *_, a), (q, *_, b) = heapq.heappop(heap), heapq.heappop(heap)
        for k in a + b:
            lengths[k] += 1
        made += 1
        heapq.heappush(heap, (round(p + q, 9), made if late else -made, -len(a + b), a + b))
    return lengths


def ex_huffman():
    p = np.array([0.4, 0.2, 0.2, 0.1, 0.1])
    even, long = sorted(_lengths(p, late=True)), sorted(_lengths(p, late=False))
    other = [1, 3, 3, 3, 3]
    assert np.isclose(p @ other, p @ even)
    assert sum(2.0**-n for n in other) == 1
    return Worked(
        {"p": p, "L": p @ even, "H": _entropy(p)},
        numbers=[p[3] + p[4], p[1] + p[2], p[0], even, p[1], p[1] + p[3] + p[4], p[2], long, 1 / 3, other],
        known=[p @ long],
    )


def ex_die():
    faces = np.arange(1, 7)
    shares = lambda rate: softmax(-rate * faces)
    rate = brentq(lambda rate: shares(rate) @ faces - 4.5, -3, 3, xtol=1e-14)
    p = shares(rate)
    alpha = -1 - np.log(p[0]) - rate
    at, a, m = np.array([0.1, 0.3, 0.1, 0.2, 0.2, 0.3]), 0.7, -0.4  # no optimum, nor feasible
    value = at.sum() * (stats.entropy(at) - np.log(at.sum())) - a * (at.sum() - 1) - m * (at @ faces - 4.5)
    lagrangian = lambda q: -np.sum(q * np.log(q)) - alpha * (q.sum() - 1) - rate * (q @ faces - 4.5)
    slope = [(lagrangian(p + e) - lagrangian(p - e)) / 2e-5 for e in 1e-5 * np.eye(6)]
    return Worked(
        {"k": range(1, 7), "j": range(1, 7), "p_#": p, r"\alpha": alpha, r"\lambda": rate,
         r"\partial \mathcal{L} / \partial p_#": np.round(slope, 6), r"\{1, \ldots, 6\}": frozenset(faces.tolist())},
        own={
            r"\mathcal{L} = -\sum_k p_k \log p_k - \alpha (\sum_k p_k - 1) - \lambda (\sum_k k\, p_k - 4.5)":
            {"p_#": at, r"\alpha": a, r"\lambda": m, r"\mathcal{L}": value}},
        numbers=[4.5, faces, 1],
    )  # fmt: skip


def ex_softmax():
    f, c = np.array([0.4, -0.3, 1.1]), 2
    loss = lambda f: -np.log(softmax(f)[c - 1])
    slope = [(loss(f + e) - loss(f - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    two = {"f_#": f[:2], "q_#": softmax(f[:2]), "f": f[0] - f[1], r"\sigma": At(expit), "K": 2, "y": 1}
    return Worked(
        {"k": range(1, 4), "j": range(1, 4), "f_#": f, "q_#": softmax(f), "c": c, **{k: two[k] for k in ("K", "y")},
         r"\partial \ell / \partial f_#": np.round(slope, 9)},
        worlds=[two],
        numbers=[1],
    )  # fmt: skip


def cards():
    f, q = 0.7, expit(0.7)
    wrong = lambda label: -label * np.log(q) - (1 - label) * np.log(1 - q)
    signs = {"f": f, r"\sigma": At(expit), r"\tilde y": -1, "y": 0}
    coins = list(product((0, 1), repeat=2))
    different = [a != b for a, b in coins]
    gain = lambda x: 1 - sum(np.mean([u == v for u in x]) * _entropy(list(_values(x, different, v))) for v in set(x))
    apart, both = gain([a for a, _ in coins]), gain(coins)
    code = sorted(_lengths([0.9, 0.1], late=True))
    shannon = {x: int(np.ceil(np.log2(1 / p))) for x, p in ((0.9, 0.9), (0.1, 0.1))}
    dyadic = np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    lengths = sorted(_lengths(dyadic, late=True))
    K, r, c = 5, 3, 4
    questions = next(n for n in range(9) if 2**n >= K)
    losses = {u: -np.log(u) for u in (1 / 4, 3 / 4)}
    long = _lengths([1 / 3 + 1e-3, 1 / 3, 1 / 4, 1 / 12 - 1e-3], late=True)[2]
    source = [0.98, 0.01, 0.01]
    most = round(minimize_scalar(lambda p: -_entropy([p, 1 - p]), bounds=(0, 1)).x, 4)
    return {
        "lost-marks-signs": Worked(
            {**signs, r"\sigma": At(expit)},
            own={r"-\tilde y \log \sigma(f) - (1 - \tilde y) \log (1 - \sigma(f))": {r"\tilde y": 0.3}},
            numbers=[-1, 1, 0, 1, wrong(0.3), wrong(-1), -1, 1, np.logaddexp(0, f)],
        ),
        "lost-marks-questions": Worked(
            {"H": _entropy(source), "L": 0.98 + 0.02 * 2}, numbers=[_entropy(source), 1 + _entropy(source)]
        ),
        "lost-marks-risk": Worked(numbers=[0, 1]),
        "counterexample-xor": Worked(
            {"x_#": [0.3, 0.4], "I(x_1; y)": apart, "I(x_2; y)": gain([b for _, b in coins]), "I((x_1, x_2); y)": both},
            numbers=[apart, 0.3, 0.4, max(different)],
        ),
        "counterexample-shannon": Worked(
            {"p(x)": 0.1},
            numbers=[shannon[0.1], [0.9, 0.1], shannon[0.9], shannon[0.1], code, 1 / 4, long],
        ),
        "counting": Worked(
            {"K": K, "r": r, "c": c},
            numbers=[len(range(1, K)), r * c - 1, (r - 1) + (c - 1), questions, len(range(1, K))],
        ),
        "quiz-dyadic": Worked(
            {"H": dyadic @ lengths},
            numbers=[dyadic, 2, stats.entropy(dyadic), dyadic @ lengths, 2, lengths, dyadic @ lengths + 1,
                     _entropy(dyadic) + 1],
        ),
        "quiz-kl": Worked({"q_#": [0, 1], "p_#": [0.5, 0.5], "k": range(1, 2)}, numbers=[0, 0]),
        "quiz-gain": Worked(
            {"h_2": At(lambda p: _entropy([p, 1 - p]))},
            numbers=[8, 4, 4, 4, 0, 0, 4, 1 - _entropy([2, 2]), 2, 2, 2, 2, _entropy([4, 4]), _entropy([4, 0]), 2,
                     _entropy([4, 4]), 8],
        ),
        "quiz-log-loss": Worked(
            {"q": 1 / 4},
            numbers=[1 / 4, 1 - 1 / 4, 1 - 1 / 4, losses[3 / 4], losses[3 / 4], 2, 2, np.log(2), losses[1 / 4], 2],
            known=[losses[1 / 4]],
        ),
        "quiz-processing": Worked({"I(X; Z)": _entropy([1, 1]) - 1}),
        "tf-maximum": Worked(numbers=[8, _entropy(np.ones(8))]),
        "tf-labels": Worked(numbers=[sorted({2 * y - 1 for y in (0, 1)}), 0, 1]),
        "tf-sample": Worked(numbers=[0]),
        "tf-differential": Worked({"a": np.exp(-0.1)}, numbers=[1]),
        "do-not-confuse-h": Worked(numbers=[_entropy([1]), 0, 0, 0]),
        "do-not-confuse-impurity": Worked(
            {"k": range(1, 3), "p_#": [0.3, 0.7], "t": 0.4, "p": most},
            numbers=[_entropy([0.3, 0.7]), _entropy([1, 1]), 2 * 0.3 * 0.7, 2 * 0.5 * 0.5, min(0.3, 0.7), 0.5, 0,
                     1 - 0.4],
        ),
        "what-if-duplicate": Worked(numbers=[2]),
        "what-if-split": Worked(numbers=[0.5]),
        "what-if-scale": Worked(numbers=[2, 0, 0]),
        "convention-base": Worked(
            {"H": 3, r"\log_2": At(np.log2)}, numbers=[0.3, np.prod([2, 2, 2])], own={r"\log_2": {r"\log_2": 0.3}}
        ),
        "convention-zero": Worked(
            {"p": 0.4},
            numbers=[0, round(-np.log(np.finfo(float).eps))],
            unread={r"0 \log 0 = 0": "by convention", r"0 \log (0/0) = 0": "by convention",
                    r"p \log (p/0) = \infty": "a limit"},
        ),
    }  # fmt: skip


def _values(x, y, value):
    """How often y is true and false where x has a value."""
    chosen = [b for a, b in zip(x, y, strict=True) if a == value]
    return sum(chosen), len(chosen) - sum(chosen)
