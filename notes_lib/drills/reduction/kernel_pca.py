"""Drills on kernel PCA: centring a kernel matrix and the values of a new point, and the scores on a component."""

from __future__ import annotations

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, products, short, vector
from notes_lib.kernels.kernel_methods import center_kernel
from notes_lib.reduction.kernel_pca import leading_eigenpairs, normalized_coefficients

NAMES = ["1", "2", "3"]
_ONES, _LENGTH = "kernel-pca-lost-marks-ones", "kernel-pca-lost-marks-length"


def _whole(values: np.ndarray) -> np.ndarray:
    return values.round().astype(int)


@drill("kernel-centring", marks=11, minutes=14, title="Centring a kernel matrix")
def centring(rng: np.random.Generator) -> Parts:
    """Means, the centred matrix of three points, a distance that does not change, and a new point."""
    while True:
        features = rng.integers(-2, 4, size=(3, 2))
        new = rng.integers(-2, 4, size=2)
        if (features.sum(axis=0) % 3).any():  # whole means, so that everything is whole
            continue
        K, k_x = features @ features.T, features @ new
        centred = _whole(center_kernel(K))
        mean = features.sum(axis=0) // 3
        far = np.linalg.matrix_rank(centred) == 2 and (new != features).any(axis=1).all()
        shown = np.concatenate([features @ mean, [mean @ mean, new @ mean], np.diag(K), [K[0, 1], centred[0, 1]]])
        if far and shown.all() and K.max() <= 13 and np.abs(centred).max() <= 13 and (new != mean).any():
            break
    means = _whole(K.mean(axis=0))
    total = round(K.mean())
    distance = int(K[0, 0] + K[1, 1] - 2 * K[0, 1])
    after = int(centred[0, 0] + centred[1, 1] - 2 * centred[0, 1])
    own = round(float(k_x.mean()))
    fresh = _whole(center_kernel(k_x[None, :], K))[0]
    statement = "\n\n".join(
        [
            f"Three points have the kernel matrix $\\mathbf{{K}}={matrix(K)}$. A new point has the kernel values "
            f"$\\mathbf{{k}}_x={vector(k_x)}$ with them.",
            "1. Compute the mean of each row and the mean of all entries (2 marks).",
            "2. Give the centred matrix $\\tilde{\\mathbf{K}}=\\mathbf{H}\\mathbf{K}\\mathbf{H}$ (4 marks).",
            "3. What is the squared distance of the features of the first two points, before centring and after? "
            "(2 marks)",
            "4. Centre the values of the new point (3 marks).",
        ]
    )
    rows = [
        f"$\\tilde K_{{1{j + 1}}}={K[0, j]}-{bracket(means[0])}-{bracket(means[j])}+{bracket(total)}={centred[0, j]}$"
        for j in range(3)
    ]
    values = [
        f"$\\tilde k_{j + 1}={k_x[j]}-{bracket(own)}-{bracket(means[j])}+{bracket(total)}={fresh[j]}$" for j in range(3)
    ]
    lines = [
        f"**Means:** those of the rows are $\\bar{{\\mathbf{{k}}}}={vector(means)}$, and the mean of all entries is "
        f"$\\bar k={total}$.",
        "**Matrix:** each entry loses the means of its row and of its column and gets the mean of all back, "
        f"{', '.join(rows)}, and so on:",
        f"$$\n\\tilde{{\\mathbf{{K}}}}={matrix(centred)}\n$$",
        "Every row adds up to 0, as it must.",
        "**Distance:** both own values, without twice the value of the pair: "
        f"${K[0, 0]}+{K[1, 1]}-2\\cdot{bracket(K[0, 1])}={distance}$ before and "
        f"${centred[0, 0]}+{centred[1, 1]}-2\\cdot{bracket(centred[0, 1])}={after}$ after. Centring shifts all "
        "features by the same vector.",
        f"**New point:** the mean of its own values is ${own}$. The other means are those of the three points, without "
        f"the new one: {', '.join(values)}.",
        "Marks: 1 for the means of the rows, 1 for the mean of all, 2 for the rule, 2 for the matrix, 1 for the "
        "distance before, 1 for the distance after, 1 for the means of the new point, 2 for its values.",
    ]
    given = {"K": K.tolist(), "k_x": k_x.tolist()}
    answer = {
        "means": means.tolist(), "total": total, "centred": centred.tolist(), "distance": distance,
        "distance_after": after, "new": fresh.tolist(),
    }  # fmt: skip
    fields = [
        ask.vector(
            "means",
            "the means of the rows",
            1,
            titles=NAMES,
            whole=True,
            slips=[ask.slip(K.sum(axis=0), "These are the sums of the rows.", card=_ONES)],
        ),
        ask.number("total", "the mean of all entries", 1, whole=True, follows="sum(means) / 3"),
        ask.matrix(
            "centred",
            "the matrix $\\tilde{\\mathbf{K}}$",
            2,
            4,
            rows=NAMES,
            columns=NAMES,
            whole=True,
            follows=[[f"{K[i, j]} - means[{i}] - means[{j}] + total" for j in range(3)] for i in range(3)],
            slips=[
                ask.slip(
                    K - means[:, None] - means, "The mean of all entries is missing: it is added back.", card=_ONES
                ),
                ask.slip(
                    K - means, "That takes off the means of the columns only; rows have to be centred, too.", card=_ONES
                ),
            ],
        ),
        ask.number(
            "distance",
            "the squared distance before",
            3,
            whole=True,
            slips=[
                ask.slip(
                    int(K[0, 0] + K[1, 1] - K[0, 1]),
                    "The value of the pair is subtracted twice.",
                    card="kernel-pca-do-not-confuse-methods",
                )
            ],
        ),
        ask.number(
            "distance_after",
            "the squared distance after",
            3,
            whole=True,
            follows="centred[0,0] + centred[1,1] - 2*centred[0,1]",
        ),
        ask.vector(
            "new",
            "the centred values",
            4,
            3,
            titles=NAMES,
            whole=True,
            follows=[f"{k_x[j]} - {own} - means[{j}] + total" for j in range(3)],
            slips=[
                ask.slip(
                    k_x - own,
                    "That centres the new point by itself; the means of the training matrix belong to it, too.",
                    card="kernel-pca-lost-marks-new",
                )
            ],
        ),
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("kernel-pca-score", marks=10, minutes=12, title="Scores of kernel PCA")
def score(rng: np.random.Generator) -> Parts:
    """Eigenvalue, coefficients of the right length, scores of three points and of a new one."""
    directions = np.array([[1, -1, 0], [1, 1, -2]])
    while True:
        scale, which = int(rng.integers(1, 5)), int(rng.integers(2))
        p = rng.permutation(3)
        first, second = (d[p] * int(np.sign(d[p][np.flatnonzero(d[p])[0]])) for d in directions[[which, 1 - which]])
        square, other = int(first @ first), int(rng.integers(1, 6))
        eigenvalue = square * scale**2
        K = scale**2 * np.outer(first, first) + other * np.outer(second, second)
        means, k_x = rng.integers(3, 9, size=3), rng.integers(0, 10, size=3)
        gap = k_x - means
        if other * (8 - square) < eigenvalue and K.max() <= 40 and gap.all() and gap @ first:
            break
    found = leading_eigenpairs(K, 1)
    alpha = normalized_coefficients(*found)[:, 0]
    alpha = (alpha * np.sign(alpha @ first)).round(12) + 0.0  # no negative zero
    scores = found.eigenvalues[0] * alpha
    new = round(float(alpha @ gap), 12)
    product = K @ first
    denominator = square * scale
    statement = "\n\n".join(
        [
            f"The centred kernel matrix of three points is $\\tilde{{\\mathbf{{K}}}}={matrix(K)}$. Its eigenvector "
            f"with the largest eigenvalue is a multiple of $\\mathbf{{v}}={vector(first)}$.",
            "1. Give the eigenvalue $\\lambda$ (2 marks).",
            "2. Give the coefficients $\\boldsymbol{\\alpha}$ of the first component, with the sign of $\\mathbf{v}$ "
            "(3 marks).",
            "3. Compute the scores of the three points (2 marks).",
            f"4. Before centring, the columns of the matrix had the means $\\bar{{\\mathbf{{k}}}}={vector(means)}$, "
            f"and a new point has the kernel values $\\mathbf{{k}}_x={vector(k_x)}$. Compute its score (3 marks).",
        ]
    )
    shown = short(new)
    if "frac" in shown:
        shown += f"\\approx{sig(new)}"
    lines = [
        f"**Eigenvalue:** $\\tilde{{\\mathbf{{K}}}}\\mathbf{{v}}={vector(product)}={eigenvalue}\\,{vector(first)}$, so "
        f"$\\lambda={eigenvalue}$.",
        "**Coefficients:** the direction has length 1 in feature space if "
        f"$\\lambda\\,|\\boldsymbol{{\\alpha}}|^2=1$. With $|\\mathbf{{v}}|^2={square}$ this is "
        f"$\\boldsymbol{{\\alpha}}=\\frac{{1}}{{\\sqrt{{{eigenvalue}\\cdot{square}}}}}\\,{vector(first)}"
        f"=\\tfrac{{1}}{{{denominator}}}\\,{vector(first)}$.",
        f"**Scores:** $\\tilde{{\\mathbf{{K}}}}\\boldsymbol{{\\alpha}}=\\lambda\\boldsymbol{{\\alpha}}"
        f"=\\tfrac{{{eigenvalue}}}{{{denominator}}}\\,{vector(first)}={vector(_whole(scores))}$.",
        f"**New point:** the coefficients add up to 0, so only the means of the columns count: "
        f"$\\mathbf{{k}}_x-\\bar{{\\mathbf{{k}}}}={vector(gap)}$, and the score is "
        f"$\\frac{{{products(gap, first)}}}{{{denominator}}}={shown}$.",
        "Marks: 1 for the product, 1 for the eigenvalue, 1 for the condition, 1 for the length, 1 for the "
        "coefficients, 1 for the rule, 1 for the scores, 1 for the rule of a new point, 1 for the differences, 1 for "
        "the score.",
    ]
    given = {"K": K.tolist(), "v": first.tolist(), "means": means.tolist(), "k_x": k_x.tolist()}
    answer = {"eigenvalue": eigenvalue, "alpha": alpha.tolist(), "scores": _whole(scores).tolist(), "new": new}
    fields = [
        ask.number(
            "eigenvalue",
            "the eigenvalue $\\lambda$",
            1,
            2,
            whole=True,
            slips=[
                ask.slip(
                    int(first @ product),
                    "That is not divided by the squared length of $\\mathbf{v}$.",
                    card="kernel-pca-convention-eigenvalue",
                )
            ],
        ),
        ask.vector(
            "alpha",
            "the coefficients $\\boldsymbol{\\alpha}$",
            2,
            3,
            titles=NAMES,
            follows=[f"{v}/sqrt({square}*eigenvalue)" for v in first],
            slips=[
                ask.slip(
                    first / np.sqrt(square),
                    "These have length 1; divide by the root of the eigenvalue as well.",
                    card=_LENGTH,
                )
            ],
        ),
        ask.vector(
            "scores",
            "the scores",
            3,
            2,
            titles=NAMES,
            **ask.DERIVED,
            follows=[f"eigenvalue*alpha[{n}]" for n in range(3)],
            slips=[
                ask.slip(
                    alpha * np.sqrt(eigenvalue),
                    "That is the eigenvector of length 1; a score has the factor $\\sqrt\\lambda$.",
                    card="kernel-pca-convention-scores",
                )
            ],
        ),
        ask.number(
            "new",
            "the score of the new point",
            4,
            3,
            **ask.DERIVED,
            follows=" + ".join(f"({v})*alpha[{n}]" for n, v in enumerate(gap)),
            slips=[
                ask.slip(
                    float(alpha @ k_x), "The values of the new point are not centred.", card="kernel-pca-lost-marks-new"
                )
            ],
        ),
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
