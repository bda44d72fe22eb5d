"""Tests of the browser checks: each rule finds the fault planted for it on a page, and finds none on a clean page.

Two small sites are written by hand and checked once: one full of planted faults, one as bare as can be. A test then
looks at what was reported for its page. The rules are not told which page holds which fault.
"""

import json

import pytest

from tests.site.planted_site import (
    CHOICE,
    DOWNLOAD,
    EXPLORER,
    FIGURE,
    FORMULA,
    LIVE,
    PALE,
    PLAN,
    PLAYER,
    SHEET,
    SOLUTION,
    TODAY,
    TRUE_FALSE,
    TWICE,
    check,
    found,
    write_page,
    write_sound_site,
)

pytestmark = pytest.mark.browser

ENTRY = '<li><a href="clean.html">One</a></li>'
SIDEBAR = (
    "<style>@media print {{ .bd-sidebar-primary {{ display: none }} }}</style>"
    '<div class="bd-sidebar-primary"><nav aria-label="Pages"><ul class="{more}">{entries}</ul></nav></div>'
)
FAULTS = {
    "no-alt": ('<img src="_static/dot.png">', {"alt text", "axe light", "axe phone"}, "no alt attribute"),
    "empty-alt": ('<img src="_static/dot.png" alt=" ">', {"alt text", "axe light", "axe phone"}, "empty"),
    "hashed-alt": (f'<img src="_static/dot.png" alt="_images/{"0f" * 32}.png">', {"alt text"}, "says nothing"),
    "generic-alt": ('<img src="_static/dot.png" alt="Figure 3">', {"alt text"}, "says nothing"),
    "short-alt": (FIGURE.format(alt="k-means"), {"alt text"}, "too short"),
    "broken-image": ('<img src="_static/broken.png" alt="A broken image">', {"image"}, "broken.png"),
    "same-id": (TWICE, {"duplicate id"}, "a"),
    "katex-error": ('<code class="katex-error">\\x</code>', {"mathematics"}, "\\x"),
    "raw-display": ("<p>So $$x$$ holds.</p>", {"raw text"}, "$$x$$"),
    "raw-command": ("<p>So \\frac12 holds.</p>", {"raw text"}, "\\frac12"),
    "raw-inline": ("<p>So $x_1$ holds.</p>", {"raw text"}, "$x_1$"),
    "raw-role": ("<p>See {eq}`kmeans`.</p>", {"raw text"}, "{eq}"),
    "raw-fence": ("<p>:::{note}</p>", {"raw text"}, ":::"),
    "unresolved": ("<p>See (???).</p>", {"raw text"}, "(???)"),
    "wide": ('<div style="width: 500px">wide</div>', {"width 390 px", "width 360 px"}, "scrolls sideways by 118 px"),
    "clipped": (
        '<div style="overflow: hidden"><p id="long" style="width: 500px">long</p></div>',
        {"cut off 390 px", "cut off 360 px"},
        "p#long",
    ),
    "wide-formula": (
        f'<div style="contain: paint">{FORMULA.format(width=800, tex="x", more="", number="")}</div>'
        "<style>.katex-display { overflow: visible }</style>",
        {"wide formula 390 px", "wide formula 360 px", "print"},
        "x",
    ),
    "number-over-formula": (
        FORMULA.format(
            width=280,
            tex="x+y",
            more="width: 100%",
            number='<span class="eqno" style="position: absolute; right: 20px">(1)</span>',
        ),
        {"number over formula 1280 px", "number over formula 390 px", "number over formula 360 px"},
        "x+y",
    ),
    "cut-code": (
        f'<pre tabindex="0" style="overflow-x: auto">{"x" * 60}</pre>',
        {"cut code 390 px", "cut code 360 px"},
        "xxx",
    ),
    "much-code": (
        '<details class="code-fold"><summary>Code</summary>y</details><div class="cell_input"><p>x</p></div>',
        {"code 1280 px", "code 390 px", "code 360 px"},
        "of the page, more than 10%",
    ),
    "dark-figure": (
        '<figure><img src="_static/dot.png" alt="A cloud of black points"></figure>',
        {"dark figure"},
        "A cloud of black points",
    ),
    "always-light": ('<script>document.documentElement.dataset.theme = "light"</script>', {"dark mode"}, "stays light"),
    "console": ('<script>console.error("oh dear")</script>', {"console"}, "oh dear"),
    "exception": ("<script>undefined.x</script>", {"page error"}, "undefined"),
    "external": ('<script src="https://example.org/a.js"></script>', {"external request"}, "https://example.org/a.js"),
    "address": ('<script src="http://203.0.113.7/a.js"></script>', {"external request"}, "http://203.0.113.7/a.js"),
    "missing-request": ('<script>fetch("_static/none.json")</script>', {"request"}, "404 _static/none.json"),
    "broken-link": ('<a href="none.html">x</a>', {"link"}, "none.html leads to no file"),
    "broken-anchor": ('<a href="clean.html#none">x</a>', {"anchor"}, "no id of clean.html"),
    "rooted-link": ('<a href="/clean.html">x</a>', {"link"}, "not relative"),
    "local-link": ('<a href="http://localhost:8000/">x</a>', {"link"}, "this machine only"),
    "silent-quiz": (CHOICE.format(more="silent", input="", wrong="Wrong."), {"quiz"}, "aria-live"),
    "false-quiz": (CHOICE.format(more="", input="", wrong="Right."), {"quiz"}, "instead of 'Wrong.'"),
    "mouse-quiz": (CHOICE.format(more="", input='style="display: none"', wrong="Wrong."), {"quiz"}, "by key"),
    "early-quiz": (TRUE_FALSE + "<style>.quiz-feedback { display: block }</style>", {"quiz"}, "before one is chosen"),
    "open-solution": (SOLUTION.format(more="", body="<p>So.</p>"), {"solution"}, "s1 is open at load"),
    "locked-solution": (
        SOLUTION.format(more="shut", body="<p>So.</p>")
        + "<style>@media screen { .solution section { visibility: hidden } }</style>",
        {"solution"},
        "does not open and close",
    ),
    "locked-details": (
        '<details class="fold" onclick="event.preventDefault()"><summary>Why?</summary><p>So.</p></details>',
        {"folded block"},
        "details.fold",
    ),
    "stuck-player": (PLAYER.format(more="stuck", second="hidden"), {"player"}, "the slider does not change"),
    "two-frames": (PLAYER.format(more="stuck", second=""), {"player"}, "2 frames at once"),
    "stuck-explorer": (EXPLORER.format(more="stuck"), {"explorer"}, "explorer-x-0 does not change the picture"),
    "still-live": (LIVE.format(more="still"), {"live figure"}, "live-x stays a picture"),
    "stuck-live": (LIVE.format(more="stuck"), {"live figure"}, "live-x: a mark follows no arrow key"),
    "lost-live": (LIVE.format(more="lost"), {"live figure"}, "live-x is not reset"),
    "idle-today": (TODAY.format(more="idle"), {"today"}, "no new card is offered"),
    "open-today": (TODAY.format(more="open"), {"today"}, "the answer of a card is open"),
    "shut-today": (TODAY.format(more="shut"), {"today"}, "space does not show the answer"),
    "stuck-today": (TODAY.format(more="stuck"), {"today"}, "a card that is answered does not count"),
    "empty-plan": (PLAN.format(more="empty"), {"plan"}, "no day has anything to do"),
    "deaf-plan": (PLAN.format(more="deaf"), {"plan"}, "does not count as done"),
    "full-worksheet": (SHEET.format(more="full"), {"worksheet"}, "no room for the work"),
    "same-worksheet": (SHEET.format(more="same"), {"worksheet"}, "the same answers"),
    "no-download": ("<p>Text.</p>", {"download"}, "no link to the notebook"),
    "wrong-download": (DOWNLOAD.format(stem="clean"), {"download"}, "instead of _sources/wrong-download.ipynb"),
    "empty-download": (DOWNLOAD.format(stem="empty-download"), {"download"}, "is no notebook"),
    "print-closed": (
        SOLUTION.format(more="shut", body="<p>So.</p>") + "<style>@media print { section { display: none } }</style>",
        {"print"},
        "stays folded",
    ),
    "print-answers": (
        SOLUTION.format(more="shut", body="<p>So.</p>") + "<style>.solution { display: block !important }</style>"
        "<style>body.hide-answers .solution.dropdown { display: block !important }</style>",
        {"print"},
        "paper without answers",
    ),
    "print-controls": ('<button class="copybtn">copy</button>', {"print"}, "button.copybtn is printed"),
    "print-cut": (
        FORMULA.format(width=800, tex="x", more="", number="")
        + "<style>main { width: 100%; box-sizing: border-box }</style>",
        {"print", "axe phone"},  # on a phone it scrolls, which a keyboard must be able to do
        "cut at the margin",
    ),
    "no-contrast": (
        PALE,
        {"axe light", "axe dark", "axe phone"},
        "color-contrast",
    ),
    "no-contrast-on-a-phone": (
        "<style>@media (max-width: 600px) { .box { background: #666 } }</style>"
        '<p>black</p><div class="box"><p>black</p></div>',
        {"axe phone"},
        "color-contrast",
    ),
    "no-contrast-in-dark": ('<p style="color: #333">black</p>', {"axe dark"}, "color-contrast"),
    "no-contrast-in-one-row-of-the-dark": (
        "<style>html[data-theme=dark] li:nth-child(4) { color: #333 }</style>"
        "<ol><li>black</li><li>black</li><li><b>black</b> <i>black</i></li><li>black</li></ol>",
        {"axe dark"},
        "color-contrast",
    ),
    "no-contrast-in-dark-beside-another": (
        "<style>html[data-theme=dark] main:has(i) p { color: #333 }</style><p>black</p><p>black <i>black</i></p>",
        {"axe dark"},
        "color-contrast",
    ),
    "no-contrast-in-an-entry": (
        SIDEBAR.format(more="", entries=f"{ENTRY}<li><a href='clean.html' style='color: #bbb'>Pale</a></li>"),
        {"axe light", "axe phone"},
        "color-contrast",
    ),
    "no-contrast-in-another-list": (
        "<style>.pale a { color: #bbb !important }</style>" + SIDEBAR.format(more="pale", entries=ENTRY),
        {"axe light", "axe phone"},
        "color-contrast",
    ),
    "no-name-of-an-entry": (
        SIDEBAR.format(more="", entries=f"{ENTRY}<li><a href='clean.html'><b></b></a></li>"),
        {"axe light", "axe phone"},
        "link-name",
    ),
    "no-heading": ("<style>h1 { display: none }</style>", {"axe light", "axe phone"}, "page-has-heading-one"),
}
NOTEBOOKS = ("clean", "no-download", "wrong-download", "empty-download")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report on a site with a clean page and one page for each fault."""
    folder = tmp_path_factory.mktemp("faults")
    write_sound_site(folder)
    for stem in NOTEBOOKS:
        cells = [] if stem == "empty-download" else [{"cell_type": "markdown"}]
        (folder / f"_sources/{stem}.ipynb").write_text(json.dumps({"cells": cells}))
    # a fetch works from a server and fails from a folder, and so does an address that begins with a slash
    rooted = 'fetch("_static/data.json").catch(() => 0); new Image().src = "/_static/dot.png"'
    write_page(folder, "root", f"<script>{rooted}</script>")
    (folder / "moved.html").write_text('<meta http-equiv="Refresh" content="0; url=none.html" />')
    for name in ("listed", "listed-again"):
        write_page(folder, name, SIDEBAR.format(more="", entries=ENTRY))
    for name, (body, _, _) in FAULTS.items():
        write_page(folder, name, body)
    return check(folder)


@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found_and_no_other(report, name):
    _, checks, words = FAULTS[name]
    problems = found(report, f"{name}.html")
    assert {c for c, _ in problems} == checks
    assert any(words in detail for _, detail in problems)


@pytest.mark.parametrize(
    "page",
    [
        "clean.html",
        "listed.html",
        "listed-again.html",
        "other page.html",
        "search.html",
        "index.html",
        "(all pages)",
        "_static",
    ],
)
def test_nothing_is_found_where_nothing_is_wrong(report, page):
    assert not found(report, page)


def test_features_and_hosts_are_counted(report):
    assert report.features == {
        "quiz",
        "solution",
        "folded block",
        "player",
        "explorer",
        "live figure",
        "today",
        "plan",
        "worksheet",
        "download",
    }
    assert report.hosts == {"example.org", "203.0.113.7", "localhost"}
    assert report.pages == len(FAULTS) + 6


def test_redirection_to_nowhere(report):
    assert found(report, "moved.html") == {("link", "redirects to none.html, which does not exist")}


def test_site_is_opened_without_a_server(report):
    assert {c for c, _ in found(report, "root.html")} == {"file:// console", "file:// request"}
