r"""Render all mathematics to static KaTeX markup while the site is built.

The pages need neither a script nor the network to show the formulas: they are in the HTML, with MathML for screen
readers. (A few lines, ``wide_boxes.js``, let the keyboard reach a displayed formula that scrolls sideways.) KaTeX
runs inside V8 (package mini-racer); its source is the ``katex.min.js`` that the package sphinxcontrib-katex carries.
The style sheet and the fonts stand in ``katex/`` below a folder of ``html_static_path`` and must be of the same
version, which is checked. A formula that KaTeX cannot read is a warning that names its place.

Set ``html_math_renderer = "katex"``.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

log = logging.getLogger(__name__)

RENDERER = "katex"
STYLE_SHEET = "katex/katex.min.css"
REMEDY = (
    "install the pinned sphinxcontrib-katex (python3 run.py book does) and keep katex.min.css and its fonts of "
    "the same KaTeX version in static/katex"
)
NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|gather|multline|alignat)\}")
LINE_BREAK = r"\\"
PUNCTUATION = re.compile(r"[,.;:!?)\]’”–-]+")
KEPT = "kept"  # the class of a formula in a line with the punctuation behind it
LONG = "long"  # and that of one in which a line must be able to end
SHORT = 24  # characters of TeX
RENDER = """(() => JSON.stringify(%s.map(([tex, displayMode]) => {
  try { return [katex.renderToString(tex, {displayMode, throwOnError: true, strict: "error"}), ""]; }
  catch (error) { return ["", error.message]; } })))()"""
TOKEN = re.compile(r"\\begin\{|\\end\{|\\\\(?:\[[-\d.]+[a-z]+\])?|\\.|[{}&]", re.DOTALL)


def split_outside(tex: str, separator: str) -> list[str]:
    r"""Split a formula at ``\\`` or at ``&``, outside all environments and groups.

    Examples
    --------
    >>> split_outside(r"a \\ b", r"\\"), split_outside(r"\begin{aligned} a \\[4pt] b \end{aligned}", r"\\")
    (['a ', ' b'], ['\\begin{aligned} a \\\\[4pt] b \\end{aligned}'])
    """
    parts, depth, start = [], 0, 0
    for match in TOKEN.finditer(tex):
        token = match.group()
        if depth == 0 and token.startswith(separator):
            parts.append(tex[start : match.start()])
            start = match.end()
        # the brace of \begin{...} is part of its token, so its closing brace undoes that one
        depth += {r"\begin{": 2, r"\end{": 0, "{": 1, "}": -1}.get(token, 0)
    return [*parts, tex[start:]]


def display_source(tex: str, nowrap: bool = False) -> str:
    """The formula as KaTeX must see it: numbers are Sphinx's, several lines or formulas are aligned."""
    if nowrap:
        return NUMBERED.sub(r"\\\1{\2*}", tex)
    parts = [NUMBERED.sub(r"\\\1{\2*}", part) for part in tex.split("\n\n") if part.strip()]
    parts = [
        rf"\begin{{split}}{part}\end{{split}}" if len(split_outside(part, LINE_BREAK)) > 1 else part for part in parts
    ]
    if len(parts) > 1:
        return r"\begin{aligned}" + r"\\".join(parts) + r"\end{aligned}"
    return "".join(parts)


def katex_script() -> Path:
    """Find KaTeX's source without importing the extension that carries it."""
    try:
        spec = find_spec("sphinxcontrib.katex")
    except ModuleNotFoundError:
        spec = None
    script = Path(spec.origin).with_name("katex.min.js") if spec and spec.origin else None
    if script is None or not script.is_file():
        raise ExtensionError(f"katex.min.js is not installed: {REMEDY}")
    return script


def style_version(app) -> str:
    """The KaTeX version that the style sheet in the static folder is of."""
    for folder in app.config.html_static_path:
        sheet = Path(app.confdir) / folder / STYLE_SHEET
        if sheet.is_file():
            found = re.search(r'\.katex-version:{1,2}after\{content:"([^"]+)"', sheet.read_text(encoding="utf-8"))
            return found.group(1) if found else "unknown"
    raise ExtensionError(f"{STYLE_SHEET} is in no folder of html_static_path: {REMEDY}")


