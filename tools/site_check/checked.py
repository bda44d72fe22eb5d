"""Which pages are as they were when all were examined: hashes of what a page shows, what draws it, what judges it.

The list ``checked.json`` is written by ``--record`` after a full check without a problem. A page that is not on it, or
is there with another hash, counts as changed; when a static file or the checks themselves changed, every page does.
So an old list, or none, costs time and hides nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .pages import Site

CHECKED = Path(__file__).with_name("checked.json")
DATA = ("drills", "search")  # below _static: made from the pages and the library, so that they change with each of them
MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)


def digest(*parts: bytes) -> str:
    """Short hash of some bytes."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()[:16]


def main_of(text: str) -> str:
    """What a page shows of its own: ``<main>``, or everything where there is none."""
    found = MAIN.search(text)
    return found[0] if found else text


def files_digest(folder: Path, pattern: str, without: Sequence[str] = ()) -> str:
    """Hash of the names and contents of the files below ``folder``, but for those in folders that are named."""
    found = [(path.relative_to(folder), path) for path in folder.glob(pattern) if path.is_file()]
    files = sorted((name.as_posix(), path) for name, path in found if name.parts[0] not in without)
    return digest(*(part for name, path in files for part in (name.encode(), path.read_bytes())))


def checks() -> str:
    """Hash of the checks."""
    files = [files_digest(Path(__file__).parent, f"*.{suffix}") for suffix in ("py", "js", "yml")]
    return digest(*(part.encode() for part in (*files, version("axe-playwright-python"))))


def fingerprint(site: Site) -> dict[str, Any]:
    """Hashes of the checks, of the static files and of each page."""
    return {
        "checks": checks(),
        "static": files_digest(site.folder / "_static", "**/*", DATA),
        "pages": {page: digest(main_of(site.html(page)).encode()) for page in site.pages},
    }


def read(checked: Path) -> dict[str, Any]:
    """Read the list; an empty one if it is missing or cannot be read."""
    try:
        old = json.loads(checked.read_text(encoding="utf8"))
        return old if isinstance(old.get("pages"), dict) else {}
    except (OSError, ValueError, AttributeError):
        return {}


def changed_pages(site: Site, checked: Path = CHECKED) -> set[str]:
    """Pages that differ from the list in the file ``checked``; all of them if it is missing or cannot be read."""
    old, new = read(checked), fingerprint(site)
    if any(old.get(part) != new[part] for part in ("checks", "static")):
        return set(site.pages)
    return {page for page, value in new["pages"].items() if old["pages"].get(page) != value}


def recorded(checked: Path = CHECKED) -> str:
    """The state in which the checks had passed their own tests when the list was written."""
    return str(read(checked).get("own tests", ""))


def record(site: Site, checked: Path = CHECKED, own_tests: str = "") -> None:
    """Write the list; ``own_tests`` is the state in which the checks passed their own tests."""
    listed = {**fingerprint(site), "own tests": own_tests}
    checked.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf8")
