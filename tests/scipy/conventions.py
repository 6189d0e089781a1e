"""What attributes of files of many formats say of the points is true of the output.

Each convention has a small file, made from the layout of the public format. It is filtered (a) without a change of its axes, (b)
decimated by 5 along its main axis, (c) cut along it, (d) decimated by 2 along its other axis. Every attribute of the dataset and of
the groups around it is compared with the value that is right for the output: where none is given below it is that of the input; None
stands for an attribute that is left out, which has to be in the report.
"""

import concurrent.futures
import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import ini, run

N, M = 100, 8  # points of the main axis and of the other one
CASES = {}
OWN = {"complete", "history", "_FillValue"}


def convention(name, dataset, shape=(N, M), axis=0, rate=0, a=(), b=(), c=(), d=(), beside=()):
    """Registers a function that writes the rest of a file. a, b, c, d: right values by `group@attribute`, `@attribute` of the dataset.

    rate: that the program has to find along the main axis, in Hz. beside: paths of objects beside the dataset, whose attributes and
    few numbers are compared, too, where the output holds them.
    """
    def register(make):
        CASES[name] = (make, dataset, shape, axis, rate, {"a": dict(a), "b": dict(b), "c": dict(c), "d": dict(d)}, beside)
        return make
    return register


def scale(f, data, axis, name, values, **attrs):
    f[name] = values
    f[name].attrs.update(attrs)
    f[name].make_scale(name)
    data.dims[axis].attach_scale(f[name])


def characters(text):
    """How Imaris writes a text: each character is a value."""
    return np.array([c.encode() for c in text], "S1")


@convention("CF, netCDF", "/x", rate=1 / 3600,
            b={"/@time_coverage_resolution": None, "/@time_coverage_end": "2000-01-04T23:00:00"},
            c={"/@time_coverage_start": "2000-01-01T10:00:00", "/@time_coverage_end": "2000-01-03T11:00:00",
               "/@time_coverage_duration": None},
            d={"/@geospatial_lat_min": None, "/@geospatial_lat_max": None, "/@geospatial_lat_resolution": None})
def cf(f, x):
    scale(f, x, 0, "time", np.arange(N) * 1.0, units="hours since 2000-01-01")
    scale(f, x, 1, "lat", np.arange(M) * 0.5, units="degrees_north")
    x.attrs.update(units="K", cell_methods="time: mean")
    f.attrs.update(Conventions="CF-1.8", time_coverage_start="2000-01-01T00:00:00", time_coverage_end="2000-01-05T03:00:00",
                   time_coverage_resolution="PT1H", time_coverage_duration="P4DT4H", geospatial_lat_min=0.0,
                   geospatial_lat_max=3.5, geospatial_lat_resolution="0.5 degree")


@convention("ProdML", "/Acquisition/Raw[0]/RawData", rate=200,
            b={"/Acquisition/Raw[0]@OutputDataRate": 40, "/Acquisition@MaximumFrequency": 20, "@Count": 160,
               "@PartEndTime": "1970-01-01T00:00:00.475000+00:00", "@StartIndex": None},
            c={"@Count": 400, "@PartStartTime": "1970-01-01T00:00:00.050000+00:00",
               "@PartEndTime": "1970-01-01T00:00:00.295000+00:00", "@StartIndex": None},
            d={"/Acquisition@NumberOfLoci": 4, "/Acquisition@StartLocusIndex": -130, "/Acquisition@SpatialSamplingInterval": 4,
               "@Count": 400})
def prodml(f, x):
    f["Acquisition"].attrs.update(NumberOfLoci=M, StartLocusIndex=-260, SpatialSamplingInterval=2.0, PulseRate=4000.0,
                                  MaximumFrequency=100.0, GaugeLength=10.0, SpatialSamplingIntervalUnit="m")
    f["Acquisition/Raw[0]"].attrs.update(OutputDataRate=200.0, RawDescription="raw")
    x.attrs.update(Count=N * M, PartStartTime="1970-01-01T00:00:00.000000+00:00",
                   PartEndTime="1970-01-01T00:00:00.495000+00:00", StartIndex=24000, Dimensions=["time", "locus"])
    f["Acquisition/Raw[0]/RawDataTime"] = np.arange(N) * 5000


