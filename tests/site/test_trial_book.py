"""The trial book: every chapter once, and no name twice."""

import importlib.util
import json
import re
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("trial_book", ROOT / "tools/trial_book.py")
tool = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = tool
SPEC.loader.exec_module(tool)

CHAPTER = r"""(word)=
# A word

(a-derivation)=
## Derivation

See {eq}`a-one`, {eq}`a-one-more`, {ref}`a-derivation`, {numref}`fig-a`, [the box](#a-box), {eq}`b-one`.

$$
x
$$ (a-one)

$$ y $$ (a-one-more)

:::{admonition} Box
:class: must-know
:name: a-box
:::
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A project of two chapters in one part."""
    root = tmp_path / "project"
    figure = lambda stem: {"figure": {"name": f"fig-{stem}"}}
    for stem, text in [("a", CHAPTER), ("b", "# B\n\n$$ z $$ (b-one)\n\n{eq}`a-one`\n")]:
        cells = [{"source": text.splitlines(keepends=True)}, {"source": ["1"], "metadata": {"mystnb": figure(stem)}}]
        path = root / f"chapters/part/{stem}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}}))
        hub = root / f"chapters/revision/hub/{stem}.md"
        hub.parent.mkdir(parents=True, exist_ok=True)
        hub.write_text(f"# Revise\n\nOf {{chapter}}`{stem}`.\n\n:::{{chapter-hub}} {stem}\n:::\n")
    (root / "chapters/part/front.md").write_text("# Front\n")
    chapters = [{"stem": "a", "title": "A", "task": "x"}, {"stem": "b", "title": "B", "task": "x"}]
    plan = [{"part": "part", "title": "Part", "chapters": chapters}]
    (root / "chapters/outline.yml").write_text(yaml.safe_dump(plan))
    files = [{"file": f"chapters/part/{name}"} for name in ("front", "a", "b")]
    hubs = {"file": tool.HUBS, "sections": [{"file": f"{tool.HUBS}/{stem}"} for stem in "ab"]}
    parts = [{"chapters": files}, {"chapters": [hubs]}]
    (root / "_toc.yml").write_text(yaml.safe_dump({"root": "intro", "parts": parts}))
    for name in ("_ext", "static", "notes_lib", "benchmarks", "tests/part"):
        (root / name).mkdir(parents=True)
    for name in ("_config.yml", "references.bib"):
        (root / name).touch()
    monkeypatch.setattr(tool, "ROOT", root)
    tool.make(tmp_path / "trial", 5)
    return tmp_path / "trial"


def test_all_chapters_stand_in_toc_outline_and_tests(small):
    first, _ = yaml.safe_load((small / "_toc.yml").read_text())["parts"]
    files = [entry["file"] for entry in first["chapters"]]
    assert files == [f"chapters/part/{stem}" for stem in ("front", "a", "b", "a_2", "b_2", "a_3")]
    (part,) = yaml.safe_load((small / "chapters/outline.yml").read_text())
    assert [chapter["stem"] for chapter in part["chapters"]] == ["a", "b", "a_2", "b_2", "a_3"]
    assert len({chapter["title"] for chapter in part["chapters"]}) == 5
    for stem in ("a_2", "b_2", "a_3"):
        assert (small / f"chapters/part/{stem}.ipynb").exists()
        assert (small / f"tests/part/test_{stem}.py").exists()


def test_each_copy_has_a_hub(small):
    (listing,) = yaml.safe_load((small / "_toc.yml").read_text())["parts"][1]["chapters"]
    stems = [entry["file"].rpartition("/")[2] for entry in listing["sections"]]
    assert stems == ["a", "b", "a_2", "b_2", "a_3"]
    for stem in stems:
        text = (small / tool.HUBS / f"{stem}.md").read_text()
        assert re.findall("`(.*)`|chapter-hub} (.*)", text) == [(stem, ""), ("", stem)]


def test_no_label_is_defined_twice_and_none_is_lost(small):
    defined = Counter()
    for path in (small / "chapters/part").glob("*.ipynb"):
        defined.update(label for found in tool.LABEL.findall(path.read_text()) for label in found if "-" in label)
    of_a = ["a-derivation", "a-one", "a-one-more", "a-box", "fig-a"]
    of_b = ["b-one", "fig-b"]
    copies = (
        ["word-copy-2", "word-copy-3"]
        + [f"{label}-copy-2" for label in of_a + of_b]
        + [f"{label}-copy-3" for label in of_a]
    )
    assert sorted(defined) == sorted(of_a + of_b + copies)
    assert max(defined.values()) == 1


def test_a_copy_refers_to_its_own_labels_and_to_other_chapters(small):
    cells = json.loads((small / "chapters/part/a_2.ipynb").read_text())["cells"]
    (line,) = re.findall("^See.*", "".join(cells[0]["source"]), re.M)
    assert line == (
        "See {eq}`a-one-copy-2`, {eq}`a-one-more-copy-2`, {ref}`a-derivation-copy-2`, {numref}`fig-a-copy-2`, "
        "[the box](#a-box-copy-2), "
        "{eq}`b-one`."
    )
    assert json.loads((small / "chapters/part/a_2.ipynb").read_text())["metadata"]["kernelspec"]["name"] == "python3"


def test_a_label_of_one_word_is_renamed_where_it_is_defined(small):
    text = (small / "chapters/part/a_2.ipynb").read_text()
    assert text.count("(word-copy-2)=") == 1
    assert "(word)=" not in text
    assert "# A word" in text


def test_the_originals_stay_and_the_folder_must_be_empty(small, tmp_path):
    for stem in ("a", "b"):
        name = f"chapters/part/{stem}.ipynb"
        assert (small / name).read_bytes() == (tmp_path / "project" / name).read_bytes()
    with pytest.raises(SystemExit, match="not empty"):
        tool.make(small, 2)


def test_a_build_is_measured(small, monkeypatch):
    (small / "_build/html/chapters").mkdir(parents=True)
    (small / "_build/html/chapters/a.html").touch()
    monkeypatch.setattr(tool, "BUILD", ("-c", "x = bytes(50_000_000); sum(range(10**7)); raise SystemExit(3)"))
    cost = tool.build(small)
    assert cost.status == 3
    assert cost.pages == 1
    assert 0.05 < cost.seconds < 20
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / tool.UNITS_IN_MB
    assert 50 < cost.megabytes < 500 + own  # until it has its own program, a new process is as large as this one


def test_the_command_of_the_build_is_there():
    called = subprocess.run([sys.executable, *tool.BUILD[:2], "build", "--help"], capture_output=True, text=True)
    assert called.returncode == 0
    assert "--keep-going" in called.stdout
