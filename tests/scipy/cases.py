"""The random cases of semantics.py: case k is the same on every machine."""

from dataclasses import dataclass, field

import numpy as np

from families import FAMILIES, random_family
from expected import Stage

CASES = 360
BOUNDARIES = ("reflect", "mirror", "nearest", "clamp", "wrap", "periodic", "zero", "constant")
TYPES = ("float64", "float32", "int16", "uint16", "uint8", "int32")


@dataclass
class Case:
    data: np.ndarray
    sections: dict
    stages: list
    eps: float
    output_type: str
    stored_type: str
    layout: dict
    masks: dict = field(default_factory=dict)  # datasets of masks.h5
    policy: str = "propagate"
    missing_number: float = None
    fill_value: float = 0.0
    min_valid: float = 0.5


def numbers(values):
    return " ".join(repr(float(v)) if isinstance(v, (float, np.floating)) else str(int(v)) for v in values)


def random_data(rng, shape, dtype, number):
    kind = np.dtype(dtype)
    if kind.kind == "f":
        data = (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4)).astype(kind)
        if number % 7 == 3:  # as in IEEE arithmetic, NaN and Inf affect exactly the outputs whose mask covers them
            data.flat[rng.integers(data.size, size=2)] = [np.nan, np.inf]
        return data
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max + 1, size=shape).astype(kind)


def random_layout(rng, shape):
    choice = rng.integers(4)
    if choice == 0:
        return {}
    layout = {"chunks": tuple(int(rng.integers(1, n + 1)) for n in shape)}
    if choice >= 2:
        layout.update(compression="gzip", shuffle=bool(choice == 3))
        layout["maxshape"] = (None, *shape[1:])
    return layout


def random_taps(rng, shape):
    style = rng.integers(4)
    if style == 0:  # small integers, including zeros
        taps = rng.integers(-2, 3, size=shape).astype(float)
        return taps if taps.any() else np.ones(shape)
    if style == 1 and len(shape) == 2:  # an outer product, with or without zeros
        return np.outer(rng.integers(-1, 3, size=shape[0]), rng.integers(1, 4, size=shape[1])) + 0.0
    if style == 2:
        return rng.random(size=shape) + 0.1
    return np.round(rng.normal(size=shape), 3)


def written(rng, taps, masks):
    """The value of the key `mask`. Some masks, and all 2D masks of one row, are written to a file instead."""
    if (taps.ndim == 2 and len(taps) == 1) or rng.random() < 0.2:
        name = f"mask{len(masks)}"
        masks[name] = taps
        return f"masks.h5:/{name}"
    return numbers(taps) if taps.ndim == 1 else "; ".join(numbers(row) for row in taps)


def random_along(rng, rank):
    two = rank >= 2 and rng.random() < 0.5
    return (rank - 2, rank - 1) if two else (int(rng.integers(rank)),)


