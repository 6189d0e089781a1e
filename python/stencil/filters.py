"""The filters of scipy.ndimage, with its names, arguments, defaults and errors.

All functions have the additional argument `threads`, the number of threads. None means all processors for large arrays and one
thread for small arrays. The results have the same bits for any number of threads. Some functions also have the argument `missing`:
points of the input that are NaN are omitted from the sums, and the remaining weights are rescaled. An output is NaN if the fraction
of the mask's weight on valid points is below `missing` (above 0, at most 1).

Sums are computed in float32 if the output is float32 and the input is float32 or an integer of 8 or 16 bits, otherwise in
float64. SciPy computes all sums in float64, so float32 results differ from those of SciPy by rounding.
"""

import itertools
import numbers
import operator

import numpy as np

from ._arguments import CONSTANT, array_of, for_each, is_type, may_overlap, normalized_axes, normalized_axis, of_its_kind, output_for, rule_of
from ._gpu import GpuArray
from ._passes import apply, run_passes

__all__ = ["correlate1d", "convolve1d", "correlate", "convolve", "gaussian_filter1d", "gaussian_filter", "uniform_filter1d",
           "uniform_filter", "sobel", "prewitt", "laplace", "gaussian_laplace", "gaussian_gradient_magnitude"]


NO_WEIGHTS = np.empty(0)  # used if the passes contain the weights


def check_missing(missing):
    if missing is not None and not 0 < missing <= 1:
        raise ValueError(f"missing = {missing} must be greater than 0 and at most 1: the share of the mask's weight that must be valid")
    return None if missing is None else float(missing)


def require_real(cval, input):
    if np.iscomplexobj(cval) and input.dtype.kind != "c":
        raise ValueError("Cannot provide a complex-valued cval when the input is real.")


def by_parts(function, input, weights, output, cval):
    """Applies function(input, weights, output, cval) to the real and imaginary parts of complex arrays."""
    require_real(cval, input)
    if input.dtype.kind == "c" and weights.dtype.kind == "c":
        part = output.real.dtype
        function(input.real, weights.real, output.real, np.real(cval))
        output.real -= function(input.imag, weights.imag, np.empty(input.shape, part), np.imag(cval))
        function(input.real, weights.imag, output.imag, np.real(cval))
        output.imag += function(input.imag, weights.real, np.empty(input.shape, part), np.imag(cval))
    elif input.dtype.kind == "c":
        function(input.real, weights, output.real, np.real(cval))
        function(input.imag, weights, output.imag, np.imag(cval))
    else:
        function(input, weights.real, output.real, cval)
        function(input, weights.imag, output.imag, cval)
    return output


def separated(input, weights, output, cval, function):
    """Calls function(input, weights, output, cval) on real arrays. For complex arrays that share memory with the output, the results
    are first written to other memory, because both parts of the input are needed until the end."""
    is_complex = input.dtype.kind == "c" or weights.dtype.kind == "c"
    output = output_for(output, input, is_complex)
    if input.size == 0:
        return output
    require_real(cval, input)
    if not is_complex and output.dtype.kind == "c":
        function(input, weights, output.real, cval)
        output.imag = 0
        return output
    if not is_complex:
        return function(input, weights, output, cval)
    into = np.empty_like(output) if np.may_share_memory(input, output) else output
    by_parts(function, input, weights, into, cval)
    if into is not output:
        output[...] = into
    return output


def taps_of(weights):
    return np.ascontiguousarray(weights, dtype=np.float64)


@of_its_kind
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, *, missing=None, threads=None):
    """Correlates an array with 1-D weights along an axis, as scipy.ndimage.correlate1d does.

    output[i] = sum_j weights[j] * input[i - len(weights) // 2 - origin + j]

    Parameters
    ----------
    input : array_like
        An array with any number of axes, of integers, real or complex numbers.
    weights : array_like
        1-D weights.
    axis : int
        The axis along which the weights run.
    output : array or dtype, optional
        The array for the results, or their type; the default is the type of the input. May be the input itself.
    mode : str
        The values beyond the edges: reflect, mirror, nearest, wrap, constant, grid-mirror, grid-wrap or grid-constant.
    cval : scalar
        The value beyond the edges if mode is constant.
    origin : int
        Shift of the weights, in points: positive values shift the results to higher indices, as in SciPy.
    missing : float, optional
        See stencil.filters.
    threads : int, optional
        See stencil.filters.

    Returns
    -------
    array with the shape of the input

    Raises
    ------
    RuntimeError, ValueError
        See scipy.ndimage.correlate1d.
    """
    input, weights = array_of(input), np.asarray(weights)
    missing = check_missing(missing)
    if weights.dtype.kind == "c":
        weights = weights.conj()
    require_real(cval, input)
    if weights.ndim != 1 or weights.shape[0] < 1:
        raise RuntimeError("no filter weights given")
    axis = normalized_axis(axis, input.ndim)
    check_origin(origin, len(weights), "len(weights)", "origin")
    rule = rule_of(mode)
    return separated(input, weights, output, cval, lambda x, w, out, value: apply(
        x, out, (taps_of(w),), [axis], [origin], [rule], value, missing=missing, threads=threads))


