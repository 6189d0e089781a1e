"""Damaged files of every kind: stencil_run refuses them with one line, or computes the numbers that h5py reads from them.

mutations.py [--first N] [--count N] [--kind NAME] [--keep FOLDER]

Each number gives a different damaged file: an intact file of mutant_kinds.py with a few changed bytes. The mask is 1, so the output
must equal the input. If the program ends with status 0, its numbers are compared with those that h5py reads from the same file.
Every file is run and read twice, with memory that is filled with different bytes, so that uninitialised bytes are detected. (In the
quick test the intact files, and the files that caused faults in earlier versions, are run only once.)
"""

import argparse
import collections
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scipy"))
from program import HUNG, THOROUGH, in_turn, ini, run  # noqa: E402

from h5_reader import Reader  # noqa: E402
from mutant_kinds import DATASET, KINDS, make_kinds  # noqa: E402
from mutate import checksummed_blocks, mutate, places  # noqa: E402

LIMIT = 30  # seconds for one run
POISONS = (85, 170)  # bytes that fill memory before it is written
KNOWN = pathlib.Path(__file__).resolve().parent.parent / "data"  # files that have caused faults in earlier versions
# Each run on these files computes for 10 s until the program refuses the file. The quick run leaves these files out; the test odd_files
# reads the first of them.
SLOW = ("attributes_slow.h5", "virtual_slow.h5")


# Damage that HDF5 refuses although it does not affect reading; the output must then be that of the undamaged file. The level of
# compression is only for writers: the program unpacks chunks without HDF5, and the checksum and size of the stream must be
# correct. (The second text is the message of h5py if the level is missing.)
NOT_NEEDED = ("invalid deflate aggression level", "tuple index out of range")


def config(dataset):
    """A configuration that copies the stored numbers, which h5py reads, too."""
    return ini({
        "input": {"file": "input.h5", "dataset": dataset, "packed": "stored"},
        "missing": {"value": "none"},
        "output": {"file": "output.h5"},
        "stencil": {"mask": "1", "method": "direct"},
        "run": {"backend": "cpu", "memory": "1GiB"},
    })


def raw_ranges(path):
    """(start, size) of the stored points of every dataset of an undamaged file."""
    ranges = []

    def add(_, data):
        if isinstance(data, h5py.Dataset) and data.chunks:
            chunks = [data.id.get_chunk_info(i) for i in range(data.id.get_num_chunks())]
            ranges.extend((chunk.byte_offset, chunk.size) for chunk in chunks)
        elif isinstance(data, h5py.Dataset) and data.id.get_offset() is not None:
            ranges.append((data.id.get_offset(), data.id.get_storage_size()))

    with h5py.File(path, "r") as file:
        file.visititems(add)
    return ranges


def decisive_ranges(path):
    """(start, size) of structures that determine where the points are: object headers of datasets, old-style trees of chunks, heaps."""
    with h5py.File(path, "r") as file:
        found = []
        file.visititems(lambda _, it: found.append(h5py.h5o.get_info(it.id)) if isinstance(it, h5py.Dataset) else None)
    ranges = [(info.addr, min(info.hdr.space.total, 400)) for info in found]
    return ranges + [(match.start(), 250) for match in re.finditer(rb"TREE\x01|GCOL", path.read_bytes())]


class Sound:
    """The bytes of an undamaged file, and the positions at which a change has an effect."""

    def __init__(self, path):
        self.kind, self.name = path.parent.name, path.name
        self.data = path.read_bytes()
        self.blocks = checksummed_blocks(self.data)
        self.places = places(self.data, raw_ranges(path), self.blocks)
        decisive = [range(start, start + size) for start, size in decisive_ranges(path)]
        self.decisive = [at for at in self.places if any(at in within for within in decisive)]


def same(ours, theirs):
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.dtype.kind in "fc" and theirs.dtype.kind in "fc":
        return ours.shape == theirs.shape and np.array_equal(ours, theirs, equal_nan=True)
    return ours.shape == theirs.shape and bool(np.all(ours == theirs))


