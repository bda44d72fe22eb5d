"""The book on a device: what the build writes, and a browser whose server ends, fails half-way or has a new version."""

import contextlib
import json
import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import drill_scripts
import installed_site
import pytest
from PIL import Image

from notes_lib import drills
from tools.site_check.browser import browser, find_chromium
from tools.site_check.checked import fingerprint
from tools.site_check.pages import Site

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
WORKBOX = ("core", "precaching", "range-requests", "routing", "strategies")
EXTENSIONS = ("chapter_role", "exam_cards", "quiz", "trainer", "today", "search_index", "installed_site")
KMEANS = "# k-means\n\n![Centres](centres.png)\n\nCentres move to the mean.\n"
GMM = """# Gaussian mixtures

:::{must-know} Density
:label: gmm-must-know-density
A sum.
:::

:::{quiz} Which?
:label: gmm-quiz-1
- [x] this

  Yes.
- [ ] that

  No.
:::
"""
PAGES = {
    "chapters/clustering/kmeans": KMEANS,
    "chapters/clustering/gmm": GMM,
    "chapters/sequences/hmm": "# Hidden Markov models\n\nWeather is hidden.\n",
    "chapters/revision/errata/clustering": "# Errata of clustering\n\nNone.\n",
    "chapters/revision/today": "# Today\n\n:::{today}\nNeeds a script.\n:::\n",
    "chapters/revision/trainer": "# Trainer\n\n:::{trainer} viterbi\n:::\n",
    "chapters/appendix/keep": "# Keep the book\n\n:::{keep-parts}\nNeeds a server.\n:::\n",
}
HMM, CLUSTERING, KEEP = "chapters/sequences/hmm.html", "chapters/clustering/kmeans.html", "chapters/appendix/keep.html"


@pytest.fixture(scope="module")
def book(shared_book):
    """A small book with a trainer, a page Today, a search and two parts; its drills have two seeds."""
    book = shared_book(EXTENSIONS, [*PAGES], html_baseurl="")
    shutil.copytree(STATIC, book.root / "static", dirs_exist_ok=True)
    for page, text in PAGES.items():
        book.write(f"{page}.md", text)
    Image.effect_noise((60, 60), 50).save(book.root / "chapters/clustering/centres.png")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drill_scripts, "SEEDS", 2)
        patch.setattr(drills, "by_chapter", lambda: {"sequences/hmm": ["viterbi"]})
        book.build()
        assert not [line for line in book.warnings.splitlines() if "which no page has" not in line]
        yield book


@pytest.fixture(scope="module")
def versions(book, tmp_path_factory):
    """Versions of the site: in the second a chapter and a script are others, in the third a style sheet, too.

    The fourth is the third, built again when nothing had changed and the worker was gone.
    """
    folder = tmp_path_factory.mktemp("versions")
    shutil.copytree(book.root / "out/html", folder / "one")
    book.write("chapters/clustering/kmeans.md", KMEANS.replace("# k-means", "# k-means, second edition"))
    book.write("static/chance.js", (STATIC / "chance.js").read_text(encoding="utf-8") + "globalThis.edition = 2;\n")
    book.build()
    shutil.copytree(book.root / "out/html", folder / "two")
    book.write("static/today.css", (STATIC / "today.css").read_text(encoding="utf-8") + "/* third */\n")
    book.write("chapters/sequences/hmm.md", PAGES["chapters/sequences/hmm"] + "\nIt is.\n")
    book.build()
    shutil.copytree(book.root / "out/html", folder / "three")
    (book.root / "out/html/sw.js").unlink()
    book.build()
    shutil.copytree(book.root / "out/html", folder / "four")
    return folder


@pytest.fixture(scope="module")
def site(versions):
    return versions / "one"


def known(site):
    """What the worker of a site knows."""
    text = (site / "book-files.js").read_text(encoding="utf-8")
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


# --- what the build writes --------------------------------------------------------------------------------------------


