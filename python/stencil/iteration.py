"""Repeated application of a mask: explicit time steps."""

import operator

import numpy as np

from ._arguments import array_of, for_each, normalized_axes, of_its_kind, output_for, rule_of
from ._passes import apply
from .filters import taps_of

__all__ = ["iterate"]


@of_its_kind
def iterate(input, mask, steps, axes=None, output=None, mode="reflect", cval=0.0, *, threads=None):
    """Applies a mask `steps` times, each time to the results of the previous step. If that is faster, several steps are computed in
    one sweep over the memory. The results are those of `steps` calls of correlate on floating-point arrays.

    Parameters
    ----------
    input : array_like
        A real array; integers are converted to float64.
    mask : array_like
        Taps along one to three axes, applied as a correlation. The centre is at index length // 2 along each axis.
    steps : int
        Number of steps, 0 or more.
    axes : int or sequence of int, optional
        The axes along which the mask runs; by default the last mask.ndim axes.
    output : array or dtype, optional
        The array for the results, or its type, which is a floating-point type. May be the input itself.
    mode : str or sequence of str
        The values beyond the edges in every step; see correlate1d.
    cval : float
        The value beyond the edges if mode is constant.
    threads : int, optional
        See stencil.filters.

    Returns
    -------
    array with the shape of the input; float32 if the input is float32, otherwise float64, unless `output` is given
    """
    input, mask, steps = array_of(input), taps_of(mask), operator.index(steps)
    if input.dtype.kind not in "fiub":
        raise TypeError(f"input has the type {input.dtype}: iterate takes real arrays")
    if mask.ndim not in (1, 2, 3) or mask.size == 0:
        raise ValueError(f"mask.shape = {mask.shape}: use a mask of one to three axes")
    if steps < 0:
        raise ValueError(f"steps = {steps} must be 0 or more")
    if mask.ndim > input.ndim:
        raise ValueError(f"mask.ndim = {mask.ndim} is more than input.ndim = {input.ndim}")
    axes = normalized_axes(tuple(range(-mask.ndim, 0)) if axes is None else axes, input.ndim)
    if len(axes) != mask.ndim:
        raise ValueError(f"axes = {axes} must have {mask.ndim} axes, as the mask has")
    rules = [rule_of(one) for one in for_each(mode, mask.ndim)]
    source = input if input.dtype.kind == "f" else input.astype(np.float64)
    output = output_for(output, source)
    if output.dtype.kind != "f":
        raise TypeError(f"output has the type {output.dtype}: iterate makes floating-point arrays")
    if steps == 0 or input.size == 0:
        output[...] = source
        return output
    return apply(source, output, (mask,), list(axes), [0] * mask.ndim, rules, cval, mask.ndim == 1, steps=steps, threads=threads)
