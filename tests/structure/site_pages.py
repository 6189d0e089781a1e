"""site_pages.py ROOT: the navigation of the site names every page once, and only pages that exist.

site_pages.py ROOT FOLDER STENCIL_RUN: builds the site in FOLDER. mkdocs reports broken links and anchors; pages that load something
from another host are reported, too. The exit status is 77 (skipped) if the packages of
docs/site/requirements.txt cannot be installed.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import pages  # noqa: E402

ELSEWHERE = re.compile(r"<(?:script|img|iframe)\b[^>]*\bsrc=\"?(?:https?:)?//|<link\b(?=[^>]*\brel=\"?stylesheet)[^>]*\bhref=\"?(?:https?:)?//")


def navigation(settings):
    """The pages under `nav` in the text of mkdocs.yml, in their order."""
    nav = settings.partition("\nnav:\n")[2]
    return re.findall(r"^ +- (?:.*: )?(\S+\.md) *$", nav, re.M)


def faults(named, known):
    """Compares the navigation with the existing pages. Returns the complaints."""
    found = [f"docs/site/mkdocs.yml: nav does not name {page}" for page in known if page not in named]
    found += [f"docs/site/mkdocs.yml: nav names {page}, which does not exist" for page in sorted(set(named) - set(known))]
    return found + [f"docs/site/mkdocs.yml: nav names {page} twice" for page in sorted(set(named)) if named.count(page) > 1]


def loads_from_elsewhere(folder):
    """Pages of mkdocs that load a script, a picture or a style from another host."""
    return [f"{page.name} loads {found[0]}" for page in sorted(folder.rglob("*.html")) if "api" not in page.parts
            if (found := ELSEWHERE.search(page.read_text(encoding="utf-8")))]


def build(root, folder, program):
    """Builds the site by scripts/site in the folder. Returns the complaints; None if its packages cannot be installed."""
    ran = subprocess.run([root / "scripts" / "site", folder], env={**os.environ, "STENCIL_RUN": program}, capture_output=True, text=True)
    print(ran.stdout + ran.stderr)
    if ran.returncode == 77:
        return None
    if ran.returncode:
        return [f"scripts/site ends with status {ran.returncode}"]
    html = pathlib.Path(folder) / "html"
    missing = [page for page in navigation((root / "docs/site/mkdocs.yml").read_text()) if not (html / page_file(page)).is_file()]
    return [f"no page was made of {page}" for page in missing] + loads_from_elsewhere(html)


def page_file(page):
    """The file that mkdocs writes for a page."""
    return re.sub(r"README\.html$", "index.html", page.removesuffix(".md") + ".html")


def main(root, folder=None, program=None):
    known = [*pages.sources(root), *pages.GENERATED]
    found = faults(navigation((root / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")), known)
    if folder and not found:
        found = build(root, folder, program)
        if found is None:
            print("SKIPPED: the packages of docs/site/requirements.txt cannot be installed")
            return 77
    print("\n".join(found) or f"the navigation names {len(known)} pages")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit("usage: site_pages.py ROOT [FOLDER STENCIL_RUN]")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]))
