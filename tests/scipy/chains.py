"""Chains of one to three different stencils (1D along any axis, and 2D) with strides and every extent, on 1 to 7 ranks and with
given decompositions, compared with plain NumPy. Data and taps are small integers, so that rounding cannot hide a wrong
point.

chains.py [FIRST [LAST]] runs only the cases with these numbers.
"""

import pathlib
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from expected import Stage, apply, difference
from program import THOROUGH, ini, run

CASES = 80 if THOROUGH else 28
SECONDS = 3000 if THOROUGH else 40  # after this time, no further case is started (on a slow machine)
ENOUGH = 25  # cases
BOUNDARIES = ("reflect", "mirror", "nearest", "wrap", "zero")


def written(taps):
    """The text of a mask in a configuration; a semicolon at the end makes one row a 2D mask."""
    rows = "; ".join(" ".join(str(int(tap)) for tap in row) for row in np.atleast_2d(taps))
    return rows + (";" if taps.ndim == 2 and len(taps) == 1 else "")


def random_stage(rng, shape):
    """Returns a Stage that fits data of `shape`, and its keys."""
    rank = len(shape)
    two = rank >= 2 and rng.random() < 0.5
    along = (rank - 2, rank - 1) if two else (int(rng.integers(rank)),)
    extent = str(rng.choice(["same", "full", "valid"]))
    size = [int(rng.integers(1, 12)) for _ in along]
    if extent == "valid":
        size = [min(width, shape[axis]) for width, axis in zip(size, along)]
    taps = rng.integers(-3, 4, size=size).astype(float)
    boundary = tuple(str(rng.choice(BOUNDARIES)) for _ in along)
    origin = tuple(int(rng.integers(-(w // 2), (w - 1) // 2 + 1)) for w in size)
    stride = tuple(int(rng.integers(1, 5)) for _ in along)
    operation = str(rng.choice(["correlate", "convolve"]))
    stage = Stage(taps, along, operation, boundary, 0.0, extent, origin, stride)
    numbers = lambda values: " ".join(map(str, values))
    keys = {"mask": written(taps), "boundary": " ".join(boundary), "extent": extent,
            "origin": numbers(origin), "stride": numbers(stride), "operation": operation}
    if not two:
        keys["axis"] = along[0]
    return stage, keys


def random_decomposition(rng, ranks):
    """Returns auto, slabs, or a grid of two or three axes whose blocks are as many as the ranks."""
    first = int(rng.choice([n for n in range(1, ranks + 1) if ranks % n == 0]))
    grids = [[first, ranks // first], [1, first, ranks // first], [first, 1, ranks // first]]
    words = ["auto", "auto", str(ranks)] + ["x".join(map(str, grid)) for grid in grids]
    return str(rng.choice(words))


def run_case(number, folder):
    """Runs a case. Returns None, or one line that describes the failure."""
    rng = np.random.default_rng([5, number])
    rank = int(rng.integers(1, 4))
    shape = tuple(int(n) for n in rng.integers(1, {1: 60, 2: 20, 3: 9}[rank], size=rank))
    data = expected = rng.integers(-50, 50, size=shape).astype(float)
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5"}}
    for name in ("second", "first", "third")[: int(rng.integers(1, 4))]:
        stage, keys = random_stage(rng, expected.shape)
        sections[f"stencil.{name}"] = keys
        expected = apply(expected, stage)
    ranks = 1 + number % 7
    sections["run"] = {"decomposition": random_decomposition(rng, ranks)}
    place = folder / str(number)
    place.mkdir()
    with h5py.File(place / "in.h5", "w") as file:
        file["data"] = data
    outcome = run(place, ini(sections), ranks, limit=30)
    where = f"case {number}, shape {shape}, {ranks} ranks\n{ini(sections)}"
    if outcome.status != 0:
        return f"{outcome.unexpected()}\n{where}"
    with h5py.File(place / "out.h5", "r") as file:
        result = file["data"][()]
    # The factors of a separable mask are not integers, so rounding errors are allowed.
    wrong = difference(result, expected, 1e-12 * (1 + np.abs(expected).max()))
    return f"{wrong}\n{where}" if wrong else None


def main(first, last):
    start = time.monotonic()
    left_out = "left out"

    def in_time(number):
        late = time.monotonic() - start > SECONDS
        return left_out if late else run_case(number, folder)

    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as workers:
        folder = pathlib.Path(place)
        results = [words for words in workers.map(in_time, range(first, last)) if words is not left_out]
    wrong = [words for words in results if words]
    print("\n".join(wrong + [f"{len(results) - len(wrong)} of {len(results)} chains agree"]))
    return 1 if wrong or len(results) < min(ENOUGH, last - first) else 0


if __name__ == "__main__":
    begin = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    end = int(sys.argv[2]) if len(sys.argv) > 2 else (begin + 1 if len(sys.argv) > 1 else CASES)
    sys.exit(main(begin, end))
