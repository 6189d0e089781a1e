"""Random calls of the functions of scipy.ndimage, compared with SciPy in float64 or complex128: modes, axes, origins, orders, types
of inputs, layouts of inputs and outputs, outputs that share memory with the input, arrays without points."""

import sys
import unittest
import warnings

import numpy as np
import scipy.ndimage
import stencil
from compared import THOROUGH, random_array

MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]
FLOATS, COMPLEX, INTEGERS = ["f4", "f8"], ["c8", "c16"], ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"]
ALONG_ONE = ["correlate1d", "convolve1d", "gaussian_filter1d", "uniform_filter1d", "sobel", "prewitt"]
ALONG_SEVERAL = ["correlate", "convolve", "gaussian_filter", "uniform_filter", "laplace", "gaussian_laplace", "gaussian_gradient_magnitude"]
EXTENTS = {0: 1, 1: 60, 2: 25, 3: 12, 4: 7, 5: 5}  # the longest axis for each number of axes
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


class Call:
    """A function of scipy.ndimage with random arguments: name, input, positional and keyword arguments."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.ndim = int(rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5]))
        shape = tuple(int(rng.integers(rng.random() > 0.02, EXTENTS[self.ndim] + 1)) for _ in range(self.ndim))
        self.kind = self.one_of([*FLOATS, *FLOATS, *COMPLEX, *INTEGERS])
        self.input = random_array(rng, shape, self.kind)
        self.name = self.one_of(ALONG_ONE + ALONG_SEVERAL if self.ndim else ALONG_SEVERAL)
        self.options = {"cval": float(rng.normal() * 20)} if rng.random() < 0.7 else {}
        self.axes, self.positional, self.size = list(range(self.ndim)), [], 4.0**self.ndim * 4
        getattr(self, "_" + self.name.replace("convolve", "correlate").replace("prewitt", "sobel"))()

    def one_of(self, values):
        return values[int(self.rng.integers(len(values)))]

    def mode(self):
        return self.one_of(MODES)

    def per_axis(self, make):
        """A value, or a list of one for each axis."""
        return make() if self.rng.random() < 0.5 else [make() for _ in self.axes]

    def some_axes(self):
        if self.ndim and self.rng.random() < 0.5:
            chosen = self.rng.permutation(self.ndim)[:int(self.rng.integers(0, self.ndim + 1))]
            self.axes = [int(axis) - self.ndim * (self.rng.random() < 0.3) for axis in sorted(chosen)]
            self.options["axes"] = tuple(self.axes)

    def one_axis(self):
        self.options["axis"] = int(self.rng.integers(-self.ndim, self.ndim))

    def weights(self, shape):
        taps = self.one_of([self.rng.normal(size=shape), self.rng.integers(-3, 4, shape), self.rng.normal(size=shape).astype("f4"),
                            self.rng.normal(size=shape) + 1j * self.rng.normal(size=shape)])
        self.size = max(1.0, float(np.abs(taps).sum()))
        self.positional = [np.asarray(taps)]

    def _correlate1d(self):
        self.one_axis()
        count = int(self.rng.integers(1, 12))
        self.weights(count)
        self.options.update(mode=self.mode(), origin=int(self.rng.integers(-(count // 2) + (self.name == "convolve1d" and count % 2 == 0), (count - 1) // 2 + 1)))

    def _correlate(self):
        self.some_axes()
        shape = tuple(int(self.rng.integers(1, 5 if len(self.axes) < 4 else 3)) for _ in self.axes)
        self.weights(shape)
        even = self.name == "convolve"
        self.options.update(mode=self.mode(), origin=[int(self.rng.integers(-(n // 2) + (even and n % 2 == 0), (n - 1) // 2 + 1)) for n in shape])

    def _gaussian_filter1d(self):
        self.one_axis()
        self.positional = [self.one_of([0.3, 1, 1.7, 3.2])]
        self.options.update(mode=self.mode(), order=self.one_of([0, 0, 1, 2, 3]), truncate=self.one_of([2.5, 4.0]))

    def _gaussian_filter(self):
        self.some_axes()
        self.positional = [self.per_axis(lambda: self.one_of([0.4, 1, 1.7, 2.5, 0]))]
        self.options.update(mode=self.per_axis(self.mode), order=self.per_axis(lambda: self.one_of([0, 0, 1, 2])))
        if self.rng.random() < 0.3:
            self.options["radius"] = self.per_axis(lambda: self.one_of([0, 1, 3, 5]))

    def _uniform_filter1d(self):
        self.one_axis()
        size = self.one_of([1, 2, 3, 4, 5, 9, 30])
        self.positional = [size]
        self.options.update(mode=self.mode(), origin=int(self.rng.integers(-(size // 2), (size - 1) // 2 + 1)))

    def _uniform_filter(self):
        self.some_axes()
        self.positional = [self.per_axis(lambda: self.one_of([1, 2, 3, 4, 5]))]
        self.options["mode"] = self.per_axis(self.mode)

    def _sobel(self):
        self.one_axis()
        self.options["mode"] = self.per_axis(self.mode)

    def _laplace(self):
        self.some_axes()
        if self.axes:
            self.options["mode"] = self.per_axis(self.mode)

    def _gaussian_laplace(self):
        self._laplace()
        self.positional = [self.per_axis(lambda: self.one_of([0.4, 1, 1.7, 2.5]))]

    def _gaussian_gradient_magnitude(self):  # with `axes`, SciPy differs from its documentation
        self.positional = [self.per_axis(lambda: self.one_of([0.4, 1, 1.7]))]
        self.options["mode"] = self.per_axis(self.mode)

    def __str__(self):
        return f"{self.name}({self.input.dtype}{self.input.shape}, {self.positional}, {self.options})"


def laid_out(rng, array):
    """Returns an array with the same values in another memory layout."""
    way = int(rng.integers(7))
    if array.ndim == 0 or array.size == 0:
        return array
    if way == 0:
        return np.asfortranarray(array)
    if way == 1:
        backwards = (slice(None, None, -1),) * array.ndim
        return np.ascontiguousarray(array[backwards])[backwards]
    if way == 2:
        view = np.zeros([2 * n + 1 for n in array.shape], array.dtype)[tuple(slice(1, 2 * n + 1, 2) for n in array.shape)]
    elif way == 3:
        view = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)  # the elements are not aligned
    elif way == 4:
        return array.astype(array.dtype.newbyteorder(">"))
    else:
        return array
    view[...] = array
    return view


class AgainstScipy(unittest.TestCase):
    def test_random_calls(self):
        compared = 0
        for seed in range(60000 if THOROUGH else 2500):
            call = Call(seed)
            if "axes" in call.options and SCIPY < (1, 17):
                continue  # in older versions of SciPy, several functions lack `axes`, and correlate needs origins for all axes
            with self.subTest(seed=seed, call=str(call)), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compared += self.compare(call)
        self.assertGreater(compared, 1000)

    def compare(self, call):
        rng, is_complex = call.rng, any(np.iscomplexobj(one) for one in (call.input, *call.positional))
        reference = call.input.astype(np.complex128 if is_complex else np.float64)
        expected = getattr(scipy.ndimage, call.name)(reference, *call.positional, **call.options)
        kinds = COMPLEX if is_complex else FLOATS
        natural = np.promote_types(call.input.dtype, np.complex64) if is_complex else call.input.dtype
        way, options, points = int(rng.integers(4)), dict(call.options), laid_out(rng, call.input)
        kind = np.dtype(call.one_of(kinds)) if natural.kind not in "fc" or rng.random() < 0.5 else natural
        if way == 0 or kind != natural:
            options["output"] = kind
        elif way == 1:
            options["output"] = laid_out(rng, np.zeros(expected.shape, kind))
        elif way == 2 and natural == call.input.dtype:
            points = np.array(points)
            options["output"] = points
        elif way == 3 and natural == call.input.dtype and call.ndim:  # the output is in the same memory as the input, one row later
            memory = np.zeros((points.shape[0] + 1, *points.shape[1:]), kind)
            memory[:-1] = points
            points, options["output"] = memory[:-1], memory[1:]
        found = getattr(stencil, call.name)(points, *call.positional, **options)
        self.assertEqual(found.dtype.newbyteorder("="), kind)
        self.assertEqual(found.shape, expected.shape)
        if isinstance(options.get("output"), np.ndarray):
            self.assertIs(found, options["output"])
        if found.size == 0:
            return 0
        single = kind in (np.float32, np.complex64)
        largest = max(float(np.abs(reference).max()), abs(call.options.get("cval", 0)), 1e-30)
        allowed = (1e-5 if single else 2e-14) * call.size * largest
        if call.name == "gaussian_gradient_magnitude":  # the square root of a sum near 0 magnifies rounding errors
            allowed = (1e-3 if single else 1e-7) * max(call.ndim, 1) * largest
        self.assertLessEqual(np.abs(found - expected).max(), allowed)
        return 1


if __name__ == "__main__":
    sys.exit(unittest.main())
