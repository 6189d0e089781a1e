#pragma once

namespace stencil::generated {

/// A file of the source tree as text of the program, for the compiler of the run time.
struct SourceText {
  const char* name;  ///< as `#include` names it
  const char* text;
};

// The build makes the source of these (source_texts.cpp.in).

/// The kernels: strip_walk.cu, step_walk.cu and step_tiles.cu.
extern const SourceText strip_walk_text, step_walk_text, step_tiles_text;

/// What they include, and an empty cuda_runtime.h, whose declarations this compiler has by itself.
inline constexpr int included_texts = 7;
extern const SourceText included_text[included_texts];

}  // namespace stencil::generated
