"""Checks every snapshot of output.h5 against steps that NumPy computes in float64, and checks the times."""

import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from compare import compare

with h5py.File("input.h5", "r") as file:
    plate = file["temperature"][:].astype(np.float64)
with h5py.File("output.h5", "r") as file:
    result, times = file["temperature"][:], file["time"][:]
    scales = [list(axis.keys()) for axis in file["temperature"].dims]
if scales != [["time"], ["y"], ["x"]] or not np.allclose(times, 0.4 * np.arange(0, 3001, 200), rtol=1e-12):
    sys.exit(f"heat_snapshots: scales {scales}, times {times}")

expected, largest = [plate], np.abs(plate).max()
for step in range(1, 3001):
    p = np.pad(plate, 1, mode="symmetric")
    plate = 0.232 * plate + 0.192 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    if step % 200 == 0:
        expected.append(plate)
# The taps are positive and sum to 1, so errors do not grow: n steps have at most n times the error of one step.
allowed = 3000 * 5.5 * np.finfo(np.float32).eps / 2 * largest
compare("heat_snapshots", result, np.array(expected), allowed)
