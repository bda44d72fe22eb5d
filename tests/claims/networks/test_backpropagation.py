"""The quiz of the chapter *Backpropagation*, decided: see ``tests/claims/deciding.py``."""

import time

import numpy as np

from notes_lib.networks.backpropagation import (
    Adam,
    Tensor,
    activate,
    backward,
    convolution_parameters,
    convolve,
    forward,
    initial_weights,
    output_delta,
)
from notes_lib.numerics import central_difference
from tests.claims.deciding import Numbers, decided


def quiz_count(inputs, hidden, outputs):
    """A network has <inputs> inputs, <hidden> hidden units and <outputs> outputs, all with biases.
    It has how many parameters?"""
    sizes = [int(inputs), int(hidden), int(outputs)]
    coefs, intercepts = initial_weights(sizes, 0)
    weights, biases = (sum(a.size for a in part) for part in (coefs, intercepts))
    return Numbers(weights + biases, [weights, np.prod(sizes), weights + biases + inputs])


def quiz_output(a, y):
    """A logistic output is <a>, the label is <y>, the loss is the cross-entropy. The blame of the output is"""
    z = np.log(a / (1 - a))
    loss = lambda v: -np.log(activate(v, "logistic") if y else 1 - activate(v, "logistic")).sum()
    right = central_difference(loss, np.array([z]))[0]
    squared = lambda v: ((activate(v, "logistic") - y) ** 2 / 2).sum()
    return Numbers(
        round(right, 6), [-round(right, 6), round(central_difference(squared, np.array([z]))[0], 6), round(loss(z), 3)]
    )


def quiz_hidden(a, w, d):
    r"""A hidden $\tanh$ unit has the activation <a>; its only way leads with the weight <w> to
    an output with the blame <d>. Its own blame is"""
    z = np.arctanh(a)
    right = central_difference(lambda v: (d * w * np.tanh(v)).sum(), np.array([z]))[0]
    return Numbers(round(right, 6), [w * d, w * d * a, w * d * a * (1 - a)])


def quiz_size(k, k2, h, h2, stride):
    r"""A window of $<k>\times<k2>$ moves over $<h>\times<h2>$ pixels with stride <stride> and without
    padding. The side of the result is"""
    k, h, stride = int(k), int(h), int(stride)
    side = lambda step, padding=0: len(convolve(np.zeros((h, h)), np.ones((k, k)), step, padding))
    return Numbers(side(stride), [side(k), side(1), side(stride, 1)])


def _trained():
    """Weights, biases and inputs of a network with one hidden layer."""
    rng = np.random.default_rng(0)
    coefs, intercepts = initial_weights([3, 4, 2], 0, "tanh")
    return rng.normal(size=(20, 3)), coefs, intercepts


def quiz_symmetry():
    r"""Which of these leave the output of a trained network with one hidden $\tanh$ layer unchanged? (Mark all.)"""
    X, (V, W), (b, c) = _trained()
    out = forward(X, [V, W], [b, c], "tanh")[-1]
    same = lambda V, W, b, c: np.allclose(forward(X, [V, W], [b, c], "tanh")[-1], out)
    order, sign, scale = [1, 0, 2, 3], np.array([-1, 1, 1, 1]), np.array([2, 1, 1, 1])
    return {
        "two hidden units change places, with all their weights": same(V[:, order], W[order], b[order], c),
        "all weights and the bias of one hidden unit change sign, in and out": same(
            V * sign, (W.T * sign).T, b * sign, c
        ),
        "all weights into one hidden unit are doubled, those out of it halved": same(
            V * scale, (W.T / scale).T, b * scale, c
        ),
        "all weights of the network change sign": same(-V, -W, b, c),
    }


def _first_gradient(V, W, b, c, activation="tanh", rows=slice(None)):
    """Size of the gradient by the first weights."""
    X = _trained()[0][rows]
    A = forward(X, [V, W], [b, c], activation)
    return np.abs(backward(A, output_delta(A[-1], np.ones(A[-1].shape)), [V, W], activation).coefs[0]).max()


def quiz_silent():
    """In which cases does the first layer get no gradient at all? (Mark all.)"""
    _, (V, W), (b, c) = _trained()
    return {
        "all weights behind it are 0": _first_gradient(V, 0 * W, b, c) == 0,
        "every hidden rectified unit is negative for every instance": _first_gradient(V, W, b - 50, c, "relu") == 0,
        r"all first weights are 0, the others random, $\tanh$": _first_gradient(0 * V, W, b, c) == 0,
        "every second instance is left out": _first_gradient(V, W, b, c, rows=slice(None, None, 2)) == 0,
    }


def tf_cost():
    """All derivatives together cost about as many forward passes as there are weights."""
    X = np.random.default_rng(0).normal(size=(500, 50))
    coefs, intercepts = initial_weights([50, 60, 10], 0)
    count = sum(W.size for W in coefs)

    def seconds(work):
        best = np.inf
        for _ in range(5):
            start = time.process_time()
            for _ in range(10):
                work()
            best = min(best, time.process_time() - start)
        return best

    A = forward(X, coefs, intercepts)
    once = seconds(lambda: forward(X, coefs, intercepts))
    back = seconds(lambda: backward(A, A[-1], coefs))
    assert back > 0
    return back > count / 10 * once


def tf_linear():
    """Without activation functions, a deep network computes a linear function."""
    X = np.random.default_rng(0).normal(size=(30, 3))
    weights = initial_weights([3, 8, 8, 2], 1)
    f = lambda X, g: forward(X, *weights, g)[-1] - forward(0 * X, *weights, g)[-1]
    linear = lambda g: np.allclose(f(2 * X[:15] - 3 * X[15:], g), 2 * f(X[:15], g) - 3 * f(X[15:], g))
    assert not linear("tanh")
    return linear("identity")


def tf_adam(large, small):
    """The first step of Adam has the same length for a gradient of <large> and for one of <small>."""
    w = np.zeros(2)
    Adam(0.1).step(w, np.array([large, small]))
    return np.allclose(w[0], w[1], rtol=1e-4)


def tf_image():
    """A convolution has more parameters for a larger image."""
    counts, outputs = set(), []
    for h in (8, 16, 32):
        kernel = Tensor(np.ones((3, 3)))
        outputs.append(convolve(np.ones((h, h)), kernel.value).size)
        counts.add(kernel.value.size + 1)
    assert counts == {convolution_parameters(3, 1, 1)}
    assert outputs == sorted(set(outputs))
    return len(counts) > 1


test_claim = decided("networks/backpropagation", globals())