def wrong_values(output, reading):
    """Describes how an output differs from the values that h5py reads from its input."""
    wanted = reading.values
    if wanted.dtype.kind not in "iuf":
        return [f"{wanted.dtype} was taken for numbers"]
    if output.values.shape != wanted.shape:
        return [f"shape {output.values.shape}, and h5py reads {wanted.shape}"]
    with np.errstate(all="ignore"):
        wanted = wanted.astype(output.values.dtype)
    if not same(output.values, wanted):
        return [f"values: {output.values.ravel()[:3]} ..., and h5py reads {wanted.ravel()[:3]} ..."]
    wrong = []
    for axis, values in reading.scales.items():
        if axis in output.scales and not same(output.scales[axis], values):
            wrong.append(f"scale of axis {axis}: {output.scales[axis]}, and h5py reads {values}")
    for name, value in reading.attributes.items():
        made = ("DIMENSION_LIST", "REFERENCE_LIST")
        ours = output.attributes.get(name)
        if name == "DIMENSION_LABELS" and ours is not None:  # the output has one label for each axis
            ours, value = ours.ravel()[:value.size], value.ravel()[:ours.size]
        if ours is not None and name not in made and not same(ours.ravel(), value.ravel()):
            wrong.append(f"attribute {name}: {ours!r}, and h5py reads {value!r}")
    return wrong


def ends_early(path):
    """Returns whether a file is longer than its superblock states; HDF5 reads the bytes beyond the stated end as zeros."""
    data = path.read_bytes()
    at = {0: 40, 1: 44}.get(data[8], 28)
    return int.from_bytes(data[at:at + 8], "little") < len(data)


def wrong_output(folder, readers, dataset, sound):
    """Checks output.h5 of a run that ended with status 0. Returns the complaints."""
    output = readers[0].read(folder / "output.h5", dataset, list_all=True)
    if output is None or output.refusal:
        return [f"h5py cannot read the output: {output.refusal if output else 'it crashed'}"]
    if output.unreadable:
        return [f"h5py cannot list the output: {'; '.join(output.unreadable)}"]
    first, second = (reader.read(folder / "input.h5", dataset) for reader in readers)
    if first is None and second is None:
        return []  # h5py crashed or hung, so there are no values to compare with
    if first is None or second is None or bool(first.refusal) != bool(second.refusal):
        return ["h5py reads it at one time and does not at another"]
    if first.refusal and any(words in first.refusal for words in NOT_NEEDED):
        first = second = readers[0].read(sound, dataset)
    if first.refusal:
        return [f"h5py refuses it: {first.refusal}"]
    if first.values.tobytes() != second.values.tobytes():
        return ["h5py reads memory that nobody wrote"]
    second.attributes = {name: value for name, value in second.attributes.items()
                         # attributes for which both readings of h5py are equal
                         if same(value, first.attributes.get(name, ()))}
    wrong = wrong_values(output, second)
    if wrong and any(map(ends_early, folder.glob("*.h5"))):
        return wrong_values(output, readers[0].read(sound, dataset))
    return wrong


def wrong_ending(outcome, left):
    """Returns complaints about a single run whose behaviour differs from the documented behaviour."""
    if outcome.status == HUNG:
        return [f"ran longer than {LIMIT} s"]
    wrong = []
    if outcome.status not in (0, 2, 3):
        wrong.append(outcome.unexpected())
    own = [line for line in outcome.stderr.splitlines() if line.startswith("stencil_run:")]
    if len(own) != (outcome.status != 0) or outcome.errors != own:
        wrong.append(f"stderr: {outcome.errors}")
    if left != {"output.h5"} and (left or outcome.status == 0):
        wrong.append(f"left behind: {left or 'no output'}")
    return wrong


def run_with(poisons, folder, dataset):
    """Runs the program in a folder once for each of the bytes `poisons`. Returns the complaints, and the status and the printed lines of
    the first run. The file output.h5 is kept."""
    wrong, statuses, outputs, words = [], [], [], ""
    before = {path.name for path in folder.iterdir()} | {"config.ini"}
    for poison in poisons:
        start = time.monotonic()
        (folder / "output.h5").unlink(missing_ok=True)
        outcome = run(folder, config(dataset), limit=LIMIT, arguments=("--progress", "none"),
                      more_environment={"MALLOC_PERTURB_": str(poison), "OMP_NUM_THREADS": "1"}.items())
        left = {path.name for path in folder.iterdir()} - before
        wrong += wrong_ending(outcome, left)
        statuses.append(outcome.status)
        outputs.append((folder / "output.h5").read_bytes() if "output.h5" in left else b"")
        words = words or f"{time.monotonic() - start:.1f} s, {' '.join(outcome.errors)}"
    if outputs[0] and len(set(outputs)) > 1 or len(set(statuses)) > 1:
        wrong.append(f"two runs differ: statuses {statuses}")
    return list(dict.fromkeys(wrong)), statuses[0], words


