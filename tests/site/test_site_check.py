"""Tests of the browser checks: each rule finds the fault planted for it on a page, and finds none on a clean page.

Two small sites are written by hand and checked once: one full of planted faults, one as bare as can be. A test then
looks at what was reported for its page. The rules are not told which page holds which fault.
"""

import base64
import contextlib
import json
import re

import pytest

pytestmark = pytest.mark.browser

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
RED = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

STYLE = """
body { margin: 0; background: #fff; color: #111; font: 16px/1.5 sans-serif; }
html[data-theme="dark"] body { background: #111; color: #eee; }
html[data-theme="dark"] a { color: #9cf; }
html[data-theme="dark"] :is(.cell_output, .anim-player) img { filter: invert(1); }
main, header { padding: 8px; }
.shut > .admonition-title ~ * { visibility: hidden; }
.katex-display { overflow-x: auto; display: block; }
div.math { display: flex; flex-direction: row-reverse; }
div.math > .katex-display { flex: 1 1 auto; min-width: 0; }
.base { display: inline-block; white-space: nowrap; }
.quiz-feedback { display: none; }
.quiz-input:checked ~ .quiz-feedback { display: block; }
.quiz-true-false .quiz-verdict-right, .quiz-true-false .quiz-verdict-wrong { display: none; }
.quiz-input.right:checked ~ .quiz-feedback .quiz-verdict-right { display: inline; }
.quiz-input.wrong:checked ~ .quiz-feedback .quiz-verdict-wrong { display: inline; }
.quiz-live { position: absolute; width: 1px; height: 1px; overflow: hidden; }
body.hide-answers :is(.solution, .quiz-feedback) { display: none !important; }
@media print {
  .theme-switch-button, .search-button, .dropdown-download-buttons, .toggle-button, .anim-controls { display: none; }
  .shut > .admonition-title ~ * { visibility: visible; }
  .quiz-feedback { display: block; }
  .katex-display { overflow: visible; }
  details::details-content { content-visibility: visible; display: block; }
}
"""

