"""The buttons of a hosted book: all by one setting, with right addresses; none without it."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import hosting
import pytest
import yaml
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
EXTENSIONS = ["katex_math", "offline_site", "icon_font", "hosting", "site_map"]
PAGES = ["chapters/clustering/kmeans", "chapters/plain"]
GITHUB, GITLAB = "https://github.com/some-group/some-book", "https://gitlab.example.org/some-group/some-book"
LABELS = {"Repository", "Edit this page", "Report a mistake", "Binder", "Colab", "JupyterHub"}


@pytest.fixture
def links(new_book, text_of):
    """Build a book with some options of the theme; gives the links of a page that the header shows."""

    def build(options, **config):
        theme = {"navbar_persistent": [], "use_fullscreen_button": False, **options}
        book = new_book(EXTENSIONS, PAGES, html_theme="sphinx_book_theme", html_theme_options=theme, **config)
        for name in ("icons.css", "report.js"):
            book.write(f"static/{name}", (ROOT / "static" / name).read_text(encoding="utf-8"))
        book.notebook("chapters/clustering/kmeans.ipynb", "# Means & *modes*, 100 %\n\n## Why\n")
        book.write("chapters/plain.md", "# Plain\n")
        book.build()
        assert not book.warnings

        def of(page):
            found = book.soup(page).select(".article-header-buttons a")
            return {text_of(link): link["href"] for link in found if text_of(link) in LABELS}

        of.book = book
        return of

    return build


HUB = {"repository_url": "", "launch_buttons": {"jupyterhub_url": "https://hub.example.org"}}


@pytest.mark.parametrize("options", [{}, {"repository_url": "", "repository_branch": "main"}, HUB])
def test_without_the_setting_there_is_no_button_and_no_address(links, options):
    of = links(options, html_baseurl="https://book.example.org/")
    for page in ("chapters/clustering/kmeans", "chapters/plain", "search"):
        assert of(page) == {}
        assert "report.js" not in of.book.page(page)
        assert "og:" not in of.book.page(page)
        for address in ("github", "gitlab", "mybinder", "colab", "hub.example"):
            assert address not in of.book.page(page)
    assert not list((of.book.root / "out/html").glob("sitemap.xml"))
    assert not list((of.book.root / "out/html").glob("robots.txt"))


def test_the_setting_gives_a_notebook_all_its_links(links):
    of = links({"repository_url": GITHUB, "repository_branch": "trunk"})
    found = of("chapters/clustering/kmeans")
    path = "chapters/clustering/kmeans.ipynb"
    assert (of.book.root / path).is_file()
    report = found.pop("Report a mistake")
    assert found == {
        "Repository": GITHUB,
        "Edit this page": f"{GITHUB}/edit/trunk/{path}",
        "Binder": f"https://mybinder.org/v2/gh/some-group/some-book/trunk?urlpath=lab/tree/{path}",
        "Colab": f"https://colab.research.google.com/github/some-group/some-book/blob/trunk/{path}",
    }
    assert report.startswith(f"{GITHUB}/issues/new?")
    asked = parse_qs(urlsplit(report).query)
    assert asked["title"] == ["Mistake in: Means & modes, 100 %"]
    assert asked["body"][0].startswith(
        "Chapter: Means & modes, 100 % (chapters/clustering/kmeans)\nSection: \nVersion: \n"
    )
    assert "report.js" in of.book.page("chapters/clustering/kmeans")


def test_a_page_without_code_has_no_launch_buttons(links):
    found = links({"repository_url": GITHUB, "repository_branch": "trunk"})("chapters/plain")
    assert set(found) == {"Repository", "Edit this page", "Report a mistake"}
    assert found["Edit this page"] == f"{GITHUB}/edit/trunk/chapters/plain.md"


def test_gitlab_has_its_own_addresses_and_no_colab(links):
    of = links({"repository_url": f"{GITLAB}/", "repository_branch": "trunk"})
    found = of("chapters/clustering/kmeans")
    path = "chapters/clustering/kmeans.ipynb"
    asked = urlsplit(found.pop("Report a mistake"))
    assert found == {
        "Repository": GITLAB,
        "Edit this page": f"{GITLAB}/-/edit/trunk/{path}",
        "Binder": "https://mybinder.org/v2/git/https%3A//gitlab.example.org/some-group/some-book/trunk"
        f"?urlpath=lab/tree/{path}",
    }
    assert asked.path == "/some-group/some-book/-/issues/new"
    assert set(parse_qs(asked.query)) == {"issue[title]", "issue[description]"}


def test_a_hub_of_ones_own_is_named(links):
    options = {"repository_url": GITHUB, "repository_branch": "trunk"}
    options["launch_buttons"] = {"jupyterhub_url": "https://hub.example.org", "binderhub_url": "", "thebe": False}
    found = links(options)("chapters/clustering/kmeans")
    assert {"Binder", "Colab", "JupyterHub"} < set(found)
    asked = urlsplit(found["JupyterHub"])
    assert asked.netloc == "hub.example.org"
    assert parse_qs(asked.query) == {
        "repo": [GITHUB],
        "urlpath": ["lab/tree/some-book/chapters/clustering/kmeans.ipynb"],
        "branch": ["trunk"],
    }


@pytest.mark.parametrize(
    "url", ["https://example.org/a/b", "github.com/a/b", "http://github.com/a/b", "https://host/github/b"]
)
def test_an_address_that_is_not_understood_stops_the_build(url):
    with pytest.raises(ExtensionError, match="repository: url"):
        hosting.provider_of(url)


def test_a_site_whose_address_is_known_has_a_map(links):
    of = links({"repository_url": GITHUB}, html_baseurl="https://book.example.org/deep")
    out = of.book.root / "out/html"
    listed = (out / "sitemap.xml").read_text(encoding="utf-8")
    for page in ("intro", *PAGES):
        assert f"<loc>https://book.example.org/deep/{page}.html</loc>" in listed
    said = {meta["property"]: meta["content"] for meta in of.book.soup(PAGES[0]).select('meta[property^="og:"]')}
    assert said == {
        "og:type": "article",
        "og:site_name": "Mini",
        "og:title": "Means & modes, 100 %",
        "og:url": f"https://book.example.org/deep/{PAGES[0]}.html",
    }
    assert not (out / "robots.txt").exists()


def test_at_the_root_of_a_host_robots_are_told_of_the_map(links):
    of = links({"repository_url": GITHUB}, html_baseurl="https://book.example.org")
    robots = (of.book.root / "out/html/robots.txt").read_text()
    assert "Sitemap: https://book.example.org/sitemap.xml" in robots


def test_the_book_names_no_repository_and_all_of_it_hangs_on_one_setting():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["repository"]["url"] == ""
    assert not any(config["launch_buttons"].values())
    assert not set(config["html"]) & {*hosting.BUTTONS, "baseurl"}
    assert {"hosting", "version_line", "site_map"} <= set(config["sphinx"]["local_extensions"])


def test_jupyter_book_hands_the_setting_to_the_theme(tmp_path):
    """The keys of ``_config.yml`` become the options that ``hosting.py`` reads."""
    from jupyter_book.config import get_final_config

    text = (ROOT / "_config.yml").read_text(encoding="utf-8").replace('  url: ""', f"  url: {GITHUB}")
    (tmp_path / "_config.yml").write_text(text)
    made, _ = get_final_config(
        user_yaml=tmp_path / "_config.yml", sourcedir=tmp_path, cli_config={"latex_individualpages": False}
    )
    options = made["html_theme_options"]
    assert options["repository_url"] == GITHUB
    assert options["repository_branch"] == "main"
    assert options["launch_buttons"]["jupyterhub_url"] == ""
