"""The drills on recommenders, worked again from the definitions in fractions, without the library."""

import math
from fractions import Fraction

import pytest

from notes_lib.drills.mining.recommender import _whole_means
from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import each_seed


def mean(values):
    return Fraction(sum(values), len(values))


def correlation(x, y):
    """Of two rows of ratings over the columns that both have; a fraction in these drills."""
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    m, n = (mean(side) for side in zip(*pairs, strict=True))
    top = sum((a - m) * (b - n) for a, b in pairs)
    below = sum((a - m) ** 2 for a, _ in pairs) * sum((b - n) ** 2 for _, b in pairs)
    root = Fraction(math.isqrt(below.numerator), math.isqrt(below.denominator))
    assert root**2 == below
    return top / root, len(pairs), (pairs, m, n)


def test_ratings_to_draw_from():
    every = [(a, b) for a in range(1, 6) for b in range(1, 6)]
    assert _whole_means(2) == [(a, b) for a, b in every if (a + b) % 2 == 0 and a != b]


def work_neighbours(g):
    a, b, c = g["ratings"]
    means = [mean([v for v in line if v is not None]) for line in g["ratings"]]
    found = [correlation(a, line) for line in (b, c)]
    rough = [s for s, *_ in found]
    shrunk = [s * Fraction(n, n + g["shrinkage"]) for s, n, _ in found]
    votes = sum(w * (line[4] - m) for w, line, m in zip(shrunk, (b, c), means[1:], strict=True))
    return means, found, rough, shrunk, means[0] + votes / sum(map(abs, shrunk))


@pytest.mark.equation("recommender-pearson", "recommender-shrinkage", "recommender-neighborhood")
@each_seed()
def test_neighbourhood_rating_answer(seed):
    _, g, answer = load("neighbourhood-rating", seed)
    means, _, rough, shrunk, rating = work_neighbours(g)
    for name, values in [("means", means), ("correlations", rough), ("shrunk", shrunk)]:
        assert all(near(a, v) for a, v in zip(answer[name], values, strict=True))
    assert near(answer["prediction"], rating)
    assert 1 <= rating <= 5


@each_seed()
def test_every_number_of_neighbourhood_rating(seed):
    drill, g, _ = load("neighbourhood-rating", seed)
    means, found, rough, shrunk, rating = work_neighbours(g)
    kappa = g["shrinkage"]
    ask, tell = pages(drill)
    ask.table(*([u, *line] for u, line in zip("abc", g["ratings"], strict=True)))
    ask.says("Predict the rating of $a$ for item 5 from both")
    ask.says("Shrink them with $\\tfrac{n}{n+\\kappa}$ for $n$ common items and $\\kappa=#$ (2 marks).", kappa)
    ask.done()
    tell.says("**Means:** $#$ for $a$, $#$ for $b$, $#$ for $c$.", *map(float, means))
    for u, (s, n, (pairs, m, k)) in zip("bc", found, strict=True):
        x, y = [[a - m for a, _ in pairs]], [[b - k for _, b in pairs]]
        tell.says(f"of $a$ and ${u}$:** over items 1 to {n} the means are $#$ and $#$ and the deviations $#$ and $#$, "
                  "so the correlation is $#$.", float(m), float(k), floats(x), floats(y), float(s))  # fmt: skip
    tell.says("**Shrunk:** $#$ and $#$.", *map(float, shrunk))
    tell.says("the deviations of the neighbours in item 5, weighted: $#$.", float(rating))
    tell.done()
    assert len({abs(s) for s in rough}) == 2


def floats(rows):
    return [[float(v) for v in row] for row in rows]


def work_turn(g):
    """Normal equations and their solution by Cramer's rule."""
    Q, r = g["factors"], g["rest"]
    A = [[sum(q[i] * q[j] for q in Q) + g["reg"] * (i == j) for j in (0, 1)] for i in (0, 1)]
    b = [sum(v * q[i] for v, q in zip(r, Q, strict=True)) for i in (0, 1)]
    det = A[0][0] * A[1][1] - A[0][1] * A[1][0]
    p = [Fraction(b[0] * A[1][1] - A[0][1] * b[1], det), Fraction(A[0][0] * b[1] - b[0] * A[1][0], det)]
    return A, b, det, p, g["level"] + sum(a * v for a, v in zip(g["new"], p, strict=True))


@pytest.mark.equation("recommender-als-step", "recommender-als-gradient")
@each_seed()
def test_als_step_answer(seed):
    _, g, answer = load("als-step", seed)
    A, b, _, p, rating = work_turn(g)
    assert (answer["A"], answer["b"]) == (A, b)
    assert all(near(a, v) for a, v in zip(answer["p"], p, strict=True))
    assert near(answer["rating"], rating)
    for k in (0, 1):  # half the gradient
        errors = [
            v - sum(x * y for x, y in zip(q, p, strict=True)) for v, q in zip(g["rest"], g["factors"], strict=True)
        ]
        assert sum(e * q[k] for e, q in zip(errors, g["factors"], strict=True)) == g["reg"] * p[k]


