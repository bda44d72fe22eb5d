"""Command line: run the tests of the peers on the library and print what becomes of them."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "_ext"))  # the page of the book compares the same names
import namesakes  # noqa: E402

import tools.peers  # noqa: E402
from tools.peers.running import Place, run_module, test_modules  # noqa: E402
from tools.peers.verdicts import KINDS, Difference, Result, read_differences, tally, verdict  # noqa: E402

DIFFERENCES = Path(__file__).with_name("differences.csv")
RESULTS = ROOT / "_build" / "peers.csv"
COLUMNS = ("reach", "as written", "keywords ignored", *KINDS)
EVERYTHING = Place()
MOST = 15  # features that are named


def main(argv: list[str], place: Place = EVERYTHING, differences: Path = DIFFERENCES, results: Path = RESULTS) -> int:
    """Run the tests; exit status 1 if one fails and nothing explains that."""
    if {"-h", "--help"} & set(argv):
        print(tools.peers.__doc__)
        return 0
    known = read_differences(differences)
    pairs = namesakes.namesakes(place.library, place.peers)
    names = {found.name for found in pairs}
    modules = test_modules(place, pairs)
    chosen = [name for name in modules if not argv or set(argv) & parts(name)]
    unknown = [word for word in argv if not any(word in parts(name) for name in modules)]
    if unknown:
        print(
            f"no test module of {' or '.join(place.peers)} that names something the library has too is called "
            f"{', '.join(unknown)}",
            file=sys.stderr,
        )
        return 2
    found: dict[str, list[Result]] = {}
    print(row("module", COLUMNS), flush=True)
    for name in chosen:
        found[name] = run_module(name, place)
        print(row(name, tally(found[name], known, names)), flush=True)
    everything = [result for each in found.values() for result in each]
    print(summary(everything, known, names))
    if not argv:
        untested = sorted(names - set().union(*modules.values()))
        print(f"named by no installed test of the peers: {', '.join(untested) or 'none'}")
    write(results, everything, known, names)
    return report_faults(everything, known, names)


def parts(module: str) -> set[str]:
    """The words that a module may be called by: its name, and the words between its dots.

    Examples
    --------
    >>> sorted(parts("sklearn.svm.tests.test_svm"))
    ['sklearn', 'sklearn.svm.tests.test_svm', 'svm', 'test_svm']
    """
    inside = module.split(".")
    return {module, *inside, inside[-1].removeprefix("test_")} - {"tests"}


def row(name: str, cells: Counter[str] | tuple[str, ...]) -> str:
    """A line of the table."""
    words = cells if isinstance(cells, tuple) else tuple(str(cells[column]) for column in COLUMNS)
    return f"{name:<66}" + "".join(f"{word:>{len(title) + 2}}" for word, title in zip(words, COLUMNS, strict=True))


def summary(results: list[Result], known: list[Difference], names: set[str]) -> str:
    """The last lines of the table: totals, shares, and the features that most tests ask for."""
    counts = tally(results, known, names)
    shares = (f"{counts[column] / max(counts['reach'], 1):.0%}" for column in COLUMNS)
    asked = Counter(
        found[1]
        for result in results
        if (found := re.match(r"NotOffered: .*unexpected keyword argument ('\w+')", result.error))
    )
    lines = [row("total", counts), row("", tuple(shares))]
    if asked:
        most = (f"{name} {count}" for name, count in asked.most_common(MOST))
        lines.append(f"keywords that are not offered, by the tests that stop at them: {', '.join(most)}")
    return "\n".join(lines)


def write(path: Path, results: list[Result], known: list[Difference], names: set[str]) -> None:
    """Keep all results for a closer look."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(("kind", "leniently", "test", "error"))
        for result in results:
            kind = verdict(result, known, names) if result.error else "passed"
            lines.writerow((kind, "passed" if result.leniently else "", result.test, result.error))


def report_faults(results: list[Result], known: list[Difference], names: set[str]) -> int:
    """Name the failures that nothing explains, and the explanations that no failure needs."""
    failures = [result for result in results if result.error]
    faults = [result for result in failures if verdict(result, known, names) == "fault"]
    for result in faults:
        print(f"unexplained: {result.test}\n    {result.error}")
    ran = {result.test.split("::")[0] for result in results}
    for difference in known:
        here = difference.test.split("::")[0] in ran
        if here and not any(difference.explains(result) for result in failures):
            print(f"no longer needed: {difference.kind}, {difference.test}: {difference.why}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
