"""Images, radar and the data of models, written and opened by nexusformat, xradar, wradlib and xarray."""

import os
import pathlib

import h5py
import numpy as np

from reader_case import Input, Reading, case

REAL = pathlib.Path(os.environ.get("STENCIL_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data"))


def noise(*shape):
    return np.random.default_rng(4).normal(size=shape).astype("f4")


@case("nexusformat: NXdata", "nexusformat")
def nexus(folder):
    from nexusformat.nexus import NXdata, NXentry, NXfield, NXinstrument, NXroot, nxload

    x = NXfield(np.linspace(0, 2, 24), name="x", units="mm")
    t = NXfield(np.arange(60) * 0.5, name="t", units="s")
    data = NXdata(NXfield(noise(60, 24), name="counts", units="counts"), (t, x), title="a scan")
    entry = NXentry(data=data, instrument=NXinstrument(NXfield("a beamline", name="name")), title="measurement")
    NXroot(entry).save(str(folder / "in.nxs"))

    def read(path):
        with nxload(str(path), "r") as root:
            found = root["entry/data"]
            axes = found.nxaxes
            return Reading(found.nxsignal.nxdata, {a.nxname: (k, a.nxdata) for k, a in enumerate(axes)}, {},
                           {"units": found.nxsignal.attrs["units"], "axes": [a.nxname for a in axes], "title": str(found["title"]),
                            "units of axes": [a.attrs["units"] for a in axes], "instrument": str(root["entry/instrument/name"])})

    return Input(folder / "in.nxs", "/entry/data/counts", read, hertz=2.0)


@case("nexusformat: file of Savu", "nexusformat")
def savu(_):
    from nexusformat.nexus import nxload

    file = REAL / "savu_pc2.h5"
    if not file.is_file():
        return None

    def read(path):
        with nxload(str(path), "r") as root:
            return Reading(root["entry/data/data"].nxdata, {}, {}, {"parts": sorted(root["entry"])})

    return Input(file, "/entry/data/data", read, axis=2)


def read_sweep(name, opener, **words):
    """The first sweep of a volume, as xradar reads it."""
    def read(path):
        tree = opener(path, **words)
        sweep = tree["sweep_0"].ds.load()
        tree.close()
        field = sweep[name]
        along = {key: (0 if sweep[key].dims == ("azimuth",) else 1, sweep[key].values) for key in ("azimuth", "range")}
        facts = {"elevation": float(sweep["sweep_fixed_angle"]), "units": field.attrs.get("units", ""), "latitude": float(tree["/"]["latitude"])}
        return Reading(field.values, along, {}, facts)
    return read


def write_odim(path):
    """The layout of ODIM_H5 2.2: one sweep of reflectivity."""
    with h5py.File(path, "w") as f:
        f.attrs["Conventions"] = np.bytes_("ODIM_H5/V2_2")
        for name, attributes in {
            "what": {"object": "PVOL", "version": "H5rad 2.2", "date": "20240501", "time": "120000", "source": "NOD:nlhrw"},
            "where": {"lon": 5.1, "lat": 52.1, "height": 50.0},
            "dataset1/what": {"product": "SCAN", "startdate": "20240501", "starttime": "120000", "enddate": "20240501", "endtime": "120018"},
            "dataset1/where": {"elangle": 0.5, "nrays": 36, "nbins": 40, "rscale": 500.0, "rstart": 0.0, "a1gate": 0},
            "dataset1/how": {"startazA": np.arange(36) * 10.0, "stopazA": (np.arange(36) * 10.0 + 10) % 360},
            "dataset1/data1/what": {"quantity": "DBZH", "gain": 0.5, "offset": -32.0, "nodata": 255.0, "undetect": 0.0},
        }.items():
            f.create_group(name).attrs.update({k: np.bytes_(v) if isinstance(v, str) else v for k, v in attributes.items()})
        made = f.create_dataset("dataset1/data1/data", data=np.random.default_rng(5).integers(20, 200, (36, 40)).astype("u1"))
        made.attrs.update(CLASS=np.bytes_("IMAGE"), IMAGE_VERSION=np.bytes_("1.2"))


