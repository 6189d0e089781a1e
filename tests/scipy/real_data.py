"""Filters real files on 1 and 4 ranks and compares every point with SciPy in float64."""

import json
import os
import pathlib
import sys
import tempfile

import h5py
import numpy as np
import scipy.ndimage as ndimage
import scipy.signal as signal

from expected import Stage, apply_valid, bound, difference
from program import ini, run

DATA = pathlib.Path(os.environ.get("STENCIL_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data"))
EPS = {"float32": float(np.finfo("float32").eps), "float64": float(np.finfo("float64").eps)}


def read(name, dataset):
    with h5py.File(DATA / name, "r") as file:
        return file[dataset][()]


def gaussian_taps(sigma):
    radius = int(4 * sigma + 0.5)
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return taps / taps.sum()


def ligo():
    data = read("ligo_H1_GW150914_4kHz_32s.hdf5", "strain/Strain")
    taps = signal.firwin(1025, [35, 350], pass_zero=False, fs=4096)
    words = {"stencil": {"mask": "bandpass", "taps": 1025, "cutoff": "35 350"}}
    expected = ndimage.correlate1d(data, taps, mode="reflect")
    return "ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain", words, expected, bound(taps, data, EPS["float64"]), None


def das_int16():
    dataset = "/Acquisition/Raw[0]/RawData"
    data = read("das_prodml20_int16.h5", dataset).astype(np.float64)
    taps = signal.firwin(101, [2, 40], pass_zero=False, fs=200)
    words = {"input": {"axis": 0}, "stencil": {"mask": "bandpass", "taps": 101, "cutoff": "2 40", "boundary": "mirror"}}
    expected = ndimage.correlate1d(data, taps, axis=0, mode="mirror")
    return "das_prodml20_int16.h5", dataset, words, expected, bound(taps, data, EPS["float32"]), None


def das_fft():
    """The data and mask of das_int16, computed by transforms and with another boundary."""
    name, dataset, words, _, allowed, undecided = das_int16()
    words["stencil"].update(boundary="wrap", method="fft")
    data = read(name, dataset).astype(np.float64)
    taps = signal.firwin(101, [2, 40], pass_zero=False, fs=200)
    return name, dataset, words, ndimage.correlate1d(data, taps, axis=0, mode="wrap"), allowed, undecided


def das_float32():
    data = read("das_optodas_f32.hdf5", "data").astype(np.float64)
    taps = signal.firwin(65, 20, fs=500, window=("kaiser", 8.0))
    words = {
        "input": {"axis": 0, "sampling_rate": 500},
        "stencil": {"mask": "lowpass", "taps": 65, "cutoff": 20, "window": "kaiser:8", "boundary": "nearest", "stride": 5},
    }
    expected = ndimage.correlate1d(data, taps, axis=0, mode="nearest")[::5]
    return "das_optodas_f32.hdf5", "/data", words, expected, bound(taps, data, EPS["float32"]), None


