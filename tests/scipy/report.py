"""Tests the information about kernels and seconds in --report and --check: names, sums, predictions."""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

SECTIONS = {
    "input": {"file": "in.h5", "dataset": "/x"},
    "output": {"file": "out.h5", "overwrite": "true"},
    "run": {"backend": "cpu"},
    "stencil.smooth": {"mask": "gaussian", "rank": 2, "sigma": 2},
    "stencil.heat": {"mask": "0 1 0; 1 -3.9 1; 0 1 0", "steps": 20},
    "stencil.thin": {"mask": "1 2 1", "stride": 3},
}
KERNELS = ["cpu separable, 17 + 17 taps in one sweep, baseline", "cpu sparse, 5 of 3x3 taps, baseline",
           "cpu line, 3 taps, stride 1 3, baseline"]
BASELINE = [("STENCIL_SIMD", "baseline")]


def wrong_in_report(report):
    """Returns one line for each statement about a report of SECTIONS that does not hold."""
    stages, total = report["stages"], report["seconds"]
    seconds = [stage["compute_seconds"] for stage in stages]
    wrong = []
    if [stage["kernel"] for stage in stages] != KERNELS:
        wrong.append(f"kernels: {[stage['kernel'] for stage in stages]}")
    for stage, each in zip(stages, seconds):
        ratio = each["actual"] / each["predicted"]
        if not (each["predicted"] > 0 and math.isclose(each["actual_over_predicted"], ratio, rel_tol=1e-9)):
            wrong.append(f"stage {stage['name']}: {each}")
    # the slowest rank of the whole run takes at most as long as the sum of the slowest ranks of all stages
    if not total["compute"] <= sum(each["actual"] for each in seconds) * (1 + 1e-9):
        wrong.append(f"compute {total['compute']} s, but the stages {seconds}")
    if not all(total[part] > 0 for part in ("read", "memory", "exchange", "compute", "write", "commit")):
        wrong.append(f"seconds: {total}")
    for part, of_ranks in report["seconds_by_rank"].items():
        if len(of_ranks) != report["ranks"] or max(of_ranks) != total[part] or min(of_ranks) < 0:
            wrong.append(f"{part}: {total[part]} s on the slowest rank, but by rank {of_ranks}")
    if list(report["seconds_by_rank"]) != [part for part in total if part != "total"]:
        wrong.append(f"parts by rank: {list(report['seconds_by_rank'])}")
    return wrong


def check_report(folder, ranks):
    outcome = run(folder, ini(SECTIONS), ranks, ["--report=report.json"], more_environment=BASELINE)
    if outcome.status != 0:
        return [outcome.unexpected()]
    wrong = wrong_in_report(json.loads((folder / "report.json").read_text()))
    if not re.search(r"^progress: computed in \S+ s \(predicted \S+ s\)$", outcome.stderr, re.M):
        wrong.append(f"no prediction in the last lines: {outcome.stderr}")
    return wrong


def check_link(folder):
    """If the report's name is a link, to an existing file or not, the report is written to the target, and the link stays."""
    (folder / "link.json").symlink_to("real.json")
    wrong = []
    for words in (None, "", '{\n  "program": "stencil_run"\n}\n'):
        if words is not None:
            (folder / "real.json").write_text(words)
        outcome = run(folder, ini(SECTIONS), 0, ["--report=link.json"])
        good = outcome.status == 0 and (folder / "link.json").is_symlink() and (folder / "real.json").exists()
        if not good or "version" not in json.loads((folder / "real.json").read_text()):
            wrong.append(outcome.unexpected())
    return wrong


def check_pipe(folder):
    """A report can be written to a named pipe, which remains a pipe."""
    os.mkfifo(folder / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE, text=True)
    outcome = run(folder, ini(SECTIONS), 0, ["--report=pipe"])
    try:
        report = reader.communicate(timeout=20)[0]
    finally:
        reader.kill()
    good = outcome.status == 0 and (folder / "pipe").is_fifo()
    return [] if good and json.loads(report) else [outcome.unexpected()]


def check_rounding(folder):
    """If rounding affects more than a thousandth of the points of an integer output, a note reports it and gives a remedy."""
    wrong = []
    for name, vanished, saturated, noted in (("tiny", 240_000, 0, True), ("huge", 0, 300, True), ("few", 0, 200, False)):
        sections = {**SECTIONS, "input": {"file": "in.h5", "dataset": name}, "stencil.smooth": {"mask": "1"},
                    "output": {**SECTIONS["output"], "dtype": "int16"}}
        del sections["stencil.heat"], sections["stencil.thin"]
        outcome = run(folder, ini(sections), 2, ["--report=report.json"])
        report = json.loads((folder / "report.json").read_text()) if outcome.status == 0 else {}
        counts = [report.get("output", {}).get(key) for key in ("vanished_points", "saturated_points")]
        words = f"{vanished} were not 0 and became 0, {saturated} were beyond"
        has_line = bool(re.search(rf"^progress: note: .*{words}.*output.dtype = float32", outcome.stderr, re.M))
        has_note = any(words in note for note in report.get("notes", []))
        if counts != [vanished, saturated] or has_line != noted or has_note != noted:
            wrong.append(f"{name}: {counts}, {report.get('notes')}, {outcome.unexpected()}")
    sections["stencil.smooth"]["mask"], sections["output"]["dtype"] = "1e33", "float32"
    outcome = run(folder, ini({**sections, "input": {"file": "in.h5", "dataset": "huge"}}), 2, ["--report=report.json"])
    words = "300 of 240000 points were beyond the range of float32 and became infinite: write output.dtype = float64"
    if f"progress: note: {words}\n" not in outcome.stderr or words not in json.loads((folder / "report.json").read_text())["notes"]:
        wrong.append(f"float64 as float32: {outcome.unexpected()}")
    return wrong


