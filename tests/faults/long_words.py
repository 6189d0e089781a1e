"""With paths and names of thousands of characters, the line of an error message stays shorter than a thousand characters."""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "scipy"))
from program import ini, run  # noqa: E402

LONGEST = 1000
LONG_NAME = "n" * 4000
DEEP = "/".join(["d" * 200] * 19)  # below the limit of a path, about 4000
WORDS = [("input", "file"), ("input", "dataset"), ("output", "file"), ("output", "dataset"), ("stencil", "mask")]
problems = []


def sections():
    return {
        "input": {"file": "in.h5", "dataset": "x"},
        "output": {"file": "out.h5"},
        "stencil": {"mask": "1 2 1"},
    }


def check(folder, what, config, ranks=0, arguments=()):
    outcome = run(folder, config, ranks, arguments)
    own = [line for line in outcome.errors if line.startswith("stencil_run:")]
    if outcome.status not in (2, 3) or len(own) != 1 or len(own[0]) >= LONGEST:
        problems.append(f"{what}: {[len(line) for line in own]} characters, {outcome.unexpected()}")


def in_a_deep_folder(folder):
    """Tries files that can be opened but are refused because of their contents, or because they have the name of the output."""
    (folder / "deep").symlink_to(".")
    (folder / "bad.h5").write_text("no HDF5")
    bad = "deep/" * 700 + "bad.h5"
    check(folder, "bad input", ini(sections() | {"input": {"file": bad, "dataset": "x"}}))
    check(folder, "bad mask", ini(sections() | {"stencil": {"mask": f"{bad}:/x"}}))
    check(folder, "output exists", ini(sections() | {"output": {"file": bad}}), ranks=2)
    check(folder, "output is input", ini(sections() | {"output": {"file": "deep/" * 700 + "in.h5"}}))
    lock = folder / "out.h5.lock"
    lock.mkdir()
    check(folder, "a folder as lock", ini(sections() | {"output": {"file": "deep/" * 700 + "out.h5"}}))
    lock.rmdir()


def main():
    with tempfile.TemporaryDirectory(prefix="long") as scratch:
        folder = pathlib.Path(scratch)
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = np.zeros((30, 40), np.float32)
        for section, key in WORDS:
            for text in (LONG_NAME, DEEP, "\x1b" * 4000, f"{DEEP}.h5:/x"):
                changed = sections()
                changed[section] = changed[section] | {key: text}
                if (section, key) != ("output", "dataset") or "\x1b" in text:
                    check(folder, f"{section}.{key} = {text[:8]}", ini(changed))
        check(folder, "report", ini(sections()), arguments=["--report", DEEP])
        check(folder, "configuration", None, arguments=[DEEP])
        check(folder, "option", None, arguments=["--" + LONG_NAME])
        check(folder, "key", ini(sections() | {LONG_NAME: {LONG_NAME: LONG_NAME}}))
        check(folder, "line", LONG_NAME)
        in_a_deep_folder(folder)
    print("\n".join(problems), f"{len(problems)} failed", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
