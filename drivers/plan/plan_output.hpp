#pragma once

#include "drivers/plan/plan.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// What reading replaces, from the words of [missing]; nothing where missing.value = none.
/// @throws WordsError  attribute asked for and the dataset has none
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

/// The output's file, shape, type, chunks, missing value, carried axes and provenance; everything
/// else of the plan is set.
/// @throws WordsError  a chunk of another rank, an integer type that cannot hold missing points
OutputSpec output_spec(const Config& config, const Plan& plan);

/// What may surprise in the data of a plan, whose output is set: sentinels that count as data,
/// packed values.
std::vector<std::string> notes_on(const Config& config, const Plan& plan);

}  // namespace stencil
