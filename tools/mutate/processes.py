"""Forked processes: each trial starts from the state of this one and leaves nothing behind."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
MEMORY = 4 << 30  # bytes of data that a trial may hold: a number too large must not fill the machine


def limit_time(seconds: float) -> None:
    """Let this process end by a signal after so many further seconds of processor time."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def result_of(work: Callable[[], T]) -> T:
    """What ``work`` returns in a forked process; what it raises is raised here."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_send, args=(work, sender))
    process.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"the process ended with status {process.exitcode}") from None
    process.join()
    if isinstance(result, BaseException):
        raise result
    return result


def _send(work: Callable[[], Any], sender: Any) -> None:
    try:
        sender.send(work())
    except Exception as error:
        sender.send(error)


def unnoticed(trials: Iterable[T], same: Callable[[T], bool], jobs: int) -> list[T]:
    """Trials after which everything is the same; one that raises, is killed or takes too long counts as noticed.

    Parameters
    ----------
    trials : iterable
    same : callable
        Called with a trial, in a forked process.
    jobs : int
        Processes at the same time.
    """
    gc.freeze()  # so that no child copies what it only looks at
    running: dict[int, tuple[int, T]] = {}
    found: list[tuple[int, T]] = []

    def wait() -> None:
        pid, status = os.wait()
        number_and_trial = running.pop(pid)
        if status == 0:
            found.append(number_and_trial)

    for number, trial in enumerate(trials):
        if len(running) == jobs:
            wait()
        pid = os.fork()
        if pid == 0:
            _exit_with(same, trial)
        running[pid] = number, trial
    while running:
        wait()
    return [trial for _, trial in sorted(found, key=lambda pair: pair[0])]


def _exit_with(same: Callable[[T], bool], trial: T) -> None:
    """End this process: status 0 if everything is the same."""
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        status = 0 if same(trial) else 1
    finally:
        os._exit(status)
