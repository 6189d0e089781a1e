"""Large masks with method = fft: transforms of tiles, and of lines with missing points. Whole runs of stencil_run are
compared with the direct sum of plain NumPy, within the error bound of a direct sum, for every boundary, extent and stride.
NaN and Inf affect only the outputs whose mask has a nonzero tap at such a point; missing points are left out; the bits are the same on
every number of ranks. `auto` chooses transforms where they cost less, and an attribute of the output, the report and --check
name the method.
"""

import itertools
import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from expected import Stage, apply, apply_valid, bound, difference
from program import in_turn, ini, run

RNG = np.random.default_rng(43)


def disk(radius):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    return (x**2 + y**2 <= radius**2).astype(np.float64)


def configured(folder, taps, data, words, missing=None):
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = data
        file["mask"] = taps
    return ini({"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5", "overwrite": "true"},
                "stencil": {"mask": "in.h5:/mask", **words}, **({"missing": missing} if missing else {})})


def result_of(folder, config, ranks, arguments=()):
    """Returns the values of the output, its stencil_method, and the failures of the run."""
    outcome = run(folder, config, ranks, arguments)
    if outcome.status != 0:
        return None, None, outcome.unexpected()
    with h5py.File(folder / "out.h5") as file:
        return file["x"][()], file.attrs["stencil_method"], None


def check(folder, name, taps, data, stage, words, ranks=(0, 3)):
    """Runs one case on each number of ranks. Returns lines that describe the failures."""
    config = configured(folder, taps, data, {"method": "fft", **words})
    expected = apply(data, stage)
    allowed = bound(taps, np.append(data[np.isfinite(data)], stage.value), np.finfo(data.dtype).eps)
    found = []
    for number in ranks:
        where = f"{name}, {data.dtype}, {number} ranks, {words}: "
        result, method, wrong = result_of(folder, config, number)
        if wrong:
            return [where + wrong]
        if method != "stencil: fft":
            return [f"{where}stencil_method is {method}"]
        differs = difference(result, expected, allowed)
        if differs:
            return [where + differs]
        found.append(result.tobytes())
    return [] if len(set(found)) == 1 else [f"{name}: other bits on another number of ranks"]


