"""Reads an output with h5py, as users do. Exits with status 77 if h5py is not installed."""
import sys

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

with h5py.File(sys.argv[1], "r") as file:
    z = file["g/z"]
    assert z.dtype == numpy.float32, z.dtype
    assert (z[...] == numpy.arange(24).reshape(6, 4)).all(), z[...]
    assert file.attrs["history"] == "made by a test", repr(file.attrs["history"])
    assert isinstance(file.attrs["history"], str)
    assert file.attrs["stencil_complete"] == 1
    ours = [name for name in z.attrs if name == "history" or name.startswith("stencil_")]
    assert not ours, ours  # gwpy passes all attributes of a dataset to the constructors of its types
    assert numpy.isnan(z.attrs["_FillValue"]) and z.attrs["_FillValue"].dtype == numpy.float32
    assert z.attrs["units"] in (b"K", "K"), z.attrs["units"]
    lat, lon = z.dims[0], z.dims[1]
    assert [s.name for s in lat.values()] == ["/g/lat"], list(lat.values())
    assert [s.name for s in lon.values()] == ["/g/lon"], list(lon.values())
    assert (lat[0][...] == [1, 2, 3, 4, 5, 6]).all(), lat[0][...]
    assert (lon[0][...] == [0, 2, 4, 6]).all(), lon[0][...]
    assert lat[0].attrs["CLASS"] == b"DIMENSION_SCALE"
    assert lat[0].attrs["units"] in (b"degrees_north", "degrees_north")
    names = []
    file.visit(names.append)
    assert sorted(names) == ["g", "g/lat", "g/lon", "g/z"], names
