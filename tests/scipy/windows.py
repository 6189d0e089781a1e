"""Runs that do not fit into run.memory are computed in windows, and give the same numbers as a run that computes all points at once. Each
case runs with all the memory, with the smallest sufficient memory (from the message of a refused run), with a little more, and with
enough for several windows at a time, on 1 and 3 ranks. The quick test runs each case on one number of ranks and with one of these
amounts. Then the peak memory of a run on more data than run.memory is checked."""

import json
import os
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run, uses_windows

ROWS, COLUMNS = 3000, 1600
CASES = {  # {name: (dataset, stages, other sections)}
    "gaussian": ("grid", [{"mask": "gaussian", "sigma": "3", "rank": "2"}], {}),
    "periodic": ("grid", [{"mask": "sobel", "rank": "2", "boundary": "wrap"}], {}),
    "mirrored": ("grid", [{"mask": "1 2 3; 4 5 6; 7 8 9; 1 1 1", "boundary": "mirror", "origin": "1 0"}], {}),
    "steps": ("grid", [{"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "5", "boundary": "constant", "boundary_value": "2"}], {}),
    "along rows": ("grid", [{"mask": "gaussian", "sigma": "20", "axis": "0", "rank": "1"}], {}),
    "chain": ("grid", [{"mask": "box", "size": "5", "rank": "2", "boundary": "nearest"}, {"mask": "1 0 -1", "axis": "0"},
                       {"mask": "1 2 1", "axis": "1", "stride": "3", "extent": "valid"}], {}),
    "full": ("grid", [{"mask": "1 2; 3 4; 5 6", "extent": "full", "stride": "2 1"}], {}),
    "signal": ("signal", [{"mask": "lowpass", "taps": "101", "cutoff": "0.1", "method": "direct"}], {}),
    "transforms": ("signal", [{"mask": "bandpass", "taps": "1025", "cutoff": "0.1 0.2", "method": "fft"}], {}),
    "sparse": ("signal", [{"mask": "1 2 1", "stride": "50"}], {"missing": {"value": "0.25"}}),
    "stack": ("stack", [{"mask": "savgol", "size": "9", "polyorder": "3", "axis": "-1"}], {}),
    "missing": ("gaps", [{"mask": "gaussian", "sigma": "2", "rank": "2"}],
                {"missing": {"value": "-1", "policy": "renormalize"}}),
    "packed": ("packed", [{"mask": "box", "size": "9", "rank": "2"}], {"output": {"compression": "gzip:1"}}),
}
problems = []
side_by_side = []  # for each run with limited memory: True if several windows were processed at a time
# For each run with little memory: True if it used windows. Some runs fit into this memory without windows, because reading and writing
# also need memory.
in_windows = []


def make_input(path):
    random = np.random.default_rng(5)
    with h5py.File(path, "w") as file:
        file["grid"] = random.standard_normal((ROWS, COLUMNS), dtype=np.float32)
        signal = random.standard_normal(4_500_000, dtype=np.float32)
        signal[::1009] = 0.25
        file["signal"] = signal
        file["stack"] = random.standard_normal((40, 120_000), dtype=np.float32)
        file["gaps"] = random.integers(-1, 40, (ROWS, COLUMNS), dtype=np.int16)
        file.create_dataset("packed", data=random.integers(0, 99, (ROWS, COLUMNS), dtype=np.int32), chunks=(100, 300),
                            compression="gzip", shuffle=True)


def config(dataset, stages, others):
    sections = {"input": {"file": "in.h5", "dataset": dataset, "sampling_rate": "1"},
                "output": {"file": "out.h5", "overwrite": "true"}}
    for section, keys in others.items():
        sections.setdefault(section, {}).update(keys)
    sections.update({f"stencil.s{i}": keys for i, keys in enumerate(stages)})
    return ini(sections)


def result(folder, text, ranks, memory, name):
    """The points of a run and its lines on missing points; None if the run failed."""
    outcome = run(folder, text, ranks, [f"--run.memory={memory}", "--progress=lines", "--report=report.json"])
    if outcome.status:
        problems.append(f"{name}, {ranks} ranks, {memory}: {outcome.unexpected()}")
        return None
    is_streamed = uses_windows(outcome)
    missing = re.findall(r"\d+ points are missing.*", outcome.stderr)
    windows = json.loads((folder / "report.json").read_text()).get("windows", {})
    with h5py.File(folder / "out.h5") as file:
        return is_streamed, missing, next(iter(file.values()))[()], windows.get("at_a_time", 1) > 1


def check(folder, name, dataset, stages, others):
    text = config(dataset, stages, others)
    whole = result(folder, text, 0, "8GiB", name)
    if whole and whole[0]:
        problems.append(f"{name}: the whole in windows")
    for ranks in in_turn((0, 3)):
        refused = run(folder, text, ranks, ["--run.memory=1"])
        least = re.search(r"needs (\d+) bytes of memory per rank", refused.stderr)
        if refused.status != 4 or not least or not whole:
            problems.append(f"{name}: 1 byte of memory: {refused.unexpected()}")
            continue
        least = int(least[1])
        for memory in in_turn((1.0, 1.1, "several"), 1):
            amount = least + (24 << 20) if memory == "several" else int(least * memory)
            part = result(folder, text, ranks, amount, name)
            if part is None:
                continue
            in_windows.append(part[0])
            side_by_side.append(part[3])
            if part[1] != whole[1] or part[2].tobytes() != whole[2].tobytes():
                problems.append(f"{name}, {ranks} ranks, {amount}: other numbers, {whole[1]} and {part[1]}")
        if not in_turn((True, False))[0]:
            continue
        too_little = run(folder, text, ranks, [f"--run.memory={least - 1}"])
        if too_little.status != 4:
            problems.append(f"{name}: one byte less than the least: {too_little.unexpected()}")


def check_peak(folder):
    """Computes 150 MB of points with 48 MiB; the memory of a run on a tiny dataset is subtracted."""
    with h5py.File(folder / "in.h5", "a") as file:
        file["tiny"] = np.ones((64, 64), np.float32)
        large = file.create_dataset("large", (37_500, 1000), np.float32)
        for first in range(0, 37_500, 2500):
            large[first:first + 2500] = np.random.default_rng(first).random((2500, 1000), dtype=np.float32)
    peaks = {}
    for dataset, memory in (("tiny", "1GiB"), ("large", "48MiB")):
        (folder / "config.ini").write_text(config(dataset, [{"mask": "gaussian", "sigma": "2", "rank": "2"}], {}))
        pid = os.fork()
        if pid == 0:
            os.chdir(folder)
            os.environ["OMP_NUM_THREADS"] = "2"
            os.execv(os.environ["STENCIL_RUN"], ["stencil_run", "config.ini", f"--run.memory={memory}"])
        _, status, usage = os.wait4(pid, 0)
        if status:
            problems.append(f"{dataset} under {memory}: status {status}")
        peaks[dataset] = usage.ru_maxrss / 1024
    print(f"peaks: {peaks['tiny']:.0f} MiB of next to nothing, {peaks['large']:.0f} MiB of 143 MiB under 48 MiB")
    if peaks["large"] > peaks["tiny"] + 48 + 4:
        problems.append(f"the peak is more than run.memory allows: {peaks}")


def main():
    with tempfile.TemporaryDirectory(prefix="windows") as scratch:
        folder = pathlib.Path(scratch)
        make_input(folder / "in.h5")
        for name, case in CASES.items():
            check(folder, name, *case)
        check_peak(folder)
    if sum(in_windows) < len(in_windows) * 3 // 4:
        problems.append(f"only {sum(in_windows)} of {len(in_windows)} runs went in windows")
    if sum(side_by_side) < len(side_by_side) // 4:
        problems.append(f"only {sum(side_by_side)} of {len(side_by_side)} runs took several windows at a time")
    print("\n".join(problems) or f"{len(CASES)} cases, {sum(in_windows)} of {len(in_windows)} runs in windows, {sum(side_by_side)} with several at a time, give the numbers of the whole")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
