#pragma once

#include "drivers/plan/plan.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The values that are replaced while reading, as [missing] says; nothing if missing.value = none.
/// @throws WordsError  the attributes are requested, but the dataset has none
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

/// The output's file, shape, type, chunks, missing value, axes taken over from the input, and
/// provenance; the rest of the plan must be set.
/// @throws WordsError  a chunk with another number of axes, an integer type that cannot hold
///                     missing points
OutputSpec output_spec(const Config& config, const Plan& plan);

/// Notes on data that the user may not expect: missing-value markers that count as data, packed
/// values. The plan's output must be set.
std::vector<std::string> notes_on(const Config& config, const Plan& plan);

}  // namespace stencil
