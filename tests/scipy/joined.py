"""Several files that are joined: the output has the same bytes as that of a run on one dataset that contains all of them.

The files have every layout and every supported kind of times; the order of their names differs from the order of their times.
Gaps are filled, or outputs are split at gaps. Refused inputs are tested, too, each with one line."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from program import PROGRAM, environment, in_turn, ini, run, uses_windows

RATE, CHANNELS = 200.0, 48
LENGTHS = (400, 130, 1, 257, 400)
START = 1_714_522_200.0  # s since 1970
problems = []


def sample_rows(dtype):
    random = np.random.default_rng(27)
    rows = random.standard_normal((sum(LENGTHS), CHANNELS)) * 300
    return rows.astype(dtype)


def starts():
    return np.concatenate([[0], np.cumsum(LENGTHS)[:-1]])


def prodml(file, rows, start, **layout):
    raw = file.create_group("Acquisition/Raw[0]")
    raw.attrs.update(OutputDataRate=RATE, NumberOfLoci=CHANNELS)
    raw.create_dataset("RawData", data=rows, **layout)
    raw["RawData"].attrs["Dimensions"] = np.array([b"time", b"locus"])
    micros = np.round((start + np.arange(len(rows)) / RATE) * 1e6).astype("int64")
    raw["RawDataTime"] = micros
    text = np.datetime64(int(micros[0]), "us")
    raw["RawData"].attrs["PartStartTime"] = f"{text}+00:00"
    raw["RawData"].attrs["Count"] = rows.size


def optodas(file, rows, start, **layout):
    file.create_dataset("data", data=rows, **layout)
    file["header/dt"], file["header/time"] = 1 / RATE, start


def scaled(file, rows, start, **layout):
    """Writes a file as xarray does: the times of each file are relative to its own day or minute."""
    file.create_dataset("data", data=rows, **layout)
    file["time"] = (np.arange(len(rows)) / RATE * 1e3)
    reference = str(np.datetime64(int(round(start * 1e6)), "us")).replace("T", " ")
    file["time"].attrs["units"] = f"milliseconds since {reference}"
    file["time"].make_scale("time")
    file["data"].dims[0].attach_scale(file["time"])


def plain(file, rows, start, **layout):
    file.create_dataset("data", data=rows, **layout)


LAYOUTS = {"contiguous": {}, "chunked": {"chunks": (60, 20)}, "gzip": {"chunks": (60, 20), "compression": "gzip", "shuffle": True}}
KINDS = {"prodml": (prodml, "/Acquisition/Raw[0]/RawData"), "optodas": (optodas, "/data"), "scaled": (scaled, "/data"),
         "plain": (plain, "/data")}


def write_parts(folder, kind, rows, layout, order, gap_before=(), gap=0):
    """Writes files of successive rows. `order` gives the number in the name of each file. Before each part in `gap_before`, `gap`
    points are missing."""
    folder.mkdir(exist_ok=True)
    for part, (first, length) in enumerate(zip(starts(), LENGTHS)):
        late = gap * sum(part >= before for before in gap_before)
        options = dict(layout)
        if "chunks" in options:
            options["chunks"] = (min(60, length), 20)
        with h5py.File(folder / f"part_{order[part]}.h5", "w") as file:
            KINDS[kind][0](file, rows[first : first + length], START + (first + late) / RATE, **options)


def config(files, dataset, **more):
    sections = {"input": {"file": files, "dataset": dataset, "axis": 0}, "output": {"file": "out.h5", "dataset": "/out", "overwrite": "true"},
                "stencil": {"mask": "bandpass", "taps": 101, "cutoff": "5 40", "rank": 1}}
    for name, value in more.items():
        section, key = name.split("__")
        sections.setdefault(section, {})[key] = value
        if value is None:
            del sections[section][key]
    return ini(sections)


def points(folder, text, ranks, arguments=(), windows=False):
    """The points of the output, or a message if the run failed, or did not use windows although it should."""
    outcome = run(folder, text, ranks, arguments)
    if outcome.status:
        return outcome.unexpected()
    if windows and not uses_windows(outcome):
        return "the run did not use windows"
    with h5py.File(folder / "out.h5") as file:
        return file["out"][()]


def expect_same(name, found, wanted):
    if isinstance(found, str) or isinstance(wanted, str):
        problems.append(f"{name}: {found if isinstance(found, str) else wanted}")
    elif found.dtype != wanted.dtype or found.tobytes() != wanted.tobytes():
        problems.append(f"{name}: the bytes differ from those of the joined dataset: {np.sum(found != wanted)} points")


def check_bytes(folder):
    """Each kind of times and each layout on 1 and 3 ranks, at once, and large files in windows."""
    runs = 0
    for number, (kind, layout, dtype) in enumerate(
            [("prodml", "chunked", "int16"), ("prodml", "gzip", "int16"), ("optodas", "contiguous", "float32"),
             ("scaled", "gzip", "float64"), ("plain", "contiguous", "int32"), ("plain", "gzip", "float32")]):
        rows = sample_rows(dtype)
        # without times, names are in the order of their numbers (9, 10 ...); otherwise names are in random order
        order = [9, 10, 11, 100, 101] if kind == "plain" else [3, 1, 5, 2, 4]
        place = folder / f"bytes{number}"
        write_parts(place, kind, rows, LAYOUTS[layout], order)
        with h5py.File(place / "whole_file.h5", "w") as file:
            KINDS[kind][0](file, rows, START, **LAYOUTS[layout])
        dataset = KINDS[kind][1]
        more = {"input__sampling_rate": RATE, "stencil__stride": 3, "stencil__boundary": "mirror"}
        wanted = points(place, config("whole_file.h5", dataset, **more), 0)
        listed = " ".join(f"part_{i}.h5" for i in order)
        for ranks, is_listed in in_turn(((0, False), (3, False), (3, True))):
            files = listed if is_listed else "part_*.h5"
            expect_same(f"{kind}, {layout}, {ranks} ranks, {files}", points(place, config(files, dataset, **more), ranks), wanted)
            runs += 1
        # the rate comes from the files; outputs are compressed
        packed = {"output__dtype": "int16", "output__compression": "gzip:1"}
        if kind != "plain":
            expect_same(f"{kind}, {layout}, rate of the files",
                        points(place, config("part_*.h5", dataset, **packed), in_turn((3, 0))[0]),
                        points(place, config("whole_file.h5", dataset, **packed), 0))
    return runs


def check_windows(folder):
    """Files that do not fit into memory together, read by several threads, window by window.

    The sums are direct, because transforms along the time axis would need more memory in each window; the message of a refused
    run states this.
    """
    place = folder / "windows"
    place.mkdir()
    rows = np.random.default_rng(3).standard_normal((6000, 1600), dtype=np.float32)
    for number in range(6):
        with h5py.File(place / f"w{number}.h5", "w") as file:
            file["data"] = rows[number * 1000 : number * 1000 + 1000]
    with h5py.File(place / "all.h5", "w") as file:
        file["data"] = rows
    text = config("w?.h5", "/data", input__sampling_rate=1, stencil__cutoff="0.05 0.2", stencil__method="direct")
    wanted = points(place, text.replace("w?.h5", "all.h5"), 0)
    for ranks in in_turn((0, 3)):
        expect_same(f"windows, {ranks} ranks", points(place, text, ranks, ["--run.memory=66MiB", "--progress=lines"], windows=True), wanted)
    transformed = text.replace("direct", "fft") + "[run]\nmemory = 66MiB\n"
    expect_refusal(place, transformed, 4, "or method = direct instead of fft, which needs less")


def check_many(folder):
    """Several processes inspect the files, because there are more files than one process inspects. If one file is
    damaged, the message names the file, no matter which process inspected it."""
    place = folder / "many"
    place.mkdir()
    rows = np.random.default_rng(4).standard_normal((70 * 9, 5), dtype=np.float32)
    for number in range(70):
        with h5py.File(place / f"m{number}.h5", "w") as file:
            optodas(file, rows[9 * number : 9 * number + 9], START + 9 * number / RATE)
    with h5py.File(place / "all.h5", "w") as file:
        optodas(file, rows, START)
    text = config("m*.h5", "/data")
    wanted = points(place, text.replace("m*.h5", "all.h5"), 0)
    for ranks in in_turn((0, 3)):
        expect_same(f"70 files, {ranks} ranks", points(place, text, ranks), wanted)
    for number in in_turn((5, 40, 69), 2):
        whole = (place / f"m{number}.h5").read_bytes()
        (place / f"m{number}.h5").write_bytes(whole[: len(whole) // 2])
        expect_refusal(place, text, 3, f"m{number}.h5", "not whole")
        (place / f"m{number}.h5").write_bytes(whole)


def check_other_axis(folder):
    """Files with different channels at the same times, joined along the axis of channels."""
    place = folder / "channels"
    place.mkdir()
    rows = sample_rows("float32")
    for number, (first, last) in enumerate(((0, 11), (11, 12), (12, 48))):
        with h5py.File(place / f"c{number}.h5", "w") as file:
            optodas(file, rows[:, first:last], START)
    with h5py.File(place / "whole.h5", "w") as file:
        optodas(file, rows, START)
    text = config("c*.h5", "/data", input__join=1)
    expect_same("channels", points(place, text, 3), points(place, text.replace("c*.h5", "whole.h5"), 0))


def check_datasets(folder):
    """Several datasets of one file, and of several files, chosen by a pattern in which brackets match themselves."""
    place, rows, raw = folder / "datasets", sample_rows("int16"), "/Acquisition/Raw[{}]/RawData"
    place.mkdir()
    with h5py.File(place / "sections.h5", "w") as file:  # the order of the numbers differs from the order of the times
        for number, (first, length) in zip((10, 2, 0, 9, 1), zip(starts(), LENGTHS)):
            with h5py.File(place / "one.h5", "w") as one:
                prodml(one, rows[first : first + length], START + first / RATE)
            with h5py.File(place / "one.h5") as one:
                one.copy("Acquisition/Raw[0]", file.require_group("Acquisition"), name=f"Raw[{number}]")
        file["Acquisition/Rawer/RawData"] = rows[:7]
        file["Acquisition/Raw[3]"] = 1.0
        file["Acquisition/Raw[4]/Other"] = rows[:7]
    with h5py.File(place / "whole.h5", "w") as file:
        prodml(file, rows, START)
    text, pattern = config("sections.h5", raw.format("*")), raw.format("*")
    wanted = points(place, text.replace("sections.h5", "whole.h5"), 0)  # the pattern matches a single dataset
    for ranks in in_turn((0, 3)):
        expect_same(f"datasets, {ranks} ranks", points(place, text, ranks), wanted)
    own_name = "\n".join(line for line in text.splitlines() if "/out" not in line)
    if (outcome := run(place, own_name, 0)).status:
        problems.append(outcome.unexpected())
    else:
        with h5py.File(place / "out.h5") as file:
            expect_same("datasets, named as the first of them", file[raw.format(10)][()], wanted)
    for number in range(2):
        with h5py.File(place / f"p{number}.h5", "w") as file, h5py.File(place / "sections.h5") as source:
            for section in ((10, 2, 0), (9, 1))[number]:
                source.copy(f"Acquisition/Raw[{section}]", file.require_group("Acquisition"))
    expect_same("datasets of two files", points(place, text.replace("sections.h5", "p*.h5"), 3), wanted)
    with h5py.File(place / "sections.h5", "r+") as file:  # if a dataset has the pattern as its name, this dataset is read
        file.copy("Acquisition/Raw[9]", file["Acquisition"], name="Raw[*]")
    expect_same("a dataset of the pattern's own name", points(place, text, 0),
                points(place, text.replace(pattern, raw.format(9)), 0))
    with h5py.File(place / "sections.h5", "r+") as file:
        del file["Acquisition/Raw[*]"]
        file.copy("Acquisition/Raw[9]", file["Acquisition"], name="Raw[11]")
    expect_refusal(place, text, 2, raw.format(9), raw.format(11), "overlap")
    expect_refusal(place, text.replace(pattern, raw.format("x*")), 2, "sections.h5", "Raw[x*]")
    expect_refusal(place, text.replace(pattern, "/Acq*/Nothing"), 2, "sections.h5", "/Acq*/Nothing", ranks=in_turn((3, 0))[0])


def check_gaps(folder):
    place, rows, gap = folder / "gaps", sample_rows("float32"), 37
    write_parts(place, "optodas", rows, {}, [1, 2, 3, 4, 5], gap_before=[3], gap=gap)
    cut = starts()[3]
    with h5py.File(place / "whole.h5", "w") as file:
        optodas(file, np.concatenate([rows[:cut], np.full((gap, CHANNELS), np.nan, "float32"), rows[cut:]]), START)
    more = {"missing__value": "nan", "missing__policy": "renormalize", "stencil__mask": "gaussian"}
    drop = {"stencil__taps": None, "stencil__cutoff": None, "stencil__sigma": 4}
    text = config("part_*.h5", "/data", input__gaps="fill", **more, **drop)
    expect_same("filled gap", points(place, text, 3), points(place, text.replace("part_*.h5", "whole.h5"), 0))
    # integers have no NaN: a gap is filled with the missing value
    place, rows = folder / "gaps_int", sample_rows("int16")
    write_parts(place, "prodml", rows, LAYOUTS["gzip"], [1, 2, 3, 4, 5], gap_before=[1], gap=5)
    with h5py.File(place / "whole.h5", "w") as file:
        prodml(file, np.concatenate([rows[:400], np.full((5, CHANNELS), -9999, "int16"), rows[400:]]), START)
    name = KINDS["prodml"][1]
    text = text.replace("/data", name).replace("value = nan", "value = -9999")
    expect_same("filled gap of integers", points(place, text, 0), points(place, text.replace("part_*.h5", "whole.h5"), 0))
    expect_refusal(place, text.replace("value = -9999", "value = none").replace("policy = renormalize", "policy = propagate"),
                   2, "missing.value", "part_1.h5")


def write_timed(place, parts):
    """Writes files of one axis: {name: (values, times in seconds)}."""
    place.mkdir(exist_ok=True)
    for name, (values, times) in parts.items():
        with h5py.File(place / name, "w") as file:
            file["x"], file["t"] = np.asarray(values, "f8"), np.asarray(times, "f8")
            file["t"].attrs["units"] = "seconds since 2016-12-31 23:59:00"
            file["t"].make_scale("t")
            file["x"].dims[0].attach_scale(file["t"])


def expect_joined(place, name, words, values, note, files="*.h5", times=None):
    """Runs with a mask of 1 on 1 and 2 ranks, and checks the numbers, the times if they are given, and that a note contains the
    text `note` (an empty text: that there is no note)."""
    text = config(files, "/x", **PLAIN, **words)
    for ranks in in_turn((0, 2)):
        outcome = run(place, text, ranks, ["--progress=lines"])
        notes = "\n".join(line for line in outcome.stderr.splitlines() if "note:" in line)
        if outcome.status:
            problems.append(f"{name}, {ranks} ranks: {outcome.unexpected()}")
            continue
        with h5py.File(place / "out.h5") as file:
            found, scale = file["out"][()], file["t"][()] if "t" in file else None
        (place / "out.h5").unlink()
        if not np.array_equal(found, values, equal_nan=True):
            problems.append(f"{name}, {ranks} ranks: {found}, right is {values}")
        if note not in notes or (not note and notes):
            problems.append(f"{name}, {ranks} ranks: notes '{notes}'")
        if times is not None and (scale is None or len(scale) != len(times) or np.abs(scale - times).max() > 1e-6):
            problems.append(f"{name}, {ranks} ranks: times {scale}, right are {times}")


def check_clocks(folder):
    """Clocks that drift by less than half a point in each file: with the clocks of the files, and with the clock of the first file."""
    place, count = folder / "clocks", np.arange(10)
    write_timed(place, {f"f{k}.h5": (10 * k + count, 10.3 * k + count) for k in range(5)})
    expect_refusal(place, config("f*.h5", "/x", **PLAIN), 2, "drift", "f2.h5 begins 0.6 s later", "input.clock = first")
    expect_refusal(place, config("f*.h5", "/x", input__clock="last", **PLAIN), 2, "files, first")
    expect_joined(place, "first clock", {"input__clock": "first"}, np.arange(50.0), "f4.h5 begins 1.2 s later than the clock of f0.h5",
                  times=np.arange(50))
    filled = np.insert(np.arange(50.0), 20, np.nan)
    expect_joined(place, "clocks of the files", {"input__gaps": "fill"}, filled, "drift", times=np.arange(51))
    expect_joined(place, "two files", {}, np.arange(20.0), "", files="f0.h5 f1.h5")


def check_overlaps(folder):
    place, count = folder / "overlaps", np.arange(10)
    write_timed(place, {"a.h5": (count, count), "b.h5": (100 + count, 7 + count), "c.h5": (200 + count[:3], 9 + count[:3])})
    expect_refusal(place, config("*.h5", "/x", **PLAIN), 2, "a.h5", "b.h5", "overlap by 3 s", "input.overlap = first or last")
    first = np.r_[count, 103 + count[:7]].astype(float)
    last = np.r_[count[:7], 100, 101, 200, 201, 202, 105 + count[:5]].astype(float)
    expect_joined(place, "the first", {"input__overlap": "first"}, first, "overlap by 6 points", times=np.arange(17))
    expect_joined(place, "the last", {"input__overlap": "last"}, last, "of the later file", times=np.arange(17))
    part = {"input__overlap": "last", "input__select": "t 6 .. 13"}
    expect_joined(place, "a part of the last", part, last[6:14], "of the later file", times=np.arange(6, 14))


def check_leap_second(folder):
    """2016 ended with the leap second 23:59:60, which has the same number of seconds since 1970 as the first second of 2017."""
    place = folder / "leap"
    write_timed(place, {"a.h5": (np.arange(61), np.arange(61)), "b.h5": (np.arange(61, 121), 60 + np.arange(60))})
    expect_joined(place, "leap second", {}, np.arange(121.0), "a leap second lies between a.h5 and b.h5", times=np.arange(121))


def check_uneven_times(folder):
    """Times that are not even are taken from every file, in the unit of the first file."""
    place = folder / "uneven"
    place.mkdir()
    days = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30])  # since 2001-01-01
    for kind in ("f8", "i4"):
        for number, (first, last) in enumerate(((0, 4), (4, 5), (5, 12))):
            with h5py.File(place / f"m{number}.h5", "w") as file:
                file["x"] = days[first:last].astype("f8")
                file["t"] = ((days[first:last] - days[first]) * 24).astype(kind)
                date = np.datetime64("2001-01-01") + int(days[first])
                file["t"].attrs["units"] = f"hours since {date}" if number else f"days since {date}"
                file["t"][:] = days[first:last] if number == 0 else file["t"][:]
                file["t"].make_scale("t")
                file["x"].dims[0].attach_scale(file["t"])
        expect_joined(place, f"months, {kind}", {}, days.astype("f8"), "", times=days)
        strided = {"stencil__stride": 2}
        expect_joined(place, f"every other month, {kind}", strided, days[::2].astype("f8"), "", times=days[::2])
        part = {"input__select": "3:11:3"}
        expect_joined(place, f"some months, {kind}", part, days[3:11:3].astype("f8"), "", times=days[3:11:3])
    with h5py.File(place / "m1.h5", "a") as file:
        file["t"].attrs["units"] = "days since the flood"
    outcome = run(place, config("m*.h5", "/x", **PLAIN), 0, ["--progress=lines"])
    if outcome.status == 0 and "dimension scale" not in outcome.stderr:
        problems.append(f"times of an unknown unit: {outcome.unexpected()}")
    (place / "out.h5").unlink(missing_ok=True)
    # a file with one point has no spacing; points in a gap get interpolated times
    place = folder / "single"
    write_timed(place, {"a.h5": ([0], [0]), "b.h5": (np.arange(3, 9), np.arange(3, 9)), "c.h5": ([9], [9])})
    expect_joined(place, "single points", {"input__gaps": "fill"}, np.r_[0, np.nan, np.nan, 3:10], "leave out 2 points", times=np.arange(10))


def check_without_times(folder):
    """Files without times are joined in the order of their names, and a note states this; input.sampling_rate determines the axis."""
    place = folder / "untimed"
    place.mkdir()
    for number in (10, 9):
        with h5py.File(place / f"n{number}.h5", "w") as file:
            file["x"] = np.full(3, float(number))
            file["y"] = np.full((2, 3), float(number))
    expect_joined(place, "no times", {}, np.repeat([9.0, 10], 3), "gaps between them cannot be seen")
    text = config("n*.h5", "/y", input__axis=1, input__sampling_rate=5, **PLAIN)
    expect_same("the axis of the rate", points(place, text, 0), np.repeat([[9.0, 10]], 3, 1).repeat(2, 0))


STRETCHES = ((5,), (4, 3), (2,), (1,))  # the numbers in the names of the files of each stretch, in the order of time


def check_split(folder):
    """Each stretch without a gap is filtered separately, and written to a separate file."""
    place, rows, gap = folder / "split", sample_rows("int16"), 37
    write_parts(place, "prodml", rows, LAYOUTS["chunked"], [5, 4, 3, 2, 1], gap_before=[1, 3, 4], gap=gap)
    dataset, more = KINDS["prodml"][1], {"stencil__stride": 3}
    text = config("part_*.h5", dataset, input__gaps="split", **more)
    wanted = [points(place, config(" ".join(f"part_{i}.h5" for i in numbers), dataset, **more), 0) for numbers in STRETCHES]
    (place / "out.h5").unlink()

    def written():
        return sorted(path.name for path in place.glob("out*"))

    for ranks in in_turn((0, 3)):
        outcome = run(place, text, ranks, ["--report=report.json", "--progress=lines"])
        if outcome.status or written() != [f"out_{i}.h5" for i in range(4)]:
            problems.append(f"split, {ranks} ranks: {outcome.unexpected()} {written()}")
            return
        for number, alone in enumerate(wanted):
            with h5py.File(place / f"out_{number}.h5") as file:
                expect_same(f"stretch {number}, {ranks} ranks", file["out"][()], alone)
            with open(place / f"report_{number}.json") as report:
                found = json.load(report)["input"]["files"]
            names = [f"part_{i}.h5" for i in STRETCHES[number]]
            if found != names:
                problems.append(f"report of stretch {number}: {found}")
        if "stretch 2 of 4: part_4.h5" not in outcome.stderr:
            problems.append(f"progress of stretches: {outcome.stderr}")

    # a range of times selects the points in the range from each stretch; stretches without such points are skipped
    times = [np.datetime64(int((START + second) * 1e6), "us") for second in (1.0, 400 / RATE + gap / RATE + 0.3)]
    part = text.replace("axis = 0", f"axis = 0\nselect = time {times[0]} .. {times[1]}, 7:20").replace("stride = 3", "stride = 1\nmethod = direct")
    one = config("part_5.h5", dataset, stencil__method="direct")  # with auto, the method would depend on the amount of work
    next_one = config("part_3.h5 part_4.h5", dataset, stencil__method="direct")
    whole = [points(place, one, 0)[200:400, 7:20], points(place, next_one, 0)[:61, 7:20]]
    for path in place.glob("out*"):
        path.unlink()
    outcome = run(place, part, 3)
    if outcome.status or written() != ["out_0.h5", "out_1.h5"]:
        problems.append(f"a part of stretches: {outcome.unexpected()} {written()}")
    else:
        for number, cut in enumerate(whole):
            with h5py.File(place / f"out_{number}.h5") as file:
                expect_same(f"a part of stretch {number}", file["out"][()], cut)

    # all outputs are checked before anything is written
    os.rename(place / "out_1.h5", place / "out_3.h5")
    os.remove(place / "out_0.h5")
    outcome = run(place, text.replace("overwrite = true", "overwrite = false"), in_turn((3, 0))[0])
    if outcome.status != 3 or len(outcome.errors) != 1 or "out_3.h5" not in outcome.stderr or written() != ["out_3.h5"]:
        problems.append(f"an output that exists: {outcome.unexpected()} {written()}")
    os.remove(place / "out_3.h5")
    outcome = run(place, text, in_turn((3, 0))[0], ["--check"])
    told = [f"out_{i}.h5" in outcome.stdout for i in range(5)]
    if outcome.status or written() or told != [True] * 4 + [False]:
        problems.append(f"split, --check: {outcome.unexpected()} {told}")
    stop_behind_the_first(place, dataset, written)
    expect_refusal(place, text.replace("axis = 0", "axis = 0\nselect = 5:900"), 2, "axis 0", "time LOW .. HIGH", ranks=in_turn((3, 0))[0])
    expect_refusal(place, text.replace("axis = 0", "axis = 0\nselect = time 2030-01-01 .. "), 2, "no point", "2024-05-01")
    expect_refusal(place, text.replace("out.h5", "part.h5"), 2, "part_1.h5", ranks=in_turn((3, 0))[0])
    expect_refusal(place, text.replace("[stencil]", "[run]\ncheckpoint = state.h5\n[stencil]"), 2, "input.gaps = split")
    short = text.replace("[stencil]", "[stencil]\nextent = valid").replace("taps = 101", "taps = 201")
    expect_refusal(place, short, 2, "part_4.h5", ranks=in_turn((3, 0))[0])


def stop_behind_the_first(place, dataset, written):
    """A signal ends the run while the first output is being finished; this output is kept."""
    steps = {"mask": ".25 .5 .25", "taps": None, "cutoff": None, "rank": None, "steps": 60_000}
    text = config("part_*.h5", dataset, input__gaps="split", **{f"stencil__{key}": value for key, value in steps.items()})
    (place / "config.ini").write_text(text)
    process = subprocess.Popen([PROGRAM, "config.ini"], cwd=place, env=environment(0, str(place)), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while process.poll() is None and not (place / "out_0.h5").exists() and time.monotonic() < end:
        time.sleep(0.01)
    process.terminate()
    stderr = process.communicate(timeout=60)[1]
    if process.returncode != 128 + signal.SIGTERM or written() != ["out_0.h5"]:
        problems.append(f"stopped after the first stretch: status {process.returncode}, {written()}: {stderr}")
    (place / "out_0.h5").unlink(missing_ok=True)


def expect_refusal(folder, text, status, *words, ranks=0):
    (folder / "out.h5").unlink(missing_ok=True)
    outcome = run(folder, text, ranks)
    whole = "\n".join(outcome.errors)
    if outcome.status != status or len(outcome.errors) != 1 or any(word not in whole for word in words):
        problems.append(f"wanted status {status} and one line with {words}: {outcome.unexpected()}")
    left = [p.name for p in folder.iterdir() if p.name.startswith("out")]
    if left:
        problems.append(f"{words}: leaves {left}")


# a mask that does not change the numbers
PLAIN = {"stencil__mask": "1", "stencil__taps": None, "stencil__cutoff": None, "stencil__rank": None}


def check_missing_values(folder):
    """The values that attributes declare as missing must be the same in all files, or in all files of a stretch, if they are used."""
    folder.mkdir()

    def write(values):
        for number, value in enumerate(values):
            with h5py.File(folder / f"m{number}.h5", "w") as file:
                data = file.create_dataset("x", data=np.array([1, 1, -1, -999, 1], "i2"))
                if value is not None:
                    data.attrs["_FillValue"] = np.int16(value)
    asked = {"missing__value": "attribute", **PLAIN}
    for values, words in (((-1, -999), ("names -999 as missing", "names -1 as missing")),
                          ((None, -999), ("m1.h5", "names no missing value"))):
        write(values)
        expect_refusal(folder, config("m*.h5", "x", **asked), 2, *words)
        unasked = points(folder, config("m*.h5", "x", missing__value="none", **PLAIN), 0)
        if isinstance(unasked, str):
            problems.append(f"missing values that nobody asked for: {unasked}")
    write((-999, -999))
    found = points(folder, config("m*.h5", "x", **asked), 2)
    if isinstance(found, str) or list(np.flatnonzero(np.isnan(found))) != [3, 8]:
        problems.append(f"missing values: {found}")


def check_selected_times(folder):
    """Numbers in input.select are in the unit of the scale along the joined axis, as for a single file."""
    folder.mkdir()
    for unit in ("minutes since 1970-01-01", "seconds since 2024-05-01T00:00:00", "hours", "ms since 1969-12-31"):
        for name, low, high in (("one", 0, 100), ("p0", 0, 50), ("p1", 50, 100)):
            with h5py.File(folder / f"{name}.h5", "w") as file:
                file["x"] = np.arange(low, high, dtype="f4")
                file["t"] = np.arange(low, high) * 0.5
                file["t"].attrs["units"] = unit
                file["t"].make_scale("t")
                file["x"].dims[0].attach_scale(file["t"])
        for select in in_turn(("time 0 .. 20", "t 10 .. 100", "time 24.9 .. 25.1", "t .. 1e300"), 2):
            words = {"input__select": select, **PLAIN}
            expect_same(f"{unit}, {select}", points(folder, config("p*.h5", "x", **words), 0),
                        points(folder, config("one.h5", "x", **words), 0))
    for number in (0, 1):
        with h5py.File(folder / f"p{number}.h5", "a") as file:
            file["t"].attrs["units"] = "m"
    expect_refusal(folder, config("p*.h5", "x", input__select="t 1 .. 3", **PLAIN), 2, "joined", "START:STOP")


def check_refusals(folder):
    place, rows = folder / "odd", sample_rows("int16")
    dataset = KINDS["prodml"][1]
    write_parts(place, "prodml", rows, LAYOUTS["chunked"], [1, 2, 3, 4, 5])
    text = config("part_*.h5", dataset)

    def with_odd(change, status, *words):
        with h5py.File(place / "part_6.h5", "w") as file:
            change(file)
        expect_refusal(place, text, status, "part_6.h5", *words)
        os.remove(place / "part_6.h5")

    after = START + sum(LENGTHS) / RATE
    with_odd(lambda f: prodml(f, rows[:9].astype("int32"), after), 2, "int32", "int16")
    with_odd(lambda f: prodml(f, rows[:9, :7], after), 2, "9x7", "400x48")
    with_odd(lambda f: prodml(f, rows[:9], after + 1), 2, "part_5.h5", "1 s", "input.gaps")
    with_odd(lambda f: prodml(f, rows[:9], after - 0.5), 2, "part_5.h5", "overlap", "0.5 s")
    with_odd(lambda f: prodml(f, rows[:400], START), 2, "part_1.h5", "overlap", "2 s")
    with_odd(lambda f: f.create_dataset("other", data=rows[:9]), 2, "/other")

    def of_another_rate(file):
        prodml(file, rows[:9], after)
        file["Acquisition/Raw[0]"].attrs["OutputDataRate"] = 250.0
    with_odd(of_another_rate, 2, "250", "200")

    def without_times(file):
        prodml(file, rows[:9], after)
        del file["Acquisition/Raw[0]/RawDataTime"], file[dataset].attrs["PartStartTime"]
    with_odd(without_times, 2, "has no times")

    def in_other_units(file):
        prodml(file, rows[:9], after)
        file[dataset].attrs["units"] = "nm"
    with_odd(in_other_units, 2, "units nm")

    (place / "part_6.h5").write_bytes((place / "part_5.h5").read_bytes()[:3000])
    expect_refusal(place, text, 3, "part_6.h5", "not whole")
    (place / "part_6.h5").write_bytes(b"")
    expect_refusal(place, text, 3, "part_6.h5", "empty")
    os.remove(place / "part_6.h5")
    expect_refusal(place, config("part_1.h5 part_6.h5 part_2.h5", dataset), 3, "part_6.h5")
    expect_refusal(place, config("part_1.h5 part_2.h5 part_1.h5", dataset), 2, "part_1.h5", "twice")
    expect_refusal(place, config("nothing_*.h5", dataset), 3, "nothing_*.h5")
    expect_refusal(place, config("part_*.h5", dataset, input__join=2), 2, "input.join = 2")
    expect_refusal(place, config("part_*.h5", dataset, input__join=1), 2, "400x48")
    expect_refusal(place, config("part_*.h5", dataset, input__gaps="leave"), 2, "refuse, fill")
    expect_refusal(place, config("part_*.h5", dataset, output__file="part_3.h5"), 2, "part_3.h5", ranks=in_turn((3, 0))[0])


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    runs = check_bytes(folder)
    check_windows(folder)
    check_many(folder)
    check_datasets(folder)
    check_other_axis(folder)
    check_gaps(folder)
    check_split(folder)
    check_clocks(folder)
    check_overlaps(folder)
    check_leap_second(folder)
    check_without_times(folder)
    check_uneven_times(folder)
    check_refusals(folder)
    check_missing_values(folder / "missing")
    check_selected_times(folder / "selected")
print("\n".join(problems) or f"{runs} runs of several files have the bytes of the joined one; gaps and refusals as promised")
sys.exit(1 if problems else 0)
