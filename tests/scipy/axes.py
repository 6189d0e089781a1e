"""`axes` of a stage: masks along any one, two or three axes of datasets of one to eight axes.

Random cases are compared with plain NumPy and with scipy.ndimage, on 1 to 3 ranks, which write the same bytes. Runs with other
keys of stages and of runs are compared bit by bit with the same run on data in which the axes of the mask are the last axes. Then
follow runs in windows, and runs that continue from a checkpoint.

axes.py [FIRST [LAST]] runs only the random cases with these numbers.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
from scipy import ndimage

from expected import Stage, apply, difference, exact
from program import PROGRAM, THOROUGH, in_turn, ini, run

CASES = 1000 if THOROUGH else 14
BOUNDARIES = ("reflect", "mirror", "nearest", "wrap", "zero")
NAMES = ("time", "level", "lat", "lon", "range", "azimuth", "shot", "beam")  # names of the axes in the file


def numbers(values):
    return " ".join(map(str, values))


def written(taps):
    """The text of a mask in a configuration; a semicolon at the end makes one row a 2D mask."""
    if taps.ndim == 3:
        return " | ".join(written(plane).rstrip(";") for plane in taps) + (" |" if len(taps) == 1 else "")
    rows = "; ".join(numbers(int(tap) for tap in row) for row in np.atleast_2d(taps))
    return rows + (";" if taps.ndim == 2 and len(taps) == 1 else "")


def random_axes(rng, rank, used, plane):
    """Random axes for a stage: one axis, or two or three axes in any order. If masks already run along three axes (`used`), only
    these axes are chosen. `plane` is the pair of axes along which all 2D masks of the chain must run."""
    among = list(range(rank)) if len(used) < 3 else sorted(used)
    count = min(len(among), int(rng.choice([1, 1, 2, 2, 2, 3])))
    if count == 2 and plane:
        among = list(plane)
    along = tuple(int(axis) for axis in rng.permutation(among)[:count])
    return along if len(used | set(along)) <= 3 else along[:1] if along[0] in used or len(used) < 3 else (min(used),)


def words_of(rng, axes, rank):
    """The value of the key `axes`: each axis as its number, counted from the first or from the last axis, or by its name."""
    return numbers(rng.choice([str(axis), str(axis - rank), NAMES[axis]]) for axis in axes)


def taps_stage(rng, shape, along):
    """A stage of whole-number taps: returns its keys, and a function that computes the expected result."""
    extent = str(rng.choice(["same", "full", "valid"]))
    size = [int(rng.integers(1, 6 if len(along) < 3 else 5)) for _ in along]
    if extent == "valid":
        size = [min(width, shape[axis]) for width, axis in zip(size, along)]
    taps = rng.integers(-3, 4, size=size).astype(float)
    boundary = tuple(str(rng.choice(BOUNDARIES)) for _ in along)
    origin = tuple(int(rng.integers(-(w // 2), (w - 1) // 2 + 1)) for w in size)
    stride = tuple(int(rng.integers(1, 4)) for _ in along)
    operation = str(rng.choice(["correlate", "convolve"]))
    stage = Stage(taps, along, operation, boundary, 0.0, extent, origin, stride)
    keys = {"mask": written(taps), "boundary": numbers(boundary), "extent": extent, "origin": numbers(origin),
            "stride": numbers(stride), "operation": operation}
    return keys, lambda data: apply(data, stage)


def family_stage(rng, shape, along):
    """A Gaussian, a box or a Sobel derivative: returns its keys, and a function that computes SciPy's result."""
    mode = str(rng.choice(["reflect", "mirror", "nearest", "wrap"]))

    def on_all(values, otherwise):
        return [values[along.index(axis)] if axis in along else otherwise for axis in range(len(shape))]

    families = ["gaussian", "box", "sobel"] if len(along) > 1 else ["gaussian", "box"]
    family = str(rng.choice(families if len(along) < 3 else [*families, "laplace", "log", "dog", "disk", "annulus"]))
    keys = {"mask": family, "boundary": mode}
    if family == "gaussian":
        sigma = [round(float(rng.uniform(0.4, 1.5)), 2) for _ in along]
        order = [int(rng.integers(0, 3)) for _ in along]
        keys.update(sigma=numbers(sigma), order=numbers(order))
        return keys, lambda data: ndimage.gaussian_filter(data, on_all(sigma, 0), on_all(order, 0), mode=mode)
    if family == "box":
        size = [int(rng.integers(1, 6)) for _ in along]
        keys["size"] = numbers(size)
        return keys, lambda data: ndimage.uniform_filter(data, on_all(size, 1), mode=mode)
    if family in ("laplace", "log", "dog", "disk", "annulus"):
        return round_stage(rng, family, keys, mode, along)
    direction = int(rng.integers(len(along)))
    if direction < len(along) - 1 or rng.random() < 0.5:
        keys["axis"] = along[direction]

    def sobel(data):
        for axis in along:
            data = ndimage.correlate1d(data, [-1, 0, 1] if axis == along[direction] else [1, 2, 1], axis, mode=mode)
        return data
    return keys, sobel


