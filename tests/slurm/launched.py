"""Cases of jobs.py: jobs that are started in several ways and with several options, and whose outputs must be correct."""

import json
import os
import pathlib
import shlex
import tempfile

from batch import PLACE, PROGRAM, SCRIPTS, SECONDS, SHORT, Batch, run, write_input
from registry import SECOND_NODE, case, for_launchers
from tutorials import follow_page

DATE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"


@case("launching")
def launch(cluster, folder, right):
    """Jobs that srun starts: with PMIx the program computes, a single task computes in any case, and several tasks without PMIx end with
    one line."""
    wrong = []
    for words, tasks, sound in ((["--mpi=pmix"], 4, True), ([], 4, False), (["--mpi=pmi2"], 4, False),
                                ([], 1, True), (["--mpi=pmi2"], 1, True), (["--mpi=pmix"], 1, True)):
        batch = Batch(cluster, pathlib.Path(tempfile.mkdtemp(dir=folder)))
        outcome = cluster.command("srun", f"--ntasks={tasks}", *words, PROGRAM, "config.ini", "--progress", "none",
                                  folder=batch.folder)
        # lines of srun about waiting for the node and about the status of a task are ignored
        lines = [line for line in outcome.stderr.splitlines() if not line.startswith("srun:")]
        if outcome.returncode != (0 if sound else 4) or len(lines) != (not sound):
            wrong.append(f"srun {words} of {tasks} tasks: status {outcome.returncode}\n{outcome.stderr}")
        elif sound:
            wrong += batch.wrong_bytes(right(SHORT))
        elif "srun started 4 tasks without PMIx" not in lines[0] or "srun --mpi=pmix" not in lines[0]:
            wrong.append(f"srun {words}: {lines[0]}")
    return wrong


@for_launchers("job.sh")
def job(cluster, folder, right, launcher):
    batch = Batch(cluster, folder)
    number = batch.submit("job.sh", "config.ini", "--progress", "none", launcher=launcher, tasks=4)
    return batch.wrong_end(number, "COMPLETED", "0:0") + batch.wrong_bytes(right(SHORT)) + batch.wrong_lines(
        number, rf"job.sh: {DATE}\S+ job {number}, start 1, until {DATE}", rf"job.sh: .* on 1 nodes: {cluster.first} ",
        rf"job.sh: .* on host {cluster.first}: {launcher} .*config.ini.*", r"ranks +4 in blocks.*",
        rf"job.sh: {DATE}\S+ ended with status 0 after \d+ s")


@for_launchers("two nodes")
def two_nodes(cluster, folder, right, launcher):
    if not cluster.has_two_hosts:
        print("not tried: two nodes, as the second gets no host name of its own here")
        return []
    batch = Batch(cluster, folder)
    with SECOND_NODE:
        number = batch.submit("job.sh", "config.ini", "--progress", "none", launcher=launcher, nodes=2,
                              options=["--partition=both"])
        cluster.ended(number)
    return batch.wrong_end(number, "COMPLETED", "0:0") + batch.wrong_bytes(right(SHORT)) + batch.wrong_lines(
        number, r"job.sh: .* on 2 nodes: .*", r"ranks +4 in blocks.*")


@case("tutorial", nightly=True)
def tutorial(cluster, folder, _):
    """Runs the commands of docs/tutorials/cluster.md, and compares their output with the page."""
    return follow_page("cluster", folder, cluster.environment, {"stencil/examples": SCRIPTS.parent, "stencil/build/bin/stencil_run": PROGRAM})


@case("wrong words")
def wrong_words(cluster, folder, _):
    batch = Batch(cluster, folder)
    number = batch.submit("job.sh", "config.ini", "--stencil.mask=gauss")
    return batch.wrong_end(number, "FAILED", "2:0", outputs=0) + batch.wrong_said(number, "gauss")


@case("array")
def array(cluster, folder, _):
    """Several inputs with one output each."""
    batch = Batch(cluster, folder)
    (folder / "alone").mkdir()
    names = [f"in{i}.h5" for i in (1, 2, 3)]
    for seed, name in enumerate(names, 1):
        write_input(folder / name, seed)
    number = batch.submit("array.sh", "config.ini", "results", *names, "--progress=none", tasks=1,
                          options=["--array=1-4", "--output=array-%A_%a.log"])
    wrong = []
    for i, name in enumerate(names, 1):
        state, status = cluster.ended(f"{number}_{i}")
        if state != "COMPLETED":
            wrong += batch.with_log(f"{number}_{i}", [f"{state} {status}"])
        words = [f"--input.file={name}", f"--output.file=alone/{name}", "--progress=none"]
        run(folder, None, arguments=["config.ini", *words])
        wrong += batch.wrong_bytes((folder / "alone" / name).read_bytes(), f"results/{name}")
    state, status = cluster.ended(f"{number}_4")
    if (state, status) != ("FAILED", "2:0"):
        wrong.append(f"of the fourth of three inputs: {state} {status}")
    left = sorted(path.name for path in (folder / "results").iterdir())
    if left != names:
        wrong.append(f"results: {left}")
    return wrong + batch.wrong_lines(f"{number}_4", "array.sh: no input number 4: --array=1-3 has .*")


