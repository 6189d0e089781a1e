"""Checks every snapshot of output.h5 against the two coupled updates in NumPy, in float64."""

import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from compare import compare

with h5py.File("input.h5", "r") as file:
    u, v = file["membrane"][:].astype(np.float64)
with h5py.File("output.h5", "r") as file:
    result, times = file["membrane"][:], file["time"][:]
if not np.array_equal(times, 20 * np.arange(17)):
    sys.exit(f"wave: times {times}")

dt, expected = 0.5, [np.stack([u, v])]
for step in range(1, 641):
    p = np.pad(u, 1)
    v = v + dt * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    u = u + dt * v
    if step % 40 == 0:
        expected.append(np.stack([u, v]))
# Waves do not grow: n steps have at most n times the error of one step, whose sums of |taps| are at most 4.5.
allowed = 640 * 40 * np.finfo(np.float32).eps * 4.5
compare("wave", result, np.array(expected), allowed)
