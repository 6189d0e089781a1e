"""Snapshots: outputs along an additional first axis, time. Each snapshot has the same bits as the output of a run that ends after the
same number of steps. The file has the same bytes for every number of ranks and every decomposition. h5py, and xarray if it is installed,
can read the file while it grows. The last snapshot is that of the last step of the run. Scales of the input stay on their axes.
"""

import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import h5py
import numpy as np

from program import PROGRAM, THOROUGH, environment, in_turn, ini, run

try:
    import h5netcdf  # noqa: F401: xarray reads a growing file with h5netcdf
    import xarray
except ImportError:
    xarray = None
# the Python of the environment that scripts/install_packages --tools makes
TOOLS = pathlib.Path(os.environ.get("STENCIL_TOOLS", pathlib.Path.home() / ".cache/stencil/tools")) / "bin/python"

HERE = pathlib.Path(__file__).resolve().parent
absent = set()  # tools that are not installed
WORDS = {"input": {"file": "in.h5", "dataset": "/g/u"}, "output": {"file": "out.h5", "overwrite": "true"}}
HEAT = {"mask": "0 0.125 0; 0.125 0.5 0.125; 0 0.125 0", "boundary": "zero"}
LAYOUTS = [(0, ""), (2, "1x2"), (3, "3x1"), (4, "2x2"), (5, ""), (6, "2x3")]
LINES = [(3, ""), (4, "")]  # the same for signals


def sections(every, steps, output=(), stencil=(), run_keys=()):
    return {**WORDS, "output": {**WORDS["output"], "snapshot_every": every, **dict(output)},
            "stencil": {**HEAT, "steps": steps, **dict(stencil)}, "run": dict(run_keys)}


def plain(folder, steps, more):
    """Returns the points after a number of steps, computed by a run without snapshots. For 0 steps, this run has a mask that does not
    change the points."""
    words = {**more["stencil"], "steps": steps or 1}
    words.pop("until_change_below", None)
    if steps == 0:
        words["mask"] = "0 1 0;" if words["mask"].count(";") else "0 1 0"
    output = {**more["output"], "file": "plain.h5"}
    output.pop("snapshot_every")
    outcome = run(folder, ini({**more, "output": output, "stencil": words}))
    if outcome.status != 0:
        return outcome.unexpected()
    with h5py.File(folder / "plain.h5") as file:
        return file["g/u"][()]


def times_of(steps, every, end=None):
    last = steps if end is None else end
    return [*range(0, last, every), last]


def check_values(folder):
    wrong = []
    for name, shape, more, expected in [
        ("contiguous", (61, 83), sections(7, 40), times_of(40, 7)),
        ("even", (61, 83), sections(10, 40, stencil={"boundary": "wrap"}), times_of(40, 10)),
        ("every step", (61, 83), sections(1, 5), times_of(5, 1)),
        ("later than the end", (61, 83), sections(100, 5), [0, 5]),
        ("chunks", (61, 83), sections(7, 40, {"chunk": "16x40"}), times_of(40, 7)),
        ("packed", (61, 83), sections(7, 40, {"chunk": "20x83", "compression": "gzip:4"}), times_of(40, 7)),
        ("packed by itself", (61, 83), sections(7, 40, {"compression": "gzip:1"}), times_of(40, 7)),
        ("integers", (61, 83), sections(7, 40, {"dtype": "int16"}), times_of(40, 7)),
        ("float64", (61, 83), sections(7, 40, {"dtype": "float64"}, run_keys={"precision": "float64"}), times_of(40, 7)),
        ("images", (5, 30, 41), sections(7, 20), times_of(20, 7)),
        ("signals", (7, 500), sections(9, 20, stencil={"mask": "0.25 0.5 0.25"}), times_of(20, 9)),
        ("a signal", (5000,), sections(9, 20, stencil={"mask": "0.25 0.5 0.25"}), times_of(20, 9)),
        ("ends early", (61, 83), sections(7, 400, stencil={"until_change_below": "0.5"}, run_keys={"look_every": 10}),
         None),
        ("ends early, packed", (61, 83),
         sections(7, 400, {"compression": "gzip:2"}, {"until_change_below": "0.5"}, {"look_every": 10}), None),
        ("ends early in a snapshot", (61, 83),
         sections(7, 400, {"chunk": "61x20"}, {"until_change_below": "0.5"}, {"look_every": 7}), None),
    ]:
        with h5py.File(folder / "in.h5", "w") as file:
            file["g/u"] = (np.random.default_rng(8).normal(size=shape) * 100).astype(np.float32)
        wrong += [f"{name}: {line}" for line in check_case(folder, shape, more, expected)]
    return wrong


