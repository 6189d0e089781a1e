#pragma once

#include <vector>

#include "drivers/plan/problem.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Cuts a box into boxes of at most `most` points, along its outermost axes and in row-major order:
/// the pieces of a transfer between a file and a GPU. Cuts lie on chunk borders, so that no chunk
/// is packed or unpacked twice; a row of chunks may then hold more than `most` points.
///
/// @param chunk  the chunk of the dataset, per dataset axis; empty = none
/// @param box    of the normal form `form`, global indices; an empty one has no boxes
std::vector<Box> transfer_boxes(const NormalForm& form, const std::vector<Index>& chunk,
                                const Box& box, Index most);

/// Number of points of the largest box.
Index largest_points(const std::vector<Box>& boxes);

/// The boxes that a rank reads one by one for transfer to a GPU, each of about plan.piece_bytes.
std::vector<Box> input_boxes(const Problem& problem, int rank);
/// The boxes that a rank writes one by one from a GPU, each of about plan.piece_bytes.
std::vector<Box> output_boxes(const Problem& problem, int rank);

}  // namespace stencil