SCRIPT = """
const wish = localStorage.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.theme = wish;
addEventListener("DOMContentLoaded", () => {
  const all = (selector) => document.querySelectorAll(selector);
  all(".theme-switch-button").forEach((b) => b.addEventListener("click", () => {
    localStorage.theme = document.documentElement.dataset.theme = "dark"; }));
  all(".search-button").forEach((b) => b.addEventListener("click", () => {
    const field = document.createElement("input"); field.type = "search"; document.body.append(field);
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter") location = "search.html?q=" + field.value; }); }));
  all(".solution.dropdown").forEach((box) => {
    box.querySelector(".toggle-button").addEventListener("click", () => box.classList.toggle("shut")); });
  all(".dropdown-download-buttons > button").forEach((b) => b.addEventListener("click", () => {
    b.nextElementSibling.hidden = false; }));
  const live = document.createElement("div"); live.className = "quiz-live"; live.ariaLive = "polite";
  document.body.append(live);
  all(".quiz:not(.silent) .quiz-input").forEach((i) => i.addEventListener("change", () => {
    live.textContent = i.parentElement.querySelector(".quiz-feedback").innerText; }));
  all(".anim-player:not(.stuck)").forEach((box) => {
    const frames = [...box.querySelectorAll("img")], slider = box.querySelector("input"); let now = 0, timer = null;
    const show = (i) => { now = (i + frames.length) % frames.length; slider.value = now + 1;
      frames.forEach((f, j) => { f.hidden = j !== now; }); };
    box.querySelectorAll("[data-step]").forEach((b) => b.addEventListener("click", () => show(now + +b.dataset.step)));
    slider.addEventListener("input", () => show(slider.value - 1));
    box.querySelector("[data-play]").addEventListener("click", () => {
      timer = timer ? clearInterval(timer) : setInterval(() => show(now + 1), 100); });
  });
});
"""

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="_static/site.css">
<script src="_static/site.js"></script>{head}</head>
<body>{header}<main><h1>{title}</h1>{body}</main></body></html>"""

BUTTONS = """<header><button class="theme-switch-button">Theme</button>
<button class="search-button">Search</button></header>"""

SEARCH = """<ul id="results"></ul><script>
if (location.search.toLowerCase().includes("everything")) document.getElementById("results").innerHTML =
  '<li><a class="book-search-result" href="clean.html?highlight=x">Everything</a></li>';</script>"""

FIGURE = '<div class="cell_output"><img src="_static/dot.png" alt="{alt}"></div>'

CHOICE = """<div class="quiz quiz-choice {more}" id="q1"><p>Which?</p>
<div class="quiz-options" role="radiogroup" aria-label="Which?">
<div><input type="radio" class="quiz-input" name="q1" id="q1-a" {input}><label for="q1-a">one</label>
<div class="quiz-feedback wrong">{wrong}</div></div>
<div><input type="radio" class="quiz-input" name="q1" id="q1-b" {input}><label for="q1-b">two</label>
<div class="quiz-feedback right">Right. Because.</div></div></div></div>"""

TRUE_FALSE = """<div class="quiz quiz-true-false" id="q2"><p>Is it?</p><div role="radiogroup" aria-label="Is it?">
<input type="radio" class="quiz-input right" name="q2" id="q2-t"><label for="q2-t">True</label>
<input type="radio" class="quiz-input wrong" name="q2" id="q2-f"><label for="q2-f">False</label>
<div class="quiz-feedback"><span class="quiz-verdict-right">Right.</span><span class="quiz-verdict-wrong">Wrong.</span>
It is true.</div></div></div>"""

FOLD = """<details><summary><p class="admonition-title">Show</p><p hidden>Hide</p></summary><p>Because.</p></details>"""

SOLUTION = """<div class="solution dropdown {more}" id="s1"><p class="admonition-title">Solution
<button class="toggle-button">Toggle</button></p><section>{body}</section></div>"""

PLAYER = f"""<div class="anim-player {{more}}" id="anim-p">
<img src="data:image/png;base64,{DOT}" alt="The first of two frames">
<img {{second}} src="data:image/png;base64,{RED}" alt="The second of two frames"><div class="anim-controls">
<button data-step="-1">Previous</button><button data-play>Play</button><button data-step="1">Next</button>
<input type="range" min="1" max="2" value="1" aria-label="Frame"></div></div>"""

DOWNLOAD = """<div class="dropdown-download-buttons"><button>Download</button>
<div hidden><a href="_sources/{stem}.ipynb">notebook</a></div></div>"""

FORMULA = """<div class="math" id="equation-e">{number}<span class="katex-display"><span class="katex">
<span class="katex-html" aria-hidden="true"><span class="base" style="width: {width}px; {more}">{tex}</span></span>
</span></span></div>"""

CLEAN = "".join(
    [
        "<p>Prices of $5; a folder <code>C:\\frac</code> <code>$$x$$</code>, ",
        '<a href="clean.html#equation-e">here</a>, <a href="https://example.org/">elsewhere</a>, ',
        '<a href="other%20page.html">a space</a>.</p>',
        FIGURE.format(alt="A cloud of points with two centres"),
        '<p><img src="_static/dot.png" alt="" role="presentation"></p>',
        '<a href="clean.html"><img src="_static/dot.png" alt=""> Logo and its name</a>',
        CHOICE.format(more="", input="", wrong="Wrong. Because not."),
        TRUE_FALSE,
        SOLUTION.format(more="shut", body=f"<p>It is so.</p>{FOLD}"),
        FOLD,
        PLAYER.format(more="", second="hidden"),
        DOWNLOAD.format(stem="clean"),
        FORMULA.format(width=280, tex="x", more="", number='<span class="eqno">(1)</span>'),
        '<table><tr><th scope="col">a</th></tr><tr><td>1</td></tr></table>',
    ]
)

PALE = '<p style="color: #ccc; background: #fff">pale</p>'
TWICE = '<p id="a">1</p><p id="a">2</p>'

# page: (what stands on it, the checks that must report it and no other, a part of what they say)
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
    "no-heading": ("<style>h1 { display: none }</style>", {"axe light", "axe phone"}, "page-has-heading-one"),
}
NOTEBOOKS = ("clean", "no-download", "wrong-download", "empty-download")


def write_page(folder, name, body, header=BUTTONS, head=""):
    title = name.replace("-", " ").capitalize()
    (folder / f"{name}.html").write_text(PAGE.format(title=title, body=body, header=header, head=head))


def write_static(folder):
    (folder / "_static").mkdir()
    (folder / "_static/site.css").write_text(STYLE)
    (folder / "_static/site.js").write_text(SCRIPT)
    (folder / "_static/dot.png").write_bytes(base64.b64decode(DOT))
    (folder / "_static/broken.png").write_bytes(b"no image")
    (folder / "_static/data.json").write_text("{}")


def write_sound_site(folder):
    """A site without a fault; ``clean.html`` has everything that a page may have."""
    write_static(folder)
    (folder / "_sources").mkdir()
    (folder / "_sources/clean.ipynb").write_text(json.dumps({"cells": [{"cell_type": "markdown"}]}))
    write_page(folder, "root", "<p>Text.</p>")
    write_page(folder, "clean", CLEAN + "<!-- the longest page -->" * 400)
    (folder / "clean.html").write_text((folder / "clean.html").read_text().replace("<h1>Clean", "<h1>Everything clean"))
    write_page(folder, "other page", "<p>Text.</p>")
    write_page(folder, "search", SEARCH)
    (folder / "index.html").write_text('<meta http-equiv="Refresh" content="0; url=root.html" />')


def check(folder, *words):
    from tools.site_check.__main__ import parse
    from tools.site_check.workers import check_site

    queries = folder / "queries.yml"
    if not queries.exists():  # those of the book are about the book
        queries.write_text("[]")
    return check_site(folder, parse([str(folder), "--queries", str(queries), *(words or ["--all"])]))


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
    for name, (body, _, _) in FAULTS.items():
        write_page(folder, name, body)
    return check(folder)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The report on a site of one page without a button or a style, and a page that is too heavy."""
    folder = tmp_path_factory.mktemp("bare")
    write_static(folder)
    write_page(folder, "index", "<p>Text.</p>", header="")
    return check(folder, "--all", "--no-axe", "--jobs", "1")


