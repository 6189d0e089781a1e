"""Runs that are killed at random moments: a file with the name of the output is complete or does not exist. The next run with the
same configuration succeeds and removes all files that were left.

    kills.py quick | full    9 kills or 300
    kills.py NUMBER          runs only the kill of this number
"""

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
from dataclasses import dataclass

from jobs import LIMIT, OUTPUT, Job, arguments_of, difference, environment_of, own_lines_wrong, start
from jobs import words_of, write_inputs
from program import MPIEXEC, PROGRAM, environment

JOBS = {
    "contiguous": Job(shape=(3000, 3000)),
    "gzip": Job({"chunk": "256x512", "compression": "gzip:1"}, shape=(2048, 2048)),
    "windows": Job(shape=(3000, 3000), arguments=("--run.memory", "40MiB")),
    "passes": Job(
        stencil={"mask": "0 .2 0; .2 .2 .2; 0 .2 0", "steps": "66"},
        shape=(2048, 2048),
        arguments=("--run.memory", "28MiB"),
    ),
}
# the kills by their numbers; among the quick kills, each job, number of ranks, signal, and victim occurs at least twice
KILLS = {"quick": (1, 3, 4, 6, 9, 11, 12, 14, 15), "full": range(300)}
VICTIMS = ("one", "all", "mpirun")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
RANKS = (0, 1, 2, 4)  # 0: without mpirun
MARK = "STENCIL_KILLED_RUN"  # variable in the environment of all processes of a run


