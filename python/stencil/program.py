"""Runs the program stencil_run on HDF5 files, and returns its report.

The program runs in a separate process, or in one process per MPI rank, so errors of MPI, storage or memory do not end the interpreter.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

__all__ = ["run", "check", "Error", "ConfigError", "StorageError", "ResourceError", "StoppedError"]

PERCENT = re.compile(r"^progress: +(\d+) %")


class Error(Exception):
    """A failed run of stencil_run: `status` is its exit status, and the message is its error line."""

    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


class ConfigError(Error, ValueError):
    """An error in the user's input: configuration, mask, shapes, or a dataset that does not exist (status 2)."""


class StorageError(Error, OSError):
    """An error of files or storage (status 3)."""


class ResourceError(Error, RuntimeError):
    """An error of MPI, a GPU or memory (status 4)."""


class StoppedError(Error):
    """run.time_limit stopped the run after a checkpoint: the same call continues from the checkpoint (status 75)."""


KINDS = {2: ConfigError, 3: StorageError, 4: ResourceError, 75: StoppedError}


def run(config, *, progress=False, ranks=None, program=None, **keys):
    """Runs a configuration, and returns the report.

    Parameters
    ----------
    config : path, str or dict
        The path of a configuration file, or the text of a configuration, which must contain a line break, or a dict
        {section: {key: value}}, where a value is a string, a number, a bool, or a list of these. Paths in a text or a dict are
        relative to the working directory.
    progress : bool
        Show the progress, with tqdm if it is installed (also in notebooks), otherwise as lines on stderr.
    ranks : int, optional
        Number of MPI ranks. They are started by mpirun, or by the command in the environment variable MPIEXEC if it is set. None:
        one process without mpirun.
    program : path, optional
        Path of stencil_run; by default the value of STENCIL_RUN, or otherwise stencil_run in PATH.
    **keys : {section: {key: value}}
        Keys that override those of `config`: run("config.ini", output={"file": "other.h5"}).

    Returns
    -------
    dict with the plan and the measurements, see docs/plan_json.md

    Raises
    ------
    ConfigError, StorageError, ResourceError, StoppedError
        The message is the error line of the program.
    Error
        The program has a bug or was not found.
    KeyboardInterrupt
        The run was stopped cleanly; with run.checkpoint it can be continued.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        command = [*command_of(ranks, program), written(config, folder), "--report", str(report), "--progress",
                   "lines" if progress else "none", *words_of(keys)]
        watched(command, progress)
        return json.loads(report.read_text())


def check(config, *, ranks=None, program=None, **keys):
    """Returns the plan of run() for a configuration as a dict (docs/plan_json.md), without writing any file. For arguments and errors,
    see run()."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*command_of(ranks, program), "--check", "--json", written(config, folder), *words_of(keys)]
        return json.loads(watched(command, False).splitlines()[-1])


def command_of(ranks, program):
    program = program or os.environ.get("STENCIL_RUN") or shutil.which("stencil_run")
    if program is None:
        raise Error("stencil_run was not found: put its folder into PATH, or set STENCIL_RUN to its path (docs/building.md)")
    if not (os.path.isfile(program) and os.access(program, os.X_OK)):
        raise Error(f"program = {os.fspath(program)} is not an executable file")
    start = [] if ranks is None else [os.environ.get("MPIEXEC", "mpirun"), "-n", str(int(ranks))]
    return [*start, os.fspath(program)]


def word_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return " ".join(word_of(one) for one in value) if hasattr(value, "__iter__") else str(value)


def words_of(sections):
    return [f"--{section}.{key}={word_of(value)}" for section, keys in sections.items() for key, value in keys.items()]


def written(config, folder):
    """Returns the path of a configuration file, which is written to `folder` if config is text or a dict."""
    if isinstance(config, os.PathLike) or isinstance(config, str) and "\n" not in config:
        return os.fspath(config)
    if not isinstance(config, str):
        config = "\n".join([f"[{section}]\n" + "\n".join(f"{key} = {word_of(value)}" for key, value in keys.items())
                            for section, keys in config.items()])
    path = os.path.join(folder, "config.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(config + "\n")
    return path


def watched(command, progress):
    """Runs a command and returns its stdout. The command has its own session, so Ctrl-C reaches only the interpreter, which then
    stops the command."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output, contextlib.ExitStack() as stack:
        show = shown(stack) if progress else lambda line: None
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                                   errors="replace", start_new_session=True)
        lines = []
        try:
            for line in process.stderr:
                lines.append(line.rstrip("\n"))
                show(lines[-1])
            status = process.wait()
        except BaseException:
            process.send_signal(signal.SIGTERM)
            process.wait()
            raise
        finally:
            process.stderr.close()
        if status == 0:
            output.seek(0)
            return output.read()
    line = next((one.partition(": ")[2] for one in reversed(lines) if one.startswith("stencil_run: ")), None)
    if status < 0 or line is None:
        raise Error(line or f"{command[0]} ended with status {status}: {' '.join(lines[-3:])}", status)
    raise KINDS.get(status, Error)(line, status)


def shown(stack):
    """Returns a function that shows a line of the program's progress."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda line: print(line, file=sys.stderr)
    bar = stack.enter_context(tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed}"))

    def show(line):
        found = PERCENT.match(line)
        if found:
            bar.update(int(found[1]) - bar.n)
        elif line.startswith(("progress: read", "progress: compute ", "progress: write ")) or line == "progress: compute":
            bar.set_description(line.split()[1])
    return show
