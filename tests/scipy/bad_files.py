"""The input files of bad_inputs.py: one correct file and many faulty ones."""

import h5py
import numpy as np


def good(path):
    with h5py.File(path, "w") as file:
        file["signal"] = np.arange(500.0)
        file["grid"] = np.arange(24.0 * 30).reshape(24, 30).astype(np.float32)
        file["stack"] = np.zeros((3, 24, 30), np.float32)
        file["whole"] = np.arange(500, dtype=np.int16)
        file["gaps"] = np.where(np.arange(500) % 50 == 7, np.nan, 1.0)
        timed = file.create_dataset("timed", data=np.arange(500.0))
        timed.attrs["Xspacing"] = 0.01
        file.create_group("group")
        file["group/inner"] = np.zeros(10)
        file["empty"] = np.zeros((0, 5))
        file["scalar"] = 3.0
        file["nothing"] = h5py.Empty("f8")
        file["words"] = np.array([b"a", b"b"])
        file["text"] = "some text"
        file["pairs"] = np.zeros(9, dtype=[("x", "f8"), ("y", "i4")])
        file["complex"] = np.zeros(9, np.complex128)
        file["flags"] = np.zeros(9, bool)
        colours = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 2}, basetype="i1")
        file.create_dataset("colours", data=np.zeros(9, "i1"), dtype=colours)
        file.create_dataset("packed_by_lzf", data=np.arange(500.0), compression="lzf")
        file["mask1"] = np.ones(5)
        file["mask3"] = np.ones((2, 3, 3))
        file["mask4"] = np.ones((2, 2, 3, 3))
        file["mask_nan"] = np.array([1.0, np.nan, 1.0])
        file["mask_wide"] = np.ones(1001)
        file["dangling"] = h5py.SoftLink("/nowhere")
        file["loop"] = h5py.SoftLink("/loop")
        file["outside"] = h5py.ExternalLink("other.h5", "/data")
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((10, 10))
        creation.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        h5py.h5d.create(file.id, b"unwritten", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((100, 100)), creation)


def virtual(folder):
    for name, source in (("virtual_missing.h5", "gone.h5"), ("virtual_outside.h5", "/etc/gone.h5")):
        with h5py.File(folder / name, "w", libver="latest") as file:
            layout = h5py.VirtualLayout(shape=(100,), dtype="f8")
            layout[:] = h5py.VirtualSource(source, "data", shape=(100,))
            file.create_virtual_dataset("data", layout)


def external(folder):
    """A dataset whose points are in an external file, which exists on every system."""
    with h5py.File(folder / "external.h5", "w") as file:
        file.create_dataset("data", shape=(64,), dtype="u1", external=[("/etc/hostname", 0, 64)])


def huge(folder):
    """Writes 32 MiB of small integers, which compress to a few KiB; converted to float64 they have 256 MiB."""
    with h5py.File(folder / "huge.h5", "w") as file:
        file.create_dataset("data", shape=(1 << 25,), dtype="i1", chunks=(1 << 20,), compression="gzip")
        for start in range(0, 1 << 25, 1 << 22):
            file["data"][start : start + (1 << 22)] = 1


def being_written(folder):
    """Makes a copy of a file while a program still writes it, in HDF5's mode in which other programs may read the file (SWMR)."""
    with h5py.File(folder / "growing.h5", "w", libver="latest") as file:
        file["signal"] = np.arange(500.0)
        file.swmr_mode = True
        file.flush()
        (folder / "being_written.h5").write_bytes((folder / "growing.h5").read_bytes())


def damaged(folder):
    whole = (folder / "good.h5").read_bytes()
    (folder / "truncated.h5").write_bytes(whole[: len(whole) // 2])
    (folder / "short.h5").write_bytes(whole[:-1])
    (folder / "signature.h5").write_bytes(whole[:8])
    (folder / "zeros.h5").write_bytes(bytes(4096))
    (folder / "nothing.h5").write_bytes(b"")
    (folder / "text.h5").write_text("time, strain\n0, 1\n" * 100)
    with h5py.File(folder / "other.h5", "w") as file:
        file["data"] = np.zeros(100)
    with h5py.File(folder / "mask.h5", "w") as file:
        file["mask"] = np.ones(3)


def make_files(folder):
    good(folder / "good.h5")
    damaged(folder)
    virtual(folder)
    external(folder)
    huge(folder)
    being_written(folder)
    (folder / "folder.h5").mkdir()