def renormalized(data, column, row, boundary):
    """The Gaussian over the valid points, its allowed error (that of a quotient of two sums with a divisor of at least 0.5), and the
    points whose share of valid weight is so close to 0.5 that rounding decides."""
    across = Stage(np.outer(column, row), (0, 1), boundary=boundary)
    flat = np.where(np.isnan(data), 0, data)
    modes = [boundary[0], boundary[-1]]
    sums = []
    for values in (flat, (~np.isnan(data)).astype(np.float64)):
        values = ndimage.correlate1d(values, column, axis=0, mode=modes[0])
        sums.append(ndimage.correlate1d(values, row, axis=1, mode=modes[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = np.where(sums[1] < 0.5, np.nan, sums[0] / sums[1])
    part = (slice(0, 150), slice(0, 150))  # compares SciPy with the plain sum for a small part
    plain, _ = apply_valid(data[part], across, 0.5)
    inner = (slice(20, 100), slice(20, 100))
    words = difference(expected[part][inner], plain[inner], 1e-9 * np.nanmax(np.abs(flat)))
    if words:
        sys.exit(f"the reference itself is wrong: {words}")
    allowed = 4 * bound(across.taps, flat, EPS["float32"])
    return expected, allowed, np.abs(sums[1] - 0.5) < 1e-5


def sst():
    data = read("sst_global_f32_nan.nc", "z").astype(np.float64)
    taps = gaussian_taps(2.0)
    words = {
        "missing": {"value": "nan", "policy": "renormalize"},
        "stencil": {"mask": "gaussian", "rank": 2, "sigma": 2, "boundary": "nearest wrap"},
    }
    return "sst_global_f32_nan.nc", "/z", words, *renormalized(data, taps, taps, ("nearest", "wrap"))


def bedmap():
    data = read("bedmap_elevation_int16.nc", "z").astype(np.float64)
    data[data == -32768] = np.nan
    words = {
        "missing": {"value": "attribute", "policy": "renormalize"},
        "stencil": {"mask": "gaussian", "rank": 2, "sigma": "3 1.5", "boundary": "reflect"},
    }
    return "bedmap_elevation_int16.nc", "/z", words, *renormalized(data, gaussian_taps(3), gaussian_taps(1.5), ("reflect",))


def airtemp():
    data = read("airtemp_A1B_3d_f32.nc", "air_temperature").astype(np.float64)
    taps = gaussian_taps(1.2)
    words = {"stencil": {"mask": "gaussian", "rank": 2, "sigma": 1.2, "boundary": "nearest"}}
    expected = ndimage.gaussian_filter(data, [0, 1.2, 1.2], mode="nearest")
    allowed = bound(np.outer(taps, taps), data, EPS["float32"])
    return "airtemp_A1B_3d_f32.nc", "/air_temperature", words, expected, allowed, None


def metadata_lost(source, target, stride):
    """Returns the metadata of the input that the output should have but does not have."""
    lost = []
    changing = {"_FillValue", "missing_value", "actual_range", "valid_range"}
    hidden = {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid", "_Netcdf4Coordinates"}
    for name, value in source.attrs.items():
        if name in changing | hidden:
            continue
        if name in ("coordinates", "grid_mapping"):
            lost += [f"variable {word}" for word in value.decode().split() if word not in target.parent]
        if name not in target.attrs:
            lost.append(f"attribute {name}")
        elif not np.array_equal(np.asarray(target.attrs[name]), np.asarray(value)):
            lost.append(f"attribute {name} is {target.attrs[name]!r}, was {value!r}")
    fill = target.attrs.get("_FillValue")
    if fill is not None and np.asarray(fill).dtype != target.dtype:
        lost.append(f"_FillValue is {np.asarray(fill).dtype}, the data are {target.dtype}")
    for axis, (here, there) in enumerate(zip(source.dims, target.dims)):
        for name in here.keys():
            if name not in there.keys():
                lost.append(f"dimension scale {name} of axis {axis}")
            elif not np.array_equal(there[name][()], here[name][()][:: stride if axis == 0 else 1]):
                lost.append(f"values of dimension scale {name}")
            elif "units" in here[name].attrs and there[name].attrs.get("units") != here[name].attrs["units"]:
                lost.append(f"units of dimension scale {name}")
    return lost


def untrue(folder):
    """Returns metadata in the outputs for real files that is false."""
    wrong = []
    raw = "/Acquisition/Raw[0]/RawData"
    for name, dataset, keys, true, gone in (
        ("das_prodml20_int16.h5", raw, {"mask": "1", "stride": 4},
         {"Count": 625 * 512, "PartStartTime": b"1970-01-01T00:00:00.000000+00:00",
          "PartEndTime": b"1970-01-01T00:00:12.480000+00:00"}, {"StartIndex"}),
        ("das_prodml20_int16.h5", raw, {"mask": "1 2 1", "extent": "valid"},
         {"Count": 2498 * 512, "PartStartTime": b"1970-01-01T00:00:00.005000+00:00",
          "PartEndTime": b"1970-01-01T00:00:12.490000+00:00"}, {"StartIndex"}),
        ("ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain", {"mask": "1 0 -1", "extent": "valid", "stride": 2},
         {"Npoints": 65535, "Xspacing": 2 / 4096, "Xstart": 1126259446 + 1 / 4096}, {"Yunits", "Ylabel"}),
        ("airtemp_A1B_3d_f32.nc", "/air_temperature", {"mask": "sobel", "axis": -1},
         {"Model scenario": b"A1B"}, {"units", "standard_name"}),
    ):
        sections = {"input": {"file": DATA / name, "dataset": dataset, "axis": 0}, "stencil": keys,
                    "output": {"file": "out.h5", "overwrite": "true"}}
        outcome = run(folder, ini(sections), 2, ["--report=report.json"])
        if outcome.status != 0:
            wrong.append(outcome.unexpected())
            continue
        with h5py.File(folder / "out.h5", "r") as file:
            found = dict(file[dataset].attrs)
            if name.startswith("das") and keys.get("stride") and file["Acquisition"].attrs["MaximumFrequency"] != 25:
                wrong.append("MaximumFrequency is above what the points can tell")
        listed = json.loads((folder / "report.json").read_text())["output"]["not_carried_over"]
        wrong += [f"{key} is {found.get(key)!r}, not {value!r}" for key, value in true.items() if found.get(key) != value]
        wrong += [f"{key} is still there" for key in sorted(gone & set(found))]
        wrong += [f"{key} is not reported" for key in sorted(gone) if not any(f"attribute {key} of " in line for line in listed)]
    return wrong


def merger(folder):
    """The configuration merger.ini of docs/tutorials/strain.md: GW150914 is the largest value, at the place that the page names."""
    page = (pathlib.Path(__file__).parents[2] / "docs" / "tutorials" / "strain.md").read_text()
    text = page[page.index("# merger.ini"):]
    (folder / "H-H1_LOSC_4_V2-1126259446-32.hdf5").symlink_to(DATA / "ligo_H1_GW150914_4kHz_32s.hdf5")
    outcome = run(folder, text[:text.index("```")])
    if outcome.status:
        return [outcome.unexpected()]
    with h5py.File(folder / "merger.h5") as file:
        strain = np.abs(file["strain/Strain"][6144:-6144])
    found = f"{(strain.argmax() + 6144) / 4096:.2f} s"
    return [] if found in " ".join(page.split()) else [f"the largest value is at {found}"]


def check(case, ranks, folder):
    name, dataset, words, expected, allowed, undecided = case
    sections = {"input": {"file": DATA / name, "dataset": dataset}, "output": {"file": "out.h5", "overwrite": "true"}}
    for section, keys in words.items():
        sections[section] = {**sections.get(section, {}), **keys}
    outcome = run(folder, ini(sections), ranks, limit=200)
    if outcome.status != 0:
        return [outcome.unexpected()]
    with h5py.File(folder / "out.h5", "r") as file, h5py.File(DATA / name, "r") as source:
        result = file[dataset][()]
        found = metadata_lost(source[dataset], file[dataset], words["stencil"].get("stride", 1))
    if undecided is not None:
        if undecided.mean() > 1e-3:
            found.append(f"{np.count_nonzero(undecided)} points lie at min_valid")
        result = np.where(undecided, 0, result)
        expected = np.where(undecided, 0, expected)
    differs = difference(result, expected, allowed)
    return found + ([differs] if differs else [])


def main():
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not at {DATA}; set STENCIL_DATA to their folder")
        return 77
    failed = 0
    for make in (ligo, das_int16, das_fft, das_float32, sst, bedmap, airtemp):
        case = make()
        for ranks in (1, 4):
            with tempfile.TemporaryDirectory() as folder:
                wrong = check(case, ranks, pathlib.Path(folder))
            failed += bool(wrong)
            print(f"{make.__name__}, {ranks} ranks: {'; '.join(wrong) or 'agrees with SciPy'}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        wrong = merger(pathlib.Path(folder))
    failed += bool(wrong)
    print(f"merger: {'; '.join(wrong) or 'found'}")
    with tempfile.TemporaryDirectory() as folder:
        wrong = untrue(pathlib.Path(folder))
    print(f"metadata: {'; '.join(wrong) or 'nothing that does not hold'}")
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