@convention("OptoDAS", "/data", rate=500)
def optodas(f, x):
    f["header/dt"], f["header/dx"], f["header/time"] = 0.002, 1.02, 1.6e9
    f["header/channels"] = np.arange(M, dtype="i4") * 10


@convention("Silixa", "/Acoustic", rate=500,
            b={"@SamplingFrequency[Hz]": "100"},
            c={"@ISO8601 Timestamp": "2023-09-22T19:29:26.178+01:00", "@GPSTimeStamp": None, "@StreamTime[s]": "0.1"},
            d={"@SpatialResolution[m]": "4", "@Stop Distance (m)": "13"})
def silixa(f, x):
    x.attrs.update({"SamplingFrequency[Hz]": "500", "SpatialResolution[m]": "2", "MeasureLength[m]": "16",
                    "Start Distance (m)": "1", "Stop Distance (m)": "15", "Fibre Length Multiplier": "1",
                    "ISO8601 Timestamp": "2023-09-22T19:29:26.158+01:00", "GPSTimeStamp": "22/09/2023 18:29:26.158 (UTC)",
                    "GaugeLength": "10", "StreamTime[s]": "0.2", "Precise Sampling Frequency (Hz)": "5499.9",
                    "PreTrigSamples": "94", "Time Decimation": "11", "Unit Calibration (nm)": "116", "P": "5",
                    "Acoustic Output": "Differential", "PulseWidth[ns]": "50", "iDASVersion": "2.4.1.111"})


@convention("Neubrex", "/Acoustic", rate=250,
            b={"@TimeSamplingInterval(seconds)": 0.02},
            c={"@GPSTimeStamp(UTC)": "2022-04-13T20:50:00.040", "@CPUTimeStamp(UTC)": "2022-04-13T20:50:00.140"},
            d={"@SpatialSamplingInterval": 2.0, "@StopPosition": 106.0})
def neubrex(f, x):
    x.attrs.update({"NEUBRESCOPE.DAS.Model": "NBX-S4000", "TimeSamplingInterval(seconds)": 0.004, "StartPosition": 100.0,
                    "StopPosition": 107.0, "SpatialSamplingInterval": 1.0, "StartStopPositionUnit": "m",
                    "GPSTimeStamp(UTC)": "2022-04-13T20:50:00.000", "CPUTimeStamp(UTC)": "2022-04-13T20:50:00.100",
                    "TimeDecimationFilter": 0, "GaugeLength": 5.0})


@convention("Febus", "/fa1/Source1/Zone1/SR", (4, N, M), axis=1, rate=500,
            b={"/fa1/Source1/Zone1@Spacing": [16.8, 10, 1], "/fa1/Source1/Zone1@SamplingRate": [100],
               "/fa1/Source1/Zone1@Extent": None, "/fa1/Source1/Zone1@Origin": None},
            c={"/fa1/Source1/Zone1@Extent": None, "/fa1/Source1/Zone1@Origin": None},
            d={"/fa1/Source1/Zone1@Spacing": [33.6, 2, 1], "/fa1/Source1/Zone1@SamplingRes": [3360.0],
               "/fa1/Source1/Zone1@Extent": None, "/fa1/Source1/Zone1@Origin": None})
def febus(f, x):
    f["fa1/Source1"].attrs.update(WholeExtent=[0.0, 62499, 0, 1999, 0, 0], PulseRateFreq=[1e6], Hostname="fa1")
    f["fa1/Source1/Zone1"].attrs.update(Spacing=[16.8, 2.0, 1.0], Extent=[0.0, 7, 0, N - 1, 0, 0], Origin=[0.0, 0, 0],
                                        SamplingRate=[500.0], SamplingRes=[1680.0], GaugeLength=[30.4], FiberLength=[5000.0])


@convention("DASDAE", "/waveforms/p/data", rate=1000,
            b={"/waveforms/p@_attrs_coords": None, "/waveforms/p@_attrs_time_step": None},
            c={"/waveforms/p@_attrs_coords": None},
            d={"/waveforms/p@_attrs_coords": None})
