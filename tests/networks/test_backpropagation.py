"""Networks against scikit-learn, finite differences, automatic differentiation and a published example by hand."""

import pickle
import warnings
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import correlate2d
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.neural_network import MLPClassifier as TheirClassifier
from sklearn.neural_network import MLPRegressor as TheirRegressor
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.foundations.descent import adam_step, momentum_step
from notes_lib.linear.softmax_regression import SoftmaxRegression, softmax
from notes_lib.networks.backpropagation import (
    SGD,
    Adam,
    Gradients,
    MLPClassifier,
    MLPRegressor,
    Tensor,
    activate,
    activation_slope,
    backward,
    convolution_parameters,
    convolve,
    count_parameters,
    dropout_mask,
    forward,
    he_variance,
    initial_weights,
    layer_deltas,
    max_pool,
    network_loss,
    output_delta,
    output_size,
    step_network,
    xavier_variance,
)
from notes_lib.networks.backpropagation.checks import check_layers, check_sizes
from notes_lib.networks.backpropagation.steps import generator
from notes_lib.networks.backpropagation.training import Parameters
from notes_lib.numerics import central_difference

HIDDEN = ["identity", "logistic", "tanh", "relu"]
DIGITS, NAMES = load_digits(return_X_y=True)
DIGITS = DIGITS / 16
XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def network(seed, sizes=(3, 5, 4, 2), activation="tanh"):
    """Inputs and random parameters."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, sizes[0]))
    return X, *initial_weights(sizes, rng, activation)


def targets(seed, A, out_activation):
    """What outputs like A should be."""
    rng = np.random.default_rng(seed + 100)
    if out_activation == "softmax":
        return np.eye(A.shape[1])[rng.integers(A.shape[1], size=len(A))]
    return rng.integers(0, 2, A.shape).astype(float) if out_activation == "logistic" else rng.normal(size=A.shape)


class TestGolden:
    """Matt Mazur, *A Step by Step Backpropagation Example* (2015): logistic outputs, squares, biases stay."""

    X, Y = np.array([[0.05, 0.1]]), np.array([[0.01, 0.99]])
    W = (np.array([[0.15, 0.25], [0.2, 0.3]]), np.array([[0.4, 0.5], [0.45, 0.55]]))
    b = (np.full(2, 0.35), np.full(2, 0.6))

    def gradients(self, W):
        A = forward(self.X, W, self.b, "logistic", "logistic")
        return A, backward(A, output_delta(A[-1], self.Y, "logistic", "squared_error"), W, "logistic")

    @pytest.mark.equation("backpropagation-forward", "backpropagation-activations")
    def test_forward(self):
        A, _ = self.gradients(self.W)
        assert A[1][0] == pytest.approx([0.593269992, 0.596884378], abs=4e-9)
        assert A[2][0] == pytest.approx([0.75136507, 0.772928465], abs=4e-9)
        assert network_loss(A[2], self.Y) == pytest.approx(0.298371109, abs=4e-9)

    @pytest.mark.equation("backpropagation-output-delta", "backpropagation-delta", "backpropagation-weight-gradient")
    def test_backward_and_one_step(self):
        _, g = self.gradients(self.W)
        assert g.coefs[1][0, 0] == pytest.approx(0.082167041, abs=4e-9)
        assert g.coefs[0][0, 0] == pytest.approx(0.000438568, abs=4e-9)
        new = [W - 0.5 * G for W, G in zip(self.W, g.coefs, strict=True)]
        assert pytest.approx(np.array([[0.35891648, 0.408666186], [0.51130127, 0.561370121]]), abs=4e-9) == new[1].T
        assert pytest.approx(np.array([[0.149780716, 0.19956143], [0.24975114, 0.29950229]]), abs=4e-9) == new[0].T
        A, _ = self.gradients(new)
        assert network_loss(A[2], self.Y) == pytest.approx(0.291027924, abs=2e-7)

    def test_ten_thousand_steps(self):
        W = [w.copy() for w in self.W]
        for _ in range(10_000):
            _, g = self.gradients(W)
            for w, G in zip(W, g.coefs, strict=True):
                w -= 0.5 * G
        A, _ = self.gradients(W)
        assert network_loss(A[2], self.Y) == pytest.approx(3.51018778298e-05, rel=1e-9)
        assert A[2][0] == pytest.approx([0.0159136204436, 0.984064273515], abs=1e-11)

    @pytest.mark.equation("backpropagation-convolution-size")
    def test_sizes_of_lenet_and_alexnet(self):
        # LeCun et al. (1998): 32 -> 28 -> 14 -> 10 -> 5; Krizhevsky et al. (2012): 227, windows of 11, stride 4 -> 55
        assert [output_size(32, 5), output_size(28, 2, 2), output_size(14, 5), output_size(10, 2, 2)] == [28, 14, 10, 5]
        assert output_size(227, 11, 4) == 55
        assert convolution_parameters(5, 1, 6) == 156  # C1 of LeNet-5
        assert convolution_parameters(11, 3, 96) == 34_944


class TestGradients:
    @pytest.mark.equation("backpropagation-weight-gradient", "backpropagation-bias-gradient", "backpropagation-loss")
    @pytest.mark.parametrize("activation", HIDDEN)
    @pytest.mark.parametrize("out", ["identity", "logistic", "softmax"])
    @pytest.mark.parametrize("seed", range(2))
    def test_against_differences(self, activation, out, seed):
        X, W, b = network(seed, activation=activation)
        Y = targets(seed, forward(X, W, b, activation, out)[-1], out)
        loss = "squared_error" if out == "identity" else "log_loss"
        both = Parameters(W, b)

        def value(theta):
            V, c = both.views(theta)
            if out == "logistic":  # two outputs, each with its own logarithms
                P = forward(X, V, c, activation, out)[-1]
                columns = sum(network_loss(P[:, [k]], Y[:, [k]], (), loss) for k in range(2))
                return columns + 0.7 * sum((v**2).sum() for v in V) / 12
            return network_loss(forward(X, V, c, activation, out)[-1], Y, V, loss, 0.7)

        A = forward(X, W, b, activation, out)
        g = backward(A, output_delta(A[-1], Y, out), W, activation, 0.7)
        flat = np.concatenate([a.ravel() for a in (*g.coefs, *g.intercepts)])
        assert flat == pytest.approx(central_difference(value, both.theta), rel=1e-6, abs=1e-8)

    @pytest.mark.equation("backpropagation-output-delta")
    @pytest.mark.parametrize("out", ["identity", "logistic", "tanh", "relu", "softmax"])
    def test_output_delta_against_differences(self, out):
        Z = np.random.default_rng(0).normal(size=(4, 3))
        Y = targets(0, Z, out)
        loss = "log_loss" if out == "softmax" else "squared_error"
        value = lambda z: 4 * network_loss(activate(z, out), Y, (), loss)
        assert output_delta(activate(Z, out), Y, out, loss) == pytest.approx(central_difference(value, Z), abs=1e-7)

    @pytest.mark.equation("backpropagation-delta")
    def test_deltas_against_differences_of_the_bias_of_one_row(self):
        X, W, b = network(3)
        Y = np.ones((6, 2))
        A = forward(X, W, b, "tanh")
        deltas = layer_deltas(A, output_delta(A[-1], Y), W, "tanh")
        for row in range(6):
            for k in range(3):
                value = lambda c, k=k, row=row: network_loss(
                    forward(X[[row]], W, [*b[:k], c, *b[k + 1 :]], "tanh")[-1], Y[[row]]
                )
                assert deltas[k][row] == pytest.approx(central_difference(value, b[k]), abs=1e-8)
        at_inputs = central_difference(lambda x: 6 * network_loss(forward(x, W, b, "tanh")[-1], Y), X)
        assert deltas[0] @ W[0].T == pytest.approx(at_inputs, abs=1e-7)

    @pytest.mark.equation("backpropagation-slopes")
    @pytest.mark.parametrize("activation", HIDDEN)
    def test_slopes(self, activation):
        Z = np.array([[-2.0, -0.3, 0.4, 3.0]])
        slope = central_difference(lambda z: activate(z, activation).sum(), Z)
        assert activation_slope(activate(Z, activation), activation) == pytest.approx(slope, abs=1e-8)

    @given(st.integers(0, 2**31), st.integers(1, 3), st.sampled_from(["tanh", "relu"]))
    @settings(max_examples=20)
    def test_automatic_differentiation_is_the_same(self, seed, depth, activation):
        rng = np.random.default_rng(seed)
        X, W, b = network(seed, [3, *rng.integers(1, 5, depth), 2], activation)
        Y = np.eye(2)[rng.integers(2, size=6)]
        A = forward(X, W, b, activation, "softmax")
        g = backward(A, output_delta(A[-1], Y, "softmax"), W, activation)
        tensors = [(Tensor(w), Tensor(c)) for w, c in zip(W, b, strict=True)]
        H = Tensor(X)
        for k, (w, c) in enumerate(tensors):
            Z = H @ w + c
            H = Z if k == depth else Z.tanh() if activation == "tanh" else Z.relu()
        loss = (H.exp().sum(axis=1).log() + (H * (-Y)).sum(axis=1)).sum() * (1 / 6)
        loss.backward()
        assert float(loss.value) == pytest.approx(network_loss(A[-1], Y, (), "log_loss"), rel=1e-12)
        for k, (w, c) in enumerate(tensors):
            assert w.gradient == pytest.approx(g.coefs[k], abs=1e-12)
            assert c.gradient == pytest.approx(g.intercepts[k], abs=1e-12)

    def test_masks_against_differences(self):
        X, W, b = network(5)
        Y, rng = np.ones((6, 2)), np.random.default_rng(0)
        masks = [dropout_mask(rng, (6, 3), 0.3), dropout_mask(rng, (6, 5), 0.5), None]
        both = Parameters(W, b)
        value = lambda theta: network_loss(forward(X, *both.views(theta), "tanh", masks=masks)[-1], Y)
        A = forward(X, W, b, "tanh", masks=masks)
        g = backward(A, A[-1] - Y, W, "tanh", masks=masks)
        flat = np.concatenate([a.ravel() for a in (*g.coefs, *g.intercepts)])
        assert flat == pytest.approx(central_difference(value, both.theta), abs=1e-8)
        out = Gradients([np.zeros_like(w) for w in W], [np.zeros_like(c) for c in b])
        assert backward(A, A[-1] - Y, W, "tanh", masks=masks, out=out) is out
        assert all(np.array_equal(p, q) for p, q in zip(out.coefs, g.coefs, strict=True))

    def test_a_node_that_is_used_twice(self):
        x = Tensor([[2.0]])
        y = x * x
        (y * y + y).sum().backward()
        assert x.gradient.item() == pytest.approx(4 * 8 + 2 * 2)


class TestLaws:
    @pytest.mark.equation("backpropagation-symmetry")
    @given(st.integers(0, 2**31))
    @settings(max_examples=15)
    def test_units_may_change_places_and_signs(self, seed):
        X, W, b = network(seed, [3, 3, 2])
        A = forward(X, W, b, "tanh")[-1]
        for order in permutations(range(3)):
            sign = np.random.default_rng(seed).choice([-1, 1], 3)
            other = [W[0][:, order] * sign, (W[1][list(order)].T * sign).T]
            assert pytest.approx(A, abs=1e-12) == forward(X, other, [b[0][list(order)] * sign, b[1]], "tanh")[-1]

    def test_equal_units_stay_equal(self):
        X, y = XOR, np.array([0, 1, 1, 0])
        model = MLPClassifier((3,), "tanh", solver="sgd", max_iter=1, random_state=0)
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            model.fit(X, y)
        model.set_params(warm_start=True, max_iter=50, tol=0)
        model.coefs_ = [np.full((2, 3), 0.3), np.full((3, 1), 0.2)]
        model.intercepts_ = [np.zeros(3), np.zeros(1)]
        with pytest.warns(ConvergenceWarning):
            model.fit(X, y)
        assert np.ptp(model.coefs_[0], axis=1) == pytest.approx(0, abs=1e-15)
        assert not np.allclose(model.coefs_[0], 0.3)

    @pytest.mark.equation("backpropagation-xavier", "backpropagation-forward-variance")
    def test_variance_stays_with_xavier(self):
        rng = np.random.default_rng(0)
        A = rng.normal(size=(2000, 200))
        W = rng.normal(size=(200, 200)) * np.sqrt(xavier_variance(200, 200))
        assert (A @ W).var() == pytest.approx(1, rel=0.05)
        assert (A @ W.T).var() == pytest.approx(1, rel=0.05)

    @pytest.mark.equation("backpropagation-he")
    def test_mean_square_stays_with_he(self):
        rng, A = np.random.default_rng(1), np.random.default_rng(0).normal(size=(500, 300))
        for _ in range(6):
            A = activate(A @ (rng.normal(size=(300, 300)) * np.sqrt(he_variance(300))), "relu")
        assert (A**2).mean() == pytest.approx(1, rel=0.2)

    @pytest.mark.equation("backpropagation-uniform")
    @pytest.mark.parametrize(("activation", "factor"), [("tanh", 2.0), ("relu", 2.0), ("logistic", 2 / 3)])
    def test_start_has_its_variance(self, activation, factor):
        coefs, intercepts = initial_weights([300, 200, 100], 0, activation)
        for W, b in zip(coefs, intercepts, strict=True):
            limit = np.sqrt(3 * factor / sum(W.shape))
            assert W.var() == pytest.approx(factor / sum(W.shape), rel=0.03)
            assert np.abs(W).max() <= limit
            assert np.abs(b).max() <= limit

    @pytest.mark.equation("backpropagation-dropout")
    def test_dropout_keeps_the_mean(self):
        mask = dropout_mask(0, (100, 1000), 0.4)
        assert set(np.unique(mask)) == {0, 1 / 0.6}
        assert mask.mean() == pytest.approx(1, abs=4 * np.sqrt(0.4 / 0.6 / 1e5))

    @pytest.mark.equation("backpropagation-count")
    @given(st.lists(st.integers(1, 6), min_size=2, max_size=5))
    def test_number_of_parameters(self, sizes):
        coefs, intercepts = initial_weights(sizes, 0)
        assert count_parameters(sizes) == sum(a.size for a in (*coefs, *intercepts))

    @pytest.mark.equation("backpropagation-steps")
    def test_a_staircase_is_as_good_as_its_steps(self):
        for m in (5, 20, 80):
            x = np.linspace(0, 1, m + 1)
            W, b = step_network(x, np.sin(6 * x), 1e6)
            at = np.linspace(0, 1, 1001)
            far = np.abs(at[:, None] - (x[1:] + x[:-1]) / 2).min(axis=1) > 1e-4  # not in the middle of a step
            error = np.abs(forward(at[:, None], W, b, "logistic")[-1][:, 0] - np.sin(6 * at))[far].max()
            assert error <= 6 / (2 * m) + 1e-9

    @pytest.mark.equation("backpropagation-convolution", "backpropagation-convolution-size")
    @given(st.integers(0, 2**31), st.integers(3, 9), st.integers(1, 3), st.integers(1, 3), st.integers(0, 2))
    @settings(max_examples=40)
    def test_convolution_against_scipy(self, seed, n, k, stride, padding):
        rng = np.random.default_rng(seed)
        image, kernel = rng.normal(size=(n, n + 1)), rng.normal(size=(k, k))
        found = convolve(image, kernel, stride, padding, bias=0.5)
        full = correlate2d(np.pad(image, padding), kernel, "valid")[::stride, ::stride]
        assert found == pytest.approx(full + 0.5)
        assert found.shape == (output_size(n, k, stride, padding), output_size(n + 1, k, stride, padding))

    @given(st.integers(0, 2**31), st.integers(1, 3), st.integers(1, 3))
    @settings(max_examples=30)
    def test_pooling_by_loops(self, seed, size, stride):
        image = np.random.default_rng(seed).normal(size=(6, 5))
        found = max_pool(image, size, stride)
        for i, j in np.ndindex(*found.shape):
            assert found[i, j] == image[i * stride : i * stride + size, j * stride : j * stride + size].max()
        assert max_pool(image, size).shape == (6 // size, 5 // size)

    @pytest.mark.equation("backpropagation-adam-means", "backpropagation-adam-step")
    def test_adam_is_the_rule_of_descent(self):
        rng = np.random.default_rng(0)
        w, V = rng.normal(size=4), rng.normal(size=(2, 3))
        x, m, v = w.copy(), np.zeros(4), np.zeros(4)
        rule = Adam(0.05, 0.8, 0.9, 1e-14)
        for t in range(1, 20):
            g = rng.normal(size=4)
            x, m, v = adam_step(x, m, v, g, t, 0.05, 0.8, 0.9, 1e-14)
            rule.step([w, V], [g, np.ones((2, 3))])
        assert w == pytest.approx(x, rel=1e-10)

    @pytest.mark.equation("backpropagation-momentum")
    @pytest.mark.parametrize("nesterov", [True, False])
    def test_momentum_is_the_rule_of_descent(self, nesterov):
        w, velocity = np.ones(3), np.zeros(3)
        x, rule = w.copy(), SGD(0.1, 0.7, nesterov)
        for k in range(5):
            g = np.array([1.0, -k, k * k])
            x, velocity = momentum_step(x, velocity, g, 0.1, 0.7, nesterov)
            rule.step(w, g)
        assert w == pytest.approx(x, rel=1e-12)

    def test_probabilities_of_any_scores(self):
        Z = np.array([[1e4, 0.0, -1e4], [0.0, 0.0, 0.0]])
        assert activate(Z, "softmax") == pytest.approx(softmax(Z))
        assert np.isfinite(network_loss(activate(Z, "softmax"), np.eye(3)[[2, 0]], (), "log_loss"))
        assert activate([[-1e4, 1e4]], "logistic").tolist() == [[0.0, 1.0]]


SAME = [
    {},
    {"solver": "sgd", "learning_rate_init": 0.05},
    {"solver": "sgd", "nesterovs_momentum": False, "momentum": 0.5, "learning_rate_init": 0.05},
    {"shuffle": False, "batch_size": 64},
    {"alpha": 1.0, "beta_1": 0.8, "beta_2": 0.95, "epsilon": 1e-3},
    {"early_stopping": True, "n_iter_no_change": 3, "validation_fraction": 0.2},
    {"hidden_layer_sizes": ()},
    {"tol": 0.05, "n_iter_no_change": 2},
]


def both(ours, theirs, X, y, **settings):
    """Two fitted models of the same settings."""
    settings = {"hidden_layer_sizes": (12, 7), "max_iter": 15, "random_state": 5} | settings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ours(**settings).fit(X, y), theirs(**settings).fit(X, y)


def assert_same(a, b):
    assert a.n_iter_ == b.n_iter_
    assert a.loss_curve_ == pytest.approx(b.loss_curve_, rel=1e-10)
    for p, q in zip((*a.coefs_, *a.intercepts_), (*b.coefs_, *b.intercepts_), strict=True):
        assert p == pytest.approx(q, rel=1e-8, abs=1e-10)


class TestPeers:
    @pytest.mark.parametrize("settings", SAME, ids=str)
    def test_classifier_is_scikit_learns(self, settings):
        ours, theirs = both(MLPClassifier, TheirClassifier, DIGITS[:400], NAMES[:400], **settings)
        assert_same(ours, theirs)
        assert ours.predict_proba(DIGITS) == pytest.approx(theirs.predict_proba(DIGITS), abs=1e-9)
        assert np.array_equal(ours.predict(DIGITS), theirs.predict(DIGITS))
        assert (ours.n_layers_, ours.n_outputs_, ours.out_activation_) == (
            theirs.n_layers_, theirs.n_outputs_, theirs.out_activation_)  # fmt: skip
        if "early_stopping" in settings:
            assert ours.validation_scores_ == pytest.approx(theirs.validation_scores_)
        else:
            assert ours.validation_scores_ is None

    @pytest.mark.parametrize("activation", HIDDEN)
    def test_every_activation(self, activation):
        assert_same(*both(MLPClassifier, TheirClassifier, DIGITS[:300], NAMES[:300], activation=activation))

    def test_two_classes(self):
        y = np.array(["odd", "even"])[NAMES[:300] % 2]
        ours, theirs = both(MLPClassifier, TheirClassifier, DIGITS[:300], y)
        assert_same(ours, theirs)
        assert ours.predict_proba(DIGITS) == pytest.approx(theirs.predict_proba(DIGITS), abs=1e-9)
        assert np.array_equal(ours.predict(DIGITS), theirs.predict(DIGITS))
        assert np.exp(ours.predict_log_proba(DIGITS)).sum(axis=1) == pytest.approx(1)

    @pytest.mark.parametrize("columns", [1, 3])
    def test_regression(self, columns):
        Y = np.column_stack([DIGITS[:, 3] * DIGITS[:, 10], DIGITS[:, 20], DIGITS[:, 5]])[:300, :columns]
        y = Y[:, 0] if columns == 1 else Y
        ours, theirs = both(MLPRegressor, TheirRegressor, DIGITS[:300], y, early_stopping=columns == 1)
        assert_same(ours, theirs)
        assert ours.predict(DIGITS) == pytest.approx(theirs.predict(DIGITS), abs=1e-9)
        assert ours.score(DIGITS[:300], y) == pytest.approx(theirs.score(DIGITS[:300], y))

    def test_warm_start_goes_on(self):
        ours, theirs = both(MLPClassifier, TheirClassifier, DIGITS[:300], NAMES[:300], warm_start=True)
        before = len(ours.loss_curve_)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours.fit(DIGITS[:300], NAMES[:300])
            theirs.fit(DIGITS[:300], NAMES[:300])
        assert_same(ours, theirs)
        assert len(ours.loss_curve_) == 2 * before

    def test_the_same_start(self):
        for seed in (0, 7):
            coefs, intercepts = initial_weights([64, 9, 10], seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                theirs = TheirClassifier((9,), max_iter=1, learning_rate_init=1e-300, random_state=seed)
                theirs.fit(DIGITS, NAMES)
            for p, q in zip((*coefs, *intercepts), (*theirs.coefs_, *theirs.intercepts_), strict=True):
                assert np.array_equal(p, q)

    def test_without_hidden_layers_it_is_softmax_regression(self):
        rows = np.r_[:200]
        ours = MLPClassifier((), solver="lbfgs", alpha=1.0, max_iter=2000, tol=1e-7, random_state=0)
        ours.fit(DIGITS[rows], NAMES[rows])
        theirs = SoftmaxRegression(C=1.0, tol=1e-7).fit(DIGITS[rows], NAMES[rows])
        assert ours.predict_proba(DIGITS) == pytest.approx(theirs.predict_proba(DIGITS), abs=1e-4)
        assert not hasattr(ours, "loss_curve_")

    def test_lbfgs_of_several_targets_minimises_its_loss(self):
        X = np.linspace(-1, 1, 40)[:, None]
        Y = np.column_stack([X[:, 0] ** 2, np.sin(3 * X[:, 0])])
        model = MLPRegressor((6,), "tanh", solver="lbfgs", alpha=0.01, max_iter=3000, tol=1e-6, random_state=0)
        model.fit(X, Y)
        A = forward(X, model.coefs_, model.intercepts_, "tanh")
        g = backward(A, A[-1] - Y, model.coefs_, "tanh", 0.01)
        assert max(np.abs(a).max() for a in (*g.coefs, *g.intercepts)) < 1e-6
        assert model.loss_ == pytest.approx(network_loss(A[-1], Y, model.coefs_, alpha=0.01))
        assert model.score(X, Y) > 0.98


class TestTraining:
    def test_exclusive_or(self):
        y = np.array([0, 1, 1, 0])
        solved = sum(
            MLPClassifier((4,), "tanh", solver="lbfgs", alpha=0, random_state=seed).fit(XOR, y).score(XOR, y) == 1
            for seed in range(10)
        )
        assert solved >= 8
        assert MLPClassifier((), solver="lbfgs", alpha=0, random_state=0).fit(XOR, y).score(XOR, y) < 1

    def test_an_open_end_warns(self):
        with pytest.warns(ConvergenceWarning, match="after max_iter=3 epochs: raise max_iter"):
            MLPClassifier((5,), max_iter=3, random_state=0).fit(DIGITS, NAMES)
        with pytest.warns(ConvergenceWarning, match="L-BFGS has not converged after max_iter=3"):
            MLPClassifier((5,), solver="lbfgs", max_iter=3, random_state=0).fit(DIGITS, NAMES)

    def test_it_stops_by_itself_without_a_warning(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = MLPClassifier((5,), tol=1.0, n_iter_no_change=2, random_state=0).fit(DIGITS[:100], NAMES[:100])
        assert model.n_iter_ == 4

    def test_early_stopping_keeps_the_best_weights(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = MLPClassifier((20,), early_stopping=True, max_iter=40, random_state=1).fit(
                DIGITS[:500], NAMES[:500]
            )
        order = initial_order(model, 500)
        held = order[:50]
        assert model.score(DIGITS[held], NAMES[held]) == pytest.approx(max(model.validation_scores_))

    def test_dropout_trains_and_predicts_without_chance(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = MLPClassifier((40,), dropout=0.5, max_iter=60, random_state=0).fit(DIGITS, NAMES)
            other = MLPClassifier((40,), dropout=0.0, max_iter=60, random_state=0).fit(DIGITS, NAMES)
        assert np.array_equal(model.predict_proba(DIGITS), model.predict_proba(DIGITS))
        assert model.score(DIGITS, NAMES) > 0.9
        assert model.loss_ > other.loss_

    @pytest.mark.parametrize("state", [3, None, np.random.default_rng(3), np.random.RandomState(3)])
    def test_every_kind_of_chance(self, state):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = MLPRegressor((3,), max_iter=2, random_state=state).fit(DIGITS, DIGITS[:, 3])
        assert model.predict(DIGITS).shape == (len(DIGITS),)
        rng = np.random.default_rng(0)
        first = generator(rng).uniform()
        assert first != generator(rng).uniform()

    def test_warm_start_after_lbfgs_has_a_curve(self):
        model = MLPRegressor((3,), solver="lbfgs", max_iter=50, warm_start=True, random_state=0, tol=10.0)
        model.fit(DIGITS, DIGITS[:, 3])
        model.set_params(solver="adam", n_iter_no_change=1)
        model.fit(DIGITS, DIGITS[:, 3])
        assert len(model.loss_curve_) == model.n_iter_

    def test_pickle(self):
        model = MLPClassifier((), tol=1.0, random_state=0).fit(DIGITS, NAMES)
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(DIGITS), model.predict(DIGITS))

    @pytest.mark.parametrize(
        "change", [np.asfortranarray, lambda X: X.astype(np.float32), lambda X: X[:, ::-1][:, ::-1]]
    )
    def test_any_memory(self, change):
        fit = lambda X: MLPClassifier((4,), tol=1.0, random_state=0).fit(X, NAMES).predict_proba(X)
        assert fit(change(DIGITS)) == pytest.approx(fit(DIGITS), abs=1e-5)


def initial_order(model, n):
    """The permutation that early stopping drew, behind the weights."""
    rng = np.random.RandomState(model.random_state)
    for W in model.coefs_:
        rng.uniform(size=W.size + W.shape[1])
    return rng.permutation(n)


CONTRACT = [
    (estimator, check)
    for estimator in (
        MLPClassifier((8,), max_iter=300, random_state=0),
        MLPRegressor((8,), max_iter=300, random_state=0),
    )
    for estimator, check in estimator_checks_generator(estimator)
]


@pytest.mark.parametrize(
    ("estimator", "check"), CONTRACT, ids=[f"{type(e).__name__}-{getattr(c, 'func', c).__name__}" for e, c in CONTRACT]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    if getattr(check, "func", check).__name__ != "check_array_api_input":  # needs another array library
        check(estimator)


@pytest.mark.parametrize("estimator", [MLPClassifier, MLPRegressor])
def test_not_fitted(estimator):
    with pytest.raises(NotFittedError):
        estimator().predict([[1.0, 1.0]])


W2 = [np.ones((2, 3)), np.ones((3, 1))]
B2 = [np.zeros(3), np.zeros(1)]
ROWS = [[1.0, 2.0], [3.0, 1.0]]
FITS = lambda **settings: lambda: MLPClassifier(**settings).fit(DIGITS[:50], NAMES[:50])
BAD = [
    (lambda: forward(ROWS, [np.ones((3, 1))], [np.zeros(1)]), ValueError, r"coefs\[0\] must have 2 rows"),
    (lambda: forward(ROWS, [np.ones((2, 3)), np.ones((2, 1))], B2), ValueError, r"coefs\[1\] must have 3 rows"),
    (lambda: forward(ROWS, W2, [np.zeros(2), np.zeros(1)]), ValueError, r"intercepts\[0\]"),
    (lambda: forward(ROWS, W2, [np.zeros(3)]), ValueError, "one entry a layer, got 2 and 1"),
    (lambda: forward(ROWS, [], []), ValueError, "one entry a layer"),
    (lambda: forward([[np.nan, 1.0]], W2, B2), ValueError, "X must be finite"),
    (lambda: forward(ROWS, W2, B2, "sine"), ValueError, "activation must be one of"),
    (lambda: forward(ROWS, W2, B2, "softmax"), ValueError, "activation must be one of"),
    (lambda: forward(ROWS, W2, B2, "relu", "sine"), ValueError, "out_activation must be one of"),
    (lambda: activate([[1.0]], "sine"), ValueError, "activation must be one of"),
    (lambda: activation_slope([[1.0]], "softmax"), ValueError, "activation must be one of"),
    (lambda: output_delta([[1.0]], [[1.0, 2.0]]), ValueError, "Y must have shape"),
    (lambda: output_delta([[1.0]], [[1.0]], "tanh"), ValueError, "out_activation without a loss must be one of"),
    (lambda: output_delta([[1.0]], [[1.0]], "tanh", "log_loss"), ValueError, "needs another out_activation than 'tanh'"),
    (lambda: output_delta([[1.0]], [[1.0]], "softmax", "squared_error"), ValueError, "needs another out_activation"),
    (lambda: output_delta([[1.0]], [[1.0]], "identity", "hinge"), ValueError, "loss must be one of"),
    (lambda: layer_deltas([np.ones((2, 2))], np.ones((2, 2)), W2), ValueError, "inputs and 2 layers"),
    (lambda: backward(forward(ROWS, W2, B2), np.ones((1, 1)), W2), ValueError, "delta be like the last"),
    (lambda: backward(forward(ROWS, W2, B2), np.ones((2, 1)), W2, "sine"), ValueError, "activation must be one of"),
    (lambda: backward(forward(ROWS, W2, B2), np.ones((2, 1)), W2, alpha=-1.0), ValueError, "alpha"),
    (lambda: network_loss([[1.0]], [[1.0], [2.0]]), ValueError, "Y must have shape"),
    (lambda: network_loss([[1.0]], [[1.0]], (), "hinge"), ValueError, "loss must be one of"),
    (lambda: network_loss([[1.0]], [[1.0]], alpha=-1), ValueError, "alpha"),
    (lambda: xavier_variance(0, 1), ValueError, "n_in must be at least 1"),
    (lambda: xavier_variance(1, 0), ValueError, "n_out must be at least 1"),
    (lambda: he_variance(0), ValueError, "n_in must be at least 1"),
    (lambda: initial_weights([3]), ValueError, "sizes must name at least 2 layers"),
    (lambda: initial_weights([3, 0]), ValueError, r"sizes\[1\] must be at least 1"),
    (lambda: initial_weights([3, 2.5]), TypeError, r"sizes\[1\] must be an integer"),
    (lambda: initial_weights([3, 2], 0, "sine"), ValueError, "activation must be one of"),
    (lambda: initial_weights([3, 2], "a"), TypeError, "random_state must be"),
    (lambda: generator(-1), ValueError, "random_state must be a non-negative"),
    (lambda: dropout_mask(0, (2,), 1.0), ValueError, "rate must be at least 0 and less than 1"),
    (lambda: dropout_mask(0, (2,), -0.1), ValueError, "rate"),
    (lambda: count_parameters([3]), ValueError, "at least 2 layers"),
    (lambda: step_network([0.0], [1.0], 10.0), ValueError, "at least two places"),
    (lambda: step_network([0.0, 0.0], [1.0, 2.0], 10.0), ValueError, "increasing order"),
    (lambda: step_network([0.0, 1.0], [1.0], 10.0), ValueError, "values must have shape"),
    (lambda: step_network([0.0, 1.0], [1.0, 2.0], np.inf), ValueError, "steepness must be finite"),
    (lambda: output_size(3, 4), ValueError, r"kernel must be at most n \+ 2 padding = 3"),
    (lambda: output_size(3, 2, stride=0), ValueError, "stride must be at least 1"),
    (lambda: output_size(3, 2, padding=-1), ValueError, "padding must be at least 0"),
    (lambda: convolution_parameters(0, 1, 1), ValueError, "kernel must be at least 1"),
    (lambda: convolution_parameters(1, 1, 0), ValueError, "out_channels must be at least 1"),
    (lambda: convolve([1.0, 2.0], [[1.0]]), ValueError, "image"),
    (lambda: convolve([[1.0, 2.0]], [[1.0], [1.0]]), ValueError, "kernel must be at most"),
    (lambda: max_pool([[1.0]], 2), ValueError, "kernel must be at most"),
    (lambda: Adam(0.0), ValueError, "learning_rate must be positive"),
    (lambda: Adam(beta_1=1.0), ValueError, "beta_1 must be at least 0 and less than 1"),
    (lambda: Adam(beta_2=-1.0), ValueError, "beta_2"),
    (lambda: Adam(epsilon=0.0), ValueError, "epsilon must be positive"),
    (lambda: Adam().step(np.ones(2), np.ones(3)), ValueError, "grads must have the shapes"),
    (lambda: SGD(-1.0), ValueError, "learning_rate"),
    (lambda: SGD(momentum=1.5), ValueError, "momentum must lie between 0 and 1"),
    (lambda: SGD().step([np.ones(2)], []), ValueError, "grads must have the shapes"),
    (lambda: Tensor(["a"]), TypeError, "value must hold numbers"),
    (lambda: Tensor([np.inf]), ValueError, "value must be finite"),
    (lambda: Tensor([1.0, 2.0]).backward(), ValueError, "backward starts from a single number"),
    (FITS(hidden_layer_sizes=(0,)), ValueError, r"hidden_layer_sizes\[0\] must be at least 1"),
    (FITS(hidden_layer_sizes=-3), ValueError, r"hidden_layer_sizes\[0\] must be at least 1"),
    (FITS(hidden_layer_sizes=(2.5,)), TypeError, "must be an integer"),
    (FITS(activation="sine"), ValueError, "activation must be one of"),
    (FITS(solver="newton"), ValueError, "solver must be one of"),
    (FITS(alpha=-1.0), ValueError, "alpha must be finite and at least 0"),
    (FITS(learning_rate_init=0.0), ValueError, "learning_rate_init must be positive"),
    (FITS(learning_rate_init=-0.1), ValueError, "learning_rate_init"),
    (FITS(max_iter=0), ValueError, "max_iter must be at least 1"),
    (FITS(tol=-1.0), ValueError, "tol"),
    (FITS(batch_size=0), ValueError, "batch_size must be at least 1"),
    (FITS(n_iter_no_change=0), ValueError, "n_iter_no_change must be at least 1"),
    (FITS(momentum=2.0), ValueError, "momentum must lie between 0 and 1"),
    (FITS(beta_1=1.0), ValueError, "beta_1"),
    (FITS(dropout=1.0), ValueError, "dropout must be at least 0 and less than 1"),
    (FITS(validation_fraction=1.0), ValueError, "validation_fraction"),
    (FITS(validation_fraction=0.01, early_stopping=True), ValueError, "holds out 1 of 50 rows"),
    (FITS(solver="sgd", learning_rate_init=1e200, activation="identity"), ValueError,
     "no longer finite after epoch [12]: lower learning_rate_init, now 1e\\+200, or standardise"),
    (lambda: MLPRegressor(solver="sgd", learning_rate_init=1e3).fit(100 * DIGITS, DIGITS[:, 3]), ValueError,
     "The loss is no longer finite"),
    (lambda: MLPClassifier().fit(ROWS, [1, 1]), ValueError, "at least two classes"),
    (lambda: MLPClassifier().fit([[np.nan, 1.0], [1.0, 2.0]], [0, 1]), ValueError, "NaN"),
    (lambda: MLPClassifier(tol=9.0, random_state=0).fit(DIGITS, NAMES).predict(ROWS), ValueError, "features"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input(call, error, message):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(error, match=message):
            call()


def test_warm_start_with_something_else():
    model = MLPClassifier((3,), tol=9.0, warm_start=True, random_state=0).fit(DIGITS, NAMES)
    with pytest.raises(ValueError, match="warm_start needs the same classes"):
        model.fit(DIGITS, NAMES % 5)
    model.set_params(hidden_layer_sizes=(4,))
    with pytest.raises(ValueError, match="warm_start needs layers of the same sizes"):
        model.fit(DIGITS, NAMES)


def test_patience_without_end():
    with pytest.warns(ConvergenceWarning):
        model = MLPClassifier((3,), n_iter_no_change=np.inf, tol=9.0, max_iter=30, random_state=0).fit(DIGITS, NAMES)
    assert model.n_iter_ == 30


def test_checks_of_layers():
    assert check_sizes((4, 3)) == [4, 3]
    W, b = check_layers(W2, B2)
    assert [w.shape for w in W] == [(2, 3), (3, 1)]
    assert [c.shape for c in b] == [(3,), (1,)]
