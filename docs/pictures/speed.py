"""The figure of speed in README.md, drawn with the numbers of tables in docs/measurements."""

import pathlib
import re

import matplotlib.pyplot as plt

PAGES = pathlib.Path(__file__).resolve().parents[1] / "measurements"
OURS, OTHERS = "tab:blue", "0.7"


def seconds_of(label):
    """The seconds of a program according to the table of whole runs."""
    table = (PAGES / "programs.md").read_text(encoding="utf-8").partition("<!-- programs -->")[2].partition("<!-- end of programs -->")[0]
    return float(dict(re.findall(r"^\| (\S.*?) +\| ([\d.]+)", table, re.M))[label])


def rates_of(taps):
    """Gpt/s of Stencil and CuPy in float32, according to the table of transforms on a GPU."""
    row = re.search(rf"^\| {taps} \| [^|]*\| (\d+) \| \d+ \| ([\d.]+) \|", (PAGES / "transforms.md").read_text(encoding="utf-8"), re.M)
    return float(row[1]), float(row[2])


def bars(panel, names, values, title):
    panel.barh(names, values, color=[OURS if name == "Stencil" else OTHERS for name in names], height=0.6)
    panel.bar_label(panel.containers[0], fmt=" %g")
    panel.invert_yaxis()
    panel.set_title(title, loc="left", fontsize=9)
    panel.set_xlim(0, 1.2 * max(values))
    panel.tick_params(left=False)


def draw_speed():
    """Seconds from file to file, compared with SciPy and dask, and points per second on a GPU, compared with CuPy."""
    figure, axes = plt.subplots(1, 3, figsize=(10, 1.9))
    names = ["Stencil", "dask + OpenCV", "SciPy"]
    for panel, kind, title in zip(axes, ("gaussian", "bandpass"), ("Gaussian, file to file, s", "band-pass, file to file, s")):
        labels = (f"{kind}: stencil_run, 1 rank x 2 threads", f"{kind}: h5py + dask + OpenCV", f"{kind}: h5py + SciPy")
        bars(panel, names, [seconds_of(label) for label in labels], title)
    bars(axes[2], ["Stencil", "CuPy"], rates_of("31 x 31"), "31 x 31 taps on a GPU, Gpt/s")
    return figure


PICTURES = {"speed": draw_speed}
