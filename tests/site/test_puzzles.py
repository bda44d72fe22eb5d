"""The puzzles of derivations: what is written about them, and what the page gets."""

import json
import re

import puzzle_lines
import puzzles
import pytest
from puzzle_lines import Wrong, difference, read
from shared_markup import expand

CHAPTER = """# k-means

$$
J = \\sum_{n=1}^{N} a_n
$$ (kmeans-objective)

$$
\\begin{aligned} b &= -2 c \\\\ &\\geq d . \\end{aligned}
$$ (kmeans-chain)

$$
e = f
$$ (kmeans-end)
"""
PAGE = """# Practice

(derivation-both)=
## Both

:::{derivation}
1. `kmeans-objective` State $J$.
   - wrong: $b_n$ for $a_n$ because they are *not* the same:
     $b$ is another.
2. `kmeans-chain` Write $b$.
   - after: none
   - wrong: $2 c$ for $-2 c$ because the inner derivative
     is $-1$.
   - Bound it.
   - wrong: ${}\\leq d .$ because the logarithm is concave.
3. `kmeans-end` The end.
   - after: 1, 3
:::

## Without

:::{derivation}
1. `kmeans-end` Say it.
:::
"""


@pytest.fixture
def practice(new_book):
    extensions = ["katex_math", "chapter_role", "exam_cards", "quiz", "equation_links", "derivations", "puzzles"]
    book = new_book(extensions, ["chapters/clustering/kmeans", "practice"])
    book.write("chapters/clustering/kmeans.md", CHAPTER)
    book.write("practice.md", PAGE)
    return book


def sources(book):
    """The data of the page's script, with its markup written out, by puzzle."""
    text = (book.root / "out/html/_static/drills/puzzles-practice.js").read_text(encoding="utf-8")
    found = json.loads(re.fullmatch(r'Trainer\.receive\("puzzles-practice",(.*)\);\n', text, re.S)[1])
    return {name: puzzle | {"table": found["table"]} for name, puzzle in found["puzzles"].items()}


def written(puzzle, text, text_of):
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(expand(text, puzzle["table"]), "html.parser")
    for hidden in soup.select(".katex-html"):
        hidden.decompose()
    return text_of(soup).replace(" ", "")


def test_the_page_shows_the_same_questions_and_lines(practice, text_of):
    page = practice.build().soup("practice")
    assert not practice.warnings
    first, second = page.select(".derivation-lines")
    assert [text_of(line.p) for line in first.select("li")][2:] == ["Bound it.", "The end."]
    assert [length.get_text() for length in page.select(".derivation-length")] == ["4 lines", "1 lines"]
    assert "because" not in page.select_one("body").get_text()
    assert first["data-puzzle"] == "derivation-both"
    assert first["data-script"] == "puzzles-practice"
    assert not second.has_attr("data-puzzle")


def test_scripts_are_loaded_where_there_is_a_puzzle(practice):
    practice.build()
    names = {
        script["src"].split("?")[0].rpartition("_static/")[2]
        for script in practice.soup("practice").select("script[src]")
    }
    assert {"puzzle.js", "puzzle_judge.js", "sortable/sortable-1.15.6.js"} <= names
    assert "puzzle.js" not in practice.page("chapters/clustering/kmeans")


def test_the_script_holds_what_the_puzzle_needs(practice, text_of):
    puzzle = sources(practice.build())["derivation-both"]
    assert puzzle["after"] == [[], [], [1], [0, 2]]
    show = lambda text: written(puzzle, text, text_of)
    assert [line for line, *_ in puzzle["wrong"]] == [0, 1, 2]
    assert show(puzzle["wrong"][1][1]) == "b=2c"
    assert show(puzzle["wrong"][1][2]) == "theinnerderivativeis−1."
    assert "<em>not</em>" in expand(puzzle["wrong"][0][2], puzzle["table"])
    gaps = [
        [line, show(tex), [[show(text), show(why)] for text, why in choices]] for line, tex, choices in puzzle["gaps"]
    ]
    assert [gap[:2] for gap in gaps][1:] == [[1, "b=?"], [2, "?d."]]
    assert gaps[1][2] == [["−2c", ""], ["2c", "theinnerderivativeis−1."]]
    assert gaps[2][2] == [["≥", ""], ["≤", "thelogarithmisconcave."]]


