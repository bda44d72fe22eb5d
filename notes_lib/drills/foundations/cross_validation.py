"""Drills on cross-validation: folds by hand, numbers of fits, standard errors, the one-standard-error rule."""

from __future__ import annotations

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket
from notes_lib.foundations.cross_validation import (
    KFold,
    fold_summary,
    number_of_fits,
    one_standard_error_index,
)


@drill("k-fold-split", marks=12, minutes=15, title="Folds and the one-standard-error rule")
def k_fold_split(rng: np.random.Generator) -> Parts:
    """Folds, number of fits, mean and standard error of fold scores, and the one-standard-error choice for k-NN."""
    K = int(rng.integers(3, 6))
    n = int(rng.integers(2 * K + 1, 5 * K))
    neighbours = sorted(rng.choice([1, 3, 5, 7, 9, 11, 15], size=4, replace=False).tolist())
    outer = int(rng.choice([5, 10]))
    while True:  # percent right in each fold of 100, for each number of neighbours
        level = rng.integers(80, 86, size=(4, 1))
        scores = level + rng.integers(-6, 7, size=(4, K))
        sums = [fold_summary(row) for row in scores]
        mean, error = [s.mean for s in sums], [s.standard_error for s in sums]
        best = int(np.argmax(mean))
        chosen = one_standard_error_index(mean, error, [-k for k in neighbours])
        bound = mean[best] - error[best]
        clear = min(abs(m - bound) for i, m in enumerate(mean) if i != best) > 0.05
        whole = scores[best].sum() % K == 0  # deviations without fractions
        if sorted(mean)[-1] > sorted(mean)[-2] and error[best] > 0.5 and clear and whole:
            break
    folds = [test.tolist() for _, test in KFold(K).split(range(n))]
    m = len(neighbours)
    fits, nested = number_of_fits(m, K), number_of_fits(m, K, outer_splits=outer)
    header = ["neighbours", *(f"fold {k + 1}" for k in range(K))]
    statement = "\n".join(
        [
            f"{n} instances, numbered 0 to {n - 1}, are divided into {K} folds without shuffling; where the sizes "
            f"differ, the first folds are larger. On {100 * K} other instances, in {K} folds of 100, a grid search "
            "tries four numbers of neighbours of $k$-NN; the accuracies in percent:",
            "",
            table([[k, *row] for k, row in zip(neighbours, scores.tolist(), strict=True)], header).markdown,
            "",
            f"1. Write down the test part of each fold of the {n} instances (2 marks).",
            "2. How many models does the search fit, with the final fit on everything? How many if the search is "
            f"judged by an outer cross-validation with {outer} folds (the fits inside it only)? (3 marks)",
            "3. Compute the mean of each row (2 marks).",
            "4. Compute the standard error of the best mean, with divisor $K - 1$ in the variance (3 marks).",
            "5. Which candidate does the one-standard-error rule take? More neighbours: a simpler model. (2 marks)",
            "",
            table(
                [[k, "", "", ""] for k in neighbours], ["neighbours", "sum / K", "mean", "on or above the bound?"]
            ).markdown,
        ]
    )
    deviations = " + ".join(f"{bracket(v - mean[best])}^2" for v in scores[best].tolist())
    squares = float(np.sum((scores[best] - mean[best]) ** 2))
    long, short = n % K, n // K
    sizes = f"{long} folds of {short + 1} and {K - long} of {short}" if long else f"{K} folds of {short}"
    allowed = [k for k, m in zip(neighbours, mean, strict=True) if m >= bound]
    lines = [
        f"**Folds** (1 mark for the sizes, 1 for the indices): ${n} = {K} \\cdot {short} + {long}$, so {sizes}:",
        "",
        table(
            [[f"{k + 1}", ", ".join(map(str, fold))] for k, fold in enumerate(folds)], ["fold", "test part"]
        ).markdown,
        "",
        f"**Fits** (2 marks): $m K + 1 = {m} \\cdot {K} + 1 = {fits}$. Nested (1 mark): the whole search runs in each "
        f"of {outer} outer folds, ${outer} \\cdot {fits} = {nested}$.",
        "",
        "**Means** (2 marks):",
        "",
        table(
            [[k, f"{sum(row)} / {K}", m] for k, row, m in zip(neighbours, scores.tolist(), mean, strict=True)],
            ["neighbours", "sum / K", "mean"],
        ).markdown,
        "",
        f"**Standard error** of the best, {neighbours[best]} neighbours (1 mark for the squares, 1 for the variance, 1 "
        "for the root):",
        "",
        f"- ${deviations} = {sig(squares)}$",
        f"- $s^2 = {sig(squares)} / {K - 1} = {sig(squares / (K - 1))}$",
        f"- $\\mathrm{{SE}} = \\sqrt{{s^2 / K}} = \\sqrt{{{sig(squares / (K - 1))} / {K}}} = {sig(error[best])}$",
        "",
        f"**Choice** (1 mark for the bound, 1 for the candidate): the bound is "
        f"${sig(mean[best])} - {sig(error[best])} = {sig(bound)}$. On or above it: "
        f"{', '.join(map(str, allowed))}. The simplest of these has "
        f"**{neighbours[chosen]}** neighbours.",
    ]
    answer = {
        "folds": folds,
        "fits": fits,
        "nested_fits": nested,
        "means": mean,
        "best": neighbours[best],
        "standard_error": error[best],
        "bound": bound,
        "chosen": neighbours[chosen],
    }
    given = {"n": n, "K": K, "outer": outer, "neighbours": neighbours, "scores": scores.tolist()}
    refit, bar, direction = (
        "cross-validation-lost-marks-n",
        "cross-validation-lost-marks-bar",
        "cross-validation-do-not-confuse-direction",
    )
    ways, spread = "cross-validation-do-not-confuse-ways", float(np.sqrt(squares / (K - 1)))
    fits_slips = [
        ask.slip(m * K, "The final fit on everything is forgotten: add 1.", card=refit),
        ask.slip(K + 1, "That is one candidate; each of them is fitted in every fold.", card=refit),
    ]
    nested_slips = [
        ask.slip(
            outer * m * K, "Each outer fold runs the whole search, with its final fit: $m K + 1$ models.", card=ways
        ),
        ask.slip(outer + fits, "The search runs in each outer fold: multiply, do not add.", card=ways),
    ]
    means_slip = ask.slip(
        [int(row.sum()) for row in scores],
        "These are the sums; divide by the number of folds.",
        card="cross-validation-convention-pooled",
    )
    error_slips = [
        ask.slip(
            spread,
            "That is the standard deviation of one fold; the mean of $K$ folds has it divided by $\\sqrt{K}$.",
            card=bar,
        ),
        ask.slip(
            float(np.sqrt(squares)) / K,
            "That has the divisor $K$ in the variance; it is $K - 1$.",
            card="cross-validation-convention-std",
        ),
    ]
    bound_slips = [
        ask.slip(
            mean[best] + error[best],
            "Accuracies are better when larger: subtract the standard error from the best mean.",
            card=bar,
        ),
        ask.slip(
            mean[best] - spread,
            "That subtracts the standard deviation of one fold; the rule takes the standard error of the mean.",
            card=bar,
        ),
    ]
    chosen_slips = [
        ask.slip(
            neighbours[best],
            "That one has the best mean; the rule takes the simplest one that is not below the bound.",
            card=bar,
        ),
        ask.slip(
            allowed[0],
            "More neighbours make the simpler model: take the largest number that is not below the bound.",
            card=direction,
        ),
    ]
    errors = [
        f"(argmax(means) == {i})*sqrt(({' + '.join(f'({v} - means[{i}])^2' for v in line)})/{K * (K - 1)})"
        for i, line in enumerate(scores)
    ]
    reached = ", ".join(f"{i}*(means[{i}] >= bound)" for i in range(m))
    fields = [
        ask.sequence("folds", "test parts of the folds, in order", 1, 2, options=range(n), kind="groups"),
        ask.number("fits", "models fitted", 2, 2, whole=True, slips=fits_slips),
        ask.number(
            "nested_fits",
            "models fitted inside the outer folds",
            2,
            whole=True,
            follows=f"{outer}*fits",
            slips=nested_slips,
        ),
        ask.vector("means", "means", 3, 2, titles=neighbours, slips=[means_slip]),
        ask.number(
            "standard_error",
            "standard error of the best mean",
            4,
            3,
            **ask.DERIVED,
            follows=" + ".join(errors),
            slips=error_slips,
        ),
        ask.number(
            "bound", "the bound of the rule", 5, places=1, follows="max(means) - standard_error", slips=bound_slips
        ),
        ask.choice(
            "chosen",
            "neighbours that the rule takes",
            5,
            options=neighbours,
            follows=f"max({reached})",
            slips=chosen_slips,
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)
