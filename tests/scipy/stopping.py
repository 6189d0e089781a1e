"""Runs that end before their last step, because the points change too little or because the steps produce NaN or Inf. These runs end at
the same step, with the same bytes and the same messages, for every number of ranks. They are compared with steps of plain NumPy.
"""

import hashlib
import json
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run

STEPS = 600
WORDS = {"input": {"file": "in.h5", "dataset": "/u"}, "output": {"file": "out.h5", "overwrite": "true"}}
HEAT = {"mask": "0 0.125 0; 0.125 0.5 0.125; 0 0.125 0", "boundary": "zero", "steps": STEPS}
LAYOUTS = [(0, ""), (2, "1x2"), (3, "3x1"), (4, "2x2"), (6, "2x3")]


def step(u, centre=0.5):
    """One step in float64 on float32 numbers, without rounding to float32: the values agree closely with those of the program, but not bit
    by bit."""
    p = np.pad(u, 1)
    return (centre * p[1:-1, 1:-1] + 0.125 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]))


def changes(u):
    """Returns (largest change, root mean square of the changes) for each step, in float64."""
    found, now = [], u.astype(np.float64)
    for _ in range(STEPS):
        later = step(now)
        difference = later - now
        found.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
        now = later
    return found


def stopped(folder, sections, layout, arguments=()):
    """Returns (outcome, number of steps according to the file and the report, hash of the file) of a run."""
    ranks, blocks = layout
    words = [*arguments, "--report=report.json"] + ([f"--run.decomposition={blocks}"] if blocks else [])
    (folder / "out.h5").unlink(missing_ok=True)
    outcome = run(folder, ini(sections), ranks, words)
    if outcome.status != 0:
        return outcome, None, ""
    with h5py.File(folder / "out.h5") as file:
        steps = int(file.attrs["stencil_steps_done"])
    if json.loads((folder / "report.json").read_text())["steps_done"] != steps:
        return outcome, "another number in the report", ""
    return outcome, steps, hashlib.sha256((folder / "out.h5").read_bytes()).hexdigest()


def check_change(folder, u):
    """The run ends at the first inspection at which the change that NumPy computes is below the limit."""
    known, wrong = changes(u), []
    for limit, every, kind in [(1e-3, 100, 0), (2e-3, 7, 0), (1e-4, 13, 1), (1e-3, 1, 1)]:
        word = f"{limit}{' rms' if kind else ''}"
        sections = {**WORDS, "stencil": {**HEAT, "until_change_below": word}, "run": {"look_every": every}}
        expected = next(n for n in range(every, STEPS, every) if known[n - 1][kind] < limit)
        seen = set()
        for layout in (LAYOUTS[0], *in_turn(LAYOUTS[1:])):
            outcome, steps, digest = stopped(folder, sections, layout)
            seen.add(digest)
            if steps != expected:
                wrong.append(f"{word} every {every}, {layout}: {steps} steps, not {expected}: {outcome.unexpected()}")
            elif not re.search(rf"^progress: note: ended after step {steps} of {STEPS}: ", outcome.stderr, re.M):
                wrong.append(f"{word}: the end is not reported: {outcome.stderr}")
        if len(seen) != 1:
            wrong.append(f"{word} every {every}: {len(seen)} files of different bytes")
        plain = dict(HEAT, steps=expected)
        outcome = run(folder, ini({**WORDS, "output": {"file": "plain.h5", "overwrite": "true"}, "stencil": plain}))
        with h5py.File(folder / "plain.h5") as a, h5py.File(folder / "out.h5") as b:
            if not np.array_equal(a["u"][()], b["u"][()]):
                wrong.append(f"{word}: not the points of a run of {expected} steps")
    return wrong


def check_unreached(folder):
    sections = {**WORDS, "stencil": {**HEAT, "steps": 50, "until_change_below": "1e-30"}, "run": {"look_every": 20}}
    outcome, steps, _ = stopped(folder, sections, (0, ""))
    good = steps == 50 and "all 50 steps are done, and the change never was below" in outcome.stderr
    return [] if good else [f"a limit that is not reached: {outcome.unexpected()}"]


