"""Explorers in Chromium: sliders by keyboard, the picture and the sentence of the state, and no script at all."""

from contextlib import closing
from pathlib import Path

import pytest

from notes_lib.plotting import explorer, player
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Explorer</title>
<link rel="stylesheet" href="{static}/book.css"><link rel="stylesheet" href="{static}/explorer.css"></head>
<body><article class="bd-article">{body}</article></body></html>"""


def draw(fig, cost, width):
    fig.subplots().plot([0, cost], [0, len(width)])
    return f"cost {cost} and a {width} kernel."


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    grid = {"C": [0.1, 1, 10], "kernel": ["wide", "narrow"]}
    markup = explorer(draw, grid, "svm", "A line", width=2, height=1).markup
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    path.write_text(PAGE.format(static=STATIC.as_uri(), body=markup), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    with closing(chromium.new_page()) as page:
        page.goto(address)
        yield page


def shown(tab):
    return tab.locator(".explorer img").evaluate_all("all => all.flatMap((f, i) => f.checkVisibility() ? [i] : [])")


def test_the_keyboard_walks_through_all_states(tab):
    assert shown(tab) == [0]
    cost, kernel = tab.get_by_label("C", exact=True), tab.get_by_label("kernel")
    cost.press("ArrowRight")
    assert shown(tab) == [2]
    kernel.press("End")
    assert shown(tab) == [3]
    cost.press("End")
    assert shown(tab) == [5]
    kernel.press("ArrowLeft")
    assert shown(tab) == [4]


def test_values_and_sentence_follow_the_sliders(tab):
    tab.get_by_label("C", exact=True).press("End")
    assert tab.locator(".explorer-text").inner_text() == "C = 10, kernel = wide: cost 10 and a wide kernel."
    assert tab.locator(".explorer-text").get_attribute("aria-live") == "polite"
    assert tab.locator(".explorer-value").all_inner_texts() == ["10", "wide"]
    assert [slider.get_attribute("aria-valuetext") for slider in tab.locator("input").all()] == ["10", "wide"]


def test_without_a_script_and_on_paper_the_first_state_is_seen_without_sliders(chromium, address, tab):
    with closing(chromium.new_page(java_script_enabled=False)) as quiet:
        quiet.goto(address)
        assert shown(quiet) == [0]
        assert not quiet.locator("input").first.is_visible()
        assert quiet.locator(".explorer-text").inner_text() == "C = 0.1, kernel = wide: cost 0.1 and a wide kernel."
        assert (
            quiet.locator(".explorer-note").inner_text().startswith("The first of 6 states. Sliders for C and kernel")
        )
    assert tab.locator("input").first.is_visible()
    assert not tab.locator(".explorer-note").is_visible()
    tab.emulate_media(media="print")
    assert not tab.locator("input").first.is_visible()


def test_sliders_are_large_enough_for_a_finger_and_show_their_value(chromium, address):
    with closing(chromium.new_page(viewport={"width": 390, "height": 844})) as phone:
        phone.goto(address)
        for slider in phone.locator("input").all():
            assert slider.bounding_box()["height"] >= 44
        label, value = phone.locator("label").first, phone.locator(".explorer-value").first
        assert value.bounding_box()["y"] < phone.locator("input").first.bounding_box()["y"]
        size = "e => parseFloat(getComputedStyle(e).fontSize)"
        assert value.evaluate(size) > label.evaluate(size)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_player_plays_at_the_chosen_speed(chromium, tmp_path):
    movie = player(lambda fig, i: fig.subplots().plot([0, i]), 40, "film", "A line", width=2, height=1, fps=2.0)
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(static=STATIC.as_uri(), body=movie.markup), encoding="utf-8")
    with closing(chromium.new_page(viewport={"width": 390, "height": 844})) as tab:
        tab.clock.install()
        tab.goto(path.as_uri())
        assert not tab.locator(".anim-note").is_visible()
        for button in tab.locator(".anim-controls button").all():
            assert min(button.bounding_box()[side] for side in ("width", "height")) >= 44
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        tab.get_by_role("button", name="Play").click()
        tab.clock.run_for(2000)
        assert tab.locator("output").inner_text() == "5 / 40"
        tab.get_by_label("Speed").select_option("2×")
        tab.clock.run_for(2000)
        assert tab.locator("output").inner_text() == "13 / 40"
        tab.get_by_role("button", name="Pause").click()
        tab.clock.run_for(2000)
        assert tab.locator("output").inner_text() == "13 / 40"
