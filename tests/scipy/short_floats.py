"""Numbers of 16 bits, float16 and bfloat16, as input and as output.

Every number of both types is read, and numbers between two neighbouring numbers are written; NumPy converts them in the same way. The
results of filters are equal to the results for the same numbers in float32 or, if the output has 16 bits, to these results rounded.
This holds for all layouts, on 1 and 3 ranks, in windows, with missing points, and for joined, virtual and selected inputs and
snapshots.
"""

import json
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run


def bfloat16_type(big_endian=False):
    """Returns the HDF5 type of bfloat16, a type that NumPy does not have."""
    stored = (h5py.h5t.IEEE_F32BE if big_endian else h5py.h5t.IEEE_F32LE).copy()
    stored.set_fields(15, 7, 8, 0, 7)
    stored.set_size(2)
    stored.set_ebias(127)
    return stored


def to_bfloat16(values):
    """Returns float64 values, rounded to the nearest bfloat16 (ties to even), as float32."""
    with np.errstate(all="ignore"):
        values = np.asarray(values, "f8")
        exponent = np.maximum(np.frexp(values)[1] - 1, -126)
        unit = np.ldexp(1.0, np.where(np.isfinite(values), exponent, 0) - 7)
        rounded = np.where(np.isfinite(values), np.rint(values / unit) * unit, values)
        limit = np.ldexp(2 - 2.0**-7, 127)
        return np.where(np.abs(rounded) > limit, np.copysign(np.inf, rounded), rounded).astype("f4")


def rounded(values, name):
    with np.errstate(over="ignore"):
        return values.astype("f2") if name == "float16" else to_bfloat16(values)


def bits(name):
    """Returns the bits of all numbers of a type, and the numbers as float32."""
    stored = np.arange(65536, dtype="u2")
    return stored, stored.view("f2").astype("f4") if name == "float16" else (stored.astype("u4") << 16).view("f4")


def create(file, dataset, values, name, big_endian=False, **storage):
    """Writes float32 values that the 16-bit type represents exactly. HDF5 gets the numbers in the byte order of this
    machine, and converts them if the dataset is big-endian."""
    if name == "float16":
        return file.create_dataset(dataset, data=values.astype(">f2" if big_endian else "<f2"), **storage)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if "chunks" in storage:
        creation.set_chunk(storage["chunks"])
    if "compression" in storage:
        creation.set_shuffle()
        creation.set_deflate(4)
        creation.set_fletcher32()
    made = h5py.h5d.create(file.id, dataset.encode(), bfloat16_type(big_endian), h5py.h5s.create_simple(values.shape), creation)
    words = np.ascontiguousarray((values.view("u4") >> 16).astype("<u2"))
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, words, bfloat16_type())
    return h5py.Dataset(made)


def same(found, expected):
    return found.shape == expected.shape and np.array_equal(found, expected, equal_nan=True)


def read(place, dataset="data"):
    with h5py.File(place / "out.h5") as file:
        return file[dataset][()], file[dataset].id.get_type()


def is_type(stored, name):
    return stored.equal(h5py.h5t.IEEE_F16LE if name == "float16" else bfloat16_type())


def outcome_of(place, sections, ranks=0, arguments=()):
    whole = {"input": {"file": "in.h5"}, "output": {"file": "out.h5", "dataset": "/data", "overwrite": "true"}}
    for section, keys in sections.items():
        whole[section] = {**whole.get(section, {}), **keys}
    outcome = run(place, ini(whole), ranks, arguments)
    if outcome.status != 0:
        raise AssertionError(f"{sections} {arguments}, {ranks} ranks: {outcome.unexpected()}")
    return outcome


IDENTITY = {"stencil": {"mask": "1"}, "missing": {"value": "none"}}


