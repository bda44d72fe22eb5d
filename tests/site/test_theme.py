"""The site with its theme: nothing from outside, nothing unused, no id twice."""

import json
import re
from collections import Counter

import offline_site
import pytest
import theme_repairs
from sphinx.errors import ExtensionError

EXTENSIONS = [
    "sphinx_togglebutton",
    "sphinx_copybutton",
    "sphinx_thebe",
    "sphinx_design",
    "sphinx_book_theme",
    "sphinx_proof",
    "sphinx_exercise",
    "code_links",
    "katex_math",
    "offline_site",
    "theme_repairs",
]
PAGE = """# Page

:::{prf:theorem} One
:label: thm-one
Body $x$.
:::

:::{prf:theorem} Two
:nonumber:
:label: thm-two
Body.
:::

:::{prf:proof}
One.
:::

:::{prf:proof}
Two.
:::

:::{exercise} Hard (3 marks)
:label: ex-one
Body.
:::

:::{solution} ex-one
:class: dropdown
Body.
:::

:::{exercise}
:label: ex-two
Body.
:::

:::{solution-start} ex-two
:::
"""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture(scope="module")
def themed(shared_book, notebook_code):
    book = shared_book(
        EXTENSIONS,
        ["page"],
        html_theme="sphinx_book_theme",
        codeautolink_concat_default=True,
        html_theme_options={"navbar_persistent": []},
    )
    cell = notebook_code("print(1)", "1\n", {"image/png": PIXEL, "text/plain": "<Figure>"})
    cell["metadata"] = {"tags": ["hide-input"], "mystnb": {"image": {"alt": "A pixel"}}}
    book.notebook("page.ipynb", PAGE, cell, ":::{solution-end}\n:::\n")
    book.build()
    book.html_warnings = book.warnings
    return book


def test_no_warning(themed):
    assert not themed.html_warnings


def test_nothing_comes_from_outside(themed):
    for name in ("intro", "page", "search", "genindex"):
        sources = [
            element.get("src") or element.get("href")
            for element in themed.soup(name).select("script[src], link[href], img[src], iframe[src]")
        ]
        assert sources
        assert [source for source in sources if re.match(r"(https?:)?//", source)] == []
        assert not re.search(r"unpkg|jsdelivr|thebe", themed.page(name))


def test_every_script_and_style_sheet_once(themed):
    page = themed.soup("page")
    scripts = Counter(script.get("src") or script.get_text() for script in page.select("script"))
    sheets = Counter(link["href"] for link in page.select('link[rel="stylesheet"]'))
    assert [name for name, count in (scripts + sheets).items() if count > 1] == []


def test_unused_files_are_gone_and_used_ones_stay(themed):
    static = themed.root / "out/html/_static"
    files = [path.relative_to(static).as_posix() for path in static.rglob("*") if path.is_file()]
    assert not [name for name in files if re.search(r"\.map$|\.ttf$|locales|scripts/fontawesome|sphinx-thebe", name)]
    assert [name for name in files if name.endswith("fa-solid-900.woff2")]
    assert not (static / "locales").exists() or not any((static / "locales").iterdir())
    for element in themed.soup("page").select('script[src*="_static"], link[href*="_static"]'):
        name = (element.get("src") or element.get("href")).split("_static/")[1].split("?")[0]
        assert name in files


def test_our_script_finds_what_scrolls_and_the_theme_measures_nothing(themed):
    script = (themed.root / "out/html" / theme_repairs.THEME_SCRIPT).read_text(encoding="utf-8")
    assert theme_repairs.MEASURED in script  # the function stands there, and nobody calls it
    assert not theme_repairs.MEASURING.search(script)
    assert theme_repairs.without_measuring(script) == script
    for name in ("intro", "page", "search"):
        assert len(themed.soup(name).select("script[src*='wide_boxes.js']")) == 1


def test_a_theme_that_measures_in_another_way_is_refused():
    call = '"complete"===document.readyState?I():window.addEventListener("load",I)'
    selector = f'document.querySelectorAll("{theme_repairs.MEASURED}")'
    assert call not in theme_repairs.without_measuring(f"{selector};{call}")
    for other in (selector, call, f"{selector};{call};{call}"):
        with pytest.raises(ExtensionError, match="mend MEASURING of theme_repairs"):
            theme_repairs.without_measuring(other)


ASKS = """(() => {{
  {globals}
  return JSON.stringify(["", "dark"].map((word) => {{
    if (word) localStorage.setItem("mode", word);
    return localStorage.getItem("mode");
  }}));
}})()"""
FORBIDDEN = "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('forbidden'); } });"
ALLOWED = "globalThis.localStorage = { getItem: () => 'kept', setItem() {} };"


