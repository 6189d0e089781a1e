#pragma once

#include <type_traits>

namespace stencil::cuda {

/// Calls `use` with the entry of `values` that equals `wanted`, as a compile-time constant, and
/// returns whether there is one. Selects a kernel by a number that is known at run time only.
template <int value, int... values, class Use>
bool with_one_of(long wanted, const Use& use) {
  if (wanted == value) {
    use(std::integral_constant<int, value>{});
    return true;
  }
  if constexpr (sizeof...(values) > 0) return with_one_of<values...>(wanted, use);
  return false;
}

/// The same with all from `low` to `high`.
template <int low, int high, class Use>
bool with_one_between(long wanted, const Use& use) {
  if (wanted == low) {
    use(std::integral_constant<int, low>{});
    return true;
  }
  if constexpr (low < high) return with_one_between<low + 1, high>(wanted, use);
  return false;
}

}  // namespace stencil::cuda
