"""Tests of the browser checks around the rules: reports, command line, which pages are examined, what is recorded."""

import contextlib
import re

import pytest

from tests.site.planted_site import (
    PALE,
    PLAYER,
    SCRIPT,
    SEARCH,
    TWICE,
    check,
    found,
    write_page,
    write_sound_site,
    write_static,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The report on a site of one page without a button or a style, and a page that is too heavy."""
    folder = tmp_path_factory.mktemp("bare")
    write_static(folder)
    write_page(folder, "index", "<p>Text.</p>", header="")
    return check(folder, "--all", "--no-axe", "--jobs", "1")


def test_a_site_without_features_fails(bare):
    missing = {
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
    assert found(bare, "(all pages)") == {(name, "no page of the site has one") for name in missing}
    assert {c for c, _ in found(bare, "index.html")} == {"search", "dark switch"}


def test_a_search_that_finds_another_page_a_switch_that_forgets_and_a_link_that_misses(tmp_path):
    write_static(tmp_path)
    script = tmp_path / "_static/site.js"
    script.write_text(SCRIPT.replace("localStorage.theme = document", "document"))
    write_page(tmp_path, "index", "<p>Text.</p>")
    deep = '<section><p>Text.</p><section id="far">Far.</section><section id="farther">Farther.</section></section>'
    away = "<script>setTimeout(() => { if (location.hash === '#farther') scrollTo(0, 0); }, 50);</script>"
    write_page(tmp_path, "everything", "<p>Text.</p>" * 400 + deep + "<p>Text.</p>" * 400 + away)
    write_page(tmp_path, "search", SEARCH.replace("clean.html", "index.html"))
    report = check(tmp_path, "--all", "--no-axe", "--jobs", "1")
    assert found(report, "index.html") == {("search", "searching for 'Everything' does not find everything.html")}
    missed = {text for name, text in found(report, "everything.html") if name == "deep link"}
    assert len(missed) == 1
    assert re.fullmatch(r"#farther is \d{4,} px from the top", missed.pop())
    others = {problem for problem in found(report, "everything.html") if problem[0] != "deep link"}
    assert others == {("dark switch", "the choice is forgotten on the next page")}


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
    monkeypatch.setattr(weight, "SENT_LIMIT", 4000)
    for name in ("drills/viterbi.js", "search/page.js", "search/index.js"):  # fetched on demand: not in the sum
        path = tmp_path / "_static" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(range(256)) * 64)
    assert not weight.check_weight(site)
    monkeypatch.setattr(weight, "PART_LIMIT", 200)  # the index of the search is weighed by the checks of the search
    assert [p.detail.split(":")[0] for p in weight.check_weight(site)] == ["viterbi.js", "page.js"]


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
    queries = tmp_path / "queries.yml"
    queries.write_text("[]")
    words = [str(folder), "--checked", str(listed), "--queries", str(queries), "--jobs", "1"]
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


# -- the tests of the checks themselves ------------------------------------------------------------------------------


@pytest.fixture
def own_tests(tmp_path, monkeypatch):
    """The module that runs these tests, with a folder of its own, and what it would run."""
    from tools.site_check import own_tests

    monkeypatch.setattr(own_tests, "PASSED", tmp_path / "build/passed")
    monkeypatch.setattr(own_tests, "recorded", lambda: "")
    own_tests.ran = []
    monkeypatch.setattr(own_tests.subprocess, "call", lambda command, cwd: own_tests.ran.append(command) or 0)
    return own_tests


def test_the_tests_of_the_checks_run_until_they_have_passed(own_tests, monkeypatch):
    own_tests.main([])
    own_tests.main([])
    own_tests.main(["--all"])
    assert [set(own_tests.TESTS) <= set(command) for command in own_tests.ran] == [True, False, True]
    assert "tests/site/test_print_page.py" in own_tests.ran[1]  # the others run
    monkeypatch.setattr(own_tests, "checks", lambda: "changed")
    own_tests.main([])
    assert set(own_tests.TESTS) <= set(own_tests.ran[3])


def test_tests_that_fail_run_again(own_tests, monkeypatch):
    monkeypatch.setattr(own_tests.subprocess, "call", lambda command, cwd: 1)
    assert own_tests.main([]) == 1
    assert not own_tests.passed()


def test_a_record_takes_over_the_state_in_which_the_tests_passed(own_tests, tmp_path, monkeypatch):
    from tools.site_check.checked import record, recorded
    from tools.site_check.pages import Site

    write_static(tmp_path)
    write_page(tmp_path, "index", "<p>Text.</p>")
    record(Site(tmp_path), tmp_path / "checked.json", own_tests.passed_here())
    monkeypatch.setattr(own_tests, "recorded", lambda: recorded(tmp_path / "checked.json"))
    assert not own_tests.passed()  # they have not run
    own_tests.main([])
    record(Site(tmp_path), tmp_path / "checked.json", own_tests.passed_here())
    own_tests.PASSED.unlink()
    assert own_tests.passed()
    monkeypatch.setattr(own_tests, "browser_version", lambda: "another one")
    assert not own_tests.passed()
