"""A user's first minutes: stencil_run without arguments, --list, --init, and bash completion.

Every configuration that --init writes passes --check and runs: for files that this test makes, for the faulty files of
bad_files.py and tests/data, and for real files if there are any."""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import scipy.ndimage as ndimage
import scipy.signal as signal

import bad_files
from program import THOROUGH, in_turn, own_lines, run

SOURCE = pathlib.Path(__file__).parents[2]
DATA = pathlib.Path(os.environ.get("STENCIL_DATA", SOURCE.parent / "shared" / "data"))
FILTERS = ("bandpass", "bandstop", "lowpass", "highpass", "gaussian", "average", "smooth", "derivative")
failures = []


def expect(holds, *words):
    if not holds:
        failures.append(" ".join(map(str, words)))


def made_files(folder):
    """Makes the files of this test: a strain, a packed grid with scales, channels without metadata, and shapes that could be
    mistaken for something else."""
    rng = np.random.default_rng(3)
    with h5py.File(folder / "strain.h5", "w") as file:
        strain = file.create_dataset("strain/Strain", data=rng.normal(size=8192), chunks=(1024,), compression="gzip")
        strain.attrs.update(Xspacing=1 / 4096, units="strain")
        file["note"] = "text"
    with h5py.File(folder / "grid.nc", "w") as file:
        z = file.create_dataset("z", data=rng.integers(-99, 99, (40, 60)).astype("i2"), chunks=(20, 30), compression="gzip")
        z.attrs.update(scale_factor=0.01, add_offset=273.15, _FillValue=np.int16(-32768), units="K")
        z[3, 4] = -32768
        for axis, (name, spacing) in enumerate((("lat", 0.5), ("lon", 0.25))):
            scale = file.create_dataset(name, data=np.arange(z.shape[axis]) * spacing)
            scale.attrs["units"] = "degrees"
            scale.make_scale(name)
            z.dims[axis].attach_scale(scale)
    with h5py.File(folder / "column.h5", "w") as file:
        file["data"] = rng.normal(size=(300, 1))
    with h5py.File(folder / "tiny.h5", "w") as file:
        file["data"] = np.arange(3.0)
    with h5py.File(folder / "point.h5", "w") as file:
        file["data"] = np.ones((1, 1))
    with h5py.File(folder / "colours.h5", "w") as file:
        file["data"] = rng.normal(size=(40, 50, 3))
    with h5py.File(folder / "four.h5", "w") as file:
        file["data"] = rng.normal(size=(2, 3, 20, 30)).astype("f4")
    with h5py.File(folder / "odd # name 'x'.h5", "w") as file:
        file["a #b"] = np.arange(50.0)
    with h5py.File(folder / "wrong_packing.h5", "w") as file:
        file["data"] = np.arange(50, dtype="i2")
        file["data"].attrs["scale_factor"] = 0.0


def list_of(folder, name):
    outcome = run(folder, None, arguments=("--list", str(name)))
    expect(outcome.status in (0, 3), f"--list {name}:", outcome.unexpected())
    if outcome.status == 3:
        expect(len(outcome.errors) == 1, f"--list {name}: not one line:", outcome.stderr)
    return outcome.stdout


def init(folder, filter_name, name, *more, runs=True):
    """Writes a configuration, checks it and runs it. Returns the name of its output; None where --init is refused."""
    config = f"{pathlib.Path(name).stem}_{filter_name}.ini"
    outcome = run(folder, None, arguments=("--init", filter_name, str(name), *more))
    if outcome.status in (2, 3):
        expect(len(outcome.errors) == 1, f"--init {filter_name} {name}: not one line:", outcome.stderr)
        expect(not (folder / config).exists(), config, "is left by a refused --init")
        return None
    expect(outcome.status == 0, f"--init {filter_name} {name}:", outcome.unexpected())
    if outcome.status != 0:
        return None
    for arguments in [("--check", config)] + [(config,)] * runs:
        outcome = run(folder, None, arguments=arguments)
        expect(outcome.status == 0, *arguments, outcome.unexpected())
    text = (folder / config).read_text()
    (folder / config).unlink()
    return text.partition("[output]\nfile = ")[2].splitlines()[0].strip("\"'")


