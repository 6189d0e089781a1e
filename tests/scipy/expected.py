"""The expected results, computed by plain NumPy in float64, and the error that rounding allows.

tests/scipy/expected_values.py checks this file against SciPy and np.pad.
"""

from dataclasses import dataclass, field

import numpy as np

WORDS = {"clamp": "nearest", "periodic": "wrap", "zero": "constant"}


def source_indices(word, first, last, n):
    """For each index of [first, last), the index of the point (of n points) whose value is used; -1 if `constant` uses its value."""
    index = np.arange(first, last)
    word = WORDS.get(word, word)
    if word == "nearest":
        return np.clip(index, 0, n - 1)
    if word == "wrap":
        return index % n
    if word == "reflect":
        index = index % (2 * n)
        return np.where(index < n, index, 2 * n - 1 - index)
    if word == "mirror":
        if n == 1:
            return np.zeros_like(index)
        index = index % (2 * n - 2)
        return np.where(index < n, index, 2 * n - 2 - index)
    if word == "constant":
        return np.where((index >= 0) & (index < n), index, -1)
    raise ValueError(word)


@dataclass
class Stage:
    """One stencil: taps along one or several axes, and the axes of the data that they run along."""

    taps: np.ndarray
    along: tuple
    operation: str = "correlate"
    boundary: tuple = ("reflect",)
    value: float = 0.0
    extent: str = "same"
    origin: tuple = (0,)
    stride: tuple = (1,)
    skip_zeros: bool = field(default=None)  # default: taps of 0 are skipped if the taps run along several axes

    def __post_init__(self):
        self.taps = exact(self.taps)
        if self.skip_zeros is None:
            self.skip_zeros = self.taps.ndim > 1


def stretched(data, stage):
    """The data, extended by the points beyond the edges that the outputs of the stage need (without regard to the stride)."""
    centre = [w // 2 + o for w, o in zip(stage.taps.shape, per_axis(stage.origin, stage))]
    if stage.operation == "convolve":
        centre = [w - 1 - c for w, c in zip(stage.taps.shape, centre)]
    words = per_axis(stage.boundary, stage)
    for axis, w, c, word in zip(stage.along, stage.taps.shape, centre, words):
        n = data.shape[axis]
        first, last = {"same": (-c, n - c + w - 1), "valid": (0, n), "full": (1 - w, n + w - 1)}[
            stage.extent
        ]
        source = source_indices(word, first, last, n)
        data = np.take(data, np.maximum(source, 0), axis=axis)
        if np.any(source < 0):
            value = 0.0 if word == "zero" else stage.value
            outside = [slice(None)] * data.ndim
            outside[axis] = source < 0
            data[tuple(outside)] = value
    return data


def exact(numbers):
    """Numbers as float64 or complex128."""
    numbers = np.asarray(numbers)
    return numbers.astype(np.complex128 if np.iscomplexobj(numbers) else np.float64)


def per_axis(values, stage):
    return tuple(values) * len(stage.along) if len(values) == 1 else tuple(values)


def correlated(wide, taps, stage):
    """Sums the taps over the extended data, then keeps every stride-th output."""
    counts = {a: wide.shape[a] - w + 1 for a, w in zip(stage.along, taps.shape)}
    total = np.zeros([counts.get(a, n) for a, n in enumerate(wide.shape)], np.result_type(wide, taps, np.float64))
    for place in np.ndindex(*taps.shape):
        if taps[place] == 0 and stage.skip_zeros:
            continue
        window = [slice(None)] * wide.ndim
        for axis, j in zip(stage.along, place):
            window[axis] = slice(j, j + counts[axis])
        with np.errstate(invalid="ignore"):
            total += taps[place] * wide[tuple(window)]
    step = [slice(None)] * wide.ndim
    for axis, s in zip(stage.along, per_axis(stage.stride, stage)):
        step[axis] = slice(None, None, s)
    return total[tuple(step)]


def laid(stage):
    """Returns the taps in the order in which they are multiplied by the input: flipped for a convolution, conjugated for a
    correlation, as in SciPy."""
    return stage.taps[(slice(None, None, -1),) * stage.taps.ndim] if stage.operation == "convolve" else np.conj(stage.taps)


def apply(data, stage):
    """One stage on data of any rank, in float64 or complex128."""
    return correlated(stretched(exact(data), stage), laid(stage), stage)


def apply_valid(data, stage, min_valid):
    """Applies one stage to the points that are not NaN, with rescaled weights (policy = renormalize).

    Returns the result, and for each output the share of the mask's weight on valid points.
    """
    data = np.asarray(data, np.float64)
    wide = stretched(data, stage)
    valid = (~np.isnan(wide)).astype(np.float64)
    taps = laid(stage)
    share = correlated(valid, np.abs(taps), stage) / np.abs(taps).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        result = correlated(np.where(valid > 0, wide, 0.0), taps, stage)
        result *= taps.sum() / correlated(valid, taps, stage)
    return np.where(share < min_valid, np.nan, result), share


def bound(taps, data, eps):
    """Largest rounding error of a direct sum: (2 w + 4) * eps * sum|M| * max|N|."""
    finite = np.abs(data[np.isfinite(data)])
    largest = finite.max() if finite.size else 0.0
    return (2 * taps.size + 4) * eps * np.abs(taps).sum() * largest


def difference(result, expected, allowed):
    """None if two arrays agree within `allowed`, with NaN and Inf at the same points; otherwise one line that describes the difference."""
    if result.shape != expected.shape:
        return f"shape {result.shape}, expected {expected.shape}"
    result = exact(result)
    same = (result == expected) | (np.isnan(result) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        close = np.isfinite(result) & np.isfinite(expected) & (np.abs(result - expected) <= allowed)
    wrong = ~(same | close)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{np.count_nonzero(wrong)} of {wrong.size} points differ, first at {place}: "
        f"{result[place]!r}, expected {expected[place]!r}, allowed {allowed:.3g}"
    )
