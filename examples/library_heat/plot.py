"""Draws four frames into library_heat.png, and compares the last frame with steps that NumPy computes."""

import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def frame(step):
    with h5py.File(f"heat_{step}.h5") as file:
        return file["temperature"][:]


plate = np.pad(frame(0), 1)
for _ in range(1000):
    sides = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
    plate[1:-1, 1:-1] = 0.2 * plate[1:-1, 1:-1] + 0.2 * sides
worst = np.abs(frame(1000) - plate[1:-1, 1:-1]).max()
allowed = 1000 * 5 * np.finfo(np.float64).eps * 300
print(f"library_heat: largest difference to NumPy {worst:.1e}, allowed {allowed:.1e}")
if not worst <= allowed:
    sys.exit(1)

figure, axes = plt.subplots(1, 4, figsize=(10, 2.8), constrained_layout=True)
for axis, step in zip(axes, (0, 200, 500, 1000)):
    axis.imshow(frame(step), cmap="inferno", vmin=0, vmax=300)
    axis.set_title(f"step {step}")
    axis.set_axis_off()
figure.savefig("library_heat.png", dpi=70)
