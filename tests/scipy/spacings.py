"""Values in the unit of the coordinates, compared with NumPy and SciPy: delta = coordinates for derivatives, and sigma with a unit.

The masks run along plain axes and times, with rising and falling coordinates of several types, and along latitudes and longitudes of a
sphere, where derivatives are per metre and the width of a Gaussian along longitudes depends on the latitude. Whole runs on one and on
three ranks and in windows give the same bytes. Parts of the input, strides before the stage, missing points and refusals are tested,
too.
"""

import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np
from scipy import ndimage
from scipy.signal import savgol_filter

from program import THOROUGH, in_turn, ini, least_memory, run

PROBLEMS = []
IN_WINDOWS = []
RADIUS = 6371229.0


def write(folder, axes, kind="f8", attrs=None, extra=None):
    """Writes in.h5 with a dataset x of random values; `axes` are (name, coordinates, attributes), and coordinates may be None."""
    shape = tuple(np.shape(axis[1])[0] if not isinstance(axis[1], int) else axis[1] for axis in axes)
    x = np.random.default_rng(sum(shape)).normal(size=shape).astype(kind)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = x
        file["x"].attrs.update(attrs or {"units": "K"})
        for at, (name, values, words) in enumerate(axes):
            if isinstance(values, int):
                continue
            file[name] = values
            file[name].attrs.update(words)
            file[name].make_scale(name)
            file["x"].dims[at].attach_scale(file[name])
        if extra:
            extra(file)
    return x.astype("f8")


def words(more=None, **stage):
    inputs = {"file": "in.h5", "dataset": "/x", **(more or {})}
    return ini({"input": inputs, "output": {"file": "out.h5", "overwrite": "true"}, "stencil": stage})


def result(folder, name, text, ranks=0, memory="auto", more=()):
    """The output, its unit, and the bytes of its file; None if the run fails."""
    outcome = run(folder, text, ranks, [f"--run.memory={memory}", "--progress=lines", *more])
    if outcome.status:
        PROBLEMS.append(f"{name}: {outcome.unexpected()}")
        return None, None, b""
    IN_WINDOWS.append("compute and write windows" in outcome.stderr)
    with h5py.File(folder / "out.h5") as file:
        return file["x"][()], file["x"].attrs.get("units"), (folder / "out.h5").read_bytes()


def check(folder, name, text, want, unit=None, relative=1e-9):
    """Runs a configuration on one rank, on three ranks, in windows, and on three ranks with blocks along the last axis. The quick test runs
    it on one rank and in one of the other ways."""
    first = None
    bound = relative * np.nanmax(np.abs(want))
    ways = {"alone": (0, "auto", ()), "ranks": (3, "auto", ()), "windows": (0, "least", ())}
    if want.ndim == 2 and want.shape[1] >= 72:  # blocks along the last axis receive ghost points from neighbours along this axis
        ways["blocks"] = (3, "auto", ["--run.decomposition=1x3"])
    is_large = want.size > 500000 and not THOROUGH  # only a large output is computed in windows
    for way in ("alone", *(("windows",) if is_large else in_turn(list(ways)[1:]))):
        ranks, memory, more = ways[way]
        if memory == "least":
            memory = least_memory(folder, text)
        got, found, data = result(folder, f"{name}, {ranks} ranks, {memory}, {more}", text, ranks, memory, more)
        if got is None:
            return
        if got.shape != want.shape or not np.allclose(got, want, rtol=0, atol=bound, equal_nan=True):
            off = np.nanmax(np.abs(got - want)) if got.shape == want.shape else got.shape
            PROBLEMS.append(f"{name}: off by {off}, allowed is {bound}; NaN {np.isnan(got).sum()} and {np.isnan(want).sum()}")
            return
        if found != unit:
            PROBLEMS.append(f"{name}: the unit is {found}, expected {unit}")
        first = first or data
        if data != first:
            PROBLEMS.append(f"{name}: other bytes on {ranks} ranks, memory {memory}, {more}")


def slope(x, step, axis, order=1):
    return savgol_filter(x, 7, 3, deriv=order, delta=step, axis=axis)


SAVGOL = {"mask": "savgol", "size": 7, "polyorder": 3, "deriv": 1, "delta": "coordinates", "boundary": "interp"}


