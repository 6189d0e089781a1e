"""Parts of datasets chosen by coordinates (input.select), compared with xarray: random ranges of time axes in all calendars of
the CF conventions, and of latitudes, ascending and descending, stored as integers and as floating-point numbers.

A run selects along three axes at once. Some of the selections are single dates, each of which selects the whole period that it names,
for example a month, or slices with a step. Then follow files whose times are GPS seconds, whole nanoseconds, or too coarse.

    coordinates.py [RUNS]     number of random runs, 30 by default, each with three selections
    coordinates.py NUMBER only
"""

import pathlib
import random
import re
import sys
import tempfile
import warnings

import h5py
import numpy as np

from program import ini, run

try:
    import cftime
    import xarray as xr
except ImportError:
    print("SKIPPED: no xarray or cftime; scripts/install_packages brings python3-xarray and python3-netcdf4")
    sys.exit(77)

CALENDARS = ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day", None]
PER_DAY = {"days": 1, "hours": 24, "minutes": 1440, "seconds": 86400}
FORMS = ["{0:04d}", "{0:04d}-{1:02d}", "{0:04d}-{1:02d}-{2:02d}", "{0:04d}-{1:02d}-{2:02d}T{3:02d}",
         "{0:04d}-{1:02d}-{2:02d}T{3:02d}:{4:02d}", "{0:04d}-{1:02d}-{2:02d}T{3:02d}:{4:02d}:{5:02d}"]
problems = []


