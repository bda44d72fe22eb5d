"""Data sets of the book: seeded toy data, committed real data, and scikit-learn's bundled sets.

Nothing is downloaded. ``notes_lib/data/README.md`` names the source and licence of every committed file.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_integer
from notes_lib.numerics import RandomState, check_rng


@dataclass(frozen=True)
class Dataset:
    """A data set with its provenance.

    Attributes
    ----------
    X : (n, d) array
        One instance a row.
    y : (n,) array or None
        Class number or target of each instance, None where there is none.
    feature_names : tuple of str
        Name and unit of each column of ``X``.
    target_names : tuple of str
        Name of each class; empty without classes.
    description, source, licence : str
    """

    X: FloatArray
    y: IntArray | FloatArray | None
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str
    source: str
    licence: str


def load_faithful() -> Dataset:
    """Old Faithful: 272 eruptions of a geyser (duration and waiting time to the next one, in minutes).

    Returns
    -------
    Dataset
        ``X`` (272, 2); no ``y``.

    Examples
    --------
    >>> load_faithful().X[0]
    array([ 3.6, 79. ])
    """
    text = (files("notes_lib") / "data" / "old_faithful.csv").read_text(encoding="utf-8")
    X = np.array([[float(v) for v in line.split(",")] for line in text.split()[1:]])
    return Dataset(
        X=X,
        y=None,
        feature_names=("eruption (min)", "waiting (min)"),
        target_names=(),
        description="272 consecutive eruptions of the Old Faithful geyser, Yellowstone National Park",
        source="Härdle (1991), Smoothing Techniques with Implementation in S; distributed with R as faithful",
        licence="measured facts; R's copy comes under GPL-2 or later",
    )


def load_constitution() -> str:
    """Constitution of the United States as of 1787, without amendments: an English text in the public domain.

    Returns
    -------
    str
        Preamble and seven articles with their headings, ASCII, lines as printed.

    Examples
    --------
    >>> load_constitution()[:34]
    'We the People of the United States'
    """
    return (files("notes_lib") / "data" / "constitution_1787.txt").read_text(encoding="ascii")


def load_longley() -> Dataset:
    """Longley: US economy 1947 to 1962, 16 years, six nearly collinear predictors of employment.

    Returns
    -------
    Dataset
        ``X`` (16, 6); ``y`` (16,) is the total employment in thousands. There are no classes.

    Examples
    --------
    >>> load_longley().X.shape, int(load_longley().y[0])
    ((16, 6), 60323)
    """
    lines = (files("notes_lib") / "data" / "longley.csv").read_text(encoding="utf-8").split()
    rows = np.array([[float(v) for v in line.split(",")] for line in lines[1:]])
    return Dataset(
        X=rows[:, :6],
        y=rows[:, 6].astype(int),
        feature_names=(
            "price deflator (1954 = 100)",
            "gross national product (million USD)",
            "unemployed (thousands)",
            "armed forces (thousands)",
            "population, 14 and older (thousands)",
            "year",
        ),
        target_names=(),
        description="16 years of the US economy, 1947 to 1962: employment and six predictors",
        source="Longley (1967), J. Am. Stat. Assoc. 62, 819-841; NIST Statistical Reference Datasets, Longley",
        licence="public domain (work of the US government)",
    )


def load_horse_kicks() -> Dataset:
    """Deaths by horse kick in 14 corps of the Prussian army, 1875 to 1894: 280 small counts.

    Returns
    -------
    Dataset
        ``X`` (280, 2): the year, and 1 for a corps that was organised otherwise than the rest (Guard, I, VI, XI);
        ``y`` (280,) counts deaths. Rows run through the 14 corps of the first year, then of the next; no classes.

    Examples
    --------
    >>> np.bincount(load_horse_kicks().y)
    array([144,  91,  32,  11,   2])
    """
    lines = (files("notes_lib") / "data" / "horse_kicks.csv").read_text(encoding="utf-8").split()
    corps = lines[0].split(",")[1:]
    table = np.array([[int(v) for v in line.split(",")] for line in lines[1:]])
    other = np.isin(corps, ["G", "I", "VI", "XI"]).astype(float)
    return Dataset(
        X=np.column_stack([np.repeat(table[:, 0], len(corps)), np.tile(other, len(table))]),
        y=table[:, 1:].ravel(),
        feature_names=("year", "organised otherwise (Guard, I, VI, XI)"),
        target_names=(),
        description="deaths by horse kick in 14 corps of the Prussian army, 1875 to 1894",
        source="von Bortkiewicz (1898), Das Gesetz der kleinen Zahlen",
        licence="public domain (published 1898; the author died in 1931)",
    )


def load_cars() -> Dataset:
    """Cars: 50 stopping distances (feet) at a known speed (miles an hour), recorded in the 1920s.

    Returns
    -------
    Dataset
        ``X`` (50, 1) is the speed; ``y`` (50,) the distance. There are no classes.

    Examples
    --------
    >>> load_cars().X.shape, int(load_cars().y[0])
    ((50, 1), 2)
    """
    lines = (files("notes_lib") / "data" / "cars.csv").read_text(encoding="utf-8").split()
    rows = np.array([[int(v) for v in line.split(",")] for line in lines[1:]])
    return Dataset(
        X=rows[:, :1].astype(float),
        y=rows[:, 1],
        feature_names=("speed (mph)",),
        target_names=(),
        description="50 cars: speed and the distance taken to stop, in feet",
        source="Ezekiel (1930), Methods of Correlation Analysis; distributed with R as cars",
        licence="measured facts; R's copy comes under GPL-2 or later",
    )


def load_nile() -> Dataset:
    """The Nile: flow at Aswan in each year from 1871 to 1970, in 10^8 cubic metres.

    Returns
    -------
    Dataset
        ``X`` (100, 1) the year, ``y`` (100,) the flow.

    Examples
    --------
    >>> data = load_nile()
    >>> data.X[0], data.y[:3]
    (array([1871.]), array([1120., 1160.,  963.]))
    """
    text = (files("notes_lib") / "data" / "nile.csv").read_text(encoding="utf-8")
    X = np.array([[float(v) for v in line.split(",")] for line in text.split()[1:]])
    return Dataset(
        X=X[:, :1],
        y=X[:, 1],
        feature_names=("year",),
        target_names=(),
        description="yearly flow of the Nile at Aswan, 1871 to 1970 (10^8 m^3)",
        source="Cobb (1978), Biometrika 65, 243-251; Durbin and Koopman (2012), Time Series Analysis by State Space "
        "Methods, chapter 2",
        licence="public domain: measured facts",
    )


def load_frets() -> Dataset:
    """Heads of brothers: length and breadth of the heads of the first and the second adult son of 25 families, in mm.

    Returns
    -------
    Dataset
        ``X`` (25, 4): the first son in the columns 0 and 1, the second in 2 and 3; ``y`` is None.

    Examples
    --------
    >>> load_frets().X[0]
    array([191., 155., 179., 145.])
    """
    text = (files("notes_lib") / "data" / "frets.csv").read_text(encoding="utf-8")
    return Dataset(
        X=np.array([[float(v) for v in line.split(",")] for line in text.split()[1:]]),
        y=None,
        feature_names=("length, first son", "breadth, first son", "length, second son", "breadth, second son"),
        target_names=(),
        description="heads of two brothers in 25 families, length and breadth in mm",
        source="Frets (1921), Heredity of head form in man, Genetica 3, 193-400; Mardia, Kent and Bibby (1979), "
        "Multivariate Analysis",
        licence="public domain: measured facts, published 1921",
    )


def load_prostate() -> Dataset:
    """Prostate: 97 men before an operation, eight measurements and the logarithm of prostate-specific antigen (PSA).

    Returns
    -------
    Dataset
        ``X`` (97, 8); ``y`` (97,) is log PSA, floats. Volumes and the weight are logarithms too. There are no classes.
        :func:`prostate_split` gives the rows that Hastie, Tibshirani and Friedman train and test on.

    Examples
    --------
    >>> load_prostate().X.shape, load_prostate().y[:2].round(4)
    ((97, 8), array([-0.4308, -0.1625]))
    """
    table = _prostate_table()
    logs = [0, 1, 3, 5, 8]
    table[:, logs] = np.log(table[:, logs])
    return Dataset(
        X=table[:, :8],
        y=table[:, 8],
        feature_names=("lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"),
        target_names=(),
        description="97 men before removal of the prostate: eight clinical measurements, logarithm of the antigen",
        source="Stamey et al. (1989), J. Urology 141, 1076-1083; Hastie, Tibshirani and Friedman (2009), section 3.2.1",
        licence="measured facts",
    )


def prostate_split() -> tuple[IntArray, IntArray]:
    """Rows of :func:`load_prostate` for training (67) and for the test (30), as in Hastie et al. (2009), section 3.2.1.

    Examples
    --------
    >>> [len(rows) for rows in prostate_split()]
    [67, 30]
    """
    training = _prostate_table()[:, 9] == 1
    return np.flatnonzero(training), np.flatnonzero(~training)


def _prostate_table() -> FloatArray:
    lines = (files("notes_lib") / "data" / "prostate.csv").read_text(encoding="utf-8").split()
    return np.array([[float(v) for v in line.split(",")] for line in lines[1:]])


def load_iris() -> Dataset:
    """Iris: 150 flowers of three species, four lengths in cm (bundled with scikit-learn)."""
    source = "Fisher (1936), The use of multiple measurements in taxonomic problems"
    return _bundled("load_iris", "150 iris flowers of three species", source, " (cm)")


def load_wine() -> Dataset:
    """Wine: 178 wines of three cultivars, 13 chemical measurements (bundled with scikit-learn)."""
    source = "Forina et al. (1991), PARVUS; UCI Machine Learning Repository"
    return _bundled("load_wine", "178 wines of three cultivars, 13 chemical measurements", source)


def load_breast_cancer() -> Dataset:
    """Breast cancer: 569 tumours, 30 measurements of cell nuclei (bundled with scikit-learn).

    ``y`` is 0 for malignant and 1 for benign, as in scikit-learn: the tumours to be found carry the *smaller* label.
    """
    source = "Street, Wolberg and Mangasarian (1993), Nuclear feature extraction for breast tumor diagnosis; UCI"
    return _bundled("load_breast_cancer", "569 breast tumours, 30 measurements of the nuclei of their cells", source)


def load_digits() -> Dataset:
    """Digits: 1797 handwritten digits as 8 x 8 images with grey levels 0 to 16 (bundled with scikit-learn)."""
    source = "Alpaydin and Kaynak (1998), Optical recognition of handwritten digits; UCI Machine Learning Repository"
    return _bundled("load_digits", "1797 handwritten digits, 8 x 8 pixels, grey levels 0 to 16", source)


def load_diabetes() -> Dataset:
    """Diabetes: 442 patients, ten measurements, and the progression a year later (bundled with scikit-learn).

    Returns
    -------
    Dataset
        ``X`` (442, 10) in the units of the study; ``y`` (442,), from 25 to 346. There are no classes.

    Examples
    --------
    >>> load_diabetes().X.shape, int(load_diabetes().y[0])
    ((442, 10), 151)
    """
    import sklearn.datasets

    bunch = sklearn.datasets.load_diabetes(scaled=False)
    return Dataset(
        X=np.asarray(bunch.data, dtype=float),
        y=np.asarray(bunch.target).astype(int),
        feature_names=(
            "age",
            "sex",
            "body mass index",
            "blood pressure",
            "total cholesterol",
            "LDL",
            "HDL",
            "cholesterol / HDL",
            "log triglycerides",
            "blood sugar",
        ),
        target_names=(),
        description="442 diabetes patients, ten measurements, progression of the disease one year later",
        source="Efron, Hastie, Johnstone and Tibshirani (2004), Least angle regression, Ann. Stat. 32, 407-499",
        licence="distributed with scikit-learn (BSD 3-Clause)",
    )


def _bundled(loader: str, description: str, source: str, unit: str = "") -> Dataset:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, loader)()
    return Dataset(
        X=np.asarray(bunch.data, dtype=float),
        y=np.asarray(bunch.target),
        feature_names=tuple(str(name).removesuffix(unit) + unit for name in bunch.feature_names),
        target_names=tuple(map(str, bunch.target_names)),
        description=description,
        source=source,
        licence="CC BY 4.0 (UCI Machine Learning Repository)",
    )


def load_china() -> NDArray[np.uint8]:
    """Photograph of a temple, 427 x 640 pixels, RGB with values 0 to 255 (bundled with scikit-learn, CC BY 2.0).

    Returns
    -------
    (427, 640, 3) array of uint8
    """
    from sklearn.datasets import load_sample_image

    return np.asarray(load_sample_image("china.jpg"))


def make_blobs(
    n_samples: int = 300,
    centers: int | ArrayLike = 3,
    cluster_std: float | ArrayLike = 1.0,
    random_state: RandomState = 0,
    n_features: int = 2,
    box: float = 10.0,
    weights: ArrayLike | None = None,
) -> tuple[FloatArray, IntArray]:
    """Points from isotropic Gaussian clusters.

    Parameters
    ----------
    n_samples : int
        Number of points.
    centers : int or (k, d) array
        Number of centres, drawn uniformly in ``[-box, box]^n_features``, or the centres themselves.
    cluster_std : float or (k,) array
        Standard deviation of each cluster.
    random_state : int, Generator, RandomState or None
    n_features, box
        Used when ``centers`` is a number.
    weights : (k,) array or None
        Share of each cluster, sums to 1; None for equal shares.

    Returns
    -------
    X : (n_samples, d) array
    y : (n_samples,) array of int
        Cluster of each point; the points of a cluster stand together.

    Raises
    ------
    TypeError, ValueError
        If ``n_samples`` is no number of points, a shape does not fit, or the weights are not a distribution.

    Examples
    --------
    >>> X, y = make_blobs(6, centers=[[0.0], [9.0]], cluster_std=0.1)
    >>> X.shape, y
    ((6, 1), array([0, 0, 0, 1, 1, 1]))
    """
    check_integer(n_samples, "n_samples")
    rng = check_rng(random_state)
    if isinstance(centers, (int, np.integer)):
        C = rng.uniform(-box, box, size=(int(centers), n_features))
    else:
        C = np.asarray(centers, dtype=float)
    if C.ndim != 2:
        raise ValueError(f"centers must be a number or a (k, d) array, got shape {C.shape}.")
    k = len(C)
    std = np.broadcast_to(np.asarray(cluster_std, dtype=float), (k,))
    share = np.full(k, 1.0 / k) if weights is None else check_distribution(weights, "weights", (k,))
    ends = np.rint(np.cumsum(share) * n_samples).astype(int)
    y = np.searchsorted(ends, np.arange(n_samples), side="right")
    return C[y] + std[y, None] * rng.standard_normal((n_samples, C.shape[1])), y


def make_moons(n_samples: int = 300, noise: float = 0.08, random_state: RandomState = 0) -> tuple[FloatArray, IntArray]:
    """Two interleaved half circles in the plane.

    Parameters
    ----------
    n_samples : int
        Number of points; the first half lies on the upper moon.
    noise : float
        Standard deviation of the Gaussian noise on both coordinates.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    X : (n_samples, 2) array
    y : (n_samples,) array of int, 0 or 1

    Raises
    ------
    TypeError, ValueError
        If ``n_samples`` is no number of points.

    Examples
    --------
    >>> X, y = make_moons(4, noise=0.0)
    >>> X[0], y
    (array([1., 0.]), array([0, 0, 1, 1]))
    """
    check_integer(n_samples, "n_samples")
    rng = check_rng(random_state)
    upper = n_samples // 2
    lower = n_samples - upper
    angle = np.concatenate([np.linspace(0.0, np.pi, upper), np.linspace(0.0, np.pi, lower)])
    y = np.repeat([0, 1], [upper, lower])
    X = np.column_stack(
        [np.where(y == 0, np.cos(angle), 1 - np.cos(angle)), np.where(y == 0, np.sin(angle), 0.5 - np.sin(angle))]
    )
    return X + noise * rng.standard_normal(X.shape), y
