"""Compares a result with its float64 reference, within the error bound of rounding."""

import sys

import numpy as np


def bound(taps, data, eps):
    """Returns the largest rounding error of a direct sum with w taps: (2 w + 4) * eps * sum|taps| * max|data|.

    taps: the mask, of any shape. data: the valid input points. eps: machine epsilon of the compute type.
    """
    taps = np.asarray(taps, dtype=np.float64)
    return (2 * taps.size + 4) * eps * np.abs(taps).sum() * np.abs(data).max()


def compare(name, result, expected, allowed):
    """Prints the largest error and ends the program with status 1 if the error exceeds `allowed`."""
    if result.shape != expected.shape:
        sys.exit(f"{name}: the result has shape {result.shape}, SciPy's has {expected.shape}")
    if not np.array_equal(np.isnan(result), np.isnan(expected)):
        wrong = np.count_nonzero(np.isnan(result) != np.isnan(expected))
        sys.exit(f"{name}: {wrong} of {result.size} points are missing on one side only")
    error = np.nanmax(np.abs(result.astype(np.float64) - expected))
    if not error <= allowed:
        sys.exit(f"{name}: differs from SciPy by {error:.3g}, allowed is {allowed:.3g}")
    print(f"{name}: {result.size} points agree with SciPy, largest error {error:.2g} (allowed {allowed:.2g})")
