"""Live figures in Chromium: dragged by mouse, finger and keyboard, reset, told, on paper and without a script."""

import re
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from notes_lib.clustering.kmeans import KMeans, assign, inertia
from notes_lib.datasets import make_blobs
from notes_lib.foundations.evaluation import confusion_matrix
from notes_lib.kernels.svm import SVC
from notes_lib.linear.linear_regression import add_intercept, influence
from notes_lib.plotting import live
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Live</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{static}/book.css"><link rel="stylesheet" href="{static}/live.css"></head>
<body><article class="bd-article">{body}</article>{scripts}</body></html>"""

x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 9.0])
y = np.array([1.2, 1.9, 3.2, 3.8, 5.1, 4.0])
X_two = np.array([[1.0, 0.2], [0.0, 0.0], [0.3, 1.0], [3.0, 2.0], [3.2, 3.1], [2.5, 3.0]])
y_two = np.array([-1, -1, -1, 1, 1, 1])
X_four, _ = make_blobs(60, centers=[[0, 0], [4, 0.5], [1, 4.5], [5.5, 5]], cluster_std=0.6, random_state=1)
scores = np.r_[np.linspace(0, 6, 40), np.linspace(4, 10, 30)]
sick = np.repeat([0, 1], [40, 30])


def draw(fig, state):
    fig.subplots().plot([0, 1])
    return "This is drawn first."


FIGURES = {
    "leverage": {"x": x, "y": y, "moved": 5},
    "street": {"X": X_two, "y": y_two},
    "centres": {"X": X_four, "centers": [[0.0, 2.0], [1.0, 2.0], [4.5, 3.0]]},
    "threshold": {"scores": scores, "y": sick, "threshold": 5.0, "classes": ["well", "ill"]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("live")
    for idea, state in FIGURES.items():
        scripts = "".join(f'<script src="{STATIC.as_uri()}/live/{name}.js"></script>' for name in ("figure", idea))
        markup = live(idea, draw, state, f"its-{idea}", "What it shows").markup
        (made / f"{idea}.html").write_text(PAGE.format(static=STATIC.as_uri(), body=markup, scripts=scripts))
    return made


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def open_page(chromium, folder):
    pages = []

    def opened(idea, **options):
        page = chromium.new_page(**options)
        pages.append(page)
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto((folder / f"{idea}.html").as_uri())
        return page

    yield opened
    for page in pages:
        assert not page.errors
        page.close()


def told(page):
    return page.locator(".live-says").inner_text()


def numbers(text):
    return [float(found.replace("−", "-")) for found in re.findall(r"[−-]?\d+(?:\.\d+)?", text)]


def place(page, number=0):
    return (
        page.locator(".live-handle")
        .nth(number)
        .evaluate(
            "h => { const r = h.querySelector('.live-hit').getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; }"
        )
    )


def at(page, number=0):
    return numbers(page.locator(".live-handle").nth(number).get_attribute("aria-valuetext"))


def drag(page, number, right, down):
    px, py = place(page, number)
    page.mouse.move(px, py)
    page.mouse.down()
    page.mouse.move(px + right / 2, py + down / 2)
    page.mouse.move(px + right, py + down)
    page.mouse.up()


@pytest.mark.parametrize("idea", FIGURES)
def test_a_mark_follows_the_mouse_and_goes_back(open_page, idea):
    page = open_page(idea)
    before, there, said = at(page), place(page), told(page)
    drag(page, 0, 40, 30)
    moved = place(page)
    assert moved[0] - there[0] == pytest.approx(40, abs=0.6)
    assert moved[1] - there[1] == pytest.approx(0 if idea == "threshold" else 30, abs=0.6)
    assert told(page) != said
    assert at(page) != before
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "none"
    page.keyboard.press("Shift")
    assert page.evaluate(outline) == "solid"
    page.get_by_role("button", name="Reset").click()
    assert (at(page), told(page)) == (before, said)
    page.mouse.move(5, 5)
    assert told(page) == said


@pytest.mark.parametrize("idea", FIGURES)
def test_a_mark_follows_a_finger(open_page, idea):
    page = open_page(idea, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    said, (px, py) = told(page), place(page)
    session = page.context.new_cdp_session(page)
    for kind, way in [("Start", 0), ("Move", 15), ("Move", 30), ("End", None)]:
        points = [] if way is None else [{"x": px + 9 + way, "y": py - 9}]  # a finger beside the mark
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    assert place(page)[0] - px == pytest.approx(30, abs=0.6)
    assert told(page) != said


@pytest.mark.parametrize("idea", FIGURES)
def test_a_mark_follows_the_arrow_keys(open_page, idea):
    page = open_page(idea)
    page.keyboard.press("Tab")
    handle = page.locator(".live-handle").first
    assert handle.evaluate("h => h === document.activeElement")
    assert handle.evaluate("h => getComputedStyle(h).outlineStyle") == "solid"
    before = place(page)
    page.keyboard.press("ArrowRight")
    step = place(page)[0] - before[0]
    page.keyboard.press("Shift+ArrowRight")
    assert place(page)[0] - before[0] == pytest.approx(6 * step, abs=0.5)
    assert step > 3
    if idea != "threshold":
        page.keyboard.press("ArrowUp")
        assert place(page)[1] < before[1] - 3
    for _ in range(40):
        page.keyboard.press("Shift+ArrowRight")
    frame = page.locator(".live-plot").bounding_box()
    assert place(page)[0] < frame["x"] + frame["width"]  # it stays in view
    assert page.locator(".live-says").get_attribute("aria-live") == "polite"


@pytest.mark.parametrize("idea", FIGURES)
def test_without_a_script_and_on_paper_the_picture_stands(chromium, folder, open_page, idea):
    page = open_page(idea)
    drag(page, 0, 40, 30)
    page.emulate_media(media="print")
    seen = page.locator(".live > *").evaluate_all(
        "all => all.filter((e) => e.checkVisibility()).map((e) => e.className)"
    )
    assert seen == ["live-still", "live-text"]
    with closing(chromium.new_page(java_script_enabled=False)) as quiet:
        quiet.goto((folder / f"{idea}.html").as_uri())
        assert quiet.locator(".live-still").is_visible()
        assert quiet.locator(".live-text").inner_text() == "This is drawn first."
        assert "On the page of the book you can drag" in quiet.locator(".live-note").inner_text()


@pytest.mark.parametrize("idea", FIGURES)
def test_it_fits_a_phone_and_a_finger(open_page, idea):
    page = open_page(idea, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    hit = page.locator(".live-hit").first.bounding_box()
    assert min(hit["width"], hit["height"]) >= 43.9
    width = page.locator(".live-plot").bounding_box()["width"]
    page.set_viewport_size({"width": 340, "height": 844})
    page.wait_for_function(f"document.querySelector('.live-plot').getBoundingClientRect().width < {width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 340


# -- what the figures say is what the library says --------------------------------------------------------------------


def test_leverage(open_page):
    page = open_page("leverage")
    drag(page, 0, -60, 50)
    new_x, new_y = x.copy(), y.copy()
    new_x[5], new_y[5] = at(page)
    found = influence(add_intercept(new_x[:, None]), new_y)
    ours = [found.leverages[5], found.residuals[5], found.cooks_distance[5], np.polyfit(new_x, new_y, 1)[0]]
    ours.append(np.polyfit(x[:5], y[:5], 1)[0])
    np.testing.assert_allclose(numbers(told(page)), ours, rtol=0.02)


def test_street(open_page):
    page = open_page("street")
    drag(page, 3, -30, 20)
    X = X_two.copy()
    X[3] = at(page, 3)
    model = SVC(C=np.inf, kernel="linear", tol=1e-8).fit(X, y_two)
    width, count, _ = numbers(told(page))
    assert width == pytest.approx(2 / np.linalg.norm(model.coef_), rel=0.02)
    assert page.locator(".live-ring").count() == count == len(model.support_)
    among_the_others = np.mean([place(page, n) for n in range(3)], axis=0)
    drag(page, 3, *(among_the_others - place(page, 3)))
    assert told(page).startswith("No line separates the two classes")
    assert page.locator(".live-ring").count() == 0


def test_centres(open_page):
    page = open_page("centres")
    drag(page, 0, 25, 35)
    centers = np.array([at(page, k) for k in range(3)])
    labels = assign(X_four, centers)
    J, *sizes = numbers(told(page))[:4]
    assert pytest.approx(inertia(X_four, labels, centers), rel=0.02) == J
    assert sizes == np.bincount(labels).tolist()
    step = page.get_by_role("button", name="Step")
    for _ in range(20):
        before = numbers(told(page))[0]
        step.click()
        assert told(page).startswith("After one step" if numbers(told(page))[0] < before else "Nothing moves any more")
    ends = KMeans(3, init=centers, n_init=1).fit(X_four)
    assert numbers(told(page))[0] == pytest.approx(ends.inertia_, rel=1e-3)


def test_threshold(open_page):
    page = open_page("threshold")
    drag(page, 0, 30, 0)
    (t,) = at(page)
    assert t > 5
    cells = [int(cell) for cell in page.locator(".live-table tbody td").all_inner_texts()]
    assert cells == confusion_matrix(sick, (scores >= t).astype(int)).ravel().tolist()
    tn, fp, fn, tp = cells
    assert numbers(told(page))[1:] == pytest.approx([tp / (tp + fn), fp / (tn + fp), tp / (tp + fp)], abs=6e-4)
