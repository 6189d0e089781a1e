"""Runs that continue from files in which one byte is damaged: the output is correct in every case, and a note reports the damage
if the damaged file could have been used.

    flips.py         damages some bytes
    flips.py N       damages every N-th byte outside the points of checkpoints and records, some bytes of the points, and one of
                     16 N bytes of the structure of an unfinished output in windows
"""

import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from jobs import ALONE, LEAN
from program import ini, run

SHIM = os.environ.get("STENCIL_FAULT_SHIM", "")
EACH = int(sys.argv[1]) if sys.argv[1:] else 0  # N; 0: some bytes
FIVE = "0 .2 0; .2 .2 .2; 0 .2 0"
MEMORY = "--run.memory=28MiB"
QUIET = {**LEAN, **ALONE, "OMP_NUM_THREADS": "1"}
random_ = random.Random(45)
problems, seen = [], Counter()


def config(stencil, output, checkpoint):
    return ini({"input": {"file": "in.h5", "dataset": "x"}, "output": {"file": "out.h5", "overwrite": "true", **output},
                "stencil": stencil, "run": {"checkpoint": checkpoint}})


def prepared(folder, shape, stencil, output=()):
    """Makes a folder with an input, a configuration, and the correct output as right.h5."""
    folder.mkdir()
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.random.default_rng(3).standard_normal(shape, dtype="f4")
    outcome = run(folder, config(stencil, dict(output), "none.h5"), 0, ["--progress", "none"])
    if outcome.status:
        sys.exit(outcome.unexpected())
    (folder / "out.h5").rename(folder / "right.h5")
    (folder / "out.h5.xdmf").unlink(missing_ok=True)
    (folder / "config.ini").write_text(config(stencil, dict(output), "state.h5"))


def faulted(folder, call, number, kind, *words):
    """Starts a run that is killed or stopped at a system call."""
    fault = {"STENCIL_FAULT_FOLDER": str(folder), "STENCIL_FAULT_LOG": os.devnull, "STENCIL_FAULT_CALL": call,
             "STENCIL_FAULT_NUMBER": str(number), "STENCIL_FAULT_KIND": kind}
    return run(folder, None, 0, ["config.ini", "--progress", "none", *words], 60, f"export LD_PRELOAD={SHIM};",
               {**QUIET, **fault}.items())


def killed_between(folder, *words):
    """Kills runs at one `rename` after the other, until a run leaves two checkpoints under their final names."""
    kept = {path.name for path in folder.iterdir()}
    for number in range(1, 60):
        faulted(folder, "rename", number, "KILL", *words)
        names = {path.name for path in folder.iterdir()}
        if {"state.h5", "state.h5.previous"} <= names and "state.h5.next" not in names and "out.h5" not in names:
            for name in names:
                if name.endswith((".lock", ".next.part")):
                    (folder / name).unlink()
            return
        for name in names - kept:
            (folder / name).unlink()
    sys.exit("no run was killed between two checkpoints")


def points_of(path):
    """The position of the points in a checkpoint: first and last byte, and the length of the file."""
    with h5py.File(path) as file:
        data = file["points"]
        return data.id.get_offset(), data.id.get_offset() + data.id.get_storage_size(), path.stat().st_size


def places(path, name, most):
    """Positions of bytes to be damaged: up to `most` outside the points, and a few in the points."""
    if name in ("state.h5", "state.h5.previous"):
        first, last, end = points_of(path / name)
    else:
        first = last = end = (path / name).stat().st_size
    outside = [*range(first), *range(last, end)]
    outside = outside[::EACH] if EACH else random_.sample(outside, min(most, len(outside)))
    within = random_.sample(range(first, last), min(last - first, 40 if EACH else 3))
    return outside + within


