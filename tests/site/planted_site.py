"""A small site for the tests of the browser checks: its style, its script, and pages without a fault."""

import base64
import json

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
RED = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

STYLE = """
body { margin: 0; background: #fff; color: #111; font: 16px/1.5 sans-serif; }
html[data-theme="dark"] body { background: #111; color: #eee; }
html[data-theme="dark"] a { color: #9cf; }
html[data-theme="dark"] :is(.cell_output, .anim-player, .explorer, .live) img { filter: invert(1); }
main, header { padding: 8px; }
.shut > .admonition-title ~ * { visibility: hidden; }
.katex-display { overflow-x: auto; display: block; }
div.math { display: flex; flex-direction: row-reverse; }
div.math > .katex-display { flex: 1 1 auto; min-width: 0; }
.base { display: inline-block; white-space: nowrap; }
.quiz-feedback { display: none; }
.quiz-input:checked ~ .quiz-feedback { display: block; }
.quiz-true-false .quiz-verdict-right, .quiz-true-false .quiz-verdict-wrong { display: none; }
.quiz-input.right:checked ~ .quiz-feedback .quiz-verdict-right { display: inline; }
.quiz-input.wrong:checked ~ .quiz-feedback .quiz-verdict-wrong { display: inline; }
.quiz-live { position: absolute; width: 1px; height: 1px; overflow: hidden; }
body.hide-answers :is(.solution, .quiz-feedback) { display: none !important; }
@media print {
  .theme-switch-button, .search-button, .dropdown-download-buttons, .toggle-button, .anim-controls { display: none; }
  .live-stage { display: none; }
  .shut > .admonition-title ~ * { visibility: visible; }
  .quiz-feedback { display: block; }
  .katex-display { overflow: visible; }
  details::details-content { content-visibility: visible; display: block; }
}
"""

