"""What students type into all fields of a drill, one after the other: right, wrong, slips, and what follows from it."""

import re

from notes_lib.drills.expressions import Unreadable
from notes_lib.drills.fields import NUMERIC, flat
from notes_lib.drills.follow import names
from notes_lib.drills.judge import judge, told
from tests.drills.forms import EMPTY, NONSENSE, right_forms, wrong_forms


def typed(field, value, number=repr):
    """A value as text; numbers in full, or as ``number`` writes them."""
    if field.kind == "number":
        return number(value)
    if field.kind == "matrix":
        return "; ".join(" ".join(map(number, row)) for row in value)
    if field.kind == "vector":
        return "; ".join(map(number, value))
    if field.kind == "groups":
        return "; ".join(", ".join(group) for group in value)
    return "yes" if field.kind == "own" else value if field.kind == "choice" else "; ".join(value) or "none"


def like(field, entries):
    """Entries in a row in the shape of the value of a field."""
    if field.kind == "matrix":
        width = len(field.value[0])
        return [entries[k : k + width] for k in range(0, len(entries), width)]
    return entries if isinstance(field.value, list) else entries[0]


def expressions(field):
    return [] if field.follows is None else [e for e in flat(field.follows) if e is not None]


def named(field):
    """Names of the fields that a field follows from."""
    return sorted(set().union(*map(names, expressions(field))))


def consequence(field, earlier):
    """Value of a field that follows from earlier answers, and which entries do; None if there is none."""
    found, entries = [], [] if field.kind == "set" else flat(field.value)
    known = {f.name: (f, verdict) for f, verdict in earlier}
    for k, expression in enumerate(flat(field.follows)):
        try:
            value, wrong = (0.0, False) if expression is None else told(expression, known)
        except Unreadable:
            return None
        if field.kind == "set":
            belongs = value != 0 if expression is not None else field.options[k] in field.value
            entries += [field.options[k]] if belongs else []
        elif expression is not None and field.kind in NUMERIC:
            entries[k] = value
        elif expression is not None:
            if value not in range(len(field.options)):
                return None
            entries[k] = field.options[int(value)]
        found.append(wrong)
    return (entries if field.kind == "set" else like(field, entries)), found


def off(field, pick):
    """A wrong value of a field, with one entry changed."""
    if field.kind == "set":
        option = pick.choice(field.options)
        return [w for w in field.value if w != option] + ([] if option in field.value else [option])
    entries = flat(field.value)
    k = pick.randrange(len(entries))
    if field.kind not in NUMERIC:
        entries[k] = pick.choice([option for option in field.options if option != entries[k]])
    elif field.digits is None and field.places is None:
        entries[k] += pick.choice([1, 2]) * max(1, round(abs(entries[k]) / 3))
    else:
        entries[k] += 50 * field.tolerance_at(entries[k]) + pick.choice([0.07, 0.2, 3, -5]) * abs(entries[k])
    return like(field, entries)


def near(field, value, pick):
    """A value that is near to one, and not it."""
    entries = flat(value)
    k = pick.randrange(len(entries))
    entries[k] += pick.choice([-3, 3]) * field.tolerance_at(entries[k])
    return like(field, entries), k


def sheet(drill, pick):
    """An answer for each field of a drill, of all kinds, with the verdicts."""
    earlier, texts = [], []
    for field in drill.fields:
        way = pick.randrange(10)
        text = typed(field, field.value)
        follows = consequence(field, earlier) if field.follows is not None else None
        if way < 5 and follows:
            value = near(field, follows[0], pick)[0] if way == 0 and field.kind in NUMERIC else follows[0]
            text = typed(field, value)
        elif way < 4 and field.slips:
            text = typed(field, pick.choice(field.slips).value)
        elif way < 7 and field.kind not in ("own", "groups"):
            text = typed(field, off(field, pick))
        elif way == 7:
            text = pick.choice([*wrong_forms(field, pick, 1), *NONSENSE, *EMPTY, "9e99"])
        texts.append(text)
        earlier.append((field, judge(field, text, earlier)))
    return texts, [verdict for _, verdict in earlier]


