"""Scripts of topics: they hold the drills of the library, weigh little, and are made anew when a drill may change."""

import ast
import gzip
import json
from pathlib import Path

import drill_scripts
import pytest
from katex_math import Katex
from shared_markup import expand

import notes_lib
from notes_lib.drills import draw

HEAVIEST = "gmm-em-step"
MODULE = "notes_lib.drills.clustering.gmm"


@pytest.fixture(scope="module")
def katex():
    engine = Katex()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def data(katex):
    return drill_scripts.topic_data(HEAVIEST, katex)


def near(kept, value):
    """Whether a script keeps a value: numbers to 12 digits, all else as it is."""
    if isinstance(value, list):
        return len(kept) == len(value) and all(map(near, kept, value))
    return kept == pytest.approx(value, rel=6e-12, abs=0) if isinstance(value, float) else kept == value


def test_the_heaviest_topic_weighs_little(data):
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert len(gzip.compress(text.encode(), 9)) < 60_000


def test_every_seed_has_the_fields_of_the_library(data):
    assert len(data["exercises"]) == drill_scripts.SEEDS
    plain = ("name", "kind", "part", "marks", "options", "asks", "up_to", "percent")
    for seed in (0, 7, drill_scripts.SEEDS - 1):
        for (frame, value, tolerance, *more), field in zip(
            data["exercises"][seed][2], draw(HEAVIEST, seed).as_json()["fields"], strict=True
        ):
            assert {key: data["fields"][frame][key] for key in plain} == {key: field[key] for key in plain}
            assert near([value, tolerance], [field["value"], field["tolerance"]])
            slips, follows = (*more, None)[:2] if more else ([], None)
            assert follows == field.get("follows")
            assert near([slip[1] for slip in slips], [s["value"] for s in field.get("slips", [])])
            assert [data["says"][place][1] for place, *_ in slips] == [s["card"] for s in field.get("slips", [])]
            assert [len(data["fields"][frame][key]) for key in ("rows", "columns")] == [
                len(field[key]) for key in ("rows", "columns")
            ]


def test_texts_are_typeset(data):
    for statement, solution, _ in data["exercises"][:3]:
        markup = expand(statement + solution, data["table"])
        assert "$" not in markup
        assert '<span class="katex">' in markup
        assert "<math" in markup
        assert "annotation" not in markup
        assert "<th></th>" not in markup


def test_sentences_of_slips_are_typeset_and_stored_once(data):
    texts = [expand(markup, data["table"]) for markup, _ in data["says"]]
    assert len(set(texts)) == len(texts) < 8
    assert any('<span class="katex">' in text for text in texts)
    assert not any("$" in text for text in texts)


def test_a_formula_that_cannot_be_read_is_a_warning(katex, monkeypatch):
    warned = []
    monkeypatch.setattr(drill_scripts, "warn", lambda *words: warned.append(words[1]))
    typesetter = drill_scripts.Typesetter()
    typesetter.block("$x$ and $\\nothing{$")
    typesetter.rendered(katex, "some-topic")
    assert len(warned) == 1
    assert "some-topic" in warned[0]


def test_no_line_begins_with_the_comma_behind_a_formula():
    typesetter = drill_scripts.Typesetter()
    x, long = (f'<span class="math inline">{drill_scripts.placeholder(n)}</span>' for n in range(2))
    assert typesetter.inline("$x$, $x$ and $x$-s") == (
        f'<span class="kept">{x},</span> {x} and <span class="kept">{x}-</span>s'
    )
    assert typesetter.inline(f"${'y' * 30}$.") == f'<span class="kept long">{long}.</span>'
    assert "kept" not in typesetter.block("$$z$$.")


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A topic whose script says how often it was made."""
    made = []
    monkeypatch.setattr(drill_scripts, "topic_data", lambda topic, katex: made.append(topic) or {"made": len(made)})
    return lambda: drill_scripts.topic_script("k-means", MODULE, None, tmp_path).read_text(encoding="utf-8")


def test_an_unchanged_topic_is_not_made_again(small):
    assert small() == small() == 'Trainer.receive("k-means",{"made":1});\n'


@pytest.mark.parametrize("name", ["gmm.py", "tex.py", "steps.py", "display.py", "shared_markup.py"])
def test_a_change_below_a_topic_makes_it_anew(small, monkeypatch, name, tmp_path):
    first = small()
    content = drill_scripts._content
    assert any(path.name == name for path in [*drill_scripts.sources(MODULE), *drill_scripts.OWN_FILES])
    monkeypatch.setattr(drill_scripts, "_content", lambda path: b"new" if path.name == name else content(path))
    assert small() != first
    assert len(list(tmp_path.glob("*.js"))) == 1


def test_another_chapter_is_not_below_a_topic():
    assert not [path for path in drill_scripts.sources(MODULE) if "svm" in path.parts]


def parsed_imports(path):
    """The modules of the library that a file may import, from its syntax tree."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def test_no_import_of_the_library_is_overlooked():
    files = [*Path(notes_lib.__file__).parent.rglob("*.py")]
    found = {path: {name for name in parsed_imports(path) if name.startswith("notes_lib")} for path in files}
    assert sum(map(len, found.values())) > 1000
    assert not [(path, name) for path in files for name in found[path] - {*drill_scripts._imports(path)}]


def test_a_script_is_read_as_it_was_written(tmp_path):
    value = {"topic": "k-means (a, b)", "table": ["é", "x);"], "marks": 5}
    drill_scripts.write_script(tmp_path / "a.js", "k-means", value)
    assert drill_scripts.read_script(tmp_path / "a.js") == value
