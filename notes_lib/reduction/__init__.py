"""Dimension reduction: the algorithms of part 11 of the book."""
