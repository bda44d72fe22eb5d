"""Drills on networks: forward, backward, counting, a convolution, Adam, the variance of a start."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, products, row, short
from notes_lib.foundations.descent import adam_step
from notes_lib.networks.backpropagation import (
    backward,
    convolution_parameters,
    convolve,
    count_parameters,
    forward,
    he_variance,
    layer_deltas,
    max_pool,
    network_loss,
    output_delta,
    output_size,
    xavier_variance,
)

_ROWS, _FLIP = "backpropagation-convention-rows", "backpropagation-convention-flip"
_TWICE, _DESCENT = "backpropagation-lost-marks-twice", "backpropagation-do-not-confuse-descent"
_ADAM, _ZERO = "backpropagation-lost-marks-adam", "backpropagation-lost-marks-zero"
_BIASED = "That steps with the biased means; divide them first by $1-\\beta^t$."


def _tidy(value: float) -> float:
    """A decimal without the last bits of rounding."""
    return round(float(value), 10) + 0.0


@drill("forward-pass", marks=8, minutes=8, title="Forward pass through two hidden units")
def forward_pass(rng: np.random.Generator) -> Parts:
    """Two inputs, two rectified units, one logistic output, its cross-entropy."""
    while True:
        x, y = rng.integers(-2, 4, size=2), int(rng.integers(2))
        W1, b1 = rng.integers(-2, 3, size=(2, 2)), rng.integers(-2, 3, size=2)
        w2, b2 = rng.integers(-2, 3, size=2), int(rng.integers(-1, 2))
        z1 = x @ W1 + b1
        z2 = int(np.maximum(z1, 0) @ w2 + b2)
        if x.all() and W1.all() and w2.all() and z1.any() and z1.max() > 0 and 0 < abs(z2) <= 3:
            break
    A = forward([x], [W1, w2[:, None]], [b1, [b2]], "relu", "logistic")
    a1, p = A[1][0].astype(int), float(A[2][0, 0])
    loss = network_loss(A[2], [[y]], (), "log_loss")
    statement = "\n\n".join(
        [
            "A network has two inputs, two rectified hidden units, for which a negative $z$ becomes $0$, and one "
            f"logistic output $p$. Column $j$ of $W_1={matrix(W1)}$ leads to hidden unit $j$, with the biases "
            f"${row(b1)}$. The output has the weights ${row(w2)}$ and the bias ${b2}$.",
            f"The input is $x={row(x)}$, its label ${y}$.",
            "1. Compute the pre-activations and the activations of the hidden units (4 marks).",
            "2. Compute the pre-activation of the output and $p$ (3 marks).",
            "3. Compute the cross-entropy of this instance (1 mark).",
            "Fill in:",
            table([["1", "", ""], ["2", "", ""]], ["hidden unit", "$z$", "$a$"]).markdown,
        ]
    )
    answer = {"z": z1.tolist(), "a": a1.tolist(), "out": z2, "p": p, "loss": loss}
    given = {
        "x": x.tolist(), "y": y, "W1": W1.tolist(), "b1": b1.tolist(), "w2": w2.tolist(), "b2": b2,
    }  # fmt: skip
    fields = [
        ask.vector(
            "z",
            "$z$ of the hidden units",
            1,
            2,
            titles=["unit 1", "unit 2"],
            whole=True,
            slips=[
                ask.slip(
                    W1 @ x + b1, "That takes the rows of $W_1$; here its columns lead to the hidden units.", card=_ROWS
                )
            ],
        ),
        ask.vector(
            "a",
            "$a$ of the hidden units",
            1,
            2,
            titles=["unit 1", "unit 2"],
            whole=True,
            follows=[f"max(0, z[{j}])" for j in range(2)],
        ),
        ask.number(
            "out",
            "$z$ of the output",
            2,
            2,
            whole=True,
            follows=f"a[0]*{bracket(w2[0])} + a[1]*{bracket(w2[1])} + {b2}",
        ),
        ask.number(
            "p",
            "$p$",
            2,
            follows="1 / (1 + exp(-out))",
            slips=[
                ask.slip(
                    1 - p, "That is the probability of label 0; the sign in the exponent is turned round.", card=_TWICE
                )
            ],
        ),
        ask.number(
            "loss",
            "cross-entropy",
            3,
            digits=3,
            carried=1,
            follows="-ln(p)" if y else "-ln(1 - p)",
            slips=[
                ask.slip(
                    float(-np.log(1 - p) if y else -np.log(p)),
                    "That is the loss of the other label; take the probability of the label that was given.",
                    card="backpropagation-convention-half",
                )
            ],
        ),
    ]
    hidden = [[str(j + 1), f"${products(x, W1[:, j])} + {bracket(b1[j])} = {z1[j]}$", f"${a1[j]}$"] for j in range(2)]
    lines = [
        "**Hidden units:** a negative pre-activation becomes 0.",
        table(hidden, ["hidden unit", "$z$", "$a$"]).markdown,
        f"**Output:** $z = {products(a1, w2)} + {bracket(b2)} = {z2}$, so "
        f"$p = \\tfrac{{1}}{{1+e^{{{-z2}}}}} \\approx {sig(p)}$.",
        f"**Cross-entropy:** minus the logarithm of the probability of label ${y}$, "
        + (f"$\\ln(1+e^{{{-z2}}})" if y else f"$\\ln(1+e^{{{z2}}})")
        + f" \\approx {sig(loss)}$.",
        "Marks: 2 for the pre-activations, 2 for the activations, 2 for the output's $z$, 1 for $p$, 1 for the "
        "cross-entropy.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("backward-pass", marks=12, minutes=12, title="Backward pass through two hidden units")
def backward_pass(rng: np.random.Generator) -> Parts:
    """From activations to both layers' gradients, and one step of two weights."""
    while True:
        x = rng.choice([-2, -1, 1, 2, 3], size=2)
        a = rng.choice([-8, -6, -5, -4, -2, 2, 4, 5, 6, 8], size=2, replace=False) / 10
        w2 = rng.choice([-3, -2, -1, 1, 2, 3], size=2)
        p, y = int(rng.integers(1, 10)) / 10, int(rng.integers(2))
        if abs(p - y) > 0.15:
            break
    rate = 0.5
    A = [np.array([x], dtype=float), np.array([a]), np.array([[p]])]
    W = [np.zeros((2, 2)), w2[:, None].astype(float)]
    delta = output_delta(A[2], [[y]], "logistic")
    deltas = layer_deltas(A, delta, W, "tanh")
    g = backward(A, delta, W, "tanh")
    d2, d1 = _tidy(delta[0, 0]), [_tidy(d) for d in deltas[0][0]]
    g2 = [_tidy(v) for v in g.coefs[1][:, 0]]
    g1 = [[_tidy(v) for v in line] for line in g.coefs[0]]
    new = [_tidy(w - rate * v) for w, v in zip(w2, g2, strict=True)]
    statement = "\n\n".join(
        [
            "A network has two inputs, two hidden units with $\\tanh$ and one logistic output, trained with the "
            f"cross-entropy. For the input $x={row(x)}$ with label ${y}$ the forward pass gave the hidden activations "
            f"$a={row(a, short)}$ and the output $p={short(p)}$. The output's weights are $w={row(w2)}$.",
            "1. Give the output's delta, the derivative of the loss by its pre-activation (1 mark).",
            "2. Give the derivatives by the two output weights and by the output's bias (3 marks).",
            "3. Give the deltas of the hidden units (4 marks).",
            "4. Give the derivatives by the four weights of the first layer, one row for each input (2 marks).",
            f"5. Take one step of gradient descent with the learning rate ${short(rate)}$ in the two output weights "
            "(2 marks).",
        ]
    )
    answer = {"delta": d2, "outer": g2, "bias": d2, "hidden": d1, "inner": g1, "new": new}
    given = {"x": x.tolist(), "a": a.tolist(), "w": w2.tolist(), "p": p, "y": y, "rate": rate}
    fields = [
        ask.number(
            "delta",
            "delta of the output",
            1,
            slips=[
                ask.slip(-d2, "The sign is turned round: delta is prediction minus label.", card=_DESCENT),
                ask.slip(
                    d2 * p * (1 - p), "That has the slope $p(1-p)$, which the cross-entropy cancels.", card=_TWICE
                ),
            ],
        ),
        ask.vector(
            "outer",
            "by the output weights",
            2,
            2,
            titles=["unit 1", "unit 2"],
            follows=[f"delta*{bracket(v)}" for v in a],
        ),
        ask.number("bias", "by the output's bias", 2, follows="delta"),
        ask.vector(
            "hidden",
            "deltas of the hidden units",
            3,
            4,
            titles=["unit 1", "unit 2"],
            follows=[f"delta*{bracket(w)}*{1 - v * v}" for w, v in zip(w2, a, strict=True)],
            slips=[
                ask.slip(
                    d2 * w2, "The slope is missing: multiply by $1 - a^2$.", card="backpropagation-lost-marks-slope"
                ),
                ask.slip(
                    d2 * w2 * (1 - np.tanh(a) ** 2),
                    "That applies $\\tanh$ twice: $a$ is $\\tanh(z)$ already, so the slope is $1 - a^2$.",
                    card=_TWICE,
                ),
                ask.slip(
                    d2 * np.array(new) * (1 - a**2),
                    "That uses the new weights; all derivatives belong to the old ones.",
                    card="backpropagation-lost-marks-early",
                ),
            ],
        ),
        ask.matrix(
            "inner",
            "by the first weights",
            4,
            2,
            rows=["input 1", "input 2"],
            columns=["unit 1", "unit 2"],
            follows=[[f"{bracket(v)}*hidden[{j}]" for j in range(2)] for v in x],
            slips=[ask.slip(np.transpose(g1), "Rows and columns are exchanged: one row for each input.", card=_ROWS)],
        ),
        ask.vector(
            "new",
            "new output weights",
            5,
            2,
            titles=["unit 1", "unit 2"],
            follows=[f"{w} - {rate}*outer[{j}]" for j, w in enumerate(w2)],
            slips=[ask.slip(w2 + rate * np.array(g2), "That steps uphill; subtract the gradient.", card=_DESCENT)],
        ),
    ]
    slope = [f"(1-{bracket(v, short)}^2)" for v in a]
    lines = [
        f"**Output:** prediction minus label, ${short(p)}-{y}={short(d2)}$.",
        "**Output weights:** delta times what came in, "
        + ", ".join(
            f"${bracket(d2, short)} \\cdot {bracket(v, short)}={short(r)}$" for v, r in zip(a, g2, strict=True)
        )
        + f"; the bias has ${short(d2)}$.",
        "**Hidden deltas:** delta times the weight on the way, times the slope $1-a^2$: "
        + ", ".join(
            f"${bracket(d2, short)} \\cdot {bracket(w, short)} \\cdot {s}={_long(r)}$"
            for w, s, r in zip(w2, slope, d1, strict=True)
        )
        + ".",
        "**First layer:** input times hidden delta.",
        table(
            [
                [f"input {i + 1}", *(f"${bracket(x[i])} \\cdot {_factor(d)}={_long(r)}$"
                                     for d, r in zip(d1, g1[i], strict=True))]
                for i in range(2)
            ],
            ["", "unit 1", "unit 2"],
        ).markdown,
        "**Step:** "
        + ", ".join(
            f"${bracket(w)}-{short(rate)} \\cdot {bracket(v, short)}={_long(r)}$"
            for w, v, r in zip(w2, g2, new, strict=True)
        )
        + ".",
        "Marks: 1 for the output's delta, 2 for the output weights, 1 for the bias, 4 for the hidden deltas, 2 for the "
        "first layer, 2 for the step.",
    ]  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _long(value: float) -> str:
    """A decimal with all its places."""
    return f"{value:.10g}"


