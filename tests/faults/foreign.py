"""Runs that need a name which a file of the user already has, or a name that leads to a file of the user by links or
virtual datasets. No run changes these files, whether it is refused or not."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from jobs import own_lines_wrong
from names import names_of, prepared, right
from program import run

SCRATCH = ".o.h5.stencil-scratch0"
FRESH = ".stencil-0123456789abcdef"
OWN_LINE = '{"step":0,"time":0.0,"seconds":0.1,"min":0.0,"max":1.0,"change":null,"nan":0,"infinite":0}\n'


def virtual(path, name, source, dataset, shape):
    layout = h5py.VirtualLayout(shape, np.float64)
    layout[...] = h5py.VirtualSource(source, dataset, shape)
    with h5py.File(path, "a") as file:
        file.create_virtual_dataset(name, layout)


def virtual_mask(folder):
    """Writes a virtual mask whose source is a virtual dataset."""
    with h5py.File(folder / "leaf.h5", "w") as file:
        file["m"] = np.array([1.0, 2.0, 1.0])
    virtual(folder / "middle.h5", "m", "leaf.h5", "m", (3,))
    virtual(folder / "mask.h5", "m", "middle.h5", "m", (3,))


def virtual_coordinates(folder):
    """Writes a virtual scale of the input, with virtual bounds and a virtual variable; the source of the scale is virtual, too."""
    with h5py.File(folder / "leaf.h5", "w") as file:
        file["t"] = np.arange(20.0)
    with h5py.File(folder / "named.h5", "w") as file:
        file["a"] = np.zeros((12, 20))
    with h5py.File(folder / "cells.h5", "w") as file:
        file["b"] = np.zeros((20, 2))
    virtual(folder / "middle.h5", "t", "leaf.h5", "t", (20,))
    virtual(folder / "i.h5", "c", "middle.h5", "t", (20,))
    virtual(folder / "i.h5", "area", "named.h5", "a", (12, 20))
    virtual(folder / "i.h5", "cells", "cells.h5", "b", (20, 2))
    with h5py.File(folder / "i.h5", "a") as file:
        file["c"].make_scale("c")
        file["x"].dims[1].attach_scale(file["c"])
        file["x"].attrs["coordinates"] = "area"
        file["c"].attrs["bounds"] = "cells"


def coordinates_by_number(folder):
    """Writes a virtual scale whose sources are numbered files; one number is missing before the number of the last file."""
    for number, first in ((0, 0), (1, 10), (3, 30)):
        with h5py.File(folder / f"leaf{number}.h5", "w") as file:
            file["t"] = np.arange(first, first + 10.0)
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    space = h5py.h5s.create_simple((20,), (h5py.h5s.UNLIMITED,))
    space.select_hyperslab((0,), (h5py.h5s.UNLIMITED,), (10,), (10,))
    creation.set_virtual(space, b"leaf%b.h5", b"t", h5py.h5s.create_simple((10,)))
    with h5py.File(folder / "i.h5", "a") as file:
        h5py.h5d.create(file.id, b"c", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((20,), (h5py.h5s.UNLIMITED,)), creation)
        file["c"].make_scale("c")
        file["x"].dims[1].attach_scale(file["c"])


def dead_lock():
    """Returns the text of the lock file of a killed run on this machine."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{os.uname().nodename} {ended.pid} 1 - - {boot} {os.readlink('/proc/self/ns/pid')}\n"


def written(text, *names, age=0):
    def write(folder):
        for name in names:
            (folder / name).write_text(text)
            os.utime(folder / name, (time.time() - age,) * 2)
    return write


def left_lock(*more):
    """Returns a function that writes the lock file of a killed run, and files of the user with the names of the run's temporary files."""
    def write(folder):
        (folder / "o.h5.lock").write_text(dead_lock())
        written("precious", *more)(folder)
    return write


def users_hdf5(path):
    """Writes an HDF5 file of the user."""
    with h5py.File(path, "w") as file:
        file["precious"] = np.arange(5000.0)


def left_lock_beside_hdf5(*names):
    """Returns a function that writes the lock file of a killed run, and HDF5 files of the user with the names of the run's temporary
    files."""
    def write(folder):
        (folder / "o.h5.lock").write_text(dead_lock())
        for name in names:
            users_hdf5(folder / name)
    return write


