"""What every drill prints: each chain ``a = b = c`` is evaluated, each mark and minute added up."""

import re
from collections import Counter

import pytest

from notes_lib.drills import topics
from tests.drills.arithmetic import (
    CARRIED,
    CARRIED_PLACES,
    EXACT,
    PLACES,
    Reader,
    chains,
    formulas,
    has_number,
    name,
)
from tests.drills.page import MARKS, closing
from tests.drills.seeds import CHAIN_SEEDS, SEEDS, drawn

HMM = ["hmm-forward", "hmm-backward", "viterbi", "baum-welch-step"]
ROUNDING = dict.fromkeys(topics(), EXACT)
ROUNDING |= dict.fromkeys([*HMM, "markov-chain", "k-means", "k-means-plus-plus", "gmm-criteria"], PLACES)
ROUNDING |= dict.fromkeys(["information-gain", "cross-entropy", "kl-divergence"], CARRIED_PLACES)
ROUNDING |= dict.fromkeys(["gmm-em-step", "gmm-responsibility", "k-fold-split", "kappa", "softmax-step"], CARRIED)
ROUNDING |= dict.fromkeys(["gp-likelihood", "mixture-posterior"], CARRIED)
ROUNDING |= dict.fromkeys(["lda-boundary", "qda-boundary-1d"], CARRIED)
ROUNDING |= dict.fromkeys(["logistic-gradient-step", "boosting-logistic"], CARRIED)
ROUNDING |= dict.fromkeys(["entropy-split", "id3-tree", "gain-ratio"], CARRIED_PLACES)
ROUNDING |= dict.fromkeys(["adaboost-rounds", "adaboost-bound"], CARRIED)
ROUNDING |= dict.fromkeys(["pessimistic-pruning"], CARRIED)
ROUNDING |= dict.fromkeys(["shell-volume", "distance-spread", "growth-function"], CARRIED)
ROUNDING |= dict.fromkeys(["aic-bic", "mdl"], CARRIED_PLACES)
ROUNDING |= dict.fromkeys(["loo-shortcut"], CARRIED)
ROUNDING |= dict.fromkeys(["log2-fractions", "entropy-from-counts"], CARRIED_PLACES)

