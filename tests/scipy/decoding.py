"""Packed numbers, missing values and points that were never written are decoded as in netCDF4, and results are compared with
SciPy: unsigned and signed integers, valid ranges, default fill values. The attributes of the output describe its numbers
correctly.
"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np
import scipy.ndimage as ndimage

from program import in_turn, ini, run

try:
    import netCDF4
    import xarray
except ImportError:
    netCDF4 = xarray = None

TAPS = [0.25, 0.5, 0.25]
SMOOTH = "0.25 0.5 0.25"
problems = []

# name: (numbers, attributes); netCDF4 decodes them
SHORTS = np.array([100, 30000, -32536, -536, -25536, -1, 7, 8], "i2")
INPUTS = {
    "packed": (SHORTS, {"scale_factor": 0.01, "add_offset": 273.15, "units": "K"}),
    "packed_float32_attributes": (SHORTS, {"scale_factor": np.float32(0.01), "_FillValue": np.int16(-1)}),
    "packed_by_negative": (SHORTS, {"scale_factor": -0.5, "add_offset": 3.0}),
    "packed_wide": (SHORTS.astype("i4") * 60000, {"scale_factor": 0.001, "add_offset": -5.0}),
    "packed_floats": (SHORTS.astype("f4"), {"scale_factor": 2.0, "missing_value": np.float32(7)}),
    "unsigned_shorts": (SHORTS, {"_Unsigned": "true", "scale_factor": 0.01}),
    "unsigned_bytes": (np.array([100, -56, -6, -1, 3], "i1"), {"_Unsigned": "True", "_FillValue": np.int8(-1)}),
    "signed_bytes": (np.array([1, 255, 3, 128], "u1"), {"_Unsigned": "false"}),
    "big_endian": (SHORTS.astype(">i2"), {"_Unsigned": "true", "_FillValue": np.int16(-536), "scale_factor": 0.1}),
    "two_missing": (SHORTS, {"_FillValue": np.int16(7), "missing_value": np.int16(-1)}),
    "valid_range": (SHORTS, {"valid_range": np.array([-1, 100], "i2")}),
    "valid_max": (SHORTS, {"valid_max": np.int16(100), "scale_factor": 0.5}),
    "floats_and_nan": (np.array([1, 2, np.nan, 4, -999, 6], "f4"), {"missing_value": np.float32(-999)}),
}


def make(folder):
    with netCDF4.Dataset(folder / "nc.nc", "w") as file:
        file.createDimension("t", None)
        for name, kind in (("floats", "f4"), ("shorts", "i2"), ("bytes", "i1")):
            variable = file.createVariable(name, kind, ("t",), chunksizes=(4,))
            variable[0:5], variable[17:19] = np.arange(1, 6), [6, 7]  # two chunks are never written
        file.createVariable("nine", "f8", ("t",), chunksizes=(4,), fill_value=9.0)[0:19] = np.arange(19)
    with h5py.File(folder / "in.h5", "w") as file:
        for name, (numbers, attributes) in INPUTS.items():
            file[name] = numbers
            file[name].attrs.update(attributes)
        sparse = file.create_dataset("unwritten", (40,), "i2", chunks=(6,), fillvalue=5, compression="gzip")
        sparse[13:20] = np.arange(7)
        file["part"] = np.arange(5.0)
        layout = h5py.VirtualLayout((15,), "f8")
        layout[0:5] = layout[10:15] = h5py.VirtualSource(file["part"])
        file.create_virtual_dataset("virtual", layout, fillvalue=-2.5)


def decoded(path, name):
    """The values that netCDF4 reads, with NaN for masked values. `_Unsigned = "false"` is applied here, as xarray does, because netCDF4 ignores it."""
    if INPUTS.get(name, (None, {}))[1].get("_Unsigned") == "false":
        return INPUTS[name][0].view("i1").astype("f8")
    with netCDF4.Dataset(path) as file:
        return np.ma.filled(file[name][...].astype("f8"), np.nan)


def result(folder, what, file, name, mask=SMOOTH, ranks=0, **sections):
    """Returns the output's numbers and attributes. If the run fails, adds an entry to the list of problems and returns None."""
    words = {"input": {"file": file, "dataset": name, **sections.pop("input", {})},
             "output": {"file": "out.h5", "overwrite": "true", **sections.pop("output", {})}, "stencil": {"mask": mask}, **sections}
    outcome = run(folder, ini(words), ranks)
    if outcome.status:
        problems.append(f"{what}: {outcome.unexpected()}")
        return None, {}
    with h5py.File(folder / "out.h5") as out:
        return out[name][...], dict(out[name].attrs)


