#include "drivers/plan/make/compute_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/hdf5/native_type.hpp"

namespace stencil {
namespace {

/// Returns whether float32 is too coarse for the values of packed integers: near the end of their
/// range, neighbouring float32 numbers differ by more than an eighth of scale_factor.
bool needs_double(const DatasetFacts& input) {
  if (!input.is_unpacked()) return false;
  return storage::visit_element(input.number_type(), [&](auto example) {
    using Number = decltype(example);
    if constexpr (is_floating_point<Number>) {
      return false;
    } else {
      const auto value_of = [&](Number number) {
        return std::abs(static_cast<double>(number) * input.scale_factor + input.add_offset);
      };
      using Limits = std::numeric_limits<Number>;
      const double largest = std::max(value_of(Limits::min()), value_of(Limits::max()));
      return largest * double{std::numeric_limits<float>::epsilon()} >
             std::abs(input.scale_factor) / 8;
    }
  });
}

}  // namespace

Precision precision_for(PrecisionRequest request, const DatasetFacts& input) {
  if (request == PrecisionRequest::float32) return Precision::float32;
  if (request == PrecisionRequest::float64) return Precision::float64;
  // float32 has a significand of 24 bits, which is much too short for 64-bit integers. Input in
  // float64 is computed in float64.
  const bool wide = input.type == ElementType::float64 || input.type == ElementType::int64 ||
                    input.type == ElementType::uint64;
  return wide || needs_double(input) ? Precision::float64 : Precision::float32;
}

}  // namespace stencil
