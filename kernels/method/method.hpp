#pragma once

#include "kernels/method/method_choice.hpp"
#include "kernels/method/method_request.hpp"

namespace stencil {

/// Returns the method with the least estimated time according to the table of costs of the backend
/// (kernels/method/method_costs.hpp). The estimate depends on the mask, the world, strides and
/// steps, but not on the machine, ranks or threads. 1D masks are summed directly or by fft. 2D
/// masks are also summed by factors, if
/// - the products of the factors equal every tap within 4 eps of the compute type, and the sum of
///   all differences is at most half of the rounding error of a direct sum, which is w eps sum|M|
///   for a mask M of h x w taps;
/// - the same taps are exactly 0, unless zeros are multiplied;
/// - if there is one term, its factors are a column and a row of the mask, and the factors of masks
///   of integers are integers. Factors that the mask already has are used unchanged.
///
/// A mask of rank 2 or 3 may be summed as two or three outer products (each the cross through the
/// largest tap of the remainder), if
/// - the terms hardly cancel: sum_k |column_k| |row_k| is at most twice sum|M|. The rounding errors
///   of factors and sums are then at most 2 (w + terms h + 2) eps sum|M| max|N|. Together with the
///   errors of the taps this is within the (2 h w + 4) eps of a direct sum, if the terms save taps;
/// - no tap of 0 is skipped, because several terms can only add to 0, not skip a point;
/// - outputs are not renormalized, and on GPUs there is no stride (unless separable is requested);
/// - masks of integers have integer factors, so that sums of integers are exact (unless
///   separable is requested);
/// - the sum saves taps.
///
/// On CPUs a column times a row without strides is summed by factors, or directly if it has no more
/// than nine taps (3 x 3), independent of the table. On GPUs the table decides. There, transforms
/// must save time even if moving the inputs and the outputs between host and GPU, which runs at the
/// same time, is taken into account (gpu_transfer_seconds).
///
/// Masks of several planes are summed directly unless another method is better. Transforms are used
/// if they cost less and no missing points are left out. Factors are used if they need less than a
/// third of the multiply-adds. The factors are those of which the mask was made or, without such
/// factors, three lines whose product equals the mask within the same limits. Masks of zeros are
/// summed directly. Transforms are chosen without a request only if the world is known and, on
/// GPUs, only if no missing points are left out.
///
/// @param precision_eps  machine epsilon of the compute type
/// @throws ShapeError    separable was requested and the mask is not such a sum (the message has
///                       the reason, the rank and singular values), or fft was requested and the
///                       mask is too large, or fft was requested on a backend whose transforms
///                       cannot leave missing points out
MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps,
                           const MethodSite& site = {});

}  // namespace stencil
