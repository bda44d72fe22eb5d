"""A kernel of a notebook is started again when another process has taken its port.

Free ports are chosen before the kernel starts, which opens them a second later. In between any process of the machine
may be given one of them. Then the kernel ends at once, and all cells of its notebook would be red.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

DIED = "Kernel died before replying"


def again(start: Callable[..., Any], times: int = 3) -> Callable[..., Any]:
    """The function ``start``, called up to ``times`` times as long as the kernel dies at its start."""

    @wraps(start)
    def started(*args: Any, **kwargs: Any) -> Any:
        for _ in range(times - 1):
            try:
                return start(*args, **kwargs)
            except RuntimeError as error:
                if DIED not in str(error):
                    raise
        return start(*args, **kwargs)

    return started
