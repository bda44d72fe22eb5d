"""Figures of the book: one style, the few drawings that many chapters share, animations, and explorers.

The only module that uses matplotlib; no algorithm imports it. Figures are drawn on white; in dark mode the site inverts
their lightness and keeps their hue, so pick colours from ``COLORS``, which stay apart either way and for
colour-blind readers.
"""

from notes_lib.plotting.animation import Player, player
from notes_lib.plotting.drawing import (
    COLORS,
    MARKERS,
    covariance_ellipse,
    decision_regions,
    draw_graph,
    draw_tree,
    scatter_clusters,
    subplots,
    use_style,
)
from notes_lib.plotting.exploration import Explorer, explorer

__all__ = [
    "COLORS",
    "MARKERS",
    "Explorer",
    "Player",
    "covariance_ellipse",
    "decision_regions",
    "draw_graph",
    "draw_tree",
    "explorer",
    "player",
    "scatter_clusters",
    "subplots",
    "use_style",
]
