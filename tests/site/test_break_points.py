"""Where long identifiers may break."""

import pytest
from break_points import with_breaks


@pytest.mark.parametrize(
    ("word", "marked"),
    [
        ("notes_lib.risk.log_loss", "notes_|lib.|risk.|log_|loss"),
        ("notes_lib.clustering.", "notes_|lib.|clustering.|"),
        ("tests/foundations/test_risk.py", "tests/|foundations/|test_|risk.|py"),
        ("random_state", "random_|state"),
        ("n_clusters", "n_clusters"),  # short
        ("__init_subclass__", "__init_|subclass__"),
        ("sum__of__squares", "sum__|of__|squares"),
        ("LinearDiscriminant", "LinearDiscriminant"),
        ("&lt;0.5&gt;......", "&lt;0.|5&gt;......"),
    ],
)
def test_breaks_stand_after_dots_underscores_and_slashes_inside_a_word(word, marked):
    assert with_breaks(word) == marked.replace("|", "<wbr>")


def test_a_page_keeps_its_words_and_its_listings(new_book):
    book = new_book(["katex_math", "break_points"], ["page"])
    book.write("page.md", "# Page\n\n`notes_lib.risk.log_loss` a_long_name\n\n```\na_long.name_of_code\n```\n")
    page = book.build().soup("page")
    assert not book.warnings
    assert page.select_one("code.literal").get_text() == "notes_lib.risk.log_loss"
    assert len(page.select("wbr")) == len(page.select("code.literal wbr")) == 4
