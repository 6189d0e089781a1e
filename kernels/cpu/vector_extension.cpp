#include "kernels/cpu/vector_extension.hpp"

#include <fmt/core.h>

#include <cstdlib>

#include "framework/grid/error.hpp"
#include "kernels/cpu/vector/row_kernels.hpp"

namespace stencil::cpu {

#ifdef __x86_64__

namespace {

bool supported(VectorExtension extension) {
  if (extension == VectorExtension::baseline) return true;
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (extension == VectorExtension::avx2) return has_avx2;
  return has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

}  // namespace

template <>
const RowKernels<float>& row_kernels(VectorExtension extension) {
  if (extension == VectorExtension::avx512) return avx512::float_kernels;
  return extension == VectorExtension::avx2 ? avx2::float_kernels : baseline::float_kernels;
}

template <>
const RowKernels<double>& row_kernels(VectorExtension extension) {
  if (extension == VectorExtension::avx512) return avx512::double_kernels;
  return extension == VectorExtension::avx2 ? avx2::double_kernels : baseline::double_kernels;
}

LongTransforms long_transforms() {
  return __builtin_cpu_is("amd") ? LongTransforms::past_caches : LongTransforms::by_caches;
}

#else

namespace {
bool supported(VectorExtension extension) {
  return extension == VectorExtension::baseline;
}
}  // namespace

template <>
const RowKernels<float>& row_kernels(VectorExtension) {
  return baseline::float_kernels;
}

template <>
const RowKernels<double>& row_kernels(VectorExtension) {
  return baseline::double_kernels;
}

LongTransforms long_transforms() {
  return LongTransforms::by_caches;
}

#endif

std::string_view to_string(VectorExtension extension) {
  if (extension == VectorExtension::avx512) return "avx512";
  return extension == VectorExtension::avx2 ? "avx2" : "baseline";
}

VectorExtension vector_extension() {
  using enum VectorExtension;
  const char* word = std::getenv("STENCIL_SIMD");
  if (word != nullptr && *word == '\0') word = nullptr;  // an empty variable is treated as unset
  for (const VectorExtension extension : {avx512, avx2, baseline}) {
    if (word == nullptr && supported(extension)) return extension;
    if (word == nullptr || word != to_string(extension)) continue;
    if (supported(extension)) return extension;
    throw WordsError(fmt::format(
        "STENCIL_SIMD = {}: this processor does not have it: unset it or use baseline", word));
  }
  throw WordsError(
      fmt::format("STENCIL_SIMD = {}: use baseline, avx2 or avx512, or unset it", word));
}

}  // namespace stencil::cpu