def check_nonfinite(folder):
    """The run stops with status 2, the same line for all ranks, and leaves no file; or it prints a note and continues."""
    unstable = {**WORDS, "stencil": {**HEAT, "mask": "0 1 0; 1 -4.5 1; 0 1 0"}, "run": {"look_every": 10}}
    wrong, lines = [], set()
    for ranks, blocks in (LAYOUTS[0], *in_turn(LAYOUTS[1:], 2)):
        (folder / "out.h5").unlink(missing_ok=True)
        outcome = run(folder, ini(unstable), ranks, [f"--run.decomposition={blocks}"] if blocks else [])
        left = [path.name for path in folder.iterdir() if path.name.startswith("out.h5")]
        lines |= set(outcome.errors)
        if outcome.status != 2 or len(outcome.errors) != 1 or left:
            wrong.append(f"{ranks} ranks: {outcome.unexpected()}, left {left}")
    if len(lines) != 1 or not re.match(r"stencil_run: after step \d+0 of 600 \d+ points are NaN and", lines.pop()):
        wrong.append(f"not one line for all: {lines}")
    plan = run(folder, ini(unstable), 2, ["--check"])
    if "note    [stencil] amplifies: some waves become 8.5 times as large in a step, 10^558 times" not in plan.stdout:
        wrong.append(f"--check does not say that the mask amplifies: {plan.stdout}")
    if "amplifies" in run(folder, ini({**unstable, "stencil": HEAT}), 0, ["--check"]).stdout:
        wrong.append("--check says that the heat equation amplifies")
    outcome = run(folder, ini(unstable), 0, ["--run.nonfinite=note", "--report=report.json"])
    notes = json.loads((folder / "report.json").read_text())["notes"] if outcome.status == 0 else []
    if not any(note.startswith("after step ") for note in notes):
        wrong.append(f"run.nonfinite = note: {notes}, {outcome.unexpected()}")
    return wrong


def check_nan_of_the_input(folder, u):
    """NaN in the input spreads, as missing points do, and does not stop the run."""
    with h5py.File(folder / "holes.h5", "w") as file:
        holes = u.copy()
        holes[20, 30] = np.nan
        file["u"] = holes
    sections = {**WORDS, "stencil": {**HEAT, "steps": 12}, "run": {"look_every": 5}}
    wrong = []
    for more in [{}, {"missing": {"value": "nan"}}, {"missing": {"value": "nan", "policy": "renormalize"}}]:
        outcome = run(folder, ini({**sections, **more}), 3, ["--input.file=holes.h5"])
        if outcome.status != 0 or "points are NaN and" in outcome.stderr:
            wrong.append(f"{more}: {outcome.unexpected()}")
    return wrong


def check_overflow_beside_nan_of_the_input(folder):
    """One NaN in the input does not hide that all other points overflow; a one-sided mask spreads it in one direction only."""
    with h5py.File(folder / "line.h5", "w") as file:
        line = np.random.default_rng(7).normal(size=100000).astype(np.float32)
        line[0] = np.nan
        file["u"] = line
    unstable = {**WORDS, "stencil": {"mask": "1 -3 1", "steps": 2000}}
    wrong = []
    for ranks in (0, 3):
        outcome = run(folder, ini(unstable), ranks, ["--input.file=line.h5"])
        if outcome.status != 2 or "100000 points are NaN and 0 infinite, more than 1 NaN" not in "".join(outcome.errors):
            wrong.append(f"overflow beside a NaN, {ranks} ranks: {outcome.unexpected()}")
    for mask in ("0.5 0.25 0.25", "0.25 0 0.5 0 0.25", "0.25 0.5 0.25 0 0"):
        for rule in in_turn(("reflect", "wrap", "nearest", "mirror"), 2):
            sections = {**WORDS, "stencil": {"mask": mask, "steps": 300, "boundary": rule}, "run": {"look_every": 50}}
            outcome = run(folder, ini(sections), 0, ["--input.file=line.h5"])
            if outcome.status != 0:
                wrong.append(f"{mask}, {rule}: {outcome.unexpected()}")
    return wrong