SCRIPT = """
const wish = localStorage.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.theme = wish;
addEventListener("DOMContentLoaded", () => {
  const all = (selector) => document.querySelectorAll(selector);
  all(".theme-switch-button").forEach((b) => b.addEventListener("click", () => {
    localStorage.theme = document.documentElement.dataset.theme = "dark"; }));
  all(".search-button").forEach((b) => b.addEventListener("click", () => {
    const field = document.createElement("input"); field.type = "search"; document.body.append(field);
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter") location = "search.html?q=" + field.value; }); }));
  all(".solution.dropdown").forEach((box) => {
    box.querySelector(".toggle-button").addEventListener("click", () => box.classList.toggle("shut")); });
  all(".dropdown-download-buttons > button").forEach((b) => b.addEventListener("click", () => {
    b.nextElementSibling.hidden = false; }));
  const live = document.createElement("div"); live.className = "quiz-live"; live.ariaLive = "polite";
  document.body.append(live);
  all(".quiz:not(.silent) .quiz-input").forEach((i) => i.addEventListener("change", () => {
    live.textContent = i.parentElement.querySelector(".quiz-feedback").innerText; }));
  all(".anim-player:not(.stuck)").forEach((box) => {
    const frames = [...box.querySelectorAll("img")], slider = box.querySelector("input"); let now = 0, timer = null;
    const show = (i) => { now = (i + frames.length) % frames.length; slider.value = now + 1;
      frames.forEach((f, j) => { f.hidden = j !== now; }); };
    box.querySelectorAll("[data-step]").forEach((b) => b.addEventListener("click", () => show(now + +b.dataset.step)));
    slider.addEventListener("input", () => show(slider.value - 1));
    box.querySelector("[data-play]").addEventListener("click", () => {
      timer = timer ? clearInterval(timer) : setInterval(() => show(now + 1), 100); });
  });
  all(".explorer:not(.stuck)").forEach((box) => {
    const frames = [...box.querySelectorAll("img")], slider = box.querySelector("input");
    slider.addEventListener("input", () => {
      frames.forEach((f, j) => { f.hidden = j !== +slider.value; });
      box.querySelector(".explorer-text").textContent = frames[slider.value].alt; });
  });
  all(".live:not(.still)").forEach((box) => {
    const stage = document.createElement("div"); stage.className = "live-stage"; let at = 0;
    stage.innerHTML = '<span class="live-handle" tabindex="0" role="slider" aria-label="point"></span>' +
      '<button>Reset</button><p class="live-says"></p>';
    const [mark, reset, says] = stage.children;
    const show = () => { mark.setAttribute("aria-valuenow", at); mark.setAttribute("aria-valuetext", at);
      says.textContent = "at " + at; };
    mark.addEventListener("keydown", () => { at += box.classList.contains("stuck") ? 0 : 1; show(); });
    reset.addEventListener("click", () => { at = box.classList.contains("lost") ? 9 : 0; show(); });
    box.querySelector("img").hidden = true; box.append(stage); show();
  });
  all(".today").forEach((box) => {
    const bad = (fault) => box.classList.contains(fault);
    box.innerHTML = (bad("idle") ? "" : '<button>Learn 2 new cards</button>') +
      '<div hidden><p class="today-progress">0 of 2</p><p class="today-answer">Two.</p>' +
      '<button>Stop here</button></div>';
    const [learn, session] = box.querySelectorAll("button, div"), answer = box.querySelector(".today-answer");
    learn.addEventListener("click", () => {
      learn.hidden = true; session.hidden = false; answer.hidden = !bad("open"); });
    addEventListener("keydown", ({ key }) => {
      if (key === " " && !bad("shut")) answer.hidden = false;
      if (key === "3" && !bad("stuck")) box.querySelector(".today-progress").textContent = "1 of 2"; });
    box.dataset.ready = "";
  });
  all(".exam-plan").forEach((box) => {
    const bad = (fault) => box.classList.contains(fault), tick = '<input type="checkbox" aria-label="x"';
    box.innerHTML = `<form><input type="date" id="plan-exam" aria-label="Exam">${tick} id="plan-chapter-x">` +
      '<button type="submit">Plan</button></form><div class="plan"></div>';
    const place = box.querySelector(".plan");
    const tell = (n) => { place.querySelector("p").textContent = `9 days; ${n} of 9 done`; };
    box.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (bad("empty")) return;
      place.innerHTML = `<p></p><div class="plan-day">${tick}></div>`; tell(0);
      place.onchange = () => tell(bad("deaf") ? 0 : 1); });
  });
  all(".worksheet-page").forEach((box) => {
    const bad = (fault) => box.classList.contains(fault);
    box.innerHTML = '<select id="worksheet-sheet" aria-label="Sheet"><option>0<option>1</select><div></div>';
    const [sheet, place] = box.children, show = () => { place.innerHTML = `<h2>Worksheet ${sheet.value}</h2>` +
      (bad("full") ? "" : '<div class="worksheet-room">.</div>') + '<h3 class="worksheet-answers">Answers</h3>' +
      `<p>1: ${bad("same") ? 7 : sheet.value}</p>`; place.className = "worksheet"; };
    sheet.addEventListener("change", show); show();
  });
});
"""

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="_static/site.css">
<script src="_static/site.js"></script>{head}</head>
<body>{header}<main><h1>{title}</h1>{body}</main></body></html>"""

BUTTONS = """<header><button class="theme-switch-button">Theme</button>
<button class="search-button">Search</button></header>"""

SEARCH = """<ul id="results"></ul><script>
if (location.search.toLowerCase().includes("everything")) document.getElementById("results").innerHTML =
  '<li><a class="book-search-result" href="clean.html?highlight=x">Everything</a></li>';</script>"""

FIGURE = '<div class="cell_output"><img src="_static/dot.png" alt="{alt}"></div>'

CHOICE = """<div class="quiz quiz-choice {more}" id="q1"><p>Which?</p>
<div class="quiz-options" role="radiogroup" aria-label="Which?">
<div><input type="radio" class="quiz-input" name="q1" id="q1-a" {input}><label for="q1-a">one</label>
<div class="quiz-feedback wrong">{wrong}</div></div>
<div><input type="radio" class="quiz-input" name="q1" id="q1-b" {input}><label for="q1-b">two</label>
<div class="quiz-feedback right">Right. Because.</div></div></div></div>"""

TRUE_FALSE = """<div class="quiz quiz-true-false" id="q2"><p>Is it?</p><div role="radiogroup" aria-label="Is it?">
<input type="radio" class="quiz-input right" name="q2" id="q2-t"><label for="q2-t">True</label>
<input type="radio" class="quiz-input wrong" name="q2" id="q2-f"><label for="q2-f">False</label>
<div class="quiz-feedback"><span class="quiz-verdict-right">Right.</span><span class="quiz-verdict-wrong">Wrong.</span>
It is true.</div></div></div>"""

FOLD = """<details><summary><p class="admonition-title">Show</p><p hidden>Hide</p></summary><p>Because.</p></details>"""

SOLUTION = """<div class="solution dropdown {more}" id="s1"><p class="admonition-title">Solution
<button class="toggle-button">Toggle</button></p><section>{body}</section></div>"""

PLAYER = f"""<div class="anim-player {{more}}" id="anim-p">
<img src="data:image/png;base64,{DOT}" alt="The first of two frames">
<img {{second}} src="data:image/png;base64,{RED}" alt="The second of two frames"><div class="anim-controls">
<button data-step="-1">Previous</button><button data-play>Play</button><button data-step="1">Next</button>
<input type="range" min="1" max="2" value="1" aria-label="Frame"></div></div>"""

EXPLORER = f"""<div class="explorer {{more}}" id="explorer-x">
<img src="data:image/png;base64,{DOT}" alt="a = 1: the first of two states">
<img hidden src="data:image/png;base64,{RED}" alt="a = 2: the second of two states">
<label for="explorer-x-0">a</label><input type="range" id="explorer-x-0" min="0" max="1" value="0">
<p class="explorer-text" aria-live="polite">a = 1: the first of two states</p></div>"""

LIVE = f"""<div class="live {{more}}" id="live-x">
<img class="live-still" src="data:image/png;base64,{DOT}" alt="A point that can be moved"></div>"""

TODAY = '<div class="today {more}"></div>'
PLAN, SHEET = '<div class="exam-plan {more}"></div>', '<div class="worksheet-page {more}"></div>'

DOWNLOAD = """<div class="dropdown-download-buttons"><button>Download</button>
<div hidden><a href="_sources/{stem}.ipynb">notebook</a></div></div>"""

FORMULA = """<div class="math" id="equation-e">{number}<span class="katex-display"><span class="katex">
<span class="katex-html" aria-hidden="true"><span class="base" style="width: {width}px; {more}">{tex}</span></span>
</span></span></div>"""

CLEAN = "".join(
    [
        "<p>Prices of $5; a folder <code>C:\\frac</code> <code>$$x$$</code>, ",
        '<a href="clean.html#equation-e">here</a>, <a href="https://example.org/">elsewhere</a>, ',
        '<a href="other%20page.html">a space</a>, <a href="clean.html#topic=x">a question</a>.</p>',
        FIGURE.format(alt="A cloud of points with two centres"),
        '<p><img src="_static/dot.png" alt="" role="presentation"></p>',
        '<a href="clean.html"><img src="_static/dot.png" alt=""> Logo and its name</a>',
        CHOICE.format(more="", input="", wrong="Wrong. Because not."),
        TRUE_FALSE,
        SOLUTION.format(more="shut", body=f"<p>It is so.</p>{FOLD}"),
        FOLD,
        FOLD.replace("<details>", '<details class="anim-controls">'),  # left out on paper, with its heading
        PLAYER.format(more="", second="hidden"),
        EXPLORER.format(more=""),
        LIVE.format(more=""),
        TODAY.format(more=""),
        PLAN.format(more=""),
        SHEET.format(more=""),
        DOWNLOAD.format(stem="clean"),
        FORMULA.format(width=280, tex="x", more="", number='<span class="eqno">(1)</span>'),
        '<table><tr><th scope="col">a</th></tr><tr><td>1</td></tr></table>',
    ]
)

PALE = '<p style="color: #ccc; background: #fff">pale</p>'
TWICE = '<p id="a">1</p><p id="a">2</p>'


# page: (what stands on it, the checks that must report it and no other, a part of what they say)
def write_page(folder, name, body, header=BUTTONS, head=""):
    title = name.replace("-", " ").capitalize()
    (folder / f"{name}.html").write_text(PAGE.format(title=title, body=body, header=header, head=head))


def write_static(folder):
    (folder / "_static").mkdir()
    (folder / "_static/site.css").write_text(STYLE)
    (folder / "_static/site.js").write_text(SCRIPT)
    (folder / "_static/dot.png").write_bytes(base64.b64decode(DOT))
    (folder / "_static/broken.png").write_bytes(b"no image")
    (folder / "_static/data.json").write_text("{}")


def write_sound_site(folder):
    """A site without a fault; ``clean.html`` has everything that a page may have."""
    write_static(folder)
    (folder / "_sources").mkdir()
    (folder / "_sources/clean.ipynb").write_text(json.dumps({"cells": [{"cell_type": "markdown"}]}))
    write_page(folder, "root", "<p>Text.</p>")
    write_page(folder, "clean", CLEAN + "<!-- the longest page -->" * 400)
    (folder / "clean.html").write_text((folder / "clean.html").read_text().replace("<h1>Clean", "<h1>Everything clean"))
    write_page(folder, "other page", "<p>Text.</p>")
    write_page(folder, "search", SEARCH)
    (folder / "index.html").write_text('<meta http-equiv="Refresh" content="0; url=root.html" />')


def check(folder, *words):
    from tools.site_check.__main__ import parse
    from tools.site_check.workers import check_site

    queries = folder / "queries.yml"
    if not queries.exists():  # those of the book are about the book
        queries.write_text("[]")
    return check_site(folder, parse([str(folder), "--queries", str(queries), *(words or ["--all"])]))


def found(report, page):
    return {(p.check, p.detail) for p in report.problems if p.page == page}
