"""Functions of scipy.signal, with its names, arguments, defaults and errors. For the argument `threads`, see stencil.filters."""

import math

import numpy as np

from ._arguments import input_of, normalized_axes, normalized_axis, of_its_kind
from ._passes import FULL, SAME, VALID, apply
from .filters import convolve1d, taps_of

__all__ = ["fftconvolve", "oaconvolve", "savgol_filter"]

EXTENTS = {"full": FULL, "same": SAME, "valid": VALID}


@of_its_kind
def oaconvolve(in1, in2, mode="full", axes=None, *, threads=None):
    """Convolves two arrays with the same number of axes, as scipy.signal.oaconvolve does.

    Along one or two axes the fastest method is chosen: direct sums, separable sums or transforms (overlap-save). Along more axes
    the results are sums of convolutions along two axes, one for each index of the shorter array along the other axes.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays with the same number of axes. Points beyond their edges are 0.
    mode : str
        full: all outputs; valid: only outputs that do not depend on points beyond the edges (one array must be at least as long as
        the other along every axis); same: the central part, with the shape of in1.
    axes : int or sequence of int, optional
        The axes along which to convolve; by default all axes. Along the other axes the arrays are broadcast.
    threads : int, optional
        See stencil.filters.

    Returns
    -------
    array of float32 or complex64 if both arrays have these types, otherwise of float64 or complex128
    """
    in1, in2 = input_of(in1), input_of(in2)
    if mode not in EXTENTS:
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if in1.ndim == in2.ndim == 0:
        return in1 * in2
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if in1.size == 0 or in2.size == 0:
        return np.array([])
    if axes is not None and not np.isscalar(axes) and len(tuple(axes)) == 0:
        raise ValueError("when provided, axes cannot be empty")
    axes = [axis for axis in checked_axes(axes, in1.ndim) if in1.shape[axis] != 1 and in2.shape[axis] != 1]
    for axis in range(in1.ndim):
        if axis not in axes and in1.shape[axis] != in2.shape[axis] and 1 not in (in1.shape[axis], in2.shape[axis]):
            raise ValueError(f"incompatible shapes for in1 and in2: {in1.shape} and {in2.shape}")
    if mode == "valid" and not all(in1.shape[axis] >= in2.shape[axis] for axis in axes):
        in1, in2 = in2, in1
        if not all(in1.shape[axis] >= in2.shape[axis] for axis in axes):
            raise ValueError("For 'valid' mode, one must be at least as large as the other in every dimension")
    kind = np.promote_types(transformed_type(in1.dtype), transformed_type(in2.dtype))
    if not axes:
        result = in1 * in2
        return cropped(result, in1.shape) if mode == "same" else result
    # the full convolution is commutative, and the smaller array becomes the mask
    size1, size2 = (math.prod(one.shape[axis] for axis in axes) for one in (in1, in2))
    if mode == "full" and size1 < size2:
        in1, in2 = in2, in1
    result = by_complex_parts(in1, in2, mode, axes, kind, threads)
    return cropped(result, in1.shape) if mode == "same" and result.shape != in1.shape else result


@of_its_kind
def fftconvolve(in1, in2, mode="full", axes=None, *, threads=None):
    """Convolves two arrays with the same number of axes, as scipy.signal.fftconvolve does. Equivalent to oaconvolve."""
    return oaconvolve(in1, in2, mode, axes, threads=threads)


def transformed_type(kind):
    """Returns the type in which SciPy transforms an array: float32, float64, complex64 or complex128, and float64 for integers."""
    return np.dtype({"e": np.float32, "f": np.float32, "F": np.complex64, "D": np.complex128, "G": np.complex128}.get(kind.char, np.float64))


def checked_axes(axes, ndim):
    try:
        return normalized_axes(axes, ndim)
    except TypeError:
        raise ValueError("axes must be a scalar or iterable of integers") from None
    except ValueError as error:
        raise ValueError("all axes must be unique" if "unique" in str(error) else "axes exceeds dimensionality of input") from None


