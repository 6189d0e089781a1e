"""Banks of filters (mask = file.h5:/bank[0:40]): random banks over random datasets, alone and in chains, on any number of ranks
and with little memory. Each filter of the output has the same bits as a run with that row of the bank alone, and agrees with
SciPy. Then follow the axis `filter`, the output as readers of netCDF see it, and refused configurations, each with one line.

    banks.py [CASES]     number of random cases: 4 by default, 8 in a thorough test
    banks.py NUMBER only
"""

import json
import pathlib
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import scipy.ndimage

from program import THOROUGH, in_turn, ini, run

DATASETS = {"line": (30011,), "stack": (7, 3001), "grids": (2, 61, 203), "deep": (2, 3, 41, 57)}
SLICES = [":", "0:3", "1::2", "-2:", ":-1", "1:99999999999999999999", "-99999999999999999999:2"]
problems = []


def sections(mask, stages, more, output="out.h5"):
    names = {f"stencil.s{n}": dict(keys) for n, keys in enumerate(stages)}
    for keys in names.values():
        keys["mask"] = keys["mask"].replace("BANK", mask)
    return ini({"input": {"file": "in.h5", "dataset": "/x", **more.get("input", {})},
                "output": {"file": output, "overwrite": "true", **more.get("output", {})},
                **{name: keys for name, keys in more.items() if name not in ("input", "output")}, **names})


def result(folder, mask, stages, more, ranks=0, arguments=()):
    outcome = run(folder, sections(mask, stages, more), ranks, ("--progress", "none", *arguments))
    if outcome.status != 0:
        raise RuntimeError(outcome.unexpected())
    with h5py.File(folder / "out.h5") as file:
        return file["x"][()]


