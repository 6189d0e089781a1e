"""Runs jobs on servers: programs that run one job after another (job_server.cpp), one for each number of ranks. Starting stencil_run and
MPI for each job would take most of the time of many tests. The servers are used if STENCIL_JOB_SERVER names the program."""

import atexit
import contextlib
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import threading
import time

from launching import HUNG, environment, on_ranks

PROGRAM = os.environ.get("STENCIL_JOB_SERVER", "")


class JobServer:
    """The program of job_server.cpp on `ranks` ranks (0: without mpirun). It is started for its first job, and again for a job after it has
    ended."""

    def __init__(self, ranks):
        self.ranks, self.process = ranks, None

    def start(self):
        self.place = tempfile.TemporaryDirectory(prefix="jobs", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.place.name)
        names = [f"requests.{rank}" for rank in range(max(self.ranks, 1))]
        for name in [*names, "statuses"]:
            os.mkfifo(self.folder / name)
        # the pipes are opened for reading, too, because opening a pipe only for writing waits for its reader
        self.requests = [os.open(self.folder / name, os.O_RDWR) for name in names]
        self.statuses = os.open(self.folder / "statuses", os.O_RDONLY | os.O_NONBLOCK)
        command = [*(on_ranks(self.ranks) if self.ranks else []), PROGRAM, str(self.folder)]
        with (self.folder / "launcher").open("wb") as output:
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment(self.ranks, self.place.name),
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)

    def end(self, hurry=False):
        """Ends the server, and returns its status. If `hurry`, the server is ended even while it runs a job."""
        for pipe in [*self.requests, self.statuses]:
            os.close(pipe)
        if hurry:
            self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        status, self.process = self.process.wait(), None
        self.place.cleanup()
        return status

    def wait(self, limit):
        """Returns the status of the job, HUNG after `limit` seconds, or None if the server has ended."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if select.select([self.statuses], [], [], 0.5)[0]:
                if line := os.read(self.statuses, 100):
                    return int(line)
                time.sleep(0.01)  # the server has closed the pipe, and is ending
            if self.process.poll() is not None:
                return None
        return HUNG

    def run(self, folder, words, limit):
        """Returns the status of stencil_run with the arguments `words` in a folder, and what it prints on stdout and stderr."""
        if not self.process:
            self.start()
        files = [self.folder / "stdout", self.folder / "stderr"]
        for file in files:
            file.write_bytes(b"")
        texts = [str(folder.resolve()), *map(str, words)]
        request = "".join(text + "\0" for text in [str(len(texts)), *texts])
        for pipe in self.requests:
            os.write(pipe, request.encode())
        status = self.wait(limit)
        output = [file.read_text(errors="replace") for file in files]
        if status in (HUNG, None):
            if status is None:  # adds the last lines of the server, which has ended with an error
                output[1] += (self.folder / "launcher").read_text(errors="replace")
            ended = self.end(hurry=True)
            status = ended if status is None else status
        return status, *output


class JobServers:
    """Servers for each number of ranks. Threads that run jobs at the same time use different servers."""

    def __init__(self):
        self.free, self.lock = {}, threading.Lock()
        atexit.register(self.end)

    def run(self, folder, words, ranks, limit):
        with self.lock:
            servers = self.free.setdefault(ranks, [])
            server = servers.pop() if servers else JobServer(ranks)
        try:
            outcome = server.run(folder, words, limit)
        except BaseException:
            if server.process:
                server.end(hurry=True)
            raise
        with self.lock:
            servers.append(server)
        return outcome

    def end(self):
        for servers in self.free.values():
            for server in servers:
                if server.process:
                    server.end()


job_servers = JobServers() if PROGRAM else None
