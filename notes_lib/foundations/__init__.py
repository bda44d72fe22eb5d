"""Foundations: the algorithms of part 1 of the book."""
