"""Printing a page of the built book, with the pages that its contents lead to."""

import pytest

from tools import print_page

PART = '<div class="card-list must-know"><h2>{0}</h2><p><a href="../../{0}.html#x">{0}</a><img src="{0}.png"></p></div>'


@pytest.fixture
def tab():
    with print_page.new_page() as page:
        yield page


@pytest.fixture
def sheet(tmp_path):
    links = "".join(f'<li><a href="sheet/{name}.html">Part {name}</a></li>' for name in ("b", "a"))
    (tmp_path / "sheet").mkdir()
    (tmp_path / "sheet.html").write_text(
        f'<h1>Sheet</h1><a href="c.html">c</a><div class="card-contents">{links}</div>'
    )
    for name in ("a", "b", "c"):
        (tmp_path / "sheet" / f"{name}.html").write_text(f"<h1>{name}</h1><p>Above.</p>{PART.format(name)}")
    return tmp_path / "sheet.html"


@pytest.mark.browser
def test_lists_of_the_parts_take_the_place_of_their_contents(tab, sheet):
    print_page.open_whole(tab, sheet.as_uri())
    assert tab.locator(".card-contents").count() == 0
    assert tab.locator("h1, h2").all_inner_texts() == ["Sheet", "Part b", "b", "Part a", "a"]
    assert tab.locator(".card-list > h2.card-list-part").all_inner_texts() == ["Part b", "Part a"]
    site = sheet.parent.parent
    links = tab.locator(".card-list a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links == [f"{(site / 'b.html').as_uri()}#x", f"{(site / 'a.html').as_uri()}#x"]
    images = tab.locator(".card-list img").evaluate_all("images => images.map(image => image.getAttribute('src'))")
    assert images == [(sheet.parent / "sheet" / f"{name}.png").as_uri() for name in ("b", "a")]


@pytest.mark.browser
def test_another_page_is_printed_as_it_is(tab, sheet):
    print_page.open_whole(tab, (sheet.parent / "sheet" / "c.html").as_uri())
    assert tab.locator("h1, h2").all_inner_texts() == ["c", "c"]
    assert tab.url.endswith("sheet/c.html")
