r"""Parse a formula of the book: its tokens become functions of a :class:`~tests.formulas.values.Scope`.

The grammar is that of the page: a product is juxtaposition, a sum's body is a product, ``\log`` takes what follows up
to the next function or bracket, ``[condition]`` is 1 or 0, and a known name is the longest one that fits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import quad

from tests.drills.arithmetic import Unreadable, add, combined, divide, printed_number, size, times
from tests.formulas.tokens import CLOSE, LOGIC, QUADS, Tokens, depth, group_end, outside, split, tokens, trimmed, word
from tests.formulas.values import (
    EXACT,
    ROUGH,
    Interval,
    Scope,
    agree,
    entry,
    names_of,
    plain,
    power,
    scalar,
    slope,
    value,
)

Node = Callable[[Scope], Any]

OF_NUMBERS = {r"\log": math.log, r"\ln": math.log, r"\exp": math.exp, r"\sin": math.sin, r"\cos": math.cos,
              r"\tanh": math.tanh}  # fmt: skip
FUNCTIONS = {r"\det": np.linalg.det, r"\operatorname{tr}": np.trace, r"\operatorname{sign}": np.sign,
             r"\operatorname{rank}": np.linalg.matrix_rank}  # fmt: skip
BARS = {r"\lvert": r"\rvert", r"\lVert": r"\rVert", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor"}
NORMS = {("_", "1"): 1, ("_", "2"): 2, ("_", r"\infty"): np.inf}  # of a vector; 2 of a matrix is its spectral norm
ARG = {r"\operatorname*{arg\,max}": r"\max", r"\operatorname*{arg\,min}": r"\min"}
BIG = {r"\sum", r"\prod", r"\max", r"\min", r"\arg", *ARG}
OF_GROUPS = {r"\frac", r"\tfrac", r"\dfrac", r"\binom", r"\sqrt"}
ENDS = {*CLOSE, *LOGIC, *BARS.values(), *QUADS, *"+-/,.;:^_!&'", r"\\", r"\mid", r"\cup", r"\cap", r"\cdot", r"\times",
        r"\otimes", r"\to", r"\longrightarrow", r"\leftarrow", r"\pm"}  # fmt: skip
RULES = {**dict.fromkeys(OF_GROUPS, "of_groups"), **dict.fromkeys(BARS, "bars"), **dict.fromkeys(BIG, "big"),
         **dict.fromkeys([*OF_NUMBERS, *FUNCTIONS], "function"), r"\{": "members", r"\nabla": "nabla",
         r"\int": "integral"}  # fmt: skip
CONSTANTS = {"e": math.e, r"\pi": math.pi, r"\infty": math.inf}


class Chain(NamedTuple):
    """Sides, and the relations between neighbours."""

    sides: list[Node]
    relations: list[str]

    def holds(self, scope: Scope, tolerance: float = EXACT) -> bool:
        """Whether every relation holds."""
        values = [side(scope) for side in self.sides]
        pairs = zip(values, self.relations, values[1:], strict=False)
        return all(agree(a, relation, b, tolerance) for a, relation, b in pairs)


class Domain(NamedTuple):
    """What indices run over: their ranges, and conditions."""

    letters: tuple[str, ...]
    ranges: Callable[[Scope], list[Any]]
    conditions: list[Node]

    def scopes(self, scope: Scope) -> Iterator[Scope]:
        """The scope with each choice of the indices."""
        for numbers in itertools.product(*self.ranges(scope)):
            inner = scope.bind(self.letters, [round(number) for number in numbers])
            if all(condition(inner) for condition in self.conditions):
                yield inner


class Names:
    """The symbols that have a meaning, and the letters that are indices with a range."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.ranges = {text: v for text, v in values.items() if isinstance(v, range)}
        self.values = {tokens(text): v for text, v in values.items() if not isinstance(v, range)}
        self.by_first: dict[str, list[Tokens]] = {}
        for key in self.values:
            self.by_first.setdefault(key[0], []).append(key)

    def find(self, ts: Sequence[str], at: int) -> tuple[Tokens, int, list[Tokens]] | None:
        """The longest name that stands at a place, where it ends, and its indices.

        Of two that end at one place, it is the more exact one: ``p_e`` before ``p_#``, and ``f_{##}`` before ``f_#``.
        """
        exact = lambda key, end: (end, len(key), -key.count("#"))
        found = None
        for key in self.by_first.get(ts[at], ()) if at < len(ts) else ():
            match = fit(key, ts, at)
            if match and (found is None or exact(key, match[0]) > exact(*found[:2])):
                found = key, *match
        return found


