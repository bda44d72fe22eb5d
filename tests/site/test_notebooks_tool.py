"""Tests of tools/notebooks.py: canonical form, and every rule of the lint seen to catch its fault."""

import base64
import importlib.util
import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]


def load(name, path):
    """A module by its path, with a name of its own."""
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


tool = load("notebooks_tool", "tools/notebooks.py")


def png(pixels, **options):
    """Pixels (height, width, channels) as a PNG in base64, with the line end that a kernel writes."""
    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(stream, format="png", **options)
    return base64.b64encode(stream.getvalue()).decode() + "\n"


def picture(stored):
    return Image.open(io.BytesIO(base64.b64decode(stored)))


def shades():
    """A page of white with a band of 2000 opaque colours that are close to each other, as at the edges of lines."""
    pixels = np.full((60, 100, 4), 255)
    pixels[20:40, :, :3] = np.random.default_rng(0).integers([0, 30, 60], [250, 60, 62], (20, 100, 3))
    pixels[40:, :, :3] = 251
    return pixels


PNG = png(shades())


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


def test_only_a_notebook_that_is_no_chapter_collects(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    nb = sound()
    del nb.metadata["book"]
    nb.cells.insert(1, new_markdown_cell(":::{card-list} lost-marks\n:::"))
    said = {}
    for name in ("chapters/part/stem.ipynb", "chapters/revision/errata/stem.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        nbformat.write(tool.normalise(nb, "stem"), path)
        said[path.parent.name] = " / ".join(tool.problems_of(path))
    assert "no book.minutes" in said["part"]
    assert "does not know {card-list}" in said["part"]
    assert said["errata"] == ""


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


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_figure_gets_a_palette_and_is_the_same_to_the_eye(mode):
    pixels = shades()[..., : len(mode)]
    before = png(pixels, dpi=(180, 180))
    after = tool.with_palette(before)
    assert len(after) < len(before)
    assert after.endswith("\n")
    assert picture(after).mode == "P"
    assert picture(after).info["dpi"] == picture(before).info["dpi"]
    seen = np.asarray(picture(after).convert("RGB")).astype(float)
    assert (seen[:20] == 255).all()  # white stays white
    assert 0 < np.mean((seen - pixels[..., :3]) ** 2) < 255**2 / 10 ** (tool.LEAST_PSNR / 10)
    assert tool.with_palette(after) == after


def test_few_colours_are_kept_exactly():
    pixels = np.random.default_rng(0).integers(0, 2, (30, 30, 1)) * np.array([200, 17, 3])
    assert np.array_equal(picture(tool.with_palette(png(pixels))).convert("RGB"), pixels)


@pytest.mark.parametrize("name", ["noise", "transparent", "gradient", "palette"])
def test_a_picture_that_would_suffer_or_grow_stays(name):
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3))
    large = io.BytesIO()
    picture(PNG).convert("P").save(large, format="png", compress_level=0)
    gradient = np.tile(np.linspace([0, 250, 20], [250, 0, 20], 100), (20, 1, 1))
    stored = {
        "noise": png(noise),
        "transparent": png(np.dstack([shades()[..., :3], np.full((60, 100), 254)])),
        "gradient": png(gradient),
        "palette": base64.b64encode(large.getvalue()).decode(),
    }[name]
    assert tool.with_palette(stored) == stored


def test_psnr_by_hand():
    a, b = (Image.fromarray(np.full((2, 2, 3), v, dtype=np.uint8)) for v in (10, 13))
    b.putpixel((0, 0), (10, 10, 10))
    assert tool.psnr(a, b) == pytest.approx(10 * np.log10(255**2 / (9 * 3 / 4)))
    assert tool.psnr(a, a) == np.inf


def test_normalise_shrinks_figures_and_frames_and_keeps_their_size():
    nb = sound()
    frame = PNG.strip()
    player = f'<img src="data:image/png;base64,{frame}"> and <img src="data:image/png;base64,{frame}" hidden>'
    size = {"image/png": {"width": 50, "height": 30}}
    nb.cells[1].outputs = [
        new_output("display_data", data={"image/png": PNG, "text/plain": "<Figure>"}, metadata=size),
        new_output("display_data", data={"text/html": player}),
    ]
    figure, animation = tool.normalise(nb, "stem").cells[1].outputs
    small = tool.with_palette(PNG)
    assert figure.data["image/png"] == small
    assert figure.metadata == size
    assert animation.data["text/html"] == player.replace(frame, small.strip())


def break_picture(nb):
    nb.cells[1].outputs[0].data["image/png"] = PNG


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


def break_title(nb):
    nb.cells[0].source += "\n\n:::{dropdown} Why? See {cite:t}`a2000`\nSo.\n:::"


def break_layout(nb):
    nb.cells[2].source = "print( fingerprint(fig) )"


def break_width(nb):
    nb.cells[2].source += "\nx = 1  # " + 70 * "a"


def break_tag(nb):
    nb.cells[1].metadata["tags"] = []


def break_listing(nb):
    nb.cells[1].metadata["tags"] = ["listing"]


def break_magic(nb):
    nb.cells[2].source = "%time print(fingerprint(fig))"


def break_table(nb):
    nb.cells[2].source = "table([[1]])\n" + nb.cells[2].source


