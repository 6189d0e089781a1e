"""Points that are left out according to the times of a file: noted, refused, filled, or split into an output for each stretch.

The files have a single axis whose times have gaps, alone and joined with others; the times are dimension scales, or RawDataTime
of ProdML. The outputs are compared with NumPy, point by point and time by time."""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run

PRODML = "/Acquisition/Raw[0]/RawData"
START, RATE = 1_714_522_200, 200
NOTE = "leave out 7 points in 1 places, the first before point 40"
problems = []


def write_timed(place, parts):
    """Writes files {name: (values, times in seconds)}, with a variable along the same axis."""
    place.mkdir(exist_ok=True)
    for name, (values, times) in parts.items():
        with h5py.File(place / name, "w") as file:
            file["x"], file["t"], file["speed"] = np.asarray(values, "f8"), np.asarray(times, "f8"), np.asarray(values, "f4")
            file["t"].attrs["units"] = "seconds since 2016-12-31 23:59:00"
            file["t"].make_scale("t")
            for variable in ("x", "speed"):
                file[variable].dims[0].attach_scale(file["t"])
            file["x"].attrs["coordinates"] = "speed"


def write_prodml(path, begin, gap_before=None, gap=0):
    """Writes 100 points of whole numbers; the times are in microseconds."""
    with h5py.File(path, "w") as file:
        raw = file.create_group("Acquisition/Raw[0]")
        raw.attrs["OutputDataRate"] = float(RATE)
        raw["RawData"] = np.arange(1, 101, dtype="i2")
        raw["RawData"].attrs["Dimensions"] = np.array([b"time"])
        micros = np.round((begin + np.arange(100) / RATE) * 1e6).astype("i8")
        if gap_before is not None:
            micros[gap_before:] += gap * 1_000_000 // RATE
        raw["RawDataTime"] = micros
        raw["RawData"].attrs["PartStartTime"] = f"{np.datetime64(int(micros[0]), 'us')}+00:00"


def outcome_of(place, files, ranks, dataset="/x", **words):
    for old in place.glob("out*"):
        old.unlink()
    sections = {"input": {"file": files, "dataset": dataset}, "output": {"file": "out.h5", "dataset": "/out"}, "stencil": {"mask": "1"}}
    for name, value in words.items():
        section, key = name.split("__")
        sections.setdefault(section, {})[key] = value
    return run(place, ini(sections), ranks, ["--progress=lines"])


def expect(place, name, files, outputs, note="", times="t", **words):
    """Checks the outputs {file: (values, times)} on 1 and 3 ranks; `note` is part of the expected note."""
    for ranks in in_turn((0, 3)):
        outcome = outcome_of(place, files, ranks, **words)
        notes = [line for line in outcome.stderr.splitlines() if "note:" in line]
        found = sorted(path.name for path in place.glob("out*"))
        if outcome.status or found != sorted(outputs):
            problems.append(f"{name}, {ranks} ranks: {found} {outcome.unexpected()}")
            continue
        if note not in "\n".join(notes) or ("masks reach across" in outcome.stderr) != ("masks reach across" in note):
            problems.append(f"{name}, {ranks} ranks: notes {notes}")
        for output, (values, wanted_times) in outputs.items():
            with h5py.File(place / output) as file:
                numbers, scale = file["out"][()], file[times][()] if times in file else None
                speed = file["speed"][()] if "speed" in file else None
            if not np.array_equal(numbers, values, equal_nan=True):
                problems.append(f"{name}, {ranks} ranks, {output}: {numbers}, right is {values}")
            if scale is None or len(scale) != len(wanted_times) or np.abs(scale - wanted_times).max() > 1e-6:
                problems.append(f"{name}, {ranks} ranks, {output}: times {scale}, right are {wanted_times}")
            if speed is not None and not np.array_equal(speed, values):
                problems.append(f"{name}, {ranks} ranks, {output}: the variable speed is {speed}")


def expect_refusal(place, files, *parts, **words):
    outcome = outcome_of(place, files, 0, **words)
    whole = "\n".join(outcome.errors)
    if outcome.status != 2 or len(outcome.errors) != 1 or any(part not in whole for part in parts):
        problems.append(f"wanted status 2 and one line with {parts}: {outcome.unexpected()}")


