"""Kernels that start in a fraction of the time: forks of one process that has imported what every notebook needs.

NumPy, SciPy, scikit-learn, Matplotlib and the kernel itself take 1.5 s of processor time to import, a fifth of what a
notebook may take. On Linux, where a process forks safely, they are imported once for all notebooks of a run. Each
notebook still has a process of its own, which ends with it, and imports the library of the book afresh.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import subprocess
import sys
import time
from typing import Any

SHARED = (  # not pyplot, which looks for a notebook when it is imported
    "IPython.core.debugger",
    "IPython.extensions.storemagic",
    "PIL.PngImagePlugin",
    "ipykernel.debugger",
    "ipykernel.kernelapp",
    "matplotlib.backends.backend_agg",
    "matplotlib.figure",
    "matplotlib.style",
    "matplotlib.widgets",
    "sklearn.base",
    "sqlite3",
)
LAUNCHER = "ipykernel_launcher"
INLINE = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}  # what a kernel tells Matplotlib


class Nursery:
    """The process that kernels are forked from, started with the first of them.

    Attributes
    ----------
    spent : float
        Processor time of the kernels that have ended, in seconds.
    """

    def __init__(self) -> None:
        self.process: Any = None
        self.spent = 0.0

    def open(self, stderr: Any) -> None:
        """Start the process, unless it runs."""
        if self.process is None:
            pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr, "text": True}
            self.process = subprocess.Popen(
                [sys.executable, __file__], env=INLINE | os.environ, start_new_session=True, **pipes
            )
            atexit.register(self.close)

    def ask(self, order: dict[str, Any]) -> Any:
        """The answer to an order: see :func:`serve`."""
        print(json.dumps(order), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End the process; a kernel that still runs notices, and ends too."""
        if self.process is not None:
            with contextlib.suppress(OSError):
                self.process.communicate()
        self.process = None


NURSERY = Nursery()


class Fork:
    """A kernel, as far as Jupyter needs a ``Popen``."""

    stdin = stdout = stderr = None

    def __init__(self, order: dict[str, Any]) -> None:
        self.pid: int = NURSERY.ask(order)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit status; None as long as it runs."""
        if self.returncode is None and (ended := NURSERY.ask({"poll": self.pid})):
            self.returncode, spent = ended
            NURSERY.spent += spent
        return self.returncode

    def wait(self) -> int | None:
        """Its exit status, once it has ended."""
        while self.poll() is None:
            time.sleep(0.01)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)


def launch(command: list[str], **options: Any) -> Any:
    """Jupyter's ``launch_kernel``, by a fork where that is possible."""
    from jupyter_client.launcher import launch_kernel

    if sys.platform != "linux" or LAUNCHER not in command:
        return launch_kernel(command, **options)
    NURSERY.open(options.get("stderr"))
    arguments = command[command.index(LAUNCHER) + 1 :]
    env = INLINE | (options.get("env") or os.environ)
    return Fork({"arguments": arguments, "cwd": options.get("cwd") or os.getcwd(), "env": env})


def share_imports() -> None:
    """From now on the kernels of this process are forks."""
    from jupyter_client.provisioning import local_provisioner

    local_provisioner.launch_kernel = launch  # type: ignore[assignment]


def processor_time() -> float:
    """Processor time of the kernels and other children of this process that have ended, in seconds."""
    children = os.times()
    return children.children_user + children.children_system + NURSERY.spent


def serve() -> dict[str, Any] | None:
    """Fork a kernel for each order with arguments; say for ``{"poll": pid}`` how it ended and what it took, or None.

    Returns
    -------
    dict or None
        In each fork its order; None when there are no more orders.
    """
    for line in sys.stdin:
        order = json.loads(line)
        answer: Any = None
        if "arguments" in order:
            answer = os.fork()
            if not answer:
                return order
            os.setpgid(answer, answer)  # before the answer: an interrupt goes to the kernel and what it starts, only
        else:
            pid, status, used = os.wait4(order["poll"], os.WNOHANG)
            if pid:
                answer = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
        print(json.dumps(answer), flush=True)
    return None


def become_kernel(order: dict[str, Any]) -> None:
    """Run the kernel of an order, in the surroundings that a process of its own would have."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    sys.argv = [LAUNCHER, f"--IPKernelApp.parent_handle={os.getppid()}", *order["arguments"]]
    importlib.import_module("ipykernel.kernelapp").launch_new_instance()


if __name__ == "__main__":
    del sys.path[0]  # this folder
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # as if it were not installed: nobody steps through cells
    for name in SHARED:
        importlib.import_module(name)
    if order := serve():
        become_kernel(order)
