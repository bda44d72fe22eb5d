"""What is built after a change is what is built from nothing, page by page."""

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
EXTENSIONS = ["sphinx_external_toc", "sphinx.ext.autodoc", "code_links", "katex_math", "later_builds", "lean_build"]
EXTENSIONS += ["chapter_role", "exam_cards", "equation_links", "derivations", "sphinx_book_theme", "ours"]
OURS = """
def sign(app, page, template, context, doctree):
    context["body"] = context.get("body", "") + "first"


def setup(app):
    app.connect("html-page-context", sign)
"""
KMEANS = """# k-means

Equation {eq}`gmm-density`.

$$
a
$$ (kmeans-objective)

:::{must-know} Objective
:label: kmeans-must-know-objective
Equation {eq}`kmeans-objective`.
:::

:::{table} Steps
:name: kmeans-steps

| step |
|---|
| one |
:::
"""
GMM = """# Mixtures

Equation {eq}`kmeans-objective` and {numref}`kmeans-steps` come first.

$$
b
$$ (gmm-density)
"""
CODE = "from notes_of_ours import double\ndouble(2)"
MODULE = "def double(x):\n    '''Twice x.'''\n\n\ndef triple(x):\n    '''Thrice.'''\n"
TOC = ("clustering/kmeans", "clustering/gmm", "sheet", "lines", "reference")


class Author:
    """Someone who writes a small book and builds it with run.py."""

    def __init__(self, book, run, code):
        self.book, self.run, self.code = book, run, code
        run.call = self.build_with_sphinx
        self.toc(TOC)
        self.book.write("_config.yml", "html_title: Small")
        self.book.write("_ext/ours.py", OURS)
        self.book.write("notes_of_ours.py", MODULE)
        self.kmeans(KMEANS)
        self.book.notebook("chapters/clustering/gmm.ipynb", GMM, code(CODE))
        self.book.write("chapters/sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
        self.book.write("chapters/lines.md", "# Lines\n\n:::{derivation}\n1. `gmm-density` Say it.\n:::\n")
        self.reference("double")
        for name in run.REQUIREMENTS:
            self.book.write(name, "")
        assert self.run.build_book() == 0

    def toc(self, pages):
        chapters = [{"file": f"chapters/{page}"} for page in pages]
        parts = [{"caption": "All", "numbered": True, "chapters": chapters}]
        self.book.write("_toc.yml", yaml.safe_dump({"format": "jb-book", "root": "intro", "parts": parts}))

    def kmeans(self, text, *more):
        self.book.notebook(
            "chapters/clustering/kmeans.ipynb", text, self.code(CODE), *more, prerequisites=[], minutes=5
        )

    def reference(self, members):
        text = f"# Reference\n\n```{{eval-rst}}\n.. automodule:: notes_of_ours\n   :members: {members}\n```\n"
        self.book.write("chapters/reference.md", text)

    def build_with_sphinx(self, *command):
        """Stand in for jupyter-book: the same table of contents, extensions and settings."""
        sys.modules.pop("ours", None)
        settings = yaml.safe_load((self.book.root / "_config.yml").read_text())
        self.book.config = {**self.book.config, **settings}
        self.book.build()
        return int(bool(self.book.warnings))

    def pages(self):
        """Build, and read all pages."""
        assert self.run.build_book() == 0, self.book.warnings
        out = self.run.HTML
        return {path.relative_to(out).as_posix(): path.read_text() for path in sorted(out.rglob("*.html"))}

    def later_and_clean(self):
        """The pages built after a change, and those built from nothing."""
        later = self.pages()
        shutil.rmtree(self.book.root / "out")
        return later, self.pages()


@pytest.fixture(scope="module")
def author(shared_book, notebook_code):
    spec = importlib.util.spec_from_file_location("run_for_author", ROOT / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    book = shared_book(
        EXTENSIONS,
        html_theme="sphinx_book_theme",
        html_theme_options={"navbar_persistent": []},
        codeautolink_concat_default=True,
        external_toc_exclude_missing=True,
        math_numfig=True,
    )
    book.write("intro.md", "# Intro\n\nSee {chapter}`kmeans` and {eq}`kmeans-objective`.\n")
    run.ROOT, run.HTML = book.root, book.root / "out/html"
    sys.path[:0] = [str(book.root), str(book.root / "_ext")]
    yield Author(book, run, notebook_code)
    del sys.path[:2]
    for name in ("ours", "notes_of_ours"):
        sys.modules.pop(name, None)


def swap_entries(author):
    author.toc((TOC[1], TOC[0], *TOC[2:]))


def change_an_extension(author):
    author.book.write("_ext/ours.py", OURS.replace("first", "second"))


def change_a_setting(author):
    author.book.write("_config.yml", "html_title: Renamed")


def change_a_setting_of_code(author):
    author.book.write("_config.yml", "html_title: Renamed\ncodeautolink_disable_link_titles: true")


def edit_a_chapter(author):
    author.kmeans(KMEANS.replace("Equation", "See equation"), "More text.")


def number_equations_anew(author):
    author.kmeans(KMEANS.replace("Equation", "$$\nnew\n$$ (kmeans-new)\n\nEquation", 1))


def number_tables_anew(author):
    table = KMEANS[KMEANS.index(":::{table}") :].replace("kmeans-steps", "kmeans-new")
    author.kmeans(KMEANS.replace("Equation", f"{table}\nEquation", 1))


def rename_a_chapter(author):
    author.kmeans(KMEANS.replace("# k-means", "# Lloyd"))


def document_a_function(author):
    author.reference("double, triple")


def stop_documenting(author):
    author.reference("triple")


def remove_a_page(author):
    author.toc(TOC[:3])
    for name in TOC[3:]:
        (author.book.root / f"chapters/{name}.md").unlink()


def first_difference(a, b):
    """The lines around the first place where two pages differ."""
    return next((x, y) for x, y in zip(a.splitlines(), b.splitlines(), strict=False) if x != y)


CHANGES = [swap_entries, change_an_extension, change_a_setting, change_a_setting_of_code, edit_a_chapter]
CHANGES += [number_equations_anew, number_tables_anew, rename_a_chapter, document_a_function, stop_documenting]
CHANGES += [remove_a_page]


@pytest.mark.parametrize("change", CHANGES)
def test_a_later_build_equals_a_clean_one(author, change):
    before = author.pages()
    change(author)
    later, clean = author.later_and_clean()
    assert sorted(later) == sorted(clean)
    assert [first_difference(later[name], clean[name]) for name in clean if later[name] != clean[name]] == []
    assert later != before


def test_a_failed_build_is_not_mended_by_building_again(author, capsys):
    author.kmeans(KMEANS.replace("gmm-density", "nowhere"))
    assert author.run.build_book() == 1
    assert author.run.build_book() == 1
    assert "up to date" not in capsys.readouterr().out
    author.kmeans(KMEANS)
    assert author.run.build_book() == 0


def test_an_edit_of_prose_writes_the_page_and_the_one_that_lists_it(author):
    author.kmeans(KMEANS)
    author.pages()
    before = {path: path.stat().st_mtime_ns for path in author.run.HTML.rglob("*.html")}
    author.kmeans(KMEANS, "More text.")
    author.pages()
    written = {path.stem for path, at in before.items() if path.stat().st_mtime_ns != at}
    assert written & {page.rpartition("/")[2] for page in (*TOC, "intro")} == {"kmeans", "intro"}