def check_every_number(place, name):
    """Reads every number, and writes numbers close to every number, which are given as float32 and as float64."""
    wrong = []
    stored, values = bits(name)
    finite = np.sort(values[np.isfinite(values)].astype("f8"))
    middle = (finite[1:] + finite[:-1]) / 2
    with np.errstate(over="ignore"):
        near64 = np.concatenate([finite, middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf), [1e39, -1e39, np.inf, np.nan]])
        beyond = [np.float64(65519.99), 65520, -65520, 3.3895e38, 3.3961e38, -3.3961e38, 1e-46, -2.9e-8]
        near64 = np.concatenate([near64, beyond])
        near32 = np.concatenate([near64.astype("f4"), np.nextafter(middle.astype("f4"), np.float32(np.inf)),
                                 np.nextafter(middle.astype("f4"), np.float32(-np.inf))])
    with h5py.File(place / "in.h5", "w") as file:
        create(file, "every", values, name)
        create(file, "turned", values, name, big_endian=True)
        create(file, "packed", values, name, chunks=(1000,), compression="gzip")
        file["near32"], file["near64"] = near32, near64
    for dataset in ("every", "turned", "packed"):
        for dtype in ("float32", "float64", name):
            outcome_of(place, {**IDENTITY, "input": {"dataset": f"/{dataset}"}, "output": {"dtype": dtype}})
            found = read(place)[0]
            with np.errstate(invalid="ignore"):  # the numbers contain NaN of every kind
                is_same = same(found, values.astype(found.dtype))
            if not is_same:
                wrong.append(f"{name}: {dataset} as {dtype}")
    for dataset, given in (("near32", near32), ("near64", near64)):
        outcome_of(place, {**IDENTITY, "input": {"dataset": f"/{dataset}"}, "output": {"dtype": name}})
        found, type_found = read(place)
        if not is_type(type_found, name) or not same(found.astype("f4"), rounded(given, name).astype("f4")):
            wrong.append(f"{name}: {dataset} as {name}")
    return wrong


# Sections in addition to the input and output, on data with the shape [6, 40, 33].
RUNS = (
    {"stencil": {"mask": "gaussian", "sigma": "1.5 1"}},
    {"stencil": {"mask": "1 2 3; 4 5 6", "axes": "0 2", "boundary": "mirror"}},
    {"stencil": {"mask": "gaussian", "sigma": "1", "axes": "0 1 2"}},
    {"stencil": {"mask": "in.h5:/taps"}},
    {"stencil": {"mask": "box", "size": "3 5"}, "missing": {"policy": "renormalize", "min_valid": "0.3"}},
    {"stencil": {"mask": "1 2 1", "axis": "0"}, "missing": {"value": "-999.9 nan", "policy": "fill", "fill_value": "2.5", "keep": "true"}},
    {"stencil": {"mask": "gaussian", "sigma": "2", "method": "fft"}},
    {"stencil": {"mask": "1 2 1", "axis": "1", "stride": "2"}, "input": {"select": "1:6, 3:40:2, :"}},
)
STORED = ({}, {"chunks": (4, 9, 10)}, {"chunks": (1, 40, 33), "compression": "gzip", "shuffle": True}, {"big_endian": True},
          {"chunks": (5, 7, 33), "big_endian": True})


def check_runs(place, name):
    rng = np.random.default_rng(16)
    values = rounded(rng.normal(0, 10, (6, 40, 33)).astype("f4"), name).astype("f4")
    missing = rounded(np.array([-999.9], "f4"), name).astype("f4")[0]
    values[rng.random(values.shape) < 0.05] = missing
    values[rng.random(values.shape) < 0.02] = np.nan
    taps = rounded(rng.normal(0, 1, (3, 4)).astype("f4"), name).astype("f4")
    wrong = []
    for number, sections in enumerate(RUNS):
        storage = STORED[number % len(STORED)]
        with h5py.File(place / "in.h5", "w") as file:
            for dataset, kind in (("short", name), ("long", None)):
                made = create(file, dataset, values, name, **storage) if kind else file.create_dataset(dataset, data=values)
                if number != 5:  # the fill value is rounded to the type of the file
                    made.attrs["_FillValue"] = missing
            create(file, "taps", taps, name)
        outcome_of(place, {**sections, "input": {**sections.get("input", {}), "dataset": "/long"},
                           "missing": {**sections.get("missing", {}), **({"value": f"{missing} nan"} if number == 5 else {})}})
        expected = read(place)[0]
        contents = set()
        for ranks in in_turn((0, 3), 2):
            for arguments in ((), *in_turn((("--output.chunk=3x8x5", "--output.compression=gzip:4"), ("--output.dtype=float32",)))):
                dtype = {} if arguments == ("--output.dtype=float32",) else {"dtype": name}
                outcome_of(place, {**sections, "input": {**sections.get("input", {}), "dataset": "/short"}, "output": dtype}, ranks, arguments)
                found, type_found = read(place)
                wanted = rounded(expected, name) if dtype else expected
                if not same(found.astype("f4"), wanted.astype("f4")) or is_type(type_found, name) != bool(dtype):
                    wrong.append(f"{name}, run {number}, {ranks} ranks, {arguments}")
                if not arguments:
                    contents.add((place / "out.h5").read_bytes())
        if len(contents) != 1:
            wrong.append(f"{name}, run {number}: other bytes on other ranks")
        with h5py.File(place / "out.h5") as file:
            if "missing" in sections and not np.isnan(file["data"].attrs["_FillValue"]).all():
                wrong.append(f"{name}, run {number}: _FillValue")
    return wrong