def check_origin(origin, length, size, name):
    if origin < -(length // 2) or origin > (length - 1) // 2:
        raise ValueError(f"Invalid origin; origin must satisfy -({size} // 2) <= {name} <= ({size}-1) // 2")


@of_its_kind
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, *, missing=None, threads=None):
    """Convolves an array with 1-D weights along an axis, as scipy.ndimage.convolve1d does. See correlate1d."""
    weights = np.asarray(weights)[::-1]
    flipped = weights.conj() if weights.dtype.kind == "c" else weights
    return correlate1d(input, flipped, axis, output, mode, cval, -origin - (len(weights) % 2 == 0), missing=missing, threads=threads)


@of_its_kind
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None, threads=None):
    """Correlates an array with weights that have the same number of axes, as scipy.ndimage.correlate does.

    If the weights have extents above 1 along at most three axes, one sum is computed. Otherwise the result is a sum of correlations
    along three axes, one for each index along the other axes. For arrays on a GPU, such weights may run along two axes at most.

    For the arguments, see correlate1d. `origin` may be a sequence with one value per axis, and `axes` are the axes of the input along
    which the weights run.
    """
    input, weights = array_of(input), np.asarray(weights)
    weights = weights.conj() if weights.dtype.kind == "c" else weights
    return correlate_any(input, weights, output, mode, cval, origin, axes, False, check_missing(missing), threads)


@of_its_kind
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None, threads=None):
    """Convolves an array with weights that have the same number of axes, as scipy.ndimage.convolve does. See correlate."""
    return correlate_any(array_of(input), np.asarray(weights), output, mode, cval, origin, axes, True, check_missing(missing), threads)


def correlate_any(input, weights, output, mode, cval, origin, axes, is_convolution, missing, threads):
    axes = normalized_axes(axes, input.ndim)
    if weights.ndim != len(axes):
        if len(axes) < input.ndim:
            raise RuntimeError(f"weights.ndim ({weights.ndim}) must match len(axes) ({len(axes)})")
        raise RuntimeError(f"weights.ndim ({weights.ndim}) must match len(axes) ({input.ndim}): filter weights array has incorrect shape.")
    if 0 in weights.shape:
        raise RuntimeError("no filter weights given: weights array has incorrect shape.")
    if not isinstance(mode, str) and np.iterable(mode):
        raise RuntimeError("A sequence of modes is not supported")
    origins = for_each(origin, len(axes))
    if len(axes) < input.ndim:  # as in SciPy, the weights' axes are in the order of the input's axes, and the origins in the order of `axes`
        origins = [origins[axes.index(axis)] for axis in sorted(axes)]
    axes = tuple(sorted(axes))
    if is_convolution:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [-one - (length % 2 == 0) for one, length in zip(origins, weights.shape)]
    for one, length in zip(origins, weights.shape):
        check_origin(one, length, "weights.shape[k]", "origin[k]")
    rule = rule_of(mode)
    if not axes and input.ndim > 0:  # a single weight
        axes, origins, weights = (input.ndim - 1,), [0], weights.reshape(1)
    return separated(input, weights, output, cval, lambda x, w, out, value: correlate_real(
        x, taps_of(w), out, axes, origins, rule, value, missing, threads))


