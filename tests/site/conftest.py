"""Small books, built in a temporary folder with the project's own extensions."""

from __future__ import annotations

import io
import json
import re
import warnings
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import ClassVar
from unittest.mock import patch

import pytest
from jinja2.bccache import BytecodeCache
from jinja2.sandbox import SandboxedEnvironment
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).resolve().parents[2]
OUTLINE = """
- part: clustering
  title: Clustering
  chapters:
    - {stem: kmeans, title: "k-means", task: unsupervised}
    - {stem: gmm, title: "Gaussian mixtures", task: unsupervised}
- part: sequences
  title: Sequences
  chapters:
    - {stem: hmm, title: "Hidden <Markov> models", task: supervised}
"""
OUR_EXTENSIONS = [
    "katex_math",
    "chapter_role",
    "exam_cards",
    "anki_deck",
    "quiz",
    "equation_links",
    "derivations",
    "topic_table",
]


def code(source, *outputs):
    """A code cell; an output is text of stdout or a dictionary of mime types."""
    cells = [
        {"output_type": "stream", "name": "stdout", "text": output}
        if isinstance(output, str)
        else {"output_type": "display_data", "data": output, "metadata": {}}
        for output in outputs
    ]
    return {"cell_type": "code", "source": source, "outputs": cells, "execution_count": 1, "metadata": {}}


class Compiled(BytecodeCache):
    """Templates of the theme, compiled once and not for each book; their key holds the file's name and contents."""

    known: ClassVar = {}

    def load_bytecode(self, bucket):
        bucket.code = self.known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket):
        self.known[bucket.key, bucket.checksum] = bucket.code


TEMPLATES = partial(SandboxedEnvironment, bytecode_cache=Compiled())


class MiniBook:
    """A book in a temporary folder: write pages, build, look at the result."""

    def __init__(self, root, extensions=(), pages=(), **config):
        self.root = root
        self.config = {
            "extensions": ["myst_nb", *(extensions or OUR_EXTENSIONS)],
            "root_doc": "intro",
            "project": "Mini",
            "html_theme": "basic",
            "html_static_path": ["static"],
            "templates_path": [],  # the theme adds to Sphinx's default, which lives as long as the process
            "html_math_renderer": "katex",
            "html_copy_source": True,
            "html_sourcelink_suffix": "",
            "nb_execution_mode": "off",
            "myst_enable_extensions": ["dollarmath", "amsmath", "colon_fence", "tasklist"],
            "numfig": True,
            "exclude_patterns": ["out", "tests", "notes_lib"],
            **config,
        }
        self.write("chapters/outline.yml", OUTLINE)
        self.write("static/katex/katex.min.css", '.katex .katex-version:after{content:"0.16.22"}')
        for script in ("frames.js", "quiz.js", "progress.js", "memory.js", "wide_boxes.js", "sidebar.js"):
            self.write(f"static/{script}", (ROOT / "static" / script).read_text(encoding="utf-8"))
        self.write("tests/__init__.py", "")
        self.write("notes_lib/__init__.py", "")
        self.toc(*pages)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def notebook(self, name, *cells, **book):
        cells = [
            {"cell_type": "markdown", "source": cell, "metadata": {}} if isinstance(cell, str) else cell
            for cell in cells
        ]
        for number, cell in enumerate(cells):
            cell["id"] = f"cell-{number}"
        metadata = {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python", "pygments_lexer": "ipython3"},
            "book": book,
        }
        self.write(name, json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))

    def toc(self, *pages, text="# Intro\n"):
        """Write the first page, which holds the table of contents."""
        self.write("intro.md", f"{text}\n\n```{{toctree}}\n" + "\n".join(pages) + "\n```\n")
        return self

    def build(self, builder="html", parallel=1):
        """Build; what was built before is kept, as on an author's machine.

        The theme and extensions add to the settings: a copy, so that the next build has the same ones and only what
        has changed is built.
        """
        out, stream = self.root / "out" / builder, io.StringIO()
        templates = patch("sphinx.jinja2glue.SandboxedEnvironment", TEMPLATES)
        with warnings.catch_warnings(), patch_docutils(), docutils_namespace(), templates:
            warnings.simplefilter("ignore")
            app = Sphinx(
                self.root,
                None,
                out,
                self.root / "out" / ".doctrees",
                builder,
                confoverrides=deepcopy(self.config),
                status=None,
                warning=stream,
                parallel=parallel,
            )
            app.build()
        self.app = app
        self.warnings = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
        return self

    def page(self, name, builder="html"):
        suffix = ".txt" if builder == "text" else ".html"
        return (self.root / "out" / builder / f"{name}{suffix}").read_text(encoding="utf-8")

    def soup(self, name, builder="html"):
        from bs4 import BeautifulSoup

        return BeautifulSoup(self.page(name, builder), "html.parser")


def words(element):
    """The text of an element with its white space evened out."""
    return " ".join(element.get_text(" ").split())


@pytest.fixture
def new_book(tmp_path):
    """Make a small book in the test's own folder."""
    return lambda *args, **config: MiniBook(tmp_path, *args, **config)


@pytest.fixture(scope="module")
def shared_book(tmp_path_factory):
    """Make a small book in a folder that the tests of a module share."""
    return lambda *args, **config: MiniBook(tmp_path_factory.mktemp("shared"), *args, **config)


