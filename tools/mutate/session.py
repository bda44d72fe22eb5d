"""Running cells as Jupyter does, and keeping what they show and what their variables hold."""

from __future__ import annotations

import contextlib
import io
import marshal
import pickle
import re
from hashlib import blake2b
from types import FunctionType, ModuleType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from PIL import Image
from traitlets.config import Config

MEDIA = re.compile(r"data:(?:image/png|audio/wav);base64,[A-Za-z0-9+/=]+")
Shown = dict[str, list[str]]  # texts by kind: a stream, an error or a media type
UNKNOWN = b""  # in the place of a hash


class _Hook(DisplayHook):
    """What a cell's last expression shows goes where all that it displays goes."""

    def __call__(self, result: Any = None) -> None:
        if result is not None and self.shell is not None:
            data, metadata = self.shell.display_formatter.format(result)
            self.shell.display_pub.publish(data, metadata)


class Session(InteractiveShell):
    """IPython, which keeps what a cell displays."""

    displayhook_class = _Hook
    display_pub_class = CapturingDisplayPublisher

    def showtraceback(self, *_: Any, **__: Any) -> None:
        """An exception is compared by its name and message."""


def start() -> Session:
    """Start a session whose figures are never drawn, because stored images are not compared."""
    plt.switch_backend("agg")
    setattr(Figure, "savefig", lambda self, file, **_: Image.new("RGB", (1, 1)).save(file, "png"))  # noqa: B010
    return Session.instance(
        config=Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})
    )


def show(session: Session, source: str) -> Shown:
    """Run a cell and return all text that it shows."""
    displayed: list[dict[str, Any]] = session.display_pub.outputs  # type: ignore[attr-defined]
    displayed.clear()
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        result = session.run_cell(source)
    figures = [repr(plt.figure(number)) for number in plt.get_fignums()]
    plt.close("all")
    shown: Shown = {"stdout": [out.getvalue()], "stderr": [err.getvalue()], "figures": figures}
    error = result.error_before_exec or result.error_in_exec
    if error:
        shown["error"] = [f"{type(error).__name__}: {error}"]
    for output in displayed:
        for kind, text in output["data"].items():
            shown.setdefault(kind, []).append(MEDIA.sub("DATA", str(text)))
    return shown


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> Any:
        """Stand-ins for what a pickle would refuse, or take by its name alone."""
        if isinstance(value, ModuleType):
            return value.__name__
        if getattr(value, "__module__", None) != "__main__":
            if isinstance(value, Artist):
                raise pickle.PicklingError("what a figure draws is hard to compare")
            return None
        if isinstance(value, FunctionType):
            held = [cell.cell_contents for cell in value.__closure__ or ()]
            return marshal.dumps(value.__code__), value.__defaults__, value.__kwdefaults__, held
        if isinstance(value, type):
            raise pickle.PicklingError("a class of the notebook")
        return None


def state(session: Session) -> dict[str, bytes]:
    """Hash of the value of each variable; ``UNKNOWN`` if it cannot be told."""
    return {name: _hash(value) for name, value in session.user_ns.items() if not name.startswith("_")}


def _hash(value: Any) -> bytes:
    buffer = io.BytesIO()
    try:
        _Pickler(buffer).dump(value)
    except Exception:  # whatever cannot be pickled: figures, generators, classes of the notebook
        return UNKNOWN
    return blake2b(buffer.getbuffer(), digest_size=16).digest()
