"""Make ``static/fonts/icons.woff``: the icons of ``_ext/icon_font.py`` from the icon font of the installed theme.

    .venv/bin/python tools/icon_font.py

The font is Font Awesome Free (SIL OFL 1.1); its licence lies beside it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "_ext"))

from icon_font import ICONS  # noqa: E402 (the extension's own list)

SOURCE = "theme/pydata_sphinx_theme/static/vendor/fontawesome/webfonts/fa-solid-900.ttf"
NAMES = {1: "Book Icons", 3: "Book Icons", 4: "Book Icons", 6: "BookIcons"}
TARGET = ROOT / "static" / "fonts" / "icons.woff"


def source() -> Path:
    """The icon font of the theme."""
    spec = find_spec("pydata_sphinx_theme")
    if spec is None or not spec.origin:
        raise SystemExit("the theme is not installed: run `python3 run.py book` first")
    return Path(spec.origin).parent / SOURCE


def make(target: Path = TARGET) -> TTFont:
    """Write the font; the same input gives the same bytes."""
    font = TTFont(source(), recalcTimestamp=False)
    options = subset.Options(hinting=False, desubroutinize=True, layout_features=[], notdef_outline=True)
    options.drop_tables += ["FFTM", "GSUB", "GPOS"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=ICONS.values())
    cutter.subset(font)
    for record in font["name"].names:  # a changed font may not keep the name of the original
        if record.nameID in NAMES:
            record.string = NAMES[record.nameID]
    font.flavor = "woff"  # woff2 would need another package, for 300 bytes
    font.save(target)
    return font


if __name__ == "__main__":
    make()
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size} bytes")
