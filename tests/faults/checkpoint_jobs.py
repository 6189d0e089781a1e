"""Chains of stages for checkpoints.py, whose runs are stopped or killed and then continued."""

from dataclasses import dataclass

import h5py
import numpy as np

from jobs import OUTPUT, write_grid
from program import ini

FIVE = "0 .2 0; .2 .2 .2; 0 .2 0"


@dataclass
class Job:
    """A chain of stages that writes some hundred checkpoints, and the options that its runs may have."""

    stages: list
    every: int  # number of steps from checkpoint to checkpoint
    shape: tuple = (60, 90)
    more: dict = None  # additional sections
    memory: tuple = ()  # memory limits with which the run uses windows or passes

    def config(self):
        sections = {
            "input": {"file": "input.h5", "dataset": "/area/grid"},
            "output": {"file": OUTPUT},
            **{f"stencil.s{n}": keys for n, keys in enumerate(self.stages)},
            **(self.more or {}),
        }
        return ini(sections)


# A run is continued on another backend only if the method is set, because `auto` may choose another method there.
JOBS = {
    "heat": Job([{"mask": FIVE, "steps": "6000"}], 12),
    "stages": Job(
        [
            {"mask": "1 2 1", "steps": "7", "axis": "0", "boundary": "mirror"},
            {"mask": FIVE, "steps": "900", "boundary": "wrap"},
            {"mask": "0.2 0.5 0.3", "steps": "400", "axis": "0", "boundary": "constant", "boundary_value": "1"},
            {"mask": "gaussian", "sigma": "1", "extent": "valid", "method": "separable"},
            {"mask": FIVE, "steps": "300"},
            {"mask": "box", "size": "3", "stride": "2", "method": "direct"},
        ],
        4,
    ),
    "early": Job([{"mask": "gaussian", "sigma": "1", "method": "separable"},
                  {"mask": FIVE, "steps": "2000", "until_change_below": "0.02"}], 4),
    "missing": Job(
        [{"mask": FIVE, "steps": "500"}], 1,
        more={"missing": {"value": "attribute", "policy": "renormalize", "min_valid": "0.3"}},
    ),
    "double": Job(
        [{"mask": "1 2 3; 4 -19 4; 3 2 1", "steps": "2"}, {"mask": FIVE, "steps": "800"}], 2,
        more={"run": {"precision": "float64"}},
    ),
    "packed": Job(
        [{"mask": FIVE, "steps": "1000"}], 3,
        more={"output": {"file": OUTPUT, "chunk": "20x30", "compression": "gzip:4", "dtype": "int16"}},
    ),
    "large": Job([{"mask": FIVE, "steps": "250"}], 2, shape=(3000, 1000), memory=("28MiB", "40MiB")),
}
SWEEP = {"mask": "box", "size": "101", "method": "direct"}
SWEEPS = {
    "rows": Job([SWEEP], 0, shape=(3000, 1000), memory=("40MiB", "60MiB", "100MiB")),
    "chunks": Job(
        [{**SWEEP, "boundary": "wrap"}], 0, shape=(3000, 1000), memory=("40MiB", "60MiB", "100MiB"),
        more={"output": {"file": OUTPUT, "chunk": "100x300"}},
    ),
    "passes": Job([{"mask": FIVE, "steps": "400"}], 0, shape=(3000, 1000), memory=("28MiB", "40MiB")),
    "integers": Job(
        [{**SWEEP, "stride": "2"}], 0, shape=(3000, 1500), memory=("60MiB", "100MiB"),
        more={"output": {"file": OUTPUT, "dtype": "int16"}, "missing": {"value": "attribute"}},
    ),
}

EACH = {"file": OUTPUT, "snapshot_every": "40"}
SNAPSHOTS = {
    "rows": Job([{"mask": FIVE, "steps": "6000"}], 12, more={"output": EACH}),
    "packed": Job(
        [{"mask": FIVE, "steps": "1500"}], 9,
        more={"output": {**EACH, "chunk": "20x30", "compression": "gzip:4", "dtype": "int16", "scale": "0.01 3"},
              "run": {"time_step": "0.5 s"}},
    ),
    "early": Job(
        [
            {"mask": "gaussian", "sigma": "1", "steps": "3", "method": "separable"},
            {"mask": FIVE, "steps": "2000", "until_change_below": "0.02"},
        ],
        4,
        more={"output": {**EACH, "snapshot_every": "7"}, "run": {"look_every": "10"}},
    ),
    "early_packed": Job(
        [{"mask": FIVE, "steps": "2000", "until_change_below": "0.02"}], 5,
        more={"output": {**EACH, "snapshot_every": "9", "compression": "gzip:1"}, "missing": {"value": "attribute"}},
    ),
    "large": Job(
        [{"mask": FIVE, "steps": "170"}], 8, shape=(900, 1100),
        more={"output": {**EACH, "snapshot_every": "12"}},
    ),
    "large_packed": Job(
        [{"mask": FIVE, "steps": "170"}], 8, shape=(500, 600),
        more={"output": {**EACH, "snapshot_every": "12", "chunk": "100x600", "compression": "gzip:1"}},
    ),
}


def unfinished_wrong(folder, right):
    """Checks an unfinished output of snapshots whose run was stopped with a checkpoint: h5py must be able to read snapshots, and
    these snapshots must be equal to those of the correct output. Returns the complaints."""
    part = folder / f"{OUTPUT}.part"
    is_kept = part.exists()
    if is_kept != (folder / "state" / "s.h5").exists():
        return [f"{part.name} is {'' if is_kept else 'not '}there, and the checkpoint is not alike"]
    if not is_kept:
        return []
    try:
        with h5py.File(part) as file, h5py.File(right) as whole:
            here, there = file["area/grid"], whole["area/grid"]
            times = file["area/time"][()]
            count = int(np.count_nonzero(~np.isnan(times)))
            same = np.array_equal(times[:count], whole["area/time"][:count]) and all(
                here[n].tobytes() == there[n].tobytes() for n in range(count))
            is_good = same and count and not file.attrs["stencil_complete"]
            return [] if is_good else [f"{part.name} has {count} snapshots, same: {same}"]
    except (OSError, KeyError, RuntimeError) as error:
        return [f"{part.name} cannot be read: {error}"]


def write_input(job, path):
    write_grid(path, job.shape, {})
    if "missing" in (job.more or {}):
        with h5py.File(path, "r+") as file:
            grid = file["area/grid"]
            grid.attrs["_FillValue"] = grid.dtype.type(-999)
            grid[5:9, 20:40] = -999
