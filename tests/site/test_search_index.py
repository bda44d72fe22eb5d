"""The index of the search, asked in V8 by the scripts of the pages, and the files that carry it."""

import json

import pytest
import yaml
from search_index import ENGINE, STATIC, make_index

from tools.site_check.search import QUERIES, read_queries

GMM = """(gmm)=
# Gaussian mixtures

The mixture density of Gaussians.

(gmm-em)=
## EM in general

A lower bound that rises.

(gmm-never)=
## EM and EM of EM

What EM is to EM.

(gmm-optimisation)=
## Optimisation of the bound

The labelled colour of a centre. Here $C$ grows, and $\\xi$ is slack.

(gmm-exam)=
## Exam corner

The lower bound again.
"""
GLOSSARY = """# Glossary

```{glossary}
expectation-maximisation (EM)
  期望最大化. A lower bound that rises. See {ref}`gmm-em`.

Gaussian mixture model (GMM)
  高斯混合模型. See {chapter}`gmm`.
```
"""


@pytest.fixture(scope="module")
def book(shared_book):
    pages = ("chapters/clustering/gmm", "chapters/revision/glossary", "chapters/appendix/api")
    book = shared_book(("chapter_role", "search_index"), pages)
    for name in ("search.js", "search.css"):
        book.write(f"static/{name}", "")
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("chapters/revision/glossary.md", GLOSSARY)
    book.write("chapters/appendix/api.md", "# notes_lib.em\n\nA lower bound that rises.\n")
    return book.build()


def data(book, name):
    """What a script hands over."""
    script = (book.root / "out/html/_static/search" / f"{name}.js").read_text(encoding="utf-8")
    given, _, value = script.removeprefix("bookSearchData(").partition(",")
    return json.loads(given), json.loads(value.removesuffix(");\n"))


