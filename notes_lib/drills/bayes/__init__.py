"""Bayesian methods: the drills of part 3 of the book."""
