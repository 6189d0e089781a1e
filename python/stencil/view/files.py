"""Reads HDF5 files for views: datasets with coordinates and units. Large datasets are sampled."""

import functools
import os
import re
import subprocess

import h5py
import numpy as np

from ..program import Error, command_of

MOST_READ = 1 << 25  # largest number of points that are read completely
PIECE = 2048  # points per sample of longer signals


LISTED = re.compile(r" +axis (\d+) +(?:(\S+): )?\d+ points?(?:, ([-+.\de]+) Hz|, spacing ([-+.\de]+)(?: (\S+))?)?")


class ViewError(Exception):
    """A file that cannot be shown; the message is one line."""


class Axis:
    """An axis with a name, a unit, and the coordinates `values` or, without them, `first + step * index`."""

    def __init__(self, name, unit, first=0.0, step=1.0, values=None, is_standard_calendar=True):
        self.name, self.unit, self.first, self.step, self.values = name, unit, first, step, values
        self.is_standard_calendar = is_standard_calendar

    def at(self, index):
        if self.values is not None:
            return self.values[np.minimum(np.asarray(index, int), len(self.values) - 1)]
        return self.first + self.step * np.asarray(index, float)

    @property
    def rate(self):
        """The number of points per unit; if the coordinates are unevenly spaced, the mean number."""
        if self.values is None:
            return 1 / abs(self.step)
        span = abs(self.values[-1] - self.values[0])
        return (len(self.values) - 1) / span if np.isfinite(span) and span > 0 else 1.0

    @property
    def frequency_unit(self):
        unit = self.unit.partition(" since ")[0]
        if unit in ("s", "sec", "second", "seconds"):
            return "Hz"
        return "cycles per point" if unit in ("", "points") else f"cycles per {unit}"

    def words(self, index):
        """Returns `time = 1970-06-01 00:00`, `depth = 5 m` or `index 3`."""
        value = self.at(index)
        unit, _, reference = self.unit.partition(" since ")
        if self.unit == "points":
            return f"index {index}"
        seconds = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}.get(unit)
        if seconds and reference and self.is_standard_calendar:
            try:
                moment = np.datetime64(reference.split("+")[0].replace(" ", "T", 1).rstrip("Z "), "s") + np.timedelta64(round(value * seconds), "s")
                return f"{self.name} = {str(moment).replace('T', ' ')}"
            except ValueError:
                pass
        return f"{self.name} = {value:.8g} {unit}".rstrip()

    @property
    def label(self):
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def text(value):
    if isinstance(value, np.ndarray) and value.size:
        value = value.flat[0]
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def number(attributes, *names):
    """Returns the first of these attributes that is a single number, or None."""
    for name in names:
        value = np.asarray(attributes.get(name, ()))
        if value.size == 1 and value.dtype.kind in "iuf":
            return float(value.flat[0])
    return None


class Data:
    """A dataset that is read as float64 values: packed numbers are unpacked, and missing points are NaN. Complex
    numbers are read as their absolute values."""

    def __init__(self, file, path, rate=0.0, mask_axis=None, stride=1, is_packed=True):
        if path not in file or not isinstance(file[path], h5py.Dataset):
            raise ViewError(f"{file.filename}: no dataset {path}")
        self.dataset, self.path = file[path], path
        self.shape = self.dataset.shape
        self.is_complex = self.dataset.dtype.kind == "c"
        if not self.shape or 0 in self.shape or self.dataset.dtype.kind not in "iufbc":
            raise ViewError(f"{file.filename}:{path} holds no array of numbers")
        attributes = self.attributes = dict(self.dataset.attrs)
        self.units = text(attributes["units"]) if "units" in attributes else ""
        name = next((text(attributes[key]) for key in ("long_name", "standard_name") if key in attributes), "")
        self.label = f"{name or path.rsplit('/', 1)[-1]}" + (f" [{self.units}]" if self.units else "")
        self.label = f"|{self.label}|" if self.is_complex else self.label
        self.missing = [number(attributes, key) for key in ("_FillValue", "missing_value") if number(attributes, key) is not None]
        self.scale, self.offset = 1.0, 0.0
        if is_packed:
            self.scale = number(attributes, "scale_factor") or 1.0
            self.offset = number(attributes, "add_offset") or 0.0
        self.axes = [self._axis(i, rate / stride if i == mask_axis else 0.0) for i in range(len(self.shape))]

    def _axis(self, i, rate):
        points = self.shape[i]
        for scale in (self.dataset.dims[i][key] for key in self.dataset.dims[i]):
            if scale.shape == (points,) and scale.dtype.kind in "iuf":
                unit = text(scale.attrs["units"]) if "units" in scale.attrs else ""
                calendar = text(scale.attrs.get("calendar", "standard"))
                return Axis(scale.name.rsplit("/", 1)[-1], unit, values=scale[:].astype(float),
                            is_standard_calendar=calendar in ("standard", "gregorian", "proleptic_gregorian"))
        if rate > 0:
            return Axis("time", "s", number(self.attributes, "Xstart") or 0.0, 1 / rate)
        name, frequency, spacing, unit = listed_axes(self.dataset.file.filename, self.path).get(i, (None,) * 4)
        if frequency:
            return Axis("time", "s", 0.0, 1 / float(frequency))
        if spacing:
            return Axis(name or f"axis {i}", unit or "", 0.0, float(spacing))
        return Axis(name or f"axis {i}", "points")

    def read(self, *slices):
        raw = np.asarray(self.dataset[slices])
        values = np.abs(raw) if self.is_complex else raw.astype(np.float64)
        for missing in self.missing:
            values[raw == missing] = np.nan
        return values * self.scale + self.offset

    def line(self, axis, at):
        """Returns a function of (start, stop) that reads a part of the line along `axis` through the point `at`."""
        return lambda start, stop: self.read(*(slice(start, stop) if i == axis else at[i] for i in range(len(self.shape))))


