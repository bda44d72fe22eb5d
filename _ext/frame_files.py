"""The pictures of animations, explorers and live figures and the sounds as files of the site; scripts of live figures.

A notebook holds them as data inside its HTML outputs, so that it stands alone. On a page they would be most of its
weight, and nobody looks at most of them. Here each becomes a file ``_images/<digest>.png`` that the browser fetches
when the animation comes near (``loading="lazy"`` and ``frames.js``), also without a server. Without a script the first
frame is seen; on paper all frames of an animation are.

A sound (``notes_lib.plotting.sound``) becomes a file, too, fetched when it is played.

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
SOUND = re.compile(r'(<audio class="sound"[^>]*?) src="data:audio/wav;base64,(?P<wav>[^"]*)"')
IDEA = re.compile(r'<div class="live" id="[^"]*" data-live="([a-z]+)"')


def write_file(data: bytes, folder: Path, ending: str = "png") -> str:
    """Write a picture or sound under a name that follows from its content; returns the name."""
    name = f"{hashlib.sha256(data).hexdigest()[:24]}.{ending}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / name).exists():
        (folder / name).write_bytes(data)
    return name


def frames_to_files(app, pagename, templatename, context, doctree) -> None:
    """Let the frames of a page be files, and load the scripts that fetch them and that draw live figures."""
    body, images = context.get("body") or "", app.builder.imagedir

    def filed(found: re.Match[str], ending: str, what: str) -> str:
        try:
            data = base64.b64decode(found[ending], validate=True)
        except binascii.Error:
            warn("frame", f"{what} is no base64 data: run the notebook again", pagename)
            return found[0]
        name = write_file(data, Path(app.outdir, images), ending)
        return f'{found[1]} src="{context["pathto"](f"{images}/{name}", 1)}"'

    def frame(found: re.Match[str]) -> str:
        markup = filed(found, "png", "a frame of an animation")
        lazy = found[2] != "live-still" and markup != found[0]  # hidden, and still there for paper
        return markup + ' loading="lazy"' if lazy else markup

    body = SOUND.sub(lambda found: filed(found, "wav", "a sound"), body)
    context["body"], number = FRAME.subn(frame, body)
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