class Katex:
    """KaTeX in V8, with a memory of what it has rendered; one per build."""

    def __init__(self):
        self._engine = None
        self._process = 0
        self._memory: dict[tuple[str, bool], tuple[str, str]] = {}

    def evaluate(self, script: str):
        """Evaluate a script where KaTeX is loaded; the engine starts on first use."""
        if self._engine is None:
            from py_mini_racer import MiniRacer

            self._engine = MiniRacer()
            self._process = os.getpid()
            self._engine.eval(katex_script().read_text(encoding="utf-8"))
        if self._process != os.getpid():  # a fork has no part in the engine's threads: it would wait for ever
            raise ExtensionError("a formula was not rendered before the pages were written in parallel")
        return self._engine.eval(script)

    def render(self, tex: str, display: bool) -> tuple[str, str]:
        """Render a formula: (markup, "") or ("", what KaTeX objects to)."""
        self.render_all([(tex, display)])
        return self._memory[tex, display]

    def render_all(self, formulas: Iterable[tuple[str, bool]]) -> None:
        """Render and remember what is new: in one go, as asking takes the engine longer than most formulas do."""
        new = [key for key in dict.fromkeys(formulas) if key not in self._memory]
        if new:
            answers = json.loads(str(self.evaluate(RENDER % json.dumps(new))))
            self._memory.update(zip(new, map(tuple, answers), strict=True))

    def render_tree(self, tree) -> None:
        """Render and remember the formulas of a tree."""
        found = tree.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))
        self.render_all(source_of(node) for node in found)

    def close(self) -> None:
        """Stop V8; left to the interpreter's exit, its threads hang there on Python 3.13."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    # -- Sphinx's side ------------------------------------------------------------------------------------------------

    def check_versions(self, app) -> None:
        """Refuse a style sheet of another version than the script: sizes and positions would be wrong."""
        if app.builder.format != "html" or app.config.html_math_renderer != RENDERER:
            return
        script, style = self.evaluate("katex.version"), style_version(app)
        if script != style:
            raise ExtensionError(f"KaTeX is {script} but {STYLE_SHEET} is of version {style}: {REMEDY}")

    def prepare(self, app, doctree, docname) -> None:
        """Render a page's formulas before its writer runs, which may be in a child process without an engine."""
        if app.builder.format == "html" and app.builder.math_renderer_name == RENDERER:
            self.render_tree(doctree)
            keep_punctuation(doctree)

    def prepare_titles(self, app, env) -> None:
        """Render the formulas of headings, which navigation prints on other pages."""
        if app.builder.format == "html" and app.builder.math_renderer_name == RENDERER:
            for tree in (*env.titles.values(), *env.longtitles.values(), *env.tocs.values()):
                self.render_tree(tree)

    def print(self, translator, node) -> None:
        """Append a formula to the page, or its source and a warning."""
        tex, display = source_of(node)
        markup, objection = self.render(tex, display)
        if objection:
            log.warning("KaTeX cannot read %r: %s", tex, objection, location=node, type="katex")
            markup = f'<code class="katex-error">{html.escape(tex)}</code>'
        translator.body.append(markup)

    def visit_inline(self, translator, node) -> None:
        """Print a formula in a line of text."""
        translator.body.append(translator.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
        self.print(translator, node)
        translator.body.append("</span>")
        raise nodes.SkipNode

    def visit_block(self, translator, node) -> None:
        """Print a displayed formula with its number."""
        translator.body.append(translator.starttag(node, "div", "", CLASS="math notranslate nohighlight"))
        if node.get("number"):
            translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
            translator.add_permalink_ref(node, "Link to this equation")
            translator.body.append("</span>")
        self.print(translator, node)
        translator.body.append("</div>\n")
        raise nodes.SkipNode


def keep_punctuation(tree) -> None:
    """Let no line begin with the comma behind a formula: browsers may break a line before and after its boxes."""
    for formula in list(tree.findall(nodes.math)):
        parent, after = formula.parent, formula.parent.index(formula) + 1
        following = parent[after] if after < len(parent) else None
        if isinstance(following, nodes.Text) and (found := PUNCTUATION.match(following)):
            kept = nodes.inline("", "", formula, nodes.Text(found[0]), classes=[KEPT])
            kept["classes"] += [LONG] * (len(formula.astext()) > SHORT)
            parent[after - 1 : after + 1] = [kept, nodes.Text(following[found.end() :])]


def source_of(node) -> tuple[str, bool]:
    """What to render for a node, and whether it is displayed."""
    if isinstance(node, nodes.math_block):
        return display_source(node.astext(), bool(node.get("nowrap"))), True
    return node.astext(), False


def setup(app):
    """Offer the renderer; the engine belongs to this build and ends with it."""
    app.katex = katex = Katex()  # the search reads formulas, too
    app.add_html_math_renderer(RENDERER, (katex.visit_inline, None), (katex.visit_block, None))
    app.add_css_file(STYLE_SHEET)
    app.connect("builder-inited", katex.check_versions)
    app.connect("env-updated", katex.prepare_titles)
    app.connect("doctree-resolved", katex.prepare, priority=900)
    app.connect("build-finished", lambda app, exception: katex.close())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
