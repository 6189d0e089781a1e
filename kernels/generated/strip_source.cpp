#include "kernels/generated/strip_source.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/generated/source_text.hpp"
#include "kernels/generated/tap_table.hpp"

namespace stencil::generated {
namespace {

void require_sound(const StripSpec& spec) {
  const StripShape& shape = spec.shape;
  const bool sound =
      (spec.element == 4 || spec.element == 8) && spec.height > 0 && spec.width > 0 &&
      spec.multiplied.size() == std::size_t(spec.height * spec.width) && spec.taps() > 0 &&
      spec.lead >= 0 && spec.lead < 32 / spec.element && shape.chunks > 0 &&
      32 % shape.chunks == 0 && shape.groups > 0 && shape.turn > 0 && shape.ring > 1 &&
      shape.unrolled > 0 && shape.turn % shape.unrolled == 0;
  if (!sound) throw std::invalid_argument("no strip walk has this specification");
}

}  // namespace

std::string strip_source(const StripSpec& spec) {
  require_sound(spec);
  const StripShape& shape = spec.shape;
  const std::string preamble = fmt::format(
      "using T = {};\n"
      "constexpr int height = {}, width = {}, taps = {};\n"
      "constexpr short tap_of[height][width] = {{{}}};\n"
      "constexpr int lead = {};\n"
      "constexpr int chunks = {}, groups = {};\n"
      "constexpr int turn = {}, ring = {}, unrolled = {};",
      spec.element == 4 ? "float" : "double", spec.height, spec.width, spec.taps(),
      tap_table(spec.multiplied, spec.height, spec.width), spec.lead, shape.chunks, shape.groups,
      shape.turn, shape.ring, shape.unrolled);
  return preamble + strip_walk_text.text;
}

}  // namespace stencil::generated
