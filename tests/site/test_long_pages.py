"""A long page in Chromium: what is far away costs nothing, and nothing is lost by that.

The page is written by hand, with the book's own style sheets and scripts.
"""

import contextlib
import shutil
from pathlib import Path

import pytest

from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
STYLES = ("book.css", "long_pages.css", "phone.css", "sidebar.css")
SCRIPTS = ("wide_boxes.js", "frames.js")
FORMULA = """<div class="math" id="equation-{name}"><span class="eqno">({name})</span><span class="katex-display">
<span class="katex" style="display: block"><span style="display: inline-block; width: {width}px">x = y</span></span>
</span></div>"""
SECTION = """<section id="s{i}" style="--lines: {lines}"><h2>Section {i}</h2><p>Needle{i}, see <a id="to-{i}"
href="#equation-e{far}">equation</a>.</p><p style="height: {height}px">Text.</p>{formula}{listing}</section>"""
PLAYER = """<div class="anim-player" id="movie"><img class="anim-frame" alt="one" src="0.svg" loading="lazy" width="40"
height="30"><img class="anim-frame" alt="two" src="1.svg" loading="lazy" hidden width="40" height="30"></div>"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="{0}9" height="30"/></svg>'
PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Long</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>
<body><div class="bd-sidebar-primary" style="position: sticky; top: 0; width: 200px; height: 200px; overflow: auto">
<div><div class="sidebar-primary-item"><button class="search-button-field">Search</button></div>
<nav style="height: 2000px">Chapters</nav></div></div>
<article class="bd-article"><section id="page"><h1>Long</h1>{body}</section></article>{scripts}</body></html>"""
NEAR = "name => document.querySelector(name).checkVisibility({contentVisibilityAuto: true})"
TOP = "name => document.querySelector(name).getBoundingClientRect().top"


def sections():
    """Thirty sections whose estimates are wrong by up to a half; a wide formula in one, a player in another."""
    for i in range(30):
        formula = FORMULA.format(name=f"e{i}", width=900 if i == 12 else 220)
        height = 1400 if i % 2 else 700
        listing = f'<pre style="overflow: auto">{"code " * (60 if i == 14 else 2)}</pre>' if i in (13, 14) else ""
        text = {"height": height, "formula": formula, "listing": listing}
        yield SECTION.format(i=i, lines=36, far=29 - i, **text) + (PLAYER if i == 20 else "")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    for name in (*STYLES, *SCRIPTS):
        shutil.copy(STATIC / name, folder)
    for i in range(2):
        (folder / f"{i}.svg").write_text(PICTURE.format(i + 1))
    styles = "".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
    scripts = "".join(f'<script src="{name}"></script>' for name in SCRIPTS)
    (folder / "page.html").write_text(PAGE.format(styles=styles, scripts=scripts, body="".join(sections())))
    return (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium(), "--force-renderer-accessibility") as running:  # as where a screen reader runs
        yield running


@pytest.fixture
def tab(chromium):
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    yield page
    page.close()


def settled(tab, what, name):
    """The value of ``what`` once it has stayed the same for some frames."""
    values = [None]
    for _ in range(40):
        values.append(tab.evaluate(what, name))
        if values[-4:].count(values[-1]) == 4:
            break
        tab.wait_for_timeout(30)
    return values[-1]


def test_only_what_is_near_is_laid_out(tab, address):
    tab.goto(address)
    assert tab.evaluate(NEAR, "#s0 p")
    assert not tab.evaluate(NEAR, "#s25 p")
    tab.evaluate("document.querySelector('#s25').scrollIntoView()")
    tab.wait_for_function(NEAR, arg="#s25 p")


def test_a_link_from_outside_lands_at_its_place(tab, address):
    tab.goto(f"{address}#equation-e17")
    assert settled(tab, TOP, "#equation-e17") == pytest.approx(72, abs=2)  # below the bar at the top


def test_a_link_inside_lands_and_the_way_back_too(tab, address):
    tab.goto(address)
    tab.evaluate("document.querySelector('#to-3').scrollIntoView({block: 'center'})")
    before = settled(tab, TOP, "#to-3")
    tab.click("#to-3")
    assert settled(tab, TOP, "#equation-e26") == pytest.approx(72, abs=2)
    tab.go_back()
    assert settled(tab, TOP, "#to-3") == pytest.approx(before, abs=2)


def test_text_far_away_is_found(tab, address):
    tab.goto(address)
    assert tab.evaluate("find('Needle23')")
    assert 0 < settled(tab, TOP, "#s23 p") < 800
    assert not tab.evaluate("find('Needle99')")


