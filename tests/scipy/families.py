"""Mask families, compared with SciPy. FAMILIES has one entry for each family.

semantics.py draws random parameters; tests/kernels/families/families_scipy.py compares the taps for the keys in `sweep`. Keys are
those of the configuration, plus the sampling rate `rate`. Lists hold one value for all axes or one per axis.
"""

from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Callable

import numpy as np
import scipy.ndimage as ndimage
import scipy.signal as signal


@dataclass(frozen=True)
class Family:
    random: Callable  # (rng, axes): keys with random values
    sweep: list  # keys whose taps are compared
    along: Callable  # (keys, axis): taps along an axis of the mask, in the order in which SciPy applies them to its input
    grid: Callable = None  # (keys, axis of the derivative): taps over two axes; None: the outer product of `along`
    ranks: tuple = (1, 2)
    has_direction: bool = False
    is_dense: bool = False  # true: over two axes, the mask is not an outer product, and points under taps of 0 are skipped
    tolerance: float = 1e-12  # relative to the largest tap


def value_of(values, axis):
    return values[axis] if len(values) > 1 else values[0]


def laid_by(filter_, width):
    """The taps that a SciPy filter applies to its input, obtained from its response to a single 1."""
    n = 2 * width + 1
    point = np.zeros(n)
    point[width] = 1
    answer = filter_(point)  # answer[i] = taps[centre + width - i]
    half = width // 2
    return answer[width - half + 1 - width % 2 : width + half + 1][::-1]


def grid_laid_by(filter_, height=3, width=3):
    """The taps of a SciPy filter over two axes, of odd extents, obtained from its response to a single 1."""
    point = np.zeros((2 * height + 1, 2 * width + 1))
    point[height, width] = 1
    y, x = height // 2, width // 2
    return filter_(point)[height - y : height + y + 1, width - x : width + x + 1][::-1, ::-1]


def gaussian_keys(rng, axes):
    return {
        "sigma": [round(float(s), 2) for s in rng.uniform(0.4, 2.0, size=axes)],
        "order": [int(o) for o in rng.integers(0, 3, size=axes)],
        "truncate": float(rng.choice([2.0, 3.5, 4.0])),
    }


def gaussian_radius(keys, axis):
    return value_of(keys.get("radius", [0]), axis) or int(keys["truncate"] * value_of(keys["sigma"], axis) + 0.5)


def gaussian(keys, axis):
    sigma, order, radius = value_of(keys["sigma"], axis), value_of(keys["order"], axis), gaussian_radius(keys, axis)
    delta = value_of(keys.get("delta", [1]), axis)
    return laid_by(
        lambda p: ndimage.gaussian_filter1d(p, sigma, order=order, radius=radius, mode="constant") / delta**order,
        2 * radius + 1,
    )


def ring(keys, *axes):
    """A mask over one or two axes of the points within the radius and outside the inner radius, divided by their number."""
    outer, inner = ([value_of(keys.get(key, [0]), axis) for axis in axes] for key in ("radius", "inner"))
    places = np.meshgrid(*(np.arange(-int(r), int(r) + 1) for r in outer), indexing="ij")
    square = lambda radii: sum((x / r) ** 2 for x, r in zip(places, radii))
    inside = square(outer) <= 1 + 1e-12
    if min(inner) > 0:
        inside &= square(inner) > 1 + 1e-12
    return inside / inside.sum()


def ring_family(hole):
    def random(rng, axes):
        keys = {"radius": [round(float(r), 1) for r in rng.uniform(3, 7, size=axes)]}
        return {**keys, "inner": [round(float(r), 1) for r in rng.uniform(0.5, 2, size=axes)]} if hole else keys

    radii = ([1], [2], [2.5], [13], [30.5], [5, 9], [20, 7.3])
    inner = ([0.5], [1], [2.4, 0.7]) if hole else (None,)
    return Family(random, [{"radius": r, **({"inner": i} if i else {})} for r, i in product(radii, inner)
                           if not i or all(value_of(i, a) + 1 <= value_of(r, a) for a in (0, 1))],
                  along=lambda keys, axis: ring(keys, axis), grid=lambda keys, axis: ring(keys, 0, 1), is_dense=True)


def log_grid(keys, _):
    radii = [gaussian_radius(keys, axis) for axis in (0, 1)]
    sigma = [value_of(keys["sigma"], axis) for axis in (0, 1)]

    delta = [delta_of(keys, axis) for axis in (0, 1)]
    if delta == [1, 1]:
        laplacian = lambda p: ndimage.gaussian_laplace(p, sigma, radius=radii, mode="constant")
    else:
        laplacian = lambda p: sum(ndimage.gaussian_filter(p, sigma, [2 * (k == axis) for k in (0, 1)], radius=radii, mode="constant")
                                  / delta[axis] ** 2 for axis in (0, 1))
    return grid_laid_by(laplacian, *(2 * radius + 1 for radius in radii))


