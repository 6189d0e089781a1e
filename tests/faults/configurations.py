"""Damaged configurations: `stencil_run --check` either accepts each of them or refuses it with one line, within a short time
and with little memory.

configurations.py [--first N] [--count N] [--verbose]

Each number gives a different configuration: stages with masks and their keys, whose values range from small to absurd. In half of
the configurations keys are also swapped, repeated, added and dropped, values are huge or absurd, or bytes are damaged.
"""

import argparse
import collections
import pathlib
import random
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scipy"))
from program import HUNG, run  # noqa: E402

LIMIT = 20  # seconds for one run
MEMORY = 4 << 30

NUMBERS = (
    "0 1 -1 2 3 7 64 1000 65537 1e5 1e6 1e9 2147483647 2147483648 4294967296 1e15 4611686018427387904"
    " 9223372036854775807 9223372036854775808 -9223372036854775808 18446744073709551616 1e300 1e308 1e309 1e-300"
    " 4e-324 -0 0.5 nan inf -inf 0x10 1e 1_000 12345678901234567890123456789012345678901234567890"
).split()
WORDS = (
    "auto none nan attribute true false float16 float32 float64 int8 int64 uint64 gzip:1 gzip:9 gzip:10 reflect mirror"
    " wrap zero constant clamp same valid full direct separable fft correlate convolve gaussian box laplace sobel prewitt"
    " lowpass highpass bandpass savgol hann blackman kaiser propagate renormalize fill cpu host mpi 4GiB 1 1e9GiB"
    " 16777216TiB 2x2 1000000x1000000 99999999999x99999999999 0x0 -1x4 in.h5 in.h5:/mask4 in.h5:/nothing /grid /"
    " ../in.h5 out.h5 /dev/null /nowhere/out.h5"
).split()
# Values for each key, from small to absurd: most of these values are accepted, and a plan is made.
PLAUSIBLE = {
    "file": "out.h5", "dataset": "/signal|/grid|/whole|/stack|/mask4",
    "axis": "-1|0|1|2|-2|-3", "sampling_rate": "1|100|0.001|1e9|1e-300|1e300|auto",
    "dtype": "auto|float32|float64|int8|int16|uint16|int64|uint64|float16",
    "chunk": "none|1|1x1|8x16|40x50|65536x65536|4294967296x1|500|2x3x20x20|1x1x1x1", "compression": "none|gzip:1|gzip:9",
    "overwrite": "true|false", "value": "none|nan|attribute|-999|0|1e300|1e-300", "policy": "propagate|renormalize|fill",
    "min_valid": "0|0.5|1|1e-300", "fill_value": "0|1e300|nan|-inf", "operation": "correlate|convolve",
    "mask": "1|1 2 1|1 2 1;|1e300 1e300 1e300|1e-300 1|0 1 0; 1 -4 1; 0 1 0|0 0 0|in.h5:/mask4|in.h5:/grid|in.h5:/signal",
    "groups": "1|2|3|1000000|4611686018427387904", "rank": "1|2",
    "boundary": "reflect|mirror|wrap|zero|constant|nearest|wrap zero|mirror reflect", "boundary_value": "0|1e308|nan|-inf",
    "extent": "same|valid|full", "origin": "0|1|-1|5|0 1|-20 20|1000000000", "method": "auto|direct|separable|fft",
    "stride": "1|2|7|1 3|49|1000|9223372036854775807",
    "steps": "1|2|7|1e3|1e6|1e9|2147483648|4611686018427387904|9223372036854775807", "precision": "auto|float32|float64",
    "decomposition": "auto|1|1x1|1x1x1", "memory": "auto|1|1KiB|64MiB|4GiB|1000000TiB", "backend": "auto|cpu",
    "transport": "auto|host|mpi",
    "sigma": "0.1|1|2 3|7.5|300|1e3|1e5|1e6|1e9|1e18|1e300|1e-300|2 s|100 km|1e300 m|-1 km", "order": "0|1|2|3|0 1|10|100|1e9",
    "truncate": "4|0|1e-9|0.5|100|1e9|1e300", "size": "1|3|4|11|3 5|1001|1e6|1e9|4294967296|9223372036854775807",
    "taps": "3|51|101|102|4001|1e6|1e9|2147483648|9223372036854775807",
    "cutoff": "5 20|5|49.9999|1e-300 49.9999|20 5|10 10|1e300", "window": "hamming|hann|blackman|boxcar",
    "polyorder": "0|1|3|10|60|1000|1e9", "deriv": "0|1|2|3|10|1e9", "delta": "1|0.5|0|-1|2 3|1e-300|1e300|coordinates",
}
KEYS = list(PLAUSIBLE)
FAMILIES = {  # masks by name, with their keys
    "gaussian": "sigma order truncate delta rank", "box": "size rank", "laplace": "rank", "sobel": "axis", "prewitt": "axis",
    "lowpass": "taps cutoff window", "highpass": "taps cutoff window", "bandpass": "taps cutoff window",
    "savgol": "size polyorder deriv delta",
}
NEEDED = {"gaussian": "sigma", "box": "size", "savgol": "size polyorder"} | dict.fromkeys(
    ("lowpass", "highpass", "bandpass"), "taps cutoff")
