"""Arrays of CuPy and PyTorch on a GPU: the results agree with SciPy and, with the same method, have the same bits as the results on the
host. The order of work on the caller's streams, outputs and layouts are tested, too, and the times are compared with those of CuPy's own
filters. The test is skipped without a GPU, and if neither CuPy nor PyTorch is installed.

    gpu_arrays.py [--times]     also measures
"""

import sys
import threading
import time

import numpy as np
import scipy.ndimage
import stencil
from stencil import _arrays
from stencil._gpu import GpuArray
from stencil._passes import DIRECT, FFT, SEPARABLE, apply

SKIPPED = 77
START = time.monotonic()
FAILURES = []


def say(words):
    print(f"{time.monotonic() - START:6.1f} s  {words}", flush=True)


def check(is_true, words):
    if not is_true:
        FAILURES.append(words)
    say(f"{'passed' if is_true else 'FAILED'}: {words}")


def libraries():
    """Returns {name: library} for the libraries whose arrays this test uses. Ends the test if none is installed."""
    if not _arrays.has_gpu_kernels:
        skip("the module was built without CUDA")
    found = {}
    for name in ("cupy", "torch"):
        try:
            library = __import__(name)
            if (library.cuda.is_available() if name == "torch" else library.cuda.runtime.getDeviceCount() > 0):
                found[name] = library
        except Exception as error:  # CuPy raises its own errors if there is no driver
            say(f"without {name}: {type(error).__name__}: {error}")
    return found or skip("neither CuPy nor PyTorch finds a GPU")


def skip(reason):
    print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED)


def on_gpu(library, values):
    return library.asarray(values, **({"device": "cuda"} if library.__name__ == "torch" else {}))


def on_host(array):
    return array.cpu().numpy() if hasattr(array, "cpu") else array.get()


WEIGHTS = np.random.default_rng(1).normal(size=(9, 9))
CROSS = [[0, 0.2, 0], [0.2, 0.2, 0.2], [0, 0.2, 0]]
CALLS = [("correlate1d", ([1, 2, 4],), {"axis": 0, "origin": 1}), ("correlate1d", (np.hanning(41),), {"mode": "wrap"}),
         ("convolve1d", ([1, 2, 4, 5],), {"mode": "mirror"}), ("correlate", (WEIGHTS[:5, :7],), {"origin": (1, -2), "mode": "nearest"}),
         ("correlate", (WEIGHTS[:5, :7],), {"mode": "constant", "cval": 2.5}), ("correlate", (WEIGHTS,), {}),
         ("convolve", (WEIGHTS[:2, :3],), {}), ("gaussian_filter1d", (1.5,), {"order": 1}), ("gaussian_filter", (2,), {}),
         ("gaussian_filter", ((1, 12),), {"mode": ("wrap", "constant"), "cval": 1.5}), ("uniform_filter1d", (4,), {"axis": 0}),
         ("uniform_filter", (5,), {}), ("sobel", (0,), {}), ("prewitt", (1,), {}), ("laplace", (), {}), ("gaussian_laplace", (1.1,), {}),
         ("gaussian_gradient_magnitude", (1.1,), {})]
# the results for small arrays are computed from a copy with ghost points, those for large arrays directly from the array
SHAPES = ((70, 90), (5800, 5824))


def compare_functions(found):
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        for kind in (np.float32, np.float64)[:2 if shape == SHAPES[0] else 1]:
            values = rng.normal(size=shape).astype(kind)
            arrays = {name: on_gpu(library, values) for name, library in found.items()}
            failed, same, count = len(FAILURES), 0, 0
            for name, arguments, options in CALLS:
                mine = getattr(stencil, name)(values, *arguments, **options)
                theirs = getattr(scipy.ndimage, name)(values[:300, :300], *arguments, **options)
                words = f"{name}{tuple(np.shape(one) or one for one in arguments)} {options} {kind.__name__} {shape}"
                for library, array in arrays.items():
                    results = getattr(stencil, name)(array, *arguments, **options)
                    if type(results) is not type(array) or results.shape != array.shape or results.dtype != array.dtype:
                        check(False, f"{words} of {library} gives {type(results)}")
                        continue
                    results = on_host(results)
                    scale = np.abs(mine).max() + 1
                    tolerance = (2e-5 if kind == np.float32 else 1e-13) * scale
                    inner = slice(None) if shape == SHAPES[0] else slice(0, 200)
                    if np.abs(results[inner, inner] - theirs[inner, inner]).max() > tolerance and "wrap" not in str(options):
                        check(False, f"{words} of {library} differs from SciPy by {np.abs(results[inner, inner] - theirs[inner, inner]).max()}")
                    if np.abs(results - mine).max() > tolerance:
                        check(False, f"{words} of {library} differs from the host by {np.abs(results - mine).max()}")
                    same += results.tobytes() == mine.tobytes()
                    count += 1
            # the method that is chosen for a GPU may differ from the method for the host
            check(len(FAILURES) == failed, f"all functions on {kind.__name__} {shape}; {same} of {count} results have the host's bits")


