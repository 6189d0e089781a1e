"""Writes input.h5: 20 s of distributed acoustic sensing, time x channel, int16."""

import h5py
import numpy as np

rate = 1000.0
nt, channels, spacing = 20000, 256, 1.02
rng = np.random.default_rng(2500)
time = np.arange(nt)[:, None] / rate
place = np.arange(channels)[None, :] * spacing

# A vehicle at 15 m/s, which is a slow pulse that moves along the fibre; a wave of 12 Hz at 300 m/s; and a pump
# at 180 Hz, which decimation by ten without a filter would alias into the band.
vehicle = 900 * np.exp(-(((time - 1.5 - place / 15) / 0.25) ** 2))
wave = 300 * np.sin(2 * np.pi * 12 * (time - place / 300))
pump = 700 * np.sin(2 * np.pi * 180 * time + 0.3 * place)
noise = rng.normal(scale=200, size=(nt, channels))
data = np.round(vehicle + wave + pump + noise).astype(np.int16)

with h5py.File("input.h5", "w") as file:
    group = file.create_group("Acquisition/Raw[0]")
    group.attrs["OutputDataRate"] = rate
    group.attrs["NumberOfLoci"] = channels
    group.attrs["RawDataUnit"] = "(nm/m)/s * Hz/m"
    raw = group.create_dataset(
        "RawData", data=data, chunks=(2048, channels), maxshape=(None, channels),
        compression="gzip", compression_opts=1, shuffle=True,
    )
    raw.attrs["Dimensions"] = np.array([b"time", b"locus"])
print(f"input.h5: /Acquisition/Raw[0]/RawData, {nt} x {channels} int16 at {rate:g} Hz")
