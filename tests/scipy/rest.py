"""output.copy = rest: the other contents of the input file are copied to the output. Contents along an axis that was cut are
sampled at the points of the output, and contents that would be false are left out with a note. The output has the same bytes on
any number of ranks, and after a kill.
"""

import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
from scipy import ndimage

from program import MPIEXEC, PROGRAM, environment, ini, run

N, M = 60, 8


def make_input(path):
    """A file with one object of each kind that files contain in addition to data."""
    with h5py.File(path, "w", userblock_size=1024) as file:
        file.attrs["title"] = "everything"
        time, space = file.create_dataset("time", data=np.arange(N) * 0.5), file.create_dataset("s", data=np.arange(float(M)))
        for scale in (time, space):
            scale.make_scale(scale.name[1:])
        time.attrs["bounds"] = "time_bnds"
        data = file.create_dataset("g/data", data=np.random.default_rng(0).normal(size=(N, M)).astype("f4"))
        quality = file.create_dataset("g/quality", data=np.arange(N * M, dtype="i2").reshape(N, M), chunks=(7, 3), compression=4)
        label = file.create_dataset("label", data=[f"sample {n}" for n in range(N)], dtype=h5py.string_dtype())
        bounds = file.create_dataset("time_bnds", data=np.arange(2.0 * N).reshape(N, 2))
        for made, scales in ((data, (time, space)), (quality, (time, space)), (label, (time,)), (bounds, (time,))):
            for axis, scale in enumerate(scales):
                made.dims[axis].attach_scale(scale)
        data.dims[1].label = "space"
        file["unknown"] = np.arange(float(N))
        file["g/mean"] = 3.0
        words = [f"word {n}" for n in range(300)]  # stored in chunks, as most programs store strings of variable length
        file.create_dataset("header/words", data=words, dtype=h5py.string_dtype(), chunks=(100,), compression=1)
        filled = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        filled.set_chunk((10,))
        filled.set_fill_value(np.array(b"none", dtype=h5py.string_dtype()))
        made = h5py.h5d.create(file["header"].id, b"filled", h5py.h5t.py_create(h5py.string_dtype(), logical=True),
                               h5py.h5s.create_simple((10,)), filled)
        h5py.Dataset(made)[:] = [f"word {n}" for n in range(10)]
        file["header/text"] = "words of any length"
        file["header/empty"] = h5py.Empty("f4")
        file.create_dataset("header/station", data=np.array([(1, 2.5)], dtype=[("id", "i4"), ("height", "f8")]))
        file["header/kind"] = np.dtype("i4")
        file.create_dataset("header/typed", data=np.arange(3), dtype=file["header/kind"])
        file.create_dataset("header/packed", data=np.arange(5000), chunks=(100,), compression=9, shuffle=True, fletcher32=True)
        file["header"].attrs["of"] = data.ref
        file.attrs["start"] = file["header"].ref
        # objects as C libraries create them: with the time of creation, which would make any two outputs differ
        file.create_dataset("header/dated", data=np.arange(5000), chunks=(100,), compression=9, track_times=True)
        file.create_dataset("header/dated_words", data=["a", "bc"], dtype=h5py.string_dtype(), track_times=True)
        file.create_dataset("header/sparse", shape=(1 << 20,), chunks=(16,), dtype="f8", fillvalue=7, track_times=True)
        file["header/sparse"][1000:1020] = 1
        file.create_dataset("header/growing", data=np.ones((3, 4)), maxshape=(None, 4), chunks=(2, 4), track_times=True)
        file["header"].attrs["per_sample"] = np.arange(float(N))
        file.create_dataset("refs", data=[data.ref, file["header"].ref, file["unknown"].ref], dtype=h5py.ref_dtype)
        both = np.zeros(2, dtype=[("n", "i4"), ("what", h5py.ref_dtype)])
        both[0], both[1] = (7, space.ref), (8, h5py.Reference())
        file["pairs"] = both
        file["again"] = data  # a second hard link
        file["soft"] = h5py.SoftLink("/header/station")
        file["soft_gone"] = h5py.SoftLink("/unknown")
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/x")
    with open(path, "r+b") as plain:
        plain.write(b"MATLAB 7.3 MAT-file")


def words(target, **more):
    stencil = {"mask": "box", "size": 5, "rank": 1, "axis": 0, **more.pop("stencil", {})}
    return ini({"input": {"file": "in.h5", "dataset": "/g/data", **more.pop("input", {})},
                "output": {"file": target, "copy": "rest", "overwrite": "true", **more}, "stencil": stencil})


def told(folder):
    return json.loads((folder / "report.json").read_text())["output"]["not_carried_over"]


def differences(checks):
    return [name for name, is_right in checks.items() if not is_right]