@case("xradar: ODIM_H5", "xradar")
def odim(folder):
    import xradar

    write_odim(folder / "in.h5")
    return Input(folder / "in.h5", "/dataset1/data1/data", read_sweep("DBZH", xradar.io.open_odim_datatree), axis=1)


@case("xradar: CfRadial", "xradar")
def cfradial(folder):
    import xradar

    write_odim(folder / "odim.h5")
    tree = xradar.io.open_odim_datatree(folder / "odim.h5").load()
    xradar.io.to_cfradial1(tree, str(folder / "in.nc"))
    return Input(folder / "in.nc", "/DBZH", read_sweep("DBZH", xradar.io.open_cfradial1_datatree), axis=1)


@case("wradlib: ODIM_H5", "wradlib")
def wradlib_odim(folder):
    import wradlib

    write_odim(folder / "in.h5")

    def read(path):
        found = wradlib.io.read_opera_hdf5(str(path))
        where = found["dataset1/where"]
        what = found["dataset1/data1/what"]
        values = found["dataset1/data1/data"] * what.get("gain", 1) + what.get("offset", 0)
        edges = where["rstart"] * 1000 + np.arange(where["nbins"]) * where["rscale"] + where["rscale"] / 2
        return Reading(values, {"range": (1, edges), "azimuth": (0, found["dataset1/how"]["startazA"])}, {},
                       {"elevation": where["elangle"], "lat": found["where"]["lat"]})

    return Input(folder / "in.h5", "/dataset1/data1/data", read, axis=1)


def model(xarray):
    """A field with the usual contents of netCDF files of models: bounds, an auxiliary coordinate of two axes, a grid mapping, scalars."""
    n, ny, nx = 60, 12, 16
    grid = xarray.Dataset(
        {"tas": (("time", "y", "x"), noise(n, ny, nx) + 280, {"units": "K", "long_name": "air temperature", "grid_mapping": "crs",
                                                              "cell_methods": "time: mean"}),
         "orog": (("y", "x"), noise(ny, nx), {"units": "m"}),
         "quality": (("time",), np.arange(n, dtype="i4"), {"long_name": "quality"}),
         "crs": ((), 0, {"grid_mapping_name": "rotated_latitude_longitude"}),
         "time_bnds": (("time", "bnds"), np.stack([np.arange(n), np.arange(n) + 1.0], 1))},
        {"time": ("time", np.arange(n) + 0.5, {"units": "days since 2000-01-01", "calendar": "360_day", "bounds": "time_bnds"}),
         "y": ("y", np.arange(ny) * 0.5, {"units": "degrees"}), "x": ("x", np.arange(nx) * 0.5, {"units": "degrees"}),
         "lat": (("y", "x"), noise(ny, nx), {"units": "degrees_north"}), "lon": (("y", "x"), noise(ny, nx), {"units": "degrees_east"}),
         "height": ((), 2.0, {"units": "m"})}, {"Conventions": "CF-1.8", "title": "a model"})
    grid["tas"].encoding["coordinates"] = "lat lon height"
    return grid


def xarray_case(engine, module):
    @case(f"xarray with {module}", "xarray", module)
    def make(folder):
        import xarray

        model(xarray).to_netcdf(folder / "in.nc", engine=engine)

        def read(path):
            with xarray.open_dataset(path, engine=engine, decode_times=False) as found:
                along = {}
                for name in ("time", "y", "x", "quality"):
                    along[name] = (found["tas"].dims.index(found[name].dims[0]), found[name].values)
                lat, bounds = found["lat"], found["time_bnds"]
                along["bounds"], along["last row of lat"] = (0, bounds.values), (2, lat.values[-1])
                told = {name: str(sorted(found[name].attrs.items())) for name in ("tas", "time", "crs", "lat", "height")}
                facts = {"dims": list(found["tas"].dims), "coords": sorted(found["tas"].coords), "title": found.attrs["title"],
                         "height": float(found["height"]), "dims of lat": list(lat.dims), **told}
                return Reading(found["tas"].values, along, {}, facts)

        return Input(folder / "in.nc", "/tas", read, axis=0)
    return make


for one in (("netcdf4", "netCDF4"), ("h5netcdf", "h5netcdf")):
    xarray_case(*one)
