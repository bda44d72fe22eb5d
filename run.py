"""Everything this project does, with nothing but Python 3.11, 3.12 or 3.13.

    python3 run.py book         build the book and serve it on http://localhost:8000
                                (--no-serve: build only; --port N: another port)
    python3 run.py test         lint, library tests, doctests, and every notebook against its stored outputs
                                (test svm: all that belongs to that chapter; test --seeds 200: more seeds for
                                the drills; test --old-processor: notebooks as on an older processor; paths and
                                options go to pytest: test tests/clustering -k kmeans)
    python3 run.py page svm     build the page of one chapter alone and serve it (--no-serve: build only)
    python3 run.py notebooks    execute the notebooks again and store their outputs (names after it: only those)
    python3 run.py lab          open a copy of the chapters in JupyterLab; what you change there stays there
    python3 run.py site-check   check the built book in Chromium: every page at a glance, changed ones in every way
                                (--all: every page in every way; --all --record: and store that all are sound)
    python3 run.py bench        time the library against its peers
    python3 run.py reading      what a reader sees of each chapter: words, formulas, pictures, tables, printed numbers
                                (names after it: only those)
    python3 run.py peers        run scikit-learn's and hmmlearn's own tests on the library: which pass, and why not
                                (names after it: only those parts, as in peers svm mixture; all take an hour or more)
    python3 run.py mutate       change a notebook, module or drills a little, many times: what does nothing notice?
                                (mutate formulas svm: the formulas of that chapter; mutate solutions svm: the numbers
                                of its exercises and cards; mutate quiz svm: what its quiz marks right; mutate
                                quiz-words svm: the words of the quiz)
    python3 run.py sheet        print the formula sheet to _build/formula_sheet.pdf with Chromium
    python3 run.py paper        write an exam paper and its mark scheme to _build/papers (--minutes 90, --seed 3,
                                --topics svm-dual,viterbi, --format long|calculations|choice|answers, --no-pdf)
    python3 run.py worksheet svm  write a worksheet of a chapter's drills with room for the work to _build/worksheets
                                (--seed 3: another sheet; --no-pdf)
    python3 run.py pdf svm      bind a chapter of the built book as _build/pdf/svm.pdf with Chromium
                                (pdf clustering: that part; pdf: the whole book)

The first call creates .venv and installs what is needed there (about 520 MB); later calls start at once.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
HTML = ROOT / "_build" / "html"
PAGE = ROOT / "_build" / "page"
LAB = ROOT / "_build" / "lab"
SUPPORTED = ((3, 11), (3, 12), (3, 13))
REQUIREMENTS = ("requirements.txt", "constraints.txt", "pyproject.toml")
BOOK_SOURCES = (
    "_config.yml",
    "_toc.yml",
    "references.bib",
    "_ext",
    "static",
    "chapters",
    "notes_lib",
    "tests",
    "benchmarks",
)
# what Sphinx cannot follow to the pages that show it: when it changes, the book is built from nothing
BOOK_FRAME = ("_config.yml", "_toc.yml", "chapters/outline.yml", "references.bib", "_ext", "static", *REQUIREMENTS)
EXECUTED = {  # what is said about the text of a chapter, and the tests that execute it
    "tests/formulas/instances": "tests/formulas/test_formulas.py::test_every_formula_is_true_or_listed_as_unread",
    "tests/solutions": "tests/solutions/test_solutions.py::test_every_number_is_accounted_for",
}
PYTHON_VERSION = ".".join(map(str, sys.version_info[:2]))
NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeout|Max retries|name resolution|Network is unreachable|ProxyError"
)


def environment() -> dict[str, str]:
    """Variables of every command that is run."""
    env = dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")
    # one thread for linear algebra: the tests already use every core, and small products only get slower with more
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        env.setdefault(name, "1")
    if sys.version_info >= (3, 12):  # lines are counted by the interpreter itself, at no cost
        env.setdefault("COVERAGE_CORE", "sysmon")
    # where Python is told to keep no compiled modules, each kernel compiles 1,500 of them: 5 s a notebook
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def call(*command: object) -> int:
    """Run a command of the environment in the project's folder; returns its exit status."""
    try:
        return subprocess.call([str(word) for word in command], cwd=ROOT, env=environment())
    except KeyboardInterrupt:
        return 130