FREE = "an identity in free variables: the topic's own test evaluates it at a point"
NAMED = "a value of a function: the topic's own test knows it"
FORMULA = "the formula before numbers are put in"
# Sides of chains that hold a number but no value that the text itself gives: patterns, where 9 stands for every number.
# The tests of the topics check these lines with what the symbols mean.
UNREAD = {
    "adaboost-rounds": {r"\\tfrac\{9\}\{9\}\\ln\\tfrac\{9-\\varepsilon_9\}\{\\varepsilon_9\}": FORMULA},
    "baum-welch-step": {r"\\(alpha|beta)_9\(9\)|P\\,\\xi_9\(9, 9\)": NAMED},
    "bellman-equation": {r".*V_9.*": "an equation for V, solved behind it"},
    "complete-square": {r"-?9?\(?x.*": FREE},
    "complete-square-2d": {r".*\\mathbf\{x\}.*": FREE},
    "conjugate-gradient": {r"-?9?x_9 [+-] 9?x_9": FREE},
    "cross-entropy": {r"\\ln \\frac\{q\}\{9 - q\}": FREE},
    "eigen-2x2": {
        r"\\lambda\^9( [+-] 9?\\lambda)?( [+-] 9)?": FREE,
        r"\\tfrac9 \\big\(-?9 \\pm \\sqrt\{9\}\\big\)": "two numbers at once, with plus and minus",
    },
    "entropy": {r"9 \\log 9": "0 log 0 is 0 by convention"},
    "error-integral": {r"h\\,\(9 - x\)|(9 \\cdot )?9\\,\((9 - x|x - 9)\)|9\\, h": FREE},
    "entropy-split": {r"9 \\log 9": "0 log 0 is 0 by convention", r"h\(9(, 9)+\)": NAMED},
    "exponential-family": {r".*(\\theta|\\lambda|\\eta|\bs\b|x!|\\binom|\\bar T).*": FREE},
    "gaussian-mle": {r"\\frac\{9\}\{\\hat\\sigma\^9\} \\sum_n \(x_n - 9\)": "a sum over the data"},
    "gmm-criteria": {r"-9\\ell \+ .*": FORMULA},
    "gmm-em-step": {r"9/\\sqrt\{9\\pi\}": "here pi is the number, elsewhere a weight"},
    "gmm-responsibility": {
        r"9/\\sqrt\{9\\pi\}": "here pi is the number, elsewhere a weight",
        r"\\frac\{9\}\{\\sigma_k\}\\, e\^\{-u_k\^9/9\}": FORMULA,
    },
    "gain-ratio": {r"9 \\log 9": "0 log 0 is 0 by convention", r"h\(9(, 9)+\)": NAMED},
    "gaussian-moments": {r"-?9?x( [+-] 9)?|9v\^9": FREE},
    "gaussian-normaliser": {r"(e\^\{)?-.*x.*|9/\(9v\)": FREE},
    "glm-newton-step": {r"\\frac\{9\}\{9 \+ e\^\{-\\eta\}\}|.*\\mu_n.*": FORMULA},
    "gp-likelihood": {r"-\\ln\(9\\pi\)": "pi is the number: the topic's own test knows it"},
    "gp-posterior": {r"\\max\(9,\\,9-\|x-x'\|\)": FREE},
    "gradient-step": {
        r"\(?-?9?x_9(\^9)?( [+-] 9?(x_9 x_9|x_9(\^9)?|9)|,\\; -?9?x_9)*(\)\^\\top)?": FREE,
        r"9/\(?\\lambda_\{\\m(ax|in)\}( \+ \\lambda_\{\\max\}\))?": NAMED,
    },
    "hmm-backward": {r"\\beta_9\(9\)|p\(z_9 = 9 \\mid x_9, x_9, x_9\)": NAMED},
    "hoeffding": {r"9e\^\{-9 m\\varepsilon\^9\}": FREE},
    "huber-loss": {r"9\\delta \\cdot \\delta \+ c": FREE},
    "id3-tree": {r"9 \\log 9": "0 log 0 is 0 by convention", r"h\(9(, 9)+\)": NAMED},
    "information-gain": {r"9 \\log 9": "0 log 0 is 0 by convention", r"h\(9, 9\)": NAMED},
    "k-fold-split": {r"m K \+ 9": FORMULA},
    "kalman-steady-state": {
        r"p - \\tfrac\{p\^9\}\{p \+ 9\} \+ 9|p\^9 - 9 p - 9 \\cdot 9": "an equation for p, solved behind it",
        r"\\big\(\\tfrac\{9\}\{9\}\\big\)\^n": FREE,
    },
    "kalman-step": {r"(9(\.9)? )?z_\{t-9\} \+ w_t|9(\.9)? z_t \+ v_t": FORMULA},
    "kernel-gradient-step": {r"\(?x z \+ 9\)?(\^\{9\})?": FREE, r"\\mathbf\{9\}": "the vector 0"},
    "kernel-perceptron": {r"\(\\mathbf\{x\}\^\\top\\mathbf\{z\} \+ 9\)\^9": FREE, r"\\mathbf\{9\}": "the vector 0"},
    "kernel-ridge": {r"\(?x z\+9\)?(\^9)?": FREE},
    "kernel-validity": {
        r".*\b[xz]\b.*|9\\, x z \+ \(x z\)\^9": FREE,
    },
    "kkt-qp": {r".*(x_9|\\mu_9).*": FREE},
    "kl-divergence": {r"9 \\log 9": "0 log 0 is 0 by convention"},
    "lagrange-budget": {r".*x_9.*": FREE},
    "lagrange-circle": {r"-?9?x.*": FREE},
    "lagrange-line": {r".*[xy].*|.*\\lambda": FREE},
    "lagrange-multiplier": {r".*(x_9|\\lambda_9).*": FREE},
    "logistic-gradient-step": {r"\\sum_n \\big\[.*": FORMULA},
    "lms-step": {r"y_9\(\\mathbf\{x\}_9, 9\)": NAMED},
    "loo-shortcut": {r"9/N\+\(x_n-\\bar x\)\^9/9": FORMULA},
    "map-estimate": {r".*\\theta.*": FREE},
    "markov-chain": {r"s_9 \\cdot 9": "an equation for s, solved behind it"},
    "mixture-posterior": {r"\(9 - P\)\\, S_B": "an equation for P, solved behind it"},
    "momentum-step": {r"-?9?x_9\^9 [+-] 9?x_9\^9": FREE},
    "newton-logistic": {
        r"\\sum_n \\big\[.*": FORMULA,
        r"\\mathbf\{9\}": "the vector 0",
        r"\\sigma\(9\)": NAMED,
        r"p_n \(9 - p_n\)": FORMULA,
    },
    "newton-step": {r".*x_9.*": FREE},
    "pac-sample-size": {r"\(9-\\varepsilon\)\^n": FREE},
    "parzen-window": {r"\\tfrac\{9\}\{9\}\(9-u\^9\)": FREE},
    "pessimistic-pruning": {r"\(9 ?- ?U\)\^n": FORMULA},
    "policy-iteration": {r".*V_9.*": "an equation for V, solved behind it"},
    "second-order": {
        r"-?9?x_9(\^9| x_9)( [+-] 9?x_9(\^9| x_9))*": FREE,
        r".*\\lambda.*": FREE,
        r"-?9?x_9 [+-] 9?x_9": FREE,
        r"9\\mathbf\{x\}": FREE,
        r"\\pm .*": "two points at once, with plus and minus",
        r"\\mathbf\{9\}": "the vector 0",
    },
    "shell-volume": {
        r".*\\pi.*": "a multiple of a power of pi, elsewhere a weight: the topic's own test knows it",
        r".*\\varepsilon.*": "an equation for the thickness, solved behind it",
    },
    "smoother-step": {r"(9 )?z_t \+ w_\{t\+9\}": FORMULA},
    "stick-breaking": {r"\\big\(\\tfrac\{9\}\{9\}\\big\)\^T": FREE},
    "svm-dual": {
        r"\(?-?9\)?\\, \\alpha_9 \+ \(?-?9\)?\\, \\alpha_9": FREE,
        r"9a - \\tfrac9 (a\^9 \\lVert .* \\rVert\^9|\\cdot 9\\, a\^9)": FREE,
    },
    "svm-kernel-xor": {
        r"\(\\mathbf\{x\}\^\\top \\mathbf\{z\} \+ 9\)\^9": FREE,
        r"a\\, \(9 [+-] 9 [+-] 9 [+-] 9\)|9\\, a": "an equation for a, solved behind it",
        r".*(\\sum_m|x_9 x_9).*": "a sum over the data, or " + FREE,
    },
    "svm-support-vectors": {r"\\max\(9, 9 - y_n f\(\\mathbf\{x\}_n\)\)": FORMULA},
    "two-squares": {r".*\(t.*": FREE},
    "value-iteration": {
        r"\\tfrac\{\\gamma\^k\}\{9-\\gamma\}\\lVert V_9-V_9\\rVert": FORMULA,
        r"9 \\cdot 9\^n \\cdot 9": FREE,
    },
}
# Symbols that a text uses with two meanings are not learnt from it.
TWO_MEANINGS = {"kernel-validity": {name(r"\mathbf{K}")}, "second-order": {name(r"\lambda")}}


