#pragma once

#include <functional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"

namespace stencil {

/// Outputs up to which a box is computed as a whole.
inline constexpr Index small_box = Index{1} << 15;

/// Divides a box of a stage's outputs into pieces whose inputs and outputs stay in a processor's
/// cache. A piece is not much smaller than the mask, because neighbouring pieces read the same
/// inputs. Pieces do not separate the outputs of one image, or those that one transform computes
/// together.
///
/// @param threads    that compute; the pieces of large boxes are so small that each thread has
///                   several
/// @param is_square  as long along x as along y, for arrays whose rows are not contiguous;
///                   otherwise pieces have whole rows if possible
std::vector<Box> cut_pieces(const BoundStage& stage, const Box& outputs, int threads,
                            bool is_square);

/// Cuts any box, regardless of a stage.
std::vector<Box> cut_pieces(const Box& box, int threads);

/// Divides a box into parts of a few tenths of a second of work each, at places where cut_pieces()
/// may cut. Parts have whole rows if possible.
std::vector<Box> cut_parts(const BoundStage& stage, const Box& outputs);

/// The points of a box that lie outside of another one within it, as disjoint boxes: sides along
/// batch first, then y, then x.
/// @param inner  within `all`; may be empty
std::vector<Box> around(const Box& all, const Box& inner);

/// Calls body(piece, thread) for every piece: a single piece in the calling thread, which may use
/// all its OpenMP threads within the body; several pieces on these threads, one thread for each
/// piece. Returns when all are done.
///
/// @param body  called by several threads at once. The first exception that it throws is thrown to
///              the caller, and pieces that have not begun then are left out
void for_each_piece(const std::vector<Box>& pieces,
                    const std::function<void(const Box& piece, int thread)>& body);

/// Calls body(piece, thread) for every piece, in several rounds of a few tenths of a second each.
/// `between` is called by the calling thread before every round, and may throw; if it is null, all
/// pieces are one round.
void for_each_piece(const BoundStage& stage, const std::vector<Box>& pieces, void (*between)(),
                    const std::function<void(const Box& piece, int thread)>& body);

}  // namespace stencil
