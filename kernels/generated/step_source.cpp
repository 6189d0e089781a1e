#include "kernels/generated/step_source.hpp"

#include <fmt/format.h>

#include "kernels/generated/source_text.hpp"
#include "kernels/generated/tap_table.hpp"

namespace stencil::generated {
namespace {

std::string preamble_of(const StepMask& mask) {
  const std::vector<bool> none(std::size_t(mask.height * mask.width), false);
  return fmt::format(
      "using T = {};\n"
      "constexpr int height = {}, width = {}, taps = {};\n"
      "constexpr bool is_separable = {};\n"
      "constexpr short tap_of[height][width] = {{{}}};\n",
      mask.element == 4 ? "float" : "double", mask.height, mask.width, mask.adds(),
      mask.is_separable,
      tap_table(mask.is_separable ? none : mask.multiplied, mask.height, mask.width));
}

}  // namespace

std::string step_walk_source(const StepMask& mask, const StepWalk& walk) {
  return preamble_of(mask) +
         fmt::format(
             "constexpr int above = {}, left = {};\n"
             "constexpr int depth = {}, levels = {}, chunks = {};\n"
             "constexpr int turn = {}, ring = {}, resident = {};\n",
             mask.height / 2, mask.width / 2, walk.depth, walk.levels, walk.chunks, walk.turn,
             StepWalk::ring, walk.resident) +
         step_walk_text.text;
}

std::string step_tiles_source(const StepMask& mask) {
  return preamble_of(mask) + step_tiles_text.text;
}

}  // namespace stencil::generated
