#pragma once

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "drivers/config/config.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil::testing {

/// Facts of a dataset `/x` that a plan needs, without a file: contiguous, without a sampling rate.
inline DatasetFacts facts_of(const std::vector<Index>& dims,
                             ElementType type = ElementType::float32) {
  DatasetFacts facts;
  facts.file = "in.h5";
  facts.dataset = "/x";
  facts.dims = dims;
  facts.type = type;
  facts.layout = "contiguous";
  facts.sampling_rate.assign(dims.size(), 0);
  return facts;
}

/// The configuration of a run with one stage, `[stencil]`, that has a mask and no other key.
inline Config config_of(const std::string& mask) {
  Config config;
  config.output.file = "out.h5";
  StageConfig stage;
  stage.name = "stencil";
  stage.mask = read_mask(mask);
  config.stages = {stage};
  return config;
}

/// Like config_of(), with the axes that the mask runs along.
inline Config with_axes(const std::string& mask, std::vector<AxisWord> axes) {
  Config config = config_of(mask);
  config.stages[0].axes = std::move(axes);
  return config;
}

/// Facts of a dataset with four axes, of which the file names three.
inline DatasetFacts named_facts() {
  DatasetFacts facts = facts_of({4, 50, 60, 3});
  facts.axis_names = {"time", "Lat", "lon", ""};
  return facts;
}

/// Facts of a dataset of 181 latitudes and 360 longitudes, one degree apart.
inline DatasetFacts globe_facts() {
  constexpr double degree = std::numbers::pi / 180;
  DatasetFacts facts = facts_of({181, 360});
  facts.earth_radius = 6371229;
  facts.coordinates.resize(2);
  AxisCoordinates &north = facts.coordinates[0], &east = facts.coordinates[1];
  north.kind = AxisCoordinates::Kind::latitude;
  for (int row = -90; row <= 90; ++row) north.latitudes.push_back(row * degree);
  east.kind = AxisCoordinates::Kind::longitude;
  north.unit = east.unit = "rad";
  north.step = east.step = degree;
  return facts;
}

/// A Gaussian along longitudes with a width in kilometres.
inline Config gaussian_of_km(double sigma) {
  Config config = with_axes("gaussian", {1});
  config.stages[0].parameters.sigma = {sigma};
  config.stages[0].parameters.sigma_unit = "km";
  return config;
}

}  // namespace stencil::testing
