"""Companion library of *Machine Learning, Derived*: every algorithm of the book, derived there and tested here.

One stem names three places: the chapter ``chapters/<part>/<stem>.ipynb``, the module ``notes_lib/<part>/<stem>.py``
and its tests ``tests/<part>/test_<stem>.py``.
"""

__version__ = "0.1.0"
