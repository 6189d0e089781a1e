"""The keys missing.keep (points that are missing in the input stay missing) and missing.mask (a dataset marks the valid points),
compared with NumPy on several ranks, in windows, with strides and with selections; and refused configurations.
"""

import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np
from scipy import ndimage

from program import in_turn, ini, run, uses_windows

problems = []
SHAPE = (12, 250, 300)  # data of this shape are computed in windows if the memory is 24 MiB and no chunks are unpacked
WAYS = ((0, "auto"), (3, "auto"), (2, "24MiB"))  # (ranks, memory) of runs; the quick test makes one of these runs in turn
ONE_WAY = ((0, "auto"), (2, "auto"))


def make(folder):
    rng = np.random.default_rng(8)
    data = rng.normal(size=SHAPE)
    data[rng.random(SHAPE) < 0.05] = -9
    valid = {"full": rng.random(SHAPE) > 0.1, "plane": rng.random(SHAPE[1:]) > 0.2,
             "one": rng.random((1, *SHAPE[1:])) > 0.2, "row": rng.random(SHAPE[2]) > 0.2}
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = data
        file["packed"] = np.where(data == -9, -32768, np.rint(1000 * np.clip(data, -8, 8))).astype("i2")
        file["packed"].attrs.update(scale_factor=0.001, _FillValue=np.int16(-32768))
        file.create_dataset("chunked", data=data, chunks=(1, 32, 16), compression="gzip")
    with h5py.File(folder / "masks.h5", "w") as file:
        for name, mask in valid.items():
            file[name] = mask
        file["numbers"] = np.where(valid["plane"], 0.25, np.where(np.arange(SHAPE[2]) % 2 == 0, 0, np.nan))
        file.create_dataset("packed", data=valid["full"], chunks=(2, 40, 70), compression="gzip")
        file["wrong"] = np.ones(SHAPE[:2])
        file["inner"] = np.ones((SHAPE[0], 1, SHAPE[2]))
        file["text"] = "text"
    return np.where(data == -9, np.nan, data), valid


def sections(missing, dataset="x", **more):
    words = {"input": {"file": "in.h5", "dataset": dataset}, "output": {"file": "out.h5", "overwrite": "true"},
             "missing": {"value": -9, **missing}, "stencil": {"mask": "1 2 1", "axis": 2}}
    for name, section in more.items():
        words[name] = {**words.get(name, {}), **section}
    return words


def means(data, taps=(1, 2, 1), least=0.01):
    """Returns sums over the valid points, multiplied by the sum of the taps and divided by the weight of the valid points."""
    valid, taps = np.isfinite(data), np.array(taps, float)
    weight = ndimage.correlate1d(valid.astype(float), taps)
    total = ndimage.correlate1d(np.where(valid, data, 0), taps)
    return np.where(weight > least * taps.sum(), taps.sum() * total / np.maximum(weight, 1e-9), np.nan)


def compare(folder, what, words, wanted, dataset="x", tolerance=1e-10, ways=WAYS):
    for ranks, memory in in_turn(ways):
        outcome = run(folder, ini({**words, "run": {"memory": memory, "precision": "float64"}}), ranks, ["--progress=lines"])
        if outcome.status:
            problems.append(f"{what}, {ranks} ranks, {memory}: {outcome.unexpected()}")
            continue
        if memory == "24MiB" and not uses_windows(outcome):
            problems.append(f"{what}, {ranks} ranks, {memory}: the run did not use windows")
        with h5py.File(folder / "out.h5") as file:
            found, attributes = file[dataset][()], dict(file[dataset].attrs)
        if found.dtype.kind == "i":
            found = np.where(found == attributes["_FillValue"], np.nan, found * attributes["scale_factor"])
        if found.shape != wanted.shape or not np.allclose(found, wanted, rtol=0, atol=tolerance, equal_nan=True):
            problems.append(f"{what}, {ranks} ranks, {memory}: other points")