def _factor(value: float) -> str:
    return f"({_long(value)})" if value < 0 else _long(value)


@drill("network-parameters", marks=6, minutes=6, title="Weights and biases of a layered network")
def network_parameters(rng: np.random.Generator) -> Parts:
    """Three layers of weights and biases, and the networks that say the same."""
    sizes = [int(rng.integers(3, 31)), int(rng.integers(3, 13)), int(rng.integers(2, 6)), int(rng.integers(1, 6))]
    d, h1, h2, k = sizes
    layers = [count_parameters(pair) for pair in pairwise(sizes)]
    total = count_parameters(sizes)
    factorial = int(np.prod(np.arange(1, h2 + 1)))
    same = factorial * 2**h2
    statement = "\n\n".join(
        [
            f"A network has ${d}$ inputs, two hidden layers of ${h1}$ and ${h2}$ units with $\\tanh$, and ${k}$ "
            "outputs. Every unit has a bias.",
            "1. How many parameters has each of the three layers? (3 marks)",
            "2. How many are there together? (1 mark)",
            f"3. In how many ways can the ${h2}$ units of the second hidden layer change places and signs without "
            "changing what the network computes? (2 marks)",
        ]
    )
    answer = {"layers": layers, "total": total, "same": same}
    fields = [
        ask.vector(
            "layers",
            "parameters",
            1,
            3,
            titles=["layer 1", "layer 2", "layer 3"],
            whole=True,
            slips=[
                ask.slip([m * n for m, n in pairwise(sizes)], "The biases are missing: one for each unit.", card=_ROWS)
            ],
        ),
        ask.number("total", "together", 2, whole=True, follows="sum(layers)"),
        ask.number(
            "same",
            "ways",
            3,
            2,
            whole=True,
            slips=[
                ask.slip(factorial, "These are the orders alone; each unit can also change its sign.", card=_ZERO),
                ask.slip(2**h2, "These are the signs alone; the units can also change their places.", card=_ZERO),
            ],
        ),
    ]
    orders = " \\cdot ".join(str(i) for i in range(h2, 0, -1))
    each = [f"$({m}+1) \\cdot {n}={c}$" for m, n, c in zip(sizes, sizes[1:], layers, strict=False)]
    lines = [
        f"**Layers:** each unit has a weight for each unit before it, and a bias: {each[0]}, {each[1]} and {each[2]}.",
        f"**Together:** ${' + '.join(map(str, layers))}={total}$.",
        f"**Ways:** ${orders}={factorial}$ orders; the sign of each unit's "
        f"weights in and out can be turned, since $\\tanh$ is odd: ${factorial} \\cdot 2^{{{h2}}}={same}$.",
        "Marks: 3 for the layers, 1 for the sum, 1 for the orders, 1 for the signs.",
    ]
    return Parts(statement, {"sizes": sizes}, "\n\n".join(lines), answer, fields)


