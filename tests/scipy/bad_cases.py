"""The table of bad_inputs.py: the fault, the promised exit status, and a word that the message must contain.

Cases that rank 0 detects from the configuration alone run without mpirun, because mpirun takes two seconds to end after its only
process fails. Cases in which the ranks agree on an error, and cases of files and storage, run on three ranks.
"""

import os
import subprocess
from dataclasses import dataclass, replace
from typing import Callable

from program import ini

WORDS, FILES, MACHINE = 2, 3, 4


def nothing_to_prepare(folder):
    return lambda: None


@dataclass
class Case:
    name: str
    status: int
    says: str = ""
    changes: dict = None  # {"section.key": value, or None to remove the key}: changes to BASE
    text: str = None  # the whole configuration, if it does not consist of BASE and `changes`
    arguments: tuple = ()
    untouched: tuple = ("good.h5",)
    leaves: tuple = ()  # files that the run leaves behind
    shell_first: str = ""
    more_environment: tuple = ()
    ranks: tuple = (0,)  # numbers of ranks, with one run for each; 0 starts the program without mpirun
    # A function that prepares the run's folder. It returns a function that undoes the preparation, or None if this machine does not
    # allow the case.
    prepare: Callable = nothing_to_prepare


BASE = {
    "input.file": "good.h5",
    "input.dataset": "/signal",
    "output.file": "out.h5",
    "stencil.mask": "1 2 1",
}
GRID = {"input.dataset": "/grid", "stencil.mask": "0 1 0; 1 -4 1; 0 1 0"}


def config_text(case):
    """The text of the configuration of a case; None if the arguments of the case name a configuration file."""
    if case.text is not None:
        return case.text or None
    keys = {**BASE, **(case.changes or {})}
    sections = {}
    for name, value in keys.items():
        section, key = name.rsplit(".", 1)
        if value is not None:
            sections.setdefault(section, {})[key] = value
    return ini(sections)


def make(status, name, says, more, base=None):
    """Returns a case. Keywords with `__`, which replaces the dot, are keys of the configuration; the other keywords are members of Case."""
    changes = {k.replace("__", "."): more.pop(k) for k in list(more) if "__" in k}
    return Case(name, status, says, {**(base or {}), **changes}, **more)


def words(name, says, *arguments, **more):
    return make(WORDS, name, says, {"arguments": arguments, **more})


def grid_words(name, says, **more):
    return make(WORDS, name, says, more, GRID)


def files(name, says, **more):
    return make(FILES, name, says, more)


def machine(name, says, **more):
    return make(MACHINE, name, says, more)


def on(ranks, cases):
    """Returns copies of the cases, which run on these numbers of ranks."""
    return [replace(case, ranks=ranks) for case in cases]


LOWPASS = dict(input__dataset="/timed", stencil__mask="lowpass", stencil__taps=31, stencil__cutoff=10)
GAUSSIAN = dict(stencil__mask="gaussian")

