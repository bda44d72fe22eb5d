"""Speed of the library against well-known peers: same data, same work, one thread, rounds in turn.

Run ``python3 run.py bench`` (``--write`` stores the table that the page *How fast is it?* shows). Speed is measured here
and never in a test.
"""
