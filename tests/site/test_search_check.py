"""The search in a browser: results while typing, keyboard, excerpts; and the checks of it find its faults."""

import json
import shutil
from functools import partial

import pytest
from search_index import STATIC

from tools.site_check import search
from tools.site_check.browser import browser, find_chromium, serve
from tools.site_check.pages import Site
from tools.site_check.search import Query

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("search")]

DIALOG = """# Start

```{raw} html
<dialog id="pst-search-dialog"><form class="bd-search" action="#"><input type="search" name="q"></form></dialog>
<script>addEventListener("keydown", (event) => { const dialog = document.querySelector("dialog");
  if (event.key === "Escape" && document.activeElement.matches("input")) dialog.close();
  else if (event.key === "Escape") event.preventDefault();
  if (event.key === "k" && event.ctrlKey) { event.preventDefault(); dialog.showModal(); } });
document.querySelector("dialog").addEventListener("click", (event) => {
  const box = event.currentTarget.getBoundingClientRect(); // as the theme tells whether a click is outside
  if (event.clientX < box.left || event.clientY < box.top || event.clientX > box.right || event.clientY > box.bottom)
    event.currentTarget.close(); });</script>
```
"""
GMM = (
    "(gmm)=\n# Mixtures\n\n"
    + "Filler words. " * 40
    + "The `<b>odd</b>` duck.\n\n(gmm-em)=\n## Rising\n\nA lower bound on $\\xi$.\n"
)
GLOSSARY = (
    "# Glossary\n\n```{glossary}\nexpectation-maximisation (EM)\n  期望最大化. A bound. See {ref}`gmm-em`.\n```\n"
)
MANY = "# Many\n\n" + "".join(f"## Part {n}\n\nA bound.\n\n" for n in range(12))
QUERY = Query("lower bound", ["clustering/gmm#gmm-em"])


