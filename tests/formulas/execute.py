r"""Execute a displayed formula: each of its statements is true, false or unread on an instance.

A statement is executed for all values of its free indices. An update ``\mathbf{w} \leftarrow ...`` compares with the
symbol ``\mathbf{w}\leftarrow``; an optimisation problem compares its solution with rivals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from tests.drills.arithmetic import Unreadable
from tests.formulas.reader import Chain, Names, Node, Notes, Parser
from tests.formulas.tokens import ARROWS, LOGIC, Tokens, group_end, outside, statements, tokens, unwrapped, word
from tests.formulas.values import Instance, Law, Scope, agree, names_of, scalar, value

MOST = 300  # choices of the free indices that are tried
MISFITS = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError, np.linalg.LinAlgError)
TRUE, FALSE, UNREAD, VACUOUS = "true", "false", "unread", "vacuous"


class Result(NamedTuple):
    """What became of a statement."""

    statement: str
    status: str
    reason: str = ""


class Given(NamedTuple):
    """A condition under which a statement is meant, and its free indices."""

    holds: Node
    free: Iterable[str]


def execute(formula: str, instance: Instance, key: str) -> list[Result]:
    """Execute all statements of a formula on one instance; of one that falls into none, it as a whole is unread."""
    try:
        return of_statements(formula, instance, key)
    except (Unreadable, *MISFITS) as error:
        return [unread(formula, error)]


def of_statements(formula: str, instance: Instance, key: str) -> list[Result]:
    """What becomes of each statement."""
    names = Names(instance.of(key))
    if key in instance.rivals or r"\text{subject to}" in formula:
        return [attempt(formula, lambda: is_optimum(formula, names, instance.rivals.get(key, [])))]
    said = tokens(instance.given.get(key, ""))
    growing = {t for ts in (said, *statements(formula)) if grows(ts, names) for t in ts if (t,) in names.values}
    given = condition(said, names) if said and not growing else None
    results: list[Result] = []
    for ts in statements(formula):
        if word(ts[0]) == "if" and ts[-1] == ":":
            given = condition(ts[1:-1], names)
        elif not grows(ts, names):
            number = len(results) + 1
            worth = sides_of(instance.worth.get(key if number == 1 else f"{key}/{number}"))
            if key in instance.truth:
                ts, worth = ("[", *ts, "]"), {0: instance.truth[key]}  # which is worth 1 or 0
            results.append(attempt(" ".join(ts), judge(ts, names, given, worth, growing)))
    return results


def judge(ts: Tokens, names: Names, given: Given | None, worth: dict[int, Any], growing: set[str]) -> Any:
    """What is to be run for a statement."""
    if ARROWS & {*ts}:
        return lambda: approaches(ts, names, growing)
    if r"\pm" in ts:
        return lambda: with_signs(ts, names, worth)
    return lambda: holds(ts, names, given, worth)


def grows(ts: Tokens, names: Names) -> bool:
    r"""Whether a statement only says what goes to infinity: ``(c \to \infty)``, ``\text{for } M = N \to \infty``."""
    at = next((k for k, t in enumerate(ts) if t in ARROWS), 0)
    named = all(t in ("(", "=") or word(t) == "for" or (t,) in names.values for t in ts[:at])
    return at > 0 and named and ts[at + 1 :] in ((r"\infty",), (r"\infty", ")"))


def on_all(formula: str, instances: Iterable[Instance], key: str) -> list[Result]:
    """The statements on several instances: true if true wherever a condition is met, and that once at least."""
    results, found = [], [execute(formula, instance, key) for instance in instances]
    if len({len(rows) for rows in found}) > 1:
        return [Result(formula, UNREAD, "not the same statements on all instances")]
    for rows in zip(*found, strict=True):
        bad = [row for row in rows if row.status in (FALSE, UNREAD)]
        true = [row for row in rows if row.status == TRUE]
        results.append((bad or true or [rows[0]._replace(status=UNREAD)])[0])
    return results


def attempt(text: str, run: Any) -> Result:
    """Run a check; what it cannot read or compute is unread."""
    try:
        with np.errstate(all="ignore"):
            return Result(text, *run())
    except (Unreadable, *MISFITS) as error:
        return unread(text, error)


def unread(text: str, error: Exception) -> Result:
    """What cannot be read, and why."""
    return Result(text, UNREAD, str(error) if isinstance(error, Unreadable) else f"{type(error).__name__}: {error}")


def sides_of(worth: Any) -> dict[int, Any]:
    """The values of sides, by their number."""
    return worth if isinstance(worth, dict) else {} if worth is None else {0: worth}


def condition(ts: Tokens, names: Names) -> Given:
    """Read a condition."""
    notes = Notes()
    return Given(Parser(ts, names, notes).whole("condition"), notes.free)


def holds(ts: Tokens, names: Names, given: Given | None, worth: dict[int, Any]) -> tuple[str, str]:
    """Whether a statement is true for all indices for which its condition holds."""
    if at := next((k for k, t in outside(ts) if word(t) == "if"), 0):
        given, ts = condition(ts[at + 1 :], names), ts[:at]
    chain, notes = read(ts, names)
    if not chain.relations and 0 not in worth:
        raise Unreadable("an expression without a value to compare with")
    if r"\propto" in chain.relations:
        return (TRUE if proportional(chain, names, list(notes.free)) else FALSE), ""
    named = (t[0] for known in worth.values() for t in names_of(known) if t[0] in names.ranges)
    count = 0
    for scope in choices(names, [*notes.free, *named, *(given.free if given else ())]):
        if not given or given.holds(scope):
            count += 1
            if wrong := fault(chain, scope, worth, notes.tolerance):
                return FALSE, wrong
        elif r"\leftarrow" in ts and not unchanged(ts, names, chain, scope):
            return FALSE, f"an update at {dict(scope.indices)}, where the condition does not hold"
    return (TRUE, "") if count else (VACUOUS, "no index satisfies the condition")


def unchanged(ts: Tokens, names: Names, chain: Chain, scope: Scope) -> bool:
    """Whether what an arrow points to is worth the same before and after."""
    before = Parser(ts[: ts.index(r"\leftarrow")], names, Notes()).whole("expression")
    return agree(before(scope), "=", chain.sides[0](scope))


def fault(chain: Chain, scope: Scope, worth: dict[int, Any], tolerance: float) -> str:
    """The first relation that does not hold, or side that is not worth what it should be; empty if there is none."""
    known = {k: value(v(*scope.arguments(names_of(v))) if names_of(v) else v) for k, v in worth.items()}
    sides = [known[k] if side is None else side(scope) for k, side in enumerate(chain.sides)]
    pairs = [*zip(sides, chain.relations, sides[1:], strict=False), *((sides[k], "=", v) for k, v in known.items())]
    wrong = next((pair for pair in pairs if not agree(*pair, tolerance)), None)
    return "{} {} {}".format(*wrong) + f" at {dict(scope.indices)}" if wrong else ""


def approaches(ts: Tokens, names: Names, growing: set[str]) -> tuple[str, str]:
    """Whether the side in front of an arrow comes near the one behind it as some symbols grow."""
    at = next(k for k, t in enumerate(ts) if t in ARROWS)
    if (law := law_behind(ts[at + 1 :], names)) is not None:
        draws = np.ravel(read(ts[:at], names)[0].sides[-1](Scope(names.values)))
        return TRUE if replace(law, draws=draws).fits() else FALSE, ""
    if not growing:
        raise Unreadable("a limit of which it is not said what grows")
    for part in (ts[:at], ts[at + 1 :]):
        if LOGIC.keys() & {*part} and (result := holds(part, names, None, {}))[0] != TRUE:
            return result
    side, end = read(ts[:at], names)[0].sides[-1], read(ts[at + 1 :], names)[0].sides[0]
    scope = Scope(names.values)
    limit = scalar(end(scope))
    near, far = (abs(scalar(side(scope.moved({(t,): size for t in growing}))) - limit) for size in (1e2, 1e6))
    return (TRUE, "") if far <= near and far < 1e-4 * max(1.0, abs(limit)) else (FALSE, f"{far} away at 1e6")


def law_behind(ts: Tokens, names: Names) -> Law | None:
    """The distribution that stands behind an arrow, if it is one."""
    try:
        end = read(ts, names)[0].sides[0](Scope(names.values))
    except (Unreadable, *MISFITS):
        return None
    return end if isinstance(end, Law) else None


def with_signs(ts: Tokens, names: Names, worth: dict[int, Any]) -> tuple[str, str]:
    r"""``a \pm b`` is worth two values, minus first; a relation holds for each index with one of the signs."""
    signed = [tuple(sign if t == r"\pm" else t for t in ts) for sign in "-+"]
    if worth:
        both = [holds(one, names, None, {0: v}) for one, v in zip(signed, worth[0], strict=True)]
        return next((result for result in both if result[0] != TRUE), both[0])
    chains = [read(one, names) for one in signed]
    for scope in choices(names, chains[0][1].free):
        wrong = [fault(chain, scope, {}, notes.tolerance) for chain, notes in chains]
        if all(wrong):
            return FALSE, wrong[0]
    return TRUE, ""


def read(ts: Tokens, names: Names) -> tuple[Chain, Notes]:
    """Parse a statement; where its left side is in words, that is None."""
    notes = Notes()
    if ts[0] in LOGIC:
        chain = Parser(("0", *ts), names, notes).whole("chain")
        return Chain([None, *chain.sides[1:]], chain.relations), notes
    if r"\leftarrow" in ts:  # the arrow belongs to the name of the value after the step
        at = ts.index(r"\leftarrow") + 1
        ts = (*ts[:at], "=", *ts[at:])
    return Parser(ts, names, notes).whole("chain"), notes


def choices(names: Names, letters: Iterable[str]) -> Iterator[Scope]:
    """The scope with each choice of free indices; with some of them where they are many."""
    letters = list(dict.fromkeys(letters))
    found = list(itertools.product(*(names.ranges[letter] for letter in letters)))
    if len(found) > MOST:
        found = [found[k] for k in np.random.default_rng(0).choice(len(found), MOST, replace=False)]
    for numbers in found:
        yield Scope(names.values).bind(letters, numbers)


def proportional(chain: Chain, names: Names, free: list[str]) -> bool:
    """Whether the sides have one ratio over the first index, the others fixed; without an index over their entries."""
    run, fixed = free[:1], free[1:]
    for scope in choices(names, fixed):
        if run:
            inner = [scope.bind(run, [k]) for k in names.ranges[run[0]]]
            left, right = (np.array([scalar(side(s)) for s in inner]) for side in chain.sides)
        else:
            left, right = (np.ravel(side(scope)) for side in chain.sides)
        if left.shape != right.shape or len(left) < 2:
            return False
        k = np.abs(right).argmax()
        zero = 1e-12 * abs(left[k] * right[k])  # both sides may be tiny, as probabilities of many data are
        if left[k] == 0 or not np.allclose(left * right[k], right * left[k], rtol=1e-9, atol=zero):
            return False
    return True


def is_optimum(formula: str, names: Names, rivals: list[dict[str, Any]]) -> tuple[str, str]:
    """Whether the values satisfy the constraints, and no rival that does has a better objective."""
    ts = unwrapped(tokens(formula))
    at = next((k for k, t in enumerate(ts) if word(t) == "subject to"), len(ts))
    (goal, *_), notes = statements(" ".join(ts[:at])), Notes()
    end = group_end(goal, 2) if goal[1] == "_" else 1
    better = {r"\min": min, r"\max": max}[goal[0]]
    objective = Parser(goal[end:], names, notes).whole("expression")
    constraints = [read(constraint, names) for constraint in statements(" ".join(ts[at + 1 :]))]

    def feasible(values: dict[Tokens, Any]) -> bool:
        return all(
            chain.holds(scope.moved(values), 1e-6)
            for chain, notes in constraints
            for scope in choices(names, notes.free)
        )

    scope = Scope(names.values)
    if not feasible({}):
        return FALSE, "the solution does not satisfy the constraints"
    best, tried = scalar(objective(scope)), 0
    for rival in (Names(rival).values for rival in rivals):
        if feasible(rival):
            tried += 1
            found = scalar(objective(scope.moved(rival)))
            if better(found, best) != best and not agree(found, "=", best):
                return FALSE, f"a rival has {found} instead of {best}"
    return (TRUE, "") if tried > 2 else (UNREAD, "hardly any rival satisfies the constraints")
