"""Random cases, with a fixed seed, of shapes, masks, boundaries, extents, origins, strides, types and missing points. Each is a
run of stencil_run that is compared with plain NumPy.

semantics.py [FIRST [LAST]] runs only the cases with these numbers; every tenth case runs on 3 ranks.
"""

import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from cases import CASES, make_case
from expected import apply, apply_valid, bound, difference
from program import THOROUGH, ini, run


QUICK = (*range(70), 93, 96, 99)  # cases of the quick test; the last three have the masks prewitt, sobel and lowpass


def write_input(folder, case):
    with h5py.File(folder / "in.h5", "w") as file:
        stored = case.data.astype(case.stored_type)
        file.create_dataset("group/data", data=stored, **case.layout)
    with h5py.File(folder / "masks.h5", "w") as file:
        for name, taps in case.masks.items():
            file[name] = taps


def expectation(case):
    """The result in float64, its allowed error, and the points whose share of valid weight is so close to the limit that rounding
    errors decide."""
    data, error = case.data.astype(np.float64), 0.0
    if case.missing_number is not None:
        data[data == case.missing_number] = np.nan
    if case.policy == "fill":
        data[np.isnan(data)] = case.fill_value
    undecided = None
    for stage in case.stages:
        allowed = bound(stage.taps, np.append(data[np.isfinite(data)], stage.value), case.eps)
        error = error * np.abs(stage.taps).sum() + allowed
        if case.policy == "renormalize":
            data, share = apply_valid(data, stage, case.min_valid)
            undecided = np.abs(share - case.min_valid) < 1e-5
            # The result is a quotient of two sums, each with this error. The divisor may be as small as min_valid allows.
            error *= 3 / max(case.min_valid, 0.01)
        else:
            data = apply(data, stage)
    return data, error, undecided


def as_stored(expected, error, case):
    """The expected result in the output's type: integers are rounded and saturated; NaN in integer outputs is not tested."""
    kind = np.dtype(case.output_type)
    if kind.kind == "f":
        finite = np.abs(expected[np.isfinite(expected)])
        return expected, error + (finite.max() if finite.size else 0) * np.finfo(kind).eps
    limits = np.iinfo(kind)
    return np.clip(expected, limits.min, limits.max), error + 0.5


def run_case(number, folder):
    case = make_case(number)
    folder = folder / str(number)
    folder.mkdir()
    write_input(folder, case)
    ranks = 3 if number % 10 == 0 else 0
    outcome = run(folder, ini(case.sections), ranks)
    if outcome.status != 0:
        return outcome.unexpected(), case
    with h5py.File(folder / "out.h5", "r") as file:
        result = file["group/data"][()]
    if result.dtype != np.dtype(case.output_type):
        return f"type {result.dtype}, expected {case.output_type}", case
    expected, error, undecided = expectation(case)
    expected, error = as_stored(expected, error, case)
    if undecided is not None and undecided.shape == result.shape:
        if undecided.mean() > 0.5:
            return "the case decides nothing: most points lie at min_valid", case
        result = np.where(undecided, 0, result)
        expected = np.where(undecided, 0, expected)
    return difference(result, expected, error), case


def main(numbers):
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as workers:
        runs = workers.map(lambda number: run_case(number, pathlib.Path(folder)), numbers)
        for number, (words, case) in zip(numbers, runs):
            if words:
                failed += 1
                print(f"case {number}: {words}\n  data {case.data.dtype} {case.data.shape}")
                print("  " + ini(case.sections).replace("\n", "\n  ").rstrip())
    print(f"{len(numbers) - failed} of {len(numbers)} cases agree")
    return 1 if failed or not numbers else 0


if __name__ == "__main__":
    first, *last = map(int, sys.argv[1:3] or [0])
    sys.exit(main(range(first, *last or [first + 1]) if sys.argv[1:] else range(CASES) if THOROUGH else QUICK))