def check_case(folder, shape, more, expected):
    seen = set()
    layouts = LAYOUTS[1:] if len(shape) > 1 else LINES
    for ranks, blocks in ((0, ""), *in_turn(layouts)):
        words = [f"--run.decomposition={blocks}"] if blocks and len(shape) == 2 and shape[0] > 7 else []
        outcome = run(folder, ini(more), ranks, words)
        if outcome.status != 0:
            return [f"{ranks} ranks: {outcome.unexpected()}"]
        seen.add(hashlib.sha256((folder / "out.h5").read_bytes()).hexdigest())
    wrong = [] if len(seen) == 1 else [f"{len(seen)} files of different bytes"]
    with h5py.File(folder / "out.h5") as file:
        data, times, attributes = file["g/u"], file["g/time"][()], dict(file.attrs)
        points, scale = data[()], [dict(axis.items()) for axis in data.dims]
    steps, every = int(more["stencil"]["steps"]), int(more["output"]["snapshot_every"])
    if expected is None:
        end = int(attributes["stencil_steps_done"])
        expected = times_of(steps, every, end)
        if end >= steps:
            wrong.append("did not end early")
    if times.tolist() != expected or points.shape != (len(expected), *shape) or list(scale[0]) != ["time"]:
        return [*wrong, f"times {times.tolist()}, shape {points.shape}, scales {scale}"]
    if attributes["stencil_complete"] != 1:
        wrong.append("not complete")
    last = len(expected) - 1
    for at in in_turn(sorted({0, 1, last - 1, last}), 2):
        one = plain(folder, expected[at], more)
        if isinstance(one, str) or not np.array_equal(one, points[at]):
            wrong.append(f"snapshot {at}, after step {expected[at]}, is not what a run writes: {one}")
    return wrong


def by_vtk(file):
    """Returns (times, points at each time) of an XDMF file, as ParaView's reader reads them; None if ParaView is not installed."""
    found = file.with_suffix(".npz")
    if not os.access(TOOLS, os.X_OK):
        return None
    done = subprocess.run([TOOLS, "-B", HERE / "xdmf_view.py", file, found], capture_output=True, text=True)
    if done.returncode:
        return None if done.returncode == 77 else ([done.stderr.strip().splitlines()[-1]], [])
    with np.load(found) as view:
        seen = list(view["times"]), [view[f"points{n}"] for n in range(len(view["times"]))]
    found.unlink()
    return seen


def by_rules(file):
    """Returns (times, points at each time) of an XDMF file, read according to the XDMF format: a temporal collection of grids, each a
    hyperslab of an HDF5 dataset."""
    times, found = [], []
    for grid in xml.etree.ElementTree.parse(file).findall("./Domain/Grid[@CollectionType='Temporal']/Grid"):
        slab = grid.find("./Attribute[@Center='Node']/DataItem[@ItemType='HyperSlab']")
        selection, heavy = slab.findall("DataItem")
        start, stride, count = np.array(selection.text.split(), int).reshape(3, -1)
        name, path = heavy.text.strip().split(":")
        with h5py.File(file.parent / name) as data:
            points = data[path]
            told = (heavy.get("NumberType")[0].lower(), int(heavy.get("Precision")))
            if told != (points.dtype.kind, points.dtype.itemsize) or \
                    [int(n) for n in heavy.get("Dimensions").split()] != list(points.shape):
                raise ValueError(f"{told} {heavy.get('Dimensions')} of {points.dtype} {points.shape}")
            part = points[tuple(slice(a, a + s * n, s) for a, s, n in zip(start, stride, count))]
        extent = [int(n) for n in grid.find("Topology").get("Dimensions").split()]
        if slab.get("Dimensions") != grid.find("Topology").get("Dimensions"):
            raise ValueError(f"topology {extent}, points {slab.get('Dimensions')}")
        times.append(float(grid.find("Time").get("Value")))
        found.append(part.reshape(extent))
    return times, found


