"""Drills on Markov chains and hidden Markov models: two states, two symbols, three steps, in exact decimals."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.sequences.hmm import (
    backward_step,
    forward_step,
    normalize_counts,
    stationary_distribution,
    symbol_counts,
    viterbi_step,
)

SYMBOLS = "ab"


@drill("markov-chain", marks=8, minutes=8, title="Stationary distribution of a Markov chain")
def markov_chain(rng: np.random.Generator) -> Parts:
    """Stationary distribution, second eigenvalue, third step and mean stays of a chain with two states."""
    p, A = _chain(rng)
    s, second = stationary_distribution(A), round(float(A[0, 0] + A[1, 1] - 1), 12)
    steps = [p, (p @ A).round(12), (p @ A @ A).round(12)]
    stays = 1 / np.array([A[0, 1], A[1, 0]])
    rows = [[f"state {k + 1}", _n(p[k]), *(_n(v) for v in A[k])] for k in (0, 1)]
    statement = "\n".join(
        [
            "A Markov chain $z_1, z_2, \\ldots$ has two states; *start* is the distribution of $z_1$:",
            "",
            table(rows, ["", "start", "to 1", "to 2"]).markdown,
            "",
            "1. Find the stationary distribution $(s_1, s_2)$ (3 marks).",
            "2. Find the second eigenvalue $\\lambda_2$ of the transition matrix (1 mark). How does the distribution "
            "of $z_t$ approach the stationary one: from one side, in turns from both sides, or at once (1 mark)?",
            "3. Find the distribution of $z_3$ (2 marks).",
            "4. How many steps does a stay in state 1, and one in state 2, last on average (1 mark)?",
        ]
    )
    answer = {
        "stationary": s.round(9).tolist(),
        "eigenvalue": second,
        "approach": _WAYS[int(np.sign(second))],
        "third": _exact(steps[2]),
        "stays": stays.round(9).tolist(),
    }
    fields = [
        ask.vector(
            "stationary", "stationary distribution", 1, 3, titles=_STATES,
            slips=[
                ask.slip(
                    np.full(len(s), 1 / len(s)),
                    "That solves $\\mathbf{A}\\mathbf{s} = \\mathbf{s}$; a distribution is multiplied from the left.",
                    card="hmm-lost-marks-stationary",
                ),
                ask.slip(
                    s[::-1],
                    "The two states are exchanged: $s_1$ is proportional to the way back from state 2.",
                    card="hmm-lost-marks-stationary",
                ),
            ],
        ),
        ask.number(
            "eigenvalue", "$\\lambda_2$", 2,
            slips=[
                ask.slip(
                    second + 1,
                    "That is the trace, the sum of both eigenvalues; one of them is 1.",
                    card="hmm-lost-marks-stationary",
                )
            ],
        ),
        ask.choice(
            "approach", "how it is approached", 2, options=_WAYS.values(),
            follows="(eigenvalue < 0) + 2*(eigenvalue == 0)",
        ),
        ask.vector(
            "third", "distribution of $z_3$", 3, 2, titles=_STATES,
            slips=[
                ask.slip(steps[1], "That is the distribution of $z_2$; one more step is needed.", card=_ROWS),
                ask.slip(A @ A @ p, _FROM_TO, card="hmm-lost-marks-transpose"),
            ],
        ),
        ask.vector(
            "stays", "mean stay", 4, titles=_STATES,
            slips=[
                ask.slip(
                    1 / np.diag(A),
                    "That divides by the probability of staying; a stay ends with the probability of leaving.",
                    card=_ROWS,
                )
            ],
        ),
    ]  # fmt: skip
    lines = _chain_lines(A, s, second, steps, stays)
    return Parts(statement, {"start": p.tolist(), "transmat": A.tolist()}, "\n".join(lines), answer, fields)


@drill("hmm-forward", marks=8, minutes=9, title="Forward algorithm")
def forward_table(rng: np.random.Generator) -> Parts:
    """Table of alpha, likelihood, and the filtered distribution of the last state."""
    pi, A, B, x = _model(rng)
    alpha = _alphas(pi, A, B, x)
    filtered = alpha[-1] / alpha[-1].sum()
    statement = _statement(
        pi,
        A,
        B,
        x,
        [
            "the table of $\\alpha_t(k) = p(x_1, \\ldots, x_t, z_t = k)$ (5 marks),",
            "the probability of the sequence (1 mark),",
            "the filtered distribution $p(z_3 = k \\mid x_1, x_2, x_3)$ (2 marks).",
        ],
        ["$\\alpha_t(1)$", "$\\alpha_t(2)$"],
    )
    lines = [
        "**Table** (1 mark for the first row, 2 for each other):",
        "",
        *_forward_lines(pi, A, B, x, alpha),
        f"**Probability** (1 mark): {_sum(alpha[-1])}. It is the sum of the *last* row only.",
        "",
        f"**Filtered** (1 mark for the division, 1 for the numbers): divide the last row by its sum: "
        f"$p(z_3 = 1 \\mid x_1, x_2, x_3) = {_n(alpha[-1, 0])} / {_n(alpha[-1].sum())} = {_q(filtered[0])}$ and "
        f"$p(z_3 = 2 \\mid x_1, x_2, x_3) = {_q(filtered[1])}$.",
    ]
    answer = {"alpha": _exact(alpha), "probability": _exact(alpha[-1].sum()), "filtered": filtered.round(9).tolist()}
    fields = [
        ask.matrix(
            "alpha", "table of $\\alpha_t(k)$", 1, 5, rows=_STEPS, columns=_STATES,
            slips=[
                ask.slip(_alphas(pi, A.T, B, x), _FROM_TO, card="hmm-lost-marks-transpose"),
                ask.slip(
                    _deltas(pi, A, B, x)[0],
                    "That takes the larger way into each state, as Viterbi does; the forward algorithm adds both.",
                    card="hmm-do-not-confuse-three",
                ),
            ],
        ),
        ask.number(
            "probability", "probability of the sequence", 2, follows="sum(alpha[2,:])",
            slips=[
                ask.slip(
                    alpha.sum(),
                    "That adds up the whole table; the probability is the sum of the last row.",
                    card="hmm-do-not-confuse-tables",
                )
            ],
        ),
        ask.vector(
            "filtered", "filtered distribution of $z_3$", 3, 2, titles=_STATES, **ask.DERIVED,
            follows=[f"alpha[2,{k}] / probability" for k in (0, 1)],
            slips=[
                ask.slip(
                    alpha[-1],
                    "These are joint probabilities; divide them by their sum.",
                    card="hmm-do-not-confuse-tables",
                )
            ],
        ),
    ]  # fmt: skip
    return Parts(statement, _given(pi, A, B, x), "\n".join(lines), answer, fields)


@drill("hmm-backward", marks=10, minutes=11, title="Backward algorithm")
def backward_table(rng: np.random.Generator) -> Parts:
    """Table of beta, likelihood from its first row, and the smoothed distribution of the first state."""
    pi, A, B, x = _model(rng)
    beta = _betas(A, B, x)
    joint = pi * B[:, x[0]] * beta[0]
    smoothed = joint / joint.sum()
    statement = _statement(
        pi,
        A,
        B,
        x,
        [
            "the table of $\\beta_t(k) = p(x_{t+1}, \\ldots, x_3 \\mid z_t = k)$ (5 marks),",
            "the probability of the sequence, from $\\beta_1$ (3 marks),",
            "the smoothed distribution $p(z_1 = k \\mid x_1, x_2, x_3)$ (2 marks).",
        ],
        ["$\\beta_t(1)$", "$\\beta_t(2)$"],
    )
    lines = [
        "**Table** (1 mark for the last row, 2 for each other):",
        "",
        *_backward_lines(A, B, x, beta),
        "**Probability** (1 mark for the formula, 1 for each product): "
        "$\\sum_k \\pi_k\\, b_k(x_1)\\, \\beta_1(k)$. "
        + " ".join(
            f"State {k + 1}: ${_n(pi[k])} \\cdot {_n(B[k, x[0]])} \\cdot {_n(beta[0, k])} = {_n(joint[k])}$."
            for k in (0, 1)
        )
        + f" Together {_sum(joint)}. Adding $\\beta_1(1) + \\beta_1(2) = {_n(beta[0].sum())}$ would forget the start "
        "distribution and the first symbol.",
        "",
        "**Smoothed** (1 mark for the division, 1 for the numbers): $p(z_1 = 1 \\mid x_1, x_2, x_3) = "
        f"{_n(joint[0])} / {_n(joint.sum())} = {_q(smoothed[0])}$ and "
        f"$p(z_1 = 2 \\mid x_1, x_2, x_3) = {_q(smoothed[1])}$.",
    ]
    answer = {"beta": _exact(beta), "probability": _exact(joint.sum()), "smoothed": smoothed.round(9).tolist()}
    fields = [
        ask.matrix(
            "beta", "table of $\\beta_t(k)$", 1, 5, rows=_STEPS, columns=_STATES,
            slips=[
                ask.slip(
                    _betas(A.T, B, x),
                    "That adds over the states from which one comes; the backward algorithm adds over the next ones.",
                    card="hmm-lost-marks-transpose",
                )
            ],
        ),
        ask.number(
            "probability", "probability of the sequence", 2, 3,
            follows=" + ".join(f"{pi[k] * B[k, x[0]]}*beta[0,{k}]" for k in (0, 1)),
            slips=[
                ask.slip(
                    beta[0].sum(),
                    "That adds $\\beta_1$ alone; the start distribution and the first symbol are missing.",
                    card="hmm-do-not-confuse-tables",
                )
            ],
        ),
        ask.vector(
            "smoothed", "smoothed distribution of $z_1$", 3, 2, titles=_STATES, **ask.DERIVED,
            follows=[f"{pi[k] * B[k, x[0]]}*beta[0,{k}] / probability" for k in (0, 1)],
            slips=[
                ask.slip(
                    beta[0] / beta[0].sum(),
                    "That normalises $\\beta_1$ alone; normalise the products $\\alpha_1(k)\\,\\beta_1(k)$.",
                    card="hmm-lost-marks-backward-joint",
                )
            ],
        ),
    ]  # fmt: skip
    return Parts(statement, _given(pi, A, B, x), "\n".join(lines), answer, fields)


@drill("viterbi", marks=10, minutes=11, title="Viterbi algorithm")
def viterbi_table(rng: np.random.Generator) -> Parts:
    """Table of delta with pointers, the most likely path and its probability."""
    while True:
        pi, A, B, x = _model(rng)
        delta, pointers, reach = _deltas(pi, A, B, x)
        gaps = [abs(r[0] - r[1]).min() for r in reach] + [abs(delta[-1, 0] - delta[-1, 1])]
        if min(gaps) > 1e-9:  # no tie
            break
    path = [int(delta[-1].argmax())]
    for pointer in pointers[::-1]:
        path.insert(0, int(pointer[path[0]]))
    statement = _statement(
        pi,
        A,
        B,
        x,
        [
            "the table of $\\delta_t(k)$, the probability of the best path that ends in state $k$ at step $t$, with "
            "the pointers $\\psi_t(k)$ to the state before (7 marks),",
            "the most likely path (2 marks),",
            "its probability together with the symbols (1 mark).",
        ],
        ["$\\delta_t(1)$", "$\\psi_t(1)$", "$\\delta_t(2)$", "$\\psi_t(2)$"],
    )
    rows: list[list[Any]] = [[1, SYMBOLS[x[0]], _n(delta[0, 0]), "-", _n(delta[0, 1]), "-"]]
    lines = [
        "**Table** (1 mark for the first row, 2 for the numbers and 1 for the pointers of each other):",
        "",
        "- $t = 1$: " + _starts("\\delta", pi, B, x, delta[0]),
    ]
    for t in (1, 2):
        parts = []
        for k in (0, 1):
            options = [f"{_n(delta[t - 1, i])} \\cdot {_n(A[i, k])} = {_n(reach[t - 1][i, k])}" for i in (0, 1)]
            parts.append(
                f"into state {k + 1}: ${options[0]}$ from 1, ${options[1]}$ from 2; the larger one times "
                f"$b_{k + 1}({SYMBOLS[x[t]]}) = {_n(B[k, x[t]])}$ gives $\\delta_{t + 1}({k + 1}) = {_n(delta[t, k])}$"
            )
        lines.append(f"- $t = {t + 1}$, " + "; ".join(parts) + ".")
        p = pointers[t - 1] + 1
        rows.append([t + 1, SYMBOLS[x[t]], _n(delta[t, 0]), int(p[0]), _n(delta[t, 1]), int(p[1])])
    one = [z + 1 for z in path]
    lines += [
        "",
        table(rows, ["$t$", "$x_t$", "$\\delta_t(1)$", "$\\psi_t(1)$", "$\\delta_t(2)$", "$\\psi_t(2)$"]).markdown,
        "",
        f"**Path** (1 mark for the last state, 1 for following the pointers): $\\delta_3$ is largest in state "
        f"{one[2]}; $\\psi_3({one[2]}) = {one[1]}$ and $\\psi_2({one[1]}) = {one[0]}$, so the path is "
        f"{one[0]}, {one[1]}, {one[2]}.",
        "",
        f"**Probability** (1 mark): $\\max_k \\delta_3(k) = {_n(delta[-1].max())}$.",
    ]
    answer = {"delta": _exact(delta), "path": one, "probability": _exact(delta[-1].max())}
    answer["pointers"] = [[int(z) + 1 for z in pointer] for pointer in pointers]
    fields = [
        ask.matrix(
            "delta", "table of $\\delta_t(k)$", 1, 5, rows=_STEPS, columns=_STATES,
            slips=[
                ask.slip(
                    _alphas(pi, A, B, x),
                    "That adds both ways into a state, as the forward algorithm does; Viterbi takes the larger one.",
                    card="hmm-do-not-confuse-three",
                ),
                ask.slip(_deltas(pi, A.T, B, x)[0], _WRONG_WAY, card="hmm-lost-marks-transpose"),
            ],
        ),
        ask.matrix(
            "pointers", "pointers $\\psi_t(k)$", 1, 2, rows=_STEPS[1:], columns=_STATES, whole=True,
            follows=[
                [f"1 + (delta[{t},1]*{A[1, k]} > delta[{t},0]*{A[0, k]})" for k in (0, 1)] for t in (0, 1)
            ],
            slips=[
                ask.slip(np.array(pointers), "That counts the states from 0; here they are 1 and 2.", card=_LETTERS)
            ],
        ),
        ask.sequence(
            "path", "most likely path, from $z_1$ to $z_3$", 2, 2, options=[1, 2], follows=_traced_back(),
            slips=[
                ask.slip(
                    [int(row.argmax()) + 1 for row in delta],
                    "That takes the largest $\\delta_t(k)$ of each step; take the last one and follow the pointers.",
                    card="hmm-lost-marks-no-backtracking",
                )
            ],
        ),
        ask.number(
            "probability", "its probability together with the symbols", 3, follows="max(delta[2,:])",
            slips=[
                ask.slip(
                    _alphas(pi, A, B, x)[-1].sum(),
                    "That is the probability of the symbols over all paths; here one path is asked for.",
                    card="hmm-do-not-confuse-three",
                ),
                ask.slip(
                    delta[-1].max() / _alphas(pi, A, B, x)[-1].sum(),
                    "That is the probability of the path given the symbols; asked for is the one together with them.",
                    card="hmm-do-not-confuse-three",
                ),
            ],
        ),
    ]  # fmt: skip
    return Parts(statement, _given(pi, A, B, x), "\n".join(lines), answer, fields)


@drill("baum-welch-step", marks=16, minutes=19, title="One update of Baum-Welch")
def baum_welch_step(rng: np.random.Generator) -> Parts:
    """One update of all parameters from one sequence of three symbols."""
    pi, A, B, x = _model(rng)
    alpha, beta = _alphas(pi, A, B, x), _betas(A, B, x)
    P = alpha[-1].sum()
    joint = alpha * beta  # gamma times P
    pairs = np.stack([alpha[t][:, None] * A * (B[:, x[t + 1]] * beta[t + 1]) for t in (0, 1)])  # xi times P
    gamma, counts = joint / P, pairs.sum(axis=0)
    new_pi = gamma[0]
    new_A = normalize_counts(counts, A)
    emitted = symbol_counts(x, joint, 2)
    new_B = normalize_counts(emitted, B)
    statement = _statement(
        pi,
        A,
        B,
        x,
        [
            "the tables of $\\alpha_t(k)$ and $\\beta_t(k)$, and $P = p(x_1, x_2, x_3)$ (6 marks),",
            "$P\\, \\gamma_t(k) = \\alpha_t(k)\\, \\beta_t(k)$ for all $t$ and $k$ (2 marks),",
            "$P\\, \\xi_t(i, j) = \\alpha_t(i)\\, a_{ij}\\, b_j(x_{t+1})\\, \\beta_{t+1}(j)$ for $t = 1, 2$ (4 marks),",
            "the new $\\boldsymbol{\\pi}$, $\\mathbf{A}$ and $\\mathbf{B}$ after one update of Baum-Welch (4 marks).",
        ],
        ["$\\alpha_t(1)$", "$\\alpha_t(2)$", "$\\beta_t(1)$", "$\\beta_t(2)$"],
    )
    lines = [
        "**Forward** (3 marks):",
        "",
        *_forward_lines(pi, A, B, x, alpha),
        f"$P$ is {_sum(alpha[-1])}.",
        "",
        "**Backward** (3 marks):",
        "",
        *_backward_lines(A, B, x, beta),
        "**States** (2 marks): each row must add up to $P$, which is a check. The last row is needed below.",
        "",
        table(
            [
                [
                    t + 1,
                    f"{_n(alpha[t, 0])} · {_n(beta[t, 0])} = {_n(joint[t, 0])}",
                    f"{_n(alpha[t, 1])} · {_n(beta[t, 1])} = {_n(joint[t, 1])}",
                    _n(joint[t].sum()),
                ]
                for t in range(3)
            ]
            + [["together", *(_n(v) for v in joint.sum(axis=0)), ""]],
            ["$t$", "$P\\,\\gamma_t(1)$", "$P\\,\\gamma_t(2)$", "sum"],
        ).markdown,
        "",
        "**Transitions** (1 mark for each state at each step): each row must add up to $P$ too, and "
        "$\\sum_j \\xi_t(i, j) = \\gamma_t(i)$.",
        "",
        table(
            [[f"{t + 1}", *(_n(pairs[t, i, j]) for i in (0, 1) for j in (0, 1))] for t in (0, 1)]
            + [["together", *(_n(v) for v in counts.ravel())]],
            ["$t$", *(f"$P\\,\\xi_t({i}, {j})$" for i in (1, 2) for j in (1, 2))],
        ).markdown,
        "",
        f"For example $P\\,\\xi_1(1, 2) = {_n(alpha[0, 0])} \\cdot {_n(A[0, 1])} \\cdot {_n(B[1, x[1]])} \\cdot "
        f"{_n(beta[1, 1])} = {_n(pairs[0, 0, 1])}$. Three steps have two transitions.",
        "",
        "**Update** (1 mark for the start, 1 for the transitions, 2 for the emissions). $P$ cancels in all quotients:",
        "",
        f"- $\\hat\\pi_1 = {_n(joint[0, 0])} / {_n(P)} = {_q(new_pi[0])}$, $\\hat\\pi_2 = {_q(new_pi[1])}$.",
        *(
            f"- $\\hat a_{{{i + 1}1}} = {_n(counts[i, 0])} / {_n(counts[i].sum())} = {_q(new_A[i, 0])}$, "
            f"$\\hat a_{{{i + 1}2}} = {_q(new_A[i, 1])}$."
            for i in (0, 1)
        ),
        *(
            f"- $\\hat b_{k + 1}(a) = {_n(emitted[k, 0])} / {_n(joint[:, k].sum())} = {_q(new_B[k, 0])}$, "
            f"$\\hat b_{k + 1}(b) = {_q(new_B[k, 1])}$."
            for k in (0, 1)
        ),
        "",
        "The denominator of $\\hat a_{ij}$ runs over $t = 1, 2$, the one of $\\hat b_k$ over all three steps.",
    ]
    answer = {
        "probability": _exact(P),
        "gamma": gamma.round(9).tolist(),
        "xi": (pairs / P).round(9).tolist(),
        "startprob": new_pi.round(9).tolist(),
        "transmat": new_A.round(9).tolist(),
        "emissionprob": new_B.round(9).tolist(),
        "alpha": _exact(alpha),
        "beta": _exact(beta),
        "joint": _exact(joint),
        "pairs": _exact(pairs),
    }
    fields = [
        ask.matrix(
            "alpha", "table of $\\alpha_t(k)$", 1, 2, rows=_STEPS, columns=_STATES,
            slips=[ask.slip(_alphas(pi, A.T, B, x), _FROM_TO, card="hmm-lost-marks-transpose")],
        ),
        ask.number("probability", "$P$", 1, follows="sum(alpha[2,:])"),
        ask.matrix("beta", "table of $\\beta_t(k)$", 1, 3, rows=_STEPS, columns=_STATES),
        ask.matrix(
            "joint", "table of $P\\,\\gamma_t(k)$", 2, 2, rows=_STEPS, columns=_STATES,
            follows=[[f"alpha[{t},{k}]*beta[{t},{k}]" for k in (0, 1)] for t in range(3)],
            slips=[
                ask.slip(
                    gamma, "These are the $\\gamma_t(k)$, divided by $P$ already.", card="hmm-do-not-confuse-tables"
                )
            ],
        ),
        *(
            ask.matrix(
                f"pairs.{t}", f"$P\\,\\xi_{t + 1}(i, j)$", 3, 2, rows=_FROM, columns=_TO,
                follows=[
                    [f"alpha[{t},{i}]*{A[i, j] * B[j, x[t + 1]]}*beta[{t + 1},{j}]" for j in (0, 1)] for i in (0, 1)
                ],
            )
            for t in (0, 1)
        ),
        ask.vector(
            "startprob", "new $\\boldsymbol{\\pi}$", 4, titles=_STATES, **ask.DERIVED,
            follows=[f"joint[0,{k}] / probability" for k in (0, 1)],
            slips=[
                ask.slip(
                    gamma.mean(axis=0),
                    "That is the mean of $\\gamma_t$ over all steps; the start needs $\\gamma_1$ only.",
                    card="hmm-convention-rows",
                )
            ],
        ),
        ask.matrix(
            "transmat", "new $\\mathbf{A}$", 4, rows=_FROM, columns=_TO, **ask.DERIVED,
            follows=[
                [
                    f"(pairs.0[{i},{j}] + pairs.1[{i},{j}]) / (sum(pairs.0[{i},:]) + sum(pairs.1[{i},:]))"
                    for j in (0, 1)
                ]
                for i in (0, 1)
            ],
            slips=[
                ask.slip(
                    counts / joint.sum(axis=0)[:, None],
                    "The divisor has the last step in it, which has no transition; the rows do not sum to 1.",
                    card="hmm-lost-marks-transition-count",
                )
            ],
        ),
        ask.matrix(
            "emissionprob", "new $\\mathbf{B}$", 4, 2, rows=_STATES, columns=["$a$", "$b$"], **ask.DERIVED,
            follows=[[f"({_emitted(k, m, x)}) / sum(joint[:,{k}])" for m in (0, 1)] for k in (0, 1)],
            slips=[
                ask.slip(
                    emitted / joint[:-1].sum(axis=0)[:, None],
                    "The divisor leaves out the last step, which emits a symbol, too.",
                    card="hmm-lost-marks-transition-count",
                )
            ],
        ),
    ]  # fmt: skip
    return Parts(statement, _given(pi, A, B, x), "\n".join(lines), answer, fields)


_STEPS, _STATES = ["$t = 1$", "$t = 2$", "$t = 3$"], ["state 1", "state 2"]
_FROM, _TO = ["from 1", "from 2"], ["to 1", "to 2"]
_WAYS = {1: "from one side", -1: "in turns from both sides", 0: "at once"}  # by the sign of the second eigenvalue
_ROWS, _LETTERS = "hmm-convention-rows", "hmm-convention-letters"
_WRONG_WAY = "Rows and columns are exchanged: rows of $\\mathbf{A}$ are *from*, columns *to*."
_FROM_TO = "Rows and columns are exchanged: rows of $\\mathbf{A}$ are *from*, columns *to*; add over *from*."
_SIGNS = {1: "positive", -1: "negative", 0: "zero"}
Model = tuple[FloatArray, FloatArray, FloatArray, np.ndarray]


def _chain(rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Start and transitions in tenths; the start is not stationary, and each state can be left."""
    while True:
        start, stay, back = (int(v) for v in rng.integers(1, 10, size=3))
        p, A = np.array([start, 10 - start]) / 10, np.array([[stay, 10 - stay], [back, 10 - back]]) / 10
        if start * (10 - stay) != (10 - start) * back:
            return p, A


