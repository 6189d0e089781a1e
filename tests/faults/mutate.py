"""Damages the bytes of an HDF5 file: changes a few bytes, sets a range to zero, or cuts off the end.

Blocks of the newer format end with a checksum, so a damaged block is refused at once. Therefore half of the damage looks like
that of a faulty writer: the checksums are correct for the damaged bytes.
"""

import re

import numpy as np

SIGNATURES = re.compile(
    rb"\x89HDF\r\n\x1a\n|OHDR|OCHK|BTHD|BTLF|BTIN|FRHP|FHIB|FSHD|FSSE|FAHD|FADB|EAHD|EAIB|EASB|EADB|SMTB|SMLI"
)
LONGEST_BLOCK = 3000  # bytes; longer blocks of small files are mostly empty


def turned(word, bits):
    return (word << np.uint32(bits)) | (word >> np.uint32(32 - bits))


def mix(a, b, c):
    for bits in (4, 6, 8, 16, 19, 4):
        a = (a - c) ^ turned(c, bits)
        c = c + b
        a, b, c = b, c, a
    return a, b, c


def final(a, b, c):
    for bits in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - turned(b, bits)
        a, b, c = b, c, a
    return b


def checksums(data, lengths):
    """HDF5's checksum (Jenkins' lookup3) of the first n bytes, for every n in lengths (each at least 1)."""
    lengths = np.asarray(lengths)
    padded = -(-int(lengths.max()) // 12) * 12
    first = np.frombuffer(data[:padded].ljust(padded, b"\0"), np.uint8)
    words = np.where(np.arange(padded) < lengths[:, None], first, np.uint8(0)).view("<u4")
    a = b = c = np.uint32(0xDEADBEEF) + lengths.astype(np.uint32)
    result = np.zeros(len(lengths), np.uint32)
    for block in range(padded // 12):
        a, b, c = (state + words[:, 3 * block + i] for i, state in enumerate((a, b, c)))
        is_last = -(-lengths // 12) == block + 1
        result[is_last] = final(a[is_last], b[is_last], c[is_last])
        a, b, c = mix(a, b, c)
    return result


def checksummed_blocks(data):
    """Returns (start, end) of the blocks that end with a checksum. Every possible end of a block is tried."""
    blocks = []
    for start in (match.start() for match in SIGNATURES.finditer(data)):
        block = data[start : start + LONGEST_BLOCK + 4]
        lengths = np.arange(4, len(block) - 3)
        told = sum(np.frombuffer(block, np.uint8)[lengths + i].astype(np.uint32) << np.uint32(8 * i) for i in range(4))
        ends = lengths[checksums(block, lengths) == told]
        if len(ends):
            blocks.append((start, start + int(ends[0])))
    return blocks


def places(data, raw, blocks):
    """Returns positions at which a change has an effect: bytes outside the stored points that are not 0, or are next to a byte that is
    not 0."""
    filled = np.frombuffer(data, np.uint8) != 0
    filled = filled | np.roll(filled, 1) | np.roll(filled, -1)
    for start, size in raw:
        filled[start : start + size] = False
    for _, end in blocks:
        filled[end : end + 4] = False
    return np.flatnonzero(filled)


def change_bytes(random, data, at):
    for position in [at] + [at + random.randint(-8, 8) for _ in range(random.choice((0, 0, 1, 2)))]:
        if 0 <= position < len(data):
            data[position] = random.randrange(256)


def flip_bit(random, data, at):
    data[at] ^= 1 << random.randrange(8)


def nudge(random, data, at):
    """Changes a byte to a nearly correct value, like a wrong count or a wrong factor."""
    change = random.choice((lambda b: b + 1, lambda b: b - 1, lambda b: b * 2, lambda b: b // 2, lambda b: 255 - b))
    data[at] = change(data[at]) % 256


def swap_words(random, data, at):
    size = random.choice((1, 1, 2, 4, 8))
    other = at + random.choice((size, -size, 8, -8, 16))
    if min(at, other) >= 0 and max(at, other) + size <= len(data) and abs(at - other) >= size:
        data[at : at + size], data[other : other + size] = data[other : other + size], data[at : at + size]


def zero_range(random, data, at):
    end = min(len(data), at + random.choice((2, 4, 8, 16, 64, 512)))
    data[at:end] = bytes(end - at)


def copy_range(random, data, at):
    """Overwrites bytes with bytes from another place in the file, like an outdated block."""
    size, source = random.choice((4, 8, 24)), random.randrange(len(data))
    size = min(size, len(data) - at, len(data) - source)
    data[at : at + size] = data[source : source + size]


def cut_off(random, data, _):
    del data[random.randrange(len(data)) :]


CHANGES = [change_bytes] * 6 + [flip_bit] * 3 + [nudge] * 4 + [swap_words] * 2 + [zero_range, copy_range]


def mutate(random, sound, good, blocks):
    """A damaged copy of the bytes, and a description of the change.

    good: positions at which a change has an effect. blocks: the blocks that end with a checksum.
    """
    if random.random() < 0.02:
        data = bytearray(sound)
        cut_off(random, data, 0)
        return bytes(data), f"cut off after {len(data)} of {len(sound)} bytes"
    while True:
        data = bytearray(sound)
        at = int(random.choice(good)) if random.random() < 0.9 else random.randrange(len(data))
        random.choice(CHANGES)(random, data, at)
        if data != sound:
            break
    words = changed_words(sound, data)
    if random.random() < 0.7:
        for start, end in blocks:
            if data[start:end] != sound[start:end]:
                data[end : end + 4] = int(checksums(bytes(data[start:end]), [end - start])[0]).to_bytes(4, "little")
                words += f", checksum of {start} to {end} made to fit"
    return bytes(data), words


def changed_words(sound, data):
    """Describes each run of changed bytes: position, old bytes, new bytes."""
    changed = [i for i in range(len(sound)) if sound[i] != data[i]]
    runs = []
    for i in changed:
        if runs and i - runs[-1][1] <= 4:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return "; ".join(f"{a}: {sound[a:b + 1][:16].hex()} -> {bytes(data[a:b + 1])[:16].hex()}" for a, b in runs)
