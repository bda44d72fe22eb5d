"""The quiz of the chapter *Bayesian decision theory*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
from scipy.stats import norm

from notes_lib.bayes.bayes_decision import (
    REJECT,
    chow_reject,
    likelihood_threshold,
    log_posterior,
    minimax_test,
    minimum_risk_action,
    neyman_pearson,
)
from tests.claims.deciding import Numbers, decided

NOISE, SIGNAL = np.array([0.6, 0.3, 0.1, 0.0]), np.array([0.1, 0.3, 0.4, 0.2])
LINE = np.linspace(-12, 14, 26_001)


def _posterior(density, priors):
    return np.exp(log_posterior(np.log([density]), priors))[0]


def quiz_decide(pi_1, p_0, p_1):
    r"""$\pi_1=<pi_1>$, $p_0(x)=<p_0>$, $p_1(x)=<p_1>$, 0-1 loss. The decision?"""
    P = _posterior([p_0, p_1], [1 - pi_1, pi_1])
    chosen = int(minimum_risk_action(P).chosen)
    scaled = [int(minimum_risk_action(_posterior([c * p_0, c * p_1], [1 - pi_1, pi_1])).chosen) for c in (0.1, 5)]
    return {
        "class 0": chosen == 0,
        "class 1, as $<b>><a>$": lambda a, b: chosen == 1 and (a, b) == (p_0, p_1),
        "a tie": np.isclose(*P),
        "it cannot be said without $p(x)$": len({chosen, *scaled}) > 1,
    }


def _border(miss, pi_1=0.3):
    return 1 + np.log(likelihood_threshold([1 - pi_1, pi_1], [[0, 1], [miss, 0]])) / 2


def quiz_double():
    """The cost of a miss is doubled. What happens?"""
    theta = [likelihood_threshold([0.7, 0.3], [[0, 1], [miss, 0]]) for miss in (3, 6)]
    P = _posterior(norm.pdf(0.4, [0, 2]), [0.7, 0.3])
    actions = [minimum_risk_action(P, [[0, 1], [miss, 0]]) for miss in (3, 6)]
    implied = [(action.risk / miss) for action, miss in zip(actions, (3, 6), strict=True) if action.chosen == 0]
    ratio = [P[1] / P[0] * 0.7 / 0.3 for _ in theta]
    return {
        r"$\theta$ is halved": np.isclose(theta[0], 2 * theta[1]),
        r"$\ell(x)$ doubles": np.isclose(ratio[1], 2 * ratio[0]),
        "the posteriors change": not np.allclose(implied, P[1]),
        "the border moves away from class 0": _border(6) > _border(3),
    }


def quiz_minimax():
    """Which are true of the minimax rule, right decisions free? (Mark all.)"""
    cost = [[0, 1], [3, 0]]
    found = minimax_test(NOISE, SIGNAL, cost)
    rules = np.array(list(product((0, 1), repeat=4)))
    of_class = np.array([rules @ NOISE, 3 * (1 - rules @ SIGNAL)])  # mean cost in each class
    own = np.array([found.test.decide @ NOISE, 3 * (1 - found.test.decide @ SIGNAL)])
    grid = np.linspace(0, 1, 201)
    least = np.array([((1 - v) * of_class[0] + v * of_class[1]).min() for v in grid])
    risk = (1 - grid) * own[0] + grid * own[1]
    at_prior = (found.priors @ of_class).min()
    return {
        "it never needs a coin": np.isin(found.test.decide, [0, 1]).all(),
        "it is a Bayes rule of the least favourable prior": np.isclose(found.priors @ own, at_prior)
        and at_prior >= least.max() - 1e-9,
        "it never costs more than a Bayes rule": (risk <= least + 1e-9).all(),
        "its risk does not depend on the prior": np.ptp(risk) < 1e-9,
    }


def quiz_reject(classes, mistake):
    """<classes> classes, a mistake costs <mistake>. From which cost on is nothing rejected?"""
    K = int(classes)
    P = np.random.default_rng(0).dirichlet(np.ones(K), size=500)
    P = np.vstack([P, np.full(K, 1 / K)])
    nothing = [c for c in range(int(mistake) + 1) if not (chow_reject(P, c / mistake) == REJECT).any()]
    return Numbers(nothing[0], [mistake / K, mistake / 2, mistake])


def tf_bayes():
    """No rule that sees only $x$ has a smaller error than the Bayes error."""
    joint = np.array([0.7 * NOISE, 0.3 * SIGNAL])
    errors = [sum(joint[1 - h[i], i] for i in range(4)) for h in product((0, 1), repeat=4)]
    coin = (joint / 2).sum()
    P = joint / joint.sum(axis=0)
    bayes = minimum_risk_action(P.T).risk @ joint.sum(axis=0)
    return min([*errors, coin]) >= bayes - 1e-12 and np.isclose(min(errors), bayes)


def tf_prior():
    """The posterior of a class can exceed its prior only if its density is the largest one."""
    rng = np.random.default_rng(1)
    only = True
    for _ in range(200):
        density, priors = rng.uniform(0.1, 2, size=3), rng.dirichlet(np.ones(3))
        above = _posterior(density, priors) > priors
        assert above[density.argmax()]  # the largest one always does
        only &= above.sum() == 1
    return only


def tf_np():
    """The test of Neyman and Pearson changes when the priors do."""
    rng = np.random.default_rng(2)
    tests = []
    for pi_1 in (0.1, 0.5):
        share = [1 - pi_1, pi_1] @ np.array([NOISE, SIGNAL])  # of each value in a population with this prior
        null = (share - pi_1 * SIGNAL) / (1 - pi_1)
        tests.append(neyman_pearson(null.round(12), SIGNAL, 0.25).decide)
    alphas = rng.uniform(0.1, 0.5, size=2)
    assert not np.allclose(*[neyman_pearson(NOISE, SIGNAL, a).decide for a in alphas])
    return not np.allclose(*tests)


def tf_density():
    """A density may be larger than 1, a posterior may not."""
    density = norm.pdf(LINE[:, None], [0, 1], [0.2, 0.3])
    area = density.sum(axis=0) * (LINE[1] - LINE[0])
    P = np.exp(log_posterior(norm.logpdf(LINE[:, None], [0, 1], [0.2, 0.3]), [0.4, 0.6]))
    return (density.max(axis=0) > 1).all() and np.allclose(area, 1) and P.max() <= 1 and np.allclose(P.sum(axis=1), 1)


test_claim = decided("bayes/bayes_decision", globals())
