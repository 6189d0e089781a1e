"""Problems for `stencil_bench ways`: masks on arrays, as dictionaries with the keys that the program reads."""

import itertools
import math
import random

TYPES = ("float32", "float64")
MOST_ADDS = 4e9  # multiply-adds of a direct sum, which take some hundredths of a second
MOST_DESIGNED = 6e8  # fewer multiply-adds, because each problem is timed several times with every method
MOST_POINTS = 1.2e7

LINES = (3, 9, 17, 33, 49, 65, 81, 97, 113, 129, 161, 193, 257, 385, 513, 1025, 2049, 4097)
SIGNALS = ((1, 1, 2000), (1, 1, 20000), (1, 1, 200000), (1, 1, 2000000), (1, 1, 8000000), (1, 1000, 1000),
           (1, 4000, 250), (1, 100, 20000), (20, 300, 300))
STACKS = ((1, 1000, 1000), (1, 20000, 100), (1, 5000, 40), (1, 400, 5000), (20, 2000, 64), (1, 3000, 3000),
          (1, 4200, 600))
GRIDS = ((1, 1000, 1000), (1, 64, 64), (1, 100, 130), (1, 200, 3000), (1, 3000, 200), (1, 2500, 2500), (8, 256, 256),
         (1, 500, 500))
SQUARES = ((3, 3), (5, 5), (7, 7), (9, 9), (11, 11), (13, 13), (15, 15), (17, 17), (21, 21), (31, 31), (45, 45),
           (63, 63), (101, 101), (3, 21), (21, 3), (5, 63), (63, 5))
LARGE = ((129, 129), (191, 191), (257, 257), (401, 401), (31, 257), (257, 31))
LINE_STRIDES = (1, 1, 2, 5, 10)
GRID_STRIDES = ((1, 1), (1, 1), (1, 1), (2, 2), (1, 3), (3, 1), (5, 5))


def outputs_of(problem):
    batch, y, x = problem["shape"]
    sy, sx = problem["stride"]
    return batch * (-(-y // sy)) * (-(-x // sx))


def is_fit(problem, most=MOST_ADDS):
    """Returns whether a problem takes at most `most` multiply-adds and its mask is not wider than its array."""
    height, width = problem["taps"]
    _, y, x = problem["shape"]
    adds = outputs_of(problem) * height * width * problem.get("steps", 1)
    return height <= y and width <= x and adds <= most and math.prod(problem["shape"]) <= MOST_POINTS


def problem_of(kind, taps, shape, mask, stride, steps=1):
    return {"type": kind, "shape": list(shape), "mask": mask, "taps": list(taps), "stride": list(stride),
            "steps": steps}


def designed(most, seed=1):
    """Returns at most `most` problems, drawn evenly from all combinations of the masks, shapes and strides above."""
    lines = [problem_of(kind, (1, w), shape, "dense", (1, s))
             for kind, w, shape, s in itertools.product(TYPES, LINES, SIGNALS, LINE_STRIDES)]
    columns = [problem_of(kind, (h, 1), shape, "dense", (s, 1))
               for kind, h, shape, s in itertools.product(TYPES, LINES, STACKS, LINE_STRIDES)]
    squares = [[problem_of(kind, taps, shape, mask, stride)
                for kind, taps, shape, stride in itertools.product(TYPES, SQUARES, GRIDS, GRID_STRIDES)]
               for mask in ("disk", "outer", "sum 2", "sum 3")]
    large = [problem_of(kind, taps, shape, mask, (1, 1))
             for kind, taps, shape, mask in itertools.product(TYPES, LARGE, GRIDS, ("dense", "outer"))]
    chosen = []
    draw = random.Random(seed)
    for group, share in zip((lines, columns, *squares, large), (4, 3, 2, 3, 3, 2, 2)):
        fit = [problem for problem in group if is_fit(problem, MOST_DESIGNED)]
        chosen += [cut(draw, problem) for problem in draw.sample(fit, min(len(fit), most * share // 19))]
    return chosen


def cut(draw, problem):
    """Returns the problem, in half of the cases with a random size for the blocks or tiles of transforms (the key `cut`). For
    some tiles, the third number 0 means that no zeros precede the inputs of a tile (FftTileAxis::lead)."""
    (height, width), (_, rows, columns) = problem["taps"], problem["shape"]
    if draw.random() < 0.5:
        return problem
    if min(height, width) == 1:
        longest = 4 * (columns if height == 1 else rows)
        sizes = [[1 << bits] for bits in range(8, 18) if 1.5 * height * width <= 1 << bits <= longest]
    else:
        sides = [1 << bits for bits in range(5, 11)]
        sizes = [[y, x] for y in sides[1:] for x in sides
                 if 1.5 * height <= y <= 4 * rows and 1.5 * width + 16 <= x <= 4 * columns and y <= 4 * x <= 16 * y]
    if not sizes:
        return problem
    size = draw.choice(sizes)
    return dict(problem, cut=size + [0] if len(size) == 2 and draw.random() < 0.4 else size)


def log_uniform(draw, least, most):
    return int(round(math.exp(draw.uniform(math.log(least), math.log(most)))))


def random_mask(draw):
    """Returns a random kind of mask and its extents. About half of the masks run along one axis and have 3 to 4097 taps, the others run
    along two axes."""
    if draw.random() < 0.45:
        width = log_uniform(draw, 3, 4097)
        return "dense", (1, width) if draw.random() < 0.6 else (width, 1)
    mask = draw.choice(("dense", "disk", "outer", "outer", "sum 2", "sum 3"))
    side = log_uniform(draw, 3, 201 if mask == "outer" else 101)
    other = side if draw.random() < 0.6 else log_uniform(draw, 3, 101)
    return mask, (side, other)


def random_shape(draw, taps):
    points = log_uniform(draw, 3e3, MOST_POINTS)
    if taps[0] == 1 and draw.random() < 0.5:
        return 1, 1, points
    batch = draw.choice((1, 1, 1, log_uniform(draw, 2, 30)))
    side = math.sqrt(points / batch)
    skew = math.exp(draw.uniform(-1.5, 1.5))
    return batch, max(1, int(side * skew)), max(1, int(side / skew))


def random_problem(draw):
    """Returns a realistic problem: a mask of any kind on an array of any shape, mostly without strides and in one step."""
    while True:
        mask, taps = random_mask(draw)
        stride = [1 if size == 1 or draw.random() < 0.8 else log_uniform(draw, 2, 10) for size in taps]
        steps = log_uniform(draw, 2, 30) if stride == [1, 1] and draw.random() < 0.15 else 1
        problem = problem_of(draw.choice(TYPES), taps, random_shape(draw, taps), mask, stride, steps)
        if is_fit(problem):
            return problem


def to_fit(count, seed=1):
    """Returns `count` problems for a fit of costs. A fifth are designed combinations, so that each amount is large in some problem. The
    others are realistic random problems of the same kind as those with which `auto` is tested, but never the same problems."""
    draw = random.Random(f"to fit {seed}")
    return designed(count // 5, seed) + [random_problem(draw) for _ in range(count - count // 5)]


def words_of(problem):
    """Returns the problem as text, for example `float32 outer 9x9 on 1x100x2000 stride 2 1`"""
    text = "{type} {mask} ".format(**problem) + "x".join(map(str, problem["taps"])) + " on " + \
        "x".join(map(str, problem["shape"]))
    if problem["stride"] != [1, 1]:
        text += " stride " + " ".join(map(str, problem["stride"]))
    return text + (f" steps {problem['steps']}" if problem["steps"] > 1 else "")
