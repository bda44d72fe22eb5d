"""Neighbours: the algorithms of part 2 of the book."""