# taps, axes, origins, modes and methods
BELL = np.exp(-0.5 * np.arange(-8, 9)**2 / 4)
MASKS = [((np.array([1.0, 2, 4]),), [0], [1], [0], (DIRECT,)), ((np.hanning(41),), [1], [-3], [3], (DIRECT, FFT)),
         ((WEIGHTS[:5, :7].copy(),), [0, 1], [1, -2], [4, 0], (DIRECT,)), ((WEIGHTS,), [0, 1], [0, 0], [1, 2], (DIRECT, FFT)),
         ((BELL, BELL[3:-3].copy()), [0, 1], [0, 0], [0, 4], (DIRECT, SEPARABLE))]


def compare_methods(found):
    """With the same method, the results have the same bits as on the host. For large arrays, the GPU computes the outputs near the edges
    separately."""
    for shape in SHAPES:
        for kind in (np.float32, np.float64):
            values = np.random.default_rng(8).normal(size=shape).astype(kind)
            arrays = {name: on_gpu(library, values) for name, library in found.items()}
            for taps, axes, origins, rules, methods in MASKS:
                for method in methods:
                    same = {}
                    mine = apply(values, np.empty_like(values), taps, axes, origins, rules, 1.5, method=method)
                    for name, array in arrays.items():
                        results = GpuArray(array).new(kind)
                        apply(GpuArray(array), results, taps, axes, origins, rules, 1.5, method=method)
                        same[name] = on_host(results.array).tobytes() == mine.tobytes()
                    check(all(same.values()), f"taps {[one.shape for one in taps]} by method {method}, {kind.__name__} {shape}: the host's bits")


def compare_steps(found):
    for shape in SHAPES:
        for kind in (np.float32, np.float64):
            values = np.random.default_rng(2).normal(size=shape).astype(kind)
            for mode in ("reflect", "wrap", "constant"):
                mine = stencil.iterate(values, CROSS, 11, mode=mode, cval=0.5)
                for name, library in found.items():
                    results = on_host(stencil.iterate(on_gpu(library, values), CROSS, 11, mode=mode, cval=0.5))
                    check(results.tobytes() == mine.tobytes(), f"11 steps of {name}, {mode}, {kind.__name__} {shape}: the host's bits")


LAYOUTS = {"every second column": lambda library, x: x[:, :, ::2], "a part": lambda library, x: x[1:5, 3:-2, 5:60],
           "transposed": lambda library, x: x.transpose(2, 0) if library.__name__ == "torch" else x.T,
           "repeated": lambda library, x: library.broadcast_to(x[:1, :1], x.shape), "backwards": lambda library, x: x[::-1, :, ::-1]}


def compare_layouts(found):
    """Compares results for arrays of several layouts. The arrays on the host have the same strides as those on the GPU, because the order
    of the sums along two axes depends on the strides."""
    values = np.random.default_rng(3).normal(size=(6, 50, 64)).astype(np.float32)
    for name, library in found.items():
        array = on_gpu(library, values)
        for words, layout in LAYOUTS.items():
            if name == "torch" and words == "backwards":
                continue  # PyTorch has no negative strides
            given, host = layout(library, array), layout(np, values)
            results = GpuArray(given).new(np.float32)
            mask = (np.array(CROSS),), [0, 2], [0, 0], [0, 1], 0.0, False
            mine = apply(host, np.empty_like(host), *mask, method=DIRECT)
            apply(GpuArray(given), results, *mask, method=DIRECT)
            check(np.array_equal(on_host(results.array), mine), f"{name}: {words}")
            mine = stencil.correlate1d(host, [1, 2, 5], axis=1)
            check(np.array_equal(on_host(stencil.correlate1d(given, [1, 2, 5], axis=1)), mine), f"{name}: {words}, along axis 1")


