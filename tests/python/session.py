"""stencil.Session on 1 to 6 ranks: the blocks of results agree with SciPy on whole arrays. The test is skipped without mpi4py.

session.py starts itself under MPIEXEC; session.py ranks N is the command of each rank.
"""

import importlib.util
import itertools
import os
import subprocess
import sys

import numpy as np
import scipy.ndimage as ndimage
import stencil
from page import code_under

THOROUGH = "STENCIL_TEST_THOROUGH" in os.environ
RANKS = (1, 2, 3, 4, 6) if THOROUGH else (1, 4)
MODES = ("reflect", "mirror", "nearest", "wrap", "constant")
# number of blocks along each axis; their extents differ, and some are smaller than the masks
GRIDS = {1: [(1,)], 2: [(2,), (1, 2)], 3: [(3,)], 4: [(4,), (2, 2)], 6: [(3, 2), (1, 3, 2), (6,)]}
SHAPE = (23, 17, 5)


def parts(extent, count):
    """Slices of unequal extents, the first of one point."""
    if count == 1:
        return [slice(0, extent)]
    cuts = [0, 1, *(1 + (extent - 1) * k // (count - 1) for k in range(1, count))]
    return [slice(low, high) for low, high in zip(cuts, cuts[1:])]


def place_of(rank, grid):
    at = np.unravel_index(rank, grid)
    return tuple(parts(extent, count)[k] for extent, count, k in zip(SHAPE, grid, at))


def calls(mode):
    """Pairs of a call of a session on its block, and the same call of SciPy on the whole array."""
    draw = np.random.default_rng(3)
    line, square = draw.normal(size=6), draw.normal(size=(4, 7))
    cube = draw.normal(size=(3, 2, 3))
    more = {"mode": mode, "cval": 1.5}
    yield "correlate1d", lambda s, x: s.correlate1d(x, line, 0, origin=-2, **more), lambda x: ndimage.correlate1d(x, line, 0, origin=-2, **more)
    yield "correlate1d last", lambda s, x: s.correlate1d(x, line, **more), lambda x: ndimage.correlate1d(x, line, **more)
    yield "correlate", lambda s, x: s.correlate(x, square, axes=(0, 1), **more), lambda x: ndimage.correlate(x, square[:, :, None], **more)
    yield "correlate 3D", lambda s, x: s.correlate(x, cube, **more), lambda x: ndimage.correlate(x, cube, **more)
    yield ("gaussian", lambda s, x: s.gaussian_filter(x, (2, 1, 0), order=(1, 0, 0), **more),
           lambda x: ndimage.gaussian_filter(x, (2, 1, 0), order=(1, 0, 0), **more))
    yield "uniform", lambda s, x: s.uniform_filter(x, (4, 5, 1), **more), lambda x: ndimage.uniform_filter(x, (4, 5, 1), **more)
    yield "iterate", lambda s, x: s.iterate(x, square / 30, 4, axes=(0, 1), **more), lambda x: repeated(x, square[:, :, None] / 30, 4, more)


def more_calls(mode):
    """Like calls(), for methods that are computed by the same passes as the methods in calls()."""
    draw = np.random.default_rng(6)
    line, square, cube = draw.normal(size=4), draw.normal(size=(4, 3)), draw.normal(size=(3, 2, 1))
    more = {"mode": mode, "cval": 1.5}
    for name, words in (
        ("convolve1d", ((line, 0), {"origin": 1})),
        ("convolve", ((cube,), {"origin": (0, -1, 0)})),
        ("correlate", ((cube,), {"origin": (1, 0, 0)})),
        ("gaussian_filter1d", ((1.5, 0, 2), {"truncate": 3.0})),
        ("uniform_filter1d", ((4, 1), {"origin": -1})),
        ("uniform_filter", (((3, 4, 1),), {"origin": (1, -2, 0)})),
        ("uniform_filter", (((3, 1, 1),), {"origin": 1})),
        ("sobel", ((0,), {})),
        ("prewitt", ((), {})),
        ("laplace", ((), {})),
        ("gaussian_laplace", (((1, 2, 0.5),), {"truncate": 3.0})),
        ("gaussian_gradient_magnitude", ((1,), {})),
    ):
        given, named = words
        yield (name, lambda s, x, name=name, given=given, named=named: getattr(s, name)(x, *given, **named, **more),
               lambda x, name=name, given=given, named=named: getattr(ndimage, name)(x, *given, **named, **more))
    # with axes=, which SciPy 1.10 does not have: the weights are in the order of the array's axes, the origins in the order of `axes`
    yield ("convolve, axes", lambda s, x: s.convolve(x, square, origin=(-1, 1), axes=(1, 0), **more),
           lambda x: ndimage.convolve(x, square[:, :, None], origin=(1, -1, 0), **more))
    yield ("laplace, axes", lambda s, x: s.laplace(x, axes=(1,), **more), lambda x: ndimage.correlate1d(x, [1, -2, 1], 1, **more))
    yield ("gaussian_laplace, axes", lambda s, x: s.gaussian_laplace(x, 1, axes=(1,), **more),
           lambda x: ndimage.gaussian_filter1d(x, 1, 1, 2, **more))


def repeated(x, weights, steps, more):
    for _ in range(steps):
        x = ndimage.correlate(x, weights, **more)
    return x


def results(session, grid):
    """Returns descriptions of the differences from SciPy on this rank."""
    wrong = []
    others = itertools.product((np.float32, np.complex128, ">f8", np.int16), ("reflect", "constant"))
    for kind, mode in [*((np.float64, mode) for mode in MODES), *others]:
        whole = (100 * np.random.default_rng(1).normal(size=SHAPE)).astype(kind)
        as_computed = whole.astype(np.float64) if whole.dtype.kind == "i" else whole
        place = place_of(session.rank, grid)
        if session.shape(whole[place]) != SHAPE:
            wrong.append(f"shape: {session.shape(whole[place])}")
        has_more = (kind, mode) in ((np.float64, "constant"), (np.float64, "mirror"), (np.complex128, "reflect")) or THOROUGH
        for name, ours, scipys in itertools.chain(calls(mode), more_calls(mode) if has_more else ()):
            found, expected = ours(session, whole[place]), scipys(as_computed.astype(as_computed.dtype.newbyteorder("=")))
            within = (1e-5 if found.dtype == np.float32 else 1e-13) * np.abs(expected).max()
            if found.shape != expected[place].shape or not np.allclose(found, expected[place], rtol=0, atol=within):
                wrong.append(f"grid {grid}, {name}, {np.dtype(kind)}, {mode}: not SciPy's")
    return wrong


def missing_points(session, grid):
    """The fraction of valid weight is that of the whole mask, for masks along one to three axes."""
    whole, wrong = np.random.default_rng(2).normal(size=SHAPE), []
    whole[5:9, 3] = np.nan
    whole[np.random.default_rng(7).random(SHAPE) < 0.5] = np.nan
    place = place_of(session.rank, grid)
    for mode, axes in itertools.product(("reflect", "constant"), ((0,), (0, 1), (1, 2), (2, 0, 1))):
        # no set of weights sums to the fraction 0.37 of the sum of all weights, so that rounding does not decide which points are NaN
        more = {"mode": mode, "cval": 1.5, "axes": axes, "missing": 0.37}
        for name, width in (("gaussian_filter", 1.3), ("uniform_filter", (4, 3, 5)[:len(axes)])):
            found = getattr(session, name)(whole[place], width, **more)
            expected = getattr(stencil, name)(whole, width, **more)
            if not (np.isnan(expected).any() and np.isfinite(expected).any()):
                wrong.append(f"{name}, axes {axes}: the test has no points on both sides of the limit")
            if not np.allclose(found, expected[place], rtol=0, atol=1e-12, equal_nan=True):
                wrong.append(f"grid {grid}, {name}, {mode}, axes {axes}: other results with missing points")
    return wrong


def same_bits(session, grid):
    """With short masks, all methods of the session give the same bits as for an array that is not distributed."""
    whole, wrong = np.random.default_rng(4).normal(size=SHAPE), []
    place = place_of(session.rank, grid)
    draw = np.random.default_rng(5)
    square = draw.normal(size=(3, 3))
    for mode, cval in (("reflect", 0), ("wrap", 0), ("constant", 0), ("constant", 1.5)):
        for name, given, named in (
            ("correlate1d", (square[0], 0), {}),
            ("convolve1d", (square[0],), {}),
            ("correlate", (square,), {"axes": (0, 1)}),
            ("convolve", (square,), {"axes": (1, 0)}),
            ("gaussian_filter1d", (1, 0), {}),
            ("gaussian_filter", (1,), {}),
            ("gaussian_filter", ((1, 0.5),), {"axes": (1, 0), "order": (0, 1)}),
            ("uniform_filter1d", (4, 0), {}),
            ("uniform_filter", ((3, 2, 1),), {}),
            ("sobel", (0,), {}),
            ("prewitt", (1,), {}),
            ("laplace", (), {}),
            ("laplace", (), {"axes": (1, 0)}),
            ("gaussian_laplace", (0.5,), {}),
            ("gaussian_laplace", ((1, 0.5),), {"axes": (1, 0)}),
            ("gaussian_gradient_magnitude", (0.5,), {}),
            ("iterate", (square / 9, 3, (0, 1)), {}),
            ("iterate", (square[:2] / 6, 3, (1, 0)), {"mode": (mode, "nearest")}),
            ("iterate", (square[0] / 3, 2), {}),
            ("iterate", (draw.normal(size=(3, 2, 2)) / 12, 2), {"mode": (mode, "mirror", "reflect")}),
        ):
            more = {"mode": mode, "cval": cval, **named}
            found = getattr(session, name)(whole[place], *given, **more)
            expected = getattr(stencil, name)(whole, *given, **more)[place]
            if found.tobytes() != np.ascontiguousarray(expected).tobytes():
                wrong.append(f"grid {grid}, {name}, {named}, {mode}, {cval}: other bits")
    return wrong


def refusals(session, grid):
    """If arguments are wrong on one rank only, all ranks raise an exception, and the session can be used afterwards."""
    wrong, block = [], np.ones(SHAPE)[place_of(session.rank, grid)]
    is_last = session.rank == session.size - 1
    for label, call in (("weights", lambda: session.correlate1d(block, [] if is_last else [1, 2])),
                        ("mode", lambda: session.correlate1d(block, [1, 2], mode="edge" if is_last else "wrap")),
                        ("axis", lambda: session.correlate1d(block, [1, 2], axis=7 if is_last else 0)),
                        ("missing", lambda: session.uniform_filter(block, 3, missing=2)),
                        ("size", lambda: session.uniform_filter(block, 0)),
                        ("one size", lambda: session.uniform_filter(block, (3, 3, 0))),
                        ("origin", lambda: session.uniform_filter(block, 3, origin=2)),
                        ("steps", lambda: session.iterate(block, [1, 2], -1)),
                        ("axes of iterate", lambda: session.iterate(block, [[1, 2]], 1, axes=0)),
                        ("no points", lambda: session.correlate1d(block[:0], [1, 2]))):
        try:
            call()
            wrong.append(f"grid {grid}: {label} is not refused")
        except (ValueError, RuntimeError, IndexError):
            pass
    if session.size > 1:
        for label, odd in (("types", block.astype("f4")), ("axes", block[0])):
            try:
                session.correlate1d(odd if is_last else block, [1, 2])
                wrong.append(f"grid {grid}: other {label} are not refused")
            except ValueError:
                pass
    expected = stencil.uniform_filter(np.ones(SHAPE), 3)[place_of(session.rank, grid)]
    return wrong + ([] if (session.uniform_filter(block, 3) == expected).all() else [f"grid {grid}: after refusals"])


def page(session):
    """Runs the code of docs/python.md."""
    names = {}
    exec(code_under("Arrays on several MPI ranks: mpi4py"), names)
    whole = np.sin(np.arange(300)[:, None] / 50) * np.ones(200)
    smooth = ndimage.gaussian_filter(whole, 3, mode="nearest")
    expected = {"smooth": smooth, "slope": ndimage.correlate1d(smooth, [-0.5, 0, 0.5], axis=0),
                "later": stencil.iterate(whole, [[0, 0.2, 0], [0.2, 0.2, 0.2], [0, 0.2, 0]], steps=20)}
    return [f"page: {name}" for name, values in expected.items() if not np.allclose(names[name], values[names["rows"]], rtol=0, atol=1e-12)]


def on_ranks(count):
    from mpi4py import MPI
    if MPI.COMM_WORLD.size != count:
        print(f"SKIPPED: mpi4py sees {MPI.COMM_WORLD.size} ranks of {count}: it was built for another MPI")
        return 77
    wrong = []
    for grid in GRIDS[count][:None if THOROUGH else 2]:
        session = stencil.Session(MPI.COMM_WORLD, grid=grid, threads=1)
        for check in (results, missing_points, same_bits, refusals):
            wrong += check(session, grid)
    wrong += page(session)
    try:
        stencil.Session(grid=(count + 1,))
        wrong.append("a grid of another number of blocks is not refused")
    except ValueError:
        pass
    for line in wrong:
        print(f"rank {MPI.COMM_WORLD.rank} of {count}: {line}")
    return 1 if any(MPI.COMM_WORLD.allgather(len(wrong))) else 0


def says_what_is_missing():
    """Returns whether `import stencil` works without mpi4py, and stencil.Session then raises an ImportError that names mpi4py."""
    code = "import sys; sys.modules['mpi4py'] = None; import stencil; stencil.Session"
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stderr.splitlines()
    return bool(lines) and lines[-1].startswith("ImportError: stencil.Session needs mpi4py (pip install mpi4py)")


def main():
    if not says_what_is_missing():
        print("without mpi4py, stencil.Session does not say that mpi4py is needed")
        return 1
    if importlib.util.find_spec("mpi4py") is None:
        print("SKIPPED: no mpi4py (scripts/install_packages --python)")
        return 77
    for count in RANKS:
        command = [os.environ.get("MPIEXEC", "mpirun"), "--oversubscribe", "--bind-to", "none", "-n", str(count)]
        ran = subprocess.run([*command, sys.executable, "-B", __file__, "ranks", str(count)], capture_output=True, text=True, timeout=200)
        if ran.returncode or ran.stdout:
            print(ran.stdout, ran.stderr)
            return 77 if "SKIPPED" in ran.stdout else 1
    print(f"blocks on {RANKS} ranks are those of whole arrays")
    return 0


if __name__ == "__main__":
    sys.exit(on_ranks(int(sys.argv[2])) if sys.argv[1:2] == ["ranks"] else main())
