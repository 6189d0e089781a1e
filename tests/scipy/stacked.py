"""Files of one shape that are joined along a new axis (input.join = new): the numbers are those of numpy.stack, and the metadata are
those that all files share.

Each run is compared, byte by byte, with a run on one file that contains the stacked array: on 1 to 4 ranks, at once, in
windows, after a checkpoint, and for a part of the array. Coordinates, attributes and scales of the outputs, and
refused inputs, are tested, too."""

import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from program import PROGRAM, environment, in_turn, ini, run, uses_windows

COUNT, ROWS, COLUMNS = 5, 40, 33
ORDER = [9, 10, 11, 100, 101]  # numbers in the names of files
problems = []


def arrays(dtype="f4"):
    return (np.random.default_rng(11).standard_normal((COUNT, ROWS, COLUMNS)) * 100).astype(dtype)


def write_files(place, values, change=lambda file, number: None, **layout):
    place.mkdir(exist_ok=True)
    for number, (name, rows) in enumerate(zip(ORDER, values)):
        with h5py.File(place / f"s{name}.h5", "w") as file:
            file.create_dataset("x", data=rows, **layout)
            scale(file, "y", np.arange(ROWS) * 0.5, 0, units="m")
            scale(file, "range", np.arange(COLUMNS, dtype="f4") * 250 + 125, 1, units="m")
            change(file, number)


def scale(file, name, values, axis, **attributes):
    file[name] = values
    file[name].attrs.update(attributes)
    file[name].make_scale(name)
    if axis is not None:
        file["x"].dims[axis].attach_scale(file[name])


def config(files="s*.h5", **words):
    sections = {"input": {"file": files, "dataset": "/x", **({"join": "new"} if files != "whole.h5" else {})},
                "output": {"file": "out.h5", "overwrite": "true"},
                "stencil": {"mask": "gaussian", "sigma": 1.5, "boundary": "mirror"}}
    for name, value in words.items():
        section, key = name.split("__")
        sections.setdefault(section, {})[key] = value
        if value is None:
            del sections[section][key]
    return ini(sections)


def outcome_of(place, text, ranks, arguments=()):
    for old in place.glob("out*"):
        old.unlink()
    return run(place, text, ranks, ["--progress=lines", *arguments])


def points(place, text, ranks, arguments=(), windows=False):
    """The points of the output, or a message if the run failed, or did not use windows although it should."""
    outcome = outcome_of(place, text, ranks, arguments)
    if outcome.status:
        return outcome.unexpected()
    if windows and not uses_windows(outcome):
        return "the run did not use windows"
    with h5py.File(place / "out.h5") as file:
        return file["x"][()]


def expect_same(name, found, wanted):
    if isinstance(found, str) or isinstance(wanted, str):
        problems.append(f"{name}: {found if isinstance(found, str) else wanted}")
    elif found.dtype != wanted.dtype or found.shape != wanted.shape or found.tobytes() != wanted.tobytes():
        problems.append(f"{name}: the bytes differ from those of the stacked array: {found.shape}, {wanted.shape}")


STAGES = {"a mask of two axes": {}, "strides": {"stencil__stride": "2 3"}, "along the last axis": {"stencil__rank": 1, "input__axis": -1},
          "along the new axis": {"stencil__mask": ".25 .5 .25", "stencil__sigma": None, "input__axis": 0},
          "steps": {"stencil__mask": ".25 .5 .25", "stencil__sigma": None, "input__axis": 1, "stencil__steps": 7},
          "a part": {"input__select": "1:5:2, 5:30, 3:", "stencil__method": "direct"},
          "a part of a file": {"input__select": "3:4, :, 0:20:3", "input__edges": "boundary"},
          "snapshots": {"stencil__mask": ".25 .5 .25", "stencil__sigma": None, "input__axis": 1, "stencil__steps": 6, "output__snapshot_every": 2},
          "a bank": {"stencil__mask": "bank.h5:/bank[:]", "stencil__sigma": None}}


def check_bytes(folder):
    runs = 0
    for number, (dtype, layout) in enumerate((("f4", {}), ("i2", {"chunks": (16, 11), "compression": "gzip"}), ("f8", {"chunks": (40, 1)}))):
        place, values = folder / f"bytes{number}", arrays(dtype)
        write_files(place, values, **layout)
        with h5py.File(place / "whole.h5", "w") as file:
            file["x"] = values
        with h5py.File(place / "bank.h5", "w") as file:
            file["bank"] = np.random.default_rng(1).standard_normal((3, 3, 5))
        for name in in_turn(STAGES, 5):
            words = STAGES[name]
            wanted = points(place, config("whole.h5", **words), 0)
            for ranks in in_turn((0, 2 + number)):
                expect_same(f"{name}, {dtype}, {ranks} ranks", points(place, config(**words), ranks), wanted)
                runs += 1
    single = points(place, config("s10.h5"), 0)
    expect_same("one file", single, points(place, config("whole.h5", input__select="1:2", input__edges="boundary"), 0))
    return runs


