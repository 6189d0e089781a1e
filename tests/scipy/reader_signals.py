"""Signals of gravitational waves, electrodes and optodes, written and opened by gwpy, PyCBC, pynwb and MNE."""

import datetime
import os
import pathlib

import h5py
import numpy as np

from reader_case import Input, Reading, case

REAL = pathlib.Path(os.environ.get("STENCIL_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data"))


def noise(*shape):
    return np.random.default_rng(3).normal(size=shape)


def of_series(series):
    return Reading(series.value, {"times": (0, series.times.value)}, {"rate": (0, series.sample_rate.value)},
                   {"unit": str(series.unit), "name": series.name, "channel": str(series.channel)})


@case("gwpy: series", "gwpy")
def gwpy_series(folder):
    from gwpy.timeseries import TimeSeries, TimeSeriesDict

    made = TimeSeriesDict()
    for name in ("H1:STRAIN", "L1:STRAIN"):
        made[name] = TimeSeries(noise(400), t0=1126259446.25, sample_rate=64, unit="strain", name=name, channel=name)
    made.write(folder / "in.h5", format="hdf5")
    return Input(folder / "in.h5", "/H1:STRAIN", lambda path: of_series(TimeSeries.read(path, "H1:STRAIN", format="hdf5")), hertz=64.0)


@case("gwpy: spectrogram", "gwpy")
def gwpy_spectrogram(folder):
    from gwpy.spectrogram import Spectrogram

    Spectrogram(noise(100, 16), t0=1126259446.0, dt=0.5, f0=10, df=2, unit="strain", name="S").write(folder / "in.h5", path="S")

    def read(path):
        found = Spectrogram.read(path, "S", format="hdf5")
        return Reading(found.value, {"times": (0, found.times.value), "frequencies": (1, found.frequencies.value)}, {},
                       {"unit": str(found.unit), "name": found.name})

    return Input(folder / "in.h5", "/S", read, hertz=2.0)


@case("gwpy: spectrum", "gwpy")
def gwpy_spectrum(folder):
    from gwpy.frequencyseries import FrequencySeries

    FrequencySeries(noise(200), f0=8, df=0.25, unit="m", name="F", epoch=1126259446).write(folder / "in.h5", path="F")

    def read(path):
        found = FrequencySeries.read(path, "F", format="hdf5")
        return Reading(found.value, {"frequencies": (0, found.frequencies.value)}, {},
                       {"unit": str(found.unit), "name": found.name, "epoch": found.epoch.gps})

    return Input(folder / "in.h5", "/F", read)


@case("gwpy: file of GWOSC", "gwpy")
def gwosc(_):
    from gwpy.timeseries import TimeSeries

    file = REAL / "ligo_H1_GW150914_4kHz_32s.hdf5"
    if not file.is_file():
        return None
    return Input(file, "/strain/Strain", lambda path: of_series(TimeSeries.read(path, format="hdf5.gwosc")), hertz=4096.0)


@case("gwpy: file of its own", "gwpy")
def gwpy_own(_):
    from gwpy.timeseries import TimeSeries

    file = REAL / "gwpy_HLV.hdf5"
    if not file.is_file():
        return None
    return Input(file, "/H1:LDAS-STRAIN", lambda path: of_series(TimeSeries.read(path, "H1:LDAS-STRAIN", format="hdf5")), hertz=16384.0)


@case("PyCBC: series", "pycbc")
def pycbc_series(folder):
    from pycbc.types import TimeSeries, load_timeseries

    TimeSeries(noise(400), delta_t=1 / 256, epoch=1187008882.5).save(str(folder / "in.hdf"), group="H1/strain")

    def read(path):
        found = load_timeseries(str(path), group="H1/strain")
        return Reading(found.numpy(), {"times": (0, found.sample_times.numpy())}, {"rate": (0, found.sample_rate)})

    return Input(folder / "in.hdf", "/H1/strain", read, hertz=256.0)


@case("PyCBC: spectrum", "pycbc")
def pycbc_spectrum(folder):
    from pycbc.types import FrequencySeries, load_frequencyseries

    FrequencySeries(noise(300), delta_f=0.25, epoch=1187008882).save(str(folder / "in.hdf"), group="psd")

    def read(path):
        found = load_frequencyseries(str(path), group="psd")
        return Reading(found.numpy(), {}, {"points per Hz": (0, 1 / found.delta_f)}, {"epoch": float(found.epoch)})

    return Input(folder / "in.hdf", "/psd", read, only=("whole", "decimated"))  # the format does not store the first frequency


def nwb_file(folder, add):
    from pynwb import NWBHDF5IO, NWBFile

    when = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
    made = NWBFile("a session", "id", when, timestamps_reference_time=when)
    add(made)
    with NWBHDF5IO(folder / "in.nwb", "w") as io:
        io.write(made)


