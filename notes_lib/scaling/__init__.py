"""Scaling up: the algorithms of part 14 of the book."""