def check_windows(folder):
    place = folder / "windows"
    place.mkdir()
    values = np.random.default_rng(3).standard_normal((5, 1500, 1600), dtype=np.float32)
    for number, rows in enumerate(values):
        with h5py.File(place / f"s{number}.h5", "w") as file:
            file["x"] = rows
    with h5py.File(place / "whole.h5", "w") as file:
        file["x"] = values
    wanted = points(place, config("whole.h5", stencil__method="direct"), 0)
    for ranks in in_turn((0, 3)):
        expect_same(f"windows, {ranks} ranks", points(place, config(stencil__method="direct"), ranks, ["--run.memory=76MiB"], windows=True), wanted)


def check_checkpoint(folder):
    """A run that is stopped after its first checkpoint and continued on other ranks writes the same bytes as a run that was not stopped."""
    place, values = folder / "checkpoint", arrays()
    write_files(place, values)
    words = {"stencil__mask": ".25 .5 .25", "stencil__sigma": None, "input__axis": 1, "stencil__steps": 20_000}
    wanted = points(place, config(**words), 0)
    for old in place.glob("out*"):
        old.unlink()
    text = config(run__checkpoint="checkpoint.h5", run__checkpoint_every="500 steps", **words)
    (place / "config.ini").write_text(text)
    process = subprocess.Popen([PROGRAM, "config.ini"], cwd=place, env=environment(0, str(place)), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while process.poll() is None and not (place / "checkpoint.h5").exists() and time.monotonic() < end:
        time.sleep(0.002)
    process.terminate()
    status = process.wait(timeout=60)
    outcome = run(place, text, 3)
    if status != 75 or outcome.status:
        problems.append(f"from a checkpoint: {status}, then {outcome.unexpected()}")
        return
    with h5py.File(place / "out.h5") as file:
        expect_same("from a checkpoint", file["x"][()], wanted)


def opened(place, name, text, *notes):
    outcome = outcome_of(place, text, 2)
    if outcome.status:
        problems.append(f"{name}: {outcome.unexpected()}")
        return None
    for note in notes:
        if note not in outcome.stderr:
            problems.append(f"{name}: no note of '{note}': {outcome.stderr}")
    return h5py.File(place / "out.h5")


def names_of_scales(dataset):
    return [[scale.name for scale in dim.values()] for dim in dataset.dims]


def expect_equal(name, found, wanted):
    found, wanted = (x.tolist() if isinstance(x, np.ndarray) else list(x) for x in (found, wanted))
    if found != wanted:
        problems.append(f"{name}: {found}, right is {wanted}")


def check_metadata(folder):
    """Scalar times become the scale of the new axis; metadata that differs between the files is left out with a note."""
    place, values = folder / "metadata", arrays()

    def change(file, number):
        minutes = file.create_dataset("time", data=np.int64(10 * number if number < 3 else 600 * number))
        minutes.attrs["units"] = "minutes since 2024-05-01" if number < 3 else "seconds since 2024-05-01"
        file["elevation"] = np.float32(0.5)
        file["latitude"] = np.ones((ROWS, COLUMNS), "f4") * (2 if number == 4 else 1)
        file["height"] = np.arange(ROWS * COLUMNS, dtype="f4").reshape(ROWS, COLUMNS)
        file["x"].attrs.update(units="dBZ", long_name="reflectivity", coordinates="time elevation latitude height", sweep=number)
        file["x"].attrs["Count"] = ROWS * COLUMNS
        file.attrs.update(title="radar", number=number)
    write_files(place, values, change)
    file = opened(place, "metadata", config(stencil__stride="1 2"), "attribute sweep of /x, which differs between the files",
                  "attribute number of /, which differs", "latitude, which differs")
    if file:
        data = file["x"]
        expect_equal("scales", names_of_scales(data), [["/time"], ["/y"], ["/range"]])
        expect_equal("times", file["time"][()], np.arange(COUNT) * 10)
        expect_equal("unit of times", [file["time"].attrs["units"]], ["minutes since 2024-05-01"])
        expect_equal("range", file["range"][()], np.arange(0, COLUMNS, 2) * 250 + 125)
        expect_equal("height", file["height"][()], np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)[:, ::2])
        expect_equal("elevation", [file["elevation"][()]], [0.5])
        expect_equal("absent", [name in file for name in ("latitude",)] + [name in data.attrs for name in ("sweep",)] + ["number" in file.attrs],
                     [False] * 3)
        expect_equal("attributes", [data.attrs["units"], data.attrs["long_name"], file.attrs["title"]], ["dBZ", "reflectivity", "radar"])
        expect_equal("coordinates", sorted(data.attrs["coordinates"].split()), ["elevation", "height", "time"])
        file.close()
    file = opened(place, "every other file", config(input__select="1::2"))
    if file:
        expect_equal("times of a part", file["time"][()], [10, 30])
        file.close()
    file = opened(place, "strides along the new axis",
                  config(stencil__mask="1", stencil__sigma=None, input__axis=0, stencil__stride=2))
    if file:
        expect_equal("times of strides", file["time"][()], [0, 20, 40])
        file.close()
    part = points(place, config(input__select="range 1000 .. 3000", stencil__mask="1", stencil__sigma=None), 2)
    expect_same("a range", part, values[:, :, 4:12])
    try:
        import xarray as xr
    except ImportError:
        return
    with xr.open_dataset(place / "out.h5", engine="h5netcdf", phony_dims="access") as dataset:
        if dataset["x"].dims != ("time", "y", "range") or dataset["time"].dtype.kind != "M":
            problems.append(f"xarray: {dataset}")


