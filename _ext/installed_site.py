"""The book on the device of its reader: what a browser needs to install it and to show it with the server gone.

When all else is written, the build puts these files at the root of the site:

* ``sw.js``: the service worker of ``static/``, with the version of the book; a worker reaches what lies below it;
* ``book-files.js``: all files with digests of their bytes, which of them are always kept, and the parts;
* ``book-version.txt``: the version alone, to see which one a server has;
* ``book.webmanifest``: name, icons, colours.

The version is a digest of all digests: the same files are the same version, wherever and whenever they are built. All
addresses are relative, so the book may lie in a folder of its host. No page changes with the version; each loads
``installed.js``, which does the rest where a browser allows it.

``:::{keep-parts}`` is where the reader chooses parts to keep (``keep.js``); its content is for those who cannot.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import book_outline
import html_nodes
import page_store
import trainer
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

WORKER, FILES, VERSION, MANIFEST = "sw.js", "book-files.js", "book-version.txt", "book.webmanifest"
STATIC = Path(__file__).resolve().parents[1] / "static"
PAGES = "pages to keep parts on"
NOT_KEPT = {"_sources", "_downloads"}  # folders of the site; no page shows what lies there
LARGE = ("drills", "search")  # folders of _static that are kept as far as they are used, but for these files:
CORE_DATA = ("_static/drills/index.js", "_static/drills/today.js", "_static/search/index.js")
CORE_PAGES = ("index", "search", *(f"chapters/revision/{name}" for name in ("trainer", "today", "plan", "hub")))
OUTSIDE = ("_static/page.png", "_static/favicon.ico", "_static/icon-*.png", "_static/workbox/*", "_static/*.html")
SHOWN = re.compile(r"""(?:_images|_static)/[^"'()?#<>\s]+""")  # addresses, from the root of the site
PRACTICE, PRACTICE_TITLE = "practice", "All exercises of the trainer"
SHORT = "ML, Derived"  # below an icon
PAPER = "#fdfcfa"  # --book-paper of book.css


class File(NamedTuple):
    """A file of the site."""

    digest: bytes
    size: int

    @property
    def short(self) -> str:
        """Enough of the digest to tell files of one name apart."""
        return self.digest[:8].hex()

    @property
    def integrity(self) -> str:
        """The digest as browsers check it."""
        return f"sha256-{base64.b64encode(self.digest).decode()}"


def is_kept(path: str) -> bool:
    """Whether a page may show a file: not sources, downloads, what a server or author reads, or these files."""
    first, last = path.split("/")[0], path.rsplit("/", 1)[-1]
    root_files = path.endswith(".html") or path in ("version.css", "objects.inv")
    return first not in NOT_KEPT and last[0] != "." and ("/" in path or root_files) and path != "objects.inv"


