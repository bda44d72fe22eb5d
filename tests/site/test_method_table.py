"""The comparison of methods: the table, the trees, and that what the file says of a class is so."""

import ast
import importlib
import inspect
import re
import shutil
from collections import Counter
from pathlib import Path

import method_table
import pytest
import yaml
from search_index import STATIC

from tests.site.test_directions import ARROWS
from tests.site.test_directions import rows as directions

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "chapters/revision/methods.yml").read_text(encoding="utf-8"))
OUTLINE = yaml.safe_load((ROOT / "chapters/outline.yml").read_text(encoding="utf-8"))
PARTS = {chapter["stem"]: part["part"] for part in OUTLINE for chapter in part["chapters"]}
NO_METHODS = {
    "GaussianDensity": "the density that a Bayes classifier is given: a part of a method",
    "GridSearchCV": "chooses the dials of a method, and is none",
    "MarginalLikelihood": "a value; its fit is a term of it",
}
NAMED = [(method, name) for method in BOOK["methods"] for name in method.get("classes", [])]
TOLD = {
    "trees in a forest",
    "training instances",
}  # rows of the directions that are no dial of an estimator, or several


def module_of(method):
    return importlib.import_module(f"notes_lib.{PARTS[method['chapter']]}.{method['chapter']}")


def estimators():
    """Public classes of all chapters that can be fitted, with their chapters."""
    for stem, part in PARTS.items():
        module = importlib.import_module(f"notes_lib.{part}.{stem}")
        for name in getattr(module, "__all__", dir(module)):
            found = getattr(module, name)
            own = inspect.isclass(found) and found.__module__.startswith(f"notes_lib.{part}.{stem}")
            if own and not name.startswith("_") and (hasattr(found, "fit") or hasattr(found, "partial_fit")):
                yield stem, name


def parameters(method):
    """The names that its classes and functions take, and those of another row's classes that it is a setting of."""
    names = [*method.get("classes", []), *method.get("functions", [])]
    found = [getattr(module_of(method), name) for name in names]
    others = {name: getattr(module_of(other), name) for other, name in NAMED}
    found += [others[name] for name in method.get("also", [])]
    return {parameter for each in found for parameter in inspect.signature(each).parameters}


def test_each_estimator_stands_in_one_row():
    counts = Counter((method["chapter"], name) for method, name in NAMED)
    assert set(counts.values()) == {1}
    assert {name for _, name in set(estimators()) - set(counts)} == set(NO_METHODS)
    assert set(counts) <= set(estimators())


@pytest.mark.parametrize("method", BOOK["methods"], ids=lambda method: method["name"])
def test_a_row_names_what_is_there(method):
    assert method.get("classes") or method.get("functions")
    for name in method.get("functions", []):
        assert callable(getattr(module_of(method), name))
    names = [dial["name"] for dial in method["dials"]]
    assert set(names) <= parameters(method)
    assert len(set(names)) == len(names)
    for dial in method["dials"]:
        assert ("effect" in dial) != ({"bias", "variance"} <= set(dial))
        assert set(dial) <= {"name", "effect", "bias", "variance", "row", "inverse", "picture"}
    assert set(method["tasks"]) <= set(BOOK["tasks"])
    assert method["reads"] in method_table.READS


def test_names_of_methods_are_told_apart():
    names = [method["name"] for method in BOOK["methods"]]
    assert len(set(names)) == len(names) > 80
    stems = [method["chapter"] for method in BOOK["methods"]]
    assert stems == sorted(stems, key=list(PARTS).index)


TURNED = [(method, dial) for method in BOOK["methods"] for dial in method["dials"] if "row" in dial]


@pytest.mark.parametrize(
    ("method", "dial"), TURNED, ids=lambda each: each["name"].replace(" ", "-") if isinstance(each, dict) else each
)
def test_dials_turn_as_the_table_of_directions_says(method, dial):
    (arrows,) = [arrows for name, arrows in directions().items() if name.startswith(dial["row"])]
    turn = -1 if dial.get("inverse") else 1
    for word, arrow in zip((dial["bias"], dial["variance"]), arrows, strict=True):
        mine = ARROWS[method_table.TURNS[word]]
        assert mine == (arrow and turn * arrow), dial["name"]


