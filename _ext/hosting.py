"""The buttons of a hosted book: open the notebook elsewhere, edit the page, report a mistake.

One setting turns them on: ``repository: url`` of ``_config.yml``. While it is empty, no page shows one of them and no
address is made up. The buttons are the theme's; here they get the names that say what they do, icons of the book's own
font (``icon_font.py``), and a report that names the page. ``report.js`` adds the section on the screen and the version
of the book (``version_line.py``) when the link is followed.

* Binder and Colab are public services. A JupyterHub is somebody's own: ``launch_buttons: jupyterhub_url`` names it.
* Colab opens notebooks of GitHub only.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from sphinx.errors import ExtensionError

BUTTONS = ("use_repository_button", "use_edit_page_button", "use_issues_button")
SERVICES = {"binderhub_url": "https://mybinder.org", "colab_url": "https://colab.research.google.com"}
ISSUES = {  # where a new issue is written, and what its two fields are called
    "github": ("issues/new", "title", "body"),
    "gitlab": ("-/issues/new", "issue[title]", "issue[description]"),
}
NAMES = {  # of a button of the theme: what it says here, and its icon
    "source-repository-button": ("Repository", "fas fa-code-branch"),
    "source-edit-button": ("Edit this page", "fas fa-pencil"),
    "source-issues-button": ("Report a mistake", "fas fa-circle-exclamation"),
}
GROUPS = {  # of a menu of the theme: its name and its icon
    "source-buttons": ("Edit this page or report a mistake", "fas fa-pencil"),
    "launch-buttons": ("Run this chapter elsewhere", "fas fa-rocket"),
}
SCRIPT = "report.js"


def provider_of(url: str) -> str:
    """Which kind of repository an address leads to, as the theme finds it: by its host."""
    host = url.rstrip("/").rsplit("/", 2)[0].lower()
    found = [provider for provider in ISSUES if provider in host]
    if not url.startswith("https://") or not found:
        raise ExtensionError(
            f"repository: url of _config.yml is {url!r}; it must begin with https:// and lead to GitHub or to a GitLab "
            "whose host has gitlab in its name"
        )
    return found[0]


def switch(app, config) -> None:
    """Turn the buttons of the theme on or off, all by the one setting."""
    options = config.html_theme_options
    url = options.get("repository_url") or ""
    options.update(dict.fromkeys(BUTTONS, bool(url)))
    if not url:
        options["launch_buttons"] = {}
        return
    asked = {key: value for key, value in (options.get("launch_buttons") or {}).items() if value}
    launch = {**SERVICES, **asked, "notebook_interface": "jupyterlab"}
    if provider_of(url) != "github":
        del launch["colab_url"]
    options["launch_buttons"] = launch
    app.add_js_file(SCRIPT, loading_method="defer")


def report_url(repository: str, page: str, title: str) -> str:
    """Where a mistake on a page is reported, with what is known of the page already written."""
    path, name_of_title, name_of_text = ISSUES[provider_of(repository)]
    text = f"Chapter: {title} ({page})\nSection: \nVersion: \n\nWhat is wrong, and what would be right?\n"
    query = urlencode({name_of_title: f"Mistake in: {title}", name_of_text: text}, quote_via=quote)
    return f"{repository.rstrip('/')}/{path}?{query}"


def renamed(button: dict[str, Any]) -> dict[str, Any]:
    """A button of the theme, or a menu with what is in it, under the name and the icon that it has here."""
    if button["type"] == "group":
        tooltip, icon = GROUPS.get(button["label"], (button["tooltip"], button["icon"]))
        return {**button, "tooltip": tooltip, "icon": icon, "buttons": [renamed(inner) for inner in button["buttons"]]}
    if button.get("label") not in NAMES:
        return button
    text, icon = NAMES[button["label"]]
    return {**button, "text": text, "tooltip": text, "icon": icon}


def name_buttons(app, pagename, templatename, context, doctree) -> None:
    """Name the buttons of a page, and let its report say which page it is."""
    repository = app.config.html_theme_options.get("repository_url")
    if not repository or "header_buttons" not in context:
        return
    buttons = [renamed(button) for button in context["header_buttons"]]
    known = pagename in app.env.titles
    title = app.env.titles[pagename].astext() if known else app.config.project
    for button in (inner for group in buttons for inner in group.get("buttons", [])):
        if button.get("label") == "source-issues-button":
            button["url"] = report_url(repository, pagename, title)
    context["header_buttons"] = buttons


def setup(app):
    """Set the theme's options before it reads them, and change its buttons when it has made them."""
    app.connect("config-inited", switch)
    app.connect("html-page-context", name_buttons, priority=502)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