def read_nwb(name):
    from pynwb import NWBHDF5IO

    def read(path):
        with NWBHDF5IO(path, "r") as io:
            found = io.read().acquisition[name]
            values, n = found.data[:], found.data.shape[0]
            even = found.rate is not None
            times = found.starting_time + np.arange(n) / found.rate if even else found.timestamps[:]
            along = {"times": (0, np.asarray(times))}
            if hasattr(found, "electrodes"):
                along["electrodes"] = (1, np.array([row.location.values[0] for row in (found.electrodes[i] for i in range(values.shape[1]))]))
            return Reading(values, along, {"rate": (0, found.rate)} if even else {},
                           {"unit": found.unit, "conversion": found.conversion, "description": found.description})
    return read


def electrodes(made):
    device = made.create_device("probe")
    group = made.create_electrode_group("shank", "a shank", "cortex", device)
    for number in range(8):
        made.add_electrode(x=float(number), y=0.0, z=0.0, location=f"layer {number}", group=group)
    return made.create_electrode_table_region(list(range(6)), "used")


@case("pynwb: electrodes", "pynwb")
def nwb_electrodes(folder):
    from pynwb.ecephys import ElectricalSeries

    nwb_file(folder, lambda made: made.add_acquisition(ElectricalSeries(
        "ephys", noise(300, 6), electrodes(made), rate=1000.0, starting_time=5.0, conversion=1e-6, description="raw")))
    return Input(folder / "in.nwb", "/acquisition/ephys/data", read_nwb("ephys"), hertz=1000.0)


@case("pynwb: timestamps", "pynwb")
def nwb_timestamps(folder):
    from pynwb import TimeSeries

    nwb_file(folder, lambda made: made.add_acquisition(TimeSeries(
        "ts", noise(300), "m", timestamps=3 + np.arange(300) * 0.01, description="motion")))
    return Input(folder / "in.nwb", "/acquisition/ts/data", read_nwb("ts"), hertz=100.0)


@case("pynwb: file of MatNWB", "pynwb")
def nwb_real(_):
    file = REAL / "nwb_ts.nwb"
    if not file.is_file():
        return None
    return Input(file, "/acquisition/test_sine_1/data", read_nwb("test_sine_1"), only=("whole", "cut"))


def write_snirf(path, two_values):
    """The layout of SNIRF 1.1: one group for each channel, which is a pair of source and detector at a wavelength."""
    n, pairs = 300, [(s, d, w) for w in (1, 2) for s in (1, 2) for d in (1, 2)]
    with h5py.File(path, "w") as f:
        f["formatVersion"] = "1.1"
        tags = {"SubjectID": "s1", "MeasurementDate": "2024-05-01", "MeasurementTime": "12:00:00Z", "LengthUnit": "m",
                "TimeUnit": "s", "FrequencyUnit": "Hz"}
        for name, value in tags.items():
            f[f"nirs/metaDataTags/{name}"] = value
        f["nirs/data1/dataTimeSeries"] = 1 + 0.1 * noise(n, len(pairs))
        f["nirs/data1/time"] = [0.0, 0.1] if two_values else np.arange(n) * 0.1
        for number, (s, d, w) in enumerate(pairs, 1):
            for name, value in (("sourceIndex", s), ("detectorIndex", d), ("wavelengthIndex", w), ("dataType", 1), ("dataTypeIndex", 1)):
                f[f"nirs/data1/measurementList{number}/{name}"] = np.int32(value)
        f["nirs/probe/wavelengths"] = [760.0, 850.0]
        f["nirs/probe/sourcePos3D"] = np.array([[0, 0, 0], [0.03, 0, 0.0]])
        f["nirs/probe/detectorPos3D"] = np.array([[0, 0.03, 0], [0.03, 0.03, 0.0]])
        f["nirs/stim1/name"] = "tap"
        f["nirs/stim1/data"] = np.array([[5.0, 2.0, 1.0], [15.0, 2.0, 1.0]])


def read_snirf(path):
    import mne

    raw = mne.io.read_raw_snirf(path, verbose="error")
    with h5py.File(path) as f:  # MNE reorders channels; its names give the column of each
        pairs = [f[f"nirs/data1/measurementList{k}"] for k in range(1, f["nirs/data1/dataTimeSeries"].shape[1] + 1)]
        own = [f"S{p['sourceIndex'][()]}_D{p['detectorIndex'][()]} {[760, 850][p['wavelengthIndex'][()] - 1]}" for p in pairs]
    values = raw.get_data().T[:, [raw.ch_names.index(name) for name in own]]
    return Reading(values, {"times": (0, raw.times + raw.first_time), "channels": (1, np.array(own))},
                   {"rate": (0, raw.info["sfreq"])}, {"types": raw.get_channel_types(unique=True)})


@case("MNE: SNIRF", "mne")
def snirf(folder):
    write_snirf(folder / "in.snirf", False)
    return Input(folder / "in.snirf", "/nirs/data1/dataTimeSeries", read_snirf, hertz=10.0, relative=("times",), beside=slice(1, 8, 4))


@case("MNE: SNIRF with two values of time", "mne")
def snirf_two(folder):
    write_snirf(folder / "in.snirf", True)
    return Input(folder / "in.snirf", "/nirs/data1/dataTimeSeries", read_snirf, hertz=10.0, relative=("times",), beside=slice(1, 8, 4))
