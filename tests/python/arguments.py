"""Wrong arguments are refused as in SciPy, masks have SciPy's taps, and the package has the documented functions."""

import inspect
import pathlib
import sys
import unittest

import numpy as np
import scipy.ndimage
import scipy.signal
import stencil
from page import code_under

X = np.arange(30.0).reshape(5, 6)
WRONG = [
    ("correlate1d", ([],)), ("correlate1d", ([[1, 2]],)), ("correlate1d", ([1, 2], 2)), ("correlate1d", ([1, 2], -3)),
    ("correlate1d", ([1, 2, 3], 0, None, "reflekt")), ("correlate1d", ([1, 2, 3], 0, None, "reflect", 0.0, 2)),
    ("correlate1d", ([1, 2, 3], 0, None, "reflect", 0.0, -2)), ("correlate1d", ([1, 2, 3], 0, np.zeros(4))),
    ("convolve1d", ([1, 2, 3, 4], 0, None, "reflect", 0.0, 3)), 
    ("correlate", ([1, 2, 3],)), ("correlate", (np.zeros((0, 3)),)), ("correlate", (np.ones((3, 3)), None, ["reflect", "wrap"])),
    ("correlate", (np.ones((3, 3)), None, "reflect", 0.0, [2, 0])), ("convolve", (np.ones((2, 2)), None, "reflect", 0.0, [0, 1])),
    ("gaussian_filter", ([1, 2, 3],)), ("gaussian_filter", (1, -1)), ("gaussian_filter1d", (1, 0, -1)),
    ("uniform_filter1d", (0,)), ("uniform_filter1d", (3.0,)), ("uniform_filter1d", (3, -1, None, "reflect", 0.0, 2)), ("uniform_filter", (3, None, "best")),
    ("sobel", (2,)), ("laplace", (None, ["wrap"]))]


class Errors(unittest.TestCase):
    def test_wrong_arguments_raise_what_scipy_raises(self):
        for name, arguments in WRONG:
            with self.subTest(name=name, arguments=arguments):
                with self.assertRaises(Exception) as theirs:
                    getattr(scipy.ndimage, name)(X, *arguments)
                with self.assertRaises(type(theirs.exception)) as ours:
                    getattr(stencil, name)(X, *arguments)
                self.assertNotIn("\n", str(ours.exception))

    def test_complex_values_beyond_edges_need_complex_inputs(self):
        for weights in ([1, 2], [1j, 2]):  # SciPy raises ValueError for the second, and TypeError for the first
            with self.assertRaisesRegex(ValueError, "complex-valued cval"):
                stencil.correlate1d(X, weights, mode="constant", cval=1j)

    def test_arguments_of_other_types_are_refused_in_one_line(self):
        for options in ({"cval": None}, {"cval": "edge"}, {"origin": 0.5}, {"threads": 1.5}):
            with self.subTest(**options), self.assertRaises((TypeError, ValueError)) as caught:
                stencil.correlate1d(X, [1, 2, 3], **options)
            self.assertNotIn("\n", str(caught.exception))

    def test_radius_has_to_be_whole(self):
        for radius in (-1, 1.5):
            with self.assertRaisesRegex(ValueError, "Radius must be a nonnegative integer"):
                stencil.gaussian_filter1d(X, 1, radius=radius)

    def test_threads_and_types(self):
        for threads in (-1, 100000):
            with self.assertRaisesRegex(ValueError, "threads = "):
                stencil.gaussian_filter(X, 1, threads=threads)
        with self.assertRaisesRegex(RuntimeError, "float16"):
            stencil.gaussian_filter(X.astype(np.float16), 1)
        with self.assertRaisesRegex(TypeError, "device"):
            stencil.oaconvolve(OnDevice(), X)

    def test_signal_functions(self):
        for arguments in ((X, X[0]), (X, X, "most"), (X, X, "full", ()), (X, X, "full", (0, 0)), (X, X, "full", 2),
                          (X, X[:3], "full", 1), (X[:3], X[:, :4], "valid")):
            with self.assertRaises(ValueError) as theirs:
                scipy.signal.oaconvolve(*arguments)
            with self.assertRaises(ValueError) as ours:
                stencil.oaconvolve(*arguments)
            self.assertEqual(str(ours.exception)[:15], str(theirs.exception)[:15])
        for arguments in ((X, 3, 3), (X, 7, 2), (X, 3, 1, 0, 1.0, -1, "reflect")):
            with self.assertRaises(ValueError):
                stencil.savgol_filter(*arguments)