@pytest.fixture(scope="module")
def site(shared_book):
    book = shared_book(("chapter_role", "search_index"), html_baseurl="")
    for name in ("search.js", "search.css", "search_terms.js", "search_engine.js"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    shutil.copytree(STATIC / "minisearch", book.root / "static/minisearch")
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("chapters/revision/glossary.md", GLOSSARY)
    book.write("chapters/appendix/api_many.md", MANY)
    book.toc("chapters/clustering/gmm", "chapters/revision/glossary", "chapters/appendix/api_many", text=DIALOG).build()
    assert book.warnings == ""
    return Site(book.root / "out/html")


@pytest.fixture(scope="module")
def tab(site):
    with serve(site.folder) as base, browser(find_chromium()) as running:
        page = running.new_page()
        page.set_default_timeout(5000)
        yield page, base


@pytest.fixture
def asked(tab):
    """Type a query on the search page; its results as (path, title, excerpt, address)."""
    page, base = tab

    def ask(query, start="search.html"):
        page.goto(base + start)
        page.evaluate(search.ASK, query)
        page.wait_for_function(search.ANSWERED, arg=query)
        page.wait_for_load_state("networkidle")
        return [
            tuple(
                (part.inner_text() if (part := link.query_selector(f".book-search-{name}")) else "") for name in parts
            )
            for link in page.query_selector_all(search.RESULT)
        ]

    parts = ("path", "title", "excerpt")
    return ask


def test_a_result_says_where_it_is_and_quotes_the_place(asked, tab):
    path, title, excerpt = asked("odd duck")[0]
    assert (path, title) == ("", "Mixtures")
    assert excerpt.startswith("… ")
    assert "The <b>odd</b> duck." in excerpt  # text, not markup
    assert tab[0].evaluate("[...document.querySelectorAll('mark')].map((mark) => mark.textContent)") == ["odd", "duck"]
    assert asked("xi bound")[0] == ("Gaussian mixtures", "Rising", "A lower bound on ξ.")


def test_a_name_of_the_glossary_is_shown(asked):
    assert asked("期望最大化")[0] == ("Gaussian mixtures", "Rising", "期望最大化 A lower bound on ξ.")


def test_count_and_nothing_found(asked, tab):
    status = tab[0].locator(".book-search [role=status]")
    asked("filler")
    assert status.inner_text() == "1 section"
    asked("zzzzzz")
    assert status.inner_text() == "Nothing found"


def test_the_address_keeps_the_query(asked, tab):
    page, base = tab
    asked("lower bound")
    assert page.url == f"{base}search.html?q=lower%20bound"
    page.reload()
    page.wait_for_function(search.ANSWERED, arg="lower bound")
    assert page.evaluate("document.activeElement.value") == "lower bound"


def test_it_works_from_the_file_system(site, tab):
    page, _ = tab
    page.goto((site.folder / "search.html").as_uri() + "?q=lower")
    page.locator(search.RESULT).first.wait_for()
    page.locator("text=A lower bound").first.wait_for()


def test_a_site_that_lost_its_index_says_so(asked, tab):
    page, base = tab
    page.route("**/search/index.js", lambda route: route.abort())
    page.goto(base + "search.html?q=lower")
    page.locator("text=could not be loaded").wait_for()
    page.unroute("**/search/index.js")
    page.evaluate(search.ASK, "lower bound")
    page.wait_for_function(search.ANSWERED, arg="lower bound")  # the next key tries again


def test_sound_search(site, tab):
    page, base = tab
    assert search.check_queries(page, base, site, [QUERY]) == []
    assert search.check_query_weight(page, base, site, QUERY.text) == []
    assert search.check_index_weight(site) == []


def test_a_wrong_order_and_a_wrong_section_are_found(site, tab):
    page, base = tab
    second = Query("bound", ["revision/glossary#term-expectation-maximisation-EM"])
    never = Query("duck", ["clustering/gmm#gmm-em"])
    problems = [problem.detail for problem in search.check_queries(page, base, site, [second, never])]
    assert problems == [
        "'duck' finds ['clustering/gmm'], not ['clustering/gmm#gmm-em']",
        "a right section is not first for bound, duck",
    ]
    assert search.check_queries(page, base, site, [QUERY] * 9 + [second]) == []


def test_a_result_that_leads_nowhere_is_found(site):
    links = ["chapters/clustering/gmm.html#gmm-em", "chapters/clustering/gmm.html#none", "none.html"]
    assert [problem.detail.split()[4] for problem in search.dead_links(site, links)] == [links[1] + ",", "none.html,"]


def test_weights_over_the_limit_are_found(site, tab, monkeypatch):
    page, base = tab
    monkeypatch.setattr(search, "QUERY_LIMIT", 10_000)
    assert "fetches" in search.check_query_weight(page, base, site, "lower")[0].detail
    monkeypatch.setattr(search, "INDEX_LIMIT", 10_000)
    assert "the index of 67 chapters would have" in search.check_index_weight(site)[0].detail


def test_the_keyboard_alone(tab, monkeypatch):
    page, base = tab
    start = type("Start", (), {"largest": "intro.html"})
    assert search.check_keyboard(page, base, start, "bound") == []
    page.set_default_timeout(500)
    script = (STATIC / "search.js").read_text(encoding="utf-8")
    for needed in ("event.stopPropagation();", 'if (event.key === "Escape") place.close?.();'):
        page.route("**/search.js*", partial(lambda body, route: route.fulfill(body=body), script.replace(needed, "")))
        assert "the keyboard alone" in search.check_keyboard(page, base, start, "bound")[0].detail, needed
        page.unroute("**/search.js*")
    page.route("**/search.js*", lambda route: route.fulfill(body=""))
    assert "the keyboard alone" in search.check_keyboard(page, base, start, "bound")[0].detail
    page.unroute("**/search.js*")
    page.set_default_timeout(5000)


def test_the_index_is_read_when_the_dialog_opens_and_not_before(tab):
    page, base = tab
    page.goto(f"{base}intro.html")
    page.wait_for_load_state("networkidle")
    assert not page.query_selector("script[src$='search/index.js']")
    page.evaluate("document.querySelector('#pst-search-dialog').showModal()")
    page.wait_for_selector("script[src$='search/index.js']", state="attached")


def test_read_queries(tmp_path):
    path = tmp_path / "queries.yml"
    path.write_text(json.dumps([{"query": "a b", "right": ["x#y"]}]))
    assert search.read_queries(path) == [Query("a b", ["x#y"])]
    path.write_text("# none")
    assert search.read_queries(path) == []