def fill_value_is_sound(folder):
    """Returns whether h5dump can print the fill value. If the stored fill value were copied unchanged, HDF5 would read it from a wrong
    place."""
    if not shutil.which("h5dump"):
        return True
    done = subprocess.run(["h5dump", "-p", "-d", "/header/filled", folder / "out.h5"], capture_output=True)
    return done.returncode == 0


def check_whole(folder):
    """No axis changes: everything except the statistic is copied unchanged."""
    outcome = run(folder, words("out.h5"), arguments=["--report=report.json"])
    if outcome.status:
        return [outcome.unexpected()]
    (folder / "elsewhere").mkdir(exist_ok=True)
    if (other := run(folder, words("elsewhere/out.h5"))).status:
        return [other.unexpected()]
    with h5py.File(folder / "in.h5") as before, h5py.File(folder / "out.h5") as after, \
            h5py.File(folder / "elsewhere" / "out.h5") as moved:
        wrong = [f"{name} is gone" for name in before if name not in after and name != "elsewhere"]
        wrong += [f"header/{name} is gone" for name in before["header"] if name not in after["header"]]
        if wrong:
            return wrong
        return differences({
            "user block": (folder / "out.h5").read_bytes()[:1024] == (folder / "in.h5").read_bytes()[:1024],
            "root": after.attrs["title"] == "everything" and after["header"].attrs["per_sample"].size == N,
            "text": after["header/text"][()] == before["header/text"][()],
            "empty": after["header/empty"].shape is None,
            "station": (after["header/station"][()] == before["header/station"][()]).all(),
            "packed words": (after["header/words"][()] == before["header/words"][()]).all()
            and after["header/words"].compression == "gzip",
            "words with a fill value": (after["header/filled"][()] == before["header/filled"][()]).all()
            and "header/filled" not in told(folder) and fill_value_is_sound(folder),
            "no times": [name for name in (b"header/dated", b"header/dated_words", b"header/sparse", b"header/growing", b"header/kind")
                         if h5py.h5g.get_objinfo(after.id, name).mtime] == [],
            "dated": (after["header/dated"][()] == before["header/dated"][()]).all() and after["header/dated"].compression == "gzip"
            and list(after["header/dated_words"].asstr()) == ["a", "bc"],
            "sparse": (after["header/sparse"][()] == before["header/sparse"][()]).all()
            and after["header/sparse"].id.get_num_chunks() == before["header/sparse"].id.get_num_chunks() == 2,
            "growing": after["header/growing"].maxshape == (None, 4) and (after["header/growing"][()] == 1).all(),
            "reference of the root": "start" in after.attrs and after[after.attrs["start"]] == after["header"],
            "packed": (after["header/packed"][()] == before["header/packed"][()]).all() and after["header/packed"].fletcher32,
            "stored type": after["header/typed"].id.get_type().committed() and isinstance(after["header/kind"], h5py.Datatype),
            "quality": (after["g/quality"][()] == before["g/quality"][()]).all() and after["g/quality"].compression == "gzip",
            "attribute with a reference": "of" in after["header"].attrs and after[after["header"].attrs["of"]] == after["g/data"],
            "references": [after[r].name for r in after["refs"]][1:] == ["/header", "/unknown"]
            and after[after["refs"][0]] == after["g/data"],
            "references in pairs": after[after["pairs"][0]["what"]] == after["s"] and not after["pairs"][1]["what"],
            "hard link": after["again"] == after["g/data"] and after["again"].shape == (N, M),
            "soft link": after.get("soft", getlink=True).path == "/header/station" and after["soft"].shape == (1,),
            "external link": after.get("elsewhere", getlink=True).filename == "other.h5",
            "external link from elsewhere": moved.get("elsewhere", getlink=True).filename == "../other.h5",
            "scales": [list(d.keys()) for d in after["g/data"].dims] == [["time"], ["s"]]
            and after["g/data"].dims[0][0] == after["time"] and after["g/quality"].dims[1][0] == after["s"],
            "label": after["g/data"].dims[1].label == "space",
            "bounds": after["time"].attrs["bounds"] == "time_bnds",
            "statistic": "mean" not in after["g"] and any("/g/mean, which is a statistic" in line for line in told(folder)),
        })


