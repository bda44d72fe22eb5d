"""Small changes that nothing notices.

    python -m tools.mutate chapters/kernels/svm.ipynb            the cells of a notebook: is all output the same?
    python -m tools.mutate notes_lib/kernels/svm                 a module or package: do its tests still pass?
    python -m tools.mutate notes_lib/drills/kernels/svm.py       drills: their tests, and those over all topics
    python -m tools.mutate formulas svm                          the formulas of a chapter: does executing them notice?
    python -m tools.mutate solutions svm                         the numbers of its exercises and cards: likewise
    python -m tools.mutate quiz svm                              the marks of its quiz: does a claim notice another one?
    python -m tools.mutate quiz-words svm                        the words and digits of its quiz, reasons as well

One operator, number, comparison or name of a pair (min, max) is changed at a time. A change that goes unnoticed is a
check that cannot fail, a line that nothing needs, or it is equivalent: then no reader could tell either.

``changes`` makes the changes; ``cells`` and ``modules`` try them, each in a forked process (``processes``). A cell's
``settings`` are left alone; a ``session`` runs cells, ``variables`` tells when what follows cannot differ. In a formula
the slips of a writer are made, and tried (``formulas``); in exercises and cards, digits and words (``solutions``); in a
quiz, marks, digits and words (``quizzes``).
"""
