#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The text that follows the first line of every XDMF file that accompanies an output.
inline constexpr std::string_view xdmf_begin =
    "<Xdmf Version=\"2.0\">\n<Domain>\n"
    "<Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">";

/// Returns the text of an XDMF file with which ParaView and similar programs display an output of
/// snapshots. The file describes one grid with a time for each snapshot; the points of the grids
/// are in the output, which is in the same folder. The text is empty if a snapshot has more than
/// three axes, which such grids do not support, or if there are very many snapshots.
///
/// @param file   name of the output, without folders
/// @param times  the time of each snapshot
std::string xdmf_of(const OutputSpec& spec, const std::string& file,
                    const std::vector<double>& times);

}  // namespace stencil::storage
