"""Several values that stand for missing points, written out or in the attributes of radar data (ODIM_H5), beside NumPy;
`attribute` without attributes is a note and no more.
"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

NODATA, UNDETECT = -9999000.0, -8888000.0
TAPS = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
MASK = "; ".join(" ".join(map(str, row)) for row in TAPS)


def expected(data, missing, policy):
    """The weighted mean of the valid points, or NaN where one is missing; reflected at the edges."""
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
                for ranks in (0, 3):
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
                    if ("no number counts as missing" in outcome.stderr) != (not missing):
                        problems.append(f"{where}: {outcome.stderr}")
    print(*problems, f"{len(problems)} wrong", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