CONFIGURATION = [
    words("misspelt key", "boundary", stencil__boundry="wrap"),
    words("misspelt section", "stencil", stencl__boundary="wrap"),
    words("misspelt boundary", "nearest", stencil__boundary="nearst"),
    words("misspelt family", "gaussian", stencil__mask="gausian"),
    words("misspelt key on the command line", "overwrite", "--output.overwrit=true"),
    words("abbreviated key on the command line", "steps", "--stencil.st=9"),
    words("unknown option", "--frobnicate", "--frobnicate"),
    words("second configuration", "", "good.h5"),
    words("key without a section", "", text="file = good.h5\n"),
    words("line that is not a key", "4", text=ini({"input": {"file": "good.h5", "dataset": "/signal"}}) + "whatever\n"),
    words("key given twice", "file", text="[input]\nfile = good.h5\nfile = other.h5\ndataset = /signal\n"
          "[output]\nfile = out.h5\n[stencil]\nmask = 1 2 1\n"),
    words("empty configuration", "", text="# nothing\n"),
    words("binary configuration", "", text="\x00\x01\x02[input]\n\x00"),
    words("empty value", "dataset", input__dataset=""),
    words("no input file", "[input]: file", input__file=None),
    words("no dataset", "[input]: dataset", input__dataset=None),
    words("no output file", "[output]: file", output__file=None),
    words("no stencil", "stencil", stencil__mask=None),
    words("number that is a word", "steps", stencil__steps="many"),
    words("negative steps", "-3", stencil__steps="-3"),
    words("zero steps", "steps", stencil__steps="0"),
    words("fraction of a step", "steps", stencil__steps="1.5"),
    words("steps beyond 64 bits", "steps", stencil__steps="99999999999999999999"),
    words("zero stride", "stride", stencil__stride="0"),
    words("flag that is not a flag", "overwrite", output__overwrite="maybe"),
    words("unknown output type", "float33", output__dtype="float33"),
    words("scale of a floating type", "dtype = int16", output__scale="0.01 0"),
    words("scale of one number", "SCALE OFFSET", output__scale="0.01", output__dtype="int16"),
    words("scale of nothing", "SCALE", output__scale="0 5", output__dtype="int16"),
    words("unknown operation", "operation", stencil__operation="correllate"),
    words("unknown extent", "extent", stencil__extent="some"),
    words("unknown precision", "precision", run__precision="float16"),
    words("compression level", "compression", output__compression="gzip:12"),
    words("compression of level 0", "none", output__compression="gzip:0"),
    words("compression unknown", "compression", output__compression="zstd"),
    words("chunk of words", "chunk", output__chunk="axb"),
    words("decomposition of words", "decomposition", run__decomposition="2xtwo"),
    words("memory of words", "memory", run__memory="lots"),
    words("a transport between GPUs on the CPU", "moves halos between GPUs", run__transport="mpi", run__backend="cpu"),
    words("report of a plan", "--report", "--check", "--report=report.json"),
    words("missing policy", "policy", missing__policy="ignore"),
    words("missing values that are not numbers", "write auto, none or attribute", missing__value="-9999 none"),
    words("min_valid above 1", "min_valid", missing__value="nan", missing__min_valid="1.5"),
    words("boundary value beyond float32", "too large for float32", stencil__boundary="constant",
          stencil__boundary_value="1e39", run__precision="float32"),
    words("tap that is not a number", "mask", stencil__mask="1 two 1"),
    words("tap that is infinite", "mask", stencil__mask="1 inf 1"),
    grid_words("rows of different lengths", "mask", stencil__mask="1 2 1; 1 2; 1 2 1"),
    words("empty value on the command line", "input.file", "--input.file="),
]

