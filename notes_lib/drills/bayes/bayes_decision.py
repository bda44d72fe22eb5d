"""Drills on Bayesian decisions: posterior, least risk, rejection, the test of Neyman and Pearson, error integrals."""

from __future__ import annotations

import numpy as np

from notes_lib.bayes.bayes_decision import (
    REJECT,
    bayes_regions,
    chow_reject,
    likelihood_ratio_roc,
    likelihood_threshold,
    log_posterior,
    minimum_risk_action,
    neyman_pearson,
)
from notes_lib.checks import FloatArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask


@drill("bayes-decision", marks=8, minutes=10, title="The decision of smallest error")
def smallest_error(rng: np.random.Generator) -> Parts:
    """Joint densities, evidence, posteriors, decision and its error for three classes at one measurement."""
    while True:
        shares = rng.multinomial(10, [1 / 3] * 3)
        density = rng.integers(1, 10, size=3) / 10
        joint = shares * density / 10
        top = np.sort(joint)
        if (
            shares.min() > 0
            and top[2] - top[1] > 0.015
            and len(set(density)) == 3
            and density.argmax() != shares.argmax()
        ):
            break
    pi = shares / 10
    P = np.exp(log_posterior(np.log(density)[None], pi))[0]
    chosen, error = minimum_risk_action(P)
    likeliest = int(density.argmax())
    rows = [[k, pi[k], density[k], "", ""] for k in range(3)]
    statement = "\n".join(
        [
            "A measurement $x$ comes from one of three classes. Their priors, and their densities at this $x$:",
            "",
            table(rows, _THREE).markdown,
            "",
            "1. Fill in the joint densities, and add them up to $p(x)$. (2 marks)",
            "2. Fill in the posterior probabilities. (3 marks)",
            "3. Which class has the smallest probability of error, and how large is it? (2 marks)",
            "4. Which class would be chosen if all priors were equal? (1 mark)",
        ]
    )
    evidence = float(joint.sum())
    filled = [
        [
            k,
            pi[k],
            density[k],
            f"${sig(pi[k])} \\cdot {sig(density[k])} = {sig(joint[k])}$",
            _share(joint[k], evidence, P[k]),
        ]
        for k in range(3)
    ]
    lines = [
        "**Joint densities** (1 mark for the products, 1 for the sum): prior times density; $p(x) = "
        f"{' + '.join(sig(v) for v in joint)} = {sig(evidence)}$.",
        "",
        "**Posterior** (1 mark for the formula, 2 for the values): each product divided by $p(x)$.",
        "",
        table(filled, _THREE).markdown,
        "",
        f"**Decision** (1 mark for the class, 1 for the error): class {chosen} has the largest posterior. It is wrong "
        f"with probability $1 - {_fraction(joint[chosen], evidence)} = {sig(error)}$.",
        "",
        f"**Equal priors** (1 mark): the largest density alone decides, class {likeliest}.",
    ]
    answer = {
        "joint": joint.round(9).tolist(),
        "evidence": round(evidence, 9),
        "posterior": P.round(9).tolist(),
        "label": int(chosen),
        "error": round(float(error), 9),
        "likeliest": likeliest,
    }
    classes = [f"class {k}" for k in range(3)]
    fields = [
        ask.vector(
            "joint",
            "joint densities",
            1,
            titles=classes,
            slips=[
                ask.slip(
                    density,
                    "Those are the densities alone; a joint density is the prior times the density.",
                    card="bayes-decision-lost-marks-prior",
                )
            ],
        ),
        ask.number(
            "evidence",
            "$p(x)$",
            1,
            follows="sum(joint)",
            slips=[
                ask.slip(
                    density.sum(),
                    "That adds up the densities without their priors; $p(x)$ is the sum of the products.",
                    card="bayes-decision-lost-marks-prior",
                )
            ],
        ),
        ask.vector(
            "posterior",
            "posterior probabilities",
            2,
            3,
            titles=classes,
            **ask.DERIVED,
            follows=[f"joint[{k}]/evidence" for k in range(3)],
            slips=[
                ask.slip(
                    density / density.sum(),
                    "That divides the densities by their sum, as if the priors were equal; multiply by the priors "
                    "first.",
                    card="bayes-decision-lost-marks-prior",
                )
            ],
        ),
        ask.choice(
            "label",
            "the class",
            3,
            options=[0, 1, 2],
            follows="argmax(posterior)",
            slips=[
                ask.slip(
                    likeliest,
                    "That class has the largest density; what counts is the density times the prior.",
                    card="bayes-decision-lost-marks-prior",
                ),
            ],
        ),
        ask.number(
            "error",
            "its probability of error",
            3,
            **ask.DERIVED,
            follows="1 - max(posterior)",
            slips=[
                ask.slip(
                    P[chosen],
                    "That is the probability of being right; the error is one minus it.",
                    card="bayes-decision-lost-marks-region",
                ),
                ask.slip(
                    1 - density.max() / density.sum(),
                    "That forgets the priors; it is one minus the largest share of the densities.",
                    card="bayes-decision-lost-marks-prior",
                ),
            ],
        ),
        ask.choice(
            "likeliest",
            "with equal priors",
            4,
            options=[0, 1, 2],
            slips=[
                ask.slip(
                    int(chosen),
                    "That still weights with the given priors; if all are equal they cancel.",
                    card="bayes-decision-lost-marks-prior",
                )
            ],
        ),
    ]
    return Parts(statement, {"priors": pi.tolist(), "density": density.tolist()}, "\n".join(lines), answer, fields)