def check_plain(folder):
    n = np.arange(60)
    packed = {"units": "m", "scale_factor": 0.25, "add_offset": 7.0}
    for name, values, attrs, step, unit in (
        ("rising", 3 + 0.5 * n, {"units": "m"}, 0.5, "K m-1"),
        ("falling", 3 - 0.5 * n, {"units": "km"}, -0.5, "K km-1"),
        ("float32", (n / 10).astype("f4"), {"units": "m"}, 0.1, "K m-1"),
        ("integers", 40 - 4 * n, {"units": "cm"}, -4, "K cm-1"),
        ("packed", (2 * n).astype("i2"), packed, 0.5, "K m-1"),
        ("without a unit", 0.5 * n, {}, 0.5, None),
        ("degrees of no direction", 0.5 * n, {"units": "degrees"}, 0.5, "K degrees-1"),
        ("hours", 6.0 * n, {"units": "hours since 2001-01-01"}, 21600, "K s-1"),
        ("falling times", -2.0 * n, {"units": "ms"}, -0.002, "K s-1"),
    ):
        x = write(folder, [("row", 4, {}), ("z", values, attrs)])
        relative = 2e-6 if name == "float32" else 1e-9
        check(folder, f"{name}, savgol", words(**SAVGOL, axis=1), slope(x, step, 1), unit, relative)
        for order in in_turn((1, 2, 3)):
            want = ndimage.gaussian_filter1d(x, 1.5, 1, order) / float(step) ** order
            text = words(mask="gaussian", sigma=1.5, order=order, delta="coordinates", axis=1)
            by = {1: unit, 2: unit and unit.replace("-1", "-2"), 3: unit and unit.replace("-1", "-3")}[order]
            check(folder, f"{name}, order {order}", text, want, by, relative)
    # an axis without a scale, whose sampling rate is given by an attribute and by the configuration
    x = write(folder, [("row", 4, {}), ("t", 60, {})], attrs={"units": "K", "sampling_rate": 250.0})
    check(folder, "a rate", words({"axis": 1, "sampling_rate": 250}, **SAVGOL), slope(x, 1 / 250, 1), "K s-1")
    # along two axes with different spacings
    x = write(folder, [("y", 2.0 * n[:30], {"units": "m"}), ("z", -0.5 * n, {"units": "km"})])
    want = ndimage.gaussian_filter(x, (1.2, 0.9), order=(1, 2)) / (2.0 * 0.25)
    check(folder, "two axes", words(mask="gaussian", sigma="1.2 0.9", order="1 2", delta="coordinates"), want)
    check(folder, "two numbers", words(mask="gaussian", sigma="1.2 0.9", order="1 2", delta="2 0.5"), want)
    want = ndimage.gaussian_filter(x, (1.2, 0.9), order=(0, 1)) / -0.5
    check(folder, "one of two axes", words(mask="gaussian", sigma="1.2 0.9", order="0 1", delta="coordinates"), want, "K km-1")
    # widths of Gaussians with a unit
    want = ndimage.gaussian_filter1d(x, 3.0, 0)
    check(folder, "sigma", words(mask="gaussian", sigma="600 cm", axis=0), want, "K")
    want = ndimage.gaussian_filter(x, (2.0, 1.5), mode="wrap")
    check(folder, "sigmas", words(mask="gaussian", sigma="4 750 m", boundary="wrap"), want, "K")
    # if these numbers were widths in points, the masks would have too many taps
    x = write(folder, [("y", 25000.0 * n[:30], {"units": "m"}), ("z", 25000.0 * n, {"units": "m"})])
    check(folder, "metres", words(mask="gaussian", sigma="3000000 m", truncate=0.2, axis=0), ndimage.gaussian_filter1d(x, 120.0, 0, truncate=0.2), "K")
    narrow, wide = (words(mask="log", sigma=sigma) for sigma in ("3", "75 km"))
    check(folder, "log", wide, result(folder, "log in points", narrow)[0], None, 1e-12)


def second(x, axis, mode="reflect"):
    return ndimage.correlate1d(x, [1, -2, 1], axis, mode=mode)


