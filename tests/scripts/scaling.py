"""`stencil_bench scaling` accepts any mask, and refuses invalid arguments.

scaling.py MPIEXEC STENCIL_BENCH
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

mpiexec, bench = sys.argv[1:]
wrong = []


def check(ranks, words, status, said):
    outcome = subprocess.run([mpiexec, "--oversubscribe", "--bind-to", "none", "--timeout", "60", "-n", str(ranks), bench,
                              "scaling", "backend=cpu", "side=96", "steps=4", "per_sweep=1", *words],
                             text=True, capture_output=True)
    text = outcome.stdout + outcome.stderr
    if outcome.returncode != status or said not in text:
        wrong.append(f"{words} on {ranks} ranks: status {outcome.returncode}, not {status} with `{said}`:\n{text}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with h5py.File("mask.h5", "w") as file:
        file["m"] = 1 + np.random.default_rng(1).random((3, 7))
    check(1, [], 0, "5 of 3x3 taps")
    check(2, ["mask=gaussian"], 0, "33 + 33 taps")
    check(1, ["mask=gaussian", "sigma=1"], 0, "9 + 9 taps")
    check(2, ["mask=mask.h5:/m"], 0, "3x7 taps")
    for ranks in (1, 2):
        check(ranks, ["mask=1 2 1"], 0, "weak scaling")
        check(ranks, ["scaling=strong"], 0, "96 x 96 points in all")
    check(2, ["sigma=2"], 2, "sigma = 2: only mask=gaussian has one")
    check(2, ["mask=gaussian", "sigma=x"], 2, "sigma = x")
    check(2, ["mask=1 2; 3"], 2, "mask = 1 2; 3")
    check(2, ["mask=mask.h5:/n"], 2, "mask.h5")
    check(2, ["mask=none.h5:/m"], 3, "none.h5")
    check(2, ["masks=1 2 1"], 2, "masks=1 2 1")
    check(2, ["scaling=medium"], 2, "scaling = medium")
    check(2, ["type=double"], 2, "stencil_bench: type = double")

print("\n".join(wrong))
sys.exit(len(wrong) > 0)