def check_scales(place):
    """A file with 7 missing points before point 40, and a second file that follows it."""
    times = np.arange(100.0)
    times[40:] += 7
    write_timed(place, {"a.h5": (np.arange(100), times), "b.h5": (np.arange(100, 200), 107 + np.arange(100))})
    filled = np.insert(np.arange(200.0), [40] * 7, np.nan)
    fill, split = {"input__gaps": "fill"}, {"input__gaps": "split"}
    expect(place, "a note", "a.h5", {"out.h5": (np.arange(100.0), times)}, NOTE + ": masks reach across")
    expect(place, "no gap", "b.h5", {"out.h5": (np.arange(100.0, 200), np.arange(107, 207))})
    expect(place, "filled", "a.h5", {"out.h5": (filled[:107], np.arange(107))}, "leave out 7 points", **fill)
    expect(place, "filled, two files", "a.h5 b.h5", {"out.h5": (filled, np.arange(207))}, "leave out 7 points", **fill)
    expect(place, "filled, strides", "a.h5 b.h5", {"out.h5": (filled[::3], np.arange(0, 207, 3))}, stencil__stride=3, **fill)
    expect(place, "filled, a part", "a.h5", {"out.h5": (filled[30:60:2], np.arange(30, 60, 2))}, input__select="30:60:2", **fill)
    expect(place, "filled, a time", "a.h5", {"out.h5": (filled[38:51], np.arange(38, 51))}, input__select="t 38 .. 50", **fill)
    expect(place, "split", "a.h5", {"out_0.h5": (np.arange(40.0), times[:40]), "out_1.h5": (np.arange(40.0, 100), times[40:])}, **split)
    expect(place, "split, two files", "a.h5 b.h5",
           {"out_0.h5": (np.arange(40.0), times[:40]), "out_1.h5": (np.arange(40.0, 200), np.arange(47, 207))}, **split)
    expect(place, "split, strides", "a.h5",
           {"out_0.h5": (np.arange(0, 40, 3.0), times[:40:3]), "out_1.h5": (np.arange(40, 100, 3.0), times[40::3])}, stencil__stride=3, **split)
    expect(place, "split, a time", "a.h5 b.h5",
           {"out_0.h5": (np.arange(38.0, 40), [38, 39]), "out_1.h5": (np.arange(40.0, 104), np.arange(47, 111))},
           input__select="t 38 .. 110", **split)
    expect(place, "split, nothing to split", "b.h5", {"out_0.h5": (np.arange(100.0, 200), np.arange(107, 207))}, **split)
    expect_refusal(place, "a.h5 b.h5", "7 points are missing inside a.h5 before point 40", "input.gaps = fill")
    expect_refusal(place, "a.h5", "axis 0", "time LOW .. HIGH", input__select="5:50", **split)


def check_masks(place):
    """With `split`, masks end at a gap; with `fill`, masks leave out the points of the gap."""
    values, times = np.random.default_rng(5).standard_normal(60), np.arange(60.0)
    times[20:] += 3
    write_timed(place, {"a.h5": (values, times)})
    outcome = outcome_of(place, "a.h5", 3, input__gaps="split", stencil__mask="0.25 0.5 0.25", stencil__boundary="nearest")
    for number, part in enumerate((values[:20], values[20:])):
        padded = np.pad(part, 1, "edge")
        wanted = 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
        name = place / f"out_{number}.h5"
        if outcome.status or not name.exists() or np.abs(h5py.File(name)["out"][()] - wanted).max() > 1e-14:
            problems.append(f"masks at the gap, stretch {number}: {outcome.unexpected()}")
    outcome = outcome_of(place, "a.h5", 3, input__gaps="fill", stencil__mask="1 1 1", missing__policy="renormalize", missing__value="nan")
    if outcome.status:
        problems.append(f"masks over a filled gap: {outcome.unexpected()}")
    else:
        found = h5py.File(place / "out.h5")["out"][()]
        near = [1.5 * (values[18] + values[19]), *[np.nan] * 3, 1.5 * (values[20] + values[21])]  # at least half of the weight must be valid
        if not np.allclose(found[19:24], near, rtol=1e-13, equal_nan=True):
            problems.append(f"masks over a filled gap: {found[19:24]}, right is {near}")


def check_prodml(place):
    place.mkdir()
    write_prodml(place / "p.h5", START, 60, 1000)
    write_prodml(place / "q.h5", START + 100 / RATE + 5)
    micros = lambda first, count: ((START + (first + np.arange(count)) / RATE) * 1e6).round()
    values = np.arange(1, 101)
    filled = np.concatenate([values[:60], np.full(1000, -9), values[60:]]).astype("f4")
    filled[filled == -9] = np.nan
    words = {"dataset": PRODML, "times": "outTime"}
    expect(place, "RawDataTime", "p.h5", {"out.h5": (values, np.r_[micros(0, 60), micros(1060, 40)])},
           "leave out 1000 points in 1 places, the first before point 60: masks reach across", **words)
    expect(place, "RawDataTime, filled", "p.h5", {"out.h5": (filled, micros(0, 1100))}, input__gaps="fill", missing__value=-9, **words)
    expect(place, "RawDataTime, split", "p.h5",
           {"out_0.h5": (values[:60], micros(0, 60)), "out_1.h5": (values[60:], micros(1060, 40))}, input__gaps="split", **words)
    begins = [h5py.File(place / f"out_{i}.h5")["out"].attrs["PartStartTime"] for i in range(2)]
    if [np.datetime64(str(text)[:26]) for text in begins] != [np.datetime64(int(micros(first, 1)[0]), "us") for first in (0, 1060)]:
        problems.append(f"first times of the stretches: {begins}")
    expect_refusal(place, "p.h5 q.h5", "1000 points are missing inside p.h5", dataset=PRODML)
    expect_refusal(place, "p.h5", "missing.value", dataset=PRODML, input__gaps="fill", missing__value="none")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    check_scales(folder / "scales")
    check_masks(folder / "masks")
    check_prodml(folder / "prodml")
print("\n".join(problems) or "gaps inside files are noted, refused, filled and split as promised")
sys.exit(1 if problems else 0)
