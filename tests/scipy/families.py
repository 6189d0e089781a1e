"""Mask families with random parameters: the configuration's keys, and the taps that SciPy uses."""

import numpy as np
import scipy.ndimage as ndimage
import scipy.signal as signal


def laid_by(filter_, width):
    """Taps that a SciPy filter lays on its input, read off from its answer to a single 1."""
    n = 2 * width + 1
    point = np.zeros(n)
    point[width] = 1
    answer = filter_(point)  # answer[i] = taps[centre + width - i]
    half = width // 2
    return answer[width - half : width + half + 1][::-1]


def gaussian(rng, count):
    sigma = [round(float(s), 2) for s in rng.uniform(0.4, 2.0, size=count)]
    order = [int(o) for o in rng.integers(0, 3, size=count)]
    truncate = float(rng.choice([2.0, 3.5, 4.0]))
    keys = {"mask": "gaussian", "sigma": sigma, "order": order, "truncate": truncate}
    return keys, [
        laid_by(lambda p: ndimage.gaussian_filter1d(p, s, order=o, truncate=truncate, mode="constant"),
                2 * int(truncate * s + 0.5) + 1)
        for s, o in zip(sigma, order)
    ]


def box(rng, count):
    size = [int(s) for s in rng.integers(1, 8, size=count)]
    return {"mask": "box", "size": size}, [np.full(s, 1 / s) for s in size]


def firwin(rng, _):
    rate = float(rng.choice([1.0, 200.0, 4096.0]))
    band = str(rng.choice(["lowpass", "highpass", "bandpass"]))
    cutoff = [0.11 * rate] if band != "bandpass" else [0.11 * rate, 0.37 * rate]
    words = {"hamming": "hamming", "hann": "hann", "blackman": "blackman", "kaiser:6.5": ("kaiser", 6.5)}
    window = str(rng.choice(list(words)))
    taps = 2 * int(rng.integers(2, 12)) + 1
    keys = {"mask": band, "taps": taps, "cutoff": cutoff, "window": window, "rate": rate}
    return keys, [signal.firwin(taps, cutoff, window=words[window], pass_zero=band, fs=rate)]


def savgol(rng, _):
    size = 2 * int(rng.integers(1, 6)) + 1
    order = int(rng.integers(0, min(size, 5)))  # above, the solver in SciPy itself loses digits
    deriv = int(rng.integers(0, min(order, 2) + 1))
    delta = float(rng.choice([1.0, 0.5]))
    keys = {"mask": "savgol", "size": [size], "polyorder": order, "deriv": deriv, "delta": delta}
    return keys, [signal.savgol_coeffs(size, order, deriv=deriv, delta=delta)[::-1]]


def edge(rng, along, rank):
    """sobel and prewitt: the derivative along one axis, smoothed along the other."""
    word = str(rng.choice(["sobel", "prewitt"]))
    derivative = laid_by(lambda p: getattr(ndimage, word)(p, 0, mode="constant"), 3)
    axis = along[int(rng.integers(len(along)))]
    keys = {"mask": word, "axis": axis, "rank": len(along)}
    if len(along) == 1:
        return derivative, keys
    point = np.zeros((7, 7))
    point[3, 3] = 1
    answer = getattr(ndimage, word)(point, axis - along[0], mode="constant")
    return answer[2:5, 2:5][::-1, ::-1], keys


def laplace(along, rank):
    point = np.zeros((7,) * len(along))
    point[(3,) * len(along)] = 1
    taps = ndimage.laplace(point, mode="constant")[(slice(2, 5),) * len(along)]
    keys = {"mask": "laplace", "rank": len(along)}
    if len(along) == 1:
        keys["axis"] = along[0]
    return taps, keys


def random_family(rng, along, rank):
    """Taps (1D, or 2D as an outer product) and keys, values written as the configuration has them."""
    choices = ["gaussian", "box", "edge", "laplace"] + (["firwin", "savgol"] if len(along) == 1 else [])
    word = str(rng.choice(choices))
    if word == "edge":
        return edge(rng, along, rank)
    if word == "laplace":
        return laplace(along, rank)
    keys, factors = {"gaussian": gaussian, "box": box, "firwin": firwin, "savgol": savgol}[word](rng, len(along))
    if len(along) == 1:
        keys["axis"] = along[0]
    if word in ("gaussian", "box"):
        keys["rank"] = len(along)
    taps = factors[0] if len(along) == 1 else np.outer(*factors)
    return taps, {k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in keys.items()}
