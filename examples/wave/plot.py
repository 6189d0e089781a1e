"""Draws wave.png: the displacement in eight of the snapshots."""

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

with h5py.File("output.h5", "r") as file:
    data, times = file["membrane"], file["time"][:]
    figure, places = plt.subplots(2, 4, figsize=(8, 4.3), constrained_layout=True)
    for place, at in zip(places.flat, (0, 2, 3, 5, 7, 10, 13, 16)):
        place.imshow(data[at, 0], origin="lower", cmap="RdBu", vmin=-0.3, vmax=0.3, interpolation="nearest")
        place.set_title(f"{times[at]:.0f} s", loc="left")
        place.set_axis_off()
figure.savefig("wave.png", dpi=80)
Image.open("wave.png").convert("RGB").quantize(128).save("wave.png", optimize=True)
print("wave.png: the displacement in eight snapshots")
