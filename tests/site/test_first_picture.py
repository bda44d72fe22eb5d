"""The first picture of a notebook, made small."""

import base64
import io

import pytest
from first_picture import BOX, MARGIN, first_picture, small
from PIL import Image


def png(colour, size=(40, 30), mode="RGB"):
    file = io.BytesIO()
    Image.new(mode, size, colour).save(file, "PNG")
    return file.getvalue()


def figure(data, *tags):
    text = base64.b64encode(data).decode()
    output = {"output_type": "display_data", "data": {"image/png": text, "text/plain": "<Figure>"}}
    return {"cell_type": "code", "metadata": {"tags": [*tags]}, "outputs": [output]}


def frames(kind, *pictures):
    tags = "".join(
        f'<img class="{kind}-frame" alt="" src="data:image/png;base64,{base64.b64encode(each).decode()}">'
        for each in pictures
    )
    return {"cell_type": "code", "metadata": {}, "outputs": [{"data": {"text/html": ["<div>", f"{tags}</div>"]}}]}


TEXT = {"cell_type": "markdown", "metadata": {}, "source": "# Title"}
PRINTED = {"cell_type": "code", "metadata": {}, "outputs": [{"output_type": "stream", "text": "1\n"}]}
RED, BLUE = png("red"), png("blue")


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        ([TEXT, PRINTED, figure(RED, "hide-input"), figure(BLUE)], RED),
        ([figure(RED, "remove-cell"), figure(RED, "remove-output"), figure(BLUE)], BLUE),
        ([frames("anim", BLUE, RED), figure(RED)], BLUE),
        ([frames("explorer", BLUE, RED)], BLUE),
        ([TEXT, PRINTED], None),
    ],
    ids=["figure", "hidden", "animation", "explorer", "none"],
)
def test_the_first_that_is_seen(cells, first):
    assert first_picture({"cells": cells}) == first


def read(copy):
    return Image.open(io.BytesIO(copy.data)).convert("RGB")


def test_white_margins_are_cut_and_the_rest_fits_the_box():
    image = Image.new("RGB", (1200, 900), "white")
    image.paste("navy", (300, 200, 1100, 400))
    file = io.BytesIO()
    image.save(file, "PNG")
    copy = small(file.getvalue())
    assert (copy.width, copy.height) == read(copy).size
    assert copy.width == BOX[0]  # wide: the width decides
    assert copy.width / copy.height == pytest.approx((800 + 2 * MARGIN) / (200 + 2 * MARGIN), rel=0.01)
    assert min(read(copy).getpixel((0, 0))) > 200
    assert max(read(copy).getpixel((copy.width // 2, copy.height // 2))[:2]) < 40


def test_a_tall_picture_fits_too_and_a_small_one_stays_as_it_is():
    tall = small(png("green", (300, 900)))
    assert (tall.height, tall.width < BOX[0]) == (BOX[1], True)
    tiny = small(png("green", (40, 30)))
    assert (tiny.width, tiny.height) == (40 + 2 * MARGIN, 30 + 2 * MARGIN)


def test_what_is_transparent_is_white_and_nothing_drawn_is_no_fault():
    copy = small(png((255, 0, 0, 0), mode="RGBA"))
    assert min(read(copy).getpixel((20, 15))) > 250
    assert (copy.width, copy.height) == (40, 30)


def test_a_palette_is_read_and_the_name_follows_from_the_content(tmp_path):
    image = Image.new("P", (40, 30), 1)
    image.putpalette([255, 255, 255, 200, 0, 0])
    file = io.BytesIO()
    image.save(file, "PNG")
    copy = small(file.getvalue())
    assert read(copy).getpixel((25, 20))[0] > 180
    name = copy.write(tmp_path / "new")
    assert name == small(file.getvalue()).name
    assert name != small(BLUE).name
    assert (tmp_path / "new" / name).read_bytes() == copy.data
