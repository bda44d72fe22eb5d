"""Learning theory: the drills of part 5 of the book."""
