"""Starts stencil_run on a configuration, and returns its status and its printed lines."""

import os
import random
import re
import sys
import tempfile
from dataclasses import dataclass

from served_jobs import job_servers
from launching import HUNG, MPIEXEC, communicate, environment, on_ranks

PROGRAM = os.environ.get("STENCIL_RUN", "")
if not os.access(PROGRAM, os.X_OK):
    sys.exit(f"STENCIL_RUN is '{PROGRAM}': set it to the built stencil_run")

# True in the run labelled nightly, which tries all the cases of a test; the quick run tries a sample of them.
THOROUGH = "STENCIL_TEST_THOROUGH" in os.environ
turns = {}

__all__ = ["HUNG", "MPIEXEC", "PROGRAM", "THOROUGH", "Outcome", "environment", "in_turn", "ini", "own_lines", "run", "uses_windows"]


def in_turn(ways, most=1):
    """Variants of a case: all of them in a thorough test, otherwise `most` of them, which differ from call to call. Each variant is
    returned equally often, and in the same order in every run of the test."""
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
    errors: list  # lines on stderr, except for those of mpirun and the lines of progress
    stdout: str
    stderr: str  # the unchanged stderr

    def unexpected(self):
        """The text to print for a run that ended with an unexpected status."""
        status = "hung" if self.status == HUNG else f"exit status {self.status}"
        return f"{status}; its whole stderr:\n{self.stderr.rstrip() or '(empty)'}"


def uses_windows(outcome):
    """Returns whether a run, whose progress was printed, computed its data in windows."""
    return "compute and write windows" in outcome.stderr


def ini(sections):
    """The text of a configuration, from {section: {key: value}}; values are written as text."""
    lines = []
    for section, keys in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def own_lines(stderr):
    """The lines that the program itself has printed, without lines of progress, without the blocks of mpirun between rows of
    dashes, and without the notes of mpirun."""
    lines, inside = [], False
    for line in stderr.splitlines():
        if re.fullmatch(r"-{40,}", line):
            inside = not inside
        elif not inside and line.strip() and not re.match(r"(\[[^\]]+:\d+\]|progress:) ", line):
            lines.append(line)
    return lines


def run(folder, config, ranks=0, arguments=(), limit=60, shell_first="", more_environment=()):
    """Runs stencil_run in a folder. If job servers are in use, one of them runs the job instead, unless `shell_first` or
    `more_environment` require a new process.

    config: text of the file config.ini that is written there, or None if `arguments` name a configuration.
    ranks: 0 starts the program alone, without mpirun. limit: seconds until the run is considered hung.
    shell_first: shell commands to run before the program on every rank, such as `ulimit -f 1000;`.
    more_environment: pairs of names and values of environment variables.
    """
    if config is not None:
        (folder / "config.ini").write_text(config)
        arguments = ["config.ini", *arguments]
    if job_servers and not (shell_first or more_environment):
        status, stdout, stderr = job_servers.run(folder, arguments, ranks, limit)
        return Outcome(status, own_lines(stderr), stdout, stderr)
    command = [PROGRAM, *arguments]
    if shell_first:
        command = ["/bin/sh", "-c", f'{shell_first} exec "$@"', "sh", *command]
    if ranks:
        command = [*on_ranks(ranks), *command]
    # Each run has a separate session folder: two mpirun that start and end at the same moment would race for a shared
    # folder, and then one of them fails before the program starts.
    with tempfile.TemporaryDirectory(prefix="mpi", ignore_cleanup_errors=True) as session:
        words = {**environment(ranks, session), **dict(more_environment)}
        status, stdout, stderr = communicate(command, folder, words, limit)
    return Outcome(status, own_lines(stderr), stdout, stderr)


def least_memory(folder, config, ranks=0):
    """The smallest value of run.memory with which a run is possible, in bytes: data are then computed in windows. "auto" if the
    run is refused for another reason."""
    found = re.search(r"needs (\d+) bytes of memory per rank", run(folder, config, ranks, ["--run.memory=1"]).stderr)
    return found[1] if found else "auto"