def check_limits(place, name):
    """The limits of the valid range are not rounded to 16 bits; gaps are not filled with a missing value that the type cannot hold."""
    wrong = []
    near, beyond = (2051, 70000) if name == "float16" else (1003, 3.4e38)
    for limit, values in ((near, [1, near - 1, near + 1]), (beyond, [1, 2, np.inf])):
        with h5py.File(place / "in.h5", "w") as file:
            create(file, "data", np.array(values, "f4"), name).attrs["valid_max"] = np.float32(limit)
        outcome_of(place, {"input": {"dataset": "/data"}, "stencil": {"mask": "1"}})
        if not np.array_equal(np.isnan(read(place)[0]), [False, False, True]):
            wrong.append(f"{name}: valid_max = {limit}: {read(place)[0]}")
    for number in range(2):
        with h5py.File(place / f"gap{number}.h5", "w") as file:
            create(file, "data", np.ones((4, 3), "f4"), name).attrs["_FillValue"] = 1e39
            file["time"] = np.arange(4.0) + 6 * number
            file["time"].attrs["units"] = "seconds since 2001-01-01"
            file["time"].make_scale()
            file["data"].dims[0].attach_scale(file["time"])
    outcome_of(place, {"stencil": {"mask": "1"}, "input": {"file": "gap?.h5", "dataset": "/data", "gaps": "fill"}})
    found = read(place)[0]
    if found.shape != (10, 3) or not np.isnan(found[4:6]).all() or not (found[[0, 3, 6, 9]] == 1).all():
        wrong.append(f"{name}: filled gaps: {found}")
    return wrong


def check_windows(place, name):
    """Runs with little memory write the same bytes."""
    rng = np.random.default_rng(17)
    values = rounded(rng.normal(0, 1, (4000, 1500)).astype("f4"), name).astype("f4")
    with h5py.File(place / "in.h5", "w") as file:
        create(file, "data", values, name, chunks=(100, 1500), compression="gzip", shuffle=True)
    sections = {"stencil": {"mask": "gaussian", "sigma": "1"}, "output": {"dtype": name}, "input": {"dataset": "/data"}}
    contents = []
    refused = run(place, ini({"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", **sections["output"]}, "stencil": sections["stencil"]}), 0, ["--run.memory=1"])
    least = int(re.search(r"needs (\d+) bytes of memory per rank", refused.stderr)[1])
    for memory in ("8GiB", least, least + (1 << 20)):
        outcome_of(place, sections, 0, [f"--run.memory={memory}"])
        contents.append((place / "out.h5").read_bytes())
    return [] if contents[1:] == contents[:1] * 2 else [f"{name}: other bytes in windows"]


