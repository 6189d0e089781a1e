"""The functions of scipy.ndimage compared with SciPy: types, numbers of axes, boundaries, outputs, memory layouts."""

import itertools
import sys
import unittest

import numpy as np
import scipy.ndimage
import stencil
from compared import THOROUGH, assert_close, random_array

TYPES = ["f8", "f4", "u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "c8", "c16"]
SHAPES = [(41,), (1,), (23, 30), (1, 9), (9, 1), (6, 17, 12), (3, 4, 5, 6), (2, 1, 3, 2, 4, 2, 1, 2, 3)]
MODES = ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant"]
WEIGHTS = np.array([0.5, -1.25, 2, 0.75])


def grid_weights(ndim):
    return np.random.default_rng(5).normal(size=(2, 3, 3, 1, 2, 1, 1, 2, 1)[:ndim])


# the name of a function, its arguments for an array, and the factor by which values may grow
CALLS = [
    ("correlate1d", lambda x: (WEIGHTS, 0), 5), ("convolve1d", lambda x: (WEIGHTS,), 5),
    ("correlate", lambda x: (grid_weights(x.ndim),), 60), ("convolve", lambda x: (grid_weights(x.ndim),), 60),
    ("gaussian_filter1d", lambda x: (1.3, 0, 1), 2), ("gaussian_filter", lambda x: (1.3,), 2),
    ("uniform_filter1d", lambda x: (4,), 2), ("uniform_filter", lambda x: (3,), 2),
    ("sobel", lambda x: (), 2 * 4**3), ("prewitt", lambda x: (0,), 2 * 3**3), ("laplace", lambda x: (), 16),
    ("gaussian_laplace", lambda x: (1.1,), 20), ("gaussian_gradient_magnitude", lambda x: (1.1,), 20)]


class AgainstScipy(unittest.TestCase):
    def check(self, name, arguments, growth, x, **others):
        expected = getattr(scipy.ndimage, name)(x, *arguments, **others)
        before = x.copy()
        found = getattr(stencil, name)(x, *arguments, **others)
        np.testing.assert_array_equal(x, before)
        size = growth * max(1.0, float(np.abs(x.astype(np.complex128)).max()), abs(others.get("cval", 0)))
        if x.ndim > 4:
            size *= 4**5
        assert_close(self, found, expected, size, 60)

    def test_every_function_type_shape_and_boundary(self):
        cases = list(itertools.product(CALLS, TYPES, SHAPES, MODES))
        if not THOROUGH:
            cases = cases[::11]
        for number, ((name, arguments, growth), kind, shape, mode) in enumerate(cases):
            rng = np.random.default_rng(number)
            x = random_array(rng, shape, kind)
            if kind == "?" and name not in ("uniform_filter1d", "uniform_filter"):
                x = x.astype("u1")
            if kind[0] in "u?" and name not in ("uniform_filter1d", "uniform_filter", "gaussian_filter1d", "gaussian_filter"):
                continue  # in SciPy, negative results of this type are undefined
            with self.subTest(name=name, kind=kind, shape=shape, mode=mode):
                self.check(name, arguments(x), growth, x, mode=mode, cval=2.0)

    def test_means_of_constant_integers_are_these(self):
        for kind, value in (("u1", 255), ("u1", 1), ("i2", -300), ("i4", 2**31 - 1), ("u4", 2**32 - 1)):
            x = np.full((30, 31), value, kind)
            for sigma in np.arange(0.3, 6, 0.35):
                np.testing.assert_array_equal(stencil.gaussian_filter(x, sigma), x)
            for size in range(1, 29):
                np.testing.assert_array_equal(stencil.uniform_filter(x, size), x)

    def test_outputs_of_other_types(self):
        rng = np.random.default_rng(1)
        for name, arguments, growth in CALLS:
            for kind, into in (("i2", "f4"), ("f4", "f8"), ("f8", "f4"), ("f8", "i4"), ("u1", np.float64), ("i4", "int16")):
                x = random_array(rng, (20, 31), kind)
                with self.subTest(name=name, kind=kind, into=into):
                    self.check(name, arguments(x), growth, x, output=into if not isinstance(into, str) else np.dtype(into))

    def test_output_arrays_in_any_memory(self):
        rng = np.random.default_rng(2)
        x = random_array(rng, (24, 33), "f8")
        for name, arguments, _ in CALLS:
            expected = getattr(stencil, name)(x, *arguments(x))
            memory = np.full((48, 70), -7.0)
            for output in (memory[::2, :33], memory[1:25, 66:0:-2], memory.T[3:27, 2:35], memory[10:34, 5:38]):
                with self.subTest(name=name, strides=output.strides):
                    memory[...] = -7
                    self.assertIs(getattr(stencil, name)(x, *arguments(x), output=output), output)
                    np.testing.assert_allclose(output, expected, rtol=0, atol=1e-11)
                    self.assertEqual((memory != -7).sum(), x.size)

    def test_inputs_in_any_memory(self):
        rng = np.random.default_rng(3)
        memory = random_array(rng, (50, 60, 8), "f4")
        records = np.zeros((20, 30), dtype=[("a", "i1"), ("value", "f4")])
        records["value"] = memory[:20, :30, 0]
        views = [memory[::2, ::-3, 1], memory[:, :, 3], memory[0], memory.transpose(2, 0, 1), memory[::-1, 5], records["value"],
                 np.asfortranarray(memory), np.broadcast_to(memory[0, 0], (9, 8)), memory.astype(">f4")[:, 0]]
        for view in views:
            for name, arguments, _ in CALLS:
                with self.subTest(name=name, shape=view.shape, strides=view.strides):
                    plain = np.ascontiguousarray(view, np.float32)
                    found = getattr(stencil, name)(view, *arguments(view))
                    np.testing.assert_allclose(found, getattr(stencil, name)(plain, *arguments(plain)), rtol=1e-5, atol=2e-2)

    def test_output_is_the_input(self):
        rng = np.random.default_rng(4)
        for kind, shape in itertools.product(("f8", "i4", "c16"), ((40,), (20, 30), (4, 9, 11))):
            x = random_array(rng, shape, kind)
            for name, arguments, _ in CALLS:
                expected, array = getattr(stencil, name)(x, *arguments(x)), x.copy()
                with self.subTest(name=name, kind=kind, shape=shape):
                    getattr(stencil, name)(array, *arguments(array), output=array)
                    np.testing.assert_allclose(array, expected, rtol=1e-12, atol=1e-9)

    def test_same_bits_for_any_number_of_threads(self):
        rng = np.random.default_rng(6)
        for kind, shape in (("f4", (700, 800)), ("f8", (300000,)), ("i2", (60, 70, 80))):
            x = random_array(rng, shape, kind)
            for name, arguments, _ in CALLS:
                one = getattr(stencil, name)(x, *arguments(x), threads=1)
                with self.subTest(name=name, kind=kind):
                    for threads in (2, 3, None):
                        np.testing.assert_array_equal(getattr(stencil, name)(x, *arguments(x), threads=threads), one)

    def test_axes_and_values_for_each_axis(self):
        rng = np.random.default_rng(7)
        x = random_array(rng, (8, 9, 10), "f8")
        for axes in ((0, 2), (2, 0), 1, (-1,), (0, 1, 2)):
            count = 1 if axes == 1 else len(axes)
            modes = ["wrap", "mirror", "constant"][:count]
            with self.subTest(axes=axes):
                for name, arguments in (("gaussian_filter", {"sigma": [1, 2, 0][:count], "order": [0, 1, 0][:count], "radius": [2, 3, 1][:count]}),
                                        ("uniform_filter", {"size": [3, 1, 4][:count], "origin": [1, 0, -1][:count]}),
                                        ("gaussian_laplace", {"sigma": 1.0}), ("laplace", {})):
                    chosen = (axes,) if axes == 1 else axes
                    if name in ("gaussian_laplace", "laplace") and "axes" not in scipy.ndimage.laplace.__doc__:
                        continue
                    try:
                        expected = getattr(scipy.ndimage, name)(x, **arguments, mode=modes, cval=3, axes=chosen)
                    except TypeError:
                        self.assertLess(tuple(map(int, scipy.__version__.split(".")[:2])), (1, 15))  # older versions lack `axes`
                        continue
                    np.testing.assert_allclose(getattr(stencil, name)(x, **arguments, mode=modes, cval=3, axes=axes), expected,
                                               rtol=1e-12, atol=1e-10)

    def test_weights_along_three_axes_with_zeros_origins_and_constants(self):
        rng = np.random.default_rng(8)
        weights = rng.normal(size=(3, 4, 2))
        weights[1] = 0
        for kind in ("f8", "i4", "c16"):
            x = random_array(rng, (7, 6, 5), kind)
            for mode in MODES:
                for function in ("correlate", "convolve"):
                    with self.subTest(kind=kind, mode=mode, function=function):
                        self.check(function, (weights,), 60, x, mode=mode, cval=1.5, origin=[1, -2, 0] if function == "correlate" else [-1, 1, -1])

    def test_gradient_magnitude_smooths_along_its_axes_only(self):
        x = np.random.default_rng(9).normal(size=(4, 9, 10))
        expected = np.stack([scipy.ndimage.gaussian_gradient_magnitude(plane, (1, 1.5)) for plane in x])
        np.testing.assert_allclose(stencil.gaussian_gradient_magnitude(x, (1, 1.5), axes=(1, 2)), expected, rtol=0, atol=1e-13)

    def test_numbers_of_numpy_do_not_reduce_the_precision(self):
        x = np.random.default_rng(10).normal(size=(30, 31))
        for name, *arguments in (("gaussian_filter1d", 1.7, 0, 2), ("gaussian_filter", 1.7), ("gaussian_laplace", 1.7), ("savgol_filter", 7, 3, 1, 1.7)):
            single = [np.float32(one) if isinstance(one, float) else one for one in arguments]
            double = [float(one) if isinstance(one, np.float32) else one for one in single]
            np.testing.assert_array_equal(getattr(stencil, name)(x, *single), getattr(stencil, name)(x, *double))

    def test_empty_and_read_only_arrays(self):
        self.assertEqual(stencil.gaussian_filter(np.zeros((0, 3)), 1).shape, (0, 3))
        x = np.arange(12.0)
        x.flags.writeable = False
        stencil.uniform_filter1d(x, 3)
        with self.assertRaisesRegex(ValueError, "read-only"):
            stencil.uniform_filter1d(np.arange(12.0), 3, output=x)


class Missing(unittest.TestCase):
    def test_weights_are_renormalized(self):
        rng = np.random.default_rng(9)
        x = rng.normal(size=(40, 50)) + 10
        x[rng.random(x.shape) < 0.3] = np.nan
        valid = ~np.isnan(x)
        for name, arguments in (("gaussian_filter", (1.5,)), ("uniform_filter", (5,)), ("gaussian_filter1d", (2.0, 0))):
            reference = getattr(scipy.ndimage, name)
            with np.errstate(invalid="ignore", divide="ignore"):
                weight = reference(valid.astype(float), *arguments)
                expected = reference(np.where(valid, x, 0), *arguments) / weight
            expected[weight < 0.5] = np.nan
            found = getattr(stencil, name)(x, *arguments, missing=0.5)
            decided = np.abs(weight - 0.5) > 1e-9
            self.assertTrue(np.isnan(expected).any() and not np.isnan(expected).all() or name != "gaussian_filter")
            np.testing.assert_allclose(found[decided], expected[decided], rtol=1e-12)

    def test_three_axes_share_one_weight(self):
        rng = np.random.default_rng(12)
        x = rng.normal(size=(2, 9, 8, 10)) + 10
        x[rng.random(x.shape) < 0.3] = np.nan
        valid, weights = ~np.isnan(x), rng.random((1, 3, 2, 4))
        cases = ((lambda a, **more: stencil.gaussian_filter(a, (0.8, 0.6, 0.7), axes=(3, 1, 2), **more),
                  lambda a: scipy.ndimage.gaussian_filter(a, (0, 0.6, 0.7, 0.8))),
                 (lambda a, **more: stencil.uniform_filter(a, (3, 2, 4), axes=(1, 2, 3), origin=(1, 0, -1), **more),
                  lambda a: scipy.ndimage.uniform_filter(a, (1, 3, 2, 4), origin=(0, 1, 0, -1))),
                 (lambda a, **more: stencil.correlate(a, weights, **more), lambda a: scipy.ndimage.correlate(a, weights)))
        for function, reference in cases:
            share = reference(valid.astype(float)) / reference(np.ones(x.shape))
            with np.errstate(invalid="ignore", divide="ignore"):
                expected = np.where(share < 0.5, np.nan, reference(np.where(valid, x, 0)) / share)
            found, decided = function(x, missing=0.5), np.abs(share - 0.5) > 1e-9
            np.testing.assert_allclose(found[decided], expected[decided], rtol=1e-12)

    def test_four_axes_are_refused(self):
        for function in (lambda x: stencil.gaussian_filter(x, 1, missing=0.5), lambda x: stencil.correlate(x, x, missing=0.5)):
            with self.assertRaisesRegex(ValueError, "missing = 0.5 with .*4 axes"):
                function(np.ones((5, 5, 5, 5)))
        with self.assertRaisesRegex(ValueError, "missing = 2 must be"):
            stencil.gaussian_filter(np.zeros((5, 5)), 1, missing=2)


class Iterate(unittest.TestCase):
    def test_steps_are_those_of_correlate(self):
        x = np.random.default_rng(10).normal(size=(50, 60))
        for mask, axes in (([[0, 0.1, 0], [0.1, 0.6, 0.1], [0, 0.1, 0]], (0, 1)), ([0.25, 0.5, 0.25], (0,)), ([0.25, 0.5, 0.25], (1,))):
            weights = np.array(mask) if len(axes) == 2 else np.expand_dims(mask, 1 - axes[0])
            for mode in ("wrap", "reflect", "constant"):
                expected = x
                for _ in range(30):
                    expected = scipy.ndimage.correlate(expected, weights, mode=mode, cval=1)
                with self.subTest(axes=axes, mode=mode):
                    np.testing.assert_allclose(stencil.iterate(x, mask, 30, axes, mode=mode, cval=1), expected, rtol=0, atol=1e-13)
        np.testing.assert_array_equal(stencil.iterate(x, [1, 2], 0), x)

    def test_steps_along_three_axes(self):
        x = np.random.default_rng(13).normal(size=(6, 7, 2, 8))
        mask = np.random.default_rng(14).random((3, 3, 3)) / 30
        expected = x
        for _ in range(5):
            expected = scipy.ndimage.correlate(expected, mask[:, :, np.newaxis], mode="wrap")
        np.testing.assert_allclose(stencil.iterate(x, mask, 5, (0, 1, 3), mode="wrap"), expected, rtol=0, atol=1e-13)

    def test_wrong_arguments_are_named(self):
        for arguments, words in (((np.zeros(5), [1, 2], -1), "steps = -1"), ((np.zeros(5), [[1, 2]], 1), "mask.ndim = 2"),
                                 ((np.zeros((5, 5)), [1, 2], 1, (0, 1)), "axes = \\(0, 1\\)"), ((np.zeros(5), [], 1), "mask.shape")):
            with self.assertRaisesRegex(ValueError, words):
                stencil.iterate(*arguments)


if __name__ == "__main__":
    sys.exit(unittest.main())