def check_keep(folder, data):
    gone = np.isnan(data)
    everywhere = {"keep": "true", "policy": "renormalize", "min_valid": 0.01}
    wanted = np.where(gone, np.nan, means(data))
    for dataset in ("x", "chunked"):
        ways = WAYS if dataset == "x" else ((0, "60MiB"), (2, "auto"))
        compare(folder, f"keep, {dataset}", sections(everywhere, dataset), wanted, dataset, ways=ways)
    compare(folder, "keep, filled", sections({"keep": "true", "policy": "fill", "fill_value": 3}),
            np.where(gone, np.nan, ndimage.correlate1d(np.where(gone, 3, data), [1, 2, 1])))
    some = (slice(None), slice(10, 80), slice(5, 65, 2))
    compare(folder, "keep, selected", sections(everywhere, input={"select": ":, 10:80, 5:65:2", "edges": "boundary"}),
            np.where(gone[some], np.nan, means(data[some])))
    near = np.where(gone, np.nan, means(data))[:, 10:80, 5:65]
    compare(folder, "keep, edges of the data", sections(everywhere, input={"select": ":, 10:80, 5:65"}), near)
    compare(folder, "keep, stride", sections(everywhere, stencil={"stride": 3}), wanted[..., ::3])
    with h5py.File(folder / "bank.h5", "w") as file:
        file["bank"] = np.array([[1.0, 2, 1], [0, 1, 0], [3, 1, 1]])
    of_bank = np.stack([np.where(gone, np.nan, means(data, taps)) for taps in ((1, 2, 1), (0, 1, 0), (3, 1, 1))])
    compare(folder, "keep, a bank", sections(everywhere, stencil={"mask": "bank.h5:/bank[:]"}), of_bank)
    compare(folder, "keep, valid", sections(everywhere, stencil={"extent": "valid"}), wanted[..., 1:-1])
    steps = means(means(data))
    compare(folder, "keep, steps", sections(everywhere, stencil={"steps": 2}), np.where(gone, np.nan, steps))
    with h5py.File(folder / "in.h5") as file:
        numbers = file["packed"][()]
    values = np.where(numbers == -32768, np.nan, 0.001 * numbers)
    compare(folder, "keep, packed", sections({**everywhere, "value": "auto"}, "packed", output={"dtype": "int16", "scale": "auto"},
                                             stencil={"mask": "0.25 0.5 0.25"}),
            np.where(np.isnan(values), np.nan, means(values, (0.25, 0.5, 0.25))), "packed", 0.00051)


def check_mask(folder, data, valid):
    renormalize = {"policy": "renormalize", "min_valid": 0.01}
    for name, mask in (*valid.items(), ("packed", valid["full"]), ("numbers", valid["plane"])):
        gaps = np.where(mask, data, np.nan)
        words = {"mask": f"masks.h5:/{name}"}
        compare(folder, f"mask {name}", sections({**words, **renormalize}), means(gaps), ways=WAYS if name == "plane" else ONE_WAY)
        compare(folder, f"mask {name}, propagated", sections(words), ndimage.correlate1d(gaps, [1, 2, 1]), ways=ONE_WAY)
    gaps = np.where(valid["plane"], data, np.nan)
    plane = {"mask": "masks.h5:/plane", **renormalize}
    compare(folder, "mask and keep", sections({**plane, "keep": "true"}), np.where(np.isnan(gaps), np.nan, means(gaps)))
    some = (slice(1, 5), slice(10, 80, 3), slice(5, 65))
    compare(folder, "mask, selected", sections(plane, input={"select": "1:5, 10:80:3, 5:65", "edges": "boundary"}), means(gaps[some]))
    outcome = run(folder, ini(sections(plane)), 0, ["--check"])
    if outcome.status or "mask    masks.h5:/plane  250x300" not in outcome.stdout:
        problems.append(f"the mask in --check: {outcome.unexpected()} {outcome.stdout}")
    outcome = run(folder, ini(sections(plane)), 2, ["--report=report.json"])
    named = json.loads((folder / "report.json").read_text())["input"].get("mask") if outcome.status == 0 else None
    if named != {"file": "masks.h5", "dataset": "/plane", "shape": [250, 300]}:
        problems.append(f"the mask in the report: {named} {outcome.unexpected()}")
    all_valid = np.where(np.isnan(data), -9, data)
    along = ndimage.correlate1d(np.where(valid["plane"], all_valid, np.nan), [1, 2, 1], axis=0)
    compare(folder, "mask alone, along the axis that it lacks", sections({"mask": plane["mask"], "value": "none"},
                                                                         stencil={"axis": 0}), along)


def check_refusals(folder):
    for what, missing, more, status, *words in (
            ("shape", {"mask": "masks.h5:/wrong"}, {}, 2, "missing.mask = ", "12x250", "12x250x300"),
            ("an inner axis", {"mask": "masks.h5:/inner"}, {}, 2, "12x1x300"),
            ("no number", {"mask": "masks.h5:/text"}, {}, 2, "text"),
            ("no dataset", {"mask": "masks.h5:/plain"}, {}, 2, "plain"),
            ("no file", {"mask": "none.h5:/plane"}, {}, 3, "none.h5"),
            ("no path", {"mask": "masks.h5"}, {}, 2, "mask = masks.h5"),
            ("overwritten", {"mask": "masks.h5:/plane"}, {"output": {"file": "masks.h5"}}, 2, "would overwrite masks.h5"),
            ("nothing is missing", {"value": "none", "keep": "true"}, {}, 2, "keep = true"),
            ("beyond the edges", {"keep": "true"}, {"stencil": {"extent": "full"}}, 2, "beyond the edges"),
            ("snapshots", {"keep": "true"}, {"output": {"snapshot_every": 1}, "stencil": {"steps": 2}}, 2, "snapshots")):
        outcome = run(folder, ini(sections(missing, **more)), 2)
        if outcome.status != status or len(outcome.errors) != 1 or any(word not in outcome.errors[0] for word in words):
            problems.append(f"{what}: wanted status {status} and {words}: {outcome.unexpected()}")


with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    data, valid = make(folder)
    check_keep(folder, data)
    check_mask(folder, data, valid)
    check_refusals(folder)
print(*problems, f"{len(problems)} wrong", sep="\n")
sys.exit(1 if problems else 0)