def digest(paths: list[Path], *more: str) -> str:
    """Hash of the names and contents of files."""
    total = hashlib.sha256("\n".join(more).encode())
    for path in sorted(paths):
        total.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()


def set_up(extra: str = "") -> None:
    """Create the environment and install the requirements, unless that was done for these very files."""
    if sys.version_info[:2] not in SUPPORTED:
        needed = "Python 3.11, 3.12 or 3.13 is needed"
        sys.exit(f"{needed} and this is {PYTHON_VERSION}: call one of them by name, as in python3.12 run.py book")
    want = digest([ROOT / name for name in REQUIREMENTS], PYTHON_VERSION)
    stamp = VENV / f"installed-{extra or 'base'}.sha256"
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == want:
        return
    if not extra:
        create_environment()
    what = f"the extra '{extra}'" if extra else "the requirements (once; a minute or two)"
    print(f"installing {what}", flush=True)
    install(["-e", f".[{extra}]", "-c", "constraints.txt"] if extra else ["-r", "requirements.txt"])
    stamp.write_text(want)


def create_environment() -> None:
    """Make .venv with this Python; one made by another version is replaced."""
    made_by = VENV / "pyvenv.cfg"
    same = made_by.exists() and re.search(rf"version\s*=\s*{re.escape(PYTHON_VERSION)}\.", made_by.read_text())
    if PYTHON.exists() and same:
        return
    print(f"creating {VENV.name} with Python {sys.version.split()[0]}", flush=True)
    remedy = "Python's venv module is missing or incomplete: on Debian or Ubuntu, sudo apt install python3-venv"
    try:
        import venv
    except ImportError:
        sys.exit(remedy)
    try:
        venv.create(VENV, with_pip=True, clear=True)
    except subprocess.CalledProcessError:
        sys.exit(remedy)
    except OSError as error:
        sys.exit(
            f"{VENV} cannot be written ({error.strerror}): copy the project to a folder of your own and run this there"
        )


def install(arguments: list[str]) -> None:
    """Run pip with a counter for progress; a failure ends the program with one sentence.

    Packages are compiled when they are first imported: most of their modules never are.
    """
    options = ["--disable-pip-version-check", "--progress-bar", "off", "--no-compile"]
    command = [str(PYTHON), "-m", "pip", "install", *options, *arguments]
    log, count = [], 0
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in pip.stdout or ():
            log.append(line)
            count += line.startswith("Collecting")
            if sys.stdout.isatty():
                print(f"\r  {count} packages", end="", flush=True)
    if sys.stdout.isatty():
        print()
    if pip.returncode:
        text = "".join(log)
        print("".join(line for line in log if line.startswith("ERROR"))[-2000:] or text[-2000:], file=sys.stderr)
        if NO_NETWORK.search(text):
            sys.exit(
                "no package index could be reached: connect to the network for this first run; later runs work offline"
            )
        if "No space left" in text:
            sys.exit("the disk is full: free about 1 GB and run this again")
        sys.exit(
            "pip could not install the requirements (its message is above): delete the folder .venv and run this again"
        )


def files_in(names: Iterable[str]) -> list[Path]:
    """The files of that name and below the folders of that name; what tools leave behind does not count."""
    found = [path for name in names for path in [ROOT / name, *(ROOT / name).rglob("*")] if path.is_file()]
    return [path for path in found if not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)]


