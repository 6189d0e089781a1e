"""Runs that start with unusual limits and streams: small stacks, little address space, very many threads, a full device as
stdout, closed streams, and many runs at the same time."""

import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "scipy"))
from program import PROGRAM, THOROUGH, environment, in_turn, ini, run  # noqa: E402

CONFIG = ini({
    "input": {"file": "in.h5", "dataset": "x"},
    "output": {"file": "out.h5", "overwrite": "true"},
    "stencil": {"mask": "gaussian", "sigma": "3"},
})
STACK = [  # shell commands, ranks, status, text in the one error line
    ("ulimit -Ss 64;", 0, 0, None),
    ("ulimit -Ss 64;", 2, 0, None),
    ("ulimit -s unlimited 2>/dev/null;", 0, 0, None),
    ("ulimit -s 64;", 0, 4, "ulimit -s 8192"),
    ("ulimit -s 64;", 2, 4, "ulimit -s 8192"),
]
# Runs the program as a user without the privilege to raise hard limits. A copy of the program is run, because this user may not have
# access to the build folder.
UNPRIVILEGED = 'shift; set -- setpriv --reuid 65534 --clear-groups ./stencil_run "$@";'
RUNS = 200 if THOROUGH else 24  # number of runs at the same time
problems = []


def stack_cases(folder):
    may_raise = subprocess.run(["/bin/sh", "-c", "ulimit -s 64; ulimit -s 8192"], capture_output=True).returncode == 0
    if not may_raise:
        return STACK
    folder.chmod(0o711)
    shutil.copy(PROGRAM, folder / "stencil_run")
    (folder / "stencil_run").chmod(0o755)
    refused = [case for case in STACK if case[2]]
    raised = [(words, ranks, 0, None) for words, ranks, _, _ in STACK]
    return raised + [(f"{words} {UNPRIVILEGED}", *rest) for words, *rest in refused]


def expect(holds, what, outcome):
    if not holds:
        problems.append(f"{what}: {outcome.unexpected()}")


def is_right(folder, expected):
    with h5py.File(folder / "out.h5") as file:
        return np.array_equal(file["x"][...], expected)


def started(folder, expected):
    for words, ranks, status, part in stack_cases(folder):
        (folder / "out.h5").unlink(missing_ok=True)
        outcome = run(folder, CONFIG, ranks, shell_first=words)
        own = [line for line in outcome.errors if line.startswith("stencil_run:")]
        expect(outcome.status == status and len(own) == bool(part), f"{words} {ranks} ranks", outcome)
        expect(not part or any(part in line for line in own), f"{words} {ranks} ranks", outcome)
        expect(outcome.status or is_right(folder, expected), f"{words} {ranks} ranks: other numbers", outcome)
    for threads in ("100000", "99999999999", "100000,2", "0", "-1"):
        for ranks in in_turn((0, 2)):
            outcome = run(folder, CONFIG, ranks, more_environment=[("OMP_NUM_THREADS", threads)])
            noted = sum("progress: note: OMP_NUM_THREADS = " in line for line in outcome.stderr.splitlines())
            expect(outcome.status == 0 and noted == threads.startswith(("1", "9")), f"{threads} threads", outcome)
            expect(is_right(folder, expected), f"{threads} threads: other numbers", outcome)


def limited_addresses(folder):
    """With `ulimit -v` a run either succeeds or is refused when it is planned; it never runs out of memory later. The array has 144 MB,
    with tiles that are copied at its edges."""
    config = ini({
        "input": {"file": "large.h5", "dataset": "x"},
        "output": {"file": "out.h5", "overwrite": "true"},
        "stencil": {"mask": "large.h5:/mask"},
    })
    random = np.random.default_rng(2)
    with h5py.File(folder / "large.h5", "w") as file:
        file["x"] = random.random((6000, 6000), dtype=np.float32)
        file["mask"] = random.random((31, 31))
    threads = [("OMP_NUM_THREADS", "4")]
    outcome = run(folder, config, more_environment=threads)
    expect(outcome.status == 0, "a large world without a limit", outcome)
    with h5py.File(folder / "out.h5") as file:
        expected = file["x"][...]
    right = 0
    for mebibytes in range(500, 1001, 75):
        outcome = run(folder, config, more_environment=threads, shell_first=f"ulimit -v {1024 * mebibytes};")
        if outcome.status == 0:
            right += 1
            expect(is_right(folder, expected), f"{mebibytes} MiB of addresses: other numbers", outcome)
        else:
            refused = outcome.status == 4 and any("of ulimit -v" in line for line in outcome.errors)
            expect(refused, f"{mebibytes} MiB of addresses", outcome)
    expect(right >= 2, f"{right} of 7 runs within a limit of addresses", outcome)


def streams(folder, expected):
    for words in (["--help"], ["--version"], ["--check", "config.ini"]):
        for stream in (">/dev/full", ">&-"):
            ended = subprocess.run(
                ["/bin/sh", "-c", f'exec "$@" {stream}', "sh", PROGRAM, *words], cwd=folder, text=True,
                env=environment(0, str(folder)), capture_output=True)
            lines = ended.stderr.splitlines()
            if ended.returncode != 3 or len(lines) != 1 or not lines[0].startswith("stencil_run: cannot write to stdout"):
                problems.append(f"{words} {stream}: status {ended.returncode}, {lines}")
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        (folder / "out.h5").unlink(missing_ok=True)
        ended = subprocess.run(
            ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", PROGRAM, "config.ini"], cwd=folder,
            env=environment(0, str(folder)), capture_output=True)
        if ended.returncode != 0 or not is_right(folder, expected):
            problems.append(f"started with {closed}: status {ended.returncode}, {ended.stderr}")


def at_the_same_time(folder):
    """Runs without mpirun share no files, including temporary folders of MPI."""
    def check(_):
        return subprocess.run([PROGRAM, "--check", "config.ini"], cwd=folder, env=environment(0, str(folder)), text=True,
                              capture_output=True)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        failed = [ended for ended in pool.map(check, range(RUNS)) if ended.returncode]
    if failed:
        problems.append(f"{len(failed)} of {RUNS} runs at the same time: status {failed[0].returncode}, {failed[0].stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="start") as scratch:
        folder = pathlib.Path(scratch)
        with h5py.File(folder / "in.h5", "w") as file:
            file["x"] = np.random.default_rng(1).random((300, 400), dtype=np.float32)
        outcome = run(folder, CONFIG)
        expect(outcome.status == 0, "without any oddity", outcome)
        with h5py.File(folder / "out.h5") as file:
            expected = file["x"][...]
        started(folder, expected)
        streams(folder, expected)
        at_the_same_time(folder)
        limited_addresses(folder)
    print("\n".join(problems), f"{len(problems)} failed", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
