"""Speed of the library against well-known peers: same data, same work, one thread, rounds in turn.

Run ``python3 run.py bench`` (``--write`` stores the table that the page *How fast is it?* shows). Speed is measured
here and never in a test.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):  # read when NumPy is imported, later on
    os.environ[_name] = "1"