def compare(what, found, wanted, tolerance):
    if found is None:
        return
    if found.shape != wanted.shape or not np.array_equal(np.isnan(found), np.isnan(wanted)):
        problems.append(f"{what}: {found}, not {wanted}")
    elif not np.allclose(found, wanted, rtol=0, atol=tolerance, equal_nan=True):
        problems.append(f"{what}: {found}, not {wanted}")


def check_decoding(folder):
    for ranks, (name, (numbers, _)) in enumerate(INPUTS.items()):
        values = decoded(folder / "in.h5", name)
        wanted = ndimage.correlate1d(values, TAPS)
        found, attributes = result(folder, name, "in.h5", name, ranks=3 if ranks % 4 == 0 else 0)
        compare(name, found, wanted, 1e-6 * np.nanmax(np.abs(values)))
        left = {"scale_factor", "add_offset", "_Unsigned", "missing_value", "valid_range", "valid_max"} & set(attributes)
        if left or ("_FillValue" in attributes and not np.isnan(attributes["_FillValue"])):
            problems.append(f"{name}: {attributes} of values that are not packed")
        if numbers.dtype.itemsize == 4 and numbers.dtype.kind == "i" and found is not None and found.dtype != np.float64:
            problems.append(f"{name}: {found.dtype} cannot tell these values apart")


def check_netcdf(folder):
    """Default fill values, including points that were never written."""
    for name in ("floats", "shorts", "bytes", "nine"):
        values = decoded(folder / "nc.nc", name)
        if name != "bytes" and not np.isnan(values).any():
            problems.append(f"netCDF4 masks nothing of {name}: {values}")
        if name == "bytes":
            with h5py.File(folder / "nc.nc") as file:
                values = file[name][...].astype("f8")
        compare(f"netCDF, {name}", result(folder, name, "nc.nc", name)[0], ndimage.correlate1d(values, TAPS), 1e-5)
    with h5py.File(folder / "nc.nc") as file:
        plain = ndimage.correlate1d(file["floats"][...], TAPS)
    compare("missing.value = none", result(folder, "none", "nc.nc", "floats", missing={"value": "none"})[0], plain, 1e30)


def check_never_written(folder):
    for name in ("unwritten", "virtual"):
        with h5py.File(folder / "in.h5") as file:
            values = file[name][...].astype("f8")
        wanted = ndimage.correlate1d(values, TAPS)
        compare(name, result(folder, name, "in.h5", name, ranks=2)[0], wanted, 1e-5)
        fill = 5 if name == "unwritten" else -2.5
        gaps = np.where(values == fill, np.nan, values)
        found = result(folder, name, "in.h5", name, missing={"value": fill}, run={"memory": "24MiB"})[0]
        compare(f"{name}, missing", found, ndimage.correlate1d(gaps, TAPS), 1e-5)


def check_stored(folder):
    """input.packed = stored: the numbers are filtered as they are stored, with the attributes that remain true."""
    for name in ("packed", "unsigned_shorts"):
        numbers, old = INPUTS[name]
        found, attributes = result(folder, name, "in.h5", name, input={"packed": "stored"})
        compare(f"{name}, stored", found, ndimage.correlate1d(numbers.astype("f8"), TAPS), 1e-2)
        if attributes.get("scale_factor") != old["scale_factor"] or "_Unsigned" in attributes:
            problems.append(f"{name}, stored: {attributes}")