@dataclass
class Kill:
    """A signal, the processes that receive it, and the time at which it is sent. The time is given as a fraction `part` of the duration
    from the beginning of the run or, if `is_late`, from the creation of its unfinished output, to the end of the run."""

    job: str
    ranks: int
    victim: str
    signal: signal.Signals
    rank: int
    is_late: bool
    part: float

    @staticmethod
    def number(k):
        """Returns the k-th kill, which is the same in every run of this test."""
        rng = random.Random(2300 + k)
        ranks = RANKS[k % len(RANKS)]
        victim = rng.choice(VICTIMS) if ranks else "all"
        job = list(JOBS)[k // len(RANKS) % len(JOBS)]
        rank = rng.randrange(max(ranks, 1))
        number, is_late = rng.choice(SIGNALS), rng.random() < 0.6
        # one rank is killed only late in the run: if it dies while others are still in MPI_Init, OpenMPI's mpirun may
        # wait forever
        return Kill(job, ranks, victim, number, rank, is_late or victim == "one", rng.random())

    def is_orderly(self):
        """Returns whether the program has time to remove its files. If only one rank or mpirun receives the signal, mpirun kills the ranks
        after a second, so the time may be too short."""
        return self.signal != signal.SIGKILL and self.victim == "all"

    def __str__(self):
        launch = f"{self.ranks} ranks" if self.ranks else "a process alone"
        start = "the output's" if self.is_late else "the"
        return (
            f"{self.job}, {self.signal.name} to {self.victim} of {launch}"
            f" after {self.part:.0%} of {start} time"
        )


def words_in(process):
    """Returns the environment of a process; empty if the process has ended."""
    try:
        pairs = (process / "environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return {}
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def processes_of(mark):
    """Returns {process number: (name, rank)} for the processes of a run, including mpirun and its children."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        words = words_in(process)
        if words.get(MARK) == mark:
            try:
                name = (process / "comm").read_text().strip()
            except OSError:
                continue
            found[int(process.name)] = (name, words.get("OMPI_COMM_WORLD_RANK", "0"))
    return found


def ranks_of(mark):
    """Returns the process number of each rank. A child process of a rank, which inspects the input, is not included."""
    found = {}
    for process, (name, rank) in sorted(processes_of(mark).items()):
        if name == pathlib.Path(PROGRAM).name[:15]:
            found.setdefault(rank, process)
    return list(found.values())


def send(number, process):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


class Run:
    """A run of the program, which can be killed at a chosen moment."""

    def __init__(self, job, ranks, folder, session):
        self.part, self.mark, self.ranks = folder / (OUTPUT + ".part"), str(session), ranks
        command = [PROGRAM, *arguments_of(JOBS[job])]
        if ranks:
            command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
        words = {**environment(ranks, self.mark), **words_of(ranks), MARK: self.mark}
        self.started = subprocess.Popen(
            command, cwd=folder, env=words, stdin=subprocess.DEVNULL, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def wait_for(self, condition):
        """Waits until the condition holds or the run has ended. Returns True if the run is still in progress."""
        while self.started.poll() is None and not condition():
            time.sleep(0.002)
        return self.started.poll() is None

    def victims(self, kill):
        if kill.victim == "mpirun" or not self.ranks:
            return [self.started.pid]
        self.wait_for(lambda: len(ranks_of(self.mark)) == self.ranks)
        ranks = ranks_of(self.mark)
        return ranks if kill.victim == "all" else ranks[kill.rank : kill.rank + 1]

    def meet(self, kill, seconds):
        """Kills the run as planned. seconds: the duration of a whole run, and the time from the beginning of its output to its end.
        Returns True if the run was still in progress.
        """
        if kill.is_late:
            self.wait_for(self.part.exists)
        time.sleep(kill.part * seconds[kill.is_late])
        if not self.wait_for(lambda: True):
            return False
        for victim in self.victims(kill):
            send(kill.signal, victim)
        return True

    def finish(self):
        """Waits for the end of the run. Returns the status, stderr, and complaints if the run does not end."""
        wrong, stderr, deadline = [], "", time.monotonic() + LIMIT
        try:
            _, stderr = self.started.communicate(timeout=LIMIT)
            while processes_of(self.mark) and time.monotonic() < deadline:
                time.sleep(0.01)
        except subprocess.TimeoutExpired:
            pass
        for process, (name, rank) in processes_of(self.mark).items():
            # after all ranks have died, OpenMPI's mpirun sometimes waits forever
            if name == pathlib.Path(PROGRAM).name[:15]:
                wrong.append(f"rank {rank} is still running after {LIMIT} s")
            send(signal.SIGKILL, process)
        return self.started.wait(), stderr, wrong


class Bench:
    """The inputs, the correct outputs and the durations of all jobs."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.seconds = {}
        for name, job in JOBS.items():
            place = self.folder / name
            place.mkdir()
            write_inputs(job, place)
            # the duration on two ranks is also used as an estimate for one rank and for four ranks under mpirun
            alone, several = self.measure(name, 0, place), self.measure(name, 2, place)
            self.seconds.update({(name, ranks): several if ranks else alone for ranks in RANKS})

    def measure(self, name, ranks, place):
        """Measures the seconds of a run, and the seconds from the beginning of its output to the end."""
        (place / OUTPUT).unlink(missing_ok=True)
        with tempfile.TemporaryDirectory() as session:
            begin = time.monotonic()
            run = Run(name, ranks, place, session)
            run.wait_for(run.part.exists)
            output = time.monotonic()
            status, stderr, wrong = run.finish()
            if status != 0 or wrong:
                sys.exit(f"{name} without a kill: status {status}, {wrong}\n{stderr}")
            return time.monotonic() - begin, time.monotonic() - output

    def attempt(self, kill):
        """Starts a run and kills it. Returns whether the run was still in progress, its stderr, and the complaints."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as session:
            folder = pathlib.Path(session) / "run"
            folder.mkdir()
            for name in ("input.h5", "config.ini"):
                os.link(self.folder / kill.job / name, folder / name)
            run = Run(kill.job, kill.ranks, folder, session)
            was_running = run.meet(kill, self.seconds[kill.job, kill.ranks])
            _, stderr, wrong = run.finish()
            wrong += self.left_wrong(kill, folder, was_running)
            return was_running, stderr, wrong + self.repeated_wrong(kill, folder)

    def left_wrong(self, kill, folder, was_running):
        wrong, output = [], folder / OUTPUT
        if output.exists():
            words = difference(output, self.folder / kill.job / OUTPUT)
            wrong += [f"killed, and the output {words}"] if words else []
        if kill.is_orderly() or not was_running:
            wrong += [f"killed, and left {name}" for name in self.extra(folder)]
        return wrong

    def repeated_wrong(self, kill, folder):
        """Runs the same job again, in some cases on another number of ranks. Returns the complaints."""
        ranks = kill.ranks if kill.part < 0.7 else 0
        more = ["--output.overwrite=true"] if (folder / OUTPUT).exists() else []
        outcome = start(JOBS[kill.job], folder, ranks, more_arguments=more)
        if outcome.status != 0:
            return [f"repeated: {outcome.unexpected()}"]
        words = difference(folder / OUTPUT, self.folder / kill.job / OUTPUT)
        wrong = [f"repeated: the output {words}"] if words else []
        wrong += [f"repeated: {line}" for line in own_lines_wrong(outcome)]
        return wrong + [f"repeated: left {name}" for name in self.extra(folder)]

    @staticmethod
    def extra(folder):
        return sorted({p.name for p in folder.iterdir()} - {"input.h5", "config.ini", OUTPUT})


def try_all(bench, numbers):
    kills = [Kill.number(k) for k in numbers]
    failed, met, sent = 0, 0, Counter()
    known = environment_of(("STENCIL_RUN", "MPIEXEC"))
    with ThreadPoolExecutor(2) as workers:
        for k, kill, (was_running, stderr, wrong) in zip(numbers, kills, workers.map(bench.attempt, kills)):
            met += was_running
            sent[kill.signal.name] += was_running
            if wrong or len(numbers) == 1:
                print(f"{kill}: {'; '.join(wrong) or 'as promised'}; its stderr:\n{stderr.rstrip()}")
            if wrong:
                failed += 1
                print(f"    {known} {sys.executable} -B {__file__} {k}", flush=True)
    print(f"{len(kills)} runs, {met} killed before their end ({dict(sent)}), {failed} not as promised")
    return 1 if failed or met < len(kills) / 2 else 0


def main(words):
    if len(words) != 1 or not (words[0] in KILLS or words[0].isdigit()):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        numbers = KILLS[words[0]] if words[0] in KILLS else [int(words[0])]
        return try_all(Bench(place), numbers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