def check_checkpoints(folder):
    """The report counts the checkpoints of a run in passes: one after each pass except the last."""
    with h5py.File(folder / "large.h5", "w") as file:
        file["x"] = np.random.default_rng(3).standard_normal((3000, 500), dtype=np.float32)
    text = ini({**{name: SECTIONS[name] for name in ("output", "run")}, "input": {"file": "large.h5", "dataset": "/x"},
                "stencil": {"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": 40}})
    words = ["--run.memory=20MiB", "--run.checkpoint=state.h5"]
    passes = re.search(r"^passes  (\d+) over the files", run(folder, text, 0, [*words, "--check"]).stdout, re.M)
    outcome = run(folder, text, 0, [*words, "--report=report.json"])
    if not passes or int(passes[1]) < 2 or outcome.status != 0:
        return [f"no passes: {outcome.unexpected()}"]
    report = json.loads((folder / "report.json").read_text())
    found, total = report.get("checkpoints", {}), report["seconds"]["total"]
    good = found.get("written") == int(passes[1]) - 1 and 0 < found["seconds"] < total
    return [] if good else [f"checkpoints of {passes[1]} passes: {found}, of {total} s"]


def check_not_carried(folder):
    """Metadata that is left out is listed in one line, and in the report."""
    sections = {**SECTIONS, "input": {"file": "in.h5", "dataset": "described"}, "stencil.smooth": {"mask": "laplace"}}
    wrong = []
    for progress, told in (("lines", 1), ("none", 0)):
        outcome = run(folder, ini(sections), 0, ["--report=report.json", f"--progress={progress}"])
        listed = json.loads((folder / "report.json").read_text())["output"]["not_carried_over"]
        expected = ["attribute standard_name of /described", "attribute units of /described", "in group /: few, huge, tiny, x"]
        if sorted(text.split(",")[0] if text.startswith("attr") else text for text in listed) != expected:
            wrong.append(f"not_carried_over: {listed}")
        lines = [line for line in outcome.stderr.splitlines() if line.startswith("progress: note: not carried over: attribute ")]
        if len(lines) != told or (told == 0 and outcome.stderr):
            wrong.append(outcome.unexpected())
    return wrong


def check_without(folder):
    """A run of milliseconds without --report makes no prediction."""
    outcome = run(folder, ini(SECTIONS))
    return [] if re.search(r"^progress: computed in \S+ s$", outcome.stderr, re.M) else [outcome.unexpected()]


def check_plan(folder, ranks, memory, expected):
    arguments = ["--check", f"--run.memory={memory}"]
    outcome = run(folder, ini(SECTIONS), ranks, arguments, more_environment=BASELINE)
    kernels = [f"    kernel {name}" for name in KERNELS]
    named = [line for line in outcome.stdout.splitlines() if line.startswith("    kernel ")]
    good = len(named) == 3 and all(line.startswith(name) for line, name in zip(named, kernels))
    good = good and re.search(expected, outcome.stdout, re.M) and outcome.status == (0 if memory == "1GiB" else 4)
    return [] if good else [f"--check with {memory}: {outcome.status} {outcome.stdout} {outcome.stderr}"]


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.random.default_rng(3).standard_normal((400, 600), dtype=np.float32)
        file["tiny"] = np.full((400, 600), 1e-19)
        file["huge"], file["few"] = np.ones((400, 600)), np.ones((400, 600))
        file["huge"][0, :300] = file["few"][0, :200] = 1e6
        file["described"] = file["x"][()]
        file["described"].attrs.update(units="K", standard_name="air_temperature", source="a test")
    wrong = []
    for ranks in (0, 3):
        wrong += check_report(folder, ranks)
        wrong += check_plan(folder, ranks, "1GiB", r"^time    \S+ s of computing predicted, .*\n(?s:.*)^storage \S+ s of reading, \S+ s of writing, ")
        # with this memory neither a prediction nor the run is possible: the plan is printed, and then the run is refused
        wrong += check_plan(folder, ranks, "1KiB", r"^time    not predicted: no memory(?s:.*)^storage not predicted: ")
    wrong += check_rounding(folder)
    wrong += check_checkpoints(folder)
    wrong += check_not_carried(folder)
    wrong += check_without(folder)
    wrong += check_link(folder)
    wrong += check_pipe(folder)
print("\n".join(wrong) or "reports and plans name kernels and predict seconds on 1 and 3 ranks")
sys.exit(1 if wrong else 0)