def compare_outputs(found):
    values = np.random.default_rng(4).normal(size=(300, 400)).astype(np.float32)
    for name, library in found.items():
        mine = stencil.gaussian_filter(values, 2)
        array, target = on_gpu(library, values), on_gpu(library, np.zeros_like(values))
        check(stencil.gaussian_filter(array, 2, output=target) is target and on_host(target).tobytes() == mine.tobytes(), f"{name}: an output")
        stencil.gaussian_filter(array, 2, output=array)
        check(on_host(array).tobytes() == mine.tobytes(), f"{name}: the input as output")
        array = on_gpu(library, values)
        stencil.correlate1d(array[:-1], [1, 2, 5], axis=0, output=array[1:])
        check(on_host(array)[1:].tobytes() == stencil.correlate1d(values[:-1], [1, 2, 5], axis=0).tobytes(), f"{name}: an output that overlaps")
        array, wide = on_gpu(library, values), on_gpu(library, np.zeros((300, 800)))
        stencil.laplace(array, output=wide[:, ::2])
        check(on_host(wide)[:, ::2].tobytes() == stencil.laplace(values, output=np.float64).tobytes(), f"{name}: float64, strided")
        whole = on_gpu(library, (9 * values).astype(np.int16))
        results = on_host(stencil.uniform_filter(whole, 3, output=np.float32))
        check(np.abs(results - scipy.ndimage.uniform_filter((9 * values).astype(np.int16), 3, output=np.float32)).max() < 1e-5, f"{name}: integers to float32")
        holes = np.where(values > 1, np.nan, values)
        results = on_host(stencil.gaussian_filter(on_gpu(library, holes), 2, missing=0.5))
        np.testing.assert_allclose(results, stencil.gaussian_filter(holes, 2, missing=0.5), rtol=1e-5, atol=1e-6)
        check(True, f"{name}: missing points")
        for words, call in (("complex", lambda: stencil.gaussian_filter(on_gpu(library, values + 0j), 1)),
                            ("integers", lambda: stencil.gaussian_filter(whole, 1)),
                            ("an output on the host", lambda: stencil.gaussian_filter(array, 1, output=np.zeros_like(values))),
                            ("weights along three axes", lambda: stencil.correlate(array[None], np.ones((3, 3, 3))))):
            try:
                call()
                check(False, f"{name}: {words} must be refused")
            except (TypeError, NotImplementedError) as error:
                check("\n" not in str(error), f"{name}: {words}: {type(error).__name__}: {error}")


