r"""The book on paper: chapters of the built site as one PDF, ``python3 run.py pdf [part or chapter]``.

``plan``      which pages make up the PDF, in the order of the table of contents
``prepare``   a page as it goes on paper: solutions at its end, moving pictures as three frames, no controls
``press``     Chromium prints the pages, each with the number that follows the last one
``outline``   headings: the bookmarks of the whole and its contents
``binding``   pypdf puts the pages together and leads their links to each other

There is no EPUB beside it, since no tool that was tried makes one in which all formulas are right. Pandoc 3.9, given
the pages with KaTeX's MathML, turns the upright word of ``\mathrm{KL}`` into a product of two numbers and makes bold
italic Greek letters upright; given the TeX it slants ``\mathbf{x}`` and sets the index of ``arg max`` beside the word.
"""
