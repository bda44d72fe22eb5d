"""Drills on prototype selection: a trace of Hart's condensing, Wilson's editing on a line, and the edited posterior."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, row
from notes_lib.neighbors.nearest_neighbors import k_nearest
from notes_lib.neighbors.prototype_selection import hart_condense, wilson_edit

NAMES = "ABCDEFGH"
CLASSES = ("1", "2")


@drill("condensing", marks=10, minutes=13, title="A trace of Hart's condensing")
def condensing(rng: np.random.Generator) -> Parts:
    """Six points in the plane, passes in their order until one stores nothing, and a query before and after."""
    while True:
        X, y = rng.integers(0, 8, size=(6, 2)), rng.permutation([0, 0, 0, 1, 1, 1])
        query = rng.integers(0, 8, size=2)
        squares = ((X[:, None] - X) ** 2).sum(axis=2)
        from_query = ((X - query) ** 2).sum(axis=1)
        if not (_no_ties(squares) and _no_ties(from_query[None]) and from_query.min() > 0):
            continue
        run = hart_condense(X, y)
        if 3 <= len(run.store) <= 4 and len(run.added) == 3 and from_query.argmin() not in run.store:
            break
    store, added = run.store.tolist(), run.added.tolist()
    before, after = int(from_query.argmin()), store[int(from_query[store].argmin())]
    statement = "\n\n".join(
        [
            f"Condense six points by Hart's rule: {_points(X)}. {_classes(y)} The points come in alphabetical order, "
            "the first one is stored at once, and 1-NN decides by the smallest squared distance.",
            "1. Make passes until one stores nothing. Which points are stored, in which order, and how many passes are "
            "there, the last one included? (6 marks)",
            "2. How many squared distances does 1-NN compute for a new point, with all points and with the stored "
            "ones? (1 mark)",
            f"3. Which class does $Q={row(query)}$ get from all points, and which from the stored ones? (3 marks)",
            "Fill in, with one such table for each pass, a line for each point that comes and is not stored yet:",
            table([[a, "", "", ""] for a in NAMES[1:6]], _TRACE).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "store": [NAMES[i] for i in store], "passes": len(added), "distances": [6, len(store)],
        "before": CLASSES[y[before]], "after": CLASSES[y[after]],
    }  # fmt: skip
    fields = [
        ask.sequence(
            "store",
            "stored points, in their order",
            1,
            5,
            options=NAMES[:6],
            slips=[
                ask.slip(
                    [NAMES[i] for i in sorted(store)],
                    "Those are the right points in alphabetical order; one of them is stored in a later pass only.",
                    card="prototype-selection-lost-marks-pass",
                )
            ],
        ),
        ask.number(
            "passes",
            "number of passes",
            1,
            1,
            whole=True,
            slips=[
                ask.slip(
                    len(added) - 1,
                    "Those are the passes that store a point; the last one, which stores nothing, is needed to see "
                    "that.",
                    card="prototype-selection-lost-marks-pass",
                )
            ],
        ),
        ask.vector(
            "distances",
            "squared distances",
            2,
            1,
            titles=["all points", "stored points"],
            whole=True,
            after=["store"],
            slips=[
                ask.slip(
                    [len(X), 1 + added[0]],
                    "The second number is that of the points stored after one pass; later passes store more.",
                    card="prototype-selection-lost-marks-pass",
                ),
            ],
        ),
        ask.choice(
            "before",
            "class of $Q$ from all points",
            3,
            1.5,
            options=CLASSES,
        ),
        ask.choice(
            "after",
            "class of $Q$ from the stored points",
            3,
            1.5,
            options=CLASSES,
            follows=_nearest_stored(from_query, y, len(store)),
        ),
    ]
    lines = [f"Start: the store holds A, of class {CLASSES[y[0]]}."]
    for t, visits in enumerate(_passes(squares, y), start=1):
        lines += [f"**Pass {t}:**", table(visits, _TRACE).markdown]
    differences = [f"({q}-{x})^2" for q, x in zip(query, X[after], strict=True)]
    changed = "They agree" if answer["before"] == answer["after"] else "They differ"
    lines += [
        f"The last pass stored nothing: stop after {len(added)} passes, with {', '.join(answer['store'])}. Each other "
        "point has the class of its nearest stored one: the store is consistent.",
        f"**Distances:** 6 from all points, {len(store)} from the stored ones.",
        f"**Query:** its squared distances from A to F are {', '.join(f'${v}$' for v in from_query)}. Of all points "
        f"{NAMES[before]} is the nearest, class {answer['before']}; of the stored ones {NAMES[after]}, with "
        f"${'+'.join(differences)}={from_query[after]}$, class {answer['after']}. {changed}; consistency "
        "is promised for the training points only.",
        "Marks: 5 for the trace, 1 for the number of passes, 1 for the distances, 1.5 for the class from all points, "
        "1.5 for the class from the stored ones.",
    ]
    given = {"points": X.tolist(), "labels": y.tolist(), "query": query.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _nearest_stored(from_query: np.ndarray, y: np.ndarray, size: int) -> str:
    """The class of the nearest stored point, as an expression of the stored ones."""
    distances, classes = (
        [" + ".join(f"{v}*(store[{j}] == {i})" for i, v in enumerate(values)) for j in range(size)]
        for values in (from_query, y)
    )
    nearest = f"argmin({', '.join(distances)})"
    return " + ".join(f"({c})*({nearest} == {j})" for j, c in enumerate(classes))


_TRACE = ["point", "squared distances from the store", "nearest", "stored"]


def _passes(squares: np.ndarray, y: np.ndarray) -> list[list[list[str]]]:
    """Rows of the table of each pass."""
    store, passes = [0], list[list[list[str]]]()
    while not passes or any(cells[-1] == "yes" for cells in passes[-1]):
        visits = []
        for i in range(1, 6):
            if i not in store:
                nearest = min(store, key=lambda j: squares[i, j])
                told = ", ".join(f"{NAMES[j]} ${squares[i, j]}$" for j in store)
                wrong = y[nearest] != y[i]
                visits.append([f"{NAMES[i]} ({CLASSES[y[i]]})", told, f"{NAMES[nearest]} ({CLASSES[y[nearest]]})",
                               "yes" if wrong else "no"])  # fmt: skip
                store += [i] if wrong else []
        passes.append(visits)
    return passes


def _no_ties(distances: np.ndarray) -> bool:
    """Whether no row holds a distance twice."""
    return all(len(set(line)) == len(line) for line in distances.tolist())


@drill("wilson-editing", marks=9, minutes=12, title="Wilson's editing on a line")
def editing(rng: np.random.Generator) -> Parts:
    """Seven points on a line edited by their three nearest neighbours, and a query before and after."""
    while True:
        x = np.sort(rng.choice(30, size=7, replace=False))
        y = rng.permutation([0, 0, 0, 1, 1, 1, 1])
        query = int(rng.integers(0, 30))
        from_query = np.abs(x - query)
        if not (_no_ties(np.abs(x[:, None] - x)) and _no_ties(from_query[None])):
            continue
        kept = wilson_edit(x[:, None], y, k=3)
        if 4 <= len(kept) <= 6 and 0 < y[kept].sum() < len(kept) and from_query.argmin() not in kept:
            break
    near = k_nearest(x[:, None], None, 3).indices
    removed = [i for i in range(7) if i not in kept]
    before, after = int(from_query.argmin()), int(kept[from_query[kept].argmin()])
    points = ", ".join(f"${a}={v}$" for a, v in zip(NAMES, x, strict=False))
    statement = "\n\n".join(
        [
            f"Seven points on a line: {points}. {_classes(y)}",
            "1. Edit them by Wilson's rule with $k=3$: give the three nearest other points of each, their vote, and "
            "the points that are removed (6 marks).",
            f"2. Which class does 1-NN give the query $q={query}$ before and after editing? (2 marks)",
            "3. Why must a point not be counted among its own neighbours? (1 mark)",
            "Fill in:",
            table([[a, "", "", ""] for a in NAMES[:7]], _EDIT).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "removed": [NAMES[i] for i in removed], "before": CLASSES[y[before]], "after": CLASSES[y[after]],
    }  # fmt: skip
    fields = [
        ask.sequence(
            "removed",
            "removed points",
            1,
            6,
            options=NAMES[:7],
            kind="set",
            slips=[
                ask.slip(
                    [NAMES[i] for i in range(7) if (y[near[i]] != y[i]).any()],
                    "That removes a point as soon as one neighbour disagrees; here two of three must.",
                    card="prototype-selection-convention-kind",
                ),
                ask.slip(
                    [NAMES[i] for i in range(7) if (y[near[i][:2]] != y[i]).all()],
                    "There each point is one of its own three voters; take the three nearest others.",
                    card="prototype-selection-lost-marks-self",
                ),
                ask.slip(
                    [NAMES[i] for i in range(7) if y[near[i][0]] != y[i]],
                    "There the nearest other point decides alone; three of them vote.",
                    card="prototype-selection-convention-one",
                ),
                ask.slip(
                    [NAMES[i] for i in kept],
                    "Those are the points that are kept; asked is which ones are removed.",
                    card="prototype-selection-do-not-confuse-two",
                ),
            ],
        ),
        ask.choice(
            "before",
            "class of $q$ before editing",
            2,
            options=CLASSES,
            slips=[
                ask.slip(
                    answer["after"],
                    "That is the class after editing; before it a removed point is nearer.",
                    card="prototype-selection-convention-one",
                )
            ],
        ),
        ask.choice(
            "after",
            "class of $q$ after editing",
            2,
            options=CLASSES,
            follows=_nearest_kept(from_query, y),
            slips=[
                ask.slip(
                    answer["before"],
                    "That is the class before editing; the nearest point has been removed.",
                    card="prototype-selection-convention-one",
                )
            ],
        ),
        ask.own("why", "why a point is not its own neighbour", 3),
    ]
    rows = []
    for i, others in enumerate(near):
        told = ", ".join(f"{NAMES[j]} ({CLASSES[y[j]]})" for j in others)
        wins = int(2 * y[others].sum() > 3)
        rows.append([f"{NAMES[i]} ({CLASSES[y[i]]})", told, CLASSES[wins], "kept" if wins == y[i] else "removed"])
    lines = [
        "All votes are taken in the whole set; nothing is removed before the last vote.",
        table(rows, _EDIT).markdown,
        f"**Removed:** {', '.join(answer['removed'])}; {len(kept)} points are left.",
        f"**Query:** before editing the nearest point is {NAMES[before]}, at the distance "
        f"${_gap(query, x[before])}={from_query[before]}$, class {answer['before']}. It is removed; after editing "
        f"the nearest one is {NAMES[after]}, at ${_gap(query, x[after])}={from_query[after]}$, class "
        f"{answer['after']}.",
        "**Why:** at the distance 0 a point is always its own nearest neighbour. It would vote for its own label; with "
        "$k=1$ nothing would ever be removed.",
        "Marks: 6 for the votes and what is removed, 1 for the class before, 1 for the class after, 1 for the reason.",
    ]
    given = {"x": x.tolist(), "labels": y.tolist(), "query": query}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _nearest_kept(from_query: np.ndarray, y: np.ndarray) -> str:
    """The class of the nearest point that is not removed, as an expression."""
    nearest = f"argmin({', '.join(f'{v} + 100*removed[{i}]' for i, v in enumerate(from_query))})"
    return " + ".join(f"({nearest} == {i})" for i, c in enumerate(y) if c == 1)


_EDIT = ["point", "three nearest others", "vote", "kept or removed"]


def _gap(a: int, b: int) -> str:
    return f"{max(a, b)}-{min(a, b)}"


def _points(X: np.ndarray) -> str:
    return ", ".join(f"${a}={row(x)}$" for a, x in zip(NAMES, X, strict=False))


def _classes(y: np.ndarray) -> str:
    names = [", ".join(a for a, label in zip(NAMES, y, strict=False) if label == c) for c in (0, 1)]
    return f"Class 1: {names[0]}; class 2: {names[1]}."


@drill("edited-posterior", marks=8, minutes=10, title="What editing does to the posterior")
def posterior(rng: np.random.Generator) -> Parts:
    """Posterior, share that is kept, and limits of the error, of one round and of two rounds with one vote."""
    eta = Fraction(1, 2)
    while eta == Fraction(1, 2) or not Fraction(1, 5) <= eta <= Fraction(9, 10):
        eta = Fraction(int(rng.integers(2, 12)), int(rng.integers(3, 14)))
    n = int(rng.integers(2, 10)) * 100
    other = 1 - eta
    share = eta**2 + other**2
    once = eta**2 / share
    twice = eta**4 / (eta**4 + other**4)
    risk = eta * (1 - once) + other * once
    whole = 2 * eta * other
    statement = "\n\n".join(
        [
            f"At a point $\\mathbf{{x}}$ the posterior of class 1 is $\\eta={fraction(eta)}$. A very large training "
            "set is edited: each instance is kept if an independent instance at the same place has its label ($k=1$).",
            f"1. Which share of the instances at $\\mathbf{{x}}$ is kept, and how many of ${n}$ on average? (2 marks)",
            "2. What is the posterior of class 1 among the kept ones? (2 marks)",
            "3. What is the conditional error of 1-NN there, before editing and after it? Compare with Bayes's rule "
            "(3 marks).",
            "4. What is the posterior after a second round? (1 mark)",
        ]
    )
    answer = {
        "share": float(share), "number": float(n * share), "once": float(once), "whole": float(whole),
        "risk": float(risk), "best": float(min(eta, other)), "twice": float(twice),
    }  # fmt: skip
    fields = [
        ask.number(
            "share",
            "share that is kept",
            1,
            slips=[
                ask.slip(
                    eta**2,
                    "Those are the kept ones of class 1 alone; two instances of class 0 agree, too.",
                    card="prototype-selection-do-not-confuse-two",
                ),
                ask.slip(
                    whole,
                    "That is the share whose neighbour disagrees, which is removed; the others are kept.",
                    card="prototype-selection-do-not-confuse-two",
                ),
            ],
        ),
        ask.number(
            "number",
            f"how many of ${n}$ on average",
            1,
            **ask.DERIVED,
            follows=f"{n}*share",
            slips=[
                ask.slip(
                    n * whole,
                    "So many are removed on average; asked is how many are kept.",
                    card="prototype-selection-do-not-confuse-two",
                )
            ],
        ),
        ask.number(
            "once",
            "posterior after one round",
            2,
            2,
            follows=f"{float(eta)}^2/share",
            slips=[
                ask.slip(
                    eta**2,
                    "That is the probability of class 1 and being kept; among the kept ones divide it by their share.",
                    card="prototype-selection-lost-marks-clean",
                ),
                ask.slip(
                    eta,
                    "That is the posterior before editing; the kept instances favour the larger class.",
                    card="prototype-selection-lost-marks-clean",
                ),
            ],
        ),
        ask.number(
            "whole",
            "error of 1-NN before editing",
            3,
            slips=[
                ask.slip(
                    eta * other,
                    "That is one of the two ways to differ; the neighbour may have either label.",
                    card="prototype-selection-convention-one",
                )
            ],
        ),
        ask.number(
            "risk",
            "error of 1-NN after editing",
            3,
            **ask.DERIVED,
            follows=f"{float(eta)}*(1 - once) + {float(other)}*once",
            slips=[
                ask.slip(
                    2 * once * (1 - once),
                    "That edits the query, too; its label still has the old posterior, and only the neighbour's has "
                    "the new one.",
                    card="prototype-selection-lost-marks-clean",
                ),
                ask.slip(
                    1 - risk,
                    "That is the probability that both labels agree; an error is that they differ.",
                    card="prototype-selection-lost-marks-clean",
                ),
            ],
        ),
        ask.number(
            "best",
            "error of Bayes's rule",
            3,
            slips=[
                ask.slip(
                    min(once, 1 - once),
                    "That takes the posterior among the kept ones; new instances are not edited.",
                    card="prototype-selection-lost-marks-clean",
                )
            ],
        ),
        ask.number(
            "twice",
            "posterior after two rounds",
            4,
            **ask.DERIVED,
            follows="once^2/(once^2 + (1 - once)^2)",
            slips=[
                ask.slip(
                    eta**3 / (eta**3 + other**3),
                    "That takes one more factor of $\\eta$; the second round squares the new posterior.",
                    card="prototype-selection-lost-marks-clean",
                ),
                ask.slip(
                    once**2,
                    "That is the square of the new posterior; divide it by the share that the second round keeps.",
                    card="prototype-selection-lost-marks-clean",
                ),
            ],
        ),
    ]
    p, q = fraction(eta), fraction(other)
    lines = [
        f"**Share:** both labels are 1, or both are 0: ${p}\\cdot{p}+{q}\\cdot{q}={fraction(share)}$. Of ${n}$ "
        f"instances that is ${n}\\cdot{fraction(share)}={fraction(n * share)}\\approx{sig(float(n * share))}$.",
        f"**Posterior:** $\\frac{{{p}\\cdot{p}}}{{{fraction(share)}}}={fraction(once)}\\approx{sig(float(once))}$.",
        f"**Errors:** before editing $2\\cdot{p}\\cdot{q}={fraction(whole)}$. After it the label of the query and that "
        f"of the nearest kept instance differ with probability ${p}\\cdot{fraction(1 - once)}+{q}\\cdot"
        f"{fraction(once)}={fraction(risk)}\\approx{sig(float(risk))}$. Bayes's rule errs with "
        f"${fraction(min(eta, other))}$: editing has taken away a part of the difference.",
        "**Second round:** the same step with the new posterior, "
        f"$\\frac{{{fraction(once)}\\cdot{fraction(once)}}}"
        f"{{{fraction(once)}\\cdot{fraction(once)}+{fraction(1 - once)}\\cdot{fraction(1 - once)}}}="
        f"{fraction(twice)}\\approx{sig(float(twice))}$.",
        "Marks: 1 for the share, 1 for the number, 2 for the posterior, 1 for the first error, 1 for the second "
        "error, 1 for the error of Bayes's rule, 1 for the second round.",
    ]
    return Parts(statement, {"eta": [eta.numerator, eta.denominator], "n": n}, "\n\n".join(lines), answer, fields)
