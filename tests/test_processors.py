"""A process can compute as on an older processor."""

import os
import platform
import subprocess
import sys

import pytest

from tests.processors import OLD, of_an_old_processor

PRINT = """
import numpy, threadpoolctl
print(numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
print([pool.get("architecture") for pool in threadpoolctl.threadpool_info()][:1])
"""


def test_a_new_process_does_without_wide_vectors():
    if not of_an_old_processor()["NPY_DISABLE_CPU_FEATURES"]:
        pytest.skip("this processor has none")
    env = os.environ | of_an_old_processor()
    features, kernel = subprocess.check_output([sys.executable, "-c", PRINT], env=env, text=True).splitlines()
    assert features == "[]"
    assert kernel.strip("[]'") in (OLD[platform.machine()], "")
