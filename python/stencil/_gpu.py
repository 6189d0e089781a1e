"""Arrays in the memory of a GPU, of CuPy, PyTorch or another library with DLPack."""

import contextlib
import math
import sys

import numpy as np

from . import _arrays

TYPES = {name: np.dtype(name) for name in ("float32", "float64", "bool", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)))}
GPU_DEVICES = (2, 13)  # device types of DLPack: memory of a CUDA device, and managed memory
LEGACY_STREAM = 1  # the number of the default stream in __dlpack__(stream=...)
SAME_STREAM = -1  # in __dlpack__(stream=...): the consumer uses the library's current stream, and no synchronization is needed


def lies_on_gpu(array):
    return hasattr(array, "__dlpack_device__") and int(array.__dlpack_device__()[0]) in GPU_DEVICES


def library_of(array):
    """Returns the module that makes arrays of this type, with the functions of NumPy or of the array API standard."""
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    return sys.modules.get(type(array).__module__.partition(".")[0])


class GpuArray:
    """An array of another library in the memory of a GPU, with the attributes of a NumPy array that the filters use.

    array: the array of the other library
    is_new: whether the array was made for the results, so that it shares no memory with an input
    """

    def __init__(self, array, is_new=False):
        if not _arrays.has_gpu_kernels:
            raise TypeError("the array lies on a GPU, and this module was built without CUDA: build it where nvcc is found "
                            "(pip install . -C cmake.define.STENCIL_CUDA=ON), or copy the array to the host")
        self.array, self.is_new, self.library = array, is_new, library_of(array)
        self.library_name = getattr(self.library, "__name__", "").partition(".")[0]
        if self.library_name == "torch" and array.is_neg():  # DLPack would pass on the stored numbers, whose signs are not changed yet
            raise TypeError("a negated view of a tensor on a GPU: use tensor.resolve_neg()")
        self.shape = tuple(array.shape)
        self.ndim, self.size = len(self.shape), math.prod(self.shape)
        name = str(array.dtype).rpartition(".")[2]
        if name not in TYPES:
            raise TypeError(f"input has the type {name}: on a GPU, use float32 or float64")
        self.dtype = TYPES[name]
        if self.ndim == 0:
            raise TypeError("input has no axes: on a GPU, use an array of at least one axis")

    def type_of(self, kind):
        """Returns the library's name of a type of NumPy."""
        return getattr(self.library, np.dtype(kind).name)

    def on_device(self):
        """Returns a context in which the array's device is the current device; the current stream is then the caller's stream on it."""
        if self.library_name == "torch":
            return self.library.cuda.device(self.array.device)
        return self.array.device if hasattr(getattr(self.array, "device", None), "__enter__") else contextlib.nullcontext()

    def stream(self):
        """Returns the number of the caller's stream on the current device, or None if the library is not known."""
        if self.library_name == "cupy":
            return sys.modules["cupy"].cuda.get_current_stream().ptr or LEGACY_STREAM
        if self.library_name == "torch":
            return self.library.cuda.current_stream().cuda_stream or LEGACY_STREAM
        return None

    def new(self, kind):
        """Returns a new array of the same shape on the same device."""
        if not hasattr(self.library, "empty_like"):
            raise TypeError(f"arrays of the type {type(self.array).__name__} on a GPU: give an output, because their library has no empty_like()")
        with self.on_device():
            return GpuArray(self.library.empty_like(self.array, dtype=self.type_of(kind)), is_new=True)

    def astype(self, kind):
        """Returns the array, or a copy of another type."""
        if self.dtype == kind:
            return self
        copy = self.new(kind)
        copy[...] = self
        return copy

    def copy(self):
        copy = self.new(self.dtype)
        copy[...] = self
        return copy

    def __getitem__(self, index):
        return self

    def __setitem__(self, index, values):
        with self.on_device():
            self.array[...] = values.array

    def __iadd__(self, other):
        with self.on_device():
            self.array += other.array
        return self

    def __array_ufunc__(self, function, method, *inputs, out, **options):
        """Computes np.multiply and np.sqrt by the functions of the library."""
        with self.on_device():
            getattr(self.library, function.__name__)(*(one.array for one in inputs), out=out[0].array)
        return out[0]

    def correlate(self, output, arguments, extent, steps, missing, method):
        """Applies a mask, see _passes.apply; the work is queued on the caller's stream.

        arguments: the arguments of _arrays.correlate from the taps to multiply_zeros
        """
        if extent != 0:
            raise NotImplementedError("mode = full or valid on a GPU: copy the array to the host")
        if len(arguments[1]) > 2:
            raise NotImplementedError("weights along three axes on a GPU: copy the array to the host")
        kind = np.float32 if output.dtype == np.float32 and (self.dtype == np.float32 or self.dtype.kind in "iub" and
                                                             self.dtype.itemsize <= 2) else np.float64
        source, target = self.astype(kind), output if output.dtype == kind else output.new(kind)
        with self.on_device():
            stream = self.stream()
            used, order = (LEGACY_STREAM, LEGACY_STREAM) if stream is None else (stream, SAME_STREAM)
            _arrays.correlate_on_gpu(source.array.__dlpack__(stream=order), target.array.__dlpack__(stream=order), used, *arguments,
                                     steps, missing, method)
            if stream is None:  # the library may use the output on any stream
                _arrays.wait_for_gpu(int(self.array.__dlpack_device__()[1]))
        if target is not output:
            output[...] = target
        return output


def output_on_gpu(output, input):
    """Returns the array for the results. See _arguments.output_for."""
    if output is None:
        output = input.dtype
    if not isinstance(output, GpuArray):
        if isinstance(output, (type, np.dtype, str)):
            kind = np.dtype(output)
            if kind not in (np.float32, np.float64):
                raise TypeError(f"output has the type {kind}: on a GPU, use output=numpy.float32 or numpy.float64")
            return input.new(kind)
        if not lies_on_gpu(output):
            raise TypeError("output lies in the memory of the host, and input on a GPU")
        output = GpuArray(output)
    if output.dtype not in (np.float32, np.float64):
        raise TypeError(f"output has the type {output.dtype}: on a GPU, use float32 or float64")
    if output.shape != input.shape:
        raise RuntimeError(f"output shape not correct: {output.shape} instead of {input.shape}")
    return output
