"""A program that a user of DASCore could write: das_program.py HOW FOLDER FIRST LAST OUTPUT TAPS LOW HIGH STRIDE LEVEL.

A folder of files is read as a spool, of which the channels FIRST:LAST are selected. A band-pass of TAPS taps between LOW and HIGH Hz
is applied along time. Every STRIDE-th sample of the result is rounded to int16, and written with its time by h5py, with gzip of
LEVEL. HOW is one or more of these words, separated by +:

whole    the spool is merged into one array, which is filtered at once
pieces   ten minutes at a time (`spool.chunk` with the overlap that the mask needs), to limit the memory
workers  pieces, filtered by OMP_NUM_THREADS processes (`spool.map`)
fft      scipy.signal.fftconvolve in float32, of which every STRIDE-th sample is kept
matmul   only the samples that are kept: NumPy's windows times the taps, by BLAS with OMP_NUM_THREADS threads

DASCore's own band-pass (`patch.pass_filter`) is a Butterworth filter and not comparable; its FIR filters do not accept taps.
"""

import concurrent.futures
import os
import sys
import warnings

import dascore
import h5py
import numpy as np
import scipy.signal

MINUTES = 10


def windows_times_taps(rows, taps, stride):
    return np.lib.stride_tricks.sliding_window_view(rows, len(taps), axis=0)[::stride] @ taps


def transformed(rows, taps, stride):
    return scipy.signal.fftconvolve(rows, taps[:, None], mode="valid", axes=0)[::stride]


class Filter:
    """Filters a patch, and returns an array int16 [time, channel]. The centres of the outputs are every stride-th sample of the whole
    recording.

    begin, end: times of the first and the last sample of the recording, beyond which samples are reflected, as in mode `reflect` of
    scipy.ndimage.
    """

    __name__ = "filter"  # spool.map shows this name

    def __init__(self, apply, begin, end, taps, stride):
        self.apply, self.begin, self.end, self.taps, self.stride = apply, begin, end, taps, stride

    def __call__(self, patch):
        rows = patch.transpose("time", "distance").data.astype(np.float32)
        times = patch.get_array("time")
        before, after = len(self.taps) // 2, len(self.taps) - 1 - len(self.taps) // 2
        beyond = (before if times[0] <= self.begin else 0, after if times[-1] >= self.end else 0)
        rows = np.pad(rows, (beyond, (0, 0)), mode="symmetric")
        # index, in the whole recording, of the centre of the first window
        centre = round((times[0] - self.begin) / (times[1] - times[0])) - beyond[0] + before
        return np.rint(self.apply(rows[-centre % self.stride:], self.taps, self.stride)).astype(np.int16)


def spool_of(folder, first, last):
    spool = dascore.spool(folder).update()
    distances = spool[0].get_array("distance")
    return spool.select(distance=(distances[first], distances[last - 1]))


def pieces_of(spool, taps, stride):
    step = spool[0].get_coord("time").step / np.timedelta64(1, "ns")
    samples = round(MINUTES * 60e9 / step) // stride * stride + taps - 1
    return spool.chunk(time=np.timedelta64(int(samples * step), "ns"), overlap=np.timedelta64(int((taps - 1) * step), "ns"),
                       keep_partial=True)


def results(how, spool, taps, stride):
    """Yields the filtered parts, one after the other."""
    contents = spool.get_contents()
    one = Filter(windows_times_taps if "matmul" in how else transformed, np.datetime64(contents["time_min"].min()),
                 np.datetime64(contents["time_max"].max()), taps, stride)
    if "whole" in how:
        yield one(spool.chunk(time=None)[0])
    elif "workers" in how:
        with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("OMP_NUM_THREADS", "1"))) as pool:
            yield from pieces_of(spool, len(taps), stride).map(one, client=pool, progress=False)
    else:
        for patch in pieces_of(spool, len(taps), stride):
            yield one(patch)


def main():
    how = sys.argv[1].split("+")
    folder, first, last, target = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
    count, low, high, stride, level = int(sys.argv[6]), float(sys.argv[7]), float(sys.argv[8]), int(sys.argv[9]), int(sys.argv[10])
    warnings.simplefilter("ignore")  # warnings of pandas about DASCore's index
    spool = spool_of(folder, first, last)
    time = spool[0].get_coord("time")
    rate = np.timedelta64(1, "s") / time.step
    taps = scipy.signal.firwin(count, (low, high), pass_zero=False, fs=rate).astype(np.float32)
    with h5py.File(target, "w") as file:
        raw = file.create_group("Acquisition/Raw[0]")
        raw.attrs["OutputDataRate"] = rate / stride
        data = raw.create_dataset("RawData", (0, last - first), "i2", maxshape=(None, last - first),
                                  chunks=(512, last - first), shuffle=True, compression="gzip", compression_opts=level)
        for part in results(how, spool, taps, stride):
            data.resize(len(data) + len(part), axis=0)
            data[len(data) - len(part):] = part
        begin = time.min().astype("datetime64[us]").astype("i8")
        raw["RawDataTime"] = begin + np.round(np.arange(len(data)) * (1e6 * stride / rate)).astype("i8")
    descriptor = os.open(target, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


if __name__ == "__main__":
    main()
