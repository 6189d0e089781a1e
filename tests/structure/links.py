"""links.py ROOT: every relative link of every Markdown file leads to a file or folder, and every anchor to a heading.

Every page of docs/ can be reached from README.md. Links to other hosts are not followed. Names of anchors are made from headings as
on GitHub.
"""

import os
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)"  # [words](target "title")
                  r"|^\s*\[[^\]]+\]:\s+(\S+)"                                                 # [words]: target
                  r"|<(?:a|img)\b[^>]*\b(?:href|src)=\"([^\"]*)\"", re.MULTILINE)
NOT_OURS = re.compile(r"(\.|build|demo$|__pycache__$)")  # folders of the root that are not part of the source


def prose(text):
    """The text without code blocks, inline code and comments, but with the same number of lines."""
    lines, fence, after_blank = [], None, True
    for line in text.splitlines():
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark[1]
            line = ""
        elif fence is not None:
            if mark and mark[1].startswith(fence):
                fence = None
            line = ""
        elif re.match(r"    |\t", line) and after_blank:
            line = ""  # an indented block: a line that follows a blank line or continues such a block
        after_blank = not line.strip()
        lines.append(line)
    text = "\n".join(lines)
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", text)


def anchors(text):
    """Names of the headings of a page, and of its HTML anchors."""
    found, seen = set(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", text)), {}
    for line in code_emptied(text).splitlines():
        heading = re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(name if name not in seen else f"{name}-{seen[name]}")
        seen[name] = seen.get(name, 0) + 1
    return found


def code_emptied(text):
    """The text without fenced blocks, in which # does not begin a heading."""
    return re.sub(r"^ {0,3}(```+|~~~+).*?^ {0,3}\1[^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)


def targets(text):
    """Pairs of line number and target of every link."""
    text = prose(text)
    return [(text.count("\n", 0, link.start(link.lastindex)) + 1, link[link.lastindex])
            for link in LINK.finditer(text) if link.lastindex]


def check(pages, exists):
    """Broken links, as `page:line: message`, and the pages that each page links to.

    pages: {path from the root: text}. exists: whether a path from the root is a file or folder.
    """
    broken, reached = [], {}
    headings = {page: anchors(text) for page, text in pages.items()}
    for page, text in pages.items():
        reached[page] = set()
        for line, target in targets(text):
            if re.match(r"[a-z][a-z+.-]*:|//", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            place = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if place.startswith("..") or os.path.isabs(path) or not exists(place):
                broken.append(f"{page}:{line}: {target}: there is no {place}")
                continue
            readme = os.path.normpath(os.path.join(place, "README.md"))
            shown = place if place in pages else readme
            reached[page].add(shown)
            if anchor and anchor not in headings.get(shown, ()):
                broken.append(f"{page}:{line}: {target}: {shown} has no heading #{anchor}")
    return broken, reached


def unreachable(reached, start="README.md"):
    """Pages of docs/ that cannot be reached from the start by links."""
    seen, rest = set(), [start]
    while rest:
        page = rest.pop()
        if page not in seen:
            seen.add(page)
            rest += reached.get(page, ())
    return [f"{page}: no link leads here from {start}" for page in sorted(reached)
            if page.startswith("docs/") and page not in seen]


def main(root):
    pages = {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not NOT_OURS.match(name))
        for name in sorted(files):
            if name.endswith(".md"):
                path = pathlib.Path(folder, name)
                pages[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
    broken, reached = check(pages, lambda place: (root / place).exists())
    if "README.md" not in pages:
        broken.append(f"no README.md under {root}; is it the project's root?")
    broken += unreachable(reached)
    print("\n".join(broken) or f"every link of {len(pages)} pages leads somewhere")
    return 1 if broken else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: links.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1])))
