"""Tests of notes_lib.datasets."""

import numpy as np
import pytest
import sklearn.datasets

from notes_lib.datasets import (
    load_breast_cancer,
    load_cars,
    load_china,
    load_constitution,
    load_diabetes,
    load_digits,
    load_faithful,
    load_frets,
    load_horse_kicks,
    load_iris,
    load_longley,
    load_prostate,
    load_wine,
    make_blobs,
    make_moons,
    prostate_split,
)


def test_faithful_has_the_published_summary():
    # means and standard deviations as R prints them for its data set faithful
    X = load_faithful().X
    np.testing.assert_allclose(X.mean(axis=0), [3.487783, 70.897059], atol=5e-7)
    np.testing.assert_allclose(X.std(axis=0, ddof=1), [1.141371, 13.594974], atol=5e-7)
    assert X.shape == (272, 2)


def test_heads_of_brothers_have_the_published_covariances():
    # means and covariances as Anderson (1958), An Introduction to Multivariate Statistical Analysis, prints them
    X = load_frets().X
    np.testing.assert_allclose(X.mean(axis=0), [185.72, 151.12, 183.84, 149.24], atol=5e-3)
    published = [95.2933, 52.8683, 69.6617, 46.1117, 54.3600, 51.3117, 35.0533, 100.8067, 56.5400, 45.0233]
    np.testing.assert_allclose(np.cov(X.T)[np.triu_indices(4)], published, atol=5e-5)


def test_constitution_is_whole():
    # preamble of 52 words; 10, 4, 3, 4 sections in the first four articles, none in the other three
    text = load_constitution()
    preamble, *articles = text.split("\nArticle ")
    assert len(preamble.split()) == 52
    assert preamble.endswith("for the United States of America.\n")
    assert [a.split()[0] for a in articles] == ["I", "II", "III", "IV", "V", "VI", "VII"]
    assert [a.count("\nSection ") for a in articles] == [10, 4, 3, 4, 0, 0, 0]
    assert text.endswith("between the\nStates so ratifying the Same.\n")
    letters = [c for c in text.lower() if c.isalpha()]
    assert len(letters) > 20_000
    assert set(letters) == set("abcdefghijklmnopqrstuvwxyz")


def test_horse_kicks_have_the_published_counts():
    # von Bortkiewicz (1898): 196 deaths; in ten corps of one kind 109, 65, 22, 3 and 1 years with 0 to 4 deaths
    data = load_horse_kicks()
    alike = data.X[:, 1] == 0
    assert np.bincount(data.y[alike]).tolist() == [109, 65, 22, 3, 1]
    assert np.bincount(data.y).tolist() == [144, 91, 32, 11, 2]
    assert data.y.sum() == 196
    assert data.X.shape == (280, len(data.feature_names))
    table = data.y.reshape(20, 14)  # sums over the years of each corps, and of two years over the corps
    assert table.sum(axis=0).tolist() == [16, 16, 12, 12, 8, 11, 17, 12, 7, 13, 15, 25, 24, 8]
    assert data.X[::14, 0].tolist() == list(range(1875, 1895))
    assert table[[0, 19]].sum(axis=1).tolist() == [3, 4]


def test_longley_has_the_certified_residuals():
    # NIST Statistical Reference Datasets, Longley: residual sum of squares and standard deviation of y's regression
    data = load_longley()
    design = np.column_stack([np.ones(16), data.X])
    w = np.linalg.lstsq(design, data.y, rcond=None)[0]
    np.testing.assert_allclose(((data.y - design @ w) ** 2).sum(), 836424.055505915, rtol=1e-9)
    assert data.X.shape == (16, len(data.feature_names))
    assert data.y.dtype.kind == "i"


def test_cars_have_the_published_fit():
    # as R prints summary(lm(dist ~ speed, cars)): -17.5791 + 3.9324 speed
    data = load_cars()
    np.testing.assert_allclose(np.polyfit(data.X[:, 0], data.y, 1), [3.9324, -17.5791], atol=5e-5)
    assert data.X.shape == (50, len(data.feature_names))
    assert data.y.sum() == 2149


def test_prostate_has_the_published_regression():
    # Hastie, Tibshirani and Friedman (2009), tables 3.1 to 3.3: correlations, least squares, its test error, base error
    data, (train, test) = load_prostate(), prostate_split()
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0, ddof=1)
    design = np.column_stack([np.ones(97), Z])
    w = np.linalg.lstsq(design[train], data.y[train], rcond=None)[0]
    np.testing.assert_allclose(w, [2.465, 0.680, 0.263, -0.141, 0.210, 0.305, -0.288, -0.021, 0.267], atol=5.01e-4)
    np.testing.assert_allclose(np.mean((data.y - design @ w)[test] ** 2), 0.521, atol=5e-4)
    np.testing.assert_allclose(np.mean((data.y[test] - data.y[train].mean()) ** 2), 1.057, atol=5e-4)
    last = np.corrcoef(data.X[train].T)[7, :7]
    np.testing.assert_allclose(last, [0.483, 0.074, 0.276, -0.030, 0.481, 0.663, 0.757], atol=5e-4)
    assert data.X.shape == (97, len(data.feature_names))


@pytest.mark.parametrize(
    ("load", "shape", "classes"),
    [
        (load_iris, (150, 4), 3),
        (load_wine, (178, 13), 3),
        (load_breast_cancer, (569, 30), 2),
        (load_digits, (1797, 64), 10),
    ],
)
def test_bundled_sets(load, shape, classes):
    data = load()
    assert data.X.shape == shape
    assert len(data.feature_names) == shape[1]
    assert len(data.target_names) == classes == len(np.unique(data.y))
    assert data.source
    assert data.licence
    assert data.description


