"""Checks expected.py, on which other tests rely, against SciPy and np.pad."""

import sys

import numpy as np
import scipy.ndimage as ndimage

from expected import Stage, apply, apply_valid, difference, source_indices

PAD = {"reflect": "symmetric", "mirror": "reflect", "nearest": "edge", "constant": "constant"}
wrong = []


def check(name, result, expected, allowed=1e-12):
    words = difference(np.asarray(result, np.float64), np.asarray(expected, np.float64), allowed)
    if words:
        wrong.append(f"{name}: {words}")


def check_boundaries():
    for n in (1, 2, 3, 7):
        data = np.arange(10.0, 10.0 + n)
        for word, mode in PAD.items():
            if n == 1 and word == "mirror":
                continue
            index = source_indices(word, -9, n + 8, n)
            result = np.where(index < 0, 0, data[index])
            check(f"{word} of {n}", result, np.pad(data, (9, 8), mode=mode))
        check(f"wrap of {n}", data[source_indices("wrap", -9, n + 8, n)], np.resize(np.roll(data, 9 % n), n + 17))


def check_sums():
    rng = np.random.default_rng(1)
    for case in range(300):
        word = rng.choice(["reflect", "mirror", "nearest", "wrap", "constant"])
        flip = bool(rng.integers(2))
        value = float(rng.normal())
        words = dict(operation="convolve" if flip else "correlate", boundary=(word,), value=value)
        width = rng.integers(1, 10, size=2)
        origin = [int(rng.integers(-(w // 2), (w - 1) // 2 + 1)) for w in width]
        if case % 2:
            data, taps = rng.normal(size=rng.integers(3, 12, size=2)), rng.normal(size=width)
            whole = ndimage.convolve if flip else ndimage.correlate
            expected = whole(data, taps, mode=word, cval=value, origin=origin)
            result = apply(data, Stage(taps, (0, 1), origin=tuple(origin), **words))
        else:
            data, taps = rng.normal(size=rng.integers(3, 12, size=3)), rng.normal(size=width[0])
            axis = int(rng.integers(3))
            line = ndimage.convolve1d if flip else ndimage.correlate1d
            expected = line(data, taps, axis, mode=word, cval=value, origin=origin[0])
            result = apply(data, Stage(taps, (axis,), origin=(origin[0],), **words))
        check(f"case {case}, {words}, taps {taps.shape}, origin {origin}", result, expected)


def check_extents():
    rng = np.random.default_rng(2)
    for n, w in ((9, 4), (9, 5), (5, 5), (7, 1)):
        data, taps = rng.normal(size=n), rng.normal(size=w)
        for extent in ("full", "valid"):
            stage = Stage(taps, (0,), "convolve", ("constant",), extent=extent)
            check(f"{extent} {n} {w}", apply(data, stage), np.convolve(data, taps, extent))
            stage.stride = (3,)
            check(f"{extent} {n} {w} [::3]", apply(data, stage), np.convolve(data, taps, extent)[::3])


def check_missing():
    data = np.array([1.0, np.nan, 3.0, 4.0, np.nan, np.nan, np.nan])
    result, share = apply_valid(data, Stage([1.0, 2.0, 1.0], (0,), boundary=("nearest",)), 0.5)
    check("renormalize", result, [4, 8, 40 / 3, 44 / 3, np.nan, np.nan, np.nan])
    check("share", share, [0.75, 0.5, 0.75, 0.75, 0.25, 0, 0])


check_boundaries()
check_sums()
check_extents()
check_missing()
print("\n".join(wrong) or "expected.py agrees with SciPy, np.pad and np.convolve")
sys.exit(1 if wrong else 0)
