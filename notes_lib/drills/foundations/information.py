"""Drills on information theory: entropy and code lengths, information gain, cross-entropy loss, divergence, by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.foundations.information import (
    conditional_entropy,
    cross_entropy,
    entropy,
    expected_length,
    huffman_lengths,
    information_content,
    information_gain,
    kl_divergence,
)

LOGARITHMS = (  # so many digits that no last digit of a solution is off by more than 1
    "Use $\\log_2 3 = 1.5850$, $\\log_2 5 = 2.3219$, $\\log_2 7 = 2.8074$ and $\\ln 2 = 0.6931$; $0 \\log 0 = 0$."
)
ROUNDED = "(Each number is rounded on its own, so a last digit may differ by 1 from yours.)"


@drill("entropy", marks=10, minutes=12, title="Entropy and Huffman's code")
def entropy_and_code(rng: np.random.Generator) -> Parts:
    """Information of four symbols, entropy in bits and nats, a Huffman code, and the bound between them."""
    total = int(rng.choice([8, 10, 12, 15, 16, 18, 20, 24]))
    while True:
        counts = rng.multinomial(total, rng.dirichlet([1.5, 1.5, 1.5, 1.5]))
        if set(counts) <= _EASY and len(np.unique(counts)) > 1 and _no_tie(counts):
            break
    p = counts / total
    bits, H, lengths = information_content(p, base=2), float(entropy(p, base=2)), huffman_lengths(p)
    L = expected_length(p, lengths)
    symbols = "ABCD"
    shares = ", ".join(f"$p({s}) = {_fraction(a, total)}$" for s, a in zip(symbols, counts, strict=True))
    statement = "\n".join(
        [
            f"A source sends independent symbols with {shares}. {LOGARITHMS}",
            "",
            "1. Compute the information of each symbol in bits (2 marks).",
            "2. Compute the entropy in bits and in nats (3 marks).",
            "3. State the largest entropy that four symbols can have (1 mark).",
            "4. Build Huffman's code: merges, lengths and mean length $L$ (3 marks).",
            "5. Check the bound between $H$ and $L$ (1 mark).",
            "",
            "Fill in:",
            "",
            table([[s, f"${_fraction(a, total)}$", "", "", ""] for s, a in zip(symbols, counts, strict=True)], _CODE)
            .markdown,
        ]
    )  # fmt: skip
    rows = [
        [s, f"${_fraction(a, total)}$", b, w * b, int(n)]
        for s, a, b, w, n in zip(symbols, counts, np.atleast_1d(bits), p, lengths, strict=True)
    ]
    mean = " + ".join(f"{_fraction(a, total)} \\cdot {n}" for a, n in zip(counts, lengths, strict=True))
    lines = [
        "**Information** (2 marks) and its share in the entropy:",
        "",
        table(rows, _CODE).markdown,
        "",
        f"**Entropy** (2 marks in bits, 1 in nats): the fourth column adds up to $H = {sig(H)}$ bits; times $\\ln 2$ "
        f"that is ${sig(float(entropy(p)))}$ nats.",
        "",
        f"**Largest** (1 mark): $\\log_2 4 = 2$ bits, for equal probabilities. Here ${sig(2 - H)}$ bits are missing.",
        "",
        f"**Huffman** (1 mark for the merges, 1 for the lengths, 1 for the mean): {_merges(counts, total)}. "
        f"The merges that a symbol takes part in are its length. "
        f"$L = {mean} = {sig(L)}$ bits a symbol.",
        "",
        f"**Bound** (1 mark): $H \\leq L < H + 1$ reads ${sig(H)} \\leq {sig(L)} < {sig(H + 1)}$. {ROUNDED}",
    ]
    answer = {
        "information": np.round(bits, 9).tolist(),
        "entropy_bits": round(H, 9),
        "entropy_nats": round(float(entropy(p)), 9),
        "lengths": lengths.tolist(),
        "mean_length": round(L, 9),
        "largest": 2.0,
    }
    base, kinds = "information-convention-base", "information-do-not-confuse-h"
    H_nats = float(entropy(p))
    largest_slip = ask.slip(
        float(np.log(len(p))), "That is in nats; four equal symbols have $\\log_2 4$ bits.", card=base
    )
    information_slips = [
        ask.slip(information_content(p), "That is in nats, with $\\ln$; bits need $\\log_2$.", card=base),
        ask.slip(
            p * bits,
            "That is the share in the entropy, $-p \\log_2 p$; the information of a symbol is $-\\log_2 p$.",
            card=kinds,
        ),
    ]
    bits_slips = [
        ask.slip(H_nats, "That is in nats; the entropy in bits takes $\\log_2$.", card=base),
        ask.slip(
            float(np.mean(bits)),
            "That is the plain mean of the information; each symbol counts with its probability.",
            card=kinds,
        ),
    ]
    nats_slip = ask.slip(
        H / np.log(2), "That divides by $\\ln 2$; bits become nats when they are multiplied by it.", card=base
    )
    length_slip = ask.slip(
        float(np.mean(lengths)),
        "That is the plain mean of the lengths; each symbol counts with its probability.",
        card="information-lost-marks-questions",
    )
    fields = [
        ask.vector(
            "information", "information in bits", 1, 2, titles=symbols, places=3, carried=1, slips=information_slips
        ),
        ask.number(
            "entropy_bits",
            "entropy in bits",
            2,
            2,
            places=3,
            carried=1,
            follows=" + ".join(f"{c}*information[{j}]/{total}" for j, c in enumerate(counts)),
            slips=bits_slips,
        ),
        ask.number(
            "entropy_nats",
            "entropy in nats",
            2,
            places=3,
            carried=1,
            follows="entropy_bits*ln(2)",
            slips=[nats_slip],
        ),
        ask.number("largest", "largest entropy in bits", 3, slips=[largest_slip]),
        ask.vector("lengths", "code lengths", 4, 2, titles=symbols, whole=True),
        ask.number(
            "mean_length",
            "mean length $L$",
            4,
            follows=" + ".join(f"{c}*lengths[{j}]/{total}" for j, c in enumerate(counts)),
            slips=[length_slip],
        ),
        ask.own("bound", "the bound, with its numbers", 5),
    ]
    return Parts(statement, {"counts": counts.tolist()}, "\n".join(lines), answer, fields)


_CODE = ["symbol", "$p$", "$-\\log_2 p$", "$-p \\log_2 p$", "code length"]


@drill("information-gain", marks=10, minutes=14, title="Information gain")
def gain_of_two_attributes(rng: np.random.Generator) -> Parts:
    """Entropy of the labels, conditional entropies and gains of two attributes, and the better root."""
    while True:
        n = int(rng.integers(8, 15))
        y = (rng.random(n) < 0.5).astype(int)
        a, b = rng.integers(0, 2, n), rng.integers(0, 3, n)
        a, b = np.where(rng.random(n) < 0.4, y, a), np.where(rng.random(n) < 0.4, 2 * y, b)
        tables = [_counts(a, y, 2), _counts(b, y, 3)]
        gains = [information_gain(v, y, base=2) for v in (a, b)]
        nodes = np.vstack([*tables, [[y.sum(), n - y.sum()]]])
        easy = set(nodes.ravel()) | set(nodes.sum(axis=1)) <= _EASY | {0}
        if easy and all(t.sum(axis=1).min() >= 2 for t in tables) and abs(gains[0] - gains[1]) > 0.02:
            break
    yes, no = int(y.sum()), int(n - y.sum())
    H = float(entropy([yes / n, no / n], base=2))
    left = [conditional_entropy(t / n, base=2) for t in tables]
    better = "AB"[int(np.argmax(gains))]
    counts = [[f"{name} = {i + 1}", int(t[i, 0]), int(t[i, 1])] for name, t in zip("AB", tables, strict=True)
              for i in range(len(t))]  # fmt: skip
    statement = "\n".join(
        [
            f"{n} instances, {yes} labelled *yes* and {no} labelled *no*, are described by two attributes:",
            "",
            table(counts, ["value", "yes", "no"]).markdown,
            "",
            f"Work in bits, to three decimals. {LOGARITHMS} "
            "The entropy of a node with $a$ of one and $b$ of the other label is $h(a, b)$.",
            "",
            "1. Compute the entropy of the labels (2 marks).",
            "2. Compute the entropy that is left when A is known, and the gain (3 marks).",
            "3. The same for B (4 marks).",
            "4. Which attribute does ID3 put at the root? (1 mark)",
        ]
    )
    lines = [f"**Labels** (2 marks): $H(Y) = h({yes}, {no}) = {H:.3f}$ bits."]
    for name, t, rest, gain in zip("AB", tables, left, gains, strict=True):
        nodes = [float(entropy(row / row.sum(), base=2)) for row in t]
        each = ", ".join(f"$h({r[0]}, {r[1]}) = {h:.3f}$" for r, h in zip(t, nodes, strict=True))
        mean = " + ".join(f"\\tfrac{{{r.sum()}}}{{{n}}} \\cdot {h:.3f}" for r, h in zip(t, nodes, strict=True))
        lines += [
            "",
            f"**Attribute {name}** ({len(t)} marks for what is left, 1 for the gain): {each}. "
            f"Left: $H(Y \\mid {name}) = {mean} = {rest:.3f}$. Gain: ${H:.3f} - {rest:.3f} = {gain:.3f}$ bits.",
        ]
    lines += ["", f"**Root** (1 mark): {better}, because its gain is larger. {ROUNDED}"]
    answer = {
        "entropy": round(H, 9),
        "left": [round(v, 9) for v in left],
        "gain": [round(v, 9) for v in gains],
        "root": better,
    }
    given = {"A": tables[0].tolist(), "B": tables[1].tolist()}
    base, weights = "information-convention-base", "information-lost-marks-weights"
    labels_slips = [
        ask.slip(float(entropy([yes / n, no / n])), "That is in nats, with $\\ln$; the task asks for bits.", card=base),
        ask.slip(
            1 - (yes / n) ** 2 - (no / n) ** 2,
            "That is the Gini index; the entropy is $-\\sum_k p_k \\log_2 p_k$.",
            card="information-do-not-confuse-impurity",
        ),
    ]
    plain = [float(np.mean([entropy(row / row.sum(), base=2) for row in t])) for t in tables]
    fields = [ask.number("entropy", "entropy of the labels", 1, 2, places=3, carried=1, slips=labels_slips)]
    for k, name in enumerate("AB"):
        left_slips = [
            ask.slip(
                plain[k],
                "That is the plain mean of the branches; each one counts with its share of the instances.",
                card=weights,
            ),
            ask.slip(
                len(tables[k]) * plain[k],
                "That is the sum of the entropies of the branches; each one is weighted with its share of the "
                "instances.",
                card=weights,
            ),
        ]
        gain_slips = [
            ask.slip(
                H - plain[k],
                "That subtracts the plain mean of the branches; each one counts with its share of the instances.",
                card=weights,
            )
        ]
        fields += [
            ask.number(
                f"left.{k}",
                f"entropy left when {name} is known",
                k + 2,
                k + 2,
                places=3,
                carried=1,
                slips=left_slips,
            ),
            ask.number(
                f"gain.{k}",
                f"gain of {name}",
                k + 2,
                places=3,
                carried=1,
                follows=f"entropy - left.{k}",
                slips=gain_slips,
            ),
        ]
    root_slip = ask.slip(
        "AB"[int(np.argmin(gains))],
        "That one leaves more entropy; ID3 takes the attribute with the larger gain.",
        card="information-convention-ties",
    )
    fields += [
        ask.choice("root", "the attribute at the root", 4, options="AB", follows="gain.0 < gain.1", slips=[root_slip])
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("cross-entropy", marks=8, minutes=10, title="Cross-entropy loss")
def logistic_loss(rng: np.random.Generator) -> Parts:
    """Log loss of four predicted probabilities in both label conventions, its mean, and one overconfident mistake."""
    shares = [Fraction(a, b) for a, b in [(1, 5), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (4, 5), (9, 10), (1, 10)]]
    while True:
        q = [shares[i] for i in rng.choice(len(shares), size=4, replace=False)]
        y = rng.integers(0, 2, 4)
        if 0 < y.sum() < 4 and q[3] != Fraction(1, 2):  # else the flip would change nothing
            break
    Q = np.array([[1 - float(a), float(a)] for a in q])
    loss = np.asarray(cross_entropy(np.eye(2)[y], Q))
    scores = [float(np.log(a / (1 - a))) for a in map(float, q)]
    flipped = loss.copy()
    flipped[3] = cross_entropy(np.eye(2)[1 - y[3]], Q[3])
    rows = [[n + 1, int(y[n]), f"${fraction(q[n])}$", "", "", ""] for n in range(4)]
    statement = "\n".join(
        [
            "A model gives four instances these probabilities $q$ of class 1. Work in nats: "
            "$\\ln 2 = 0.693$, $\\ln 3 = 1.099$, $\\ln 5 = 1.609$.",
            "",
            table(rows, _LOSS).markdown,
            "",
            "1. Write the cross-entropy loss of one instance for $y \\in \\{0, 1\\}$ and fill in its column (3 marks).",
            "2. Fill in $\\tilde y \\in \\{-1, 1\\}$ and the score $f = \\ln \\frac{q}{1 - q}$; check that "
            "$\\ln(1 + e^{-\\tilde y f})$ is the same loss for instance 1 (2 marks).",
            "3. Compute the mean loss (1 mark).",
            "4. By how much does the mean change if the label of instance 4 is flipped? (2 marks)",
        ]
    )
    solved = [
        [n + 1, int(y[n]), f"${fraction(q[n])}$", int(2 * y[n] - 1), _three(scores[n]),
         f"$-\\ln {fraction(q[n] if y[n] else 1 - q[n])} = {loss[n]:.3f}$"]
        for n in range(4)
    ]  # fmt: skip
    odds = (1 - q[0]) / q[0] if y[0] else q[0] / (1 - q[0])
    change = float(flipped.mean() - loss.mean())
    lines = [
        "**Loss** (1 mark): $-y \\ln q - (1 - y) \\ln (1 - q)$: minus the logarithm of the probability that the true "
        "label got. Values (2 marks):",
        "",
        table(solved, _LOSS).markdown,
        "",
        f"**Signs** (1 mark for the columns): instance 1 has $e^{{-\\tilde y f}} = {fraction(odds)}$, so the loss is "
        f"$\\ln(1 + {fraction(odds)}) = \\ln {fraction(1 + odds)} = {loss[0]:.3f}$, the same (1 mark).",
        "",
        f"**Mean** (1 mark): $\\tfrac14 ({' + '.join(f'{v:.3f}' for v in loss)}) = {loss.mean():.3f}$ nats.",
        "",
        f"**Flip** (1 mark for the new loss, 1 for the mean): instance 4 then costs ${flipped[3]:.3f}$ instead of "
        f"${loss[3]:.3f}$: the change is the score, up to its sign, and the mean changes by ${_three(change)}$. "
        f"{ROUNDED}",
    ]
    answer = {
        "loss": loss.round(9).tolist(),
        "scores": [round(f, 9) for f in scores],
        "mean": round(float(loss.mean()), 9),
        "change": round(change, 9),
    }
    given = {"q": [[a.numerator, a.denominator] for a in q], "y": y.tolist()}
    numbers = range(1, 5)
    base, signs, mean_card = "information-convention-base", "information-lost-marks-signs", "information-convention-sum"
    given_one, given_y = np.array([float(v) for v in q]), 2.0 * y - 1
    loss_slips = [
        ask.slip(
            -np.log(np.where(y == 1, 1 - given_one, given_one)),
            "These take the probability of the wrong label; the loss is $-\\ln$ of what the true label got.",
            card=signs,
        ),
        ask.slip(
            -np.log(given_one),
            "That is $-\\ln q$ for all; where $y = 0$ the true label got $1 - q$.",
            card=signs,
        ),
        ask.slip(loss / np.log(2), "That is in bits; the task asks for nats, with $\\ln$.", card=base),
    ]
    score_slips = [
        ask.slip(0.0 - np.array(scores), "The fraction is upside down: the odds are $q / (1 - q)$.", card=signs),
        ask.slip(
            given_y * scores + 0.0,
            "That is $\\tilde y f$, the margin; the score $f$ does not depend on the label.",
            card=signs,
        ),
    ]
    mean_slip = ask.slip(float(loss.sum()), "That is the sum; the mean divides it by 4.", card=mean_card)
    change_slips = [
        ask.slip(
            4 * change,
            "That is the change of one loss, hence of the sum; the mean changes by a quarter.",
            card=mean_card,
        ),
        ask.slip(
            -change,
            "The sign is wrong: flipping turns the margin of instance 4 to its negative; the mean changes by a quarter "
            "of the old margin.",
            card=signs,
        ),
    ]
    fields = [
        ask.vector("loss", "the losses", 1, 3, titles=numbers, places=3, carried=1, slips=loss_slips),
        ask.vector("scores", "the scores $f$", 2, 2, titles=numbers, places=3, carried=1, slips=score_slips),
        ask.number("mean", "the mean loss", 3, places=3, carried=1, follows="sum(loss)/4", slips=[mean_slip]),
        ask.number(
            "change",
            "change of the mean, with its sign",
            4,
            2,
            places=3,
            carried=1,
            follows=f"{given_y[3]}*scores[3]/4",
            slips=change_slips,
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_LOSS = ["instance", "$y$", "$q$", "$\\tilde y$", "$f$", "loss"]


@drill("kl-divergence", marks=8, minutes=10, title="Kullback-Leibler divergence")
def divergence(rng: np.random.Generator) -> Parts:
    """Both divergences of two distributions over three outcomes, the cross-entropy and the entropy."""
    total = int(rng.choice([8, 10, 12, 16]))
    while True:
        a, b = (rng.multinomial(total, rng.dirichlet([1.0, 1.0, 1.0])) for _ in range(2))
        if set(a) | set(b) <= _EASY and (np.sort(a) != np.sort(b)).any():
            break
    p, q = a / total, b / total
    H, C = float(entropy(p, base=2)), float(cross_entropy(p, q, base=2))
    forward, backward = float(kl_divergence(p, q, base=2)), float(kl_divergence(q, p, base=2))
    statement = "\n".join(
        [
            f"Two distributions over three outcomes: $p = {_vector(a, total)}$ and $q = {_vector(b, total)}$. "
            "Work in bits. " + LOGARITHMS,
            "",
            "1. Compute $\\mathrm{KL}(p \\,\\Vert\\, q)$ and $\\mathrm{KL}(q \\,\\Vert\\, p)$ (4 marks).",
            "2. Compute the entropy $H(p)$ and the cross-entropy $H(p, q)$, and check their relation (3 marks).",
            "3. What does $\\mathrm{KL}(p \\,\\Vert\\, q)$ say about code lengths? (1 mark)",
        ]
    )

    pairs = list(zip(a, b, strict=True))
    terms_pq = " + ".join(_term(i, total, i, j) for i, j in pairs if i != j)
    terms_qp = " + ".join(_term(j, total, j, i) for i, j in pairs if i != j)
    terms_h = " + ".join(_term(i, total, total, i) for i in a)
    terms_c = " + ".join(_term(i, total, total, j) for i, j in pairs)
    lines = [
        f"**Divergences** (2 marks each; equal entries give 0): $\\mathrm{{KL}}(p \\,\\Vert\\, q) = {terms_pq} = "
        f"{_three(forward)}$ bits; $\\mathrm{{KL}}(q \\,\\Vert\\, p) = {terms_qp} = {_three(backward)}$ bits. "
        "Both are positive; they are not equal in general.",
        "",
        f"**Entropy** (1 mark): $H(p) = {terms_h} = {_three(H)}$ bits.",
        "",
        f"**Cross-entropy** (1 mark): $H(p, q) = {terms_c} = {_three(C)}$ bits. "
        f"Relation (1 mark): ${_three(H)} + {_three(forward)} = {_three(C)}$.",
        "",
        f"**Meaning** (1 mark): who codes draws of $p$ with a code made for $q$ pays ${_three(forward)}$ bits a symbol "
        f"more than needed, in the limit of long blocks. {ROUNDED}",
    ]
    answer = {
        "kl_pq": round(forward, 9),
        "kl_qp": round(backward, 9),
        "entropy": round(H, 9),
        "cross_entropy": round(C, 9),
    }
    base, ways, kinds = (
        "information-convention-base",
        "information-do-not-confuse-direction",
        "information-do-not-confuse-h",
    )
    order = "information-convention-sum"
    pq_slips = [
        ask.slip(
            backward,
            "That is $\\mathrm{KL}(q \\,\\Vert\\, p)$: the mean is taken under the first distribution, here $p$.",
            card=ways,
        ),
        ask.slip(forward * float(np.log(2)), "That is in nats, with $\\ln$; bits need $\\log_2$.", card=base),
        ask.slip(
            -forward,
            "The sign is wrong: a divergence is never negative; the first distribution stands above in the logarithm.",
            card=ways,
        ),
    ]
    qp_slips = [
        ask.slip(
            forward,
            "That is $\\mathrm{KL}(p \\,\\Vert\\, q)$: the mean is taken under the first distribution, here $q$.",
            card=ways,
        ),
        ask.slip(backward * float(np.log(2)), "That is in nats, with $\\ln$; bits need $\\log_2$.", card=base),
    ]
    entropy_slips = [
        ask.slip(H * float(np.log(2)), "That is in nats, with $\\ln$; bits need $\\log_2$.", card=base),
        ask.slip(float(entropy(q, base=2)), "That is the entropy of $q$; $H(p)$ is asked for.", card=kinds),
    ]
    cross_slips = [
        ask.slip(
            float(cross_entropy(q, p, base=2)),
            "That is $H(q, p)$: in $H(p, q)$ the mean is taken under $p$, and $q$ stands in the logarithm.",
            card=order,
        ),
        ask.slip(
            H - forward,
            "That subtracts the divergence; the cross-entropy is the entropy plus the divergence.",
            card=kinds,
        ),
    ]
    fields = [
        ask.number("kl_pq", "$\\mathrm{KL}(p \\,\\Vert\\, q)$", 1, 2, places=3, carried=1, slips=pq_slips),
        ask.number("kl_qp", "$\\mathrm{KL}(q \\,\\Vert\\, p)$", 1, 2, places=3, carried=1, slips=qp_slips),
        ask.number("entropy", "$H(p)$", 2, places=3, carried=1, slips=entropy_slips),
        ask.number(
            "cross_entropy",
            "$H(p, q)$",
            2,
            2,
            places=3,
            carried=1,
            follows="entropy + kl_pq",
            slips=cross_slips,
        ),
        ask.own("meaning", "what it says about code lengths", 3),
    ]
    given = {"p": a.tolist(), "q": b.tolist(), "total": total}
    return Parts(statement, given, "\n".join(lines), answer, fields)


_EASY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16}  # their logarithms follow from those of 2, 3, 5 and 7


def _no_tie(counts: np.ndarray) -> bool:
    """Whether each merge of Huffman's algorithm has only one choice up to equal symbols, so that lengths are unique."""
    a = sorted(int(c) for c in counts)
    while len(a) > 2:
        if a[1] == a[2]:
            return False
        a = sorted([a[0] + a[1], *a[2:]])
    return True


