"""Pictures of docs/edges.md: the values beyond the edges, the points under even masks, and `extent`. All values are results of runs."""

import matplotlib.pyplot as plt
import numpy as np
from runs import filtered

SIGNAL = np.array([2.0, 5, 3, 4, 7, 6])
REACH = 5  # points that are drawn beyond each edge
RULES = {"reflect": [], "mirror": [], "nearest": [], "wrap": [], "zero": [], "constant": ["boundary_value = 1"]}
TAKEN, OWN, RESULT = "tab:orange", "tab:blue", "black"


def beyond(word, keys):
    """The values before and after the signal that masks use, as outputs of a mask with a single tap, far from its centre."""
    taps = ["1"] + ["0"] * (2 * REACH)
    before, behind = (filtered(SIGNAL, f"mask = {' '.join(order)}", "method = direct", f"boundary = {word}", *keys)
                      for order in (taps, taps[::-1]))
    return np.concatenate([before[:REACH], SIGNAL, behind[-REACH:]])


def draw_boundaries():
    """The signal and its continuation, for every value of `boundary` except interp."""
    figure, axes = plt.subplots(3, 2, figsize=(8.5, 5.4), sharex=True, sharey=True)
    place = np.arange(-REACH, SIGNAL.size + REACH)
    own = (place >= 0) & (place < SIGNAL.size)
    for panel, (word, keys) in zip(axes.flat, RULES.items()):
        values = beyond(word, keys)
        panel.bar(place[~own], values[~own], color=TAKEN, width=0.8)
        panel.bar(place[own], values[own], color=OWN, width=0.8)
        panel.axvline(-0.5, color="grey", linewidth=0.8)
        panel.axvline(SIGNAL.size - 0.5, color="grey", linewidth=0.8)
        panel.set_title("  ".join([f"boundary = {word}", *keys]), loc="left", fontsize=10)
        panel.set_xticks(place[::2])
    axes[0, 0].set_ylim(0, 8)
    return figure


def draw_interp():
    """savgol on a noisy parabola: polynomials fitted at the edges, next to a continued signal."""
    x = np.arange(40.0)
    points = 0.02 * (x - 10) ** 2 + np.random.default_rng(0).normal(0, 0.5, x.size)
    figure, panel = plt.subplots(figsize=(8.5, 3))
    panel.plot(x, points, "o", color="grey", markersize=3, label="input")
    for word, colour in (("interp", OWN), ("mirror", TAKEN)):
        smooth = filtered(points, "mask = savgol", "size = 15", "polyorder = 2", f"boundary = {word}")
        panel.plot(x, smooth, color=colour, label=f"boundary = {word}")
    panel.axvspan(-0.5, 6.5, color="0.93")
    panel.axvspan(32.5, 39.5, color="0.93")
    panel.set_title("mask = savgol  size = 15  polyorder = 2", loc="left", fontsize=10)
    panel.legend(fontsize=8)
    return figure


def taken_points(width, origin, at=6, count=12):
    """The inputs whose sum is the output `at`: input k is 2^k, so the bits of the sum give the inputs."""
    sums = filtered(2.0 ** np.arange(count), "mask = " + " ".join(["1"] * width), "method = direct", f"origin = {origin}")
    return [k for k in range(count) if int(sums[at]) >> k & 1]


def draw_widths():
    """The inputs that are under the mask for the output 6, for masks of odd and even width and several origins."""
    rows = [(3, 0), (5, 0), (2, 0), (4, 0), (4, -1), (4, 1), (5, -2), (5, 1)]
    figure, panel = plt.subplots(figsize=(8.5, 3.6))
    for row, (width, origin) in enumerate(rows):
        taken = taken_points(width, origin)
        for k in range(12):
            colour = TAKEN if k in taken else "white"
            panel.add_patch(plt.Rectangle((k - 0.45, -row - 0.4), 0.9, 0.8, facecolor=colour, edgecolor="grey"))
        panel.add_patch(plt.Rectangle((5.55, -row - 0.4), 0.9, 0.8, fill=False, edgecolor=RESULT, linewidth=2.5))
        panel.text(-1.2, -row, f"{width} taps, origin = {origin}", ha="right", va="center", fontsize=10)
    panel.text(6, 0.75, "output 6", ha="center", fontsize=9)
    panel.set_xticks(range(12))
    panel.set_xlim(-5.2, 11.8)
    panel.set_ylim(-len(rows) + 0.4, 1.3)
    panel.set_yticks([])
    panel.set_xlabel("inputs")
    return figure


def draw_extents():
    """The positions of the outputs of a mean over 5 points, for each value of `extent`, and with a stride."""
    points = np.array([1.0, 2, 6, 4, 5, 9, 7, 8, 3, 5, 6, 4])
    ways = (("extent = same", ["extent = same"], 0, 1), ("extent = valid", ["extent = valid"], 2, 1),
            ("extent = full  boundary = zero", ["extent = full", "boundary = zero"], -2, 1), ("stride = 3", ["stride = 3"], 0, 3))
    figure, axes = plt.subplots(4, 1, figsize=(8.5, 5.6), sharex=True, sharey=True)
    for panel, (title, keys, first, step) in zip(axes, ways):
        result = filtered(points, "mask = box", "size = 5", *keys)
        panel.bar(np.arange(points.size), points, color="0.87", width=0.9)
        panel.plot(first + step * np.arange(result.size), result, "o", color=OWN)
        panel.set_title(f"{title}: {result.size} outputs of {points.size} inputs", loc="left", fontsize=10)
    axes[-1].set_xticks(range(-2, 14))
    return figure


PICTURES = {"boundaries": draw_boundaries, "interp": draw_interp, "widths": draw_widths, "extents": draw_extents}
