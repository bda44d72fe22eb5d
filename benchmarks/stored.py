"""What was measured, one run for each processor, and the tables that the page *How fast is it?* shows."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks.harness import Result, Workload

RUNS = Path(__file__).with_name("results.json")
RESULTS = Path(__file__).with_name("results.md")
TECHNIQUES = "<!-- techniques -->"
NOT_MEASURED = "–"


@dataclass(frozen=True)
class Run:
    """All workloads on one processor.

    Attributes
    ----------
    processor : str
        Its name; a later run on a processor of this name takes the place of this one.
    date : str
        Day of the run, as 2026-11-24.
    software : str
        Versions.
    results : dict
        For each workload, by the name of its function, ``peer`` and ``ours`` in seconds, ``ratio``, ``difference``.
    """

    processor: str
    date: str
    software: str
    results: dict[str, dict[str, float]]

    @property
    def short(self) -> str:
        """The processor's name without marks, for the head of a column."""
        return re.sub(r"\(R\)|\(TM\)| Processor| CPU|@.*|\d+-Core", "", self.processor).split(",")[0].strip()


def processor() -> str:
    """Name, family and model of the processor, as far as the system tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    told = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "model name" not in told:
        return platform.processor() or platform.machine()
    return f"{told['model name']}, family {told.get('cpu family', '?')}, model {told.get('model', '?')}"


def run_of(results: Mapping[str, Result]) -> Run:
    """What was measured here and today."""
    names = {"NumPy": "numpy", "SciPy": "scipy", "scikit-learn": "scikit-learn"}
    software = [f"Python {platform.python_version()}", *(f"{name} {version(p)}" for name, p in names.items())]
    kept = ("peer", "ours", "ratio", "difference")
    numbers = {key: {name: getattr(result, name) for name in kept} for key, result in results.items()}
    return Run(processor(), date.today().isoformat(), ", ".join(software), numbers)


def load(path: Path = RUNS) -> list[Run]:
    """The stored runs."""
    return [Run(**run) for run in json.loads(path.read_text(encoding="utf-8"))]


def store(run: Run, workloads: Mapping[str, Workload], runs: Path = RUNS, table: Path = RESULTS) -> None:
    """Keep a run in the place of an earlier one on the same processor, and write the tables anew."""
    kept = load(runs)
    place = next((i for i, old in enumerate(kept) if old.processor == run.processor), len(kept))
    kept[place : place + 1] = [run]
    text = json.dumps([asdict(each) for each in kept], indent=1)
    runs.write_text(text + "\n", encoding="utf-8")
    table.write_text(as_markdown(kept, workloads), encoding="utf-8")


def emphasised(ratio: float, goal: float) -> str:
    """The ratio, in bold when it reaches the goal."""
    return f"**{ratio:.2f}**" if ratio >= goal else f"{ratio:.2f}"


def as_markdown(runs: list[Run], workloads: Mapping[str, Workload]) -> str:
    """The table, processors side by side, and below ``TECHNIQUES`` what makes each workload fast."""
    said = (f"- **{run.short}**: {run.processor}; {run.date}; one thread, {run.software}.\n" for run in runs)
    columns = "".join(f" {run.short}: peer / ours (ms) | ratio |" for run in runs)
    head = f"| workload | data | peer | goal |{columns} largest difference |\n"
    rule = "| :--- | :--- | :--- | ---: |" + " ---: | ---: |" * len(runs) + " ---: |\n"
    rows = (_row(key, w, runs) for key, w in workloads.items())
    named: dict[str, list[str]] = {}
    for w in workloads.values():
        names = named.setdefault(w.technique, [])
        names += [w.name] * (w.name not in names)
    list_ = (f"- **{'; '.join(names)}**: {technique}\n" for technique, names in named.items())
    return "".join(said) + "\n" + head + rule + "".join(rows) + f"\n{TECHNIQUES}\n\n" + "".join(list_)


def _row(key: str, w: Workload, runs: list[Run]) -> str:
    cells = [w.name, w.size, w.peer_name, f"{w.goal:g}"]
    differences: list[float] = []
    for run in runs:
        found = run.results.get(key)
        if found is None:
            cells += [NOT_MEASURED, NOT_MEASURED]
            continue
        cells += [f"{1e3 * found['peer']:.0f} / {1e3 * found['ours']:.0f}", emphasised(found["ratio"], w.goal)]
        differences.append(found["difference"])
    cells.append(f"{max(differences):.0e}" if differences else NOT_MEASURED)
    return f"| {' | '.join(cells)} |\n"
