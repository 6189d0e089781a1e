"""A Slurm for tests, from Debian's packages, with separate ports, a separate munge, and all files in one folder, which is removed at
the end. It needs neither root nor systemd nor control groups, and ignores an installed Slurm of the machine.

    with Cluster(folder) as cluster:
        job = cluster.submit("job.sh", "config.ini")
        state, status = cluster.ended(job)

It has two nodes: `first`, which has the name of this machine, so that mpirun starts its ranks itself, and `second`, a second slurmd
on the same machine, on which mpirun starts ranks by srun. MPI over both nodes needs a second host name, which requires a
privilege: see `has_two_hosts`.
"""

import getpass
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

import guard

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "srun", "sbatch", "scancel", "scontrol", "sinfo", "squeue")
CORES = 16  # number of cores that the first node reports, independent of the machine
SECOND = "second"
SECOND_CORES = 4
# runs the command that follows with another host name
OWN_NAME = ("unshare", "--uts", "sh", "-c", f'hostname {SECOND} && exec "$@"', "sh")
KILL_WAIT = 5  # seconds between SIGTERM and SIGKILL
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL"}
FOREIGN = ("SLURM_", "SLURMD_", "SBATCH_", "SRUN_", "PMI_", "PMIX_")  # prefixes of the variables of a job, if these tests run within a job

CONFIGURATION = """
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={munge}/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
TmpFS={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
PlugStackConfig={folder}/plugstack.conf
MailProg=/bin/true

# settings that also work in a container without control groups
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none

SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
OverTimeLimit=0
KillWait={kill_wait}
ReturnToService=2
SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=0
NodeName={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cores} Gres=gpu:2 State=UNKNOWN
NodeName={second} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs={second_cores} State=UNKNOWN
GresTypes=gpu
PartitionName=first Nodes={host} Default=YES MaxTime=INFINITE PriorityTier=2
PartitionName=both Nodes=ALL MaxTime=INFINITE PriorityTier=2
# jobs of the second are requeued for those of the third
PartitionName=low Nodes={second} MaxTime=INFINITE PriorityTier=1
PartitionName=high Nodes={second} MaxTime=INFINITE PriorityTier=3
"""
# substitutes for GPUs, on which nothing is computed; Slurm passes their numbers to jobs
DEVICES = """
NodeName={host} Name=gpu File=/dev/null
NodeName={host} Name=gpu File=/dev/zero
"""


def missing_programs():
    return [name for name in PROGRAMS if not program(name)]


def program(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def free_ports(count):
    """Returns different ports on which no process listens at present."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def wait_until(condition, what, seconds):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what} not within {seconds} s")
        time.sleep(0.05)
    return found


class Cluster:
    def __init__(self, place, kill_wait=KILL_WAIT):
        """place: an existing folder with a short name, for all files of a test; removed at the end. kill_wait: seconds between SIGTERM and
        SIGKILL."""
        self.place, self.folder = place, place / "slurm"
        self.folder.mkdir()
        self.first = socket.gethostname().split(".")[0]
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")
        self._daemons = []
        self.has_two_hosts = subprocess.run([*OWN_NAME, "true"], capture_output=True).returncode == 0
        for name in ("munge", "state", self.first, SECOND):
            (self.folder / name).mkdir(mode=0o755)
        self._configuration = CONFIGURATION.format(
            host=self.first, second=SECOND, user=getpass.getuser(), folder=self.folder, munge=self.folder / "munge",
            cores=CORES, second_cores=SECOND_CORES, ports=free_ports(3), kill_wait=kill_wait)
        self._write_configuration()
        (self.folder / "plugstack.conf").touch()
        (self.folder / "gres.conf").write_text(DEVICES.format(host=self.first))

    def _write_configuration(self, more=""):
        (self.folder / "slurm.conf").write_text(f"{self._configuration}{more}\n")

    def reconfigure(self, more):
        """Adds lines to slurm.conf, and makes the running Slurm read it."""
        self._write_configuration(more)
        self.command("scontrol", "reconfigure")

    def __enter__(self):
        self._guard = guard.start(self.place)
        try:
            self._start_munge()
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D", "-N", self.first)
            self._start("slurmd", "-D", "-N", SECOND, before=OWN_NAME if self.has_two_hosts else ())
            wait_until(self._is_idle, "two idle nodes", 30)
        except BaseException:
            print(self.logs())
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if len(self._daemons) > 2:
            self._end_jobs()
        for daemon in reversed(self._daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        if left := guard.end(self._guard):
            print(f"The Slurm of this test did not end cleanly: {left}")

    def _end_jobs(self):
        """Ends all jobs, because their slurmstepd would continue after the end of slurmd."""
        def is_empty():
            return not self.command("squeue", "--noheader").stdout.strip()

        self.command("scancel", "--user", getpass.getuser())
        try:
            wait_until(is_empty, "an empty queue", 2 * KILL_WAIT + 5)
        except (TimeoutError, subprocess.TimeoutExpired) as error:
            print(f"Slurm is stopped with jobs in it: {error}")

    def _start(self, name, *arguments, before=()):
        with open(self.folder / f"{name}.out", "a") as out:
            self._daemons.append(subprocess.Popen(
                [*before, program(name), *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                stderr=out, start_new_session=True))

    def _start_munge(self):
        munge = self.folder / "munge"
        subprocess.run([program("mungekey"), "-c", "-k", munge / "key"], check=True)
        self._start("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        wait_until((munge / "socket").exists, "munge's socket", 10)

    def _is_idle(self):
        if any(daemon.poll() is not None for daemon in self._daemons):
            raise RuntimeError("a daemon has ended")
        states = self.command("sinfo", "--noheader", "--Node", "--partition=both", "--format=%T").stdout
        return states.split() == ["idle"] * 2

    def logs(self):
        """The end of each daemon's log, without munged's lines about credentials of other users."""
        paths = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out"), *self.folder.glob("munge/log")])
        texts = {path.name: re.sub(r".*Unauthorized credential.*\n", "", path.read_text(errors="replace")) for path in paths}
        return "\n".join(f"{name}:\n{text[-4000:]}" for name, text in texts.items())

    def command(self, name, *arguments, folder=None, limit=60, environment=()):
        return subprocess.run([program(name), *map(str, arguments)], cwd=folder or self.folder, text=True,
                              errors="replace", capture_output=True, timeout=limit, stdin=subprocess.DEVNULL,
                              env={**self.environment, **dict(environment)})

    def submit(self, *arguments, folder=None, environment=()):
        """Submits a script with sbatch. Returns the number of the job."""
        outcome = self.command("sbatch", "--parsable", *arguments, folder=folder, environment=environment)
        if outcome.returncode:
            raise RuntimeError(f"sbatch {arguments}: {outcome.stderr}")
        return outcome.stdout.strip().split(";")[0]

    def facts(self, job):
        """Slurm's information about a job, as {key: value}."""
        text = self.command("scontrol", "--oneliner", "show", "job", job).stdout
        return dict(re.findall(r"(\S+?)=(\S*)", text))

    def state(self, job):
        return self.facts(job).get("JobState", "")

    def wait_for(self, job, states, seconds=60):
        return wait_until(lambda: (state := self.state(job)) in states and state, f"job {job} in {states}", seconds)

    def ended(self, job, seconds=60):
        """Waits until a job has ended. Returns its state and its exit status in Slurm's form (status:signal)."""
        self.wait_for(job, ENDED, seconds)
        facts = self.facts(job)
        return facts["JobState"], facts["ExitCode"]