def test_a_changed_equation_changes_the_script(practice, text_of):
    before = practice.build().soup("practice").select_one("[data-version]")["data-version"]
    practice.write("chapters/clustering/kmeans.md", CHAPTER.replace("-2 c", "d -2 c"))
    after = practice.build().soup("practice").select_one("[data-version]")["data-version"]
    assert before != after
    puzzle = sources(practice)["derivation-both"]
    assert written(puzzle, puzzle["wrong"][1][1], text_of) == "b=d2c"


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("$2 c$ for $-2 c$", "$2 c$ for $-3 c$", "'-3 c' stands 0 times in"),
        ("$2 c$ for $-2 c$", "$2 c$ for -2 c", "not '$...$ for $...$ because ...'"),
        ("$b_n$ for $a_n$", "$b_n$ for $n$", "'n' stands 2 times in"),
        ("$b_n$ for $a_n$", r"$\bad$ for $a_n$", "KaTeX cannot read"),
        ("$2 c$ for $-2 c$", "$-2 c$ for $-2 c$", "another line says 'b = -2 c', too"),
        ("after: 1, 3", "after: 4", "line 4 cannot stand after 4"),
        ("after: 1, 3", "after: before", "line 4 says after: 'before'"),
    ],
)
def test_warnings(practice, old, new, warning):
    assert old in PAGE
    practice.write("practice.md", PAGE.replace(old, new))
    assert warning in practice.build().warnings


def test_one_wrong_line_is_not_enough(practice):
    one = re.sub(r"   - wrong: \$b_n.*?\n(?=2)|   - wrong: \$\{\}.*?\n", "", PAGE, flags=re.S)
    assert one.count("wrong:") == 1
    practice.write("practice.md", one)
    assert "1 wrong line, a puzzle needs 2" in practice.build().warnings


# --- what is read -----------------------------------------------------------------------------------------------------


def test_what_is_said_about_a_puzzle_is_taken_out_of_the_text():
    content = PAGE.split(":::{derivation}\n")[1].split(":::")[0].splitlines()
    kept, lines = read(content)
    assert len(kept) == len(content)
    assert "wrong" not in "".join(kept)
    assert [line for line in kept if line] == [
        "1. `kmeans-objective` State $J$.", "2. `kmeans-chain` Write $b$.",
        "   - Bound it.", "3. `kmeans-end` The end.",
    ]  # fmt: skip
    assert [(line.row, line.n_rows, line.after) for line in lines] == [
        (None, 1, ()), (0, 2, ()), (1, 2, (2,)), (None, 1, (1, 3)),
    ]  # fmt: skip


def test_a_minus_in_a_formula_begins_no_bullet():
    _, [line] = read(["1. `a` Say.", "   - wrong: $a", "     - b$ for $a", "     + b$ because it falls."])
    assert line.wrong == (Wrong("a - b", "a + b", "it falls."),)


@pytest.mark.parametrize(
    ("right", "wrong", "parts"),
    [
        ("a = b", "a = c", ("c", "b")),
        (r"\frac{a}{b} + c", r"\frac{b}{a} + c", (r"\frac{b}{a}", r"\frac{a}{b}")),
        (r"\log \sum_k x", r"\sum_k \log x", (r"\sum_k \log", r"\log \sum_k")),
        ("x^2 + y", "x + y", ("x", "x^2")),
        (r"\alpha b", r"\alpha_1 b", (r"\alpha_1", r"\alpha")),
        (r"a_{12}", r"a_{13}", ("3", "2")),
        ("a", "b", ("b", "a")),
    ],
)
def test_the_part_that_differs(right, wrong, parts):
    assert difference(right, wrong) == parts


def test_a_sign_keeps_its_scripts():
    assert Wrong(r"2\sum", r"-2\sum", "").change(r"g = -2\sum_{n} x") == ("2", "-2")
    assert Wrong("b", "a", "").change("x = a + c") == ("b", "a")


@pytest.mark.parametrize(("tex", "is_whole"), [("{a}", True), ("a}{b", False), (r"\left( a", False), (" ", False)])
def test_a_whole_part(tex, is_whole):
    assert puzzle_lines.whole(tex) is is_whole


def test_where_no_gap_can_be_cut_the_whole_line_is_chosen():
    class Reads:
        objection = staticmethod(lambda tex, display=True: "no" if puzzles.GAP in tex else "")

    twin = Wrong("c", "b", "it falls")
    assert puzzles.gap_of("a = b", (twin,), Reads()) == ("", [("a = b", ""), ("a = c", "it falls")])
    Reads.objection = staticmethod(lambda tex, display=True: "")
    other = Wrong("d", "b", "it rises")
    assert puzzles.gap_of("a = b", (Wrong("x", "a", ""), twin, other), Reads()) == (
        f"a = {puzzles.GAP}",
        [("b", ""), ("c", "it falls"), ("d", "it rises")],
    )
