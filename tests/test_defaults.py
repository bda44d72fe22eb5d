"""The defaults of an estimator are those of scikit-learn's of the same name; what differs or is its own stands here."""

import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils import all_estimators

import notes_lib

MODULES = [m.name for m in walk_packages(notes_lib.__path__, "notes_lib.") if not m.name.startswith("notes_lib.drills")]
PEERS = dict(all_estimators())
TREE = {"max_depth": None, "min_samples_split": 2, "max_impurity": 0.0, "min_gain": 0.0}
BOOSTING = {"tree_method": "exact", "max_bin": 255, "reg_lambda": 0.0, "gamma": 0.0}  # plain gradient boosting
KERNEL = {"kernel": "rbf", "gamma": None, "degree": 3, "coef0": 1.0}
OWN = {
    "MDS": {"dissimilarity": "euclidean", "method": "classical", "init": "classical_mds"},
    "MLPClassifier": {"dropout": 0.0},
    "MLPRegressor": {"dropout": 0.0},
    "Autoencoder": {
        "hidden_layer_sizes": (32, 2, 32), "activation": "tanh", "code_activation": "auto",
        "learning_rate_init": 0.005, "max_iter": 300, "tol": 1e-4, "n_iter_no_change": 10, "batch_size": "auto",
        "noise": 0.0, "tied": False, "sparsity": 0.0, "sparsity_target": 0.05, "random_state": None,
    },
    "VariationalAutoencoder": {
        "n_components": 2, "hidden_layer_sizes": (32,), "activation": "tanh", "noise_variance": None,
        "learning_rate_init": 0.005, "max_iter": 300, "tol": 1e-4, "n_iter_no_change": 10, "batch_size": "auto",
        "random_state": None,
    },
    "MahalanobisDetector": {"contamination": 0.1, "alpha": 0.025, "robust": False},
    "IterativeQuantization": {"n_bits": 1, "max_iter": 300, "random_state": None},
    "MinHashLSH": {"n_bands": 20, "n_rows": 5, "random_state": None},
    "RandomHyperplaneLSH": {"n_bits": 8, "n_tables": 8, "random_state": None},
    "AdaBoostClassifier": {"criterion": "gini"},
    "BayesClassifier": {"density": None, "priors": None, "cost": None},
    "BayesianLinearRegression": {"alpha": None, "beta": None, "fit_intercept": True, "max_iter": 1000, "tol": 1e-9},
    "C45Classifier": {"categorical_features": None, **TREE},
    "CCA": {"ridge": 0.0},
    "ClusterFeatures": {
        "n_clusters": 8, "mode": "soft", "local": False, "covariance_type": "full", "tol": 0.001, "reg_covar":
        1e-06, "max_iter": 100, "n_init": 1, "random_state": None
    },
    "CondensedNearestNeighbour": {"sampling_strategy": "auto", "shuffle": False, "random_state": None},
    "DecisionTreeRegressor": {"tolerance": 0.0, "leaf_error": "mean"},  # the peer's rule
    "DensityClassifier": {"density": None, "priors": None, "classes": None},
    "DirichletProcessMixture": {
        "alpha": 1.0, "mean_prior": None, "mean_precision_prior": None, "degrees_of_freedom_prior": None,
        "covariance_prior": None, "n_iter": 200, "burn_in": 50, "random_state": None
    },
    "DivisiveClustering": {"n_clusters": 2, "bisecting_strategy": "biggest_inertia", "max_iter": 300},
    "EditedNearestNeighbours": {"sampling_strategy": "auto", "n_neighbors": 3, "kind_sel": "all"},
    "FisherDiscriminant": {"n_components": None, "shrinkage": None, "priors": None},
    "GaussianProcessRegressor": {"optimizer": "lbfgs"},  # the book's own search
    "GeneralizedLinearModel": {
        "family": "gaussian", "alpha": 0.0, "fit_intercept": True, "max_iter": 100, "tol": 1e-10
    },
    "GradientBoostingClassifier": BOOSTING,
    "GradientBoostingRegressor": BOOSTING,
    "GridSearchCV": {"progress": None, "error_score": "raise"},  # what fails is not to be overlooked
    "HistogramDensity": {"bandwidth": 1.0, "origin": 0.0},
    "ID3Classifier": {"criterion": "entropy", **TREE},
    "KNeighborsClassifier": {"leaf_size": 40},  # the fastest here
    "KNeighborsDensity": {"n_neighbors": 5},
    "KNeighborsRegressor": {"leaf_size": 40},
    "KernelGradientDescent": {**KERNEL, "learning_rate": None, "max_iter": 1000, "tol": 1e-6},
    "KernelPerceptron": {**KERNEL, "max_iter": 100},
    "KernelRidge": {"fit_intercept": False},
    "MixtureDiscriminantAnalysis": {
        "n_components": 2, "covariance_type": "full", "tol": 0.001, "reg_covar": None, "max_iter": 100,
        "n_init": 1, "priors": None, "random_state": None
    },
    "MultiEdit": {"n_splits": 3, "patience": 3, "random_state": None},
    "Perceptron": {"random_state": None, "keep": "last"},
    "QuadraticDiscriminantAnalysis": {"pooling": 0.0},
    "SGDRegressor": {"batch_size": 1},
    "SemiSupervisedMixture": {
        "covariance_type": "full", "unlabeled_weight": 1.0, "tol": 1e-06, "reg_covar": 1e-06, "max_iter": 500
    },
    "SoftmaxRegression": {"C": 1.0, "fit_intercept": True, "max_iter": 1000, "tol": 1e-6},
}  # fmt: skip


def defaults(estimator):
    """Default by name, for the parameters that have one."""
    parameters = inspect.signature(estimator).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def estimators():
    """Every public estimator of the library that takes parameters."""
    found = {value for name in MODULES for value in vars(import_module(name)).values() if inspect.isclass(value)}
    ours = [c for c in found if issubclass(c, BaseEstimator) and c.__module__.startswith("notes_lib")]
    return sorted((c for c in ours if c.__name__[0] != "_" and defaults(c)), key=lambda c: c.__name__)


@pytest.mark.parametrize("estimator", estimators(), ids=lambda c: c.__name__)
def test_defaults_are_those_of_scikit_learn_or_stand_here(estimator):
    name = estimator.__name__
    peer = PEERS.get(name)
    expected = (defaults(peer) if peer else {}) | OWN.get(name, {})
    found = defaults(estimator)
    assert found == {parameter: expected.get(parameter, "stands nowhere") for parameter in found}


@pytest.mark.parametrize("estimator", [c for c in estimators() if c.__name__ in PEERS], ids=lambda c: c.__name__)
def test_methods_have_the_defaults_of_scikit_learn(estimator):
    peer = PEERS[estimator.__name__]
    for name, method in inspect.getmembers(estimator, inspect.isfunction):
        if name[0] != "_" and hasattr(peer, name):
            assert defaults(method).items() <= defaults(getattr(peer, name)).items(), name


def test_what_stands_here_is_needed():
    ours = {c.__name__: defaults(c) for c in estimators()}
    for name, own in OWN.items():
        peer = PEERS.get(name)
        theirs = defaults(peer) if peer else {}
        assert own.keys() <= ours[name].keys(), name
        assert not any(theirs.get(p, "no such parameter") == value for p, value in own.items()), name
