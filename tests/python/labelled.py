"""Labelled arrays (xarray) and arrays in blocks (dask): results, labels, lazy evaluation, refusals. The test is skipped
without xarray and dask."""

import datetime
import importlib.util
import sys
import unittest

import numpy as np
import stencil

for module in ("xarray", "dask"):
    if importlib.util.find_spec(module) is None:
        print(f"SKIPPED: no {module} (scripts/install_packages --python)")
        sys.exit(77)

import dask.array  # noqa: E402
import scipy.ndimage  # noqa: E402
import scipy.signal  # noqa: E402
import stencil.blocks  # noqa: E402
import stencil.labels  # noqa: E402, F401
import xarray  # noqa: E402
from page import code_under  # noqa: E402

RNG = np.random.default_rng(1)


class Blocks(unittest.TestCase):
    def test_blocks_join_without_seams(self):
        x = RNG.normal(size=(60, 70, 9))
        for chunks in ((20, 31, 9), (7, 70, 4), 60):
            lazy = dask.array.from_array(x, chunks=chunks)
            for mode in ("reflect", "nearest", "wrap", "constant"):
                weights, line = RNG.normal(size=(4, 3)), [1, 2, 3, 4.0]
                for found, expected in (
                        (stencil.blocks.gaussian_filter(lazy, (2, 1), mode=mode, cval=2, axes=(0, 1)),
                         scipy.ndimage.gaussian_filter1d(scipy.ndimage.gaussian_filter1d(x, 2, 0, mode=mode, cval=2), 1, 1, mode=mode, cval=2)),
                        (stencil.blocks.uniform_filter(lazy, 4, mode=mode, cval=2, axes=(0,)), scipy.ndimage.uniform_filter1d(x, 4, 0, mode=mode, cval=2)),
                        (stencil.blocks.correlate(lazy, weights, mode=mode, cval=2, axes=(0, 1)),
                         scipy.ndimage.correlate(x, weights[:, :, None], mode=mode, cval=2)),
                        (stencil.blocks.correlate1d(lazy, line, 0, mode=mode, cval=2, origin=1),
                         scipy.ndimage.correlate1d(x, line, 0, mode=mode, cval=2, origin=1))):
                    self.assertIsInstance(found, dask.array.Array)
                    with self.subTest(chunks=chunks, mode=mode):
                        np.testing.assert_allclose(found.compute(), expected, rtol=0, atol=1e-12)

    def test_derivatives_and_origins_do_not_depend_on_the_chunks(self):
        x = RNG.normal(size=(60, 40, 9))
        lazy, integers = (dask.array.from_array(one, chunks=(17, 13, 9)) for one in (x, (50 * x).astype(np.int16)))
        for mode in ("reflect", "constant"):
            # the derivative of a constant is 0, and not cval, which the masks along the other axes take beyond the edges
            for order in ((1, 0, 0), (0, 2, 1)):
                more = {"order": order, "mode": mode, "cval": 3}
                for array, allowed in ((lazy, 1e-12), (integers, 0)):
                    with self.subTest(mode=mode, order=order, kind=array.dtype):
                        np.testing.assert_allclose(stencil.blocks.gaussian_filter(array, 1, **more).compute(),
                                                   stencil.gaussian_filter(array.compute(), 1, **more), rtol=0, atol=allowed)
            for name, given, more in (("uniform_filter", ((3, 5, 1),), {"origin": (-1, 2, 0)}),
                                      ("correlate", (RNG.normal(size=(3, 5)),), {"origin": (-2, 1), "axes": (1, 0)})):
                with self.subTest(mode=mode, name=name):
                    more = {**more, "mode": mode, "cval": 3}
                    np.testing.assert_allclose(getattr(stencil.blocks, name)(lazy, *given, **more).compute(),
                                               getattr(stencil, name)(x, *given, **more), rtol=0, atol=1e-12)

    def test_values_beyond_the_edges_need_not_fit_the_type(self):
        x = RNG.integers(0, 100, (30, 20)).astype(np.uint8)
        lazy = dask.array.from_array(x, chunks=(11, 8))
        for name, arguments, more in (("correlate1d", ([0.25, 0.5, 0.25],), {"axis": 1}), ("correlate", (np.ones((3, 2)) / 6,), {}), ("gaussian_filter", (1,), {}),
                                      ("uniform_filter", (3,), {})):
            for cval in (100.5, 300):
                with self.subTest(name=name, cval=cval):
                    found = getattr(stencil.blocks, name)(lazy, *arguments, mode="constant", cval=cval, **more)
                    self.assertEqual(found.dtype, np.uint8)
                    np.testing.assert_array_equal(found.compute(), getattr(stencil, name)(x, *arguments, mode="constant", cval=cval, **more))

    def test_refusals(self):
        lazy = dask.array.zeros((10, 10), chunks=5)
        with self.assertRaisesRegex(ValueError, "mode = 'mirror'"):
            stencil.blocks.gaussian_filter(lazy, 1, mode="mirror")
        with self.assertRaisesRegex(ValueError, "reaches 40 points along axis 0"):
            stencil.blocks.gaussian_filter(lazy, 10)


