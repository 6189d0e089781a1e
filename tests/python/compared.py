"""Compares results with those of another program. The allowed difference is the error of sums whose order of additions is unknown."""

import os

import numpy as np

THOROUGH = "STENCIL_TEST_THOROUGH" in os.environ


def random_array(rng, shape, kind):
    """Returns a random array with values of both signs, or with integers from most of a small range."""
    kind = np.dtype(kind)
    if kind.kind == "b":
        return rng.random(shape) < 0.5
    if kind.kind in "iu":
        return rng.integers(0 if kind.kind == "u" else -100, 100, shape).astype(kind)
    values = 50 * rng.normal(size=shape)
    return (values + 30j * rng.normal(size=shape)).astype(kind) if kind.kind == "c" else values.astype(kind)


def assert_close(case, found, expected, size, terms):
    """Fails if values differ by more than rounding errors: `size` is the largest sum of absolute terms, `terms` the number of terms.
    Integers may differ by one for each pass if a sum would be a whole number without rounding errors: at one of 20 points, or at more
    points if an axis has a single point, because then many sums are whole numbers."""
    case.assertEqual(found.dtype, expected.dtype)
    case.assertEqual(found.shape, expected.shape)
    if expected.dtype.kind in "iub":
        differs = found.astype(np.float64) - expected.astype(np.float64)
        case.assertLessEqual(np.abs(differs).max(), 1 if found.ndim == 1 else found.ndim + 1)
        if 1 not in found.shape:
            case.assertLessEqual((differs != 0).sum(), max(2, found.size / 20))
        return
    eps = np.finfo(expected.dtype).eps
    allowed = (terms + 2) * eps * size
    worst = np.abs(found - expected).max() if found.size else 0
    case.assertLessEqual(worst, allowed)
