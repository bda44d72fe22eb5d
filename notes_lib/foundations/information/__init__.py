"""Information theory: entropy and its relatives, information gain, and the code lengths that give them a meaning.

The functions follow the chapter *Information theory*. Distributions are arrays whose last axis sums to 1; every measure
comes in nats unless ``base`` says otherwise, with the conventions 0 log 0 = 0 and p log (p / 0) = infinity. A ``base``
that is not a number is a ``TypeError`` everywhere. Time and memory are linear in the size of the input where nothing
else is said.

Source: Shannon (1948), Bell System Technical Journal 27, 379-423; Cover and Thomas (2006), Elements of Information
Theory, chapters 2 and 5; MacKay (2003), Information Theory, Inference, and Learning Algorithms, chapters 2 and 5.
"""

from notes_lib.foundations.information.coding import (
    expected_length,
    huffman_lengths,
    kraft_sum,
    prefix_code,
    shannon_lengths,
)
from notes_lib.foundations.information.steps import (
    conditional_entropy,
    cross_entropy,
    entropy,
    information_content,
    information_gain,
    joint_distribution,
    kl_divergence,
    mutual_information,
)

__all__ = [
    "conditional_entropy",
    "cross_entropy",
    "entropy",
    "expected_length",
    "huffman_lengths",
    "information_content",
    "information_gain",
    "joint_distribution",
    "kl_divergence",
    "kraft_sum",
    "mutual_information",
    "prefix_code",
    "shannon_lengths",
]
