"""The icons of the pages: a small font that has each of them."""

import re
from importlib.util import find_spec
from pathlib import Path

import icon_font
import pytest
from fontTools.ttLib import TTFont
from sphinx.errors import ExtensionError

from tools import icon_font as tool

THEME = Path(find_spec("pydata_sphinx_theme").origin).parent / "theme/pydata_sphinx_theme/static"
ICON = '<i class="fa-solid fa-{} fa-lg" aria-hidden="true"></i>'


def described(font):
    names = {record.nameID: record.toUnicode() for record in font["name"].names}
    return sorted(font.getBestCmap()), names, [font["hmtx"][name] for name in sorted(font.getBestCmap().values())]


def test_the_font_is_what_the_tool_makes_of_the_theme(tmp_path):
    tool.make(tmp_path / "icons.woff")
    assert described(TTFont(tmp_path / "icons.woff")) == described(TTFont(tool.TARGET))


def test_the_font_has_the_icons_and_little_else():
    font = TTFont(tool.TARGET)
    assert set(font.getBestCmap()) == set(icon_font.ICONS.values())
    assert tool.TARGET.stat().st_size < 3000
    assert not any("Awesome" in record.toUnicode() for record in font["name"].names if record.nameID in (1, 4, 6))
    assert "Font Awesome" in tool.TARGET.with_name("OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", icon_font.ICONS)
def test_icons_are_called_as_in_the_theme(name):
    sheet = (THEME / "styles/pydata-sphinx-theme.css").read_text(encoding="utf-8")
    (code,) = re.findall(rf'\.fa-{name}:before[^{{}}]*\{{content:"\\([0-9a-f]+)"\}}', sheet)
    assert int(code, 16) == icon_font.ICONS[name]


def test_an_icon_that_the_font_lacks_stops_the_build():
    assert icon_font.missing(ICON.format("sun")) == set()
    assert icon_font.missing('<p class="fact">fa-cat</p>') == set()
    assert icon_font.check(page := ICON.format("bars")) == page
    with pytest.raises(ExtensionError, match=r"a page shows fa-cat, which .*icons\.woff has not"):
        icon_font.check(ICON.format("sun") + ICON.format("cat"))


def test_the_fonts_of_the_theme_are_not_in_the_site(new_book):
    theme = {"html_theme": "sphinx_book_theme", "html_theme_options": {"use_fullscreen_button": False}}
    book = new_book(["sphinx_book_theme", "icon_font"], ["page"], html_math_renderer="mathjax", **theme)
    book.write("static/icons.css", "")
    book.write("page.md", "# Page\n")
    assert not book.build().warnings
    out = book.root / "out/html/_static"
    assert not [*out.rglob("fa-*")]
    sheets = [link["href"] for link in book.soup("page").select("link[rel=stylesheet]")]
    of_theme, ours = (next(n for n, href in enumerate(sheets) if name in href) for name in ("pydata", "icons.css"))
    assert of_theme < ours