def check_composed(place, name):
    """Joined files, virtual datasets, and snapshots."""
    rng = np.random.default_rng(18)
    values = rounded(rng.normal(0, 1, (20, 30)).astype("f4"), name).astype("f4")
    wrong = []
    for number, part in enumerate((values[:8], values[8:])):
        with h5py.File(place / f"part{number}.h5", "w") as file:
            create(file, "data", part, name)
    stored = h5py.h5t.IEEE_F16LE if name == "float16" else bfloat16_type()
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    with h5py.File(place / "in.h5", "w") as file:
        for number, (first, last) in enumerate(((0, 8), (8, 20))):
            target, source = h5py.h5s.create_simple(values.shape), h5py.h5s.create_simple((last - first, 30))
            target.select_hyperslab((first, 0), (last - first, 30))
            creation.set_virtual(target, f"part{number}.h5".encode(), b"data", source)
        h5py.h5d.create(file.id, b"data", stored, h5py.h5s.create_simple(values.shape), creation)
    for where in ({"file": "in.h5", "dataset": "/data"}, {"file": "part?.h5", "dataset": "/data", "join": "0"}):
        outcome_of(place, {**IDENTITY, "input": where, "output": {"dtype": name}})
        if not same(read(place)[0].astype("f4"), values):
            wrong.append(f"{name}: {where}")
    outcome_of(place, {"input": {"dataset": "/data"}, "output": {"dtype": name, "snapshot_every": "2"},
                       "stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "4"}})
    short = read(place)[0]
    has_xdmf = (place / "out.h5.xdmf").exists()
    outcome_of(place, {"input": {"dataset": "/data"}, "output": {"snapshot_every": "2"},
                       "stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "4"}})
    if has_xdmf or not same(short.astype("f4"), rounded(read(place)[0], name).astype("f4")):
        wrong.append(f"{name}: snapshots")
    with h5py.File(place / "part0.h5", "w") as file:
        file["data"] = values[:8]
    mixed = run(place, ini({"input": {"file": "part?.h5", "dataset": "/data", "join": "0"}, "output": {"file": "out.h5"}, "stencil": {"mask": "1"}}))
    if mixed.status != 2 or f"holds {name}" not in mixed.stderr:
        wrong.append(f"{name}: joined with float32: {mixed.unexpected()}")
    return wrong


def check_notes(place, name):
    """Points that become infinite or 0 are counted and noted; a missing value beyond the range is refused."""
    wrong = []
    large, small, coarse = (1e6, 1e-9, 1.234e-6) if name == "float16" else (3.4e38, 1e-43, 1.234e-39)
    wider = "float32" if name == "float16" else "float64"
    with h5py.File(place / "in.h5", "w") as file:
        for dataset, value in (("large", large), ("small", small), ("coarse", coarse)):
            values = np.zeros((50, 50), "f4")
            values[:10] = value
            file[dataset] = values
        create(file, "short", np.ones((5, 5), "f4"), name)
    for dataset, words, counts in (
        ("large", f"500 of 2500 points were beyond the range of {name} and became infinite: write output.dtype = {wider}", (500, 0)),
        ("small", f"500 of 2500 points were too small for {name} and became 0 or lost digits: write output.dtype = float32", (0, 500)),
        ("coarse", f"500 of 2500 points were too small for {name} and became 0 or lost digits: write output.dtype = float32", (0, 500)),
    ):
        outcome = outcome_of(place, {**IDENTITY, "input": {"dataset": f"/{dataset}"}, "output": {"dtype": name}}, 0, ["--report=report.json"])
        report = json.loads((place / "report.json").read_text())
        if words not in outcome.stderr or words not in report["notes"] or report["output"]["dtype"] != name or counts != tuple(
                report["output"][key] for key in ("saturated_points", "vanished_points")):
            wrong.append(f"{name}: {dataset}: {outcome.stderr}")
    listed = run(place, None, 0, ["--list", "in.h5"])
    if f"5 x 5 {name}" not in listed.stdout:
        wrong.append(f"--list: {listed.stdout}")
    refused = run(place, ini({"input": {"file": "in.h5", "dataset": "/short"}, "output": {"file": "out.h5"}, "stencil": {"mask": "1"},
                              "missing": {"value": "1e39"}}))
    if refused.status != 2 or not re.search(rf"cannot occur in .* whose points are {name}", refused.stderr):
        wrong.append(f"{name}: a missing value beyond the range: {refused.unexpected()}")
    packed = run(place, ini({"input": {"file": "in.h5", "dataset": "/large"}, "output": {"file": "out.h5", "dtype": name, "scale": "1 0"},
                             "stencil": {"mask": "1"}}))
    if packed.status != 2 or "packs integers" not in packed.stderr:
        wrong.append(f"{name}: a packed output: {packed.unexpected()}")
    return wrong


def main():
    wrong = []
    for name in ("float16", "bfloat16"):
        for check in (check_every_number, check_runs, check_limits, check_windows, check_composed, check_notes):
            with tempfile.TemporaryDirectory() as place:
                try:
                    wrong += check(pathlib.Path(place), name)
                except AssertionError as failure:
                    wrong.append(f"{name}: {failure}")
    print("\n".join(wrong + [f"numbers of 16 bits: {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
