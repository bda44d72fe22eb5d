"""Drills on pruning: C4.5's pessimistic bound and a pruning set; weakest links, a price, one standard error."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.foundations.cross_validation import one_standard_error_index
from notes_lib.trees.pruning import pessimistic_rate

KEEP, CUT = "keep the split", "make it a leaf"


@drill("pessimistic-pruning", marks=9, minutes=12, title="Pessimistic and reduced-error pruning")
def pessimistic_pruning(rng: np.random.Generator) -> Parts:
    """Three pure leaves and their parent: the bounds, the predicted errors; then a pruning set."""
    cuts = bool(rng.random() < 0.5)  # as often to cut as to keep
    while True:
        n = [*rng.integers(1, 11, size=2).tolist(), int(rng.integers(1, 4))]
        total, e = sum(n), n[2]
        rates = [float(v) for v in pessimistic_rate([0, 0, 0], n)]
        shown = round(float(pessimistic_rate(e, total)), 3)
        predicted = [sum(u * k for u, k in zip(rates, n, strict=True)), shown * total]
        apart = predicted[0] - predicted[1]
        if len(set(n)) == 3 and 2 * e < total and abs(apart) > 0.05 and (apart > 0) == cuts:
            break
    holdout, right = rng.integers(0, 4, size=3).tolist(), int(rng.integers(0, 5))
    below, alone = sum(holdout), holdout[0] + holdout[1] + right
    statement = "\n\n".join(
        [
            f"The split of a node with {total} training instances has three branches. To the first go {n[0]} of class "
            f"a, to the second {n[1]} of class a, to the third {n[2]} of class b. As a leaf the node would predict a. "
            "The bound of a leaf is the rate $U$ at which so few errors have probability $0.25$; "
            f"for the node as a leaf a table gives $U={shown}$.",
            "1. Give $U$ for the three leaves (2 marks).",
            "2. Give the predicted number of errors below the split, and that of the node as a leaf. What does "
            "pessimistic pruning do? (4 marks)",
            f"On a pruning set the three leaves make {holdout[0]}, {holdout[1]} and {holdout[2]} errors, and the node "
            f"as a leaf {alone}.",
            "3. Give the number of errors below the split. What does reduced-error pruning do? (3 marks)",
        ]
    )
    decisions = [CUT if cuts else KEEP, CUT if alone <= below else KEEP]
    answer: dict[str, Any] = {
        "rates": rates, "below": predicted[0], "leaf": predicted[1], "pessimistic": decisions[0],
        "errors": below, "reduced": decisions[1],
    }  # fmt: skip
    fields = [
        ask.vector(
            "rates", "$U$", 1, 2, titles=["first", "second", "third"],
            slips=[
                ask.slip(
                    [0 * k for k in n],
                    "That is the training error; $U$ is the rate at which so few errors have probability $0.25$.",
                    card="pruning-do-not-confuse-methods",
                ),
                ask.slip(
                    [1 - u for u in rates],
                    "That is $1-U$, the rate of right answers; $(1-U)^n=0.25$ has to be solved for $U$.",
                    card="pruning-lost-marks-confidence",
                ),
            ],
        ),
        ask.number(
            "below", "predicted errors below the split", 2, digits=3, carried=1,
            follows=" + ".join(f"{k}*rates[{j}]" for j, k in enumerate(n)),
            slips=[
                ask.slip(
                    sum(rates),
                    "That adds the rates; multiply each by the number of instances in its leaf.",
                    card="pruning-do-not-confuse-methods",
                )
            ],
        ),
        ask.number(
            "leaf", "predicted errors of the node as a leaf", 2, digits=3, carried=1,
            slips=[
                ask.slip(
                    e,
                    "These are the training errors of the node; predicted are $U$ times its instances.",
                    card="pruning-do-not-confuse-methods",
                )
            ],
        ),
        ask.choice("pessimistic", "pessimistic pruning", 2, 2, options=[KEEP, CUT], follows="leaf <= below"),
        ask.number("errors", "errors below the split on the pruning set", 3, whole=True),
        ask.choice("reduced", "reduced-error pruning", 3, 2, options=[KEEP, CUT], follows=f"{alone} <= errors"),
    ]  # fmt: skip
    rounded = [sig(v) for v in rates]
    products = " + ".join(f"{k}\\cdot{u}" for k, u in zip(n, rounded, strict=True))
    signs = ["\\le" if d == CUT else ">" for d in decisions]
    lines = [
        "**Bounds:** no leaf has errors, so $(1-U)^n=0.25$: "
        + ", ".join(f"$1 - 0.25^{{1/{k}}}\\approx{u}$" for k, u in zip(n, rounded, strict=True))
        + ".",
        f"**Below the split:** ${products}\\approx{sig(predicted[0])}$ predicted errors.",
        f"**As a leaf:** ${total}\\cdot{shown}\\approx{sig(predicted[1])}$. Since "
        f"${sig(predicted[1])}{signs[0]}{sig(predicted[0])}$: {decisions[0]}.",
        f"**Pruning set:** ${holdout[0]} + {holdout[1]} + {holdout[2]}={below}$ errors below the split, "
        f"${alone}{signs[1]}{below}$: {decisions[1]}" + (" (a tie: the smaller tree)." if alone == below else "."),
        "Marks: 2 for the bounds, 2 for the predicted errors, 2 for the decision, 1 for the errors of the pruning set, "
        "2 for its decision.",
    ]
    given = {"n": n, "bound": shown, "holdout": holdout, "alone": alone}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _links(node: list[int], leaf: list[int]) -> list[Fraction]:
    """Strengths of the root, of its left and of its right child; both children are split."""
    left, right = sum(leaf[:2]), sum(leaf[2:])
    return [Fraction(node[0] - left - right, 3), Fraction(node[1] - left), Fraction(node[2] - right)]


def _first_cut(leaf: list[int], side: list[int]) -> str:
    """Errors after the weaker of both children became a leaf, as an expression."""
    left, right = sum(leaf[2:]) + side[0], sum(leaf[:2]) + side[1]
    return f"{left}*(strengths[1] < strengths[2]) + {right}*(strengths[1] >= strengths[2])"


@drill("cost-complexity", marks=11, minutes=14, title="Weakest links and the price of a leaf")
def cost_complexity(rng: np.random.Generator) -> Parts:
    """A root, two children, four leaves: strengths, the sequence, the tree at a price, the one-standard-error rule."""
    while True:
        leaf = rng.integers(0, 5, size=4).tolist()
        side = [sum(leaf[:2]) + int(rng.integers(1, 9)), sum(leaf[2:]) + int(rng.integers(1, 9))]
        node = [sum(side) + int(rng.integers(2, 16)), *side]
        g = _links(node, leaf)
        weak = 1 if g[1] < g[2] else 2
        rest = sum(leaf[2:]) + side[0] if weak == 1 else sum(leaf[:2]) + side[1]
        second = [Fraction(node[0] - rest, 2), g[3 - weak]]
        last = Fraction(node[0] - sum(side))
        if g[1] != g[2] and min(g) == g[weak] < g[0] and g[3 - weak] < second[0] < last:
            break
    alphas = [Fraction(0), g[weak], g[3 - weak], last]
    costs = [sum(leaf), rest, sum(side), node[0]]
    k = int(rng.integers(0, 3))
    price = (alphas[k] + alphas[k + 1]) / 2
    while True:
        errors = sorted((rng.integers(20, 40, size=4)).tolist())
        errors = [errors[j] for j in (1, 0, 2, 3)] if rng.random() < 0.5 else [errors[j] for j in (2, 1, 0, 3)]
        se = int(rng.integers(2, 6))
        if len(set(errors)) == 4:
            break
    chosen = one_standard_error_index([-v for v in errors], [se] * 4, [4, 3, 2, 1])
    names = ["root", "left child", "right child"]
    rows = [
        [names[0], node[0], ""],
        [names[1], node[1], f"{leaf[0]} and {leaf[1]}"],
        [names[2], node[2], f"{leaf[2]} and {leaf[3]}"],
    ]
    statement = "\n\n".join(
        [
            "The root of a tree is split, and so are both of its children; this gives four leaves. The table has the "
            "training errors $R(t)$ of each node as a leaf.",
            table(rows, ["node", "errors as a leaf", "errors of its two leaves"]).markdown,
            "1. Give the strengths $g(t)$ of all three links (3 marks).",
            "2. Give the prices $\\alpha$ at which the second, the third and the fourth tree of the sequence begin, "
            "and their training errors (4 marks).",
            f"3. Which number of leaves has the best tree at $\\alpha={fraction(price)}$, and what is its cost "
            "$R_\\alpha$? (2 marks)",
            f"4. Cross-validation gives the four trees, the largest first, {errors[0]}, {errors[1]}, {errors[2]} and "
            f"{errors[3]} errors, each with a standard error of {se}. Which number of leaves does the "
            "one-standard-error rule choose? (2 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "strengths": [float(v) for v in g], "alphas": [float(v) for v in alphas[1:]], "costs": costs[1:],
        "leaves": 4 - k, "cost": float(costs[k] + price * (4 - k)), "chosen": 4 - chosen,
    }  # fmt: skip
    fields = [
        ask.vector(
            "strengths", "$g(t)$", 1, 3, titles=names, digits=3,
            slips=[
                ask.slip(
                    [float(3 * g[0] / 4), float(g[1] / 2), float(g[2] / 2)],
                    "That divides by the number of leaves; a link that is cut saves one leaf less.",
                    card="pruning-lost-marks-minus",
                )
            ],
        ),
        ask.vector(
            "alphas", "$\\alpha$", 2, 3, titles=["second", "third", "fourth"], digits=3,
            follows=["min(strengths)", "max(strengths[1], strengths[2])", None],
            slips=[
                ask.slip(
                    [float(v) for v in (g[weak], g[3 - weak], g[0])],
                    "The last price takes the root's strength in the whole tree; it changes with each cut.",
                    card="pruning-lost-marks-size",
                )
            ],
        ),
        ask.vector(
            "costs", "training errors", 2, 1, titles=["second", "third", "fourth"], whole=True,
            follows=[_first_cut(leaf, side), None, None],
        ),
        ask.number(
            "leaves", "leaves at this price", 3, whole=True,
            follows="4" + "".join(f" - ({float(price)} >= alphas[{j}])" for j in range(3)),
        ),
        ask.number(
            "cost", "$R_\\alpha$", 3, digits=3,
            follows=" + ".join(
                f"(leaves == {4 - j})*({f'costs[{j - 1}]' if j else sum(leaf)} + {float(price * (4 - j))})"
                for j in range(4)
            ),
            slips=[
                ask.slip(
                    costs[k],
                    "These are the training errors alone; $R_\\alpha$ adds the price of each leaf.",
                    card="pruning-do-not-confuse-alpha",
                )
            ],
        ),
        ask.number(
            "chosen", "leaves by the rule", 4, 2, whole=True
        ),
    ]  # fmt: skip
    below = [sum(leaf), sum(leaf[:2]), sum(leaf[2:])]
    less = [3, 1, 1]
    lines = ["**Strengths:** each is what the leaf costs more, for each leaf it saves:"]
    lines += [
        f"{name}: $\\tfrac{{{r} - {b}}}{{{m}}}={fraction(v)}$" + ("." if name == names[2] else ";")
        for name, r, b, m, v in zip(names, node, below, less, g, strict=True)
    ]
    order = [names[weak], names[3 - weak]]
    lines += [
        f"**Sequence:** the weakest link is the {order[0]}, so the second tree begins at $\\alpha={fraction(g[weak])}$ "
        f"and makes {costs[1]} errors. Now the root has $\\tfrac{{{node[0]} - {rest}}}{{2}}={fraction(second[0])}$, "
        f"the {order[1]} still ${fraction(second[1])}$: the third tree begins at $\\alpha={fraction(second[1])}$, with "
        f"{costs[2]} errors.",
        f"Then the root has $\\tfrac{{{node[0]} - {costs[2]}}}{{1}}={fraction(last)}$: the fourth tree is the root, "
        f"with {costs[3]} errors.",
        f"**Price:** $\\alpha={fraction(price)}$ lies between ${fraction(alphas[k])}$ and ${fraction(alphas[k + 1])}$, "
        f"so the best tree has {4 - k} leaves and costs "
        f"${costs[k]} + {4 - k}\\cdot{fraction(price)}={fraction(costs[k] + price * (4 - k))}$.",
        f"**Rule:** the least number of errors is ${min(errors)}$; up to ${min(errors)} + {se}={min(errors) + se}$ "
        f"count as equally good. The smallest such tree has {4 - chosen} leaves.".replace("has 1 leaves", "has 1 leaf"),
        "Marks: 3 for the strengths, 3 for the prices, 1 for the errors, 1 for the leaves at the price, 1 for the "
        "cost, 2 for the rule.",
    ]
    given = {"node": node, "leaf": leaf, "price": [price.numerator, price.denominator], "errors": errors, "se": se}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
