"""Drills on density estimation: counted again, value by value, without the library; then every number of the page."""

from fractions import Fraction

import numpy as np
import pytest

from notes_lib.bayes.density_estimation import (
    HistogramDensity,
    count_density,
    kernel_log_density,
    knn_log_density,
)
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

TOPICS = ["histogram-density", "parzen-window", "knn-density"]


def cell(g, start):
    """Lower edge and content of the cell of ``new``, found by walking over the grid."""
    low = start
    while low > g["new"]:
        low -= g["h"]
    while low + g["h"] <= g["new"]:
        low += g["h"]
    return low, [v for v in g["x"] if low <= v < low + g["h"]]


@pytest.mark.equation("density-estimation-histogram", "density-estimation-count-moments")
@each_seed()
def test_histogram(seed):
    drill = drawn("histogram-density", seed)
    g, a = drill.given, drill.answer
    held = [cell(g, start) for start in g["origins"]]
    for part, (_, values) in enumerate(held, 1):
        assert a[f"count_{part}"] == len(values)
        assert a[f"density_{part}"] == pytest.approx(len(values) / 10 / g["h"])
        model = HistogramDensity(bandwidth=g["h"], origin=g["origins"][part - 1]).fit(np.reshape(g["x"], (-1, 1)))
        assert np.exp(model.score_samples([[g["new"]]]))[0] == pytest.approx(a[f"density_{part}"])
    assert a["error"] == pytest.approx(float(count_density(a["count_1"], 10, g["h"]).std_error))
    ask, tell = pages(drill)
    ask.says(f"given: {', '.join(['$#$'] * 10)}. A histogram has cells of width $#$", *g["x"], g["h"])
    ask.says("begins at $#$. In which cell lies $#$,", g["origins"][0], g["new"])
    ask.says("density of part 1")
    ask.says("begins at $#$", g["origins"][1])
    ask.done()
    for low, values in held:
        tell.says("from $#$ to $#$ (1 mark)", low, low + g["h"])
        tell.says(f"holds {', '.join(['$#$'] * len(values))}, so the count is $#$", *values, len(values))
        tell.says("The density is $#$ (1", len(values) / (10 * g["h"]))
    share = Fraction(len(held[0][1]), 10)
    tell.says("the cell is $#$, with the variance $#$", float(share), float(share * (1 - share) / 10))
    tell.says("the share over $#$, so its standard error is $#$", g["h"], a["error"])
    tell.done()


@pytest.mark.equation("density-estimation-kde", "density-estimation-window")
@each_seed()
def test_parzen(seed):
    drill = drawn("parzen-window", seed)
    g, a = drill.given, drill.answer
    x, h, new = g["x"], g["h"], g["new"]
    near = [(n, v) for n, v in enumerate(x, 1) if -h < v - new < h]
    close = [v for v in x if -h < 2 * (v - new) < h]
    heights = [Fraction(3, 4) - Fraction(3 * (v - new) ** 2, 4 * h * h) for _, v in near]
    assert a["count"] == len(near)
    assert a["box"] == pytest.approx(len(near) / 6 / (2 * h))
    assert a["sum"] == pytest.approx(float(sum(heights)))
    assert a["smooth"] == pytest.approx(float(sum(heights)) / 6 / h)
    assert a["narrow"] == pytest.approx(len(close) / 6 / h)
    X = np.reshape(x, (-1, 1))
    for key, width, kernel in [("box", h, "tophat"), ("smooth", h, "epanechnikov"), ("narrow", h / 2, "tophat")]:
        assert np.exp(kernel_log_density([[new]], X, width, kernel))[0] == pytest.approx(a[key])
    ask, tell = pages(drill)
    ask.says(f"given: {', '.join(['$#$'] * 6)}. The density at $#$ is to be estimated with bandwidth $#$.", *x, new, h)
    ask.says(r"$\kappa(u)=\tfrac{3}{4}(1-u^2)$")
    ask.says("the box give with bandwidth $#$?", h / 2)
    ask.done()
    tell.says(
        f"nearer than $#$ lie {', '.join(['$#$'] * len(near))}, a count of $#$", h, *(v for _, v in near), len(near)
    )
    tell.says("has the width $#$", 2 * h)
    tell.says("the estimate is $#$", a["box"])
    for (n, v), height in zip(near, heights, strict=True):
        tell.says(f"$u_{n}=#$, $\\kappa_{n}=#$", (v - new) / h, float(height))
    tell.says("Their sum is $#$ (1 mark), so the estimate is $#$", a["sum"], a["smooth"])
    tell.says(
        "nearer than $#$ the count is now $#$ (1 mark), and the width is $#$: $#$", h / 2, len(close), h, a["narrow"]
    )
    tell.done()


@pytest.mark.equation("density-estimation-knn", "density-estimation-posterior")
@each_seed()
def test_neighbours(seed):
    drill = drawn("knn-density", seed)
    g, a = drill.given, drill.answer
    k, new = g["k"], g["new"]
    ranked = sorted([(abs(v - new), v, 0) for v in g["first"]] + [(abs(v - new), v, 1) for v in g["second"]])
    r, counts = ranked[k - 1][0], [sum(c == j for *_, c in ranked[:k]) for j in (0, 1)]
    assert ranked[k][0] > r
    sizes = [len(g["first"]), len(g["second"])]
    assert (a["radius"], a["counts"]) == (r, counts)
    assert a["density"] == pytest.approx(k / 9 / (2 * r))
    assert a["within"] == pytest.approx([c / n / (2 * r) for c, n in zip(counts, sizes, strict=True)])
    joint = [n / 9 * p for n, p in zip(sizes, a["within"], strict=True)]
    assert a["posterior"] == pytest.approx([j / sum(joint) for j in joint])
    assert a["class"] == 1 + int(counts[1] > counts[0])
    X = np.reshape(g["first"] + g["second"], (-1, 1))
    assert np.exp(knn_log_density([[new]], X, k))[0] == pytest.approx(a["density"])
    ask, tell = pages(drill)
    ask.says(f"Class 1 has the values {', '.join(['$#$'] * sizes[0])}, class 2 the values "
             f"{', '.join(['$#$'] * sizes[1])}. The point $#$ is", *g["first"], *g["second"], new)  # fmt: skip
    ask.says("its $k=#$ nearest", k)
    ask.done()
    tell.says(f"{', '.join(['$#$'] * k)}; the last one has the distance $#$", *(v for _, v, _ in ranked[:k]), r)
    tell.says("the length $#$ (1 mark), the density is $#$", 2 * r, a["density"])
    tell.says("$#$ of class 1 and $#$ of class 2 (2 marks), out of $#$ and $#$.", *counts, *sizes)
    for value in a["within"]:
        tell.says("- $#$ (1 mark)", value)
    tell.says(
        "share times density is $#$ and $#$, with the sum $#$, which is the density of part 1", *joint, a["density"]
    )
    tell.says("they are $#$ and $#$ (1", *a["posterior"])
    tell.says("The decision is class $#$", a["class"])
    tell.done()
