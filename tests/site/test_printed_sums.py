"""What the pages compute: every chain ``a = b = c`` in worked examples, solutions, cards and corrections holds."""

import re
from functools import cache

import pytest
import yaml

from tests.site.test_pages import ROOT, pages, prose
from tests.sums import Sum, branches, plain, sums

UNREAD = yaml.safe_load((ROOT / "tests/site/unread_sums.yml").read_text(encoding="utf-8"))
WRONG_LINE = re.compile(r"^ +- wrong:.*?(?=^ *(?:-|\d+\.) |^:::)", re.MULTILINE | re.DOTALL)  # of a derivation's puzzle
READ = 675  # at least so many relations of the book are executed; the number may only rise


@cache
def read(page):
    """The relations of a page."""
    return tuple(sums(WRONG_LINE.sub("", prose(page))))


@pytest.mark.parametrize("page", pages())
def test_every_sum_holds_or_is_known_as_unread(page):
    wrong = {str(found): found.why for found in read(page) if not found.holds}
    known = {relation for relations in UNREAD.get(page, {}).values() for relation in relations}
    assert not set(wrong) - known, {relation: wrong[relation] for relation in set(wrong) - known}
    assert not known - set(wrong), f"read by now, or gone: {known - set(wrong)}"


def test_the_list_names_pages():
    assert set(UNREAD) <= set(pages())


def test_most_sums_are_executed():
    executed = sum(found.holds is True for page in pages() for found in read(page))
    assert executed >= READ
    assert executed > 2 * sum(not found.holds for page in pages() for found in read(page))


def verdicts(text):
    return [found.holds for found in sums(text)]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("So $1 + 1 = 2 = 3$.", [True, False]),
        ("$\\frac{1}{8} \\approx 12.5\\,\\%$ and $\\frac18 = 12.5$ % and $\\frac18 = 14$ %.", [True, True, False]),
        ("$$\\begin{aligned} 3 \\cdot 4 &= 10 + 2 \\\\ &= 13 \\\\ 1 + 1 &= 2 \\end{aligned}$$", [True, False, True]),
        ("$2 \\pm 0.5 \\cdot 3 = [0.5, 3.5]$ and $2 \\pm 1 = [1, 4]$", [True, True, True, False]),
        ("$12{,}000 + 1 = 12{,}001$, $\\binom52 = 10$, $2 \\pi > 6$", [True, True, True]),
        ("$\\Phi(-1.28) = 0.100$ and $2 \\Phi(0) = 2$, $h_2(\\tfrac12) = 1$", [True, False, True]),
        ("With $x = 3$ we have $2 x + 1 = 7$ and $x^2 - 1 = 9$.", [True, None]),
        ("$(1 - t)^2 = 1 - 2t + t^2$ but $(1 - t)^2 = 1 - 2t - t^2$", [True, None]),
        ("$1 - \\sigma(z) = \\frac{1}{1 + e^z}$ and $\\sigma(1 - \\sigma) = \\sigma - \\sigma^2$", [True]),
        ("From $2 u_1 - 4 = 0$ follows $u_1 = 2$.", [True]),
        ("Let $C > 0$ and $n = 5$. If $n \\ge 10$, $N = 12$.", []),
        ("Say $x = 1$.\n\n### More\n\nSay $x + 1 = 3$.", [None]),
    ],
)
def test_sums_of_a_text(text, holds):
    assert verdicts(text) == holds


def test_a_sum_says_why_it_cannot_be_read():
    (found,) = sums("$\\sum_n 2 n = 3 + 1$")
    assert found == Sum(r"\sum_n 2 n", "=", "3 + 1", None, r"no meaning of '\\sum'")


def test_layout_is_taken_out():
    assert plain(r"1 \to 2").split() == ["1", r"\qquad", "2"]
    assert branches(r"1 \pm 2") == ["1 - 2", "1 + 2"]
    assert plain(r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}") == r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}"
