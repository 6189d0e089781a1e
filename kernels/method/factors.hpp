#pragma once

#include <string>

#include "kernels/mask.hpp"

namespace stencil {

/// Returns outer products whose sum is a mask. The first outer product is the column times the row
/// through the largest tap. This product is subtracted from the mask, and the next outer product is
/// computed from the remainder in the same way, until the sum equals the mask within rounding or
/// has most_terms terms. This is elimination with complete pivoting, which has smaller rounding
/// errors than an SVD: all factors of an SVD have errors of one eps of the largest singular value.
///
/// For a mask of integers each row is divided by its greatest common divisor. An outer product of
/// integers then has integer factors; with several terms, the factors are integers only for some
/// masks.
///
/// @pre a mask of two axes, some tap is not 0
Factors sum_of_crosses(const Taps& taps, double precision_eps);

/// Returns one list of taps for each of three axes: the lines through the largest tap of the mask.
/// If the mask is a product of any three lists, the mask equals the product of the returned lists.
/// If in addition all taps are integers, the numbers of the lists are integers, too.
///
/// @pre some tap is not 0
Factors product_of_lines(const Taps& taps);

/// Returns the largest absolute difference between a tap and the sum of the outer products, divided
/// by the largest |tap|.
double reconstruction_error(const Factors& factors, const Taps& taps);

/// Returns whether a sum of outer products equals the mask within rounding errors of a type with
/// the machine epsilon `precision_eps`. No tap differs by more than 4 eps of the largest tap, and
/// the sum of all differences is at most half of the rounding error of a direct sum, w eps sum|M|.
bool give_back(const Factors& factors, const Taps& taps, double precision_eps);

/// Returns sum_k |column_k| |row_k| divided by sum|M|. It is 1 for an outer product, and large if
/// terms cancel.
/// @pre a mask of two axes
double mass(const Factors& factors, const Taps& taps);

bool are_integers(const std::vector<double>& values);

/// Returns whether the product of the factors is exactly 0 for the same taps as the mask. If zeros
/// are skipped, NaN and Inf reach the same outputs only in this case.
/// @pre one term
bool same_zeros(const Factors& factors, const Taps& taps);

/// Returns a text with the rank of a mask within 4 `precision_eps`: `rank 5, singular values 1,
/// 6.3e-02, 1.2e-03, 4.0e-04, ... of the first`. For a mask of three axes, the text has the ranks
/// of the three matrices that have one axis along their rows and the two others along their
/// columns: `ranks 2 3 3 along its axes, second singular values up to 6.3e-02 of the first`. For
/// masks with sides above `most_side` the text is only `801 x 801 taps, too many to find its rank`.
///
/// @param most_side  the computation takes half a second for 256, less than a millisecond for 32
/// @pre at least one tap is not 0
std::string rank_words(const Taps& taps, double precision_eps, Index most_side);

}  // namespace stencil