def flip(file, at):
    """Changes a byte, and restores the times of the file."""
    state = file.stat()
    with file.open("r+b") as stream:
        stream.seek(at)
        byte = stream.read(1)[0]
        stream.seek(at)
        stream.write(bytes([byte ^ 1 << at % 8]))
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def judge(what, folder, words, notes):
    """Runs the program in the folder, and checks its outcome. The run must print at least one
    of the texts `notes`."""
    outcome = run(folder, None, 0, ["config.ini", "--progress", "lines", *words], 120, "", QUIET.items())
    if outcome.status != 0:
        problems.append(f"{what}: {outcome.unexpected()}")
        return
    if (folder / "out.h5").read_bytes() != (folder / "right.h5").read_bytes():
        problems.append(f"{what}: other bytes")
    said = [note for note in notes if note in outcome.stderr]
    if not said:
        problems.append(f"{what}: none of {notes} in {outcome.stderr}")
    seen[f"{what.split(' ')[0]}: {said[0] if said else 'nothing'}"] += 1
    left = {path.name for path in folder.iterdir()} - {"in.h5", "config.ini", "right.h5", "out.h5", "out.h5.xdmf"}
    if left:
        problems.append(f"{what}: left {left}")


def try_copy(template, name, at, notes):
    """Runs the program in a copy of a folder in which one byte is damaged."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "run"
        shutil.copytree(template, folder)
        flip(folder / name, at)
        judge(f"{template.name}/{name} byte {at}", folder, [], notes)


def in_steps(scratch, workers):
    """Damages checkpoints of a run of steps, without and with snapshots, and the record of the snapshots."""
    for kind, output in (("steps", {}), ("snapshots", {"snapshot_every": "10"})):
        template = scratch / kind
        prepared(template, (40, 50), {"mask": FIVE, "steps": "60"}, output)
        killed_between(template, "--run.checkpoint_every=10 steps")
        # the previous checkpoint is not read if the latest checkpoint is undamaged
        tried = {"state.h5": ("skipped a checkpoint: ",), "state.h5.previous": ("continues from ",)}
        if kind == "snapshots":
            tried["state.h5.snapshots"] = ("is damaged: starts from the beginning",)
        for name, notes in tried.items():
            # two bytes of the previous checkpoint suffice, because the program does not read it
            found = places(template, name, 12) if name != "state.h5.previous" else [0, 9000]
            list(workers.map(lambda at: try_copy(template, name, at, notes), found))


def stopped_in_windows(folder):
    """Stops runs at one system call after the other until some windows of the unfinished output are done."""
    for number in range(2, 100, 2):
        outcome = faulted(folder, "pwrite", number, "USR1", MEMORY)
        if re.search("[1-9][0-9]? % of the outputs are done and kept", outcome.stderr):
            return
        for name in ("out.h5", "out.h5.part", "state.h5.windows"):
            (folder / name).unlink(missing_ok=True)
    sys.exit("no run in windows was stopped in time")


def in_windows(scratch):
    """Damages the record of an output in windows, and the structure of that output. The record identifies the file by its inode
    number, so the file is kept under a second name and not copied."""
    folder = scratch / "windows"
    prepared(folder, (3000, 1000), {"mask": "gaussian", "sigma": "2", "method": "direct"})
    stopped_in_windows(folder)
    part, record, kept = folder / "out.h5.part", folder / "state.h5.windows", scratch / "part"
    os.link(part, kept)
    sound = record.read_bytes()

    def again():
        part.unlink(missing_ok=True)
        os.link(kept, part)
        record.write_bytes(sound)

    found = range(0, len(sound), EACH) if EACH else random_.sample(range(len(sound)), 4)
    for at in found:
        again()
        flip(record, at)
        judge(f"windows/{record.name} byte {at}", folder, [MEMORY], ("is damaged: starts from the beginning",))
    with h5py.File(folder / "right.h5") as file:
        first = file["x"].id.get_offset()
    for at in range(0, first, 16 * EACH) if EACH else random_.sample(range(first), 3):
        again()
        flip(kept, at)
        judge(f"windows/{part.name} byte {at}", folder, [MEMORY], ("does not read back as it was written: starts from the beginning",))
        flip(kept, at)
    again()
    judge("windows/sound", folder, [MEMORY, f"--report={scratch}/report.json"], ("",))
    if "resumed" not in (scratch / "report.json").read_text():
        problems.append("windows: the undamaged part was not continued")


def main():
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as workers:
        scratch = pathlib.Path(place).resolve()
        in_steps(scratch, workers)
        in_windows(scratch)
    for what, count in sorted(seen.items()):
        print(f"{count} of {what}")
    print("\n".join(problems[:50]) or "every damaged byte was noticed, and no output has other bytes")
    print(f"{sum(seen.values())} damaged bytes, {len(problems)} not as promised")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
