"""Links in code: what they lead to, that they stay, and that nothing else on the page changes."""

import ast
import sys
from types import SimpleNamespace

import code_links
import pytest
from katex_math import Katex
from sphinx.errors import ExtensionError
from sphinx_codeautolink.parse import parse_names

MODULE = '''"""A module."""


def double(x):
    """Twice x."""
    return 2 * x


def double_all(x):
    """Twice each."""
    return 2 * x
'''
REFERENCE = "# Reference\n\n```{eval-rst}\n.. automodule:: numbers_of_ours\n   :members: double\n```\n"
PAGE = """# Page

Inline $a < b$ and $\\text{it's `so`}$, then

$$
c = \\frac{d}{e}
$$ (page-c)

<svg viewBox="0 0 2 1"><path d="M0 0"/></svg>
"""
EXTENSIONS = ["sphinx.ext.autodoc", "code_links", "katex_math"]


@pytest.fixture
def book(new_book, monkeypatch, tmp_path):
    """A book with a reference to a module of its own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "numbers_of_ours.py").write_text(MODULE)
    small = new_book(EXTENSIONS, ["page", "reference"], codeautolink_concat_default=True)
    small.write("reference.md", REFERENCE)
    yield small
    for name in ("numbers_of_ours", "passed_on", "passed_on.model"):
        sys.modules.pop(name, None)


def links(book, page="page"):
    """Text and address of each link in code."""
    return [(a.get_text(), a["href"]) for a in book.soup(page).select("pre a.sphinx-codeautolink-a")]


def test_code_is_linked_and_nothing_else_changes(book, notebook_code):
    book.notebook("page.ipynb", PAGE, notebook_code("from numbers_of_ours import double\n\ndouble(3)", "6\n"))
    assert not book.build().warnings
    name = ("double", "reference.html#numbers_of_ours.double")
    assert links(book) == [("numbers_of_ours", "reference.html#module-numbers_of_ours"), name, name]
    page = book.page("page")
    assert 'viewBox="0 0 2 1"' in page
    katex = Katex()
    for tex, display in [("a < b", False), ("\\text{it's `so`}", False), ("\nc = \\frac{d}{e}\n", True)]:
        assert katex.render(tex, display)[0] in page
    katex.close()


def test_a_name_that_begins_like_a_documented_one_is_not_linked(book, notebook_code):
    code = "from numbers_of_ours import double_all, double\ndouble_all(2), double(3)\nundouble = double\n"
    book.notebook("page.ipynb", "# Page", notebook_code(code))
    book.build()
    assert [text for text, _ in links(book) if text != "numbers_of_ours"] == ["double", "double", "undouble", "double"]
    assert {address.partition("#")[2] for _, address in links(book)} == {
        "module-numbers_of_ours",
        "numbers_of_ours.double",
    }


def test_links_know_the_cells_before_and_stand_in_their_own(book, notebook_code):
    cells = [
        "import numbers_of_ours as ours",
        "f = ours.double",
        "f(1)\n\n\nf(2)",
        "f = 3",
        "f",
        "ours.double(\n    4)",
    ]
    book.notebook("page.ipynb", "# Page", *map(notebook_code, cells))
    book.build()
    shown = [pre.find_all("a") for pre in book.soup("page").select("pre")]
    texts = [[a.get_text() for a in found if a.get_text() != "numbers_of_ours"] for found in shown]
    assert texts == [[], ["f", "ours.double"], ["f", "f"], [], [], ["ours.double"]]


def test_the_same_cell_twice_is_linked_twice(book, notebook_code):
    cells = ["from numbers_of_ours import double", "double(1)", "double(1)"]
    book.notebook("page.ipynb", "# Page", *map(notebook_code, cells))
    book.build()
    shown = book.soup("page").select("pre")
    assert [pre.get_text().strip() for pre in shown] == cells
    assert [len(pre.find_all("a", string="double")) for pre in shown] == [1, 1, 1]


def test_of_two_places_in_a_line_the_value_is_linked_and_not_what_gets_it(book, notebook_code):
    """The first ``f`` of ``f = f(1)`` is a number by then."""
    code = "from numbers_of_ours import double as f\nf = f(1)"
    book.notebook("page.ipynb", "# Page", notebook_code(code))
    book.build()
    (listing,) = book.soup("page").select("pre")
    (link,) = listing.find_all("a", string="f")
    before = "".join(text for text in link.find_all_previous(string=True)[::-1] if listing in text.parents)
    assert before == code.rpartition("f(1)")[0]


def test_code_that_is_not_on_its_page_is_a_warning(book, notebook_code, monkeypatch):
    book.notebook("page.ipynb", "# Page", notebook_code("from numbers_of_ours import double\ndouble(3)"))
    monkeypatch.setattr(code_links, "plain", lambda markup: "something else")
    assert "is not on its page:\nfrom numbers_of_ours import double\ndouble(3)" in book.build().warnings


def test_a_name_that_is_not_in_its_lines_is_a_warning(book, notebook_code, monkeypatch):
    book.notebook("page.ipynb", "# Page", notebook_code("from numbers_of_ours import double\ndouble(3)"))
    monkeypatch.setattr(code_links.block, "construct_name_pattern", lambda name: "()nowhere")
    assert "`double` is not in lines 2 to 2 of:" in book.build().warnings


# -- later builds ----------------------------------------------------------------------------------------------------


def test_a_page_that_is_written_without_being_read_keeps_its_links(book, notebook_code):
    book.notebook("page.ipynb", "# Page", notebook_code("from numbers_of_ours import double\ndouble(3)"))
    before = links(book.build())
    assert before
    (book.root / "out/html/page.html").unlink()
    rewritten = book.build()
    assert not rewritten.warnings
    assert links(rewritten) == before


def test_only_new_names_are_looked_up(book, notebook_code, monkeypatch):
    code = "from numbers_of_ours import double\ndouble(3)\nunknown.thing"
    book.notebook("page.ipynb", "# Page", notebook_code(code))
    before = links(book.build())
    looked_up = []
    resolve = code_links.resolve_location
    monkeypatch.setattr(code_links, "resolve_location", lambda *args: looked_up.append(args[0]) or resolve(*args))
    book.notebook("page.ipynb", "# Page\n\nMore text.", notebook_code(code))
    assert links(book.build()) == before
    assert looked_up == []
    book.notebook("page.ipynb", "# Page", notebook_code(f"{code}\ndouble.__name__"))
    assert links(book.build()) == before
    assert {".".join(name.import_components) for name in looked_up} == {"numbers_of_ours.double.__name__"}


def test_a_page_gains_and_loses_links_with_the_reference(book, notebook_code):
    code = "from numbers_of_ours import double, double_all\ndouble(3), double_all(3)"
    book.notebook("page.ipynb", "# Page", notebook_code(code))
    counts = []
    for members in ("double", "double, double_all", "double_all"):
        book.write("reference.md", REFERENCE.replace("members: double", f"members: {members}"))
        texts = [text for text, _ in links(book.build())]
        counts.append((texts.count("double"), texts.count("double_all")))
    assert counts == [(2, 0), (2, 2), (0, 2)]


# -- objects that a package passes on --------------------------------------------------------------------------------


def test_what_a_package_passes_on_is_linked_to_its_public_name(book, notebook_code):
    book.write(
        "passed_on/model.py",
        '''"""Ours."""


class Model:
    """A model."""

    def fit(self, X):
        """Fit."""
        return self


def helper():
    """Help."""
''',
    )
    book.write(
        "passed_on/__init__.py", '"""Public."""\n\nfrom .model import Model, helper\n\n__all__ = ["Model", "helper"]\n'
    )
    book.write(
        "reference.md",
        REFERENCE.replace("numbers_of_ours\n   :members: double", "passed_on\n   :members:\n   :imported-members:"),
    )
    book.notebook(
        "page.ipynb", "# Page", notebook_code("from passed_on import Model, helper\nhelper()\nm = Model()\nm.fit(1)")
    )
    assert not book.build().warnings
    page = "reference.html#passed_on."
    for text, name in [("helper", "helper"), ("Model", "Model"), ("m.fit", "Model.fit")]:
        assert (text, page + name) in links(book)
    assert "passed_on.model" not in book.page("page")


# -- reading code ----------------------------------------------------------------------------------------------------


class Node:
    """As much of a node as the parser looks at."""

    def __init__(self, document):
        self.document = document


def test_each_cell_is_parsed_once(monkeypatch):
    cells = ["import math as m\nf = m.floor", "for x in [f(1),\n    m.pi]:\n    m.sin(x)", "", "f = 3\nm.cos(f)"]
    sources = ["\n".join(cells[: n + 1]) for n in range(len(cells))]
    expected = [parse_names(source, None) for source in sources]
    parsed = []
    counting = SimpleNamespace(parse=lambda text: parsed.append(text.strip("\n")) or ast.parse(text))
    monkeypatch.setattr(code_links, "ast", counting)
    parser, node = code_links.Parser(), Node("page")
    found = [parser(source, node) for source in sources]
    assert parsed == cells
    for n, (new, everything) in enumerate(zip(found, expected, strict=True)):
        first = sum(cell.count("\n") + 1 for cell in cells[:n])
        assert new == [name for name in everything if name.lineno > first]


def test_a_cell_with_a_mistake_and_another_page_start_anew():
    parser = code_links.Parser()
    assert parser("import math", Node("a"))
    with pytest.raises(SyntaxError) as error:
        parser("import math\nx = = 1", Node("a"))
    assert error.value.lineno == 2
    assert parser("import math\nmath.pi", Node("a"))
    assert len(parser("import math\nmath.pi\nmath.e", Node("b"))) == 3


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline",
        "x = %pwd",
        "y = !ls",
        "!ls",
        "x?",
        "?x",
        "/f 1",
        ",f a b",
        ";f a",
        "In [1]: 2",
        ">>> 3",
        "a\n  %b c",
    ],
)
def test_the_signs_of_ipython_are_taken_out(source, monkeypatch):
    assert code_links.python_of(source) == code_links.block.clean_ipython(source)
    assert code_links.block.clean_ipython(source)[1] != f"{source}\n"


def test_plain_python_is_left_as_it_is(monkeypatch):
    source = "x = 7 % 2\nassert x != 2  # why?! or not"
    assert code_links.block.clean_ipython(source) == (source, f"{source}\n")
    monkeypatch.setattr(code_links.block, "clean_ipython", None)
    assert code_links.python_of(source) == (source, source)


def test_the_extension_loads_the_one_it_changes(new_book):
    with pytest.raises(ExtensionError, match="take that out"):
        new_book(["sphinx_codeautolink", "code_links", "katex_math"]).build()


def test_a_name_without_a_meaning_keeps_no_frames(monkeypatch):
    """They would be saved with the book, and there would be more of them each time."""

    def nowhere(name, inventory):
        raise code_links.CouldNotResolve("nowhere")

    monkeypatch.setattr(code_links, "resolve_location", nowhere)
    resolver, name = code_links.Resolver(), SimpleNamespace(import_components=["nothing"])
    for _ in range(2):
        with pytest.raises(code_links.CouldNotResolve, match=r"^nowhere$"):
            resolver(name, {})
    assert [found.__traceback__ for found in resolver.found.values()] == [None]
