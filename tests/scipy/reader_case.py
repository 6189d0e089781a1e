"""A case is a file that a reader opens. It is filtered in several ways with output.copy = rest, and the same reader opens the outputs.

The data of the input, as read by the reader, are sampled at the points of the output and compared with the data of the output:
the values (filtered with SciPy), coordinates, rates, and all properties that do not depend on the points, such as units and
names.
"""

import json
import pathlib
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import ndimage, signal

from program import ini, run



class NoFile(Exception):
    """The file of a case is not available."""


CASES = {}  # name: modules that the case needs, and a function that makes the input


@dataclass
class Reading:
    """The contents of one file as read by a reader."""

    values: np.ndarray  # in the order of the dataset's axes
    along: dict = field(default_factory=dict)  # {name: (axis, value for each point)}
    rates: dict = field(default_factory=dict)  # {name: (axis, points per unit)}
    facts: dict = field(default_factory=dict)  # {name: a property that does not depend on the points}


@dataclass
class Input:
    file: pathlib.Path
    dataset: str
    read: Callable  # path -> Reading
    axis: int = 0  # the axis that the masks run along
    hertz: float = 0  # the rate that the program must find along this axis
    axes: tuple = ()  # axis of the reader's values for each axis of the dataset; empty: the same order
    sections: dict = field(default_factory=dict)
    only: tuple = ()  # names of variants; empty: all
    beside: slice = None  # the points that are selected along the other axis
    relative: tuple = ()  # coordinates without an origin in the file: compared after subtracting their first value


def case(name, *modules):
    """Registers a function that makes an Input in the folder that is passed to it."""
    def register(make):
        CASES[name] = (modules, make)
        return make
    return register


def low_pass(rate):
    return {"mask": "lowpass", "taps": 31, "cutoff": 0.05 * rate} if rate else {"mask": "gaussian", "sigma": 2, "radius": 15}


def taps_of(stage, rate):
    if stage["mask"] == "gaussian":
        x = np.arange(-15, 16)
        weights = np.exp(-0.5 * (x / 2) ** 2)
        return weights / weights.sum()
    return signal.firwin(31, stage["cutoff"], fs=rate, pass_zero=stage["mask"], scale=True)


