#pragma once

#include <functional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// Largest number of outputs of a box that is computed as a whole.
inline constexpr Index small_box = Index{1} << 15;

/// Divides a box of a stage's outputs into pieces whose inputs and outputs fit into a processor's
/// cache. A piece is not much smaller than the mask, because neighbouring pieces read the same
/// inputs. Outputs of one image, and outputs that one transform computes, stay in one piece.
///
/// @param threads    number of threads; pieces of large boxes are small enough that each thread
///                   gets several pieces
/// @param is_square  whether pieces are as long along x as along y, for arrays whose rows are not
///                   contiguous; otherwise pieces have whole rows if possible
std::vector<Box> cut_pieces(const BoundStage& stage, const Box& outputs, int threads,
                            bool is_square);

/// Divides any box, independent of a stage.
std::vector<Box> cut_pieces(const Box& box, int threads);

/// Divides a box into parts of a few tenths of a second of work each, at positions where
/// cut_pieces() may cut. Parts have whole rows if possible.
std::vector<Box> cut_parts(const BoundStage& stage, const Box& outputs);

/// Returns the points of `all` that are outside of `inner`, as disjoint boxes: first the sides
/// along batch, then along y, then along x.
/// @param inner  within `all`; may be empty
std::vector<Box> around(const Box& all, const Box& inner);

/// Calls body(piece, thread) for every piece. A single piece is processed by the calling thread,
/// and the body may use all OpenMP threads of this thread. Several pieces are distributed over
/// these threads, one thread per piece. Returns when all pieces are done.
///
/// @param body  called by several threads simultaneously. The first exception that it throws is
///              rethrown to the caller, and pieces that have not begun by then are skipped
void for_each_piece(const std::vector<Box>& pieces,
                    const std::function<void(const Box& piece, int thread)>& body);

/// Calls body(piece, thread) for every piece, in rounds of a few tenths of a second each. The
/// calling thread calls `between`, which may throw, before every round. If `between` is null, all
/// pieces form one round.
void for_each_piece(const BoundStage& stage, const std::vector<Box>& pieces, void (*between)(),
                    const std::function<void(const Box& piece, int thread)>& body);

}  // namespace stencil
