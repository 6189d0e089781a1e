"""Conversion and checks of the arguments of scipy.ndimage: modes, axes, sequences with one value per axis, outputs."""

import functools
import operator
import sys
import warnings

import numpy as np

from ._gpu import GpuArray, lies_on_gpu, output_on_gpu

# modes of scipy.ndimage, with the numbers of BoundaryRule in framework/grid/boundary.hpp
RULES = {"reflect": 0, "grid-mirror": 0, "mirror": 1, "nearest": 2, "wrap": 3, "grid-wrap": 3, "constant": 4, "grid-constant": 4}
CONSTANT = 4
NATIVE = frozenset("bhilqBHILQ?fd")
MOST_AXES = 8  # limit of the library
HOST_DEVICES = (1, 3, 11)  # device types of DLPack: host memory, including memory that CUDA or ROCm has pinned


def rule_of(mode):
    try:
        return RULES[mode]
    except (KeyError, TypeError):
        raise RuntimeError(f"boundary mode not supported: mode = {mode!r}; use one of {', '.join(RULES)}") from None


def normalized_axis(axis, ndim):
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim) if hasattr(np, "exceptions") else np.AxisError(axis, ndim)
    return axis % ndim


def normalized_axes(axes, ndim):
    """Returns axes as a tuple of nonnegative numbers; None means all axes."""
    if axes is None:
        return tuple(range(ndim))
    if np.isscalar(axes):
        axes = (axes,)
    elif not np.iterable(axes):
        raise ValueError("axes must be an integer, iterable of integers, or None")
    axes = tuple(operator.index(axis) for axis in axes)
    for axis in axes:
        if not -ndim <= axis < ndim:
            raise ValueError(f"specified axis: {axis} is out of range")
    axes = tuple(axis % ndim for axis in axes)
    if len(set(axes)) != len(axes):
        raise ValueError("axes must be unique")
    return axes


def for_each(value, count):
    """Returns a list of `count` values, one per axis; a single value is repeated."""
    if isinstance(value, str) or not np.iterable(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return values


def is_type(output):
    return isinstance(output, (type, np.dtype, str))


def output_for(output, input, is_complex=False, shape=None):
    """Returns the array for the results: `output` after checks, if `output` is an array; otherwise a new array.

    A new array has the shape `shape`, by default that of the input. Its type is `output` or, if `output` is None, the type of the
    input; if is_complex, this type is promoted to a complex type.
    """
    if isinstance(input, GpuArray):
        if is_complex:
            raise TypeError("weights are complex, and the array lies on a GPU: copy the array to the host")
        return output_on_gpu(output, input)
    shape = input.shape if shape is None else shape
    if output is None:
        kind = np.promote_types(input.dtype, np.complex64) if is_complex else input.dtype.newbyteorder("=")
        return np.empty(shape, kind)
    if is_type(output):
        kind = np.dtype(output)
        if is_complex and kind.kind != "c":
            if isinstance(output, str):
                raise RuntimeError("output must have complex dtype")
            warnings.warn("promoting specified output dtype to complex", stacklevel=4)
            kind = np.promote_types(kind, np.complex64)
        if isinstance(output, str) and not issubclass(kind.type, np.number):
            raise RuntimeError("output must have numeric dtype")
        return np.empty(shape, kind)
    if lies_on_gpu(output):
        raise TypeError("output lies on a GPU, and input in the memory of the host")
    output = input_of(output)
    if output.shape != shape:
        raise RuntimeError(f"output shape not correct: {output.shape} instead of {shape}")
    if is_complex and output.dtype.kind != "c":
        raise RuntimeError("output must have complex dtype")
    return output


def input_of(input):
    """Returns the input as a NumPy array, without a copy if it is in host memory."""
    if isinstance(input, np.ndarray):
        return np.asarray(input)
    if hasattr(input, "__dlpack_device__"):
        device = input.__dlpack_device__()[0]
        if device not in HOST_DEVICES:
            raise TypeError(f"the array lies on a device of DLPack type {int(device)}: this function computes on CPUs; copy the array to the host")
        if not hasattr(input, "__array__"):
            return np.from_dlpack(input)
    return np.asarray(input)


def array_of(input):
    """Like input_of, but an array in the memory of a GPU is returned as a GpuArray."""
    if isinstance(input, GpuArray):
        return input
    return GpuArray(input) if lies_on_gpu(input) else input_of(input)


def may_overlap(input, output):
    """Returns whether two arrays may share memory."""
    if isinstance(output, GpuArray):
        return not output.is_new
    return np.may_share_memory(input, output)


def of_its_kind(function):
    """Decorator for functions of an array: the result is an array of the library of the first argument, for example PyTorch.

    Results in host memory are NumPy arrays if that library has no from_dlpack(). If an array is passed as `output`, the function
    returns this array.
    """
    @functools.wraps(function)
    def returned(input, *arguments, **options):
        result = function(input, *arguments, **options)
        if isinstance(input, np.ndarray) or not hasattr(input, "__dlpack__"):
            return result
        if isinstance(result, GpuArray):
            return result.array
        output = options.get("output")
        if output is not None and not is_type(output):
            return output
        library = sys.modules.get(type(input).__module__.partition(".")[0])
        return library.from_dlpack(result) if hasattr(library, "from_dlpack") else result
    return returned


def native(array):
    """Returns the array, or a copy if its byte order or alignment is not supported."""
    if array.dtype.char not in NATIVE:
        raise RuntimeError(f"data type not supported: {array.dtype}; use float32, float64, complex64, complex128 or integers")
    if not (array.dtype.isnative and array.flags.aligned):
        array = array.astype(array.dtype.newbyteorder("="))
    return array
