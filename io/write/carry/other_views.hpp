#pragma once

#include <string>

namespace stencil::storage {

/// Returns the reason why an object of the input would be wrong next to a filtered dataset, even if
/// no axis has changed. Such an object is another resolution of the same data, as in the pyramids
/// of Imaris and BigDataViewer, or a statistic of the data, such as a histogram. The result is
/// empty if nothing indicates that the object is wrong.
///
/// @param path  path of the object from the root
/// @param data  path of the filtered dataset
std::string is_false_beside(const std::string& path, const std::string& data);

}  // namespace stencil::storage