def build_book() -> int:
    """Build the site when its sources changed since the last good build; every page of _toc.yml must come out.

    Only pages that changed are built. All are when the frame of the book has changed, and after a build that failed:
    its warnings would not come again from pages that are not read again.
    """
    frame = digest(files_in(BOOK_FRAME), PYTHON_VERSION)
    want, stamp = [frame, digest(files_in(BOOK_SOURCES), frame)], HTML.parent / "built.sha256"
    last = stamp.read_text().split() if stamp.exists() else []
    if last == want:
        print("the book is up to date", flush=True)
        return 0
    stamp.unlink(missing_ok=True)
    if last[:1] != [frame]:
        for folder in (HTML, HTML.parent / ".doctrees"):
            shutil.rmtree(folder, ignore_errors=True)
    print("building the book", flush=True)
    start = time.monotonic()
    status = call(BIN / "jupyter-book", "build", ".", "-W", "-n", "--keep-going", "-q")
    if status:
        print("the book has warnings (above); a page may be wrong, so this counts as a failure", file=sys.stderr)
        return status
    pages = re.findall(r"^\s*(?:- file|root):\s*(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"), re.M)
    missing = [page for page in pages if not (HTML / f"{page}.html").exists()]
    if missing:
        print(f"_toc.yml lists pages that were not built: {', '.join(missing)}", file=sys.stderr)
        return 1
    stamp.write_text("\n".join(want))
    print(f"{len(pages)} pages in {time.monotonic() - start:.0f} s: {HTML / 'index.html'}", flush=True)
    return 0


def quiet_handler() -> type:
    """What answers the requests: it says nothing on the terminal, and has the book's page for what is not there."""
    from http.server import SimpleHTTPRequestHandler

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
            page = Path(self.directory, "404.html")
            if code != 404 or not page.is_file():
                return super().send_error(code, message, explain)
            body = page.read_bytes()
            self.send_response(404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
            return None

    return Quiet


def serve(port: int, folder: Path | None = None, page: str = "") -> int:
    """Serve the built book, or another folder, to this machine until Ctrl+C."""
    from functools import partial
    from http.server import ThreadingHTTPServer

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(quiet_handler(), directory=str(folder or HTML)))
    except OSError:
        print(f"port {port} is taken: choose another one, as in python3 run.py book --port {port + 1}", file=sys.stderr)
        return 1
    print(f"read the {'page' if page else 'book'} at http://localhost:{port}/{page}  (Ctrl+C stops)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


def chosen_port(words: list[str]) -> int:
    """The number after ``--port``, 8000 without one; 0 and a sentence if it is no port."""
    if "--port" not in words:
        return 8000
    number = words[words.index("--port") + 1 : words.index("--port") + 2]
    if not number or not number[0].isdigit() or not 0 < int(number[0]) < 65536:
        print("--port takes a number from 1 to 65535", file=sys.stderr)
        return 0
    return int(number[0])


def book(words: list[str]) -> int:
    """Verb ``book``."""
    port = chosen_port(words)
    if not port:
        return 2
    return build_book() or (0 if "--no-serve" in words else serve(port))


def nearest(word: str, names: list[str]) -> str:
    """The names that look like a word, for a sentence; all of them when none does."""
    return ", ".join(difflib.get_close_matches(word, names, n=3) or names)


def page(words: list[str]) -> int:
    """Verb ``page``: the page of one chapter alone."""
    found = {path.stem: path.relative_to(ROOT) for path in sorted((ROOT / "chapters").glob("*/*.ipynb"))}
    stem, port = (words or [""])[0], chosen_port(words)
    if stem not in found:
        print(f"no chapter is called {stem!r}; there is {nearest(stem, list(found))}", file=sys.stderr)
    if stem not in found or not port:
        return 2
    start = time.monotonic()
    if build_page(found[stem]):
        return 1
    name, html = found[stem].with_suffix(".html").as_posix(), PAGE / "_build" / "html"
    print(f"{time.monotonic() - start:.0f} s: {html / name}", flush=True)
    return 0 if "--no-serve" in words else serve(port, html, name)


def build_page(notebook: Path) -> int:
    """Build a book of one chapter and the bibliography; labels of other pages stay unresolved in it."""
    PAGE.mkdir(parents=True, exist_ok=True)
    toc = PAGE / "_toc.yml"
    root = notebook.with_suffix("").as_posix()
    toc.write_text(f"format: jb-book\nroot: {root}\nchapters:\n- file: chapters/appendix/bibliography\n")
    print(f"building {notebook}", flush=True)
    command = [BIN / "jupyter-book", "build", ".", "--toc", toc, "--path-output", PAGE, "--all", "-n", "-q"]
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    log = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)  # its colours
    faults = own_faults(log, notebook)
    if done.returncode or faults:
        print("\n".join(faults) or log, file=sys.stderr)
        return 1
    return 0