def _chain_lines(A: FloatArray, s: FloatArray, second: float, steps: list[FloatArray], stays: FloatArray) -> list[str]:
    leave, back, sign = _n(A[0, 1]), _n(A[1, 0]), int(np.sign(second))
    moves = [
        f"$p(z_{t + 1} = 1) = {_n(steps[t - 1][0])} \\cdot {_n(A[0, 0])} + {_n(steps[t - 1][1])} \\cdot {back} = "
        f"{_n(steps[t][0])}$ and $p(z_{t + 1} = 2) = {_n(steps[t][1])}$"
        for t in (1, 2)
    ]
    return [
        "**Stationary** (1 mark for the balance, 1 for the sum, 1 for the numbers): as much flows from 1 to 2 as back, "
        f"$s_1 \\cdot {leave} = s_2 \\cdot {back}$, and $s_1 + s_2 = 1$. So "
        f"$s_1 = {back} / ({leave} + {back}) = {_q(s[0])}$ and $s_2 = {leave} / {_n(A[0, 1] + A[1, 0])} = {_q(s[1])}$.",
        "",
        "**Second eigenvalue** (1 mark): the trace is the sum of the eigenvalues, and one of them is 1, so "
        f"$\\lambda_2 = {_n(A[0, 0])} + {_n(A[1, 1])} - 1 = {_n(second)}$.",
        "",
        f"**Approach** (1 mark): {_WAYS[sign]}, since $\\lambda_2$ is {_SIGNS[sign]} and each step multiplies the "
        "distance from the stationary distribution by it.",
        "",
        f"**Third step** (1 mark for $z_2$, 1 for $z_3$): {'; '.join(moves)}.",
        "",
        f"**Stays** (1 mark): $1 / {leave} = {_n(stays[0].round(4))}$ steps in state 1 and "
        f"$1 / {back} = {_n(stays[1].round(4))}$ in state 2.",
    ]


