"""A folder with an input and a configuration from which jobs are submitted, and the checks after the jobs have ended."""

import os
import pathlib
import re
import sys
import time

import h5py
import numpy as np
from cluster import wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scipy"))
from program import ini, run  # noqa: E402

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "examples/slurm"
PROGRAM = os.environ["STENCIL_RUN"]
PLACE = pathlib.Path(__file__).resolve().parent
SHAPE = (240, 320)
SHORT = {"mask": "gaussian", "sigma": "2", "steps": "1"}
STEPS = {"mask": "gaussian", "sigma": "6", "method": "direct"}  # some milliseconds per step
SECONDS, MANY, MINUTES, HOURS = ({**STEPS, "steps": str(steps)} for steps in (300, 1200, 30000, 1000000))


def configuration(stencil, run_words=()):
    return ini({"input": {"file": "in.h5", "dataset": "x"}, "output": {"file": "out.h5"}, "stencil": stencil,
                "run": dict(run_words)})


def write_input(path, seed=1):
    with h5py.File(path, "w") as file:
        file["x"] = np.random.default_rng(seed).random(SHAPE)


class Batch:
    """The jobs of one case."""

    def __init__(self, cluster, folder, stencil=SHORT, run_words=()):
        self.cluster, self.folder = cluster, folder
        self.given = {"in.h5", "config.ini"}
        write_input(folder / "in.h5")
        (folder / "config.ini").write_text(configuration(stencil, run_words))

    def submit(self, script, *words, launcher="mpirun", nodes=1, tasks=2, options=(), environment=()):
        """Submits one of the scripts of examples/slurm, with `tasks` tasks per node. Returns the number of the job."""
        return self.cluster.submit(
            f"--nodes={nodes}", f"--ntasks-per-node={tasks}", "--cpus-per-task=1", "--output=%x-%j.log",
            f"--job-name={pathlib.Path(script).stem}", "--time=10", *options, SCRIPTS / script, *words, folder=self.folder,
            environment={"STENCIL_LAUNCHER": launcher, "STENCIL_RUN": PROGRAM, "STENCIL_JOB": str(SCRIPTS / "job.sh"),
                         **dict(environment)})

    def log(self, job):
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob(f"*-{job}.log")))

    def said(self, job):
        """The lines that the program itself printed as errors."""
        return [line for line in self.log(job).splitlines() if line.startswith("stencil_run:")]

    def wait_for_computing(self, job, seconds=60):
        """Waits until the job has created its output and computes."""
        part = self.folder / "out.h5.part"

        def computes():
            if self.cluster.state(job) not in ("PENDING", "RUNNING", "CONFIGURING", "COMPLETING"):
                raise RuntimeError(f"job {job} has ended too early:\n{self.log(job)}")
            return part.exists() and part.stat().st_size > 1000

        wait_until(computes, "computing", seconds)
        time.sleep(0.1)

    def left(self):
        """Files in the folder that are neither inputs, nor outputs, nor logs."""
        return sorted(path.name for path in self.folder.iterdir()
                      if path.name not in self.given | {"out.h5"} and path.suffix != ".log")

    def wrong_end(self, job, state, status=None, outputs=1, seconds=60):
        """Checks the end of a job: its state, its status, and the files that it left. Returns the complaints."""
        wrong = []
        found_state, found_status = self.cluster.ended(job, seconds)
        if found_state != state or status not in (None, found_status):
            wrong.append(f"{found_state} {found_status}, not {state} {status or ''}")
        if self.left():
            wrong.append(f"left behind: {', '.join(self.left())}")
        if (self.folder / "out.h5").exists() != bool(outputs):
            wrong.append("an output" if not outputs else "no output")
        return self.with_log(job, wrong)

    def with_log(self, job, wrong):
        return [*wrong, f"log of job {job}:\n{self.log(job)}"] if wrong else []

    def wrong_lines(self, job, *patterns):
        """Complaints about patterns that match no line of the log."""
        log = self.log(job)
        return self.with_log(job, [f"no line like {pattern!r}" for pattern in patterns
                                   if not re.search(f"^{pattern}$", log, re.MULTILINE)])

    def wrong_said(self, job, *parts):
        """Returns complaints unless the program printed exactly one error line with these parts or, without parts, no error line."""
        said = self.said(job)
        if len(said) != bool(parts) or any(part not in line for line in said for part in parts):
            return self.with_log(job, [f"{len(said)} lines of stencil_run, not one with {parts}"])
        return []

    def wrong_bytes(self, expected, name="out.h5"):
        path = self.folder / name
        return [] if path.exists() and path.read_bytes() == expected else [f"{name}: the bytes differ from those of a run alone"]


def bytes_of_run(folder, stencil):
    """The bytes of the output of an uninterrupted run without Slurm."""
    folder.mkdir()
    write_input(folder / "in.h5")
    outcome = run(folder, configuration(stencil), arguments=["--progress", "none"], limit=1200)
    if outcome.status:
        raise RuntimeError(outcome.unexpected())
    return (folder / "out.h5").read_bytes()
