"""Derivation practice: folded lines that are the chapters' own equations."""

import derivations
import pytest

CHAPTER = """# k-means

$$
J = 1
$$ (kmeans-objective)

$$
\\begin{aligned} a &= \\begin{cases} 1 & b \\\\ 2 & c \\end{cases} \\\\[2pt] &\\geq d . \\end{aligned}
$$ (kmeans-chain)
"""
PAGE = """# Practice

:::{derivation}
1. `kmeans-objective` State $J$.
2. `kmeans-chain` Write $a$.
   - Bound *it*.
3. `kmeans-chain` Both rows.
:::
"""


@pytest.fixture
def practice(new_book):
    book = new_book(pages=["chapters/clustering/kmeans", "practice"])
    book.write("chapters/clustering/kmeans.md", CHAPTER)
    book.write("practice.md", PAGE)
    return book


def formulas(page):
    return [tex.get_text().strip() for tex in page.select(".derivation-line annotation")]


def test_lines_are_the_equations_of_the_chapter(practice, text_of):
    page = practice.build().soup("practice")
    assert not practice.warnings
    questions = [text_of(line.p) for line in page.select(".derivation-lines > li")]
    assert len(questions) == 4
    assert questions[0].startswith("State ")
    assert questions[2:] == ["Bound it .", "Both rows."]  # text_of puts spaces around elements
    assert formulas(page)[0] == "J = 1"
    assert formulas(page)[1] == r"a = \begin{cases} 1 & b \\ 2 & c \end{cases}"
    assert formulas(page)[2] == r"{}\geq d ."
    assert formulas(page)[3].startswith(r"\begin{aligned} a &=")
    assert page.select_one(".derivation-length").get_text() == "4 lines"


def test_lines_are_folded_and_lead_to_the_chapter(practice):
    lines = practice.build().soup("practice").select("details.derivation-line")
    assert [line.summary.get_text() for line in lines] == ["Line 1", "Line 2", "Line 3", "Line 4"]
    assert not any(line.has_attr("open") for line in lines)
    links = [[link["href"] for link in line.select("a")] for line in lines]
    chapter = "chapters/clustering/kmeans.html"
    assert links[0] == [f"{chapter}#equation-kmeans-objective", chapter]
    assert links[1] == links[2] == [f"{chapter}#equation-kmeans-chain", chapter]


def test_a_changed_equation_changes_the_page(practice):
    assert formulas(practice.build().soup("practice"))[0] == "J = 1"
    practice.write("chapters/clustering/kmeans.md", CHAPTER.replace("J = 1", "J = 2"))
    assert formulas(practice.build().soup("practice"))[0] == "J = 2"


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("kmeans-objective", "kmeans-lost", "no chapter has the equation 'kmeans-lost'"),
        ("   - Bound *it*.\n", "   - Bound *it*.\n   - More.\n", "'kmeans-chain' has 3 questions and 2 rows"),
        ("`kmeans-objective` ", "", "a line starts with the label of its equation in backquotes"),
        ("1. `kmeans-objective` State $J$.", "State $J$.\n", "a derivation must be one numbered list"),
    ],
)
def test_warnings(practice, old, new, warning):
    practice.write("practice.md", PAGE.replace(old, new))
    assert warning in practice.build().warnings


@pytest.mark.parametrize("further", [1, 3])
def test_rows_that_are_left_over_are_warned_about(practice, further):
    rows = "a &= b \\\\ &= c \\\\ &= d"
    practice.write(
        "chapters/clustering/kmeans.md",
        f"# K\n\n$$\n\\begin{{aligned}} {rows} \\end{{aligned}}\n$$ (kmeans-chain)\n",
    )
    questions = "   - More.\n" * further
    practice.write("practice.md", f"# P\n\n:::{{derivation}}\n1. `kmeans-chain` Write $a$.\n{questions}:::\n")
    assert f"'kmeans-chain' has {further + 1} questions and 3 rows" in practice.build().warnings


def test_a_new_title_of_the_chapter_changes_the_page(practice, tmp_path):
    practice.build()
    outline = tmp_path / "chapters/outline.yml"
    outline.write_text(outline.read_text().replace("k-means", "Lloyd"))
    sources = practice.build().soup("practice").select(".derivation-source")
    assert all(source.get_text().endswith("of Lloyd") for source in sources)


@pytest.mark.parametrize(
    ("tex", "rows"),
    [
        (r"a = b", ["a = b"]),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned} .", ["a = b", "{}= c"]),
        (r"\begin{aligned} a & {= \&} & b \end{aligned},", [r"a  {= \&}  b"]),
        (r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}", [r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}"]),
    ],
)
def test_rows(tex, rows):
    assert derivations.aligned_rows(tex) == rows
