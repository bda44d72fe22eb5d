"""A small book, printed and bound by Chromium and pypdf: what stands in the PDF."""

import base64
import io
import shutil
from pathlib import Path

import pytest

from tools.book_pdf.plan import BIBLIOGRAPHY

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
MARGIN = 19 / 25.4 * 72  # of tools/book_pdf/paper.css, in points
SLACK = 2.0  # widths of glyphs are rounded
KMEANS, GMM = "chapters/clustering/kmeans", "chapters/clustering/gmm"
WIDE = r" + \begin{pmatrix}" + " & ".join(rf"\beta_{{{i}}}^{{(k)}}\delta" for i in range(30)) + r"\end{pmatrix}"
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TOC = {
    "parts": [
        {"caption": "Clustering", "numbered": True, "chapters": [{"file": KMEANS}, {"file": GMM}]},
        {"caption": "Appendix", "chapters": [{"file": BIBLIOGRAPHY}]},
    ]
}
FRAMES = "".join(f'<img alt="Steps (frame {i} of 7)" src="../../_static/dot.png">' for i in range(1, 8))
FIRST = f"""# k-means

(kmeans-why)=
## Why

Café, Čencov, α, ✓ and $\\hat\\mu \\in \\mathbb{{R}}$; [the density](#gmm-density-section), {{doc}}`gmm`,
[the trainer](../revision/trainer), [a work](#work-two), [elsewhere](https://example.org/).

$$
J = \\sum_n x_n {WIDE}
$$ (kmeans-objective)

```{{raw}} html
<div class="anim-player">{FRAMES}</div>
<details class="check-chip"><summary>✓ 2 identities hold on numbers</summary><pre>both sides: 3 = 3</pre></details>
<div class="exercise admonition" id="kmeans-ex">
<p class="admonition-title"><span class="caption-number">Exercise 1.1 </span> Two</p>
<p>The task.</p></div>
<div class="solution admonition dropdown" id="kmeans-so"><p class="admonition-title">Solution</p>
<div><p>The solved task.</p></div></div>
<button class="anim-controls">Play it</button>
```

## Summary

Equation {{eq}}`kmeans-objective` was all.
"""
SECOND = """# Gaussian mixtures

{long}

(gmm-density-section)=
## The density

Back to [why](#kmeans-why).
"""
WORKS = """# Bibliography

```{raw} html
<div class="citation" id="work-one"><p>The work that nobody cites.</p></div>
<div class="citation" id="work-two"><p>The cited work.</p></div>
```
"""


@pytest.fixture(scope="module")
def site(shared_book):
    look = {"html_theme": "sphinx_book_theme", "html_css_files": ["code_view.css", "book.css"]}
    pages = [KMEANS, GMM, "chapters/revision/trainer", BIBLIOGRAPHY]
    book = shared_book(["katex_math", "sphinx_book_theme"], pages, **look)
    for folder in ("katex", "fonts"):
        shutil.copytree(ROOT / "static" / folder, book.root / "static" / folder, dirs_exist_ok=True)
    for style in ("book.css", "code_view.css"):
        shutil.copy(ROOT / "static" / style, book.root / "static")
    (book.root / "static" / "dot.png").write_bytes(base64.b64decode(PICTURE))
    book.write(f"{KMEANS}.md", FIRST)
    book.write(f"{GMM}.md", SECOND.format(long="\n\n".join(f"Paragraph {i}." for i in range(60))))
    book.write("chapters/revision/trainer.md", "# Trainer\n")
    book.write(f"{BIBLIOGRAPHY}.md", WORKS)
    book.build()
    made = book.root / "out" / "html"
    page = made / f"{KMEANS}.html"  # the label is of another page, as sphinxcontrib-bibtex writes it
    page.write_text(page.read_text().replace('href="#work-two"', 'href="../appendix/bibliography.html#work-two"'))
    return made


def bound(site, word, out):
    from pypdf import PdfReader

    from tools.book_pdf.__main__ import make

    config = {"title": "A small book", "author": "Its authors"}
    return PdfReader(io.BytesIO(make(site, TOC, config, word, out).read_bytes()))


@pytest.fixture(scope="module")
def pdf(site, tmp_path_factory):
    return bound(site, "clustering", tmp_path_factory.mktemp("pdf"))


@pytest.fixture(scope="module")
def texts(pdf):
    return [page.extract_text() for page in pdf.pages]


def outline(pdf, entries=None, level=0):
    for entry in pdf.outline if entries is None else entries:
        if isinstance(entry, list):
            yield from outline(pdf, entry, level + 1)
        else:
            yield level, entry.title, pdf.get_destination_page_number(entry)


def page_with(texts, words):
    return next(i for i, text in enumerate(texts) if i and words in text)  # the first page has the contents


def targets(pdf):
    """Pages and addresses that the links of each page lead to."""
    found = []
    for page in pdf.pages:
        notes = [note.get_object() for note in page.get("/Annots", ())]
        inside = [pdf.get_page_number(note["/Dest"][0].get_object()) for note in notes if "/Dest" in note]
        found.append((inside, [note["/A"]["/URI"] for note in notes if "/A" in note]))
    return found


