"""Trees and ensembles: the algorithms of part 7 of the book."""
