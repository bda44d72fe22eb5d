"""Write the chapters for JupyterLab into a scratch folder, and leave alone what was changed there.

    python -m tools.lab_copy _build/lab

A copy that was run or edited stays as it is, also when its chapter has changed since; its name is printed, and deleting
or renaming it makes room for a new one. What was written is remembered by its hash in ``written.json``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "_ext"))  # the site's downloads are made by the same module
from lab_edition import edition, read_book  # noqa: E402


def write_copies(root: Path, folder: Path) -> list[str]:
    """Write the chapters of a project into a folder.

    Returns
    -------
    list of str
        Copies that were changed there and whose chapter is no longer the one they were made from.
    """
    listed = folder / "written.json"
    written: dict[str, str] = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    book, kept = read_book(root), []
    for path in sorted((root / "chapters").glob("*/*.ipynb")):
        name = path.relative_to(root / "chapters")
        nb = edition(nbformat.read(path, 4), f"chapters/{name.with_suffix('').as_posix()}", book, alone=False)
        text, copy = nbformat.writes(nb) + "\n", folder / name
        if copy.exists() and digest(copy.read_text(encoding="utf-8")) != written.get(name.as_posix()):
            if digest(text) != written.get(name.as_posix()):
                kept.append(name.as_posix())
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        written[name.as_posix()] = digest(text)
    listed.write_text(json.dumps(written, indent=1), encoding="utf-8")
    return kept


def digest(text: str) -> str:
    """Hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def main(argv: list[str]) -> int:
    """Run the command line; returns the exit status."""
    folder = Path(argv[0]).resolve()
    kept = write_copies(ROOT, folder)
    print(f"the chapters are copied to {folder}: change, run and save them there as you like")
    for name in kept:
        print(f"  {name} is as you left it, and its chapter has changed since: rename or delete it to get the new one")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
