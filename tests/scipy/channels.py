"""Masks [out, in, height, width]: whole runs of stencil_run compared with SciPy, which computes one pair of channels after the
other, for every extent, boundary, operation, stride and grouping. The file is the same for every number of ranks. Coordinates
of the channels are left out if the number of channels changes, and --check lists both numbers.
"""

import itertools
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
import scipy.ndimage
import scipy.signal

from program import in_turn, ini, run

MODES = {"reflect": "reflect", "mirror": "mirror", "nearest": "nearest", "wrap": "wrap", "zero": "constant"}


def one_pair(plane, taps, operation, extent, boundary):
    """Returns the contribution of one input channel to one output channel, computed by SciPy."""
    if extent == "same":
        function = getattr(scipy.ndimage, operation)
        return function(plane, taps, mode=MODES[boundary], cval=0.0)
    return getattr(scipy.signal, operation)(plane, taps, mode=extent, method="direct")


def expected(data, mask, groups, stride, *words):
    """The expected output in float64; `data` has any number of axes before channels, y, x."""
    out, inside = mask.shape[:2]
    images = data.astype(np.float64).reshape((-1,) + data.shape[-3:])
    result = []
    for image in images:
        for o in range(out):
            first = o // (out // groups) * inside
            result.append(sum(one_pair(image[first + c], mask[o, c], *words) for c in range(inside)))
    result = np.array(result)[:, :: stride[0], :: stride[1]]
    return result.reshape(data.shape[:-3] + (out,) + result.shape[-2:])


def make_cases():
    rng = np.random.default_rng(31)
    words = itertools.product(
        ("correlate", "convolve"),
        (("same", "reflect"), ("same", "mirror"), ("same", "nearest"), ("same", "wrap"), ("same", "zero"),
         ("valid", "reflect"), ("full", "zero")),
    )
    shapes = itertools.cycle([
        ((6, 23, 31), (6, 6, 6, 6), 1), ((2, 3, 17, 40), (4, 3, 3, 3), 1), ((2, 2, 4, 19, 16), (8, 1, 3, 5), 4),
        ((3, 1, 20, 33), (5, 1, 4, 1), 1), ((2, 6, 21, 18), (4, 3, 1, 7), 2), ((1, 1, 25, 14), (3, 1, 2, 2), 1),
    ])
    for (operation, (extent, boundary)), (shape, mask_shape, groups) in zip(list(words) * 2, shapes):
        stride = tuple(int(n) for n in rng.choice([1, 1, 2, 3], size=2))
        dtype = str(rng.choice(["float32", "float64", "int16"]))
        data = rng.normal(size=shape) * 100
        yield (data.astype(dtype), rng.normal(size=mask_shape), groups, stride, operation, extent, boundary)


def write_input(folder, data, mask):
    with h5py.File(folder / "in.h5", "w") as file:
        dataset = file.create_dataset("images", data=data)
        for axis, name in ((-3, "channel"), (-2, "lat")):
            file[name] = np.arange(data.shape[axis]) * 10.0
            file[name].make_scale(name)
            dataset.dims[data.ndim + axis].attach_scale(file[name])
    with h5py.File(folder / "masks.h5", "w") as file:
        file["mask"] = mask


def sections(groups, stride, operation, extent, boundary):
    keys = {"mask": "masks.h5:/mask", "operation": operation, "extent": extent, "boundary": boundary,
            "stride": f"{stride[0]} {stride[1]}", "groups": groups}
    return {"input": {"file": "in.h5", "dataset": "/images"},
            "output": {"file": "out.h5", "overwrite": "true"}, "stencil": keys}


def run_case(case, folder, ranks):
    """Runs a case. Returns a description of the failure, or an empty text."""
    data, mask, groups, stride, *words = case
    folder.mkdir()
    write_input(folder, data, mask)
    config = sections(groups, stride, *words)
    if int(folder.name) % 2 == 0 and groups == 1 and mask.shape[0] * mask.shape[1] <= 16:
        config["stencil"]["method"] = "fft"
    outcome = run(folder, ini(config), ranks)
    if outcome.status != 0:
        return outcome.unexpected()
    with h5py.File(folder / "out.h5") as file:
        found = file["images"][()]
        # axes without coordinates have scales that are netCDF dimensions without a variable; only the other scales are
        # counted
        scales = [sum(not scale.attrs["NAME"].startswith(b"This is a netCDF dimension but") for scale in dim.values())
                  for dim in file["images"].dims]
    want = expected(data, mask, groups, stride, *words)
    if found.shape != want.shape:
        return f"shape {found.shape} instead of {want.shape}"
    inner = mask.shape[1] * mask.shape[2] * mask.shape[3]
    weight = np.abs(mask).reshape(len(mask), -1).sum(axis=1).max()
    limit = (2 * inner + 4) * np.finfo(found.dtype).eps * weight * np.abs(data.astype(float)).max()
    error = np.abs(found - want).max()
    if not error <= limit:
        return f"differs by {error}, allowed {limit}"
    carried = int(mask.shape[0] == data.shape[-3])
    if scales[-3] != carried:
        return f"{scales[-3]} scales of the channels, expected {carried}"
    return None


def check_same_file_on_any_ranks(folder):
    rng = np.random.default_rng(32)
    folder.mkdir()
    write_input(folder, rng.normal(size=(3, 4, 31, 45)).astype("float32"), rng.normal(size=(5, 4, 3, 4)))
    files = set()
    for ranks in (0, *in_turn((2, 3, 4, 6), 2)):
        outcome = run(folder, ini(sections(1, (1, 1), "correlate", "same", "wrap")), ranks)
        if outcome.status != 0:
            return outcome.unexpected()
        files.add((folder / "out.h5").read_bytes())
    return None if len(files) == 1 else f"{len(files)} different files"


def check_plan(folder):
    folder.mkdir()
    write_input(folder, np.ones((2, 6, 9, 9), "float32"), np.ones((4, 6, 3, 3)))
    config = ini(sections(1, (1, 1), "correlate", "valid", "zero"))
    outcome = run(folder, config, arguments=["--check"])
    if outcome.status != 0:
        return outcome.unexpected()
    for words in ("6 -> 4 channels, 3x3 taps", "2x4x7x7"):
        if words not in outcome.stdout:
            return f"--check does not say '{words}':\n{outcome.stdout}"
    outcome = run(folder, config, arguments=["--stencil.groups=2"])
    if outcome.status != 2 or len(outcome.errors) != 1 or "groups = 2" not in outcome.errors[0]:
        return f"groups = 2 gave {outcome.status} {outcome.errors}"
    return None


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as workers:
        folder = pathlib.Path(name)
        cases = list(make_cases())
        results = list(workers.map(
            lambda k: run_case(cases[k], folder / str(k), 3 if k % 5 == 0 else 0), range(len(cases))))
        results += [check_same_file_on_any_ranks(folder / "ranks"), check_plan(folder / "plan")]
    for number, words in enumerate(results):
        if words:
            wrong += 1
            what = cases[number][2:] if number < len(cases) else ""
            print(f"case {number} {what}: {words}")
    print(f"{len(results) - wrong} of {len(results)} cases agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
