"""Several browsers share the pages of a site."""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue

from .browser import browser, find_chromium, serve
from .features import DOWNLOAD, FEATURES
from .pages import Site
from .plan import Depth, effort, plan
from .problems import Problem, Report
from .search import read_queries
from .visit import MODES, Session, check_page
from .weight import check_weight
from .whole_site import check_whole_site

Jobs = SimpleQueue[tuple[str, Depth] | None]  # None stands for the whole site


def work(queue: Jobs, site: Site, base: str, executable: str, options: argparse.Namespace) -> Report:
    """Check pages from ``queue`` until it is empty, in one browser."""
    report = Report()
    with browser(executable) as running:
        contexts = {mode: running.new_context(**settings) for mode, settings in MODES.items()}
        session = Session(
            site, base, options.allowed, options.axe, options.screenshots, contexts, read_queries(options.queries)
        )
        while True:
            try:
                job = queue.get_nowait()
            except Empty:
                return report
            report.add(check_page(session, *job) if job else check_whole_site(session))


def check_site(folder: Path, options: argparse.Namespace) -> Report:
    """Check the site in ``folder``; the options are those of the command line."""
    site, executable = Site(folder), find_chromium()
    names = options.only or site.pages
    if unknown := [name for name in names if name not in site.pages]:
        raise SystemExit(f"no such page in {folder}: {', '.join(unknown)}")
    depths = dict.fromkeys(names, Depth.WHOLE) if options.only else plan(site, options.checked, options.all)
    queue: Jobs = SimpleQueue()
    if not options.only:
        queue.put(None)
    for job in sorted(depths.items(), key=lambda job: -effort(site, *job)):  # long ones first: workers end together
        queue.put(job)
    total = Report(problems=check_weight(site))
    with serve(folder) as base, ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(work, queue, site, base, executable, options) for _ in range(options.jobs)]:
            total.add(future.result())
    if not options.only:
        total.problems += missing_features(total.features)
        total.problems += options.allowed.stale() if options.axe and total.examined == total.pages else []
    return total


def missing_features(seen: set[str]) -> list[Problem]:
    """A feature that no page has any more is a fault of the build."""
    names = {feature.name for feature in (*FEATURES, DOWNLOAD)}
    return [Problem("(all pages)", name, "no page of the site has one") for name in sorted(names - seen)]
