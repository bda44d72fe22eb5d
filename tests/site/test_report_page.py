"""A report of a mistake in Chromium: it says the section on the screen and the version; the foot says the version."""

import contextlib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import version_line

from tools.site_check.accessibility import AllowList, check_axe
from tools.site_check.browser import browser, find_chromium, serve

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
TALL = "\n\n".join(["Words."] * 60)
PAGE = f"# Means & modes\n\nOne.\n\n{TALL}\n\n## Why $x$ = *one*\n\n{TALL}\n\n## How\n\n### Steps\n\n{TALL}\n"
EXTENSIONS = ["katex_math", "offline_site", "theme_repairs", "icon_font", "hosting", "version_line"]
LINK = ".btn-source-issues-button"
FOOT = "() => getComputedStyle(document.querySelector('.extra_footer'), '::after').content"


@pytest.fixture(scope="module", params=["github.com", "gitlab.com"])
def address(request, shared_book):
    """A small book of a repository, served."""
    options = {"navbar_persistent": [], "use_fullscreen_button": False, "extra_footer": "Licence."}
    options |= {"repository_url": f"https://{request.param}/some-group/some-book", "repository_branch": "main"}
    book = shared_book(EXTENSIONS, ["page"], html_theme="sphinx_book_theme", html_theme_options=options)
    book.config["html_css_files"] = ["book.css"]
    for name in ("book.css", "icons.css", "report.js"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    book.write("page.md", PAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(version_line, "version", lambda root: "Version 0123abc of 2031-02-03")
        book.build()
    assert not book.warnings
    with serve(book.root / "out/html") as root:
        yield f"{root}page.html"


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def opened(chromium, address):
    """Open the page; a script error fails the test."""
    with contextlib.ExitStack() as open_ones:
        errors = []

        def visit(**options):
            context = open_ones.enter_context(contextlib.closing(chromium.new_context(**options)))
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(address)
            return page

        yield visit
        assert not errors


def reported(page):
    """The title and the lines of the text that the link has written."""
    (title, text) = (values[0] for values in parse_qs(urlsplit(page.get_attribute(LINK, "href")).query).values())
    return title, text.splitlines()[:3]


@pytest.mark.parametrize(
    ("heading", "section"), [(None, "at the top"), ("#why-x-one", "Why $x$ = one"), ("#steps", "Steps")]
)
def test_a_report_says_chapter_section_and_version(opened, heading, section):
    page = opened()
    if heading:
        page.evaluate(f"document.querySelector('{heading}').scrollIntoView({{behavior: 'instant'}})")
    page.dispatch_event(LINK, "focus")
    title, (chapter, where, version) = reported(page)
    assert title == "Mistake in: Means & modes"
    assert chapter == "Chapter: Means & modes (page)"
    assert where == f"Section: {section}"
    assert version == "Version: 0123abc of 2031-02-03"
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    page.dispatch_event(LINK, "focus")
    assert reported(page)[1][1] == "Section: at the top"  # each time anew


def test_the_menu_opens_by_keyboard_and_the_link_is_filled(opened):
    page = opened()
    page.focus(".dropdown-source-buttons > button")
    for key in ("Enter", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent.trim()") == "Report a mistake"
    assert reported(page)[1][2] == "Version: 0123abc of 2031-02-03"


def test_without_scripts_the_report_says_the_chapter_and_the_foot_the_version(opened):
    page = opened(java_script_enabled=False)
    assert reported(page)[1] == ["Chapter: Means & modes (page)", "Section: ", "Version: "]
    assert "Version 0123abc of 2031-02-03" in page.locator(".extra_footer").evaluate(
        "foot => getComputedStyle(foot, '::after').content"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_menus_and_foot_are_accessible(opened, scheme):
    page = opened(color_scheme=scheme)
    assert page.evaluate(FOOT) == '"Version 0123abc of 2031-02-03"'
    page.click(".dropdown-source-buttons > button")
    page.locator(LINK).wait_for(state="visible")
    assert check_axe("page", page, scheme, AllowList.read()) == []
