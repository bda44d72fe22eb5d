"""Bayesian networks: probabilities by summing the joint table, densities from SciPy, counts of the library."""

import itertools

import numpy as np
from scipy.stats import dirichlet, entropy
from sklearn.metrics import mutual_info_score

from notes_lib.bayes.bayesian_network import BayesianNetwork, Factor, chain_means, eliminate
from notes_lib.theory.model_selection import bic
from tests.formulas.values import At, Instance

PARENTS = {1: [], 2: [1], 3: [1], 4: [2, 3]}
TREE = {1: [], 2: [1], 3: [1], 4: [3], 5: [3]}
K, N, CHAINS = 3, 400, 5
ROWS = {t: K ** len(above) for t, above in PARENTS.items()}  # of each table
MOST = max(ROWS.values())
TRIPLES = {
    "chain": {"a": [], "b": ["a"], "c": ["b"], "d": ["b"]},
    "fork": {"b": [], "a": ["b"], "c": ["b"], "d": ["b"]},
    "collider": {"a": [], "c": [], "b": ["a", "c"], "d": ["b"]},
}
ASKED = [  # in each triple: what is asked, and what is known
    ("a", ""), ("b", ""), ("c", ""), ("d", ""), ("ac", ""), ("a", "b"), ("c", "b"), ("b", "a"), ("d", "b"), ("b", "ac"),
    ("ac", "b"), ("ac", "d"),
]  # fmt: skip


def network(rng, parents):
    """A network with random tables, of variables named 1, 2, ... or by letters."""
    graph = {str(t): [str(u) for u in above] for t, above in parents.items()}
    tables = {t: rng.dirichlet(np.ones(K), size=[K] * len(above)) for t, above in graph.items()}
    return BayesianNetwork(graph).set_tables(tables)


class Joint:
    """The table of all variables; what is asked of it is summed."""

    def __init__(self, model):
        self.model, self.names = model, [*model.parents]
        self.table = model.query(self.names, method="enumeration")

    def p(self, **states):
        """Probability of some states, counted from 1: ``x2=1``."""
        places = {name.removeprefix("x"): k - 1 for name, k in states.items()}
        return self.table[tuple(places.get(name, slice(None)) for name in self.names)].sum()

    def given(self, asked, known):
        """Conditional probability of states."""
        return self.p(**asked, **known) / self.p(**known)


def of_triple(rng, graph):
    """What the formulas of three variables are worth, for all of their states."""
    joint = Joint(network(rng, graph))
    values = {letter: range(1, K + 1) for letter in "abcd"}
    for asked, known in ASKED:
        letters = (*asked, *known)
        name = ", ".join(asked) + (r" \mid " + ", ".join(known) if known else "")

        def probability(*states, asked=asked, letters=letters):
            at = dict(zip(letters, states, strict=True))
            return joint.given(
                {v: k for v, k in at.items() if v in asked}, {v: at[v] for v in letters if v not in asked}
            )

        values[f"p({name})"] = At(probability, *letters)
    return values


def below(parents, t):
    """A variable and its descendants."""
    return {t}.union(*(below(parents, u) for u in parents if t in parents[u]))


def of_graph(rng, model):
    """States of four variables, and what the graph says about them."""
    joint, x = Joint(model), rng.integers(1, K + 1, 5)  # x[0] is not used
    at = lambda names: {f"x{t}": x[t] for t in names}
    rest = lambda t: set(PARENTS) - {t}
    children = {t: frozenset(u for u in PARENTS if t in PARENTS[u]) for t in PARENTS}

    def of_child(j, u, t, k):
        """p(x_j | its parents), with another state of one of them."""
        assert j == u
        return joint.given(at([j]), at(PARENTS[j]) | {f"x{t}": k})

    return {
        r"p(x_1, \ldots, x_d)": joint.p(**at(PARENTS)), "p(x)": joint.p(**at(PARENTS)),
        r"p(x_# \mid x_{\mathrm{pa}(#)})": lambda t, u: joint.given(at([t]), at(PARENTS[u])),
        r"p(x_# \mid x_{\mathrm{nd}(#)})": lambda t, u: joint.given(at([t]), at(rest(u) - below(PARENTS, u))),
        r"p(x_# = # \mid x_{-#})": lambda t, k, u: joint.given({f"x{t}": k}, at(rest(u))),
        r"p(x_# = # \mid x_{\mathrm{pa}(#)})": lambda t, k, u: joint.given({f"x{t}": k}, at(PARENTS[u])),
        r"p(x_# \mid x_{\mathrm{pa}(#)}, x_# = #)": of_child,
        r"\mathrm{pa}": lambda t: frozenset(PARENTS[round(t)]), r"\mathrm{ch}": lambda t: children[round(t)],
    }  # fmt: skip


