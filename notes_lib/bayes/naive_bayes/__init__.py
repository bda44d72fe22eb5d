"""Naive Bayes: a generative classifier in which the features are independent once the class is known.

Each class has a prior and, for each feature, a distribution of its own: categories, words drawn one after the other,
words present or absent, or a Gaussian. Fitting is counting. The functions follow the derivation of the chapter *Naive
Bayes*; the estimators put them together and keep the contract of scikit-learn.

Source: Mitchell (1997), section 6.9; Manning, Raghavan and Schütze (2008), chapter 13; Murphy (2012), section 3.5.
"""

from notes_lib.bayes.naive_bayes.gaussian import GaussianNB
from notes_lib.bayes.naive_bayes.model import BernoulliNB, CategoricalNB, MultinomialNB
from notes_lib.bayes.naive_bayes.steps import (
    LogOdds,
    bernoulli_log_odds,
    bernoulli_scores,
    category_table,
    gaussian_log_odds,
    gaussian_scores,
    log_product,
    multinomial_log_odds,
    parameter_count,
    smoothed,
)
from notes_lib.bayes.naive_bayes.text import load_federalist, word_counts, words

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "GaussianNB",
    "LogOdds",
    "MultinomialNB",
    "bernoulli_log_odds",
    "bernoulli_scores",
    "category_table",
    "gaussian_log_odds",
    "gaussian_scores",
    "load_federalist",
    "log_product",
    "multinomial_log_odds",
    "parameter_count",
    "smoothed",
    "word_counts",
    "words",
]
