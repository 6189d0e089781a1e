"""The examples of docs/other_tools.md: the Python code of each section and its configuration give the same numbers."""

import os
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import run

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "other_tools.md"
failures = []


def blocks(text):
    """The indented blocks of a text. Empty lines belong to the surrounding block, but a `[section]` line ends Python code and begins a new block."""
    found = [[]]
    for line in text.splitlines():
        if line.startswith("    "):
            begins = re.fullmatch(r"    \[\w+(\.\w+)?\]", line) and found[-1] and not found[-1][0].startswith("[")
            if begins:
                found.append([])
            found[-1].append(line[4:])
        elif line.strip() and found[-1]:
            found.append([])
        elif found[-1]:
            found[-1].append("")
    return ["\n".join(block) + "\n" for block in found if block]


def check(title, text, folder):
    margin = re.search(r"except\s+for (\d+) points? at each edge", text)
    own = blocks(text)
    configs = [block for block in own if block.startswith("[")]
    if len(configs) != 1:
        failures.append(f"{title}: {len(configs)} configurations")
        return
    dataset = re.search(r"^dataset = (.*)$", configs[0], re.M)[1]
    with h5py.File("data.h5") as file:
        words = {"x": file[dataset][:]}
    for block in own:
        if block is not configs[0]:
            exec(compile(block, title, "exec"), words)
    outcome = run(folder, configs[0])
    if outcome.status != 0:
        failures.append(f"{title}: {outcome.unexpected()}")
        return
    with h5py.File(folder / "out.h5") as file:
        result = file[dataset][:]
    (folder / "out.h5").unlink()
    expected, most = words["expected"], int(margin[1]) if margin else 0
    if result.shape != expected.shape:
        failures.append(f"{title}: shape {result.shape}, not {expected.shape}")
        return
    inner = tuple(slice(most, -most or None) for _ in result.shape)
    if (np.isnan(result) != np.isnan(expected)).any():
        failures.append(f"{title}: other points are missing")
    difference = np.nanmax(np.abs(result[inner] - expected[inner]))
    if not difference < 1e-10:
        failures.append(f"{title}: differs by {difference}")
    if most and not np.nanmax(np.abs(result - expected)) > 1e-10:
        failures.append(f"{title}: the edges are the same, too: mend the page")


def main():
    head, *sections = re.split(r"^## ", PAGE.read_text(), flags=re.M)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for block in blocks(head):
            exec(compile(block, "head", "exec"), {})
        for section in sections:
            title, _, text = section.partition("\n")
            check(title, text, pathlib.Path(name))
        os.chdir("/")
    print("\n".join(failures) or f"{len(sections)} examples give the numbers of the other tools")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