class TimeAxis:
    """A time axis: whole numbers of a unit since a date, evenly spaced or not, in years of four digits, which xarray can read."""

    def __init__(self, rng):
        self.low = ""
        while not ("0001" <= self.low and len(self.high.split("-")[0]) == 4):
            self.choose(rng)

    def choose(self, rng):
        self.calendar = rng.choice(CALENDARS)
        unit = rng.choice(list(PER_DAY))
        n = rng.randrange(5, 40)
        epoch = f"{rng.choice([1, 850, 1581, 1850, 1900, 1970, 1999, 2000]):04d}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"
        self.units = f"{unit} since {epoch}"
        span = rng.choice([1, 20, 400, 9000, 160_000]) * PER_DAY[unit]
        first = rng.choice([0, rng.randrange(-200_000, 260_000)]) * PER_DAY[unit]
        if rng.random() < 0.5:
            values = first + np.arange(n) * max(1, span // n)
        else:
            values = first + np.sort(np.array(rng.sample(range(max(span, 2 * n)), n)))
        self.falls = rng.random() < 0.3
        values = values[::-1] if self.falls else values
        small = np.abs(values).max() < 2**24
        self.values = values.astype(rng.choice(["f8", "i8", "i4" if np.abs(values).max() < 2**31 else "i8", "f4" if small else "f8"]))
        self.stored = self.values
        self.attributes = {"units": self.units, **({"calendar": self.calendar} if self.calendar else {})}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about years before 1
            dates = cftime.num2date(values, self.units, self.calendar or "standard")
        ends = sorted(rng.choice(range(n)) for _ in range(2))
        low, high = sorted(dates)[ends[0]], sorted(dates)[ends[1]]
        self.low, self.high = self.text(rng, low), self.text(rng, high)
        if rng.random() < 0.15:
            self.high = self.low

    @staticmethod
    def text(rng, d):
        return rng.choice(FORMS).format(d.year, d.month, d.day, d.hour, d.minute, d.second)

    def expected(self):
        dataset = xr.Dataset(coords={"t": ("t", np.sort(self.values), self.attributes)})
        dataset["i"] = "t", np.argsort(self.values)
        decoded = xr.decode_cf(dataset)
        return np.sort(decoded["i"].sel(t=slice(self.low, self.high)).values)


class PlaceAxis:
    """Degrees in float32 or float64, or metres in integers; a range of a descending axis may be written in either direction."""

    def __init__(self, rng):
        n = rng.randrange(5, 40)
        self.attributes = {"units": rng.choice(["degrees_north", "m", "K"])}
        step = rng.choice([0.25, 1.5, 0.1, 2, 7])
        values = -30 + step * np.arange(n)
        if rng.random() < 0.4:
            values = values + 0.3 * step * np.array([rng.random() for _ in range(n)])
        dtype = rng.choice(["f4", "f8", "i2" if step >= 2 else "f8"])
        self.values = np.unique(values.astype(dtype))
        self.falls = rng.random() < 0.5
        low, high = sorted([round(rng.uniform(values[0], values[-1]), rng.choice([0, 1, 3])) for _ in range(2)])
        if self.falls:
            self.values = self.values[::-1]
        self.low, self.high = low, high
        if self.falls and rng.random() < 0.5:
            self.low, self.high = high, low
        self.stored = self.values
        if rng.random() < 0.4:
            self.pack(rng)

    def pack(self, rng):
        """Packs the values as 16-bit integers in steps of 0.01, with `_Unsigned` and numbers on both sides of 32767; or as floating-point
        numbers."""
        offset = rng.choice([-30, 100, -240, -400])
        packing = {"scale_factor": rng.choice([0.01, np.float64(-0.01)] if offset == 100 else [0.01]), "add_offset": float(offset)}
        self.stored = (self.values - offset) / packing["scale_factor"]
        if rng.random() < 0.7:
            self.stored = np.rint(self.stored).astype("i2" if offset in (-30, 100) else "u2")
        if self.stored.dtype == "u2":
            self.stored, packing["_Unsigned"] = self.stored.view("i2"), "true"
        self.attributes = {**self.attributes, **packing}
        decoded = xr.decode_cf(xr.Dataset(coords={"t": ("t", self.stored, self.attributes)}))["t"].values
        is_whole = self.stored.dtype.kind == "i"  # the values of packed integers are rounded, so that a limit of 0.3 includes 0.30000000000000004
        self.values = np.round(decoded.astype("f8"), 7) if is_whole else decoded

    def expected(self):
        dataset = xr.Dataset({"i": ("t", np.arange(len(self.values)))}, coords={"t": self.values.astype("f8")})
        low, high = sorted((self.low, self.high))
        low, high = (float(np.float32(limit)) if self.values.dtype == "f4" else limit for limit in (low, high))
        return dataset["i"].sel(t=slice(high, low) if self.falls else slice(low, high)).values


class SliceAxis:
    """Indices with a step, counted from either end, of an axis whose scale is ascending or descending."""

    def __init__(self, rng):
        self.n = rng.randrange(5, 40)
        self.values = self.stored = np.arange(self.n) * rng.choice([-1, 1, 0.5])
        self.attributes = {"units": rng.choice(["m", "days since 2000-01-01"])}
        start, stop = sorted(rng.randrange(self.n + 1) for _ in range(2))
        if start == stop:
            start, stop = 0, self.n
        step = rng.choice([1, 2, 3, 7])
        low = rng.choice([str(start), str(start - self.n) if start < self.n else str(start), ""] if start == 0 else [str(start), str(start - self.n)])
        high = "" if stop == self.n else rng.choice([str(stop), str(stop - self.n)])
        self.word = f"{low}:{high}" if step == 1 else f"{low}:{high}:{step}"
        self.chosen = slice(start, stop, step)

    def expected(self):
        return xr.DataArray(np.arange(self.n), dims="t").isel(t=self.chosen).values


def write(path, data, scales):
    """Writes a dataset with scales: for each axis a tuple (name, values, attributes)."""
    with h5py.File(path, "w") as file:
        file["x"] = data
        for axis, (name, values, attributes) in enumerate(scales):
            file[name] = values
            file[name].attrs.update(attributes)
            file[name].make_scale(name)
            file["x"].dims[axis].attach_scale(file[name])


def outcome_of(folder, select, files="in.h5", more_environment=(), **stencil):
    (folder / "out.h5").unlink(missing_ok=True)
    text = ini({"input": {"file": files, "dataset": "/x", **({"select": select} if select else {})},
                "output": {"file": "out.h5"}, "stencil": {"mask": "1", **stencil}})
    return run(folder, text, 0, more_environment=more_environment)


def output(folder, name="x"):
    with h5py.File(folder / "out.h5") as file:
        return file[name][()]


def check_random(folder, number):
    rng = random.Random(f"coordinates {number}")
    axes = [rng.choices([TimeAxis, PlaceAxis, SliceAxis], [60, 20, 20])[0](rng) for _ in range(3)]
    data = np.arange(np.prod([len(a.values) for a in axes]), dtype="f8").reshape([len(a.values) for a in axes])
    write(folder / "in.h5", data, [(f"c{i}", a.stored, a.attributes) for i, a in enumerate(axes)])
    select = ", ".join(a.word if isinstance(a, SliceAxis) else f"c{i} {a.low} .. {a.high}" for i, a in enumerate(axes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = [a.expected() for a in axes]
    outcome = outcome_of(folder, select)
    what = f"run {number}: {select}; {[(a.attributes, a.values.dtype.str, a.values[:3].tolist()) for a in axes]}"
    if any(len(w) == 0 for w in wanted):
        if outcome.status != 2 or len(outcome.errors) != 1 or "no point lies in it" not in outcome.errors[0]:
            problems.append(f"{what}: nothing lies in it: {outcome.unexpected()}")
    elif outcome.status:
        problems.append(f"{what}: {outcome.unexpected()}")
    else:
        found, right = output(folder), data[np.ix_(*wanted)]
        if found.shape != right.shape or (found != right).any():
            problems.append(f"{what}: shape {found.shape}, in xarray {right.shape}")


def expect(folder, name, select, wanted, **more):
    outcome = outcome_of(folder, select, **more)
    if outcome.status:
        problems.append(f"{name}: {outcome.unexpected()}")
    elif not np.array_equal(output(folder), wanted):
        problems.append(f"{name}: {select}: {output(folder)[:5]} ..., right is {wanted[:5]} ...")


def expect_refusal(folder, name, select, *words, **more):
    outcome = outcome_of(folder, select, **more)
    if outcome.status != 2 or len(outcome.errors) != 1 or any(word not in outcome.errors[0] for word in words):
        problems.append(f"{name}: {select}: wanted status 2 and {words}: {outcome.unexpected()}")


def check_packed_scales(folder):
    """If an output extends beyond the edges of its input, a packed scale is continued in equal steps; xarray unpacks it."""
    steps = np.arange(20)
    for name, stored, attributes, go_on in (
            ("shorts", (4 * steps - 30).astype("i2"), {"scale_factor": 0.25, "add_offset": 7.0}, True),
            ("floats", 0.5 * steps.astype("f8"), {"scale_factor": 2.0}, True),
            ("unsigned", (32760 + 4 * steps).astype("u2").view("i2"), {"scale_factor": 0.25, "_Unsigned": "true"}, False)):
        write(folder / "in.h5", np.arange(20.0), [("s", stored, {"units": "km", **attributes})])
        outcome = outcome_of(folder, "", mask="1 1 1", extent="full")
        if outcome.status:
            problems.append(f"packed scale of {name}: {outcome.unexpected()}")
            continue
        with xr.open_dataset(folder / "in.h5", engine="h5netcdf") as file:
            first = float(file["s"].values[0])
        with xr.open_dataset(folder / "out.h5", engine="h5netcdf", phony_dims="access") as file:
            found = file["s"].values if "s" in file.variables else None
        if (found is not None) != go_on or (go_on and not np.allclose(found, first - 1 + np.arange(22), rtol=0, atol=1e-9)):
            problems.append(f"packed scale of {name}: {found}")


def check_dates(folder):
    """Dates that do not exist in a calendar, units without a fixed length, years and numbers."""
    days = np.arange(800.0)
    write(folder / "in.h5", days, [("time", days, {"units": "days since 2000-01-01", "calendar": "noleap"})])
    expect(folder, "a year", "time 2001 .. 2001", days[365:730])
    expect(folder, "numbers", "time 365.0 .. 729", days[365:730])
    expect_refusal(folder, "no leap day", "time 2000-02-29 .. 2000-03-02", "calendar noleap", "2000-02-29")
    write(folder / "in.h5", days, [("time", days, {"units": "months since 2000-01-01"})])
    expect_refusal(folder, "months", "time 2001-01-01 .. 2002-01-01", "months since 2000-01-01")
    expect(folder, "numbers of months", "time 12 .. 24", days[12:25])


def check_gps(folder):
    """The first detected gravitational wave, 2015-09-14T09:50:45 UTC, is at GPS second 1126259462."""
    strain = np.arange(64 * 32, dtype="f8")
    first = 1126259462 - 16
    for attributes in ({"Xstart": first, "Xspacing": 1 / 64, "Xunits": "second"}, {"x0": float(first), "dx": 1 / 64, "xunit": "s"},
                       {"start_time": float(first), "delta_t": 1 / 64}):
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = strain
            file["x"].attrs.update(attributes)
        name = f"GPS by {next(iter(attributes))}"
        expect(folder, name, "time 2015-09-14T09:50:45 .. 2015-09-14T09:50:46", strain[16 * 64 : 18 * 64])
        expect(folder, name, "time 1126259462 .. 1126259463", strain[16 * 64 : 17 * 64 + 1])
        with h5py.File(folder / "out.h5") as file:
            if file["x"].attrs.get(next(iter(attributes))) != 1126259462:
                problems.append(f"{name}: the output begins at {dict(file['x'].attrs)}")
    # a file that contains the leap second at the end of 2016
    first = 1167264017 - 4  # 2017-01-01T00:00:00 is 1167264018
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.arange(10.0)
        file["x"].attrs.update({"Xstart": first, "Xspacing": 1.0})
    expect(folder, "leap second", "time 2016-12-31T23:59:59 .. 2017-01-01T00:00:00", np.arange(3.0, 6.0))
    expect(folder, "within it", "time 2016-12-31T23:59:60 .. 2016-12-31T23:59:60", np.arange(4.0, 5.0))


def check_exact_times(folder):
    """Times at 10 MHz in whole nanoseconds since 1970, in one file and in two; and float32 times that cannot resolve the spacing."""
    t = 1_700_000_000_000_000_001 + np.arange(3000) * 100
    units = {"units": "nanoseconds since 1970-01-01"}
    write(folder / "in.h5", np.arange(3000.0), [("time", t, units)])
    expect(folder, "nanoseconds", f"time {t[7]} .. {t[11]}", np.arange(7.0, 12.0))
    expect(folder, "nanoseconds by date", "time 2023-11-14T22:13:20.000001001 .. 2023-11-14T22:13:20.000001201", np.arange(10.0, 13.0))
    outcome = outcome_of(folder, "", mask="lowpass", taps="5", cutoff="1e6")
    with h5py.File(folder / "out.h5") as file:
        rate = file.attrs["stencil_sampling_rate"]
        is_on_the_dataset = file["x"].attrs.get("stencil_sampling_rate") == rate
    if outcome.status or float(rate.split()[1]) != 1e7 or not is_on_the_dataset:
        problems.append(f"10 MHz in nanoseconds: {rate}")
    for k in (0, 1):
        part = slice(1500 * k, 1500 * k + 1500)
        write(folder / f"n{k}.h5", np.arange(3000.0)[part], [("time", t[part], units)])
    expect(folder, "nanoseconds in two files", "", np.arange(3000.0), files="n0.h5 n1.h5")
    if not np.array_equal(output(folder, "time"), t):
        problems.append("two files of whole nanoseconds: other times")
    n = 2**17
    write(folder / "in.h5", np.zeros(n), [("time", (1.7e9 + np.arange(n) / 4096).astype("f4"), {"units": "seconds since 1970-01-01"})])
    expect_refusal(folder, "float32", "", "/time", "too few digits", "input.sampling_rate", mask="lowpass", taps="5", cutoff="100")
    outcome = outcome_of(folder, "")
    if outcome.status or not re.search("note:.*/time.*too few digits", outcome.stderr):
        problems.append(f"float32: no note: {outcome.unexpected()}")
    # float32 times that can resolve the spacing: the exact rate is found
    write(folder / "in.h5", np.zeros(5000), [("time", (np.arange(5000) * 0.001).astype("f4"), {"units": "s"})])
    outcome = outcome_of(folder, "", mask="lowpass", taps="5", cutoff="100")
    with h5py.File(folder / "out.h5") as file:
        rate = file.attrs["stencil_sampling_rate"]
    if outcome.status or float(rate.split()[1]) != 1000:
        problems.append(f"1000 Hz in float32: {rate}")


def check_years_in_two_files(folder):
    """Files of one year each, in a calendar without leap days, follow each other without gaps, including the years 1 and 2."""
    for first in (2000, 1):
        for k in (0, 1):
            write(folder / f"y{k}.h5", np.arange(365.0), [("time", np.arange(365.0), {"units": f"days since {first + k:04d}-01-01",
                                                                                     "calendar": "noleap"})])
        expect(folder, f"year {first}", "", np.tile(np.arange(365.0), 2), files="y0.h5 y1.h5")
        if not np.array_equal(output(folder, "time"), np.arange(730)):
            problems.append(f"year {first}: other times")
        expect(folder, f"a range from year {first}", f"time {first:04d}-12-31 .. {first + 1:04d}-01-01", np.array([364.0, 0]),
               files="y0.h5 y1.h5")


def check_without_units(folder):
    """If UDUNITS' data files cannot be found, a file with units is refused with one line."""
    write(folder / "in.h5", np.arange(5.0), [("time", np.arange(5.0), {"units": "s"})])
    outcome = outcome_of(folder, "", more_environment=[("UDUNITS2_XML_PATH", "/nowhere/udunits2.xml")])
    if outcome.status != 3 or len(outcome.errors) != 1 or "/nowhere/udunits2.xml" not in outcome.errors[0]:
        problems.append(f"no units of UDUNITS: {outcome.unexpected()}")


def main(words):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if len(words) < 2:
            check_without_units(folder)
            check_packed_scales(folder)
            check_dates(folder)
            check_gps(folder)
            check_exact_times(folder)
            check_years_in_two_files(folder)
        numbers = [int(words[0])] if len(words) == 2 else range(int(words[0]) if words else 30)
        for number in numbers:
            check_random(folder, number)
    print("".join(f"{problem}\n" for problem in problems), end="")
    print(f"{3 * len(numbers)} selections of an axis, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