def random_words(rng, along, widths, lengths, single):
    """Random boundary, extent, origin and stride, as the arguments of Stage and as keys of the configuration."""
    count = len(along)
    one_for_all = count == 1 or rng.random() < 0.4
    values = lambda draw: [draw(i) for i in range(1 if one_for_all else count)]
    boundary = values(lambda i: str(rng.choice(BOUNDARIES)))
    if "constant" in boundary:  # boundary_value has one value for both axes
        boundary = ["constant" if word == "zero" else word for word in boundary]
    extents = ["same", "full"] + (["valid"] if all(w <= n for w, n in zip(widths, lengths)) else [])
    extent = str(rng.choice(extents)) if rng.random() < 0.5 else "same"
    origin = [0]
    if rng.random() < 0.4:
        low = max(-(w // 2) for w in widths)
        high = min(w - 1 - w // 2 for w in widths)
        origin = values(
            lambda i: int(
                rng.integers(low, high + 1)
                if one_for_all
                else rng.integers(-(widths[i] // 2), widths[i] - widths[i] // 2)
            )
        )
    stride = [1]
    if single and rng.random() < 0.4:
        stride = values(lambda i: int(rng.integers(1, 5)))
    value = round(float(rng.normal()), 3)
    words = dict(boundary=tuple(boundary), value=value, extent=extent, origin=tuple(origin), stride=tuple(stride))
    keys = {"boundary": " ".join(boundary), "extent": extent, "origin": numbers(origin), "stride": numbers(stride)}
    if "constant" in boundary:
        keys["boundary_value"] = repr(value)
    return words, keys


def random_stage(rng, shape, along, single, masks):
    lengths = [shape[a] for a in along]
    if rng.random() < 0.4 and single:
        taps, keys = random_family(rng, along)
    else:
        size = [int(rng.integers(1, 14 if len(along) == 1 else 8)) for _ in along]
        if rng.random() < 0.3:  # a mask that is not wider than the data, so that `valid` is possible
            size = [min(w, n) for w, n in zip(size, lengths)]
        taps = random_taps(rng, size)
        keys = {"mask": written(rng, taps, masks)}
        if len(along) == 1:
            keys["axis"] = str(along[0] if rng.random() < 0.5 else along[0] - len(shape))
    words, more = random_words(rng, along, taps.shape, lengths, single)
    operation = str(rng.choice(["correlate", "convolve"]))
    skips = taps.ndim == 2 and (keys["mask"] not in FAMILIES or FAMILIES[keys["mask"]].is_dense)
    stage = Stage(taps, along, operation, skip_zeros=skips, **words)
    return stage, {**keys, "operation": operation, **more}


def add_missing(rng, case, stage):
    """Adds missing points and their policy to a third of the cases that have one stage."""
    keys = {}
    spots = rng.random(case.data.shape) < 0.15
    if case.data.dtype.kind == "f":
        case.data[~np.isfinite(case.data)] = 1
        case.data[spots] = np.nan
        keys["value"] = "nan"
    else:
        case.missing_number = int(case.data.flat[0])
        case.data[spots] = case.missing_number
        keys["value"] = str(case.missing_number)
    case.policy = str(rng.choice(["fill", "propagate"]))
    if np.all(stage.taps >= 0):  # if taps had both signs, a weight near 0 would magnify rounding errors without limit
        case.policy = "renormalize"
    keys["policy"] = case.policy
    if case.policy == "fill":
        case.fill_value = keys["fill_value"] = 2.5
    if case.policy == "renormalize":
        case.min_valid = keys["min_valid"] = float(rng.choice([0.31, 0.53, 0.87]))
    case.sections["missing"] = keys


def choose_types(rng, case):
    """Chooses run.precision and output.dtype, and derives the type of the sums and the type of the output."""
    dtype = case.data.dtype.name
    precision = str(rng.choice(["auto", "auto", "float32", "float64"]))
    computed = precision if precision != "auto" else ("float64" if dtype == "float64" else "float32")
    case.sections["run"] = {"precision": precision}
    case.eps = float(np.finfo(computed).eps)
    case.output_type = computed
    finite = np.isfinite(case.data).all() and "missing" not in case.sections
    if rng.random() < 0.25:
        case.output_type = str(rng.choice(["float32", "float64"] + (["int16"] if finite else [])))
        case.sections["output"]["dtype"] = case.output_type


def make_case(number):
    rng = np.random.default_rng([20, number])
    rank = int(rng.choice([1, 2, 3, 4], p=[0.3, 0.35, 0.25, 0.1]))
    shape = tuple(int(n) for n in rng.integers(1, {1: 200, 2: 40, 3: 16, 4: 7}[rank], size=rank))
    dtype = str(rng.choice(TYPES, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1]))
    data = random_data(rng, shape, dtype, number)
    stored = np.dtype(dtype).newbyteorder(">") if rng.random() < 0.2 else np.dtype(dtype)
    sections = {"input": {"file": "in.h5", "dataset": "/group/data"}, "output": {"file": "out.h5"}}
    case = Case(data, sections, [], 0.0, "", stored.str, random_layout(rng, shape))
    along = random_along(rng, rank)
    repeats = int(rng.choice([1, 1, 1, 2, 3]))
    if repeats == 1:
        stage, keys = random_stage(rng, shape, along, True, case.masks)
        if "rate" in keys:
            sections["input"]["sampling_rate"] = keys.pop("rate")
        case.stages = [stage]
        if rng.random() < 0.33 or (np.all(stage.taps > 0) and stage.taps.size > 1):
            add_missing(rng, case, stage)
        case.sections["stencil"] = keys
    elif rng.random() < 0.5:  # several steps of the same stencil
        stage, keys = random_stage(rng, shape, along, False, case.masks)
        stage.extent = keys["extent"] = "same"
        case.stages = [stage] * repeats
        case.sections["stencil"] = {**keys, "steps": repeats}
    else:  # a chain of different stencils; their order in the file matters, not that of their names
        now = shape
        for name in ("second", "first", "third")[:repeats]:
            stage, keys = random_stage(rng, now, along, False, case.masks)
            case.stages.append(stage)
            case.sections[f"stencil.{name}"] = keys
            change = {"same": 0, "valid": -1, "full": 1}[stage.extent]
            now = list(now)
            for axis, w in zip(along, stage.taps.shape):
                now[axis] += change * (w - 1)
    choose_types(rng, case)
    return case
