"""Filters of arrays that are distributed over the ranks of an mpi4py communicator. The import needs mpi4py."""

import operator

import numpy as np
from mpi4py import MPI

from . import filters
from ._arguments import CONSTANT, RULES, for_each, input_of, normalized_axes, normalized_axis, rule_of
from ._passes import joined_passes

__all__ = ["Session"]


def sources(rule, places, extent):
    """Returns, for each index in `places`, the index of the point whose value is used there; -1 for cval. Indices in `places` may be
    beyond the ends of the axis, which has `extent` points."""
    if rule == CONSTANT:
        return np.where((places < 0) | (places >= extent), -1, places)
    if rule == 0:  # reflect
        places = places % (2 * extent)
        return np.minimum(places, 2 * extent - 1 - places)
    if rule == 1:  # mirror
        places = places % max(1, 2 * extent - 2)
        return np.minimum(places, 2 * extent - 2 - places) if extent > 1 else places
    return np.clip(places, 0, extent - 1) if rule == 2 else places % extent


def reach_of(one):
    """Returns (axis, (before, after, rule)) for a pass (axis, taps, origin, rule): the pass needs `before` ghost points before a block
    and `after` ghost points after it."""
    axis, taps, origin, rule = one
    before = len(taps) // 2 + origin
    return axis, (before, len(taps) - 1 - before, rule)


