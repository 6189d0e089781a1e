"""Pictures of docs/gallery.md: for each section an input, and the output of stencil_run with the configuration on the page."""

import pathlib
import re

import matplotlib.pyplot as plt
import numpy as np
from runs import results

PAGE = pathlib.Path(__file__).resolve().parents[1] / "gallery.md"
RNG_SEED = 20


def configurations():
    """{name of the picture: configuration}, as on the page."""
    sections = re.findall(r"\(pictures/(\w+)\.png\).*?^```ini\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return dict(sections)


def of_page(name, path, dataset, points, attributes=(), more=()):
    """The input and the output for the configuration of a section. more: further files, as for `results`."""
    files = {path: {dataset: (points, dict(attributes))}, **dict(more)}
    return points, results(files, configurations()[name])


def noise(*shape):
    return np.random.default_rng(RNG_SEED).normal(size=shape)


def lines(x, before, after, titles, places=None):
    """Draws two signals, one above the other."""
    figure, axes = plt.subplots(2, 1, figsize=(8, 3.6), sharex=True)
    for panel, place, signal, colour, title in zip(axes, (x, x if places is None else places), (before, after), ("tab:blue", "tab:red"), titles):
        panel.plot(place, signal, color=colour, linewidth=0.8)
        panel.set_title(title, loc="left")
    return figure


def images(planes, titles, limits, **look):
    """Draws grids side by side. limits: the lowest and the highest value of the colours, for all grids, or a list of such pairs."""
    pairs = limits if isinstance(limits, list) else [limits] * len(planes)
    figure, axes = plt.subplots(1, len(planes), figsize=(8, 8.6 / len(planes)))
    for panel, plane, title, (low, high) in zip(axes, planes, titles, pairs):
        panel.imshow(plane, vmin=low, vmax=high, interpolation="nearest", **look)
        panel.set_title(title, loc="left")
        panel.set_xticks([])
        panel.set_yticks([])
    return figure


def draw_chirp():
    t = np.arange(4096) / 4096
    chirp = np.where((t > 0.4) & (t < 0.7), np.sin(2 * np.pi * (50 * (t - 0.4) + 400 * (t - 0.4) ** 2)), 0)
    before, after = of_page("chirp", "strain.h5", "/strain", 8 * np.sin(2 * np.pi * 6 * t) + chirp + 0.4 * noise(t.size), {"Xspacing": 1 / 4096})
    return lines(t, before, after, ("strain", "35 to 350 Hz"))


def draw_matched():
    t = np.arange(300) / 300
    template = np.sin(2 * np.pi * (3 * t + 12 * t**2)) * np.hanning(300)
    data = 0.5 * noise(4000)
    data[2100:2400] += template
    data[3000:3300] += 0.5 * template
    before, after = of_page("matched", "data.h5", "/x", data, more={"templates.h5": {"chirp": (template, {})}})
    return lines(np.arange(4000), before, after, ("data, with two chirps of amplitudes 1 and 0.5", "amplitude of the template"))


def draw_velocity():
    t = np.arange(400) / 100
    before, after = of_page("velocity", "track.h5", "/position", np.sin(2 * t) + 0.03 * noise(t.size), {"Xspacing": 0.01})
    figure = lines(t, before, after, ("position / m", "velocity / (m/s), and the exact one in grey"))
    figure.axes[1].plot(t, 2 * np.cos(2 * t), color="grey", linewidth=3, alpha=0.5, zorder=0)
    return figure


def draw_fibre():
    t, place = np.arange(4000)[:, None] / 1000, np.arange(120)[None, :]
    vehicle = 3 * np.exp(-(((t - 0.5 - place / 40) / 0.08) ** 2))
    data = vehicle + 2 * np.sin(2 * np.pi * 180 * t + 0.3 * place) + noise(4000, 120)
    before, after = of_page("fibre", "das.h5", "/data", data.astype(np.float32))
    titles = (f"every 20th of {len(before)} samples", f"low-pass first: {len(after)} samples")
    figure = images((before[::20].T, after.T), titles, (-3, 3), cmap="RdBu", aspect="auto")
    figure.set_size_inches(8, 2.8)
    return figure


def draw_gaps():
    y, x = np.mgrid[0:90, 0:180]
    grid = 15 * np.cos(np.pi * (y - 45) / 90) + 4 * np.sin(2 * np.pi * x / 60) + 2 * noise(90, 180)
    grid[np.hypot(y - 30, (x - 60) / 1.6) < 14] = np.nan
    grid[np.random.default_rng(RNG_SEED + 1).random(grid.shape) < 0.08] = np.nan
    before, after = of_page("gaps", "sst.h5", "/sst", grid)
    return images((before, after), ("8 % of single points and a region are missing", "smoothed"), (0, 20))


def draw_edges():
    y, x = np.mgrid[0:160, 0:160]
    shape = np.where(np.hypot(y - 80, x - 80) < 50, 1.0, 0) + np.where((abs(y - 80) < 20) & (abs(x - 80) < 60), 1.0, 0)
    before, after = of_page("edges", "image.h5", "/image", shape + 0.15 * noise(160, 160))
    return images((before, after), ("image", "slope along x of the smoothed image"), [(-0.5, 2.5), (-2, 2)], cmap="gray")


def draw_spots():
    y, x = np.mgrid[0:160, 0:160]
    draw = np.random.default_rng(RNG_SEED + 2)
    sky = 3 * np.sin(x / 30) + 0.3 * noise(160, 160)
    for top, left in draw.integers(10, 150, (25, 2)):
        sky = sky + 2 * np.exp(-((y - top) ** 2 + (x - left) ** 2) / 8)
    before, after = of_page("spots", "sky.h5", "/sky", sky)
    return images((before, after), ("spots on an uneven background", "difference of Gaussians"), [(-4, 5), (-0.3, 1)])


def draw_plate():
    y, x = np.mgrid[0:100, 0:100]
    plate = np.where((np.hypot(y - 35, x - 35) < 15) | ((abs(y - 65) < 8) & (abs(x - 65) < 25)), 80.0, 20.0)
    _, after = of_page("plate", "plate.h5", "/T", plate)
    return images(list(after), [f"step {500 * k}" for k in range(len(after))], (20, 60), cmap="inferno")


PICTURES = {"chirp": draw_chirp, "matched": draw_matched, "velocity": draw_velocity, "fibre": draw_fibre, "gaps": draw_gaps, "edges": draw_edges,
            "spots": draw_spots, "plate": draw_plate}