def dog_pair(keys):
    """The keys of the narrow and of the wide Gaussian."""
    one = {"sigma": keys["sigma"], "order": [0], "truncate": keys["truncate"]}
    return one, {**one, "sigma": [keys["ratio"] * sigma for sigma in keys["sigma"]]}


def padded(taps, shape):
    return np.pad(taps, [((n - m) // 2,) * 2 for n, m in zip(shape, taps.shape)])


def dog(keys, axis):
    narrow, wide = (gaussian(part, axis) for part in dog_pair(keys))
    return padded(narrow, wide.shape) - wide


def dog_grid(keys, _):
    narrow, wide = (np.outer(gaussian(part, 0), gaussian(part, 1)) for part in dog_pair(keys))
    return padded(narrow, wide.shape) - wide


def box(keys, axis):
    size = value_of(keys["size"], axis)
    return laid_by(lambda p: ndimage.uniform_filter1d(p, size, mode="constant"), size)


def binomial(keys, axis):
    return reduce(np.convolve, [[0.5, 0.5]] * (value_of(keys["size"], axis) - 1), np.ones(1))


def delta_of(keys, axis):
    return value_of(keys.get("delta", [1]), axis)


def random_delta(rng, axes):
    return {"delta": [float(d) for d in rng.choice([0.25, 0.5, 3.0], size=axes)]} if rng.random() < 0.5 else {}


def edge(filter_, weight):
    """The family of sobel or prewitt: the derivative along one axis, smoothed along the other. With `delta` the result is the
    derivative: it is divided by the spacing of the two neighbours, and by the sum `weight` of the weights of the smoothing."""
    return Family(
        random=random_delta,
        sweep=[{}, {"delta": [1]}, {"delta": [0.25]}, {"delta": [3, 0.5]}],
        along=lambda keys, axis: laid_by(lambda p: filter_(p, 0, mode="constant"), 3) / (2 * delta_of(keys, axis) if "delta" in keys else 1),
        grid=lambda keys, axis: (grid_laid_by(lambda p: filter_(p, axis, mode="constant"))
                                 / (2 * delta_of(keys, axis) * weight if "delta" in keys else 1)),
        has_direction=True,
    )


def laplace(keys, axis):
    return laid_by(lambda p: ndimage.laplace(p, mode="constant"), 3) / delta_of(keys, axis) ** 2


def laplace_grid(keys, _):
    if "delta" not in keys:
        return grid_laid_by(lambda p: ndimage.laplace(p, mode="constant"))
    return grid_laid_by(lambda p: sum(ndimage.correlate1d(p, [1, -2, 1], axis, mode="constant") / delta_of(keys, axis) ** 2 for axis in (0, 1)))


WINDOWS = ("hamming", "hann", "blackman", "blackmanharris", "nuttall", "bartlett", "boxcar", "cosine", "flattop",
           "kaiser:0", "kaiser:2.5", "kaiser:14", "gaussian:3", "gaussian:0.7")


def firwin(band):
    count = 2 if band in ("bandpass", "bandstop") else 1

    def taps(keys, _):
        kind, _, parameter = keys["window"].partition(":")
        window = (kind, float(parameter)) if parameter else kind
        with np.errstate(all="ignore"):
            return signal.firwin(keys["taps"], keys["cutoff"], window=window, pass_zero=band, fs=keys["rate"])

    def random(rng, _):
        rate = float(rng.choice([1.0, 200.0, 4096.0]))
        return {
            "taps": 2 * int(rng.integers(2, 12)) + 1,
            "cutoff": [0.11 * rate, 0.37 * rate][:count],
            "window": str(rng.choice(["hamming", "hann", "blackman", "kaiser:6.5"])),
            "rate": rate,
        }

    sweep = [
        {"taps": n, "cutoff": list(cutoff[:count]), "window": window, "rate": rate}
        for window, n, (rate, cutoff) in product(WINDOWS, (2, 3, 8, 21, 64, 255), ((2, (0.1, 0.77)), (4096, (35, 350))))
        if band not in ("highpass", "bandstop") or n % 2 == 1
    ]

    def is_a_filter(keys):  # SciPy divides by the sum of the window, and some windows with few taps are 0 everywhere
        found = taps(keys, 0)
        return np.isfinite(found).all() and np.abs(found).max() < 1e6

    return Family(random, [keys for keys in sweep if is_a_filter(keys)], taps, ranks=(1,))


def savgol_keys(rng, _):
    size = 2 * int(rng.integers(1, 6)) + 1
    order = int(rng.integers(0, min(size, 5)))  # for higher orders, SciPy's own solver loses digits
    deriv = int(rng.integers(0, min(order, 2) + 1))
    return {"size": [size], "polyorder": order, "deriv": deriv, "delta": float(rng.choice([1.0, 0.5]))}


def savgol(keys, _):
    size, order = keys["size"][0], keys["polyorder"]
    return signal.savgol_coeffs(size, order, deriv=keys["deriv"], delta=keys["delta"])[::-1]


FAMILIES = {
    "gaussian": Family(
        random=gaussian_keys,
        sweep=[{"sigma": [sigma], "order": [order], "truncate": truncate}
               for sigma, truncate, order in product((0.3, 0.5, 1, 1.7, 2.5, 10, 63.2), (1, 2.25, 4, 6), range(5))]
        + [{"sigma": [2.5], "order": [order], "truncate": 4.0, "radius": radius}
           for order, radius in product(range(3), ([1], [7], [12, 4]))]
        + [{"sigma": [2.5], "order": [order], "truncate": 4.0, "delta": delta}
           for order, delta in product(range(4), ([0.25], [3, 0.5]))],
        along=gaussian,
    ),
    "box": Family(
        random=lambda rng, axes: {"size": [int(s) for s in rng.integers(1, 8, size=axes)]},
        sweep=[{"size": [size]} for size in (1, 2, 3, 4, 5, 16, 31, 100)],
        along=box,
    ),
    "binomial": Family(
        random=lambda rng, axes: {"size": [int(s) for s in rng.integers(1, 10, size=axes)]},
        sweep=[{"size": [size]} for size in (1, 2, 3, 4, 5, 16, 31, 100, 1001)],
        along=binomial,
    ),
    "disk": ring_family(hole=False),
    "annulus": ring_family(hole=True),
    "log": Family(
        random=lambda rng, axes: {"sigma": [round(float(s), 2) for s in rng.uniform(0.6, 2.0, size=axes)],
                                  "truncate": float(rng.choice([2.0, 4.0])), **random_delta(rng, axes)},
        sweep=[{"sigma": sigma, "truncate": truncate} for sigma, truncate in product(([0.7], [2], [1.5, 3]), (2.5, 4.0))]
        + [{"sigma": [2], "truncate": 4.0, "radius": [5]}]
        + [{"sigma": [1.5, 3], "truncate": 2.5, "delta": delta} for delta in ([0.5], [3, 0.25])],
        along=lambda keys, axis: gaussian({**keys, "order": [2]}, axis),
        grid=log_grid,
        is_dense=True,
    ),
    "dog": Family(
        random=lambda rng, axes: {"sigma": [round(float(s), 2) for s in rng.uniform(0.6, 1.5, size=axes)],
                                  "ratio": float(rng.choice([1.6, 2.0])), "truncate": float(rng.choice([2.0, 4.0]))},
        sweep=[{"sigma": sigma, "ratio": ratio, "truncate": truncate}
               for sigma, ratio, truncate in product(([0.7], [2], [1.5, 2.5]), (1.2, 1.6, 3.0), (2.5, 4.0))],
        along=dog,
        grid=dog_grid,
        is_dense=True,
    ),
    "laplace": Family(
        random=random_delta,
        sweep=[{}, {"delta": [0.5]}, {"delta": [3, 0.25]}],
        along=laplace,
        grid=laplace_grid,
        is_dense=True,
    ),
    "sobel": edge(ndimage.sobel, 4),
    "prewitt": edge(ndimage.prewitt, 3),
    "lowpass": firwin("lowpass"),
    "highpass": firwin("highpass"),
    "bandpass": firwin("bandpass"),
    "bandstop": firwin("bandstop"),
    "savgol": Family(
        random=savgol_keys,
        sweep=[{"size": [size], "polyorder": polyorder, "deriv": deriv, "delta": delta}
               for size in (1, 3, 5, 11, 25, 101) for polyorder in range(min(size, 6))
               for deriv, delta in product(range(polyorder + 1), (1.0, 0.25))],
        along=savgol,
        ranks=(1,),
        tolerance=1e-9,
    ),
}


def grid_of(family, keys, axis):
    """The taps over two axes."""
    return family.grid(keys, axis) if family.grid else np.outer(family.along(keys, 0), family.along(keys, 1))


def random_family(rng, along):
    """Returns random taps along one or two axes, and their keys with values as text of a configuration."""
    axes = len(along)
    word = str(rng.choice([name for name, family in FAMILIES.items() if axes in family.ranks]))
    family = FAMILIES[word]
    keys = family.random(rng, axes)
    direction = int(rng.integers(axes))
    taps = family.along(keys, 0) if axes == 1 else grid_of(family, keys, direction)
    keys = {"mask": word, **keys}
    if 2 in family.ranks:
        keys["rank"] = axes
    if axes == 1 or family.has_direction:
        keys["axis"] = along[direction]
    return taps, {k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in keys.items()}