def of_query(rng, model):
    """A question to the same network: variables 2 and 3, given 4."""
    q2, q3, e = rng.integers(0, K, 3)
    table = Joint(model).table
    return {
        r"p(\mathbf{q} \mid \mathbf{e})": model.query(["2", "3"], {"4": e})[q2, q3],
        r"p(\mathbf{e})": np.exp(model.log_probability({"4": e})),
        r"\sum_{\mathbf{h}} p(\mathbf{q}, \mathbf{e}, \mathbf{h})": table[:, q2, q3, e].sum(),
        r"\sum_{\mathbf{q}} \sum_{\mathbf{h}} p(\mathbf{q}, \mathbf{e}, \mathbf{h})": table[..., e].sum(),
    }  # fmt: skip


def of_message(rng):
    """Three factors, two of which hold v, and the message of the library."""
    held = [("v", "a"), ("a", "b"), ("b", "v")]
    factors = [Factor(pair, rng.uniform(size=(K, K))) for pair in held]
    u = dict(zip("ab", rng.integers(0, K, 2), strict=True))
    done = eliminate([f for f in factors if "v" in f.variables], "v")
    message = done.factor.values[tuple(u[name] for name in done.factor.variables)] * np.exp(done.log_scale)
    cell = lambda j, k: factors[j - 1].values[tuple({**u, "v": k - 1}[name] for name in held[j - 1])]
    numbered = {"v": 1.0, "a": 2.0, "b": 3.0}
    return {
        "v": 1.0, "K_v": float(K), r"\tau(\mathbf{u})": message, r"\phi_#(\mathbf{u}, x_v = #)": cell,
        r"\phi_#": lambda j: frozenset(numbered[name] for name in held[j - 1]), "j": range(1, 4),
    }  # fmt: skip


def of_chain(rng):
    """A chain of five variables, its distributions by summing the joint table."""
    joint = Joint(network(rng, {t: [t - 1] if t > 1 else [] for t in range(1, 6)}))
    return {
        "t": range(2, 6), "K": K, r"p(x_# = #)": lambda t, k: joint.p(**{f"x{t}": k}),
        r"p(x_# = # \mid x_# = #)": lambda t, k, u, i: joint.given({f"x{t}": k}, {f"x{u}": i}),
    }  # fmt: skip


