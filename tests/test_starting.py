"""A kernel that loses its port at the start is started again."""

import json
import socket

import nbval.kernel
import pytest
from jupyter_client.provisioning import local_provisioner

from tests.starting import DIED, again


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
