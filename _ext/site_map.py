"""What a search engine and a link preview read, for a book whose address is known.

Two settings of ``_config.yml`` turn it on together: ``repository: url``, and ``html: baseurl``, the address of the
site. ``sitemap.xml`` lists the pages; ``robots.txt`` names it, and is written only for a site at the root of its host,
as nobody reads it elsewhere; each page says its title and address for previews (Open Graph). Without both settings
there is none of this, and no address is made up.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

from markupsafe import escape

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def base(app) -> str:
    """The address of the site with a slash at its end; nothing while one of the settings is empty."""
    config = app.config
    known = config.html_baseurl and config.html_theme_options.get("repository_url")
    return f"{config.html_baseurl.rstrip('/')}/" if known and app.builder.format == "html" else ""


def add_preview(app, pagename, templatename, context, doctree) -> None:
    """Say the title and the address of a page to those that show links with a preview."""
    if not (root := base(app)) or pagename not in app.env.titles:
        return
    said = {
        "og:type": "article",
        "og:site_name": app.config.project,
        "og:title": app.env.titles[pagename].astext(),
        "og:url": root + app.builder.get_target_uri(pagename),
    }
    tags = [f'<meta property="{name}" content="{escape(text)}"/>\n' for name, text in said.items()]
    context["metatags"] = context.get("metatags", "") + "".join(tags)


def write_map(app, exception) -> None:
    """Write the list of pages, and where it is."""
    if exception or not (root := base(app)):
        return
    pages = ElementTree.Element("urlset", xmlns=NAMESPACE)
    for page in sorted(app.env.found_docs):
        ElementTree.SubElement(ElementTree.SubElement(pages, "url"), "loc").text = root + app.builder.get_target_uri(
            page
        )
    out = Path(app.outdir)
    ElementTree.ElementTree(pages).write(out / "sitemap.xml", encoding="utf-8", xml_declaration=True)
    if urlsplit(root).path == "/":
        (out / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {root}sitemap.xml\n", encoding="utf-8")


def setup(app):
    """Connect the two steps."""
    app.connect("html-page-context", add_preview)
    app.connect("build-finished", write_map)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
