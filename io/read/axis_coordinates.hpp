#pragma once

#include <hdf5.h>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Sets `coordinates` and `earth_radius` of the facts of a whole dataset. The coordinates of an
/// axis are the values of its first dimension scale that contains one number for each point.
/// Following CF, a scale contains latitudes or longitudes if its unit is degrees_north or
/// degrees_east in one of their spellings, or if its standard_name is latitude, longitude,
/// grid_latitude or grid_longitude and its unit is an angle. An axis along which files are joined
/// has no coordinates, because each file has different coordinates.
///
/// The radius of the sphere is `earth_radius` of the variable that the dataset names in
/// `grid_mapping`, or else standard_earth_radius.
///
/// @throws StorageError  a file cannot be read, or joined files have different coordinates
void find_coordinates(DatasetFacts& facts);

/// Returns 360 degrees in the unit of a dimension scale of longitudes, which may pass from 360 to 0
/// degrees, or from 180 to -180; 0 for other scales.
double period_of(hid_t scale);

/// Radius of the Earth in metres, as in the models of ECMWF and NCEP (shape 6 in code table 3.2 of
/// GRIB edition 2).
inline constexpr double standard_earth_radius = 6371229;

}  // namespace stencil::storage
