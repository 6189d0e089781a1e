"""Outputs with output.copy = rest open in the readers that open the inputs: shape, rate, start, coordinates, units, names, values.

readers.py: uses a separate Python environment, which is installed from the package index if it does not exist.
readers.py sample: uses the packages of the running Python. Both skip readers that are not installed, and name them.
readers.py here [NAME ...]: runs all cases, or only those whose names contain one of the given names.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

PACKAGES = {"numpy": "numpy", "scipy": "scipy", "h5py": "h5py", "dascore": "dascore", "gwpy": "gwpy", "pycbc": "pycbc",
            "pynwb": "pynwb", "mne": "mne", "nexusformat": "nexusformat", "xarray": "xarray", "netCDF4": "netCDF4",
            "h5netcdf": "h5netcdf", "xradar": "xradar", "wradlib": "wradlib"}  # name of the package for each module
FOLDER = pathlib.Path(os.environ.get("STENCIL_READERS", pathlib.Path.home() / ".cache" / "stencil" / "readers"))


def python_of_readers():
    """The Python of the readers' environment, which is installed again if packages are missing; None if this is not possible."""
    python = FOLDER / "bin" / "python"
    if not python.exists() and subprocess.run([sys.executable, "-m", "venv", FOLDER], capture_output=True).returncode:
        print("SKIPPED: no Python environment can be made; python3-venv brings it")
        return None
    for module, package in PACKAGES.items():
        look = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
        if not subprocess.run([python, "-c", look], capture_output=True).returncode:
            continue
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "15", package]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{package} cannot be installed: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
            if module in ("numpy", "scipy", "h5py"):
                print("SKIPPED: there is no package index, or it lacks NumPy, SciPy and h5py")
                return None
    return python


def is_there(module):
    return importlib.util.find_spec(module) is not None


def check_all(chosen):
    """Runs the cases whose names contain one of the texts `chosen`. @returns the exit status"""
    import reader_fibres  # noqa: F401: registers its cases
    import reader_grids  # noqa: F401
    import reader_signals  # noqa: F401
    from reader_case import CASES, NoFile, check

    warnings.simplefilter("ignore")
    wrong, skipped, count = [], [], 0
    for name, (modules, _) in CASES.items():
        if chosen and not any(word in name for word in chosen):
            continue
        missing = [module for module in modules if not is_there(module)]
        if missing:
            skipped.append(f"{name}: no {', '.join(missing)}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            try:
                found = check(name, pathlib.Path(folder))
            except NoFile as problem:
                skipped.append(f"{name}: {problem}")
                continue
        count += 1
        wrong += found
        print(f"{name}: {len(found)} wrong, {time.monotonic() - began:.1f} s", flush=True)
    print(*wrong, *(f"SKIPPED {line}" for line in skipped), f"{count} files, {len(wrong)} lines of what is wrong", sep="\n")
    return 1 if wrong else 0 if count else 77


def main():
    words = sys.argv[1:]
    if words[:1] == ["sample"]:
        return check_all(["xarray"])
    if words[:1] == ["here"]:
        return check_all(words[1:])
    python = python_of_readers()
    return subprocess.run([python, "-B", __file__, "here", *words]).returncode if python else 77


if __name__ == "__main__":
    sys.exit(main())