def every_file_can_be_begun_with(folder):
    # The names have no folders, so that the sample does not depend on the folder of the source. To inspect attributes_slow.h5 takes
    # 20 s of processor time.
    made = [path.name for path in sorted(folder.glob("*.*"))]
    odd = [path.name for path in sorted((SOURCE / "tests" / "data").glob("*.h5")) if THOROUGH or path.name != "attributes_slow.h5"]
    real = [path.name for path in sorted(DATA.iterdir()) if path.suffix != ".md"] if DATA.is_dir() else []
    begun = 0
    for name in (*in_turn(made, 5), *(SOURCE / "tests" / "data" / name for name in in_turn(odd, 2)), *(DATA / name for name in in_turn(real, 3))):
        listed = list_of(folder, name)
        if pathlib.Path(name).name == "attributes_slow.h5":  # each of the three datasets of this file takes 10 s
            expect("other datasets of this file took too long" in listed, "attributes_slow.h5:", listed)
        for filter_name in in_turn(FILTERS):
            begun += init(folder, filter_name, name, runs=False) is not None
    expect(begun >= 2, f"only {begun} files got a configuration")


def results_are_those_of_scipy(folder):
    with h5py.File(folder / "strain.h5") as file:
        strain = file["strain/Strain"][:]
    with h5py.File(folder / init(folder, "bandpass", "strain.h5")) as file:
        taps = signal.firwin(801, [20, 200], fs=4096, pass_zero=False)
        expect(np.abs(file["strain/Strain"][:] - ndimage.correlate1d(strain, taps)).max() < 1e-12, "bandpass of strain.h5")
    with h5py.File(folder / init(folder, "derivative", "strain.h5")) as file:
        expected = signal.savgol_filter(strain, 5, 2, deriv=1, delta=1 / 4096, mode="mirror")
        expect(np.abs(file["strain/Strain"][4:-4] - expected[4:-4]).max() < 1e-8, "derivative of strain.h5")
    with h5py.File(folder / "grid.nc") as file:
        z = np.where(file["z"][:] == -32768, np.nan, file["z"][:] * 0.01 + 273.15)
    valid = ~np.isnan(z)
    expected = ndimage.gaussian_filter(np.where(valid, z, 0), 2) / ndimage.gaussian_filter(valid.astype(float), 2)
    with h5py.File(folder / init(folder, "gaussian", "grid.nc")) as file:
        expect(np.abs(file["z"][:] - expected).max() < 1e-3, "gaussian of grid.nc")
    with h5py.File(folder / "colours.h5") as image, h5py.File(folder / init(folder, "gaussian", "colours.h5")) as file:
        expected = ndimage.gaussian_filter(image["data"][:], (2, 2, 0))
        expect(np.abs(file["data"][:] - expected).max() < 1e-12, "gaussian of colours.h5 mixes the colours")
    for name in ("column.h5", "tiny.h5", "four.h5", "wrong_packing.h5", "odd # name 'x'.h5"):
        for filter_name in in_turn(FILTERS):
            expect(init(folder, filter_name, name) is not None, f"--init {filter_name} {name} is refused")


def lists_say_what_files_hold(folder):
    strain = list_of(folder, "strain.h5")
    for words in ("/strain/Strain", "8192 float64", "chunk 1024", "gzip", "4096 Hz", "units     strain", "Not read", "/note"):
        expect(words in strain, f"--list strain.h5 lacks {words!r}:\n{strain}")
    grid = list_of(folder, "grid.nc")
    for words in ("40 x 60 int16", "lat: 40 points, spacing 0.5 degrees", "-32768", "number * 0.01 + 273.15", "units     K"):
        expect(words in grid, f"--list grid.nc lacks {words!r}:\n{grid}")
    good = list_of(folder, "good.h5")
    for words in ("/group/inner", "/timed", "100 Hz", "/complex", "/unwritten"):
        expect(words in good, f"--list good.h5 lacks {words!r}:\n{good}")
    expect(run(folder, None, arguments=("--list", "text.h5")).status == 3, "--list of a text")