def test_every_direction_is_the_dial_of_a_method():
    told = {name for name in directions() for _, dial in TURNED if name.startswith(dial["row"])}
    assert {name.partition(",")[0] for name in set(directions()) - told} == {"training instances $N$"}


def power_of(letter, text):
    """The highest power of a letter in a cost."""

    def power(node):
        match node:
            case ast.Name(id=name):
                return name == letter
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=value)):
                return value * power(left)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return power(left) + power(right)
            case ast.BinOp(left=left, right=right):
                return max(power(left), power(right))
            case ast.Call(func=ast.Name(id="min"), args=arguments):
                return min(map(power, arguments))
        return 0

    return power(ast.parse(text, mode="eval").body)


TIMES = re.compile(r"O\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
A_STEP_EACH = "the docstring gives the cost of a step, and there are at least as many steps as instances"
OTHERWISE = {
    "SVC": A_STEP_EACH,
    "SVR": A_STEP_EACH,
    "OneClassSVM": A_STEP_EACH,
    "PCA": "the docstring gives three ways, the table the one by the covariance matrix",
    "IsolationForest": "the docstring counts the instances to score, the table is for one of them",
    "LocallyLinearEmbedding": "the docstring leaves out the eigenvectors, which a sparse solver finds",
}


@pytest.mark.parametrize(("method", "name"), NAMED, ids=lambda each: each if isinstance(each, str) else "")
def test_costs_grow_with_the_instances_as_the_docstring_says(method, name):
    """What an estimator says of its own time and memory, written elsewhere and for another reader."""
    told = TIMES.findall(inspect.getdoc(getattr(module_of(method), name)))
    powers = [
        max(map(int, re.findall(r"\bn(?:_users)?\^(\d)", text)), default=1)
        for text in told
        if re.search(r"\bn\b|\bn_users", text)
    ]
    if powers:
        costs = [method.get(key, "1") for key in ("fit", "predict", "memory")]
        assert (max(power_of("N", cost) for cost in costs) == max(powers)) == (name not in OTHERWISE)


def test_letters_are_all_used():
    used = {
        node.id
        for method in BOOK["methods"]
        for key in ("fit", "predict", "memory")
        for node in ast.walk(ast.parse(method.get(key, "1")))
        if isinstance(node, ast.Name)
    }
    assert used - set(method_table.FUNCTIONS) == set(BOOK["letters"])


@pytest.mark.parametrize("tree", BOOK["trees"], ids=lambda tree: tree["task"])
def test_leaves_of_the_trees_are_chapters_and_questions_questions(tree):
    lines = list(method_table.rows(tree["tree"]))
    leaves = [line for line in lines if line.chapter]
    assert {line.chapter for line in leaves} <= set(PARTS)
    assert len(lines) == 2 * len(leaves) - 1  # each question has two answers
    assert all(line.text.endswith("?") for line in lines if not line.chapter)
    assert {line.answer for line in lines[1:]} == {"yes", "no"}
    methods = {method["chapter"] for method in BOOK["methods"]}
    assert {line.chapter for line in leaves} <= methods


METHODS = """
letters: {N: {means: instances, typical: 100}, K: {means: clusters, typical: 3}}
tasks: {cluster: Clustering, reduce: Reduction}
methods:
- {name: Centres, chapter: kmeans, tasks: [cluster], classes: [KMeans], assumes: round, objective: distance,
   optimiser: Lloyd, fit: "N*(K + 1)", predict: "sqrt(K)", memory: "N**2", fails: long, reads: 4,
   dials: [{name: n_clusters, bias: down, variance: up}, {name: n_init, effect: better}]}
- {name: Bells, chapter: gmm, tasks: [cluster, reduce], classes: [GaussianMixture], assumes: bells,
   objective: likelihood, optimiser: EM, fit: "N*log(N)", memory: "N", dials: [], fails: collapse, reads: 2}
- {name: Chains, chapter: hmm, tasks: [reduce], functions: [viterbi], assumes: a chain, objective: likelihood,
   optimiser: EM, fit: "N**3", predict: "K", memory: "max(N, K)/2", dials: [], fails: memory, reads: 3}
trees:
- {task: Groups, tree: ["Round?", [yes, k-means, kmeans], [no, "Soft & wide?", [yes, Mixture, gmm], [no, Chain, hmm]]]}
"""


@pytest.fixture(scope="module")
def book(shared_book):
    pages = ("chapters/clustering/kmeans", "chapters/clustering/gmm", "methods", "plain")
    book = shared_book(("katex_math", "chapter_role", "revision_pages", "method_table"), pages)
    for name in ("chance.js", "revision.js", "revision.css", "methods.js", "methods.css", "book.css"):
        shutil.copyfile(STATIC / name, book.root / "static" / name)
    for stem in ("kmeans", "gmm"):
        book.write(f"chapters/clustering/{stem}.md", f"# {stem}\n\nText.\n")
    book.write("methods.yml", METHODS)
    book.write("methods.md", "# Methods\n\n:::{method-trees} methods.yml\n:::\n\n:::{method-table} methods.yml\n:::\n")
    book.write("plain.md", "# Plain\n")
    return book.build()


def test_a_method_is_a_body_of_the_table(book, text_of):
    assert book.warnings == ""
    table = book.soup("methods").select_one("table.method-table")
    assert text_of(table.select_one("caption")) == "3 methods"
    assert [text_of(cell) for cell in table.select("thead th")] == list(method_table.COLUMNS)
    body = table.select("tbody")[0]
    assert body.select_one("th a")["href"] == "chapters/clustering/kmeans.html"
    facts = [text_of(cell).replace("\N{NARROW NO-BREAK SPACE}", "") for cell in body.select(".method-facts td")]
    assert facts[0] == "Task Clustering"
    assert "N(K+1)" in facts[1].replace(" ", "")
    assert facts[4] == "Readable well"
    assert body.select_one("sup").get_text() == "2"
    dials = dict(zip(map(text_of, body.select("dt")), map(text_of, body.select("dd")), strict=True))["As it grows"]
    assert dials.replace(" :", ":") == "n_clusters: bias ↓, variance ↑; n_init: better"
    assert (body["data-fit"], body["data-memory"]) == ("400", "1e+04")
    assert "data-predict" not in table.select("tbody")[1].attrs
    assert table.select_one(".chapter-planned").get_text() == "Chains"


def test_what_the_letters_mean_stands_above(book, text_of):
    assert text_of(book.soup("methods").select_one(".method-letters")) == "N instances · K clusters"


def test_leaves_lead_to_written_chapters(book):
    drawing = book.soup("methods").select_one("figure.method-tree")
    assert drawing.select_one("figcaption")["id"] == drawing["aria-labelledby"]
    links = {link.get_text(): link["href"] for link in drawing.select("a")}
    assert links == {"k-means": "chapters/clustering/kmeans.html", "Mixture": "chapters/clustering/gmm.html"}
    lines = [line.get_text() for line in drawing.select("text")]
    assert lines == ["Round?", "yes k-means", "no Soft & wide?", "yes Mixture", "no Chain"]
    assert len(drawing.select("path")) == 4


def test_the_script_is_loaded_where_a_table_is(book):
    assert "methods.js" in book.page("methods")
    assert "methods.js" not in book.page("plain")
    assert "methods.css" not in book.page("plain")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("reads: 4,", "reads: 4, colour: red,", "a method needs"),
        ("fails: long, ", "", "a method needs"),
        ("N*(K + 1)", "N*(Q + 1)", "Centres: unknown KeyError('Q')"),
        ("N*(K + 1)", "N - K", "Centres: unknown SyntaxError"),
        ("tasks: [cluster], classes: [KMeans]", "tasks: [tidy], classes: [KMeans]", "Centres: unknown tidy"),
        ("letters:", "signs:", "needs letters, tasks, methods and trees"),
        ("Chain, hmm", "Chain, rope", "a leaf leads to 'rope', which is no chapter"),
    ],
)
def test_what_cannot_be_used_is_a_warning(new_book, old, new, complaint):
    book = new_book(("katex_math", "chapter_role", "method_table"), ("methods",))
    assert old in METHODS
    book.write("methods.yml", METHODS.replace(old, new))
    book.write("methods.md", "# Methods\n\n:::{method-trees} methods.yml\n:::\n\n:::{method-table} methods.yml\n:::\n")
    book.build()
    assert complaint in book.warnings


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("N*D**2 + D**3", "N D2 + D3"),
        ("T*(N + D)*M", "T (N + D) M"),
        ("N*D*log(N)", "N D log N"),
        ("B*sqrt(D)", "B √D"),
        ("K*min(N, D)", "K min (N, D)"),
        ("1", "1"),
        ("B*256", "B 256"),
    ],
)
def test_costs_as_they_are_read(text, read):
    shown = "".join(part.astext() for part in method_table.formula(text))
    assert re.sub(r"[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]", " ", shown) == read


