"""Recommender systems: neighbours, factors by alternating least squares and by single steps, counts, rankings."""

from notes_lib.mining.recommender.checks import Ratings, read_ratings
from notes_lib.mining.recommender.implicit import ImplicitFactorization
from notes_lib.mining.recommender.measures import (
    dcg_at_k,
    inverse_propensity_mean,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
)
from notes_lib.mining.recommender.model import MatrixFactorization, NeighborhoodRecommender
from notes_lib.mining.recommender.simulate import Generated, generate_ratings
from notes_lib.mining.recommender.steps import (
    als_step,
    als_steps,
    implicit_steps,
    neighborhood_rating,
    sgd_step,
    shrunken_mean,
    similarities,
    squared_loss,
)

__all__ = [
    "Generated",
    "ImplicitFactorization",
    "MatrixFactorization",
    "NeighborhoodRecommender",
    "Ratings",
    "als_step",
    "als_steps",
    "dcg_at_k",
    "generate_ratings",
    "implicit_steps",
    "inverse_propensity_mean",
    "ndcg_at_k",
    "neighborhood_rating",
    "precision_at_k",
    "read_ratings",
    "recall_at_k",
    "sgd_step",
    "shrunken_mean",
    "similarities",
    "squared_loss",
]
