"""Hashing for similarity search: random hyperplanes, MinHash, tables of buckets, and codes that are learned."""

from notes_lib.reduction.hashing.learned import (
    IterativeQuantization,
    Mode,
    code_step,
    principal_directions,
    procrustes_rotation,
    quantization_error,
    spectral_bits,
    spectral_modes,
)
from notes_lib.reduction.hashing.model import MinHashLSH, RandomHyperplaneLSH
from notes_lib.reduction.hashing.steps import (
    angle,
    candidate_probability,
    collision_probability,
    hamming_distances,
    hyperplane_bits,
    jaccard,
    minhash_signature,
    steepest_similarity,
    threshold,
)

__all__ = [
    "IterativeQuantization",
    "MinHashLSH",
    "Mode",
    "RandomHyperplaneLSH",
    "angle",
    "candidate_probability",
    "code_step",
    "collision_probability",
    "hamming_distances",
    "hyperplane_bits",
    "jaccard",
    "minhash_signature",
    "principal_directions",
    "procrustes_rotation",
    "quantization_error",
    "spectral_bits",
    "spectral_modes",
    "steepest_similarity",
    "threshold",
]
