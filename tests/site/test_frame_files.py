"""Frames of animations as files of the site."""

import base64

import pytest

PIXEL = (
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
)
FRAMES = "".join(
    f'<img class="anim-frame"{" hidden=hidden" if i else ""} src="data:image/png;base64,{data.decode()}" alt="{i}">'
    for i, data in enumerate([*PIXEL, PIXEL[0]])
)
OTHER = f'<img class="logo" src="data:image/png;base64,{PIXEL[0].decode()}" alt="logo">'


def page_with(book, notebook_code, markup):
    cell = notebook_code("player()", {"text/html": f'<div class="anim-player">{markup}</div>', "text/plain": "<a>"})
    book.notebook("part/page.ipynb", "# Page\n", cell)
    return book.build()


@pytest.fixture
def book(new_book):
    return new_book(["katex_math", "frame_files"], ["part/page"])


def test_each_frame_is_a_file_with_its_bytes(book, notebook_code):
    page = page_with(book, notebook_code, FRAMES).soup("part/page")
    assert not book.warnings
    frames = page.select("img.anim-frame")
    assert [(frame["loading"], frame.has_attr("hidden"), frame["alt"]) for frame in frames] == [
        ("lazy", False, "0"),
        ("lazy", True, "1"),
        ("lazy", True, "2"),
    ]
    files = [(book.root / "out/html/part" / frame["src"]).resolve() for frame in frames]
    assert [file.read_bytes() for file in files] == [base64.b64decode(PIXEL[i]) for i in (0, 1, 0)]
    assert files[0] == files[2] != files[1]
    assert "data:image" not in book.page("part/page")


def test_the_script_is_on_pages_with_frames_only(book, notebook_code):
    page_with(book, notebook_code, FRAMES)
    assert ["frames.js" in book.page(name) for name in ("intro", "part/page")] == [False, True]


def test_an_explorer_has_files_too(book, notebook_code):
    frames = FRAMES.replace("anim-frame", "explorer-frame")
    page_with(book, notebook_code, f'<div class="explorer" id="explorer-a">{frames}</div>')
    assert "data:image" not in book.page("part/page")


def live(idea):
    still = FRAMES.partition(">")[0].replace("anim-frame", "live-still") + ">"
    return f'<div class="live" id="live-{idea}" data-live="{idea}">{still}</div>'


def test_a_live_figure_has_its_picture_at_once_and_the_script_of_its_idea(book, notebook_code):
    for name in ("live.css", "live/figure.js", "live/street.js", "live/centres.js"):
        book.write(f"static/{name}", "")
    page = page_with(book, notebook_code, live("street") + live("centres")).soup("part/page")
    assert not book.warnings
    assert [image.has_attr("loading") for image in page.select("img.live-still")] == [False, False]
    scripts = [script["src"].partition("static/")[2] for script in page.select("script[src*='live/']")]
    assert [script.partition("?")[0] for script in scripts] == ["live/figure.js", "live/centres.js", "live/street.js"]
    assert {script["src"] for script in page.select("script[src*='live/'][defer]")} == {
        script["src"] for script in page.select("script[src*='live/']")
    }
    assert ["live.css" in book.page(name) for name in ("intro", "part/page")] == [False, True]


def sound(data):
    return f'<p><audio class="sound" controls="controls" src="data:audio/wav;base64,{data}"></audio></p>'


def test_a_sound_is_a_file_with_its_bytes(book, notebook_code):
    data = b"RIFF and so on"
    page = page_with(book, notebook_code, sound(base64.b64encode(data).decode())).soup("part/page")
    assert not book.warnings
    (audio,) = page.select("audio.sound")
    file = (book.root / "out/html/part" / audio["src"]).resolve()
    assert (file.suffix, file.read_bytes()) == (".wav", data)
    assert audio.has_attr("controls")
    assert "frames.js" not in book.page("part/page")


def test_a_sound_that_is_no_data_is_a_warning(book, notebook_code):
    page_with(book, notebook_code, sound("AA!A"))
    assert "a sound is no base64 data: run the notebook again" in book.warnings
    assert "data:audio" in book.page("part/page")


def test_other_pictures_stay_in_the_page(book, notebook_code):
    page = page_with(book, notebook_code, OTHER)
    assert OTHER in page.page("part/page")
    assert "frames.js" not in page.page("part/page")


def test_a_frame_that_is_no_data_is_a_warning(book, notebook_code):
    page_with(book, notebook_code, FRAMES.replace("iVBOR", "iVBO!R", 1))
    assert "no base64 data: run the notebook again" in book.warnings
    assert book.page("part/page").count("data:image") == 1