def of_tree(rng):
    """A tree with two observed variables: what the messages mean, by summing or searching the joint table."""
    joint = Joint(network(rng, TREE))
    seen = {f"x{t}": int(rng.integers(1, K + 1)) for t in (2, 4)}
    parent = lambda t: TREE[round(t)][0]

    def sets(t):
        """The evidence at t and below, and the rest of it."""
        names = {f"x{u}" for u in below(TREE, t)}
        return {v: k for v, k in seen.items() if v in names}, {v: k for v, k in seen.items() if v not in names}

    def best(t, i):
        """The largest probability of all states at t and below that agree with the evidence, given the parent's."""
        names = sorted(f"x{u}" for u in below(TREE, t))
        tried = [dict(zip(names, ks, strict=True)) for ks in itertools.product(range(1, K + 1), repeat=len(names))]
        known = {f"x{parent(t)}": i}
        return max(joint.given(a, known) for a in tried if all(seen.get(v, k) == k for v, k in a.items()))

    return {
        "t": range(2, 6), "s": At(lambda t: float(parent(t)), "t"), "j": range(1, 6),
        r"\lambda_#(#)": lambda t, i: joint.given(sets(t)[0], {f"x{parent(t)}": i}),
        r"\pi_#(#)": lambda t, k: joint.p(**{f"x{t}": k}, **sets(t)[1]),
        r"\mu_#(#)": best, r"\varepsilon_#(#)": lambda t, k: float(seen.get(f"x{t}", k) == k),
        r"p(x_# = # \mid x_{\mathrm{pa}(#)} = #)": lambda t, k, u, i: joint.given({f"x{t}": k}, {f"x{parent(u)}": i}),
        r"p(x_# = # \mid x_# = #)": lambda t, k, s, i: joint.given({f"x{t}": k}, {f"x{s}": i}),
        r"p(x_# = # \mid \mathbf{e})": lambda t, k: joint.given({f"x{t}": k}, seen) if f"x{t}" not in seen else float(
            seen[f"x{t}"] == k
        ),
        r"\mathrm{ch}": lambda t: frozenset(u for u in TREE if round(t) in TREE[u]),
    }  # fmt: skip


def of_data(rng, model):
    """Rows of the network in which every state of the parents occurs: counts, estimates, and scores."""
    while True:
        X = np.column_stack(list(model.sample(N, rng).values()))
        fitted = BayesianNetwork(model.parents, model.states_, alpha=1e-12).fit(X)
        if all((fitted.counts_[t].sum(axis=-1) > 0).all() for t in model.parents):
            break
    fitted = BayesianNetwork(model.parents, model.states_).fit(X)
    alpha = {t: rng.uniform(0.5, 2, table.shape) for t, table in fitted.cpts_.items()}
    smooth = BayesianNetwork(model.parents, model.states_, alpha).fit(X)
    code = lambda t: np.ravel_multi_index(
        [*X[:, [u - 1 for u in PARENTS[t]]].T, np.zeros(N, int)], [K] * len(PARENTS[t]) + [1]
    )
    entries = lambda tables: {
        (int(t), c + 1, k + 1): row[k]
        for t, table in tables.items() for c, row in enumerate(np.reshape(table, (-1, K))) for k in range(K)
    }  # fmt: skip
    of_rows = {(t, c): n for t in PARENTS for c, n in enumerate(np.bincount(code(t), minlength=ROWS[t]), 1)}
    largest = fitted.score_samples(X).sum()
    return {
        "N": N, "n": range(1, N + 1), "x_{##}": X + 1, r"x_{#, \mathrm{pa}(#)}": lambda n, t: code(t)[n - 1] + 1,
        "N_{###}": entries(fitted.counts_), "N_{##}": of_rows, r"\hat\theta_{###}": entries(fitted.cpts_),
        r"\theta_{###}": entries(model.cpts_), r"\alpha_{###}": entries(alpha), "m_G": fitted.n_parameters_,
        r"\ln p(\mathcal{D} \mid \Theta)": model.score_samples(X).sum(),
        r"\max_{\Theta} \ln p(\mathcal{D} \mid \Theta)": largest,
        r"\mathbb{E}[\theta_{###} \mid \mathcal{D}]": entries(smooth.cpts_),
        r"\mathrm{BIC}(G)": -bic(largest, fitted.n_parameters_, N) / 2,
        r"\hat I(X_#; X_{\mathrm{pa}(#)})": lambda t, u: mutual_info_score(X[:, t - 1], code(u)),
        r"\hat H(X_#)": lambda t: entropy(np.bincount(X[:, t - 1])),
    }, X  # fmt: skip


