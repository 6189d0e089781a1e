"""Files of distributed acoustic sensing, opened by DASCore: its own test data, and a file that it writes."""

import os
import pathlib

import h5py
import numpy as np

from reader_case import CASES, Input, NoFile, Reading, case

# file: dataset, axis of the mask, and special settings of the case
BLOCKS = {"axes": (None, 0, 1), "only": ("whole", "cut", "decimated")}  # the reader joins the blocks along the axis of time
FILES = {
    "ap_sensing_1.hdf5": ("/DAS", 0),
    "decimated_optodas.hdf5": ("/data", 0),
    "deformation_rate_event_1.hdf5": ("/waveforms/*/data", 0),
    "dispersion_event.h5": ("/waveforms/*/data", 1),
    "example_dasdae_event_1.h5": ("/waveforms/*/data", 1),
    "febus_1.h5": ("/*/Source1/Zone1/SR*", 2, BLOCKS),
    "valencia_febus_example.h5": ("/*/Source1/Zone1/SR_Valencia", 2, BLOCKS),
    "febus_dts.h5": ("/Data/Temperature", 1, {"only": ("whole", "cut", "decimated")}),
    "febus_dts_1_C1_20250424_231747.h5": ("/Data/Temperature", 1, {"only": ("whole", "cut", "decimated")}),
    "febusg1_C2_2026-06-03T17.18.13+0200.bsl.h5": ("/bsl_data", 0),
    "febus-g1-spectra_C2_2026-06-03T17.28.13+0200.mtx.h5": ("/mtx", 0),
    "gdr_1.h5": ("/DasRawData/RawData", 0, {"relative": ("distance",)}),
    "h5_simple_1.h5": ("/raw", 0, {"hertz": 0, "only": ("whole", "cut", "decimated")}),  # no unit of time, no distances
    "h5_simple_2.h5": ("/data", 1, {"hertz": 0}),
    "iDAS005_hdf5_example.626.h5": ("/Acquisition/Raw[0]/RawData", 0),
    "neubrex_das_1.h5": ("/Acoustic", 1),
    "neubrex_dss_forge.h5": ("/data", 1),
    "neubrex_dts_forge.h5": ("/data", 0, {"hertz": 0}),
    "opto_das_1.hdf5": ("/data", 0),
    "prodml_2.0.h5": ("/Acquisition/Raw[0]/RawData", 0),
    "prodml_2.1.h5": ("/Acquisition/Raw[0]/RawData", 0),
    # the reader adds the first locus of the acquisition to the first locus of the processed part
    "prodml_fbe_1.h5": ("/Acquisition/Processed/Fbe[0]/FbeData[0]", 0, {"relative": ("distance",)}),
    # the reader adds the length of the fibre to the coordinate of its start
    "silixa_h5_1.hdf5": ("/Acoustic", 0, {"relative": ("distance",)}),
    "terra15_das_1_trimmed.hdf5": ("/data_product/data", 0, {"hertz": 0}),
    "terra15_v5_test_file.hdf5": ("/data_product/data", 0, {"hertz": 1 / 0.00031096}),  # its times are not even
    "terra15_v6_test_file.hdf5": ("/data_product/data", 0, {"hertz": 0}),
}
# Names of metadata that describe the points, and that DASCore passes on.
OF_POINTS = {"start_time", "end_time", "fiber_from", "fiber_to", "sampling_resolution", "freq_offset_abs", "freq_step"}
FOLDERS = [pathlib.Path(p) for p in (os.environ.get("STENCIL_DASCORE_DATA", ""), os.environ.get("STENCIL_DATA", ""),
                                     str(pathlib.Path(__file__).parents[3] / "shared" / "data")) if p]


def fetched(name):
    """The path of a test file, from a folder of this machine or downloaded by DASCore."""
    for folder in FOLDERS:
        if (folder / name).is_file():
            return folder / name
    from dascore.utils.downloader import fetch

    try:
        return pathlib.Path(fetch(name))
    except Exception as problem:  # no network, or any other failure of a download
        raise NoFile(f"{name} cannot be downloaded") from problem


def dataset_of(file, pattern):
    """The first dataset whose path matches a pattern, in which `*` stands for any name."""
    names = pattern.strip("/").split("/")
    found = []

    def visit(path, item):
        parts = path.split("/")
        is_it = len(parts) == len(names) and all(n == p or (n.endswith("*") and p.startswith(n[:-1])) for n, p in zip(names, parts))
        if isinstance(item, h5py.Dataset) and is_it:
            found.append("/" + path)

    with h5py.File(file) as f:
        f.visititems(visit)
    return found[0]


def read_patch(path):
    import dascore

    exact = {"TERRA15": {"snap_dims": False}, "NeubrexRFS": {"snap": False}, "H5Simple": {"snap": False}}
    format_of = dascore.get_format(path)[0]
    patch = dascore.read(path, **exact[format_of])[0] if format_of in exact else dascore.spool(path)[0]
    attrs = patch.attrs.model_dump()
    own = {"history", "coords", "dims", "path", "shape"} | OF_POINTS
    facts = {name: "" if value is None else value for name, value in attrs.items() if name not in own}
    facts = {name: str(value) if not isinstance(value, (int, float)) else value for name, value in facts.items()}
    along = {name: (patch.dims.index(of[0]), patch.get_array(name)) for name, of in patch.coords.dim_map.items()
             if len(of) == 1}
    return Reading(patch.data, along, {}, {**facts, "dims": ",".join(patch.dims)})


def rate_of(times):
    """The sampling rate in Hz of evenly spaced times; otherwise 0."""
    steps = np.diff(np.asarray(times, dtype="M8[ns]").astype("i8"))
    is_even = steps.size > 30 and np.ptp(steps) <= 1 + 1e-4 * abs(steps[0])
    return float(1e9 / (steps.sum() / steps.size)) if is_even else 0


def make_case(name):
    pattern, axis, *particular = FILES[name]

    def make(_):
        file = fetched(name)
        reading = read_patch(file)
        more = dict(*particular)
        axes = more.get("axes", tuple(range(reading.values.ndim)))
        time_axis, times = reading.along["time"]
        hertz = rate_of(times) if time_axis == axes[axis] else 0
        return Input(file, dataset_of(file, pattern), read_patch, axis, **{"hertz": hertz, **more})

    CASES[f"DASCore: {name}"] = (("dascore",), make)


for one in FILES:
    make_case(one)


@case("DASCore: written by itself", "dascore")
def dasdae(folder):
    import dascore

    patch = dascore.get_example_patch("random_das", shape=(20, 400)).update_attrs(data_units="m/s", station="ABC")
    patch.io.write(folder / "in.h5", "dasdae")
    return Input(folder / "in.h5", dataset_of(folder / "in.h5", "/waveforms/*/data"), read_patch, 1, 250)