def test_screen_readers_have_the_whole_page(tab, address):
    tab.goto(address)
    session = tab.context.new_cdp_session(tab)
    session.send("Accessibility.enable")
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    said = {(node["role"]["value"], node.get("name", {}).get("value")) for node in tree if not node["ignored"]}
    assert {("heading", f"Section {i}") for i in range(30)} <= said


def test_everything_is_printed(tab, address):
    tab.goto(address)
    tab.emulate_media(media="print")
    assert all(tab.evaluate(NEAR, f"#s{i} p") for i in range(30))


def test_what_reaches_out_of_a_section_is_not_cut(chromium, address):
    with contextlib.closing(chromium.new_page(viewport={"width": 1440, "height": 800})) as tab:
        tab.goto(address)
        inside = tab.evaluate(
            """() => { const [box, s] = [".math", "section"].map(n => document.querySelector("#s0").closest(n) ??
            document.querySelector("#s0 " + n)).map(e => e.getBoundingClientRect()); return [box.right, s.right]; }"""
        )
        overhang = tab.evaluate("getComputedStyle(document.querySelector('#s0 .math')).marginRight")
    assert overhang == "-68px"
    assert inside[0] <= inside[1]


def test_a_wide_formula_says_that_it_scrolls(tab, address):
    tab.goto(address)
    tab.evaluate("document.querySelector('#equation-e12').scrollIntoView()")
    formula = "#equation-e12 .katex-display"
    tab.wait_for_function("name => document.querySelector(name).tabIndex === 0", arg=formula)
    sign = "name => getComputedStyle(document.querySelector(name), '::after').content"
    assert "scroll" in tab.evaluate(sign, "#equation-e12")
    assert "scroll" not in tab.evaluate(sign, "#equation-e11")
    assert tab.evaluate(TOP, "#equation-e12 .eqno") > tab.evaluate(TOP, formula)
    assert tab.locator(formula).evaluate("f => f.clientWidth") > 300  # the number takes none of it
    tab.set_viewport_size({"width": 1440, "height": 800})
    tab.wait_for_function("name => document.querySelector(name).tabIndex === -1", arg="#equation-e11 .katex-display")


REACHED = "name => [...document.querySelectorAll(name)].map(e => e.tabIndex)"


def test_the_keyboard_reaches_listings_that_scroll_when_they_come_near(tab, address):
    tab.goto(address)
    tab.wait_for_timeout(200)
    assert tab.evaluate(REACHED, "pre") == [-1, -1]  # nobody has measured what is far away
    tab.evaluate("document.querySelector('#s13 pre').scrollIntoView()")
    tab.wait_for_function("document.querySelector('#s14 pre').tabIndex === 0")
    assert tab.evaluate(REACHED, "pre") == [-1, 0]


def test_the_keyboard_reaches_a_listing_that_comes_later(tab, address):
    tab.goto(address)
    tab.evaluate(
        "document.querySelector('#s0').insertAdjacentHTML('beforeend', "
        '`<div><pre id="new" style="overflow: auto">${\'code \'.repeat(60)}</pre></div>`)'
    )
    tab.wait_for_function("document.querySelector('#new').tabIndex === 0")


def test_the_number_of_a_short_formula_stays_beside_it(tab, address):
    tab.goto(address)
    number, formula = (tab.locator(f"#equation-e0 {name}").bounding_box() for name in (".eqno", ".katex-display"))
    assert number["x"] >= formula["x"] + formula["width"]
    assert formula["y"] < number["y"] < formula["y"] + formula["height"]


def test_frames_are_fetched_when_their_animation_comes_near(tab, address):
    asked = []
    tab.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    tab.goto(address)
    assert not {"0.svg", "1.svg"} & set(asked)
    tab.evaluate("document.querySelector('#movie').scrollIntoView()")
    loaded = "[...document.querySelectorAll('#movie img')].every(i => i.naturalWidth > 0)"
    tab.wait_for_function(loaded)
    assert {"0.svg", "1.svg"} <= set(asked)


def test_all_frames_are_on_paper_and_the_first_one_without_a_script(chromium, tab, address):
    tab.goto(address)
    tab.pdf()
    tab.wait_for_function("[...document.querySelectorAll('#movie img')].every(i => i.naturalWidth > 0)")
    with contextlib.closing(chromium.new_page(java_script_enabled=False)) as quiet:
        quiet.goto(address)
        assert quiet.locator("#movie img").evaluate_all("all => all.map(i => i.naturalWidth > 0 && !i.hidden)")[0]


def test_the_search_box_stays_while_the_sidebar_scrolls(tab, address):
    tab.goto(address)
    tab.evaluate("document.querySelector('.bd-sidebar-primary').scrollTop = 900")
    assert 0 <= settled(tab, TOP, ".search-button-field") < 40
