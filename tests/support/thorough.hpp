#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace stencil::testing {

/// True in the run labelled nightly, in which a test tries all of its cases; the quick run tries a
/// sample of them.
inline bool is_thorough() {
  return std::getenv("STENCIL_TEST_THOROUGH") != nullptr;
}

/// Number of random cases: `all` in a thorough run, `quick` in a quick run.
inline int cases(int all, int quick) {
  return is_thorough() ? all : quick;
}

/// All cases in a thorough run; in a quick run every second case, starting with index `first` (0 or
/// 1). With sanitizers, tests of kernels run with STENCIL_TEST_EVERY=4 and take every fourth case,
/// because they also run without sanitizers.
template <class T>
std::vector<T> sampled(const std::vector<T>& all, std::size_t first) {
  if (is_thorough()) return all;
  const char* const every = std::getenv("STENCIL_TEST_EVERY");
  const std::size_t step = every == nullptr ? 2 : std::strtoul(every, nullptr, 10);
  std::vector<T> some;
  for (std::size_t k = first; k < all.size(); k += step) some.push_back(all[k]);
  return some;
}

}  // namespace stencil::testing
