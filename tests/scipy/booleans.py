"""Booleans and bit fields in inputs and in masks are read as numbers, in all the ways in which files store them; compared with NumPy."""

import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

LAYOUTS = {
    "contiguous": {},
    "chunked": {"chunks": (7, 16)},
    "gzip": {"chunks": (7, 16), "compression": "gzip", "shuffle": True},
}


def write_bits(group, name, values, stored):
    """Writes values as bit fields, for which h5py has only low-level functions."""
    space = h5py.h5s.create_simple(values.shape)
    bits = h5py.h5d.create(group.id, name.encode(), stored, space)
    bits.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(values), mtype=h5py.h5t.NATIVE_B16 if
               values.dtype.itemsize == 2 else h5py.h5t.NATIVE_B8)


def make(folder, flags):
    wide = h5py.enum_dtype({"FALSE": 0, "TRUE": 1}, basetype=">i4")
    with h5py.File(folder / "in.h5", "w") as file:
        for name, layout in LAYOUTS.items():
            file.create_dataset(name, data=flags, **layout)
        file.create_dataset("wide", data=flags.astype(">i4"), dtype=wide)
        write_bits(file, "bits", flags.astype("u1"), h5py.h5t.STD_B8LE)
        write_bits(file, "wide_bits", flags.astype("u2") * 300, h5py.h5t.STD_B16BE)
        file["footprint"] = np.array([True, False, True])
    parts = h5py.VirtualLayout(flags.shape, dtype=flags.dtype)
    parts[:] = h5py.VirtualSource("in.h5", "gzip", flags.shape)
    with h5py.File(folder / "virtual.h5", "w") as file:
        file.create_virtual_dataset("gzip", parts)


def expected(values, taps):
    padded = np.pad(values.astype(float), ((0, 0), (1, 1)), mode="symmetric")
    return sum(tap * padded[:, i : i + values.shape[1]] for i, tap in enumerate(taps))


def main():
    flags = np.random.default_rng(4).random((30, 50)) < 0.5
    cases = [("in.h5", name, flags) for name in (*LAYOUTS, "wide", "bits")]
    cases += [("in.h5", "wide_bits", flags * 300), ("virtual.h5", "gzip", flags)]
    problems = []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        make(folder, flags)
        for file, name, values in cases:
            for mask, taps in (("1 2 1", (1, 2, 1)), ("in.h5:/footprint", (1, 0, 1))):
                outcome = run(folder, ini({"input": {"file": file, "dataset": name}, "stencil": {"mask": mask},
                                           "output": {"file": "out.h5", "overwrite": "true"}}),
                              ranks=3 if name == "gzip" else 0)
                if outcome.status:
                    problems.append(f"{name}, {mask}: {outcome.unexpected()}")
                    continue
                with h5py.File(folder / "out.h5") as output:
                    if not np.array_equal(output[name][()], expected(values, taps)):
                        problems.append(f"{name}, {mask}: other numbers")
    print("\n".join(problems) or f"{2 * len(cases)} runs agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
