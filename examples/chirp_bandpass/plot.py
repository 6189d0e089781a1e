"""Draws chirp_bandpass.png: input above output around the chirp."""

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

with h5py.File("input.h5", "r") as file:
    before = file["strain/Strain"][:]
    step = file["strain/Strain"].attrs["Xspacing"]
with h5py.File("output.h5", "r") as file:
    after = file["strain/Strain"][:]

shown = slice(int(29.6 / step), int(30.6 / step))
time = np.arange(before.size)[shown] * step
figure, (above, below) = plt.subplots(2, 1, figsize=(8, 4), sharex=True)
above.plot(time, before[shown], linewidth=0.7)
above.set_title("input: strain", loc="left")
below.plot(time, after[shown], linewidth=0.7, color="tab:red")
below.set_title("output: 35 to 350 Hz, 1025 taps", loc="left")
below.set_xlabel("time / s")
figure.tight_layout()
figure.savefig("chirp_bandpass.png", dpi=90)
print("chirp_bandpass.png: input and output from 29.6 s to 30.6 s")