def fit(key: Tokens, ts: Sequence[str], at: int) -> tuple[int, list[Tokens]] | None:
    """Where a name ends that begins at a place, and what stands at its places for indices."""
    if not key:
        return at, []
    if key[0] != "#":
        return fit(key[1:], ts, at + 1) if at < len(ts) and ts[at] == key[0] else None
    level = 0
    for end in range(at, len(ts)):
        level += depth(ts[end])
        if level < 0 or (level == 0 and ts[end] in LOGIC):
            return None
        rest = fit(key[1:], ts, end + 1) if level == 0 else None
        if rest:
            return rest[0], [tuple(ts[at : end + 1]), *rest[1]]
    return None


class Notes:
    """What parsing finds out on the way: free indices in their order, and whether a difference quotient occurs."""

    def __init__(self) -> None:
        self.free: dict[str, None] = {}
        self.rough = False

    @property
    def tolerance(self) -> float:
        """Relative tolerance of a comparison."""
        return ROUGH if self.rough else EXACT


class Parser:
    """Recursive descent over tokens; ``bound`` are the indices of the sums around."""

    def __init__(self, ts: Sequence[str], names: Names, notes: Notes, bound: frozenset[str] = frozenset()) -> None:
        self.ts, self.names, self.notes, self.bound, self.at = list(ts), names, notes, bound, 0

    # --- tokens
    def peek(self, k: int = 0) -> str:
        return self.ts[self.at + k] if self.at + k < len(self.ts) else ""

    def next(self, *expected: str) -> str:
        token = self.peek()
        if not token or (expected and token not in expected):
            raise Unreadable(f"{token or 'the end'!r} where {expected or 'something'} should stand")
        self.at += 1
        return token

    def take(self, token: str) -> bool:
        """Read this token if it is the next one."""
        found = self.peek() == token
        self.at += found
        return found

    def group(self) -> Tokens:
        """The tokens of an argument or a script."""
        start, self.at = self.at, group_end(self.ts, self.at)
        found = tuple(self.ts[start : self.at])
        return found[1:-1] if found[:1] == ("{",) else found

    def part(self, ts: Sequence[str], *bound: str, rule: str = "expression") -> Any:
        """Parse tokens as a part of this formula."""
        inner = Parser(ts, self.names, self.notes, self.bound | set(bound))
        return inner.whole(rule)

    def whole(self, rule: str) -> Any:
        """Parse all tokens by one rule of the grammar."""
        node = getattr(self, rule)()
        if self.at < len(self.ts):
            raise Unreadable(f"{self.peek()!r} in the way")
        return node

    # --- relations
    def chain(self) -> Chain:
        """Sides with relations between them; an equivalence is one between two chains."""
        sides, relations = [self.expression()], []
        while self.peek() in LOGIC and self.peek() != r"\iff":
            relations.append(LOGIC[self.next()])
            if relations[-1] == r"\approx":  # to the printed places
                relations[-1] += f" {printed_number(self.peek(), None).half}"
            interval = relations[-1] == r"\in" and self.peek() in ("(", "[")
            sides.append(self.interval() if interval else self.expression())
        if self.take(r"\iff"):
            return Chain([truth(Chain(sides, relations)), truth(self.chain())], [r"\iff"])
        return Chain(sides, relations)

    def condition(self) -> Node:
        """1 if a chain holds, else 0."""
        return truth(self.chain())

    def interval(self) -> Node:
        closed = self.next() == "["
        low = self.expression()
        self.next(",")
        high = self.expression()
        ends = closed, self.next(")", "]") == "]"
        return lambda s: Interval(scalar(low(s)), scalar(high(s)), ends)

    def members(self) -> Node:
        r"""A set: ``\{n: condition, condition\}`` or its elements."""
        self.next(r"\{")
        end = self.at + group_end([r"\{", *self.ts[self.at :]], 0) - 2
        inside, self.at = self.ts[self.at : end], end + 1
        if inside[1:2] == [":"]:
            indices = self.domain(inside)
            return lambda s: frozenset(scope.indices[inside[0]] for scope in indices.scopes(s))
        elements = [self.part(element) for element in split(inside, ",")]
        return lambda s: frozenset(scalar(element(s)) for element in elements)

    # --- sums and products
    def expression(self) -> Node:
        """Terms with signs between them."""
        node = self.signed()
        while self.peek() in ("+", "-", r"\cup", r"\cap"):
            node = joined(node, self.next(), self.term())
        return node

    def signed(self) -> Node:
        """A term that may have a sign."""
        if self.peek() in ("+", "-") and self.next() == "-":
            term = self.term()
            return lambda s: times(-1.0, term(s))
        return self.term()

    def term(self) -> Node:
        r"""Products, and ``\otimes`` for the Kronecker product between them."""
        node = self.product()
        while self.take(r"\otimes"):
            node = combined(np.kron, node, self.product())
        return node

    def product(self) -> Node:
        """Factors with or without a sign of multiplication between them."""
        node = self.factor()
        while self.peek() in (r"\cdot", r"\times", "/") or self.starts():
            operation = divide if self.peek() == "/" else times
            self.at += self.peek() in (r"\cdot", r"\times", "/")
            node = combined(operation, node, self.factor())
        return node

    def starts(self) -> bool:
        """Whether a factor may begin here."""
        return self.peek() not in ENDS and bool(self.peek())

    def factor(self) -> Node:
        """Something with its powers and factorials; an index behind something that has no name is a place in it."""
        node = self.atom()
        while self.peek() in ("^", "_", "!"):
            sign = self.next()
            if sign == "!":
                node = factorial(node)
            else:
                node = self.raised(node, self.group()) if sign == "^" else self.entry(node, self.group())
        return node

    def raised(self, node: Node, script: Tokens) -> Node:
        if script == (r"\top",):
            return lambda s: value(np.transpose(node(s)))
        return combined(power, node, self.part(script))

    def entry(self, node: Node, script: Tokens) -> Node:
        places = [self.part((t,)) for t in script]
        first = [self.names.ranges[t].start if t in self.names.ranges else 1 for t in script]
        return lambda s: value(
            entry(plain(node(s)), [place(s) + 1 - at for place, at in zip(places, first, strict=True)])
        )

    # --- atoms
    def atom(self) -> Node:
        found, token = self.names.find(self.ts, self.at), self.peek()
        if found and not (token in self.bound and found[1] == self.at + 1):
            return self.symbol(*found)
        if token in self.names.ranges or token in self.bound:
            return self.index(self.next())
        if token[:1].isdigit() or token in CONSTANTS:
            self.at += 1
            return lambda s: CONSTANTS[token] if token in CONSTANTS else float(token)
        if token in ("(", "[", "{"):
            return self.brackets()
        if token in RULES:
            return getattr(self, RULES[token])()
        if token.startswith(r"\begin"):
            return self.environment()
        if self.ts[self.at : self.at + 3] == [r"\mathbf", "1", "["]:
            self.at += 2
            return self.brackets()
        raise Unreadable(f"no meaning of {' '.join(self.ts[self.at : self.at + 4])}")

    def index(self, letter: str) -> Node:
        if letter not in self.bound:
            self.notes.free[letter] = None
        return lambda s: float(s.indices[letter])

    def brackets(self) -> Node:
        """A value, a row of values, or 1 or 0 for a condition."""
        end = group_end(self.ts, self.at)
        parts = split(self.ts[self.at + 1 : end - 1], ",")
        self.at = end
        if any(LOGIC.keys() & {t for _, t in outside(part)} for part in parts):
            conditions = [self.part(part, rule="condition") for part in parts]
            return lambda s: float(all(condition(s) for condition in conditions))
        nodes = [self.part(part) for part in parts]
        if len(nodes) == 1:
            return nodes[0]
        if self.ts[self.at : self.at + 2] == ["^", r"\top"]:  # a row of values is meant as a column anyway
            self.at += 2
        return lambda s: np.vstack([np.atleast_2d(node(s)) for node in nodes])

    def of_groups(self) -> Node:
        """A fraction, a derivative, a binomial coefficient, or a root."""
        token = self.next()
        first = self.group()
        if token == r"\sqrt":
            inside = self.part(first)
            return lambda s: math.sqrt(scalar(inside(s)))
        second = self.group()
        if first[:1] == second[:1] == (r"\partial",):
            return self.derivative(first[1:], second[1:])
        return combined(choose if token == r"\binom" else divide, self.part(first), self.part(second))

    def bars(self) -> Node:
        opening = self.next()
        inside = self.expression()
        self.next(BARS[opening])
        script = tuple(self.ts[self.at : self.at + 2])
        if opening == r"\lVert" and script in NORMS:
            self.at += 2
            return lambda s: float(np.linalg.norm(plain(inside(s)), NORMS[script]))
        return lambda s: measure(opening, inside(s))

    def function(self) -> Node:
        r"""A function of all factors up to the next function or bracket; ``\log_2`` has a base."""
        token = self.next()
        call = OF_NUMBERS.get(token) or FUNCTIONS[token]
        base = self.part(self.group()) if self.take("_") else None
        exponent = self.part(self.group()) if self.take("^") else None
        bracket = self.peek() in ("(", "[")
        inside = self.atom() if bracket else self.factor()
        while not bracket and self.starts() and self.peek() not in {*OF_NUMBERS, *FUNCTIONS, *BIG, "(", "["}:
            inside = combined(times, inside, self.factor())

        def result(s: Scope) -> Any:
            x = inside(s)
            y = value(call(scalar(x) if token in OF_NUMBERS else plain(x)))
            y = y / call(base(s)) if base else y
            return power(y, exponent(s)) if exponent else y

        return result

    # --- derivatives
    def derivative(self, above: Tokens, below: Tokens) -> Node:
        r"""``\partial f / \partial x``, also by an entry of an array."""
        self.notes.rough = True
        function, (key, _, indices) = self.part(above), self.named(below)
        places = [self.part(index) for index in indices]

        def result(s: Scope) -> Any:
            entry = tuple(round(place(s)) - 1 for place in places)
            return slope(lambda x: function(s.moved({key: x})), s.now(key), entry)

        return result

    def named(self, ts: Sequence[str], at: int = 0) -> tuple[Tokens, int, list[Tokens]]:
        found = self.names.find(ts, at)
        if not found:
            raise Unreadable(f"no meaning of {' '.join(ts[at:])}")
        return found

    def nabla(self) -> Node:
        r"""The gradient ``\nabla J(w)``, or ``\nabla J`` at the current values; ``\nabla^2`` is the Hessian."""
        self.next()
        self.notes.rough = True
        second = self.take("^") and bool(self.next("2"))
        key, self.at, _ = self.named(self.ts, self.at)
        arguments = self.arguments() if self.peek() == "(" else None

        def result(s: Scope) -> Any:
            function = s.values[key]
            first, *rest = [plain(a(s)) for a in arguments] if arguments else s.arguments(names_of(function))
            gradient = lambda x: slope(lambda v: function(v, *rest), x)
            return slope(lambda x: plain(gradient(x)), first, step=1e-3) if second else gradient(first)

        return result

    # --- sums, products, extremes
    def big(self) -> Node:
        """A sum, product, maximum or minimum over indices, the index of an extreme, or an extreme of a list."""
        token = self.next()
        operation = ARG.get(token) or (self.next(r"\min", r"\max") if token == r"\arg" else token)
        if operation in (r"\max", r"\min") and self.peek() == "(":
            arguments = self.arguments()
            return lambda s: extreme(operation, [a(s) for a in arguments])
        scripts = {self.next(): self.group() for _ in range(2) if self.peek() in ("_", "^")}
        if "_" not in scripts:
            raise Unreadable(f"{token} without an index")
        indices = self.domain(scripts["_"], scripts.get("^"))
        body = Parser(self.ts[self.at :], self.names, self.notes, self.bound | {*indices.letters})
        node = body.signed()
        self.at += body.at
        if operation != token:
            return lambda s: best(operation, indices.letters[0], list(indices.scopes(s)), node)
        return lambda s: total(operation, [node(scope) for scope in indices.scopes(s)])

    def domain(self, low: Sequence[str], high: Tokens | None = None) -> Domain:
        """What an index runs over: limits, its range, a set, or what satisfies conditions behind the index."""
        letter = low[0]
        if high is not None:
            if low[1:2] not in (("=",), ["="]):
                raise Unreadable("limits of this form")
            first, last = self.part(low[2:]), self.part(high)
            return Domain((letter,), lambda s: [range(round(first(s)), round(last(s)) + 1)], [])
        ranges = self.names.ranges
        letters = [t for t in low if t != ","]
        if all(t in ranges for t in letters):
            return Domain(tuple(letters), lambda s: [ranges[t] for t in letters], [])
        head, *conditions = split(low, ",")
        if letter not in ranges:
            raise Unreadable(f"an index that does not stand first: {' '.join(low)}")
        if head[1:2] == (r"\in",):
            source = self.part(head[2:])
            return Domain((letter,), lambda s: [sorted(source(s))], self.conditions(conditions, letter))
        pair = len(head) == 3 and head[1] in "<>" and head[2] in ranges.keys() - self.bound - self.notes.free.keys()
        letters = (letter, head[2]) if pair else (letter,)
        conditions = [head[2:] if head[1] == ":" else head, *conditions]
        return Domain(letters, lambda s: [ranges[t] for t in letters], self.conditions(conditions, *letters))

    def conditions(self, conditions: list[Tokens], *letters: str) -> list[Node]:
        return [self.part(condition, *letters, rule="condition") for condition in conditions if condition]

    def integral(self) -> Node:
        r"""``\int_a^b f(x)\, \mathrm{d}x``, without limits over the whole line, by quadrature."""
        self.next()
        scripts = {self.next(): self.group() for _ in range(2) if self.peek() in ("_", "^")}
        ends = [self.part(scripts[script]) if script in scripts else None for script in ("_", "^")]
        at = next((k for k, t in outside(self.ts) if k > self.at and t == r"\mathrm{d}"), len(self.ts))
        body, (key, self.at, _) = self.part(self.ts[self.at : at]), self.named(self.ts, at + 1)

        def result(s: Scope) -> Any:
            low, high = (
                scalar(end(s)) if end else limit for end, limit in zip(ends, (-math.inf, math.inf), strict=True)
            )
            return quad(lambda x: scalar(body(s.moved({key: x}))), low, high, epsabs=1e-11)[0]

        return result

    # --- environments
    def environment(self) -> Node:
        """A matrix of blocks, or cases of which the first that applies counts."""
        end = group_end(self.ts, self.at)
        kind, inside = self.ts[self.at], self.ts[self.at + 1 : end - 1]
        rows = [split(row, "&") for row in split(inside, (r"\\",)) if row]
        self.at = end
        if kind == r"\begin{pmatrix}":
            cells = [[self.part(cell) for cell in row] for row in rows]
            return lambda s: value(np.block([[cell(s) for cell in row] for row in cells]))
        if kind != r"\begin{cases}" or any(len(row) != 2 for row in rows):
            raise Unreadable(kind)
        cases = [(self.part(trimmed(result)), self.applies(trimmed(condition))) for result, condition in rows]

        def first(s: Scope) -> Any:
            results = (result(s) for result, applies in cases if applies(s))
            found = next(results, None)
            if found is None:
                raise Unreadable("no case applies")
            return found

        return first

    def applies(self, condition: Tokens) -> Node:
        if word(condition[0]) in ("otherwise", "else"):
            return lambda s: True
        return self.part(condition[1:] if word(condition[0]) == "if" else condition, rule="condition")

    # --- symbols
    def symbol(self, key: Tokens, end: int, indices: list[Tokens]) -> Node:
        """A name with its indices, and with its arguments if it is a function."""
        self.at = end
        found = self.names.values[key]
        places = [self.part(index) for index in indices]
        for letter in (t[0] for t in names_of(found) if t[0] in self.names.ranges):
            self.index(letter)
        prime = self.take("'")
        self.notes.rough |= prime
        arguments = self.arguments() if self.peek() == "(" and is_function(found, bool(places)) else None

        def result(s: Scope) -> Any:
            if not places and not arguments and not prime:
                return value(s.now(key))
            function = s.values[key]
            if places:
                function = entry(s.now(key), [place(s) for place in places])
            if not (arguments or prime):
                return value(function(*s.arguments(names_of(function))) if names_of(function) else function)
            given = [plain(a(s)) for a in arguments] if arguments else s.arguments(names_of(function))
            return slope(function, given[0]) if prime else value(function(*given))

        return result

    def arguments(self) -> list[Node]:
        end = group_end(self.ts, self.at)
        inside = self.ts[self.at + 1 : end - 1]
        self.at = end
        return [self.part(a) for a in split(inside, (",", ";", r"\mid", r"\Vert"))]


