"""Tests of the dialogue: prompts, verdicts, marks, answers that cannot be read, and no answers at all."""

import random

import pytest

from notes_lib.drills import topics
from notes_lib.drills.checking import check
from tests.drills.forms import right_forms, wrong_forms
from tests.drills.seeds import drawn


@pytest.fixture
def pick():
    return random.Random(5)


def dialogue(drill, answers, patient=False):
    """Marks, all prompts and all that was said."""
    waiting, prompts, said = iter(answers), [], []

    def ask(prompt):
        prompts.append(prompt)
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return check(drill, ask, said.append, patient), prompts, said


def in_order(drill):
    """Fields as they are asked: reasons after the solution."""
    return sorted(drill.fields, key=lambda field: field.kind == "own")


def test_a_slip_is_said_with_its_card_and_an_error_is_carried_forward():
    drill = drawn("gaussian-mle", 1)
    field = {f.name: f for f in drill.fields}
    answers = ["", f"{field['var'].slips[0].value:.4g}", "", "", "", ""]
    _, _, said = dialogue(drill, answers)
    expected = (
        "   That divides by N - 1; maximum likelihood divides by N. (See the card estimation-convention-divisor.)"
    )
    assert f"{expected} 0 of 2 marks." in said
    earned, _, said = dialogue(drill, ["", repr(2 * field["var"].value), repr(2 * field["unbiased"].value)])
    assert "   Follows from your earlier answer: marks carried forward. 1 of 1 mark." in said
    assert earned == 1


@pytest.mark.parametrize("topic", topics())
def test_right_answers_earn_all_marks(topic, pick):
    drill = drawn(topic, 3)
    answers = [right_forms(field, pick, 1)[0].replace("\n", "|") for field in in_order(drill)]
    marks, prompts, said = dialogue(drill, answers)
    assert marks == drill.marks
    assert said[-1] == f"Together {drill.marks} of {drill.marks} marks."
    assert len(prompts) == len(drill.fields)


def test_wrong_answers_earn_less(pick):
    drill = drawn("kl-divergence", 3)
    answers = [wrong_forms(field, pick, 1)[0] for field in in_order(drill)]
    marks, _, said = dialogue(drill, answers)
    assert marks == 0
    assert said[0] == "   Not right. 0 of 2 marks."


def test_a_prompt_says_what_is_asked_how_and_where():
    _, prompts, said = dialogue(drawn("viterbi", 7), [])
    assert prompts == [
        "1. table of δₜ(k) (rows, with ; between them; four digits or exact)\n   rows: t = 1, t = 2, t = 3\n"
        "   order: state 1, state 2\n   > "
    ]  # after the end of the input nothing is asked
    assert said.count("   Nothing was typed. 0 of 2 marks.") == 2
    assert said[-1] == "Together 0 of 10 marks."
    _, prompts, _ = dialogue(drawn("bayes-risk", 0), [""] * 4)
    assert prompts[2].endswith("(in a row, with commas)\n   order: none, weak, strong\n   one of: healthy, ill\n   > ")


def test_the_solution_stands_before_the_reasons():
    drill = drawn("kl-divergence", 3)
    marks, prompts, said = dialogue(drill, ["", "", "", "", "yes"])
    assert marks == 1
    assert prompts[-1].startswith("3. what it says about code lengths (compare with the solution: yes or no)")
    assert [line.startswith("\nSolution") for line in said].index(True) == 4


def test_a_patient_dialogue_asks_again_and_an_empty_answer_goes_on():
    drill = drawn("gaussian-mle", 3)
    mu = drill.answer["mu"]
    marks, prompts, said = dialogue(drill, ["1 1/2", "mu", str(mu), "", "x", ""], patient=True)
    assert marks == 1
    assert prompts[0] == prompts[1] == prompts[2] != prompts[3]
    assert prompts[4] == prompts[5]
    assert said[0] == "   Two numbers stand side by side where one is asked for. 0 of 1 mark."
    marks, prompts, _ = dialogue(drill, ["1 1/2", str(mu)])  # from a pipe each line is the answer to one field
    assert marks == 0
    assert prompts[0] != prompts[1]
