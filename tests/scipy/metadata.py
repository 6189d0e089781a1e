"""Changes of every attribute, and of every object next to the dataset, when real files are filtered, cut and decimated. The whole
table is in metadata.txt: the objects that are carried over unchanged, those that are adjusted and how, and those that are left
out. Everything that is left out must be listed in the report. Then the outputs are opened in the tools that open the inputs:
xarray by netCDF4 and by h5netcdf, DASCore, h5dump. `metadata.py --write` writes the table again; check the differences before
you commit it.
"""

import difflib
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path(os.environ.get("STENCIL_DATA", HERE.parents[2] / "shared" / "data"))
TOOLS = pathlib.Path(os.environ.get("STENCIL_TOOLS", pathlib.Path.home() / ".cache" / "stencil" / "tools")) / "bin" / "python"
DEFORMATION = "/waveforms/DAS________2022_06_04T15_27_44_800325476__2022_06_04T15_27_45_249830870/data"
RAW = "/Acquisition/Raw[0]/RawData"
BOOKKEEPING = {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid", "_NCProperties", "_Netcdf4Coordinates"}
THIN = {"mask": "1", "axis": 1}

# name: file, dataset, sections, [first, stride, count] of the output's points along each axis, tools
RUNS = {
    "strain, decimated without its edges": ("ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain", {
        "output": {"dtype": "int16", "scale": "1e-22 0"},
        "stencil": {"mask": "bandpass", "taps": 1025, "cutoff": "35 350", "extent": "valid", "stride": 4}},
        [[512, 4, 32512]], ["h5dump"]),
    "ProdML, every 10th sample, every 4th channel": ("das_prodml20_int16.h5", RAW, {
        "input": {"axis": 0}, "stencil.a": {"mask": "lowpass", "taps": 65, "cutoff": 8, "stride": 10},
        "stencil.b": {**THIN, "stride": 4}}, [[0, 10, 250], [0, 4, 128]], ["dascore", "h5dump"]),
    "ProdML, without its edges, int16": ("das_prodml20_int16.h5", RAW, {
        "input": {"axis": 0}, "output": {"dtype": "int16", "compression": "gzip:1"},
        "stencil": {"mask": "lowpass", "taps": 65, "cutoff": 8, "extent": "valid", "stride": 5}}, [[32, 5, 488], [0, 1, 512]],
        ["dascore", "h5dump"]),
    "OptoDAS, beyond its edges, every 2nd channel": ("das_optodas_f32.hdf5", "/data", {
        "input": {"axis": 0}, "stencil.a": {"mask": "lowpass", "taps": 65, "cutoff": 20, "extent": "full", "stride": 10},
        "stencil.b": {**THIN, "stride": 2}}, [[-32, 10, 507], [0, 2, 26]], ["dascore", "h5dump"]),
    "OptoDAS, packed": ("das_optodas_f32.hdf5", "/data", {
        "input": {"axis": 0}, "output": {"dtype": "int16", "scale": "1e-9 0"},
        "stencil": {"mask": "lowpass", "taps": 65, "cutoff": 20}}, [[0, 1, 5000], [0, 1, 51]], ["dascore", "h5dump"]),
    "OptoDAS, its rate of change": ("das_optodas_f32.hdf5", "/data", {
        "input": {"axis": 0}, "stencil": {"mask": "savgol", "size": 7, "polyorder": 2, "deriv": 1, "delta": 0.002}},
        [[0, 1, 5000], [0, 1, 51]], ["dascore", "h5dump"]),
    "ProdML, its rate of change": ("das_prodml20_int16.h5", RAW, {
        "input": {"axis": 0}, "stencil": {"mask": "savgol", "size": 7, "polyorder": 2, "deriv": 1, "delta": 0.005}},
        [[0, 1, 2500], [0, 1, 512]], ["dascore", "h5dump"]),
    "sea surface, thinned": ("sst_global_f32_nan.nc", "/z", {
        "missing": {"value": "nan", "policy": "renormalize"},
        "stencil": {"mask": "gaussian", "rank": 2, "sigma": 2, "boundary": "nearest wrap", "stride": "3 2"}},
        [[0, 3, 360], [0, 2, 1080]], ["netcdf4", "h5netcdf", "h5dump"]),
    "bedrock, as integers": ("bedmap_elevation_int16.nc", "/z", {
        "missing": {"value": "attribute", "policy": "renormalize"}, "output": {"dtype": "int16"},
        "stencil": {"mask": "gaussian", "rank": 2, "sigma": 3}}, [[0, 1, 1333], [0, 1, 1333]], ["netcdf4", "h5netcdf", "h5dump"]),
    "air temperature, every 4th year": ("airtemp_A1B_3d_f32.nc", "/air_temperature", {
        "stencil": {"mask": "box", "size": 4, "axis": 0, "stride": 4}}, [[0, 4, 60], [0, 1, 37], [0, 1, 49]],
        ["netcdf4", "h5netcdf", "h5dump"]),
    "air temperature, its slope to the north": ("airtemp_A1B_3d_f32.nc", "/air_temperature", {
        "stencil": {"mask": "savgol", "size": 5, "polyorder": 2, "deriv": 1, "delta": 1.25, "axis": 1}},
        [[0, 1, 240], [0, 1, 37], [0, 1, 49]], ["netcdf4", "h5netcdf", "h5dump"]),
    "strain, decimated": ("ligo_H1_GW150914_4kHz_32s.hdf5", "/strain/Strain", {
        "stencil": {"mask": "lowpass", "taps": 129, "cutoff": 200, "stride": 8}}, [[0, 8, 16384]], ["h5dump"]),
    "Silixa, every 4th sample": ("silixa_h5_1.hdf5", "/Acoustic", {
        "stencil": {"mask": "lowpass", "taps": 33, "cutoff": 100, "stride": 4}}, [[0, 4, 25], [0, 1, 3840]], ["dascore", "h5dump"]),
    "DASDAE, every 3rd sample of some channels": ("deformation_rate_event_1.hdf5", DEFORMATION, {
        "input": {"select": ":, 20:120:2"}, "stencil": {"mask": "box", "size": 3, "axis": 0, "stride": 3}},
        [[0, 3, 300], [20, 2, 50]], ["dascore", "h5dump"]),
    "Febus, every 2nd locus": ("valencia_febus_example.h5", "/fa1-20050027/Source1/Zone1/SR_Valencia", {
        "stencil": {"mask": "box", "size": 3, "axis": 2, "stride": 2}}, [[0, 1, 10], [0, 1, 250], [0, 2, 50]], ["h5dump"]),
    "gwpy, decimated": ("gwpy_HLV.hdf5", "/H1:LDAS-STRAIN", {
        "stencil": {"mask": "lowpass", "taps": 65, "cutoff": 1000, "stride": 4}}, [[0, 4, 4096]], ["h5dump"]),
    "ODIM_H5, every 2nd ray": ("knmi_pvol.h5", "/dataset1/data1/data", {
        "missing": {"value": 0, "policy": "renormalize"}, "stencil": {"mask": "box", "size": 3, "axis": 0, "boundary": "wrap", "stride": 2}},
        [[0, 2, 180], [0, 1, 320]], ["h5dump"]),
    "NXdata, every 2nd angle": ("savu_pc2.h5", "/entry/data/data", {
        "stencil": {"mask": "box", "size": 3, "axis": 0, "stride": 2}}, [[0, 2, 10], [0, 1, 32], [0, 1, 64]], ["h5dump"]),
    "hybrid heights, every 3rd level": ("hybrid_height.nc", "/air_potential_temperature", {
        "stencil": {"mask": "box", "size": 3, "axis": 0, "stride": 3}}, [[0, 3, 5], [0, 1, 100], [0, 1, 100]],
        ["netcdf4", "h5netcdf", "h5dump"]),
    "a calendar of 360 days, every 4th year from 1900 on": ("E1_north_america.nc", "/air_temperature", {
        "input": {"select": "time 1900 .. 1999"}, "stencil": {"mask": "box", "size": 4, "axis": 0, "stride": 4}},
        [[40, 4, 25], [0, 1, 37], [0, 1, 49]], ["netcdf4", "h5netcdf", "h5dump"]),
    "NWB, every 2nd point": ("nwb_ts.nwb", "/acquisition/test_sine_1/data", {
        "stencil": {"mask": "box", "size": 3, "stride": 2}}, [[0, 2, 50]], ["h5dump"]),
}
# These runs, one for each file, are repeated with output.copy = rest; readers.py tests more files.
WITH_REST = ("strain, decimated", "ProdML, every 10th sample, every 4th channel", "OptoDAS, beyond its edges, every 2nd channel",
             "Silixa, every 4th sample", "DASDAE, every 3rd sample of some channels", "Febus, every 2nd locus", "gwpy, decimated",
             "ODIM_H5, every 2nd ray", "NXdata, every 2nd angle", "hybrid heights, every 3rd level",
             "a calendar of 360 days, every 4th year from 1900 on", "NWB, every 2nd point", "sea surface, thinned",
             "bedrock, as integers", "air temperature, every 4th year")
for one in WITH_REST:
    run_file, run_dataset, run_sections, run_sampling, run_tools = RUNS[one]
    RUNS[f"{one}, with the rest"] = (run_file, run_dataset, {**run_sections, "output": {**run_sections.get("output", {}), "copy": "rest"}},
                                     run_sampling, [tool for tool in run_tools if tool in ("netcdf4", "h5dump")])
ON_RANKS = (*list(RUNS)[:11], "hybrid heights, every 3rd level, with the rest", "Febus, every 2nd locus")  # repeated on 3 ranks


def shown(value):
    """A value of an attribute or a dataset, short enough for a line."""
    value = np.asarray(value)
    if value.dtype.kind in "SO" or value.dtype.kind == "U":
        words = [word.decode() if isinstance(word, bytes) else str(word) for word in value.ravel()[:3]]
        return " ".join(words)[:60] or "''"
    flat = value.ravel()
    if flat.size == 1:
        return f"{flat[0]:.12g}"
    ends = f"{flat[0]:.12g} .. {flat[-1]:.12g}" if flat.size else ""
    return f"{'x'.join(map(str, value.shape))} {ends}"


def fate(old, new):
    if old.shape == new.shape and old.dtype.kind == new.dtype.kind and np.array_equal(old, new, equal_nan=old.dtype.kind == "f"):
        return "carried"
    return f"adjusted: {shown(old)} -> {shown(new)}"


def is_compared(where, attribute):
    """Returns False for attributes that HDF5 and netCDF need internally, and for `history`, to which every output adds a line."""
    return attribute not in BOOKKEEPING and (where, attribute) != ("/", "history")


def table_of(source, target, dataset):
    """A line for each attribute and object of the input that is carried over, adjusted or left out; an object that is left
    out as a whole has one line. Also returns the names of everything that is left out."""
    lines, gone = [], []

    def visit(path, old, new):
        where = path or "/"
        for name in sorted(old.attrs):
            if not is_compared(where, name):
                continue
            if name in new.attrs:
                lines.append(f"{where} @{name}: {fate(np.asarray(old.attrs[name]), np.asarray(new.attrs[name]))}")
            else:
                lines.append(f"{where} @{name}: left out")
                gone.append((where, name))
        if isinstance(old, h5py.Dataset):
            if path != dataset:
                lines.append(f"{where}: {fate(np.asarray(old[()]), np.asarray(new[()]))}")
            return
        for name in sorted(old):
            if name in new:
                visit(f"{path}/{name}", old[name], new[name])
            else:
                lines.append(f"{path}/{name}: left out")
                gone.append((f"{path}/{name}", None))
        lines.extend(f"{path}/{name}: new" for name in sorted(set(new) - set(old)))

    visit("", source["/"], target["/"])
    return lines, gone


def is_told(path, attribute, told):
    if attribute:
        return any(line.startswith(f"attribute {attribute} of {path}") for line in told)
    parent, name = path.rsplit("/", 1)
    beside = [line.split(": ", 1)[1].split(", ") for line in told if line.startswith(f"in group {parent or '/'}: ")]
    return any(name in names for names in beside) or any(f" {path}," in f"{line}," or f" {path} " in line for line in told)


@functools.cache
def started(tool):
    """A process that opens files in a tool; one process serves all files, because importing a tool takes seconds. None if its Python does not exist."""
    python = str(TOOLS) if tool == "dascore" else sys.executable
    if not os.access(python, os.X_OK):
        return None
    return subprocess.Popen([python, "-B", HERE / "open_in_tools.py", tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def open_in(tool, source, target, dataset, sampling):
    """Returns the problems of opening an output in the tool (None if the tool is absent), and the values that it reads."""
    if tool == "h5dump":
        if not shutil.which("h5dump"):
            return None, None
        done = subprocess.run(["h5dump", "-H", target], capture_output=True, text=True)
        return ([] if done.returncode == 0 and "DATASET" in done.stdout else [done.stderr or done.stdout]), None
    process = started(tool)
    if process is None:
        return None, None
    try:
        print(json.dumps([source, target, dataset, sampling]), file=process.stdin, flush=True)
    except BrokenPipeError:
        pass  # the process has ended, and its exit status gives the reason
    line = process.stdout.readline()
    if not line:
        return (None if process.wait() == 77 else [f"ended with status {process.wait()}"]), None
    answer = json.loads(line)
    return answer["problems"], answer if "sum" in answer else None


def check(name, folder, absent):
    """Returns the table of one run, and its failures."""
    file, dataset, sections, sampling, tools = RUNS[name]
    target = folder / f"out{pathlib.Path(file).suffix}"
    words = {**sections, "input": {"file": DATA / file, "dataset": dataset, **sections.get("input", {})},
             "output": {"file": target, "overwrite": "true", **sections.get("output", {})}}
    contents, wrong = [], []
    for ranks in (0, 3) if name in ON_RANKS else (0,):
        outcome = run(folder, ini(words), ranks, ["--report=report.json"])
        if outcome.status:
            return [], [f"{name}: {outcome.unexpected()}"]
        contents.append(target.read_bytes())
    if contents[0] != contents[-1]:
        wrong.append(f"{name}: 1 and 3 ranks write other bytes")
    told = json.loads((folder / "report.json").read_text())["output"]["not_carried_over"]
    if told and "not carried over" not in outcome.stderr:
        wrong.append(f"{name}: nothing on stderr")
    with h5py.File(DATA / file) as source, h5py.File(target) as output:
        lines, gone = table_of(source, output, dataset)
        points = output[dataset]
        scale = points.attrs.get("scale_factor", 1)
        total = float(np.abs(points[()].astype(float)[points[()] != points.attrs.get("_FillValue", np.nan)]).sum() * scale)
    wrong += [f"{name}: {path} {attribute or ''} is left out and not listed" for path, attribute in gone
              if not is_told(path, attribute, told)]
    for tool in tools:
        problems, answer = open_in(tool, str(DATA / file), str(target), dataset, sampling)
        if problems is None:
            absent.add(tool)
            continue
        wrong += [f"{name}: {tool}: {problem}" for problem in problems]
        with np.errstate(invalid="ignore"):
            if answer and not np.isnan(total) and not np.isclose(answer["sum"], total, rtol=1e-5):
                wrong.append(f"{name}: {tool} reads other values: {answer['sum']}, not {total}")
    if name.endswith(", with the rest"):
        carried = [line for line in lines if line.endswith(": carried")]
        lines = [f"{len(carried)} attributes and datasets: carried", *(line for line in lines if line not in carried)]
    return [f"# {name}: {file}", *lines, ""], wrong


def check_joined(folder):
    """The output for two joined halves of a file has the metadata of the output for the whole file."""
    cut, points = 1000, 2500
    halves = ((0, cut), (cut, points))
    with h5py.File(DATA / "das_prodml20_int16.h5") as source:
        for part, (first, last) in enumerate(halves):
            with h5py.File(folder / f"part{part}.h5", "w") as file:
                for path in ("/Acquisition", "/Acquisition/Raw[0]"):
                    file.create_group(path).attrs.update(source[path].attrs)
                for path in (RAW, RAW + "Time"):
                    made = file.create_dataset(path, data=source[path][first:last])
                    made.attrs.update(source[path].attrs)
                    made.attrs["Count"] = made.size
                    made.attrs["StartIndex"] = 24000 + first
                    for name, index in (("PartStartTime", first), ("PartEndTime", last - 1), ("StartTime", first)):
                        if name in source[path].attrs:
                            made.attrs[name] = f"1970-01-01T00:00:{index / 200:09.6f}+00:00"
    found = []
    for file in (DATA / "das_prodml20_int16.h5", folder / "part*.h5"):
        outcome = run(folder, ini({
            "input": {"file": file, "dataset": RAW, "axis": 0}, "output": {"file": "out.h5", "overwrite": "true"},
            "stencil": {"mask": "lowpass", "taps": 65, "cutoff": 8, "extent": "valid", "stride": 10}}), 2)
        if outcome.status:
            return [f"joined: {outcome.unexpected()}"]
        with h5py.File(folder / "out.h5") as output:
            own = {"uuid"}
            found.append([(path, name, str(np.asarray(value).astype(str)))
                          for path in ("/Acquisition", "/Acquisition/Raw[0]", RAW, RAW + "Time")
                          for name, value in sorted(output[path].attrs.items()) if name not in own])
            found[-1].append(output[RAW + "Time"][()].tolist())
    return [f"joined: {one} is {other}" for one, other in zip(*found) if one != other]


def main():
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not at {DATA}; set STENCIL_DATA to their folder")
        return 77
    table, wrong, absent = [], [], set()
    for name in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            lines, problems = check(name, pathlib.Path(folder), absent)
        table += lines
        wrong += problems
    with tempfile.TemporaryDirectory() as folder:
        wrong += check_joined(pathlib.Path(folder))
    kept = HERE / "metadata.txt"
    if sys.argv[1:] == ["--write"]:
        kept.write_text("\n".join(table))
    wrong += list(difflib.unified_diff(kept.read_text().splitlines(), "\n".join(table).splitlines(), "metadata.txt", "found", lineterm=""))
    print(*wrong, f"{len(wrong)} wrong", sep="\n")
    if absent and not wrong:
        print(f"SKIPPED in part: no {', '.join(sorted(absent))} (scripts/install_packages --tools brings them)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