def dasdae(f, x):
    f["waveforms/p"].attrs.update(_dims="time,distance", _attrs_coords="(dp0\nVtime", _attrs_data_units="m / s",
                                  _attrs_time_step="1 ms")
    f["waveforms/p/_coord_time"] = 1_600_000_000_000_000_000 + np.arange(N) * 1_000_000
    f["waveforms/p/_coord_distance"] = np.arange(M) * 2.0
    f.attrs["__format__"] = "DASDAE"


@convention("GWOSC", "/strain/Strain", (N,), rate=64,
            b={"@Xspacing": 5 / 64, "@Npoints": 20},
            c={"@Xstart": 1126259446 + 10 / 64, "@Npoints": 50, "/meta/GPSstart": None, "/meta/Duration": 50 / 64},
            beside=["/meta/GPSstart", "/meta/Duration"])
def gwosc(f, x):
    x.attrs.update(Xspacing=1 / 64, Xstart=1126259446, Npoints=N, Xunits="second", Xlabel="GPS time", Ylabel="Strain")
    f["meta/GPSstart"], f["meta/Duration"] = 1126259446, N / 64


@convention("gwpy", "/H1:STRAIN", (N,), rate=64, b={"@dx": 5 / 64}, c={"@x0": 968654552 + 10 / 64})
def gwpy(f, x):
    x.attrs.update(dx=1 / 64, x0=968654552.0, channel="H1:STRAIN", name="H1:STRAIN", unit="strain")


@convention("gwpy spectrogram", "/s", rate=2, b={"@dx": 2.5}, c={"@x0": 968654557.0}, d={"@dy": 8.0})
def gwpy_spectrogram(f, x):
    x.attrs.update(dx=0.5, x0=968654552.0, xunit="s", dy=4.0, y0=0.0, yunit="Hz", channel="H1", unit="1/Hz")


@convention("PyCBC", "/data", (N,), rate=256, b={"@delta_t": 5 / 256}, c={"@start_time": 1187008882.4 + 10 / 256})
def pycbc(f, x):
    x.attrs.update(delta_t=1 / 256, start_time=1187008882.4)


@convention("PyCBC spectrum", "/data", (N,), b={"@delta_f": 1.25})
def pycbc_spectrum(f, x):
    x.attrs.update(delta_f=0.25, epoch=1187008882.4)


@convention("NWB", "/acquisition/ts/data", rate=30, beside=["/acquisition/ts/starting_time"],
            b={"/acquisition/ts/starting_time@rate": 6.0}, c={"/acquisition/ts/starting_time": 5 + 10 / 30})
def nwb(f, x):
    f["acquisition/ts"].attrs.update(neurodata_type="ElectricalSeries", namespace="core", comments="3 cells")
    x.attrs.update(conversion=1e-6, resolution=-1.0, offset=0.0, unit="volts")
    f["acquisition/ts/starting_time"] = 5.0
    f["acquisition/ts/starting_time"].attrs.update(rate=30.0, unit="seconds")


@convention("SNIRF", "/nirs/data1/dataTimeSeries", rate=10)
def snirf(f, x):
    f["nirs/data1/time"] = np.arange(N) * 0.1
    f["formatVersion"] = "1.0"


@convention("ASDF", "/AuxiliaryData/BHZ", (N,), rate=40, b={"@sampling_rate": 8.0},
            c={"@starttime": 1_388_534_400_123_456_789 + 250_000_000})
def asdf(f, x):
    x.attrs.update(sampling_rate=40.0, starttime=np.int64(1_388_534_400_123_456_789), event_id="smi:local/ev")
    f.attrs.update(file_format="ASDF", file_format_version="1.0.3")


@convention("plux", "/00:07/raw/channel_1", (N, 1), rate=1000, b={"/00:07@sampling rate": 200, "/00:07@nsamples": 20},
            c={"/00:07@nsamples": 50, "/00:07@duration": None, "/00:07@date": None, "/00:07@time": None})
def plux(f, x):
    f["00:07"].attrs.update({"sampling rate": 1000, "nsamples": N, "channels": [1, 2], "resolution": [12, 12],
                             "duration": "0.1s", "date": "2014-12-18", "time": "16:52:38.3", "device": "biosignalsplux"})