def variants(case_input, shape):
    """Returns {name of a variant: (its stage, the selected slices of the input, the slices of the input points at which outputs lie)}. The
    slices are given as {axis: slice}."""
    axis, rate, n = case_input.axis, case_input.hertz, shape[case_input.axis]
    band = {"mask": "bandpass", "taps": 31, "cutoff": (0.1 * rate, 0.3 * rate)} if rate else low_pass(0)
    found = {"whole": (band, {}, {}), "cut": (low_pass(0), {axis: slice(n // 5, n - n // 7)}, {}),
             "decimated": ({**low_pass(rate), "extent": "valid", "stride": 5}, {}, {axis: slice(15, n - 15, 5)})}
    others = [at for at, points in enumerate(shape) if at != axis and points > 4]
    if others:
        found["other axis"] = (low_pass(0), {others[-1]: case_input.beside or slice(2, shape[others[-1]] - 1, 2)}, {})
    return {name: found[name] for name in found if not case_input.only or name in case_input.only}


def words(case_input, target, stage, selected, rank):
    stage = {**stage, "axis": case_input.axis}
    if isinstance(stage.get("cutoff"), tuple):
        stage["cutoff"] = " ".join(map(str, stage["cutoff"]))
    chosen = [f"{s.start}:{s.stop}:{s.step or 1}" if (s := selected.get(axis)) else ":" for axis in range(rank)]
    more = {"select": ", ".join(chosen)} if selected else {}
    own = case_input.sections
    return ini({**own, "input": {"file": case_input.file, "dataset": case_input.dataset, **more, **own.get("input", {})},
                "output": {"file": target, "copy": "rest", "overwrite": "true", **own.get("output", {})}, "stencil": stage})


def expected(before, case_input, stage, points):
    """The expected reading of the output. points: slice of the input's points for each axis of the dataset."""
    axes = case_input.axes or tuple(range(before.values.ndim))
    at = {axes[axis]: s for axis, s in points.items()}
    values = before.values.astype(float)
    along = axes[case_input.axis]
    values = ndimage.convolve1d(values, taps_of(stage, case_input.hertz), axis=along, mode="reflect")
    values = values[tuple(at.get(axis, slice(None)) for axis in range(values.ndim))]
    return Reading(values, {name: (axis, np.asarray(list_)[at.get(axis, slice(None))]) for name, (axis, list_) in before.along.items()},
                   {name: (axis, rate / ((at[axis].step or 1) if axis in at else 1)) for name, (axis, rate) in before.rates.items()},
                   before.facts)


def is_close(found, wanted):
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.kind == "M":  # readers compute times in float64, which are exact to a hundredth of a step
        step = np.ptp(wanted.astype("M8[ns]").astype("i8")) / max(wanted.size - 1, 1)
        return bool((np.abs((found - wanted).astype("m8[ns]").astype("i8")) <= max(step / 100, 1000)).all())
    if wanted.dtype.kind not in "fiu" or found.dtype.kind not in "fiu":
        return found.tolist() == wanted.tolist()
    return np.allclose(found, wanted, rtol=1e-6, atol=1e-9 * max(1, np.abs(wanted.ravel()[:1]).max(initial=0)), equal_nan=True)


def shown(value):
    value = np.asarray(value)
    return str(value.ravel()[[0, -1]].tolist() + [value.shape] if value.size > 2 else value.tolist())[:120]


def differences(after, right, relative):
    wrong = []
    if after.values.shape != right.values.shape:
        return [f"shape {after.values.shape}, right is {right.values.shape}"]
    largest = np.abs(right.values[np.isfinite(right.values)]).max(initial=0)
    error = np.nanmax(np.abs(after.values.astype(float) - right.values), initial=0)
    if error > 1e-5 * largest or (np.isnan(after.values) != np.isnan(right.values)).any():
        wrong.append(f"values differ by {error:.3g} of {largest:.3g}")
    for name, (axis, values) in right.along.items():
        found = after.along.get(name, (axis, np.empty(0)))[1]
        if name in relative and len(found) == len(values):
            found, values = found - found[0], values - values[0]
        if not is_close(found, values):
            wrong.append(f"{name} is {shown(found)}, right is {shown(values)}")
    for name, (axis, rate) in right.rates.items():
        if not np.isclose(float(after.rates[name][1]), float(rate), rtol=1e-7):
            wrong.append(f"{name} is {after.rates[name][1]}, right is {rate}")
    wrong += [f"{name} is {shown(after.facts.get(name))}, right is {shown(value)}" for name, value in right.facts.items()
              if not is_close(after.facts.get(name), value)]
    return wrong


def words_of(problem):
    where = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {str(problem)[:200]} ({pathlib.Path(where.filename).name}:{where.lineno})"


def check(name, folder):
    """Runs one case. Returns the failures."""
    wrong = []
    try:
        case_input = CASES[name][1](folder)
        if case_input is None:
            raise NoFile("the real data are not there (STENCIL_DATA)")
        before = case_input.read(case_input.file)
    except NoFile:
        raise
    except Exception as problem:  # a reader may raise any exception
        return [f"{name}: the input itself cannot be made or read: {words_of(problem)}"]
    axes = case_input.axes or tuple(range(before.values.ndim))
    shape = [before.values.shape[axis] if axis is not None else 0 for axis in axes]
    for variant, (stage, selected, sampled) in variants(case_input, shape).items():
        target = folder / f"out{case_input.file.suffix}"
        outcome = run(folder, words(case_input, target, stage, selected, len(shape)), arguments=["--report=report.json"])
        if outcome.status:
            wrong.append(f"{name} ({variant}): {outcome.unexpected()}")
            continue
        try:
            right = expected(before, case_input, stage, {**selected, **sampled})
            problems = differences(case_input.read(target), right, case_input.relative)
        except Exception as problem:  # a reader may raise any exception
            problems = [f"the reader fails: {words_of(problem)}"]
        if problems:
            told = json.loads((folder / "report.json").read_text())["output"]["not_carried_over"]
            wrong += [f"{name} ({variant}): {problem}" for problem in problems] + [f"    left out: {line}" for line in told]
    return wrong