@pytest.fixture(scope="module")
def tab(book):
    """A page in a browser, and the address of the ``book`` of a test file."""
    from tools.site_check.browser import browser, find_chromium, serve

    with serve(book.root / "out/html") as base, browser(find_chromium()) as running:
        page = running.new_page()
        page.set_default_timeout(5000)
        yield page, base


@pytest.fixture(scope="session")
def notebook_code():
    return code


@pytest.fixture(scope="session")
def text_of():
    return words


KMEANS = """# k-means

:::{objectives}
- state the objective
:::

(kmeans-both-steps)=
## Derivation

$$
J = \\sum_n \\lVert x_n - \\mu \\rVert^2
$$ (kmeans-objective)

$$
a \\\\ b
$$ (kmeans-unused)

## Exam corner

### Must know

:::{must-know} The objective $J$
:label: kmeans-must-know-objective
Equation {eq}`kmeans-objective`, chapters {chapter}`gmm` and {chapter}`hmm`, [both steps](#kmeans-both-steps).
:::

### Lost marks

:::{lost-marks} $J$ may grow
:label: kmeans-lost-marks-grows
It cannot.
:::
"""
QUIZ = """### Quiz

:::{quiz} Which $k$ is right?
:label: kmeans-quiz-1
More of the question.

- [ ] wrong $k$

  Why it is wrong.
- [x] *right* option

  Why it is right.
:::

:::{quiz} Which are right?
:label: kmeans-quiz-2
:multiple:
- [x] one

  Why one.
- [x] two

  Why two.
:::

:::{true-false} The objective may grow.
:label: kmeans-tf-1
:answer: false
Each step lowers it.
:::
"""
INTRO = """# Intro

See {chapter}`kmeans`, {chapter}`hmm`, {chapter}`the mixture <gmm>`, {chapter}`sheet`.

## By task

:::{book-map} task
:::

## By prerequisite

:::{book-map} prerequisite
:::
"""
LIBRARY = '''"""K-means, see :eq:`kmeans-objective`."""

from notes_lib.clustering.kmeans.seeding import seed


def inertia(X):
    """Implement :eq:`kmeans-objective`."""


class KMeans:
    """Lloyd's algorithm."""

    def fit(self, X):
        """Lower :eq:`the objective <kmeans-objective>`."""
'''
PRIVATE = """def seed(X):
    \"\"\"Start :eq:`kmeans-objective`.\"\"\"


def helper(X):
    \"\"\"Help with :eq:`kmeans-objective`.\"\"\"
"""
TESTS = """import pytest

pytestmark = pytest.mark.equation("gmm-density")


@pytest.mark.equation("kmeans-objective", "gmm-density")
def test_inertia():
    pass


class TestSteps:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.equation("kmeans-objective"))])
    def test_step(self, x):
        pass
"""
API = """# API

```{eval-rst}
.. py:module:: notes_lib.clustering.kmeans

.. py:function:: inertia(X)

.. py:function:: seed(X)

.. py:class:: KMeans
```
"""


@pytest.fixture(scope="session")
def good_book(tmp_path_factory):
    """A book without mistakes in which everything occurs; built once."""
    book = MiniBook(tmp_path_factory.mktemp("good"))
    book.toc(
        "chapters/clustering/kmeans",
        "chapters/clustering/gmm",
        "chapters/revision/sheet",
        "chapters/appendix/equations",
        "chapters/appendix/topics",
        "chapters/appendix/api",
        text=INTRO,
    )
    book.notebook(
        "chapters/clustering/kmeans.ipynb",
        KMEANS,
        code("print(4.25)", "the objective falls by 4.25\n"),
        QUIZ,
        prerequisites=[],
        minutes=50,
    )
    book.notebook(
        "chapters/clustering/gmm.ipynb",
        "# GMM\n\n:::{objectives}\n- derive\n:::\n\n$$\np\n$$ (gmm-density)\n\n"
        ":::{must-know} Density\n:label: gmm-must-know-density\nA *sum*.\n:::\n",
        prerequisites=["kmeans", "hmm"],
        minutes=40,
    )
    book.write(
        "chapters/revision/sheet.md",
        "# Sheet\n\n:::{card-list} must-know\n:::\n\n## Lost\n\n:::{card-list} lost-marks\n:::\n\n"
        ":::{card-list} counting\n:::\n",
    )
    book.write("chapters/appendix/equations.md", "# Equations\n\n:::{equation-table}\n:::\n")
    book.write("chapters/appendix/topics.md", "# Topics\n\n:::{topic-table}\n:::\n")
    book.write(
        "chapters/appendix/topics.csv",
        "topic,group,chapter,section\nLloyd's $k$ steps,Clustering,kmeans,kmeans-both-steps\n"
        "*Viterbi* & co,Sequences,hmm,\nForward,Sequences,hmm,\n",
    )
    book.write("chapters/appendix/api.md", API)
    book.write("notes_lib/clustering/kmeans/__init__.py", LIBRARY)
    book.write("notes_lib/clustering/kmeans/seeding.py", PRIVATE)
    book.write("tests/clustering/test_kmeans.py", TESTS)
    book.write("tests/clustering/test_gmm.py", "")
    return book.build()