def check_cut(folder):
    """The time axis is cut and strided. Objects that share the time axis are cut and strided, too; objects that only
    have the same length are left out."""
    outcome = run(folder, words("out.h5", stencil={"extent": "valid", "stride": 5}), arguments=["--report=report.json"])
    if outcome.status:
        return [outcome.unexpected()]
    points = slice(2, N - 2, 5)
    with h5py.File(folder / "in.h5") as before, h5py.File(folder / "out.h5") as after:
        notes = told(folder)
        return differences({
            "time": (after["time"][()] == before["time"][points]).all(),
            "quality": (after["g/quality"][()] == before["g/quality"][points]).all(),
            "label": (after["label"][()] == before["label"][points]).all(),
            "bounds": (after["time_bnds"][()] == before["time_bnds"][points]).all(),
            "scale of the bounds": after["time_bnds"].dims[0][0] == after["time"],
            "unknown": "unknown" not in after and any("/unknown, which has the former length of axis 0" in line for line in notes),
            "reference to it": not after["refs"][2] and bool(after["refs"][1]),
            "link to it": "soft_gone" not in after and any("link /soft_gone" in line for line in notes),
            "soft": after["soft"].shape == (1,),
            "other file": after.get("elsewhere", getlink=True) is None and any("/elsewhere, which leads into" in n for n in notes),
            "per_sample": "per_sample" not in after["header"].attrs and any("attribute per_sample of /header" in n for n in notes),
            "data": after["g/data"].shape == ((N - 4 + 4) // 5, M) and after["again"] == after["g/data"],
        })


def check_other_names(folder):
    """The dataset may get another name, except a name that copied objects have."""
    wrong = []
    for name in ("/g/quality", "/header", "/time/below"):
        outcome = run(folder, words("refused.h5", dataset=name))
        if outcome.status != 2 or len(outcome.errors) != 1 or "output.copy = none" not in outcome.errors[0]:
            wrong.append(f"dataset = {name}: {outcome.unexpected()}")
    if (outcome := run(folder, words("named.h5", dataset="/filtered/new"))).status:
        return [*wrong, outcome.unexpected()]
    with h5py.File(folder / "named.h5") as after:
        wrong += differences({
            "new name": after["filtered/new"].dims[0][0] == after["time"] and "data" not in after["g"],
            "links to it": after["again"] == after["filtered/new"] and after[after["refs"][0]] == after["filtered/new"],
            "group": "quality" in after["g"]})
    return wrong


def check_bytes(folder):
    """The output has the same bytes on any number of ranks, compressed or not, and for snapshots of an interrupted run."""
    wrong = []
    for more in ({}, {"compression": "gzip:1"}, {"chunk": "16x4"}, {"stencil": {"extent": "valid", "stride": 3}}):
        seen = []
        for ranks in (0, 3):
            outcome = run(folder, words("bytes.h5", **more), ranks)
            if outcome.status:
                return [outcome.unexpected()]
            seen.append((folder / "bytes.h5").read_bytes())
            with h5py.File(folder / "in.h5") as before, h5py.File(folder / "bytes.h5") as after:
                right = ndimage.uniform_filter1d(before["g/data"][()], 5, axis=0)
                if "stencil" in more:
                    right = right[2:-2:3]
                if not np.allclose(after["g/data"][()], right, atol=1e-5):
                    wrong.append(f"{more}: other points")
        if seen[0] != seen[1]:
            wrong.append(f"{more}: 1 and 3 ranks write other bytes")
    return wrong


def check_kill(folder):
    """A run of snapshots with a checkpoint that is killed and continued writes the same bytes as a run that was not stopped."""
    def config(target, state):
        return ini({"input": {"file": "in.h5", "dataset": "/g/data"},
                    "output": {"file": target, "copy": "rest", "overwrite": "true", "snapshot_every": 5000},
                    "stencil": {"mask": "0.25 0.5 0.25", "axis": 0, "steps": 100000},
                    "run": {"checkpoint": state, "checkpoint_every": "5000 steps"}})
    if (outcome := run(folder, config("right.h5", "right.state"))).status:
        return [outcome.unexpected()]
    (folder / "kill.ini").write_text(config("killed.h5", "killed.state"))
    with tempfile.TemporaryDirectory() as session:
        started = subprocess.Popen([PROGRAM, "kill.ini"], cwd=folder, env=environment(0, session),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while started.poll() is None and not (folder / "killed.state").exists():
            time.sleep(0.01)
        started.send_signal(signal.SIGKILL)
        was_killed = started.wait() == -signal.SIGKILL
    outcome = run(folder, config("killed.h5", "killed.state"))
    if outcome.status:
        return [outcome.unexpected()]
    is_same = (folder / "killed.h5").read_bytes() == (folder / "right.h5").read_bytes()
    return ([] if is_same else ["other bytes after a kill"]) + ([] if was_killed else ["it ended before it was killed"])


def check_pyramid(folder):
    """Other resolutions of the same data, and their histogram, would be false for the output and are left out."""
    with h5py.File(folder / "pyramid.h5", "w") as file:
        for level, shape in enumerate(((8, 16, 16), (4, 8, 8))):
            for channel in (0, 1):
                group = file.create_group(f"DataSet/ResolutionLevel {level}/TimePoint 0/Channel {channel}")
                group["Data"] = np.ones(shape, "u1")
                group["Histogram"] = np.arange(256, dtype="u8")
        file["DataSetInfo/Image/x"] = 1
    data = "/DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data"
    outcome = run(folder, ini({"input": {"file": "pyramid.h5", "dataset": data}, "output": {"file": "out.h5", "copy": "rest",
                                                                                         "overwrite": "true"},
                               "stencil": {"mask": "box", "size": 3, "rank": 2}}), arguments=["--report=report.json"])
    if outcome.status:
        return [outcome.unexpected()]
    with h5py.File(folder / "out.h5") as after:
        first = after["DataSet/ResolutionLevel 0/TimePoint 0"]
        return differences({
            "levels": list(after["DataSet"]) == ["ResolutionLevel 0"],
            "histogram": list(first["Channel 0"]) == ["Data"] and "Histogram" in first["Channel 1"],
            "the rest": after["DataSetInfo/Image/x"][()] == 1,
            "notes": any("ResolutionLevel 1, which is another resolution" in line for line in told(folder))})


def check_numbers_by_name(folder):
    """Numbers beside the data, which some programs write instead of attributes, are correct in the output or left out."""
    with h5py.File(folder / "numbers.h5", "w") as file:
        file["x"] = np.zeros((N, M), "f4")
        for name, value in (("fs", 500.0), ("dt", 0.002), ("nt", np.int32(N)), ("gain", 2.0), ("frame_interval", 0.1)):
            file[name] = np.array([[value]])
    outcome = run(folder, ini({"input": {"file": "numbers.h5", "dataset": "/x", "axis": 0, "sampling_rate": 500},
                               "output": {"file": "out.h5", "copy": "rest", "overwrite": "true"},
                               "stencil": {"mask": "lowpass", "taps": 11, "cutoff": 40, "stride": 5}}), arguments=["--report=report.json"])
    if outcome.status:
        return [outcome.unexpected()]
    with h5py.File(folder / "out.h5") as after:
        found = {name: after[name][0, 0] if name in after else None for name in ("fs", "dt", "nt", "gain", "frame_interval")}
    right = {"fs": 100.0, "dt": 0.01, "nt": 12, "gain": 2.0, "frame_interval": None}
    told_of = any("dataset /frame_interval" in line for line in told(folder))
    return [f"{name} is {found[name]}, right is {right[name]}" for name in right if found[name] != right[name]] + \
        ([] if told_of else ["frame_interval is left out without a note"])


def check_sweeps(folder):
    """ODIM_H5: other quantities of the same sweep are strided, too; other sweeps have different rays and are copied unchanged."""
    values = np.arange(36 * 20.0).reshape(36, 20)
    with h5py.File(folder / "volume.h5", "w") as file:
        file.attrs["Conventions"] = "ODIM_H5/V2_2"
        for sweep in ("dataset1", "dataset2"):
            for name in ("data1/data", "data2/data", "quality1/data"):
                file[f"{sweep}/{name}"] = values
            file[f"{sweep}/data1/legend"] = np.arange(36)  # this dataset has the same length only by chance
            file.create_group(f"{sweep}/where").attrs.update(nrays=36, nbins=20, rscale=500.0, rstart=0.0, a1gate=0)
    outcome = run(folder, ini({"input": {"file": "volume.h5", "dataset": "/dataset1/data1/data"},
                               "output": {"file": "out.h5", "copy": "rest", "overwrite": "true"},
                               "stencil": {"mask": "1", "axis": 0, "stride": 3}}), arguments=["--report=report.json"])
    if outcome.status:
        return [outcome.unexpected()]
    with h5py.File(folder / "out.h5") as after:
        return differences({
            "same sweep": all((after[f"dataset1/{name}"][()] == values[::3]).all() for name in ("data1/data", "data2/data", "quality1/data")),
            "its rays": after["dataset1/where"].attrs["nrays"] == 12 and after["dataset2/where"].attrs["nrays"] == 36,
            "other sweep": all((after[f"dataset2/{name}"][()] == values).all() for name in ("data1/data", "data2/data", "quality1/data")),
            "legend": "legend" not in after["dataset1/data1"] and "legend" in after["dataset2/data1"]})


def main():
    wrong = []
    for check in (check_sweeps, check_whole, check_cut, check_numbers_by_name, check_other_names, check_bytes, check_kill, check_pyramid):
        with tempfile.TemporaryDirectory() as folder:
            make_input(pathlib.Path(folder) / "in.h5")
            wrong += [f"{check.__name__}: {problem}" for problem in check(pathlib.Path(folder))]
    print("\n".join(wrong) or "all is right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
