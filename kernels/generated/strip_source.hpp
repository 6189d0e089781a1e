#pragma once

#include <string>

#include "kernels/generated/strip_spec.hpp"

namespace stencil::generated {

/// Returns the CUDA source of a strip walk: a preamble of constants for one mask, then
/// strip_walk.cu. Its kernel is `strip_walk(StripArguments<T>, T taps[spec.taps()])`. The source
/// includes texts of included_text (source_text.hpp).
///
/// @throws std::invalid_argument  the specification is not possible for any kernel
std::string strip_source(const StripSpec& spec);

inline constexpr const char* strip_walk_kernel = "stencil::generated::strip_walk";

}  // namespace stencil::generated
