#pragma once

#include <string>

#include "kernels/mask.hpp"

namespace stencil {

/// Returns outer products whose sum is a mask. The first is the cross through the largest tap (its
/// column times its row), the next is the cross of the remainder, and so on, until the sum equals
/// the mask within rounding or has most_terms terms. This is elimination with complete pivoting,
/// which has smaller rounding errors than an SVD: all factors of an SVD have errors of one eps of
/// the largest singular value.
///
/// For a mask of integers each row is divided by its greatest common divisor. An outer product of
/// integers then has integer factors; with several terms, the factors are integers only for some
/// masks.
///
/// @pre a mask of two axes, some tap is not 0
Factors sum_of_crosses(const Taps& taps, double precision_eps);

/// One list of taps for each of three axes, whose product is the mask if the mask is such a
/// product: the lines through its largest tap. Of a mask of integers they are integers where the
/// mask is their product.
///
/// @pre some tap is not 0
Factors product_of_lines(const Taps& taps);

/// Largest |sum of outer products - tap| over the largest |tap|.
double reconstruction_error(const Factors& factors, const Taps& taps);

/// Returns whether a sum of outer products equals the mask within rounding errors of a type with
/// the machine epsilon `precision_eps`. No tap differs by more than 4 eps of the largest tap, and
/// the sum of all differences is at most half of the rounding error of a direct sum, w eps sum|M|.
bool give_back(const Factors& factors, const Taps& taps, double precision_eps);

/// sum_k |column_k| |row_k| over sum|M|: 1 for an outer product, large where terms cancel.
/// @pre a mask of two axes
double mass(const Factors& factors, const Taps& taps);

bool are_integers(const std::vector<double>& values);

/// Returns whether the same taps are exactly 0 in the factors and in the mask. Only then do NaN and
/// Inf reach the same outputs if zeros are skipped.
/// @pre one term
bool same_zeros(const Factors& factors, const Taps& taps);

/// `rank 5, singular values 1, 6.3e-02, 1.2e-03, 4.0e-04, ... of the first`: the rank within 4
/// `precision_eps`. For a mask with more rows and columns than `most_side` only `801 x 801 taps,
/// too many to find its rank`. For a mask of three axes the ranks of the three matrices that have
/// one axis along their rows and the two others along their columns: `ranks 2 3 3 along its axes,
/// second singular values up to 6.3e-02 of the first`, if none of its sides is above `most_side`.
///
/// @param most_side  the computation takes half a second for 256, less than a millisecond for 32
/// @pre at least one tap is not 0
std::string rank_words(const Taps& taps, double precision_eps, Index most_side);

}  // namespace stencil
