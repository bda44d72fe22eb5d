"""The chapters for JupyterLab: answers closed, no cell that only tests need, no role that is not understood there."""

from pathlib import Path

import lab_edition
import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import lab_copy

ROOT = Path(__file__).resolve().parents[2]
OUTLINE = """
- part: clustering
  chapters: [{stem: kmeans, title: Lloyd, task: t}, {stem: gmm, title: Mixtures, task: t}]
- part: sequences
  chapters: [{stem: hmm, title: Hidden Markov models, task: t}]
"""
BIB = """
@article{one2001, author = {Radford M. Neal}, title = {A}, year = {1998}, journal = {J}}
@article{two2002, author = {Neal, R. and Hinton, G. E.}, title = {B}, year = {1999}, journal = {J}}
@book{many2003, editor = {de Boor, Carl and {Van} Loan, C. and X, Y.}, title = {C}, year = {2003}}
@misc{nobody, title = {No Author}}
"""
GMM = """(gmm)=
# Mixtures of Gaussians

(gmm-em)=
### EM in general

$$
a
$$ (gmm-bound)

:::{prf:theorem} EM never loses
:label: thm-gmm-monotone
It does not.
:::
"""


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_chapter(root, page, *cells):
    cells = [new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    for number, cell in enumerate(cells):
        cell["id"] = f"c-{number}"
    write(root, f"{page}.ipynb", nbformat.writes(new_notebook(cells=cells)))


@pytest.fixture
def root(tmp_path):
    """A book of two written chapters and one that is planned."""
    write(tmp_path, "chapters/outline.yml", OUTLINE)
    write(tmp_path, "references.bib", BIB)
    write(tmp_path, "chapters/notation.md", "# Notation\n\n(notation-strength)=\n## Strength\n")
    write_chapter(tmp_path, "chapters/clustering/gmm", GMM)
    write_chapter(tmp_path, "chapters/clustering/kmeans", "# k-means", new_code_cell("1"))
    return tmp_path


@pytest.fixture
def book(root):
    return lab_edition.read_book(root)


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        ("{chapter}`gmm`", "[*Mixtures of Gaussians*](../clustering/gmm.ipynb)"),
        ("{chapter}`the EM chapter <gmm>`", "[the EM chapter](../clustering/gmm.ipynb)"),
        ("{chapter}`hmm`", "*Hidden Markov models*"),
        ("{chapter}`notation`", "*Notation*"),
        ("{eq}`gmm-bound`", "[equation *bound* of *Mixtures of Gaussians*](../clustering/gmm.ipynb)"),
        ("{ref}`gmm-em`", "[*EM in general* in *Mixtures of Gaussians*](../clustering/gmm.ipynb)"),
        ("{ref}`there <gmm-em>`", "[there](../clustering/gmm.ipynb)"),
        ("{ref}`notation-strength`", "*Strength* in *Notation*"),
        ("{prf:ref}`thm-gmm-monotone`", "[*EM never loses* in *Mixtures of Gaussians*](../clustering/gmm.ipynb)"),
        ("{eq}`kmeans-own`", "{eq}`kmeans-own`"),
        ("{cite:t}`one2001`", "Neal (1998)"),
        ("{cite:p}`two2002`", "(Neal and Hinton, 1999)"),
        ("{cite:t}`many2003, one2001`", "de Boor et al. (2003); Neal (1998)"),
        ("{cite:p}`two2002,one2001`", "(Neal and Hinton, 1999; Neal, 1998)"),
        ("{cite:t}`nobody`", "No Author (no year)"),
        ("{cite:t}`unknown`", "{cite:t}`unknown`"),
        ("{class}`~notes_lib.a.KMeans`", "`KMeans`"),
        ("{func}`notes_lib.a.f`", "`notes_lib.a.f`"),
    ],
)
def test_roles(role, shown, book):
    assert lab_edition.plain_roles(f"See {role}.", "chapters/clustering/kmeans", book, alone=False) == f"See {shown}."


def test_alone_there_are_no_links(book):
    text = "{chapter}`gmm`, {chapter}`it <gmm>`, {eq}`gmm-bound`, {cite:t}`one2001`"
    shown = lab_edition.plain_roles(text, "chapters/clustering/kmeans", book, alone=True)
    assert shown == "*Mixtures of Gaussians*, it, equation *bound* of *Mixtures of Gaussians*, Neal (1998)"


def test_labels_of_the_same_page_are_left_to_jupyterlab(book):
    text = "{eq}`gmm-bound` {ref}`gmm-em`"
    assert lab_edition.plain_roles(text, "chapters/clustering/gmm", book, alone=False) == text


