"""A Python program that a user could write instead of using stencil_run: python_program.py CASE LIBRARY INPUT OUTPUT.

The program reads /x, filters it, writes the result as /x, and flushes the file to the disk. SciPy and OpenCV work in memory; `dask`
works block by block with OMP_NUM_THREADS threads; `h5py` reads and does not filter, and writes the input unless the case is `chunks`.
"""

import os
import sys

import h5py
import numpy as np

SIGMA, RADIUS = 2, 8  # the radius of truncate = 4
TAPS, BAND, RATE = 1025, (35, 350), 4096
PACKED = {"chunks": (512, 512), "compression": "gzip", "compression_opts": 4, "shuffle": True}


def band_pass():
    from scipy import signal
    return signal.firwin(TAPS, BAND, pass_zero=False, fs=RATE).astype(np.float32)


def gaussian_scipy(x):
    from scipy import ndimage
    return ndimage.gaussian_filter(x, SIGMA, mode="reflect", truncate=RADIUS / SIGMA)


def gaussian_opencv(x):
    import cv2
    row = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / SIGMA) ** 2)
    row = (row / row.sum()).astype(np.float32)
    return cv2.sepFilter2D(x, -1, row, row, borderType=cv2.BORDER_REFLECT)


def bandpass_scipy(x):
    from scipy import signal
    return signal.oaconvolve(x, band_pass(), mode="same")


def bandpass_opencv(x):
    import cv2
    return cv2.filter2D(x[None, :], -1, band_pass()[None, :], borderType=cv2.BORDER_CONSTANT)[0]


def in_blocks(case, source, target):
    """Filters blocks of 64 MiB along the first axis, each with the rows or points around it that the mask needs."""
    import cv2
    import dask
    import dask.array

    threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
    cv2.setNumThreads(1)  # the threads are those of dask
    depth = TAPS // 2 if case == "bandpass" else RADIUS
    one = bandpass_opencv if case == "bandpass" else gaussian_opencv
    x = source["x"]
    rows = max(1, (64 << 20) // (x.dtype.itemsize * int(np.prod(x.shape[1:], dtype=np.int64))))
    blocks = dask.array.from_array(x, chunks=(rows, *x.shape[1:]))
    depths = {axis: depth if axis == 0 else 0 for axis in range(x.ndim)}
    result = blocks.map_overlap(one, depth=depths, boundary="none", dtype=np.float32)
    out = target.create_dataset("x", x.shape, np.float32, **(PACKED if case == "packed" else {}))
    with dask.config.set(scheduler="threads", num_workers=threads):
        dask.array.store(result, out)


def at_once(case, library, source, target):
    x = source["x"][...]
    if library != "h5py":
        x = globals()[f"{'bandpass' if case == 'bandpass' else 'gaussian'}_{library}"](x)
    if case != "chunks":
        target.create_dataset("x", data=x, **(PACKED if case == "packed" else {}))


def main():
    case, library, source, target = sys.argv[1:]
    with h5py.File(source, "r") as file, h5py.File(target, "w") as out:
        if library == "dask":
            in_blocks(case, file, out)
        else:
            at_once(case, library, file, out)
    descriptor = os.open(target, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


if __name__ == "__main__":
    main()
