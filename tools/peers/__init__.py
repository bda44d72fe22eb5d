"""The tests of the peers, scikit-learn and hmmlearn, on the library.

    python -m tools.peers                   all test modules of the peers that name something the library has too
    python -m tools.peers svm mixture       only those of these parts; a word is a part of a module's name

A test module of a peer is run as it is installed, but what it imports by a name that the library has too is the
library's (data sets only where they are what is tested). A test counts if it reaches the library. It passes as it is
written, or once keywords that the library does not know are left away; or it fails, for one of these reasons:

    feature     it uses a keyword, attribute or kind of input that is not offered
    design      the library does something else on purpose, and says so
    internals   it uses what is private to the peer
    fault       none of these

An unknown keyword and a missing attribute speak for themselves; ``differences.csv`` explains the other failures: kind,
pattern of the test, regular expression for the error, and why. What it does not explain is a fault, and is named. All
results are left in ``_build/peers.csv``.

``stand_in`` is the plugin that puts the library in place of the peer, in a process of its own for each test module;
``running`` starts these and takes down what they say, also when one crashes or never ends; ``verdicts`` explains.
"""
