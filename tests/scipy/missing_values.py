"""Several values for missing points, given in the configuration or in the attributes of radar data (ODIM_H5), compared with
NumPy. If missing.value is `attribute` and there are no such attributes, a note reports it. Points beyond the edges may be missing, too.
"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np
from scipy import ndimage

from program import in_turn, ini, run

NODATA, UNDETECT = -9999000.0, -8888000.0
TAPS = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
MASK = "; ".join(" ".join(map(str, row)) for row in TAPS)


def expected(data, missing, policy):
    """The weighted mean of the valid points, or NaN if one point is missing (propagate); edges are reflected."""
    valid = ~np.isin(data, missing)
    rows = lambda values: np.pad(values, 1, mode="symmetric")
    windows = lambda values: np.lib.stride_tricks.sliding_window_view(rows(values), (3, 3))
    total = (windows(np.where(valid, data, 0)) * TAPS).sum((2, 3))
    weight = (windows(valid.astype(float)) * TAPS).sum((2, 3))
    if policy == "propagate":
        return np.where(weight > 1 - 1e-9, total, np.nan)
    return np.where(weight >= 0.5, total / np.maximum(weight, 1e-9), np.nan)


def make(folder):
    rng = np.random.default_rng(3)
    data = rng.integers(-30, 60, (60, 50)).astype(np.float64)
    data[rng.random(data.shape) < 0.1] = NODATA
    data[20:30, 10:30] = UNDETECT
    with h5py.File(folder / "in.h5", "w") as file:
        file["dataset1/data1/data"] = data
        what = file.create_group("dataset1/data1/what")
        what.attrs["nodata"], what.attrs["undetect"] = NODATA, UNDETECT
        file["plain/data"] = data
    return data


def means(data, mask, min_valid):
    """The mean of the points under the mask that are inside the array and not NaN, weighted by the mask and multiplied by the sum of the
    mask."""
    pad = [(n // 2, n - 1 - n // 2) for n in mask.shape]
    windows = lambda values: np.lib.stride_tricks.sliding_window_view(np.pad(values, pad), mask.shape)
    valid = np.isfinite(data)
    weight = (windows(valid.astype(float)) * mask).sum((2, 3))
    total = (windows(np.where(valid, data, 0)) * mask).sum((2, 3))
    return np.where(weight >= min_valid * mask.sum(), mask.sum() * total / np.maximum(weight, 1e-9), np.nan)


def check_edges(folder, problems):
    """If points beyond the edges are missing, outputs are means over the points of the array: by direct sums, transforms, in windows."""
    rng = np.random.default_rng(4)
    data = rng.normal(size=(300, 200))
    data[rng.random(data.shape) < 0.02] = np.nan
    with h5py.File(folder / "edges.h5", "w") as file:
        file["x"] = data
        file["mask"] = np.ones((41, 41))
    edges = {"value": "nan", "policy": "renormalize", "min_valid": 0.3}
    cases = (("3", {"mask": "1 1 1; 1 1 1; 1 1 1"}, np.ones((3, 3)), {**edges, "edges": "missing"}),
             ("41", {"mask": "edges.h5:/mask", "method": "fft"}, np.ones((41, 41)), {**edges, "edges": "missing"}),
             ("NaN beyond", {"mask": "1 2 1", "boundary": "constant", "boundary_value": "nan"}, np.array([[1.0, 2, 1]]), edges))
    for name, stencil, mask, missing in cases:
        for ranks, memory in in_turn(((0, "auto"), (3, "auto"), (2, "24MiB")), 2):
            outcome = run(folder, ini({
                "input": {"file": "edges.h5", "dataset": "x"}, "output": {"file": "out.h5", "overwrite": "true"},
                "missing": missing, "stencil": stencil, "run": {"memory": memory}}), ranks)
            if outcome.status != 0:
                problems.append(f"edges, {name}, {ranks} ranks: {outcome.unexpected()}")
                continue
            with h5py.File(folder / "out.h5") as file:
                found = file["x"][()]
            if not np.allclose(found, means(data, mask, 0.3), rtol=0, atol=1e-8, equal_nan=True):
                problems.append(f"edges, {name}, {ranks} ranks, {memory}: other means")
    outcome = run(folder, ini({"input": {"file": "edges.h5", "dataset": "x"}, "output": {"file": "out.h5", "overwrite": "true"},
                               "missing": {"edges": "missing"}, "stencil": {"mask": "1 1 1"}}), 2)
    with h5py.File(folder / "out.h5") as file:
        found = file["x"][()]
    whole = np.full(data.shape, np.nan)
    whole[:, 1:-1] = data[:, :-2] + data[:, 1:-1] + data[:, 2:]
    if outcome.status or not np.allclose(found, whole, rtol=0, atol=1e-10, equal_nan=True):
        problems.append(f"edges, propagate: {outcome.unexpected()}")


def check_joint_weight(folder, problems):
    """A mask of rank 2 uses the weight of the valid points in its whole window, even if it is computed in two passes."""
    rng = np.random.default_rng(6)
    data = rng.normal(size=(120, 90))
    data[rng.random(data.shape) < 0.2] = np.nan
    data[40:60, 30:50] = np.nan
    with h5py.File(folder / "joint.h5", "w") as file:
        file["x"] = data
    valid = np.isfinite(data)
    of = {mode: ndimage.gaussian_filter(valid.astype(float), 3, mode=mode) for mode in ("reflect", "nearest")}
    for mode, weight in of.items():
        total = ndimage.gaussian_filter(np.where(valid, data, 0), 3, mode=mode)
        wanted = np.where(weight >= 0.05, total / np.maximum(weight, 1e-9), np.nan)
        for ranks, method in in_turn(((0, "auto"), (3, "fft"), (2, "direct")), 2):
            outcome = run(folder, ini({
                "input": {"file": "joint.h5", "dataset": "x"}, "output": {"file": "out.h5", "overwrite": "true"},
                "missing": {"policy": "renormalize", "min_valid": 0.05},
                "stencil": {"mask": "gaussian", "rank": 2, "sigma": 3, "truncate": 4, "boundary": mode, "method": method}}), ranks)
            if outcome.status:
                problems.append(f"joint weight, {mode}, {method}: {outcome.unexpected()}")
                continue
            with h5py.File(folder / "out.h5") as file:
                found = file["x"][()]
            if not np.allclose(found, wanted, rtol=0, atol=1e-9, equal_nan=True):
                problems.append(f"joint weight, {mode}, {method}: {np.nanmax(np.abs(found - wanted))}")


def check_joint_stages(folder, problems):
    """Two stages of one axis each with missing.joint, in both orders, are a ratio of two filters; without missing.joint the result differs."""
    rng = np.random.default_rng(7)
    data = rng.normal(size=(3, 80, 70))
    data[rng.random(data.shape) < 0.2] = np.nan
    data[:, 30:45, 20:40] = np.nan
    with h5py.File(folder / "two.h5", "w") as file:
        file["x"] = data
    valid = np.isfinite(data)
    both = lambda values: ndimage.uniform_filter1d(ndimage.gaussian_filter1d(values, 2, axis=1, mode="nearest"), 5, axis=2)
    weight = both(valid.astype(float))
    wanted = np.where(weight >= 0.1, both(np.where(valid, data, 0)) / np.maximum(weight, 1e-9), np.nan)[:, ::2]
    y = {"mask": "gaussian", "rank": 1, "axis": 1, "sigma": 2, "truncate": 4, "boundary": "nearest", "stride": 2}
    x = {"mask": "box", "rank": 1, "axis": 2, "size": 5}
    missing = {"policy": "renormalize", "min_valid": 0.1}

    def outcome_of(stages, ranks=0, **more):
        return run(folder, ini({"input": {"file": "two.h5", "dataset": "x"}, "output": {"file": "out.h5", "overwrite": "true"},
                                "missing": {**missing, **more}, **stages}), ranks)

    for name, joint, stages, ranks in (("y, x", "true", {"stencil.y": y, "stencil.x": x}, 0), ("x, y", "true", {"stencil.x": x, "stencil.y": y}, 3),
                                       ("apart", "false", {"stencil.y": y, "stencil.x": x}, 2)):
        outcome = outcome_of(stages, ranks, joint=joint)
        if outcome.status:
            problems.append(f"joint, {name}: {outcome.unexpected()}")
            continue
        with h5py.File(folder / "out.h5") as file:
            found = file["x"][()]
        is_ratio = found.shape == wanted.shape and np.allclose(found, wanted, rtol=0, atol=1e-9, equal_nan=True)
        if is_ratio != (joint == "true"):
            problems.append(f"joint, {name}: {'the same' if is_ratio else 'other'} points")
    for what, stages, more, words in (
            ("three stages", {"stencil.y": y, "stencil.x": x, "stencil.z": x}, {}, "with two stages, and there are 3"),
            ("one axis", {"stencil.y": x, "stencil.x": x}, {}, "the last two"),
            ("steps", {"stencil.y": y, "stencil.x": {**x, "steps": 2}}, {}, "[stencil.x] is not a stage of a single step"),
            ("another policy", {"stencil.y": y, "stencil.x": x}, {"policy": "propagate", "min_valid": 0.1}, "policy")):
        outcome = outcome_of(stages, joint="true", **more)
        if outcome.status != 2 or len(outcome.errors) != 1 or words not in outcome.errors[0]:
            problems.append(f"joint, {what}: {outcome.unexpected()}")


def main():
    problems = []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        data = make(folder)
        cases = [
            ("attribute", "/dataset1/data1/data", [NODATA, UNDETECT]),
            ("-9999000 -8888000", "/plain/data", [NODATA, UNDETECT]),
            ("-9999000", "/dataset1/data1/data", [NODATA]),
            ("nan -8888000", "/plain/data", [UNDETECT]),
            ("attribute", "/plain/data", []),
        ]
        for value, dataset, missing in cases:
            for policy in ("propagate", "renormalize"):
                for ranks in in_turn((0, 3)):
                    outcome = run(folder, ini({
                        "input": {"file": "in.h5", "dataset": dataset}, "output": {"file": "out.h5", "overwrite": "true"},
                        "missing": {"value": value, "policy": policy}, "stencil": {"mask": MASK}}), ranks)
                    where = f"{value}, {dataset}, {policy}, {ranks} ranks"
                    if outcome.status != 0:
                        problems.append(f"{where}: {outcome.unexpected()}")
                        continue
                    with h5py.File(folder / "out.h5") as file:
                        found = file[dataset][()]
                    wanted = expected(data, missing, policy)
                    if not np.array_equal(np.isnan(found), np.isnan(wanted)):
                        problems.append(f"{where}: other points are missing")
                    elif np.nanmax(np.abs(found - wanted)) > 1e-12 * np.nanmax(np.abs(wanted)):
                        problems.append(f"{where}: {np.nanmax(np.abs(found - wanted))}")
                    if ("no number is treated as missing" in outcome.stderr) != (not missing):
                        problems.append(f"{where}: {outcome.stderr}")
        check_edges(folder, problems)
        check_joint_weight(folder, problems)
        check_joint_stages(folder, problems)
    print(*problems, f"{len(problems)} wrong", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
