"""Figures of plans (stencil_run --check --json) and of reports (stencil_run --report)."""

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

NAMES = ("batch", "y", "x")
COLOURS = {"read": "#3b7dd8", "memory": "#9aa0a6", "exchange": "#f2a33a", "compute": "#2e9e5b", "write": "#c8102e", "commit": "#7b4fa3",
           "verify": "#7b4fa3", "rest": "#dddddd"}


def size_words(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.3g} {unit}"
        count /= 1024


def plan(facts, name):
    """Draws the points of the input, the blocks of the ranks, the ghost points of one block, and the windows."""
    shape, blocks = facts["shape"], facts["blocks"]
    shown = sorted(range(3), key=lambda axis: (blocks[axis] > 1, shape[axis]))[1:]
    y, x = min(shown), max(shown)
    figure, (world, words) = plt.subplots(1, 2, figsize=(13, 5.5), width_ratios=(2, 1), layout="constrained")
    cuts = {axis: [shape[axis] * i // blocks[axis] for i in range(blocks[axis] + 1)] for axis in (y, x)}
    low = [sum(stage["halo_low"][axis] for stage in facts["stages"]) for axis in range(3)]
    high = [sum(stage["halo_high"][axis] for stage in facts["stages"]) for axis in range(3)]
    for row in range(blocks[y]):
        for column in range(blocks[x]):
            begin, end = (cuts[y][row], cuts[x][column]), (cuts[y][row + 1], cuts[x][column + 1])
            rank = row * blocks[x] + column if y < x else column
            world.add_patch(Rectangle(begin[::-1], end[1] - begin[1], end[0] - begin[0], facecolor=plt.cm.Pastel1(rank % 9),
                                      edgecolor="black"))
            if blocks[y] * blocks[x] <= 64:
                world.text((begin[1] + end[1]) / 2, (begin[0] + end[0]) / 2, f"rank {rank}", ha="center", va="center", fontsize=8)
    inner = (cuts[y][blocks[y] // 2] - low[y], cuts[x][blocks[x] // 2] - low[x])
    outer = (cuts[y][blocks[y] // 2 + 1] + high[y], cuts[x][blocks[x] // 2 + 1] + high[x])
    world.add_patch(Rectangle(inner[::-1], outer[1] - inner[1], outer[0] - inner[0], fill=False, edgecolor="#c8102e", ls="--", lw=1.5,
                              label=f"points that one block needs: ghosts {low[y]}+{high[y]} along {NAMES[y]}, "
                                    f"{low[x]}+{high[x]} along {NAMES[x]}"))
    windows = facts.get("windows")
    if windows and windows["axis"] in (y, x):
        step, along = windows["outputs"], windows["axis"]
        for at in range(step, windows["outputs_in_all"], step):
            (world.axvline if along == x else world.axhline)(at * shape[along] / windows["outputs_in_all"], color="#3b7dd8", lw=0.8)
        world.plot([], [], color="#3b7dd8", label=f"windows of {step} outputs along {NAMES[along]}")
    pad = [0.03 * shape[axis] + max(low[axis], high[axis]) for axis in (y, x)]
    world.set(xlim=(-pad[1], shape[x] + pad[1]), ylim=(shape[y] + pad[0], -pad[0]), xlabel=f"{NAMES[x]} [points]",
              ylabel=f"{NAMES[y]} [points]", title=f"{facts['input']['file']}:{facts['input']['dataset']}")
    if shape[y] == 1:
        world.set(yticks=[], ylabel="")
    world.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), fontsize="small")
    words.axis("off")
    words.text(0, 1, "\n".join(plan_lines(facts)), va="top", fontsize=9, family="monospace", wrap=True)
    figure.suptitle(name, fontsize=10)
    return figure


def plan_lines(facts):
    seconds = facts.get("seconds_predicted", {})
    lines = [f"ranks     {facts['ranks']}, {facts['backend']}, {facts['precision']}", f"way       {facts['way']}",
             f"memory    {size_words(facts['memory_per_rank_bytes'])} per rank",
             f"halos     {size_words(facts['halo_bytes_per_rank'])} per rank",
             f"output    {' x '.join(map(str, facts['output']['shape']))} {facts['output']['dtype']}, {size_words(facts['output']['bytes'])}"]
    windows = facts.get("windows")
    if windows:
        lines.append(f"windows   {windows['outputs']} of {windows['outputs_in_all']} outputs, because of {windows['reason']}")
    lines += [f"{key:<9} {value:.3g} s (predicted)" for key, value in seconds.items()]
    for stage in facts["stages"]:
        lines += ["", stage["name"], f"  {stage['method']}, {' x '.join(map(str, stage['taps']))} taps, {stage['steps']} step(s)",
                  f"  boundary {' '.join(stage['boundary']) or '-'}"]
    return lines


def rank_rows(facts):
    """Returns {label: {part: seconds}}: the seconds of each part of the run for each rank, or for the slowest rank if there is
    one rank or more than 64 ranks."""
    total, by_rank = facts["seconds"]["total"], facts.get("seconds_by_rank", {})
    slowest = {key: value for key, value in facts["seconds"].items() if key != "total"}
    ranks = [dict(zip(by_rank, parts)) for parts in zip(*by_rank.values())]
    rows = {f"rank {rank}": parts for rank, parts in enumerate(ranks)} if 1 < len(ranks) <= 64 else {"slowest rank": slowest}
    return {label: parts | {"rest": max(0.0, total - sum(parts.values()))} for label, parts in rows.items()}


def report(facts, name):
    """Draws the seconds of each rank, of the stations of windows, and of the stages. The seconds of the stages are compared
    with their predictions."""
    windows = facts.get("windows", {}).get("stations")
    timed = [stage for stage in facts["stages"] if "actual" in stage["compute_seconds"]]
    rows = rank_rows(facts)
    heights = [1.6 + 0.25 * len(rows), *([2.2] if windows else []), 1.6 + 0.4 * len(timed)]
    figure, panels = plt.subplots(len(heights), 1, figsize=(11, sum(heights) + 0.4), height_ratios=heights, layout="constrained")
    stacked(panels[0], rows)
    panels[0].axvline(facts["seconds"]["total"], color="black", lw=1)
    panels[0].set(title=f"{facts['seconds']['total']:.3g} s in all, {facts['ranks']} rank(s)",
                  xlabel="seconds" if len(rows) > 1 else "seconds of the slowest rank in each part")
    if windows:
        for i, station in enumerate(windows):
            busy, waiting = windows[station]["busy_seconds"], windows[station]["waiting_seconds"]
            panels[1].barh(i, busy, color=COLOURS[station], label="busy" if i == 0 else None)
            panels[1].barh(i, waiting, left=busy, color=COLOURS["rest"], label="waiting" if i == 0 else None)
            panels[1].text(busy, i, f" {busy:.3g} s busy", va="center", fontsize=8)
        panels[1].set(yticks=range(len(windows)), yticklabels=list(windows), title="stations of windows, which work side by side: busy, and waiting (grey)",
                      xlabel="seconds")
        panels[1].invert_yaxis()
    bars = np.arange(len(timed))
    panels[-1].barh(bars - 0.2, [stage["compute_seconds"]["actual"] for stage in timed], 0.36, color=COLOURS["compute"], label="measured")
    panels[-1].barh(bars + 0.2, [stage["compute_seconds"].get("predicted", 0) for stage in timed], 0.36, color=COLOURS["memory"], label="predicted")
    panels[-1].set(yticks=bars, yticklabels=[f"{stage['name']}\n{stage['method']}" for stage in timed], xlabel="seconds of computing",
                   title="stages")
    panels[-1].legend(loc="best", fontsize="small")
    figure.suptitle(name, fontsize=10)
    return figure


def trace(events, name):
    """Draws the spans of a trace along time, with one row per thread of each rank."""
    labels = {(event["pid"], event.get("tid")): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    spans = [event for event in events if event["ph"] == "X"]
    rows = sorted({(event["pid"], event["tid"]) for event in spans})
    figure, panel = plt.subplots(figsize=(13, 1.5 + 0.35 * len(rows)), layout="constrained")
    seen = set()
    for event in sorted(spans, key=lambda event: -event["dur"]):  # inner spans are drawn over outer ones
        part = event["name"] if event["name"] in COLOURS else "other"
        panel.barh(rows.index((event["pid"], event["tid"])), event["dur"] / 1e6, left=event["ts"] / 1e6, height=0.8,
                   color=COLOURS.get(part, "#5f6368"), label=None if part in seen else part)
        seen.add(part)
    panel.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
    panel.set(yticks=range(len(rows)), yticklabels=[f"rank {pid}: {labels.get((pid, tid), tid)}" for pid, tid in rows], xlabel="time [s]", title=name,
              xlim=(0, None))
    panel.invert_yaxis()
    panel.grid(axis="x", alpha=0.3)
    return figure


def stacked(panel, rows):
    for i, (_, parts) in enumerate(rows.items()):
        left = 0
        for key, seconds in parts.items():
            label = f"{key} {seconds:.3g} s" if len(rows) == 1 else key
            panel.barh(i, seconds, left=left, color=COLOURS.get(key, "#888888"), label=label if i == 0 else None)
            left += seconds
    panel.set(yticks=range(len(rows)), yticklabels=list(rows))
    panel.invert_yaxis()
    panel.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
