"""Linear models: the algorithms of part 4 of the book."""