def correlate_real(input, weights, output, axes, origins, rule, cval, missing, threads):
    long = [k for k in range(len(axes)) if weights.shape[k] > 1 or origins[k] != 0]
    if input.ndim == 0:
        output[...] = input * weights
        return output
    if len(long) < 2:
        k = long[0] if long else len(axes) - 1
        return apply(input, output, (taps_of(weights.reshape(-1)),), [axes[k]], [origins[k]], [rule], cval, False,
                     missing=missing, threads=threads)
    if len(long) == 2:
        shape = [weights.shape[k] for k in long]
        return apply(input, output, (weights.reshape(shape),), [axes[k] for k in long], [origins[k] for k in long], [rule] * 2,
                     cval, False, missing=missing, threads=threads)
    if isinstance(input, GpuArray):
        raise NotImplementedError(f"weights along {len(long)} axes on a GPU: copy the array to the host, or use correlate1d along each "
                                  "axis if the weights are an outer product")
    if len(long) == 3:
        shape = [weights.shape[k] for k in long]
        return apply(input, output, (taps_of(weights.reshape(shape)),), [axes[k] for k in long], [origins[k] for k in long],
                     [rule] * 3, cval, False, missing=missing, threads=threads)
    if missing is not None:
        raise ValueError(f"missing = {missing} with weights along {len(long)} axes: missing points are left out along three axes at most")
    if np.may_share_memory(input, output):
        input = input.copy()
    return sum_of_planes(input, weights, output, axes, origins, rule, cval, long[:-3], long[-3:], threads)


def sources(rule, extent, before, after):
    """Returns, for each index from -before to extent + after - 1, the index of the point whose value is used there; -1 for cval."""
    places = np.arange(-before, extent + after)
    if rule == CONSTANT:
        return np.where((places < 0) | (places >= extent), -1, places)
    modes = {0: "symmetric", 1: "reflect", 2: "edge", 3: "wrap"}
    return np.pad(np.arange(extent), (before, after), mode=modes[rule])


def sum_of_planes(input, weights, output, axes, origins, rule, cval, outer, inner, threads):
    """Applies a mask along many axes. For each index of the mask along the axes `outer`, the input is shifted along these axes and
    correlated along the axes `inner`; the results are summed."""
    kind = np.float32 if output.dtype == np.float32 and input.dtype in (np.float32, np.int8, np.uint8, np.int16, np.uint16) else np.float64
    total, plane = np.zeros(output.shape, kind), np.empty(output.shape, kind)
    places = {}
    for k in outer:
        centre, extent = weights.shape[k] // 2 + origins[k], input.shape[axes[k]]
        places[k] = sources(rule, extent, centre, weights.shape[k] - 1 - centre)
    for index in itertools.product(*(range(weights.shape[k]) for k in outer)):
        pick = [0] * weights.ndim
        for k, at in zip(outer, index):
            pick[k] = at
        for k in inner:
            pick[k] = slice(None)
        taps = taps_of(weights[tuple(pick)])
        if not taps.any():
            continue
        moved = input
        for k, at in zip(outer, index):
            extent = input.shape[axes[k]]
            moved = moved_along(moved, axes[k], places[k][at:at + extent], cval)
        apply(moved, plane, (taps,), [axes[k] for k in inner], [origins[k] for k in inner], [rule] * len(inner), cval, False,
              threads=threads)
        total += plane
    np.copyto(output, total, casting="unsafe")
    return output


def moved_along(array, axis, places, cval):
    moved = np.take(array, places, axis=axis)  # index -1 (cval) takes the last point, which is replaced below
    beyond = places < 0
    if beyond.any():
        if moved.dtype.kind != "f" and cval != np.asarray(cval).astype(moved.dtype):
            moved = moved.astype(np.float64)
        index = [slice(None)] * array.ndim
        index[axis] = beyond
        moved[tuple(index)] = cval
    return moved


def gaussian_taps(sigma, order, radius):
    """Returns a Gaussian or its derivative q(x) * exp(-x^2 / (2 sigma^2)), where the polynomial q is computed by recurrence."""
    if order < 0:
        raise ValueError("order must be non-negative")
    sigma = float(sigma)  # arithmetic with a NumPy scalar of type float32 would be in float32
    x = np.arange(-radius, radius + 1)
    bell = np.exp(-0.5 / (sigma * sigma) * x**2)
    bell /= bell.sum()
    if not order:
        return bell
    q = np.polynomial.Polynomial([1.0])
    for _ in range(order):
        q = q.deriv() - q * np.polynomial.Polynomial([0.0, 1.0 / (sigma * sigma)])
    return np.ascontiguousarray((q(x) * bell)[::-1])