WAYS = ("right", "notation", "slip", "follows", "beside", "inside", "outside", "nonsense", "other")
MORE_NONSENSE = ["1,234,567", "12,5,3", "1'000", "1 000 000", "−", "(1, 2]", "[(1; 2)", "{1 | 2", "2e", "e308", "1e400",
                 "-1e-400", "1e308 1e308", "2^1024", "(-8)^(1/3)", "0/0", "1//2", "∞", "-inf", "nil", "yes no", "½½",
                 "0x1F", "1_000", "٣", "１２，５", "x = y", "= 3", "3 =", "π r²", "10 %%", "5 per cent", "\\frac{1}{0}",
                 "<script>", "'; --", "3..4", ".", ",", ";", "|", "->", "&nbsp;", "\ufeff", "1\u200b2", "a\tb",
                 "1\r\n2", "constructor", "__proto__", "toString", "hasOwnProperty"]  # fmt: skip


def moved(field, share, pick):
    """The value of a numeric field with every number off by a share of its tolerance, up or down.

    Of a vector up to its scale, the largest entry sets the scale of the others: both may be off, so each by half.
    """
    allowed = [t / 2 if field.up_to == "scale" and share < 1 else t for t in flat(field.tolerance)]
    return like(field, [v + pick.choice([-share, share]) * t for v, t in zip(flat(field.value), allowed, strict=True)])


def rewritten(text, pick):
    """A text in another notation: signs, separators, brackets and blanks as other people and programs write them."""
    ways = [
        lambda t: t.replace("-", pick.choice("−–—‐‑﹣－")),
        lambda t: t.replace(".", ","),
        lambda t: t.replace("; ", pick.choice([" & ", " | ", "\n", ", ", "  ", "\t", " and ", "、"])),
        lambda t: pick.choice(["({}]", "[{})", "{{{}}}", "⟨{}⟩", "$({})$", "array([{}])", "[[{}]]", "({},)"]).format(t),
        lambda t: f"{pick.choice(['x', 'answer', 'w_1', 'P(A)'])} = {t}",
        lambda t: f"{t}{pick.choice(['.', '!', ' cm', ' %', '…', ' .', ' = x'])}",
        lambda t: "".join(f"{c}{pick.choice(['', '', ' ', chr(0x2009), chr(0xA0)])}" for c in t),
        lambda t: t.upper(),
        lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
        lambda t: f"{t}e0" if t[-1:].isdigit() else f"+{t}",
    ]
    for way in pick.sample(ways, pick.choice([1, 1, 2])):
        text = way(text)
    return text


def thousands(text):
    """A text with commas in its numbers of four digits or more."""
    return re.sub(r"(?<![\d.])\d{4,}(?![\d.])", lambda found: f"{int(found[0]):,}", text)


def recipe(drill, way, pick):
    """What a student of one way types into all fields of a drill: mostly that, else what is right."""
    earlier, texts = [], []
    for k, field in enumerate(drill.fields):
        text = typed(field, field.value)
        numeric = field.kind in NUMERIC
        follows = consequence(field, earlier) if way in ("follows", "beside") and field.follows is not None else None
        if follows:
            beside = way == "beside" and numeric
            text = typed(field, near(field, follows[0], pick)[0] if beside else follows[0])
        elif way in ("follows", "beside") and (k == 0 or pick.random() < 0.2) and field.kind not in ("own", "groups"):
            text = typed(field, off(field, pick))
        elif way == "right":
            text = pick.choice(right_forms(field, pick, 1))
        elif way == "slip" and field.slips:
            text = typed(field, pick.choice(field.slips).value)
        elif way == "notation":
            text = rewritten(text, pick)
        elif way in ("inside", "outside") and numeric:
            text = typed(field, moved(field, 0.98 if way == "inside" else 1.02, pick))
        elif way == "nonsense":
            text = pick.choice([*NONSENSE, *EMPTY, *MORE_NONSENSE])
        elif way == "other":
            text = pick.choice([thousands(text), *wrong_forms(field, pick, 1), typed(*other_field(drill, pick))])
        texts.append(text)
        earlier.append((field, judge(field, text, earlier)))
    return texts, [verdict for _, verdict in earlier]


def other_field(drill, pick):
    """Some field of a drill and its value: what belongs elsewhere."""
    field = pick.choice(drill.fields)
    return field, field.value
