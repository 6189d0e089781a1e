"""Cases of jobs.py: jobs that are signalled, cancelled, preempted, or reach their time limit, and jobs that are continued."""

import re

from batch import HOURS, MANY, MINUTES, PLACE, SCRIPTS, Batch
from cluster import program, wait_until
from registry import SECOND_NODE, case, for_launchers

CHECKPOINT = {"checkpoint": "state.h5"}
GOES_ON = r"progress: continues from \S*/state.h5: \d+ of \d+ steps are done"  # printed by --check and by the run
REQUEUED = "job.sh: .*stopped with a checkpoint; requeued"


def wait_for_start(cluster, batch, number, starts, seconds=90):
    """Waits until a job computes after its start of this number; an error contains the log of the job."""
    try:
        wait_until(lambda: cluster.facts(number).get("Restarts") == str(starts - 1), f"start {starts} of job {number}", seconds)
    except TimeoutError as error:
        raise TimeoutError(f"{error}:\n{batch.log(number)}") from error
    batch.wait_for_computing(number, seconds)


def wrong_number_of(batch, number, pattern, times):
    """Returns a complaint unless the given number of lines in the log of a job match a pattern."""
    found = len(re.findall(f"^{pattern}$", batch.log(number), re.MULTILINE))
    return batch.with_log(number, [f"{found} lines like {pattern!r}, not {times}"] * (found != times))


def cancel(cluster, batch, number):
    """Cancels a job that has a checkpoint. Returns the complaints."""
    cluster.command("scancel", number)
    batch.given |= {"state.h5", "state.h5.previous"}
    return batch.wrong_end(number, "CANCELLED", outputs=0)


def wrong_word(batch, number, launcher):
    """Returns a complaint unless the program has reported a stop by SIGTERM. If mpirun also got the signal, it may lose this line."""
    return [] if launcher == "mpirun" and not batch.said(number) else batch.wrong_said(number, "stopped by SIGTERM")


@for_launchers("cancelled")
def cancelled(cluster, folder, _, launcher):
    """scancel ends a run without a checkpoint cleanly."""
    batch = Batch(cluster, folder, HOURS)
    number = batch.submit("job.sh", "config.ini", "--progress", "none", launcher=launcher)
    batch.wait_for_computing(number)
    cluster.command("scancel", number)
    return batch.wrong_end(number, "CANCELLED", outputs=0) + wrong_word(batch, number, launcher)


@case("cancelled with a checkpoint")
def cancelled_with_checkpoint(cluster, folder, _):
    """The run saves its state, and the job stays cancelled."""
    batch = Batch(cluster, folder, HOURS, CHECKPOINT)
    number = batch.submit("job.sh", "config.ini", launcher="srun")
    batch.wait_for_computing(number)
    return cancel(cluster, batch, number) + batch.wrong_lines(
        number, "job.sh: .*ended with status 75 .*", "job.sh: .*the job was cancelled, .*") + [
        "no checkpoint"] * (not (folder / "state.h5").exists())


@for_launchers("time limit")
def time_limit(cluster, folder, _, launcher):
    """The job ends at its time limit, which Slurm checks every 30 s."""
    batch = Batch(cluster, folder, HOURS)
    number = batch.submit("job.sh", "config.ini", "--progress", "none", launcher=launcher, options=["--signal=USR2@0"])
    batch.wait_for_computing(number)
    cluster.command("scontrol", "update", f"JobId={number}", "EndTime=now+1")
    return batch.wrong_end(number, "TIMEOUT", outputs=0, seconds=90) + wrong_word(batch, number, launcher)


@case("time limit with a checkpoint")
def time_limit_with_checkpoint(cluster, folder, _):
    batch = Batch(cluster, folder, HOURS, CHECKPOINT)
    number = batch.submit("job.sh", "config.ini", launcher="srun", options=["--signal=USR2@0"])
    batch.wait_for_computing(number)
    cluster.command("scontrol", "update", f"JobId={number}", "EndTime=now+1")
    wait_for_start(cluster, batch, number, 2)
    return cancel(cluster, batch, number) + batch.wrong_lines(number, REQUEUED, GOES_ON)