@each_seed()
def test_every_number_of_als_step(seed):
    drill, g, _ = load("als-step", seed)
    A, b, det, p, rating = work_turn(g)
    ask, tell = pages(drill)
    ask.table(*([k, [q], v] for k, (q, v) in enumerate(zip(g["factors"], g["rest"], strict=True), 1)))
    ask.says("for $\\lambda=#$ (3 marks).", g["reg"])
    ask.says("A fourth item has the factors $#$, and the mean with both biases is $#$.", [g["new"]], g["level"])
    ask.says("$A=\\sum_i q_i q_i^\\top+\\lambda I$")
    ask.says("$b=\\sum_i r_i q_i$")
    ask.says("$A p=b$")
    ask.done()
    tell.says("$A=#$.", A)
    tell.says("$b=#$.", b)
    tell.says("the determinant is $#$, so $p=#$.", det, [float(v) for v in p])
    tell.says("**Rating:** $#$.", float(rating))
    tell.done()


def work_step(g):
    p, q, b, d, mean_, rate, reg = exact([g["p"], g["q"], *g["biases"], g["mean"], g["rate"], g["reg"]])
    predicted = mean_ + b + d + sum(x * y for x, y in zip(p, q, strict=True))
    error = g["rating"] - predicted
    biases = [v + rate * (error - reg * v) for v in (b, d)]
    new_p = [x + rate * (error * y - reg * x) for x, y in zip(p, q, strict=True)]
    new_q = [y + rate * (error * x - reg * y) for x, y in zip(p, q, strict=True)]
    return predicted, error, biases, new_p, new_q


@pytest.mark.equation("recommender-sgd-step", "recommender-sgd-error", "recommender-model")
@each_seed()
def test_sgd_factor_step_answer(seed):
    _, g, answer = load("sgd-factor-step", seed)
    predicted, error, biases, p, q = work_step(g)
    assert near(answer["predicted"], predicted)
    assert near(answer["error"], error)
    for name, values in [("biases", biases), ("p", p), ("q", q)]:
        assert all(near(a, v) for a, v in zip(answer[name], values, strict=True))


@each_seed()
def test_every_number_of_sgd_factor_step(seed):
    drill, g, _ = load("sgd-factor-step", seed)
    predicted, error, biases, p, q = work_step(g)
    ask, tell = pages(drill)
    ask.says("A user rates an item with $#$. The mean is $\\mu=#$, the biases are $b=#$ of the user and $d=#$ of the "
             "item, the factors are $p=#$ and $q=#$. The step size is $\\eta=#$, the penalty's share of each rating "
             "$\\lambda=#$.", g["rating"], g["mean"], *g["biases"], [g["p"]], [g["q"]], g["rate"], g["reg"],
             )  # fmt: skip
    ask.done()
    tell.says("**Prediction:** $#$, and the error is $#$.", float(predicted), float(error))
    tell.says("**Biases:** $#$ for the user and $#$ for the item.", *map(float, biases))
    tell.says("**Factors of the user:** $#$, $#$.", *map(float, p))
    tell.says("with the old factors of the user: $#$, $#$.", *map(float, q))
    tell.done()


def work_list(g):
    gains, k = g["gains"], g["k"]
    good = [v >= 2 for v in gains]
    total = lambda order: sum(v / math.log2(n + 1) for n, v in enumerate(order[:k], 1))
    best = sorted(gains, reverse=True)
    return sum(good[:k]), sum(good), total(gains), total(best), best[:k]


@pytest.mark.equation("recommender-precision", "recommender-recall", "recommender-dcg", "recommender-ndcg")
@each_seed()
def test_ranking_measures_answer(seed):
    _, g, answer = load("ranking-measures", seed)
    hits, relevant, dcg, ideal, _ = work_list(g)
    assert near(answer["precision"], Fraction(hits, g["k"]))
    assert near(answer["recall"], Fraction(hits, relevant))
    assert (answer["dcg"], answer["ideal"], answer["ndcg"]) == pytest.approx((dcg, ideal, dcg / ideal))
    assert answer["ndcg"] < 1


@each_seed()
def test_every_number_of_ranking_measures(seed):
    drill, g, _ = load("ranking-measures", seed)
    hits, relevant, dcg, ideal, best = work_list(g)
    k = g["k"]
    ask, tell = pages(drill)
    ask.table(["gain", *g["gains"]])
    ask.says("ranked the six items of a test")
    ask.says("a gain of at least 2 are relevant.")
    ask.says("recall of the first $#$ places (3 marks).", k)
    ask.says("gain of the first $#$ places: the sum of gains divided by $\\log_2(1+\\text{place})$", k)
    ask.done()
    tell.says("**Precision and recall:** $#$ of the first $#$ items are relevant, and $#$ of all six, so the precision "
              "is $#$ and the recall $#$.", hits, k, relevant, hits / k, hits / relevant)  # fmt: skip
    tell.says("**Discounted gain:** $#$.", dcg)
    tell.says("begin $#$, so $#$.", [best], ideal)
    tell.says("$#$.", dcg / ideal)
    tell.done()