def own_faults(log: str, notebook: Path) -> list[str]:
    """The warnings of a small build about its page or a label of its page, not those about labels of other pages."""
    label = re.compile(r"(?:undefined label|equation not found|names the equation|target not found)\W+([\w-]+)")
    own = re.compile(rf"(?:(?:fig|thm|alg|def|lem)-)?{notebook.stem.replace('_', '-')}-")
    warnings = [line for line in log.splitlines() if re.search(r"\b(WARNING|ERROR|CRITICAL)\b", line)]
    faults = []
    for line in warnings:
        found = label.search(line)
        if own.match(found[1]) and not on_another_page(found[1], notebook) if found else notebook.as_posix() in line:
            faults.append(line)
    return faults


def on_another_page(label: str, notebook: Path) -> bool:
    """Whether another page than ``notebook`` sets this label, as the page on speed does for each chapter."""
    mark = re.compile(rf"\({label}\)=|:(?:label|name): {label}(?![\w-])|\$\$ \({label}\)")
    pages = [path for path in (ROOT / "chapters").rglob("*") if path.suffix in (".md", ".ipynb")]
    return any(mark.search(path.read_text(encoding="utf-8")) for path in pages if path != ROOT / notebook)


def targets(words: list[str]) -> list[str] | None:
    """What pytest is told; None, and a sentence, when a word is neither a name nor a path.

    The words before the first option are names or paths. A name is the stem of a test file, so that every chapter has
    one; it stands for everything of that name: tests, doctests, drills and notebook. The rest is left as it is.
    """
    first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
    names = sorted({path.stem.removeprefix("test_") for path in (ROOT / "tests").rglob("test_*.py")})
    told: list[str] = []
    for word in words[:first]:
        if word in names:
            told += everything_of(word)
        elif (ROOT / word.split("::")[0]).exists():
            told.append(word)
        else:
            print(f"{word!r} is no chapter, test or path; there is {nearest(word, names)}", file=sys.stderr)
            return None
    for option, meant in (("--seeds", "tests/drills"), ("--old-processor", "chapters")):
        if not told and option in words:
            told = [meant]
    return told + words[first:]


def everything_of(stem: str) -> list[str]:
    """Paths of the tests, modules with doctests and notebooks of one name, and the tests that execute its text."""
    rooms = [f"{room}{stem}{end}" for room in ("", "*/", "drills/*/") for end in (".py", "/")]
    patterns = [f"tests/**/test_{stem}.py", *(f"notes_lib/{room}" for room in rooms), f"chapters/*/{stem}.ipynb"]
    found = [path.relative_to(ROOT).as_posix() for pattern in patterns for path in sorted(ROOT.glob(pattern))]
    return found + [f"{test}[{stem}]" for at, test in EXECUTED.items() for _ in ROOT.glob(f"{at}/*/{stem}.py")]


def coverage() -> list[str]:
    """Coverage is measured where it costs nothing, from Python 3.12 on, and in CI."""
    wanted = sys.version_info >= (3, 12) or os.environ.get("CI")
    return ["--cov", "--cov-report=term:skip-covered", "--cov-fail-under=100"] if wanted else []


