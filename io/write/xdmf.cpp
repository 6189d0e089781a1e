#include "io/write/xdmf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t most_snapshots = 100000;  // 60 MB of text

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

/// Number type in XDMF: `Float`, `Int` or `UInt`.
std::string_view number_type(ElementType type) {
  const std::string name = to_string(type);
  return name.starts_with("float") ? "Float" : name.starts_with("u") ? "UInt" : "Int";
}

/// Returns a number repeated `count` times, as in `0 0 0`.
std::string repeated(Index number, std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<Index>(count, number), " "));
}

}  // namespace

std::string xdmf_of(const OutputSpec& spec, const std::string& file,
                    const std::vector<double>& times) {
  std::vector<Index> grid = spec.form.dims();
  // XDMF has no floating-point numbers of 16 bits
  const bool is_short = is_floating(spec.type) && size_of(spec.type) == 2;
  if (spec.is_complex || is_short || grid.size() > 3 || times.size() > most_snapshots) return "";
  if (grid.size() == 1) grid.insert(grid.begin(), 1);
  const std::vector<Index> dims = spec.dims();
  std::vector<Index> count = dims;
  count.front() = 1;
  const std::string dimensions = fmt::format("{}", fmt::join(grid, " ")),
                    name = escaped(split_path(spec.dataset).back()),
                    place = escaped(file + ":" + spec.dataset),
                    zeros = repeated(0, dims.size() - 1), ones = repeated(1, dims.size());
  const std::string_view three = grid.size() == 3 ? "3D" : "2D";
  const std::string geometry = grid.size() == 3 ? "ORIGIN_DXDYDZ" : "ORIGIN_DXDY";
  std::string text = fmt::format("<?xml version=\"1.0\"?>\n{}\n", xdmf_begin);
  for (std::size_t at = 0; at < times.size(); ++at)
    text += fmt::format(
        R"(<Grid Name="{0}"><Time Value="{1}"/>
<Topology TopologyType="{2}CoRectMesh" Dimensions="{3}"/>
<Geometry GeometryType="{4}"><DataItem Dimensions="{5}">{6}</DataItem><DataItem Dimensions="{5}">{7}</DataItem></Geometry>
<Attribute Name="{0}" AttributeType="Scalar" Center="Node"><DataItem ItemType="HyperSlab" Dimensions="{3}">
<DataItem Dimensions="3 {8}" Format="XML">{9} {10} {11} {12}</DataItem>
<DataItem Dimensions="{13}" NumberType="{14}" Precision="{15}" Format="HDF">{16}</DataItem>
</DataItem></Attribute></Grid>
)",
        name, times[at], three, dimensions, geometry, grid.size(), repeated(0, grid.size()),
        repeated(1, grid.size()), dims.size(), at, zeros, ones, fmt::join(count, " "),
        fmt::join(dims, " "), number_type(spec.type), size_of(spec.type), place);
  return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

}  // namespace stencil::storage
