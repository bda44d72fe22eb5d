"""Drills on Bayesian networks: two causes of one effect, d-separation, variable elimination, counting parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from notes_lib.bayes.bayesian_network import (
    BayesianNetwork,
    ancestors,
    count_parameters,
    d_separated,
    markov_blanket,
)
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask

Graph = Mapping[str, Sequence[str]]


@drill("bayes-net-query", marks=9, minutes=12, title="Two causes of one effect")
def bayes_net_query(rng: np.random.Generator) -> Parts:
    """Joint probabilities of two causes and an effect, a posterior, and the same with the other cause known."""
    while True:
        prior = rng.integers(1, 6, size=2) / 10
        effect = np.sort(rng.integers(0, 10, size=4)).reshape(2, 2) / 10
        if rng.random() < 0.5:
            effect = effect.T
        tables: dict[str, Any] = {name: [1 - p, p] for name, p in zip("AB", prior, strict=True)}
        tables["C"] = np.stack([1 - effect, effect], axis=-1)
        network = BayesianNetwork({"A": [], "B": [], "C": ["A", "B"]}).set_tables(tables)
        one, both = (float(network.query("A", seen)[1]) for seen in ({"C": 1}, {"C": 1, "B": 1}))
        if len(np.unique(effect)) == 4 and abs(one - both) > 0.03 and 0.02 < both < 0.98:
            break
    cases = [(a, b) for a in (1, 0) for b in (1, 0)]
    joint = {(a, b): float(network.query(["A", "B", "C"])[a, b, 1]) for a, b in cases}
    p_effect = float(network.query("C")[1])
    words = {1: "yes", 0: "no"}
    statement = "\n\n".join(
        [
            f"Two independent causes, $A$ with probability ${sig(prior[0])}$ and $B$ with probability "
            f"${sig(prior[1])}$, have a common effect $C$ (network: A → C ← B). The probability of $C$ is",
            table([[words[a], words[b], effect[a, b]] for a, b in cases], ["A", "B", "probability of C"]).markdown,
            "1. Give the probabilities that $C$ occurs together with each of the four cases of the causes, and the "
            "probability of $C$ (4 marks).",
            "2. $C$ has occurred. How probable is $A$? (2 marks)",
            "3. You learn that $B$ has occurred as well. How probable is $A$ now, and does $B$ speak against $A$ "
            "(explain it away) or for it? (3 marks)",
            table([[words[a], words[b], ""] for a, b in cases], _JOINT).markdown,
        ]
    )
    direction = "against" if both < one else "for"
    share = {name: {1: float(p), 0: float(1 - p)} for name, p in zip("AB", prior, strict=True)}
    answer: dict[str, Any] = {"joint": [joint[c] for c in cases], "effect": p_effect, "one": one, "both": both,
                              "direction": direction}  # fmt: skip
    fields = [
        ask.vector(
            "joint", "probabilities of the four cases with $C$", 1, 3, titles=["both", "only $A$", "only $B$", "none"],
            slips=[
                ask.slip(
                    [share["A"][a] * share["B"][b] * effect[b, a] for a, b in cases],
                    "That takes the rows of only $A$ and only $B$ for each other.",
                    card="bayesian-network-convention-layout",
                ),
                ask.slip(
                    [effect[a, b] for a, b in cases],
                    "Those are the probabilities of $C$ given each case; multiply by the probability of the case.",
                    card="bayesian-network-convention-layout",
                ),
            ],
        ),
        ask.number(
            "effect", "probability of $C$", 1, 1, **ask.DERIVED, follows="sum(joint)",
            slips=[
                ask.slip(
                    effect.mean(),
                    "That is the plain mean of the four rows; each counts by the probability of its case.",
                    card="bayesian-network-convention-layout",
                )
            ],
        ),
        ask.number(
            "one", "probability of $A$ given $C$", 2, 2, **ask.DERIVED, follows="(joint[0] + joint[1])/effect",
            slips=[
                ask.slip(
                    joint[1, 1] + joint[1, 0],
                    "That is the probability of $A$ together with $C$; divide it by that of $C$.",
                    card="bayesian-network-lost-marks-sign",
                ),
                ask.slip(
                    (joint[1, 1] + joint[1, 0]) / prior[0],
                    "That is the probability of $C$ given $A$; for $A$ given $C$ divide by the probability of $C$.",
                    card="bayesian-network-lost-marks-sign",
                ),
            ],
        ),
        ask.number(
            "both", "probability of $A$ given $C$ and $B$", 3, 2, **ask.DERIVED,
            follows="joint[0]/(joint[0] + joint[2])",
            slips=[
                ask.slip(
                    joint[1, 1] / p_effect,
                    "That divides by the probability of $C$; as $B$ has occurred too, only the two cases with $B$ are "
                    "left.",
                    card="bayesian-network-lost-marks-sign",
                ),
                ask.slip(
                    prior[0],
                    "That is the probability before anything was known: the causes are independent only until their "
                    "effect is known.",
                    card="bayesian-network-lost-marks-collider",
                ),
                ask.slip(
                    one,
                    "That leaves out $B$: the causes are independent only until their common effect is known.",
                    card="bayesian-network-lost-marks-collider",
                ),
            ],
        ),
        ask.choice(
            "direction", "$B$ speaks", 3, 1, options=["against", "for"], follows="both > one",
            slips=[
                ask.slip(
                    "for" if both < one else "against",
                    "That is the wrong way round: $B$ speaks against $A$ if it makes $A$ less probable than $C$ alone "
                    "did.",
                    card="bayesian-network-lost-marks-collider",
                )
            ],
        ),
    ]  # fmt: skip
    rows = [
        [words[a], words[b], f"${sig(share['A'][a])} \\cdot {sig(share['B'][b])} \\cdot {sig(effect[a, b])} "
                             f"= {sig(joint[a, b])}$"]
        for a, b in cases
    ]  # fmt: skip
    lines = [
        "**Joint probabilities:** the causes are independent, so each case is a product of three numbers.",
        table(rows, _JOINT).markdown,
        f"**Effect:** ${' + '.join(sig(joint[c]) for c in cases)} = {sig(p_effect)}$.",
        f"**Given the effect:** keep the cases with $A$, $\\frac{{{sig(joint[1, 1])} + {sig(joint[1, 0])}}}"
        f"{{{sig(p_effect)}}} = {sig(one)}$.",
        f"**Given the effect and the other cause:** only cases with $B$ are left, "
        f"$\\frac{{{sig(joint[1, 1])}}}{{{sig(joint[1, 1])} + {sig(joint[0, 1])}}} = {sig(both)}$.",
        f"It was ${sig(one)}$ before: $B$ speaks {direction} $A$"
        + (", it explains the effect away." if both < one else ", since both together make the effect much likelier."),
        "Marks: 3 for the cases, 1 for the probability of the effect, 1 for the numerator, 1 for the quotient, 1 for "
        "the two cases that are left, 1 for the second quotient, 1 for the direction.",
    ]
    given = {"prior": prior.tolist(), "effect": effect.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_JOINT = ["A", "B", "probability with C"]


def _random_graph(rng: np.random.Generator, names: str, share: float) -> dict[str, list[str]]:
    """Arrows from earlier to later letters, each with the probability ``share``."""
    return {n: [p for p in names[:i] if rng.random() < share] for i, n in enumerate(names)}


def _arrows(graph: Graph) -> str:
    return ", ".join(f"{p} → {n}" for n, above in graph.items() for p in above)


def _paths(graph: Graph, start: str, end: str) -> Iterator[list[str]]:
    """All paths without a repeated node, along arrows of either direction."""
    near = {n: {*graph[n], *(c for c in graph if n in graph[c])} for n in graph}
    todo = [[start]]
    while todo:
        path = todo.pop()
        if path[-1] == end:
            yield path
        else:
            todo += [[*path, n] for n in sorted(near[path[-1]], reverse=True) if n not in path]


def _judge(graph: Graph, path: Sequence[str], given: Sequence[str]) -> str:
    """What a path looks like, and the first node that blocks it."""
    text = path[0] + "".join(f" {'→' if a in graph[b] else '←'} {b}" for a, b in pairwise(path))
    for a, b, c in zip(path, path[1:], path[2:], strict=False):
        collider = a in graph[b] and c in graph[b]
        if collider and b not in ancestors(graph, given):
            return f"{text}: blocked at {b}, where two arrows meet and nothing at or below it is observed"
        if not collider and b in given:
            return f"{text}: blocked at {b}, which is observed"
    return f"{text}: open"


@drill("d-separation", marks=8, minutes=10, title="Independence read off a graph")
def d_separation(rng: np.random.Generator) -> Parts:
    """Three questions of d-separation in a graph of six nodes, and a Markov blanket."""
    names = "ABCDEF"
    while True:
        graph = _random_graph(rng, names, 0.42)
        questions = [_question(rng, graph) for _ in range(3)]
        said = [d_separated(graph, *q) for q in questions]
        n_paths = [len(list(_paths(graph, x, y))) for x, y, _ in questions]
        node = str(rng.choice(list(names)))
        blanket = sorted(markov_blanket(graph, node))
        wide = sum(map(len, graph.values())) in (6, 7) and min(n_paths) >= 1 and max(n_paths) <= 3
        if wide and len(set(said)) == 2 and len({str(q) for q in questions}) == 3 and 2 <= len(blanket) <= 4:
            break
    below = sorted(c for c in names if node in graph[c])
    lines = [
        f"{i}. Are {x} and {y} independent given {_listed(z)} in every distribution that factorises by the graph? "
        "Say for each path between them why it is open or blocked (2 marks)."
        for i, (x, y, z) in enumerate(questions, 1)
    ]
    statement = "\n\n".join(
        [f"A network has the variables A to F and the arrows {_arrows(graph)}.", *lines,
         f"4. Give the Markov blanket of {node} (2 marks)."]
    )  # fmt: skip
    words = {True: "yes", False: "no"}
    answer: dict[str, Any] = {"separated": [words[s] for s in said], "blanket": blanket}
    fields = [
        field
        for i, (x, y, z) in enumerate(questions, 1)
        for field in (
            ask.choice(
                f"separated.{i - 1}",
                f"{x} and {y} independent given {_listed(z)}",
                i,
                options=["yes", "no"],
                slips=[_misjudged(graph, x, y, z)],
            ),
            ask.own(f"why{i}", "the reasons, path by path", i),
        )
    ] + [
        ask.sequence(
            "blanket",
            f"Markov blanket of {node}",
            4,
            2,
            options=names,
            kind="set",
            slips=[
                ask.slip(
                    sorted([*graph[node], *below]),
                    "That lacks the other parents of the children: a known child opens the path to them.",
                    card="bayesian-network-lost-marks-collider",
                ),
                ask.slip(
                    sorted([*blanket, node]),
                    f"{node} itself does not belong to it: the blanket is what makes {node} independent of all others.",
                    card="bayesian-network-lost-marks-collider",
                ),
            ],
        )
    ]
    told = []
    for i, (x, y, z) in enumerate(questions, 1):
        told += [f"**Question {i}:** {words[said[i - 1]]}."]
        told += [f"- {_judge(graph, path, z)}." for path in _paths(graph, x, y)]
    other = sorted({p for c in below for p in graph[c]} - {node})
    told += [
        f"**Blanket of {node}:** parents {_listed(graph[node], 'none')}, children {_listed(below, 'none')}, other "
        f"parents of the children {_listed(other, 'none')}; together {_listed(blanket)}.",
        "Marks: 1 for the first answer, 1 for its reasons, 1 for the second answer, 1 for its reasons, 1 for the third "
        "answer, 1 for its reasons, 1 for parents and children, 1 for the parents of the children.",
    ]
    given = {"parents": graph, "questions": [[x, y, list(z)] for x, y, z in questions], "node": node}
    return Parts(statement, given, "\n\n".join(told), answer, fields)


def _misjudged(graph: Graph, x: str, y: str, z: list[str]) -> ask.Slip:
    """The wrong answer to a question of d-separation, and why it is wrong."""
    told = [_judge(graph, path, z).partition(": ") for path in _paths(graph, x, y)]
    card = "bayesian-network-lost-marks-collider"
    for path, _, state in told:
        if state == "open" and _meets(graph, path.split()[::2]):
            return ask.slip(
                "yes",
                f"The path {path} is open: where two arrows meet, that node or one below it is observed, and no other "
                "node of the path is.",
                card,
            )
        if state == "open":
            return ask.slip(
                "yes", f"The path {path} is open: no two arrows meet on it, and no node of it is observed.", card
            )
    first = max(told, key=lambda part: "arrows meet" in part[2])
    return ask.slip("no", f"No path is open: {first[0]} is {first[2]}.", card)


def _meets(graph: Graph, path: Sequence[str]) -> bool:
    """Whether two arrows meet somewhere on a path."""
    return any(a in graph[b] and c in graph[b] for a, b, c in zip(path, path[1:], path[2:], strict=False))


def _question(rng: np.random.Generator, graph: Graph) -> tuple[str, str, list[str]]:
    """Two variables without an arrow between them, and up to two others."""
    while True:
        x, y, *rest = rng.permutation(list(graph)).tolist()
        if x not in graph[y] and y not in graph[x]:
            return min(x, y), max(x, y), sorted(rest[: int(rng.integers(3))])


def _listed(names: Sequence[str], empty: str = "nothing") -> str:
    return " and ".join(names) if len(names) < 3 and names else ", ".join(names) or empty


@drill("variable-elimination", marks=10, minutes=14, title="Variable elimination in a chain")
def variable_elimination(rng: np.random.Generator) -> Parts:
    """A chain A, B, C, D with D observed: two messages, the posterior of A, and the multiplications saved."""
    n_b, n_c = (int(k) for k in rng.choice([(2, 3), (3, 2), (2, 2)]))
    while True:
        a = _tenths(rng, 1, 2)[0]
        b, c = _tenths(rng, 2, n_b), _tenths(rng, n_b, n_c)
        d = rng.integers(1, 10, size=n_c) / 10
        by_c = c @ d
        by_b = b @ by_c
        weight = a * by_b
        if len(set(d)) == n_c and np.ptp(by_b) > 0.05:
            break
    network = BayesianNetwork({"A": [], "B": ["A"], "C": ["B"], "D": ["C"]})
    network.set_tables({"A": a, "B": b, "C": c, "D": np.stack([1 - d, d], axis=-1)})
    seen = {"D": 1}
    posterior = network.query("A", seen, order=["C", "B"])
    few, many = n_b * n_c + 2 * n_b + 2, 3 * 2 * n_b * n_c
    statement = "\n\n".join(
        [
            "A chain A → B → C → D. Its tables, one row for each state of the parent:",
            table([a], [f"A = {i}" for i in range(2)]).markdown,
            table([[f"A = {i}", *r] for i, r in enumerate(b)], ["", *(f"B = {j}" for j in range(n_b))]).markdown,
            table([[f"B = {j}", *r] for j, r in enumerate(c)], ["", *(f"C = {k}" for k in range(n_c))]).markdown,
            table([[f"C = {k}", p] for k, p in enumerate(d)], ["", "D = 1"]).markdown,
            "You observe D = 1.",
            "1. Eliminate C: the message to each state of B (3 marks).",
            "2. Eliminate B: the message to each state of A (3 marks).",
            "3. Give the probability of the evidence and the posterior of A (2 marks).",
            "4. How many multiplications did the sums and the last product take, and how many does it take to form "
            "the table of all products of four numbers, with A, B and C free? (2 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "by_c": by_c.tolist(), "by_b": by_b.tolist(), "evidence": float(weight.sum()),
        "posterior": posterior.tolist(), "few": few, "many": many,
    }  # fmt: skip
    fields = [
        ask.vector(
            "by_c",
            "message to B",
            1,
            3,
            titles=[f"$B = {j}$" for j in range(n_b)],
            slips=[
                ask.slip(
                    c @ (1 - d),
                    "That is the message for $D = 0$; you observe $D = 1$.",
                    card="bayesian-network-convention-layout",
                )
            ],
        ),
        ask.vector(
            "by_b",
            "message to A",
            2,
            3,
            titles=["$A = 0$", "$A = 1$"],
            follows=[" + ".join(f"{v}*by_c[{j}]" for j, v in enumerate(r)) for r in b],
            slips=_across(b, by_c),
        ),
        ask.number(
            "evidence",
            "probability of the evidence",
            3,
            1,
            **ask.DERIVED,
            follows=f"{a[0]}*by_b[0] + {a[1]}*by_b[1]",
            slips=[
                ask.slip(
                    by_b.sum(),
                    "That adds the messages without the prior of A; multiply each by it first.",
                    card="bayesian-network-lost-marks-sign",
                )
            ],
        ),
        ask.vector(
            "posterior",
            "posterior of A",
            3,
            1,
            titles=["$A = 0$", "$A = 1$"],
            **ask.DERIVED,
            follows=[f"{v}*by_b[{i}]/evidence" for i, v in enumerate(a)],
            slips=[
                ask.slip(
                    weight,
                    "Those are proportional to the posterior only; divide by the probability of the evidence.",
                    card="bayesian-network-lost-marks-sign",
                ),
                ask.slip(
                    by_b / by_b.sum(),
                    "That forgets the prior of A; multiply the messages by it before you divide.",
                    card="bayesian-network-lost-marks-sign",
                ),
            ],
        ),
        ask.number(
            "few",
            "multiplications by elimination",
            4,
            1,
            whole=True,
            slips=[
                ask.slip(
                    n_b * n_c + 2 * n_b,
                    "That leaves out the last product, with the prior of A.",
                    card="bayesian-network-convention-operations",
                ),
                ask.slip(
                    few + n_b * (n_c - 1) + 2 * (n_b - 1) + 1,
                    "That counts the additions, too.",
                    card="bayesian-network-convention-operations",
                ),
            ],
        ),
        ask.number(
            "many",
            "multiplications for the whole table",
            4,
            1,
            whole=True,
            slips=[
                ask.slip(
                    4 * 2 * n_b * n_c,
                    "That counts four for each entry; a product of four numbers takes three.",
                    card="bayesian-network-convention-operations",
                ),
                ask.slip(
                    2 * n_b + 2 * 2 * n_b * n_c,
                    "That multiplies the small tables first, which saves some; here each entry of the whole table is "
                    "a product of four numbers.",
                    card="bayesian-network-convention-operations",
                ),
            ],
        ),
    ]
    lines = [
        "**Eliminate C:** for each state of B, sum over C.",
        table([[f"B = {j}", _sum(r, d, by_c[j])] for j, r in enumerate(c)], ["", "message"]).markdown,
        "**Eliminate B:** for each state of A, sum over B.",
        table([[f"A = {i}", _sum(r, by_c, by_b[i])] for i, r in enumerate(b)], ["", "message"]).markdown,
        f"**Evidence:** times the prior of A, ${_products(a, by_b)} = {sig(weight[0])} + {sig(weight[1])} "
        f"= {sig(weight.sum())}$.",
        "**Posterior:** "
        + " and ".join(f"$\\frac{{{sig(w)}}}{{{sig(weight.sum())}}} = {sig(p)}$"
                       for w, p in zip(weight, posterior, strict=True)) + ".",
        f"**Cost:** ${n_b} \\cdot {n_c} + 2 \\cdot {n_b} + 2 = {few}$ multiplications. The whole table has "
        f"$2 \\cdot {n_b} \\cdot {n_c} = {2 * n_b * n_c}$ entries, each a product of four numbers, so "
        f"$3 \\cdot {2 * n_b * n_c} = {many}$.",
        "Marks: 1 for the idea of the message, 2 for its entries, 1 for the use of the first message, 2 for its "
        "entries, 1 for the evidence, 1 for the posterior, 1 for the first count, 1 for the second.",
    ]  # fmt: skip
    given = {"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "d": d.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _across(table: np.ndarray, message: np.ndarray) -> list[ask.Slip]:
    """The sum along the columns, where a square table lets it be formed."""
    if len(table) != len(message):
        return []
    says = "That sums along the columns; a row holds the distribution for one state of the parent."
    return [ask.slip(table.T @ message, says, card="bayesian-network-convention-layout")]


def _tenths(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """N distributions over k states in tenths, without zeros."""
    return np.array([1 + rng.multinomial(10 - k, np.ones(k) / k) for _ in range(n)]) / 10


def _products(u: Iterable[float], v: Iterable[float]) -> str:
    return " + ".join(f"{sig(x)} \\cdot {sig(y)}" for x, y in zip(u, v, strict=True))


def _sum(u: Iterable[float], v: Iterable[float], total: float) -> str:
    return f"${_products(u, v)} = {sig(total)}$"


@drill("parameter-count", marks=7, minutes=8, title="Counting the parameters of a network")
def parameter_count(rng: np.random.Generator) -> Parts:
    """Free parameters of each table, of the network, of the whole joint table, and of one arrow more."""
    names = "ABCDE"
    while True:
        graph, k = _random_graph(rng, names, 0.45), {n: int(rng.integers(2, 5)) for n in names}
        missing = [(p, n) for i, n in enumerate(names) for p in names[:i] if p not in graph[n]]
        if max(map(len, graph.values())) == 2 and len(missing) >= 3 and len(set(k.values())) > 1:
            break
    start, end = missing[int(rng.integers(len(missing)))]
    each = [(k[n] - 1) * prod(k[p] for p in graph[n]) for n in names]
    total, full = count_parameters(graph, k), prod(k.values()) - 1
    more = count_parameters({**graph, end: [*graph[end], start]}, k) - total
    statement = "\n\n".join(
        [
            f"A network has the variables A to E and the arrows {_arrows(graph)}.",
            table([[n, k[n]] for n in names], ["variable", "states"]).markdown,
            "1. How many free parameters has the table of each variable? (3 marks)",
            "2. How many has the network, and how many a table of the joint distribution without any assumption? "
            "(2 marks)",
            f"3. How many more does the network have with the arrow {start} → {end} added? (2 marks)",
        ]
    )
    answer: dict[str, Any] = {"each": each, "total": total, "full": full, "more": more}
    fields = [
        ask.vector(
            "each",
            "free parameters",
            1,
            3,
            titles=names,
            whole=True,
            slips=[
                ask.slip(
                    [k[n] * prod(k[p] for p in graph[n]) for n in names],
                    "Those are all entries; the last one of each distribution follows from the others.",
                    card="bayesian-network-lost-marks-count",
                ),
                ask.slip(
                    [(k[n] - 1) * (sum(k[p] for p in graph[n]) or 1) for n in names],
                    "That adds the states of the parents; there is a distribution for each combination, so multiply.",
                    card="bayesian-network-lost-marks-count",
                ),
            ],
        ),
        ask.number(
            "total",
            "the network",
            2,
            1,
            whole=True,
            follows="sum(each)",
            slips=[
                ask.slip(
                    sum(k[n] * prod(k[p] for p in graph[n]) for n in names),
                    "That counts all entries of the tables; the last one of each distribution is not free.",
                    card="bayesian-network-lost-marks-count",
                )
            ],
        ),
        ask.number(
            "full",
            "the joint table",
            2,
            1,
            whole=True,
            slips=[
                ask.slip(
                    prod(k.values()),
                    "That counts all entries; they sum to 1, so that one is not free.",
                    card="bayesian-network-lost-marks-count",
                ),
                ask.slip(
                    sum(k.values()) - 1,
                    "That adds the numbers of states; there is an entry for each combination.",
                    card="bayesian-network-lost-marks-count",
                ),
            ],
        ),
        ask.number(
            "more",
            "more with the new arrow",
            3,
            2,
            whole=True,
            follows=f"{k[start] - 1}*each[{names.index(end)}]",
            slips=[
                ask.slip(
                    k[start] * each[names.index(end)],
                    "That is the new size of the table; subtract the old one.",
                    card="bayesian-network-lost-marks-count",
                )
            ],
        ),
    ]
    rows = [
        [
            n,
            _listed(graph[n], "none"),
            "$" + " \\cdot ".join([f"({k[n]} - 1)", *(str(k[p]) for p in graph[n])]) + f" = {m}$",
        ]
        for n, m in zip(names, each, strict=True)
    ]
    old, sizes = each[names.index(end)], " \\cdot ".join(str(k[n]) for n in names)
    lines = [
        "A table has one distribution for each combination of states of the parents, and a distribution over several "
        "states one free number less than it has states.",
        table(rows, ["variable", "parents", "free parameters"]).markdown,
        f"**Network:** ${' + '.join(map(str, each))} = {total}$.",
        f"**Joint table:** ${sizes} - 1 = {full}$.",
        f"**New arrow:** the table of {end} has ${k[start]}$ times as many rows, "
        f"${k[start]} \\cdot {old} - {old} = {more}$ parameters more.",
        "Marks: 3 for the column, 1 for the sum, 1 for the joint table, 1 for the factor, 1 for the difference.",
    ]
    return Parts(statement, {"parents": graph, "states": k, "arrow": [start, end]}, "\n\n".join(lines), answer, fields)
