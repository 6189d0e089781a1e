"""Starts stencil_run on a configuration and gives back what a user would see."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

PROGRAM = os.environ.get("STENCIL_RUN", "")
MPIEXEC = os.environ.get("MPIEXEC", "mpirun")
if not os.access(PROGRAM, os.X_OK):
    sys.exit(f"STENCIL_RUN is '{PROGRAM}': set it to the built stencil_run")

HUNG = -1  # status of a run that was stopped because it took too long


@dataclass
class Outcome:
    status: int
    errors: list  # lines on stderr, without mpirun's own
    stdout: str


def ini(sections):
    """The text of a configuration: {section: {key: value}}, values as they are to be written."""
    lines = []
    for section, keys in sections.items():
        lines.append(f"[{section}]")
        lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def own_lines(stderr):
    """The lines that mpirun did not add: not its blocks between rows of dashes, not its notes."""
    lines, inside = [], False
    for line in stderr.splitlines():
        if re.fullmatch(r"-{40,}", line):
            inside = not inside
        elif not inside and line.strip() and not re.match(r"\[[^\]]+:\d+\] ", line):
            lines.append(line)
    return lines


def environment(ranks):
    words = dict(os.environ)
    words.update(
        OMP_NUM_THREADS="1" if ranks else "2",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
    )
    if os.geteuid() == 0:
        words.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return words


def run(folder, config, ranks=0, arguments=(), limit=60, shell_first=""):
    """Runs stencil_run in a folder.

    config: text of the file config.ini to be written there, or None when the arguments name one.
    ranks: 0 starts the program alone, without mpirun. limit: seconds until it counts as hung.
    shell_first: shell words put before the program on every rank, such as `ulimit -f 1000;`.
    """
    command = [PROGRAM, *arguments]
    if config is not None:
        (folder / "config.ini").write_text(config)
        command = [PROGRAM, "config.ini", *arguments]
    if shell_first:
        command = ["/bin/sh", "-c", f'{shell_first} exec "$@"', "sh", *command]
    if ranks:
        command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
    started = subprocess.Popen(
        command, cwd=folder, env=environment(ranks), text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    try:
        stdout, stderr = started.communicate(timeout=limit)
        status = started.returncode
    except subprocess.TimeoutExpired:
        started.terminate()  # mpirun ends its ranks within a second
        try:
            stdout, stderr = started.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            started.kill()
            stdout, stderr = started.communicate()
        status = HUNG
    return Outcome(status, own_lines(stderr), stdout)
