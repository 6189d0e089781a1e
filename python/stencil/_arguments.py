"""Arguments as scipy.ndimage has them: modes, axes, sequences with a value for each axis, outputs."""

import functools
import operator
import sys
import warnings

import numpy as np

# by the words of scipy.ndimage: the order of BoundaryRule in framework/grid/boundary.hpp
RULES = {"reflect": 0, "grid-mirror": 0, "mirror": 1, "nearest": 2, "wrap": 3, "grid-wrap": 3, "constant": 4, "grid-constant": 4}
CONSTANT = 4
NATIVE = frozenset("bhilqBHILQ?fd")
MOST_AXES = 8  # of the library
HOST_DEVICES = (1, 3, 11)  # of DLPack: memory of the host, including memory that CUDA or ROCm has pinned


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
    """Axes as a tuple of numbers from 0; None: all of them."""
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
    """A list with one value for each axis."""
    if isinstance(value, str) or not np.iterable(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise RuntimeError("sequence argument must have length equal to input rank")
    return values


def is_type(output):
    return isinstance(output, (type, np.dtype, str))


def output_for(output, input, is_complex=False, shape=None):
    """The array for the results: a new one of the input's type or of the type `output`, or `output` itself."""
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
    output = input_of(output)
    if output.shape != shape:
        raise RuntimeError(f"output shape not correct: {output.shape} instead of {shape}")
    if is_complex and output.dtype.kind != "c":
        raise RuntimeError("output must have complex dtype")
    return output


def input_of(input):
    """The input as a NumPy array, without a copy where it lies in the host's memory."""
    if isinstance(input, np.ndarray):
        return np.asarray(input)
    if hasattr(input, "__dlpack_device__"):
        device = input.__dlpack_device__()[0]
        if device not in HOST_DEVICES:
            raise TypeError(f"the array lies on a device of DLPack type {int(device)}: this build computes on CPUs; copy the array to the host")
        if not hasattr(input, "__array__"):
            return np.from_dlpack(input)
    return np.asarray(input)


def of_its_kind(function):
    """Decorator: the function returns arrays of the library of its first argument (for example PyTorch tensors) if that library has
    from_dlpack(). If an array is passed as `output`, the function returns that array."""
    @functools.wraps(function)
    def returned(input, *arguments, **options):
        result = function(input, *arguments, **options)
        if isinstance(input, np.ndarray) or not hasattr(input, "__dlpack__"):
            return result
        output = options.get("output")
        if output is not None and not is_type(output):
            return output
        library = sys.modules.get(type(input).__module__.partition(".")[0])
        return library.from_dlpack(result) if hasattr(library, "from_dlpack") else result
    return returned


def native(array):
    """The array, or a copy that the library can read."""
    if array.dtype.char not in NATIVE:
        raise RuntimeError(f"data type not supported: {array.dtype}; use float32, float64, complex64, complex128 or integers")
    if not (array.dtype.isnative and array.flags.aligned):
        array = array.astype(array.dtype.newbyteorder("="))
    return array
