#pragma once

#include <string>

#include "io/listing.hpp"

namespace stencil {

// Short descriptions of a dataset. Texts of the file are made printable.

/// Returns text such as `chunk 135x135, shuffle+gzip` or `contiguous`.
std::string storage_words(const DatasetFacts& facts);

/// Returns text such as `time: 2500 points, 200 Hz (attribute OutputDataRate of /Acquisition)`.
std::string axis_words(const ListedDataset& dataset, std::size_t axis);

/// Returns text such as `-32768, and below 0`; the text is empty if the attributes give no missing
/// values.
std::string missing_words(const DatasetFacts& facts);

/// Returns text such as `number * 0.01 + 273.15`; the text is empty if the dataset is not packed.
std::string packing_words(const DatasetFacts& facts);

/// Returns the unit of coordinates without the reference of times: `days` for `days since
/// 1970-01-01`.
std::string unit_words(const ListedAxis& axis);

/// Returns text such as `240 x 37 x 49`.
std::string shape_words(const DatasetFacts& facts);

/// Returns the stored type, such as `int16` or `float16`.
std::string type_words(const DatasetFacts& facts);

}  // namespace stencil
