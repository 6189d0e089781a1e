"""Masks that are sums of two or three separable masks: whole runs of stencil_run compared with the direct sum of plain
NumPy, within the error bound of a direct sum. An attribute of the output, the report and --check name the method. NaN
and Inf affect all outputs whose mask covers them. Masks that must not be summed as separable masks are summed directly.
"""

import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from expected import Stage, apply, bound, difference
from program import in_turn, ini, run


def bell(width, sigma):
    x = np.arange(width) - width // 2
    return np.exp(-0.5 * (x / sigma) ** 2)


def laplacian(width, sigma):
    """Laplacian of a Gaussian, as scipy.ndimage.gaussian_laplace samples it."""
    x, plain = np.arange(width) - width // 2, bell(width, sigma)
    curved = (x**2 / sigma**4 - 1 / sigma**2) * plain
    return np.outer(plain, curved) + np.outer(curved, plain)


def masks():
    """Returns {name: (taps, the method that `auto` must choose)}."""
    thin, wide = bell(21, 2) / bell(21, 2).sum(), bell(21, 3.2) / bell(21, 3.2).sum()
    log15 = laplacian(15, 2.5)
    rng = np.random.default_rng(41)
    with_zero = laplacian(15, 2.5)
    with_zero[4, 9] = 0
    return {
        "laplacian": (log15, "sum of 2 separable"),
        "laplacian21": (laplacian(21, 2.9), "sum of 2 separable"),
        "bells": (np.outer(thin, thin) - np.outer(wide, wide), "sum of 2 separable"),
        "balanced": (log15 - log15.mean(), "sum of 3 separable"),
        "oblong": (rng.normal(size=(13, 2)) @ rng.normal(size=(2, 24)), "sum of 2 separable"),
        "noisy": (log15 + 1e-4 * rng.normal(size=log15.shape), "direct"),
        "with_zero": (with_zero, "direct"),
        "small": (laplacian(5, 1.1), "direct"),
    }


def check(folder, name, taps, method, data, ranks, words):
    """Runs one case, with `data` in the type of the sums. Returns lines that describe the failures."""
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = data
        file["mask"] = taps
    sections = {"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5", "overwrite": "true"},
                "stencil": {"mask": "in.h5:/mask", **words}}
    where = f"{name}, {data.dtype}, {ranks} ranks, {words}: "
    outcome = run(folder, ini(sections), ranks, ["--report=report.json"])
    if outcome.status != 0:
        return [where + outcome.unexpected()]
    with h5py.File(folder / "out.h5") as file:
        result, told = file["x"][()], file.attrs["stencil_method"]
    wrong = [] if told == f"stencil: {method}" else [f"{where}stencil_method is {told}"]
    stage = json.loads((folder / "report.json").read_text())["stages"][0]
    kernel = "fft tiles" if method == "fft" else method
    if stage["method"] != method or (method != "direct" and f"cpu {kernel}, " not in stage["kernel"]):
        wrong.append(f"{where}the report says {stage['method']}, {stage['kernel']}")
    plan = run(folder, ini(sections), ranks, ["--check"]).stdout
    if f"taps, {method} (" not in plan:
        wrong.append(f"{where}--check says {plan}")
    expected = data.astype(np.float64)
    allowed = 0.0
    for _ in range(words.get("steps", 1)):
        allowed = allowed * np.abs(taps).sum() + bound(taps, expected, np.finfo(data.dtype).eps)
        expected = apply(expected, Stage(taps, (data.ndim - 2, data.ndim - 1), words.get("operation", "correlate")))
    if method != "direct":  # if two terms have different signs, Inf becomes NaN
        result, expected = (np.where(np.isfinite(a), a, np.nan) for a in (result, expected))
    differs = difference(result, expected, allowed)
    return wrong + ([where + differs] if differs else [])


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    rng = np.random.default_rng(42)
    wrong = []
    for name, (taps, method) in masks().items():
        for dtype, ranks in in_turn((("float32", 0), ("float64", 3))):
            # small arrays, for which `auto` chooses no transform even if it would cost less
            shape = {"direct": (1, 20, 40), "sum of 3 separable": (1, 60, 60)}.get(method, (2, 90, 130))
            data = rng.normal(size=shape).astype(dtype)
            wrong += check(folder, name, taps, method, data, ranks, {"operation": "convolve"})
    taps, method = masks()["balanced"]
    data = rng.normal(size=(80, 75))
    data[11, 20], data[40, 60], data[79, 3] = np.nan, np.inf, -np.inf
    wrong += check(folder, "not finite", taps, method, data, 0, {})
    wrong += check(folder, "steps", taps / np.abs(taps).sum(), method, rng.normal(size=(80, 75)), 4,
                   {"steps": 3, "method": "separable"})
    wrong += check(folder, "as asked", masks()["small"][0], "sum of 2 separable", rng.normal(size=(40, 50)), 0,
                   {"method": "separable"})
print("\n".join(wrong) or "sums of separable masks agree with direct sums")
sys.exit(1 if wrong else 0)
