"""Small runs of stencil_run with known outcomes: their inputs, and the files that they may leave."""

import json
import os
import pathlib
import sys
from dataclasses import dataclass, field

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scipy"))
from program import ini, run  # noqa: E402

OUTPUT, REPORT = "out.h5", "report.json"
LINES = REPORT.removesuffix(".json") + ".steps.jsonl"
COMPANION = f"{OUTPUT}.xdmf"  # next to an output of snapshots
CHECKPOINTS = ("state.h5", "state.h5.previous", "state.h5.snapshots")
LIMIT = 60  # seconds until a run is considered hung
# These settings disable slow components that are not tested here: other transports, the daemon of a process without
# mpirun, X11.
LEAN = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "HWLOC_COMPONENTS": "-gl"}
ALONE = {"OMPI_MCA_btl": "self", "OMPI_MCA_ess_singleton_isolated": "1"}


@dataclass
class Job:
    """A configuration and its input."""

    output: dict = field(default_factory=dict)  # keys of the section `output`
    layout: dict = field(default_factory=dict)  # layout of the dataset of the input
    stencil: dict = field(default_factory=lambda: {"mask": "gaussian", "sigma": "2"})
    shape: tuple = (64, 96)
    more: dict = field(default_factory=dict)  # further sections, and keys of the section `input`
    is_virtual: bool = False  # the input's points are in a second file
    is_recording: bool = False  # many small datasets, like the header of a recording, are next to the input
    # datasets next to the input have more bytes than its points; some of them are compressed, some are resampled, some
    # are copied unchanged
    is_crowded: bool = False
    is_split: bool = False  # the points of the input are in three files, which are joined
    old_output: bool = False  # a file with the name of the output already exists
    foreign_lock: bool = False  # a run on another host holds the output's lock
    arguments: tuple = ()
    status: int = 0  # exit status of a run without a fault
    ranks: tuple = (0, 2, 4)  # 0: without mpirun

    def config(self):
        name = "virtual.h5" if self.is_virtual else "part*.h5" if self.is_split else "input.h5"
        more = dict(self.more)
        return ini(
            {
                "input": {"file": name, "dataset": "/area/grid", **more.pop("input", {})},
                "output": {"file": OUTPUT, **self.output},
                "stencil": self.stencil,
                **more,
            }
        )


ALONE_ONLY = (0,)
FIVE = "0 .2 0; .2 .2 .2; 0 .2 0"
JOBS = {
    "contiguous": Job(),
    "chunked": Job({"chunk": "16x48"}, {"chunks": (20, 30), "compression": "gzip", "shuffle": True}),
    "gzip": Job({"chunk": "20x40", "compression": "gzip:4"}),
    "overwrite": Job({"overwrite": "true"}, old_output=True, ranks=ALONE_ONLY),
    "existing": Job(old_output=True, status=3, ranks=ALONE_ONLY),
    "locked": Job(foreign_lock=True, status=3, ranks=ALONE_ONLY),
    "virtual": Job(is_virtual=True, ranks=ALONE_ONLY),
    # runs that compute several windows at a time; uncompressed windows bypass the page cache
    "windows": Job(shape=(3000, 1000), arguments=("--run.memory", "28MiB"), ranks=(0, 2)),
    "packed windows": Job(
        {"chunk": "300x500", "compression": "gzip:1"},
        shape=(3000, 1000),
        arguments=("--run.memory", "50MiB"),
        ranks=(0, 2),
    ),
    # passes through scratch files, because one pass applies at most 64 steps
    "passes": Job(
        stencil={"mask": FIVE, "steps": "66"},
        shape=(3000, 1000),
        arguments=("--run.memory", "28MiB"),
        ranks=(0, 2),
    ),
    # if a checkpoint cannot be written, the run prints a note and continues
    "checkpoint": Job(
        stencil={"mask": FIVE, "steps": "60"},
        arguments=("--run.checkpoint", "state.h5", "--run.checkpoint_every", "10 steps"),
        ranks=(0, 2),
    ),
    # outputs with axes and headers: small datasets, attributes and scales of every kind
    "bank": Job(stencil={"mask": "input.h5:/bank[:]"}, ranks=(0, 2)),
    "packed bank": Job(
        {"chunk": "20x40", "compression": "gzip:1"}, stencil={"mask": "input.h5:/bank[1:4]"}, ranks=(0, 2)
    ),
    "strides": Job(
        layout={"chunks": (20, 30), "compression": "gzip"},
        stencil={"mask": "gaussian", "sigma": "2", "stride": "2,3", "extent": "valid"},
        ranks=(0, 2),
    ),
    "selection": Job(more={"input": {"select": "10:60:2, 5:80"}}, ranks=(0, 2)),
    "snapshots": Job(
        {"snapshot_every": "3"},
        stencil={"mask": FIVE, "steps": "10"},
        more={"run": {"time_step": "0.5 s"}},
        ranks=(0, 2),
    ),
    "early snapshots": Job(
        {"snapshot_every": "2", "chunk": "20x40", "compression": "gzip:1"},
        stencil={"mask": FIVE, "steps": "40", "until_change_below": "6"},
        more={"run": {"look_every": "2"}},
        ranks=(0, 2),
    ),
    "recording": Job(
        stencil={"mask": "1 2 1", "axis": "0", "stride": "2"},
        more={"input": {"select": "10:60, 5:80:2"}},
        is_recording=True,
        ranks=(0, 2),
    ),
    # all other contents of the input's file are copied to the output
    "copied rest": Job(
        {"copy": "rest"}, {"chunks": (20, 30), "compression": "gzip"}, is_recording=True, is_crowded=True, ranks=(0, 2)
    ),
    # a run that writes one line for each inspected step to a file next to the report; each checkpoint records the written lines
    "lines": Job(
        {"snapshot_every": "5"},
        stencil={"mask": FIVE, "steps": "10"},
        more={"run": {"look_every": "5"}},
        arguments=("--report", REPORT, "--run.checkpoint", "state.h5", "--run.checkpoint_every", "5 steps"),
        ranks=(0, 2),
    ),
    "packed numbers": Job(
        {"dtype": "int16", "scale": "0.01 0", "chunk": "20x40", "compression": "gzip:1"},
        is_recording=True,
        ranks=(0, 2),
    ),
    "joined": Job({"chunk": "16x48"}, is_split=True, ranks=(0, 2)),
    "report": Job(
        stencil={"mask": "input.h5:/mask"}, arguments=("--report", REPORT), ranks=ALONE_ONLY
    ),
}


