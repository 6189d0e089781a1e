"""Notes about unexpected properties of the data; following the advice in a note or a message has the promised effect."""

import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

PROBLEMS = []


def expect(name, good, what):
    if not good:
        PROBLEMS.append(f"{name}: {what}")


def notes_of(folder, *, status=0, check=False, ranks=0, **sections):
    """The notes of a run on in.h5:/x. sections: input={"axis": 0} and so on; the stage is called `stencil`."""
    words = {"input": {"file": "in.h5", "dataset": "/x"}, "output": {"file": "out.h5", "overwrite": "true"},
             "stencil": {"mask": "1 2 1"}}
    for section, keys in sections.items():
        words[section.replace("__", ".")] = {**words.get(section, {}), **keys}
    outcome = run(folder, ini(words), ranks, ["--check"] if check else [])
    expect(str(sections), outcome.status == status, outcome.unexpected())
    return "\n".join(re.findall(r"^note    (.*)$", outcome.stdout, re.M)
                     + re.findall(r"^progress: note: (.*)$", outcome.stderr, re.M))


def write(folder, values, attrs=None):
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = values
        file["x"].attrs.update(attrs or {})


def check_links(folder):
    """Hard links with other names are not listed as left out, because the output contains the dataset that the links refer to."""
    with h5py.File(folder / "in.h5", "w") as file:
        file["g/y"] = np.arange(10.0)
        file["g/alias"] = file["g/y"]
        file["h"] = h5py.SoftLink("/g")
        file["x"] = h5py.SoftLink("/g/y")
        file["nowhere"] = h5py.SoftLink("/none")
        file["round"] = h5py.SoftLink("/round")
        file["outside"] = h5py.ExternalLink("other.h5", "/x")
        file["other"] = np.arange(3.0)
    for dataset in ("/x", "/g/y", "/h/y"):
        note = notes_of(folder, input={"dataset": dataset}, output={"dataset": "/x"})
        told = re.search(r"not carried over: (.*)", note)
        names = set(re.findall(r"[\w]+", told.group(1))) if told else set()
        expect(f"links, {dataset}", names == set("in group other nowhere round outside".split()), note)


def check_missing_text(folder):
    write(folder, np.arange(10.0), {"missing_value": "-999"})
    for value in ("none", "attribute"):
        note = notes_of(folder, missing={"value": value})
        expect(f"text, {value}", "the attribute missing_value = -999 of /x is a text" in note, note)
    expect("text beside a number", "is a text" not in notes_of(folder, missing={"value": "-999"}), "noted")
    write(folder, np.arange(10) * (1 - 2j), {"_FillValue": "-999"})
    note = notes_of(folder)
    expect("text, complex", "the attribute _FillValue = -999 of /x is a text" in note and "write missing.value = nan, and NaN into the dataset" in note, note)


def check_repacking(folder):
    """The line of Python in the message about an unsupported filter writes a readable copy of the dataset with all its attributes."""
    values = np.random.default_rng(1).normal(size=(90, 70))
    with h5py.File(folder / "in.h5", "w") as file:
        data = file.create_dataset("g/x", data=values, chunks=(40, 30), compression="lzf")
        data.attrs["units"] = "K"
        file["g/time"] = np.arange(90.0) / 50
        file["g/time"].attrs["units"] = "s"
        file["g/time"].make_scale("time")
        data.dims[0].attach_scale(file["g/time"])
    words = {"input": {"file": "in.h5", "dataset": "/g/x"}, "output": {"file": "out.h5"},
             "stencil": {"mask": "lowpass", "taps": 1, "cutoff": 10}}
    refused = run(folder, ini(words))
    line = re.search(r'python3 -c "(.*)", and write input.dataset = (\S+)$', "".join(refused.errors))
    expect("lzf", refused.status == 3 and line, refused.unexpected())
    if not line:
        return
    done = subprocess.run([sys.executable, "-c", line.group(1)], cwd=folder, capture_output=True, text=True)
    expect("lzf", done.returncode == 0, done.stderr)
    words["input"]["dataset"] = line.group(2)
    outcome = run(folder, ini(words))
    expect("lzf", outcome.status == 0, outcome.unexpected())
    with h5py.File(folder / "out.h5") as file:
        data = file[line.group(2)]
        good = np.array_equal(data[()], values) and data.attrs["units"] == "K" and "time" in data.dims[0].keys()
        expect("lzf", good, f"{dict(data.attrs)}, scales {data.dims[0].keys()}")


def check_spoilt_transforms(folder):
    """A note names an undeclared fill value whose neighbours lose digits by transforms, including runs in windows and on several ranks."""
    values = np.random.default_rng(1).normal(size=(2000, 1600)).astype("f4")
    disk = {"mask": "disk", "radius": 8}
    write(folder, values)
    expect("without a fill value", "transforms" not in notes_of(folder, stencil=disk), "noted")
    values[200, 200] = 9.96921e36
    write(folder, values)
    for ranks, memory in ((0, "auto"), (3, "auto"), (0, "28MiB")):
        note = notes_of(folder, ranks=ranks, stencil=disk, run={"memory": memory})
        expect(f"fill value, {ranks} ranks, memory {memory}", "write missing.value = 9.96921e+36" in note, note)
    expect("direct", "transforms" not in notes_of(folder, stencil={**disk, "method": "direct"}), "noted")
    # the configuration is changed as the note advises
    note = notes_of(folder, stencil=disk, missing={"value": "9.96921e+36", "policy": "renormalize"})
    expect("as missing", "transforms" not in note, note)


def check_even_masks(folder):
    """Outputs of even masks belong to positions between two points; a note and the plan state this."""
    write(folder, np.arange(8.0))
    for check in (False, True):
        note = notes_of(folder, check=check, stencil={"mask": "box", "size": 2, "extent": "valid", "stride": 2})
        expect(f"even, check {check}", "half a point before" in note, note)


def main():
    for check in (check_links, check_spoilt_transforms, check_even_masks, check_missing_text, check_repacking):
        with tempfile.TemporaryDirectory() as place:
            check(pathlib.Path(place))
    print("\n".join(PROBLEMS) or "all is noted")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