def test(words: list[str]) -> int:
    """Verb ``test``: everything, or what pytest is told by ``words``."""
    pytest = [PYTHON, "-m", "pytest", "-q"]
    if words:
        told = targets(words)
        return 2 if told is None else call(*pytest, *told)
    parallel = ["-n", "auto", "--dist", "loadscope"]
    in_order = "--no-loadscope-reorder"  # small files come last, so that no process is left alone with a long one
    stages = [
        ("lint", [BIN / "ruff", "check", "."]),
        ("format", [BIN / "ruff", "format", "--check", "-q", "."]),
        ("types", [PYTHON, "-m", "mypy"]),
        ("notebooks in canonical form", [PYTHON, "tools/notebooks.py", "lint"]),
        ("library and site tests", [*pytest, *parallel, in_order, "tests", "notes_lib", *coverage()]),
        ("every notebook against its stored outputs", [*pytest, *parallel, "chapters"]),
    ]
    failed = []
    for name, command in stages:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        if call(*command):
            failed.append(name)
        print(f"   {time.monotonic() - start:.0f} s", flush=True)
    print("failed: " + ", ".join(failed) if failed else "all tests passed", flush=True)
    return 1 if failed else 0


def site_check(words: list[str]) -> int:
    """Verb ``site-check``: browser checks of the built book, and the tests of the checks themselves."""
    set_up("browser")
    own = call(PYTHON, "-m", "tools.site_check.own_tests", *words)
    if own and "--record" in words:
        print("nothing is recorded while the checks fail their own tests (above)", file=sys.stderr)
        return own
    return build_book() or call(PYTHON, "-m", "tools.site_check", HTML, *words) or own


def sheet(words: list[str]) -> int:
    """Verb ``sheet``."""
    set_up("browser")
    return build_book() or call(
        PYTHON, "-m", "tools.print_page", "chapters/revision/formula_sheet", "_build/formula_sheet.pdf", *words
    )


def paper(words: list[str]) -> int:
    """Verb ``paper``."""
    if "--no-pdf" not in words:
        set_up("browser")
    return call(PYTHON, "-m", "tools.paper", *words)


def worksheet(words: list[str]) -> int:
    """Verb ``worksheet``."""
    if "--no-pdf" not in words:
        set_up("browser")
    return call(PYTHON, "-m", "tools.worksheet", *words)


def pdf(words: list[str]) -> int:
    """Verb ``pdf``: of the book as it was built; it says what to do if there is none."""
    set_up("browser")
    return call(PYTHON, "-m", "tools.book_pdf", *words)


def bench(words: list[str]) -> int:
    """Verb ``bench``."""
    set_up("bench")
    return call(PYTHON, "-m", "benchmarks", *words)


def lab(words: list[str]) -> int:
    """Verb ``lab``: a scratch copy of the chapters, so that running and saving leaves the book alone."""
    set_up("lab")
    return call(PYTHON, "-m", "tools.lab_copy", LAB) or call(PYTHON, "-m", "jupyter", "lab", LAB, *words)


def peers(words: list[str]) -> int:
    """Verb ``peers``."""
    return call(PYTHON, "-m", "tools.peers", *words)


def mutate(words: list[str]) -> int:
    """Verb ``mutate``."""
    return call(PYTHON, "-m", "tools.mutate", *words)


def reading(words: list[str]) -> int:
    """Verb ``reading``."""
    return call(PYTHON, "-m", "tools.reading", *words)


def notebooks(words: list[str]) -> int:
    """Verb ``notebooks``."""
    return call(PYTHON, "tools/notebooks.py", "run", *words)


VERBS = {
    "book": book,
    "test": test,
    "page": page,
    "notebooks": notebooks,
    "lab": lab,
    "site-check": site_check,
    "bench": bench,
    "reading": reading,
    "mutate": mutate,
    "peers": peers,
    "sheet": sheet,
    "paper": paper,
    "worksheet": worksheet,
    "pdf": pdf,
}

EXECUTE_CHAPTERS = {"test", "notebooks", "lab"}  # one of them starts a cluster, which is Dask's


def main(argv: list[str]) -> int:
    """Run one verb; returns the exit status."""
    verb, words = (argv or ["help"])[0], argv[1:]
    if verb not in VERBS:
        print(__doc__.strip())
        return 0 if verb in ("help", "-h", "--help") else 2
    set_up()
    if verb in EXECUTE_CHAPTERS:
        set_up("dask")
    return VERBS[verb](words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
