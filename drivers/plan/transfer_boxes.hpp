#pragma once

#include <vector>

#include "drivers/plan/plan.hpp"
#include "framework/grid/normal_form.hpp"

namespace stencil {

/// Cuts a box into boxes of at most `most` points, along its outermost axes and in row-major order:
/// what travels at a time between a file and a GPU. Cuts fall between whole chunks, so that none is
/// packed or unpacked twice; a row of chunks may then hold more than `most` points.
///
/// @param chunk  of the dataset, per dataset axis; empty = none
/// @param box    of the normal form `form`, global indices; an empty one has no boxes
std::vector<Box> transfer_boxes(const NormalForm& form, const std::vector<Index>& chunk,
                                const Box& box, Index most);

/// Points of the largest of them.
Index largest_points(const std::vector<Box>& boxes);

/// What a rank reads at a time where its points go to a GPU: boxes of about plan.piece_bytes.
std::vector<Box> input_boxes(const Plan& plan, int rank);
/// What a rank writes at a time where its points come from a GPU: boxes of about plan.piece_bytes.
std::vector<Box> output_boxes(const Plan& plan, int rank);

}  // namespace stencil
