"""Tests of what the browser checks decide before any browser starts: how closely to look at each page."""

import json

import pytest

pytestmark = pytest.mark.browser

PAGE = '<html><head><title>{title}</title></head><body><nav>{nav}</nav><main class="m">{body}</main></body></html>'
BODIES = {
    "chapter": '<div class="quiz"></div><p class="a">x</p><table></table>' + "<p>long</p>" * 100,
    "other": '<p class="a">x</p><p>y</p>',
    "sheet": '<ul class="cards"></ul>',
    "third": '<p class="a">z</p>',
}
FORMULA = '<span class="katex"><math><mi>x</mi></math><span class="katex-html"><b class="x"></b></span></span>'


@pytest.fixture
def site(tmp_path):
    """Four pages; ``chapter`` and ``sheet`` together have one of each kind of element."""
    (tmp_path / "html/_static").mkdir(parents=True)
    (tmp_path / "html/_static/site.css").write_text("p { color: black }")
    for name, body in BODIES.items():
        write(tmp_path / "html", name, body)
    (tmp_path / "html/index.html").write_text('<meta http-equiv="refresh" content="0; url=chapter.html">')
    return tmp_path / "html"


def write(folder, name, body, nav="Contents"):
    (folder / f"{name}.html").write_text(PAGE.format(title=name, nav=nav, body=body))


def recorded(folder):
    from tools.site_check.checked import record
    from tools.site_check.pages import Site

    record(Site(folder), folder.parent / "checked.json")
    return folder.parent / "checked.json"


def depths(folder, everything=False):
    """Depth of each page against the list beside the folder."""
    from tools.site_check.pages import Site
    from tools.site_check.plan import plan

    planned = plan(Site(folder), folder.parent / "checked.json", everything)
    return {page.removesuffix(".html"): depth.name for page, depth in planned.items()}


UNCHANGED = {"chapter": "SAMPLE", "other": "GLANCE", "sheet": "SAMPLE", "third": "GLANCE", "index": "GLANCE"}
EVERYTHING = dict.fromkeys(UNCHANGED, "WHOLE")


def test_unchanged_pages_are_glanced_at_but_for_one_of_each_kind(site):
    recorded(site)
    assert depths(site) == UNCHANGED


def test_a_changed_page_and_a_new_one_are_examined_whole(site):
    recorded(site)
    write(site, "third", '<p class="a">zz</p>')
    write(site, "fourth", '<p class="a">z</p>')
    assert depths(site) == {**UNCHANGED, "third": "WHOLE", "fourth": "WHOLE"}


def test_a_changed_page_stands_for_its_kinds(site):
    recorded(site)
    write(site, "third", BODIES["chapter"] + BODIES["sheet"] + " " * 3_000_000)  # dear, so not a choice of the cover
    assert depths(site) == {**dict.fromkeys(UNCHANGED, "GLANCE"), "third": "WHOLE"}


def test_what_stands_around_a_page_does_not_change_it(site):
    recorded(site)
    for name, body in BODIES.items():
        write(site, name, body, nav="Contents, and one chapter more")
    assert depths(site) == UNCHANGED


def test_everything_is_examined_on_demand(site):
    recorded(site)
    assert depths(site, everything=True) == EVERYTHING


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"pages": 3}'], ids=["missing", "empty", "list", "no", "bad"])
def test_without_a_list_everything_is_examined(site, text):
    if text is not None:
        (site.parent / "checked.json").write_text(text)
    assert depths(site) == EVERYTHING


@pytest.mark.parametrize("part", ["checks", "static"])
def test_with_an_old_list_everything_is_examined(site, part):
    file = recorded(site)
    file.write_text(json.dumps({**json.loads(file.read_text()), part: "old"}))
    assert depths(site) == EVERYTHING


def test_the_data_of_search_and_drills_may_change(site):
    recorded(site)
    for folder in ("search", "drills"):
        (site / "_static" / folder).mkdir()
        (site / "_static" / folder / "data.js").write_text("1")
    assert depths(site) == UNCHANGED