def ellipsoid(radius, rank, along):
    """A mask over all axes of the dataset: true at points within the radii, with one point along axes that are not in `along`."""
    places = np.ogrid[tuple(slice(-int(radius[along.index(a)]), int(radius[along.index(a)]) + 1) if a in along else slice(0, 1)
                            for a in range(rank))]
    return sum((place / radius[along.index(a)]) ** 2 for a, place in enumerate(places) if a in along) <= 1 + 1e-12


def round_stage(rng, family, keys, mode, along):
    """A mask along three axes that is not a product of masks of one axis: returns its keys and a function for the expected result."""
    if family == "laplace":
        return keys, lambda data: sum(ndimage.correlate1d(data, [1, -2, 1], axis, mode=mode) for axis in along)
    if family in ("disk", "annulus"):
        radius = [float(rng.integers(2, 4)) for _ in along]
        keys["radius"] = numbers(radius)
        if family == "annulus":
            keys["inner"] = "1"

        def mean(data):
            inside = ellipsoid(radius, data.ndim, along).astype(float)
            if family == "annulus":
                hole = ellipsoid([1.0] * 3, data.ndim, along)
                for axis, (wide, narrow) in enumerate(zip(inside.shape, hole.shape)):
                    around = [(0, 0)] * data.ndim
                    around[axis] = ((wide - narrow) // 2,) * 2
                    hole = np.pad(hole, around)
                inside[hole] = 0
            return ndimage.correlate(data, inside / inside.sum(), mode=mode)
        return keys, mean
    sigma = [round(float(rng.uniform(0.4, 0.9)), 2) for _ in along]
    keys.update(sigma=numbers(sigma), truncate="3")

    def gaussian(data, times=1, derived=None):
        widths = [times * sigma[along.index(axis)] if axis in along else 0 for axis in range(data.ndim)]
        return ndimage.gaussian_filter(data, widths, [2 * (axis == derived) for axis in range(data.ndim)], mode=mode, truncate=3)
    if family == "log":
        return keys, lambda data: sum(gaussian(data, derived=axis) for axis in along)
    keys["ratio"] = "1.5"
    return keys, lambda data: gaussian(data) - gaussian(data, 1.5)


def random_case(number, is_complex=False):
    """Data, sections and the expected result."""
    rng = np.random.default_rng([50, number])
    rank = int(rng.choice([1, 2, 3, 3, 4, 4, 5, 6, 8]))
    shape = tuple(int(n) for n in rng.integers(1, {1: 60, 2: 20, 3: 12, 4: 8, 5: 6, 6: 5, 8: 3}[rank] + 1, size=rank))
    data = rng.integers(-50, 50, size=shape).astype(rng.choice(["f8", "f8", "i2", "f4"]))
    if is_complex:
        data = (data + 1j * rng.integers(-50, 50, size=shape)).astype(rng.choice(["c8", "c16"]))
    expected = exact(data)
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "dtype": "float64"},
                "run": {"precision": "float64"}}
    if rng.random() < 0.3:
        sections["output"]["chunk"] = "x".join(str(int(rng.integers(1, 5))) for _ in shape)
        sections["output"]["compression"] = str(rng.choice(["none", "gzip:1"]))
    used, plane = set(), ()
    for stage in range(int(rng.choice([1, 1, 2, 3]))):
        along = random_axes(rng, rank, used, plane)
        used |= set(along)
        plane = along if len(along) == 2 else plane
        make = family_stage if stage == 0 and rng.random() < 0.4 + 0.2 * (len(along) == 3) else taps_stage
        keys, result = make(rng, expected.shape, along)
        keys["axes"] = words_of(rng, along, rank)
        sections[f"stencil.s{stage}"] = keys
        expected = result(expected)
    chunks = tuple(int(rng.integers(1, n + 1)) for n in shape) if rng.random() < 0.4 else None
    return data, chunks, sections, expected


