"""Plants faults in a navigation and in pages, and checks that site_pages.py finds them and that pages.py changes the right links."""

import pathlib
import sys
import tempfile

from site_pages import ELSEWHERE, faults, navigation, page_file, pages

NAV = "docs_dir: pages\nnav:\n  - Start: README.md\n  - Reference:\n      - docs/a.md\n      - \"C++: b\": docs/b.md\n"
KNOWN = ["README.md", "docs/a.md", "docs/b.md"]
LOADING = ['<script src="https://a.b/c.js">', '<link href="//a.b/c.css" rel="stylesheet">', '<img alt="a" src="http://a.b/c.png">']
SOUND = ['<script src="assets/c.js">', '<a href="https://a.b/c">', '<link rel="canonical" href="https://a.b/c">', '<img src="c.png">']
LINKS = {"[a](../examples)": "[a](../examples/README.md)", "[a](../examples/#one)": "[a](../examples/README.md#one)",
         "[a](a.md#one)": "[a](a.md#one)", "![a](a.png)": "![a](a.png)", "[a](../LICENSE)": "[a](../LICENSE)", "[a](none)": "[a](none)",
         "[a](https://a.b/c)": "[a](https://a.b/c)"}


def changed_links():
    """Checks the changed links of a page in a small repository. Returns the complaints."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path in ("examples/README.md", "docs/a.md", "docs/a.png", "LICENSE"):
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text("")
        text, files = pages.linked(root, "docs/b.md", "\n".join(LINKS))
        wrong = [f"{link} becomes {new}" for link, new in zip(LINKS, text.splitlines()) if new != LINKS[link]]
        return wrong + ([] if files == {"docs/a.png", "LICENSE"} else [f"files of links: {files}"])


def main():
    wrong = [] if navigation(NAV) == KNOWN else [f"navigation: {navigation(NAV)}"]
    for named, words in ((KNOWN, None), (KNOWN[:2], "does not name docs/b.md"), ([*KNOWN, "docs/c.md"], "names docs/c.md, which"),
                         ([*KNOWN, "docs/a.md"], "docs/a.md twice")):
        found = faults(named, KNOWN)
        if (words and (len(found) != 1 or words not in found[0])) or (not words and found):
            wrong.append(f"{named}: {found}")
    wrong += [f"not found: {text}" for text in LOADING if not ELSEWHERE.search(text)]
    wrong += [f"found by mistake: {text}" for text in SOUND if ELSEWHERE.search(text)]
    if (page_file("README.md"), page_file("docs/a.md"), page_file("a/README.md")) != ("index.html", "docs/a.html", "a/index.html"):
        wrong.append("page_file and mkdocs name different files")
    wrong += changed_links()
    print("\n".join(wrong) or "every planted fault is found")
    return 1 if wrong else 0


sys.exit(main())
