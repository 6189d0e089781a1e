"""Complex numbers in files: data whose elements are compounds of a real and an imaginary part.

Random cases of any axes are compared with plain NumPy and scipy.ndimage, on 1 to 6 ranks, which write the same bytes;
their inputs have any layout that HDF5 allows. Runs with the keys of stages and runs are compared bit by bit with two
runs, one on the real parts and one on the imaginary parts. (Transforms, whose tiles depend on the number of points, are
compared within rounding errors.)
Complex taps are tested on real and on complex data. Keys that have no meaning for complex numbers are refused.

complex.py [FIRST [LAST]] runs only the random cases with these numbers.
"""

import json
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from axes import amount_of, random_case, stopped_and_continued
from scipy import ndimage

from expected import Stage, apply, difference
from program import THOROUGH, in_turn, ini, run

CASES = 600 if THOROUGH else 11  # one case for each layout
LAYOUTS = ("h5py", "big-endian", "imaginary part first", "apart", "chunked", "chunked, big-endian", "chunked, apart", "packed",
           "compact", "virtual", "joined")


def compound(dtype, layout):
    """Returns the compound type of complex numbers in the file."""
    part = np.dtype(dtype).char.lower()
    part = np.dtype({"f": "f4", "d": "f8"}[part])
    size = part.itemsize
    if "big-endian" in layout:
        part = part.newbyteorder(">")
    names, offsets = ("r", "i"), (0, size)
    if layout == "imaginary part first":
        names = ("imag", "real")
    if "apart" in layout:
        return np.dtype({"names": ["Re", "Im"], "formats": [part, part], "offsets": [size, 3 * size], "itemsize": 5 * size})
    return np.dtype({"names": names, "formats": [part, part], "offsets": offsets})


def as_compound(data, kind):
    """Complex numbers as an array of a compound type."""
    result = np.zeros(data.shape, kind)
    for name in kind.names:
        result[name] = data.imag if name.lower().startswith("i") else data.real
    return result


def create(file, name, data, layout, rng):
    """Creates a dataset of complex numbers in some layout. h5py's low-level interface is used if its high-level
    interface does not support the type."""
    kind = compound(data.dtype, layout)
    values = as_compound(data, kind)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if "chunk" in layout or layout == "packed":
        creation.set_chunk(tuple(int(rng.integers(1, n + 1)) for n in data.shape))
    if layout == "packed":
        creation.set_shuffle()
        creation.set_deflate(1)
        creation.set_fletcher32()
    if layout == "compact" and values.nbytes < 60000:
        creation.set_layout(h5py.h5d.COMPACT)
    stored = h5py.h5t.py_create(kind)
    dataset = h5py.h5d.create(file.id, name.encode(), stored, h5py.h5s.create_simple(data.shape), creation)
    if layout == "unwritten chunks":
        data[data.shape[0] // 2:] = 0
        if data.shape[0] > 1:
            h5py.Dataset(dataset)[:data.shape[0] // 2] = values[:data.shape[0] // 2]
        return
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, values, stored)


def write(place, data, layout, rng):
    """Writes in.h5, and the files that it refers to."""
    if layout in ("virtual", "joined"):
        middle = (data.shape[0] + 1) // 2
        parts = [data[:middle], data[middle:]] if data.shape[0] > 1 else [data]
        for number, part in enumerate(parts):
            with h5py.File(place / f"in{number}.h5", "w") as file:
                create(file, "data", part, "chunked" if number == 0 else "h5py", rng)
        if layout == "joined":
            return "in?.h5", len(parts) > 1
        whole = h5py.VirtualLayout(data.shape, data.dtype)
        for number, part in enumerate(parts):
            whole[number * middle:number * middle + len(part)] = h5py.VirtualSource(f"in{number}.h5", "data", part.shape, data.dtype)
        with h5py.File(place / "in.h5", "w") as file:
            file.create_virtual_dataset("data", whole)
        return "in.h5", False
    with h5py.File(place / "in.h5", "w") as file:
        create(file, "data", data, layout, rng)
    return "in.h5", False


def read(place, name="out.h5"):
    with h5py.File(place / name) as file:
        return file["data"][()]


def check_random(number, folder):
    """Runs a random case. Returns None, or one line that describes the failure."""
    data, _, sections, expected = random_case(number, is_complex=True)
    layout = LAYOUTS[number % len(LAYOUTS)]
    place = folder / str(number)
    place.mkdir()
    file, is_joined = write(place, data, layout, np.random.default_rng(number))
    sections["input"]["file"] = file
    sections["output"]["dataset"] = "/data"
    if is_joined:
        sections["input"]["join"] = "0"
    for section, keys in sections.items():
        if section.startswith("stencil"):  # the axes have no names in this file
            keys["axes"] = " ".join(str(NAMES.index(w)) if w in NAMES else w for w in keys["axes"].split())
    where = f"case {number}, {layout}, {data.dtype}, shape {data.shape}\n{ini(sections)}"
    bytes_before = None
    for ranks in in_turn((1, 2, 3, 6), 2 if number % 3 == 0 else 1):
        (place / "out.h5").unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks, limit=60)
        if outcome.status != 0:
            return f"{outcome.unexpected()}\n{ranks} ranks, {where}"
        result = read(place)
        if result.dtype != np.complex128:
            return f"{result.dtype}\n{where}"
        wrong = difference(result, expected, 1e-12 * (2 + np.abs(data).max()) ** 1.2 * 100)
        if wrong:
            return f"{wrong}\n{ranks} ranks, {where}"
        content = (place / "out.h5").read_bytes()
        if bytes_before not in (None, content):
            return f"other bytes with {ranks} ranks, {where}"
        bytes_before = content
    return None