@convention("NeXus", "/entry/data/counts")
def nexus(f, x):
    f["entry"].attrs["NX_class"] = "NXentry"
    f["entry/data"].attrs.update(NX_class="NXdata", signal="counts")
    x.attrs.update(units="counts", long_name="photons")


@convention("ODIM_H5", "/dataset1/data1/data", (36, 20), beside=["/dataset1/where"],
            b={"/dataset1/where@nrays": 8, "/dataset1/where@a1gate": None},
            c={"/dataset1/where@nrays": 16, "/dataset1/where@a1gate": None},
            d={"/dataset1/where@nbins": 10, "/dataset1/where@rscale": 1000.0, "/dataset1/where@rstart": -0.25})
def odim(f, x):
    f.attrs["Conventions"] = "ODIM_H5/V2_2"
    f.create_group("dataset1/where").attrs.update(nrays=36, nbins=20, rscale=500.0, rstart=0.0, elangle=0.5, a1gate=7)
    x.attrs.update(CLASS="IMAGE", IMAGE_VERSION="1.2")


@convention("CfRadial", "/DBZ", (N, M),
            b={"/@time_coverage_end": None}, c={"/@time_coverage_start": None, "/@time_coverage_end": None},
            d={"range@meters_between_gates": 500.0})
def cfradial(f, x):
    scale(f, x, 0, "time", np.r_[0:N] ** 1.01, units="seconds since 2012-01-01T00:00:00Z")
    scale(f, x, 1, "range", 125 + 250.0 * np.arange(M), units="meters", meters_to_center_of_first_gate=125.0,
          meters_between_gates=250.0, spacing_is_constant="true")
    f.attrs.update(Conventions="CF/Radial", time_coverage_start="2012-01-01T00:00:00Z", time_coverage_end="2012-01-01T00:01:44Z")


@convention("HDF-EOS5", "/HDFEOS/GRIDS/G/Data Fields/NO2", (N, M),
            b={"/HDFEOS/GRIDS/G@NumberOfLatitudesInGrid": 20, "/HDFEOS/GRIDS/G@GridSpacing": None,
               "/HDFEOS/GRIDS/G@GridSpan": None},
            c={"/HDFEOS/GRIDS/G@NumberOfLatitudesInGrid": 50, "/HDFEOS/GRIDS/G@GridSpacing": None,
               "/HDFEOS/GRIDS/G@GridSpan": None},
            d={"/HDFEOS/GRIDS/G@NumberOfLongitudesInGrid": 4, "/HDFEOS/GRIDS/G@GridSpacing": None,
               "/HDFEOS/GRIDS/G@GridSpan": None})
def hdfeos(f, x):
    f["HDFEOS INFORMATION/StructMetadata.0"] = np.bytes_("GROUP=GridStructure\n\tXDim=8\n\tYDim=100\n")
    f["HDFEOS/GRIDS/G"].attrs.update(NumberOfLatitudesInGrid=N, NumberOfLongitudesInGrid=M, GridSpacing="(0.25,0.25)",
                                     GridSpan="(-180,180,-90,90)", GridName="G")
    scale(f, x, 0, "lat", np.arange(N) * 0.25, units="degrees_north")
    scale(f, x, 1, "lon", np.arange(M) * 0.25, units="degrees_east")


@convention("openPMD", "/data/200/fields/E/x",
            b={"/data/200/fields/E@gridSpacing": [5e-6, 2e-6], "@position": [0.1, 0.0]},
            c={"/data/200/fields/E@gridGlobalOffset": [1e-5, 0.0]},
            d={"/data/200/fields/E@gridSpacing": [1e-6, 4e-6]})
def openpmd(f, x):
    f.attrs.update(openPMD="1.1.0", basePath="/data/%T/")
    f["data/200"].attrs.update(time=2e-13, dt=1e-15, timeUnitSI=1.0)
    f["data/200/fields/E"].attrs.update(gridSpacing=[1e-6, 2e-6], gridGlobalOffset=[0.0, 0.0], gridUnitSI=1.0, dataOrder="C",
                                        axisLabels=["z", "r"], timeOffset=0.0, geometry="cartesian")
    x.attrs.update(position=[0.5, 0.0], unitSI=1.0)