@functools.cache
def listed_axes(path, dataset):
    """Returns the axes that stencil_run --list prints for a dataset: {axis: (name, rate in Hz, spacing, unit)}. Empty if stencil_run
    is not found."""
    try:
        command = [*command_of(None, None), "--list", path]
        lines = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.split("\n")
    except (Error, OSError, subprocess.SubprocessError):
        return {}
    axes = {}
    for line in lines[lines.index(dataset) + 1:] if dataset in lines else ():
        found = LISTED.match(line)
        if found:
            axes[int(found[1])] = found.groups()[1:]
        elif not line:
            break
    return axes


def pyramid(read, points, bins):
    """Divides a line into at most `bins` equal parts.

    Returns (edges of the parts in points, lowest value of each part, highest value of each part, whether all points were read). For
    long lines, only 2048 points of each part are read.
    """
    bins = max(1, min(bins, points))
    edges = np.linspace(0, points, bins + 1).astype(np.int64)
    low, high = np.full(bins, np.nan), np.full(bins, np.nan)
    is_whole = points <= MOST_READ
    many = max(1, (1 << 22) * bins // points) if is_whole else 1  # number of parts that are read together
    for begin in range(0, bins, many):
        end = min(bins, begin + many)
        start, stop = edges[begin], edges[end]
        values = read(start, stop if is_whole else min(stop, start + PIECE))
        cuts = (edges[begin:end] - start).astype(int)
        with np.errstate(invalid="ignore"):
            low[begin:end] = np.fmin.reduceat(values, cuts)
            high[begin:end] = np.fmax.reduceat(values, cuts)
    return edges, low, high, is_whole


def spectrum(read, points, rate, segments=48):
    """Returns frequencies and the power spectral density by Welch's method with Hann windows, from segments that are spread over the
    line. Segments with missing points are omitted. Returns None if no segment remains, or if the line is shorter than a segment."""
    length = int(min(16384, max(16, 2 ** int(np.log2(max(16, points // 4))))))
    if points < length:
        return None
    window = np.hanning(length + 1)[:-1]
    total, count = np.zeros(length // 2 + 1), 0
    for start in np.unique(np.linspace(0, points - length, segments).astype(np.int64)):
        values = read(start, start + length)
        if np.isfinite(values).all():
            total += np.abs(np.fft.rfft((values - values.mean()) * window)) ** 2
            count += 1
    if count == 0:
        return None
    density = total / count / (rate * (window**2).sum())
    density[1:-1] *= 2
    return np.fft.rfftfreq(length, 1 / rate), density


class Result:
    """An output of stencil_run: the dataset, the configuration of the run, and the input if it is found."""

    def __init__(self, path, dataset=None):
        self.path = path
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            raise ViewError(f"{path} cannot be opened as HDF5: {error}") from None
        words = text(self.file.attrs.get("stencil_configuration", ""))
        self.words = dict(line.split("=", 1) for line in words.splitlines() if "=" in line)
        name = dataset or self.words.get("output.dataset") or largest(self.file)
        found = re.search(r": ([0-9.eE+-]+)", text(self.file.attrs.get("stencil_sampling_rate", "")))
        self.rate = float(found[1]) if found else 0.0
        self.stages = stages_of(self.words)
        self.after = Data(self.file, name)
        self.mask_axis = self._mask_axis()
        self.stride = int(np.prod([self._stride(stage) for stage in self.stages] or [1]))
        self.after = Data(self.file, name, self.rate, self.mask_axis, self.stride)
        self.before, self.why_no_input = self._input()

    def _mask_axis(self):
        axis = next((stage["axis"] for stage in self.stages if "axis" in stage), self.words.get("input.axis", ""))
        rank = len(self.after.shape)
        if re.fullmatch(r"-?\d+", axis) and -rank <= int(axis) < rank:
            return int(axis) % rank
        return rank - 1

    @staticmethod
    def _stride(stage):
        return int(stage.get("stride", "1").split()[-1])

    def _input(self):
        name = self.words.get("input.file", "")
        for path in (name, os.path.join(os.path.dirname(self.path), name)):
            if name and os.path.isfile(path):
                try:
                    rank = len(self.after.shape)
                    before = Data(h5py.File(path, "r"), self.words["input.dataset"], self.rate, self.mask_axis,
                                  is_packed=self.words.get("input.packed") != "stored")
                    if len(before.shape) == rank and "input.select" not in self.words:
                        return before, ""
                    return None, "the output has other axes or a part of the input"
                except (OSError, KeyError, ViewError) as error:
                    return None, str(error)
        return None, f"its input {name} is not here" if name else "it was not made by stencil_run"


def largest(file):
    """Returns the path of the numeric dataset with the most points that is not a dimension scale."""
    found = []
    file.visititems(lambda name, item: found.append((item.size, name)) if isinstance(item, h5py.Dataset) and item.size
                    and item.dtype.kind in "iufc" and not item.is_scale else None)
    if not found:
        raise ViewError(f"{file.filename} holds no dataset of numbers")
    return "/" + max(found)[1]


def stages_of(words):
    """Returns a list of dicts with the keys of each stage, in order; the key `name` is the name of the stage."""
    stages = {}
    for key, value in words.items():
        if key.startswith("stencil."):
            name, _, last = key.rpartition(".")
            stages.setdefault(name, {"name": name})[last] = value
    return list(stages.values())
