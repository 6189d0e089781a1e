"""Compares the taps of every mask family with those of SciPy for many parameters. Exits with status 77 if SciPy is not installed."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scipy"))
try:
    import numpy as np
    from scipy import signal

    from families import FAMILIES, grid_of
except ImportError as missing:
    print(f"SKIPPED: no SciPy to compare with ({missing}); install python3-scipy")
    sys.exit(77)

failures = []
MOST = 64  # largest number of taps along an axis of a mask over two axes


def answers(*lines):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def written(axes, name, keys, direction=0):
    text = lambda value: ",".join(map(str, value)) if isinstance(value, list) else value
    return " ".join([f"{axes} {direction} {name}"] + [f"{key}={text(value)}" for key, value in keys.items()])


def taps_of(answer):
    if not answer or answer.startswith("error"):
        return None
    return np.array([[float(tap) for tap in row.split()] for row in answer.split(";")])


def comparisons():
    """Yields requests, the taps of SciPy as rows, and the tolerance of the taps."""
    for name, family in FAMILIES.items():
        for keys in family.sweep:
            taps = family.along(keys, 0)
            yield written(1, name, keys), taps[None], family.tolerance
            if 2 not in family.ranks or taps.size > MOST:
                continue
            for direction in range(1 + family.has_direction):
                yield written(2, name, keys, direction), grid_of(family, keys, direction), family.tolerance


# the taps of `matched` come from a file, and are tested by tests/scipy/matched.py
names = [name for name in answers("names")[0].split() if name != "matched"]
if names != list(FAMILIES):
    failures.append(f"the program has {names}, tests/scipy/families.py {list(FAMILIES)}")

cases = [case for case in comparisons() if np.abs(case[1]).max() > 0]
for (request, expected, tolerance), answer in zip(cases, answers(*(case[0] for case in cases)), strict=True):
    found = taps_of(answer)
    if found is None or found.shape != expected.shape:
        failures.append(f"{request}: {answer[:200]}, but SciPy has {expected.shape[0]} x {expected.shape[1]} taps")
    elif not np.abs(found - expected).max() <= tolerance * np.abs(expected).max():
        failures.append(f"{request}: {np.abs(found - expected).max() / np.abs(expected).max():.2e} apart")

data = np.random.default_rng(5).standard_normal(400)
sweep = FAMILIES["savgol"].sweep
for keys, answer in zip(sweep, answers(*(written(1, "savgol", keys) for keys in sweep)), strict=True):
    size, order, deriv, delta = keys["size"][0], keys["polyorder"], keys["deriv"], keys["delta"]
    r = size // 2
    filtered = signal.savgol_filter(data, size, order, deriv=deriv, delta=delta)[r : 400 - r]
    sums = np.correlate(data, taps_of(answer)[0], "valid")
    if not np.allclose(sums, filtered, rtol=0, atol=1e-9 * np.abs(filtered).max()):
        failures.append(f"{keys}: correlating is not savgol_filter")

print(f"{len(cases) + len(sweep)} comparisons, {len(failures)} failures")
print("\n".join(failures))
sys.exit(1 if failures or len(cases) < 500 else 0)
