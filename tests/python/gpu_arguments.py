"""The Python code for arrays on a GPU, without a GPU: the library of the arrays is this module, its arrays lie in the memory of the
host, and the call of the GPU kernels is replaced by a call of the kernels for CPUs. gpu_arrays.py tests GPUs."""

import unittest
from unittest import mock

import numpy as np
import stencil
from stencil import _arrays, _gpu

float32, float64 = np.float32, np.float64


class Array:
    """An array that claims to lie on a GPU."""

    def __init__(self, values):
        self.values = values
        self.shape, self.dtype = values.shape, values.dtype

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, stream):
        assert stream == 1
        return self.values

    def __getitem__(self, index):
        return self.values[index]

    def __setitem__(self, index, other):
        self.values[index] = other.values

    def __iadd__(self, other):
        self.values += other.values
        return self


def empty_like(array, dtype):
    return Array(np.full(array.shape, 77, dtype))


def multiply(first, second, out):
    np.multiply(first.values, second.values, out.values)


def sqrt(array, out):
    np.sqrt(array.values, out.values)


def correlate_on_gpu(input, output, stream, taps, axes, origins, rules, cval, multiply_zeros, steps, missing, method):
    source = input.copy() if np.may_share_memory(input, output) else input
    _arrays.correlate(source, output, taps, axes, origins, rules, cval, multiply_zeros, 0, steps, missing, method, 1)


X = np.random.default_rng(0).normal(size=(7, 9, 11))
CALLS = [
    ("correlate1d", ([1, 2, 4],), {"axis": 1, "origin": 1}), ("convolve1d", ([1, 2, 4, 5],), {"mode": "wrap"}),
    ("correlate", (np.arange(12).reshape(1, 3, 4),), {"mode": "constant", "cval": 2.5}),
    ("convolve", (np.arange(6).reshape(2, 3),), {"axes": (2, 0), "origin": (0, -1)}),
    ("gaussian_filter1d", (1.5,), {"order": 1}), ("gaussian_filter", (1.2,), {}), ("gaussian_filter", ((1, 2),), {"axes": (0, 2)}),
    ("gaussian_filter", (0,), {}), ("uniform_filter1d", (4,), {"axis": 0}), ("uniform_filter", (3,), {"mode": ["wrap", "nearest", "mirror"]}),
    ("sobel", (0,), {}), ("prewitt", (1,), {}), ("laplace", (), {"axes": (0, 1)}), ("gaussian_laplace", (1.1,), {}),
    ("gaussian_gradient_magnitude", (1.1,), {}), ("iterate", ([[0, 1, 0], [1, -3, 1], [0, 1, 0]], 3), {}),
    ("correlate1d", ([1, 1, 1],), {"missing": 0.5})]


@mock.patch.object(_arrays, "has_gpu_kernels", True)
@mock.patch.object(_arrays, "correlate_on_gpu", correlate_on_gpu, create=True)
@mock.patch.object(_arrays, "wait_for_gpu", lambda device: None, create=True)
class Arguments(unittest.TestCase):
    def test_every_function(self):
        for name, arguments, options in CALLS:
            function = getattr(stencil, name)
            for kind in (float32, float64):
                x = X.astype(kind)
                with self.subTest(name=name, kind=kind):
                    expected = function(x, *arguments, **options)
                    found = function(Array(x), *arguments, **options)
                    self.assertIsInstance(found, Array)
                    np.testing.assert_array_equal(found.values, expected)
                    for target in (Array(np.zeros_like(x)), Array(x.copy())):  # the second target is the input itself
                        self.assertIs(function(target if target.values.any() else Array(x), *arguments, output=target, **options), target)
                        np.testing.assert_array_equal(target.values, expected)

    def test_laplace_over_three_axes(self):
        np.testing.assert_allclose(stencil.laplace(Array(X)).values, stencil.laplace(X), atol=1e-12)

    def test_types(self):
        for source, target in ((float32, float64), (float64, float32), (np.int16, float32), (np.int64, float64), (np.int64, float32)):
            x = (9 * X).astype(source)
            for name, arguments in (("gaussian_filter", (1,)), ("correlate", (np.arange(9).reshape(1, 3, 3),))):
                expected = getattr(stencil, name)(x, *arguments, output=target)
                np.testing.assert_array_equal(getattr(stencil, name)(Array(x), *arguments, output=target).values, expected)

    def test_refused_arguments(self):
        on_gpu, host = Array(X), X.copy()
        for arguments, options, words in (((on_gpu, 1), {"output": host}, "output lies in the memory of the host"),
                                          ((host, 1), {"output": on_gpu}, "output lies on a GPU"),
                                          ((Array(np.arange(5)), 1), {}, "output has the type int64"),
                                          ((on_gpu, 1), {"output": np.int32}, "output has the type int32"),
                                          ((Array(X.astype(complex)), 1), {}, "input has the type complex128"),
                                          ((Array(X.astype(np.float16)), 1), {}, "input has the type float16"),
                                          ((Array(np.array(1.0)), 1), {}, "input has no axes")):
            with self.assertRaisesRegex(TypeError, words) as error:
                stencil.gaussian_filter1d(*arguments, **options)
            self.assertNotIn("\n", str(error.exception))
        with self.assertRaisesRegex(TypeError, "weights are complex"):
            stencil.correlate1d(on_gpu, [1j, 2])
        with self.assertRaisesRegex(RuntimeError, "output shape not correct"):
            stencil.gaussian_filter(on_gpu, 1, output=Array(X[1:]))
        with self.assertRaisesRegex(NotImplementedError, "weights along 3 axes on a GPU"):
            stencil.correlate(on_gpu, np.ones((3, 3, 3)))
        for call in (lambda: stencil.gaussian_filter(on_gpu, 1, missing=0.5), lambda: stencil.iterate(on_gpu, np.ones((3, 3, 3)), 2)):
            with self.assertRaisesRegex(NotImplementedError, "weights along three axes on a GPU"):
                call()
        for function in (lambda x: stencil.oaconvolve(x, X), lambda x: stencil.savgol_filter(x, 3, 1)):
            with self.assertRaisesRegex(TypeError, "this function computes on CPUs"):
                function(on_gpu)

    def test_a_library_that_cannot_make_arrays(self):
        with mock.patch.object(_gpu, "library_of", lambda array: None):
            with self.assertRaisesRegex(TypeError, "give an output"):
                stencil.gaussian_filter(Array(X), 1)
            output = Array(np.zeros_like(X))
            self.assertIs(stencil.correlate1d(Array(X), [1, 2, 1], output=output), output)
            np.testing.assert_array_equal(output.values, stencil.correlate1d(X, [1, 2, 1]))


class WithoutCuda(unittest.TestCase):
    def test_arrays_on_a_gpu_are_refused(self):
        if _arrays.has_gpu_kernels:
            self.skipTest("the module is built with CUDA")
        with self.assertRaisesRegex(TypeError, "built without CUDA"):
            stencil.gaussian_filter(Array(X), 1)


if __name__ == "__main__":
    unittest.main()