def test_bookmarks_lead_to_the_pages_of_their_headings(pdf, texts):
    marks = list(outline(pdf))
    assert [(level, title) for level, title, _ in marks] == [
        (0, "Contents"),
        (0, "k-means"),
        (1, "Why"),
        (1, "Summary"),
        (1, "Solutions"),
        (0, "Gaussian mixtures"),
        (1, "The density"),
        (0, "Bibliography"),
    ]
    for _, title, page in marks[1:]:
        assert title in texts[page]
    pages = [page for *_, page in marks]
    assert pages == sorted(pages)
    assert len(set(pages)) >= 5


def test_pages_are_numbered_on_the_paper_and_in_the_reader(pdf, texts):
    assert pdf.page_labels == ["i", *(str(i) for i in range(1, len(texts)))]
    for label, text in zip(pdf.page_labels, texts, strict=True):
        assert label in text.split("\n")[:4]
    assert "A small book" in texts[1]
    assert pdf.metadata.title == "Clustering"
    assert pdf.metadata.author == "Its authors"


def test_the_contents_give_the_numbers_and_lead_there(pdf, texts):
    marks = list(outline(pdf))[1:]
    for _, title, page in marks:
        assert f"{title} {pdf.page_labels[page]}" in texts[0].split("\n")
    assert targets(pdf)[0] == ([page for *_, page in marks], [])


def test_links_between_chapters_work_and_others_are_dropped(pdf, texts):
    inside, outside = targets(pdf)[page_with(texts, "elsewhere")]
    density, works = page_with(texts, "The density\n"), page_with(texts, "The cited work.")
    assert inside[:3] == [density, page_with(texts, "Paragraph 0."), works]
    assert outside == ["https://example.org/"]
    assert targets(pdf)[density] == ([page_with(texts, "elsewhere")], [])
    assert "the trainer" in texts[page_with(texts, "elsewhere")].replace("\n", " ")


def test_solutions_stand_behind_the_chapter(texts):
    task, solved, summary = (page_with(texts, words) for words in ("The task.", "The solved task.", "Summary\n"))
    assert task <= summary < solved < page_with(texts, "Paragraph 0.")
    assert sum("The solved task." in text for text in texts) == 1


def test_what_only_a_screen_can_do_is_not_printed(texts):
    text = "\n".join(texts)
    assert "Play it" not in text
    assert "2 identities hold on numbers" in text
    assert "both sides" not in text
    frames = [line.strip() for line in text.split("\n") if "frame" in line]
    assert frames == [f"frame {i} of 7" for i in (1, 4, 7)]


def test_of_the_bibliography_the_cited_works_are_printed(texts):
    assert "The work that nobody cites." not in "\n".join(texts)


def test_every_glyph_is_there_and_none_is_cut(pdf, texts):
    from tests.site.pdf_glyphs import fonts_of, glyphs

    for page, text in zip(pdf.pages, texts, strict=True):
        assert all(font.embedded for font in fonts_of(page))
        drawn = list(glyphs(page))
        assert drawn
        assert not [glyph for glyph in drawn if glyph.number == 0]
        assert min(glyph.left for glyph in drawn) > MARGIN - SLACK
        assert max(glyph.right for glyph in drawn) < float(page.mediabox.width) - MARGIN + SLACK
        assert "\ufffd" not in text
    assert "Café,Čencov,α,✓" in "".join("".join(texts).split())  # pypdf puts spaces where the font changes
    formula = [glyph for glyph in glyphs(pdf.pages[page_with(texts, "elsewhere")]) if "KaTeX" in glyph.font]
    assert len(formula) > 100  # the wide one is there as a whole
    # Chromium would print a page that is too wide smaller
    sizes = [
        max(glyph.size for glyph in glyphs(pdf.pages[page_with(texts, words)])) for words in ("elsewhere", "graph 0.")
    ]
    assert sizes[0] == pytest.approx(sizes[1])


def test_missing_cut_and_small_glyphs_would_be_found(tmp_path):
    from pypdf import PdfReader

    from tests.site.pdf_glyphs import glyphs
    from tools.print_page import new_page

    def drawn(style, text):
        with new_page() as tab:
            tab.set_content(f"<style>@page {{ size: A4; margin: 19mm }} p {{ {style} }}</style><p>{text}</p>")
            tab.pdf(path=str(tmp_path / "bad.pdf"), prefer_css_page_size=True)
        return list(glyphs(PdfReader(tmp_path / "bad.pdf").pages[0]))

    assert [glyph.number == 0 for glyph in drawn("", "a\U0010fffd")] == [False, True]
    assert min(glyph.left for glyph in drawn("margin-left: -12px", "cut")) < MARGIN - SLACK
    fits, wide = drawn("", "wide"), drawn("white-space: nowrap", "wide " * 60)
    assert wide[0].size < 0.9 * fits[0].size


def test_a_chapter_alone_is_a_pdf_as_well(site, tmp_path):
    pdf = bound(site, "gmm", tmp_path)
    assert [title for _, title, _ in outline(pdf)] == [
        "Contents",
        "Gaussian mixtures",
        "The density",
    ]  # it cites nothing
    assert pdf.metadata.title == "Gaussian mixtures"
    assert [outside for _, outside in targets(pdf)] == [[]] * len(pdf.pages)
    assert [path.name for path in tmp_path.iterdir()] == ["gmm.pdf"]
