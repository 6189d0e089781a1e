"""The lines of --check about a GPU. A run that needs more memory than the GPU has ends before any work, with one line that
contains the needed and the available memory."""

import pathlib
import re
import shutil
import sys
import tempfile

import h5py

from program import ini, run

POINTS = 1 << 37  # half a TiB of float32; the file stores none of them
SECTIONS = {
    "input": {"file": "in.h5", "dataset": "/x"},
    "output": {"file": "out.h5"},
    "stencil": {"mask": "1 2 1", "method": "direct"},
    "run": {"backend": "cuda"},
}


def create_sparse(file, points):
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    creation.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    with h5py.File(file, "w") as opened:
        space = h5py.h5s.create_simple((points,))
        h5py.h5d.create(opened.id, b"x", h5py.h5t.IEEE_F32LE, space, creation)


def wrong_in_plan(folder, ranks):
    """Returns those expected lines, about the GPU and about the limits of the run, that --check does not print."""
    outcome = run(folder, ini(SECTIONS), ranks, ["--check"])
    expected = [
        r"^compute .* on cuda: .* multiprocessors, .* L2 \d+ MiB, constant \d+ KiB, shared \d+ KiB per block "
        r".*, \d+\.\d GiB free",
        r"^memory  .* per rank, and .* of its GPU$",
        r"^limit   .* but the GPUs' memory \(\d+\.\d GB/s\) and multiply-adds \(\d+ G/s, both measured now\)",
    ]
    missing = [line for line in expected if not re.search(line, outcome.stdout, re.M)]
    return [] if outcome.status == 0 and not missing else [outcome.stdout, outcome.unexpected(), *missing]


def wrong_with(outcome, folder):
    """The failures of a refused run; empty if there are none."""
    found = re.fullmatch(
        r"stencil_run: the run needs (\d+) bytes of GPU memory.*, but (\d+) bytes are free there: .*",
        outcome.errors[0] if len(outcome.errors) == 1 else "",
    )
    if outcome.status != 4 or not found:
        return [outcome.unexpected()]
    needed, free = map(int, found.groups())
    left = [path.name for path in folder.iterdir() if path.name.startswith("out.h5")]
    return ([] if needed > free > 0 else [outcome.errors[0]]) + [f"left behind: {name}" for name in left]


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    create_sparse(folder / "in.h5", 1000)
    small = run(folder, ini(SECTIONS), arguments=["--output.file=small.h5"])
    if small.status != 0 and re.search(r"no GPU is visible|without CUDA", small.stderr):
        print(f"SKIPPED: {small.errors[0]}")
        sys.exit(77)
    wrong = [] if small.status == 0 else [small.unexpected()]
    for ranks in (0, 3):
        wrong += wrong_in_plan(folder, ranks)
    create_sparse(folder / "in.h5", POINTS)
    has_room = shutil.disk_usage(folder).free > 4 * POINTS  # with less free space, the run would end because of the disk
    for ranks in (0, 3) if has_room else ():
        wrong += wrong_with(run(folder, ini(SECTIONS), ranks), folder)
found = "; too little of its memory is found before any work" if has_room else (
    f"; NOT TRIED: a run that needs more memory than the GPU has, which wants {4 * POINTS >> 30} GiB free in {folder}")
print("\n".join(wrong) or "plans tell what the GPU is and can do" + found)
sys.exit(1 if wrong else 0)
