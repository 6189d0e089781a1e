"""The accessor `.stencil` of xarray.DataArray: `import stencil.labels` adds it.

Dimensions are given by name, widths in points, and frequencies with a unit. The sampling rate in this unit follows from the coordinate of
the dimension.
Coordinates, attributes and the name of the array are kept. Dask arrays stay lazy. Integers are converted to float64.
"""

import numpy as np
import xarray

from . import blocks, filters, masks, signal
from ._arguments import input_of

SECONDS = {"s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "microseconds": 1e-6, "ns": 1e-9,
           "min": 60, "minutes": 60, "h": 3600, "hours": 3600, "d": 86400, "days": 86400}
HERTZ = {"mHz": 1e-3, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}


def seconds_of(dates):
    """Returns the seconds from the first date to each date, if the objects are dates of the package cftime; otherwise returns the
    objects unchanged."""
    try:
        return np.array([(date - dates[0]).total_seconds() for date in dates])
    except (AttributeError, TypeError):
        return dates


def sampling_rate(array, dim, unit):
    """Returns the sampling rate, in `unit`, along a dimension whose coordinate is evenly spaced.

    unit: mHz, Hz, kHz, MHz or GHz for times; or 1/U, where U is the coordinate's attribute `units`
    """
    if dim not in array.coords:
        raise ValueError(f"dimension {dim!r} has no coordinate: assign_coords gives it one, from which the sampling rate follows")
    coordinate = array.coords[dim]
    places, units = coordinate.values, str(coordinate.attrs.get("units", ""))
    if len(places) < 2:
        raise ValueError(f"coordinate {dim!r} has {len(places)} points: a sampling rate needs two")
    if places.dtype.kind == "M":
        places, units = (places - places[0]) / np.timedelta64(1, "ns") * 1e-9, "s"
    elif places.dtype.kind == "m":
        places, units = places / np.timedelta64(1, "ns") * 1e-9, "s"
    elif places.dtype.kind == "O":
        try:
            places = places.astype(np.float64)
        except (TypeError, ValueError):
            places, units = seconds_of(places), "s"
    if places.dtype.kind not in "iuf":
        raise ValueError(f"coordinate {dim!r} has the type {places.dtype}: a sampling rate needs numbers or times")
    places = places.astype(np.float64)
    if not np.isfinite(places).all():
        raise ValueError(f"coordinate {dim!r} has missing values")
    steps = np.diff(places)
    step = (float(places[-1]) - float(places[0])) / (len(places) - 1)
    if step == 0 or not np.abs(steps - step).max() <= 1e-3 * abs(step):
        raise ValueError(f"coordinate {dim!r} is not evenly spaced: its steps are {steps.min():g} to {steps.max():g}")
    if unit in HERTZ:
        word = units.split(" since ")[0]
        if word not in SECONDS:
            raise ValueError(f"coordinate {dim!r} has units = {units!r}, which is not a time: give the frequency in 1/UNITS instead of {unit}")
        return 1 / (abs(step) * SECONDS[word] * HERTZ[unit])
    if unit != f"1/{units}":
        raise ValueError(f"unit = {unit!r}: use {', '.join(HERTZ)}" + (f" or 1/{units}" if units else "; the coordinate has no units"))
    return 1 / abs(step)


def odd_taps(rate, transition):
    """Returns the number of taps of a filter with a Hamming window and this transition width. The number is odd."""
    return 2 * int(np.ceil(3.3 * rate / transition / 2)) + 1


@xarray.register_dataarray_accessor("stencil")
class Labelled:
    def __init__(self, array):
        self._array = array

    def _axes(self, dims):
        dims = self._array.dims if dims is None else (dims,) if isinstance(dims, str) else tuple(dims)
        for dim in dims:
            if dim not in self._array.dims:
                raise ValueError(f"dim = {dim!r} is not a dimension of this array, which has {', '.join(map(str, self._array.dims))}")
        return tuple(self._array.get_axis_num(dim) for dim in dims)

    def _filtered(self, name, *arguments, **options):
        """Applies the function `name` of stencil or stencil.blocks to the array's data; the result has the array's labels."""
        data = self._array.data
        is_dask = hasattr(data, "dask")
        if data.dtype.kind in "iub":
            data = data.astype(np.float64)
        function = getattr(blocks if is_dask else filters, name)
        result = function(data if is_dask else input_of(data), *arguments, **options)
        return self._array.copy(data=result)

    def gaussian(self, sigma, dim=None, order=0, mode="reflect", truncate=4.0, missing=None):
        """Filters with a Gaussian of standard deviation sigma (in points), or with its derivative of order `order`.

        dim: a name or several names; None: all dimensions. sigma, order and mode may have one value per dimension.
        missing: see stencil.filters.
        """
        return self._filtered("gaussian_filter", sigma, order, mode=mode, truncate=truncate, axes=self._axes(dim), missing=missing)

    def mean(self, size, dim=None, mode="reflect", missing=None):
        """Computes the mean over a box of `size` points along dimensions (None: all)."""
        return self._filtered("uniform_filter", size, mode=mode, axes=self._axes(dim), missing=missing)

    def correlate(self, weights, dim, mode="reflect", missing=None):
        """Correlates with a mask along one or several dimensions, which are given in the order of the mask's axes."""
        weights, axes = np.asarray(weights), self._axes(dim)
        if weights.ndim != len(axes):
            raise ValueError(f"weights.ndim = {weights.ndim} has to be the number of dimensions, {len(axes)}")
        return self._filtered("correlate", weights.transpose(np.argsort(axes)), mode=mode, axes=axes, missing=missing)

    def _frequencies(self, family, cutoff, unit, dim, taps, window, mode, missing):
        (axis,) = self._axes(dim)
        rate = sampling_rate(self._array, dim, unit)
        if not np.min(cutoff) > 0:
            raise ValueError(f"{family}: the frequency {np.min(cutoff):g} {unit} must be above 0")
        taps = odd_taps(rate, np.min(cutoff) / 2) if taps is None else taps
        made = getattr(masks, family)(taps, cutoff, rate, window)
        return self._filtered("correlate1d", made, axis, mode=mode, missing=missing)

    def lowpass(self, cutoff, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """Applies a low-pass filter that is designed by the window method (scipy.signal.firwin).

        cutoff: frequency at which the amplitude is halved, in `unit`. unit: mHz, Hz, kHz, MHz or GHz for a coordinate of times, or
        1/U for a coordinate with the units U. taps: number of taps; by default the transition is half as wide as the lowest cutoff.
        """
        return self._frequencies("lowpass", float(cutoff), unit, dim, taps, window, mode, missing)

    def highpass(self, cutoff, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """Applies a high-pass filter; see lowpass."""
        return self._frequencies("highpass", float(cutoff), unit, dim, taps, window, mode, missing)

    def bandpass(self, low, high, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """Applies a band-pass filter between the frequencies `low` and `high`; see lowpass."""
        return self._frequencies("bandpass", (low, high), unit, dim, taps, window, mode, missing)

    def bandstop(self, low, high, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """Applies a band-stop filter between the frequencies `low` and `high`; see lowpass."""
        return self._frequencies("bandstop", (low, high), unit, dim, taps, window, mode, missing)

    def savgol(self, window_length, polyorder, dim, mode="interp"):
        """Applies scipy.signal.savgol_filter: fits a polynomial around each point. A dask array is computed first."""
        (axis,) = self._axes(dim)
        return self._array.copy(data=signal.savgol_filter(self._array.values, window_length, polyorder, axis=axis, mode=mode))
