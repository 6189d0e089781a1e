"""Writes input.h5: a plate of 2 m with hot shapes, and coordinates in metres."""

import h5py
import numpy as np

n = 400
at = (np.arange(n) + 0.5) * 2 / n
y, x = at[:, None], at[None, :]
plate = np.full((n, n), 20.0)
plate[(y - 1.3) ** 2 + (x - 0.6) ** 2 < 0.3**2] = 300
plate[(abs(y - 0.6) < 0.25) & (abs(x - 0.7) < 0.12)] = 250
plate[(abs(y - 1.0) < 0.7) & (abs(x - 1.5) < 0.05)] = 200

with h5py.File("input.h5", "w") as file:
    for name in ("y", "x"):
        file[name] = at
        file[name].attrs["units"] = "m"
        file[name].make_scale(name)
    file["temperature"] = plate.astype(np.float32)
    file["temperature"].attrs["units"] = "degree_C"
    for axis, name in enumerate(("y", "x")):
        file["temperature"].dims[axis].attach_scale(file[name])
print(f"input.h5: /temperature, {n} x {n} float32")