@drill("convolution-size", marks=12, minutes=12, title="A convolution, a pooling, and their sizes")
def convolution_size(rng: np.random.Generator) -> Parts:
    """A small window over a small image, then sizes and parameters of a large layer."""
    image, kernel = rng.integers(0, 4, size=(4, 4)), rng.integers(-1, 3, size=(2, 2))
    kernel[0, 0] = rng.choice([-1, 1, 2])
    while True:
        n, k = int(rng.choice([16, 20, 24, 28, 32, 64])), int(rng.choice([3, 5, 7]))
        stride, padding = int(rng.choice([1, 2])), int(rng.integers(0, 3))
        m, o = int(rng.choice([1, 3, 8])), int(rng.choice([4, 8, 16]))
        size = output_size(n, k, stride, padding)
        if size % 2 == 0 and 2 * padding < k:
            break
    raw = (n + 2 * padding - k) / stride + 1
    convolved = convolve(image, kernel).astype(int)
    pooled = max_pool(convolved, 2, 1).astype(int)
    parameters = convolution_parameters(k, m, o)
    statement = "\n\n".join(
        [
            f"1. Move the window $K={matrix(kernel)}$ over the image $X={matrix(image)}$ with stride 1 and without "
            "padding; do not turn it around (4 marks).",
            "2. Take the largest value of each $2\\times2$ window of the result, with stride 1 (2 marks).",
            f"3. A layer moves ${o}$ windows of ${k}\\times{k}$ over an image of ${n}\\times{n}$ pixels with ${m}$ "
            f"channel{'s' * (m > 1)}, with stride ${stride}$ and padding ${padding}$. How long is a side of the result "
            "(2 marks), and how long after pooling with $2\\times2$ and stride 2? (1 mark)",
            "4. How many parameters does the layer have, each window with its bias? (2 marks)",
            "5. How many values does it put out, before the pooling? (1 mark)",
        ]
    )
    answer = {
        "convolved": convolved.tolist(),
        "pooled": pooled.tolist(),
        "side": size,
        "half": output_size(size, 2, 2),
        "parameters": parameters,
        "values": size * size * o,
    }
    given = {
        "image": image.tolist(), "kernel": kernel.tolist(), "n": n, "k": k, "stride": stride, "padding": padding,
        "channels": m, "windows": o,
    }  # fmt: skip
    fields = [
        ask.matrix(
            "convolved",
            "result",
            1,
            4,
            rows=["1", "2", "3"],
            columns=["1", "2", "3"],
            whole=True,
            slips=[
                ask.slip(
                    convolve(image, kernel[::-1, ::-1]).astype(int),
                    "That turns the window around first, as mathematicians do; here it stays as it is.",
                    card="backpropagation-convention-flip",
                )
            ],
        ),
        ask.matrix(
            "pooled",
            "pooled",
            2,
            2,
            rows=["1", "2"],
            columns=["1", "2"],
            whole=True,
            follows=[
                [f"max({', '.join(f'convolved[{i + r},{j + s}]' for r in (0, 1) for s in (0, 1))})" for j in (0, 1)]
                for i in (0, 1)
            ],
        ),
        ask.number(
            "side",
            "side",
            3,
            2,
            whole=True,
            slips=[
                ask.slip(size - 1, "One is missing: the window also stands at the place where it begins.", card=_FLIP)
            ],
        ),
        ask.number("half", "side after pooling", 3, whole=True, follows="side / 2"),
        ask.number(
            "parameters",
            "parameters",
            4,
            2,
            whole=True,
            slips=[
                ask.slip(k * k * m * o, "The biases are missing: one for each window.", card=_FLIP),
            ],
        ),
        ask.number(
            "values",
            "values",
            5,
            whole=True,
            follows=f"side^2*{o}",
            slips=[ask.slip(size * size, "These are the values of one window; there are several.", card=_FLIP)],
        ),
    ]
    corner = products(image[:2, :2].ravel(), kernel.ravel())
    lines = [
        f"**Convolution:** for the upper left corner ${corner}={convolved[0, 0]}$, and so on: ${matrix(convolved)}$.",
        f"**Pooling:** ${matrix(pooled)}$.",
        f"**Side:** $\\tfrac{{{n}+2 \\cdot {padding}-{k}}}{{{stride}}}+1={short(raw)}$"
        + ("" if raw == size else f", rounded down ${size}$")
        + ", and "
        f"$\\tfrac{{{size}}}{{2}}={size // 2}$ after pooling.",
        f"**Parameters:** $({k} \\cdot {k} \\cdot {m}+1) \\cdot {o}={parameters}$, wherever the windows go.",
        f"**Values:** ${size} \\cdot {size} \\cdot {o}={size * size * o}$.",
        "Marks: 4 for the convolution, 2 for the pooling, 2 for the side, 1 for the side after pooling, 2 for the "
        "parameters, 1 for the values.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("adam-step", marks=10, minutes=10, title="Two steps of Adam")
def adam_steps(rng: np.random.Generator) -> Parts:
    """Running means, their corrections and the weight, for two gradients."""
    while True:
        g = rng.choice([-4, -3, -2, -1, 1, 2, 3, 4], size=2)
        start, rate = int(rng.integers(-2, 4)), float(rng.choice([0.1, 0.2]))
        if abs(0.9 * g[0] + g[1]) > 0.5:
            break
    beta1, beta2 = 0.9, 0.99
    w, m, v = np.array([float(start)]), np.zeros(1), np.zeros(1)
    means, weights = [], []
    for t in (1, 2):
        w, m, v = adam_step(w, m, v, [g[t - 1]], t, rate, beta1, beta2, 1e-15)
        means.append([_tidy(m[0]), _tidy(v[0])])
        weights.append(float(w[0]))
    hats = [[means[t][0] / (1 - beta1 ** (t + 1)), means[t][1] / (1 - beta2 ** (t + 1))] for t in range(2)]
    weights[0] = _tidy(weights[0])
    statement = "\n\n".join(
        [
            f"Adam changes one weight, now ${start}$, with the learning rate ${short(rate)}$, $\\beta_1=0.9$, "
            f"$\\beta_2=0.99$ and a vanishing $\\epsilon$. Both means start at 0. The first two gradients are ${g[0]}$ "
            f"and ${g[1]}$.",
            "1. Compute the means $m_1$ and $v_1$ (2 marks) and both without their bias (2 marks).",
            "2. Give the weight after the first step (1 mark).",
            "3. Compute $m_2$ and $v_2$ (2 marks) and both without their bias (2 marks).",
            "4. Give the weight after the second step (1 mark).",
        ]
    )
    answer = {"first": means[0], "hats": hats[0], "one": weights[0], "second": means[1], "hats2": hats[1],
              "two": weights[1]}  # fmt: skip
    given = {"start": start, "rate": rate, "gradients": g.tolist()}
    fields = [
        ask.vector(
            "first",
            "$m_1$ and $v_1$",
            1,
            2,
            titles=["$m_1$", "$v_1$"],
            slips=[
                ask.slip(
                    hats[0], "These are the means without their bias already; first multiply by $1-\\beta$.", card=_ADAM
                )
            ],
        ),
        ask.vector(
            "hats",
            "without bias",
            1,
            2,
            titles=["of $m_1$", "of $v_1$"],
            follows=[f"first[0] / (1 - {beta1})", f"first[1] / (1 - {beta2})"],
        ),
        ask.number(
            "one",
            "weight after step 1",
            2,
            follows=f"{start} - {rate}*hats[0] / sqrt(hats[1])",
            slips=[
                ask.slip(start - rate * means[0][0] / np.sqrt(means[0][1]), _BIASED, card=_ADAM),
                ask.slip(2 * start - weights[0], "That steps uphill; subtract.", card=_DESCENT),
            ],
        ),
        ask.vector(
            "second",
            "$m_2$ and $v_2$",
            3,
            2,
            titles=["$m_2$", "$v_2$"],
            follows=[
                f"{beta1}*first[0] + {1 - beta1}*{bracket(g[1])}",
                f"{beta2}*first[1] + {1 - beta2}*{bracket(g[1])}^2",
            ],
        ),
        ask.vector(
            "hats2",
            "without bias",
            3,
            2,
            titles=["of $m_2$", "of $v_2$"],
            digits=3,
            carried=1,
            follows=[f"second[0] / (1 - {beta1}^2)", f"second[1] / (1 - {beta2}^2)"],
            slips=[
                ask.slip(
                    [means[1][0] / (1 - beta1), means[1][1] / (1 - beta2)],
                    "That divides by $1-\\beta$; in step 2 the divisor is $1-\\beta^2$.",
                    card=_ADAM,
                )
            ],
        ),
        ask.number(
            "two",
            "weight after step 2",
            4,
            digits=3,
            carried=1,
            follows=f"one - {rate}*hats2[0] / sqrt(hats2[1])",
            slips=[ask.slip(weights[0] - rate * means[1][0] / np.sqrt(means[1][1]), _BIASED, card=_ADAM)],
        ),
    ]
    (m1, v1), (m2, v2) = means
    lines = [
        f"**First means:** $0.1 \\cdot {bracket(g[0])}={short(m1)}$ and "
        f"$0.01 \\cdot {bracket(g[0])}^2={short(v1)}$. Each is divided by what it lacks, "
        f"$\\tfrac{{{short(m1)}}}{{1-0.9}}={g[0]}$ and $\\tfrac{{{short(v1)}}}{{1-0.99}}={g[0] ** 2}$.",
        f"**First step:** ${start}-{short(rate)} \\cdot \\tfrac{{{g[0]}}}{{\\sqrt{{{g[0] ** 2}}}}}="
        f"{short(weights[0])}$: as long as the learning rate.",
        f"**Second means:** $0.9 \\cdot {bracket(m1, short)}+0.1 \\cdot {bracket(g[1])}={_long(m2)}$ and "
        f"$0.99 \\cdot {short(v1)}+0.01 \\cdot {bracket(g[1])}^2={_long(v2)}$; without bias "
        f"$\\tfrac{{{_long(m2)}}}{{1-0.9^2}} \\approx {sig(hats[1][0])}$ and "
        f"$\\tfrac{{{_long(v2)}}}{{1-0.99^2}} \\approx {sig(hats[1][1])}$.",
        f"**Second step:** ${short(weights[0])}-{short(rate)} \\cdot \\tfrac{{{_long(m2)}}}{{1-0.9^2}} \\cdot "
        f"\\sqrt{{\\tfrac{{1-0.99^2}}{{{_long(v2)}}}}} \\approx {sig(weights[1])}$.",
        "Marks: 2 for the first means, 2 for both without bias, 1 for the first weight, 2 for the second means, 2 for "
        "both without bias, 1 for the second weight.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("xavier-variance", marks=8, minutes=8, title="The variance of a start")
def xavier_start(rng: np.random.Generator) -> Parts:
    """Forward, backward and between; the limit of a uniform start; He; many layers of a wrong start."""
    n, m = (int(v) for v in rng.choice([10, 20, 25, 40, 50, 100, 200], size=2, replace=False))
    factor, layers = short(float(rng.choice([0.5, 0.8, 1.25, 2.0]))), int(rng.integers(3, 11))
    grown = float(factor) ** layers
    statement = "\n\n".join(
        [
            f"A layer leads from ${n}$ units to ${m}$. Its weights are drawn independently with mean 0.",
            "1. Which variance keeps the variance of the signals on the way forward, and which that of the deltas on "
            "the way back, if the activation has slope 1? (2 marks)",
            "2. Which is Xavier's variance, and up to which limit does a uniform start go that has it? (3 marks)",
            "3. Which is He's variance, for rectified units? (1 mark)",
            f"4. In a network of ${layers}$ linear layers of ${n}$ units every weight has the variance "
            f"$\\tfrac{{{factor}}}{{{n}}}$. By which factor does the variance of the signals change from the first "
            "layer to the last output? (2 marks)",
        ]
    )
    xavier = xavier_variance(n, m)
    limit = float(np.sqrt(3 * xavier))
    answer = {
        "both": [1 / n, 1 / m],
        "xavier": xavier,
        "limit": limit,
        "he": he_variance(n),
        "factor": grown,
    }
    fields = [
        ask.vector(
            "both",
            "variance",
            1,
            2,
            titles=["forward", "back"],
            slips=[
                ask.slip(
                    [1 / m, 1 / n], "They are exchanged: forward adds over the units before the layer.", card=_ZERO
                )
            ],
        ),
        ask.number(
            "xavier",
            "Xavier's variance",
            2,
            slips=[ask.slip(1 / (n + m), "That is half of it: take the mean of $n$ and $m$ below the 1.", card=_ZERO)],
        ),
        ask.number(
            "limit",
            "limit",
            2,
            2,
            follows="sqrt(3*xavier)",
            slips=[
                ask.slip(
                    float(np.sqrt(xavier)), "That is the standard deviation; a uniform start goes further.", card=_ZERO
                )
            ],
        ),
        ask.number(
            "he",
            "He's variance",
            3,
            slips=[
                ask.slip(1 / n, "That keeps the signals of units with slope 1; rectified ones lose half.", card=_ZERO),
                ask.slip(
                    2 / m, "That counts the units after the layer; the signals come from those before.", card=_ZERO
                ),
            ],
        ),
        ask.number(
            "factor",
            "factor",
            4,
            2,
            slips=[
                ask.slip(float(factor) * layers, "The factors of the layers are multiplied, not added.", card=_ZERO)
            ],
        ),
    ]
    lines = [
        f"**Forward and back:** the variance is multiplied by ${n}$ times that of a weight on the way forward and by "
        f"${m}$ times it on the way back: $\\tfrac{{1}}{{{n}}}={sig(1 / n)}$ and $\\tfrac{{1}}{{{m}}}={sig(1 / m)}$.",
        f"**Xavier:** $\\tfrac{{2}}{{{n}+{m}}} \\approx {sig(xavier)}$. A uniform number has a third of the "
        f"square of its limit as variance, so the limit is $\\sqrt{{\\tfrac{{6}}{{{n}+{m}}}}} \\approx {sig(limit)}$.",
        f"**He:** half of the signals are cut off, so twice as much, $\\tfrac{{2}}{{{n}}}={sig(2 / n)}$.",
        f"**Layers:** each multiplies by ${n} \\cdot \\tfrac{{{factor}}}{{{n}}}={factor}$, all together by "
        f"${factor}^{{{layers}}} \\approx {sig(grown)}$.",
        "Marks: 2 for both variances, 1 for Xavier's, 2 for the limit, 1 for He's, 2 for the factor.",
    ]
    return Parts(statement, {"n": n, "m": m, "factor": float(factor), "layers": layers}, "\n\n".join(lines), answer,
                 fields)  # fmt: skip