class Case:
    def __init__(self, number):
        rng = self.rng = random.Random(f"bank {number}")
        values = np.random.default_rng(number)
        self.shape = DATASETS[rng.choice(list(DATASETS))]
        self.data = values.standard_normal(self.shape).astype(rng.choice(["f4", "f4", "f8"]))
        self.two = len(self.shape) > 1 and rng.random() < 0.4
        shape = tuple(rng.choice([3, 5, 20, 32]) for _ in range(2)) if self.two else (rng.choice([2, 9, 33, 700]),)
        self.bank = values.standard_normal((rng.choice([3, 4, 6]),) + shape)
        if self.two:  # one filter is separable and is summed by columns and rows, the others are not
            self.bank[0] = np.outer(self.bank[0, :, 0], self.bank[0, 0])
        self.axis = len(self.shape) - 1 if self.two else rng.randrange(len(self.shape))
        self.wide = min(self.shape[-2:] if self.two else [self.shape[self.axis]]) > max(shape)
        self.keys = {"mask": "BANK", "boundary": rng.choice(["reflect", "mirror", "nearest", "wrap", "zero"]),
                     "extent": rng.choice(["same", "same", "full"] + ["valid"] * self.wide),
                     "operation": rng.choice(["correlate", "convolve"]), "stride": rng.choice([1, 1, 2, 3]),
                     "method": rng.choice(["auto", "auto", "direct", "fft"]), "origin": rng.choice([0, 0, 1])}
        if self.keys["origin"] >= min(shape) // 2:
            self.keys["origin"] = 0
        if not self.two:
            self.keys["axis"] = self.axis
        self.more, self.is_plain = self.any_more(), True
        self.stages = [self.keys]
        if rng.random() < 0.35:
            self.is_plain = False
            before = {"mask": "1 2 1"} if self.two else {"mask": "0.25 0.5 -0.25 1", "axis": self.axis}
            self.stages.insert(rng.choice([0, 1]), before)
        self.ranks, self.memory = rng.choice([0, 2, 3]), rng.choice([None, "--run.memory=128MiB"])

    def any_more(self):
        rng, more = self.rng, {}
        if rng.random() < 0.3:
            self.data.flat[:: rng.randrange(50, 900)] = -999
            self.bank = np.abs(self.bank)  # positive taps, so that the valid taps have a weight
            more["missing"] = {"value": "-999", "policy": rng.choice(["propagate", "renormalize"])}
        elif rng.random() < 0.3:
            self.data.flat[self.data.size // 3] = np.nan
        if rng.random() < 0.3:
            low = [rng.randrange(0, max(1, n // 5)) for n in self.shape]
            more["input"] = {"select": ", ".join(f"{a}:{n - a // 2}" for a, n in zip(low, self.shape)),
                             "edges": rng.choice(["data", "boundary"])}
        if rng.random() < 0.3:
            more["output"] = rng.choice([{"chunk": "x".join(["17"] * len(self.shape)), "compression": "gzip:1"},
                                         {"dtype": "int16", "scale": "0.01 0"}])
        return more

    def expected(self):
        """The result of SciPy, if one call of SciPy computes this configuration."""
        keys = self.keys
        if not self.is_plain or self.more or keys["extent"] != "same" or not np.isfinite(self.data).all():
            return None
        mode = {"zero": "constant"}.get(keys["boundary"], keys["boundary"])
        data, taken = self.data.astype("f8"), []
        for mask in self.bank:
            if self.two:
                mask = mask.reshape((1,) * (data.ndim - 2) + mask.shape)
                function = getattr(scipy.ndimage, keys["operation"])
                origin = (0,) * (data.ndim - 2) + (keys["origin"],) * 2
                one = function(data, mask, mode=mode, origin=origin)[..., :: keys["stride"], :: keys["stride"]]
            else:
                function = getattr(scipy.ndimage, keys["operation"] + "1d")
                one = function(data, mask, axis=self.axis, mode=mode, origin=keys["origin"])
                one = np.moveaxis(np.moveaxis(one, self.axis, 0)[:: keys["stride"]], 0, self.axis)
            taken.append(one)
        return np.array(taken)

    def check(self, folder):
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = self.data
        with h5py.File(folder / "b.h5", "w") as file:
            file["bank"] = self.bank
        text = self.rng.choice(SLICES)
        rows = np.arange(len(self.bank))[slice(*(int(n) if n else None for n in text.split(":")))]
        alone = np.array([result(folder, f"b.h5:/bank[{row}]", self.stages, self.more) for row in rows])
        arguments = [self.memory] if self.memory else []
        found = result(folder, f"b.h5:/bank[{text}]", self.stages, self.more, self.ranks, arguments)
        if found.shape != alone.shape or found.tobytes() != alone.tobytes():
            return f"shape {found.shape}, alone {alone.shape}, {np.sum(found != alone)} points differ"
        with h5py.File(folder / "out.h5") as file:
            scale = file["x"].dims[0][0]
            if scale.name != "/filter" or list(scale[()]) != list(rows):
                return f"the scale {scale.name} holds {scale[()]} of {rows}"
        want = self.expected()
        if want is None:
            return None
        want = want[rows]
        weight = np.abs(self.bank).reshape(len(self.bank), -1).sum(axis=1).max()
        limit = (2 * self.bank[0].size + 4) * np.finfo(found.dtype).eps * weight * np.abs(self.data).max()
        error = np.abs(found - want).max() if found.shape == want.shape else np.inf
        return None if error <= limit else f"differs from SciPy by {error}, allowed {limit}"


def check_case(number, folder):
    case = Case(number)
    folder.mkdir()
    try:
        wrong = case.check(folder)
    except RuntimeError as error:
        wrong = str(error)
    if wrong:
        problems.append(f"case {number}: {case.shape} {case.bank.shape} {case.stages} {case.more} {case.ranks} "
                        f"{case.memory}: {wrong}")


def check_windows(folder):
    """Banks that are computed by transforms: the whole array at once, and windows one at a time or several at a time, on several ranks."""
    folder.mkdir()
    rng = np.random.default_rng(8)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = rng.standard_normal(900001).astype("f4")
        file["x"][500000] = np.inf
    with h5py.File(folder / "b.h5", "w") as file:
        file["bank"] = rng.standard_normal((20, 300))
    stages, files, kinds = [{"mask": "BANK", "stride": 1}], set(), set()
    for ranks, more in ((0, {"run": {"decomposition": 1}}), (0, {}), (0, {"run": {"memory": "60MiB"}}),
                        (3, {"run": {"memory": "60MiB"}}), (2, {})):
        result(folder, "b.h5:/bank[:]", stages, more, ranks, ["--report", "report.json"])
        windows = json.loads((folder / "report.json").read_text()).get("windows")
        kinds.add(min(windows["at_a_time"], 2) if windows else 0)
        files.add((folder / "out.h5").read_bytes())
    if len(files) != 1 or kinds != {0, 1, 2}:
        problems.append(f"{len(files)} different files of the world at once and of windows, {kinds} at a time")
    with h5py.File(folder / "out.h5") as file:
        found = file["x"][7]
    if result(folder, "b.h5:/bank[7]", stages, {}).tobytes() != found.tobytes():
        problems.append("filter 7 has other bits alone, in windows")


def check_passes(folder):
    """A bank whose results are written to a scratch file, because more periodic stages follow than windows support; for one image and for
    several images."""
    folder.mkdir()
    rng = np.random.default_rng(10)
    for shape, mask, memories in (((2000003,), (9,), ("100MiB", "85MiB")), ((11, 50, 3001), (3, 3), ("95MiB",))):
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = rng.standard_normal(shape).astype("f4")
        with h5py.File(folder / "b.h5", "w") as file:
            file["bank"] = rng.standard_normal((6,) + mask)
        along = {"axis": len(shape) - len(mask)}
        stages = [{"mask": "BANK", **(along if len(mask) == 1 else {})}] + [{"mask": "1 2 1", "boundary": "wrap", **along}] * 5
        whole = result(folder, "b.h5:/bank[:]", stages, {})
        for memory, ranks in [(memory, ranks) for memory in memories for ranks in in_turn((0, 3))]:
            found = result(folder, "b.h5:/bank[:]", stages, {"run": {"memory": memory}}, ranks, ["--report", "report.json"])
            passes = json.loads((folder / "report.json").read_text()).get("passes", 1)
            if found.tobytes() != whole.tobytes() or passes < 2:
                problems.append(f"{shape} in {memory} on {ranks} ranks, {passes} passes: {np.sum(found != whole)} differ")


def check_mixed(folder):
    """Banks in which `auto` transforms only some filters: in arrays of this size, filters of whole numbers are summed tap by tap."""
    folder.mkdir()
    rng = np.random.default_rng(9)
    for shape, mask, keys in (((20011,), (257,), {}), ((700, 31), (200,), {"axis": 0}),
                              ((90, 200), (23, 19), {}), ((2, 9000), (300,), {"stride": 2})):
        bank = rng.standard_normal((4,) + mask)
        bank[[0, 2]] = rng.integers(-3, 4, (2,) + mask)
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = rng.standard_normal(shape)
        with h5py.File(folder / "b.h5", "w") as file:
            file["bank"] = bank
        alone = np.array([result(folder, f"b.h5:/bank[{row}]", [{"mask": "BANK", **keys}], {}) for row in range(4)])
        plan = run(folder, sections("b.h5:/bank[:]", [{"mask": "BANK", **keys}], {}), 0, ["--check"]).stdout
        if "and others: filters one after the other, 2 direct, 2 fft" not in plan or "estimated" in plan:
            problems.append(f"{shape} {mask}: --check says {plan}")
        for ranks, memory in in_turn(((0, "auto"), (3, "auto"), (0, "50MiB"))):
            more = {"run": {"memory": memory}}
            found = result(folder, "b.h5:/bank[:]", [{"mask": "BANK", **keys}], more, ranks, ["--report", "report.json"])
            methods = json.loads((folder / "report.json").read_text())["stages"][0]["method"]
            if methods != "2 direct, 2 fft" or found.tobytes() != alone.tobytes():
                problems.append(f"{shape} {mask} {keys} {ranks} {more}: {methods}, "
                                f"{np.sum(found != alone)} points differ from the filters alone")


def write_named(folder):
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.random.default_rng(5).standard_normal((4, 3000)).astype("f4")
        file["x"].attrs["units"] = "strain"
        file["time"] = np.arange(3000) * 0.5
        file["time"].make_scale("time")
        file["x"].dims[1].attach_scale(file["time"])
        file["square"] = np.zeros((20, 30, 40), "f4")
    with h5py.File(folder / "b.h5", "w") as file:
        file["bank"] = np.random.default_rng(6).uniform(1, 2, (3, 5))
        file["planes"] = np.ones((2, 3, 3))
        file["mixing"] = np.ones((2, 1, 3, 3))
        file["fives"] = np.ones((2, 2, 1, 3, 3))
        file["bad"] = np.array([[1, 2], [np.nan, 3]])


def check_metadata(folder):
    folder.mkdir()
    write_named(folder)
    files = set()
    for ranks in in_turn((0, 2, 3), 2):
        result(folder, "b.h5:/bank[1:]", [{"mask": "BANK", "stride": 3}], {}, ranks)
        files.add((folder / "out.h5").read_bytes())
    if len(files) != 1:
        problems.append(f"{len(files)} different files on 0, 2 and 3 ranks")
    with h5py.File(folder / "out.h5") as file:
        data = file["x"]
        scales = [dim[0].name for dim in data.dims]
        if scales[0] != "/filter" or scales[2] != "/time" or data.attrs["units"] != "strain":
            problems.append(f"scales {scales}, attributes {dict(data.attrs)}")
        if not np.array_equal(file["time"][()], np.arange(0, 3000, 3) * 0.5) or list(file["filter"][()]) != [1, 2]:
            problems.append(f"times {file['time'][:4]}, filters {file['filter'][()]}")
    try:
        import xarray
        with xarray.open_dataset(folder / "out.h5", engine="h5netcdf") as opened:
            if opened["x"].dims[0] != "filter" or opened["x"].sel(filter=2).shape != (4, 1000):
                problems.append(f"xarray sees {opened}")
    except (ImportError, ValueError) as error:
        print(f"not opened in xarray: {error}")
    outcome = run(folder, sections("b.h5:/bank[:]", [{"mask": "BANK"}], {}), arguments=["--check"])
    if "3 filters of 5 taps along x, direct" not in outcome.stdout or "3x4x3000" not in outcome.stdout:
        problems.append(f"--check says {outcome.stdout} {outcome.stderr}")


def check_packed(folder):
    """Filters whose sums are 1 except for rounding to float32 all keep the offset of a packed input."""
    folder.mkdir()
    rng = np.random.default_rng(12)
    bank = rng.uniform(1, 2, (3, 7))
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = rng.integers(-3000, 3000, 500).astype("i2")
        file["x"].attrs.update({"scale_factor": 0.5, "add_offset": 20.0})
    with h5py.File(folder / "b.h5", "w") as file:
        file["bank"] = (bank / bank.sum(axis=1, keepdims=True)).astype("f4")
    more = {"output": {"dtype": "int16", "scale": "auto"}}
    found = result(folder, "b.h5:/bank[:]", [{"mask": "BANK"}], more)
    alone = np.array([result(folder, f"b.h5:/bank[{row}]", [{"mask": "BANK"}], more) for row in range(3)])
    if found.dtype != np.int16 or found.tobytes() != alone.tobytes():
        problems.append(f"packed: {found.dtype}, {np.sum(found != alone)} differ")


def check_refusals(folder):
    folder.mkdir()
    write_named(folder)
    one, bank = {"mask": "1 2 1"}, {"mask": "BANK"}
    cases = [
        ("bank[3:3]", [bank], {}, "takes no point"), ("bank[0:2", [bank], {}, "bank[0:2"),
        ("bank[::-1]", [bank], {}, "bank[::-1]"), ("bank[99999999999999999999]", [one | bank], {}, "has 3 rows"), ("bad[:]", [bank], {}, "NaN or Inf"),
        ("fives[:]", [bank], {}, "has 5 axes, but a bank"), ("mixing[:]", [bank], {}, "has 4 axes, but a bank"),
        ("planes", [bank], {}, "/planes[:]"), ("bank[:]", [bank, bank], {}, "make a run of each"),
        ("bank[:]", [{**bank, "steps": 2}], {}, "steps = 2"), ("bank[:]", [bank, {**one, "steps": 3}], {}, "steps = 3"),
        ("bank[:]", [bank], {"output": {"snapshot_every": 1}}, "snapshot_every"),
        ("bank[:]", [bank], {"output": {"chunk": "1x4x100"}}, "has 3 numbers, but what a filter makes has 2 axes"),
        ("bank[:]", [{**bank, "axis": 0}, {**one, "axis": 2}], {"input": {"dataset": "/square"}}, "two runs"),
        ("bank[:]", [{**bank, "groups": 2}], {}, "groups = 2"),
        ("planes[:]", [{**bank, "axis": 0}], {}, "axis means nothing"),
        ("bank[:]", [{**bank, "mask": "matched", "template": "b.h5:/bank[0:2]"}], {}, "2 axes"),
    ]
    for mask, stages, more, words in cases:
        outcome = run(folder, sections(f"b.h5:/{mask}", stages, more), 0)
        if outcome.status != 2 or len(outcome.errors) != 1 or words not in outcome.errors[0]:
            problems.append(f"{mask} {stages} {more}: status {outcome.status} {outcome.errors}, no '{words}'")


def main():
    numbers = range(int(sys.argv[1]) if len(sys.argv) > 1 else 8 if THOROUGH else 4)
    if sys.argv[2:] == ["only"]:
        numbers = [int(sys.argv[1])]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as workers:
        folder = pathlib.Path(name)
        list(workers.map(lambda number: check_case(number, folder / str(number)), numbers))
        if sys.argv[2:] != ["only"]:
            check_windows(folder / "windows")
            check_mixed(folder / "mixed")
            check_passes(folder / "passes")
            check_metadata(folder / "metadata")
            check_packed(folder / "packed")
            check_refusals(folder / "refusals")
    print("\n".join(problems) or f"{len(numbers)} cases agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
