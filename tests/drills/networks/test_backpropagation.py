"""The drills on networks, worked again from the definitions with Python's own numbers, without the library."""

import math
from fractions import Fraction

import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def exact(value):
    """The decimal that a float stands for."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def work_forward(g):
    """Pre-activations, activations, the output and its cross-entropy."""
    z = [sum(x * W[j] for x, W in zip(g["x"], g["W1"], strict=True)) + g["b1"][j] for j in range(2)]
    a = [max(v, 0) for v in z]
    out = sum(v * w for v, w in zip(a, g["w2"], strict=True)) + g["b2"]
    p = 1 / (1 + math.exp(-out))
    return z, a, out, p, -math.log(p if g["y"] else 1 - p)


@pytest.mark.equation("backpropagation-forward", "backpropagation-loss")
@each_seed()
def test_forward_pass_answer(seed):
    drill = drawn("forward-pass", seed)
    z, a, out, p, loss = work_forward(drill.given)
    assert (drill.answer["z"], drill.answer["a"], drill.answer["out"]) == (z, a, out)
    assert (drill.answer["p"], drill.answer["loss"]) == (pytest.approx(p), pytest.approx(loss))
    assert max(a) > 0


@each_seed()
def test_every_number_of_forward_pass(seed):
    drill = drawn("forward-pass", seed)
    g = drill.given
    z, a, out, p, loss = work_forward(g)
    ask, tell = pages(drill)
    ask.says("a negative $z$ becomes $0$")
    ask.says("Column $j$ of $W_1=#$ leads to hidden unit $j$, with the biases $#$", g["W1"], [g["b1"]])
    ask.says("The output has the weights $#$ and the bias $#$", [g["w2"]], g["b2"])
    ask.says("The input is $x=#$, its label $#$", [g["x"]], g["y"])
    ask.table(["1", None, None], ["2", None, None])
    ask.done()
    tell.says("a negative pre-activation becomes 0")
    tell.table(*([str(j + 1), z[j], a[j]] for j in range(2)))
    tell.says("$z = #$, so $p = #$", out, p)
    tell.says("minus the logarithm of the probability of label $#$, $#$", g["y"], loss)
    tell.done()


def work_backward(g):
    """Both layers' derivatives and a step, as fractions."""
    a, w, x = ([exact(v) for v in g[name]] for name in "awx")
    delta = exact(g["p"]) - g["y"]
    outer = [delta * v for v in a]
    hidden = [delta * weight * (1 - v * v) for v, weight in zip(a, w, strict=True)]
    inner = [[v * d for d in hidden] for v in x]
    return delta, outer, hidden, inner, [weight - exact(g["rate"]) * o for weight, o in zip(w, outer, strict=True)]


@pytest.mark.equation("backpropagation-output-delta", "backpropagation-delta", "backpropagation-weight-gradient")
@each_seed()
def test_backward_pass_answer(seed):
    drill = drawn("backward-pass", seed)
    delta, outer, hidden, inner, new = work_backward(drill.given)
    answer = drill.answer
    assert answer["delta"] == answer["bias"] == pytest.approx(float(delta))
    for name, value in (("outer", outer), ("hidden", hidden), ("new", new)):
        assert answer[name] == pytest.approx([float(v) for v in value]), name
    for line, own in zip(answer["inner"], inner, strict=True):
        assert line == pytest.approx([float(v) for v in own])


@each_seed()
def test_every_number_of_backward_pass(seed):
    drill = drawn("backward-pass", seed)
    g = drill.given
    delta, outer, hidden, inner, new = work_backward(g)
    ask, tell = pages(drill)
    ask.says("For the input $x=#$ with label $#$ the forward pass", [g["x"]], g["y"])
    ask.says("gave the hidden activations $a=#$ and the output $p=#$", [g["a"]], g["p"])
    ask.says("The output's weights are $w=#$", [g["w"]])
    ask.says("learning rate $#$", g["rate"])
    ask.done()
    numbers = lambda values: [float(v) for v in values]
    tell.says("prediction minus label, $#$", float(delta))
    tell.says("delta times what came in, $#$, $#$; the bias has $#$", *numbers(outer), float(delta))
    tell.says(
        "times the slope $1-a^2$",
    )
    tell.says(": $#$, $#$.", *numbers(hidden))
    tell.table(*([f"input {i + 1}", *numbers(inner[i])] for i in range(2)))
    tell.says("**Step:** $#$, $#$.", *numbers(new))
    tell.done()


@pytest.mark.equation("backpropagation-count", "backpropagation-symmetry")
@each_seed()
def test_network_parameters(seed):
    drill = drawn("network-parameters", seed)
    d, h, m, k = drill.given["sizes"]
    layers = [d * h + h, h * m + m, m * k + k]
    same = math.factorial(m) * 2**m
    assert drill.answer == {"layers": layers, "total": sum(layers), "same": same}
    ask, tell = pages(drill)
    ask.says("has $#$ inputs, two hidden layers of $#$ and $#$ units", d, h, m)
    ask.says("and $#$ outputs", k)
    ask.says("the $#$ units of the second hidden layer", m)
    ask.done()
    tell.says("and a bias: $#$, $#$ and $#$.", *layers)
    tell.says("**Together:** $#$", sum(layers))
    tell.says("**Ways:** $#$ orders", math.factorial(m))
    tell.says("$\\tanh$ is odd: $#$", same)
    tell.done()


