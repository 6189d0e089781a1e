"""Runs in which files of the user have names that the run needs, or in which several names lead to one file. Either the run is
refused, or its result is correct; only files of the run itself change.

    names.py COUNT         single cases, and COUNT random sets of names for input, mask, output, checkpoint, report
    names.py tuple NUMBER  only the set of this number
"""

import fcntl
import hashlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from jobs import is_report, own_lines_wrong
from program import MPIEXEC, PROGRAM, environment, ini, run

ENDINGS = {
    "input": [""],
    "mask": [""],
    "output": ["", ".part", ".lock", ".xdmf"],
    "checkpoint": ["", ".lock", ".next", ".next.part", ".next.lock", ".previous", ".windows", ".windows.part",
                   ".snapshots", ".snapshots.part"],
    "report": ["", ".part", ".steps.jsonl"],
}
WAYS = ("equal", "equal", "spelling", "symlink", "hardlink", "nested")
POINTS = np.random.default_rng(7).standard_normal((12, 20)).astype(np.float32)
TAPS = np.array([1.0, 2.0, 1.0])


def right(steps):
    field = POINTS.astype(np.float64)
    for _ in range(steps):
        field = sum(TAPS[k] * np.roll(field, 1 - k, axis=1) for k in range(3))
    return field


def write_data(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file["x"], file["m"] = POINTS, TAPS


def names_of(folder):
    """{name: description} of all files and links in a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"link to {os.readlink(path)}"
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


class Tuple:
    """The names of the files of one run, and files that exist under these names before the run."""

    def __init__(self, number, folder):
        self.rng, self.folder = random.Random(f"names {number}"), folder
        chance = self.rng.random
        self.names = {"input": "i.h5", "mask": "m.h5", "output": self.rng.choice(("o.h5", "d/o.h5", "./o.h5"))}
        if chance() < 0.7:
            self.names["checkpoint"] = self.rng.choice(("st.h5", "d/st.h5"))
        if chance() < 0.7:
            self.names["report"] = self.rng.choice(("r.json", "d/r.json"))
        self.shots, self.overwrite = chance() < 0.4, chance() < 0.4
        self.links = []  # (name, target, whether it is a hard link)
        self.words = []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            self.relate()
        self.prepare()

    def derived(self, role):
        name, ending = self.names[role], self.rng.choice(ENDINGS[role])
        if role == "output" and self.rng.random() < 0.2:
            path = pathlib.PurePath(name)
            ending = self.rng.choice(("", ".part", ".lock"))
            return str(path.parent / f".{path.name}.stencil-scratch{self.rng.randrange(2)}{ending}")
        if role == "report" and ending == ".steps.jsonl":
            name = name.removesuffix(".json")
        return name + ending

    def relate(self):
        """Replaces the name of one file by a name that the run needs for another file, in one of several ways."""
        one, other = self.rng.sample(list(self.names), 2)
        target, way = self.derived(other), self.rng.choice(WAYS)
        self.words.append(f"{one}: {way} of {target} ({other})")
        if way == "equal":
            self.names[one] = target
        elif way == "spelling":
            whole = str(self.folder / target)
            self.names[one] = self.rng.choice((f"./{target}", f"d/../{target}", f"new/../{target}", whole))
        elif way == "nested":
            self.names[one] = f"{target}/x.h5"
        else:
            self.links.append((self.names[one], target, way == "hardlink"))

    def prepare(self):
        (self.folder / "d").mkdir()
        for role in ("input", "mask"):
            path = self.folder / self.names[role]
            try:
                if not path.exists():
                    write_data(path)
            except OSError:  # a name is inside the name of a file, for example i.h5/x.h5
                pass
        for name, target, is_hard in self.links:
            self.link(self.folder / name, self.folder / target, is_hard)
        roles = [role for role in self.names if role not in ("input", "mask")]
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            path = self.folder / self.derived(self.rng.choice(roles))
            if not os.path.lexists(path) and path.parent.is_dir():
                if self.rng.random() < 0.3:
                    (self.folder / "victim").write_text("precious")
                    path.symlink_to(self.folder / "victim")
                else:
                    path.write_text("precious")
                self.words.append(f"{path.name} is the user's")
        (self.folder / "config.ini").write_text(self.config())
        self.before = names_of(self.folder)

    @staticmethod
    def link(name, target, is_hard):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(name) and not os.path.lexists(target):
                name, target = target, name
            if is_hard and target.exists() and not os.path.lexists(name):
                os.link(target, name)
            elif not is_hard and not os.path.lexists(name):
                name.symlink_to(target)
        except OSError:
            pass

    def config(self):
        output = {"file": self.names["output"], "overwrite": str(self.overwrite).lower()}
        if self.shots:
            output["snapshot_every"] = 2
        sections = {
            "input": {"file": self.names["input"], "dataset": "/x"},
            "output": output,
            "stencil": {"mask": f"{self.names['mask']}:/m", "boundary": "wrap", "steps": 6},
        }
        if "checkpoint" in self.names:
            sections["run"] = {"checkpoint": self.names["checkpoint"], "checkpoint_every": "2 steps"}
        return ini(sections)

    def complaints(self):
        words = ["--progress=none", "--run.precision=float64"]
        words += [f"--report={self.names['report']}"] if "report" in self.names else []
        outcome = run(self.folder, None, 0, ["config.ini", *words])
        wrong = own_lines_wrong(outcome)
        if outcome.status not in (0, 2, 3):
            wrong.append(outcome.unexpected())
        after = names_of(self.folder)
        own = {os.path.relpath(os.path.realpath(self.folder / name), self.folder) for name in self.own_names()}
        for name in sorted(self.before.keys() | after.keys()):
            if self.before.get(name) == after.get(name):
                continue
            if outcome.status != 0 or name not in own:
                wrong.append(f"{name} was {self.before.get(name)} and is {after.get(name)}")
            elif name in self.before and not (self.overwrite and name == self.place_of("output")):
                wrong.append(f"{name} was overwritten")
        if outcome.status == 0:
            wrong += self.result_wrong()
        return outcome, wrong

    def place_of(self, role):
        return os.path.relpath(os.path.realpath(self.folder / self.names[role]), self.folder)

    def own_names(self):
        names = [self.names["output"], self.names["output"] + ".xdmf"]
        if report := self.names.get("report"):
            names += [report, report.removesuffix(".json") + ".steps.jsonl"]
        return names

    def result_wrong(self):
        with h5py.File(self.folder / self.names["output"]) as file:
            found = file["x"][()]
        wanted = np.stack([right(n) for n in (0, 2, 4, 6)]) if self.shots else right(6)
        wrong = [] if found.shape == wanted.shape and np.allclose(found, wanted) else ["another result"]
        if "report" in self.names and not is_report(self.folder / self.names["report"]):
            wrong.append("no report")
        return wrong


def attempt(number):
    with tempfile.TemporaryDirectory() as place:
        case = Tuple(number, pathlib.Path(place).resolve())
        outcome, wrong = case.complaints()
        told = f"tuple {number}: {case.names}; {'; '.join(case.words)}; overwrite = {case.overwrite}"
        return outcome, wrong, told


def prepared(place, **sections):
    folder = pathlib.Path(place).resolve() / "run"
    folder.mkdir()
    write_data(folder / "i.h5")
    words = {"input": {"file": "i.h5", "dataset": "/x"}, "output": {"file": "o.h5"},
             "stencil": {"mask": "1 2 1", "boundary": "wrap", "steps": 6}}
    for name, keys in sections.items():
        words[name] = {**words.get(name, {}), **keys}
    (folder / "config.ini").write_text(ini(words))
    return folder


CHECKPOINT = {"run": {"checkpoint": "st.h5", "checkpoint_every": "2 steps"}}
# (arguments, sections, the user's files and links (name, target), status, part of the line)
REFUSED = [
    (["--report=st.h5.previous"], CHECKPOINT, (), 2, "which run.checkpoint st.h5 needs as st.h5.previous"),
    (["--output.dataset=../x"], {}, (), 2, "output.dataset"),
    (["--output.dataset=a/./x"], {}, (), 2, "output.dataset"),
    (["--report=r.json"], {}, [("r.json", None)], 3, "is neither a report nor a trace of this program"),
    (["--report=r.json"], {}, [("r.steps.jsonl", None)], 3, "holds no lines of this program"),
    (["--report=r.json"], {}, [("r.steps.jsonl", "victim")], 3, "a symbolic link"),
    (["--report=r.json"], {}, [("r.json", "o.h5")], 2, "--report r.json would overwrite"),
    (["--output.snapshot_every=2", "--output.overwrite=true"], {}, [("o.h5.xdmf", None)], 3, "o.h5.xdmf exists, has the name"),
    (["--output.snapshot_every=2"], {"input": {"file": "o.h5.xdmf"}}, [("o.h5.xdmf", "i.h5")], 2, "would overwrite"),
    ([], {"stencil": {"steps": 66, "mask": "0 .2 0; .2 .2 .2; 0 .2 0"}, "run": {"memory": "28MiB"}},
     [(".o.h5.stencil-scratch0", None)], 3, "exists and has the name of a scratch file"),
    ([], CHECKPOINT, [("st.h5.snapshots", None)], 2, "st.h5.snapshots is not a checkpoint"),
]


def refused_wrong(arguments, sections, files, status, part):
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place, **sections)
        if "memory" in sections.get("run", {}):  # a grid that is computed in passes
            with h5py.File(folder / "i.h5", "w") as file:
                file["x"] = np.zeros((3000, 1000), np.float32)
        (folder / "victim").write_text("precious")
        for name, target in files:
            (folder / name).symlink_to(target) if target else (folder / name).write_text("precious")
        before = names_of(folder)
        outcome = run(folder, None, 0, ["config.ini", "--progress=none", *arguments])
        wrong = own_lines_wrong(outcome)
        if outcome.status != status or part not in outcome.stderr:
            wrong.append(outcome.unexpected())
        return wrong + (["files changed"] if names_of(folder) != before else [])


def full_device():
    """If the report cannot be written, the output exists nevertheless, and the error message states this."""
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        outcome = run(folder, None, 0, ["config.ini", "--progress=none", "--report=/dev/full"])
        good = outcome.status == 3 and "the output o.h5 is complete, but --report /dev/full" in outcome.stderr
        return [] if good and (folder / "o.h5").exists() else [outcome.unexpected()]


def unread_pipe():
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        os.mkfifo(folder / "pipe")
        outcome = run(folder, None, 0, ["config.ini", "--progress=none", "--report=pipe"])
        good = outcome.status == 3 and "named pipe without a reader" in outcome.stderr
        return [] if good and not (folder / "o.h5").exists() else [outcome.unexpected()]


def full_pipe(ranks=0):
    """The report is a full pipe that a process has open but does not read: one SIGTERM ends the run, whose output is complete."""
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        os.mkfifo(folder / "pipe")
        reader = os.open(folder / "pipe", os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(reader, 1031, 4096)  # F_SETPIPE_SZ
        os.write(reader, bytes(4096))
        command = [PROGRAM, "config.ini", "--progress=none", "--report=pipe"]
        if ranks:
            command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
        started = subprocess.Popen(command, cwd=folder, text=True, env=environment(ranks, place), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 40
            while not (folder / "o.h5").exists() and time.monotonic() < end:
                time.sleep(0.02)
            time.sleep(0.3)
            started.send_signal(signal.SIGTERM)
            stderr = started.communicate(timeout=40)[1]
        finally:
            started.kill()
            started.wait()
            os.close(reader)
        # if mpirun receives a signal, its exit status is 1
        status = 1 if ranks else 128 + signal.SIGTERM
        good = started.returncode == status and "the output is complete under its name" in stderr
        return [] if good else [f"status {started.returncode}: {stderr}"]


def full_pipe_of_two_ranks():
    return full_pipe(2)


def one_report_of_two():
    """Two runs that write the same report file at the same time both succeed, and the file contains the report of one of the runs."""
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        outputs = ("o.h5", "p.h5")
        with ThreadPoolExecutor(2) as workers:
            done = list(workers.map(lambda name: run(
                folder, None, 0, ["config.ini", "--progress=none", f"--output.file={name}", "--report=r.json"]), outputs))
        wrong = [outcome.unexpected() for outcome in done if outcome.status != 0]
        left = sorted(names_of(folder)) != ["config.ini", "i.h5", "o.h5", "p.h5", "r.json", "r.steps.jsonl"]
        return wrong + (["no report"] if not is_report(folder / "r.json") else []) + (["left files"] if left else [])


def single_cases():
    failed = 0
    for case in REFUSED:
        if wrong := refused_wrong(*case):
            failed += 1
            print(f"{case}: {'; '.join(wrong)}", flush=True)
    for case in (full_device, unread_pipe, full_pipe, full_pipe_of_two_ranks, one_report_of_two):
        if wrong := case():
            failed += 1
            print(f"{case.__name__}: {'; '.join(wrong)}", flush=True)
    return failed


def main(words):
    if len(words) == 2 and words[0] == "tuple":
        outcome, wrong, told = attempt(int(words[1]))
        print(told, outcome.unexpected(), "; ".join(wrong) or "as promised", sep="\n")
        return 1 if wrong else 0
    if len(words) != 1 or not words[0].isdigit():
        sys.exit(__doc__)
    statuses, failed = Counter(), single_cases()
    with ThreadPoolExecutor(2) as workers:
        for outcome, wrong, told in workers.map(attempt, range(int(words[0]))):
            statuses[outcome.status] += 1
            if wrong:
                failed += 1
                print(f"{told}: {'; '.join(wrong)}\n{outcome.stderr}", flush=True)
    print(f"{sum(statuses.values())} tuples, statuses {dict(statuses)}, {failed} not as promised")
    return 1 if failed or statuses[0] == 0 or statuses[2] == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
