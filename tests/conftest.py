"""Settings of all tests."""

import matplotlib
from hypothesis import settings

matplotlib.use("Agg")
# the same examples on every run and every machine: a red test stays red until it is mended
settings.register_profile("book", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("book")