CHANNEL = "/DataSet/ResolutionLevel 0/TimePoint 0/Channel 0"
IMAGE = "/DataSetInfo/Image"
HISTOGRAM = {f"{CHANNEL}@HistogramMin": None, f"{CHANNEL}@HistogramMax": None}  # of the input's values


@convention("Imaris", f"{CHANNEL}/Data", (N, M, 6), a=HISTOGRAM, 
            b={f"{CHANNEL}@ImageSizeZ": "20", **HISTOGRAM, f"{IMAGE}@Z": "20", f"{IMAGE}@ExtMin2": "-2", f"{IMAGE}@ExtMax2": "98"},
            c={f"{CHANNEL}@ImageSizeZ": "50", **HISTOGRAM, f"{IMAGE}@Z": "50", f"{IMAGE}@ExtMin2": "10", f"{IMAGE}@ExtMax2": "60"},
            d={f"{CHANNEL}@ImageSizeY": "4", **HISTOGRAM, f"{IMAGE}@Y": "4", f"{IMAGE}@ExtMin1": "-0.5", f"{IMAGE}@ExtMax1": "7.5"},
            beside=[IMAGE])
def imaris(f, x):
    f[CHANNEL].attrs.update(ImageSizeX=characters("6"), ImageSizeY=characters(str(M)), ImageSizeZ=characters(str(N)),
                            HistogramMin=characters("0.000"), HistogramMax=characters("255.000"))
    f.create_group(IMAGE).attrs.update(X=characters("6"), Y=characters(str(M)), Z=characters(str(N)), Unit=characters("um"),
                                       ExtMin0=characters("0"), ExtMin1=characters("0"), ExtMin2=characters("0"),
                                       ExtMax0=characters("6"), ExtMax1=characters("8"), ExtMax2=characters("100"))


@convention("BigDataViewer", "/t00000/s00/0/cells", (N, M, 6), beside=["/s00/resolutions", "/s00/subdivisions"],
            b={"/s00/resolutions": None}, c={"/s00/resolutions": None}, d={"/s00/resolutions": None})
def bigdataviewer(f, x):
    f["s00/resolutions"] = np.ones((2, 3))
    f["s00/subdivisions"] = np.full((2, 3), 16, "i4")


@convention("names alone", "/x", rate=0,
            b={"@gridSpacing": None, "@ImageSizeX": None, "@az": None, "@nx": 20, "@frame_interval": None},
            c={"@ImageSizeX": None, "@az": None, "@nx": 50, "@origin": None},
            d={"@gridSpacing": None, "@ny": 4, "@frame_interval": None})
def names_alone(f, x):
    x.attrs.update(gridSpacing=0.5, ImageSizeX=N, nx=N, ny=M, az=np.arange(float(N)), frame_interval=0.1, origin=3.0,
                   gain=2.0, num_detectors=3, start_mode="auto", GaugeLength=10.0, weights=[1.0, 2.0, 3.0])


def plain(value):
    """A value of an attribute as text, number or list of numbers."""
    if isinstance(value, h5py.Empty):
        return ""
    value = np.asarray(value)
    if value.dtype.kind in "SO" or value.dtype.kind == "U":
        words = [v.decode() if isinstance(v, bytes) else str(v) for v in value.ravel()]
        return "".join(words) if value.dtype == "S1" and len(words) > 1 else words if len(words) > 1 else "".join(words)
    return value.ravel().tolist() if value.size > 1 or value.ndim else value[()]


def is_same(got, want):
    if isinstance(want, (str, type(None))) or isinstance(got, (str, type(None))):
        return got == want
    if isinstance(want, list) and want and isinstance(want[0], str):
        return got == want
    if np.asarray(got).dtype.kind in "iu" and np.asarray(want).dtype.kind in "iu":
        return np.array_equal(np.ravel(got), np.ravel(want))
    return np.size(got) == np.size(want) and np.allclose(np.ravel(got), np.ravel(want), rtol=1e-12, atol=0)


