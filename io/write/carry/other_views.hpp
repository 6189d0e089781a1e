#pragma once

#include <string>

namespace stencil::storage {

/// Why an object of the input would be wrong in a file with a filtered dataset, whatever its
/// points: it is another resolution of the same data, as in the pyramids of Imaris and
/// BigDataViewer, or a statistic of them, such as a histogram. Empty if nothing indicates that.
///
/// @param path  of the object, from the root on
/// @param data  path of the dataset that is filtered
std::string is_false_beside(const std::string& path, const std::string& data);

}  // namespace stencil::storage