QUIZ = """:::{admonition} Which?
:class: quiz
:name: kmeans-quiz-1
More.

- [ ] wrong $k$

  Why it
  is wrong.
- [x] right
  Why.
:::
"""


def test_a_quiz_shows_its_options_and_hides_which_is_right():
    question, answer = lab_edition.closed_boxes(QUIZ).split("::::::{dropdown} Answer\n")
    assert "More.\n\n- **a)** wrong $k$\n- **b)** right\n:::" in question
    assert "kmeans-quiz-1" in question
    assert "[x]" not in question
    assert "Why" not in question
    assert answer == "- **a) wrong.** Why it is wrong.\n- **b) right.** Why.\n::::::\n"


@pytest.mark.parametrize("truth", ["true", "false"])
def test_a_statement_hides_its_reason(truth):
    box = f":::{{admonition}} It falls.\n:class: statement-{truth}\nThe reason.\n:::"
    question, answer = lab_edition.closed_boxes(box).split("::::::{dropdown} Answer\n")
    assert "It falls." in question
    assert "reason" not in question
    assert answer == f"**{truth.capitalize()}.** The reason.\n::::::"


def test_a_solution_is_closed_and_other_boxes_stay():
    assert lab_edition.closed_boxes(":::{solution} ex\n:class: dropdown\nText.\n:::") == (
        "::::::{dropdown} Solution\nText.\n::::::"
    )
    card = ":::{admonition} J\n:class: must-know\nText.\n:::"
    assert lab_edition.closed_boxes(card) == card


def test_a_solution_over_several_cells_is_closed(book):
    cells = [
        new_markdown_cell(":::{exercise} A\nQ?\n:::\n\n:::{solution-start} ex\n:class: dropdown\n:::\n\nFirst."),
        new_code_cell("secret = 1", outputs=[new_output("stream", text="1")]),
        new_markdown_cell("Second."),
        new_markdown_cell(":::{solution-end}\n:::\n\nAfter."),
        new_code_cell("open = 1"),
        new_markdown_cell(":::{exercise-start} B, 3 marks\n:label: b\n:::\n\nText of B."),
        new_code_cell("open = 2"),
        new_markdown_cell(":::{exercise-end}\n:::"),
    ]
    nb = lab_edition.edition(new_notebook(cells=cells), "chapters/clustering/kmeans", book, alone=False)
    closed = "::::::{{dropdown}} Solution\n{}\n::::::".format
    assert [cell.source for cell in nb.cells] == [
        ":::{exercise} A\nQ?\n:::\n\n" + closed("First."),
        "# What solutions print stays closed until you open it.\n%load_ext notes_lib.display",
        "%%closed\nsecret = 1",
        closed("Second."),
        "After.",
        "open = 1",
        "**Exercise.** B, 3 marks\n\nText of B.",
        "open = 2",
        "",
    ]
    hidden = [cell.metadata.get("jupyter") for cell in nb.cells if cell.cell_type == "code"]
    assert hidden == [None, {"source_hidden": True, "outputs_hidden": True}, None, None]
    nbformat.validate(nb)


def test_only_what_prints_something_is_closed_and_scripts_keep_their_outputs(book):
    page = "chapters/clustering/kmeans"
    shown = {"text/html": "<script></script>", "text/plain": ""}
    for outputs in ([], [new_output("execute_result", data=shown)]):
        cells = [new_code_cell("x", metadata={"tags": ["hide-cell"]}, outputs=outputs)]
        nb = lab_edition.edition(new_notebook(cells=cells), page, book, alone=False)
        assert [cell.source for cell in nb.cells] == ["x"]
        assert nb.cells[0].metadata.jupyter.outputs_hidden is True


def test_run_all_shows_no_number_of_a_closed_solution(book):
    """What a solution prints stands below a line to open, whatever it is; other cells print as ever."""
    source = (
        "from IPython.display import HTML, Markdown, display\n"
        "print(6 * 7)\ndisplay(Markdown('**43**'), HTML('<b>44</b>'))\n45"
    )
    solution = new_code_cell(source, metadata={"tags": ["hide-cell"]}, outputs=[new_output("stream", text="42")])
    cells = [new_code_cell("print(1)"), solution, new_code_cell("2")]
    nb = lab_edition.edition(new_notebook(cells=cells), "chapters/clustering/kmeans", book, alone=False)
    NotebookClient(nb, kernel_name="python3", extra_arguments=["--log-level=40"]).execute()
    one, (closed,), two = [cell.outputs for cell in nb.cells if cell.cell_type == "code"][1:]
    assert (one[0].text, two[0].data["text/plain"]) == ("1\n", "2")
    assert closed.data["text/markdown"] == (
        "<details><summary>Result</summary>\n\n```text\n42\n```\n\n**43**\n\n<b>44</b>\n\n```text\n45\n```\n\n</details>"
    )