@case("signal before the time limit by mpirun", "mpirun", "--signal=B:USR1@58")
@case("signal before the time limit by srun", "srun", "--signal=USR1@58")
def signal_before_limit(cluster, folder, _, launcher, signal):
    """A signal before the time limit; Slurm checks every 30 s which signals are due. The job gets its time limit of a minute only when it
    computes: a signal during --check or at the start of the run would end that step before it can write a checkpoint."""
    batch = Batch(cluster, folder, HOURS, CHECKPOINT)
    number = batch.submit("job.sh", "config.ini", launcher=launcher, options=[signal])
    batch.wait_for_computing(number)
    cluster.command("scontrol", "update", f"JobId={number}", "EndTime=now+60")
    wait_for_start(cluster, batch, number, 2)
    return cancel(cluster, batch, number) + batch.wrong_lines(number, REQUEUED, GOES_ON)


@case("run.time_limit = auto")
def own_time_limit(cluster, folder, _):
    """The run stops because of its own time limit, before the end of the job, which Slurm would enforce late."""
    batch = Batch(cluster, folder, HOURS, {**CHECKPOINT, "time_limit": "auto"})
    (folder / "short.sh").write_text("#!/bin/bash\nscontrol update JobId=$SLURM_JOB_ID EndTime=now+15\n"
                                     f'exec {SCRIPTS}/job.sh "$@"\n')
    batch.given.add("short.sh")
    number = batch.submit(folder / "short.sh", "config.ini", options=["--signal=USR2@0", "--open-mode=append"])
    wait_for_start(cluster, batch, number, 2)
    return cancel(cluster, batch, number) + batch.wrong_lines(number, REQUEUED, GOES_ON)


@for_launchers("requeued until done")
def until_done(cluster, folder, right, launcher):
    """In two starts, job.sh gets USR1, as Slurm sends it with --signal=B:USR1@120. The third start ends with the same
    bytes as one long run."""
    batch = Batch(cluster, folder, MANY, CHECKPOINT)
    number = batch.submit("job.sh", "config.ini", launcher=launcher)
    for start in (1, 2):
        wait_for_start(cluster, batch, number, start)
        cluster.command("scancel", "--batch", "--signal=USR1", number)
    return batch.wrong_end(number, "COMPLETED", "0:0", seconds=120) + batch.wrong_bytes(right(MANY)) + wrong_number_of(
        batch, number, GOES_ON, 4) + wrong_number_of(batch, number, REQUEUED, 2) + wrong_number_of(
        batch, number, "job.sh: .*passes USR1 on", 2) + wrong_number_of(
        batch, number, r"stencil_run: stopped .*that is status 75, and no error\)", 2 * (launcher == "mpirun"))


@for_launchers("preempted")
def preempted(cluster, folder, right, launcher):
    """Slurm itself requeues the job; the run continues from its last checkpoint or a later state."""
    with SECOND_NODE:
        batch = Batch(cluster, folder, MANY, {**CHECKPOINT, "checkpoint_every": "200 steps"})
        number = batch.submit("job.sh", "config.ini", launcher=launcher, options=["--partition=low"])
        wait_for_start(cluster, batch, number, 1)
        wait_until((folder / "state.h5").exists, "a checkpoint", 60)
        other = cluster.submit("--partition=high", "--ntasks=4", "--output=/dev/null", "--wrap=sleep 1", folder=folder)
        wrong = [f"the other job: {end}" for end in [cluster.ended(other)] if end != ("COMPLETED", "0:0")]
        return wrong + batch.wrong_end(number, "COMPLETED", "0:0", seconds=120) + batch.wrong_bytes(
            right(MANY)) + wrong_number_of(batch, number, GOES_ON, 2)