def files_of(folder: Path) -> dict[str, File]:
    """All files of a site that a page may show, by path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [(path.relative_to(folder).as_posix(), path) for path in paths]
    return {name: File(*_measured(path)) for name, path in names if is_kept(name)}


def _measured(path: Path) -> tuple[bytes, int]:
    content = path.read_bytes()
    return hashlib.sha256(content).digest(), len(content)


def version_of(files: dict[str, File]) -> str:
    """A digest of all files with their names."""
    lines = "".join(f"{name} {file.digest.hex()}\n" for name, file in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def core_of(files: dict[str, File], more: tuple[str, ...]) -> list[str]:
    """What every device keeps: the frame of all pages, and the pages to practise and to search on."""
    pages = {f"{page}.html" for page in (*CORE_PAGES, *more)}

    def belongs(name: str) -> bool:
        folder, _, below = name.partition("/")
        frame = folder == "_static" and not below.startswith(tuple(f"{large}/" for large in LARGE))
        outside = any(Path(name).match(pattern) for pattern in OUTSIDE)
        return name in pages or name in CORE_DATA or name == "version.css" or (frame and not outside)

    return [name for name in files if belongs(name)]


def pages_of(pages: set[str], part: str, stems: list[str]) -> list[str]:
    """The pages of a part: its chapters, and the pages of the revision that belong to one of them or to the part."""
    names = {part, *stems}
    chapters = [page for page in sorted(pages) if page in {f"chapters/{part}/{stem}" for stem in stems}]
    below = re.compile(r"chapters/revision/[^/]+/([^/]+)")
    return chapters + [page for page in sorted(pages) if (found := below.fullmatch(page)) and found[1] in names]


def practice_of(topics: list[str], stems: list[str], files: dict[str, File]) -> list[str]:
    """The exercises, questions and cards of some chapters."""
    names = [*topics, *(f"{kind}-{stem}" for kind in ("questions", "cards") for stem in stems)]
    return [path for name in names if (path := f"{trainer.FOLDER}/{name}.js") in files]


def shown_on(folder: Path, page: str, files: dict[str, File]) -> Iterator[str]:
    """A page, what the search quotes of it, and what it shows: pictures, sounds, scripts, styles."""
    yield f"{page}.html"
    yield f"_static/search/{page.replace('/', '-')}.js"
    yield from SHOWN.findall((folder / f"{page}.html").read_text(encoding="utf-8"))


def parts_of(app, files: dict[str, File]) -> dict[str, dict[str, Any]]:
    """The parts of the book with all that is needed to read and to practise them."""
    folder, chapters = Path(app.outdir), [*book_outline.outline(app.env).values()]
    written = [chapter for chapter in chapters if chapter.page in app.env.found_docs]
    place = {name: number for number, name in enumerate(files)}

    def part(title: str, paths: list[str]) -> dict[str, Any]:
        found = [path for path in dict.fromkeys(paths) if path in files]
        size = sum(files[path].size for path in found)
        return {"title": title, "bytes": size, "paths": [place[path] for path in found]}

    found = {}
    for name in dict.fromkeys(chapter.part for chapter in written):
        own = [chapter for chapter in written if chapter.part == name]
        stems = [chapter.stem for chapter in own]
        pages = pages_of(app.env.found_docs, name, stems)
        shown = [path for page in pages for path in shown_on(folder, page, files)]
        topics = [topic for chapter in own for topic in trainer.topics_of(chapter)]
        found[name] = part(own[0].part_title, shown + practice_of(topics, stems, files))
    drills = [path for path in files if path.startswith(f"{trainer.FOLDER}/") and path not in CORE_DATA]
    return found | ({PRACTICE: part(PRACTICE_TITLE, drills)} if drills else {})


def listed(app, files: dict[str, File]) -> dict[str, Any]:
    """What the worker knows of the site."""
    keep, first = page_store.pages(app.env, PAGES), app.config.root_doc
    core = core_of(files, (first, *keep))
    return {
        "version": version_of(files),
        "first": "index.html" if "index.html" in files else f"{first}.html",
        "keep": f"{keep[0]}.html" if keep else "",
        "core": [[name, files[name].integrity] for name in core],
        "files": [[name, file.short] for name, file in files.items()],
        "parts": parts_of(app, files),
    }


def manifest(app, first: str) -> dict[str, Any]:
    """What the book is called and how it looks among the programs of a device."""
    icons = [
        {"src": f"_static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ]
    return {
        "name": app.config.project,
        "short_name": SHORT,
        "lang": "en",
        "id": "./",
        "scope": "./",
        "start_url": first,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }


def write_files(app, exception) -> None:
    """Write the files, also when no page was built anew."""
    if exception or app.builder.name != "html":
        return
    folder = Path(app.outdir)
    worker = (STATIC / WORKER).read_text(encoding="utf-8")
    (folder / "_static" / WORKER).unlink(missing_ok=True)  # where it would reach nothing but that folder
    found = listed(app, files_of(folder))
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    (folder / FILES).write_text(f"const bookFiles = {text};\n", encoding="utf-8")
    (folder / VERSION).write_text(f"{found['version']}\n", encoding="utf-8")
    (folder / MANIFEST).write_text(json.dumps(manifest(app, found["first"]), indent=1) + "\n", encoding="utf-8")
    version = f'const VERSION = "{found["version"]}";'
    (folder / WORKER).write_text(worker.replace('const VERSION = "";', version, 1), encoding="utf-8")


class keep_parts(html_nodes.html_block):
    """The place where parts are chosen."""


class KeepParts(SphinxDirective):
    """The parts that may be kept; the content is for those whose browser cannot."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build what is there without the script."""
        page_store.keep(self.env, PAGES, True)
        static = html_nodes.block("keep-static")
        self.state.nested_parse(self.content, self.content_offset, static)
        return [keep_parts("", static, classes=["keep-parts"], tag="div", html={})]


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet of the choice where it stands."""
    if doctree is not None and any(doctree.findall(keep_parts)):
        app.add_css_file("keep.css")
        app.add_js_file("keep.js", loading_method="defer")


def setup(app):
    """Write at the very end: the list has the files as they stay."""
    for extension in ("html_nodes", "page_store", "book_outline", "trainer"):
        app.setup_extension(extension)
    app.add_node(keep_parts, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_directive("keep-parts", KeepParts)
    app.add_js_file("installed.js", loading_method="defer")
    app.connect("html-page-context", add_script)
    app.connect("build-finished", write_files, priority=990)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
