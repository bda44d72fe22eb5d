"""Data mining: the algorithms of part 13 of the book."""
