"""tutorials.py PAGE [NAME=PATH ...]: runs the commands of docs/tutorials/PAGE.md, and compares the output with the page.

A block of a page is either a file, whose first line is a comment with its name, or is marked `console`. In a `console` block,
lines that begin with `$ ` are commands, and the lines below a command are its output, in which `...` stands for any text.
NAME=PATH makes PATH available as ~/NAME. If a page needs a Python package that is not installed, the exit
status is 77 (skipped).
"""

import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from program import PROGRAM, environment

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials"
LIMIT = 300  # seconds until a command is considered hung


def blocks(text):
    """The fenced blocks of a page, as pairs of language and text."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)


def commands(block):
    """The commands of a console block, as pairs of a command and its output. A backslash at the end of a line continues the command."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n?", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def agrees(expected, printed):
    """True if a text is the expected text, in which `...` stands for any text."""
    expected, printed = ("\n".join(line.rstrip() for line in text.rstrip().splitlines()) for text in (expected, printed))
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), printed, re.S) is not None


def missing_packages(page):
    """Names of Python packages that are imported by files of the page but are not installed."""
    names = {name for language, text in blocks(page) if language == "python" for name in re.findall(r"^(?:import|from) (\w+)", text, re.M)}
    return sorted(name for name in names if importlib.util.find_spec(name) is None)


def words_of(folder, base, links):
    """Returns the environment for the commands of a page, made from `base`: stencil_run and python3 are in PATH, and the home is a folder
    of the test. links: {path relative to the home: target}
    """
    tools = folder / "home" / "bin"
    tools.mkdir(parents=True)
    (tools / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -B "$@"\n')
    (tools / "python3").chmod(0o755)
    for path, target in {"bin/stencil_run": PROGRAM, **links}.items():
        (folder / "home" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "home" / path).symlink_to(target)
    return {**base, "PATH": f"{tools}:{base['PATH']}", "HOME": str(folder / "home"), "MPLBACKEND": "Agg", "COLUMNS": "120"}


def follow(page, folder, words):
    """Writes the files and runs the commands of a page. Returns the differences from the page, as lines."""
    wrong, ran = [], 0
    for language, text in blocks(page):
        name = re.match(r"(?:#|//) (\S+)\n", text)
        if language == "console":
            for command, expected in commands(text):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=words, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                ran += 1
                if done.returncode:
                    return [*wrong, f"$ {command}\nends with status {done.returncode}:\n{done.stdout}"]
                if not agrees(expected, done.stdout):
                    wrong.append(f"$ {command}\nprints\n{done.stdout}instead of\n{expected}")
        elif name:
            (folder / name[1]).write_text(text)
        else:
            wrong.append(f"neither commands nor a file with its name in the first line:\n{text}")
    return wrong or ([] if ran else ["no command was found on the page"])


def follow_page(name, folder, base, links):
    """Follows docs/tutorials/NAME.md in a folder; the files remain there. Returns the differences from the page, as lines."""
    words = words_of(folder, base, links)
    (folder / "work").mkdir()
    return follow((PAGES / f"{name}.md").read_text(encoding="utf-8"), folder / "work", words)


def main(name, links):
    if missing := missing_packages((PAGES / f"{name}.md").read_text(encoding="utf-8")):
        print(f"SKIPPED: {name}.md needs the Python packages {' '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory(prefix="tutorial") as place, tempfile.TemporaryDirectory(prefix="mpi", ignore_cleanup_errors=True) as session:
        wrong = follow_page(name, pathlib.Path(place), environment(1, session), dict(words.split("=", 1) for words in links))
    print("\n".join(wrong) or f"every command of {name}.md prints what the page says")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: tutorials.py PAGE [NAME=PATH ...]")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
