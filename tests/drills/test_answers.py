"""The judge on every field of every topic: right answers in each form, wrong ones, nonsense."""

import random

import pytest

from notes_lib.drills import topics
from notes_lib.drills.judge import earned, judge
from tests.drills.forms import EMPTY, NONSENSE, right_forms, wrong_forms
from tests.drills.seeds import SEEDS, drawn

EACH = 2  # forms of each field at each seed; the seeds bring the others


@pytest.mark.parametrize("topic", topics())
def test_right_answers_are_accepted_wrong_ones_refused_and_nonsense_gets_a_sentence(topic):
    for seed in SEEDS:
        pick = random.Random(f"{topic} {seed}")
        for field in drawn(topic, seed).fields:
            where = f"{field.name}, seed {seed}, value {field.value}"
            for text in right_forms(field, pick, EACH):
                verdict = judge(field, text)
                assert verdict.right, f"{text!r} is refused ({verdict.message}): {where}"
                assert earned(field, verdict) == field.marks
            for text in wrong_forms(field, pick, EACH):
                verdict = judge(field, text)
                assert not verdict.right, f"{text!r} is accepted: {where}"
                assert verdict.understood, f"{text!r} is not understood ({verdict.message}): {where}"
                assert earned(field, verdict) < field.marks
            nonsense = pick.choice(NONSENSE + EMPTY)
            verdict = judge(field, nonsense)
            assert not verdict.understood, f"{nonsense!r} is understood: {where}"
            assert not verdict.right
            assert verdict.message.endswith(".")