def recorded(kind="datetime64[ns]"):
    time = np.arange(3000) * 0.002
    places = (np.datetime64("2024-05-01", "ns") + (time * 1e9).astype("timedelta64[ns]")) if kind.startswith("d") else time
    values = np.sin(2 * np.pi * 5 * time)[:, None] + np.sin(2 * np.pi * 60 * time)[:, None] * np.arange(4)
    attributes = {} if kind.startswith("d") else {"units": "s"}
    return xarray.DataArray(values, dims=("time", "channel"), name="strain", attrs={"units": "1e-9", "long_name": "strain"},
                            coords={"time": ("time", places, attributes), "channel": [3, 4, 5, 6], "distance": ("channel", [0.0, 1, 2, 3])})


class Labels(unittest.TestCase):
    def test_labels_are_kept(self):
        array = recorded()
        for found in (array.stencil.gaussian(2, "time"), array.stencil.bandpass(30, 90, "Hz", dim="time"), array.stencil.mean(3),
                      array.stencil.correlate([1, 0, -1], "channel"), array.stencil.savgol(7, 2, "time")):
            self.assertEqual((found.name, found.dims, found.attrs), (array.name, array.dims, array.attrs))
            xarray.testing.assert_identical(found.coords.to_dataset(), array.coords.to_dataset())

    def test_frequencies_are_those_of_the_coordinate(self):
        for kind in ("datetime64[ns]", "float"):
            array = recorded(kind)
            for scale, unit in ((1, "Hz"), (1e-3, "kHz"), (1e3, "mHz")) + (((1, "1/s"),) if kind == "float" else ()):
                for family, cutoff, ask in (("bandpass", [30, 90], array.stencil.bandpass), ("bandstop", [30, 90], array.stencil.bandstop),
                                            ("lowpass", [20], array.stencil.lowpass), ("highpass", [20], array.stencil.highpass)):
                    taps = scipy.signal.firwin(101, cutoff, fs=500, pass_zero=family)
                    expected = scipy.ndimage.correlate1d(array.values, taps, 0)
                    found = ask(*(scale * one for one in cutoff), unit, dim="time", taps=101)
                    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12)
        kept = recorded().stencil.bandpass(30, 90, "Hz", dim="time")[500:-500, 3]
        self.assertAlmostEqual(float(np.abs(kept).max()), 3, 1)  # the tone of 60 Hz is kept, the tone of 5 Hz is removed

    def test_dates_of_a_calendar(self):
        class Date:  # like the dates of the package cftime, which xarray keeps as objects
            def __init__(self, seconds):
                self.seconds = seconds

            def __sub__(self, other):
                return datetime.timedelta(seconds=self.seconds - other.seconds)

        array = recorded("float")
        dates = np.array([Date(86400 * day) for day in range(array.sizes["time"])])
        found = array.assign_coords(time=dates).stencil.lowpass(0.001, "mHz", "time", taps=101)
        expected = scipy.ndimage.correlate1d(array.values, scipy.signal.firwin(101, 0.0864, fs=1), 0)  # 0.001 mHz in 1/day
        np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12)

    def test_dimensions_by_name_in_any_order(self):
        array = recorded()
        weights = RNG.normal(size=(3, 5))
        turned = array.transpose("channel", "time")
        np.testing.assert_allclose(turned.stencil.correlate(weights, ("time", "channel")).transpose("time", "channel").values,
                                   scipy.ndimage.correlate(array.values, weights), rtol=0, atol=1e-12)
        np.testing.assert_allclose(array.stencil.gaussian((1, 2), ("channel", "time")).values, scipy.ndimage.gaussian_filter(array.values, (2, 1)),
                                   rtol=0, atol=1e-12)

    def test_dask_stays_lazy(self):
        array = recorded()
        lazy = array.chunk({"time": 700}).stencil.bandpass(30, 90, "Hz", dim="time")
        self.assertTrue(hasattr(lazy.data, "dask"))
        np.testing.assert_allclose(lazy.values, array.stencil.bandpass(30, 90, "Hz", dim="time").values, rtol=0, atol=1e-12)

    def test_the_code_of_the_page(self):
        places = xarray.DataArray(RNG.normal(size=(40, 50)), dims=("lat", "lon"))
        profile = xarray.DataArray(RNG.normal(size=2000), dims="distance", coords={"distance": ("distance", np.arange(2000.0), {"units": "m"})})
        time = np.datetime64("2024-05-01", "ns") + np.arange(4000) * np.timedelta64(244141, "ns")
        strain = xarray.DataArray(RNG.normal(size=4000), dims="time", coords={"time": time})
        names = {"temperature": places, "profile": profile, "strain": strain}
        exec(code_under("Labelled arrays: xarray and dask"), names)
        for name, array in (("smooth", places), ("slow", profile), ("band", strain)):
            self.assertEqual(names[name].shape, array.shape)
            self.assertLess(float(names[name].std()), float(array.std()))

    def test_numbers_as_objects(self):
        array = recorded("float")
        as_objects = array.assign_coords(time=array.time.values.astype(object))
        as_objects.time.attrs.update(array.time.attrs)
        np.testing.assert_array_equal(as_objects.stencil.lowpass(5, "Hz", "time").values, array.stencil.lowpass(5, "Hz", "time").values)

    def test_refusals_name_the_dimension(self):
        array = recorded("float")
        uneven = array.assign_coords(time=array.time.values**2)
        for call, words in ((lambda: array.stencil.gaussian(1, "tiem"), "dim = 'tiem'"),
                            (lambda: uneven.stencil.lowpass(5, "Hz", "time"), "'time' is not evenly spaced"),
                            (lambda: array.stencil.lowpass(5, "1/m", "time"), "unit = '1/m': use .* or 1/s"),
                            (lambda: array.stencil.lowpass(0.1, "Hz", "channel"), "'channel' has units = ''"),
                            (lambda: array.assign_coords(time=np.full(array.sizes["time"], "NaT", "datetime64[ns]")).stencil.lowpass(5, "Hz", "time"), "'time' has missing values"),
                            (lambda: array.assign_coords(channel=np.array([0.0, 1, None, 3], object)).stencil.lowpass(5, "1/", "channel"), "'channel' has missing values"),
                            (lambda: array.assign_coords(channel=list("abcd")).stencil.lowpass(5, "Hz", "channel"), "'channel' has the type <U1"),
                            (lambda: array.assign_coords(channel=np.array(list("abcd"), object)).stencil.lowpass(5, "Hz", "channel"), "'channel' has the type"),
                            (lambda: array.stencil.lowpass(0, "Hz", "time"), "lowpass: the frequency 0 Hz must be above 0"),
                            (lambda: array.stencil.bandpass(-1, 20, "Hz", "time"), "bandpass: the frequency -1 Hz"),
                            (lambda: array.drop_vars("time").stencil.lowpass(5, "Hz", "time"), "'time' has no coordinate"),
                            (lambda: array.stencil.correlate([[1, 2]], "time"), "weights.ndim = 2")):
            with self.assertRaisesRegex(ValueError, words):
                call()


if __name__ == "__main__":
    sys.exit(unittest.main())