def check_differences(folder):
    """laplace, log, sobel and prewitt with `delta`. With `delta`, sobel and prewitt are derivatives: over two axes, they are divided by 8
    spacings (sobel) or 6 spacings (prewitt). The terms of a Laplacian along axes with different units of length are added in the unit
    of the first axis."""
    n = np.arange(60)
    x = write(folder, [("y", 2.0 * n[:30], {"units": "m"}), ("z", -0.5 * n, {"units": "km"})])
    both = second(x, 0) / 4 + second(x, 1) / 500**2
    log = ndimage.gaussian_filter(x, (1.2, 0.9), order=(2, 0)) / 4 + ndimage.gaussian_filter(x, (1.2, 0.9), order=(0, 2)) / 500**2
    cases = (
        ("laplace", {"mask": "laplace", "axis": 1}, second(x, 1) / 0.25, "K km-2"),
        ("laplace, a number", {"mask": "laplace", "axis": 0, "delta": 2}, second(x, 0) / 4, "K m-2"),
        ("laplace, two axes", {"mask": "laplace"}, both, "K m-2"),
        ("laplace, two numbers", {"mask": "laplace", "delta": "2 500"}, both, None),
        ("laplace, turned axes", {"mask": "laplace", "axes": "1 0"}, both * 1e6, "K km-2"),
        ("log", {"mask": "log", "sigma": "1.2 0.9"}, log, "K m-2"),
        ("log, metres", {"mask": "log", "sigma": "2.4 450 m"}, log, "K m-2"),
        ("log, one axis", {"mask": "log", "sigma": 1.2, "axis": 0}, ndimage.gaussian_filter1d(x, 1.2, 0, 2) / 4, "K m-2"),
        ("sobel", {"mask": "sobel", "axis": 0}, ndimage.sobel(x, 0) / 16, "K m-1"),
        ("sobel, one axis", {"mask": "sobel", "axis": 1, "rank": 1}, ndimage.correlate1d(x, [-1, 0, 1], 1) / -1, "K km-1"),
        ("sobel, two numbers", {"mask": "sobel", "axis": 0, "delta": "2 7"}, ndimage.sobel(x, 0) / 16, "K m-1"),
        ("sobel without delta", {"mask": "sobel", "axis": 0, "delta": None}, ndimage.sobel(x, 0), None),
        ("prewitt", {"mask": "prewitt"}, ndimage.prewitt(x, 1) / -3, "K km-1"),
    )
    for name, stage, want, unit in (cases[k] for k in in_turn(range(len(cases)), 6)):
        stage = {key: value for key, value in {"delta": "coordinates", **stage}.items() if value is not None}
        check(folder, name, words(**stage), want, unit)
    # three axes: one mask, and a product of three masks of one axis
    x = write(folder, [("t", 0.25 * n[:12], {"units": "s"}), ("y", 2.0 * n[:20], {"units": "m"}), ("z", 0.5 * n[:30], {"units": "m"})])
    of_three = {"axes": "0 1 2", "delta": "coordinates"}
    check(folder, "sobel, three axes", words(mask="sobel", axis=1, **of_three), ndimage.sobel(x, 1) / 64, "K m-1")
    want = second(x, 0) / 0.0625 + second(x, 1) / 4 + second(x, 2) / 0.25
    check(folder, "laplace, three numbers", words(mask="laplace", **{**of_three, "delta": "0.25 2 0.5"}), want)
    want = sum(ndimage.gaussian_filter(x, 1.1, order=[2 * (k == axis) for k in range(3)]) / step**2 for axis, step in enumerate((0.25, 2, 0.5)))
    check(folder, "log, three numbers", words(mask="log", sigma=1.1, **{**of_three, "delta": "0.25 2 0.5"}), want)
    outcome = run(folder, words(mask="laplace", **of_three))
    part = "distances along axis 1 are in m, those along axis 0 in s, and a Laplacian adds"
    if outcome.status != 2 or part not in "".join(outcome.errors):
        PROBLEMS.append(f"laplace, metres and seconds: {outcome.unexpected()}")
    # on the sphere
    globe = Sphere(np.linspace(90, -90, 37), np.arange(0, 360, 5.0))
    x = write(folder, list(globe.axes().values()))
    cos = globe.cos[:, None]
    cases = (
        ("sobel, east", {"mask": "sobel", "axis": 1}, ndimage.sobel(x, 1, mode="wrap") / (8 * globe.east * cos), "K m-1"),
        ("prewitt, north", {"mask": "prewitt", "axis": 0}, ndimage.prewitt(x, 0, mode="wrap") / (6 * globe.north), "K m-1"),
        ("laplace, east", {"mask": "laplace", "axis": 1}, second(x, 1, "wrap") / (globe.east * cos) ** 2, "K m-2"),
        ("log, north", {"mask": "log", "sigma": 1.5, "axis": 0}, ndimage.gaussian_filter1d(x, 1.5, 0, 2, mode="wrap") / globe.north**2, "K m-2"),
    )
    for name, stage, want, unit in (cases[k] for k in in_turn(range(len(cases)), 2)):
        check(folder, name, words(boundary="wrap", delta="coordinates", **stage), want, unit, 1e-7)


