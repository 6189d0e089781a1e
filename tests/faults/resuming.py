"""Runs that are continued after their files were changed: either the output has the same bytes as that of a run that was not
stopped, or one line says what to do. A run never uses a file of another run, and never removes a file of the user.

    resuming.py [full]    full: all changes of unfinished outputs of windows and of snapshots
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

from jobs import is_written
from program import PROGRAM, environment, ini, run

FIVE = "0 .2 0; .2 .2 .2; 0 .2 0"
SWEEP = {"mask": "box", "size": "101", "method": "direct"}
MEMORY = "--run.memory=28MiB"
SHOTS = {"snapshot_every": "50"}
PACKED = ("--output.chunk=100x300", "--output.compression=gzip:1", "--output.dtype=int16", "--output.scale=0.01 0")
IS_FULL = sys.argv[1:] == ["full"]
problems = []


def config(stencil, checkpoint="state.h5", output="out.h5", more=()):
    return ini({"input": {"file": "in.h5", "dataset": "x"},
                "output": {"file": output, "overwrite": "true", **dict(more)},
                "stencil": stencil, "run": {"checkpoint": checkpoint}})


def start(folder, *words):
    return subprocess.Popen([PROGRAM, "config.ini", "--progress", "none", *words], cwd=folder, text=True,
                            env=environment(0, str(folder)), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def stopped(folder, *words, share=0.0, seconds=0.0, number=signal.SIGUSR1, begin="out.h5.part"):
    """Starts a run, and stops it by a signal when it has written a share of its output, or some seconds after the file `begin` exists.
    @returns the status and stderr of the run"""
    since = time.time_ns()
    process = start(folder, *words)
    part, end = folder / "out.h5.part", time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        if is_written(part, share, since) if share else (folder / begin).exists():
            break
        time.sleep(0.002)
    time.sleep(seconds)
    if process.poll() is None:
        process.send_signal(number)
    stderr = process.communicate(timeout=60)[1]
    return process.returncode, stderr


def ended(folder, *words):
    return run(folder, None, 0, ["config.ini", "--progress", "lines", *words])


def expect(what, condition, outcome=""):
    if not condition:
        problems.append(f"{what}: {outcome}")


def points(folder, name="out.h5"):
    with h5py.File(folder / name) as file:
        return file["x"][()]


def prepared(scratch, name, shape, stencil, more=(), with_right=True):
    """Makes a folder with an input, a configuration and, if with_right, the correct output as right.h5."""
    folder = pathlib.Path(scratch) / name
    folder.mkdir()
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = np.random.default_rng(3).standard_normal(shape, dtype="f4")
    if with_right:
        outcome = run(folder, config(stencil, checkpoint="none.h5", output="right.h5", more=more))
        expect(name, outcome.status == 0, outcome.stderr)
    (folder / "config.ini").write_text(config(stencil, more=more))
    return folder


def expect_right(what, folder, *words, says=""):
    outcome = ended(folder, *words)
    expect(what, outcome.status == 0 and says in outcome.stderr, outcome.unexpected())
    if outcome.status == 0:
        expect(what, np.array_equal(points(folder), points(folder, "right.h5")), "other points")
    left = sorted(p.name for p in folder.iterdir())
    expect(what, left == ["config.ini", "in.h5", "out.h5", "right.h5"], f"left {left}")


def other_content(scratch):
    """The input has other content but the same size and time as before; or the input is an unchanged copy with another name."""
    kinds = {"points": ({"mask": FIVE, "steps": "100000"}, ("--run.checkpoint_every=30 steps",), "state.h5"),
             "snapshots": ({"mask": FIVE, "steps": "100000"},
                           ("--run.checkpoint_every=30 steps", "--output.snapshot_every=5000"), "state.h5"),
             "windows": (SWEEP, (MEMORY,), "out.h5.part")}
    for name, (stencil, words, begin) in kinds.items():
        folder = pathlib.Path(scratch) / f"content {name}"
        folder.mkdir()
        shape = (3000, 1000) if name == "windows" else (64, 64)
        for file in ("in.h5", "other.h5"):
            with h5py.File(folder / file, "w") as stream:
                stream["x"] = np.random.default_rng(len(file)).standard_normal(shape, dtype="f4")
            os.utime(folder / file, (1_700_000_000, 1_700_000_000))
        (folder / "config.ini").write_text(config(stencil))
        share = 0.03 if name == "windows" else 0.0
        status, stderr = stopped(folder, *words, share=share, begin=begin)
        if status != 75 or "kept" not in stderr and "are done and saved" not in stderr:
            problems.append(f"other content, {name}: not stopped in time: {stderr}")
            continue
        says = "content of the input was "
        if name != "windows":  # the unfinished output of windows already contains the name of the input as an attribute
            outcome = ended(folder, *words, "--input.file=other.h5")
            expect(f"{name}, another input", outcome.status == 2 and says in outcome.stderr, outcome.stderr)
        (folder / "in.h5").rename(folder / "moved.h5")
        (folder / "other.h5").rename(folder / "in.h5")
        outcome = ended(folder, *words)
        expect(f"{name}, another content", outcome.status == 2 and says in outcome.stderr, outcome.stderr)
        shutil.copy2(folder / "moved.h5", folder / "in.h5")
        spelling = "in.h5" if name == "windows" else "./moved.h5"
        outcome = ended(folder, *words, f"--input.file={spelling}", "--check")
        expect(f"{name}, a copy", outcome.status == 0 and "continues" in outcome.stderr + outcome.stdout or
               name == "windows" and outcome.status == 0, outcome.stderr + outcome.stdout)


def other_windows(scratch):
    """The unfinished output is replaced, written to by another run, damaged, or unreadable."""
    folder = prepared(scratch, "windows", (3000, 1000), SWEEP)

    def by_another_run(*words):
        stopped(folder, MEMORY, *words, number=signal.SIGKILL, share=0.03)

    def damage():
        part = folder / "out.h5.part"
        with part.open("r+b") as file:
            for place in range(1, 20):  # at many positions, because any of the windows may be done
                file.seek(part.stat().st_size * place // 20)
                file.write(b"other bytes")

    def damage_unseen():
        """Damages the file like storage that loses data: size and times of the file do not change."""
        state = (folder / "out.h5.part").stat()
        damage()
        os.utime(folder / "out.h5.part", ns=(state.st_atime_ns, state.st_mtime_ns))

    ways = {
        "continued": (lambda: None, ""),
        "another run without a checkpoint": (lambda: by_another_run("--run.checkpoint=other.h5"), "starts from the beginning"),
        "another run that started from the beginning": (lambda: by_another_run("--run.restart=never"), ""),
        "damaged": (damage, "starts from the beginning"),
        "damaged unseen": (damage_unseen, "starts from the beginning"),
        "removed": (lambda: (folder / "out.h5.part").unlink(), "starts from the beginning"),
    }
    tried = 0
    every_way = tuple(ways.items())
    halves = {"all": every_way, "none": every_way} if IS_FULL else {"all": every_way[0::2], "none": every_way[1::2]}
    for verify, half in halves.items():
        for name, (change, says) in half:
            for _ in range(4):  # on a busy machine the signal may come after the run is done
                status, stderr = stopped(folder, MEMORY, share=0.03)
                expect(name, status in (0, 75), f"status {status}: {stderr}")
                if "% of the outputs are done and kept" in stderr:
                    break
            else:
                continue
            tried += 1
            change()
            for other in folder.glob("other.h5*"):
                other.unlink()
            expect_right(f"windows, {name}, verify = {verify}", folder, MEMORY, f"--output.verify={verify}",
                         f"--report={folder.parent / 'report.json'}", says=says)
            went_on = "resumed" in json.loads((folder.parent / "report.json").read_text())
            expect(f"windows, {name}, verify = {verify}", went_on == (name == "continued"), f"went on: {went_on}")
    most = sum(map(len, halves.values()))
    expect("windows", tried >= most // 2, f"{tried} of {most} runs were stopped in time")


QUICK = ("its structure is damaged", "damaged unseen", "another run")


def other_snapshots(scratch):
    """The unfinished output of snapshots is replaced, damaged, removed or overwritten, or its record is damaged or removed."""
    stencil = {"mask": FIVE, "steps": "3000"}
    folder = prepared(scratch, "snapshots", (200, 300), stencil, SHOTS)
    part, record = folder / "out.h5.part", folder / "state.h5.snapshots"
    every = "--run.checkpoint_every=30 steps"

    def by_another_run(*words):
        words = (every, "--run.checkpoint=other.h5", *words)
        stopped(folder, *words, number=signal.SIGKILL, seconds=0.02, begin="other.h5")
        for other in folder.glob("other.h5*"):
            other.unlink()

    def damage(file, at, is_seen=True):
        state = file.stat()
        with file.open("r+b") as stream:
            stream.seek(at)
            stream.write(b"other bytes")
        if not is_seen:
            os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))

    def shorten():
        os.truncate(part, 100_000)

    anew = "starts from the beginning"
    ways = {
        "continued": (lambda: None, ""),
        "its structure is damaged": (lambda: damage(part, 0), ""),
        "after the blocks that are done": (lambda: damage(part, part.stat().st_size - 10_000), ""),
        "damaged": (lambda: damage(part, 70_000), anew),
        "damaged unseen": (lambda: damage(part, 70_000, is_seen=False), anew),
        "shortened": (shorten, anew),
        "removed": (part.unlink, anew),
        "the record is gone": (record.unlink, anew),
        "the record is damaged": (lambda: damage(record, record.stat().st_size - 20), anew),
        "another run": (lambda: by_another_run("--stencil.mask=1 2 1"), anew),
        "another run without snapshots": (lambda: by_another_run("--output.snapshot_every=0"), anew),
    }
    tried = 0
    for output, names in (((), tuple(ways)), (PACKED, (QUICK[0], "damaged", "another run"))):
        (folder / "right.h5").unlink()
        outcome = run(folder, config(stencil, "none.h5", "right.h5", SHOTS), 0, [*output])
        expect("the right one", outcome.status == 0, outcome.stderr)
        (folder / "right.h5.xdmf").unlink()
        (folder / "config.ini").write_text(config(stencil, more=SHOTS))
        for name in names if IS_FULL else [name for name in names if name in QUICK]:
            change, says = ways[name]
            for _ in range(4):  # on a busy machine the signal may come after the run is done
                status, stderr = stopped(folder, every, *output, seconds=0.02, begin="state.h5")
                if status == 75 and "are done and saved" in stderr:
                    break
                (folder / "out.h5.xdmf").unlink(missing_ok=True)
            else:
                continue
            tried += 1
            change()
            outcome = ended(folder, *output, f"--report={folder.parent / 'report.json'}")
            what = f"snapshots {output[:1]}, {name}"
            expect(what, outcome.status == 0 and (says or "continues from") in outcome.stderr, outcome.stderr)
            same = outcome.status == 0 and (folder / "out.h5").read_bytes() == (folder / "right.h5").read_bytes()
            expect(what, same, "other bytes")
            for own in ("out.h5", "out.h5.xdmf"):
                (folder / own).unlink(missing_ok=True)
            left = sorted(p.name for p in folder.iterdir())
            expect(what, left == ["config.ini", "in.h5", "right.h5"], f"left {left}")
    expect("snapshots", tried >= 3, f"{tried} runs were stopped in time")
    other_words(folder, every, record)


def other_words(folder, every, record):
    """An unfinished output with another type or other snapshots belongs to another run. If it is a link, or if the user wrote the record,
    the run is refused."""
    stopped(folder, every, seconds=0.02, begin="state.h5")
    for words in ("--output.dtype=float64", "--output.snapshot_every=0"):
        outcome = ended(folder, words)
        says = "of another run" in outcome.stderr and words[2:12] in outcome.stderr
        expect(words, outcome.status == 2 and says, outcome.stderr)
    expect("another run", (folder / "out.h5.part").exists(), "its unfinished output is gone")
    part = folder / "out.h5.part"
    part.rename(folder / "moved")
    part.symlink_to("moved")
    outcome = ended(folder)
    expect("a link", outcome.status == 3 and "out.h5.part exists, has the name" in outcome.stderr, outcome.stderr)
    expect("a link", part.is_symlink() and (folder / "moved").exists(), "it or what it leads to is gone")
    part.unlink()
    (folder / "moved").rename(part)
    record.write_text("precious")
    for words in ((), ("--run.restart=never",)):
        outcome = ended(folder, *words)
        expect("a file of the user's", outcome.status == 2 and str(record.name) in outcome.stderr, outcome.stderr)
    expect("a file of the user's", record.read_text() == "precious", "is overwritten")


def names_of_checkpoints(scratch):
    folder = prepared(scratch, "names", (300, 200), {"mask": FIVE, "steps": "40"})
    shutil.copy(folder / "in.h5", folder / "state.h5.windows")
    for words in (["--output.file=state.h5.previous"], ["--output.file=state.h5.next"], ["--output.file=state.h5.windows"],
                  ["--output.file=state.h5.snapshots"],
                  ["--input.file=state.h5.windows"], ["--input.file=state.h5.windows", "--run.restart=never"]):
        outcome = ended(folder, *words)
        expect(str(words), outcome.status == 2 and "state.h5" in outcome.stderr and len(outcome.errors) == 1,
               outcome.unexpected())
    expect("an input called like a checkpoint", (folder / "state.h5.windows").exists(), "is gone")


def damaged_generations(scratch):
    folder = prepared(scratch, "generations", (1000, 1000), {"mask": FIVE, "steps": "3000"})
    every = "--run.checkpoint_every=60 steps"
    for _ in range(20):
        status, stderr = stopped(folder, every, seconds=0.3)
        if (folder / "state.h5.previous").exists():
            break
    expect("two generations", (folder / "state.h5.previous").exists(), stderr)

    def damage(name):
        with (folder / name).open("r+b") as file:
            file.seek(2_000_000)
            file.write(b"damage")

    sound = (folder / "state.h5.previous").read_bytes()
    damage("state.h5")
    shutil.copytree(folder, folder.parent / "never")
    status, stderr = stopped(folder, every, seconds=0.05)
    if status == 75 and "no step" not in stderr:
        kept = (folder / "state.h5.previous").read_bytes()
        damaged = kept[2_000_000:2_000_006] == b"damage"
        expect("the generation before", not damaged, "the damaged one took the place of the sound one")
        expect("the first one", len(kept) == len(sound), "another size")
    expect_right("generations", folder, every)
    folder = folder.parent / "never"
    damage("state.h5.previous")
    outcome = ended(folder, every)
    expect("both damaged", outcome.status == 3 and "damaged" in outcome.stderr, outcome.unexpected())
    expect_right("both damaged, and never", folder, every, "--run.restart=never")


def lines_of_another_run(scratch):
    """A continued run appends to its file with one line per inspected step, next to the report. If this file is missing, or contains the
    lines of another run, a note reports it. No step is missing or listed twice."""
    folder = prepared(scratch, "lines", (300, 200), {"mask": FIVE, "steps": "2500"})
    every, report, lines = "--run.checkpoint_every=130 steps", "--report=../lines.json", folder.parent / "lines.steps.jsonl"
    words = (every, report, "--run.look_every=100")

    def remove_lines():
        lines.unlink()

    def write_others():
        other = ended(folder, report, "--run.look_every=100", "--run.checkpoint=other-state.h5", "--output.file=other.h5",
                      "--stencil.steps=300")
        expect("another run", other.status == 0, other.unexpected())
        (folder / "other.h5").unlink(missing_ok=True)

    for name, change, says in (("own lines", lambda: None, ""), ("no lines", remove_lines, "is gone, to which"),
                               ("lines of another run", write_others, "does not begin with the lines")):
        for _ in range(4):
            status, stderr = stopped(folder, *words, seconds=0.02, begin="state.h5")
            if status == 75 and "are done and saved" in stderr:
                break
        else:
            expect(name, False, f"not stopped in time: {stderr}")
            continue
        done = int(stderr.split("are done and saved")[0].split(" of ")[-2].split()[-1])
        change()
        outcome = ended(folder, *words)
        expect(name, outcome.status == 0 and says in outcome.stderr and ("lines begin after" in outcome.stderr) == bool(says),
               outcome.unexpected())
        steps = [json.loads(line)["step"] for line in lines.read_text().splitlines()]
        first = done // 100 * 100 + 100 if says else 0
        right = list(range(first, 2501, 100))
        expect(name, steps == right, f"{done} steps, then {steps[:3]} to {steps[-3:]}, {len(steps)} of {len(right)}")
    lines.unlink()
    (folder.parent / "lines.json").unlink(missing_ok=True)


def short_limits(scratch):
    """If the time limit is too short to make any progress, the exit status is 2, and not 75, which asks to run again."""
    folder = prepared(scratch, "passes", (3000, 1000), {"mask": FIVE, "steps": "200"}, with_right=False)
    outcome = ended(folder, MEMORY, "--run.time_limit=0.1 s")
    expect("no time", outcome.status == 2 and "longer run.time_limit" in outcome.stderr, outcome.unexpected())
    folder = prepared(scratch, "limits", (2000, 1000), {"mask": FIVE, "steps": "30000"}, with_right=False)
    before = 0
    for _ in range(2):
        outcome = ended(folder, "--run.time_limit=3 s")
        expect("some time", outcome.status == 75 and "are done and saved" in outcome.stderr, outcome.unexpected())
        steps = int(outcome.stderr.split("its time limit of 3 s: ")[-1].split()[0]) if outcome.status == 75 else 0
        expect("some time", steps > before, f"{steps} steps after {before}")
        before = steps


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for case in (other_content, other_windows, other_snapshots, names_of_checkpoints, damaged_generations,
                     lines_of_another_run, short_limits):
            case(scratch)
    print("\n".join(problems) or "files of this run are distinguished from those that were left")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
