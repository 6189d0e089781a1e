"""The cases of jobs.py by name, and functions that run them."""

import pathlib
import subprocess
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

LAUNCHERS = ("mpirun", "srun")
CASES = {}
LAST = []  # names of cases that change the Slurm of all cases
NIGHTLY = []  # names of cases that wait for minutes
SIDE_BY_SIDE = 4
SECOND_NODE = threading.Lock()  # held by cases that need the second node for themselves


def case(name, *arguments, last=False, nightly=False):
    """Registers a case, which is a function that returns complaints. Its arguments are the cluster, a folder for the
    case, a function that returns the correct bytes for a stencil, and `arguments`."""
    def take(function):
        CASES[name] = lambda *common: function(*common, *arguments)
        LAST.extend([name] * last)
        NIGHTLY.extend([name] * nightly)
        return function
    return take


def for_launchers(name, **kinds):
    def take(function):
        for launcher in LAUNCHERS:
            case(f"{name} by {launcher}", launcher, **kinds)(function)
        return function
    return take


def try_case(name, place, *common):
    start = time.monotonic()
    folder = pathlib.Path(place) / name.replace(" ", "_")
    folder.mkdir()
    try:
        wrong = CASES[name](common[0], folder, *common[1:])
    except (TimeoutError, RuntimeError, OSError, subprocess.SubprocessError):
        wrong = [traceback.format_exc()]
    print(f"{name}: {'wrong' if wrong else 'as promised'}, {time.monotonic() - start:.1f} s", flush=True)
    return [f"{name}: {line}" for line in wrong]


def try_all(names, place, *common):
    """Runs these cases, several at a time, because they mostly wait for Slurm. Returns the complaints."""
    first = [name for name in names if name not in LAST]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        lists = list(pool.map(lambda name: try_case(name, place, *common), first))
    lists += [try_case(name, place, *common) for name in names if name in LAST]
    return sum(lists, [])
