"""The rules of the tree: one stem in three places, imports that point one way, prerequisites without a circle."""

import ast
import json
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
OUTLINE = yaml.safe_load((ROOT / "chapters/outline.yml").read_text(encoding="utf-8"))
NO_MODULE = {"appendix", "revision"}  # pages that explain or collect, with no algorithm of their own
SHARED = {"checks", "numerics", "datasets"}  # rooms that an algorithm may use
NOT_FOR_ALGORITHMS = {"plotting", "display", "listing", "drills"}
TREES = ("notes_lib", "notes_lib/drills", "tests", "tests/drills")  # each with one folder a part, one entry a chapter


def toc_files(node=TOC):
    """Every page of _toc.yml, in order."""
    if isinstance(node, list):
        return [f for item in node for f in toc_files(item)]
    own = [node[key] for key in ("root", "file") if key in node]
    return own + [f for key in ("parts", "chapters", "sections") for f in toc_files(node.get(key, []))]


def entries(folder):
    """Names of what a folder holds, without what Python and Jupyter leave there."""
    return {p.name for p in folder.iterdir() if p.name != "__init__.py" and not p.name.startswith(("__pycache__", "."))}


def files_of(stem):
    """The files of a chapter's module or package."""
    module = ROOT / "notes_lib" / f"{stem}.py"
    return [module] if module.exists() else sorted((ROOT / "notes_lib" / stem).glob("*.py"))


CHAPTERS = [f.removeprefix("chapters/") for f in toc_files() if (ROOT / f"{f}.ipynb").exists()]
MODULES = [c for c in CHAPTERS if Path(c).parts[0] not in NO_MODULE]
PARTS = sorted({Path(c).parts[0] for c in MODULES})
NOTEBOOKS = sorted((ROOT / "chapters").glob("[!.]*/[!.]*.ipynb"))


def test_toc_lists_every_page_once():
    files = toc_files()
    pages = {
        str(p.relative_to(ROOT).with_suffix(""))
        for p in (ROOT / "chapters").rglob("*")
        if p.suffix in (".md", ".ipynb")
    }
    assert sorted(files) == sorted(pages)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("tree", TREES)
def test_a_folder_of_a_part_lists_its_chapters_and_nothing_else(tree, part):
    stems = {Path(c).name for c in MODULES if Path(c).parts[0] == part}
    prefix = "test_" if tree.startswith("tests") else ""
    names = entries(ROOT / tree / part)
    assert {name.removesuffix(".py") for name in names} == {prefix + stem for stem in stems}
    assert len(names) == len(stems)  # a module or a package, not both


def test_claims_stand_in_folders_of_parts():
    """Each file decides the quiz of one chapter, and every chapter has its file."""
    assert entries(ROOT / "tests/claims") == {*PARTS, "deciding.py", "items.py", "test_deciding.py"}
    for part in PARTS:
        stems = {f"test_{Path(c).name}.py" for c in MODULES if Path(c).parts[0] == part}
        assert entries(ROOT / "tests/claims" / part) == stems


def test_chapters_stand_in_folders_of_parts():
    for part in PARTS:
        assert entries(ROOT / "chapters" / part) == {f"{Path(c).name}.ipynb" for c in MODULES if c.startswith(part)}


def test_values_for_the_formulas_of_a_chapter_stand_in_the_folder_of_its_part():
    folder = ROOT / "tests/formulas/instances"
    assert entries(folder) <= set(PARTS)
    for part in entries(folder):
        stems = {f"{Path(c).name}.py" for c in MODULES if Path(c).parts[0] == part}
        assert set() < entries(folder / part) <= stems


def test_the_library_holds_parts_and_shared_rooms():
    rooms = {name if (ROOT / "notes_lib" / name).is_dir() else f"{name}.py" for name in SHARED | NOT_FOR_ALGORITHMS}
    assert entries(ROOT / "notes_lib") == {*PARTS, *rooms, "data"}
    shared = {"checking", "drawing", "entries", "expressions", "fields", "follow", "judge", "papers", "spelling"}
    shared |= {"terminal", "tex", "webpage", "worksheets", "__main__"}
    assert entries(ROOT / "notes_lib/drills") == {*PARTS, "revision", *(f"{name}.py" for name in shared)}


def test_drills_of_the_revision_belong_to_its_pages():
    """A page of the revision may have drills of its own; it is no chapter, and has no module."""
    stems = {name.removesuffix(".py") for name in entries(ROOT / "notes_lib/drills/revision")}
    assert set() < stems <= {path.stem for path in (ROOT / "chapters/revision").glob("*.md")}
    assert entries(ROOT / "tests/drills/revision") == {f"test_{stem}.py" for stem in stems}


def test_a_package_names_what_it_makes_public():
    for stem in MODULES:
        files = files_of(stem)
        assert not any(path.name.startswith("_") and path.name != "__init__.py" for path in files), stem
        if len(files) > 1:
            init = ast.parse((ROOT / "notes_lib" / stem / "__init__.py").read_text(encoding="utf-8"))
            kinds = {type(node) for node in init.body}
            assert kinds == {ast.Expr, ast.ImportFrom, ast.Assign}, f"{stem}/__init__.py holds code"


@pytest.mark.parametrize("folder", ["_ext", "tools"])
def test_a_prefix_that_files_share_is_a_folder(folder):
    names = [path.stem for path in (ROOT / folder).glob("*.py")]
    assert not any(name.startswith("_") for name in names)


