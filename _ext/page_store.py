"""What the pages of the book contribute to each other, kept in the Sphinx environment.

A directive *keeps* a value under a topic while its page is read; a page that collects such values asks for all that is
*kept*. Values disappear with their page, survive in the saved environment, and are merged when Sphinx reads pages in
parallel. ``changed`` tells a collecting page whether what it shows is still the same since the last build.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from book_log import warn
from docutils import nodes


def keep(env, topic: str, value: Any) -> None:
    """Remember ``value`` for the page that is being read."""
    _store(env).setdefault(topic, {}).setdefault(env.docname, []).append(value)


def kept(env, topic: str) -> dict[str, list]:
    """All values of a topic, by page."""
    return _store(env).get(topic, {})


def pages(env, topic: str) -> list[str]:
    """Name the pages that keep something under a topic."""
    return sorted(kept(env, topic))


def changed(env, topic: str, value: object) -> bool:
    """Whether ``value`` differs from the last build's value of the same topic (which it replaces)."""
    if not hasattr(env, "page_fingerprints"):
        env.page_fingerprints = {}
    now = digest(value)
    before, env.page_fingerprints[topic] = env.page_fingerprints.get(topic), now
    return before != now


def digest(value: object) -> str:
    """A short form of a value that is part of several others."""
    return hashlib.sha256(repr(value).encode()).hexdigest()


def numbering(env) -> tuple:
    """Everything that numbered references print: a copied reference is stale when this changes."""
    equations = sorted(env.get_domain("math").equations.items())
    figures = [
        (page, sorted((kind, sorted(ids.items())) for kind, ids in kinds.items()))
        for page, kinds in sorted(env.toc_fignumbers.items())
    ]
    sections = [(page, sorted(numbers.items())) for page, numbers in sorted(env.toc_secnumbers.items())]
    return equations, figures, sections


def reading_order(env) -> list[str]:
    """All pages in the order of the table of contents."""

    def walk(page: str, seen: set[str]) -> Iterator[str]:
        if page not in seen:
            seen.add(page)
            yield page
            for below in env.toctree_includes.get(page, ()):
                yield from walk(below, seen)

    seen: set[str] = set()
    in_toc = list(walk(env.config.root_doc, seen))
    return in_toc + sorted(set(env.all_docs) - seen)


def detached(node: nodes.Element) -> Any:
    """Let a copy go of its document; with it, the whole page would be in the saved environment."""
    for each in node.findall(nodes.Node):
        each._document = None
    return node


def file_beside(directive, name: str) -> Path:
    """A file beside the page of a directive; the page is read again when the file changes."""
    relative, path = directive.env.relfn2path(name)
    directive.env.note_dependency(relative)
    return Path(path)


def claim_label(directive, node: nodes.Element) -> bool:
    """Give ``node`` the id and the label of the directive's ``:label:`` option; warn where that is impossible."""
    label = directive.options.get("label", "").strip()
    where = directive.get_location()
    if not label:
        warn("label", f"{directive.name} needs a :label: of its own (:name: of an admonition)", where)
        return False
    node_id = nodes.make_id(label)
    if node_id != label:
        warn("label", f"label {label!r} of {directive.name} may hold only lower-case letters, digits, hyphens", where)
        return False
    document, env = directive.state.document, directive.env
    if node_id not in document.ids:
        document.ids[node_id] = node
        node["ids"] = [node_id]
    elif label not in {other for other, _, _ in kept(env, "labels").get(env.docname, [])}:
        warn("label", f"label {label!r} of {directive.name} is the id of something else on this page", where)
    keep(env, "labels", (label, directive.name, directive.lineno))
    standard = env.get_domain("std")
    title = " ".join(directive.arguments) or label
    standard.anonlabels.setdefault(label, (env.docname, node_id))
    standard.labels.setdefault(label, (env.docname, node_id, title))
    return True


def check_labels(app, env) -> None:
    """Warn about a label that two items of the book claim."""
    owner: dict[str, str] = {}
    for page in reading_order(env):
        for label, name, line in kept(env, "labels").get(page, []):
            if label in owner:
                warn("label", f"label {label!r} of {name} is already used in {owner[label]}", (page, line))
            owner.setdefault(label, page)


def _store(env) -> dict[str, dict[str, list]]:
    if not hasattr(env, "page_store"):
        env.page_store = {}
    return env.page_store


def _purge(app, env, docname) -> None:
    for by_page in _store(env).values():
        by_page.pop(docname, None)


def _merge(app, env, docnames, other) -> None:
    mine = defaultdict(dict, _store(env))
    for topic, by_page in _store(other).items():
        mine[topic].update({page: by_page[page] for page in docnames if page in by_page})
    env.page_store = dict(mine)


def setup(app):
    """Keep the store in step with the pages."""
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", check_labels)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
