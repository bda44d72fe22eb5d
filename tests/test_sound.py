"""Sounds in the HTML of an output."""

import base64
import io
import re
import wave

import numpy as np
import pytest

from notes_lib.plotting import sounds

TONE = np.sin(np.arange(1600) * 0.3)
DATA = re.compile(r'src="data:audio/wav;base64,([^"]*)"')


def recordings(group):
    """Rate and samples of each recording, as a browser reads them."""
    for data in DATA.findall(group.markup):
        with wave.open(io.BytesIO(base64.b64decode(data))) as file:
            assert (file.getnchannels(), file.getsampwidth()) == (1, 1)
            yield file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), dtype=np.uint8) - 128.0


def test_a_browser_hears_the_samples_at_one_loudness():
    group = sounds({"low": (TONE, "a tone"), "loud": (7 + 300 * TONE, "the same")}, "tones", "Two tones")
    (rate, low), (_, loud) = recordings(group)
    assert rate == 8000
    assert len(low) == 1600
    np.testing.assert_allclose(low, loud, atol=1)
    middle = slice(80, -80)
    np.testing.assert_allclose(low[middle], 80 * TONE[middle], atol=2)
    assert np.abs(low).max() == 80
    assert low[0] == low[-1] == 0


def test_nothing_comes_from_outside_and_words_stand_beside_each_sound():
    markup = sounds({"<low>": (TONE, "a tone & more")}, "tones", "Two 'tones'")._repr_html_()
    assert "http" not in markup
    assert markup.count("<audio") == markup.count("controls=") == markup.count('preload="none"') == 1
    assert "&lt;low&gt;:</strong> a tone &amp; more" in markup
    assert 'aria-label="Sounds: Two &#x27;tones&#x27;"' in markup
    assert "autoplay" not in markup


def test_the_text_tells_of_a_change_in_a_recording():
    text = repr(sounds({"a": (TONE, "a tone")}, "x", "alt"))
    assert text == repr(sounds({"a": (5 * TONE, "a tone")}, "y", "other"))
    assert text != repr(sounds({"a": (TONE**3, "a tone")}, "x", "alt"))
    assert text != repr(sounds({"a": (np.sin(np.arange(1600) * 0.2), "a tone")}, "x", "alt"))


@pytest.mark.parametrize(
    ("kw", "what"),
    [
        ({"heard": {}}, "heard must hold at least one recording"),
        ({"heard": {"a": (TONE, "")}}, r"heard\['a'\] must say in words"),
        ({"heard": {"a": (np.full(9, 3.0), "b")}}, r"heard\['a'\] is silent"),
        ({"heard": {"a": ([np.nan], "b")}}, r"heard\['a'\] must be finite"),
        ({"heard": {"a": ([[1.0]], "b")}}, r"heard\['a'\] must be a vector"),
        ({"name": "a b"}, "name must consist of"),
        ({"rate": 0}, "rate must be at least 1"),
        ({"max_kilobytes": 1}, "the group of sounds takes 2 kB, more than max_kilobytes=1: draw fewer or smaller rec"),
    ],
)
def test_sounds_refuses(kw, what):
    with pytest.raises(ValueError, match=what):
        sounds(**{"heard": {"a": (TONE, "a tone")}, "name": "a", "alt": "b"} | kw)
