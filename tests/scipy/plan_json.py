"""`--check --json`: checks on 1 and 2 ranks that the plan is one line of JSON whose values agree with the text of --check, with the
configuration and with the report of the run, and that its members are exactly those listed in docs/plan_json.md."""

import json
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "plan_json.md"
LAPLACE = {"mask": "0 .2 0; .2 .2 .2; 0 .2 0"}
BASE = {"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5", "overwrite": "true"}, "run": {"backend": "cpu"}}
CASES = {
    "at once": ({"stencil.a": {"mask": "gaussian", "rank": 2, "sigma": 2}, "stencil.b": {"mask": "1 2 1", "stride": 3}}, {}),
    "checkpoints": ({"stencil": {**LAPLACE, "steps": 40}}, {"run": {"checkpoint": "state.h5", "checkpoint_every": "7 steps"}}),
    "selection": ({"stencil": {"mask": "1 2 1", "axis": 0}}, {"input": {"select": "100:400:2, 5:50"}}),
    "windows": ({"stencil": {"mask": "1 2 1", "axis": 0}}, {"run": {"memory": "25MiB"}}),
    "packed windows": ({"stencil": {"mask": "1 2 1", "axis": 0}},
                       {"run": {"memory": "36MiB", "checkpoint": "state.h5"}, "output": {"compression": "gzip:1"}}),
    "passes": ({"stencil": {**LAPLACE, "steps": 40}}, {"run": {"memory": "20MiB"}}),
    "snapshots": ({"stencil": {**LAPLACE, "steps": 20}}, {"output": {"snapshot_every": 7}}),
    "nan": ({"stencil": {"mask": "1 2 1", "boundary": "constant", "boundary_value": "nan"}}, {}),
    "packed output": ({"stencil": {"mask": "1 2 1"}}, {"output": {"dtype": "int16", "scale": "0.01 2"}}),
}


def sections_of(stages, more):
    return {**{name: {**keys, **more.get(name, {})} for name, keys in BASE.items()}, **stages}


def listed_members():
    """The members of the plan, of a stage, and of the report alone, as listed on the page."""
    found = [set(), set(), set()]
    table = -1
    for line in PAGE.read_text().splitlines():
        table += line.startswith("| member |")
        if table >= 0 and line.startswith("| `"):
            found[table] |= set(re.findall(r"`([\w.]+)`", line.split("|")[1]))
    return found


def compare_text(plan, text):
    """Values that the text of --check has but the JSON does not."""
    words = [f"as [batch, y, x] = {'x'.join(map(str, plan['shape']))}, on", f"ranks   {plan['ranks']} in blocks of",
             "x".join(map(str, plan["source"]["shape"])), "x".join(map(str, plan["output"]["shape"]))]
    words += [f"  [{stage['name']}] " for stage in plan["stages"]] + [stage["kernel"] for stage in plan["stages"]]
    words += [f"note    {note}" for note in plan["notes"]]
    if plan["way"] != "at once":
        windows = plan["windows"]
        words.append(f"windows of {windows['outputs']} of {windows['outputs_in_all']} outputs")
    if "passes" in plan:
        words.append(f"passes  {plan['passes']} over the files, of up to {plan['steps_per_pass']} steps")
    return [f"{word!r} is not in the text" for word in words if word not in text]


def compare_report(plan, report, report_only):
    """Members of the plan that are missing in the report of the run, or have another value there."""
    changed = {"notes", "seconds_predicted", "not_predicted", "limit", "gpus", "memory_per_gpu_bytes", "stages", "windows", "output"}
    wrong = [f"report: {name} is {report.get(name)}, not {value}" for name, value in plan.items()
             if name not in changed | {"input"} and report.get(name) != value]
    for name in ("input", "output", "windows"):
        wrong += [f"report: {name}.{key} is {report[name].get(key)}, not {value}" for key, value in plan.get(name, {}).items()
                  if (name, key) != ("output", "bytes") and report[name].get(key) != value]
    for ours, theirs in zip(plan["stages"], report["stages"], strict=True):
        wrong += [f"report: {ours['name']}: {key} is {theirs.get(key)}" for key, value in ours.items()
                  if key not in ("compute_seconds", "alternatives") and theirs.get(key) != value]
    more = set(report) - set(plan) - {name for name in report_only if "." not in name} - {"seconds_predicted"}
    return wrong + ([f"report: {more} are not on the page"] if more else [])


def check(folder, name, ranks):
    members, of_stages, of_reports = listed_members()
    sections = sections_of(*CASES[name])
    asked = run(folder, ini(sections), ranks, ["--check", "--json"])
    text = run(folder, ini(sections), ranks, ["--check"]).stdout
    if asked.status != 0 or asked.stdout.count("\n") != 1:
        return [f"{asked.unexpected()} {asked.stdout}"]
    plan = json.loads(asked.stdout, parse_constant=lambda word: sys.exit(f"{word} is not JSON"))
    wrong = compare_text(plan, text)
    if unknown := set(plan) - members:
        wrong.append(f"members that are not on the page: {unknown}")
    for stage in plan["stages"]:
        if set(stage) - of_stages or of_stages - set(stage) - {"boundary_value", "compute_seconds"}:
            wrong.append(f"members of a stage: {set(stage) ^ of_stages}")
    expected = "at once" if name not in ("windows", "packed windows", "passes") else name.split()[-1]
    if plan["way"] != expected or plan["ranks"] != max(1, ranks):
        wrong.append(f"{plan['way']} on {plan['ranks']} ranks")
    if (folder / "out.h5").exists():
        wrong.append("--check has written the output")
    if ranks == 0:
        return wrong
    outcome = run(folder, ini(sections), ranks, ["--report=report.json"])
    if outcome.status != 0:
        return [*wrong, outcome.unexpected()]
    (folder / "out.h5").unlink()
    return wrong + compare_report(plan, json.loads((folder / "report.json").read_text()), of_reports)


def check_refusals(folder):
    """If a run is refused after the plan is made, the plan is on stdout, the reason is on stderr, and the status is that of the run."""
    text = ini(sections_of(*CASES["at once"]))
    refused = run(folder, text, 0, ["--check", "--json", "--run.memory=1KiB"])
    wrong = [] if refused.status == 4 and json.loads(refused.stdout)["memory_per_rank_bytes"] > 1024 else [refused.unexpected()]
    alone = run(folder, text, 0, ["--json"])
    if alone.status != 2 or "--json: means nothing without --check" not in alone.stderr:
        wrong.append(alone.unexpected())
    return wrong


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.random.default_rng(3).standard_normal((3000, 500), dtype=np.float32)
    wrong = [f"{name}, {ranks} ranks: {line}" for name in CASES for ranks in in_turn((0, 2)) for line in check(folder, name, ranks)]
    wrong += check_refusals(folder)
print("\n".join(wrong) or f"{len(CASES)} plans as JSON have the values of texts and reports")
sys.exit(1 if wrong else 0)
