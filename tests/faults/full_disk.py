"""Runs on small file systems, on most of which the output does not fit: five sizes from nothing to enough, twenty in a thorough test.
A run either ends with status 3, prints one line and leaves no files, or it writes the correct output. The test is skipped if no file
system can be mounted."""

import pathlib
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from jobs import OUTPUT, Job, difference, own_lines_wrong, start, write_inputs
from program import THOROUGH

SIZES, PAGE = 20 if THOROUGH else 5, 4096
SPARE = 16 * PAGE  # additional space for the lock and for the metadata of the file system
JOBS = {
    "contiguous": Job(shape=(300, 200)),
    "gzip": Job({"chunk": "20x40", "compression": "gzip:1"}, shape=(300, 200)),
    "windows": Job(shape=(3000, 1000), arguments=("--run.memory", "28MiB")),
    "packed windows": Job(
        {"chunk": "300x500", "compression": "gzip:1"},
        shape=(3000, 1000),
        arguments=("--run.memory", "50MiB"),
    ),
    "copied rest": Job({"copy": "rest"}, shape=(300, 200), is_crowded=True),
    "strided rest": Job(
        {"copy": "rest", "chunk": "20x40", "compression": "gzip:1"},
        stencil={"mask": "gaussian", "sigma": "2", "stride": "2"},
        shape=(300, 200),
        is_crowded=True,
    ),
}


def mount(folder, size):
    """Mounts a file system of `size` bytes. Returns None, or the reason why it cannot be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip() or "mount failed"


def unmount(folder):
    subprocess.run(["umount", str(folder)], check=True)


def run_in(folder, job, ranks=0):
    return start(job, folder, ranks, more_arguments=[f"--output.file=disk/{OUTPUT}"])


def attempt(job, right, size, ranks):
    """Runs a job on a disk of a given size. Returns the status and the complaints."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        disk = folder / "disk"
        disk.mkdir()
        write_inputs(job, folder)
        why = mount(disk, size)
        if why:
            return 0, [why]
        try:
            outcome = run_in(folder, job, ranks)
            wrong = own_lines_wrong(outcome)
            names = {path.name for path in disk.iterdir()}
            if outcome.status not in (0, 3):
                wrong.append(outcome.unexpected())
            if outcome.status == 3 and "available in" not in outcome.stderr:
                wrong.append(f"does not say that the disk is full: {outcome.errors}")
            if outcome.status == 0 and OUTPUT not in names:
                wrong.append("no output")
            elif outcome.status == 0 and (words := difference(disk / OUTPUT, right)):
                wrong.append(f"the output {words}")
            left = names - ({OUTPUT} if outcome.status == 0 else set())
            return outcome.status, wrong + [f"left {name}" for name in sorted(left)]
        finally:
            unmount(disk)


def try_sizes(name, job, folder):
    """Runs a job on disks of all sizes. Returns the number of runs with complaints."""
    (folder / "disk").mkdir(parents=True)
    write_inputs(job, folder)
    outcome = run_in(folder, job)
    if outcome.status != 0:
        sys.exit(f"{name} on a disk with room: {outcome.unexpected()}")
    right = folder / "disk" / OUTPUT
    most = (right.stat().st_size + SPARE) // PAGE
    sizes = [max(1, most * i // (SIZES - 1)) * PAGE for i in range(SIZES)]
    runs = [(size, 0) for size in sizes] + [(size, 2) for size in sizes[1::4]]
    failed, statuses = 0, Counter()
    with ThreadPoolExecutor(2) as workers:
        outcomes = workers.map(lambda run: attempt(job, right, *run), runs)
        for (size, ranks), (status, wrong) in zip(runs, outcomes):
            statuses[status] += 1
            if size in (sizes[0], sizes[-1]) and status != (0 if size == sizes[-1] else 3):
                wrong.append(f"status {status}")
            if wrong:
                failed += 1
                print(f"{name}, {size} bytes, {f'{ranks} ranks' if ranks else 'alone'}: {'; '.join(wrong)}")
    print(f"{name}: {len(runs)} runs, statuses {dict(statuses)}, {failed} not as promised")
    return failed


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        why = mount(folder, PAGE)
        if why:
            print(f"SKIPPED: a small file system needs root: {why}")
            return 77
        unmount(folder)
        return 1 if sum(try_sizes(name, job, folder / name) for name, job in JOBS.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