def check_packing(folder):
    """output.scale = auto keeps the input's packing: netCDF4 and xarray unpack the output to the filtered values."""
    for name, kind in (("packed", "int16"), ("packed_float32_attributes", "int16"), ("packed_by_negative", "int32"),
                       ("unsigned_shorts", "uint16"), ("packed_wide", "int32")):
        values, scale = decoded(folder / "in.h5", name), abs(float(INPUTS[name][1]["scale_factor"]))
        for mask, taps in ((SMOOTH, TAPS), ("-1 0 1", [-1, 0, 1])):
            if mask != SMOOTH and name != "packed":
                continue
            kept = {"dtype": kind, "scale": "auto"}
            found, attributes = result(folder, f"{name}, {mask}", "in.h5", name, mask, output=kept, run={"precision": "float64"})
            wanted = ndimage.correlate1d(values, taps)
            if found is None:
                continue
            compare(f"{name}, {mask}, packed", decoded(folder / "out.h5", name), wanted, 0.51 * scale)
            with xarray.open_dataset(folder / "out.h5", engine="h5netcdf", phony_dims="access") as opened:
                compare(f"{name}, {mask}, in xarray", opened[name].values.astype("f8"), wanted, 0.51 * scale + 1e-6 * np.nanmax(np.abs(wanted)))
            if abs(abs(attributes["scale_factor"]) - scale) > 1e-12 or "_Unsigned" in attributes:
                problems.append(f"{name}: packed by {attributes}")
    values = decoded(folder / "in.h5", "packed")
    found, attributes = result(folder, "whole numbers", "in.h5", "packed", output={"dtype": "int16"})
    compare("whole numbers", None if found is None else found.astype("f8"), np.rint(ndimage.correlate1d(values, TAPS)), 0)
    if "scale_factor" in attributes:
        problems.append(f"whole numbers: {attributes}")


def check_fill(folder):
    """No valid result equals the output's _FillValue, and netCDF4 finds exactly the missing points."""
    rng = np.random.default_rng(5)
    for number, (low, high, fill) in enumerate(((0, 9, 5), (0, 9, 0), (-128, 127, 127), (-128, 127, -128), (100, 127, 100))):
        data = rng.integers(low, high + 1, 400).astype("i1")
        data[50:60] = fill
        with h5py.File(folder / "fill.h5", "w") as file:
            file["x"] = data
            file["x"].attrs["_FillValue"] = np.int8(fill)
        gaps = np.where(data == fill, np.nan, data)
        for mask, taps in ((mask, [float(tap) for tap in mask.split()]) for mask in in_turn((SMOOTH, "-1 0 1"))):
            exact = ndimage.correlate1d(gaps, taps)
            found, attributes = result(folder, f"fill {number}", "fill.h5", "x", mask, output={"dtype": "int16"})
            if found is None:
                continue
            is_fill = found == attributes["_FillValue"]
            if not np.array_equal(is_fill, np.isnan(exact)) or not np.array_equal(found[~is_fill], np.rint(exact[~is_fill])):
                problems.append(f"fill {fill} of {low} to {high}, {mask}: {np.sum(is_fill)} are {attributes['_FillValue']}")
        for what, missing in (("filled", {"policy": "fill", "fill_value": 1}), ("none", {"value": "none"})):
            found, attributes = result(folder, what, "fill.h5", "x", output={"dtype": "int8"}, missing=missing)
            if "_FillValue" in attributes or "missing_value" in attributes:
                problems.append(f"{what}: {attributes} where nothing is missing")


if netCDF4 is None:
    print("SKIPPED: no netCDF4 and xarray (scripts/install_packages brings them)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as place:
    make(pathlib.Path(place))
    for check in (check_decoding, check_netcdf, check_never_written, check_stored, check_packing, check_fill):
        check(pathlib.Path(place))
print(*problems, f"{len(problems)} wrong", sep="\n")
sys.exit(1 if problems else 0)