def found(report, page):
    return {(p.check, p.detail) for p in report.problems if p.page == page}


one_worker = pytest.mark.xdist_group("planted faults")  # the site is checked once


@one_worker
@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found_and_no_other(report, name):
    _, checks, words = FAULTS[name]
    problems = found(report, f"{name}.html")
    assert {c for c, _ in problems} == checks
    assert any(words in detail for _, detail in problems)


@one_worker
@pytest.mark.parametrize(
    "page", ["clean.html", "other page.html", "search.html", "index.html", "(all pages)", "_static"]
)
def test_nothing_is_found_where_nothing_is_wrong(report, page):
    assert not found(report, page)


@one_worker
def test_features_and_hosts_are_counted(report):
    assert report.features == {"quiz", "solution", "folded block", "player", "download"}
    assert report.hosts == {"example.org", "203.0.113.7", "localhost"}
    assert report.pages == len(FAULTS) + 4


@one_worker
def test_redirection_to_nowhere(report):
    assert found(report, "moved.html") == {("link", "redirects to none.html, which does not exist")}


@one_worker
def test_site_is_opened_without_a_server(report):
    assert {c for c, _ in found(report, "root.html")} == {"file:// console", "file:// request"}


def test_a_site_without_features_fails(bare):
    missing = {"quiz", "solution", "folded block", "player", "download"}
    assert found(bare, "(all pages)") == {(name, "no page of the site has one") for name in missing}
    assert {c for c, _ in found(bare, "index.html")} == {"search", "dark switch"}


def test_a_search_that_finds_another_page_and_a_switch_that_forgets(tmp_path):
    write_static(tmp_path)
    script = tmp_path / "_static/site.js"
    script.write_text(SCRIPT.replace("localStorage.theme = document", "document"))
    write_page(tmp_path, "index", "<p>Text.</p>")
    write_page(tmp_path, "everything", "<p>Text.</p>" * 400)
    write_page(tmp_path, "search", SEARCH.replace("clean.html", "index.html"))
    report = check(tmp_path, "--all", "--no-axe", "--jobs", "1")
    assert found(report, "index.html") == {("search", "searching for 'Everything' does not find everything.html")}
    assert found(report, "everything.html") == {("dark switch", "the choice is forgotten on the next page")}


def test_weight(tmp_path, monkeypatch):
    from tools.site_check import weight
    from tools.site_check.pages import Site

    write_static(tmp_path)
    write_page(tmp_path, "index", "x" * 3000)
    site = Site(tmp_path)
    assert not weight.check_weight(site)
    monkeypatch.setattr(weight, "PAGE_LIMIT", 2000)
    monkeypatch.setattr(weight, "STATIC_LIMIT", 2000)
    assert {(p.page, p.check) for p in weight.check_weight(site)} == {
        ("index.html", "weight"),
        ("_static", "weight"),
    }
    monkeypatch.setattr(weight, "PAGE_LIMIT", 4000)
    monkeypatch.setattr(weight, "STATIC_LIMIT", 10_000)
    assert not weight.check_weight(site)  # 3000 equal letters take little room on their way
    monkeypatch.setattr(weight, "SENT_LIMIT", 200)
    assert [p.detail.split(" of ")[1] for p in weight.check_weight(site)] == ["compressed HTML, the limit is 0 kB"]


