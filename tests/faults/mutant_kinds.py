"""Small intact HDF5 files of every kind that users have: each storage layout, chunk index, filter and type once.

make_kinds(folder) writes one folder for each kind, with a file input.h5 that holds /g/h/x, and further files if the kind needs
them. The bytes are always the same, so that the number of a damaged copy reproduces it.
"""

from contextlib import contextmanager

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t, h5z

DATASET = "/g/h/x"
SHAPE = (9, 14)
CHUNK = (4, 5)  # does not divide the shape, so that chunks at the edges are partial


@contextmanager
def new_file(path, latest):
    """Returns a new file of the oldest possible format, or of the latest. The file has no times of creation, with which its bytes would
    differ each time."""
    creation = h5p.create(h5p.FILE_CREATE)
    creation.set_obj_track_times(False)
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    access.set_libver_bounds(*((h5f.LIBVER_LATEST,) * 2 if latest else (h5f.LIBVER_EARLIEST, h5f.LIBVER_LATEST)))
    with h5py.File(h5f.create(bytes(path), h5f.ACC_TRUNC, fcpl=creation, fapl=access)) as file:
        yield file


def groups(file):
    """Creates /g/h, without times of creation."""
    for name in (b"/g", b"/g/h"):
        creation = h5p.create(h5p.GROUP_CREATE)
        creation.set_obj_track_times(False)
        h5py.h5g.create(file.id, name, gcpl=creation)
    return file["/g/h"]


def numbers(kind):
    """Numbers of 16 bits that differ at all points, so that a misplaced chunk is detected."""
    values = np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) * 211 - 9000
    return (values / 8 if np.dtype(kind).kind == "f" else values).astype(kind)


def chunked(kind, latest, **options):
    def make(folder):
        with new_file(folder / "input.h5", latest) as file:
            data = groups(file).create_dataset("x", data=numbers(kind), **{"chunks": CHUNK, **options})
            data.attrs["units"] = "m"
            data.attrs["sampling"] = np.array([0.5, 2.5])

    return make


def contiguous(kind, latest):
    return chunked(kind, latest, chunks=None)


def created(kind, latest, prepare, written=True):
    """Returns a function that writes a dataset whose creation property list needs settings that only h5py's low-level interface has."""

    def make(folder):
        with new_file(folder / "input.h5", latest) as file:
            creation = h5p.create(h5p.DATASET_CREATE)
            creation.set_obj_track_times(False)
            stored = h5t.py_create(np.dtype(kind)).copy()
            prepare(creation, stored)
            data = h5d.create(groups(file).id, b"x", stored, h5s.create_simple(SHAPE), creation)
            if written:
                data.write(h5s.ALL, h5s.ALL, numbers(kind))

    return make


def compact(creation, _):
    creation.set_layout(h5d.COMPACT)


def implicit(creation, _):
    creation.set_chunk(CHUNK)
    creation.set_alloc_time(h5d.ALLOC_TIME_EARLY)


def nbit(creation, stored):
    stored.set_precision(15)
    creation.set_chunk(CHUNK)
    creation.set_filter(h5z.FILTER_NBIT, h5z.FLAG_MANDATORY)


def szip(creation, _):
    creation.set_chunk(CHUNK)
    creation.set_szip(h5z.SZIP_NN_OPTION_MASK, 8)


def virtual(folder):
    """Two files of five and four rows, and the virtual dataset of both."""

    def parts(creation, _):
        for name, rows in (("upper.h5", slice(0, 5)), ("lower.h5", slice(5, 9))):
            with new_file(folder / name, name == "upper.h5") as file:
                chunks = (2, 14) if name == "lower.h5" else None
                part = file.create_dataset("part", data=numbers("f4")[rows], chunks=chunks)
                target = h5s.create_simple(SHAPE)
                target.select_hyperslab((rows.start, 0), part.shape)
                creation.set_virtual(target, name.encode(), b"part", h5s.create_simple(part.shape))

    created("<f4", True, parts, written=False)(folder)


def described(latest):
    """Dimension scales, and attributes of all types; in the latest format so many that HDF5 uses dense storage."""

    def make(folder):
        with new_file(folder / "input.h5", latest) as file:
            group = groups(file)
            data = group.create_dataset("x", data=numbers("i2"), chunks=CHUNK, compression="gzip")
            for axis, name in enumerate(("y", "z")):
                group.create_dataset(name, data=np.arange(SHAPE[axis]) * 0.5 + axis)
                group[name].make_scale(name)
                group[name].attrs["units"] = "m"
                data.dims[axis].attach_scale(group[name])
                data.dims[axis].label = name
            group.attrs["title"] = "a group with words of varying length"
            data.attrs["words"] = ["short", "and somewhat longer", "third"]
            data.attrs.create("fixed", np.bytes_("of fixed length"))
            data.attrs["flag"] = True
            data.attrs["pair"] = np.array((1, 2.5), dtype=[("a", "i4"), ("b", "f8")])
            for number in range(12):
                data.attrs[f"number_{number}"] = np.float32(number)

    return make


KINDS = {
    "contiguous_old_big_endian": contiguous(">f8", False),
    "contiguous_latest": contiguous("<f4", True),
    "btree1": chunked("<i2", False),
    "btree1_gzip": chunked("<f4", False, compression="gzip"),
    "btree1_shuffle_gzip": chunked("<f8", False, shuffle=True, compression="gzip"),
    "btree1_fletcher32": chunked(">f4", False, fletcher32=True),
    "fixed_array": chunked("<f4", True),
    "fixed_array_gzip": chunked(">i2", True, shuffle=True, compression="gzip", fletcher32=True),
    "extensible_array": chunked("<i4", True, maxshape=(None, SHAPE[1])),
    "btree2_gzip": chunked("<f8", True, maxshape=(None, None), compression="gzip"),
    "single_chunk_gzip": chunked("<i2", True, chunks=SHAPE, compression="gzip"),
    "implicit": created("<f4", True, implicit),
    "compact": created("<i2", False, compact),
    "scaleoffset": chunked("<i4", False, scaleoffset=0),
    "nbit": created("<i2", False, nbit),
    "virtual": virtual,
    "described_old": described(False),
    "described_latest": described(True),
}
if h5z.filter_avail(h5z.FILTER_SZIP) and h5z.get_filter_info(h5z.FILTER_SZIP) & h5z.FILTER_CONFIG_ENCODE_ENABLED:
    KINDS["szip"] = created("<i2", False, szip)


def make_kinds(folder):
    for name, make in KINDS.items():
        (folder / name).mkdir()
        make(folder / name)