class Other:
    """An array of a library that is not known."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def compare_other(found):
    values = np.random.default_rng(5).normal(size=(200, 300))
    for name, library in found.items():
        source, target = on_gpu(library, values), on_gpu(library, np.zeros_like(values))
        stencil.correlate1d(Other(source), [1, 2, 5], output=Other(target))
        check(on_host(target).tobytes() == stencil.correlate1d(values, [1, 2, 5]).tobytes(), f"an unknown library's arrays, by DLPack ({name})")


def occupied(name, library):
    """Queues a kernel that runs for about half a second on the current stream."""
    if name == "torch":
        return library.cuda._sleep(10**9)
    kernel = library.RawKernel("extern \"C\" __global__ void wait() { long long end = clock64() + 1000000000ll; while (clock64() < end) {} }", "wait")
    kernel((1,), (1,), ())


def compare_streams(found):
    values = np.random.default_rng(6).normal(size=(2000, 2000)).astype(np.float32)
    for shape in (slice(None), slice(0, 300)):
        part = np.ascontiguousarray(values[shape])
        mine = stencil.gaussian_filter(part, 2)
        for name, library in found.items():
            stencil.gaussian_filter(on_gpu(library, part), 2)  # compiles the kernel
            source, array = on_gpu(library, part), on_gpu(library, np.zeros_like(part))
            results = stencil.gaussian_filter(array, 2)
            library.cuda.synchronize() if name == "torch" else library.cuda.Device().synchronize()
            stream = library.cuda.Stream() if name == "torch" else library.cuda.Stream(non_blocking=True)
            with library.cuda.stream(stream) if name == "torch" else stream:
                occupied(name, library)
                array[...] = source
                before = time.monotonic()
                stencil.gaussian_filter(array, 2, output=results)
                seconds = time.monotonic() - before
                busy = not (stream.query() if name == "torch" else stream.done)
                doubled = results * 2
                array[...] = 0  # this assignment must wait until the filter has read the array
                stream.synchronize()
                check(on_host(doubled).tobytes() == (2 * mine).tobytes(), f"{name}: a filter after {part.shape} on a stream of the caller")
                check(busy, f"{name}: the call does not wait for the work on the stream; it took {1e3 * seconds:.2f} ms")


def compare_threads(found):
    values = np.random.default_rng(7).normal(size=(8, 500, 400)).astype(np.float32)
    mine = stencil.gaussian_filter(values, 2, axes=(1, 2))
    for name, library in found.items():
        results = [None] * len(values)

        def work(k):
            stream = library.cuda.Stream()
            with library.cuda.stream(stream) if name == "torch" else stream:
                array = on_gpu(library, values[k])
                for _ in range(20):
                    results[k] = stencil.gaussian_filter(array, 2)
                results[k] = on_host(results[k])

        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(values))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(all(one is not None and one.tobytes() == want.tobytes() for one, want in zip(results, mine)), f"{name}: eight threads")


def measure(cupy):
    import cupyx.scipy.ndimage as rival

    def seconds(call, calls):
        """Returns the median of the time of a call, if `calls` calls are queued one after the other."""
        for _ in range(3):
            call()
        times = []
        for _ in range(7):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            for _ in range(calls):
                call()
            end.record()
            end.synchronize()
            times.append(cupy.cuda.get_elapsed_time(begin, end) / 1e3 / calls)
        return float(np.median(times))

    for side in (512, 2048, 8192):
        array = cupy.random.default_rng(0).standard_normal((side, side), dtype=np.float32)
        target, weights = cupy.empty_like(array), cupy.asarray(WEIGHTS.astype(np.float32))
        for calls in (1, 20):
            copy = seconds(lambda: cupy.copyto(target, array), calls)
            say(f"{side}^2 float32, {calls} calls at a time: device copy {1e3 * copy:.3f} ms")
            for words, ours, theirs in (
                    ("gaussian_filter sigma 2", lambda: stencil.gaussian_filter(array, 2, output=target), lambda: rival.gaussian_filter(array, 2, output=target)),
                    ("correlate 9x9", lambda: stencil.correlate(array, WEIGHTS, output=target), lambda: rival.correlate(array, weights, output=target)),
                    ("laplace", lambda: stencil.laplace(array, output=target), lambda: rival.laplace(array, output=target))):
                mine, other = seconds(ours, calls), seconds(theirs, calls)
                say(f"    {words}: {1e3 * mine:.3f} ms, {mine / copy:.2f} copies; cupyx {1e3 * other:.3f} ms, {other / copy:.2f} copies: "
                    f"{other / mine:.2f} times")


if __name__ == "__main__":
    LIBRARIES = libraries()
    say(f"arrays of {' and '.join(LIBRARIES)}")
    for part in (compare_streams, compare_outputs, compare_layouts, compare_other, compare_threads, compare_methods, compare_steps, compare_functions):
        try:
            part(LIBRARIES)
        except Exception as error:  # the other parts of the test are run nevertheless
            import traceback
            traceback.print_exc()
            check(False, f"{part.__name__}: {type(error).__name__}: {error}")
    if "--times" in sys.argv and "cupy" in LIBRARIES:
        measure(LIBRARIES["cupy"])
    say(f"{len(FAILURES)} failures")
    for words in FAILURES:
        print(f"FAILED: {words}")
    sys.exit(1 if FAILURES else 0)
