"""Tests of the command ``run.py paper``: what it writes, and what it says to mistakes."""

import pytest

from tools import paper


def test_the_command_line_writes_pages(tmp_path, capsys):
    assert paper.main(["--minutes", "12", "--topics", "viterbi", "--no-pdf", "--out", str(tmp_path)]) == 0
    pages = capsys.readouterr().out.split()
    assert pages == [str(tmp_path / f"paper-long-0{end}.html") for end in ("", "-marks")]
    texts = [(tmp_path / f"paper-long-0{end}.html").read_text(encoding="utf-8") for end in ("", "-marks")]
    assert "<title>Paper 0</title>" in texts[0]
    assert "<title>Paper 0: mark scheme</title>" in texts[1]
    assert "<h2>1. Viterbi algorithm (10 marks)</h2>" in texts[0]
    assert "Find" in texts[0]
    assert "<strong>Path</strong>" in texts[1]
    assert "<strong>Path</strong>" not in texts[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--topics", "viterby"], "did you mean viterbi"),
        (["--topics", ",", "--format", "answers"], "topics must name at least one topic"),
        (["--minutes", "1", "--format", "choice"], "no question fits into minutes=1"),
        (["--seed", "-1"], "seed must be an integer from 0"),
    ],
)
def test_mistakes_are_explained(words, message, capsys):
    assert paper.main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.browser
def test_pages_are_printed(tmp_path):
    page = paper.write(tmp_path, "tiny", "# Tiny\n\n$x^2$")
    (pdf,) = paper.printed([page])
    assert pdf == tmp_path / "tiny.pdf"
    assert pdf.read_bytes().startswith(b"%PDF")