@pytest.fixture(scope="module")
def engine():
    """V8 with the scripts of the pages."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval("var self = globalThis;")
    for script in ENGINE:
        engine.eval((STATIC / script).read_text(encoding="utf-8").replace("const Book", "var Book"))
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def ask(book, engine):
    """The sections that answer a query, best first, and the words that were met."""
    index = data(book, "index")[1]
    engine.eval(f"var data = {json.dumps(index)}; var engine = BookSearch.load(data)")

    def answer(query):
        needed = json.loads(engine.eval(f"JSON.stringify(BookSearch.partsOf({json.dumps(query)}))"))
        parts = json.dumps([data(book, f"words-{name}")[1] for name in needed if name in index["parts"]])
        call = f"BookSearch.ask(engine, data.units, {json.dumps(query)}, {parts})"
        found = json.loads(engine.eval(f"JSON.stringify({call})"))
        return [
            (index["pages"][unit[0]][0], unit[1], one["terms"]) for one in found if (unit := index["units"][one["id"]])
        ]

    return answer


def test_no_warnings(book):
    assert book.warnings == ""


@pytest.mark.parametrize(
    ("query", "anchor"),
    [
        ("EM", "gmm-em"),
        ("em in general", "gmm-em"),
        ("GMM", ""),
        ("期望最大化", "gmm-em"),
        ("高斯", ""),
        ("混合模型", ""),
        ("optimization", "gmm-optimisation"),
        ("labeled color of a center", "gmm-optimisation"),
        ("gausian", ""),
        ("optimi", "gmm-optimisation"),
        ("what happens when C grows", "gmm-optimisation"),
        ("xi", "gmm-optimisation"),
        ("ξ", "gmm-optimisation"),
        ("bounds", "gmm-optimisation"),
    ],
)
def test_the_first_section(ask, query, anchor):
    assert ask(query)[0][:2] == ("chapters/clustering/gmm", anchor)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("optimise Optimization optimised", ["optimize", "optimization", "optimized"]),
        ("colours behavioural four", ["color", "behavioral", "four"]),
        ("centre centred meters centring", ["center", "centered", "meter", "centering"]),
        ("labelled modelling all", ["labeled", "modeling"]),
        ("analyses catalogue grey", ["analyze", "catalog", "gray"]),
        ("matrices indices vertices", ["matrix", "index", "vertex"]),
        ("losses boxes entropies kernels", ["loss", "box", "entropy", "kernel"]),
        ("loss basis virus", ["loss", "basis", "virus"]),
        ("Cholesky Schölkopf Poincaré", ["cholesky", "scholkopf", "poincare"]),
        ("λ Σ xi ∇f", ["lambda", "sigma", "xi", "f"]),
        ("k-means E-step", ["k", "mean", "kmean", "e", "step", "estep"]),
        ("Slater's the and", ["slater"]),
        ("支持向量机", ["支持向量机", "支持", "持向", "向量", "量机"]),
        ("熵 E步", ["熵", "e", "步"]),
    ],
)
def test_words(engine, text, terms):
    assert json.loads(engine.eval(f"JSON.stringify(BookTerms.tokenize({json.dumps(text)}, 'title'))")) == terms


def test_single_small_letters_count_in_titles_only(engine):
    assert json.loads(engine.eval("JSON.stringify(BookTerms.tokenize('x C 3 ab k-NN', 'text'))")) == [
        "c",
        "ab",
        "nn",
        "knn",
    ]


def test_names_count_as_wholes(engine):
    names = "support vector machine (SVM) · 支持向量机"
    found = json.loads(engine.eval(f"JSON.stringify(BookTerms.tokenize({json.dumps(names)}, 'names'))"))
    assert found == ["=support_vector_machine", "=svm", "=支持向量机"]


def test_chapters_before_exam_corner_before_revision_before_reference(ask):
    assert [place[:2] for place in ask("lower")] == [
        ("chapters/clustering/gmm", "gmm-em"),
        ("chapters/clustering/gmm", "gmm-exam"),
        ("chapters/revision/glossary", "term-expectation-maximisation-EM"),
        ("chapters/appendix/api", ""),
    ]


def test_a_section_speaks_of_what_its_page_is_called(engine):
    titles = {"Mixtures": "", "Bound": "dual", "Trees": "", "Cut": "dual and dual"}
    empty = {"terms": "", "heads": ""}
    made = make_index([{**empty, "names": title, "title": title, "text": text} for title, text in titles.items()])
    shown = [[n // 2, "section" * (n % 2), "", title, 0] for n, title in enumerate(titles)]
    engine.eval(f"var small = {json.dumps({**made, 'units': shown})}")
    call = "BookSearch.ask(BookSearch.load(small), small.units, QUERY, [small.parts.du]).map((one) => one.id)"
    first = lambda query: json.loads(engine.eval(f"JSON.stringify({call.replace('QUERY', json.dumps(query))})"))
    assert first("dual")[0] == 3
    assert first("dual of mixtures").index(1) < first("dual of mixtures").index(3)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("kNN", ["nearest", "neighbor"]),
        ("k-nn ties", ["nearest", "neighbor", "ty"]),
        ("L1 vs L2", ["lasso", "ridge"]),
        ("one vs rest", ["vs", "rest"]),
        ("why divide by n-1", ["divide", "biased", "variance"]),
        ("Bessel's correction", ["biased", "variance"]),
        ("1-SE rule", ["standard", "error", "rule"]),
        ("sigma(z)", ["sigmoid"]),
        ("P(A|B)", ["baye", "theorem"]),
        ("(X^T X)^-1", ["normal", "equation"]),
        ("X^T X inverse", ["normal", "equation"]),
        ("primal and dual", ["dual"]),
    ],
)
def test_what_students_call_things_is_asked_as_the_book_calls_them(engine, query, words):
    asked = json.loads(engine.eval(f"JSON.stringify(BookTerms.asked({json.dumps(query)}))"))
    assert [word for word in asked if word[0] != "="] == words


def test_words_that_say_nothing_find_nothing(ask):
    assert ask("what is the") == ask("") == ask("?!") == []


def test_all_words_of_a_query_before_one_of_them(ask):
    assert ask("bound")[0][1] != "gmm-exam"
    assert ask("bound again")[0][1] == "gmm-exam"


def test_the_words_met_are_those_of_the_book(ask):
    assert ask("gausian")[0][2] == ["gaussian"]


def test_the_text_of_a_page_stands_in_its_own_script(book):
    name, texts = data(book, "chapters-clustering-gmm")
    assert name == "chapters/clustering/gmm"
    assert texts[1] == ["A lower bound that rises.", "expectation-maximisation (EM) · 期望最大化"]
    pages = data(book, "index")[1]["pages"]
    assert [page[:2] + page[3:] for page in pages][1] == ["chapters/clustering/gmm", "Gaussian mixtures", 1]


def test_sphinx_search_is_gone_and_the_page_is_there(book):
    out = book.root / "out/html"
    assert not (out / "searchindex.js").exists()
    assert not list(out.glob("_static/searchtools.js")) + list(out.glob("_static/language_data.js"))
    assert book.soup("search").select_one(".book-search form[role=search] input[type=search][aria-label]")
    assert "JavaScript" in book.soup("search").noscript.text


def test_the_book_without_a_page_has_no_index_of_it(book):
    first = data(book, "index")[1]["pages"]
    book.write("chapters/clustering/gmm.md", GMM.replace("Optimisation of the bound", "Another title"))
    (book.root / "chapters/appendix/api.md").unlink()
    book.toc("chapters/clustering/gmm", "chapters/revision/glossary").build()
    later = data(book, "index")[1]
    assert "Another title" in [unit[3] for unit in later["units"]]
    assert "chapters/appendix/api" not in [page[0] for page in later["pages"]]
    assert not (book.root / "out/html/_static/search/chapters-appendix-api.js").exists()
    assert first[1][2] == later["pages"][1][2]  # the texts are the same: so is their version


def test_an_index_of_nothing_is_an_index():
    assert make_index([])["words"] == ""


def test_a_query_needs_the_parts_of_its_words_alone(book, engine):
    index = data(book, "index")[1]
    assert {"lo", "bo", "ri", "c", "other"} <= set(index["parts"])
    assert "rise" not in index["words"].split()
    assert data(book, "words-ri")[1].split("\n")[0].startswith("rise 4:")
    partsof = lambda query: json.loads(engine.eval(f"JSON.stringify(BookSearch.partsOf({json.dumps(query)}))"))
    assert partsof("Rising bounds of C, 期望") == ["ri", "bo", "c", "other"]
    assert partsof("the") == []


def test_the_listed_queries():
    queries = read_queries(QUERIES)
    kinds = [entry["kind"] for entry in yaml.safe_load(QUERIES.read_text(encoding="utf-8"))]
    assert len(queries) >= 60
    assert len({query.text for query in queries}) == len(queries)
    assert set(kinds) == {"term", "abbreviation", "symbol", "Chinese", "spelling", "slip", "prefix", "phrase"}
    assert min(kinds.count(kind) for kind in kinds) >= 2
