"""Applies masks to arrays, along one to three axes at a time."""

import operator
import os

import numpy as np

from . import _arrays
from ._arguments import CONSTANT, MOST_AXES, native
from ._gpu import GpuArray

os.register_at_fork(after_in_child=_arrays.compute_alone_after_fork)

SAME, VALID, FULL = 0, 1, 2
AUTO, DIRECT, SEPARABLE, FFT = 0, 1, 2, 3  # MethodRequest in kernels/method/method_request.hpp


def apply(input, output, taps, axes, origins, rules, cval=0.0, multiply_zeros=True, extent=SAME, steps=1, missing=None,
          threads=None, method=AUTO):
    """Applies one mask along one to three axes of real arrays.

    taps: a tuple of one array with as many axes as `axes`, or of two or three 1-D arrays whose outer product is the mask
    missing: None, or the smallest fraction of the mask's weight that must be on valid points (points that are not NaN)
    """
    if isinstance(input, GpuArray):
        return input.correlate(output, (taps, axes, origins, rules, cval, multiply_zeros), extent, steps, missing, method)
    source = native(input)
    target = output
    if output.dtype == np.bool_ or not (output.dtype.isnative and output.flags.aligned and output.flags.writeable):
        if not output.flags.writeable:
            raise ValueError("output array is read-only")
        target = np.empty(output.shape, np.uint8 if output.dtype == np.bool_ else output.dtype.newbyteorder("="))
    native(target)
    if source.ndim > MOST_AXES or target.ndim > MOST_AXES:
        source, target, axes = fewer_axes(source, target, axes)
    threads = 0 if threads is None else operator.index(threads)
    if isinstance(cval, (str, bytes)):  # float() would convert a text
        raise TypeError(f"cval = {cval!r} must be a number")
    cval, origins = float(cval), [operator.index(origin) for origin in origins]
    if threads < 0:
        raise ValueError(f"threads = {threads} must be 1 or more")
    _arrays.correlate(source, target, taps, axes, origins, rules, cval, multiply_zeros, extent, steps, missing, method, threads)
    if target is not output and not np.may_share_memory(target, output):
        output[...] = target.reshape(output.shape)
    return output


def fewer_axes(source, target, axes):
    """Returns the arrays with the axes before, between and after the mask's axes merged; copies the arrays if necessary."""
    ordered = sorted(axes)
    bounds = [0]
    for axis in ordered:
        bounds += [axis, axis + 1]
    bounds.append(source.ndim)

    def merged(array):
        return array.reshape([int(np.prod(array.shape[a:b], dtype=np.int64)) for a, b in zip(bounds, bounds[1:])])

    return merged(source), merged(target), [2 * ordered.index(axis) + 1 for axis in axes]


def may_join(first, second, cval):
    """Returns whether two consecutive passes give the same results as the outer product of their masks.

    If the mode of the second pass is constant, this is so only if the first pass leaves cval unchanged.
    """
    return second[3] != CONSTANT or cval == 0 or abs(first[1].sum() - 1) < 1e-12


def joined_passes(passes, is_float, cval=0.0, missing=None):
    """Returns the passes as a list of lists. The passes of an inner list can be computed at once, with the same results."""
    if missing is not None and len(passes) > 3:
        raise ValueError(f"missing = {missing} with {len(passes)} axes: missing points are left out along three axes at most; use axes=")
    if missing is not None:  # the fraction of valid weight is that of the whole mask
        return [passes] if passes else []
    groups, todo = [], list(passes)
    while todo:
        # If the number of passes is odd, the first pass is computed separately, so that the last two passes, which run along the fastest
        # axes, are computed at once.
        count = 2 if len(todo) % 2 == 0 and is_float and may_join(todo[0], todo[1], cval) else 1
        groups.append(todo[:count])
        todo = todo[count:]
    return groups


def run_passes(input, output, passes, cval=0.0, missing=None, threads=None):
    """Applies 1-D masks along axes, one after the other. As in SciPy, intermediate results have the output's type.

    passes: a list of (axis, taps, origin, rule). Consecutive passes are computed at once if the results are the same.
    """
    for group in joined_passes(passes, output.dtype.kind == "f", cval, missing):
        axes, taps, origins, rules = zip(*group)
        apply(input, output, taps, list(axes), list(origins), list(rules), cval, missing=missing, threads=threads)
        input = output
    return output
