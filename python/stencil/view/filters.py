"""The taps of the stages of an output, and their responses."""

import inspect
import os

import h5py
import numpy as np

from .. import masks


def value_of(word):
    numbers = [float(one) for one in word.replace(",", " ").split()]
    numbers = [int(one) if one.is_integer() else one for one in numbers]
    return numbers[0] if len(numbers) == 1 else numbers


def line_of(stage, rate, folder, is_line):
    """Returns the taps of a one-dimensional stage. Returns None for two-dimensional masks, banks, masks whose file is not found, and
    masks with values in the unit of the coordinates.

    is_line: whether the dataset, and thus every mask, is one-dimensional
    """
    mask = stage.get("mask", "")
    if hasattr(masks, mask):
        make = getattr(masks, mask)
        names = inspect.signature(make).parameters
        if "axes" in names and stage.get("rank") != "1" and "axis" not in stage and not is_line:
            return None
        if mask in ("matched", "sobel", "prewitt") or "sampling_rate" in names and not rate:
            return None
        try:
            given = {name: stage[name] if name == "window" else value_of(stage[name]) for name in names
                     if name in stage and name not in ("axes", "sampling_rate")}
        except ValueError:  # `delta = coordinates`, or `sigma = 2 s`
            return None
        given.update({"axes": 1} if "axes" in names else {}, **({"sampling_rate": rate} if "sampling_rate" in names else {}))
        return make(**given)
    if ":" in mask:
        file, _, dataset = mask.rpartition(":")
        path = next((one for one in (file, os.path.join(folder, file)) if os.path.isfile(one)), None)
        if path is None:
            return None
        with h5py.File(path, "r") as opened:
            taps = np.asarray(opened[dataset]) if dataset in opened else np.zeros((0, 0))
        return taps.astype(float) if taps.ndim == 1 else None
    try:
        return np.array([float(one) for one in mask.replace(",", " ").split()]) if ";" not in mask else None
    except ValueError:
        return None


def responses(result):
    """Returns a list of (name, taps as an impulse response, points per unit), one for each one-dimensional stage."""
    found, rate = [], result.rate or 1.0
    for stage in result.stages:
        taps = line_of(stage, result.rate, os.path.dirname(result.path), len(result.after.shape) == 1)
        if taps is not None and taps.size:
            impulse = taps if stage.get("operation") == "convolve" else taps[::-1]
            found.append((f"{stage['name']}: {stage.get('mask', '')[:40]}", impulse, rate))
        rate /= int(stage.get("stride", "1").split()[-1])
    return found


def frequency_response(taps, rate):
    """Returns frequencies from 0 to half of the sampling rate, and the magnitude of the response in dB."""
    length = max(4096, 4 * 2 ** int(np.ceil(np.log2(len(taps)))))
    magnitude = np.abs(np.fft.rfft(taps, length))
    return np.fft.rfftfreq(length, 1 / rate), 20 * np.log10(np.maximum(magnitude, 1e-9))
