"""The output file has the same bytes for every number of ranks and every decomposition."""

import hashlib
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

from program import THOROUGH, in_turn, ini, run

RANKS = (1, 2, 3, 4, 6, 7) if THOROUGH else (1, 2, 3, 6)

# a Gaussian minus a wider Gaussian, as text of a configuration
SUM = "; ".join(
    " ".join(repr(float(np.exp(-(y * y + x * x) / 8) - 0.4 * np.exp(-(y * y + x * x) / 20))) for x in range(-6, 7))
    for y in range(-6, 7)
)

# name, shape, type, sections in addition to input and output, decompositions in addition to auto: {ranks: values}
CASES = [
    ("signal", (5003,), "float64", {"stencil": {"mask": "gaussian", "sigma": 9, "boundary": "mirror"}},
     {4: ["4"], 6: ["6"]}),
    ("signal, mask wider than a subdomain", (211,), "float32",
     {"input": {"sampling_rate": 100}, "stencil": {"mask": "lowpass", "taps": 151, "cutoff": 7, "boundary": "wrap"}},
     {7: ["7"]}),
    ("signal, valid and stride", (997,), "float32",
     {"stencil": {"mask": "1 2 3 4 5 6", "extent": "valid", "stride": 7}}, {6: ["6"]}),
    ("signal, full and stride, stretched beyond itself", (37,), "float64",
     {"stencil": {"mask": "gaussian", "sigma": 12, "extent": "full", "stride": 2, "boundary": "reflect"}}, {4: ["4"]}),
    ("more ranks than points", (3,), "float32", {"stencil": {"mask": "1 2 1"}}, {}),
    ("grid, dense mask", (61, 47), "float32",
     {"stencil": {"mask": "1 2 0; 0 3 -1; 5 0 7; 1 1 2", "boundary": "nearest wrap"}},
     {2: ["2x1", "1x2"], 4: ["4x1", "1x4", "2x2"], 6: ["2x3", "3x2", "6x1"], 7: ["7x1", "1x7"]}),
    ("grid, separable", (83, 90), "float64", {"stencil": {"mask": "gaussian", "rank": 2, "sigma": "3 1.5"}},
     {4: ["2x2", "4x1"], 6: ["3x2", "1x6"]}),
    ("grid, mask wider than a subdomain", (19, 23), "float32",
     {"stencil": {"mask": "box", "rank": 2, "size": "15 21", "boundary": "mirror reflect"}},
     {6: ["6x1", "2x3"], 7: ["7x1", "1x7"]}),
    ("grid, sum of separable masks", (61, 70), "float32", {"stencil": {"mask": SUM, "steps": 2}},
     {4: ["2x2", "4x1"], 6: ["3x2", "1x6"], 7: ["7x1"]}),
    ("grid, full and stride", (31, 29), "float32",
     {"stencil": {"mask": "1 2 3; 4 5 6", "extent": "full", "stride": "3 2", "boundary": "constant", "boundary_value": -4}},
     {4: ["2x2", "1x4"], 6: ["3x2"]}),
    ("grid, fewer rows than ranks", (2, 300), "float32", {"stencil": {"mask": "laplace", "rank": 2}}, {2: ["2x1"]}),
    ("grid, many steps", (40, 41), "float64",
     {"stencil": {"mask": "0 1 0; 1 -3.9 1; 0 1 0", "steps": 9, "boundary": "wrap"}}, {4: ["2x2"], 6: ["2x3"]}),
    ("grid, missing points", (57, 64), "float32",
     {"missing": {"value": "nan", "policy": "renormalize"}, "stencil": {"mask": "gaussian", "rank": 2, "sigma": 2}},
     {4: ["2x2"], 6: ["3x2"]}),
    ("stack along its last axis", (5, 7, 120), "int16", {"input": {"axis": -1}, "stencil": {"mask": "-1 0 1"}}, {}),
    ("stack along its middle axis", (5, 44, 9), "float32",
     {"input": {"axis": 1}, "stencil": {"mask": "gaussian", "rank": 1, "sigma": 4, "stride": 3}}, {}),
    ("stack along its first axis", (70, 11), "uint8", {"input": {"axis": 0}, "stencil": {"mask": "1 1 1 1"}}, {}),
    ("stack of grids, chain", (9, 20, 21), "float32",
     {"stencil.smooth": {"mask": "box", "rank": 2, "size": 5}, "stencil.slope": {"mask": "sobel", "rank": 2}}, {}),
    ("chunked output", (120, 130), "int16",
     {"output": {"chunk": "32x40"}, "stencil": {"mask": "box", "rank": 2, "size": 3}}, {4: ["1x4", "2x2"]}),
    ("chunked and compressed output", (120, 130), "float32",
     {"output": {"chunk": "32x40", "compression": "gzip:4"}, "stencil": {"mask": "box", "rank": 2, "size": 3}},
     {4: ["1x4", "2x2"], 6: ["6x1", "2x3"]}),
    ("compressed output, chunks of about 1 MiB", (700, 900), "float64",
     {"output": {"compression": "gzip:9"}, "stencil": {"mask": "sobel", "rank": 2}}, {4: ["1x4"]}),
]


def values(shape, dtype, with_gaps):
    """Values such that every point differs from its neighbours, so that any swapped or shifted points are detected."""
    index = np.arange(np.prod(shape)).reshape(shape)
    data = (index * 7919 % 100003).astype(dtype)
    if with_gaps:
        data[index % 11 == 0] = np.nan
    return data


def bytes_of(folder, case, ranks, decomposition, number):
    """Returns a hash of the output's bytes or, if the run fails, the error."""
    name, _, _, extra, _ = case
    place = folder / str(number)
    place.mkdir()
    (place / "in.h5").symlink_to(folder / "in.h5")
    sections = {"input": {"file": "in.h5", "dataset": "/data"}, "output": {"file": "out.h5"}}
    for section, keys in extra.items():
        sections[section] = {**sections.get(section, {}), **keys}
    sections["run"] = {"decomposition": decomposition}
    outcome = run(place, ini(sections), ranks)
    if outcome.status != 0:
        return outcome.unexpected()
    return hashlib.sha256((place / "out.h5").read_bytes()).hexdigest()


def runs_of(case):
    """Returns (ranks, decomposition) of the runs of a case. The first run has one rank, and all others are compared with it. The quick test
    makes only a third of the others."""
    runs = [(ranks, word) for ranks in RANKS[1:] for word in ["auto", *case[-1].get(ranks, [])]]
    return [(1, "auto"), *in_turn(runs, (len(runs) + 2) // 3)]


def check_case(case, runs):
    """Returns the number of runs, and one line for each run whose file differs from the file of a single rank."""
    name, shape, dtype, extra, _ = case
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with h5py.File(folder / "in.h5", "w") as file:
            file["data"] = values(shape, dtype, "missing" in extra)
        files = [bytes_of(folder, case, *words, number) for number, words in enumerate(runs)]
    wrong = [f"{name}: 1 rank: {files[0]}"] if " " in files[0] else []
    for (ranks, word), content in zip(runs, files):
        if content != files[0]:
            what = content if " " in content else "bytes that differ from those of 1 rank"
            wrong.append(f"{name}, {ranks} ranks, decomposition {word}: {what}")
    return len(runs), wrong


with ThreadPoolExecutor(2) as workers:
    results = list(workers.map(check_case, CASES, map(runs_of, CASES)))
wrong = [line for _, lines in results for line in lines]
print("\n".join(wrong) or f"{sum(n for n, _ in results)} runs of {len(CASES)} cases: the same bytes each")
sys.exit(1 if wrong else 0)