def gaussian_for(output, sigma, order, radius):
    taps = gaussian_taps(sigma, order, radius)
    return taps if order else for_integers(taps, output)


def gaussian_radius(sigma, truncate, radius):
    radius = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if not isinstance(radius, numbers.Integral) or radius < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    return radius


@of_its_kind
def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None,
                      missing=None, threads=None):
    """Filters with a Gaussian, or with its derivative, along an axis, as scipy.ndimage.gaussian_filter1d does. See correlate1d.

    sigma: standard deviation in points. order: order of the derivative. radius: radius of the weights in points; by default
    truncate * sigma, rounded.
    """
    input = array_of(input)
    axis = normalized_axis(axis, input.ndim)
    output = output_for(output, input, input.dtype.kind == "c")
    taps = gaussian_for(output, sigma, order, gaussian_radius(sigma, truncate, radius))
    return along_axes(input, output, [(axis, taps, 0, rule_of(mode))], cval, missing, threads)


def along_axes(input, output, passes, cval, missing, threads):
    """Applies passes to a real or complex array; copies the array if there are no passes."""
    if input.size == 0:
        return output
    if not passes:
        output[...] = input[...]
        return output
    checked = check_missing(missing)
    return separated(input, NO_WEIGHTS, output, cval,
                     lambda x, _, out, value: run_passes(x, out, passes, value, checked, threads))


@of_its_kind
def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None,
                    missing=None, threads=None):
    """Filters with a Gaussian, or with its derivatives, along several axes, as scipy.ndimage.gaussian_filter does. See correlate1d.

    sigma, order, mode and radius may be sequences with one value per axis.
    """
    input = array_of(input)
    output = output_for(output, input, input.dtype.kind == "c")
    passes = gaussian_passes(output, normalized_axes(axes, input.ndim), sigma, order, mode, truncate, radius)
    return along_axes(input, output, passes, cval, missing, threads)


def gaussian_passes(output, axes, sigma, order, mode, truncate, radius):
    values = [for_each(value, len(axes)) for value in (sigma, order, mode, radius)]
    return [(axis, gaussian_for(output, one, nth, gaussian_radius(one, truncate, within)), 0, rule_of(rule))
            for axis, one, nth, rule, within in zip(axes, *values) if one > 1e-15]


def for_integers(taps, output):
    """Returns the weights of a mean. For integer outputs, the weights are increased by a few units in the last place. Otherwise a
    mean that is a whole number, as in a constant region, could be rounded down and then truncated to the next lower integer."""
    return taps * (1 + (len(taps) + 2) * 2.0**-52) if output.dtype.kind in "iub" else taps


def mean_taps(size, output):
    return for_integers(np.full(size, 1 / size), output)


def check_size(size, origin):
    if size < 1:
        raise RuntimeError("incorrect filter size")
    if not 0 <= size // 2 + origin < size:
        raise ValueError("invalid origin")


@of_its_kind
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0, *, missing=None, threads=None):
    """Computes the mean of `size` points along an axis, as scipy.ndimage.uniform_filter1d does. See correlate1d."""
    input = array_of(input)
    axis = normalized_axis(axis, input.ndim)
    check_size(size, origin)
    output = output_for(output, input, input.dtype.kind == "c")
    return along_axes(input, output, [(axis, mean_taps(operator.index(size), output), origin, rule_of(mode))], cval, missing, threads)


@of_its_kind
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None, threads=None):
    """Computes the mean over a box of points, as scipy.ndimage.uniform_filter does. See correlate1d.

    size, mode and origin may be sequences with one value per axis.
    """
    input = array_of(input)
    output = output_for(output, input, input.dtype.kind == "c")
    passes = mean_passes(output, normalized_axes(axes, input.ndim), size, origin, mode)
    return along_axes(input, output, passes, cval, missing, threads)


def mean_passes(output, axes, size, origin, mode):
    passes = []
    for axis, one, place, rule in zip(axes, *(for_each(value, len(axes)) for value in (size, origin, mode))):
        if one > 1:
            check_size(one, place)
            passes.append((axis, mean_taps(int(one), output), place, rule_of(rule)))
    return passes


def derivative(input, axis, output, mode, cval, smoothing, threads):
    input = array_of(input)
    passes = derivative_passes(input.ndim, axis, mode, smoothing)
    output = output_for(output, input, input.dtype.kind == "c")
    return along_axes(input, output, passes, cval, None, threads)


