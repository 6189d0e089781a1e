"""The facts about a machine and its software that a table of timings states."""

import importlib
import os
import platform

PACKAGES = {"numpy": "python3-numpy", "scipy": "python3-scipy", "cv2": "python3-opencv", "h5py": "python3-h5py", "dask": "python3-dask"}


def available(module, program):
    """Imports a module. If it is missing, prints the Debian package that contains it, and returns None."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{program}: no {module} in {platform.python_implementation()} {platform.python_version()}: "
              f"apt-get install {PACKAGES[module]} installs it; continuing without it", flush=True)
        return None


def processor():
    """Returns the name of the processor according to Linux."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def cores():
    return len(os.sched_getaffinity(0))


def facts(threads, versions):
    """Returns one line with the processor, the threads and the versions. versions: pairs of a name and a module or a text."""
    words = [f"{processor()}, {threads} threads of {cores()} cores"]
    for name, version in versions:
        if version is not None:
            words.append(f"{name} {getattr(version, '__version__', version)}")
    return ", ".join(words)
