"""Kernels: the algorithms of part 6 of the book."""
