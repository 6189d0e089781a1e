"""--trace: a run writes the activities of each rank with their times in Chrome's trace event format, which Perfetto opens."""

import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

failures = []


def expect(holds, *words):
    if not holds:
        failures.append(" ".join(map(str, words)))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_event(event):
    """Checks an event against the requirements of the format for events of its kind."""
    expect(isinstance(event.get("name"), str) and isinstance(event.get("pid"), int) and isinstance(event.get("tid"), int), event)
    if event["ph"] == "M":
        key, kind = {"process_name": ("name", str), "thread_name": ("name", str), "process_labels": ("labels", str),
                     "process_sort_index": ("sort_index", int), "thread_sort_index": ("sort_index", int)}[event["name"]]
        expect(isinstance(event["args"][key], kind), event)
    elif event["ph"] == "X":
        expect(is_number(event["ts"]) and event["ts"] >= 0 and is_number(event["dur"]) and event["dur"] >= 0, event)
        expect(isinstance(event["cat"], str), event)
    else:
        expect(event["ph"] == "i" and event["s"] in "gpt" and is_number(event["ts"]), event)


def nest(spans):
    """Returns whether any two spans are either nested or disjoint, as the format requires within a thread."""
    open_ends = []
    for span in sorted(spans, key=lambda span: (span["ts"], -span["dur"])):
        end = span["ts"] + span["dur"]
        while open_ends and open_ends[-1] <= span["ts"] + 1e-3:
            open_ends.pop()
        if open_ends and end > open_ends[-1] + 1e-3:
            return False
        open_ends.append(end)
    return True


def events_of(path):
    trace = json.loads(path.read_text())
    expect(isinstance(trace["traceEvents"], list) and trace["displayTimeUnit"] in ("ms", "ns"), "the object", list(trace))
    for event in trace["traceEvents"]:
        check_event(event)
    return trace["traceEvents"]


def traced(folder, sections, ranks, name="trace.json", status=0, arguments=()):
    sections["output"] = {"file": "out.h5", "overwrite": "true"}
    outcome = run(folder, ini(sections), ranks=ranks, arguments=("--trace", name, *arguments))
    expect(outcome.status == status, "--trace", name, outcome.unexpected())
    return outcome


def rows_of(events, ranks):
    """Checks the properties that every trace has. Returns the names of the threads of each rank."""
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    spans = {}
    for event in events:
        if event["ph"] == "X":
            spans.setdefault((event["pid"], event["tid"]), []).append(event)
    expect({pid for pid, _ in spans} == set(range(ranks)), "processes", sorted(spans))
    expect({event["args"]["name"] for event in events if event["name"] == "process_name"} == {f"rank {i}" for i in range(ranks)}, "names")
    expect(set(spans) <= set(names), "threads without a name", sorted(spans), names)
    for row, own in spans.items():
        expect(nest(own), "spans of one thread overlap:", row, own)
    return names


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with h5py.File(folder / "in.h5", "w") as file:
            file["grid"] = np.random.default_rng(1).normal(size=(200, 300))
            file["long"] = np.zeros(1 << 22, np.float32)
        grid = {"input": {"file": "in.h5", "dataset": "/grid"},
                "stencil.smooth": {"mask": "gaussian", "sigma": 1, "steps": 3}, "stencil.edge": {"mask": "laplace"}}
        untraced = run(folder, ini({**grid, "output": {"file": "out.h5"}}), ranks=2)
        expect(untraced.status == 0, untraced.unexpected())
        plain = (folder / "out.h5").read_bytes()
        traced(folder, grid, 2)
        expect((folder / "out.h5").read_bytes() == plain, "a trace changes the output")
        events = events_of(folder / "trace.json")
        names = rows_of(events, 2)
        expect(set(names.values()) == {"main thread"}, names)
        found = {event["name"] for event in events if event["ph"] == "X"}
        expect({"read", "exchange", "compute", "write", "commit", "smooth", "edge"} <= {one.replace("stencil.", "") for one in found}, found)

        traced(folder, {"input": {"file": "in.h5", "dataset": "/long"}, "stencil": {"mask": "gaussian", "sigma": 2},
                        "run": {"memory": "32MiB"}}, 1)  # this run replaces the trace of the previous run
        names = rows_of(events_of(folder / "trace.json"), 1)
        expect({words.rpartition(": ")[2] for words in names.values()} >= {"read", "compute", "write", "verify"}, "stations of windows:", names)

        (folder / "mine.json").write_text('{"mine": 1}')
        expect("mine.json" in traced(folder, grid, 0, "mine.json", status=3).stderr, "a file of somebody else")
        expect((folder / "mine.json").read_text() == '{"mine": 1}', "is replaced")
        traced(folder, grid, 0, "nowhere/trace.json", status=3)
        expect("--trace" in traced(folder, grid, 0, status=2, arguments=("--check",)).stderr, "--check --trace")
        expect("out.h5" in traced(folder, grid, 0, "out.h5", status=2).stderr, "the output as a trace")
    print("\n".join(failures) or "every trace has the format, ranks as processes and stations as threads")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