def test_workbox_is_kept_with_its_licence_and_version():
    assert "Google" in (STATIC / "workbox/LICENSE").read_text(encoding="utf-8")
    names = [f"workbox-{name}-7.4.1.js" for name in WORKBOX]
    assert sorted(path.name for path in (STATIC / "workbox").glob("*.js")) == names
    for name in names:
        module = name.removeprefix("workbox-").removesuffix("-7.4.1.js")
        assert f'"workbox:{module}:7.4' in (STATIC / "workbox" / name).read_text(encoding="utf-8")
    worker = (STATIC / "sw.js").read_text(encoding="utf-8")
    assert "workbox-${name}-7.4.1.js" in worker
    assert all(f'"{name}"' in worker for name in WORKBOX)


def test_worker_list_and_version_agree(site):
    data = known(site)
    assert f'const VERSION = "{data["version"]}";' in (site / "sw.js").read_text(encoding="utf-8")
    assert (site / "book-version.txt").read_text(encoding="utf-8").strip() == data["version"]
    assert not (site / "_static/sw.js").exists()


def test_every_listed_file_is_there_and_no_page_is_left_out(site):
    data = known(site)
    files = dict(data["files"])
    assert all((site / name).is_file() for name in files)
    assert set(Site(site).pages) <= set(files)
    assert not {"sw.js", "book-files.js", "book-version.txt", "objects.inv"} & set(files)
    assert not any(name.startswith(("_sources/", "_downloads/")) for name in files)
    assert {name for name, _ in data["core"]} <= set(files)


def test_the_core_has_the_frame_and_the_pages_to_practise_on(site):
    core = {name for name, _ in known(site)["core"]}
    assert {"intro.html", "search.html", KEEP, "chapters/revision/today.html", "chapters/revision/trainer.html"} <= core
    assert {"_static/katex/katex.min.css", "_static/search.js", "_static/search/index.js"} <= core
    assert {"_static/drills/index.js", "_static/drills/today.js", "_static/book.css"} <= core
    assert not {HMM, CLUSTERING, "_static/drills/viterbi.js", "_static/page.png"} & core
    assert not any("workbox" in name or "icon-" in name or "/search/words" in name for name in core)


def test_a_part_has_its_pages_pictures_and_practice(site):
    data = known(site)
    names = [name for name, _ in data["files"]]
    parts = {name: {names[place] for place in part["paths"]} for name, part in data["parts"].items()}
    assert [part["title"] for part in data["parts"].values()] == [
        "Clustering",
        "Sequences",
        "All exercises of the trainer",
    ]
    clustering = parts["clustering"]
    assert {CLUSTERING, "chapters/clustering/gmm.html", "chapters/revision/errata/clustering.html"} <= clustering
    assert {"_images/centres.png", "_static/search/chapters-clustering-kmeans.js"} <= clustering
    assert {"_static/drills/questions-gmm.js", "_static/drills/cards-gmm.js"} <= clustering
    assert HMM not in clustering
    assert HMM in parts["sequences"]
    assert "_static/drills/viterbi.js" in parts["sequences"] & parts["practice"]
    assert data["parts"]["clustering"]["bytes"] == sum((site / name).stat().st_size for name in clustering)


def test_the_same_files_are_the_same_version_and_others_another(versions):
    one, two, three = (known(versions / name) for name in ("one", "two", "three"))
    assert len({data["version"] for data in (one, two, three)}) == 3
    changed = {name for (name, digest) in two["files"] if dict(one["files"]).get(name) != digest}
    assert {CLUSTERING, "_static/chance.js"} <= changed
    assert "_images/centres.png" not in changed
    found = installed_site.files_of(versions / "one")
    assert installed_site.version_of(found) == one["version"]
    assert installed_site.version_of(dict(reversed(found.items()))) == one["version"]


def test_an_incremental_build_in_which_no_page_changes_writes_the_worker(versions):
    for name in ("sw.js", "book-files.js", "book-version.txt"):
        assert (versions / "four" / name).read_bytes() == (versions / "three" / name).read_bytes()


