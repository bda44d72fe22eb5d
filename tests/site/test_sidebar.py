"""The sidebar of each page is the one that the theme makes for it."""

import re
from pathlib import Path

import page_store
import pytest
import sidebar
from revision import HUBS

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
    ours_alone = re.compile(r"\s*<script[^>]*sidebar\.js[^>]*></script>")
    assert [name for name in NAMES if usual.page(name) != ours_alone.sub("", read[name])] == []
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


def test_pages_to_revise_by_stand_below_their_parts(new_book, monkeypatch, text_of):
    kept = page_store.kept
    hubs = {f"hub/{stem}": [stem] for stem in ("kmeans", "gmm", "hmm")}
    monkeypatch.setattr(page_store, "kept", lambda env, topic: hubs if topic == HUBS else kept(env, topic))
    options = {"navbar_persistent": [], "show_navbar_depth": 0}
    book = new_book(["katex_math", "sidebar"], ["hub"], html_theme="sphinx_book_theme", html_theme_options=options)
    book.write("hub.md", "# Revise: all\n\n```{toctree}\nhub/kmeans\nhub/gmm\nhub/hmm\n```\n")
    for page, (stem,) in hubs.items():
        book.write(f"{page}.md", f"# Revise: {stem}\n")
    assert not book.build().warnings
    for page in ("intro", "hub/gmm"):
        entries = book.soup(page).select("nav.bd-links li li")
        assert [text_of(entry) for entry in entries] == ["Clustering", "kmeans", "gmm", "Sequences", "hmm"]
        assert [entry.a is None for entry in entries] == [True, False, False, True, False]
    current = book.soup("hub/gmm").select("nav.bd-links li.current")
    assert [text_of(entry.a) for entry in current] == ["Revise: all", "gmm"]
    assert "<h1>Revise: gmm" in book.page("hub/gmm")


BOX = """<!doctype html><meta charset="utf-8"><div class="bd-sidebar-primary" style="height: 400px; overflow: auto">
<nav class="bd-links"><ul>{}</ul></nav></div><script>{}
document.querySelector(".bd-sidebar-primary").scrollTop = {}; // as the theme does</script>"""


@pytest.mark.browser
@pytest.mark.parametrize(("current", "before"), [(70, 0), (20, 1500), (40, 700)])
def test_the_entry_of_the_page_comes_into_view(tmp_path, current, before):
    from tools.site_check.browser import browser, find_chromium

    mark = ' class="current"'
    entries = "".join(f'<li style="height: 24px"><a{mark * (n == current)}>Page {n}</a></li>' for n in range(80))
    script = (Path(__file__).resolve().parents[2] / "static/sidebar.js").read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(BOX.format(entries, script, before), encoding="utf-8")
    with browser(find_chromium()) as chromium:
        tab = chromium.new_page(viewport={"width": 390, "height": 500})
        tab.goto((tmp_path / "page.html").as_uri())
        tab.wait_for_timeout(200)
        assert 100 <= tab.locator("a.current").bounding_box()["y"] <= 380
        if current == 40:
            assert tab.evaluate("document.querySelector('.bd-sidebar-primary').scrollTop") == before  # it was in view
