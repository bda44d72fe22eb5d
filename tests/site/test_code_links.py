"""Links in code leave the formulas of the page alone."""

import code_links
import pytest
from katex_math import Katex
from sphinx.errors import ExtensionError

MODULE = '''"""A module."""


def double(x):
    """Twice x."""
    return 2 * x
'''
PAGE = """# Page

```{eval-rst}
.. automodule:: numbers_of_ours
   :members:
```

Inline $a < b$ and $\\text{it's `so`}$, then

$$
c = \\frac{d}{e}
$$ (page-c)
"""


@pytest.fixture
def linked(new_book, notebook_code, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "numbers_of_ours.py").write_text(MODULE)
    small = new_book(["sphinx.ext.autodoc", "sphinx_codeautolink", "katex_math", "code_links"], ["page"])
    cell = notebook_code("from numbers_of_ours import double\n\ndouble(3)", "6\n")
    small.notebook("page.ipynb", PAGE, cell)
    small.build()
    return small


def test_code_is_linked_and_formulas_are_those_of_katex(linked):
    assert not linked.warnings
    page = linked.page("page")
    assert [a.get_text() for a in linked.soup("page").select("pre a.sphinx-codeautolink-a")].count("double") == 2
    assert "<!--formula" not in page
    katex = Katex()
    for tex, display in [("a < b", False), ("\\text{it's `so`}", False), ("\nc = \\frac{d}{e}\n", True)]:
        markup, _ = katex.render(tex, display)
        assert markup in page
    katex.close()


def test_formulas_come_back_if_setting_links_fails(tmp_path, monkeypatch):
    text = '<p>1 <span class="katex"><span>x</span><span></span></span> 2 <span class="katex">y</span></p>'
    (tmp_path / "page.html").write_text(text)

    def fail(document, out_dir):
        raise RuntimeError(document)

    monkeypatch.setattr(code_links, "set_links", fail)
    with pytest.raises(RuntimeError, match="page"):
        code_links.link_html("page", tmp_path)
    assert (tmp_path / "page.html").read_text() == text


def test_a_lost_place_is_an_error():
    page, formulas = code_links.set_aside('<span class="katex">x</span><span class="katex">y</span>')
    assert code_links.restore(page, formulas) == "".join(formulas)
    with pytest.raises(ExtensionError, match="2 formulas were set aside and 1 places"):
        code_links.restore(page.replace("<!--formula 0-->", ""), formulas)
