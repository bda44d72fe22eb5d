"""Drills on Markov chains and hidden Markov models: answers recomputed in fractions, path by path."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.arithmetic import PLACES
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

TOPICS = ["hmm-forward", "hmm-backward", "viterbi", "baum-welch-step"]
PATHS = list(itertools.product((0, 1), repeat=3))


def decimal(text):
    return Fraction(str(text))


def solve(drill):
    """The model in fractions, and the joint probability of every path with the symbols."""
    g = json.loads(json.dumps(drill.given))
    pi = [decimal(v) for v in g["startprob"]]
    A, B = ([[decimal(v) for v in row] for row in g[name]] for name in ("transmat", "emissionprob"))
    x = g["symbols"]
    p = {z: prefix(pi, A, B, x, z) for z in PATHS}
    return pi, A, B, x, p


def prefix(pi, A, B, x, z):
    """Probability of the first states ``z`` with their symbols."""
    value = pi[z[0]] * B[z[0]][x[0]]
    for t in range(1, len(z)):
        value *= A[z[t - 1]][z[t]] * B[z[t]][x[t]]
    return value


def written(value):
    return f"{float(value):.12f}".rstrip("0").rstrip(".")


@pytest.mark.equation("hmm-stationary", "hmm-two-states", "hmm-forgetting", "hmm-duration")
@each_seed()
def test_markov_chain(seed):
    drill = drawn("markov-chain", seed)
    p = [decimal(v) for v in drill.given["start"]]
    A = [[decimal(v) for v in row] for row in drill.given["transmat"]]
    assert sum(p) == sum(A[0]) == sum(A[1]) == 1
    assert all(v > 0 for row in [p, *A] for v in row)
    flow = {(i, j): (A[1 - i][i], A[i][j]) for i, j in [(0, 1), (1, 0)]}  # solve s = s A by elimination
    s = [flow[0, 1][0] / sum(flow[0, 1]), flow[1, 0][0] / sum(flow[1, 0])]
    assert [sum(s[i] * A[i][j] for i in (0, 1)) for j in (0, 1)] == s
    assert s != p
    value = decimal(drill.answer["eigenvalue"])
    assert (A[0][0] - value) * (A[1][1] - value) == A[0][1] * A[1][0]  # the determinant of A - value I is 0
    assert value < 1
    assert drill.answer["stationary"] == pytest.approx([float(v) for v in s], rel=1e-8)
    third = [sum(p[i] * A[i][j] * A[j][k] for i in (0, 1) for j in (0, 1)) for k in (0, 1)]
    assert [decimal(v) for v in drill.answer["third"]] == third
    assert [third[k] - s[k] for k in (0, 1)] == [value**2 * (p[k] - s[k]) for k in (0, 1)]
    sides = [p[0] - s[0], sum(p[i] * A[i][0] for i in (0, 1)) - s[0]]
    ways = {0: "at once", 1: "from one side", -1: "in turns from both sides"}
    assert drill.answer["approach"] == ways[(sides[0] * sides[1] > 0) - (sides[0] * sides[1] < 0)]
    stays = [sum(d * float(A[k][k]) ** (d - 1) * float(A[k][1 - k]) for d in range(1, 400)) for k in (0, 1)]
    assert drill.answer["stays"] == pytest.approx(stays, rel=1e-8)


def test_a_chain_forgets_at_once_in_turns_and_from_one_side():
    ways = [drawn("markov-chain", seed).answer["approach"] for seed in range(40)]
    assert set(ways) == {"at once", "from one side", "in turns from both sides"}


@each_seed()
def test_every_number_of_a_markov_chain(seed):
    drill = drawn("markov-chain", seed)
    p, A = (np.array(drill.given[key]) for key in ("start", "transmat"))
    values, vectors = np.linalg.eig(A.T)
    s = vectors[:, values.argmax()] / vectors[:, values.argmax()].sum()
    second = values.min()
    meaning = {"s_1": s[0], "s_2": s[1], r"\lambda_2": second}
    steps = [p @ np.linalg.matrix_power(A, t) for t in range(3)]
    meaning |= {f"p(z_{t + 1} = {k + 1})": steps[t][k] for t in (1, 2) for k in (0, 1)}
    ask, tell = pages(drill, meaning, PLACES)
    ask.says("*start* is the distribution of $z_1$")  # else the third step could be the second
    ask.table(*([f"state {k + 1}", p[k], *A[k]] for k in (0, 1)))
    for text in (
        "$(s_1, s_2)$ (3",
        r"$\lambda_2$ of the",
        "of $z_t$ approach",
        "of $z_3$ (2",
        "in state 1, and one in state 2, ",
    ):
        ask.says(text)
    ask.done()
    tell.says("flows from 1 to 2 as back, $#$", A[0, 1] * s[0])
    tell.says("$s_1 + s_2 = #$", 1)
    tell.says("$s_1 = # / (# + #) = #$", A[1, 0], A[0, 1], A[1, 0], s[0])
    tell.says("$s_2 = # / # = #$", A[0, 1], A[0, 1] + A[1, 0], s[1])
    tell.says("one of them is 1")
    tell.says(r"$\lambda_2 = # + # - 1 = #$", A[0, 0], A[1, 1], second)
    sign = "zero" if abs(second) < 1e-9 else "positive" if second > 0 else "negative"
    tell.says(f"{drill.answer['approach']}, since $\\lambda_2$ is {sign} and")
    for t in (1, 2):
        tell.says(rf"$p(z_{t + 1} = 1) = # \cdot # + # \cdot # = #$ and", steps[t - 1][0], A[0, 0], steps[t - 1][1],
                  A[1, 0], steps[t][0])  # fmt: skip
        tell.says(f"$p(z_{t + 1} = 2) = #$", steps[t][1])
    tell.says("$1 / # = #$ steps in state 1", A[0, 1], 1 / A[0, 1])
    tell.says("$1 / # = #$ in state 2", A[1, 0], 1 / A[1, 0])
    tell.done()


@pytest.mark.equation("hmm-forward", "hmm-evaluation", "hmm-filter")
@each_seed()
def test_forward(seed):
    drill = drawn("hmm-forward", seed)
    pi, A, B, x, p = solve(drill)
    for t in range(3):
        for k in (0, 1):
            alpha = sum(prefix(pi, A, B, x, z) for z in itertools.product((0, 1), repeat=t + 1) if z[-1] == k)
            assert decimal(drill.answer["alpha"][t][k]) == alpha
            assert written(alpha) in drill.solution
    total = sum(p.values())
    assert decimal(drill.answer["probability"]) == total
    assert f"= {written(total)}$" in drill.solution
    for k in (0, 1):
        share = sum(v for z, v in p.items() if z[2] == k) / total
        assert drill.answer["filtered"][k] == pytest.approx(float(share), rel=1e-8)
        assert f"= {float(share):.4f}$" in drill.solution


@pytest.mark.equation("hmm-backward", "hmm-evaluation-backward", "hmm-posterior")
@each_seed()
def test_backward(seed):
    drill = drawn("hmm-backward", seed)
    _, A, B, x, p = solve(drill)
    for t in range(3):
        for k in (0, 1):  # given the state at t, all continuations
            beta = Fraction(0)
            for rest in itertools.product((0, 1), repeat=2 - t):
                value, state = Fraction(1), k
                for s, z in enumerate(rest, t + 1):
                    value *= A[state][z] * B[z][x[s]]
                    state = z
                beta += value
            assert decimal(drill.answer["beta"][t][k]) == beta
            assert written(beta) in drill.solution
    total = sum(p.values())
    assert decimal(drill.answer["probability"]) == total
    assert f"= {written(total)}$" in drill.solution
    for k in (0, 1):
        share = sum(v for z, v in p.items() if z[0] == k) / total
        assert drill.answer["smoothed"][k] == pytest.approx(float(share), rel=1e-8)
        assert f"= {float(share):.4f}$" in drill.solution


@pytest.mark.equation("hmm-viterbi", "hmm-pointer", "hmm-backtrack")
@each_seed()
def test_viterbi(seed):
    drill = drawn("viterbi", seed)
    pi, A, B, x, p = solve(drill)
    for t in range(3):
        for k in (0, 1):
            into = {z: prefix(pi, A, B, x, z) for z in itertools.product((0, 1), repeat=t + 1) if z[-1] == k}
            delta = max(into.values())
            assert decimal(drill.answer["delta"][t][k]) == delta
            assert written(delta) in drill.solution
            if t:
                best = [z for z, v in into.items() if v == delta]
                assert len({z[-2] for z in best}) == 1  # no tie
                row = [cell.strip() for cell in drill.solution.split(f"\n| {t + 1} | ")[1].split("\n")[0].split("|")]
                assert row[2 + 2 * k] == str(best[0][-2] + 1)
                assert drill.answer["pointers"][t - 1][k] == best[0][-2] + 1
    best = max(p, key=p.get)
    assert sorted(p.values())[-1] > sorted(p.values())[-2]
    assert drill.answer["path"] == [z + 1 for z in best]
    assert decimal(drill.answer["probability"]) == p[best]
    assert f"the path is {', '.join(str(z + 1) for z in best)}." in drill.solution


@pytest.mark.equation("hmm-xi", "hmm-posterior", "hmm-update-startprob", "hmm-update-transmat", "hmm-update-emission")
@each_seed()
def test_baum_welch(seed):
    drill = drawn("baum-welch-step", seed)
    _, _, _, x, p = solve(drill)
    total = sum(p.values())
    assert decimal(drill.answer["probability"]) == total
    gamma = [[sum(v for z, v in p.items() if z[t] == k) / total for k in (0, 1)] for t in range(3)]
    xi = [
        [[sum(v for z, v in p.items() if z[t : t + 2] == (i, j)) / total for j in (0, 1)] for i in (0, 1)]
        for t in (0, 1)
    ]
    assert np.allclose(drill.answer["joint"], np.array(gamma, dtype=float) * float(total), rtol=1e-9)
    assert np.allclose(drill.answer["pairs"], np.array(xi, dtype=float) * float(total), rtol=1e-9)
    for name, table in (("forward", "alpha"), ("backward", "beta")):  # one seed gives them one model
        assert drawn(f"hmm-{name}", seed).given == drill.given
        assert drawn(f"hmm-{name}", seed).answer[table] == drill.answer[table]
    for k in (0, 1):
        assert drill.answer["startprob"][k] == pytest.approx(float(gamma[0][k]), rel=1e-7)
        leave = xi[0][k][0] + xi[0][k][1] + xi[1][k][0] + xi[1][k][1]
        visits = sum(gamma[t][k] for t in range(3))
        for j in (0, 1):
            to = (xi[0][k][j] + xi[1][k][j]) / leave
            emit = sum(gamma[t][k] for t in range(3) if x[t] == j) / visits
            assert drill.answer["transmat"][k][j] == pytest.approx(float(to), rel=1e-7)
            assert drill.answer["emissionprob"][k][j] == pytest.approx(float(emit), rel=1e-7)
            assert f"= {float(to):.4f}$" in drill.solution
            assert f"= {float(emit):.4f}$" in drill.solution
            for t in (0, 1):
                assert drill.answer["xi"][t][k][j] == pytest.approx(float(xi[t][k][j]), rel=1e-6, abs=1e-9)
                assert f" {written(xi[t][k][j] * total)} |" in drill.solution
        for t in range(3):
            assert drill.answer["gamma"][t][k] == pytest.approx(float(gamma[t][k]), rel=1e-7)
            assert f"= {written(gamma[t][k] * total)} |" in drill.solution


@pytest.mark.parametrize("topic", TOPICS)
@each_seed()
def test_numbers_are_small(topic, seed):
    drill = drawn(topic, seed)
    g = drill.given
    for row in [g["startprob"], *g["transmat"], *g["emissionprob"]]:
        assert sum(map(decimal, row)) == 1
        assert all(decimal(v).denominator in (2, 5, 10) for v in row)  # tenths
    assert sorted(set(g["symbols"])) == [0, 1]
    assert len(g["symbols"]) == 3
    assert "nan" not in drill.solution


def test_the_best_path_is_often_not_the_row_of_best_states():
    differ = 0
    for seed in SEEDS:
        drill = drawn("viterbi", seed)
        differ += [row.index(max(row)) + 1 for row in drill.answer["delta"]] != drill.answer["path"]
    assert differ > 0.1 * len(SEEDS)


def told(drill):
    """Model, symbols, and the tables of alpha, beta, gamma and xi, worked in floats; what the symbols mean."""
    g = drill.given
    pi, A, B = (np.array(g[key]) for key in ("startprob", "transmat", "emissionprob"))
    x = g["symbols"]
    alpha = [pi * B[:, x[0]]]
    for s in x[1:]:
        alpha.append(alpha[-1] @ A * B[:, s])
    beta = [np.ones(2)]
    for s in x[:0:-1]:
        beta.insert(0, A @ (B[:, s] * beta[0]))
    P = alpha[-1].sum()
    gamma = [a * b / P for a, b in zip(alpha, beta, strict=True)]
    xi = [np.outer(alpha[t], B[:, x[t + 1]] * beta[t + 1]) * A / P for t in (0, 1)]
    meaning = {"P": P}
    for t in range(3):
        for k in (0, 1):
            meaning |= {rf"\alpha_{t + 1}({k + 1})": alpha[t][k], rf"\beta_{t + 1}({k + 1})": beta[t][k]}
            meaning |= {rf"p(z_{t + 1} = {k + 1} \mid x_1, x_2, x_3)": gamma[t][k]}
    return pi, A, B, x, alpha, beta, gamma, xi, P, meaning


def check_the_statement(page, pi, A, B, x, columns):
    page.table(*([f"state {k + 1}", pi[k], *A[k], *B[k]] for k in (0, 1)))
    page.says("Observed: $#$.", ", ".join("ab"[s] for s in x))
    page.table(*([t, "ab"[s], *[None] * columns] for t, s in enumerate(x, 1)))


def check_the_forward_lines(page, pi, A, B, x, alpha):
    first = ", ".join(rf"$\alpha_1({k}) = # \cdot # = #$" for k in (1, 2))
    page.says(f"- $t = 1$: {first}.", *(v for k in (0, 1) for v in (pi[k], B[k, x[0]], alpha[0][k])))
    for t in (1, 2):
        line = ", ".join(rf"$\alpha_{t + 1}({k}) = (# \cdot # + # \cdot #) \cdot # = #$" for k in (1, 2))
        values = [
            v for k in (0, 1) for v in (alpha[t - 1][0], A[0, k], alpha[t - 1][1], A[1, k], B[k, x[t]], alpha[t][k])
        ]
        page.says(f"- $t = {t + 1}$: {line}.", *values)


def check_the_backward_lines(page, A, B, x, beta):
    page.says(r"- $t = 3$: $\beta_3(1) = \beta_3(2) = 1$, since")
    for t in (1, 0):
        line = ", ".join(rf"$\beta_{t + 1}({k}) = # \cdot # \cdot # + # \cdot # \cdot # = #$" for k in (1, 2))
        values = [
            v
            for k in (0, 1)
            for v in (*(f for j in (0, 1) for f in (A[k, j], B[j, x[t + 1]], beta[t + 1][j])), beta[t][k])
        ]
        page.says(f"- $t = {t + 1}$: {line}.", *values)


@each_seed()
def test_every_number_of_a_forward_table(seed):
    drill = drawn("hmm-forward", seed)
    pi, A, B, x, alpha, _, gamma, _, P, meaning = told(drill)
    ask, tell = pages(drill, meaning, PLACES)
    check_the_statement(ask, pi, A, B, x, 2)
    ask.says(r"$\alpha_t(k) = p(x_1, \ldots, x_t, z_t = k)$")
    ask.says(r"the filtered distribution $p(z_3 = k \mid x_1, x_2, x_3)$ (2")
    ask.done()
    check_the_forward_lines(tell, pi, A, B, x, alpha)
    tell.says("**Probability** (1 mark): $# + # = #$.", *alpha[-1], P)
    tell.says(r"$p(z_3 = 1 \mid x_1, x_2, x_3) = # / # = #$ and", alpha[-1][0], P, gamma[2][0])
    tell.done()


@each_seed()
def test_every_number_of_a_backward_table(seed):
    drill = drawn("hmm-backward", seed)
    pi, A, B, x, alpha, beta, gamma, _, P, meaning = told(drill)
    ask, tell = pages(drill, meaning, PLACES)
    check_the_statement(ask, pi, A, B, x, 2)
    ask.says(r"$\beta_t(k) = p(x_{t+1}, \ldots, x_3 \mid z_t = k)$")
    ask.says(r"from $\beta_1$ (3")
    ask.says(r"the smoothed distribution $p(z_1 = k \mid x_1, x_2, x_3)$ (2")
    ask.done()
    check_the_backward_lines(tell, A, B, x, beta)
    joint = alpha[0] * beta[0]
    for k in (0, 1):
        tell.says(rf"State {k + 1}: $# \cdot # \cdot # = #$.", pi[k], B[k, x[0]], beta[0][k], joint[k])
    tell.says("Together $# + # = #$.", *joint, P)
    tell.says(r"Adding $\beta_1(1) + \beta_1(2) = #$ would", beta[0].sum())
    tell.says(r"$p(z_1 = 1 \mid x_1, x_2, x_3) = # / # = #$ and", joint[0], P, gamma[0][0])
    tell.says(r"$\sum_k \pi_k\, b_k(x_1)\, \beta_1(k)$.")
    tell.done()


@each_seed()
def test_every_number_of_a_best_path(seed):
    drill = drawn("viterbi", seed)
    pi, A, B, x, *_ = told(drill)
    ask, tell = pages(drill, rounding=PLACES)
    check_the_statement(ask, pi, A, B, x, 4)
    ask.done()
    delta, back = [pi * B[:, x[0]]], []
    first = ", ".join(rf"$\delta_1({k}) = # \cdot # = #$" for k in (1, 2))
    tell.says(f"- $t = 1$: {first}.", *(v for k in (0, 1) for v in (pi[k], B[k, x[0]], delta[0][k])))
    for t in (1, 2):
        reach = delta[-1][:, None] * A
        delta.append(reach.max(axis=0) * B[:, x[t]])
        back.append(reach.argmax(axis=0) + 1)
        line = "; ".join(
            rf"into state {k}: $# \cdot # = #$ from 1, $# \cdot # = #$ from 2; the larger one times $b_{k}(#) = #$ "
            rf"gives $\delta_{t + 1}({k}) = #$"
            for k in (1, 2)
        )
        values = [
            v
            for k in (0, 1)
            for v in (
                *(f for i in (0, 1) for f in (delta[t - 1][i], A[i, k], reach[i, k])),
                "ab"[x[t]],
                B[k, x[t]],
                delta[t][k],
            )
        ]
        tell.says(f"- $t = {t + 1}$, {line}.", *values)
    rows = [[1, "ab"[x[0]], delta[0][0], "-", delta[0][1], "-"]]
    rows += [[t + 1, "ab"[x[t]], delta[t][0], back[t - 1][0], delta[t][1], back[t - 1][1]] for t in (1, 2)]
    tell.table(*rows)
    z3 = int(delta[2].argmax()) + 1
    z2 = int(back[1][z3 - 1])
    z1 = int(back[0][z2 - 1])
    assert drill.answer["path"] == [z1, z2, z3]
    pointers = rf"$\psi_3({z3}) = {z2}$ and $\psi_2({z2}) = {z1}$"
    tell.says(rf"$\delta_3$ is largest in state {z3}; {pointers}, so the path is {z1}, {z2}, {z3}.")
    tell.says(r"$\max_k \delta_3(k) = #$.", delta[2].max())
    tell.done()


@each_seed()
def test_every_number_of_a_baum_welch_step(seed):
    drill = drawn("baum-welch-step", seed)
    pi, A, B, x, alpha, beta, _, xi, P, meaning = told(drill)
    answer = drill.answer
    new_pi, new_A, new_B = (answer[key] for key in ("startprob", "transmat", "emissionprob"))
    for k in (0, 1):
        meaning[rf"\hat\pi_{k + 1}"] = new_pi[k]
        meaning |= {rf"\hat a_{{{k + 1}{j + 1}}}": new_A[k][j] for j in (0, 1)}
        meaning |= {rf"\hat b_{k + 1}({s})": new_B[k]["ab".index(s)] for s in "ab"}
    ask, tell = pages(drill, meaning, PLACES)
    check_the_statement(ask, pi, A, B, x, 4)
    ask.says("for $t = 1, 2$ (4")
    ask.says("$P = p(x_1, x_2, x_3)$")
    ask.says(r"$P\, \gamma_t(k) = \alpha_t(k)\, \beta_t(k)$ for all")
    ask.says(r"$P\, \xi_t(i, j) = \alpha_t(i)\, a_{ij}\, b_j(x_{t+1})\, \beta_{t+1}(j)$")
    ask.done()
    check_the_forward_lines(tell, pi, A, B, x, alpha)
    check_the_backward_lines(tell, A, B, x, beta)
    tell.says("$P$ is $# + # = #$.", *alpha[-1], P)
    states = [alpha[t] * beta[t] for t in range(3)]
    cell = lambda t, k: ("# · # = #", alpha[t][k], beta[t][k], states[t][k])
    tell.table(*([t + 1, cell(t, 0), cell(t, 1), P] for t in range(3)), ["together", *sum(states), None])
    together = P * (xi[0] + xi[1])
    tell.table(*([t + 1, *(P * xi[t]).ravel()] for t in (0, 1)), ["together", *together.ravel()])
    tell.says(r"For example $P\,\xi_1(1, 2) = # \cdot # \cdot # \cdot # = #$.", alpha[0][0], A[0, 1], B[1, x[1]],
              beta[1][1], P * xi[0][0, 1])  # fmt: skip
    tell.says(r"- $\hat\pi_1 = # / # = #$, $\hat\pi_2 = #$.", states[0][0], P, *new_pi)
    for k in (0, 1):
        line = rf"- $\hat a_{{{k + 1}1}} = # / # = #$, $\hat a_{{{k + 1}2}} = #$."
        tell.says(line, together[k, 0], together[k].sum(), *new_A[k])
        of_a, of_all = (
            sum(s[k] for s, symbol in zip(states, x, strict=True) if symbol in which) for which in ([0], [0, 1])
        )
        tell.says(rf"- $\hat b_{k + 1}(a) = # / # = #$, $\hat b_{k + 1}(b) = #$.", of_a, of_all, *new_B[k])
    tell.says("runs over $t = 1, 2$, the one")
    tell.says(r"$\sum_j \xi_t(i, j) = \gamma_t(i)$")
    tell.done()