class Session:
    """The ranks of a communicator, each of which has one block of every array.

    All methods are collective: all ranks call a method with the same arguments, except that each rank passes its own `block`, and
    each rank gets its block of the result. If a rank raises an exception, all ranks raise an exception.

    Points that a mask needs from other blocks are sent by MPI, from any number of ranks, so blocks may be smaller than the mask.
    Results agree with those for the undistributed array except for rounding. Each block is summed directly or by transforms, whichever
    is faster. Direct sums have the same bits for any number of ranks; the last bits of transforms depend on the blocks.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        The communicator of the ranks; by default MPI.COMM_WORLD. The session uses a duplicate.
    grid : sequence of int, optional
        The number of blocks along each of the first axes of the arrays; the product is the number of ranks. Ranks are in C order: the
        last axis of the grid varies fastest. By default, arrays are divided along the first axis only.
    threads : int, optional
        The number of threads of each rank; see stencil.filters.

    Raises
    ------
    ValueError
        The product of `grid` is not the number of ranks.
    """

    def __init__(self, comm=None, grid=None, threads=None):
        comm = MPI.COMM_WORLD if comm is None else comm
        self.grid = (comm.size,) if grid is None else tuple(int(blocks) for blocks in grid)
        if int(np.prod(self.grid)) != comm.size or min(self.grid, default=0) < 1:
            raise ValueError(f"grid = {self.grid} has {int(np.prod(self.grid))} blocks, and the communicator {comm.size} ranks: give each rank a block")
        self.threads = threads
        self._comm = comm.Create_cart(self.grid, reorder=False)
        self._lines = [self._comm.Sub([other == axis for other in range(len(self.grid))]) for axis in range(len(self.grid))]

    @property
    def rank(self):
        """The number of this rank in the communicator."""
        return self._comm.rank

    @property
    def size(self):
        """The number of ranks."""
        return self._comm.size

    def shape(self, block):
        """The shape of the whole array. Collective.

        Raises
        ------
        ValueError
            On all ranks: the blocks differ in the number of axes or in type, have no points, or have extents that do not fit together.
        """
        return tuple(sum(extents) for extents in self._layout(np.asarray(block)))

    def correlate1d(self, block, weights, axis=-1, mode="reflect", cval=0.0, origin=0, *, missing=None):
        """Applies stencil.correlate1d. This and the other methods convert integers to float64."""
        return self._along_a_line(filters.correlate1d, block, weights, axis, mode, cval, origin, missing)

    def convolve1d(self, block, weights, axis=-1, mode="reflect", cval=0.0, origin=0, *, missing=None):
        """Applies stencil.convolve1d."""
        return self._along_a_line(filters.convolve1d, block, weights, axis, mode, cval, origin, missing)

    def correlate(self, block, weights, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None):
        """Applies stencil.correlate with weights along all axes or along `axes`."""
        return self._along_axes(filters.correlate, block, weights, mode, cval, origin, axes, missing)

    def convolve(self, block, weights, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None):
        """Applies stencil.convolve with weights along all axes or along `axes`."""
        return self._along_axes(filters.convolve, block, weights, mode, cval, origin, axes, missing)

    def gaussian_filter1d(self, block, sigma, axis=-1, order=0, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, missing=None):
        """Applies stencil.gaussian_filter1d."""
        def plan(points):
            taps = filters.gaussian_for(points, sigma, order, filters.gaussian_radius(sigma, truncate, radius))
            return [(normalized_axis(axis, points.ndim), taps, 0, rule_of(mode))]
        return self._in_turn(block, plan, cval, missing)

    def gaussian_filter(self, block, sigma, order=0, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None, missing=None):
        """Applies stencil.gaussian_filter."""
        return self._in_turn(block, lambda points: filters.gaussian_passes(
            points, normalized_axes(axes, points.ndim), sigma, order, mode, truncate, radius), cval, missing)

    def uniform_filter1d(self, block, size, axis=-1, mode="reflect", cval=0.0, origin=0, *, missing=None):
        """Applies stencil.uniform_filter1d."""
        def plan(points):
            filters.check_size(size, origin)
            return [(normalized_axis(axis, points.ndim), filters.mean_taps(operator.index(size), points), origin, rule_of(mode))]
        return self._in_turn(block, plan, cval, missing)

    def uniform_filter(self, block, size=3, mode="reflect", cval=0.0, origin=0, *, axes=None, missing=None):
        """Applies stencil.uniform_filter. Sizes below 1, which stencil.uniform_filter replaces by 1, are refused."""
        def plan(points):
            chosen = normalized_axes(axes, points.ndim)
            for length in for_each(size, len(chosen)):
                filters.check_size(length, 0)
            return filters.mean_passes(points, chosen, size, origin, mode)
        return self._in_turn(block, plan, cval, missing)

    def sobel(self, block, axis=-1, mode="reflect", cval=0.0):
        """Applies stencil.sobel."""
        return self._in_turn(block, lambda points: filters.derivative_passes(points.ndim, axis, mode, [1, 2, 1]), cval)

    def prewitt(self, block, axis=-1, mode="reflect", cval=0.0):
        """Applies stencil.prewitt."""
        return self._in_turn(block, lambda points: filters.derivative_passes(points.ndim, axis, mode, [1, 1, 1]), cval)

    def laplace(self, block, mode="reflect", cval=0.0, *, axes=None):
        """Applies stencil.laplace."""
        def plan(points):
            chosen = normalized_axes(axes, points.ndim)
            reach = {axis: (1, 1, rule_of(rule)) for axis, rule in zip(chosen, for_each(mode, len(chosen)))}
            return [(reach, lambda x: filters.laplace(x, mode="nearest", axes=chosen, threads=self.threads))]
        return self._filtered(block, plan, cval)

    def gaussian_laplace(self, block, sigma, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
        """Applies stencil.gaussian_laplace."""
        return self._derivatives(2, block, sigma, mode, cval, truncate, radius, axes)

    def gaussian_gradient_magnitude(self, block, sigma, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None):
        """Applies stencil.gaussian_gradient_magnitude."""
        return self._derivatives(1, block, sigma, mode, cval, truncate, radius, axes)

    def iterate(self, block, mask, steps, axes=None, mode="reflect", cval=0.0):
        """Applies stencil.iterate: `steps` correlations, each of the results of the previous step. Ghost points are sent before each step."""
        def plan(points):
            taps, count = filters.taps_of(mask), operator.index(steps)
            chosen = normalized_axes(tuple(range(-taps.ndim, 0)) if axes is None else axes, points.ndim)
            if taps.ndim not in (1, 2, 3) or taps.size == 0 or len(chosen) != taps.ndim:
                raise ValueError(f"mask.shape = {taps.shape}, axes = {chosen}: use a mask of one to three axes, and as many axes")
            if count < 0:
                raise ValueError(f"steps = {steps} must be 0 or more")
            reach = {axis: (length // 2, length - 1 - length // 2, rule_of(one))
                     for axis, length, one in zip(chosen, taps.shape, for_each(mode, taps.ndim))}
            if taps.ndim == 1:
                return [(reach, lambda x: filters.correlate1d(x, taps, chosen[0], mode="nearest", threads=self.threads))] * count
            weights = taps.transpose(np.argsort(chosen))  # correlate() takes weights in the order of the array's axes
            return [(reach, lambda x: filters.correlate(x, weights, mode="nearest", axes=chosen, threads=self.threads))] * count
        return self._filtered(block, plan, cval)

    def _along_a_line(self, function, block, weights, axis, mode, cval, origin, missing):
        def plan(block):
            at, length = normalized_axis(axis, block.ndim), len(weights)
            shift = -origin - (length % 2 == 0) if function is filters.convolve1d else origin
            filters.check_origin(shift, length, "len(weights)", "origin")
            centre = length // 2 + shift
            return [({at: (centre, length - 1 - centre, rule_of(mode))}, lambda x: function(
                x, weights, at, mode="nearest", origin=origin, missing=missing, threads=self.threads))]
        return self._filtered(block, plan, cval)

    def _along_axes(self, function, block, weights, mode, cval, origin, axes, missing):
        def plan(block):
            taps, chosen = np.asarray(weights), normalized_axes(axes, block.ndim)
            if taps.ndim != len(chosen) or taps.size == 0:
                raise ValueError(f"weights.shape = {taps.shape}, for {len(chosen)} axes: give weights with an extent for each axis")
            # as in SciPy, weights are in the order of the array's axes, and origins in the order of `axes` unless these are all axes
            of_origins = chosen if len(chosen) < block.ndim else sorted(chosen)
            shifts, reach = dict(zip(of_origins, for_each(origin, len(chosen)))), {}
            for axis, length in zip(sorted(chosen), taps.shape):
                shift = -shifts[axis] - (length % 2 == 0) if function is filters.convolve else shifts[axis]
                filters.check_origin(shift, length, "weights.shape", "origin")
                reach[axis] = (length // 2 + shift, length - 1 - length // 2 - shift, rule_of(mode))
            return [(reach, lambda x: function(x, taps, mode="nearest", origin=origin, axes=chosen, missing=missing, threads=self.threads))]
        return self._filtered(block, plan, cval)

    def _in_turn(self, block, plan, cval, missing=None):
        """Applies the passes (axis, taps, origin, rule) of plan(block). Passes are joined as for an array that is not distributed."""
        def joined(points):
            return [(dict(map(reach_of, group)), lambda x, group=group: filters.along_axes(
                x, np.empty_like(x), [(axis, taps, origin, RULES["nearest"]) for axis, taps, origin, _ in group], 0.0, missing, self.threads))
                for group in joined_passes(plan(points), True, cval, missing)]
        return self._filtered(block, joined, cval)

    def _derivatives(self, order, block, sigma, mode, cval, truncate, radius, axes):
        """Filters with derivatives of Gaussians along each axis. For order 2, returns the sum of the results; for order 1, the square
        root of the sum of their squares."""
        def arguments():
            chosen = normalized_axes(axes, np.ndim(block))
            return chosen, for_each(mode, len(chosen))
        chosen, modes = self._agreed(arguments)
        if not chosen:
            return self._filtered(block, lambda points: [], cval)
        total = None
        for along, rule in zip(chosen, modes):
            def plan(points, along=along, rule=rule):
                orders = [order * (axis == along) for axis in chosen]
                passes = filters.gaussian_passes(points, chosen, sigma, orders, rule, truncate, radius)
                return sorted(passes, key=operator.itemgetter(0))  # as in stencil.filters, the axes are in rising order here
            term = self._in_turn(block, plan, cval)
            if order == 1:
                term *= term
            total = term if total is None else np.add(total, term, out=total)
        return np.sqrt(total) if order == 1 else total

    def _agreed(self, work):
        """Returns the result of work(). If work() raises an exception on a rank, all ranks raise an exception."""
        result = error = None
        try:
            result = work()
        except Exception as one:  # noqa: BLE001
            error = one
        lines = self._comm.allgather(None if error is None else f"{type(error).__name__}: {error}")
        if error is not None:
            raise error
        for rank, line in enumerate(lines):
            if line is not None:
                raise ValueError(f"rank {rank} has raised {line}")
        return result

    def _layout(self, block):
        """Returns a list with the extents of the blocks along each axis, in the order of the grid."""
        facts = self._comm.allgather((block.shape, block.dtype.str))
        if len({(len(shape), kind) for shape, kind in facts}) > 1:
            raise ValueError(f"the blocks of the ranks have these shapes and types: {sorted(set(facts))}; they must have as many axes, and one type")
        if block.ndim < len(self.grid):
            raise ValueError(f"block.shape = {block.shape} has fewer axes than grid = {self.grid}")
        layout = []
        for axis in range(block.ndim):
            count = self.grid[axis] if axis < len(self.grid) else 1
            found = [set() for _ in range(count)]
            for rank, (shape, _) in enumerate(facts):
                found[self._comm.Get_coords(rank)[axis] if axis < len(self.grid) else 0].add(shape[axis])
            if any(len(extents) > 1 or 0 in extents for extents in found):
                raise ValueError(f"along axis {axis} the blocks have {[sorted(extents) for extents in found]} points: "
                                 "blocks beside each other must have the same extents, and at least one point")
            layout.append([extents.pop() for extents in found])
        return layout

    def _filtered(self, block, plan, cval):
        """Applies the passes of plan(block), one after the other.

        plan: returns a list of (reach, function). `reach` is {axis: (ghost points before, ghost points after, rule of the edges)};
        the function is applied to the block with these ghost points.
        """
        def prepared():
            points = input_of(block)
            points = np.asarray(points, points.dtype.newbyteorder("=") if points.dtype.kind in "fc" else np.float64)
            passes = plan(points)
            if passes:  # the arguments are checked before anything is sent
                passes[0][1](np.zeros((1,) * points.ndim, points.dtype))
            return points, passes
        points, passes = self._agreed(prepared)
        layout = self._layout(points)
        for reach, function in passes:
            own, extended = [slice(None)] * points.ndim, points
            for axis, (before, after, rule) in reach.items():
                extended = self._with_ghosts(extended, axis, layout[axis], rule, before, after, cval)
                own[axis] = slice(before, before + points.shape[axis])
            points = np.ascontiguousarray(function(extended)[tuple(own)])
        return points if passes else points.copy()

    def _with_ghosts(self, block, axis, extents, rule, before, after, cval):
        """Returns the block with `before` and `after` ghost points along an axis: points of other ranks, or points beyond the edges."""
        line = self._lines[axis] if axis < len(self.grid) else MPI.COMM_SELF
        starts = np.concatenate([[0], np.cumsum(extents)])
        own, me = np.moveaxis(block, axis, 0), line.rank

        def wanted(rank):
            """Returns the indices of the ghost points of a rank; -1 for cval."""
            low, high = starts[rank], starts[rank + 1]
            return sources(rule, np.concatenate([np.arange(low - before, low), np.arange(high, high + after)]), starts[-1])

        places = wanted(me)
        ghosts = np.full((len(places), *own.shape[1:]), cval, block.dtype)
        buffers, requests = [], []
        for rank in range(line.size):
            mine = (places >= starts[rank]) & (places < starts[rank + 1])
            if rank == me:
                ghosts[mine] = own[places[mine] - starts[me]]
                continue
            theirs = wanted(rank)
            theirs = theirs[(theirs >= starts[me]) & (theirs < starts[me + 1])] - starts[me]
            if mine.any():
                buffers.append((mine, np.empty((int(mine.sum()), *own.shape[1:]), block.dtype)))
                requests.append(line.Irecv(buffers[-1][1], source=rank))
            if theirs.size:
                buffers.append((None, np.ascontiguousarray(own[theirs])))
                requests.append(line.Isend(buffers[-1][1], dest=rank))
        MPI.Request.Waitall(requests)
        for mine, received in buffers:
            if mine is not None:
                ghosts[mine] = received
        return np.ascontiguousarray(np.moveaxis(np.concatenate([ghosts[:before], own, ghosts[before:]]), 0, axis))
