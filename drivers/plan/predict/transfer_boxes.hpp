#pragma once

#include <vector>

#include "drivers/plan/problem.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Cuts a box into boxes of at most `most` points, along its outermost axes and in row-major order:
/// the pieces of a transfer between a file and a GPU. Cuts are at chunk borders, so that no chunk
/// is packed or unpacked twice; a row of chunks may therefore have more than `most` points.
///
/// @param chunk  the chunk shape of the dataset; empty if the dataset is not chunked
/// @param box    in global indices of the normal form `form`; an empty box has no pieces
std::vector<Box> transfer_boxes(const NormalForm& form, const std::vector<Index>& chunk,
                                const Box& box, Index most);

/// Returns the number of points of the largest box.
Index largest_points(const std::vector<Box>& boxes);

/// Returns the boxes that a rank reads one by one for transfer to a GPU, each of about
/// plan.piece_bytes.
std::vector<Box> input_boxes(const Problem& problem, int rank);
/// Returns the boxes that a rank writes one by one from a GPU, each of about plan.piece_bytes.
std::vector<Box> output_boxes(const Problem& problem, int rank);

}  // namespace stencil