def test_breast_cancer_has_the_published_counts():
    # UCI names file wdbc.names: 357 benign, 212 malignant
    data = load_breast_cancer()
    counts = dict(zip(data.target_names, np.bincount(data.y).tolist(), strict=True))
    assert counts == {"malignant": 212, "benign": 357}


def test_diabetes_begins_and_ends_as_in_table_1_of_its_paper():
    # Efron et al. (2004), table 1: patients 1 and 442
    data = load_diabetes()
    np.testing.assert_allclose(data.X[0], [59, 2, 32.1, 101, 157, 93.2, 38, 4, 4.8598, 87])
    np.testing.assert_allclose(data.X[-1], [36, 1, 19.6, 71, 250, 133.2, 97, 3, 4.5951, 92])
    assert (data.y[0], data.y[-1], data.y.min(), data.y.max()) == (151, 57, 25, 346)
    assert data.X.shape == (442, len(data.feature_names))
    assert data.y.dtype.kind == "i"


def test_names_of_the_blood_serum_measurements_of_diabetes():
    # total cholesterol is that of LDL, HDL and the rest (a fifth of the triglycerides, Friedewald's estimate)
    data = load_diabetes()
    column = dict(zip(data.feature_names, data.X.T, strict=True))
    total = column["LDL"] + column["HDL"] + np.exp(column["log triglycerides"]) / 5
    assert np.median(np.abs(total / column["total cholesterol"] - 1)) < 0.01
    ratio = column["total cholesterol"] / column["HDL"]
    assert np.median(np.abs(ratio / column["cholesterol / HDL"] - 1)) < 0.1  # many are rounded to whole numbers


def test_china_is_a_photograph():
    assert load_china().shape == (427, 640, 3)
    assert load_china().dtype == np.uint8


def test_blobs_lie_around_their_centres():
    centers = np.array([[0.0, 0.0], [50.0, 0.0]])
    X, y = make_blobs(4000, centers=centers, cluster_std=[1.0, 3.0], weights=[0.25, 0.75], random_state=1)
    assert np.bincount(y).tolist() == [1000, 3000]
    for c, std in enumerate([1.0, 3.0]):
        np.testing.assert_allclose(X[y == c].mean(axis=0), centers[c], atol=5 * std / np.sqrt(1000))
        np.testing.assert_allclose(X[y == c].std(axis=0), std, rtol=0.1)


def test_blobs_by_number_fill_the_box():
    X, y = make_blobs(30, centers=4, cluster_std=0.0, n_features=3, box=2.0, random_state=3)
    assert X.shape == (30, 3)
    assert len(np.unique(X, axis=0)) == 4
    assert np.abs(X).max() <= 2.0
    assert np.bincount(y).tolist() == [8, 7, 7, 8]  # shares are rounded on their cumulative sums


def test_centres_fill_the_box_on_every_side():
    X, _ = make_blobs(200, centers=200, cluster_std=0.0, box=2.0)
    for column in X.T:
        assert column.min() < -1.5
        assert column.max() > 1.5
        assert abs(column.mean()) < 0.3


def test_one_standard_deviation_or_one_for_each_cluster():
    with pytest.raises(ValueError, match="broadcast"):
        make_blobs(10, centers=3, cluster_std=[1.0, 2.0])


@pytest.mark.parametrize("make", [make_blobs, make_moons])
def test_toy_data_are_the_same_on_every_call(make):
    for one, other in zip(make(), make(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(make()[0], make(random_state=1)[0])


@pytest.mark.parametrize("noise", [0.01, 0.5])
def test_noise_of_the_moons_has_its_size_in_both_directions(noise):
    off = make_moons(4000, noise=noise)[0] - make_moons(4000, noise=0.0)[0]
    np.testing.assert_allclose(off.std(axis=0), noise, rtol=0.05)
    assert abs(np.corrcoef(off.T)[0, 1]) < 0.1


def test_columns_are_named_with_their_units():
    assert load_iris().feature_names[0] == "sepal length (cm)"
    assert all(name.count("(cm)") == 1 for name in load_iris().feature_names)
    assert not any("(cm)" in name for name in load_wine().feature_names)
    eruption, waiting = load_faithful().feature_names
    assert eruption.startswith("eruption")
    assert waiting.startswith("waiting")
    assert load_longley().feature_names[-1] == "year"
    assert load_longley().X[:, -1].tolist() == list(range(1947, 1963))


@pytest.mark.parametrize("kw", [{"centers": [1.0, 2.0]}, {"weights": [0.5, 0.6, -0.1]}, {"weights": [1.0]}])
def test_blobs_refuse(kw):
    with pytest.raises(ValueError, match=r"centers must be a number|weights must (be non-negative|have shape)"):
        make_blobs(10, **kw)


@pytest.mark.parametrize("n", [2, 7, 100])
def test_moons_of_scikit_learn(n):
    X, y = make_moons(n, noise=0.0)
    theirs, classes = sklearn.datasets.make_moons(n, shuffle=False)
    np.testing.assert_allclose(X, theirs, atol=1e-15)
    np.testing.assert_array_equal(y, classes)


def test_moons_lie_on_half_circles():
    X, y = make_moons(101, noise=0.0)
    np.testing.assert_allclose(np.hypot(*(X[y == 0]).T), 1.0)
    np.testing.assert_allclose(np.hypot(X[y == 1, 0] - 1.0, X[y == 1, 1] - 0.5), 1.0)
    assert X[y == 0, 1].min() >= -1e-15
    assert X[y == 1, 1].max() <= 0.5 + 1e-15
    assert np.bincount(y).tolist() == [50, 51]


@pytest.mark.parametrize("make", [make_blobs, make_moons])
def test_a_number_of_points_is_one_number(make):
    with pytest.raises(TypeError, match="n_samples must be"):
        make([5, 6])
