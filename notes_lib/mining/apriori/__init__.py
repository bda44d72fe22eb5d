"""Association rules: frequent itemsets by Apriori, FP-growth and Eclat, rules and their measures, and chance."""

from notes_lib.mining.apriori.baskets import PRODUCTS, Shop, indicator_matrix, make_baskets, minimum_count
from notes_lib.mining.apriori.frequent import (
    FPTree,
    apriori,
    conditional_paths,
    eclat,
    fp_tree,
    fpgrowth,
    generate_candidates,
    item_ranks,
    pair_counts,
)
from notes_lib.mining.apriori.rules import (
    Measures,
    Rule,
    association_rules,
    chance_deviation,
    closed_itemsets,
    maximal_itemsets,
    number_of_rules,
    permuted_columns,
    rule_measures,
)

__all__ = [
    "PRODUCTS",
    "FPTree",
    "Measures",
    "Rule",
    "Shop",
    "apriori",
    "association_rules",
    "chance_deviation",
    "closed_itemsets",
    "conditional_paths",
    "eclat",
    "fp_tree",
    "fpgrowth",
    "generate_candidates",
    "indicator_matrix",
    "item_ranks",
    "make_baskets",
    "maximal_itemsets",
    "minimum_count",
    "number_of_rules",
    "pair_counts",
    "permuted_columns",
    "rule_measures",
]
