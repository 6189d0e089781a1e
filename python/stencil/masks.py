"""The families of masks of Stencil as arrays of taps, for correlate1d and correlate.

Masks of two axes have the shape (rows, columns). Where a function has `axes`, 1 makes a mask of one axis and 2, the default,
one of two; widths may then be a pair (along rows, along columns). The taps have the same bits as those of the program.
All functions raise ValueError, in one line that names the argument, for arguments out of range.
"""

import numpy as np

from ._arrays import masks as _masks

__all__ = ["gaussian", "box", "binomial", "disk", "annulus", "log", "dog", "laplace", "sobel", "prewitt", "lowpass", "highpass",
           "bandpass", "bandstop", "matched", "savgol"]


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


def gaussian(sigma, order=0, truncate=4.0, radius=0, axes=2):
    """A Gaussian of the standard deviation sigma (in points), or a derivative of one: scipy.ndimage.gaussian_filter."""
    return _array(_masks.gaussian(_pair(sigma, float), _pair(order, int), truncate, _pair(radius, int), _is_line(axes)), axes)


def box(size, axes=2):
    """Equal taps with the sum 1: scipy.ndimage.uniform_filter."""
    return _array(_masks.box(_pair(size, int), _is_line(axes)), axes)


def binomial(size, axes=2):
    """A row of Pascal's triangle, divided by its sum, or the outer product of two."""
    return _array(_masks.binomial(_pair(size, int), _is_line(axes)), axes)


def disk(radius, axes=2):
    """Equal taps with the sum 1 within a radius (in points), or within an ellipse."""
    return _array(_masks.disk(_pair(radius, float), _is_line(axes)), axes)


def annulus(radius, inner, axes=2):
    """Equal taps with the sum 1 within a radius and beyond an inner one."""
    return _array(_masks.annulus(_pair(radius, float), _pair(inner, float), _is_line(axes)), axes)


def log(sigma, truncate=4.0, radius=0, axes=2):
    """The Laplacian of a Gaussian: scipy.ndimage.gaussian_laplace."""
    return _array(_masks.log(_pair(sigma, float), truncate, _pair(radius, int), _is_line(axes)), axes)


def dog(sigma, ratio=1.6, truncate=4.0, axes=2):
    """A Gaussian minus one that is `ratio` times as wide."""
    return _array(_masks.dog(_pair(sigma, float), ratio, truncate, _is_line(axes)), axes)


def laplace(axes=2):
    """Second differences along one axis, or summed over both: scipy.ndimage.laplace."""
    return _array(_masks.laplace(_is_line(axes)), axes)


def sobel(axis=1):
    """The difference of both neighbours along axis 0 or 1, smoothed by 1 2 1 across it: scipy.ndimage.sobel."""
    return _array(_masks.sobel(axis == 0))


def prewitt(axis=1):
    """The same, smoothed by 1 1 1: scipy.ndimage.prewitt."""
    return _array(_masks.prewitt(axis == 0))


def lowpass(taps, cutoff, sampling_rate, window="hamming"):
    """A low-pass filter by the window method: scipy.signal.firwin. The cutoff is in the unit of the sampling rate."""
    return _array(_masks.lowpass(taps, cutoff, sampling_rate, window), 1)


def highpass(taps, cutoff, sampling_rate, window="hamming"):
    """A high-pass filter; see lowpass. The number of taps is odd."""
    return _array(_masks.highpass(taps, cutoff, sampling_rate, window), 1)


def bandpass(taps, cutoff, sampling_rate, window="hamming"):
    """A band-pass filter between the two frequencies of `cutoff`; see lowpass."""
    return _array(_masks.bandpass(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def bandstop(taps, cutoff, sampling_rate, window="hamming"):
    """A band-stop filter between the two frequencies of `cutoff`; see lowpass. The number of taps is odd."""
    return _array(_masks.bandstop(taps, list(map(float, cutoff)), sampling_rate, window), 1)


def matched(pattern, psd=()):
    """A matched filter: where the input holds A times the pattern, the output is A. psd: the power spectral density of the noise
    at frequencies spread evenly from 0 to half the sampling rate."""
    return _array(_masks.matched(list(map(float, pattern)), list(map(float, psd))), 1)


def savgol(size, polyorder, deriv=0, delta=1.0):
    """The taps of scipy.signal.savgol_filter, for correlate1d: the reverse of scipy.signal.savgol_coeffs."""
    return _array(_masks.savgol(size, polyorder, deriv, delta), 1)