@pytest.mark.parametrize(("world", "told"), [(FORBIDDEN, [None, "dark"]), (ALLOWED, ["kept", "kept"])])
def test_the_theme_does_without_storage_that_is_forbidden(world, told):
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    script = ASKS.format(globals=world)
    start, end = script[: script.index("return")], script[script.index("return") :]
    repaired = theme_repairs.with_any_storage(end)
    assert repaired.startswith(theme_repairs.STORED)
    assert theme_repairs.with_any_storage(repaired) == repaired
    found = engine.eval(start + repaired)
    engine.close()
    assert json.loads(found) == told
    with pytest.raises(ExtensionError, match="mend STORAGE"):
        theme_repairs.with_any_storage("(() => 1)()")


def test_the_pages_ask_for_the_theme_where_that_may_be_forbidden(themed):
    script = (themed.root / "out/html" / theme_repairs.THEME_SCRIPT).read_text(encoding="utf-8")
    assert script.startswith(theme_repairs.STORED)
    assert "localStorage" not in script.removeprefix(theme_repairs.STORED)
    for name in ("intro", "page", "search"):
        (asking,) = (one for one in themed.soup(name).select("head script:not([src])") if "localStorage" in one.text)
        assert asking.text.strip().startswith("try {")
        assert asking.text.count("localStorage") == 2
        repaired = str(asking)
        assert theme_repairs.repair_page(repaired) == repaired


def test_images_are_untouched(themed):
    image = themed.soup("page").select_one("article img")
    assert image["alt"] == "A pixel"
    assert (themed.root / "out/html" / image["src"]).is_file()


def test_search_buttons_are_named_by_their_text_if_they_have_one(themed):
    for name in ("intro", "page"):
        buttons = themed.soup(name).select("button.search-button__button")
        named = {bool(button.get_text().strip()): button.get("aria-label") for button in buttons}
        assert named == {True: None, False: "Search"}


def test_cleaning_leaves_everything_else():
    comment = "<!-- So that users can add custom icons -->"
    icons = f'\n  {comment}\n  <script src="_static/scripts/fontawesome.js?v=1"></script>'
    page = f'<p>x</p>{icons}<img src="a.png" alt="b">'
    assert offline_site.clean_page(page) == '<p>x</p><img src="a.png" alt="b">'


def test_no_id_occurs_twice(themed):
    for name in ("intro", "page", "search", "genindex"):
        ids = Counter(element["id"] for element in themed.soup(name).select("[id]"))
        assert [name for name, count in ids.items() if count > 1] == []


def test_boxes_have_plain_bodies_and_keep_their_labels(themed):
    page = themed.soup("page")
    assert not page.select("div.exercise section, div.solution section, div.proof section")
    for label in ("thm-one", "thm-two", "ex-one", "ex-two"):
        assert page.find(id=label).select_one("div.box-content, p") is not None
    assert len(page.select("div.box-content")) == 6


def test_sidebar_is_a_landmark_once(themed):
    sidebar = themed.soup("page").select_one("div.bd-sidebar-primary")
    assert sidebar["role"] == "region"
    assert sidebar["aria-label"]
    repaired = theme_repairs.repair_page('<div class="bd-sidebar-primary bd-sidebar" id="x">')
    assert theme_repairs.repair_page(repaired) == repaired


@pytest.mark.parametrize(
    ("printed", "repaired"),
    [
        ('<th class="head"><p></p></th>', '<td class="head"></td>'),
        ("<th>\n</th>", "<td></td>"),
        ("<th><p>a</p></th>", "<th><p>a</p></th>"),
        ('<summary><span class="toctree-toggle">', '<summary aria-label="Pages below"><span class="toctree-toggle">'),
        ('<div role="list" class="citation-list">', '<div class="citation-list">'),
        ('<div class="citation" id="a" role="doc-biblioentry">', '<div class="citation" id="a">'),
        ("<summary><p>Show</p>", "<summary><p>Show</p>"),
    ],
    ids=["empty-p", "empty", "full", "toggle", "citation-list", "citation", "other-summary"],
)
def test_page_repairs(printed, repaired):
    assert theme_repairs.repair_page(printed) == repaired


def test_single_page_has_hidden_cells_and_boxes(themed):
    page = themed.build("singlehtml").soup("intro", "singlehtml")
    assert not themed.warnings
    assert page.select_one("details.hide.above-input") is not None
    assert page.select_one("div.exercise .box-content") is not None
