"""The functions of scipy.signal compared with SciPy."""

import itertools
import sys
import unittest

import numpy as np
import scipy.signal
import stencil
from compared import random_array

SHAPES = [((50,), (7,), None), ((7,), (50,), None), ((1,), (1,), None), ((30, 40), (5, 4), None), ((30, 4), (5, 40), None),
          ((30, 40), (1, 7), None), ((6, 7, 8), (3, 2, 4), None), ((3, 2, 4), (6, 7, 8), None), ((2, 3, 4, 5), (2, 2, 2, 3), None),
          ((5, 30), (1, 7), 1), ((5, 30), (5, 7), 1), ((1, 30), (5, 7), [1]), ((4, 5, 30), (4, 2, 7), [2, 1]), ((3000,), (900,), None)]


class Convolutions(unittest.TestCase):
    def test_every_type_shape_and_mode(self):
        rng = np.random.default_rng(1)
        for kind in ("f8", "f4", "i2", "u8", "c16", "c8", "f2"):
            for shape1, shape2, axes in SHAPES:
                x = random_array(rng, shape1, kind)
                y = random_array(rng, shape2, "f4" if kind == "c8" else kind)
                for mode in ("full", "same", "valid"):
                    for name in ("oaconvolve", "fftconvolve"):
                        with self.subTest(kind=kind, shapes=(shape1, shape2, axes), mode=mode, name=name):
                            self.compare(name, x, y, mode, axes)

    def test_types_of_results(self):
        kinds = ("?", "u1", "i2", "i4", "u8", "f4", "f8", "c8", "c16")
        for first, second in itertools.product(kinds, kinds):
            x, y = np.ones(20, first), np.ones(6, second)
            with self.subTest(first=first, second=second):
                self.assertEqual(stencil.oaconvolve(x, y).dtype, scipy.signal.oaconvolve(x, y).dtype)

    def compare(self, name, x, y, mode, axes):
        try:
            expected = getattr(scipy.signal, name)(x, y, mode, axes)
        except ValueError:
            with self.assertRaises(ValueError):
                getattr(stencil, name)(x, y, mode, axes)
            return
        found = getattr(stencil, name)(x, y, mode, axes)
        self.assertEqual(found.shape, expected.shape)
        if x.dtype != np.float16:  # for float16, the result type of SciPy's transforms depends on its version
            self.assertEqual(found.dtype, expected.dtype)
        size = np.abs(x).max().astype(float) * float(np.abs(y).astype(float).sum())
        eps = np.finfo(found.dtype).eps if found.dtype.kind in "fc" and x.dtype != np.float16 else 1e-7
        self.assertLessEqual(np.abs(found - expected).max(), 40 * eps * size)


class SavitzkyGolay(unittest.TestCase):
    def test_every_window_derivative_and_mode(self):
        rng = np.random.default_rng(2)
        old = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 11)  # older versions of SciPy require odd windows
        for shape, axis in (((40,), -1), ((5, 40, 3), 1), ((40, 6), 0)):
            x = rng.normal(size=shape)
            for window in (5, 7, 21) if old else (4, 5, 6, 21):
                for deriv in (0, 1, 2, 4):
                    for mode in ("interp", "mirror", "constant", "nearest", "wrap"):
                        with self.subTest(shape=shape, window=window, deriv=deriv, mode=mode):
                            expected = scipy.signal.savgol_filter(x, window, 3, deriv, 0.5, axis, mode, 2.0)
                            np.testing.assert_allclose(stencil.savgol_filter(x, window, 3, deriv, 0.5, axis, mode, 2.0), expected,
                                                       rtol=1e-9, atol=1e-9)
        for kind, result in ((np.float32, np.float32), (np.int16, np.float64)):
            self.assertEqual(stencil.savgol_filter(np.arange(20).astype(kind), 5, 2).dtype, result)


if __name__ == "__main__":
    sys.exit(unittest.main())