def edges(folder):
    """Every boundary and extent, with origins and strides; a stack of grids in float32, a grid in float64."""
    wrong = []
    words = ("reflect", "mirror", "nearest", "wrap", "constant")
    for number, (word, extent) in enumerate(itertools.product(words, ("same", "valid", "full"))):
        taps = RNG.normal(size=(13, 24))
        operation = ("correlate", "convolve")[number % 2]
        origin = (2, -3) if extent == "same" else (0, 0)
        stride = ((1, 1), (3, 2))[number // 3 % 2]
        data = RNG.normal(size=(2, 90, 110)).astype("float32") if number % 3 else RNG.normal(size=(150, 80))
        along = (data.ndim - 2, data.ndim - 1)
        stage = Stage(taps, along, operation, (word,), 1.5, extent, origin, stride)
        keys = {"operation": operation, "boundary": word, "extent": extent, "origin": "{} {}".format(*origin),
                "stride": "{} {}".format(*stride)}
        if word == "constant":
            keys["boundary_value"] = "1.5"
        wrong += check(folder, "edges", taps, data, stage, keys, in_turn((0, 3)))
    return wrong


def bad_points(folder):
    """The data hold NaN and both infinities. Points under the taps of a disk that are 0 have no effect."""
    wrong = []
    for taps in (disk(9), RNG.normal(size=(17, 30))):
        data = RNG.normal(size=(200, 210)).astype("float32")
        data[3, 5], data[100, 100], data[100, 103], data[199, 7], data[60, 209] = np.nan, np.inf, -np.inf, np.inf, np.nan
        wrong += check(folder, "bad points", taps, data, Stage(taps, (0, 1)), {}, in_turn((0, 2, 5), 2))
        data[:, :70] = np.nan
        wrong += check(folder, "much that is missing", taps, data, Stage(taps, (0, 1)), {}, in_turn((0, 3)))
    return wrong


def gaps(folder):
    """Missing points are left out: in gaps wider than the mask and as single points, with any share of valid weight."""
    def mixed(shape):
        return RNG.uniform(0.5, 1.5, shape) * np.where(RNG.random(shape) < 0.2, -1, 1)

    wrong = []
    both, along_x, along_y = (0, 1), (1,), (0,)
    masks = [(disk(9), both, 0.0), (disk(9), both, 0.3137), (RNG.uniform(0.5, 1.5, (17, 30)), both, 0.0),
             (mixed((17, 30)), both, 0.3137), (RNG.uniform(0.5, 1.5, 80), along_x, 0.0), (mixed(90), along_x, 0.3137),
             (mixed(57), along_y, 0.5), (RNG.uniform(0.5, 1.5, 70), along_y, 0.02)]
    for (taps, axes, min_valid), dtype in [(mask, dtype) for mask in masks for dtype in in_turn(("float32", "float64"))]:
        data = RNG.normal(size=(260, 310)).astype(dtype)
        data[30:110, 40:170] = np.nan
        data[200:, :25] = np.nan
        data[RNG.random(data.shape) < 0.02] = np.nan
        data[:, 230:] = 1.5  # tiles without gaps next to tiles with gaps
        stride = (1,) * len(axes) if dtype == "float32" or len(axes) == 2 else (4,)
        expected, _ = apply_valid(data, Stage(taps, axes, stride=stride), min_valid)
        allowed = 4 * bound(taps, data, np.finfo(dtype).eps) / max(min_valid, 1 / 32)
        missing = {"value": "nan", "policy": "renormalize", "min_valid": min_valid}
        words = {"method": "fft", **({"axis": axes[0], "stride": stride[0]} if len(axes) == 1 else {})}
        config = configured(folder, taps, data, words, missing)
        found = set()
        for ranks, arguments in in_turn(((0, ()), (3, ()), (2, ("--run.memory=30MiB",))), 2):
            result, method, failure = result_of(folder, config, ranks, arguments)
            differs = failure or difference(result, expected, allowed)
            if differs or method != "stencil: fft":
                wrong.append(f"gaps, {taps.shape}, {axes}, {dtype}, {min_valid}, {ranks} ranks, {method}: {differs}")
            else:
                found.add(result.tobytes())
        if len(found) > 1:
            wrong.append(f"gaps, {taps.shape}, {axes}, {dtype}, {min_valid}: other bits on another number of ranks")
    return wrong


def choice(folder):
    """`auto` chooses transforms for a large disk on a large grid, and the outputs name the method."""
    taps, data = disk(20), RNG.normal(size=(700, 900)).astype("float32")
    config = configured(folder, taps, data, {})
    result, method, wrong = result_of(folder, config, 0, ["--report=report.json"])
    if wrong:
        return [wrong]
    found = [] if method == "stencil: fft" else [f"auto: stencil_method is {method}"]
    stage = json.loads((folder / "report.json").read_text())["stages"][0]
    if stage["method"] != "fft" or "fft tiles" not in stage["kernel"]:
        found.append(f"auto: the report says {stage['method']}, {stage['kernel']}")
    plan = run(folder, config, 0, ["--check"]).stdout
    if "instead of" not in plan or "taps a point (direct)" not in plan:
        found.append(f"auto: --check says {plan}")
    differs = difference(result, apply(data, Stage(taps, (0, 1))), bound(taps, data, np.finfo("float32").eps))
    return found + ([f"auto: {differs}"] if differs else [])


with tempfile.TemporaryDirectory() as name:
    wrong = [line for part in (edges, bad_points, gaps, choice) for line in part(pathlib.Path(name))]
print("\n".join(wrong) or "transforms of tiles agree with direct sums")
sys.exit(1 if wrong else 0)
