"""The page's judge in a real browser: its verdicts on thousands of answers are those of Python."""

import json
import random
from collections import Counter

import pytest

from notes_lib.drills import topics
from notes_lib.drills.judge import FOLLOWS, judge
from tests.drills.seeds import drawn
from tests.drills.sheets import WAYS, recipe
from tests.drills.test_twin import SCRIPT, SHEET, answers, told_of
from tools import print_page

BATCH = 1500  # sheets that Chromium judges at a time
ASK = f"calls => JSON.stringify(JSON.parse(calls).map(call => ({SHEET})(call[0], call[1])))"


@pytest.fixture(scope="module")
def chromium():
    """What the script says of sheets of fields and answers."""
    with print_page.new_page() as page:
        page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))

        def told(sheets):
            calls = [[[field.as_json() for field in fields], texts] for fields, texts in sheets]
            parts = [calls[k : k + BATCH] for k in range(0, len(calls), BATCH)]
            return [one for part in parts for one in json.loads(page.evaluate(ASK, json.dumps(part)))]

        yield told


@pytest.mark.browser
def test_chromium_gives_the_verdicts_of_python(chromium):
    cases = list(answers(random.Random(3)))[::16]
    assert len(cases) > 5000
    for (field, text), (theirs,) in zip(cases, chromium([[field], [text]] for field, text in cases), strict=True):
        assert theirs == told_of(field, judge(field, text)), json.dumps([text, field.as_json()])


def sheets():
    """A sheet of each way for every topic, at a seed of its own."""
    for topic in topics():
        for seed, way in enumerate(WAYS):
            drill = drawn(topic, seed)
            yield (way, drill, *recipe(drill, way, random.Random(f"{topic} {way}")))


@pytest.mark.browser
def test_chromium_judges_whole_sheets_of_every_topic_as_python_does(chromium):
    every = list(sheets())
    told = chromium([(drill.fields, texts) for _, drill, texts, _ in every])
    kinds, words = Counter(), Counter()
    for (way, drill, texts, verdicts), theirs in zip(every, told, strict=True):
        for field, text, verdict, told_there in zip(drill.fields, texts, verdicts, theirs, strict=True):
            assert told_there == told_of(field, verdict), f"{way}: {text!r} for {field}, among {texts}"
            kinds[way, "right" if verdict.right else "wrong" if verdict.understood else "unread"] += 1
            words.update({"slip": verdict.slip is not None, "follows": verdict.message == FOLLOWS})
    assert kinds.total() > 10_000
    assert kinds["right", "wrong"] == kinds["right", "unread"] == 0
    assert all(kinds[way, "right"] and kinds[way, "wrong"] for way in WAYS if way not in ("right", "inside"))
    assert kinds["inside", "wrong"] == 0
    assert min(kinds["outside", "wrong"], kinds["nonsense", "unread"]) > 500
    assert kinds["notation", "unread"] > 200
    assert min(words["slip"], words["follows"]) > 300
