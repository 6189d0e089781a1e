#pragma once

#include <string>

#include "tests/support/plan_words.hpp"

namespace stencil::testing {

/// The sections of a run with two stages and a checkpoint.
inline const std::string two_stages =
    "[stencil.a]\nmask = 1 2 1\nsteps = 4\n[stencil.b]\nmask = box\nsize = 3\nstride = 2\n"
    "method = separable\n[run]\ncheckpoint = state.h5\n";

/// Facts of the input of a run with two_stages: a file with a known size and time.
inline DatasetFacts facts_of_file() {
  DatasetFacts facts = facts_of({40, 50});
  facts.file_bytes = 8100;
  facts.modified = 1700000000123456789;
  return facts;
}

}  // namespace stencil::testing