def test_what_the_browser_checks_compare_does_not_change_with_the_version(site, tmp_path):
    copy = shutil.copytree(site, tmp_path / "copy")
    for name in ("sw.js", "book-files.js", "book-version.txt", "book.webmanifest"):
        (copy / name).write_text("other", encoding="utf-8")
    assert fingerprint(Site(copy)) == fingerprint(Site(site))


def test_the_manifest_names_icons_that_are_there_and_is_relative(site):
    data = json.loads((site / "book.webmanifest").read_text(encoding="utf-8"))
    assert data["display"] == "standalone"
    assert (site / data["start_url"]).is_file()
    for icon in data["icons"]:
        with Image.open(site / icon["src"]) as image:
            assert "{}x{}".format(*image.size) == icon["sizes"]
    assert {(icon["sizes"], icon["purpose"]) for icon in data["icons"]} == {
        (f"{size}x{size}", purpose) for size in (192, 512) for purpose in ("any", "maskable")
    }
    assert not re.search(r"https?:|\"/", json.dumps(data))
    paper = re.search(r"--book-paper: (#\w+);", (STATIC / "book.css").read_text(encoding="utf-8"))
    assert data["theme_color"] == data["background_color"] == paper[1]


def test_large_icons_show_the_mark_inside_the_safe_zone():
    for size in (192, 512):
        with Image.open(STATIC / f"icon-{size}.png") as icon:
            image = icon.convert("RGB")
        half = size / 2
        outside = [
            image.getpixel((x, y))
            for x in range(0, size, 4)
            for y in range(0, size, 4)
            if (x - half) ** 2 + (y - half) ** 2 > (0.4 * size) ** 2
        ]
        assert set(outside) == {(255, 255, 255)}
        assert image.getpixel((size // 2, size // 2)) != (255, 255, 255)


def test_a_page_loads_one_small_script_more(book):
    for page in ("intro", "chapters/clustering/kmeans"):
        scripts = [script["src"].split("?")[0] for script in book.soup(page).select("script[src]")]
        assert sum(name.endswith("_static/installed.js") for name in scripts) == 1
        assert not any("workbox" in name or "keep.js" in name for name in scripts)
        assert not book.soup(page).select("link[rel=manifest]")  # from the file system it would be an error
    assert any("keep.js" in script["src"] for script in book.soup("chapters/appendix/keep").select("script[src]"))
    assert "Needs a server." in book.soup("chapters/appendix/keep").select_one(".keep-parts .keep-static").get_text()


# --- in a browser -----------------------------------------------------------------------------------------------------

ELSEWHERE, HERE = "127.0.0.2", "127.0.0.1"  # a host, for the worker, and the author's own machine
RULES = f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {ELSEWHERE} , EXCLUDE {HERE}"


class Server:
    """A server whose folder may be exchanged, which fails where it is told to, and ends."""

    def __init__(self, folder, host):
        self.folder, self.fails, self.asked = folder, lambda path: False, []
        outer = self

        class Handler(SimpleHTTPRequestHandler):
            def translate_path(self, path):
                self.directory = str(outer.folder)
                return super().translate_path(path)

            def do_GET(self):
                path = self.path.split("?")[0].lstrip("/")
                outer.asked.append(path)
                del self.headers["If-Modified-Since"]  # two versions may be built within the same second
                if outer.fails(path):
                    self.send_error(503)
                else:
                    super().do_GET()

            def end_headers(self):
                self.send_header("Cache-Control", "no-cache")
                super().end_headers()

            def log_message(self, *_):
                pass

        self.handler, self.host = Handler, host
        self.begin()

    def begin(self, port=0):
        self.server = ThreadingHTTPServer((self.host, port), self.handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=partial(self.server.serve_forever, 0.02), daemon=True).start()
        self.base = f"http://{self.host}:{self.port}/"

    def end(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium(), RULES) as running:
        yield running


@pytest.fixture
def reader(chromium, versions):
    """A reader with an empty browser: ``reader(host)`` gives the server of the first version and what opens pages."""
    with contextlib.ExitStack() as stack:

        def begin(host=ELSEWHERE, folder="one", prefix=""):
            server = Server(versions / folder, host)
            stack.callback(server.end)
            context = stack.enter_context(
                contextlib.closing(chromium.new_context(viewport={"width": 390, "height": 800}))
            )
            errors = []

            def opened(name="intro.html", page=None):
                if page is None:
                    page = context.new_page()
                    page.set_default_timeout(8000)
                    page.on("pageerror", lambda error: errors.append(str(error)))
                page.goto(f"{server.base}{prefix}{name}")
                return page

            opened.errors, opened.context = errors, context
            return server, opened

        yield begin


READY = "async () => { await bookInstalled.registered; await navigator.serviceWorker.ready; return true; }"

KEPT = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  return (await Promise.all(caches_.map((cache) => cache.keys()))).flat().map(({url}) => url);
}"""


def installed(page):
    """Wait until the worker serves this page, and has heard of what the page had loaded before."""
    page.evaluate(READY)
    page.wait_for_function("navigator.serviceWorker.controller")
    page.evaluate(
        "() => bookInstalled.ask({ask: 'seen', addresses: [location.href, "
        "...performance.getEntriesByType('resource').map(({name}) => name)]})"
    )


def updated(page):
    """Let the browser look for a new version, and wait until it is there or has failed."""
    page.evaluate(
        """async () => {
          const registration = await bookInstalled.registered;
          await registration.update().catch(() => {});
          const worker = registration.installing;
          if (worker) await new Promise((done) => worker.addEventListener("statechange", () => {
            if (["installed", "activated", "redundant"].includes(worker.state)) done(); }));
        }"""
    )


def title(page):
    return page.locator("h1").first.inner_text()


@pytest.mark.browser
def test_seen_pages_today_trainer_and_search_work_with_the_server_gone(reader):
    server, opened = reader()
    page = opened(HMM)
    installed(page)
    opened(CLUSTERING, page)
    page.wait_for_function("document.images[0].complete")
    opened("chapters/revision/trainer.html#topic=viterbi&seed=1", page)
    page.wait_for_selector(".trainer-exercise, .trainer-title")
    opened("chapters/revision/today.html", page)
    page.wait_for_selector(".today[data-ready]")
    server.end()

    assert "Hidden Markov" in title(opened(HMM, page))
    assert "k-means" in title(opened(CLUSTERING, page))
    assert page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)") == 60
    opened("chapters/revision/today.html", page).wait_for_selector(".today[data-ready]")
    opened("search.html?q=weather", page).locator(".book-search-result").first.wait_for()
    assert "Hidden Markov models" in page.locator(".book-search-results").inner_text()
    opened("chapters/revision/trainer.html#topic=viterbi&seed=1", page)
    page.locator(".trainer input[type=text]").first.wait_for()
    assert "Intro" in title(opened("", page))  # the address of the site alone
    assert not opened.errors


@pytest.mark.browser
def test_what_was_not_seen_says_so_and_comes_back_with_the_server(reader):
    server, opened = reader()
    page = opened()
    installed(page)
    server.end()
    assert title(opened(HMM, page)) == "This page is not on this device"
    assert title(opened("nowhere.html", page)) == "This page is not on this device"
    server.begin(server.port)
    opened(HMM, page)
    assert "Hidden Markov" in title(page)


@pytest.mark.browser
def test_the_site_may_lie_in_a_folder(reader, versions, tmp_path):
    server, opened = reader(prefix="books/ml/")
    (tmp_path / "books").mkdir()
    (tmp_path / "books/ml").symlink_to(versions / "one")
    server.folder = tmp_path
    page = opened(HMM)
    installed(page)
    assert page.evaluate("navigator.serviceWorker.controller.scriptURL") == f"{server.base}books/ml/sw.js"
    assert (
        page.evaluate("document.querySelector('link[rel=manifest]').href") == f"{server.base}books/ml/book.webmanifest"
    )
    server.end()
    assert "Hidden Markov" in title(opened(HMM, page))
    assert "Intro" in title(opened("", page))


@pytest.mark.browser
def test_a_new_version_replaces_the_old_one_whole(reader, versions):
    server, opened = reader()
    page = opened(CLUSTERING)
    installed(page)
    server.folder = versions / "two"
    opened(CLUSTERING, page)  # from the device: the old one, while the new one is fetched
    assert title(page) == "k-means"
    page.locator(".new-version").wait_for()
    assert title(page) == "k-means"
    with page.expect_navigation():
        page.get_by_role("button", name="Show it").click()
    assert title(page) == "k-means, second edition"
    opened("chapters/revision/trainer.html", page).wait_for_function("window.edition === 2")
    server.end()
    assert title(opened("chapters/appendix/keep.html", page)) == "Keep the book"
    opened("chapters/revision/trainer.html", page).wait_for_function("window.edition === 2")
    left = page.evaluate(KEPT)
    digests = dict(known(versions / "two")["files"])
    assert not [url for url in left if "=" in url and url.rpartition("=")[2] not in digests.values()]


@pytest.mark.browser
def test_the_second_load_shows_a_new_version_by_itself(reader, versions):
    server, opened = reader()
    page = opened(CLUSTERING)
    installed(page)
    server.folder = versions / "two"
    updated(page)
    with page.expect_event("load"):
        opened(CLUSTERING, page)
    page.wait_for_function("document.querySelector('h1').textContent.includes('second edition')")
    assert not page.locator(".new-version").count()


@pytest.mark.browser
def test_with_two_pages_open_none_loads_anew_before_the_reader_says_so(reader, versions):
    server, opened = reader()
    page = opened(CLUSTERING)
    installed(page)
    other = opened("chapters/revision/trainer.html")
    server.folder = versions / "two"
    updated(page)
    opened(CLUSTERING, page)
    page.locator(".new-version", has_text="other open pages").wait_for()
    assert title(page) == "k-means"
    assert other.evaluate("window.edition") is None
    with other.expect_navigation():
        page.get_by_role("button", name="Show it").click()
    other.wait_for_function("window.edition === 2")


@pytest.mark.browser
@pytest.mark.parametrize("missing", ["_static/today.css", "_static/search/words-ce.js"])
def test_a_half_stored_version_is_never_served(reader, versions, missing):
    """The server fails in the middle; the first version stays whole, also without a server, until all has come."""
    server, opened = reader()
    page = opened(CLUSTERING)
    installed(page)
    server.folder, server.fails = versions / "three", lambda path: path == missing
    assert (versions / "three" / missing).is_file()
    if missing.endswith(".js"):  # the word list is the same in all versions: one that must be fetched
        page.evaluate(
            "async () => { for (const name of await caches.keys()) { const cache = await caches.open(name); "
            f"for (const key of await cache.keys()) if (key.url.includes('{missing}')) await cache.delete(key); }} }}"
        )
    updated(page)
    assert page.evaluate("bookInstalled.registered.then(({waiting}) => waiting)") is None
    opened(CLUSTERING, page)
    assert title(page) == "k-means"
    server.end()
    assert title(opened(CLUSTERING, page)) == "k-means"
    opened("chapters/revision/trainer.html", page).wait_for_selector(".trainer input, .trainer select")
    assert page.evaluate("window.edition") is None
    server.fails = lambda path: False
    server.begin(server.port)
    opened(CLUSTERING, page)
    updated(page)
    opened(CLUSTERING, page)
    page.wait_for_function("document.querySelector('h1').textContent.includes('second edition')")


@pytest.mark.browser
def test_a_half_published_version_is_not_taken(reader, versions, tmp_path):
    """The list of the new version is on the server, and its files are not yet."""
    server, opened = reader()
    page = opened(HMM)
    installed(page)
    server.folder = shutil.copytree(versions / "one", tmp_path / "between")
    for name in ("sw.js", "book-files.js", "book-version.txt"):
        shutil.copy(versions / "three" / name, server.folder)
    updated(page)
    assert page.evaluate("bookInstalled.registered.then(({waiting}) => waiting)") is None
    server.folder = versions / "three"
    updated(page)
    opened(HMM, page)
    page.get_by_text("It is.").wait_for()


@pytest.mark.browser
def test_an_unseen_page_of_a_new_version_is_not_mixed_with_the_old_one(reader, versions):
    """The old worker does not have the page: it comes with all it needs from the server, and is not kept as its own."""
    server, opened = reader()
    installed(opened())
    server.folder, server.fails = versions / "two", lambda path: path == "sw.js"  # the new one never installs
    server.asked.clear()
    page = opened(CLUSTERING)
    assert title(page) == "k-means, second edition"
    assert "_static/installed.js" in server.asked
    server.end()
    assert title(opened(CLUSTERING, page)) == "This page is not on this device"
    assert title(opened("", page)) == "Intro"


@pytest.mark.browser
def test_a_file_of_another_version_is_refused(reader, versions):
    server, opened = reader()
    page = opened("chapters/revision/today.html")
    installed(page)
    server.folder, server.fails = versions / "two", lambda path: path == "sw.js"
    assert page.evaluate("fetch('../clustering/kmeans.html').then(() => 'served', () => 'refused')") == "refused"
    assert page.evaluate("fetch('../sequences/hmm.html').then(() => 'served', () => 'refused')") == "served"


def part(page, name):
    return page.locator(".keep-list li", has_text=name)


@pytest.mark.browser
def test_a_first_visit_that_does_not_get_all_says_so_and_the_next_one_tries_again(reader):
    server, opened = reader()
    server.fails = lambda path: path == "_static/katex/katex.min.css"
    page = opened(KEEP)
    page.get_by_text("could not be set up").wait_for()
    assert page.evaluate("navigator.serviceWorker.controller") is None
    server.fails = lambda path: False
    opened(KEEP, page).wait_for_selector(".keep-parts[data-ready]")
    assert not opened.errors


@pytest.mark.browser
def test_keep_a_part_and_read_it_with_the_server_gone(reader):
    server, opened = reader()
    page = opened(KEEP)
    page.wait_for_selector(".keep-parts[data-ready]")
    button = part(page, "Clustering").get_by_role("button")
    assert button.get_attribute("aria-label") == "Keep this part: Clustering, less than 1 MB"
    button.focus()
    page.keyboard.press("Enter")
    part(page, "Clustering").get_by_text("Kept: it opens without a network.").wait_for()
    assert button.inner_text() == "Remove"
    assert page.evaluate("document.activeElement.textContent") == "Remove"
    server.end()
    assert title(opened(CLUSTERING, page)) == "k-means"
    assert page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)") == 60
    part_of_file = "fetch('../../_images/centres.png', {headers: {Range: 'bytes=0-9'}}).then(({status}) => status)"
    assert page.evaluate(part_of_file) == 206  # as players ask for sounds
    assert title(opened("chapters/revision/errata/clustering.html", page)) == "Errata of clustering"
    assert title(opened(HMM, page)) == "This page is not on this device"
    opened(KEEP, page).wait_for_selector(".keep-parts[data-ready]")
    part(page, "Clustering").get_by_role("button", name="Remove").click()
    part(page, "Clustering").get_by_role("button", name="Keep this part").wait_for()
    assert title(opened(CLUSTERING, page)) == "This page is not on this device"
    assert not opened.errors


@pytest.mark.browser
def test_a_part_that_does_not_come_whole_is_not_marked(reader):
    server, opened = reader()
    page = opened(KEEP)
    page.wait_for_selector(".keep-parts[data-ready]")
    server.fails = lambda path: path == "_images/centres.png"
    part(page, "Clustering").get_by_role("button").click()
    part(page, "Clustering").get_by_text("and not kept").wait_for()
    finished = "bookInstalled.ask({ask: 'finish', part: 'clustering'}).then(() => 'kept', () => 'refused')"
    assert page.evaluate(finished) == "refused"
    opened(KEEP, page).wait_for_selector(".keep-parts[data-ready]")
    part(page, "Clustering").get_by_role("button", name="Keep this part").wait_for()
    server.fails = lambda path: False
    part(page, "Clustering").get_by_role("button").click()
    part(page, "Clustering").get_by_text("Kept: it opens").wait_for()


@pytest.mark.browser
def test_a_kept_part_comes_along_to_a_new_version(reader, versions):
    server, opened = reader()
    page = opened(KEEP)
    page.wait_for_selector(".keep-parts[data-ready]")
    part(page, "Clustering").get_by_role("button").click()
    part(page, "Clustering").get_by_text("Kept: it opens").wait_for()
    server.folder, server.fails = versions / "two", lambda path: path == CLUSTERING
    updated(page)  # the new version cannot come with the part
    server.asked.clear()
    server.end()
    assert title(opened(CLUSTERING, page)) == "k-means"
    server.fails = lambda path: False
    server.begin(server.port)
    updated(page)
    assert CLUSTERING in server.asked
    assert "_images/centres.png" not in server.asked  # as it was
    opened("chapters/revision/trainer.html", page).wait_for_function("window.edition === 2")
    server.end()
    assert title(opened(CLUSTERING, page)) == "k-means, second edition"
    assert page.evaluate("document.images[0].decode().then(() => document.images[0].naturalWidth)") == 60


@pytest.mark.browser
def test_on_the_authors_machine_the_next_load_is_the_new_book(reader, versions):
    server, opened = reader(HERE)
    page = opened(CLUSTERING)
    installed(page)
    server.folder = versions / "two"
    assert title(opened(CLUSTERING, page)) == "k-means, second edition"
    updated(page)
    page.wait_for_function(
        "navigator.serviceWorker.getRegistration().then(({installing, waiting}) => !installing && !waiting)"
    )
    page.wait_for_timeout(1500)  # a notice would come after a second
    assert not page.locator(".new-version").count()
    server.end()
    opened("chapters/revision/trainer.html", page).wait_for_function("window.edition === 2")


@pytest.mark.browser
def test_another_site_on_the_authors_machine_is_not_hidden(reader, tmp_path):
    server, opened = reader(HERE)
    page = opened()
    installed(page)
    (tmp_path / "intro.html").write_text("<h1>Another site</h1>", encoding="utf-8")
    server.folder = tmp_path
    assert title(opened("intro.html", page)) == "Another site"
    page.wait_for_function("navigator.serviceWorker.getRegistrations().then((found) => !found.length)")


@pytest.mark.browser
def test_a_host_takes_the_book_off_its_readers_devices(reader, versions, tmp_path):
    """As the page *Host your own* says."""
    server, opened = reader()
    page = opened()
    installed(page)
    server.folder = shutil.copytree(versions / "one", tmp_path / "bare")
    (server.folder / "sw.js").write_text("self.registration.unregister();\n", encoding="utf-8")
    updated(page)
    opened(HMM, page)
    assert page.evaluate("navigator.serviceWorker.controller") is None


@pytest.mark.browser
def test_from_the_file_system_nothing_is_said(chromium, site):
    with contextlib.closing(chromium.new_context()) as context:
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("requestfailed", lambda request: said.append(request.url))
        for name in ("intro.html", CLUSTERING, KEEP):
            page.goto((site / name).as_uri())
            page.wait_for_load_state()
        assert page.evaluate("bookInstalled") is None
        assert "Needs a server." in page.locator(".keep-parts").inner_text()
        assert not page.locator("link[rel=manifest]").count()
        assert not said


@pytest.mark.browser
def test_nothing_is_said_where_storage_is_refused(chromium, versions):
    server = Server(versions / "one", ELSEWHERE)
    with contextlib.closing(chromium.new_context()) as context:
        context.add_init_script("Object.defineProperty(window, 'caches', { get() { throw new DOMException('no'); } })")
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{server.base}{KEEP}")
        assert page.evaluate("bookInstalled") is None
        assert "Needs a server." in page.locator(".keep-parts").inner_text()
        assert not said
    server.end()
