"""Checks output.h5 against SciPy's Gaussian over the valid points, computed in float64."""

import pathlib
import sys

import h5py
import numpy as np
from scipy.ndimage import gaussian_filter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from compare import bound, compare

with h5py.File("input.h5", "r") as file:
    sst = file["sst"][:].astype(np.float64)
    valid = sst != file["sst"].attrs["_FillValue"]
with h5py.File("output.h5", "r") as file:
    result = file["sst"][:]

sst[~valid] = 0
mode = ["nearest", "wrap"]
weight = gaussian_filter(valid.astype(np.float64), 2, mode=mode)
with np.errstate(divide="ignore", invalid="ignore"):
    expected = np.where(weight < 0.5, np.nan, gaussian_filter(sst, 2, mode=mode) / weight)

tap = np.zeros((17, 17))
tap[8, 8] = 1
taps = gaussian_filter(tap, 2, mode="constant")
# The result is a quotient of two sums, and the denominator is at least 0.5: four times the error of one sum.
allowed = 4 * bound(taps, sst, np.finfo(np.float32).eps)
compare("sst_smooth", result, expected, allowed)