OF_STAGES = "operation boundary boundary_value extent origin stride steps method".split()
SECTIONS = "input output missing stencil stencil.new stencil.part0 run".split()


def make_input(path):
    with h5py.File(path, "w") as file:
        file["signal"] = np.sin(np.arange(3000.0))
        file["grid"] = np.arange(40.0 * 50).reshape(40, 50).astype(np.float32)
        file["whole"] = np.arange(500, dtype=np.int16)
        file["stack"] = np.zeros((2, 3, 20, 20), np.float32)
        file["mask4"] = np.ones((2, 3, 3, 3))


def some_value(chance, key=None):
    """Returns a keyword, a number, or several of these as in lists and masks; for a given key, mostly a value that the key can have."""
    kind = chance.random()
    if key in PLAUSIBLE and chance.random() < 0.85:
        return chance.choice(PLAUSIBLE[key].split("|"))
    if kind < 0.45:
        return chance.choice(NUMBERS)
    if kind < 0.7:
        return chance.choice(WORDS)
    if kind < 0.75:
        return chance.choice(("1 " * 3000, "1 1; " * 400 + "1 1", "x" * 5000, "9" * 400, "1; 2; 3", ";;", "1 2; 3"))
    return chance.choice((" ", ", ", "x", "; ")).join(chance.choice(NUMBERS) for _ in range(chance.randint(2, 4)))


def line_of(chance, key):
    return f"{key} = {chance.choice(PLAUSIBLE[key].split('|'))}"


def stage(chance, name):
    """The lines of a stage: a mask by name or by its taps, with the keys that it needs and some other keys."""
    if chance.random() < 0.3:
        keys, lines = [], [line_of(chance, "mask")]
    else:
        mask = chance.choice(list(FAMILIES))
        needed = NEEDED.get(mask, "").split()
        keys = [key for key in FAMILIES[mask].split() if key in needed or chance.random() < 0.4]
        lines = [f"mask = {mask}"]
    keys += [key for key in OF_STAGES if chance.random() < 0.12]
    return [f"[{name}]", *lines, *(line_of(chance, key) for key in keys)]


def configuration(chance):
    """The lines of a configuration in which all keys exist and are in the right section, with any values."""
    lines = ["[input]", "file = in.h5", line_of(chance, "dataset"), "sampling_rate = 100", "[output]", "file = out.h5"]
    lines += [line_of(chance, key) for key in ("dtype", "chunk", "compression") if chance.random() < 0.15]
    if chance.random() < 0.2:
        lines += ["[missing]", "value = -999", line_of(chance, "policy")]
    count = chance.choice((1, 1, 1, 2, 3))
    for number in range(count):
        lines += stage(chance, f"stencil.part{number}")
    if chance.random() < 0.3:
        lines += ["[run]", line_of(chance, chance.choice(("precision", "decomposition", "memory", "transport")))]
    return lines


def damage_words(chance, lines):
    """Replaces the value of a key that exists."""
    places = [i for i, line in enumerate(lines) if "=" in line]
    if places:
        at = chance.choice(places)
        key = lines[at].split("=")[0].strip()
        lines[at] = f"{key} = {some_value(chance, key)}"


def swap_words(chance, lines):
    places = [i for i, line in enumerate(lines) if "=" in line]
    if len(places) > 1:
        a, b = chance.sample(places, 2)
        (key_a, _, value_a), (key_b, _, value_b) = (lines[i].partition("=") for i in (a, b))
        lines[a], lines[b] = f"{key_a}={value_b}", f"{key_b}={value_a}"


def add_key(chance, lines):
    """Adds a key to a section, possibly a key that already exists or that belongs to another section."""
    key = chance.choice(KEYS)
    lines.insert(chance.randint(1, len(lines)), f"{key} = {some_value(chance, key)}")


def add_section(chance, lines):
    key = chance.choice(KEYS)
    lines += [f"[{chance.choice(SECTIONS)}]", f"{key} = {some_value(chance, key)}"]


