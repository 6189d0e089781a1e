"""Other libraries that can compute cases of stencil_bench, called as their users would.

A peer is a pair of a name and a function of (source, target), both [ny, nx]. The function returns the result, which is in `target` if
the library can write to an existing array.
"""

import time

import numpy as np

LONG = 65  # number of taps from which an FFT can be faster



def scipy_ndimage(case, ndimage):
    mask = case.mask.astype(case.dtype)

    def in_two_passes(source, target):
        between = ndimage.correlate1d(source, case.factors[1], axis=1, mode="reflect")
        return ndimage.correlate1d(between, case.factors[0], axis=0, mode="reflect", output=target)

    if case.factors:
        return in_two_passes
    if 1 in mask.shape:
        axis = 1 if mask.shape[0] == 1 else 0
        return lambda source, target: ndimage.correlate1d(source, mask.ravel(), axis, mode="reflect", output=target)
    return lambda source, target: ndimage.correlate(source, mask, mode="reflect", output=target)


def scipy_fft(case, signal):
    """Returns a peer that uses overlap-add, with zeros beyond the edges; None if the case is not for transforms."""
    if case.mask.size < LONG or case.factors or case.kind == "column":
        return None
    flipped = np.ascontiguousarray(case.mask[::-1, ::-1].astype(case.dtype))
    return lambda source, target: signal.oaconvolve(source, flipped, mode="same")


def scipy_fft_at_once(case, signal):
    """Returns a peer that transforms the whole array at once, with zeros beyond the edges."""
    flipped = np.ascontiguousarray(case.mask[::-1, ::-1].astype(case.dtype))
    return lambda source, target: signal.fftconvolve(source, flipped, mode="same")


def numpy_convolve(case, _):
    if not case.one_row:
        return None
    flipped = case.mask[0, ::-1].astype(case.dtype)
    return lambda source, target: np.convolve(source[0], flipped, mode="same")[None, :]


def opencv(case, cv2):
    if case.factors:
        column, row = (taps.astype(case.dtype) for taps in case.factors)
        return lambda source, target: cv2.sepFilter2D(source, -1, row, column, dst=target, borderType=cv2.BORDER_REFLECT)
    mask = case.mask.astype(case.dtype)
    return lambda source, target: cv2.filter2D(source, -1, mask, dst=target, borderType=cv2.BORDER_REFLECT)


def in_steps(case, once):
    """Returns a peer that applies `once` step after step, alternating between two arrays; the source is not changed."""
    def run(source, target):
        arrays = target, np.empty_like(target)
        for step in range(case.steps):
            source = once(source, arrays[step % 2])
        return source
    return once if case.steps == 1 else run


def peers_of(case, modules):
    """Returns the peers that can compute a case. modules: {name: imported library, or None if the library is missing}."""
    made = []
    # direct sums would take minutes for large masks
    at_once = case.kind in case.GRIDS or case.is_long
    scipy = ((modules["signal"], scipy_fft_at_once) if at_once else (modules["ndimage"], scipy_ndimage))
    peers = [("SciPy", *scipy), ("SciPy FFT", modules["signal"], scipy_fft)]
    if not case.is_long:
        peers += [("NumPy", np, numpy_convolve), ("OpenCV", modules["cv2"], opencv)]
    for name, module, once in peers:
        function = once(case, module) if module is not None else None
        if function is not None:
            made.append((name, in_steps(case, function)))
    return made


def noise(shape, dtype):
    """Returns random numbers of both signs: with zeros, some processors would be faster."""
    return np.random.default_rng(7).random(shape, dtype=dtype) - dtype.type(0.5)


def error_of(case, run):
    """Returns the largest difference between a peer and the case's definition at outputs that do not depend on the edges, divided by the
    largest result."""
    height, width = case.reach()
    source = noise((1, 3 * width + 500) if case.one_row else (3 * height + 40, 3 * width + 50), case.dtype)
    result = run(source, np.empty_like(source))
    expected = case.definition(source)
    # the result has the same size as the input, and the centre of a mask of w taps is tap w / 2
    top, left = (case.steps * (extent // 2) for extent in case.mask.shape)
    columns = source.shape[1] - width
    inner = result[top:top + expected.shape[0], left:left + columns][:, case.places(columns)]
    return np.abs(inner - expected).max() / np.abs(expected).max()


class Timer:
    """Times one peer on one case. The number of points is chosen so that one call takes about the given duration."""

    def __init__(self, case, run, most_points, seconds):
        """seconds: approximate longest duration of one call."""
        self.case, self.run = case, run
        points = 1 << 14
        while True:
            self.make_arrays(points)
            self.rate()  # the first call includes setting up
            longer = 4 * self.points / self.rate()
            if points == most_points or longer > seconds:
                break
            points = min(4 * points, most_points)
        self.is_small = points < most_points / 2

    def make_arrays(self, points):
        self.source = noise(self.case.shape(points), self.case.dtype)
        self.target = np.zeros_like(self.source)
        self.points = self.source.size * self.case.steps

    def rate(self):
        """Returns the output points per second of one call."""
        start = time.perf_counter()
        self.run(self.source, self.target)
        return self.points / (time.perf_counter() - start)
