"""The Python program that somebody would write instead: python_program.py CASE LIBRARY INPUT OUTPUT.

Reads /x, filters it in memory, writes /x, and brings the file to the disk.
"""

import os
import sys

import h5py
import numpy as np

SIGMA, RADIUS = 2, 8  # truncate = 4
TAPS, BAND, RATE = 1025, (35, 350), 4096


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


def main():
    case, library, source, target = sys.argv[1:]
    with h5py.File(source, "r") as file:
        x = file["x"][...]
    result = globals()[f"{case}_{library}"](x)
    with h5py.File(target, "w") as file:
        file.create_dataset("x", data=result)
    descriptor = os.open(target, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


if __name__ == "__main__":
    main()
