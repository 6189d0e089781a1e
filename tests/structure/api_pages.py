"""api_pages.py ROOT OUTPUT: makes pages of the public headers and of docs/ with Doxygen 1.9, which must not print a warning.

All links and pictures of the pages in OUTPUT/html must exist. The exit status is 77 (skipped) if this release of Doxygen is
not installed, because other releases print other warnings.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

RELEASE = "1.9"


def doxygen():
    """The path of this release of Doxygen; None if it is not installed."""
    path = shutil.which("doxygen")
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout if path else ""
    return path if said.startswith(RELEASE + ".") else None


def dangling(folder):
    """Links to files that do not exist, as `page: target`."""
    found = set()
    for page in sorted(folder.glob("*.html")):
        for target in re.findall(r"<(?:a|img)\b[^>]*\b(?:href|src)=\"([^\"#]+)", page.read_text(encoding="utf-8")):
            target = urllib.parse.unquote(html.unescape(target))
            if not re.match(r"[a-z]+:", target) and not (folder / target).exists():
                found.add(f"{page.name}: {target}")
    return sorted(found)


def faults(program, root, output):
    """Writes the pages to output/html. Returns the warnings of Doxygen, and the broken links of the pages."""
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    settings = (root / "docs" / "Doxyfile").read_text() + f'\nOUTPUT_DIRECTORY = "{output}"\n'
    ran = subprocess.run([program, "-"], cwd=root, input=settings, capture_output=True, text=True)
    said = ran.stderr.splitlines()
    if ran.returncode and not said:
        said = [f"doxygen ends with status {ran.returncode}"]
    return said + [f"a link leads nowhere: {link}" for link in dangling(output / "html")]


def main(root, output):
    program = doxygen()
    if program is None:
        print(f"SKIPPED: no doxygen {RELEASE}: scripts/install_packages brings it on Debian 12")
        return 77
    wrong = faults(program, root, output)
    print("\n".join(wrong) or f"pages without a warning: {output / 'html' / 'index.html'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: api_pages.py ROOT OUTPUT")
    sys.exit(main(*(pathlib.Path(word).resolve() for word in sys.argv[1:])))
