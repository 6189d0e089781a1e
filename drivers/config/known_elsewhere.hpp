#pragma once

#include <string>
#include <string_view>

namespace stencil {

/// Returns advice for users who write the name of a filter of SciPy, scikit-image or another
/// program. This program lacks the filter or has another name for it. For example, `butter` is
/// recursive, `opening` is not a weighted sum, and `mean` is called box here. Case, `-` instead of
/// `_`, and the endings `_filter` and `_filter1d` are ignored.
///
/// @returns a sentence for a message; empty if the name is unknown
std::string advice_for(std::string_view name);

}  // namespace stencil
