#pragma once

#include <span>

namespace stencil::generated {

/// A file of the source tree, embedded in the program as text for the run-time compiler.
struct SourceText {
  const char* name;  ///< name in `#include`
  const char* text;
};

// The build defines the following variables (source_texts.cpp.in).

/// The texts of strip_walk.cu, step_walk.cu and step_tiles.cu.
extern const SourceText strip_walk_text, step_walk_text, step_tiles_text;

/// The texts of the kernels in cuda/production, of all files that they or the three kernels above
/// include, and short texts that replace headers of the host (source_texts.cpp.in).
extern const std::span<const SourceText> included_text;

}  // namespace stencil::generated
