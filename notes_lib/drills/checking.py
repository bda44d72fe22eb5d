"""A drill as a dialogue: it asks for the answer field by field, says what is right, and adds up the marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from notes_lib.drills import Drill, Field
from notes_lib.drills.judge import Verdict, earned, judge
from notes_lib.drills.terminal import readable

__all__ = ["check"]

HOW = {
    "vector": "numbers in a row",
    "matrix": "rows, with ; between them",
    "sequence": "in a row, with commas",
    "set": "in any order, with commas",
    "groups": "with commas, and ; between groups",
    "own": "compare with the solution: yes or no",
}


def check(drill: Drill, ask: Callable[[str], str], say: Callable[[str], None], patient: bool = True) -> float:
    """Ask for all fields of a drill and give the marks.

    Parameters
    ----------
    drill : Drill
        The exercise; its statement should have been shown.
    ask : callable
        Shows a prompt and returns what was typed; ``EOFError`` ends the answers.
    say : callable
        Shows a line of text.
    patient : bool
        Ask again when an answer cannot be read; an empty one goes on to the next field.

    Returns
    -------
    float
        Marks earned.
    """
    typed = [field for field in drill.fields if field.kind != "own"]
    reasons = [field for field in drill.fields if field.kind == "own"]
    answers = _answers(ask)
    earlier: list[tuple[Field, Verdict]] = []
    for field in typed:
        earlier.append((field, _verdict(field, earlier, answers, say, patient)))
    say("\nSolution\n\n" + readable(drill.solution) + "\n")
    earlier += [(field, _verdict(field, (), answers, say, patient)) for field in reasons]
    total = sum(earned(field, verdict) for field, verdict in earlier)
    say(f"Together {total:g} of {drill.marks} marks.")
    return total


def _answers(ask: Callable[[str], str]) -> Callable[[str], str]:
    """Answers to prompts; empty ones when there are no more."""
    ended: list[bool] = []

    def answer(prompt: str) -> str:
        if not ended:
            try:
                return ask(prompt)
            except EOFError:
                ended.append(True)
        return ""

    return answer


def _verdict(
    field: Field,
    earlier: Iterable[tuple[Field, Verdict]],
    answer: Callable[[str], str],
    say: Callable[[str], None],
    patient: bool,
) -> Verdict:
    """Ask for a field until it can be read, and say what becomes of the answer."""
    prompt = "\n".join(_prompt(field))
    while True:
        text = answer(prompt)
        verdict = judge(field, text, earlier)
        marks = earned(field, verdict)
        say(f"   {_sentence(field, verdict)} {marks:g} of {field.marks:g} {'mark' if field.marks == 1 else 'marks'}.")
        if verdict.understood or not patient or not text.strip():
            return verdict


def _sentence(field: Field, verdict: Verdict) -> str:
    """What the verdict says; of a slip also which card of the chapter says more."""
    if verdict.slip is None:
        return verdict.message
    card = field.slips[verdict.slip].card
    return readable(verdict.message, 10_000) + (f" (See the card {card}.)" if card else "")


def _prompt(field: Field) -> Iterator[str]:
    """What is asked for, how, and where the answer goes."""
    how = [part for part in (HOW.get(field.kind, ""), field.asks) if part]
    yield f"{field.part}. {readable(field.label, 10_000)}" + (f" ({'; '.join(how)})" if how else "")
    for name, titles in (("rows", field.rows), ("order", field.columns)):
        if titles:
            yield f"   {name}: {', '.join(readable(title) for title in titles)}"
    if field.options and (field.kind == "choice" or len(field.options) < 8):
        yield f"   one of: {', '.join(field.options)}"
    yield "   > "
