"""Mathematics in the built pages."""

import doctest
from pathlib import Path

import katex_math
import pytest
from sphinx.errors import ExtensionError

STATIC = Path(__file__).resolve().parents[2] / "static"
# Whether each formula and the sign behind it stand in the same line when the paragraph is so wide.
BEHIND = """width => { document.querySelector("p").style.width = `${width}px`;
  return [...document.querySelectorAll("span.math")].map(formula => {
    const sign = document.createRange(); sign.setStart(formula.nextSibling, 0); sign.setEnd(formula.nextSibling, 1);
    const end = [...formula.querySelectorAll(".base")].at(-1).getBoundingClientRect();
    return sign.getBoundingClientRect().left >= end.left; }); }"""
PAGES = [f"page{number}" for number in range(6)]


@pytest.fixture
def small(new_book):
    return new_book(["katex_math"], ["page"])


def test_examples():
    assert doctest.testmod(katex_math).failed == 0


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"a \\ b", True),
        (r"a \\[2pt] b", True),
        (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix} \\ x", True),
        (r"\begin{aligned} a \\ b \end{aligned}", False),
        (r"\substack{a \\ b}", False),
        (r"\left\{ a \\ b \right.", True),
    ],
    ids=["plain", "with-space", "after-matrix", "aligned", "group", "escaped-brace"],
)
def test_line_breaks_are_found_outside_environments_only(tex, expected):
    assert (len(katex_math.split_outside(tex, katex_math.LINE_BREAK)) > 1) is expected


def test_formulas_are_markup_with_mathml(small):
    small.write("page.md", "# Page\n\nInline $a+b$.\n\n$$\nc\n$$\n")
    page = small.build().soup("page")
    assert not small.warnings
    assert page.select_one("span.math .katex-html") is not None
    assert page.select_one("span.math math annotation").get_text() == "a+b"
    assert page.select_one("div.math .katex-display") is not None
    assert not [script for script in page.select("script") if "math" in str(script).lower()]
    assert page.select_one('link[href*="_static/katex/katex.min.css"]') is not None


def test_a_formula_keeps_the_punctuation_behind_it(small):
    long = " + ".join("abcdefghi")
    small.write("page.md", f"# Page $t$, too\n\n($a$), $b$ or $c$; an $n$-gram, *$d$*. The end: $e$\n\n${long}$.\n")
    page = small.build().soup("page")
    assert not small.warnings
    for formula in page.select(".katex"):
        formula.string = formula.select_one("annotation").get_text()
    assert [kept.get_text() for kept in page.select("p .kept:not(.long)")] == ["a),", "c;", "n-"]
    assert [kept.get_text() for kept in page.select("p .kept.long")] == [f"{long}."]
    assert all(len(kept.select("span.math")) == 1 for kept in page.select(".kept"))
    assert page.select_one("section > p").get_text() == "(a), b or c; an n-gram, d. The end: e"


@pytest.mark.browser
def test_no_line_begins_with_the_comma_behind_a_formula(small):
    from tools.site_check.browser import browser, find_chromium

    long = " = ".join(["a + b"] * 8)
    small.write("page.md", f"# Page\n\nText $a + b = c$, or $\\frac{{1}}{{2}}$. Here ${long}$.\n")
    text = small.build().soup("page").select_one("section > p")
    sheets = [(STATIC / name).read_text(encoding="utf-8") for name in ("katex/katex.min.css", "book.css")]
    with browser(find_chromium()) as chromium:
        tab = chromium.new_page()
        tab.set_content(f"<style>{''.join(sheets)}</style>{text}")
        for width in range(60, 300, 5):
            assert tab.evaluate(BEHIND, width) == [True, True, True], width
        assert tab.locator("p").evaluate("p => p.scrollWidth <= p.clientWidth")  # the long one is broken


def test_numbered_equation_has_number_permalink_and_reference(small):
    small.write("page.md", "# Page\n\n$$\nc\n$$ (page-c)\n\nSee {eq}`page-c`.\n")
    page = small.build().soup("page")
    formula = page.select_one("div.math#equation-page-c")
    assert formula.select_one(".eqno").get_text().startswith("(1)")
    assert formula.select_one("a.headerlink")["href"] == "#equation-page-c"
    assert page.select_one('p a[href="#equation-page-c"]').get_text() == "(1)"


def test_several_lines_are_aligned(small):
    sources = [
        "$$\na \\\\ b\n$$",
        "$$\na &= 1 \\\\ b &= 2\n$$",
        "\\begin{align*}\na &= 1 \\\\ b &= 2\n\\end{align*}",
        "```{math}\na = 1\n\nb = 2\n```",
    ]
    small.write("page.md", "# Page\n\n" + "\n\n".join(sources) + "\n")
    page = small.build().soup("page")
    assert not small.warnings
    assert [len(formula.select("mtable mtr")) for formula in page.select("div.math")] == [2, 2, 2, 2]