LONG = "r" * 251 + ".json"
# description: (preparation, arguments, status, part of the error line, files that may change, disappear or appear)
CASES = {
    **{f"output over {name}": (virtual_mask, [f"--output.file={name}", "--output.overwrite=true",
                                              "--stencil.mask=mask.h5:/m"], 2, "which is read (a mask of [stencil])", ())
       for name in ("leaf.h5", "./middle.h5")},
    **{f"output over {name}": (virtual_coordinates, [f"--output.file={name}", "--output.overwrite=true"], 2,
                               "which holds coordinates of input.file", ())
       for name in ("middle.h5", "./leaf.h5", "named.h5", "cells.h5")},
    **{f"output over {name}": (coordinates_by_number, [f"--output.file={name}", "--output.overwrite=true"], 2,
                               "which holds coordinates of input.file", ())
       for name in ("leaf1.h5", "./leaf3.h5")},
    "lines of another program": (written('{"step":0,"loss":1.0}\n', "r.steps.jsonl"), ["--report=r.json"], 3,
                                 "holds no lines of this program", ()),
    "a brace": (written("{", "r.steps.jsonl"), ["--report=r.json"], 3, "holds no lines of this program", ()),
    "own lines": (written(OWN_LINE, "r.steps.jsonl"), ["--report=r.json"], 0, "",
                  ("r.steps.jsonl", "r.json", "o.h5")),
    "a report of a long name": (written("", "victim"), [f"--report={LONG}", "--stencil.steps=1"], 3, "File name too long", ()),
    "lines of a long name": (written("", "victim"), [f"--report={LONG[1:]}"], 3, "File name too long", ()),
    "empty files beside the lock": (written("", "o.h5.lock.todo", "o.h5.lock.a.b.1", age=7200), [], 0, "", ("o.h5",)),
    "an empty lock": (written("", "o.h5.lock", age=7200), [], 3, "is empty, as other programs make their locks", ()),
    "a part beside a lock that was left": (left_lock("o.h5.part"), [], 3, "o.h5.part exists, has the name of the unfinished",
                                           ("o.h5.lock",)),
    "an HDF5 part beside a lock that was left": (
        left_lock_beside_hdf5("o.h5.part"), [], 3, "o.h5.part exists, has the name of the unfinished", ("o.h5.lock",)),
    "zeros under the name of the part": (
        lambda folder: (left_lock()(folder), written("\0" * 5000 + "precious", "o.h5.part")(folder)), [], 3,
        "o.h5.part exists, has the name of the unfinished", ("o.h5.lock",)),
    "HDF5 scratch files beside a lock that was left": (
        left_lock_beside_hdf5(SCRATCH, SCRATCH + ".part"), [], 0, "", ("o.h5.lock", "o.h5")),
    "a temporary name in a lock that was left": (
        lambda folder: (written(dead_lock() + f"fresh {FRESH}\nfresh victim\nfresh ../{FRESH}\n", "o.h5.lock")(folder),
                        written("left", FRESH, "victim")(folder)), [], 0, "", ("o.h5.lock", "o.h5", FRESH)),
    "scratch files beside a lock that was left": (
        left_lock(SCRATCH, SCRATCH + ".part", SCRATCH + ".lock"), [], 0, "", ("o.h5.lock", "o.h5")),
    "leftovers of a killed run": (
        lambda folder: (left_lock()(folder), written("", "o.h5.part", SCRATCH)(folder),
                        written("", SCRATCH + ".part")(folder),
                        written(dead_lock(), SCRATCH + ".lock")(folder)), [], 0, "",
        ("o.h5.lock", "o.h5", "o.h5.part", SCRATCH, SCRATCH + ".part", SCRATCH + ".lock")),
}


def wrong_in(make, arguments, status, part, changing):
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        make(folder)
        before = names_of(folder)
        outcome = run(folder, None, 0, ["config.ini", "--progress=none", *arguments])
        wrong = own_lines_wrong(outcome)
        if outcome.status != status or part not in outcome.stderr:
            wrong.append(outcome.unexpected())
        after = names_of(folder)
        for name in sorted(before.keys() | after.keys()):
            if name not in changing and before.get(name) != after.get(name):
                wrong.append(f"{name} was changed, made or removed")
        return wrong


def link_to_nothing():
    """If the name of the output is a dangling link, the output is written to the target of the link, and the link stays."""
    wrong = []
    for words in ([], ["--output.overwrite=true"]):
        with tempfile.TemporaryDirectory() as place:
            folder = prepared(place)
            (folder / "d").mkdir()
            (folder / "o.h5").symlink_to("d/real.h5")
            outcome = run(folder, None, 0, ["config.ini", "--progress=none", *words])
            if outcome.status != 0 or not (folder / "o.h5").is_symlink():
                wrong.append(outcome.unexpected())
                continue
            with h5py.File(folder / "d/real.h5") as file:
                if not np.allclose(file["x"][()], right(6), rtol=1e-5):
                    wrong.append("another result")
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        (folder / "o.h5").symlink_to("o.h5")
        outcome = run(folder, None, 0, ["config.ini", "--progress=none", "--output.overwrite=true"])
        if outcome.status != 3 or not (folder / "o.h5").is_symlink() or "leads to itself" not in outcome.stderr:
            wrong.append(outcome.unexpected())
    return wrong


def killed_at(folder, call, number):
    """Runs the program, which is killed before the system call of this kind and number. Returns the outcome."""
    return run(folder, None, 0, ["config.ini", "--progress=none"], more_environment=(
        ("LD_PRELOAD", os.environ["STENCIL_FAULT_SHIM"]), ("STENCIL_FAULT_FOLDER", str(folder)),
        ("STENCIL_FAULT_LOG", str(folder.parent / "log")), ("STENCIL_FAULT_CALL", call),
        ("STENCIL_FAULT_NUMBER", str(number)), ("STENCIL_FAULT_KIND", "KILL")))