def test_allow_list(tmp_path):
    from tools.site_check.accessibility import AllowList

    file = tmp_path / "allow.yml"
    file.write_text("- {rule: region, target: '^#a', reason: known}\n- {rule: list, target: '.', reason: known}")
    allowed = AllowList.read(file)
    assert allowed.allows({"rule": "region", "target": "#a > p"})
    assert not allowed.allows({"rule": "region", "target": "main #a"})
    assert not allowed.allows({"rule": "color-contrast", "target": "#a"})
    assert [p.detail for p in allowed.stale()] == ["list at . matches nothing: remove it"]
    file.write_text("- {rule: region, target: '#a'}")
    with pytest.raises(ValueError, match="needs rule, target and reason"):
        AllowList.read(file)


def test_the_real_allow_list_is_short_and_has_reasons():
    from tools.site_check.accessibility import AllowList

    entries = AllowList.read().entries
    assert len(entries) <= 5
    assert all(len(entry["reason"].split()) >= 6 for entry in entries)


def test_lines_are_short_of_repetition():
    from tools.site_check.problems import Problem, lines

    same = [Problem(f"{i}.html", "axe light", "region: same") for i in range(9)]
    many = [Problem("a.html", "raw text", f"formula {i}") for i in range(9)]
    two = [Problem("a.html", "image", "x"), Problem("b.html", "image", "x")]
    assert lines(same) == ["0.html (and 8 other pages) | axe light | region: same"]
    assert lines(two) == ["a.html | image | x", "b.html | image | x"]
    assert len(lines(many)) == 4
    assert lines(many)[-1] == "a.html | raw text | ... and 6 more"


def test_command_line(tmp_path, capsys):
    from tools.site_check.__main__ import main

    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "build it first" in capsys.readouterr().err
    write_static(tmp_path)
    write_page(tmp_path, "index", "<p>Text.</p>")
    write_page(tmp_path, "bad", TWICE)
    shots = tmp_path / "shots"
    assert main([str(tmp_path), "--only", "index.html", "--screenshots", str(shots)]) == 0
    assert re.match(r"1 pages, .* 0 problems; \d+ s", capsys.readouterr().out)
    assert {p.name for p in shots.iterdir()} == {"index-light.png", "index-dark.png", "index-phone.png"}
    assert main([str(tmp_path), "--only", "bad.html", "--no-axe"]) == 1
    assert capsys.readouterr().out.startswith("bad.html | duplicate id | a\n")
    with pytest.raises(SystemExit, match=r"no such page in .*: none.html"):
        main([str(tmp_path), "--only", "none.html"])


@pytest.fixture
def grown(tmp_path):
    """A site with faults in four pages; three were recorded as they are, and the fourth is new or has changed."""
    from tools.site_check.checked import record
    from tools.site_check.pages import Site

    folder = tmp_path / "html"
    folder.mkdir()
    write_static(folder)
    link = '<p><a href="none.html">x</a></p>'
    write_page(folder, "index", f'{link}<dl><dt style="color: #ccc">a kind of its own</dt></dl>')
    write_page(folder, "old", f'{PALE}{TWICE}{link}<p style="width: 500px">wide</p>')
    write_page(folder, "edited", "<p>Text.</p>")
    record(Site(folder), tmp_path / "checked.json")
    write_page(folder, "edited", f"<p>Text.</p>{PALE}{PLAYER.format(more='stuck', second='hidden')}")
    return folder


COLOURS = {"axe light", "axe dark", "axe phone"}


@pytest.mark.parametrize(
    ("words", "examined", "old"),
    [
        ([], 2, {"duplicate id", "link", "width 360 px"}),
        (["--all"], 3, {"duplicate id", "link", "width 360 px", "width 390 px", *COLOURS}),
    ],
    ids=["default", "all"],
)
def test_what_is_as_it_was_checked_is_only_glanced_at(grown, words, examined, old):
    report = check(grown, "--checked", str(grown.parent / "checked.json"), "--jobs", "1", *words)
    assert {c for c, _ in found(report, "edited.html")} == {"player", *COLOURS}  # it changed
    assert {c for c, _ in found(report, "index.html")} >= {"axe light", "axe phone"}  # of a kind of its own
    assert {c for c, _ in found(report, "old.html")} == old
    assert (report.pages, report.examined) == (3, examined)


