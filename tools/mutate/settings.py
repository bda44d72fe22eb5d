"""What a cell leaves to taste: looks of figures, tolerances, seeds. No text on the page is meant to depend on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from notes_lib import plotting

SETTINGS = {"tol", "rtol", "atol", "digits", "random_state", "seed", "max_iter", "n_init", "strict"}
FROM = {"default_rng": 0, "RandomState": 0, "round": 0, "sig": 1, "linspace": 2, "logspace": 2, "geomspace": 2}
# what a fingerprint of the figure holds
DRAWN = {"plot", "scatter", "bar", "barh", "hist", "step", "stairs", "stem", "errorbar", "imshow"}
DRAWN |= {"contour", "contourf", "axhline", "loglog", "semilogx", "semilogy"}
DRAWN |= {"scatter_clusters", "covariance_ellipse", "decision_regions"}
DRAWING = set(dir(Axes)) | set(dir(Figure)) | set(dir(plotting))
DRAWING -= set(dir(dict))  # such as update
PLACED = {"plot", "scatter", "bar", "step", "errorbar", "loglog", "semilogx", "semilogy"}  # the first is horizontal
COSMETIC = "looks of figures, horizontal places"
SETTING = "tolerances, digits, seeds, sizes of grids"


def left_alone(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Parts of a cell that are not meant to be seen in a text: looks of figures, tolerances, seeds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in SETTINGS:
            yield node.value, SETTING
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value <= 1e-4:
            yield node, SETTING
        if isinstance(node, ast.Call):
            yield from _arguments_left_alone(node)


def _arguments_left_alone(call: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in FROM:  # constants among the arguments from this one on
        yield from ((a, SETTING) for a in call.args[FROM[name] :] if isinstance(a, ast.Constant))
    if name in DRAWN:
        data = call.args[name in PLACED and len(call.args) > 1 :]
        yield from ((k.value, COSMETIC) for k in call.keywords)
        yield from ((a, COSMETIC) for a in call.args if a not in data or isinstance(a, ast.Constant))
    elif name in DRAWING:
        yield call, COSMETIC
