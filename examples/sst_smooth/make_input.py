"""Writes input.h5: a global sea surface temperature grid of half a degree with land missing."""

import h5py
import numpy as np
import scipy.ndimage

ny, nx = 360, 720
missing = np.float32(-999)
rng = np.random.default_rng(1080)
lat = -90 + (np.arange(ny) + 0.5) * 180 / ny
lon = (np.arange(nx) + 0.5) * 360 / nx

# Warm at the equator, plus eddies and sensor noise.
eddies = scipy.ndimage.gaussian_filter(rng.normal(size=(ny, nx)), 6, mode=["nearest", "wrap"])
sst = 29 * np.cos(np.radians(lat))[:, None] ** 1.5 - 1.5 + 25 * eddies
sst = (sst + rng.normal(scale=1.0, size=(ny, nx))).astype(np.float32)

# Continents cover a quarter of the globe, one of them across the 0 degree meridian. Clouds are single points.
height = scipy.ndimage.gaussian_filter(rng.normal(size=(ny, nx)), 25, mode=["nearest", "wrap"])
land = height > np.quantile(height, 0.75)
clouds = rng.random((ny, nx)) < 0.05
sst[land | clouds] = missing

with h5py.File("input.h5", "w") as file:
    for name, values, units in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
        file[name] = values
        file[name].attrs["units"] = units
        file[name].make_scale(name)
    grid = file.create_dataset("sst", data=sst, chunks=(90, 180), compression="gzip", shuffle=True)
    grid.attrs["units"] = "degree_C"
    grid.attrs["long_name"] = "sea surface temperature"
    grid.attrs["_FillValue"] = missing
    grid.dims[0].attach_scale(file["lat"])
    grid.dims[1].attach_scale(file["lon"])
share = np.mean(sst == missing)
print(f"input.h5: /sst, {ny} x {nx} float32, {100 * share:.1f} % missing")
