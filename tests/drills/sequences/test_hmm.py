"""Drills on hidden Markov models: answers recomputed in fractions over all eight paths, without the library."""

import itertools
import json
from fractions import Fraction

import pytest

from notes_lib.drills import draw

SEEDS = range(200)
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


@pytest.mark.equation("hmm-forward", "hmm-evaluation", "hmm-filter")
@pytest.mark.parametrize("seed", SEEDS)
def test_forward(seed):
    drill = draw("hmm-forward", seed)
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
@pytest.mark.parametrize("seed", SEEDS)
def test_backward(seed):
    drill = draw("hmm-backward", seed)
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
@pytest.mark.parametrize("seed", SEEDS)
def test_viterbi(seed):
    drill = draw("viterbi", seed)
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
    best = max(p, key=p.get)
    assert sorted(p.values())[-1] > sorted(p.values())[-2]
    assert drill.answer["path"] == [z + 1 for z in best]
    assert decimal(drill.answer["probability"]) == p[best]
    assert f"the path is {', '.join(str(z + 1) for z in best)}." in drill.solution


@pytest.mark.equation("hmm-xi", "hmm-posterior", "hmm-update-startprob", "hmm-update-transmat", "hmm-update-emission")
@pytest.mark.parametrize("seed", SEEDS)
def test_baum_welch(seed):
    drill = draw("baum-welch-step", seed)
    _, _, _, x, p = solve(drill)
    total = sum(p.values())
    assert decimal(drill.answer["probability"]) == total
    gamma = [[sum(v for z, v in p.items() if z[t] == k) / total for k in (0, 1)] for t in range(3)]
    xi = [
        [[sum(v for z, v in p.items() if z[t : t + 2] == (i, j)) / total for j in (0, 1)] for i in (0, 1)]
        for t in (0, 1)
    ]
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
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_are_small(topic, seed):
    drill = draw(topic, seed)
    g = drill.given
    for row in [g["startprob"], *g["transmat"], *g["emissionprob"]]:
        assert sum(map(decimal, row)) == 1
        assert all(decimal(v).denominator in (2, 5, 10) for v in row)  # tenths
    assert sorted(set(g["symbols"])) == [0, 1]
    assert len(g["symbols"]) == 3
    assert "nan" not in drill.solution


@pytest.mark.parametrize("topic", TOPICS)
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45


def test_the_best_path_is_often_not_the_row_of_best_states():
    differ = 0
    for seed in SEEDS:
        drill = draw("viterbi", seed)
        differ += [row.index(max(row)) + 1 for row in drill.answer["delta"]] != drill.answer["path"]
    assert differ > 20
