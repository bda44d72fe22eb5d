"""Bayesian methods: the algorithms of part 3 of the book."""
