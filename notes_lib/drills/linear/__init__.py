"""Linear models: the drills of part 4 of the book."""
