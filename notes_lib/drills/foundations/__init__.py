"""Foundations: the drills of part 1 of the book."""
