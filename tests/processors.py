"""An older processor than the one at hand: do the notebooks print the same there?

Linear algebra adds up in another order on another processor, so the last bits of a result differ. A notebook must not
print what hangs on them: the digits of rounding noise, the order of ties, the iterations of a long search.
"""

from __future__ import annotations

import platform

import numpy as np

OLD = {"x86_64": "Nehalem", "AMD64": "Nehalem", "aarch64": "ARMV8", "arm64": "ARMV8"}  # names of OpenBLAS


def of_an_old_processor() -> dict[str, str]:
    """Variables that make NumPy, SciPy and OpenBLAS of a new process do without wide vectors."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(found), "OPENBLAS_CORETYPE": OLD.get(platform.machine(), "")}