SHAPES = [
    words("2D mask on a signal", "in one row, without ;", stencil__mask="1 2; 3 4"),
    words("2D mask from a file on a signal", "store it with one axis", stencil__mask="good.h5:/grid"),
    words("2D family on a signal", "write rank = 1", stencil__mask="box", stencil__size=3, stencil__rank=2),
    words("axis that is not there", "axis", input__axis="1"),
    words("negative axis that is not there", "axis", input__axis="-2"),
    grid_words("axis that is not there beside a 2D mask", "input.axis = 5", input__axis="5"),
    words("mask wider than the signal", "valid", stencil__mask="good.h5:/mask_wide", stencil__extent="valid"),
    grid_words("mask wider than the grid", "valid", stencil__mask="box", stencil__rank=2, stencil__size=25,
               stencil__extent="valid"),
    words("origin outside the mask", "origin", stencil__origin="2"),
    grid_words("three boundaries for two axes", "boundary", stencil__boundary="wrap wrap wrap"),
    words("axes of two axes for a mask of one", "one axis", input__dataset="/grid", stencil__axes="0 1"),
    words("axes that are not there", "axes", input__dataset="/grid", stencil__axes="2"),
    words("axes by a name that is not there", "axes", input__dataset="/grid", stencil__axes="altitude"),
    grid_words("one axis for a mask of two", "two axes", stencil__axes="0"),
    grid_words("an axis twice", "given twice", stencil__axes="0 -2"),
    grid_words("three axes for a mask of two", "two axes", stencil__axes="0 1 2"),
    grid_words("a mask of three axes on two", "has three axes, but the dataset has 2", stencil__mask="1 2 | 3 4"),
    words("transforms of a mask of three axes with one row", "one row or one column in each plane", input__dataset="/stack",
          stencil__mask="1 2 | 3 4", stencil__method="fft"),
    words("transforms of missing points over three axes", "method = fft cannot leave missing points out", input__dataset="/stack",
          stencil__mask="1 2; 3 4 | 5 6; 7 8", stencil__method="fft", missing__value="nan", missing__policy="renormalize"),
    words("a mask of three axes that is not a product", "ranks 2 2 2 along its axes", input__dataset="/stack",
          stencil__mask="1 2; 3 4 | 5 6; 7 8", stencil__method="separable"),
    words("a value too few for three axes", "sigma", input__dataset="/stack", stencil__mask="gaussian",
          stencil__sigma="1 2", stencil__axes="0 1 2"),
    words("axis beside axes", "axis", input__dataset="/grid", stencil__axes="0", stencil__axis=0),
    words("two strides for one axis", "stride", stencil__stride="2 2"),
    grid_words("chunk of too few axes", "chunk", output__chunk="8"),
    grid_words("more blocks than ranks", "decomposition", run__decomposition="8x8"),
    grid_words("separable asked of a mask that is not", "separable", stencil__mask="0 1 0; 1 -4 1; 0 1 0",
               stencil__method="separable"),
    words("renormalize with taps that sum to 0", "renormalize", missing__value="nan", missing__policy="renormalize",
          stencil__mask="-1 0 1"),
    words("renormalize with a band-pass", "renormalize", missing__value="nan", missing__policy="renormalize",
          stencil__mask="bandpass", stencil__taps=41, stencil__cutoff="0.1 0.2", input__sampling_rate=1),
    words("smoothed derivative along an axis that is a batch", "rank = 1", input__dataset="/stack",
          stencil__mask="sobel", stencil__axis=0),
    grid_words("mask of three axes from a file", "[:]", stencil__mask="good.h5:/mask3"),
    words("mask with NaN", "mask", stencil__mask="good.h5:/mask_nan"),
    words("axis beside a 2D mask from a file", "axis", input__dataset="/grid", stencil__mask="good.h5:/grid",
          stencil__axis=0),
    words("mask dataset missing", "mask9", stencil__mask="good.h5:/mask9"),
]

FAMILIES = [
    words("cutoff above Nyquist", "50", **{**LOWPASS, "stencil__cutoff": 60}),
    words("cutoff of 0", "cutoff", **{**LOWPASS, "stencil__cutoff": 0}),
    words("no cutoff", "cutoff", **{**LOWPASS, "stencil__cutoff": None}),
    words("two cutoffs of a low-pass", "cutoff", **{**LOWPASS, "stencil__cutoff": "10 20"}),
    words("band upside down", "cutoff", **{**LOWPASS, "stencil__mask": "bandpass", "stencil__cutoff": "20 10"}),
    words("even high-pass", "taps", **{**LOWPASS, "stencil__mask": "highpass", "stencil__taps": 30}),
    words("no taps", "taps", **{**LOWPASS, "stencil__taps": None}),
    words("unknown window", "window", **{**LOWPASS, "stencil__window": "hammond"}),
    words("no sampling rate known", "sampling_rate", **{**LOWPASS, "input__dataset": "/signal"}),
    words("gaussian without sigma", "sigma", **GAUSSIAN),
    words("sigma of 0", "sigma", **GAUSSIAN, stencil__sigma=0),
    words("key of another family", "cutoff", **GAUSSIAN, stencil__sigma=1, stencil__cutoff=3),
    words("box of size 0", "size", stencil__mask="box", stencil__size=0),
    words("savgol of even size", "size", stencil__mask="savgol", stencil__size=6, stencil__polyorder=2),
    words("savgol order too high", "polyorder", stencil__mask="savgol", stencil__size=5, stencil__polyorder=5),
]

