"""Sounds: short recordings with the browser's own controls, and in words what is heard."""

from __future__ import annotations

import base64
import html
import io
import wave
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_vector
from notes_lib.display import sig
from notes_lib.plotting.frames import check_name, check_weight

LOUDEST = 80  # of 127 steps on either side of silence
FADE = 0.01  # seconds at each end, so that nothing clicks


class Sounds:
    """Recordings as self-contained HTML; made by :func:`sounds`.

    Its text, which notebooks are compared by, says what is heard, and tells of a change in any recording.
    """

    def __init__(self, markup: str, texts: list[str]) -> None:
        self.markup = markup
        self.texts = texts  # a line for each recording

    def __repr__(self) -> str:
        return "\n".join([f"<{len(self.texts)} sounds>", *self.texts])

    def _repr_html_(self) -> str:
        return self.markup


def sounds(
    heard: Mapping[str, tuple[ArrayLike, str]], name: str, alt: str, rate: int = 8000, max_kilobytes: int = 120
) -> Sounds:
    """Let the reader hear numbers: eight bits a sample, all recordings equally loud at their peak.

    Parameters
    ----------
    heard : mapping
        Name of each recording to its samples, and to a few words on what is heard, for readers who cannot hear it.
    name : str
        Identifier of the group, unique on its page: letters, digits and hyphens.
    alt : str
        What the recordings have in common.
    rate : int
        Samples a second.
    max_kilobytes : int
        The markup must not be larger.

    Returns
    -------
    Sounds

    Raises
    ------
    ValueError
        If ``heard`` is empty, a recording is silent, no vector or not finite, or has no words, ``name`` is no
        identifier, or the recordings are too large together (use fewer or shorter ones).

    Examples
    --------
    >>> tone = np.sin(np.arange(800) * 0.3)
    >>> sounds({"tone": (tone, "a high tone")}, "tone", "A tone")
    <1 sounds>
    tone: a high tone (0.1 s, rms 0.656, steps 0.196)
    """
    check_name(name)
    rate = check_integer(rate, "rate")
    if not heard:
        raise ValueError("heard must hold at least one recording, got none.")
    rows, texts = [], []
    for title, (samples, words) in heard.items():
        if not words:
            raise ValueError(f"heard[{title!r}] must say in words what is heard, for readers who cannot hear it.")
        played = _at_peak(check_vector(samples, f"heard[{title!r}]"), title, rate)
        data = base64.b64encode(_wave_file(played, rate)).decode("ascii")
        rows.append(
            f"<p><strong>{html.escape(title)}:</strong> {html.escape(words)}<br>\n"
            f'<audio class="sound" controls="controls" preload="none" aria-label="{html.escape(title)}"'
            f' src="data:audio/wav;base64,{data}"></audio></p>'
        )
        rms, steps = np.sqrt(np.mean(played**2)), np.sqrt(np.mean(np.diff(played) ** 2))
        seconds = sig(len(played) / rate, 3)
        texts.append(f"{title}: {words} ({seconds} s, rms {sig(rms, 3)}, steps {sig(steps, 3)})")
    box = f'<div class="sounds" id="sounds-{name}" role="group" aria-label="Sounds: {html.escape(alt)}">'
    markup = "\n".join([box, *rows, "</div>"])
    check_weight(markup, max_kilobytes, "the group of sounds", "recordings")
    return Sounds(markup, texts)


def _at_peak(samples: FloatArray, title: str, rate: int) -> FloatArray:
    """Centred samples with faded ends, of which the largest is 1 in size."""
    centred = samples - samples.mean()
    n = min(round(FADE * rate), len(centred) // 2)
    ramp = np.arange(n) / max(n, 1)
    faded = centred * np.concatenate([ramp, np.ones(len(centred) - 2 * n), ramp[::-1]])
    peak = np.abs(faded).max()
    if peak <= 1e-12 * np.abs(samples).max():
        raise ValueError(f"heard[{title!r}] is silent: all samples are equal.")
    return np.asarray(faded / peak)


def _wave_file(played: FloatArray, rate: int) -> bytes:
    """The samples as a WAV file, mono, eight bits."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(rate)
        file.writeframes(np.round(128 + LOUDEST * played).astype(np.uint8).tobytes())
    return buffer.getvalue()
