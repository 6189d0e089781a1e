"""compare_peers, compare_program, compare_das and compare_bank run, compare equivalent results, and keep the format of their tables.

comparisons.py FOLDER_OF_SCRIPTS BUILD_FOLDER STENCIL_BENCH (empty: stencil_bench is not built)
"""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import cv2
except ImportError:
    print("SKIPPED: no OpenCV for Python: apt-get install python3-opencv brings it")
    sys.exit(77)
import numpy as np
import scipy.ndimage
import scipy.signal

scripts, build, bench = sys.argv[1:]
sys.path.insert(0, scripts)
from comparison import machine, table
from comparison.cases import Case
from comparison.peers import error_of, peers_of

MODULES = {"ndimage": scipy.ndimage, "signal": scipy.signal, "cv2": cv2}
# every kind of mask, including kinds of which stencil_bench may have no case
PEERS = {
    "cpu/line/5/f32": ["SciPy", "NumPy", "OpenCV"],
    "cpu/line/65/f64": ["SciPy", "SciPy FFT", "NumPy", "OpenCV"],
    "cpu/fft/257/f32": ["SciPy", "SciPy FFT", "NumPy", "OpenCV"],
    "cpu/column/17/f32": ["SciPy", "OpenCV"],
    "cpu/dense/5pt/f32": ["SciPy", "OpenCV"],
    "cpu/dense/3x3/f64": ["SciPy", "OpenCV"],
    "cpu/dense/15x15/f32": ["SciPy", "SciPy FFT", "OpenCV"],
    "cpu/separable/9/f32": ["SciPy", "OpenCV"],
    "cpu/fft2d/31x31/f32": ["SciPy", "SciPy FFT", "OpenCV"],
    "cpu/fft2d_large/15x15/f64": ["SciPy", "SciPy FFT", "OpenCV"],
    "cpu/steps/9pt/f32": ["SciPy", "OpenCV"],
}
wrong = []


def expect(holds, what):
    if not holds:
        wrong.append(what)


def run(script, *arguments):
    outcome = subprocess.run([sys.executable, f"{scripts}/{script}", "--build", build, *map(str, arguments)],
                             text=True, capture_output=True)
    expect(outcome.returncode == 0, f"{script}: exit status {outcome.returncode}: {outcome.stderr}")
    expect("left out" not in outcome.stdout, f"{script}: {outcome.stdout}")
    return outcome.stdout


def check_peers_compute_the_same():
    for name, expected in PEERS.items():
        case, other = Case(name), Case(name)
        peers = peers_of(case, MODULES)
        expect([peer for peer, _ in peers] == expected, f"{name}: peers {[peer for peer, _ in peers]}")
        # the other programs must differ from a flipped mask
        other.mask = other.mask[::-1, ::-1]
        for peer, function in peers:
            expect(error_of(case, function) < 2e-5, f"{name}: {peer} differs by {error_of(case, function)}")
            expect(error_of(other, function) > 1e-2, f"{name}: {peer} is not distinguished from a convolution")


def check_table(folder):
    path = folder / "page.md"
    path.write_text("before\n<!-- t -->\n<!-- end of t -->\nafter\n")
    header = ["case", "rate"]
    table.rewrite(path, "t", "this machine", header, [["a", "1"], ["b", "2"]])
    table.rewrite(path, "t", "this machine", header, [["b", "3"], ["c", "4"]])
    rows = table.rows_of(path.read_text(), 2)
    expect(rows == [["a", "1"], ["b", "3"], ["c", "4"]], f"merged rows: {rows}")
    table.rewrite(path, "t", "another machine", header, [["c", "5"]])
    text = path.read_text()
    expect(table.rows_of(text, 2) == [["c", "5"]], f"rows of another machine stayed: {text}")
    expect(text.startswith("before\n<!-- t -->\nMeasured ") and text.endswith("<!-- end of t -->\nafter\n"), text)


def check_compare_peers(folder):
    page = folder / "peers.md"
    page.write_text("<!-- peers -->\n<!-- end of peers -->\n")
    run("compare_peers", "--quick", "--filter", "cpu/(line|separable)/5/f32", "--markdown", page)
    rows = table.rows_of(page.read_text(), 9)
    expect([row[0] for row in rows] == ["cpu/line/5/f32", "cpu/separable/5/f32"], f"rows: {rows}")
    for row in rows:
        ours, times, best = float(row[1]), float(row[4]), float(dict(zip(("SciPy", "SciPy FFT", "NumPy", "OpenCV"),
                                                                         row[5:]))[row[3]].rstrip("*"))
        expect(ours > 0 and abs(times - ours / best) <= 0.1 * times + 0.1, f"ratio: {row}")