def check_paraview(folder):
    """NAME.xdmf shows the contents of the output, read according to the format, and by ParaView's reader if it is installed."""
    wrong = []
    for shape, output in [((23, 31), {}), ((23, 31), {"compression": "gzip:3", "dtype": "int16"}),
                          ((4, 23, 31), {"chunk": "1x23x31"}), ((200,), {})]:
        with h5py.File(folder / "in.h5", "w") as file:
            file["g/u"] = (np.random.default_rng(3).normal(size=shape) * 100).astype(np.float32)
        mask = {"mask": "0.25 0.5 0.25"} if len(shape) == 1 else {}
        outcome = run(folder, ini(sections(4, 10, output, mask, {"time_step": "0.25 s"})), 2)
        if outcome.status != 0 or not (folder / "out.h5.xdmf").exists():
            return [outcome.unexpected()]
        with h5py.File(folder / "out.h5") as file:
            expected = file["g/u"][()]
        for read, seen in [(read, read(folder / "out.h5.xdmf")) for read in (by_rules, by_vtk)]:
            if seen is None:
                absent.add("vtk")
                continue
            times, points = seen
            same = [np.array_equal(seen.reshape(shape), one) for seen, one in zip(points, expected)]
            if times != [0, 1, 2, 2.5] or len(points) != 4 or not all(same):
                wrong.append(f"{read.__name__} sees times {times} of {shape} {output}, points {same}")
    # A run without snapshots that replaces this output removes its companion out.h5.xdmf. A file of this name that the program did not
    # write is kept.
    for text in (None, "a file of the user's"):
        if text:
            (folder / "out.h5.xdmf").write_text(text)
        outcome = run(folder, ini({**sections(4, 10, stencil=mask), "output": WORDS["output"]}))
        if outcome.status or (folder / "out.h5.xdmf").exists() != bool(text):
            wrong.append(f"the companion of an earlier output: {outcome.unexpected()}")
    (folder / "out.h5.xdmf").unlink()
    return wrong


def check_scales(folder):
    """The scales of the input stay on the same axes, which follow the axis of time; a scale `time` of the input is renamed."""
    with h5py.File(folder / "in.h5", "w") as file:
        file["g/u"] = np.ones((6, 9), np.float32)
        file["g/time"], file["g/x"] = np.arange(6.0), np.arange(9.0) / 2
        for axis, name in enumerate(("time", "x")):
            file[f"g/{name}"].make_scale(name)
            file["g/u"].dims[axis].attach_scale(file[f"g/{name}"])
            file["g/u"].dims[axis].label = f"label {name}"
    outcome = run(folder, ini(sections(2, 6, run_keys={"time_step": "0.5 s"})), 2)
    if outcome.status != 0:
        return [outcome.unexpected()]
    with h5py.File(folder / "out.h5") as file:
        data = file["g/u"]
        scales = [[scale.name for scale in axis.values()] for axis in data.dims]
        labels, own = [axis.label for axis in data.dims], file["g/time"]
        bare = [scale for scale in file["g"] if scale.startswith("axis")]
        good = (not bare and scales == [["/g/time"], ["/g/time_0"], ["/g/x"]] and labels == ["", "label time", "label x"]
                and own[()].tolist() == [0, 1, 2, 3] and own.attrs["units"] == "s"
                and np.array_equal(file["g/x"][()], np.arange(9) / 2))
    return [] if good else [f"scales {scales}, labels {labels}"]


class Growing:
    """A run in progress, in a separate folder."""

    def __init__(self, folder, output, steps):
        with h5py.File(folder / "in.h5", "w") as file:
            file["g/u"] = np.random.default_rng(5).normal(size=(900, 700)).astype(np.float32)
        for name in ("out.h5", "out.h5.xdmf"):
            (folder / name).unlink(missing_ok=True)
        (folder / "config.ini").write_text(ini(sections(50, steps, output)))
        self.part = folder / "out.h5.part"
        self.run = subprocess.Popen([PROGRAM, "config.ini", "--progress=none"], cwd=folder,
                                    env=environment(0, str(folder)), stderr=subprocess.PIPE, text=True)

    def look(self):
        """Returns (times, {time: points}) of the part of the file that is written, as h5py reads it; None if the file cannot be opened at
        this moment."""
        try:
            with h5py.File(self.part, "r") as file:
                times = file["g/time"][()]
                there = np.flatnonzero(~np.isnan(times))
                return times, {times[at]: file["g/u"][at] for at in there[-2:]}
        except (OSError, KeyError, RuntimeError):
            return None

    def look_by_xarray(self):
        try:
            with xarray.open_dataset(self.part, group="g", engine="h5netcdf", decode_times=False) as data:
                there = data["u"].isel(time=np.flatnonzero(~np.isnan(data["time"].values)))
                return {float(there["time"][-1]): there[-1].values} if there.sizes["time"] else {}
        except (OSError, KeyError, RuntimeError):
            return None


