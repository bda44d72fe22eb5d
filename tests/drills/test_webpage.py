"""Tests of the web page of a drill: every formula set, tables, nothing loaded from elsewhere."""

import html
import re

import pytest

from notes_lib.drills import topics, webpage
from notes_lib.drills.__main__ import main
from tests.drills.arithmetic import formulas
from tests.drills.seeds import drawn


def test_every_formula_of_every_topic_is_set():
    drills = [drawn(topic, 3) for topic in topics()]
    text = "\n\n".join(f"{drill.statement}\n\n{drill.solution}" for drill in drills)
    page = webpage.webpage(text, "All & everything")
    found = re.findall(r"<annotation encoding=\"application/x-tex\">(.*?)</annotation>", page, re.S)
    dollars = re.findall(r"\$\$(.+?)\$\$|\$(.+?)\$", text, re.S)
    assert [html.unescape(tex) for tex in found] == [(a or b).strip() for a, b in dollars]
    assert len(found) > 1000
    assert "katex-error" not in page
    assert page.count('<span class="katex-display">') == sum(bool(block) for block, _ in dollars) > 3
    assert page.count("<table>") == len(re.findall(r"^\| :?---", text, re.M)) > 50
    assert page.count("<strong>") == text.count("**") / 2
    assert "<title>All &amp; everything</title>" in page


def test_a_page_loads_nothing():
    page = webpage.webpage("Find $x^2$, <script>alert(1)</script>.", "x")
    assert not re.search(r"<(script|link|img|iframe)|@import|src=", page)
    assert set(re.findall(r"url\((.{5})", page)) == {"data:"}
    assert set(re.findall(r"https?://[^\"<]*", page)) == {"http://www.w3.org/1998/Math/MathML"}
    assert page.count("data:font/woff2") == len(list(webpage.KATEX.glob("fonts/*.woff2")))


def test_a_formula_that_katex_cannot_read_is_no_page():
    with pytest.raises(Exception, match="Undefined control sequence"):
        webpage.webpage(r"$\nonsense$", "x")


def test_the_command_line_writes_html(monkeypatch, capsys, tmp_path):
    assert main(["viterbi", "--seed", "7", "--format", "html"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!DOCTYPE html>")
    assert out.endswith("</html>\n")
    assert "<title>Viterbi algorithm</title>" in out
    assert len(formulas(drawn("viterbi", 7).statement)) == out.count("application/x-tex")
    monkeypatch.setattr(webpage, "KATEX", tmp_path / "none")
    assert main(["viterbi", "--seed", "7", "--format", "html"]) == 2
    assert "python3 run.py book" in capsys.readouterr().err