class Sphere:
    """A grid of latitudes and longitudes, in degrees."""

    def __init__(self, latitudes, longitudes, kind="f8"):
        self.lat = np.asarray(latitudes, kind)
        self.lon = np.asarray(longitudes, kind)
        self.cos = np.cos(np.radians(self.lat.astype("f8")))
        self.cos[np.abs(self.lat) > 89.9999] = np.nan
        self.north, self.east = (RADIUS * np.radians(float(c[-1] - c[0]) / (len(c) - 1)) for c in (self.lat, self.lon))

    def axes(self, north=None, east=None):
        return {"lat": ("lat", self.lat, north or {"units": "degrees_north"}),
                "lon": ("lon", self.lon, east or {"units": "degrees_east"})}


def shaped(values, names, axis):
    """Returns values along one axis in a shape that can be multiplied with an array whose axes are `names`."""
    return values.reshape([-1 if name == axis else 1 for name in names])


def check_sphere(folder):
    globe = Sphere(np.linspace(90, -90, 37), np.arange(0, 360, 5.0))
    single = Sphere(np.linspace(-89.75, 89.75, 360), np.arange(-20, 20, 0.5), "f4")
    layouts = (
        (("lat", "lon"), globe, {}),
        (("lat", "lon"), single, {}),
        (("time", "lat", "lon"), globe, {"time": 3}),
        (("lon", "lat"), globe, {}),
        (("lat", "time", "lon"), globe, {"time": 3}),
        (("time", "lon", "lat"), globe, {"time": 3}),
        (("lon", "time", "lat"), globe, {"time": 3}),
        (("lat", "time", "lon", "level"), globe, {"time": 3, "level": 2}),
        (("time", "level", "lat", "lon"), globe, {"time": 3, "level": 2}),
    )
    for names, grid, more in (layouts[k] for k in in_turn(range(len(layouts)), 4)):
        known = grid.axes()
        x = write(folder, [known.get(name) or (name, more[name], {}) for name in names])
        name, relative = " ".join(names), 1e-6 if grid is single else 1e-9
        east, north = names.index("lon"), names.index("lat")
        cos = shaped(grid.cos, names, "lat")
        # at the pole of float32 data, 1 / cos is as inexact as the latitude
        check(folder, f"{name}, east", words(**SAVGOL, axis=east), slope(x, grid.east, east) / cos, "K m-1", 100 * relative)
        check(folder, f"{name}, north", words(**SAVGOL, axis=north), slope(x, grid.north, north), "K m-1", relative)
        text = words(mask="gaussian", sigma=1.5, order=2, delta="coordinates", axis=east, boundary="wrap")
        want = ndimage.gaussian_filter1d(x, 1.5, east, 2, mode="wrap") / (grid.east * cos) ** 2
        check(folder, f"{name}, second derivative", text, want, "K m-2", 100 * relative)
        widths(folder, name, x, names, grid)
    spellings(folder, globe)
    # data that are large enough for windows
    names, grid = ("lat", "lon"), Sphere(np.linspace(89.875, -89.875, 720), np.arange(0, 360, 0.25))
    x = write(folder, list(grid.axes().values()))
    want = slope(x, grid.east, 1) / shaped(grid.cos, names, "lat")
    check(folder, "large, east", words(**SAVGOL, axis=1), want, "K m-1", 1e-8)
    widths(folder, "large", x, names, grid)


