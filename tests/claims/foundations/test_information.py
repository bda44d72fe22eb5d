"""The quiz of the chapter *Information theory*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
import scipy.stats

from notes_lib.foundations.information import (
    conditional_entropy,
    cross_entropy,
    entropy,
    expected_length,
    huffman_lengths,
    information_gain,
    kl_divergence,
    mutual_information,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
PAIRS = np.random.default_rng(0).dirichlet(np.ones(3), size=(50, 2))  # of distributions over three outcomes
JOINTS = np.random.default_rng(1).dirichlet(np.ones(6), size=50).reshape(50, 3, 2)


def quiz_dyadic(p):
    """A source has probabilities $<p>$. What is the mean length of its best prefix code?"""
    return Numbers(
        expected_length(p, huffman_lengths(p)), [np.log2(len(p)), entropy(p), entropy(p, base=2) + 1], unit=" bits"
    )


def quiz_kl():
    r"""Which statements about $\mathrm{KL}(p \,\Vert\, q)$ are right?"""
    divergence = [kl_divergence(p, q) for p, q in PAIRS]
    shares = np.linspace(0.01, 0.99, 99)
    candidates = np.column_stack([shares, 1 - shares])
    fixed = np.full((99, 2), [0.3, 0.7])
    best = [np.argmin(measure(fixed, candidates)) for measure in (kl_divergence, cross_entropy)]
    return {
        "It is 0 only for $p = q$": min(divergence) > SMALL > max(kl_divergence(p, p) for p, _ in PAIRS),
        "It is symmetric": all(np.isclose(kl_divergence(p, q), kl_divergence(q, p)) for p, q in PAIRS),
        "It can be infinite": np.isinf(kl_divergence([0.5, 0.5], [1.0, 0.0])),
        "Minimising it over $q$ for fixed $p$ is minimising the cross-entropy": best[0] == best[1],
    }


def quiz_gain(n, yes, no, left, right):
    """Attribute A splits <n> instances (<yes> yes, <no> no) into <left> and <right>. Its information gain is"""
    counts = np.array([left, right], dtype=int)
    assert counts.sum() == n
    assert (counts.sum(axis=0) == [yes, no]).all()
    branch, label = np.repeat([0, 0, 1, 1], counts.ravel()), np.repeat([0, 1, 0, 1], counts.ravel())
    gain = information_gain(branch, label, base=2)
    idle = information_gain(np.tile([0, 1], int(n) // 2), np.repeat([0, 1], int(n) // 2), base=2)
    return Numbers(gain, [idle, gain * len(counts), gain * n], unit=" bits?")


def quiz_log_loss(q):
    r"""The predicted probability of the true class is $<q>$. The log loss of this instance is"""
    loss = lambda q, base=None: cross_entropy([1, 0], [q, 1 - q], base)
    return Numbers(loss(q), [1 - q, loss(1 - q), loss(q, base=2)], unit=" nats")


def quiz_processing():
    """$Z$ is computed from $Y$ alone, perhaps with noise. Then"""
    channels = np.random.default_rng(2).dirichlet(np.ones(4), size=(50, 2))  # p(z | y)
    cases = [(xy, xy @ channel) for xy, channel in zip(JOINTS, channels, strict=True)]
    told = [(mutual_information(xz), mutual_information(xy)) for xy, xz in cases]
    return {
        r"$I(X; Z) \leq I(X; Y)$": all(z <= y + SMALL for z, y in told),
        r"$H(Z) \leq H(Y)$ always": all(entropy(xz.sum(axis=0)) <= entropy(xy.sum(axis=0)) for xy, xz in cases),
        "$I(X; Z) = I(X; Y)$": all(np.isclose(z, y) for z, y in told),
        "$I(X; Z) = 0$": all(z < SMALL for z, _ in told),
    }


def tf_conditioning():
    """Conditioning on a particular value $X = x$ never raises the entropy of $Y$."""
    alarm = np.array([[0.01, 0.01], [0.0, 0.98]])  # rows: alarm or none; columns: fire or none
    assert all(conditional_entropy(joint) <= entropy(joint.sum(axis=0)) + SMALL for joint in [alarm, *JOINTS])
    return all(entropy(row / row.sum()) <= entropy(alarm.sum(axis=0)) + SMALL for row in alarm)


def tf_maximum(outcomes, most):
    """Among all distributions over <outcomes> outcomes none has an entropy above <most> bits."""
    rng, ones = np.random.default_rng(3), np.ones(int(outcomes))
    some = [ones / len(ones), *rng.dirichlet(ones, size=100), *rng.dirichlet(100 * ones, size=100)]
    return max(entropy(p, base=2) for p in some) <= most + SMALL


def tf_letters():
    """The entropy of single letters is the number of bits a letter that the best compressor needs for a text."""
    length = 6  # of the blocks that are coded
    changes = np.array([np.abs(np.diff(block)).sum() for block in product([0, 1], repeat=length)])

    def needs_the_entropy(same):
        """Of two letters, each is like the one before it with this probability."""
        blocks = 0.5 * (1 - same) ** changes * same ** (length - 1 - changes)
        return expected_length(blocks, huffman_lengths(blocks)) / length >= entropy([0.5, 0.5], base=2) - SMALL

    assert needs_the_entropy(0.5)
    return needs_the_entropy(0.9)


def tf_labels():
    r"""Log loss with labels in $\{-1, +1\}$ and with labels in $\{0, 1\}$ has the same minimiser."""
    x, noise = np.random.default_rng(4).normal(size=(2, 40))
    label = (x + noise > 0).astype(int)
    grid = np.linspace(-5, 5, 1001)
    scores = np.outer(grid, x)
    with_signs = np.log1p(np.exp(-(2 * label - 1) * scores)).mean(axis=1)
    q = 1 / (1 + np.exp(-scores))
    one_hot = np.column_stack([1 - label, label])
    with_bits = [cross_entropy(one_hot, np.column_stack([1 - row, row])).mean() for row in q]
    return np.argmin(with_signs) == np.argmin(with_bits) and np.allclose(with_signs, with_bits)


def tf_sample():
    """The information gain of an attribute that is independent of the label is 0 in every sample."""
    assert information_gain([0, 0, 1, 1], [0, 1, 0, 1]) < SMALL  # the population
    samples = np.random.default_rng(5).integers(2, size=(20, 2, 15))
    return all(information_gain(attribute, label) < SMALL for attribute, label in samples)


def tf_differential():
    """Differential entropy is never negative."""
    return all(scipy.stats.uniform(scale=length).entropy() >= 0 for length in (0.5, 1.0, 2.0))


test_claim = decided("foundations/information", globals())
