"""headers.py TREE COMPILER FLAG...: every header installed under TREE/include compiles alone, and according to the compiler the umbrella
headers include all other headers. Without STENCIL_TEST_THOROUGH, only the umbrella headers and every fourth of the other headers
are compiled."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys


def reached(include, umbrellas, compiler):
    """The headers under a folder that are read by a source that includes the umbrella headers."""
    text = "".join(f"#include <{umbrella.relative_to(include)}>\n" for umbrella in umbrellas)
    listed = subprocess.run([*compiler, "-M", "-x", "c++", "-"], input=text, check=True, capture_output=True, text=True)
    words = listed.stdout.replace("\\\n", " ").split()
    return {pathlib.Path(word) for word in words if word.startswith(str(include))}


def complaint(header, include, compiler):
    """The compiler's message about a source that includes only this header; empty if the source compiles."""
    text = f"#include <{header.relative_to(include)}>\n"
    alone = subprocess.run([*compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-"], input=text,
                           capture_output=True, text=True)
    return alone.stderr if alone.returncode else ""


def main(tree, compiler, flags):
    include = pathlib.Path(tree) / "include"
    compiler = [compiler, "-std=c++20", f"-I{include}", *flags]
    headers = sorted(path for path in include.rglob("*") if path.is_file())
    umbrellas = sorted((include / "stencil").glob("*.hpp"))
    below = [header for header in headers if header not in umbrellas]
    compiled = umbrellas + (below if "STENCIL_TEST_THOROUGH" in os.environ else below[::4])
    found = [f"{path}: installed, and not public" for path in set(headers) - reached(include, umbrellas, compiler)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found += filter(None, pool.map(lambda header: complaint(header, include, compiler), compiled))
    if len(umbrellas) < 2 or len(headers) < 20:
        found.append(f"only {len(headers)} headers under {include}")
    print("\n".join(found) or f"{len(compiled)} of {len(headers)} headers compile alone, and all are public")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: headers.py TREE COMPILER FLAG...")
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