def write_grid(path, shape, layout):
    """Writes a dataset with dimension scales and attributes, in a group that also has attributes."""
    y, x = np.ogrid[: shape[0], : shape[1]]
    with h5py.File(path, "w") as file:
        file.attrs["title"] = "a grid to be filtered"
        file["mask"] = np.outer([1.0, 2, 1], [1.0, 4, 1])
        file["bank"] = np.arange(15.0).reshape(5, 3) + 1
        area = file.create_group("area")
        area.attrs["station"] = 7
        points = (np.sin(y * 0.3) * np.cos(x * 0.2) * 100).astype(np.float32)
        grid = area.create_dataset("grid", data=points, **layout)
        grid.attrs["units"] = "K"
        grid.attrs["long_name"] = "temperature"
        for axis, (name, extent) in enumerate(zip(("lat", "lon"), shape)):
            area[name] = np.linspace(-10, 10, extent)
            area[name].attrs["units"] = "degrees"
            area[name].make_scale(name)
            grid.dims[axis].attach_scale(area[name])


def write_recording(path, shape):
    """Adds the header of a recording and variables of the dataset's axes, some of them chunked."""
    with h5py.File(path, "r+") as file:
        area = file["area"]
        header = area.create_group("header")
        header["dt"], header["time"], header["dx"] = 0.002, 1.7e9, 4.0
        header["name"], header["unit"] = np.bytes_("strain rate"), np.bytes_("rad/s")
        header["dataScale"] = 1.0
        header["dimensionSizes"] = np.array(shape)
        header["channels"] = np.arange(shape[1], dtype=np.int32) * 4 + 100
        header["sensitivities"] = np.full((1, 1), 9.36e6)
        header["sensitivities"].attrs["units"] = "rad/m"
        for axis, extent in enumerate(shape):
            of_axis = header.create_group(f"dimensionRanges/dimension{axis}")
            of_axis["min"], of_axis["max"], of_axis["size"], of_axis["unitScale"] = 0, extent - 1, extent, 0.002
        for group in ("acqSpec", "demodSpec"):
            area[f"{group}/rate"] = 500.0
            area[f"{group}/taps"] = np.linspace(0, 1, 300)
            area[f"{group}/taps"].attrs["long_name"] = "weights of the decimation"
        area["fileVersion"] = 8
        for axis, name in enumerate(("lat", "lon")):
            values = np.random.default_rng(axis).random(shape[axis])
            depth = area.create_dataset(f"depth_{name}", data=values, chunks=(7,), compression="gzip")
            depth.make_scale(f"depth_{name}")
            area["grid"].dims[axis].attach_scale(depth)


def write_crowd(path, shape):
    """Adds large variables of the dataset's axes, and a table that belongs to no axis."""
    numbers = np.random.default_rng(1)
    with h5py.File(path, "r+") as file:
        area = file["area"]
        for name, layout in (("packed", {"chunks": (10, 50), "compression": "gzip"}), ("plain", {}), ("chunked", {"chunks": (10, 50)})):
            beside = area.create_dataset(f"crowd/{name}", data=numbers.random(shape), **layout)
            for axis, scale in enumerate(("lat", "lon")):
                beside.dims[axis].attach_scale(area[scale])
        area.create_dataset("crowd/table", data=numbers.random(100_000), chunks=(1000,), compression="gzip")
        area["crowd/words"] = [f"word {n}" for n in range(5000)]
        area.create_dataset("crowd/links", data=[area["lat"].ref], dtype=h5py.ref_dtype)