def check_lines(folder, u):
    """The file next to the report has a line of JSON for the input, every inspection and every snapshot. The lines are the same for every
    number of ranks."""
    sections = {**WORDS, "output": {**WORDS["output"], "snapshot_every": 30}, "stencil": {**HEAT, "steps": 100},
                "run": {"look_every": 40, "time_step": "0.5 s"}}
    known, wrong, seen = changes(u), [], set()
    for ranks in (0, 3):
        outcome = run(folder, ini(sections), ranks, ["--report=run.json"])
        if outcome.status != 0:
            return [outcome.unexpected()]
        lines = [json.loads(line) for line in (folder / "run.steps.jsonl").read_text().splitlines()]
        for line in lines:
            if line.pop("seconds") < 0:
                wrong.append(f"seconds of {line}")
        seen.add(json.dumps(lines))
    if len(seen) != 1:
        wrong.append(f"other lines on 3 ranks: {seen}")
    if [(line["step"], line.get("snapshot")) for line in lines] != [
            (0, 0), (30, 1), (40, None), (60, 2), (80, None), (90, 3), (100, 4)]:
        wrong.append(f"lines {lines}")
    for line in lines[1:-1]:
        near = np.isclose(line["change"], known[line["step"] - 1][0], rtol=1e-3, atol=0)
        if not near or line["time"] != line["step"] / 2 or line["nan"] or not line["min"] < line["max"]:
            wrong.append(f"line {line}, change {known[line['step'] - 1][0]}")
    if lines[0]["min"] != float(u.min()) or lines[0]["max"] != float(u.max()) or lines[-1]["change"] is not None:
        wrong.append(f"first and last line: {lines[0]}, {lines[-1]}")
    early = {**sections, "stencil": {**HEAT, "until_change_below": "0.002"}}
    outcome = run(folder, ini(early), 3, ["--report=run.json"])
    last = json.loads((folder / "run.steps.jsonl").read_text().splitlines()[-1])
    with h5py.File(folder / "out.h5") as file:
        steps = file["time"][()] * 2
    if outcome.status != 0 or last["step"] >= STEPS or (last["step"], last.get("snapshot")) != (steps[-1], len(steps) - 1):
        wrong.append(f"the last line of a run that ended early: {last}, snapshots after {steps}, {outcome.unexpected()}")
    return wrong


def check_refusals(folder):
    wrong = []
    for words, said in [
        (["--stencil.steps=1", "--stencil.until_change_below=1"], "means nothing for a single step"),
        (["--stencil.until_change_below=1 mean"], "1e-8 rms"),
        (["--stencil.until_change_below=0"], "> 0"),
        (["--run.look_every=0"], "out of range"),
        (["--run.nonfinite=stay"], "stop, note"),
        (["--stencil.until_change_below=1", "--run.memory=24KiB"], "for the world at once"),
    ]:
        outcome = run(folder, ini({**WORDS, "stencil": HEAT}), 0, words)
        if outcome.status not in (2, 4) or len(outcome.errors) != 1 or said not in outcome.errors[0]:
            wrong.append(f"{words}: {outcome.unexpected()}")
    return wrong


def main():
    u = np.random.default_rng(26).normal(size=(61, 83)).astype(np.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with h5py.File(folder / "in.h5", "w") as file:
            file["u"] = u
        wrong = check_change(folder, u) + check_unreached(folder) + check_nonfinite(folder)
        wrong += check_lines(folder, u) + check_nan_of_the_input(folder, u)
        wrong += check_overflow_beside_nan_of_the_input(folder) + check_refusals(folder)
    for line in wrong:
        print(line)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
