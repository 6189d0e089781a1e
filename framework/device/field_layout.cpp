#include "framework/device/field_layout.hpp"

namespace stencil {
namespace {

constexpr Index alignment = 64;  // bytes: size of a cache line and of the widest vector register

Index round_up(Index value, Index multiple) {
  return checked_add(value, multiple - 1) / multiple * multiple;
}

/// Adds one cache line to a pitch of at least 4096 bytes that is a multiple of 512 bytes. Rows at
/// such distances compete for the same few cache sets, so that a mask over many rows would find
/// none of these rows in the cache.
Index spread_over_sets(Index pitch, Index line) {
  const Index lines = pitch / line;
  return lines >= 64 && lines % 8 == 0 ? pitch + line : pitch;
}

}  // namespace

FieldLayout FieldLayout::of(const Subdomain& subdomain, std::size_t element_size) {
  const Point extent = subdomain.local_extent();
  const Index element = static_cast<Index>(element_size), line = alignment / element;
  // the low ghosts of x are placed at the end of a cache line, so that the first owned point begins
  // a new line
  const Index lead = round_up(subdomain.halo.low[x_axis], line) - subdomain.halo.low[x_axis];
  FieldLayout layout;
  layout.offset = lead * element;
  layout.row_pitch = spread_over_sets(round_up(checked_add(lead, extent[x_axis]), line), line);
  const Index elements = checked_multiply(checked_multiply(extent[0], extent[1]), layout.row_pitch);
  layout.bytes = static_cast<std::size_t>(checked_multiply(elements, element));
  return layout;
}

}  // namespace stencil