def attributes(file, dataset, beside):
    """By `group@name`; `@name` of the dataset and `scale@name` of its dimension scales."""
    skipped = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid"}
    objects = {"": file[dataset]}
    for depth in range(dataset.count("/")):
        path = "/".join(dataset.split("/")[:depth + 1]) or "/"
        objects[path] = file[path]
    for axis in file[dataset].dims:
        objects.update({s.name.split("/")[-1]: s for s in axis.values()})
    objects.update({path: file[path] for path in beside if path in file})
    numbers = {path: plain(file[path][()]) for path in beside
               if isinstance(file.get(path), h5py.Dataset) and file[path].size <= 16 and file[path].dtype.kind in "iuf"}
    return numbers | {f"{where}@{name}": plain(value) for where, o in objects.items() for name, value in o.attrs.items()
            if name not in skipped | OWN and not name.startswith("stencil_")}


def write_input(folder, name):
    make, dataset, shape, _, _, _, beside = CASES[name]
    with h5py.File(folder / "in.h5", "w") as f:
        x = f.create_dataset(dataset, data=np.random.default_rng(1).normal(size=shape).astype("f4"))
        make(f, x)
        return attributes(f, dataset, beside)


def sections(name, variant):
    _, dataset, shape, axis, rate, _, _ = CASES[name]
    stage = {"mask": 1, "axis": axis} if variant != "d" else {"mask": 1, "axis": len(shape) - 1 if len(shape) < 3 or axis else 1, "stride": 2}
    if variant == "b":
        stage["stride"] = 5
    if variant == "b" and rate:  # designed for the rate that the program finds
        stage.update(mask="lowpass", taps=11, cutoff=rate / 20)
    chosen = {"select": ", ".join("10:60" if i == axis else ":" for i in range(len(shape)))} if variant == "c" else {}
    if shape[axis] < N:
        chosen = {"select": "4:20, :"} if chosen else {}
    return {"input": {"file": "in.h5", "dataset": dataset, **chosen},
            "output": {"file": f"{variant}.h5"}, "stencil": stage}


def check(name):
    """What is wrong with one convention."""
    wrong = []
    _, dataset, shape, axis, rate, right, beside = CASES[name]
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        before = write_input(folder, name)
        for variant in "abcd" if len(shape) > 1 and shape[-1] > 1 else "abc":
            outcome = run(folder, ini(sections(name, variant)), 0, [f"--report={variant}.json"])
            if outcome.status:
                wrong.append(f"{name} ({variant}): {outcome.unexpected()}")
                continue
            told = " ".join(json.loads((folder / f"{variant}.json").read_text())["output"]["not_carried_over"])
            with h5py.File(folder / f"{variant}.h5") as f:
                after = attributes(f, dataset, beside)
                absent = [path for path in beside if path not in f]
                used = f.attrs.get("stencil_sampling_rate", "") or f[dataset].attrs.get("stencil_sampling_rate", "")
            for key, value in before.items():
                if key.split("@")[0] in absent and right[variant].get(key, value) is not None:
                    if not any(part and part in told for part in key.split("@")[0].split("/")):
                        wrong.append(f"{name} ({variant}): {key} is not in the output, without a note")
                    continue
                want, got = right[variant].get(key, value), after.get(key)
                if not is_same(got, want):
                    wrong.append(f"{name} ({variant}): {key} = {value} became {got}, right is {want}")
                noted = f"attribute {key.split('@')[1]} of" if "@" in key else key.split("/")[-1]
                if got is None and noted not in told and key.split("@")[0] not in absent:
                    wrong.append(f"{name} ({variant}): {key} is left out without a note")
            wrong += [f"{name} ({variant}): the test names {key}, which the file has not" for key in right[variant]
                      if key not in before]
            if variant == "b" and rate and not np.isclose(float(used.split(": ")[-1].split()[0]), rate, rtol=1e-9):
                wrong.append(f"{name}: designed for {used}, right is {rate}")
    return wrong


def main():
    names = [n for n in CASES if not sys.argv[1:] or n in sys.argv[1:]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(check, names) for line in lines]
    print(*wrong, f"{len(names)} conventions, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
