"""Compares a result with its float64 reference, within the error that rounding allows."""

import sys

import numpy as np


def bound(taps, data, eps):
    """Largest rounding error of a direct sum: (2 w + 4) * eps * sum|M| * max|N|.

    taps: the mask, any shape. data: the valid input points. eps: of the type computed in.
    """
    taps = np.asarray(taps, dtype=np.float64)
    return (2 * taps.size + 4) * eps * np.abs(taps).sum() * np.abs(data).max()


def compare(name, result, expected, allowed):
    """Prints the largest error and ends the program with status 1 if it is above what is allowed."""
    if result.shape != expected.shape:
        sys.exit(f"{name}: the result has shape {result.shape}, SciPy's has {expected.shape}")
    if not np.array_equal(np.isnan(result), np.isnan(expected)):
        wrong = np.count_nonzero(np.isnan(result) != np.isnan(expected))
        sys.exit(f"{name}: {wrong} of {result.size} points are missing on one side only")
    error = np.nanmax(np.abs(result.astype(np.float64) - expected))
    if not error <= allowed:
        sys.exit(f"{name}: differs from SciPy by {error:.3g}, allowed is {allowed:.3g}")
    print(f"{name}: {result.size} points agree with SciPy, largest error {error:.2g} (allowed {allowed:.2g})")
