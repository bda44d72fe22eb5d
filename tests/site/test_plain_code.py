"""Code without the spans that nobody sees: the words, the colours and the links stay."""

import re
from pathlib import Path

import plain_code
import pytest
from bs4 import BeautifulSoup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES

STYLES = (Path(__file__).resolve().parents[2] / "static/book.css").read_text(encoding="utf-8")
INKS = re.compile(r"^html \.bd-article \.highlight (?::is\(([^)]*)\)|(\.\w+)) \{([^}]*)\}", re.MULTILINE)
CODE = '''class Line(list):
    """Of text."""

    def show(self, end="<\\n"):  # print it
        return sum([3.5 * x for x in self if not x.real], -1) and f"{self!r:>4}{end}"
'''


def declared(name):
    """What the style sheet says of a class of Pygments in highlighted code."""
    found = {}
    for several, one, block in INKS.findall(STYLES):
        if f".{name}" in (several or one).split(", "):
            found.update(item.split(": ") for item in block.replace("\n", " ").strip(" ;").split("; "))
    return {key.strip(): value for key, value in found.items()}


@pytest.fixture(scope="module")
def before():
    return f'<p><span class="n">x</span></p>{highlight(CODE, PythonLexer(), HtmlFormatter())}<pre><b>1</b></pre>'


def test_plain_names_and_signs_look_as_the_text_does():
    plain = {"color": "var(--book-ink)", "background": "none", "font-weight": "inherit", "font-style": "inherit"}
    assert all(declared(name) == plain for name in plain_code.PLAIN)
    assert declared("k") != plain
    assert set(plain_code.PLAIN) <= set(STANDARD_TYPES.values())
    assert re.search(r"^\.bd-article pre \{[^}]* color: var\(--book-ink\);", STYLES, re.MULTILINE | re.DOTALL)


def test_words_stay_and_so_does_what_has_an_ink_or_weight_of_its_own(before):
    old, new = (BeautifulSoup(page, "html.parser") for page in (before, plain_code.lighten(before)))
    assert new.get_text() == old.get_text()

    def seen(page):
        return [(span["class"], span.get_text()) for span in page.select("pre span[class]")]

    assert seen(new) == [one for one in seen(old) if one[0][0] not in plain_code.PLAIN]
    assert {"k", "nc", "nf", "s2", "si", "mf", "c1"} <= {name for (name,), _ in seen(new)}
    assert len(seen(new)) < len(seen(old)) / 2


def test_nothing_else_changes(before):
    after = plain_code.lighten(before)
    assert after.startswith('<p><span class="n">x</span></p><div class="highlight"><pre><span></span>')
    assert after.endswith("</pre></div>\n<pre><b>1</b></pre>")
    assert plain_code.lighten(after) == after


def test_links_in_code_stay(new_book, notebook_code, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "lines_of_ours.py").write_text('"""A module."""\n\n\ndef end(x):\n    """The end."""\n')
    book = new_book(["sphinx.ext.autodoc", "plain_code", "code_links", "katex_math"], ["page", "reference"])
    book.write("reference.md", "# Reference\n\n```{eval-rst}\n.. automodule:: lines_of_ours\n   :members:\n```\n")
    book.notebook("page.ipynb", "# Page", notebook_code("import lines_of_ours\nlines_of_ours.end(3)"))
    assert not book.build().warnings
    code = book.soup("page").select_one("pre")
    assert code.get_text() == "import lines_of_ours\nlines_of_ours.end(3)\n"
    assert [a.get_text() for a in code.select("a.sphinx-codeautolink-a")] == ["lines_of_ours", "lines_of_ours.end"]
    assert [span.get_text() for span in code.select("span[class]")] == ["import", "3"]
