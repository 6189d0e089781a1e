"""Ends the processes that the Slurm of a test has left, even if the test was killed: slurmstepd and its jobs continue after slurmd.

guard.py FOLDER waits until its stdin is closed, kills every process whose SLURM_CONF is in the folder, and removes the folder. It is
not a child of the test, so it continues if the test is killed together with its children.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def start(folder):
    """Starts the guard. Returns the process `setsid` that has started the guard. The guard has the same stdin, which end() closes."""
    return subprocess.Popen(["setsid", "--fork", sys.executable, "-B", __file__, folder], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE)


def end(guard):
    """Ends the guard, and waits until the folder and its processes are gone. Returns whether processes were found."""
    guard.stdin.close()
    found = guard.stdout.read()
    guard.wait()
    return found.decode()


def processes_of(folder):
    """Numbers of the processes that use the Slurm in a folder."""
    mark = f"SLURM_CONF={folder}/".encode()
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and any(word.startswith(mark) for word in (entry / "environ").read_bytes().split(b"\0")):
                found.append(int(entry.name))
        except OSError:  # the process has ended, or belongs to another user
            continue
    return found


def sweep(folder):
    left = set()
    for _ in range(100):
        numbers = processes_of(folder)
        if not numbers:
            break
        left.update(numbers)
        for number in numbers:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)
    return left


if __name__ == "__main__":
    sys.stdin.read()
    killed = sweep(sys.argv[1])
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    if killed:
        try:
            os.write(sys.stdout.fileno(), f"{len(killed)} processes had to be killed".encode())
        except BrokenPipeError:  # the test was killed
            pass
