"""Starts programs with MPI, and waits for them."""

import os
import signal
import subprocess

MPIEXEC = os.environ.get("MPIEXEC", "mpirun")
HUNG = -1  # status of a run that was stopped because it took too long


def on_ranks(ranks):
    """Returns the beginning of a command line, up to the program, that starts the program on `ranks` ranks."""
    return [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]


def environment(ranks, session):
    words = dict(os.environ)
    words.update(
        OMPI_MCA_orte_tmpdir_base=session,
        OMP_NUM_THREADS="1" if ranks else "2",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_mpi_yield_when_idle="1",
        OMPI_MCA_btl_vader_single_copy_mechanism="none",
        OMPI_MCA_pml="ob1",  # searching for networks would take 0.2 s at every start
        HWLOC_PLUGINS_PATH="/nonexistent",  # hwloc would load the libraries of X11, OpenCL and PCI at every start
    )
    if os.geteuid() == 0:
        words.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return words


def communicate(command, folder, words, limit):
    """Returns the exit status, stdout and stderr of a command. After `limit` seconds, the command is ended, and the status is HUNG."""
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
        os.killpg(started.pid, signal.SIGKILL)  # kills also the processes that the command has started, which would keep the pipes open
        return HUNG, *started.communicate()
