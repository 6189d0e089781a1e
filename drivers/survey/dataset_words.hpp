#pragma once

#include <string>

#include "io/listing.hpp"

namespace stencil {

// Short descriptions of a dataset. Texts of the file are made printable.

/// Returns `chunk 135x135, shuffle+gzip` or `contiguous`.
std::string storage_words(const DatasetFacts& facts);

/// Returns `time: 2500 points, 200 Hz (attribute OutputDataRate of /Acquisition)`.
std::string axis_words(const ListedDataset& dataset, std::size_t axis);

/// Returns `-32768, and below 0`; empty if the attributes give no missing values.
std::string missing_words(const DatasetFacts& facts);

/// Returns `number * 0.01 + 273.15`; empty if the dataset is not packed.
std::string packing_words(const DatasetFacts& facts);

/// Returns the unit of coordinates without the reference of times: `days` for `days since
/// 1970-01-01`.
std::string unit_words(const ListedAxis& axis);

/// Returns `240 x 37 x 49`.
std::string shape_words(const DatasetFacts& facts);

/// Returns the stored type: `int16`, `float16`.
std::string type_words(const DatasetFacts& facts);

}  // namespace stencil