GROWN = 40 if THOROUGH else 20  # number of snapshots after the first in a file that is read while it grows


def check_growing(folder, output):
    """The readable part of a growing file agrees with the finished file, and the number of snapshots never
    decreases."""
    growing, seen, counts = Growing(folder, output, 50 * GROWN), {}, []
    while growing.run.poll() is None:
        found = growing.look()
        if found:
            counts.append(int(np.count_nonzero(~np.isnan(found[0]))))
            if not np.array_equal(found[0][:counts[-1]], 50.0 * np.arange(counts[-1])):
                return [f"{output}: times {found[0]}"]
            seen.update(found[1])
        if xarray:
            seen.update(growing.look_by_xarray() or {})
        time.sleep(0.002)
    errors = growing.run.stderr.read()
    if growing.run.returncode != 0:
        return [f"{output}: {errors}"]
    wrong = []
    if counts != sorted(counts) or len(set(counts) - {0, GROWN + 1}) < 2:
        wrong.append(f"{output}: snapshots as they were seen: {sorted(set(counts))}")
    with h5py.File(folder / "out.h5") as file:
        for when, points in seen.items():
            if not np.array_equal(points, file["g/u"][int(when) // 50]):
                wrong.append(f"{output}: what was seen of step {when} is not what the file has")
    return wrong


def check_ended(folder):
    """A run that is ended by a signal leaves no files."""
    growing = Growing(folder, {}, 400000)
    while growing.run.poll() is None:
        found = growing.look()
        if found and np.count_nonzero(~np.isnan(found[0])) > 2:
            break
    growing.run.send_signal(signal.SIGTERM)
    growing.run.communicate()
    left = [path.name for path in folder.iterdir() if path.name.startswith("out.h5")]
    return [] if growing.run.returncode == 143 and not left else [f"{growing.run.returncode}, left: {left}"]


def check_refusals(folder):
    with h5py.File(folder / "in.h5", "w") as file:
        file["g/u"] = np.ones((40, 50), np.float32)
    wrong = []
    for words, said in [
        (["--stencil.steps=1", "--stencil.extent=valid"], "snapshots are of one shape from the input on"),
        (["--stencil.steps=1", "--stencil.stride=2"], "snapshots are of one shape"),
        (["--output.snapshot_every=-1"], "out of range"),
        (["--run.time_step=0.1"], "a number and its unit"),
        (["--run.time_step=0 s"], "> 0"),
        (["--run.snapshot_every=3"], "snapshot_every"),
        (["--output.chunk=1x20x20"], "a snapshot has 2 axes"),
        (["--run.memory=24KiB"], "for the world at once"),
    ]:
        outcome = run(folder, ini(sections(2, 6)), 0, words)
        if outcome.status not in (2, 4) or len(outcome.errors) != 1 or said not in outcome.errors[0]:
            wrong.append(f"{words}: {outcome.unexpected()}")
    (folder / "new.h5.xdmf").write_text("precious")
    outcome = run(folder, ini(sections(2, 6)), 0, ["--output.file=new.h5", "--output.overwrite=false"])
    if outcome.status != 3 or (folder / "new.h5.xdmf").read_text() != "precious" or (folder / "new.h5").exists():
        wrong.append(f"a companion that exists: {outcome.unexpected()}")
    plan = run(folder, ini(sections(2, 7)), 0, ["--check"])
    if "out.h5:/g/u  5x40x50 float32" not in plan.stdout:
        wrong.append(f"--check: {plan.stdout}")
    return wrong


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong = check_values(folder) + check_scales(folder)
        for output in [{}, {"chunk": "100x700"}, {"compression": "gzip:1"}]:
            wrong += check_growing(folder, output)
        wrong += check_ended(folder) + check_refusals(folder)
    for line in wrong:
        print(line)
    if xarray is None:
        absent.add("xarray")
    print(f"{len(wrong)} wrong{f'; not installed, and not tried: {sorted(absent)}' if absent else ''}")
    return 1 if wrong else 0


def only_paraview():
    """ParaView's reader as a separate test, so that CTest reports it as skipped if ParaView is not installed."""
    with tempfile.TemporaryDirectory() as name:
        wrong = check_paraview(pathlib.Path(name))
    if absent:
        print("SKIPPED: no reader of XDMF (scripts/install_packages --tools brings VTK's)")
        return 77
    print("\n".join(wrong) or "VTK's reader has the times and points of the outputs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(only_paraview() if sys.argv[1:] == ["paraview"] else main())
