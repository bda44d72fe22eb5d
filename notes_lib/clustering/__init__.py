"""Clustering: the algorithms of part 8 of the book."""
