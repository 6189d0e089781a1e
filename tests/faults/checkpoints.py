"""Runs with a checkpoint that are killed or stopped, and are then continued with other numbers of ranks, blocks and memory. The
output must have the same bytes as that of a run that was not stopped, and no other files may be left.

    checkpoints.py moments N    kills at N random moments
    checkpoints.py writing N    kills at N random system calls that write a checkpoint
    checkpoints.py stops N      stops by signals and time limits, which save the state: status 75
    checkpoints.py windows N    stops and kills of a single sweep that is computed in windows
    checkpoints.py snapshots N  kills of runs that write snapshots, at random moments and at calls on their files
    checkpoints.py snapshot_stops N    stops of runs that write snapshots: the snapshots written so far can be read
    checkpoints.py KIND NUMBER only    runs only the case of this number

With STENCIL_TEST_BACKEND=cuda a run continues sometimes on a GPU and sometimes on CPUs; the test is skipped if there is no GPU.
"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from checkpoint_jobs import JOBS, SNAPSHOTS, SWEEPS, unfinished_wrong, write_input
from jobs import LIMIT, OUTPUT, REPORT, difference, environment_of, is_written, own_lines_wrong, words_of
from kills import MARK, processes_of, ranks_of, send
from program import MPIEXEC, PROGRAM, environment, run
from signals import has_shared_memory, waits_for_signals

SHIM = os.environ.get("STENCIL_FAULT_SHIM", "")
RANKS = (0, 1, 2, 3, 4)  # 0: without mpirun
MOST_KILLS = 3  # largest number of kills in one case
HAS_GPU = os.environ.get("STENCIL_TEST_BACKEND") == "cuda"
STEPS = "report.steps.jsonl"  # the file with one line per inspected step, next to the report


def resources(rng, job):
    """Returns a random number of ranks, and arguments for the decomposition and the memory."""
    ranks = rng.choice(RANKS)
    words = []
    count = max(ranks, 1)
    if job.every > 0 and rng.random() < 0.5:
        rows = rng.choice([n for n in range(1, count + 1) if count % n == 0])
        words.append(f"--run.decomposition={rows}x{count // rows}")
    elif job.memory and rng.random() < (0.8 if job.every == 0 else 0.5):
        words.append(f"--run.memory={rng.choice(job.memory)}")
    if HAS_GPU:
        words.append(f"--run.backend={rng.choice(('cpu', 'cuda'))}")
    return ranks, words


def no_gpu(outcome):
    return HAS_GPU and outcome.status != 0 and re.search("no GPU is visible|without CUDA", outcome.stderr)


class Bench:
    """The inputs, the correct outputs and the durations of all jobs."""

    def __init__(self, folder, kind, numbers):
        self.folder = pathlib.Path(folder).resolve()
        self.jobs = SNAPSHOTS if kind.startswith("snapshot") else SWEEPS if kind == "windows" else JOBS
        names = list(self.jobs)
        for name in {names[number % len(names)]: None for number in numbers}:
            place, job = self.folder / name, self.jobs[name]
            place.mkdir()
            write_input(job, place / "input.h5")
            (place / "config.ini").write_text(job.config())
            words = ["config.ini", "--progress", "none", *(["--run.backend=cuda"] if HAS_GPU else [])]
            outcome = run(place, None, 0, words, LIMIT, "", words_of(0).items())
            if no_gpu(outcome):
                print("SKIPPED: no GPU")
                sys.exit(77)
            if outcome.status != 0:
                sys.exit(f"{name} without a checkpoint: {outcome.unexpected()}")

    def place_of(self, name, folder):
        """Makes a folder with the files of the job."""
        folder.mkdir()
        for file in ("input.h5", "config.ini"):
            os.link(self.folder / name / file, folder / file)
        (folder / "state").mkdir()


class Case:
    """Some runs of a job that are killed or stopped, and a last run that is not."""

    def __init__(self, bench, kind, number):
        self.bench, self.kind = bench, kind
        self.rng = random.Random(f"{kind} {number}")
        self.name = list(bench.jobs)[number % len(bench.jobs)]
        self.job = bench.jobs[self.name]
        self.seen = Counter()
        self.is_killed = self.was_killed = False

    def command(self, every):
        ranks, words = resources(self.rng, self.job)
        checkpoint = ["--run.checkpoint=state/s.h5", *([f"--run.checkpoint_every={every} steps"] if every else [])]
        line = [PROGRAM, "config.ini", "--progress", "none", "--report", REPORT, *checkpoint, *words]
        if ranks:
            line = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *line]
        return ranks, line

    def start(self, folder, session, fault=None, limit=None):
        """Starts a run. @returns the number of ranks, and the process"""
        ranks, line = self.command(self.job.every)
        line += [f"--run.time_limit={limit:.2f} s"] if limit else []
        if fault:
            at = line.index(PROGRAM)
            line[at:at] = ["/bin/sh", "-c", f'export LD_PRELOAD={SHIM}; exec "$@"', "sh"]
        words = {**environment(ranks, session), **words_of(ranks), MARK: session, **(fault or {})}
        return ranks, subprocess.Popen(
            line, cwd=folder, env=words, stdin=subprocess.DEVNULL, text=True, errors="replace",
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
        )

    def kill_at_a_moment(self, folder, session):
        ranks, process = self.start(folder, session)
        begin = folder / "state" / "s.h5" if self.rng.random() < 0.9 else folder / f"{OUTPUT}.part"
        while process.poll() is None and not begin.exists():
            time.sleep(0.002)
        time.sleep(self.rng.random() * 0.5)
        victims = [process.pid]
        if ranks:
            victims = ranks_of(session)
            if self.rng.random() < 0.3:
                victims = victims[:1]
        if process.poll() is None:
            for victim in victims:
                send(signal.SIGKILL, victim)
        return process

    def kill_within_writing(self, folder, session):
        """Kills the run at a system call on the folder of the checkpoint."""
        call = self.rng.choice(("pwrite", "pwrite", "fsync", "rename", "unlink", "close", "open", "ftruncate", "fallocate"))
        most = {"pwrite": 60, "close": 60, "open": 100, "rename": 20, "unlink": 15}.get(call, 12)
        fault = {
            "STENCIL_FAULT_FOLDER": str(folder / "state"),
            "STENCIL_FAULT_LOG": str(folder.parent / "log"),
            "STENCIL_FAULT_RANK": "0",
            "STENCIL_FAULT_CALL": call,
            "STENCIL_FAULT_NUMBER": str(self.rng.randrange(1, most)),
            "STENCIL_FAULT_KIND": "KILL",
        }
        return self.start(folder, session, fault)[1]

    def kill_with_snapshots(self, folder, session):
        """Kills the run at a random moment, or at a system call on the output or the checkpoint."""
        if self.rng.random() < 0.5:
            return self.kill_at_a_moment(folder, session)
        call = self.rng.choice(("pwrite",) * 3 + ("fsync", "rename", "unlink", "close", "open", "ftruncate"))
        most = {"pwrite": 400, "close": 300, "open": 400, "fsync": 40, "rename": 30}.get(call, 20)
        fault = {
            "STENCIL_FAULT_FOLDER": str(folder),
            "STENCIL_FAULT_LOG": str(folder.parent / "log"),
            "STENCIL_FAULT_RANK": "0",
            "STENCIL_FAULT_CALL": call,
            "STENCIL_FAULT_NUMBER": str(self.rng.randrange(1, most)),
            "STENCIL_FAULT_KIND": "KILL",
        }
        return self.start(folder, session, fault)[1]

    @staticmethod
    def wait_for_ranks(process, ranks, session):
        """Waits until all ranks handle signals and have received the configuration."""
        while process.poll() is None:
            found = ranks_of(session)
            if len(found) == max(ranks, 1) and all(map(has_shared_memory if ranks > 1 else waits_for_signals, found)):
                break
            time.sleep(0.005)
        time.sleep(0.1)

    def stop(self, folder, session):
        """Stops the run by a signal to one or all ranks, or by a time limit. mpirun passes SIGUSR1 and SIGUSR2 on to all ranks."""
        way = self.rng.choice(("signal", "signal", "signal", "limit"))
        ranks, process = self.start(folder, session, limit=self.rng.uniform(0.8, 2) if way == "limit" else None)
        if way == "limit":
            return process
        self.wait_for_ranks(process, ranks, session)
        time.sleep(self.rng.random() * 0.8)
        number = self.rng.choice((signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGINT))
        victims = [process.pid]
        if ranks and (number in (signal.SIGTERM, signal.SIGINT) or self.rng.random() < 0.5):
            victims = ranks_of(session)
            if self.rng.random() < 0.5:
                victims = victims[-1:]
        for victim in victims if process.poll() is None else []:
            send(number, victim)
        return process

    def stop_windows(self, folder, session):
        """Stops the run by a signal that mpirun passes on; sometimes kills the ranks instead."""
        ranks, process = self.start(folder, session)
        self.wait_for_ranks(process, ranks, session)
        part, share, end = folder / f"{OUTPUT}.part", self.rng.random(), time.monotonic() + LIMIT
        while process.poll() is None and not is_written(part, share) and time.monotonic() < end:
            time.sleep(0.002)
        victims, number = [process.pid], signal.SIGUSR1
        if ranks and self.rng.random() < 0.6:
            victims = ranks_of(session)
            number = self.rng.choice((signal.SIGTERM, signal.SIGUSR2, signal.SIGKILL))
            if self.rng.random() < 0.5:
                victims = victims[-1:]
        for victim in victims if process.poll() is None else []:
            send(number, victim)
        self.is_killed = number == signal.SIGKILL
        self.was_killed |= self.is_killed  # a later run may be stopped before it removes the files that the killed run has left
        return process

    def stop_wrong(self, folder, status, stderr):
        said = [line for line in stderr.splitlines() if line.startswith("stencil_run:")]
        self.seen["status 75"] += status == 75
        is_saved = any("are done and" in line for line in said)
        self.seen["saved"] += is_saved
        if status > 128 and len(said) == 1 and said[0].endswith(": run it again"):
            self.seen["too early"] += 1  # the signal came before the rank had received the configuration
            return []
        if status not in (0, 75):
            return [f"stopped, and status {status}: {stderr}"]
        if len(said) != (status == 75) or any("run it again" not in line for line in said):
            return [f"stopped, and said {said}"]
        if is_saved and self.kind == "snapshot_stops" and not self.was_killed:
            return unfinished_wrong(folder, self.bench.folder / self.name / OUTPUT)
        return []

    def wait_for(self, folder, process, session):
        wrong, stderr = [], None
        try:
            stderr = process.communicate(timeout=LIMIT)[1]
        except subprocess.TimeoutExpired:
            pass
        deadline = time.monotonic() + 10
        while stderr is not None and processes_of(session) and time.monotonic() < deadline:
            time.sleep(0.01)
        for left, (name, rank) in processes_of(session).items():
            # after all ranks have died, OpenMPI's mpirun sometimes waits forever
            if name == pathlib.Path(PROGRAM).name[:15]:
                wrong.append(f"rank {rank} is still running")
            send(signal.SIGKILL, left)
        if stderr is None:
            process.communicate()
            self.seen["mpirun hung"] += 1
        if wrong or stderr is None:
            return wrong
        status = process.returncode
        if status == -signal.SIGSEGV and "PMIx_server_finalize" in stderr:
            self.seen["mpirun crashed"] += 1  # mpirun itself crashed, as OpenMPI's mpirun sometimes does after all its ranks have died
            # the status is taken from mpirun's report about the first rank, or otherwise from the files that the run left
            told = re.search(r"Exit code: +(\d+)", stderr)
            killed = re.search(r"exited on signal (\d+)", stderr)
            status = int(told[1]) if told else 128 + int(killed[1]) if killed else (
                0 if (folder / OUTPUT).exists() else 75)
        if self.kind in self.KEPT and not self.is_killed:
            return self.stop_wrong(folder, status, stderr)
        if status not in (0, -signal.SIGKILL, -signal.SIGPIPE, 128 + signal.SIGKILL, 128 + signal.SIGTERM, 75, 1):
            return [f"killed, and status {status}: {stderr}"]
        return []

    def try_it(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            folder = pathlib.Path(scratch) / "run"
            self.bench.place_of(self.name, folder)
            wrong = []
            for n in range(self.rng.randrange(1, MOST_KILLS + 1)):
                session = str(pathlib.Path(scratch) / f"mpi{n}")
                os.mkdir(session)
                process = self.WAYS[self.kind](self, folder, session)
                wrong += self.wait_for(folder, process, session)
                if self.kind in self.KEPT and not self.was_killed:
                    wrong += self.left_in(folder, also=self.KEPT[self.kind])
                self.seen["killed"] += process.returncode != 0
                if wrong or (folder / OUTPUT).exists():
                    break
            self.seen["wrote a log"] += (folder.parent / "log").exists()
            return wrong or self.finish(folder)

    WAYS = {"moments": kill_at_a_moment, "writing": kill_within_writing, "stops": stop, "windows": stop_windows,
            "snapshots": kill_with_snapshots, "snapshot_stops": stop}

    KEPT = {"stops": ("s.h5", "s.h5.previous"), "windows": ("s.h5.windows", f"{OUTPUT}.part")}
    KEPT["windows"] += KEPT["stops"]  # runs in passes leave the same files as other stopped runs
    KEPT["snapshot_stops"] = (*KEPT["stops"], "s.h5.snapshots", f"{OUTPUT}.part")
    OWN = {"input.h5", "config.ini", "state", OUTPUT, f"{OUTPUT}.xdmf", REPORT, STEPS}

    @staticmethod
    def left_in(folder, also=()):
        left = {path.name for path in folder.iterdir()} - Case.OWN
        left |= {path.name for path in (folder / "state").iterdir()}
        return [f"left {name}" for name in sorted(left - set(also))]

    def finish(self, folder):
        self.seen["was done"] += (folder / OUTPUT).exists()
        if (folder / OUTPUT).exists():  # the run was done before it was killed, or was killed while it removed the checkpoint
            words = difference(folder / OUTPUT, self.bench.folder / self.name / OUTPUT)
            if words:
                return [f"the output of the killed run {words}"]
            if (folder / REPORT).exists():  # the run had continued from a checkpoint, and was done before it was killed
                self.seen["went on"] += "resumed" in json.loads((folder / REPORT).read_text())
            (folder / OUTPUT).unlink()
            (folder / f"{OUTPUT}.xdmf").unlink(missing_ok=True)
        ranks, words = resources(self.rng, self.job)
        line = ["config.ini", "--progress", "none", "--report", REPORT, "--run.checkpoint=state/s.h5", *words]
        outcome = run(folder, None, ranks, line, LIMIT, "", words_of(ranks).items())
        if outcome.status != 0:
            return [f"the last run: {outcome.unexpected()}"]
        words = difference(folder / OUTPUT, self.bench.folder / self.name / OUTPUT)
        wrong = [f"the output {words}"] if words else []
        wrong += self.companion_wrong(folder)
        self.seen["went on"] += "resumed" in json.loads((folder / REPORT).read_text())
        return wrong + self.left_in(folder) + own_lines_wrong(outcome) + self.lines_wrong(folder)

    def companion_wrong(self, folder):
        """Compares NAME.xdmf, if there are snapshots, with the correct one."""
        here, right = (place / f"{OUTPUT}.xdmf" for place in (folder, self.bench.folder / self.name))
        same = here.exists() == right.exists() and (not right.exists() or here.read_bytes() == right.read_bytes())
        return [] if same else [f"another {here.name}"]

    @staticmethod
    def lines_wrong(folder):
        """Checks the lines next to the report: each inspected step has one line, and the seconds increase."""
        if not (folder / STEPS).exists():
            return []
        lines = [json.loads(line) for line in (folder / STEPS).read_text().splitlines()]
        told = [(line["step"], line["seconds"]) for line in lines]
        is_good = all(a[0] < b[0] and a[1] <= b[1] for a, b in zip(told, told[1:]))
        shots = [line["snapshot"] for line in lines if "snapshot" in line]
        is_good &= shots == list(range(len(shots)))
        return [] if is_good else [f"lines of steps and seconds: {told}, snapshots {shots}"]


def main(words):
    if len(words) not in (2, 3) or words[0] not in Case.WAYS:
        sys.exit(__doc__)
    kind, number = words[0], int(words[1])
    numbers = [number] if len(words) == 3 else range(number)
    with tempfile.TemporaryDirectory() as place:
        bench, seen, failed = Bench(place, kind, numbers), Counter(), 0
        known = environment_of(("STENCIL_RUN", "STENCIL_FAULT_SHIM", "MPIEXEC"))
        cases = [Case(bench, kind, n) for n in numbers]
        with ThreadPoolExecutor(2) as workers:
            for n, case, wrong in zip(numbers, cases, workers.map(Case.try_it, cases)):
                seen += case.seen
                if wrong:
                    failed += 1
                    print(f"{case.name}: {'; '.join(wrong)}\n    {known} {sys.executable} -B {__file__} {kind} {n} only", flush=True)
    print(f"{len(cases)} cases, {dict(seen)}, {failed} not as promised")
    # on a fast machine, some runs are done before they are stopped
    return 1 if failed or seen["went on"] < max(1, len(cases) // 8) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
