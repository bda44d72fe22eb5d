"""Sequences: the algorithms of part 9 of the book."""
