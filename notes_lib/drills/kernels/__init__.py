"""Kernels: the drills of part 6 of the book."""