DATASETS = [
    words("missing dataset", "/signal", input__dataset="/signol"),
    words("group instead of a dataset", "/group", input__dataset="/group"),
    words("empty dataset", "/empty", input__dataset="/empty"),
    words("scalar dataset", "/scalar", input__dataset="/scalar"),
    words("null dataset", "/nothing", input__dataset="/nothing"),
    words("strings", "/words", input__dataset="/words"),
    words("text", "/text", input__dataset="/text"),
    words("compound", "/pairs", input__dataset="/pairs"),
    words("an enumeration of colours", "other than booleans", input__dataset="/colours"),
    words("link to nowhere", "/dangling", input__dataset="/dangling"),
    files("link to itself", "/loop", input__dataset="/loop"),
    files("external link", "/outside", input__dataset="/outside"),
    files("chunks never written and no fill value", "/unwritten", input__dataset="/unwritten"),
    words("missing value that the type cannot hold", "missing.value", input__dataset="/whole", missing__value="70000"),
    words("missing value that is not a whole number", "missing.value", input__dataset="/whole", missing__value="0.5"),
    words("a scale that nobody knows", "output.scale = SCALE OFFSET", output__scale="auto", output__dtype="int16"),
]

INPUTS = [
    files(what, name, input__file=name, input__dataset=dataset)
    for what, name, dataset in (
        ("missing file", "gone.h5", "/signal"),
        ("pattern of files", "day/*.h5", "/signal"),
        ("file in a missing folder", "nowhere/good.h5", "/signal"),
        ("folder instead of a file", "folder.h5", "/signal"),
        ("truncated file", "truncated.h5", "/signal"),
        ("file short by one byte", "short.h5", "/signal"),
        ("signature alone", "signature.h5", "/signal"),
        ("zeros", "zeros.h5", "/signal"),
        ("file of 0 bytes", "nothing.h5", "/signal"),
        ("text file", "text.h5", "/signal"),
        ("device", "/dev/null", "/signal"),
        ("virtual source missing", "virtual_missing.h5", "/data"),
        ("virtual source outside the folder", "virtual_outside.h5", "/data"),
        ("external storage", "external.h5", "/data"),
    )
] + [
    files("file that is being written", "a program has it open for writing", input__file="being_written.h5"),
    files("packed with a filter that is not built in", "h5repack loses the dataset", input__dataset="/packed_by_lzf"),
    files("pattern of masks", "patterns are not expanded", stencil__mask="go?d.h5:/signal"),
    files("mask file missing", "gone.h5", stencil__mask="gone.h5:/mask"),
    files("mask file is text", "text.h5", stencil__mask="text.h5:/mask"),
    files("configuration missing", "absent.ini", text="", arguments=("absent.ini",)),
    files("configuration is a folder", "folder.h5", text="", arguments=("folder.h5",)),
    words("no configuration named", "no configuration file", "--check", text=""),
]


def write_protected(folder):
    if os.geteuid() == 0:  # root may write everywhere, so the case is not possible
        return None
    place = folder / "closed"
    place.mkdir()
    place.chmod(0o555)
    return lambda: place.chmod(0o755)


def old_output(folder):
    (folder / "old.h5").write_bytes(b"an earlier result")
    return lambda: None


def output_is_folder(folder):
    (folder / "taken").mkdir()
    return lambda: None


def second_name_of_input(folder):
    (folder / "alias.h5").symlink_to("good.h5")
    return lambda: None