def test_katex_does_not_number_what_sphinx_numbers(small):
    small.write(
        "page.md", "# Page\n\n```{math}\n:label: page-a\n\\begin{align}\na &= 1 \\\\ b &= 2\n\\end{align}\n```\n"
    )
    page = small.build().soup("page")
    assert not small.warnings
    assert len(page.select(".eqno")) == 1
    assert page.select_one(".katex .tag") is None


def test_unreadable_formula_is_a_warning_with_its_place(small):
    small.write("page.md", "# Page\n\nFine.\n\nBroken $\\fraq{1}$ <here>.\n")
    page = small.build().soup("page")
    assert "page.md:5: WARNING: KaTeX cannot read '\\\\fraq{1}'" in small.warnings
    assert page.select_one("code.katex-error").get_text() == r"\fraq{1}"


def test_an_unreadable_formula_is_printed_as_text(small):
    small.write("page.md", "# Page\n\n$\\fraq{a<b}$ and $\u00fc$\n")
    page = small.build().soup("page")
    assert page.select("code.katex-error")[0].get_text() == r"\fraq{a<b}"
    assert "a&lt;b" in small.page("page")
    assert "KaTeX cannot read '\u00fc'" in small.warnings  # it would print it; LaTeX would not


def test_a_formula_may_stand_in_a_line_and_alone(small):
    small.write("page.md", "# Page\n\nInline $a+b$.\n\n$$a+b$$\n")
    page = small.build().soup("page")
    assert page.select_one("span.math .katex-display") is None
    assert page.select_one("div.math .katex-display") is not None


def test_warnings_about_formulas_have_a_type(new_book):
    book = new_book(["katex_math"], ["page"], suppress_warnings=["katex"])
    book.write("page.md", "# Page\n\n$\\fraq{1}$\n")
    assert not book.build().warnings


@pytest.mark.parametrize(
    ("tex", "nowrap", "shown"),
    [
        ("a\n\n\n\nb\n\n", False, r"\begin{aligned}a\\b\end{aligned}"),
        (r"a \\ b", False, r"\begin{split}a \\ b\end{split}"),
        (r"\begin{align} a \end{align}", True, r"\begin{align*} a \end{align*}"),
        (r"a \\ b", True, r"a \\ b"),
    ],
)
def test_what_katex_is_given(tex, nowrap, shown):
    assert katex_math.display_source(tex, nowrap).replace("\n", "") == shown


def test_single_page(small):
    small.write("page.md", "# Page\n\n$$\nc\n$$ (page-c)\n\nSee {eq}`page-c` and $d$.\n")
    page = small.build("singlehtml").soup("intro", "singlehtml")
    assert not small.warnings
    assert page.select_one("div.math#equation-page-c .katex") is not None
    assert page.select_one("span.math .katex") is not None


def test_parallel_build_equals_serial_build(new_book, tmp_path):
    book = new_book(["katex_math"], PAGES)
    for name in PAGES:
        book.write(f"{name}.md", f"# Page ${name[-1]}$\n\n$$\nc_{name[-1]}\n$$ ({name}-c)\n\nSee {{eq}}`page0-c`.\n")
    serial = [book.build().page(name) for name in PAGES]
    (tmp_path / "out").rename(tmp_path / "out-before")
    parallel = book.build(parallel=2)
    assert not parallel.warnings
    assert [parallel.page(name) for name in PAGES] == serial


def test_engine_is_closed_when_the_build_ends(small, monkeypatch):
    closed = []
    monkeypatch.setattr(katex_math.Katex, "close", lambda self: closed.append(self))
    small.write("page.md", "# Page\n\n$a$\n")
    small.build()
    assert closed


def test_style_sheet_of_another_version_is_refused(small):
    small.write("static/katex/katex.min.css", '.katex .katex-version:after{content:"0.1.2"}')
    with pytest.raises(ExtensionError, match=r"KaTeX is \d.*version 0\.1\.2.*install the pinned"):
        small.build()


def test_missing_style_sheet_is_an_error_with_a_remedy(small, tmp_path):
    (tmp_path / "static" / "katex" / "katex.min.css").unlink()
    with pytest.raises(ExtensionError, match=r"in no folder of html_static_path: install"):
        small.build()


def test_missing_script_is_an_error_with_a_remedy(monkeypatch):
    monkeypatch.setattr(katex_math, "find_spec", lambda name: None)
    with pytest.raises(ExtensionError, match=r"katex\.min\.js is not installed: install"):
        katex_math.katex_script()


def test_other_formats_need_no_style_sheet(small, tmp_path):
    (tmp_path / "static" / "katex" / "katex.min.css").unlink()
    small.write("page.md", "# Page\n\n$a$\n")
    assert "a" in small.build("text").page("page", "text")
