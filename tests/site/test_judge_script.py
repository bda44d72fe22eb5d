"""The page's judge in a real browser: its verdicts on thousands of answers are those of Python."""

import json
import random

import pytest

from notes_lib.drills.judge import earned, judge
from tests.drills.test_twin import SCRIPT, answers, plain
from tools import print_page

ASK = """cases => JSON.stringify(JSON.parse(cases).map(([field, text]) => {
  const verdict = drillJudge.judge(field, text);
  return {right: verdict.right, entries: verdict.entries, message: verdict.message, understood: verdict.understood,
          earned: window.drillJudge.earned(field, verdict)};
}))"""


@pytest.mark.browser
def test_chromium_gives_the_verdicts_of_python():
    cases = list(answers(random.Random(3)))[::2]
    with print_page.new_page() as page:
        page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
        told = json.loads(page.evaluate(ASK, json.dumps([[field.as_json(), text] for field, text in cases])))
    assert len(told) > 5000
    for (field, text), theirs in zip(cases, told, strict=True):
        verdict = judge(field, text)
        assert theirs == plain(verdict) | {"earned": earned(field, verdict)}, json.dumps([text, field.as_json()])