def small_disk(folder):
    """Mounts a file system of 8 MiB, if this user may mount file systems."""
    place = folder / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    try:
        if subprocess.run(mount, capture_output=True).returncode != 0:
            return None
    except FileNotFoundError:
        return None
    return lambda: subprocess.run(["umount", str(place)], check=True)


HUGE = {"input__file": "huge.h5", "input__dataset": "/data", "run__precision": "float64"}

OUTPUTS = [
    files("output folder missing", "nowhere", output__file="nowhere/out.h5"),
    files("output where nobody may write", "/proc", output__file="/proc/out.h5"),
    files("write-protected folder", "closed", output__file="closed/out.h5", prepare=write_protected),
    files("output is a folder", "taken", output__file="taken", output__overwrite="true", prepare=output_is_folder),
    files("output exists", "overwrite", output__file="old.h5", prepare=old_output, untouched=("old.h5", "good.h5")),
    words("output is the input", "good.h5", output__file="good.h5", output__overwrite="true"),
    words("output is the input by another name", "alias.h5", output__file="alias.h5", output__overwrite="true",
          prepare=second_name_of_input),
    words("output is the file of the mask", "mask.h5", output__file="mask.h5", output__overwrite="true",
          stencil__mask="mask.h5:/mask", untouched=("mask.h5", "good.h5")),
    words("report is the input", "--report", "--report=good.h5"),
    words("report is the output", "--report", "--report=./out.h5"),
    words("report is the configuration", "--report", "--report=config.ini"),
    files("report where no folder is", "--report", arguments=("--report=nowhere/report.json",)),
    files("report where nobody may write", "--report", arguments=("--report=/proc/report.json",)),
    files("output larger than a file may be", "out.h5", shell_first="ulimit -f 131072;", **HUGE),
    files("disk too small", "disk", prepare=small_disk, **{**HUGE, "output__file": "disk/out.h5"}),
    machine("memory limit too small", "memory", **{**HUGE, "run__memory": "1MiB"}),
]

# Environment variables that srun sets for its tasks; none of them lets OpenMPI connect the tasks.
PLAIN_SRUN = (("SLURM_JOB_ID", "1"), ("SLURM_STEP_ID", "0"), ("SLURM_PROCID", "0"), ("SLURM_STEP_NUM_TASKS", "4"))
OLDER_PMI = (("PMI_FD", "11"), ("PMI_RANK", "0"), ("PMI_SIZE", "4"))  # srun --mpi=pmi2

LAUNCH = [
    machine("plain srun", "srun started 4 tasks without PMIx", more_environment=PLAIN_SRUN),
    machine("srun --mpi=pmi2", "srun started 4 tasks without PMIx", more_environment=PLAIN_SRUN + OLDER_PMI),
    machine("plain srun of wrong words", "use srun --mpi=pmix", more_environment=PLAIN_SRUN, stencil__mask="nonsense"),
]

# Runs that look wrong but are correct.
SOUND = [
    make(0, "mpirun in a step of Slurm", "",
         {"more_environment": PLAIN_SRUN, "leaves": ("out.h5",), "ranks": (2,)}),
    make(0, "booleans", "", {"input__dataset": "/flags", "leaves": ("out.h5",)}),
    make(0, "one task of srun", "",
         {"more_environment": (*PLAIN_SRUN[:3], ("SLURM_STEP_NUM_TASKS", "1"), ("SLURM_JOBID", "1"),
                               ("SLURM_NODELIST", "node")), "leaves": ("out.h5",)}),
    make(0, "an environment of Slurm around a plain run", "",
         {"more_environment": (("SLURM_PROCID", "1"),), "leaves": ("out.h5",)}),
]

CASES = (
    on((1, 3), CONFIGURATION[:3]) + CONFIGURATION[3:] + FAMILIES
    + on((3,), SHAPES + DATASETS + INPUTS) + on((0, 3), OUTPUTS) + LAUNCH + SOUND
)
