#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Concatenates datasets along an axis, and makes the facts of the joined dataset.
class JoinedRow {
 public:
  /// @param first  dataset that provides attributes and scales
  /// @param begin  index of the first point of this dataset that is used
  JoinedRow(const DatasetFacts& first, std::size_t axis, Index begin, const JoinWords& words);

  /// Returns the number of points that have been added along the axis so far.
  Index points() const { return joined_.dims[axis_]; }

  /// Adds missing points. @throws WordsError  the type is integer and there is no missing value
  void fill(Index points);

  /// Adds points of a dataset.
  /// @param number  index of the dataset among the joined datasets; the dataset is added to the
  ///                sources when points of it are added for the first time
  void add(const DatasetFacts& part, std::size_t number, Index first, Index count);

  /// Returns the facts of the joined dataset. @throws ShapeError  the size of all points in bytes
  /// overflows 64 bits
  DatasetFacts finish();

 private:
  void map(Index source, Index first, Index extent);

  DatasetFacts joined_;
  std::size_t axis_;
  const JoinWords* words_;
  std::map<std::size_t, Index> numbers_;  // dataset number -> index in the sources
};

/// Appends the notes on a dataset, with the name of its file, to the notes on the joined dataset.
void add_notes_of(const DatasetFacts& part, std::vector<std::string>& notes);

}  // namespace stencil
