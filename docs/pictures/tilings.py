"""Picture of examples/strategies: from where the threads of a block take their inputs, for blocks of 8 outputs and masks of 5 taps."""

import matplotlib.pyplot as plt
from matplotlib.patches import Patch, Rectangle

OUTPUTS, TAPS, SHOWN = 8, 5, 3  # of a block; the output whose inputs are drawn
INPUTS = OUTPUTS + TAPS - 1
GLOBAL, CACHE = "#c9ccd1", "#f6c6b0"
STEPS = ("#5b8def", "#f2a33a", "#2e9e5b")
SPARE = "white"

# For each strategy the colours of the inputs, and the number of threads.
ROWS = {
    "global": ([GLOBAL] * INPUTS, OUTPUTS),
    "constant": ([GLOBAL] * INPUTS, OUTPUTS),
    "tiled_halo": ([STEPS[0]] * 2 + [STEPS[1]] * OUTPUTS + [STEPS[2]] * 2, OUTPUTS),
    "tiled_two_step": ([STEPS[0]] * OUTPUTS + [STEPS[1]] * 4, OUTPUTS),
    "tiled_input": ([STEPS[0]] * INPUTS, INPUTS),
    "tiled_cached": ([CACHE] * 2 + [STEPS[0]] * OUTPUTS + [CACHE] * 2, OUTPUTS),
}
TITLES = {"global": "global: every tap loads input and mask from global memory",
          "constant": "constant: the mask in constant memory",
          "tiled_halo": "tiled_halo: the tile between the two parts of its halo",
          "tiled_two_step": "tiled_two_step: as many inputs as threads, then the rest",
          "tiled_input": "tiled_input: a thread for every input",
          "tiled_cached": "tiled_cached: the halo is left to the cache"}


def draw_tilings():
    figure, panels = plt.subplots(3, 2, figsize=(9.5, 6))
    for panel, (name, (colours, threads)) in zip(panels.flat, ROWS.items()):
        for place, colour in enumerate(colours):
            panel.add_patch(Rectangle((place - 0.45, 1.6), 0.9, 0.6, facecolor=colour, edgecolor="black", linewidth=0.7))
        first = (INPUTS - OUTPUTS) // 2
        for thread in range(threads):
            place = thread + (first if threads == OUTPUTS else 0)
            works = first <= place < first + OUTPUTS
            panel.add_patch(Rectangle((place - 0.45, 0), 0.9, 0.6, facecolor="0.35" if works else SPARE, edgecolor="black",
                                      linewidth=0.7, linestyle="-" if works else ":"))
        for tap in range(TAPS):
            panel.plot([first + SHOWN, first + SHOWN - 2 + tap], [0.6, 1.6], color="black", linewidth=0.8)
        panel.set_title(TITLES[name], loc="left", fontsize=9)
        panel.set(xlim=(-1, INPUTS), ylim=(-0.2, 2.4), yticks=[0.3, 1.9], xticks=[])
        panel.set_yticklabels(["threads", "inputs"])
        panel.tick_params(length=0)
        for side in panel.spines.values():
            side.set_visible(False)
    figure.legend(handles=[Patch(facecolor=GLOBAL, edgecolor="black", label="global memory, for every tap"),
                           *(Patch(facecolor=colour, edgecolor="black", label=f"shared memory, loaded in step {step}")
                             for step, colour in enumerate(STEPS, 1)),
                           Patch(facecolor=CACHE, edgecolor="black", label="cache, for every tap"),
                           Patch(facecolor="0.35", edgecolor="black", label="thread with an output"),
                           Patch(facecolor=SPARE, edgecolor="black", linestyle=":", label="thread that only loads")],
                  loc="lower center", ncols=4, fontsize=8, bbox_to_anchor=(0.5, -0.1))
    return figure


PICTURES = {"tilings": draw_tilings}
