"""Drills on prototype selection: worked again in whole numbers and fractions, without the library."""

from fractions import Fraction

import pytest

from notes_lib.neighbors.prototype_selection import edited_posterior, edited_risk, inconsistent
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

NAMES = "ABCDEFG"
TOPICS = ["condensing", "wilson-editing", "edited-posterior"]


def sign(label):
    return "12"[label]


def square(a, b):
    return sum((u - v) ** 2 for u, v in zip(a, b, strict=True))


def work_condensing(given):
    """Passes of (point, squared distances from the store, nearest, stored or not), and the store."""
    X, y, store, passes = given["points"], given["labels"], [0], []
    while not passes or any(visit[-1] for visit in passes[-1]):
        visits = []
        for i in [i for i in range(6) if i not in store]:
            told = {j: square(X[i], X[j]) for j in store}
            nearest = min(told, key=told.get)
            assert list(told.values()).count(told[nearest]) == 1
            visits.append((i, told, nearest, y[nearest] != y[i]))
            store += [i] * (y[nearest] != y[i])
        passes.append(visits)
    return passes, store


def nearest_to(query, points, rows):
    return min(rows, key=lambda j: square(query, points[j]))


@pytest.mark.equation("prototype-selection-condense", "prototype-selection-consistent")
@each_seed()
def test_condensing_answer(seed):
    drill = drawn("condensing", seed)
    g, answer = drill.given, drill.answer
    passes, store = work_condensing(g)
    assert answer["store"] == [NAMES[i] for i in store]
    assert answer["passes"] == len(passes) == 3
    assert answer["distances"] == [6, len(store)]
    assert inconsistent(g["points"], g["labels"], store).size == 0
    for key, rows in (("before", range(6)), ("after", store)):
        assert answer[key] == sign(g["labels"][nearest_to(g["query"], g["points"], rows)])


def test_a_query_may_change_its_class():
    pairs = {tuple(drawn("condensing", seed).answer[key] for key in ("before", "after")) for seed in range(40)}
    assert {a == b for a, b in pairs} == {True, False}


def work_editing(given):
    """The three nearest others of each point, the class of their vote, and the points that are left."""
    x, y = given["x"], given["labels"]
    near = [sorted((j for j in range(7) if j != i), key=lambda j: abs(x[j] - x[i]))[:3] for i in range(7)]
    votes = [int(sum(y[j] for j in others) >= 2) for others in near]
    return near, votes, [i for i in range(7) if votes[i] == y[i]]


@pytest.mark.equation("prototype-selection-wilson")
@each_seed()
def test_editing_answer(seed):
    drill = drawn("wilson-editing", seed)
    g, answer = drill.given, drill.answer
    for v in g["x"]:
        gaps = [abs(v - other) for other in g["x"]]
        assert len(set(gaps)) == len(gaps)
    _, _, kept = work_editing(g)
    assert answer["removed"] == [NAMES[i] for i in range(7) if i not in kept]
    assert len({g["labels"][i] for i in kept}) == 2
    for key, rows in (("before", range(7)), ("after", kept)):
        nearest = min(rows, key=lambda j: abs(g["x"][j] - g["query"]))
        assert answer[key] == sign(g["labels"][nearest])


def work_posterior(given):
    eta = Fraction(*given["eta"])
    share = eta**2 + (1 - eta) ** 2
    once = eta**2 / share
    risk = eta * (1 - eta) / (1 - 2 * eta * (1 - eta))
    twice = once**2 / (once**2 + (1 - once) ** 2)
    best = min(eta, 1 - eta)
    return {
        "share": share,
        "number": given["n"] * share,
        "once": once,
        "whole": 2 * eta * (1 - eta),
        "risk": risk,
        "best": best,
        "twice": twice,
    }


@pytest.mark.equation("prototype-selection-posterior", "prototype-selection-risk")
@each_seed()
def test_posterior_answer(seed):
    drill = drawn("edited-posterior", seed)
    expected = {key: float(value) for key, value in work_posterior(drill.given).items()}
    assert drill.answer == pytest.approx(expected, rel=1e-12)
    eta = drill.given["eta"][0] / drill.given["eta"][1]
    assert eta != 0.5
    assert drill.answer["once"] == pytest.approx(float(edited_posterior(eta)), rel=1e-12)
    assert drill.answer["twice"] == pytest.approx(float(edited_posterior(eta, rounds=2)), rel=1e-12)
    assert drill.answer["risk"] == pytest.approx(float(edited_risk(eta)), rel=1e-12)


def classes(labels):
    groups = [", ".join(a for a, c in zip(NAMES, labels, strict=False) if c == label) for label in (0, 1)]
    return f"Class 1: {groups[0]}; class 2: {groups[1]}."