class OnDevice:
    def __dlpack_device__(self):
        return (2, 0)  # the device type of CUDA


class InHost:
    """An array of another library, whose only interface is DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        if isinstance(self.array, InHost):
            raise TypeError("made twice")
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def from_dlpack(array):
    """The function from_dlpack that every library with DLPack has; the library of InHost is this module."""
    return InHost(array)


class Package(unittest.TestCase):
    def test_signatures_begin_with_those_of_scipy(self):
        for module, names in ((scipy.ndimage, stencil.filters.__all__), (scipy.signal, stencil.signal.__all__)):
            for name in names:
                theirs = list(inspect.signature(getattr(module, name)).parameters)
                ours = list(inspect.signature(getattr(stencil, name)).parameters)
                with self.subTest(name=name):
                    self.assertEqual([one for one in theirs if one not in ("axes", "radius")],
                                     [one for one in ours if one in theirs and one not in ("axes", "radius")])

    def test_stubs_name_every_function(self):
        stubs = (pathlib.Path(stencil.__file__).parent / "__init__.pyi").read_text()
        for name in stencil.__all__:
            self.assertIn(name, stubs)
        for name in stencil.masks.__all__:
            self.assertIn(f"def {name}(", (pathlib.Path(stencil.__file__).parent / "masks.py").read_text())

    def test_the_first_result_of_the_page(self):
        names = {}
        exec(code_under("First result"), names)
        np.testing.assert_allclose(names["smooth"][:100, :100], scipy.ndimage.gaussian_filter(names["image"][:120, :120], 3)[:100, :100], atol=1e-6)
        self.assertIs(names["ndimage"], stencil)

    def test_dlpack(self):
        found, output = stencil.gaussian_filter(InHost(X), 1), InHost(np.zeros_like(X))
        self.assertIsInstance(found, InHost)
        np.testing.assert_array_equal(found.array, stencil.gaussian_filter(X, 1))
        self.assertEqual(stencil.oaconvolve(InHost(X), X).array.shape, (9, 11))
        if np.__version__.startswith("1."):  # the array that from_dlpack returns is read-only
            return
        self.assertIs(stencil.iterate(InHost(X), [1, 2, 1], 2, output=output), output)
        np.testing.assert_array_equal(output.array, stencil.iterate(X, [1, 2, 1], 2))


class Masks(unittest.TestCase):
    def test_taps_are_those_of_scipy(self):
        impulse = np.zeros((41, 41))
        impulse[20, 20] = 1
        masks = stencil.masks
        for taps, expected in ((masks.gaussian((1, 2), (0, 1)), scipy.ndimage.gaussian_filter(impulse, (1, 2), (0, 1))),
                               (masks.box(3), scipy.ndimage.uniform_filter(impulse, 3)), (masks.sobel(0), scipy.ndimage.sobel(impulse, 0)),
                               (masks.prewitt(), scipy.ndimage.prewitt(impulse)), (masks.laplace(), scipy.ndimage.laplace(impulse)),
                               (masks.log(2), scipy.ndimage.gaussian_laplace(impulse, 2))):
            np.testing.assert_allclose(scipy.ndimage.correlate(impulse, taps), expected, rtol=0, atol=1e-15)
        for taps, expected in ((masks.lowpass(101, 40, 1000), scipy.signal.firwin(101, 40, fs=1000)),
                               (masks.highpass(101, 40, 1000, "hann"), scipy.signal.firwin(101, 40, fs=1000, window="hann", pass_zero=False)),
                               (masks.bandpass(401, (35, 350), 4096), scipy.signal.firwin(401, (35, 350), fs=4096, pass_zero=False)),
                               (masks.bandstop(401, (49, 51), 1000), scipy.signal.firwin(401, (49, 51), fs=1000)),
                               (masks.savgol(11, 3, 1, 0.5), scipy.signal.savgol_coeffs(11, 3, 1, 0.5)[::-1])):
            np.testing.assert_allclose(taps, expected, rtol=0, atol=1e-13)

    def test_derivatives_are_in_the_unit_of_delta(self):
        masks, y, x = stencil.masks, *(0.5 * np.arange(40)[:, None], 3.0 * np.arange(40))
        field = 7 * y**2 - 5 * x + 2 * y * x
        for taps, expected in ((masks.gaussian(1.5, (1, 0), delta=(0.5, 3)), 14 * y + 2 * x), (masks.gaussian(1, (0, 1), delta=(0.5, 3)), 2 * y - 5 + 0 * x),
                               (masks.gaussian(1, 1, axes=1, delta=3)[np.newaxis], 2 * y - 5 + 0 * x), (masks.sobel(0, 0.5), 14 * y + 2 * x),
                               (masks.prewitt(1, delta=3), 2 * y - 5 + 0 * x), (masks.laplace(delta=(0.5, 3)), 14 + 0 * field),
                               (masks.laplace(axes=1, delta=0.5)[:, np.newaxis], 14 + 0 * field), (masks.log(1.5, radius=12, delta=(0.5, 3)), 14 + 0 * field)):
            found = stencil.correlate(field, taps)
            np.testing.assert_allclose(found[14:26, 14:26], expected[14:26, 14:26], rtol=1e-3)

    def test_sums_and_shapes(self):
        masks = stencil.masks
        for taps in (masks.disk(7.5), masks.annulus(9, 7.5), masks.binomial(5), masks.box((3, 5)), masks.gaussian(2, axes=1)):
            self.assertAlmostEqual(taps.sum(), 1, 12)
        self.assertEqual(masks.box((3, 5)).shape, (3, 5))
        self.assertEqual(masks.binomial(5, axes=1).shape, (5,))
        self.assertAlmostEqual(masks.dog(1).sum(), 0, 12)
        self.assertAlmostEqual(float(np.dot(masks.matched([1, 2, -3, 1]), [1, 2, -3, 1])), 1, 12)
        self.assertEqual(masks.gaussian(300).shape, (2401, 2401))  # an outer product of this size is stored by its factors

    def test_wrong_arguments_are_named(self):
        for call, words in ((lambda: stencil.masks.gaussian(-1), "sigma = -1"), (lambda: stencil.masks.box(0), "size"),
                            (lambda: stencil.masks.box(3, axes=3), "axes = 3"), (lambda: stencil.masks.savgol(4, 2), "size"),
                            (lambda: stencil.masks.bandpass(101, (350, 35), 4096), "cutoff"), (lambda: stencil.masks.sobel(2), "axis = 2"), (lambda: stencil.masks.gaussian((1, 2, 3)), "sigma = .1, 2, 3."),
                            (lambda: stencil.masks.sobel(delta=0), "delta = 0"), (lambda: stencil.masks.laplace(axes=1, delta=(1, 2)), "delta")):
            with self.assertRaisesRegex(ValueError, words):
                call()
        for call in (lambda: stencil.masks.box(3.5), lambda: stencil.masks.gaussian(1, 0.5), lambda: stencil.masks.binomial((3, 4.5))):
            with self.assertRaisesRegex(TypeError, "integer"):  # earlier versions rounded these numbers down
                call()


if __name__ == "__main__":
    sys.exit(unittest.main())
