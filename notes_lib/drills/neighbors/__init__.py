"""Neighbours: the drills of part 2 of the book."""
