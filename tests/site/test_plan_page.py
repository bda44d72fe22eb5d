"""The page of the plan in Chromium, from the file system: settings, changes by hand, slips, the calendar, axe-core."""

import contextlib
import datetime
import json
import shutil

import pytest
from exam_plan import SCRIPTS
from search_index import STATIC

from tests.site.test_planner import chapter
from tools.site_check.accessibility import axe_source
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

NOW = datetime.datetime(2026, 11, 30, 9, 0)  # a Monday
CALENDAR = "ical-generator/ical-generator-10.2.0.js"
STYLES = ("book.css", "trainer.css", "plan.css")
PAGE = """<!doctype html><html lang="en" data-theme="light" data-content_root="./"><head><meta charset="utf-8">
<title>Plan</title><meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>
<body><main class="bd-article"><section><h1>Plan</h1><div class="exam-plan trainer"><p>Without script.</p></div>
<script type="application/json" class="plan-data">{data}</script></section></main>{scripts}</body></html>"""
ENTRY = "{at: 5, due: 6, memory: null, answers: [[5, 3, 9, null]]}"
BOOK = [
    chapter("rare", asked=1, part="Part A") | {"title": "Rare"},
    chapter("often", ["rare"], asked=9, part="Part A") | {"title": "Often"},
    chapter("other", asked=2, part="Part B") | {"title": "Other"},
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page of three chapters."""
    folder = tmp_path_factory.mktemp("plan")
    for name in (*STYLES, *(f"{script}.js" for script in SCRIPTS), f"_static/{CALENDAR}"):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(STATIC / name.removeprefix("_static/"), folder / name)
    styles = "".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
    scripts = "".join(f'<script src="{name}.js" defer></script>' for name in SCRIPTS)
    data = json.dumps({"trainer": "trainer.html", "chapters": BOOK})
    (folder / "plan.html").write_text(PAGE.format(styles=styles, scripts=scripts, data=data), encoding="utf-8")
    return (folder / "plan.html").as_uri()


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    """Open the page on a day; a script error fails the test."""
    with contextlib.closing(chromium.new_context(viewport={"width": 390, "height": 800})) as context:
        context.set_default_timeout(10_000)
        errors = []

        def opened(days=0, script=""):
            page = context.new_page()
            page.clock.set_fixed_time(NOW + datetime.timedelta(days=days))
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("dialog", lambda dialog: dialog.accept())
            if script:
                page.add_init_script(script)
            page.goto(address)
            return page

        yield opened
        assert errors == []


def make(page, exam="2026-12-10", minutes=60, stems=("rare", "often")):
    page.locator("#plan-exam").fill(exam)
    page.locator("#plan-minutes").fill(str(minutes))
    for stem in stems:
        page.locator(f"#plan-chapter-{stem}").check()
    page.locator("#plan-minutes").press("Enter")
    page.wait_for_selector(".plan h2")
    return page


def days(page):
    """The items of each day, by its heading."""
    ids = "[...d.querySelectorAll('li')].map(i => i.querySelector('input').id)"
    script = f"all => all.map(d => [d.querySelector('h3').firstChild.textContent, {ids}])"
    return dict(page.eval_on_selector_all(".plan-day", script))


def said(page):
    return page.locator(".exam-plan [role=status]").inner_text()


def test_a_plan_is_made_with_the_keyboard_and_is_there_again(tab):
    page = make(tab())
    assert page.evaluate("document.activeElement.textContent") == "To the exam on Thu, 10 Dec 2026"
    first = days(page)
    assert next(iter(first)) == "Mon 30 Nov"
    assert list(first)[-1] == "Wed 9 Dec"
    assert first["Wed 9 Dec"] == ["plan-paper-2", "plan-weak-all"]
    assert days(tab()) == first


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda page: page.locator("#plan-exam").fill("2026-11-30"), "still to come"),
        (lambda page: page.locator("#plan-exam").fill("2029-11-30"), "more than 400 days away"),
        (lambda page: page.locator("#plan-minutes").fill("10"), "from 30 to 720"),
        (lambda page: page.locator("#plan-chapter-rare").uncheck(), "at least one chapter"),
        (lambda page: [page.locator(f"#plan-off-{k}").check() for k in range(7)], "one day of the week"),
    ],
)
def test_settings_that_cannot_be_planned_are_explained(tab, change, sentence):
    page = tab()
    page.locator("#plan-exam").fill("2026-12-10")
    page.locator("#plan-chapter-rare").check()
    change(page)
    page.get_by_role("button", name="Make the plan").click()
    assert sentence in page.locator(".exam-plan [role=alert]").inner_text()
    assert not page.locator(".plan h2").count()


def test_days_off_are_left_free(tab):
    page = tab()
    page.locator("#plan-off-1").check()
    page.locator("#plan-free").fill("2026-12-02")
    page.get_by_role("button", name="Add the day off").click()
    make(page)
    assert [day for day in days(page) if day in ("Tue 1 Dec", "Wed 2 Dec", "Tue 8 Dec")] == []
    page.locator(".plan-settings summary").click()
    page.get_by_role("button", name="Wed 2 Dec is no day off").click()
    page.get_by_role("button", name="Make the plan").click()
    assert "Wed 2 Dec" in days(page)


def test_items_are_ticked_moved_removed_and_put_back(tab):
    page = make(tab())
    before = days(page)
    page.locator("#plan-read-rare-1").press("Space")
    assert said(page) == "Done: Read Rare, part 1 of 2."
    assert page.evaluate("document.activeElement.id") == "plan-read-rare-1"
    page.get_by_role("button", name="Move: Read Rare, part 2 of 2", exact=True).click()
    page.locator("form.plan-acts input").fill("2026-12-20")
    page.keyboard.press("Enter")
    assert "to the day before the exam" in said(page)
    page.locator("form.plan-acts input").fill("2026-12-09")
    page.get_by_role("button", name="Move there").click()
    assert said(page) == "Moved to Wed 9 Dec: Read Rare, part 2 of 2."
    assert "25 more than you have" in page.locator(".plan-over h3").inner_text()
    page.get_by_role("button", name="Remove: Learn the cards of Often").click()
    after = days(tab())
    assert "plan-read-rare-1" in after["Mon 30 Nov"]
    assert "plan-read-rare-2" in after["Wed 9 Dec"]
    rest = {name for names in before.values() for name in names} - {"plan-card-often"}
    assert {name for names in after.values() for name in names} == rest
    page.locator(".plan-removed summary").click()
    page.get_by_role("button", name="Put back: Learn the cards of Often").click()
    assert "plan-card-often" in {name for names in days(page).values() for name in names}


def test_what_slips_is_said_and_planned_again(tab):
    page = make(tab())
    before = days(page)
    missed = [name for day in ("Mon 30 Nov", "Tue 1 Dec", "Wed 2 Dec") for name in before[day]]
    page.locator(f"#{missed[0]}").check()
    later = tab(days=3)
    assert later.locator(".plan-slipped").inner_text().startswith(f"Slipped: {len(missed) - 1} items, ")
    again = days(later)
    assert next(iter(again)) == "Thu 3 Dec"
    assert set(missed[1:]) <= {name for names in again.values() for name in names}
    assert "; 1 of " in later.locator(".plan > p").first.inner_text()
    assert tab(days=3).locator(".plan-slipped").count()  # all that day
    assert not tab(days=4).locator(".plan-slipped", has_text=f"{len(missed) - 1} items").count()


def test_what_other_pages_know_to_be_done_is_ticked(tab):
    page = make(tab(), stems=("rare",))
    page.evaluate("bookProgress.mark(() => localStorage, 'rare-ex-0', true, 5)")
    page = tab()
    assert page.locator("#plan-exercise-rare-ex-0").is_checked()
    for k in range(3):
        page.evaluate(f"bookProgress.keepItem(bookProgress.browser, 'card:rare-{k}', {ENTRY})")
    page = tab()
    assert page.locator("#plan-card-rare").is_checked()
    assert not page.locator("#plan-mistake-rare").is_checked()
    page.locator("#plan-exercise-rare-ex-0").uncheck()
    assert not tab().locator("#plan-exercise-rare-ex-0").is_checked()


def test_too_little_time_says_what_is_left_out(tab):
    page = make(tab(), exam="2026-12-05", stems=("rare", "often", "other"))
    fold = page.locator(".plan-left-out")
    assert fold.locator("summary").inner_text().startswith("Too little time: ")
    fold.locator("summary").click()
    rows = fold.locator("li").all_inner_texts()
    assert [row.split(" (")[0] for row in rows][:1] == ["Rare"]
    assert "asked about 1 time in a hundred papers" in rows[0]


def test_the_calendar_has_every_day_and_the_exam(tab):
    page = make(tab())
    assert not page.evaluate("'icalGenerator' in window")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a calendar file").click()
    text = download.value.path().read_text(encoding="utf-8")
    dates = [line.partition(":")[2] for line in text.splitlines() if line.startswith("DTSTART;VALUE=DATE")]
    busy = [day for day, names in days(page).items() if names]
    assert len(dates) == len(set(dates)) == len(busy) + 1
    assert {"20261130", "20261209", "20261210"} <= set(dates)
    assert "SUMMARY:Exam" in text
    assert all(len(line.encode()) <= 75 for line in text.splitlines())


BLOCKED = 'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied"); } })'


def test_without_storage_the_plan_lasts_as_long_as_the_page(tab):
    page = make(tab(script=BLOCKED))
    assert "cannot store the plan" in said(page)
    page.locator("#plan-read-rare-1").check()
    assert page.locator("#plan-read-rare-1").is_checked()


def test_a_plan_that_cannot_be_read_is_said(tab):
    page = make(tab())
    for value in ("3", '{"at": 1, "value": {"settings": {}}}'):
        page.evaluate("text => localStorage.setItem('machine-learning-derived.note.plan', text)", value)
        other = tab()
        assert not other.locator(".plan h2").count()
    assert "cannot be read" in said(other)


def test_a_plan_is_forgotten(tab):
    page = make(tab())
    page.get_by_role("button", name="Forget the plan").click()
    assert not page.locator(".plan h2").count()
    assert not tab().locator(".plan h2").count()


def test_paper_shows_the_days_alone(tab):
    page = make(tab())
    page.emulate_media(media="print")
    assert page.locator(".plan-day").first.is_visible()
    for hidden in (".plan-settings", ".trainer-buttons", ".plan-acts"):
        assert not page.locator(hidden).first.is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible_and_fits_a_phone(tab, theme):
    page = make(tab())
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    page.locator(".plan-settings summary").click()
    page.get_by_role("button", name="Move: ", exact=False).first.click()
    page.evaluate(axe_source())
    found = page.evaluate("axe.run(document.querySelector('main'))")
    assert [violation["id"] for violation in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
