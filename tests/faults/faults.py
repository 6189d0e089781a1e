"""Runs in which one system call on one rank fails, or transfers half of the bytes: either the output is correct, or there is no
output and one line gives the reason. The run never hangs, and never leaves an incomplete file under the name of the output.

    faults.py quick       a sample of the calls of each job without mpirun and on several ranks; on 2 ranks only of some jobs
    faults.py full [JOB...]    every call of these jobs, by default of all jobs; with STENCIL_FAULT_RANKS=N, on N ranks only (0: without mpirun)
    faults.py JOB RANKS RANK CALL NUMBER KIND    one fault, and its outcome (RANKS 0: without mpirun)
"""

import os
import pathlib
import random
import shlex
import sys
import tempfile
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor

from jobs import CHECKPOINTS, COMPANION, JOBS, LINES, OUTPUT, REPORT, difference, environment_of, is_report, own_lines_wrong, read_all
from jobs import start, write_inputs
from program import HUNG

SHIM = os.environ.get("STENCIL_FAULT_SHIM", "")
# {number of ranks, 0 without mpirun: number of runs of `quick`}. Without mpirun and on 2 ranks, these are enough runs for each call to
# fail in each of its ways.
SAMPLE = {0: 45, 2: 36, 4: 6}
# The jobs of `quick` on 2 ranks; a fault-free run of each job takes about a second.
ON_TWO_RANKS = ("contiguous", "chunked", "windows", "passes", "checkpoint", "bank", "snapshots", "recording", "lines", "joined")
MISSED = 0.02  # largest share of runs in which the call that should fail was not made
# The calls that may fail in each way. Calls that examine or rename a file are never interrupted.
WAYS = {
    "EIO": "open read pread write pwrite fsync ftruncate fallocate rename link unlink close fstat stat",
    "ENOSPC": "open write pwrite fsync ftruncate fallocate rename link close",
    "EINTR": "open read pread write pwrite fsync ftruncate fallocate close",
    "short": "read pread write pwrite",
}
WAYS = {kind: calls.split() for kind, calls in WAYS.items()}
# The calls after which the run must still succeed, because the program repeats interrupted and partial calls. Only calls by which HDF5
# opens or closes a file are not repeated.
RESUMED = {"EINTR": set(WAYS["EINTR"]) - {"open", "close"}, "short": set(WAYS["short"])}

Fault = namedtuple("Fault", "job ranks rank call number kind")
Hit = namedtuple("Hit", "rank call path")


def variables_of(fault, folder, log):
    return {
        "STENCIL_FAULT_FOLDER": str(folder),
        "STENCIL_FAULT_LOG": str(log),
        "STENCIL_FAULT_RANK": str(fault.rank),
        "STENCIL_FAULT_CALL": fault.call,
        "STENCIL_FAULT_NUMBER": str(fault.number),
        "STENCIL_FAULT_KIND": fault.kind,
    }


def hits_in(log):
    if not log.exists():
        return []
    return [Hit(*line.split(" ", 3)[1:]) for line in log.read_text().splitlines()]


