"""Learning theory: the algorithms of part 5 of the book."""