def test_cells(book):
    figure = {"mystnb": {"figure": {"caption": "After {cite:t}`one2001`.", "name": "fig-x"}}}
    cells = [
        new_code_cell("plot()", id="a", metadata={"tags": ["hide-input"], **figure}),
        new_code_cell("print(fingerprint(fig))", metadata={"tags": ["remove-cell"]}),
        new_code_cell("Markdown(x.solution)", metadata={"tags": ["hide-cell"]}),
        new_code_cell("x", metadata={"tags": ["hide-input", "hide-output"], "equivalent": [{}]}),
    ]
    nb = lab_edition.edition(new_notebook(cells=cells), "chapters/clustering/kmeans", book, alone=True)
    assert [cell.source for cell in nb.cells] == [
        lab_edition.INSTALL,
        "plot()",
        "*Figure.* After Neal (1998).",
        "Markdown(x.solution)",
        "x",
    ]
    assert [cell.metadata.get("jupyter", {}).get("outputs_hidden", False) for cell in nb.cells[1:]] == [
        *(False, False),
        *(True, True),
    ]
    assert nb.cells[-1].metadata.jupyter.source_hidden is False
    nbformat.validate(nb)
    assert not [cell for cell in nb.cells if {"mystnb", "equivalent"} & set(cell.metadata)]


# -- the chapters of this book ---------------------------------------------------------------------------------------

CHAPTERS = sorted(path for path in (ROOT / "chapters").glob("*/*.ipynb"))


@pytest.fixture(scope="module")
def whole_book():
    return lab_edition.read_book(ROOT)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_chapter(path, whole_book):
    page = path.relative_to(ROOT).with_suffix("").as_posix()
    before = nbformat.read(path, 4)
    nb = lab_edition.edition(nbformat.read(path, 4), page, whole_book, alone=False)
    nbformat.validate(nb)
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    for left in ("{chapter}`", "{cite", "{class}`", "- [x]", "-start}", "-end}", "{solution}"):
        assert left not in text, left
    for role, content in lab_edition.ROLE.findall(text):
        target = content.rpartition("<")[2].rstrip(">")
        assert whole_book.labels[target].page == page, f"{{{role}}}`{content}` is on another page"
    removed = [cell for cell in before.cells if "remove-cell" in cell.metadata.get("tags", [])]
    code = [c.source for c in nb.cells if c.cell_type == "code"]
    loads = lab_edition.CLOSED in code
    assert len(code) - loads == len([c for c in before.cells if c.cell_type == "code"]) - len(removed)
    assert loads == any(source.startswith("%%closed\n") for source in code)


# -- the scratch copy ------------------------------------------------------------------------------------------------


def test_what_is_changed_in_the_copy_is_never_overwritten(root, tmp_path):
    folder = tmp_path / "lab"
    copy, other = folder / "clustering/kmeans.ipynb", folder / "clustering/gmm.ipynb"
    assert lab_copy.write_copies(root, folder) == []
    assert lab_copy.write_copies(root, folder) == []
    copy.write_text(copy.read_text() + " ")
    mine = copy.read_text()
    assert lab_copy.write_copies(root, folder) == []  # the chapter is what it was made from
    write_chapter(root, "chapters/clustering/kmeans", "# k-means, new")
    write_chapter(root, "chapters/clustering/gmm", "# Mixtures, new")
    assert lab_copy.write_copies(root, folder) == ["clustering/kmeans.ipynb"]
    assert copy.read_text() == mine
    assert "Mixtures, new" in other.read_text()
    copy.unlink()
    assert lab_copy.write_copies(root, folder) == []
    assert "k-means, new" in copy.read_text()


def test_the_command_says_where_and_what_stays(root, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lab_copy, "ROOT", root)
    folder = tmp_path / "lab"
    assert lab_copy.main([str(folder)]) == 0
    assert str(folder) in capsys.readouterr().out
    (folder / "clustering/kmeans.ipynb").write_text("mine")
    write_chapter(root, "chapters/clustering/kmeans", "# k-means, new")
    assert lab_copy.main([str(folder)]) == 0
    assert "clustering/kmeans.ipynb is as you left it" in capsys.readouterr().out
