"""Sequences: the drills of part 9 of the book."""
