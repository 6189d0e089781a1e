"""The accessor `.stencil` of xarray.DataArray: `import stencil.labels` adds it.

Dimensions are named; widths are in points, and frequencies in a unit, by the coordinate of the dimension. Coordinates, attributes
and the name of the array are kept. Dask arrays stay lazy. Integers are taken as float64.
"""

import numpy as np
import xarray

from . import blocks, filters, masks, signal
from ._arguments import input_of

SECONDS = {"s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "microseconds": 1e-6, "ns": 1e-9,
           "min": 60, "minutes": 60, "h": 3600, "hours": 3600, "d": 86400, "days": 86400}
HERTZ = {"mHz": 1e-3, "Hz": 1, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9}


def sampling_rate(array, dim, unit):
    """Points per period of `unit` along a dimension whose coordinate is evenly spaced.

    unit: mHz, Hz, kHz, MHz or GHz, for coordinates that are times; or 1/U, where U is the coordinate's attribute `units`
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
    steps = np.diff(places.astype(np.float64))
    step = (float(places[-1]) - float(places[0])) / (len(places) - 1)
    if step == 0 or np.abs(steps - step).max() > 1e-3 * abs(step):
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
    """Taps of a Hamming window with a transition of this width, an odd number."""
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
        """The function `name` of stencil or of stencil.blocks on the array's data, with its labels."""
        data = self._array.data
        is_dask = hasattr(data, "dask")
        if data.dtype.kind in "iub":
            data = data.astype(np.float64)
        function = getattr(blocks if is_dask else filters, name)
        result = function(data if is_dask else input_of(data), *arguments, **options)
        return self._array.copy(data=result)

    def gaussian(self, sigma, dim=None, order=0, mode="reflect", truncate=4.0, missing=None):
        """A Gaussian of the standard deviation sigma, in points, or a derivative of one, along dimensions (None: all).

        dim: a name, or several; sigma, order and mode may then have a value for each. missing: see stencil.filters.
        """
        return self._filtered("gaussian_filter", sigma, order, mode=mode, truncate=truncate, axes=self._axes(dim), missing=missing)

    def mean(self, size, dim=None, mode="reflect", missing=None):
        """The mean of a box of points along dimensions (None: all)."""
        return self._filtered("uniform_filter", size, mode=mode, axes=self._axes(dim), missing=missing)

    def correlate(self, weights, dim, mode="reflect", missing=None):
        """A mask of taps along a dimension, or along two in the order of the mask's axes."""
        weights, axes = np.asarray(weights), self._axes(dim)
        if weights.ndim != len(axes):
            raise ValueError(f"weights.ndim = {weights.ndim} has to be the number of dimensions, {len(axes)}")
        return self._filtered("correlate", weights.transpose(np.argsort(axes)), mode=mode, axes=axes, missing=missing)

    def _frequencies(self, family, cutoff, unit, dim, taps, window, mode, missing):
        (axis,) = self._axes(dim)
        rate = sampling_rate(self._array, dim, unit)
        taps = odd_taps(rate, np.min(cutoff) / 2) if taps is None else taps
        made = getattr(masks, family)(taps, cutoff, rate, window)
        return self._filtered("correlate1d", made, axis, mode=mode, missing=missing)

    def lowpass(self, cutoff, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """A low-pass filter by the window method: scipy.signal.firwin.

        cutoff: frequency with half of the amplitude, in `unit`: mHz, Hz, kHz, MHz or GHz for a coordinate of times, or 1/U for
        a coordinate with the units U. taps: by default as many as make the transition as wide as half of the lowest cutoff.
        """
        return self._frequencies("lowpass", float(cutoff), unit, dim, taps, window, mode, missing)

    def highpass(self, cutoff, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """A high-pass filter; see lowpass."""
        return self._frequencies("highpass", float(cutoff), unit, dim, taps, window, mode, missing)

    def bandpass(self, low, high, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """A band-pass filter between two frequencies; see lowpass."""
        return self._frequencies("bandpass", (low, high), unit, dim, taps, window, mode, missing)

    def bandstop(self, low, high, unit, dim, taps=None, window="hamming", mode="reflect", missing=None):
        """A band-stop filter between two frequencies; see lowpass."""
        return self._frequencies("bandstop", (low, high), unit, dim, taps, window, mode, missing)

    def savgol(self, window_length, polyorder, dim, mode="interp"):
        """A polynomial fitted to the points about each point: scipy.signal.savgol_filter. Not of dask arrays."""
        (axis,) = self._axes(dim)
        return self._array.copy(data=signal.savgol_filter(self._array.values, window_length, polyorder, axis=axis, mode=mode))
