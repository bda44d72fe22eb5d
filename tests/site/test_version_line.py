"""The version of the book at the foot of each page: one file that a new commit changes, and no page."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import version_line

from tools.site_check.checked import fingerprint
from tools.site_check.pages import Site

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def commit(folder, *words, day="2031-02-03"):
    """Commit all that lies in a folder, on a day."""
    who = ["-c", "user.name=One", "-c", "user.email=one@example.org", "-c", "commit.gpgsign=false"]
    when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
    subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
    subprocess.run(["git", "-C", folder, "add", "."], check=True)
    subprocess.run(["git", "-C", folder, *who, "commit", "-qm", "One", *words], check=True, env=when)
    done = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path):
    """A folder of its own with one commit."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "page.md").write_text("# One\n")
    return folder


def test_a_checkout_says_its_commit_and_the_day(checkout):
    made = commit(checkout)
    (found,) = re.findall(r"^Version ([0-9a-f]{7,}) of 2031-02-03$", version_line.version(checkout))
    assert made.startswith(found)


def test_changes_that_are_not_committed_are_said(checkout):
    commit(checkout)
    (checkout / "scratch").write_text("not of the book")
    assert version_line.version(checkout).endswith("of 2031-02-03")
    (checkout / "page.md").write_text("# Two\n")
    assert version_line.version(checkout).endswith("of 2031-02-03, with changes")


def test_elsewhere_the_version_of_the_project_stands(checkout, monkeypatch):
    assert version_line.version(checkout) == f"Version {PROJECT}"
    commit(checkout)
    (checkout / "book").mkdir()  # unpacked inside a checkout of something else
    assert version_line.version(checkout / "book") == f"Version {PROJECT}"
    monkeypatch.setenv("PATH", "")  # no git
    assert version_line.version(checkout) == f"Version {PROJECT}"


@pytest.fixture
def book(new_book, monkeypatch):
    """A book that says which version a test wants."""
    options = {"navbar_persistent": [], "use_fullscreen_button": False, "extra_footer": "Licence."}
    small = new_book(
        ["katex_math", "version_line"], ["a/b/page"], html_theme="sphinx_book_theme", html_theme_options=options
    )
    small.write("a/b/page.md", "# Page\n")
    small.say = lambda text: monkeypatch.setattr(version_line, "version", lambda root: text)
    return small


def test_each_page_loads_the_line(book):
    book.say("Version abc of 2031-02-03")
    book.build()
    assert not book.warnings
    for page, up in (("intro", ""), ("a/b/page", "../../"), ("search", "")):
        (sheet,) = [
            link["href"] for link in book.soup(page).select('link[rel="stylesheet"]') if "version" in link["href"]
        ]
        assert sheet == f"{up}version.css"
        assert book.soup(page).select_one(".bd-footer-content .extra_footer")  # what the sheet writes below
    sheet = (book.root / "out/html/version.css").read_text(encoding="utf-8")
    assert '--book-version: "Version abc of 2031-02-03";' in sheet
    assert ".bd-footer-content .extra_footer::after { content: var(--book-version);" in sheet


def test_a_new_version_changes_no_page(book):
    """Neither the files of the pages nor what the browser checks compare, even if all pages are built anew."""
    out = book.root / "out/html"

    def state(version):
        book.say(version)
        book.build()
        pages = {name: (out / name).read_bytes() for name in ("intro.html", "a/b/page.html")}
        return (pages, fingerprint(Site(out))), (out / "version.css").read_bytes()

    first, sheet = state("Version one")
    later, later_sheet = state("Version two")  # no page is written in this build, and the sheet is
    assert later == first
    assert later_sheet != sheet
    shutil.rmtree(book.root / "out")
    assert state("Version two") == (first, later_sheet)
