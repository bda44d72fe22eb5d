"""Links in code cells (sphinx-codeautolink), at a cost that grows with the book and no faster.

sphinx-codeautolink finds the names in code and what they stand for; ``CodeLinks`` is its own class with four changes.

* A cell is parsed once. A name means what earlier cells made of it, so sphinx-codeautolink parses each cell together
  with all cells before it; ``parse_names`` goes on where the last cell ended.
* A cell without the signs of IPython is not taken apart in search of them: nearly all are plain Python.
* The names stay in the environment, and so does what they stand for. That is looked up, which means importing what
  the page imports, when a name is new, and for all names when a page of the reference is read (Sphinx does so when a
  documented module changes). A page whose links have changed is written anew. (sphinx-codeautolink forgets the names
  of every page that it does not read.)
* The links are set in the text of a page on its way to the writer. Nothing else on the page is touched, and each page
  that is written has its links, for whatever reason it is written.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import partial
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from typing import NamedTuple

import page_store
import sphinx_codeautolink
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx_codeautolink import extension
from sphinx_codeautolink.extension import SphinxCodeAutoLink, block
from sphinx_codeautolink.extension.resolve import CouldNotResolve, fully_qualified_name, resolve_location
from sphinx_codeautolink.parse import ImportTrackerVisitor, Name

log = logging.getLogger(__name__)

NAMES = "names in code"
LISTING = re.compile(r'<div class="([^"]*)"><div class="highlight">(<pre>.*?)</pre>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
MAGIC = re.compile(r"^\s*(?:[%!?/,;]|>>>|\.\.\.|In \[)|\?\s*$|=\s*[%!]", re.MULTILINE)


# -- names in code ---------------------------------------------------------------------------------------------------


def python_of(source: str) -> tuple[str, str]:
    """A cell and the plain Python in it; stands in for ``block.clean_ipython``."""
    return block.clean_ipython(source) if MAGIC.search(source) else (source, source)


class Parser:
    """Finds the names in code, and goes on from the last source when the next one begins with it."""

    def __init__(self) -> None:
        self.source, self.document = "", None
        self.visitor = ImportTrackerVisitor(None)

    def __call__(self, source: str, node) -> list[Name]:
        """List the names in the new part of ``source``; stands in for ``sphinx_codeautolink.parse.parse_names``."""
        seen = f"{self.source}\n"
        if self.document is node.document and source.startswith(seen):
            visitor, new = self.visitor, "\n" * seen.count("\n") + source[len(seen) :]  # line numbers stay
        else:
            visitor, new = ImportTrackerVisitor(node), source
        tree = ast.parse(new)
        visitor.doctree_node, visitor.accessed = node, []
        visitor.visit(tree)
        self.source, self.document, self.visitor = source, node.document, visitor
        return visitor.accessed


class Resolver:
    """Looks up what names stand for, each chain of names once; what was ``found`` is kept from build to build."""

    def __init__(self) -> None:
        self.found: dict[tuple, str | CouldNotResolve] = {}

    def __call__(self, name: Name, inventory) -> str:
        """Find what a name stands for; stands in for ``sphinx_codeautolink.extension.resolve_location``."""
        chain = tuple(name.import_components)
        if chain not in self.found:
            try:
                self.found[chain] = resolve_location(name, inventory)
            except CouldNotResolve as error:
                self.found[chain] = CouldNotResolve(*error.args)  # without the frames
        found = self.found[chain]
        if isinstance(found, CouldNotResolve):
            raise CouldNotResolve(*found.args)  # a copy: what is raised collects the frames that it passes
        return found


# -- links in the text of a page -------------------------------------------------------------------------------------


class Listing(NamedTuple):
    """A piece of highlighted code in the text of a page."""

    start: int
    end: int
    markup: str
    code: str


def plain(markup: str) -> str:
    """Read markup as the reader sees it."""
    return html.unescape(TAG.sub("", markup))


def listings(page: str, classes: Iterable[str]) -> Iterator[Listing]:
    """Find the highlighted code of a page whose box has one of some classes."""
    wanted = set(classes)
    for found in LISTING.finditer(page):
        if wanted & set(found[1].split()):
            yield Listing(*found.span(2), found[2], plain(found[2]).rstrip())


def set_links(markup: str, names: Iterable[Name], link: Callable[[Name, str], str]) -> tuple[str, list[Name]]:
    """Link names in highlighted code: the markup with the links, and the names that are not found in their lines."""
    lines, missing = markup.split("\n"), []
    for name in names:
        span = slice(name.lineno - 1, name.end_lineno)
        part = "\n".join(lines[span])
        found = list(re.finditer(block.construct_name_pattern(name), part))
        if found:  # from the right, as in a.b = a.b; what has its link is not found again
            start, end = found[-1].start() + len(found[-1][1]), found[-1].end()
            lines[span] = (part[:start] + link(name, part[start:end]) + part[end:]).split("\n")
        else:
            missing.append(name)
    return "\n".join(lines), missing


def replace(page: str, edited: Iterable[Listing]) -> str:
    """Put edited listings in their places."""
    parts, end = [], 0
    for listing in sorted(edited):
        parts += [page[end : listing.start], listing.markup]
        end = listing.end
    return "".join([*parts, page[end:]])


# -- what code calls an object, and what the reference calls it ------------------------------------------------------


def public_names(domain) -> dict[str, str]:
    """Map the name by which Python knows an object to the one it is documented by, where a package passes it on.

    A class ``part.stem.model.SVC`` that ``part.stem`` passes on is documented as ``part.stem.SVC``, and so are its
    members.
    """
    public: dict[str, str] = {}
    for name in domain.objects:
        module, _, short = name.rpartition(".")
        thing = getattr(import_module(module), short, None) if importable(domain, module) else None
        inner = fully_qualified_name(thing) if isclass(thing) or isroutine(thing) else name
        if inner not in domain.objects or domain.objects[inner].aliased:
            public.setdefault(inner, name)
    defined = {name: inner for inner, name in public.items()}
    for name in domain.objects:
        owner, _, member = name.rpartition(".")
        if owner in defined:
            public.setdefault(f"{defined[owner]}.{member}", name)
    return public


def importable(domain, module: str) -> bool:
    """Whether a module is documented and can be imported."""
    if module not in domain.modules:
        return False
    try:
        import_module(module)
    except ImportError:
        return False
    return True


# -- Sphinx's side ---------------------------------------------------------------------------------------------------


class CodeLinks(SphinxCodeAutoLink):
    """sphinx-codeautolink with names that stay in the environment and links that are set as a page is written."""

    inventory_map: dict[str, str]

    def build_inited(self, app) -> None:
        """Begin a build."""
        super().build_inited(app)
        self.read: set[str] = set()
        if not self.do_nothing:
            app.connect("html-page-context", self.link_page)

    def parse_blocks(self, app, doctree) -> None:
        """Keep the names of the page that is being read."""
        super().parse_blocks(app, doctree)
        self.read.add(app.env.docname)
        if not self.do_nothing:
            for listing in self.cache.transforms[str(Path(app.env.docname))]:
                page_store.keep(app.env, NAMES, listing)

    def create_references(self, app, env) -> list[str]:
        """Look up what the names of all pages stand for; return the pages whose links have changed."""
        if self.do_nothing:
            return []
        names = page_store.kept(env, NAMES)
        if self.reference_changed(env):
            env.names_found, env.public_names, env.chains_found = {}, public_names(env.domains["py"]), {}
        extension.resolve_location.found = env.chains_found
        known = {page: found for page, found in env.names_found.items() if page in names and page not in self.read}
        self.cache.transforms = deepcopy({page: names[page] for page in names if page not in known})
        super().create_references(app, env)
        env.names_found = self.cache.transforms = {**known, **self.cache.transforms}
        return [
            page for page in self.cache.transforms if page_store.changed(env, f"{NAMES} of {page}", self.links(page))
        ]

    def reference_changed(self, env) -> bool:
        """Whether an entry of the reference, or what it documents, is not that of the last build."""
        domain = env.domains["py"]
        entries = sorted((name, entry.docname, entry.node_id) for name, entry in domain.objects.items())
        pages = {page for _, page, _ in entries}
        return page_store.changed(env, "entries of the reference", entries) or bool(pages & self.read)

    def links(self, page: str) -> list[tuple]:
        """All that the links of a page show."""
        names = [name for listing in self.cache.transforms[page] for name in listing.names]
        return [(name.code_str, name.lineno, name.resolved_location, self.target(name)) for name in names]

    def target(self, name: Name) -> str:
        """Where a name leads, seen from the folder of the site."""
        return self.inventory[name.resolved_location]

    def make_inventory(self, app) -> dict[str, str]:
        """List the objects of the reference, also by the names that they have in the modules that define them."""
        inventory = super().make_inventory(app)
        public = app.env.public_names
        self.inventory_map = {**public, **self.inventory_map}
        return inventory | {inner: inventory[name] for inner, name in public.items()}

    def link_page(self, app, pagename, templatename, context, doctree) -> None:
        """Set the links of a page that is about to be written; warn about code and names that are not found on it."""
        if doctree is None or pagename not in self.cache.transforms:
            return
        classes = [f"highlight-{kind}" for kind in block.BUILTIN_BLOCKS.keys() | self.custom_blocks.keys()]
        waiting = list(listings(context["body"], ["doctest", *classes, *self.search_css_classes]))
        up, edited = "../" * app.builder.get_target_uri(pagename).count("/"), []
        for transform in self.cache.transforms[pagename]:
            listing = next((listing for listing in waiting if listing.code == transform.source.rstrip()), None)
            if listing is None:
                warn("match_block", f"a listing is not on its page:\n{transform.source}", pagename)
                continue
            waiting.remove(listing)
            markup, missing = set_links(listing.markup, transform.names, partial(self.link, up=up))
            edited.append(listing._replace(markup=markup))
            for name in missing:
                where = f"lines {name.lineno} to {name.end_lineno} of"
                warn("match_name", f"`{name.code_str}` is not in {where}:\n{transform.source}", pagename)
        context["body"] = replace(context["body"], edited)

    def link(self, name: Name, markup: str, up: str) -> str:
        """Wrap the markup of a name in its link; the tool tip is the full name, unless that stands there."""
        tells_more = re.sub(r"\s+", "", plain(markup)) != name.resolved_location
        title = f' title="{name.resolved_location}"' if tells_more and not self.disable_link_titles else ""
        target = self.target(name)
        address = target if "://" in target else up + target
        return f'<a href="{address}"{title} class="sphinx-codeautolink-a">{markup}</a>'

    def apply_links(self, app, exception) -> None:
        """Leave the written pages alone: their links are set."""


def warn(subtype: str, message: str, page: str) -> None:
    """Warn as sphinx-codeautolink does."""
    log.warning(message, type="codeautolink", subtype=subtype, location=page)


def setup(app):
    """Load sphinx-codeautolink with the changes."""
    if "sphinx_codeautolink" in app.extensions:
        raise ExtensionError("code_links loads sphinx_codeautolink: take that out of the list of extensions")
    sphinx_codeautolink.SphinxCodeAutoLink = CodeLinks
    block.BUILTIN_BLOCKS["ipython"] = block.BUILTIN_BLOCKS["ipython3"] = python_of
    block.parse_names, extension.resolve_location = Parser(), Resolver()
    app.setup_extension("page_store")
    app.setup_extension("sphinx_codeautolink")
    return {"version": "3", "env_version": 4, "parallel_read_safe": True, "parallel_write_safe": True}
