"""Companion library of *Machine Learning, Derived*: every algorithm of the book, derived there and tested here.

One stem names four places: the chapter ``chapters/<part>/<stem>.ipynb``, the module or package
``notes_lib/<part>/<stem>``, its tests ``tests/<part>/test_<stem>.py``, its drills
``notes_lib/drills/<part>/<stem>.py``.
"""

__version__ = "0.1.0"