@drill("minimum-risk", marks=10, minutes=13, title="The decision of smallest risk")
def smallest_risk(rng: np.random.Generator) -> Parts:
    """Posteriors, conditional risks, and the same decision by the likelihood ratio and its threshold."""
    while True:
        ill = int(rng.integers(1, 6))
        density = rng.integers(1, 10, size=2) / 10
        cost = np.array([[rng.integers(0, 2), rng.integers(2, 6)], [rng.integers(5, 13), rng.integers(0, 3)]])
        pi = np.array([10 - ill, ill]) / 10
        P = np.exp(log_posterior(np.log(density)[None], pi))[0]
        risks = P @ cost
        if density[0] != density[1] and abs(risks[0] - risks[1]) > 0.1 and abs(P[0] - P[1]) > 0.02:
            break
    joint = pi * density
    evidence = float(joint.sum())
    action, plain = int(minimum_risk_action(P, cost).chosen), int(minimum_risk_action(P).chosen)
    theta, ratio = likelihood_threshold(pi, cost), float(density[1] / density[0])
    statement = "\n".join(
        [
            f"Of all parts a share of ${sig(pi[1])}$ is faulty (class 1), the others are sound (class 0). A reading "
            f"has the density ${sig(density[0])}$ for sound and ${sig(density[1])}$ for faulty parts. The table gives "
            "the cost of each decision (column) for each truth (row).",
            "",
            table([[_NAMES[k], *map(int, cost[k])] for k in (0, 1)], ["truth", "pass it", "scrap it"]).markdown,
            "",
            "1. Compute both posterior probabilities. (2 marks)",
            "2. Compute the conditional risk of both decisions. Which one is taken? (4 marks)",
            "3. Decide again by the likelihood ratio and its threshold. (3 marks)",
            "4. Which decision has the smallest probability of error? (1 mark)",
        ]
    )
    parts = [_fraction(v, evidence) for v in joint]
    sums = [f"{cost[0, a]} \\cdot {parts[0]} + {cost[1, a]} \\cdot {parts[1]} = {sig(risks[a])}" for a in (0, 1)]
    lines = [
        f"**Posterior** (1 mark for the formula, 1 for the values): $p(x) = {sig(pi[0])} \\cdot {sig(density[0])} + "
        f"{sig(pi[1])} \\cdot {sig(density[1])} = {sig(evidence)}$; sound ${parts[0]} = {sig(P[0])}$, faulty "
        f"${parts[1]} = {sig(P[1])}$.",
        "",
        f"**Risks** (1 mark for the formula, 1 for each value, 1 for the decision): to pass it costs ${sums[0]}$ on "
        f"average, to scrap it ${sums[1]}$. The smaller one: {_ACTIONS[action]}.",
        "",
        f"**Likelihood ratio** (1 mark for the ratio, 1 for the threshold, 1 for the comparison): "
        f"${_fraction(density[1], density[0])} = {sig(ratio)}$, and the threshold is "
        f"$\\frac{{{sig(pi[0])} \\cdot ({cost[0, 1]} - {cost[0, 0]})}}{{{sig(pi[1])} \\cdot ({cost[1, 0]} - "
        f"{cost[1, 1]})}} = {sig(theta)}$. As ${sig(ratio)} {'>' if ratio > theta else '<'} {sig(theta)}$: "
        f"{_ACTIONS[action]}, as before.",
        "",
        f"**Smallest error** (1 mark): the larger posterior is that of {_NAMES[plain]} parts: {_ACTIONS[plain]}.",
    ]
    given = {"priors": pi.tolist(), "density": density.tolist(), "cost": cost.tolist()}
    answer = {
        "posterior": P.round(9).tolist(),
        "risks": risks.round(9).tolist(),
        "action": _ACTIONS[action],
        "ratio": round(ratio, 9),
        "threshold": round(theta, 9),
        "plain": _ACTIONS[plain],
    }
    fields = [
        ask.vector(
            "posterior",
            "posterior probabilities",
            1,
            2,
            titles=_NAMES,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    density / density.sum(),
                    "That divides the densities by their sum; multiply each by its prior first.",
                    card="bayes-decision-lost-marks-prior",
                )
            ],
        ),
        ask.vector(
            "risks",
            "conditional risks",
            2,
            3,
            titles=_ACTIONS,
            **ask.DERIVED,
            follows=[f"{cost[0, a]}*posterior[0] + {cost[1, a]}*posterior[1]" for a in (0, 1)],
            slips=[
                ask.slip(
                    cost @ P,
                    "That goes along the rows of the table; a row is a truth, and the risk of a decision goes down its "
                    "column.",
                    card="bayes-decision-lost-marks-transpose",
                )
            ],
        ),
        ask.choice(
            "action",
            "the decision",
            2,
            options=_ACTIONS,
            follows="argmin(risks)",
            slips=[
                ask.slip(
                    _ACTIONS[1 - action],
                    "That decision has the larger conditional risk; the smaller one is taken.",
                    card="bayes-decision-do-not-confuse-rules",
                )
            ],
        ),
        ask.number(
            "ratio",
            "likelihood ratio",
            3,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    1 / ratio,
                    "That is upside down: class 1 stands in the numerator, and a large ratio speaks for it.",
                    card="bayes-decision-convention-ratio",
                )
            ],
        ),
        ask.number(
            "threshold",
            "its threshold",
            3,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    1 / theta,
                    "That is upside down: the prior of class 1 and the cost of missing it stand below.",
                    card="bayes-decision-lost-marks-theta",
                ),
                ask.slip(
                    pi[0] / pi[1],
                    "That is the threshold of smallest error; here each prior is multiplied by what its mistake costs "
                    "more than the right decision.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
                ask.slip(
                    pi[0] * cost[0, 1] / (pi[1] * cost[1, 0]),
                    "That takes the costs of the mistakes alone; subtract from each what the right decision costs.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
            ],
        ),
        ask.choice(
            "plain",
            "the decision of smallest error",
            4,
            options=_ACTIONS,
            follows="argmax(posterior)",
            slips=[
                ask.slip(
                    _ACTIONS[1 - plain],
                    "That decision is wrong more often than right; without costs the larger posterior decides.",
                    card="bayes-decision-do-not-confuse-rules",
                )
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("reject-option", marks=9, minutes=12, title="Deciding or rejecting")
def rejection(rng: np.random.Generator) -> Parts:
    """Chow's rule for five instances of three classes: threshold, decisions, rates, and what rejection saves."""
    while True:
        P = np.array([rng.multinomial(20, rng.dirichlet([0.6] * 3)) for _ in range(5)]) / 20
        mistake = int(rng.choice([10, 20]))
        price = int(rng.integers(2, 5)) * mistake // 20
        t = price / mistake
        doubt = (1 - P.max(axis=1)).round(9)
        top = np.sort(P, axis=1)
        clear = (top[:, 2] - top[:, 1] > 0.04).all() and (np.abs(doubt - t) > 0.01).all()
        if clear and price >= 1 and 1 <= (doubt > t).sum() <= 3 and doubt[doubt <= t].sum() > 0 and doubt.min() < 0.11:
            break
    chosen = chow_reject(P, t)
    kept = chosen != REJECT
    words = ["reject" if c == REJECT else str(c) for c in chosen]
    wrong, rejected = float(doubt[kept].sum()), int((~kept).sum())
    error, among = wrong / 5, wrong / int(kept.sum())
    with_option = (mistake * wrong + price * rejected) / 5
    without = mistake * float(doubt.sum()) / 5
    statement = "\n".join(
        [
            "Posterior probabilities of three classes for five instances, which stand for equal shares of all:",
            "",
            table([[_LETTERS[i], *P[i], "", ""] for i in range(5)], _REJECT).markdown,
            "",
            f"A mistake costs {mistake}, no decision {price}, a right decision nothing.",
            "",
            "1. From which probability of error on is it better not to decide? (1 mark)",
            "2. Fill in the probability of error of the best class, and the decision. (3 marks)",
            "3. Give the reject rate, the error rate of all, and the error rate of the accepted. (3 marks)",
            "4. Give the mean cost with the option, and without it. (2 marks)",
        ]
    )
    added = " + ".join(sig(v) for v in doubt[kept])
    everything = " + ".join(sig(v) for v in doubt)
    lines = [
        f"**Threshold** (1 mark): a mistake with probability $e$ costs ${mistake}\\, e$, so reject where $e$ exceeds "
        f"${price} / {mistake} = {sig(t)}$.",
        "",
        "**Decisions** (1 mark for the probabilities of error, 2 for the decisions): one minus the largest posterior.",
        "",
        table([[_LETTERS[i], *P[i], doubt[i], words[i]] for i in range(5)], _REJECT).markdown,
        "",
        f"**Rates** (1 mark for each rate): rejected are ${rejected} / 5 = {sig(rejected / 5)}$; wrong are "
        f"$({added}) / 5 = {sig(error)}$ of all, and $({added}) / {int(kept.sum())} = {sig(among)}$ of the accepted.",
        "",
        f"**Costs** (1 mark for each mean): with the option $({mistake} \\cdot ({added}) + {price} \\cdot {rejected}) "
        f"/ 5 = {sig(with_option)}$, without it ${mistake} \\cdot ({everything}) / 5 = {sig(without)}$.",
    ]
    given = {"posterior": P.tolist(), "mistake": mistake, "price": price}
    answer = {
        "threshold": t,
        "doubt": doubt.tolist(),
        "decisions": words,
        "rates": [rejected / 5, round(error, 9), round(among, 9)],
        "costs": [round(with_option, 9), round(without, 9)],
    }
    out = " + ".join(f"(decisions[{i}] == 3)" for i in range(5))
    lost = " + ".join(f"doubt[{i}]*(decisions[{i}] != 3)" for i in range(5))
    fields = [
        ask.number(
            "threshold",
            "reject from the probability of error",
            1,
            slips=[
                ask.slip(
                    1 - t,
                    "That is the posterior from which on it is better to decide; asked is the probability of error, "
                    "one minus it.",
                    card="bayes-decision-convention-ties",
                )
            ],
        ),
        ask.vector(
            "doubt",
            "probabilities of error",
            2,
            titles=_LETTERS,
            slips=[
                ask.slip(
                    P.max(axis=1),
                    "Those are the probabilities of being right; subtract them from one.",
                    card="bayes-decision-lost-marks-region",
                )
            ],
        ),
        ask.sequence(
            "decisions",
            "decisions",
            2,
            2,
            options=["0", "1", "2", "reject"],
            titles=_LETTERS,
            follows=[f"{c} + {3 - c}*(doubt[{i}] > threshold)" for i, c in enumerate(P.argmax(axis=1))],
            slips=[
                ask.slip(
                    [str(c) for c in P.argmax(axis=1)],
                    "That rejects nothing; where the probability of error exceeds the threshold, do not decide.",
                    card="bayes-decision-convention-ties",
                )
            ],
        ),
        ask.vector(
            "rates",
            "rates",
            3,
            3,
            percent=True,
            titles=["rejected", "errors of all", "errors of accepted"],
            **ask.DERIVED,
            follows=[f"({out})/5", f"({lost})/5", f"({lost})/(5 - ({out}))"],
            slips=[
                ask.slip(
                    [rejected / 5, among, error],
                    "The last two are exchanged: of all divides by 5, of the accepted by how many are accepted.",
                    card="bayes-decision-convention-ties",
                ),
                ask.slip(
                    [rejected / 5, error, error],
                    "Both error rates are of all instances; that of the accepted divides by how many are accepted.",
                    card="bayes-decision-convention-ties",
                ),
            ],
        ),
        ask.vector(
            "costs",
            "mean costs",
            4,
            2,
            titles=["with the option", "without it"],
            follows=[f"({mistake}*({lost}) + {price}*({out}))/5", f"{mistake}*sum(doubt)/5"],
            slips=[
                ask.slip(
                    [mistake * error, without],
                    "The first one leaves out the price of the rejected instances; each of them costs it.",
                    card="bayes-decision-convention-ties",
                ),
                ask.slip(
                    [mistake * among + price * rejected / 5, without],
                    "The first one takes the error rate of the accepted; a mean over all needs that of all.",
                    card="bayes-decision-convention-ties",
                ),
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("neyman-pearson", marks=9, minutes=13, title="The most powerful test")
def most_powerful(rng: np.random.Generator) -> Parts:
    """Ratios of four values, the corners of the ROC curve, and the randomised test of a given rate of false alarms."""
    while True:
        p, q = (rng.multinomial(20, rng.dirichlet([2] * 4)) for _ in range(2))
        hundredths = int(rng.integers(6, 31))
        if min(p.min(), q.min()) < 1 or len({b / a for a, b in zip(p, q, strict=True)}) < 4:
            continue
        null, alternative, alpha = p / 20, q / 20, hundredths / 100
        test = neyman_pearson(null, alternative, alpha)
        roc = likelihood_ratio_roc(null, alternative)
        side = int(np.flatnonzero(roc.ratios == test.threshold)[0])
        if side in (1, 2) and 0.05 < test.randomise < 0.95 and test.detection > alpha + 0.1:
            break
    order = np.argsort(roc.side)
    names = [_LETTERS[i] for i in order]
    before = float(roc.false_alarm[side].round(9))
    rest = round(alpha - before, 9)
    at = order[side]
    statement = "\n".join(
        [
            "A reading takes four values, with these probabilities for noise (class 0) and signal (class 1):",
            "",
            table([[_LETTERS[i], null[i], alternative[i], ""] for i in range(4)], _TEST).markdown,
            "",
            f"Find the test that detects most signals with a rate of false alarms of $\\alpha = {sig(alpha)}$.",
            "",
            "1. Fill in the likelihood ratios, and sort the values by them, the largest first. (2 marks)",
            "2. Add up false alarms and detections in this order. (2 marks)",
            "3. At which values does the test always decide for the signal, at which one only sometimes, and with "
            "which probability? (3 marks)",
            "4. Which share of the signals does it detect? (2 marks)",
        ]
    )
    sums = [[names[j], sig(roc.false_alarm[j + 1]), sig(roc.detection[j + 1])] for j in range(4)]
    always = " and ".join(names[:side])
    chance = f"\\frac{{{sig(rest)}}}{{{sig(null[at])}}}"
    lines = [
        "**Ratios** (1 mark for the ratios, 1 for the order): signal over noise.",
        "",
        table(
            [[_LETTERS[i], null[i], alternative[i], _share(alternative[i], null[i])] for i in range(4)], _TEST
        ).markdown,
        "",
        f"The order is {', '.join(names)}.",
        "",
        "**Sums** (1 mark for the false alarms, 1 for the detections), down to and with each value:",
        "",
        table(sums, ["down to", "false alarms", "detections"]).markdown,
        "",
        f"**Test** (1 mark for the values, 2 for the probability): at {always} always, which uses up ${sig(before)}$. "
        f"There is ${sig(alpha)} - {sig(before)} = {sig(rest)}$ left, so at {names[side]} with probability "
        f"${chance} = {sig(test.randomise)}$.",
        "",
        f"**Detections** (1 mark for the sum, 1 for the value): ${sig(roc.detection[side])} + {chance} \\cdot "
        f"{sig(alternative[at])} = {sig(test.detection)}$.",
    ]
    given = {"null": null.tolist(), "alternative": alternative.tolist(), "alpha": alpha}
    answer = {
        "ratios": (alternative / null).round(9).tolist(),
        "order": names,
        "false_alarm": roc.false_alarm[1:].round(9).tolist(),
        "detection": roc.detection[1:].round(9).tolist(),
        "sometimes": names[side],
        "chance": round(test.randomise, 9),
        "power": round(test.detection, 9),
    }
    places = ["1st", "2nd", "3rd", "4th"]
    fields = [
        ask.vector(
            "ratios",
            "likelihood ratios",
            1,
            titles=_LETTERS[:4],
            **ask.DERIVED,
            slips=[
                ask.slip(
                    null / alternative,
                    "Those are upside down: signal over noise, so that a large one means signal.",
                    card="bayes-decision-convention-ratio",
                )
            ],
        ),
        ask.sequence(
            "order",
            "the values in order",
            1,
            options=_LETTERS[:4],
            titles=places,
            follows=[_at_rank(j) for j in range(4)],
            slips=[
                ask.slip(
                    names[::-1],
                    "That begins with the smallest ratio; the largest one comes first.",
                    card="bayes-decision-convention-ratio",
                ),
                ask.slip(
                    [_LETTERS[i] for i in np.argsort(-alternative, kind="stable")],
                    "That goes by the probability under signal; sort by the ratio, detections for each false alarm.",
                    card="bayes-decision-lost-marks-sort",
                ),
            ],
        ),
        ask.vector(
            "false_alarm",
            "sums of false alarms",
            2,
            titles=places,
            follows=_summed(null),
            slips=[
                ask.slip(
                    null[order],
                    "Those are the single probabilities; add them up down to and with each value.",
                    card="bayes-decision-lost-marks-sort",
                )
            ],
        ),
        ask.vector(
            "detection",
            "sums of detections",
            2,
            titles=places,
            follows=_summed(alternative),
            slips=[
                ask.slip(
                    alternative[order],
                    "Those are the single probabilities; add them up down to and with each value.",
                    card="bayes-decision-lost-marks-sort",
                )
            ],
        ),
        ask.choice(
            "sometimes",
            "sometimes at",
            3,
            options=_LETTERS[:4],
            follows=" + ".join(f"order[{j}]*(({_within(alpha)}) == {j})" for j in range(4)),
            slips=[
                ask.slip(
                    names[side - 1],
                    "With that value the false alarms are still below $\\alpha$, so it is taken always; the next one "
                    "needs the coin.",
                    card="bayes-decision-do-not-confuse-rules",
                )
            ],
        ),
        ask.number(
            "chance",
            "with probability",
            3,
            2,
            **ask.DERIVED,
            follows=f"({alpha} - {_used('false_alarm', alpha)})/({_looked_up(null, 'sometimes')})",
            slips=[
                ask.slip(
                    rest,
                    "That is the rate of false alarms that is left; divide it by the probability of this value under "
                    "noise.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
                ask.slip(
                    rest / alternative[at],
                    "That divides by the probability under signal; false alarms come from noise.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
            ],
        ),
        ask.number(
            "power",
            "detected share",
            4,
            2,
            **ask.DERIVED,
            follows=f"{_used('detection', alpha)} + chance*({_looked_up(alternative, 'sometimes')})",
            slips=[
                ask.slip(
                    roc.detection[side],
                    "That leaves out the value at which the test decides only sometimes; add its probability of "
                    "detection times the chance.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
                ask.slip(
                    roc.detection[side + 1],
                    "That counts the last value in full; it is decided for only with the probability of part 3.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _looked_up(values: FloatArray, place: str) -> str:
    """The entry of a table at a place that a student gave, as an expression."""
    return " + ".join(f"{v}*({place} == {k})" for k, v in enumerate(values))


def _summed(values: FloatArray) -> list[str]:
    """Sums of a table in the order that a student gave, as expressions."""
    single = [_looked_up(values, f"order[{j}]") for j in range(4)]
    return [" + ".join(single[: j + 1]) for j in range(4)]


def _at_rank(j: int) -> str:
    """Which value has so many larger ratios, as an expression."""
    larger = [" + ".join(f"(ratios[{i}] > ratios[{k}])" for i in range(4) if i != k) for k in range(4)]
    return " + ".join(f"{k}*(({ranks}) == {j})" for k, ranks in enumerate(larger))


def _within(alpha: float) -> str:
    """How many of the values may be decided for always, as an expression."""
    return " + ".join(f"(false_alarm[{j}] <= {alpha})" for j in range(4))


def _used(name: str, alpha: float) -> str:
    """The last of the sums up to which the false alarms are within their rate, as an expression."""
    return f"max(0, {', '.join(f'{name}[{j}]*(false_alarm[{j}] <= {alpha})' for j in range(4))})"


@drill("error-integral", marks=10, minutes=14, title="The error as an integral over regions")
def error_integral(rng: np.random.Generator) -> Parts:
    """Border, both error integrals and the border with costs, for a falling and a rising straight density."""
    a = int(rng.integers(2, 10))
    b = int(rng.integers(1, a))
    share = int(rng.integers(4, 17)) / 20
    c = int(rng.integers(2, 7))
    pi = np.array([share, 1 - share]).round(9)
    h = 2 / a**2
    falling, rising = ([0, a], [h * a, 0]), ([b, b + a], [0, h * a])
    found, dear = bayes_regions([falling, rising], pi), bayes_regions([falling, rising], pi, [[0, 1], [c, 0]])
    x, x_c = (float(r.borders[int(np.flatnonzero(r.actions == 1)[-1])]) for r in (found, dear))
    to_1, to_0 = a - x, x - b
    errors = [pi[0] * to_1**2 / a**2, pi[1] * to_0**2 / a**2]
    p_0, p_1 = sig(pi[0]), sig(pi[1])
    statement = "\n".join(
        [
            f"In class 0 the density is $h\\,({a} - x)$ for $0 \\le x \\le {a}$, in class 1 it is "
            f"$h\\,(x - {b})$ for ${b} \\le x \\le {b + a}$, and 0 elsewhere. The priors are ${p_0}$ for class 0 and "
            f"${p_1}$ for class 1.",
            "",
            "1. Find $h$. (2 marks)",
            "2. Find the border of the rule of smallest error between the two classes. (2 marks)",
            "3. Find the probability of each of the two mistakes, and of any mistake. (4 marks)",
            f"4. Taking class 1 for class 0 now costs {c}, the other mistake 1. Where is the border? (2 marks)",
        ]
    )
    shifted = f"{c} \\cdot {p_1}"
    lines = [
        f"**Height** (1 mark for the area, 1 for the value): each density is a triangle of base {a} and height "
        f"${a}\\, h$, so $h = \\frac{{2}}{{{a}^2}} = {sig(h)}$.",
        "",
        f"**Border** (1 mark for the equation, 1 for its solution): ${p_0}\\,({a} - x) = {p_1}\\,(x - {b})$, the "
        f"factor $h$ cancels. As the priors add up to one, $x^\\star = {p_0} \\cdot {a} + {p_1} \\cdot {b} = "
        f"{sig(x)}$; class 0 to its left.",
        "",
        f"**Mistakes** (1 mark for the integrals, 2 for the values, 1 for the sum): small triangles of base "
        f"${a} - {sig(x)} = {sig(to_1)}$ and ${sig(x)} - {b} = {sig(to_0)}$. Class 0 to the right of the "
        f"border: ${p_0} \\cdot \\frac{{{sig(to_1)}^2}}{{{a}^2}} = {sig(errors[0])}$. Class 1 to its left: "
        f"${p_1} \\cdot \\frac{{{sig(to_0)}^2}}{{{a}^2}} = {sig(errors[1])}$. Any mistake: "
        f"$\\frac{{{p_0} \\cdot {sig(to_1)}^2 + {p_1} \\cdot {sig(to_0)}^2}}{{{a}^2}} = {sig(found.risk)}$.",
        "",
        f"**With costs** (1 mark for the equation, 1 for its solution): ${p_0}\\,({a} - x) = {shifted}\\,(x - {b})$, "
        f"so $x = \\frac{{{p_0} \\cdot {a} + {shifted} \\cdot {b}}}{{{p_0} + {shifted}}} = {sig(x_c)}$: the "
        "dear mistake pushes the border away from class 1.",
    ]
    given = {"a": a, "b": b, "priors": pi.tolist(), "cost": c}
    answer = {
        "height": round(h, 9),
        "border": round(x, 9),
        "errors": [round(float(e), 9) for e in errors],
        "total": round(found.risk, 9),
        "moved": round(x_c, 9),
    }
    fields = [
        ask.number("height", "$h$", 1, 2),
        ask.number(
            "border",
            "the border",
            2,
            2,
            slips=[
                ask.slip(
                    (a + b) / 2,
                    "There the densities alone are equal; each is multiplied by its prior first.",
                    card="bayes-decision-lost-marks-prior",
                ),
                ask.slip(
                    pi[1] * a + pi[0] * b,
                    "There each density has the prior of the other class; the falling one belongs to class 0.",
                    card="bayes-decision-lost-marks-prior",
                ),
            ],
        ),
        ask.vector(
            "errors",
            "probability of the mistakes",
            3,
            3,
            titles=["class 0", "class 1"],
            **ask.DERIVED,
            follows=[f"{pi[0]}*height*({a} - border)^2/2", f"{pi[1]}*height*(border - {b})^2/2"],
            slips=[
                ask.slip(
                    [pi[0] - errors[0], pi[1] - errors[1]],
                    "Those are the probabilities of being right: class 0 is lost where class 1 is decided, to the "
                    "right of the border.",
                    card="bayes-decision-lost-marks-region",
                ),
                ask.slip(
                    [to_1**2 / a**2, to_0**2 / a**2],
                    "Those are the areas under the densities alone; multiply each by its prior.",
                    card="bayes-decision-lost-marks-prior",
                ),
            ],
        ),
        ask.number(
            "total",
            "of any mistake",
            3,
            percent=True,
            **ask.DERIVED,
            follows="sum(errors)",
            slips=[
                ask.slip(
                    1 - found.risk,
                    "That is the probability of being right; each density is integrated over the region of the other "
                    "class.",
                    card="bayes-decision-lost-marks-region",
                ),
                ask.slip(
                    (to_1**2 + to_0**2) / a**2,
                    "That adds the areas under the densities alone; multiply each by its prior.",
                    card="bayes-decision-lost-marks-prior",
                ),
            ],
        ),
        ask.number(
            "moved",
            "the border with costs",
            4,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    (c * pi[0] * a + pi[1] * b) / (c * pi[0] + pi[1]),
                    "That puts the cost on class 0; taking class 1 for class 0 is the mistake of class 1.",
                    card="bayes-decision-lost-marks-transpose",
                ),
                ask.slip(
                    (a + c * b) / (1 + c),
                    "That has the costs but not the priors; both multiply the densities.",
                    card="bayes-decision-do-not-confuse-rules",
                ),
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_THREE = ["class", "prior", "density", "joint density", "posterior"]
_NAMES = ["sound", "faulty"]
_ACTIONS = ["pass it", "scrap it"]
_LETTERS = list("ABCDE")
_REJECT = ["instance", "class 0", "class 1", "class 2", "probability of error", "decision"]
_TEST = ["value", "noise", "signal", "ratio"]


def _fraction(above: float, below: float) -> str:
    return f"\\frac{{{sig(above)}}}{{{sig(below)}}}"


def _share(above: float, below: float, value: float | FloatArray | None = None) -> str:
    return f"${_fraction(above, below)} = {sig(above / below if value is None else value)}$"
