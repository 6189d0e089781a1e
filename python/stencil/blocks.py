"""Filters of dask arrays. Each block is computed with the margins that the mask needs (dask.array.map_overlap).

By default one thread computes each block, because dask computes several blocks at a time; `threads` changes this.
"""

import functools
import itertools

import numpy as np

from . import filters
from ._arguments import for_each, normalized_axes, normalized_axis
from ._passes import may_join

__all__ = ["correlate1d", "correlate", "gaussian_filter", "uniform_filter"]

# modes and their names in dask, which has no mode mirror
BEYOND = {"reflect": "reflect", "grid-mirror": "reflect", "nearest": "nearest", "wrap": "periodic", "grid-wrap": "periodic"}

ALONE = {"threads": 1}


def is_cut_off(cval, array, modes):
    """Returns whether the array has an integer type that cannot represent cval, and cval is used beyond the edges."""
    is_used = any(mode in ("constant", "grid-constant") for mode in modes)
    return is_used and array.dtype.kind in "iub" and cval != np.asarray(cval).astype(array.dtype)


def with_margins(function, array, margins, modes, cval):
    """Applies function(block, **options) to every block of an array, extended by margins.

    margins: {axis: points on each side}; modes: {axis: mode}. The function returns an array with the shape of the extended block;
    values in the margins are ignored. Its only option is `output`, the type of the result; by default, this is the type of the block.
    """
    import dask.array

    if is_cut_off(cval, array, modes.values()):
        function, array = functools.partial(function, output=array.dtype), array.astype(np.float64)
    boundary = {axis: "none" for axis in range(array.ndim)}
    for axis, mode in modes.items():
        if mode in ("constant", "grid-constant"):
            boundary[axis] = cval
        elif mode in BEYOND:
            boundary[axis] = BEYOND[mode]
        else:
            raise ValueError(f"mode = {mode!r}: dask arrays have reflect, nearest, wrap and constant")
    depth = {axis: margins.get(axis, 0) for axis in range(array.ndim)}
    for axis, points in depth.items():
        if points > array.shape[axis]:
            raise ValueError(f"the mask reaches {points} points along axis {axis}, which has {array.shape[axis]}: compute the array first")
    kind = function(np.zeros((1,) * array.ndim, array.dtype)).dtype
    return dask.array.map_overlap(function, array, depth=depth, boundary=boundary, dtype=kind, meta=np.empty((0,) * array.ndim, kind))


def largest_shift(options):
    return int(np.max(np.abs(options.get("origin", 0))))


def correlate1d(array, weights, axis=-1, mode="reflect", cval=0.0, **options):
    """Applies stencil.correlate1d to a dask array, lazily. options: origin, missing, threads."""
    axis, length = normalized_axis(axis, array.ndim), len(weights)
    reach = length // 2 + largest_shift(options)
    return with_margins(lambda block, **more: filters.correlate1d(block, weights, axis, mode="nearest", **{**ALONE, **options, **more}), array, {axis: reach}, {axis: mode}, cval)


def correlate(array, weights, mode="reflect", cval=0.0, *, axes=None, **options):
    """Applies stencil.correlate to a dask array, lazily. options: origin, missing, threads."""
    weights, axes = np.asarray(weights), normalized_axes(axes, array.ndim)
    margins = {axis: length // 2 + largest_shift(options) for axis, length in zip(sorted(axes), weights.shape)}
    return with_margins(lambda block, **more: filters.correlate(block, weights, mode="nearest", axes=axes, **{**ALONE, **options, **more}), array, margins,
                        dict.fromkeys(axes, mode), cval)


def gaussian_filter(array, sigma, order=0, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None, **options):
    """Applies stencil.gaussian_filter to a dask array, lazily. options: missing, threads."""
    axes = normalized_axes(axes, array.ndim)
    sigmas, orders, radii, modes = (for_each(value, len(axes)) for value in (sigma, order, radius, mode))
    passes = filters.gaussian_passes(array, axes, sigmas, orders, modes, truncate, radii)
    # beyond the edges the mask along each axis takes cval, and not results of the masks along other axes
    may_be_joined = all(may_join(*two, cval) for two in itertools.combinations(passes, 2)) and not is_cut_off(cval, array, modes)
    if options.get("missing") is None and len(axes) > 1 and not may_be_joined:
        for axis, *of_axis, within, one in zip(axes, sigmas, orders, radii, modes):
            array = gaussian_filter(array, *of_axis, one, cval, truncate, radius=within, axes=(axis,), **options)
        return array
    margins = {axis: filters.gaussian_radius(one, truncate, within) if one > 1e-15 else 0 for axis, one, within in zip(axes, sigmas, radii)}
    return with_margins(lambda block, **more: filters.gaussian_filter(block, sigma, order, mode="nearest", truncate=truncate, radius=radius,
                                                                      axes=axes, **{**ALONE, **options, **more}), array, margins, dict(zip(axes, modes)), cval)


def uniform_filter(array, size=3, mode="reflect", cval=0.0, *, axes=None, **options):
    """Applies stencil.uniform_filter to a dask array, lazily. options: origin, missing, threads."""
    axes = normalized_axes(axes, array.ndim)
    sizes, modes = for_each(size, len(axes)), for_each(mode, len(axes))
    if len(axes) > 1 and options.get("missing") is None and is_cut_off(cval, array, modes):  # one axis at a time, as in gaussian_filter
        for axis, one, rule, origin in zip(axes, sizes, modes, for_each(options.pop("origin", 0), len(axes))):
            array = uniform_filter(array, one, rule, cval, axes=(axis,), origin=origin, **options)
        return array
    return with_margins(lambda block, **more: filters.uniform_filter(block, size, mode="nearest", axes=axes, **{**ALONE, **options, **more}), array,
                        {axis: int(one) // 2 + largest_shift(options) for axis, one in zip(axes, sizes)}, dict(zip(axes, modes)), cval)
