"""pages.py ROOT OUTPUT [STENCIL_RUN]: collects the pages of the site in OUTPUT, from which `mkdocs build` makes HTML.

OUTPUT/mkdocs.yml is a copy of docs/site/mkdocs.yml. OUTPUT/pages has the Markdown files of the repository in their folders, with the
pictures and files to which they link. OUTPUT/pages/reference has generated pages: the options and keys that STENCIL_RUN prints, the
docstrings of the Python package, and, if OUTPUT/api/html exists, the pages that Doxygen made from the C++ headers.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("docs", "examples", "packaging", "framework", "kernels", "io", "drivers", "python")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
GENERATED = ("reference/options.md", "reference/python.md", "reference/cpp.md")
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
MODULES = {"stencil.filters": "as in `scipy.ndimage`", "stencil.signal": "as in `scipy.signal`", "stencil.iteration": "time steps",
           "stencil.masks": "taps of the families of masks", "stencil.labels": "labelled arrays", "stencil.blocks": "arrays of dask",
           "stencil.session": "arrays on several MPI ranks",
           "stencil.program": "runs on files"}


def sources(root):
    """Paths, relative to the root, of the Markdown files that are pages of the site."""
    found = [path.relative_to(root).as_posix() for folder in FOLDERS for path in sorted((root / folder).rglob("*.md"))]
    return [*PAGES, *found]


def linked(root, page, text):
    """The text of a page with links to folders changed into links to their README.md, and the files to which it links."""
    files = set()

    def changed(link):
        opening, target, anchor = link[1], link[2], link[3] or ""
        place = pathlib.Path(os.path.normpath(os.path.join(os.path.dirname(page), target))).as_posix()
        if (root / place / "README.md").is_file():
            return f"{opening}{target.rstrip('/')}/README.md{anchor}"
        if (root / place).is_file() and not place.endswith(".md"):
            files.add(place)
        return link[0]
    return LINK.sub(changed, text), files


def options_page(program):
    """The page of `stencil_run --help`, which prints the table of keys of the program."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    return ("# Options and keys\n\n`stencil_run --help` prints this text. [Configuration](../docs/configuration.md) explains the keys by subject.\n\n"
            f"```text\n{text.rstrip()}\n```\n")


def python_page():
    """A page with a directive for mkdocstrings, which reads the docstrings of the sources, for each module."""
    parts = [f"## {name}: {words}\n\n::: {name}\n" for name, words in MODULES.items()]
    return "# Python functions\n\n[Python](../docs/python.md) introduces the module.\n\n" + "\n".join(parts)


def doxygen_page(api, header):
    """The file to which Doxygen writes the page of a header; if several headers have the same name, the folder precedes the name."""
    names = [part.replace("_", "__").replace(".", "_8") for part in header.split("/")]
    short, long = f"{names[-1]}.html", f"{names[-2]}_2{names[-1]}.html"
    return short if (api / short).is_file() else long


def cpp_page(root, api):
    """A page with links to the pages of Doxygen in the folder `api`, for each header that users include and the headers that it includes."""
    lines = ["# C++ headers\n", "[Library](../docs/library.md) introduces the library.\n"]
    if not api.is_dir():
        return "\n".join([*lines, "The pages of the headers were not built, because Doxygen 1.9 was not found.\n"])
    lines += ["[All files](../api/html/files.html) of the source, and [all classes](../api/html/annotated.html).\n"]
    lines += ["| header | what it includes |", "| --- | --- |"]
    for path in sorted((root / "include" / "stencil").glob("*.hpp")):
        included = re.findall(r'^#include "(.*/.*)"', path.read_text(encoding="utf-8"), re.M)
        shown = [f"[{name}](../api/html/{doxygen_page(api, name)})" for name in included if not name.startswith("include/")]
        lines += [f"| `<stencil/{path.name}>` | {', '.join(shown)} |"] if shown else []
    return "\n".join(lines) + "\n"


def collect(root, output, program):
    """Writes mkdocs.yml and pages/ into the folder `output`, and removes what an earlier call left there."""
    pages = output / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    texts = {page: linked(root, page, (root / page).read_text(encoding="utf-8")) for page in sources(root)}
    for page, (text, _) in texts.items():
        (pages / page).parent.mkdir(parents=True, exist_ok=True)
        (pages / page).write_text(text, encoding="utf-8")
    for place in set().union(*(files for _, files in texts.values())):
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / place, pages / place)
    api = output / "api" / "html"
    if api.is_dir():
        shutil.copytree(api, pages / "api" / "html")
    (pages / "reference").mkdir()
    for page, text in zip(GENERATED, (options_page(program), python_page(), cpp_page(root, api))):
        (pages / page).write_text(text, encoding="utf-8")
    settings = (root / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    (output / "mkdocs.yml").write_text(settings.replace("SOURCE", root.as_posix()), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: pages.py ROOT OUTPUT STENCIL_RUN")
    collect(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]), sys.argv[3])