def of_prior(rng, model, X):
    """Prior and posterior at three choices i of all tables; rows beyond the last of a table are not used."""
    alpha = rng.uniform(0.5, 3, (5, MOST, K))
    theta = rng.dirichlet(np.ones(K), (3, 5, MOST))
    few = BayesianNetwork(model.parents, model.states_, alpha=1.0).fit(X[:20])
    counted = {
        (int(t), c + 1, k + 1): float(row[k])
        for t, table in few.counts_.items() for c, row in enumerate(np.reshape(table, (-1, K))) for k in range(K)
    }  # fmt: skip
    row = lambda i, t, c: dirichlet(alpha[t, c - 1]).pdf(theta[i - 1, t, c - 1])
    prior = lambda i: np.prod([row(i, t, c) for t in PARENTS for c in range(1, ROWS[t] + 1)])

    def posterior(i):
        """Prior times likelihood."""
        tables = {str(t): np.reshape(theta[i - 1, t, : ROWS[t]], [K] * (len(PARENTS[t]) + 1)) for t in PARENTS}
        other = BayesianNetwork(model.parents).set_tables(tables)
        return prior(i) * np.exp(other.score_samples(X[:20]).sum())

    return {
        "i": range(1, 4), r"p(\Theta)": At(prior, "i"), r"p(\boldsymbol{\theta}_{tc})": At(row, "i", "t", "c"),
        r"p(\Theta \mid \mathcal{D})": At(posterior, "i"), r"\alpha_{###}": lambda t, c, k: alpha[t, c - 1, k - 1],
        r"\theta_{###}": At(lambda i: lambda t, c, k: theta[i - 1, t, c - 1, k - 1], "i"), "N_{###}": counted,
    }  # fmt: skip


def instance(seed):
    """Four variables of three states each; a triple, a chain and a tree beside them."""
    rng = np.random.default_rng(seed)
    model = network(rng, PARENTS)
    data, X = of_data(rng, model)
    triples = {name: of_triple(rng, graph) for name, graph in TRIPLES.items()}
    tree, one = of_tree(rng), {"t": float(rng.integers(1, 5))}
    shares = rng.dirichlet(np.ones(2), CHAINS)
    found = chain_means(shares)
    values = of_graph(rng, model) | of_query(rng, model) | data | {
        "d": 4, "t": range(1, 5), "j": range(1, 5), "c": range(1, MOST + 1),
        **{letter: range(1, K + 1) for letter in "ik"}, "K_#": [float(K)] * 4, "q_#": [float(ROWS[t]) for t in PARENTS],
        "m": CHAINS, r"\hat p_#": shares[:, 1], r"\bar p": found.probabilities[1],
    }  # fmt: skip
    root = {**tree, "t": 3.0}
    prior = of_prior(rng, model, X)
    own = {
        **{f"bayesian-network-{name}": triples[name] for name in TRIPLES},
        "bayesian-network-collider-given": triples["collider"], "bayesian-network-descendant": triples["collider"],
        "bayesian-network-blanket": one, "bayesian-network-message": of_message(rng),
        "bayesian-network-chain-sum": of_chain(rng), "bayesian-network-sum-product": tree,
        "bayesian-network-down": tree, "bayesian-network-max-product": tree, "bayesian-network-belief": root,
        "bayesian-network-prior": prior, "bayesian-network-posterior": prior,
        "bayesian-network-gibbs-error": {"i": range(1, CHAINS + 1), "s": found.standard_errors[1]},
    }  # fmt: skip
    card = "bayesian-network-must-know-"
    mean = data[r"\mathbb{E}[\theta_{###} \mid \mathcal{D}]"]
    worth = {
        "bayesian-network-parameters": model.n_parameters_, f"{card}factorisation:2": model.n_parameters_,
        f"{card}factorisation:3": Joint(model).table.size - 1,
        f"{card}learning:2": At(lambda t, c, k: mean[t, c, k], "t", "c", "k"),
    }  # fmt: skip
    known_row = ["counts", "mle", "posterior-mean", "must-know-learning:1", "must-know-learning:2"]
    given = {f"bayesian-network-{name}": r"c \le q_t" for name in known_row}
    return Instance(values, own, worth, given)
