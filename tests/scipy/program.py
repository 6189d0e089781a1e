"""Starts stencil_run on a configuration and gives back what a user would see."""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass

PROGRAM = os.environ.get("STENCIL_RUN", "")
MPIEXEC = os.environ.get("MPIEXEC", "mpirun")
if not os.access(PROGRAM, os.X_OK):
    sys.exit(f"STENCIL_RUN is '{PROGRAM}': set it to the built stencil_run")

# Whether all the cases of a test are to be tried, in the run labelled nightly; the quick run tries a sample of them.
THOROUGH = "STENCIL_TEST_THOROUGH" in os.environ
turns = {}

HUNG = -1  # status of a run that was stopped because it took too long


def in_turn(ways, most=1):
    """In a thorough test, all variants of a case; otherwise `most` of them, which differ from call to call: each variant is
    returned equally often, in the same order in every run of the test."""
    ways = tuple(ways)
    if THOROUGH or most >= len(ways):
        return ways
    order, waiting = turns.setdefault(ways, (random.Random(repr(ways)), []))
    taken = []
    while len(taken) < most:
        if not waiting:
            waiting += order.sample(ways, len(ways))
        taken.append(next(way for way in [*waiting, *ways] if way not in taken))
        if taken[-1] in waiting:
            waiting.remove(taken[-1])
    return tuple(taken)


@dataclass
class Outcome:
    status: int
    errors: list  # lines on stderr, without mpirun's own and without the progress
    stdout: str
    stderr: str  # as it came

    def unexpected(self):
        """What to print of a run that ended with another status than it should have."""
        status = "hung" if self.status == HUNG else f"exit status {self.status}"
        return f"{status}; its whole stderr:\n{self.stderr.rstrip() or '(empty)'}"


def ini(sections):
    """The text of a configuration: {section: {key: value}}, values as they are to be written."""
    lines = []
    for section, keys in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def own_lines(stderr):
    """The lines that the program itself has printed, without progress lines, without the blocks that mpirun
    prints between rows of dashes, and without the notes of mpirun."""
    lines, inside = [], False
    for line in stderr.splitlines():
        if re.fullmatch(r"-{40,}", line):
            inside = not inside
        elif not inside and line.strip() and not re.match(r"(\[[^\]]+:\d+\]|progress:) ", line):
            lines.append(line)
    return lines


def environment(ranks, session):
    words = dict(os.environ)
    words.update(
        OMPI_MCA_orte_tmpdir_base=session,
        OMP_NUM_THREADS="1" if ranks else "2",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_pml="ob1",  # looking for networks takes 0.2 s of every start
    )
    if os.geteuid() == 0:
        words.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return words


def communicate(command, folder, words, limit):
    """Exit status, stdout and stderr; HUNG and what came so far where the limit is passed."""
    started = subprocess.Popen(
        command, cwd=folder, env=words, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )
    try:
        output = started.communicate(timeout=limit)
        return started.returncode, *output
    except subprocess.TimeoutExpired:
        started.terminate()  # mpirun ends its ranks within a second
    try:
        return HUNG, *started.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # also processes that it started, which keep the pipes open
        return HUNG, *started.communicate()


def run(folder, config, ranks=0, arguments=(), limit=60, shell_first="", more_environment=()):
    """Runs stencil_run in a folder.

    config: text of the file config.ini to be written there, or None when the arguments name one.
    ranks: 0 starts the program alone, without mpirun. limit: seconds until it is considered hung.
    shell_first: shell words put before the program on every rank, such as `ulimit -f 1000;`.
    more_environment: pairs of names and values.
    """
    command = [PROGRAM, *arguments]
    if config is not None:
        (folder / "config.ini").write_text(config)
        command = [PROGRAM, "config.ini", *arguments]
    if shell_first:
        command = ["/bin/sh", "-c", f'{shell_first} exec "$@"', "sh", *command]
    if ranks:
        command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
    # A session folder for each run: two mpirun that start and end at the same moment race for the one
    # they would share, and then one of them fails before the program starts.
    with tempfile.TemporaryDirectory(prefix="mpi", ignore_cleanup_errors=True) as session:
        words = {**environment(ranks, session), **dict(more_environment)}
        status, stdout, stderr = communicate(command, folder, words, limit)
    return Outcome(status, own_lines(stderr), stdout, stderr)
