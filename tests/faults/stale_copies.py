"""If one rank finds a different file with the name, the size and the time of the input, such as an old copy on the disk of one
node, the run ends before it computes anything, with one line that names the rank and its host."""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scipy"))
from program import MPIEXEC, PROGRAM, environment, ini, own_lines  # noqa: E402

SHAPE = (64, 50)
problems = []


def write(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file["x"] = values
    os.utime(path, (1_700_000_000, 1_700_000_000))


def run_in_two_folders(scratch, config):
    """Runs rank 0 in the folder `first` and rank 1 in `second`, so that relative names are different files on the two ranks."""
    (scratch / "first" / "config.ini").write_text(config)
    line = [MPIEXEC, "--oversubscribe", "--bind-to", "none"]
    for name in ("first", "second"):
        line += [] if name == "first" else [":"]
        line += ["-n", "1", "-wdir", str(scratch / name), PROGRAM, "config.ini", "--progress", "none"]
    with tempfile.TemporaryDirectory(prefix="mpi", ignore_cleanup_errors=True) as session:
        ended = subprocess.run(line, env=environment(2, session), cwd=scratch, text=True, capture_output=True, timeout=60)
    return ended.returncode, own_lines(ended.stderr)


def expect(what, condition, outcome):
    if not condition:
        problems.append(f"{what}: {outcome}")


def try_it(what, file, damaged):
    """Runs on two ranks. @param damaged  file of rank 1 that differs by one point; none: both ranks have the same files"""
    values = np.random.default_rng(5).standard_normal((2, *SHAPE)).astype("f4")
    with tempfile.TemporaryDirectory() as place:
        scratch = pathlib.Path(place)
        for n, name in enumerate(("a.h5", "b.h5")):
            write(scratch / "first" / name, values[n])
            other = values[n].copy()
            other[SHAPE[0] - 1, 3] += name == damaged
            write(scratch / "second" / name, other)
            sizes = {(scratch / folder / name).stat().st_size for folder in ("first", "second")}
            expect(what, len(sizes) == 1, f"sizes {sizes}")
        config = ini({"input": {"file": file, "dataset": "x", **({} if file == "a.h5" else {"join": "0"})},
                      "output": {"file": str(scratch / "out.h5")}, "stencil": {"mask": "1"}})
        status, lines = run_in_two_folders(scratch, config)
        left = sorted(path.name for path in scratch.iterdir() if path.name not in ("first", "second"))
        if damaged:
            expect(what, status == 3 and len(lines) == 1, f"status {status}, {lines}")
            expect(what, all(words in "".join(lines) for words in ("rank 1 on ", damaged, "all nodes share")), lines)
            expect(what, not left, f"left {left}")
            return
        expect(what, status == 0 and left == ["out.h5"], f"status {status}, {lines}, left {left}")
        if status == 0:
            with h5py.File(scratch / "out.h5") as output:
                wanted = values[0] if file == "a.h5" else np.concatenate(values)
                expect(what, np.array_equal(output["x"][()], wanted), "other points")


def main():
    for file in ("a.h5", "?.h5"):
        try_it(f"{file}, equal copies", file, None)
        try_it(f"{file}, an old copy", file, "a.h5")
    try_it("the second of two joined files", "?.h5", "b.h5")
    print("\n".join(problems) or "every old copy was noticed")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
