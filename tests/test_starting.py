"""A kernel that loses its port at the start is started again; kernels are forks of one process."""

import json
import os
import signal
import socket
import sys
import time

import nbval.kernel
import pytest
from jupyter_client.manager import start_new_kernel
from jupyter_client.provisioning import local_provisioner

from tests.starting import DIED, again
from tools import kernels

forked = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a fork is not safe")


def test_a_kernel_starts_although_another_process_takes_its_port(monkeypatch):
    taken, launch = [], local_provisioner.launch_kernel

    def late(command, **options):
        if not taken:
            (file,) = (word for word in command if word.endswith(".json"))
            with open(file, encoding="utf-8") as chosen:
                taken.append(socket.create_server(("127.0.0.1", json.load(chosen)["shell_port"])))
        return launch(command, **options)

    monkeypatch.setattr(local_provisioner, "launch_kernel", late)
    manager, client = again(nbval.kernel.start_new_kernel)(60, nbval.kernel.CURRENT_ENV_KERNEL_NAME)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert len(taken) == 1
    taken[0].close()


@pytest.mark.parametrize(("message", "tries"), [(DIED, 3), ("timed out", 1)])
def test_what_fails_again_and_again_is_said(message, tries):
    calls = []

    def start(name):
        calls.append(name)
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match=message):
        again(start)("python")
    assert calls == ["python"] * tries


@pytest.fixture
def fork(monkeypatch, tmp_path):
    """A kernel in a folder of its own, what its cells print or raise, and its manager."""
    monkeypatch.setattr(local_provisioner, "launch_kernel", kernels.launch)
    manager, client = start_new_kernel(cwd=str(tmp_path), env=os.environ | {"ONLY_HERE": "1"})

    def run(code):
        said = []
        reply = client.execute_interactive(code, timeout=60, output_hook=said.append)["content"]
        return reply.get("ename") or "".join(message["content"].get("text", "") for message in said)

    yield run, manager
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@forked
def test_a_fork_has_imported_what_all_need_and_nothing_of_the_book(fork, tmp_path):
    run, _ = fork
    assert run(
        "import sys; print('sklearn' in sys.modules, [m for m in sys.modules if m.startswith('notes_lib')])"
    ) == ("True []\n")
    assert run("import os; print(os.getcwd(), os.environ['ONLY_HERE'], os.getpgrp() == os.getpid())") == (
        f"{tmp_path} 1 True\n"
    )
    assert run("print(os.getppid())") == f"{kernels.NURSERY.process.pid}\n"
    assert run("import matplotlib.pyplot as plt; print(plt.get_backend())").strip().lower().endswith("inline")
    assert run("print(os.read(0, 1), [p for p in sys.path if p.endswith('tools')])") == "b'' []\n"
    assert run("import debugpy") == "ModuleNotFoundError"


@forked
def test_its_processor_time_is_known_when_it_has_ended(fork):
    run, manager = fork
    run("import time\nwhile time.process_time() < 0.5: pass")
    before = kernels.processor_time()
    manager.shutdown_kernel()
    assert 0.5 < kernels.processor_time() - before < 20
    assert manager.provisioner.process is None


@forked
def test_it_can_be_interrupted(fork):
    run, manager = fork
    assert manager.provisioner.pgid == manager.provisioner.pid
    assert run(f"import os; os.killpg(os.getpgrp(), {int(signal.SIGINT)})") == "KeyboardInterrupt"
    assert run("print(1)") == "1\n"


@pytest.fixture
def nursery(monkeypatch):
    """One that may end before the run does."""
    monkeypatch.setattr(kernels, "NURSERY", kernels.Nursery())
    yield kernels.NURSERY
    kernels.NURSERY.close()


@forked
def test_it_ends_with_the_process_that_it_is_forked_from(nursery, fork):
    run, manager = fork
    pid = int(run("import os; print(os.getpid())"))
    nursery.close()
    manager.provisioner.process = None  # there is nobody left to ask about it
    limit = time.monotonic() + 30
    while os.path.exists(f"/proc/{pid}"):
        assert time.monotonic() < limit
        time.sleep(0.1)


def test_another_command_is_launched_as_before():
    process = kernels.launch([sys.executable, "-S", "-c", "raise SystemExit(3)"])
    assert process.wait() == 3