def write_parts(folder, shape, layout):
    """Writes the dataset as three files, into which it is divided along its first axis."""
    with h5py.File(folder / "input.h5") as whole:
        points, lat = whole["area/grid"][()], whole["area/lat"][()]
    for n, rows in enumerate(np.array_split(np.arange(shape[0]), 3)):
        path = folder / f"part{n}.h5"
        write_grid(path, (len(rows), shape[1]), layout)
        with h5py.File(path, "r+") as file:
            file["area/grid"][...] = points[rows]
            file["area/lat"][...] = lat[rows]


def write_virtual(path, source):
    """Writes the dataset as a virtual dataset, with its upper half in the same file and its lower half in another file."""
    with h5py.File(source) as whole, h5py.File(path, "w", libver="latest") as file:
        points = whole["area/grid"]
        middle = points.shape[0] // 2
        file["upper"] = points[:middle]
        layout = h5py.VirtualLayout(points.shape, points.dtype)
        layout[:middle] = h5py.VirtualSource(".", "upper", shape=(middle, points.shape[1]))
        layout[middle:] = h5py.VirtualSource(source.name, "area/grid", points.shape)[middle:]
        file.create_group("area").create_virtual_dataset("grid", layout)


def write_inputs(job, folder):
    write_grid(folder / "input.h5", job.shape, job.layout)
    if job.is_recording:
        write_recording(folder / "input.h5", job.shape)
    if job.is_crowded:
        write_crowd(folder / "input.h5", job.shape)
    if job.is_split:
        write_parts(folder, job.shape, job.layout)
    if job.is_virtual:
        write_virtual(folder / "virtual.h5", folder / "input.h5")
    if job.old_output:
        write_grid(folder / OUTPUT, (5, 6), {})
    if job.foreign_lock:
        (folder / f"{OUTPUT}.lock").write_text("elsewhere 123 456 - - another-boot pid:[1]\n")
    (folder / "config.ini").write_text(job.config())


def words_of(ranks):
    """Returns the environment variables of a run on `ranks` ranks."""
    return {**LEAN, **({} if ranks else ALONE), "OMP_NUM_THREADS": "1"}


def arguments_of(job):
    return ["config.ini", "--progress", "none", *job.arguments]


def start(job, folder, ranks, preloaded=None, environment=(), more_arguments=(), limit=LIMIT):
    """Runs the job in its folder, with a library preloaded into every rank."""
    words = {**words_of(ranks), **dict(environment)}
    preload = f"export LD_PRELOAD={preloaded};" if preloaded else ""
    return run(folder, None, ranks, arguments_of(job) + [*more_arguments], limit, preload, words.items())


def read_all(folder):
    """The files of a folder, as {name: bytes}."""
    return {p.name: p.read_bytes() if p.is_file() else b"" for p in folder.iterdir()}


def content(path):
    """The contents of an HDF5 file (names, values, attributes, scales), independent of its layout."""
    found = {}

    def visit(name, thing):
        found[name] = sorted((k, str(v)) for k, v in thing.attrs.items())
        if isinstance(thing, h5py.Dataset):
            scales = [sorted(dim.keys()) for dim in thing.dims]
            found[name] += [thing.shape, str(thing.dtype), scales, thing[()].tobytes()]

    with h5py.File(path) as file:
        visit("/", file)
        file.visititems(visit)
    return found


def difference(path, right):
    """Describes how a file differs from the correct file; empty if both have the same bytes."""
    if path.read_bytes() == right.read_bytes():
        return ""
    try:
        here, there = content(path), content(right)
    except Exception as error:  # h5py raises exceptions of nearly every type
        return f"h5py cannot read it: {error}"
    names = [name for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
    return f"differs in {', '.join(names)}" if names else "other bytes, of the same content"


def is_report(path):
    try:
        return isinstance(json.loads(path.read_text()), dict)
    except (OSError, ValueError):
        return False


def own_lines_wrong(outcome):
    """Checks that a failed run prints exactly one error line, and a successful run none. Returns the complaints."""
    said = [line for line in outcome.stderr.splitlines() if line.startswith("stencil_run:")]
    wrong = []
    if len(said) != (outcome.status != 0):
        wrong.append(f"{len(said)} lines begin with 'stencil_run:'")
    if outcome.errors != said:
        wrong.append(f"other lines on stderr: {[line for line in outcome.errors if line not in said]}")
    return wrong


def environment_of(names):
    """Environment variables in the syntax of a shell, to repeat a command by hand."""
    return " ".join(f"{name}={os.environ[name]}" for name in names if name in os.environ)


def is_written(part, share, since=0):
    """Returns whether an unfinished output was changed after `since` (in ns) and contains a given share of the bytes.
    The space for the whole file is reserved before any work, and unwritten bytes read as zeros. For a short time before that, the
    file consists of a header only."""
    try:
        with part.open("rb") as file:
            state = os.fstat(file.fileno())
            file.seek(int(share * state.st_size))
            return state.st_size > 4096 and state.st_ctime_ns >= since and any(file.read(64))
    except FileNotFoundError:
        return False
