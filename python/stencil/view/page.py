"""A self-contained HTML page with zoom: signals are line charts, everything else is a picture."""

import base64
import html
import io
import json
import pathlib

import numpy as np

from .files import pyramid, spectrum
from .filters import frequency_response, responses
from .pictures import signal_parts

MOST_BINS = 1 << 16  # for a signal that is read completely; 1 << 14 for a sampled signal


def numbers(values):
    """Returns the values as base64 of little-endian float32."""
    return base64.b64encode(np.asarray(values, "<f4").tobytes()).decode()


def chart(title, x_label, y_label, lines, logarithmic=False, low=None):
    return {"title": title, "x": x_label, "y": y_label, "log": logarithmic, "low": low, "lines": lines}


def line(label, colour, first, last, low, high=None):
    """Returns the description of a line of a chart. The line has the values `low` at evenly spaced positions from `first`
    to `last` or, if `high` is given, a range from `low` to `high` at each position."""
    return {"label": label, "colour": colour, "first": float(first), "last": float(last), "low": numbers(low),
            "high": None if high is None else numbers(high)}


def charts_of(result):
    axis, over, densities = result.mask_axis, [], []
    for label, colour, data, read, points in signal_parts(result):
        bins = MOST_BINS if points <= 1 << 25 else 1 << 14
        edges, low, high, is_whole = pyramid(read, points, bins)
        x = data.axes[axis].at(edges[:-1])
        over.append(line(label + ("" if is_whole else " (samples)"), colour, x[0], x[-1], low, None if len(low) == points else high))
        found = spectrum(read, points, data.axes[axis].rate)
        if found:
            densities.append(line(label, colour, found[0][1], found[0][-1], np.log10(np.where(found[1][1:] > 0, found[1][1:], np.nan))))
    data, has_rate = result.after, bool(result.rate)
    frequency = f"frequency [{data.axes[axis].frequency_unit}]"
    charts = [chart("input and output", data.axes[axis].label, data.label, over)]
    if densities:
        charts.append(chart("power spectral density", frequency, "log10 of the density", densities))
    gains, impulses = [], []
    for (name, taps, rate), colour in zip(responses(result), ("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd")):
        at, decibels = frequency_response(taps, rate)
        gains.append(line(name, colour, at[0], at[-1], np.maximum(decibels, decibels.max() - 110)))
        half = len(taps) // 2 / (rate if has_rate else 1)
        impulses.append(line(name, colour, -half, (len(taps) - 1) / (rate if has_rate else 1) - half, taps))
    if gains:
        charts += [chart("frequency response", "frequency [Hz]" if has_rate else "frequency [cycles per point]", "gain [dB]", gains),
                   chart("impulse response", "time [s]" if has_rate else "points", "weight", impulses)]
    return charts


def picture_of(figure):
    """Returns a figure as PNG, or an animation as GIF, in a data URL."""
    buffer, is_animation = io.BytesIO(), hasattr(figure, "frames")
    figure.save(buffer, "") if is_animation else figure.savefig(buffer, dpi=220, format="png")
    return f"data:image/{'gif' if is_animation else 'png'};base64," + base64.b64encode(buffer.getvalue()).decode()


def write_page(path, figure, signal):
    """Writes a page with the charts of a signal or, if there is no signal, with the figure or animation as a picture."""
    facts = {"charts": charts_of(signal) if signal else [], "picture": "" if signal else picture_of(figure)}
    figure = getattr(figure, "figure", figure)
    name = figure._suptitle.get_text() if figure._suptitle else path
    text = pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    text = text.replace("{{title}}", html.escape(name)).replace("{{facts}}", json.dumps(facts).replace("<", "\\u003c"))
    pathlib.Path(path).write_text(text, encoding="utf-8")
