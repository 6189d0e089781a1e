"""Parts of datasets (input.select): random slices of random datasets through random chains of stencils.

With edges = boundary, a run writes the same bytes as a run on a file that contains only the slice. With edges = data, a run writes
the same bytes as a chain of runs on the whole file, one for each stage, from whose output NumPy takes the points of the slice.
Then follow slices by coordinates and times, and refused selections, each with one line.

    selections.py [CASES]     40 random cases by default
    selections.py NUMBER only
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from program import PROGRAM, environment, in_turn, ini, run, uses_windows

DATASETS = {"line": (1500,), "grid": (90, 110), "stack": (5, 60, 70)}
MASKS = {
    1: ["1 2 1", "0.25 0.5 -0.25 1", "1 0 0 2 0", "3 1 4 1 5 9 2 6 5"],
    2: ["0 .2 0; .2 .2 .2; 0 .2 0", "1 2 3; 4 5 6", "1 -2 0 3; 0 1 1 1; 2 2 0 5; 1 1 1 1"],
}
BOUNDARIES = ["reflect", "mirror", "nearest", "wrap", "constant"]
problems = []


def write(path, array, layout):
    with h5py.File(path, "w") as file:
        options = {}
        if layout != "contiguous" and array.size:
            options["chunks"] = tuple(max(1, min(n, 17)) for n in array.shape)
        if layout == "gzip":
            options["compression"] = "gzip"
        file.create_dataset("x", data=array, **options)


def sections(files, stages, more, output="out.h5"):
    return ini({"input": {"file": files, "dataset": "/x", **more.get("input", {})},
                "output": {"file": output, "overwrite": "true"},
                **{name: keys for name, keys in more.items() if name != "input"},
                **{f"stencil.s{n}": keys for n, keys in enumerate(stages)}})


def result(folder, files, stages, more, ranks=0, arguments=(), windows=False):
    outcome = run(folder, sections(files, stages, more), ranks, ("--progress", "lines" if windows else "none", *arguments))
    if outcome.status != 0:
        raise RuntimeError(outcome.unexpected())
    if windows and not uses_windows(outcome):
        raise RuntimeError(f"the run with {arguments} did not use windows")
    with h5py.File(folder / "out.h5") as file:
        return file["x"][()]


class Case:
    def __init__(self, number):
        rng = self.rng = random.Random(f"select {number}")
        self.name = rng.choice(list(DATASETS))
        shape = DATASETS[self.name]
        values = np.random.default_rng(number)
        self.whole = values.standard_normal(shape).astype("f4")
        if rng.random() < 0.3:
            self.whole = (100 * self.whole).astype("i2")
        self.more = {}
        if rng.random() < 0.25:
            self.more["missing"] = {"value": str(self.whole.flat[7]), "policy": rng.choice(["propagate", "renormalize"])}
            self.whole.flat[:: rng.randrange(20, 90)] = self.whole.flat[7]
        self.slices = [self.any_slice(n) for n in shape]
        self.edges = rng.choice(["data", "data", "boundary"])
        self.axes = tuple(range(len(shape)))[-2:] if len(shape) > 1 and rng.random() < 0.5 else (rng.randrange(len(shape)),)
        self.stages = [self.any_stage() for _ in range(rng.choice([1, 1, 2, 3]))]
        self.layout = rng.choice(["contiguous", "chunked", "gzip"])
        self.parts = rng.choice([1, 1, 2, 3])
        self.ranks = rng.choice([0, 0, 0, 2, 3])

    def any_slice(self, extent):
        rng = self.rng
        if rng.random() < 0.25:
            return slice(None)
        first = rng.choice([0, rng.randrange(extent), rng.randrange(min(extent, 6))])
        last = rng.choice([extent, rng.randrange(first, extent) + 1, max(first + 1, extent - rng.randrange(5))])
        step = rng.choice([1, 1, 1, 2, 3, rng.randrange(1, max(2, extent // 3))])
        if rng.random() < 0.2 and first > 0:
            first -= extent
        return slice(first, last, step)

    def any_stage(self):
        rng, ways = self.rng, len(self.axes)
        stage = {"mask": rng.choice(MASKS[ways]), "method": "direct",
                 "boundary": " ".join(rng.choice(BOUNDARIES) for _ in range(ways)),
                 "extent": rng.choice(["same", "same", "same", "valid", "full"])}
        if ways == 1:
            stage["axis"] = str(self.axes[0])
        if rng.random() < 0.3:
            stage["stride"] = " ".join(str(rng.randrange(1, 5)) for _ in range(ways))
        elif stage["extent"] == "same" and rng.random() < 0.4:
            # if the sum of the taps is large, more steps would overflow float32
            stage["steps"] = str(rng.choice([2, 5, 8, 20 if "." in stage["mask"] else 3]))
        return stage

    def words(self):
        def text(s):
            return ":".join("" if v is None else str(v) for v in (s.start, s.stop)) + (f":{s.step}" if s.step not in (None, 1) else "")

        return ", ".join(text(s) for s in self.slices)

    def strides(self, stage):
        """The strides of a stage, one for each axis of the dataset."""
        strides = [1] * self.whole.ndim
        for axis, stride in zip(self.axes, stage.get("stride", " ".join("1" for _ in self.axes)).split()):
            strides[axis] = int(stride)
        return strides

    def expected(self, folder):
        cut = self.whole[tuple(self.slices)]
        write(folder / "cut.h5", cut, "contiguous")
        alone = result(folder, "cut.h5", self.stages, self.more)
        if self.edges == "boundary":
            return alone
        # along the axes of the masks: all points of the dataset whose distance from the slice is a multiple of the step of the slice
        bounds = [s.indices(n) for s, n in zip(self.slices, self.whole.shape)]
        lattice = self.whole[tuple(slice(first % step, None, step) if axis in self.axes else slice(first, last, step)
                                   for axis, (first, last, step) in enumerate(bounds))]
        before = [first // step if axis in self.axes else 0 for axis, (first, _, step) in enumerate(bounds)]
        more = dict(self.more)
        for number, stage in enumerate(self.stages):
            write(folder / "lattice.h5", lattice, "contiguous")
            lattice = result(folder, "lattice.h5", [{k: v for k, v in stage.items() if k != "stride"}], more)
            if "missing" in more:
                more["missing"] = {**more["missing"], "value": "nan"}
            strides = self.strides(stage)
            if number + 1 == len(self.stages):
                return lattice[tuple(slice(a, a + s * n, s) for a, s, n in zip(before, strides, alone.shape))]
            lattice = lattice[tuple(slice(a % s, None, s) for a, s in zip(before, strides))]
            before = [a // s for a, s in zip(before, strides)]
        return None

    def found(self, folder):
        if self.parts == 1:
            write(folder / "in.h5", self.whole, self.layout)
            files = "in.h5"
        else:
            borders = [len(self.whole) * n // self.parts for n in range(self.parts + 1)]
            for n in range(self.parts):
                write(folder / f"part{n}.h5", self.whole[borders[n] : borders[n + 1]], self.layout)
            files = "part*.h5"
        more = {**self.more, "input": {"select": self.words(), "edges": self.edges}}
        return result(folder, files, self.stages, more, self.ranks)

    def wrong(self):
        try:
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                try:
                    expected = self.expected(folder)
                except RuntimeError as error:
                    if "leaves nothing" not in str(error):  # this happens if extent = valid, and there are fewer points than taps
                        return str(error)
                    return ""
                found = self.found(folder)
                if found.shape != expected.shape:
                    return f"shape {found.shape}, expected {expected.shape}"
                if found.tobytes() != expected.tobytes():
                    odd = np.argwhere(~((found == expected) | (np.isnan(found) & np.isnan(expected))))
                    return f"{len(odd)} of {found.size} points differ, the first at {odd[:1].tolist()}"
                return ""
        except RuntimeError as error:
            return str(error)

    def __str__(self):
        return (f"{self.name}[{self.words()}], edges = {self.edges}, {self.stages}, {self.more}, {self.layout}, "
                f"{self.parts} files, {self.ranks} ranks")


def expect(name, folder, found, wanted):
    if found.shape != wanted.shape or found.tobytes() != wanted.tobytes():
        problems.append(f"{name}: {found.shape} instead of the {wanted.shape} points")


def outcome_of(folder, select, arguments=(), **more):
    text = sections("in.h5", [{"mask": "1 2 1", "axis": "0", **more.pop("stencil", {})}],
                    {"input": {"select": select, **more.pop("input", {})}, **more})
    return run(folder, text, 0, ("--progress", "none", *arguments))


def expect_refusal(folder, select, *words, **more):
    (folder / "out.h5").unlink(missing_ok=True)
    outcome = outcome_of(folder, select, **more)
    whole = "\n".join(outcome.errors)
    if outcome.status != 2 or len(outcome.errors) != 1 or any(word not in whole for word in words):
        problems.append(f"{select}: wanted status 2 and one line with {words}: {outcome.unexpected()}")
    if (folder / "out.h5").exists():
        problems.append(f"{select}: refused, and wrote an output")


START = np.datetime64("2024-05-01T00:00:00", "us")


def with_scales(path):
    """Writes ten seconds at 100 Hz on 36 latitudes from north to south, and a scale `level` that is neither even nor monotonic."""
    rows = np.random.default_rng(9).standard_normal((1000, 36, 3)).astype("f4")
    with h5py.File(path, "w") as file:
        file["x"] = rows
        file["time"] = np.arange(1000) * 10.0
        file["time"].attrs["units"] = f"milliseconds since {str(START).replace('T', ' ')}"
        file["latitude"] = np.linspace(87.5, -87.5, 36).astype("f4")
        file["latitude"].attrs["units"] = "degrees_north"
        file["level"] = np.array([10.0, 500.0, 20.0])
        for axis, name in enumerate(("time", "latitude", "level")):
            file[name].make_scale(name)
            file["x"].dims[axis].attach_scale(file[name])
    return rows


def check_coordinates(folder):
    rows = with_scales(folder / "in.h5")
    whole = outcome_of(folder, "all")
    with h5py.File(folder / "out.h5") as file:
        wanted = file["x"][()]
    if whole.status:
        problems.append(whole.unexpected())
    cases = {
        "time 2024-05-01T00:00:02.5 .. 2024-05-01T00:00:04": np.s_[250:500],  # until the end of that second
        "time 2024-05-01T00:00:02.5 .. 2024-05-01T00:00:04.0": np.s_[250:401],  # until the end of that millisecond
        "latitude 50 .. 40": np.s_[:, 8:10],  # the range is written in the direction of the axis, which is descending
        "time 2024-05-01T00:00:09.995 ..": None,
        "time .. 30": np.s_[:4],
        "latitude 40 .. 50": np.s_[:, 8:10],  # the latitudes 47.5 and 42.5
        "latitude -85 ..": np.s_[:, :35],
        "7:20:1, latitude 0 .. 2.5, :2": np.s_[7:20, 17:18, :2],
        "latitude 0 .. 10, time 2024-05-01T02:00:01+02:00 .. 2024-05-01T00:00:01.055Z": np.s_[100:106, 16:18],
    }
    for select, place in cases.items():
        if place is None:
            expect_refusal(folder, select, "no point lies in it", "9990 milliseconds since")
            continue
        outcome = outcome_of(folder, select)
        if outcome.status:
            problems.append(f"{select}: {outcome.unexpected()}")
            continue
        with h5py.File(folder / "out.h5") as file:
            expect(select, folder, file["x"][()], wanted[place])
            place = place if isinstance(place, tuple) else (place,)
            for axis, (name, all_values) in enumerate({"time": np.arange(1000) * 10.0,
                                                       "latitude": np.linspace(87.5, -87.5, 36).astype("f4")}.items()):
                if axis < len(place):
                    expect(f"{select}: {name}", folder, file[name][()], all_values[place[axis]])
    expect_refusal(folder, "level 5 .. 30", "neither rise nor fall")
    expect_refusal(folder, "depth 5 .. 30", "depth", "time, latitude, level")
    expect_refusal(folder, "latitude 91 ..", "no point lies in it", "87.5 to -87.5 degrees_north")
    expect_refusal(folder, "latitude north .. 5", "north is not a number")
    expect_refusal(folder, "time yesterday ..", "yesterday", "2024-05-01T00:10")
    expect_refusal(folder, "latitude 1 .. 10, latitude 2 .. 5", "two items are given for axis 1")
    expect_refusal(folder, ":, latitude 1 .. 10, :, :", "4 items", "3 axes")
    expect_refusal(folder, "5:5", "5:5", "1000 points")
    expect_refusal(folder, "5", "5 is not a slice")
    expect_refusal(folder, "5:1:-1", "-1 is out of range")
    expect_refusal(folder, "1:2:3:4", "not a slice")
    expect_refusal(folder, ".. 5", "names no coordinate")
    expect_refusal(folder, "time ..", "no limit")
    for key in ({"output": {"snapshot_every": "2"}}, {"stencil": {"until_change_below": "1e-3"}}):
        name = "snapshot_every" if "output" in key else "until_change_below"
        more = {"stencil": {"steps": "4", **key.get("stencil", {})}}
        if "output" in key:
            more["arguments"] = ("--output.snapshot_every=2",)
        expect_refusal(folder, "5:9", name, "edges = boundary", **more)
        if outcome_of(folder, "5:9", input={"edges": "boundary"}, **more).status:
            problems.append(f"{name}: refused with edges = boundary")


def check_times_without_a_scale(folder):
    """Times without a scale: the times of ProdML, in two files, and the times of a signal for which only the time of its first point is
    given."""
    rows = np.random.default_rng(4).standard_normal((600, 5)).astype("f4")
    for number, first in enumerate((0, 400)):
        with h5py.File(folder / f"das{number}.h5", "w") as file:
            part = rows[first : first + 400]
            raw = file.create_group("Acquisition/Raw[0]")
            raw.attrs["OutputDataRate"] = 200.0
            raw["RawData"] = part
            raw["RawData"].attrs["Dimensions"] = np.array([b"time", b"locus"])
            raw["RawData"].attrs["PartStartTime"] = str(START + np.timedelta64(first * 5000, "us")) + "+00:00"
    text = ini({"input": {"file": "das*.h5", "dataset": "/Acquisition/Raw[0]/RawData",
                          "select": "time 2024-05-01T00:00:01.9 .. 2024-05-01T00:00:02.1, 1:4"},
                "output": {"file": "out.h5", "dataset": "x", "overwrite": "true"}, "stencil": {"mask": "0 1 0"}})
    outcome = run(folder, text, 3)
    if outcome.status:
        problems.append(outcome.unexpected())
    else:
        with h5py.File(folder / "out.h5") as file:
            expect("times of ProdML", folder, file["x"][()], rows[380:421, 1:4])
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = rows[:, 0].copy()
        file["x"].attrs.update(Xspacing=0.25, Xstart=1e9)
    outcome = outcome_of(folder, "time 1000000010 .. 1000000012", stencil={"mask": "0 1 0"})
    if outcome.status:
        problems.append(outcome.unexpected())
    else:
        with h5py.File(folder / "out.h5") as file:
            expect("Xstart", folder, file["x"][()], rows[40:49, 0].copy())
            if file["x"].attrs["Xstart"] != 1e9 + 10:
                problems.append(f"Xstart of the output is {file['x'].attrs['Xstart']}")


def check_windows(folder):
    """Parts that do not fit into memory, with steps, at the ends of the data and far from the ends, on 1 and 3 ranks."""
    rows = np.random.default_rng(6).standard_normal((5000, 2000), dtype="f4")
    for layout in ("contiguous", "gzip"):
        write(folder / "in.h5", rows, "contiguous") if layout == "contiguous" else None
        if layout == "gzip":
            with h5py.File(folder / "in.h5", "w") as file:
                file.create_dataset("x", data=rows, chunks=(100, 500), compression="gzip", compression_opts=1)
        stages = [{"mask": "box", "size": "9", "boundary": "wrap"}, {"mask": "1 2 3 4", "axis": "0", "boundary": "wrap"}]
        wanted = result(folder, "in.h5", stages, {})[2:4900, 3:1900]
        for ranks in in_turn((0, 3)):
            more = {"input": {"select": "2:4900, 3:1900"}}
            expect(f"windows of {layout}, {ranks} ranks", folder,
                   result(folder, "in.h5", stages, more, ranks, ["--run.memory=70MiB"], windows=True), wanted)
        write(folder / "every.h5", rows[1::2, ::3], "contiguous")
        wanted = result(folder, "every.h5", stages, {})[100:2400]
        more = {"input": {"select": "201:4800:2, ::3"}}
        expect(f"every other row, {layout}", folder, result(folder, "in.h5", stages, more, 0, ["--run.memory=45MiB"], windows=True),
               wanted)


def check_long_runs(folder):
    """More steps than one pass over the file can apply, at once and in passes; runs that are stopped and continued on other numbers of ranks."""
    rows = np.random.default_rng(8).standard_normal((3000, 1200), dtype="f4")
    write(folder / "in.h5", rows, "contiguous")
    heat = [{"mask": MASKS[2][0], "steps": "120", "boundary": "mirror"}]
    wanted = result(folder, "in.h5", heat, {})[700:2000, 100:1100]
    more = {"input": {"select": "700:2000, 100:1100"}}
    expect("many steps", folder, result(folder, "in.h5", heat, more, 3), wanted)
    passes = ["--run.memory=29MiB"]
    for ranks in in_turn((0, 2)):
        expect(f"passes, {ranks} ranks", folder, result(folder, "in.h5", heat, more, ranks, passes), wanted)
    (folder / "out.h5").unlink()
    (folder / "config.ini").write_text(sections("in.h5", heat, {**more, "run": {"checkpoint": "state.h5"}}))
    for memory in ([], passes):
        for _ in range(3):
            process = subprocess.Popen([PROGRAM, "config.ini", "--progress", "none", "--run.checkpoint_every=20 steps", *memory],
                                       cwd=folder, env=environment(0, str(folder)), stderr=subprocess.DEVNULL)
            time.sleep(0.15)
            process.send_signal(signal.SIGUSR1)
            if process.wait(60) == 0:
                break
        more["run"] = {"checkpoint": "state.h5"}
        expect("continued", folder, result(folder, "in.h5", heat, more, 2, memory), wanted)


def check_channels(folder):
    """A part of a stack of images with channels: every channel must be selected, because the mask mixes all of them."""
    values = np.random.default_rng(2)
    images = values.standard_normal((3, 6, 40, 50), dtype="f4")
    write(folder / "in.h5", images, "contiguous")
    write(folder / "some.h5", images[:, 2:5].copy(), "contiguous")
    with h5py.File(folder / "mask.h5", "w") as file:
        file["w"] = values.standard_normal((4, 3, 3, 3), dtype="f4")
    mask = [{"mask": "mask.h5:/w"}]
    wanted = result(folder, "some.h5", mask, {})
    for select, place in (("1:3, 2:5", np.s_[1:3]), ("1:3, 2:5, 10:30, 5:20", np.s_[1:3, :, 10:30, 5:20])):
        expect(f"channels {select}", folder, result(folder, "in.h5", mask, {"input": {"select": select}}, 2), wanted[place])


def main(words):
    with tempfile.TemporaryDirectory() as scratch:
        for check in (check_coordinates, check_times_without_a_scale, check_windows, check_long_runs,
                      check_channels) if len(words) < 2 else ():
            folder = pathlib.Path(scratch) / check.__name__
            folder.mkdir()
            check(folder)
    print("".join(f"{problem}\n" for problem in problems), end="", flush=True)
    numbers = [int(words[0])] if len(words) == 2 else range(int(words[0]) if words else 8)
    for number in numbers:
        case = Case(number)
        if trouble := case.wrong():
            problems.append(f"case {number}: {case}: {trouble}")
            print(problems[-1], flush=True)
    print(f"{len(numbers)} cases, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
