"""Checks that no two types of the source have the same name in the same namespace.

A program may define a class only once. If two headers define different classes of one name, the compiler does not notice, and the
linker keeps one of the two, so that the destructor of the wrong class runs.

    names.py FOLDER
"""

import collections
import pathlib
import re
import sys

LAYERS = ("framework", "kernels", "io", "drivers")
OWN = "(own)"  # stands for an unnamed namespace, which differs from source to source
# Sources that are compiled at run time, each of them alone.
ALONE = re.compile(r"kernels/generated/.*\.cu$")


def types_of(text):
    """Pairs of namespace and name of the types that a source defines at namespace level."""
    inside = []
    for line in text.splitlines():
        if begin := re.match(r"\s*(?:inline )?namespace ([\w:]*)\s*\{", line):
            inside.append(begin[1] or OWN)
        elif re.match(r"\s*\}\s*// namespace", line) and inside:
            inside.pop()
        elif OWN not in inside and (found := re.match(r"(?:struct|class|union|enum class|enum) (\w+)(?: final)?(?: :[^;]*)? \{", line)):
            yield "::".join(inside), found[1]


def repeated(sources):
    """Types that are defined more than once in {path: text}, a line for each."""
    places = collections.defaultdict(list)
    for path, text in sorted(sources.items()):
        for name in types_of(text):
            places[name].append(path)
    return [f"{space}::{name} is defined in {' and in '.join(paths)}"
            for (space, name), paths in sorted(places.items()) if len(paths) > 1]


def main(folder):
    root = pathlib.Path(folder)
    sources = {}
    for layer in LAYERS:
        for path in (root / layer).rglob("*.[ch]*"):
            name = str(path.relative_to(root))
            if path.suffix in (".hpp", ".cpp", ".cu", ".cuh") and not ALONE.match(name):
                sources[name] = path.read_text()
    wrong = repeated(sources)
    print("\n".join(wrong) or f"the types of {len(sources)} files have names of their own")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
