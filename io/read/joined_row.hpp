#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/hdf5/dataset_facts.hpp"
#include "io/read/join_words.hpp"

namespace stencil {

/// Lays datasets one after the other along an axis, and makes the facts of all of them.
class JoinedRow {
 public:
  /// @param first  the dataset that attributes and scales belong to
  /// @param begin  index of its first point that is used
  JoinedRow(const DatasetFacts& first, std::size_t axis, Index begin, const JoinWords& words);

  /// Points along the axis until now.
  Index points() const { return joined_.dims[axis_]; }

  /// Adds missing points. @throws WordsError  integers without a value that is missing
  void fill(Index points);

  /// Adds points of a dataset.
  /// @param number  of the dataset, which is added to the sources once
  void add(const DatasetFacts& part, std::size_t number, Index first, Index count);

  /// @throws ShapeError  all points together have more bytes than fit into 64 bits
  DatasetFacts finish();

 private:
  void map(Index source, Index first, Index extent);

  DatasetFacts joined_;
  std::size_t axis_;
  const JoinWords* words_;
  std::map<std::size_t, Index> numbers_;  // of datasets among the sources
};

/// Adds the notes on a dataset, with the name of its file, to those on all of them.
void add_notes_of(const DatasetFacts& part, std::vector<std::string>& notes);

}  // namespace stencil
