"""Draws heat_snapshots.png: eight of the snapshots."""

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

with h5py.File("output.h5", "r") as file:
    data, times = file["temperature"], file["time"][:]
    figure, places = plt.subplots(2, 4, figsize=(8, 4.3), constrained_layout=True)
    for place, at in zip(places.flat, (0, 1, 2, 4, 6, 9, 12, 15)):
        place.imshow(data[at], origin="lower", cmap="inferno", vmin=20, vmax=300, interpolation="nearest")
        place.set_title(f"{times[at]:.0f} s", loc="left")
        place.set_axis_off()
figure.savefig("heat_snapshots.png", dpi=80)
Image.open("heat_snapshots.png").convert("RGB").quantize(48).save("heat_snapshots.png", optimize=True)
print("heat_snapshots.png: eight snapshots")
