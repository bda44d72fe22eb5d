"""Markup in which repeated parts are stored once: nothing is lost, and it gets smaller."""

import pytest
from shared_markup import expand, placeholder, share

LETTER = '<span class="mord mathbf">w</span>'
BASE = f'<span class="base">{LETTER}<br>{LETTER}<svg><path d="M0"/></svg></span>'
FORMULA = f'<span class="katex"><math><mi>w</mi></math>{BASE}</span>'
TEXTS = [f"<p>where {FORMULA} is <em>short</em></p>", f"<p>{FORMULA}{FORMULA}</p>", "plain", ""]


def test_all_texts_come_back():
    texts, table = share(TEXTS)
    assert [expand(text, table) for text in texts] == TEXTS


def test_what_repeats_is_there_once():
    texts, table = share(TEXTS)
    everything = "".join([*texts, *table])
    assert everything.count("mathbf") == everything.count("katex") == 1
    assert "<em>short</em>" in texts[0]


def test_a_placeholder_stands_for_a_piece():
    texts, table = share([f"<p>{placeholder(1)}, {placeholder(0)}{placeholder(1)}</p>"], [LETTER, FORMULA])
    assert [expand(text, table) for text in texts] == [f"<p>{FORMULA}, {LETTER}{FORMULA}</p>"]


@pytest.mark.parametrize("markup", ["<p>open", "<p>twice</p></p>"])
def test_markup_that_is_no_tree_is_refused(markup):
    with pytest.raises(ValueError, match=r"closed|opened"):
        share([markup])
