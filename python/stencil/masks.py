"""The families of masks of Stencil as arrays of taps, for correlate1d and correlate.

Two-dimensional masks have the shape (rows, columns). The argument `axes` of some functions is the number of axes of the mask, 1 or 2
(default). For a mask of two axes, a width may be a pair of numbers: the widths along axis 0 and along axis 1. The taps have the same bits
as those of stencil_run.
All functions raise ValueError, with a one-line message that names the argument, if an argument is out of range.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._arrays import masks as _masks

__all__ = ["gaussian", "box", "binomial", "disk", "annulus", "log", "dog", "laplace", "sobel", "prewitt", "lowpass", "highpass",
           "bandpass", "bandstop", "matched", "savgol"]

Taps = NDArray[np.float64]
Width = Union[float, Sequence[float]]
Count = Union[int, Sequence[int]]


def _array(taps, axes=2):
    values, rows, columns = taps
    array = np.frombuffer(values, dtype=np.float64).reshape(rows, columns).copy()
    return array if axes == 2 else array.reshape(-1)


def _pair(value, kind, name):
    values = [value, value] if np.ndim(value) == 0 else list(value)
    if len(values) != 2:
        raise ValueError(f"{name} = {value!r} must be a number or a pair of numbers")
    return [kind(one) for one in values]


def _is_line(axes):
    if axes not in (1, 2):
        raise ValueError(f"axes = {axes} must be 1 or 2")
    return axes == 1


def _is_first(axis):
    if axis not in (-2, -1, 0, 1):
        raise ValueError(f"axis = {axis} must be 0 or 1")
    return axis in (-2, 0)


def gaussian(sigma: Width, order: Count = 0, truncate: float = 4.0, radius: Count = 0, axes: int = 2, delta: Width = 1.0) -> Taps:
    """Returns a Gaussian of standard deviation sigma (in points), or its derivative: scipy.ndimage.gaussian_filter. delta: distance
    between points, for derivatives."""
    return _array(_masks.gaussian(_pair(sigma, float, "sigma"), _pair(order, operator.index, "order"), truncate,
                                  _pair(radius, operator.index, "radius"), _pair(delta, float, "delta"), _is_line(axes)), axes)


def box(size: Count, axes: int = 2) -> Taps:
    """Returns equal taps that sum to 1: scipy.ndimage.uniform_filter."""
    return _array(_masks.box(_pair(size, operator.index, "size"), _is_line(axes)), axes)


def binomial(size: Count, axes: int = 2) -> Taps:
    """Returns a row of Pascal's triangle divided by its sum, or the outer product of two such rows."""
    return _array(_masks.binomial(_pair(size, operator.index, "size"), _is_line(axes)), axes)


def disk(radius: Width, axes: int = 2) -> Taps:
    """Returns equal taps that sum to 1 within a circle or, for two radii, an ellipse. Radii are in points."""
    return _array(_masks.disk(_pair(radius, float, "radius"), _is_line(axes)), axes)


def annulus(radius: Width, inner: Width, axes: int = 2) -> Taps:
    """Returns equal taps that sum to 1 between an inner and an outer radius, in points."""
    return _array(_masks.annulus(_pair(radius, float, "radius"), _pair(inner, float, "inner"), _is_line(axes)), axes)


def log(sigma: Width, truncate: float = 4.0, radius: Count = 0, axes: int = 2, delta: Width = 1.0) -> Taps:
    """Returns the Laplacian of a Gaussian: scipy.ndimage.gaussian_laplace. For `delta`, see gaussian."""
    return _array(_masks.log(_pair(sigma, float, "sigma"), truncate, _pair(radius, operator.index, "radius"), _pair(delta, float, "delta"),
                             _is_line(axes)), axes)


def dog(sigma: Width, ratio: float = 1.6, truncate: float = 4.0, axes: int = 2) -> Taps:
    """Returns a Gaussian minus a Gaussian that is `ratio` times as wide."""
    return _array(_masks.dog(_pair(sigma, float, "sigma"), ratio, truncate, _is_line(axes)), axes)


def laplace(axes: int = 2, delta: Width = 1.0) -> Taps:
    """Returns second differences along one axis, or summed over both axes: scipy.ndimage.laplace. For `delta`, see gaussian."""
    return _array(_masks.laplace(_pair(delta, float, "delta"), _is_line(axes)), axes)


def sobel(axis: int = 1, delta: Optional[float] = None) -> Taps:
    """Returns the difference of the two neighbours along axis 0 or 1, smoothed by 1 2 1 along the other axis: scipy.ndimage.sobel.

    delta: distance between points along the axis. If delta is given, the mask is a derivative: the taps are divided by delta times
    the sum of their absolute values.
    """
    return _array(_masks.sobel(_is_first(axis), delta))


def prewitt(axis: int = 1, delta: Optional[float] = None) -> Taps:
    """Like sobel(), but smoothed by 1 1 1 along the other axis: scipy.ndimage.prewitt."""
    return _array(_masks.prewitt(_is_first(axis), delta))


def lowpass(taps: int, cutoff: float, sampling_rate: float, window: str = "hamming") -> Taps:
    """Returns a low-pass filter that is designed by the window method (scipy.signal.firwin). cutoff has the unit of sampling_rate."""
    return _array(_masks.lowpass(taps, cutoff, sampling_rate, window), 1)


def highpass(taps: int, cutoff: float, sampling_rate: float, window: str = "hamming") -> Taps:
    """Returns a high-pass filter; see lowpass. The number of taps must be odd."""
    return _array(_masks.highpass(taps, cutoff, sampling_rate, window), 1)


def bandpass(taps: int, cutoff: Sequence[float], sampling_rate: float, window: str = "hamming") -> Taps:
    """Returns a band-pass filter between the two frequencies of `cutoff`; see lowpass."""
    return _array(_masks.bandpass(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def bandstop(taps: int, cutoff: Sequence[float], sampling_rate: float, window: str = "hamming") -> Taps:
    """Returns a band-stop filter between the two frequencies of `cutoff`; see lowpass. The number of taps must be odd."""
    return _array(_masks.bandstop(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def matched(pattern: Sequence[float], psd: Sequence[float] = ()) -> Taps:
    """Returns a matched filter: the output is A at positions where the input is A times the pattern. psd: the power spectral density of
    the noise at evenly spaced frequencies from 0 to half the sampling rate; empty: white noise."""
    return _array(_masks.matched(list(map(float, pattern)), list(map(float, psd))), 1)


def savgol(size: int, polyorder: int, deriv: int = 0, delta: float = 1.0) -> Taps:
    """Returns the taps of scipy.signal.savgol_filter for correlate1d, that is, scipy.signal.savgol_coeffs in reverse order."""
    return _array(_masks.savgol(size, polyorder, deriv, delta), 1)