@pytest.mark.parametrize("topic", topics())
def test_every_chain_of_numbers_holds(topic):
    expected, seen, count = UNREAD.get(topic, {}), Counter(), 0
    for seed in CHAIN_SEEDS:
        drill = drawn(topic, seed)
        reader = Reader(rounding=ROUNDING[topic], never=TWO_MEANINGS.get(topic, ()))
        for formula in formulas(f"{drill.statement}\n{drill.solution}"):
            links = reader.links(formula)
            wrong = [link for link in links if link.holds is False]
            assert not wrong, f"seed {seed}: {wrong} in {formula!r}"
            count += sum(link.holds is True for link in links)
            for side in unread(reader, formula):
                pattern = next((p for p in expected if re.fullmatch(p, side)), None)
                assert pattern, f"seed {seed}: nobody can read {side!r} in {formula!r}"
                seen[pattern] += 1
    assert set(seen) == set(expected), "a pattern in UNREAD is not needed any more"
    # two hold tables and single values only, the other no numbers at all
    assert count or topic in ("kernel-gradient-step", "d-separation", "linkage-merges")


def unread(reader, formula):
    """Sides with a number, in chains, that the reader cannot evaluate; every number is written as 9."""
    for chain in chains(formula):
        for _, side in chain:
            if has_number(side) and reader.evaluate(side) is None:
                yield re.sub(r"\d+(?:\.\d+)?", "9", side)