class Bench:
    """The inputs and the correct outputs of all jobs, in a separate folder."""

    def __init__(self, folder, names=()):
        self.folder = pathlib.Path(folder).resolve()
        self.shape = {}
        for name in names or JOBS:
            job = JOBS[name]
            place = self.folder / name
            place.mkdir()
            write_inputs(job, place)
            self.shape[name] = read_all(place)
            outcome = start(job, place, 0)
            if outcome.status != job.status:
                sys.exit(f"{name} without a fault: {outcome.unexpected()}")

    def right(self, name):
        return self.folder / name / OUTPUT

    def attempt(self, fault):
        """Runs a job with a fault. Returns the outcome, the recorded calls, and the complaints."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place).resolve() / "run"
            folder.mkdir()
            for name, content in self.shape[fault.job].items():
                (folder / name).write_bytes(content)
            log = folder.parent / "log"
            outcome = start(JOBS[fault.job], folder, fault.ranks, SHIM, variables_of(fault, folder, log))
            hits = hits_in(log)
            return outcome, hits, self.complaints(fault, outcome, hits, folder)

    def complaints(self, fault, outcome, hits, folder):
        job = JOBS[fault.job]
        if outcome.status == HUNG:
            return ["hung"]
        wrong = own_lines_wrong(outcome)
        is_harmless = not hits or fault.number == 0 or fault.call in RESUMED.get(fault.kind, ())
        if outcome.status != job.status and (is_harmless or outcome.status != 3):
            wrong.append(f"status {outcome.status}")
        if fault.kind == "ENOSPC" and "malformed" in outcome.stderr:
            wrong.append(f"says {outcome.errors}")
        before, after = self.shape[fault.job], read_all(folder)
        changed = [name for name in before if name != OUTPUT and before[name] != after.get(name)]
        wrong += [f"{name} was changed" for name in changed]
        path = hits[0].path if hits and fault.number else ""
        wrong += self.output_wrong(fault, outcome, path, folder)
        left = sorted(after.keys() - before.keys() - {OUTPUT, REPORT, LINES, COMPANION})
        if outcome.status != 0:  # a checkpoint may be left, from which the failed run can be continued
            left = [name for name in left if name not in CHECKPOINTS]
            if "state.h5.snapshots" in after:  # the checkpoint then refers to the unfinished output
                left = [name for name in left if name != f"{OUTPUT}.part"]
        if fault.call == "unlink":  # a file whose removal failed stays
            left = [name for name in left if str(folder / name) != path]
        return wrong + [f"left {name}" for name in left]

    def output_wrong(self, fault, outcome, path, folder):
        """Checks the files that the run should have made, after the call on `path` failed. Returns the complaints."""
        output, old = folder / OUTPUT, self.shape[fault.job].get(OUTPUT)
        is_old = (output.read_bytes() if output.exists() else None) == old
        # The program gives the output its name before it flushes the folder to the disk, and before it writes the companion and the
        # report, both of which it first writes under a random name.
        is_after = path == str(folder) or pathlib.Path(path).name.startswith((REPORT, COMPANION, ".stencil-"))
        if outcome.status != 0 and (is_old or not is_after):
            return [] if is_old else ["the output exists although the run failed"]
        if not output.exists():
            return ["no output"]
        wrong = [f"output: {words}" for words in [difference(output, self.right(fault.job))] if words]
        if outcome.status == 0 and REPORT in JOBS[fault.job].arguments and not is_report(folder / REPORT):
            wrong.append("no report")
        companions = [place / COMPANION for place in (folder, self.folder / fault.job)]
        texts = [path.read_text() if path.exists() else "" for path in companions]
        if outcome.status == 0 and texts[0] != texts[1]:
            wrong.append(f"another {COMPANION}")
        return wrong


def faults_of(job, ranks, calls, ways=WAYS):
    """Yields every possible fault of a run that made these calls."""
    for (rank, call), count in sorted(Counter((int(c.rank), c.call) for c in calls).items()):
        for kind in (kind for kind, these in ways.items() if call in these):
            for number in range(1, count + 1):
                yield Fault(job, ranks, rank, call, number, kind)


def sample(faults, number):
    """Returns `number` of the faults, taken in turns from groups. The faults of a group have the same job, call and kind, and occur all
    on rank 0 or all on other ranks. The groups from which the first faults are taken differ in the call or the kind."""
    rng, groups = random.Random(23), {}
    for fault in faults:
        groups.setdefault((fault.job, fault.rank > 0, fault.call, fault.kind), []).append(fault)
    for group in groups.values():
        rng.shuffle(group)
    order = list(groups.items())
    rng.shuffle(order)
    # groups of the same call and kind are far apart in the order, so that a small sample contains all calls and kinds
    met = Counter()
    order.sort(key=lambda item: (met.update([item[0][2:]]), met[item[0][2:]])[1])
    order = [group for _, group in order]
    taken = []
    while len(taken) < number and any(order):
        taken += [group.pop() for group in order if group]
    return taken[:number]


def plan(bench, is_full):
    """Returns the faults to try, and the complaints about runs without a fault."""
    tried, failed = {ranks: [] for ranks in SAMPLE}, []
    only = os.environ.get("STENCIL_FAULT_RANKS")
    for name in bench.shape:
        for ranks in JOBS[name].ranks:
            if only and str(ranks) != only or not is_full and ranks == 2 and name not in ON_TWO_RANKS:
                continue
            none = Fault(name, ranks, 0, "none", 0, "EIO")
            _, calls, wrong = bench.attempt(none)
            failed += [(none, wrong)] if wrong else []
            tried[ranks] += faults_of(name, ranks, calls)
    for ranks, faults in tried.items():
        tried[ranks] = faults if is_full else sample(faults, SAMPLE[ranks])
        left_out = {fault[3::2] for fault in faults} - {fault[3::2] for fault in tried[ranks]}
        if left_out and ranks < 4:
            sys.exit(f"the sample of {SAMPLE[ranks]} faults on {ranks} ranks is too small: it leaves out {sorted(left_out)}")
    return [fault for faults in tried.values() for fault in faults], failed


def tell(fault, wrong, path=""):
    known = environment_of(("STENCIL_RUN", "STENCIL_FAULT_SHIM", "MPIEXEC"))
    again = f"{known} {sys.executable} -B {__file__} {shlex.join(map(str, fault))}"
    print(f"{'; '.join(wrong)} ({path})\n    {again}", flush=True)


def try_all(bench, is_full):
    faults, failed = plan(bench, is_full)
    statuses, met, hit = Counter(), Counter(), 0
    for fault, wrong in failed:
        tell(fault, wrong)
    with ThreadPoolExecutor(2 * os.cpu_count()) as workers:  # more runs than cores, because a run waits for the storage half of the time
        for fault, (outcome, hits, wrong) in zip(faults, workers.map(bench.attempt, faults)):
            statuses[outcome.status] += 1
            hit += bool(hits)
            met[fault.call] += bool(hits)
            if wrong:
                failed.append((fault, wrong))
                tell(fault, wrong, pathlib.Path(hits[0].path).name if hits else "not met")
    print(f"faults met: {dict(met)}")
    print(f"{len(faults)} runs, {hit} met their fault, statuses {dict(statuses)}")
    print(f"{len(failed)} not as promised")
    if hit < (1 - MISSED) * len(faults) or not hit:
        print("too few runs met their fault")
        return 1
    return 1 if failed else 0


def try_one(bench, words):
    name, ranks, rank, call, number, kind = words
    fault = Fault(name, int(ranks), int(rank), call, int(number), kind)
    outcome, hits, wrong = bench.attempt(fault)
    print(outcome.unexpected())
    print(*hits if fault.number else hits[-1:], sep="\n")
    print("; ".join(wrong) or "as promised")
    return 1 if wrong else 0


def main(words):
    if not os.access(SHIM, os.R_OK):
        sys.exit(f"STENCIL_FAULT_SHIM is '{SHIM}': set it to the built fault_shim")
    with tempfile.TemporaryDirectory() as place:
        if len(words) == 6 and words[0] in JOBS:
            return try_one(Bench(place, words[:1]), words)
        if words[:1] not in (["quick"], ["full"]) or not JOBS.keys() >= set(words[1:]):
            sys.exit(__doc__)
        return try_all(Bench(place, words[1:]), words[0] == "full")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
