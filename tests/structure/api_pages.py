"""api_pages.py ROOT OUTPUT: Doxygen 1.9 makes pages of the public headers and of docs/, without a warning.

Every link and picture of the pages in OUTPUT/html exists. Skipped (77) if that release of Doxygen is not installed: other releases give other
warnings.
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
    """The program of the release; None if there is none."""
    path = shutil.which("doxygen")
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout if path else ""
    return path if said.startswith(RELEASE + ".") else None


def dangling(folder):
    """Links to files that are not among the pages, as `page: target`."""
    found = set()
    for page in sorted(folder.glob("*.html")):
        for target in re.findall(r"<(?:a|img)\b[^>]*\b(?:href|src)=\"([^\"#]+)", page.read_text(encoding="utf-8")):
            target = urllib.parse.unquote(html.unescape(target))
            if not re.match(r"[a-z]+:", target) and not (folder / target).exists():
                found.add(f"{page.name}: {target}")
    return sorted(found)


def faults(program, root, output):
    """What Doxygen warns of, and links of its pages that lead nowhere; the pages lie in output/html."""
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