# The arguments of array.sh, and the file that two of the inputs would write.
SHARED = {
    "one name in two folders": (["day1/a.h5", "day1/b.h5", "day2/a.h5"], "day1/a.h5 and day2/a.h5 .*results/a.h5: .*"),
    "one input twice": (["day1/a.h5", "day1/b.h5", "./day1/a.h5"], r"day1/a.h5 and ./day1/a.h5 .*results/a.h5: .*"),
    "a name without its end": (["day1/a.h5", "day1/b.h5", "day1/a"], r"day1/a.h5 and day1/a .*results/a.checkpoint.h5: .*"),
    "the checkpoint of another": (["day1/a.checkpoint.h5", "day1/b.h5", "day1/a.h5"],
                                  r"day1/a.checkpoint.h5 and day1/a.h5 .*results/a.checkpoint.h5: .*"),
}


@case("array of inputs that share a file")
def shared(cluster, folder, _):
    """Every task refuses the list before any task has written anything."""
    wrong = []
    for name, (inputs, line) in SHARED.items():
        batch = Batch(cluster, pathlib.Path(tempfile.mkdtemp(dir=folder)))
        for path in inputs:
            (batch.folder / path).parent.mkdir(exist_ok=True)
            write_input(batch.folder / path)
        number = batch.submit("array.sh", "config.ini", "results", *inputs, tasks=1,
                              options=["--array=1-3", "--output=array-%A_%a.log"])
        for task in (f"{number}_{i}" for i in (1, 2, 3)):
            if (end := cluster.ended(task)) != ("FAILED", "2:0"):
                wrong += batch.with_log(task, [f"{name}: {end}"])
            wrong += batch.wrong_lines(task, f"array.sh: {line}")
        wrong += [f"{name}: results were written"] * (batch.folder / "results").exists()
    return wrong


@case("array with reports and checkpoints")
def reports(cluster, folder, _):
    """Each task has separate files, whose names may contain blanks; the command in the log can be pasted into a shell."""
    batch = Batch(cluster, folder)
    names = ["in 1.h5", "in2.h5"]
    for name in names:
        write_input(folder / name)
    number = batch.submit("array.sh", "config.ini", "some results", *names, "--report", "my report.json",
                          "--run.checkpoint=shared.h5", "--progress=none", tasks=1, environment={"STENCIL_LAUNCHER": "srun"},
                          options=["--array=1-2", "--output=array-%A_%a.log"])
    wrong = []
    for i, name in enumerate(names, 1):
        task = f"{number}_{i}"
        if (end := cluster.ended(task)) != ("COMPLETED", "0:0"):
            wrong += batch.with_log(task, [f"{name}: {end}"])
        report = json.loads((folder / f"my report.{name[:-3]}.json").read_text())
        if report["output"]["file"] != f"some results/{name}":
            wrong.append(f"the report of {name} is of {report['output']['file']}")
        line = next(line for line in batch.log(task).splitlines() if " on host " in line)
        words = shlex.split(line.split(": ", 2)[2])
        if words[-6:] != ["config.ini", f"--input.file={name}", f"--output.file=some results/{name}", "--progress=none",
                          f"--run.checkpoint=some results/{name[:-3]}.checkpoint.h5",
                          f"--report=my report.{name[:-3]}.json"]:
            wrong.append(f"logged: {words}")
    left = sorted(path.name for path in folder.iterdir() if path.suffix == ".json")
    return wrong + [f"reports: {left}"] * (len(left) != 2)


@case("array onto one output")
def collision(cluster, folder, right):
    batch = Batch(cluster, folder, SECONDS)
    number = batch.submit("job.sh", "config.ini", "--progress=none", tasks=1,
                          options=["--array=1-3", "--output=job-%A_%a.log"])
    ends = {task: cluster.ended(task, 120) for task in (f"{number}_{i}" for i in (1, 2, 3))}
    wrong = batch.wrong_bytes(right(SECONDS))
    if sorted(ends.values()) != [("COMPLETED", "0:0")] + [("FAILED", "3:0")] * 2:
        wrong.append(f"ends: {ends}")
    for task, (state, _) in ends.items():
        said = batch.said(task)
        if len(said) != (state != "COMPLETED") or any("out.h5" not in line for line in said):
            wrong += batch.with_log(task, [f"{len(said)} lines of stencil_run"])
    return wrong + [f"left behind: {batch.left()}"] * bool(batch.left())


@case("words around the program")
def around(cluster, folder, _):
    """Jobs with modules and with a container, both of which are replaced by substitutes, and jobs with GPUs that Slurm assigns."""
    batch = Batch(cluster, folder)
    (folder / "apptainer").write_text('#!/bin/sh\necho "apptainer: $*"\nshift 2\nexec "$@"\n')
    (folder / "apptainer").chmod(0o755)
    (folder / "image.sif").touch()
    batch.given |= {"apptainer", "image.sif"}
    fake = {"STENCIL_RUN": PLACE / "fake_run", "PATH": f"{folder}:{os.environ['PATH']}", "STENCIL_IMAGE": "image.sif",
            "STENCIL_MODULES": "mpi hdf5", "BASH_FUNC_module%%": '() { echo "module: $*"; }'}
    number = batch.submit("gpu.sh", "config.ini", tasks=1, options=["--gpus-per-node=2"], environment=fake)
    wrong = batch.wrong_end(number, "COMPLETED", "0:0", outputs=0) + batch.wrong_lines(
        number, f"gpu.sh: GPUs 0,1 of {cluster.first}", "module: load mpi hdf5", f"apptainer: exec image.sif {PLACE}/fake_run .*",
        "fake_run: config.ini --run.backend=cuda")
    number = batch.submit("job.sh", "config.ini", environment={**fake, "STENCIL_IMAGE": "none.sif"})
    return wrong + batch.wrong_end(number, "FAILED", "2:0", outputs=0) + batch.wrong_lines(
        number, "job.sh: no image none.sif: .*")
