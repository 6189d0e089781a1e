"""open_in_tools.py TOOL: opens outputs in a tool that opens the inputs, and reports the problems.

Each line of stdin is a list in JSON: input, output, dataset, and a list of [first, stride, count] of the output's points along
each axis of the input. Each line of stdout is the answer to one line, in JSON: "problems", and the "sum" of the values that were
read unless the tool failed. Run by metadata.py, for DASCore in a separate Python environment; exits with status 77 if that
environment does not contain the tool.
"""

import json
import os
import sys

import numpy as np


def sampled(values, first, stride, count):
    """Coordinates at the points of the output; evenly spaced coordinates are continued beyond the edges."""
    at = first + stride * np.arange(count)
    if 0 <= at[0] and at[-1] < len(values):
        return values[at]
    step = (values[-1] - values[0]) / (len(values) - 1)
    return values[0] + (step * at).astype(step.dtype if step.dtype.kind == "m" else float)


def is_close(found, wanted):
    if found.shape != wanted.shape:
        return False
    if found.dtype.kind == "M":
        return bool((np.abs(found - wanted) <= np.timedelta64(1, "us")).all())
    if found.dtype.kind not in "fiu":
        return bool((found == wanted).all())
    return np.allclose(found, wanted, rtol=1e-6, atol=1e-9, equal_nan=True)


def by_dascore(source, target, dataset, sampling):
    import dascore

    before, after = dascore.spool(source)[0], dascore.spool(target)[0]
    problems = [] if before.dims == after.dims else [f"dimensions {after.dims}"]
    for name, (first, stride, count) in zip(before.dims, sampling):
        wanted = sampled(before.get_array(name), first, stride, count)
        found = after.get_array(name)
        if not is_close(found, wanted):
            problems.append(f"{name} is {found[[0, -1]]} of {len(found)}, not {wanted[[0, -1]]} of {len(wanted)}")
    for name in ("gauge_length", "instrument_id", "pulse_rate"):
        if dict(before.attrs).get(name) != dict(after.attrs).get(name):
            problems.append(f"{name} is {dict(after.attrs).get(name)}")
    if after.data.shape != tuple(count for _, _, count in sampling):
        problems.append(f"shape {after.data.shape}")
    return problems, after.data


def by_xarray(engine, source, target, dataset, sampling):
    import xarray

    name = dataset.strip("/")
    with xarray.open_dataset(source, engine=engine, decode_times=False) as before, \
            xarray.open_dataset(target, engine=engine, decode_times=False) as after:
        old, new = before[name], after[name]
        problems = [] if old.dims == new.dims else [f"dimensions {new.dims}"]
        along = dict(zip(old.dims, sampling))
        for key, coordinate in old.coords.items():
            wanted = coordinate.values
            for axis, dimension in enumerate(coordinate.dims):
                if along[dimension] != [0, 1, before.sizes[dimension]]:
                    wanted = np.apply_along_axis(sampled, axis, wanted, *along[dimension])
            if key not in new.coords:
                problems.append(f"coordinate {key} is gone")
            elif not is_close(new.coords[key].values, wanted) or dict(new.coords[key].attrs).get("units") != coordinate.attrs.get("units"):
                problems.append(f"coordinate {key} is another one")
        return problems, new.values


TOOLS = {"dascore": by_dascore, "netcdf4": lambda *words: by_xarray("netcdf4", *words),
         "h5netcdf": lambda *words: by_xarray("h5netcdf", *words)}


def answer(tool, words):
    try:
        problems, values = TOOLS[tool](*words)
    except Exception as error:  # any exception of the tool is a problem of the output
        return {"problems": [f"{type(error).__name__}: {error}"]}
    finite = values[np.isfinite(values)].astype(float)
    return {"problems": problems, "sum": float(np.abs(finite).sum())}


def main():
    tool = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # a tool may print to stdout, which is for answers
    try:
        for name in ["dascore"] if tool == "dascore" else ["xarray", "netCDF4" if tool == "netcdf4" else tool]:
            __import__(name)
    except ImportError:
        return 77
    for line in sys.stdin:
        print(json.dumps(answer(tool, json.loads(line))), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