def repeat_line(chance, lines):
    lines.insert(chance.randint(0, len(lines)), chance.choice(lines))


def drop_line(chance, lines):
    if len(lines) > 1:
        del lines[chance.randrange(len(lines))]


def many_stages(chance, lines):
    count = chance.choice((2, 20, 300))
    for number in range(count):
        lines += [f"[stencil.more{number}]", "mask = box", f"size = {chance.choice(('3', '101', some_value(chance, 'size')))}"]


CHANGES = [damage_words] * 14 + [swap_words, add_key, add_key, add_section, repeat_line, drop_line, many_stages]


def damage_bytes(chance, text):
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        chance.choice((
            lambda: data.__setitem__(at, chance.randrange(256)),
            lambda: data.insert(at, chance.choice(b"[]=;#\"'\n\r\t -+.,:x09eN\\/\x00\x1b\xff")),
            lambda: data.__delitem__(slice(at, at + chance.randint(1, 12))) if len(data) > 20 else None,
        ))()
    return bytes(data)


def damaged(number):
    """The configuration with a given number, as bytes, and its command-line options."""
    chance = random.Random(number)
    lines = configuration(chance)
    for _ in range(chance.choice((0, 0, 0, 0, 1, 1, 2, 4))):
        chance.choice(CHANGES)(chance, lines)
    text = "\n".join(lines) + "\n"
    options = []
    if chance.random() < 0.1:
        section, key = chance.choice(SECTIONS), chance.choice(KEYS)
        options = [f"--{section}.{key}={some_value(chance, key)}"] if chance.random() < 0.8 else [f"--{section}.{key}"]
    data = damage_bytes(chance, text) if chance.random() < 0.1 else text.encode()
    return data, options


def largest_memory():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def attempt(number):
    """Tries one number. Returns (number, exit status, complaints, the tried configuration and the printed lines)."""
    data, options = damaged(number)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        make_input(folder / "in.h5")
        sound = (folder / "in.h5").read_bytes()
        (folder / "config.ini").write_bytes(data)
        before, memory, start = {path.name for path in folder.iterdir()}, largest_memory(), time.monotonic()
        outcome = run(folder, None, limit=LIMIT, arguments=("config.ini", "--check", *options))
        seconds = time.monotonic() - start
        wrong = wrong_ending(outcome)
        if (after := largest_memory()) > MEMORY and after > memory:
            wrong.append(f"{after >> 20} MiB of memory")  # the peak of this run, or of another run at the same time
        if left := {path.name for path in folder.iterdir()} ^ before:
            wrong.append(f"left behind or removed: {left}")
        if (folder / "in.h5").read_bytes() != sound or (folder / "config.ini").read_bytes() != data:
            wrong.append("an input was changed")
    tried = f"{' '.join(options)} ({seconds:.1f} s) {' '.join(outcome.errors)}"
    return number, outcome.status, wrong, tried


def wrong_ending(outcome):
    if outcome.status == HUNG:
        return [f"ran longer than {LIMIT} s"]
    wrong = []
    if outcome.status not in (0, 2, 3, 4):
        wrong.append(outcome.unexpected())
    own = [line for line in outcome.stderr.splitlines() if line.startswith("stencil_run:")]
    if len(own) != (outcome.status != 0) or outcome.errors != own:
        wrong.append(f"stderr: {outcome.errors}")
    if any(len(line) > 2000 or not line.isprintable() for line in own):
        wrong.append("a line that is too long, or cannot be printed")
    return wrong


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--verbose", action="store_true", help="say of every number how it ended")
    return parser.parse_args()


def main(asked):
    last = asked.first + asked.count - 1
    print(f"damaged configurations {asked.first} to {last}; one again: configurations.py --first N --count 1")
    statuses, failed = collections.Counter(), 0
    with ThreadPoolExecutor(2) as workers:
        for number, status, wrong, tried in workers.map(attempt, range(asked.first, last + 1)):
            statuses[status] += 1
            failed += bool(wrong)
            if wrong or asked.verbose or asked.count == 1:
                print(f"{number} status {status}: {'; '.join(wrong)} {tried}", flush=True)
            if wrong or asked.count == 1:
                print(damaged(number)[0].decode(errors="replace")[:3000], flush=True)
    print(", ".join(f"status {status}: {count}" for status, count in sorted(statuses.items())))
    print(f"{asked.count - failed} of {asked.count} damaged configurations ended as promised")
    if asked.count > 50 and len(statuses) < 2:
        print("all ended alike: the damage tells nothing")
        return 1
    return 1 if failed or not asked.count else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