def _model(rng: np.random.Generator) -> Model:
    """Start, transitions and emissions in tenths, rows different from each other; three symbols, not all alike."""
    while True:
        first = rng.choice([2, 3, 4, 5, 6, 7, 8], size=5)
        pi, A, B = (np.column_stack([v, 10 - v]) / 10 for v in (first[:1], first[1:3], first[3:]))
        x = rng.integers(0, 2, 3)
        if A[0, 0] != A[1, 0] and abs(B[0, 0] - B[1, 0]) > 0.15 and len(set(x.tolist())) == 2:
            return pi[0], A, B, x


def _alphas(pi: FloatArray, A: FloatArray, B: FloatArray, x: np.ndarray) -> FloatArray:
    rows: list[FloatArray] = [pi * B[:, x[0]]]
    for symbol in x[1:]:
        rows.append(forward_step(rows[-1], A, B[:, symbol]))
    return np.array(rows).round(12)


def _betas(A: FloatArray, B: FloatArray, x: np.ndarray) -> FloatArray:
    rows: list[FloatArray] = [np.ones(2)]
    for symbol in x[:0:-1]:
        rows.insert(0, backward_step(rows[0], A, B[:, symbol]))
    return np.array(rows).round(12)


def _deltas(
    pi: FloatArray, A: FloatArray, B: FloatArray, x: np.ndarray
) -> tuple[FloatArray, list[IntArray], list[FloatArray]]:
    rows: list[FloatArray] = [(pi * B[:, x[0]]).round(12)]
    pointers: list[IntArray] = []
    reach: list[FloatArray] = []
    for symbol in x[1:]:
        reach.append((rows[-1][:, None] * A).round(12))
        delta, pointer = viterbi_step(rows[-1], A, B[:, symbol])
        rows.append(delta.round(12))
        pointers.append(pointer)
    return np.array(rows), pointers, reach


