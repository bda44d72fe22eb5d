"""Clustering: the drills of part 8 of the book."""
