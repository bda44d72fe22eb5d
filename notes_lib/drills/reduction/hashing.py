"""Drills on hashing: bits of random hyperplanes, MinHash signatures, rows and bands."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, row, short
from notes_lib.reduction.hashing import (
    candidate_probability,
    collision_probability,
    hamming_distances,
    hyperplane_bits,
    jaccard,
    minhash_signature,
    threshold,
)

TURNS = {45: ((1, -1), (1, 1)), 90: ((0, -1), (1, 0)), 135: ((-1, -1), (1, -1))}  # by degrees, up to a factor
ITEMS = "abcdef"
SHAPES = [(4, 2), (5, 2), (3, 3), (5, 3), (9, 2), (8, 3), (16, 2), (10, 2), (20, 4), (25, 2)]  # bands, rows


@drill("hyperplane-hash", marks=10, minutes=13, title="Bits of random hyperplanes")
def hyperplane_hash(rng: np.random.Generator) -> Parts:
    """Codes of three vectors by four hyperplanes, Hamming distances, an estimated angle and the probability behind."""
    while True:
        q = rng.integers(-3, 4, size=2)
        degrees = int(rng.choice(list(TURNS)))
        x = np.array(TURNS[degrees]) @ q
        y = rng.integers(-4, 5, size=2)
        W = rng.integers(-3, 4, size=(4, 2))
        X = np.array([q, x, y])
        if not (X.any(axis=1).all() and (X @ W.T).all()):
            continue
        bits = hyperplane_bits(X, W)
        to_x, to_y = (int(d) for d in hamming_distances(bits[:1], bits[1:])[0])
        if to_x != to_y and 0 < to_x < 4:
            break
    names = ("q", "x", "y")
    p = Fraction(180 - degrees, 180)
    statement = "\n\n".join(
        [
            f"Three vectors $q={row(q)}$, $x={row(x)}$ and $y={row(y)}$ are hashed by four hyperplanes through the "
            "origin with the normals "
            + ", ".join(f"$w_{k}={row(w)}$" for k, w in enumerate(W, 1))
            + ". A bit is 1 where the scalar product is at least 0.",
            "1. Give the four bits of each vector (6 marks).",
            "2. In how many bits does $q$ differ from $x$, and from $y$? Which of the two is the candidate, the one "
            "with fewer different bits? (2 marks)",
            f"3. The angle of $q$ and $x$ is ${degrees}$ degrees. With which probability do they agree in one bit, and "
            "with which in four, if the normals are drawn from a Gaussian? (2 marks)",
            "Fill in:",
            table([[n, "", "", "", ""] for n in names], ["vector", *(f"bit {k}" for k in range(1, 5))]).markdown,
        ]
    )
    one = float(collision_probability(np.deg2rad(degrees)))
    answer = {
        "bits": bits.tolist(),
        "apart": [to_x, to_y],
        "candidate": "x" if to_x < to_y else "y",
        "one": one,
        "four": one**4,
    }
    given = {"q": q.tolist(), "x": x.tolist(), "y": y.tolist(), "normals": W.tolist(), "degrees": degrees}
    fields = [
        ask.matrix("bits", "bits", 1, 6, rows=names, columns=[f"bit {k}" for k in range(1, 5)], whole=True),
        ask.vector("apart", "different bits", 2, titles=["$q$ and $x$", "$q$ and $y$"], whole=True),
        ask.choice("candidate", "candidate", 2, options=["x", "y"]),
        ask.number("one", "agree in one bit", 3, percent=True),
        ask.number("four", "agree in four bits", 3, percent=True),
    ]
    products = [
        [f"${n}$", *(f"${_product(w, v)}={int(w @ v)}$, bit {b}" for w, b in zip(W, code, strict=True))]
        for n, v, code in zip(names, X, bits.tolist(), strict=True)
    ]
    lines = [
        "**Scalar products and bits:**",
        table(products, ["vector", *(f"$w_{k}$" for k in range(1, 5))]).markdown,
        f"**Hamming distances:** ${to_x}$ to $x$ and ${to_y}$ to $y$, so ${answer['candidate']}$ is the candidate.",
        f"**Probability:** a random hyperplane separates them with the probability "
        f"$\\tfrac{{{degrees}}}{{180}}={fraction(1 - p)}$, so they agree in one bit with "
        f"$1-{fraction(1 - p)}={fraction(p)}$, and in four independent bits with "
        f"$\\big({fraction(p)}\\big)^4={fraction(p**4)}\\approx{sig(float(p**4))}$.",
        "Marks: 6 for the bits, 1 for the distances, 1 for the candidate, 1 for one bit, 1 for four bits.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _product(w: np.ndarray, v: np.ndarray) -> str:
    return f"{int(w[0])} \\cdot {bracket(int(v[0]))} + {bracket(int(w[1]))} \\cdot {bracket(int(v[1]))}"


@drill("minhash-jaccard", marks=12, minutes=15, title="MinHash signatures")
def minhash_jaccard(rng: np.random.Generator) -> Parts:
    """Three sets and four numberings of six items: Jaccard similarities, signatures, estimates."""
    while True:
        A = rng.integers(0, 2, size=(3, 6))
        numbers = np.array([rng.permutation(6) + 1 for _ in range(4)])
        if not (A.sum(axis=1) > 1).all() or (A == 1).all(axis=1).any():
            continue
        J = [_jaccard(A[i], A[j]) for i, j in combinations(range(3), 2)]
        signature = minhash_signature(A, numbers).astype(int)
        agree = [int((signature[i] == signature[j]).sum()) for i, j in combinations(range(3), 2)]
        if len(set(J)) == 3 and len(set(agree)) > 1 and max(J) < 1:
            break
    names = "ABC"
    pairs = [names[i] + names[j] for i, j in combinations(range(3), 2)]
    sets = [[c for c, b in zip(ITEMS, a, strict=True) if b] for a in A]
    header = ["item", *(f"$\\sigma_{k}$" for k in range(1, 5))]
    statement = "\n\n".join(
        [
            "Three sets are "
            + ", ".join(f"{n} = {{{', '.join(s)}}}" for n, s in zip(names, sets, strict=True))
            + ". Four random orders number the six items:",
            table([[c, *map(str, numbers[:, k])] for k, c in enumerate(ITEMS)], header).markdown,
            "1. Compute the Jaccard similarity of each pair (3 marks).",
            "2. Give the MinHash signature of each set: for each order the smallest number of an item that the set has "
            "(6 marks).",
            "3. Which similarities do the signatures estimate? (3 marks)",
            "Fill in:",
            table([[n, "", "", "", ""] for n in names], ["set", *header[1:]]).markdown,
        ]
    )
    measured = jaccard(A, A)
    answer = {
        "similarities": [float(measured[i, j]) for i, j in combinations(range(3), 2)],
        "signatures": signature.tolist(),
        "estimates": [k / 4 for k in agree],
    }
    given = {"sets": sets, "numbers": numbers.tolist()}
    fields = [
        ask.vector("similarities", "Jaccard similarity", 1, 3, titles=pairs, percent=True),
        ask.matrix("signatures", "signatures", 2, 6, rows=list(names), columns=header[1:], whole=True),
        ask.vector("estimates", "estimate", 3, 3, titles=pairs, percent=True),
    ]
    shared, union = [], []
    for i, j in combinations(range(3), 2):
        both, either = A[i] * A[j], np.maximum(A[i], A[j])
        shared.append(int(both.sum()))
        union.append(int(either.sum()))
    lines = [
        "**Jaccard similarities:** shared items over items of the union.",
        table(
            [
                [p, str(s), str(u), f"${_ratio(s, u)}$"]
                for p, s, u in zip(pairs, shared, union, strict=True)
            ],
            ["pair", "shared", "in the union", "similarity"],
        ).markdown,
        "**Signatures:** the smallest of the numbers of the items that the set has.",
        table(
            [
                [n, *(_minimum(v, a, m) for v, m in zip(numbers, s, strict=True))]
                for n, a, s in zip(names, A, signature, strict=True)
            ],
            ["set", *header[1:]],
        ).markdown,
        "**Estimates:** the share of equal entries.",
        table(
            [[p, str(k), f"${_ratio(k, 4)}$"] for p, k in zip(pairs, agree, strict=True)],
            ["pair", "equal entries", "estimate"],
        ).markdown,
        "Marks: 3 for the similarities, 6 for the signatures, 3 for the estimates.",
    ]  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _jaccard(a: np.ndarray, b: np.ndarray) -> Fraction:
    return Fraction(int((a * b).sum()), int(np.maximum(a, b).sum()))


def _ratio(a: int, b: int) -> str:
    """A quotient, and what it is when it is reduced."""
    plain, reduced = f"\\tfrac{{{a}}}{{{b}}}", fraction(Fraction(a, b))
    return plain if plain == reduced else f"{plain}={reduced}"


def _minimum(numbers: np.ndarray, of_set: np.ndarray, smallest: int) -> str:
    chosen = ", ".join(str(v) for v, b in zip(numbers, of_set, strict=True) if b)
    return f"{smallest} of {chosen}"


@drill("lsh-bands", marks=9, minutes=12, title="Rows and bands")
def lsh_bands(rng: np.random.Generator) -> Parts:
    """One band, the S-curve at a high and at a low similarity, the threshold, missed and useless pairs."""
    while True:
        b, r = SHAPES[int(rng.integers(len(SHAPES)))]
        high = Fraction(int(rng.choice([7, 8, 9])), 10)
        low = Fraction(int(rng.choice([1, 2, 3])), 10)
        many, few = int(rng.choice([1000, 5000, 10_000])), int(rng.choice([100, 200, 500]))
        found, useless = (float(candidate_probability(float(v), b, r)) for v in (high, low))
        if 1 - found > 2e-4:
            break
    s, t = short(float(high)), short(float(low))
    statement = "\n\n".join(
        [
            f"A signature of ${b * r}$ numbers is cut into $b={b}$ bands of $r={r}$ rows. A pair is a candidate if it "
            "agrees in all rows of at least one band.",
            f"1. Two sets have the similarity ${s}$. With which probability do they agree in all rows of one band "
            "(1 mark), and with which do they become a candidate? (2 marks)",
            f"2. The same for the similarity ${t}$ (2 marks).",
            "3. Near which similarity does the S-curve rise, by the rule $(1/b)^{1/r}$? (1 mark)",
            f"4. There are ${few}$ pairs with the similarity ${s}$ and ${many}$ with ${t}$. How many of the first are "
            "missed on average, and how many of the second are compared needlessly? (3 marks)",
        ]
    )
    answer = {
        "band": float(high**r),
        "found": found,
        "useless": useless,
        "threshold": threshold(b, r),
        "missed": few * (1 - found),
        "compared": many * useless,
    }
    given = {"bands": b, "rows": r, "high": float(high), "low": float(low), "few": few, "many": many}
    fields = [
        ask.number("band", "agree in one band", 1, percent=True),
        ask.number("found", "candidate", 1, 2, percent=True),
        ask.number("useless", f"candidate at {t}", 2, 2, percent=True),
        ask.number("threshold", "similarity", 3, percent=True),
        ask.number("missed", "missed pairs", 4, 2, digits=3, carried=1),
        ask.number("compared", "pairs compared needlessly", 4, digits=3, carried=1),
    ]
    lines = [
        f"**Similarity {s}:** one band agrees with ${s}^{r}={sig(float(high**r), 6)}$. It does not agree with "
        f"$1-{s}^{r}$, and none of the ${b}$ agrees with $(1-{s}^{r})^{{{b}}}\\approx{sig(1 - found)}$, so the pair is "
        f"a candidate with $1-(1-{s}^{r})^{{{b}}}\\approx{sig(found)}$.",
        f"**Similarity {t}:** $1-(1-{t}^{r})^{{{b}}}\\approx{sig(useless)}$.",
        f"**Threshold:** $(1/{b})^{{1/{r}}}\\approx{sig(threshold(b, r))}$.",
        f"**Pairs:** ${few}\\cdot(1-{s}^{r})^{{{b}}}\\approx{sig(few * (1 - found))}$ are missed, and "
        f"${many}\\cdot(1-(1-{t}^{r})^{{{b}}})\\approx{sig(many * useless)}$ are compared needlessly.",
        "Marks: 1 for one band, 2 for the candidate, 2 for the second similarity, 1 for the threshold, 2 for the "
        "missed pairs, 1 for the useless ones.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
