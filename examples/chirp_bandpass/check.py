"""Checks output.h5 against the filter of SciPy, computed in float64."""

import pathlib
import sys

import h5py
import numpy as np
import scipy.ndimage
import scipy.signal

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from compare import bound, compare

with h5py.File("input.h5", "r") as file:
    strain = file["strain/Strain"][:]
    rate = 1 / file["strain/Strain"].attrs["Xspacing"]
with h5py.File("output.h5", "r") as file:
    result = file["strain/Strain"][:]

taps = scipy.signal.firwin(1025, [35, 350], pass_zero=False, fs=rate)
expected = scipy.ndimage.correlate1d(strain, taps, mode="reflect")
compare("chirp_bandpass", result, expected, bound(taps, strain, np.finfo(np.float64).eps))