NAMES = ("time", "level", "lat", "lon", "range", "azimuth", "shot", "beam")

# Sections in addition to those of every run, on data with the shape [5, 40, 33]. The real part of the result equals the result of a run on
# the real part alone, and the imaginary part equals the result of a run on the imaginary part alone.
PARTS = {
    "separable": {"stencil": {"mask": "gaussian", "sigma": "1.5 1", "axes": "1 2"}},
    "one axis, the last": {"stencil": {"mask": "1 2 3", "axis": "-1", "boundary": "mirror"}},
    "one axis, in the middle": {"stencil": {"mask": "1 2 3", "axis": "1", "boundary": "wrap"}},
    "one axis, the first": {"stencil": {"mask": "gaussian", "sigma": "1", "axis": "0"}},
    "direct": {"stencil": {"mask": "1 2 1; 0 1 0; 3 1 2", "boundary": "zero", "method": "direct"}},
    "transforms": {"stencil": {"mask": "gaussian", "sigma": "2", "method": "fft", "axes": "1 2"}},
    "transforms of one axis": {"stencil": {"mask": "gaussian", "sigma": "3", "method": "fft", "axis": "1"}},
    "first two axes": {"stencil": {"mask": "1 2 1; 0 1 0", "axes": "0 1", "boundary": "nearest"}},
    "three axes": {"stencil": {"mask": "gaussian", "sigma": "1", "axes": "0 1 2"}},
    "steps": {"stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "7", "boundary": "wrap nearest"}},
    "snapshots": {"stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "7"}, "output": {"snapshot_every": "3"}},
    "chain with strides": {"stencil.a": {"mask": "gaussian", "sigma": "1", "axis": "1", "stride": "2"},
                           "stencil.b": {"mask": "1 2 3; 4 5 6", "extent": "full", "axes": "1 2"}},
    "bank": {"stencil": {"mask": "in.h5:/bank[:]"}},
    "missing, renormalized": {"missing": {"value": "nan", "policy": "renormalize", "min_valid": "0.2"},
                              "stencil": {"mask": "gaussian", "sigma": "1 2", "axes": "1 2"}},
    "missing, kept": {"missing": {"value": "nan", "policy": "fill", "keep": "true"}, "stencil": {"mask": "box", "size": "3 5"}},
    "missing of three axes": {"missing": {"policy": "renormalize"}, "stencil": {"mask": "box", "size": "3", "axes": "0 1 2"}},
    "unwritten chunks": {"stencil": {"mask": "gaussian", "sigma": "1"}},
    "part": {"input": {"select": "1:5, :, 4:25:2"}, "stencil": {"mask": "gaussian", "sigma": "2 1", "boundary": "mirror"}},
    "beyond the edges missing": {"missing": {"policy": "renormalize", "edges": "missing"}, "stencil": {"mask": "box", "size": "3 5"}},
}


def check_parts(name, folder):
    """Compares the real and the imaginary part of a result with runs on each part alone, in float32 or float64."""
    rng = np.random.default_rng(7)
    data = (rng.standard_normal((5, 40, 33)) + 1j * rng.standard_normal((5, 40, 33))).astype("c8" if len(name) % 2 else "c16")
    if "missing" in name:  # points are missing in the real part, in the imaginary part, or in both
        data.real[rng.random(data.shape) < 0.1] = np.nan
        data.imag[rng.random(data.shape) < 0.1] = np.nan
    real, imaginary = data.real.copy(), data.imag.copy()
    missing = np.isnan(real) | np.isnan(imaginary)
    real[missing] = imaginary[missing] = np.nan
    place = folder / name
    place.mkdir()
    with h5py.File(place / "in.h5", "w") as file:
        create(file, "data", data, "unwritten chunks" if "unwritten" in name else "packed", rng)
        if "unwritten" in name:
            real, imaginary = data.real, data.imag
        file["real"], file["imaginary"] = real, imaginary
        file["bank"] = rng.integers(-3, 4, (5, 3, 4)).astype(float)
    sections = {"input": {"file": "in.h5"}, "output": {"file": "out.h5", "dataset": "/data"}}
    for section, keys in PARTS[name].items():
        sections[section] = {**sections.get(section, {}), **keys}

    def result(dataset, ranks, *arguments):
        for name_of_output in ("out.h5", "out.h5.xdmf"):
            (place / name_of_output).unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks, [f"--input.dataset=/{dataset}", *arguments])
        if outcome.status != 0:
            raise AssertionError(f"{name}, {dataset}, {ranks} ranks {arguments}: {outcome.unexpected()}")
        return read(place)
    try:
        expected = result("real", 0), result("imaginary", 0)
        contents = set()
        for ranks in in_turn((1, 2, 3, 6), 2):
            for arguments in in_turn(((), ("--output.chunk=" + "x".join("7" * (expected[0].ndim - ("bank" in name or "snapshots" in name))),
                                           "--output.compression=gzip:1")), 1):
                found = result("data", ranks, *arguments)
                if not arguments:
                    contents.add((place / "out.h5").read_bytes())
                for part, wanted in zip((found.real, found.imag), expected):
                    allowed = 100 * np.finfo(wanted.dtype).eps if "transforms" in name else 0
                    if part.dtype != wanted.dtype or difference(part, wanted, allowed):
                        return f"{name}, {ranks} ranks {arguments}: {difference(part, wanted, allowed) or 'another type'}"
    except AssertionError as wrong:
        return str(wrong)
    return f"{name}: other bytes on other ranks" if len(contents) > 1 else None


def random_taps(rng, size):
    return (rng.integers(-3, 4, size) + 1j * rng.integers(-3, 4, size)).astype(rng.choice(["c8", "c16"]))


def check_taps(number, folder):
    """Runs a chain with one or two complex masks, and possibly real masks, along one or two axes."""
    rng, methods = np.random.default_rng([51, number]), np.random.default_rng([52, number])
    rank = int(rng.choice([1, 2, 2, 3, 4]))
    shape = tuple(int(n) for n in rng.integers(1, {1: 60, 2: 20, 3: 12, 4: 7}[rank] + 1, size=rank))
    data = rng.integers(-50, 50, size=shape).astype(rng.choice(["f8", "f4", "i2"]))
    if rng.random() < 0.6:
        data = (data + 1j * rng.integers(-50, 50, size=shape)).astype(rng.choice(["c8", "c16"]))
    both = [int(axis) for axis in rng.permutation(rank)[:2]]
    masks, expected = {}, data
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "dtype": "float64"},
                "run": {"precision": "float64"}}
    if rng.random() < 0.3:
        sections["output"].update(chunk="x".join(str(int(rng.integers(1, 5))) for _ in shape), compression="gzip:1")
    count = int(rng.choice([1, 1, 2, 3]))
    for number_of_stage in range(count):
        along = both if len(both) == 2 and rng.random() < 0.6 else both[:1]
        size = [int(rng.integers(1, 6)) for _ in along]
        taps = random_taps(rng, size) if number_of_stage in (0, 2) else rng.integers(-3, 4, size).astype(float)
        boundary = tuple(str(rng.choice(["reflect", "mirror", "nearest", "wrap", "zero"])) for _ in along)
        origin = tuple(int(rng.integers(-(w // 2), (w - 1) // 2 + 1)) for w in size)
        stride = tuple(int(rng.integers(1, 3)) for _ in along)
        extent, operation = str(rng.choice(["same", "full"])), str(rng.choice(["correlate", "convolve"]))
        name = f"mask{number_of_stage}"
        masks[name] = taps
        sections[f"stencil.s{number_of_stage}"] = {
            "mask": f"in.h5:/{name}", "axes": " ".join(map(str, along)), "boundary": " ".join(boundary), "extent": extent,
            "origin": " ".join(map(str, origin)), "stride": " ".join(map(str, stride)), "operation": operation,
            "method": str(methods.choice(["auto", "direct", "fft"]))}
        expected = apply(expected, Stage(taps, tuple(along), operation, boundary, 0.0, extent, origin, stride))
    place = folder / f"taps {number}"
    place.mkdir()
    with h5py.File(place / "in.h5", "w") as file:
        file["data"] = data
        for name, taps in masks.items():
            file[name] = taps
    contents = set()
    for ranks in in_turn((1, 2, 3, 6), 2 if number % 3 == 0 else 1):
        (place / "out.h5").unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks)
        where = f"taps {number}, {ranks} ranks, {data.dtype}, shape {shape}\n{ini(sections)}"
        if outcome.status != 0:
            return f"{outcome.unexpected()}\n{where}"
        result = read(place)
        wrong = difference(result, expected, 1e-9) if result.dtype == np.complex128 else result.dtype
        if wrong:
            return f"{wrong}\n{where}"
        contents.add((place / "out.h5").read_bytes())
    return f"other bytes, {where}" if len(contents) > 1 else None


def check_scipy(folder):
    """Complex taps have the same meaning as in scipy.ndimage: a correlation conjugates the taps, a convolution does not."""
    rng = np.random.default_rng(13)
    place = folder / "scipy"
    place.mkdir()
    wrong = []
    data = {"real": rng.standard_normal((20, 30)), "complex": rng.standard_normal((20, 30)) + 1j * rng.standard_normal((20, 30))}
    taps = rng.standard_normal((23, 24)) + 1j * rng.standard_normal((23, 24))
    with h5py.File(place / "in.h5", "w") as file:
        for name, values in {**data, "taps": taps}.items():
            file[name] = values
    for name, values in data.items():
        for operation, of_scipy, method in (("correlate", ndimage.correlate, "direct"), ("convolve", ndimage.convolve, "direct"),
                                            ("correlate", ndimage.correlate, "fft"), ("convolve", ndimage.convolve, "fft")):
            outcome = run(place, ini({"input": {"file": "in.h5", "dataset": f"/{name}"}, "output": {"file": "out.h5", "dataset": "/data", "overwrite": "true"},
                                      "stencil": {"mask": "in.h5:/taps", "operation": operation, "boundary": "mirror", "method": method}}), 2)
            if outcome.status != 0:
                return [f"{name}, {operation}: {outcome.unexpected()}"]
            differs = difference(read(place), of_scipy(values, taps, mode="mirror"), 1e-12)
            wrong += [f"SciPy's {operation} of {name} data, {method}: {differs}"] if differs else []
    return wrong


def check_windows(folder):
    """Runs with little memory write the same bytes."""
    rng = np.random.default_rng(8)
    wrong = []
    for shape, axes, mask in (*in_turn((((1500, 400), "0 1", "gaussian"), ((1500, 400), "0", "gaussian"), ((40, 300, 50), "1 2", "gaussian"),
                                        ((200, 3000), "1", "gaussian"), ((60, 70, 80), "0 1 2", "gaussian")), 2),
                              *in_turn((((1500, 400), "0 1", "taps"), ((600, 3000), "1", "taps"), ((3000, 600), "0", "taps")), 1)):
        place = folder / f"windows {shape} {axes} {mask}"
        place.mkdir()
        with h5py.File(place / "in.h5", "w") as file:
            file.create_dataset("data", data=(rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype("c8"),
                                chunks=tuple(max(1, n // 3) for n in shape), compression=in_turn((None, "gzip"))[0])
            file["taps"] = random_taps(rng, [9] * len(axes.split()))
        text = ini({"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "overwrite": "true"},
                    "stencil": {"mask": "gaussian", "sigma": "1", "axes": axes} if mask == "gaussian" else
                               {"mask": "in.h5:/taps", "method": "fft", "axes": axes}})
        results = []
        for ranks in in_turn((0, 2)):
            refused = run(place, text, ranks, ["--run.memory=1"])
            least = re.search(r"needs (\d+) bytes of memory per rank", refused.stderr)
            if refused.status != 4 or not least:
                return [f"windows of {shape}: {refused.unexpected()}"]
            for more in ("no limit", *in_turn(("least", "a fifth more", "several windows"))):
                memory = amount_of(more, int(least[1]))
                outcome = run(place, text, ranks, [f"--run.memory={memory}", "--progress=lines"])
                if outcome.status != 0:
                    return [f"windows of {shape}, {memory}: {outcome.unexpected()}"]
                results.append((f"{shape}, {axes}, {mask}, {ranks} ranks, {memory}", (place / "out.h5").read_bytes()))
        wrong += [f"windows: other bytes: {what}" for what, content in results if content != results[0][1]]
    return wrong


# Sections whose outputs have missing points in one part only, or whose parts are written one after the other.
COUNTED = (
    {"stencil": {"mask": "1", "axis": "-1"}, "missing": {"value": "none"}},
    {"stencil": {"mask": "1 2 1", "axis": "0"}, "missing": {"value": "none"}},
    {"stencil": {"mask": "gaussian", "sigma": "0.5", "truncate": "2", "axes": "0 1 2"}, "missing": {"value": "none"}},
    {"stencil": {"mask": "1 2 1"}, "missing": {"value": "nan"}},
    {"stencil": {"mask": "1 2 1"}, "missing": {"value": "nan", "policy": "fill", "keep": "true"}},
    {"stencil": {"mask": "1 2 1", "axis": "1"}, "missing": {"value": "nan", "policy": "fill"}},
    {"stencil": {"mask": "1 2 1", "axes": "2"}, "missing": {"value": "auto"}, "input": {"dataset": "/filled"}},
)


def check_counts(folder):
    """The report counts a complex number as one missing point if one or both of its parts are missing."""
    rng = np.random.default_rng(14)
    place = folder / "counts"
    place.mkdir()
    data = (rng.integers(0, 2, (6, 30, 41)) + 1j * rng.integers(0, 2, (6, 30, 41))).astype("c8")
    for part in (data.real, data.imag):
        part[rng.random(data.shape) < 0.05] = np.nan
    with h5py.File(place / "in.h5", "w") as file:
        file["data"] = file["filled"] = data
        file["filled"].attrs["_FillValue"] = np.complex64(complex(np.nan, 0))
    wrong = []
    for number, sections in enumerate(COUNTED):
        for arguments in in_turn(((), ("--output.chunk=4x7x10", "--output.compression=gzip:1"), ("--output.chunk=6x30x41",))):
            for ranks in in_turn((0, 2, 3), 2):
                text = ini({**sections, "input": {"file": "in.h5", "dataset": "/data", **sections.get("input", {})},
                            "output": {"file": "out.h5", "dataset": "/data", "overwrite": "true"}})
                outcome = run(place, text, ranks, ["--report", "report.json", *arguments])
                where = f"counts of case {number} {arguments}, {ranks} ranks"
                if outcome.status != 0:
                    return [f"{where}: {outcome.unexpected()}"]
                report = json.loads((place / "report.json").read_text())
                found = report["input"]["missing_points"], report["output"]["missing_points"]
                taken = 0 if sections["missing"]["value"] == "none" else np.isnan(data).sum()
                if found != (taken, np.isnan(read(place)).sum()):
                    wrong.append(f"{where}: {found} instead of {taken}, {np.isnan(read(place)).sum()}")
    return wrong


# Arguments that have no meaning for complex numbers, and a word of the message.
REFUSED = (
    ("--output.dtype=int16", "complex64"), ("--missing.value=-999", "missing.value"), ("--output.scale=0.1 0", "output.scale"),
    ("--stencil.until_change_below=1e-3 --stencil.steps=3", "until_change_below"), ("--missing.mask=in.h5:/valid", "missing.mask"),
    ("--stencil.boundary=constant --stencil.boundary_value=2", "boundary_value"), ("--stencil.mask=in.h5:/four", "channels"),
    ("--missing.value=nan --missing.policy=fill --missing.fill_value=1", "fill_value"), ("--input.dataset=/scaled", "input.packed"),
    ("--missing.mask=in.h5:/data", "complex"), ("--input.dataset=/other", "compound"), ("--input.dataset=/half", "compound"),
    ("--stencil.mask=in.h5:/taps3", "one or two axes"), ("--stencil.mask=in.h5:/taps[:]", "bank"),
    ("--stencil.mask=in.h5:/taps --stencil.method=separable", "direct or fft"),
    ("--stencil.mask=in.h5:/taps --missing.value=nan --missing.policy=renormalize", "renormalize"),
    ("--stencil.mask=in.h5:/taps --missing.value=none --missing.edges=missing --missing.policy=renormalize", "renormalize"),
    ("--input.dataset=/two --stencil.mask=in.h5:/four2 --missing.value=none --missing.edges=missing --missing.policy=renormalize",
     "renormalize"),
    ("--stencil.mask=in.h5:/pairs", "`x` and `weight`"), ("--stencil.mask=box --stencil.size=3 --stencil.axes=0 1 2 --output.snapshot_every=1"
                                                         " --stencil.steps=2", "imaginary parts"),
    ("--input.dataset=/valid --stencil.mask=in.h5:/taps --stencil.steps=2", "steps"), ("--input.dataset=/filled", "_FillValue = -999+0j"),
    ("--input.dataset=/filled --missing.value=attribute", "missing.value = none"),
    ("--input.dataset=/valid --stencil.mask=in.h5:/taps --output.dtype=int16", "complex"),
)


def check_refused(folder):
    place = folder / "refused"
    place.mkdir()
    wrong = []
    with h5py.File(place / "in.h5", "w") as file:
        for name in ("data", "scaled", "filled"):
            file[name] = np.ones((4, 6, 7), np.complex64)
        file["scaled"].attrs["scale_factor"] = 0.5
        file["filled"].attrs["_FillValue"] = np.complex64(-999)
        file["valid"], file["four"] = np.ones((4, 6, 7)), np.ones((4, 4, 3, 3))
        file["taps"], file["taps3"] = np.ones((3, 3), np.complex64), np.ones((3, 3, 3), np.complex64)
        file["other"] = np.zeros((4, 6), [("a", "f4"), ("b", "f8")])
        file["two"], file["four2"] = np.ones((2, 6, 7)), np.ones((2, 2, 3, 3))
        file["pairs"] = np.ones(3, [("x", "f8"), ("weight", "f8")])
        file["half"] = np.zeros((4, 6), [("r", "f2"), ("i", "f2")])
        file["named"] = np.zeros((4, 6), [("east", "f4"), ("north", "f4")])
    text = ini({"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "overwrite": "true"},
                "stencil": {"mask": "1 2 1"}})
    for words, word in REFUSED:
        outcome = run(place, text, 0, re.findall(r"--\S+?=.*?(?= --|$)", words))
        if outcome.status != 2 or len(outcome.errors) != 1 or word not in outcome.stderr:
            wrong.append(f"{words}: {outcome.unexpected()}")
    if run(place, text, 0, ["--input.dataset=/filled", "--missing.value=none", "--check"]).status != 0:
        wrong.append("a _FillValue that is not used")
    for number, fill in enumerate((None, -999)):
        with h5py.File(place / f"part{number}.h5", "w") as file:
            file["data"] = np.ones((4, 6, 7), np.complex64)
            if fill:
                file["data"].attrs["_FillValue"] = np.complex64(fill)
    joined = run(place, text, 0, ["--input.file=part?.h5", "--input.join=0"])
    if joined.status != 2 or "names _FillValue = -999+0j as missing" not in joined.stderr:
        wrong.append(f"joined files of which one has a _FillValue: {joined.unexpected()}")
    listed = run(place, None, 0, ["--list", "in.h5"])
    if listed.status != 0 or "4 x 6 x 7 complex64" not in listed.stdout:
        wrong.append(f"--list: {listed.stdout}{listed.stderr}")
    named = run(place, text, 0, ["--input.dataset=/named", "--check"])
    if named.status != 0 or "`east` is the real part" not in named.stdout + named.stderr:
        wrong.append(f"a note on the names of the parts: {named.stdout}{named.stderr}")
    volumes = run(place, text, 0, ["--stencil.mask=box", "--stencil.size=3", "--stencil.axes=0 1 2", "--stencil.steps=2", "--check"])
    if volumes.status != 0 or "run.nonfinite has no effect" not in volumes.stdout + volumes.stderr:
        wrong.append(f"a note on steps of volumes: {volumes.stdout}{volumes.stderr}")
    return wrong


def main(first, last, random_only):
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as workers:
        folder = pathlib.Path(place)
        wrong = [words for words in workers.map(lambda n: check_random(n, folder), range(first, last)) if words]
        if not random_only:
            wrong += [words for words in workers.map(lambda name: check_parts(name, folder), in_turn(PARTS, 6)) if words]
            wrong += [words for words in workers.map(lambda n: check_taps(n, folder), range(CASES // 2)) if words]
            wrong += stopped_and_continued(folder / "checkpoint", (40, 3, 50), {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "axes": "2 0",
                                                                           "boundary": "wrap nearest"}, is_complex=True)
            wrong += check_scipy(folder) + check_windows(folder) + check_counts(folder) + check_refused(folder)
    print("\n".join(wrong + [f"{last - first} random cases, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    begin = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    end = int(sys.argv[2]) if len(sys.argv) > 2 else (begin + 1 if len(sys.argv) > 1 else CASES)
    sys.exit(main(begin, end, len(sys.argv) > 1))