def cropped(array, shape):
    """Returns the central part of an array with the given shape."""
    starts = [(length - wanted) // 2 for length, wanted in zip(array.shape, shape)]
    return array[tuple(slice(start, start + wanted) for start, wanted in zip(starts, shape))]


def by_complex_parts(x, y, mode, axes, kind, threads):
    real = np.empty(0, kind).real.dtype
    if kind.kind != "c":
        return convolved(x, y, mode, axes, real, threads)
    parts = {(a, b): convolved(p, q, mode, axes, real, threads)
             for a, p in enumerate((x.real, x.imag)[:1 + (x.dtype.kind == "c")])
             for b, q in enumerate((y.real, y.imag)[:1 + (y.dtype.kind == "c")])}
    result = parts[0, 0].astype(kind)
    for (a, b), part in parts.items():
        if a + b == 1:
            result.imag += part
        elif a + b == 2:
            result.real -= part
    return result


def convolved(x, y, mode, axes, kind, threads):
    """Returns the convolution of real arrays along `axes`, with the mask y. The arrays are broadcast along the other axes."""
    x = x if x.dtype.kind in "fiu" and x.dtype.itemsize in (1, 2, 4, 8) and x.dtype.char != "e" else x.astype(kind)
    others = [axis for axis in range(x.ndim) if axis not in axes]
    lengths = {"full": lambda n, w: n + w - 1, "same": lambda n, w: n, "valid": lambda n, w: n - w + 1}[mode]
    shape = [lengths(x.shape[axis], y.shape[axis]) if axis in axes else max(x.shape[axis], y.shape[axis]) for axis in range(x.ndim)]
    result = np.empty(shape, kind)
    varied = [axis for axis in others if y.shape[axis] > 1]
    for index in np.ndindex(*(y.shape[axis] for axis in varied)):
        pick, from_x, to = ([slice(None)] * x.ndim for _ in range(3))
        for axis, at in zip(varied, index):
            pick[axis] = to[axis] = slice(at, at + 1)
            from_x[axis] = slice(at, at + 1) if x.shape[axis] > 1 else slice(None)
        summed_planes(x[tuple(from_x)], y[tuple(pick)], result[tuple(to)], mode, axes, threads)
    return result


def summed_planes(x, y, result, mode, axes, threads):
    """Convolves all of x with the mask y, and writes the result to `result`. At most two axes are convolved at once; along each
    further axis, the result is a sum over the indices of the mask."""
    if len(axes) <= 2:
        taps = taps_of(y[(slice(None, None, -1),) * y.ndim].reshape([y.shape[axis] for axis in sorted(axes)]))
        apply(x, result, (taps,), sorted(axes), [0] * len(axes), [4] * len(axes), 0.0, extent=EXTENTS[mode], threads=threads)
        return
    axis = min(axes, key=lambda one: y.shape[one])
    rest = [one for one in axes if one != axis]
    n, width, count = x.shape[axis], y.shape[axis], result.shape[axis]
    first = {"full": 0, "same": (width - 1) // 2, "valid": width - 1}[mode]  # index of the first result in the full convolution
    result[...] = 0
    along = [slice(None)] * x.ndim

    def part(array, low, high):
        along[axis] = slice(low, high)
        return array[tuple(along)]

    for at in range(width):
        low, high = max(0, at - first), min(count, at - first + n)  # results that depend on x
        if low >= high:
            continue
        plane = np.empty(part(result, low, high).shape, result.dtype)
        summed_planes(part(x, low + first - at, high + first - at), part(y, at, at + 1), plane, mode, rest, threads)
        target = part(result, low, high)
        target += plane


@of_its_kind
def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0, *, threads=None):
    """Fits a polynomial to the points around each point, as scipy.signal.savgol_filter does.

    Parameters
    ----------
    x : array_like
        The result is float32 if x is float32, otherwise float64.
    window_length : int
        Number of points of each fit.
    polyorder : int
        Degree of the polynomial, less than window_length.
    deriv : int
        Order of the derivative that is returned; 0: the polynomial.
    delta : float
        Distance between points, for derivatives.
    axis : int
        The axis along which to fit.
    mode : str
        interp: values at the edges are those of the polynomial that is fitted to the first or last window_length points. mirror,
        constant, nearest or wrap: values beyond the edges, see correlate1d.
    cval : float
        The value beyond the edges if mode is constant.
    threads : int, optional
        See stencil.filters.

    Returns
    -------
    array with the shape of x
    """
    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    x = input_of(x)
    if x.dtype not in (np.float32, np.float64):
        x = x.astype(np.float64)
    axis = normalized_axis(axis, x.ndim)
    if polyorder >= window_length:
        raise ValueError("polyorder must be less than window_length.")
    middle = fit_values(window_length, polyorder, deriv, delta, np.array([(window_length - 1) / 2]))[0]
    if mode != "interp":
        return convolve1d(x, middle[::-1], axis, mode=mode, cval=cval, threads=threads)
    if window_length > x.shape[axis]:
        raise ValueError("If mode is 'interp', window_length must be less than or equal to the size of x.")
    y = convolve1d(x, middle[::-1], axis, mode="constant", threads=threads)
    half, points, results = window_length // 2, np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0)
    at = np.arange(half)
    for window, edge, places in ((points[:window_length], results[:half], at),
                                 (points[-window_length:], results[len(results) - half:], at + window_length - half)):
        edge[...] = np.tensordot(fit_values(window_length, polyorder, deriv, delta, places), window.astype(np.float64), 1)
    return y


def fit_values(window_length, polyorder, deriv, delta, places):
    """Returns an array (len(places), window_length): the weights of `window_length` points in the value, or in the derivative, of the
    fitted polynomial at `places`, which are in points from the first point."""
    if deriv > polyorder:
        return np.zeros((len(places), window_length))
    middle, delta = (window_length - 1) / 2, float(delta)
    scale = max(middle, 1.0)  # coordinates in the window are from -1 to 1, for a well-conditioned fit
    powers = np.vander((np.arange(window_length) - middle) / scale, polyorder + 1, increasing=True)
    values = np.zeros((len(places), polyorder + 1))
    for order in range(deriv, polyorder + 1):
        values[:, order] = math.perm(order, deriv) * ((places - middle) / scale) ** (order - deriv)
    return np.linalg.lstsq(powers.T, values.T, rcond=None)[0].T / (delta * scale) ** deriv
