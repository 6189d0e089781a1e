"""Draws sst_smooth.png: the input next to the output."""

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

with h5py.File("input.h5", "r") as file:
    before = np.where(file["sst"][:] == file["sst"].attrs["_FillValue"], np.nan, file["sst"][:])
with h5py.File("output.h5", "r") as file:
    after = file["sst"][:]

figure, places = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True)
for place, grid, title in zip(places, (before, after), ("input: /sst", "output: gaussian, sigma 2")):
    place.imshow(
        grid, origin="lower", extent=(0, 360, -90, 90), vmin=-2, vmax=30, interpolation="nearest"
    )
    place.set_facecolor("lightgrey")
    place.set_title(title, loc="left")
    place.set_xlabel("longitude")
places[0].set_ylabel("latitude")
figure.tight_layout()
figure.savefig("sst_smooth.png", dpi=80)
Image.open("sst_smooth.png").convert("RGB").quantize(48).save("sst_smooth.png", optimize=True)  # a small file
print("sst_smooth.png: input and output, missing points grey")