def choose(n: Any, k: Any) -> float:
    """A binomial coefficient."""
    return float(math.comb(round(scalar(n)), round(scalar(k))))


def factorial(node: Node) -> Node:
    """The product of the whole numbers up to a value."""
    return lambda s: float(math.factorial(round(scalar(node(s)))))


def truth(chain: Chain) -> Node:
    """The only side of a chain, or 1 or 0 for what it says."""
    return (lambda s: float(chain.holds(s))) if chain.relations else chain.sides[0]


def joined(left: Node, sign: str, right: Node) -> Node:
    """A sum, difference, union or intersection."""
    if sign == r"\cup":
        return lambda s: left(s) | right(s)
    if sign == r"\cap":
        return lambda s: left(s) & right(s)
    return combined(add, left, right if sign == "+" else lambda s: times(-1.0, right(s)))


def total(operation: str, values: list[Any]) -> Any:
    """Sum, product, largest or smallest of values; of none the sum is 0 and the product 1."""
    if operation in (r"\max", r"\min"):
        return extreme(operation, [scalar(v) for v in values])
    one = {r"\sum": add, r"\prod": times}[operation]
    return reduce(one, values) if values else float(operation == r"\prod")


def extreme(operation: str, values: list[Any]) -> Any:
    """The largest or smallest of numbers; with vectors among them, entry by entry."""
    if not any(np.ndim(v) for v in values):
        return {r"\max": max, r"\min": min}[operation](map(scalar, values))
    return reduce({r"\max": np.maximum, r"\min": np.minimum}[operation], values)


def best(operation: str, letter: str, scopes: list[Scope], node: Node) -> float:
    """The index of the largest or smallest value."""
    choose = {r"\max": np.argmax, r"\min": np.argmin}[operation]
    return float(scopes[choose([scalar(node(scope)) for scope in scopes])].indices[letter])


def measure(opening: str, inside: Any) -> float:
    """What bars around a value mean: a set's size, a number's absolute value or a vector's length; or rounding."""
    if isinstance(inside, frozenset):
        return float(len(inside))
    means = {r"\lvert": size, r"\lVert": np.linalg.norm, r"\lceil": math.ceil, r"\lfloor": math.floor}
    return float(means[opening](inside))


def is_function(found: Any, indexed: bool) -> bool:
    """Whether an argument may follow a symbol: with indices, if what stands under them is a function."""
    if not indexed:
        return callable(found)
    members = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return callable(next(iter(members), None))