def companion_with_its_output():
    """A run of snapshots is killed at any of its calls of fsync, rename and unlink. If the output but no lock file exists afterwards, the
    companion of the output (o.h5.xdmf) exists, too."""
    wrong = []
    for call in ("fsync", "rename", "unlink"):
        for number in range(1, 30):
            with tempfile.TemporaryDirectory() as place:
                folder = prepared(place, output={"snapshot_every": "3"})
                killed = killed_at(folder, call, number)
                here = {name: (folder / name).exists() for name in ("o.h5", "o.h5.lock", "o.h5.xdmf")}
                if here["o.h5"] and not here["o.h5.lock"] and not here["o.h5.xdmf"]:
                    wrong.append(f"killed at {call} {number}: no companion")
                if here["o.h5.lock"] and call == "rename":
                    again = run(folder, None, 0, ["config.ini", "--progress=none", "--output.overwrite=true"])
                    if again.status != 0 or any(name.startswith(".stencil-") for name in names_of(folder)):
                        wrong.append(f"killed at {call} {number}, run again: {again.unexpected()} {sorted(names_of(folder))}")
                if killed.status == 0:
                    break
    return wrong


def part_of_a_killed_run():
    """The next run removes the files that a killed run has left, even if they were only partly written. A file of the user that has
    replaced the unfinished output, and may have the same inode number, is kept."""
    wrong, met = [], 0
    for number in range(1, 60):
        with tempfile.TemporaryDirectory() as place:
            folder = prepared(place)
            before = names_of(folder)
            ended = killed_at(folder, "pwrite", number).status == 0
            part = folder / "o.h5.part"
            if ended or not part.exists():
                if ended:
                    break
                continue
            met += 1
            if number % 2 == 0:
                part.unlink()
                users_hdf5(part)
                foreign = part.read_bytes()
                outcome = run(folder, None, 0, ["config.ini", "--progress=none"])
                good = outcome.status == 3 and "o.h5.part exists, has the name of the unfinished" in outcome.stderr
                good = good and part.read_bytes() == foreign and not (folder / "o.h5").exists()
            else:
                outcome = run(folder, None, 0, ["config.ini", "--progress=none"])
                good = outcome.status == 0 and names_of(folder).keys() == before.keys() | {"o.h5"}
            if not good:
                wrong.append(f"killed at write {number}: {outcome.unexpected()} {sorted(names_of(folder))}")
    return wrong if met > 3 else [*wrong, f"{met} unfinished outputs were met"]


def limits_of_the_process():
    """The message about a limit of the process names the limit and a remedy, and does not report a full disk."""
    wrong = []
    for limit, part in (("ulimit -f 8;", "File too large: raise the limit of this process on the size of a file"),
                        *((f"ulimit -n {n};", "Too many open files: raise the number") for n in (16, 18, 20))):
        with tempfile.TemporaryDirectory() as place:
            folder = prepared(place)
            with h5py.File(folder / "i.h5", "w") as file:
                file["x"] = np.zeros((64, 64), np.float32)
            outcome = run(folder, None, 0, ["config.ini", "--progress=none"], shell_first=limit)
            if outcome.status != 0 and (outcome.status != 3 or part not in outcome.stderr):
                wrong.append(f"{limit} {outcome.unexpected()}")
            if outcome.status == 0 and "-f" in limit:
                wrong.append("the limit was not met")
    return wrong


def array_of_odd_names():
    """The refusal of a list of inputs is one line, even if the names contain unusual characters."""
    script = pathlib.Path(__file__).resolve().parents[2] / "examples/slurm/array.sh"
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(place)
        ended = subprocess.run(["bash", script, "config.ini", "results", "a\nb.h5", "d/a\nb.h5"], cwd=folder, text=True,
                               capture_output=True, env={**os.environ, "SLURM_ARRAY_TASK_ID": "1"}, check=False)
    good = ended.returncode == 2 and ended.stderr.count("\n") == 1 and "would both write" in ended.stderr
    return [] if good else [f"status {ended.returncode}: {ended.stderr}"]


def main():
    failed = 0
    cases = {name: lambda case=case: wrong_in(*case) for name, case in CASES.items()}
    cases["a link to nothing"] = link_to_nothing
    cases["limits of the process"] = limits_of_the_process
    cases["an array of odd names"] = array_of_odd_names
    if "STENCIL_FAULT_SHIM" in os.environ:
        cases["a companion with its output"] = companion_with_its_output
        cases["the part of a killed run"] = part_of_a_killed_run
    for name, case in cases.items():
        if wrong := case():
            failed += 1
            print(f"{name}: {'; '.join(wrong)}", flush=True)
    print(f"{len(cases)} cases, {failed} not as promised")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
