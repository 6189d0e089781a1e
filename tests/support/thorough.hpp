#pragma once

#include <cstdlib>
#include <vector>

namespace stencil::testing {

/// True in the run labelled nightly, in which a test tries all of its cases; the quick run tries a
/// sample of them.
inline bool is_thorough() {
  return std::getenv("STENCIL_TEST_THOROUGH") != nullptr;
}

/// Number of random cases: `all` in a thorough run, `quick` in a quick one.
inline int cases(int all, int quick) {
  return is_thorough() ? all : quick;
}

/// All cases in a thorough run; in a quick run every second case, starting with index `first` (0 or
/// 1).
template <class T>
std::vector<T> sampled(const std::vector<T>& all, std::size_t first) {
  if (is_thorough()) return all;
  std::vector<T> some;
  for (std::size_t k = first; k < all.size(); k += 2) some.push_back(all[k]);
  return some;
}

}  // namespace stencil::testing
