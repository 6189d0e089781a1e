"""Writes input.h5: one minute of a detector's strain, a chirp buried in coloured noise."""

import h5py
import numpy as np
import scipy.signal

rate = 4096.0
n = 60 * 4096
rng = np.random.default_rng(150914)
time = np.arange(n) / rate

# Noise: strong below 20 Hz (the ground), weak in the middle, rising again above 400 Hz.
slow = scipy.signal.sosfilt(scipy.signal.butter(4, 20, fs=rate, output="sos"), rng.normal(size=n))
fast = scipy.signal.sosfilt(
    scipy.signal.butter(2, 400, "highpass", fs=rate, output="sos"), rng.normal(size=n)
)
noise = 8e-20 * slow + 2e-21 * fast + 2e-22 * rng.normal(size=n)

# Chirp: 35 to 300 Hz within half a second, ending at 30.4 s.
inside = (time >= 29.9) & (time < 30.4)
chirp = np.zeros(n)
chirp[inside] = scipy.signal.chirp(time[inside] - 29.9, 35, 0.5, 300, method="hyperbolic")
chirp[inside] *= 4e-21 * np.linspace(0, 1, inside.sum()) ** 2

with h5py.File("input.h5", "w") as file:
    strain = file.create_dataset(
        "strain/Strain", data=noise + chirp, chunks=(16384,), compression="gzip", shuffle=True
    )
    strain.attrs["Xspacing"] = 1 / rate
    strain.attrs["Xunits"] = "second"
    strain.attrs["Xstart"] = 1126259432.0
    strain.attrs["Yunits"] = "strain"
print(f"input.h5: /strain/Strain, {n} samples at {rate:g} Hz, float64")