@pytest.mark.parametrize("change", ["other text", "new file", "other name"])
def test_a_changed_static_file_changes_every_page(site, change):
    recorded(site)
    style = site / "_static/site.css"
    if change == "other text":
        style.write_text("p { color: red }")
    elif change == "new file":
        (site / "_static/fonts").mkdir()
        (site / "_static/fonts/a.woff2").write_bytes(b"x")
    else:
        style.rename(site / "_static/book.css")
    assert depths(site) == EVERYTHING


@pytest.mark.parametrize("change", ["other text", "no longer named"])
def test_a_changed_script_changes_the_pages_that_name_it(site, change):
    script = site / "_static/rooms/one.js"
    script.parent.mkdir()
    script.write_text("1")
    write(site, "third", BODIES["third"], nav='<script defer src="_static/rooms/one.js?v=1"></script>')
    recorded(site)
    assert depths(site) == UNCHANGED
    if change == "other text":
        script.write_text("2")
    else:
        write(site, "third", BODIES["third"])
        assert depths(site) == EVERYTHING  # a script that no page names may be loaded on any
        write(site, "third", BODIES["third"], nav='<script src="../_static/rooms/one.js"></script>')
        assert depths(site) == UNCHANGED
        return
    assert depths(site)["third"] == "WHOLE"
    assert depths(site)["other"] == "GLANCE"
    assert depths(site)["chapter"] in {"SAMPLE", "GLANCE"}


@pytest.mark.parametrize("shared", ["another script names it", "nobody names it", "every page names it"])
def test_a_changed_script_that_may_run_anywhere_changes_every_page(site, shared):
    (site / "_static/one.js").write_text("1")
    (site / "_static/loader.js").write_text('load("one.js")' if shared == "another script names it" else "")
    if shared != "nobody names it":
        for name in BODIES if shared == "every page names it" else ["third"]:
            write(site, name, BODIES[name], nav='<script src="_static/one.js"></script>')
    recorded(site)
    (site / "_static/one.js").write_text("2")
    changed = {page: depth for page, depth in depths(site).items() if page != "index"}
    assert set(changed.values()) == {"WHOLE"}


def test_changed_checks_change_every_page(site, monkeypatch):
    from tools.site_check import checked

    recorded(site)
    monkeypatch.setattr(checked, "pinned", lambda package: "another axe-core")
    assert depths(site) == EVERYTHING
    monkeypatch.undo()
    monkeypatch.setattr(checked, "__file__", str(site / "_static/site.css"))  # other files lie beside it
    assert depths(site) == EVERYTHING


def test_the_list_names_no_folder_and_no_time(site, tmp_path):
    text = recorded(site).read_text()
    copy = tmp_path / "elsewhere/html"
    copy.parent.mkdir()
    site.rename(copy)
    assert recorded(copy).read_text() == text
    assert str(tmp_path) not in text


def test_kinds_are_tags_and_classes_inside_main():
    from tools.site_check.cover import kinds

    page = f'<i></i><main class="m"><p>{FORMULA}</p>{FORMULA}<pre class="c"><b></b></pre><a class="r s"></a></main>'
    assert kinds(page) == {"main.m", "p", "span.katex", "pre.c", "a.r", "a.s"}


def test_a_formula_left_open_ends_with_the_page():
    from tools.site_check.cover import kinds

    assert kinds('<main><span class="katex"><span><b></b></span></main>') == {"main", "span.katex"}


def test_cover_is_complete_cheap_and_without_needless_pages():
    from tools.site_check.cover import cover

    kinds_of = {name: frozenset(letters) for name, letters in {"a": "123", "b": "12", "c": "3", "d": "45"}.items()}
    assert cover(kinds_of, {"a": 9, "b": 1, "c": 1, "d": 1}, frozenset()) == {"b", "c", "d"}
    assert cover(kinds_of, {"a": 1, "b": 1, "c": 1, "d": 1}, frozenset()) == {"a", "d"}
    assert cover(kinds_of, {"a": 1, "b": 1, "c": 1, "d": 1}, frozenset("123")) == {"d"}
    assert cover(kinds_of, {"a": 1, "b": 1, "c": 1, "d": 1}, frozenset("12345")) == set()
    first_choice_needless = {"a": frozenset("2345"), "b": frozenset("123"), "c": frozenset("456")}
    assert cover(first_choice_needless, {"a": 1, "b": 1, "c": 1}, frozenset()) == {"b", "c"}