def try_file(folder, readers, sound, dataset=DATASET, poisons=POISONS):
    """Returns (complaints, exit status, printed lines) for a folder with a file input.h5. sound: the undamaged file."""
    wrong, status, words = run_with(poisons, folder, dataset)
    if (folder / "output.h5").exists():
        wrong += wrong_output(folder, readers, dataset, sound)
    return wrong, status, words


class Trials:
    """Runs on damaged files, two at a time, each with its own readers."""

    def __init__(self, kinds, kept):
        self.kinds, self.kept = kinds, kept
        self.sound = [[Sound(path) for path in sorted((kinds / name).iterdir())] for name in KINDS]
        self.readers = SimpleQueue()
        self.all_readers = [[Reader(poison) for poison in POISONS] for _ in range(2)]
        for pair in self.all_readers:
            self.readers.put(pair)

    def close(self):
        for reader in (reader for pair in self.all_readers for reader in pair):
            reader.close()

    def damage(self, number, folder):
        """Writes the damaged file of a number to a folder. Returns its kind and a description of the damage."""
        chance = random.Random(number)
        sound = chance.choice(self.sound[number % len(self.sound)])
        shutil.copytree(self.kinds / sound.kind, folder, dirs_exist_ok=True)
        data, words = mutate(chance, sound.data, sound.decisive if chance.random() < 0.4 else sound.places, sound.blocks)
        (folder / sound.name).write_bytes(data)
        return sound.kind, f"{sound.kind}/{sound.name}: {words}"

    def attempt(self, number):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            kind, done = self.damage(number, folder)
            readers = self.readers.get()
            try:
                wrong, status, words = try_file(folder, readers, self.kinds / kind / "input.h5")
            finally:
                self.readers.put(readers)
            if self.kept:
                shutil.copytree(folder, self.kept / str(number), dirs_exist_ok=True)
            return number, kind, done, wrong, status, words

    def sound_ones(self):
        """Returns complaints about the undamaged files, all of which the program must read."""
        for name in KINDS:
            with tempfile.TemporaryDirectory() as place:
                shutil.copytree(self.kinds / name, place, dirs_exist_ok=True)
                wrong, status, words = try_file(pathlib.Path(place), self.all_readers[0], self.kinds / name / "input.h5",
                                                poisons=in_turn(POISONS))
                yield from (f"{name}, sound: {complaint}" for complaint in wrong)
                if status != 0:
                    yield f"{name}, sound: status {status}: {words}"

    def known_ones(self):
        """Returns complaints about the files that have caused faults in earlier versions."""
        for path in sorted(KNOWN.glob("*.h5")):
            if path.name in SLOW and not THOROUGH:
                continue
            with tempfile.TemporaryDirectory() as place:
                shutil.copy(path, pathlib.Path(place) / "input.h5")
                with h5py.File(path, "r") as file:
                    dataset = DATASET if DATASET in file else "/x"
                wrong = try_file(pathlib.Path(place), self.all_readers[0], path, dataset)[0]
                yield from (f"{path.name}: {complaint}" for complaint in wrong)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--kind", choices=KINDS, help="only numbers of this kind")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the damaged files and outputs")
    parser.add_argument("--verbose", action="store_true", help="say of every number how it ended")
    return parser.parse_args()


def main(asked):
    numbers = [number for number in range(asked.first, asked.first + asked.count)
               if asked.kind is None or list(KINDS)[number % len(KINDS)] == asked.kind]
    print(f"damaged files {asked.first} to {asked.first + asked.count - 1}; one again: mutations.py --first N --count 1")
    statuses, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as kinds, ThreadPoolExecutor(2) as workers:
        make_kinds(pathlib.Path(kinds))
        trials = Trials(pathlib.Path(kinds), asked.keep)
        try:
            broken = [] if asked.count == 1 else [*trials.sound_ones(), *trials.known_ones()]
            for complaint in broken:
                print(complaint, flush=True)
            for number, kind, done, wrong, status, words in workers.map(trials.attempt, numbers):
                statuses[kind, status] += 1
                failed += bool(wrong)
                if wrong or asked.verbose:
                    print(f"{number} {done}\n    {'; '.join(wrong)} (status {status}, {words})", flush=True)
        finally:
            trials.close()
    for kind in sorted({kind for kind, _ in statuses}):
        print(f"{kind}: {', '.join(f'status {s}: {n}' for (k, s), n in sorted(statuses.items()) if k == kind)}")
    print(f"{len(numbers) - failed} of {len(numbers)} damaged files ended as promised ({len(KINDS)} kinds)")
    return 1 if failed or broken or not numbers else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
