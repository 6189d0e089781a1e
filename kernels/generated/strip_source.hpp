#pragma once

#include <string>

#include "kernels/generated/strip_spec.hpp"

namespace stencil::generated {

/// The CUDA source of a strip walk: a preamble of constants for one mask, then strip_walk.cu. Its
/// kernel is `strip_walk(StripArguments<T>, T taps[spec.taps()])`. The includes of the text are
/// included_text (source_text.hpp).
///
/// @throws std::invalid_argument  a specification that no kernel can have
std::string strip_source(const StripSpec& spec);

inline constexpr const char* strip_walk_kernel = "stencil::generated::strip_walk";

}  // namespace stencil::generated
