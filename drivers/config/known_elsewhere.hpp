#pragma once

#include <string>
#include <string_view>

namespace stencil {

/// What to write instead of a filter that SciPy, scikit-image or another program has under that
/// name and this program does not have: `butter` is recursive, `opening` is not a weighted sum,
/// `mean` is called box here. Capitals, `-` for `_`, and an ending `_filter` or `_filter1d` are
/// ignored.
///
/// @returns a sentence for a message; empty if the name is not known
std::string advice_for(std::string_view name);

}  // namespace stencil