def test_toc_follows_the_outline():
    planned = [f"{part['part']}/{chapter['stem']}" for part in OUTLINE for chapter in part["chapters"]]
    assert [c for c in CHAPTERS if c in planned] == sorted((c for c in CHAPTERS if c in planned), key=planned.index)


@cache
def imports_in(path):
    """The statements of a file that import something, wherever they stand."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(path):
    """Modules of notes_lib that a file imports, as dotted names below notes_lib."""
    found = set()
    for node in imports_in(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("notes_lib"):
            base = Path(*node.module.split(".")[1:])
            for alias in node.names:  # a module of a package, or a name in a module
                submodule = any(
                    (ROOT / "notes_lib" / base / name).exists() for name in (f"{alias.name}.py", alias.name)
                )
                found.add(".".join((base / alias.name if submodule else base).parts))
        elif isinstance(node, ast.Import):
            found |= {a.name.removeprefix("notes_lib.") for a in node.names if a.name.startswith("notes_lib.")}
    return found


@pytest.mark.parametrize("module", MODULES)
def test_algorithms_import_only_what_stands_before_them(module):
    position = CHAPTERS.index(module)
    for path in files_of(module):
        for name in imports(path):
            room = name.split(".")[0]
            assert room not in NOT_FOR_ALGORITHMS, f"{path.name} imports {name}"
            if room not in SHARED:
                chapter = "/".join(name.split(".")[:2])
                assert CHAPTERS.index(chapter) <= position, f"{module} imports the later chapter {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "notes_lib").rglob("*.py")), ids=lambda p: p.stem)
def test_no_borrowed_algorithm(path):
    """scikit-learn's plumbing is used, its estimators, metrics and solvers are not; matplotlib only in plotting."""
    allowed = {"base", "exceptions", "utils", "datasets"}
    for node in imports_in(path):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            room = [*name.split("."), ""][1]
            if name.startswith("sklearn"):
                assert room in allowed, f"{path.name} imports {name}"
            if name.startswith("scipy"):
                assert room not in {"optimize", "cluster", "stats", "ndimage"}, f"{path.name} imports {name}"
            if name.startswith("matplotlib"):
                assert {path.stem, path.parent.name} & {"plotting", "display"}, f"{path.name} imports {name}"


@cache
def book_of(path):
    """What a notebook says of its place in the book; its form is validated on the way."""
    return nbformat.read(path, 4).metadata["book"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_prerequisites_are_planned_chapters(path):
    planned = {chapter["stem"] for part in OUTLINE for chapter in part["chapters"]}
    book = book_of(path)
    assert set(book["prerequisites"]) <= planned
    tasks = {chapter["stem"]: chapter["task"] for part in OUTLINE for chapter in part["chapters"]}
    assert book["task"] == tasks[path.stem]


def test_prerequisites_have_no_circle():
    graph = {p.stem: book_of(p)["prerequisites"] for p in NOTEBOOKS}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    written = [Path(c).name for c in CHAPTERS]
    for stem, needs in graph.items():
        assert stem in order
        assert all(written.index(n) < written.index(stem) for n in needs if n in written), (
            f"{stem} needs a later chapter"
        )


@pytest.mark.parametrize(
    "path", [path for stem in MODULES for path in files_of(stem)], ids=lambda p: str(p.relative_to(ROOT))
)
def test_files_stay_small(path):
    text = path.read_text(encoding="utf-8")
    quiet = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            quiet |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = enumerate(text.splitlines(), 1)
    code = [line for k, line in lines if line.strip() and not line.strip().startswith("#") and k not in quiet]
    assert text.count("\n") <= 500
    assert len(code) <= 200, "make it a package: one file for each idea"


def test_requirements_are_pinned_alike():
    """Each pin of requirements.txt and pyproject.toml is the one in constraints.txt."""
    pin = re.compile(r"([A-Za-z0-9_.-]+)==([\w.]+)")
    fixed = {n.lower().replace("_", "-"): v for n, v in pin.findall((ROOT / "constraints.txt").read_text())}
    direct = pin.findall((ROOT / "requirements.txt").read_text() + (ROOT / "pyproject.toml").read_text())
    assert len(direct) > 15
    for name, version in direct:
        assert fixed[name.lower().replace("_", "-")] == version, name


@pytest.mark.parametrize("folder", ["tests", "tools", "_ext"])
def test_what_only_the_browser_checks_need_is_imported_late(folder):
    """The first stage of the tests reads every file of tests where neither a browser nor Anki is installed."""
    late = {"playwright", "anki", "axe_playwright_python"}
    for path in sorted((ROOT / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body if any(name in text for name in late) else ():  # to parse all takes long
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found = late & {name.partition(".")[0] for name in names}
            assert not found, f"{path.relative_to(ROOT)} imports {found} at once"


def test_no_file_names_a_path_of_one_machine():
    private = re.compile(r"/root/|/home/\w|/Users/\w")
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT).parts
        if path.suffix in {".py", ".md", ".ipynb", ".yml", ".toml", ".txt", ".css", ".bib", ".csv"} and not any(
            part.startswith((".venv", "_build", ".git")) or part.endswith(".egg-info") for part in inside
        ):
            text = path.read_text(encoding="utf-8")
            found = private.search(text) if path.name not in {"test_structure.py", "notebooks.py"} else None
            assert not found, f"{path.relative_to(ROOT)}: {found and found.group()}"


def test_notebooks_parse_as_json():
    for path in NOTEBOOKS:
        assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4
