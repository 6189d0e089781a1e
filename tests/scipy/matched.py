"""mask = matched: filters for a template from a file, with and without the spectrum of the noise, are compared with
transforms of NumPy. The amplitude of a signal that is hidden in coloured noise is found. Templates and spectra from which no filter
can be computed are refused with one line.
"""

import pathlib
import sys
import tempfile

import h5py
import numpy as np
import scipy.ndimage as ndimage

from program import in_turn, ini, run

RNG = np.random.default_rng(7)


def taps_of(template, psd=None):
    if psd is None:
        return template / np.sum(template**2)
    n = len(template)
    density = np.interp(np.fft.rfftfreq(n), np.linspace(0, 0.5, len(psd)), psd)
    white = np.fft.irfft(np.fft.rfft(template) / density, n)
    return white / np.sum(template * white)


def result_of(folder, data, chirp, psd, **words):
    with h5py.File(folder / "in.h5", "w") as file:
        file["x"] = data
    with h5py.File(folder / "template.h5", "w") as file:
        file["chirp"] = chirp
        if psd is not None:
            file["psd"] = psd
    stencil = {"mask": "matched", "template": "template.h5:/chirp", **words}
    if psd is not None:
        stencil["psd"] = "template.h5:/psd"
    outcome = run(folder, ini({"input": {"file": "in.h5", "dataset": "/x"},
                               "output": {"file": "out.h5", "overwrite": "true"}, "stencil": stencil}), 0)
    if outcome.status != 0:
        return outcome, None
    with h5py.File(folder / "out.h5") as file:
        return outcome, file["x"][()]


def chirp(n):
    t = np.linspace(0, 1, n)
    return np.sin(2 * np.pi * n / 8 * t**2) * np.hanning(n + 2)[1:-1]


def check_numbers(folder):
    for n in (1, 2, 5, 64, 301, 4097):
        template = chirp(n) + 0.01
        for values in (None, 2, n // 2 + 1, 50):
            psd = None if values is None else 1e-46 * (1 + RNG.random(max(values, 2)))
            data = RNG.standard_normal(6000)
            for operation in in_turn(("correlate", "convolve")):
                outcome, found = result_of(folder, data, template, psd, boundary="zero", operation=operation)
                if found is None:
                    yield f"{n} points, {values}: {outcome.unexpected()}"
                    continue
                filter_ = ndimage.correlate1d if operation == "correlate" else ndimage.convolve1d
                expected = filter_(data, taps_of(template, psd), mode="constant", origin=0)
                worst = np.abs(found - expected).max() / np.abs(expected).max()
                if not worst < 1e-11:
                    yield f"{n} points, {values} densities, {operation}: {worst} of the largest"


def check_amplitude(folder):
    """A signal of amplitude 3 at a known place, in noise that is strong at low frequencies."""
    n, place = 512, 20000
    template = chirp(n)
    white = RNG.standard_normal(1 << 16)
    colour = lambda frequencies: 1 / np.sqrt(0.02 + frequencies)
    noise = np.fft.irfft(np.fft.rfft(white) * colour(np.fft.rfftfreq(len(white))), len(white))
    data = 0.3 * noise
    data[place : place + n] += 3 * template
    errors = {}
    for psd in (None, colour(np.linspace(0, 0.5, 1000)) ** 2):
        outcome, found = result_of(folder, data, template, psd)
        if found is None:
            yield outcome.unexpected()
            return
        errors[psd is not None] = np.std(found[:place - n])
        peak = np.argmax(found)
        if peak != place + n // 2 or abs(found[peak] - 3) > 6 * errors[psd is not None]:
            yield f"peak of {found[peak]} at {peak}, psd: {psd is not None}"
    if not errors[True] < errors[False]:
        yield f"the spectrum does not help: {errors}"


def check_refusals(folder):
    data, template = np.ones(100), chirp(10)
    cases = [
        (template, None, {"template": "template.h5:/none"}, "none"),
        (template, None, {"template": "chirp"}, "file and the dataset"),
        (template, None, {"template": "none"}, "template"),
        (np.zeros(10), None, {}, "zeros alone"),
        (np.full(10, np.nan), None, {}, "NaN"),
        (np.ones((3, 3)), None, {}, "one axis"),
        (template, np.array([1.0]), {}, "two or more"),
        (template, np.array([1.0, 0, 1]), {}, "value 1 of psd is 0"),
        (template, np.ones((2, 2)), {}, "psd = template.h5:/psd has 2 axes"),
        (template, None, {"rank": "2"}, "rank"),
    ]
    for shape, psd, words, said in cases:
        outcome, found = result_of(folder, data, shape, psd, **words)
        lines = [line for line in outcome.stderr.splitlines() if not line.startswith("progress")]
        if outcome.status != 2 or len(lines) != 1 or said not in lines[0]:
            yield f"{words} {said}: status {outcome.status}: {outcome.stderr}"


def main():
    problems = []
    with tempfile.TemporaryDirectory() as place:
        for check in (check_numbers, check_amplitude, check_refusals):
            problems += check(pathlib.Path(place))
    print(*problems, f"{len(problems)} wrong", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
