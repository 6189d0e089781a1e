"""The cases of stencil_bench as arrays, with plain definitions of their results."""

import re

import numpy as np


def irregular(count, seed):
    """Taps without symmetry, of both signs, whose absolute values sum to 1."""
    taps = np.random.default_rng(seed).uniform(-1, 1, count)
    return taps / np.abs(taps).sum()


class Case:
    """One case, from its name in stencil_bench: cpu/KIND/SIZE/TYPE.

    mask: [height, width] taps, applied without flipping (correlation).
    factors: column and row of a mask that is summed in two passes; otherwise None.
    one_row: the input is a single long row. is_long: the mask is also so long that only transforms take little time. steps: how many
    times the mask is applied, each time to the previous result.
    """

    GRIDS = {"fft2d": (4000, 4000), "fft2d_large": (16384, 8192)}  # shapes of the cases with a fixed size
    NAME = re.compile(r"cpu/(line|column|dense|separable|fft|fft2d|fft2d_large|steps)/([0-9a-z]+)/(f32|f64)$")

    def __init__(self, name):
        kind, size, kind_of_number = self.NAME.match(name).groups()
        self.name, self.kind = name, kind
        self.dtype = np.dtype(np.float32 if kind_of_number == "f32" else np.float64)
        self.one_row = kind in ("line", "fft")
        self.steps = 4 if kind == "steps" else 1  # rates are per step, so the number of steps does not matter
        self.factors = None
        if size in ("5pt", "9pt"):
            self.mask = irregular(9, 3).reshape(3, 3)
            if size == "5pt":
                self.mask[::2, ::2] = 0
        elif kind in ("dense", *self.GRIDS):
            height, width = map(int, size.split("x"))
            self.mask = irregular(height * width, 3).reshape(height, width)
        elif kind == "separable":
            self.factors = irregular(int(size), 4), irregular(int(size), 5)
            self.mask = np.outer(*self.factors)
        else:
            taps = irregular(int(size), 1)
            self.mask = taps[:, None] if kind == "column" else taps[None, :]
        self.is_long = self.one_row and self.mask.size > 1 << 14

    @classmethod
    def knows(cls, name):
        return cls.NAME.match(name) is not None

    def points(self, standard):
        """Returns the number of points of the full array. standard: the number for cases that have no fixed size."""
        rows, columns = self.GRIDS.get(self.kind, (1, standard))
        return rows * columns

    def shape(self, points):
        if self.kind in self.GRIDS and points == self.points(0):
            return self.GRIDS[self.kind]
        side = int(points**0.5)
        return (1, points) if self.one_row else (side, side)

    def reach(self):
        """Returns by how many points along y and x the result is smaller than the input if it must not depend on the edges of the input."""
        return tuple(self.steps * (extent - 1) for extent in self.mask.shape)

    def places(self, columns):
        """Returns the columns of the reference result that are compared: all, or a sample if computing a column takes long."""
        return np.random.default_rng(8).integers(0, columns, 200) if self.is_long else slice(None)

    def definition(self, source):
        """Returns the result in double precision at the outputs that do not depend on the edges, an array [ny - reach, nx - reach]; of long
        masks, only the columns of places()."""
        result = source.astype(np.float64)
        if self.is_long:
            windows = np.lib.stride_tricks.sliding_window_view(result[0], self.mask.size)
            return np.array([[window @ self.mask[0] for window in windows[self.places(len(windows))]]])
        height, width = self.mask.shape
        for _ in range(self.steps):
            ny, nx = result.shape[0] - height + 1, result.shape[1] - width + 1
            result = sum(self.mask[j, i] * result[j:j + ny, i:i + nx]
                         for j in range(height) for i in range(width))
        return result
