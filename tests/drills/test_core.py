"""Tests of the drills' core and command line; each topic's numbers are tested beside its chapter's drills."""

import ast
import io
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from notes_lib import drills
from notes_lib.drills import Parts, draw, exam, topics
from notes_lib.drills.__main__ import main
from notes_lib.drills.drawing import SEEDS as SEEDS_OF_PAGE
from notes_lib.drills.terminal import readable
from tests.drills.seeds import CHAIN_SEEDS, SEEDS, drawn

HERE = Path(__file__).parent


def test_one_stem_one_file_of_drills_and_one_of_tests():
    root = Path(drills.__file__).parent
    modules = {p.relative_to(root).with_suffix("") for p in root.glob("*/[!_]*.py")}
    tests = {p.relative_to(HERE).with_suffix("") for p in HERE.glob("*/test_*.py")}
    assert tests == {p.parent / f"test_{p.name}" for p in modules}


def test_topics_are_sorted_slugs():
    assert topics() == sorted(topics())
    assert all(t == t.lower() and " " not in t and "_" not in t for t in topics())


@pytest.mark.parametrize("topic", topics())
def test_a_drill_is_decided_by_topic_and_seed(topic):
    assert all(draw(topic, np.int64(seed)) == drawn(topic, seed) for seed in range(12))
    first = drawn(topic, 11)
    assert (first.topic, first.seed) == (topic, 11)
    assert first._repr_markdown_() == first.statement
    assert repr(first) == f"Drill('{topic}', seed=11, marks={first.marks}, minutes={first.minutes})"


@pytest.mark.parametrize("topic", topics())
def test_given_and_answer_survive_json(topic):
    for seed in SEEDS:
        item = drawn(topic, seed)
        assert json.loads(json.dumps(item.given)) == item.given
        assert json.loads(json.dumps(item.answer)) == item.answer


@pytest.mark.parametrize("topic", topics())
def test_seeds_give_different_exercises(topic):
    drills = [drawn(topic, seed) for seed in CHAIN_SEEDS]
    assert len({json.dumps(d.given) for d in drills}) >= 0.8 * len(drills)
    assert len({d.statement for d in drills}) >= 0.8 * len(drills)


def test_drawing_imports_the_module_of_one_chapter(monkeypatch):
    found = []
    monkeypatch.setattr(drills, "_TOPICS", {})
    monkeypatch.setattr(drills.importlib, "import_module", found.append)
    drills._load_module_of.__wrapped__("viterbi")
    assert found == ["notes_lib.drills.sequences.hmm"]


def test_draw_refuses_an_unknown_topic_and_suggests():
    with pytest.raises(ValueError, match="did you mean k-means"):
        draw("k-meens", 0)
    with pytest.raises(ValueError, match="topic must be one of"):
        draw("zzzzzz", 0)


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True])
def test_draw_refuses_seed(seed):
    with pytest.raises(ValueError, match="seed must be a non-negative integer"):
        draw("k-means", seed)


def test_two_topics_cannot_share_a_slug():
    slug = topics()[0]
    with pytest.raises(ValueError, match="two drills are called"):

        @drills.drill(slug, marks=1, minutes=1)
        def other(rng):
            return Parts("", {}, "", {})


@pytest.mark.parametrize("minutes", [20, 60, 180])
def test_exam_fills_its_time(minutes):
    paper = exam(minutes, seed=5)
    left = minutes - sum(item.minutes for item in paper)
    assert 0 <= left < min(drawn(t, 0).minutes for t in topics())
    assert paper == exam(minutes, seed=5)


def test_exam_takes_every_topic_before_it_repeats_one():
    enough = sum(drawn(topic, 0).minutes for topic in topics()) + 60
    paper = [item.topic for item in exam(enough, seed=1)]
    assert set(paper[: len(topics())]) == set(topics())