def _traced_back() -> list[str]:
    """The path by the last row of delta and the pointers, as expressions."""
    last = "argmax(delta[2,:])"
    middle = f"pointers[1,0]*({last} == 0) + pointers[1,1]*({last} == 1) - 1"
    return [f"pointers[0,0]*({middle} == 0) + pointers[0,1]*({middle} == 1) - 1", middle, last]


def _emitted(k: int, symbol: int, x: np.ndarray) -> str:
    """How often a state emits a symbol, times P, as an expression."""
    return " + ".join(f"joint[{t},{k}]" for t in range(3) if x[t] == symbol) or "0"


def _statement(
    pi: FloatArray, A: FloatArray, B: FloatArray, x: np.ndarray, tasks: list[str], columns: list[str]
) -> str:
    rows = [[f"state {k + 1}", _n(pi[k]), *(_n(v) for v in A[k]), *(_n(v) for v in B[k])] for k in (0, 1)]
    lines = [
        "A hidden Markov model has two states and the symbols $a$ and $b$:",
        "",
        table(rows, ["", "start $\\pi$", "to 1", "to 2", "emits $a$", "emits $b$"]).markdown,
        "",
        f"Observed: ${', '.join(SYMBOLS[s] for s in x)}$. Find",
        "",
        *(f"{n}. {task}" for n, task in enumerate(tasks, 1)),
        "",
        "Fill in:",
        "",
        table([[t + 1, SYMBOLS[x[t]], *[""] * len(columns)] for t in range(3)], ["$t$", "$x_t$", *columns]).markdown,
    ]
    return "\n".join(lines)


