"""The sidebar of each page is the one that the theme makes for it."""

import pytest
import sidebar

INTRO = """# Intro

```{toctree}
:caption: First *part*
:numbered:
a/one
a/two
```

```{toctree}
:caption: Second
top
b/below
```
"""
PAGES = {
    "a/one.md": "# One $x$\n\n## Section\n",
    "a/two.md": "# Two & *more*\n\n```{toctree}\ninner/deep\n../b/other\n```\n",
    "a/inner/deep.md": "# Deep\n\n## Section\n\n```{toctree}\ndeeper\n```\n",
    "a/inner/deeper.md": "# Deeper\n",
    "b/other.md": "# Other\n",
    "b/below.md": "# Below\n",
    "top.md": "# Top\n\n## A section\n\n## Another\n",
}
NAMES = ["intro", *(name.removesuffix(".md") for name in PAGES), "genindex", "search"]


@pytest.fixture
def pages(new_book):
    """Build a book with nested pages in folders, and read all pages."""

    def build(depth, *extensions):
        options = {"navbar_persistent": [], "show_navbar_depth": depth, "home_page_in_toc": True}
        small = new_book(["katex_math", *extensions], html_theme="sphinx_book_theme", html_theme_options=options)
        small.write("intro.md", INTRO)
        for name, text in PAGES.items():
            small.write(name, text)
        small.config["html_static_path"] = ["static"]
        small.build()
        assert not small.warnings
        return small

    return build


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_pages_are_those_of_the_theme(pages, tmp_path, depth):
    ours = pages(depth, "sidebar")
    read = {name: ours.page(name) for name in NAMES}
    (tmp_path / "out").rename(tmp_path / "ours")
    usual = pages(depth)
    assert [name for name in NAMES if usual.page(name) != read[name]] == []
    marked = [name for name in NAMES if '<a class="current reference internal" href="#">' in read[name]]
    assert marked == NAMES[1:-2]


def test_a_sidebar_is_made_once_for_each_folder(pages, monkeypatch):
    made, read = [], sidebar.read
    monkeypatch.setattr(sidebar, "read", lambda html: made.append(html) or read(html))
    pages(0, "sidebar")
    assert len(made) == 4  # the top, a, a/inner and b


def test_a_new_title_is_seen(pages):
    book = pages(0, "sidebar", "later_builds")
    book.write("top.md", "# Summit\n")
    assert "Summit</a>" in book.build().page("a/inner/deep")


def test_sections_are_left_out_before_pages_are_copied(pages):
    contents = pages(0, "sidebar").app.env.tocs
    assert sidebar.titles_only(contents["top"]).astext() == "Top"
    assert "Another" in contents["top"].astext()  # which stays as it is