def write(place, data, chunks=None, more=None):
    with h5py.File(place / "in.h5", "w") as file:
        dataset = file.create_dataset("data", data=data, chunks=chunks)
        for axis in range(data.ndim):
            dataset.dims[axis].label = NAMES[axis]
        for name, values in (more or {}).items():
            file[name] = values


def read(place):
    with h5py.File(place / "out.h5") as file:
        return file["data"][()]


def check_random(number, folder):
    """Runs a random case. Returns None, or one line that describes the failure."""
    data, chunks, sections, expected = random_case(number)
    place = folder / str(number)
    place.mkdir()
    write(place, data, chunks)
    where = f"case {number}, shape {data.shape}, chunks {chunks}\n{ini(sections)}"
    bytes_before = None
    for ranks in in_turn((1, 2, 3), 2 if number % 3 == 0 else 1):
        (place / "out.h5").unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks, limit=60)
        if outcome.status != 0:
            return f"{outcome.unexpected()}\n{ranks} ranks, {where}"
        wrong = difference(read(place), expected, 1e-12 * (1 + np.abs(data).max()) ** 1.2 * 100)
        if wrong:
            return f"{wrong}\n{ranks} ranks, {where}"
        content = (place / "out.h5").read_bytes()
        if bytes_before not in (None, content):
            return f"other bytes with {ranks} ranks, {where}"
        bytes_before = content
    return None


