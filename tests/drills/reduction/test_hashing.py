"""The drills on hashing, worked again from the definitions, without the library."""

import math
from fractions import Fraction
from itertools import combinations

import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def dot(w, v):
    return sum(a * b for a, b in zip(w, v, strict=True))


def work_bits(given):
    """Codes of q, x and y, and in how many bits q differs from the others."""
    codes = [[int(dot(w, given[name]) >= 0) for w in given["normals"]] for name in "qxy"]
    return codes, [sum(a != b for a, b in zip(codes[0], code, strict=True)) for code in codes[1:]]


@pytest.mark.equation("hashing-bit", "hashing-collision")
@each_seed()
def test_hyperplane_hash_answer(seed):
    g, answer = drawn("hyperplane-hash", seed).given, drawn("hyperplane-hash", seed).answer
    codes, apart = work_bits(g)
    assert (answer["bits"], answer["apart"]) == (codes, apart)
    assert answer["candidate"] == "xy"[apart.index(min(apart))]
    assert apart[0] != apart[1]
    cosine = dot(g["q"], g["x"]) / math.sqrt(dot(g["q"], g["q"]) * dot(g["x"], g["x"]))
    assert cosine == pytest.approx(math.cos(math.radians(g["degrees"])))
    assert answer["one"] == pytest.approx(1 - math.acos(cosine) / math.pi)
    assert answer["four"] == pytest.approx(answer["one"] ** 4)


@each_seed()
def test_every_number_of_hyperplane_hash(seed):
    drill = drawn("hyperplane-hash", seed)
    g = drill.given
    codes, apart = work_bits(g)
    ask, tell = pages(drill)
    ask.says("Three vectors $q=#$, $x=#$ and $y=#$ are", *([g[n]] for n in "qxy"))
    for k, w in enumerate(g["normals"], 1):
        ask.says(f"$w_{k}=#$", [w])
    ask.says("The angle of $q$ and $x$ is $#$ degrees", g["degrees"])
    ask.says("A bit is 1 where the scalar product is at least 0.")
    ask.table(*([n, None, None, None, None] for n in "qxy"))
    ask.done()
    tell.table(
        *(
            [f"${n}$", *(("$#$, bit #", dot(w, g[n]), str(b)) for w, b in zip(g["normals"], code, strict=True))]
            for n, code in zip("qxy", codes, strict=True)
        )
    )
    tell.says("$#$ to $x$ and $#$ to $y$, so $#$ is the candidate.", *apart, drill.answer["candidate"])
    p = 1 - Fraction(g["degrees"], 180)
    tell.says("separates them with the probability $#$, so they agree in one bit with $#$, and in four independent "
              "bits with $#$.", float(1 - p), float(p), float(p**4))  # fmt: skip
    tell.done()


def work_sets(given):
    """Jaccard similarities, signatures and shares of equal entries, with Python's sets."""
    number = [dict(zip("abcdef", row, strict=True)) for row in given["numbers"]]
    sets = [set(s) for s in given["sets"]]
    signatures = [[min(of[item] for item in s) for of in number] for s in sets]
    pairs = list(combinations(range(3), 2))
    J = [Fraction(len(sets[i] & sets[j]), len(sets[i] | sets[j])) for i, j in pairs]
    share = [
        Fraction(sum(a == b for a, b in zip(signatures[i], signatures[j], strict=True)), 4) for i, j in pairs
    ]  # fmt: skip
    return sets, pairs, J, signatures, share


@pytest.mark.equation("hashing-jaccard", "hashing-minhash", "hashing-minhash-estimate")
@each_seed()
def test_minhash_jaccard_answer(seed):
    answer = drawn("minhash-jaccard", seed).answer
    _, _, J, signatures, share = work_sets(drawn("minhash-jaccard", seed).given)
    assert answer["similarities"] == pytest.approx([float(v) for v in J])
    assert answer["signatures"] == signatures
    assert answer["estimates"] == [float(v) for v in share]


@each_seed()
def test_every_number_of_minhash_jaccard(seed):
    drill = drawn("minhash-jaccard", seed)
    sets, pairs, J, signatures, share = work_sets(drill.given)
    numbers = drill.given["numbers"]
    ask, tell = pages(drill)
    for n, s in zip("ABC", drill.given["sets"], strict=True):
        assert f"{n} = {{{', '.join(s)}}}" in drill.statement
    ask.table(*([c, *(row[k] for row in numbers)] for k, c in enumerate("abcdef")))
    ask.table(*([n, None, None, None, None] for n in "ABC"))
    ask.done()
    names = ["AB", "AC", "BC"]
    tell.table(
        *(
            [n, len(sets[i] & sets[j]), len(sets[i] | sets[j]), float(v)]
            for n, (i, j), v in zip(names, pairs, J, strict=True)
        )
    )
    of = [dict(zip("abcdef", row, strict=True)) for row in numbers]
    tell.table(
        *(
            [n, *(f"{m} of {', '.join(str(k[item]) for item in sorted(s))}" for k, m in zip(of, row, strict=True))]
            for n, s, row in zip("ABC", sets, signatures, strict=True)
        )
    )
    tell.table(*([n, int(4 * v), float(v)] for n, v in zip(names, share, strict=True)))
    tell.done()


def missing(s, b, r):
    """Probability that two sets of similarity s agree in no band, in exact fractions."""
    return (1 - Fraction(str(s)) ** r) ** b


@pytest.mark.equation("hashing-band", "hashing-s-curve", "hashing-threshold")
@each_seed()
def test_lsh_bands_answer(seed):
    g, answer = drawn("lsh-bands", seed).given, drawn("lsh-bands", seed).answer
    b, r = g["bands"], g["rows"]
    assert answer["band"] == pytest.approx(g["high"] ** r)
    assert answer["found"] == pytest.approx(float(1 - missing(g["high"], b, r)))
    assert answer["useless"] == pytest.approx(float(1 - missing(g["low"], b, r)))
    assert b * answer["threshold"] ** r == pytest.approx(1)  # one band is expected to agree
    assert answer["missed"] == pytest.approx(g["few"] * float(missing(g["high"], b, r)))
    assert answer["compared"] == pytest.approx(g["many"] * float(1 - missing(g["low"], b, r)))


@each_seed()
def test_every_number_of_lsh_bands(seed):
    drill = drawn("lsh-bands", seed)
    g = drill.given
    b, r, high, low = g["bands"], g["rows"], g["high"], g["low"]
    ask, tell = pages(drill)
    ask.says("A signature of $#$ numbers is cut into $b=#$ bands of $r=#$ rows", b * r, b, r)
    ask.says("Two sets have the similarity $#$.", high)
    ask.says("The same for the similarity $#$ (2 marks).", low)
    ask.says("by the rule $(1/b)^{1/r}$?")
    ask.says("There are $#$ pairs with the similarity $#$ and $#$ with $#$.", g["few"], high, g["many"], low)
    ask.done()
    miss, useless = float(missing(high, b, r)), float(1 - missing(low, b, r))
    tell.says("**Similarity #:** one band agrees with $#$. It does not agree with $#$, and none of the $#$ agrees "
              "with $#$, so the pair is a candidate with $#$.", f"{high:g}", high**r, 1 - high**r, b, miss,
              1 - miss)  # fmt: skip
    tell.says("**Similarity #:** $#$.", f"{low:g}", useless)
    tell.says("**Threshold:** $#$.", b ** (-1 / r))
    tell.says("**Pairs:** $#$ are missed, and $#$ are compared needlessly.", g["few"] * miss, g["many"] * useless)
    tell.done()