def work_convolution(g):
    """Both small results by loops, then the sizes."""
    X, K = g["image"], g["kernel"]
    moved = [
        [sum(X[i + p][j + q] * K[p][q] for p in range(2) for q in range(2)) for j in range(3)] for i in range(3)
    ]  # fmt: skip
    pooled = [[max(moved[i + p][j + q] for p in range(2) for q in range(2)) for j in range(2)] for i in range(2)]
    places = range(-g["padding"], g["n"] + g["padding"] - g["k"] + 1, g["stride"])  # where a window begins
    side = len(places)
    parameters = g["windows"] * (g["channels"] * g["k"] ** 2 + 1)
    return moved, pooled, side, parameters


@pytest.mark.equation("backpropagation-convolution", "backpropagation-convolution-size")
@pytest.mark.equation("backpropagation-convolution-count")
@each_seed()
def test_convolution_size(seed):
    drill = drawn("convolution-size", seed)
    g = drill.given
    moved, pooled, side, parameters = work_convolution(g)
    values = side * side * g["windows"]
    assert drill.answer == {
        "convolved": moved, "pooled": pooled, "side": side, "half": side / 2, "parameters": parameters,
        "values": values,
    }  # fmt: skip
    ask, tell = pages(drill)
    ask.says("Move the window $K=#$ over the image $X=#$ with stride 1", g["kernel"], g["image"])
    ask.says("each $2\\times2$ window of the result, with stride 1")
    ask.says("A layer moves $#$ windows of $", g["windows"])
    k, n = g["k"], g["n"]
    ask.says(f"${k}\\times{k}$ over an image of ${n}\\times{n}$ pixels with $#$ channel", g["channels"])
    ask.says("with stride $#$ and padding $#$", g["stride"], g["padding"])
    ask.says("pooling with $2\\times2$ and stride 2")
    ask.done()
    tell.says("for the upper left corner $#$, and so on: $#$", moved[0][0], moved)
    tell.says("**Pooling:** $#$", pooled)
    raw = (n + 2 * g["padding"] - k) / g["stride"] + 1
    tell.says("**Side:** $#$", raw)
    if raw != side:
        tell.says("rounded down $#$", side)
    tell.says("and $#$ after pooling", side / 2)
    tell.says("**Parameters:** $#$, wherever", parameters)
    tell.says("**Values:** $#$", values)
    tell.done()


@pytest.mark.equation("backpropagation-adam-means", "backpropagation-adam-step", "backpropagation-adam-bias")
@each_seed()
def test_adam_step(seed):
    drill = drawn("adam-step", seed)
    g, answer = drill.given, drill.answer
    (first, second), rate = g["gradients"], exact(g["rate"])
    b1, b2 = Fraction(9, 10), Fraction(99, 100)
    m1, v1 = (1 - b1) * first, (1 - b2) * first**2
    m2, v2 = b1 * m1 + (1 - b1) * second, b2 * v1 + (1 - b2) * second**2
    hats = [m1 / (1 - b1), v1 / (1 - b2)], [m2 / (1 - b1**2), v2 / (1 - b2**2)]
    one = g["start"] - rate * (1 if first > 0 else -1)
    two = float(one) - float(rate) * float(hats[1][0]) / math.sqrt(hats[1][1])
    numbers = lambda values: pytest.approx([float(v) for v in values])
    assert answer["first"] == numbers([m1, v1])
    assert answer["hats"] == numbers(hats[0])
    assert answer["second"] == numbers([m2, v2])
    assert answer["hats2"] == numbers(hats[1])
    assert (answer["one"], answer["two"]) == (pytest.approx(float(one)), pytest.approx(two))
    ask, tell = pages(drill)
    ask.says(
        "one weight, now $#$, with the learning rate $#$, $\\beta_1=0.9$, $\\beta_2=0.99$", g["start"], float(rate)
    )
    ask.says("Both means start at 0. The first two gradients are $#$ and $#$.", first, second)
    ask.done()
    tell.says("**First means:** $#$ and $#$. Each is divided by what it lacks, $#$ and $#$.",
              *map(float, (m1, v1, *hats[0])))  # fmt: skip
    tell.says("**First step:** $#$: as long", float(one))
    tell.says("**Second means:** $#$ and $#$; without bias $#$ and $#$.", *map(float, (m2, v2, *hats[1])))
    tell.says("**Second step:** $#$.", two)
    tell.done()


@pytest.mark.equation("backpropagation-xavier", "backpropagation-he", "backpropagation-uniform")
@each_seed()
def test_xavier_variance(seed):
    drill = drawn("xavier-variance", seed)
    g, answer = drill.given, drill.answer
    n, m = g["n"], g["m"]
    xavier = Fraction(2, n + m)
    limit, grown = math.sqrt(3 * xavier), math.prod([g["factor"]] * g["layers"])
    assert answer["both"] == pytest.approx([1 / n, 1 / m])
    assert answer["xavier"] == pytest.approx(float(xavier))
    assert answer["limit"] ** 2 / 3 == pytest.approx(float(xavier))
    assert answer["he"] == pytest.approx(2 / n)
    assert answer["factor"] == pytest.approx(grown)
    ask, tell = pages(drill)
    ask.says("leads from $#$ units to $#$", n, m)
    ask.says("with mean 0")
    ask.says("has slope 1")
    ask.says("In a network of $#$ linear layers of $#$ units every weight has the variance $#$", g["layers"], n,
             g["factor"] / n)  # fmt: skip
    ask.done()
    tell.says("is multiplied by $#$ times that of a weight on the way forward and by $#$ times", n, m)
    tell.says("on the way back: $#$ and $#$.", 1 / n, 1 / m)
    tell.says("**Xavier:** $#$. A uniform", float(xavier))
    tell.says("so the limit is $#$", limit)
    tell.says("so twice as much, $#$", 2 / n)
    tell.says("each multiplies by $#$, all together by $#$", g["factor"], grown)
    tell.done()
