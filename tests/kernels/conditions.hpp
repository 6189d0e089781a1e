#pragma once

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "framework/grid/error.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil::testing {

/// Sets STENCIL_SIMD and the number of threads; the destructor restores both.
class Conditions {
 public:
  Conditions(const char* extension, int threads) : threads_(omp_get_max_threads()) {
    setenv("STENCIL_SIMD", extension, 1);
    omp_set_num_threads(threads);
  }
  ~Conditions() {
    unsetenv("STENCIL_SIMD");
    omp_set_num_threads(threads_);
  }

 private:
  int threads_;
};

inline bool available(const char* extension) {
  try {
    const Conditions conditions(extension, 1);
    cpu::vector_extension();
    return true;
  } catch (const WordsError&) {
    return false;
  }
}

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(std::memcmp(&a[k], &b[k], sizeof(T)), 0)
        << what << " at " << k << ": " << a[k] << " " << b[k];
  }
}

}  // namespace stencil::testing