def check_compare_program(folder):
    page = folder / "programs.md"
    page.write_text("<!-- programs -->\n<!-- end of programs -->\n")
    place = folder / "data"
    place.mkdir()
    run("compare_program", place, "--size", 0.004, "--rounds", 1, "--markdown", page)
    rows = table.rows_of(page.read_text(), 5)
    programs = {case: [row[0].split(": ")[1] for row in rows if row[0].startswith(case)]
                for case in ("gaussian", "bandpass", "packed", "chunks")}
    dask = ["h5py + dask + OpenCV"] if machine.available("dask", "comparisons") else []
    filters = ["copy", "h5py + SciPy", "h5py + OpenCV", *dask]
    others = {"gaussian": filters, "bandpass": filters, "packed": ["h5py alone", *dask], "chunks": ["h5py alone"]}
    for case, names in programs.items():
        ours = [name for name in names if name.startswith("stencil_run")]
        expect(len(ours) == 4 and names[4:] == others[case], f"programs of {case}: {names}")
    for name, seconds, _, peak, difference in rows:
        expect(float(seconds.split()[0]) > 0 and float(peak) >= 0, f"{name}: {seconds} s, {peak} GiB")
        is_peer = "h5py +" in name
        expect(0 < float(difference) < 1e-5 if is_peer else difference == "", f"{name}: difference {difference}")
    expect(not any(place.iterdir()), f"left behind: {list(place.iterdir())}")


def check_das(folder, recording):
    """Files of a day follow each other without gaps, and stencil_run joins them; DASCore itself is not needed here."""
    import h5py
    raw, day = "Acquisition/Raw[0]", folder / "day"
    outcome = subprocess.run([sys.executable, f"{scripts}/make_das_day", day, "--files=3", "--rows=450", "--channels=700",
                              f"--recording={recording}"], text=True, capture_output=True)
    expect(outcome.returncode == 0, f"make_das_day: {outcome.stderr}")
    times, rows = [], []
    for path in sorted(day.iterdir()):
        with h5py.File(path) as file:
            data = file[raw]["RawData"]
            times.append(file[raw]["RawDataTime"][()])
            rows.append(data[()])
            expect(data.attrs["Count"] == data.size and file[raw].attrs["NumberOfLoci"] == 700, f"{path.name}: counts")
            expect(data.attrs["PartStartTime"].decode() == f"{np.datetime64(int(times[-1][0]), 'us')}+00:00", f"{path.name}: time")
    expect(bool(np.all(np.diff(np.concatenate(times)) == 10_000)), "the files of a day do not follow each other")
    with h5py.File(recording) as file:
        real = file[raw]["RawData"][()]
    made = np.concatenate(rows)
    expect(np.array_equal(made[:, :512], real[:1350]) and np.array_equal(made[:, 512:], real[:1350, 510:322:-1]), "not the recording's numbers")
    place = folder / "das"
    place.mkdir()
    text = run("compare_das", place, "--files=3", "--longer=5", "--rows=450", "--channels=700", "--take=500:600", "--rounds=1", "--peers")
    found = [row[0] for row in table.rows_of(text, 6)]
    expect(len(found) == 6 and all("files: stencil_run" in name for name in found), f"rows of compare_das: {text}")
    expect("5 files take" in text, text)
    expect(not any(place.iterdir()), f"left behind: {list(place.iterdir())}")


def check_bank(folder):
    place = folder / "bank"
    place.mkdir()
    text = run("compare_bank", place, "--filters=3", "--taps=300", "--samples=20000", "--rounds=1")
    rows = table.rows_of(text, 6)
    expect(len(rows) == 1 and rows[0][0] == "3 x 300" and float(rows[0][4]) > 0, f"rows of compare_bank: {text}")
    expect(not any(place.iterdir()), f"left behind: {list(place.iterdir())}")


check_peers_compute_the_same()
RECORDING = pathlib.Path(os.environ.get("STENCIL_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data")) / "das_prodml20_int16.h5"
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    check_table(folder)
    check_compare_program(folder)
    check_bank(folder)
    if RECORDING.is_file():
        check_das(folder, RECORDING)
    if bench:
        check_compare_peers(folder)
print("\n".join(wrong) or f"{len(PEERS)} cases: peers compute the same; the scripts run"
      + ("" if RECORDING.is_file() else f"; compare_das not tried: no {RECORDING}")
      + ("" if bench else "; compare_peers not tried: no stencil_bench"))
sys.exit(1 if wrong else 0)