def check_other_scales(folder):
    """A dimension scale that differs between the files is left out, and no variable of the output refers to it. If one file lacks
    the scalar coordinate that would become the scale of the new axis, this axis has no scale.
    """
    place = folder / "scales"

    def change(file, number):
        file["y"][:] += number
        if number != 3:
            scale(file, "frequency", np.array([5.0 + number]), None, units="GHz")
        file["gain"] = np.ones(ROWS)
        file["gain"].dims[0].attach_scale(file["y"])
        file["x"].attrs["coordinates"] = "gain"
    write_files(place, arrays(), change)
    file = opened(place, "scales", config(), "dataset /y, which differs between the files", "the coordinate frequency of the new axis, which s100.h5:/x")
    if file:
        expect_equal("scales", [names[0].split("_")[0] for names in names_of_scales(file["x"])], ["/axis", "/axis", "/range"])
        expect_equal("y is absent", ["y" in file, file["gain"].shape == (ROWS,)], [False, True])
        file.close()
    refuse(place, config(input__select="y 3 .. 5"), "y 3 .. 5", "s10.h5:/x")
    with h5py.File(place / "s100.h5", "r+") as file:
        scale(file, "frequency", np.array([8.0]), None, units="GHz")
    file = opened(place, "frequencies", config())
    if file:
        expect_equal("frequencies", file["frequency"][()], 5.0 + np.arange(COUNT))
        file.close()


def check_first_times(folder):
    """Attributes that give the time at which each file begins, as in files of GWOSC and ProdML, become the scale of the new axis."""
    values = arrays()
    for name, starts, wanted in (
            ("gps", [{"Xstart": 1126259446 + 32 * n, "Xspacing": 0.5, "Xunits": "second"} for n in range(COUNT)],
             (1126259446 + 315964800 - 17 + 32 * np.arange(COUNT)) * 10**9),
            ("dates", [{"PartStartTime": f"2024-05-01T0{n}:30:00.25+00:00"} for n in range(COUNT)],
             np.datetime64("2024-05-01T00:30:00.25").astype("M8[ns]").astype("i8") + np.arange(COUNT) * 3600 * 10**9),
            ("one that lacks it", [{"Xstart": 5.0, "Xspacing": 0.5, "Xunits": "second"} if n != 2 else {} for n in range(COUNT)], None),
            ("the same in all", [{"Xstart": 5.0, "Xspacing": 0.5, "Xunits": "second"}] * COUNT, None)):
        place = folder / name.replace(" ", "_")
        place.mkdir()
        for number, (own, rows) in enumerate(zip(ORDER, values)):
            with h5py.File(place / f"s{own}.h5", "w") as file:
                file.create_dataset("x", data=rows.ravel())  # GPS times are only supported for data of one axis
                file["x"].attrs.update(starts[number])
        outcome = outcome_of(place, config(input__axis=1, stencil__rank=1), 0)
        if outcome.status:
            if name != "one that lacks it":
                problems.append(f"{name}: {outcome.unexpected()}")
            continue
        with h5py.File(place / "out.h5") as file:
            has_scale = "time" in file and list(file["x"].dims[0].keys()) == ["time"]
            expect_equal(f"{name}: a scale", [has_scale], [wanted is not None])
            if has_scale and wanted is not None:
                expect_equal(name, file["time"][()], wanted)
                expect_equal(f"{name}: unit", [file["time"].attrs["units"]], ["nanoseconds since 1970-01-01"])