def test_what_a_cost_is_worth():
    letters = {"N": {"typical": 100}, "D": {"typical": 4}}
    assert method_table.size("N*D**2 + sqrt(D)*min(N, D) + N/D", letters) == 100 * 16 + 2 * 4 + 25


def names(page):
    return page.evaluate(
        "[...document.querySelectorAll('.method')].filter((e) => e.checkVisibility())"
        ".map((e) => e.querySelector('th').textContent)"
    )


@pytest.mark.browser
@pytest.mark.xdist_group("revision")
class TestInABrowser:
    def test_a_column_sorts_and_turns_round(self, tab):
        page, base = tab
        page.goto(base + "methods.html")
        assert names(page) == ["Centres", "Bells", "Chains"]
        page.get_by_role("button", name="Cost to fit").click()
        assert names(page) == ["Centres", "Bells", "Chains"]
        head = page.get_by_role("columnheader", name="Cost to fit")
        assert head.get_attribute("aria-sort") == "ascending"
        page.get_by_role("button", name="Cost to fit").press("Enter")
        assert names(page) == ["Chains", "Bells", "Centres"]
        assert head.get_attribute("aria-sort") == "descending"
        page.get_by_role("button", name="Cost to predict").click()
        assert names(page) == ["Centres", "Chains", "Bells"]  # nothing is predicted: last
        assert head.get_attribute("aria-sort") is None
        page.get_by_role("button", name="Readable").click()
        assert names(page) == ["Centres", "Chains", "Bells"]
        page.get_by_label("Order").select_option("method")
        assert names(page) == ["Bells", "Centres", "Chains"]
        page.get_by_label("Order").select_option("order of the book")
        assert names(page) == ["Centres", "Bells", "Chains"]

    def test_a_task_and_a_word_filter_together(self, tab):
        page, base = tab
        page.goto(base + "methods.html")
        page.get_by_label("Task").select_option("Reduction")
        assert names(page) == ["Bells", "Chains"]
        assert page.locator(".method-controls .filter-status").inner_text() == "2 methods"
        page.get_by_label("Filter").fill("likelihood bells")
        assert names(page) == ["Bells"]
        page.get_by_label("Task").select_option("Clustering")
        page.get_by_label("Filter").fill("")
        assert names(page) == ["Centres", "Bells"]
        page.get_by_label("Task").select_option("all tasks")
        assert names(page) == ["Centres", "Bells", "Chains"]

    def test_on_a_phone_a_method_is_a_card(self, tab):
        page, base = tab
        page.set_viewport_size({"width": 390, "height": 700})
        page.goto(base + "methods.html")
        assert page.locator(".method-label").first.is_visible()
        assert page.locator(".method-table").evaluate("e => e.getBoundingClientRect().right") <= 390
        assert page.locator(".method-tree svg").evaluate("e => e.getBoundingClientRect().right") <= 390
        page.set_viewport_size({"width": 1000, "height": 700})
        assert not page.locator(".method-label").first.is_visible()
