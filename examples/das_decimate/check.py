"""Checks output.h5 against SciPy: the filter on all samples, then every tenth."""

import pathlib
import sys

import h5py
import numpy as np
import scipy.ndimage
import scipy.signal

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from compare import bound, compare

dataset = "Acquisition/Raw[0]/RawData"
with h5py.File("input.h5", "r") as file:
    raw = file[dataset][:].astype(np.float64)
    rate = file["Acquisition/Raw[0]"].attrs["OutputDataRate"]
with h5py.File("output.h5", "r") as file:
    result = file[dataset][:]

taps = scipy.signal.firwin(321, 40, fs=rate)
expected = scipy.ndimage.correlate1d(raw, taps, axis=0, mode="nearest")[::10]
# int16 input is computed in float32 unless run.precision is set.
compare("das_decimate", result, expected, bound(taps, raw, np.finfo(np.float32).eps))
