"""Fits costs to measurements, and writes them as a table in C++."""

import re
import statistics
import sys

try:
    import numpy as np
    import scipy.optimize
except ImportError:
    sys.exit("fit_costs: no scipy: apt-get install python3-scipy")

WAYS = ("line", "line strided", "column", "column strided", "dense", "dense zeros", "dense rows", "dense strided",
        "separable", "separable strided", "sum", "sum rows", "fft line", "fft column", "fft tiles")
GPU_WAYS = tuple("gpu " + way for way in (
    "line", "line long", "line strided", "column", "column long", "column strided", "dense", "dense large",
    "dense strided", "sparse", "sparse large", "listed", "separable", "separable large", "separable strided", "sum", "valid",
    "separable valid", "steps", "steps separable", "fft line", "fft line in memory", "fft column",
    "fft column in memory", "fft tiles", "fft tiles in memory"))
KINDS = 12
TABLE_POINTS, PROBLEMS = 8, 9  # indices of the amounts for setting up; PROBLEMS exists on GPUs only
SMALL = 2e-5  # seconds: the table does not describe shorter times of setting up
OUTLIER = 0.15  # larger relative errors have a smaller weight
CLOSE, MORE = 1.5, 4  # ways that take less than CLOSE times as long as another way have MORE times the weight


def of_one_way(rows):
    """Returns the costs of one way of computing for one type of numbers, and the relative errors.

    rows: for each problem a tuple of the amounts of work, of the number of multiply-adds that take as long as computing, of the number
    of multiply-adds that take as long as setting up (or None), and of the weight of the problem
    """
    amounts, adds, setup, counts = map(np.array, zip(*((row[0], row[1], row[2] or 0, row[3]) for row in rows)))
    computed = amounts.copy()
    computed[:, TABLE_POINTS] = 0
    figures, errors = least_relative_errors(computed, adds, counts)
    setups = setup[setup > 0] / amounts[setup > 0, TABLE_POINTS]
    figures[TABLE_POINTS] = statistics.median(setups) if setups.size else 0
    return figures, errors


def of_one_gpu_way(rows):
    """Like of_one_way(), for a GPU, where the time of setting up in every row includes the time to make a kernel."""
    amounts, adds, setup, counts = map(np.array, zip(*rows))
    computed, made = amounts.copy(), np.zeros_like(amounts)
    for column in TABLE_POINTS, PROBLEMS:
        computed[:, column], made[:, column] = 0, amounts[:, column]
    figures, errors = least_relative_errors(computed, adds, counts)
    return figures + least_relative_errors(made, setup, counts)[0], errors


def least_relative_errors(amounts, adds, counts):
    """Returns the costs, none of which is negative, for which the products of amounts and costs are closest to the multiply-adds, and the
    relative errors that remain."""
    weights = np.ones(len(adds))
    for _ in range(10):
        scale = (np.sqrt(counts) * weights / adds)[:, None]
        columns = amounts * scale
        size = np.maximum(np.abs(columns).max(axis=0), 1e-300)
        figures, _ = scipy.optimize.nnls(columns / size, np.sqrt(counts) * weights)
        figures /= size
        errors = np.abs(amounts @ figures / adds - 1)
        weights = np.sqrt(OUTLIER / np.maximum(errors, OUTLIER))
    return figures, errors


def is_close(way, ways):
    """Returns whether another way of computing the same problem takes nearly as long as `way`."""
    return any(1 / CLOSE < way["seconds"] / other["seconds"] < CLOSE for other in ways if other is not way)


def table_of(measured):
    """Returns the costs as {type: {way: costs}}, and a text about the errors."""
    rows = {}
    for one in measured:
        answer = one["answer"]
        rate = answer["adds_per_second"]
        for way in answer["ways"].values():
            setup = way["setup"] * rate if way["setup"] > SMALL or way["way"] in GPU_WAYS else None
            row = way["amounts"], way["compute"] * rate, setup, MORE if is_close(way, answer["ways"].values()) else 1
            rows.setdefault((one["problem"]["type"], way["way"]), []).append(row)
    figures, lines = {}, ["type     way                       problems  median error  90 % below"]
    for kind, way in sorted(rows):
        fitted = of_one_gpu_way if way in GPU_WAYS else of_one_way
        figures.setdefault(kind, {})[way], errors = fitted(rows[kind, way])
        middle, most = np.quantile(errors, (0.5, 0.9))
        lines.append(f"{kind}  {way:24s}  {len(errors):8d}  {middle:12.3f}  {most:10.3f}")
    return figures, "\n".join(lines)


def line_of(way, figures):
    return f"    {{{', '.join(f'{number:.3g}' for number in figures)}}},  // {way}"


def rewritten(text, figures, table="CostTable {}_costs", ways=WAYS):
    """Returns the source of a table, in which the costs of the measured types and ways are replaced.

    table: the name of the table in the source, with a placeholder for the type
    """
    for kind, of_kind in figures.items():
        pattern = re.escape(table.format(kind)) + r"{{\n(.*?)\n}};"
        old = re.search(pattern, text, re.DOTALL)
        known = dict(zip(ways, old.group(1).split("\n")))
        lines = (line_of(way, of_kind[way]) if way in of_kind else known[way] for way in ways)
        text = text[:old.start(1)] + "\n".join(lines) + text[old.end(1):]
    return text
