"""Ends whole runs by signals at several moments, sent to mpirun, to one rank or to all ranks. The run prints exactly one line that
starts with `stencil_run:`, ends with status 128 + signal, and leaves no files."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "scipy"))
from program import THOROUGH, MPIEXEC, PROGRAM, environment, ini, own_lines  # noqa: E402

LONG = ini({  # computes for minutes
    "input": {"file": "in.h5", "dataset": "x"},
    "output": {"file": "out.h5"},
    "stencil": {"mask": "gaussian", "sigma": "12", "method": "direct", "steps": "1000"},
})
EARLY, COMPUTING = "early", "computing"


def ranks_of(launcher):
    """Process numbers of the ranks that a launcher has started, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            words = (entry / "environ").read_bytes().split(b"\0") if parent == launcher else []
        except (OSError, ValueError, IndexError):
            continue
        for word in words:
            if word.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(word.partition(b"=")[2])] = int(entry.name)
    return found


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} not within {seconds} s")
        time.sleep(0.01)


def start(folder, ranks, session, ignored=()):
    command = [PROGRAM, "config.ini"]
    if ranks:
        command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]

    def ignore():
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)

    return subprocess.Popen(
        command, cwd=folder, env=environment(ranks, session), text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=ignore if ignored else None)


def is_computing(folder, process):
    if process.poll() is not None:
        raise RuntimeError(f"ended too early: {process.communicate()[1]}")
    # the unfinished output gets its final length before the run computes
    part = folder / "out.h5.part"
    return part.exists() and part.stat().st_size > 1000


def trouble_of(folder, process, own, number, status):
    try:
        _, stderr = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        return f"hung: {process.communicate()[1]}"
    spoken = [line for line in own_lines(stderr) if line.startswith("stencil_run:")]
    name = signal.Signals(number).name
    left = sorted(path.name for path in folder.iterdir() if path.name not in ("in.h5", "config.ini"))
    if len(spoken) != 1 or f"stopped by {name}" not in spoken[0]:
        return f"{len(spoken)} lines of its own:\n{stderr}"
    if process.returncode not in status:
        return f"status {process.returncode} is none of {status}:\n{stderr}"
    if left:
        return f"left behind: {left}\n{stderr}"
    try:  # mpirun does not wait for the end of a rank that it has killed
        wait_until(lambda: not any(map(is_running, own)), "the end of all ranks", 10)
    except TimeoutError as error:
        return str(error)
    return ""