def words_lead_on(folder):
    guide = run(folder, None)
    expect(guide.status == 2 and 2 < len(guide.errors) <= 8, "without arguments:", guide.unexpected())
    expect(all(len(line) <= 100 for line in guide.errors), "without arguments: lines too long:", guide.stderr)
    wrong = run(folder, None, arguments=("--init", "median", "strain.h5"))
    expect(wrong.status == 2 and all(name in wrong.stderr for name in FILTERS), "a wrong filter:", wrong.unexpected())
    near = run(folder, None, arguments=("--init", "band_pass", "strain.h5"))
    expect("did you mean bandpass" in near.stderr, "a misspelt filter:", near.stderr)
    (folder / "strain_smooth.ini").write_text("mine")
    kept = run(folder, None, arguments=("--init", "smooth", "strain.h5"))
    expect(kept.status == 3 and "strain_smooth.ini" in kept.stderr, "a file of that name:", kept.unexpected())
    expect((folder / "strain_smooth.ini").read_text() == "mine", "--init has replaced a file")
    chosen = run(folder, None, arguments=("--init", "smooth", "good.h5", "--input.dataset=/timed"))
    expect("dataset = /timed" in (folder / "good_smooth.ini").read_text(), "--input.dataset:", chosen.unexpected())
    init(folder, "average", "strain.h5")
    expect(init(folder, "average", "strain.h5") == "strain_average_2.h5", "an output that exists")
    both = run(folder, None, ranks=2, arguments=("--init", "gaussian", "strain.h5"))
    expect(both.status == 0 and both.stdout.count("is written") == 1, "on two ranks:", both.unexpected())


def completed(folder, line):
    """The completions that bash would offer for a command line."""
    script = ('source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2 x"; COMP_CWORD=$((${#COMP_WORDS[@]} - 2)); '
              '[[ $2 == *" " ]] && COMP_CWORD=$((COMP_CWORD + 1)); _stencil_run; printf "%s\\n" "${COMPREPLY[@]}"')
    words = ["bash", "-c", script, "bash", SOURCE / "drivers" / "stencil_run" / "completion.bash", line]
    shell = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=30)
    expect(not own_lines(shell.stderr), f"completion of {line!r}:", shell.stderr)
    return shell.stdout.split("\n")[:-1]


def bash_completes(folder):
    for line, offers in (("stencil_run --ch", ["--check"]), ("stencil_run --init band", ["bandpass", "bandstop"]),
                         ("stencil_run --init ", list(FILTERS)), ("stencil_run a.ini --input.ga", ["--input.gaps="]),
                         ("stencil_run a.ini --input.gaps=", ["refuse", "fill", "split"]),
                         ("stencil_run a.ini --stencil.slope.mask=so", ["sobel"]),
                         ("stencil_run --list stra", ["strain.h5"]), ("stencil_run --progress b", ["bar"]),
                         ("stencil_run a.ini --output.overwrite=t", ["true"])):
        expect(sorted(completed(folder, line)) == sorted(offers), f"completion of {line!r}:", completed(folder, line))


def main():
    with tempfile.TemporaryDirectory(prefix="stencil_first_steps") as name:
        folder = pathlib.Path(name)
        made_files(folder)
        bash_completes(folder)
        results_are_those_of_scipy(folder)
        bad_files.make_files(folder)
        lists_say_what_files_hold(folder)
        words_lead_on(folder)
        every_file_can_be_begun_with(folder)
    print("\n".join(failures) or "first steps: every file is listed, and every configuration runs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