def _given(pi: FloatArray, A: FloatArray, B: FloatArray, x: np.ndarray) -> dict[str, Any]:
    return {"startprob": pi.tolist(), "transmat": A.tolist(), "emissionprob": B.tolist(), "symbols": x.tolist()}


def _starts(name: str, pi: FloatArray, B: FloatArray, x: np.ndarray, row: FloatArray) -> str:
    parts = [f"${name}_1({k + 1}) = {_n(pi[k])} \\cdot {_n(B[k, x[0]])} = {_n(row[k])}$" for k in (0, 1)]
    return ", ".join(parts) + "."


def _forward_lines(pi: FloatArray, A: FloatArray, B: FloatArray, x: np.ndarray, alpha: FloatArray) -> list[str]:
    lines = ["- $t = 1$: " + _starts("\\alpha", pi, B, x, alpha[0])]
    for t in (1, 2):
        parts = []
        for k in (0, 1):
            sums = " + ".join(f"{_n(alpha[t - 1, i])} \\cdot {_n(A[i, k])}" for i in (0, 1))
            parts.append(f"$\\alpha_{t + 1}({k + 1}) = ({sums}) \\cdot {_n(B[k, x[t]])} = {_n(alpha[t, k])}$")
        lines.append(f"- $t = {t + 1}$: " + ", ".join(parts) + ".")
    return [*lines, ""]


def _backward_lines(A: FloatArray, B: FloatArray, x: np.ndarray, beta: FloatArray) -> list[str]:
    lines = ["- $t = 3$: $\\beta_3(1) = \\beta_3(2) = 1$, since nothing is left to observe."]
    for t in (1, 0):
        parts = []
        for k in (0, 1):
            sums = " + ".join(f"{_n(A[k, j])} \\cdot {_n(B[j, x[t + 1]])} \\cdot {_n(beta[t + 1, j])}" for j in (0, 1))
            parts.append(f"$\\beta_{t + 1}({k + 1}) = {sums} = {_n(beta[t, k])}$")
        lines.append(f"- $t = {t + 1}$: " + ", ".join(parts) + ".")
    return [*lines, ""]


def _n(value: float) -> str:
    """An exact decimal: twelve places at most, without trailing zeros or exponent."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def _q(value: float) -> str:
    """A quotient to four places."""
    return f"{round(float(value), 10):.4f}"


def _sum(row: FloatArray) -> str:
    return f"${_n(row[0])} + {_n(row[1])} = {_n(row.sum())}$"


def _exact(values: Any) -> Any:
    return np.round(values, 12).tolist()