def end_run(data, ranks, whom, sent, told, status, moment):
    """Ends a run by the signal `sent`. Returns the complaints; empty if the run ended cleanly."""
    with tempfile.TemporaryDirectory(prefix="sig", ignore_cleanup_errors=True) as scratch:
        folder, session = pathlib.Path(scratch) / "run", pathlib.Path(scratch) / "mpi"
        folder.mkdir()
        session.mkdir()
        os.link(data, folder / "in.h5")
        (folder / "config.ini").write_text(LONG)
        process = start(folder, ranks, str(session))
        try:
            own = {}
            if ranks:
                wait_until(lambda: len(ranks_of(process.pid)) == ranks, "all ranks")
                own = ranks_of(process.pid)
            if moment == COMPUTING:
                wait_until(lambda: is_computing(folder, process), "an output")
                time.sleep(0.2)
            elif own:
                wait_until(lambda: all(map(has_shared_memory, own.values())), "past MPI_Init")
                time.sleep(0.05)  # in this time, the ranks agree that all of them handle signals
            else:
                wait_until(lambda: waits_for_signals(process.pid), "waiting for signals")
            victims = {"launcher": [process.pid], "first": [own.get(0)], "last": [own.get(ranks - 1)],
                       "all": list(own.values())}[whom]
            for victim in victims:
                try:
                    os.kill(victim, sent)
                except ProcessLookupError:
                    pass
            return trouble_of(folder, process, own.values(), told, status)
        finally:
            process.kill()
            process.wait()


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def waits_for_signals(pid):
    """True if a process has blocked SIGTERM, which it does before it starts to wait for signals."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return True
    blocked = next((int(line.split()[1], 16) for line in lines if line.startswith("SigBlk:")), 0)
    return bool(blocked >> (signal.SIGTERM - 1) & 1)


def has_shared_memory(pid):
    """True if a rank has left MPI_Init; if a rank ends inside MPI_Init, mpirun may wait forever."""
    try:
        return "memfd:stencil" in pathlib.Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return True


def ignored_signal(data):
    """Signals that are ignored when the program starts remain ignored, as SIGHUP under nohup and SIGINT in the background of a script."""
    with tempfile.TemporaryDirectory(prefix="sig") as scratch:
        folder = pathlib.Path(scratch) / "run"
        folder.mkdir()
        os.link(data, folder / "in.h5")
        (folder / "config.ini").write_text(LONG)
        process = start(folder, 0, scratch, ignored=(signal.SIGINT, signal.SIGHUP))
        try:
            wait_until(lambda: is_computing(folder, process), "an output")
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGHUP)
            time.sleep(1)
            if process.poll() is not None:
                return f"ended by an ignored signal:\n{process.communicate()[1]}"
            process.send_signal(signal.SIGTERM)
            return trouble_of(folder, process, [], signal.SIGTERM, [128 + signal.SIGTERM])
        finally:
            process.kill()
            process.wait()


def named_despite_a_signal(data, ranks):
    """A signal has no effect when the output is about to get its final name: the run ends normally."""
    with tempfile.TemporaryDirectory(prefix="sig") as scratch:
        folder, session = pathlib.Path(scratch) / "run", pathlib.Path(scratch) / "mpi"
        folder.mkdir()
        session.mkdir()
        os.link(data, folder / "in.h5")
        (folder / "config.ini").write_text(LONG.replace("1000", "1") + "[run]\ncheckpoint = state.h5\n")
        command = [PROGRAM, "config.ini", "--progress", "none"]
        if ranks:
            command = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
        words = {
            "LD_PRELOAD": os.environ.get("STENCIL_FAULT_SHIM", ""), "STENCIL_FAULT_FOLDER": str(folder),
            "STENCIL_FAULT_LOG": str(session / "log"), "STENCIL_FAULT_RANK": "0", "STENCIL_FAULT_CALL": "rename",
            "STENCIL_FAULT_NUMBER": "1", "STENCIL_FAULT_KIND": "USR1",
        }
        at = command.index(PROGRAM)
        command[at:at] = ["env", *(f"{key}={value}" for key, value in words.items())]
        done = subprocess.run(command, cwd=folder, env=environment(ranks, str(session)), stdin=subprocess.DEVNULL,
                              text=True, capture_output=True, timeout=60)
        left = sorted(path.name for path in folder.iterdir())
        hit = (session / "log").read_text() if (session / "log").exists() else ""
        if ".part" not in hit:
            return f"no signal at the rename of the output: {hit or 'no rename'}"
        if done.returncode or own_lines(done.stderr):
            return f"status {done.returncode}:\n{done.stderr}"
        return "" if left == ["config.ini", "in.h5", "out.h5"] else f"left: {left}"


def unread_progress(data, to):
    """Lines of progress that cannot be written are dropped, and the run succeeds."""
    with tempfile.TemporaryDirectory(prefix="sig") as scratch:
        folder = pathlib.Path(scratch) / "run"
        folder.mkdir()
        os.link(data, folder / "in.h5")
        (folder / "config.ini").write_text(LONG.replace("1000", "1") + "[run]\ncheckpoint = state.h5\n")
        if to == "closed pipe":
            reader, writer = os.pipe()
            os.close(reader)
        else:
            writer = os.open("/dev/full", os.O_WRONLY)
        # restores the action of SIGPIPE, as in a shell, because Python ignores SIGPIPE
        done = subprocess.run([PROGRAM, "config.ini", "--progress=lines"], cwd=folder, env=environment(0, scratch),
                              stdin=subprocess.DEVNULL, stdout=writer, stderr=writer, timeout=60, restore_signals=True,
                              check=False)
        os.close(writer)
        left = sorted(path.name for path in folder.iterdir())
        good = done.returncode == 0 and left == ["config.ini", "in.h5", "out.h5"]
        return "" if good else f"status {done.returncode}, left: {left}"


def cases():
    """(ranks, whom, signal sent, signal reported, statuses, moment)"""
    term, interrupt, hangup = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
    for moment in (EARLY, COMPUTING):
        for sent in (term, interrupt, hangup, signal.SIGQUIT):
            yield 0, "launcher", sent, sent, [128 + sent], moment
        for ranks in (2, 4) if moment == EARLY else (1, 2, 4):
            # after any signal, mpirun ends its ranks by SIGTERM, and chooses its own exit status
            for sent in (term, interrupt):
                yield ranks, "launcher", sent, term, range(1, 256), moment
            yield ranks, "all", term, term, [128 + term], moment
            yield ranks, "last", term, term, [128 + term], moment
    for sent in (signal.SIGUSR1, signal.SIGUSR2):  # mpirun passes these signals on to its ranks
        yield 0, "launcher", sent, sent, [128 + sent], COMPUTING
        yield 2, "launcher", sent, sent, [128 + sent], COMPUTING
    yield 0, "launcher", signal.SIGXCPU, signal.SIGXCPU, [128 + signal.SIGXCPU], COMPUTING
    yield 4, "all", signal.SIGUSR1, signal.SIGUSR1, [128 + signal.SIGUSR1], COMPUTING
    for ranks in (2, 4):
        yield ranks, "first", term, term, [128 + term], COMPUTING
        yield ranks, "all", interrupt, interrupt, [128 + interrupt], COMPUTING


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="sig") as scratch:
        data = pathlib.Path(scratch) / "data.h5"
        with h5py.File(data, "w") as file:
            file["x"] = np.random.default_rng(1).random((1500, 1500), dtype=np.float32)
        # the quick test takes every other case of the list, and different cases at the two moments
        some = [case for n, case in enumerate(cases()) if THOROUGH or (n + (case[5] == COMPUTING)) % 2 == 0]
        with ThreadPoolExecutor(3) as workers:  # several runs at a time, because a run waits most of the time
            for case, trouble in zip(some, workers.map(lambda case: end_run(data, *case), some)):
                if trouble:
                    failed += 1
                    ranks, whom, sent, _, _, moment = case
                    print(f"{signal.Signals(sent).name} to {whom} of {ranks} ranks, {moment}: {trouble}")
        for name, trouble in (
            ("ignored signals", ignored_signal(data)),
            ("progress to a closed pipe", unread_progress(data, "closed pipe")),
            ("progress to a full device", unread_progress(data, "full device")),
            ("while the output gets its name", named_despite_a_signal(data, 0)),
            ("while the output gets its name, 2 ranks", named_despite_a_signal(data, 2)),
        ):
            if trouble:
                failed += 1
                print(f"{name}: {trouble}")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