def _merges(counts: np.ndarray, total: int) -> str:
    """The merges of Huffman's algorithm in words."""
    nodes = sorted((int(c), name) for c, name in zip(counts, "ABCD", strict=True))
    steps = []
    while len(nodes) > 1:
        (a, first), (b, second), *rest = nodes
        joined = "".join(sorted(first + second))
        steps.append(f"{first} and {second} to {joined} with ${_fraction(a + b, total)}$")
        nodes = sorted([(a + b, joined), *rest])
    return "merge " + ", then ".join(steps)


def _counts(v: np.ndarray, y: np.ndarray, r: int) -> np.ndarray:
    """Rows for the values 0, ..., r - 1 of an attribute; columns for yes and no."""
    return np.array([[((v == i) & (y == k)).sum() for k in (1, 0)] for i in range(r)])


def _term(weight: int, total: int, above: int, below: int) -> str:
    """A weight times the binary logarithm of a fraction."""
    return f"{_fraction(weight, total)} \\log_2 {_fraction(above, below)}"


def _fraction(a: int, b: int) -> str:
    return fraction(Fraction(int(a), int(b)))


def _vector(counts: np.ndarray, total: int) -> str:
    return "(" + ", ".join(_fraction(c, total) for c in counts) + ")"


def _three(value: float) -> str:
    return f"{0.0 if abs(value) < 5e-4 else value:.3f}"
