"""Masks of three axes on a GPU, from file to file: the results have the same bytes as those of the same method on CPUs, on 1 and
3 ranks. A stage that
GPUs refuse is computed on CPUs if run.backend = auto, including with a checkpoint, and the reason is printed."""

import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

STAGES = {
    "7 points, steps": {"mask": "laplace", "axes": "0 1 2", "steps": "3", "method": "direct"},
    "27 points": {"mask": "box", "axes": "0 1 2", "size": "3", "method": "direct"},
    "separable": {"mask": "gaussian", "axes": "0 1 2", "sigma": "1 2 3", "method": "separable", "boundary": "wrap"},
    "strided": {"mask": "gaussian", "axes": "0 1 2", "sigma": "1", "stride": "2 1 3", "method": "direct"},
}
REFUSED = {"mask": "disk", "axes": "0 1 2", "radius": "3", "method": "fft"}
SHAPE = (40, 50, 120)


def config(stage, backend, **more):
    return ini({"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5", "overwrite": "true"}, "stencil": stage,
                "run": {"backend": backend, **more}})


def result(folder, ranks, *arguments, **options):
    """The outcome of a run, and the bytes of its output."""
    outcome = run(folder, config(*arguments, **options), ranks)
    if outcome.status:
        return outcome, None
    with h5py.File(folder / "out.h5") as file:
        return outcome, next(iter(file.values()))[()].tobytes()


def main(folder):
    wrong = []
    for kind in (np.float32, np.float64):
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = np.random.default_rng(1).standard_normal(SHAPE).astype(kind)
        for name, stage in STAGES.items():
            on_cpu, expected = result(folder, 0, stage, "cpu")
            wrong += [] if expected else [f"{name} on CPUs: {on_cpu.unexpected()}"]
            for ranks in (0, 3):
                outcome, found = result(folder, ranks, stage, "cuda")
                if outcome.status and re.search(r"no GPU is visible|without CUDA", outcome.stderr):
                    print(f"SKIPPED: {outcome.errors[0]}")
                    return 77
                if found != expected:
                    wrong.append(f"{name}, {np.dtype(kind)}, {ranks} ranks: {'other bytes' if found else outcome.unexpected()}")
    outcome, _ = result(folder, 0, REFUSED, "cuda")
    if outcome.status != 2 or len(outcome.errors) != 1:
        wrong.append(f"a refused stage on GPUs: {outcome.unexpected()}")
    expected = result(folder, 0, REFUSED, "cpu")[1]
    for more in {}, {"checkpoint": "going.h5"}:
        outcome, found = result(folder, 3, REFUSED, "auto", **more)
        if found != expected or "run.backend = auto computes on CPUs: " not in outcome.stderr:
            wrong.append(f"a refused stage, run.backend = auto, {more}: {outcome.unexpected()}")
    print("\n".join(wrong) or f"{2 * len(STAGES)} masks of three axes have the same bytes on GPUs and CPUs; a refused stage is computed on CPUs")
    return 1 if wrong else 0


with tempfile.TemporaryDirectory() as scratch:
    sys.exit(main(pathlib.Path(scratch)))