def derivative_passes(ndim, axis, mode, smoothing):
    axis, rules = normalized_axis(axis, ndim), [rule_of(one) for one in for_each(mode, ndim)]
    passes = [(axis, np.array([-1.0, 0.0, 1.0]), 0, rules[axis])]
    return passes + [(other, np.array(smoothing, dtype=np.float64), 0, rules[other]) for other in range(ndim) if other != axis]


@of_its_kind
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0, *, threads=None):
    """Computes the difference of the two neighbours along an axis, smoothed by 1 2 1 along the other axes, as scipy.ndimage.sobel does.
    See correlate1d."""
    return derivative(input, axis, output, mode, cval, [1, 2, 1], threads)


@of_its_kind
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0, *, threads=None):
    """Computes the difference of the two neighbours along an axis, smoothed by 1 1 1 along the other axes, as scipy.ndimage.prewitt does.
    See correlate1d."""
    return derivative(input, axis, output, mode, cval, [1, 1, 1], threads)


def summed_over_axes(input, output, mode, axes, term, square=False):
    """Returns the sum of term(input, axis, output, mode) over the axes or, if `square`, the square root of the sum of squares."""
    input = array_of(input)
    is_complex = input.dtype.kind == "c"
    result = output_for(output, input, is_complex)
    axes = normalized_axes(axes, input.ndim)
    if not axes:
        result[...] = input[...]
        return result
    modes = for_each(mode, len(axes))
    source = input.copy() if len(axes) > 1 and may_overlap(input, result) else input
    term(source, axes[0], result, modes[0])
    if square:
        np.multiply(result, result, result)
    for axis, one in zip(axes[1:], modes[1:]):
        more = term(source, axis, result.dtype, one)
        result += np.multiply(more, more, more) if square else more
    return np.sqrt(result, result, casting="unsafe") if square else result


@of_its_kind
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None, threads=None):
    """Computes second differences, summed over axes, as scipy.ndimage.laplace does. See correlate1d."""
    input = array_of(input)
    chosen = normalized_axes(axes, input.ndim)
    modes = for_each(mode, len(chosen))
    kind = input.dtype if output is None else np.dtype(output) if is_type(output) else array_of(output).dtype
    most = 2 if isinstance(input, GpuArray) else 3  # apply_on_gpu does not apply masks over three axes
    if 2 <= len(chosen) <= most and kind.kind == "f" and input.dtype.kind in "fiub" and input.size > 0:
        result, count = output_for(output, input), len(chosen)
        cross = np.zeros([3] * count)
        for axis in range(count):
            cross[tuple(slice(None) if k == axis else 1 for k in range(count))] = 1
        cross[(1,) * count] = -2 * count
        return apply(input, result, (cross,), list(chosen), [0] * count, [rule_of(one) for one in modes], cval, False,
                     threads=threads)
    return summed_over_axes(input, output, mode, axes, lambda x, axis, out, one: correlate1d(
        x, [1, -2, 1], axis, out, one, cval, threads=threads))


def gaussians_for(input, sigma, axes):
    input = array_of(input)
    axes = normalized_axes(axes, input.ndim)
    sigmas = [0] * input.ndim
    for axis, one in zip(axes, for_each(sigma, len(axes))):
        sigmas[axis] = one
    return input, sigmas


@of_its_kind
def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, threads=None, **kwargs):
    """Filters with the Laplacian of a Gaussian, as scipy.ndimage.gaussian_laplace does. See gaussian_filter."""
    input, sigmas = gaussians_for(input, sigma, axes)
    return summed_over_axes(input, output, mode, axes, lambda x, axis, out, one: gaussian_filter(
        x, sigmas, [2 * (k == axis) for k in range(x.ndim)], out, one, cval, threads=threads, **kwargs))


@of_its_kind
def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, threads=None, **kwargs):
    """Computes the magnitude of the gradient with Gaussian derivatives, as scipy.ndimage.gaussian_gradient_magnitude does. See
    gaussian_filter."""
    input, sigmas = gaussians_for(input, sigma, axes)
    return summed_over_axes(input, output, mode, axes, lambda x, axis, out, one: gaussian_filter(
        x, sigmas, [int(k == axis) for k in range(x.ndim)], out, one, cval, threads=threads, **kwargs), square=True)