@each_seed()
def test_every_number_of_condensing(seed):
    drill = drawn("condensing", seed)
    g, answer = drill.given, drill.answer
    X, y, query = g["points"], g["labels"], g["query"]
    ask, tell = pages(drill, {**{NAMES[i]: x for i, x in enumerate(X)}, "Q": query})
    ask.says(classes(y))
    ask.says("1-NN decides by")
    ask.says("does 1-NN compute")
    ask.table(*([a, None, None, None] for a in NAMES[1:6]))
    ask.done()
    passes, store = work_condensing(g)
    tell.says("the store holds A, of class #.", sign(y[0]))
    for t, visits in enumerate(passes, 1):
        tell.says("**Pass #:**", t)
        tell.table(
            *(
                [
                    f"{NAMES[i]} ({sign(y[i])})",
                    (", ".join(f"{NAMES[j]} $#$" for j in told), *told.values()),
                    f"{NAMES[nearest]} ({sign(y[nearest])})",
                    "yes" if stored else "no",
                ]
                for i, told, nearest, stored in visits
            )
        )
    tell.says("stop after # passes, with #. Each", len(passes), ", ".join(NAMES[i] for i in store))
    tell.says("**Distances:** # from all points, # from the stored ones.", 6, len(store))
    distances = [square(query, x) for x in X]
    tell.says(f"from A to F are {', '.join(['$#$'] * 6)}.", *distances)
    before, after = nearest_to(query, X, range(6)), nearest_to(query, X, store)
    tell.says("Of all points # is the nearest, class #; of the stored ones #, with $#=#$, class #.", NAMES[before],
              sign(y[before]), NAMES[after], distances[after], distances[after], sign(y[after]))  # fmt: skip
    tell.says("They agree;" if answer["before"] == answer["after"] else "They differ;")
    tell.done()


@each_seed()
def test_every_number_of_editing(seed):
    drill = drawn("wilson-editing", seed)
    g = drill.given
    x, y, query = g["x"], g["labels"], g["query"]
    ask, tell = pages(drill, {**dict(zip(NAMES, x, strict=True)), "q": query, "k": 3})
    ask.says(classes(y))
    ask.says("1-NN give")
    ask.table(*([a, None, None, None] for a in NAMES))
    ask.done()
    near, votes, kept = work_editing(g)
    tell.table(
        *(
            [
                f"{NAMES[i]} ({sign(y[i])})",
                ", ".join(f"{NAMES[j]} ({sign(y[j])})" for j in near[i]),
                sign(votes[i]),
                "kept" if i in kept else "removed",
            ]
            for i in range(7)
        )
    )
    tell.says("**Removed:** #; # points are left.", ", ".join(drill.answer["removed"]), len(kept))
    before, after = (min(rows, key=lambda j: abs(x[j] - query)) for rows in (range(7), kept))
    gaps = [abs(query - x[i]) for i in (before, after)]
    tell.says("nearest point is #, at the distance $#=#$, class #.", NAMES[before], gaps[0], gaps[0], sign(y[before]))
    tell.says("the nearest one is #, at $#=#$, class #.", NAMES[after], gaps[1], gaps[1], sign(y[after]))
    tell.says("at the distance 0 a point")
    tell.says("with $k=1$ nothing would ever")
    tell.done()


@each_seed()
def test_every_number_of_the_posterior(seed):
    drill = drawn("edited-posterior", seed)
    eta, w = Fraction(*drill.given["eta"]), work_posterior(drill.given)
    numbers = {key: float(value) for key, value in w.items()}
    ask, tell = pages(drill)
    ask.says("the posterior of class 1 is $\\eta=#$.", float(eta))
    ask.says("has its label ($k=1$)")
    ask.says("how many of $#$ on average?", drill.given["n"])
    ask.says("posterior of class 1 among")
    ask.says("error of 1-NN there")
    ask.done()
    tell.says("both labels are 1, or both are 0: $#=#$.", *[numbers["share"]] * 2)
    n = drill.given["n"]
    tell.says("Of $#$ instances that is $#=#\\approx#$.", n, *[numbers["number"]] * 3)
    tell.says("**Posterior:** $#=#\\approx#$.", *[numbers["once"]] * 3)
    tell.says("before editing $#=#$.", *[numbers["whole"]] * 2)
    tell.says("differ with probability $#=#\\approx#$.", *[numbers["risk"]] * 3)
    tell.says("errs with $#$:", numbers["best"])
    tell.says("with the new posterior, $#=#\\approx#$.", *[numbers["twice"]] * 3)
    tell.done()