# Sections in addition to those of every run; the mask runs along the axes 0 and 2 of data with the shape [9, 4, 30, 3].
MOVED = {
    "missing, renormalized": {"missing": {"value": "nan", "policy": "renormalize"}, "stencil": {"mask": "gaussian", "sigma": "1 2"}},
    "missing, kept": {"missing": {"value": "nan", "policy": "fill", "keep": "true"}, "stencil": {"mask": "box", "size": "3 5"}},
    "missing by a mask": {"missing": {"mask": "in.h5:/valid"}, "stencil": {"mask": "1 2 1; 0 1 0"}},
    "steps": {"stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "7", "boundary": "wrap nearest"}},
    "until": {"stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "300", "until_change_below": "1e-3"},
              "run": {"look_every": "10"}},
    "transforms": {"stencil": {"mask": "gaussian", "sigma": "1 3", "method": "fft"}},
    "bank": {"stencil": {"mask": "in.h5:/bank[:]"}},
    "part": {"input": {"select": "1:8, :, 4:25:2"}, "stencil": {"mask": "gaussian", "sigma": "2 1", "boundary": "mirror"}},
    "integers, packed": {"output": {"dtype": "int16", "chunk": "4x2x7x2", "compression": "gzip:1", "scale": "0.01 1"},
                         "stencil": {"mask": "1 2; 3 4", "extent": "full"}},
    "third axis": {"stencil.a": {"mask": "1 2 1", "axes": "3", "boundary": "nearest"}, "stencil.b": {"mask": "1 2 3; 4 5 6"}},
    "chain": {"stencil.a": {"mask": "gaussian", "sigma": "1", "axes": "2", "stride": "2"},
              "stencil.b": {"mask": "1 2 3; 4 5 6"}},
}


def moved(text):
    """Moves the items of the two axes of the mask to the end of a list, which is a text with one item per axis."""
    parts = re.split("(x|, )", text)
    items, between = parts[::2] + [":"] * (4 - len(parts[::2])), parts[1]
    return between.join(items[axis] for axis in (1, 3, 0, 2))


def check_moved(name, folder):
    """Compares a run with the same run on data whose last two axes are the axes of the mask."""
    rng = np.random.default_rng(7)
    data = rng.standard_normal((9, 4, 30, 3)).astype("f4")
    data[rng.random(data.shape) < (0.1 if "missing" in name else 0)] = np.nan
    more = {"bank": rng.integers(-3, 4, (5, 3, 4)).astype(float), "valid": rng.random(data.shape) < 0.9}
    results = []
    for is_moved in (True, False):
        place = folder / f"{name} {is_moved}"
        place.mkdir()
        order = (1, 3, 0, 2) if is_moved else (0, 1, 2, 3)
        write(place, data.transpose(order), None, {**more, "valid": more["valid"].transpose(order)})
        sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5"}}
        for section, keys in MOVED[name].items():
            sections[section] = {**sections.get(section, {}), **keys}
        for section, key in (("input", "select"), ("output", "chunk")):
            if is_moved and key in sections[section]:
                sections[section][key] = moved(sections[section][key])
        for section, keys in sections.items():
            if section.startswith("stencil"):
                keys.setdefault("axes", "0 2")
                if is_moved:
                    keys["axes"] = {"0 2": "-2 -1", "2": "-1", "3": "1"}[keys["axes"]]
        for ranks in in_turn((1, 3)):
            (place / "out.h5").unlink(missing_ok=True)
            outcome = run(place, ini(sections), ranks)
            if outcome.status != 0:
                return f"{name}, {ranks} ranks: {outcome.unexpected()}"
            result = read(place)
            back = np.argsort(order) if result.ndim == 4 else (0, *(np.argsort(order) + 1))
            results.append(result.transpose(back) if is_moved else result)
    for result in results[1:]:
        if result.shape != results[0].shape or result.tobytes() != results[0].tobytes():
            return f"{name}: the numbers differ from those on moved axes"
    return None


def amount_of(more, least):
    """Returns the memory of a run, in bytes or as text. The run needs at least `least` bytes."""
    return {"no limit": "8GiB", "least": least, "a fifth more": int(least * 1.2), "several windows": least + (24 << 20)}[more]


def check_windows(folder):
    """Runs with little memory: windows along the first axis of the file, along a batch of several axes, and of volumes."""
    rng = np.random.default_rng(8)
    for shape, axes in in_turn((((1500, 700, 3), "0 1"), ((40, 300, 5, 50), "1 3"), ((300, 40, 50, 5), "0 2"),
                                ((3, 60, 90, 200), "1 2 3"), ((60, 90, 100, 4), "0 1 2")), 2):
        place = folder / numbers(shape)
        place.mkdir()
        write(place, rng.standard_normal(shape).astype("f4"), tuple(max(1, n // 3) for n in shape))
        text = ini({"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "overwrite": "true"},
                    "stencil": {"mask": "log" if axes == "0 1 2" else "gaussian", "sigma": "1", "axes": axes}})
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
                results.append((f"{shape}, {ranks} ranks, {memory}", (place / "out.h5").read_bytes()))
        wrong = [what for what, content in results if content != results[0][1]]
        if wrong:
            return [f"windows: other bytes: {what}" for what in wrong]
    return []


# Sections of runs along the axes 1, 2 and 3 of data with the shape [3, 12, 14, 10, 2], and the differences of the expected results.
VOLUMES = {
    "compressed input": {"input": {"dataset": "/packed"}},
    "chunks of several volumes": {"output": {"chunk": "2x5x7x10x2", "compression": "gzip:1"}},
    "chunks of one volume": {"output": {"chunk": "1x5x7x10x1"}},
    "kept": {"input": {"dataset": "/gaps"}, "missing": {"policy": "fill", "keep": "true", "value": "nan"}},
    "masked": {"missing": {"mask": "in.h5:/valid", "policy": "fill"}},
    "part": {"input": {"select": "1:3, 2:10, :, ::2", "edges": "boundary"}},
    "part with its neighbours": {"input": {"select": "1:3, 2:10, :, ::2", "edges": "data"}},
}


def check_volumes(name, folder):
    rng = np.random.default_rng(10)
    data = rng.standard_normal((3, 12, 14, 10, 2))
    gaps, valid = np.where(rng.random(data.shape) < 0.05, np.nan, data), rng.random(data.shape) > 0.05
    place = folder / f"volumes {name}"
    place.mkdir()
    write(place, data, None, {"gaps": gaps, "valid": valid})
    with h5py.File(place / "in.h5", "a") as file:
        file.create_dataset("packed", data=data, chunks=(2, 5, 7, 10, 2), compression="gzip")

    def smooth(values):
        return ndimage.gaussian_filter(values, (0, 1, 0.5, 0.7, 0))
    part = (slice(None),) * 3 + (slice(None, None, 2),), (slice(1, 3), slice(2, 10))
    expected = {"kept": lambda: np.where(np.isnan(gaps), np.nan, smooth(np.nan_to_num(gaps))),
                "masked": lambda: smooth(np.where(valid, data, 0)), "part": lambda: smooth(data[part[0]][part[1]]),
                "part with its neighbours": lambda: smooth(data[part[0]])[part[1]]}.get(name, lambda: smooth(data))()
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "dataset": "/data"},
                "stencil": {"mask": "gaussian", "sigma": "1 .5 .7", "axes": "1 2 3"}}
    for section, keys in VOLUMES[name].items():
        sections[section] = {**sections.get(section, {}), **keys}
    contents = set()
    for ranks in in_turn((1, 2, 3), 2):
        (place / "out.h5").unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks)
        if outcome.status != 0:
            return f"volumes, {name}, {ranks} ranks: {outcome.unexpected()}"
        wrong = difference(read(place), expected, 1e-12)
        if wrong:
            return f"volumes, {name}, {ranks} ranks: {wrong}"
        contents.add((place / "out.h5").read_bytes())
    return None if len(contents) == 1 else f"volumes, {name}: other bytes on other ranks"


# Runs of a mask of three axes on data with the shape [3, 14, 12, 10]; the axis of three points is the batch.
THREE = {
    "steps of 7 points": {"stencil": {"mask": "in.h5:/star", "steps": "5", "boundary": "wrap nearest mirror"}},
    "cube of a file": {"stencil": {"mask": "in.h5:/cube", "boundary": "constant", "boundary_value": "3", "extent": "full"}},
    "one of several": {"stencil": {"mask": "in.h5:/cubes[1]", "stride": "2 1 3", "operation": "convolve"}},
    "part with its neighbours": {"input": {"select": ":, 3:12, 2:11:2, :"}, "stencil": {"mask": "in.h5:/star", "boundary": "nearest"}},
    "renormalized jointly": {"missing": {"value": "nan", "policy": "renormalize", "min_valid": "0.3"},
                             "input": {"dataset": "/gaps"}, "stencil": {"mask": "box", "size": "3 3 5", "axes": "1 2 3"}},
    "renormalized by factors": {"missing": {"value": "nan", "policy": "renormalize", "min_valid": "0.3"},
                                "input": {"dataset": "/gaps"}, "stencil": {"mask": "box", "size": "5", "axes": "2 3 1"}},
    "steps by factors": {"stencil": {"mask": "box", "size": "5", "axes": "1 2 3", "steps": "3", "boundary": "wrap mirror nearest"}},
    "transforms, of a file": {"stencil": {"mask": "in.h5:/cube", "method": "fft", "boundary": "mirror nearest wrap"}},
    "transforms with strides": {"stencil": {"mask": "in.h5:/cubes[1]", "method": "fft", "stride": "2 1 3", "operation": "convolve"}},
    "steps by transforms": {"stencil": {"mask": "in.h5:/cube", "method": "fft", "steps": "2", "boundary": "wrap nearest mirror"}},
    "product of a file": {"stencil": {"mask": "in.h5:/product", "stride": "1 2 1", "boundary": "nearest wrap mirror"}},
    "renormalized, product of a file": {"missing": {"value": "nan", "policy": "renormalize", "min_valid": "0.3"},
                                        "input": {"dataset": "/gaps"}, "stencil": {"mask": "in.h5:/product"}},
    "renormalized, of a file": {"missing": {"value": "nan", "policy": "renormalize", "min_valid": "0"},
                                "input": {"dataset": "/gaps"}, "stencil": {"mask": "in.h5:/cube"}},
}

THREE_METHODS = {name: "separable" for name in THREE if re.search("factors|product|jointly", name)}
THREE_METHODS.update({name: "fft" for name in THREE if "transforms" in name})


def expected_of_three(name, data, taps):
    keys = THREE[name]["stencil"]
    along = (1, 2, 3)
    if "renormalized" not in name:
        stage = Stage(taps, along, keys.get("operation", "correlate"), tuple(keys.get("boundary", "reflect").split()), 3.0,
                      keys.get("extent", "same"), stride=tuple(map(int, keys.get("stride", "1").split())))
        data = data[:, :, ::2] if "part" in name else data
        for _ in range(int(keys.get("steps", 1))):
            data = apply(data, stage)
        return data[:, 3:12, 1:6] if "part" in name else data
    valid = ~np.isnan(data)
    weight = ndimage.correlate(valid.astype(float), taps[np.newaxis])
    least = float(THREE[name]["missing"]["min_valid"]) * taps.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        result = ndimage.correlate(np.where(valid, data, 0), taps[np.newaxis]) * (taps.sum() / weight)
    return np.where((weight < least - 1e-9) | (weight < 1e-9), np.nan, result)


def check_three(name, folder):
    rng = np.random.default_rng(11)
    data = rng.standard_normal((3, 14, 12, 10))
    gaps = np.where(rng.random(data.shape) < 0.2, np.nan, data)
    gaps[0, :9, :8, :7] = np.nan
    star = np.zeros((3, 3, 3))
    star[1, 1], star[1, :, 1], star[:, 1, 1], star[1, 1, 1] = 0.1, 0.12, 0.13, 0.2
    cubes = rng.integers(1, 9, (2, 3, 3, 3)) / 64
    lines = [rng.uniform(0.1, 1, taps) for taps in (5, 4, 7)]
    product = lines[0][:, np.newaxis, np.newaxis] * lines[1][:, np.newaxis] * lines[2]
    place = folder / f"three {name}"
    place.mkdir()
    write(place, data, None, {"gaps": gaps, "star": star, "cube": cubes[0], "cubes": cubes, "product": product})
    taps = product if "product" in name else star if "7 points" in name or "part" in name else cubes[1] if "several" in name or "strides" in name else cubes[0] if "file" in name or "by transforms" in name else (
        np.ones((5, 5, 5)) / 125 if "factors" in name else np.ones((3, 3, 5)) / 45)
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5", "dataset": "/data"}}
    for section, keys in THREE[name].items():
        sections[section] = {**sections.get(section, {}), **keys}
    expected, contents = expected_of_three(name, gaps if "renormalized" in name else data, taps), set()
    for ranks, blocks in ((1, "auto"), *in_turn(((2, "2x1x1"), (2, "1x2x1"), (4, "2x1x2"), (3, "auto"), (3, "3x1x1")))):
        (place / "out.h5").unlink(missing_ok=True)
        outcome = run(place, ini(sections), ranks, [f"--run.decomposition={blocks}", "--report", "report.json"])
        if outcome.status != 0:
            return f"three axes, {name}, {ranks} ranks: {outcome.unexpected()}"
        wrong = difference(read(place), expected, 1e-12)
        if wrong:
            return f"three axes, {name}, {ranks} ranks in {blocks}: {wrong}"
        contents.add((place / "out.h5").read_bytes())
    method = json.loads((place / "report.json").read_text())["stages"][0]["method"]
    if method != THREE_METHODS.get(name, "direct"):
        return f"three axes, {name}: the method is {method}"
    return None if len(contents) == 1 else f"three axes, {name}: other bytes on other ranks"


def check_checkpoint(folder):
    """Runs of many steps that are stopped continue with other ranks, and write the same bytes as a run that was not stopped."""
    plane = "0 .2 0; .2 .2 .2; 0 .2 0"
    cube = "0 0 0; 0 .1 0; 0 0 0 | 0 .1 0; .1 .4 .1; 0 .1 0 | 0 0 0; 0 .1 0; 0 0 0"
    return (stopped_and_continued(folder / "checkpoint", (90, 5, 120, 3), {"mask": plane, "axes": "2 0", "boundary": "wrap nearest"})
            + stopped_and_continued(folder / "checkpoint of three axes", (24, 20, 22), {"mask": cube, "axes": "2 0 1"}))


def stopped_and_continued(place, shape, stencil, is_complex=False):
    place.mkdir()
    rng = np.random.default_rng(9)
    data = rng.standard_normal(shape).astype("f4")
    write(place, data + np.complex64(1j) * rng.standard_normal(shape).astype("f4") if is_complex else data)
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5"}, "stencil": {**stencil, "steps": 3000},
                "run": {"checkpoint": "state.h5", "checkpoint_every": "50 steps"}}
    (place / "config.ini").write_text(ini(sections))
    started = subprocess.Popen([PROGRAM, "config.ini"], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "OMP_NUM_THREADS": "1"})
    while not (place / "state.h5").exists() and started.poll() is None:
        time.sleep(0.01)
    started.terminate()
    status = started.wait(timeout=60)
    if status != 75:
        return [f"a stopped run ended with status {status}"]
    contents = []
    for ranks in (2, 1):  # the first of these two runs continues from the checkpoint
        outcome = run(place, ini(sections), ranks)
        if outcome.status != 0:
            return [f"steps, {ranks} ranks: {outcome.unexpected()}"]
        contents.append((place / "out.h5").read_bytes())
        (place / "out.h5").unlink()
    return [] if contents[0] == contents[1] else ["other bytes of a run that was stopped and continued"]


def main(first, last, random_only):
    moved_names = () if random_only else in_turn(MOVED, 4)
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as workers:
        folder = pathlib.Path(place)
        wrong = [words for words in workers.map(lambda n: check_random(n, folder), range(first, last)) if words]
        if not random_only:
            wrong += [words for words in workers.map(lambda name: check_moved(name, folder), moved_names) if words]
            wrong += [words for words in workers.map(lambda name: check_volumes(name, folder), in_turn(VOLUMES, 3)) if words]
            wrong += [words for words in workers.map(lambda name: check_three(name, folder), in_turn(THREE, 4)) if words]
            wrong += check_windows(folder) + check_checkpoint(folder)
    print("\n".join(wrong + [f"{last - first} random cases and {len(moved_names)} of moved axes, "
                             f"{len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    begin = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    end = int(sys.argv[2]) if len(sys.argv) > 2 else (begin + 1 if len(sys.argv) > 1 else CASES)
    sys.exit(main(begin, end, len(sys.argv) > 1))
