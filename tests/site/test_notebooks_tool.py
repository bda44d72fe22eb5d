"""Tests of tools/notebooks.py: canonical form, and every rule of the lint seen to catch its fault."""

import importlib.util
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("notebooks_tool", ROOT / "tools/notebooks.py")
tool = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = tool
SPEC.loader.exec_module(tool)

PNG = "iVBORw0KGgo="


def sound():
    """A notebook with nothing wrong."""
    figure = new_code_cell(
        "draw()",
        execution_count=1,
        outputs=[new_output("display_data", data={"image/png": PNG, "text/plain": "<Figure>"})],
        metadata={"mystnb": {"image": {"alt": "a line"}, "figure": {"caption": "A line.", "name": "fig-x-line"}}},
    )
    hidden = new_code_cell("print(fingerprint(fig))", execution_count=2, metadata={"tags": ["remove-cell"]})
    nb = new_notebook(cells=[new_markdown_cell("# Title"), figure, hidden])
    nb.metadata["book"] = {"prerequisites": [], "task": "unsupervised", "minutes": 5}
    return tool.normalise(nb, "stem")


def found(nb):
    return " / ".join(tool.problems(nb, "stem"))


def test_a_sound_notebook_has_no_problem():
    assert found(sound()) == ""


def test_normalise_is_idempotent_and_removes_traces():
    nb = sound()
    once = nbformat.writes(nb)
    nb.cells[1].metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    nb.cells[1].metadata["collapsed"] = True
    nb.metadata["widgets"] = {}
    nb.cells[1].outputs[0]["metadata"] = {"needs_background": "light", "image/png": {"width": 10}}
    nb.cells[1].outputs[0]["metadata"].pop("image/png")
    nb.cells[0]["id"] = "random"
    assert nbformat.writes(tool.normalise(nb, "stem")) == once


def test_normalise_joins_pieces_of_one_stream():
    nb = sound()
    pieces = [new_output("stream", name="stdout", text=t) for t in ("a\n", "b\n")]
    nb.cells[2].outputs = [*pieces, new_output("stream", name="stderr", text="c"), pieces[0].copy()]
    texts = [(o.name, o.text) for o in tool.normalise(nb, "stem").cells[2].outputs]
    assert texts == [("stdout", "a\nb\n"), ("stderr", "c"), ("stdout", "a\n")]


def break_id(nb):
    nb.cells[0]["id"] = "random"


def break_metadata(nb):
    del nb.metadata["book"]["minutes"]


def break_count(nb):
    nb.cells[1].execution_count = None


def break_semicolon(nb):
    nb.cells[2].source += ";"


def break_alt(nb):
    del nb.cells[1].metadata["mystnb"]["image"]


def break_caption(nb):
    del nb.cells[1].metadata["mystnb"]["figure"]


def break_fingerprint(nb):
    nb.cells[2].source = "print(1)"


def break_stderr(nb):
    nb.cells[2].outputs = [new_output("stream", name="stderr", text="warning")]


def break_error(nb):
    nb.cells[2].outputs = [new_output("error", ename="ValueError", evalue="no", traceback=[])]


def break_path(nb):
    nb.cells[2].outputs = [new_output("stream", name="stdout", text=f"{ROOT}/x")]


def break_address(nb):
    nb.cells[2].outputs = [new_output("stream", name="stdout", text="<object at 0x7f00aa11bb22>")]


def break_network(nb):
    nb.cells[2].outputs = [new_output("display_data", data={"text/html": '<img src="https://example.org/a.png">'})]


def break_ignore(nb):
    nb.cells[2].metadata["tags"] = ["remove-cell", "nbval-ignore-output"]


def break_directive(nb):
    nb.cells[0].source += "\n\n:::{must-know} Title\nText.\n:::"


def break_skip(nb):
    nb.cells[2].source += "\n# NBVAL_SKIP"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (break_id, "not in canonical form"),
        (break_metadata, "no book.minutes"),
        (break_count, "expected 1"),
        (break_semicolon, "ends with ';'"),
        (break_alt, "without alt text"),
        (break_caption, "without caption"),
        (break_fingerprint, "no hidden cell with a fingerprint"),
        (break_stderr, "writes to stderr"),
        (break_error, "raises-exception"),
        (break_path, "local path"),
        (break_address, "memory address"),
        (break_network, "from the network"),
        (break_ignore, "does not say why"),
        (break_skip, "is skipped"),
        (break_directive, "JupyterLab does not know {must-know}"),
    ],
)
def test_lint_catches(fault, message):
    nb = sound()
    fault(nb)
    assert message in found(nb)


def test_a_reason_excuses_an_output_that_is_not_compared():
    nb = sound()
    break_ignore(nb)
    nb.cells[2].source += "\n# not compared: the time of day"
    assert found(nb) == ""


def test_execute_stores_outputs_in_canonical_form(tmp_path):
    path = tmp_path / "stem.ipynb"
    nb = sound()
    nb.cells = [new_code_cell("print(2 + 3)")]
    nbformat.write(nb, path)
    tool.execute(path)
    first = path.read_bytes()
    stored = nbformat.read(path, 4)
    assert stored.cells[0].outputs[0].text == "5\n"
    assert found(stored) == ""
    tool.execute(path)
    assert path.read_bytes() == first
