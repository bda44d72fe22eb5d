"""Every page of the built site in a real browser: ``python -m tools.site_check _build/html``.

================================  ====================================================================================
``browser``, ``watcher``          Chromium and a local server; a tab that remembers what went wrong in it
``pages``, ``links``, ``weight``  what can be read from the files: pages, anchors, links, sizes
``rules``, ``facts.js``           what must hold on every page, and the script that collects the facts
``accessibility``                 axe-core, minus ``axe_allowlist.yml``
``features``, ``quiz``, ``paper`` what a reader does: open a solution, play an animation, answer a quiz, print
``visit``                         one page in every mode
``whole_site``                    what is tried once: search, dark switch, PDF, pages without a server
``workers``, ``problems``         several browsers share the pages; what they find, and how it is printed
================================  ====================================================================================
"""
