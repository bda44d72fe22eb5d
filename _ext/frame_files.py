"""The pictures of animations, explorers and live figures as files of the site, and the scripts of the live figures.

A notebook holds them as data inside its HTML outputs, so that it stands alone. On a page they would be most of its
weight, and nobody looks at most of them. Here each becomes a file ``_images/<digest>.png`` that the browser fetches
when the animation comes near (``loading="lazy"`` and ``frames.js``), also without a server. Without a script the first
frame is seen; on paper all frames of an animation are.

A page with a live figure (``notes_lib.plotting.live``) gets ``live.css``, ``live/figure.js``, which all ideas share,
and the script of each idea that it shows.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from pathlib import Path

from book_log import warn

FRAME = re.compile(
    r'(<img class="((?:anim|explorer)-frame|live-still)"[^>]*?) src="data:image/png;base64,(?P<png>[^"]*)"'
)
IDEA = re.compile(r'<div class="live" id="[^"]*" data-live="([a-z]+)"')


def write_file(data: bytes, folder: Path) -> str:
    """Write a picture under a name that follows from its content; returns the name."""
    name = hashlib.sha256(data).hexdigest()[:24] + ".png"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / name).exists():
        (folder / name).write_bytes(data)
    return name


def frames_to_files(app, pagename, templatename, context, doctree) -> None:
    """Let the frames of a page be files, and load the scripts that fetch them and that draw live figures."""
    body, images = context.get("body") or "", app.builder.imagedir

    def replaced(found: re.Match[str]) -> str:
        try:
            data = base64.b64decode(found["png"], validate=True)
        except binascii.Error:
            warn("frame", "a frame of an animation is no base64 data: run the notebook again", pagename)
            return found[0]
        name = write_file(data, Path(app.outdir, images))
        lazy = ' loading="lazy"' if found[2] != "live-still" else ""  # hidden, and still there for paper
        return f'{found[1]} src="{context["pathto"](f"{images}/{name}", 1)}"{lazy}'

    context["body"], number = FRAME.subn(replaced, body)
    if number:
        app.add_js_file("frames.js", loading_method="defer")
    if ideas := sorted(set(IDEA.findall(context["body"]))):
        app.add_css_file("live.css")
        for script in ["figure", *ideas]:
            app.add_js_file(f"live/{script}.js", loading_method="defer")


def setup(app):
    """Change the pages on their way to the template."""
    app.connect("html-page-context", frames_to_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