def test_a_tab_is_used_for_some_pages_and_replaced_between_two(tmp_path, monkeypatch):
    from tools.site_check import visit
    from tools.site_check.accessibility import AllowList
    from tools.site_check.browser import browser, find_chromium, serve
    from tools.site_check.pages import Site

    write_static(tmp_path)
    for name in ("index", "second", "third"):
        write_page(tmp_path, name, "<p>Text.</p>")
    monkeypatch.setattr(visit, "TAB_LIFE", 2)
    with serve(tmp_path) as base, browser(find_chromium()) as running:
        session = visit.Session(Site(tmp_path), base, AllowList(), False, None, {"light": running.new_context()})
        first = session.open("light", "index.html")
        assert session.open("light", "second.html") is first
        assert session.open("light", "second.html") is first
        assert session.open("light", "third.html") is not first
        assert first.is_closed()


def test_a_sample_has_one_block_of_each_kind_and_all_headings():
    from tools.site_check.browser import browser, find_chromium
    from tools.site_check.rules import collect

    quiz = '<div class="quiz"><p>two</p><p>paragraphs</p></div>'
    formula = '<p><span class="katex"><b class="{0}">{0}</b></span></p>'
    body = f"""<h1>1</h1><section><h2>2</h2><p>text</p><p>more</p><p class="a">other</p>{quiz}{quiz}</section>
      <section><h2>3</h2>{formula.format("x")}{formula.format("y")}{quiz}<div><section><h3>4</h3></section></div>
      <table><tr><td>cell</td></tr></table><pre><i>i</i></pre><pre><u>u</u></pre></section>"""
    with browser(find_chromium()) as running:
        page = running.new_page()
        page.set_content(f"<nav><p>around</p></nav><main>{body}</main>")
        collect(page, "thin")
        left = page.locator("body").inner_text().split()
    assert left == ["around", "1", "2", "text", "other", "two", "paragraphs", "3", "x", "4", "cell", "i"]


def test_the_list_is_written_when_nothing_was_found(tmp_path, capsys):
    from tools.site_check.__main__ import main

    folder, listed = tmp_path / "html", tmp_path / "checked.json"
    folder.mkdir()
    write_sound_site(folder)
    words = [str(folder), "--checked", str(listed), "--jobs", "1"]
    write_page(folder, "bad", TWICE)
    assert main([*words, "--all", "--record"]) == 1
    assert not listed.exists()
    write_page(folder, "bad", "<p>Text.</p>")
    assert main([*words, "--all", "--record"]) == 0
    assert "5 pages, 5 of them examined" in capsys.readouterr().out
    assert main(words) == 0
    assert "5 pages, 2 of them examined" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--record"], ["--all", "--no-axe", "--record"], ["--only", "a.html", "--record"]])
def test_only_a_full_check_is_recorded(tmp_path, capsys, words):
    from tools.site_check.__main__ import parse

    write_page(tmp_path, "a", "<p>Text.</p>")
    with pytest.raises(SystemExit):
        parse([str(tmp_path), *words])
    assert "--record goes with --all" in capsys.readouterr().err


@pytest.mark.parametrize(("crashes", "problems"), [(1, []), (2, ["browser"])])
def test_a_page_that_crashes_its_tab_is_tried_once_more(tmp_path, monkeypatch, crashes, problems):
    from playwright.sync_api import Error

    from tools.site_check import visit

    write_static(tmp_path)
    write_page(tmp_path, "index", "<p>Text.</p>")
    write_page(tmp_path, "second", "<p>Text.</p>")
    left, look = [crashes], visit._examine_phone

    def crash_first(session, name, *rest):
        if name == "second.html" and left[0]:
            left[0] -= 1
            page = session.open("phone", name)
            with page.expect_event("crash"), contextlib.suppress(Error):
                page.goto("chrome://crash")
        look(session, name, *rest)

    monkeypatch.setattr(visit, "_examine_phone", crash_first)
    report = check(tmp_path, "--no-axe", "--jobs", "1", "--only", "second.html", "index.html")
    assert [problem.check for problem in report.problems if problem.check == "browser"] == problems
    assert report.pages == 2


def test_browser_is_looked_for_by_name(monkeypatch, tmp_path):
    from tools.site_check.browser import find_chromium

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(SystemExit, match="apt-get install chromium"):
        find_chromium()
    for name in ("chrome", "chromium-browser"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
        assert find_chromium() == str(tmp_path / name)
    monkeypatch.setenv("CHROMIUM", "/nowhere/chrome")
    with pytest.raises(SystemExit, match="CHROMIUM=/nowhere/chrome is not a program"):
        find_chromium()