def rows_of_gaussians(x, names, grid, sigma, mode, truncate=4.0, valid=None, order=0):
    """Applies a Gaussian of `sigma` metres along the longitudes at each latitude."""
    out = np.empty_like(x)
    points = len(grid.lon)
    for row, latitude in enumerate(np.radians(grid.lat.astype("f8"))):
        width = sigma / (abs(grid.east) * max(np.cos(latitude), 1e-9))
        radius = min(int(truncate * width + 0.5), (points - 1) // 2)
        at = tuple(row if name == "lat" else slice(None) for name in names)
        east = [name for name in names if name != "lat"].index("lon")
        filtered = lambda values: ndimage.gaussian_filter1d(values, width, east, order, mode=mode, radius=radius)
        if valid is None:
            out[at] = filtered(x[at])
        else:
            weight = filtered(valid[at].astype("f8"))
            out[at] = filtered(np.where(valid[at], x[at], 0)) / np.where(weight > 0.5, weight, np.nan)
    return out


def widths(folder, name, x, names, grid):
    east, north = names.index("lon"), names.index("lat")
    relative = 1e-6 if grid is not None and grid.lat.dtype == "f4" else 1e-9
    mode = in_turn(("wrap", "reflect"))[0]
    text = words(mask="gaussian", sigma="700 km", axis=east, boundary=mode)
    check(folder, f"{name}, width along longitudes, {mode}", text, rows_of_gaussians(x, names, grid, 7e5, mode), "K", relative)
    want = ndimage.gaussian_filter1d(x, 1e6 / abs(grid.north), north, mode="nearest")
    check(folder, f"{name}, width along latitudes", words(mask="gaussian", sigma="1000 km", axis=north, boundary="nearest"),
          want, "K", relative)


def spellings(folder, grid):
    names = ("lat", "lon")
    want = None
    for north, east in in_turn(((f"{degree}{north}", f"{degree}{east}") for degree in ("degrees", "degree")
                                for north, east in (("_north", "_east"), ("_N", "_E"), ("N", "E"))), 2) + (("Degrees_North", "DEGREES_EAST"),):
        x = write(folder, list(grid.axes({"units": north}, {"units": east}).values()))
        want = slope(x, grid.east, 1) / shaped(grid.cos, names, "lat")
        check(folder, north, words(**SAVGOL, axis=1), want, "K m-1", 1e-7)
    for prefix in ("", "grid_"):
        north = {"units": "degrees", "standard_name": f"{prefix}latitude"}
        east = {"units": "degrees", "standard_name": f"{prefix}longitude"}
        write(folder, list(grid.axes(north, east).values()))
        check(folder, f"standard_name {prefix}latitude", words(**SAVGOL, axis=1), want, "K m-1", 1e-7)
    radians = Sphere(grid.lat, grid.lon)
    radians.lat, radians.lon = np.radians(grid.lat), np.radians(grid.lon)
    write(folder, list(radians.axes({"units": "radian", "standard_name": "latitude"},
                                    {"units": "radian", "standard_name": "longitude"}).values()))
    check(folder, "radians", words(**SAVGOL, axis=1), want, "K m-1", 1e-7)

    def add_radius(file):
        file["crs"] = 0
        file["crs"].attrs["earth_radius"] = 3389500.0  # Mars
        file["x"].attrs["grid_mapping"] = "crs"

    write(folder, list(grid.axes().values()), extra=add_radius)
    check(folder, "earth_radius", words(**SAVGOL, axis=1), want * RADIUS / 3389500, "K m-1", 1e-7)


def check_wrapped(folder):
    """Longitudes that pass from 360 to 0 degrees, or from 180 to -180 degrees; some are falling, packed, rounded or in radians."""
    lat = np.linspace(-60, 60, 25)
    cos = np.cos(np.radians(lat))[:, None]
    radian = {"units": "rad", "standard_name": "longitude"}
    packed = {"units": "degrees_east", "scale_factor": 0.01, "add_offset": 5.0}
    degrees = {"units": "degrees_east"}
    n = np.arange(72)
    cases = (
        ("from 350", ((350 + 5 * n) % 360).astype("i4"), degrees, 5),
        ("float32", ((355 + 0.1 * n) % 360).astype("f4"), degrees, 0.1),
        ("date line", (100 + 1.25 * n + 180) % 360 - 180, degrees, 1.25),
        ("falling", (20 - 0.5 * n) % 360, degrees, -0.5),
        ("packed", np.rint((33000 + 400 * n / 3) % 36000 - 500).astype("i4"), packed, 4 / 3),
        ("radians", (5 + np.radians(3) * n) % (2 * np.pi), radian, 3),
    )
    x = write(folder, [("lat", lat, {"units": "degrees_north"}), ("lon", np.array([350.0, 10.0]), degrees)])
    check(folder, "two longitudes", words(mask="gaussian", sigma=0.5, order=1, delta="coordinates", axis=1),
          ndimage.gaussian_filter1d(x, 0.5, axis=1, order=1) / (RADIUS * np.radians(20.0)) / cos, "K m-1")
    for name, lon, attrs, step in (cases[k] for k in in_turn(range(len(cases)), 3)):
        x = write(folder, [("lat", lat, {"units": "degrees_north"}), ("lon", lon, attrs)])
        east, relative = RADIUS * np.radians(step), 1e-3 if name in ("float32", "packed") else 1e-9
        check(folder, name, words(**SAVGOL, axis=1), slope(x, east, 1) / cos, "K m-1", relative)
        grid = Sphere(lat, step * np.arange(len(lon)))
        text = words(mask="gaussian", sigma="700 km", axis=1)
        check(folder, f"{name}, width", text, rows_of_gaussians(x, ("lat", "lon"), grid, 7e5, "reflect"), "K", relative)
        check_listed(folder, name, np.radians(step) if name == "radians" else step)


def check_listed(folder, name, step):
    """--list shows the spacing of longitudes that pass 360 degrees."""
    listed = run(folder, None, 0, ["--list", "in.h5"]).stdout
    found = re.search(r"axis 1 +lon: .*spacing ([-+.e\d]+)", listed)
    if not found or abs(float(found[1]) - step) > 1e-3 * abs(step):
        PROBLEMS.append(f"{name}: --list does not show the spacing {step}:\n{listed}")


def check_more(folder):
    """Two dimensions, parts of the input, strides before the stage, missing points, and chains."""
    names = ("lat", "lon")
    grid = Sphere(np.linspace(-85, 85, 35), np.arange(0, 360, 5.0))
    cos = shaped(grid.cos, names, "lat")
    x = write(folder, list(grid.axes().values()))
    two = {"mask": "gaussian", "sigma": "1 1.5", "order": "0 1", "delta": "coordinates", "boundary": "nearest wrap"}
    want = ndimage.gaussian_filter(x, (1, 1.5), order=(0, 1), mode=("nearest", "wrap")) / (grid.east * cos)
    check(folder, "two dimensions", words(**two), want, "K m-1", 1e-8)
    check(folder, "a part", words({"select": "8:20, 10:50"}, **two), want[8:20, 10:50], "K m-1", 1e-8)
    check(folder, "a single latitude", words({"select": "8:9, :"}, **two), want[8:9], "K m-1", 1e-8)
    check(folder, "strides", words(**two, stride="3 2"), want[::3, ::2], "K m-1", 1e-8)
    valid = ndimage.gaussian_filter(x, (1, 1.5), order=(0, 1))[4:-4, 6:-6] / (grid.east * cos[4:-4])
    check(folder, "valid", words(**{**two, "boundary": "reflect"}, extent="valid"), valid, "K m-1", 1e-8)
    line = {**SAVGOL, "axis": 1}
    want = slope(x, grid.east, 1) / cos
    check(folder, "one latitude of a line", words({"select": "8:9, :"}, **line), want[8:9], "K m-1", 1e-8)
    check(folder, "every second point", words({"select": "3:30:2, ::2", "edges": "boundary"}, **line),
          slope(x[3:30:2, ::2], 2 * grid.east, 1) / cos[3:30:2], "K m-1", 1e-8)
    before = "[stencil.before]\nmask = box\nsize = 3\naxis = 0\nstride = 3\n"
    sampled = ndimage.uniform_filter1d(x, 3, 0)[::3]
    check(folder, "a stride before", words(**line).replace("[stencil]", before + "[stencil.slope]"),
          slope(sampled, grid.east, 1) / cos[::3], "K m-1", 1e-8)
    both = (words(mask="gaussian", sigma="800 km", axis=1, boundary="wrap").replace("[stencil]", "[stencil.east]")
            + "[stencil.north]\nmask = gaussian\nsigma = 800 km\naxis = 0\nboundary = nearest\n")
    smooth = ndimage.gaussian_filter1d(rows_of_gaussians(x, names, grid, 8e5, "wrap"), 8e5 / grid.north, 0, mode="nearest")
    check(folder, "smoothed on the sphere", both, smooth, "K", 1e-8)
    check(folder, "smoothed, a part", both.replace("/x\n", "/x\nselect = 8:20, 10:50\n", 1), smooth[8:20, 10:50], "K", 1e-8)
    slopes = words(mask="gaussian", sigma="800 km", order=1, delta="coordinates", axis=1, boundary="wrap")
    want = rows_of_gaussians(x, names, grid, 8e5, "wrap", order=1) / (grid.east * cos)
    check(folder, "width and derivative", slopes, want, "K m-1", 1e-8)
    hidden = np.random.default_rng(3).random(x.shape) < 0.3
    with h5py.File(folder / "in.h5", "a") as file:
        file["x"][...] = np.where(hidden, np.nan, x)
    want = rows_of_gaussians(x, names, grid, 8e5, "wrap", valid=~hidden)
    missing = "[missing]\nvalue = nan\npolicy = renormalize\n"
    check(folder, "missing points", missing + words(mask="gaussian", sigma="800 km", axis=1, boundary="wrap"), want, "K", 1e-8)


def check_refusals(folder):
    n = np.arange(30)
    uneven = np.r_[n[:12] * 0.5, 6.5 + n[12:] * 0.5]
    lat, lon = {"units": "degrees_north"}, {"units": "degrees_east"}
    line = {**SAVGOL, "axis": 1}
    grid = [("lat", n * 2.0 - 30, lat), ("lon", n * 3.0, lon)]
    width = {"mask": "gaussian", "sigma": "500 km", "axis": 1}
    for axes, stage, part in (
        ([("y", 4, {}), ("z", uneven, {"units": "m"})], line, "(/z) are not evenly spaced: points 11 and 12 are 7 apart, but points 0 and 1 are 0.5"),
        ([("y", 4, {}), ("z", n**1.001, {"units": "m"})], line, "are not evenly spaced: points"),
        ([("lat", n * 2.0 - 30, lat), ("lon", (350 + 2 * uneven) % 360, lon)], line, "(/lon) are not evenly spaced: points 11 and 12 are 14 apart"),
        ([("y", 4, {}), ("t", uneven, {"units": "s"})], line, "(/t) are not evenly spaced: points 11 and 12"),
        ([("y", 4, {}), ("z", 0.0 * n, {"units": "m"})], line, "its numbers are constant"),
        ([("y", 4, {}), ("t", (1.7e9 + n).astype("f4"), {"units": "seconds since 1970-01-01"})], line, "too few digits"),
        ([("y", 4, {}), ("z", 30, {})], line, "axis 1 has no dimension scale of numbers: write a number"),
        ([("y", 4, {}), ("lon", n * 3.0, lon)], line, "no axis has a dimension scale of latitudes"),
        ([("lat", n * 20.0, lat), ("lon", n * 3.0, lon)], line, "contains 100 degrees, and latitudes end at 90"),
        (grid, {**line, "deriv": 0}, "means nothing without a derivative"),
        (grid, {**line, "boundary": "wrap", "steps": 2}, "steps = 2"),
        (grid, {**line, "delta": "coordinate"}, "coordinate is not a number"),
        (grid, {**width, "sigma": "500 kn"}, "kn is no unit"),
        (grid, {**width, "sigma": "2 s"}, "distances along axis 1 are in m"),
        (grid, {**width, "sigma": "2 3km"}, "3km: write a blank between a number and its unit"),
        (grid, {**width, "sigma": "100km"}, "100km: write a blank between a number and its unit"),
        (grid, {**width, "steps": 2}, "steps = 2: the stage depends on the latitude"),
        (grid, {**width, "radius": 3}, "write truncate instead of radius"),
        (grid, {**width, "method": "fft"}, "write method = direct or auto"),
        (grid, {"mask": "gaussian", "sigma": "500 km"}, "write one stage for each axis"),
        (grid, {"mask": "log", "sigma": "500 km", "axis": 1}, "mask = gaussian along one axis"),
        (grid, {"mask": "laplace", "delta": "coordinates"}, "a Laplacian on the sphere has further terms"),
        ([("y", n * 1.0, {}), ("z", n * 1.0, {})], width, "the coordinates of axis 1 have no attribute units: write sigma as a number of points"),
    ):
        write(folder, axes)
        outcome = run(folder, words(**stage))
        if outcome.status != 2 or len(outcome.errors) != 1 or part not in outcome.errors[0]:
            PROBLEMS.append(f"{part}: {outcome.unexpected()}")


def check_poles_in_integers(folder):
    """In an output whose type has no NaN, a number marks the missing derivatives at the poles."""
    globe = Sphere(np.linspace(90, -90, 19), np.arange(0, 360, 10.0))
    write(folder, list(globe.axes().values()))
    text = words(mask="gaussian", sigma=1.5, order=1, delta="coordinates", axis=1, boundary="wrap")
    got = result(folder, "poles in integers", text, more=["--output.dtype=int16", "--output.scale=1e-9 0"])[0]
    if got is None or not (got[[0, -1]] == -32768).all() or (got[1:-1] == -32768).any():
        PROBLEMS.append(f"poles in integers: {got}")


def check_notes(folder):
    """The plan names the sphere, the widths and the poles; a checkpoint depends on the coordinates."""
    globe = Sphere(np.linspace(90, -90, 19), np.arange(0, 360, 10.0))
    write(folder, list(globe.axes().values()))
    text = words(mask="gaussian", sigma="1000 km", order=1, delta="coordinates", axis=1, boundary="wrap")
    shown = run(folder, text, 0, ["--check"]).stdout
    for part in ("a sphere of radius 6371229 m", "the masks of the latitudes have 9 to 35 taps",
                 "at a pole there is no derivative along longitudes", "a mask for each latitude"):
        if part not in shown:
            PROBLEMS.append(f"the plan lacks: {part}\n{shown}")


def check_joined(folder):
    """Files joined along time: the spacing in time follows from the sampling rate, and the coordinates of the other axes must be the same
    in all files."""
    lat, lon = np.linspace(-60, 60, 25), np.arange(0, 90, 3.0)
    parts = []
    for k in range(3):
        axes = [("time", 10.0 * (np.arange(8) + 8 * k), {"units": "s"}), ("lat", lat, {"units": "degrees_north"}),
                ("lon", lon + (k == 2) * 0.0, {"units": "degrees_east"})]
        parts.append(write(folder, axes))
        (folder / "in.h5").rename(folder / f"part{k}.h5")
    x = np.concatenate(parts)
    more = {"file": "part*.h5", "join": 0}
    check(folder, "joined, time", words(more, **SAVGOL, axis=0), slope(x, 10, 0), "K s-1")
    cos = np.cos(np.radians(lat))[None, :, None]
    want = slope(x, RADIUS * np.radians(3), 2) / cos
    check(folder, "joined, longitude", words(more, **SAVGOL, axis=2), want, "K m-1", 1e-8)
    with h5py.File(folder / "part1.h5", "a") as file:
        file["lat"][3] += 1
    outcome = run(folder, words(more, **SAVGOL, axis=2))
    if outcome.status != 3 or "its scale /lat differs" not in "".join(outcome.errors):
        PROBLEMS.append(f"other latitudes: {outcome.unexpected()}")


def main():
    for part in (check_plain, check_differences, check_sphere, check_wrapped, check_more, check_refusals, check_poles_in_integers, check_notes, check_joined):
        with tempfile.TemporaryDirectory() as place:
            part(pathlib.Path(place))
    if not any(IN_WINDOWS):
        PROBLEMS.append("no run was computed in windows")
    print("\n".join(PROBLEMS) or f"{len(IN_WINDOWS)} runs agree with NumPy and SciPy")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
