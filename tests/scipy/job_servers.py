"""Compares jobs that a server runs one after another (job_server.cpp) with the same jobs of stencil_run: statuses, messages and files.
Other tests rely on these servers."""

import pathlib
import sys
import tempfile

import h5py
import numpy as np
from program import HUNG, ini, run, uses_windows
from served_jobs import PROGRAM, job_servers

NEW_PROCESS = (("STENCIL_TEST", "new process"),)  # a job with additional environment variables requires a new process
problems = []


def text(**sections):
    return ini({"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5"}, "stencil": {"mask": "1 2 1"}, **sections})


CASES = {
    "a run": text(),
    "an unknown key": text(run={"memry": "1 MiB"}),
    "an input that does not exist": text(input={"file": "none.h5", "dataset": "/x"}),
    "a mask with another number of axes": text(stencil={"mask": "1 2, 3 4, 5 6", "axes": "0 1 2"}),
    "windows": text(run={"memory": "24 MiB"}),
    "an output that is the input": text(output={"file": "in.h5"}),
    "a run after errors": text(),
}


def outcome_in(folder, config, ranks, environment):
    for name in ("out.h5", "plan"):
        (folder / name).unlink(missing_ok=True)
    outcome = run(folder, config, ranks, ["--progress=lines"], more_environment=environment)
    output = folder / "out.h5"
    return outcome.status, outcome.errors, uses_windows(outcome), output.read_bytes() if output.exists() else None


def main():
    if not PROGRAM:
        sys.exit("STENCIL_JOB_SERVER is not set: name the built tests/job_server")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = np.random.default_rng(1).normal(size=(4000, 1000)).astype(np.float32)
        for ranks in (0, 3):
            for name, config in CASES.items():
                served, started = outcome_in(folder, config, ranks, ()), outcome_in(folder, config, ranks, NEW_PROCESS)
                if served != started:
                    problems.append(f"{name}, {ranks} ranks: {served[:3]} by a server, {started[:3]} by the program")
                if served[2] != (name == "windows") or (served[0] == 0) != (name in ("a run", "windows", "a run after errors")):
                    problems.append(f"{name}, {ranks} ranks: status {served[0]}, {served[1]}")
            # a server whose job takes too long is ended, and the next job runs on a new server
            server = job_servers.free[ranks][0]
            process = server.process.pid
            if job_servers.run(folder, ["config.ini"], ranks, limit=0)[0] != HUNG:
                problems.append(f"{ranks} ranks: a job without time has another status")
            if outcome_in(folder, text(), ranks, ())[0] != 0 or server.process.pid == process:
                problems.append(f"{ranks} ranks: no run after a job that took too long")
    print(*problems, sep="\n")
    print(f"{len(CASES)} cases of one and of several ranks, {len(problems)} wrong")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