def break_skip(nb):
    nb.cells[2].source += "\n# NBVAL_SKIP"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (break_id, "not in canonical form"),
        (break_picture, "not in canonical form"),
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
        (break_table, "line 1: table(...) shows nothing unless it is the last line"),
        (break_layout, "not in canonical form"),
        (break_width, "cell 2: line 2 has 79 columns, more than 78"),
        (break_tag, "not in canonical form"),
        (break_listing, "cell 1: is tagged listing and draws a figure"),
        (break_magic, "code cell 2 is no plain Python"),
        (break_directive, "JupyterLab does not know {must-know}"),
        (break_title, "cell 0: a link in the title of a dropdown"),
    ],
)
def test_lint_catches(fault, message):
    nb = sound()
    fault(nb)
    assert message in found(nb)


def test_normalise_lays_code_out_and_folds_it_and_marks_follow():
    nb = sound()
    mark = {"line": "x+1", "changed": "x-1", "reason": "x is 0"}
    nb.cells[1].metadata["equivalent"] = [mark]
    nb.cells[1].source = "f(\n    x+1\n)"
    nb.cells[1].metadata["tags"] = []
    cell = tool.normalise(nb, "stem").cells[1]
    assert cell.source == "f(x + 1)"
    assert cell.metadata["equivalent"] == [{"line": "f(x + 1)", "changed": "f(x - 1)", "reason": "x is 0"}]
    assert cell.metadata["tags"] == ["hide-input"]


def test_a_reason_excuses_an_output_that_is_not_compared():
    nb = sound()
    break_ignore(nb)
    nb.cells[2].source += "\n# not compared: the time of day"
    assert found(nb) == ""


DRAWING = """
from base64 import b64decode
from IPython.display import Image, display
display(Image(b64decode("{}"), width=50))
print(2 + 3)
"""


def test_execute_stores_outputs_in_canonical_form(tmp_path):
    path = tmp_path / "stem.ipynb"
    nb = sound()
    nb.cells = [new_code_cell(DRAWING.format(PNG.strip()))]
    nbformat.write(nb, path)
    assert tool.execute(path) == ""
    first = path.read_bytes()
    stored = nbformat.read(path, 4)
    drawn, printed = stored.cells[0].outputs
    assert printed.text == "5\n"
    assert picture(drawn.data["image/png"]).mode == "P"
    assert drawn.metadata["image/png"] == {"width": 50}
    assert tool.normalise(stored, "stem") == stored
    assert tool.execute(path) == ""
    assert path.read_bytes() == first


def test_a_notebook_above_its_budget_is_stored_and_its_slowest_cells_are_named(tmp_path):
    path = tmp_path / "stem.ipynb"
    nb = sound()
    nb.cells = [new_markdown_cell("Text"), new_code_cell("1"), new_code_cell("import time; time.sleep(0.3)")]
    nbformat.write(nb, path)
    slow = tool.execute(path, seconds=0.01)
    assert "s of processor time, more than 0.01 s" in slow
    assert "cheaper: 2 (" in slow
    assert 0.05 < float(slow.split()[1]) < 30
    assert nbformat.read(path, 4).cells[1].outputs[0].data["text/plain"] == "1"
    assert tool.execute(path, seconds=300) == ""


@pytest.mark.parametrize(
    ("source", "seconds"),
    [
        ("# 3 s: two workers import the library\n1", [3]),
        ("for a in b:\n    # 12 s: forty fits, for a standard error of 0.01\n    pass\n# 1 s: and more work", [12, 1]),
        ("# 3 s:\n1", []),
        ("# 3 s: slow\n1", []),
        ("text = '# 3 s: in a text'", []),
        ("# takes 3 s: no doubt about it", []),
    ],
)
def test_a_cell_asks_for_seconds_with_a_reason(source, seconds):
    assert tool.granted(new_notebook(cells=[new_markdown_cell("# 5 s: a heading"), new_code_cell(source)])) == seconds


def test_what_a_cell_asks_for_is_granted(tmp_path):
    path = tmp_path / "stem.ipynb"
    nb = sound()
    nb.cells = [new_code_cell("# 300 s: a kernel takes that on no machine\n1")]
    nbformat.write(nb, path)
    assert tool.execute(path, seconds=0.01) == ""
    nb.cells[0].source = "1"
    nbformat.write(nb, path)
    assert "more than 0.01 s" in tool.execute(path, seconds=0.01)


def test_pytest_reports_what_notebooks_take(tmp_path):
    """The hooks of the project's conftest.py, on a kernel that is a plain child process."""
    hooks = load("settings_of_pytest", "conftest.py")
    nbformat.write(new_notebook(cells=[new_code_cell("# 3 s: a cell that is worth it")]), tmp_path / "stem.ipynb")
    item = SimpleNamespace(path=tmp_path / "stem.ipynb", user_properties=[])
    ending = hooks.pytest_runtest_teardown(item)
    next(ending)
    subprocess.run([sys.executable, "-S", "-c", "sum(range(10**6))"], check=True)
    with pytest.raises(StopIteration):
        ending.send(None)
    ((name, (stem, seconds, budget)),) = item.user_properties
    assert (name, stem, budget) == ("processor time", "stem", hooks.BUDGET + 3)
    assert seconds > 0

    def said(*times):
        lines = []
        reports = [SimpleNamespace(when="teardown", user_properties=[("processor time", pair)]) for pair in times]
        reports.append(SimpleNamespace(when="call", user_properties=[("processor time", ("counted twice", 99, 8))]))
        hooks.pytest_terminal_summary(SimpleNamespace(stats={"": reports}, write_line=lines.append))
        return lines

    assert said() == []
    assert said(("a", 3.0, 8), ("b", 8, 8)) == [
        "2 notebooks took 11 s of processor time; above 8 s and what their cells ask for: none"
    ]
    assert said(("a", 9.25, 8), ("b", 1, 8), ("c", 12, 8), ("d", 10, 11))[0].endswith("ask for: c 12.0 s, a 9.2 s")
