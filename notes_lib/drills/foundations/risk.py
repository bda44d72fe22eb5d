"""Drills on loss and risk: the Huber loss, margins and their losses, the Bayes classifier of a small table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.foundations.risk import (
    bayes_classifier,
    bayes_risk,
    conditional_risk,
    empirical_risk,
    margin_hinge,
    margin_squared,
    margin_zero_one,
    residual_absolute,
    residual_huber,
    residual_huber_gradient,
    residual_squared,
    tabulate_posterior,
)


@drill("huber-loss", marks=11, minutes=13, title="Huber loss")
def huber_loss(rng: np.random.Generator) -> Parts:
    """Squared, absolute and Huber loss of four or five residuals, both sides of delta, and a downhill direction."""
    delta = int(rng.integers(1, 5))
    while True:
        n = int(rng.integers(4, 6))
        y, mu = rng.integers(0, 16, size=n), int(rng.integers(3, 13))
        r = y - mu
        inside, steep = np.abs(r) <= delta, residual_huber_gradient(r, delta)
        if 1 < inside.sum() < n and (r[~inside] > 0).any() and (np.abs(r) == delta).sum() <= 1 and steep.sum():
            break
    H, score = residual_huber(r, delta), -float(steep.sum())
    mean = empirical_risk(H).value
    way = "up" if score < 0 else "down"
    statement = "\n".join(
        [
            f"Targets ${', '.join(map(str, y))}$ are all predicted as $\\mu = {mu}$. Huber loss with "
            f"$\\delta = {delta}$.",
            "",
            "1. Fill in residual $r_n = y_n - \\mu$, both other losses, Huber loss and its derivative in $r$ "
            "(4 marks).",
            "2. Give the mean Huber loss and the derivative of the *sum* of the Huber losses with respect to $\\mu$. "
            "Should $\\mu$ go up or down? (3 marks)",
            "3. Value and slope of both branches at $r = \\delta$? (2 marks)",
            "4. A book writes $r^2$ for $|r| \\leq \\delta$, without the $\\tfrac12$, and $a |r| + c$ beyond. Which "
            "$a$ and $c$ does it need? (2 marks)",
            "",
            table([[int(v), "", "", "", "", ""] for v in y], _HUBER).markdown,
        ]
    )
    columns = [y, r, residual_squared(r) / 2, residual_absolute(r), H, steep]
    half, signs = fraction(Fraction(delta, 2)), " + ".join(f"({sig(v)})" for v in steep)
    lines = [
        "**Table** (1 mark for the residuals, 1 for both other losses, 1 for Huber, 1 for its slope): $\\tfrac12 r^2$ "
        f"where $|r| \\leq {delta}$, else ${delta}\\,(|r| - {half})$; the derivative is $r$ cut "
        f"off at $\\pm {delta}$.",
        "",
        table([list(row) for row in zip(*columns, strict=True)], _HUBER).markdown,
        "",
        f"**Mean** (1 mark): ${sig(H.sum())} / {n} = {sig(mean, 6)}$. **Derivative** (1 mark): "
        f"$\\partial r_n / \\partial \\mu = -1$, so $-\\big( {signs} \\big) = {sig(score)}$. "
        f"Downhill is the opposite sign: $\\mu$ goes **{way}** (1 mark).",
        "",
        f"**At $\\delta$** (1 mark for the values, 1 for the slopes): $\\tfrac12 \\cdot {delta}^2 = "
        f"{sig(delta**2 / 2)}$ and ${delta}\\,({delta} - {half}) = {sig(delta**2 / 2)}$; slopes "
        f"$r = {delta}$ and $\\delta = {delta}$.",
        "",
        f"**Without the half** (1 mark each): equal slopes, $a = 2\\delta = {2 * delta}$; equal values, $\\delta^2 = "
        f"2\\delta \\cdot \\delta + c$, so $c = -\\delta^2 = {-(delta**2)}$.",
    ]
    answer = {
        "residuals": r.tolist(),
        "huber": H.tolist(),
        "gradient": steep.tolist(),
        "mean": mean,
        "derivative": score,
        "way": way,
        "value_at_delta": delta**2 / 2,
        "a": 2 * delta,
        "c": -(delta**2),
        "slope_at_delta": delta,
    }
    card, half_card = "risk-lost-marks-huber", "risk-convention-half"
    residual_slip = ask.slip(-r, "That is $\\mu - y_n$; the residual here is $y_n - \\mu$.", card=card)
    huber_slips = [
        ask.slip(
            np.where(inside, r**2, H),
            "Where $|r| \\leq \\delta$ that lacks the $\\tfrac12$: with $r^2$ the two branches do not meet.",
            card=half_card,
        ),
        ask.slip(
            np.where(inside, H, delta * np.abs(r)),
            "Beyond $\\delta$ the constant is forgotten: the loss is $\\delta\\,(|r| - \\tfrac12 \\delta)$ there.",
            card=card,
        ),
        ask.slip(
            np.where(inside, H, np.abs(r)),
            "Beyond $\\delta$ that is $|r|$; the loss is $\\delta\\,(|r| - \\tfrac12 \\delta)$ there.",
            card=card,
        ),
    ]
    steep_slips = [
        ask.slip(
            r,
            "That is the derivative of $\\tfrac12 r^2$ everywhere; beyond $\\delta$ it is cut off at $\\pm \\delta$.",
            card=card,
        ),
        ask.slip(
            np.where(inside, r, np.sign(r)),
            "Beyond $\\delta$ the slope is $\\pm \\delta$, not $\\pm 1$.",
            card=card,
        ),
    ]
    mean_slip = ask.slip(
        float(H.sum()), "That is the sum of the losses; the mean divides it by their number.", card=card
    )
    derivative_slips = [
        ask.slip(
            -score,
            "The sign is lost: $r_n = y_n - \\mu$ falls as $\\mu$ grows, which puts a minus in front.",
            card=card,
        ),
        ask.slip(score / n, "That is the derivative of the mean; the one of the sum is asked for.", card=card),
    ]
    way_slip = ask.slip(
        "down" if way == "up" else "up", "That is uphill: $\\mu$ goes against the sign of the derivative.", card=card
    )
    value_slip = ask.slip(delta**2, "That lacks the $\\tfrac12$ of $\\tfrac12 r^2$.", card=half_card)
    a_slip = ask.slip(
        delta,
        "That is the slope where the branch is $\\tfrac12 r^2$; $r^2$ has the slope $2\\delta$ there.",
        card=half_card,
    )
    c_slip = ask.slip(
        delta**2,
        "The sign is wrong: $\\delta^2 = 2\\delta \\cdot \\delta + c$ gives a negative $c$.",
        card=half_card,
    )
    cut = [f"(abs(residuals[{j}]) <= {delta})" for j in range(n)]
    hubers = [
        f"{cut[j]}*residuals[{j}]^2/2 + (1 - {cut[j]})*{delta}*(abs(residuals[{j}]) - {delta / 2})" for j in range(n)
    ]
    slopes = [f"max(-{delta}, min(residuals[{j}], {delta}))" for j in range(n)]
    fields = [
        ask.vector("residuals", "the residuals", 1, titles=y, whole=True, slips=[residual_slip]),
        ask.vector("huber", "Huber loss", 1, 2, titles=y, follows=hubers, slips=huber_slips),
        ask.vector("gradient", "its derivative in $r$", 1, titles=y, follows=slopes, slips=steep_slips),
        ask.number("mean", "mean Huber loss", 2, follows=f"sum(huber)/{n}", slips=[mean_slip]),
        ask.number(
            "derivative", "derivative of the sum in $\\mu$", 2, follows="-sum(gradient)", slips=derivative_slips
        ),
        ask.choice("way", "$\\mu$ goes", 2, options=["up", "down"], follows="derivative > 0", slips=[way_slip]),
        ask.number("value_at_delta", "value of both branches at $r = \\delta$", 3, slips=[value_slip]),
        ask.number("slope_at_delta", "slope of both branches at $r = \\delta$", 3, whole=True),
        ask.number("a", "$a$", 4, whole=True, slips=[a_slip]),
        ask.number("c", "$c$", 4, whole=True, follows=f"{delta**2} - a*{delta}", slips=[c_slip]),
    ]
    return Parts(statement, {"y": y.tolist(), "mu": mu, "delta": delta}, "\n".join(lines), answer, fields)


@drill("margin-losses", marks=11, minutes=12, title="Margins, their losses and the mean loss")
def margin_losses(rng: np.random.Generator) -> Parts:
    """Functional and geometric margins of four instances, two losses, their mean with its standard error, a scaling."""
    w = np.array([(3, 4), (4, 3)][rng.integers(2)]) * rng.choice([-1, 1], size=2)
    while True:
        b, X, y = int(rng.integers(-3, 4)), rng.integers(-2, 4, size=(4, 2)), rng.choice([-1, 1], size=4)
        f = X @ w + b
        m = y * f
        if np.abs(f).max() < 8 and 0 < (m <= 0).sum() < 3 and (m > 1).any() and abs(y.sum()) < 4 and (f < 0).any():
            break
    gamma, hinge, squared, twice = m / 5, margin_hinge(m), margin_squared(m), margin_hinge(2 * m)
    errors, (mean, error), doubled = margin_zero_one(m), empirical_risk(hinge), empirical_risk(twice).value
    statement = "\n".join(
        [
            "A linear score $f(\\mathbf{x}) = \\mathbf{w}^\\top \\mathbf{x} + b$ has "
            f"$\\mathbf{{w}} = ({w[0]}, {w[1]})$ and $b = {b}$. A margin of 0 counts as an error.",
            "",
            "1. Give score $f$, functional margin $m$ and geometric margin $\\gamma$ of each instance (3 marks).",
            "2. Give hinge loss and squared loss of each (2 marks).",
            "3. Give the share of errors, the mean hinge loss and its standard error (4 marks).",
            "4. Now $\\mathbf{w}$ and $b$ are both doubled. What becomes of the geometric margins, and of the mean "
            "hinge loss? (2 marks)",
            "",
            table([[*map(int, v), int(c), "", "", "", "", ""] for v, c in zip(X, y, strict=True)], _MARGIN).markdown,
        ]
    )
    rows = zip(X[:, 0], X[:, 1], y, f, m, gamma, hinge, squared, strict=True)
    off = " + ".join(f"({sig(v)} - {sig(mean)})^2" for v in hinge)
    squares = float(((hinge - mean) ** 2).sum())
    lines = [
        "**Margins** (1 mark for the scores, 1 for the functional margins, 1 for the geometric margins): "
        f"$\\lVert \\mathbf{{w}} \\rVert = \\sqrt{{({w[0]})^2 + ({w[1]})^2}} = 5$. In the first row "
        f"$({w[0]}) \\cdot ({X[0, 0]}) + ({w[1]}) \\cdot ({X[0, 1]}) + ({b}) = {f[0]}$, then "
        f"$({y[0]}) \\cdot ({f[0]}) = {m[0]}$ and ${m[0]} / 5 = {sig(gamma[0])}$.",
        "",
        "**Losses** (1 mark for the hinge, 1 for the squared loss): $\\max(0, 1 - m)$ and $(1 - m)^2$.",
        "",
        table([list(row) for row in rows], _MARGIN).markdown,
        "",
        f"**Means** (1 mark for the share, 1 for the mean, 2 for the standard error): ${sig(errors.sum())} / 4 = "
        f"{sig(errors.mean())}$ errors and a mean hinge loss of ${sig(hinge.sum())} / 4 = {sig(mean)}$. Squared "
        f"deviations: ${off} = {sig(squares, 6)}$; over $4 \\cdot 3$, and the root: "
        f"$\\sqrt{{{sig(squares, 6)} / 12}} = {sig(error)}$.",
        "",
        "**Doubled** (1 mark for the margins, 1 for the mean): $m$ doubles and $\\lVert \\mathbf{w} \\rVert$ does, so "
        "the geometric margins and the decisions **stay**; the hinge losses become "
        f"${', '.join(sig(v) for v in twice)}$, in the mean ${sig(twice.sum())} / 4 = {sig(doubled)}$.",
    ]
    given = {"w": w.tolist(), "b": b, "X": X.tolist(), "y": y.tolist()}
    answer = {
        "margin": m.tolist(),
        "geometric": gamma.tolist(),
        "score": f.tolist(),
        "hinge": hinge.tolist(),
        "squared": squared.tolist(),
        "errors": float(errors.mean()),
        "mean": mean,
        "error": error,
        "become": "stay",
        "doubled": doubled,
    }
    numbers = ["first", "second", "third", "fourth"]
    scale, label_card, losses = "risk-lost-marks-scale", "risk-lost-marks-labels", "risk-do-not-confuse-losses"
    divisor = "risk-convention-cost"
    score_slip = ask.slip(f - b, "That leaves out $b$: the score is $\\mathbf{w}^\\top\\mathbf{x} + b$.", card=scale)
    margin_slip = ask.slip(f, "That is the score; the margin multiplies it by the label.", card=label_card)
    geometric_slips = [
        ask.slip(
            m / 25,
            "That divides by the squared length of $\\mathbf{w}$; the geometric margin divides by the length.",
            card=scale,
        ),
        ask.slip(
            f / 5,
            "These are distances with the sign of the score; the margin also has the label as a factor.",
            card=scale,
        ),
    ]
    hinge_slips = [
        ask.slip(1 - m, "That is $1 - m$ without the cut: the hinge is 0 from $m = 1$ on.", card=losses),
        ask.slip(
            np.maximum(0, -m),
            "That is $\\max(0, -m)$; the hinge asks for a margin of 1: $\\max(0, 1 - m)$.",
            card=losses,
        ),
    ]
    squared_slips = [
        ask.slip(
            hinge**2,
            "That is the squared hinge; the squared loss $(1 - m)^2$ also counts margins beyond 1.",
            card=losses,
        ),
        ask.slip(m**2, "That is $m^2$; the squared loss is $(1 - m)^2$.", card=losses),
    ]
    share_slip = ask.slip(
        float(errors.sum()), "That is the number of errors; the share divides it by 4.", card="risk-convention-zero"
    )
    mean_slip = ask.slip(float(hinge.sum()), "That is the sum; the mean divides it by 4.", card=losses)
    error_slips = [
        ask.slip(
            float(np.sqrt(squares / 3)),
            "That is the standard deviation of the losses; the standard error divides it by $\\sqrt{N}$.",
            card=divisor,
        ),
        ask.slip(
            float(np.sqrt(squares / 16)),
            "That divides by $N$ twice; the variance has the divisor $N - 1$.",
            card=divisor,
        ),
    ]
    become_slip = ask.slip(
        "double", "The functional margins double; the length of $\\mathbf{w}$ does too, so these stay.", card=scale
    )
    doubled_slip = ask.slip(
        2 * mean, "The hinge loss does not double: $\\max(0, 1 - 2m)$ is computed anew for each margin.", card=scale
    )
    marks_off = " + ".join(f"(margin[{j}] <= 0)" for j in range(4))
    around = " + ".join(f"(hinge[{j}] - mean)^2" for j in range(4))
    fields = [
        ask.vector("score", "the scores", 1, titles=numbers, whole=True, slips=[score_slip]),
        ask.vector(
            "margin",
            "functional margins",
            1,
            titles=numbers,
            whole=True,
            follows=[f"{c}*score[{j}]" for j, c in enumerate(y)],
            slips=[margin_slip],
        ),
        ask.vector(
            "geometric",
            "geometric margins",
            1,
            titles=numbers,
            follows=[f"margin[{j}]/5" for j in range(4)],
            slips=geometric_slips,
        ),
        ask.vector(
            "hinge",
            "hinge losses",
            2,
            titles=numbers,
            whole=True,
            follows=[f"max(0, 1 - margin[{j}])" for j in range(4)],
            slips=hinge_slips,
        ),
        ask.vector(
            "squared",
            "squared losses",
            2,
            titles=numbers,
            whole=True,
            follows=[f"(1 - margin[{j}])^2" for j in range(4)],
            slips=squared_slips,
        ),
        ask.number("errors", "share of errors", 3, follows=f"({marks_off})/4", slips=[share_slip]),
        ask.number("mean", "mean hinge loss", 3, follows="sum(hinge)/4", slips=[mean_slip]),
        ask.number(
            "error", "its standard error", 3, 2, **ask.DERIVED, follows=f"sqrt(({around})/12)", slips=error_slips
        ),
        ask.choice("become", "the geometric margins", 4, options=["stay", "double", "are halved"], slips=[become_slip]),
        ask.number(
            "doubled",
            "mean hinge loss then",
            4,
            follows="(" + " + ".join(f"max(0, 1 - 2*margin[{j}])" for j in range(4)) + ")/4",
            slips=[doubled_slip],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("bayes-risk", marks=11, minutes=14, title="Bayes classifier and its risk")
def bayes_risk_table(rng: np.random.Generator) -> Parts:
    """Two classes, three symptoms: posteriors, both Bayes classifiers and their risks, without a tie."""
    while True:
        ill, miss = int(rng.integers(1, 5)), int(rng.integers(2, 10))
        rows = np.array([rng.multinomial(10, rng.dirichlet([2, 2, 2])) for _ in range(2)])
        joint = np.array([10 - ill, ill])[:, None] * rows  # hundredths
        decided = [joint[1] > joint[0], miss * joint[1] > joint[0]]
        even = (joint[1] == joint[0]) | (miss * joint[1] == joint[0])
        if rows.min() > 0 and not even.any() and (decided[0] != decided[1]).any() and not decided[1].all():
            break
    prior, likelihood = np.array([10 - ill, ill]) / 10, rows / 10
    cost = np.array([[0, 1], [miss, 0]])
    P, evidence = tabulate_posterior(prior, likelihood)
    R = conditional_risk(P, cost)
    plain, dear = bayes_classifier(P), bayes_classifier(P, cost)
    errors, least = bayes_risk(P, evidence), bayes_risk(P, evidence, cost)
    statement = "\n".join(
        [
            f"A share ${sig(prior[1])}$ of the patients is ill. A symptom takes three values:",
            "",
            table([["healthy", *likelihood[0]], ["ill", *likelihood[1]]], ["$p(x \\mid y)$", *_VALUES]).markdown,
            "",
            "1. Compute $p(x)$ and the posterior $p(\\text{ill} \\mid x)$ (3 marks).",
            "2. State the Bayes classifier for the 0-1 loss and its risk (3 marks).",
            f"3. Missing an ill patient costs {miss}, a false alarm 1. State the conditional risk of both actions, "
            "the Bayes classifier and its risk (4 marks).",
            "4. From which posterior on is the alarm the better action? (1 mark)",
            "",
            table([[v, "", "", "", "", ""] for v in _VALUES], _BAYES).markdown,
        ]
    )
    names = ["healthy", "ill"]
    out = [
        [
            _VALUES[i],
            f"${sig(evidence[i])}$",
            f"${fraction(Fraction(int(joint[1, i]), int(joint[:, i].sum())))} = {sig(P[i, 1])}$",
            names[plain[i]],
            f"${sig(R[i, 0])}$ / ${sig(R[i, 1])}$",
            names[dear[i]],
        ]
        for i in range(3)
    ]
    small = joint.min(axis=0)
    priced = np.minimum(miss * joint[1], joint[0])
    lines = [
        "**Bayes' theorem** (1 mark for $p(x)$, 2 for the posteriors): joint probabilities in hundredths, healthy "
        f"${', '.join(map(str, joint[0]))}$ and ill ${', '.join(map(str, joint[1]))}$.",
        "",
        table(out, _BAYES).markdown,
        "",
        f"**0-1 loss** (1 mark for the rule, 2 for the risk): the smaller joint probability of each column is lost, "
        f"$({' + '.join(map(str, small))}) / 100 = {sig(errors)}$.",
        "",
        f"**Costs** (1 mark for each conditional risk, 1 for the rule, 1 for the risk): *healthy* costs ${miss}\\, "
        "p(\\text{ill} \\mid x)$, *ill* costs $p(\\text{healthy} \\mid x)$. The smaller one times $p(x)$, summed: "
        f"$({' + '.join(map(str, priced))}) / 100 = {sig(least)}$.",
        "",
        f"**Threshold** (1 mark): $1 / (1 + {miss}) = {sig(1 / (1 + miss))}$.",
    ]
    given = {"prior": prior.tolist(), "likelihood": likelihood.tolist(), "cost": cost.tolist()}
    answer = {
        "evidence": evidence.tolist(),
        "ill": P[:, 1].tolist(),
        "rule": plain.tolist(),
        "risk": errors,
        "rule_cost": dear.tolist(),
        "risk_cost": least,
        "threshold": 1 / (1 + miss),
        "conditional_risk": R.tolist(),
    }
    actions = [f"risk of *{name}*" for name in names]
    kinds, table_card = "risk-do-not-confuse-risks", "risk-convention-cost"
    evidence_slip = ask.slip(
        likelihood.mean(axis=0),
        "That counts both groups alike; each column is weighted with the shares of healthy and ill.",
        card=kinds,
    )
    ill_slips = [
        ask.slip(
            likelihood[1] / likelihood.sum(axis=0),
            "The prior is forgotten: multiply each probability of the table by the share of its group first.",
            card=kinds,
        ),
        ask.slip(
            joint[1] / 100,
            "That is the joint probability; the posterior divides it by $p(x)$.",
            card=kinds,
        ),
    ]
    risk_slips = [
        ask.slip(
            float(P.min(axis=1).mean()),
            "That is the plain mean over the three values; each conditional risk is weighted with $p(x)$.",
            card=kinds,
        ),
        ask.slip(
            1 - errors, "That is the probability of a right decision; the risk is that of a wrong one.", card=kinds
        ),
    ]
    conditional_slips = [
        ask.slip(
            np.column_stack([P[:, 1], miss * P[:, 0]]),
            "That reads the costs the wrong way round: missing an ill patient is dear, a false alarm costs 1.",
            card=table_card,
        ),
        ask.slip(
            R[:, ::-1],
            "The columns have changed places: *healthy* is wrong for those who are ill.",
            card=table_card,
        ),
    ]
    rule_slip = ask.slip(
        plain.tolist(),
        "That is the rule for the 0-1 loss; with costs compare the conditional risks, not the posteriors.",
        card=table_card,
    )
    cost_slips = [
        ask.slip(
            float(sum(evidence[i] * R[i, plain[i]] for i in range(3))),
            "That is the cost of the rule for the 0-1 loss; the new rule decides otherwise.",
            card=kinds,
        ),
        ask.slip(
            float(R.min(axis=1).mean()),
            "That is the plain mean over the three values; each conditional risk is weighted with $p(x)$.",
            card=kinds,
        ),
    ]
    threshold_slips = [
        ask.slip(
            miss / (1 + miss),
            "That is the threshold for the posterior of *healthy*; a dear miss lowers the one for *ill*.",
            card=table_card,
        ),
        ask.slip(
            1 / miss,
            "That compares with the posterior of *healthy* as if it were 1; it is one minus that of *ill*.",
            card=table_card,
        ),
    ]
    priced_in = " + ".join(
        f"evidence[{j}]*(conditional_risk[{j},0]*(1 - rule_cost[{j}]) + conditional_risk[{j},1]*rule_cost[{j}])"
        for j in range(3)
    )
    fields = [
        ask.vector("evidence", "$p(x)$", 1, titles=_VALUES, slips=[evidence_slip]),
        ask.vector(
            "ill",
            "posterior of *ill*",
            1,
            2,
            titles=_VALUES,
            follows=[f"{joint[1, j] / 100}/evidence[{j}]" for j in range(3)],
            slips=ill_slips,
        ),
        ask.sequence(
            "rule",
            "Bayes classifier, 0-1 loss",
            2,
            options=names,
            keys=[0, 1],
            titles=_VALUES,
            follows=[f"ill[{j}] > 0.5" for j in range(3)],
        ),
        ask.number(
            "risk",
            "its risk",
            2,
            2,
            **ask.DERIVED,
            follows=" + ".join(
                f"evidence[{j}]*(ill[{j}]*(1 - rule[{j}]) + (1 - ill[{j}])*rule[{j}])" for j in range(3)
            ),
            slips=risk_slips,
        ),
        ask.matrix(
            "conditional_risk",
            "conditional risks",
            3,
            2,
            rows=_VALUES,
            columns=actions,
            **ask.DERIVED,
            follows=[[f"{miss}*ill[{j}]", f"1 - ill[{j}]"] for j in range(3)],
            slips=conditional_slips,
        ),
        ask.sequence(
            "rule_cost",
            "Bayes classifier with costs",
            3,
            options=names,
            keys=[0, 1],
            titles=_VALUES,
            follows=[f"conditional_risk[{j},1] < conditional_risk[{j},0]" for j in range(3)],
            slips=[rule_slip],
        ),
        ask.number("risk_cost", "its risk", 3, **ask.DERIVED, follows=priced_in, slips=cost_slips),
        ask.number("threshold", "the alarm is better from the posterior", 4, slips=threshold_slips),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_HUBER = ["$y_n$", "$r_n$", "$\\frac12 r_n^2$", "$\\lvert r_n \\rvert$", "Huber", "derivative"]
_MARGIN = ["$x_1$", "$x_2$", "$y$", "$f$", "$m$", "$\\gamma$", "hinge", "squared"]
_VALUES = ["none", "weak", "strong"]
_BAYES = ["$x$", "$p(x)$", "$p(\\text{ill} \\mid x)$", "0-1 rule", "risk of *healthy* / *ill*", "rule with costs"]
