#pragma once

#include <string>

#include "io/listing.hpp"

namespace stencil {

// What a file says of a dataset, in a few words each. The texts of files are printable there.

/// `chunk 135x135, shuffle+gzip`, `contiguous`
std::string storage_words(const DatasetFacts& facts);

/// `time: 2500 points, 200 Hz (attribute OutputDataRate of /Acquisition)`
std::string axis_words(const ListedDataset& dataset, std::size_t axis);

/// `-32768, and below 0`; empty if the attributes name none.
std::string missing_words(const DatasetFacts& facts);

/// `number * 0.01 + 273.15`; empty if the numbers are the values.
std::string packing_words(const DatasetFacts& facts);

/// The unit of coordinates without the reference of times: `days` of `days since 1970-01-01`.
std::string unit_words(const ListedAxis& axis);

/// `240 x 37 x 49`
std::string shape_words(const DatasetFacts& facts);

/// The type as it is stored: `int16`, `float16`.
std::string type_words(const DatasetFacts& facts);

}  // namespace stencil
