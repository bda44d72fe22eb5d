"""Neural networks: the algorithms of part 12 of the book."""
