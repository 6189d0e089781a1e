"""The families of masks of Stencil as arrays of taps, for correlate1d and correlate.

Masks of two axes have the shape (rows, columns). Where a function has `axes`, 1 makes a mask of one axis and 2, the default,
one of two; widths may then be a pair (along rows, along columns). The taps have the same bits as those of the program.
All functions raise ValueError, in one line that names the argument, for arguments out of range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

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


def _pair(value, kind):
    first, second = (value, value) if np.isscalar(value) else value
    return [kind(first), kind(second)]


def _is_line(axes):
    if axes not in (1, 2):
        raise ValueError(f"axes = {axes} must be 1 or 2")
    return axes == 1


def gaussian(sigma: Width, order: Count = 0, truncate: float = 4.0, radius: Count = 0, axes: int = 2) -> Taps:
    """A Gaussian of the standard deviation sigma (in points), or a derivative of one: scipy.ndimage.gaussian_filter."""
    return _array(_masks.gaussian(_pair(sigma, float), _pair(order, int), truncate, _pair(radius, int), _is_line(axes)), axes)


def box(size: Count, axes: int = 2) -> Taps:
    """Equal taps with the sum 1: scipy.ndimage.uniform_filter."""
    return _array(_masks.box(_pair(size, int), _is_line(axes)), axes)


def binomial(size: Count, axes: int = 2) -> Taps:
    """A row of Pascal's triangle, divided by its sum, or the outer product of two."""
    return _array(_masks.binomial(_pair(size, int), _is_line(axes)), axes)


def disk(radius: Width, axes: int = 2) -> Taps:
    """Equal taps with the sum 1 within a radius (in points), or within an ellipse."""
    return _array(_masks.disk(_pair(radius, float), _is_line(axes)), axes)


def annulus(radius: Width, inner: Width, axes: int = 2) -> Taps:
    """Equal taps with the sum 1 within a radius and beyond an inner one."""
    return _array(_masks.annulus(_pair(radius, float), _pair(inner, float), _is_line(axes)), axes)


def log(sigma: Width, truncate: float = 4.0, radius: Count = 0, axes: int = 2) -> Taps:
    """The Laplacian of a Gaussian: scipy.ndimage.gaussian_laplace."""
    return _array(_masks.log(_pair(sigma, float), truncate, _pair(radius, int), _is_line(axes)), axes)


def dog(sigma: Width, ratio: float = 1.6, truncate: float = 4.0, axes: int = 2) -> Taps:
    """A Gaussian minus one that is `ratio` times as wide."""
    return _array(_masks.dog(_pair(sigma, float), ratio, truncate, _is_line(axes)), axes)


def laplace(axes: int = 2) -> Taps:
    """Second differences along one axis, or summed over both: scipy.ndimage.laplace."""
    return _array(_masks.laplace(_is_line(axes)), axes)


def sobel(axis: int = 1) -> Taps:
    """The difference of both neighbours along axis 0 or 1, smoothed by 1 2 1 across it: scipy.ndimage.sobel."""
    return _array(_masks.sobel(axis == 0))


def prewitt(axis: int = 1) -> Taps:
    """Like sobel(), but smoothed by 1 1 1: scipy.ndimage.prewitt."""
    return _array(_masks.prewitt(axis == 0))


def lowpass(taps: int, cutoff: float, sampling_rate: float, window: str = "hamming") -> Taps:
    """A low-pass filter by the window method: scipy.signal.firwin. The cutoff is in the unit of the sampling rate."""
    return _array(_masks.lowpass(taps, cutoff, sampling_rate, window), 1)


def highpass(taps: int, cutoff: float, sampling_rate: float, window: str = "hamming") -> Taps:
    """A high-pass filter; see lowpass. The number of taps is odd."""
    return _array(_masks.highpass(taps, cutoff, sampling_rate, window), 1)


def bandpass(taps: int, cutoff: Sequence[float], sampling_rate: float, window: str = "hamming") -> Taps:
    """A band-pass filter between the two frequencies of `cutoff`; see lowpass."""
    return _array(_masks.bandpass(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def bandstop(taps: int, cutoff: Sequence[float], sampling_rate: float, window: str = "hamming") -> Taps:
    """A band-stop filter between the two frequencies of `cutoff`; see lowpass. The number of taps is odd."""
    return _array(_masks.bandstop(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def matched(pattern: Sequence[float], psd: Sequence[float] = ()) -> Taps:
    """A matched filter: where the input holds A times the pattern, the output is A. psd: the power spectral density of the noise
    at frequencies spread evenly from 0 to half the sampling rate."""
    return _array(_masks.matched(list(map(float, pattern)), list(map(float, psd))), 1)


def savgol(size: int, polyorder: int, deriv: int = 0, delta: float = 1.0) -> Taps:
    """The taps of scipy.signal.savgol_filter, for correlate1d: the reverse of scipy.signal.savgol_coeffs."""
    return _array(_masks.savgol(size, polyorder, deriv, delta), 1)
