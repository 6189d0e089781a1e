#pragma once

#include <span>

namespace stencil::generated {

/// A file of the source tree as text of the program, for the compiler of the run time.
struct SourceText {
  const char* name;  ///< as `#include` names it
  const char* text;
};

// The build makes the source of these (source_texts.cpp.in).

/// The kernels: strip_walk.cu, step_walk.cu and step_tiles.cu.
extern const SourceText strip_walk_text, step_walk_text, step_tiles_text;

/// What they include, the kernels of cuda/production with what these include, and short texts in
/// place of headers of the host (source_texts.cpp.in).
extern const std::span<const SourceText> included_text;

}  // namespace stencil::generated