def refuse(place, text, *words):
    outcome = outcome_of(place, text, 2)
    whole = "\n".join(outcome.errors)
    if outcome.status != 2 or len(outcome.errors) != 1 or any(word not in whole for word in words):
        problems.append(f"wanted status 2 and one line with {words}: {outcome.unexpected()}")
    if list(place.glob("out*")):
        problems.append(f"{words}: leaves an output")


def check_refusals(folder):
    place = folder / "refusals"
    write_files(place, arrays())
    for key, value in (("gaps", "fill"), ("overlap", "first"), ("clock", "first")):
        refuse(place, config(**{f"input__{key}": value}), key, "join = new")
    refuse(place, config(output__copy="rest"), "output.copy = rest", "input.join = new")
    refuse(place, config(input__join="old"), "join", "old")
    with h5py.File(place / "s99.h5", "w") as file:
        file["x"] = np.ones((ROWS, COLUMNS + 1), "f4")
    refuse(place, config(), "s99.h5", f"{ROWS}x{COLUMNS + 1}", "input.join = new")
    with h5py.File(place / "s99.h5", "w") as file:
        file["x"] = np.ones((ROWS, COLUMNS), "f8")
    refuse(place, config(), "s99.h5", "float64")
    (place / "s99.h5").unlink()
    outcome = run(place, config(), 2, ["--check"])
    if outcome.status or f"{COUNT}x{ROWS}x{COLUMNS} float32, stacked" not in outcome.stdout or "4 files stacked to it" not in outcome.stdout:
        problems.append(f"--check: {outcome.unexpected()} {outcome.stdout}")


def check_missing(folder):
    """A mask of valid points with the shape of one file applies to all files; missing values are declared by each file."""
    place, values = folder / "missing", arrays()
    write_files(place, values, lambda file, number: file["x"].attrs.create("_FillValue", np.float32(-1)))
    mask = np.ones((ROWS, COLUMNS), "u1")
    mask[10:14, 5:9] = 0
    with h5py.File(place / "mask.h5", "w") as file:
        file["mask"] = mask
    with h5py.File(place / "whole.h5", "w") as file:
        file["x"] = values
        file["x"].attrs["_FillValue"] = np.float32(-1)
    words = {"missing__policy": "renormalize", "missing__mask": "mask.h5:/mask"}
    expect_same("a mask", points(place, config(**words), 3), points(place, config("whole.h5", **words), 0))
    write_files(place, values, lambda file, number: file["x"].attrs.create("_FillValue", np.float32(-1 if number != 2 else -2)))
    refuse(place, config(missing__value="attribute"), "s11.h5", "names -2 as missing")


def check_datasets(folder):
    """Datasets of one file, in the order of their numbers."""
    place, values = folder / "datasets", arrays()
    place.mkdir()
    with h5py.File(place / "one.h5", "w") as file:
        for name, rows in zip(ORDER, values):
            file[f"sweep_{name}/data"] = rows
            file[f"sweep_{name}"].attrs.update(angle=name, kind="scan")
    text = config("one.h5", stencil__mask="1", stencil__sigma=None).replace("/x", "/sweep_*/data")
    outcome = outcome_of(place, text + "", 2)
    if outcome.status:
        problems.append(f"datasets: {outcome.unexpected()}")
        return
    with h5py.File(place / "out.h5") as file:
        expect_same("datasets of one file", file["sweep_9/data"][()], values)
        expect_equal("attributes of the group", sorted(set(file["sweep_9"].attrs) & {"angle", "kind"}), ["kind"])


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    runs = check_bytes(folder)
    check_windows(folder)
    check_checkpoint(folder)
    check_metadata(folder)
    check_other_scales(folder)
    check_first_times(folder)
    check_refusals(folder)
    check_missing(folder)
    check_datasets(folder)
print("\n".join(problems) or f"{runs} runs of stacked files have the bytes of the stacked array; metadata and refusals as promised")
sys.exit(1 if problems else 0)
