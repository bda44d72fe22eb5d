"""The page for an address that leads nowhere, and the icon."""

import contextlib
import shutil
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

import run

STATIC = Path(__file__).resolve().parents[2] / "static"


@pytest.fixture(scope="module")
def book(shared_book):
    options = {"navbar_persistent": []}
    pages = ["chapters/one", "chapters/revision/trainer"]
    book = shared_book(["katex_math", "site_root"], pages, html_theme="sphinx_book_theme", html_theme_options=options)
    shutil.copy(STATIC / "favicon.ico", book.root / "static")
    book.write("chapters/one.md", "# One\n")
    book.write("chapters/revision/trainer.md", "# Trainer\n")
    return book.build()


def test_the_missing_page_leads_back(book, text_of):
    assert not book.warnings
    page = book.soup("404")
    assert text_of(page.select_one(".missing-page h1")) == "This page is not here"
    links = {text_of(link): link["href"] for link in page.select(".missing-page a")}
    assert links == {"The first page": "intro.html", "Trainer": "chapters/revision/trainer.html"}
    assert page.head.find(True).name == "script"
    assert "location.pathname" not in book.page("chapters/one")


def test_the_icon_is_named_and_lies_where_browsers_look(book):
    out = book.root / "out/html"
    assert (out / "favicon.ico").read_bytes() == (STATIC / "favicon.ico").read_bytes()
    for page, up in (("404", ""), ("chapters/one", "../"), ("chapters/revision/trainer", "../../")):
        (link,) = [link["href"] for link in book.soup(page).select('link[rel="icon"]') if ".ico" in link["href"]]
        assert link.split("?")[0] == f"{up}_static/favicon.ico"


def test_the_icon_has_the_usual_sizes_and_is_the_mark():
    with Image.open(STATIC / "favicon.ico") as icon:
        assert icon.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
        largest = icon.convert("RGBA")
    assert largest.getpixel((24, 24)) == (213, 94, 0, 255)
    assert largest.getpixel((0, 0))[3] == 0


@contextlib.contextmanager
def serving(folder):
    """Serve a folder as ``run.py book`` does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(run.quiet_handler(), directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["404.html", "lost.html", "chapters/lost.html", "chapters/a/b/lost.html"])
@pytest.mark.parametrize("prefix", ["", "book/"])
def test_the_missing_page_works_at_any_depth(book, tmp_path, path, prefix):
    from tools.site_check.browser import browser, find_chromium

    shutil.copytree(book.root / "out/html", tmp_path / prefix, dirs_exist_ok=True)
    if prefix:  # as where several sites share a server
        shutil.copy(tmp_path / prefix / "404.html", tmp_path)
    with serving(tmp_path) as address, browser(find_chromium()) as chromium:
        tab = chromium.new_page()
        failed = []
        tab.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
        assert tab.goto(address + prefix + path).status == (200 if path == "404.html" else 404)
        assert failed == [] if path == "404.html" else [address + prefix + path]
        tab.click(".missing-page a >> nth=1")
        assert tab.url == f"{address}{prefix}chapters/revision/trainer.html"
        assert tab.title().startswith("Trainer")
