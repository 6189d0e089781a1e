"""Compares every mask family with SciPy over many parameters; exit status 77 without SciPy."""

import subprocess
import sys

try:
    import numpy as np
    from scipy import ndimage, signal
except ImportError as missing:
    print(f"SKIPPED: no SciPy to compare with ({missing}); install python3-scipy")
    sys.exit(77)

failures = []
checked = 0


def taps(*words):
    out = subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True)
    if out.returncode != 0:
        return None, out.stderr.strip()
    return np.array([float(line) for line in out.stdout.split()]), ""


def compare(words, expected, tolerance=1e-13):
    global checked
    checked += 1
    found, message = taps(*words)
    if found is None or found.shape != expected.shape:
        failures.append(f"{words}: {message or f'{found.shape} taps, not {expected.shape}'}")
        return
    error = np.abs(found - expected).max() / np.abs(expected).max()
    if not error <= tolerance:
        failures.append(f"{words}: relative difference {error:.2e}")


def laid_on_input(filter_1d, radius_low, radius_high):
    """The correlate-order taps of a linear filter, from its answer to an impulse."""
    n = 2 * (radius_low + radius_high) + 9
    impulse = np.zeros(n)
    impulse[n // 2] = 1
    answer = filter_1d(impulse)
    return answer[n // 2 - radius_high : n // 2 + radius_low + 1][::-1]


for sigma in (0.3, 0.5, 1, 1.7, 2.5, 10, 63.2):
    for truncate in (1, 2.25, 4, 6):
        for order in range(5):
            r = int(truncate * sigma + 0.5)
            f = lambda a: ndimage.gaussian_filter1d(a, sigma, order=order, truncate=truncate, mode="constant")
            expected = laid_on_input(f, r, r)
            if np.abs(expected).max() > 0:
                compare(("gaussian", sigma, order, truncate), expected, 1e-12)

for size in (1, 2, 3, 4, 5, 16, 31, 100):
    f = lambda a: ndimage.uniform_filter1d(a, size, mode="constant")
    low = size // 2
    compare(("box", size), laid_on_input(f, low, size - 1 - low))

compare(("laplace",), laid_on_input(lambda a: ndimage.laplace(a, mode="constant"), 1, 1))
impulse = np.zeros((7, 7))
impulse[3, 3] = 1
for name, function in (("sobel", ndimage.sobel), ("prewitt", ndimage.prewitt)):
    answer = function(impulse, axis=0, mode="constant")[2:5, 2:5][::-1, ::-1]
    derivative, _ = taps("derivative")
    smoothing, _ = taps(name)
    checked += 1
    if not np.array_equal(np.outer(derivative, smoothing), answer):
        failures.append(f"{name}: {np.outer(derivative, smoothing)} is not {answer}")

windows = ["hamming", "hann", "blackman", "blackmanharris", "nuttall", "bartlett", "boxcar", "cosine",
           "flattop", "kaiser:0", "kaiser:2.5", "kaiser:14", "gaussian:3", "gaussian:0.7"]
for window in windows:
    kind, _, parameter = window.partition(":")
    scipy_window = (kind, float(parameter)) if parameter else kind
    for n in (2, 3, 8, 21, 64, 255):
        for fs, cutoffs in ((2, (0.1, 0.77)), (4096, (35, 350))):
            for band in ("lowpass", "highpass", "bandpass"):
                if band == "highpass" and n % 2 == 0:
                    continue
                cutoff = cutoffs if band == "bandpass" else cutoffs[:1]
                with np.errstate(all="ignore"):
                    expected = signal.firwin(n, cutoff if len(cutoff) > 1 else cutoff[0],
                                             window=scipy_window, pass_zero=band, fs=fs)
                if np.isfinite(expected).all() and np.abs(expected).max() < 1e6:
                    compare((band, n, window, fs, *cutoff), expected, 1e-12)

rng = np.random.default_rng(5)
data = rng.standard_normal(400)
for size in (1, 3, 5, 11, 25, 101):
    for polyorder in range(0, min(size, 6)):
        for deriv in range(0, polyorder + 1):
            for delta in (1.0, 0.25):
                words = ("savgol", size, polyorder, deriv, delta)
                compare(words, signal.savgol_coeffs(size, polyorder, deriv=deriv, delta=delta)[::-1], 1e-9)
                found, _ = taps(*words)
                r = size // 2
                filtered = signal.savgol_filter(data, size, polyorder, deriv=deriv, delta=delta)[r : 400 - r]
                checked += 1
                if not np.allclose(np.correlate(data, found, "valid"), filtered, rtol=0,
                                   atol=1e-9 * np.abs(filtered).max()):
                    failures.append(f"{words}: correlating is not savgol_filter")

print(f"{checked} comparisons, {len(failures)} failures")
print("\n".join(failures))
sys.exit(1 if failures or checked < 500 else 0)