@for_launchers("real time limits until done", nightly=True)
def real_limits(cluster, folder, right, launcher):
    """A run of several minutes in jobs of one minute each, as many as it needs."""
    batch = Batch(cluster, folder, MINUTES, CHECKPOINT)
    number = batch.submit("job.sh", "config.ini", launcher=launcher, options=["--time=1", "--signal=B:USR1@20"],
                          environment={"STENCIL_REQUEUES": "100"})
    wrong = batch.wrong_end(number, "COMPLETED", "0:0", seconds=1200) + batch.wrong_bytes(right(MINUTES))
    restarts = int(cluster.facts(number)["Restarts"])
    return wrong + [f"{restarts} restarts"] * (restarts < 1) + wrong_number_of(batch, number, GOES_ON, 2 * restarts)


def wrong_starts(cluster, batch, number, state, starts, *lines):
    """Returns complaints about a job of fake_run that should have been started a given number of times."""
    wrong = batch.wrong_end(number, *state, outputs=0, seconds=90) + batch.wrong_lines(number, *lines)
    restarts = cluster.facts(number)["Restarts"]
    if restarts != str(starts - 1) or batch.log(number).count("fake_run: config.ini") != starts:
        wrong += batch.with_log(number, [f"{restarts} restarts, not {starts - 1}"])
    return wrong


def fake(cluster, batch, starts, most, **environment):
    return batch.submit("job.sh", "config.ini", tasks=1, environment={
        "STENCIL_RUN": PLACE / "fake_run", "FAKE_STARTS": str(starts), "STENCIL_REQUEUES": str(most), **environment})


@case("requeues")
def requeues(cluster, folder, _):
    batch = Batch(cluster, folder)
    done, given_up = fake(cluster, batch, 3, 10), fake(cluster, batch, 9, 1)
    return wrong_starts(cluster, batch, done, ("COMPLETED", "0:0"), 3, "job.sh: .*stopped with a checkpoint; requeued",
                        "job.sh: .*start 3, until .*") + wrong_starts(
        cluster, batch, given_up, ("FAILED", "75:0"), 2, "job.sh: .*not requeued, as STENCIL_REQUEUES = 1: sbatch .*")


# Replaces scontrol: `requeue` returns only after Slurm has sent SIGTERM to the processes of the job.
SLOW = """#!/bin/bash
{scontrol} "$@" || exit
[ "$1" != requeue ] || sleep 1
"""
# Replaces scontrol: it reports no job.
SILENT = """#!/bin/bash
[ "$2 $3" != "show job" ] || exit 1
exec {scontrol} "$@"
"""


@case("a late answer to a requeue", SLOW, "until .*")
@case("no answer about the job", SILENT, "until a time that Slurm did not tell")
def poor_answers(cluster, folder, _, script, until):
    """In spite of late or missing answers of scontrol, job.sh requeues the job and reports this."""
    batch = Batch(cluster, folder)
    scontrol = folder / "bin/scontrol"
    scontrol.parent.mkdir()
    scontrol.write_text(script.format(scontrol=program("scontrol")))
    scontrol.chmod(0o755)
    batch.given.add("bin")
    number = fake(cluster, batch, 2, 10, PATH=f"{scontrol.parent}:{cluster.environment['PATH']}")
    time = "nobody knows" if script == SILENT else r"\d+"
    return wrong_starts(cluster, batch, number, ("COMPLETED", "0:0"), 2, REQUEUED, f"job.sh: .*start 2, {until}",
                        f"fake_run: has time until {time}")


@case("a site that requeues", last=True)
def site_requeues(cluster, folder, _):
    cluster.reconfigure("RequeueExit=70,75")
    batch = Batch(cluster, folder)
    done, given_up = fake(cluster, batch, 2, 10), fake(cluster, batch, 9, 1)
    return wrong_starts(cluster, batch, done, ("COMPLETED", "0:0"), 2,
                        "job.sh: .*Slurm requeues the job for its status 75") + wrong_starts(
        cluster, batch, given_up, ("FAILED", "1:0"), 2, "job.sh: .*not requeued, as STENCIL_REQUEUES = 1: sbatch .*")
