"""Figures of results: signals, grids and stacks."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from .files import pyramid, spectrum  # noqa: E402
from .filters import frequency_response, responses  # noqa: E402

BEFORE, AFTER, GREY = "#8a8f98", "#c8102e", "#d0d0d0"
MOST_PIXELS = 1200  # largest number of points that are drawn along an axis of a grid


def middle(shape):
    return [extent // 2 for extent in shape]


def density_unit(data, axis):
    units, frequency = f"({data.units})" if set(data.units) & set(" /*") else data.units, data.axes[axis].frequency_unit
    return f"{units}²/Hz" if data.units and frequency == "Hz" else f"power per {frequency.replace('cycles', 'cycle')}"


def signal_parts(result):
    """Returns a list of (label, colour, data, reading function, number of points): the input, if it is found, and the output."""
    parts = []
    for label, colour, data in (("input", BEFORE, result.before), ("output", AFTER, result.after)):
        if data is not None:
            axis = result.mask_axis
            parts.append((label, colour, data, data.line(axis, middle(data.shape)), data.shape[axis]))
    return parts


def where_words(data, axis):
    """Returns `axis 1 at 256`, the position of the displayed line along the other axes."""
    places = [f"{data.axes[i].name} at index {extent // 2}" for i, extent in enumerate(data.shape) if i != axis and extent > 1]
    return ", ".join(places)


def signal(result):
    """Draws the input and the output of a signal, their spectra, and the responses of the filters."""
    axis, filters = result.mask_axis, responses(result)
    figure, panels = plt.subplots(2 if filters else 1, 2, figsize=(13, 7.5 if filters else 4), squeeze=False, layout="constrained")
    over, density = panels[0]
    sampled = False
    for label, colour, data, read, points in signal_parts(result):
        edges, low, high, is_whole = pyramid(read, points, 1500)
        sampled |= not is_whole
        x = data.axes[axis].at(edges[:-1])
        if len(x) == points:
            over.plot(x, low, color=colour, lw=1, label=label)
        else:
            over.fill_between(x, low, high, color=colour, lw=0.5, label=label)
        found = spectrum(read, points, data.axes[axis].rate)
        if found:
            density.loglog(found[0][1:], np.maximum(found[1][1:], 1e-300), color=colour, lw=1, label=label)
    data = result.after
    over.set(xlabel=data.axes[axis].label, ylabel=data.label, title=where_words(data, axis) or result.words.get("output.dataset", ""))
    density.set(xlabel=f"frequency [{data.axes[axis].frequency_unit}]", ylabel=density_unit(data, axis),
                title="power spectral density" + (" of samples" if sampled else ""))
    limit_density(density)
    for panel in (over, density):
        panel.legend(loc="upper right")
        panel.grid(alpha=0.3)
    if filters:
        show_responses(panels[1], filters, bool(result.rate))
    title(figure, result, "; each column shows the extremes of a sample" if sampled else "")
    return figure


def limit_density(panel):
    """Limits the axis to ten decades below the highest density, because smaller densities are rounding errors."""
    highest = max((line.get_ydata().max() for line in panel.lines), default=0)
    if highest > 0:
        panel.set_ylim(highest * 1e-12, highest * 10)


def show_responses(panels, filters, has_rate):
    for name, taps, rate in filters[:4]:
        frequency, decibels = frequency_response(taps, rate)
        panels[0].plot(frequency, decibels, lw=1.2, label=name)
        panels[1].plot((np.arange(len(taps)) - len(taps) // 2) / (rate if has_rate else 1), taps, lw=1, label=name)
    peak = max(frequency_response(taps, rate)[1].max() for _, taps, rate in filters[:4])
    panels[0].set(xlabel="frequency [Hz]" if has_rate else "frequency [cycles per point]", ylabel="gain [dB]",
                  title="frequency response", ylim=(peak - 110, peak + 6))
    panels[1].set(xlabel="time [s]" if has_rate else "points", ylabel="weight", title="impulse response")
    for panel in panels:
        panel.grid(alpha=0.3)
        panel.legend(loc="upper right", fontsize="small")


def title(figure, result, more=""):
    words = f"{result.path}:{result.after.path}" + more
    if result.before is None:
        words += f"\n(no input is shown: {result.why_no_input})"
    figure.suptitle(words, fontsize=10)


def plane(data, leading=()):
    """Returns the values of the last two axes of a dataset and the step n; large datasets are reduced to every n-th point."""
    rows, columns = data.shape[-2:]
    steps = max(1, -(-rows // MOST_PIXELS)), max(1, -(-columns // MOST_PIXELS))
    return data.read(*leading, slice(None, None, steps[0]), slice(None, None, steps[1])), steps


def limits(*arrays):
    values = np.concatenate([array[np.isfinite(array)].ravel()[:: max(1, array.size // 200000)] for array in arrays] or [np.zeros(1)])
    if values.size == 0:
        return 0, 1
    low, high = np.percentile(values, (1, 99))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def has_equal_units(data):
    y, x = data.axes[-2:]
    return y.unit == x.unit or y.unit.startswith("degree") and x.unit.startswith("degree")


def height_of(data):
    """Returns the height of a panel relative to its width."""
    rows, columns = data.shape[-2:]
    if not has_equal_units(data):
        return min(1.5, max(0.6, rows / columns))
    height, width = (float(np.ptp(axis.at([0, points - 1]))) or 1.0 for axis, points in zip(data.axes[-2:], (rows, columns)))
    return min(1.6, max(0.3, height / width))


def show_plane(panel, data, values, colours, low, high):
    y, x = data.axes[-2:]
    ends = [axis.at([0, points - 1]) for axis, points in ((x, data.shape[-1]), (y, data.shape[-2]))]
    half = [(end[1] - end[0]) / max(1, points - 1) / 2 or 0.5 for end, points in zip(ends, (data.shape[-1], data.shape[-2]))]
    rises = y.values is not None and ends[1][1] > ends[1][0]
    extent = [ends[0][0] - half[0], ends[0][1] + half[0], ends[1][0] - half[1], ends[1][1] + half[1]]
    if not rises:
        extent[2:] = extent[3], extent[2]
    ratio = abs((extent[3] - extent[2]) / (extent[1] - extent[0]))
    aspect = "equal" if has_equal_units(data) and 0.2 < ratio < 5 else "auto"
    panel.set_facecolor(GREY)
    image = panel.imshow(values, cmap=colours, vmin=low, vmax=high, extent=extent, aspect=aspect,
                         origin="lower" if rises else "upper", interpolation="nearest")
    panel.set(xlabel=x.label, ylabel=y.label)
    return image


def grid(result, leading=()):
    """Draws the input and the output of a grid, the difference, and the missing points."""
    after, steps = plane(result.after, leading)
    planes = [("output", result.after, after)]
    if result.before is not None:
        before, before_steps = plane(result.before, leading)
        planes.insert(0, ("input", result.before, before))
    low, high = limits(*(values for _, _, values in planes))
    differs = result.before is not None and result.before.shape == result.after.shape and steps == before_steps
    count = len(planes) + differs
    size = (4.8 * count + 1, 3.6 * height_of(result.after) + 1.2)
    figure, panels = plt.subplots(1, count, figsize=size, squeeze=False, layout="constrained")
    for panel, (name, data, values) in zip(panels[0], planes):
        image = show_plane(panel, data, values, "viridis", low, high)
        missing = np.isnan(values).mean()
        panel.set_title(f"{name}, {100 * missing:.3g} % missing" if missing else name)
        if missing:
            panel.legend(handles=[Patch(facecolor=GREY, edgecolor="black", label="missing")], loc="lower left", fontsize="small")
        figure.colorbar(image, ax=panel, label=data.label, shrink=0.8, extend="both")
    if differs:
        difference = after - before
        most = max(np.abs(limits(difference)))
        image = show_plane(panels[0][-1], result.after, difference, "RdBu_r", -most, most)
        panels[0][-1].set_title("output - input")
        figure.colorbar(image, ax=panels[0][-1], label=result.after.label, shrink=0.8, extend="both")
    title(figure, result, f"; one of {max(steps)} points along an axis is drawn" if max(steps) > 1 else "")
    return figure


def stacks_of(result):
    """Returns a list of (name, data). The input is first, if it is found and has as many planes as the output; the output
    is last."""
    shown = [("output", result.after)]
    if result.before is not None and result.before.shape[:-2] == result.after.shape[:-2]:
        shown.insert(0, ("input", result.before))
    return shown


def plane_at(data, index):
    """Returns the plane at an index of the first axis, and in the middle of each other axis that is not drawn."""
    return plane(data, (index, *middle(data.shape[1:-2])))[0]


def spread(points, most):
    """Returns at most `most` indices, evenly spread over an axis of `points` points."""
    return np.unique(np.linspace(0, points - 1, min(most, points)).astype(int))


def sheet(result):
    """Draws planes of a stack, evenly spread along its first axis, with one colour scale: 12 planes of the output, or 6
    planes of the input above the same 6 planes of the output."""
    data, shown = result.after, stacks_of(result)
    is_pair = len(shown) == 2
    indices = spread(data.shape[0], 6 if is_pair else 12)
    cells = [(name, one, index, plane_at(one, index)) for name, one in shown for index in indices]
    low, high = limits(*(values for *_, values in cells))
    columns = len(indices) if is_pair else min(4, len(indices))
    rows, width = -(-len(cells) // columns), 2.6 if is_pair else 3.4
    size = (width * columns + 1, (0.9 * width * height_of(data) + 0.5) * rows + 0.8)
    figure, panels = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for panel in panels.flat[len(cells):]:
        panel.set_visible(False)
    for panel, (name, one, index, values) in zip(panels.flat, cells):
        image = show_plane(panel, one, values, "viridis", low, high)
        panel.set_title((f"{name}, " if is_pair else "") + data.axes[0].words(index), fontsize=8)
        panel.label_outer()
    figure.colorbar(image, ax=panels, label=data.label, shrink=0.7, extend="both")
    title(figure, result, f", along {data.axes[0].label}")
    return figure
