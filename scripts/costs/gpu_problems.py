"""Realistic problems for `stencil_bench ways` on a GPU, from 1000 x 1000 to 16384 x 16384 points."""

import math

from costs.problems import TYPES, log_uniform, outputs_of, problem_of

MOST_POINTS = 1 << 28
MOST_ADDS = 4.5e12  # multiply-adds of a direct sum in float32, which take about 0.2 s
MOST_RENORMALIZING_ADDS = 1e11
KINDS = ("line", "column", "dense", "disk", "star", "outer", "sum 2", "sum 3")
SHARES = (4, 4, 5, 3, 4, 6, 2, 1)


def random_taps(draw, kind):
    if kind in ("line", "column"):
        width = log_uniform(draw, 3, 4097)
        return (1, width) if kind == "line" else (width, 1)
    if draw.random() < 0.25:
        side = draw.choice((3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 31, 33, 41, 63, 101, 127))
    else:
        side = log_uniform(draw, 3, 127)
    return side, side if draw.random() < 0.6 else log_uniform(draw, 3, 127)


def random_shape(draw, kind):
    points = log_uniform(draw, 1e6, MOST_POINTS)
    if kind == "line" and draw.random() < 0.5:
        return 1, 1, points
    if draw.random() < 0.3:
        side = draw.choice((1000, 2000, 4000, 8192, 16384))
        return 1, side, side
    batch = draw.choice((1, 1, 1, 1, log_uniform(draw, 2, 40)))
    side, skew = math.sqrt(points / batch), math.exp(draw.uniform(-1, 1))
    return batch, int(side * skew), int(side / skew)


def extras(draw, kind, taps):
    """Returns stride, steps and min_valid: usually the defaults, sometimes another value for one of the three."""
    chance = draw.random()
    if chance < 0.13 and not kind.startswith("sum"):
        most = draw.choice((2, 2, 4, 10))
        return [1 if size == 1 else draw.randint(1 if min(taps) > 1 else 2, most) for size in taps], 1, None
    if chance < 0.25:
        return [1, 1], log_uniform(draw, 2, 200), None
    if chance < 0.33 and min(taps) > 1 and max(taps) < 40 and not kind.startswith("sum"):
        return [1, 1], 1, 0.5
    return [1, 1], 1, None


def is_fit(problem):
    height, width = problem["taps"]
    _, y, x = problem["shape"]
    adds = outputs_of(problem) * height * width
    most = MOST_RENORMALIZING_ADDS if "min_valid" in problem else MOST_ADDS
    return (2 * height <= y and 2 * width <= x and math.prod(problem["shape"]) <= MOST_POINTS
            and adds <= (most if problem["type"] == "float32" else most / 2))


def random_problem(draw):
    """Returns a problem with a random mask of one or two axes: dense, with zeros, separable, or a sum of separable masks. Most problems
    have one step."""
    while True:
        kind = draw.choices(KINDS, SHARES)[0]
        taps = random_taps(draw, kind)
        stride, steps, min_valid = extras(draw, kind, taps)
        if steps > 1 and draw.random() < 0.4:
            taps = tuple(min(size, 3) for size in taps)  # small masks, for which several steps share a sweep
        mask = "dense" if kind in ("line", "column") else kind
        problem = dict(problem_of(draw.choice(TYPES), taps, random_shape(draw, kind), mask, stride, steps),
                       backend="cuda")
        if min_valid is not None:
            problem["min_valid"] = min_valid
        if is_fit(problem):
            return problem
