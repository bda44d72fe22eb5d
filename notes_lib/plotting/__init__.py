"""Figures of the book: one style, the few drawings that many chapters share, animations, explorers, live figures,
and sounds.

The only module that uses matplotlib; no algorithm imports it. Figures are drawn on white; in dark mode the site inverts
their lightness and keeps their hue, so pick colours from ``COLORS``, which stay apart either way and for
colour-blind readers.
"""

from notes_lib.plotting.animation import Player, player
from notes_lib.plotting.dendrogram import draw_dendrogram
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
from notes_lib.plotting.grids import draw_grid
from notes_lib.plotting.live import Live, live
from notes_lib.plotting.sound import Sounds, sounds

__all__ = [
    "COLORS",
    "MARKERS",
    "Explorer",
    "Live",
    "Player",
    "Sounds",
    "covariance_ellipse",
    "decision_regions",
    "draw_dendrogram",
    "draw_graph",
    "draw_grid",
    "draw_tree",
    "explorer",
    "live",
    "player",
    "scatter_clusters",
    "sounds",
    "subplots",
    "use_style",
]