# How often a note such as "1 mark each" counts, where it does not say so itself.
TIMES = {
    ("baum-welch-step", "for each state at each step"): 4,
    ("bayes-risk", "for each conditional risk"): 2,
    ("confusion-metrics", "each"): 3,
    ("dirichlet-posterior", "each"): 3,
    ("eigen-2x2", "each"): 2,
    ("entropy-split", "each"): 3,
    ("fisher-lda", "for each of the three matrices"): 3,
    ("gain-ratio", "each"): 3,
    ("gradient-step", "for each point"): 2,
    ("gradient-step", "for each value"): 2,
    ("gradient-step", "each"): 2,
    ("growth-function", "each"): 2,
    ("hmm-backward", "for each other"): 2,
    ("hmm-backward", "for each product"): 2,
    ("hmm-forward", "for each other"): 2,
    ("hoeffding", "each"): 2,
    ("huber-loss", "each"): 2,
    ("id3-tree", "for each gain"): 2,
    ("k-means-plus-plus", "for each column of $$"): 2,
    ("k-means-plus-plus", "for each column of fractions"): 2,
    ("k-means-plus-plus", "for each choice"): 2,
    ("kkt-qp", "for each of the four"): 4,
    ("kl-divergence", "each"): 2,
    ("lagrange-multiplier", "each"): 2,
    ("logistic-gradient-step", "for each sum"): 2,
    ("map-estimate", "each"): 3,
    ("minimum-risk", "for each value"): 2,
    ("newton-logistic", "for each column"): 3,
    ("newton-logistic", "for each entry"): 2,
    ("newton-step", "each"): 2,
    ("reject-option", "for each mean"): 2,
    ("reject-option", "for each rate"): 3,
    ("second-order", "each"): 2,
    ("second-order", "for each conclusion"): 2,
    ("second-order", "for each determinant"): 2,
    ("vc-dimension", "each"): 2,
    ("vc-dimension", "for each half"): 2,
    ("viterbi", "for the numbers and"): 2,
    ("viterbi", "for the pointers of each other"): 2,
}


def notes(text):
    """Notes on marks: those in brackets, or the line that lists them."""
    yield from (text[m.start() + 1 : closing(text, m.start()) - 1] for m in MARKS.finditer(text))
    yield from re.findall(r"\bMarks: (.*?)\.(?: |$)", text)


def marks(topic, text):
    """The marks that a text gives, one after the other; what stands behind a semicolon takes marks off."""
    for note in notes(text):
        plain = re.sub(r"\$.*?\$", "$$", note.partition(";")[0])
        for number, what in re.findall(
            r"(\d+(?:\.\d+)?)(?: marks?)?\s*(.*?)(?:, (?=\d)| (?=1 for the pointers)|$)", plain
        ):
            times = TIMES.get((topic, what), 1)
            assert ("each" in what) == (times > 1) or what == "for the numbers and", (topic, note)
            yield times * float(number)


def sums(values):
    total = 0.0
    for value in values:
        total += value
        yield total


@pytest.mark.parametrize("topic", topics())
def test_marks_add_up(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        asked, told = (list(sums(marks(topic, text))) for text in (drill.statement, drill.solution))
        assert asked[-1] == told[-1] == drill.marks, f"seed {seed}: {asked}, {told}"
        if topic != "k-means-plus-plus":  # its notes go by columns, not by parts
            assert set(asked) <= set(told), f"seed {seed}: the parts give {asked}, their answers {told}"


@pytest.mark.parametrize("topic", topics())
def test_a_mark_takes_one_to_two_minutes(topic):
    drill = drawn(topic, 0)
    assert 0 < drill.marks <= 25
    assert 0 < drill.minutes <= 30
    assert 1 <= drill.minutes / drill.marks <= 2


@pytest.mark.parametrize("topic", topics())
def test_numbers_are_printed_as_a_student_would_write_them(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        for text in (drill.statement, drill.solution):
            assert text.count("$") % 2 == 0, f"seed {seed}"
            for odd in (r"\bnan\b", r"\binf\b", r"(?<![\d.])-0(?![\d.])", r"\d\.?e[+-]\d", r"\d{13}"):
                assert not re.search(odd, text), f"seed {seed}: {odd}"
