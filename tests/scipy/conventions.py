"""Checks the output's attributes that describe the points, for files of many formats.

For each convention a small file with the layout of the public format is written. The file is filtered (a) without a
change of its axes, (b) decimated by 5 along its main axis, (c) cut along its main axis, (d) decimated by 2 along its
other axis. All of these runs have output.copy = rest; (a) and (b) are also run with none. Every attribute of the
dataset and of the groups around it is compared with its correct value in the output. The default for the correct value
is the value of the input; None means that the attribute is left out and listed in the report.
"""

import concurrent.futures
import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np

from program import in_turn, ini, run

N, M = 100, 8  # points of the main axis and of the other axis
CASES = {}
OWN = {"complete", "history", "_FillValue"}


def convention(name, dataset, shape=(N, M), axis=0, rate=0, a=(), b=(), c=(), d=(), beside=()):
    """Registers a function that writes a file except for its dataset. a, b, c, d: the correct values of attributes for the runs (a) to
    (d), as {name: value}; the name is `group@attribute`, or `@attribute` for an attribute of the dataset. rate: the rate in Hz
    that the program must find along the main axis. beside: paths of objects next to the dataset; their attributes and numbers are
    compared, too, if the output contains them. With output.copy = rest, either the output must contain them or the report must
    name them.
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
    """Returns a text as Imaris stores it: an array of single characters."""
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


@convention("CF, GDAL", "/x", beside=["/crs"],
            b={"/crs@GeoTransform": None, "/@geospatial_bounds": None}, c={"/crs@GeoTransform": None, "/@geospatial_bounds": None},
            d={"/crs@GeoTransform": None, "/@geospatial_bounds": None})
def gdal(f, x):
    scale(f, x, 0, "northing", np.arange(N) * 1000.0, units="m", standard_name="projection_y_coordinate")
    scale(f, x, 1, "easting", np.arange(M) * 1000.0, units="m", standard_name="projection_x_coordinate")
    x.attrs["grid_mapping"] = "crs"
    f["crs"] = 0
    f["crs"].attrs.update(grid_mapping_name="transverse_mercator", GeoTransform="0 1000 0 0 0 1000", crs_wkt="PROJCRS[...]")
    f.attrs.update(geospatial_bounds="POLYGON ((0 0, 1 0, 1 1, 0 0))", geospatial_bounds_crs="EPSG:4326")


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
            c={"@ISO8601 Timestamp": "2023-09-22T19:29:26.178+01:00", "@GPSTimeStamp": "22/09/2023 18:29:26.178 (UTC)", "@StreamTime[s]": "0.1"},
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
               "/fa1/Source1/Zone1@Extent": [0.0, 3, 0, N - 1, 0, 0]})
def febus(f, x):
    f["fa1/Source1"].attrs.update(WholeExtent=[0.0, 62499, 0, 1999, 0, 0], PulseRateFreq=[1e6], Hostname="fa1")
    f["fa1/Source1/Zone1"].attrs.update(Spacing=[16.8, 2.0, 1.0], Extent=[0.0, 7, 0, N - 1, 0, 0], Origin=[0.0, 0, 0],
                                        SamplingRate=[500.0], SamplingRes=[1680.0], GaugeLength=[30.4], FiberLength=[5000.0])


@convention("Febus 2", "/fa1/Source1/Zone1/SR", (4, N, M), axis=1, rate=500, beside=["/fa1/Source1/time"],
            b={"/fa1/Source1/Zone1@Spacing": [16.8, 10, 1], "/fa1/Source1/Zone1@Extent": None, "/fa1/Source1/Zone1@Origin": None},
            c={"/fa1/Source1/Zone1@Extent": None, "/fa1/Source1/Zone1@Origin": None},
            d={"/fa1/Source1/Zone1@Spacing": [33.6, 2, 1], "/fa1/Source1/Zone1@SamplingRes": 40, "/fa1/Source1@SamplingRes": 40,
               "/fa1/Source1/Zone1@Extent": [5, 8, 20, 119, 0, 0]})
def febus_2(f, x):
    f["fa1/Source1"].attrs.update(Version=np.bytes_("2.3.21"), WholeExtent=[0, 700, 0, 26249, 0, 0], SamplingRate=500_000_000,
                                  SamplingRes=20)
    f["fa1/Source1/Zone1"].attrs.update(Spacing=[16.8, 2.0, 1.0], Extent=[10, 17, 20, N + 19, 0, 0], Origin=[1.0, -40.0, 0.0],
                                        Version=np.bytes_("2.3.21"), SamplingRate=500_000_000, SamplingRes=20, BlockRate=5000,
                                        BlockOverlap=5, GaugeLength=[2.0])
    f["fa1/Source1/time"] = 1.7e9 + np.arange(4) * 0.2


DTS = {name: f"/Data/{name}" for name in ("Time", "Distance", "SensorTemperature", "DistanceSignal")}


@convention("Febus DTS", "/Data/Temperature", beside=list(DTS.values()),
            b={DTS["Time"]: 1.7e9 + np.arange(0, N, 5) * 10.0, DTS["SensorTemperature"]: np.repeat(np.arange(0, N, 5.0), 2)},
            c={DTS["Time"]: 1.7e9 + np.arange(10, 60) * 10.0, DTS["SensorTemperature"]: np.repeat(np.arange(10.0, 60), 2)},
            d={DTS["Distance"]: np.arange(0, M, 2) * 0.25})
def febus_dts(f, x):
    f[DTS["Time"]] = (1.7e9 + np.arange(N) * 10.0)[:, None]
    f[DTS["Distance"]], f[DTS["DistanceSignal"]] = np.arange(M) * 0.25, np.arange(3 * M) * 0.25
    f[DTS["SensorTemperature"]] = np.repeat(np.arange(float(N)), 2).reshape(N, 2)
    f.attrs.update(device=np.bytes_("DTS"), version=2)


@convention("Febus DSTS", "/mtx", (N, M, 6), rate=0.2, beside=["/start_times", "/distances", "/temperatures"],
            b={"/start_times": 1.7e9 + np.arange(0, N, 5) * 5.0, "/temperatures": np.arange(0.0, N, 5)},
            c={"/start_times": 1.7e9 + np.arange(10, 60) * 5.0, "/temperatures": np.arange(10.0, 60), "/@start_time": 1.7e9 + 50,
               "/@end_time": 1.7e9 + 300},
            d={"/distances": 50 + np.arange(0.0, M, 2), "/@sampling_resolution": 2.0})
def febus_dsts(f, x):
    f["start_times"], f["end_times"] = 1.7e9 + np.arange(N) * 5.0, 1.7e9 + 5 + np.arange(N) * 5.0
    f["distances"], f["temperatures"] = 50 + np.arange(float(M)), np.arange(float(N))
    f.attrs.update(start_time=1.7e9, end_time=1.7e9 + 500, fiberFrom=50, fiberTo=58, sampling_resolution=1.0, spatial_resolution=1,
                   freq_offset_abs=10750.0, freq_step=-3.9, freq_offset=206.0, signal_size=256, mode=0, channel=2, formatVersion=1)


@convention("Neubrex DSS", "/data", rate=1, beside=["/depth", "/stamps_unix"],
            b={"@EndDateTime": "07/20/2023 16:14:13.208072", "/stamps_unix": 1.6e15 + np.arange(0, N, 5) * 1e6},
            c={"@StartDateTime": "07/20/2023 16:12:48.208072", "@EndDateTime": "07/20/2023 16:13:37.208072",
               "/stamps_unix": 1.6e15 + np.arange(10, 60) * 1e6},
            d={"/depth": np.arange(0, M, 2) * 0.5})
def neubrex_dss(f, x):
    x.attrs.update(DataUnitLabel="micro-strain", StartDateTime="07/20/2023 16:12:38.208072", EndDateTime="07/20/2023 16:14:17.208072",
                   TimeZoneFormat="-06:00", WellID="16B")
    f["depth"], f["stamps_unix"] = np.arange(M) * 0.5, 1.6e15 + np.arange(N) * 1e6
    f["stamps"] = np.array([f"stamp {k}" for k in range(N)], "S26")


@convention("Neubrex DSS with uneven times", "/data", beside=["/stamps_unix"],
            b={"@EndDateTime": "07/20/2023 18:43:03.208072", "/stamps_unix": 1.6e15 + np.arange(0, N, 5) ** 2 * 1e6},
            c={"@StartDateTime": "07/20/2023 16:14:18.208072", "@EndDateTime": "07/20/2023 17:10:39.208072",
               "/stamps_unix": 1.6e15 + np.arange(10, 60) ** 2 * 1e6})
def neubrex_uneven(f, x):
    x.attrs.update(DataUnitLabel="F", StartDateTime="07/20/2023 16:12:38.208072", EndDateTime="07/20/2023 18:55:59.208072")
    f["depth"], f["stamps_unix"] = np.arange(M) * 0.5, 1.6e15 + np.arange(N) ** 2 * 1e6
    f["stamps"] = np.array([f"stamp {k}" for k in range(N)], "S26")


@convention("Terra15", "/data_product/data", rate=1000, beside=["/data_product/posix_time"],
            b={"/@nt": 20, "@dT": 0.005, "/@dt_computer": 0.005, "/@acoustic_bandwidth_end": 100.0, "@nT": None, "@frame_shape": None,
               "/@frame_size": None, "/data_product/posix_time": 1.66e9 + np.arange(0, N, 5) / 1000},
            c={"/@nt": 50, "@nT": None, "@frame_shape": None, "/@frame_size": None, "/@file_start_computer_time": 1.66e9 + 0.01,
               "/@file_start_computer_time_string": "2022-08-08T23:06:40.010Z",
               "/data_product/posix_time": 1.66e9 + np.arange(10, 60) / 1000},
            d={"/@nx": 4, "/@dx": 3.0, "@dx": 3.0, "@nx": 4, "@nT": None, "@frame_shape": None, "/@frame_size": None,
               "/@sensing_range_end": 39.0})
def terra15(f, x):
    f["data_product/posix_time"] = 1.66e9 + np.arange(N) / 1000
    x.attrs.update(dT=0.001, dx=1.5, nT=50, nx=M, frame_shape=[50, M], recorder_id="T")
    f.attrs.update(file_version="5", acoustic_bandwidth_end=500.0, acoustic_bandwidth_start=0.0, dt_computer=0.001, dx=1.5, nx=M, nt=N,
                   file_start_computer_time=1.66e9, file_start_computer_time_string="2022-08-08T23:06:40.000Z", frame_size=50,
                   sensing_range_start=30.0, sensing_range_end=40.5, pulse_rate=16000.0, gauge_length=2.4,
                   server_start_computer_time=1.65e9, length_of_sensing_cable=3000.0)


AP = {name.split("/")[1]: "/" + name for name in (
    "ProcessingServer/DataRate", "ProcessingServer/SpatialSampling", "Metadata/Timestamp", "Metadata/TraceCount", "DAQ/PositionStart",
    "DAQ/PositionEnd", "DAQ/SpatialPoints", "DAQ/SamplingRate")}


@convention("AP Sensing", "/DAS", rate=500, beside=list(AP.values()),
            b={AP["DataRate"]: [100], AP["TraceCount"]: [20]}, c={AP["TraceCount"]: [50], AP["Timestamp"]: "2024-05-01T12:00:00.020Z"},
            d={AP["SpatialPoints"]: [4], AP["SpatialSampling"]: [2.0]})
def ap_sensing(f, x):
    for name, value in (("DataRate", 500), ("SpatialSampling", 1.0), ("TraceCount", N), ("PositionStart", 100.0),
                        ("PositionEnd", 100.0 + M), ("SpatialPoints", M), ("SamplingRate", 250_000_000)):
        f[AP[name]] = [value]
    f.create_dataset(AP["Timestamp"], data=["2024-05-01T12:00:00.000Z"], dtype=h5py.string_dtype())
    f.attrs.update(FileVersion=[10], AppVersion=["collector"])


RCN = "/DasMetadata/Interrogator/Acquisition"


@convention("DAS-RCN", "/DasRawData/RawData", rate=1000, beside=[RCN, "/DasRawData/DasTimeArray"],
            b={f"{RCN}@AcquisitionSampleRate": "200", f"{RCN}@AcquisitionEndTime": "2016-03-08T17:40:30.290Z", "@Count": 160,
               "/DasRawData/DasTimeArray": 1_457_458_830_195_000_000 + np.arange(0, N, 5) * 1_000_000},
            c={f"{RCN}@AcquisitionStartTime": "2016-03-08T17:40:30.205Z", f"{RCN}@AcquisitionEndTime": "2016-03-08T17:40:30.254Z",
               "@Count": 400, "/DasRawData/DasTimeArray": 1_457_458_830_195_000_000 + np.arange(10, 60) * 1_000_000},
            d={f"{RCN}@NumberOfChannels": "4", f"{RCN}@SpatialSamplingInterval": "2", "@Count": 400})
def das_rcn(f, x):
    f.create_group(RCN).attrs.update(AcquisitionSampleRate="1000", AcquisitionSampleRateUnit="Hz", NumberOfChannels=str(M),
                                     AcquisitionStartTime="2016-03-08T17:40:30.195Z", AcquisitionEndTime="2016-03-08T17:40:30.294Z",
                                     SpatialSamplingInterval="1", SpatialSamplingIntervalUnit="meters", GaugeLength="10")
    f["DasRawData/DasTimeArray"] = 1_457_458_830_195_000_000 + np.arange(N) * 1_000_000
    x.attrs.update(Count=N * M, DasDimensions=["time step", "locus"])


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


@convention("NWB with timestamps", "/acquisition/ts/data", rate=30, beside=["/acquisition/ts/timestamps", "/acquisition/other/data"],
            b={"/acquisition/ts/timestamps": 5 + np.arange(0, N, 5) / 30}, c={"/acquisition/ts/timestamps": 5 + np.arange(10, 60) / 30})
def nwb_timestamps(f, x):
    f["acquisition/ts"].attrs.update(neurodata_type="TimeSeries", namespace="core")
    x.attrs.update(conversion=1.0, resolution=-1.0, unit="m")
    f["acquisition/ts/timestamps"] = 5 + np.arange(N) / 30
    f["acquisition/ts/timestamps"].attrs.update(interval=1, unit="seconds")
    f["session_start_time"] = "2024-05-01T12:00:00+00:00"
    f["acquisition/other/data"] = np.arange(float(N))  # this dataset has its own times


SNIRF_TIME = "/nirs/data1/time"


@convention("SNIRF", "/nirs/data1/dataTimeSeries", rate=10, beside=[SNIRF_TIME],
            b={SNIRF_TIME: np.arange(0, N, 5) * 0.1}, c={SNIRF_TIME: np.arange(10, 60) * 0.1})
def snirf(f, x):
    f["nirs/data1/time"] = np.arange(N) * 0.1
    f["formatVersion"] = "1.0"


LISTS = [f"/nirs/data1/measurementList{k}/sourceIndex" for k in range(1, M + 1)] + ["/nirs/data1/measurementLists/sourceIndex"]


@convention("SNIRF with two values of time", "/nirs/data1/dataTimeSeries", beside=[SNIRF_TIME, *LISTS], rate=10,
            b={SNIRF_TIME: [5.0, 0.5]}, c={SNIRF_TIME: [6.0, 0.1]},
            d={**dict(zip(LISTS, (1, 3, 5, 7, None, None, None, None))), LISTS[-1]: [1, 3, 5, 7]})
def snirf_two(f, x):
    f["nirs/data1/time"] = [5.0, 0.1]
    for k in range(1, M + 1):
        f[f"nirs/data1/measurementList{k}/sourceIndex"] = k
    f["nirs/data1/measurementLists/sourceIndex"] = np.arange(1, M + 1)


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


@convention("ODIM_H5", "/dataset1/data1/data", (36, 20), beside=["/dataset1/where", "/dataset1/how"],
            b={"/dataset1/where@nrays": 8, "/dataset1/where@a1gate": 2, "/dataset1/how@startazA": np.arange(0.0, 360, 50)},
            c={"/dataset1/where@nrays": 16, "/dataset1/where@a1gate": 3, "/dataset1/how@startazA": np.arange(40.0, 200, 10)},
            d={"/dataset1/where@nbins": 10, "/dataset1/where@rscale": 1000.0, "/dataset1/where@rstart": -0.25})
def odim(f, x):
    f.attrs["Conventions"] = "ODIM_H5/V2_2"
    f.create_group("dataset1/where").attrs.update(nrays=36, nbins=20, rscale=500.0, rstart=0.0, elangle=0.5, a1gate=7)
    f.create_group("dataset1/how").attrs.update(startazA=np.arange(0.0, 360, 10), beamwidth=1.0)
    x.attrs.update(CLASS="IMAGE", IMAGE_VERSION="1.2")


CORNERS = {f"/where@{corner}_{axis}": None for corner in ("LL", "UL", "UR", "LR") for axis in ("lon", "lat")}


@convention("ODIM_H5 grid", "/dataset1/data1/data", beside=["/where"],
            b={"/where@ysize": 20, "/where@yscale": 5000.0, **CORNERS}, c={"/where@ysize": 50, **CORNERS},
            d={"/where@xsize": 4, "/where@xscale": 2000.0, **CORNERS})
def odim_grid(f, x):
    f.attrs["Conventions"] = "ODIM_H5/V2_2"
    f.create_group("where").attrs.update(projdef="+proj=stere +lat_0=90", xsize=M, ysize=N, xscale=1000.0, yscale=1000.0,
                                         **{name.split("@")[1]: 5.0 for name in CORNERS})


@convention("CfRadial", "/DBZ", (N, M), beside=["/sweep_start_ray_index", "/sweep_end_ray_index"],
            b={"/@time_coverage_end": None, "/sweep_start_ray_index": [0, 10], "/sweep_end_ray_index": [9, 19]},
            c={"/sweep_start_ray_index": [0, 40], "/sweep_end_ray_index": [39, 49], "/@time_coverage_start": "2012-01-01T00:00:10.232929923Z", "/@time_coverage_end": None},
            d={"range@meters_between_gates": 500.0})
def cfradial(f, x):
    scale(f, x, 0, "time", np.r_[0:N] ** 1.01, units="seconds since 2012-01-01T00:00:00Z")
    scale(f, x, 1, "range", 125 + 250.0 * np.arange(M), units="meters", meters_to_center_of_first_gate=125.0,
          meters_between_gates=250.0, spacing_is_constant="true")
    f["sweep_start_ray_index"], f["sweep_end_ray_index"] = [0, 50], [49, 99]
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
HISTOGRAM = {f"{CHANNEL}@HistogramMin": None, f"{CHANNEL}@HistogramMax": None}  # these attributes describe the values of the input


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
            **{variant: {"/s00/resolutions": None, "/s00/subdivisions": None} for variant in "abcd"})
def bigdataviewer(f, x):
    f["s00/resolutions"] = np.ones((2, 3))
    f["s00/subdivisions"] = np.full((2, 3), 16, "i4")


@convention("BigDataViewer of one resolution", "/t00000/s00/0/cells", (N, M, 6), beside=["/s00/resolutions"],
            **{variant: {"/s00/resolutions": None} for variant in "bcd"})
def bigdataviewer_one(f, x):
    f["s00/resolutions"] = np.ones((1, 3))
    f["s00/subdivisions"] = np.full((1, 3), 16, "i4")


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
    """Values of attributes by `group@name`: `@name` for the dataset, `scale@name` for its dimension scales."""
    skipped = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid"}
    objects = {"": file[dataset]}
    for depth in range(dataset.count("/")):
        path = "/".join(dataset.split("/")[:depth + 1]) or "/"
        objects[path] = file[path]
    for axis in file[dataset].dims:
        objects.update({s.name.split("/")[-1]: s for s in axis.values()})
    objects.update({path: file[path] for path in beside if path in file})
    numbers = {path: plain(file[path][()]) for path in beside
               if isinstance(file.get(path), h5py.Dataset) and file[path].dtype.kind in "iufO"}
    return numbers | {f"{where}@{name}": plain(value) for where, o in objects.items() for name, value in o.attrs.items()
            if name not in skipped | OWN and not name.startswith("stencil_")}


def write_input(folder, name):
    make, dataset, shape, _, _, _, beside = CASES[name]
    with h5py.File(folder / "in.h5", "w") as f:
        x = f.create_dataset(dataset, data=np.random.default_rng(1).normal(size=shape).astype("f4"))
        make(f, x)
        return attributes(f, dataset, beside)


def sections(name, variant, copy):
    _, dataset, shape, axis, rate, _, _ = CASES[name]
    stage = {"mask": 1, "axis": axis} if variant != "d" else {"mask": 1, "axis": len(shape) - 1 if len(shape) < 3 or axis else 1, "stride": 2}
    if variant == "b":
        stage["stride"] = 5
    if variant == "b" and rate:  # the filter is designed for the rate that the program finds
        stage.update(mask="lowpass", taps=11, cutoff=rate / 20)
    chosen = {"select": ", ".join("10:60" if i == axis else ":" for i in range(len(shape)))} if variant == "c" else {}
    if shape[axis] < N:
        chosen = {"select": "4:20, :"} if chosen else {}
    return {"input": {"file": "in.h5", "dataset": dataset, **chosen},
            "output": {"file": "out.h5", "copy": copy, "overwrite": "true"}, "stencil": stage}


def compare(name, variant, copy, before, folder):
    """Compares one run with the correct values. Returns the differences."""
    wrong = []
    _, dataset, shape, axis, rate, right, beside = CASES[name]
    where = f"{name} ({variant}, copy = {copy})"
    outcome = run(folder, ini(sections(name, variant, copy)), 0, ["--report=report.json"])
    if outcome.status:
        return [f"{where}: {outcome.unexpected()}"]
    told = " ".join(json.loads((folder / "report.json").read_text())["output"]["not_carried_over"])
    with h5py.File(folder / "out.h5") as f:
        after = attributes(f, dataset, beside)
        absent = [path for path in beside if path not in f]
        used = f.attrs.get("stencil_sampling_rate", "") or f[dataset].attrs.get("stencil_sampling_rate", "")
    for key, value in before.items():
        want, got = right[variant].get(key, value), after.get(key)
        of = key.split("@")[0]
        if of in absent and (copy == "none" or want is None):
            if copy == "none" and want is not None and not any(part and part in told for part in of.split("/")):
                wrong.append(f"{where}: {key} is not in the output, without a note")
            continue
        if not is_same(got, want):
            wrong.append(f"{where}: {key} = {value} became {got}, right is {want}")
        noted = f"attribute {key.split('@')[1]} of" if "@" in key else key.split("/")[-1]
        if got is None and noted not in told and of not in absent:
            wrong.append(f"{where}: {key} is left out without a note")
    wrong += [f"{where}: the test names {key}, which the file has not" for key in right[variant] if key not in before]
    if variant == "b" and rate and not np.isclose(float(used.split(": ")[-1].split()[0]), rate, rtol=1e-9):
        wrong.append(f"{where}: designed for {used}, right is {rate}")
    return wrong


def runs_of(name):
    """The pairs of output.copy and variant that are run for one convention. The quick run takes two of them, which differ from
    convention to convention."""
    shape = CASES[name][2]
    runs = [("none", variant) for variant in "ab"] + [("rest", variant) for variant in "abcd"]
    return in_turn([run for run in runs if run[1] != "d" or (len(shape) > 1 and shape[-1] > 1)], 2)


def check(name, runs):
    """Runs one convention. Returns the failures."""
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        before = write_input(folder, name)
        return [line for copy, variant in runs for line in compare(name, variant, copy, before, folder)]


def main():
    names = [n for n in CASES if not sys.argv[1:] or n in sys.argv[1:]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(check, names, map(runs_of, names)) for line in lines]
    print(*wrong, f"{len(names)} conventions, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
