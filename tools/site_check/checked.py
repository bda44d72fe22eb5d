"""Which pages are as they were when all were examined: hashes of what a page shows, what draws it, what judges it.

The list ``checked.json`` is written by ``--record`` after a full check without a problem. A page that is not on it, or
is there with another hash, counts as changed. When the checks, a style sheet, a font or a picture of the frame changed,
every page does: any of them may draw any page. A script belongs to the pages that name it, unless another script names
it too and so may load it anywhere: one of all pages changes them all, one of a single page this page only. So an old
list, or none, costs time and hides nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .pages import Site

CHECKED = Path(__file__).with_name("checked.json")
CONSTRAINTS = Path(__file__).resolve().parents[2] / "constraints.txt"
DATA = ("drills", "search")  # below _static: made from the pages and the library, so that they change with each of them
SCRIPT = re.compile(r"""\ssrc=["'](?:[^"'?]*/)?_static/([^"'?]+\.js)[?"']""")
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


def scripts_of_pages(site: Site) -> dict[str, frozenset[str]]:
    """For each page the scripts below ``_static`` that belong to pages: those that pages name, and no other script."""
    static = site.folder / "_static"
    named = {page: frozenset(SCRIPT.findall(site.html(page))) for page in site.pages}
    texts = {path.relative_to(static).as_posix(): path.read_bytes() for path in static.glob("**/*.js")}
    loaded = {
        name
        for name in frozenset().union(*named.values())
        if name not in texts
        or name.split("/")[0] in DATA
        or any(Path(name).name.encode() in text for other, text in texts.items() if other != name)
    }
    return {page: scripts - loaded for page, scripts in named.items()}


def files_digest(folder: Path, pattern: str, without: Sequence[str] = ()) -> str:
    """Hash of the names and contents of the files below ``folder``, but for files and folders that are named."""
    found = [(path.relative_to(folder), path) for path in folder.glob(pattern) if path.is_file()]
    files = sorted((name.as_posix(), path) for name, path in found if not {name.parts[0], name.as_posix()} & {*without})
    return digest(*(part for name, path in files for part in (name.encode(), path.read_bytes())))


def pinned(package: str) -> str:
    """The version at which ``constraints.txt`` holds a package, which need not be installed yet."""
    (found,) = re.findall(rf"^{re.escape(package)}==(\S+)$", CONSTRAINTS.read_text(encoding="utf8"), re.MULTILINE)
    return str(found)


def checks() -> str:
    """Hash of the checks."""
    files = [files_digest(Path(__file__).parent, f"*.{suffix}") for suffix in ("py", "js", "yml")]
    return digest(*(part.encode() for part in (*files, pinned("axe-playwright-python"))))


def fingerprint(site: Site) -> dict[str, Any]:
    """Hashes of the checks, of the static files of all pages and of each page with its own scripts."""
    scripts, static = scripts_of_pages(site), site.folder / "_static"
    own = frozenset().union(*scripts.values())
    script = {name: digest(name.encode(), (static / name).read_bytes()).encode() for name in own}
    return {
        "checks": checks(),
        "static": files_digest(static, "**/*", [*DATA, *own]),
        "pages": {
            page: digest(main_of(site.html(page)).encode(), *(script[name] for name in sorted(scripts[page])))
            for page in site.pages
        },
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