def test_each_seed_gives_another_paper():
    papers = [exam(60, seed) for seed in range(len(topics()) // 2)]  # an hour holds about five drills
    assert len({tuple(item.topic for item in paper) for paper in papers}) == len(papers)
    assert len({item.topic for paper in papers for item in paper}) > 0.8 * len(topics())  # no topic is preferred
    drills = {(item.topic, item.seed) for paper in papers for item in paper}
    assert len(drills) > 0.9 * sum(map(len, papers))
    assert {seed for _, seed in drills} <= set(range(SEEDS_OF_PAGE))
    assert len({seed for _, seed in drills}) > 20


def test_exam_refuses_too_short_a_time():
    with pytest.raises(ValueError, match="minutes must be at least"):
        exam(1, seed=0)


def test_command_line_lists(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [re.split("  +", line) for line in lines] == [[topic, drills.title(topic)] for topic in topics()]


def test_command_line_prints_a_drill(capsys):
    item = draw("k-means", 7)
    assert main(["k-means", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert item.statement in out
    assert item.solution not in out
    assert main(["k-means", "--seed", "7", "--solution"]) == 0
    assert item.solution in capsys.readouterr().out


def test_command_line_prints_a_paper(capsys):
    assert main(["exam", "--minutes", "60", "--seed", "3", "--solutions"]) == 0
    out = capsys.readouterr().out
    paper = exam(60, seed=3)
    assert f"60 minutes, {sum(item.marks for item in paper)} marks" in out
    assert all(item.statement in out and item.solution in out for item in paper)


def test_command_line_prints_text_in_a_terminal(monkeypatch, capsys):
    item = draw("k-means", 7)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["k-means", "--seed", "7", "--solution"]) == 0
    assert readable(item.solution) + "\n" in capsys.readouterr().out
    assert main(["k-means", "--seed", "7", "--format", "markdown"]) == 0
    assert item.statement in capsys.readouterr().out


def test_command_line_prints_text_on_demand(capsys):
    assert main(["exam", "--format", "text", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Paper 3: 60 minutes")
    assert not set("$\\#*") & set(out)


def test_a_paper_of_chosen_topics(capsys):
    assert {item.topic for item in exam(90, seed=1, topics=["viterbi", "svm-dual"])} == {"viterbi", "svm-dual"}
    assert main(["exam", "--topics", "viterbi,svm-dual", "--minutes", "30"]) == 0
    out = capsys.readouterr().out
    names = sorted(drills.title(topic) for topic in ("svm-dual", "viterbi"))
    assert sorted(re.findall(r"^\| \d \| (.+?) \| \d+ \| \d+ \|$", out, re.M)) == names
    assert sorted(re.findall(r"^## \d\. (.+?) \(", out, re.M)) == names
    assert sorted(re.findall(r"; ([\w-]+), seed \d+\)$", out, re.M)) == ["svm-dual", "viterbi"]
    assert main(["exam", "--topics", "viterby"]) == 2
    assert "did you mean viterbi" in capsys.readouterr().err
    assert main(["exam", "--topics", ","]) == 2
    assert "topics must name at least one" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["viterbi", "--check"], ["check", "viterbi"]])
def test_command_line_checks_answers_from_a_pipe(words, monkeypatch, capsys):
    answer = draw("viterbi", 7).answer
    rows = ["; ".join(" ".join(map(str, row)) for row in answer[key]) for key in ("delta", "pointers")]
    typed = [*rows, "->".join(map(str, answer["path"])), str(answer["probability"])]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed)))
    assert main([*words, "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("Together 10 of 10 marks.\n")
    assert out.count("Right.") == 4


def test_command_line_runs_as_a_module(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "notes_lib.drills.__main__")
    monkeypatch.setattr(sys, "argv", ["drills", "list"])
    with pytest.raises(SystemExit) as caught:
        runpy.run_module("notes_lib.drills", run_name="__main__")
    assert caught.value.code == 0
    assert "k-means" in capsys.readouterr().out


def test_command_line_explains_a_mistake(capsys):
    assert main(["viterby"]) == 2
    assert "topic must be one of" in capsys.readouterr().err


def registrations():
    """Slug and keywords of every ``@drill(...)`` in the chapters' modules."""
    for path in Path(drills.__file__).parent.glob("*/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "drill":
                yield ast.literal_eval(node.args[0]), {word.arg for word in node.keywords}


def test_every_topic_is_registered_with_a_title():
    known = dict(registrations())
    assert sorted(known) == topics()
    assert not [slug for slug, keywords in known.items() if "title" not in keywords], 'add title="..." to @drill(...)'
    titles = [drills.title(slug) for slug in topics()]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() for title in titles)
    assert all(len(title) <= 45 and title.strip() == title for title in titles)


def test_a_topic_without_a_title_has_its_slug_in_words(monkeypatch):
    monkeypatch.setitem(drills._TOPICS, "two-steps", None)  # taken out again in the end
    drills.drill("two-steps", marks=1, minutes=1)(lambda rng: Parts("", {}, "", {}))
    assert drills.title("two-steps") == "Two steps"
    assert draw("viterbi", 0).title == drills.title("viterbi") == "Viterbi algorithm"


def test_a_drill_needs_the_module_of_its_chapter_alone():
    """In a fresh process: a notebook draws a drill or two, and the whole library would take half a second."""
    script = """
import sys
from notes_lib import drills
print(drills.draw("viterbi", 1).title)
print(*sorted(name for name in sys.modules if name.startswith("notes_lib.drills.") and name.count(".") == 3))
print(*drills.by_chapter())
"""
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert found.splitlines() == [
        "Viterbi algorithm",
        "notes_lib.drills.sequences.hmm",
        " ".join(drills.by_chapter()),  # in the same order, whatever was drawn before
    ]


def test_topics_by_chapter_are_all_topics():
    found = drills.by_chapter()
    assert sorted(slug for slugs in found.values() for slug in slugs) == topics()
    assert all(drills.chapter(slug) == name for name, slugs in found.items() for slug in slugs)
    assert found["clustering/gmm"] == ["gmm-responsibility", "gmm-em-step", "gmm-criteria"]  # as the module has them
