"""Fits figures to what was measured, and writes them as a table in C++."""

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
KINDS = 12
TABLE_POINTS = 8  # the amount whose time is that of setting up
SMALL = 2e-5  # seconds: what else setting up takes is not the table's
OUTLIER = 0.15  # relative errors beyond count less
CLOSE, MORE = 1.5, 4  # ways within so many times another's seconds decide something: they count so much more


def of_one_way(rows):
    """The figures of one way and type.

    rows: for each problem the amounts, the multiply-adds that took as long as computing, and as setting up (or none),
    and how much it counts
    """
    amounts = np.array([row[0] for row in rows])
    adds = np.array([row[1] for row in rows])
    counts = np.sqrt([row[3] for row in rows])
    computed = amounts.copy()
    computed[:, TABLE_POINTS] = 0
    weights = np.ones(len(rows))
    for _ in range(10):
        scale = (counts * weights / adds)[:, None]
        columns = computed * scale
        size = np.maximum(np.abs(columns).max(axis=0), 1e-300)
        figures, _ = scipy.optimize.nnls(columns / size, counts * weights)
        figures /= size
        errors = np.abs(computed @ figures / adds - 1)
        weights = np.sqrt(OUTLIER / np.maximum(errors, OUTLIER))
    setups = [row[2] / row[0][TABLE_POINTS] for row in rows if row[2] is not None and row[0][TABLE_POINTS] > 0]
    figures[TABLE_POINTS] = statistics.median(setups) if setups else 0
    return figures, errors


def is_close(way, ways):
    """Whether another way takes nearly as long."""
    return any(1 / CLOSE < way["seconds"] / other["seconds"] < CLOSE for other in ways if other is not way)


def table_of(measured):
    """{type: {way: figures}}, and what there is to say of the errors."""
    rows = {}
    for one in measured:
        answer = one["answer"]
        rate = answer["adds_per_second"]
        for way in answer["ways"].values():
            setup = way["setup"] * rate if way["setup"] > SMALL else None
            row = way["amounts"], way["compute"] * rate, setup, MORE if is_close(way, answer["ways"].values()) else 1
            rows.setdefault((one["problem"]["type"], way["way"]), []).append(row)
    figures, lines = {}, ["type     way                 problems  median error  90 % below"]
    for kind, way in sorted(rows):
        figures.setdefault(kind, {})[way], errors = of_one_way(rows[kind, way])
        middle, most = np.quantile(errors, (0.5, 0.9))
        lines.append(f"{kind}  {way:18s}  {len(errors):8d}  {middle:12.3f}  {most:10.3f}")
    return figures, "\n".join(lines)


def lines_of(figures):
    lines = []
    for way in WAYS:
        numbers = ", ".join(f"{number:.3g}" for number in figures.get(way, [0] * KINDS))
        lines.append(f"    {{{numbers}}},  // {way}")
    return "\n".join(lines)


def rewritten(text, figures):
    """The source of the table with other figures for the types and ways that were measured."""
    for kind, of_kind in figures.items():
        pattern = rf"(CostTable {kind}_costs{{{{\n)(.*?)(\n}}}};)"
        old = re.search(pattern, text, re.DOTALL)
        known = {way: line for way, line in zip(WAYS, old.group(2).split("\n"))}
        new = dict(zip(WAYS, lines_of(of_kind).split("\n")))
        lines = "\n".join(new[way] if way in of_kind else known[way] for way in WAYS)
        text = text[:old.start(2)] + lines + text[old.end(2):]
    return text
