"""boundary = interp, compared with scipy.signal.savgol_filter(mode="interp"): along all axes, for derivatives, by direct
sums and by transforms, on one and several ranks, in windows, and for a part of the input. All these runs give the same bytes.
The quick test runs each case on one rank, and on several ranks or in windows.
"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np
from scipy.signal import savgol_filter

from program import in_turn, ini, least_memory, run

PROBLEMS = []
IN_WINDOWS = []
EPS = {"f4": 6e-8, "f8": 1.2e-16}


def words(axis, size, order, more=None, **stage):
    sections = {"input": {"file": "in.h5", "dataset": "/x", "axis": axis, **(more or {})},
                "output": {"file": "out.h5", "overwrite": "true"},
                "stencil": {"mask": "savgol", "size": size, "polyorder": order, "boundary": "interp", **stage}}
    return ini(sections)


def result(folder, name, text, ranks=0, memory="auto"):
    """The output and the bytes of its file; None if the run fails."""
    outcome = run(folder, text, ranks, [f"--run.memory={memory}", "--progress=lines"])
    if outcome.status:
        PROBLEMS.append(f"{name}: {outcome.unexpected()}")
        return None, b""
    IN_WINDOWS.append("compute and write windows" in outcome.stderr)
    with h5py.File(folder / "out.h5") as file:
        return file["x"][()], (folder / "out.h5").read_bytes()


def expect_close(name, got, want, bound):
    if got is not None and (got.shape != want.shape or not np.all(np.abs(got - want) <= bound)):
        worst = np.abs(got - want).max() if got.shape == want.shape else got.shape
        PROBLEMS.append(f"{name}: off by {worst}, allowed is {bound}")


def check(folder, rng, shape, kind, axis, size, order, deriv, delta, method):
    name = f"{shape} {kind}, axis {axis}, size {size}, polyorder {order}, deriv {deriv}, {method}"
    x = rng.normal(size=shape).astype(kind)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = x
    text = words(axis, size, order, deriv=deriv, delta=delta, method=method)
    want = savgol_filter(x.astype("f8"), size, order, deriv, delta, axis)
    # polynomial fits at the edges have larger weights than the taps in the middle
    bound = 40 * size * EPS[kind] * max(np.abs(want).max(), np.abs(x).max() / delta**deriv)
    first = None
    for ranks, memory in ((0, "auto"), *in_turn(((2, "auto"), (3, "auto"), (0, "least")))):
        memory = least_memory(folder, text) if memory == "least" else memory
        got, data = result(folder, f"{name}, {ranks} ranks, {memory}", text, ranks, memory)
        expect_close(name, got, want, bound)
        first = first or data
        if data and data != first:
            PROBLEMS.append(f"{name}: other bytes on {ranks} ranks, memory {memory}")


def check_selection(folder, rng):
    """A part of the input: the result is a slice of the result for the whole input. At the edges of the file polynomials are fitted;
    elsewhere the points beyond the part are used."""
    x = rng.normal(size=200)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = x
    whole = savgol_filter(x, 21, 3)
    for low, high in ((0, 50), (4, 60), (9, 200), (50, 120), (0, 200), (190, 200), (0, 1)):
        got, _ = result(folder, f"select {low}:{high}", words(0, 21, 3, {"select": f"{low}:{high}"}, method="direct"))
        expect_close(f"select {low}:{high}", got, whole[low:high], 1e-12)
    two = words(0, 21, 3, {"select": "195:200"}, method="direct").replace("[stencil]", "[stencil.first]") + "[stencil.later]\nmask = savgol\nsize = 9\npolyorder = 2\nboundary = interp\n"
    got, _ = result(folder, "two stages", two)
    expect_close("two stages", got, savgol_filter(whole, 9, 2)[195:], 1e-12)
    got, _ = result(folder, "edges", words(0, 21, 3, {"select": "40:90", "edges": "boundary"}))
    expect_close("edges = boundary", got, savgol_filter(x[40:90], 21, 3), 1e-12)


def check_refusals(folder):
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.arange(9.0)
    for text, part in (
        (words(0, 11, 2), "as the mask has taps, 11, and the axis has 9"),
        (words(0, 5, 2, extent="valid"), "need extent = same"),
        (words(0, 5, 2, stride=2), "need stride = 1"),
        (words(0, 5, 2, steps=2), "need steps = 1"),
        (words(0, 5, 2, origin=1), "write origin = 0"),
        (words(0, 5, 2, operation="convolve"), "operation = correlate"),
        (words(0, 5, 2).replace("savgol", "gaussian").replace("size = 5\npolyorder = 2", "sigma = 1"), "mask = savgol"),
        (words(0, 5, 2) + "[missing]\nvalue = nan\npolicy = renormalize\n", "propagate"),
    ):
        outcome = run(folder, text)
        if outcome.status != 2 or len(outcome.errors) != 1 or part not in outcome.errors[0]:
            PROBLEMS.append(f"{part}: {outcome.unexpected()}")


def main():
    rng = np.random.default_rng(5)
    cases = [
        ((101,), "f8", 0, 5, 2, 0, 1.0, "auto"),
        ((101,), "f8", 0, 101, 3, 1, 0.25, "direct"),
        ((5000,), "f4", 0, 401, 4, 2, 2.0, "fft"),
        ((300000,), "f8", 0, 1001, 2, 0, 1.0, "fft"),
        ((90, 40), "f4", 0, 31, 3, 1, 0.5, "direct"),
        ((900, 1100), "f8", 0, 9, 2, 2, 1.0, "direct"),
        ((31, 7), "f4", 0, 31, 2, 0, 1.0, "auto"),
        ((20, 8), "f8", 0, 1, 0, 0, 1.0, "direct"),
        ((40, 90), "f8", 1, 31, 3, 0, 1.0, "direct"),
        ((30, 6, 20), "f8", 0, 29, 5, 3, 1.0, "direct"),
        ((6, 30, 2000), "f4", 1, 7, 2, 0, 1.0, "auto"),
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for case in cases:
            check(folder, rng, *case)
        check_selection(folder, rng)
        check_refusals(folder)
    if not any(IN_WINDOWS):
        PROBLEMS.append("no run was computed in windows")
    print("\n".join(PROBLEMS) or f"{len(cases)} cases agree with SciPy")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
