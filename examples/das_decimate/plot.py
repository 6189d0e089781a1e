"""Draws das_decimate.png: the first six seconds of the input next to those of the output."""

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

dataset = "Acquisition/Raw[0]/RawData"
with h5py.File("input.h5", "r") as file:
    before = file[dataset][:6000]
with h5py.File("output.h5", "r") as file:
    after = file[dataset][:600]

figure, places = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
titles = ("input: int16, 1000 Hz", "output: below 40 Hz, 100 Hz")
for place, section, title in zip(places, (before, after), titles):
    place.imshow(
        section[:: max(1, section.shape[0] // 300)],
        aspect="auto", extent=(0, 256, 6, 0), vmin=-1000, vmax=1000, cmap="RdBu",
        interpolation="nearest",
    )
    place.set_title(title, loc="left")
    place.set_xlabel("channel")
places[0].set_ylabel("time / s")
figure.tight_layout()
figure.savefig("das_decimate.png", dpi=80)
Image.open("das_decimate.png").convert("RGB").quantize(48).save("das_decimate.png", optimize=True)  # a small file
print("das_decimate.png: six seconds of input and output")
