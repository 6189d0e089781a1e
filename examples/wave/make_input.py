"""Writes input.h5: displacement and velocity of a membrane at rest with two bumps, and the mask that advances both."""

import h5py
import numpy as np

n = 300
y, x = np.mgrid[0:n, 0:n]
u = np.exp(-((y - 100) ** 2 + (x - 90) ** 2) / 60) + 0.7 * np.exp(-((y - 190) ** 2 + (x - 200) ** 2) / 100)
fields = np.stack([u, np.zeros_like(u)])

# A step of dt is v' = v + dt c^2 L u, then u' = u + dt v'. Expressed in the old fields:
# u' = u + dt v + (c dt)^2 L u, v' = v + dt c^2 L u. The grid spacing and c are 1, and dt = 0.5.
dt = 0.5
laplacian = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], float)
point = np.zeros((3, 3))
point[1, 1] = 1
mask = np.array([[point + dt**2 * laplacian, dt * point],  # u' of u and v
                 [dt * laplacian, point]])  # v' of u and v

with h5py.File("input.h5", "w") as file:
    file["membrane"] = fields.astype(np.float32)
    file["membrane"].attrs["channels"] = "displacement, velocity"
    file["mask"] = mask
print(f"input.h5: /membrane, 2 x {n} x {n} float32 (displacement, velocity); /mask, 2 x 2 x 3 x 3")
