"""Trees and ensembles: the drills of part 7 of the book."""
